//! Reads binary SPIR-V.
//!
//! ```text
//! bytes ─ words ─ survey ─ decorations ─ globals ─ functions ─ bodies ─ module
//! ```
//!
//! Each step is one walk over the words. References to later parts of the file (a call to a later function, a pointer to a later struct, an
//! entry point) are created without operands and completed at the end; a type or constant, which *is* its operands, waits for them instead
//! (`globals.rs`). Nothing recurses, and memory is linear in the file.
//!
//! Control flow becomes that of the IR: phis become block parameters (`phi.rs`), critical edges and multi-way edges that pass
//! arguments get edge blocks, and merge instructions become structured terminators (`structure.rs`).

mod body;
mod decorations;
mod flow;
mod function;
mod globals;
mod numbers;
mod order;
mod phi;
mod positions;
mod structure;
mod survey;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Location, Module, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::Header;
use crate::binary::{self, Instruction};
use crate::error::{ReadCode, at_word};
use crate::grammar::{self, Decoded, PieceKind};
use crate::groups::Ungrouped;

pub(crate) use decorations::decoration_op;
pub(crate) use function::is_terminator;
pub(crate) use survey::Survey;

/// Options of the reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// The treatment of merge instructions.
    pub merges: Merges,
}

/// The treatment of `OpLoopMerge` and `OpSelectionMerge`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Merges {
    /// They become structured terminators. A function with merges is read at stage Structured, and so is one of a shader that needs none,
    /// since it has no two-way branch, switch or loop; every other function is read at stage Graph. A merge instruction in a place where
    /// none is allowed is an error.
    #[default]
    Keep,
    /// The same, but a merge instruction in a place where none is allowed is ignored, and its function is read at stage Graph.
    Mend,
    /// They are removed; every function is read at stage Graph.
    Strip,
}

/// Reads a module of binary SPIR-V 1.0 to 1.6, in either byte order.
///
/// Ids become numbers of the IR, unless the bound in the header is out of proportion to the file. Types and constants that are declared
/// twice become one, and decoration groups are expanded. Debug lines and scopes become the location of every instruction that they apply
/// to; those without such an instruction (before another line or after a function's last block) are dropped.
///
/// # Errors
/// Bytes that are not such a module, with the word of the error. Rules that the verifier checks are not checked here.
///
/// # Complexity
/// Linear in the file, in time and memory.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Module, Diagnostic> {
    let file = Ungrouped::of(binary::words(bytes)?)?;
    read_words(&file.words, options).map_err(|error| file.in_file(error))
}

/// The first instruction with words after its last operand, if [`read()`] ignores them: LLVM's SPIR-V back end before version 23 writes
/// some after null events and operations on floats. `None` for every file that is not such a module. Linear.
pub fn ignored_surplus(bytes: &[u8]) -> Option<Diagnostic> {
    let file = Ungrouped::of(binary::words(bytes).ok()?).ok()?;
    let error = Survey::of(&file.words).ok()?.first_surplus(&file.words)?;
    Some(file.in_file(error))
}

fn read_words(words: &[u32], options: &ReadOptions) -> Result<Module, Diagnostic> {
    let header = Header::of_words(words);
    check_version(header)?;
    let survey = Survey::of(words)?;
    let mut reader = Reader::new(words, survey, *options);
    header.store(&mut reader.module);
    reader.read_decorations()?;
    let outline = reader.read_globals()?;
    reader.read_functions(&outline)?;
    reader.check_memory_model()?;
    reader.finish()
}

fn check_version(header: Header) -> Result<(), Diagnostic> {
    if header.has_known_version() {
        return Ok(());
    }
    let (first, last) = (Header::version_word(1, 0), Header::version_word(1, 6));
    let message = format!("expected version 1.0 to 1.6, {first:#010x} to {last:#010x}, found {:#010x}", header.version);
    Err(at_word(ReadCode::Version, 1, message))
}

/// An operand whose instruction may not exist yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// An existing instruction.
    Inst(Inst),
    /// The instruction with this number, which may exist or not.
    Number(u32),
}

impl Slot {
    /// The number, if the instruction may not exist yet.
    fn number(self) -> Option<u32> {
        match self {
            Slot::Number(number) => Some(number),
            Slot::Inst(_) => None,
        }
    }
}

/// The operands of an instruction. Most have few.
pub(crate) type Slots = SmallVec<[Slot; 6]>;

/// The state of the reader, with the incomplete module.
pub(crate) struct Reader<'a> {
    words: &'a [u32],
    survey: Survey,
    options: ReadOptions,
    module: Module,
    /// The instruction of each number, if it exists yet.
    insts: Vec<Option<Inst>>,
    decorations: FxHashMap<u32, Vec<Inst>>,
    /// Decorations that have ids among their operands: target, op, operands.
    late_decorations: Vec<(u32, Op, Slots)>,
    /// Instructions that were created without their operands.
    unfinished: Vec<(Inst, Slots)>,
    /// The location of the next instruction.
    location: Option<Location>,
    /// The location that debug instructions stated and that still holds; `None` if there is none.
    in_effect: Option<Location>,
    decoded: Decoded,
    /// A buffer for the operands of the current instruction.
    operands: Vec<Inst>,
}

