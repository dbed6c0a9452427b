//! Operations of instruction selection for tests: operands from memory, the operation, results to memory, for each kind of pack.

use iced_x86::Code as Form;
use reconverge_ir::Op;
use reconverge_lanes_cpu::machine::{Address, Class, Code, Inst, Operand, Terminator, VReg};
use reconverge_lanes_cpu::select::arithmetic::{Emitter, Features};
use reconverge_lanes_cpu::select::{Isa, Pack, ScalarType, Value};

use crate::machine_support::{Builder, RESULTS, check_decoding, has_avx512, run_again};

/// What a test's operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Varying,
    Uniform,
    Constant,
}

/// A kind of pack, and whether the code may use AVX-512.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) pack: Pack,
    pub(crate) has_avx512: bool,
    pub(crate) features: Features,
}

/// Every kind that this CPU has.
pub(crate) fn targets() -> Vec<Target> {
    let target = |isa, vectors, has_avx512, has_vector_popcnt| Target {
        pack: Pack { isa, vectors },
        has_avx512,
        features: Features { has_vector_popcnt, ..Features::default() },
    };
    let mut targets = vec![
        target(Isa::Scalar, 1, false, false),
        target(Isa::Avx2, 1, false, false),
        target(Isa::Avx2, 2, false, false),
    ];
    if has_avx512() {
        let has_popcnt = std::is_x86_feature_detected!("avx512vpopcntdq");
        targets.extend([
            target(Isa::Scalar, 1, true, false),
            target(Isa::Avx512, 1, true, false),
            target(Isa::Avx512, 2, true, has_popcnt),
        ]);
    }
    targets
}

/// An operation that is assembled for a target, and its data in the context.
pub(crate) struct Assembled {
    code: Code,
    lanes: usize,
    operands: Vec<ScalarType>,
    results: Vec<(ScalarType, bool)>,
}

/// The bytes of one lane in memory.
fn bytes_of(ty: ScalarType) -> usize {
    if ty.bits() == 64 { 8 } else { 4 }
}

fn vector_forms(target: Target) -> (Form, Form, i32) {
    match target.pack.isa {
        Isa::Avx512 => (Form::EVEX_Vmovups_zmm_k1z_zmmm512, Form::EVEX_Vmovups_zmmm512_k1z_zmm, 64),
        _ => (Form::VEX_Vmovups_ymm_ymmm256, Form::VEX_Vmovups_ymmm256_ymm, 32),
    }
}

/// A varying or uniform operand from memory.
fn load(emitter: &mut Emitter<'_>, target: Target, ty: ScalarType, kind: Kind, address: Address) -> Value {
    let memory = Operand::Memory(address);
    if kind == Kind::Varying && target.pack.isa != Isa::Scalar {
        let (form, _, size) = vector_forms(target);
        let count = target.pack.registers(ty) as i32;
        let one = |index| emitter.define(Class::Vector, form, [Operand::Memory(address.plus(index * size))]);
        let value = Value::Varying((0..count).map(one).collect());
        if ty != ScalarType::Bool {
            return value;
        }
        let zero = emitter.constant(ScalarType::Int(32), 0);
        return emitter.compare(Op::INotEqual, ScalarType::Int(32), &value, &zero).expect("the operation has a form");
    }
    let (class, form) = match (ty, target.has_avx512) {
        (ScalarType::Float(64), false) => (Class::Vector, Form::VEX_Vmovsd_xmm_m64),
        (ScalarType::Float(64), true) => (Class::Vector, Form::EVEX_Vmovsd_xmm_k1z_m64),
        (ScalarType::Float(_), false) => (Class::Vector, Form::VEX_Vmovss_xmm_m32),
        (ScalarType::Float(_), true) => (Class::Vector, Form::EVEX_Vmovss_xmm_k1z_m32),
        (ScalarType::Int(64), _) => (Class::General, Form::Mov_r64_rm64),
        _ => (Class::General, Form::Mov_r32_rm32),
    };
    Value::Uniform(emitter.define(class, form, [memory]))
}

