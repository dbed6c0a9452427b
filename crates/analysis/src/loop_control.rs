//! The control of a `loop`, which requests transformations (SPIR-V section 3.23, Loop Control).

use reconverge_ir::{Module, Terminator, terminator::operand};
use smallvec::SmallVec;
use spirv::LoopControl as Mask;

/// The bits with a parameter, in the order of the parameters.
const WITH_WORD: [Mask; 6] = [
    Mask::DEPENDENCY_LENGTH,
    Mask::MIN_ITERATIONS,
    Mask::MAX_ITERATIONS,
    Mask::ITERATION_MULTIPLE,
    Mask::PEEL_COUNT,
    Mask::PARTIAL_COUNT,
];

/// A loop control: a mask, and a word for each of its bits with a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopControl {
    mask: Mask,
    words: SmallVec<[u32; 2]>,
}

impl LoopControl {
    /// The control of a `loop`.
    pub fn of(module: &Module, opening: Terminator) -> LoopControl {
        let literal = module.operand(opening, operand::LOOP_CONTROL);
        let (&mask, words) = module.literal_words(literal).split_first().unwrap_or((&0, &[]));
        LoopControl { mask: Mask::from_bits_retain(mask), words: words.into() }
    }

    /// Returns whether the loop must be unrolled.
    pub fn is_unroll(&self) -> bool {
        self.mask.contains(Mask::UNROLL)
    }

    /// Returns whether nothing is specified about copies of the body.
    pub fn is_silent(&self) -> bool {
        !self.mask.intersects(Mask::UNROLL | Mask::DONT_UNROLL | Mask::PEEL_COUNT | Mask::PARTIAL_COUNT)
    }

    /// The number of iterations to peel.
    pub fn peel_count(&self) -> Option<u32> {
        self.place(Mask::PEEL_COUNT).and_then(|place| self.words.get(place).copied())
    }

    /// Returns whether the loop must not be unrolled.
    pub fn is_dont_unroll(&self) -> bool {
        self.mask.contains(Mask::DONT_UNROLL)
    }

    fn place(&self, bit: Mask) -> Option<usize> {
        let before = WITH_WORD.iter().take_while(|&&other| other != bit);
        self.mask.contains(bit).then(|| before.filter(|&&other| self.mask.contains(other)).count())
    }

    /// The control of the remaining loop after this many iterations were peeled: no more peeling, and statements about the number of
    /// iterations refer to the remaining ones.
    pub fn after_peeling(&self, count: u32) -> LoopControl {
        let mut other = self.with(Mask::PEEL_COUNT, |_| None);
        for bit in [Mask::MIN_ITERATIONS, Mask::MAX_ITERATIONS] {
            other = other.with(bit, |iterations| iterations.checked_sub(count).filter(|&left| left > 0));
        }
        other.with(Mask::ITERATION_MULTIPLE, |multiple| {
            Some(multiple).filter(|&multiple| multiple > 0 && count.is_multiple_of(multiple))
        })
    }

    /// The part of the control that SPIR-V has before version 1.4.
    pub fn before_spirv_1_4(&self) -> LoopControl {
        let newer = WITH_WORD.into_iter().filter(|&bit| bit != Mask::DEPENDENCY_LENGTH);
        newer.fold(self.clone(), |control, bit| control.with(bit, |_| None))
    }

    /// Sets the parameter of a bit, or removes both.
    fn with(&self, bit: Mask, change: impl FnOnce(u32) -> Option<u32>) -> LoopControl {
        let mut other = self.clone();
        let Some(place) = self.place(bit).filter(|&place| place < self.words.len()) else { return other };
        match change(self.words[place]) {
            Some(word) => other.words[place] = word,
            None => {
                other.mask.remove(bit);
                other.words.remove(place);
            }
        }
        other
    }

    /// Sets the control of a `loop`.
    pub fn write(&self, module: &mut Module, opening: Terminator) {
        let words: SmallVec<[u32; 3]> = std::iter::once(self.mask.bits()).chain(self.words.iter().copied()).collect();
        let literal = module.edit().literal(&words);
        module.edit().set_operand(opening, operand::LOOP_CONTROL, literal);
    }
}

#[cfg(test)]
mod tests {
    use super::{LoopControl, Mask};

    #[test]
    fn words_belong_to_bits_in_order() {
        let control = LoopControl {
            mask: Mask::MIN_ITERATIONS | Mask::PEEL_COUNT | Mask::PARTIAL_COUNT,
            words: [7, 3, 5].as_slice().into(),
        };
        assert_eq!(control.peel_count(), Some(3));
        let without = control.after_peeling(0);
        assert_eq!(
            (without.mask, without.words.as_slice()),
            (Mask::MIN_ITERATIONS | Mask::PARTIAL_COUNT, [7, 5].as_slice())
        );
        assert_eq!(without.after_peeling(0), without);
    }

    #[test]
    fn promises_are_about_what_is_left() {
        let mask = Mask::MIN_ITERATIONS | Mask::MAX_ITERATIONS | Mask::ITERATION_MULTIPLE | Mask::PEEL_COUNT;
        let control = LoopControl { mask, words: [2, 8, 4, 2].as_slice().into() };
        let left = control.after_peeling(2);
        assert_eq!((left.mask, left.words.as_slice()), (Mask::MAX_ITERATIONS, [6].as_slice()));
        let left = control.after_peeling(4);
        assert_eq!(
            (left.mask, left.words.as_slice()),
            (Mask::MAX_ITERATIONS | Mask::ITERATION_MULTIPLE, [4, 4].as_slice())
        );
    }
}
