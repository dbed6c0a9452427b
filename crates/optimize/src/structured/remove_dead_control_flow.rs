//! Removes control flow that nothing needs.
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
//! 2. An `if`, scope, switch or loop goes if no instruction in it has an effect, no jump in it leads further than to its merge block, nothing
//!    that it computes is used outside, and each parameter of its merge block is unused or always gets the same value from outside. A
//!    selection with empty arms is the smallest case. A loop in it, or it itself, must be known to end (`loop_ends.rs`): SPIR-V
//!    promises no progress, so what may run forever stays.
//!
//! Lanes that ran the construct came together again at its merge block, all of them, since none could leave: they stay together now.
//! Tangled operations whose results nothing uses go like any other.
//!
//! The measure is the number of blocks. From the last construct in source order to the first, so that what only a removed one used is unused by the
//! time it is looked at: a second run finds nothing. How far the uses of a value reach is looked up once, when the construct around it
//! is: its uses are after it, and what is after is done with by then. A value that is seen to be used nowhere outside a
//! construct is used nowhere outside those around it, and the first that is used outside ends the search. O(n log n) for n operands,
//! blocks and uses, the logarithm for joining lists of blocks; merge blocks of many parameters are linear in what is passed to them
//! for each one that goes.

use std::ops::Range;

