//! Decides which values share a variable: a block parameter and its arguments, and the values of one variable of the source, if no two of them
//! are live at once.
//!
//! ```text
//! ^header(%i):    …                         n = …;                       n = …;
//!   branch ^body(%i)                        loop { i = n; …              loop { …
//! ^body(%j): …                        ⇒         j = i; …         not         … n …
//!   branch ^header(%j.next)                     i = j_next; }                n = n + 1; }
//! ```
//!
//! The classes are those of the translation out of SSA form (Sreedhar, Ju, Gillies and Santhanam 1999; Boissinot and others 2009): each
//! value begins in a class of its own, and the classes of a parameter and of an argument are merged if no value of one is live where one of
//! the other is defined. Parameters of one block are defined at once, so they never share.
//!
//! Values with one name are those of one variable of the source, before `mem2reg`. They share a variable again, so that the text assigns it as the
//! source does, and needs no second name:
//!
//! ```text
//! %p = …                                      p = …;
//! ^header(%p.2):                      ⇒       loop { …
//!   %p.3 = fadd %p.2, %step                       p += step; }
//! ```
//!
//! A value of the next iteration that is computed from that of this one, and used besides, is one, too: `sum += x` for `next = sum + x; … sum = next`. With
//! one use it is the last assignment of the iteration anyway, where it can be the step of a `for`.
//!
//! Values in lists side by side, such as the arms of a selection, stay apart, and both have the name.
//!
//! A value that is recomputed at each use (a pointer) makes its operands live up to there, so live ranges here are longer than those of SSA
//! form in `reconverge_analysis::Liveness`. Parameters that are assigned before their jump, because a case of a switch falls through to it,
//! share no variable.
//!
//! Time: the sizes of the live ranges together, at most [`EFFORT`] blocks for each instruction, beyond which nothing is merged; and for each
//! argument, and each value with the name of [`NEAREST`] others, the sizes of two classes, which have at most [`MOST_MEMBERS`] values.

