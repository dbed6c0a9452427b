//! What a Vulkan module says about itself.

use crate::kernel_support::{check_judged, kernel, lines, occurrences, refused, run};
use reconverge_ir::{Module, text};
use reconverge_opencl::{Context, KernelCode, environment};

/// A compute shader of these declarations and lines; `%a` is a 64-bit address.
fn shader(declarations: &str, body: &str) -> Module {
    kernel(&format!(
        "{declarations}
         %pointer_u64 = type_pointer PushConstant, %u64
         %block = type_struct %u64 {{decorate Block, member_decorate 0 Offset 0}}
         %pointer_block = type_pointer PushConstant, %block
         %arguments: %pointer_block = variable PushConstant
         entry_point GLCompute, %k, \"k\"
         execution_mode %k, LocalSize, 4, 1, 1
         %fn = type_function %void
         func %k: %void () type %fn control 0 stage graph {{
         block ^entry:
           %place: %pointer_u64 = in_bounds_access_chain %arguments, %zero
           %a: %u64 = load %place
           {body}
           return
         }}"
    ))
}

fn done(mut module: Module) -> (Module, Context) {
    let mut context = Context::default();
    run(environment, &mut module, &mut context);
    check_judged(&module);
    (module, context)
}

#[test]
fn a_plain_kernel_declares_what_it_has() {
    let (module, context) = done(shader(
        "capability Groups
         extension \"SPV_KHR_no_integer_wrap_decoration\"
         %opencl = ext_inst_import \"OpenCL.std\"
         source OpenCL_C, 200000
         %unused = type_vector %f64, 4",
        "%p: %buffer_u32 = convert_u_to_ptr %a
         %x: %u32 = load %p, 34, 4
         %y: %u32 = i_add %x, %x {decorate NoSignedWrap}
         store %p, %y, 34, 4",
    ));
    assert_eq!(context.reflection.features, ["bufferDeviceAddress", "shaderInt64", "vulkanMemoryModel"]);
    assert!(context.reflection.extensions.is_empty() && context.reflection.subgroup_operations.is_empty());
    let capabilities = lines(&module, &["capability "]);
    assert_eq!(
        capabilities,
        ["Shader", "Int64", "VulkanMemoryModel", "PhysicalStorageBufferAddresses"]
            .map(|name| format!("capability {name}"))
    );
    assert_eq!(lines(&module, &["memory_model PhysicalStorageBuffer64, Vulkan"]).len(), 1);
    assert_eq!(lines(&module, &["spirv_header 66816"]).len(), 1, "1.5");
    for gone in ["OpenCL.std", "extension", "NoSignedWrap", "%f64", "type_vector"] {
        assert_eq!(occurrences(&module, gone), 0, "{gone}\n{}", text::print(&module));
    }
    assert_eq!(lines(&module, &["source OpenCL_C"]).len(), 1);
}

#[test]
fn interfaces_list_what_the_functions_use() {
    let (module, _) = done(shader(
        "%input_pointer = type_pointer Input, %u32
         %index: %input_pointer = variable Input {decorate BuiltIn 29}
         %unused: %input_pointer = variable Input {decorate BuiltIn 41}
         %shared: %local_u32 = variable Workgroup
         %other = type_function %u32
         func %f: %u32 () type %other control 0 stage graph {
         block ^entry:
           %x: %u32 = load %index
           return_value %x
         }",
        "%x: %u32 = function_call %f
         store %shared, %x, 32",
    ));
    assert_eq!(lines(&module, &["entry_point"]), ["entry_point GLCompute, %k, \"k\", %index, %shared, %arguments"]);
    assert_eq!(occurrences(&module, "%unused"), 0);
}

