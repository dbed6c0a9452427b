//! Rejects modules whose memory instructions have operands of the wrong kind.
//!
//! The verifier checks which operands are values. That a value is a pointer, or an index an integer, is a rule of SPIR-V that the kernel
//! passes rely on and that no pass before them checks. This pass checks it once: variables and the pointers of accesses are pointers,
//! indices are integers, entry points are functions. *Preserves* everything. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Function, Inst, Module, Op, view};
use spirv::Capability;

use super::Context;
use crate::error;

/// The capability `Kernel`, and those that imply it (SPIR-V section 3.31): a module need not declare implied capabilities.
const KERNEL: [Capability; 12] = [
    Capability::Kernel,
    Capability::Vector16,
    Capability::Float16Buffer,
    Capability::ImageBasic,
    Capability::ImageReadWrite,
    Capability::ImageMipmap,
    Capability::Pipes,
    Capability::DeviceEnqueue,
    Capability::LiteralSampler,
    Capability::SubgroupDispatch,
    Capability::NamedBarrier,
    Capability::PipeStorage,
];

/// Checks the rules. Never changes anything.
///
/// # Errors
/// [`Rejected`](crate::KernelCode::Rejected) for the first instruction that violates one.
pub fn check_operands(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let module = &*module;
    let capabilities = module.globals().filter_map(|global| view::Capability::of(module, global)?.capability);
    if !capabilities.into_iter().any(|capability| KERNEL.contains(&capability)) {
        return Err(error::rejected(module.root(), "kernels without the capability Kernel"));
    }
    let bodies =
        module.functions().flat_map(|function| module.blocks(function)).flat_map(|block| module.children(block));
    module.globals().chain(bodies).try_for_each(|inst| check(module, inst))?;
    Ok(false)
}

fn check(module: &Module, inst: Inst) -> Result<(), Diagnostic> {
    let operands: Vec<Inst> = module.operands(inst).collect();
    let op = module.op(inst);
    if view::EntryPoint::of(module, inst).is_some_and(|entry| module.cast::<Function>(entry.function).is_none()) {
        return Err(error::rejected(inst, "an entry point that is not a function"));
    }
    if op == Op::Variable && !has_type(module, inst, Op::TypePointer) {
        return Err(error::rejected(inst, "a variable whose type is not a pointer"));
    }
    if view::Chain::covers(op) && !has_type(module, inst, Op::TypePointer) {
        return Err(error::rejected(inst, format!("`{}` whose result is not a pointer", op.name())));
    }
    for &pointer in &operands[..pointers(op).min(operands.len())] {
        if !has_type(module, pointer, Op::TypePointer) {
            return Err(error::rejected(inst, format!("`{}` through a value that is not a pointer", op.name())));
        }
    }
    if view::Chain::covers(op) && !operands.iter().skip(1).all(|&index| has_type(module, index, Op::TypeInt)) {
        return Err(error::rejected(inst, format!("`{}` with an index that is not an integer", op.name())));
    }
    Ok(())
}

/// The number of leading operands that are pointers.
fn pointers(op: Op) -> usize {
    match op {
        Op::Load | Op::Store | Op::LifetimeStart | Op::LifetimeStop | Op::PtrCastToGeneric | Op::GenericCastToPtr => 1,
        Op::ConvertPtrToU | Op::GenericCastToPtrExplicit => 1,
        Op::CopyMemory | Op::CopyMemorySized | Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => 2,
        _ if view::Chain::covers(op) || op.class() == Class::Atomic => 1,
        _ => 0,
    }
}

fn has_type(module: &Module, value: Inst, ty: Op) -> bool {
    module.ty(value).is_some_and(|of| module.op(of) == ty)
}
