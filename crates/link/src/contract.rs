//! The parts of generics and interfaces in which modules must agree. Generics and interfaces are identified by their contents.
//!
//! ```text
//! generic %twice { %T, %shape: %T is %Shape        agreed: parameters, and the type of what it returns
//!   func %body: %f32 (%x: %T) { … }                not agreed: the body, and the code that computes what the body needs
//!   return_value %body }
//! interface %Shape { %This, %area: f32(%This) }    agreed: all of it, part by part
//! ```
//!
//! The parts of an interface, which are its parameter and its requirements, can be named from anywhere. So a reference to a part of an
//! imported interface becomes one to the part with the same index in the definition.

use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::FxHashSet;

use crate::symbol::symbol_type;

/// The parameters of a generic or of an interface, and the requirements of an interface, in order.
pub(crate) fn parts(module: &Module, container: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.children(container).filter(|&child| is_part_op(module.op(child)))
}

/// The interface that an instruction is a part of.
pub(crate) fn interface_of(module: &Module, inst: Inst) -> Option<Inst> {
    let parent = module.parent(inst).filter(|_| is_part_op(module.op(inst)))?;
    (module.op(parent) == Op::Interface).then_some(parent)
}

fn is_part_op(op: Op) -> bool {
    matches!(op, Op::GenericParameter | Op::Requirement)
}

/// The value that a generic returns.
pub(crate) fn returned(module: &Module, generic: Inst) -> Option<Inst> {
    Some(view::ReturnValue::of(module, module.last_child(generic)?)?.value)
}

/// The value that a generic finally returns: if it returns a generic, the value that this one returns.
pub(crate) fn returned_at_last(module: &Module, generic: Inst) -> Option<Inst> {
    let is_within = |inner: &Inst| module.op(*inner) == Op::Generic && module.parent(*inner) != Some(module.root());
    let mut all = std::iter::successors(returned(module, generic), |&inner| {
        Some(inner).filter(is_within).and_then(|inner| returned(module, inner))
    });
    all.find(|inner| !is_within(inner))
}

/// The instructions in which modules must agree, in order: the parameters of a generic and the type of its result, or the parts of an
/// interface.
pub(crate) fn agreed(module: &Module, container: Inst) -> Vec<Inst> {
    let types = parts(module, container).filter_map(|part| module.ty(part));
    let result = returned(module, container).filter(|_| module.op(container) == Op::Generic);
    types.chain(result.and_then(|result| symbol_type(module, result))).collect()
}

/// The instructions at module level, and the parts of interfaces, that determine whether modules agree in a generic or an interface. Linear
/// in the contents.
pub(crate) fn named_by_contract(module: &Module, container: Inst) -> Vec<Inst> {
    let mut named = Vec::new();
    let mut met = FxHashSet::default();
    let mut open = vec![container];
    while let Some(inst) = open.pop() {
        if !met.insert(inst) || module.op(inst).is_literal() {
            continue;
        }
        let is_local = inst == container || module.parent(inst) != Some(module.root());
        match module.op(inst) {
            _ if !is_local => named.push(inst),
            Op::Generic | Op::Interface => open.extend(agreed(module, inst)),
            Op::Requirement => named.push(inst),
            _ => open.extend(module.ty(inst).into_iter().chain(module.operands(inst))),
        }
    }
    named
}
