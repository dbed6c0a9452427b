//! The description of a machine: what it computes by itself. The passes of this crate express the rest by it.

use reconverge_analysis::launch::Facts;
use reconverge_diagnostic::{Code, Diagnostic};
use reconverge_ir::{Inst, Op, OpGroup};
use reconverge_rewrite::session::SessionState;
use spirv::GlslStd450Op as Glsl;

/// A set of widths of integers: 8, 16, 32 and 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widths(u32);

/// What a machine computes by itself.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// The widths of integers.
    pub integers: Widths,
    /// The widths whose sums with a carry, differences with a borrow and products with two halves are instructions.
    pub carries: Widths,
    /// The widths whose division by a constant stays as it is. The selector knows more about the dividend, or the machine has no upper half of a
    /// product of this width.
    pub constant_divisions: Widths,
    /// The widths with a signed division.
    pub signed_divisions: Widths,
    /// The widths with instructions for the number of set bits, the reversal of bits, fields of bits, the lowest set bit and the highest one that
    /// differs from the sign.
    pub bit_operations: Widths,
    /// The code of messages about operations without an expansion.
    pub unsupported: &'static Code,
}

/// What the passes of a session legalize for.
#[derive(Clone, Debug, Default)]
pub struct LegalizeFor {
    /// The machine; without one the passes change nothing.
    pub machine: Option<Machine>,
    /// The built-in inputs of the launches.
    pub facts: Facts,
}

impl SessionState for LegalizeFor {}

impl From<Machine> for LegalizeFor {
    /// For any launches.
    fn from(machine: Machine) -> LegalizeFor {
        LegalizeFor { machine: Some(machine), facts: Facts::default() }
    }
}

impl Widths {
    /// None.
    pub const NONE: Widths = Widths(0);
    /// 8, 16, 32 and 64 bits.
    pub const ALL: Widths = Widths(8 | 16 | 32 | 64);

    /// One width.
    pub const fn only(bits: u32) -> Widths {
        Widths(bits & Widths::ALL.0)
    }

    /// The widths of both sets.
    #[must_use]
    pub const fn or(self, other: Widths) -> Widths {
        Widths(self.0 | other.0)
    }

    /// The widths of this set that are not in another one.
    #[must_use]
    pub const fn without(self, other: Widths) -> Widths {
        Widths(self.0 & !other.0)
    }

    /// Returns whether a width is in the set.
    pub const fn contains(self, bits: u32) -> bool {
        bits.is_power_of_two() && self.0 & bits != 0
    }
}

impl Machine {
    /// A machine that computes everything by itself.
    pub const fn complete(unsupported: &'static Code) -> Machine {
        Machine {
            integers: Widths::ALL,
            carries: Widths::ALL,
            constant_divisions: Widths::ALL,
            signed_divisions: Widths::ALL,
            bit_operations: Widths::ALL,
            unsupported,
        }
    }

    /// Returns whether the passes replace an operation on integers of a width, whatever its operands are.
    pub fn expands(&self, op: Op, bits: u32) -> bool {
        match op {
            Op::SMod => true,
            Op::SDiv | Op::SRem => !self.signed_divisions.contains(bits),
            _ if matches!(op.group(), OpGroup::BitCount | OpGroup::BitField) => !self.bit_operations.contains(bits),
            _ => false,
        }
    }

    /// Returns whether the passes replace an instruction of `GLSL.std.450` on integers of a width.
    pub fn expands_function(&self, function: Glsl, bits: u32) -> bool {
        matches!(function, Glsl::FindILsb | Glsl::FindSMsb) && !self.bit_operations.contains(bits)
    }

    /// The error of an operation without an expansion.
    #[cold]
    pub(crate) fn refusal(&self, at: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.unsupported, at.into(), format!("not supported: {}", message.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::Widths;

    #[test]
    fn sets_of_widths() {
        let narrow = Widths::only(8).or(Widths::only(16));
        assert_eq!([8, 16, 24, 32, 64, 0].map(|bits| narrow.contains(bits)), [true, true, false, false, false, false]);
        assert_eq!(Widths::ALL.without(narrow), Widths::only(32).or(Widths::only(64)));
        assert!(!Widths::NONE.contains(32));
    }
}
