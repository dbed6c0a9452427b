//! Messages as data: codes, places and diagnostics.
//!
//! | file | content |
//! |---|---|
//! | `code.rs` | a code with its meaning and its help, and [`codes!`], which declares the codes of a crate |
//! | `severity.rs` | kinds of messages: which end the work, and why |
//! | `place.rs` | a place in an input, and its printed form |
//! | `diagnostic.rs` | a message: a code, a place, what is wrong |
//!
//! A code is declared once, in the crate that emits it. A message has a reference to the declaration, so no message has a code without one.
//! The command lists the groups of all crates; nothing else does.
//!
//! The crate is data without an algorithm, so that the independent checkers can use it too: it has nothing that they judge.

mod code;
mod diagnostic;
mod place;
mod severity;

pub use code::{Code, Group};
pub use diagnostic::{Diagnostic, Note};
pub use place::Place;
pub use severity::{Kind, Severity};
