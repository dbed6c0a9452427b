//! The operations of both ALUs, their flags, conditions and packs.

use crate::assemble::*;

fn lanes(word: impl Fn(u32) -> u32) -> Lanes {
    std::array::from_fn(|lane| word(lane as u32))
}

#[test]
fn an_argument_comes_back() {
    let argument = lanes(|lane| lane * 0x1111_1111);
    assert_eq!(evaluate(&[argument], &[copy(R3, 0)]), argument);
}
