//! Splits variables of structs, arrays and vectors into variables of the accessed parts.
//!
//! ```text
//! %v = variable {f32, i32}                              %v.0 = variable f32
//! store (%v, member 0), %x                       ⇒      %v.4 = variable i32
//! %p = bitcast i64* %v; %y = load %p                    store %v.0, %x
//!                                                       %y = %v.0 and %v.4 side by side, as i64
//! ```
//!
//! *Requires* nothing. *Preserves* what the function does. *Breaks* nothing: variables that are indexed by what is not constant,
//! whose address goes elsewhere, that are accessed by volatile instructions, or that are copied under logical addressing stay as
//! they are.
//!
//! Types are not looked at except for their layout, so it does not matter whether an access goes through members, bytes or casts:
//!
//! 1. every use of a variable is followed to an access at a constant place (`accesses.rs`, `leaves.rs`);
//! 2. the variable is cut at the ends of all accesses, and copies between variables hand their cuts on (`cuts.rs`);
//! 3. what is between two cuts becomes a variable of the type that most of its accesses have (`pieces.rs`);
//! 4. accesses become accesses of whole pieces, with casts, shifts and constructions where one is not a piece (`rewrite.rs`,
//!    `convert.rs`, `aggregate.rs`); copies become loads and stores (`outside.rs`), or constants where they come from constant
//!    memory (`constant_bytes.rs`).
//!
//! What is left are variables that `mem2reg` turns into values. (Scalar replacement of aggregates is folklore; Muchnick 1997,
//! section 12.2, has the form for structs whose members are accessed one by one. Cutting at the ends of accesses is how LLVM's
//! pass of that name goes about type punning.)
//!
//! Limits: 512 parts of a variable and leaves of an access, 255 levels of nesting. Linear in accesses times the parts that they
//! touch. One thing is weaker than memory: where a program reads several fields as one number, some of them undefined, and copies
//! them too, the copies copy the number, and an undefined part makes all of it undefined.

mod accesses;
mod aggregate;
mod constant_bytes;
mod convert;
mod cuts;
mod leaves;
mod outside;
mod pieces;
mod rewrite;

use reconverge_analysis::Layouts;
use reconverge_ir::{Function, Module};

use accesses::gather;
use pieces::compute_pieces;
use reconverge_rewrite::module_facts::ModuleFacts;
use rewrite::Rewriter;

/// Splits variables; `facts` are those of the module. How many were replaced.
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
