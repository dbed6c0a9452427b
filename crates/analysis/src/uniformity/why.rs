//! Chains of causes, from a claim back to the first difference between lanes.
//!
//! Every level records its origin. An affine value that became divergent later records only the later origin, so a chain may return to an
//! earlier fact; there it ends.

use reconverge_ir::{Block, Inst};
use rustc_hash::FxHashSet;

use super::body::NONE;
use super::cause::{Cause, Fact, Reason, Source};
use super::function::Uniformity;
use super::level::Level;
use super::origin::Origin;

impl Uniformity {
    pub(super) fn chain(&self, fact: Fact) -> Vec<Cause> {
        let mut chain = Vec::new();
        let mut seen = FxHashSet::default();
        let mut next = Some(fact).filter(|&fact| self.holds(fact));
        while let Some(fact) = next {
            if !seen.insert(fact) {
                break;
            }
            let (reason, place, following) = self.cause(fact);
            chain.push(Cause { fact, reason, place });
            next = following;
        }
        chain
    }

    fn cause(&self, fact: Fact) -> (Reason, Inst, Option<Fact>) {
        match fact {
            Fact::Value(value) => self.cause_of_value(value),
            Fact::Use { user, operand } => self.cause_of_use(user, operand),
            Fact::Branch(block) => self.cause_of_branch(block),
            Fact::Block(block) => self.cause_of_block(block),
            Fact::Return(function) => {
                let function = function.inst();
                self.cause_of_origin(self.facts.returned_origin, function)
            }
            Fact::Function(function) => match self.apart {
                Some(call) => (Reason::Called { call }, call, None),
                None => (Reason::Source(Source::UnknownFunction), function.inst(), None),
            },
        }
    }

    fn cause_of_value(&self, value: Inst) -> (Reason, Inst, Option<Fact>) {
        if let Some(variable) = self.memory.variable_of(value)
            && self.memory.level(variable).differs()
        {
            return self.cause_of_origin(self.memory.variable(variable).origin, value);
        }
        let Some(number) = self.body.find(value) else {
            return (Reason::Source(Source::Unknown), value, None);
        };
        if let Some(Some((call, operand))) = self.arguments.get(number as usize) {
            return (Reason::Argument { call: *call, operand: *operand as usize }, *call, None);
        }
        self.cause_of_origin(self.facts.values[number as usize].origin, value)
    }

    fn cause_of_origin(&self, origin: Origin, inst: Inst) -> (Reason, Inst, Option<Fact>) {
        match origin {
            Origin::Nothing => (Reason::Source(Source::Unknown), inst, None),
            Origin::Source(source) => (Reason::Source(source), inst, None),
            Origin::Operand(operand) => {
                let operand = operand as usize;
                (Reason::Operand(operand), inst, Some(self.fact_of_use(inst, operand)))
            }
            Origin::Argument(jump, operand) => {
                let (jump, operand) = (self.body.inst(jump), operand as usize);
                (Reason::Operand(operand), jump, Some(self.fact_of_use(jump, operand)))
            }
            Origin::Paths(node) => self.by_branch(node, |branch| Reason::Paths { branch }),
            Origin::Instances(node) => self.by_branch(node, |branch| Reason::Instances { branch }),
            Origin::Separated(node) => match self.separator(node) {
                Some(node) => self.by_branch(node, |branch| Reason::Separated { branch }),
                None => (Reason::Source(Source::Unstructured), self.body.block_inst(node), None),
            },
            Origin::Contents(variable) => {
                let variable = self.memory.variable(variable).inst;
                (Reason::Contents, inst, Some(Fact::Value(variable)))
            }
            Origin::Returned(callee) => (Reason::Returned { callee }, inst, None),
        }
    }

    /// The fact that explains an operand: the value itself if it differs already.
    fn fact_of_use(&self, user: Inst, operand: usize) -> Fact {
        let value = self.body.find(user).and_then(|number| self.body.operands(number).get(operand).copied());
        match value.filter(|&value| value != NONE) {
            Some(value) if self.facts.values[value as usize].level.differs() => Fact::Value(self.body.inst(value)),
            _ => Fact::Use { user, operand },
        }
    }

    fn by_branch(&self, node: u32, reason: impl Fn(Block) -> Reason) -> (Reason, Inst, Option<Fact>) {
        let block = self.body.block(node);
        let place = self.body.terminator(node).map_or(block.inst(), |last| self.body.inst(last));
        (reason(block), place, Some(Fact::Branch(block)))
    }

    fn cause_of_use(&self, user: Inst, operand: usize) -> (Reason, Inst, Option<Fact>) {
        match self.level_of_use(user, operand) {
            (Level::Divergent, Some(branch)) => {
                let (reason, _, next) = self.by_branch(branch, |branch| Reason::Instances { branch });
                (reason, user, next)
            }
            _ => (Reason::Operand(operand), user, Some(self.fact_of_use(user, operand))),
        }
    }

    fn cause_of_branch(&self, block: Block) -> (Reason, Inst, Option<Fact>) {
        let node = self.body.node_of(block);
        let place = self.body.terminator(node).map_or(block.inst(), |last| self.body.inst(last));
        match self.facts.blocks[node as usize].branch {
            Origin::Operand(operand) => (Reason::Condition, place, Some(self.fact_of_use(place, operand as usize))),
            Origin::Separated(branch) => self.by_branch(branch, |branch| Reason::Separated { branch }),
            _ => (Reason::Source(Source::Unstructured), place, None),
        }
    }

    fn cause_of_block(&self, block: Block) -> (Reason, Inst, Option<Fact>) {
        let node = self.body.node_of(block);
        let is_apart = !self.is_converged(block);
        match self.separator(node).filter(|_| is_apart).or_else(|| self.leaver(node)) {
            Some(branch) => self.by_branch(branch, |branch| Reason::Separated { branch }),
            None => (Reason::Source(Source::Unstructured), block.inst(), None),
        }
    }

    fn separator(&self, node: u32) -> Option<u32> {
        self.facts.separations.get(node as usize).copied().filter(|&branch| branch != NONE)
    }

    fn leaver(&self, node: u32) -> Option<u32> {
        self.facts.shape.leaver(node)
    }
}
