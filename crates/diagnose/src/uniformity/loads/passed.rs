//! Variables whose address is passed to functions.
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
use reconverge_analysis::uniformity::ModuleUniformity;
use reconverge_ir::{Function, Inst, Module, Op, Slot};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use crate::program::Program;

/// A memory.
pub(super) struct Shared {
    /// The loads from it, at constant places.
    pub(super) loads: Vec<Inst>,
    stores: Vec<Inst>,
}

impl Shared {
    /// Whether all stored values are uniform.
    pub(super) fn holds(&self, program: &Program<'_>, uniformity: &ModuleUniformity) -> bool {
        let module = program.module;
        self.stores.iter().all(|&store| {
            let place = module.function_of(store).zip(module.block_of(store));
            let Some((function, block)) = place else { return false };
            let Some(facts) = uniformity.function(function) else { return false };
            let is_same = facts.of_use(store, 0).is_uniform() && facts.of_use(store, 1).is_uniform();
            is_same && facts.is_complete(block) && facts.is_entered_converged()
        })
    }
}

/// The uses of the address of a variable or a parameter, if all of them are known.
#[derive(Default)]
struct Address {
    loads: Vec<Inst>,
    stores: Vec<Inst>,
    /// The parameters that it is passed for.
    passed: Vec<Inst>,
}

/// The memories of a module, in order of their first variable or parameter. Near-linear.
pub(super) fn find(program: &Program<'_>) -> Vec<Shared> {
    let module = program.module;
    let functions = program.flows.iter().map(|flow| flow.function);
    let roots: Vec<Inst> = functions.flat_map(|function| roots(module, function)).collect();
    if !roots.iter().any(|&root| module.op(root) == Op::FunctionParameter) {
        return Vec::new();
    }
    let numbers: FxHashMap<Inst, usize> = roots.iter().enumerate().map(|(number, &root)| (root, number)).collect();
    let mut leaders: Vec<usize> = (0..roots.len()).collect();
    let mut addresses: Vec<Option<Address>> = Vec::with_capacity(roots.len());
    for (number, &root) in roots.iter().enumerate() {
        let address = if is_known(program, root) { follow(module, root) } else { None };
        for parameter in address.iter().flat_map(|address| &address.passed) {
            if let Some(&other) = numbers.get(parameter) {
                let (one, other) = (leader(&mut leaders, number), leader(&mut leaders, other));
                leaders[one.max(other)] = one.min(other);
            }
        }
        addresses.push(address);
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); roots.len()];
    (0..roots.len()).for_each(|number| members[leader(&mut leaders, number)].push(number));
    // The analysis handles a memory of one variable by itself.
    let several = members.into_iter().filter(|members| members.len() > 1);
    several.filter_map(|members| join(&members, &mut addresses)).collect()
}

/// The variables of a function, and its parameters that point to such.
fn roots(module: &Module, function: Function) -> impl Iterator<Item = Inst> + '_ {
    let is_own = |&inst: &Inst| module.storage_class(inst) == Some(StorageClass::Function);
    let variables = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
    let variables = variables.filter(|&inst| module.op(inst) == Op::Variable);
    module.parameters(function).map(Inst::from).chain(variables).filter(is_own)
}

/// Whether all calls that create the root are known.
fn is_known(program: &Program<'_>, root: Inst) -> bool {
    let module = program.module;
    let Some(function) = module.function_of(root) else { return false };
    let Some(number) = program.number(function) else { return false };
    let is_recursive = program.component(number).is_none_or(|component| program.components.is_cyclic(component));
    let is_parameter = module.op(root) == Op::FunctionParameter;
    !is_recursive && !(is_parameter && (program.callers[number].is_empty() || is_exported(module, function)))
}

/// The uses of an address. Linear in its uses.
fn follow(module: &Module, root: Inst) -> Option<Address> {
    let mut address = Address::default();
    let mut pointers = vec![(root, true)];
    while let Some((pointer, is_constant)) = pointers.pop() {
        for used in module.uses(pointer) {
            let Slot::Operand(operand) = used.slot else { return None };
            match (module.op(used.user), operand) {
                (Op::Name | Op::LifetimeStart | Op::LifetimeStop, _) => {}
                (Op::AccessChain | Op::InBoundsAccessChain, 0) => {
                    let mut indices = module.operands(used.user).skip(1);
                    let is_constant = is_constant && indices.all(|index| module.op(index).is_constant());
                    pointers.push((used.user, is_constant));
                }
                (Op::Load, 0) if module.operand_count(used.user) == 1 => {
                    address.loads.extend(is_constant.then_some(used.user));
                }
                (Op::Store, 0) if module.operand_count(used.user) == 2 => address.stores.push(used.user),
                (Op::FunctionCall, 1..) => {
                    let callee = module.callee(used.user)?;
                    address.passed.push(module.parameters(callee).nth(operand - 1)?.into());
                }
                _ => return None,
            }
        }
    }
    Some(address)
}

/// The memory of equivalent roots, if all of them are known.
fn join(members: &[usize], addresses: &mut [Option<Address>]) -> Option<Shared> {
    let mut shared = Shared { loads: Vec::new(), stores: Vec::new() };
    for &member in members {
        let address = addresses[member].take()?;
        shared.loads.extend(address.loads);
        shared.stores.extend(address.stores);
    }
    (!shared.loads.is_empty()).then_some(shared)
}

/// The representative of all roots that are equivalent to this one.
fn leader(leaders: &mut [usize], mut number: usize) -> usize {
    while leaders[number] != number {
        leaders[number] = leaders[leaders[number]];
        number = leaders[number];
    }
    number
}
