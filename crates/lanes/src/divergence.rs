//! Divergence analysis: the values that differ between the lanes of a pack, the constructs at which lanes diverge, and the blocks at which
//! they reconverge.
//!
//! Three sets grow together until nothing changes:
//!
//! - **varying** values: computed from a lane's number, from its own memory, from varying values, or chosen by the way that a lane came;
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
//! A value chosen at a collecting block is varying unless all edges bring the same value in the same iteration. Lanes that are in a block
//! together execute it together: this is what the masked function does, so nothing has to be assumed about convergence. The scheme is
//! that of Karrenberg and Hack 2012, on the control tree.
//!
//! Linear in instructions and uses, and in edges times nesting, a few times.

use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, List, Owner, Role};
use reconverge_ir::{Block, Edge, Inst, Module, Op, OpGroup, Slot, Terminator, decoration, terminator::operand, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{BuiltIn, GroupOperation, StorageClass};

use crate::order::ExecutionOrder;
use crate::{Facts, Shape};

/// The result of the analysis.
#[derive(Debug, Default)]
pub(crate) struct Divergence {
    varying: FxHashSet<Inst>,
    splitting: FxHashSet<Construct>,
    collecting: FxHashSet<Block>,
    /// True if lanes that return have to wait for others.
    is_return_collecting: bool,
}

impl Divergence {
    /// Returns whether lanes may have different values.
    pub(crate) fn is_varying(&self, value: Inst) -> bool {
        self.varying.contains(&value)
    }

    /// Returns whether lanes of a pack may go to different lists of a construct, or leave at a conditional exit while others stay.
    pub(crate) fn splits(&self, construct: Construct) -> bool {
        self.splitting.contains(&construct)
    }

    /// Returns whether lanes that jump to a block wait for others.
    pub(crate) fn collects(&self, block: Block) -> bool {
        self.collecting.contains(&block)
    }

    /// Returns whether lanes that return wait for others.
    pub(crate) fn collects_returns(&self) -> bool {
        self.is_return_collecting
    }

    /// Analyses a function in loop-closed SSA form.
    pub(crate) fn compute(module: &Module, tree: &ControlTree, order: &ExecutionOrder, facts: &Facts) -> Divergence {
        let places = order.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
        let mut search = Search { module, tree, facts, places, result: Divergence::default(), pending: Vec::new() };
        for &block in tree.blocks() {
            for inst in module.children(block) {
                if search.begins_varying(inst) {
                    search.mark(inst);
                }
            }
        }
        loop {
            search.propagate();
            if !search.grow() {
                return search.result;
            }
        }
    }
}

struct Search<'a> {
    module: &'a Module,
    tree: &'a ControlTree,
    facts: &'a Facts,
    /// The order in which a pack executes blocks.
    places: FxHashMap<Block, usize>,
    result: Divergence,
    /// Values that became varying, and whose users do not know yet.
    pending: Vec<Inst>,
}

