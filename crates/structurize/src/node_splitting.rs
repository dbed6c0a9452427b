//! Optional step before all others: irreducible cycles lose entries by *node splitting*, [`split_nodes`].
//!
//! ```text
//!      a                  a
//!     / \                / \            the cycle b ⇄ c is entered at b and at c, and c is tiny:
//!    b ⇄ c      ⇒   d ← b ← c'          the edge from a to c goes to a copy, which goes on as c does,
//!    │                  ⇅               and b is the only remaining entry: a loop, no dispatch
//!    d                  c
//! ```
//!
//! *Requires* nothing. *Preserves* every walk: a block of the result and its original have the same terminator, and successor `i` of the
//! one is successor `i` of the other or a copy of it. *Does not preserve* that a block occurs once, which is why this is a separate step:
//! the plan of the result contains each of *its* blocks exactly once.
//!
//! **Idea.** A graph is irreducible exactly if T1 and T2 (remove a self loop; merge a block with its only predecessor) stop before one
//! block is left; splitting a block for each of its predecessors lets them continue (Hecht, Ullman 1972). Without control this grows
//! exponentially (Carter, Ferrante, Thomborson 2003), so it is controlled (Janssen, Corporaal 1997): only blocks of an irreducible cycle
//! are split, and one of its entries never is. The cycles here are those of Havlak's forest (1997). Of the entries of an outermost
//! irreducible cycle one stays, the header; a block that is reached from another entry without passing the header is copied once, and the
//! copies are before the cycle:
//!
//! ```text
//! kept      all edges among the blocks of the cycle, all edges to the header
//! moved     an edge from outside to another entry: to its copy
//! copied    an edge of a copied block: to the copy if there is one, else to the original, which is the header or outside
//! ```
//!
//! So the cycle has one entry afterwards. The header is the entry for which the copies are smallest, the first in block order among equals.
//! Cycles of copies, and inner cycles, are processed in the next round; a cycle that one round leaves irreducible is given up finally, with
//! all inner ones.
//!
//! **All or nothing.** A cycle whose copies exceed a bound stays whole and gets its dispatch block (`irreducible.rs`). The bounds: the size
//! of each block, given by the caller ([`Options::split_blocks`](crate::Options::split_blocks)); [`BLOCKS_A_CYCLE`]; and for the whole
//! graph [`FREE_GROWTH`] plus one part in [`GROWTH_SHARE`] of its size. A block with many successors is not small: switches stay.
//!
//! **Convergence.** The lanes that execute a block together depend on what an iteration is, and a copy is a separate block, whose lanes do
//! not reconverge with those of the original. So a convergent block, and one that has a hint or is named by one, is never copied, and no
//! cycle is split that contains one, or that alone leads to one by a single edge (code before a break, whose place depends on the header).
//! Other blocks keep their enclosing loops: the copies are in none that the cycle is not in.
//!
//! Each round costs a forest, O(edges · log); there are at most [`ROUNDS`], and a reducible graph costs only one inspection. The search for
//! copies stops at the bounds, so it costs a constant for each entry of a cycle that is small enough.

use reconverge_graph::{Cycle, CycleForest, DominatorTree, Graph, Node, Order};

use crate::input::{Branch, ControlFlow, Convergence, Hints, InputBlock};

/// The maximal number of blocks that are copied for one cycle. A dispatch costs about two blocks, independent of the number of entries.
/// With six, 100 random graphs of 10 to 200 blocks came out with 149 % of their blocks, median; dispatches alone lead to 146 %; with three,
/// 147 %.
pub const BLOCKS_A_CYCLE: usize = 3;
/// The growth allowed for any graph, in instructions including terminators: enough for a small kernel with one irreducible loop.
pub const FREE_GROWTH: u64 = 32;
/// Beyond [`FREE_GROWTH`] one part in this many may be added, so that later steps cost at most a quarter more.
pub const GROWTH_SHARE: u64 = 4;
/// The number of times that the cycles are computed again. Each round handles one level of nesting; no code written by people has three.
pub const ROUNDS: usize = 8;

/// No block, or no copy.
const NONE: u32 = u32::MAX;

