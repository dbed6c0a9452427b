//! Whether a plan that came from elsewhere (a file, another process) hangs together: [`Plan::check`].
//!
//! What is asked is what every reader of a plan relies on: numbers name blocks that exist, selectors go where they are taken,
//! every input block stands once. Not asked is whether the plan is *structured*; for that it must have come from
//! [`structurize`](crate::structurize).

use std::collections::HashSet;
use std::fmt;

use crate::constructs::merge_of;
use crate::input::InputBlock;
use crate::plan::{Block, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};

/// What does not hang together in a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// There is no block.
    Empty,
    /// A block names another one that does not exist.
    NoSuchBlock {
        /// The block.
        block: PlanBlock,
        /// What it names.
        named: PlanBlock,
    },
    /// An input block stands in the plan twice.
    Twice {
        /// The second place.
        block: PlanBlock,
        /// The input block.
        input: InputBlock,
    },
    /// An edge stands for one of an input block that is not in the plan, or decides on it.
    NoSuchInput {
        /// The block whose edge it is.
        block: PlanBlock,
        /// The input block that is not there.
        input: InputBlock,
    },
    /// An edge passes a selector to a block that takes none, or none to one that does; or one is read that is not taken.
    Selector {
        /// The block that the edge leaves, or that reads.
        block: PlanBlock,
    },
    /// A selector is chosen by edges, and there is not one number for each that the edge stands for.
    Choice {
        /// The block that the edge leaves.
        block: PlanBlock,
    },
    /// An added block leaves the function, or one of the input is unreachable.
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
            PlanError::NoSuchBlock { block, named } => write!(formatter, "{block} names {named}, which is no block"),
            PlanError::Twice { block, input } => {
                write!(formatter, "{block} is {input}, which stands further up already")
            }
            PlanError::NoSuchInput { block, input } => {
                write!(formatter, "{block} names {input}, which is not in the plan")
            }
            PlanError::Selector { block } => write!(formatter, "{block} passes or reads a selector that is not taken"),
            PlanError::Choice { block } => {
                write!(formatter, "{block} chooses a selector by other edges than those that its edge stands for")
            }
            PlanError::Ending { block } => {
                write!(formatter, "{block} leaves the function and is added, or is unreachable and of the input")
            }
            PlanError::SharedMerge { block } => {
                write!(formatter, "the merge block of {block} is another header's already")
            }
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Whether the plan hangs together. Linear.
    ///
    /// # Errors
    /// The first thing that does not.
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
