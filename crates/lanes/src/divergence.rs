//! Divergence analysis: the values that differ between the lanes of a pack, the constructs at which lanes diverge, and the blocks at which
//! they reconverge.
//!
//! Three sets grow together until nothing changes:
//!
//! - **varying** values: computed from a lane's number, from its own memory, from varying values ([`PackSearch`] has the rules), or chosen by
//!   the way that a lane came;
//! - **splitting** constructs: their selector is varying, so that a pack executes several of their lists one after another;
//! - **collecting** blocks: lanes arrive there one group after another, and wait. An edge to a collecting block does not transfer control.
//!
//! A block is collecting if an edge to it leaves a construct that splits or in which lanes wait (the others have to be executed first),
//! if the construct that it belongs to splits, for a break block, if lanes may wait at the continue target when the loop is left, or, for a
//! case that another one falls through to, if lanes leave the switch before that. If lanes leave a construct for a collecting block, those
//! that remain are others than those that entered: its merge block is collecting too.
//!
//! ```text
//! loop {                    %c varying: the `if` splits
//!   if %c { break }    ⇒    its edge to the break block leaves a splitting construct: the break block is collecting
//!   …                       lanes left the `if`: its merge block is collecting, its mask is that of the lanes that did not break
//! }
//! ```
//!
//! A value chosen at a collecting block is varying unless all edges bring the same value in the same iteration. A value that is affine in the
//! lane is varying there in any case: lanes that never arrive do not have it. So a value that is uniform or affine is so in all lanes of a
//! pack, also in those that wait. Lanes that are in a block together execute it together: this is what the masked function does, so nothing
//! has to be assumed about convergence. The scheme is that of Karrenberg and Hack 2012, on the control tree.
//!
//! Linear in instructions and uses, and in edges times nesting, a few times.

use reconverge_analysis::launch::Facts;
use reconverge_analysis::uniformity::{PackSearch, PackValues};
use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, List, Owner, Role};
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, OpGroup, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::order::ExecutionOrder;

/// The result of the analysis.
#[derive(Debug, Default)]
pub(crate) struct Divergence {
    values: PackValues,
    regions: Regions,
}

/// The constructs and blocks at which lanes diverge and reconverge.
#[derive(Debug, Default)]
struct Regions {
    splitting: FxHashSet<Construct>,
    collecting: FxHashSet<Block>,
    /// True if lanes that return have to wait for others.
    is_return_collecting: bool,
}

impl Regions {
    fn splits(&self, construct: Construct) -> bool {
        self.splitting.contains(&construct)
    }

    fn collects(&self, block: Block) -> bool {
        self.collecting.contains(&block)
    }
}

impl Divergence {
    /// The variation of the values.
    pub(crate) fn values(&self) -> &PackValues {
        &self.values
    }

    /// Returns whether lanes may have different values.
    pub(crate) fn is_varying(&self, value: Inst) -> bool {
        !self.values.is_uniform(value)
    }

    /// Returns whether lanes of a pack may go to different lists of a construct, or leave at a conditional exit while others stay.
    pub(crate) fn splits(&self, construct: Construct) -> bool {
        self.regions.splits(construct)
    }

    /// Returns whether lanes that jump to a block wait for others.
    pub(crate) fn collects(&self, block: Block) -> bool {
        self.regions.collects(block)
    }

    /// Returns whether lanes that return wait for others.
    pub(crate) fn collects_returns(&self) -> bool {
        self.regions.is_return_collecting
    }

    /// Analyses a function in loop-closed SSA form, whose blocks the tree and the order have.
    pub(crate) fn compute(
        module: &Module,
        function: Function,
        tree: &ControlTree,
        order: &ExecutionOrder,
        facts: &Facts,
    ) -> Divergence {
        let places = order.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
        let values = PackSearch::new(module, function, facts);
        let mut search = Search { module, tree, places, values, result: Regions::default() };
        loop {
            search.values.settle();
            if !search.grow() {
                return Divergence { values: search.values.finish(), regions: search.result };
            }
        }
    }
}

