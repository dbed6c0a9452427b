//! The harness for passes accepts what keeps the lanes together and catches what does not: passes that are wrong on purpose, alone and
//! one behind the other.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Terminator};
use reconverge_rewrite::pass::{Outcome, Pass, Stages, Work};
use reconverge_rewrite::session::Session;
use reconverge_testing::generators::lanes::{LaneOptions, Records};
use reconverge_testing::lanes::{
    Figures, Idempotence, PassTrial, PassUnderTest, SequenceTrial, judge_pass, judge_sequences,
};

/// How many programs a wrong pass may see before it is caught.
const PROGRAMS: u64 = 300;

fn judge(pass: &mut PassUnderTest<'_>) -> Result<Figures, String> {
    let options = LaneOptions { records: Records::EveryBlock, ..LaneOptions::default() };
    let trial = PassTrial { options, lanes: vec![1, 4, 16], validated: 0, ..PassTrial::default() };
    judge_pass(0..PROGRAMS, &trial, pass)
}

/// Checks that a wrong pass is caught, for the reason that it is wrong for, and that the program that shows it is small.
fn check_caught(reasons: &[&str], mut pass: impl FnMut(&mut Module, Function) -> bool) {
    let message = judge(&mut |module, function| Ok(pass(module, function))).expect_err("the pass is wrong");
    let (first, rest) = message.split_once('\n').expect("a program follows");
    assert!(reasons.iter().any(|reason| first.contains(reason)), "{message}");
    let program = rest.split("; before").next().expect("a split has a first part");
    assert!(program.lines().count() < 24, "{message}");
}

/// What differences are called.
const LANES_DIFFER: &[&str] = &["before and after: lane"];

#[test]
fn a_pass_that_does_nothing_passes() {
    let trial = PassTrial { idempotence: Idempotence::Held, ..PassTrial::default() };
    let figures = judge_pass(0..60, &trial, &mut |_, _| Ok(false)).unwrap();
    assert!(figures.records > 1_000 && figures.changed == 0, "{figures:?}");
}

fn terminators(module: &Module, function: Function, op: Op) -> Vec<Terminator> {
    let last = |block: Block| module.terminator(block).filter(|&last| module.op(last) == op);
    module.blocks(function).filter_map(last).collect()
}

fn swap_operands(module: &mut Module, inst: impl Into<Inst>, [left, right]: [usize; 2]) {
    let inst = inst.into();
    let [first, second] = [left, right].map(|index| module.operand(inst, index));
    module.edit().set_operand(inst, left, second);
    module.edit().set_operand(inst, right, first);
}

#[test]
fn arms_swapped() {
    check_caught(LANES_DIFFER, |module, function| {
        let Some(&selection) = terminators(module, function, Op::If).first() else { return false };
        swap_operands(module, selection, [1, 2]);
        true
    });
}

#[test]
fn a_condition_that_is_always_taken() {
    check_caught(LANES_DIFFER, |module, function| {
        let Some(&selection) = terminators(module, function, Op::If).last() else { return false };
        let condition = module.operand(selection, 0);
        let ty = module.ty(condition).unwrap();
        let always = module.edit().unique(Op::ConstantTrue, Some(ty), &[]);
        module.edit().set_operand(selection, 0, always);
        condition != always
    });
}

/// A conditional `continue` is never taken: what it leaves goes on.
#[test]
fn a_continue_dropped() {
    check_caught(LANES_DIFFER, |module, function| {
        let next = continue_targets(module, function);
        for exit in terminators(module, function, Op::BranchIf) {
            let ways = [1, 2].map(|index| module.operand(exit, index));
            let continues = ways.map(|way| goes_to(module, way).is_some_and(|target| next.contains(&target)));
            let ty = module.ty(module.operand(exit, 0)).unwrap();
            let never = match continues {
                [true, false] => Op::ConstantFalse,
                [false, true] => Op::ConstantTrue,
                _ => continue,
            };
            let never = module.edit().unique(never, Some(ty), &[]);
            module.edit().set_operand(exit, 0, never);
            return true;
        }
        false
    });
}

/// The block itself, or where it goes if it does nothing else.
fn goes_to(module: &Module, way: Inst) -> Option<Inst> {
    let block: Block = module.cast(way)?;
    match module.is_bare_edge(block) {
        true => module.terminator(block).map(|jump| module.operand(jump, 0)),
        false => Some(way),
    }
}

fn continue_targets(module: &Module, function: Function) -> Vec<Inst> {
    terminators(module, function, Op::Loop).into_iter().map(|opening| module.operand(opening, 2)).collect()
}

/// Whether a block has no parameters and goes on somewhere.
fn is_bare(module: &Module, block: Inst) -> bool {
    let block = module.cast::<Block>(block).expect("a target is a block");
    let goes_on = module.terminator(block).is_some_and(|last| module.op(last) != Op::Unreachable);
    goes_on && module.parameters(block).next().is_none()
}

