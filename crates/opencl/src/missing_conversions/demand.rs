//! What instructions demand of the widths of integers.

use std::ops::{Range, RangeInclusive};

use reconverge_ir::terminator::{first_argument, operand};
use reconverge_ir::{Block, Class, Function, Inst, Module, Op};

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

/// The numbers in OpenCL.std of the functions whose operands and result are alike where they are integers: those on integers up to
/// `upsample`, those behind it, `bitselect` and `select`, and what came later.
const INTEGER_FUNCTIONS: [RangeInclusive<u32>; 4] = [141..=163, 166..=170, 186..=187, 201..=204];

/// The shape of a value; `None` for what is no integer. The module may be malformed in any way.
pub(super) fn shape_of(module: &Module, value: Inst) -> Option<Shape> {
    module.ty(value).and_then(|ty| shape_of_type(module, ty))
}

fn shape_of_type(module: &Module, ty: Inst) -> Option<Shape> {
    match module.op(ty) {
        Op::TypeInt => word(module, ty, 1).and_then(|_| Some(Shape { width: word(module, ty, 0)?, count: 1 })),
        Op::TypeVector => {
            let component = module.operands(ty).next().filter(|&inner| module.op(inner) == Op::TypeInt)?;
            Some(Shape { count: word(module, ty, 1)?, ..shape_of_type(module, component)? })
        }
        _ => None,
    }
}

/// The literal that an operand is.
fn word(module: &Module, inst: Inst, index: usize) -> Option<u32> {
    let literal = module.operands(inst).nth(index).filter(|&operand| module.op(operand) == Op::LiteralWords);
    literal.and_then(|literal| module.literal_word(literal))
}

/// The shape of what a pointer points to, by its type.
pub(super) fn shape_of_pointee(module: &Module, pointer: Inst) -> Option<Shape> {
    pointee(module, pointer).and_then(|ty| shape_of_type(module, ty))
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
        Op::Select => alike(1..3),
        Op::ExtInst if is_integer_function(module, inst) => alike(2..count),
        Op::UConvert | Op::SConvert => Some(Demand::Change),
        _ if op.class() == Class::Group => group_value(op).and_then(|index| alike(index..index + 1)),
        _ if is_integer_comparison(op) => Some(Demand::Alike { operands: 0..2, with_result: false }),
        _ => each(module, inst).filter(|widths| !widths.is_empty()).map(Demand::Each),
    }
}

