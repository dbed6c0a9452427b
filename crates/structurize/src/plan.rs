//! The result: a [`Plan`], the structured graph as data.
//!
//! A plan lists the blocks in an order that respects dominance, each block's terminator and merge, and for every plan edge the original
//! edges that it represents. It contains no code: the owner of the instructions applies the plan to them.
//!
//! ```text
//! input            plan
//!   b0             p0 = b0        selection, merge p3
//!  /  \              if b0: p1 carrying b0/0, p2 carrying b0/1
//! b1  b2      ⇒    p1 = b1        branch p3 carrying b1/0
//!  \  /            p2 = b2        branch p3 carrying b2/0
//!   b3             p3 = b3        exit
//! ```
//!
//! If a merge block leads to several targets, it has one integer parameter, its *selector*, and every edge into it says which number it
//! passes ([`Selector`]).

use std::fmt;

use smallvec::SmallVec;

use crate::input::InputBlock;
use crate::reason::{Assumption, Fallback, Reason};

/// A block of the plan: an index into [`Plan::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct PlanBlock(u32);

impl PlanBlock {
    /// The block with the given index.
    ///
    /// # Panics
    /// `index` does not fit into 32 bits.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a block index fits into 32 bits"))
    }

    /// The index of the block in [`Plan::blocks`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for PlanBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "p{}", self.0)
    }
}

/// The structured graph that [`structurize`](crate::structurize) returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The blocks. The entry is first, and every block comes after its structural dominator.
    pub blocks: Vec<Block>,
    /// The maximal nesting depth of constructs (selections, switches, loops).
    pub nesting_depth: u32,
    /// Set if an internal argument of the structurizer failed and the whole function is in flat form instead. The plan is still valid.
    pub fell_back: Option<Fallback>,
    /// Assumptions about convergence that a bare graph does not specify.
    pub assumptions: Vec<Assumption>,
}

/// One block of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Block {
    /// The origin of the block.
    pub origin: Origin,
    /// True if the block has one integer parameter, its selector.
    pub has_selector: bool,
    /// The merge instruction before the terminator.
    pub merge: Merge,
    /// The terminator of the block.
    pub terminator: Terminator,
}

/// The origin of a block of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Origin {
    /// The instructions of this input block. Every reachable input block occurs exactly once.
    Input(InputBlock),
    /// Added by the structurizer: contains no instructions of the input.
    Added(Reason),
}

/// The merge instruction of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Merge {
    /// The block is not a header.
    None,
    /// The block is the header of a selection or a switch that ends at `merge`.
    Selection {
        /// The merge block; belongs only to this header.
        merge: PlanBlock,
    },
    /// The block is the header of a loop.
    Loop {
        /// The target of breaks; belongs only to this header.
        merge: PlanBlock,
        /// The target of continues: always one block, and the source of the only back edge.
        continue_target: PlanBlock,
    },
}

/// The terminator of a block of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Terminator {
    /// The block's own return, kill, …; only on input blocks.
    Exit,
    /// Control never reaches this; only on added blocks.
    Unreachable,
    /// Branches along the edge.
    Branch(Edge),
    /// Branches along `then` if the test holds, else along `otherwise`.
    Conditional {
        /// The condition.
        test: Test,
        /// Taken when the test holds.
        then: Edge,
        /// Taken when it does not.
        otherwise: Edge,
    },
    /// Branches along the edge of the matching case, else along `default`.
    Switch {
        /// The switch value.
        test: Test,
        /// Taken when no case matches.
        default: Edge,
        /// The cases. Cases with the same target are adjacent; no case has the default's target. A case that falls through comes directly
        /// before its target.
        cases: Vec<(Case, Edge)>,
    },
}

/// The condition or switch value of a terminator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Test {
    /// The condition or switch value of this input block's own terminator. Occurs on that block, or on an added block that it dominates
    /// ([`Reason::HeaderSplit`], [`Reason::Scope`]).
    Input(InputBlock),
    /// True if the selector of `block`, which dominates, equals a number.
    Selector {
        /// The block of the selector.
        block: PlanBlock,
        /// The number.
        equals: u32,
    },
    /// The selector of `block`, which dominates, as a switch value.
    SelectorValue {
        /// The block of the selector.
        block: PlanBlock,
    },
    /// The constant zero: a switch that has only a default, and serves as a scope. On an input block, this is a block with one successor,
    /// and the default's edge carries its original edge.
    Zero,
}

/// One case of a [`Terminator::Switch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Case {
    /// The literal of this successor (≥ 1) of the input block that is tested.
    Input {
        /// The successor index.
        successor: u32,
    },
    /// This selector value.
    Selector(u32),
}

/// An edge of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Edge {
    /// The target.
    pub target: PlanBlock,
    /// The original edges whose path begins with this edge; none on an edge that only forwards. Every original edge between reachable
    /// blocks is carried by exactly one plan edge.
    pub carries: SmallVec<[Carried; 2]>,
    /// The value that the edge passes for the selector of its target; present exactly if the target has one.
    pub selector: Option<Selector>,
}

/// An edge of the input: a block and the index of the successor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Carried {
    /// The source.
    pub source: InputBlock,
    /// The index of the successor.
    pub successor: u32,
}

impl fmt::Display for Carried {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.source, self.successor)
    }
}

/// The value that an edge passes for the selector of its target.
///
/// Numbers are those of input blocks, passed on without renumbering. An irreducible dispatch block has one number for each of its entries,
/// from `block_count` upward.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Selector {
    /// Always this number.
    Constant(u32),
    /// The selector of `block`, which dominates, unchanged.
    Forward {
        /// The block whose selector is passed on.
        block: PlanBlock,
    },
    /// The number at the index of the original edge that is taken, parallel to [`Edge::carries`].
    Choose(Box<[u32]>),
    /// The selector of `block`, which dominates, mapped row by row.
    Translate {
        /// The block whose selector is looked up.
        block: PlanBlock,
        /// `(from, to)` rows; they cover all values that occur.
        table: Box<[(u32, u32)]>,
    },
}

impl Terminator {
    /// The edges of the terminator in operand order: default first in a switch.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (first, second, cases): (_, _, &[(Case, Edge)]) = match self {
            Self::Exit | Self::Unreachable => (None, None, &[]),
            Self::Branch(edge) => (Some(edge), None, &[]),
            Self::Conditional { then, otherwise, .. } => (Some(then), Some(otherwise), &[]),
            Self::Switch { default, cases, .. } => (Some(default), None, cases),
        };
        first.into_iter().chain(second).chain(cases.iter().map(|(_, edge)| edge))
    }

    /// The edges of the terminator, to change them.
    pub(crate) fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (first, second, cases): (_, _, &mut [(Case, Edge)]) = match self {
            Self::Exit | Self::Unreachable => (None, None, &mut []),
            Self::Branch(edge) => (Some(edge), None, &mut []),
            Self::Conditional { then, otherwise, .. } => (Some(then), Some(otherwise), &mut []),
            Self::Switch { default, cases, .. } => (Some(default), None, cases),
        };
        first.into_iter().chain(second).chain(cases.iter_mut().map(|(_, edge)| edge))
    }

    /// The test of the terminator, if it has one.
    pub fn test(&self) -> Option<Test> {
        match self {
            Self::Exit | Self::Unreachable | Self::Branch(_) => None,
            Self::Conditional { test, .. } | Self::Switch { test, .. } => Some(*test),
        }
    }
}
