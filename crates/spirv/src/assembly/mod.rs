//! Disassembler: binary SPIR-V as the text that `spirv-as` accepts, and assembles to the same words.
//!
//! Ids keep their numbers (`--preserve-numeric-ids`), names are in `OpName`. Names of opcodes and enumerants come from the tables of the
//! `rspirv` crate. A word without a name there, or without a textual value, is written `!<word>`, which `spirv-as` accepts for any word.
//! After such a word, every word of the instruction except ids and strings is written in this form. If the opcode has no name, it is the
//! first word.

mod names;
mod numbers;
mod operands;
mod parse;

use std::fmt::Write as _;

use rspirv::dr::Operand;
use rspirv::grammar::{ExtInstOp, InstructionTable, LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table};
use rustc_hash::FxHashMap;

pub use self::parse::{Assembled, assemble, is_assembly};

use self::numbers::Number;
use crate::binary::{self, Instruction};
use crate::grammar::{self, InstructionSet, Results};
use crate::opcode;

/// The assembly of a module, with a final newline. Linear.
///
/// # Errors
/// Words that cannot be read: no header, or an instruction that does not end where the file does.
pub fn disassemble(bytes: &[u8]) -> Result<String, String> {
    let words = binary::words(bytes).map_err(|error| error.to_string())?;
    let instructions: Result<Vec<_>, _> = binary::all_instructions(&words).collect();
    let instructions = instructions.map_err(|error| error.to_string())?;
    // An instruction that begins with a word does not end a previous one that may have more operands; that one has to begin with a word,
    // too.
    let mut begin_with_word = vec![false; instructions.len()];
    let mut is_next = false;
    for (index, instruction) in instructions.iter().enumerate().rev() {
        is_next = !names::has_name(instruction) || is_next && !names::is_closed(instruction);
        begin_with_word[index] = is_next;
    }
    let mut printer = Printer::default();
    printer.header(&words);
    for (instruction, begins_with_word) in instructions.iter().zip(begin_with_word) {
        printer.begins_with_word = begins_with_word;
        printer.instruction(instruction);
    }
    Ok(printer.text)
}

/// An extended instruction set whose import `spirv-as` accepts.
#[derive(Clone, Copy)]
struct Set {
    /// Its instructions, if `spirv-as` knows their names.
    table: Option<&'static InstructionTable<ExtInstOp>>,
    /// True if all operands are ids.
    has_ids: bool,
}

impl Set {
    /// The set of that name; `None` if `spirv-as` rejects it.
    fn from_name(name: &str) -> Option<Set> {
        let is_named = names::is_named_set(name);
        let table = ext_inst_table(name).filter(|_| is_named);
        let has_ids = InstructionSet::from_name(name.as_bytes()).has_ids();
        (is_named || name.starts_with("NonSemantic.")).then_some(Set { table, has_ids })
    }
}

/// Writes a module, instruction by instruction. It tracks the same state as `spirv-as`, in the same order.
#[derive(Default)]
struct Printer {
    text: String,
    /// True if the current instruction begins with a word in place of its name.
    begins_with_word: bool,
    /// True if the current instruction contains a `!<word>`.
    is_raw: bool,
    /// The number types by id, and those of values of such a type.
    numbers: FxHashMap<u32, Number>,
    sets: FxHashMap<u32, Set>,
}

impl Printer {
    /// The header, as a comment (SPIR-V section 2.3).
    fn header(&mut self, words: &[u32]) {
        let (major, minor) = (words[1] >> 16 & 0xff, words[1] >> 8 & 0xff);
        let (generator, bound, schema) = (words[2], words[3], words[4]);
        let _ = writeln!(self.text, "; SPIR-V\n; Version: {major}.{minor}\n; Generator: {generator:#010x}");
        let _ = writeln!(self.text, "; Bound: {bound}\n; Schema: {schema}");
    }

    fn instruction(&mut self, instruction: &Instruction<'_>) {
        let start = self.text.len();
        self.is_raw = false;
        if self.by_grammar(instruction).is_none() {
            self.text.truncate(start);
            self.as_words(instruction);
        }
        self.text.push('\n');
    }

