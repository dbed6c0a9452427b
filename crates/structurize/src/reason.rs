//! The reason for every added block: [`Reason`].
//!
//! A plan adds a block only if a rule of structured control flow requires it. The reason is named after the rule and contains its cause:
//! the header of the construct, and original edges that show the need ([`Witness`]).

use std::fmt;

use smallvec::SmallVec;

use crate::input::InputBlock;
use crate::plan::Carried;

/// An original edge that goes through an added block, with its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Witness {
    /// The original edge.
    pub edge: Carried,
    /// The target of the edge in the input.
    pub target: InputBlock,
}

impl fmt::Display for Witness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} → {}", self.edge.source, self.target)
    }
}

/// Up to two original edges; two with different targets if there are such.
pub type Witnesses = SmallVec<[Witness; 2]>;

/// The reason why a block was added.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Reason {
    /// The entry block of the input is a branch target, which an entry block must not be.
    Entry,
    /// A switch with only a default, opened so that edges can leave several selections at once.
    Scope {
        /// The block whose terminator moved after the scope's header.
        header: InputBlock,
    },
    /// The merge block of a selection or switch that leads to several targets.
    MergeDispatch {
        /// The header of the construct.
        header: InputBlock,
        /// Edges with different targets that leave through the merge.
        witnesses: Witnesses,
    },
    /// The merge block of a loop that leads to several targets.
    LoopExitDispatch {
        /// The header of the loop.
        header: InputBlock,
        /// Edges with different targets that break.
        witnesses: Witnesses,
    },
    /// A merge block that only jumps on, to a target one construct further out: the target cannot be the merge of two headers, or one edge
    /// may not leave that many constructs.
    Ladder {
        /// The header of the construct.
        header: InputBlock,
        /// Edges that leave through the merge.
        witnesses: Witnesses,
    },
    /// A loop header that also branches: the branch needs a merge of its own.
    HeaderSplit {
        /// The header.
        header: InputBlock,
    },
    /// The only continue target of a loop that has several back edges, or whose back edge cannot come from a continue target of the input.
    Latch {
        /// The header of the loop.
        header: InputBlock,
    },
    /// A case that only breaks or continues the enclosing loop.
    Trampoline {
        /// Edges that leave through the case.
        witnesses: Witnesses,
    },
    /// The merge block of a construct that control never leaves through it.
    UnreachableMerge {
        /// The header of the construct.
        header: InputBlock,
    },
    /// The single entry given to an irreducible cycle.
    IrreducibleDispatch {
        /// The entries of the cycle.
        entries: Vec<InputBlock>,
    },
    /// The loop header of a flattened part.
    FlatHeader {
        /// The block that dominates the flattened part.
        root: InputBlock,
    },
    /// The switch of a flattened part.
    FlatSwitch {
        /// The block that dominates the flattened part.
        root: InputBlock,
    },
    /// The switch's merge block in a flattened part.
    FlatMerge {
        /// The block that dominates the flattened part.
        root: InputBlock,
    },
    /// The continue target of a flattened part.
    FlatLatch {
        /// The block that dominates the flattened part.
        root: InputBlock,
    },
}

impl Reason {
    /// A stable short name, for statistics and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Scope { .. } => "scope",
            Self::MergeDispatch { .. } => "merge dispatch",
            Self::LoopExitDispatch { .. } => "loop exit dispatch",
            Self::Ladder { .. } => "ladder",
            Self::HeaderSplit { .. } => "header split",
            Self::Latch { .. } => "latch",
            Self::Trampoline { .. } => "trampoline",
            Self::UnreachableMerge { .. } => "unreachable merge",
            Self::IrreducibleDispatch { .. } => "irreducible dispatch",
            Self::FlatHeader { .. } => "flat header",
            Self::FlatSwitch { .. } => "flat switch",
            Self::FlatMerge { .. } => "flat merge",
            Self::FlatLatch { .. } => "flat latch",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.name())?;
        match self {
            Self::Entry => write!(formatter, "the entry block of the input is a branch target"),
            Self::Scope { header } => {
                write!(formatter, "edges leave several selections below {header} at once")
            }
            Self::MergeDispatch { header, witnesses } => {
                write_edges(formatter, witnesses)?;
                write!(formatter, " leave the construct of {header}, which has only one merge block")
            }
            Self::LoopExitDispatch { header, witnesses } => {
                write_edges(formatter, witnesses)?;
                write!(formatter, " leave the loop of {header}, which has only one merge block")
            }
            Self::Ladder { header, witnesses } => {
                write_edges(formatter, witnesses)?;
                write!(formatter, " leaves more constructs than that of {header}")
            }
            Self::HeaderSplit { header } => {
                write!(formatter, "{header} is the header of a loop and of a selection, and a block has only one merge")
            }
            Self::Latch { header } => {
                write!(formatter, "the loop of {header} needs one source for its back edge")
            }
            Self::Trampoline { witnesses } => {
                write_edges(formatter, witnesses)?;
                write!(formatter, " leaves a switch for the enclosing loop")
            }
            Self::UnreachableMerge { header } => {
                write!(formatter, "no edge goes from the construct of {header} to the code after it")
            }
            Self::IrreducibleDispatch { entries } => {
                write!(formatter, "a cycle is entered at")?;
                for (index, entry) in entries.iter().enumerate() {
                    let separator = if index == 0 { " " } else { ", " };
                    write!(formatter, "{separator}{entry}")?;
                }
                Ok(())
            }
            Self::FlatHeader { root }
            | Self::FlatSwitch { root }
            | Self::FlatMerge { root }
            | Self::FlatLatch { root } => {
                write!(
                    formatter,
                    "the blocks that {root} dominates nest too deeply, so they become one loop around a switch"
                )
            }
        }
    }
}