use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, Node, Owner};
use reconverge_ir::{Block, Function, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::StructuredError;
use super::loop_ends::{Places, is_known_to_end};
use super::order::put_dominators_first;
use super::prune::make_tree_pruned;
use crate::merge_blocks::join_following;
use reconverge_analysis::effects;

/// Removes unreachable code and constructs that do nothing. Whether there were any.
///
/// # Errors
/// [`StructuredError::NotStructured`].
pub fn remove_dead_control_flow(module: &mut Module, function: Function) -> Result<bool, StructuredError> {
    let (tree, is_reshaped) = make_tree_pruned(module, function)?;
    let places: Places = tree.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
    let mut constructs: Vec<&ConstructData> = tree.constructs().collect();
    constructs.sort_unstable_by_key(|construct| places[&construct.opener]);
    let numbered = constructs.iter().enumerate();
    let numbers: FxHashMap<Construct, usize> = numbered.map(|(number, construct)| (construct.name(), number)).collect();
    let mut facts = gather_facts(module, &tree, &numbers);
    let mut openers: Vec<Block> = Vec::new();
    for (number, &construct) in constructs.iter().enumerate().rev() {
        let mut own = std::mem::take(&mut facts[number]);
        let is_loop = construct.kind == ConstructKind::Loop;
        own.is_plain &= !is_loop || (own.is_plain && is_known_to_end(module, &tree, &places, construct));
        let is_closed = own.is_plain && own.reach >= number;
        let dead = is_closed.then(|| Dead::read(module, &tree, &places, construct, &mut own)).flatten();
        let is_dead = dead.is_some();
        if let Some(dead) = dead {
            dead.remove(module);
            openers.push(construct.opener);
        }
        if let Owner::Construct(outer, _) = tree.owner(construct.parent) {
            facts[numbers[&outer]].absorb(own, is_dead);
        }
    }
    for &opener in openers.iter().rev() {
        if module.is_live(opener) {
            join_following(module, opener);
        }
    }
    let is_changed = is_reshaped || !openers.is_empty();
    if is_changed {
        put_dominators_first(module, function);
    }
    Ok(is_changed)
}

/// What is known of a construct's lists: at first without the constructs in it, which add to it when they were looked at.
struct ListFacts {
    /// Whether nothing in it has an effect, ends the function or may run forever.
    is_plain: bool,
    /// The outermost construct that a jump in it goes to the end of. Numbers grow inwards.
    reach: usize,
    /// The blocks in it that are still there. Not gathered where it stays anyhow.
    blocks: Vec<Block>,
    /// The values among those defined in it that may be used outside. Not gathered where it stays anyhow.
    escaping: Vec<Escaping>,
}

/// A value that may be used outside the construct that defines it.
struct Escaping {
    value: Inst,
    /// The first and the last place where it is used, once that was looked up; nothing in between if it is not used.
    used: Option<(usize, usize)>,
}

impl Escaping {
    /// Whether all uses are in a range of places.
    fn is_used_within(&mut self, module: &Module, places: &Places, range: &Range<usize>) -> bool {
        if !module.is_live(self.value) {
            return true;
        }
        let (first, last) = *self.used.get_or_insert_with(|| {
            let users = module.uses(self.value).map(|used| module.block_of(used.user));
            let place = |block: Option<Block>| block.and_then(|block| places.get(&block)).copied();
            // What stands in no list is behind everything.
            let used = users.map(|block| place(block).unwrap_or(usize::MAX));
            used.fold((usize::MAX, 0), |(first, last), place| (first.min(place), last.max(place)))
        });
        first > last || (range.start <= first && last < range.end)
    }
}

impl Default for ListFacts {
    fn default() -> ListFacts {
        ListFacts { is_plain: true, reach: usize::MAX, blocks: Vec::new(), escaping: Vec::new() }
    }
}

impl ListFacts {
    /// Adds what is known of a construct inside. The shorter lists move.
    fn absorb(&mut self, mut inner: ListFacts, is_dead: bool) {
        self.is_plain &= inner.is_plain;
        self.reach = self.reach.min(inner.reach);
        if !self.is_plain || is_dead {
            return;
        }
        move_shorter(&mut self.blocks, &mut inner.blocks);
        move_shorter(&mut self.escaping, &mut inner.escaping);
    }
}

/// Appends one list to the other, whichever moves less.
fn move_shorter<T>(all: &mut Vec<T>, more: &mut Vec<T>) {
    if all.len() < more.len() {
        std::mem::swap(all, more);
    }
    all.append(more);
}

/// What is known of the lists of each construct, by number; constructs in them not included.
fn gather_facts(module: &Module, tree: &ControlTree, numbers: &FxHashMap<Construct, usize>) -> Vec<ListFacts> {
    let mut all: Vec<ListFacts> = std::iter::repeat_with(ListFacts::default).take(numbers.len()).collect();
    for construct in tree.constructs() {
        // A way may lead straight out of what it enters.
        let ways = module.out_edges(construct.opener).filter_map(|edge| end_of(tree.jump(edge)?));
        all[numbers[&construct.name()]].reach = ways.map(|to| numbers[&to]).min().unwrap_or(usize::MAX);
    }
    // Asked once for all: a wide switch is a long way to each of its cases.
    let entered: FxHashSet<Block> = tree.blocks().iter().flat_map(|&block| module.successors(block)).collect();
    for &block in tree.blocks() {
        let Some(around) = tree.innermost(block) else { continue };
        let facts = &mut all[numbers[&around]];
        facts.blocks.push(block);
        let values = module.children(block).filter(|&inst| module.ty(inst).is_some());
        facts.escaping.extend(values.map(|value| Escaping { value, used: None }));
        if !entered.contains(&block) {
            // A merge block that nothing reaches.
            continue;
        }
        facts.is_plain &= module.children(block).all(|inst| match module.op(inst) {
            op if op.is_terminator() => module.successors(block).next().is_some(),
            _ => !effects::has_effect(module, inst),
        });
        for edge in module.out_edges(block) {
            match tree.jump(edge) {
                Some(jump) => facts.reach = end_of(jump).map_or(facts.reach, |to| facts.reach.min(numbers[&to])),
                None => facts.is_plain = false,
            }
        }
    }
    all
}

/// The construct that a jump goes to a named block of.
fn end_of(jump: Jump) -> Option<Construct> {
    match jump {
        Jump::Enter(_) | Jump::Next | Jump::FallThrough(_) | Jump::Join(_) => None,
        Jump::Merge(to) | Jump::Break(to) | Jump::Continue(to) | Jump::Back(to) => Some(to),
    }
}

/// A construct that can go.
struct Dead {
    opener: Block,
    merge: Block,
    inside: Vec<Block>,
    /// What each parameter of the merge block always is; nothing for those that nothing uses.
    values: Vec<Option<Inst>>,
}

impl Dead {
    /// Reads a construct that does nothing. Values that turn out to be used in it alone are not looked at again for those around it.
    fn read(
        module: &Module,
        tree: &ControlTree,
        places: &Places,
        construct: &ConstructData,
        facts: &mut ListFacts,
    ) -> Option<Dead> {
        let merge = construct.merge?;
        let all = tree.blocks_of(Node::Construct(construct.name()));
        let start = all.first().map_or(usize::MAX, |block| places[block]);
        let range = start..start.saturating_add(all.len());
        let is_inside = |block: Block| places.get(&block).is_some_and(|place| range.contains(place));
        let is_inside_value = |value: Inst| module.block_of(value).is_some_and(is_inside);
        while let Some(last) = facts.escaping.last_mut() {
            if !last.is_used_within(module, places, &range) {
                return None;
            }
            facts.escaping.pop();
        }
        let mut sources = module.predecessors(merge);
        if !sources.all(|source| source == construct.opener || is_inside(source)) {
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
        let inside = std::mem::take(&mut facts.blocks);
        Some(Dead { opener: construct.opener, merge, inside, values })
    }

    fn remove(self, module: &mut Module) {
        let parameters: Vec<Inst> = module.parameters(self.merge).map(Inst::from).collect();
        for (&parameter, value) in parameters.iter().zip(&self.values) {
            value.iter().for_each(|&value| module.edit().replace_all_uses(parameter, value));
        }
        module.edit().replace_terminator(self.opener, Op::Branch, &[self.merge.into()]);
        self.inside.iter().for_each(|&block| module.edit().delete(block));
        parameters.iter().for_each(|&parameter| reconverge_rewrite::removal::remove(module, parameter));
    }
}
