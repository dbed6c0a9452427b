//! Kernels with parameters become shaders that read their arguments.

use crate::kernel_support::{Pass, apply, check_judged, kernel, lines, occurrences, refused, run, with_offset};
use reconverge_ir::Module;
use reconverge_opencl::{
    AddressSpace, ArgumentKind, Arguments, Context, KernelCode, KernelOptions, LocalSize, arguments, builtins,
    environment, memory_model,
};

/// A kernel that stores a word of each of its values through an address that is an argument.
fn storing(types: &str, parameters: &[(&str, &str)], modes: &str) -> Module {
    let list: Vec<String> = parameters.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect();
    let signature: Vec<&str> = parameters.iter().map(|&(_, ty)| ty).collect();
    let stores: Vec<String> =
        parameters.iter().map(|&(name, ty)| format!("{}store %p, %w_{name}, 2, 4", word_of(name, ty))).collect();
    kernel(&format!(
        "{types}
         entry_point Kernel, %k, \"k\"
         {modes}
         %fn = type_function %void, {}
         func %k: %void ({}) type %fn control 0 stage graph {{
         block ^entry:
           %p: %buffer_u32 = convert_u_to_ptr %address
           {}
           return
         }}",
        signature.join(", "),
        list.join(", "),
        stores.join("\n")
    ))
}

/// The lines that make a word of a value.
fn word_of(name: &str, ty: &str) -> String {
    match ty {
        "%u32" => format!("%w_{name}: %u32 = copy_object %{name}\n"),
        "%f16" => format!("%x_{name}: %u16 = bitcast %{name}\n%w_{name}: %u32 = u_convert %x_{name}\n"),
        ty if ty.starts_with("%v") => {
            format!("%x_{name}: %f32 = composite_extract %{name}, 1\n%w_{name}: %u32 = bitcast %x_{name}\n")
        }
        _ => format!("%w_{name}: %u32 = u_convert %{name}\n"),
    }
}

/// Lowers what [`storing`] makes to the end, and lets the judge look.
fn finished(mut module: Module, context: &mut Context) -> Module {
    run(arguments, &mut module, context);
    let lowered = module.clone();
    for pass in [builtins as Pass, memory_model, environment] {
        apply(pass, &mut module, context);
    }
    check_judged(&module);
    lowered
}

#[test]
fn scalars_lie_as_in_a_struct_and_narrow_ones_share_a_word() {
    let module = storing(
        "",
        &[("address", "%u64"), ("a", "%u8"), ("b", "%u16"), ("c", "%u32"), ("d", "%u64"), ("e", "%f16")],
        "",
    );
    let mut context = Context::default();
    let lowered = finished(module, &mut context);
    let kernel = &context.reflection.kernels[0];
    let places: Vec<(u32, u32)> = kernel
        .arguments
        .iter()
        .map(|argument| match argument.kind {
            ArgumentKind::Value { offset, size, .. } => (offset, size),
            kind => panic!("{kind:?}"),
        })
        .collect();
    assert_eq!(places, [(0, 8), (8, 1), (10, 2), (12, 4), (16, 8), (24, 2)]);
    assert_eq!(kernel.push_constant_size, 28);
    assert_eq!(kernel.arguments_in, Arguments::PushConstants);
    assert_eq!(kernel.arguments[1].name.as_deref(), Some("a"));
    // Address, the word of a and b, c, d, the word of e: five members, each loaded once.
    assert_eq!(occurrences(&lowered, " Offset "), 5);
    assert_eq!(occurrences(&lowered, "= load "), 5);
    assert!(lines(&lowered, &["entry_point GLCompute", "\"k\""]).len() == 1);
}

