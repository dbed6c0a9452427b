//! A function as a whole: blocks in reverse post-order, values, terminators.
//!
//! Values are selected where they are defined, in the registers of their shape (`reconverge_lanes::PackValues`). Affine values are their base in
//! a general register: an operation that keeps a value affine is done on bases, because the base is the value of lane 0. Where a vector is
//! requested, it is made at the use. Wide integers that are a uniform base and a scaled 32-bit index, and pointers, stay symbolic
//! (`symbolic.rs`): a gather takes them in this form.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_graph::CycleForest;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Block, Function, Inst, Module, Op, OpGroup};
use reconverge_lanes::{PackValues, Ranges, Variation};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arithmetic::Emitter;
use super::bounds::AddressWords;
use super::checks::{Check, Site};
use super::frame::Places;
use super::guards::Tested;
use super::reach::Reach;
use super::symbolic::{Pointer, Wide};
use super::value::{Isa, ScalarType, Value};
use super::{Divergence, Specialization};
use crate::error::unsupported;
use crate::machine::{BlockId, Class, Condition, Inst as MachineInst, MachineFunction, Operand, Terminator, VReg};

/// The form of a value of the function in the machine function.
#[derive(Clone, Debug)]
pub(super) enum Selected {
    /// Registers.
    Value(Value),
    /// `base + stride · lane`, an integer.
    Affine {
        /// A general register.
        base: VReg,
        /// The difference between two neighbouring lanes.
        stride: i64,
    },
    /// A wide integer that a gather can take as it is.
    Wide(Wide),
    /// A pointer into something that has a place.
    Pointer(Pointer),
    /// The two parts of a wide result.
    Pair([Value; 2]),
}

/// The facts of the lanes of a function.
#[derive(Clone, Copy)]
pub(super) struct LaneFacts<'a> {
    /// The shapes of its values, and the ranges that selection may use.
    pub(super) shapes: &'a PackValues,
    /// The ranges that proofs may use: also in scalar code, which has no shapes.
    pub(super) ranges: &'a Ranges,
}

/// Selects the instructions of one function.
pub(super) struct Selector<'a> {
    pub(super) module: &'a Module,
    pub(super) shapes: &'a PackValues,
    pub(super) ranges: &'a Ranges,
    pub(super) specialization: &'a Specialization,
    pub(super) emit: Emitter<'a>,
    pub(super) places: Places,
    pub(super) layouts: Layouts,
    pub(super) values: FxHashMap<Inst, Selected>,
    blocks: FxHashMap<Block, BlockId>,
    /// The execution mask of what is selected, and the instruction that it is.
    pub(super) mask: Option<(Inst, Value)>,
    pub(super) loop_depth: u32,
    pub(super) sites: Vec<Site>,
    pub(super) origins: Vec<Inst>,
    pub(super) divergence: Divergence,
    /// In a loop over lanes, the lane.
    pub(super) lane: Option<VReg>,
    /// In guarded code, how far from a buffer addresses can be.
    pub(super) reaches: FxHashMap<Inst, Reach>,
    /// The words of the push constants that the code takes for addresses of buffers.
    pub(super) address_words: AddressWords,
    /// The registers whose addresses were tested on the way to the current block.
    pub(super) tested: Tested,
}