/// A graph with copies of some of its blocks. Blocks `0..input_count` are those of the original, copies follow in the order of their
/// creation; every block has the terminator of its original.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitGraph {
    blocks: Vec<BlockData>,
    /// Successors of all blocks, concatenated.
    targets: Vec<InputBlock>,
    entry: InputBlock,
    input_count: usize,
    /// Sizes of the copies, as given by the caller.
    sizes: Vec<u32>,
    irreducible_cycles: usize,
}

/// The data of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlockData {
    original: InputBlock,
    branch: Branch,
    convergence: Convergence,
    hints: Hints,
    weight: u32,
    passes_values: bool,
    has_statements: bool,
    /// The index of its first successor, and the number of its successors.
    first: usize,
    count: usize,
}

impl SplitGraph {
    /// The number of blocks of the original. Blocks from this number on are copies.
    pub fn input_count(&self) -> usize {
        self.input_count
    }

    /// The copies, in order.
    pub fn copies(&self) -> impl ExactSizeIterator<Item = InputBlock> + use<> {
        (self.input_count..self.blocks.len()).map(InputBlock::new)
    }

    /// The block of the original that a block is or is a copy of.
    pub fn original(&self, block: InputBlock) -> InputBlock {
        self.blocks[block.index()].original
    }

    /// The growth by copies: their sizes, and one for each terminator.
    pub fn added_size(&self) -> u64 {
        self.sizes.iter().map(|&size| u64::from(size) + 1).sum()
    }

    /// The copies, as text: one line per copy, blocks named `b0`, `b1`, … as in the plan. Linear.
    pub fn explain(&self) -> Vec<String> {
        let lines = self.copies().zip(self.ways_in()).zip(&self.sizes).map(|((copy, (source, _)), size)| {
            let (original, noun) = (self.original(copy), if *size == 1 { "instruction" } else { "instructions" });
            format!("copied: {original} as {copy} ({size} {noun}) for the edge {source} → {original}")
        });
        lines.collect()
    }

    /// The number of remaining irreducible cycles, nested ones counted once each. The structurizer gives them a dispatch.
    pub fn irreducible_cycles(&self) -> usize {
        self.irreducible_cycles
    }

    /// For each copy the first edge that leads to it, as source and successor, in the order of [`copies`](Self::copies). Linear.
    pub fn ways_in(&self) -> Vec<(InputBlock, usize)> {
        let mut ways = vec![(self.entry, 0); self.blocks.len() - self.input_count];
        for source in (0..self.blocks.len()).rev().map(InputBlock::new) {
            for (successor, target) in self.successors(source).iter().enumerate().rev() {
                if let Some(copy) = target.index().checked_sub(self.input_count) {
                    ways[copy] = (source, successor);
                }
            }
        }
        ways
    }
}

impl ControlFlow for SplitGraph {
    fn block_count(&self) -> usize {
        self.blocks.len()
    }

    fn entry(&self) -> InputBlock {
        self.entry
    }

    fn branch(&self, block: InputBlock) -> Branch {
        self.blocks[block.index()].branch
    }

    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        let row = &self.blocks[block.index()];
        &self.targets[row.first..row.first + row.count]
    }

    fn convergence(&self, block: InputBlock) -> Convergence {
        self.blocks[block.index()].convergence
    }

    fn hints(&self, block: InputBlock) -> Hints {
        self.blocks[block.index()].hints
    }

    fn passes_values(&self, block: InputBlock) -> bool {
        self.blocks[block.index()].passes_values
    }

    fn has_statements(&self, block: InputBlock) -> bool {
        self.blocks[block.index()].has_statements
    }

    fn weight(&self, block: InputBlock) -> u32 {
        self.blocks[block.index()].weight
    }
}

