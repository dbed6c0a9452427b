//! Emission of words: instructions in sequence, and the ids of their operands.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Inst, Location, Module, Op};
use rustc_hash::FxHashMap;

use crate::Header;
use crate::binary::{GREATEST_BOUND, HEADER_WORDS, MAGIC, MAX_INSTRUCTION_WORDS};
use crate::error::{WriteCode, at_inst};
use crate::opcode;

/// The index of the bound in the header.
const BOUND: usize = 3;

/// The state of the output.
pub(super) struct Emitter<'m> {
    pub(super) module: &'m Module,
    words: Vec<u32>,
    /// The id of each instruction; 0 if it has none yet.
    ids: Vec<u32>,
    next_id: u32,
    /// Types that are not declared, and those that replace them.
    pub(super) same: FxHashMap<Inst, Inst>,
    /// The location that debug instructions stated and that still holds.
    pub(super) in_effect: Location,
    /// The type of debug instructions.
    pub(super) void: Option<Inst>,
}

impl<'m> Emitter<'m> {
    pub(super) fn new(module: &'m Module, header: Header) -> Emitter<'m> {
        let mut words = vec![MAGIC, header.version, header.generator, 0, header.schema];
        debug_assert_eq!(words.len(), HEADER_WORDS);
        words.reserve(module.capacity() * 4);
        Emitter {
            module,
            words,
            ids: vec![0; module.capacity()],
            next_id: module.number_bound().max(1),
            same: FxHashMap::default(),
            in_effect: Location::NONE,
            void: module.globals().find(|&global| module.op(global) == Op::TypeVoid),
        }
    }

    /// The bytes of the module, with its bound in the header.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, Diagnostic> {
        if self.next_id > GREATEST_BOUND {
            let message = format!("expected a bound of ids of at most {GREATEST_BOUND}, found {}", self.next_id);
            return Err(at_inst(WriteCode::Limit, self.module.root(), message));
        }
        self.words[BOUND] = self.next_id;
        Ok(self.words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// An unused id.
    pub(super) fn fresh_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }

    /// The id of an instruction: its own number if it has one, or else the next free one.
    pub(super) fn id(&mut self, inst: Inst) -> u32 {
        let index = self.same.get(&inst).unwrap_or(&inst).index();
        if self.ids[index] == 0 {
            let has_number = index != 0 && index < self.module.number_bound() as usize;
            self.ids[index] = if has_number { index as u32 } else { self.fresh_id() };
        }
        self.ids[index]
    }

    /// Begins an instruction. The result is passed to [`Emitter::end`].
    pub(super) fn begin(&mut self, opcode: u16) -> usize {
        self.words.push(u32::from(opcode));
        self.words.len() - 1
    }

    pub(super) fn word(&mut self, word: u32) {
        self.words.push(word);
    }

    /// Writes the words of a literal, or the id of any other operand.
    pub(super) fn operand(&mut self, user: Inst, operand: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(operand);
        if op.is_literal() {
            self.words.extend_from_slice(self.module.literal_words(operand));
            return Ok(());
        }
        if !op.has_result() || op == Op::Dead || op == Op::Merged {
            let message = format!("expected an operand with a result, found {} {operand}", op.name());
            return Err(at_inst(WriteCode::Operand, user, message));
        }
        let id = self.id(operand);
        self.words.push(id);
        Ok(())
    }

    /// Ends an instruction: writes its word count.
    pub(super) fn end(&mut self, start: usize, user: Inst) -> Result<(), Diagnostic> {
        let count = self.words.len() - start;
        if count > MAX_INSTRUCTION_WORDS {
            let message = format!("expected at most {MAX_INSTRUCTION_WORDS} words in an instruction, found {count}");
            return Err(at_inst(WriteCode::Limit, user, message));
        }
        self.words[start] |= (count as u32) << 16;
        Ok(())
    }

    /// Writes an instruction of a block that has the same form in SPIR-V and in the IR, with its location.
    pub(super) fn instruction(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        self.location(inst)?;
        self.plain(inst)
    }

    /// Writes an instruction outside the functions, with its line.
    pub(super) fn global(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        self.global_line(inst)?;
        self.plain(inst)
    }

    fn plain(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let op = module.op(inst);
        let mut operands = module.operands(inst);
        let opcode = match op.class() {
            Class::Opaque => {
                operands.next().and_then(|operand| module.literal_word(operand)).and_then(|word| word.try_into().ok())
            }
            Class::Structure | Class::Literal | Class::Removed => None,
            // Equal types are one type here, but `OpCopyLogical` requires two.
            _ if op == Op::CopyLogical
                && operands.clone().next().is_some_and(|value| module.ty(value) == module.ty(inst)) =>
            {
                Some(opcode::COPY_OBJECT)
            }
            _ => op.opcode(),
        };
        let Some(opcode) = opcode else {
            return Err(at_inst(WriteCode::Op, inst, format!("expected an op of SPIR-V, found {}", op.name())));
        };
        let start = self.begin(opcode);
        self.results(inst)?;
        for operand in operands {
            self.operand(inst, operand)?;
        }
        self.end(start, inst)
    }

    /// Writes the result type and the result of an instruction that has them.
    pub(super) fn results(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        if op.has_type() {
            let missing = || at_inst(WriteCode::Operand, inst, "expected a type, found none");
            let ty = self.module.ty(inst).ok_or_else(missing)?;
            self.operand(inst, ty)?;
        }
        if op.has_result() {
            let id = self.id(inst);
            self.words.push(id);
        }
        Ok(())
    }
}