/// `break` where `continue` is said, in a loop whose ways carry nothing.
#[test]
fn a_continue_that_breaks() {
    check_caught(LANES_DIFFER, |module, function| {
        for opening in terminators(module, function, Op::Loop) {
            let [exit, next] = [1, 2].map(|index| module.operand(opening, index));
            let jumps = terminators(module, function, Op::Branch);
            let jump = jumps.into_iter().find(|&jump| module.operand(jump, 0) == next && next != exit);
            if let Some(jump) = jump.filter(|_| is_bare(module, exit) && is_bare(module, next)) {
                module.edit().set_operand(jump, 0, exit);
                return true;
            }
        }
        false
    });
}

/// The ballot of an arm moves in front of the selection.
#[test]
fn a_ballot_hoisted_out_of_an_arm() {
    check_caught(LANES_DIFFER, |module, function| {
        for selection in terminators(module, function, Op::If) {
            let arm: Block = module.cast(module.operand(selection, 1)).unwrap();
            if let Some(ballot) = first_ballot(module, arm) {
                module.edit().move_to(ballot, Position::Before(selection.into()));
                return true;
            }
        }
        false
    });
}

/// The ballot of a merge block moves in front of its selection: right only as long as nobody leaves in between.
#[test]
fn a_ballot_moved_over_a_merge() {
    check_caught(LANES_DIFFER, |module, function| {
        for selection in terminators(module, function, Op::If) {
            let merge: Block = module.cast(module.operand(selection, 3)).unwrap();
            if let Some(ballot) = first_ballot(module, merge) {
                module.edit().move_to(ballot, Position::Before(selection.into()));
                return true;
            }
        }
        false
    });
}

/// The first ballot of all lanes that are here, which asks for no value of the block.
fn first_ballot(module: &Module, block: Block) -> Option<Inst> {
    let is_of_all = |&inst: &Inst| {
        module.op(inst) == Op::GroupNonUniformBallot && module.op(module.operand(inst, 1)) == Op::ConstantTrue
    };
    module.children(block).find(is_of_all)
}

/// The record of a merge block is made at the end of each arm instead: lanes are apart there. An arm that is a bare edge block may stand
/// anywhere only as long as it is one.
#[test]
fn a_record_copied_into_the_arms() {
    check_caught(LANES_DIFFER, |module, function| {
        for selection in terminators(module, function, Op::If) {
            let [then, otherwise, merge] = [1, 2, 3].map(|index| module.operand(selection, index));
            let ends: Vec<Terminator> = [then, otherwise]
                .into_iter()
                .filter_map(|arm| module.terminator(module.cast::<Block>(arm)?))
                .filter(|&jump| module.op(jump) == Op::Branch && module.operand(jump, 0) == merge)
                .filter(|&jump| module.block_of(jump).is_some_and(|arm| !module.is_bare_edge(arm)))
                .collect();
            let merge: Block = module.cast(merge).unwrap();
            if ends.len() != 2 || then == otherwise || module.parameters(merge).next().is_some() {
                continue;
            }
            if let Some(record) = leading_record(module, merge) {
                ends.into_iter().for_each(|jump| copy_in_front(module, &record, jump.into()));
                record.into_iter().rev().for_each(|inst| module.edit().delete(inst));
                return true;
            }
        }
        false
    });
}

/// A ballot, its two words and the call that records it, if a block begins with them.
fn leading_record(module: &Module, block: Block) -> Option<Vec<Inst>> {
    let ops = [Op::GroupNonUniformBallot, Op::CompositeExtract, Op::CompositeExtract, Op::FunctionCall];
    let first: Vec<Inst> = module.children(block).take(ops.len()).collect();
    first.iter().map(|&inst| module.op(inst)).eq(ops).then_some(first)
}

fn copy_in_front(module: &mut Module, record: &[Inst], place: Inst) {
    let mut copies: Vec<(Inst, Inst)> = Vec::new();
    for &inst in record {
        let operands: Vec<Inst> = module.operands(inst).collect();
        let renamed = |operand: Inst| copies.iter().find(|(old, _)| *old == operand).map_or(operand, |(_, new)| *new);
        let operands: Vec<Inst> = operands.into_iter().map(renamed).collect();
        let (op, ty) = (module.op(inst), module.ty(inst));
        let copy = module.edit().insert(Position::Before(place), op, ty, &operands);
        copies.push((inst, copy));
    }
}

fn judge_with_barriers(pass: &mut PassUnderTest<'_>) -> Result<Figures, String> {
    let options = LaneOptions { barriers: true, ..LaneOptions::default() };
    let trial = PassTrial { options, lanes: vec![4], validated: 0, ..PassTrial::default() };
    judge_pass(0..PROGRAMS, &trial, pass)
}

fn first_barrier(module: &Module, function: Function) -> Option<Inst> {
    let blocks: Vec<Block> = module.blocks(function).collect();
    blocks.into_iter().flat_map(|block| module.children(block)).find(|&inst| module.op(inst) == Op::ControlBarrier)
}

