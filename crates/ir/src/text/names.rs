//! Names of instructions in the printed text.
//!
//! An instruction prints as `%name` if its source name can be written so and is unique in its scope, else as `%number`. The scope is the
//! module level, and for instructions of a function also the rest of that function. A use from another function, which no valid program
//! has, prints as a number, since names of a function are known only there. Instructions with a given number keep it
//! ([`Module::with_numbers`](crate::Module::with_numbers)); the others get the next free ones in the order of printing. Linear.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexer::is_printable_name;
use crate::literal::text_words;
use crate::{Inst, Module, view};

/// The names and numbers of a module's instructions.
#[derive(Debug)]
pub(super) struct Names {
    /// By index of the instruction; `u32::MAX` if it has no number.
    numbers: Vec<u32>,
    names: FxHashMap<Inst, String>,
}

type Count = FxHashMap<(bool, String), usize>;

impl Names {
    pub(super) fn new(module: &Module, globals: &[Inst]) -> Names {
        let mut names = Names { numbers: vec![u32::MAX; module.capacity()], names: FxHashMap::default() };
        let level: Vec<Inst> =
            globals.iter().copied().chain(module.functions().map(Inst::from)).chain(module.trailing()).collect();
        let foreign = used_from_elsewhere(module);
        let known = count_names(module, &level);
        level
            .iter()
            .filter(|&&inst| has_name_alone(module, inst, &[&known]))
            .for_each(|&inst| names.name(module, inst));
        for function in module.functions() {
            let inside: Vec<Inst> = module.descendants(function).skip(1).collect();
            let local = count_names(module, &inside);
            for &inst in inside.iter().filter(|&inst| !foreign.contains(inst)) {
                let unknown = source_name(module, inst).is_some_and(|name| !known.contains_key(&name));
                if unknown && has_name_alone(module, inst, &[&local]) {
                    names.name(module, inst);
                }
            }
        }
        names.number(module, &level);
        names
    }

    /// The name of an instruction, without its sigil; `None` if it has a number instead.
    pub(super) fn given(&self, inst: Inst) -> Option<&str> {
        self.names.get(&inst).map(String::as_str)
    }

    /// The number of an instruction without a name.
    pub(super) fn number_of(&self, inst: Inst) -> Option<u32> {
        self.numbers.get(inst.index()).copied().filter(|&number| number != u32::MAX)
    }

    fn name(&mut self, module: &Module, inst: Inst) {
        let (_, name) = source_name(module, inst).expect("invariant: only what has a name is named");
        self.names.insert(inst, name);
    }

    fn number(&mut self, module: &Module, level: &[Inst]) {
        let mut fresh = module.number_bound();
        let inside = level.iter().flat_map(|&inst| module.descendants(inst));
        for inst in inside.filter(|&inst| module.op(inst).has_result()) {
            if self.names.contains_key(&inst) {
                continue;
            }
            let kept = inst.index() < module.number_bound() as usize;
            self.numbers[inst.index()] = if kept { inst.index() as u32 } else { fresh };
            fresh += u32::from(!kept);
        }
    }
}

/// The source name of an instruction and whether it is a block's, if it can be written as a name.
fn source_name(module: &Module, inst: Inst) -> Option<(bool, String)> {
    if !module.op(inst).has_result() {
        return None;
    }
    let text = module.decorations(inst).iter().find_map(|&note| view::Name::of(module, note))?.name;
    let name = text.to_string();
    let exact = is_printable_name(&name) && text.words() == text_words(name.as_bytes());
    exact.then(|| (module.op(inst).is_block(), name))
}

fn count_names(module: &Module, insts: &[Inst]) -> Count {
    let mut count = Count::default();
    for name in insts.iter().filter_map(|&inst| source_name(module, inst)) {
        *count.entry(name).or_insert(0) += 1;
    }
    count
}

fn has_name_alone(module: &Module, inst: Inst, scopes: &[&Count]) -> bool {
    source_name(module, inst).is_some_and(|name| scopes.iter().all(|count| count.get(&name) == Some(&1)))
}

/// Instructions of a function that are used outside it.
fn used_from_elsewhere(module: &Module) -> FxHashSet<Inst> {
    let mut home: Vec<Option<Inst>> = vec![None; module.capacity()];
    for function in module.functions() {
        module.descendants(function).skip(1).for_each(|inst| home[inst.index()] = Some(function.into()));
    }
    let mut foreign = FxHashSet::default();
    for user in module.descendants(module.root()) {
        let place = home[user.index()];
        let notes = module.decorations(user).iter().flat_map(|&note| module.operands(note));
        let used = module.operands(user).chain(module.ty(user)).chain(notes);
        foreign.extend(used.filter(|used| home[used.index()].is_some_and(|owner| Some(owner) != place)));
    }
    foreign
}
