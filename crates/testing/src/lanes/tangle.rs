//! Converged lanes and their words, each with its guarantees without maximal reconvergence.

use crate::generators::lanes::{Binary, Comparison};

/// The reason why a result is not guaranteed without maximal reconvergence (M11): the first cause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doubt {
    /// Lanes that took the same edge of a branch at which others took another one: no rule keeps them converged.
    Branch,
    /// Lanes that took the same case of a switch from which others took another one.
    Case,
    /// Lanes at a merge block, while others that entered the construct with them left in another way.
    Merge,
    /// Lanes in a case to which others fall through: maximal reconvergence itself does not define whether they join (M10), and the
    /// simulation keeps them separate.
    Fall,
}

impl Doubt {
    /// All of them.
    pub const ALL: [Doubt; 4] = [Doubt::Branch, Doubt::Case, Doubt::Fall, Doubt::Merge];

    /// A short description.
    pub const fn name(self) -> &'static str {
        match self {
            Doubt::Branch => "same way after a divergent branch",
            Doubt::Case => "same case of a divergent switch",
            Doubt::Merge => "merge block that some never reach",
            Doubt::Fall => "case that others fall into",
        }
    }
}

/// Converged lanes.
#[derive(Clone, Copy)]
pub(super) struct Tangle {
    pub(super) lanes: u64,
    /// The reason why they may not be converged without maximal reconvergence.
    pub(super) doubt: Option<Doubt>,
}

impl Tangle {
    pub(super) const EMPTY: Tangle = Tangle { lanes: 0, doubt: None };

    pub(super) fn iter(self, lanes: usize) -> impl Iterator<Item = usize> {
        (0..lanes).filter(move |&lane| self.has(lane))
    }

    pub(super) fn has(self, lane: usize) -> bool {
        self.lanes >> lane & 1 == 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.lanes == 0
    }
}

/// A word of a lane.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) bits: u32,
    /// The reason why it may differ without maximal reconvergence.
    pub(super) doubt: Option<Doubt>,
}

impl Word {
    pub(super) const fn certain(bits: u32) -> Word {
        Word { bits, doubt: None }
    }
}

/// By lane.
pub(super) type Words = Vec<Word>;

/// Lanes that reach a point in several groups.
#[derive(Clone, Copy, Default)]
pub(super) struct Arrivals {
    pub(super) lanes: u64,
    pub(super) doubt: Option<Doubt>,
}

impl Arrivals {
    pub(super) fn add(&mut self, tangle: Tangle) {
        if !tangle.is_empty() {
            self.lanes |= tangle.lanes;
            self.doubt = self.doubt.or(tangle.doubt);
        }
    }

    /// Returns one tangle. Groups were separated by a branch, and each group has the doubt of that.
    pub(super) fn joined(self) -> Tangle {
        Tangle { lanes: self.lanes, doubt: self.doubt }
    }

    /// Returns one tangle at the merge block of a construct that `entered` entered.
    pub(super) fn merged(self, entered: Tangle) -> Tangle {
        let doubt = entered.doubt.or((self.lanes != entered.lanes).then_some(Doubt::Merge));
        Tangle { lanes: self.lanes, doubt }
    }
}

/// The reason why other lanes may be here, or with other values.
pub(super) fn doubt_of(words: &Words, tangle: Tangle) -> Option<Doubt> {
    tangle.doubt.or_else(|| tangle.iter(words.len()).find_map(|lane| words[lane].doubt))
}

pub(super) fn combine(left: &Words, right: &Words, operation: impl Fn(u32, u32) -> u32) -> Words {
    let word = |(left, right): (&Word, &Word)| Word {
        bits: operation(left.bits, right.bits),
        doubt: left.doubt.or(right.doubt),
    };
    left.iter().zip(right).map(word).collect()
}

pub(super) fn binary(operation: Binary, left: u32, right: u32) -> u32 {
    match operation {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Xor => left ^ right,
        Binary::And => left & right,
        Binary::Or => left | right,
    }
}

pub(super) fn compare(comparison: Comparison, left: u32, right: u32) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::GreaterEqual => left >= right,
    }
}
