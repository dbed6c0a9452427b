//! Uniqueness of hoistable instructions, and the cascade that maintains it.
//!
//! A hoistable instruction is in the widest scope in which its operands are defined, and there is one for each key (op, type, operands,
//! decorations without names). So identity is equality, above all for types. If a key changes, the instruction is removed from the table,
//! and a worklist reinserts it:
//!
//! ```text
//! %p = pointer int                      %p = pointer int
//! func { %x = …                         %4 = array %p        hoisted: its operand is global now
//!        %3 = pointer %x       ⇒        func { %x = …        %3 was merged into %p
//!        %4 = array %3                         %5 = variable %4 }
//!        %5 = variable %4 }
//! ```
//!
//! Each step merges an instruction into an equal one, or moves it outwards, or changes nothing; only a merge or a move adds its users to
//! the list. Linear in the changes. The idea is that of Slang's IR ("global and hoistable value deduplication").

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::{Class, Inst, Module, Op, Position, Slot, Use, undefs, view};

/// The key of a hoistable instruction.
pub(crate) struct Key<'a> {
    pub(crate) op: Op,
    pub(crate) ty: Option<Inst>,
    pub(crate) operands: &'a [Inst],
    pub(crate) decorations: &'a [Inst],
}

/// The literal with this payload, found or made.
pub(crate) fn literal(module: &mut Module, op: Op, words: &[u32]) -> Inst {
    let Module { storage, interned, .. } = module;
    let bucket = interned.entry(literal_hash(op, words)).or_default();
    let is_same = |other: &&Inst| storage.record(other.0).op == op && storage.literal_words(other.0) == words;
    if let Some(&literal) = bucket.iter().find(is_same) {
        return literal;
    }
    let literal = Inst(storage.create_literal(op, words));
    bucket.push(literal);
    literal
}

/// The decoration or position with these operands and without decorations of its own, found or made: what [`unique`] does, in less time.
pub(crate) fn note(module: &mut Module, op: Op, operands: &[Inst]) -> Inst {
    let hash = hash_of(op, None, operands.iter().copied(), std::iter::empty());
    let Module { storage, interned, decorations, .. } = module;
    let bucket = interned.entry(hash).or_default();
    let is_same = |other: &&Inst| {
        storage.record(other.0).op == op
            && storage.operands(other.0).iter().eq(operands.iter().map(|operand| &operand.0))
            && decorations.get(**other).is_none()
    };
    if let Some(&note) = bucket.iter().find(is_same) {
        return note;
    }
    let operands: SmallVec<[u32; 8]> = operands.iter().map(|operand| operand.0).collect();
    let note = Inst(storage.create(None, op, crate::storage::NONE, &operands));
    bucket.push(note);
    note
}

/// The literal with this payload, if there is one.
pub(crate) fn lookup_literal(module: &Module, op: Op, words: &[u32]) -> Option<Inst> {
    let bucket = module.interned.get(&literal_hash(op, words))?;
    bucket.iter().copied().find(|&other| module.op(other) == op && module.literal_words(other) == words)
}

fn literal_hash(op: Op, words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    (op, words).hash(&mut hasher);
    hasher.finish()
}

/// The hoistable instruction with this key, if there is one. The decorations are those without names.
pub(crate) fn lookup(module: &Module, key: &Key<'_>) -> Option<Inst> {
    find(module, hash(key), key)
}

/// The hoistable instruction with this key, found or made.
///
/// A new one gets all the decorations; an existing one gets the names among them if it has none yet.
pub(crate) fn unique(module: &mut Module, number: Option<u32>, key: Key<'_>) -> Inst {
    let all: SmallVec<[Inst; 2]> = key.decorations.into();
    let decorations = identity(module, key.decorations);
    let key = Key { decorations: &decorations, ..key };
    let hash = hash(&key);
    if let Some(inst) = find(module, hash, &key) {
        adopt_names(module, inst, &all);
        return inst;
    }
    let operands: SmallVec<[u32; 8]> = key.operands.iter().map(|operand| operand.0).collect();
    let inst = Inst(module.storage.create(number, key.op, key.ty.map_or(crate::storage::NONE, |ty| ty.0), &operands));
    if !all.is_empty() {
        module.decorations.insert(inst, all);
    }
    module.interned.entry(hash).or_default().push(inst);
    place(module, inst);
    inst
}

/// Adds a hoistable instruction to the table, which has its parts and its place already. False if there is an equal one.
pub(crate) fn enlist(module: &mut Module, inst: Inst) -> bool {
    let hash = own_hash(module, inst);
    let bucket = module.interned.get(&hash);
    if bucket.is_some_and(|bucket| bucket.iter().any(|&other| is_equal(module, other, inst))) {
        return false;
    }
    module.interned.entry(hash).or_default().push(inst);
    true
}

/// Returns whether two instructions have the same key.
fn is_equal(module: &Module, one: Inst, other: Inst) -> bool {
    module.op(one) == module.op(other)
        && module.ty(one) == module.ty(other)
        && module.operands(one).eq(module.operands(other))
        && identity(module, module.decorations(one)) == identity(module, module.decorations(other))
}

