//! Removes joins of exits that only pass values on, if the loop also has an exit to their target.
//!
//! ```text
//! h ─▶ a ─▶ b ─▶ h         a, b ─▶ x(%p)   x ─▶ m(%p)           a, b ─▶ m
//! │    ╰──▶ x ◀╯     ⇒     the loop is left to x and to m,  ⇒   the loop is left to m:
//! ╰─▶ m ◀── x              so that a selector must tell         m is its merge block
//! ```
//!
//! *Requires* stage Graph, no unreachable block, and that the function does not observe other lanes: the number of exit blocks of a loop
//! determines which lanes reconverge in them in a bare graph (`docs/convergence.md`, M13). *Preserves* the order in which all other blocks
//! are executed, and every value. *Breaks* nothing. A block that a hint names stays, since it is named again; so does one whose parameters
//! have other uses than its own jump, and one of many jumps that would each have to pass on many values ([`MOST_PASSED`]). Joins are
//! processed in reverse post-order, so that chains of them are removed.
//!
//! The blocks of a loop are a range of the forest's order, so one search determines whether a sorted list of predecessors has one of them.
//! O(edges · log edges + joins · depth of loops).

use reconverge_analysis::FlowGraph;
use reconverge_graph::{Cycle, CycleForest, Node};
use reconverge_ir::{Block, Function, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::hints::Hints;
use super::observers::sees_others;
use reconverge_rewrite::jumps::{jumps_to, replace_operands};

/// The maximum number of arguments that may be passed in place of those of one jump.
const MOST_PASSED: usize = 64;
/// The maximum number of jumps to a block because of removed joins: half of the predecessors that a phi can have.
const MOST_SOURCES: usize = 1 << 14;

/// Removes such joins. Returns their number.
pub(super) fn remove_empty_joins(module: &mut Module, function: Function, hints: &Hints) -> usize {
    let named: FxHashSet<Block> = hints.named_blocks().collect();
    let is_candidate = |&block: &Block| !named.contains(&block) && is_empty_join(module, block);
    if !module.blocks(function).any(|block| is_candidate(&block)) || sees_others(module, function) {
        return 0;
    }
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let loops = CycleForest::compute(flow.graph(), &order, &dominators);
    let joins: Vec<Block> =
        order.sequence().iter().map(|&node| flow.block(node)).filter(|block| is_candidate(block)).collect();
    let mut exits = Exits::new(&flow, &loops);
    let mut removed = 0;
    for join in joins {
        if exits.leaves_beside_its_target(module, join) && is_cheap(module, join) && exits.has_room(module, join) {
            exits.forget(module, join);
            remove(module, join);
            removed += 1;
        }
    }
    removed
}

/// Returns whether a block has several predecessors and consists of parameters and a jump that alone uses them.
fn is_empty_join(module: &Module, block: Block) -> bool {
    let Some(jump) = module.terminator(block) else { return false };
    let is_bare = module.previous(jump).is_none_or(|last| module.op(last) == Op::BlockParameter);
    let is_used_here = |parameter: Inst| module.uses(parameter).all(|used| used.user == Inst::from(jump));
    module.op(block) == Op::Block
        && module.op(jump) == Op::Branch
        && is_bare
        && module.in_edges(block).nth(1).is_some()
        && module.in_edges(block).all(|edge| module.op(edge.terminator) == Op::Branch)
        && module.parameters(block).all(|parameter| is_used_here(parameter.into()))
}

/// Returns whether few arguments are passed in place of those of the join's own jump.
fn is_cheap(module: &Module, join: Block) -> bool {
    let passed = module.terminator(join).map_or(0, |jump| module.arguments(jump).take(MOST_PASSED + 1).count());
    module.in_edges(join).take(MOST_PASSED + 2).count().saturating_sub(1) * passed <= MOST_PASSED
}

/// The loops of the function before the pass, and the predecessors of the targets of joins.
struct Exits<'a> {
    flow: &'a FlowGraph,
    loops: &'a CycleForest,
    /// The index of each block of a loop in the order in which every loop is a range.
    place: Vec<Option<usize>>,
    /// The indices of a target's predecessors, ascending.
    places: FxHashMap<Node, Vec<usize>>,
    /// The current number of jumps to a target.
    jumps: FxHashMap<Node, usize>,
    /// For each removed join, one of its predecessors: all of them are in the loop that it left.
    removed: FxHashMap<Node, Node>,
}

