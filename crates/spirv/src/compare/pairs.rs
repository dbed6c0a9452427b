//! Pairs of ids that must correspond.

use rustc_hash::FxHashSet;

use super::Difference;
use super::side::{DecodedInstruction, Definition, Numbered, Side};
use crate::binary::Instruction;
use crate::grammar::{PieceKind, opcode_name};
use crate::opcode;

/// The pairs so far, and those whose definitions have not been compared yet.
pub(super) struct Pairs<'s> {
    pub(super) first: &'s Side,
    pub(super) second: &'s Side,
    /// For each number of the first file its partner, 0 for none; types and constants are not among them.
    pub(super) partners: Vec<u32>,
    partners_back: Vec<u32>,
    /// Pairs of types or constants.
    pub(super) equal: FxHashSet<(u32, u32)>,
    open: Vec<(usize, usize)>,
}

/// A word of an instruction.
#[derive(Clone, Copy)]
pub(super) struct WordOf<'i> {
    instruction: &'i Instruction<'i>,
    at: usize,
}

impl<'i> WordOf<'i> {
    pub(super) const fn new(instruction: &'i Instruction<'i>, at: usize) -> WordOf<'i> {
        WordOf { instruction, at }
    }

    const fn word(self) -> u32 {
        self.instruction.words[self.at]
    }

    /// Its position in the file.
    const fn offset(self) -> usize {
        self.instruction.offset + self.at
    }
}

impl<'s> Pairs<'s> {
    pub(super) fn new(first: &'s Side, second: &'s Side) -> Pairs<'s> {
        Pairs {
            first,
            second,
            partners: vec![0; first.definitions.len()],
            partners_back: vec![0; second.definitions.len()],
            equal: FxHashSet::default(),
            open: Vec::new(),
        }
    }

    /// Compares the definitions of all pairs, and of the pairs that follow from them.
    pub(super) fn settle(&mut self) -> Result<(), Difference> {
        while let Some((first, second)) = self.open.pop() {
            self.match_instructions(first, second)?;
        }
        Ok(())
    }

    /// Assumes two numbers to be equal.
    pub(super) fn match_numbers(&mut self, first: Numbered, second: Numbered) -> Result<(), Difference> {
        let Numbered { number: x, word: word_x } = first;
        let Numbered { number: y, word: word_y } = second;
        let differ = |what: &str| Err(Difference::new(word_x, word_y, format!("{x} and {y} {what}")));
        match (self.first.definitions[x as usize], self.second.definitions[y as usize]) {
            (Definition::Unique(at_x), Definition::Unique(at_y)) => {
                if self.equal.insert((x, y)) {
                    self.open.push((at_x, at_y));
                }
                Ok(())
            }
            (Definition::Global(at_x), Definition::Global(at_y)) => {
                if self.bind(x, y) {
                    self.open.push((at_x, at_y));
                }
                if self.partners[x as usize] == y { Ok(()) } else { differ("correspond to different ids") }
            }
            (Definition::Local, Definition::Local) => {
                self.bind(x, y);
                if self.partners[x as usize] == y { Ok(()) } else { differ("correspond to different ids") }
            }
            _ => differ("have different definitions"),
        }
    }

    /// Makes two numbers partners if neither has one. Returns whether they are new partners.
    fn bind(&mut self, x: u32, y: u32) -> bool {
        let is_free = self.partners[x as usize] == 0 && self.partners_back[y as usize] == 0;
        if is_free {
            self.partners[x as usize] = y;
            self.partners_back[y as usize] = x;
        }
        is_free
    }

    /// Assumes the ids at these words of two instructions to be equal.
    pub(super) fn match_ids(&mut self, first: WordOf<'_>, second: WordOf<'_>) -> Result<(), Difference> {
        let (word_x, word_y) = (first.offset(), second.offset());
        let x = self.first.survey.number(first.word(), word_x);
        let y = self.second.survey.number(second.word(), word_y);
        match (x, y) {
            (Ok(x), Ok(y)) => {
                self.match_numbers(Numbered { number: x, word: word_x }, Numbered { number: y, word: word_y })
            }
            (Err(error), _) | (_, Err(error)) => Err(Difference::new(word_x, word_y, error.message)),
        }
    }

    /// Compares two instructions, operand by operand.
    pub(super) fn match_instructions(&mut self, first: usize, second: usize) -> Result<(), Difference> {
        let (x, y) = (self.first.decoded(first), self.second.decoded(second));
        match_opcodes(&x.instruction, &y.instruction)?;
        for (at_x, at_y) in [(x.parts.ty, y.parts.ty), (x.parts.result, y.parts.result)] {
            if let (Some(at_x), Some(at_y)) = (at_x, at_y) {
                self.match_ids(WordOf::new(&x.instruction, at_x), WordOf::new(&y.instruction, at_y))?;
            }
        }
        self.match_pieces(&x, &y, 0)
    }

    /// Compares the operands from index `skip` on.
    pub(super) fn match_pieces(
        &mut self,
        first: &DecodedInstruction<'_>,
        second: &DecodedInstruction<'_>,
        skip: usize,
    ) -> Result<(), Difference> {
        let (x, decoded_x) = (&first.instruction, &first.parts);
        let (y, decoded_y) = (&second.instruction, &second.parts);
        let name = || opcode_name(x.opcode);
        if decoded_x.pieces.len() != decoded_y.pieces.len() {
            let message = format!("{} has {} and {} operands", name(), decoded_x.pieces.len(), decoded_y.pieces.len());
            return Err(Difference::new(x.offset, y.offset, message));
        }
        for (piece_x, piece_y) in decoded_x.pieces.iter().zip(&decoded_y.pieces).skip(skip) {
            let (words_x, words_y) =
                (&x.words[piece_x.start..][..piece_x.count], &y.words[piece_y.start..][..piece_y.count]);
            if piece_x.kind == PieceKind::Id && piece_y.kind == PieceKind::Id {
                self.match_ids(WordOf::new(x, piece_x.start), WordOf::new(y, piece_y.start))?;
            } else if piece_x.kind != piece_y.kind || words_x != words_y {
                let message = format!("{} has literals {words_x:?} and {words_y:?}", name());
                return Err(Difference::new(x.offset + piece_x.start, y.offset + piece_y.start, message));
            }
        }
        Ok(())
    }
}

pub(super) fn match_opcodes(x: &Instruction<'_>, y: &Instruction<'_>) -> Result<(), Difference> {
    // Types that are declared twice count as one, so that `OpCopyLogical` between them is a copy.
    let plain = |code| if code == opcode::COPY_LOGICAL { opcode::COPY_OBJECT } else { code };
    if plain(x.opcode) == plain(y.opcode) {
        return Ok(());
    }
    let message = format!("{} and {}", opcode_name(x.opcode), opcode_name(y.opcode));
    Err(Difference::new(x.offset, y.offset, message))
}
