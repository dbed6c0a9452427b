//! Extended instruction sets, by the name of their import.

use rspirv::grammar::{ExtInstOp, ExtendedInstruction, InstructionTable, ext_inst_table};

use crate::grammar::InstructionSet;

/// An extended instruction set.
#[derive(Clone, Copy)]
pub(super) struct Set {
    table: Option<&'static InstructionTable<ExtInstOp>>,
    /// True if all operands of all instructions are ids.
    pub(super) has_ids: bool,
    /// True if its instructions may have operands that a later version of the set adds.
    pub(super) is_open: bool,
}

impl Set {
    /// The set of that name. A version at its end, as in `NonSemantic.ClspvReflection.5`, does not matter.
    pub(super) fn from_name(name: &[u8]) -> Set {
        let text = std::str::from_utf8(name).unwrap_or_default();
        let version = text.rsplit_once('.').filter(|(_, version)| version.bytes().all(|byte| byte.is_ascii_digit()));
        Set {
            table: ext_inst_table(text).or_else(|| ext_inst_table(version?.0)),
            has_ids: InstructionSet::from_name(name).has_ids(),
            is_open: text.starts_with("NonSemantic."),
        }
    }

    /// The instruction of that name. Linear in the set.
    pub(super) fn by_name(self, name: &str) -> Option<&'static ExtendedInstruction<'static>> {
        self.table?.iter().find(|row| row.opname == name)
    }

    /// The instruction of that number. Linear in the set.
    pub(super) fn by_number(self, number: u32) -> Option<&'static ExtendedInstruction<'static>> {
        self.table?.lookup_opcode(number)
    }

    /// Every name, for messages.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        self.table.into_iter().flat_map(|table| table.iter().map(|row| row.opname))
    }
}
