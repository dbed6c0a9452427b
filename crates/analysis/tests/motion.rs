//! How far instructions may move, row by row of the table.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::effects::{Direction, Motion, Occasion, motion, takes_sampled_image};
use reconverge_analysis::memory::MemoryStates;
use reconverge_graph::CycleForest;
use reconverge_ir::{Inst, Module, text};

const HEAD: &str = "\
%glsl = ext_inst_import \"GLSL.std.450\"
%opencl = ext_inst_import \"OpenCL.std\"
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%s32 = type_int 32, 1
%s64 = type_int 64, 1
%f32 = type_float 32
%zero: %u32 = constant 0
%three: %u32 = constant 3
%pair = type_vector %u32, 2
%part: %pair = constant_composite %three, %zero
%whole: %pair = constant_composite %three, %three
%minus: %s32 = constant 0xffffffff
%wide_minus: %s64 = constant words(0xffffffff, 0xffffffff)
%wide: %s64 = constant words(0xffffffff, 1)
%chosen: %u32 = spec_constant 3
%floats = type_vector %f32, 2
%texel = type_vector %f32, 4
%array = type_array %u32, %three
%to_array = type_pointer Private, %array
%private_u32 = type_pointer Private, %u32
%to_u32 = type_pointer Function, %u32
%in_buffer = type_pointer StorageBuffer, %u32
%picture = type_image %f32, 1, 0, 0, 0, 1, 0
%combined = type_sampled_image %picture
%sampler = type_sampler
%to_picture = type_pointer UniformConstant, %picture
%to_sampler = type_pointer UniformConstant, %sampler
%global = type_pointer CrossWorkgroup, %u32
%g: %to_array = variable Private
%b: %in_buffer = variable StorageBuffer
%left: %to_picture = variable UniformConstant
%taste: %to_sampler = variable UniformConstant
%m: %pair = undef
%s: %s32 = undef
%w: %s64 = undef
%x: %f32 = undef
%xy: %floats = undef
func %record: %void (%x2: %u32)
";

