//! Bit casts, by the widths of the operand and of the result.
//!
//! | | 16 bits | 32 bits | 64 bits |
//! |---|---|---|---|
//! | float → integer | `asuint16`, `asint16` | `asuint`, `asint` | `asuint(x, low, high)`, and shifts of the words |
//! | integer → float | `asfloat16` | `asfloat` | `asdouble(low, high)` |
//!
//! Integers become integers of another width by shifts, through words of 32 bits: two or four of 8 bits are a word, as one or two of 16 bits. Vectors
//! of 64-bit numbers go by component.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Effects, Expr, Literal, Scalar, ScalarKind, StatementKind, Type, TypeShape};
use crate::write::WriteCode;

const LONG: Scalar = Scalar { kind: ScalarKind::Uint, width: 64 };

impl Body<'_, '_> {
    /// The bits of numbers as numbers of another type.
    pub(in crate::lower) fn hlsl_bit_cast(&mut self, operand: Expr, ty: Type, place: Inst) -> Result<Expr, Diagnostic> {
        let (from, to) = (self.numbers_of(operand), self.numbers_of_type(ty));
        if from == to {
            return Ok(operand);
        }
        if from.scalar.width == to.scalar.width && from.size == to.size {
            return self.equal_width(operand, to, place);
        }
        let bits = Numbers { scalar: from.scalar.with(ScalarKind::Uint), ..from };
        let bits = self.equal_width(operand, bits, place)?;
        let words = self.as_words(bits, place)?;
        let wanted = Numbers { scalar: to.scalar.with(ScalarKind::Uint), ..to };
        let bits = self.of_words(&words, wanted, place)?;
        self.equal_width(bits, to, place)
    }

    /// The same bits in numbers of the same width.
    fn equal_width(&mut self, operand: Expr, to: Numbers, place: Inst) -> Result<Expr, Diagnostic> {
        let from = self.numbers_of(operand);
        if from == to {
            return Ok(operand);
        }
        if let Some(folded) = self.literal_bits(operand, to, place)? {
            return Ok(folded);
        }
        let ty = self.type_of_numbers(to);
        let name = match (from.scalar.kind, to.scalar.kind, to.scalar.width) {
            (ScalarKind::Int | ScalarKind::Uint, ScalarKind::Int | ScalarKind::Uint, _) => {
                return Ok(self.cast(operand, to.scalar.kind));
            }
            (ScalarKind::Float, ScalarKind::Int, 32) => "asint",
            (ScalarKind::Float, ScalarKind::Uint, 32) => "asuint",
            (_, ScalarKind::Float, 32) => "asfloat",
            (ScalarKind::Float, ScalarKind::Int, 16) => "asint16",
            (ScalarKind::Float, ScalarKind::Uint, 16) => "asuint16",
            (_, ScalarKind::Float, 16) => "asfloat16",
            (_, _, 64) => return self.by_words(operand, to, place),
            _ => return self.refuse(WriteCode::Op, place, format!("bitcast of {} bits in HLSL", to.scalar.width)),
        };
        Ok(self.call(name, &[operand], ty))
    }

    /// The bits of a literal, which the language may take for one of another width.
    fn literal_bits(&mut self, operand: Expr, to: Numbers, place: Inst) -> Result<Option<Expr>, Diagnostic> {
        let (from, ty) = (self.numbers_of(operand).scalar, self.type_of_numbers(to));
        if from.width != 32 {
            return Ok(None);
        }
        Ok(match self.cx.text.expressions.literal(operand) {
            Some(Literal::Float(value)) => Some(self.cx.number(u64::from((value as f32).to_bits()), ty, place)?),
            Some(Literal::Int(value)) => Some(self.cx.number(u64::from(value as u32), ty, place)?),
            Some(Literal::Uint(value)) => Some(self.cx.number(value, ty, place)?),
            _ => None,
        })
    }

    /// Numbers of 64 bits with the same bits, over their words.
    fn by_words(&mut self, operand: Expr, to: Numbers, place: Inst) -> Result<Expr, Diagnostic> {
        let from = self.numbers_of(operand);
        if from.scalar.is_integer() {
            let bits = self.cast(operand, ScalarKind::Uint);
            let words = self.as_words(bits, place)?;
            let one = self.cx.text.types.numbers(to.scalar, 1);
            let pairs: Vec<[Expr; 2]> = words.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
            let parts: Vec<Expr> = pairs.into_iter().map(|pair| self.call("asdouble", &pair, one)).collect();
            return Ok(self.joined(parts, to));
        }
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let whole = self.repeated(operand);
        let mut words = Vec::new();
        for component in 0..from.size {
            let (low, high) = (self.variable("low", word), self.variable("high", word));
            let value = self.local(whole);
            let value = if from.size == 1 { value } else { self.swizzle(value, &[component]) };
            let outs = [value, self.local(low), self.local(high)];
            let void = self.cx.text.types.of(TypeShape::Void);
            let call = self.call_with("asuint", &outs, void, Effects::WRITES);
            self.statement(StatementKind::Expression(call));
            words.extend([self.local(low), self.local(high)]);
        }
        let bits = self.of_words(&words, Numbers { scalar: LONG, ..to }, place)?;
        Ok(self.cast(bits, to.scalar.kind))
    }

