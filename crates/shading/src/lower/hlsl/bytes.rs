//! Loads and stores of bytes, and loads of 16 bits where there are words alone, by the words that they are in.
//!
//! ```text
//! buffer.Load(i & 4294967292u) >> i % 4u * 8u      buffer.InterlockedAnd(word, ~(0xffu << n)); buffer.InterlockedOr(word, byte << n);
//! ```
//!
//! Bytes whose place in their word is known are loaded together. A store of a part of a word changes the bits of this part alone, by atomics:
//! other invocations may store to the other bytes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::{Body, Numbers};
use super::raw::{Form, Offset, RawPlace};
use crate::syntax::{Binary, Effects, Expr, Scalar, ScalarKind, Shape, StatementKind, Type, TypeShape, Unary};

/// The bytes of a word.
const WORD: u32 = 4;

/// Bytes in a word.
struct Bytes {
    /// The offset of the word.
    word: Offset,
    /// The bits before them.
    before: Before,
    count: u32,
}

/// A number of bits.
#[derive(Clone, Copy)]
enum Before {
    Known(u32),
    Computed(Expr),
}

impl Body<'_, '_> {
    /// Loads numbers of 8 or 16 bits.
    pub(super) fn load_bytes(&mut self, place: &RawPlace, numbers: Numbers, inst: Inst) -> Result<Expr, Diagnostic> {
        let all = self.type_of_numbers(numbers);
        let (unit, is_float) = (u32::from(numbers.scalar.width / 8), numbers.scalar.is_float());
        let stored = if is_float { numbers.scalar.with(ScalarKind::Uint) } else { numbers.scalar };
        let (one, bits) = (self.cx.text.types.numbers(stored, 1), Numbers { scalar: stored, ..numbers });
        let mut parts = Vec::new();
        for bytes in self.bytes_of_place(place, u32::from(numbers.size) * unit, unit) {
            let word = self.load_word(place, &bytes.word, inst)?;
            let word = self.repeated(word);
            for number in 0..bytes.count / unit {
                let read = self.local(word);
                let bits = self.bits_behind(read, bytes.before, number * unit);
                parts.push(self.construct([bits], one));
            }
        }
        let value = match parts[..] {
            [only] => only,
            _ => {
                let ty = self.type_of_numbers(bits);
                self.construct(parts, ty)
            }
        };
        self.bit_cast(value, all, inst)
    }

    /// Stores numbers of 8 bits in a raw buffer.
    pub(super) fn store_bytes(&mut self, place: &RawPlace, value: Expr) {
        let numbers = self.numbers_of(value);
        let value = self.cast(value, ScalarKind::Uint);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let whole = self.repeated(value);
        let mut next = 0_u8;
        for bytes in self.bytes_of_place(place, numbers.size.into(), 1) {
            let mut joined = None;
            for number in 0..bytes.count {
                let read = self.local(whole);
                let byte = if numbers.size == 1 { read } else { self.swizzle(read, &[next]) };
                let mut bits = self.construct([byte], word);
                if number > 0 {
                    let distance = self.cx.word(number * 8);
                    bits = self.binary(Binary::ShiftLeft, bits, distance, word);
                }
                joined = Some(match joined {
                    Some(joined) => self.binary(Binary::BitOr, joined, bits, word),
                    None => bits,
                });
                next += 1;
            }
            let Some(joined) = joined else { continue };
            self.store_part(place, &bytes, joined);
        }
    }

