//! Scalars and what operations make of them, as far as the result is the same on every device.
//!
//! Integers wrap. What SPIR-V leaves undefined (division by zero, a shift by the width or more) has no result here. Floats of 32
//! and 64 bits are computed in their own format with ties to even, which is what SPIR-V requires of addition, subtraction and
//! multiplication without fast-math flags; division is inexact on devices and has no result, and neither has what is subnormal
//! or not a number, which a device may flush or encode as it likes.

use reconverge_ir::{Inst, Module, Op};

use super::Specialization;

/// The type of a [`Scalar`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Bool,
    /// An integer of 1 to 64 bits.
    Int(u32),
    /// A float of 32 or 64 bits.
    Float(u32),
}

/// A value of a scalar type, as bits; those above the width are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scalar {
    pub(super) kind: Kind,
    pub(super) bits: u64,
}

impl Kind {
    /// The kind of a type, if it is a scalar's.
    pub(super) fn of(module: &Module, ty: Inst) -> Option<Kind> {
        let width = || module.literal_word(module.operand(ty, 0)).filter(|&width| (1..=64).contains(&width));
        match module.op(ty) {
            Op::TypeBool => Some(Kind::Bool),
            Op::TypeInt => width().map(Kind::Int),
            Op::TypeFloat if module.operand_count(ty) == 1 => {
                width().filter(|width| matches!(width, 32 | 64)).map(Kind::Float)
            }
            _ => None,
        }
    }
}

impl Scalar {
    /// The value of a constant; that of a specialization constant, if it is taken for its default.
    pub(super) fn of_constant(module: &Module, constant: Inst, specialization: Specialization) -> Option<Scalar> {
        let kind = Kind::of(module, module.ty(constant)?)?;
        let op = module.op(constant);
        if op.is_specialization_constant() && specialization == Specialization::Open {
            return None;
        }
        let bits = match op {
            Op::ConstantTrue | Op::SpecConstantTrue => 1,
            Op::ConstantFalse | Op::SpecConstantFalse | Op::ConstantNull => 0,
            Op::Constant | Op::SpecConstant => {
                let words = module.literal_words(module.operand(constant, 0));
                let low = u64::from(*words.first()?);
                low | u64::from(words.get(1).copied().unwrap_or(0)) << 32
            }
            _ => return None,
        };
        Some(Scalar::new(kind, bits))
    }

    fn new(kind: Kind, bits: u64) -> Scalar {
        let bits = match kind {
            Kind::Bool => bits & 1,
            Kind::Int(width) | Kind::Float(width) => bits & mask(width),
        };
        Scalar { kind, bits }
    }

    fn bool(value: bool) -> Scalar {
        Scalar::new(Kind::Bool, u64::from(value))
    }

    /// The value of a boolean.
    pub(super) fn as_bool(self) -> Option<bool> {
        (self.kind == Kind::Bool).then_some(self.bits == 1)
    }