    fn joined(&mut self, parts: Vec<Expr>, to: Numbers) -> Expr {
        match parts[..] {
            [only] => only,
            _ => {
                let ty = self.type_of_numbers(to);
                self.construct(parts, ty)
            }
        }
    }

    /// Unsigned integers as words of 32 bits, the lowest first.
    fn as_words(&mut self, bits: Expr, place: Inst) -> Result<Vec<Expr>, Diagnostic> {
        let from = self.numbers_of(bits);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let whole = self.repeated(bits);
        let component = |body: &mut Self, number: u8| {
            let value = body.local(whole);
            if from.size == 1 { value } else { body.swizzle(value, &[number]) }
        };
        let mut words = Vec::new();
        match from.scalar.width {
            32 => words.extend((0..from.size).map(|number| component(self, number))),
            64 => {
                for number in 0..from.size {
                    let value = component(self, number);
                    words.push(self.construct([value], word));
                    let (value, bits) = (component(self, number), self.splat(32, Numbers { scalar: LONG, size: 1 }));
                    let long = self.type_of(value);
                    let high = self.binary(Binary::ShiftRight, value, bits, long);
                    words.push(self.construct([high], word));
                }
            }
            width @ (8 | 16) => {
                for first in (0..from.size).step_by(usize::from(32 / width)) {
                    let part = component(self, first);
                    let mut joined = self.construct([part], word);
                    for number in first + 1..from.size.min(first + 32 / width) {
                        let part = component(self, number);
                        let (part, bits) =
                            (self.construct([part], word), self.cx.word(u32::from((number - first) * width)));
                        let part = self.binary(Binary::ShiftLeft, part, bits, word);
                        joined = self.binary(Binary::BitOr, joined, part, word);
                    }
                    words.push(joined);
                }
            }
            width => return self.refuse(WriteCode::Op, place, format!("bitcast from {width} bits in HLSL")),
        }
        Ok(words)
    }

    /// Unsigned integers of words of 32 bits.
    fn of_words(&mut self, words: &[Expr], to: Numbers, place: Inst) -> Result<Expr, Diagnostic> {
        let one = self.cx.text.types.numbers(to.scalar, 1);
        let mut parts = Vec::new();
        match to.scalar.width {
            32 => parts.extend(words.iter().copied()),
            64 => {
                for pair in words.chunks(2) {
                    let &[low, high] = pair else {
                        return self.refuse(WriteCode::Op, place, "bitcast of an odd number of words");
                    };
                    let (low, high) = (self.construct([low], one), self.construct([high], one));
                    let bits = self.splat(32, Numbers { scalar: LONG, size: 1 });
                    let high = self.binary(Binary::ShiftLeft, high, bits, one);
                    parts.push(self.binary(Binary::BitOr, low, high, one));
                }
            }
            width @ (8 | 16) => {
                for &word in words {
                    let name = self.repeated(word);
                    for number in 0..32 / width {
                        let whole = self.local(name);
                        parts.push(self.bits_from(whole, number * width, one));
                    }
                }
                parts.truncate(usize::from(to.size));
            }
            width => return self.refuse(WriteCode::Op, place, format!("bitcast to {width} bits in HLSL")),
        }
        Ok(self.joined(parts, to))
    }

    /// Some bits of a word, as many as a type of fewer bits has.
    fn bits_from(&mut self, word: Expr, first: u8, short: Type) -> Expr {
        let (ty, width) = (self.type_of(word), self.numbers_of_type(short).scalar.width);
        let mut bits = word;
        if first > 0 {
            let distance = self.cx.word(u32::from(first));
            bits = self.binary(Binary::ShiftRight, word, distance, ty);
        } else if width == 16 {
            let mask = self.cx.word(0xffff);
            bits = self.binary(Binary::BitAnd, word, mask, ty);
        }
        self.construct([bits], short)
    }

    /// A function on the bits of integers of 32 bits.
    pub(super) fn bits_by(&mut self, name: &'static str, operand: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        let value = self.value_as(operand, ScalarKind::Uint)?;
        let numbers = self.numbers_of(value);
        if numbers.scalar.width != 32 {
            let message = format!("{} of {} bits in HLSL", self.source.op(inst).name(), numbers.scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let ty = self.type_of(value);
        let found = self.call(name, &[value], ty);
        self.as_result(inst, found)
    }
}
