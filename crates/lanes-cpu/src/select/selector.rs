//! A function as a whole: blocks in reverse post-order, values, terminators.
//!
//! A selector owns three parts with their own state, and the receiver of a method says what it can change:
//!
//! | part | file | state |
//! |---|---|---|
//! | `values` | `values.rs` | the values of the function, and the form of each in the machine function |
//! | `emit` | `arithmetic/mod.rs` | the machine function, the lanes that execute, what the instructions are made of |
//! | `memory` | `memory.rs` | where variables are, which addresses are proved or tested, the checks at run time |
//!
//! Values are selected where they are defined, in the registers of their shape (`reconverge_lanes::PackValues`). Affine values are their base in
//! a general register: an operation that keeps a value affine is done on bases, because the base is the value of lane 0. Where a vector is
//! requested, it is made at the use. Wide integers that are a uniform base and a scaled 32-bit index, and pointers, stay symbolic
//! (`symbolic.rs`): a gather takes them in this form.

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_graph::CycleForest;
use reconverge_ir::{Block, Function, Inst, Op, OpGroup};
use reconverge_lanes::Variation;
use smallvec::SmallVec;

use super::arithmetic::Emitter;
use super::checks::Check;
use super::memory::Memory;
use super::value::{ScalarType, Value};
use super::values::{Selected, Values, truncated, uniform_class};
use crate::machine::{BlockId, Class, Condition, Terminator, VReg};

/// Selects the instructions of one function. Its own methods need more than one part.
pub(super) struct Selector<'a> {
    pub(super) values: Values<'a>,
    pub(super) emit: Emitter<'a>,
    pub(super) memory: Memory,
}

