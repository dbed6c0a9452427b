//! Splitting variables into parts that are accessed alone: members of a struct, components of a vector, elements of an array.
//!
//! ```text
//! store %v[0], %uniform                       store %v0[0], %uniform
//! store %v[1], %lane              ⇒           store %v1[1], %lane
//! %x = load %v[0]                             %x = load %v0[0]
//! ```
//!
//! The analysis keeps one level for a variable. In a copy of the module each part is a variable of its own, if every access names its part
//! by a constant. The new variable has the old type, so accesses keep their indices. Linear in the uses of the variables.

use reconverge_ir::{Function, Inst, Module, Op, Position, Slot, view};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use crate::program::Program;

/// A variable of a function that is accessed in parts alone.
pub(super) struct Parts {
    variable: Inst,
    /// The pointers to parts, each with the number of its part.
    pointers: Vec<(Inst, u32)>,
}

/// The variables, in order.
pub(super) fn find(program: &Program<'_>) -> Vec<Parts> {
    let functions = program.flows.iter().map(|flow| flow.function);
    functions.flat_map(|function| in_function(program.module, function)).collect()
}

fn in_function(module: &Module, function: Function) -> impl Iterator<Item = Parts> + '_ {
    let children = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
    let variables = children.filter(|&inst| module.is_variable_of(inst, StorageClass::Function));
    variables.filter_map(|variable| {
        let uses = module.uses(variable).filter(|used| !is_without_access(module.op(used.user)));
        let pointers: Option<Vec<(Inst, u32)>> = uses
            .map(|used| match (module.op(used.user), used.slot) {
                (Op::AccessChain | Op::InBoundsAccessChain, Slot::Operand(0)) => {
                    let part = view::Chain::of(module, used.user)?.indexes.first()?;
                    let part = module.constant_word(part)?;
                    is_accessed_alone(module, used.user).then_some((used.user, part))
                }
                _ => None,
            })
            .collect();
        pointers.filter(|pointers| pointers.len() > 1).map(|pointers| Parts { variable, pointers })
    })
}

fn is_without_access(op: Op) -> bool {
    matches!(op, Op::Name | Op::LifetimeStart | Op::LifetimeStop)
}

/// Returns whether a pointer is only loaded from and stored to, or a pointer to a part of its target is.
fn is_accessed_alone(module: &Module, pointer: Inst) -> bool {
    let mut pending = vec![pointer];
    while let Some(pointer) = pending.pop() {
        for used in module.uses(pointer) {
            match (module.op(used.user), used.slot) {
                (Op::Load | Op::Store, Slot::Operand(0)) | (Op::Name, _) => {}
                (Op::AccessChain | Op::InBoundsAccessChain, Slot::Operand(0)) => pending.push(used.user),
                _ => return false,
            }
        }
    }
    true
}

/// Makes variables of parts. Returns each new one with its original.
pub(super) fn split(module: &mut Module, all: &[Parts]) -> FxHashMap<Inst, Inst> {
    let mut origins = FxHashMap::default();
    for Parts { variable, pointers } in all {
        let mut of_part: FxHashMap<u32, Inst> = FxHashMap::default();
        for &(pointer, part) in pointers {
            let (ty, operands) = (module.ty(*variable), module.operands(*variable).collect::<Vec<Inst>>());
            let mut editor = module.edit();
            let own = *of_part
                .entry(part)
                .or_insert_with(|| editor.insert(Position::Before(*variable), Op::Variable, ty, &operands));
            editor.set_operand(pointer, view::AccessChain::SLOT.base, own);
            origins.insert(own, *variable);
        }
    }
    origins
}
