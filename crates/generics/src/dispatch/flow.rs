//! The witness tables that each value may carry: a data flow analysis over the whole program.
//!
//! Each value is a node with a set of tables. `make_existential` adds its table; what is computed, passed, returned, stored or loaded takes
//! the sets of what it comes from. A variable is one node with all its parts, and pointers share the sets of what they point to, so sets go
//! both ways along pointers. Calls of opened code go to the functions that the sets found so far allow. Inclusion constraints as in
//! Andersen, Program analysis and specialization for the C programming language, 1994, without heap objects, field-insensitive.
//!
//! ```text
//! %e = make_existential %c, %circle.Shape      %e ⊇ {%circle.Shape}
//! store %variable, %e                          %variable ⊇ %e
//! %f = load %variable                          %f ⊇ %variable
//! ```
//!
//! O(tables · constraints) in the worst case.

use reconverge_ir::{Class, Function, Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::{interface, interface_of_value};

/// The known meanings of dynamic code: the functions of calls, and the tables of `make_existential`.
pub(super) type Meanings = FxHashMap<Inst, Vec<Inst>>;

/// The sets of tables.
#[derive(Debug)]
pub(super) struct Flow {
    /// Every table that a value carries, in the order of the module.
    tables: Vec<Inst>,
    /// By index of the value: words of a set of indices of tables.
    sets: Vec<Vec<u64>>,
}

impl Flow {
    /// Runs the analysis on these functions.
    pub(super) fn of(module: &Module, functions: &[Function], meanings: &Meanings) -> Flow {
        let mut constraints = Constraints {
            module,
            meanings,
            flows: vec![Vec::new(); module.capacity()],
            made: Vec::new(),
            has_pointers: FxHashMap::default(),
        };
        for &function in functions {
            constraints.function(function);
        }
        constraints.solve()
    }

    /// The tables that a value of interface type may carry, in the order of the module.
    pub(super) fn tables_of(&self, module: &Module, value: Inst) -> Vec<Inst> {
        let wanted = interface_of_value(module, value);
        let set = self.sets.get(value.index()).map_or(&[][..], Vec::as_slice);
        let is_in = |index: usize| set.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1);
        let tables = self.tables.iter().enumerate().filter(|&(index, _)| is_in(index));
        tables.map(|(_, &table)| table).filter(|&table| interface(module, table) == wanted).collect()
    }

    /// The tables of an interface that any value carries.
    pub(super) fn tables_for(&self, module: &Module, wanted: Inst) -> Vec<Inst> {
        self.tables.iter().copied().filter(|&table| interface(module, table) == Some(wanted)).collect()
    }
}

struct Constraints<'a> {
    module: &'a Module,
    meanings: &'a Meanings,
    /// By index: the values that take the set of this one.
    flows: Vec<Vec<Inst>>,
    /// The values that are made, with their tables.
    made: Vec<(Inst, Inst)>,
    /// By type: whether it is a pointer or has one in it.
    has_pointers: FxHashMap<Inst, bool>,
}

