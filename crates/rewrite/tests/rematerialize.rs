//! What no parameter can carry is computed again where it is used.

use reconverge_ir::{Inst, Module, Op, text};
use reconverge_rewrite::{OriginalDominance, RepairError, RepairReport, repair_ssa};
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, named, plain_module};

/// A storage buffer of numbers, under logical addressing.
const BUFFER: &str = "\
capability Shader
memory_model Logical, GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%four: %u32 = constant 4
%numbers = type_array %u32, %four
%local = type_pointer Function, %numbers
%slot = type_pointer Function, %u32
";

fn repaired(before: &Module) -> (Module, Result<RepairReport, RepairError>) {
    let mut after = before.clone();
    let result = repair_ssa(&mut after, functions(before)[0], &OriginalDominance::unknown());
    (after, result)
}

#[test]
fn a_pointer_is_computed_again_and_its_index_is_carried() {
    let before = plain_module(&format!(
        "{BUFFER}func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           %array: %local = variable Function
           branch_if %c ^a ^b
         block ^a:
           %index: %u32 = bitwise_and %n, %one
           %p: %slot = access_chain %array, %index {{name \"pointer\"}}
           store %p, %four
           branch ^m
         block ^b:
           branch ^m
         block ^m:
           branch_if %c ^use ^other
         block ^use:
           %r: %u32 = load %p
           store %p, %one
           %s: %u32 = load %p
           %t: %u32 = i_add %r, %s
           return_value %t
         block ^other:
           return_value %n
         }}"
    ));
    let (after, report) = repaired(&before);
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0);
    assert_eq!(report.unwrap(), RepairReport { values: 1, parameters: 1, rematerialized: 1, variables: 0 });
    assert_eq!(count(&after, Op::AccessChain), 2, "three uses in a block share a copy");
}

/// Images and samplers in a shader; `d` defines what `u` uses, and `d` does not dominate `u`.
fn sampling(definitions: &str, uses: &str) -> Module {
    plain_module(&format!(
        "capability Shader
         memory_model Logical, GLSL450
         %void = type_void
         %bool = type_bool
         %u32 = type_int 32, 0
         %f32 = type_float 32
         %v2 = type_vector %f32, 2
         %v4 = type_vector %f32, 4
         %image = type_image %f32, 1, 0, 0, 0, 1, 0
         %sampler = type_sampler
         %sampled = type_sampled_image %image
         %pi = type_pointer UniformConstant, %image
         %ps = type_pointer UniformConstant, %sampler
         %private_image = type_pointer Private, %image
         %the_image: %pi = variable UniformConstant
         %the_sampler: %ps = variable UniformConstant
         %moving_image: %private_image = variable Private
         func %f: %void (%at: %v2, %c: %bool) {{
         block ^entry:
           branch_if %c ^d ^x
         block ^d:
           {definitions}
           branch ^m
         block ^x:
           branch ^m
         block ^m:
           branch_if %c ^u ^o
         block ^u:
           {uses}
           return
         block ^o:
           return
         }}"
    ))
}

#[test]
fn loads_of_images_and_samplers_run_again_in_order() {
    let before = sampling(
        "%i: %image = load %the_image {decorate NonUniform}
         %s: %sampler = load %the_sampler
         %both: %sampled = sampled_image %i, %s",
        "%texel: %v4 = image_sample_implicit_lod %both, %at",
    );
    let (after, report) = repaired(&before);
    hold_verified(&after);
    assert_eq!(report.unwrap(), RepairReport { values: 0, parameters: 0, rematerialized: 3, variables: 0 });
    assert_eq!(
        (count(&after, Op::Load), count(&after, Op::SampledImage), count(&after, Op::BlockParameter)),
        (4, 2, 0)
    );
    assert_eq!(text::print(&after).matches("decorate NonUniform").count(), 2, "decorations are copied");
}

#[test]
fn an_image_from_memory_that_may_change_is_refused_by_name() {
    let before = sampling(
        "%i: %image = load %moving_image",
        "%s: %sampler = load %the_sampler
         %both: %sampled = sampled_image %i, %s
         %texel: %v4 = image_sample_implicit_lod %both, %at",
    );
    let (_, report) = repaired(&before);
    let (value, user) = (named(&before, "i"), named(&before, "both"));
    assert_eq!(report, Err(RepairError::Opaque { value, user }));
}

/// The same broken use of a pointer under a frame of capabilities and addressing.
fn pointer_use(frame: &str, class: &str) -> Module {
    plain_module(&format!(
        "{frame}
         %bool = type_bool
         %u32 = type_int 32, 0
         %one: %u32 = constant 1
         %four: %u32 = constant 4
         %numbers = type_array %u32, %four
         %array = type_pointer {class}, %numbers
         %slot = type_pointer {class}, %u32
         func %f: %u32 (%n: %array, %c: %bool) {{
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %p: %slot = access_chain %n, %one
           branch ^m
         block ^b:
           branch ^m
         block ^m:
           branch_if %c ^use ^other
         block ^use:
           %r: %u32 = load %p
           return_value %r
         block ^other:
           return_value %one
         }}"
    ))
}

#[test]
fn pointers_travel_where_the_module_says_that_they_may() {
    let shader = "capability Shader\nmemory_model Logical, GLSL450";
    let variable = "capability Shader\ncapability VariablePointers\nmemory_model Logical, GLSL450";
    let in_buffers = "capability Shader\ncapability VariablePointersStorageBuffer\nmemory_model Logical, GLSL450";
    let kernel = "capability Kernel\ncapability Addresses\nmemory_model Physical64, OpenCL";
    let addresses =
        "capability Shader\ncapability PhysicalStorageBufferAddresses\nmemory_model PhysicalStorageBuffer64, GLSL450";
    let rows = [
        (shader, "StorageBuffer", false),
        (variable, "StorageBuffer", true),
        (variable, "Workgroup", true),
        (variable, "Function", false),
        (in_buffers, "StorageBuffer", true),
        (in_buffers, "Workgroup", false),
        (kernel, "CrossWorkgroup", true),
        (kernel, "Function", true),
        (addresses, "PhysicalStorageBuffer", true),
        (addresses, "StorageBuffer", false),
    ];
    for (frame, class, travels) in rows {
        let (_, report) = repaired(&pointer_use(frame, class));
        let report = report.unwrap();
        let expected = if travels { (1, 0) } else { (0, 1) };
        assert_eq!((report.parameters, report.rematerialized), expected, "{class} under {frame}");
    }
}

#[test]
fn copies_bring_their_location_and_leave_the_others_alone() {
    let mut before = sampling(
        "%i: %image = load %the_image",
        "%s: %sampler = load %the_sampler\n%both: %sampled = sampled_image %i, %s",
    );
    let mut editor = before.edit();
    let name = editor.text("a.glsl");
    let file = editor.append_global(Op::String, None, &[name]);
    let line = |line| reconverge_ir::Location::at(file, line, 0);
    let (image, sampler) = (named(&before, "i"), named(&before, "s"));
    before.edit().set_location(image, Some(line(7)));
    let (after, _) = repaired(&before);
    let copy: Inst = after.previous(sampler).unwrap();
    assert_eq!(after.op(copy), Op::Load);
    assert_eq!(after.location(copy), Some(line(7)));
    assert_eq!(after.location(sampler), None);
}
