//! Writes binary SPIR-V.
//!
//! ```text
//! module ─ contract (edge blocks vanish) ─ order (dominators first) ─ emit (sections, functions) ─ words ─ bytes
//! ```
//!
//! Only control flow needs code of its own: an operand that is a literal is written as words, any other as its id. Block parameters become
//! phis (`function.rs`), bare edge blocks are removed where that is legal (`contract.rs`), and structured terminators become a merge
//! instruction and a branch (`exit.rs`).

mod contract;
mod emit;
mod equal_types;
mod exit;
mod function;
mod globals;
mod layout;
mod order;
mod positions;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Module, Op, Stage};

use crate::Header;
use crate::error::{WriteCode, at_inst};
use contract::Contracted;
use emit::Emitter;

/// Options of the writer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WriteOptions {
    /// The header; by default the module's own, and without that the default header.
    pub header: Option<Header>,
}

/// Writes a module as binary SPIR-V, in little-endian words.
///
/// A module that was read and not changed is written as the same instructions in the same blocks, with the same ids. New instructions get
/// ids above them, in the order of writing. Sections are in the order of SPIR-V section 2.4; blocks are in the module's order, unless one
/// is before its dominator: then the function is written in reverse post-order.
///
/// # Errors
/// A module without a memory model, generics and interfaces, other ops that SPIR-V lacks, deleted operands, blocks without a terminator,
/// arguments that do not fit the parameters, instructions that are too long, headers with an unknown version. Rules that the verifier
/// checks are not checked here.
///
/// # Complexity
/// Linear in the module, near-linear if blocks must be reordered.
pub fn write(module: &Module, options: &WriteOptions) -> Result<Vec<u8>, Diagnostic> {
    let header = options.header.or_else(|| Header::of(module)).unwrap_or_default();
    if !header.has_known_version() {
        let message = format!("expected version 1.0 to 1.6, found the version word {:#010x}", header.version);
        return Err(at_inst(WriteCode::Version, module.root(), message));
    }
    if !module.globals().any(|inst| module.op(inst) == Op::MemoryModel) {
        let message = "expected a memory_model, which every SPIR-V module has, found none";
        return Err(at_inst(WriteCode::Layout, module.root(), message));
    }
    if let Some(found) = module.generic_use() {
        return Err(at_inst(WriteCode::Generic, found.inst, found.to_string()));
    }
    let mut functions = Vec::new();
    for function in module.functions() {
        if module.stage(function) == Stage::Masked {
            let message = "SPIR-V has no functions at stage masked, where lanes are explicit: end before the pass mask, or write .ir";
            return Err(at_inst(WriteCode::Op, function, message));
        }
        let contracted = Contracted::of(module, function)?;
        functions.push(order::blocks_in_order(module, contracted));
    }
    let mut emitter = Emitter::new(module, header);
    layout::emit(&mut emitter, &functions)?;
    emitter.finish()
}
