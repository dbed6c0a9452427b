//! The module of an instruction: the declarations of its host that it uses, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::grammar::OperandKind;
use rspirv::spirv::{self, Op};

use super::super::words::{HEADER, Instruction, Role, instructions};
use super::Host;
use super::draw::{Drawn, RESULT, SET, operand};
use super::requirements::Declarations;
use crate::random::Random;

/// Ids below are those of the instruction; ids of the host are shifted by this number.
const OWN: u32 = 10;
/// Id of the function.
pub(super) const MAIN: u32 = 3;
const LABEL: u32 = 4;
const FUNCTION_TYPE: u32 = 5;
/// Id of the type void.
pub(super) const VOID: u32 = 6;

/// A host, parsed.
pub(super) struct Pool {
    pub(super) host: Host,
    instructions: Vec<Instruction>,
    /// Index of the instruction of each id.
    places: BTreeMap<u32, usize>,
    /// Index of the first instruction of the function.
    body: usize,
    /// Every type.
    pub(super) types: Vec<u32>,
    /// The types that values have.
    pub(super) value_types: Vec<u32>,
    /// By type: the values.
    pub(super) values: BTreeMap<u32, Vec<u32>>,
    /// Constants of 32 bits.
    pub(super) words: Vec<u32>,
    related: BTreeMap<u32, Vec<u32>>,
}

impl Pool {
    pub(super) fn new(host: Host, bytes: &[u8]) -> Pool {
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let mut instructions = instructions(&words);
        for instruction in &mut instructions {
            for at in instruction.places(|role| matches!(role, Role::Id | Role::Result | Role::ResultType)) {
                instruction.words[at] += OWN;
            }
        }
        let void = instructions.iter().find(|one| one.opcode == Op::TypeVoid as u16).and_then(Instruction::result);
        for instruction in &mut instructions {
            for at in instruction.places(|role| matches!(role, Role::Id | Role::Result | Role::ResultType)) {
                if Some(instruction.words[at]) == void {
                    instruction.words[at] = VOID;
                }
            }
        }
        let body = instructions.iter().position(|one| one.opcode == Op::Function as u16).unwrap_or(instructions.len());
        let mut pool = Pool {
            host,
            places: BTreeMap::new(),
            body,
            types: Vec::new(),
            value_types: Vec::new(),
            values: BTreeMap::new(),
            words: Vec::new(),
            related: BTreeMap::new(),
            instructions,
        };
        pool.gather();
        pool
    }

    fn gather(&mut self) {
        for (place, instruction) in self.instructions.iter().enumerate() {
            let shape = [Op::Function, Op::Label, Op::TypeFunction].map(|op| op as u16);
            let Some(id) = instruction.result().filter(|_| !shape.contains(&instruction.opcode)) else { continue };
            self.places.insert(id, place);
            let Some(ty) = instruction.ty() else {
                self.types.push(id);
                continue;
            };
            self.values.entry(ty).or_default().push(id);
            if instruction.opcode == Op::Constant as u16 && instruction.words.len() == 4 {
                let is_word = self.instructions[self.places[&ty]].words[2..] == [32, 0];
                self.words.extend(is_word.then_some(id));
            }
        }
        self.value_types = self.values.keys().copied().collect();
        for &ty in &self.types {
            let own = &self.instructions[self.places[&ty]];
            let parts: Vec<u32> = own.places(|role| role == Role::Id).into_iter().map(|at| own.words[at]).collect();
            for part in parts.into_iter().filter(|part| self.places.contains_key(part)) {
                self.related.entry(ty).or_default().push(part);
                self.related.entry(part).or_default().push(ty);
            }
        }
    }

    pub(super) fn has(&self, id: u32) -> bool {
        self.places.contains_key(&id)
    }

    /// The components of a type, or the types that contain it.
    pub(super) fn related(&self, ty: u32) -> Vec<u32> {
        self.related.get(&ty).cloned().unwrap_or_else(|| vec![ty])
    }

    /// Returns whether a number of a type has two words.
    pub(super) fn is_wide(&self, ty: u32) -> bool {
        self.places.get(&ty).is_some_and(|&place| {
            let own = &self.instructions[place];
            matches!(own.op(), Some(Op::TypeInt | Op::TypeFloat)) && own.words[2] == 64
        })
    }

    /// The ids that some words use, directly or not, in order.
    fn needed(&self, words: impl Iterator<Item = u32>) -> BTreeSet<usize> {
        let mut stack: Vec<u32> = words.collect();
        let mut needed = BTreeSet::new();
        while let Some(id) = stack.pop() {
            let Some(&place) = self.places.get(&id) else { continue };
            if needed.insert(place) {
                let own = &self.instructions[place];
                stack.extend(
                    own.places(|role| matches!(role, Role::Id | Role::ResultType)).into_iter().map(|at| own.words[at]),
                );
            }
        }
        needed
    }
}

