//! Loads and stores.
//!
//! | access | load | store |
//! |---|---|---|
//! | uniform | scalar | scalar; of a varying value, lane by lane |
//! | contiguous | one masked vector load a register | one masked vector store |
//! | indexed, addresses | gather | scatter; of 8 and 16 bits, lane by lane |
//!
//! A gather reads 32 or 64 bits. An element of 8 or 16 bits is read with the aligned word that it is in, which never crosses a page; an
//! element of 16 bits must be aligned to its size; checked code reads such elements lane by lane. AVX2 has no scatters and no masked accesses of 8 and 16 bits: they go lane by lane.

use iced_x86::Code;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use smallvec::{SmallVec, smallvec};

use super::addresses::Access;
use super::arithmetic::Emitter;
use super::bounds::Bounds;
use super::checks::Extent;
use super::lane_loop::LaneOperand;
use super::selector::Selector;
use super::symbolic::Pointer;
use super::value::{Isa, ScalarType, Value};
use super::values::truncated;
use crate::machine::{Address, Class, Inst as MachineInst, Operand, VReg};

const INT: ScalarType = ScalarType::Int(32);
const LONG: ScalarType = ScalarType::Int(64);

/// The type of a value in memory: booleans are bytes, halves their bits.
fn memory_type(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::Bool => ScalarType::Int(8),
        ScalarType::Float(16) => ScalarType::Int(16),
        other => other,
    }
}

/// The address of a lane: its operand as an index of this base and scale, or the operand itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneAddress {
    form: Option<(Address, u8)>,
}

