//! Levels: the lattice of the propagation.

use super::variation::Variation;

/// The variation of a value, as far as it is known: flat between `Unknown` below and `Divergent` above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// No level has reached the value yet, or only those of undefined values.
    Unknown,
    /// `base + stride · lane`; a stride of 0 is a uniform value of any type.
    Stride(i64),
    /// Anything.
    Divergent,
}

impl Level {
    /// The same for all lanes.
    pub(super) const UNIFORM: Level = Level::Stride(0);

    /// Returns whether lanes may differ.
    pub(super) fn differs(self) -> bool {
        !matches!(self, Level::Unknown | Level::Stride(0))
    }

    /// The least level that covers both.
    pub(super) fn join(self, other: Level) -> Level {
        match (self, other) {
            (Level::Unknown, level) | (level, Level::Unknown) => level,
            (left, right) if left == right => left,
            _ => Level::Divergent,
        }
    }

    /// The level of an integer of `bits` bits with the stride `stride`, computed exactly.
    pub(super) fn stride(stride: i128, bits: u32) -> Level {
        let shift = 128 - bits.clamp(1, 64);
        Level::Stride((stride << shift >> shift) as i64)
    }

    pub(super) fn variation(self) -> Variation {
        match self {
            Level::Unknown | Level::Stride(0) => Variation::Uniform,
            Level::Stride(stride) => Variation::Affine { stride },
            Level::Divergent => Variation::Divergent,
        }
    }
}
