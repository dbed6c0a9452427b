//! Splits variables of structs, arrays and vectors into variables of the accessed parts.
//!
//! ```text
//! %v = variable {f32, i32}                              %v.0 = variable f32
//! store (%v, member 0), %x                       ⇒      %v.4 = variable i32
//! %p = bitcast i64* %v; %y = load %p                    store %v.0, %x
//!                                                       %y = %v.0 and %v.4 side by side, as i64
//! ```
//!
//! *Requires* nothing. *Preserves* the behaviour of the function. *Breaks* nothing: variables stay if they are indexed dynamically, if
//! their address escapes, if volatile instructions access them, or if they are copied under logical addressing.
//!
//! Only the layout of types matters, so accesses through members, bytes and casts are treated alike:
//!
//! 1. every use of a variable is followed to an access at a constant offset (`accesses.rs`, `leaves.rs`);
//! 2. the variable is cut at the ends of all accesses, and copies between variables propagate their cuts (`cuts.rs`); a vector that is only
//!    written as a whole is not cut where its components are read (`component_loads.rs`);
//! 3. the bytes between two cuts become a variable of the type that most of its accesses have (`pieces.rs`);
//! 4. accesses become accesses of whole pieces, with casts, shifts and constructions where one is not a piece (`rewrite.rs`,
//!    `convert.rs`, `aggregate.rs`); copies become loads and stores (`outside.rs`), or constants where they come from constant
//!    memory (`constant_bytes.rs`); debug information declares the pieces (`declared.rs`).
//!
//! The result are variables that `mem2reg` promotes to values. (Scalar replacement of aggregates: Muchnick 1997, section 12.2, describes it
//! for structs whose members are accessed one by one. LLVM's pass of this name also cuts at the ends of accesses, to handle type punning.)
//!
//! Limits: 512 parts of a variable and leaves of an access, 255 levels of nesting. Linear in accesses times the parts that they access. In
//! one case the result is less defined than memory: if a program reads several fields as one number, some of them undefined, and also
//! copies them, the copies copy the number, and an undefined part makes the whole number undefined.

mod accesses;
mod aggregate;
mod component_loads;
mod constant_bytes;
mod convert;
mod cuts;
mod declared;
mod leaves;
mod names;
mod outside;
mod pieces;
mod rewrite;

use reconverge_analysis::Layouts;
use reconverge_ir::{Function, Module};

use accesses::gather;
use pieces::compute_pieces;
use reconverge_rewrite::module_facts::ModuleFacts;
use rewrite::Rewriter;

/// Splits variables; `facts` are those of the module. Returns the number of replaced variables.
pub fn sroa(module: &mut Module, function: Function, facts: &ModuleFacts) -> usize {
    let Some(entry) = module.entry(function) else { return 0 };
    let mut layouts = Layouts::new();
    let (candidates, copies) = gather(module, facts, &mut layouts, entry);
    if candidates.is_empty() {
        return 0;
    }
    let pieces = compute_pieces(module, &candidates, &copies);
    Rewriter::new(module, &mut layouts, &candidates, pieces).rewrite(&candidates, &copies)
}
