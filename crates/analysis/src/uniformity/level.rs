//! Levels: the lattice of the propagation.

use super::variation::Variation;

/// The bits of the low word of an integer.
pub(super) const LOW_BITS: u32 = 32;

/// The variation of a value, as far as it is known.
///
/// ```text
///                        Divergent
///             ╱              │              ╲
/// … LowStride(−1)       LowStride(0)       LowStride(1) …
///   ╱     │     ╲       ╱    │    ╲       ╱     │     ╲
///   … Stride(−1) …       Stride(0) …         Stride(1), Stride(1 + 2³²) …
///                  ╲         │        ╱
///                         Unknown
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// No level has reached the value yet, or only those of undefined values.
    Unknown,
    /// `base + stride · lane`; a stride of 0 is a uniform value of any type.
    Stride(i64),
    /// An integer of more than 32 bits whose low word is `base + stride · lane`, modulo 2³².
    LowStride(i32),
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
            (left, right) => match (left.low_word(), right.low_word()) {
                (Some(low), Some(other)) if low == other => Level::LowStride(low),
                _ => Level::Divergent,
            },
        }
    }

    /// The level of an integer of `bits` bits with the stride `stride`, computed exactly.
    pub(super) fn stride(stride: i128, bits: u32) -> Level {
        let shift = 128 - bits.clamp(1, 64);
        Level::Stride((stride << shift >> shift) as i64)
    }

    /// The level of an integer of `bits` bits whose low word has the stride `stride`.
    pub(super) fn low_stride(stride: i128, bits: u32) -> Level {
        if bits <= LOW_BITS { Level::stride(stride, bits) } else { Level::LowStride(stride as i32) }
    }

    /// The stride of the low word, if there is one.
    pub(super) fn low_word(self) -> Option<i32> {
        match self {
            Level::Stride(stride) => Some(stride as i32),
            Level::LowStride(stride) => Some(stride),
            Level::Unknown | Level::Divergent => None,
        }
    }

    pub(super) fn variation(self) -> Variation {
        match self {
            Level::Unknown | Level::Stride(0) => Variation::Uniform,
            Level::Stride(stride) => Variation::Affine { stride },
            Level::LowStride(_) | Level::Divergent => Variation::Divergent,
        }
    }
}

impl From<Variation> for Level {
    fn from(variation: Variation) -> Level {
        match variation {
            Variation::Uniform => Level::UNIFORM,
            Variation::Affine { stride } => Level::Stride(stride),
            Variation::Divergent => Level::Divergent,
        }
    }
}
