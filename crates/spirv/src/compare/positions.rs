//! Lines and scopes that apply to an instruction, wherever they are written.
//!
//! A line holds up to the next one, to an instruction that ends it, or to the end of the block (SPIR-V section 3.3.3), and so does a scope.
//! For labels, parameters, phis and variables only the line of an `OpLine` counts: other debug instructions come after them.

use std::ops::Range;

use super::Difference;
use super::pairs::{Pairs, match_opcodes};
use super::side::Side;
use crate::binary::{self, Instruction};
use crate::grammar::{Context, DebugMark, debug_mark};
use crate::opcode;
use crate::read::is_terminator;

/// The positions of the debug instructions that hold for an instruction.
#[derive(Clone, Copy, Default)]
struct InEffect {
    line: Option<usize>,
    range: Option<usize>,
    scope: Option<usize>,
}

/// Returns whether an instruction states the source of the instructions after it.
pub(super) fn is_mark(instruction: &Instruction<'_>, context: &impl Context) -> bool {
    matches!(instruction.opcode, opcode::LINE | opcode::NO_LINE) || debug_mark(instruction, context).is_some()
}

impl Pairs<'_> {
    /// Compares the lines and scopes of the instructions of two functions.
    pub(super) fn match_positions(
        &mut self,
        first: Range<usize>,
        body_x: &[usize],
        second: Range<usize>,
        body_y: &[usize],
    ) -> Result<(), Difference> {
        let (all_x, all_y) = (positions(self.first, first), positions(self.second, second));
        for ((&x, &y), (in_x, in_y)) in body_x.iter().zip(body_y).zip(all_x.into_iter().zip(all_y)) {
            let code = self.first.opcode(x);
            let stands_first = matches!(
                code,
                opcode::FUNCTION | opcode::FUNCTION_PARAMETER | opcode::LABEL | opcode::PHI | opcode::VARIABLE
            );
            // A merge instruction belongs to the terminator after it.
            if matches!(code, opcode::SELECTION_MERGE | opcode::LOOP_MERGE | opcode::FUNCTION_END) {
                continue;
            }
            self.match_marks(x, in_x.line, y, in_y.line)?;
            if !stands_first {
                self.match_marks(x, in_x.range, y, in_y.range)?;
                self.match_marks(x, in_x.scope, y, in_y.scope)?;
            }
        }
        Ok(())
    }

    /// Compares the lines and scopes of two instructions.
    fn match_marks(
        &mut self,
        first: usize,
        mark_x: Option<usize>,
        second: usize,
        mark_y: Option<usize>,
    ) -> Result<(), Difference> {
        let (x, y) = match (mark_x, mark_y) {
            (Some(x), Some(y)) => (x, y),
            (None, None) => return Ok(()),
            _ => {
                return Err(Difference::new(first, second, "a line or scope that only one of two instructions has"));
            }
        };
        let (x, y) = (self.first.decoded(x), self.second.decoded(y));
        match_opcodes(&x.instruction, &y.instruction)?;
        self.match_pieces(&x, &y, 0)
    }
}

/// The lines and scopes of each instruction of a function.
fn positions(side: &Side, range: Range<usize>) -> Vec<InEffect> {
    let mut now = InEffect { line: side.first_lines.get(&range.start).copied(), ..InEffect::default() };
    let mut all = Vec::new();
    for instruction in binary::instructions(&side.words, range).map_while(Result::ok) {
        let here = instruction.offset;
        match (instruction.opcode, debug_mark(&instruction, &side.survey)) {
            (opcode::LINE, _) => now.line = Some(here),
            (opcode::NO_LINE, _) => now.line = None,
            (_, Some(DebugMark::Line)) => now.range = Some(here),
            (_, Some(DebugMark::NoLine)) => now.range = None,
            (_, Some(DebugMark::Scope)) => now.scope = Some(here),
            (_, Some(DebugMark::NoScope)) => now.scope = None,
            (code, None) => {
                all.push(now);
                if is_terminator(code) {
                    now = InEffect::default();
                }
            }
        }
    }
    all
}
