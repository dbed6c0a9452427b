//! Records to a module: one file for each kind of block.
//!
//! The order of blocks is that of LLVM 3.7: types, then variables and functions, constants, metadata, names, then a block for each function
//! that has a body. Numbers of values count variables and functions first, then constants. A body continues the numbers, and ends them.
//!
//! Time and memory are linear in the input: each record is read once, and nothing is allocated for a count that the input only states.

mod attributes;
mod body;
mod casts;
mod constants;
mod element_pointer;
mod globals;
mod metadata;
mod operands;
mod symbols;
mod types;

use reconverge_diagnostic::Diagnostic;

use crate::bitstream::{Event, Record, Stream};
use crate::container;
use crate::error::{Code, at_bit, at_byte};
use crate::module::{Constant, FunctionId, Module, TypeId, Value, ValueId, ValueKind};

use attributes::Attributes;
use constants::Extent;
use globals::Initializer;
use operands::Operands;

/// The most bytes of an input. Counts and numbers of everything in it then fit in 32 bits.
pub const MAX_INPUT: usize = 1 << 28;

/// Numbers of the blocks of LLVM 3.7.
mod blocks {
    pub(super) const MODULE: u32 = 8;
    pub(super) const PARAMATTR: u32 = 9;
    pub(super) const PARAMATTR_GROUP: u32 = 10;
    pub(super) const CONSTANTS: u32 = 11;
    pub(super) const FUNCTION: u32 = 12;
    pub(super) const VALUE_SYMTAB: u32 = 14;
    pub(super) const METADATA: u32 = 15;
    pub(super) const METADATA_ATTACHMENT: u32 = 16;
    pub(super) const TYPE_NEW: u32 = 17;
}

/// Reads a container, or bitcode without one. Linear in the size of the input.
///
/// # Errors
/// The first error, with its place. A module that is returned keeps the rules of [`module`](crate::module).
pub fn read(bytes: &[u8]) -> Result<Module, Diagnostic> {
    if bytes.len() > MAX_INPUT {
        let message = format!("expected at most {MAX_INPUT} bytes, found {}", bytes.len());
        return Err(at_byte(Code::Limit, MAX_INPUT, message));
    }
    let program = container::program(bytes)?;
    let start = program.bitcode.start;
    let mut reader = Reader {
        stream: Stream::new(&bytes[program.bitcode], start)?,
        module: Module { header: program.header, ..Module::default() },
        types: Vec::new(),
        attributes: Attributes::default(),
        initializers: Vec::new(),
        extents: Vec::new(),
        bodies: Vec::new(),
        next_body: 0,
        has_version: false,
        is_before_bodies: true,
    };
    reader.outer()?;
    Ok(reader.module)
}

/// The state of reading a module.
struct Reader<'a> {
    stream: Stream<'a>,
    module: Module,
    /// The type that each number of the file means.
    types: Vec<TypeId>,
    attributes: Attributes,
    initializers: Vec<Initializer>,
    /// The extent of each value of the module, if it is a constant.
    extents: Vec<Extent>,
    /// Functions with a body, in order.
    bodies: Vec<FunctionId>,
    next_body: usize,
    has_version: bool,
    /// True if no body has been read, so that values and metadata may still be added to the module.
    is_before_bodies: bool,
}

