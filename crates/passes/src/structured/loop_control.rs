//! What a `loop` says about how it is to be transformed (SPIR-V section 3.23, Loop Control).

use reconverge_ir::{Module, Terminator, terminator::operand};
use smallvec::SmallVec;

const UNROLL: u32 = 1;
const DONT_UNROLL: u32 = 1 << 1;
const PEEL_COUNT: u32 = 1 << 7;
const PARTIAL_COUNT: u32 = 1 << 8;
/// The bits that bring a word along, in the order of the words.
const WITH_WORD: [u32; 6] = [1 << 3, 1 << 4, 1 << 5, 1 << 6, PEEL_COUNT, PARTIAL_COUNT];

/// A loop control: a mask, and a word for each of its bits that takes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LoopControl {
    mask: u32,
    words: SmallVec<[u32; 2]>,
}

impl LoopControl {
    /// The control of a `loop`.
    pub(super) fn of(module: &Module, opening: Terminator) -> LoopControl {
        let literal = module.operand(opening, operand::LOOP_CONTROL);
        let (mask, words) = module.literal_words(literal).split_first().unwrap_or((&0, &[]));
        LoopControl { mask: *mask, words: words.into() }
    }

    /// Whether the loop must be unrolled.
    pub(super) fn is_unroll(&self) -> bool {
        self.mask & UNROLL != 0
    }

    /// Whether nothing is said about copies of the body.
    pub(super) fn is_silent(&self) -> bool {
        self.mask & (UNROLL | DONT_UNROLL | PEEL_COUNT | PARTIAL_COUNT) == 0
    }

    /// How many iterations are to be peeled.
    pub(super) fn peel_count(&self) -> Option<u32> {
        self.place(PEEL_COUNT).and_then(|place| self.words.get(place).copied())
    }

    /// Whether the loop must not be unrolled.
    pub(super) fn is_dont_unroll(&self) -> bool {
        self.mask & DONT_UNROLL != 0
    }

    fn place(&self, bit: u32) -> Option<usize> {
        let before = WITH_WORD.iter().take_while(|&&other| other != bit);
        (self.mask & bit != 0).then(|| before.filter(|&&other| self.mask & other != 0).count())
    }

    /// Takes back that iterations are to be peeled.
    pub(super) fn without_peel_count(&self) -> LoopControl {
        let mut other = self.clone();
        if let Some(place) = self.place(PEEL_COUNT) {
            other.mask &= !PEEL_COUNT;
            if place < other.words.len() {
                other.words.remove(place);
            }
        }
        other
    }

    /// Writes the control at a `loop`.
    pub(super) fn write(&self, module: &mut Module, opening: Terminator) {
        let words: SmallVec<[u32; 3]> = std::iter::once(self.mask).chain(self.words.iter().copied()).collect();
        let literal = module.edit().literal(&words);
        module.edit().set_operand(opening, operand::LOOP_CONTROL, literal);
    }
}

#[cfg(test)]
mod tests {
    use super::{LoopControl, PEEL_COUNT};

    #[test]
    fn words_belong_to_bits_in_order() {
        let control = LoopControl { mask: (1 << 4) | PEEL_COUNT | (1 << 8), words: [7, 3, 5].as_slice().into() };
        assert_eq!(control.peel_count(), Some(3));
        let without = control.without_peel_count();
        assert_eq!((without.mask, without.words.as_slice()), ((1 << 4) | (1 << 8), [7, 5].as_slice()));
        assert_eq!(without.without_peel_count(), without);
    }
}
