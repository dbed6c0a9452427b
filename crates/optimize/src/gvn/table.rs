//! Classes by their keys: a table with open addressing over one array of keys.
//!
//! A key is a row of words, stored once for each class. Most keys differ in an operand that was defined shortly before. So a key is stored
//! near a slot that the caller gives, in one of [`WINDOW`] slots. Then a sweep over the function is also a sweep over the table, with few
//! cache misses. If a window is full, the key is stored at the slot that its hash gives, with linear probing.
//!
//! ```text
//! near = 2 · operand                            hash
//!   ↓                                             ↓
//! ┌─┬─┬─┬─┬─┬─┬─┬─┐ full?                       ┌─┬─┬─ …
//! └─┴─┴─┴─┴─┴─┴─┴─┘ ───────────────────────────▶└─┴─┴─ …
//! ```
//!
//! Invariant: no key is ever removed. So a window with a free slot had one when each of its keys was inserted, and contains all its keys.
//! At most half of the slots are used. The table is never iterated, so the order of hashes has no effect on the output.

/// The number of slots in a window.
const WINDOW: usize = 8;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    /// The hash and, one more than it, the place of a row in `words`; 0 where free. The length is a power of two.
    slots: Vec<u64>,
    /// Rows, one after the other: the class, the length of the key, the key.
    words: Vec<u32>,
}

/// The number of words before the key in a row.
const LEAD: usize = 2;

/// A query.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'k> {
    /// The words of the key.
    pub(super) key: &'k [u32],
    /// The slot near which the key is stored; the same for equal keys.
    pub(super) near: usize,
    /// The maximal number of classes with the key that are compared.
    pub(super) limit: usize,
}

impl Table {
    /// A table for at most this number of keys.
    pub(super) fn with_room(keys: usize) -> Table {
        let slots = vec![0; (2 * keys).next_power_of_two().max(WINDOW)];
        Table { slots, words: Vec::with_capacity((LEAD + 4) * keys) }
    }

    /// The first class with the key that `accept` returns true for; `class` if there is none, which is then inserted.
    pub(super) fn find_or_enter(&mut self, wanted: Wanted<'_>, class: u32, mut accept: impl FnMut(u32) -> bool) -> u32 {
        let hash = hash(wanted.key);
        let mask = self.slots.len() - 1;
        let near = (0..WINDOW).map(|step| wanted.near.wrapping_add(step) & mask);
        let far = (0..).map(|step: usize| (hash as usize).wrapping_mul(0x9E37_79B9).wrapping_add(step) & mask);
        let mut offered = 0;
        for slot in near.chain(far) {
            let entry = self.slots[slot];
            if entry == 0 {
                self.slots[slot] = u64::from(hash) << 32 | (self.words.len() as u64 + 1);
                break;
            }
            if (entry >> 32) as u32 != hash {
                continue;
            }
            let (other, key) = self.row(entry as u32 as usize - 1);
            if key != wanted.key {
                continue;
            }
            if offered == wanted.limit {
                return class;
            }
            if accept(other) {
                return other;
            }
            offered += 1;
        }
        self.words.extend([class, wanted.key.len() as u32]);
        self.words.extend_from_slice(wanted.key);
        class
    }

    /// The class and the key of a row.
    fn row(&self, place: usize) -> (u32, &[u32]) {
        let (lead, rest) = self.words[place..].split_at(LEAD);
        (lead[0], &rest[..lead[1] as usize])
    }
}

/// Multiplies and rotates, word by word.
fn hash(key: &[u32]) -> u32 {
    let mut state = 0x517C_C1B7_2722_0A95_u64 ^ key.len() as u64;
    for &word in key {
        state = (state.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (state ^ state >> 32) as u32 ^ (state >> 41) as u32
}