#[test]
fn vectors_of_three_take_the_place_of_four_and_wide_ones_come_in_fours() {
    let module = storing("", &[("address", "%u64"), ("a", "%v3f32"), ("b", "%u32"), ("c", "%v8f32")], "");
    let mut context = Context::default();
    let lowered = {
        let mut module = module;
        run(arguments, &mut module, &mut context);
        module
    };
    let offsets: Vec<u32> = context.reflection.kernels[0]
        .arguments
        .iter()
        .map(|argument| match argument.kind {
            ArgumentKind::Value { offset, .. } => offset,
            kind => panic!("{kind:?}"),
        })
        .collect();
    assert_eq!(offsets, [0, 16, 32, 64]);
    assert_eq!(context.reflection.kernels[0].push_constant_size, 96);
    assert_eq!(occurrences(&lowered, "%v8f32 = composite_construct"), 1);
    assert!(lines(&lowered, &["%v3f32 = load"]).len() == 1 && lines(&lowered, &["%v4f32 = load"]).len() == 2);
}

#[test]
fn pointers_are_addresses_of_the_parameters_own_type() {
    let mut module = kernel(
        "entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %global_u32, %constant_u32
         func %k: %void (%a: %global_u32, %b: %constant_u32) type %fn control 0 stage graph {
         block ^entry:
           %x: %u32 = load %b, 2, 4
           store %a, %x, 2, 4
           return
         }",
    );
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    let kinds: Vec<ArgumentKind> =
        context.reflection.kernels[0].arguments.iter().map(|argument| argument.kind).collect();
    assert_eq!(
        kinds,
        [
            ArgumentKind::Pointer { address_space: AddressSpace::Global, offset: 0 },
            ArgumentKind::Pointer { address_space: AddressSpace::Constant, offset: 8 },
        ]
    );
    assert_eq!(lines(&module, &["%global_u32 = convert_u_to_ptr"]).len(), 1);
    assert_eq!(lines(&module, &["%constant_u32 = convert_u_to_ptr"]).len(), 1);
}

#[test]
fn local_memory_gets_its_size_from_a_specialization_constant() {
    let mut module = kernel(
        "entry_point Kernel, %k, \"k\"
         entry_point Kernel, %l, \"l\"
         %seven: %u32 = spec_constant 7 {decorate SpecId 4}
         %fn = type_function %void, %local_f32, %local_u32
         func %k: %void (%a: %local_f32, %b: %local_u32) type %fn control 0 stage graph {
         block ^entry:
           store %b, %seven, 2, 4
           return
         }
         func %l: %void (%a: %local_f32, %b: %local_u32) type %fn control 0 stage graph {
         block ^entry:
           store %b, %seven, 2, 4
           return
         }",
    );
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    let ids = |kernel: usize| -> Vec<u32> {
        let arguments = context.reflection.kernels[kernel].arguments.iter();
        arguments
            .map(|argument| match argument.kind {
                ArgumentKind::Local { spec_id, alignment: 4 } => spec_id,
                kind => panic!("{kind:?}"),
            })
            .collect()
    };
    assert_eq!((ids(0), ids(1)), (vec![3, 5], vec![6, 7]), "the module's own id 4 is left alone");
    assert_eq!(context.reflection.kernels[0].push_constant_size, 0);
    assert_eq!(occurrences(&module, "variable Workgroup"), 4);
    assert_eq!(lines(&module, &["spec_constant 4"]).len(), 4, "the default is the size of the pointee");
    assert_eq!(lines(&module, &["%local_u32 = bitcast"]).len(), 2);
    let all: Vec<u32> = context.reflection.kernels[0].spec_ids().collect();
    assert_eq!(all, [0, 1, 2, 3, 5]);
}

