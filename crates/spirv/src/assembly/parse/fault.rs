//! Errors of reading a text, and the nearest valid name.
//!
//! The nearest name has the smallest edit distance: the number of characters to insert, delete or replace. A name that differs in more than
//! a third is not suggested. Work is bounded, because names above 64 characters are not compared.

use reconverge_diagnostic::{Diagnostic, Place};
use strsim::levenshtein;

use crate::error::AssemblyCode;

/// Names above this length are not compared.
const LONGEST: usize = 64;

/// An error at a byte of the text. Line and column are computed once, when it leaves the assembler.
#[derive(Debug)]
pub(super) struct Fault {
    offset: usize,
    code: AssemblyCode,
    message: String,
}

impl Fault {
    pub(super) fn new(offset: usize, code: AssemblyCode, message: impl Into<String>) -> Fault {
        Fault { offset, code, message: message.into() }
    }

    pub(super) fn placed_in(self, text: &str) -> Diagnostic {
        Diagnostic::new(self.code, Place::in_text(text, self.offset), self.message)
    }
}

/// A part of the text for a message: quoted, and cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST).map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// A suggestion in place of a name: the nearest of the valid names, or else the advice.
pub(super) fn instead<'n>(name: &str, names: impl Iterator<Item = &'n str>, advice: &str) -> String {
    match nearest(name, names) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => format!("; {advice}"),
    }
}

/// The first of the nearest names, if it is near.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = name.to_ascii_lowercase();
    let limit = (name.len() / 3).max(1);
    let measured = names.filter(|other| other.len().abs_diff(name.len()) <= limit && other.len() <= LONGEST);
    let (distance, nearest) = measured
        .map(|other| (levenshtein(&name, &other.to_ascii_lowercase()), other))
        .min_by_key(|&(distance, _)| distance)?;
    (distance <= limit).then_some(nearest)
}
