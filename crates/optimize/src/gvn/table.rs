//! Classes by their keys: a table with open addressing over one array of keys.
//!
//! A key is a row of words, kept once for each class. What tells most keys apart is an operand that was defined shortly before, so a
//! key is kept near a place that the caller names, in one of [`WINDOW`] slots; so a sweep over the function is one over the table as
//! well, and finds it in the caches. Where a window is full, at the place that the hash of the key says or behind it.
//!
//! ```text
//! near = 2 · operand                            hash
//!   ↓                                             ↓
//! ┌─┬─┬─┬─┬─┬─┬─┬─┐ full?                       ┌─┬─┬─ …
//! └─┴─┴─┴─┴─┴─┴─┴─┘ ───────────────────────────▶└─┴─┴─ …
//! ```
//!
//! Invariant: nothing is ever taken out, so a window that has a free slot now had one when any of its keys was entered; such a window
//! holds all its keys. At most half of the slots are taken. Nothing walks the table, so no order of a hash can show.

/// How many slots are tried near the place that the caller names.
const WINDOW: usize = 8;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    /// The hash and, one more than it, the place of a row in `words`; 0 where free. The length is a power of two.
    slots: Vec<u64>,
    /// Rows, one after the other: the class, the length of the key, the key.
    words: Vec<u32>,
}

/// How many words of a row are before the key.
const LEAD: usize = 2;

/// What is looked up.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'k> {
    /// What makes the class.
    pub(super) key: &'k [u32],
    /// Near which slot the key is kept; the same for the same key.
    pub(super) near: usize,
    /// How many classes with the key are offered at most.
    pub(super) limit: usize,
}

impl Table {
    /// A table for at most so many keys.
    pub(super) fn with_room(keys: usize) -> Table {
        let slots = vec![0; (2 * keys).next_power_of_two().max(WINDOW)];
        Table { slots, words: Vec::with_capacity((LEAD + 4) * keys) }
    }

    /// The first class with the key that `accept` takes; `class` if there is none, which then has the key.
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
