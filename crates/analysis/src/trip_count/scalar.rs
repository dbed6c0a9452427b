//! Scalars and what operations make of them, as far as the result is the same on every device.
//!
//! Integers wrap. What SPIR-V leaves undefined (division by zero, a shift by the width or more) has no result here.
//!
//! Floats of 32 and 64 bits have a result where addition, subtraction and multiplication are exact. Vulkan leaves it open how a device
//! rounds (to the nearest or towards zero, unless an execution mode says which), whether it flushes subnormal numbers, and what it makes of
//! infinities, NaN and the sign of zero: so there is no result that had to be rounded, and no value that is subnormal, infinite or no number,
//! constants among them; the bits of a zero are not known either. Then all modes agree, and none has to be asked about. Division is inexact
//! on devices and has no result.

use reconverge_ir::{Inst, Module, Op};

use super::Specialization;

/// Above this the error of a product of 64 bits is no subnormal number.
const SMALL: f64 = 1e-280;

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
        let scalar = Scalar::new(kind, bits);
        match kind {
            Kind::Float(width) => Scalar::float(width, scalar.as_float()?),
            Kind::Bool | Kind::Int(_) => Some(scalar),
        }
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

    /// A number that the format has, and that every device keeps as it is: normal or zero.
    fn float(width: u32, value: f64) -> Option<Scalar> {
        let narrow = value as f32;
        let (is_kept, bits) = match width {
            32 => (f64::from(narrow) == value && narrow.is_normal(), u64::from(narrow.to_bits())),
            _ => (value.is_normal(), value.to_bits()),
        };
        (is_kept || value == 0.0).then_some(Scalar { kind: Kind::Float(width), bits })
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
        (Op::Bitcast, Kind::Int(from), Kind::Int(to)) if from == to => new(value.bits),
        (Op::Bitcast, Kind::Float(from), Kind::Int(to)) if from == to && value.as_float()? != 0.0 => new(value.bits),
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
    let new = |exact: Option<f64>| Scalar::float(width, exact?);
    let compared = |holds: bool| Some(Scalar::bool(holds));
    match op {
        Op::FAdd => new(exact_sum(a, b)),
        Op::FSub => new(exact_sum(a, -b)),
        Op::FMul => new(exact_product(a, b)),
        Op::FOrdEqual | Op::FUnordEqual => compared(a == b),
        Op::FOrdNotEqual | Op::FUnordNotEqual => compared(a != b),
        Op::FOrdLessThan | Op::FUnordLessThan => compared(a < b),
        Op::FOrdLessThanEqual | Op::FUnordLessThanEqual => compared(a <= b),
        Op::FOrdGreaterThan | Op::FUnordGreaterThan => compared(a > b),
        Op::FOrdGreaterThanEqual | Op::FUnordGreaterThanEqual => compared(a >= b),
        _ => None,
    }
}

/// The sum, if no digit of it is lost: the error of a floating sum is found without error (Knuth 1969, section 4.2.2).
fn exact_sum(a: f64, b: f64) -> Option<f64> {
    let sum = a + b;
    let part = sum - a;
    ((a - (sum - part)) + (b - part) == 0.0).then_some(sum)
}

/// The product, if no digit of it is lost, and if it is not so small that the error would be lost itself.
fn exact_product(a: f64, b: f64) -> Option<f64> {
    let product = a * b;
    let is_exact = product.abs() > SMALL && a.mul_add(b, -product) == 0.0;
    (is_exact || a == 0.0 || b == 0.0).then_some(product)
}
