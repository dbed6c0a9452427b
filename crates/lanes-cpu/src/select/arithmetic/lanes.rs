//! Instructions on one vector register: what each operation is for elements of 32 and 64 bits, for every kind of register.
//!
//! Everything here works on registers; [`super::Emitter`] applies it to each register of a value. Constants go into memory operands, with
//! AVX-512 as one element for all lanes.

use iced_x86::Code;
use smallvec::SmallVec;

use super::Emitter;
use super::forms::{Broadcast, Shape, VectorOp as V};
use crate::machine::{Class, Inst, Operand, VReg};

/// The size of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Size {
    /// 32 bits.
    Double,
    /// 64 bits.
    Quad,
}

/// An operand: a vector register, or the same bits in each element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Register(VReg),
    Constant(u64),
}

impl From<VReg> for Source {
    fn from(register: VReg) -> Source {
        Source::Register(register)
    }
}

/// Writes instructions for one kind of register and one size of element.
pub(super) struct Lanes<'e, 'a> {
    pub(super) emitter: &'e mut Emitter<'a>,
    pub(super) shape: Shape,
    pub(super) size: Size,
}

/// A way to round to an integer, as `vround` and `vrndscale` count them; without the inexact exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    Even = 8,
    Down = 9,
    Up = 10,
    Zero = 11,
}

