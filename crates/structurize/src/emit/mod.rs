//! Step 8: emits the blocks of the plan, region by region.
//!
//! A *region* is a sequence: a head, and the joins that are placed at its level. Its frame is on an explicit stack; its remaining work is
//! on a stack of [`Step`]s. Each round of [`Emitter::emit`] executes one step, or terminates the current head:
//!
//! | file | what |
//! |---|---|
//! | `loops` | a header opens its loop; the continue target |
//! | `ways` | groups the choices of a head by their targets; routes |
//! | `selection` | two ways: without a merge, one arm leaves, shared merge, scope |
//! | `switch` | three ways or more, with fall-through |
//! | `land` | a label becomes a block |
//! | `flat` | a subtree as one loop around one switch |
//! | `pieces` | which parts of it stay structured |
//! | `edges` | the edges, selectors and tests of a head |
//!
//! A head is *real* (an input block or dispatch node) or *virtual* (a resolved label that branches on its selector). Both use the same
//! code.
//!
//! Every exit of a construct follows one rule ([`Emitter::route`]), and it yields exactly the edges that structured control flow allows:
//! continue, break, to the innermost switch, to the innermost selection.

mod edges;
mod flat;
mod land;
mod loops;
mod pieces;
mod selection;
mod switch;
mod ways;

use smallvec::SmallVec;

use pieces::Piece;
pub(crate) use pieces::{Cut, Depths};

use crate::Options;
use crate::joins::{JoinList, Joins};
use crate::label::{LabelId, Labels, PortSet, Traces};
use crate::placement::{Placement, Role};
use crate::plan::{Block, Merge, Origin, PlanBlock, Terminator};
use crate::policy::Around;
use crate::reason::{Fallback, Reason, Witness, Witnesses};
use crate::work::{NONE, Node, NodeKind, WorkGraph};

/// The input of the emission.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) work: &'a WorkGraph,
    pub(crate) placement: &'a Placement,
    pub(crate) exits: &'a [Node],
    pub(crate) chains: &'a [u32],
    pub(crate) inner_skips: &'a [u32],
    pub(crate) outermost_continued: &'a [u32],
    pub(crate) options: &'a Options,
    pub(crate) cut: Cut<'a>,
}

/// The result of the emission: blocks whose targets are still labels.
pub(crate) struct Draft {
    pub(crate) blocks: Vec<Block>,
    pub(crate) labels: Labels,
    pub(crate) nesting_depth: u32,
    /// The number of times that each node was placed.
    pub(crate) placed: Vec<u32>,
    /// The depth of each node, if it is measured.
    pub(crate) depths: Option<Depths>,
}

/// The surroundings of a region.
#[derive(Clone, Copy, Debug)]
struct Context {
    /// Merge of the innermost selection; none if control does not fall through.
    next: Option<LabelId>,
    /// The innermost enclosing construct.
    around: Around,
    /// Merge of the innermost switch without a loop in between.
    switch: Option<LabelId>,
    /// Level inside that switch; 0 when there is none.
    switch_level: u32,
    /// Index of the innermost loop.
    in_loop: Option<usize>,
    /// Number of enclosing switches and loops.
    level: u32,
    /// Number of enclosing constructs.
    depth: u32,
}

/// An open loop.
#[derive(Clone, Copy, Debug)]
struct OpenLoop {
    /// [`NONE`] for the loop of a flat form.
    header: Node,
    latch: Node,
    merge: LabelId,
    continue_target: LabelId,
    /// The label of the header's own block.
    header_label: LabelId,
    level: u32,
}

/// Joins whose edges are all emitted.
type Ready = SmallVec<[Node; 4]>;

/// The condition of a head.
#[derive(Debug)]
enum Site {
    /// The terminator of this node.
    Real(Node),
    /// The selector of the block, among these ports. `ready` are the joins that become arms.
    Virtual { ports: PortSet, ready: Ready, traces: Traces, near: Node },
}