    /// Stores bytes in a word.
    fn store_part(&mut self, place: &RawPlace, bytes: &Bytes, joined: Expr) {
        if bytes.count == WORD {
            let offset = self.offset(&bytes.word);
            return self.buffer_statement(place, "Store", [offset, joined], Effects::WRITES);
        }
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let of_all = (1 << (bytes.count * 8)) - 1;
        let (kept, bits) = match bytes.before {
            Before::Known(before) => {
                let distance = self.cx.word(before);
                let bits = if before == 0 { joined } else { self.binary(Binary::ShiftLeft, joined, distance, word) };
                (self.cx.word(!(of_all << before)), bits)
            }
            Before::Computed(before) => {
                let distance = self.cx.text.expressions.copy(before);
                let bits = self.binary(Binary::ShiftLeft, joined, distance, word);
                let (mask, distance) = (self.cx.word(of_all), self.cx.text.expressions.copy(before));
                let mask = self.binary(Binary::ShiftLeft, mask, distance, word);
                (self.unary(Unary::Complement, mask), bits)
            }
        };
        let bits = self.repeated(bits);
        let bits = self.local(bits);
        for (name, value) in [("InterlockedAnd", kept), ("InterlockedOr", bits)] {
            let offset = self.offset(&bytes.word);
            self.buffer_statement(place, name, [offset, value], Effects::READS | Effects::WRITES);
        }
    }

    fn buffer_statement(&mut self, place: &RawPlace, name: &'static str, arguments: [Expr; 2], effects: Effects) {
        let object = self.cx.text.expressions.copy(place.object);
        let void = self.cx.text.types.of(TypeShape::Void);
        let arguments = arguments.into_iter().collect();
        let call = self.with_effects(Shape::Method { object, name, arguments }, void, effects);
        self.statement(StatementKind::Expression(call));
    }

    /// The words of some bytes: together as many as are known to be in one word, otherwise the bytes of one number.
    fn bytes_of_place(&mut self, place: &RawPlace, size: u32, unit: u32) -> Vec<Bytes> {
        let Offset { constant, terms } = &place.offset;
        let is_known = terms.iter().all(|&(_, stride)| stride.is_multiple_of(WORD));
        let (mut found, mut at, end) = (Vec::new(), *constant, constant + size);
        while at < end {
            if is_known {
                let next = end.min((at / WORD + 1) * WORD);
                let word = Offset { constant: at / WORD * WORD, terms: terms.clone() };
                found.push(Bytes { word, before: Before::Known(at % WORD * 8), count: next - at });
                at = next;
                continue;
            }
            let offset = self.offset(&Offset { constant: at, terms: terms.clone() });
            found.push(self.number_at(offset, unit));
            at += unit;
        }
        found
    }

    /// The bytes of a number at an offset that is computed.
    fn number_at(&mut self, offset: Expr, count: u32) -> Bytes {
        let ty = self.cx.text.types.numbers(Scalar::UINT, 1);
        let name = self.repeated(offset);
        let (read, mask) = (self.local(name), self.cx.word(!(WORD - 1)));
        let aligned = self.binary(Binary::BitAnd, read, mask, ty);
        let aligned = self.name_value(aligned);
        let (read, bytes) = (self.local(name), self.cx.word(WORD));
        let number = self.binary(Binary::Remainder, read, bytes, ty);
        let bits = self.cx.word(8);
        let before = self.binary(Binary::Multiply, number, bits, ty);
        let before = self.name_value(before);
        let word = Offset { constant: 0, terms: vec![(self.local(aligned), 1)] };
        Bytes { word, before: Before::Computed(self.local(before)), count }
    }

    /// The bits of a word from a byte on.
    fn bits_behind(&mut self, word: Expr, before: Before, number: u32) -> Expr {
        let ty: Type = self.type_of(word);
        let distance = match before {
            Before::Known(before) if before + number * 8 == 0 => return word,
            Before::Known(before) => self.cx.word(before + number * 8),
            Before::Computed(before) => self.cx.text.expressions.copy(before),
        };
        self.binary(Binary::ShiftRight, word, distance, ty)
    }

    /// The word at an offset that is a multiple of its size.
    fn load_word(&mut self, place: &RawPlace, offset: &Offset, inst: Inst) -> Result<Expr, Diagnostic> {
        let one = Numbers { scalar: Scalar::UINT, size: 1 };
        let place = RawPlace { offset: offset.clone(), ..place.clone() };
        match place.form {
            Form::Bytes => self.load_numbers(&place, one, inst),
            Form::Words => self.load_words(&place, one, inst),
        }
    }
}
