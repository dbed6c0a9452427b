//! Targets of decorations (SPIR-V section 3.1.20): D01.

use reconverge_ir::decoration::{BuiltIn, Note};
use reconverge_ir::{Class, Inst, Module, Op, Slot, view};
use spirv::{Capability, Decoration, StorageClass};

use super::has;
use crate::declared::version;
use crate::typing::Context;
use crate::typing::facts::{FLOAT, FLOATS, OTHER, POINTER};

/// The error in the target of a decoration, if there is one.
pub(super) fn problem(
    context: &Context<'_>,
    target: Inst,
    op: Op,
    inst: Inst,
    decoration: Decoration,
) -> Option<String> {
    use Decoration as D;
    let module = context.module;
    if op.class() == Class::Opaque {
        return None;
    }
    let is_pointer = |inst: Inst| {
        module.ty(inst).is_some_and(|ty| module.op(ty) == Op::TypePointer || context.types.of(ty).kind == OTHER)
    };
    let (is_right, wanted) = match decoration {
        D::SpecId => (
            matches!(op, Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse),
            "a scalar specialization constant",
        ),
        D::Block | D::BufferBlock | D::GLSLShared | D::GLSLPacked | D::CPacked => (op == Op::TypeStruct, "a struct"),
        D::ArrayStride => {
            (matches!(op, Op::TypeArray | Op::TypeRuntimeArray | Op::TypePointer), "an array or a pointer type")
        }
        D::BuiltIn => {
            let built_in = Note::of(module, inst).and_then(|note| note.read());
            let is_size = built_in == Some(BuiltIn(spirv::BuiltIn::WorkgroupSize)) && context.declared.is_shader();
            if is_size { (op.is_constant(), "a constant") } else { (op == Op::Variable, "a variable") }
        }
        D::NoPerspective
        | D::Flat
        | D::Patch
        | D::Centroid
        | D::Sample
        | D::Restrict
        | D::Aliased
        | D::Volatile
        | D::Coherent
        | D::NonWritable
        | D::NonReadable
        | D::XfbBuffer
        | D::XfbStride
        | D::Component
        | D::Stream
        | D::RestrictPointer
        | D::AliasedPointer
        | D::PerPrimitiveEXT => (
            matches!(op, Op::Variable | Op::FunctionParameter) && is_pointer(target),
            "a variable or a parameter that is a pointer",
        ),
        D::Invariant
        | D::Constant
        | D::Location
        | D::Index
        | D::Binding
        | D::DescriptorSet
        | D::InputAttachmentIndex => (op == Op::Variable, "a variable"),
        D::RowMajor | D::ColMajor | D::MatrixStride => (false, "a member of a struct"),
        D::RelaxedPrecision => (!op.is_type(), "a value or a member"),
        D::Uniform | D::UniformId => (module.ty(target).is_some_and(|ty| module.op(ty) != Op::TypeVoid), "a value"),
        D::NoSignedWrap | D::NoUnsignedWrap => (
            matches!(op, Op::IAdd | Op::ISub | Op::IMul | Op::ShiftLeftLogical | Op::SNegate | Op::ExtInst),
            "an addition, subtraction, multiplication, negation or shift to the left",
        ),
        D::FPRoundingMode => (true, ""),
        _ => return None,
    };
    if !is_right {
        return Some(format!("{decoration:?} should be applied to {wanted}"));
    }
    match decoration {
        D::NonWritable | D::NonReadable => access_problem(context, target, op, decoration),
        D::Component => component_problem(context, target, op),
        D::FPRoundingMode => rounding_problem(context, target, op),
        _ => None,
    }
}