/// Writes `value` at every use and cascades.
pub(crate) fn replace(module: &mut Module, uses: &[Use], value: Inst) {
    let mut changed = Vec::new();
    write(module, uses, value, &mut changed);
    cascade(module, changed);
}

/// Changes a part of the key of `inst`, and cascades.
pub(crate) fn change(module: &mut Module, inst: Inst, edit: impl FnOnce(&mut Module)) {
    let listed = forget(module, inst);
    edit(module);
    if listed {
        cascade(module, vec![inst]);
    }
}

/// Removes an instruction from the table. True if it was there.
pub(crate) fn forget(module: &mut Module, inst: Inst) -> bool {
    if !module.op(inst).is_hoistable() || module.op(inst).is_literal() {
        return false;
    }
    let hash = own_hash(module, inst);
    let Some(bucket) = module.interned.get_mut(&hash) else { return false };
    let before = bucket.len();
    bucket.retain(|other| *other != inst);
    before != bucket.len()
}

fn write(module: &mut Module, uses: &[Use], value: Inst, changed: &mut Vec<Inst>) {
    for used in uses {
        if forget(module, used.user) {
            changed.push(used.user);
        }
        let slot = match used.slot {
            Slot::Type => module.storage.type_slot(used.user.0),
            Slot::Operand(index) => module.storage.operand_slots(used.user.0).start + index,
        };
        module.storage.set_slot(slot, value.0);
        if used.slot == Slot::Type {
            undefs::note(module, used.user);
        }
    }
}

fn cascade(module: &mut Module, mut worklist: Vec<Inst>) {
    while let Some(inst) = worklist.pop() {
        if !module.is_live(inst) {
            continue;
        }
        let operands: SmallVec<[Inst; 8]> = module.operands(inst).collect();
        let decorations = identity(module, module.decorations(inst));
        let key = Key { op: module.op(inst), ty: module.ty(inst), operands: &operands, decorations: &decorations };
        let hash = hash(&key);
        match find(module, hash, &key) {
            Some(other) if other != inst => merge(module, inst, other, &mut worklist),
            Some(_) => {}
            None => {
                module.interned.entry(hash).or_default().push(inst);
                let parent = module.parent(inst);
                place(module, inst);
                if module.parent(inst) != parent {
                    let users: Vec<Inst> = module.uses(inst).map(|used| used.user).collect();
                    worklist.extend(users.into_iter().filter(|&user| forget(module, user)));
                }
            }
        }
    }
}

fn merge(module: &mut Module, inst: Inst, survivor: Inst, worklist: &mut Vec<Inst>) {
    let uses: Vec<Use> = module.uses(inst).collect();
    write(module, &uses, survivor, worklist);
    let names = module.decorations.remove(inst).unwrap_or_default();
    adopt_names(module, survivor, &names);
    if module.op(inst).class() == Class::Decoration {
        rehang(module, inst, survivor, worklist);
    }
    module.locations.remove(inst);
    module.edit().detach(inst);
    module.records.rename(inst, Some(survivor));
    module.storage.bury(inst.0);
    module.storage.forward(inst.0, survivor.0);
}

/// Gives an instruction without a name the names in a list of decorations.
fn adopt_names(module: &mut Module, inst: Inst, decorations: &[Inst]) {
    let names = decorations.iter().copied().filter(|&decoration| is_name(module.op(decoration)));
    let names: SmallVec<[Inst; 2]> = names.collect();
    if !names.is_empty() && module.name(inst).is_none() {
        module.decorations.get_or_default(inst).extend(names);
    }
}

/// Replaces the decoration `old` by `new`. Linear in all decorations ever added: they are not operands, so there is no use list. Only
/// decorations that name an instruction can be merged.
fn rehang(module: &mut Module, old: Inst, new: Inst, worklist: &mut Vec<Inst>) {
    let mut owners: Vec<Inst> =
        module.decorations.iter().filter(|(_, list)| list.contains(&old)).map(|(owner, _)| owner).collect();
    owners.sort_unstable();
    for owner in owners {
        if forget(module, owner) {
            worklist.push(owner);
        }
        let list = module.decorations.get_mut(owner).expect("invariant: an owner has decorations");
        list.iter_mut().filter(|decoration| **decoration == old).for_each(|decoration| *decoration = new);
    }
}

/// Places an instruction according to its operands. Literals, decorations and positions are not placed: they print inside their users.
fn place(module: &mut Module, inst: Inst) {
    if matches!(module.op(inst).class(), Class::Literal | Class::Decoration | Class::Position) {
        return;
    }
    let root = module.root();
    let operands = module.ty(inst).into_iter().chain(scope_operands(module, inst));
    let local = operands.filter(|&operand| operand != inst && is_local(module, operand));
    let locals: SmallVec<[Inst; 4]> = local.collect();
    if locals.is_empty() {
        if module.parent(inst) != Some(root) {
            module.edit().place_global(inst);
        }
        return;
    }
    let last = last_defined(module, &locals);
    let position = match module.op(last) {
        Op::BlockParameter | Op::FunctionParameter => after_parameters(module, last),
        _ => Position::After(last),
    };
    module.edit().move_value(inst, position);
}

