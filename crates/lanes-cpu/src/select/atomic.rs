//! Atomics: lane by lane, with the locked instructions of the CPU. They are sequentially consistent, whatever is requested.
//!
//! ```text
//! load, store, exchange   mov, xchg            add, subtract, increment   lock xadd
//! compare-exchange        lock cmpxchg         and, or, xor, min, max     loop of lock cmpxchg
//! ```
//!
//! One thread runs all of a work-group. So nothing else accesses its memory in between, and an atomic there is a load and a store.

use iced_x86::{Code, Register};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{GlslStd450Op, StorageClass};

use super::arithmetic::Emitter;
use super::arithmetic::code;
use super::checks::Extent;
use super::lane_loop::LaneOperand;
use super::selector::Selector;
use super::value::{ScalarType, Value};
use crate::machine::{Address, Class, Condition, Implicit, Inst as MachineInst, Operand, Terminator, VReg};

impl Selector<'_> {
    /// Selects an atomic instruction.
    pub(super) fn select_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        let Some(view::Atomic { pointer, value, comparator, .. }) = view::Atomic::of(self.values.module, inst) else {
            return Err(self.values.unsupported(inst, "operands that are missing"));
        };
        let ty = match value {
            Some(value) => self.values.scalar_type(value)?,
            None => self.values.scalar_type(inst)?,
        };
        if !matches!(ty, ScalarType::Int(32 | 64)) || is_float_atomic(op) {
            return Err(self.values.unsupported(inst, "an atomic of this type"));
        }
        let bits = ty.bits();
        let extent = if op == Op::AtomicLoad { Extent::read(bits / 8) } else { Extent::write(bits / 8) };
        let access = self.access(pointer, extent, inst)?;
        let (address, form) = self.emit.lane_addresses(&access, bits / 8);
        let mut operands = vec![address];
        for operand in [value, comparator].into_iter().flatten() {
            let value = self.value(operand)?;
            operands.push(LaneOperand { value, ty });
        }
        let result = (op != Op::AtomicStore && op != Op::AtomicFlagClear).then_some(ty);
        let is_local = self.values.module.storage_class(pointer) == Some(StorageClass::Workgroup);
        let value = self.for_each_lane(&operands, result, |selector, registers| {
            let address = selector.emit.address_of_lane(form, registers[0]);
            if is_local && !matches!(op, Op::AtomicLoad | Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak) {
                return selector.emit.local_atomic(op, bits, address, registers.get(1).copied());
            }
            let address = Address::of(selector.emit.address_register(address));
            selector.emit.atomic(op, bits, address, &registers[1..])
        });
        if let Some(value) = value {
            self.set(inst, value);
        }
        Ok(())
    }
}

