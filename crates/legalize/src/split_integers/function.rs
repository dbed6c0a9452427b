//! Functions: signatures, parameters of blocks, instructions.

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Class, Function, Inst, Op, OpGroup, Parameter, Position};

use super::pairs::{Pair, Pairs};
use super::{arithmetic, bits, convert, division, memory};
use reconverge_rewrite::block_parameters;
use reconverge_rewrite::scalars::{vector_type, word};

/// Gives functions halves in place of 64-bit parameters and results.
///
/// ```text
/// func %f: %u64 (%a: %u64)    ⇒    func %f: %u32x2 (%a.low: %u32, %a.high: %u32)
/// ```
pub(super) fn split_signatures(pairs: &mut Pairs<'_>, functions: &[Function]) -> Result<(), Diagnostic> {
    for &function in functions {
        let parameters: Vec<Parameter> = pairs.module.parameters(function).collect();
        let result = pairs.module.ty(function).expect("invariant: a function has a type");
        if !pairs.is_long(result) && parameters.iter().all(|&parameter| !pairs.has_long(parameter.into())) {
            continue;
        }
        let u32_type = pairs.u32_type();
        let mut signature = Vec::new();
        for parameter in parameters {
            let ty = pairs.module.ty(parameter).expect("invariant: a parameter has a type");
            if !pairs.is_long(ty) {
                signature.push(ty);
                continue;
            }
            let mut editor = pairs.module.edit();
            let [low, high] = [(); 2].map(|()| {
                editor.insert(Position::Before(parameter.into()), Op::FunctionParameter, Some(u32_type), &[])
            });
            pairs.set(parameter.into(), Pair { low, high });
            pairs.replaced.push(parameter.into());
            signature.extend([u32_type, u32_type]);
        }
        let is_long = pairs.is_long(result);
        let mut build = Builder::new(pairs.module);
        let result = if is_long { vector_type(&mut build, u32_type, 2) } else { result };
        signature.insert(0, result);
        let function_type = build.editor().unique(Op::TypeFunction, None, &signature);
        build.editor().set_type(function, result);
        build.editor().set_operand(function, 0, function_type);
    }
    Ok(())
}

/// Computes the halves of every 64-bit integer of a body. The integers stay without other uses until all bodies are split.
pub(super) fn split_body(pairs: &mut Pairs<'_>, function: Function) -> Result<(), Diagnostic> {
    let flow = FlowGraph::compute(pairs.module, function);
    let order = flow.order();
    let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
    let parameters = split_parameters(pairs, &blocks);
    for &block in &blocks {
        let instructions: Vec<Inst> = pairs.module.children(block).collect();
        for inst in instructions {
            split(pairs, inst)?;
        }
    }
    for (block, long) in parameters {
        connect(pairs, block, &long)?;
    }
    Ok(())
}

/// Adds two parameters for each 64-bit parameter, without arguments yet. Returns the split parameters, by block.
fn split_parameters(pairs: &mut Pairs<'_>, blocks: &[Block]) -> Vec<(Block, Vec<Parameter>)> {
    let u32_type = pairs.u32_type();
    let mut split = Vec::new();
    for &block in blocks {
        let parameters = pairs.module.parameters(block);
        let long: Vec<Parameter> = parameters.filter(|&parameter| pairs.has_long(parameter.into())).collect();
        if long.is_empty() {
            continue;
        }
        let halves = block_parameters::append(pairs.module, block, &vec![u32_type; 2 * long.len()]);
        for (&parameter, halves) in long.iter().zip(halves.chunks(2)) {
            pairs.set(parameter.into(), Pair { low: halves[0].into(), high: halves[1].into() });
        }
        split.push((block, long));
    }
    split
}

/// Adds the arguments for the halves of parameters, and removes the old parameters.
fn connect(pairs: &mut Pairs<'_>, block: Block, long: &[Parameter]) -> Result<(), Diagnostic> {
    let mut jumps = block_parameters::jumps(pairs.module, block, long);
    for index in 0..long.len() {
        for jump in &mut jumps {
            let pair = pairs.get(jump.old[index], jump.terminator.into())?;
            jump.new.extend([pair.low, pair.high]);
        }
    }
    block_parameters::replace(pairs.module, block, long, jumps);
    Ok(())
}

