//! A function: blocks in an order in which definitions come first, phis as block parameters, edges.
//!
//! ```text
//! b:  %x = phi i32 [ %a, %p ], [ %c, %q ]          ^b(%x: u32):
//!                                             ⇒
//! p:  br i1 %k, label %b, label %d                 ^p: branch_if %k, ^e, ^d
//!                                                  edge ^e: branch ^b(%a)
//! ```
//!
//! A struct that an operation returns is no value of the shader that comes out: its members are values, and a phi of structs is a phi of each
//! member. Blocks that the entry does not reach are left out. Conditions stay as they are, constant ones too: what a branch keeps together in
//! DXIL, such as the last work of a lane before it leaves a loop, stays together until the function is structured.

use reconverge_graph::{Graph, Node, Order};
use reconverge_ir::{Block, Inst, Location, Op, Position};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{Decoration, GlslStd450Op};

use super::Shader;
use super::interface::Output;
use super::memory::Pointer;
use super::numbers::Number;
use crate::error::{Code, Error};
use crate::module::{
    BlockId, Constant, Function, FunctionId, Incoming, Instruction, Operation, Type, TypeId, ValueId, ValueKind,
};

/// Most operands that an instruction of the IR can have.
const MAX_OPERANDS: usize = 65_535;

/// Members of a struct or array; none where nothing needs the member.
pub(super) type Members = SmallVec<[Option<Inst>; 5]>;

/// What a value of DXIL became.
#[derive(Clone, Debug)]
pub(super) enum Translated {
    /// Nothing, such as what a store returns, or a handle.
    Nothing,
    /// A scalar or vector.
    Value(Inst),
    /// A struct or array of scalars, member by member.
    Members(Members),
    /// An address.
    Pointer(Pointer),
}

impl Translated {
    /// Members that are all there.
    pub(super) fn members(values: &[Inst]) -> Translated {
        Translated::Members(values.iter().copied().map(Some).collect())
    }
}

/// A function that is being translated.
pub(super) struct Body<'s, 'a> {
    pub(super) shader: &'s mut Shader<'a>,
    pub(super) id: FunctionId,
    pub(super) function: &'a Function,
    /// What the values of the function became, from its first value on.
    values: Vec<Option<Translated>>,
    /// Which members of a struct something extracts, a bit each; all bits for every other use.
    used: Vec<u32>,
    /// The first block of the function in the shader, where variables go.
    pub(super) entry: Block,
    /// The block that instructions go to.
    current: Block,
    /// The last block that each block of DXIL became.
    exits: Vec<Option<Block>>,
    location: Option<Location>,
    /// Outputs of the current block that wait for more columns.
    pub(super) outputs: Vec<Output>,
    /// The bit of the instruction that is being translated.
    pub(super) offset: u64,
    /// Whether the instruction that is being translated must not be contracted.
    pub(super) is_precise: bool,
}

/// The control flow of a function.
struct Flow {
    graph: Graph,
    order: Order,
    /// The first block that each block of DXIL became.
    blocks: Vec<Option<Block>>,
    /// The phis of each block that have parameters.
    phis: Vec<Vec<Phi>>,
}

/// A phi whose block has more than one predecessor.
struct Phi {
    instruction: usize,
    members: Vec<PhiMember>,
}

/// A parameter for a member of a phi, or for the whole of a scalar.
struct PhiMember {
    index: Option<usize>,
}

