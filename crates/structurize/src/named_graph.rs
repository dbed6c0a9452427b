//! A separate graph: [`NamedGraph`], which the text form and the JSON form read and write.
//!
//! A compiler that calls the structurizer implements [`ControlFlow`] over its own blocks and does not need this. It is for graphs outside a
//! compiler: in files, in bug reports, and from other compilers.

use std::collections::{HashMap, HashSet};

use reconverge_diagnostic::{Diagnostic, Place};

use crate::DocumentCode;
use crate::input::{Branch, ControlFlow, Convergence, Hints, InputBlock};
use crate::node_splitting::{SplitGraph, split_nodes};
use crate::text::ErrorCode;

/// The maximal number of blocks, and of successors of all blocks together.
pub const SIZE_LIMIT: usize = 1 << 26;

/// Blocks with names, terminators and successors. Valid by construction: every block has as many successors as its terminator takes, and
/// all of them are blocks.
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
/// # Ok::<(), reconverge_diagnostic::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedGraph {
    /// All names, concatenated, and the end of each.
    names: String,
    name_ends: Vec<usize>,
    branches: Vec<Branch>,
    /// All successors, block by block, and the end of those of each block.
    successors: Vec<InputBlock>,
    successor_ends: Vec<usize>,
    convergence: Vec<Convergence>,
    weights: Vec<u32>,
    hints: Vec<Hints>,
    entry: usize,
}

/// Blocks that do not form a graph.
fn malformed(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DocumentCode::Graph, Place::Whole, message)
}

/// The rule for names.
pub(crate) const NAME_RULE: &str =
    "a name is one or more characters other than blanks, control characters and | , # ; but not a single -";

/// Returns whether the text form can represent a name.
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

    /// A copy of any graph, for bug reports. `name` gives each block its name. Blocks keep their numbers. Linear.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn copy_of(
        graph: &impl ControlFlow,
        mut name: impl FnMut(InputBlock) -> String,
    ) -> Result<NamedGraph, Diagnostic> {
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

    /// The graph with copies of blocks of weight `largest` at most, if this avoids the dispatch of an irreducible cycle, and the list of
    /// the copies: [`split_nodes`] with a block's weight as its size. A copy has the name of its original with as many `'` appended as make
    /// it unique. `None` if nothing was copied.
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

    /// Adds a block. Its successors may be added later.
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

    /// Sets the entry block; the default is the first block.
    pub fn set_entry(&mut self, block: InputBlock) {
        self.entry = block.index();
    }

    /// Sets which other lanes the operations of a block depend on; the default is none.
    pub fn set_convergence(&mut self, block: InputBlock, convergence: Convergence) {
        self.convergence[block.index()] = convergence;
    }

    /// Sets the amount of code in a block; the default is 1.
    pub fn set_weight(&mut self, block: InputBlock, weight: u32) {
        self.weights[block.index()] = weight;
    }

    /// Sets where the lanes that diverge at a block reconverge; unknown by default.
    pub fn set_hints(&mut self, block: InputBlock, hints: Hints) {
        self.hints[block.index()] = hints;
    }

    /// Checks that the added blocks form a graph that can be structurized, printed and read back. Linear.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self) -> Result<(), Diagnostic> {
        if self.branches.is_empty() {
            return Err(malformed("the graph has no block"));
        }
        if self.branches.len() > SIZE_LIMIT || self.successors.len() > SIZE_LIMIT {
            let message = format!("more than {SIZE_LIMIT} blocks or successors");
            return Err(Diagnostic::new(ErrorCode::Limit, Place::Whole, message));
        }
        let mut by_name = HashMap::with_capacity(self.branches.len());
        for block in self.blocks() {
            if !is_name(self.name(block)) {
                return Err(malformed(format!("the name of {block} is invalid: {NAME_RULE}")));
            }
            if by_name.insert(self.name(block), block).is_some() {
                return Err(malformed(format!("the name of {block} already belongs to another block")));
            }
            let successors = self.successors(block);
            if !takes(self.branch(block), successors.len()) {
                let message = format!("the number of successors of {block} does not fit its terminator");
                return Err(malformed(message));
            }
            if let Some(successor) = successors.iter().position(|target| target.index() >= self.branches.len()) {
                return Err(malformed(format!("successor {successor} of {block} is not a block")));
            }
            let Hints { selection_merge, repeats } = self.hints(block);
            let of_loop = repeats.map_or([None; 2], |hint| [hint.merge, hint.continue_target]);
            let mut named = selection_merge.into_iter().chain(of_loop.into_iter().flatten());
            if named.any(|target| target.index() >= self.branches.len()) {
                return Err(malformed(format!("a hint of {block} names something that is not a block")));
            }
        }
        match self.entry < self.branches.len() {
            true => Ok(()),
            false => Err(malformed("the entry is not a block")),
        }
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

    /// Appends the target of the last block's last successor, for a reader that sees names before their blocks.
    pub(crate) fn resolve(&mut self, targets: Vec<InputBlock>) {
        debug_assert_eq!(targets.len(), self.successors.len(), "one block for each successor");
        self.successors = targets;
    }
}

/// Returns whether a terminator takes that many successors.
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
