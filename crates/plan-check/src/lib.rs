//! An independent checker of plans: the rules of structured control flow, and what a plan does step by step.
//!
//! ```text
//! graph ──▶ structurize ──▶ plan ──▶ rules   everything by definition: dominance by sets, constructs as sets
//!   └──────────────────────────┴───▶ trace   both walked with equal decisions: the same blocks, the same edges
//! ```
//!
//! The checker shares nothing with the structurizer but the types of its input and output, and nothing is optimized: it implements the
//! definitions of the specification literally. The tests of `structurize` and the stress tests of `testing` rely only on it.

pub mod lists;
pub mod rules;
pub mod trace;

pub use lists::Lists;

use reconverge_structurize::Plan;

/// A plan as text, block by block, for messages.
pub fn show(plan: &Plan) -> String {
    let mut text = String::new();
    for (index, block) in plan.blocks.iter().enumerate() {
        text += &format!("p{index} {:?} selector {}\n", block.origin, block.has_selector);
        text += &format!("    {:?}\n    {:?}\n", block.merge, block.terminator);
    }
    text
}
