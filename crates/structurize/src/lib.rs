//! Structurizer: converts any control-flow graph to a structured [`Plan`].
//!
//! The crate has no instructions, values or IR: the input is a trait, [`ControlFlow`], and the plan says which blocks there are, which of
//! them are headers of a selection or a loop, and which original edges every edge represents.
//!
//! ```
//! use reconverge_structurize::{Branch, ControlFlow, InputBlock, Merge, Options, structurize};
//!
//! struct Lists(Vec<Vec<InputBlock>>);
//!
//! impl ControlFlow for Lists {
//!     fn block_count(&self) -> usize {
//!         self.0.len()
//!     }
//!     fn entry(&self) -> InputBlock {
//!         InputBlock::new(0)
//!     }
//!     fn branch(&self, block: InputBlock) -> Branch {
//!         [Branch::Exit, Branch::Jump, Branch::Conditional][self.0[block.index()].len()]
//!     }
//!     fn successors(&self, block: InputBlock) -> &[InputBlock] {
//!         &self.0[block.index()]
//!     }
//! }
//!
//! // if b0 { b1 }; b2
//! let lists = [vec![1, 2], vec![2], vec![]];
//! let lists = lists.map(|list| list.into_iter().map(InputBlock::new).collect::<Vec<_>>());
//! let plan = structurize(&Lists(lists.to_vec()), &Options::default()).expect("within the limits");
//! assert_eq!(plan.blocks.len(), 3);
//! assert!(matches!(plan.blocks[0].merge, Merge::Selection { .. }));
//! ```
//!
//! # In a compiler of your own
//!
//! `crates/structurize/examples/own_ir.rs` is a complete example compiler in one file that uses only this crate: its input is blocks with
//! jumps, its output is loops, ifs and breaks in Rust. The same in your compiler takes these steps:
//!
//! **Input.** Number the blocks from 0 and implement [`ControlFlow`]: the number of blocks, the entry, and the terminator and successors of
//! each block. Successor 0 of a conditional is the target if its condition holds, successor 0 of a switch is its default. Every end of a
//! function is [`Branch::Exit`], except an end that control never reaches ([`Branch::Unreachable`], the default of a complete switch),
//! which is not an exit of a loop. Two things improve the result: which blocks contain operations whose result depends on the lanes that
//! execute them together ([`ControlFlow::convergence`]), and how much code a block contains ([`ControlFlow::weight`]). Unreachable blocks,
//! irreducible cycles and endless loops need no special treatment.
//!
//! **The plan.** [`Plan::blocks`] lists the blocks to write; each comes after its dominators. For each block:
//!
//! | field | what to do |
//! |---|---|
//! | [`Block::origin`] | [`Origin::Input`]: write the instructions of that block, without its terminator. [`Origin::Added`]: write nothing; the [`Reason`] is for people |
//! | [`Block::has_selector`] | give the block an integer parameter (a phi): its *selector* |
//! | [`Block::merge`] | in SPIR-V the merge instruction; in a language with statements the `if`, `switch` or `loop` that begins here and continues at the merge block |
//! | [`Block::terminator`] | the branch. A [`Test`] is the condition of an input block, or a comparison of a selector |
//!
//! ```
//! # use reconverge_structurize::{Merge, Origin, Options, Terminator, Test, structurize, text};
//! # let graph = text::parse("a condbr b d | b condbr b c | c br d | d ret").unwrap();
//! # let plan = structurize(&graph, &Options::default()).unwrap();
//! let mut lines = Vec::new();
//! for (index, planned) in plan.blocks.iter().enumerate() {
//!     lines.push(match &planned.origin {
//!         Origin::Input(block) => format!("p{index}: code of {}", graph.name(*block)),
//!         Origin::Added(reason) => format!("p{index}: ; {reason}"),
//!     });
//!     match planned.merge {
//!         Merge::None => {}
//!         Merge::Selection { merge } => lines.push(format!("  selection_merge {merge}")),
//!         Merge::Loop { merge, continue_target } => lines.push(format!("  loop_merge {merge} {continue_target}")),
//!     }
//!     lines.push(match &planned.terminator {
//!         Terminator::Exit => "  return".to_owned(),
//!         Terminator::Unreachable => "  unreachable".to_owned(),
//!         Terminator::Branch(edge) => format!("  branch {}", edge.target),
//!         Terminator::Conditional { test: Test::Input(block), then, otherwise } => {
//!             format!("  branch_if condition of {}: {} {}", graph.name(*block), then.target, otherwise.target)
//!         }
//!         other => format!("  {other:?}"),
//!     });
//! }
//! assert_eq!(lines[..3], ["p0: code of a", "  selection_merge p3", "  branch_if condition of a: p1 p3"]);
//! assert_eq!(lines[3..6], ["p1: code of b", "  loop_merge p2 p1", "  branch_if condition of b: p1 p2"]);
//! ```
//!
//! **Edges and selectors.** An edge into a block with a selector passes a number, [`Edge::selector`]: a constant; the selector of another
//! block, unchanged or looked up in a table; or one of several constants, depending on the original edge that is taken (`condition ? 3 :
//! 7`). A block that branches on its selector compares it with those numbers. A plan needs no other computation.
//!
//! **Values.** [`Edge::carries`] lists the original edges whose path begins with an edge of the plan; every original edge is carried
//! exactly once. So the values of an original edge, operands of phis or block arguments, are passed there: directly to the parameters of
//! the target if the edge leads to it, else to parameters of the block that it leads to, which passes them on beside the selector. An edge
//! that carries two original ones with different arguments needs a select on the condition. A value that was used without a phi may no
//! longer dominate its use if control passes an added block: repair this with SSA reconstruction, as usual (Braun et al. 2013;
//! `reconverge-rewrite` implements it in `ssa_repair.rs`). A compiler that keeps variables in memory until later, or whose output language
//! has variables, needs none of this.
//!
//! **Graphs and plans as text.** [`text`] reads and prints graphs, [`NamedGraph::copy_of`] copies the graph of any compiler, [`Listing`]
//! prints a plan, [`dot`] draws both, `json` (a feature) exchanges both with other languages, and `reconverge graph` does all of this on
//! the command line (`docs/graph.md`).
//!
//! The crate builds for `wasm32-unknown-unknown`, uses no threads, clock or files, and has one dependency, `smallvec`.
//!
//! # The steps
//!
//! | step | file | purpose |
//! |---|---|---|
//! | 0 | `node_splitting` | a separate, optional step: copies small blocks, so that a cycle keeps one entry |
//! | 1 | `clean` | reachable part, equal targets combined, empty entry if necessary |
//! | 2 | `irreducible` | cycles with several entries get a dispatch node |
//! | 3–5 | `placement` | dominators, loops, latches, which code comes after which loop |
//! | | `levels` | the same, according to hints about reconvergence |
//! | 6 | `deepest_exit` | whether control falls through from an arm, in O(1) |
//! | 7 | `chain` | the nesting depth of ladders of branches |
//! | 8 | `emit` | the blocks, region by region; `policy` says which exits are allowed |
//! | 9 | `assemble` | labels become blocks |
//!
//! # Guarantees
//!
//! - Every reachable input block occurs exactly once, unreachable ones not at all.
//! - Every construct has a merge block of its own; every loop has one back edge, from its continue
//!   target; edges leave constructs only by break, continue, to the merge of the innermost switch
//!   or of the innermost selection.
//! - A structured graph comes back with merges and nothing else.
//! - The result depends only on block numbers and the order of successors. No recursion.
//! - If an internal argument fails, the whole function takes a flat form that needs none of them, and the plan reports it
//!   ([`Plan::fell_back`]).

