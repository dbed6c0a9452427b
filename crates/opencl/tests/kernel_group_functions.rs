//! Operations of a group as Vulkan has them.

use crate::kernel_support::{apply, check_judged, kernel, lines, occurrences, refused, run};
use reconverge_ir::{Module, text};
use reconverge_opencl::{Context, arguments, builtins, environment, group_functions, memory_model};

/// A kernel that stores the word `%r`, which these lines compute from `%n` and `%c`.
fn module(types: &str, body: &str, modes: &str) -> Module {
    kernel(&format!(
        "{types}
         entry_point Kernel, %k, \"k\"
         {modes}
         %fn = type_function %void, %u64, %u32, %u32, %f32
         func %k: %void (%address: %u64, %n: %u32, %m: %u32, %f: %f32) type %fn control 0 stage graph {{
         block ^entry:
           %c: %bool = u_less_than %n, %two
           {body}
           %p: %buffer_u32 = convert_u_to_ptr %address
           store %p, %r, 2, 4
           return
         }}"
    ))
}

/// The module after the pass; the judge accepts what comes of it.
fn lowered(mut module: Module) -> (Module, Context) {
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    apply(builtins, &mut module, &mut context);
    run(group_functions, &mut module, &mut context);
    let (lowered, mut own) = (module.clone(), context.clone());
    apply(memory_model, &mut module, &mut own);
    apply(environment, &mut module, &mut own);
    check_judged(&module);
    (lowered, own)
}

/// Lines that make a word `%r` of a group operation on a type.
fn combined(op: &str, ty: &str, scope: &str, operation: u32) -> (String, String) {
    let (value, result) = match ty {
        "%u8" | "%u16" | "%u64" => (format!("%v: {ty} = u_convert %n"), "%r: %u32 = u_convert %g".to_owned()),
        "%f16" => ("%v: %f16 = f_convert %f".to_owned(), "%w: %f32 = f_convert %g\n%r: %u32 = bitcast %w".to_owned()),
        "%f32" => ("%v: %f32 = copy_object %f".to_owned(), "%r: %u32 = bitcast %g".to_owned()),
        "%f64" => ("%v: %f64 = f_convert %f".to_owned(), "%r: %u32 = convert_f_to_u %g".to_owned()),
        _ => ("%v: %u32 = copy_object %n".to_owned(), "%r: %u32 = copy_object %g".to_owned()),
    };
    (value, format!("%g: {ty} = {op} {scope}, {operation}, %v\n{result}"))
}

#[test]
fn every_reduction_of_every_type_is_accepted() {
    let integers = ["group_i_add", "group_u_min", "group_s_min", "group_u_max", "group_s_max"];
    let floats = ["group_f_add", "group_f_min", "group_f_max"];
    for scope in ["%two", "%three"] {
        for operation in 0..3 {
            let integer = integers.iter().flat_map(|op| ["%u8", "%u16", "%u32", "%u64"].map(|ty| (*op, ty)));
            let float = floats.iter().flat_map(|op| ["%f16", "%f32", "%f64"].map(|ty| (*op, ty)));
            // One module for all: what is judged is many functions at once.
            let mut body = String::new();
            for (number, (op, ty)) in integer.chain(float).enumerate() {
                let (value, result) = combined(op, ty, scope, operation);
                let lines = format!("{value}\n{result}\n");
                let renamed =
                    lines.replace("%v", "%v_").replace("%g:", "%g_:").replace(" %g", " %g_").replace("%w", "%w_");
                let renamed = renamed.replace("%r:", "%r_:").replace("%v_", &format!("%v_{number}"));
                let renamed = renamed.replace("%g_", &format!("%g_{number}")).replace("%w_", &format!("%w_{number}"));
                body.push_str(&renamed.replace("%r_", &format!("%r_{number}")));
            }
            let (after, context) = lowered(module("", &format!("{body}\n%r: %u32 = copy_object %n"), ""));
            for op in integers.iter().chain(&floats) {
                assert_eq!(occurrences(&after, &format!("= {op} ")), 0);
            }
            let extended = context.reflection.features.contains(&"shaderSubgroupExtendedTypes");
            assert_eq!(extended, scope == "%three", "only for 64 bits in subgroups");
        }
    }
}