use reconverge_control_tree::{ControlTree, Jump};
use reconverge_ir::{Block, Edge, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::scoping::{is_inside, is_recomputed};

/// The maximum number of blocks in live ranges, for each instruction.
const EFFORT: usize = 64;

/// The maximum number of values that share a variable.
const MOST_MEMBERS: usize = 32;

/// The number of values of one name before a value that it is compared with.
const NEAREST: usize = 4;

/// Values by the variable that they share.
#[derive(Default)]
pub(crate) struct Classes {
    /// The first member of the class of each value; no entry for a value that is alone.
    first: FxHashMap<Inst, Inst>,
    /// The members of each class, by its first one.
    members: FxHashMap<Inst, Vec<Inst>>,
}

impl Classes {
    /// The value that represents all that share its variable.
    pub(crate) fn representative(&self, value: Inst) -> Inst {
        self.first.get(&value).copied().unwrap_or(value)
    }

    /// The values that share a variable with this one, itself among them, in the order of the function.
    pub(crate) fn members(&self, value: Inst) -> Vec<Inst> {
        self.members.get(&self.representative(value)).cloned().unwrap_or_else(|| vec![value])
    }

    /// Returns whether two values share a variable.
    pub(crate) fn share(&self, one: Inst, other: Inst) -> bool {
        self.representative(one) == self.representative(other)
    }

    fn merge(&mut self, one: Inst, other: Inst) {
        let (one, other) = (self.representative(one), self.representative(other));
        let mut moved = self.members.remove(&other).unwrap_or_else(|| vec![other]);
        for &member in &moved {
            self.first.insert(member, one);
        }
        self.members.entry(one).or_insert_with(|| vec![one]).append(&mut moved);
    }
}

/// Computes the classes of the values that have a variable: used parameters of blocks, and values that are used where they cannot be named. Values
/// that share the variable of their name are added to these.
pub(crate) fn compute(source: &Module, tree: &ControlTree, spilled: &mut FxHashSet<Inst>) -> Classes {
    let named = Named::of(source, tree);
    let mut candidates = spilled.clone();
    candidates.extend(named.names.keys().copied().filter(|&value| source.op(value) != Op::BlockParameter));
    let updates = updates(source, tree);
    candidates.extend(&updates);
    let mut classes = Classes::default();
    // The ranges of the candidates are not needed where they are too large.
    let ranges = Ranges::compute(source, tree, &candidates).or_else(|| Ranges::compute(source, tree, spilled));
    let Some(ranges) = ranges else { return classes };
    for &block in tree.blocks() {
        let parameters: Vec<Inst> = source.parameters(block).map(|parameter| parameter.inst()).collect();
        let mut edges: Vec<Edge> = source.in_edges(block).collect();
        // The back edges of a loop come first.
        edges.sort_by_key(|&edge| !matches!(tree.jump(edge), Some(Jump::Back(_))));
        for edge in edges {
            for (&parameter, argument) in parameters.iter().zip(source.arguments(edge.terminator)) {
                let has_variable = source.op(argument) == Op::BlockParameter || spilled.contains(&argument);
                let gives_name = || {
                    let members = classes.members(parameter);
                    named.names.contains_key(&argument) && members.iter().all(|&member| source.name(member).is_none())
                };
                if source.ty(parameter) == source.ty(argument)
                    && !classes.share(parameter, argument)
                    && (has_variable
                        || updates.contains(&argument)
                        || named.are_of_one(parameter, argument)
                        || gives_name())
                    && ranges.can_share(&classes, parameter, argument)
                {
                    classes.merge(parameter, argument);
                }
            }
        }
    }
    named.merge(source, tree, &ranges, &mut classes);
    classes.members.values_mut().for_each(|members| members.sort_by_key(|member| ranges.order[member]));
    let shared = classes.members.values().flatten().copied();
    spilled.extend(shared.filter(|&value| source.op(value) != Op::BlockParameter));
    classes
}

/// The numbers that a loop computes from one of its parameters, passes to it for the next iteration, and uses besides.
fn updates(source: &Module, tree: &ControlTree) -> FxHashSet<Inst> {
    let mut updates = FxHashSet::default();
    for &block in tree.blocks() {
        for edge in source.in_edges(block).filter(|&edge| matches!(tree.jump(edge), Some(Jump::Back(_)))) {
            for (parameter, argument) in source.parameters(block).zip(source.arguments(edge.terminator)) {
                let is_computed = source.op(argument) != Op::BlockParameter
                    && source.block_of(argument).is_some()
                    && source.ty(argument).is_some_and(|ty| is_number(source, ty));
                if is_computed
                    && source.operands(argument).any(|operand| operand == parameter.inst())
                    && source.uses(argument).nth(1).is_some()
                {
                    updates.insert(argument);
                }
            }
        }
    }
    updates
}

/// The names of numbers, vectors and conditions that have that of another value of their type, or are passed to a parameter, which may have
/// none itself.
struct Named {
    names: FxHashMap<Inst, usize>,
    /// The values of each name, in the order of the function.
    values: Vec<Vec<Inst>>,
}

impl Named {
    fn of(source: &Module, tree: &ControlTree) -> Named {
        let mut numbers: FxHashMap<(Inst, String), usize> = FxHashMap::default();
        let ends = tree.blocks().iter().filter_map(|&block| source.terminator(block));
        let passed: FxHashSet<Inst> = ends.flat_map(|end| source.arguments(end)).collect();
        let mut named = Named { names: FxHashMap::default(), values: Vec::new() };
        for inst in tree.blocks().iter().flat_map(|&block| source.children(block)) {
            let Some(ty) = source.ty(inst).filter(|&ty| is_number(source, ty)) else { continue };
            let Some(name) = source.name(inst) else { continue };
            let number = *numbers.entry((ty, name)).or_insert_with(|| {
                named.values.push(Vec::new());
                named.values.len() - 1
            });
            named.values[number].push(inst);
        }
        named.values.retain(|values| values.len() > 1 || passed.contains(&values[0]));
        for (number, values) in named.values.iter().enumerate() {
            named.names.extend(values.iter().map(|&value| (value, number)));
        }
        named
    }

    fn are_of_one(&self, one: Inst, other: Inst) -> bool {
        self.names.get(&one).is_some_and(|name| self.names.get(&other) == Some(name))
    }

    /// Merges the class of each value with that of a value of the same name whose list is around it.
    fn merge(&self, source: &Module, tree: &ControlTree, ranges: &Ranges, classes: &mut Classes) {
        let list = |value: Inst| source.block_of(value).and_then(|block| tree.list_of(block));
        for values in &self.values {
            for (at, &value) in values.iter().enumerate() {
                for &before in values[..at].iter().rev().take(NEAREST) {
                    let (Some(inner), Some(outer)) = (list(value), list(before)) else { continue };
                    if !classes.share(before, value)
                        && is_inside(source, tree, inner, outer)
                        && ranges.can_share(classes, before, value)
                    {
                        classes.merge(before, value);
                        break;
                    }
                }
            }
        }
    }
}

fn is_number(source: &Module, ty: Inst) -> bool {
    matches!(source.op(ty), Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeVector)
}

/// Returns whether an edge to the block is taken by falling through from a case of a switch to another.
fn is_assigned_early(source: &Module, tree: &ControlTree, block: Block) -> bool {
    source.in_edges(block).any(|edge| matches!(tree.jump(edge), Some(Jump::FallThrough(_))))
}

/// A position in a block: 0 for its parameters, then each instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    block: Block,
    at: u32,
}

/// The live range of a value.
struct Range {
    defined: Place,
    live_in: FxHashSet<Block>,
    live_out: FxHashSet<Block>,
    /// The last use in each block that has one.
    last_use: FxHashMap<Block, u32>,
}