/// Splits an instruction with a 64-bit operand or result.
fn split(pairs: &mut Pairs<'_>, inst: Inst) -> Result<(), Diagnostic> {
    let op = pairs.module.op(inst);
    if op == Op::BlockParameter || matches!(op, Op::Branch | Op::Loop) {
        return Ok(());
    }
    let operands: Vec<Inst> = pairs.module.operands(inst).collect();
    let gives = pairs.has_long(inst);
    let takes = operands.iter().any(|&operand| pairs.has_long(operand));
    refuse_vectors(pairs, inst, &operands)?;
    if memory::split(pairs, inst, &operands)? {
        return Ok(());
    }
    match op {
        Op::CompositeExtract if gives => {
            let index = pairs.module.literal_word(operands[1]).unwrap_or(u32::MAX);
            match pairs.member(operands[0], index).filter(|_| operands.len() == 2) {
                Some(pair) => finish(pairs, inst, pair),
                None => return Err(pairs.unsupported(inst, "a part of a composite")),
            }
        }
        // An index into a vector is below 16.
        Op::VectorExtractDynamic | Op::VectorInsertDynamic if takes => {
            let place = operands.len() - 1;
            let index = pairs.get(operands[place], inst)?.low;
            pairs.module.edit().set_operand(inst, place, index);
        }
        Op::FunctionCall if gives || takes => call(pairs, inst, &operands)?,
        Op::ReturnValue if takes => {
            let pair = pairs.get(operands[0], inst)?;
            let mut build = Builder::new(pairs.module);
            build.before(inst);
            let vector = convert::join(&mut build, pair);
            build.editor().set_operand(inst, 0, vector);
        }
        Op::Switch | Op::StructuredSwitch if takes => switch(pairs, inst, &operands)?,
        _ if gives => {
            let pair = value(pairs, inst, op, &operands)?;
            finish(pairs, inst, pair);
        }
        _ if takes => {
            let result = other(pairs, inst, op, &operands)?;
            pairs.replaced.push(inst);
            if let Some(result) = result {
                pairs.module.edit().replace_all_uses(inst, result);
            }
        }
        _ => {}
    }
    Ok(())
}

fn finish(pairs: &mut Pairs<'_>, inst: Inst, pair: Pair) {
    pairs.set(inst, pair);
    pairs.replaced.push(inst);
}

fn refuse_vectors(pairs: &Pairs<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let is_vector = |value: Inst| {
        let Some(ty) = pairs.module.ty(value) else { return false };
        let (component, count) = pairs.module.components(ty);
        count > 1 && pairs.is_long(component)
    };
    match is_vector(inst) || operands.iter().any(|&operand| is_vector(operand)) {
        true => Err(pairs.unsupported(inst, "vectors of them")),
        false => Ok(()),
    }
}

/// The halves of the result of an instruction.
fn value(pairs: &mut Pairs<'_>, inst: Inst, op: Op, operands: &[Inst]) -> Result<Pair, Diagnostic> {
    let mut long = Vec::new();
    for &operand in operands {
        if pairs.has_long(operand) {
            long.push(pairs.get(operand, inst)?);
        }
    }
    if let (OpGroup::IntegerDivision, &[a, b]) = (op.group(), &long[..]) {
        return Ok(division::divide(pairs, inst, op, a, b));
    }
    let structs = &mut pairs.structs;
    let mut build = Builder::new(pairs.module);
    build.before(inst);
    let build = &mut build;
    Ok(match (op, &long[..]) {
        (Op::IAdd, &[a, b]) => arithmetic::add(build, a, b).0,
        (Op::ISub, &[a, b]) => arithmetic::subtract(build, a, b).0,
        (Op::IMul, &[a, b]) => arithmetic::multiply(build, structs, a, b),
        (Op::SNegate, &[a]) => arithmetic::negate(build, a),
        (op, _) if op.group() == OpGroup::Bitwise => bits::bitwise(build, op, &long),
        (op, &[a, ..]) if op.group() == OpGroup::Shift => {
            let amount = match long.get(1) {
                Some(amount) => amount.low,
                None => convert::widen(build, Op::UConvert, operands[1]).low,
            };
            bits::shift(build, op, a, amount)
        }
        (Op::Select, &[a, b]) => arithmetic::select(build, operands[0], a, b),
        (Op::CopyObject | Op::UConvert | Op::SConvert | Op::Bitcast, &[a]) => a,
        (Op::UConvert | Op::SConvert, []) => convert::widen(build, op, operands[0]),
        (Op::Bitcast, []) => convert::from_bits(build, operands[0]),
        (Op::ConvertFToU | Op::ConvertFToS, []) => convert::from_float(build, op, operands[0]),
        _ => return Err(pairs.unsupported(inst, op.name())),
    })
}