    /// An instruction with its operands by the grammar; `None` if they must be written as words.
    fn by_grammar(&mut self, instruction: &Instruction<'_>) -> Option<()> {
        match instruction.opcode {
            opcode::CONSTANT | opcode::SPEC_CONSTANT => self.constant(instruction)?,
            opcode::SWITCH => self.switch(instruction)?,
            opcode::SPEC_CONSTANT_OP => self.operation(instruction)?,
            opcode::EXT_INST | opcode::EXT_INST_WITH_FORWARD_REFS => self.extended(instruction)?,
            _ => {
                let parsed = operands::parse(instruction.words)?;
                self.head(instruction)?;
                self.operands(&parsed.operands);
                if !self.begins_with_word {
                    self.note_meaning(instruction, &parsed.operands)?;
                }
            }
        }
        if !self.begins_with_word {
            self.note_type(instruction);
        }
        Some(())
    }

    /// Writes an instruction as words, after its name and result if it has those.
    fn as_words(&mut self, instruction: &Instruction<'_>) {
        let (&first, operands) = instruction.words.split_first().unwrap_or((&0, &[]));
        self.is_raw = true;
        let named = grammar::core_instruction(instruction.opcode).filter(|_| !self.begins_with_word);
        let Some(row) = named else {
            let _ = write!(self.text, "!{first:#010x}");
            operands.iter().for_each(|&word| self.raw(word));
            return;
        };
        let Results { has_type, has_result } = grammar::results(row);
        let result = usize::from(has_type);
        if has_result {
            let _ = write!(self.text, "%{} = ", operands[result]);
        }
        let _ = write!(self.text, "Op{}", row.opname);
        let others = operands.iter().enumerate().filter(|(index, _)| !has_result || *index != result);
        others.for_each(|(_, &word)| self.raw(word));
    }

