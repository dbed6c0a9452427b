//! Makes the lanes of a function explicit.
//!
//! Blocks are visited in the order of `order.rs`, in which every edge but those back to a loop header goes forward. Each block executes for a mask of
//! lanes. An edge to a collecting block (`divergence.rs`) does not transfer control; it adds its lanes to the *pending* lanes of that block:
//!
//! ```text
//! ^b: branch ^m(%x)      ⇒      pending(m) |= mask;  argument(m) = select mask, %x, argument(m);  branch to the next point
//! ^m(%p): …                     ^m: mask = pending(m);  %p = argument(m);  …
//! ```
//!
//! The next *point* is the next place in that order where lanes may wait: the next list of a construct that splits, its merge block, the
//! continue target, the break block. A point is entered through a test whether any lane waits there; if none does, control continues at the
//! point after the list that contains it. If all lanes that entered a construct leave it together, the mask after it is the mask before it,
//! and there is no test.
//!
//! Pending masks are variables of the function, which `mem2reg` turns into values. SSA repair carries a value around its block where the
//! block may now be skipped.
//!
//! | file | content |
//! |---|---|
//! | `pending.rs` | lanes and arguments that wait at a block |
//! | `points.rs` | where control goes when all lanes of a list have left it |
//! | `blocks.rs` | the mask of a block, and its instructions |
//! | `ends.rs` | what becomes of terminators |
//! | `full_masks.rs` | a version of a loop for the time in which no lane has left it |
//! | `cleanup.rs` | from variables to values |
//!
//! *Requires* stage Structured, no calls, no values of vector type. *Ensures* stage Masked. Near-linear in instructions, edges and nesting.

mod blocks;
mod cleanup;
mod ends;
mod full_masks;
mod pending;
mod points;

use reconverge_control_tree::{Construct, ConstructKind, ControlTree};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, OpGroup, Position, Stage};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Facts;
use crate::divergence::{Divergence, enclosing, ends_lane, owner_of};
use crate::error::unsupported;
use crate::flow::LaneFlow;
use crate::order::ExecutionOrder;
use full_masks::Parting;
use pending::Pending;

/// The active lanes. `None` if all lanes of the pack are launched and active.
pub(crate) type Mask = Option<Inst>;

/// Makes the lanes of a function explicit: from stage Structured to stage Masked. Its variables are values (`mem2reg`), and its loops are
/// closed ([`loop_closed_ssa`](crate::loop_closed_ssa())).
///
/// # Errors
/// An instruction that cannot be executed by packs, a function that is not valid at stage Structured, values that cannot be carried.
pub fn mask(module: &mut Module, function: Function, facts: &Facts) -> Result<(), Diagnostic> {
    check_instructions(module, function)?;
    let LaneFlow { tree, order, divergence } = LaneFlow::compute(module, function, facts)?;
    module.edit().set_stage(function, Stage::Graph);
    let mut masking = Masking::new(module, function, Structure { tree: &tree, order: &order }, &divergence);
    masking.run(facts);
    let own = masking.own;
    cleanup::clean_up(module, function, &own)?;
    module.edit().set_stage(function, Stage::Masked);
    Ok(())
}

/// Instructions that lanes of a pack cannot execute together.
fn check_instructions(module: &Module, function: Function) -> Result<(), Diagnostic> {
    for block in module.blocks(function) {
        for inst in module.children(block) {
            let op = module.op(inst);
            let is_unknown = matches!(
                op.group(),
                OpGroup::Call
                    | OpGroup::Derivative
                    | OpGroup::Geometry
                    | OpGroup::AsyncCopy
                    | OpGroup::WholeGroup
                    | OpGroup::Helper
                    | OpGroup::RayQuery
                    | OpGroup::Opaque
                    | OpGroup::LaneEnd
                    | OpGroup::Lane
            );
            if is_unknown || op == Op::ReturnValue {
                return Err(unsupported(inst, format!("`{}`", op.name())));
            }
        }
    }
    Ok(())
}

/// The control tree of a function, and the order in which a pack executes it.
#[derive(Clone, Copy)]
struct Structure<'a> {
    tree: &'a ControlTree,
    order: &'a ExecutionOrder,
}