impl<'a> Exits<'a> {
    fn new(flow: &'a FlowGraph, loops: &'a CycleForest) -> Exits<'a> {
        let mut place = vec![None; flow.blocks().len()];
        let in_loops = loops.outermost().iter().flat_map(|&cycle| loops.blocks(cycle));
        for (number, &node) in in_loops.enumerate() {
            place[node.index()] = Some(number);
        }
        Exits {
            flow,
            loops,
            place,
            places: FxHashMap::default(),
            jumps: FxHashMap::default(),
            removed: FxHashMap::default(),
        }
    }

    /// The predecessors of a block, through edge blocks and removed joins.
    fn sources(&self, module: &Module, node: Node) -> Vec<Node> {
        let graph = self.flow.graph();
        let resolved = |mut source: Node| loop {
            let is_edge =
                module.is_live(self.flow.block(source)) && module.op(self.flow.block(source)) == Op::EdgeBlock;
            source = match (self.removed.get(&source), graph.predecessors(source)) {
                (Some(&before), _) => before,
                (None, &[before]) if is_edge => before,
                _ => break source,
            };
        };
        graph.predecessors(node).iter().map(|&source| resolved(source)).collect()
    }

    /// Returns whether the target of a join can have the additional jumps, and counts them if so.
    fn has_room(&mut self, module: &Module, join: Block) -> bool {
        let graph = self.flow.graph();
        let &[target] = graph.successors(self.flow.node(join)) else { return false };
        let jumps = self.jumps.entry(target).or_insert_with(|| graph.predecessors(target).len());
        let together = *jumps + module.in_edges(join).count() - 1;
        let has_room = together <= MOST_SOURCES;
        if has_room {
            *jumps = together;
        }
        has_room
    }

    /// Records that a join is removed.
    fn forget(&mut self, module: &Module, join: Block) {
        let node = self.flow.node(join);
        let source = self.sources(module, node).first().copied();
        self.removed.extend(source.map(|source| (node, source)));
    }

    /// Returns whether all predecessors of a join leave one loop, and that loop has another exit to the target of the join.
    fn leaves_beside_its_target(&mut self, module: &Module, join: Block) -> bool {
        let node = self.flow.node(join);
        let &[target] = self.flow.graph().successors(node) else { return false };
        let sources = self.sources(module, node);
        let Some(left) = sources.first().and_then(|&source| self.outermost_left(source, node)) else { return false };
        if target == node || !sources.iter().all(|&source| self.loops.contains(left, source)) {
            return false;
        }
        if !self.places.contains_key(&target) {
            let sources = self.sources(module, target);
            let mut places: Vec<usize> = sources.iter().filter_map(|source| self.place[source.index()]).collect();
            places.sort_unstable();
            self.places.insert(target, places);
        }
        let inside = self.loops.blocks(left);
        let begin = inside.first().and_then(|first| self.place[first.index()]);
        let begin = begin.expect("invariant: a loop has blocks, and each has a place");
        let places = &self.places[&target];
        let first = places.partition_point(|&place| place < begin);
        places.get(first).is_some_and(|&place| place < begin + inside.len())
    }

    /// The outermost loop that contains a source and not the target.
    fn outermost_left(&self, source: Node, target: Node) -> Option<Cycle> {
        let mut left = None;
        let mut around = self.loops.innermost(source);
        while let Some(cycle) = around.filter(|&cycle| !self.loops.contains(cycle, target)) {
            left = Some(cycle);
            around = self.loops.parent(cycle);
        }
        left
    }
}

/// Redirects each jump to a join to its target.
fn remove(module: &mut Module, join: Block) {
    let jump = module.terminator(join).expect("invariant: a join ends in a jump");
    let passes: Vec<Inst> = module.operands(jump).collect();
    let parameters = module.parameters(join).map(Inst::from).enumerate();
    let places: FxHashMap<Inst, usize> = parameters.map(|(place, parameter)| (parameter, place)).collect();
    for source in jumps_to(module, join) {
        let arguments: Vec<Inst> = module.arguments(source).collect();
        let passed = |value: &Inst| places.get(value).map_or(*value, |&place| arguments[place]);
        let operands: Vec<Inst> = passes.iter().map(passed).collect();
        replace_operands(module, source, &operands);
    }
    module.edit().delete(join);
}