mod assemble;
mod chain;
mod check;
mod clean;
mod constructs;
mod cost;
mod deepest_exit;
mod document_code;
pub mod dot;
mod emit;
mod inner_joins;
mod input;
mod irreducible;
mod joins;
#[cfg(feature = "json")]
pub mod json;
mod label;
mod levels;
mod listing;
mod named_graph;
pub mod node_splitting;
mod options;
mod placement;
mod plan;
mod policy;
mod port_trie;
mod reason;
mod statistics;
pub mod text;
mod well_formed;
mod work;

pub use constructs::Constructs;
pub use document_code::DocumentCode;
pub use input::{Branch, ControlFlow, Convergence, Hints, InputBlock, LoopHint};
pub use listing::Listing;
pub use named_graph::{NamedGraph, SIZE_LIMIT};
pub use node_splitting::{SplitGraph, split_nodes};
pub use options::{BreakBlocks, MergeRule, Options};
pub use plan::{Block, Carried, Case, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};
pub use policy::Policy;
pub use reason::{Assumption, Fallback, HintFault, Reason, Witness, Witnesses};
pub use statistics::Statistics;

use reconverge_diagnostic::{Diagnostic, Place};

use emit::{Cut, Draft, Emitter, Source};
use placement::Placement;
use work::{Analyses, WorkGraph};

reconverge_diagnostic::codes! {
    /// Codes of [`structurize()`].
    pub enum LimitCode in "Compiling" {
        Limit = "structurize-limit" Limit
            "A graph exceeds a documented limit of the structurizer: its size, or --block-limit."
            "raise --block-limit, or split the function";
    }
}

