//! Every instruction: small modules with one instruction each, with operands of all kinds, valid and invalid.
//!
//! ```text
//! host (types, values) ─┐
//! subject (an opcode, ──┼─▶ trial: operands drawn, or one of them drawn again ─▶ module of what the instruction needs
//!   or an enumerant)    │
//! seed ─────────────────┘
//! ```
//!
//! Accepted modules are the starting points of the next ones, so that most modules are valid except for one operand.

mod draw;
mod hosts;
mod module;
mod requirements;
mod sound;

use std::collections::HashSet;

use rspirv::grammar::{
    ExtInstOp, GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE, InstructionTable,
    NONSEMANTIC_CLSPVREFLECTION_INSTRUCTION_TABLE, NONSEMANTIC_DEBUGBREAK_INSTRUCTION_TABLE,
    NONSEMANTIC_DEBUGPRINTF_INSTRUCTION_TABLE, NONSEMANTIC_SHADER_DEBUGINFO_100_INSTRUCTION_TABLE,
    OPENCL_DEBUGINFO_100_INSTRUCTION_TABLE, OPENCL_STD_100_INSTRUCTION_TABLE, OperandKind,
};
use rspirv::spirv;

use self::draw::Drawn;
pub use self::hosts::Host;
use self::module::Pool;
pub use self::sound::sound;
use super::refusal;
use crate::judge::{Environment, Validator};
use crate::random::{Random, mix};

/// The subject of a module.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The instruction, and the enumerant if it is about one.
    pub name: String,
    opcode: u16,
    /// An enumerant that is used for each operand of its kind.
    pinned: Option<(OperandKind, u32)>,
    /// Set and number of an extended instruction.
    extended: Option<(&'static str, u32)>,
}

/// A module for a subject.
pub struct Made {
    /// The description that it was generated from.
    pub host: Host,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Extended instruction sets by name.
fn sets() -> [(&'static str, &'static InstructionTable<ExtInstOp>); 7] {
    [
        ("GLSL.std.450", &GLSL_STD_450_INSTRUCTION_TABLE),
        ("OpenCL.std", &OPENCL_STD_100_INSTRUCTION_TABLE),
        ("OpenCL.DebugInfo.100", &OPENCL_DEBUGINFO_100_INSTRUCTION_TABLE),
        ("NonSemantic.Shader.DebugInfo.100", &NONSEMANTIC_SHADER_DEBUGINFO_100_INSTRUCTION_TABLE),
        ("NonSemantic.DebugPrintf", &NONSEMANTIC_DEBUGPRINTF_INSTRUCTION_TABLE),
        ("NonSemantic.DebugBreak", &NONSEMANTIC_DEBUGBREAK_INSTRUCTION_TABLE),
        ("NonSemantic.ClspvReflection.5", &NONSEMANTIC_CLSPVREFLECTION_INSTRUCTION_TABLE),
    ]
}

/// Instructions that form functions, which other generators cover.
const SHAPES: [spirv::Op; 8] = [
    spirv::Op::Function,
    spirv::Op::FunctionParameter,
    spirv::Op::FunctionEnd,
    spirv::Op::Label,
    spirv::Op::LoopMerge,
    spirv::Op::SelectionMerge,
    spirv::Op::MemoryModel,
    spirv::Op::ExtInst,
];

/// Every instruction, and every enumerant of instructions with many enumerants.
pub fn subjects() -> Vec<Subject> {
    let mut all = Vec::new();
    for row in INSTRUCTION_TABLE.iter().filter(|row| !SHAPES.contains(&row.opcode)) {
        let opcode = row.opcode as u16;
        all.push(Subject { name: format!("Op{}", row.opname), opcode, pinned: None, extended: None });
        for kind in row.operands.iter().map(|operand| operand.kind).filter(|&kind| is_varied(row.opcode, kind)) {
            for &value in draw::enumerants(kind) {
                let name = format!("Op{} {kind:?} {value}", row.opname);
                all.push(Subject { name, opcode, pinned: Some((kind, value)), extended: None });
            }
        }
        if row.opcode == spirv::Op::Decorate {
            for &value in draw::enumerants(OperandKind::BuiltIn) {
                let pinned = Some((OperandKind::BuiltIn, value));
                all.push(Subject { name: format!("OpDecorate BuiltIn {value}"), opcode, pinned, extended: None });
            }
        }
    }
    for (set, table) in sets() {
        for row in table.iter() {
            let number: u32 = row.opcode.into();
            let name = format!("{set} {}", row.opname);
            let opcode = spirv::Op::ExtInst as u16;
            all.push(Subject { name, opcode, pinned: None, extended: Some((set, number)) });
        }
    }
    all
}

/// Returns whether each enumerant of a kind is a separate subject in an instruction.
fn is_varied(op: spirv::Op, kind: OperandKind) -> bool {
    use spirv::Op;
    match kind {
        OperandKind::Capability => op == Op::Capability,
        OperandKind::ExecutionMode => matches!(op, Op::ExecutionMode | Op::ExecutionModeId),
        OperandKind::Decoration => {
            matches!(op, Op::Decorate | Op::MemberDecorate | Op::DecorateId | Op::DecorateString)
        }
        OperandKind::StorageClass => matches!(op, Op::Variable | Op::TypePointer),
        OperandKind::ImageOperands => matches!(
            op,
            Op::ImageSampleImplicitLod
                | Op::ImageSampleExplicitLod
                | Op::ImageFetch
                | Op::ImageGather
                | Op::ImageRead
                | Op::ImageWrite
        ),
        OperandKind::MemoryAccess => matches!(op, Op::Load | Op::Store),
        OperandKind::GroupOperation => op == Op::GroupNonUniformIAdd,
        OperandKind::Dim | OperandKind::ImageFormat | OperandKind::AccessQualifier => op == Op::TypeImage,
        OperandKind::FunctionControl | OperandKind::LoopControl => false,
        _ => false,
    }
}

impl Subject {
    /// The instruction without the enumerant.
    pub fn instruction(&self) -> &str {
        match self.extended {
            Some(_) => &self.name,
            None => self.name.split(' ').next().unwrap_or_default(),
        }
    }
}

/// The hosts, assembled.
pub struct Generator {
    pools: [Pool; 2],
}

/// The numbers of modules for a subject.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The maximal number of generated modules.
    pub trials: usize,
    /// The number of modules that the verifier accepts and that are kept, and the same number of rejected ones.
    pub kept: usize,
}

