//! The text form: every module can be printed, and parsing the result yields the same module.
//!
//! ```
//! let text = "\
//! %u32 = type_int 32, 0
//! %seven: %u32 = constant 7
//!
//! func %double: %u32 (%x: %u32) {
//! block ^entry:
//!   %sum: %u32 = i_add %x, %x
//!   return_value %sum
//! }
//! ";
//! let module = reconverge_ir::text::parse(text)?;
//! let printed = reconverge_ir::text::print(&module);
//! assert!(printed.contains("%sum: %u32 = i_add %x, %x"));
//! assert_eq!(reconverge_ir::text::print(&reconverge_ir::text::parse(&printed)?), printed);
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```
//!
//! The grammar is in `docs/ir.md`. Names that start with `%` and are not all digits are also source names (`OpName`), which are
//! kept with the module; `%17` keeps the number 17.

mod cursor;
mod dot;
mod enumerants;
mod error;
mod float;
mod lexer;
mod locations;
mod names;
mod operands;
mod parser;
mod printer;
mod scope;

pub use dot::dot;
pub(crate) use enumerants::is_enumeration;
pub use error::ErrorCode;
pub use parser::parse;
pub use printer::Printer;

use crate::{Inst, Module};

/// The versions of the text form that this build reads. It writes the last one.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=1;

/// The first word of a line with the version.
pub(crate) const VERSION_WORD: &str = "version";

/// A module as text. Deterministic; linear.
pub fn print(module: &Module) -> String {
    Printer::new(module).module()
}

/// A module as the text of a file: the version of the form is the first line.
///
/// ```
/// let file = reconverge_ir::text::print_file(&reconverge_ir::Module::new());
/// assert_eq!(file, "version 1\n");
/// assert!(reconverge_ir::text::parse(&file).is_ok());
/// assert!(reconverge_ir::text::parse("version 99\n").is_err());
/// ```
pub fn print_file(module: &Module) -> String {
    format!("{VERSION_WORD} {}\n{}", VERSIONS.end(), print(module))
}

/// One line that shows one instruction, for a diagnostic, with the names that [`print()`] uses.
///
/// Linear in the module, since names depend on it: for many lines create one [`Printer`].
pub fn print_inst(module: &Module, inst: impl Into<Inst>) -> String {
    Printer::new(module).line(inst.into())
}
