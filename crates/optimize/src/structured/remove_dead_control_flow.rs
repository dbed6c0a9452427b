//! Removes dead control flow: unreachable code, and constructs without effect.
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
//! 1. Unreachable code is removed (`prune.rs`): code after jumps, after selections whose arms both jump, and after loops without a break.
//! 2. An `if`, scope, switch or loop is removed if no instruction in it has an effect, no jump in it leads further than to its merge block,
//!    its values are not used outside, and each parameter of its merge block is unused or always gets the same value from outside. A
//!    selection with empty arms is the smallest case. All loops in it must be known to terminate (`loop_ends.rs`): SPIR-V does not
//!    guarantee forward progress, so a loop that may be infinite stays.
//!
//! All lanes that execute the construct reconverge at its merge block, since none can leave it: after its removal they stay converged.
//! Tangled operations without used results are removed too.
//!
//! The measure is the number of blocks. Constructs are processed from the last to the first in source order, so that values used only in a
//! removed construct are unused when their own construct is processed: a second run changes nothing. The range of the uses of a value is
//! computed once, when its construct is processed: its uses come after it, and later constructs are finished by then. A value without uses
//! outside a construct has none outside the enclosing constructs, and the search ends at the first value with such a use. O(n log n) for n
//! operands, blocks and uses, with the logarithm for merging lists of blocks; removing a merge block with many parameters is linear in its
//! arguments.

use std::ops::Range;

use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, Node, Owner};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::loop_ends::{Places, is_known_to_end};
use super::order::put_dominators_first;
use super::prune::make_tree_pruned;
use crate::merge_blocks::join_following;
use reconverge_analysis::effects;
use reconverge_rewrite::debug_values::forget_blocks;

/// Removes unreachable code and constructs without effect. Returns whether there were any.
///
/// # Errors
/// [`TreeCode::NotStructured`](reconverge_control_tree::TreeCode::NotStructured).
pub fn remove_dead_control_flow(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
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
        if dead.is_some() {
            // What the construct contained is deleted.
            (own.blocks, own.escaping) = (Vec::new(), Vec::new());
        }
        if let Some(dead) = dead {
            dead.remove(module);
            openers.push(construct.opener);
        }
        if let Owner::Construct(outer, _) = tree.owner(construct.parent) {
            facts[numbers[&outer]].absorb(own);
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

/// The facts about a construct's lists: at first without the inner constructs, which are added after they are processed.
struct ListFacts {
    /// True if no instruction in it has an effect, ends the function or may run forever.
    is_plain: bool,
    /// The outermost construct whose end a jump in it leads to. Numbers increase inwards.
    reach: usize,
    /// The remaining blocks in it. Empty if the construct stays anyway.
    blocks: Vec<Block>,
    /// The values defined in it that may be used outside. Empty if the construct stays anyway.
    escaping: Vec<Escaping>,
}

/// A value that may be used outside its construct.
struct Escaping {
    value: Inst,
    /// The first and the last place of its uses, once computed; an empty range if it is not used.
    used: Option<(usize, usize)>,
}

impl Escaping {
    /// Returns whether all uses are in a range of places.
    fn is_used_within(&mut self, module: &Module, places: &Places, range: &Range<usize>) -> bool {
        if !module.is_live(self.value) {
            return true;
        }
        let (first, last) = *self.used.get_or_insert_with(|| {
            let users = module.uses(self.value).map(|used| module.block_of(used.user));
            let place = |block: Option<Block>| block.and_then(|block| places.get(&block)).copied();
            // A use outside all lists counts as being after everything.
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
    /// Adds the facts about an inner construct. The shorter lists move.
    fn absorb(&mut self, mut inner: ListFacts) {
        self.is_plain &= inner.is_plain;
        self.reach = self.reach.min(inner.reach);
        if !self.is_plain {
            return;
        }
        move_shorter(&mut self.blocks, &mut inner.blocks);
        move_shorter(&mut self.escaping, &mut inner.escaping);
    }
}

/// Appends one list to the other; the shorter one moves.
fn move_shorter<T>(all: &mut Vec<T>, more: &mut Vec<T>) {
    if all.len() < more.len() {
        std::mem::swap(all, more);
    }
    all.append(more);
}

/// The facts about the lists of each construct, by number, without inner constructs.
fn gather_facts(module: &Module, tree: &ControlTree, numbers: &FxHashMap<Construct, usize>) -> Vec<ListFacts> {
    let mut all: Vec<ListFacts> = std::iter::repeat_with(ListFacts::default).take(numbers.len()).collect();
    for construct in tree.constructs() {
        // An edge may lead directly out of the construct that it enters.
        let ways = module.out_edges(construct.opener).filter_map(|edge| end_of(tree.jump(edge)?));
        all[numbers[&construct.name()]].reach = ways.map(|to| numbers[&to]).min().unwrap_or(usize::MAX);
    }
    // Computed once for all: a wide switch has long chains.
    let entered: FxHashSet<Block> = tree.blocks().iter().flat_map(|&block| module.successors(block)).collect();
    for &block in tree.blocks() {
        let Some(around) = tree.innermost(block) else { continue };
        let facts = &mut all[numbers[&around]];
        facts.blocks.push(block);
        let values = module.children(block).filter(|&inst| module.ty(inst).is_some());
        facts.escaping.extend(values.map(|value| Escaping { value, used: None }));
        if !entered.contains(&block) {
            // An unreachable merge block.
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

/// The construct whose named block is the target of a jump.
fn end_of(jump: Jump) -> Option<Construct> {
    match jump {
        Jump::Enter(_) | Jump::Next | Jump::FallThrough(_) | Jump::Join(_) => None,
        Jump::Merge(to) | Jump::Break(to) | Jump::Continue(to) | Jump::Back(to) => Some(to),
    }
}

/// A construct that can be removed.
struct Dead {
    opener: Block,
    merge: Block,
    inside: Vec<Block>,
    /// For each parameter of the merge block its one value; `None` for unused parameters.
    values: Vec<Option<Inst>>,
}

impl Dead {
    /// Analyzes a construct without effect. Values that are used only in it are not checked again for the enclosing constructs.
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
        forget_blocks(module, &self.inside, self.merge);
        self.inside.iter().for_each(|&block| module.edit().delete(block));
        parameters.iter().for_each(|&parameter| reconverge_rewrite::removal::remove(module, parameter));
    }
}