    /// Writes `%result = OpName %type`, and returns the words after them.
    fn head<'w>(&mut self, instruction: &Instruction<'w>) -> Option<&'w [u32]> {
        let row = grammar::core_instruction(instruction.opcode)?;
        let results = grammar::results(row);
        let Results { has_type, has_result } = results;
        let first = 1 + results.count();
        let ids = instruction.words.get(1..first)?;
        if self.begins_with_word {
            let _ = write!(self.text, "!{:#010x}", instruction.words[0]);
            self.is_raw = true;
            ids.iter().for_each(|&id| self.id(id));
            return instruction.words.get(first..);
        }
        if has_result {
            let _ = write!(self.text, "%{} = ", ids[ids.len() - 1]);
        }
        let _ = write!(self.text, "Op{}", row.opname);
        if has_type {
            self.id(ids[0]);
        }
        instruction.words.get(first..)
    }

    /// Writes a constant with a literal of the width of its type (SPIR-V section 2.2.1).
    fn constant(&mut self, instruction: &Instruction<'_>) -> Option<()> {
        let literal = self.head(instruction)?;
        // `spirv-as` rejects a type id that it does not know as a number type.
        let number = self.numbers.get(&instruction.words[1]).copied()?;
        self.literal(Some(number), literal);
        Some(())
    }

    /// Writes a switch, whose literals have the width of the selector. If the words do not fit, they are written as raw words.
    fn switch(&mut self, instruction: &Instruction<'_>) -> Option<()> {
        let (&[selector, default], cases) = self.head(instruction)?.split_first_chunk()?;
        let number = self.numbers.get(&selector).copied();
        let width = number.map_or(1, Number::words);
        self.id(selector);
        self.id(default);
        if cases.len() % (width + 1) != 0 {
            cases.iter().for_each(|&word| self.raw(word));
            return Some(());
        }
        for case in cases.chunks_exact(width + 1) {
            self.literal(number, &case[..width]);
            self.id(case[width]);
        }
        Some(())
    }

    /// A specialization constant by an operation: that instruction's operands without its type and result.
    fn operation(&mut self, instruction: &Instruction<'_>) -> Option<()> {
        let (&wrapped, rest) = self.head(instruction)?.split_first()?;
        let row = u16::try_from(wrapped).ok().and_then(grammar::core_instruction)?;
        if !grammar::results(row).is_typed() {
            return None;
        }
        let first = wrapped | (rest.len() as u32 + 3) << 16;
        let words: Vec<u32> = [&[first], &instruction.words[1..3], rest].concat();
        let parsed = operands::parse(&words)?;
        match !self.is_raw && names::is_operation(row.opcode as u16) {
            true => {
                let _ = write!(self.text, " {}", row.opname);
            }
            false => self.raw(wrapped),
        }
        self.operands(&parsed.operands);
        Some(())
    }

    /// An extended instruction: set, instruction, operands.
    fn extended(&mut self, instruction: &Instruction<'_>) -> Option<()> {
        let (&[set, number], words) = self.head(instruction)?.split_first_chunk()?;
        let known = self.sets.get(&set).copied();
        match known {
            Some(_) => self.id(set),
            None => self.raw(set),
        }
        let row = known.and_then(|set| set.table?.lookup_opcode(number));
        let row = row.filter(|row| takes(row.operands, words.len()));
        match row.filter(|_| !self.is_raw) {
            Some(row) => {
                let _ = write!(self.text, " {}", row.opname);
            }
            None => self.raw(number),
        }
        let has_ids = known.is_some_and(|set| set.has_ids);
        let operands = row.map_or(&[][..], |row| row.operands);
        for (index, &word) in words.iter().enumerate() {
            match operands.get(index).or(operands.last()).map(|operand| operand.kind) {
                Some(OperandKind::IdRef) => self.id(word),
                Some(OperandKind::LiteralInteger) => self.word(word),
                None if has_ids => self.id(word),
                _ => self.raw(word),
            }
        }
        Some(())
    }

    /// Records the facts about this instruction that later ones need; `None` if `spirv-as` rejects it.
    fn note_meaning(&mut self, instruction: &Instruction<'_>, operands: &[Operand]) -> Option<()> {
        match (instruction.opcode, operands) {
            (opcode::EXT_INST_IMPORT, [Operand::LiteralString(name)]) => {
                self.sets.insert(instruction.words[1], Set::from_name(name)?);
            }
            (opcode::TYPE_INT, &[Operand::LiteralBit32(bits @ (8 | 16 | 32 | 64)), Operand::LiteralBit32(signed)]) => {
                self.numbers.insert(instruction.words[1], Number::Integer { bits, is_signed: signed == 1 });
            }
            (opcode::TYPE_FLOAT, operands) => {
                let number = match operands {
                    &[Operand::LiteralBit32(bits @ (16 | 32 | 64))] => Number::Float { bits },
                    _ => Number::Other,
                };
                self.numbers.insert(instruction.words[1], number);
            }
            _ => {}
        }
        Some(())
    }

    /// Records the type of a result if it is a number type.
    fn note_type(&mut self, instruction: &Instruction<'_>) {
        let typed = grammar::core_instruction(instruction.opcode).is_some_and(|row| grammar::results(row).has_type);
        if let (true, &[_, ty, result, ..]) = (typed, instruction.words)
            && let Some(&number) = self.numbers.get(&ty)
        {
            self.numbers.insert(result, number);
        }
    }

    fn operands(&mut self, operands: &[Operand]) {
        for operand in operands {
            match operand {
                Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) => self.id(*id),
                Operand::LiteralString(text) => self.string(text),
                Operand::LiteralBit32(word) => self.word(*word),
                _ => self.enumerant(operand),
            }
        }
    }

    fn enumerant(&mut self, operand: &Operand) {
        match names::enumerant(operand).filter(|_| !self.is_raw) {
            Some(name) => {
                let _ = write!(self.text, " {name}");
            }
            None => operands::words(operand).into_iter().for_each(|word| self.raw(word)),
        }
        // Its parameter is a float, which cannot be distinguished from an integer word.
        self.is_raw |= *operand == Operand::Decoration(spirv::Decoration::FPMaxErrorDecorationINTEL);
    }

    /// Writes an id. The id 0 is written as a word.
    fn id(&mut self, id: u32) {
        match id {
            0 => self.raw(id),
            _ => {
                let _ = write!(self.text, " %{id}");
            }
        }
    }

    /// Writes a literal number of one word.
    fn word(&mut self, word: u32) {
        match self.is_raw {
            true => self.raw(word),
            false => {
                let _ = write!(self.text, " {word}");
            }
        }
    }

    /// Writes a literal of a number type.
    fn literal(&mut self, number: Option<Number>, words: &[u32]) {
        match number.filter(|_| !self.is_raw).and_then(|number| number.literal(words)) {
            Some(literal) => {
                let _ = write!(self.text, " {literal}");
            }
            None => words.iter().for_each(|&word| self.raw(word)),
        }
    }

    /// Writes a string. Quotes and backslashes are escaped; a line break is not.
    fn string(&mut self, text: &str) {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(self.text, " \"{escaped}\"");
    }

    /// Writes a raw word.
    fn raw(&mut self, word: u32) {
        self.is_raw = true;
        let _ = write!(self.text, " !{word}");
    }
}

/// Returns whether an extended instruction has `count` operands, each of one word.
fn takes(operands: &[LogicalOperand], count: usize) -> bool {
    let least = operands.iter().filter(|operand| operand.quantifier == OperandQuantifier::One).count();
    let is_open = operands.last().is_some_and(|operand| operand.quantifier == OperandQuantifier::ZeroOrMore);
    count >= least && (is_open || count <= operands.len())
}
