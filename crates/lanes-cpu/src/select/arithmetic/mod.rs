//! Instruction selection of what depends on its operands alone: for one lane, for AVX2 and for AVX-512.
//!
//! | file | content |
//! |---|---|
//! | `forms.rs` | the table: what each vector instruction is for each kind of register |
//! | `lanes.rs`, `emulate.rs` | operations on one vector register; those that an instruction set lacks |
//! | `general.rs` | operations on one general register: uniform integers |
//! | `masks.rs` | booleans: uniform ones, `k` registers, vectors of ones and zeros |
//! | `integer.rs`, `shift.rs`, `divide.rs`, `bits.rs` | integers |
//! | `float.rs`, `compare.rs`, `convert.rs` | floating-point numbers, comparisons, conversions |
//! | `extended.rs`, `transcendental.rs`, `angle.rs` | instructions of `GLSL.std.450` |
//!
//! An operation whose operands are all uniform has a uniform result. Otherwise uniform operands are broadcast: constants as memory
//! operands, others into a register. An operation that has no form gives `None`.
//!
//! No operation traps. Sums, differences, products, quotients, square roots and fused products are those of IEEE 754, with subnormal
//! numbers; which NaN comes out is not specified. Nothing is contracted.

mod angle;
mod bits;
mod compare;
mod convert;
mod divide;
mod emulate;
mod extended;
mod float;
mod forms;
mod general;
mod integer;
mod lanes;
mod masks;
mod shift;
mod transcendental;

use iced_x86::Code;
use reconverge_ir as ir;
use reconverge_lanes::CodeRole;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub(super) use self::general::code;

use self::forms::Shape;
use self::lanes::{Lanes, Size, Source};
use super::Divergence;
use super::value::{Isa, Pack, ScalarType, Value};
use crate::machine::{BlockId, Class, Inst, MachineFunction, Operand, Terminator, VReg};

/// The features of the CPU beyond AVX2, FMA, F16C, BMI2 and LZCNT, and beyond F, BW, CD, DQ and VL of AVX-512.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Features {
    /// `vpopcntd` and `vpopcntq`.
    pub has_vector_popcnt: bool,
    /// AVX-512 for scalar code, so that its results have the bits that those of vectors have.
    pub has_avx512: bool,
}

/// Writes instructions to the end of a block. Sine, cosine and tangent end the block and continue in another one.
///
/// Invariant: the mask has a register for each vector of the pack; the lane is one of the mask. There is one in a loop over lanes,
/// and where a guard reports the lane that failed.
pub struct Emitter<'a> {
    /// The function that instructions are appended to.
    pub function: &'a mut MachineFunction,
    /// The block whose end they go to.
    pub block: BlockId,
    /// The lanes of a varying value.
    pub pack: Pack,
    /// The features of the CPU.
    pub features: Features,
    /// The execution mask of what is selected, and the instruction that it is.
    pub(super) mask: Option<(ir::Inst, Value)>,
    /// In a loop over lanes, the lane; in the report of a guard, the lane that failed.
    pub(super) lane: Option<VReg>,
    /// The loops around the code that is written.
    pub(super) loop_depth: u32,
    /// The amount of divergence in the code.
    pub(super) divergence: Divergence,
    /// The instructions that the code is made of, by [`Inst::origin`].
    pub(super) origins: Vec<ir::Inst>,
    /// The origin of the instructions that come next.
    origin: u32,
    /// The bits of uniform registers that are constants.
    constants: FxHashMap<VReg, u64>,
    /// General registers whose number is below 2³¹, so that their sign need not be extended.
    small: FxHashSet<VReg>,
}

/// A list of registers, one for each vector of a value.
type Registers = SmallVec<[VReg; 4]>;

/// An operand of an operation that is done for each register of a value.
enum Prepared {
    /// The same for each.
    Same(Source),
    /// One for each.
    Each(Registers),
}

impl Prepared {
    fn at(&self, index: usize) -> Source {
        match self {
            Prepared::Same(source) => *source,
            Prepared::Each(registers) => Source::Register(registers[index]),
        }
    }
}

