//! Checks the declarations of a module against its contents.
//!
//! - N1: a capability that an instruction or enumerant requires is declared.
//! - N2: instructions and enumerants are in the module's version, or a declared extension adds them.
//! - N3: an enumerant is in its enumeration; a mask has only bits of its enumeration.
//!
//! An instruction that is not in the tables has no known requirements.

use reconverge_ir::decoration::Note;
use reconverge_ir::{Class, Inst, Op, OperandKind, Quantity, view};
use spirv::Capability;

use super::{Lack, Need, capabilities, enumerants, find, instructions, operations};
use crate::Code;
use crate::declared::{Declared, version};
use crate::layout::Line;
use crate::report::Report;

/// An enumeration: its table, and whether its words are masks.
#[derive(Clone, Copy)]
struct Enumeration {
    table: &'static [Need],
    is_mask: bool,
    /// Returns whether a word is in it.
    knows: fn(u32) -> bool,
}

const fn values(table: &'static [Need], knows: fn(u32) -> bool) -> Option<Enumeration> {
    Some(Enumeration { table, is_mask: false, knows })
}

const fn bits(table: &'static [Need], knows: fn(u32) -> bool) -> Option<Enumeration> {
    Some(Enumeration { table, is_mask: true, knows })
}

/// Checks all instructions in the module. O(operands), each with a table search if it is an enumerant.
pub(crate) fn verify_needs(report: &mut Report<'_>, declared: &Declared, everything: &[Line]) {
    verify_extensions(report, declared, everything);
    verify_combinations(report, declared, everything);
    let mut last = (Op::Dead, None);
    for &Line { inst, op, .. } in everything {
        // Consecutive instructions with one op have the same requirements.
        let row = if op == last.0 && op.class() != Class::Opaque { last.1 } else { instruction(report, inst, op) };
        last = (op, row);
        if let Some((need, lack)) = row.and_then(|need| Some((need, need.lack_of_instruction(declared)?))) {
            say(report, inst, &format!("`{}`", need.name), need, lack);
        }
        if op == Op::SpecConstantOp
            && let Some((code, problem)) = operations::problem(report.module(), declared, inst)
        {
            report.at(code, inst, problem);
        }
        verify_enumerants(report, declared, inst, op, inst);
        for &decoration in report.module().decorations(inst) {
            verify_enumerants(report, declared, decoration, report.module().op(decoration), inst);
        }
    }
}

/// Extensions that require a version of SPIR-V 1 or a later one.
const EXTENDED_VERSIONS: [(&str, u32); 3] =
    [("SPV_KHR_vulkan_memory_model", 3), ("SPV_KHR_workgroup_memory_explicit_layout", 4), ("SPV_EXT_mesh_shader", 4)];

fn verify_extensions(report: &mut Report<'_>, declared: &Declared, everything: &[Line]) {
    for line in everything.iter().filter(|line| line.op == Op::Extension) {
        let Some(view::Extension { name }) = view::Extension::of(report.module(), line.inst) else { continue };
        let row = EXTENDED_VERSIONS.iter().find(|(extension, _)| name == *extension);
        if let Some((_, minor)) = row.filter(|(_, minor)| declared.version < version(1, *minor)) {
            report.at(Code::N2, line.inst, format!("the extension {name} needs SPIR-V 1.{minor}"));
            report.suggest("raise the version");
        }
    }
}

/// Capabilities that require another capability, a memory model or an instruction.
fn verify_combinations(report: &mut Report<'_>, declared: &Declared, everything: &[Line]) {
    let has_vulkan = declared.has(Capability::VulkanMemoryModel);
    // Capabilities that are only implied are not checked.
    let is_cooperative = |line: &Line| {
        let declared = view::Capability::of(report.module(), line.inst);
        declared.is_some_and(|declared| declared.capability == Some(Capability::CooperativeMatrixKHR))
    };
    let needs_vulkan = declared.is_shader() && everything.iter().any(is_cooperative);
    if needs_vulkan && !has_vulkan {
        report.at(
            Code::N1,
            report.module().root(),
            "CooperativeMatrixKHR in shaders needs the capability VulkanMemoryModel",
        );
    }
    if has_vulkan && !declared.is_vulkan_memory_model() {
        report.at(
            Code::N1,
            report.module().root(),
            "the capability VulkanMemoryModel is declared, but the module uses another memory model",
        );
    }
    let module = report.module();
    let is_addressing = |line: &Line| {
        let unknown = view::OpaquePlain::of(module, line.inst);
        unknown.is_some_and(|unknown| unknown.opcode == spirv::Op::SamplerImageAddressingModeNV as u32)
    };
    if declared.has(Capability::BindlessTextureNV) && !everything.iter().any(is_addressing) {
        report.at(Code::N1, module.root(), "BindlessTextureNV needs OpSamplerImageAddressingModeNV");
    }
}