/// The operands that decide about the place. The requirement of a `lookup_witness` is a key and no value: it is in its interface, wherever the
/// request is.
fn scope_operands(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    let values = match module.op(inst) {
        Op::LookupWitness => view::LookupWitness::SLOT.requirement,
        _ => module.operand_count(inst),
    };
    module.operands(inst).take(values)
}

fn is_local(module: &Module, operand: Inst) -> bool {
    module.parent(operand).is_some_and(|parent| parent != module.root())
}

/// The value that is defined last in the order of blocks and instructions.
fn last_defined(module: &Module, values: &[Inst]) -> Inst {
    let (first, others) = values.split_first().expect("invariant: there is a local operand");
    others.iter().fold(*first, |last, &value| later(module, last, value))
}

/// The later of two instructions, where containers come before their contents.
///
/// Compares the ancestors that have a common parent. Linear in the depth and in the walk of [`is_before`].
fn later(module: &Module, left: Inst, right: Inst) -> Inst {
    let parent = |inst| module.parent(inst);
    let depth = |inst| std::iter::successors(Some(inst), |&inst| parent(inst)).count();
    let lifted = |inst, levels| (0..levels).fold(inst, |inst, _| parent(inst).unwrap_or(inst));
    let (left_depth, right_depth) = (depth(left), depth(right));
    let mut above_left = lifted(left, left_depth.saturating_sub(right_depth));
    let mut above_right = lifted(right, right_depth.saturating_sub(left_depth));
    if above_left == above_right {
        return if left_depth > right_depth { left } else { right };
    }
    while let (Some(one), Some(other)) = (parent(above_left), parent(above_right))
        && one != other
    {
        (above_left, above_right) = (one, other);
    }
    if is_before(module, above_left, above_right) { right } else { left }
}

/// Returns whether one child of a container comes before another.
///
/// Walks from both in both directions, one step at a time. So the cost is the distance between the two, or from one of them to an end of the
/// list, whichever is least: a parameter is near the start, and what was just created near the end.
fn is_before(module: &Module, left: Inst, right: Inst) -> bool {
    let mut ahead = [(left, right, true), (right, left, false)];
    let mut behind = [(left, right, false), (right, left, true)];
    loop {
        for (place, other, left_is_first) in &mut ahead {
            match module.next(*place) {
                Some(next) if next == *other => return *left_is_first,
                Some(next) => *place = next,
                None => return !*left_is_first,
            }
        }
        for (place, other, left_is_first) in &mut behind {
            match module.previous(*place) {
                Some(previous) if previous == *other => return *left_is_first,
                Some(previous) => *place = previous,
                None => return !*left_is_first,
            }
        }
    }
}

fn after_parameters(module: &Module, parameter: Inst) -> Position {
    let parent = module.parent(parameter).expect("invariant: a parameter is placed");
    let holder = match module.op(parent) {
        Op::Function => module.cast(parent).and_then(|function| module.entry(function)).map_or(parent, Inst::from),
        _ => parent,
    };
    let last = module.parameters(holder).last();
    last.map_or(Position::AtStart(holder), |last| Position::After(last.into()))
}

fn is_name(op: Op) -> bool {
    matches!(op, Op::Name | Op::MemberName)
}

/// The decorations that are part of an instruction's key: all but names.
fn identity(module: &Module, decorations: &[Inst]) -> SmallVec<[Inst; 2]> {
    decorations.iter().copied().filter(|&decoration| !is_name(module.op(decoration))).collect()
}

fn hash(key: &Key<'_>) -> u64 {
    hash_of(key.op, key.ty, key.operands.iter().copied(), key.decorations.iter().copied())
}

fn own_hash(module: &Module, inst: Inst) -> u64 {
    let decorations = module.decorations(inst).iter().copied();
    let identity = decorations.filter(|&decoration| !is_name(module.op(decoration)));
    hash_of(module.op(inst), module.ty(inst), module.operands(inst), identity)
}

fn hash_of(
    op: Op,
    ty: Option<Inst>,
    operands: impl ExactSizeIterator<Item = Inst>,
    decorations: impl Iterator<Item = Inst>,
) -> u64 {
    let mut hasher = FxHasher::default();
    (op, ty, operands.len()).hash(&mut hasher);
    operands.chain(decorations).for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

fn find(module: &Module, hash: u64, key: &Key<'_>) -> Option<Inst> {
    module.interned.get(&hash)?.iter().copied().find(|&other| {
        module.op(other) == key.op
            && module.ty(other) == key.ty
            && module.operands(other).eq(key.operands.iter().copied())
            && identity(module, module.decorations(other)).as_slice() == key.decorations
    })
}