/// A block that is not terminated yet.
#[derive(Debug)]
struct Head {
    block: PlanBlock,
    /// The block with the selector, for a virtual head or a dispatch node.
    selector_block: PlanBlock,
    site: Site,
    /// True if loops and joins of the node have been processed.
    is_opened: bool,
    /// True if the block already has a loop merge.
    has_loop_merge: bool,
    /// True if only jumps lead here from the header of the enclosing loop, or nothing.
    begins_loop: bool,
    /// True if the block is the merge of a construct or a case of a switch.
    is_merge_or_case: bool,
}

impl Head {
    /// The node that best names the head in an explanation.
    fn near(&self) -> Node {
        match self.site {
            Site::Real(node) => node,
            Site::Virtual { near, .. } => near,
        }
    }
}

/// The beginning of a region.
#[derive(Debug)]
enum Start {
    /// The node's block is the block of the label.
    Node { node: Node, label: LabelId },
    /// An existing head.
    Head(Box<Head>),
}

/// The kind of construct whose merge block a label is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MergeOf {
    Selection,
    Loop,
}

/// A step in a region.
#[derive(Debug)]
enum Step {
    Region {
        start: Start,
        context: Context,
        joins: JoinList,
        is_scoped: bool,
    },
    /// Places the continue target of the loop.
    Continue {
        in_loop: usize,
    },
    /// Makes the label, the merge of the construct of the node, into a block.
    Land {
        label: LabelId,
        near: Node,
        of: MergeOf,
    },
    /// Continues with the node in the block of the label.
    Next {
        node: Node,
        label: LabelId,
    },
    /// Ends a flat form.
    FlatEnd {
        in_loop: usize,
        switch_merge: LabelId,
        root: Node,
    },
}

/// A block of a region that only jumps to the next one: it can be the header of a scope around everything after it.
#[derive(Clone, Copy, Debug)]
struct ScopeHeader {
    block: PlanBlock,
    node: Node,
    /// The number of edges, at that time, to targets that nothing inside a scope can reach.
    commits: [u32; 3],
    /// The deepest construct opened since then.
    deepest: u32,
}

/// An open region.
#[derive(Debug)]
struct OpenRegion {
    head: Option<Head>,
    joins: JoinList,
    /// Members of `joins` whose edges are all emitted.
    ready: Ready,
    context: Context,
    /// A scope was opened to limit nesting; there is no second one here.
    is_scoped: bool,
    /// The size of the stack of steps when the region began: the steps above belong to it.
    first_step: usize,
    /// A block of the region that could be the header of a scope.
    scope_header: Option<ScopeHeader>,
    /// The deepest construct opened in the region.
    deepest: u32,
}

impl OpenRegion {
    fn note_depth(&mut self, depth: u32) {
        self.deepest = self.deepest.max(depth);
        if let Some(header) = &mut self.scope_header {
            header.deepest = header.deepest.max(depth);
        }
    }
}

/// The state of a node in the emission. One record, since targets are visited in random order.
#[derive(Clone, Copy, Debug)]
struct EmissionState {
    /// The level at which the node is placed, once known; [`NONE`] before.
    home: u32,
    /// Number of forward edges into the node that are emitted.
    arrived: u32,
    is_open_header: bool,
}

