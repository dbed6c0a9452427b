//! The sections of a module (SPIR-V section 2.4): the reader checks their order, and the writer produces it.

use crate::grammar;
use crate::opcode;

/// The sections of a module, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Section {
    Capability,
    Extension,
    Import,
    MemoryModel,
    EntryPoint,
    ExecutionMode,
    Source,
    Name,
    Processed,
    Annotation,
    Declaration,
    Function,
}

impl Section {
    /// The contents, for messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Section::Capability => "capabilities",
            Section::Extension => "extensions",
            Section::Import => "imports of instruction sets",
            Section::MemoryModel => "the memory model",
            Section::EntryPoint => "entry points",
            Section::ExecutionMode => "execution modes",
            Section::Source => "strings and sources",
            Section::Name => "names",
            Section::Processed => "processing notes",
            Section::Annotation => "decorations",
            Section::Declaration => "types, constants and variables",
            Section::Function => "functions",
        }
    }

    /// The section of an instruction; `None` for instructions that are allowed in several.
    pub(crate) fn of(opcode: u16) -> Option<Section> {
        Some(match opcode {
            opcode::CAPABILITY | opcode::CONDITIONAL_CAPABILITY => Section::Capability,
            opcode::EXTENSION | opcode::CONDITIONAL_EXTENSION => Section::Extension,
            opcode::EXT_INST_IMPORT => Section::Import,
            opcode::MEMORY_MODEL | opcode::SAMPLER_IMAGE_ADDRESSING_MODE => Section::MemoryModel,
            opcode::ENTRY_POINT | opcode::CONDITIONAL_ENTRY_POINT => Section::EntryPoint,
            opcode::EXECUTION_MODE | opcode::EXECUTION_MODE_ID => Section::ExecutionMode,
            opcode::STRING | opcode::SOURCE | opcode::SOURCE_CONTINUED | opcode::SOURCE_EXTENSION => Section::Source,
            opcode::NAME | opcode::MEMBER_NAME => Section::Name,
            opcode::MODULE_PROCESSED => Section::Processed,
            opcode::DECORATE
            | opcode::MEMBER_DECORATE
            | opcode::DECORATE_ID
            | opcode::DECORATE_STRING
            | opcode::MEMBER_DECORATE_STRING
            | opcode::MEMBER_DECORATE_ID
            | opcode::DECORATION_GROUP
            | opcode::GROUP_DECORATE
            | opcode::GROUP_MEMBER_DECORATE => Section::Annotation,
            opcode::FUNCTION => Section::Function,
            // Instructions about other instructions may follow those, and the grammar may lack any instruction.
            opcode::LINE | opcode::NO_LINE | opcode::NOP | opcode::EXT_INST | opcode::EXT_INST_WITH_FORWARD_REFS => {
                return None;
            }
            _ if grammar::core_instruction(opcode).is_none() => return None,
            _ => Section::Declaration,
        })
    }
}