/// Copies blocks of at most `largest` instructions until cycles have one entry, within the bounds of this file. `size` returns the number
/// of instructions of a block without its terminator; `None` for a block that must not be copied. `None` if nothing was copied. O(edges ·
/// log) for each of at most [`ROUNDS`] rounds.
///
/// ```
/// use reconverge_structurize::{ControlFlow, InputBlock, Options, split_nodes, structurize, text};
/// let graph = text::parse("a condbr b c | b condbr c d | c br b | d ret").unwrap();
/// let split = split_nodes(&graph, 4, |_| Some(1)).expect("b and c are a cycle of two entries");
/// assert_eq!(split.original(InputBlock::new(4)), InputBlock::new(2));
/// assert_eq!(split.irreducible_cycles(), 0);
/// let plan = structurize(&split, &Options::default()).unwrap();
/// assert!(!plan.explain().iter().any(|line| line.contains("irreducible dispatch")));
/// ```
pub fn split_nodes(
    graph: &impl ControlFlow,
    largest: u32,
    size: impl Fn(InputBlock) -> Option<u32>,
) -> Option<SplitGraph> {
    let (plain, order) = compute_plain_graph(graph, None);
    if largest == 0 || DominatorTree::compute_if_reducible(&plain, &order).is_some() {
        return None;
    }
    let mut splitter = Splitter::new(graph, &order, largest, size);
    let (mut plain, mut order) = compute_plain_graph(graph, Some(&splitter.is_reached));
    for _ in 0..ROUNDS {
        if !splitter.run_round(&plain, &order) {
            break;
        }
        (plain, order) = compute_plain_graph(&splitter.split, Some(&splitter.is_reached));
    }
    let mut split = splitter.split;
    let forest = CycleForest::compute_irreducible(&plain, &order);
    split.irreducible_cycles = forest.cycles().filter(|&cycle| !forest.is_reducible(cycle)).count();
    (split.blocks.len() > split.input_count).then_some(split)
}

/// Only the edges; those of unreachable blocks are omitted, if known.
fn compute_plain_graph(graph: &impl ControlFlow, is_reached: Option<&[bool]>) -> (Graph, Order) {
    let lists = (0..graph.block_count()).map(|block| {
        let is_reached = is_reached.is_none_or(|reached| reached[block]);
        let targets = if is_reached { graph.successors(InputBlock::new(block)) } else { &[] };
        targets.iter().map(|target| Node::new(target.index()))
    });
    let plain = Graph::from_successors(Node::new(graph.entry().index()), lists);
    let order = Order::compute_reverse_post_order(&plain);
    (plain, order)
}

/// The copying.
struct Splitter {
    split: SplitGraph,
    /// The size of a copy of each block with its terminator; none for a block that is not copied.
    costs: Vec<Option<u32>>,
    is_reached: Vec<bool>,
    /// The remaining growth.
    budget: u64,
    /// Blocks whose place depends on the enclosing loops: they are convergent, or have or are named by a hint.
    is_marked: Vec<bool>,
    has_marks: bool,
    /// Blocks of cycles that stay irreducible.
    is_given_up: Vec<bool>,
    /// The cycle that each block is in, of the cycles processed so far.
    member_of: Vec<u32>,
    cycle_count: u32,
    /// The copy that each block got in this round.
    copy_of: Vec<u32>,
    /// Blocks with a copy.
    copied: Vec<usize>,
}

impl Splitter {
    fn new(
        graph: &impl ControlFlow,
        order: &Order,
        largest: u32,
        size: impl Fn(InputBlock) -> Option<u32>,
    ) -> Splitter {
        let count = graph.block_count();
        let mut is_reached = vec![false; count];
        order.sequence().iter().for_each(|node| is_reached[node.index()] = true);
        let is_marked = compute_marks(graph);
        let (split, mut costs, mut total) = (copy_graph(graph), vec![None; count], 0);
        for block in (0..count).map(InputBlock::new).filter(|block| is_reached[block.index()]) {
            let told = size(block);
            total += u64::from(told.unwrap_or(1)) + 1;
            let ways = matches!(graph.branch(block), Branch::Jump | Branch::Conditional);
            let may_be_copied = ways && !is_marked[block.index()] && block != graph.entry();
            costs[block.index()] = told.filter(|&told| may_be_copied && told <= largest).map(|told| told + 1);
        }
        Splitter {
            split,
            costs,
            is_reached,
            budget: FREE_GROWTH + total / GROWTH_SHARE,
            has_marks: is_marked.contains(&true),
            is_marked,
            is_given_up: vec![false; count],
            member_of: vec![NONE; count],
            cycle_count: 0,
            copy_of: vec![NONE; count],
            copied: Vec::new(),
        }
    }