/// Declarations, a body, and what they need: capabilities beyond the usual, features beyond the usual.
type Row<'a> = (&'a str, &'a str, &'a [&'a str], &'a [&'a str]);

const ROWS: [Row<'_>; 12] = [
    (
        "%p8 = type_pointer PhysicalStorageBuffer, %u8",
        "%p: %p8 = convert_u_to_ptr %a\n%x: %u8 = load %p, 34, 1",
        &["Int8", "StorageBuffer8BitAccess"],
        &["shaderInt8", "storageBuffer8BitAccess"],
    ),
    (
        "%p16 = type_pointer PhysicalStorageBuffer, %f16",
        "%p: %p16 = convert_u_to_ptr %a\n%x: %f16 = load %p, 34, 2",
        &["Float16", "StorageBuffer16BitAccess"],
        &["shaderFloat16", "storageBuffer16BitAccess"],
    ),
    ("", "%x: %u16 = u_convert %a", &["Int16"], &["shaderInt16"]),
    ("", "%x: %f64 = convert_u_to_f %a", &["Float64"], &["shaderFloat64"]),
    (
        "%semantics: %u32 = constant 24648",
        "memory_barrier %one, %semantics",
        &["VulkanMemoryModelDeviceScope"],
        &["vulkanMemoryModelDeviceScope"],
    ),
    (
        "",
        "%p: %buffer_u64 = convert_u_to_ptr %a\n%x: %u64 = atomic_i_add %p, %two, %zero, %a",
        &["Int64Atomics"],
        &["shaderBufferInt64Atomics"],
    ),
    (
        "%local_u64 = type_pointer Workgroup, %u64\n%shared: %local_u64 = variable Workgroup",
        "%x: %u64 = atomic_i_add %shared, %two, %zero, %a",
        &["Int64Atomics"],
        &["shaderSharedInt64Atomics"],
    ),
    (
        "%pf = type_pointer PhysicalStorageBuffer, %f32\n%half: %f32 = constant 1056964608",
        "%p: %pf = convert_u_to_ptr %a\n%x: %f32 = atomic_f_add_ext %p, %two, %zero, %half",
        &["AtomicFloat32AddEXT"],
        &["shaderBufferFloat32AtomicAdd"],
    ),
    (
        "%shared: %local_f32 = variable Workgroup\n%half: %f32 = constant 1056964608",
        "%x: %f32 = atomic_f_max_ext %shared, %two, %zero, %half",
        &["AtomicFloat32MinMaxEXT"],
        &["shaderSharedFloat32AtomicMinMax"],
    ),
    ("", "%x: %u32 = group_non_uniform_i_add %three, 0, %two", &["GroupNonUniform", "GroupNonUniformArithmetic"], &[]),
    (
        "",
        "%x: %u64 = group_non_uniform_shuffle %three, %a, %one",
        &["GroupNonUniform", "GroupNonUniformShuffle"],
        &["shaderSubgroupExtendedTypes"],
    ),
    (
        "%true: %bool = constant_true",
        "%x: %bool = group_non_uniform_any %three, %true\n%y: %v4u32 = group_non_uniform_ballot %three, %x",
        &["GroupNonUniform", "GroupNonUniformBallot", "GroupNonUniformVote"],
        &[],
    ),
];

#[test]
fn features_follow_from_types_and_operations() {
    for (declarations, body, capabilities, features) in ROWS {
        let (module, context) = done(shader(declarations, body));
        let usual = ["Shader", "Int64", "VulkanMemoryModel", "PhysicalStorageBufferAddresses"];
        let found = lines(&module, &["capability "]);
        let mut found: Vec<&str> = found.iter().map(|line| line.trim_start_matches("capability ")).collect();
        found.retain(|name| !usual.contains(name));
        found.sort_unstable();
        assert_eq!(found, capabilities, "{body}");
        let usual = ["bufferDeviceAddress", "shaderInt64", "vulkanMemoryModel"];
        let mut found = context.reflection.features.clone();
        found.retain(|name| !usual.contains(name));
        assert_eq!(found, features, "{body}");
    }
}

#[test]
fn float_atomics_name_their_extensions() {
    let (module, context) = done(shader(
        "%pf = type_pointer PhysicalStorageBuffer, %f32\n%half: %f32 = constant 1056964608",
        "%p: %pf = convert_u_to_ptr %a\n%x: %f32 = atomic_f_add_ext %p, %two, %zero, %half",
    ));
    assert_eq!(lines(&module, &["extension "]), ["extension \"SPV_EXT_shader_atomic_float_add\""]);
    assert_eq!(context.reflection.extensions, ["VK_EXT_shader_atomic_float"]);
}

#[test]
fn without_contraction_arithmetic_is_exact() {
    let body = "%f: %f32 = convert_u_to_f %a
         %x: %f32 = f_mul %f, %f
         %y: %f32 = f_add %x, %f {decorate FPFastMathMode 16}
         %z: %u32 = convert_f_to_u %y {decorate SaturatedConversion}";
    let (module, _) = done(shader("execution_mode %k, ContractionOff\nexecution_mode %k, VecTypeHint, 5", body));
    assert_eq!(occurrences(&module, "NoContraction"), 2, "{}", text::print(&module));
    assert_eq!(lines(&module, &["execution_mode"]).len(), 1);
    let (module, _) = done(shader("", body));
    assert_eq!(occurrences(&module, "NoContraction"), 0);
    assert_eq!(occurrences(&module, "FPFastMathMode") + occurrences(&module, "SaturatedConversion"), 0);
}

#[test]
fn hints_go() {
    let (module, _) = done(shader(
        "%pointer_u32 = type_pointer Function, %u32
         %true: %bool = constant_true",
        "%x: %u32 = expect_khr %two, %three
         assume_true_khr %true
         %p: %buffer_u32 = convert_u_to_ptr %a
         store %p, %x, 34, 4",
    ));
    assert_eq!(lines(&module, &["store %p, %two, 34, 4"]).len(), 1);
    assert_eq!(occurrences(&module, "_khr"), 0);
}

#[test]
fn what_vulkan_forbids_is_named() {
    let rows = [
        ("%e: %bool = is_finite %half", "is_finite"),
        ("%x: %v8f32 = composite_construct %half, %half, %half, %half, %half, %half, %half, %half", "8 components"),
        ("%p: %global_u32 = convert_u_to_ptr %a", "CrossWorkgroup"),
        ("%x: %u64 = bit_count %a", "32 bits"),
        ("%x: %u32 = group_i_add %two, 0, %two", "group_i_add"),
        ("%x: %f32 = ext_inst %opencl, 14, %half", "OpenCL.std"),
        ("%x: %u32 = function_call %imported", "no body"),
        ("%q: %local_f32 = bitcast %shared", "bitcast"),
    ];
    for (line, word) in rows {
        let module = shader(
            "%half: %f32 = constant 1056964608
             %shared: %local_u32 = variable Workgroup
             %opencl = ext_inst_import \"OpenCL.std\"
             %other = type_function %u32
             func %imported: %u32 () type %other control 0 stage graph",
            line,
        );
        let error = refused(environment, &module, &mut Context::default());
        assert!(error.is(KernelCode::Unsupported));
        assert!(error.message.contains(word), "{line}: {error}");
    }
}
