//! Uniformity of one function: the results.

use std::sync::Arc;

use reconverge_ir::{Block, Function, Inst};
use smallvec::SmallVec;

use super::body::{Body, NONE};
use super::cause::{Cause, Fact};
use super::level::Level;
use super::propagation::UniformityFacts;
use super::variables::Variables;
use super::variation::Variation;

/// The uniformity of one function, at one scope.
#[derive(Clone, Debug)]
pub struct Uniformity {
    pub(super) body: Arc<Body>,
    pub(super) facts: UniformityFacts,
    pub(super) memory: Variables,
    /// By parameter, the call and its operand whose value differs.
    pub(super) arguments: Arguments,
    /// The call through which lanes enter the function without others; `None` also if the function is entered from outside.
    pub(super) apart: Option<Inst>,
    is_entered_converged: bool,
}

/// Most functions have few parameters.
pub(super) type Levels = SmallVec<[Level; 4]>;
type Arguments = SmallVec<[Option<(Inst, u32)>; 4]>;

/// The entry of lanes into a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Entered {
    /// By parameter, its level, and the reason.
    pub(super) levels: Levels,
    pub(super) arguments: Arguments,
    pub(super) apart: Option<Inst>,
    pub(super) is_converged: bool,
}

impl Uniformity {
    pub(super) fn new(body: Arc<Body>, facts: UniformityFacts, memory: Variables, entered: Entered) -> Uniformity {
        let Entered { arguments, apart, is_converged, .. } = entered;
        Uniformity { body, facts, memory, arguments, apart, is_entered_converged: is_converged }
    }

    /// The function.
    pub fn function(&self) -> Function {
        self.body.function()
    }

    /// The variation of a value among the lanes that execute it together. Uniform for anything outside the function's reachable code:
    /// constants, variables at module level. Constant time.
    pub fn of(&self, value: impl Into<Inst>) -> Variation {
        self.level(value.into()).variation()
    }

    fn level(&self, value: Inst) -> Level {
        self.body.find(value).map_or(Level::UNIFORM, |number| self.facts.values[number as usize].level)
    }

    /// The variation of an operand's value among the lanes that execute the user together.
    ///
    /// It differs from [`Uniformity::of`] if a value leaves a loop that lanes leave in different iterations, and if lanes that executed the
    /// same code one after another reconverge. Near constant time.
    pub fn of_use(&self, user: impl Into<Inst>, operand: usize) -> Variation {
        self.level_of_use(user.into(), operand).0.variation()
    }

    /// The level of a use, and the branch that is the cause if the value varies less at its definition.
    pub(super) fn level_of_use(&self, user: Inst, operand: usize) -> (Level, Option<u32>) {
        let used = self.body.find(user).and_then(|number| {
            let value = *self.body.operands(number).get(operand)?;
            (value != NONE).then(|| self.facts.level_at(&self.body, value, self.body.node(number)))
        });
        used.unwrap_or((Level::UNIFORM, None))
    }

    /// The variation of each operand among the lanes that execute the user together.
    pub fn of_operands(&self, user: impl Into<Inst>) -> impl Iterator<Item = Variation> + '_ {
        let user = user.into();
        let count = self.body.find(user).map_or(0, |number| self.body.operands(number).len());
        (0..count).map(move |operand| self.of_use(user, operand))
    }

    /// Returns whether lanes that are converged in the block leave it in one direction.
    pub fn is_uniform_branch(&self, block: Block) -> bool {
        let node = self.body.find_block(block);
        node.is_none_or(|node| self.facts.blocks[node as usize].branch == super::origin::Origin::Nothing)
    }

    /// Returns whether all lanes that entered the function together, and neither returned nor terminated since, are converged in every
    /// execution of the block. False for unreachable blocks.
    pub fn is_converged(&self, block: Block) -> bool {
        self.node_of(block).is_some_and(|node| self.facts.separations[node as usize] == NONE)
    }

    /// Returns whether the block is converged and no lane can have returned or terminated before it while others continue: all lanes that
    /// entered the function together are there, as a barrier requires.
    pub fn is_complete(&self, block: Block) -> bool {
        self.is_converged(block) && self.node_of(block).is_some_and(|node| !self.facts.shape.is_left(node))
    }

    /// The node of a reachable block.
    fn node_of(&self, block: Block) -> Option<u32> {
        self.body.find_block(block).filter(|&node| self.body.is_reachable(node))
    }

    /// Returns whether all lanes of the scope that run the entry point enter the function together.
    pub fn is_entered_converged(&self) -> bool {
        self.is_entered_converged
    }

    /// The variation of the result among lanes that called the function together. Uniform for functions without a result.
    pub fn returned(&self) -> Variation {
        self.facts.returned.variation()
    }

    /// Returns whether a fact holds, so that there is a reason for it.
    pub fn holds(&self, fact: Fact) -> bool {
        match fact {
            Fact::Value(value) => self.level(value).differs() || self.contents_level(value).differs(),
            Fact::Use { user, operand } => self.level_of_use(user, operand).0.differs(),
            Fact::Branch(block) => !self.is_uniform_branch(block),
            Fact::Block(block) => !self.is_complete(block) && self.body.find_block(block).is_some(),
            Fact::Return(function) => function == self.body.function() && self.facts.returned.differs(),
            Fact::Function(function) => function == self.body.function() && !self.is_entered_converged,
        }
    }

    fn contents_level(&self, value: Inst) -> Level {
        self.memory.variable_of(value).map_or(Level::UNIFORM, |variable| self.memory.level(variable))
    }

    /// The chain of causes of a fact inside the function, the fact first; if it continues in another function, the last cause names it.
    /// Empty if the fact does not hold. Linear in the chain.
    pub fn why(&self, fact: Fact) -> Vec<Cause> {
        self.chain(fact)
    }
}
