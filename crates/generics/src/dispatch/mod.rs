//! Values of interface type become tags and words, and calls through them become switches.
//!
//! ```text
//! %e = make_existential %c, %circle.Shape        %words = the words of %c
//!                                           ⇒    %e = composite_construct %tag_of_circle, %words
//!
//! %w = extract_witness %e                        %tag = composite_extract %e, 0
//! %area = lookup_witness %w, %Shape.area         structured_switch %tag default ^square merge ^join [0 ^circle]
//! %x = extract_value %e                     ⇒    ^circle: %c = a circle from the words of %e
//! %r = function_call %area, %x                            %0 = function_call %circle.area, %c; branch ^join(%0)
//!                                                ^square: …
//!                                                ^join(%r):
//! ```
//!
//! The types that a call has to tell apart come from a data flow analysis (`flow.rs`); a call with one type is a direct call, and one
//! without any is an error. The analysis and the requests for the functions that it finds alternate until nothing new is found
//! (`meanings.rs`). Then every type of values gets its number of words (`words.rs`), and the functions are rewritten (`lower.rs`). The tag
//! is a value like any other: where it is uniform, so is the switch.
//!
//! The values are those of Slang's IR ("existential types"), the representation as a tag and words is that of enums with payload.

mod calls;
mod checks;
mod expressions;
mod flow;
mod lower;
mod meanings;
mod reach;
mod sizes;
mod words;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Module, Op};

use crate::Specializer;

/// Replaces all values of interface type in a module whose static requests are resolved. Returns whether there were any.
///
/// # Errors
///
/// A call for whose value no type is known, a value that has no representation as words, or a limit.
pub(crate) fn lower_dispatch(specializer: &mut Specializer<'_>) -> Result<bool, Diagnostic> {
    if !has_existentials(specializer.module) {
        return Ok(false);
    }
    let found = meanings::find(specializer)?;
    lower::lower(specializer, &found)?;
    Ok(true)
}

/// Returns whether there are values of interface type.
fn has_existentials(module: &Module) -> bool {
    module.descendants(module.root()).any(|inst| module.op(inst) == Op::TypeExistential)
}
