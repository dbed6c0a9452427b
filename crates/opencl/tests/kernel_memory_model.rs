//! Barriers, atomics and accesses in the words of the Vulkan memory model.

use crate::kernel_support::{apply, check_judged, kernel, lines, occurrences, refused, run};
use reconverge_ir::{Inst, Module, Op};
use reconverge_opencl::{Context, arguments, atomics, environment, memory_model};

const ACQUIRE: u32 = 0x2;
const RELEASE: u32 = 0x4;
const ACQ_REL: u32 = 0x8;
const SEQ_CST: u32 = 0x10;
const UNIFORM: u32 = 0x40;
const LOCAL: u32 = 0x100;
const GLOBAL: u32 = 0x200;
const AVAILABLE: u32 = 0x2000;
const VISIBLE: u32 = 0x4000;
const DEVICE: u32 = 1;
const WORKGROUP: u32 = 2;
const INVOCATION: u32 = 4;

/// A kernel of these lines; `constants` are words by name.
fn module(constants: &[(&str, u32)], lines: &str) -> Module {
    let constants: String = constants.iter().map(|(name, word)| format!("%{name}: %u32 = constant {word}\n")).collect();
    kernel(&format!(
        "{constants}
         %shared_pointer = type_pointer Workgroup, %u32
         %shared: %shared_pointer = variable Workgroup
         entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %u64, %u32
         func %k: %void (%address: %u64, %n: %u32) type %fn control 0 stage graph {{
         block ^entry:
           %p: %buffer_u32 = convert_u_to_ptr %address
           {lines}
           return
         }}"
    ))
}

/// The module after the pass; the judge accepts what comes of it.
fn lowered(mut module: Module) -> Module {
    run(memory_model, &mut module, &mut Context::default());
    let lowered = module.clone();
    let mut context = Context::default();
    apply(arguments, &mut module, &mut context);
    run(environment, &mut module, &mut context);
    check_judged(&module);
    lowered
}

/// The constants that are operands of the only instruction of an op.
fn words(module: &Module, op: Op) -> Vec<Option<u32>> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let mut found = blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == op);
    let inst: Inst = found.next().expect("there is such an instruction");
    assert!(found.next().is_none());
    module.operands(inst).map(|operand| module.literal_word(operand)).collect()
}

#[test]
fn a_barrier_orders_what_it_names() {
    let rows = [
        (WORKGROUP, SEQ_CST | LOCAL, WORKGROUP, ACQ_REL | LOCAL | AVAILABLE | VISIBLE),
        (WORKGROUP, SEQ_CST | GLOBAL, WORKGROUP, ACQ_REL | UNIFORM | AVAILABLE | VISIBLE),
        (DEVICE, ACQ_REL | GLOBAL | LOCAL, DEVICE, ACQ_REL | UNIFORM | LOCAL | AVAILABLE | VISIBLE),
        (0, SEQ_CST, DEVICE, ACQ_REL | UNIFORM | LOCAL | AVAILABLE | VISIBLE),
        (WORKGROUP, LOCAL, WORKGROUP, ACQ_REL | LOCAL | AVAILABLE | VISIBLE),
        (INVOCATION, SEQ_CST | LOCAL, INVOCATION, 0),
    ];
    for (scope, semantics, expected_scope, expected) in rows {
        let before = module(
            &[("execution", WORKGROUP), ("memory", scope), ("semantics", semantics)],
            "control_barrier %execution, %memory, %semantics",
        );
        let after = lowered(before);
        assert_eq!(words(&after, Op::ControlBarrier), [Some(WORKGROUP), Some(expected_scope), Some(expected)]);
    }
}

#[test]
fn a_barrier_of_the_device_is_refused() {
    let before = module(&[("scope", DEVICE)], "control_barrier %scope, %scope, %zero");
    assert!(refused(memory_model, &before, &mut Context::default()).message.contains("scope"));
    let before = module(&[], "control_barrier %n, %two, %zero");
    assert!(refused(memory_model, &before, &mut Context::default()).message.contains("scope"));
}

#[test]
fn a_fence_that_orders_nothing_goes() {
    for (scope, semantics) in [(WORKGROUP, LOCAL), (DEVICE, 0), (INVOCATION, SEQ_CST | LOCAL)] {
        let before = module(&[("scope", scope), ("semantics", semantics)], "memory_barrier %scope, %semantics");
        assert_eq!(occurrences(&lowered(before), "memory_barrier"), 0);
    }
    let rows = [
        (RELEASE | GLOBAL, RELEASE | UNIFORM | AVAILABLE),
        (ACQUIRE | LOCAL, ACQUIRE | LOCAL | VISIBLE),
        (SEQ_CST, ACQ_REL | UNIFORM | LOCAL | AVAILABLE | VISIBLE),
    ];
    for (semantics, expected) in rows {
        let before = module(&[("scope", DEVICE), ("semantics", semantics)], "memory_barrier %scope, %semantics");
        assert_eq!(words(&lowered(before), Op::MemoryBarrier), [Some(DEVICE), Some(expected)]);
    }
}

