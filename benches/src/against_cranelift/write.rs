//! Our IR as Cranelift's.
//!
//! | ours | Cranelift's |
//! |---|---|
//! | block parameter, arguments of edges | the same |
//! | edge block that only branches | arguments of `brif` and `br_table`, which may lead into a block of several predecessors |
//! | variable at module level | an `i64` parameter; accesses have an alias region for each, and one for all that say Aliased |
//! | load, store | `notrap aligned` |
//! | the same in memory that the function does not write | with `readonly` |
//! | the same at a constant index of memory that exists whole for certain | with `can_move` |
//! | address with a constant index | `iadd` of a constant, or nothing for the index 0 |
//! | address with another index | `sextend`, `ishl`, `iadd` |
//! | `u_div` and the like | `udiv`: the divisor 0 traps, since Cranelift cannot be told that it is undefined |
//! | `switch` | `br_table`, which leads to the default in gaps between cases |
//!
//! For what the writer for LLVM takes, but barriers and pointers in memory. Everything else is an error that names it.

use std::collections::HashMap;

use cranelift_codegen::ir::{
    self, AbiParam, AliasRegionData, BlockArg, InstBuilder, JumpTableData, MemFlagsData, Opcode, Signature, TrapCode,
    Type, UserFuncName, condcodes::IntCC, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use reconverge::ir::{Block, Edge, Function, Inst, Module, Op, Stage, Terminator};
use reconverge_analysis::FlowGraph;
use reconverge_testing::optimum::{last_index, memory};

/// How many entries a jump table may have.
const TABLE_LIMIT: u32 = 4096;
/// The code of the trap that stands for `unreachable`.
const UNREACHABLE: u8 = 1;

/// A function of a module; its parameters are its own, and behind them the variables at module level.
///
/// # Errors
/// What it cannot express.
pub(crate) fn write(module: &Module, function: Function, config: TargetFrontendConfig) -> Result<ir::Function, String> {
    if module.stage(function) != Stage::Graph && module.stage(function) != Stage::Generic {
        return Err("a structured function: lanes mean nothing here".to_owned());
    }
    let signature = signature(module, function, config.default_call_conv)?;
    let mut written = ir::Function::with_name_signature(UserFuncName::user(0, 0), signature);
    let accesses = accesses(module, function, &mut written)?;
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut written, &mut context);
    let mut writer = Writer { module, builder, accesses, blocks: HashMap::new(), values: HashMap::new() };
    // Definitions come before uses along the dominator tree.
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let blocks = dominators.preorder().iter().map(|&node| flow.block(node));
    let blocks: Vec<Block> = blocks.filter(|&block| !is_mere_edge(module, block)).collect();
    writer.declare(function, &blocks)?;
    for block in blocks {
        writer.write_block(block)?;
    }
    writer.builder.seal_all_blocks();
    writer.builder.finalize(config);
    Ok(written)
}

fn signature(module: &Module, function: Function, convention: CallConv) -> Result<Signature, String> {
    let mut signature = Signature::new(convention);
    for parameter in module.parameters(function) {
        signature.params.push(AbiParam::new(type_of(module, parameter.into())?));
    }
    signature.params.extend(memory(module)?.iter().map(|_| AbiParam::new(types::I64)));
    let result = module.ty(function).filter(|&result| module.op(result) != Op::TypeVoid);
    if let Some(result) = result {
        signature.returns.push(AbiParam::new(written_type(module, result)?));
    }
    Ok(signature)
}

/// What is known of accesses to a variable at module level.
#[derive(Clone, Copy)]
struct Access {
    flags: MemFlagsData,
    /// Whether all of the variable exists for certain.
    is_whole: bool,
}

