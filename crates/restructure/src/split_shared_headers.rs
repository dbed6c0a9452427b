//! Splits headers that several loops share, if lanes wait for each other in one of the loops.
//!
//! ```text
//!        ^a                         ^a
//!        │                          ▼
//!   ┌──▶ ^h ◀──┐               ┌──▶ ^o           outer loop: a round is what lies between barriers
//!   │    │ ────┘ %some         │    ▼
//!   │    ▼                ⇒    │    ^h ◀──┐      inner loop: lanes leave it when they have done their rounds
//!   │    ^b: barrier           │    │ ────┘ %some
//!   │    │                     │    ▼
//!   └────┘ %again              └─── ^b: barrier
//! ```
//!
//! In two nested loops of the source, each lane may execute the inner one at its own pace. After an optimizer has removed the empty header,
//! the two loops share one. Treated as one loop, a lane that continues early reaches the barrier an iteration later than others, which wait
//! for it there: in a structured function that is another barrier (`docs/convergence.md`).
//!
//! *Requires* stage Graph. *Preserves* which blocks are executed in which order, and their values.
//!
//! A back edge is *early* if every path from a barrier of the loop to it passes the header. If some are early and some are not, the others,
//! and the edges that enter the loop, go to a block before the header. A small latch that only some lanes reach early is copied for the
//! early ones. Only barriers count, which all lanes of a scope must reach together; a ballot is not one, and no header is split for it.
//! Irreducible cycles, loops whose merges specify reconvergence, and barriers in callees are unchanged. O(edges) for each loop with several
//! back edges that contains a barrier.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::effects::waits_for_all;
use reconverge_graph::{Cycle, CycleForest, Node};
use reconverge_ir::{Block, Copies, Edge, Function, Inst, Module, Op, Position, Stage};
use rustc_hash::FxHashSet;

/// The maximum size of a copied latch in instructions, with parameters and jump.
const LATCH_LIMIT: usize = 48;

/// Splits headers of loops of a function. Returns the number of new headers.
pub fn split_shared_headers(module: &mut Module, function: Function) -> usize {
    let is_waiting = |block: &Block| module.children(*block).any(|inst| waits_for_all(module.op(inst)));
    if module.stage(function) == Stage::Structured || !module.blocks(function).any(|block| is_waiting(&block)) {
        return 0;
    }
    let shared = find(module, function);
    let count = shared.len();
    for Shared { header, mut early, mixed } in shared {
        for latch in mixed {
            copy_latch(module, latch, &mut early);
        }
        add_header(module, header, &early);
    }
    count
}

/// A header that two loops share: one in which lanes wait for each other, and one in which they do not.
struct Shared {
    header: Block,
    /// The blocks that end in an early back edge, or in an edge to a latch that is copied for it.
    early: FxHashSet<Block>,
    /// The latches that both early and other lanes pass.
    mixed: Vec<Block>,
}

fn find(module: &Module, function: Function) -> Vec<Shared> {
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let forest = CycleForest::compute(flow.graph(), &order, &dominators);
    let is_alone = |&cycle: &Cycle| forest.is_reducible(cycle) && forest.header(cycle) != flow.graph().entry();
    let cycles = forest.cycles().filter(is_alone);
    cycles.filter_map(|cycle| shared_by(module, &flow, &forest, cycle)).collect()
}

/// The early edges of a loop, if it has back edges of both kinds.
fn shared_by(module: &Module, flow: &FlowGraph, forest: &CycleForest, cycle: Cycle) -> Option<Shared> {
    let graph = flow.graph();
    let (at, is_inside) = (forest.header(cycle), |node: &&Node| forest.contains(cycle, **node));
    let header = flow.block(at);
    let latches: Vec<Node> = graph.predecessors(at).iter().filter(is_inside).copied().collect();
    let may_be_several = latches.len() > 1 || graph.predecessors(*latches.first()?).len() > 1;
    if !may_be_several || module.in_edges(header).any(|edge| module.op(edge.terminator) == Op::Loop) {
        return None;
    }
    let behind = behind_barriers(module, flow, forest, cycle);
    let is_early = |node: &Node| !behind.contains(node);
    let (mut early, mut mixed, mut has_late) = (FxHashSet::default(), Vec::new(), false);
    for latch in latches {
        let sources = graph.predecessors(latch);
        if is_early(&latch) {
            early.insert(flow.block(latch));
            continue;
        }
        has_late = true;
        if latch != at && sources.iter().any(is_early) && may_be_copied(module, flow.block(latch)) {
            mixed.push(flow.block(latch));
            early.extend(sources.iter().filter(|source| is_early(source)).map(|&source| flow.block(source)));
        }
    }
    (has_late && !early.is_empty()).then_some(Shared { header, early, mixed })
}

