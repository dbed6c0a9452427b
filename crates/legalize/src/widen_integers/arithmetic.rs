//! Operations on widened integers.
//!
//! | operations | operands | result |
//! |---|---|---|
//! | bitwise, unsigned division and minimum, selections, moves | as they are | as it is |
//! | addition, product, left shift, negation, complement | as they are | masked |
//! | signed division, minimum, right shift, conversion to floating point | sign-extended | masked |
//! | comparisons | sign-extended if they are signed | a boolean |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Class, Inst, Op, OpGroup, Position, view};
use spirv::GlslStd450Op;

use super::Widening;
use super::types::narrow_width;
use reconverge_rewrite::scalars::splat;

/// The requirements of an operation on its operands, and its effect on the bits above those of its result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Treatment {
    /// Nothing, and they stay zero.
    Plain,
    /// Nothing, and they must be cleared.
    Masked,
    /// Signs, and they must be cleared.
    Signed,
    /// Operand 0 needs its sign, and they must be cleared.
    SignedFirst,
    /// The result is in the upper bits.
    Reversed,
}

impl Widening<'_> {
    /// An operation whose operands and result keep their roles.
    pub(super) fn arithmetic(&mut self, inst: Inst, op: Op, old: &[Option<Inst>]) -> Result<(), Diagnostic> {
        let treatment = self.treatment(inst, op).ok_or_else(|| self.unsupported(inst, op.name()))?;
        let signed = match treatment {
            Treatment::Signed => old.len(),
            Treatment::SignedFirst => 1,
            Treatment::Plain | Treatment::Masked | Treatment::Reversed => 0,
        };
        for (index, ty) in old.iter().enumerate().take(signed) {
            let Some(width) = ty.and_then(|ty| narrow_width(self.module, ty)) else { continue };
            let operand = self.module.operand(inst, index);
            let extended = self.sign_extended(Position::Before(inst), operand, width);
            self.module.edit().set_operand(inst, index, extended);
        }
        let Some(&ty) = self.narrow.get(&inst) else { return Ok(()) };
        let wide = self.types.wide(self.module, ty);
        self.module.edit().set_type(inst, wide);
        let Some(width) = narrow_width(self.module, ty).filter(|_| treatment != Treatment::Plain) else {
            return Ok(());
        };
        let mut build = Builder::new(self.module);
        let (op, amount) = match treatment {
            Treatment::Reversed => (Op::ShiftRightLogical, 32 - width),
            _ => (Op::BitwiseAnd, (1 << width) - 1),
        };
        let amount = splat(&mut build, wide, amount.into());
        let narrowed = build.editor().insert(Position::After(inst), op, Some(wide), &[inst, amount]);
        build.editor().replace_all_uses(inst, narrowed);
        build.editor().set_operand(narrowed, 0, inst);
        Ok(())
    }

    fn treatment(&self, inst: Inst, op: Op) -> Option<Treatment> {
        Some(match op {
            Op::IAdd | Op::ISub | Op::IMul | Op::SNegate | Op::Not | Op::ShiftLeftLogical => Treatment::Masked,
            Op::ConvertFToU | Op::ConvertFToS | Op::BitFieldSExtract | Op::BitFieldInsert => Treatment::Masked,
            Op::GroupNonUniformIAdd | Op::GroupNonUniformIMul => Treatment::Masked,
            Op::SDiv | Op::SRem | Op::SMod | Op::ConvertSToF => Treatment::Signed,
            Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual => Treatment::Signed,
            Op::GroupNonUniformSMin | Op::GroupNonUniformSMax => Treatment::Signed,
            Op::ShiftRightArithmetic => Treatment::SignedFirst,
            Op::BitReverse => Treatment::Reversed,
            Op::ExtInst => self.extended(inst)?,
            _ if view::Chain::covers(op) => Treatment::Signed,
            Op::UDiv | Op::UMod | Op::ShiftRightLogical | Op::ConvertUToF => Treatment::Plain,
            Op::BitCount | Op::BitFieldUExtract => Treatment::Plain,
            Op::BlockParameter | Op::Branch | Op::Loop | Op::Select | Op::CopyObject => Treatment::Plain,
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => return None,
            _ if op.group() == OpGroup::Bitwise || op.group() == OpGroup::IntegerComparison => Treatment::Plain,
            _ if op.class() == Class::Composite || op.class() == Class::Group => Treatment::Plain,
            _ => return None,
        })
    }

    fn extended(&self, inst: Inst) -> Option<Treatment> {
        let call = view::ExtInst::of(self.module, inst)?;
        if !self.module.is_instruction_set(call.set, "GLSL.std.450") {
            return None;
        }
        match GlslStd450Op::from_u32(call.instruction)? {
            GlslStd450Op::UMin | GlslStd450Op::UMax | GlslStd450Op::UClamp => Some(Treatment::Plain),
            GlslStd450Op::FindILsb => Some(Treatment::Masked),
            GlslStd450Op::SAbs
            | GlslStd450Op::SSign
            | GlslStd450Op::SMin
            | GlslStd450Op::SMax
            | GlslStd450Op::SClamp => Some(Treatment::Signed),
            _ => None,
        }
    }

    /// `u_convert` and `s_convert`.
    pub(super) fn convert(&mut self, inst: Inst, op: Op, old: Option<Inst>) -> Result<(), Diagnostic> {
        let operand = self.module.operand(inst, 0);
        let from = old.and_then(|ty| narrow_width(self.module, ty));
        let to = self.width(inst);
        let ty = self.old_type(inst).ok_or_else(|| self.unsupported(inst, op.name()))?;
        let wide = self.types.wide(self.module, ty);
        let mut value = match from {
            Some(from) if op == Op::SConvert && to.is_none_or(|to| to > from) => {
                self.sign_extended(Position::Before(inst), operand, from)
            }
            _ => operand,
        };
        if self.module.ty(value) != Some(wide) {
            value = self.module.edit().insert(Position::Before(inst), Op::Bitcast, Some(wide), &[value]);
        }
        if let Some(to) = to.filter(|&to| op == Op::SConvert || from.is_none_or(|from| from > to)) {
            value = self.masked(Position::Before(inst), value, to);
        }
        self.replace(inst, value);
        Ok(())
    }

    /// A widened integer with copies of its sign in the upper bits.
    fn sign_extended(&mut self, position: Position, value: Inst, width: u32) -> Inst {
        let ty = self.module.ty(value).expect("invariant: an operand has a type");
        let mut build = Builder::new(self.module);
        let amount = splat(&mut build, ty, (32 - width).into());
        let up = build.editor().insert(position, Op::ShiftLeftLogical, Some(ty), &[value, amount]);
        build.editor().insert(position, Op::ShiftRightArithmetic, Some(ty), &[up, amount])
    }

    /// A value without its bits from a width on.
    pub(super) fn masked(&mut self, position: Position, value: Inst, width: u32) -> Inst {
        let ty = self.module.ty(value).expect("invariant: an operand has a type");
        let mut build = Builder::new(self.module);
        let mask = splat(&mut build, ty, (1 << width) - 1);
        build.editor().insert(position, Op::BitwiseAnd, Some(ty), &[value, mask])
    }
}