fn module(body: &str) -> Module {
    let parameters = "%n: %u32, %k: %u32, %p: %bool";
    let source = format!("{HEAD}func %f: %void ({parameters}) stage graph {{\nblock ^entry:\n{body}\n  return\n}}\n");
    text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

fn named(module: &Module, name: &str) -> Inst {
    let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
    let mut named = module.descendants(function).filter(|&inst| module.name(inst).as_deref() == Some(name));
    named.next().unwrap_or_else(|| panic!("no {name}"))
}

/// The motion of `%it`.
fn of(body: &str) -> (Direction, Occasion, bool) {
    let module = module(body);
    let Motion { direction, occasion, reads_memory } = motion(&module, named(&module, "it"));
    (direction, occasion, reads_memory)
}

const FREE: (Direction, Occasion, bool) = (Direction::Both, Occasion::Any, false);
const CAREFUL: (Direction, Occasion, bool) = (Direction::Both, Occasion::Anticipated, false);
const OWN: (Direction, Occasion, bool) = (Direction::Both, Occasion::Any, true);
const READER: (Direction, Occasion, bool) = (Direction::Both, Occasion::Anticipated, true);
const PINNED: (Direction, Occasion, bool) = (Direction::Pinned, Occasion::Anticipated, false);

#[test]
fn what_cannot_go_wrong_is_free() {
    assert_eq!(of("%it: %u32 = i_add %n, %k"), FREE);
    assert_eq!(of("%it: %f32 = f_div %x, %x"), FREE);
    assert_eq!(of("%it: %f32 = ext_inst %glsl 13 %x"), FREE);
    assert_eq!(of("%it: %private_u32 = access_chain %g, %n"), FREE);
    assert_eq!(of("%it: %u32 = vector_extract_dynamic %m, %three"), FREE);
    assert_eq!(of("%it: %u32 = vector_extract_dynamic %m, %n"), CAREFUL);
}

#[test]
fn division_is_free_if_the_divisor_says_so() {
    assert_eq!(of("%it: %u32 = u_div %n, %k"), CAREFUL);
    assert_eq!(of("%it: %u32 = u_div %n, %three"), FREE);
    assert_eq!(of("%it: %u32 = u_mod %n, %zero"), CAREFUL);
    assert_eq!(of("%it: %u32 = u_div %n, %chosen"), CAREFUL);
    assert_eq!(of("%it: %pair = u_div %m, %whole"), FREE);
    assert_eq!(of("%it: %pair = u_div %m, %part"), CAREFUL);
    assert_eq!(of("%it: %s32 = s_div %s, %three"), FREE);
    assert_eq!(of("%it: %s32 = s_rem %s, %minus"), CAREFUL);
    assert_eq!(of("%it: %u32 = u_div %n, %minus"), FREE);
    assert_eq!(of("%it: %s64 = s_div %w, %wide_minus"), CAREFUL);
    assert_eq!(of("%it: %s64 = s_div %w, %wide"), FREE);
}

#[test]
fn loads_move_with_memory() {
    assert_eq!(of("%v: %to_u32 = variable Function\n%it: %u32 = load %v"), OWN);
    assert_eq!(of("%q: %private_u32 = access_chain %g, %zero\n%it: %u32 = load %q"), OWN);
    assert_eq!(of("%q: %private_u32 = access_chain %g, %three\n%it: %u32 = load %q"), READER);
    assert_eq!(of("%q: %private_u32 = access_chain %g, %n\n%it: %u32 = load %q"), READER);
    assert_eq!(of("%it: %u32 = load %b"), READER);
    assert_eq!(of("%it: %u32 = load %b, 1"), PINNED);
    assert_eq!(of("%it: %picture = load %left"), OWN);
}

#[test]
fn what_others_see_is_pinned() {
    assert_eq!(of("%it: %void = function_call %record, %n"), PINNED);
    assert_eq!(of("%it: %u32 = atomic_load %b, %zero, %zero"), PINNED);
    assert_eq!(of("%it: %bool = group_non_uniform_all %three, %p"), PINNED);
    assert_eq!(of("%it: %to_u32 = variable Function"), PINNED);
    assert_eq!(of("%v: %to_u32 = variable Function\n%it: %f32 = ext_inst %glsl 51 %x, %v"), PINNED);
}

#[test]
fn derivatives_go_up_and_sampled_images_along() {
    assert_eq!(of("%it: %f32 = d_pdx %x"), (Direction::Earlier, Occasion::Any, false));
    let sample = "%l: %picture = load %left
        %t: %sampler = load %taste
        %both: %combined = sampled_image %l, %t
        %it: %texel = image_sample_implicit_lod %both, %xy
        %explicit: %texel = image_sample_explicit_lod %both, %xy, 2 %x";
    assert_eq!(of(sample), (Direction::Earlier, Occasion::Anticipated, true));
    let module = module(sample);
    assert_eq!(motion(&module, named(&module, "both")).direction, Direction::WithUsers);
    assert_eq!(motion(&module, named(&module, "explicit")).direction, Direction::Both);
    assert!(takes_sampled_image(&module, named(&module, "it")));
    assert!(!takes_sampled_image(&module, named(&module, "both")));
}

/// Whether a store through one parameter of a kernel separates two loads through another.
fn is_separated(note: &str, between: &str) -> bool {
    let source = format!(
        "memory_model Physical64 OpenCL\n{HEAD}func %f: %void (%a: %global {note}, %c: %global, %n: %u32) stage graph {{
block ^entry:
  %first: %u32 = load %a
  {between}
  %second: %u32 = load %a
  return
}}
"
    );
    let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
    let flow = FlowGraph::compute(&module, function);
    let (order, dominators) = flow.dominators();
    let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
    let states = MemoryStates::compute(&module, &flow, &order, &dominators, &cycles);
    let [first, second] = ["first", "second"].map(|name| states.state_of(named(&module, name)).expect("a reader"));
    first != second
}

#[test]
fn parameters_of_kernels_alias_unless_they_are_restricted() {
    let store = "store %c, %n";
    assert!(is_separated("", store));
    assert!(!is_separated("{decorate 19}", store));
    assert!(!is_separated("{decorate 38 4}", store));
    assert!(is_separated("{decorate 19}", "control_barrier %three, %three, %three"));
    assert!(is_separated("{decorate 19}", "store %a, %n"));
    // Once somebody else has the pointer, anything may be based on it.
    let selected = "%p: %bool = i_equal %n, %zero\n  %q: %global = select %p, %a, %c\n  store %q, %n";
    assert!(is_separated("{decorate 19}", selected));
}