/// The widths of operands that something else than the operands says.
fn each(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let operand_of = |index: usize| module.operands(inst).nth(index);
    let width = |ty: Inst| shape_of_type(module, ty).map(|shape| shape.width);
    let one = |index: usize, ty: Inst| Some(vec![(index, width(ty)?)]);
    match module.op(inst) {
        Op::Store => one(1, pointee(module, operand_of(0)?)?),
        Op::AtomicStore => one(3, pointee(module, operand_of(0)?)?),
        Op::ReturnValue => one(0, module.ty(module.function_of(inst)?)?),
        Op::FunctionCall => {
            let callee = module.cast::<Function>(operand_of(0)?)?;
            let parameters = module.parameters(callee).enumerate();
            Some(parameters.filter_map(|(index, one)| Some((index + 1, width(module.ty(one)?)?))).collect())
        }
        Op::CompositeConstruct => of_components(module, inst),
        Op::CompositeInsert => one(0, member(module, inst)?),
        Op::VectorInsertDynamic => one(1, module.operands(module.ty(inst)?).next()?),
        Op::Bitcast => same_bits(module, inst),
        Op::Switch | Op::StructuredSwitch => of_cases(module, inst),
        Op::Branch | Op::Loop => of_arguments(module, inst),
        op if op.class() == Class::Atomic => {
            let compares = matches!(op, Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak);
            let first = if compares { 4 } else { 3 };
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
    let members: Vec<Option<u32>> = match module.op(ty) {
        Op::TypeStruct => module.operands(ty).map(width).collect(),
        Op::TypeArray | Op::TypeVector => {
            vec![module.operands(ty).next().and_then(width); module.operand_count(inst)]
        }
        _ => return None,
    };
    Some(members.into_iter().enumerate().filter_map(|(index, bits)| Some((index, bits?))).collect())
}

/// The type of the member that an insertion replaces.
fn member(module: &Module, inst: Inst) -> Option<Inst> {
    (2..module.operand_count(inst)).try_fold(module.ty(inst)?, |ty, index| {
        let member = match module.op(ty) {
            Op::TypeStruct => word(module, inst, index)? as usize,
            Op::TypeArray | Op::TypeVector => 0,
            _ => return None,
        };
        module.operands(ty).nth(member)
    })
}

/// A bit cast of a single integer keeps its bits: what it makes says how many these are.
fn same_bits(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let is_single = shape_of(module, module.operands(inst).next()?)?.count == 1;
    let bits = bits_of(module, module.ty(inst)?).filter(|_| is_single)?;
    Some(vec![(0, bits)])
}

/// The bits of a number or a vector of numbers.
fn bits_of(module: &Module, ty: Inst) -> Option<u32> {
    match module.op(ty) {
        Op::TypeInt | Op::TypeFloat => word(module, ty, 0),
        Op::TypeVector => {
            let component = module.operands(ty).next().filter(|&inner| module.op(inner) != Op::TypeVector)?;
            bits_of(module, component)?.checked_mul(word(module, ty, 1)?)
        }
        _ => None,
    }
}

/// A selector has no more words than the literals of the cases.
fn of_cases(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let selector = shape_of(module, module.operands(inst).next()?)?;
    let terminator = module.cast(inst)?;
    let mut cases = module.cases(terminator);
    let is_short = cases.any(|(literal, _)| module.literal_words(literal).len() == 1);
    Some(vec![(operand::CONDITION, if is_short { selector.width.min(32) } else { selector.width })])
}

/// Arguments are what the parameters of the target are.
fn of_arguments(module: &Module, inst: Inst) -> Option<Vec<(usize, u32)>> {
    let first = first_argument(module.op(inst))?;
    let target = module.cast::<Block>(module.operands(inst).nth(operand::TARGET)?)?;
    let widths = module.parameters(target).map(|parameter| shape_of(module, parameter.into()));
    Some(widths.enumerate().filter_map(|(index, shape)| Some((first + index, shape?.width))).collect())
}

fn pointee(module: &Module, pointer: Inst) -> Option<Inst> {
    let ty = module.ty(pointer).filter(|&ty| module.op(ty) == Op::TypePointer)?;
    module.operands(ty).nth(1)
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
        GroupBroadcast | GroupNonUniformBroadcast | GroupNonUniformBroadcastFirst | GroupNonUniformShuffle => Some(1),
        GroupNonUniformShuffleDown | GroupNonUniformShuffleUp | GroupNonUniformShuffleXor => Some(1),
        GroupNonUniformRotateKHR => Some(1),
        GroupIAdd | GroupSMax | GroupSMin | GroupUMax | GroupUMin => Some(2),
        GroupNonUniformIAdd | GroupNonUniformIMul | GroupNonUniformBitwiseAnd | GroupNonUniformBitwiseOr => Some(2),
        GroupNonUniformSMax | GroupNonUniformSMin | GroupNonUniformUMax | GroupNonUniformUMin => Some(2),
        GroupNonUniformBitwiseXor => Some(2),
        _ => None,
    }
}

fn is_integer_comparison(op: Op) -> bool {
    use Op::{IEqual, INotEqual, SGreaterThan, SGreaterThanEqual, SLessThan, SLessThanEqual};
    use Op::{UGreaterThan, UGreaterThanEqual, ULessThan, ULessThanEqual};

    matches!(
        op,
        IEqual
            | INotEqual
            | SGreaterThan
            | SGreaterThanEqual
            | SLessThan
            | SLessThanEqual
            | UGreaterThan
            | UGreaterThanEqual
            | ULessThan
            | ULessThanEqual
    )
}

fn is_integer_function(module: &Module, inst: Inst) -> bool {
    let Some(set) = module.operands(inst).next() else { return false };
    let name = module.operands(set).next().filter(|_| module.op(set) == Op::ExtInstImport);
    let is_open_cl = name.is_some_and(|name| module.literal_text(name) == "OpenCL.std");
    let number = word(module, inst, 1).filter(|_| is_open_cl);
    number.is_some_and(|number| INTEGER_FUNCTIONS.iter().any(|range| range.contains(&number)))
}
