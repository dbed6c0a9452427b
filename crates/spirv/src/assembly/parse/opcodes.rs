//! Instructions by name: those of the grammar's table, and their older names.
//!
//! When an extension became another vendor's, the old name remained valid: `…INTEL` for what is `…ALTERA` now, and a few more. A look-up
//! takes constant time.

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction};
use rustc_hash::FxHashMap;
use spirv::Op;

use crate::grammar::core_instruction;

/// Older names that do not follow the rule.
const RENAMED: [(&str, Op); 14] = [
    ("SDotKHR", Op::SDotKHR),
    ("UDotKHR", Op::UDotKHR),
    ("SUDotKHR", Op::SUDotKHR),
    ("SDotAccSatKHR", Op::SDotAccSatKHR),
    ("UDotAccSatKHR", Op::UDotAccSatKHR),
    ("SUDotAccSatKHR", Op::SUDotAccSatKHR),
    ("TypeCooperativeVectorNV", Op::TypeCooperativeVectorNV),
    ("GroupNonUniformPartitionNV", Op::GroupNonUniformPartitionNV),
    ("ReportIntersectionNV", Op::ReportIntersectionNV),
    ("TypeAccelerationStructureNV", Op::TypeAccelerationStructureNV),
    ("RayQueryGetClusterIdNV", Op::RayQueryGetClusterIdNV),
    ("DemoteToHelperInvocationEXT", Op::DemoteToHelperInvocationEXT),
    ("DecorateStringGOOGLE", Op::DecorateStringGOOGLE),
    ("MemberDecorateStringGOOGLE", Op::MemberDecorateStringGOOGLE),
];

/// The instruction of a name without `Op`.
pub(super) fn instruction(name: &str) -> Option<&'static Instruction<'static>> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Instruction<'static>>> = LazyLock::new(|| {
        let renamed = RENAMED.iter().filter_map(|&(name, op)| Some((name, core_instruction(op as u16)?)));
        INSTRUCTION_TABLE.iter().map(|row| (row.opname, row)).chain(renamed).collect()
    });
    let moved = || BY_NAME.get(format!("{}ALTERA", name.strip_suffix("INTEL")?).as_str());
    BY_NAME.get(name).or_else(moved).copied()
}

/// Every name, for messages.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    INSTRUCTION_TABLE.iter().map(|row| row.opname)
}