impl<'s, 'a> Body<'s, 'a> {
    /// Translates the body of a function.
    pub(super) fn translate(
        shader: &'s mut Shader<'a>,
        id: FunctionId,
        target: reconverge_ir::Function,
    ) -> Result<(), Error> {
        let dxil = shader.dxil;
        let function = &dxil.functions[id.index()];
        let graph = graph_of(function);
        let order = Order::compute_reverse_post_order(&graph);
        let mut blocks = vec![None; function.blocks.len()];
        for (index, block) in blocks.iter_mut().enumerate() {
            if order.position(Node::new(index)).is_some() {
                *block = Some(shader.build.add_block(target));
            }
        }
        let entry = blocks[0].expect("invariant: the entry is reached");
        let mut body = Body {
            id,
            function,
            values: vec![None; function.values.len()],
            used: used_members(shader.dxil.values.len(), function),
            entry,
            current: entry,
            exits: vec![None; function.blocks.len()],
            location: None,
            outputs: Vec::new(),
            offset: function.offset,
            is_precise: false,
            shader,
        };
        let mut flow = Flow { graph, order, blocks, phis: Vec::new() };
        body.bind_parameters(target)?;
        body.create_phis(&mut flow)?;
        for node in flow.order.sequence().to_vec() {
            body.translate_block(&flow, node.index())?;
        }
        for node in flow.order.sequence().to_vec() {
            body.leave(&flow, node.index())?;
        }
        Ok(())
    }

    fn translate_block(&mut self, flow: &Flow, index: usize) -> Result<(), Error> {
        self.current = flow.blocks[index].expect("invariant: the block is reached");
        let block = &self.function.blocks[index];
        let function = self.function;
        for instruction in function.instructions_of(block) {
            self.begin(instruction);
            match &instruction.operation {
                Operation::Phi { incoming } => self.forward_phi(flow, index, instruction, incoming)?,
                operation if operation.is_terminator() => {}
                _ => self.translate_instruction(instruction)?,
            }
        }
        self.write_outputs();
        self.exits[index] = Some(self.current);
        Ok(())
    }

    fn begin(&mut self, instruction: &Instruction) {
        self.location = self.shader.location(instruction.location);
        self.offset = instruction.offset;
        self.is_precise = false;
    }

    fn bind_parameters(&mut self, target: reconverge_ir::Function) -> Result<(), Error> {
        let parameters: Vec<Inst> =
            self.shader.build.module().parameters(target).map(|parameter| parameter.inst()).collect();
        for (index, &parameter) in parameters.iter().enumerate() {
            let ty = self.function.values[index].ty;
            self.values[index] = Some(match self.shader.dxil.types.pointee(ty) {
                Some(pointee) => Translated::Pointer(Pointer::to_parameter(parameter, pointee)),
                None => Translated::Value(parameter),
            });
        }
        Ok(())
    }

    /// Gives the blocks parameters for their phis. A phi with one incoming block is the value itself.
    fn create_phis(&mut self, flow: &mut Flow) -> Result<(), Error> {
        for index in 0..self.function.blocks.len() {
            let mut phis = Vec::new();
            if let Some(block) = flow.blocks[index].filter(|_| !has_one_predecessor(flow, index)) {
                let range = self.function.blocks[index].instructions.clone();
                for number in range.start as usize..range.end as usize {
                    let instruction = &self.function.instructions[number];
                    let Operation::Phi { .. } = instruction.operation else { break };
                    self.begin(instruction);
                    let members = self.create_phi(block, instruction)?;
                    phis.push(Phi { instruction: number, members });
                }
            }
            flow.phis.push(phis);
        }
        Ok(())
    }

    fn create_phi(&mut self, block: Block, instruction: &Instruction) -> Result<Vec<PhiMember>, Error> {
        let result = instruction.result.expect("invariant: a phi has a value");
        let types = match &self.shader.dxil.types[instruction.ty] {
            Type::Struct { members: Some(members), .. } => members.clone(),
            Type::Pointer { .. } => return Err(self.unsupported("phis of addresses are not supported")),
            _ => {
                let parameter = self.add_phi_parameter(block, instruction.ty)?;
                self.define(result, Translated::Value(parameter));
                return Ok(vec![PhiMember { index: None }]);
            }
        };
        if self.shader.is_handle_type(instruction.ty) {
            return Err(self.unsupported("phis of resources are not supported"));
        }
        let used = self.used_members(result);
        let mut parameters = Members::from_elem(None, types.len());
        let mut members = Vec::new();
        for (index, ty) in types.into_iter().enumerate().filter(|(index, _)| is_used(used, *index)) {
            parameters[index] = Some(self.add_phi_parameter(block, ty)?);
            members.push(PhiMember { index: Some(index) });
        }
        self.define(result, Translated::Members(parameters));
        Ok(members)
    }