    /// Splits the outermost irreducible cycles. Returns whether one was split.
    fn run_round(&mut self, graph: &Graph, order: &Order) -> bool {
        let forest = CycleForest::compute_irreducible(graph, order);
        let marks = self.has_marks.then(|| MarksBelow::compute(graph, order, &self.is_marked));
        let mut is_done = vec![false; forest.cycles().len()];
        // Parents come first: inner cycles of a cycle that is processed here are processed in the next round.
        for cycle in forest.cycles() {
            let is_inside_of_one = forest.parent(cycle).is_some_and(|parent| is_done[parent.index()]);
            is_done[cycle.index()] = is_inside_of_one || !forest.is_reducible(cycle);
            if is_inside_of_one || forest.is_reducible(cycle) || self.is_given_up[forest.header(cycle).index()] {
                continue;
            }
            for &node in forest.blocks(cycle) {
                self.member_of[node.index()] = self.cycle_count;
            }
            match self.choose(graph, &forest, cycle, marks.as_ref()) {
                Some(blocks) => self.copy(graph, &blocks),
                None => forest.blocks(cycle).iter().for_each(|node| self.is_given_up[node.index()] = true),
            }
            self.cycle_count += 1;
        }
        self.copied.iter().for_each(|&block| self.copy_of[block] = NONE);
        !std::mem::take(&mut self.copied).is_empty()
    }

    /// The blocks to copy so that the current cycle keeps one entry; none if that is not allowed or too large.
    fn choose(
        &self,
        graph: &Graph,
        forest: &CycleForest,
        cycle: Cycle,
        marks: Option<&MarksBelow>,
    ) -> Option<Vec<usize>> {
        let mut entries: Vec<usize> = forest.entries(cycle).iter().map(|entry| entry.index()).collect();
        if entries.len() > BLOCKS_A_CYCLE + 1
            || marks.is_some_and(|marks| self.is_bound(graph, marks, forest.blocks(cycle)))
        {
            return None;
        }
        entries.sort_unstable();
        let choices = entries.iter().filter_map(|&header| self.compute_copied(&entries, header));
        choices.min_by_key(|&(cost, _)| cost).map(|(_, blocks)| blocks)
    }

    /// Returns whether convergence depends on this cycle: it contains a marked block, or leads to one with a single predecessor.
    fn is_bound(&self, graph: &Graph, marks: &MarksBelow, nodes: &[Node]) -> bool {
        nodes.iter().any(|&node| {
            let is_outside = |target: &&Node| self.member_of[target.index()] != self.cycle_count;
            let is_alone = |target: Node| graph.predecessors(target).iter().all(|&source| source == node);
            let mut outside = graph.successors(node).iter().filter(is_outside);
            self.is_marked[node.index()] || outside.any(|&target| marks.is_above_one(target) && is_alone(target))
        })
    }

    /// The blocks that the other entries reach without passing the header, and the size of their copies.
    fn compute_copied(&self, entries: &[usize], header: usize) -> Option<(u64, Vec<usize>)> {
        let (mut cost, mut blocks) = (0, Vec::new());
        let mut pending: Vec<usize> = entries.iter().rev().copied().collect();
        while let Some(block) = pending.pop() {
            if block == header || blocks.contains(&block) {
                continue;
            }
            cost += u64::from(self.costs[block]?);
            blocks.push(block);
            if cost > self.budget || blocks.len() > BLOCKS_A_CYCLE {
                return None;
            }
            let targets = self.split.successors(InputBlock::new(block)).iter().rev().map(|target| target.index());
            pending.extend(targets.filter(|&target| self.member_of[target] == self.cycle_count));
        }
        blocks.sort_unstable();
        Some((cost, blocks))
    }