/// Structurizes `graph`. Near-linear in blocks and edges; the declared limits are the only errors.
///
/// # Errors
/// The input or the plan has more than [`Options::block_limit`] blocks.
pub fn structurize(graph: &impl ControlFlow, options: &Options) -> Result<Plan, Diagnostic> {
    let limit = options.block_limit;
    if graph.block_count() > limit {
        let message = format!("the graph has {} blocks, the limit is {limit}", graph.block_count());
        return Err(Diagnostic::new(LimitCode::Limit, Place::Whole, message));
    }
    let mut work = clean::compute_work_graph(graph);
    if options.merges == MergeRule::PostDominators {
        work.hints.clear();
    }
    let analyses = irreducible::make_reducible(&mut work);
    let nesting_limit = options.policy.nesting_limit(options.nesting_limit);
    let options = &Options { nesting_limit, ..options.clone() };
    let plan = structurize_reducible(&work, analyses, options);
    let plan = plan.unwrap_or_else(|fallback| flatten_all(&clean::compute_work_graph(graph), fallback, options.policy));
    let count = plan.blocks.len();
    if count > limit {
        let message = format!("the structured graph has {count} blocks, the limit is {limit}");
        return Err(Diagnostic::new(LimitCode::Limit, Place::Whole, message));
    }
    Ok(plan)
}

fn structurize_reducible(work: &WorkGraph, analyses: Option<Analyses>, options: &Options) -> Result<Plan, Fallback> {
    let mut placement = Placement::compute(work, &analyses.ok_or(Fallback::StillIrreducible)?, options);
    let mut assumptions = std::mem::take(&mut placement.assumptions);
    let exits = deepest_exit::compute_deepest_exits(work, &placement);
    let outermost_continued = policy::compute_outermost_continued(work, &placement);
    let chains = chain::compute_chains(work, &placement, &exits, &outermost_continued, options.policy);
    let inner_skips = inner_joins::compute_inner_skips(work, &placement);
    let source = Source {
        work,
        placement: &placement,
        exits: &exits,
        chains: &chains,
        inner_skips: &inner_skips,
        outermost_continued: &outermost_continued,
        options,
        cut: Cut::Nowhere,
    };
    let mut draft = Emitter::new(&source).emit()?;
    if draft.nesting_depth > options.nesting_limit {
        draft = emit_cut(source)?;
    }
    check::check_placed_once(&draft, &placement)?;
    assumptions.extend(placement.flat_assumptions(&draft.blocks, work));
    let plan = assemble::assemble(draft, assumptions)?;
    check::check_conditionals(&plan)?;
    Ok(plan)
}

/// Emits code that nests too deep: in pieces; in pieces of half the depth if the result is deeper than measured; and block by block, which
/// respects the limit by construction.
fn emit_cut(source: Source<'_>) -> Result<Draft, Fallback> {
    let asked = source.options.nesting_limit;
    let options = &Options { nesting_limit: asked.max(cost::OPENED_BY_FLAT), ..source.options.clone() };
    let source = Source { options, ..source };
    if asked > 0 {
        let depths = Emitter::new(&Source { cut: Cut::Measured, ..source }).emit()?.depths;
        let depths = depths.as_ref().expect("invariant: depths were asked for");
        for divisor in [1, 2] {
            let draft = Emitter::new(&Source { cut: Cut::Pieces { depths, divisor }, ..source }).emit()?;
            if draft.nesting_depth <= options.nesting_limit {
                return Ok(draft);
            }
        }
    }
    Emitter::new(&Source { cut: Cut::Blocks { from: cost::depth_of_cut(asked) }, ..source }).emit()
}

/// The whole function as one loop around one switch.
fn flatten_all(work: &WorkGraph, fallback: Fallback, policy: Policy) -> Plan {
    let placement = Placement::compute_star(work);
    let nothing = vec![work::NONE; work.len()];
    let options = Options { nesting_limit: 0, policy, ..Options::default() };
    let source = Source {
        work,
        placement: &placement,
        exits: &nothing,
        chains: &nothing,
        inner_skips: &nothing,
        outermost_continued: &nothing,
        options: &options,
        cut: Cut::Blocks { from: 0 },
    };
    let draft = Emitter::new(&source).emit();
    let plan = draft.and_then(|draft| assemble::assemble(draft, Vec::new()));
    let plan = plan.expect("invariant: the flat form has no joins, and every edge has a route");
    Plan { fell_back: Some(fallback), ..plan }
}
