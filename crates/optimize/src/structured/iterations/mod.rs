//! Copies of loop iterations: shared by unrolling and peeling.
//!
//! ```text
//! ^p: loop ^h(%a) break ^m continue ^c             ^p: branch ^h.0
//! ^h(%i): body; branch ^c                   ⇒      ^h.0: body with %a for %i; code
//! ^c: code; branch ^h(%n)                          ^h.1: body with %n.0 for %i; code
//!                                                  … and then nothing, or the loop from %n.1 on
//! ```
//!
//! *Requires* that the loop's shape was gathered after [`prepare`]. All lanes run the same copies, one for each iteration. Lanes that are
//! in the loop together are in the same copy, since one edge leads from each copy to the next.
//!
//! Convergence is unchanged, by constructs in place of the loop's:
//!
//! - *The continue target.* If several edges lead to it, or one that leaves a switch, each copy opens a construct with the continue block
//!   as its merge block: a scope, or, if an edge has to leave a switch, a one-trip loop (M6, M7 for M8).
//! - *The break block.* If the copies leave the loop in more than one place, they and the remaining loop are in a construct with the break
//!   block as its merge block: a scope, or a one-trip loop if an edge has to leave a switch or such a scope. If there is one exit, from the
//!   list of the body, and the loop follows, the construct is an `if` (M6, M7 for M7).
//!
//! Both are not possible at once without flags if an edge to the continue target leaves a switch: then [`LoopShape::must_divert`] returns true,
//! and `divert.rs` redirects the exits through the continue target. If the loop has to stay, it is rejected instead.
//!
//! Linear in the written code.

mod copy;
mod divert;
mod wrap;

use reconverge_analysis::trip_count::{Counter, ExitTest};
use reconverge_control_tree::{Construct, ConstructKind, ControlTree, Node, Owner, Role};
use reconverge_ir::{Block, Inst, Module, Op, Slot, Terminator, Use, terminator::operand};
use rustc_hash::FxHashSet;

use super::blocks::{append_parameter, conditional_exit, leads_to, make_jumps};
use reconverge_rewrite::capabilities::Carriable;

pub(super) use copy::write_out;
pub(super) use divert::divert_exits;

/// The facts about a loop that copying needs.
#[derive(Clone, Debug)]
pub(super) struct LoopShape {
    pub(super) opener: Block,
    pub(super) header: Block,
    pub(super) target: Block,
    pub(super) exit: Block,
    /// The block of the back edge.
    back: Block,
    /// The blocks of the body and the continue list, in the function's order.
    pub(super) blocks: Vec<Block>,
    /// The blocks that jump to the break block.
    leaving: Vec<Block>,
    joins: Joins,
    /// True if an edge to the break block leaves a switch inside the loop.
    leaving_crosses_switch: bool,
    /// The blocks of the body's list and of the continue list that are in no construct inside the loop.
    level: FxHashSet<Block>,
    /// The blocks of the continue list.
    continued: FxHashSet<Block>,
}

/// The construct for reconvergence at the continue target of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joins {
    /// None: one edge leads there, from the list of the body, where the lanes of the iteration are converged.
    Nothing,
    /// Several edges, none out of a switch; or one, out of a selection, or from a conditional exit that needs a merge block then.
    Scope,
    /// An edge out of a switch.
    Loop,
}

/// The code after the copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// None: the test leaves in the last copy at the latest.
    Nothing,
    /// The loop.
    Loop,
}

/// The facts about the copied iterations.
#[derive(Clone, Debug)]
pub(super) struct Copied<'a> {
    pub(super) count: u64,
    pub(super) rest: Rest,
    pub(super) test: Option<Tested>,
    pub(super) counters: &'a [Counter],
}

/// The outcome of a test in the copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tested {
    pub(super) test: ExitTest,
    /// The number of copies in which it stays.
    pub(super) repeats: u64,
    pub(super) before: Before,
}

/// The outcome of a test before it certainly leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before {
    /// It stays in the loop.
    Stays,
    /// It may leave earlier.
    MayLeave,
}

/// Splits edges so that every edge that copies rewrite is a jump: to the break block, back to the header. Returns whether it split one.
///
/// Nothing else may change between this and [`LoopShape::gather`].
pub(super) fn prepare(module: &mut Module, opening: Terminator) -> bool {
    let blocks = [module.merge_block(opening), module.cast(module.operand(opening, operand::TARGET))];
    let mut changed = false;
    for block in blocks.into_iter().flatten() {
        changed |= make_jumps(module, block);
    }
    changed
}