fn instruction(report: &Report<'_>, inst: Inst, op: Op) -> Option<&'static Need> {
    let module = report.module();
    let number = match op.class() {
        Class::Opaque => view::Opaque::of(module, inst).map(|unknown| unknown.opcode),
        Class::Structure | Class::Literal | Class::Removed => None,
        _ => op.opcode().map(u32::from),
    };
    find(instructions::INSTRUCTIONS, number?)
}

fn say(report: &mut Report<'_>, place: Inst, what: &str, need: &Need, lack: Lack) {
    let code = if lack == Lack::Capability { Code::N1 } else { Code::N2 };
    report.at(code, place, format!("{what} needs {}", need.wanted(lack)));
    if lack == Lack::Version && need.until != u8::MAX {
        report.suggest("lower the version, or use the replacement of later versions");
    }
}

/// Checks the enumerants among the operands of an instruction; findings are reported at `place`.
fn verify_enumerants(report: &mut Report<'_>, declared: &Declared, inst: Inst, op: Op, place: Inst) {
    let module = report.module();
    if matches!(op, Op::Name | Op::MemberName) || !has_enumerants(op) {
        return;
    }
    for (index, operand) in module.operands(inst).enumerate() {
        let Some(enumeration) = enumeration(op, index) else { continue };
        let Some(word) = module.literal_words(operand).first().copied() else { continue };
        verify_enumerant(report, declared, enumeration, word, place);
    }
    if let Some((enumeration, word)) = parameter(report, inst, op) {
        verify_enumerant(report, declared, enumeration, word, place);
    }
}

fn verify_enumerant(report: &mut Report<'_>, declared: &Declared, enumeration: Enumeration, word: u32, place: Inst) {
    if !(enumeration.knows)(word) {
        report.at(Code::N3, place, format!("{word} is not defined in its enumeration"));
        return;
    }
    let rows = enumeration.table.iter().filter(|need| need.number & word != 0);
    let (masked, single) = match enumeration.is_mask {
        true => (Some(rows), None),
        false => (None, find(enumeration.table, word)),
    };
    for need in masked.into_iter().flatten().chain(single) {
        if let Some(lack) = need.lack_of_enumerant(declared) {
            say(report, place, need.name, need, lack);
        }
    }
}

/// Returns whether any operand of an op is in an enumeration.
fn has_enumerants(op: Op) -> bool {
    static ANSWERS: [bool; Op::ALL.len()] = {
        let (mut answers, mut index) = ([false; Op::ALL.len()], 0);
        while index < Op::ALL.len() {
            let (op, mut place) = (Op::ALL[index], 0);
            while place < op.signature().len() {
                let is_one = enumeration_of(op, op.signature()[place].kind, place).is_some();
                answers[index] = answers[index] || is_one;
                place += 1;
            }
            index += 1;
        }
        answers
    };
    ANSWERS[op as usize]
}

fn enumeration(op: Op, index: usize) -> Option<Enumeration> {
    let entry = op.signature().get(index).or_else(|| op.signature().last())?;
    let is_one = index < op.signature().len() && !matches!(entry.quantity, Quantity::Many);
    is_one.then(|| enumeration_of(op, entry.kind, index)).flatten()
}

/// The enumeration of an operand, by op, kind and position.
const fn enumeration_of(op: Op, kind: OperandKind, index: usize) -> Option<Enumeration> {
    match kind {
        OperandKind::StorageClass => {
            values(enumerants::STORAGE_CLASS, |word| spirv::StorageClass::from_u32(word).is_some())
        }
        OperandKind::Capability => {
            values(capabilities::CAPABILITIES, |word| spirv::Capability::from_u32(word).is_some())
        }
        OperandKind::ExecutionModel => {
            values(enumerants::EXECUTION_MODEL, |word| spirv::ExecutionModel::from_u32(word).is_some())
        }
        OperandKind::ExecutionMode => {
            values(enumerants::EXECUTION_MODE, |word| spirv::ExecutionMode::from_u32(word).is_some())
        }
        OperandKind::AddressingModel => {
            values(enumerants::ADDRESSING_MODEL, |word| spirv::AddressingModel::from_u32(word).is_some())
        }
        OperandKind::MemoryModel => {
            values(enumerants::MEMORY_MODEL, |word| spirv::MemoryModel::from_u32(word).is_some())
        }
        OperandKind::Dim => values(enumerants::DIM, |word| spirv::Dim::from_u32(word).is_some()),
        OperandKind::ImageFormat => {
            values(enumerants::IMAGE_FORMAT, |word| spirv::ImageFormat::from_u32(word).is_some())
        }
        OperandKind::Decoration => values(enumerants::DECORATION, |word| spirv::Decoration::from_u32(word).is_some()),
        OperandKind::GroupOperation => {
            values(enumerants::GROUP_OPERATION, |word| spirv::GroupOperation::from_u32(word).is_some())
        }
        // The meaning of the second mask of a copy depends on the first.
        OperandKind::MemoryAccess if matches!((op, index), (Op::CopyMemory, 3) | (Op::CopyMemorySized, 4)) => None,
        OperandKind::MemoryAccess => {
            bits(enumerants::MEMORY_ACCESS, |word| spirv::MemoryAccess::from_bits(word).is_some())
        }
        OperandKind::ImageOperands => {
            bits(enumerants::IMAGE_OPERANDS, |word| spirv::ImageOperands::from_bits(word).is_some())
        }
        OperandKind::FPEncoding => values(enumerants::FP_ENCODING, |word| spirv::FPEncoding::from_u32(word).is_some()),
        OperandKind::AccessQualifier => {
            values(enumerants::ACCESS_QUALIFIER, |word| spirv::AccessQualifier::from_u32(word).is_some())
        }
        OperandKind::PackedVectorFormat => {
            values(enumerants::PACKED_VECTOR_FORMAT, |word| spirv::PackedVectorFormat::from_u32(word).is_some())
        }
        OperandKind::SourceLanguage => values(&[], |word| spirv::SourceLanguage::from_u32(word).is_some()),
        OperandKind::FunctionControl => {
            bits(enumerants::FUNCTION_CONTROL, |word| spirv::FunctionControl::from_bits(word).is_some())
        }
        OperandKind::LoopControl => {
            bits(enumerants::LOOP_CONTROL, |word| spirv::LoopControl::from_bits(word).is_some())
        }
        _ => None,
    }
}

/// The enumerant among the operands of a decoration.
fn parameter(report: &Report<'_>, inst: Inst, op: Op) -> Option<(Enumeration, u32)> {
    use spirv::Decoration;
    if !matches!(op, Op::Decorate | Op::MemberDecorate) {
        return None;
    }
    // These three need no capability if they are only mentioned (as in the validator of SPIRV-Tools).
    const MENTIONED: [spirv::BuiltIn; 3] =
        [spirv::BuiltIn::PointSize, spirv::BuiltIn::ClipDistance, spirv::BuiltIn::CullDistance];
    let module = report.module();
    let note = Note::of(module, inst)?;
    let word = |parameter: Option<Inst>| module.literal_words(parameter?).first().copied();
    let first = word(note.parameters.first())?;
    let enumeration = match note.kind()? {
        Decoration::BuiltIn if MENTIONED.iter().any(|&free| free as u32 == first) => None,
        Decoration::BuiltIn => values(enumerants::BUILT_IN, |word| spirv::BuiltIn::from_u32(word).is_some()),
        Decoration::FPFastMathMode => {
            bits(enumerants::FP_FAST_MATH_MODE, |word| spirv::FPFastMathMode::from_bits(word).is_some())
        }
        Decoration::FuncParamAttr => values(enumerants::FUNCTION_PARAMETER_ATTRIBUTE, |word| {
            spirv::FunctionParameterAttribute::from_u32(word).is_some()
        }),
        Decoration::FPRoundingMode => values(&[], |word| spirv::FPRoundingMode::from_u32(word).is_some()),
        Decoration::LinkageAttributes => {
            let linkage = values(enumerants::LINKAGE_TYPE, |word| spirv::LinkageType::from_u32(word).is_some())?;
            return Some((linkage, word(note.parameters.iter().next_back())?));
        }
        _ => None,
    };
    Some((enumeration?, first))
}
