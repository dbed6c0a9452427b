//! Pointers as values: arithmetic, comparisons, queries, conversions to and from integers.

use reconverge_ir::{Op, view};
use spirv::MemorySemantics;

use crate::code::instruction::{Action, Chain, Instruction};
use crate::fault::Fault;
use crate::lanes::access::address;
use crate::lanes::frame::Lane;
use crate::lanes::library;
use crate::memory::Memory;
use crate::memory::address_of;
use crate::types::{TypeId, TypeKind};
use crate::value::Owner;
use crate::{Pointer, Value};

/// The result of an instruction on pointers that does not access their pointees.
pub(crate) fn evaluate(memory: &Memory, lane: &Lane<'_>, instruction: &Instruction) -> Result<Value, Fault> {
    let types = &lane.program.types;
    let first = || lane.first(instruction.operands);
    match &instruction.action {
        Action::Chain(chain) => follow(lane, instruction, chain),
        Action::ArrayLength { offset, stride } => {
            let bytes = memory.bytes_after(address(lane, first()?)?)?;
            Ok(Value::u32(u32::try_from(bytes.saturating_sub(*offset) / stride).unwrap_or(u32::MAX)))
        }
        Action::ComparePointers(op, size) => {
            let right = lane.operand(instruction.operands, view::PtrEqual::SLOT.right);
            let comparison = Comparison { op: *op, size: *size, left: first()?, right: right? };
            compare(memory, lane, instruction.ty, &comparison)
        }
        Action::PointerToInt => to_int(memory, lane, instruction, first()?),
        Action::IntToPointer => Ok(match address_bits(first()?) {
            Some(0) => Value::Pointer(Pointer::NULL),
            Some(bits) => Value::Pointer(memory.pointer_at(bits)),
            None => Value::Undefined,
        }),
        Action::CastTo(space) => library::cast(first()?, *space),
        Action::SemanticsOf => {
            let semantics = match address_of(first()?)?.owner {
                Owner::Shared => MemorySemantics::CROSS_WORKGROUP_MEMORY,
                Owner::Group => MemorySemantics::WORKGROUP_MEMORY,
                Owner::Lane(_) | Owner::Nobody => MemorySemantics::empty(),
            };
            types
                .integer(instruction.ty, u64::from(semantics.bits()))
                .ok_or_else(|| Fault::operands(Op::GenericPtrMemSemantics))
        }
        _ => unreachable!("the caller gives actions of the memory family"),
    }
}

/// The address in an integer, or in two integers of half its size, the low one first.
fn address_bits(value: &Value) -> Option<u64> {
    match value {
        Value::Int { bits, .. } => Some(*bits),
        Value::Composite(halves) => match halves[..] {
            [Value::Int { width: 32, bits: low }, Value::Int { bits: high, .. }] => Some(low | high << 32),
            _ => None,
        },
        _ => None,
    }
}

/// The result of an access chain. An index outside its array invalidates the pointer: only an access is an error.
fn follow(lane: &Lane<'_>, instruction: &Instruction, chain: &Chain) -> Result<Value, Fault> {
    let mut pointer = match lane.first(instruction.operands)? {
        Value::Pointer(pointer) => pointer.advanced(chain.offset),
        Value::Undefined => return Ok(Value::Undefined),
        _ => return Err(Fault::malformed("a pointer is expected")),
    };
    for (index, step) in chain.steps.iter().enumerate() {
        let index = match lane.operand(instruction.operands, index + 1)? {
            Value::Undefined => return Ok(Value::Undefined),
            index => index.as_i64().ok_or_else(|| Fault::malformed("an index that is not an integer"))?,
        };
        let inside = step.limit.is_none_or(|limit| index.cast_unsigned() < limit);
        match index.checked_mul(step.stride).filter(|_| inside) {
            Some(bytes) => pointer = pointer.advanced(bytes),
            None => pointer.offset = Pointer::LOST,
        }
    }
    Ok(Value::Pointer(pointer))
}

/// A comparison of two pointers, or their difference.
struct Comparison<'v> {
    op: Op,
    /// The size of the pointee.
    size: u64,
    left: &'v Value,
    right: &'v Value,
}

fn compare(memory: &Memory, lane: &Lane<'_>, ty: TypeId, comparison: &Comparison<'_>) -> Result<Value, Fault> {
    let &Comparison { op, size, left, right } = comparison;
    let (Value::Pointer(a), Value::Pointer(b)) = (left, right) else {
        let undefined = left.is_undefined() || right.is_undefined();
        return if undefined { Ok(Value::Undefined) } else { Err(Fault::operands(op)) };
    };
    if op == Op::PtrDiff {
        let known =
            (a.owner, a.object) == (b.owner, b.object) && a.offset != Pointer::LOST && b.offset != Pointer::LOST;
        return Ok(match (known, lane.program.types.kind(ty)) {
            (true, Some(&TypeKind::Int(width))) => {
                let bytes = a.offset.wrapping_sub(b.offset);
                Value::int(width, (bytes / size.clamp(1, i64::MAX.cast_unsigned()).cast_signed()).cast_unsigned())
            }
            _ => Value::Undefined,
        });
    }
    Ok(match (memory.address(*a), memory.address(*b)) {
        (Some(a), Some(b)) => Value::Bool((a == b) == (op == Op::PtrEqual)),
        _ => Value::Undefined,
    })
}

fn to_int(memory: &Memory, lane: &Lane<'_>, instruction: &Instruction, pointer: &Value) -> Result<Value, Fault> {
    match (pointer, lane.program.types.kind(instruction.ty)) {
        (Value::Undefined, _) => Ok(Value::Undefined),
        (Value::Pointer(pointer), Some(&TypeKind::Int(width))) => {
            Ok(memory.address(*pointer).map_or(Value::Undefined, |address| Value::int(width, address)))
        }
        (Value::Pointer(pointer), Some(TypeKind::Sequence { count: 2, .. })) => {
            let halves = |address: u64| vec![Value::int(32, address), Value::int(32, address >> 32)];
            Ok(memory.address(*pointer).map_or(Value::Undefined, |address| Value::composite(halves(address))))
        }
        _ => Err(Fault::malformed("a pointer is expected")),
    }
}
