//! Structurizer: any control-flow graph in, a structured [`Plan`] out.
//!
//! No instructions, no values, no IR: the graph comes in through one trait, [`ControlFlow`], and
//! the answer says which blocks there are, which of them head a selection or a loop, and which
//! original edges every edge stands for.
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
//! `crates/structurize/examples/own_ir.rs` is a whole toy compiler in one file that uses this crate alone: blocks with jumps in, loops,
//! ifs and breaks of Rust out. What it takes to do the same:
//!
//! **Handing the graph over.** Number the blocks from 0 and implement [`ControlFlow`]: how many there are, where control enters, how
//! each ends, where it goes. Successor 0 of a conditional is where its condition holds, successor 0 of a switch is its default.
//! Whatever ends a function is [`Branch::Exit`], but for what control never comes to ([`Branch::Unreachable`], the default of a complete
//! switch), which is no way out of a loop. Two things are worth saying beyond the graph: which blocks hold operations whose
//! result depends on the lanes that run them together ([`ControlFlow::convergence`]), and how much code a block is
//! ([`ControlFlow::weight`]). Unreachable blocks, irreducible cycles and endless loops need no care.
//!
//! **Walking the plan.** [`Plan::blocks`] are the blocks to write, in an order in which each stands behind what dominates it. For each
//! one:
//!
//! | ask | and do |
//! |---|---|
//! | [`Block::origin`] | [`Origin::Input`]: put that block's instructions here, but for its terminator. [`Origin::Added`]: nothing; the [`Reason`] is for people |
//! | [`Block::has_selector`] | give the block an integer parameter (a phi): its *selector* |
//! | [`Block::merge`] | in SPIR-V the merge instruction; in a language of statements the `if`, `switch` or `loop` that opens here and goes on at the merge block |
//! | [`Block::terminator`] | the branch. What a [`Test`] names is the condition of an input block, or a comparison of a selector |
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
//! block, as it is or looked up in a table; or one of several constants, by the original edge that is taken (`condition ? 3 : 7`).
//! A block that decides by its selector compares it with those numbers. Nothing more is ever computed.
//!
//! **Values.** [`Edge::carries`] names the original edges whose way begins with an edge of the plan, and every original edge is
//! carried exactly once. So whatever belongs to an original edge, the operand of a phi or a block argument, is passed there: straight
//! to the block's own parameter if the edge leads to its target, else to a parameter of the block that it leads to, from where it is
//! passed on beside the selector. An edge that carries two original ones with different arguments takes a select on the condition. A
//! value that was used without a phi may have lost its dominance where control now comes by way of an added block: the repair
//! is the usual one, SSA reconstruction (Braun et al. 2013; `reconverge-rewrite` has one in `ssa_repair.rs`). A compiler whose variables
//! are in memory until later, or that writes a language with variables, needs nothing of this.
//!
//! **Graphs and plans as text.** [`text`] reads and prints graphs, [`NamedGraph::copy_of`] writes down the graph of any compiler,
//! [`Listing`] prints a plan, [`dot`] draws both, `json` (a feature) takes both across languages, and `reconverge graph` does all of
//! this from the command line (`docs/graph.md`).
//!
//! The crate builds for `wasm32-unknown-unknown`, uses no thread, no clock and no file, and needs one crate of others, `smallvec`.
//!
//! # The steps
//!
//! | step | file | what |
//! |---|---|---|
//! | 0 | `node_splitting` | a step of its own, where it is asked for: tiny blocks copied, so that a cycle keeps one entry |
//! | 1 | `clean` | reachable part, equal targets folded, empty entry if need be |
//! | 2 | `irreducible` | cycles of several entries get a dispatch node |
//! | 3–5 | `placement` | dominators, loops, latches, what goes after which loop |
//! | | `levels` | the same, where hints say which lanes meet at which block |
//! | 6 | `deepest_exit` | whether control falls out of an arm, in O(1) |
//! | 7 | `chain` | how deep ladders of branches would nest |
//! | 8 | `emit` | the blocks, region by region; `policy` says which ways out there are |
//! | 9 | `assemble` | labels become blocks |
//!
//! # What holds for every plan
//!
//! - Every reachable input block occurs exactly once, unreachable ones not at all.
//! - Every construct has a merge block of its own; every loop has one back edge, from its continue
//!   target; edges leave constructs only by break, continue, to the merge of the innermost switch
//!   or of the innermost selection.
//! - A structured graph comes back with merges and nothing else.
//! - The result depends on block numbers and successor order alone. No recursion.
//! - Should an internal argument fail, the whole function takes a flat form that needs none of
//!   them, and the plan says so ([`Plan::fell_back`]).

mod assemble;
mod chain;
mod check;
mod clean;
mod constructs;
mod cost;
mod deepest_exit;
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
mod placement;
mod plan;
mod policy;
mod port_trie;
mod reason;
mod statistics;
pub mod text;
mod well_formed;
mod work;