/// The replacement of an instruction with a 64-bit operand and another result. Structs of two are represented by their members.
fn other(pairs: &mut Pairs<'_>, inst: Inst, op: Op, operands: &[Inst]) -> Result<Option<Inst>, Diagnostic> {
    let mut long = Vec::new();
    for &operand in operands {
        if pairs.has_long(operand) {
            long.push(pairs.get(operand, inst)?);
        }
    }
    let ty = pairs.module.ty(inst);
    let structs = &mut pairs.structs;
    let mut build = Builder::new(pairs.module);
    build.before(inst);
    let build = &mut build;
    let couple = match (op, &long[..]) {
        (Op::IAddCarry | Op::ISubBorrow, &[a, b]) => {
            let compute = if op == Op::IAddCarry { arithmetic::add } else { arithmetic::subtract };
            let (sum, out) = compute(build, a, b);
            let (out, zero) = (arithmetic::as_word(build, out), word(build, 0));
            Some([sum, Pair { low: out, high: zero }])
        }
        (Op::UMulExtended, &[a, b]) => Some(arithmetic::multiply_whole(build, structs, a, b)),
        _ => None,
    };
    if let Some(couple) = couple {
        pairs.set_couple(inst, couple);
        return Ok(None);
    }
    let Some(ty) = ty else { return Err(pairs.unsupported(inst, op.name())) };
    let narrow = build.module().width(ty);
    Ok(Some(match (op, &long[..]) {
        (op, &[a, b]) if op.group() == OpGroup::IntegerComparison => arithmetic::compare(build, op, a, b),
        (Op::UConvert | Op::SConvert, &[a]) => convert::narrow(build, a, ty),
        (Op::Bitcast | Op::ConvertUToPtr, &[a]) => convert::to_bits(build, a, ty),
        (Op::ConvertUToF | Op::ConvertSToF, &[a]) => match convert::to_float(build, op, a, ty) {
            Some(number) => number,
            None => return Err(pairs.unsupported(inst, "conversion to half precision")),
        },
        // A narrower value shifted by a 64-bit amount.
        (_, &[amount]) if op.class() == Class::Bit && narrow.is_some() => {
            build.emit(op, Some(ty), &[operands[0], amount.low])
        }
        _ => return Err(pairs.unsupported(inst, op.name())),
    }))
}

fn call(pairs: &mut Pairs<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let mut arguments = vec![operands[0]];
    for &operand in &operands[1..] {
        match pairs.has_long(operand) {
            true => {
                let pair = pairs.get(operand, inst)?;
                arguments.extend([pair.low, pair.high]);
            }
            false => arguments.push(operand),
        }
    }
    if !pairs.has_long(inst) {
        pairs.module.edit().set_operands(inst, &arguments);
        return Ok(());
    }
    let u32_type = pairs.u32_type();
    let mut build = Builder::new(pairs.module);
    build.before(inst);
    let two = vector_type(&mut build, u32_type, 2);
    let vector = build.function_call(two, &arguments);
    let pair = convert::part(&mut build, vector);
    finish(pairs, inst, pair);
    Ok(())
}

/// A 64-bit selector becomes the number of its case, or the number of cases for the default.
fn switch(pairs: &mut Pairs<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let selector = pairs.get(operands[0], inst)?;
    let first = if pairs.module.op(inst) == Op::Switch { 2 } else { 4 };
    let cases: Vec<Inst> = operands[first..].iter().copied().step_by(2).collect();
    let values: Vec<u64> = cases
        .iter()
        .map(|&case| match *pairs.module.literal_words(case) {
            [low, high] => u64::from(high) << 32 | u64::from(low),
            [low] => u64::from(low),
            _ => 0,
        })
        .collect();
    let mut build = Builder::new(pairs.module);
    build.before(inst);
    let u32_type = build.int_type(32);
    let mut number = word(&mut build, values.len() as u32);
    for (index, &value) in values.iter().enumerate() {
        let low = word(&mut build, value as u32);
        let high = word(&mut build, (value >> 32) as u32);
        let is_it = arithmetic::compare(&mut build, Op::IEqual, selector, Pair { low, high });
        let index = word(&mut build, index as u32);
        number = build.select(u32_type, &[is_it, index, number]);
    }
    let mut operands = operands.to_vec();
    operands[0] = number;
    for index in 0..values.len() {
        operands[first + 2 * index] = build.editor().word(index as u32);
    }
    build.editor().set_operands(inst, &operands);
    Ok(())
}
