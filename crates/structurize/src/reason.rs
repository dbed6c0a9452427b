//! Why every added block stands where it stands: [`Reason`].
//!
//! A plan adds a block only when a rule of structured control flow forces it. The reason names the
//! rule by its variant and holds what forced it: the header of the construct, and original edges
//! that show the need ([`Witness`]).

use std::fmt;

use smallvec::SmallVec;

use crate::input::InputBlock;
use crate::plan::Carried;

/// An original edge that goes through an added block, with the input block it is bound for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct Witness {
    /// The original edge.
    pub edge: Carried,
    /// The input block that the edge goes to.
    pub target: InputBlock,
}

impl fmt::Display for Witness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} → {}", self.edge.source, self.target)
    }
}

/// Up to two original edges; two of different targets where there are such.
pub type Witnesses = SmallVec<[Witness; 2]>;

/// Why a block was added.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Reason {
    /// The input's entry is branched to, and an entry block must not be.
    Entry,
    /// A switch with only a default, opened so that edges can leave several selections at once.
    Scope {
        /// The block whose terminator moved behind the scope's header.
        header: InputBlock,
    },
    /// The merge block of a selection or switch from which control goes on to several targets.
    MergeDispatch {
        /// The header of the construct.
        header: InputBlock,
        /// Edges with different targets that leave through the merge.
        witnesses: Witnesses,
    },
    /// The merge block of a loop from which control goes on to several targets.
    LoopExitDispatch {
        /// The header of the loop.
        header: InputBlock,
        /// Edges with different targets that break.
        witnesses: Witnesses,
    },
    /// A merge block that only goes on, one construct further out: its target cannot be the merge
    /// of two headers, or lies outside of what one edge may leave.
    Ladder {
        /// The header of the construct.
        header: InputBlock,
        /// Edges that leave through the merge.
        witnesses: Witnesses,
    },
    /// A loop header that also decides: the decision needs a merge of its own.
    HeaderSplit {
        /// The header.
        header: InputBlock,
    },
    /// The one continue target of a loop that has several back edges, or whose back edge cannot
    /// serve as one.
    Latch {
        /// The header of the loop.
        header: InputBlock,
    },
    /// A case that only breaks or continues the loop around its switch.
    Trampoline {
        /// Edges that leave through the case.
        witnesses: Witnesses,
    },
    /// The merge block of a construct that control never leaves in the ordinary way.
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
            Self::Entry => write!(formatter, "the entry of the input is branched to"),
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
                write!(formatter, " leaves a switch for the loop around it")
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

/// Which internal argument failed, so that the whole function was flattened. None is known to
/// occur; the field exists so that a plan is valid even if one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Fallback {
    /// The graph was still irreducible after dispatch blocks were put in.
    StillIrreducible,
    /// An edge falls out of a construct that was held not to let anything fall out.
    NoRoute,
    /// A join is reached but an edge into it is still missing where all should have come.
    IncompleteJoin,
    /// A join was left over at the end of the region that should have placed it.
    LeftOverJoin,
    /// More blocks were added than any graph can need.
    NoProgress,
    /// An input block was placed more than once, or not at all.
    Placement,
    /// An edge into a block with a selector does not say which number it passes.
    MissingSelector,
    /// A conditional without a merge leaves no construct on either side.
    ConditionalWithoutMerge,
}

impl fmt::Display for Fallback {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::StillIrreducible => "the graph stayed irreducible",
            Self::NoRoute => "an edge fell out of an arm that was classified as leaving",
            Self::IncompleteJoin => "a join was reached before all of its edges",
            Self::LeftOverJoin => "a join was left over",
            Self::NoProgress => "blocks were added without end",
            Self::Placement => "a block was not placed exactly once",
            Self::MissingSelector => "an edge passes no selector",
            Self::ConditionalWithoutMerge => "a conditional without a merge leaves no construct",
        };
        write!(formatter, "flat form of the whole function: {text}")
    }
}

/// Something about convergence that a bare graph does not say and that was therefore assumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Assumption {
    /// `block` is where the loop of `header` ends in the ordinary way (the only way out, or entered
    /// from the header or the latch): taken as code after the loop, so lanes that leave in different
    /// iterations run it together.
    AfterLoop {
        /// The block after the loop.
        block: InputBlock,
        /// The header of the loop.
        header: InputBlock,
    },
    /// `block` is a way out of the middle of the loop of `header`: taken as code before a break, so
    /// only lanes that leave in the same iteration run it together.
    BeforeBreak {
        /// The block in front of the break.
        block: InputBlock,
        /// The header of the loop.
        header: InputBlock,
    },
    /// The hint of `header` that names `block` cannot hold and was ignored.
    HintIgnored {
        /// The header that carries the hint.
        header: InputBlock,
        /// The block that it names as a merge or continue target.
        block: InputBlock,
        /// Why.
        fault: HintFault,
    },
    /// `block` is a join in a graph with hints, and none names it: lanes that come to it by different
    /// edges in one iteration run it together.
    Meets {
        /// The join.
        block: InputBlock,
    },
    /// `entry` is one of several entries of a cycle with convergent code: an iteration is what runs
    /// between two passes through the cycle's dispatch.
    Irreducible {
        /// One of the entries.
        entry: InputBlock,
    },
    /// What `root` dominates is convergent and became flat: lanes run a block together that are in the
    /// same number of rounds of the loop around the switch.
    Flat {
        /// The block that dominates the flattened part.
        root: InputBlock,
    },
}

/// Why a hint was ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case"))]
pub enum HintFault {
    /// The merge is reached without passing the header, and no hint further out names it: lanes meet
    /// others there.
    OthersCome,
    /// The merge of a loop lies inside of it.
    InsideLoop,
    /// The continue target of a loop lies outside of it.
    OutsideLoop,
    /// The construct would begin in a loop and end in another one, or overlap one that is nested
    /// differently.
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
                write!(formatter, "no hint names the join {block}, so lanes that reach it meet there")
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
                    "the blocks that {root} dominates are convergent and in flat form; a round of their loop is an iteration"
                )
            }
            Self::HintIgnored { header, block, fault } => {
                write!(formatter, "the hint of {header} was ignored: {block} ")?;
                formatter.write_str(match fault {
                    HintFault::OthersCome => "can also be reached without passing the header",
                    HintFault::InsideLoop => "is its merge and lies inside of the loop",
                    HintFault::OutsideLoop => "is its continue target and lies outside of the loop",
                    HintFault::Crossing => "lies where the construct cannot end",
                })
            }
        }
    }
}
