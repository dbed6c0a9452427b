//! Compares functions.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Difference;
use super::pairs::{Pairs, WordOf, match_opcodes};
use super::side::Side;
use crate::opcode;

impl Pairs<'_> {
    /// Compares the functions in order.
    pub(super) fn match_functions(&mut self) -> Result<(), Difference> {
        let (first, second) = (in_written_order(self.first), in_written_order(self.second));
        if first.len() != second.len() {
            return Err(Difference::new(0, 0, format!("{} and {} functions", first.len(), second.len())));
        }
        for (first, second) in first.into_iter().zip(second) {
            self.match_function(first, second)?;
        }
        Ok(())
    }

    fn match_function(&mut self, first: Range<usize>, second: Range<usize>) -> Result<(), Difference> {
        let (body_x, body_y) = (self.first.body(first.clone()), self.second.body(second.clone()));
        let labels = |side: &Side, body: &[usize]| -> Vec<usize> {
            body.iter().copied().filter(|&offset| side.opcode(offset) == opcode::LABEL).collect()
        };
        let (labels_x, labels_y) = (labels(self.first, &body_x), labels(self.second, &body_y));
        if labels_x.len() != labels_y.len() {
            let message = format!("functions of {} and {} blocks", labels_x.len(), labels_y.len());
            return Err(Difference::new(first.start, second.start, message));
        }
        for (label_x, label_y) in labels_x.into_iter().zip(labels_y) {
            self.match_instructions(label_x, label_y)?;
        }
        self.match_positions(first.clone(), &body_x, second.clone(), &body_y)?;
        for (&x, &y) in body_x.iter().zip(&body_y) {
            if self.first.opcode(x) == opcode::PHI && self.second.opcode(y) == opcode::PHI {
                self.match_phis(x, y)?;
            } else {
                self.match_instructions(x, y)?;
            }
        }
        if body_x.len() != body_y.len() {
            let message = format!("functions of {} and {} instructions", body_x.len(), body_y.len());
            return Err(Difference::new(first.start, second.start, message));
        }
        Ok(())
    }

    /// Compares two phis, whatever the order of their pairs.
    fn match_phis(&mut self, first: usize, second: usize) -> Result<(), Difference> {
        let (x, y) = (self.first.decoded(first).instruction, self.second.decoded(second).instruction);
        match_opcodes(&x, &y)?;
        self.match_ids(WordOf::new(&x, 1), WordOf::new(&y, 1))?;
        self.match_ids(WordOf::new(&x, 2), WordOf::new(&y, 2))?;
        if x.words.len() != y.words.len() {
            let message = format!("phis of {} and {} words", x.words.len(), y.words.len());
            return Err(Difference::new(first, second, message));
        }
        let parents: FxHashMap<u32, usize> = (3..y.words.len() - 1)
            .step_by(2)
            .filter_map(|at| Some((self.second.survey.number(y.words[at + 1], second + at + 1).ok()?, at)))
            .collect();
        for at in (3..x.words.len() - 1).step_by(2) {
            let parent = self.first.survey.number(x.words[at + 1], first + at + 1).ok();
            let partner = parent.map(|parent| self.partners[parent as usize]);
            let Some(&other) = partner.and_then(|partner| parents.get(&partner)) else {
                return Err(Difference::new(first + at + 1, second, "a parent that only one of two phis has"));
            };
            self.match_ids(WordOf::new(&x, at), WordOf::new(&y, other))?;
        }
        Ok(())
    }
}

/// The functions of a file, those without bodies first.
fn in_written_order(side: &Side) -> Vec<Range<usize>> {
    let has_body =
        |range: &Range<usize>| side.body(range.clone()).iter().any(|&offset| side.opcode(offset) == opcode::LABEL);
    let (defined, declared): (Vec<_>, Vec<_>) = side.functions.iter().cloned().partition(has_body);
    declared.into_iter().chain(defined).collect()
}
