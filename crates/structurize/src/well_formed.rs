//! Consistency of a plan from elsewhere (a file, another process): [`Plan::check`].
//!
//! The check covers what every reader of a plan relies on: numbers name existing blocks, selectors match the blocks that have one, every
//! input block occurs once. It does not check that the plan is *structured*; only [`structurize`](crate::structurize) guarantees that.

use std::collections::HashSet;

use reconverge_diagnostic::{Diagnostic, Place};

use crate::DocumentCode;
use crate::constructs::merge_of;
use crate::input::InputBlock;
use crate::plan::{Block, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};

impl Plan {
    /// Checks that the plan is consistent. Linear.
    ///
    /// # Errors
    /// The first inconsistency.
    pub fn check(&self) -> Result<(), Diagnostic> {
        if self.blocks.is_empty() {
            return Err(wrong("the plan has no block"));
        }
        let mut check = Check { plan: self, inputs: HashSet::new() };
        for (index, block) in self.blocks.iter().enumerate() {
            if let Origin::Input(input) = block.origin
                && !check.inputs.insert(input)
            {
                return Err(wrong(format!("{} is {input}, which also occurs earlier", PlanBlock::new(index))));
            }
        }
        let mut merges = HashSet::new();
        for (index, block) in self.blocks.iter().enumerate() {
            check.block(PlanBlock::new(index), block)?;
            if merge_of(self, index).is_some_and(|merge| !merges.insert(merge)) {
                let header = PlanBlock::new(index);
                return Err(wrong(format!("the merge block of {header} already belongs to another header")));
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
    fn block(&self, at: PlanBlock, block: &Block) -> Result<(), Diagnostic> {
        match block.merge {
            Merge::None => {}
            Merge::Selection { merge } => self.exists(at, merge)?,
            Merge::Loop { merge, continue_target } => {
                self.exists(at, merge).and_then(|()| self.exists(at, continue_target))?;
            }
        }
        match (&block.terminator, &block.origin) {
            (Terminator::Exit, Origin::Added(_)) | (Terminator::Unreachable, Origin::Input(_)) => {
                return Err(wrong(format!(
                    "{at} exits the function but was added, or is unreachable but belongs to the input"
                )));
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

    fn edge(&self, at: PlanBlock, edge: &Edge) -> Result<(), Diagnostic> {
        self.exists(at, edge.target)?;
        edge.carries.iter().try_for_each(|carried| self.is_input(at, carried.source))?;
        if self.plan.blocks[edge.target.index()].has_selector != edge.selector.is_some() {
            return Err(no_selector(at));
        }
        match &edge.selector {
            None | Some(Selector::Constant(_)) => Ok(()),
            Some(Selector::Forward { block } | Selector::Translate { block, .. }) => self.reads(at, *block),
            Some(Selector::Choose(numbers)) if numbers.len() == edge.carries.len() => Ok(()),
            Some(Selector::Choose(_)) => {
                Err(wrong(format!("{at} chooses a selector by edges that its own edge does not carry")))
            }
        }
    }

    fn exists(&self, at: PlanBlock, named: PlanBlock) -> Result<(), Diagnostic> {
        match named.index() < self.plan.blocks.len() {
            true => Ok(()),
            false => Err(wrong(format!("{at} names {named}, which is not a block"))),
        }
    }

    fn is_input(&self, at: PlanBlock, input: InputBlock) -> Result<(), Diagnostic> {
        match self.inputs.contains(&input) {
            true => Ok(()),
            false => Err(wrong(format!("{at} names {input}, which is not in the plan"))),
        }
    }

    fn reads(&self, at: PlanBlock, block: PlanBlock) -> Result<(), Diagnostic> {
        self.exists(at, block)?;
        if self.plan.blocks[block.index()].has_selector { Ok(()) } else { Err(no_selector(at)) }
    }
}

/// An inconsistency.
fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DocumentCode::Plan, Place::Whole, message)
}

fn no_selector(at: PlanBlock) -> Diagnostic {
    wrong(format!("{at} passes or reads a selector of a block that has none"))
}
