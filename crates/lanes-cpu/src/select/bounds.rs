//! The accesses through addresses that are tested, and the facts of the addresses among the push constants.

/// The accesses through addresses that are tested when they are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounds {
    /// None. The kernel stays within the memory that it is given.
    Trusted,
    /// Those that may lead out of an [`crate::Arena`]: for all others, `reach.rs` proves that they do not. These words hold addresses of its
    /// buffers.
    Guarded(AddressWords),
    /// Every access of every lane, exactly.
    Checked,
}

/// Words of eight bytes of the push constants that hold addresses of buffers. A word after the first 128 is none of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct AddressWords(u128);

/// The bytes of an address.
const BYTES: u64 = 8;

impl AddressWords {
    /// The words at these offsets, in bytes. An offset that is no multiple of eight is left out.
    pub fn at(offsets: impl IntoIterator<Item = u64>) -> AddressWords {
        AddressWords(offsets.into_iter().filter_map(bit).fold(0, |words, bit| words | bit))
    }

    /// The offsets of the words, in bytes.
    pub fn offsets(self) -> impl Iterator<Item = u64> {
        (0..u64::from(u128::BITS)).filter(move |word| self.0 >> word & 1 == 1).map(|word| word * BYTES)
    }

    /// Returns whether the word at an offset is one of them.
    pub(super) fn has(self, offset: u64) -> bool {
        bit(offset).is_some_and(|bit| self.0 & bit != 0)
    }

    /// The words of both.
    pub(super) fn and(self, other: AddressWords) -> AddressWords {
        AddressWords(self.0 | other.0)
    }
}

fn bit(offset: u64) -> Option<u128> {
    let word = u32::try_from(offset / BYTES).ok().filter(|_| offset.is_multiple_of(BYTES))?;
    1_u128.checked_shl(word)
}
