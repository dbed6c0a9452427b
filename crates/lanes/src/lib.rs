//! Lanes made explicit: Structured → Masked.
//!
//! The lanes of a pack execute a masked function together: they take every branch together, and an instruction with effects executes for
//! the lanes of the execution mask. Control flow at which lanes diverged has become masks:
//!
//! ```text
//!     if %c ^t ^e merge ^m                  %mt = logical_and %mask, %c     %me = logical_and %mask, (not %c)
//! ^t: … branch ^m(%x)                       branch_if (any_lane %mt) ^t ^ge
//! ^e: … branch ^m(%y)               ⇒   ^t: execution_mask %mt  …  branch ^ge(%x)
//! ^m(%p): …                             ^ge(%x'): branch_if (any_lane %me) ^e ^m(%x')
//!                                       ^e: execution_mask %me  …
//!                                       ^m: %p = select %me, %y, %x'
//! ```
//!
//! | file | content |
//! |---|---|
//! | `fix_arguments.rs` | scalar arguments become constants |
//! | `bind_buffers.rs` | buffers of a descriptor set become addresses |
//! | `flatten_calls.rs` | calls become the bodies of functions |
//! | `scalarize/` | vectors, structs and arrays become their scalars |
//! | `loop_closed_ssa.rs` | values of a loop that are used after it become parameters of its break block |
//! | `order.rs` | the order in which a pack executes lists |
//! | `divergence.rs` | divergence analysis: varying values, constructs at which lanes diverge, blocks at which they reconverge |
//! | `flow.rs` | order and divergence of a function, for back ends that have no masks |
//! | `initializers.rs` | private variables that begin with a value |
//! | `masking/` | the transformation |
//! | `patterns.rs` | tables of instruction selection |
//! | `code_parts.rs` | which part of machine code was made of which block |
//! | `passes.rs` | the table of these passes, and what is known of a launch |
//!
//! Nothing here knows how many lanes there are. `docs/lanes.md` has the scheme, drawn.

mod bind_buffers;
mod code_parts;
mod divergence;
mod error;
mod fix_arguments;
mod flatten_calls;
mod flow;
mod initializers;
mod loop_closed_ssa;
mod masking;
mod order;
mod passes;
pub mod patterns;
mod scalarize;

pub use bind_buffers::{BUFFER_RECORD, BufferSlot, bind_buffers};
pub use code_parts::{CodePart, CodeRole};
pub use divergence::{enclosing, ends_lane, owner_of};
pub use error::LanesCode;
pub use fix_arguments::{FixedArgument, fix_arguments, push_constant_offset};
pub use flatten_calls::flatten_calls;
pub use flow::LaneFlow;
pub use initializers::{Leaf, initial_scalars, is_table};
pub use loop_closed_ssa::loop_closed_ssa;
pub use masking::{mask, open_constructs};
pub use passes::{LaunchFacts, MachineName, PASSES};
pub use reconverge_analysis::launch::{Facts, InputFact, input_of};
pub use reconverge_analysis::uniformity::{PackValues, Variation};
pub use reconverge_analysis::{Range, Ranges};
pub use scalarize::scalarize;
