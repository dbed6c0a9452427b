//! The grammar: the kinds of the words of an instruction (ids, literals, strings).
//!
//! The operand kinds of each opcode come from the tables of the `rspirv` crate, which are generated from Khronos' grammar. What the tables
//! omit (parameters of enumerants, widths of literals, extended instruction sets) is in `parameters.rs`, `extended.rs` and `decode.rs`.

mod decode;
mod extended;
mod parameters;

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, OperandKind};

pub(crate) use decode::{Context, Decoded, PieceKind, decode, opcode_name};
pub(crate) use extended::{DebugMark, InstructionSet, debug_mark, tells_variable};

/// The grammar of a core instruction; `None` for opcodes newer than the tables. Constant time.
pub(crate) fn core_instruction(opcode: u16) -> Option<&'static Instruction<'static>> {
    static BY_OPCODE: LazyLock<Vec<Option<&'static Instruction<'static>>>> = LazyLock::new(|| {
        let limit = INSTRUCTION_TABLE.iter().map(|row| row.opcode as usize + 1).max();
        let mut index = vec![None; limit.unwrap_or(0)];
        for row in INSTRUCTION_TABLE.iter() {
            index[row.opcode as usize] = Some(row);
        }
        index
    });
    BY_OPCODE.get(opcode as usize).copied().flatten()
}

/// The result type and the result of an instruction, which come before its operands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Results {
    /// True if it has a result type.
    pub(crate) has_type: bool,
    /// True if it has a result.
    pub(crate) has_result: bool,
}

impl Results {
    /// The number of words.
    pub(crate) fn count(self) -> usize {
        usize::from(self.has_type) + usize::from(self.has_result)
    }

    /// Returns whether it is an instruction with a result and its type.
    pub(crate) const fn is_typed(self) -> bool {
        self.has_type && self.has_result
    }
}

/// The result type and the result of a grammar row.
pub(crate) fn results(row: &Instruction<'_>) -> Results {
    let has = |kind: OperandKind| row.operands.iter().take(2).any(|operand| operand.kind == kind);
    Results { has_type: has(OperandKind::IdResultType), has_result: has(OperandKind::IdResult) }
}
