//! What is the same in every run becomes a constant, and what no run reaches goes.

use crate::scalar_support::{hold_on_graphs, hold_on_structured};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::{ConstantPropagation, dce, sccp};
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module};

fn propagated(source: &str) -> (Module, ConstantPropagation) {
    let before = module(source);
    hold_verified(&before);
    let mut after = before.clone();
    let function = functions(&before)[0];
    let report = sccp(&mut after, function);
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0);
    assert!(!sccp(&mut after.clone(), function).is_changed(), "{}", text::print(&after));
    (after, report)
}

/// What a function returns, as text, if it has one return.
fn returned(module: &Module) -> u32 {
    let blocks = functions(module).into_iter().flat_map(|function| module.blocks(function));
    let mut ends = blocks.filter_map(|block| module.terminator(block));
    let end = ends.find(|&end| module.op(end) == Op::ReturnValue).expect("a return");
    module.literal_word(module.operand(end, 0)).expect("a constant")
}

/// The example of Wegman and Zadeck: the branch is decided by what only holds because the branch is decided so.
#[test]
fn a_cycle_of_reasons_is_seen_through() {
    let (after, report) = propagated(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^h(%one, %zero)
         block ^h(%x: %u32, %i: %u32):
           %c: %bool = i_equal %x, %one
           branch_if %c ^a ^b
         block ^a:
           branch ^next(%x)
         block ^b:
           %y: %u32 = i_add %x, %one
           branch ^next(%y)
         block ^next(%z: %u32):
           %j: %u32 = i_add %i, %one
           %more: %bool = u_less_than %j, %n
           branch_if %more ^again ^done
         edge ^again:
           branch ^h(%z, %j)
         block ^done:
           return_value %x
         }",
    );
    assert_eq!((returned(&after), report.branches, report.blocks), (1, 1, 1));
    assert_eq!(count(&after, Op::IAdd), 1);
}

#[test]
fn a_switch_goes_one_way() {
    let (after, report) = propagated(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           %s: %u32 = i_add %one, %one
           switch %s default ^d [1 ^a] [2 ^b]
         block ^a:
           branch ^m(%n)
         block ^b:
           branch ^m(%ten)
         block ^d:
           branch ^m(%three)
         block ^m(%p: %u32):
           return_value %p
         }",
    );
    assert_eq!((returned(&after), report.branches, report.blocks), (10, 1, 2));
}

#[test]
fn what_differs_stays() {
    let (after, report) = propagated(
        "%spec: %u32 = spec_constant 1
         func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           %s: %u32 = i_add %spec, %one
           %trap: %u32 = u_div %one, %zero
           branch_if %c ^a ^b
         block ^a:
           branch ^m(%one)
         block ^b:
           branch ^m(%two)
         block ^m(%p: %u32):
           %r: %u32 = i_add %p, %s
           return_value %r
         }",
    );
    assert_eq!(report, ConstantPropagation::default());
    assert_eq!(count(&after, Op::UDiv), 1);
}

#[test]
fn equal_arguments_make_a_constant_and_composites_too() {
    let (after, report) = propagated(
        "%v2 = type_vector %u32, 2
         %pair: %v2 = constant_composite %one, %two
         func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           %v: %v2 = i_add %pair, %pair
           branch_if %c ^a ^b
         block ^a:
           branch ^m(%v)
         block ^b:
           %w: %v2 = composite_construct %two, %ten
           %x: %v2 = composite_insert %two, %w 0
           %four: %u32 = i_add %two, %two
           %y: %v2 = composite_insert %four, %x 1
           branch ^m(%y)
         block ^m(%p: %v2):
           %r: %u32 = composite_extract %p 1
           return_value %r
         }",
    );
    assert_eq!(returned(&after), 4);
    assert!(report.values >= 5);
}

#[test]
fn structured_branches_stay_for_the_pass_that_knows_constructs() {
    let (mut after, report) = propagated(
        "func %f: %u32 (%n: %u32) stage structured {
         block ^entry:
           %c: %bool = u_less_than %one, %two
           if %c ^a ^b merge ^m control 0
         block ^a:
           branch ^m(%one)
         block ^b:
           branch ^m(%n)
         block ^m(%p: %u32):
           %q: %u32 = i_add %p, %one
           return_value %q
         }",
    );
    assert_eq!((report.branches, report.blocks, returned(&after)), (0, 0, 2));
    let function = functions(&after)[0];
    assert!(reconverge_optimize::structured::fold_constant_branches(&mut after, function).expect("structured"));
    dce(&mut after, function);
    assert_eq!((count(&after, Op::If), count(&after, Op::BlockParameter)), (0, 0));
}

#[test]
fn random_graphs() {
    hold_on_graphs("sccp", |module, function| sccp(module, function).is_changed());
}

#[test]
fn random_structured_programs() {
    hold_on_structured("sccp", |module, function| sccp(module, function).is_changed());
}

/// A ladder of diamonds, each decided by the one before; one block that many jump to; on a small stack.
#[test]
fn large_functions_need_no_stack() {
    let run = || {
        let mut source = String::from("func %f: %u32 (%n: %u32) {\nblock ^entry:\n  branch ^b0(%one)\n");
        let steps = 30_000;
        for step in 0..steps {
            source += &format!(
                "block ^b{step}(%p{step}: %u32):\n  %c{step}: %bool = i_equal %p{step}, %one\n  branch_if %c{step} ^l{step} ^r{step}\nblock ^l{step}:\n  branch ^b{next}(%p{step})\nblock ^r{step}:\n  branch ^b{next}(%n)\n",
                next = step + 1
            );
        }
        source += &format!("block ^b{steps}(%r: %u32):\n  return_value %r\n}}\n");
        let mut ladder = module(&source);
        let function = functions(&ladder)[0];
        let report = sccp(&mut ladder, function);
        assert_eq!((report.branches, report.blocks, returned(&ladder)), (steps, steps, 1));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread").join().expect("no overflow");
}
