//! Links modules that were compiled separately.
//!
//! ```text
//! a: func %k { call %f }              func %k { call %f }
//!    func %f {Import "f"}      ⇒      func %f { return }
//! b: func %f { return } {Export "f"}
//!    func %unused {Export "u"}
//! ```
//!
//! 1. **Reach** (`reach.rs`). A worklist from the roots finds everything that an instruction names. A symbol is resolved when it is
//!    reached, so symbols that are not needed cost nothing.
//! 2. **Check** (`check/`). Each import that was bound to a definition has its type, and does not contradict its decorations.
//! 3. **Copy** (`copy/`). Reached instructions are copied in the order of the inputs, each in the order of its module. Hoistable
//!    instructions are requested in the result, so equal types are one; structs are unified by their structure (`copy/structs.rs`).
//! 4. **Finish** (`finish/`). Descriptions of modules are merged, entry points list the variables that they use, and recursion is an
//!    error.
//!
//! Linear in the copied instructions, except for the sorting of the reached ones; no recursion. Linking is associative, as long as the
//! first links produce libraries ([`Roots::Library`]) and the result links without errors; `docs/linking.md` has all rules.
//!
//! The order of definitions by target, and that linking needs the IR alone, are those of Slang's design; `LinkageAttributes` and
//! `LinkOnceODR` are those of SPIR-V (section 3.20, SPV_KHR_linkonce_odr).
//!
//! ```
//! use reconverge_ir::text;
//! use reconverge_link::{LinkOptions, ModuleInput, link};
//!
//! let kernel = text::parse(
//!     "%u32 = type_int 32, 0
//!      func %double: %u32 (%x: %u32) {decorate LinkageAttributes \"double\" 1}
//!      func %quadruple: %u32 (%x: %u32) {decorate LinkageAttributes \"quadruple\" 0} {
//!      block ^entry:
//!        %y: %u32 = function_call %double, %x
//!        %z: %u32 = function_call %double, %y
//!        return_value %z
//!      }",
//! )?;
//! let library = text::parse(
//!     "%u32 = type_int 32, 0
//!      func %double: %u32 (%x: %u32) {decorate LinkageAttributes \"double\" 0} {
//!      block ^entry:
//!        %y: %u32 = i_add %x, %x
//!        return_value %y
//!      }",
//! )?;
//! let mut inputs = [ModuleInput::new("kernel.ir", kernel), ModuleInput::new("library.ir", library)];
//! let linked = link(&mut inputs, &LinkOptions::default()).expect("every import has a definition");
//! assert_eq!(linked.functions().count(), 2);
//! assert!(linked.functions().all(|function| linked.entry(function).is_some()));
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```

mod archive_input;
mod check;
mod contract;
mod copy;
mod error;
mod finish;
mod input;
mod options;
mod reach;
mod symbol;
mod table;

use reconverge_ir::Module;

pub use archive_input::ArchiveInput;
pub use error::{Code, LinkError, LinkPlace};
pub use input::{Input, ModuleInput};
pub use options::{LinkOptions, Roots, Undefined};
pub use symbol::{Symbol, SymbolKind, symbol_type, type_text};

/// Links modules. The inputs may load parts of themselves. Their order is the order of the copies.
///
/// # Errors
/// All errors of the first step that has any, in the order of the inputs. See [`Code`].
pub fn link<I: Input>(inputs: &mut [I], options: &LinkOptions<'_>) -> Result<Module, Vec<LinkError>> {
    let reached = reach::reach(inputs, options)?;
    let mismatched = check::check(inputs, &reached)?;
    let mut copied = copy::copy(inputs, &reached, mismatched)?;
    finish::finish(inputs, &reached, &mut copied)?;
    Ok(copied.module)
}
