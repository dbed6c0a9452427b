//! Facts about a class of pointers as a whole: kinds of objects, and properties of its pointers. Sets of a few bits.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use crate::error;
use crate::feature::Feature;

/// Kinds of objects that a class can have, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const FUNCTION: Kinds = Kinds(1);
    pub(super) const WORKGROUP: Kinds = Kinds(1 << 1);
    pub(super) const CONSTANT: Kinds = Kinds(1 << 2);
    pub(super) const OUTSIDE: Kinds = Kinds(1 << 3);
    pub(super) const BINDING: Kinds = Kinds(1 << 4);

    pub(super) fn contains(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Module constants can move to memory of the host; all other objects have a fixed kind of memory.
    pub(super) fn is_possible(self) -> bool {
        let host = [Kinds::OUTSIDE, Kinds::BINDING];
        self.0.count_ones() <= 1 || host.iter().any(|&host| self == Kinds::CONSTANT.and(host))
    }

    fn names(self) -> Vec<&'static str> {
        const NAMES: [(Kinds, &str); 5] = [
            (Kinds::FUNCTION, "private"),
            (Kinds::WORKGROUP, "local"),
            (Kinds::CONSTANT, "constant"),
            (Kinds::OUTSIDE, "global"),
            (Kinds::BINDING, "global"),
        ];
        NAMES.iter().filter(|(kind, _)| self.contains(*kind)).map(|(_, name)| *name).collect()
    }
}

/// Properties of the pointers of a class, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Traits(u8);

impl Traits {
    /// One of them may be null or is compared with null.
    pub(super) const NULL: Traits = Traits(1);
    /// Two of them are compared.
    pub(super) const COMPARED: Traits = Traits(1 << 1);
    /// One was read from memory.
    pub(super) const FROM_MEMORY: Traits = Traits(1 << 2);
    /// One was converted from an integer.
    pub(super) const FROM_INTEGER: Traits = Traits(1 << 3);
    /// One is converted to an integer.
    pub(super) const TO_INTEGER: Traits = Traits(1 << 4);

    pub(super) fn contains(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    pub(super) fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// The error of a class with objects of these kinds.
pub(super) fn mixed(kinds: Kinds, at: Inst) -> Diagnostic {
    let names = kinds.names();
    let details = format!(" that may point to both {} memory", names.join(" and "));
    error::feature(at, Feature::GenericPointers, &details)
}
