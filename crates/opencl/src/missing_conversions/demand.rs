//! The integer widths that instructions require.

use std::ops::{Range, RangeInclusive};

use reconverge_ir::terminator::{first_argument, operand};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Class, Function, Inst, Module, Op, OpGroup};
use spirv::OpenclStd100Op as OpenCl;

/// How many components an integer or a vector of integers has, and of how many bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) width: u32,
    pub(super) count: u32,
}

/// What an instruction demands.
pub(super) enum Demand {
    /// These operands have one width, and the result has it as well where that is said.
    Alike { operands: Range<usize>, with_result: bool },
    /// Each of these operands has so many bits, if it is an integer.
    Each(Vec<(usize, u32)>),
    /// The result has another width than the operand.
    Change,
}

/// The functions of OpenCL.std whose operands and result are alike where they are integers: those on integers up to `upsample`, those
/// behind it, `bitselect` and `select`, and what came later.
const INTEGER_FUNCTIONS: [RangeInclusive<OpenCl>; 4] = [
    OpenCl::s_abs..=OpenCl::u_sub_sat,
    OpenCl::popcount..=OpenCl::u_mul24,
    OpenCl::bitselect..=OpenCl::select,
    OpenCl::u_abs..=OpenCl::u_mad_hi,
];

/// The shape of a value; `None` for what is not an integer. The module may be malformed in any way.
pub(super) fn shape_of(module: &Module, value: Inst) -> Option<Shape> {
    module.ty(value).and_then(|ty| shape_of_type(module, ty))
}

fn shape_of_type(module: &Module, ty: Inst) -> Option<Shape> {
    let (component, count) = module.components(ty);
    match module.type_view(component)? {
        TypeView::Int { width, .. } => Some(Shape { width, count }),
        _ => None,
    }
}

/// The shape of what a pointer points to, by its type.
pub(super) fn shape_of_pointee(module: &Module, pointer: Inst) -> Option<Shape> {
    module.pointee(pointer).and_then(|ty| shape_of_type(module, ty))
}

/// What an instruction demands; `None` where it is nothing.
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

/// The widths of operands that something else than the operands says.
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

/// The members of a struct or an array, or the components of a vector that is made of nothing else.
fn of_components(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let ty = module.ty(inst)?;
    let width = |ty: Inst| shape_of_type(module, ty).map(|shape| shape.width);
    let members: Vec<Option<u32>> = match module.type_view(ty)? {
        TypeView::Struct { members } => members.iter().map(width).collect(),
        _ => vec![width(module.element_type(ty)?); module.operand_count(inst)],
    };
    Some(members.into_iter().enumerate().filter_map(|(index, bits)| Some((index, bits?))).collect())
}

/// The type of the member that an insertion replaces.
fn member(module: &Module, inst: Inst) -> Option<Inst> {
    let mut indexes = view::CompositeInsert::of(module, inst)?.indexes.iter();
    indexes.try_fold(module.ty(inst)?, |ty, index| match module.type_view(ty)? {
        TypeView::Struct { members } => members.at(index as usize),
        _ => module.element_type(ty),
    })
}

/// A bit cast of a single integer keeps its bits: what it makes says how many these are.
fn same_bits(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let is_single = shape_of(module, view::Bitcast::of(module, inst)?.operand)?.count == 1;
    let bits = bits_of(module, module.ty(inst)?).filter(|_| is_single)?;
    Some(vec![(view::Bitcast::SLOT.operand, bits)])
}

/// The bits of a number or a vector of numbers.
fn bits_of(module: &Module, ty: Inst) -> Option<u32> {
    let (component, count) = module.components(ty);
    module.width(component)?.checked_mul(count)
}

/// A selector has no more words than the literals of the cases.
fn of_cases(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let view::Selection { selector, cases, .. } = view::Selection::of(module, inst)?;
    let selector = shape_of(module, selector)?;
    let is_short = cases.iter().any(|case| module.literal_words(case.literal).len() == 1);
    Some(vec![(operand::CONDITION, if is_short { selector.width.min(32) } else { selector.width })])
}

/// Arguments are what the parameters of the target are.
fn of_arguments(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let first = first_argument(module.op(inst))?;
    let target = module.cast::<Block>(view::Jump::of(module, inst)?.target)?;
    let widths = module.parameters(target).map(|parameter| shape_of(module, parameter.into()));
    Some((first..).zip(widths).filter_map(|(index, shape)| Some((index, shape?.width))).collect())
}

/// Which operand of a group operation is what the result is made of.
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