impl Selector<'_> {
    /// Selects a function.
    pub(super) fn run(&mut self, function: Function) -> Result<(), Diagnostic> {
        let flow = FlowGraph::compute(self.values.module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let depth = |block: Block| cycles.node_depth(flow.node(block)) as u32;
        let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
        for &block in &blocks {
            let machine_block = self.emit.function.add_block(depth(block));
            self.values.set_block(block, machine_block);
            let parameters: Vec<Inst> = self.values.module.parameters(block).map(Inst::from).collect();
            for parameter in parameters {
                self.add_parameter(machine_block, parameter)?;
            }
        }
        if let Some(first) = blocks.first() {
            self.emit.block = self.values.block(*first);
            let globals: Vec<Inst> =
                self.values.module.globals().filter(|&inst| self.values.module.op(inst) == Op::Variable).collect();
            for variable in globals {
                self.initialize(variable)?;
            }
        }
        for &block in &blocks {
            self.emit.block = self.values.block(block);
            self.emit.loop_depth = depth(block);
            self.emit.mask = None;
            let insts: Vec<Inst> = self.values.module.children(block).collect();
            for inst in insts {
                self.select(inst)?;
                self.memory.note_reach(&self.values, inst);
            }
        }
        Ok(())
    }

    fn add_parameter(&mut self, block: BlockId, parameter: Inst) -> Result<(), Diagnostic> {
        let ty = self.values.scalar_type(parameter)?;
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        let selected = match self.values.shape(parameter) {
            Variation::Uniform => {
                registers.push(self.emit.function.register(uniform_class(ty)));
                Selected::Value(Value::Uniform(registers[0]))
            }
            Variation::Affine { stride } => {
                registers.push(self.emit.function.register(Class::General));
                Selected::Affine { base: registers[0], stride }
            }
            Variation::Divergent => {
                let class = self.values.varying_class(ty);
                let count = self.emit.pack.registers(ty);
                registers.extend((0..count).map(|_| self.emit.function.register(class)));
                Selected::Value(Value::Varying(registers.clone()))
            }
        };
        self.emit.function.blocks[block.0 as usize].parameters.extend(registers);
        self.values.set(parameter, selected);
        Ok(())
    }

    /// Registers for a value: uniform or varying, as its shape is.
    pub(super) fn value(&mut self, inst: Inst) -> Result<Value, Diagnostic> {
        match self.values.get(inst).cloned() {
            Some(Selected::Value(value)) => Ok(value),
            Some(Selected::Affine { base, stride }) => {
                let ty = self.values.scalar_type(inst)?;
                self.affine_vector(ty, base, stride, inst)
            }
            Some(Selected::Wide(wide)) => self.wide_vector(&wide, inst),
            Some(Selected::Pointer(_)) => Err(self.values.unsupported(inst, "a pointer to a variable as a value")),
            Some(Selected::Pair(_)) => Err(self.values.unsupported(inst, "a pair as a value")),
            None => self.constant_value(inst),
        }
    }

    pub(super) fn affine_vector(
        &mut self,
        ty: ScalarType,
        base: VReg,
        stride: i64,
        at: Inst,
    ) -> Result<Value, Diagnostic> {
        let wide = if ty.bits() == 64 { 64 } else { 32 };
        let stride = self.emit.constant(ScalarType::Int(wide), truncated(stride, wide));
        let vector = self.emit.affine(wide, &Value::Uniform(base), &stride);
        let vector = vector.ok_or_else(|| self.values.unsupported(at, "an affine value of this type"))?;
        if ty.bits() >= 32 {
            return Ok(vector);
        }
        let narrowed = self.emit.convert(Op::UConvert, ScalarType::Int(32), ty, &vector);
        narrowed.ok_or_else(|| self.values.unsupported(at, "an affine value of this type"))
    }

    /// A constant, or an undefined value, which is zero.
    fn constant_value(&mut self, inst: Inst) -> Result<Value, Diagnostic> {
        let ty = self.values.scalar_type(inst)?;
        let bits = match self.values.module.op(inst) {
            Op::ConstantTrue => 1,
            Op::ConstantFalse | Op::ConstantNull | Op::Undef => 0,
            Op::Constant => {
                let bits = self.values.module.constant_bits(inst).unwrap_or(0);
                truncated(bits as i64, ty.bits())
            }
            _ => return Err(self.values.unsupported(inst, "a value that is not known here")),
        };
        Ok(self.emit.constant(ty, bits))
    }

    /// The value of lane 0, of which a uniform or affine result is computed. An operand of such a result may be in vectors: `u_convert` to 32
    /// bits of a number that was extended from 32 bits is affine where the wide number is not. A boolean in vectors stays there, because its result is a condition of all
    /// lanes; what needs a register refuses it.
    pub(super) fn base(&mut self, inst: Inst) -> Result<Value, Diagnostic> {
        if let Some(&Selected::Affine { base, .. }) = self.values.get(inst) {
            return Ok(Value::Uniform(base));
        }
        let value = self.value(inst)?;
        let ty = self.values.scalar_type(inst)?;
        Ok(self.emit.lane_zero(ty, value))
    }

    /// Enters the result of an instruction.
    pub(super) fn set(&mut self, inst: Inst, value: Value) {
        let selected = match (self.values.shape(inst), value) {
            (Variation::Affine { stride }, Value::Uniform(base)) => Selected::Affine { base, stride },
            (Variation::Divergent, Value::Uniform(register)) => {
                let ty = self.values.scalar_type(inst).unwrap_or(ScalarType::Int(32));
                Selected::Value(self.emit.broadcast(ty, &Value::Uniform(register)))
            }
            (_, value) => Selected::Value(value),
        };
        self.values.set(inst, selected);
    }

    fn select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        self.emit.begin(inst);
        let op = self.values.module.op(inst);
        match op.group() {
            OpGroup::Declaration => Ok(()),
            OpGroup::Variable => self.select_variable(inst),
            OpGroup::Address => self.select_access_chain(inst),
            OpGroup::Load => self.select_load(inst),
            OpGroup::Store => self.select_store(inst),
            OpGroup::Atomic => self.select_atomic(inst),
            OpGroup::Subgroup => self.select_subgroup(inst),
            OpGroup::ControlBarrier => self.select_barrier(inst),
            OpGroup::MemoryBarrier | OpGroup::Lifetime => Ok(()),
            OpGroup::Hint if op == Op::AssumeTrueKHR => Ok(()),
            OpGroup::Lane => self.select_lane(inst),
            OpGroup::Jump | OpGroup::Branch | OpGroup::Return | OpGroup::Unreachable => self.select_end(inst),
            _ => self.select_computation(inst),
        }
    }

    fn select_lane(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.values.module.op(inst) {
            Op::ExecutionMask => {
                let mask = self.values.module.operand(inst, 0);
                let value = self.value(mask)?;
                let value = self.emit.broadcast(ScalarType::Bool, &value);
                self.emit.mask = Some((mask, value));
            }
            Op::AnyLane if self.values.is_for_branches(inst) => self.emit.divergence.branches += 1,
            Op::AnyLane => {
                let mask = self.value(self.values.module.operand(inst, 0))?;
                let any = self.emit.any(&mask);
                self.set(inst, any);
            }
            _ => {
                let launched = self.launched_lanes(inst)?;
                self.set(inst, launched);
            }
        }
        Ok(())
    }

    fn select_end(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let end = match self.values.module.op(inst) {
            Op::Branch | Op::Loop => self.jump(inst)?,
            Op::BranchIf | Op::If => {
                let targets = [1, 2].map(|index| self.values.target(self.values.module.operand(inst, index)));
                return self.branch(self.values.module.operand(inst, 0), targets[0], targets[1]);
            }
            Op::Switch | Op::StructuredSwitch => return self.select_switch(inst),
            Op::Return => Terminator::Return,
            Op::Unreachable => {
                self.fail(Check::Unreachable, inst);
                return Ok(());
            }
            _ => return Err(self.values.unsupported(inst, "this end of a block")),
        };
        self.emit.end(end);
        Ok(())
    }

    fn jump(&mut self, inst: Inst) -> Result<Terminator, Diagnostic> {
        let end = self.values.module.cast(inst).expect("invariant: a jump is a terminator");
        let target = self.values.module.operand(inst, 0);
        let block: Block = self.values.module.cast(target).expect("invariant: successors are blocks");
        let parameters: Vec<Inst> = self.values.module.parameters(block).map(Inst::from).collect();
        let arguments: Vec<Inst> = self.values.module.arguments(end).collect();
        let mut registers = Vec::new();
        for (&parameter, &argument) in parameters.iter().zip(&arguments) {
            let ty = self.values.scalar_type(parameter)?;
            let (from, to) = (self.values.shape(argument), self.values.shape(parameter));
            debug_assert!(
                from != Variation::Divergent || to == Variation::Divergent,
                "invariant: shapes of arguments join"
            );
            match self.values.shape(parameter) {
                Variation::Uniform | Variation::Affine { .. } => match self.base(argument)? {
                    Value::Uniform(register) => registers.push(register),
                    Value::Varying(_) => {
                        return Err(self.values.unsupported(argument, "a varying argument of a uniform parameter"));
                    }
                },
                Variation::Divergent => {
                    let value = self.value(argument)?;
                    let Value::Varying(vectors) = self.emit.broadcast(ty, &value) else {
                        return Err(self.values.unsupported(argument, "an argument without lanes"));
                    };
                    registers.extend(vectors);
                }
            }
        }
        Ok(Terminator::Jump(self.values.target(target), registers))
    }

    /// Sets flags by a uniform condition: when it holds.
    pub(super) fn condition(&mut self, condition: Inst) -> Result<Condition, Diagnostic> {
        if self.values.module.op(condition) == Op::AnyLane {
            let mask = self.value(self.values.module.operand(condition, 0))?;
            return Ok(self.emit.any_flags(&mask));
        }
        let group = self.values.module.op(condition).group();
        if matches!(group, OpGroup::IntegerComparison | OpGroup::FloatComparison) {
            let [left, right] = [0, 1].map(|index| self.values.module.operand(condition, index));
            let ty = self.values.scalar_type(left)?;
            let (left, right) = (self.value(left)?, self.value(right)?);
            if left.uniform().is_some()
                && right.uniform().is_some()
                && let Some(flags) = self.emit.compare_flags(self.values.module.op(condition), ty, &left, &right)
            {
                return Ok(flags);
            }
        }
        if matches!(group, OpGroup::IntegerComparison | OpGroup::FloatComparison)
            && self.values.get(condition).is_none()
        {
            let [left, right] = [0, 1].map(|index| self.values.module.operand(condition, index));
            let ty = self.values.scalar_type(left)?;
            let (left, right) = (self.value(left)?, self.value(right)?);
            let compared = self.emit.compare(self.values.module.op(condition), ty, &left, &right);
            let compared = compared.ok_or_else(|| self.values.unsupported(condition, "a comparison of this form"))?;
            return Ok(self.emit.any_flags(&compared));
        }
        let value = self.value(condition)?;
        if value.uniform().is_none() {
            return Err(self.values.unsupported(condition, "a varying condition of a branch"));
        }
        Ok(self.emit.any_flags(&value))
    }

    fn select_switch(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let end = self.values.module.cast(inst).expect("invariant: a switch is a terminator");
        let selector = self.values.module.operand(inst, 0);
        let ty = self.values.scalar_type(selector)?;
        let value = self.value(selector)?;
        let default = self.values.target(self.values.module.operand(inst, 1));
        let cases: Vec<(Inst, Inst)> = self.values.module.cases(end).collect();
        let cases: Vec<(u64, BlockId)> = cases
            .into_iter()
            .map(|(literal, target)| {
                (super::literal_bits(self.values.module, literal, ty.bits()), self.values.target(target))
            })
            .collect();
        let Some(register) = value.uniform() else {
            return Err(self.values.unsupported(inst, "a varying selector"));
        };
        super::switch::select_switch(&mut self.emit, ty, register, default, cases);
        Ok(())
    }
}
