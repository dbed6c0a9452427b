//! A graph on its own: [`NamedGraph`], which the text form and the JSON form read and write.
//!
//! A compiler that calls the structurizer implements [`ControlFlow`] over its own blocks and never needs this. It is for what
//! stands outside of a compiler: graphs in files and in reports, and other compilers' graphs that were written down.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::input::{Branch, ControlFlow, Convergence, Hints, InputBlock};
use crate::node_splitting::{SplitGraph, split_nodes};

/// The greatest number of blocks, and of successors of all blocks together.
pub const SIZE_LIMIT: usize = 1 << 26;

/// Blocks with names, how each ends and where it goes. Valid by construction: every block has as many successors as its
/// terminator takes, and all of them are blocks.
///
/// ```
/// use reconverge_structurize::{Branch, InputBlock, NamedGraph, Options, structurize};
///
/// let block = InputBlock::new;
/// let mut graph = NamedGraph::new("head", Branch::Conditional, &[block(1), block(2)]);
/// graph.add_block("body", Branch::Jump, &[block(0)]);
/// graph.add_block("exit", Branch::Exit, &[]);
/// graph.check()?;
/// assert_eq!(graph.to_string(), "head condbr body exit\nbody br head\nexit ret\n");
/// assert_eq!(structurize(&graph, &Options::default()).expect("within the limits").blocks.len(), 4);
/// # Ok::<(), reconverge_structurize::GraphError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedGraph {
    /// All names, one behind the other, and where each ends.
    names: String,
    name_ends: Vec<usize>,
    branches: Vec<Branch>,
    /// All successors, block by block, and where those of each block end.
    successors: Vec<InputBlock>,
    successor_ends: Vec<usize>,
    convergence: Vec<Convergence>,
    weights: Vec<u32>,
    hints: Vec<Hints>,
    entry: usize,
}

/// Why blocks that were put together are no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphError {
    /// There is no block.
    Empty,
    /// Two blocks have one name.
    DuplicateName {
        /// The second of the two.
        block: InputBlock,
    },
    /// A name that the text form cannot hold.
    Name {
        /// The block.
        block: InputBlock,
    },
    /// A block has more or fewer successors than its terminator takes.
    SuccessorCount {
        /// The block.
        block: InputBlock,
    },
    /// A successor is no block.
    Successor {
        /// The block that names it.
        block: InputBlock,
        /// Which of its successors.
        successor: usize,
    },
    /// A hint names what is no block.
    Hint {
        /// The block whose hint it is.
        block: InputBlock,
    },
    /// The entry is no block.
    Entry,
    /// More than [`SIZE_LIMIT`] blocks or successors.
    Size,
}

impl fmt::Display for GraphError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::Empty => write!(formatter, "the graph has no block"),
            GraphError::DuplicateName { block } => write!(formatter, "the name of {block} is another block's already"),
            GraphError::Name { block } => write!(formatter, "the name of {block} is none: {NAME_RULE}"),
            GraphError::SuccessorCount { block } => {
                write!(formatter, "{block} has another number of successors than its terminator takes")
            }
            GraphError::Successor { block, successor } => {
                write!(formatter, "successor {successor} of {block} is no block")
            }
            GraphError::Hint { block } => write!(formatter, "a hint of {block} names what is no block"),
            GraphError::Entry => write!(formatter, "the entry is no block"),
            GraphError::Size => write!(formatter, "more than {SIZE_LIMIT} blocks or successors"),
        }
    }
}

impl std::error::Error for GraphError {}

/// What a name consists of.
pub(crate) const NAME_RULE: &str =
    "a name is one or more characters without blanks, control characters and | , # ; and more than a -";

/// Whether the text form can hold a name.
pub(crate) fn is_name(name: &str) -> bool {
    let is_letter = |letter: char| {
        !letter.is_whitespace() && !letter.is_control() && !matches!(letter, '|' | ',' | '#' | ';' | '\u{feff}')
    };
    !name.is_empty() && name != "-" && name.chars().all(is_letter)
}

impl NamedGraph {
    /// A graph of one block, the entry.
    pub fn new(name: &str, branch: Branch, successors: &[InputBlock]) -> NamedGraph {
        let mut graph = NamedGraph::default();
        graph.add_block(name, branch, successors);
        graph
    }