impl Search<'_> {
    fn mark(&mut self, value: Inst) {
        if self.result.varying.insert(value) {
            self.pending.push(value);
        }
    }

    /// Returns whether an instruction gives each lane a value of its own, whatever its operands are.
    fn begins_varying(&self, inst: Inst) -> bool {
        let module = self.module;
        let op = module.op(inst);
        match op.group() {
            OpGroup::Load => is_varying_load(module, self.facts, inst),
            OpGroup::Atomic => true,
            OpGroup::Subgroup => !has_common_result(module, inst),
            _ => false,
        }
    }

    /// Users of varying values are varying, as far as they compute from their operands.
    fn propagate(&mut self) {
        while let Some(value) = self.pending.pop() {
            let uses: Vec<_> = self.module.uses(value).collect();
            for used in uses {
                let Slot::Operand(index) = used.slot else { continue };
                let op = self.module.op(used.user);
                match self.module.cast::<Terminator>(used.user) {
                    Some(jump) => self.pass(jump, index),
                    None if self.module.ty(used.user).is_none() => {}
                    None if op.group() == OpGroup::Subgroup && has_common_result(self.module, used.user) => {}
                    None => self.mark(used.user),
                }
            }
        }
    }

    /// A jump passes a varying value to a parameter of its target.
    fn pass(&mut self, jump: Terminator, index: usize) {
        let Some(first) = reconverge_ir::terminator::first_argument(self.module.op(jump)) else { return };
        let target = self.module.cast::<Block>(self.module.operand(jump, operand::TARGET));
        let (Some(target), Some(place)) = (target, index.checked_sub(first)) else { return };
        if let Some(parameter) = self.module.parameters(target).nth(place) {
            self.mark(parameter.into());
        }
    }

    /// One more round over all constructs and edges. Returns whether anything changed.
    fn grow(&mut self) -> bool {
        let before = self.size();
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
                self.choose(block);
            }
        }
        self.size() != before || !self.pending.is_empty()
    }

    fn size(&self) -> (usize, usize, bool) {
        let Divergence { splitting, collecting, is_return_collecting, .. } = &self.result;
        (splitting.len(), collecting.len(), *is_return_collecting)
    }

    fn grow_construct(&mut self, construct: &ConstructData) {
        let name = construct.name();
        let Some(end) = self.module.terminator(construct.opener) else { return };
        let is_selection = construct.kind != ConstructKind::Loop;
        if is_selection && self.result.is_varying(self.module.operand(end, operand::CONDITION)) {
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

    /// The values that join at a collecting block.
    fn choose(&mut self, block: Block) {
        let is_break =
            self.tree.closed_by(block).is_some_and(|closed| self.tree.construct(closed).kind == ConstructKind::Loop);
        let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
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
            if arguments.len() > 1 || (is_break && arguments.iter().any(is_local)) {
                self.mark(parameter);
            }
        }
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

/// Returns whether lanes that load from one address, together, get different values.
fn is_varying_load(module: &Module, facts: &Facts, load: Inst) -> bool {
    let Some(pointer) = view::Load::of(module, load).map(|load| load.pointer) else { return true };
    let Some(class) = module.ty(pointer).and_then(|ty| storage_class_of(module, ty)) else { return true };
    match class {
        StorageClass::Function | StorageClass::Private => true,
        StorageClass::Input => input_of(module, pointer).is_none_or(|(built_in, component)| {
            facts.input(built_in, component).is_none_or(|fact| fact.shape != Shape::Uniform)
        }),
        _ => false,
    }
}

fn storage_class_of(module: &Module, ty: Inst) -> Option<StorageClass> {
    view::TypePointer::of(module, ty).and_then(|pointer| pointer.storage_class)
}

/// The built-in input and its component that a pointer is the address of.
pub fn input_of(module: &Module, pointer: Inst) -> Option<(BuiltIn, u32)> {
    let (variable, component) = match module.op(pointer) {
        Op::Variable => (pointer, 0),
        Op::AccessChain | Op::InBoundsAccessChain => {
            let mut operands = module.operands(pointer);
            let (variable, index) = (operands.next()?, operands.next()?);
            (variable, module.constant_word(index).filter(|_| operands.next().is_none())?)
        }
        _ => return None,
    };
    module.decorated(variable).find().map(|decoration::BuiltIn(built_in)| (built_in, component))
}

/// Returns whether a subgroup operation gives all lanes that execute it the same value.
pub(crate) fn has_common_result(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::GroupNonUniformBallot
        | Op::SubgroupBallotKHR
        | Op::GroupNonUniformAll
        | Op::GroupNonUniformAny
        | Op::GroupNonUniformAllEqual
        | Op::SubgroupAllKHR
        | Op::SubgroupAnyKHR
        | Op::SubgroupAllEqualKHR
        | Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformBroadcastFirst
        | Op::SubgroupFirstInvocationKHR => true,
        _ => view::Group::of(module, inst).is_some_and(|view| view.operation == Some(GroupOperation::Reduce)),
    }
}
