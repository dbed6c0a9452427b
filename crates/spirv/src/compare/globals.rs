//! Instructions outside functions: ordered ones, unused ones, names and decorations.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Difference;
use super::pairs::Pairs;
use super::side::{DecodedInstruction, Numbered, Side};
use crate::grammar::PieceKind;
use crate::opcode;

impl Pairs<'_> {
    /// Compares the instructions that are neither types nor constants nor notes, in order.
    pub(super) fn match_listed_globals(&mut self) -> Result<(), Difference> {
        let (first, second) = (self.first, self.second);
        for (&x, &y) in first.listed.iter().zip(&second.listed) {
            self.match_instructions(x, y)?;
            match (first.lines.get(&x), second.lines.get(&y)) {
                (Some(&line_x), Some(&line_y)) => self.match_instructions(line_x, line_y)?,
                (None, None) => {}
                _ => return Err(Difference::new(x, y, "a line that only one of two instructions has")),
            }
        }
        match first.listed.len() == second.listed.len() {
            true => Ok(()),
            false => {
                let message =
                    format!("{} and {} instructions outside functions", first.listed.len(), second.listed.len());
                Err(Difference::new(0, 0, message))
            }
        }
    }

    /// Finds partners for types and constants that nothing refers to.
    pub(super) fn match_unused(&mut self) -> Result<(), Difference> {
        let (first, second) = (self.first, self.second);
        let (looks_x, looks_y) = (by_look(first), by_look(second));
        let used: FxHashSet<u32> = self.equal.iter().map(|&(x, _)| x).collect();
        for &x in first.unique.iter().filter(|x| !used.contains(&x.number)) {
            let alike = looks_y.get(&look(first, x.word)).map_or(&[][..], |list| list);
            let partner = alike.iter().find(|&&y| self.is_alike(x, y));
            let Some(&y) = partner else {
                return Err(Difference::new(x.word, 0, "a type or constant that the second file lacks"));
            };
            self.match_numbers(x, y)?;
            self.settle()?;
        }
        let used: FxHashSet<u32> = self.equal.iter().map(|&(_, y)| y).collect();
        for &y in second.unique.iter().filter(|y| !used.contains(&y.number)) {
            let alike = looks_x.get(&look(second, y.word)).map_or(&[][..], |list| list);
            let partner = alike.iter().find(|&&x| self.is_alike(x, y));
            let Some(&x) = partner else {
                return Err(Difference::new(0, y.word, "a type or constant that the first file lacks"));
            };
            self.match_numbers(x, y)?;
            self.settle()?;
        }
        Ok(())
    }

    /// Returns whether two types or constants can be equal, judged by their operands and by the visible parts of their decorations.
    fn is_alike(&self, first: Numbered, second: Numbered) -> bool {
        self.has_equal_operands(first.word, second.word)
            && decoration_looks(self.first, first.number) == decoration_looks(self.second, second.number)
    }

    fn has_equal_operands(&self, first: usize, second: usize) -> bool {
        let (ids_x, ids_y) = (operand_numbers(self.first, first), operand_numbers(self.second, second));
        ids_x.len() == ids_y.len()
            && ids_x.iter().zip(&ids_y).all(|(&x, &y)| self.equal.contains(&(x, y)) || self.partners[x as usize] == y)
    }

    /// Compares names and decorations of all pairs.
    pub(super) fn match_notes(&mut self) -> Result<(), Difference> {
        for x in 0..self.partners.len() as u32 {
            let y = self.partners[x as usize];
            if y != 0 {
                self.match_notes_of(x, y, |_| true)?;
            }
        }
        let mut equal: Vec<(u32, u32)> = self.equal.iter().copied().collect();
        equal.sort_unstable();
        let (mut partners, mut partners_back) = (FxHashMap::default(), FxHashMap::default());
        for &(x, y) in &equal {
            *partners.entry(x).or_insert(0) += 1;
            *partners_back.entry(y).or_insert(0) += 1;
        }
        for (x, y) in equal {
            // If two declarations become one, only one can keep its name.
            let is_alone = partners[&x] == 1 && partners_back[&y] == 1;
            self.match_notes_of(x, y, |opcode| is_alone || opcode != opcode::NAME)?;
        }
        Ok(())
    }

    fn match_notes_of(&mut self, x: u32, y: u32, counts: impl Fn(u16) -> bool) -> Result<(), Difference> {
        let (notes_x, notes_y) = (sorted_notes(self.first, x, &counts), sorted_notes(self.second, y, &counts));
        if notes_x.len() != notes_y.len() {
            let message = format!("{x} and {y} have {} and {} names and decorations", notes_x.len(), notes_y.len());
            return Err(Difference::new(0, 0, message));
        }
        for (first, second) in notes_x.into_iter().zip(notes_y) {
            let (x, y) = (self.first.decoded(first), self.second.decoded(second));
            super::pairs::match_opcodes(&x.instruction, &y.instruction)?;
            self.match_pieces(&x, &y, 1)?;
        }
        Ok(())
    }
}

/// The types and constants of a file by their visible parts.
fn by_look(side: &Side) -> FxHashMap<Vec<u32>, Vec<Numbered>> {
    let mut looks: FxHashMap<Vec<u32>, Vec<Numbered>> = FxHashMap::default();
    for &numbered in &side.unique {
        looks.entry(look(side, numbered.word)).or_default().push(numbered);
    }
    looks
}

/// The visible parts of an instruction, which need no ids: opcode, number of operands and literals.
fn look(side: &Side, offset: usize) -> Vec<u32> {
    let DecodedInstruction { instruction, parts: decoded } = side.decoded(offset);
    let mut look = vec![u32::from(instruction.opcode), decoded.pieces.len() as u32];
    for piece in decoded.pieces.iter().filter(|piece| piece.kind != PieceKind::Id) {
        look.extend_from_slice(&instruction.words[piece.start..][..piece.count]);
    }
    look
}

fn operand_numbers(side: &Side, offset: usize) -> Vec<u32> {
    let DecodedInstruction { instruction, parts: decoded } = side.decoded(offset);
    let pieces = decoded.pieces.iter().filter(|piece| piece.kind == PieceKind::Id).map(|piece| piece.start);
    let words = decoded.ty.into_iter().chain(pieces);
    words.filter_map(|at| side.survey.number(instruction.words[at], offset + at).ok()).collect()
}

/// The visible parts of the decorations of a target, without names.
fn decoration_looks(side: &Side, target: u32) -> Vec<Vec<u32>> {
    let decorations = sorted_notes(side, target, |code| !matches!(code, opcode::NAME | opcode::MEMBER_NAME));
    decorations.into_iter().map(|offset| look(side, offset)).collect()
}

/// The notes of a target that `counts` accepts, sorted by their visible parts.
fn sorted_notes(side: &Side, target: u32, counts: impl Fn(u16) -> bool) -> Vec<usize> {
    let mut notes: Vec<usize> = side.notes.get(&target).cloned().unwrap_or_default();
    notes.retain(|&offset| counts(side.opcode(offset)));
    notes.sort_by_cached_key(|&offset| look(side, offset));
    notes
}
