//! The uses of pointers under Logical addressing (SPIR-V section 2.16.1): part of T06.
//!
//! A logical pointer is created from a variable by access chains and used by instructions that read or write memory. Variable pointers,
//! which capabilities allow for two storage classes, can also be selected, compared and offset.

use reconverge_ir::{Class, Inst, Op};
use spirv::{Capability, StorageClass};

use super::facts::{POINTER, TypeFacts};
use super::rule::Context;

/// The error in the pointers among the operands of an instruction, if there is one.
pub(super) fn problem(context: &Context<'_>, inst: Inst, op: Op) -> Option<String> {
    if !takes_no_logical_pointer(op) && !takes_variable_pointers(op) {
        return None;
    }
    let module = context.module;
    let is_logical =
        |facts: &&TypeFacts| facts.kind == POINTER && facts.class != StorageClass::PhysicalStorageBuffer as u32;
    let result = module.ty(inst).filter(|_| op.class() == Class::Group);
    let pointer = module
        .operands(inst)
        .filter_map(|operand| module.ty(operand))
        .chain(result)
        .map(|ty| context.types.of(ty))
        .find(is_logical)?;
    if takes_no_logical_pointer(op) {
        return Some("a logical pointer cannot be an operand of this instruction".to_owned());
    }
    let is = |class: StorageClass| pointer.class == class as u32;
    let declared = &context.declared;
    let is_declared = is(StorageClass::StorageBuffer) && declared.has(Capability::VariablePointersStorageBuffer)
        || is(StorageClass::Workgroup) && declared.has(Capability::VariablePointers);
    (!is_declared).then(|| {
        "a logical pointer operand of this instruction should point to a storage buffer or to workgroup memory, with the capability \
         VariablePointersStorageBuffer or VariablePointers"
            .to_owned()
    })
}

/// Instructions that take pointers that are chosen at run time.
const fn takes_variable_pointers(op: Op) -> bool {
    matches!(
        op,
        Op::PtrAccessChain | Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff | Op::Select | Op::ReturnValue | Op::Variable
    )
}

/// Instructions that only take numbers and composites.
fn takes_no_logical_pointer(op: Op) -> bool {
    let is_about_values = matches!(
        op.class(),
        Class::Arithmetic
            | Class::Logical
            | Class::Bit
            | Class::Conversion
            | Class::Composite
            | Class::Derivative
            | Class::Group
            | Class::Constant
    );
    let is_physical = matches!(op, Op::GenericPtrMemSemantics | Op::InBoundsPtrAccessChain);
    (is_about_values || is_physical) && !takes_variable_pointers(op) && !matches!(op, Op::CopyObject)
}