impl Generator {
    /// Assembles the hosts.
    ///
    /// # Errors
    /// The assembler is not installed.
    pub fn new(validator: &Validator) -> Result<Generator, String> {
        let pool = |host: Host| {
            Ok::<_, String>(Pool::new(host, &validator.assemble(&host.assembly(), Environment::Universal)?))
        };
        Ok(Generator { pools: [pool(Host::Shader)?, pool(Host::Kernel)?] })
    }

    /// Different modules for a subject, some that the verifier accepts and some that it rejects. The seed determines them.
    pub fn modules(&self, subject: &Subject, effort: Effort, seed: u64) -> Vec<Made> {
        let mut random = Random::new(mix(seed) ^ subject.name.bytes().fold(0, |all, byte| mix(all ^ u64::from(byte))));
        let (mut accepted, mut refused): (Vec<(Drawn, Made)>, Vec<Made>) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for _ in 0..effort.trials {
            if accepted.len() >= effort.kept && refused.len() >= effort.kept {
                break;
            }
            let drawn = match accepted.is_empty() || random.chance(30) {
                true => Drawn::new(&self.pools[random.below(2)], subject, &mut random),
                false => {
                    let from = random.below(accepted.len());
                    accepted[from].0.changed(&self.pools, subject, &mut random)
                }
            };
            let Some(drawn) = drawn else { continue };
            let bytes = module::bytes(&self.pools[drawn.host as usize], &drawn, &mut random);
            if !seen.insert(bytes.clone()) {
                continue;
            }
            let (is_refused, made) = (refusal(&bytes).is_some(), Made { host: drawn.host, bytes });
            match is_refused {
                false if accepted.len() < effort.kept => accepted.push((drawn, made)),
                true if refused.len() < effort.kept => refused.push(made),
                // Modules that are similar to accepted ones give more information.
                true if !accepted.is_empty() && random.chance(30) => {
                    let place = random.below(refused.len());
                    refused[place] = made;
                }
                _ => {}
            }
        }
        accepted.into_iter().map(|(_, made)| made).chain(refused).collect()
    }
}
