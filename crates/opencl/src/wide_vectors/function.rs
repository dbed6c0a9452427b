//! Functions: signatures, parameters of blocks, instructions.

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Function, Inst, Op, Parameter, Position};

use super::chunks::{Chunks, unsupported};
use super::{bitcast, elementwise, memory, pick};
use reconverge_rewrite::block_parameters;

/// Replaces split parameters of functions by chunks, and a split result by a struct of chunks.
pub(super) fn split_signatures(chunks: &mut Chunks<'_>, functions: &[Function]) {
    for &function in functions {
        let parameters: Vec<Parameter> = chunks.module.parameters(function).collect();
        let result = chunks.module.ty(function).expect("invariant: a function has a type");
        if !chunks.is_cut(result) && parameters.iter().all(|&parameter| !chunks.has_cut(parameter.into())) {
            continue;
        }
        let mut signature = Vec::new();
        for parameter in parameters {
            let ty = chunks.module.ty(parameter).expect("invariant: a parameter has a type");
            if !chunks.is_cut(ty) {
                signature.push(ty);
                continue;
            }
            let size = chunks.size(ty);
            let types = chunks.chunk_types(ty, size);
            let mut editor = chunks.module.edit();
            let position = Position::Before(parameter.into());
            let insert = |&ty: &Inst| editor.insert(position, Op::FunctionParameter, Some(ty), &[]);
            let parts = types.iter().map(insert).collect();
            chunks.set(parameter.into(), parts);
            signature.extend(types);
        }
        let result = result_type(chunks, result);
        signature.insert(0, result);
        let mut build = Builder::new(chunks.module);
        let function_type = build.editor().unique(Op::TypeFunction, None, &signature);
        build.editor().set_type(function, result);
        build.editor().set_operand(function, 0, function_type);
    }
}

/// The result type of a function whose result type was `ty`.
fn result_type(chunks: &mut Chunks<'_>, ty: Inst) -> Inst {
    if !chunks.is_cut(ty) {
        return ty;
    }
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    chunks.struct_type(&types)
}

/// Splits every value of a body. The old values stay without other uses until all bodies are split.
pub(super) fn split_body(chunks: &mut Chunks<'_>, function: Function) -> Result<(), Diagnostic> {
    let flow = FlowGraph::compute(chunks.module, function);
    let order = flow.order();
    let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    let parameters = split_parameters(chunks, &blocks);
    for &block in &blocks {
        let instructions: Vec<Inst> = chunks.module.children(block).collect();
        for inst in instructions {
            split(chunks, inst)?;
        }
    }
    for (block, cut) in parameters {
        connect(chunks, block, &cut)?;
    }
    Ok(())
}

/// Adds parameters for the chunks of each split parameter, without arguments yet. Returns the split parameters, by block.
fn split_parameters(chunks: &mut Chunks<'_>, blocks: &[Block]) -> Vec<(Block, Vec<Parameter>)> {
    let mut split = Vec::new();
    for &block in blocks {
        let parameters = chunks.module.parameters(block);
        let cut: Vec<Parameter> = parameters.filter(|&parameter| chunks.has_cut(parameter.into())).collect();
        if cut.is_empty() {
            continue;
        }
        let (mut types, mut counts) = (Vec::new(), Vec::new());
        for &parameter in &cut {
            let ty = chunks.module.ty(parameter).expect("invariant: a parameter has a type");
            let size = chunks.size(ty);
            let parts = chunks.chunk_types(ty, size);
            counts.push(parts.len());
            types.extend(parts);
        }
        let mut parts = block_parameters::append(chunks.module, block, &types).into_iter().map(Inst::from);
        for (&parameter, count) in cut.iter().zip(counts) {
            chunks.set_parameter(parameter.into(), parts.by_ref().take(count).collect());
        }
        split.push((block, cut));
    }
    split
}

/// Adds the arguments for the chunks of parameters, and removes the old parameters.
fn connect(chunks: &mut Chunks<'_>, block: Block, cut: &[Parameter]) -> Result<(), Diagnostic> {
    let mut jumps = block_parameters::jumps(chunks.module, block, cut);
    for index in 0..cut.len() {
        for jump in &mut jumps {
            jump.new.extend(chunks.parts(jump.old[index], jump.terminator.into())?);
        }
    }
    block_parameters::replace(chunks.module, block, cut, jumps);
    Ok(())
}

/// Splits an instruction with a split operand or result.
fn split(chunks: &mut Chunks<'_>, inst: Inst) -> Result<(), Diagnostic> {
    let op = chunks.module.op(inst);
    let operands: Vec<Inst> = chunks.module.operands(inst).collect();
    let touches = chunks.has_cut(inst)
        || operands.iter().any(|&operand| chunks.has_cut(operand) || chunks.couple(operand).is_some());
    if !touches || matches!(op, Op::BlockParameter | Op::Branch | Op::Loop) {
        return Ok(());
    }
    match op {
        Op::Load => memory::load(chunks, inst, &operands),
        Op::Store => memory::store(chunks, inst, &operands),
        Op::Bitcast => bitcast::split(chunks, inst, &operands),
        Op::Any | Op::All => elementwise::reduce(chunks, inst, &operands),
        Op::CompositeConstruct if chunks.has_cut(inst) => pick::split(chunks, inst, &operands),
        Op::CompositeExtract
        | Op::CompositeInsert
        | Op::VectorShuffle
        | Op::VectorExtractDynamic
        | Op::VectorInsertDynamic => pick::split(chunks, inst, &operands),
        Op::FunctionCall => call(chunks, inst, &operands),
        Op::ReturnValue => give_back(chunks, inst, operands[0]),
        _ if elementwise::is_elementwise(op) => elementwise::split(chunks, inst, &operands),
        _ => Err(unsupported(inst, op.name())),
    }
}

fn call(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let mut arguments = vec![operands[0]];
    for &operand in &operands[1..] {
        arguments.extend(chunks.parts(operand, inst)?);
    }
    if !chunks.has_cut(inst) {
        chunks.module.edit().set_operands(inst, &arguments);
        return Ok(());
    }
    let ty = chunks.module.ty(inst).expect("invariant: a value has a type");
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    let result = result_type(chunks, ty);
    let mut build = chunks.before(inst);
    let whole = build.function_call(result, &arguments);
    let parts = types.into_iter().enumerate().map(|(index, ty)| {
        let index = build.editor().word(index as u32);
        build.composite_extract(ty, &[whole, index])
    });
    let parts = parts.collect();
    chunks.set(inst, parts);
    Ok(())
}

fn give_back(chunks: &mut Chunks<'_>, inst: Inst, value: Inst) -> Result<(), Diagnostic> {
    let ty = chunks.module.ty(value).expect("invariant: a value has a type");
    let result = result_type(chunks, ty);
    let parts = chunks.parts(value, inst)?;
    let mut build = chunks.before(inst);
    let whole = build.composite_construct(result, &parts);
    build.editor().set_operand(inst, 0, whole);
    Ok(())
}
