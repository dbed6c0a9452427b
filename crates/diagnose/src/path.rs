//! Ways through a program, told in steps.

use reconverge_ir::{Block, Inst, Module, Op, terminator};

use crate::Step;
use crate::program::Program;

/// How many steps a path has at most. The middle of longer ones is left out.
const STEP_LIMIT: usize = 12;

/// A place where control could have gone elsewhere, and where it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decision {
    /// The block that ends in the branch.
    pub(crate) source: Block,
    /// The successor.
    pub(crate) target: Block,
}

/// The steps of decisions that are given last first, as many as a path has.
pub(crate) fn steps_back(program: &Program<'_>, decisions: impl Iterator<Item = Decision>) -> Vec<Step> {
    let mut decisions: Vec<Decision> = decisions.take(STEP_LIMIT).collect();
    decisions.reverse();
    decisions.into_iter().filter_map(|decision| step(program, decision)).collect()
}

/// The steps of a way through blocks: its decisions, at most as many as a path has, the first ones left out.
pub(crate) fn steps_along(program: &Program<'_>, blocks: &[Block]) -> Vec<Step> {
    let module = program.module;
    let decisions = blocks.windows(2).rev().map(|pair| Decision { source: pair[0], target: pair[1] });
    steps_back(program, decisions.filter(|decision| chooses(module, decision.source)))
}

/// The path with its middle left out if it is long.
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

/// The block where an edge arrives, past edge blocks, which stand for edges alone. They form no cycles of their own in a module that
/// holds the rules; the walk is bounded all the same.
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
