//! The integer widths that instructions require.

use std::ops::{Range, RangeInclusive};

use reconverge_ir::terminator::{first_argument, operand};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Class, Function, Inst, Module, Op, OpGroup};
use spirv::OpenclStd100Op as OpenCl;

/// The number of components of an integer or a vector of integers, and their width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntegerShape {
    pub(crate) width: u32,
    pub(crate) count: u32,
}

/// The requirement of an instruction.
pub(super) enum Demand {
    /// These operands have one width, and the result too if `result` is set.
    Alike { operands: Range<usize>, with_result: bool },
    /// Each of these operands has this width, if it is an integer.
    Each(Vec<(usize, u32)>),
    /// The width of the result differs from that of the operand.
    Change,
}

/// The functions of OpenCL.std whose integer operands and result have one type: those on integers up to `upsample`, those after it,
/// `bitselect` and `select`, and later additions.
const INTEGER_FUNCTIONS: [RangeInclusive<OpenCl>; 4] = [
    OpenCl::s_abs..=OpenCl::u_sub_sat,
    OpenCl::popcount..=OpenCl::u_mul24,
    OpenCl::bitselect..=OpenCl::select,
    OpenCl::u_abs..=OpenCl::u_mad_hi,
];

/// The shape of a value; `None` if it is not an integer. The module may be invalid in any way.
pub(crate) fn shape_of(module: &Module, value: Inst) -> Option<IntegerShape> {
    module.ty(value).and_then(|ty| shape_of_type(module, ty))
}

fn shape_of_type(module: &Module, ty: Inst) -> Option<IntegerShape> {
    let (component, count) = module.components(ty);
    match module.type_view(component)? {
        TypeView::Int { width, .. } => Some(IntegerShape { width, count }),
        _ => None,
    }
}

/// The shape of the pointee of a pointer, by its type.
pub(super) fn shape_of_pointee(module: &Module, pointer: Inst) -> Option<IntegerShape> {
    module.pointee(pointer).and_then(|ty| shape_of_type(module, ty))
}

/// The requirement of an instruction; `None` if it has none.
pub(super) fn demand(module: &Module, inst: Inst) -> Option<Demand> {
    let op = module.op(inst);
    let count = module.operand_count(inst);
    let alike = |operands: Range<usize>| Some(Demand::Alike { operands, with_result: true });
    match op {
        Op::IAdd | Op::ISub | Op::IMul | Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod | Op::SNegate => {
            alike(0..count)
        }
        Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor | Op::Not | Op::BitReverse | Op::CopyObject => alike(0..count),
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => alike(0..1),
        Op::BitFieldSExtract | Op::BitFieldUExtract => alike(0..1),
        Op::BitFieldInsert => alike(0..2),
        Op::Select => alike(view::Select::SLOT.true_value..view::Select::SLOT.false_value + 1),
        Op::ExtInst if is_integer_function(module, inst) => alike(view::ExtInst::SLOT.operands..count),
        Op::UConvert | Op::SConvert => Some(Demand::Change),
        _ if op.class() == Class::Group => group_value(op).and_then(|index| alike(index..index + 1)),
        _ if op.group() == OpGroup::IntegerComparison => Some(Demand::Alike { operands: 0..2, with_result: false }),
        _ => each(module, inst).filter(|widths| !widths.is_empty()).map(Demand::Each),
    }
}

/// The widths of operands that something other than the operands determines.
fn each(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let width = |ty: Inst| shape_of_type(module, ty).map(|shape| shape.width);
    let one = |index: usize, ty: Inst| Some(vec![(index, width(ty)?)]);
    match module.op(inst) {
        Op::Store => one(view::Store::SLOT.object, module.pointee(view::Store::of(module, inst)?.pointer)?),
        Op::AtomicStore => one(view::AtomicStore::SLOT.value, module.pointee(view::Atomic::of(module, inst)?.pointer)?),
        Op::ReturnValue => one(view::ReturnValue::SLOT.value, module.ty(module.function_of(inst)?)?),
        Op::FunctionCall => {
            let callee = module.cast::<Function>(view::FunctionCall::of(module, inst)?.function)?;
            let parameters = (view::FunctionCall::SLOT.arguments..).zip(module.parameters(callee));
            Some(parameters.filter_map(|(index, one)| Some((index, width(module.ty(one)?)?))).collect())
        }
        Op::CompositeConstruct => of_components(module, inst),
        Op::CompositeInsert => one(view::CompositeInsert::SLOT.object, member(module, inst)?),
        Op::VectorInsertDynamic => {
            one(view::VectorInsertDynamic::SLOT.component, module.element_type(module.ty(inst)?)?)
        }
        Op::Bitcast => same_bits(module, inst),
        Op::Switch | Op::StructuredSwitch => of_cases(module, inst),
        Op::Branch | Op::Loop => of_arguments(module, inst),
        op if op.class() == Class::Atomic => {
            let first = match op {
                Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => view::AtomicCompareExchange::SLOT.value,
                _ => view::AtomicExchange::SLOT.value,
            };
            let bits = width(module.ty(inst)?)?;
            Some((first..module.operand_count(inst)).map(|index| (index, bits)).collect())
        }
        _ => None,
    }
}

