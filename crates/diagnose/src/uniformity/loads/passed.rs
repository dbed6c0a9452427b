//! Variables whose address is passed to functions, and variables of each lane at module level.
//!
//! A variable, the parameters that its address is passed for, the parameters these are passed for, and the other variables passed for any
//! of them are one memory: what is stored anywhere in it may be loaded anywhere from it. The contents of such a memory are uniform if every
//! store writes the same value to the same place, and is executed by all lanes together.
//!
//! ```text
//! func %set(%p)      store %p, %uniform           %x, %y and %p: one memory,
//! …                  call %set(%x)                with one store
//! …                  call %set(%y); load %y
//! ```
//!
//! WGSL distinguishes the calls (its rules for calls have a tag for the contents of each pointer parameter); here one differing store
//! affects the variables of all calls. Not followed: pointers that are selected or stored, parameters of functions that may be called from
//! outside the module or that are part of a recursion.

use reconverge_analysis::is_exported;
use reconverge_analysis::uniformity::{Fact, ModuleUniformity};
use reconverge_ir::{Function, Inst, Module, Op, Slot, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use crate::program::Program;

/// A memory.
pub(super) struct Shared {
    /// The loads from it, at constant places.
    pub(super) loads: Vec<Inst>,
    /// The loads at other places.
    pub(super) elsewhere: Vec<Inst>,
    stores: Vec<Inst>,
    /// True if several calls pass addresses for one parameter, so that what one of them stores seems to be loaded after another.
    pub(super) is_mixed: bool,
}

/// A claim about a function.
pub(in crate::uniformity) type Claim = (Function, Fact);

impl Shared {
    /// Returns whether all stored values are uniform.
    pub(super) fn holds(&self, program: &Program<'_>, uniformity: &ModuleUniformity) -> bool {
        self.stores.iter().all(|&store| matches!(difference_after(program, uniformity, store), Some(None)))
    }

    /// The reason why a stored value differs, if one does.
    pub(super) fn difference(&self, program: &Program<'_>, uniformity: &ModuleUniformity) -> Option<Claim> {
        self.stores.iter().find_map(|&store| difference_after(program, uniformity, store)?)
    }
}

/// The reason why lanes differ after a store, if they do; `None` for a store about which nothing is known.
fn difference_after(program: &Program<'_>, uniformity: &ModuleUniformity, store: Inst) -> Option<Option<Claim>> {
    let module = program.module;
    let (function, block) = (module.function_of(store)?, module.block_of(store)?);
    let facts = uniformity.function(function)?;
    let mut operands = [view::Store::SLOT.pointer, view::Store::SLOT.object].into_iter();
    let differing = operands.find(|&operand| !facts.of_use(store, operand).is_uniform());
    let fact = match differing {
        Some(operand) => Some(Fact::Use { user: store, operand }),
        None if !facts.is_complete(block) => Some(Fact::Block(block)),
        None if !facts.is_entered_converged() => Some(Fact::Function(function)),
        None => None,
    };
    Some(fact.map(|fact| (function, fact)))
}

/// The uses of the address of a variable or a parameter, if all of them are known.
#[derive(Default)]
struct Address {
    loads: Vec<Inst>,
    elsewhere: Vec<Inst>,
    stores: Vec<Inst>,
}

/// The memories of a module, in order of their first variable or parameter, without those that are followed otherwise. Near-linear.
pub(super) fn find(program: &Program<'_>, followed: &FxHashSet<Inst>) -> Vec<Shared> {
    let module = program.module;
    let functions = program.flows.iter().map(|flow| flow.function);
    let own = functions.flat_map(|function| roots(module, function)).filter(|root| !followed.contains(root));
    let private = private_variables(module).filter(|root| !followed.contains(root));
    let roots: Vec<Inst> = own.chain(private).collect();
    let is_local = |root: Inst| module.op(root) == Op::Variable && module.function_of(root).is_some();
    if roots.iter().all(|&root| is_local(root)) {
        return Vec::new();
    }
    let numbers: FxHashMap<Inst, usize> = roots.iter().enumerate().map(|(number, &root)| (root, number)).collect();
    let mut memories = Memories { leaders: (0..roots.len()).collect(), addresses: Vec::new() };
    for &root in &roots {
        let is_followed =
            is_known(program, root) && passed_for(program, root).all(|passed| numbers.contains_key(&passed));
        memories.addresses.push(if is_followed { follow(program, root) } else { None });
    }
    let mut is_mixed = vec![false; roots.len()];
    for (number, &root) in roots.iter().enumerate() {
        let passed = passed_for(program, root).filter_map(|passed| numbers.get(&passed));
        is_mixed[number] = passed.map(|&other| memories.unite(number, other)).count() > 1;
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); roots.len()];
    (0..roots.len()).for_each(|number| members[memories.leader(number)].push(number));
    // The analysis handles a memory of one variable of a function by itself.
    let others = members.into_iter().filter(|members| match members[..] {
        [] => false,
        [only] => !is_local(roots[only]),
        _ => true,
    });
    let shared = others.filter_map(|members| {
        let is_mixed = members.iter().any(|&member| is_mixed[member]);
        memories.join(&members).map(|shared| Shared { is_mixed, ..shared })
    });
    shared.collect()
}