/// The blocks of a loop that paths from its barriers reach before the header, and the blocks of the barriers.
fn behind_barriers(module: &Module, flow: &FlowGraph, forest: &CycleForest, cycle: Cycle) -> FxHashSet<Node> {
    let is_waiting = |node: &&Node| {
        let mut insts = module.children(flow.block(**node));
        insts.any(|inst| waits_for_all(module.op(inst)))
    };
    let mut behind = FxHashSet::default();
    let mut pending: Vec<Node> = forest.blocks(cycle).iter().filter(is_waiting).copied().collect();
    while let Some(node) = pending.pop() {
        if behind.insert(node) {
            let is_on = |target: &&Node| forest.contains(cycle, **target) && **target != forest.header(cycle);
            pending.extend(flow.graph().successors(node).iter().filter(is_on));
        }
    }
    behind
}

/// Returns whether a latch may be copied. Only its own jump uses its values, because it dominates nothing.
fn may_be_copied(module: &Module, latch: Block) -> bool {
    let ends_in_jump = module.terminator(latch).is_some_and(|end| module.op(end) == Op::Branch);
    let is_small = module.children(latch).nth(LATCH_LIMIT).is_none();
    let sees_others = |inst: Inst| {
        let op = module.op(inst);
        op.effects().is_convergent() || op == Op::FunctionCall
    };
    ends_in_jump && is_small && !module.children(latch).any(sees_others)
}

/// Redirects the early edges into a latch to a copy of it, which is early too.
fn copy_latch(module: &mut Module, latch: Block, early: &mut FxHashSet<Block>) {
    let made = module.edit().copy(&[latch.into()], &mut Copies::new())[0];
    module.edit().move_to(made, Position::After(latch.into()));
    let is_early = |edge: &Edge| module.block_of(edge.terminator).is_some_and(|source| early.contains(&source));
    let edges: Vec<Edge> = module.in_edges(latch).filter(is_early).collect();
    for edge in edges {
        module.edit().set_operand(edge.terminator, edge.operand, made);
    }
    early.extend(module.cast::<Block>(made));
}

/// The jump along an edge. An edge of another terminator gets a block with a jump.
fn jump_of(module: &mut Module, edge: Edge) -> Edge {
    if module.op(edge.terminator) == Op::Branch {
        return edge;
    }
    let between = module.edit().split_edge(edge);
    module.out_edges(between).next().expect("invariant: an edge block has an edge")
}

/// Inserts a block before a header, for all edges to it except those from some blocks.
fn add_header(module: &mut Module, header: Block, early: &FxHashSet<Block>) {
    let types: Vec<Inst> = module.parameters(header).filter_map(|parameter| module.ty(parameter)).collect();
    let edges: Vec<Edge> = module.in_edges(header).collect();
    let mut editor = module.edit();
    let outer = editor.insert(Position::Before(header.into()), Op::Block, None, &[]);
    let mut operands: Vec<Inst> = vec![header.into()];
    for ty in types {
        operands.push(editor.append(outer, Op::BlockParameter, Some(ty), &[]));
    }
    editor.append(outer, Op::Branch, None, &operands);
    for edge in edges {
        let source = module.block_of(edge.terminator).expect("invariant: a terminator is in a block");
        if !early.contains(&source) {
            let jump = jump_of(module, edge);
            module.edit().set_operand(jump.terminator, jump.operand, outer);
        }
    }
}
