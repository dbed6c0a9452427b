//! Locations after an instruction.
//!
//! ```text
//! store %p, %x at %file 3:5 debug_scope(%set, %function)        none, or a line, a range of lines and a scope, each if it is known
//! ```

use super::error::Fault;
use super::lexer::{Label, TokenKind};
use super::parser::Parser;
use crate::{Inst, Line, Location, Op};

/// A location to set on an instruction.
pub(super) struct DebugLocation<'t> {
    inst: Inst,
    pub(super) line: TailLine<'t>,
    location: Location,
}

/// A location, and separately its line, as its file may be defined later.
pub(super) struct TailLocation<'t> {
    line: Option<TailLine<'t>>,
    location: Location,
}

/// A line of a file that is known by its label.
pub(super) struct TailLine<'t> {
    file: Label<'t>,
    pub(super) offset: usize,
    line: u32,
    column: u32,
}

impl<'t> Parser<'t> {
    /// The location after `at`.
    pub(super) fn location(&mut self) -> Result<TailLocation<'t>, Fault> {
        let mut tail = TailLocation { line: None, location: Location::NONE };
        if self.accept_word("none") {
            return Ok(tail);
        }
        if !matches!(*self.kind(), TokenKind::Word(_)) {
            tail.line = Some(self.tail_line()?);
        }
        tail.location.range = self.position(Op::DebugLine)?;
        tail.location.scope = self.position(Op::DebugScope)?;
        match tail.line.is_none() && tail.location == Location::NONE {
            true => Err(self.fault("a location")),
            false => Ok(tail),
        }
    }

    fn tail_line(&mut self) -> Result<TailLine<'t>, Fault> {
        let (file, offset) = self.label()?;
        let line = self.number("a line number")?;
        self.expect(':')?;
        let column = self.number("a column number")?;
        Ok(TailLine { file, offset, line, column })
    }

    /// A part of a location, if it comes next: its op and its operands in parentheses.
    fn position(&mut self, op: Op) -> Result<Option<Inst>, Fault> {
        if self.opens_line() || !self.accept_word(op.name()) {
            return Ok(None);
        }
        let operands = self.parenthesized(op, 0)?;
        Ok(Some(self.module.edit().unique(op, None, &operands)))
    }

    /// Sets the location of an instruction, or records it for later.
    pub(super) fn locate(&mut self, inst: Inst, location: Option<TailLocation<'t>>) {
        match location {
            None => {}
            Some(TailLocation { line: None, location }) => self.module.edit().set_location(inst, Some(location)),
            Some(TailLocation { line: Some(line), location }) => {
                self.locations.push(DebugLocation { inst, line, location })
            }
        }
    }

    /// Sets the locations whose file is now defined.
    pub(super) fn settle_locations(&mut self) {
        for place in std::mem::take(&mut self.locations) {
            let Some(file) = self.scopes.defined(place.line.file) else {
                self.locations.push(place);
                continue;
            };
            let TailLine { line, column, .. } = place.line;
            let line = Line { file: self.module.resolve(file), line, column };
            if self.module.is_live(place.inst) {
                self.module.edit().set_location(place.inst, Some(Location { line: Some(line), ..place.location }));
            }
        }
    }
}