impl Selector<'_> {
    /// Loads a scalar.
    pub(super) fn select_load(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let pointer = view::Load::of(self.values.module, inst).map(|load| load.pointer);
        let pointer = pointer.ok_or_else(|| self.values.unsupported(inst, "a load without a pointer"))?;
        if let Some((built_in, component)) = reconverge_lanes::input_of(self.values.module, pointer) {
            return self.select_input(inst, built_in, component);
        }
        let ty = self.values.scalar_type(inst)?;
        let in_memory = memory_type(ty);
        let access = self.access(pointer, Extent::read(in_memory.bits() / 8), inst)?;
        let loaded = self.load(&access, in_memory)?;
        let value = self.loaded_value(ty, loaded, inst)?;
        self.set(inst, value);
        Ok(())
    }

    fn loaded_value(&mut self, ty: ScalarType, value: Value, at: Inst) -> Result<Value, Diagnostic> {
        let converted = match ty {
            ScalarType::Bool => {
                let zero = self.emit.constant(ScalarType::Int(8), 0);
                self.emit.compare(Op::INotEqual, ScalarType::Int(8), &value, &zero)
            }
            ScalarType::Float(16) => self.emit.convert(Op::Bitcast, ScalarType::Int(16), ty, &value),
            _ => Some(value),
        };
        converted.ok_or_else(|| self.values.unsupported(at, "a value of this type in memory"))
    }

    fn stored_value(&mut self, ty: ScalarType, value: Value, at: Inst) -> Result<Value, Diagnostic> {
        let converted = match ty {
            ScalarType::Bool if value.uniform().is_some() => Some(value),
            ScalarType::Bool => Some(self.emit.numbers_of(&value)),
            ScalarType::Float(16) => self.emit.convert(Op::Bitcast, ty, ScalarType::Int(16), &value),
            _ => Some(value),
        };
        converted.ok_or_else(|| self.values.unsupported(at, "a value of this type in memory"))
    }

    /// Stores a scalar.
    pub(super) fn select_store(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let store = view::Store::of(self.values.module, inst).map(|store| (store.pointer, store.object));
        let (pointer, object) = store.ok_or_else(|| self.values.unsupported(inst, "a store without operands"))?;
        self.store_value(pointer, object, inst)
    }

    /// Stores a value of a type where a pointer with a place points.
    pub(super) fn store_at(
        &mut self,
        pointer: &Pointer,
        ty: ScalarType,
        value: Value,
        at: Inst,
    ) -> Result<(), Diagnostic> {
        let in_memory = memory_type(ty);
        let access = self.access_place(pointer, in_memory.bits() / 8, at)?;
        let value = if ty == ScalarType::Bool { value } else { self.stored_value(ty, value, at)? };
        self.store(&access, in_memory, &value);
        Ok(())
    }

    fn store_value(&mut self, pointer: Inst, object: Inst, at: Inst) -> Result<(), Diagnostic> {
        let ty = self.values.scalar_type(object)?;
        let in_memory = memory_type(ty);
        let access = self.access(pointer, Extent::write(in_memory.bits() / 8), at)?;
        let value = self.value(object)?;
        let value = self.stored_value(ty, value, at)?;
        self.store(&access, in_memory, &value);
        Ok(())
    }

    /// The value at the addresses, of an integer or floating-point type that memory has.
    fn load(&mut self, access: &Access, ty: ScalarType) -> Result<Value, Diagnostic> {
        let isa = self.emit.pack.isa;
        // Checked code reads no byte that was not checked, so no words for narrower elements.
        let is_checked = self.values.specialization.bounds == Bounds::Checked;
        match access {
            Access::Uniform(address) => Ok(Value::Uniform(self.emit.load_scalar(*address, ty))),
            Access::Indexed { .. } | Access::Addresses(_) if is_checked && ty.bits() < 32 => {
                Ok(self.load_each(access, ty))
            }
            Access::Contiguous(address) => {
                let is_own = matches!(address.base, crate::machine::Base::Frame);
                if isa == Isa::Avx2 && self.emit.mask.is_some() && ty.bits() < 32 && !is_own {
                    return Ok(self.load_each(access, ty));
                }
                let masks = if is_own { None } else { self.emit.masks_for(ty) };
                Ok(self.emit.load_contiguous(*address, ty, masks.as_deref()))
            }
            Access::Indexed { base, index, scale } if isa == Isa::Avx512 || ty.bits() == 32 => {
                if ty.bits() < 32 {
                    return Ok(self.emit.gather_narrow_indexed(*base, index, *scale, ty));
                }
                Ok(self.emit.gather_indexed(*base, index, *scale, ty))
            }
            Access::Addresses(addresses) if isa == Isa::Avx512 => Ok(self.emit.gather_addresses(addresses, ty)),
            _ => Ok(self.load_each(access, ty)),
        }
    }

    /// Loads lane by lane.
    fn load_each(&mut self, access: &Access, ty: ScalarType) -> Value {
        let (operand, form) = self.emit.lane_addresses(access, ty.bits() / 8);
        let bits = ty.bits();
        let result = match ty {
            ScalarType::Float(_) if bits == 64 => ScalarType::Float(64),
            ScalarType::Float(_) => ScalarType::Float(32),
            other => other,
        };
        let integer = ScalarType::Int(bits);
        let value = self.for_each_lane(&[operand], Some(result), |selector, registers| {
            let address = selector.emit.address_of_lane(form, registers[0]);
            Some(selector.emit.load_scalar(address, integer))
        });
        value.expect("invariant: a load has a result")
    }

    fn store(&mut self, access: &Access, ty: ScalarType, value: &Value) {
        let is_avx512 = self.emit.pack.isa == Isa::Avx512;
        match (access, value) {
            (Access::Uniform(address), &Value::Uniform(register)) => self.emit.store_scalar(*address, ty, register),
            (Access::Contiguous(address), _) if is_avx512 || ty.bits() >= 32 => {
                self.emit.store_contiguous(*address, ty, value);
            }
            (Access::Indexed { base, index, scale }, _) if is_avx512 && ty.bits() >= 32 => {
                self.emit.scatter_indexed(Address { scale: *scale, ..*base }, index, ty, value);
            }
            (Access::Addresses(addresses), _) if is_avx512 && ty.bits() >= 32 => {
                self.emit.scatter_addresses(addresses, ty, value);
            }
            _ => self.store_each(access, ty, value),
        }
    }

    /// Stores lane by lane, from the first lane to the last.
    fn store_each(&mut self, access: &Access, ty: ScalarType, value: &Value) {
        let (operand, form) = self.emit.lane_addresses(access, ty.bits() / 8);
        let stored = LaneOperand { value: value.clone(), ty };
        let code = store_code(ty.bits());
        self.for_each_lane(&[operand, stored], None, |selector, registers| {
            let address = Operand::Memory(selector.emit.address_of_lane(form, registers[0]));
            selector.emit.push(MachineInst::new(code, [address, Operand::Use(registers[1])]).with_effect());
            None
        });
    }
}

