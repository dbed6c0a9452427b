//! Which memory readers see and how far they may move, shape by shape.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::memory::{Definition, MemoryState, MemoryStates};
use reconverge_graph::CycleForest;
use reconverge_ir::{Function, Inst, Module, Op, text};

const HEAD: &str = "\
memory_model Logical GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%pair = type_struct %u32, %u32
%array = type_array %u32, %two
%to_pair = type_pointer Function, %pair
%to_array = type_pointer Function, %array
%to_u32 = type_pointer Function, %u32
%private_u32 = type_pointer Private, %u32
%group_u32 = type_pointer Workgroup, %u32
%pushed = type_pointer PushConstant, %u32
%g: %private_u32 = variable Private
%h: %private_u32 = variable Private
%w: %group_u32 = variable Workgroup
%push: %pushed = variable PushConstant
%array_of_buffers = type_array %pair, %two
%in_buffer = type_pointer StorageBuffer, %u32
%to_buffer = type_pointer StorageBuffer, %pair
%to_buffers = type_pointer StorageBuffer, %array_of_buffers
%block = type_struct %u32, %u32 {decorate 2, member_decorate 1 23}
%to_block = type_pointer StorageBuffer, %block
%uniform_block = type_struct %u32, %u32 {decorate 2, name \"ub\"}
%to_uniform = type_pointer Uniform, %uniform_block
%in_uniform = type_pointer Uniform, %u32
%a_buffer: %to_buffer = variable StorageBuffer {decorate 34 0, decorate 33 0}
%other: %to_buffer = variable StorageBuffer {decorate 34 0, decorate 33 1}
%several: %to_buffers = variable StorageBuffer {decorate 34 0, decorate 33 2}
%coherent: %to_block = variable StorageBuffer {decorate 34 0, decorate 33 3}
%uniforms: %to_uniform = variable Uniform {decorate 34 0, decorate 33 4}
%f32 = type_float 32
%four_floats = type_vector %f32, 4
%two_ints = type_vector %u32, 2
%picture = type_image %f32, 1, 0, 0, 0, 2, 1
%to_picture = type_pointer UniformConstant, %picture
%left: %to_picture = variable UniformConstant {decorate 34 1, decorate 33 0}
%right: %to_picture = variable UniformConstant {decorate 34 1, decorate 33 1}
%at: %two_ints = constant_composite %zero, %one
%relaxed: %u32 = constant 0
%fence: %u32 = constant 264
func %record: %void (%x: %u32)
func %keep: %void (%x: %to_u32)
";

/// A function and its states.
struct Case {
    module: Module,
    function: Function,
    flow: FlowGraph,
    states: MemoryStates,
}

impl Case {
    fn new(body: &str) -> Case {
        let source = format!("{HEAD}func %f: %void (%n: %u32, %k: %u32, %p: %bool) stage graph {{\n{body}\n}}\n");
        let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
        let flow = FlowGraph::compute(&module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let states = MemoryStates::compute(&module, &flow, &order, &dominators, &cycles);
        Case { module, function, flow, states }
    }

    fn named(&self, name: &str) -> Inst {
        let all = self.module.descendants(self.function);
        let mut named = all.filter(|&inst| self.module.name(inst).as_deref() == Some(name));
        named.next().unwrap_or_else(|| panic!("no {name}"))
    }

    fn state(&self, name: &str) -> MemoryState {
        self.states.state_of(self.named(name)).unwrap_or_else(|| panic!("{name} has no state"))
    }

    fn stores(&self) -> Vec<Inst> {
        let all = self.module.descendants(self.function);
        all.filter(|&inst| self.module.op(inst) == Op::Store).collect()
    }
}

#[test]
fn loads_between_stores_share_a_state() {
    let case = Case::new(
        "block ^entry:
        %v: %to_u32 = variable Function
        %a: %u32 = load %v
        %b: %u32 = load %v
        store %v, %n
        %c: %u32 = load %v
        return",
    );
    assert_eq!(case.state("a"), case.state("b"));
    assert_ne!(case.state("a"), case.state("c"));
    assert_eq!(case.states.definition(case.state("a")), Definition::Entry);
    assert_eq!(case.states.definition(case.state("c")), Definition::Clobber(case.stores()[0]));
    let clobber = case.states.next_clobber(case.state("a"), case.flow.graph().entry()).expect("the store");
    assert_eq!(clobber.inst, Some(case.stores()[0]));
    assert_eq!(case.states.next_clobber(case.state("c"), case.flow.graph().entry()), None);
}

/// Whether a load is separated from another by what stands between.
fn is_separated(between: &str, pointer: &str) -> bool {
    let case = Case::new(&format!(
        "block ^entry:
        %v: %to_pair = variable Function
        %e: %to_pair = variable Function
        %v0: %to_u32 = access_chain %v, %zero
        %v1: %to_u32 = access_chain %v, %one
        %vn: %to_u32 = access_chain %v, %n
        %e0: %to_u32 = access_chain %e, %zero
        %kept: %void = function_call %keep, %e0
        %a0: %in_buffer = access_chain %a_buffer, %zero
        %a1: %in_buffer = access_chain %a_buffer, %one
        %o0: %in_buffer = access_chain %other, %zero
        %s00: %in_buffer = access_chain %several, %zero, %zero
        %s11: %in_buffer = access_chain %several, %one, %one
        %u0: %in_uniform = access_chain %uniforms, %zero
        %l: %picture = load %left
        %r: %picture = load %right
        %first: %u32 = {pointer}
        {between}
        %second: %u32 = {pointer}
        return"
    ));
    case.state("first") != case.state("second")
}

#[test]
fn places_alias_if_one_contains_the_other() {
    assert!(is_separated("store %v0, %n", "load %v0"));
    assert!(is_separated("store %v, %n", "load %v0"));
    assert!(is_separated("store %v0, %n", "load %v"));
    assert!(is_separated("store %vn, %n", "load %v1"));
    assert!(!is_separated("store %v0, %n", "load %v1"));
    assert!(!is_separated("store %v0, %n", "load %e0"));
    assert!(!is_separated("copy_memory %v1, %v0", "load %v0"));
    assert!(is_separated("copy_memory %v0, %v1", "load %v0"));
}

#[test]
fn bindings_do_not_alias_and_elements_of_one_may() {
    assert!(!is_separated("store %o0, %n", "load %a0"));
    assert!(!is_separated("store %a1, %n", "load %a0"));
    assert!(is_separated("store %a0, %n", "load %a0"));
    assert!(is_separated("store %s11, %n", "load %s00"));
    assert!(!is_separated("store %s11, %n", "load %a0"));
}

#[test]
fn calls_and_barriers_write_what_others_know() {
    let call = "%c: %void = function_call %record, %n";
    let barrier = "control_barrier %two, %two, %fence";
    for (pointer, by_call, by_barrier) in [
        ("load %v0", false, false),
        ("load %e0", true, false),
        ("load %g", true, false),
        ("load %w", true, true),
        ("load %a0", true, true),
        ("load %push", false, false),
        ("load %u0", false, false),
    ] {
        assert_eq!(is_separated(call, pointer), by_call, "{pointer} behind a call");
        assert_eq!(is_separated(barrier, pointer), by_barrier, "{pointer} behind a barrier");
    }
}

#[test]
fn atomics_write_their_place_and_order_the_rest() {
    let relaxed = "%x: %u32 = atomic_i_add %a0, %one, %relaxed, %n";
    let ordered = "%x: %u32 = atomic_i_add %a0, %one, %fence, %n";
    assert!(is_separated(relaxed, "load %a0"));
    assert!(!is_separated(relaxed, "load %o0"));
    assert!(is_separated(ordered, "load %o0"));
    assert!(!is_separated(ordered, "load %g"));
    let volatile = "%x: %u32 = load %a0, 1";
    assert!(is_separated(volatile, "load %a0") && !is_separated(volatile, "load %o0"));
}

#[test]
fn images_are_memory_of_their_own() {
    assert!(is_separated("image_write %l, %at, %n", "image_read %l, %at"));
    assert!(!is_separated("image_write %r, %at, %n", "image_read %l, %at"));
    assert!(!is_separated("image_write %l, %at, %n", "load %a0"));
    assert!(is_separated("control_barrier %two, %two, %fence", "image_read %l, %at"));
}

#[test]
fn memory_that_nobody_writes_has_one_state() {
    let case = Case::new(
        "block ^entry:
        %u0: %in_uniform = access_chain %uniforms, %zero
        %pushed_value: %u32 = load %push
        %read: %u32 = load %u0
        %c: %void = function_call %record, %n
        branch ^again
      block ^again:
        %once_more: %u32 = load %u0
        branch ^again",
    );
    for name in ["pushed_value", "read", "once_more"] {
        assert_eq!(case.state(name), MemoryState::CONSTANT, "{name}");
        assert_eq!(case.states.class_of(case.named(name)), None, "{name}");
    }
    assert_eq!(case.states.next_clobber(MemoryState::CONSTANT, case.flow.graph().entry()), None);
}

#[test]
fn coherent_memory_has_no_state() {
    let case = Case::new(
        "block ^entry:
        %p0: %in_buffer = access_chain %coherent, %zero
        %x: %u32 = load %p0
        %a0: %in_buffer = access_chain %a_buffer, %zero
        %y: %u32 = load %a0, 16 %two
        return",
    );
    assert_eq!(case.states.state_of(case.named("x")), None);
    assert_eq!(case.states.state_of(case.named("y")), None);
}

#[test]
fn a_loop_without_end_joins_what_it_stores() {
    let case = Case::new(
        "block ^entry:
        %v: %to_u32 = variable Function
        %o: %to_u32 = variable Function
        store %v, %zero
        branch ^again
      block ^again:
        %x: %u32 = load %v
        %y: %u32 = load %o
        store %v, %n
        branch ^again",
    );
    let node = case.flow.graph().nodes().nth(1).expect("two blocks");
    assert_eq!(case.states.definition(case.state("x")), Definition::Join(node));
    let from_entry = case.states.state_at_end(case.flow.graph().entry(), case.state("x")).expect("it is reached");
    let from_latch = case.states.state_at_end(node, case.state("x")).expect("it is reached");
    assert_eq!(case.states.definition(from_entry), Definition::Clobber(case.stores()[0]));
    assert_eq!(case.states.definition(from_latch), Definition::Clobber(case.stores()[1]));
    assert_eq!(case.states.definition(case.state("y")), Definition::Entry);
    assert_eq!(case.states.next_clobber(case.state("y"), node), None);
}

#[test]
fn an_effort_is_not_exceeded() {
    use std::fmt::Write;
    let (variables, joins) = (300, 300);
    let mut body = String::from("block ^entry:\n");
    (0..variables).for_each(|number| _ = writeln!(body, "%v{number}: %to_u32 = variable Function"));
    body.push_str("branch ^h0\n");
    for level in 0..joins {
        let _ = writeln!(body, "block ^h{level}:\n branch ^h{}", level + 1);
    }
    let _ = writeln!(body, "block ^h{joins}:");
    for number in 0..variables {
        let _ = writeln!(body, "%x{number}: %u32 = load %v{number}\nstore %v{number}, %n");
    }
    let _ = writeln!(body, "branch ^t{}", joins - 1);
    for level in (1..joins).rev() {
        let _ = writeln!(body, "block ^t{level}:\n branch_if %p ^h{level} ^t{}", level - 1);
    }
    body.push_str("block ^t0:\n branch_if %p ^h0 ^out\nblock ^out:\nreturn");
    let case = Case::new(&body);
    assert!(case.states.is_coarse());
    let instructions: usize = case.flow.blocks().iter().map(|&block| case.module.children(block).count() + 1).sum();
    assert!(case.states.state_count() < MemoryStates::EFFORT * (instructions + 256));
}
