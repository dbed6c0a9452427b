//! The body of a function: one file for each family of instructions.
//!
//! A value is named relative to the next number, so later values have numbers that wrap around. A later value is named with its type where
//! its place does not determine it; the type is compared when the value is defined. So every operand has a type when its instruction is
//! read, and each instruction is read once.

mod arithmetic;
mod attachments;
mod check;
mod control;
mod locations;
mod memory;
mod vectors;

use std::collections::BTreeMap;

use reconverge_diagnostic::Diagnostic;

use self::arithmetic::Condition;
use super::operands::Operands;
use super::{Reader, blocks};
use crate::bitstream::{Event, Record};
use crate::error::{Code, at_bit};
use crate::module::{
    Block, BlockId, DebugLocation, Function, FunctionId, Instruction, InstructionId, MetadataEntry, Operation, Type,
    TypeId, Types, Value, ValueId, ValueKind,
};

/// A value that is used before it is defined.
struct Forward {
    ty: TypeId,
    /// The bit of the input where the first use is.
    offset: u64,
}

/// The state of reading a body.
struct Body<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// The type of the function.
    result: TypeId,
    values: Vec<Value>,
    instructions: Vec<Instruction>,
    metadata: Vec<MetadataEntry>,
    attachments: Vec<(u32, crate::module::MetadataId)>,
    blocks: Vec<Block>,
    /// The number of blocks that are declared; none before the declaration.
    block_count: u32,
    block_names: BTreeMap<u32, Box<str>>,
    /// The first instruction of the current block.
    block_start: u32,
    /// By number of the value.
    forward: BTreeMap<u32, Forward>,
    void: TypeId,
    boolean: TypeId,
    /// The location for the records that repeat it.
    location: Option<DebugLocation>,
}

impl Reader<'_> {
    /// Reads the body of the next function that has one.
    pub(super) fn body(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        let start = self.stream.offset();
        let Some(&function) = self.bodies.get(self.next_body) else {
            let message = format!("expected {} bodies of functions, found another one", self.bodies.len());
            return Err(at_bit(Code::Layout, start, message));
        };
        self.next_body += 1;
        let Function { ty, result, .. } = self.module.functions[function.index()];
        let parameters = match &self.module.types[ty] {
            Type::Function { parameters, .. } => parameters.clone(),
            _ => Vec::new(),
        };
        let (void, boolean) =
            (self.module.types.intern(Type::Void), self.module.types.intern(Type::Integer { width: 1 }));
        let parameter = |(index, ty)| Value { ty, name: None, kind: ValueKind::Parameter(index) };
        let values: Vec<Value> = (0..).zip(parameters).map(parameter).collect();
        let parameter_count = values.len() as u32;
        let mut body = Body {
            reader: self,
            result,
            values,
            instructions: Vec::new(),
            metadata: Vec::new(),
            attachments: Vec::new(),
            blocks: Vec::new(),
            block_count: 0,
            block_names: BTreeMap::new(),
            block_start: 0,
            forward: BTreeMap::new(),
            void,
            boolean,
            location: None,
        };
        body.read(record)?;
        body.finish(function, parameter_count)
    }
}

