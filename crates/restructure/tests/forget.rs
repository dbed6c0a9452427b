//! Structure is forgotten and found again; hints that make no structure are kept.

use reconverge_ir::{Module, Op, Stage, terminator::operand, text};
use reconverge_restructure::{Options, forget_structure, structurize};
use reconverge_testing::programs::{functions, hold_equal, hold_verified, module, structurized};

const STRUCTURED: &str = "func %f: %u32 (%n: %u32, %v: %u32) stage structured {
     block ^entry:
       loop ^header(%zero, %zero) break ^done continue ^next control 1
     block ^header(%i: %u32, %sum: %u32):
       %more: %bool = u_less_than %i, %n
       branch_if %more ^body ^exit
     edge ^exit:
       branch ^done(%sum)
     block ^body:
       structured_switch %v default ^a merge ^joined control 0 [1 ^b] [2 ^b]
     block ^a:
       %even: %bool = i_equal %i, %two
       if %even ^x ^y merge ^met control 2
     block ^x:
       branch ^met(%one)
     block ^y:
       branch ^met(%two)
     block ^met(%p: %u32):
       branch ^joined(%p)
     block ^b:
       branch ^joined(%ten)
     block ^joined(%q: %u32):
       %more_sum: %u32 = i_add %sum, %q
       branch ^next
     block ^next:
       %step: %u32 = i_add %i, %one
       branch ^header(%step, %more_sum)
     block ^done(%r: %u32):
       return_value %r
     }";

fn forgotten(before: &Module) -> Module {
    let mut after = before.clone();
    for function in functions(before) {
        forget_structure(&mut after, function);
        assert_eq!(after.stage(function), Stage::Graph);
    }
    after
}

fn terminators(module: &Module) -> Vec<Op> {
    let blocks = functions(module).into_iter().flat_map(|function| module.blocks(function));
    blocks.filter_map(|block| module.terminator(block)).map(|terminator| module.op(terminator)).collect()
}

#[test]
fn edges_and_values_stay() {
    let before = module(STRUCTURED);
    hold_verified(&before);
    let after = forgotten(&before);
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0);
    assert!(!terminators(&after).iter().any(|op| matches!(op, Op::If | Op::Loop | Op::StructuredSwitch)));
    assert_eq!(text::print(&forgotten(&after)), text::print(&after), "forgetting twice is forgetting once");
}

#[test]
fn what_was_forgotten_is_found_again() {
    let before = module(STRUCTURED);
    let after = structurized(&forgotten(&before));
    let count = |module: &Module| functions(module).into_iter().flat_map(|function| module.blocks(function)).count();
    assert_eq!(count(&after), count(&before));
    let of = |module: &Module, wanted: Op| terminators(module).into_iter().filter(|&op| op == wanted).count();
    for op in [Op::If, Op::Loop, Op::StructuredSwitch] {
        assert_eq!(of(&after, op), of(&before, op), "{}", op.name());
    }
}

#[test]
fn branch_weights_survive() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b weights 7 1
         block ^a:
           branch ^m(%one)
         block ^b:
           branch ^m(%n)
         block ^m(%p: %u32):
           return_value %p
         }",
    );
    let after = structurized(&before);
    let entry = after.entry(functions(&after)[0]).unwrap();
    let branch = after.terminator(entry).unwrap();
    assert_eq!(after.op(branch), Op::If);
    let weights: Vec<Option<u32>> =
        after.operands(branch).skip(operand::IF_WEIGHTS).map(|weight| after.literal_word(weight)).collect();
    assert_eq!(weights, [Some(7), Some(1)]);
    let forgotten = forgotten(&after);
    let branch = forgotten.terminator(entry).unwrap();
    assert_eq!(forgotten.operand_count(branch), operand::BRANCH_IF_WEIGHTS + 2);
}

/// A kernel's loop with an unroll hint that names blocks which make no structure: the break block is never reached, and the body
/// leaves for a block beyond it.
#[test]
fn hints_of_a_kernel_are_edges_first_and_controls_afterwards() {
    let before = module(
        "func %f: %u32 (%n: %u32) stage graph {
         block ^entry:
           loop ^header(%zero) break ^never continue ^next control 1
         block ^header(%i: %u32):
           %more: %bool = u_less_than %i, %n
           if %more ^next ^out merge ^never control 2
         block ^next:
           %step: %u32 = i_add %i, %one
           branch ^header(%step)
         block ^out:
           return_value %i
         block ^never:
           unreachable
         }",
    );
    let mut after = before.clone();
    let function = functions(&before)[0];
    let report = structurize(&mut after, function, &Options::default()).unwrap().unwrap();
    assert_eq!(report.added_blocks(), 1, "the merge that the hint asks for, which nothing reaches");
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0);
    assert_eq!(after.entry(function), before.entry(function), "the entry comes first");
    let jump = after.terminator(after.entry(function).unwrap()).unwrap();
    assert_eq!(after.op(jump), Op::Loop);
    assert_eq!(after.literal_word(after.operand(jump, operand::LOOP_CONTROL)), Some(1), "the unroll hint is kept");
}