/// The state of the emission.
pub(crate) struct Emitter<'a> {
    work: &'a WorkGraph,
    placement: &'a Placement,
    exits: &'a [Node],
    chains: &'a [u32],
    inner_skips: &'a [u32],
    options: &'a Options,
    cut: Cut<'a>,
    blocks: Vec<Block>,
    labels: Labels,
    loops: Vec<OpenLoop>,
    frames: Vec<OpenRegion>,
    /// The remaining steps, last one first. Those of the region on top are on top.
    steps: Vec<Step>,
    joins: Joins,
    /// By node.
    states: Vec<EmissionState>,
    placed: Vec<u32>,
    /// For dispatch nodes: an index among the ways of the current head. Empty if there are none.
    place_of_dispatch: Vec<u32>,
    nesting_depth: u32,
    /// The position of the outermost header that an edge from the subtree of a node goes back to.
    outermost_continued: &'a [u32],
    /// The role of each node in a flat form; empty if nothing is cut.
    pieces: Vec<Piece>,
    /// By node, whether an edge from below it, in its piece, leads to a case.
    leads_to_case: Vec<bool>,
    /// The depth of each node, if it is measured.
    depths: Option<Depths>,
    /// The node that best names the current head.
    near: Node,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(source: &Source<'a>) -> Self {
        let count = source.work.len();
        let cut_count = if matches!(source.cut, Cut::Nowhere | Cut::Measured) { 0 } else { count };
        Self {
            work: source.work,
            placement: source.placement,
            exits: source.exits,
            chains: source.chains,
            inner_skips: source.inner_skips,
            options: source.options,
            cut: source.cut,
            blocks: Vec::with_capacity(count * 2),
            labels: Labels::with_capacity(count * 2),
            loops: Vec::with_capacity(8),
            frames: Vec::with_capacity(16),
            steps: Vec::with_capacity(32),
            joins: Joins::new(count),
            states: vec![EmissionState { home: NONE, arrived: 0, is_open_header: false }; count],
            placed: vec![0; count],
            place_of_dispatch: vec![0; if source.work.dispatch_ports.is_empty() { 0 } else { count }],
            nesting_depth: 0,
            pieces: vec![Piece::Outside; cut_count],
            leads_to_case: vec![false; cut_count],
            depths: matches!(source.cut, Cut::Measured).then(|| Depths::new(count)),
            near: source.work.entry,
            outermost_continued: source.outermost_continued,
        }
    }

    /// Emits everything, from the entry. Stops once the nesting exceeds the limit, unless depths are measured.
    pub(crate) fn emit(mut self) -> Result<Draft, Fallback> {
        let around = Around::Function;
        let context = Context { next: None, around, switch: None, switch_level: 0, in_loop: None, level: 1, depth: 0 };
        let label = self.new_label();
        let start = Start::Node { node: self.work.entry, label };
        self.push_frame(start, context, JoinList::new());
        let ends_at_limit = self.ends_at_limit();
        let bound = 16 * (self.work.len() + self.work.edges.len()) + 64;
        while let Some(frame) = self.frames.last_mut() {
            if self.blocks.len() > bound {
                return Err(Fallback::NoProgress);
            }
            if ends_at_limit && self.nesting_depth > self.options.nesting_limit {
                break;
            }
            if self.steps.len() > frame.first_step {
                let step = self.steps.pop().expect("invariant: a step of the region");
                self.execute(step)?;
            } else if let Some(head) = frame.head.take() {
                self.terminate(head)?;
            } else if frame.joins.is_empty() {
                let deepest = frame.deepest;
                self.frames.pop();
                if let Some(around) = self.frames.last_mut() {
                    around.note_depth(deepest);
                }
            } else {
                return Err(Fallback::LeftOverJoin);
            }
        }
        let Self { blocks, labels, nesting_depth, placed, mut depths, .. } = self;
        if let Some(depths) = &mut depths {
            depths.sum_up(self.placement);
        }
        Ok(Draft { blocks, labels, nesting_depth, placed, depths })
    }

    fn execute(&mut self, step: Step) -> Result<(), Fallback> {
        match step {
            Step::Region { start, context, joins, is_scoped } => {
                self.push_frame(start, context, joins);
                self.frame().is_scoped = is_scoped;
                Ok(())
            }
            Step::Continue { in_loop } => self.place_continue(in_loop),
            Step::Land { label, near, of } => self.land(label, near, of),
            Step::Next { node, label } => {
                let head = self.new_head(node, label);
                self.frame().head = Some(head);
                Ok(())
            }
            Step::FlatEnd { in_loop, switch_merge, root } => {
                self.end_flat(in_loop, switch_merge, root);
                Ok(())
            }
        }
    }

    /// Terminates the head, opening its loop or its joins first.
    fn terminate(&mut self, mut head: Head) -> Result<(), Fallback> {
        self.near = head.near();
        if let Site::Real(node) = head.site
            && !head.is_opened
        {
            if self.is_too_deep(node) {
                self.flatten(head, node);
                return Ok(());
            }
            self.place(head.block, node);
            head.is_opened = true;
            if self.placement[node].is_header && !self.is_broken(node) {
                self.open_loop(head, node);
                return Ok(());
            }
            self.await_joins(node);
        }
        let ways = self.compute_ways(&mut head)?;
        let ways = self.unite_outs(&head, ways);
        let is_switch =
            matches!(head.site, Site::Real(node) if self.work.kinds[node as usize] == NodeKind::InputSwitch);
        match ways.len() {
            0 => {
                self.blocks[head.block.index()].terminator = Terminator::Exit;
                Ok(())
            }
            1 => self.follow(head, ways),
            2.. if self.is_peeled(&head, &ways) => self.peel(head, ways),
            2 if !is_switch && self.is_testable(&head, &ways) => self.select(head, ways),
            _ => self.switch(head, ways),
        }
    }

    /// Inserts the joins that `node` dominates at the front of the list of the region.
    fn await_joins(&mut self, node: Node) {
        let own = self.kept(self.placement.children_in(node, Role::Own));
        self.await_at(own, self.top());
    }

    /// Inserts `nodes` at the front of the list of the region on top, at its level.
    fn await_at(&mut self, nodes: &[Node], owner: u32) {
        let frame = self.frames.last_mut().expect("invariant: a region is open");
        for &node in nodes {
            self.states[node as usize].home = frame.context.level;
        }
        self.joins.prepend(&mut frame.joins, nodes, owner, self.placement);
    }

    /// Makes the block the block of `node`.
    fn place(&mut self, block: PlanBlock, node: Node) {
        self.placed[node as usize] += 1;
        let depth = self.frame().context.depth;
        if let Some(depths) = &mut self.depths {
            depths.note_place(node, depth);
        }
        let origin = match self.work.kinds[node as usize] {
            NodeKind::Input | NodeKind::InputSwitch | NodeKind::InputUnreachable => {
                Origin::Input(self.work.block(node))
            }
            NodeKind::Entry => Origin::Added(Reason::Entry),
            NodeKind::Dispatch => {
                let entries = self.work.edges_of(node).iter();
                let entries = entries.map(|edge| self.work.input_near(edge.target)).collect();
                Origin::Added(Reason::IrreducibleDispatch { entries })
            }
        };
        let block = &mut self.blocks[block.index()];
        block.origin = origin;
        block.has_selector = self.work.is_dispatch(node);
    }

    fn push_frame(&mut self, start: Start, context: Context, joins: JoinList) {
        let head = match start {
            Start::Head(head) => *head,
            Start::Node { node, label } => self.new_head(node, label),
        };
        let head = Some(head);
        let first_step = self.steps.len();
        self.frames.push(OpenRegion {
            head,
            joins,
            ready: Ready::new(),
            context,
            is_scoped: false,
            first_step,
            scope_header: None,
            deepest: context.depth,
        });
    }

    /// Records that constructs are opened in the current region.
    fn note_depth(&mut self, constructs: u32) {
        let frame = self.frame();
        let depth = frame.context.depth + constructs;
        frame.note_depth(depth);
        self.nesting_depth = self.nesting_depth.max(depth);
        if let Some(depths) = &mut self.depths {
            depths.note_opened(self.near, depth);
        }
    }

    /// A new block without a terminator.
    fn new_block(&mut self, origin: Origin) -> PlanBlock {
        self.blocks.push(Block {
            origin,
            has_selector: false,
            merge: Merge::None,
            terminator: Terminator::Unreachable,
        });
        PlanBlock::new(self.blocks.len() - 1)
    }

    fn frame(&mut self) -> &mut OpenRegion {
        self.frames.last_mut().expect("invariant: a region is open")
    }

    /// The index of the region on top.
    fn top(&self) -> u32 {
        (self.frames.len() - 1) as u32
    }

    fn witnesses(&self, traces: &Traces) -> Witnesses {
        let witness = |&trace: &u32| {
            let edge = &self.work.edges[trace as usize];
            let carried = self.work.carried_by(trace).first().expect("invariant: a trace stands for an original edge");
            Witness { edge: *carried, target: self.work.input_near(edge.target) }
        };
        traces.iter().map(witness).collect::<SmallVec<_>>()
    }
}
