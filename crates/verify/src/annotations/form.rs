//! The form of decorations: operands, and whether they are for members (D01).

use reconverge_ir::decoration::Note;
use reconverge_ir::{Class, Inst, Module, Op, view};
use spirv::Decoration;

use super::targets;
use crate::typing::Context;

/// The number of operands of a decoration; `None` if it varies or is not known.
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

/// The error in a name or decoration of an instruction, if there is one.
pub(super) fn problem(context: &Context<'_>, target: Inst, op: Op, inst: Inst) -> Option<String> {
    let module = context.module;
    if module.op(inst) == Op::MemberName {
        return member_problem(module, target, op, view::MemberName::of(module, inst)?.member);
    }
    let note = Note::of(module, inst)?;
    let problem = note.member.and_then(|member| member_problem(module, target, op, member));
    if problem.is_some() {
        return problem;
    }
    let decoration = note.kind()?;
    let found = note.parameters.len();
    if operand_count(decoration).is_some_and(|wanted| wanted != found) {
        return Some(format!("{decoration:?} does not take {found} operands"));
    }
    let is_string = matches!(module.op(inst), Op::DecorateString | Op::MemberDecorateString);
    let is_by_ids = takes_ids(decoration) || may_take_either(decoration) && is_string;
    if is_by_ids != (module.op(inst) == Op::DecorateId) && !may_take_either(decoration) || is_by_ids && is_string {
        let wanted = if is_by_ids { Op::DecorateId } else { Op::Decorate };
        return Some(format!("{decoration:?} needs the instruction `{}`", wanted.name()));
    }
    match note.member {
        Some(_) if is_no_member_decoration(decoration) => Some(format!("{decoration:?} cannot be applied to members")),
        None => targets::problem(context, target, op, inst, decoration),
        _ => None,
    }
}

const fn takes_ids(decoration: Decoration) -> bool {
    use Decoration as D;
    matches!(
        decoration,
        D::UniformId
            | D::AlignmentId
            | D::MaxByteOffsetId
            | D::CounterBuffer
            | D::NodeSharesPayloadLimitsWithAMDX
            | D::NodeMaxPayloadsAMDX
            | D::PayloadNodeNameAMDX
            | D::PayloadNodeBaseIndexAMDX
            | D::PayloadNodeArraySizeAMDX
            | D::ArrayStrideIdEXT
            | D::OffsetIdEXT
    )
}

/// The decorations that the validator of SPIRV-Tools accepts in either instruction, although they have ids.
const fn may_take_either(decoration: Decoration) -> bool {
    matches!(decoration, Decoration::AliasScopeINTEL | Decoration::NoAliasINTEL | Decoration::ConditionalINTEL)
}

/// The target of a member name or member decoration, if it is not a struct with such a member.
fn member_problem(module: &Module, target: Inst, op: Op, member: u32) -> Option<String> {
    if op.class() == Class::Opaque {
        return None;
    }
    if op != Op::TypeStruct {
        return Some("a member name or member decoration should target a struct".to_owned());
    }
    (member as usize >= module.operand_count(target)).then(|| format!("the struct has no member {member}"))
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