    /// Copies blocks of the current cycle, and redirects the edges from outside.
    fn copy(&mut self, graph: &Graph, blocks: &[usize]) {
        for &block in blocks {
            self.copy_of[block] = self.split.blocks.len() as u32;
            self.copied.push(block);
            let row = self.split.blocks[block];
            let first = self.split.targets.len();
            self.split.targets.extend_from_within(row.first..row.first + row.count);
            self.split.blocks.push(BlockData { first, ..row });
            let cost = self.costs[block].expect("invariant: a block that is copied may be");
            self.costs.push(Some(cost));
            self.split.sizes.push(cost - 1);
            self.budget -= u64::from(cost);
            self.is_reached.push(true);
            self.is_marked.push(false);
            self.is_given_up.push(false);
            self.member_of.push(NONE);
            self.copy_of.push(NONE);
        }
        for &block in blocks {
            self.redirect(self.copy_of[block] as usize, blocks);
            let mut last = None;
            for &source in graph.predecessors(Node::new(block)) {
                let is_inside = self.member_of[source.index()] == self.cycle_count;
                if is_inside || last.replace(source) == Some(source) {
                    continue;
                }
                self.redirect(source.index(), blocks);
                // Sources in another cycle may have been copied in this round, which the graph does not show.
                let copy = self.copy_of[source.index()];
                if copy != NONE {
                    self.redirect(copy as usize, blocks);
                }
            }
        }
    }

    /// Redirects the edges of a block outside the current cycle to the copies.
    fn redirect(&mut self, source: usize, blocks: &[usize]) {
        let row = self.split.blocks[source];
        for target in &mut self.split.targets[row.first..row.first + row.count] {
            if blocks.binary_search(&target.index()).is_ok() {
                *target = InputBlock::new(self.copy_of[target.index()] as usize);
            }
        }
    }
}

/// For each block whether it is convergent, has a hint or is named by one.
fn compute_marks(graph: &impl ControlFlow) -> Vec<bool> {
    let mut is_marked = vec![false; graph.block_count()];
    for block in (0..graph.block_count()).map(InputBlock::new) {
        let hints = graph.hints(block);
        is_marked[block.index()] |= graph.convergence(block).is_convergent() || hints != Hints::default();
        let of_loop = hints.repeats.map_or([None; 2], |hint| [hint.merge, hint.continue_target]);
        for named in hints.selection_merge.into_iter().chain(of_loop.into_iter().flatten()) {
            is_marked[named.index()] = true;
        }
    }
    is_marked
}

/// The same graph, with room for copies.
fn copy_graph(graph: &impl ControlFlow) -> SplitGraph {
    let (mut blocks, mut targets) = (Vec::with_capacity(graph.block_count()), Vec::new());
    for block in (0..graph.block_count()).map(InputBlock::new) {
        let successors = graph.successors(block);
        blocks.push(BlockData {
            original: block,
            branch: graph.branch(block),
            convergence: graph.convergence(block),
            hints: graph.hints(block),
            weight: graph.weight(block),
            passes_values: graph.passes_values(block),
            has_statements: graph.has_statements(block),
            first: targets.len(),
            count: successors.len(),
        });
        targets.extend_from_slice(successors);
    }
    let input_count = blocks.len();
    SplitGraph { blocks, targets, entry: graph.entry(), input_count, sizes: Vec::new(), irreducible_cycles: 0 }
}

/// The number of marked blocks before each in preorder of the dominator tree.
struct MarksBelow {
    dominators: DominatorTree,
    before: Vec<u32>,
}

impl MarksBelow {
    fn compute(graph: &Graph, order: &Order, is_marked: &[bool]) -> MarksBelow {
        let dominators = DominatorTree::compute(graph, order);
        let mut before = vec![0];
        for node in dominators.preorder() {
            before.push(before[before.len() - 1] + u32::from(is_marked[node.index()]));
        }
        MarksBelow { dominators, before }
    }

    /// Returns whether a block dominates a marked one, or is one.
    fn is_above_one(&self, node: Node) -> bool {
        let first = self.dominators.pre(node);
        self.before[first] < self.before[first + self.dominators.subtree_size(node)]
    }
}