fn accesses(module: &Module, function: Function, written: &mut ir::Function) -> Result<HashMap<Inst, Access>, String> {
    let stores = module.blocks(function).flat_map(|block| module.children(block));
    let stores = stores.filter(|&inst| module.op(inst) == Op::Store);
    let roots: Vec<Inst> = stores.map(|store| root(module, module.operand(store, 0)).0).collect();
    let mut accesses = HashMap::new();
    for (number, memory) in memory(module)?.into_iter().enumerate() {
        let user_id = if memory.is_aliased { 0 } else { number as u32 + 1 };
        let region = written.dfg.alias_regions.insert(AliasRegionData { user_id, description: "memory".into() });
        let mut flags = MemFlagsData::trusted().with_alias_region(Some(region));
        let may_write = |root: &Inst| *root == memory.variable || module.op(*root) != Op::Variable;
        if !memory.is_aliased && !roots.iter().any(may_write) {
            flags = flags.with_readonly();
        }
        accesses.insert(memory.variable, Access { flags, is_whole: memory.is_whole });
    }
    Ok(accesses)
}

/// What a pointer leads into, which is a variable if that can be seen, and whether all indices are constant.
fn root(module: &Module, mut pointer: Inst) -> (Inst, bool) {
    let mut is_fixed = true;
    while matches!(module.op(pointer), Op::AccessChain | Op::InBoundsAccessChain) {
        is_fixed &= module.operands(pointer).skip(1).all(|index| module.op(index).is_constant());
        pointer = module.operand(pointer, 0);
    }
    (pointer, is_fixed)
}

/// Whether a block is an edge block that only branches.
fn is_mere_edge(module: &Module, block: Block) -> bool {
    module.is_bare_edge(block) && module.parameters(block).next().is_none()
}

/// A block and what is passed to it.
type Way = (ir::Block, Vec<BlockArg>);

struct Writer<'a> {
    module: &'a Module,
    builder: FunctionBuilder<'a>,
    accesses: HashMap<Inst, Access>,
    blocks: HashMap<Inst, ir::Block>,
    values: HashMap<Inst, ir::Value>,
}

