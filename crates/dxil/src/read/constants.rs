//! Constants of the module and of bodies.
//!
//! A constant may refer to later ones of its block, so its operands are checked when the block ends. The same walk, depth first with an
//! explicit stack, finds cycles and the extent of each constant: how deep it nests, and of how many parts its text consists.

use reconverge_diagnostic::Diagnostic;

use super::casts::is_legal_cast;
use super::element_pointer::{Index, element_type};
use super::operands::Operands;
use super::{Reader, integer, is_constant};
use crate::bitstream::{Event, Record};
use crate::error::{Code, at_bit};
use crate::module::{CastOp, Constant, MAX_CONSTANT_DEPTH, Type, TypeId, Types, Value, ValueId, ValueKind};

/// The most parts of a constant: a table that is written out has one for each row.
const MAX_CONSTANT_PARTS: u32 = 1 << 20;

/// The size of a constant's text. Variables and functions are printed as their names.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    depth: u32,
    parts: u32,
    is_known: bool,
}

/// The constants of a block, and where the records are.
#[derive(Default)]
pub(super) struct Block {
    pub(super) values: Vec<Value>,
    offsets: Vec<u64>,
}

impl Reader<'_> {
    /// Reads a block of constants of the module.
    pub(super) fn module_constants(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        let block = self.constants(record)?;
        let first = self.module.values.len();
        self.module.values.extend(block.values);
        self.extents.resize(self.module.values.len(), Extent::default());
        let mut extents = std::mem::take(&mut self.extents);
        let space = Space { types: &self.module.types, module: &self.module.values, local: &[] };
        check(&space, &mut extents, first, &block.offsets)?;
        self.extents = extents;
        Ok(())
    }

    /// Reads a block of constants of a body that has these values so far.
    pub(super) fn body_constants(&mut self, values: &mut Vec<Value>, record: &mut Record) -> Result<(), Diagnostic> {
        let block = self.constants(record)?;
        let first = self.module.values.len() + values.len();
        values.extend(block.values);
        let mut extents = std::mem::take(&mut self.extents);
        let count = extents.len();
        extents.resize(count + values.len(), Extent::default());
        let space = Space { types: &self.module.types, module: &self.module.values, local: values };
        check(&space, &mut extents, first, &block.offsets)?;
        extents.truncate(count);
        self.extents = extents;
        Ok(())
    }

    fn constants(&mut self, record: &mut Record) -> Result<Block, Diagnostic> {
        let mut block = Block::default();
        let mut current: Option<TypeId> = None;
        loop {
            match self.stream.next(record)? {
                Event::Enter(_) => self.stream.skip(),
                Event::End => return Ok(block),
                Event::Record => {
                    let mut operands = Operands::new(record);
                    if record.code == 1 {
                        let ty = self.ty(&mut operands)?;
                        if !self.module.types.is_sized(ty) {
                            return Err(operands.error(Code::Type, "expected the type of a constant"));
                        }
                        current = Some(ty);
                        continue;
                    }
                    // Before the first type, constants are integers of 32 bits.
                    let ty = current.unwrap_or_else(|| self.module.types.intern(Type::Integer { width: 32 }));
                    let constant = self.constant(ty, record.code, operands)?;
                    block.values.push(Value { ty, name: None, kind: ValueKind::Constant(constant) });
                    block.offsets.push(record.offset);
                }
            }
        }
    }

    fn constant(&mut self, ty: TypeId, code: u32, mut operands: Operands<'_>) -> Result<Constant, Diagnostic> {
        let types = &self.module.types;
        let width = types.integer_width(ty);
        let constant = match code {
            2 => null(types, ty),
            3 => Constant::Undef,
            4 => match width {
                Some(width @ 1..=64) => Constant::Integer(low_bits(signed(operands.number("an integer")?), width)),
                _ => return Err(operands.error(Code::Constant, "expected an integer type of at most 64 bits")),
            },
            5 => wide_integer(width, &mut operands)?,
            6 => match types.scalar_width(ty) {
                Some(width) if types.is_float(ty) => Constant::Float(low_bits(operands.number("a number")?, width)),
                _ => return Err(operands.error(Code::Constant, "expected a floating-point type")),
            },
            7 => Constant::Aggregate(values(&mut operands)?),
            8 => text(types, ty, &[], &mut operands)?,
            9 => text(types, ty, &[0], &mut operands)?,
            22 => data(types, ty, &mut operands)?,
            11 => {
                let op = operands.choice(CastOp::ALL, "a conversion")?;
                self.ty(&mut operands)?;
                Constant::Cast { op, value: ValueId::new(operands.small("a value")?) }
            }
            12 | 20 => self.constant_element_pointer(code, &mut operands)?,
            _ => return Err(operands.unsupported(name_of(code))),
        };
        operands.end()?;
        Ok(constant)
    }

    /// `[type of the source if the number of operands is odd, (type, value)…]`
    fn constant_element_pointer(&self, code: u32, operands: &mut Operands<'_>) -> Result<Constant, Diagnostic> {
        let mut source = if operands.left() % 2 == 1 { Some(self.ty(operands)?) } else { None };
        let base_type = self.ty(operands)?;
        let base = ValueId::new(operands.small("a value")?);
        let pointee = self.module.types.pointee(base_type);
        let Some(source) = source.take().or(pointee) else {
            return Err(operands.error(Code::Constant, "expected a pointer"));
        };
        let mut indices = Vec::with_capacity(operands.left() / 2);
        while operands.left() > 0 {
            self.ty(operands)?;
            indices.push(ValueId::new(operands.small("a value")?));
        }
        Ok(Constant::ElementPointer { is_inbounds: code == 20, source, base, indices })
    }
}