impl<'a> Lanes<'_, 'a> {
    /// The same for elements of another size.
    pub(super) fn sized(&mut self, size: Size) -> Lanes<'_, 'a> {
        Lanes { emitter: self.emitter, shape: self.shape, size }
    }

    /// The instruction for the size.
    pub(super) fn pick(&self, double: V, quad: V) -> V {
        if self.size == Size::Double { double } else { quad }
    }

    /// The bits of an element.
    pub(super) fn bits(&self) -> u32 {
        if self.size == Size::Double { 32 } else { 64 }
    }

    /// The lowest `bits` bits of an element, where an element is not longer.
    pub(super) fn ones(&self, bits: u32) -> Source {
        Source::Constant(u64::MAX >> (64 - bits))
    }

    /// The sign bit.
    pub(super) fn sign(&self) -> Source {
        Source::Constant(1 << (self.bits() - 1))
    }

    /// A floating-point constant of the size.
    pub(super) fn float(&self, value: f64) -> Source {
        Source::Constant(match self.size {
            Size::Double => u64::from((value as f32).to_bits()),
            Size::Quad => value.to_bits(),
        })
    }

    /// The bytes of an element, `count` bytes in all.
    fn repeated(&self, bits: u64, count: usize) -> SmallVec<[u8; 64]> {
        let size = self.bits() as usize / 8;
        bits.to_le_bytes()[..size].iter().copied().cycle().take(count).collect()
    }

    /// The last operand of an instruction; whether it is one element for all lanes.
    fn operand(&mut self, op: V, source: Source) -> (Operand, bool) {
        let bits = match source {
            Source::Register(register) => return (Operand::Use(register), false),
            Source::Constant(bits) => bits,
        };
        let bytes = match op.broadcast() {
            Broadcast::B32 if self.shape.is_evex() => 4,
            Broadcast::B64 if self.shape.is_evex() => 8,
            _ => self.shape.bytes(),
        };
        let bytes = self.repeated(bits, bytes);
        let address = self.emitter.function.constant(&bytes);
        (Operand::Memory(address), bytes.len() < self.shape.bytes())
    }

    /// A vector of a constant, or the register. A uniform constant is in the lowest 64 bits alone.
    pub(super) fn register(&mut self, source: impl Into<Source>) -> VReg {
        let bits = match source.into() {
            Source::Register(register) => return register,
            Source::Constant(bits) => bits,
        };
        // Lane 0 of 64 bits may be two of 32 in between.
        let code = match (self.shape, self.size) {
            (Shape::VexXmm, _) => Code::VEX_Vmovsd_xmm_m64,
            (Shape::EvexXmm, _) => Code::EVEX_Vmovsd_xmm_k1z_m64,
            (Shape::VexYmm, Size::Double) => Code::VEX_Vpbroadcastd_ymm_xmmm32,
            (Shape::VexYmm, Size::Quad) => Code::VEX_Vpbroadcastq_ymm_xmmm64,
            (Shape::EvexZmm, Size::Double) => Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
            (Shape::EvexZmm, Size::Quad) => Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64,
        };
        let count = if self.shape.is_uniform() { 8 } else { self.bits() as usize / 8 };
        let bytes = self.repeated(bits, count);
        let address = self.emitter.function.constant(&bytes);
        self.emitter.define(Class::Vector, code, [Operand::Memory(address)])
    }

    /// Sixteen bytes in every 128 bits of a register.
    pub(super) fn table_of(&mut self, bytes: &[u8; 16]) -> VReg {
        let bytes: SmallVec<[u8; 64]> = bytes.iter().copied().cycle().take(self.shape.bytes()).collect();
        let address = self.emitter.function.constant(&bytes);
        let code = match self.shape {
            Shape::VexXmm => Code::VEX_Vmovdqu_xmm_xmmm128,
            Shape::VexYmm => Code::VEX_Vmovdqu_ymm_ymmm256,
            Shape::EvexXmm => Code::EVEX_Vmovdqu32_xmm_k1z_xmmm128,
            Shape::EvexZmm => Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
        };
        self.emitter.define(Class::Vector, code, [Operand::Memory(address)])
    }

    /// An instruction whose result is a vector, or of a comparison a mask.
    fn result(&mut self, op: V, first: Option<VReg>, last: Source, immediate: Option<i64>) -> VReg {
        let code = op.code(self.shape);
        debug_assert_ne!(code, Code::INVALID, "invariant: {op:?} exists for {:?}", self.shape);
        let (last, is_broadcast) = self.operand(op, last);
        let class = if op.is_comparison() { self.emitter.mask_class(self.shape) } else { Class::Vector };
        let result = self.emitter.function.register(class);
        let mut operands: SmallVec<[Operand; 4]> = SmallVec::new();
        operands.push(Operand::Def(result));
        operands.extend(first.map(Operand::Use));
        operands.push(last);
        operands.extend(immediate.map(Operand::Immediate));
        let mut inst = Inst::new(code, operands);
        inst.is_broadcast = is_broadcast;
        self.emitter.push(inst);
        result
    }

    /// An instruction of one operand.
    pub(super) fn one(&mut self, op: V, a: impl Into<Source>) -> VReg {
        self.result(op, None, a.into(), None)
    }

    /// An instruction of one operand, which must be a register, and an immediate.
    pub(super) fn one_immediate(&mut self, op: V, a: impl Into<Source>, immediate: i64) -> VReg {
        let a = self.register(a);
        self.result(op, None, a.into(), Some(immediate))
    }

    /// An instruction of two operands.
    pub(super) fn two(&mut self, op: V, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let a = self.register(a);
        self.result(op, Some(a), b.into(), None)
    }

    /// The same where the order of the operands does not matter: a constant goes into memory.
    pub(super) fn commutative(&mut self, op: V, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        match (a.into(), b.into()) {
            (a @ Source::Constant(_), b @ Source::Register(_)) => self.two(op, b, a),
            (a, b) => self.two(op, a, b),
        }
    }

    /// A comparison: `k`, or a vector of ones and zeros.
    pub(super) fn mask(&mut self, op: V, a: impl Into<Source>, b: impl Into<Source>, immediate: Option<i64>) -> VReg {
        let a = self.register(a);
        self.result(op, Some(a), b.into(), immediate)
    }

    /// `op` of `a`, which it overwrites.
    fn update(&mut self, op: V, a: Source, b: Source, c: Source) -> VReg {
        let (from, b) = (self.register(a), self.register(b));
        let (last, is_broadcast) = self.operand(op, c);
        let to = self.emitter.function.register(Class::Vector);
        let mut inst = Inst::new(op.code(self.shape), [Operand::Update { from, to }, Operand::Use(b), last]);
        inst.is_broadcast = is_broadcast;
        self.emitter.push(inst);
        to
    }

    /// `a · b + c`, rounded once.
    pub(super) fn fma(&mut self, a: impl Into<Source>, b: impl Into<Source>, c: impl Into<Source>) -> VReg {
        let (product, by_memory) =
            (self.pick(V::Vfmadd213ps, V::Vfmadd213pd), self.pick(V::Vfmadd132ps, V::Vfmadd132pd));
        match (a.into(), b.into(), c.into()) {
            (a, b @ Source::Constant(_), c @ Source::Register(_)) => self.update(by_memory, a, c, b),
            (a @ Source::Constant(_), b, c @ Source::Register(_)) => self.update(by_memory, b, c, a),
            (a, b, c) => self.update(product, a, b, c),
        }
    }

    /// `c − a · b`, rounded once.
    pub(super) fn fnma(&mut self, a: impl Into<Source>, b: impl Into<Source>, c: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vfnmadd213ps, V::Vfnmadd213pd);
        self.update(op, a.into(), b.into(), c.into())
    }

    /// A polynomial, highest coefficient first.
    pub(super) fn polynomial(&mut self, x: VReg, coefficients: &[f64]) -> VReg {
        let first = self.float(coefficients[0]);
        let mut sum = self.register(first);
        for &coefficient in &coefficients[1..] {
            let coefficient = self.float(coefficient);
            sum = self.fma(sum, x, coefficient);
        }
        sum
    }

    /// `if_true` where the mask holds.
    pub(super) fn blend(&mut self, mask: VReg, if_true: impl Into<Source>, if_false: impl Into<Source>) -> VReg {
        let (if_true, if_false) = (if_true.into(), if_false.into());
        let if_false = self.register(if_false);
        if !self.shape.is_evex() {
            let op = self.pick(V::Vblendvps, V::Vblendvpd);
            let (last, _) = self.operand(op, if_true);
            let operands = [Operand::Use(if_false), last, Operand::Use(mask)];
            return self.emitter.define(Class::Vector, op.code(self.shape), operands);
        }
        let op = self.pick(V::Vpblendmd, V::Vpblendmq);
        let (last, is_broadcast) = self.operand(op, if_true);
        let result = self.emitter.function.register(Class::Vector);
        let operands = [Operand::Def(result), Operand::Use(if_false), last];
        let mut inst = Inst::new(op.code(self.shape), operands).with_merging_mask(mask);
        inst.is_broadcast = is_broadcast;
        self.emitter.push(inst);
        result
    }

    /// All bits or none.
    pub(super) fn and(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpandd, V::Vpandq);
        self.commutative(op, a, b)
    }

    pub(super) fn or(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpord, V::Vporq);
        self.commutative(op, a, b)
    }

    pub(super) fn xor(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpxord, V::Vpxorq);
        self.commutative(op, a, b)
    }

    /// `b` without the bits of `a`.
    pub(super) fn without(&mut self, b: impl Into<Source>, a: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpandnd, V::Vpandnq);
        self.two(op, a, b)
    }

    pub(super) fn add(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpaddd, V::Vpaddq);
        self.commutative(op, a, b)
    }

    pub(super) fn subtract(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpsubd, V::Vpsubq);
        self.two(op, a, b)
    }

    pub(super) fn shifted_left(&mut self, a: impl Into<Source>, amount: u32) -> VReg {
        let op = self.pick(V::Vpslld, V::Vpsllq);
        self.one_immediate(op, a, i64::from(amount))
    }

    pub(super) fn shifted_right(&mut self, a: impl Into<Source>, amount: u32) -> VReg {
        let op = self.pick(V::Vpsrld, V::Vpsrlq);
        self.one_immediate(op, a, i64::from(amount))
    }

    pub(super) fn shift_left(&mut self, a: impl Into<Source>, amount: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpsllvd, V::Vpsllvq);
        self.two(op, a, amount)
    }

    pub(super) fn shift_right(&mut self, a: impl Into<Source>, amount: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vpsrlvd, V::Vpsrlvq);
        self.two(op, a, amount)
    }

    pub(super) fn float_add(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vaddps, V::Vaddpd);
        self.commutative(op, a, b)
    }

    pub(super) fn float_subtract(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vsubps, V::Vsubpd);
        self.two(op, a, b)
    }

    pub(super) fn float_multiply(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vmulps, V::Vmulpd);
        self.commutative(op, a, b)
    }

    pub(super) fn float_divide(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vdivps, V::Vdivpd);
        self.two(op, a, b)
    }

    /// `a < b ? a : b`.
    pub(super) fn float_least(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vminps, V::Vminpd);
        self.two(op, a, b)
    }

    /// `a > b ? a : b`.
    pub(super) fn float_greatest(&mut self, a: impl Into<Source>, b: impl Into<Source>) -> VReg {
        let op = self.pick(V::Vmaxps, V::Vmaxpd);
        self.two(op, a, b)
    }

    pub(super) fn square_root(&mut self, a: VReg) -> VReg {
        let op = self.pick(V::Vsqrtps, V::Vsqrtpd);
        self.one(op, a)
    }

    pub(super) fn rounded(&mut self, a: VReg, rounding: Rounding) -> VReg {
        let op = self.pick(V::Vrndscaleps, V::Vrndscalepd);
        self.one_immediate(op, a, rounding as i64)
    }

    /// The value without its sign.
    pub(super) fn magnitude(&mut self, a: VReg) -> VReg {
        let ones = self.ones(self.bits() - 1);
        self.and(a, ones)
    }

    /// The sign bit alone.
    pub(super) fn sign_of(&mut self, a: VReg) -> VReg {
        let sign = self.sign();
        self.and(a, sign)
    }

    /// The upper half of a register. The lower half is the register itself.
    pub(super) fn upper(&mut self, a: VReg) -> VReg {
        let code = match self.shape {
            Shape::EvexZmm => Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8,
            _ => Code::VEX_Vextracti128_xmmm128_ymm_imm8,
        };
        self.emitter.define(Class::Vector, code, [Operand::Use(a), Operand::Immediate(1)])
    }

    /// Two halves of a register together.
    fn joined(&mut self, low: VReg, high: VReg) -> VReg {
        let code = match self.shape {
            Shape::EvexZmm => Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8,
            _ => Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8,
        };
        let operands = [Operand::Use(low), Operand::Use(high), Operand::Immediate(1)];
        self.emitter.define(Class::Vector, code, operands)
    }

    /// An instruction whose results are twice as wide as its operands: of both halves, or of lane 0 alone.
    pub(super) fn widened(&mut self, op: V, a: VReg) -> SmallVec<[VReg; 2]> {
        let low = self.one(op, a);
        if self.shape.is_uniform() {
            return SmallVec::from_slice(&[low]);
        }
        let high = self.upper(a);
        let high = self.one(op, high);
        SmallVec::from_slice(&[low, high])
    }

    /// An instruction whose results are half as wide as its operands.
    pub(super) fn narrowed(&mut self, op: V, parts: &[VReg]) -> VReg {
        let mut halves: SmallVec<[VReg; 2]> = SmallVec::new();
        for &part in parts {
            halves.push(self.one(op, part));
        }
        match halves[..] {
            [low, high] => self.joined(low, high),
            _ => halves[0],
        }
    }

    /// The low halves of 64-bit elements.
    pub(super) fn truncated(&mut self, parts: &[VReg]) -> VReg {
        match (self.shape, parts) {
            (Shape::VexXmm | Shape::EvexXmm, &[part]) => part,
            (Shape::VexYmm, &[low, high]) => self.emitter.even_elements(low, high),
            _ => self.narrowed(V::Vpmovqd, parts),
        }
    }
}
