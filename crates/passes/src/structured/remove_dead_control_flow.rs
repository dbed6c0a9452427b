//! Removes control flow that nobody needs.
//!
//! ```text
//! %x; if %c ^a ^b merge ^m                  %x
//! ^a: %p = i_add …; branch ^m        ⇒      (what stood in ^m)
//! ^b: branch ^m
//! ^m: …                                     a construct that does nothing, and of which nothing is used
//!
//! if %c ^a ^b merge ^m                      if %c ^a ^b merge ^m
//! ^a: return   ^b: kill              ⇒      ^a: return   ^b: kill
//! ^m: store …                               ^m: unreachable
//! ```
//!
//! *Requires* a structured function. *Preserves* stage Structured, every value and every effect. *Breaks* nothing. Two steps:
//!
//! 1. What control never reaches goes (`prune.rs`): behind jumps, behind selections both arms of which jump, behind loops that
//!    nothing breaks.
//! 2. An `if`, switch or loop goes if no instruction in it has an effect, no jump in it leads further than to its merge block, nothing
//!    that it computes is used outside, and each parameter of its merge block is unused or always gets the same value from outside. A
//!    selection with empty arms is the smallest case. A loop in it, or it itself, must be known to end (`loop_ends.rs`): SPIR-V
//!    promises no progress, so what may run for ever stays.
//!
//! Lanes that ran the construct came together again at its merge block, all of them, since none could leave: they stay together now.
//! Tangled operations whose results nobody uses go like any other.
//!
//! The measure is the number of blocks. From the last construct to the first, so that what only a removed one used is unused by the
//! time it is looked at: a second run finds nothing. Linear, times how deep constructs without effect nest.

use reconverge_ir::control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, Node, Owner};
use reconverge_ir::{Block, Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::StructuredError;
use super::join::join_following;
use super::loop_ends::is_known_to_end;
use super::prune::prune;
use super::view::tree_of;
use crate::effects;

/// Removes unreachable code and constructs that do nothing. Whether there were any.
///
/// # Errors
/// [`StructuredError::NotStructured`].
pub fn remove_dead_control_flow(module: &mut Module, function: Function) -> Result<bool, StructuredError> {
    let pruned = prune(module, function)?;
    let tree = tree_of(module, function)?;
    let plain = Plain::find(module, &tree);
    let mut openers: Vec<Block> = Vec::new();
    for (construct, &is_plain) in tree.constructs().zip(&plain.constructs).rev() {
        if is_plain && let Some(dead) = Dead::read(module, &tree, &plain, construct) {
            dead.remove(module);
            openers.push(construct.opener);
        }
    }
    for &opener in openers.iter().rev() {
        if module.is_live(opener) {
            join_following(module, opener);
        }
    }
    Ok(pruned || !openers.is_empty())
}

/// Which constructs do nothing but compute, and end.
struct Plain {
    /// By number of the construct.
    constructs: Vec<bool>,
    /// The place of each block in source order.
    places: FxHashMap<Block, usize>,
}

impl Plain {
    fn find(module: &Module, tree: &ControlTree) -> Plain {
        let numbers: FxHashMap<Construct, usize> =
            tree.constructs().enumerate().map(|(number, construct)| (construct.name(), number)).collect();
        let places = tree.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
        let mut search =
            Search { module, tree, numbers: &numbers, facts: vec![Facts { is_plain: true, reach: usize::MAX }; numbers.len()] };
        for &block in tree.blocks() {
            search.read_block(block);
        }
        let count = numbers.len();
        let mut constructs = vec![false; count];
        for (number, construct) in tree.constructs().enumerate().rev() {
            let facts = search.facts[number];
            let ends = construct.kind != ConstructKind::Loop || (facts.is_plain && is_known_to_end(module, tree, construct));
            let is_plain = facts.is_plain && ends;
            constructs[number] = is_plain && facts.reach >= number && construct.kind != ConstructKind::Exit;
            if let Owner::Construct(outer, _) = tree.owner(construct.parent) {
                let outer = &mut search.facts[numbers[&outer]];
                outer.is_plain &= is_plain;
                outer.reach = outer.reach.min(facts.reach);
            }
        }
        Plain { constructs, places }
    }
}

/// What is known of a construct's lists, those of constructs in it included.
#[derive(Clone, Copy)]
struct Facts {
    /// Whether nothing in it has an effect or ends the function.
    is_plain: bool,
    /// The outermost construct that a jump in it goes to the end of. Numbers grow inwards.
    reach: usize,
}

struct Search<'a> {
    module: &'a Module,
    tree: &'a ControlTree,
    numbers: &'a FxHashMap<Construct, usize>,
    facts: Vec<Facts>,
}

