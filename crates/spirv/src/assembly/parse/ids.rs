//! Numbers of ids.
//!
//! An id that is a number keeps it, so that assembly has the ids of its module. A name gets the least number that no id of the text is and
//! no name has, in the order in which names occur. A number that no id can have, as in `%0`, is a name. The same text gives the same
//! numbers. Linear.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fault::Fault;
use super::tokens::{Token, TokenKind};
use crate::error::AssemblyCode;

/// The numbers of the ids of a text.
pub(super) struct Ids<'t> {
    /// Ids that are numbers.
    taken: FxHashSet<u32>,
    names: FxHashMap<&'t str, u32>,
    /// The least number that may be free.
    next: u32,
    /// Exclusive bound of the numbers.
    pub(super) bound: u32,
}

impl<'t> Ids<'t> {
    pub(super) fn of(tokens: &[Token<'t>]) -> Ids<'t> {
        let ids = tokens.iter().filter(|token| token.kind == TokenKind::Id);
        let taken: FxHashSet<u32> = ids.filter_map(|token| as_number(token.text)).collect();
        let bound = taken.iter().max().map_or(1, |greatest| greatest + 1);
        Ids { taken, names: FxHashMap::default(), next: 1, bound }
    }

    /// The number of an id.
    pub(super) fn number(&mut self, token: &Token<'t>) -> Result<u32, Fault> {
        let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if token.text.is_empty() || !token.text.bytes().all(is_name_byte) {
            let message = format!("expected letters, digits and underscores as an id, found {token}");
            return Err(Fault::new(token.offset, AssemblyCode::Id, message));
        }
        if let Some(number) = as_number(token.text) {
            return Ok(number);
        }
        if let Some(&number) = self.names.get(token.text) {
            return Ok(number);
        }
        let Some(number) = (self.next..u32::MAX).find(|number| !self.taken.contains(number)) else {
            let message = format!("expected a free number for {token}, found none below {}", u32::MAX);
            return Err(Fault::new(token.offset, AssemblyCode::Limit, message));
        };
        self.next = number + 1;
        self.bound = self.bound.max(number + 1);
        self.names.insert(token.text, number);
        Ok(number)
    }
}

/// The number of an id; `None` for a name.
fn as_number(id: &str) -> Option<u32> {
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    id.parse().ok().filter(|&number| is_number && number != 0 && number != u32::MAX)
}