    fn add_phi_parameter(&mut self, block: Block, ty: TypeId) -> Result<Inst, Error> {
        let value_type = self.shader.value_type(ty, self.offset)?;
        let parameter = self.shader.build.add_parameter(block, value_type).inst();
        self.relax(parameter, ty);
        Ok(parameter)
    }

    fn forward_phi(
        &mut self,
        flow: &Flow,
        index: usize,
        instruction: &Instruction,
        incoming: &[Incoming],
    ) -> Result<(), Error> {
        if !has_one_predecessor(flow, index) {
            return Ok(());
        }
        let only = flow.graph.predecessors(Node::new(index)).iter().find(|&&node| flow.order.position(node).is_some());
        let only = only.expect("invariant: a block with phis has a predecessor").index();
        let value = incoming.iter().find(|edge| edge.block.index() == only);
        let value = value.expect("invariant: a phi has a value for each edge").value;
        let result = instruction.result.expect("invariant: a phi has a value");
        if self.shader.is_handle_type(instruction.ty) {
            return Err(self.unsupported("phis of resources are not supported"));
        }
        let translated = self.translated(value)?;
        self.define(result, translated);
        Ok(())
    }

    /// Writes the terminator of a block.
    fn leave(&mut self, flow: &Flow, index: usize) -> Result<(), Error> {
        let block = &self.function.blocks[index];
        let instruction = self.function.instructions_of(block).last().expect("invariant: a block has a terminator");
        self.begin(instruction);
        self.current = self.exits[index].expect("invariant: the block is translated");
        match &instruction.operation {
            Operation::Return { value: None } => self.effect(Op::Return, &[]),
            Operation::Return { value: Some(value) } => {
                let value = self.value(*value)?;
                self.effect(Op::ReturnValue, &[value])
            }
            Operation::Unreachable => self.effect(Op::Unreachable, &[]),
            Operation::Branch { target } => self.jump(flow, index, *target)?,
            Operation::ConditionalBranch { if_true, if_false, .. } if if_true == if_false => {
                self.jump(flow, index, *if_true)?
            }
            Operation::ConditionalBranch { condition, if_true, if_false } => {
                let condition = self.value(*condition)?;
                let mut ways = Ways::default();
                let targets =
                    [self.way(flow, index, *if_true, &mut ways)?, self.way(flow, index, *if_false, &mut ways)?];
                self.effect(Op::BranchIf, &[condition, targets[0], targets[1]])
            }
            Operation::Switch { selector, default, cases } if cases.iter().all(|case| case.target == *default) => {
                self.value(*selector)?;
                self.jump(flow, index, *default)?
            }
            Operation::Switch { selector, default, cases } => {
                let number = self.number_of(*selector)?;
                let selector = self.unsigned(*selector)?;
                let mut ways = Ways::default();
                let mut operands = vec![selector, self.way(flow, index, *default, &mut ways)?];
                for case in cases {
                    let Some(Constant::Integer(bits)) = self.shader.dxil.constant(self.function, case.value) else {
                        return Err(self.invalid("expected an integer as the value of a case"));
                    };
                    let words = [*bits as u32, (*bits >> 32) as u32];
                    let count = if number.represented == 64 { 2 } else { 1 };
                    operands.push(self.shader.build.editor().literal(&words[..count]));
                    operands.push(self.way(flow, index, case.target, &mut ways)?);
                }
                if operands.len() > MAX_OPERANDS {
                    let message = format!("expected at most {} cases, found {}", MAX_OPERANDS / 2 - 1, cases.len());
                    return Err(Error::at_bit(Code::Limit, self.offset, message));
                }
                self.effect(Op::Switch, &operands)
            }
            _ => unreachable!("invariant: a block ends in a terminator"),
        };
        Ok(())
    }