impl Writer<'_> {
    /// Makes the blocks and their parameters. The parameters of the function are those of a block in front of all, which nothing leads to.
    fn declare(&mut self, function: Function, blocks: &[Block]) -> Result<(), String> {
        let front = self.builder.create_block();
        self.builder.append_block_params_for_function_params(front);
        let parameters = self.module.parameters(function).map(Inst::from);
        let variables = memory(self.module)?.into_iter().map(|memory| memory.variable);
        let values = self.builder.block_params(front).to_vec();
        self.values.extend(parameters.chain(variables).zip(values));
        for &block in blocks {
            let is_entry = self.blocks.is_empty() && self.module.in_edges(block).next().is_none();
            let made = if is_entry { front } else { self.builder.create_block() };
            self.blocks.insert(block.inst(), made);
            for parameter in self.module.parameters(block) {
                let ty = type_of(self.module, parameter.into())?;
                self.values.insert(parameter.into(), self.builder.append_block_param(made, ty));
            }
        }
        let first = self.blocks[&blocks[0].inst()];
        if first != front {
            self.builder.switch_to_block(front);
            self.builder.ins().jump(first, &[]);
        }
        Ok(())
    }

    fn write_block(&mut self, block: Block) -> Result<(), String> {
        self.builder.switch_to_block(self.blocks[&block.inst()]);
        let is_written = |inst: &Inst| {
            let op = self.module.op(*inst);
            op != Op::BlockParameter && !op.is_terminator()
        };
        for inst in self.module.children(block).filter(is_written) {
            if let Some(value) = self.instruction(inst)? {
                self.values.insert(inst, value);
            }
        }
        self.terminator(block)
    }

    fn instruction(&mut self, inst: Inst) -> Result<Option<ir::Value>, String> {
        let op = self.module.op(inst);
        let operand = |index: usize| self.module.operand(inst, index);
        let value = match op {
            Op::Load => {
                let (flags, ty) = (self.flags(operand(0)), type_of(self.module, inst)?);
                let pointer = self.value(operand(0))?;
                self.builder.ins().load(ty, flags, pointer, 0)
            }
            Op::Store => {
                let flags = self.flags(operand(0));
                let (pointer, stored) = (self.value(operand(0))?, self.value(operand(1))?);
                self.builder.ins().store(flags, stored, pointer, 0);
                return Ok(None);
            }
            Op::AccessChain | Op::InBoundsAccessChain => self.address(inst)?,
            Op::Select => {
                let [condition, yes, no] = [0, 1, 2].map(operand);
                let (condition, yes, no) = (self.value(condition)?, self.value(yes)?, self.value(no)?);
                self.builder.ins().select(condition, yes, no)
            }
            Op::LogicalNot => {
                let (value, one) = (self.value(operand(0))?, self.builder.ins().iconst(types::I8, 1));
                self.builder.ins().bxor(value, one)
            }
            Op::Not => {
                let value = self.value(operand(0))?;
                self.builder.ins().bnot(value)
            }
            Op::SNegate => {
                let value = self.value(operand(0))?;
                self.builder.ins().ineg(value)
            }
            _ => self.binary(inst)?,
        };
        Ok(Some(value))
    }

    fn binary(&mut self, inst: Inst) -> Result<ir::Value, String> {
        let op = self.module.op(inst);
        let (opcode, condition) = (binary(op), comparison(op));
        if opcode.is_none() && condition.is_none() {
            return Err(format!("no way to say `{}`", op.name()));
        }
        let [left, right] = [0, 1].map(|index| self.module.operand(inst, index));
        let (left, right) = (self.value(left)?, self.value(right)?);
        if let Some(condition) = condition {
            return Ok(self.builder.ins().icmp(condition, left, right));
        }
        let ty = type_of(self.module, inst)?;
        let (written, graph) = self.builder.ins().Binary(opcode.unwrap_or(Opcode::Nop), ty, left, right);
        Ok(graph.first_result(written))
    }

    fn address(&mut self, chain: Inst) -> Result<ir::Value, String> {
        let base = self.value(self.module.operand(chain, 0))?;
        let index = last_index(self.module, chain)?;
        let offset = match self.module.op(index) == Op::Constant {
            true => match self.module.literal_word(index).ok_or("a wide index")? {
                0 => return Ok(base),
                index => self.builder.ins().iconst(types::I64, 4 * i64::from(index.cast_signed())),
            },
            false => {
                let index = self.value(index)?;
                let index = self.builder.ins().sextend(types::I64, index);
                let two = self.builder.ins().iconst(types::I64, 2);
                self.builder.ins().ishl(index, two)
            }
        };
        Ok(self.builder.ins().iadd(base, offset))
    }

    /// What is known of an access; no region means that it may be any memory.
    fn flags(&self, pointer: Inst) -> MemFlagsData {
        let (root, is_fixed) = root(self.module, pointer);
        match self.accesses.get(&root) {
            Some(access) if access.is_whole && is_fixed => access.flags.with_can_move(),
            Some(access) => access.flags,
            None => MemFlagsData::trusted(),
        }
    }

    fn terminator(&mut self, block: Block) -> Result<(), String> {
        let terminator = self.module.terminator(block).ok_or("a block without a terminator")?;
        let op = self.module.op(terminator);
        let mut ways = Vec::new();
        for edge in self.module.out_edges(block) {
            ways.push(self.way(edge)?);
        }
        let value = match op {
            Op::BranchIf | Op::Switch | Op::ReturnValue => Some(self.value(self.module.operand(terminator, 0))?),
            _ => None,
        };
        match (op, value, &ways[..]) {
            (Op::Branch, None, [(target, passed)]) => _ = self.builder.ins().jump(*target, passed),
            (Op::BranchIf, Some(condition), [(yes, yes_passed), (no, no_passed)]) => {
                self.builder.ins().brif(condition, *yes, yes_passed, *no, no_passed);
            }
            (Op::Switch, Some(condition), [default, ways @ ..]) => {
                self.switch(condition, terminator, default, ways)?;
            }
            (Op::Return, None, []) => _ = self.builder.ins().return_(&[]),
            (Op::ReturnValue, Some(value), []) => _ = self.builder.ins().return_(&[value]),
            (Op::Unreachable, None, []) => _ = self.builder.ins().trap(TrapCode::unwrap_user(UNREACHABLE)),
            _ => return Err(format!("no way to say `{}`", op.name())),
        }
        Ok(())
    }

    fn switch(
        &mut self,
        condition: ir::Value,
        terminator: Terminator,
        default: &Way,
        ways: &[Way],
    ) -> Result<(), String> {
        let mut call = |(target, passed): &Way| self.builder.func.dfg.block_call(*target, passed);
        let default = call(default);
        let mut calls = Vec::new();
        for ((value, _), way) in self.module.cases(terminator).zip(ways) {
            let value = self.module.literal_word(value).filter(|&value| value < TABLE_LIMIT);
            let value = value.ok_or("a case that is too great for a table")? as usize;
            calls.resize(calls.len().max(value + 1), default);
            calls[value] = call(way);
        }
        let table = self.builder.create_jump_table(JumpTableData::new(default, &calls));
        self.builder.ins().br_table(condition, table);
        Ok(())
    }

    /// Where an edge leads and what it passes; past an edge block, what that passes.
    fn way(&mut self, edge: Edge) -> Result<Way, String> {
        let target = self.module.target(edge).ok_or("an edge that leads to no block")?;
        let (target, passing) = match self.module.terminator(target).filter(|_| is_mere_edge(self.module, target)) {
            Some(branch) => (self.module.operand(branch, 0), branch),
            None => (target.inst(), edge.terminator),
        };
        let block = *self.blocks.get(&target).ok_or("an edge block behind another")?;
        let passed = self.module.arguments(passing).map(|value| self.value(value).map(BlockArg::Value));
        Ok((block, passed.collect::<Result<_, String>>()?))
    }

    /// An operand; constants are written where they are needed.
    fn value(&mut self, value: Inst) -> Result<ir::Value, String> {
        let constant = match self.module.op(value) {
            Op::Constant => i64::from(self.module.literal_word(value).ok_or("a wide constant")?),
            Op::ConstantTrue => 1,
            Op::ConstantFalse | Op::Undef => 0,
            op => return self.values.get(&value).copied().ok_or_else(|| format!("no way to say `{}`", op.name())),
        };
        Ok(self.builder.ins().iconst(type_of(self.module, value)?, constant))
    }
}

