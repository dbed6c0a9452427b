//! Classes by what makes them: a table with open addressing over one array of keys.
//!
//! A key is a row of words, kept once for each class. The table holds numbers of classes at the place that the hash of the key says
//! or at the next free one, never more than half full. Nothing is ever taken out, and nothing walks the table, so no order of a
//! hash can show.

use crate::body::NONE;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    /// Numbers of rows, [`NONE`] where free. The length is a power of two.
    slots: Vec<u32>,
    /// By row: hash, end of the key in `words`, class.
    rows: Vec<Row>,
    words: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u32,
    end: u32,
    class: u32,
}

impl Table {
    /// A table for at most so many keys.
    pub(super) fn with_room(keys: usize) -> Table {
        let slots = vec![NONE; (2 * keys).next_power_of_two()];
        Table { slots, rows: Vec::with_capacity(keys), words: Vec::with_capacity(4 * keys) }
    }

    /// The class of a key that `accept` takes, in order of entry; `class` if there is none, which then has the key.
    ///
    /// At most `limit` classes with that key are offered.
    pub(super) fn find_or_enter(
        &mut self,
        key: &[u32],
        class: u32,
        limit: usize,
        mut accept: impl FnMut(u32) -> bool,
    ) -> u32 {
        let hash = hash(key);
        let mask = self.slots.len() - 1;
        let mut slot = (hash as usize).wrapping_mul(0x9E37_79B9) >> 7 & mask;
        let mut offered = 0;
        while self.slots[slot] != NONE {
            let place = self.slots[slot] as usize;
            let row = self.rows[place];
            if row.hash == hash && self.key(place) == key {
                if offered == limit {
                    return class;
                }
                if accept(row.class) {
                    return row.class;
                }
                offered += 1;
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = self.rows.len() as u32;
        self.words.extend_from_slice(key);
        self.rows.push(Row { hash, end: self.words.len() as u32, class });
        class
    }

    fn key(&self, place: usize) -> &[u32] {
        let start = if place == 0 { 0 } else { self.rows[place - 1].end as usize };
        &self.words[start..self.rows[place].end as usize]
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