use std::fmt;

pub use constructs::Constructs;
pub use input::{Branch, ControlFlow, Convergence, Hints, InputBlock, LoopHint};
pub use listing::Listing;
pub use named_graph::{GraphError, NamedGraph, SIZE_LIMIT};
pub use node_splitting::{SplitGraph, split_nodes};
pub use plan::{Block, Carried, Case, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};
pub use policy::Policy;
pub use reason::{Assumption, Fallback, HintFault, Reason, Witness, Witnesses};
pub use statistics::Statistics;
pub use well_formed::PlanError;

use emit::{Cut, Draft, Emitter, Source};
use placement::Placement;
use work::{Analyses, WorkGraph};

/// Choices of the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How deep constructs may nest. Where more would be needed, what lies deeper is flattened. SPIR-V allows 1023 and WGSL
    /// 127; drivers and validators slow down superlinearly with depth, hence the default of 64. The plan keeps to it exactly
    /// from 3 on, which is what a flat function with switches takes; less is taken as 3, and 0 flattens every function that
    /// branches.
    pub nesting_limit: u32,
    /// How deep a ladder of two-way branches to one join may nest before a scope makes it flat.
    pub chain_limit: u32,
    /// The greatest number of blocks, in the input and in the plan.
    pub block_limit: usize,
    /// What says where lanes come together.
    pub merges: MergeRule,
    /// What becomes of a convergent block before a break, where no hint says it.
    pub break_blocks: BreakBlocks,
    /// Which ways out of a construct there may be, for those who read the output.
    pub policy: Policy,
    /// How many instructions a block may have that is copied to spare an irreducible cycle its dispatch; 0, nothing is copied. For
    /// whoever owns the blocks: [`structurize`] itself copies none, [`split_nodes`] is a step before it.
    pub split_blocks: u32,
}

/// What says where lanes come together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MergeRule {
    /// The hints of the input ([`ControlFlow::hints`]), and the rule for bare graphs where there are none.
    #[default]
    Hints,
    /// The rule for bare graphs alone: lanes that are in the same iterations of the loops around meet
    /// at every join, so that each nearest common post-dominator is a merge.
    PostDominators,
}

/// Whether a convergent block that is entered from inside of a loop, by one edge, and from which
/// control does not come back, runs before the break or after the loop.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BreakBlocks {
    /// After the loop if this is how the loop ends: it is the only block that the loop is left to, or
    /// is entered from the header or the only latch. Before the break otherwise.
    #[default]
    Ordinary,
    /// Before the break, unless it is the only block that the loop is left to, or the way out of its
    /// only latch (`do … while`).
    Inside,
    /// After the loop.
    Outside,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nesting_limit: 64,
            chain_limit: 6,
            block_limit: 4_194_303,
            merges: MergeRule::default(),
            break_blocks: BreakBlocks::default(),
            policy: Policy::default(),
            split_blocks: 0,
        }
    }
}

/// A declared limit was passed. The only way to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitError {
    /// The input has too many blocks.
    InputBlocks {
        /// How many.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The plan has too many blocks.
    PlanBlocks {
        /// How many.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
}

impl fmt::Display for LimitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputBlocks { count, limit } => {
                write!(formatter, "the graph has {count} blocks, the limit is {limit}")
            }
            Self::PlanBlocks { count, limit } => {
                write!(formatter, "the structured graph has {count} blocks, the limit is {limit}")
            }
        }
    }
}

impl std::error::Error for LimitError {}

/// Structurizes `graph`. Near-linear in blocks and edges; total but for the declared limits.
///
/// # Errors
/// When the input or the plan has more than [`Options::block_limit`] blocks.
pub fn structurize(graph: &impl ControlFlow, options: &Options) -> Result<Plan, LimitError> {
    let limit = options.block_limit;
    if graph.block_count() > limit {
        return Err(LimitError::InputBlocks { count: graph.block_count(), limit });
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
    if count > limit { Err(LimitError::PlanBlocks { count, limit }) } else { Ok(plan) }
}

fn structurize_reducible(work: &WorkGraph, analyses: Option<Analyses>, options: &Options) -> Result<Plan, Fallback> {
    let mut placement = Placement::compute(work, &analyses.ok_or(Fallback::StillIrreducible)?, options);
    let mut assumptions = std::mem::take(&mut placement.assumptions);
    let exits = deepest_exit::compute_deepest_exits(work, &placement);
    let outermost_continued = policy::compute_outermost_continued(work, &placement);
    let chains = chain::compute_chains(work, &placement, &exits, (&outermost_continued, options.policy));
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

/// Emits what nests too deep: in pieces, in pieces of half the room where choices fell out otherwise than they were measured to, and
/// block by block, which holds the limit by construction.
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