    fn jump(&mut self, flow: &Flow, source: usize, target: BlockId) -> Result<(), Error> {
        let mut operands = vec![flow.blocks[target.index()].expect("invariant: the target is reached").into()];
        operands.extend(self.arguments(flow, source, target)?);
        self.effect(Op::Branch, &operands);
        Ok(())
    }

    /// Where an edge of a multi-way branch goes: to its target, or to an edge block if the edge is critical or passes arguments.
    fn way(&mut self, flow: &Flow, source: usize, target: BlockId, ways: &mut Ways) -> Result<Inst, Error> {
        if let Some(&way) = ways.0.get(&target) {
            return Ok(way);
        }
        let block: Inst = flow.blocks[target.index()].expect("invariant: the target is reached").into();
        let way = match has_one_predecessor(flow, target.index()) {
            true => block,
            false => {
                let after = ways.1.unwrap_or(self.current.into());
                let edge = self.shader.build.editor().insert(Position::After(after), Op::EdgeBlock, None, &[]);
                ways.1 = Some(edge);
                let mut operands = vec![block];
                operands.extend(self.arguments(flow, source, target)?);
                self.shader.build.editor().append(edge, Op::Branch, None, &operands);
                edge
            }
        };
        ways.0.insert(target, way);
        Ok(way)
    }

    fn arguments(&mut self, flow: &Flow, source: usize, target: BlockId) -> Result<Vec<Inst>, Error> {
        let mut arguments = Vec::new();
        for phi in &flow.phis[target.index()] {
            let Operation::Phi { incoming } = &self.function.instructions[phi.instruction].operation else {
                unreachable!("invariant: a phi is a phi")
            };
            let edge = incoming.iter().find(|edge| edge.block.index() == source);
            let value = edge.expect("invariant: a phi has a value for each edge").value;
            for member in &phi.members {
                arguments.push(match member.index {
                    None => self.value(value)?,
                    Some(index) => self.member(value, index)?,
                });
            }
        }
        Ok(arguments)
    }
}

/// The blocks that the edges of a multi-way branch go to, and the last edge block that was made.
#[derive(Default)]
struct Ways(FxHashMap<BlockId, Inst>, Option<Inst>);

fn graph_of(function: &Function) -> Graph {
    let terminators = function.blocks.iter().filter_map(|block| function.instructions_of(block).last());
    let lists = terminators.map(|terminator| {
        let mut list = Vec::new();
        terminator.operation.for_each_target(|target| list.push(Node::new(target.index())));
        list.sort_unstable();
        list.dedup();
        list
    });
    Graph::from_successors(Node::new(0), lists.collect::<Vec<_>>())
}

/// Whether one block that is reached branches to the block.
fn has_one_predecessor(flow: &Flow, index: usize) -> bool {
    let predecessors = flow.graph.predecessors(Node::new(index)).iter();
    predecessors.filter(|&&node| flow.order.position(node).is_some()).count() == 1
}

/// For each value of a function the members that something extracts from it.
fn used_members(first: usize, function: &Function) -> Vec<u32> {
    let mut used = vec![0; function.values.len()];
    for instruction in &function.instructions {
        let mut note = |value: ValueId, mask: u32| {
            if let Some(slot) = value.index().checked_sub(first).and_then(|index| used.get_mut(index)) {
                *slot |= mask;
            }
        };
        match &instruction.operation {
            Operation::ExtractValue { aggregate, indices } if indices[0] < 32 => note(*aggregate, 1 << indices[0]),
            operation => operation.for_each_operand(|value| note(value, u32::MAX)),
        }
    }
    used
}

fn is_used(mask: u32, index: usize) -> bool {
    index >= 32 || mask >> index & 1 != 0
}

/// Values.
impl Body<'_, '_> {
    pub(super) fn define(&mut self, value: ValueId, translated: Translated) {
        let index = value.index() - self.shader.dxil.values.len();
        self.values[index] = Some(translated);
    }

    /// Which members of a value something needs, a bit each.
    pub(super) fn used_members(&self, value: ValueId) -> u32 {
        value.index().checked_sub(self.shader.dxil.values.len()).map_or(u32::MAX, |index| self.used[index])
    }