impl<'a> Reader<'a> {
    fn new(words: &'a [u32], survey: Survey, options: ReadOptions) -> Reader<'a> {
        let bound = survey.numbers.bound();
        Reader {
            words,
            survey,
            options,
            module: Module::with_numbers(bound),
            insts: vec![None; bound as usize],
            decorations: FxHashMap::default(),
            late_decorations: Vec::new(),
            unfinished: Vec::new(),
            location: None,
            in_effect: None,
            decoded: Decoded::default(),
            operands: Vec::new(),
        }
    }

    /// A module has a memory model (section 2.4); a header alone is not a module.
    fn check_memory_model(&self) -> Result<(), Diagnostic> {
        let module = &self.module;
        if module.globals().any(|inst| module.op(inst) == Op::MemoryModel) {
            return Ok(());
        }
        let message = "expected OpMemoryModel, which every module has, found the end of the file";
        Err(at_word(ReadCode::Layout, self.words.len(), message))
    }

    /// Completes the instructions that were created without operands.
    fn finish(mut self) -> Result<Module, Diagnostic> {
        for (inst, slots) in std::mem::take(&mut self.unfinished) {
            let operands =
                self.resolve(&slots).expect("invariant: an id that is defined has an instruction in the end");
            self.module.edit().set_operands(inst, &operands);
        }
        for (target, op, slots) in std::mem::take(&mut self.late_decorations) {
            let operands =
                self.resolve(&slots).expect("invariant: an id that is defined has an instruction in the end");
            let target =
                self.insts[target as usize].expect("invariant: an id that is defined has an instruction in the end");
            let mut edit = self.module.edit();
            let decoration = edit.unique(op, None, &operands);
            edit.decorate(target, decoration);
        }
        Ok(self.module)
    }

    /// Decodes an instruction into `self.decoded`.
    fn decode(&mut self, instruction: &Instruction<'_>) -> Result<(), Diagnostic> {
        grammar::decode(instruction, &self.survey, &mut self.decoded)
    }

    /// The operands of the instruction that was decoded last.
    fn slots(&mut self, instruction: &Instruction<'_>) -> Result<Slots, Diagnostic> {
        let mut slots = Slots::with_capacity(self.decoded.pieces.len());
        for piece in &self.decoded.pieces {
            let words = &instruction.words[piece.start..piece.start + piece.count];
            slots.push(match piece.kind {
                PieceKind::Id => Slot::Number(self.survey.number(words[0], instruction.offset + piece.start)?),
                PieceKind::Words => Slot::Inst(self.module.edit().literal(words)),
                PieceKind::Text => Slot::Inst(self.module.edit().text_from_words(words)),
            });
        }
        Ok(slots)
    }

    /// The numbers of the result type and the result of the instruction that was decoded last.
    fn results(&self, instruction: &Instruction<'_>) -> Result<(Option<u32>, Option<u32>), Diagnostic> {
        let number = |at: Option<usize>| {
            at.map(|at| self.survey.number(instruction.words[at], instruction.offset + at)).transpose()
        };
        Ok((number(self.decoded.ty)?, number(self.decoded.result)?))
    }

    fn slot(&self, slot: Slot) -> Option<Inst> {
        match slot {
            Slot::Inst(inst) => Some(inst),
            Slot::Number(number) => self.insts[number as usize],
        }
    }

    fn resolve(&self, slots: &[Slot]) -> Option<Vec<Inst>> {
        slots.iter().map(|&slot| self.slot(slot)).collect()
    }

    /// The type of the instruction that was decoded last, which has to exist.
    fn type_inst(&self, number: Option<u32>, instruction: &Instruction<'_>) -> Result<Option<Inst>, Diagnostic> {
        let Some(number) = number else { return Ok(None) };
        let message = || format!("expected a type that is declared earlier, found {}", instruction.words[1]);
        let inst = self.insts[number as usize];
        inst.map(Some).ok_or_else(|| at_word(ReadCode::ForwardReference, instruction.offset + 1, message()))
    }

    /// Creates an instruction, without operands if not all of them exist, and does not place it.
    fn create(&mut self, op: Op, number: Option<u32>, ty: Option<Inst>, slots: Slots) -> Inst {
        let mut operands = std::mem::take(&mut self.operands);
        operands.clear();
        operands.extend(slots.iter().map_while(|&slot| self.slot(slot)));
        let is_whole = operands.len() == slots.len();
        if !is_whole {
            operands.clear();
        }
        let decorations = number.and_then(|number| self.decorations.remove(&number)).unwrap_or_default();
        let mut edit = self.module.edit();
        let inst = match number {
            Some(number) => edit.create_numbered(number, op, ty, &operands, &decorations),
            None => edit.create(op, ty, &operands),
        };
        self.operands = operands;
        if !is_whole {
            self.unfinished.push((inst, slots));
        }
        if let Some(number) = number {
            self.insts[number as usize] = Some(inst);
            self.keep_names(inst, number, &decorations);
        }
        if let Some(location) = self.location.take() {
            self.module.edit().set_location(inst, Some(location));
        }
        inst
    }

    /// Keeps the names of a type or constant that is declared twice, which is one instruction: it has the first name.
    fn keep_names(&mut self, inst: Inst, number: u32, decorations: &[Inst]) {
        if inst.index() == number as usize || self.module.name(inst).is_some() {
            return;
        }
        let name = decorations.iter().find(|&&decoration| self.module.op(decoration) == Op::Name);
        if let Some(&name) = name {
            self.module.edit().decorate(inst, name);
        }
    }
}