/// The section of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Capability,
    Extension,
    Import,
    EntryPoint,
    Mode,
    Source,
    Name,
    Processed,
    Annotation,
    Global,
    Body,
    End,
}

fn section(drawn: &Drawn) -> Section {
    match drawn.opcode {
        17 => Section::Capability,
        10 | 4177 => Section::Extension,
        11 => Section::Import,
        15 => Section::EntryPoint,
        16 | 331 => Section::Mode,
        2 | 3 | 4 | 7 => Section::Source,
        5 | 6 => Section::Name,
        330 => Section::Processed,
        71..=75 | 332 | 5632 | 5633 => Section::Annotation,
        19..=39
        | 41..=52
        | 322
        | 327
        | 4472
        | 5341
        | 4456
        | 5358
        | 4417
        | 4163
        | 5288
        | 5281
        | 5296
        | 5370
        | 5371
        | 6086
        | 6090
        | 4190
        | 4181..=4189 => Section::Global,
        59 | 4418 | 12 | 8 | 1 if drawn.is_global => Section::Global,
        249..=255 | 4416 | 4448 | 4449 | 5294 => Section::End,
        _ => Section::Body,
    }
}

fn push(words: &mut Vec<u32>, opcode: u16, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | u32::from(opcode));
    words.extend_from_slice(operands);
}

fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// The module of an instruction. Some modules lack one capability or extension, or have an earlier version.
pub(super) fn bytes(pool: &Pool, drawn: &Drawn, random: &mut Random) -> Vec<u8> {
    let needed = pool.needed(drawn.operands.iter().flatten().copied());
    let section = section(drawn);
    let own: Vec<u32> = drawn.operands.iter().flatten().copied().collect();
    let mut parts = Parts { pool, drawn, section, own, needed, words: Vec::new() };
    parts.preamble(random);
    parts.annotations();
    parts.globals();
    parts.function();
    let version = if random.chance(5) { random.below(6) as u32 } else { 6 };
    let bound = OWN + pool.places.keys().copied().max().unwrap_or(0);
    let header: [u32; HEADER] = [0x0723_0203, 0x0001_0000 | version << 8, 0, bound + 1, 0];
    header.into_iter().chain(parts.words).flat_map(u32::to_le_bytes).collect()
}

struct Parts<'p> {
    pool: &'p Pool,
    drawn: &'p Drawn,
    section: Section,
    own: Vec<u32>,
    needed: BTreeSet<usize>,
    words: Vec<u32>,
}

