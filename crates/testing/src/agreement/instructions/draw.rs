//! Generates a random instruction: a host, an execution model, and operands by their kinds.

use std::sync::LazyLock;

use rspirv::dr::Operand;
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};
use rspirv::spirv;

use super::module::{MAIN, Pool, VOID};
use super::{Host, Subject, sets};
use crate::random::Random;

/// Id of the result of the instruction.
pub(super) const RESULT: u32 = 1;
/// Id of the extended instruction set.
pub(super) const SET: u32 = 2;
/// Words for literals.
const NUMBERS: [u32; 10] = [0, 1, 2, 3, 4, 8, 16, 32, 64, u32::MAX];
/// Execution models of shaders; the first two are chosen more often.
const MODELS: [u32; 14] = [5, 4, 0, 1, 2, 3, 5364, 5365, 5313, 5314, 5315, 5316, 5317, 5318];

/// A generated instruction.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) host: Host,
    pub(super) model: u32,
    pub(super) opcode: u16,
    pub(super) set: Option<&'static str>,
    /// The words of each operand.
    pub(super) operands: Vec<Vec<u32>>,
    /// The enumerants among them.
    pub(super) enumerants: Vec<Operand>,
    /// True if an extended instruction is outside functions.
    pub(super) is_global: bool,
}

macro_rules! kinds {
    ($kind:expr, $value:expr; $($name:ident)*; $($bits:ident)*) => {
        match $kind {
            $(OperandKind::$name => spirv::$name::from_u32($value).map(Operand::$name),)*
            $(OperandKind::$bits => spirv::$bits::from_bits($value).map(Operand::$bits),)*
            _ => None,
        }
    };
}

/// An enumerant, if there is one with that number.
pub(super) fn operand(kind: OperandKind, value: u32) -> Option<Operand> {
    kinds!(kind, value;
        SourceLanguage ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim SamplerAddressingMode
        SamplerFilterMode ImageFormat ImageChannelOrder ImageChannelDataType FPRoundingMode FPDenormMode QuantizationModes
        FPOperationMode OverflowModes LinkageType AccessQualifier HostAccessQualifier FunctionParameterAttribute Decoration
        BuiltIn Scope GroupOperation KernelEnqueueFlags Capability RayQueryIntersection RayQueryCommittedIntersectionType
        RayQueryCandidateIntersectionType PackedVectorFormat CooperativeMatrixLayout CooperativeMatrixUse TensorClampMode
        InitializationModeQualifier LoadCacheControl StoreCacheControl NamedMaximumNumberOfRegisters FPEncoding
        CooperativeVectorMatrixLayout ComponentType;
        ImageOperands FPFastMathMode SelectionControl LoopControl FunctionControl MemorySemantics MemoryAccess
        KernelProfilingInfo RayFlags FragmentShadingRate RawAccessChainOperands CooperativeMatrixOperands
        CooperativeMatrixReduce TensorAddressingOperands MatrixMultiplyAccumulateOperands TensorOperands)
}

/// The numbers of the enumerants of a kind: those below 7,000, or single bits.
pub(super) fn enumerants(kind: OperandKind) -> &'static [u32] {
    static TABLES: LazyLock<std::sync::Mutex<std::collections::HashMap<OperandKind, &'static [u32]>>> =
        LazyLock::new(std::sync::Mutex::default);
    let mut tables = TABLES.lock().expect("no thread panics");
    tables.entry(kind).or_insert_with(|| {
        let is_mask = operand(kind, 3).is_some_and(|operand| format!("{operand:?}").contains("|"));
        let values: Vec<u32> = match is_mask {
            true => (0..32).map(|bit| 1 << bit).filter(|&value| operand(kind, value).is_some()).collect(),
            false => (0..7000).filter(|&value| operand(kind, value).is_some()).collect(),
        };
        values.leak()
    })
}