fn store(emitter: &mut Emitter<'_>, target: Target, ty: ScalarType, value: &Value, slot: i32) {
    let to = |index: i32| Operand::Memory(Address::in_frame(RESULTS + slot + index));
    let put = |emitter: &mut Emitter<'_>, form, index, register: VReg| {
        emitter.push(Inst::new(form, [to(index), Operand::Use(register)]).with_effect());
    };
    match value {
        Value::Uniform(register) if register.class == Class::General => put(emitter, Form::Mov_rm64_r64, 0, *register),
        Value::Uniform(register) => {
            let form = if target.has_avx512 { Form::EVEX_Vmovsd_m64_k1_xmm } else { Form::VEX_Vmovsd_m64_xmm };
            put(emitter, form, 0, *register);
        }
        Value::Varying(_) if ty == ScalarType::Bool => {
            let int = ScalarType::Int(32);
            let (one, zero) = (emitter.constant(int, 1), emitter.constant(int, 0));
            let number = emitter.select(int, value, &one, &zero).expect("the operation has a form");
            store(emitter, target, int, &number, slot);
        }
        Value::Varying(registers) => {
            let (_, form, size) = vector_forms(target);
            for (index, &register) in registers.iter().enumerate() {
                put(emitter, form, index as i32 * size, register);
            }
        }
    }
}

/// The bytes of results: room for two vectors of 64-bit elements.
const SLOT: i32 = 512;

/// What a test does with its operands: results and their types.
pub(crate) type Operation<'a> = &'a dyn Fn(&mut Emitter<'_>, &[Value]) -> Option<Vec<(ScalarType, Value)>>;

/// Assembles an operation; `None` if there is no form.
pub(crate) fn assemble(
    target: Target,
    operands: &[(ScalarType, Kind)],
    constants: &[u64],
    operation: Operation<'_>,
) -> Option<Assembled> {
    let mut builder = Builder::new(target.has_avx512);
    let context = builder.context();
    let block = builder.block;
    let lanes = target.pack.lanes() as usize;
    let mut emitter = Emitter::new(&mut builder.function, block, target.pack, target.features);
    let mut offset = 16;
    let mut values = Vec::new();
    for (&(ty, kind), &constant) in operands.iter().zip(constants) {
        values.push(match kind {
            Kind::Constant => emitter.constant(ty, constant),
            _ => load(&mut emitter, target, ty, kind, Address::of(context).plus(offset)),
        });
        offset += (bytes_of(ty) * lanes).next_multiple_of(8) as i32;
    }
    let results = operation(&mut emitter, &values)?;
    for (index, (ty, value)) in results.iter().enumerate() {
        store(&mut emitter, target, *ty, value, index as i32 * SLOT);
    }
    let block = emitter.block;
    builder.function.blocks[block.0 as usize].end = Some(Terminator::Return);
    let results = results.iter().map(|(ty, value)| (*ty, value.uniform().is_some())).collect();
    let code = builder.finish();
    check_decoding(&code);
    Some(Assembled { code, lanes, operands: operands.iter().map(|operand| operand.0).collect(), results })
}

impl Assembled {
    /// The lanes of a pack.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The types of the results.
    pub(crate) fn types(&self) -> Vec<ScalarType> {
        self.results.iter().map(|result| result.0).collect()
    }

    /// Whether the result is uniform.
    pub(crate) fn is_uniform(&self) -> bool {
        self.results[0].1
    }

    /// Runs it with a list of lanes for each operand; a list of lanes for each result.
    pub(crate) fn run(&self, operands: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let mut bytes: Vec<u8> = Vec::new();
        for (ty, lanes) in self.operands.iter().zip(operands) {
            for lane in lanes {
                bytes.extend(&lane.to_le_bytes()[..bytes_of(*ty)]);
            }
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        let words: Vec<u64> =
            bytes.chunks(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect();
        let done = run_again(&self.code, 1, &words);
        assert_eq!(done.status, 0);
        let mut results = Vec::new();
        for (index, &(ty, is_uniform)) in self.results.iter().enumerate() {
            let first = index * SLOT as usize / 8;
            let lane = |lane: usize| match bytes_of(ty) {
                8 => done.result(0, first + lane),
                // Of a uniform integer all 64 bits count: it is zero-extended.
                _ if is_uniform && !matches!(ty, ScalarType::Float(_)) => done.result(0, first),
                _ if is_uniform => done.result(0, first) & 0xffff_ffff,
                _ => done.result(0, first + lane / 2) >> (lane % 2 * 32) & 0xffff_ffff,
            };
            results.push((0..self.lanes).map(|index| lane(if is_uniform { 0 } else { index })).collect());
        }
        results
    }
}

/// A sequence of numbers that looks random (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}
