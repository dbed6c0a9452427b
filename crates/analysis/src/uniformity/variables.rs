//! Memory of each lane, tracked variable by variable.
//!
//! If the address of a variable is used only in loads, stores and access chains, its contents are the same for all lanes at all times if
//! every store writes the same value for all lanes, at the same place in it, and is executed by all lanes together: if one lane stores, all
//! of them do, in the same order. So one level per variable suffices, whatever the order of the code.
//!
//! Variables of a function are tracked in it; those of each lane at module level only in the only function that uses them, if nothing calls
//! it, since then they are unused before.

use reconverge_ir::{Function, Inst, Module, Op, Slot, view};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::body::Body;
use super::level::Level;
use super::origin::Origin;
use crate::declarations::is_debug;

/// A tracked variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) inst: Inst,
    pub(super) level: Level,
    pub(super) origin: Origin,
    /// Numbers of the instructions that load from it and that store into it.
    pub(super) loads: Vec<u32>,
    pub(super) stores: Vec<u32>,
    /// True if parts of it are accessed, so that a stride would be wrong.
    pub(super) is_partial: bool,
}

/// The tracked variables of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    list: Vec<Variable>,
    numbers: FxHashMap<Inst, u32>,
    /// By number of a store, the variable that it stores into.
    stores: FxHashMap<u32, u32>,
}

impl Variables {
    /// Finds them. Linear in the uses of the function's variables and of `private`, those at module level that belong to it.
    pub(super) fn compute(module: &Module, body: &Body, private: &[Inst]) -> Variables {
        let mut variables = Variables::default();
        let is_own = |&inst: &Inst| module.is_variable_of(inst, StorageClass::Function);
        let entry = body.graph().entry().index() as u32;
        let own = body.range(entry).map(|number| body.inst(number)).filter(is_own);
        for inst in own.chain(private.iter().copied()) {
            if let Some(variable) = follow(module, body, inst) {
                let number = variables.list.len() as u32;
                variables.stores.extend(variable.stores.iter().map(|&store| (store, number)));
                variables.numbers.insert(inst, number);
                variables.list.push(variable);
            }
        }
        variables
    }

    pub(super) fn variable_of(&self, root: Inst) -> Option<u32> {
        self.numbers.get(&root).copied()
    }

    /// The variable that a store stores into.
    pub(super) fn stored(&self, store: u32) -> Option<u32> {
        self.stores.get(&store).copied()
    }

    pub(super) fn level(&self, variable: u32) -> Level {
        self.list[variable as usize].level
    }

    pub(super) fn variable(&self, variable: u32) -> &Variable {
        &self.list[variable as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Variable)> {
        (0..).zip(&self.list)
    }

    /// Records that contents of this level are stored as well. Returns whether this raises the level.
    pub(super) fn raise(&mut self, variable: u32, level: Level, origin: Origin) -> bool {
        let variable = &mut self.list[variable as usize];
        let level = if variable.is_partial && level.differs() { Level::Divergent } else { level };
        let joined = variable.level.join(level);
        if joined == variable.level {
            return false;
        }
        variable.level = joined;
        if level.differs() || variable.origin == Origin::Nothing {
            variable.origin = origin;
        }
        true
    }
}

/// The loads and stores of a variable, unless its address is used in another way or in another function.
fn follow(module: &Module, body: &Body, inst: Inst) -> Option<Variable> {
    let has_initializer = view::Variable::of(module, inst)?.initializer.is_some();
    let mut variable = Variable {
        inst,
        level: if has_initializer { Level::UNIFORM } else { Level::Unknown },
        origin: Origin::Nothing,
        loads: Vec::new(),
        stores: Vec::new(),
        is_partial: false,
    };
    let mut pointers = vec![inst];
    while let Some(pointer) = pointers.pop() {
        for used in module.uses(pointer) {
            let Slot::Operand(operand) = used.slot else { return None };
            let op = module.op(used.user);
            let number = body.find(used.user);
            match (op, operand) {
                (Op::EntryPoint | Op::Name | Op::LifetimeStart | Op::LifetimeStop, _) => {}
                (Op::AccessChain | Op::InBoundsAccessChain, 0) => {
                    variable.is_partial = true;
                    pointers.push(used.user);
                }
                // Debug information neither reads nor writes.
                (Op::ExtInst, _) if is_debug(module, used.user) => {}
                (Op::Load, 0) => variable.loads.extend(number),
                (Op::Store, 0) => variable.stores.extend(number),
                _ => return None,
            }
        }
    }
    Some(variable)
}

/// The variables at module level that each lane has for itself and that only one function uses, by that function.
pub(super) fn private_variables(module: &Module) -> FxHashMap<Function, Vec<Inst>> {
    let mut owned: FxHashMap<Function, Vec<Inst>> = FxHashMap::default();
    let own = [StorageClass::Private, StorageClass::Output];
    let variables = module.globals().filter(|&global| own.iter().any(|&class| module.is_variable_of(global, class)));
    for variable in variables {
        let mut owner = None;
        let mut is_shared = false;
        for used in module.uses(variable) {
            let function = module.function_of(used.user);
            is_shared |= function.is_some() && owner.is_some() && owner != function;
            owner = owner.or(function);
        }
        if let Some(function) = owner.filter(|_| !is_shared) {
            owned.entry(function).or_default().push(variable);
        }
    }
    owned
}