    /// Whether something needs a member of a value.
    pub(super) fn uses_member(&self, value: ValueId, index: usize) -> bool {
        is_used(self.used_members(value), index)
    }

    /// What a value became.
    pub(super) fn translated(&mut self, value: ValueId) -> Result<Translated, Error> {
        let local = value.index().checked_sub(self.shader.dxil.values.len());
        if let Some(translated) = local.and_then(|index| self.values[index].clone()) {
            return Ok(translated);
        }
        let dxil = self.shader.dxil;
        let found = dxil.value(self.function, value);
        match &found.kind {
            ValueKind::Constant(constant) => {
                let translated = self.constant(found.ty, constant)?;
                if local.is_some() {
                    self.define(value, translated.clone());
                }
                Ok(translated)
            }
            ValueKind::Global(global) => Ok(Translated::Pointer(self.global_pointer(*global)?)),
            ValueKind::Function(_) => Err(self.unsupported("functions as values are not supported")),
            ValueKind::Parameter(_) | ValueKind::Instruction(_) => {
                // The reader checked dominance: what is missing has no translation of its own.
                Err(self.unsupported("resources as values are not supported"))
            }
        }
    }

    /// A scalar or vector.
    pub(super) fn value(&mut self, value: ValueId) -> Result<Inst, Error> {
        match self.translated(value)? {
            Translated::Value(inst) => Ok(inst),
            Translated::Nothing => Err(self.unsupported("resources as values are not supported")),
            Translated::Members(_) => Err(self.unsupported("structs and arrays as values are not supported")),
            Translated::Pointer(_) => Err(self.unsupported("addresses as values are not supported")),
        }
    }

    /// A member of a struct or array.
    pub(super) fn member(&mut self, value: ValueId, index: usize) -> Result<Inst, Error> {
        match self.translated(value)? {
            Translated::Members(members) => match members.get(index).copied().flatten() {
                Some(member) => Ok(member),
                None => Err(self.unsupported("members of members are not supported")),
            },
            _ => Err(self.unsupported("structs and arrays that no operation returns are not supported")),
        }
    }

    /// The type of a value in DXIL.
    pub(super) fn type_of(&self, value: ValueId) -> TypeId {
        self.shader.dxil.value(self.function, value).ty
    }

    /// The number that a value is, or its elements.
    pub(super) fn number_of(&self, value: ValueId) -> Result<Number, Error> {
        let ty = self.type_of(value);
        self.shader
            .number(ty)
            .ok_or_else(|| self.unsupported(format!("values of type {} are not supported", self.shader.type_name(ty))))
    }

    /// The integer that a value is, if it is a constant.
    pub(super) fn known_integer(&self, value: ValueId) -> Option<u64> {
        match self.shader.dxil.constant(self.function, value)? {
            Constant::Integer(bits) => Some(*bits),
            _ => None,
        }
    }

    /// Whether a value is undefined, as arguments are that an operation does not have.
    pub(super) fn is_undefined(&self, value: ValueId) -> bool {
        matches!(self.shader.dxil.constant(self.function, value), Some(Constant::Undef))
    }

    fn constant(&mut self, ty: TypeId, constant: &Constant) -> Result<Translated, Error> {
        let dxil = self.shader.dxil;
        if let Type::Struct { members: Some(types), .. } = &dxil.types[ty] {
            let members: Result<Members, Error> = match constant {
                Constant::Null | Constant::Undef => types
                    .iter()
                    .map(|&ty| {
                        let ty = self.shader.value_type(ty, self.offset)?;
                        let is_null = matches!(constant, Constant::Null);
                        Ok(Some(if is_null { self.shader.null(ty) } else { self.shader.undef(ty) }))
                    })
                    .collect(),
                Constant::Aggregate(values) => values.iter().map(|&value| Ok(Some(self.value(value)?))).collect(),
                _ => Err(self.unsupported("constants of this form are not supported")),
            };
            return Ok(Translated::Members(members?));
        }
        match constant {
            Constant::Cast { .. } | Constant::ElementPointer { .. } => {
                Ok(Translated::Pointer(self.constant_pointer(ty, constant)?))
            }
            _ => Ok(Translated::Value(self.constant_value(ty, constant)?)),
        }
    }

