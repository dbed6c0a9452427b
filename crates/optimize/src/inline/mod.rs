//! Inlines calls of functions with a body.
//!
//! ```text
//! func %f(%n): … return_value %a … return_value %b          ^block:  before; f's entry with %x for %n …
//! ^block: before                                    ⇒       f's blocks: … branch ^after(%a) … branch ^after(%b)
//!         %r = function_call %f, %x                         ^after(%r): behind
//!         behind
//! ```
//!
//! [`inline_calls`] inlines every call by copying; [`inline_worthwhile`] inlines profitable calls, and moves bodies that are called once
//! (`worthwhile.rs`); [`inline_exits`] inlines the functions that may end the invocation (`exits.rs`).
//!
//! *Requires* stage Graph, no recursion; and physical addressing where a function returns pointers at several places.
//! *Preserves* what the functions do, names and locations. *Breaks* nothing: every copied return is a jump, so no edge becomes
//! critical.
//!
//! Functions are processed callees first (`call_order.rs`), so a copied body has no calls left. In each block calls are processed last to
//! first, so that the code after a call is moved once (`splice.rs`). A function that is also an entry point is copied like every other.
//! Calls to functions without a body stay.
//!
//! Linear in the result, which is exponential in the program in the worst case; hence the limit, which is checked before each copy.

mod call_order;
mod exits;
mod splice;
mod worthwhile;

use std::fmt;

use reconverge_ir::{Function, Inst, Location, Module};
use rustc_hash::FxHashMap;

use call_order::compute_call_order;
pub use exits::inline_exits;
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use splice::{Body, Return, Site, splice};
use worthwhile::bring_sampled_images_along;
pub(crate) use worthwhile::roots;
pub use worthwhile::{InlineLimits, inline_worthwhile};

/// The reason why calls could not be inlined. The module is valid, but possibly partly transformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlineError {
    /// A function calls itself, directly or not.
    Recursion {
        /// The call that closes the cycle.
        call: Inst,
        /// The functions on the cycle in the order of calls; the last one calls the first.
        circle: Vec<Function>,
    },
    /// The module would exceed the size limit.
    Growth {
        /// The call that exceeds it.
        call: Inst,
        /// The maximal number of instructions of all functions together.
        limit: usize,
    },
}

impl fmt::Display for InlineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InlineError::Recursion { .. } => formatter.write_str("a function calls itself"),
            InlineError::Growth { limit, .. } => {
                write!(formatter, "inlining would make more than {limit} instructions, which is the limit")
            }
        }
    }
}

impl std::error::Error for InlineError {}

/// Inlines every call to a function with a body in the functions that `roots` reach. Returns the number of inlined calls.
///
/// `limit` is the maximal number of instructions of all functions of the module together.
///
/// # Errors
/// [`InlineError`]: recursion among what `roots` reach, and growth past the limit.
pub fn inline_calls(module: &mut Module, roots: &[Function], limit: usize) -> Result<usize, InlineError> {
    let order = compute_call_order(module, roots)?;
    inline_chosen(module, order, limit, |_| true)
}

/// Inlines every call to a function that `is_chosen`, in functions whose order has callees first.
fn inline_chosen(
    module: &mut Module,
    order: Vec<Function>,
    limit: usize,
    is_chosen: impl Fn(Function) -> bool,
) -> Result<usize, InlineError> {
    let mut sizes: FxHashMap<Function, usize> =
        module.functions().map(|function| (function, size(module, function))).collect();
    let mut total: usize = sizes.values().sum();
    let mut inlined = 0;
    for function in order {
        let mut sites = gather_sites(module, function);
        sites.retain(|(callee, _)| is_chosen(*callee));
        let before = sizes[&function];
        let mut grown = total;
        for (callee, site) in &sites {
            grown += sizes[callee];
            if grown > limit {
                return Err(InlineError::Growth { call: site.call, limit });
            }
        }
        let mut is_cut = false;
        for (callee, site) in sites.iter().rev() {
            // A body of one block leaves the block of the call whole.
            if module.blocks(*callee).nth(1).is_some() {
                bring_sampled_images_along(module, site.call);
            }
            is_cut |= splice(module, function, *callee, *site, Body::Copied) == Return::Never;
        }
        if is_cut {
            remove_unreachable(module, function);
        }
        if !sites.is_empty() {
            let after = size(module, function);
            sizes.insert(function, after);
            total = total + after - before;
            inlined += sites.len();
        }
    }
    Ok(inlined)
}

/// The number of instructions in the blocks of a function.
fn size(module: &Module, function: Function) -> usize {
    module.blocks(function).map(|block| 1 + module.children(block).count()).sum()
}

/// The calls to functions with a body, in order, each with its source location.
fn gather_sites(module: &Module, function: Function) -> Vec<(Function, Site)> {
    let mut sites = Vec::new();
    for block in module.blocks(function) {
        let mut location: Option<Location> = None;
        for inst in module.children(block) {
            location = module.explicit_location(inst).or(location);
            if let Some(callee) = callee_with_body(module, inst) {
                sites.push((callee, Site { call: inst, location }));
            }
        }
    }
    sites
}

/// The function that an instruction calls, if it is a call and the function has a body.
fn callee_with_body(module: &Module, inst: Inst) -> Option<Function> {
    module.callee(inst).filter(|&callee| module.entry(callee).is_some())
}