/// The variables and parameters whose address, or a part of it, is passed for a parameter, by call.
fn passed_for<'a>(program: &'a Program<'_>, root: Inst) -> impl Iterator<Item = Inst> + 'a {
    let module = program.module;
    let place = (module.op(root) == Op::FunctionParameter).then(|| module.function_of(root)).flatten();
    let callee = place.and_then(|function| {
        let index = module.parameters(function).position(|parameter| parameter.inst() == root)?;
        Some((program.number(function)?, view::FunctionCall::SLOT.arguments + index))
    });
    callee.into_iter().flat_map(move |(number, operand)| {
        let passed = program.callers[number].iter().filter_map(move |caller| module.operands(caller.call).nth(operand));
        passed.map(|pointer| base(module, pointer))
    })
}

/// The object that a pointer points into.
fn base(module: &Module, mut pointer: Inst) -> Inst {
    while let Op::AccessChain | Op::InBoundsAccessChain = module.op(pointer)
        && let Some(view::DerivedPointer { base }) = view::DerivedPointer::of(module, pointer)
    {
        pointer = base;
    }
    pointer
}

/// The variables of each lane at module level.
fn private_variables(module: &Module) -> impl Iterator<Item = Inst> + '_ {
    module.globals().filter(|&global| module.is_variable_of(global, StorageClass::Private))
}

/// The variables of a function, and its parameters that point to such.
fn roots(module: &Module, function: Function) -> impl Iterator<Item = Inst> + '_ {
    let own = [StorageClass::Function, StorageClass::Private];
    let is_own = move |&inst: &Inst| module.storage_class(inst).is_some_and(|class| own.contains(&class));
    let variables = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
    let variables = variables.filter(|&inst| module.op(inst) == Op::Variable);
    module.parameters(function).map(Inst::from).chain(variables).filter(is_own)
}

/// Returns whether all calls that create the root are known.
pub(super) fn is_known(program: &Program<'_>, root: Inst) -> bool {
    let module = program.module;
    let Some(function) = module.function_of(root) else { return is_known_everywhere(program, root) };
    let Some(number) = program.number(function) else { return false };
    let is_recursive = program.component(number).is_none_or(|component| program.components.is_cyclic(component));
    let is_parameter = module.op(root) == Op::FunctionParameter;
    !is_recursive && !(is_parameter && (program.callers[number].is_empty() || is_exported(module, function)))
}

/// Returns whether only code that runs from the entry points uses a variable at module level.
fn is_known_everywhere(program: &Program<'_>, variable: Inst) -> bool {
    let module = program.module;
    let mut pending = vec![variable];
    while let Some(pointer) = pending.pop() {
        for user in module.uses(pointer).map(|used| used.user) {
            let Some(function) = module.function_of(user) else { continue };
            let is_entered = program.number(function).is_some_and(|number| program.is_entered[number]);
            if !is_entered || is_exported(module, function) {
                return false;
            }
            pending.extend(matches!(module.op(user), Op::AccessChain | Op::InBoundsAccessChain).then_some(user));
        }
    }
    true
}

/// The uses of an address. Linear in its uses.
fn follow(program: &Program<'_>, root: Inst) -> Option<Address> {
    let module = program.module;
    let mut address = Address::default();
    let mut pointers = vec![(root, true)];
    while let Some((pointer, is_constant)) = pointers.pop() {
        for used in module.uses(pointer) {
            let Slot::Operand(operand) = used.slot else { return None };
            match (module.op(used.user), operand) {
                (Op::EntryPoint | Op::Name | Op::LifetimeStart | Op::LifetimeStop, _) => {}
                (Op::AccessChain | Op::InBoundsAccessChain, 0) => {
                    let mut indices = module.operands(used.user).skip(1);
                    let is_constant = is_constant && indices.all(|index| module.op(index).is_constant());
                    pointers.push((used.user, is_constant));
                }
                (Op::Load, 0) if module.operand_count(used.user) == 1 => {
                    if is_constant { &mut address.loads } else { &mut address.elsewhere }.push(used.user);
                }
                (Op::Store, 0) if module.operand_count(used.user) == 2 => address.stores.push(used.user),
                (Op::FunctionCall, 1..) if callee(program, used.user).is_some() => {}
                _ => return None,
            }
        }
    }
    Some(address)
}

/// The number of the function that a call calls, if it has a body.
fn callee(program: &Program<'_>, call: Inst) -> Option<usize> {
    program.module.callee(call).and_then(|callee| program.number(callee))
}

/// The variables and parameters by number, and which of them are one memory.
struct Memories {
    /// For each one, another of the same memory; itself for the representative.
    leaders: Vec<usize>,
    /// The uses of each address, if all of them are known.
    addresses: Vec<Option<Address>>,
}

impl Memories {
    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.leader(one), self.leader(other));
        self.leaders[one.max(other)] = one.min(other);
    }

    /// The representative of a memory.
    fn leader(&mut self, mut number: usize) -> usize {
        while self.leaders[number] != number {
            self.leaders[number] = self.leaders[self.leaders[number]];
            number = self.leaders[number];
        }
        number
    }

    /// The memory of equivalent roots, if all of them are known.
    fn join(&mut self, members: &[usize]) -> Option<Shared> {
        let mut shared = Shared { loads: Vec::new(), elsewhere: Vec::new(), stores: Vec::new(), is_mixed: false };
        for &member in members {
            let address = self.addresses[member].take()?;
            shared.loads.extend(address.loads);
            shared.elsewhere.extend(address.elsewhere);
            shared.stores.extend(address.stores);
        }
        (!shared.loads.is_empty() || !shared.elsewhere.is_empty()).then_some(shared)
    }
}
