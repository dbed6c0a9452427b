//! Effects: what an op does besides producing a value.

/// A set of effects. The empty set means a pure function of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Effects(u16);

impl Effects {
    /// Nothing: the result depends on the operands alone.
    pub const PURE: Effects = Effects(0);
    pub(super) const NONE: Effects = Effects(0);
    /// Reads memory that others can write.
    pub const READS: Effects = Effects(1);
    /// Writes memory that others can read, or is visible from outside in another way.
    pub const WRITES: Effects = Effects(1 << 1);
    /// May have no defined result, so it must not be speculated.
    pub const TRAPS: Effects = Effects(1 << 2);
    /// The result depends on which lanes execute it together ("tangled instructions" in SPIR-V).
    pub const CONVERGENT: Effects = Effects(1 << 3);
    /// Computes differences to neighbouring lanes of a quad.
    pub const DERIVATIVE: Effects = Effects(1 << 4);
    /// Transfers control.
    pub const CONTROL: Effects = Effects(1 << 5);
    /// Allocates memory: each execution creates a new variable.
    pub const ALLOCATES: Effects = Effects(1 << 6);
    /// Part of the program's structure, not executed.
    pub const STRUCTURE: Effects = Effects(1 << 7);
    /// The effects that an unknown instruction may have.
    pub const CAREFUL: Effects =
        Effects(Self::READS.0 | Self::WRITES.0 | Self::TRAPS.0 | Self::CONVERGENT.0 | Self::DERIVATIVE.0);

    /// The union.
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Returns whether all of `other` is in the set.
    pub const fn contains(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set is empty.
    pub const fn is_pure(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the instruction may be speculated.
    pub const fn is_speculatable(self) -> bool {
        self.is_pure()
    }

    /// Returns whether the result depends on which lanes execute it together.
    pub const fn is_convergent(self) -> bool {
        self.contains(Self::CONVERGENT)
    }

    /// Returns whether the result depends only on the lanes of the quad, and on them only if all of the quad are converged: a derivative,
    /// without effects that others could observe.
    pub const fn sees_only_its_quad(self) -> bool {
        self.contains(Self::CONVERGENT) && self.contains(Self::DERIVATIVE) && !self.contains(Self::WRITES)
    }
}

impl std::fmt::Debug for Effects {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.to_string())
    }
}

impl std::fmt::Display for Effects {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const WORDS: [(Effects, &str); 8] = [
            (Effects::READS, "reads"),
            (Effects::WRITES, "writes"),
            (Effects::TRAPS, "may trap"),
            (Effects::CONVERGENT, "convergent"),
            (Effects::DERIVATIVE, "derivative"),
            (Effects::CONTROL, "control"),
            (Effects::ALLOCATES, "allocates"),
            (Effects::STRUCTURE, "structure"),
        ];
        if self.is_pure() {
            return formatter.write_str("pure");
        }
        let words: Vec<&str> =
            WORDS.iter().filter(|(effect, _)| self.contains(*effect)).map(|(_, word)| *word).collect();
        formatter.write_str(&words.join(", "))
    }
}