impl Body<'_, '_> {
    fn read(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match self.reader.stream.next(record)? {
                Event::End => return Ok(()),
                Event::Record => self.record(record)?,
                Event::Enter(blocks::CONSTANTS) if !self.instructions.is_empty() => {
                    let message = "expected the constants of a body before its instructions";
                    return Err(at_bit(Code::Layout, self.reader.stream.offset(), message));
                }
                Event::Enter(blocks::CONSTANTS) => {
                    if let Some((number, forward)) = self.forward.first_key_value() {
                        let message = format!("expected value {number} to be an instruction");
                        return Err(at_bit(Code::Layout, forward.offset, message));
                    }
                    self.reader.body_constants(&mut self.values, record)?;
                }
                Event::Enter(blocks::VALUE_SYMTAB) => self.symbols(record)?,
                Event::Enter(blocks::METADATA_ATTACHMENT) => self.attachments(record)?,
                Event::Enter(blocks::METADATA) => self.local_metadata(record)?,
                Event::Enter(_) => self.reader.stream.skip(),
            }
        }
    }

    fn record(&mut self, record: &Record) -> Result<(), Diagnostic> {
        let mut operands = Operands::new(record);
        if record.code == 1 {
            return self.declare_blocks(&mut operands);
        }
        match record.code {
            33 => return self.repeat_location(&operands),
            35 => return self.set_location(&mut operands),
            _ => {}
        }
        if self.blocks.len() as u32 == self.block_count {
            return Err(operands.error(Code::Terminator, "expected the end of the body after its last block"));
        }
        match record.code {
            2 => self.binary(operands),
            3 => self.cast(operands),
            9 | 28 => self.compare(operands),
            5 => self.select(operands, Condition::Boolean),
            29 => self.select(operands, Condition::Typed),
            6 => self.extract_element(operands),
            7 => self.insert_element(operands),
            8 => self.shuffle_vector(operands),
            26 => self.extract_value(operands),
            27 => self.insert_value(operands),
            10 => self.return_value(operands),
            11 => self.branch(operands),
            12 => self.switch(operands),
            15 => self.unreachable(operands),
            16 => self.phi(operands),
            34 => self.call(operands),
            19 => self.alloca(operands),
            20 => self.load(operands),
            44 => self.store(operands),
            43 => self.element_pointer(operands),
            38 => self.atomic_rmw(operands),
            46 => self.compare_exchange(operands),
            36 => self.fence(operands),
            code => Err(operands.unsupported(&name_of(code))),
        }
    }

    fn declare_blocks(&mut self, operands: &mut Operands<'_>) -> Result<(), Diagnostic> {
        let count = operands.small("a number of blocks")?;
        operands.end()?;
        if self.block_count != 0 || count == 0 {
            return Err(
                operands.error(Code::Layout, "expected one declaration of blocks, of which there is at least one")
            );
        }
        // A block has a terminator, and that takes more than a bit.
        if u64::from(count) > self.reader.stream.left() {
            let message = format!("expected at most {} blocks, found {count}", self.reader.stream.left());
            return Err(operands.error(Code::Truncated, message));
        }
        self.block_count = count;
        Ok(())
    }

    fn finish(mut self, id: FunctionId, parameter_count: u32) -> Result<(), Diagnostic> {
        let end = self.reader.stream.offset();
        if self.block_count == 0 || self.blocks.len() as u32 != self.block_count {
            let message = format!("expected {} blocks with terminators, found {}", self.block_count, self.blocks.len());
            return Err(at_bit(Code::Terminator, end, message));
        }
        if let Some((number, forward)) = self.forward.first_key_value() {
            let message = format!("expected value {number} to be defined in the body");
            return Err(at_bit(Code::Reference, forward.offset, message));
        }
        for (number, name) in std::mem::take(&mut self.block_names) {
            self.blocks[number as usize].name = Some(name);
        }
        let Body { reader, values, instructions, metadata, attachments, blocks, .. } = self;
        let function = &mut reader.module.functions[id.index()];
        function.values = values;
        function.parameter_count = parameter_count;
        function.blocks = blocks;
        function.instructions = instructions;
        function.metadata = metadata;
        function.attachments = attachments;
        check::check(&reader.module, &reader.module.functions[id.index()])
    }

    fn types(&self) -> &Types {
        &self.reader.module.types
    }

    /// The number of the next value.
    fn next(&self) -> u32 {
        (self.reader.module.values.len() + self.values.len()) as u32
    }

    /// The value with this number, if it is defined.
    fn value(&self, number: u32) -> Option<&Value> {
        let count = self.reader.module.values.len();
        match self.reader.module.values.get(number as usize) {
            Some(value) => Some(value),
            None => self.values.get(number as usize - count),
        }
    }

    /// A use of a value by its number; `ty` is required of a value, and of one that comes later.
    fn use_value(
        &mut self,
        number: u32,
        ty: Option<TypeId>,
        operands: &Operands<'_>,
    ) -> Result<(ValueId, TypeId), Diagnostic> {
        let found = match (self.value(number), ty) {
            (Some(value), _) => value.ty,
            (None, None) => {
                return Err(operands.error(Code::Reference, format!("expected a value, found number {number}")));
            }
            (None, Some(ty)) => {
                let offset = operands.offset();
                self.forward.entry(number).or_insert(Forward { ty, offset }).ty
            }
        };
        match ty {
            Some(ty) if ty != found => {
                let message = format!("expected value {number} to have type {ty}, found type {found}");
                Err(operands.error(Code::Operand, message))
            }
            _ => Ok((ValueId::new(number), found)),
        }
    }

    /// The next operand as a value; one that comes later is followed by its type.
    fn typed(&mut self, operands: &mut Operands<'_>) -> Result<(ValueId, TypeId), Diagnostic> {
        let number = self.relative(operands)?;
        let ty = if number < self.next() { None } else { Some(self.first_class(operands)?) };
        self.use_value(number, ty, operands)
    }

    /// The next operand as a value of a known type.
    fn of_type(&mut self, ty: TypeId, operands: &mut Operands<'_>) -> Result<ValueId, Diagnostic> {
        let number = self.relative(operands)?;
        Ok(self.use_value(number, Some(ty), operands)?.0)
    }

    /// The next operand as the number of a value, which counts back from the next one.
    fn relative(&self, operands: &mut Operands<'_>) -> Result<u32, Diagnostic> {
        Ok(self.next().wrapping_sub(operands.small("a value")?))
    }

    /// The next operand as a type that a value can have.
    fn first_class(&self, operands: &mut Operands<'_>) -> Result<TypeId, Diagnostic> {
        let ty = self.reader.ty(operands)?;
        match self.types().is_sized(ty) {
            true => Ok(ty),
            false => Err(operands.error(Code::Type, format!("expected the type of a value, found type {ty}"))),
        }
    }

    /// The next operand as a block.
    fn block(&self, operands: &mut Operands<'_>) -> Result<BlockId, Diagnostic> {
        let number = operands.small("a block")?;
        match number < self.block_count {
            true => Ok(BlockId::new(number)),
            false => {
                let message = format!("expected one of {} blocks, found number {number}", self.block_count);
                Err(operands.error(Code::Reference, message))
            }
        }
    }

    /// Checks a requirement on an operand.
    fn require(is_met: bool, what: &str, operands: &Operands<'_>) -> Result<(), Diagnostic> {
        match is_met {
            true => Ok(()),
            false => Err(operands.error(Code::Operand, format!("expected {what}"))),
        }
    }

    /// Adds an instruction, and its result as the next value.
    fn push(&mut self, operation: Operation, ty: TypeId, operands: &Operands<'_>) -> Result<(), Diagnostic> {
        operands.end()?;
        let is_terminator = operation.is_terminator();
        let id = InstructionId::new(self.instructions.len() as u32);
        let result = if ty == self.void { None } else { Some(ValueId::new(self.next())) };
        if let Some(value) = result {
            if let Some(forward) = self.forward.remove(&value.number())
                && forward.ty != ty
            {
                let message = format!("expected value {value} to have type {ty}, found a use with type {}", forward.ty);
                return Err(at_bit(Code::Operand, forward.offset, message));
            }
            self.values.push(Value { ty, name: None, kind: ValueKind::Instruction(id) });
        }
        let offset = operands.offset();
        self.instructions.push(Instruction { operation, ty, result, location: None, metadata: Vec::new(), offset });
        if is_terminator {
            let end = id.number() + 1;
            self.blocks.push(Block { name: None, instructions: self.block_start..end });
            self.block_start = end;
        }
        Ok(())
    }

    /// Reads names of values and blocks: `[number, character…]`.
    fn symbols(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match self.reader.stream.next(record)? {
                Event::Enter(_) => self.reader.stream.skip(),
                Event::End => return Ok(()),
                Event::Record if record.code == 1 => {
                    let mut operands = Operands::new(record);
                    let number = operands.small("a value")?;
                    let first = self.reader.module.values.len();
                    let index = (number as usize).checked_sub(first);
                    let Some(value) = index.and_then(|index| self.values.get_mut(index)) else {
                        let message = format!("expected a value of the body, found number {number}");
                        return Err(operands.error(Code::Reference, message));
                    };
                    value.name = Some(operands.text().into());
                }
                Event::Record if record.code == 2 => {
                    let mut operands = Operands::new(record);
                    let block = self.block(&mut operands)?;
                    self.block_names.insert(block.number(), operands.text().into());
                }
                Event::Record => {}
            }
        }
    }
}

/// The name of an instruction that DXIL cannot contain.
fn name_of(code: u32) -> String {
    let name = match code {
        4 | 30 => "a getelementptr in an old form",
        13 => "invoke",
        23 => "va_arg",
        24 => "a store in an old form",
        31 => "indirectbr",
        37 => "a cmpxchg in an old form",
        39 => "resume",
        40 | 47 => "landingpad",
        41 => "an atomic load",
        42 | 45 => "an atomic store",
        _ => return format!("an instruction with code {code}"),
    };
    name.to_owned()
}
