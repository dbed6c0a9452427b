//! Consistency of a plan from elsewhere (a file, another process): [`Plan::check`].
//!
//! The check covers what every reader of a plan relies on: numbers name existing blocks, selectors match the blocks that have one, every
//! input block occurs once. It does not check that the plan is *structured*; only [`structurize`](crate::structurize) guarantees that.

use std::collections::HashSet;
use std::fmt;

use crate::constructs::merge_of;
use crate::input::InputBlock;
use crate::plan::{Block, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};

/// An inconsistency of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// The plan has no block.
    Empty,
    /// A block names another one that does not exist.
    NoSuchBlock {
        /// The block.
        block: PlanBlock,
        /// The missing block.
        named: PlanBlock,
    },
    /// An input block occurs twice in the plan.
    Twice {
        /// The second occurrence.
        block: PlanBlock,
        /// The input block.
        input: InputBlock,
    },
    /// An edge carries one of an input block that is not in the plan, or tests its condition.
    NoSuchInput {
        /// The block whose edge it is.
        block: PlanBlock,
        /// The missing input block.
        input: InputBlock,
    },
    /// An edge passes a selector to a block without one, or none to a block with one; or a selector is read that does not exist.
    Selector {
        /// The source of the edge, or the reader.
        block: PlanBlock,
    },
    /// A selector is chosen by edges, and there is not one number for each carried edge.
    Choice {
        /// The source of the edge.
        block: PlanBlock,
    },
    /// An added block exits the function, or an unreachable terminator belongs to the input.
    Ending {
        /// The block.
        block: PlanBlock,
    },
    /// A block is the merge block of two headers.
    SharedMerge {
        /// The second header.
        block: PlanBlock,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Empty => write!(formatter, "the plan has no block"),
            PlanError::NoSuchBlock { block, named } => write!(formatter, "{block} names {named}, which is not a block"),
            PlanError::Twice { block, input } => {
                write!(formatter, "{block} is {input}, which also occurs earlier")
            }
            PlanError::NoSuchInput { block, input } => {
                write!(formatter, "{block} names {input}, which is not in the plan")
            }
            PlanError::Selector { block } => {
                write!(formatter, "{block} passes or reads a selector of a block that has none")
            }
            PlanError::Choice { block } => {
                write!(formatter, "{block} chooses a selector by edges that its own edge does not carry")
            }
            PlanError::Ending { block } => {
                write!(
                    formatter,
                    "{block} exits the function but was added, or is unreachable but belongs to the input"
                )
            }
            PlanError::SharedMerge { block } => {
                write!(formatter, "the merge block of {block} already belongs to another header")
            }
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Checks that the plan is consistent. Linear.
    ///
    /// # Errors
    /// The first inconsistency.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.blocks.is_empty() {
            return Err(PlanError::Empty);
        }
        let mut check = Check { plan: self, inputs: HashSet::new() };
        for (index, block) in self.blocks.iter().enumerate() {
            if let Origin::Input(input) = block.origin
                && !check.inputs.insert(input)
            {
                return Err(PlanError::Twice { block: PlanBlock::new(index), input });
            }
        }
        let mut merges = HashSet::new();
        for (index, block) in self.blocks.iter().enumerate() {
            check.block(PlanBlock::new(index), block)?;
            if merge_of(self, index).is_some_and(|merge| !merges.insert(merge)) {
                return Err(PlanError::SharedMerge { block: PlanBlock::new(index) });
            }
        }
        Ok(())
    }
}

struct Check<'p> {
    plan: &'p Plan,
    inputs: HashSet<InputBlock>,
}

impl Check<'_> {
    fn block(&self, at: PlanBlock, block: &Block) -> Result<(), PlanError> {
        match block.merge {
            Merge::None => {}
            Merge::Selection { merge } => self.exists(at, merge)?,
            Merge::Loop { merge, continue_target } => {
                self.exists(at, merge).and_then(|()| self.exists(at, continue_target))?;
            }
        }
        match (&block.terminator, &block.origin) {
            (Terminator::Exit, Origin::Added(_)) | (Terminator::Unreachable, Origin::Input(_)) => {
                return Err(PlanError::Ending { block: at });
            }
            _ => {}
        }
        match block.terminator.test() {
            None | Some(Test::Zero) => {}
            Some(Test::Input(input)) => self.is_input(at, input)?,
            Some(Test::Selector { block, .. } | Test::SelectorValue { block }) => self.reads(at, block)?,
        }
        block.terminator.edges().try_for_each(|edge| self.edge(at, edge))
    }

    fn edge(&self, at: PlanBlock, edge: &Edge) -> Result<(), PlanError> {
        self.exists(at, edge.target)?;
        edge.carries.iter().try_for_each(|carried| self.is_input(at, carried.source))?;
        if self.plan.blocks[edge.target.index()].has_selector != edge.selector.is_some() {
            return Err(PlanError::Selector { block: at });
        }
        match &edge.selector {
            None | Some(Selector::Constant(_)) => Ok(()),
            Some(Selector::Forward { block } | Selector::Translate { block, .. }) => self.reads(at, *block),
            Some(Selector::Choose(numbers)) if numbers.len() == edge.carries.len() => Ok(()),
            Some(Selector::Choose(_)) => Err(PlanError::Choice { block: at }),
        }
    }

    fn exists(&self, at: PlanBlock, named: PlanBlock) -> Result<(), PlanError> {
        if named.index() < self.plan.blocks.len() { Ok(()) } else { Err(PlanError::NoSuchBlock { block: at, named }) }
    }

    fn is_input(&self, at: PlanBlock, input: InputBlock) -> Result<(), PlanError> {
        if self.inputs.contains(&input) { Ok(()) } else { Err(PlanError::NoSuchInput { block: at, input }) }
    }

    fn reads(&self, at: PlanBlock, block: PlanBlock) -> Result<(), PlanError> {
        self.exists(at, block)?;
        if self.plan.blocks[block.index()].has_selector { Ok(()) } else { Err(PlanError::Selector { block: at }) }
    }
}
