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
//! # The steps
//!
//! | step | file | what |
//! |---|---|---|
//! | 1 | `clean` | reachable part, equal targets folded, empty entry if need be |
//! | 2 | `irreducible` | cycles of several entries get a dispatch node |
//! | 3–5 | `placement` | dominators, loops, latches, what goes after which loop |
//! | 6 | `deepest_exit` | whether control falls out of an arm, in O(1) |
//! | 7 | `chain` | how deep ladders of branches would nest |
//! | 8 | `emit` | the blocks, region by region |
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
mod placement;
mod plan;
mod port_trie;
mod reason;
mod statistics;
pub mod text;
mod well_formed;
mod work;

use std::fmt;

pub use constructs::Constructs;
pub use input::{Branch, ControlFlow, Hints, InputBlock, LoopHint};
pub use listing::Listing;
pub use named_graph::{GraphError, NamedGraph, SIZE_LIMIT};
pub use plan::{Block, Carried, Case, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};
pub use reason::{Assumption, Fallback, HintFault, Reason, Witness, Witnesses};
pub use statistics::Statistics;
pub use well_formed::PlanError;

use emit::{Emitter, Source};
use placement::Placement;
use work::{Analyses, WorkGraph};

/// Choices of the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How deep constructs may nest before what lies deeper is flattened. Drivers and validators
    /// slow down superlinearly with depth, hence the default of 64; the result may be a few deeper.
    /// 0 flattens the whole function.
    pub nesting_limit: u32,
    /// How deep a ladder of two-way branches to one join may nest before a scope makes it flat.
    pub chain_limit: u32,
    /// The greatest number of blocks, in the input and in the plan.
    pub block_limit: usize,
    /// What says where lanes come together.
    pub merges: MergeRule,
    /// What becomes of a convergent block before a break, where no hint says it.
    pub break_blocks: BreakBlocks,
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
    let plan = structurize_reducible(&work, analyses, options);
    let plan = plan.unwrap_or_else(|fallback| flatten_all(&clean::compute_work_graph(graph), fallback));
    let count = plan.blocks.len();
    if count > limit { Err(LimitError::PlanBlocks { count, limit }) } else { Ok(plan) }
}

fn structurize_reducible(work: &WorkGraph, analyses: Option<Analyses>, options: &Options) -> Result<Plan, Fallback> {
    let mut placement = Placement::compute(work, &analyses.ok_or(Fallback::StillIrreducible)?, options);
    let mut assumptions = std::mem::take(&mut placement.assumptions);
    let exits = deepest_exit::compute_deepest_exits(work, &placement);
    let chains = chain::compute_chains(work, &placement, &exits);
    let inner_skips = inner_joins::compute_inner_skips(work, &placement);
    let tables = (&exits[..], &chains[..], &inner_skips[..]);
    let source =
        Source { work, placement: &placement, exits: tables.0, chains: tables.1, inner_skips: tables.2, options };
    let draft = Emitter::new(&source).emit()?;
    check::check_placed_once(&draft, &placement)?;
    assumptions.extend(placement.flat_assumptions(&draft.blocks, work));
    let plan = assemble::assemble(draft, assumptions)?;
    check::check_conditionals(&plan)?;
    Ok(plan)
}

/// The whole function as one loop around one switch.
fn flatten_all(work: &WorkGraph, fallback: Fallback) -> Plan {
    let placement = Placement::compute_star(work);
    let nothing = vec![work::NONE; work.len()];
    let options = Options { nesting_limit: 0, ..Options::default() };
    let tables = (&nothing[..], &nothing[..], &nothing[..]);
    let source = Source {
        work,
        placement: &placement,
        exits: tables.0,
        chains: tables.1,
        inner_skips: tables.2,
        options: &options,
    };
    let draft = Emitter::new(&source).emit();
    let plan = draft.and_then(|draft| assemble::assemble(draft, Vec::new()));
    let plan = plan.expect("invariant: the flat form has no joins, and every edge has a route");
    Plan { fell_back: Some(fallback), ..plan }
}