struct Masking<'a> {
    module: &'a mut Module,
    function: Function,
    tree: &'a ControlTree,
    order: &'a ExecutionOrder,
    divergence: &'a Divergence,
    /// The entry block, where variables go.
    entry: Block,
    bool_type: Inst,
    /// The pending lanes of collecting blocks.
    pending: FxHashMap<Block, Pending>,
    /// The masks of blocks, as far as they are known before the block is visited.
    masks: FxHashMap<Block, Mask>,
    /// The entrances of blocks: a block with the test for pending lanes, before the block itself.
    entrances: FxHashMap<Block, Block>,
    /// The block after the list of a divergent conditional exit, by the first block of the list.
    behind_exit_lists: FxHashMap<Block, Block>,
    /// Constructs that lanes leave for other places than their merge block.
    open: FxHashSet<Construct>,
    /// Masks of which at least one lane is known to be set where they are used.
    tested: FxHashSet<Inst>,
    /// The live lanes of loops whose break block is collecting.
    live: FxHashMap<Construct, Inst>,
    /// The exits at which lanes leave the innermost loop while others stay.
    partings: FxHashMap<Block, Parting>,
    /// By block, where its lanes go to wait; none: they return.
    leaves: FxHashMap<Block, Vec<Option<Block>>>,
    /// The variables of this pass.
    own: FxHashSet<Inst>,
    /// The end of the function, for lanes that wait for others when they return.
    end: Option<Block>,
}

impl<'a> Masking<'a> {
    fn new(
        module: &'a mut Module,
        function: Function,
        Structure { tree, order }: Structure<'a>,
        divergence: &'a Divergence,
    ) -> Masking<'a> {
        let bool_type = Builder::new(module).bool_type();
        let open = open_constructs(module, tree);
        Masking {
            entry: tree.blocks()[0],
            module,
            function,
            tree,
            order,
            divergence,
            bool_type,
            pending: FxHashMap::default(),
            masks: FxHashMap::default(),
            entrances: FxHashMap::default(),
            behind_exit_lists: FxHashMap::default(),
            open,
            tested: FxHashSet::default(),
            live: FxHashMap::default(),
            partings: FxHashMap::default(),
            leaves: FxHashMap::default(),
            own: FxHashSet::default(),
            end: None,
        }
    }

    fn run(&mut self, facts: &Facts) {
        let mask = if facts.is_full {
            None
        } else {
            // Variables stay at the top of the entry block.
            let is_at_top = |&inst: &Inst| matches!(self.module.op(inst), Op::BlockParameter | Op::Variable);
            let last = self.module.children(self.entry).take_while(is_at_top).last();
            let at = last.map_or(Position::AtStart(self.entry.into()), Position::After);
            Some(self.module.edit().insert(at, Op::LaunchedLanes, Some(self.bool_type), &[]))
        };
        self.tested.extend(mask);
        self.masks.insert(self.entry, mask);
        for &block in self.order.blocks() {
            let mask = self.begin_block(block);
            self.end_block(block, mask);
        }
        self.end_latches();
        self.add_full_versions();
    }

    /// Returns whether the lanes that reach the merge block of a construct are those that entered it.
    fn is_closed(&self, construct: Construct) -> bool {
        !self.open.contains(&construct)
    }

    /// Returns whether the break block of a loop is collecting, so that its live lanes change.
    fn is_live_masked(&self, construct: Construct) -> bool {
        let data = self.tree.construct(construct);
        data.kind == ConstructKind::Loop && data.merge.is_some_and(|merge| self.divergence.collects(merge))
    }

    /// Inserts an instruction before the terminator of a block, or at its end if it has none yet.
    fn emit(&mut self, block: Block, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let end = self.module.terminator(block).map(|end| Position::Before(end.into()));
        self.module.edit().insert(end.unwrap_or(Position::AtEnd(block.into())), op, ty, operands)
    }

    /// The mask of all lanes.
    fn all_lanes(&mut self) -> Inst {
        Builder::new(self.module).constant_bool(true)
    }

    /// The mask of no lane.
    fn no_lane(&mut self) -> Inst {
        Builder::new(self.module).constant_bool(false)
    }
}

/// Constructs from which an edge leads to another place than their merge block, or in which lanes return.
pub fn open_constructs(module: &Module, tree: &ControlTree) -> FxHashSet<Construct> {
    let mut open = FxHashSet::default();
    for &block in tree.blocks() {
        let is_last = module.terminator(block).is_none_or(|end| ends_lane(module.op(end)));
        if is_last {
            open.extend(enclosing(tree, block).map(|(construct, _)| construct));
        }
        for edge in module.out_edges(block) {
            let Some(owner) = tree.jump(edge).and_then(|jump| owner_of(tree, jump)) else { continue };
            let between = enclosing(tree, block).map(|(construct, _)| construct);
            open.extend(between.take_while(|&construct| construct != owner));
        }
    }
    open
}
