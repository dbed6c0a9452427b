//! Conversions of LLVM.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::function::{Body, Translated};
use super::numbers::{Kind, Number};
use crate::module::{CastOp, TypeId, ValueId};

/// Conversions.
impl Body<'_, '_> {
    pub(super) fn cast(&mut self, ty: TypeId, op: CastOp, value: ValueId) -> Result<Translated, Diagnostic> {
        if self.shader.dxil.types.pointee(ty).is_some() || self.shader.dxil.types.pointee(self.type_of(value)).is_some()
        {
            return match op {
                CastOp::BitCast => Ok(Translated::Pointer(self.cast_pointer(value, ty)?)),
                _ => Err(self.unsupported(format!("{} is not supported", op.name()))),
            };
        }
        let from = self.number_of(value)?;
        let to = self.shader.number(ty);
        let Some(to) = to else {
            let message = format!("conversions to {} are not supported", self.shader.type_name(ty));
            return Err(self.unsupported(message));
        };
        let target = self.shader.value_type(ty, self.offset)?;
        let inst = match op {
            CastOp::Trunc if to == Number::BOOL => {
                let bit = self.low_bit(value)?;
                let source = self.shader.build.module().ty(bit).expect("invariant: a value has a type");
                let zero = self.shader.null(source);
                self.emit(Op::INotEqual, target, &[bit, zero])
            }
            CastOp::Trunc => {
                let inst = self.value(value)?;
                self.resized(Op::UConvert, [from, to], target, inst)
            }
            CastOp::ZExt | CastOp::SExt if from == Number::BOOL => {
                let word = if op == CastOp::ZExt { 1 } else { u64::MAX };
                self.choose_number(value, ty, to, word)?
            }
            CastOp::ZExt => {
                let inst = self.unsigned(value)?;
                self.resized(Op::UConvert, [from, to], target, inst)
            }
            CastOp::SExt => {
                let inst = self.signed(value)?;
                self.resized(Op::SConvert, [from, to], target, inst)
            }
            CastOp::UIToFP | CastOp::SIToFP if from == Number::BOOL => {
                let one = float_bits(if op == CastOp::UIToFP { 1.0 } else { -1.0 }, to.width);
                self.choose_number(value, ty, to, one)?
            }
            CastOp::UIToFP => {
                let inst = self.unsigned(value)?;
                self.emit(Op::ConvertUToF, target, &[inst])
            }
            CastOp::SIToFP => {
                let inst = self.signed(value)?;
                self.emit(Op::ConvertSToF, target, &[inst])
            }
            CastOp::FPToUI | CastOp::FPToSI if to == Number::BOOL => {
                return Err(self.unsupported(format!("{} to booleans is not supported", op.name())));
            }
            CastOp::FPToUI => {
                let inst = self.value(value)?;
                self.emit(Op::ConvertFToU, target, &[inst])
            }
            CastOp::FPToSI => {
                let inst = self.value(value)?;
                self.emit(Op::ConvertFToS, target, &[inst])
            }
            CastOp::FPTrunc | CastOp::FPExt => {
                let inst = self.value(value)?;
                self.resized(Op::FConvert, [from, to], target, inst)
            }
            CastOp::BitCast => {
                let is_possible = !from.is_wider() && !to.is_wider();
                let inst = self.value(value)?;
                match self.shader.build.module().ty(inst) == Some(target) {
                    true => inst,
                    false if is_possible && from.kind != Kind::Bool && to.kind != Kind::Bool => {
                        self.emit(Op::Bitcast, target, &[inst])
                    }
                    false => return Err(self.unsupported("bitcast of numbers of at least 16 bits is not supported")),
                }
            }
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
                return Err(self.unsupported(format!("{} is not supported", op.name())));
            }
        };
        self.relax_number(inst, to);
        Ok(Translated::Value(inst))
    }

    /// A conversion between widths; none is needed if both are represented alike.
    fn resized(&mut self, op: Op, [from, to]: [Number; 2], target: Inst, value: Inst) -> Inst {
        if from.represented == to.represented { value } else { self.emit(op, target, &[value]) }
    }

    fn low_bit(&mut self, value: ValueId) -> Result<Inst, Diagnostic> {
        let inst = self.value(value)?;
        let number = self.number_of(value)?;
        if self.is_vector(self.type_of(value)) {
            return Err(self.unsupported("trunc of vectors to booleans is not supported"));
        }
        let one = self.shader.constant(number, 1);
        Ok(self.number(Op::BitwiseAnd, number, &[inst, one]))
    }

    /// A number for true, and zero for false.
    fn choose_number(&mut self, condition: ValueId, ty: TypeId, number: Number, bits: u64) -> Result<Inst, Diagnostic> {
        if self.is_vector(ty) {
            return Err(self.unsupported("conversions of vectors of booleans are not supported"));
        }
        let condition = self.value(condition)?;
        let width_mask = if number.width == 64 { u64::MAX } else { (1 << number.width) - 1 };
        let (one, zero) = (self.shader.constant(number, bits & width_mask), self.shader.constant(number, 0));
        Ok(self.number(Op::Select, number, &[condition, one, zero]))
    }
}

/// The bits of 1 or -1 in a width.
fn float_bits(value: f32, width: u32) -> u64 {
    match width {
        16 => {
            if value < 0.0 {
                0xbc00
            } else {
                0x3c00
            }
        }
        32 => u64::from(value.to_bits()),
        _ => f64::from(value).to_bits(),
    }
}
