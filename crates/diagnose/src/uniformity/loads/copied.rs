//! Copies of inputs: variables of each lane into which an entry point stores an input before anything else.
//!
//! ```text
//! func %entry                                          func %entry
//!   %value = load %input                    ⇒            …
//!   store %private, %value                               …
//!   call %main                                           call %main
//! func %main                                           func %main
//!   %x = load %private                                   %x = load %input
//! ```
//!
//! Front ends give a shader's `main` the built-in inputs this way. As the only store comes before all loads, both hold the same while the
//! program runs. The store is searched from the entry while control has one way to go; a call ends the search. Linear.

use reconverge_ir::{Function, Inst, Module, Op, Slot, view};
use spirv::StorageClass;

use crate::program::Program;
use crate::vocabulary::is_volatile;

/// A variable that holds what an input holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    pub(super) variable: Inst,
    input: Inst,
    store: Inst,
}

impl Copied {
    /// Reads the input instead, in a copy of the module.
    pub(super) fn replace(self, module: &mut Module) {
        let mut editor = module.edit();
        editor.replace_all_uses(self.variable, self.input);
        editor.set_operand(self.store, view::Store::SLOT.pointer, self.variable);
    }
}

/// The copies, in order. Linear.
pub(super) fn find(program: &Program<'_>) -> Vec<Copied> {
    let entered = program
        .flows
        .iter()
        .enumerate()
        .filter(|&(number, _)| program.is_entered[number] && program.callers[number].is_empty());
    entered.flat_map(|(_, flow)| first_stores(program.module, flow.function)).collect()
}

/// The stores at the begin of a function that copy an input.
fn first_stores(module: &Module, function: Function) -> Vec<Copied> {
    let mut found = Vec::new();
    let mut next = module.entry(function);
    while let Some(block) = next {
        for inst in module.children(block) {
            if module.op(inst) == Op::FunctionCall {
                return found;
            }
            found.extend(copied(module, inst));
        }
        let mut successors = module.successors(block);
        next = successors.next().filter(|&only| successors.next().is_none() && module.in_edges(only).count() == 1);
    }
    found
}

/// The copy that a store makes, if nothing else is stored into the variable.
fn copied(module: &Module, store: Inst) -> Option<Copied> {
    let view::Store { pointer: variable, object, .. } = view::Store::of(module, store)?;
    let input = view::Load::of(module, object).filter(|_| !is_volatile(module, object))?.pointer;
    let is_copy = module.is_variable_of(variable, StorageClass::Private)
        && module.is_variable_of(input, StorageClass::Input)
        && is_read_alone(module, variable, store);
    is_copy.then_some(Copied { variable, input, store })
}

/// Returns whether a variable is only loaded from, in whole or in parts, except for one store.
fn is_read_alone(module: &Module, variable: Inst, store: Inst) -> bool {
    let mut pointers = vec![variable];
    while let Some(pointer) = pointers.pop() {
        for used in module.uses(pointer) {
            match (module.op(used.user), used.slot) {
                (Op::EntryPoint | Op::Name, _) | (Op::Load, Slot::Operand(0)) => {}
                (Op::AccessChain | Op::InBoundsAccessChain, Slot::Operand(0)) => pointers.push(used.user),
                _ if used.user == store => {}
                _ => return false,
            }
        }
    }
    true
}
