//! Paths through a program, as steps.

use reconverge_ir::{Block, Inst, Module, Op, terminator};

use crate::Step;
use crate::program::Program;

/// The maximal number of steps of a path. The middle of longer ones is omitted.
const STEP_LIMIT: usize = 12;

/// A branch and the successor taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decision {
    /// The block of the branch.
    pub(crate) source: Block,
    /// The successor.
    pub(crate) target: Block,
}

/// The steps of decisions that are given in reverse order, at most as many as a path has.
pub(crate) fn steps_back(program: &Program<'_>, decisions: impl Iterator<Item = Decision>) -> Vec<Step> {
    let mut decisions: Vec<Decision> = decisions.take(STEP_LIMIT).collect();
    decisions.reverse();
    decisions.into_iter().filter_map(|decision| step(program, decision)).collect()
}

/// The steps of a path through blocks: its decisions, at most as many as a path has; the first ones are omitted.
pub(crate) fn steps_along(program: &Program<'_>, blocks: &[Block]) -> Vec<Step> {
    let module = program.module;
    let decisions = blocks.windows(2).rev().map(|pair| Decision { source: pair[0], target: pair[1] });
    steps_back(program, decisions.filter(|decision| chooses(module, decision.source)))
}

/// The path, with its middle omitted if it is long.
pub(crate) fn shortened(mut steps: Vec<Step>) -> Vec<Step> {
    let count = steps.len();
    if count > STEP_LIMIT {
        let (head, tail) = (STEP_LIMIT / 2, STEP_LIMIT / 2 - 1);
        let gap = Step { inst: steps[head].inst, text: format!("… {} steps omitted", count - head - tail) };
        steps.splice(head..count - tail, [gap]);
    }
    steps
}

fn chooses(module: &Module, block: Block) -> bool {
    let mut successors = module.successors(block);
    let first = successors.next();
    successors.any(|other| Some(other) != first)
}

fn step(program: &Program<'_>, decision: Decision) -> Option<Step> {
    let module = program.module;
    let branch = module.terminator(decision.source)?;
    let condition = program.name(module.operand(branch, terminator::operand::CONDITION));
    let target = Inst::from(decision.target);
    let goes = format!("control goes to {}", program.name(landing(module, decision.target).into()));
    let text = match module.op(branch) {
        Op::BranchIf | Op::If => {
            let is_true = module.operand(branch, terminator::operand::TRUE) == target;
            format!("{condition} is {is_true}: {goes}")
        }
        Op::Switch | Op::StructuredSwitch => match module.cases(branch).find(|&(_, block)| block == target) {
            _ if module.operand(branch, terminator::operand::DEFAULT) == target => {
                format!("{condition} matches no case: {goes}")
            }
            Some((literal, _)) => format!("{condition} is {}: {goes}", program.name(literal)),
            None => goes,
        },
        _ => goes,
    };
    Some(Step { inst: branch.into(), text })
}

/// The target of an edge, past edge blocks. Edge blocks form no cycles in a valid module; the loop is bounded anyway.
pub(crate) fn landing(module: &Module, block: Block) -> Block {
    let mut current = block;
    for _ in 0..8 {
        if !module.is_bare_edge(current) {
            break;
        }
        match module.successors(current).next() {
            Some(next) => current = next,
            None => break,
        }
    }
    current
}
