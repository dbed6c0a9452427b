//! Ordered sets of numbers with union and split: binary tries over the bits of the numbers.
//!
//! A branch separates its numbers by one bit, the highest in which any two of them differ; numbers with a zero there are on the left. So a
//! set of `k` numbers has `k − 1` branches, its order is that of the numbers, and its shape depends only on the numbers.
//!
//! ```text
//!   {0b0010, 0b0011, 0b1000}        bit 3
//!                                  ╱     ╲
//!                               bit 0   1000
//!                              ╱     ╲
//!                            0010   0011
//! ```
//!
//! The union of two sets in different parts of the range is one branch above both. If they overlap, branches at the same bits become one,
//! each pair only once: in the trie with a branch at every bit, a set of n insertions has at most n · 64 branches, a split adds one for
//! each bit, and every further step of a union removes one. So any sequence of operations costs O(64) each, including sets that are passed
//! outward through many constructs, where the smaller half of a set may be moved again and again between the same two labels.
//!
//! The depth of a trie is at most 64, so the functions that descend may be recursive.
//!
//! Okasaki and Gill 1998, "Fast Mergeable Integer Maps", sections 2 and 3; without their prefix test, since a branch knows its smallest and
//! its largest number.

use std::rc::Rc;

/// A set that is not empty. A copy shares all branches; a branch is copied when it changes.
#[derive(Clone, Debug)]
pub(crate) enum Trie {
    Leaf(u64),
    Branch(Rc<Branch>),
}

/// Numbers that agree above the bit and differ in it.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    bit: u32,
    count: u32,
    first: u64,
    last: u64,
    /// The numbers with a zero in the bit, and those with a one.
    halves: [Trie; 2],
}

impl Trie {
    /// The number of numbers.
    pub(crate) fn len(&self) -> usize {
        self.count() as usize
    }

    fn count(&self) -> u32 {
        match self {
            Self::Leaf(_) => 1,
            Self::Branch(branch) => branch.count,
        }
    }

    /// The smallest number.
    pub(crate) fn first(&self) -> u64 {
        match self {
            Self::Leaf(number) => *number,
            Self::Branch(branch) => branch.first,
        }
    }

    /// The largest number.
    pub(crate) fn last(&self) -> u64 {
        match self {
            Self::Leaf(number) => *number,
            Self::Branch(branch) => branch.last,
        }
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let mut at = self;
        while let Self::Branch(branch) = at {
            at = &branch.halves[side(number, branch.bit)];
        }
        matches!(at, Self::Leaf(own) if *own == number)
    }

