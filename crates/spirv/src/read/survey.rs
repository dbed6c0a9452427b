//! The survey: a first walk over all instructions, before anything is created.
//!
//! It collects the facts that later steps need from anywhere in the file: the defined ids, the widths of number types (which are those of
//! their literals), the extended instruction sets, and whether the module is a shader or a kernel.

use reconverge_diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

use super::numbers::Numbers;
use crate::Header;
use crate::binary::{self, Instruction};
use crate::error::{ReadCode, at_word};
use crate::grammar::{self, Context, Decoded, InstructionSet, Results};
use crate::opcode;

/// The first version of LLVM's back end that writes no words after the last operand of an instruction: earlier versions do so for null
/// events and for some operations on floats.
const FIRST_WITHOUT_SURPLUS: u32 = 23;

/// The results of the survey.
pub(crate) struct Survey {
    pub(crate) numbers: Numbers,
    /// For each number, the id of its type; 0 if it has none.
    types: Vec<u32>,
    defined: Vec<bool>,
    /// For each number, whether its definition becomes a part of locations.
    marks: Vec<bool>,
    literal_words: FxHashMap<u32, usize>,
    sets: FxHashMap<u32, InstructionSet>,
    /// Result type and result of instructions outside the grammar, by the word at which they start.
    unknown_results: FxHashMap<usize, Results>,
    has_shader: bool,
    has_kernel: bool,
    /// True if there are entry points and all of them are kernels.
    has_kernels_alone: Option<bool>,
    ignores_surplus: bool,
}

impl Survey {
    /// Reads every instruction. Linear.
    pub(crate) fn of(words: &[u32]) -> Result<Survey, Diagnostic> {
        let numbers = Numbers::choose(words)?;
        let bound = numbers.bound() as usize;
        let mut survey = Survey {
            numbers,
            types: vec![0; bound],
            defined: vec![false; bound],
            marks: vec![false; bound],
            literal_words: FxHashMap::default(),
            sets: FxHashMap::default(),
            unknown_results: FxHashMap::default(),
            has_shader: false,
            has_kernel: false,
            has_kernels_alone: None,
            ignores_surplus: Header::of_words(words).is_by_llvm_before(FIRST_WITHOUT_SURPLUS),
        };
        let mut has_unknown = false;
        for instruction in binary::all_instructions(words) {
            let instruction = instruction?;
            match grammar::core_instruction(instruction.opcode) {
                Some(row) => survey.note(&instruction, grammar::results(row))?,
                None => has_unknown = true,
            }
        }
        if has_unknown {
            survey.note_unknown(words)?;
        }
        Ok(survey)
    }

    /// The first instruction with words after its last operand, if such words are ignored in this module. Linear.
    pub(crate) fn first_surplus(mut self, words: &[u32]) -> Option<Diagnostic> {
        if !std::mem::take(&mut self.ignores_surplus) {
            return None;
        }
        let mut decoded = Decoded::default();
        let errors = binary::all_instructions(words).filter_map(|instruction| {
            instruction.and_then(|instruction| grammar::decode(&instruction, &self, &mut decoded)).err()
        });
        errors.into_iter().find(|error| error.is(ReadCode::OperandSurplus))
    }

    /// Returns whether the module declares shaders: it declares the capability, or does not declare that it has kernels. A module whose
    /// entry points are kernels has no shaders, whatever its instructions need: `OpBitReverse` needs the capability Shader.
    pub(crate) fn is_shader(&self) -> bool {
        self.has_kernels_alone != Some(true) && (self.has_shader || !self.has_kernel)
    }

    /// The number of an id that some instruction defines.
    pub(crate) fn number(&self, id: u32, word: usize) -> Result<u32, Diagnostic> {
        let number = self.in_range(id, word)?;
        if self.defined[number as usize] && !self.marks[number as usize] {
            return Ok(number);
        }
        Err(at_word(ReadCode::IdUndefined, word, format!("expected an id that is defined, found {id}")))
    }

    /// Returns whether an id is that of a line or scope, which nothing may name.
    pub(crate) fn is_mark(&self, id: u32) -> bool {
        self.numbers.number(id).is_some_and(|number| self.marks[number as usize])
    }

    fn in_range(&self, id: u32, word: usize) -> Result<u32, Diagnostic> {
        self.numbers.number(id).ok_or_else(|| match self.numbers {
            Numbers::Same { bound } => {
                at_word(ReadCode::IdRange, word, format!("expected an id from 1 to below {bound}, found {id}"))
            }
            Numbers::Compact { .. } => {
                at_word(ReadCode::IdUndefined, word, format!("expected an id that is defined, found {id}"))
            }
        })
    }