    /// A constant scalar or vector.
    fn constant_value(&mut self, ty: TypeId, constant: &Constant) -> Result<Inst, Error> {
        let value_type = self.shader.value_type(ty, self.offset)?;
        let number = self.shader.number(ty).expect("invariant: values are numbers or vectors of them");
        Ok(match constant {
            Constant::Undef => self.shader.undef(value_type),
            Constant::Integer(bits) | Constant::Float(bits) => self.shader.constant(number, *bits),
            Constant::Null => self.shader.null(value_type),
            Constant::Data(elements) => {
                let elements: Vec<Inst> = elements.iter().map(|&bits| self.shader.constant(number, bits)).collect();
                self.shader.build.emit(Op::ConstantComposite, Some(value_type), &elements)
            }
            Constant::Aggregate(elements) => {
                let elements = elements.iter().map(|&element| self.value(element)).collect::<Result<Vec<_>, _>>()?;
                self.shader.build.emit(Op::ConstantComposite, Some(value_type), &elements)
            }
            _ => return Err(self.unsupported("constants of this form are not supported")),
        })
    }
}

/// Instructions of the shader.
impl Body<'_, '_> {
    /// Adds an instruction with a result.
    pub(super) fn emit(&mut self, op: Op, ty: Inst, operands: &[Inst]) -> Inst {
        self.shader.build.at_end(self.current);
        let inst = self.shader.build.emit(op, Some(ty), operands);
        if !op.is_hoistable() {
            self.shader.build.editor().set_location(inst, self.location);
        }
        inst
    }

    /// Adds an instruction without a result.
    pub(super) fn effect(&mut self, op: Op, operands: &[Inst]) {
        self.shader.build.at_end(self.current);
        let inst = self.shader.build.emit(op, None, operands);
        self.shader.build.editor().set_location(inst, self.location);
    }

    /// Adds an extended instruction of `GLSL.std.450`.
    pub(super) fn extended(&mut self, instruction: GlslStd450Op, ty: Inst, arguments: &[Inst]) -> Inst {
        let operands = self.shader.extended_operands(instruction, arguments);
        self.emit(Op::ExtInst, ty, &operands)
    }

