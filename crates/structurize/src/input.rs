//! What the structurizer asks of a graph: [`ControlFlow`].
//!
//! The structurizer knows no instructions and no values. It asks how many blocks there are, where
//! control enters, and for each block how it ends; everything else is optional.

use std::fmt;

/// A block of the graph that is handed in: a dense index `0..block_count`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct InputBlock(u32);

impl InputBlock {
    /// The block with the given index.
    ///
    /// # Panics
    /// When `index` does not fit into 32 bits.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a block index fits into 32 bits"))
    }

    /// The dense index of the block.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for InputBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "b{}", self.0)
    }
}

/// How a block ends. The kind fixes how many successors the block has and what they mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Branch {
    /// Leaves the function (return, kill, …): no successor.
    Exit,
    /// Control never comes to the end of the block, where it does the behaviour is undefined: no successor. What leads to such ends
    /// alone is no way out of a loop. A block whose lanes may end before that, in a call, is an [`Exit`](Branch::Exit).
    Unreachable,
    /// Goes on to its only successor.
    Jump,
    /// Goes to successor 0 when its condition holds, else to successor 1.
    Conditional,
    /// Goes to the successor of the matching case, else to successor 0, the default.
    Switch,
}

/// Which other lanes the result of a block's operations depends on. A greater one sees what a smaller one does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Convergence {
    /// No others: each lane could run the block alone.
    #[default]
    None,
    /// The others of its quad, and none unless all of them are together: derivatives, and image operations
    /// that take one to find their level of detail. In a graph without hints such a block may be a case
    /// of the input's switch that another case falls into, which brings no quad together.
    Quad,
    /// Any that run it together: ballots, subgroup and workgroup operations, barriers, calls of which
    /// nothing is known. `convergent` in the text form.
    Lanes,
}

impl Convergence {
    /// Whether the result depends on which lanes run the block together.
    pub fn is_convergent(self) -> bool {
        self != Convergence::None
    }
}

/// Where the lanes that part at a block come together again, as far as the input knows: by merge
/// instructions, convergence tokens, or the statements that it was made from.
///
/// The words are those of SPIR-V, the promises those of `SPV_KHR_maximal_reconvergence` (M6 to M8 in
/// `docs/convergence.md`). A hint is never an error: what cannot hold is ignored, and the plan says
/// so ([`Assumption::HintIgnored`](crate::Assumption::HintIgnored)). What no hint speaks of follows
/// the rule for bare graphs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(deny_unknown_fields))]
pub struct Hints {
    /// Lanes that part at the terminator of the block, and get to this block without leaving a
    /// construct further out, meet there (M6). It stays in the loops that the block is in.
    pub selection_merge: Option<InputBlock>,
    /// The block is the header of a loop.
    pub repeats: Option<LoopHint>,
}

/// What a loop's header says of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(deny_unknown_fields))]
pub struct LoopHint {
    /// Lanes that entered the loop together, and get here, meet here (M7). What is reached from the
    /// header and not through this block stays in the loop: code before a break, and code before a
    /// return. None, or a block that control never reaches: the loop is not left for what follows.
    pub merge: Option<InputBlock>,
    /// Lanes that began an iteration together, and get here, meet here (M8). None, or a block that
    /// control never reaches: nobody continues, or each iteration begins at the header.
    pub continue_target: Option<InputBlock>,
}

/// A control-flow graph as the structurizer reads it.
///
/// Any graph is accepted: unreachable blocks, irreducible cycles, infinite loops, an entry that is
/// branched to, repeated successors. Every method is expected to cost O(1).
pub trait ControlFlow {
    /// The number of blocks; blocks are `0..block_count`. At least one.
    fn block_count(&self) -> usize;

    /// The block where control enters.
    fn entry(&self) -> InputBlock;

    /// The kind of the terminator of `block`.
    fn branch(&self, block: InputBlock) -> Branch;

    /// The successors of `block` in operand order, repeats allowed: none for [`Branch::Exit`] and
    /// [`Branch::Unreachable`], one for [`Branch::Jump`], `[then, otherwise]` for [`Branch::Conditional`] and
    /// `[default, case 0, case 1, …]` for [`Branch::Switch`].
    fn successors(&self, block: InputBlock) -> &[InputBlock];

    /// What the operations of `block` see of other lanes: the greatest of them. Code that sees others is
    /// never moved out of the loop that holds it.
    fn convergence(&self, block: InputBlock) -> Convergence {
        let _ = block;
        Convergence::None
    }

    /// Where the lanes that part at `block` meet again, if the input knows.
    fn hints(&self, block: InputBlock) -> Hints {
        let _ = block;
        Hints::default()
    }

    /// Whether an edge out of `block` passes values on, to parameters or phis of its target. Whoever writes text writes assignments there, so a block whose
    /// edges do is not the plain condition of a `while`.
    fn passes_values(&self, block: InputBlock) -> bool {
        let _ = block;
        false
    }

    /// Whether whoever writes text writes a statement for something in `block`: a store, a call, a value that several others use. Then the
    /// block is not the plain condition of a `while` either.
    fn has_statements(&self, block: InputBlock) -> bool {
        let _ = block;
        false
    }

    /// How much code `block` stands for, used to choose which of two leaving arms is nested.
    fn weight(&self, block: InputBlock) -> u32 {
        let _ = block;
        1
    }
}
