//! Effects: what an op does besides giving a value.

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
    /// May have no defined result, so it must not run where it did not run before.
    pub const TRAPS: Effects = Effects(1 << 2);
    /// The result depends on which lanes run it together ("tangled instructions" in SPIR-V).
    pub const CONVERGENT: Effects = Effects(1 << 3);
    /// Takes differences to neighbouring lanes of a quad.
    pub const DERIVATIVE: Effects = Effects(1 << 4);
    /// Decides where control goes.
    pub const CONTROL: Effects = Effects(1 << 5);
    /// Makes new memory: each execution is another variable.
    pub const ALLOCATES: Effects = Effects(1 << 6);
    /// Part of the program's frame rather than something that is executed.
    pub const STRUCTURE: Effects = Effects(1 << 7);
    /// Everything that an instruction of which nothing is known must be taken to do.
    pub const CAREFUL: Effects =
        Effects(Self::READS.0 | Self::WRITES.0 | Self::TRAPS.0 | Self::CONVERGENT.0 | Self::DERIVATIVE.0);

    /// Both sets together.
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Whether all of `other` is in the set.
    pub const fn contains(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    pub const fn is_pure(self) -> bool {
        self.0 == 0
    }

    /// Whether the instruction may run where it did not run before.
    pub const fn is_speculatable(self) -> bool {
        self.is_pure()
    }

    /// Whether the result depends on which lanes run it together.
    pub const fn is_convergent(self) -> bool {
        self.contains(Self::CONVERGENT)
    }

    /// Whether the result depends on no other lanes but those of the quad, and on them only where all of the quad are
    /// together: a derivative, and nothing that others could see.
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