    /// A copy of any graph, as a compiler would write its own one down for a report. `name` gives each block its name.
    /// Blocks keep their numbers. Linear.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn copy_of(
        graph: &impl ControlFlow,
        mut name: impl FnMut(InputBlock) -> String,
    ) -> Result<NamedGraph, GraphError> {
        let mut copy = NamedGraph { entry: graph.entry().index(), ..NamedGraph::default() };
        for block in (0..graph.block_count()).map(InputBlock::new) {
            let added = copy.add_block(&name(block), graph.branch(block), graph.successors(block));
            copy.set_convergence(added, graph.convergence(block));
            copy.set_weight(added, graph.weight(block));
            copy.set_hints(added, graph.hints(block));
        }
        copy.check()?;
        Ok(copy)
    }

    /// The graph with copies of blocks of weight `largest` at most, where that spares an irreducible cycle its dispatch, and which those
    /// are: [`split_nodes`] with a block's weight as its size. A copy is called like its original, with as many `'` behind as it
    /// takes to tell it from all others. `None` if nothing was copied.
    pub fn split(&self, largest: u32) -> Option<(NamedGraph, SplitGraph)> {
        let split = split_nodes(self, largest, |block| Some(self.weight(block)))?;
        let mut names: Vec<String> = self.blocks().map(|block| self.name(block).to_owned()).collect();
        let mut known: HashSet<String> = names.iter().cloned().collect();
        for copy in split.copies() {
            let mut name = format!("{}'", self.name(split.original(copy)));
            while !known.insert(name.clone()) {
                name.push('\'');
            }
            names.push(name);
        }
        let copy = NamedGraph::copy_of(&split, |block| names[block.index()].clone());
        Some((copy.ok()?, split))
    }

    /// Adds a block. Its successors may be blocks that come later.
    pub fn add_block(&mut self, name: &str, branch: Branch, successors: &[InputBlock]) -> InputBlock {
        let block = InputBlock::new(self.branches.len());
        self.names.push_str(name);
        self.name_ends.push(self.names.len());
        self.branches.push(branch);
        self.successors.extend_from_slice(successors);
        self.successor_ends.push(self.successors.len());
        self.convergence.push(Convergence::None);
        self.weights.push(1);
        self.hints.push(Hints::default());
        block
    }

    /// Sets the block where control enters; it is the first one otherwise.
    pub fn set_entry(&mut self, block: InputBlock) {
        self.entry = block.index();
    }

    /// Sets which other lanes a block sees; none otherwise.
    pub fn set_convergence(&mut self, block: InputBlock, convergence: Convergence) {
        self.convergence[block.index()] = convergence;
    }

    /// Sets how much code a block stands for; it is 1 otherwise.
    pub fn set_weight(&mut self, block: InputBlock, weight: u32) {
        self.weights[block.index()] = weight;
    }

    /// Sets where the lanes that part at a block meet again; nothing is known of it otherwise.
    pub fn set_hints(&mut self, block: InputBlock, hints: Hints) {
        self.hints[block.index()] = hints;
    }

    /// Whether the blocks that were added are a graph that can be structurized, printed and read back. Linear.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), GraphError> {
        if self.branches.is_empty() {
            return Err(GraphError::Empty);
        }
        if self.branches.len() > SIZE_LIMIT || self.successors.len() > SIZE_LIMIT {
            return Err(GraphError::Size);
        }
        let mut by_name = HashMap::with_capacity(self.branches.len());
        for block in self.blocks() {
            if !is_name(self.name(block)) {
                return Err(GraphError::Name { block });
            }
            if by_name.insert(self.name(block), block).is_some() {
                return Err(GraphError::DuplicateName { block });
            }
            let successors = self.successors(block);
            if !takes(self.branch(block), successors.len()) {
                return Err(GraphError::SuccessorCount { block });
            }
            if let Some(successor) = successors.iter().position(|target| target.index() >= self.branches.len()) {
                return Err(GraphError::Successor { block, successor });
            }
            let Hints { selection_merge, repeats } = self.hints(block);
            let of_loop = repeats.map_or([None; 2], |hint| [hint.merge, hint.continue_target]);
            let mut named = selection_merge.into_iter().chain(of_loop.into_iter().flatten());
            if named.any(|target| target.index() >= self.branches.len()) {
                return Err(GraphError::Hint { block });
            }
        }
        if self.entry < self.branches.len() { Ok(()) } else { Err(GraphError::Entry) }
    }

    /// The name of a block.
    pub fn name(&self, block: InputBlock) -> &str {
        let start = block.index().checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[start..self.name_ends[block.index()]]
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = InputBlock> + use<> {
        (0..self.branches.len()).map(InputBlock::new)
    }

    /// Names the target of the last block's last successor; for a reader that meets names before it knows their blocks.
    pub(crate) fn resolve(&mut self, targets: Vec<InputBlock>) {
        debug_assert_eq!(targets.len(), self.successors.len(), "one block for each successor");
        self.successors = targets;
    }
}

/// Whether a terminator takes that many successors.
pub(crate) fn takes(branch: Branch, count: usize) -> bool {
    match branch {
        Branch::Exit | Branch::Unreachable => count == 0,
        Branch::Jump => count == 1,
        Branch::Conditional => count == 2,
        Branch::Switch => count >= 1,
    }
}

impl ControlFlow for NamedGraph {
    fn block_count(&self) -> usize {
        self.branches.len()
    }

    fn entry(&self) -> InputBlock {
        InputBlock::new(self.entry)
    }

    fn branch(&self, block: InputBlock) -> Branch {
        self.branches[block.index()]
    }

    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        let start = block.index().checked_sub(1).map_or(0, |before| self.successor_ends[before]);
        &self.successors[start..self.successor_ends[block.index()]]
    }

    fn convergence(&self, block: InputBlock) -> Convergence {
        self.convergence[block.index()]
    }

    fn hints(&self, block: InputBlock) -> Hints {
        self.hints[block.index()]
    }

    fn weight(&self, block: InputBlock) -> u32 {
        self.weights[block.index()]
    }
}