impl Drawn {
    /// An instruction of a host, with operands chosen by their kinds. `None` if the grammar has no such instruction.
    pub(super) fn new(pool: &Pool, subject: &Subject, random: &mut Random) -> Option<Drawn> {
        let model = match pool.host {
            Host::Kernel => 6,
            Host::Shader if random.chance(60) => MODELS[random.below(2)],
            Host::Shader => *random.choose(&MODELS),
        };
        let mut drawn = Drawn {
            host: pool.host,
            model,
            opcode: subject.opcode,
            set: subject.extended.map(|(set, _)| set),
            operands: Vec::new(),
            enumerants: Vec::new(),
            is_global: match subject.extended {
                Some((set, _)) if set.contains("std") => random.chance(2),
                _ => random.chance(50),
            },
        };
        let focus = random.chance(70).then(|| *random.choose(&pool.value_types));
        let mut drawing = Drawing { pool, subject, random, focus };
        match subject.extended {
            None => {
                let row = INSTRUCTION_TABLE.lookup_opcode(subject.opcode.into())?;
                drawing.operands(&mut drawn, row.operands);
            }
            Some((set, number)) => {
                let row = sets().into_iter().find(|(name, _)| *name == set)?.1.lookup_opcode(number)?;
                match set.contains("std") || drawing.random.chance(5) {
                    true => drawing.one(&mut drawn, OperandKind::IdResultType),
                    false => drawn.operands.push(vec![VOID]),
                }
                drawn.operands.extend([vec![RESULT], vec![SET], vec![number]]);
                drawing.operands(&mut drawn, row.operands);
            }
        }
        Some(drawn)
    }

    /// The same with one operand chosen again, or with another execution model.
    pub(super) fn changed(&self, pools: &[Pool; 2], subject: &Subject, random: &mut Random) -> Option<Drawn> {
        let pool = &pools[self.host as usize];
        let mut other = Drawn::new(pool, subject, random)?;
        if random.chance(10) {
            return Some(Drawn { model: other.model, ..self.clone() });
        }
        let is_alike = other.operands.len() == self.operands.len() && other.enumerants.len() == self.enumerants.len();
        let place = random.below(self.operands.len().max(1));
        // An enumerant stays, since its parameters and requirements depend on it.
        let names =
            |drawn: &Drawn| drawn.operands.get(place).and_then(|words| words.first()).is_some_and(|&id| pool.has(id));
        if is_alike && names(self) && names(&other) {
            let mut changed = self.clone();
            changed.operands[place] = other.operands.swap_remove(place);
            return Some(changed);
        }
        Some(other)
    }
}

struct Drawing<'p> {
    pool: &'p Pool,
    subject: &'p Subject,
    random: &'p mut Random,
    /// The type of most operands, or of their components.
    focus: Option<u32>,
}