    /// The numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            loop {
                match pending.pop()? {
                    Self::Leaf(number) => return Some(*number),
                    Self::Branch(branch) => pending.extend(branch.halves.iter().rev()),
                }
            }
        })
    }

    /// The union.
    pub(crate) fn unite(self, other: Trie) -> Trie {
        let difference = self.first() ^ other.first();
        match (self, other) {
            (Self::Leaf(number), Self::Leaf(_)) if difference == 0 => Self::Leaf(number),
            (Self::Branch(mut one), Self::Branch(two)) if one.bit == two.bit && difference >> one.bit <= 1 => {
                let [low, high] = Rc::unwrap_or_clone(two).halves;
                let owned = Rc::make_mut(&mut one);
                owned.unite_half(0, low);
                owned.unite_half(1, high);
                Self::Branch(one)
            }
            (one, two) => {
                let (bit_of_one, bit_of_two) = (one.reach(), two.reach());
                // One past the highest bit in which the two differ, as `reach` counts.
                let apart = u64::BITS - difference.leading_zeros();
                if apart > bit_of_one && apart > bit_of_two {
                    return Self::branch(apart - 1, one, two);
                }
                let (wide, narrow) = if bit_of_one > bit_of_two { (one, two) } else { (two, one) };
                let Self::Branch(mut wide) = wide else { unreachable!("a leaf reaches no bit") };
                let side = side(narrow.first(), wide.bit);
                Rc::make_mut(&mut wide).unite_half(side, narrow);
                Self::Branch(wide)
            }
        }
    }

    /// One past the bit of the branch; 0 for a leaf.
    fn reach(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Branch(branch) => branch.bit + 1,
        }
    }

    /// Two sets that agree above the bit and differ in it.
    fn branch(bit: u32, one: Trie, two: Trie) -> Trie {
        let (low, high) = if side(one.first(), bit) == 0 { (one, two) } else { (two, one) };
        Self::Branch(Rc::new(Branch {
            bit,
            count: low.count() + high.count(),
            first: low.first(),
            last: high.last(),
            halves: [low, high],
        }))
    }

    /// Splits off the front part, the numbers for which `is_front` holds.
    pub(crate) fn split(self, is_front: &impl Fn(u64) -> bool) -> (Option<Trie>, Option<Trie>) {
        if is_front(self.last()) {
            return (Some(self), None);
        }
        if !is_front(self.first()) {
            return (None, Some(self));
        }
        let Self::Branch(branch) = self else { unreachable!("a leaf is front or not") };
        let Branch { bit, halves: [low, high], .. } = Rc::unwrap_or_clone(branch);
        if is_front(high.first()) {
            let (front, back) = high.split(is_front);
            (
                Some(front.map_or_else(|| unreachable!("the first is front"), |front| Self::branch(bit, low, front))),
                back,
            )
        } else {
            let (front, back) = low.split(is_front);
            let back = match back {
                Some(back) => Self::branch(bit, back, high),
                None => high,
            };
            (front, Some(back))
        }
    }
}

impl Branch {
    fn unite_half(&mut self, side: usize, other: Trie) {
        let half = std::mem::replace(&mut self.halves[side], Trie::Leaf(0));
        self.halves[side] = half.unite(other);
        let [low, high] = &self.halves;
        self.count = low.count() + high.count();
        self.first = low.first();
        self.last = high.last();
    }
}

fn side(number: u64, bit: u32) -> usize {
    usize::from(number >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Trie;

    fn trie(numbers: &BTreeSet<u64>) -> Option<Trie> {
        numbers.iter().map(|&number| Trie::Leaf(number)).reduce(Trie::unite)
    }

    fn is_same(trie: Option<&Trie>, numbers: &BTreeSet<u64>) -> bool {
        let list: Vec<u64> = trie.map_or(Vec::new(), |trie| trie.iter().collect());
        let ends = trie.map(|trie| (trie.first(), trie.last(), trie.len()));
        let expected = numbers.first().zip(numbers.last()).map(|(&first, &last)| (first, last, numbers.len()));
        list.iter().eq(numbers) && ends == expected
    }

    /// xorshift64, Marsaglia 2003.
    fn next(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn unions_and_splits_are_those_of_sets() {
        let mut state = 0x9E37_79B9;
        for round in 0..2000 {
            let range = [5, 60, 1 << 40, u64::MAX][round % 4];
            let mut sets = [BTreeSet::new(), BTreeSet::new()];
            for set in &mut sets {
                for _ in 0..next(&mut state) % 20 {
                    set.insert(next(&mut state) % range);
                }
            }
            let united: BTreeSet<u64> = sets[0].union(&sets[1]).copied().collect();
            let both = match (trie(&sets[0]), trie(&sets[1])) {
                (Some(one), Some(other)) => Some(one.unite(other)),
                (one, other) => one.or(other),
            };
            assert!(is_same(both.as_ref(), &united), "{sets:?}");
            let Some(both) = both else { continue };
            let bound = next(&mut state) % range;
            assert_eq!(both.contains(bound), united.contains(&bound), "{bound} in {united:?}");
            let (front, back) = both.split(&|number| number < bound);
            assert!(is_same(front.as_ref(), &united.range(..bound).copied().collect()), "{united:?} at {bound}");
            assert!(is_same(back.as_ref(), &united.range(bound..).copied().collect()), "{united:?} at {bound}");
        }
    }
}