impl Range {
    /// Returns whether the value is defined at a position or before, and live after it.
    fn is_live_behind(&self, place: Place) -> bool {
        let is_there = match self.defined.block == place.block {
            true => self.defined.at <= place.at,
            false => self.live_in.contains(&place.block),
        };
        let is_needed = self.live_out.contains(&place.block)
            || self.last_use.get(&place.block).is_some_and(|&last| last > place.at);
        is_there && is_needed
    }
}

/// The live ranges of the values that have a variable.
struct Ranges {
    ranges: FxHashMap<Inst, Range>,
    /// The numbers of the values in the order of the function.
    order: FxHashMap<Inst, usize>,
}

impl Ranges {
    /// Computes the live ranges. `None` if they are too large.
    fn compute(source: &Module, tree: &ControlTree, spilled: &FxHashSet<Inst>) -> Option<Ranges> {
        let mut ranges: FxHashMap<Inst, Range> = FxHashMap::default();
        let mut places: FxHashMap<Inst, Place> = FxHashMap::default();
        let mut order = FxHashMap::default();
        let mut count = 0;
        for &block in tree.blocks() {
            let is_early = is_assigned_early(source, tree, block);
            for (at, inst) in (1_u32..).zip(source.children(block)) {
                let is_parameter = source.op(inst) == Op::BlockParameter;
                let place = Place { block, at: if is_parameter { 0 } else { at } };
                places.insert(inst, place);
                count += 1;
                let has_variable = is_parameter && source.is_used(inst) || spilled.contains(&inst);
                if has_variable && !(is_parameter && is_early) {
                    let range = Range {
                        defined: place,
                        live_in: FxHashSet::default(),
                        live_out: FxHashSet::default(),
                        last_use: FxHashMap::default(),
                    };
                    ranges.insert(inst, range);
                    order.insert(inst, count);
                }
            }
        }
        let mut effort = EFFORT * count;
        add_uses(source, tree, &places, &mut ranges, &mut effort)?;
        for range in ranges.values_mut() {
            range.extend(source, &mut effort)?;
        }
        Some(Ranges { ranges, order })
    }

    /// Returns whether no value of one class is live where one of the other is defined.
    fn can_share(&self, classes: &Classes, one: Inst, other: Inst) -> bool {
        if !self.ranges.contains_key(&one) || !self.ranges.contains_key(&other) {
            return false;
        }
        let (left, right) = (classes.members(one), classes.members(other));
        let is_small = left.len() + right.len() <= MOST_MEMBERS;
        is_small && left.iter().all(|&one| right.iter().all(|&other| self.are_apart(one, other)))
    }

    fn are_apart(&self, one: Inst, other: Inst) -> bool {
        let (one, other) = (&self.ranges[&one], &self.ranges[&other]);
        one.defined != other.defined && !one.is_live_behind(other.defined) && !other.is_live_behind(one.defined)
    }
}

/// Records the last use in each block, including uses of recomputed values.
fn add_uses(
    source: &Module,
    tree: &ControlTree,
    places: &FxHashMap<Inst, Place>,
    ranges: &mut FxHashMap<Inst, Range>,
    effort: &mut usize,
) -> Option<()> {
    let mut again: FxHashMap<Inst, FxHashMap<Block, u32>> = FxHashMap::default();
    let insts: Vec<Inst> = tree.blocks().iter().flat_map(|&block| source.children(block)).collect();
    // In this order users come before their operands, except parameters, which are not recomputed.
    for &inst in insts.iter().rev() {
        let Some(&place) = places.get(&inst) else { continue };
        let mut uses = again.remove(&inst).unwrap_or_default();
        note(&mut uses, place.block, place.at);
        for operand in source.operands(inst) {
            let last_use = match ranges.get_mut(&operand) {
                Some(range) => &mut range.last_use,
                None if is_recomputed(source, operand) => again.entry(operand).or_default(),
                None => continue,
            };
            *effort = effort.checked_sub(uses.len())?;
            uses.iter().for_each(|(&block, &at)| note(last_use, block, at));
        }
    }
    Some(())
}

fn note(uses: &mut FxHashMap<Block, u32>, block: Block, at: u32) {
    let last = uses.entry(block).or_default();
    *last = at.max(*last);
}

impl Range {
    /// Extends the range from each use back to the definition. `None` if the effort is exceeded.
    fn extend(&mut self, source: &Module, effort: &mut usize) -> Option<()> {
        let mut work: Vec<Block> = self.last_use.keys().copied().filter(|&block| block != self.defined.block).collect();
        while let Some(block) = work.pop() {
            if !self.live_in.insert(block) {
                continue;
            }
            for edge in source.in_edges(block) {
                *effort = effort.checked_sub(1)?;
                let Some(before) = source.block_of(edge.terminator) else { continue };
                self.live_out.insert(before);
                if before != self.defined.block {
                    work.push(before);
                }
            }
        }
        Some(())
    }
}
