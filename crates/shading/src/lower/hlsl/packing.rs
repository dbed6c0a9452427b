//! Numbers that are packed in words: `PackHalf2x16`, `UnpackUnorm4x8` and the others.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::GlslStd450Op as Glsl;

use super::super::function::{Body, Numbers};
use crate::syntax::{Arguments, Binary, Expr, Literal, Scalar, ScalarKind, Type};

/// A form of packed numbers.
#[derive(Clone, Copy)]
struct Packing {
    count: u8,
    is_signed: bool,
    /// The largest number.
    scale: f64,
}

impl Packing {
    fn of(op: Glsl) -> Option<Packing> {
        let (count, is_signed, scale) = match op {
            Glsl::PackSnorm4x8 | Glsl::UnpackSnorm4x8 => (4, true, 127.0),
            Glsl::PackUnorm4x8 | Glsl::UnpackUnorm4x8 => (4, false, 255.0),
            Glsl::PackSnorm2x16 | Glsl::UnpackSnorm2x16 => (2, true, 32767.0),
            Glsl::PackUnorm2x16 | Glsl::UnpackUnorm2x16 => (2, false, 65535.0),
            _ => return None,
        };
        Some(Packing { count, is_signed, scale })
    }

    /// The bits of a number.
    fn bits(self) -> u32 {
        32 / u32::from(self.count)
    }
}

impl Body<'_, '_> {
    /// A word of packed numbers.
    pub(super) fn packed(&mut self, inst: Inst, op: Glsl, operand: Inst) -> Result<Expr, Diagnostic> {
        let value = self.value(operand)?;
        let Some(packing) = Packing::of(op) else {
            let halves = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 2 });
            let halves = self.call("f32tof16", &[value], halves);
            let word = self.side_by_side(halves, 2);
            return self.as_result(inst, word);
        };
        let float = self.type_of(value);
        let one = self.cx.text.types.numbers(Scalar::FLOAT, 1);
        let (low, high) = (if packing.is_signed { -1.0 } else { 0.0 }, 1.0);
        let bounds = [low, high].map(|bound| self.cx.literal(Literal::Float(bound), one));
        let clamped = self.call("clamp", &[value, bounds[0], bounds[1]], float);
        let scale = self.cx.literal(Literal::Float(packing.scale), one);
        let scaled = self.binary(Binary::Multiply, clamped, scale, float);
        let rounded = self.call("round", &[scaled], float);
        let kind = if packing.is_signed { ScalarKind::Int } else { ScalarKind::Uint };
        let integers = Numbers { scalar: Scalar { kind, width: 32 }, size: packing.count };
        let ty = self.type_of_numbers(integers);
        let mut numbers = self.construct([rounded], ty);
        if packing.is_signed {
            numbers = self.masked(numbers, (1 << packing.bits()) - 1, ty);
            numbers = self.cast(numbers, ScalarKind::Uint);
        }
        let word = self.side_by_side(numbers, packing.count);
        self.as_result(inst, word)
    }

    /// The components of a vector in one word, the first in the lowest bits.
    fn side_by_side(&mut self, numbers: Expr, count: u8) -> Expr {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let name = self.repeated(numbers);
        let whole = self.local(name);
        let mut packed = self.swizzle(whole, &[0]);
        for component in 1..count {
            let whole = self.local(name);
            let part = self.swizzle(whole, &[component]);
            let part = self.shifted(Binary::ShiftLeft, part, 32 / u32::from(count) * u32::from(component), word);
            packed = self.binary(Binary::BitOr, packed, part, word);
        }
        packed
    }

    /// The numbers in a word.
    pub(super) fn hlsl_unpacked(&mut self, op: Glsl, operand: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value_as(operand, ScalarKind::Uint)?;
        let word = self.type_of(value);
        let Some(packing) = Packing::of(op) else {
            let name = self.repeated(value);
            let low = self.local(name);
            let high = self.local(name);
            let high = self.shifted(Binary::ShiftRight, high, 16, word);
            let halves = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size: 2 });
            let halves = self.construct([low, high], halves);
            return Ok(self.call("f16tof32", &[halves], ty));
        };
        let kind = if packing.is_signed { ScalarKind::Int } else { ScalarKind::Uint };
        let scalar = Scalar { kind, width: 32 };
        let (one, several) =
            (self.cx.text.types.numbers(scalar, 1), self.type_of_numbers(Numbers { scalar, size: packing.count }));
        let value = self.cast(value, kind);
        let name = self.repeated(value);
        let bits = packing.bits();
        let mut parts = Arguments::new();
        for component in 0..u32::from(packing.count) {
            let whole = self.local(name);
            parts.push(match packing.is_signed {
                true => {
                    let up = self.shifted(Binary::ShiftLeft, whole, 32 - bits * (component + 1), one);
                    self.shifted(Binary::ShiftRight, up, 32 - bits, one)
                }
                false => {
                    let down = self.shifted(Binary::ShiftRight, whole, bits * component, one);
                    let is_last = bits * (component + 1) == 32;
                    if is_last { down } else { self.masked(down, (1 << bits) - 1, one) }
                }
            });
        }
        let integers = self.construct(parts, several);
        let floats = self.construct([integers], ty);
        let number = self.cx.text.types.numbers(Scalar::FLOAT, 1);
        let scale = self.cx.literal(Literal::Float(packing.scale), number);
        let value = self.binary(Binary::Divide, floats, scale, ty);
        if !packing.is_signed {
            return Ok(value);
        }
        let bounds = [-1.0, 1.0].map(|bound| self.cx.literal(Literal::Float(bound), number));
        Ok(self.call("clamp", &[value, bounds[0], bounds[1]], ty))
    }
}