impl Emitter<'_> {
    /// The operation of one lane; the value before, if the operation gives one.
    fn atomic(&mut self, op: Op, bits: u32, address: Address, operands: &[VReg]) -> Option<VReg> {
        let memory = Operand::Memory(address);
        match op {
            Op::AtomicLoad => {
                let code = code([Code::Mov_r32_rm32, Code::Mov_r64_rm64], bits);
                let result = self.function.register(Class::General);
                self.push(MachineInst::new(code, [Operand::Def(result), memory]).with_effect());
                Some(result)
            }
            Op::AtomicStore | Op::AtomicExchange => Some(self.exchange(bits, memory, operands[0])),
            Op::AtomicIAdd => Some(self.exchange_add(bits, memory, operands[0])),
            Op::AtomicISub => {
                let code = code([Code::Neg_rm32, Code::Neg_rm64], bits);
                let to = self.function.register(Class::General);
                self.push(MachineInst::new(code, [Operand::Update { from: operands[0], to }]));
                Some(self.exchange_add(bits, memory, to))
            }
            Op::AtomicIIncrement | Op::AtomicIDecrement => {
                let step = if op == Op::AtomicIIncrement { 1 } else { u64::MAX };
                let step = self.constant(ScalarType::Int(bits), super::values::truncated(step as i64, bits));
                Some(self.exchange_add(bits, memory, step.uniform()?))
            }
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                Some(self.compare_exchange(bits, memory, operands[0], operands[1]))
            }
            _ => self.loop_until_exchanged(op, bits, address, operands[0]),
        }
    }

    /// An atomic in the memory of the work-group; the value before.
    fn local_atomic(&mut self, op: Op, bits: u32, address: Address, operand: Option<VReg>) -> Option<VReg> {
        let ty = ScalarType::Int(bits);
        let load = code([Code::Mov_r32_rm32, Code::Mov_r64_rm64], bits);
        let store = code([Code::Mov_rm32_r32, Code::Mov_rm64_r64], bits);
        let before = self.function.register(Class::General);
        self.push(MachineInst::new(load, [Operand::Def(before), Operand::Memory(address)]));
        let old = Value::Uniform(before);
        let after = match (op, operand) {
            (Op::AtomicIIncrement | Op::AtomicIDecrement, _) => {
                let one = self.constant(ty, 1);
                let op = if op == Op::AtomicIIncrement { Op::IAdd } else { Op::ISub };
                self.binary(op, ty, &old, &one)
            }
            (Op::AtomicStore | Op::AtomicExchange, Some(operand)) => Some(Value::Uniform(operand)),
            (_, Some(operand)) => self.combined(op, ty, &old, &Value::Uniform(operand)),
            (_, None) => None,
        };
        let after = after?.uniform()?;
        self.push(MachineInst::new(store, [Operand::Memory(address), Operand::Use(after)]).with_effect());
        Some(before)
    }

    /// Computes the value that an atomic stores, from the old value and the operand.
    fn combined(&mut self, op: Op, ty: ScalarType, old: &Value, operand: &Value) -> Option<Value> {
        let mut extended = |op: GlslStd450Op| self.extended(op as u32, ty, &[old.clone(), operand.clone()]);
        match op {
            Op::AtomicUMin => extended(GlslStd450Op::UMin),
            Op::AtomicSMin => extended(GlslStd450Op::SMin),
            Op::AtomicUMax => extended(GlslStd450Op::UMax),
            Op::AtomicSMax => extended(GlslStd450Op::SMax),
            Op::AtomicIAdd => self.binary(Op::IAdd, ty, old, operand),
            Op::AtomicISub => self.binary(Op::ISub, ty, old, operand),
            Op::AtomicAnd => self.binary(Op::BitwiseAnd, ty, old, operand),
            Op::AtomicOr => self.binary(Op::BitwiseOr, ty, old, operand),
            Op::AtomicXor => self.binary(Op::BitwiseXor, ty, old, operand),
            _ => None,
        }
    }

    fn exchange(&mut self, bits: u32, memory: Operand, value: VReg) -> VReg {
        let code = code([Code::Xchg_rm32_r32, Code::Xchg_rm64_r64], bits);
        let to = self.function.register(Class::General);
        self.push(MachineInst::new(code, [memory, Operand::Update { from: value, to }]).with_effect());
        to
    }

    fn exchange_add(&mut self, bits: u32, memory: Operand, value: VReg) -> VReg {
        let code = code([Code::Xadd_rm32_r32, Code::Xadd_rm64_r64], bits);
        let to = self.function.register(Class::General);
        let mut inst = MachineInst::new(code, [memory, Operand::Update { from: value, to }]).with_effect();
        inst.is_locked = true;
        self.push(inst);
        to
    }

    fn compare_exchange(&mut self, bits: u32, memory: Operand, value: VReg, comparator: VReg) -> VReg {
        let code = code([Code::Cmpxchg_rm32_r32, Code::Cmpxchg_rm64_r64], bits);
        let before = self.function.register(Class::General);
        let mut inst = MachineInst::new(code, [memory, Operand::Use(value)])
            .with_effect()
            .with_implicit(Implicit::Use(comparator, Register::RAX))
            .with_implicit(Implicit::Def(before, Register::RAX));
        inst.is_locked = true;
        self.push(inst);
        before
    }

    /// Reads, computes, and writes if no other thread wrote in between; else again.
    fn loop_until_exchanged(&mut self, op: Op, bits: u32, address: Address, value: VReg) -> Option<VReg> {
        let ty = ScalarType::Int(bits);
        let first = self.function.register(Class::General);
        let load = code([Code::Mov_r32_rm32, Code::Mov_r64_rm64], bits);
        self.push(MachineInst::new(load, [Operand::Def(first), Operand::Memory(address)]).with_effect());
        let (again, done) = (self.new_block(), self.new_block());
        let before = self.function.register(Class::General);
        self.function.blocks[again.0 as usize].parameters.push(before);
        self.end(Terminator::Jump(again, vec![first]));
        self.block = again;
        let (old, operand) = (Value::Uniform(before), Value::Uniform(value));
        let new = self.combined(op, ty, &old, &operand);
        let new = new?.uniform()?;
        let found = self.compare_exchange(bits, Operand::Memory(address), new, before);
        let compare = code([Code::Cmp_r32_rm32, Code::Cmp_r64_rm64], bits);
        self.push(MachineInst::new(compare, [Operand::Use(found), Operand::Use(before)]).with_effect());
        let retry = self.new_block();
        self.end(Terminator::Branch { condition: Condition::Equal, then: done, otherwise: retry });
        self.block = retry;
        self.end(Terminator::Jump(again, vec![found]));
        self.block = done;
        Some(before)
    }
}

fn is_float_atomic(op: Op) -> bool {
    matches!(
        op,
        Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT | Op::AtomicFlagTestAndSet | Op::AtomicFlagClear
    )
}