#[test]
fn work_groups_are_as_required_or_specialized() {
    let required = "execution_mode %k, LocalSize, 8, 4, 2";
    let mut context = Context::default();
    let lowered = finished(storing("", &[("address", "%u64")], required), &mut context);
    assert_eq!(context.reflection.kernels[0].local_size, LocalSize::Fixed([8, 4, 2]));
    assert_eq!(occurrences(&lowered, "spec_constant"), 0);

    let mut context = Context::default();
    let lowered = finished(storing("", &[("address", "%u64")], ""), &mut context);
    assert_eq!(context.reflection.kernels[0].local_size, LocalSize::Specialized([0, 1, 2]));
    assert_eq!(lines(&lowered, &["execution_mode", "LocalSize", "1, 1, 1"]).len(), 1);
    assert_eq!(lines(&lowered, &["spec_constant_composite", "BuiltIn 25"]).len(), 1);

    let by_ids = "execution_mode_id %k, LocalSizeId, %four, %two, %one";
    let mut context = Context::default();
    let lowered = finished(storing("", &[("address", "%u64")], by_ids), &mut context);
    assert_eq!(context.reflection.kernels[0].local_size, LocalSize::Fixed([4, 2, 1]));
    assert_eq!(occurrences(&lowered, "LocalSizeId"), 0);
}

#[test]
fn one_kernel_without_a_size_makes_all_sizes_specialized() {
    let mut module = kernel(
        "entry_point Kernel, %k, \"k\"
         entry_point Kernel, %l, \"l\"
         execution_mode %k, LocalSize, 8, 1, 1
         execution_mode %k, SubgroupSize, 16
         %fn = type_function %void
         func %k: %void () type %fn control 0 stage graph {
         block ^entry:
           return
         }
         func %l: %void () type %fn control 0 stage graph {
         block ^entry:
           return
         }",
    );
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    let [k, l] = &context.reflection.kernels[..] else { panic!("two kernels") };
    assert_eq!((k.local_size, k.required_local_size), (LocalSize::Specialized([0, 1, 2]), Some([8, 1, 1])));
    assert_eq!((l.local_size, l.required_local_size), (LocalSize::Specialized([0, 1, 2]), None));
    assert_eq!((k.subgroup_size, l.subgroup_size), (Some(16), None));
}

const STRUCT: &str = "\
%pair = type_array %u16, %two
%inner = type_struct %u8, %pair
%struct = type_struct %u32, %inner, %f64, %v4u8
%copied = type_pointer Function, %struct
%packed = type_struct %u8, %u32, %f64 {decorate CPacked}
%packed_copy = type_pointer Function, %packed
%function_u32 = type_pointer Function, %u32
";

#[test]
fn structs_by_value_are_copied_scalar_by_scalar() {
    let module = kernel(&format!(
        "{STRUCT}
         entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %u64, %copied, %packed_copy
         func %k: %void (%address: %u64, %s: %copied {{decorate FuncParamAttr 2}}, %t: %packed_copy) type %fn control 0 stage graph {{
         block ^entry:
           %p: %buffer_u32 = convert_u_to_ptr %address
           %place: %function_u32 = in_bounds_access_chain %s, %zero
           %x: %u32 = load %place
           store %p, %x, 2, 4
           %other: %function_u32 = in_bounds_access_chain %t, %one
           %y: %u32 = load %other
           store %p, %y, 2, 4
           return
         }}"
    ));
    let mut context = Context::default();
    let lowered = finished(module, &mut context);
    assert_eq!(
        context.reflection.kernels[0].arguments[1].kind,
        ArgumentKind::Value { offset: 8, size: 32, alignment: 8 }
    );
    assert_eq!(
        context.reflection.kernels[0].arguments[2].kind,
        ArgumentKind::Value { offset: 40, size: 13, alignment: 1 }
    );
    // u32, u8, two u16, f64, v4u8 of the one; u8, u32, f64 of the other; and the two of the kernel.
    assert_eq!(lines(&lowered, &["store "]).len(), 6 + 3 + 2);
    assert_eq!(lines(&lowered, &["variable Function"]).len(), 2);
}

#[test]
fn an_argument_that_nobody_uses_keeps_its_place_and_is_not_read() {
    let mut module = kernel(
        "entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %u64, %v4f32
         func %k: %void (%a: %u64, %b: %v4f32) type %fn control 0 stage graph {
         block ^entry:
           return
         }",
    );
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    assert_eq!(context.reflection.kernels[0].push_constant_size, 32);
    assert_eq!(occurrences(&module, "= load"), 0);
}

