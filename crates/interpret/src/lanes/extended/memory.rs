//! Extended instructions that read or write memory: second results, vectors at unaligned places, halves.
//!
//! The decoder adds two words before an instruction's own literals: the pointee type of the pointer, and the number of elements of the
//! first operand (one for a scalar).

use reconverge_ir::Op;

use crate::code::instruction::Instruction;
use crate::compute::arithmetic::rounded;
use crate::compute::rounding::{Rounding, rounded as rounded_towards};
use crate::extended::access::{ExtendedAccess, Placement};
use crate::extended::two_results::element_kind;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::lanes::access::address;
use crate::lanes::demotion;
use crate::lanes::frame::Lane;
use crate::memory::{Memory, check_alignment};
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::half;
use crate::{Pointer, Value};

/// Executes an instruction. Returns the result, if it has one.
pub(super) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    access: ExtendedAccess,
) -> Result<Option<Value>, Fault> {
    let wrong = || Fault::operands(Op::ExtInst);
    let types = &lane.program.types;
    let &[pointee, count, ref literals @ ..] = &lane.frame.code.literals[instruction.literals.range()] else {
        return Err(wrong());
    };
    if access == ExtendedAccess::Prefetch {
        return Ok(None);
    }
    let operand = |index| lane.operand(instruction.operands, index);
    let pointer = address(lane, operand(access.pointer())?)?;
    // The offset comes before the pointer, and the data of a store before both.
    let place = || VectorPlace::new(types, pointee, pointer, operand(access.pointer() - 1)?);
    let data = || lane.first(instruction.operands);
    match access {
        ExtendedAccess::Second(second) => {
            let others: Result<Vec<&Value>, Fault> = (0..access.pointer()).map(operand).collect();
            let (result, other) = second.results(types, pointee, &others?)?;
            if !demotion::is_lost(lane, pointer) {
                memory.store(types, pointee, pointer, &other)?;
            }
            Ok(Some(result))
        }
        ExtendedAccess::LoadVector => {
            let count = literals.first().copied().ok_or_else(wrong)?;
            place()?.load(memory, count, Placement::Packed).map(Value::composite).map(Some)
        }
        ExtendedAccess::LoadHalf(placement) => {
            let Some(TypeKind::Float(width)) = element_kind(types, instruction.ty) else { return Err(wrong()) };
            let halves = place()?.load(memory, literals.first().copied().unwrap_or(1), placement)?;
            let mut numbers = halves.iter().map(|half| widened(half, *width)).collect::<Result<Vec<Value>, Fault>>()?;
            Ok(Some(if literals.is_empty() { numbers.remove(0) } else { Value::composite(numbers) }))
        }
        ExtendedAccess::StoreVector => {
            place()?.store(memory, &elements(data()?, count), Placement::Packed)?;
            Ok(None)
        }
        ExtendedAccess::StoreHalf(placement) => {
            let mode = literals.first().copied().unwrap_or(0);
            let rounding = Rounding::from_word(mode).ok_or_else(wrong)?;
            let narrow = |number: &Value| match number.as_f64() {
                Some(value) => rounded_towards(16, value, rounding),
                None => number.clone(),
            };
            let halves: Vec<Value> = elements(data()?, count).iter().map(narrow).collect();
            place()?.store(memory, &halves, placement)?;
            Ok(None)
        }
        ExtendedAccess::Prefetch => unreachable!("it is done"),
    }
}

/// The vectors of an array: the element type, the start of the array, and the accessed index.
struct VectorPlace<'a> {
    types: &'a TypeTable,
    element: TypeId,
    start: Pointer,
    /// `None` if it is undefined.
    index: Option<u64>,
}

impl<'a> VectorPlace<'a> {
    fn new(types: &'a TypeTable, element: TypeId, start: Pointer, index: &Value) -> Result<VectorPlace<'a>, Fault> {
        match index {
            Value::Int { bits, .. } => Ok(VectorPlace { types, element, start, index: Some(*bits) }),
            Value::Undefined => Ok(VectorPlace { types, element, start, index: None }),
            _ => Err(Fault::operands(Op::ExtInst)),
        }
    }

    /// The pointer to the first element. Indices wrap, so that a negative one is before the array.
    fn first(&self, count: u32, placement: Placement) -> Result<Pointer, Fault> {
        let size = self.types.size(self.element);
        let index = self.index.ok_or(UndefinedBehaviour::UndefinedAddress)?;
        let (count, alignment) = match placement {
            Placement::Packed => (u64::from(count), size),
            Placement::Aligned => (u64::from(count.next_power_of_two()), size * u64::from(count.next_power_of_two())),
        };
        let first = self.start.advanced(index.wrapping_mul(count).wrapping_mul(size).cast_signed());
        check_alignment(first, alignment as u32)?;
        Ok(first)
    }

    fn load(&self, memory: &Memory, count: u32, placement: Placement) -> Result<Vec<Value>, Fault> {
        let (first, size) = (self.first(count, placement)?, self.types.size(self.element));
        let one =
            |index| memory.load(self.types, self.element, first.advanced((u64::from(index) * size).cast_signed()));
        (0..count).map(one).collect()
    }

    fn store(&self, memory: &mut Memory, values: &[Value], placement: Placement) -> Result<(), Fault> {
        let (first, size) = (self.first(values.len() as u32, placement)?, self.types.size(self.element));
        for (index, value) in values.iter().enumerate() {
            memory.store(self.types, self.element, first.advanced((index as u64 * size).cast_signed()), value)?;
        }
        Ok(())
    }
}

/// A half, or its bits, as a float of another width.
fn widened(half: &Value, width: u8) -> Result<Value, Fault> {
    match half {
        Value::Float { width: 16, bits } | Value::Int { width: 16, bits } => {
            Ok(rounded(width, half::to_f64(*bits as u16)))
        }
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::ExtInst)),
    }
}

/// The elements of a vector, or the scalar itself.
fn elements(value: &Value, count: u32) -> Vec<Value> {
    match value {
        Value::Composite(elements) => elements.to_vec(),
        scalar => vec![scalar.clone(); count as usize],
    }
}