/// The members of a struct or an array, or the components of a vector that is constructed from scalars only.
fn of_components(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let ty = module.ty(inst)?;
    let width = |ty: Inst| shape_of_type(module, ty).map(|shape| shape.width);
    let members: Vec<Option<u32>> = match module.type_view(ty)? {
        TypeView::Struct { members } => members.iter().map(width).collect(),
        _ => vec![width(module.element_type(ty)?); module.operand_count(inst)],
    };
    Some(members.into_iter().enumerate().filter_map(|(index, bits)| Some((index, bits?))).collect())
}

/// The type of the member that an insert replaces.
fn member(module: &Module, inst: Inst) -> Option<Inst> {
    let mut indexes = view::CompositeInsert::of(module, inst)?.indexes.iter();
    indexes.try_fold(module.ty(inst)?, |ty, index| match module.type_view(ty)? {
        TypeView::Struct { members } => members.at(index as usize),
        _ => module.element_type(ty),
    })
}

/// A bitcast of a single integer keeps its bits: the result type determines the width.
fn same_bits(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let is_single = shape_of(module, view::Bitcast::of(module, inst)?.operand)?.count == 1;
    let bits = bits_of(module, module.ty(inst)?).filter(|_| is_single)?;
    Some(vec![(view::Bitcast::SLOT.operand, bits)])
}

/// The number of bits of a number or a vector of numbers.
fn bits_of(module: &Module, ty: Inst) -> Option<u32> {
    let (component, count) = module.components(ty);
    module.width(component)?.checked_mul(count)
}

/// The selector has as many words as the literals of the cases.
fn of_cases(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let view::Selection { selector, cases, .. } = view::Selection::of(module, inst)?;
    let selector = shape_of(module, selector)?;
    let is_short = cases.iter().any(|case| module.literal_words(case.literal).len() == 1);
    Some(vec![(operand::CONDITION, if is_short { selector.width.min(32) } else { selector.width })])
}

/// Arguments have the types of the target's parameters.
fn of_arguments(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let first = first_argument(module.op(inst))?;
    let target = module.cast::<Block>(view::Jump::of(module, inst)?.target)?;
    let widths = module.parameters(target).map(|parameter| shape_of(module, parameter.into()));
    Some((first..).zip(widths).filter_map(|(index, shape)| Some((index, shape?.width))).collect())
}

/// The operand of a group operation that determines the result type.
fn group_value(op: Op) -> Option<usize> {
    use Op::{GroupBroadcast, GroupIAdd, GroupSMax, GroupSMin, GroupUMax, GroupUMin};
    use Op::{GroupNonUniformBitwiseAnd, GroupNonUniformBitwiseOr, GroupNonUniformBitwiseXor};
    use Op::{GroupNonUniformBroadcast, GroupNonUniformBroadcastFirst, GroupNonUniformIAdd, GroupNonUniformIMul};
    use Op::{GroupNonUniformRotateKHR, GroupNonUniformShuffle, GroupNonUniformShuffleDown};
    use Op::{GroupNonUniformSMax, GroupNonUniformSMin, GroupNonUniformUMax, GroupNonUniformUMin};
    use Op::{GroupNonUniformShuffleUp, GroupNonUniformShuffleXor};
    match op {
        GroupBroadcast
        | GroupNonUniformBroadcast
        | GroupNonUniformBroadcastFirst
        | GroupNonUniformShuffle
        | GroupNonUniformShuffleDown
        | GroupNonUniformShuffleUp
        | GroupNonUniformShuffleXor
        | GroupNonUniformRotateKHR => Some(view::GroupBroadcast::SLOT.value),
        GroupIAdd
        | GroupSMax
        | GroupSMin
        | GroupUMax
        | GroupUMin
        | GroupNonUniformIAdd
        | GroupNonUniformIMul
        | GroupNonUniformBitwiseAnd
        | GroupNonUniformBitwiseOr
        | GroupNonUniformBitwiseXor
        | GroupNonUniformSMax
        | GroupNonUniformSMin
        | GroupNonUniformUMax
        | GroupNonUniformUMin => Some(view::GroupIAdd::SLOT.value),
        _ => None,
    }
}

fn is_integer_function(module: &Module, inst: Inst) -> bool {
    let function = module.opencl_op(inst);
    function.is_some_and(|function| INTEGER_FUNCTIONS.iter().any(|range| range.contains(&function)))
}