/// The name of a constant that is not supported.
fn name_of(code: u32) -> &'static str {
    match code {
        10 => "a constant binary operation",
        13 => "a constant select",
        14 => "a constant extractelement",
        15 => "a constant insertelement",
        16 | 19 => "a constant shufflevector",
        17 => "a constant comparison",
        18 | 23 => "inline assembly",
        21 => "the address of a block",
        _ => "a constant with an unknown code",
    }
}

/// An integer whose sign is in the low bit, as two's complement.
fn signed(number: u64) -> u64 {
    match number {
        1 => 1 << 63,
        _ if number & 1 == 0 => number >> 1,
        _ => (number >> 1).wrapping_neg(),
    }
}

fn low_bits(number: u64, width: u32) -> u64 {
    match width {
        64.. => number,
        _ => number & ((1 << width) - 1),
    }
}

fn null(types: &Types, ty: TypeId) -> Constant {
    match types[ty] {
        Type::Integer { width } if width <= 64 => Constant::Integer(0),
        Type::Half | Type::Float | Type::Double => Constant::Float(0),
        _ => Constant::Null,
    }
}

fn values(operands: &mut Operands<'_>) -> Result<Vec<ValueId>, Diagnostic> {
    let mut values = Vec::with_capacity(operands.left());
    while operands.left() > 0 {
        values.push(ValueId::new(operands.small("a value")?));
    }
    Ok(values)
}

/// Words from the low one up; words that are missing are zero.
fn wide_integer(width: Option<u32>, operands: &mut Operands<'_>) -> Result<Constant, Diagnostic> {
    let words: Vec<u64> = operands.rest().iter().map(|&word| signed(word)).collect();
    match width {
        Some(width @ 65..) if !words.is_empty() && words.len() <= width.div_ceil(64) as usize => {
            let mut words = words;
            // What follows the last word is its sign.
            let sign = if words.last().is_some_and(|&word| word >> 63 == 1) { u64::MAX } else { 0 };
            words.resize(width.div_ceil(64) as usize, sign);
            if let (Some(last), rest @ 1..) = (words.last_mut(), width % 64) {
                *last = low_bits(*last, rest);
            }
            Ok(Constant::WideInteger(words))
        }
        Some(width @ 1..=64) if words.len() == 1 => Ok(Constant::Integer(low_bits(words[0], width))),
        _ => Err(operands.error(Code::Constant, "expected as many words as the integer type has")),
    }
}

/// The bytes of a text, with those of its `end`.
fn text(types: &Types, ty: TypeId, end: &[u64], operands: &mut Operands<'_>) -> Result<Constant, Diagnostic> {
    let mut bytes: Vec<u64> = operands.rest().iter().map(|&byte| byte & 0xff).collect();
    bytes.extend(end);
    match types[ty] {
        Type::Array { element, length } if types.integer_width(element) == Some(8) && length == bytes.len() as u64 => {
            Ok(Constant::Data(bytes))
        }
        _ => Err(operands.error(Code::Constant, "expected an array of bytes, as long as the text")),
    }
}

fn data(types: &Types, ty: TypeId, operands: &mut Operands<'_>) -> Result<Constant, Diagnostic> {
    let numbers = operands.rest();
    let (element, length) = match types[ty] {
        Type::Array { element, length } => (element, length),
        Type::Vector { element, length } => (element, u64::from(length)),
        _ => return Err(operands.error(Code::Constant, "expected the type of an array or vector")),
    };
    match types.scalar_width(element) {
        Some(width @ (8 | 16 | 32 | 64))
            if length == numbers.len() as u64 && types.vector_length(element).is_none() =>
        {
            Ok(Constant::Data(numbers.iter().map(|&number| low_bits(number, width)).collect()))
        }
        _ => Err(operands.error(Code::Constant, "expected a number for each element of the array or vector")),
    }
}

/// The values that constants can refer to.
struct Space<'a> {
    types: &'a Types,
    module: &'a [Value],
    local: &'a [Value],
}

