//! Instructions whose result depends on operands alone: their rule emits them (`rules/`).

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup, view};
use reconverge_lanes::patterns::{Operation, Typed};

use super::emit::{Emitter, Word};
use super::rules::{Computation, rule_of};
use super::selector::Selector;
use super::value::{ScalarType, Words, one};
use super::values::{Selected, Values};
use crate::requirements;

impl Selector<'_> {
    /// Selects an instruction without effects.
    pub(crate) fn select_computation(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        if op == Op::CompositeExtract {
            return self.select_part(inst);
        }
        if matches!(op.group(), OpGroup::PointerConversion | OpGroup::Bitcast) && self.values.is_place(inst) {
            return Err(self.values.unsupported(inst, "the address of private memory as a number"));
        }
        let typed = Typed::of(self.values.module, inst);
        let found = typed.as_ref().and_then(|typed| Some((typed, rule_of(typed)?)));
        let (typed, emit) = found.ok_or_else(|| requirements::without_rule(self.values.module, inst))?;
        let first = match typed.operation {
            Operation::Op(_) => 0,
            Operation::Glsl(_) => view::ExtInst::SLOT.operands,
        };
        let operands = (0..typed.operands.len()).map(|place| self.values.module.operand(inst, first + place)).collect();
        let selected = emit(self, &Computation::new(inst, typed, operands))?;
        self.values.set(inst, selected);
        Ok(())
    }

    /// A part of a result that has several.
    fn select_part(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let index = view::CompositeExtract::of(self.values.module, inst).and_then(|extract| extract.indexes.first());
        let (Some(Selected::Pair(parts)), Some(index)) = (self.values.get(self.values.module.operand(inst, 0)), index)
        else {
            return Err(requirements::without_rule(self.values.module, inst));
        };
        // A ballot has no lanes after its first words.
        let part = parts.get(index as usize).cloned().unwrap_or_else(|| one(Word::Constant(0)));
        self.values.set(inst, part);
        Ok(())
    }
}

impl Values<'_> {
    fn is_place(&self, inst: Inst) -> bool {
        matches!(self.get(self.module.operand(inst, 0)), Some(Selected::Place(_)))
    }
}

impl Emitter {
    /// Keeps the bits of a narrow integer.
    pub(super) fn narrowed(&mut self, word: Word, ty: ScalarType) -> Words {
        one(match ty {
            ScalarType::Int(bits @ (8 | 16)) => self.zero_extended(word, bits),
            _ => word,
        })
    }

    /// A word with the sign of a narrow integer.
    pub(super) fn signed(&mut self, word: Word, ty: ScalarType) -> Word {
        match ty {
            ScalarType::Int(bits @ (8 | 16)) => self.sign_extended(word, bits),
            _ => word,
        }
    }
}