impl<'a> Selector<'a> {
    pub(super) fn new(
        module: &'a Module,
        LaneFacts { shapes, ranges }: LaneFacts<'a>,
        specialization: &'a Specialization,
        machine: &'a mut MachineFunction,
        places: Places,
    ) -> Selector<'a> {
        Selector {
            module,
            shapes,
            ranges,
            specialization,
            emit: Emitter::new(machine, BlockId(0), specialization.pack, specialization.features),
            places,
            layouts: Layouts::new(),
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            mask: None,
            loop_depth: 0,
            sites: Vec::new(),
            origins: Vec::new(),
            divergence: Divergence::default(),
            lane: None,
            reaches: FxHashMap::default(),
            address_words: AddressWords::default(),
            tested: Tested::default(),
        }
    }

    /// Selects a function.
    pub(super) fn run(&mut self, function: Function) -> Result<(), Diagnostic> {
        let flow = FlowGraph::compute(self.module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let depth = |block: Block| cycles.node_depth(flow.node(block)) as u32;
        let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
        for &block in &blocks {
            let machine_block = self.emit.function.add_block(depth(block));
            self.blocks.insert(block, machine_block);
            let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
            for parameter in parameters {
                self.add_parameter(machine_block, parameter)?;
            }
        }
        if let Some(first) = blocks.first() {
            self.emit.block = self.blocks[first];
            let globals: Vec<Inst> =
                self.module.globals().filter(|&inst| self.module.op(inst) == Op::Variable).collect();
            for variable in globals {
                self.initialize(variable)?;
            }
        }
        for &block in &blocks {
            self.emit.block = self.blocks[&block];
            self.loop_depth = depth(block);
            self.mask = None;
            let insts: Vec<Inst> = self.module.children(block).collect();
            for inst in insts {
                self.select(inst)?;
                self.note_reach(inst);
            }
        }
        Ok(())
    }

    fn add_parameter(&mut self, block: BlockId, parameter: Inst) -> Result<(), Diagnostic> {
        let ty = self.scalar_type(parameter)?;
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        let selected = match self.shape(parameter) {
            Variation::Uniform => {
                registers.push(self.emit.function.register(uniform_class(ty)));
                Selected::Value(Value::Uniform(registers[0]))
            }
            Variation::Affine { stride } => {
                registers.push(self.emit.function.register(Class::General));
                Selected::Affine { base: registers[0], stride }
            }
            Variation::Divergent => {
                let class = self.varying_class(ty);
                let count = self.specialization.pack.registers(ty);
                registers.extend((0..count).map(|_| self.emit.function.register(class)));
                Selected::Value(Value::Varying(registers.clone()))
            }
        };
        self.emit.function.blocks[block.0 as usize].parameters.extend(registers);
        self.values.insert(parameter, selected);
        Ok(())
    }

    fn varying_class(&self, ty: ScalarType) -> Class {
        if ty == ScalarType::Bool && self.specialization.pack.isa == Isa::Avx512 { Class::Mask } else { Class::Vector }
    }

    /// The shape of a value; with one lane, everything is uniform.
    pub(super) fn shape(&self, value: Inst) -> Variation {
        if self.specialization.pack.isa == Isa::Scalar { Variation::Uniform } else { self.shapes.of(value) }
    }

    /// The scalar type of a value.
    pub(super) fn scalar_type(&self, value: Inst) -> Result<ScalarType, Diagnostic> {
        let ty = self.module.ty(value).ok_or_else(|| self.unsupported(value, "a value without a type"))?;
        self.scalar_of(ty).ok_or_else(|| self.unsupported(value, "a value that is not a scalar"))
    }

    /// A type as a scalar.
    pub(super) fn scalar_of(&self, ty: Inst) -> Option<ScalarType> {
        match self.module.type_view(ty)? {
            TypeView::Bool => Some(ScalarType::Bool),
            TypeView::Int { width, .. } => Some(ScalarType::Int(width)),
            TypeView::Float { width, .. } => Some(ScalarType::Float(width)),
            TypeView::Pointer { .. } => Some(ScalarType::Int(64)),
            _ => None,
        }
    }

    pub(super) fn unsupported(&self, at: Inst, what: &str) -> Diagnostic {
        unsupported(at, format!("`{}`: {what}", self.module.op(at).name()))
    }

    /// Registers for a value: uniform or varying, as its shape is.
    pub(super) fn value(&mut self, inst: Inst) -> Result<Value, Diagnostic> {
        match self.values.get(&inst).cloned() {
            Some(Selected::Value(value)) => Ok(value),
            Some(Selected::Affine { base, stride }) => {
                let ty = self.scalar_type(inst)?;
                self.affine_vector(ty, base, stride, inst)
            }
            Some(Selected::Wide(wide)) => self.wide_vector(&wide, inst),
            Some(Selected::Pointer(pointer)) => self.address_of(&pointer, inst),
            Some(Selected::Pair(_)) => Err(self.unsupported(inst, "a pair as a value")),
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
        let vector = vector.ok_or_else(|| self.unsupported(at, "an affine value of this type"))?;
        if ty.bits() >= 32 {
            return Ok(vector);
        }
        let narrowed = self.emit.convert(Op::UConvert, ScalarType::Int(32), ty, &vector);
        narrowed.ok_or_else(|| self.unsupported(at, "an affine value of this type"))
    }

    /// A constant, or an undefined value, which is zero.
    fn constant_value(&mut self, inst: Inst) -> Result<Value, Diagnostic> {
        let ty = self.scalar_type(inst)?;
        let bits = match self.module.op(inst) {
            Op::ConstantTrue => 1,
            Op::ConstantFalse | Op::ConstantNull | Op::Undef => 0,
            Op::Constant => {
                let bits = self.module.constant_bits(inst).unwrap_or(0);
                truncated(bits as i64, ty.bits())
            }
            _ => return Err(self.unsupported(inst, "a value that is not known here")),
        };
        Ok(self.emit.constant(ty, bits))
    }

    /// The general register with the value of lane 0 of a uniform or affine value.
    pub(super) fn base(&mut self, inst: Inst) -> Result<Value, Diagnostic> {
        match self.values.get(&inst) {
            Some(&Selected::Affine { base, .. }) => Ok(Value::Uniform(base)),
            _ => self.value(inst),
        }
    }

    /// Enters the result of an instruction.
    pub(super) fn set(&mut self, inst: Inst, value: Value) {
        let selected = match (self.shape(inst), value) {
            (Variation::Affine { stride }, Value::Uniform(base)) => Selected::Affine { base, stride },
            (Variation::Divergent, Value::Uniform(register)) => {
                let ty = self.scalar_type(inst).unwrap_or(ScalarType::Int(32));
                Selected::Value(self.emit.broadcast(ty, &Value::Uniform(register)))
            }
            (_, value) => Selected::Value(value),
        };
        self.values.insert(inst, selected);
    }

    fn select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        self.emit.origin = self.origins.len() as u32;
        self.origins.push(inst);
        let op = self.module.op(inst);
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
        match self.module.op(inst) {
            Op::ExecutionMask => {
                let mask = self.module.operand(inst, 0);
                let value = self.value(mask)?;
                let value = self.emit.broadcast(ScalarType::Bool, &value);
                self.mask = Some((mask, value));
            }
            Op::AnyLane if self.is_for_branches(inst) => self.divergence.branches += 1,
            Op::AnyLane => {
                let mask = self.value(self.module.operand(inst, 0))?;
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
        let end = match self.module.op(inst) {
            Op::Branch | Op::Loop => self.jump(inst)?,
            Op::BranchIf | Op::If => {
                let targets = [1, 2].map(|index| self.target(self.module.operand(inst, index)));
                return self.branch(self.module.operand(inst, 0), targets[0], targets[1]);
            }
            Op::Switch | Op::StructuredSwitch => return self.select_switch(inst),
            Op::Return => Terminator::Return,
            Op::Unreachable => {
                self.fail(Check::Unreachable, inst);
                return Ok(());
            }
            _ => return Err(self.unsupported(inst, "this end of a block")),
        };
        self.end(end);
        Ok(())
    }

    pub(super) fn end(&mut self, end: Terminator) {
        let block = self.emit.block;
        self.emit.function.blocks[block.0 as usize].end = Some(end);
    }

    /// Goes on in a new block.
    pub(super) fn new_block(&mut self) -> BlockId {
        self.emit.function.add_block(self.loop_depth)
    }

    fn target(&self, block: Inst) -> BlockId {
        let block: Block = self.module.cast(block).expect("invariant: successors are blocks");
        self.blocks[&block]
    }

    fn jump(&mut self, inst: Inst) -> Result<Terminator, Diagnostic> {
        let end = self.module.cast(inst).expect("invariant: a jump is a terminator");
        let target = self.module.operand(inst, 0);
        let block: Block = self.module.cast(target).expect("invariant: successors are blocks");
        let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
        let arguments: Vec<Inst> = self.module.arguments(end).collect();
        let mut registers = Vec::new();
        for (&parameter, &argument) in parameters.iter().zip(&arguments) {
            let ty = self.scalar_type(parameter)?;
            match self.shape(parameter) {
                Variation::Uniform | Variation::Affine { .. } => match self.base(argument)? {
                    Value::Uniform(register) => registers.push(register),
                    Value::Varying(_) => {
                        return Err(self.unsupported(argument, "a varying argument of a uniform parameter"));
                    }
                },
                Variation::Divergent => {
                    let value = self.value(argument)?;
                    let Value::Varying(vectors) = self.emit.broadcast(ty, &value) else {
                        return Err(self.unsupported(argument, "an argument without lanes"));
                    };
                    registers.extend(vectors);
                }
            }
        }
        Ok(Terminator::Jump(self.target(target), registers))
    }

    /// Sets flags by a uniform condition: when it holds.
    pub(super) fn condition(&mut self, condition: Inst) -> Result<Condition, Diagnostic> {
        if self.module.op(condition) == Op::AnyLane {
            let mask = self.value(self.module.operand(condition, 0))?;
            return Ok(self.emit.any_flags(&mask));
        }
        let group = self.module.op(condition).group();
        if matches!(group, OpGroup::IntegerComparison | OpGroup::FloatComparison) {
            let [left, right] = [0, 1].map(|index| self.module.operand(condition, index));
            let ty = self.scalar_type(left)?;
            let (left, right) = (self.value(left)?, self.value(right)?);
            if left.uniform().is_some()
                && right.uniform().is_some()
                && let Some(flags) = self.emit.compare_flags(self.module.op(condition), ty, &left, &right)
            {
                return Ok(flags);
            }
        }
        if matches!(group, OpGroup::IntegerComparison | OpGroup::FloatComparison)
            && !self.values.contains_key(&condition)
        {
            let [left, right] = [0, 1].map(|index| self.module.operand(condition, index));
            let ty = self.scalar_type(left)?;
            let (left, right) = (self.value(left)?, self.value(right)?);
            let compared = self.emit.compare(self.module.op(condition), ty, &left, &right);
            let compared = compared.ok_or_else(|| self.unsupported(condition, "a comparison of this form"))?;
            return Ok(self.emit.any_flags(&compared));
        }
        let value = self.value(condition)?;
        if value.uniform().is_none() {
            return Err(self.unsupported(condition, "a varying condition of a branch"));
        }
        Ok(self.emit.any_flags(&value))
    }

    fn select_switch(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let end = self.module.cast(inst).expect("invariant: a switch is a terminator");
        let selector = self.module.operand(inst, 0);
        let ty = self.scalar_type(selector)?;
        let value = self.value(selector)?;
        let default = self.target(self.module.operand(inst, 1));
        let cases: Vec<(Inst, Inst)> = self.module.cases(end).collect();
        let cases: Vec<(u64, BlockId)> = cases
            .into_iter()
            .map(|(literal, target)| (super::literal_bits(self.module, literal, ty.bits()), self.target(target)))
            .collect();
        let Some(register) = value.uniform() else {
            return Err(self.unsupported(inst, "a varying selector"));
        };
        super::switch::select_switch(self, ty, register, default, cases);
        Ok(())
    }

    /// Adds an instruction.
    pub(super) fn push(&mut self, inst: MachineInst) {
        self.emit.push(inst);
    }

    /// Adds an instruction that writes one register.
    pub(super) fn define(
        &mut self,
        class: Class,
        code: iced_x86::Code,
        operands: impl IntoIterator<Item = Operand>,
    ) -> VReg {
        self.emit.define(class, code, operands)
    }
}

/// The class of registers that uniform values of a type are in.
pub(super) fn uniform_class(ty: ScalarType) -> Class {
    if matches!(ty, ScalarType::Float(_)) { Class::Vector } else { Class::General }
}

/// The low bits of a number.
pub(super) fn truncated(number: i64, bits: u32) -> u64 {
    if bits >= 64 { number as u64 } else { number as u64 & ((1 << bits) - 1) }
}