#[test]
fn narrow_numbers_go_as_words() {
    let (value, result) = combined("group_s_max", "%u8", "%three", 2);
    let (after, context) = lowered(module("", &format!("{value}\n{result}"), ""));
    assert_eq!(lines(&after, &["%u32 = group_non_uniform_s_max"]).len(), 1);
    assert_eq!(lines(&after, &["%u32 = s_convert"]).len(), 2, "the value, and the identity of bytes");
    assert!(!context.reflection.features.contains(&"shaderSubgroupExtendedTypes"));
    assert_eq!(context.reflection.subgroup_operations, ["arithmetic", "basic"]);
    let (value, result) = combined("group_i_add", "%u16", "%two", 0);
    let (after, _) = lowered(module("", &format!("{value}\n{result}"), ""));
    assert_eq!(lines(&after, &["%u32 = function_call"]).len(), 1);
}

#[test]
fn a_function_serves_all_calls_of_its_operation_and_type() {
    let (after, _) = lowered(module(
        "",
        "%a: %u32 = group_i_add %two, 0, %n
         %b: %u32 = group_i_add %two, 0, %m
         %d: %u32 = group_i_add %two, 1, %m
         %e: %f32 = group_f_add %two, 0, %f
         %r: %u32 = i_add %a, %b",
        "execution_mode %k, LocalSize, 8, 4, 1",
    ));
    assert_eq!(occurrences(&after, "func "), 1 + 3);
    assert_eq!(occurrences(&after, "= function_call"), 4);
    assert_eq!(lines(&after, &["variable Workgroup"]).len(), 2, "one array a type");
    assert_eq!(lines(&after, &["%u32 = constant 32"]).len(), 1, "as long as the work-group");
}

#[test]
fn arrays_are_as_long_as_specialized_work_groups() {
    let (after, _) = lowered(module("", "%r: %u32 = group_u_max %two, 0, %n", ""));
    assert_eq!(lines(&after, &["spec_constant_op 132"]).len(), 2);
}

#[test]
fn votes_and_broadcasts() {
    for scope in ["%two", "%three"] {
        let (after, _) = lowered(module(
            "",
            &format!(
                "%a: %bool = group_all {scope}, %c
                 %b: %bool = group_any {scope}, %a
                 %r0: %u32 = group_broadcast {scope}, %n, %m
                 %r1: %u32 = group_broadcast {scope}, %r0, %one
                 %v: %v4f32 = composite_construct %f, %f, %f, %f
                 %w: %v4f32 = group_broadcast {scope}, %v, %one
                 %x: %u16 = u_convert %n
                 %y: %u16 = group_broadcast {scope}, %x, %one
                 %r: %u32 = select %b, %r0, %r1"
            ),
            "",
        ));
        match scope {
            "%two" => {
                assert_eq!(occurrences(&after, "= function_call"), 6);
                assert_eq!(occurrences(&after, "func "), 1 + 4, "and, or, broadcasts of two types");
            }
            _ => {
                assert_eq!(occurrences(&after, "= group_non_uniform_shuffle"), 1, "a lane that is no constant");
                assert_eq!(occurrences(&after, "= group_non_uniform_broadcast "), 3);
            }
        }
    }
}

#[test]
fn a_lane_of_a_broadcast_is_numbered_in_all_dimensions() {
    let (after, _) = lowered(module(
        "",
        "%a: %u64 = u_convert %m
         %lane: %v3u64 = composite_construct %a, %a, %a
         %r: %u32 = group_broadcast %two, %n, %lane",
        "execution_mode %k, LocalSize, 8, 4, 2",
    ));
    assert_eq!(lines(&after, &["i_mul"]).len(), 2);
    assert_eq!(lines(&after, &["i_mul", "%four"]).len(), 1, "z times the size of y");
    assert_eq!(lines(&after, &["function_call"]).len(), 1);
}