impl LoopShape {
    /// The shape of a loop that can repeat.
    pub(super) fn gather(module: &Module, tree: &ControlTree, construct: Construct) -> Option<LoopShape> {
        let data = tree.construct(construct);
        let (header, target, exit) = (data.loop_header?, data.continue_target?, data.merge?);
        let opening = module.terminator(data.opener)?;
        let mut backs = module.in_edges(header).filter(|edge| edge.terminator != opening);
        let back = module.block_of(backs.next()?.terminator)?;
        let blocks = tree.blocks_of(Node::Construct(construct)).to_vec();
        let is_inside_switch = |block: Block| tree.innermost_switch(block).is_some();
        let leaving: Vec<Block> = module.predecessors(exit).collect();
        let sources: Vec<Block> = module.predecessors(target).collect();
        let is_level = |block: Block| {
            let lists = tree.list_of(block).map(|list| tree.owner(list));
            matches!(lists, Some(Owner::Construct(owner, _)) if owner == construct)
        };
        let comes_from_level = |source: Block| match conditional_exit(module, source, target) {
            Some((block, other)) => is_level(block) && leads_to(module, other, exit),
            None => is_level(source),
        };
        let joins = match sources[..] {
            _ if target == header => Joins::Nothing,
            _ if sources.iter().any(|&source| is_inside_switch(source)) => Joins::Loop,
            [] => Joins::Nothing,
            [source] if comes_from_level(source) => Joins::Nothing,
            _ => Joins::Scope,
        };
        let level = blocks.iter().copied().filter(|&block| is_level(block)).collect();
        let continued = tree.list(construct, Role::Continue).filter(|_| target != header);
        let continued =
            continued.map_or(FxHashSet::default(), |list| tree.blocks_of_list(list).iter().copied().collect());
        let leaving_crosses_switch = leaving.iter().any(|&source| is_inside_switch(source));
        Some(LoopShape {
            opener: data.opener,
            header,
            target,
            exit,
            back,
            blocks,
            leaving,
            joins,
            leaving_crosses_switch,
            level,
            continued,
        })
    }

    /// The reason why iterations cannot be copied, if they cannot.
    pub(super) fn refusal(&self, module: &Module, copied: &Copied<'_>, carriable: Carriable) -> Option<&'static str> {
        if self.must_divert(module, copied) {
            return Some("it has an exit from its middle, and a continue inside a switch");
        }
        let is_lost = |&value: &Inst| !carriable.is_carriable(module, value);
        let is_carried = self.outside_values(module).iter().any(is_lost);
        is_carried.then_some("one of its values is used after it, and no block parameter can have its type")
    }

    /// Returns whether exits have to go through the continue target, since they cannot leave a copy of the body.
    pub(super) fn must_divert(&self, module: &Module, copied: &Copied<'_>) -> bool {
        self.joins == Joins::Loop && self.leaves_early(module, copied)
    }

    /// Returns whether the loop is left from its continue list, and a copy's body is in a loop of one trip.
    fn leaves_behind_target(&self) -> bool {
        self.joins == Joins::Loop && self.leaving.iter().any(|block| self.continued.contains(block))
    }

    /// Returns whether the copies leave the loop elsewhere than at a last test that always leaves. After the continue target of a copy,
    /// only the construct around all copies has to be left.
    fn leaves_early(&self, module: &Module, copied: &Copied<'_>) -> bool {
        let mut leaving = self.leaving.iter().filter(|block| !self.continued.contains(block));
        match copied.test {
            Some(Tested { before: Before::Stays, test, .. }) if self.level.contains(&test.block) => {
                leaving.any(|&block| !leaves_by(module, test, block))
            }
            _ => leaving.next().is_some(),
        }
    }

    /// The values of the loop that are used after it, except as an argument for its break block, in order.
    fn outside_values(&self, module: &Module) -> Vec<Inst> {
        let inside = self.inside();
        let values = self.blocks.iter().flat_map(|&block| module.children(block));
        let is_used_outside = |value: &Inst| {
            module.ty(*value).is_some() && module.uses(*value).any(|used| is_outside(module, &inside, used))
        };
        values.filter(is_used_outside).collect()
    }

    fn inside(&self) -> FxHashSet<Inst> {
        self.blocks.iter().map(|&block| block.into()).collect()
    }

    /// Passes values that are used after the loop through the break block.
    fn close_values(&self, module: &mut Module) {
        let inside = self.inside();
        for value in self.outside_values(module) {
            let ty = module.ty(value).expect("invariant: a value has a type");
            let outside: Vec<Use> = module.uses(value).filter(|&used| is_outside(module, &inside, used)).collect();
            let parameter = append_parameter(module, self.exit, ty, |_| value);
            for used in outside {
                if let Slot::Operand(index) = used.slot {
                    module.edit().set_operand(used.user, index, parameter);
                }
            }
        }
    }
}

/// Returns whether a jump to the break block is only the target of a test that leaves.
fn leaves_by(module: &Module, test: ExitTest, leaving: Block) -> bool {
    let mut block = leaving;
    loop {
        let mut edges = module.in_edges(block);
        let (Some(edge), None) = (edges.next(), edges.next()) else { return false };
        match module.block_of(edge.terminator) {
            Some(source) if source == test.block => return edge.operand == test.leaving,
            Some(source) if module.op(edge.terminator) == Op::Branch => block = source,
            _ => return false,
        }
    }
}

fn is_outside(module: &Module, inside: &FxHashSet<Inst>, used: Use) -> bool {
    module.parent(used.user).is_none_or(|parent| !inside.contains(&parent))
}

/// The chosen loops of a tree that contain no other chosen loop, in source order.
pub(super) fn innermost_of(tree: &ControlTree, chosen: &FxHashSet<Construct>) -> Vec<Construct> {
    let mut outer: FxHashSet<Construct> = FxHashSet::default();
    for construct in tree.constructs().filter(|construct| chosen.contains(&construct.name())) {
        for list in tree.outwards(construct.opener) {
            match tree.owner(list) {
                Owner::Construct(around, _) if outer.insert(around) => {}
                // The constructs around a visited construct are visited already.
                _ => break,
            }
        }
    }
    let loops = tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop);
    let names = loops.map(|construct| construct.name());
    names.filter(|construct| chosen.contains(construct) && !outer.contains(construct)).collect()
}