impl Drawing<'_> {
    fn operands(&mut self, drawn: &mut Drawn, operands: &[LogicalOperand]) {
        for operand in operands {
            let is_pinned = self.subject.pinned.is_some_and(|(kind, _)| kind == operand.kind);
            let count = match operand.quantifier {
                OperandQuantifier::One => 1,
                OperandQuantifier::ZeroOrOne => usize::from(is_pinned || self.random.chance(40)),
                OperandQuantifier::ZeroOrMore => self.random.below(4),
            };
            (0..count).for_each(|_| self.one(drawn, operand.kind));
        }
    }

    fn one(&mut self, drawn: &mut Drawn, kind: OperandKind) {
        let words = match kind {
            OperandKind::IdResult => vec![RESULT],
            OperandKind::IdResultType => vec![self.ty()],
            OperandKind::IdRef => vec![self.id()],
            OperandKind::IdScope | OperandKind::IdMemorySemantics => vec![self.constant()],
            OperandKind::LiteralInteger | OperandKind::LiteralExtInstInteger => vec![*self.random.choose(&NUMBERS)],
            OperandKind::LiteralFloat => vec![1.0f32.to_bits()],
            OperandKind::LiteralContextDependentNumber => self.number(drawn),
            OperandKind::LiteralString => vec![u32::from_le_bytes(*b"abc\0")],
            OperandKind::PairIdRefIdRef => vec![self.id(), self.id()],
            OperandKind::PairIdRefLiteralInteger => vec![self.id(), *self.random.choose(&NUMBERS)],
            OperandKind::PairLiteralIntegerIdRef => vec![*self.random.choose(&NUMBERS), self.id()],
            OperandKind::LiteralSpecConstantOpInteger => return self.operation(drawn),
            kind => return self.enumerant(drawn, kind),
        };
        drawn.operands.push(words);
    }

    fn enumerant(&mut self, drawn: &mut Drawn, kind: OperandKind) {
        let all = enumerants(kind);
        if all.is_empty() {
            drawn.operands.push(vec![self.constant()]);
            return;
        }
        let pinned = self.subject.pinned;
        let value = match pinned {
            Some((pinned, value)) if pinned == kind => value,
            Some((OperandKind::BuiltIn, _)) if kind == OperandKind::Decoration => spirv::Decoration::BuiltIn as u32,
            _ if all[0] == 1 && self.random.chance(50) => 0,
            _ => *self.random.choose(all),
        };
        drawn.operands.push(vec![value]);
        if let Some(operand) = operand(kind, value) {
            let parameters = operand.additional_operands();
            drawn.enumerants.push(operand);
            // The parameters come after the last mask, and no instruction has two masks with parameters.
            self.operands(drawn, &parameters);
        }
    }

    /// An operation on constants, and its operands.
    fn operation(&mut self, drawn: &mut Drawn) {
        let rows: Vec<_> = INSTRUCTION_TABLE.iter().filter(|row| (65..=230).contains(&(row.opcode as u16))).collect();
        let row = *self.random.choose(&rows);
        drawn.operands.push(vec![row.opcode as u32]);
        let operands: Vec<LogicalOperand> = row
            .operands
            .iter()
            .filter(|operand| !matches!(operand.kind, OperandKind::IdResult | OperandKind::IdResultType))
            .cloned()
            .collect();
        self.operands(drawn, &operands);
    }

    fn ty(&mut self) -> u32 {
        match self.focus {
            Some(focus) if self.random.chance(60) => focus,
            Some(focus) if self.random.chance(60) => *self.random.choose(&self.pool.related(focus)),
            _ => *self.random.choose(&self.pool.types),
        }
    }

    /// A value of the chosen type, or of a related type, or any value.
    fn id(&mut self) -> u32 {
        let ty = match self.focus {
            Some(focus) if self.random.chance(55) => Some(focus),
            Some(focus) if self.random.chance(70) => Some(*self.random.choose(&self.pool.related(focus))),
            _ => None,
        };
        let values = ty.and_then(|ty| self.pool.values.get(&ty)).filter(|values| !values.is_empty());
        match values {
            Some(values) => *self.random.choose(values),
            None if self.random.chance(15) => *self.random.choose(&self.pool.types),
            None if self.random.chance(10) => MAIN,
            None => {
                let ty = *self.random.choose(&self.pool.types);
                let values = self.pool.values.get(&ty).filter(|values| !values.is_empty());
                values.map_or(ty, |values| *self.random.choose(values))
            }
        }
    }

    fn constant(&mut self) -> u32 {
        match self.random.chance(90) {
            true => *self.random.choose(&self.pool.words),
            false => self.id(),
        }
    }

    /// A literal with the width of the chosen type.
    fn number(&mut self, drawn: &Drawn) -> Vec<u32> {
        let wide = drawn.operands.first().and_then(|ty| ty.first()).is_some_and(|&ty| self.pool.is_wide(ty));
        let word = *self.random.choose(&NUMBERS);
        if wide { vec![word, 0] } else { vec![word] }
    }
}
