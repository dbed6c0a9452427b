//! Extended instructions that read or write memory: second results, vectors at unaligned places, halves.
//!
//! The decoder adds two words before an instruction's own literals: the pointee type of the pointer, and the number of elements of the
//! first operand (one for a scalar).

use reconverge_ir::Op;
use spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};

use super::Extended;
use super::rounding::{Rounding, rounded as rounded_towards};
use super::{circular, exact, gamma};
use crate::compute::arithmetic::rounded;
use crate::compute::half;
use crate::decode::code::Instruction;
use crate::lanes::frame::Lane;
use crate::launch::outcome::Fault;
use crate::memory::Memory;
use crate::memory::access::{address, check_alignment};
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::{Pointer, Value, lanes::demotion};

/// The effect of an instruction on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtendedAccess {
    /// Stores a second result through the last operand.
    Second(Second),
    LoadVector,
    StoreVector,
    LoadHalf(Placement),
    StoreHalf(Placement),
    /// None that a program could observe.
    Prefetch,
}

/// A function with two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Second {
    Fract,
    Frexp,
    GlslFrexp,
    LnGamma,
    Modf,
    Remainder,
    SinCos,
}

/// The layout of vectors of halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// Consecutive.
    Packed,
    /// At multiples of their size; the size of three is that of four.
    Aligned,
}

impl ExtendedAccess {
    /// `None` for an instruction without memory accesses.
    pub(crate) fn of(op: Extended) -> Option<ExtendedAccess> {
        Some(match op {
            Extended::Glsl(Glsl::Modf) => ExtendedAccess::Second(Second::Modf),
            Extended::Glsl(Glsl::Frexp) => ExtendedAccess::Second(Second::GlslFrexp),
            Extended::OpenCl(OpenCl::fract) => ExtendedAccess::Second(Second::Fract),
            Extended::OpenCl(OpenCl::frexp) => ExtendedAccess::Second(Second::Frexp),
            Extended::OpenCl(OpenCl::lgamma_r) => ExtendedAccess::Second(Second::LnGamma),
            Extended::OpenCl(OpenCl::modf) => ExtendedAccess::Second(Second::Modf),
            Extended::OpenCl(OpenCl::remquo) => ExtendedAccess::Second(Second::Remainder),
            Extended::OpenCl(OpenCl::sincos) => ExtendedAccess::Second(Second::SinCos),
            Extended::OpenCl(OpenCl::vloadn) => ExtendedAccess::LoadVector,
            Extended::OpenCl(OpenCl::vstoren) => ExtendedAccess::StoreVector,
            Extended::OpenCl(OpenCl::vload_half | OpenCl::vload_halfn) => ExtendedAccess::LoadHalf(Placement::Packed),
            Extended::OpenCl(
                OpenCl::vstore_half | OpenCl::vstore_half_r | OpenCl::vstore_halfn | OpenCl::vstore_halfn_r,
            ) => ExtendedAccess::StoreHalf(Placement::Packed),
            Extended::OpenCl(OpenCl::vloada_halfn) => ExtendedAccess::LoadHalf(Placement::Aligned),
            Extended::OpenCl(OpenCl::vstorea_halfn | OpenCl::vstorea_halfn_r) => {
                ExtendedAccess::StoreHalf(Placement::Aligned)
            }
            Extended::OpenCl(OpenCl::prefetch) => ExtendedAccess::Prefetch,
            _ => return None,
        })
    }

    /// The operand number of the pointer.
    pub(crate) fn pointer(self) -> usize {
        match self {
            ExtendedAccess::Second(Second::Remainder) | ExtendedAccess::StoreVector | ExtendedAccess::StoreHalf(_) => 2,
            ExtendedAccess::Second(_) | ExtendedAccess::LoadVector | ExtendedAccess::LoadHalf(_) => 1,
            ExtendedAccess::Prefetch => 0,
        }
    }
}

/// Executes an instruction. Returns the result, if it has one.
pub(crate) fn execute(
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
        let index = self.index.ok_or(crate::UndefinedBehaviour::UndefinedAddress)?;
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

fn element_kind(types: &TypeTable, ty: TypeId) -> Option<&TypeKind> {
    match types.kind(ty)? {
        TypeKind::Sequence { element, .. } => types.kind(*element),
        kind => Some(kind),
    }
}

impl Second {
    /// The result and the stored value; the latter has the type `pointee`.
    fn results(self, types: &TypeTable, pointee: TypeId, operands: &[&Value]) -> Result<(Value, Value), Fault> {
        let wrong = || Fault::operands(Op::ExtInst);
        let integer_width = match element_kind(types, pointee) {
            Some(&TypeKind::Int(width)) => width,
            _ => 32,
        };
        let Some(length) = operands.iter().find_map(|operand| operand.elements()).map(<[Value]>::len) else {
            return self.of_scalars(integer_width, operands);
        };
        let mut results = (Vec::with_capacity(length), Vec::with_capacity(length));
        for index in 0..length {
            let pick = |operand: &&Value| match operand {
                Value::Composite(elements) => elements.get(index).cloned().ok_or_else(wrong),
                Value::Undefined => Ok(Value::Undefined),
                _ => Err(wrong()),
            };
            let picked = operands.iter().map(pick).collect::<Result<Vec<Value>, Fault>>()?;
            let (first, second) = self.of_scalars(integer_width, &picked.iter().collect::<Vec<&Value>>())?;
            results.0.push(first);
            results.1.push(second);
        }
        Ok((Value::composite(results.0), Value::composite(results.1)))
    }

    fn of_scalars(self, integer_width: u8, operands: &[&Value]) -> Result<(Value, Value), Fault> {
        if operands.iter().any(|operand| operand.is_undefined()) {
            return Ok((Value::Undefined, Value::Undefined));
        }
        let (Some(&&Value::Float { width, .. }), Some(x)) =
            (operands.first(), operands.first().and_then(|operand| operand.as_f64()))
        else {
            return Err(Fault::operands(Op::ExtInst));
        };
        let integer = |value: i32| Value::int(integer_width, i64::from(value).cast_unsigned());
        let floats = |(first, second): (f64, f64)| (rounded(width, first), rounded(width, second));
        Ok(match self {
            Second::Fract => floats(exact::fract(width, x)),
            Second::Modf => floats(exact::modf(x)),
            Second::GlslFrexp if !x.is_finite() => (Value::Undefined, Value::Undefined),
            Second::Frexp | Second::GlslFrexp => {
                let (fraction, exponent) = exact::frexp(x);
                (rounded(width, fraction), integer(exponent))
            }
            Second::LnGamma => {
                let (logarithm, sign) = gamma::ln_gamma(x);
                (logarithm.rounded(width), sign.map_or(Value::Undefined, |sign| integer(i32::from(sign))))
            }
            Second::SinCos => (circular::sin(x).rounded(width), circular::cos(x).rounded(width)),
            Second::Remainder => {
                let y = operands.get(1).and_then(|y| y.as_f64()).ok_or_else(|| Fault::operands(Op::ExtInst))?;
                let (remainder, quotient) = exact::remainder_and_quotient(x, y);
                (rounded(width, remainder), integer(quotient))
            }
        })
    }
}

/// Both results as a struct (`GLSL.std.450`): the second one is of the type of the second member.
pub(super) fn as_struct(second: Second, types: &TypeTable, ty: TypeId, value: &Value) -> Result<Value, Fault> {
    let (member, _) = types.element(ty, 1).ok_or_else(|| Fault::operands(Op::ExtInst))?;
    let (first, other) = second.results(types, member, &[value])?;
    Ok(Value::composite(vec![first, other]))
}