#[test]
fn a_barrier_twice() {
    let message = judge_with_barriers(&mut |module, function| {
        let Some(barrier) = first_barrier(module, function) else { return Ok(false) };
        let operands: Vec<Inst> = module.operands(barrier).collect();
        module.edit().insert(Position::After(barrier), Op::ControlBarrier, None, &operands);
        Ok(true)
    });
    assert!(message.as_ref().is_err_and(|message| message.contains("barriers by lane")), "{message:?}");
}

#[test]
fn a_barrier_gone() {
    let message = judge_with_barriers(&mut |module, function| {
        let Some(barrier) = first_barrier(module, function) else { return Ok(false) };
        module.edit().delete(barrier);
        Ok(true)
    });
    assert!(message.is_err());
}

#[test]
fn a_change_that_is_denied() {
    let message = judge(&mut |module, function| {
        if let Some(&selection) = terminators(module, function, Op::If).first() {
            let dont_flatten = module.edit().word(2);
            module.edit().set_operand(selection, 4, dont_flatten);
        }
        Ok(false)
    });
    assert!(message.is_err_and(|message| message.contains("changed nothing, and did")));
}

#[test]
fn a_pass_that_never_ends() {
    let options = LaneOptions::default();
    let trial = PassTrial { options, idempotence: Idempotence::Held, validated: 0, ..PassTrial::default() };
    let message = judge_pass(0..50, &trial, &mut |module, function| {
        let selection = terminators(module, function, Op::If).first().copied();
        if let Some(selection) = selection {
            let control = module.literal_word(module.operand(selection, 4)).unwrap();
            let other = module.edit().word(1 - control);
            module.edit().set_operand(selection, 4, other);
        }
        Ok(selection.is_some())
    });
    assert!(message.is_err_and(|message| message.contains("finds something to do after it ran")));
}

#[test]
fn a_module_that_is_broken() {
    let message = judge(&mut |module, function| {
        let Some(&selection) = terminators(module, function, Op::If).first() else { return Ok(false) };
        let then = module.operand(selection, 1);
        module.edit().set_operand(selection, 3, then);
        Ok(true)
    });
    assert!(message.is_err_and(|message| message.contains(" after: ")));
}

const fn pass(name: &'static str, work: fn(&mut Session<'_>, Function) -> Result<Outcome, Diagnostic>) -> Pass {
    Pass { name, summary: "for a test", accepts: Stages::Structured, leads_to: None, work: Work::Function(work) }
}

/// Passes each of which is right alone, on programs whose selections have no control: one gives it, one takes what has it for a
/// reason to swap arms.
const RIGHT_ALONE: &[Pass] =
    &[pass("idle", |_, _| Ok(Outcome::UNCHANGED)), pass("mark", set_control::<0, 1>), pass("swap", swap_marked)];

/// Gives the first selection with one control another one.
fn set_control<const FROM: u32, const TO: u32>(
    session: &mut Session<'_>,
    function: Function,
) -> Result<Outcome, Diagnostic> {
    let Some(selection) = first_with_control(session.module, function, FROM) else { return Ok(Outcome::UNCHANGED) };
    let control = session.module.edit().word(TO);
    session.module.edit().set_operand(selection, 4, control);
    Ok(Outcome::control_flow(1))
}

fn first_with_control(module: &Module, function: Function, control: u32) -> Option<Terminator> {
    let first = terminators(module, function, Op::If).first().copied()?;
    (module.literal_word(module.operand(first, 4)) == Some(control)).then_some(first)
}

fn swap_marked(session: &mut Session<'_>, function: Function) -> Result<Outcome, Diagnostic> {
    if let Some(selection) = first_with_control(session.module, function, 1) {
        swap_operands(session.module, selection, [1, 2]);
    }
    set_control::<1, 2>(session, function)
}

#[test]
fn passes_that_are_wrong_together() {
    let trial = SequenceTrial { passes: RIGHT_ALONE, validated: 0, ..SequenceTrial::default() };
    let message = judge_sequences(0..PROGRAMS, &trial).expect_err("the sequence is wrong");
    assert!(message.contains("smaller: mark swap: 1 lanes, before and after: lane"), "{message}");
    assert!(message.contains("\n; test pass swap after=mark\n"), "{message}");
    for index in 0..RIGHT_ALONE.len() {
        judge_sequences(0..40, &SequenceTrial { passes: &RIGHT_ALONE[index..=index], ..trial.clone() }).unwrap();
    }
}

#[test]
fn passes_that_never_end_together() {
    let group = [pass("mark", set_control::<0, 1>), pass("unmark", set_control::<1, 0>)];
    let passes = &RIGHT_ALONE[..1];
    let trial = SequenceTrial { passes, group: &group, rounds: 3, validated: 0, ..SequenceTrial::default() };
    let message = judge_sequences(0..PROGRAMS, &trial).expect_err("the group goes round for ever");
    assert!(message.contains("round 4 still changes something, by mark, unmark"), "{message}");
}
