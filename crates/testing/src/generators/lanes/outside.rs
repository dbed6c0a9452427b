//! The environment of a program: inputs, the number of its lane, and `record`.
//!
//! | | [`Outside::Calls`](super::Outside) | [`Outside::Shader`](super::Outside) |
//! |---|---|---|
//! | `record(point, low, high, value)` | declared | writes four words after the lane's cursor |
//! | `input(k)` | declared | reads word `lane · 4 + k` of a buffer |
//! | uniform inputs | a push constant variable | the same |
//! | lane | input variable, built-in SubgroupLocalInvocationId | the same |
//!
//! The buffers of the shader are accessed by addresses in the push constants ([`PushConstants`]); it has no descriptors. A lane's part of
//! the records is a count and then `bound` records; later records overwrite the last one.

use reconverge_ir::decoration::{self, ArrayStride, LinkageAttributes};
use reconverge_ir::{Builder, Function, Inst, Op};
use spirv::{AddressingModel, BuiltIn, Capability, LinkageType, MemoryAccess, MemoryModel, StorageClass};

use super::lower::Outside;
use super::program::{PER_LANE, UNIFORMS};
use super::value::Vocabulary;

/// Name of the function that records where the lanes are.
pub const RECORD: &str = "record";
/// Name of the function that returns an input of the lane.
pub const INPUT: &str = "input";
/// Name of the variable that holds the number of the lane.
pub const LANE: &str = "lane";
/// Name of the variable that holds the inputs that all lanes share.
pub const UNIFORM_INPUTS: &str = "uniform_inputs";
/// The point of the record with the return value of the program.
pub const RETURNED: u32 = 0xFFFF;
/// The maximal number of lanes with shared variables.
pub const SHARED_LANES: u32 = 64;

const WORDS_PER_RECORD: u32 = 4;

/// The variables and functions of the environment.
pub(super) struct Surroundings {
    pub(super) record: Function,
    pub(super) input: Function,
    pub(super) uniforms: Inst,
    /// The member of the push constants with the uniform inputs.
    pub(super) uniforms_member: u32,
    pub(super) lane: Inst,
}

/// The push constants of a shader: their bytes, and the offsets of the addresses of the two buffers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PushConstants {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The offset of the address of the records.
    pub records_at: usize,
    /// The offset of the address of the lanes' inputs.
    pub inputs_at: usize,
}

/// The push constants for `bound` records for each lane and these uniform inputs.
pub fn push_constants(bound: u32, uniforms: [u32; UNIFORMS]) -> PushConstants {
    let mut bytes = vec![0; 16];
    for word in [bound, words_per_lane(bound)].into_iter().chain(uniforms) {
        bytes.extend(word.to_le_bytes());
    }
    PushConstants { bytes, records_at: 0, inputs_at: 8 }
}

/// The number of words of a lane's part of the records.
pub fn words_per_lane(bound: u32) -> u32 {
    1 + bound * WORDS_PER_RECORD
}

impl Surroundings {
    /// Writes them into an empty module.
    pub(super) fn write(build: &mut Builder<'_>, words: &Vocabulary, outside: Outside) -> Surroundings {
        write_head(build, outside);
        let lane = build.global_variable(StorageClass::Input, words.u32_type);
        build.editor().set_name(lane, LANE);
        build.add_decoration(lane, decoration::BuiltIn(BuiltIn::SubgroupLocalInvocationId));
        match outside {
            Outside::Calls => declared(build, words, lane),
            Outside::Shader { .. } => defined(build, words, lane),
        }
    }
}

fn write_head(build: &mut Builder<'_>, outside: Outside) {
    const GROUP_NON_UNIFORM: [Capability; 5] = [
        Capability::GroupNonUniform,
        Capability::GroupNonUniformVote,
        Capability::GroupNonUniformArithmetic,
        Capability::GroupNonUniformBallot,
        Capability::GroupNonUniformShuffle,
    ];
    let (capability, addressing) = match outside {
        Outside::Calls => (Capability::Linkage, AddressingModel::Logical),
        Outside::Shader { .. } => {
            (Capability::PhysicalStorageBufferAddresses, AddressingModel::PhysicalStorageBuffer64)
        }
    };
    for capability in [Capability::Shader, capability].into_iter().chain(GROUP_NON_UNIFORM) {
        let word = build.enumerant(capability);
        build.capability(&[word]);
    }
    if matches!(outside, Outside::Shader { .. }) {
        let name = build.editor().text("SPV_KHR_physical_storage_buffer");
        build.extension(&[name]);
    }
    let model = [build.enumerant(addressing), build.enumerant(MemoryModel::GLSL450)];
    build.memory_model(&model);
}

fn declared(build: &mut Builder<'_>, words: &Vocabulary, lane: Inst) -> Surroundings {
    let array = array_type(build, words, UNIFORMS as u32);
    let uniforms = push_constant_variable(build, &[array], &[0]);
    let record = build.add_function(words.void_type, &[words.u32_type; 4]);
    let input = build.add_function(words.u32_type, &[words.u32_type]);
    for (function, name) in [(record, RECORD), (input, INPUT)] {
        build.editor().set_name(function, name);
        let name = build.editor().text(name);
        build.add_decoration(function, LinkageAttributes { name, linkage: LinkageType::Import });
    }
    Surroundings { record, input, uniforms, uniforms_member: 0, lane }
}