impl Reader<'_> {
    /// Reads the blocks outside of all others: the result is the first module.
    fn outer(&mut self) -> Result<(), Diagnostic> {
        let mut record = Record::default();
        while !self.stream.is_at_end() {
            match self.stream.next(&mut record)? {
                Event::Enter(blocks::MODULE) => return self.module(&mut record),
                Event::Enter(_) => self.stream.skip(),
                Event::End | Event::Record => {}
            }
        }
        Err(at_bit(Code::Layout, self.stream.offset(), "expected a module"))
    }

    fn module(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match self.stream.next(record)? {
                Event::Enter(block) => self.block(block, record)?,
                Event::Record => self.record(record)?,
                Event::End => return self.finish(),
            }
        }
    }

    fn block(&mut self, block: u32, record: &mut Record) -> Result<(), Diagnostic> {
        let start = self.stream.offset();
        match block {
            blocks::PARAMATTR_GROUP => self.attributes.read_groups(&mut self.stream, record),
            blocks::PARAMATTR => self.attributes.read_lists(&mut self.stream, record),
            blocks::VALUE_SYMTAB => self.symbols(record),
            blocks::TYPE_NEW | blocks::CONSTANTS | blocks::METADATA if !self.is_before_bodies => {
                Err(at_bit(Code::Layout, start, "expected types, constants and metadata before all bodies"))
            }
            blocks::TYPE_NEW if !self.types.is_empty() || !self.module.values.is_empty() => {
                Err(at_bit(Code::Layout, start, "expected one table of types, before everything that uses it"))
            }
            blocks::TYPE_NEW => self.type_table(record),
            blocks::CONSTANTS => self.module_constants(record),
            blocks::METADATA => self.module_metadata(record),
            blocks::FUNCTION => {
                self.finish_globals()?;
                self.body(record)
            }
            _ => {
                self.stream.skip();
                Ok(())
            }
        }
    }

    fn record(&mut self, record: &Record) -> Result<(), Diagnostic> {
        let mut operands = Operands::new(record);
        match record.code {
            1 => {
                let version = operands.number("a version")?;
                self.has_version = true;
                match version {
                    1 => Ok(()),
                    _ => {
                        Err(operands
                            .error(Code::Unsupported, format!("expected version 1 of bitcode, found {version}")))
                    }
                }
            }
            2 => {
                self.module.triple = operands.text();
                Ok(())
            }
            3 => {
                self.module.data_layout = operands.text();
                Ok(())
            }
            7 | 8 if !self.is_before_bodies || self.has_constants() => {
                Err(operands.error(Code::Layout, "expected variables and functions before constants and bodies"))
            }
            7 => self.global_variable(operands),
            8 => self.function(operands),
            4 => Err(operands.unsupported("a module with inline assembly")),
            9 | 14 => Err(operands.unsupported("an alias")),
            _ => Ok(()),
        }
    }

    fn has_constants(&self) -> bool {
        matches!(self.module.values.last(), Some(Value { kind: ValueKind::Constant(_), .. }))
    }

    fn finish(&mut self) -> Result<(), Diagnostic> {
        let end = self.stream.offset();
        self.finish_globals()?;
        if !self.has_version {
            return Err(at_bit(Code::Unsupported, end, "expected version 1 of bitcode, found version 0"));
        }
        match self.bodies.get(self.next_body) {
            Some(&function) => {
                let offset = self.module.functions[function.index()].offset;
                Err(at_bit(Code::Layout, offset, format!("expected a body of function {function}")))
            }
            None => Ok(()),
        }
    }

    /// The type that a number of the file means.
    fn ty(&self, operands: &mut Operands<'_>) -> Result<TypeId, Diagnostic> {
        let number = operands.number("a type")?;
        match usize::try_from(number).ok().and_then(|number| self.types.get(number)) {
            Some(&ty) => Ok(ty),
            None => {
                let message = format!("expected one of {} types, found number {number}", self.types.len());
                Err(operands.error(Code::Type, message))
            }
        }
    }

    /// Adds a value to the module.
    fn push_value(&mut self, ty: TypeId, kind: ValueKind) -> ValueId {
        let id = ValueId::new(self.module.values.len() as u32);
        self.module.values.push(Value { ty, name: None, kind });
        self.extents.push(Extent::default());
        id
    }
}

/// Returns whether a value is a constant, or the address of a variable or function, which are constants too.
fn is_constant(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Constant(_) | ValueKind::Global(_) | ValueKind::Function(_))
}

/// An integer constant of at most 64 bits.
fn integer(value: &Value) -> Option<u64> {
    match value.kind {
        ValueKind::Constant(Constant::Integer(integer)) => Some(integer),
        _ => None,
    }
}
