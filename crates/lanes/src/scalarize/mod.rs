//! Composite values become their scalars.
//!
//! ```text
//! %c: vec2 = f_add %a, %b          %c.0: f32 = f_add %a.0, %b.0;  %c.1: f32 = f_add %a.1, %b.1
//! ^b(%x: vec2)                ⇒    ^b(%x.0: f32, %x.1: f32)
//! %v: vec2 = load %p               %q = in_bounds_access_chain %p, 0;  %v.0: f32 = load %q;  …
//! ```
//!
//! | file | content |
//! |---|---|
//! | `layouts.rs` | the scalars of a type, each with its path |
//! | `parts.rs` | the scalars of a value |
//! | `body.rs` | the walk: blocks, their parameters, jumps |
//! | `elementwise.rs` | operations component by component, and results of two words |
//! | `reductions.rs` | `dot`, `any`, `all` |
//! | `composites.rs` | construct, extract, insert, shuffle |
//! | `bitcast.rs` | bits of several scalars taken for another type |
//! | `extended.rs` | instructions of `GLSL.std.450` |
//! | `memory.rs` | loads, stores, copies |
//! | `groups.rs` | operations of a group |
//!
//! Vectors, structs and arrays are lists of scalars, to any depth. Afterwards no instruction of the function has a type with parts, except
//! the four operations with a result of two words (`i_add_carry` …): these have scalar operands, and `composite_extract` right after takes
//! both words. Initializers of variables stay as they are: they are contents of memory, not values.
//!
//! One walk in reverse post-order, so that definitions come before uses; parameters get their scalars before it, and jumps their arguments
//! after it. What nothing uses then is removed, such as loads of components that are not needed. Linear in instructions times scalars of a
//! value.

mod ballots;
mod bitcast;
mod body;
mod composites;
mod elementwise;
mod extended;
mod groups;
mod layouts;
mod memory;
mod parts;
mod reductions;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};

use parts::Parts;

/// Splits every composite value of a function into scalars. Returns whether anything changed.
///
/// *Requires* a module without specialization constants, and that the function's parameters, result and calls have no composites.
///
/// # Errors
/// Constructs without an expansion, by name: matrices, images, composite parameters, arguments and results of functions, values of more
/// than some thousand scalars, and instructions of `GLSL.std.450` that mix components.
pub fn scalarize(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    let mut parts = Parts::new(module);
    body::split(&mut parts, function)?;
    Ok(parts.clean())
}