#[test]
fn loads_acquire_and_stores_release() {
    let semantics = [("scope", DEVICE), ("semantics", SEQ_CST | GLOBAL)];
    let load = lowered(module(&semantics, "%x: %u32 = atomic_load %p, %scope, %semantics"));
    assert_eq!(words(&load, Op::AtomicLoad)[1..], [Some(DEVICE), Some(ACQUIRE | UNIFORM | VISIBLE)]);
    let store = lowered(module(&semantics, "atomic_store %p, %scope, %semantics, %n"));
    assert_eq!(words(&store, Op::AtomicStore)[1..3], [Some(DEVICE), Some(RELEASE | UNIFORM | AVAILABLE)]);
    let relaxed = [("scope", 0), ("semantics", GLOBAL)];
    let add = lowered(module(&relaxed, "%x: %u32 = atomic_i_add %shared, %scope, %semantics, %n"));
    assert_eq!(words(&add, Op::AtomicIAdd)[1..3], [Some(DEVICE), Some(0)]);
}

#[test]
fn an_exchange_that_fails_is_a_load() {
    let rows = [
        (SEQ_CST, SEQ_CST, ACQ_REL | UNIFORM | LOCAL | AVAILABLE | VISIBLE, ACQUIRE | UNIFORM | LOCAL | VISIBLE),
        (RELEASE | GLOBAL, ACQUIRE, RELEASE | UNIFORM | AVAILABLE, 0),
    ];
    for (equal, unequal, expected, expected_unequal) in rows {
        let before = module(
            &[("scope", DEVICE), ("equal", equal), ("unequal", unequal)],
            "%x: %u32 = atomic_compare_exchange %p, %scope, %equal, %unequal, %n, %zero",
        );
        let after = lowered(before);
        assert_eq!(words(&after, Op::AtomicCompareExchange)[2..4], [Some(expected), Some(expected_unequal)]);
    }
}

#[test]
fn what_is_no_constant_is_the_strongest() {
    let before = module(&[], "%x: %u32 = atomic_i_add %p, %n, %n, %n");
    let after = lowered(before);
    let expected = ACQ_REL | UNIFORM | LOCAL | AVAILABLE | VISIBLE;
    assert_eq!(words(&after, Op::AtomicIAdd)[1..3], [Some(DEVICE), Some(expected)]);
}

#[test]
fn shared_accesses_are_not_private() {
    let after = lowered(module(
        &[],
        "%x: %u32 = load %p, 2, 4
         %y: %u32 = load %shared
         store %p, %y, 3, 4
         store %shared, %x, 2, 4",
    ));
    assert_eq!(lines(&after, &["load %p, 34, 4"]).len(), 1);
    assert_eq!(lines(&after, &["load %shared, 32"]).len(), 1);
    assert_eq!(lines(&after, &["store %p, %y, 35, 4"]).len(), 1, "volatile stays");
    assert_eq!(lines(&after, &["store %shared, %x, 34, 4"]).len(), 1);
}

#[test]
fn flags_and_floats_and_weak_exchanges_become_words() {
    let mut before = kernel(
        "%shared: %local_f32 = variable Workgroup
         %flag: %local_u32 = variable Workgroup
         entry_point Kernel, %k, \"k\"
         %fn = type_function %void, %global_f32, %f32
         func %k: %void (%p: %global_f32, %v: %f32) type %fn control 0 stage graph {
         block ^entry:
           %a: %f32 = atomic_load %p, %one, %zero
           atomic_store %shared, %one, %zero, %a
           %b: %f32 = atomic_exchange %shared, %one, %zero, %v
           %d: %f32 = atomic_f_add_ext %p, %one, %zero, %b
           %e: %bool = atomic_flag_test_and_set %flag, %two, %zero
           atomic_flag_clear %flag, %two, %zero
           %f: %u32 = atomic_compare_exchange_weak %flag, %two, %zero, %zero, %one, %two
           branch_if %e ^x ^y
         block ^x:
           return
         block ^y:
           return
         }",
    );
    run(atomics, &mut before, &mut Context::default());
    let u32_ops = ["load", "exchange", "compare_exchange"];
    for (op, count) in u32_ops.into_iter().zip([1, 2, 1]) {
        assert_eq!(lines(&before, &[&format!("%u32 = atomic_{op} ")]).len(), count, "{op}");
    }
    assert_eq!(lines(&before, &["%f32 = atomic_"]).len(), 1, "addition stays");
    assert_eq!(lines(&before, &["%f32 = bitcast"]).len(), 2);
    assert_eq!(occurrences(&before, "= bitcast"), 2 + 3 + 2, "results, pointers and values");
    assert_eq!(lines(&before, &["i_not_equal"]).len(), 1);
    assert_eq!(occurrences(&before, "atomic_flag"), 0);
    assert_eq!(lines(&before, &["atomic_store %flag", "%zero, %zero"]).len(), 1);
}
