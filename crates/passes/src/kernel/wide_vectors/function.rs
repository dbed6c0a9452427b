//! Functions: signatures, parameters of blocks, instructions.

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Builder, Function, Inst, Op, Parameter, Position, terminator};

use super::super::KernelError;
use super::chunks::{Chunks, unsupported};
use super::{bitcast, elementwise, memory, pick};

/// Gives functions chunks in place of parameters that are cut, and a struct of chunks in place of such a result.
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

/// The type of what a function gives that gave a value of type `ty`.
fn result_type(chunks: &mut Chunks<'_>, ty: Inst) -> Inst {
    if !chunks.is_cut(ty) {
        return ty;
    }
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    let module = &*chunks.module;
    let is_it = |&global: &Inst| {
        module.op(global) == Op::TypeStruct
            && module.operands(global).eq(types.iter().copied())
            && module.decorations(global).is_empty()
    };
    let known = module.globals().find(is_it);
    known.unwrap_or_else(|| chunks.module.edit().append_global(Op::TypeStruct, None, &types))
}

/// Cuts every value of a body. The uncut ones stay, and nothing else uses them, until all bodies are cut.
pub(super) fn split_body(chunks: &mut Chunks<'_>, function: Function) -> Result<(), KernelError> {
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
    for (parameter, parts) in parameters {
        connect(chunks, parameter, &parts)?;
    }
    Ok(())
}

/// Parameters for the chunks of each that is cut; their arguments are not known yet, and the parameter itself stands in for them.
fn split_parameters(chunks: &mut Chunks<'_>, blocks: &[Block]) -> Vec<(Parameter, Vec<Parameter>)> {
    let mut split = Vec::new();
    for &block in blocks {
        let parameters: Vec<Parameter> = chunks.module.parameters(block).collect();
        for parameter in parameters {
            if !chunks.has_cut(parameter.into()) {
                continue;
            }
            let ty = chunks.module.ty(parameter).expect("invariant: a parameter has a type");
            let size = chunks.size(ty);
            let types = chunks.chunk_types(ty, size);
            let mut editor = chunks.module.edit();
            let append = |&ty: &Inst| editor.append_parameter(block, ty, |_, _| parameter.into());
            let parts: Vec<Parameter> = types.iter().map(append).collect();
            chunks.set_parameter(parameter.into(), parts.iter().map(|&part| part.into()).collect());
            split.push((parameter, parts));
        }
    }
    split
}

/// Gives the chunks of a parameter their arguments, and takes the parameter away.
fn connect(chunks: &mut Chunks<'_>, parameter: Parameter, parts: &[Parameter]) -> Result<(), KernelError> {
    let block = chunks.module.block_of(parameter).expect("invariant: a block parameter stands in a block");
    let parameters: Vec<Parameter> = chunks.module.parameters(block).collect();
    let place = |wanted: Parameter| {
        parameters.iter().position(|&parameter| parameter == wanted).expect("invariant: a block lists its parameters")
    };
    let (old, new): (usize, Vec<usize>) = (place(parameter), parts.iter().map(|&part| place(part)).collect());
    let edges: Vec<_> = chunks.module.in_edges(block).collect();
    for edge in edges {
        let op = chunks.module.op(edge.terminator);
        let first = terminator::first_argument(op).expect("invariant: only jumps go to a block with parameters");
        let argument = chunks.module.operand(edge.terminator, first + old);
        let arguments = chunks.parts(argument, edge.terminator.into())?;
        let mut editor = chunks.module.edit();
        for (&place, argument) in new.iter().zip(arguments) {
            editor.set_operand(edge.terminator, first + place, argument);
        }
    }
    chunks.module.edit().remove_parameter(parameter);
    Ok(())
}

/// Cuts an instruction that gives or takes a value that is cut.
fn split(chunks: &mut Chunks<'_>, inst: Inst) -> Result<(), KernelError> {
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

fn call(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), KernelError> {
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

fn give_back(chunks: &mut Chunks<'_>, inst: Inst, value: Inst) -> Result<(), KernelError> {
    let ty = chunks.module.ty(value).expect("invariant: a value has a type");
    let result = result_type(chunks, ty);
    let parts = chunks.parts(value, inst)?;
    let mut build = chunks.before(inst);
    let whole = build.composite_construct(result, &parts);
    build.editor().set_operand(inst, 0, whole);
    Ok(())
}