    fn note(&mut self, instruction: &Instruction<'_>, results: Results) -> Result<(), Diagnostic> {
        let Results { has_type, has_result } = results;
        let words = instruction.words;
        if has_result {
            let at = 1 + usize::from(has_type);
            let Some(&id) = words.get(at) else {
                let message = format!("expected a result of {}", grammar::opcode_name(instruction.opcode));
                return Err(at_word(ReadCode::OperandMissing, instruction.end(), message));
            };
            let number = self.in_range(id, instruction.offset + at)?;
            if std::mem::replace(&mut self.defined[number as usize], true) {
                let message = format!("expected an id that is defined once, found another definition of {id}");
                return Err(at_word(ReadCode::IdRedefined, instruction.offset + at, message));
            }
            if has_type {
                self.types[number as usize] = words[1];
            }
            self.marks[number as usize] = grammar::debug_mark(instruction, self).is_some();
            self.note_meaning(instruction, number);
        } else if instruction.opcode == opcode::CAPABILITY {
            let capability = words.get(1).copied();
            self.has_shader |= capability == Some(spirv::Capability::Shader as u32);
            self.has_kernel |= capability == Some(spirv::Capability::Kernel as u32);
        } else if instruction.opcode == opcode::ENTRY_POINT {
            let is_kernel = words.get(1) == Some(&(spirv::ExecutionModel::Kernel as u32));
            self.has_kernels_alone = Some(is_kernel && self.has_kernels_alone != Some(false));
        }
        Ok(())
    }

    fn note_meaning(&mut self, instruction: &Instruction<'_>, number: u32) {
        match instruction.opcode {
            opcode::TYPE_INT | opcode::TYPE_FLOAT => {
                let bits = instruction.words.get(2).copied().unwrap_or(32);
                self.literal_words.insert(number, bits.div_ceil(32).max(1) as usize);
            }
            opcode::EXT_INST_IMPORT => {
                let name = reconverge_ir::literal::text_bytes(&instruction.words[2..]);
                self.sets.insert(number, InstructionSet::from_name(&name));
            }
            _ => {}
        }
    }

    /// An instruction outside the grammar may still define ids: its first words are assumed to be a type and a result, or a result, if this
    /// is consistent with the ids that nothing else defines.
    fn note_unknown(&mut self, words: &[u32]) -> Result<(), Diagnostic> {
        for instruction in binary::all_instructions(words) {
            let instruction = instruction?;
            if grammar::core_instruction(instruction.opcode).is_some() {
                continue;
            }
            if !self.numbers.keeps_ids() {
                let message = format!(
                    "expected an instruction of the grammar, because ids must be renumbered, found opcode {}",
                    instruction.opcode
                );
                return Err(at_word(ReadCode::Unsupported, instruction.offset, message));
            }
            let results = self.guess(&instruction);
            if results.has_result {
                self.note(&instruction, results)?;
                self.unknown_results.insert(instruction.offset, results);
            }
        }
        Ok(())
    }

    fn guess(&self, instruction: &Instruction<'_>) -> Results {
        let number =
            |at: usize| instruction.words.get(at).and_then(|&id| self.numbers.number(id)).map(|id| id as usize);
        let is_new = |at: usize| number(at).is_some_and(|number| !self.defined[number]);
        let is_typed = number(1).is_some_and(|number| self.defined[number] && self.types[number] == 0) && is_new(2);
        Results { has_type: is_typed, has_result: is_typed || is_new(1) }
    }
}

impl Context for Survey {
    fn literal_words(&self, ty: u32) -> Option<usize> {
        self.literal_words.get(&self.numbers.number(ty)?).copied()
    }

    fn type_of(&self, id: u32) -> Option<u32> {
        let number = self.numbers.number(id)?;
        Some(self.types[number as usize]).filter(|&ty| ty != 0)
    }

    fn instruction_set(&self, id: u32) -> InstructionSet {
        let set = self.numbers.number(id).and_then(|number| self.sets.get(&number));
        set.copied().unwrap_or(InstructionSet::Unknown)
    }

    fn is_defined(&self, id: u32) -> bool {
        self.numbers.number(id).is_some_and(|number| self.defined[number as usize])
    }

    fn unknown_results(&self, instruction: &Instruction<'_>) -> Results {
        self.unknown_results.get(&instruction.offset).copied().unwrap_or_default()
    }

    fn ignores_surplus(&self) -> bool {
        self.ignores_surplus
    }
}