/// NonWritable and NonReadable are for shared memory; since SPIR-V 1.4 NonWritable is also for variables that are only read.
fn access_problem(context: &Context<'_>, target: Inst, op: Op, decoration: Decoration) -> Option<String> {
    let module = context.module;
    let pointer = context.types.of(module.ty(target)?);
    if pointer.kind != POINTER {
        return None;
    }
    let is = |class: StorageClass| pointer.class == class as u32;
    let mut pointee = pointer.part?;
    if matches!(module.op(pointee), Op::TypeArray | Op::TypeRuntimeArray) {
        pointee = module.element_type(pointee)?;
    }
    let is_struct_of =
        |wanted: Decoration| module.op(pointee) == Op::TypeStruct && has(module, pointee, None, &[wanted]);
    let is_shared = is(StorageClass::Uniform) && is_struct_of(Decoration::BufferBlock)
        || (is(StorageClass::Uniform) || is(StorageClass::StorageBuffer)) && is_struct_of(Decoration::Block)
        || is(StorageClass::UniformConstant) && is_storage_image(module, pointee)
        || is(StorageClass::TileAttachmentQCOM)
        || context.types.of(pointee).kind == OTHER;
    let is_own = op == Op::Variable
        && decoration == Decoration::NonWritable
        && context.declared.version >= version(1, 4)
        && (is(StorageClass::Function) || is(StorageClass::Private));
    (!is_shared && !is_own).then(|| format!("{decoration:?} should be applied to a buffer or a storage image"))
}

fn is_storage_image(module: &Module, ty: Inst) -> bool {
    view::TypeImage::of(module, ty).is_some_and(|image| image.sampled == 2)
}

/// Component is for inputs and outputs.
fn component_problem(context: &Context<'_>, target: Inst, op: Op) -> Option<String> {
    let class = context.types.of(context.module.ty(target)?).class;
    let is_right = class == StorageClass::Input as u32 || class == StorageClass::Output as u32;
    (op == Op::Variable && !is_right).then(|| "Component should be applied to an input or an output".to_owned())
}

/// In shaders, FPRoundingMode is for conversions to half floats that are stored; in kernels, for conversions.
fn rounding_problem(context: &Context<'_>, target: Inst, op: Op) -> Option<String> {
    let module = context.module;
    if context.declared.is_shader() {
        if op != Op::FConvert {
            return Some("FPRoundingMode should be of a conversion between floats".to_owned());
        }
        let is_wrong = |user: Inst, slot: Slot| match module.op(user) {
            Op::Store => slot != Slot::Operand(view::Store::SLOT.object) || !is_half_in_memory(context, user),
            Op::FConvert | Op::ExtInst => false,
            other => other.class() != Class::Decoration,
        };
        if module.uses(target).any(|found| is_wrong(found.user, found.slot)) {
            return Some(
                "FPRoundingMode should be applied to a value that is stored in a buffer, an input or an output"
                    .to_owned(),
            );
        }
    }
    let is_conversion =
        matches!(op, Op::ConvertFToU | Op::ConvertFToS | Op::ConvertSToF | Op::ConvertUToF | Op::FConvert);
    // An extension of one vendor allows it on divisions and square roots.
    let is_rounded = matches!(op, Op::FDiv | Op::ExtInst);
    let is_wrong = context.declared.has(Capability::Kernel) && !is_conversion && !is_rounded;
    is_wrong.then(|| "FPRoundingMode should be of a conversion from or to floats".to_owned())
}

/// Returns whether a store writes half floats to shared memory.
fn is_half_in_memory(context: &Context<'_>, store: Inst) -> bool {
    let module = context.module;
    let pointer = view::Store::of(module, store).and_then(|store| module.ty(store.pointer));
    let Some(pointer) = pointer.map(|ty| context.types.of(ty)) else { return false };
    let shared = [
        StorageClass::StorageBuffer,
        StorageClass::Uniform,
        StorageClass::PushConstant,
        StorageClass::Input,
        StorageClass::Output,
        StorageClass::PhysicalStorageBuffer,
    ];
    let pointee = pointer.part.map(|part| context.types.of(part));
    shared.iter().any(|&class| pointer.class == class as u32)
        && pointee.is_some_and(|pointee| pointee.kind & (FLOAT | FLOATS) != 0 && pointee.width == 16)
}