struct Search<'a> {
    module: &'a Module,
    tree: &'a ControlTree,
    /// The order in which a pack executes blocks.
    places: FxHashMap<Block, usize>,
    values: PackSearch<'a>,
    result: Regions,
}

impl Search<'_> {
    /// One more round over all constructs and edges. Returns whether anything changed.
    fn grow(&mut self) -> bool {
        let before = self.size();
        let mut is_chosen = false;
        for construct in self.tree.constructs() {
            self.grow_construct(construct);
        }
        for &block in self.tree.blocks() {
            let edges: Vec<Edge> = self.module.out_edges(block).collect();
            for edge in edges {
                self.grow_edge(block, edge);
            }
            let leaves = self.module.terminator(block).is_some_and(|end| ends_lane(self.module.op(end)));
            if leaves && (self.result.is_return_collecting || self.waits_between(block, None)) {
                self.result.is_return_collecting = true;
                self.leave(block, None);
            }
        }
        for &block in self.tree.blocks() {
            if self.result.collects(block) {
                is_chosen |= self.choose(block);
            }
        }
        self.size() != before || is_chosen
    }

    fn size(&self) -> (usize, usize, bool) {
        let Regions { splitting, collecting, is_return_collecting } = &self.result;
        (splitting.len(), collecting.len(), *is_return_collecting)
    }

    fn grow_construct(&mut self, construct: &ConstructData) {
        let name = construct.name();
        let Some(end) = self.module.terminator(construct.opener) else { return };
        let is_selection = construct.kind != ConstructKind::Loop;
        if is_selection && self.values.is_divergent(self.module.operand(end, operand::CONDITION)) {
            self.result.splitting.insert(name);
        }
        if !self.result.splits(name) {
            return;
        }
        if construct.kind == ConstructKind::Exit {
            return;
        }
        self.result.collecting.extend(construct.merge);
        let lists: Vec<Block> = construct.lists.iter().map(|&list| self.tree.first_block(list)).collect();
        self.result.collecting.extend(lists);
    }

    fn grow_edge(&mut self, block: Block, edge: Edge) {
        let (Some(jump), Some(target)) = (self.tree.jump(edge), self.module.target(edge)) else { return };
        let Some(owner) = owner_of(self.tree, jump) else { return };
        let is_exit_splitting =
            self.module.op(edge.terminator) == Op::BranchIf && self.result.splits(construct_at(self.module, block));
        let waits = is_exit_splitting
            || self.waits_between(block, Some(owner))
            || self.result.splits(owner)
            || self.waits_beside(block, jump, owner)
            || self.comes_without_some(jump, owner);
        if waits {
            self.result.collecting.insert(target);
        }
        if self.result.collects(target) {
            self.leave(block, Some(owner));
            // Lanes that leave for the merge block of a construct must not pass lanes that are pending at one of its lists, nor may they
            // execute what only those execute that the opener sends there.
            if let Jump::FallThrough(list) | Jump::Join(list) = jump {
                self.result.collecting.extend(self.tree.construct(owner).merge);
                self.result.collecting.insert(self.tree.first_block(list));
            }
        }
    }

    /// Returns whether a construct around a block, inside of `owner`, splits or has lanes waiting.
    fn waits_between(&self, block: Block, owner: Option<Construct>) -> bool {
        let mut between = enclosing(self.tree, block).take_while(|&(construct, _)| Some(construct) != owner);
        between.any(|(construct, role)| {
            let data = self.tree.construct(construct);
            let is_merge = data.merge.is_some_and(|merge| self.result.collects(merge));
            let continues = data.continue_target.filter(|_| role == Role::Body);
            self.result.splits(construct) || is_merge || continues.is_some_and(|block| self.result.collects(block))
        })
    }

    /// Returns whether lanes may wait at the continue target or go back together with later ones when a loop is left.
    fn waits_beside(&self, block: Block, jump: Jump, owner: Construct) -> bool {
        let Jump::Break(_) = jump else { return false };
        let data = self.tree.construct(owner);
        let source = self.places[&block];
        let targets = [data.continue_target, data.loop_header].into_iter().flatten();
        let mut jumps = targets
            .filter(|&target| self.result.collects(target))
            .flat_map(|target| self.module.in_edges(target))
            .filter_map(|edge| self.module.block_of(edge.terminator));
        jumps.any(|from| {
            self.places.get(&from).is_some_and(|&place| place < source && Some(place) >= self.body_of(owner))
        })
    }

    /// Returns whether a list passes control to the next one of its construct after lanes left it for another place: the next list executes
    /// for the lanes that are left, or for all if its construct leads there.
    fn comes_without_some(&self, jump: Jump, owner: Construct) -> bool {
        let merge = self.tree.construct(owner).merge;
        matches!(jump, Jump::FallThrough(_) | Jump::Join(_)) && merge.is_some_and(|merge| self.result.collects(merge))
    }

    /// The position in source order at which the body of a loop begins.
    fn body_of(&self, construct: Construct) -> Option<usize> {
        let header = self.tree.construct(construct).loop_header?;
        self.places.get(&header).copied()
    }

    /// Lanes leave constructs for a collecting block: those that reach their merge blocks are not all that entered.
    fn leave(&mut self, block: Block, owner: Option<Construct>) {
        let between: Vec<Construct> = enclosing(self.tree, block)
            .map(|(construct, _)| construct)
            .take_while(|&construct| Some(construct) != owner)
            .collect();
        for construct in between {
            self.result.collecting.extend(self.tree.construct(construct).merge);
        }
    }

    /// The values that join at a collecting block. Returns whether one becomes divergent.
    fn choose(&mut self, block: Block) -> bool {
        let is_break =
            self.tree.closed_by(block).is_some_and(|closed| self.tree.construct(closed).kind == ConstructKind::Loop);
        let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
        let mut is_chosen = false;
        for (place, parameter) in parameters.into_iter().enumerate() {
            let entry = |edge: &Edge| self.module.op(edge.terminator) != Op::Loop;
            let arguments: FxHashSet<Inst> = self
                .module
                .in_edges(block)
                .filter(entry)
                .filter_map(|edge| self.module.arguments(edge.terminator).nth(place))
                .filter(|&argument| self.module.op(argument) != Op::Undef)
                .collect();
            let is_local = |argument: &Inst| self.module.block_of(*argument).is_some();
            let is_mixed = arguments.len() > 1 || (is_break && arguments.iter().any(is_local));
            if is_mixed || self.values.is_divergent(parameter) {
                is_chosen |= self.values.diverge(parameter);
            }
        }
        is_chosen
    }
}

