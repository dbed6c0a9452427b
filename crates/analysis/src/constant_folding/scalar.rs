//! Constants of scalar types, as bits.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};

/// The type of a [`Scalar`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarKind {
    /// A boolean.
    Bool,
    /// An integer of 1 to 64 bits, with sign or without.
    Int(u32),
    /// A float of 16, 32 or 64 bits in IEEE's format.
    Float(u32),
}

/// A value of a scalar type, as bits; those above the width are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// The type.
    pub kind: ScalarKind,
    /// The bits; 1 and 0 for a boolean.
    pub bits: u64,
}

/// The class of a float, as far as devices treat classes differently.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    /// Zero with a sign, a normal number, or infinite.
    Ordered(f64),
    /// Not a number.
    Nan,
    /// A subnormal number, which a device may flush to zero.
    Subnormal,
}

impl ScalarKind {
    /// The kind of a type, if it is a scalar's.
    pub fn of(module: &Module, ty: Inst) -> Option<ScalarKind> {
        match module.type_view(ty)? {
            TypeView::Bool => Some(ScalarKind::Bool),
            TypeView::Int { width: width @ 1..=64, .. } => Some(ScalarKind::Int(width)),
            TypeView::Float { width: width @ (16 | 32 | 64), is_ieee: true } => Some(ScalarKind::Float(width)),
            _ => None,
        }
    }

    /// The number of bits that a value has.
    pub fn width(self) -> u32 {
        match self {
            ScalarKind::Bool => 1,
            ScalarKind::Int(width) | ScalarKind::Float(width) => width,
        }
    }
}

impl Scalar {
    /// The value with the low bits of `bits`.
    pub fn new(kind: ScalarKind, bits: u64) -> Scalar {
        Scalar { kind, bits: bits & mask(kind.width()) }
    }

    /// A boolean.
    pub fn bool(value: bool) -> Scalar {
        Scalar::new(ScalarKind::Bool, u64::from(value))
    }

    /// The value of the operand of a `constant` or `spec_constant` of that kind. Only the first two words count.
    pub fn from_words(kind: ScalarKind, words: &[u32]) -> Option<Scalar> {
        let low = u64::from(*words.first()?);
        Some(Scalar::new(kind, low | u64::from(words.get(1).copied().unwrap_or(0)) << 32))
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind == ScalarKind::Bool).then_some(self.bits == 1)
    }

    /// A float that the format has and that every device keeps: normal, or zero. `None` for other values.
    pub(super) fn float(width: u32, value: f64) -> Option<Scalar> {
        let narrow = value as f32;
        let (is_kept, bits) = match width {
            16 => {
                let bits = half_bits(value);
                (bits.is_some(), u64::from(bits.unwrap_or(0)) | u64::from(value.is_sign_negative()) << 15)
            }
            32 => (f64::from(narrow) == value && narrow.is_normal(), u64::from(narrow.to_bits())),
            _ => (value.is_normal(), value.to_bits()),
        };
        (is_kept || value == 0.0).then_some(Scalar { kind: ScalarKind::Float(width), bits })
    }

    /// The class of a float; `None` for other kinds.
    pub(super) fn number(self) -> Option<Number> {
        let ScalarKind::Float(width) = self.kind else { return None };
        let value = match width {
            16 => half_value(self.bits as u16),
            32 => f64::from(f32::from_bits(self.bits as u32)),
            _ => f64::from_bits(self.bits),
        };
        let least = match width {
            16 => HALF_LEAST,
            32 => f64::from(f32::MIN_POSITIVE),
            _ => f64::MIN_POSITIVE,
        };
        Some(match () {
            () if value.is_nan() => Number::Nan,
            () if value != 0.0 && value.abs() < least => Number::Subnormal,
            () => Number::Ordered(value),
        })
    }

    /// The value of a float that is normal or zero.
    pub fn as_float(self) -> Option<f64> {
        match self.number()? {
            Number::Ordered(value) => value.is_finite().then_some(value),
            Number::Nan | Number::Subnormal => None,
        }
    }
}

/// All ones in the low bits.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The signed integer with these bits.
pub fn signed(width: u32, bits: u64) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

/// The smallest normal number of 16 bits.
const HALF_LEAST: f64 = 1.0 / 16384.0;
/// The greatest number of 16 bits.
const HALF_GREATEST: f64 = 65504.0;

/// The bits of a normal number of 16 bits, without the sign; `None` if the format cannot represent the value exactly.
fn half_bits(value: f64) -> Option<u16> {
    let bits = value.to_bits();
    let digits = bits >> 42 & 0x3ff;
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023 + 15;
    let fits = (HALF_LEAST..=HALF_GREATEST).contains(&value.abs()) && bits.trailing_zeros() >= 42;
    fits.then_some((exponent as u16) << 10 | digits as u16)
}

/// The number with these 16 bits.
fn half_value(bits: u16) -> f64 {
    let (exponent, digits) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => digits / 16_777_216.0,
        31 if digits == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + digits / 1024.0) * 2f64.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}
