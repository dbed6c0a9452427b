//! Bit fields, and the order of bits.

use reconverge_ir::Op;

use super::Emitter;
use super::forms::VectorOp as V;
use super::lanes::{Lanes, Source};
use crate::machine::VReg;
use crate::select::value::{ScalarType, Value};

impl Emitter<'_> {
    /// A field of an integer: base, offset and count, which are of one type. A field that does not lie inside gives any result.
    pub fn field_extract(&mut self, op: Op, bits: u32, field: [&Value; 3]) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        let [base, offset, count] = field;
        let mask = self.field_mask(bits, count)?;
        let moved = self.shift(Op::ShiftRightLogical, bits, base, offset)?;
        let field = self.binary(Op::BitwiseAnd, ty, &moved, &mask)?;
        if op == Op::BitFieldUExtract {
            return Some(field);
        }
        // The highest bit of the mask is the sign: (x ^ sign) − sign.
        let one = self.constant(ty, 1);
        let below = self.shift(Op::ShiftRightLogical, bits, &mask, &one)?;
        let sign = self.binary(Op::BitwiseXor, ty, &mask, &below)?;
        let flipped = self.binary(Op::BitwiseXor, ty, &field, &sign)?;
        self.binary(Op::ISub, ty, &flipped, &sign)
    }

    /// A field of `base` replaced by the low bits of `insert`.
    pub fn field_insert(&mut self, bits: u32, base: &Value, insert: &Value, field: [&Value; 2]) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        let [offset, count] = field;
        let mask = self.field_mask(bits, count)?;
        let mask = self.shift(Op::ShiftLeftLogical, bits, &mask, offset)?;
        let moved = self.shift(Op::ShiftLeftLogical, bits, insert, offset)?;
        // base ^ ((base ^ insert) & mask)
        let differing = self.binary(Op::BitwiseXor, ty, base, &moved)?;
        let differing = self.binary(Op::BitwiseAnd, ty, &differing, &mask)?;
        self.binary(Op::BitwiseXor, ty, base, &differing)
    }

    /// As many low bits as a field has: none for a count of zero, all for the width.
    fn field_mask(&mut self, bits: u32, count: &Value) -> Option<Value> {
        let ty = ScalarType::Int(bits);
        let ones = self.constant(ty, u64::MAX >> (64 - bits));
        let zero = self.constant(ty, 0);
        let width = self.constant(ty, u64::from(bits));
        let rest = self.binary(Op::ISub, ty, &width, count)?;
        let mask = self.shift(Op::ShiftRightLogical, bits, &ones, &rest)?;
        let is_empty = self.compare(Op::IEqual, ty, count, &zero)?;
        self.select(ty, &is_empty, &zero, &mask)
    }
}

impl Lanes<'_, '_> {
    /// The bits in opposite order: those of each half byte by a table, bytes by a shuffle.
    pub(super) fn reversed(&mut self, bits: u32, a: Source) -> VReg {
        const NIBBLES: Source = Source::Constant(0x0f0f_0f0f_0f0f_0f0f);
        const REVERSED: [u8; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];
        let high = self.shifted_right(a, 4);
        let (low, high) = (self.and(a, NIBBLES), self.and(high, NIBBLES));
        let table = self.table_of(&REVERSED);
        let (low, high) = (self.two(V::Vpshufb, table, low), self.two(V::Vpshufb, table, high));
        let low = self.shifted_left(low, 4);
        let bytes = self.or(low, high);
        let size = self.bits() as u8 / 8;
        let order = std::array::from_fn(|byte| byte as u8 / size * size + (size - 1 - byte as u8 % size));
        let order = self.table_of(&order);
        let reversed = self.two(V::Vpshufb, bytes, order);
        if bits < 32 { self.shifted_right(reversed, 32 - bits) } else { reversed }
    }
}