fn write_edges(formatter: &mut fmt::Formatter<'_>, witnesses: &Witnesses) -> fmt::Result {
    match witnesses.as_slice() {
        [] => write!(formatter, "control"),
        [one] => write!(formatter, "{one}"),
        [first, second, ..] => write!(formatter, "{first} and {second}"),
    }
}

/// The internal argument that failed, so that the whole function was flattened. None is known to occur; the field ensures that a plan is
/// valid even if one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Fallback {
    /// The graph was still irreducible after dispatch blocks were inserted.
    StillIrreducible,
    /// An edge falls through from a construct that was classified as having no fall-through.
    NoRoute,
    /// A join is reached before all edges into it were emitted.
    IncompleteJoin,
    /// A join was not placed at the end of its region.
    LeftOverJoin,
    /// More blocks were added than any graph can need.
    NoProgress,
    /// An input block was placed more than once, or not at all.
    Placement,
    /// An edge into a block with a selector does not say which number it passes.
    MissingSelector,
    /// Both edges of a conditional without a merge stay inside.
    ConditionalWithoutMerge,
}

impl fmt::Display for Fallback {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::StillIrreducible => "the graph stayed irreducible",
            Self::NoRoute => "control falls through an arm that was classified as leaving",
            Self::IncompleteJoin => "a join was reached before all of its edges",
            Self::LeftOverJoin => "a join was never reached",
            Self::NoProgress => "more blocks were added than the bound allows",
            Self::Placement => "a block was not placed exactly once",
            Self::MissingSelector => "an edge passes no selector",
            Self::ConditionalWithoutMerge => "a conditional without a merge leaves no construct",
        };
        write!(formatter, "flat form of the whole function: {text}")
    }
}

/// An assumption about convergence that a bare graph does not specify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Assumption {
    /// `block` is the regular exit of the loop of `header` (the only exit, or entered from the header or the latch): treated as code after
    /// the loop, so lanes that leave in different iterations execute it together.
    AfterLoop {
        /// The block after the loop.
        block: InputBlock,
        /// The header of the loop.
        header: InputBlock,
    },
    /// `block` is an exit in the middle of the loop of `header`: treated as code before a break, so only lanes that leave in the same
    /// iteration execute it together.
    BeforeBreak {
        /// The block before the break.
        block: InputBlock,
        /// The header of the loop.
        header: InputBlock,
    },
    /// The hint of `header` that names `block` cannot hold and was ignored.
    HintIgnored {
        /// The header with the hint.
        header: InputBlock,
        /// The block that it names as a merge or continue target.
        block: InputBlock,
        /// The reason.
        fault: HintFault,
    },
    /// `block` is a join in a graph with hints, and no hint names it: lanes that reach it by different edges in one iteration execute it
    /// together.
    Meets {
        /// The join.
        block: InputBlock,
    },
    /// `entry` is one of several entries of a cycle with convergent code: an iteration is the code between two passes through the cycle's
    /// dispatch.
    Irreducible {
        /// One of the entries.
        entry: InputBlock,
    },
    /// The code that `root` dominates is convergent and became flat: lanes execute a block together if they are in the same iteration of
    /// the loop around the switch.
    Flat {
        /// The block that dominates the flattened part.
        root: InputBlock,
    },
}

/// The reason why a hint was ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
pub enum HintFault {
    /// The merge is reached without passing the header, and no outer hint names it: lanes reconverge with others there.
    OthersCome,
    /// The merge of a loop is inside it.
    InsideLoop,
    /// The continue target of a loop is outside it.
    OutsideLoop,
    /// The construct would begin in a loop and end in another one, or would overlap another construct.
    Crossing,
}

impl fmt::Display for Assumption {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AfterLoop { block, header } => {
                write!(formatter, "{block} is convergent and runs after the loop of {header}")
            }
            Self::BeforeBreak { block, header } => {
                write!(formatter, "{block} is convergent and runs before a break of {header}")
            }
            Self::Meets { block } => {
                write!(formatter, "no hint names the join {block}, so lanes that reach it reconverge there")
            }
            Self::Irreducible { entry } => {
                write!(
                    formatter,
                    "{entry} is one of several entries of a cycle; an iteration of the cycle begins at its dispatch"
                )
            }
            Self::Flat { root } => {
                write!(
                    formatter,
                    "the blocks that {root} dominates are convergent and in flat form; one iteration of their loop is one iteration"
                )
            }
            Self::HintIgnored { header, block, fault } => {
                write!(formatter, "the hint of {header} was ignored: {block} ")?;
                formatter.write_str(match fault {
                    HintFault::OthersCome => "can also be reached without passing the header",
                    HintFault::InsideLoop => "is its merge block and lies inside the loop",
                    HintFault::OutsideLoop => "is its continue target and lies outside the loop",
                    HintFault::Crossing => "lies where the construct cannot end",
                })
            }
        }
    }
}