impl Emitter<'_> {
    fn load_scalar(&mut self, address: Address, ty: ScalarType) -> VReg {
        let has_avx512 = self.function.has_avx512;
        let (class, code) = match (ty, has_avx512) {
            (ScalarType::Float(64), true) => (Class::Vector, Code::EVEX_Vmovsd_xmm_k1z_m64),
            (ScalarType::Float(64), false) => (Class::Vector, Code::VEX_Vmovsd_xmm_m64),
            (ScalarType::Float(_), true) => (Class::Vector, Code::EVEX_Vmovss_xmm_k1z_m32),
            (ScalarType::Float(_), false) => (Class::Vector, Code::VEX_Vmovss_xmm_m32),
            (ty, _) => (
                Class::General,
                match ty.bits() {
                    8 => Code::Movzx_r32_rm8,
                    16 => Code::Movzx_r32_rm16,
                    64 => Code::Mov_r64_rm64,
                    _ => Code::Mov_r32_rm32,
                },
            ),
        };
        let result = self.function.register(class);
        self.push(MachineInst::new(code, [Operand::Def(result), Operand::Memory(address)]));
        result
    }

    /// Loads the elements of all lanes, or those of the masks, one for each register.
    fn load_contiguous(&mut self, address: Address, ty: ScalarType, masks: Option<&[VReg]>) -> Value {
        let isa = self.pack.isa;
        let bytes = self.bytes_of_register(ty);
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        for place in 0..self.pack.registers(ty) as usize {
            let memory = Operand::Memory(address.plus(bytes * place as i32));
            let result = self.function.register(Class::Vector);
            let inst = match (isa, masks) {
                (Isa::Avx512, masks) => {
                    let code = match ty.bits() {
                        8 => Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
                        16 => Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
                        64 => Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
                        _ => Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
                    };
                    let inst = MachineInst::new(code, [Operand::Def(result), memory]);
                    match masks {
                        Some(masks) => inst.with_zeroing_mask(masks[place]),
                        None => inst,
                    }
                }
                (_, Some(masks)) => {
                    let code = if ty.bits() == 64 {
                        Code::VEX_Vpmaskmovq_ymm_ymm_m256
                    } else {
                        Code::VEX_Vpmaskmovd_ymm_ymm_m256
                    };
                    MachineInst::new(code, [Operand::Def(result), Operand::Use(masks[place]), memory])
                }
                (_, None) => {
                    let code = match ty.bits() {
                        8 => Code::VEX_Vpmovzxbd_ymm_xmmm64,
                        16 => Code::VEX_Vpmovzxwd_ymm_xmmm128,
                        _ => Code::VEX_Vmovdqu_ymm_ymmm256,
                    };
                    MachineInst::new(code, [Operand::Def(result), memory])
                }
            };
            self.push(inst);
            registers.push(result);
        }
        Value::Varying(registers)
    }

    /// The bytes of memory after one register.
    fn bytes_of_register(&self, ty: ScalarType) -> i32 {
        let pack = self.pack;
        (pack.lanes() * ty.bits() / 8 / pack.registers(ty)) as i32
    }

    /// The execution mask for each register of a type; none if all lanes execute.
    fn masks_for(&mut self, ty: ScalarType) -> Option<SmallVec<[VReg; 4]>> {
        let (_, mask) = self.mask.clone()?;
        let Value::Varying(masks) = mask else { return None };
        Some(if ty.bits() == 64 { self.widen_masks(&masks) } else { masks })
    }

    /// Masks that an instruction may consume, all ones if all lanes execute.
    fn masks_to_consume(&mut self, ty: ScalarType) -> SmallVec<[VReg; 4]> {
        if let Some(masks) = self.masks_for(ty) {
            return masks;
        }
        let count = self.pack.registers(ty) as usize;
        if self.pack.isa == Isa::Avx512 {
            let all = self.define(Class::General, Code::Mov_r32_imm32, [Operand::Immediate(0xffff)]);
            let mask = self.define(Class::Mask, Code::VEX_Kmovw_kr_r32, [Operand::Use(all)]);
            return SmallVec::from_elem(mask, count);
        }
        let ones = self.function.constant(&[0xff; 32]);
        let mask = self.define(Class::Vector, Code::VEX_Vmovdqu_ymm_ymmm256, [Operand::Memory(ones)]);
        SmallVec::from_elem(mask, count)
    }

    fn zero(&mut self) -> VReg {
        let value = self.constant(INT, 0);
        let Value::Varying(registers) = self.broadcast(INT, &value) else { unreachable!("broadcast values vary") };
        registers[0]
    }

    /// One gather: `code` reads what `address` says, for a mask that it consumes.
    fn gather(&mut self, code: Code, address: Address, mask: VReg) -> VReg {
        let zero = self.zero();
        let result = self.function.register(Class::Vector);
        let memory = Operand::Memory(address);
        let update = Operand::Update { from: zero, to: result };
        let consumed = self.function.register(mask.class);
        if self.pack.isa == Isa::Avx512 {
            let mut inst = MachineInst::new(code, [update, memory]);
            inst.consumed_mask = Some((mask, consumed));
            self.push(inst);
        } else {
            let mask = Operand::Update { from: mask, to: consumed };
            self.push(MachineInst::new(code, [update, memory, mask]));
        }
        result
    }

    fn gather_indexed(&mut self, base: Address, index: &Value, scale: u8, ty: ScalarType) -> Value {
        let Value::Varying(indices) = self.broadcast(INT, index) else { unreachable!("broadcast values vary") };
        let masks = self.masks_to_consume(ty);
        let at = |index: VReg| Address { index: Some(index), scale, ..base };
        let base_alone = base.index.is_none();
        debug_assert!(base_alone, "invariant: a gather has one index");
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        for (place, &index) in indices.iter().enumerate() {
            match (ty.bits(), self.pack.isa) {
                (64, _) => {
                    let upper = self.upper_half(index);
                    for (half, index) in [index, upper].into_iter().enumerate() {
                        let mask = masks[2 * place + half];
                        registers.push(self.gather(Code::EVEX_Vpgatherdq_zmm_k1_vm32y, at(index), mask));
                    }
                }
                (_, Isa::Avx512) => {
                    registers.push(self.gather(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, at(index), masks[place]));
                }
                _ => registers.push(self.gather(Code::VEX_Vpgatherdd_ymm_vm32y_ymm, at(index), masks[place])),
            }
        }
        Value::Varying(registers)
    }

    /// The upper eight lanes of sixteen.
    fn upper_half(&mut self, register: VReg) -> VReg {
        let operands = [Operand::Use(register), Operand::Immediate(1)];
        self.define(Class::Vector, Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, operands)
    }

    /// Elements of 8 and 16 bits, out of aligned words. The index stays one: in bytes it might not have 32 bits.
    ///
    /// ```text
    /// base + scale · index = (base & ~3) + scale · (moved & ~last) + within
    /// moved  = index + (base & 3) / scale              last = 4 / scale − 1, none if an element is a word or more from the next
    /// within = scale · (moved & last) + (base & 3) % scale
    /// ```
    fn gather_narrow_indexed(&mut self, base: Address, index: &Value, scale: u8, ty: ScalarType) -> Value {
        let first = Value::Uniform(self.address_register(base));
        let long = |selector: &mut Self, bits: i64| {
            let bits = selector.constant(LONG, bits as u64);
            let result = selector.binary(Op::BitwiseAnd, LONG, &first, &bits);
            result.and_then(|value| value.uniform()).expect("invariant: 64-bit integers have these operations")
        };
        let (start, skew) = (long(self, !3), Value::Uniform(long(self, 3)));
        if scale >= 4 {
            let words = self.gather_indexed(Address::of(start), index, scale, INT);
            let within = self.broadcast(INT, &skew);
            return self.part_of_words(&words, &within, ty);
        }
        let word = |selector: &mut Self, value: i64| selector.constant(INT, truncated(value, 32));
        let (shift, last) = (i64::from(scale) - 1, 4 / i64::from(scale) - 1);
        let (shift, rest) = (word(self, shift), word(self, shift));
        let (last, rounding) = (word(self, last), word(self, !last));
        let whole = self.int(Op::ShiftRightLogical, &skew, &shift);
        let moved = self.int(Op::IAdd, index, &whole);
        let within = self.int(Op::BitwiseAnd, &moved, &last);
        let within = self.int(Op::ShiftLeftLogical, &within, &shift);
        let rest = self.int(Op::BitwiseAnd, &skew, &rest);
        let within = self.int(Op::IAdd, &within, &rest);
        let aligned = self.int(Op::BitwiseAnd, &moved, &rounding);
        let words = self.gather_indexed(Address::of(start), &aligned, scale, INT);
        self.part_of_words(&words, &within, ty)
    }

    /// The 8 or 16 bits of each word that begin `within` bytes after its beginning.
    fn part_of_words(&mut self, words: &Value, within: &Value, ty: ScalarType) -> Value {
        let three = self.constant(INT, 3);
        let amount = self.int(Op::ShiftLeftLogical, within, &three);
        let shifted = self.int(Op::ShiftRightLogical, words, &amount);
        let mask = self.constant(INT, (1 << ty.bits()) - 1);
        self.int(Op::BitwiseAnd, &shifted, &mask)
    }

    fn int(&mut self, op: Op, left: &Value, right: &Value) -> Value {
        self.binary(op, INT, left, right).expect("invariant: 32-bit integers have these operations")
    }

    fn gather_addresses(&mut self, addresses: &Value, ty: ScalarType) -> Value {
        if ty.bits() < 32 {
            let three = self.constant(LONG, 3);
            let within = self.binary(Op::BitwiseAnd, LONG, addresses, &three);
            let within = within.expect("invariant: 64-bit integers have these operations");
            let aligned = self.binary(Op::ISub, LONG, addresses, &within);
            let aligned = aligned.expect("invariant: 64-bit integers have these operations");
            let words = self.gather_addresses(&aligned, INT);
            let within = self.convert(Op::UConvert, LONG, INT, &within);
            let within = within.expect("invariant: integers can be narrowed");
            return self.part_of_words(&words, &within, ty);
        }
        let Value::Varying(addresses) = addresses else { unreachable!("addresses vary") };
        let masks = self.masks_to_consume(LONG);
        let at =
            |index: VReg| Address { base: crate::machine::Base::None, index: Some(index), scale: 1, displacement: 0 };
        let mut halves: SmallVec<[VReg; 8]> = smallvec![];
        let code =
            if ty.bits() == 64 { Code::EVEX_Vpgatherqq_zmm_k1_vm64z } else { Code::EVEX_Vpgatherqd_ymm_k1_vm64z };
        for (&address, &mask) in addresses.iter().zip(&masks) {
            halves.push(self.gather(code, at(address), mask));
        }
        if ty.bits() == 64 {
            return Value::Varying(halves.into_iter().collect());
        }
        let pairs: Vec<[VReg; 2]> = halves.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        Value::Varying(pairs.into_iter().map(|pair| self.both_halves(pair)).collect())
    }

    fn both_halves(&mut self, [low, high]: [VReg; 2]) -> VReg {
        let operands = [Operand::Use(low), Operand::Use(high), Operand::Immediate(1)];
        self.define(Class::Vector, Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8, operands)
    }

    /// An operand for a loop over lanes from which the address of a lane follows.
    pub(super) fn lane_addresses(&mut self, access: &Access, bytes: u32) -> (LaneOperand, LaneAddress) {
        let (value, ty, form) = match access {
            Access::Uniform(address) => {
                let register = self.address_register(*address);
                (Value::Uniform(register), LONG, None)
            }
            Access::Contiguous(address) => {
                let base = self.address_register(*address);
                let lanes = self.lane_numbers();
                let size = self.constant(INT, bytes.into());
                let offsets = self.int(Op::IMul, &lanes, &size);
                (offsets, INT, Some((Address::of(base), 1)))
            }
            Access::Indexed { base, index, scale } => {
                let base = self.address_register(*base);
                (index.clone(), INT, Some((Address::of(base), *scale)))
            }
            Access::Addresses(addresses) => (addresses.clone(), LONG, None),
        };
        (LaneOperand { value, ty }, LaneAddress { form })
    }

    /// The address of a lane, from its operand.
    pub(super) fn address_of_lane(&mut self, address: LaneAddress, register: VReg) -> Address {
        match address.form {
            Some((base, scale)) => self.indexed(base, register, scale),
            None => Address::of(register),
        }
    }

    fn store_scalar(&mut self, address: Address, ty: ScalarType, register: VReg) {
        let has_avx512 = self.function.has_avx512;
        let code = match (ty, has_avx512) {
            (ScalarType::Float(64), true) => Code::EVEX_Vmovsd_m64_k1_xmm,
            (ScalarType::Float(64), false) => Code::VEX_Vmovsd_m64_xmm,
            (ScalarType::Float(_), true) => Code::EVEX_Vmovss_m32_k1_xmm,
            (ScalarType::Float(_), false) => Code::VEX_Vmovss_m32_xmm,
            (ty, _) => store_code(ty.bits()),
        };
        self.push(MachineInst::new(code, [Operand::Memory(address), Operand::Use(register)]).with_effect());
    }

    fn store_contiguous(&mut self, address: Address, ty: ScalarType, value: &Value) {
        let Value::Varying(registers) = self.broadcast(ty, value) else { unreachable!("broadcast values vary") };
        let masks = self.masks_for(ty);
        let bytes = self.bytes_of_register(ty);
        let is_avx512 = self.pack.isa == Isa::Avx512;
        for (place, &register) in registers.iter().enumerate() {
            let memory = Operand::Memory(address.plus(bytes * place as i32));
            let inst = match (is_avx512, &masks) {
                (true, masks) => {
                    let code = match ty.bits() {
                        8 => Code::EVEX_Vpmovdb_xmmm128_k1z_zmm,
                        16 => Code::EVEX_Vpmovdw_ymmm256_k1z_zmm,
                        64 => Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm,
                        _ => Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm,
                    };
                    let inst = MachineInst::new(code, [memory, Operand::Use(register)]);
                    match masks {
                        Some(masks) => inst.with_merging_mask(masks[place]),
                        None => inst,
                    }
                }
                (false, Some(masks)) => {
                    let code = if ty.bits() == 64 {
                        Code::VEX_Vpmaskmovq_m256_ymm_ymm
                    } else {
                        Code::VEX_Vpmaskmovd_m256_ymm_ymm
                    };
                    MachineInst::new(code, [memory, Operand::Use(masks[place]), Operand::Use(register)])
                }
                (false, None) => MachineInst::new(Code::VEX_Vmovdqu_ymmm256_ymm, [memory, Operand::Use(register)]),
            };
            self.push(inst.with_effect());
        }
    }

    /// One scatter.
    fn scatter(&mut self, code: Code, address: Address, mask: VReg, register: VReg) {
        let consumed = self.function.register(Class::Mask);
        let mut inst = MachineInst::new(code, [Operand::Memory(address), Operand::Use(register)]).with_effect();
        inst.consumed_mask = Some((mask, consumed));
        self.push(inst);
    }

    fn scatter_indexed(&mut self, base: Address, index: &Value, ty: ScalarType, value: &Value) {
        let Value::Varying(registers) = self.broadcast(ty, value) else { unreachable!("broadcast values vary") };
        let Value::Varying(indices) = self.broadcast(INT, index) else { unreachable!("broadcast values vary") };
        let masks = self.masks_to_consume(ty);
        let at = |index: VReg| Address { index: Some(index), ..base };
        for (place, &index) in indices.iter().enumerate() {
            if ty.bits() != 64 {
                self.scatter(Code::EVEX_Vpscatterdd_vm32z_k1_zmm, at(index), masks[place], registers[place]);
                continue;
            }
            let upper = self.upper_half(index);
            for (half, index) in [index, upper].into_iter().enumerate() {
                let place = 2 * place + half;
                self.scatter(Code::EVEX_Vpscatterdq_vm32y_k1_zmm, at(index), masks[place], registers[place]);
            }
        }
    }

    fn scatter_addresses(&mut self, addresses: &Value, ty: ScalarType, value: &Value) {
        let Value::Varying(registers) = self.broadcast(ty, value) else { unreachable!("broadcast values vary") };
        let Value::Varying(addresses) = addresses else { unreachable!("addresses vary") };
        let masks = self.masks_to_consume(LONG);
        let at =
            |index: VReg| Address { base: crate::machine::Base::None, index: Some(index), scale: 1, displacement: 0 };
        for (place, (&address, &mask)) in addresses.iter().zip(&masks).enumerate() {
            if ty.bits() == 64 {
                self.scatter(Code::EVEX_Vpscatterqq_vm64z_k1_zmm, at(address), mask, registers[place]);
                continue;
            }
            let register = registers[place / 2];
            let half = if place % 2 == 0 { register } else { self.upper_half(register) };
            self.scatter(Code::EVEX_Vpscatterqd_vm64z_k1_ymm, at(address), mask, half);
        }
    }
}

fn store_code(bits: u32) -> Code {
    match bits {
        8 => Code::Mov_rm8_r8,
        16 => Code::Mov_rm16_r16,
        64 => Code::Mov_rm64_r64,
        _ => Code::Mov_rm32_r32,
    }
}