    /// Adds an instruction whose result is a number, with the decorations that the number and the instruction need.
    pub(super) fn number(&mut self, op: Op, number: Number, operands: &[Inst]) -> Inst {
        let ty = self.shader.number_type(number);
        let inst = self.emit(op, ty, operands);
        self.relax_number(inst, number);
        if self.is_precise && matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNegate) {
            self.shader.decorate(inst, Decoration::NoContraction);
        }
        inst
    }

    /// The decoration of a value that may be more precise than DXIL requires.
    pub(super) fn relax(&mut self, inst: Inst, ty: TypeId) {
        if let Some(number) = self.shader.number(ty) {
            self.relax_number(inst, number);
        }
    }

    pub(super) fn relax_number(&mut self, inst: Inst, number: Number) {
        let module = self.shader.build.module();
        if number.is_relaxed()
            && !module.op(inst).is_constant()
            && !module.decorated(inst).has(Decoration::RelaxedPrecision)
        {
            self.shader.decorate(inst, Decoration::RelaxedPrecision);
        }
    }

    /// An integer with zeros above its width.
    pub(super) fn unsigned(&mut self, value: ValueId) -> Result<Inst, Error> {
        let number = self.number_of(value)?;
        let inst = self.value(value)?;
        if !number.is_wider() || !number.is_int() || self.known_integer(value).is_some() {
            return Ok(inst);
        }
        let ty = self.shader.build.module().ty(inst).expect("invariant: a value has a type");
        let mask = self.splat(ty, number, (1 << number.width) - 1);
        Ok(self.emit(Op::BitwiseAnd, ty, &[inst, mask]))
    }

    /// An integer with its sign above its width.
    pub(super) fn signed(&mut self, value: ValueId) -> Result<Inst, Error> {
        let number = self.number_of(value)?;
        let inst = self.value(value)?;
        if !number.is_wider() || !number.is_int() {
            return Ok(inst);
        }
        let ty = self.shader.build.module().ty(inst).expect("invariant: a value has a type");
        if let Some(bits) = self.known_integer(value) {
            let unused = 64 - number.width;
            let extended = ((bits << unused).cast_signed() >> unused).cast_unsigned();
            return Ok(self.splat(ty, number, extended));
        }
        let distance = self.splat(ty, number, u64::from(number.represented - number.width));
        let high = self.emit(Op::ShiftLeftLogical, ty, &[inst, distance]);
        Ok(self.emit(Op::ShiftRightArithmetic, ty, &[high, distance]))
    }

    /// A constant of the bits that represent a number, or a vector of it.
    fn splat(&mut self, ty: Inst, number: Number, bits: u64) -> Inst {
        let constant = self.shader.constant(Number::int(number.represented), bits);
        match self.shader.build.module().op(ty) {
            Op::TypeVector => {
                let length = self.shader.build.module().literal_word(self.shader.build.module().operand(ty, 1));
                let constants = vec![constant; length.unwrap_or(0) as usize];
                self.shader.build.emit(Op::ConstantComposite, Some(ty), &constants)
            }
            _ => constant,
        }
    }

    /// A variable of the function, at its beginning.
    pub(super) fn local_variable(&mut self, pointee: Inst) -> Inst {
        let ty = self.shader.pointer_type(spirv::StorageClass::Function, pointee);
        let class = self.shader.build.enumerant(spirv::StorageClass::Function);
        self.shader.build.editor().insert(Position::AtStart(self.entry.into()), Op::Variable, Some(ty), &[class])
    }

    /// Runs what follows only where a condition holds, until [`end_if`](Self::end_if).
    pub(super) fn begin_if(&mut self, condition: Inst) -> Block {
        let before = self.current;
        let editor = self.shader.build.editor();
        let then = editor.insert(Position::After(before.into()), Op::Block, None, &[]);
        let edge = editor.insert(Position::After(then), Op::EdgeBlock, None, &[]);
        let join = editor.insert(Position::After(edge), Op::Block, None, &[]);
        editor.append(edge, Op::Branch, None, &[join]);
        self.effect(Op::BranchIf, &[condition, then, edge]);
        let module = self.shader.build.module();
        self.current = module.cast(then).expect("invariant: a block is a block");
        module.cast(join).expect("invariant: a block is a block")
    }

    pub(super) fn end_if(&mut self, join: Block) {
        self.effect(Op::Branch, &[join.into()]);
        self.current = join;
    }

    /// Repeats what follows, until [`end_loop`](Self::end_loop).
    pub(super) fn begin_loop(&mut self) -> Block {
        let before = self.current;
        let header = self.shader.build.editor().insert(Position::After(before.into()), Op::Block, None, &[]);
        self.effect(Op::Branch, &[header]);
        let header = self.shader.build.module().cast(header).expect("invariant: a block is a block");
        self.current = header;
        header
    }

    /// Leaves the loop where a condition holds, and repeats it where it does not.
    pub(super) fn end_loop(&mut self, header: Block, condition: Inst) {
        let last = self.current;
        let editor = self.shader.build.editor();
        let edge = editor.insert(Position::After(last.into()), Op::EdgeBlock, None, &[]);
        let exit = editor.insert(Position::After(edge), Op::Block, None, &[]);
        editor.append(edge, Op::Branch, None, &[header.into()]);
        self.effect(Op::BranchIf, &[condition, exit, edge]);
        self.current = self.shader.build.module().cast(exit).expect("invariant: a block is a block");
    }

    pub(super) fn unsupported(&self, message: impl Into<String>) -> Error {
        Error::unsupported(self.offset, message)
    }

    pub(super) fn invalid(&self, message: impl Into<String>) -> Error {
        Error::at_bit(Code::Operation, self.offset, message)
    }
}
