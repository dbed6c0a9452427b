//! Decorations (SPIR-V sections 2.16.2 and 3.1.20).
//!
//! - D01: a decoration has the operands that it takes and hangs on what it describes; one of a member names a member of its struct.
//! - D02: nothing has a decoration twice, or two that exclude each other.
//! - D03: memory that is shared with others is laid out explicitly: members have offsets, arrays strides, matrices strides and an order.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration, StorageClass};

use crate::Code;
use crate::layout::{Layout, Line};
use crate::report::Report;
use crate::typing::Context;

/// Checks the decorations of everything that stands in a module. Linear in them, and in the types of the buffers.
pub(crate) fn verify_annotations(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout, everything: &[Line]) {
    let module = report.module();
    for &Line { inst, op, .. } in everything {
        let decorations = module.decorations(inst);
        if decorations.is_empty() {
            continue;
        }
        for &decoration in decorations {
            if let Some(problem) = form_problem(context, (inst, op), decoration) {
                report.at(Code::D01, inst, problem);
            }
        }
        if decorations.len() > 1
            && let Some(problem) = repetition_problem(module, decorations)
        {
            report.at(Code::D02, inst, problem);
        }
    }
    if context.declared.is_shader() {
        verify_layouts(report, context, layout);
    }
}

/// What a decoration is, taken apart.
struct Note {
    decoration: Option<Decoration>,
    member: Option<u32>,
    /// Place of its first operand.
    first: usize,
}

fn note(module: &Module, inst: Inst) -> Option<Note> {
    let word = |index: usize| module.operands(inst).nth(index).and_then(|operand| module.literal_word(operand));
    match module.op(inst) {
        Op::Decorate | Op::DecorateId | Op::DecorateString => {
            Some(Note { decoration: word(0).and_then(Decoration::from_u32), member: None, first: 1 })
        }
        Op::MemberDecorate | Op::MemberDecorateString => {
            Some(Note { decoration: word(1).and_then(Decoration::from_u32), member: Some(word(0)?), first: 2 })
        }
        _ => None,
    }
}

/// How many operands decorations of this kind have; none where that differs or is not known.
fn operand_count(decoration: Decoration) -> Option<usize> {
    use Decoration as D;
    Some(match decoration {
        D::RelaxedPrecision
        | D::Block
        | D::BufferBlock
        | D::RowMajor
        | D::ColMajor
        | D::GLSLShared
        | D::GLSLPacked
        | D::CPacked
        | D::NoPerspective
        | D::Flat
        | D::Patch
        | D::Centroid
        | D::Sample
        | D::Invariant
        | D::Restrict
        | D::Aliased
        | D::Volatile
        | D::Constant
        | D::Coherent
        | D::NonWritable
        | D::NonReadable
        | D::Uniform
        | D::SaturatedConversion
        | D::NoContraction
        | D::NoSignedWrap
        | D::NoUnsignedWrap
        | D::PerPrimitiveEXT
        | D::PerVertexKHR
        | D::NonUniform
        | D::RestrictPointer
        | D::AliasedPointer => 0,
        D::SpecId
        | D::ArrayStride
        | D::MatrixStride
        | D::BuiltIn
        | D::UniformId
        | D::Stream
        | D::Location
        | D::Component
        | D::Index
        | D::Binding
        | D::DescriptorSet
        | D::Offset
        | D::XfbBuffer
        | D::XfbStride
        | D::FuncParamAttr
        | D::FPRoundingMode
        | D::FPFastMathMode
        | D::InputAttachmentIndex
        | D::Alignment
        | D::MaxByteOffset
        | D::AlignmentId
        | D::MaxByteOffsetId => 1,
        D::LinkageAttributes => 2,
        _ => return None,
    })
}

fn form_problem(context: &Context<'_>, (target, op): (Inst, Op), inst: Inst) -> Option<String> {
    let module = context.module;
    if module.op(inst) == Op::MemberName {
        return None;
    }
    let note = note(module, inst)?;
    if let Some(member) = note.member {
        if op != Op::TypeStruct {
            return Some("a decoration of a member should be of a struct's".to_owned());
        }
        if member as usize >= module.operand_count(target) {
            return Some(format!("the struct has no member {member}"));
        }
    }
    let decoration = note.decoration?;
    let found = module.operand_count(inst) - note.first;
    if operand_count(decoration).is_some_and(|wanted| wanted != found) {
        return Some(format!("{decoration:?} has another number of operands than {found}"));
    }
    let takes_ids = matches!(
        decoration,
        Decoration::UniformId | Decoration::AlignmentId | Decoration::MaxByteOffsetId | Decoration::CounterBuffer
    );
    if takes_ids != (module.op(inst) == Op::DecorateId) && operand_count(decoration).is_some() {
        return Some(format!("{decoration:?} is given by the other instruction"));
    }
    match note.member {
        Some(_) if is_no_member_decoration(decoration) => Some(format!("{decoration:?} is not for members")),
        None => target_problem(context, (target, op), (inst, decoration)),
        _ => None,
    }
}

fn is_no_member_decoration(decoration: Decoration) -> bool {
    use Decoration as D;
    matches!(
        decoration,
        D::SpecId
            | D::Block
            | D::BufferBlock
            | D::ArrayStride
            | D::GLSLShared
            | D::GLSLPacked
            | D::CPacked
            | D::Aliased
            | D::Constant
            | D::Uniform
            | D::UniformId
            | D::SaturatedConversion
            | D::Index
            | D::Binding
            | D::DescriptorSet
            | D::FuncParamAttr
            | D::FPRoundingMode
            | D::FPFastMathMode
            | D::LinkageAttributes
            | D::NoContraction
            | D::InputAttachmentIndex
            | D::Alignment
            | D::MaxByteOffset
            | D::AlignmentId
            | D::MaxByteOffsetId
            | D::NoSignedWrap
            | D::NoUnsignedWrap
            | D::NonUniform
            | D::RestrictPointer
            | D::AliasedPointer
            | D::CounterBuffer
    )
}

