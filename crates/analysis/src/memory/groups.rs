//! Kinds of memory, by the lanes that share it and the code that can write it.

use spirv::StorageClass;

/// A set of kinds of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Groups(u16);

impl Groups {
    pub(super) const NONE: Groups = Groups(0);
    pub(super) const FUNCTION: Groups = Groups(1);
    pub(super) const PRIVATE: Groups = Groups(1 << 1);
    const WORKGROUP: Groups = Groups(1 << 2);
    const BUFFER: Groups = Groups(1 << 3);
    pub(super) const OUTPUT: Groups = Groups(1 << 4);
    pub(super) const IMAGE: Groups = Groups(1 << 5);
    /// Memory that other lanes may write.
    pub(super) const SHARED: Groups = Groups(0b111_1100);
    pub(super) const ALL: Groups = Groups(0b111_1111);
    const OTHER: Groups = Groups(1 << 6);
    /// The targets of generic pointers.
    const GENERIC: Groups = Groups(0b100_1101);
    /// The number of kinds.
    pub(super) const COUNT: usize = 7;

    /// The kinds of memory of a storage class.
    pub(super) fn of_class(class: Option<StorageClass>) -> Groups {
        use StorageClass::{CrossWorkgroup, PhysicalStorageBuffer, StorageBuffer, Uniform};
        match class {
            None => Groups::ALL,
            Some(Uniform | CrossWorkgroup | StorageBuffer | PhysicalStorageBuffer) => Groups::BUFFER,
            Some(StorageClass::Output) => Groups::OUTPUT,
            Some(StorageClass::Workgroup) => Groups::WORKGROUP,
            Some(StorageClass::Private) => Groups::PRIVATE,
            Some(StorageClass::Function) => Groups::FUNCTION,
            Some(StorageClass::Generic) => Groups::GENERIC,
            Some(StorageClass::Image) => Groups::IMAGE,
            Some(_) => Groups::OTHER,
        }
    }

    /// Returns whether a kind is in both sets.
    pub(super) fn meets(self, other: Groups) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds of both sets.
    pub(super) fn and(self, other: Groups) -> Groups {
        Groups(self.0 | other.0)
    }

    /// The numbers of the kinds in the set, below [`Groups::COUNT`].
    pub(super) fn numbers(self) -> impl Iterator<Item = usize> {
        (0..Self::COUNT).filter(move |number| self.0 >> number & 1 != 0)
    }
}
