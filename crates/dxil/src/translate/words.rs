//! Numbers as words of 32 bits, components of vectors, and other small steps that operations share.

use reconverge_ir::{Inst, Op};

use super::Shader;
use super::function::Body;
use super::numbers::Number;

impl Shader<'_> {
    /// The floating-point constant of a number that has exactly this value: small integers and powers of two.
    pub(super) fn float(&mut self, number: Number, value: f32) -> Inst {
        let ty = self.number_type(number);
        match number.represented {
            16 => {
                // A normal number of few bits: the exponent changes its bias, and the fraction loses zeros.
                let bits = value.to_bits();
                let half = match value == 0.0 {
                    true => bits >> 16,
                    false => bits >> 16 & 0x8000 | ((bits >> 23 & 0xff) - 112) << 10 | bits >> 13 & 0x3ff,
                };
                self.build.constant_word(ty, half)
            }
            32 => self.build.constant_word(ty, value.to_bits()),
            _ => self.constant(number, f64::from(value).to_bits()),
        }
    }

    /// The struct of two numbers of one type, as operations with two results return it.
    pub(super) fn pair_type(&mut self, ty: Inst) -> Inst {
        if let Some(&known) = self.pair_types.get(&ty) {
            return known;
        }
        let pair = self.build.editor().append_global(Op::TypeStruct, None, &[ty, ty]);
        self.pair_types.insert(ty, pair);
        pair
    }
}

impl Body<'_, '_> {
    /// A component of a vector.
    pub(super) fn component(&mut self, ty: Inst, vector: Inst, index: u32) -> Inst {
        let index = self.shader.build.editor().word(index);
        self.emit(Op::CompositeExtract, ty, &[vector, index])
    }

    /// A vector of numbers, or the only one.
    pub(super) fn gathered(&mut self, number: Number, values: &[Inst]) -> Inst {
        let ty = self.shader.numbers_type(number, values.len() as u32);
        match values {
            [only] => *only,
            _ if values.iter().all(|&value| self.shader.build.module().op(value).is_constant()) => {
                self.shader.build.emit(Op::ConstantComposite, Some(ty), values)
            }
            _ => self.emit(Op::CompositeConstruct, ty, values),
        }
    }

    /// A number of 64 bits from its words.
    pub(super) fn join_words(&mut self, number: Number, low: Inst, high: Inst) -> Inst {
        let (pair, ty) = (self.shader.numbers_type(Number::U32, 2), self.shader.number_type(number));
        let words = self.emit(Op::CompositeConstruct, pair, &[low, high]);
        self.emit(Op::Bitcast, ty, &[words])
    }

    /// The words of a number of 64 bits, the low one first.
    pub(super) fn split_words(&mut self, value: Inst) -> [Inst; 2] {
        let (pair, ty) = (self.shader.numbers_type(Number::U32, 2), self.shader.int_type(32));
        let words = self.emit(Op::Bitcast, pair, &[value]);
        [0, 1].map(|index| self.component(ty, words, index))
    }

    /// A word as an integer of another width: its low bits.
    pub(super) fn narrowed(&mut self, number: Number, word: Inst) -> Inst {
        let ty = self.shader.number_type(number);
        let inst = if number.represented == 32 { word } else { self.emit(Op::UConvert, ty, &[word]) };
        self.relax_number(inst, number);
        inst
    }

    /// An integer as a word, by a conversion if it is not one already.
    pub(super) fn widened(&mut self, op: Op, number: Number, value: Inst) -> Inst {
        let ty = self.shader.int_type(32);
        if number.represented == 32 { value } else { self.emit(op, ty, &[value]) }
    }

    /// The word that a constant is.
    pub(super) fn known_word(&self, inst: Inst) -> Option<u32> {
        let module = self.shader.build.module();
        match module.op(inst) {
            Op::Constant => module.literal_word(inst),
            _ => None,
        }
    }

    /// The same bits as a value of another type of the same width.
    pub(super) fn reinterpreted(&mut self, ty: Inst, value: Inst) -> Inst {
        if self.shader.build.module().ty(value) == Some(ty) { value } else { self.emit(Op::Bitcast, ty, &[value]) }
    }
}
