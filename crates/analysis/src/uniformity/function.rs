//! Uniformity of one function: the answers.

use reconverge_ir::{Block, Function, Inst, Module};

use super::cause::{Cause, Fact};
use super::variation::Variation;

/// The uniformity of one function, at one scope.
#[derive(Clone, Debug)]
pub struct Uniformity {
    entry: Option<Block>,
}

impl Uniformity {
    /// What is true of any function.
    pub(crate) fn unknown(module: &Module, function: Function) -> Uniformity {
        Uniformity { entry: module.entry(function) }
    }

    /// How a value may differ among the lanes that execute it together.
    pub fn of(&self, value: impl Into<Inst>) -> Variation {
        let _ = value.into();
        Variation::Divergent
    }

    /// How the value of an operand may differ among the lanes that execute the user together.
    pub fn of_use(&self, user: impl Into<Inst>, operand: usize) -> Variation {
        let _ = (user.into(), operand);
        Variation::Divergent
    }

    /// Whether lanes that are in the block together leave it in one direction.
    pub fn is_uniform_branch(&self, block: Block) -> bool {
        let _ = block;
        false
    }

    /// Whether all lanes that entered the function together, and neither returned nor terminated since, are together in every
    /// execution of the block.
    pub fn is_converged(&self, block: Block) -> bool {
        self.entry == Some(block)
    }

    /// Whether the block is converged and no lane can have returned or terminated before it: all lanes that entered the function
    /// together are there, as a barrier asks for.
    pub fn is_complete(&self, block: Block) -> bool {
        self.entry == Some(block)
    }

    /// Whether all lanes of the scope that run the entry point enter the function together.
    pub fn is_entered_converged(&self) -> bool {
        false
    }

    /// The chain of causes inside the function; where it goes on in another function, the last cause says so.
    pub fn why(&self, fact: Fact) -> Vec<Cause> {
        let _ = fact;
        Vec::new()
    }
}