    fn float(width: u32, value: f64) -> Option<Scalar> {
        let is_normal = match width {
            32 => (value as f32).is_normal() || value == 0.0,
            _ => value.is_normal() || value == 0.0,
        };
        let bits = match width {
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        (is_normal || value.is_infinite()).then_some(Scalar { kind: Kind::Float(width), bits })
    }

    fn as_float(self) -> Option<f64> {
        match self.kind {
            Kind::Float(32) => Some(f64::from(f32::from_bits(self.bits as u32))),
            Kind::Float(64) => Some(f64::from_bits(self.bits)),
            _ => None,
        }
    }
}

/// All ones in the low bits.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The integer that bits of a width mean with sign.
pub(super) fn signed(width: u32, bits: u64) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

/// What an instruction gives for these operands, `None` if that is not known or not the same everywhere.
pub(super) fn evaluate(op: Op, result: Kind, operands: &[Scalar]) -> Option<Scalar> {
    match *operands {
        [value] => evaluate_one(op, result, value),
        [left, right] => evaluate_two(op, result, left, right),
        [condition, yes, no] if op == Op::Select => Some(if condition.as_bool()? { yes } else { no }),
        _ => None,
    }
}

fn evaluate_one(op: Op, result: Kind, value: Scalar) -> Option<Scalar> {
    let new = |bits: u64| Some(Scalar::new(result, bits));
    match (op, value.kind, result) {
        (Op::CopyObject, ..) => Some(value),
        (Op::LogicalNot, Kind::Bool, _) => Some(Scalar::bool(value.bits == 0)),
        (Op::Not, Kind::Int(_), _) => new(!value.bits),
        (Op::SNegate, Kind::Int(_), _) => new(value.bits.wrapping_neg()),
        (Op::FNegate, Kind::Float(width), _) => Scalar::float(width, -value.as_float()?),
        (Op::UConvert, Kind::Int(_), Kind::Int(_)) => new(value.bits),
        (Op::SConvert, Kind::Int(width), Kind::Int(_)) => new(signed(width, value.bits) as u64),
        (Op::Bitcast, Kind::Int(from) | Kind::Float(from), Kind::Int(to)) if from == to => new(value.bits),
        _ => None,
    }
}

fn evaluate_two(op: Op, result: Kind, left: Scalar, right: Scalar) -> Option<Scalar> {
    match (left.kind, right.kind) {
        (Kind::Bool, Kind::Bool) => {
            let (left, right) = (left.bits == 1, right.bits == 1);
            match op {
                Op::LogicalAnd => Some(Scalar::bool(left && right)),
                Op::LogicalOr => Some(Scalar::bool(left || right)),
                Op::LogicalEqual => Some(Scalar::bool(left == right)),
                Op::LogicalNotEqual => Some(Scalar::bool(left != right)),
                _ => None,
            }
        }
        (Kind::Int(width), Kind::Int(by)) => integers(op, result, (width, left.bits), (by, right.bits)),
        (Kind::Float(width), Kind::Float(other)) if width == other => {
            floats(op, width, left.as_float()?, right.as_float()?)
        }
        _ => None,
    }
}

fn integers(op: Op, result: Kind, (width, a): (u32, u64), (by, b): (u32, u64)) -> Option<Scalar> {
    let (sa, sb) = (signed(width, a), signed(by, b));
    let new = |bits: u64| Some(Scalar::new(result, bits));
    let compared = |holds: bool| Some(Scalar::bool(holds));
    let shift = (b < u64::from(width)).then_some(b as u32);
    let is_shift = matches!(op, Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic);
    if !is_shift && width != by {
        return None;
    }
    let least = signed(width, 1 << (width - 1));
    let divides = sb != 0 && !(sa == least && sb == -1);
    match op {
        Op::IAdd => new(a.wrapping_add(b)),
        Op::ISub => new(a.wrapping_sub(b)),
        Op::IMul => new(a.wrapping_mul(b)),
        Op::UDiv => new(a.checked_div(b)?),
        Op::UMod => new(a.checked_rem(b)?),
        Op::SDiv if divides => new((sa / sb) as u64),
        Op::SRem if divides => new((sa % sb) as u64),
        Op::ShiftLeftLogical => new(a << shift?),
        Op::ShiftRightLogical => new(a >> shift?),
        Op::ShiftRightArithmetic => new((sa >> shift?) as u64),
        Op::BitwiseAnd => new(a & b),
        Op::BitwiseOr => new(a | b),
        Op::BitwiseXor => new(a ^ b),
        Op::IEqual => compared(a == b),
        Op::INotEqual => compared(a != b),
        Op::ULessThan => compared(a < b),
        Op::ULessThanEqual => compared(a <= b),
        Op::UGreaterThan => compared(a > b),
        Op::UGreaterThanEqual => compared(a >= b),
        Op::SLessThan => compared(sa < sb),
        Op::SLessThanEqual => compared(sa <= sb),
        Op::SGreaterThan => compared(sa > sb),
        Op::SGreaterThanEqual => compared(sa >= sb),
        _ => None,
    }
}

fn floats(op: Op, width: u32, a: f64, b: f64) -> Option<Scalar> {
    let new = |narrow: f32, wide: f64| Scalar::float(width, if width == 32 { f64::from(narrow) } else { wide });
    let (na, nb) = (a as f32, b as f32);
    let compared = |holds: bool| Some(Scalar::bool(holds));
    let unordered = a.is_nan() || b.is_nan();
    match op {
        Op::FAdd => new(na + nb, a + b),
        Op::FSub => new(na - nb, a - b),
        Op::FMul => new(na * nb, a * b),
        Op::FOrdEqual => compared(a == b),
        Op::FUnordEqual => compared(unordered || a == b),
        Op::FOrdNotEqual => compared(!unordered && a != b),
        Op::FUnordNotEqual => compared(a != b),
        Op::FOrdLessThan => compared(a < b),
        Op::FUnordLessThan => compared(unordered || a < b),
        Op::FOrdLessThanEqual => compared(a <= b),
        Op::FUnordLessThanEqual => compared(unordered || a <= b),
        Op::FOrdGreaterThan => compared(a > b),
        Op::FUnordGreaterThan => compared(unordered || a > b),
        Op::FOrdGreaterThanEqual => compared(a >= b),
        Op::FUnordGreaterThanEqual => compared(unordered || a >= b),
        _ => None,
    }
}
