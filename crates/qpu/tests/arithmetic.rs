//! Values of operations and the flags that they set, for one lane. What the test programs do not depend on, such as the carry of shifts, is zero.

use reconverge_qpu::machine::{AddOp, Condition, MulOp};

/// A result and its flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) value: u32,
    pub(crate) carry: bool,
}

/// Flags of a lane.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    zero: bool,
    negative: bool,
    carry: bool,
}

impl Flags {
    pub(crate) fn of(outcome: Outcome) -> Flags {
        Flags { zero: outcome.value == 0, negative: (outcome.value as i32) < 0, carry: outcome.carry }
    }

    pub(crate) fn hold(self, condition: Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::ZeroSet => self.zero,
            Condition::ZeroClear => !self.zero,
            Condition::NegativeSet => self.negative,
            Condition::NegativeClear => !self.negative,
            Condition::CarrySet => self.carry,
            Condition::CarryClear => !self.carry,
        }
    }
}

fn float(operation: impl Fn(f32, f32) -> f32, left: u32, right: u32) -> u32 {
    let value = operation(f32::from_bits(left), f32::from_bits(right));
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

pub(crate) fn add(op: AddOp, left: u32, right: u32) -> Outcome {
    let mut carry = false;
    let value = match op {
        AddOp::FAdd => float(|left, right| left + right, left, right),
        AddOp::FSub => float(|left, right| left - right, left, right),
        AddOp::FMin => float(f32::min, left, right),
        AddOp::FMax => float(f32::max, left, right),
        AddOp::FMinAbs => float(|left, right| left.abs().min(right.abs()), left, right),
        AddOp::FMaxAbs => float(|left, right| left.abs().max(right.abs()), left, right),
        AddOp::FToI => f32::from_bits(left) as i32 as u32,
        AddOp::IToF => (left as i32 as f32).to_bits(),
        AddOp::Add => {
            carry = left.checked_add(right).is_none();
            left.wrapping_add(right)
        }
        AddOp::Sub => {
            carry = left < right;
            left.wrapping_sub(right)
        }
        AddOp::Shr => left >> (right & 31),
        AddOp::Asr => ((left as i32) >> (right & 31)) as u32,
        AddOp::Ror => left.rotate_right(right & 31),
        AddOp::Shl => left << (right & 31),
        AddOp::Min => (left as i32).min(right as i32) as u32,
        AddOp::Max => (left as i32).max(right as i32) as u32,
        AddOp::And => left & right,
        AddOp::Or => left | right,
        AddOp::Xor => left ^ right,
        AddOp::Not => !left,
        AddOp::Clz => left.leading_zeros(),
    };
    Outcome { value, carry }
}

pub(crate) fn multiply(op: MulOp, left: u32, right: u32) -> Outcome {
    let value = match op {
        MulOp::FMul => float(|left, right| left * right, left, right),
        MulOp::Mul24 => (left & 0xff_ffff).wrapping_mul(right & 0xff_ffff),
    };
    Outcome { value, carry: false }
}

/// A special function, by the number of its register: not what the chip computes, but different for each.
pub(crate) fn special(address: u8, value: u32) -> u32 {
    value.rotate_left(u32::from(address)) ^ 0x9e37_79b9
}

/// What is in memory at an address.
pub(crate) fn memory(address: u32) -> u32 {
    address.wrapping_mul(0x85eb_ca6b).rotate_left(13) ^ 0x1234_5678
}

/// The value of a small immediate.
pub(crate) fn small(bits: u8) -> u32 {
    match bits {
        0..=15 => u32::from(bits),
        16..=31 => (i32::from(bits) - 32) as u32,
        32..=39 => ((1 << (bits - 32)) as f32).to_bits(),
        40..=47 => (1.0 / (1 << (48 - bits)) as f32).to_bits(),
        _ => panic!("{bits} is a rotation"),
    }
}