#[test]
fn what_does_not_fit_comes_in_a_buffer() {
    let many: Vec<(String, &str)> = (0..9).map(|number| (format!("v{number}"), "%v4f32")).collect();
    let mut parameters = vec![("address", "%u64"), ("n", "%u8")];
    parameters.extend(many.iter().map(|(name, ty)| (name.as_str(), *ty)));
    let mut context = with_offset();
    let lowered = finished(storing("", &parameters, ""), &mut context);
    let kernel = &context.reflection.kernels[0];
    assert_eq!(kernel.arguments_in, Arguments::Buffer { address_offset: 0, size: 160 });
    assert_eq!((kernel.push_constant_size, kernel.global_offset), (32, Some(8)));
    assert_eq!(kernel.arguments[2].kind, ArgumentKind::Value { offset: 16, size: 16, alignment: 16 });
    assert_eq!(lines(&lowered, &["%v4f32 = load", "2, 16"]).len(), 9);
    assert_eq!(occurrences(&lowered, "PhysicalStorageBuffer, %u8"), 0, "a byte is read as part of a word");
}

#[test]
fn the_limit_counts_what_comes_behind_the_arguments() {
    let fifteen: Vec<(String, &str)> = (0..14).map(|number| (format!("v{number}"), "%u64")).collect();
    let mut parameters = vec![("address", "%u64")];
    parameters.extend(fifteen.iter().map(|(name, ty)| (name.as_str(), *ty)));
    let place = |types: &str, mut context: Context| {
        let mut module = storing(types, &parameters, "");
        arguments(&mut module, &mut context).unwrap();
        context.reflection.kernels[0].arguments_in
    };
    assert_eq!(place("", Context::default()), Arguments::PushConstants);
    assert!(matches!(place("", with_offset()), Arguments::Buffer { size: 120, .. }));
    let table = "%table: %constant_u32 = variable UniformConstant";
    assert_eq!(place(table, Context::default()), Arguments::PushConstants, "120 and 8 are 128");
    let small = Context::new(KernelOptions::new().push_constant_limit(124));
    assert!(matches!(place(table, small.clone()), Arguments::Buffer { .. }));
    assert_eq!(place("", small), Arguments::PushConstants);
}

#[test]
fn what_has_no_layout_is_refused_by_name() {
    let image = kernel(
        "%image = type_image %void, 1, 0, 0, 0, 0, 0, 0
         entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %image
         func %k: %void (%a: %image) type %fn control 0 stage graph {
         block ^entry:
           return
         }",
    );
    let error = refused(arguments, &image, &mut Context::default());
    assert!(error.is(KernelCode::Unsupported));
    assert!(error.message.contains("type_image"), "{error}");
    let called = kernel(
        "entry_point Kernel, %k, \"k\"
         %fn = type_function %void
         func %k: %void () type %fn control 0 stage graph {
         block ^entry:
           return
         }
         func %l: %void () type %fn control 0 stage graph {
         block ^entry:
           %r: %void = function_call %k
           return
         }",
    );
    let error = refused(arguments, &called, &mut Context::default());
    assert!(error.message.contains("call of the kernel k"), "{error}");
}

#[test]
fn two_names_of_one_function_share_their_push_constants() {
    let mut module = kernel(
        "entry_point Kernel, %k, \"one\"
         entry_point Kernel, %k, \"two\"
         %fn = type_function %void, %global_u32
         func %k: %void (%a: %global_u32) type %fn control 0 stage graph {
         block ^entry:
           store %a, %one, 2, 4
           return
         }",
    );
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    let names: Vec<&str> = context.reflection.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(context.reflection.kernels[0].arguments, context.reflection.kernels[1].arguments);
    assert_eq!(occurrences(&module, "variable PushConstant"), 1);
}
