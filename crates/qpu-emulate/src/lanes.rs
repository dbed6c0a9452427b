//! Values of sixteen lanes, flags and conditions.

/// Lanes of a QPU.
pub const LANES: usize = 16;

/// A value: one word for each lane.
pub(crate) type Lanes = [u32; LANES];

/// A set of lanes: bit i is lane i.
pub(crate) type LaneMask = u16;

pub(crate) const ALL_LANES: LaneMask = 0xFFFF;

/// The value with the same word in all lanes.
pub(crate) const fn splat(word: u32) -> Lanes {
    [word; LANES]
}

/// The flags of all lanes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Flags {
    pub(crate) zero: LaneMask,
    pub(crate) negative: LaneMask,
    pub(crate) carry: LaneMask,
}

impl Flags {
    /// The flags of a result; `carry` is 1 where that flag is set.
    pub(crate) fn of(values: &Lanes, carry: &Lanes) -> Flags {
        let mut flags = Flags::default();
        for lane in 0..LANES {
            flags.zero |= u16::from(values[lane] == 0) << lane;
            flags.negative |= u16::from(values[lane] >> 31 != 0) << lane;
            flags.carry |= u16::from(carry[lane] != 0) << lane;
        }
        flags
    }

    /// Takes the flags of the lanes in `mask` from `other`.
    pub(crate) fn replace(&mut self, other: Flags, mask: LaneMask) {
        let merge = |old: LaneMask, new: LaneMask| (old & !mask) | (new & mask);
        self.zero = merge(self.zero, other.zero);
        self.negative = merge(self.negative, other.negative);
        self.carry = merge(self.carry, other.carry);
    }

    /// The lanes in which a condition holds.
    pub(crate) fn lanes(&self, condition: Condition) -> LaneMask {
        match condition {
            Condition::Never => 0,
            Condition::Always => ALL_LANES,
            Condition::ZeroSet => self.zero,
            Condition::ZeroClear => !self.zero,
            Condition::NegativeSet => self.negative,
            Condition::NegativeClear => !self.negative,
            Condition::CarrySet => self.carry,
            Condition::CarryClear => !self.carry,
        }
    }

    /// Returns whether a branch with this condition is taken.
    pub(crate) fn decides(&self, condition: BranchCondition) -> bool {
        match condition {
            BranchCondition::Always => true,
            BranchCondition::All(condition) => self.lanes(condition) == ALL_LANES,
            BranchCondition::Any(condition) => self.lanes(condition) != 0,
        }
    }
}

/// The condition of an ALU, decided for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    Never,
    Always,
    ZeroSet,
    ZeroClear,
    NegativeSet,
    NegativeClear,
    CarrySet,
    CarryClear,
}

impl Condition {
    pub(crate) const ALL: [Condition; 8] = [
        Condition::Never,
        Condition::Always,
        Condition::ZeroSet,
        Condition::ZeroClear,
        Condition::NegativeSet,
        Condition::NegativeClear,
        Condition::CarrySet,
        Condition::CarryClear,
    ];
}

/// The condition of a branch, decided for the QPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BranchCondition {
    Always,
    All(Condition),
    Any(Condition),
}
