//! Names of instructions in the printed text.
//!
//! An instruction prints as `%name` if its source name can be written so and is unique in its scope and unknown in the scopes around it,
//! else as `%number`. A scope is the module level, a function or a generic, each without the scopes in it. A use from elsewhere, which no
//! valid program has, prints as a number, since the names of a scope are known only there. Instructions with a given number keep it
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
        let scopes = Scopes::of(module);
        let foreign = scopes.used_from_elsewhere(module);
        let mut around = Around::default();
        for (number, scope) in scopes.all.iter().enumerate() {
            around.leave_to(scope.parent);
            let counts = count_names(module, &scope.insts);
            for &inst in scope.insts.iter().filter(|&inst| !foreign.contains(inst)) {
                let alone = source_name(module, inst)
                    .is_some_and(|name| counts.get(&name) == Some(&1) && !around.known.contains_key(&name));
                if alone {
                    names.name(module, inst);
                }
            }
            around.enter(number, counts);
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

    /// Gives each instruction that has a number the index of its handle instead: numbers that the input gave are the same anyway.
    pub(super) fn number_by_handle(&mut self) {
        for (index, number) in self.numbers.iter_mut().enumerate().filter(|(_, number)| **number != u32::MAX) {
            *number = index as u32;
        }
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

/// A scope: what is placed in it, without the contents of the scopes in it.
#[derive(Debug)]
struct Scope {
    parent: Option<usize>,
    /// One more than the number of the last scope in it.
    end: usize,
    insts: Vec<Inst>,
}

/// The scopes of a module, each after the one around it.
struct Scopes {
    all: Vec<Scope>,
    /// By index of the instruction; `usize::MAX` if it is not placed.
    home: Vec<usize>,
}

impl Scopes {
    fn of(module: &Module) -> Scopes {
        let mut scopes = Scopes { all: Vec::new(), home: vec![usize::MAX; module.capacity()] };
        let mut inner: FxHashMap<Inst, usize> = FxHashMap::default();
        inner.insert(module.root(), scopes.open(None));
        for inst in module.descendants(module.root()).skip(1) {
            let parent = module.parent(inst).expect("invariant: what is in a module has a parent");
            let home = inner.get(&parent).copied().unwrap_or(scopes.home[parent.index()]);
            scopes.home[inst.index()] = home;
            scopes.all[home].insts.push(inst);
            if module.op(inst).opens_scope() {
                inner.insert(inst, scopes.open(Some(home)));
            }
        }
        for number in (1..scopes.all.len()).rev() {
            let end = scopes.all[number].end;
            let parent = scopes.all[number].parent.expect("invariant: only the module has no scope around it");
            scopes.all[parent].end = scopes.all[parent].end.max(end);
        }
        scopes
    }

    fn open(&mut self, parent: Option<usize>) -> usize {
        let number = self.all.len();
        self.all.push(Scope { parent, end: number + 1, insts: Vec::new() });
        number
    }

    /// Instructions that are used outside their scope.
    fn used_from_elsewhere(&self, module: &Module) -> FxHashSet<Inst> {
        let mut foreign = FxHashSet::default();
        let users = module.descendants(module.root()).skip(1);
        for (user, place) in users.map(|user| (user, self.home[user.index()])).chain([(module.root(), 0)]) {
            let notes = module.decorations(user).iter().flat_map(|&note| module.operands(note));
            let used = module.operands(user).chain(module.ty(user)).chain(notes);
            foreign.extend(used.filter(|used| !self.is_visible(self.home[used.index()], place)));
        }
        foreign
    }

    /// Returns whether the names of a scope are known at a place in another; unplaced instructions have no scope.
    fn is_visible(&self, scope: usize, place: usize) -> bool {
        self.all.get(scope).is_none_or(|found| (scope..found.end).contains(&place))
    }
}

/// The scopes around the current one, with how often each name is in them.
#[derive(Default)]
struct Around {
    open: Vec<(usize, Count)>,
    known: Count,
}

impl Around {
    fn enter(&mut self, number: usize, counts: Count) {
        for (name, count) in &counts {
            *self.known.entry(name.clone()).or_default() += count;
        }
        self.open.push((number, counts));
    }

    /// Leaves the scopes that are in `scope`.
    fn leave_to(&mut self, scope: Option<usize>) {
        while let Some((_, counts)) = self.open.pop_if(|(number, _)| Some(*number) != scope) {
            for (name, count) in counts {
                let left = self.known.get_mut(&name).expect("invariant: a name of an open scope is counted");
                *left -= count;
                if *left == 0 {
                    self.known.remove(&name);
                }
            }
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
