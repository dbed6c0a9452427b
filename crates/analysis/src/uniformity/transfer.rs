//! The variation of an instruction's result in a module: the rules, and what depends on the rest of the function and of the module.

use reconverge_ir::{Op, view};

use super::cause::Source;
use super::level::Level;
use super::origin::Origin;
use super::propagation::Propagation;
use super::rules::{Rules, root_of};
use super::variation::Evidence;

impl Propagation<'_> {
    /// The level of an instruction that is neither a block parameter nor a terminator, and its origin.
    pub(super) fn evaluate(&self, number: u32) -> (Level, Origin) {
        match self.possible(number) {
            // The level of a parameter is that of its arguments.
            (_, Origin::Source(source))
                if self.context.evidence == Evidence::Shown && !source.is_shown() && source != Source::Parameter =>
            {
                let level = |operand: u32| self.use_level(number, operand);
                self.rules().strict(self.body.inst(number), self.body.op(number), level)
            }
            possible => possible,
        }
    }

    fn rules(&self) -> Rules<'_> {
        Rules { module: self.module, setting: &self.context.setting, launch: None }
    }

    /// The level, regardless of the evidence.
    fn possible(&self, number: u32) -> (Level, Origin) {
        match self.body.op(number) {
            Op::FunctionParameter => self.parameter(number),
            Op::FunctionCall => self.call(number),
            Op::Load if let Some(contents) = self.contents(number) => contents,
            op => self.rules().evaluate(self.body.inst(number), op, |operand| self.use_level(number, operand)),
        }
    }

    fn parameter(&self, number: u32) -> (Level, Origin) {
        let level = self.parameters.get(number as usize).copied().unwrap_or(Level::Divergent);
        (level, if level.differs() { Origin::Source(Source::Parameter) } else { Origin::Nothing })
    }

    /// The contents of a tracked variable, if a load reads one at the same place for all lanes.
    fn contents(&self, number: u32) -> Option<(Level, Origin)> {
        let inst = self.body.inst(number);
        let view::Load { pointer, .. } = view::Load::of(self.module, inst)?;
        let variable = self.memory.variable_of(root_of(self.module, pointer).0)?;
        let is_same = self.use_level(number, view::Load::SLOT.pointer as u32) == Level::UNIFORM;
        if !is_same || self.module.memory_access(inst).is_volatile() {
            return None;
        }
        let level = self.memory.level(variable);
        Some((level, if level.differs() { Origin::Contents(variable) } else { Origin::Nothing }))
    }

    fn call(&self, number: u32) -> (Level, Origin) {
        let inst = self.body.inst(number);
        let call = view::FunctionCall::of(self.module, inst);
        let callee = call.and_then(|call| self.module.cast(call.function));
        let Some(summary) = callee.and_then(|callee| self.context.summary(callee)) else {
            return (Level::Divergent, Origin::Source(Source::UnknownFunction));
        };
        if summary.returned == Level::Divergent {
            return (Level::Divergent, Origin::Returned(summary.function));
        }
        let first = view::FunctionCall::SLOT.arguments;
        for operand in first..self.body.operands(number).len() {
            let matters = summary.depends >> (operand - first).min(63) & 1 != 0;
            if matters && self.use_level(number, operand as u32).differs() {
                return (Level::Divergent, Origin::Operand(operand as u32));
            }
        }
        let origin = if summary.returned.differs() { Origin::Returned(summary.function) } else { Origin::Nothing };
        (summary.returned, origin)
    }
}
