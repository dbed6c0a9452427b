//! OpenCL's built-in variables become Vulkan's, or are computed from them.

use crate::kernel_support::{
    apply, check_judged, check_verified, kernel, lines, occurrences, refused, run, with_offset,
};
use reconverge_ir::{Module, text};
use reconverge_opencl::{Context, KernelCode, arguments, builtins, environment, memory_model};

/// SPIR-V's numbers of built-ins.
mod number {
    pub(super) const WORKGROUP_SIZE: u32 = 25;
    pub(super) const GLOBAL_ID: u32 = 28;
    pub(super) const WORK_DIM: u32 = 30;
    pub(super) const GLOBAL_SIZE: u32 = 31;
    pub(super) const ENQUEUED_SIZE: u32 = 32;
    pub(super) const GLOBAL_OFFSET: u32 = 33;
    pub(super) const GLOBAL_LINEAR_ID: u32 = 34;
    pub(super) const SUBGROUP_SIZE: u32 = 36;
    pub(super) const SUBGROUP_MAX_SIZE: u32 = 37;
    pub(super) const NUM_SUBGROUPS: u32 = 38;
    pub(super) const NUM_ENQUEUED_SUBGROUPS: u32 = 39;
}

/// A kernel that stores one component of a built-in variable, as 64 bits, where its argument says.
fn reading(built_in: u32, ty: &str, modes: &str) -> Module {
    let (load, value) = match ty {
        "%v3u64" => ("%all: %v3u64 = load %input, 2, 1\n%x: %u64 = composite_extract %all, 1", "%x"),
        "%u64" => ("%x: %u64 = load %input, 2, 1", "%x"),
        "%u32" => ("%w: %u32 = load %input, 2, 1\n%x: %u64 = u_convert %w", "%x"),
        _ => ("%all: %v4u32 = load %input\n%w: %u32 = composite_extract %all, 1\n%x: %u64 = u_convert %w", "%x"),
    };
    kernel(&format!(
        "%pointer = type_pointer Input, {ty}
         %input: %pointer = variable Input {{decorate BuiltIn {built_in}, decorate Constant, decorate LinkageAttributes \"b\" 1}}
         entry_point Kernel, %k, \"k\", %input
         {modes}
         %fn = type_function %void, %u64
         func %k: %void (%address: %u64) type %fn control 0 stage graph {{
         block ^entry:
           branch ^later
         block ^later:
           {load}
           %p: %buffer_u64 = convert_u_to_ptr %address
           store %p, {value}, 2, 8
           return
         }}"
    ))
}

/// What [`reading`] makes, after the pass; the judge accepts what comes of it.
fn lowered(mut module: Module, mut context: Context) -> (Module, Context) {
    run(arguments, &mut module, &mut context);
    run(builtins, &mut module, &mut context);
    let (lowered, mut own) = (module.clone(), context.clone());
    apply(memory_model, &mut module, &mut own);
    run(environment, &mut module, &mut own);
    check_judged(&module);
    assert_eq!(occurrences(&lowered, "LinkageAttributes"), 0, "the kernel's variable is gone");
    (lowered, context)
}

#[test]
fn every_built_in_of_opencl_is_accepted() {
    let wide = [
        number::WORKGROUP_SIZE,
        24,
        26,
        27,
        number::GLOBAL_ID,
        number::GLOBAL_SIZE,
        number::ENQUEUED_SIZE,
        number::GLOBAL_OFFSET,
    ];
    for built_in in wide {
        for modes in ["", "execution_mode %k, LocalSize, 8, 4, 1"] {
            for context in [Context::default(), with_offset()] {
                lowered(reading(built_in, "%v3u64", modes), context);
            }
        }
    }
    for built_in in [29, number::GLOBAL_LINEAR_ID] {
        lowered(reading(built_in, "%u64", ""), with_offset());
    }
    let words = [
        number::WORK_DIM,
        number::SUBGROUP_SIZE,
        number::SUBGROUP_MAX_SIZE,
        number::NUM_SUBGROUPS,
        number::NUM_ENQUEUED_SUBGROUPS,
        40,
        41,
    ];
    for built_in in words {
        lowered(reading(built_in, "%u32", ""), Context::default());
    }
    for built_in in 4416..=4420 {
        lowered(reading(built_in, "%v4u32", ""), Context::default());
    }
}

#[test]
fn an_id_is_loaded_once_at_the_start_in_words() {
    let (module, _) = lowered(reading(number::GLOBAL_ID, "%v3u64", ""), Context::default());
    let printed = text::print(&module);
    let entry = printed.split("block ^later").next().unwrap();
    assert_eq!(entry.matches("%v3u64 = u_convert").count(), 1, "{printed}");
    assert_eq!(entry.matches("%v3u32 = load").count(), 1, "{printed}");
    assert_eq!(occurrences(&module, "i_add"), 0, "{printed}");
    assert_eq!(lines(&module, &["variable Input", "BuiltIn 28"]).len(), 1);
}

#[test]
fn a_global_offset_is_read_and_added() {
    let (module, context) = lowered(reading(number::GLOBAL_ID, "%v3u64", ""), with_offset());
    assert_eq!(context.reflection.kernels[0].global_offset, Some(8));
    assert_eq!(lines(&module, &["%v3u64 = i_add"]).len(), 1);
    for offset in [8, 16, 24] {
        assert_eq!(lines(&module, &["type_struct", &format!("Offset {offset}")]).len(), 1, "{}", text::print(&module));
    }
    let (module, _) = lowered(reading(number::GLOBAL_OFFSET, "%v3u64", ""), Context::default());
    assert_eq!(occurrences(&module, "%v3u64 = constant_null"), 1);
}

#[test]
fn sizes_are_constants_where_the_kernel_requires_them() {
    let fixed = "execution_mode %k, LocalSize, 8, 4, 1";
    let (module, _) = lowered(reading(number::WORKGROUP_SIZE, "%v3u64", fixed), Context::default());
    assert_eq!(occurrences(&module, "%v3u64 = constant_composite"), 1);
    assert_eq!(occurrences(&module, "u_convert"), 0);
    let (module, _) = lowered(reading(number::WORKGROUP_SIZE, "%v3u64", ""), Context::default());
    assert_eq!(lines(&module, &["%v3u64 = u_convert"]).len(), 1);
    let (module, _) = lowered(reading(number::GLOBAL_SIZE, "%v3u64", fixed), Context::default());
    assert_eq!(lines(&module, &["%v3u64 = i_mul"]).len(), 1);
}

#[test]
fn the_number_of_dimensions_is_a_specialization_constant() {
    let (module, context) = lowered(reading(number::WORK_DIM, "%u32", ""), Context::default());
    assert_eq!(context.reflection.kernels[0].work_dim, Some(3));
    assert_eq!(lines(&module, &["spec_constant 3", "SpecId 3"]).len(), 1);
    let (_, context) = lowered(reading(number::GLOBAL_ID, "%v3u64", ""), Context::default());
    assert_eq!(context.reflection.kernels[0].work_dim, None, "only where the kernel asks");
}

#[test]
fn components_are_read_through_access_chains_and_by_a_number_that_is_computed() {
    let mut module = kernel(
        "%pointer = type_pointer Input, %v3u64
         %component = type_pointer Input, %u64
         %input: %pointer = variable Input {decorate BuiltIn 27, decorate Constant}
         entry_point Kernel, %k, \"k\", %input
         %fn = type_function %void, %u64, %u32
         func %k: %void (%address: %u64, %n: %u32) type %fn control 0 stage graph {
         block ^entry:
           %second: %component = in_bounds_access_chain %input, %one
           %other: %component = access_chain %input, %n
           %x: %u64 = load %second
           %y: %u64 = load %other
           %p: %buffer_u64 = convert_u_to_ptr %address
           store %p, %x, 2, 8
           store %p, %y, 2, 8
           return
         }",
    );
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    run(builtins, &mut module, &mut context);
    assert_eq!(lines(&module, &["composite_extract", ", 1"]).len(), 1);
    assert_eq!(occurrences(&module, "vector_extract_dynamic"), 1);
    assert_eq!(occurrences(&module, "Input, %u64"), 1, "the type alone is left");
    check_verified(&module);
}

#[test]
fn what_is_no_built_in_or_no_load_is_refused() {
    let unknown = reading(0, "%u32", "");
    let error = refused(builtins, &unknown, &mut Context::default());
    assert!(error.is(KernelCode::Unsupported));
    let other = reading(number::GLOBAL_ID, "%u32", "");
    let error = refused(builtins, &other, &mut Context::default());
    assert!(error.is(KernelCode::Rejected));
    let passed = kernel(
        "%pointer = type_pointer Input, %v3u64
         %function = type_pointer Function, %v3u64
         %input: %pointer = variable Input {decorate BuiltIn 27, decorate Constant}
         entry_point Kernel, %k, \"k\", %input
         %fn = type_function %void
         func %k: %void () type %fn control 0 stage graph {
         block ^entry:
           %copy: %function = variable Function
           copy_memory %copy, %input
           return
         }",
    );
    let error = refused(builtins, &passed, &mut Context::default());
    assert!(error.message.contains("copy_memory"), "{error}");
}