fn defined(build: &mut Builder<'_>, words: &Vocabulary, lane: Inst) -> Surroundings {
    let runtime = build.word_array_type();
    let block = build.block_type(&[runtime], &[0]);
    let address = build.pointer_type(StorageClass::PhysicalStorageBuffer, block);
    let array = array_type(build, words, UNIFORMS as u32);
    let members = [address, address, words.u32_type, words.u32_type, array];
    let uniforms = push_constant_variable(build, &members, &[0, 8, 16, 20, 24]);
    let pointer = build.pointer_type(StorageClass::Private, words.u32_type);
    let operands = [build.enumerant(StorageClass::Private), words.zero];
    let cursor = build.editor().append_global(Op::Variable, Some(pointer), &operands);
    build.editor().set_name(cursor, "cursor");
    let mut memory = Memory { build, words, uniforms, address, lane, cursor };
    let record = memory.record();
    let input = memory.input();
    Surroundings { record, input, uniforms, uniforms_member: 4, lane }
}

/// Emits the functions of a shader's environment.
struct Memory<'a, 'm> {
    build: &'a mut Builder<'m>,
    words: &'a Vocabulary,
    uniforms: Inst,
    /// The type of the buffers' addresses.
    address: Inst,
    lane: Inst,
    cursor: Inst,
}

impl Memory<'_, '_> {
    fn function(&mut self, name: &str, result: Inst, parameters: usize) -> (Function, Vec<Inst>) {
        let types = vec![self.words.u32_type; parameters];
        let function = self.build.add_function(result, &types);
        self.build.editor().set_name(function, name);
        let parameters = self.build.module().parameters(function).map(Into::into).collect();
        let entry = self.build.add_block(function);
        self.build.at_end(entry);
        (function, parameters)
    }

    fn record(&mut self) -> Function {
        let (function, parameters) = self.function(RECORD, self.words.void_type, 4);
        let u32_type = self.words.u32_type;
        let cursor = self.build.load(u32_type, &[self.cursor]);
        let (bound, stride) = (self.constant(2), self.constant(3));
        let one = self.build.constant_word(u32_type, 1);
        let last = self.build.i_sub(u32_type, &[bound, one]);
        let is_inside = self.build.u_less_than(self.words.bool_type, &[cursor, bound]);
        let index = self.build.select(u32_type, &[is_inside, cursor, last]);
        let lane = self.build.load(u32_type, &[self.lane]);
        let start = self.build.i_mul(u32_type, &[lane, stride]);
        let size = self.build.constant_word(u32_type, WORDS_PER_RECORD);
        let offset = self.build.i_mul(u32_type, &[index, size]);
        let first = self.build.i_add(u32_type, &[start, offset]);
        let buffer = self.buffer(0);
        for (number, &parameter) in parameters.iter().enumerate() {
            let distance = self.build.constant_word(u32_type, number as u32 + 1);
            let index = self.build.i_add(u32_type, &[first, distance]);
            self.store(buffer, index, parameter);
        }
        let next = self.build.i_add(u32_type, &[cursor, one]);
        self.build.store(&[self.cursor, next]);
        self.store(buffer, start, next);
        self.build.r#return(&[]);
        function
    }

    fn input(&mut self) -> Function {
        let (function, parameters) = self.function(INPUT, self.words.u32_type, 1);
        let u32_type = self.words.u32_type;
        let lane = self.build.load(u32_type, &[self.lane]);
        let size = self.build.constant_word(u32_type, PER_LANE as u32);
        let start = self.build.i_mul(u32_type, &[lane, size]);
        let index = self.build.i_add(u32_type, &[start, parameters[0]]);
        let buffer = self.buffer(1);
        let place = self.place(buffer, index);
        let access = self.aligned();
        let word = self.build.load(u32_type, &[place, access[0], access[1]]);
        self.build.return_value(&[word]);
        function
    }

    /// A word of the push constants.
    fn constant(&mut self, member: u32) -> Inst {
        let pointer = self.build.pointer_type(StorageClass::PushConstant, self.words.u32_type);
        let member = self.build.constant_word(self.words.u32_type, member);
        let place = self.build.access_chain(pointer, &[self.uniforms, member]);
        self.build.load(self.words.u32_type, &[place])
    }

    fn buffer(&mut self, member: u32) -> Inst {
        let pointer = self.build.pointer_type(StorageClass::PushConstant, self.address);
        let member = self.build.constant_word(self.words.u32_type, member);
        let place = self.build.access_chain(pointer, &[self.uniforms, member]);
        self.build.load(self.address, &[place])
    }

    fn place(&mut self, buffer: Inst, index: Inst) -> Inst {
        let pointer = self.build.pointer_type(StorageClass::PhysicalStorageBuffer, self.words.u32_type);
        self.build.access_chain(pointer, &[buffer, self.words.zero, index])
    }

    fn store(&mut self, buffer: Inst, index: Inst, value: Inst) {
        let place = self.place(buffer, index);
        let access = self.aligned();
        self.build.store(&[place, value, access[0], access[1]]);
    }

    fn aligned(&mut self) -> [Inst; 2] {
        [self.build.enumerant(MemoryAccess::ALIGNED), self.build.editor().word(4)]
    }
}

fn array_type(build: &mut Builder<'_>, words: &Vocabulary, length: u32) -> Inst {
    let stride = build.decoration(ArrayStride(4));
    let length = build.constant_word(words.u32_type, length);
    build.editor().unique_decorated(Op::TypeArray, None, &[words.u32_type, length], &[stride])
}

fn push_constant_variable(build: &mut Builder<'_>, members: &[Inst], offsets: &[u32]) -> Inst {
    let block = build.block_type(members, offsets);
    let variable = build.global_variable(StorageClass::PushConstant, block);
    build.editor().set_name(variable, UNIFORM_INPUTS);
    variable
}