/// What a decoration hangs on, if it is the wrong thing.
fn target_problem(
    context: &Context<'_>,
    (target, op): (Inst, Op),
    (inst, decoration): (Inst, Decoration),
) -> Option<String> {
    use Decoration as D;
    let module = context.module;
    if op.class() == reconverge_ir::Class::Opaque {
        return None;
    }
    let is_pointer = |inst: Inst| {
        module.ty(inst).is_some_and(|ty| {
            module.op(ty) == Op::TypePointer || context.types.of(ty).kind == crate::typing::facts::OTHER
        })
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
            let word = module.operands(inst).nth(1).and_then(|operand| module.literal_word(operand));
            let is_size = word == Some(spirv::BuiltIn::WorkgroupSize as u32) && context.declared.is_shader();
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
        _ => return None,
    };
    (!is_right).then(|| format!("{decoration:?} should be of {wanted}"))
}

/// Decorations that exclude each other.
const EXCLUSIVE: [(Decoration, Decoration); 5] = [
    (Decoration::Block, Decoration::BufferBlock),
    (Decoration::Restrict, Decoration::Aliased),
    (Decoration::RestrictPointer, Decoration::AliasedPointer),
    (Decoration::RowMajor, Decoration::ColMajor),
    (Decoration::FPFastMathMode, Decoration::NoContraction),
];

fn repetition_problem(module: &Module, decorations: &[Inst]) -> Option<String> {
    let mut seen = FxHashSet::default();
    for &inst in decorations {
        // Those with ids or strings may come several times.
        if !matches!(module.op(inst), Op::Decorate | Op::MemberDecorate) {
            continue;
        }
        let Some(Note { decoration: Some(decoration), member, .. }) = note(module, inst) else { continue };
        let may_repeat = matches!(decoration, Decoration::UserSemantic)
            || member.is_none() && decoration == Decoration::FuncParamAttr;
        if !seen.insert((decoration as u32, member)) && !may_repeat {
            return Some(format!("{decoration:?} is given twice"));
        }
        for (one, two) in EXCLUSIVE {
            let other = if one == decoration {
                two
            } else if two == decoration {
                one
            } else {
                continue;
            };
            if seen.contains(&(other as u32, member)) {
                return Some(format!("{one:?} and {two:?} exclude each other"));
            }
        }
    }
    None
}

/// Whether a decoration hangs on an instruction or on one of its members.
fn has(module: &Module, inst: Inst, member: Option<u32>, wanted: &[Decoration]) -> bool {
    module.decorations(inst).iter().any(|&decoration| {
        note(module, decoration)
            .is_some_and(|note| note.member == member && note.decoration.is_some_and(|found| wanted.contains(&found)))
    })
}

fn verify_layouts(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout) {
    let module = report.module();
    let mut judged = FxHashSet::default();
    for line in layout.globals().iter().filter(|line| line.op == Op::Variable) {
        let Some(pointer) = module.ty(line.inst).map(|ty| context.types.of(ty)) else { continue };
        let is = |class: StorageClass| pointer.class == class as u32;
        let is_explicit = is(StorageClass::Uniform)
            || is(StorageClass::PushConstant)
            || is(StorageClass::StorageBuffer)
            || is(StorageClass::Workgroup) && context.declared.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
        let Some(mut ty) = pointer.part.filter(|_| is_explicit) else { continue };
        if matches!(module.op(ty), Op::TypeArray | Op::TypeRuntimeArray) && !is(StorageClass::Workgroup) {
            ty = module.operand(ty, 0);
        }
        let is_block = has(module, ty, None, &[Decoration::Block]);
        let is_buffer_block = is(StorageClass::Uniform) && has(module, ty, None, &[Decoration::BufferBlock]);
        if module.op(ty) != Op::TypeStruct || !(is_block || is_buffer_block) {
            continue;
        }
        if let Some((place, problem)) = layout_problem(module, ty, &mut judged) {
            report.at(Code::D03, place, problem);
        }
    }
}

/// The first struct in a block that is not laid out, each looked at once.
fn layout_problem(module: &Module, block: Inst, judged: &mut FxHashSet<Inst>) -> Option<(Inst, String)> {
    let mut stack = vec![block];
    while let Some(ty) = stack.pop() {
        if !judged.insert(ty) {
            continue;
        }
        for (number, member) in module.operands(ty).enumerate() {
            let number = number as u32;
            if !has(module, ty, Some(number), &[Decoration::Offset, Decoration::BuiltIn]) {
                return Some((ty, format!("member {number} should have an offset")));
            }
            let mut inner = member;
            while matches!(module.op(inner), Op::TypeArray | Op::TypeRuntimeArray) {
                if inner == member
                    && module.op(inner) == Op::TypeArray
                    && !has(module, inner, None, &[Decoration::ArrayStride])
                {
                    return Some((ty, format!("member {number} should be an array with a stride")));
                }
                inner = module.operand(inner, 0);
            }
            if module.op(inner) == Op::TypeMatrix {
                if !has(module, ty, Some(number), &[Decoration::MatrixStride]) {
                    return Some((ty, format!("member {number} should have the stride of its matrices")));
                }
                if !has(module, ty, Some(number), &[Decoration::RowMajor, Decoration::ColMajor]) {
                    return Some((ty, format!("member {number} should say the order of its matrices")));
                }
            }
            if module.op(inner) == Op::TypeStruct {
                stack.push(inner);
            }
        }
    }
    None
}