impl<'a> Emitter<'a> {
    /// An emitter at the end of a block.
    pub fn new(function: &'a mut MachineFunction, block: BlockId, pack: Pack, features: Features) -> Emitter<'a> {
        let is_possible = pack.isa == Isa::Scalar || function.has_avx512 == (pack.isa == Isa::Avx512);
        debug_assert!(is_possible, "invariant: vectors of AVX2 are for code without AVX-512");
        let (constants, small) = (FxHashMap::default(), FxHashSet::default());
        let (mask, lane, loop_depth, divergence) = (None, None, 0, Divergence::default());
        let (origins, origin) = (Vec::new(), 0);
        Emitter {
            function,
            block,
            pack,
            features,
            mask,
            lane,
            loop_depth,
            divergence,
            origins,
            origin,
            constants,
            small,
        }
    }

    /// Begins the code of an instruction of the IR.
    pub(super) fn begin(&mut self, inst: ir::Inst) {
        self.origin = self.origins.len() as u32;
        self.origins.push(inst);
        self.function.blocks[self.block.0 as usize].origin = self.origin;
    }

    /// Adds an instruction.
    pub fn push(&mut self, mut inst: Inst) {
        inst.origin = self.origin;
        self.function.blocks[self.block.0 as usize].insts.push(inst);
    }

    /// A new block of the same loops, and for the same purpose as the block that is written.
    pub(super) fn new_block(&mut self) -> BlockId {
        self.new_block_for(self.function.blocks[self.block.0 as usize].role)
    }

    /// A new block of the same loops, for a purpose of its own.
    pub(super) fn new_block_for(&mut self, role: CodeRole) -> BlockId {
        let block = self.function.add_block(self.loop_depth);
        let content = &mut self.function.blocks[block.0 as usize];
        (content.origin, content.role) = (self.origin, role);
        block
    }

    /// Ends the block.
    pub(super) fn end(&mut self, end: Terminator) {
        self.function.blocks[self.block.0 as usize].end = Some(end);
    }

    /// Adds an instruction that writes one register, its first operand.
    pub fn define(&mut self, class: Class, code: Code, operands: impl IntoIterator<Item = Operand>) -> VReg {
        let result = self.function.register(class);
        self.push(Inst::new(code, std::iter::once(Operand::Def(result)).chain(operands)));
        result
    }

    /// A uniform constant. A floating-point one has the bits of its type, a half those of a half.
    pub fn constant(&mut self, ty: ScalarType, bits: u64) -> Value {
        let bits = match ty {
            ScalarType::Float(16) => u64::from(half_to_float(bits as u16)),
            _ => bits,
        };
        let register = match ty {
            ScalarType::Float(width) => {
                let (size, shape) = (if width == 64 { Size::Quad } else { Size::Double }, self.uniform_shape());
                self.lanes(shape, size).register(Source::Constant(bits))
            }
            _ => self.general_constant(bits),
        };
        self.constants.insert(register, bits);
        Value::Uniform(register)
    }

    /// The bits of a uniform value that is a constant.
    pub fn known(&self, value: &Value) -> Option<u64> {
        value.uniform().and_then(|register| self.constants.get(&register).copied())
    }

    /// A value for every lane.
    pub fn broadcast(&mut self, ty: ScalarType, value: &Value) -> Value {
        let Value::Uniform(register) = *value else { return value.clone() };
        if self.pack.isa == Isa::Scalar {
            return value.clone();
        }
        let one = match (ty, self.known(value)) {
            (ScalarType::Bool, _) => self.broadcast_mask(register),
            (_, Some(bits)) => self.varying_lanes(ty).register(Source::Constant(bits)),
            (_, None) => self.broadcast_register(ty, register),
        };
        Value::Varying(SmallVec::from_elem(one, self.pack.registers(ty) as usize))
    }

    /// 0, 1, 2, … as 32-bit integers.
    pub fn lane_numbers(&mut self) -> Value {
        if self.pack.isa == Isa::Scalar {
            return self.constant(ScalarType::Int(32), 0);
        }
        let numbers: Vec<u32> = (0..self.pack.lanes()).collect();
        self.lane_words(&numbers)
    }

    /// A constant for each lane, as 32-bit integers. Not for scalar code.
    pub fn lane_words(&mut self, words: &[u32]) -> Value {
        let (shape, count) = (self.varying_shape(), self.pack.lanes() / self.pack.vectors);
        let code = match shape {
            Shape::EvexZmm => Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
            _ => Code::VEX_Vmovdqu_ymm_ymmm256,
        };
        let mut registers = Registers::new();
        for vector in words.chunks(count as usize) {
            let bytes: Vec<u8> = vector.iter().flat_map(|word| word.to_le_bytes()).collect();
            let address = self.function.constant(&bytes);
            registers.push(self.define(Class::Vector, code, [Operand::Memory(address)]));
        }
        Value::Varying(registers)
    }

    /// `base + stride · lane`, of 32- or 64-bit integers.
    pub fn affine(&mut self, bits: u32, base: &Value, stride: &Value) -> Option<Value> {
        use reconverge_ir::Op;
        let ty = ScalarType::Int(bits);
        let lanes = self.lane_numbers();
        let lanes = self.convert(Op::UConvert, ScalarType::Int(32), ty, &lanes)?;
        let offsets = if self.known(stride) == Some(1) { lanes } else { self.binary(Op::IMul, ty, &lanes, stride)? };
        self.binary(Op::IAdd, ty, &offsets, base)
    }

    /// The registers of uniform floating-point numbers.
    fn uniform_shape(&self) -> Shape {
        if self.function.has_avx512 { Shape::EvexXmm } else { Shape::VexXmm }
    }

    /// The registers of varying values.
    fn varying_shape(&self) -> Shape {
        match self.pack.isa {
            Isa::Scalar => self.uniform_shape(),
            Isa::Avx2 => Shape::VexYmm,
            Isa::Avx512 => Shape::EvexZmm,
        }
    }

    fn lanes(&mut self, shape: Shape, size: Size) -> Lanes<'_, 'a> {
        Lanes { emitter: self, shape, size }
    }

    fn varying_lanes(&mut self, ty: ScalarType) -> Lanes<'_, 'a> {
        let shape = self.varying_shape();
        self.lanes(shape, size_of(ty))
    }

    /// The kind of register for operands, and how many there are.
    fn shape_of(&self, ty: ScalarType, operands: &[&Value]) -> (Shape, usize) {
        if operands.iter().all(|operand| operand.uniform().is_some()) {
            (self.uniform_shape(), 1)
        } else {
            (self.varying_shape(), self.pack.registers(ty) as usize)
        }
    }

    /// An operand for each register of that kind.
    fn prepare(&mut self, ty: ScalarType, value: &Value, shape: Shape) -> Prepared {
        let register = match value {
            Value::Varying(registers) => return Prepared::Each(registers.clone()),
            Value::Uniform(register) => *register,
        };
        let source = match (self.known(value), ty) {
            (Some(bits), _) => Source::Constant(bits),
            (None, ScalarType::Float(_)) if shape.is_uniform() => Source::Register(register),
            (None, _) if shape.is_uniform() => Source::Register(self.in_vector(ty, register)),
            (None, _) => Source::Register(self.broadcast_register(ty, register)),
        };
        Prepared::Same(source)
    }

    /// `operation` for each register of operands and result, which are of one size. Uniform integers go through a vector register.
    fn map<const N: usize>(
        &mut self,
        ty: ScalarType,
        operands: [&Value; N],
        mut operation: impl FnMut(&mut Lanes<'_, 'a>, [Source; N]) -> Option<VReg>,
    ) -> Option<Value> {
        let (shape, count) = self.shape_of(ty, &operands);
        let prepared = operands.map(|operand| self.prepare(ty, operand, shape));
        let mut results = Registers::new();
        for index in 0..count {
            let sources = std::array::from_fn(|operand| prepared[operand].at(index));
            results.push(operation(&mut self.lanes(shape, size_of(ty)), sources)?);
        }
        Some(self.value_of(ty, results, shape))
    }

    /// The value in vector registers.
    fn value_of(&mut self, ty: ScalarType, registers: Registers, shape: Shape) -> Value {
        match ty {
            _ if !shape.is_uniform() => Value::Varying(registers),
            ScalarType::Float(_) => Value::Uniform(registers[0]),
            _ => Value::Uniform(self.in_general(ty, registers[0])),
        }
    }
}

/// The size of the elements that a type has in vector registers.
fn size_of(ty: ScalarType) -> Size {
    if ty.bits() == 64 { Size::Quad } else { Size::Double }
}

/// The bits of the 32-bit float that has the value of a half.
fn half_to_float(bits: u16) -> u32 {
    let (sign, exponent, fraction) = (u32::from(bits >> 15) << 31, u32::from(bits >> 10) & 31, u32::from(bits) & 1023);
    match exponent {
        0 => sign | (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        31 => sign | 0x7f80_0000 | fraction << 13,
        _ => sign | (exponent + 112) << 23 | fraction << 13,
    }
}
