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

use reconverge_diagnostic::Diagnostic;
use reconverge_graph::{Graph, Node, Order};
use reconverge_ir::{Block, Inst, Location, Op, Position};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Shader;
use super::interface::Output;
use super::memory::Pointer;
use super::values::{is_used, used_members};
use crate::error::{Code, at_bit};
use crate::module::{BlockId, Constant, Function, FunctionId, Incoming, Instruction, Operation, Type, TypeId};

/// Most operands that an instruction of the IR can have.
const MAX_OPERANDS: usize = 65_535;

/// Members of a struct or array; none where nothing needs the member.
pub(super) type Members = SmallVec<[Option<Inst>; 5]>;

/// The translation of a value of DXIL.
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
    /// The translations of the values of the function, from its first value on.
    pub(super) values: Vec<Option<Translated>>,
    /// By value, the members of a struct that are extracted, one bit each; all bits for every other use.
    pub(super) used: Vec<u32>,
    /// The first block of the function in the shader, where variables go.
    pub(super) entry: Block,
    /// The block that instructions go to.
    pub(super) current: Block,
    /// The last block that each block of DXIL became.
    exits: Vec<Option<Block>>,
    pub(super) location: Option<Location>,
    /// Outputs of the current block that wait for more columns.
    pub(super) outputs: Vec<Output>,
    /// The bit of the instruction that is being translated.
    pub(super) offset: u64,
    /// True if the instruction that is being translated must not be contracted.
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
    ) -> Result<(), Diagnostic> {
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

    fn translate_block(&mut self, flow: &Flow, index: usize) -> Result<(), Diagnostic> {
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

    fn bind_parameters(&mut self, target: reconverge_ir::Function) -> Result<(), Diagnostic> {
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
    fn create_phis(&mut self, flow: &mut Flow) -> Result<(), Diagnostic> {
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

    fn create_phi(&mut self, block: Block, instruction: &Instruction) -> Result<Vec<PhiMember>, Diagnostic> {
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

    fn add_phi_parameter(&mut self, block: Block, ty: TypeId) -> Result<Inst, Diagnostic> {
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
    ) -> Result<(), Diagnostic> {
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
    fn leave(&mut self, flow: &Flow, index: usize) -> Result<(), Diagnostic> {
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
                    return Err(at_bit(Code::Limit, self.offset, message));
                }
                self.effect(Op::Switch, &operands)
            }
            _ => unreachable!("invariant: a block ends in a terminator"),
        };
        Ok(())
    }

    fn jump(&mut self, flow: &Flow, source: usize, target: BlockId) -> Result<(), Diagnostic> {
        let mut operands = vec![flow.blocks[target.index()].expect("invariant: the target is reached").into()];
        operands.extend(self.arguments(flow, source, target)?);
        self.effect(Op::Branch, &operands);
        Ok(())
    }

    /// The target of an edge of a multi-way branch: the block itself, or an edge block if the edge is critical or passes arguments.
    fn way(&mut self, flow: &Flow, source: usize, target: BlockId, ways: &mut Ways) -> Result<Inst, Diagnostic> {
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

    fn arguments(&mut self, flow: &Flow, source: usize, target: BlockId) -> Result<Vec<Inst>, Diagnostic> {
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

/// Returns whether one block that is reached branches to the block.
fn has_one_predecessor(flow: &Flow, index: usize) -> bool {
    let predecessors = flow.graph.predecessors(Node::new(index)).iter();
    predecessors.filter(|&&node| flow.order.position(node).is_some()).count() == 1
}