impl Search<'_> {
    /// Adds a block to what is known of the construct around it.
    fn read_block(&mut self, block: Block) {
        let Some(around) = self.tree.innermost(block) else { return };
        let facts = &mut self.facts[self.numbers[&around]];
        facts.is_plain &= self.module.children(block).all(|inst| match self.module.op(inst) {
            op if op.is_terminator() => self.module.successors(block).next().is_some(),
            _ => !effects::has_effect(self.module, inst),
        });
        for edge in self.module.out_edges(block) {
            match self.tree.jump(edge) {
                Some(Jump::Enter(_) | Jump::Next | Jump::FallThrough(_)) => {}
                Some(Jump::Merge(to) | Jump::Break(to) | Jump::Continue(to) | Jump::Back(to)) => {
                    facts.reach = facts.reach.min(self.numbers[&to]);
                }
                None => facts.is_plain = false,
            }
        }
    }
}

/// A construct that can go.
struct Dead {
    opener: Block,
    merge: Block,
    inside: Vec<Block>,
    /// What each parameter of the merge block always is; nothing for those that nobody uses.
    values: Vec<Option<Inst>>,
}

impl Dead {
    fn read(module: &Module, tree: &ControlTree, plain: &Plain, construct: &ConstructData) -> Option<Dead> {
        let merge = construct.merge?;
        let all = tree.blocks_of(Node::Construct(construct.name()));
        let start = all.first().map_or(usize::MAX, |block| plain.places[block]);
        let is_inside = |block: Block| {
            let place = plain.places.get(&block).copied().unwrap_or(usize::MAX);
            start <= place && place < start.saturating_add(all.len())
        };
        let is_inside_value = |value: Inst| module.block_of(value).is_some_and(is_inside);
        let inside: Vec<Block> = all.iter().copied().filter(|&block| module.is_live(block)).collect();
        let mut sources = module.predecessors(merge);
        if !sources.all(|source| source == construct.opener || is_inside(source)) {
            return None;
        }
        let is_unused_outside = |inst: Inst| module.uses(inst).all(|used| is_inside_value(used.user));
        if !inside.iter().all(|&block| module.children(block).all(is_unused_outside)) {
            return None;
        }
        let mut values = Vec::new();
        for (number, parameter) in module.parameters(merge).enumerate() {
            let mut passed = module.in_edges(merge).map(|edge| module.arguments(edge.terminator).nth(number));
            let first = passed.next().flatten().filter(|&value| !is_inside_value(value));
            let same = first.filter(|&value| passed.all(|other| other == Some(value)));
            values.push(match module.is_used(parameter) {
                true => Some(same?),
                false => None,
            });
        }
        Some(Dead { opener: construct.opener, merge, inside, values })
    }

    fn remove(self, module: &mut Module) {
        let parameters: Vec<Inst> = module.parameters(self.merge).map(Inst::from).collect();
        for (&parameter, value) in parameters.iter().zip(&self.values) {
            value.iter().for_each(|&value| module.edit().replace_all_uses(parameter, value));
        }
        module.edit().replace_terminator(self.opener, Op::Branch, &[self.merge.into()]);
        self.inside.iter().for_each(|&block| module.edit().delete(block));
        parameters.iter().for_each(|&parameter| effects::remove(module, parameter));
    }
}
