//! One bit per byte: which bytes of an object are defined.

use std::ops::Range;

const WORD: usize = 64;

/// A row of bits.
#[derive(Clone, Debug)]
pub(crate) struct Bitmask {
    words: Box<[u64]>,
}

impl Bitmask {
    /// Returns a mask of that number of bits, none set.
    pub(crate) fn new(length: usize) -> Bitmask {
        Bitmask { words: vec![0; length.div_ceil(WORD)].into() }
    }

    /// Returns whether all bits of a range are set.
    pub(super) fn covers(&self, range: Range<usize>) -> bool {
        let (first, last) = (range.start / WORD, range.end.wrapping_sub(1) / WORD);
        if range.is_empty() {
            return true;
        }
        let (low, high) = edges(&range);
        if first == last {
            return self.words[first] & low & high == low & high;
        }
        self.words[first] & low == low
            && self.words[last] & high == high
            && self.words[first + 1..last].iter().all(|&word| word == u64::MAX)
    }

    /// Sets all bits of a range.
    pub(crate) fn set(&mut self, range: Range<usize>) {
        self.change(range, |word, mask| word | mask);
    }

    /// Clears all bits of a range.
    pub(crate) fn clear(&mut self, range: Range<usize>) {
        self.change(range, |word, mask| word & !mask);
    }

    /// Sets those bits of a range that are set in another row.
    pub(crate) fn join(&mut self, other: &Bitmask, range: Range<usize>) {
        range.filter(|&index| other.contains(index)).for_each(|index| self.set(index..index + 1));
    }

    fn change(&mut self, range: Range<usize>, change: impl Fn(u64, u64) -> u64) {
        if range.is_empty() {
            return;
        }
        let (first, last) = (range.start / WORD, (range.end - 1) / WORD);
        let (low, high) = edges(&range);
        if first == last {
            self.words[first] = change(self.words[first], low & high);
            return;
        }
        self.words[first] = change(self.words[first], low);
        for word in &mut self.words[first + 1..last] {
            *word = change(*word, u64::MAX);
        }
        self.words[last] = change(self.words[last], high);
    }

    /// Returns whether a bit is set.
    pub(crate) fn contains(&self, index: usize) -> bool {
        self.words[index / WORD] >> (index % WORD) & 1 == 1
    }
}

/// The bits of the first and of the last word that belong to a range that is not empty.
fn edges(range: &Range<usize>) -> (u64, u64) {
    (u64::MAX << (range.start % WORD), u64::MAX >> (WORD - 1 - (range.end - 1) % WORD))
}

#[cfg(test)]
mod tests {
    use super::Bitmask;

    #[test]
    fn ranges_are_what_their_bits_say() {
        for start in [0, 1, 63, 64, 65, 130] {
            for end in start..=200 {
                let mut mask = Bitmask::new(200);
                mask.set(start..end);
                assert!((0..200).all(|index| mask.contains(index) == (start..end).contains(&index)), "{start} {end}");
                assert!(mask.covers(start..end));
                assert!(end == 200 || !mask.covers(start..end + 1));
                assert!(start == 0 || !mask.covers(start - 1..end));
                mask.set(0..200);
                mask.clear(start..end);
                assert!((0..200).all(|index| mask.contains(index) != (start..end).contains(&index)), "{start} {end}");
            }
        }
    }
}
