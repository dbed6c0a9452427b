//! Extended instruction sets: the kinds of the operands of their instructions.
//!
//! Most sets have only ids, and every set whose name begins with `NonSemantic.` must. Three older ones have literals among their operands;
//! `rspirv`'s tables describe these.

use std::sync::LazyLock;

use reconverge_ir::debug_info::{DebugSet, number};
use rspirv::grammar::{
    DEBUGINFO_INSTRUCTION_TABLE, ExtInstOp, ExtendedInstruction, InstructionTable,
    OPENCL_DEBUGINFO_100_INSTRUCTION_TABLE, OPENCL_STD_100_INSTRUCTION_TABLE,
};

use super::Context;
use crate::binary::Instruction;
use crate::opcode;

/// The kinds of operands in a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InstructionSet {
    /// All operands are ids.
    Ids,
    /// `OpenCL.std`.
    OpenClStd,
    /// `OpenCL.DebugInfo.100`, and `SPIRV.debug`, a draft of it that llvm-spirv writes.
    OpenClDebugInfo,
    /// `DebugInfo`.
    DebugInfo,
    /// `NonSemantic.Shader.DebugInfo`: all operands are ids.
    ShaderDebugInfo,
    /// Unknown: a word that is an id of the module is assumed to be one.
    Unknown,
}

impl InstructionSet {
    /// The set of that name.
    pub(crate) fn from_name(name: &[u8]) -> InstructionSet {
        const IDS: [&[u8]; 4] = [b"NonSemantic.", b"GLSL.std.450", b"SPV_AMD_", b"TOSA."];
        match name {
            b"OpenCL.std" => InstructionSet::OpenClStd,
            b"OpenCL.DebugInfo.100" | b"SPIRV.debug" => InstructionSet::OpenClDebugInfo,
            b"DebugInfo" => InstructionSet::DebugInfo,
            _ if DebugSet::from_name(name).is_some() => InstructionSet::ShaderDebugInfo,
            _ if IDS.iter().any(|prefix| name.starts_with(prefix)) => InstructionSet::Ids,
            _ => InstructionSet::Unknown,
        }
    }

    /// Returns whether all operands of all instructions are ids.
    pub(crate) fn has_ids(self) -> bool {
        matches!(self, InstructionSet::Ids | InstructionSet::ShaderDebugInfo)
    }

    /// The grammar of an instruction of the set, for sets that have literals among their operands. Constant time.
    pub(crate) fn instruction(self, number: u32) -> Option<&'static ExtendedInstruction<'static>> {
        static OPENCL_STD: LazyLock<Index> = LazyLock::new(|| index(&OPENCL_STD_100_INSTRUCTION_TABLE));
        static OPENCL_DEBUG: LazyLock<Index> = LazyLock::new(|| index(&OPENCL_DEBUGINFO_100_INSTRUCTION_TABLE));
        static DEBUG: LazyLock<Index> = LazyLock::new(|| index(&DEBUGINFO_INSTRUCTION_TABLE));
        let index: &Index = match self {
            InstructionSet::OpenClStd => &OPENCL_STD,
            InstructionSet::OpenClDebugInfo => &OPENCL_DEBUG,
            InstructionSet::DebugInfo => &DEBUG,
            InstructionSet::Ids | InstructionSet::ShaderDebugInfo | InstructionSet::Unknown => return None,
        };
        index.get(number as usize).copied().flatten()
    }
}

/// The part of a source location that an extended instruction states for the instructions after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DebugMark {
    Scope,
    NoScope,
    Line,
    NoLine,
}

/// The part of a source location that an instruction states for those after it, if it is such an extended instruction.
pub(crate) fn debug_mark(instruction: &Instruction<'_>, context: &impl Context) -> Option<DebugMark> {
    let (set, number) = debug_number(instruction, context)?;
    match number {
        number::SCOPE => Some(DebugMark::Scope),
        number::NO_SCOPE => Some(DebugMark::NoScope),
        number::LINE if set == InstructionSet::ShaderDebugInfo => Some(DebugMark::Line),
        number::NO_LINE if set == InstructionSet::ShaderDebugInfo => Some(DebugMark::NoLine),
        _ => None,
    }
}

/// Returns whether an instruction states the place or the value of a variable of the source.
pub(crate) fn tells_variable(instruction: &Instruction<'_>, context: &impl Context) -> bool {
    debug_number(instruction, context).is_some_and(|(_, number)| matches!(number, number::DECLARE | number::VALUE))
}

/// The set and number of an instruction of debug information.
fn debug_number(instruction: &Instruction<'_>, context: &impl Context) -> Option<(InstructionSet, u32)> {
    if !matches!(instruction.opcode, opcode::EXT_INST | opcode::EXT_INST_WITH_FORWARD_REFS) {
        return None;
    }
    let &[_, _, _, set, number, ..] = instruction.words else { return None };
    let set = context.instruction_set(set);
    let is_debug_set =
        matches!(set, InstructionSet::OpenClDebugInfo | InstructionSet::DebugInfo | InstructionSet::ShaderDebugInfo);
    is_debug_set.then_some((set, number))
}

type Index = Vec<Option<&'static ExtendedInstruction<'static>>>;

fn index(table: &'static InstructionTable<ExtInstOp>) -> Index {
    let mut index = Index::new();
    for row in table.iter() {
        let number = u32::from(row.opcode) as usize;
        if index.len() <= number {
            index.resize(number + 1, None);
        }
        index[number] = Some(row);
    }
    index
}
