//! The interface of a graph for the structurizer: [`ControlFlow`].
//!
//! The structurizer knows no instructions and no values. It needs the number of blocks, the entry, and the terminator of each block;
//! everything else is optional.

use std::fmt;

/// A block of the input graph: a dense index `0..block_count`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct InputBlock(u32);

impl InputBlock {
    /// The block with the given index.
    ///
    /// # Panics
    /// `index` does not fit into 32 bits.
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

/// The kind of a block's terminator. It determines the number of successors and their meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Branch {
    /// Exits the function (return, kill, …): no successor.
    Exit,
    /// Control never reaches the end of the block; reaching it is undefined behaviour: no successor. Paths that end only here are not exits
    /// of a loop. A block whose lanes may end before, in a call, is an [`Exit`](Branch::Exit).
    Unreachable,
    /// Branches to its only successor.
    Jump,
    /// Branches to successor 0 if its condition holds, else to successor 1.
    Conditional,
    /// Branches to the successor of the matching case, else to successor 0, the default.
    Switch,
}

/// The other lanes that the results of a block's operations depend on. A greater value includes the smaller ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Convergence {
    /// None: each lane could execute the block alone.
    #[default]
    None,
    /// The others of its quad, and none unless all of them are converged: derivatives, and image operations that compute one for their
    /// level of detail. In a graph without hints such a block may be a case of the input's switch that another case falls through to, where
    /// quads do not reconverge.
    Quad,
    /// Any that execute it together: ballots, subgroup and workgroup operations, barriers, unknown calls. `convergent` in the text form.
    Lanes,
}

impl Convergence {
    /// Returns whether the result depends on which lanes execute the block together.
    pub fn is_convergent(self) -> bool {
        self != Convergence::None
    }
}

/// The blocks where the lanes that diverge at a block reconverge, as far as the input specifies it: by merge instructions, convergence
/// tokens, or the statements that it was compiled from.
///
/// The terms are those of SPIR-V, the guarantees those of `SPV_KHR_maximal_reconvergence` (M6 to M8 in `docs/convergence.md`). A hint is
/// never an error: a hint that cannot hold is ignored, and the plan reports it
/// ([`Assumption::HintIgnored`](crate::Assumption::HintIgnored)). Blocks without hints follow the rule for bare graphs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(deny_unknown_fields))]
pub struct Hints {
    /// Lanes that diverge at the terminator of the block, and reach this block without leaving an outer construct, reconverge there (M6).
    /// It stays in the loops that the block is in.
    pub selection_merge: Option<InputBlock>,
    /// The block is the header of a loop.
    pub repeats: Option<LoopHint>,
}

/// The hints of a loop header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(deny_unknown_fields))]
pub struct LoopHint {
    /// Lanes that entered the loop together, and reach this block, reconverge here (M7). What is reached from the header and not through
    /// this block stays in the loop: code before a break, and code before a return. None, or an unreachable block: no code follows the
    /// loop.
    pub merge: Option<InputBlock>,
    /// Lanes that began an iteration together, and reach this block, reconverge here (M8). None, or an unreachable block: no lane
    /// continues, or each iteration begins at the header.
    pub continue_target: Option<InputBlock>,
}

/// A control-flow graph as the structurizer reads it.
///
/// Any graph is accepted: unreachable blocks, irreducible cycles, infinite loops, an entry that is a branch target, repeated successors.
/// Every method is expected to cost O(1).
pub trait ControlFlow {
    /// The number of blocks; blocks are `0..block_count`. At least one.
    fn block_count(&self) -> usize;

    /// The entry block.
    fn entry(&self) -> InputBlock;

    /// The kind of the terminator of `block`.
    fn branch(&self, block: InputBlock) -> Branch;

    /// The successors of `block` in operand order, repeats allowed: none for [`Branch::Exit`] and
    /// [`Branch::Unreachable`], one for [`Branch::Jump`], `[then, otherwise]` for [`Branch::Conditional`] and
    /// `[default, case 0, case 1, …]` for [`Branch::Switch`].
    fn successors(&self, block: InputBlock) -> &[InputBlock];

    /// The other lanes that the operations of `block` depend on: the greatest value of them. Convergent code is never moved out of its
    /// loop.
    fn convergence(&self, block: InputBlock) -> Convergence {
        let _ = block;
        Convergence::None
    }

    /// The blocks where the lanes that diverge at `block` reconverge, if the input specifies it.
    fn hints(&self, block: InputBlock) -> Hints {
        let _ = block;
        Hints::default()
    }

    /// Returns whether an edge out of `block` passes values to parameters or phis of its target. A printer writes assignments there, so a
    /// block with such edges is not the plain condition of a `while`.
    fn passes_values(&self, block: InputBlock) -> bool {
        let _ = block;
        false
    }

    /// Returns whether a printer writes a statement for something in `block`: a store, a call, a value with several uses. Then the block is
    /// not the plain condition of a `while` either.
    fn has_statements(&self, block: InputBlock) -> bool {
        let _ = block;
        false
    }

    /// The amount of code in `block`, used to choose which of two leaving arms is nested.
    fn weight(&self, block: InputBlock) -> u32 {
        let _ = block;
        1
    }
}