/// Cranelift's operation on two operands of the type of its result.
fn binary(op: Op) -> Option<Opcode> {
    Some(match op {
        Op::IAdd => Opcode::Iadd,
        Op::ISub => Opcode::Isub,
        Op::IMul => Opcode::Imul,
        Op::UDiv => Opcode::Udiv,
        Op::SDiv => Opcode::Sdiv,
        Op::UMod => Opcode::Urem,
        Op::SRem => Opcode::Srem,
        Op::BitwiseAnd | Op::LogicalAnd => Opcode::Band,
        Op::BitwiseOr | Op::LogicalOr => Opcode::Bor,
        Op::BitwiseXor | Op::LogicalNotEqual => Opcode::Bxor,
        Op::ShiftLeftLogical => Opcode::Ishl,
        Op::ShiftRightLogical => Opcode::Ushr,
        Op::ShiftRightArithmetic => Opcode::Sshr,
        _ => return None,
    })
}

fn comparison(op: Op) -> Option<IntCC> {
    Some(match op {
        Op::IEqual => IntCC::Equal,
        Op::INotEqual => IntCC::NotEqual,
        Op::ULessThan => IntCC::UnsignedLessThan,
        Op::ULessThanEqual => IntCC::UnsignedLessThanOrEqual,
        Op::UGreaterThan => IntCC::UnsignedGreaterThan,
        Op::UGreaterThanEqual => IntCC::UnsignedGreaterThanOrEqual,
        Op::SLessThan => IntCC::SignedLessThan,
        Op::SLessThanEqual => IntCC::SignedLessThanOrEqual,
        Op::SGreaterThan => IntCC::SignedGreaterThan,
        Op::SGreaterThanEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}

fn type_of(module: &Module, value: Inst) -> Result<Type, String> {
    written_type(module, module.ty(value).ok_or("a value without a type")?)
}

fn written_type(module: &Module, ty: Inst) -> Result<Type, String> {
    match module.op(ty) {
        Op::TypeBool => Ok(types::I8),
        Op::TypePointer => Ok(types::I64),
        Op::TypeInt if module.literal_word(module.operand(ty, 0)) == Some(32) => Ok(types::I32),
        other => Err(format!("no type like `{}`", other.name())),
    }
}