impl Constraints<'_> {
    fn function(&mut self, function: Function) {
        for block in self.module.blocks(function) {
            for inst in self.module.children(block) {
                self.instruction(function, inst);
            }
        }
    }

    fn instruction(&mut self, function: Function, inst: Inst) {
        let module = self.module;
        match module.op(inst) {
            Op::MakeExistential => {
                if let Some(made) = view::MakeExistential::of(module, inst) {
                    self.flow(made.value, inst);
                    self.make(inst, made.witness);
                }
            }
            Op::Store => {
                if let Some(store) = view::Store::of(module, inst) {
                    self.flow(store.object, store.pointer);
                }
            }
            Op::CopyMemory => {
                if let Some(copy) = view::CopyMemory::of(module, inst) {
                    self.flow(copy.source, copy.target);
                }
            }
            Op::CopyMemorySized => {
                if let Some(copy) = view::CopyMemorySized::of(module, inst) {
                    self.flow(copy.source, copy.target);
                }
            }
            Op::FunctionCall => self.call(inst),
            Op::ReturnValue => {
                if let Some(returned) = view::ReturnValue::of(module, inst) {
                    self.flow(returned.value, function.into());
                }
            }
            Op::Branch | Op::Loop => self.jump(inst),
            op if op.has_type() && !matches!(op.class(), Class::Type | Class::Constant | Class::TypeLevel)
                || op == Op::ExtractValue =>
            {
                for operand in module.operands(inst).filter(|&operand| module.ty(operand).is_some()) {
                    self.flow(operand, inst);
                }
            }
            _ => {}
        }
    }

    fn make(&mut self, value: Inst, witness: Inst) {
        if self.module.op(witness) == Op::WitnessTable {
            self.made.push((value, witness));
        }
        let tables = self.meanings.get(&value).into_iter().flatten();
        self.made.extend(tables.map(|&table| (value, table)));
    }

    fn call(&mut self, call: Inst) {
        let module = self.module;
        let Some(called) = view::FunctionCall::of(module, call) else { return };
        let known = module.cast::<Function>(called.function).map(Inst::from);
        let callees = self.meanings.get(&call).into_iter().flatten().copied().chain(known);
        for callee in callees.collect::<Vec<_>>() {
            for (argument, parameter) in called.arguments.iter().zip(module.parameters(callee)) {
                self.flow(argument, parameter.into());
            }
            self.flow(callee, call);
        }
    }

    fn jump(&mut self, inst: Inst) {
        let module = self.module;
        let Some(jump) = module.cast(inst) else { return };
        let target = module.operand(inst, reconverge_ir::terminator::operand::TARGET);
        let arguments: Vec<Inst> = module.arguments(jump).collect();
        for (argument, parameter) in arguments.into_iter().zip(module.parameters(target)) {
            self.flow(argument, parameter.into());
        }
    }

    /// `to` takes the set of `from`; pointers, and composites with pointers, share theirs.
    fn flow(&mut self, from: Inst, to: Inst) {
        self.flows[from.index()].push(to);
        if self.has_pointers(from) && self.has_pointers(to) {
            self.flows[to.index()].push(from);
        }
    }

    /// Returns whether the type of a value is a pointer or has one in it. A type can be in itself only through a pointer, where the walk
    /// ends.
    fn has_pointers(&mut self, value: Inst) -> bool {
        let module = self.module;
        let Some(ty) = module.ty(value) else { return false };
        if let Some(&known) = self.has_pointers.get(&ty) {
            return known;
        }
        let mut open = vec![ty];
        let mut seen = FxHashSet::default();
        let mut found = false;
        while let Some(part) = open.pop() {
            found |= module.op(part) == Op::TypePointer;
            if !found && module.op(part).is_type() && seen.insert(part) {
                open.extend(module.operands(part));
            }
        }
        self.has_pointers.insert(ty, found);
        found
    }

    fn solve(self) -> Flow {
        let mut is_made = vec![false; self.module.capacity()];
        self.made.iter().for_each(|&(_, table)| is_made[table.index()] = true);
        let tables: Vec<Inst> = self.module.globals().filter(|table| is_made[table.index()]).collect();
        let numbers: FxHashMap<Inst, usize> = tables.iter().copied().zip(0..).collect();
        let mut sets: Vec<Vec<u64>> = vec![Vec::new(); self.module.capacity()];
        let mut changed = Vec::new();
        for &(value, table) in &self.made {
            let Some(&number) = numbers.get(&table) else { continue };
            let set = &mut sets[value.index()];
            set.resize(tables.len().div_ceil(64), 0);
            set[number / 64] |= 1 << (number % 64);
            changed.push(value);
        }
        while let Some(value) = changed.pop() {
            let set = sets[value.index()].clone();
            for &to in &self.flows[value.index()] {
                if join(&mut sets[to.index()], &set) {
                    changed.push(to);
                }
            }
        }
        Flow { tables, sets }
    }
}

/// Adds a set to another; whether that changed it.
fn join(into: &mut Vec<u64>, from: &[u64]) -> bool {
    into.resize(from.len().max(into.len()), 0);
    let mut is_changed = false;
    for (into, &from) in into.iter_mut().zip(from) {
        is_changed |= *into | from != *into;
        *into |= from;
    }
    is_changed
}