impl Parts<'_> {
    /// The instruction itself, if this is its section.
    fn own(&mut self, section: Section) {
        if self.section == section {
            push(&mut self.words, self.drawn.opcode, &self.own);
        }
    }

    fn declarations(&self, random: &mut Random) -> Declarations {
        let mut declarations = Declarations::default();
        declarations.capability(match self.drawn.host {
            Host::Shader => spirv::Capability::Shader as u32,
            Host::Kernel => spirv::Capability::Kernel as u32,
        });
        if self.drawn.host == Host::Kernel {
            [spirv::Capability::Addresses, spirv::Capability::Linkage, spirv::Capability::GenericPointer]
                .into_iter()
                .for_each(|capability| declarations.capability(capability as u32));
        }
        let instructions = self.needed.iter().map(|&place| &self.pool.instructions[place]);
        for instruction in instructions {
            declarations.instruction(&instruction.words);
            for (&word, role) in instruction.words.iter().zip(&instruction.roles) {
                let Some(Role::Enumerant(kind)) = *role else { continue };
                let enumerant = operand(kind, word);
                enumerant.iter().for_each(|enumerant| declarations.enumerant(enumerant));
            }
        }
        let own: Vec<u32> = std::iter::once(u32::from(self.drawn.opcode)).chain(self.own.iter().copied()).collect();
        declarations.instruction(&own);
        self.drawn.enumerants.iter().for_each(|enumerant| declarations.enumerant(enumerant));
        if let Some(model) = operand(OperandKind::ExecutionModel, self.drawn.model) {
            declarations.enumerant(&model);
        }
        if self.drawn.set.is_some_and(|set| set.starts_with("NonSemantic")) {
            declarations.extensions.push("SPV_KHR_non_semantic_info");
        }
        if random.chance(5) {
            let place = random.below(declarations.capabilities.len());
            declarations.capabilities.remove(place);
        }
        if random.chance(5) {
            declarations.extensions.pop();
        }
        declarations
    }

    fn preamble(&mut self, random: &mut Random) {
        let declarations = self.declarations(random);
        for &capability in &declarations.capabilities {
            push(&mut self.words, Op::Capability as u16, &[capability]);
        }
        self.own(Section::Capability);
        for extension in &declarations.extensions {
            push(&mut self.words, Op::Extension as u16, &text(extension));
        }
        self.own(Section::Extension);
        if let Some(set) = self.drawn.set {
            let operands: Vec<u32> = [SET].into_iter().chain(text(set)).collect();
            push(&mut self.words, Op::ExtInstImport as u16, &operands);
        }
        self.own(Section::Import);
        let has = |capability: spirv::Capability| declarations.capabilities.contains(&(capability as u32));
        let model = match self.drawn.host {
            Host::Kernel => [2, 2],
            Host::Shader => [
                if has(spirv::Capability::PhysicalStorageBufferAddresses) { 5348 } else { 0 },
                if has(spirv::Capability::VulkanMemoryModel) { 3 } else { 1 },
            ],
        };
        push(&mut self.words, Op::MemoryModel as u16, &model);
        let interface =
            self.needed.iter().filter(|&&place| place < self.pool.body).map(|&place| &self.pool.instructions[place]);
        let interface = interface.filter(|one| one.opcode == Op::Variable as u16).filter_map(Instruction::result);
        let mut operands: Vec<u32> =
            [self.drawn.model, MAIN].into_iter().chain(text("main")).chain(interface).collect();
        if self.section == Section::Global && self.drawn.opcode == Op::Variable as u16 {
            operands.push(RESULT);
        }
        push(&mut self.words, Op::EntryPoint as u16, &operands);
        self.own(Section::EntryPoint);
        self.modes();
        self.own(Section::Mode);
    }

    fn modes(&mut self) {
        let modes: &[&[u32]] = match self.drawn.model {
            5 | 5364 => &[&[17, 1, 1, 1]],
            4 => &[&[7]],
            1 => &[&[26, 3]],
            2 => &[&[22]],
            3 => &[&[19], &[26, 1], &[27]],
            5365 => &[&[17, 1, 1, 1], &[26, 3], &[5270, 1], &[5298]],
            _ => &[],
        };
        for mode in modes {
            let operands: Vec<u32> = [MAIN].into_iter().chain(mode.iter().copied()).collect();
            push(&mut self.words, Op::ExecutionMode as u16, &operands);
        }
    }

    fn annotations(&mut self) {
        [Section::Source, Section::Name, Section::Processed].into_iter().for_each(|section| self.own(section));
        for instruction in
            self.pool.instructions.iter().take_while(|one| matches!(one.op(), Some(Op::Decorate | Op::MemberDecorate)))
        {
            if self.pool.places.get(&instruction.words[1]).is_some_and(|place| self.needed.contains(place)) {
                self.words.extend_from_slice(&instruction.words);
            }
        }
        self.own(Section::Annotation);
    }

    fn globals(&mut self) {
        push(&mut self.words, Op::TypeVoid as u16, &[VOID]);
        for &place in self.needed.iter().filter(|&&place| place < self.pool.body) {
            let instruction = &self.pool.instructions[place];
            if instruction.opcode != Op::TypeVoid as u16 {
                self.words.extend_from_slice(&instruction.words);
            }
        }
        let parameters: Vec<u32> = self.parameters().filter_map(|one| one.ty()).collect();
        let operands: Vec<u32> = [FUNCTION_TYPE, VOID].into_iter().chain(parameters).collect();
        push(&mut self.words, Op::TypeFunction as u16, &operands);
        self.own(Section::Global);
    }

    fn body(&self) -> impl Iterator<Item = &Instruction> {
        self.needed.iter().filter(|&&place| place >= self.pool.body).map(|&place| &self.pool.instructions[place])
    }

    fn parameters(&self) -> impl Iterator<Item = &Instruction> {
        self.body().filter(|one| one.opcode == Op::FunctionParameter as u16)
    }

    fn function(&mut self) {
        push(&mut self.words, Op::Function as u16, &[VOID, MAIN, 0, FUNCTION_TYPE]);
        let of = |opcode: Op| -> Vec<u32> {
            self.body().filter(|one| one.opcode == opcode as u16).flat_map(|one| one.words.clone()).collect()
        };
        let (parameters, variables) = (of(Op::FunctionParameter), of(Op::Variable));
        let others =
            self.body().filter(|one| ![Op::FunctionParameter as u16, Op::Variable as u16].contains(&one.opcode));
        let others: Vec<u32> = others.flat_map(|one| one.words.clone()).collect();
        self.words.extend(parameters);
        push(&mut self.words, Op::Label as u16, &[LABEL]);
        self.words.extend(variables);
        if self.drawn.opcode == Op::Variable as u16 {
            self.own(Section::Body);
        }
        self.words.extend(others);
        if self.drawn.opcode != Op::Variable as u16 {
            self.own(Section::Body);
        }
        match self.section {
            Section::End => self.own(Section::End),
            _ => push(&mut self.words, Op::Return as u16, &[]),
        }
        push(&mut self.words, Op::FunctionEnd as u16, &[]);
    }
}