/// The constructs around a block, innermost first, with the role of the list that contains it.
pub fn enclosing(tree: &ControlTree, block: Block) -> impl Iterator<Item = (Construct, Role)> + '_ {
    tree.outwards(block).filter_map(|list| match tree.owner(list) {
        Owner::Function => None,
        Owner::Construct(construct, role) => Some((construct, role)),
    })
}

/// The construct whose block a jump goes to; none for the next block of the same list and for entering a construct.
pub fn owner_of(tree: &ControlTree, jump: Jump) -> Option<Construct> {
    match jump {
        Jump::Merge(construct) | Jump::Break(construct) | Jump::Continue(construct) | Jump::Back(construct) => {
            Some(construct)
        }
        Jump::FallThrough(list) | Jump::Join(list) => list_owner(tree, list),
        Jump::Enter(_) | Jump::Next => None,
    }
}

/// The construct that a list belongs to.
pub(crate) fn list_owner(tree: &ControlTree, list: List) -> Option<Construct> {
    match tree.owner(list) {
        Owner::Function => None,
        Owner::Construct(construct, _) => Some(construct),
    }
}

/// Returns whether a terminator ends what its lanes do in the function.
pub fn ends_lane(op: Op) -> bool {
    matches!(op.group(), OpGroup::Return | OpGroup::LaneEnd | OpGroup::Unreachable)
}

fn construct_at(module: &Module, block: Block) -> Construct {
    Construct::at(module, block).expect("invariant: the block ends in a conditional exit")
}