#[test]
fn operations_that_shaders_have_are_adapted() {
    let (after, context) = lowered(module(
        "%eight: %u32 = constant 8",
        "%s: %u16 = u_convert %n
         %a: %u16 = group_non_uniform_shuffle_xor %three, %s, %one
         %b: %u32 = group_non_uniform_broadcast %three, %n, %m
         %d: %u32 = group_non_uniform_rotate_khr %three, %b, %m
         %e: %u32 = group_non_uniform_rotate_khr %three, %d, %m, %four
         %g: %v4u32 = group_non_uniform_ballot %three, %c
         %h: %u32 = group_non_uniform_i_add %three, 3, %e, %four
         %x: %u32 = composite_extract %g, 0
         %r: %u32 = i_add %x, %h",
        "",
    ));
    assert_eq!(lines(&after, &["%u32 = group_non_uniform_shuffle_xor"]).len(), 1);
    assert_eq!(occurrences(&after, "= group_non_uniform_shuffle "), 3);
    assert_eq!(occurrences(&after, "rotate"), 0);
    assert!(!context.reflection.features.contains(&"shaderSubgroupExtendedTypes"));
    assert_eq!(context.reflection.subgroup_operations, ["ballot", "basic", "clustered", "shuffle"]);
}

#[test]
fn other_groups_are_refused() {
    for line in ["%r: %u32 = group_i_add %one, 0, %n", "%r: %u32 = group_i_add %m, 0, %n"] {
        let error = refused(group_functions, &module("", line, ""), &mut Context::default());
        assert!(error.message.contains("group_i_add"), "{error}");
    }
    let line = "%r: %u32 = group_non_uniform_i_add %two, 0, %n";
    assert!(refused(group_functions, &module("", line, ""), &mut Context::default()).message.contains("non_uniform"));
}

/// A kernel that copies between an argument and shared memory.
fn copying(element: &str, direction: &str) -> Module {
    let operands = if direction == "in" { "%l, %g" } else { "%g, %l" };
    kernel(&format!(
        "%event = type_event
         %null: %event = constant_null
         %events = type_array %event, %two
         %event_pointer = type_pointer Function, %events
         %one_event = type_pointer Function, %event
         %generic_event = type_pointer Generic, %event
         %global_element = type_pointer CrossWorkgroup, {element}
         %local_element = type_pointer Workgroup, {element}
         entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %global_element, %local_element, %u64
         func %k: %void (%g: %global_element, %l: %local_element, %n: %u64) type %fn control 0 stage graph {{
         block ^entry:
           %held: %event_pointer = variable Function
           %first: %one_event = in_bounds_access_chain %held, %zero
           lifetime_start %first, 16
           %e: %event = group_async_copy %two, {operands}, %n, %one64, %null
           store %first, %e, 2, 8
           %again: %event = load %first, 2, 8
           %f: %event = group_async_copy %two, {operands}, %n, %n, %again
           %generic: %generic_event = ptr_cast_to_generic %first
           group_wait_events %two, %one, %generic
           lifetime_stop %first, 16
           return
         }}"
    ))
}

#[test]
fn copies_are_loops_and_events_are_gone() {
    for direction in ["in", "out"] {
        let mut module = copying("%f32", direction);
        let mut context = Context::default();
        run(arguments, &mut module, &mut context);
        run(group_functions, &mut module, &mut context);
        for gone in ["variable Function", "group_", "lifetime", "ptr_cast", "type_event\n%x"] {
            assert_eq!(occurrences(&module, gone), 0, "{gone}\n{}", text::print(&module));
        }
        assert_eq!(lines(&module, &["branch_if"]).len(), 2);
        assert_eq!(lines(&module, &["control_barrier %two, %two"]).len(), 1);
        assert_eq!(lines(&module, &["= ptr_access_chain %"]).len(), 4);
        assert_eq!(lines(&module, &["%f32 = load"]).len(), 2);
        let strided = lines(&module, &["%global_element = ptr_access_chain"]);
        let products = lines(&module, &["%u64 = i_mul"]);
        for (place, product) in strided.iter().zip(&products) {
            let product = product.split(':').next().unwrap();
            assert!(place.ends_with(product), "the stride is global memory's: {place}, {product}");
        }
    }
}

#[test]
fn wide_vectors_are_copied_in_fours() {
    let mut module = copying("%v8f32", "in");
    let mut context = Context::default();
    run(arguments, &mut module, &mut context);
    run(group_functions, &mut module, &mut context);
    assert_eq!(lines(&module, &["%v4f32 = load"]).len(), 4);
    assert_eq!(lines(&module, &["%v8f32 = load"]).len(), 0);
}
