//! Atomic operations (SPIR-V section 3.3.18): an indivisible load, operation and store.
//!
//! Lanes interleave between instructions, so the memory semantics, which are about order, matter only for race detection.

use reconverge_ir::{Op, view};
use spirv::MemorySemantics;

use crate::code::instruction::Instruction;
use crate::compute::lift::{float_pair, int_pair};
use crate::compute::{self, Operation};
use crate::fault::{Fault, UndefinedBehaviour};
use crate::lanes::access::address;
use crate::lanes::demotion;
use crate::lanes::frame::Lane;
use crate::memory::Memory;
use crate::memory::check_alignment;
use crate::races::happens_before;
use crate::types::{TypeId, TypeTable};
use crate::value::sign_extended;
use crate::{Access, Pointer, Value};

/// An atomic operation with its operands.
pub(crate) struct Atomic<'a> {
    pub(crate) op: Op,
    /// The type of the accessed value.
    pub(crate) ty: TypeId,
    pub(crate) pointer: Pointer,
    pub(crate) value: Option<&'a Value>,
    /// The comparator of a compare-exchange.
    pub(crate) expected: Option<&'a Value>,
    /// The memory semantics.
    pub(crate) semantics: MemorySemantics,
}

/// Executes an atomic instruction. The operands are the pointer, the scope, the semantics, and then values.
pub(crate) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    op: Op,
) -> Result<Option<Value>, Fault> {
    use view::{AtomicCompareExchange as CompareExchange, AtomicStore as Other};
    let operand = |slot| lane.operand(instruction.operands, slot);
    let pointer = address(lane, lane.first(instruction.operands)?)?;
    let (value, expected) = match op {
        Op::AtomicLoad
        | Op::AtomicFlagClear
        | Op::AtomicFlagTestAndSet
        | Op::AtomicIIncrement
        | Op::AtomicIDecrement => (None, None),
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
            let value = operand(CompareExchange::SLOT.value)?;
            (Some(value), Some(operand(CompareExchange::SLOT.comparator)?))
        }
        _ => (Some(operand(Other::SLOT.value)?), None),
    };
    if demotion::is_lost(lane, pointer) {
        let has_result = !matches!(op, Op::AtomicStore | Op::AtomicFlagClear);
        return Ok(has_result.then_some(Value::Undefined));
    }
    let semantics = happens_before::semantics(Some(operand(Other::SLOT.semantics)?));
    apply(memory, lane, &Atomic { op, ty: instruction.ty, pointer, value, expected, semantics })
}

/// Executes an atomic operation. Returns the result, if it has one.
pub(crate) fn apply(memory: &mut Memory, lane: &Lane<'_>, atomic: &Atomic<'_>) -> Result<Option<Value>, Fault> {
    let Atomic { op, ty, pointer, value, expected, semantics } = *atomic;
    let types = &lane.program.types;
    check_alignment(pointer, types.extent(ty) as u32)?;
    memory.locate(pointer, types.extent(ty))?;
    if let Some(watch) = &memory.watch {
        let writes = op != Op::AtomicLoad;
        let reads = !matches!(op, Op::AtomicStore | Op::AtomicFlagClear);
        watch.note(if writes { Access::AtomicWrite } else { Access::AtomicRead }, pointer, types.extent(ty));
        watch.atomic(pointer, semantics, reads, writes);
    }
    if memory.origins.is_some() {
        check_defined(memory, types, atomic)?;
    }
    let value = || value.ok_or_else(|| Fault::operands(op));
    match op {
        Op::AtomicStore => return memory.write(types, ty, pointer, value()?).map(|()| None),
        Op::AtomicFlagClear => return memory.write(types, ty, pointer, &types.null(ty)?).map(|()| None),
        _ => {}
    }
    let old = memory.read(types, ty, pointer)?;
    let (new, result) = match (op, expected) {
        (Op::AtomicLoad, _) => return Ok(Some(old)),
        (Op::AtomicExchange, _) => (value()?.clone(), old),
        (_, Some(expected)) => (exchanged(&old, value()?, expected), old),
        (Op::AtomicFlagTestAndSet, _) => match old {
            Value::Int { width, bits } => (Value::int(width, 1), Value::Bool(bits != 0)),
            _ => (Value::Undefined, Value::Undefined),
        },
        (Op::AtomicIIncrement | Op::AtomicIDecrement, _) => {
            let step = if op == Op::AtomicIIncrement { 1 } else { u64::MAX };
            let new = int_pair(op, |width, a, _| Ok(Value::int(width, a.wrapping_add(step))))(&old, &old)?;
            (new, old)
        }
        _ => (combined(lane, atomic, &old, value()?)?, old),
    };
    memory.write(types, ty, pointer, &new)?;
    Ok(Some(result))
}

/// Reports an operation on an undefined value. A load or an exchange of one gives one, which is reported where it is used.
fn check_defined(memory: &Memory, types: &TypeTable, atomic: &Atomic<'_>) -> Result<(), Fault> {
    let is_kept = matches!(atomic.op, Op::AtomicLoad | Op::AtomicStore | Op::AtomicExchange | Op::AtomicFlagClear);
    let is_undefined = [atomic.value, atomic.expected].into_iter().flatten().any(Value::has_undefined)
        || !is_kept && memory.read(types, atomic.ty, atomic.pointer)?.is_undefined();
    if is_undefined { Err(UndefinedBehaviour::UndefinedAtomic.into()) } else { Ok(()) }
}

fn exchanged(old: &Value, new: &Value, expected: &Value) -> Value {
    if old.is_undefined() || expected.is_undefined() {
        return Value::Undefined;
    }
    if old == expected { new.clone() } else { old.clone() }
}

fn combined(lane: &Lane<'_>, atomic: &Atomic<'_>, old: &Value, value: &Value) -> Result<Value, Fault> {
    let op = atomic.op;
    let signed_less = |width, a, b| sign_extended(width, a) < sign_extended(width, b);
    let plain = match op {
        Op::AtomicIAdd => Op::IAdd,
        Op::AtomicISub => Op::ISub,
        Op::AtomicAnd => Op::BitwiseAnd,
        Op::AtomicOr => Op::BitwiseOr,
        Op::AtomicXor => Op::BitwiseXor,
        Op::AtomicFAddEXT => Op::FAdd,
        Op::AtomicFMinEXT => return float_pair(op, |width, a, b| Value::float(width, a.min(b)))(old, value),
        Op::AtomicFMaxEXT => return float_pair(op, |width, a, b| Value::float(width, a.max(b)))(old, value),
        Op::AtomicUMin => return int_pair(op, |width, a, b| Ok(Value::int(width, a.min(b))))(old, value),
        Op::AtomicUMax => return int_pair(op, |width, a, b| Ok(Value::int(width, a.max(b))))(old, value),
        Op::AtomicSMin => {
            let least = |width, a, b| Ok(Value::int(width, if signed_less(width, b, a) { b } else { a }));
            return int_pair(op, least)(old, value);
        }
        Op::AtomicSMax => {
            let greatest = |width, a, b| Ok(Value::int(width, if signed_less(width, a, b) { b } else { a }));
            return int_pair(op, greatest)(old, value);
        }
        _ => return Err(Fault::op(op)),
    };
    let operation = Operation { op: plain, ty: atomic.ty, literals: &[], types: &lane.program.types };
    compute::evaluate(&operation, &[old, value])
}
