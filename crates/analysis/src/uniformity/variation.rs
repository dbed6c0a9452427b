//! The compared lanes, and how values may differ among them.

use std::fmt;

/// The lanes that are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// The lanes of a subgroup.
    Subgroup,
    /// The lanes of a workgroup, over all of its subgroups.
    Workgroup,
    /// The fragments of a draw call, as WGSL requires for derivatives; its vertices or other invocations as well.
    Draw,
}

impl Scope {
    /// Every scope, from the smallest.
    pub const ALL: [Scope; 3] = [Scope::Subgroup, Scope::Workgroup, Scope::Draw];

    /// The name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Subgroup => "subgroup",
            Scope::Workgroup => "workgroup",
            Scope::Draw => "draw",
        }
    }
}

/// The evidence that counts as a difference between lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evidence {
    /// Everything that may differ: nothing that is called uniform ever differs.
    #[default]
    Possible,
    /// Only differences by an input, an operation across lanes, or an atomic. It is assumed that lanes which read one place of memory read
    /// the same value, that callers outside the module pass the same arguments, and that an unknown instruction is a function of its
    /// operands.
    Shown,
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The variation of a value among converged lanes: a lattice of three levels.
///
/// ```text
///                 Divergent
///       ╱      ╱      │      ╲      ╲
///   … −4     −1       1       4     16 …        Affine { stride }
///       ╲      ╲      │      ╱      ╱
///                  Uniform                      = a stride of 0
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variation {
    /// The same for all of them.
    Uniform,
    /// An integer `base + stride · lane`, with the same base for all of them, modulo 2 to the power of the type's width. For a vector this
    /// applies to the first component, and the others are uniform. `stride` is not zero; it is the representative of its class that is
    /// nearest to zero.
    Affine {
        /// The difference between the values of one lane and the next.
        stride: i64,
    },
    /// Possibly any value in any of them.
    Divergent,
}

impl Variation {
    /// Returns whether all lanes have the same value.
    pub const fn is_uniform(self) -> bool {
        matches!(self, Variation::Uniform)
    }

    /// Returns whether nothing is known about the value.
    pub const fn is_divergent(self) -> bool {
        matches!(self, Variation::Divergent)
    }

    /// The least variation that covers both.
    pub fn join(self, other: Variation) -> Variation {
        match (self, other) {
            (left, right) if left == right => left,
            _ => Variation::Divergent,
        }
    }
}

impl fmt::Display for Variation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variation::Uniform => formatter.write_str("uniform"),
            Variation::Affine { stride } => write!(formatter, "affine, stride {stride}"),
            Variation::Divergent => formatter.write_str("divergent"),
        }
    }
}
