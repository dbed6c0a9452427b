//! Names that `spirv-as` knows: those of the grammar, except for some that are newer than the assembler of `cargo xtask setup` (SPIRV-Tools
//! v2025.5).

use std::ops::RangeInclusive;

use rspirv::binary::Disassemble as _;
use rspirv::dr::Operand;
use rspirv::grammar::{OperandKind, OperandQuantifier};
use spirv::Op;

use crate::binary::Instruction;
use crate::grammar::{self, Results};

/// Returns whether the assembler accepts an instruction by its name, with its operands in any form.
pub(super) fn has_name(instruction: &Instruction<'_>) -> bool {
    let Some(row) = grammar::core_instruction(instruction.opcode) else { return false };
    let Results { has_type, has_result } = grammar::results(row);
    let results = usize::from(has_type) + usize::from(has_result);
    // With operands where it has none, or with none where it has some, the assembler reads the name as another instruction.
    let is_odd = match row.operands.get(results) {
        None => instruction.words.len() > 1 + results,
        Some(operand) => operand.quantifier == OperandQuantifier::One && instruction.words.len() == 1 + results,
    };
    let ids = instruction.words.get(1..1 + results);
    !is_newer(row.opname) && !is_odd && ids.is_some_and(|ids| !ids.contains(&0))
}

/// Returns whether an instruction with a name has all the operands that it can have, and they are ids and literals of one word.
pub(super) fn is_closed(instruction: &Instruction<'_>) -> bool {
    use OperandKind::{IdMemorySemantics, IdRef, IdResult, IdResultType, IdScope, LiteralInteger};
    let operands = grammar::core_instruction(instruction.opcode).map_or(&[][..], |row| row.operands);
    instruction.words.len() == 1 + operands.len()
        && operands.iter().zip(&instruction.words[1..]).all(|(operand, &word)| {
            let is_id = matches!(operand.kind, IdResultType | IdResult | IdRef | IdScope | IdMemorySemantics);
            operand.quantifier == OperandQuantifier::One && (is_id && word != 0 || operand.kind == LiteralInteger)
        })
}

/// Returns whether a name of the grammar, without `Op`, is newer than the assembler.
fn is_newer(name: &str) -> bool {
    const NEWER: [&str; 20] = [
        "DescriptorHeapEXT",
        "GroupNonUniformPartitionedEXT",
        "PushConstantBanksNV",
        "LongVectorEXT",
        "ArrayStrideIdEXT",
        "OffsetIdEXT",
        "MemberOffsetNV",
        "BankNV",
        "SamplerHeapEXT",
        "ResourceHeapEXT",
        "PartitionedReduceEXT",
        "PartitionedInclusiveScanEXT",
        "PartitionedExclusiveScanEXT",
        "TypeBufferEXT",
        "BufferPointerEXT",
        "UntypedImageTexelPointerEXT",
        "MemberDecorateIdEXT",
        "ConstantSizeOfEXT",
        "TypeVectorIdEXT",
        "GroupNonUniformPartitionEXT",
    ];
    NEWER.contains(&name)
}

/// Returns whether the assembler knows the instructions of an extended instruction set by name. It accepts numbers for the instructions of
/// other sets whose name begins with `NonSemantic.`.
pub(super) fn is_named_set(name: &str) -> bool {
    const SETS: [&str; 9] = [
        "GLSL.std.450",
        "OpenCL.std",
        "DebugInfo",
        "OpenCL.DebugInfo.100",
        "NonSemantic.Shader.DebugInfo.100",
        "SPV_AMD_gcn_shader",
        "SPV_AMD_shader_ballot",
        "SPV_AMD_shader_explicit_vertex_parameter",
        "SPV_AMD_shader_trinary_minmax",
    ];
    SETS.contains(&name)
}

/// Returns whether the assembler knows the name of an operation of `OpSpecConstantOp` (SPIR-V section 3.3.7).
pub(super) fn is_operation(opcode: u16) -> bool {
    const RANGES: [RangeInclusive<u16>; 11] = [
        Op::AccessChain as u16..=Op::PtrAccessChain as u16,
        Op::InBoundsPtrAccessChain as u16..=Op::InBoundsPtrAccessChain as u16,
        Op::VectorShuffle as u16..=Op::VectorShuffle as u16,
        Op::CompositeExtract as u16..=Op::CompositeInsert as u16,
        Op::ConvertFToU as u16..=Op::ConvertPtrToU as u16,
        Op::ConvertUToPtr as u16..=Op::GenericCastToPtr as u16,
        Op::Bitcast as u16..=Op::Bitcast as u16,
        Op::SNegate as u16..=Op::FMod as u16,
        Op::LogicalEqual as u16..=Op::SLessThanEqual as u16,
        Op::ShiftRightLogical as u16..=Op::Not as u16,
        Op::CooperativeMatrixLengthKHR as u16..=Op::CooperativeMatrixLengthKHR as u16,
    ];
    RANGES.iter().any(|range| range.contains(&opcode))
}

/// The name of an enumerant, or of the bits of a mask; `None` if the assembler knows none.
pub(super) fn enumerant(operand: &Operand) -> Option<String> {
    let (name, has_none) = match operand {
        Operand::RawAccessChainOperands(mask) => (mask.disassemble(), true),
        Operand::TensorAddressingOperands(mask) => (mask.disassemble(), true),
        Operand::MatrixMultiplyAccumulateOperands(mask) => (mask.disassemble(), true),
        Operand::RayFlags(mask) => (mask.disassemble(), false),
        Operand::FragmentShadingRate(mask) => (mask.disassemble(), false),
        Operand::CooperativeMatrixOperands(mask) => (mask.disassemble(), false),
        Operand::CooperativeMatrixReduce(mask) => (mask.disassemble(), false),
        Operand::TensorOperands(mask) => (mask.disassemble(), false),
        _ => (operand.disassemble(), true),
    };
    Some(name).filter(|name| !is_newer(name) && (has_none || name != "None"))
}