impl<'a> Space<'a> {
    fn value(&self, id: ValueId) -> Option<&'a Value> {
        match self.module.get(id.index()) {
            Some(value) => Some(value),
            None => self.local.get(id.index() - self.module.len()),
        }
    }
}

/// Checks the constants from the value `first` on, whose records are at these bits.
fn check(space: &Space<'_>, extents: &mut [Extent], first: usize, offsets: &[u64]) -> Result<(), Diagnostic> {
    for (index, &offset) in offsets.iter().enumerate() {
        let id = ValueId::new((first + index) as u32);
        if let Some(Value { ty, kind: ValueKind::Constant(constant), .. }) = space.value(id) {
            check_constant(space, *ty, constant).map_err(|(code, message)| at_bit(code, offset, message))?;
        }
    }
    let mut is_open = vec![false; offsets.len()];
    let mut stack = Vec::new();
    for root in first..first + offsets.len() {
        stack.push(root);
        while let Some(&index) = stack.last() {
            let Some(Value { kind: ValueKind::Constant(constant), .. }) = space.value(ValueId::new(index as u32))
            else {
                stack.pop();
                continue;
            };
            let place = index - first;
            if !is_open[place] {
                is_open[place] = true;
                // Constants of earlier blocks are known already.
                let inner =
                    constant.operands().map(ValueId::index).filter(|&inner| inner >= first && !extents[inner].is_known);
                let before = stack.len();
                stack.extend(inner);
                if stack[before..].iter().any(|&inner| is_open[inner - first]) {
                    return Err(at_bit(
                        Code::Constant,
                        offsets[place],
                        "expected a constant that does not contain itself",
                    ));
                }
                continue;
            }
            stack.pop();
            if !extents[index].is_known {
                extents[index] = extent(constant, extents);
                if extents[index].depth > MAX_CONSTANT_DEPTH || extents[index].parts > MAX_CONSTANT_PARTS {
                    let message = format!(
                        "expected a constant of at most {MAX_CONSTANT_DEPTH} levels and {MAX_CONSTANT_PARTS} parts"
                    );
                    return Err(at_bit(Code::Limit, offsets[place], message));
                }
            }
        }
    }
    Ok(())
}

fn extent(constant: &Constant, extents: &[Extent]) -> Extent {
    let mut extent = Extent { depth: 0, parts: 1, is_known: true };
    for inner in constant.operands().map(|operand| extents[operand.index()]) {
        extent.depth = extent.depth.max(inner.depth + 1);
        extent.parts = extent.parts.saturating_add(inner.parts.max(1));
    }
    extent
}

/// Checks the operands of a constant: that they are constants, and of the types that it requires.
fn check_constant(space: &Space<'_>, ty: TypeId, constant: &Constant) -> Result<(), (Code, String)> {
    let types = space.types;
    let operand = |id: ValueId| match space.value(id) {
        Some(value) if is_constant(value) => Ok(value),
        Some(_) => Err((Code::Constant, format!("expected a constant, found value {id}"))),
        None => {
            let count = space.module.len() + space.local.len();
            Err((Code::Reference, format!("expected one of {count} values, found number {id}")))
        }
    };
    let wrong = |message: &str| Err((Code::Constant, message.to_owned()));
    match constant {
        Constant::Aggregate(members) => {
            let length = match &types[ty] {
                Type::Struct { members: Some(members), .. } => members.len() as u64,
                Type::Array { length, .. } => *length,
                Type::Vector { length, .. } => u64::from(*length),
                _ => return wrong("expected the type of a struct, array or vector"),
            };
            if length != members.len() as u64 {
                return wrong("expected a constant for each member");
            }
            for (index, &member) in members.iter().enumerate() {
                if types.member(ty, index as u64) != Some(operand(member)?.ty) {
                    return wrong("expected constants of the types of the members");
                }
            }
        }
        Constant::Cast { op, value } => {
            let from = operand(*value)?.ty;
            if !is_legal_cast(types, *op, from, ty) {
                return wrong("expected a conversion that exists between the two types");
            }
        }
        Constant::ElementPointer { source, base, indices, .. } => {
            let Type::Pointer { pointee, address_space } = types[operand(*base)?.ty] else {
                return wrong("expected a pointer");
            };
            let mut list = Vec::with_capacity(indices.len());
            for &index in indices {
                let value = operand(index)?;
                list.push(Index { ty: value.ty, constant: integer(value) });
            }
            let element = element_type(types, *source, list).map_err(|message| (Code::Constant, message.to_owned()))?;
            if pointee != *source || types[ty] != (Type::Pointer { pointee: element, address_space }) {
                return wrong("expected a pointer to the member, of the type of the constant");
            }
        }
        _ => {}
    }
    Ok(())
}
