//! 64-bit integers in memory: vectors of two, low half first, which have the same size, alignment and bytes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Class, Inst, Module, Op, view};

use super::convert;
use super::pairs::Pairs;
use crate::Machine;
use reconverge_rewrite::scalars::{constant_value, is_int, vector_type, word};

/// Splits loads, stores and access chains. Returns whether the instruction was one of them.
pub(super) fn split(pairs: &mut Pairs<'_>, inst: Inst, operands: &[Inst]) -> Result<bool, Diagnostic> {
    match pairs.module.op(inst) {
        Op::Load if pairs.has_long(inst) => {
            let mut build = Builder::new(pairs.module);
            build.before(inst);
            let u32_type = build.int_type(32);
            let two = vector_type(&mut build, u32_type, 2);
            let vector = build.load(two, operands);
            let pair = convert::part(&mut build, vector);
            pairs.set(inst, pair);
            pairs.replaced.push(inst);
        }
        Op::Store if pairs.has_long(operands[1]) => {
            let pair = pairs.get(operands[1], inst)?;
            let mut build = Builder::new(pairs.module);
            build.before(inst);
            let vector = convert::join(&mut build, pair);
            build.editor().set_operand(inst, 1, vector);
        }
        op if view::Chain::covers(op) => {
            for (index, &operand) in operands.iter().enumerate().skip(1) {
                if pairs.has_long(operand) {
                    let low = pairs.get(operand, inst)?.low;
                    pairs.module.edit().set_operand(inst, index, low);
                }
            }
        }
        op if op.class() == Class::Atomic
            && (pairs.has_long(inst) || operands.iter().any(|&one| pairs.has_long(one))) =>
        {
            return Err(pairs.unsupported(inst, op.name()));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Replaces 64-bit integers by vectors of two in every type of memory, and in every constant of such a type.
pub(super) fn split_types(module: &mut Module, machine: &Machine) -> Result<(), Diagnostic> {
    split_constants(module, machine)?;
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let two = vector_type(&mut build, u32_type, 2);
    let holders: Vec<Inst> = build.module().globals().collect();
    for holder in holders {
        let holder = build.module().resolve(holder);
        let is_memory = matches!(
            build.module().op(holder),
            Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct | Op::TypePointer
        );
        if !build.module().is_live(holder) || !is_memory {
            continue;
        }
        let parts: Vec<Inst> = build.module().operands(holder).collect();
        for (index, part) in parts.into_iter().enumerate() {
            let replacement = match constant_value(build.module(), part) {
                _ if is_int(build.module(), part, 64) => two,
                // The length of an array.
                Some(length) if build.module().ty(part).is_some_and(|ty| is_int(build.module(), ty, 64)) => {
                    word(&mut build, length as u32)
                }
                _ => continue,
            };
            let holder = build.module().resolve(holder);
            build.editor().set_operand(holder, index, replacement);
        }
    }
    Ok(())
}

/// Constants of arrays and structs contain 64-bit constants; each becomes a vector of its halves.
fn split_constants(module: &mut Module, machine: &Machine) -> Result<(), Diagnostic> {
    let composites: Vec<Inst> = module
        .globals()
        .filter(|&global| matches!(module.op(global), Op::ConstantComposite | Op::SpecConstantComposite))
        .collect();
    let mut pairs = Pairs::new(module, machine);
    for composite in composites {
        let parts: Vec<Inst> = pairs.module.operands(composite).collect();
        for (index, part) in parts.into_iter().enumerate() {
            if !pairs.has_long(part) {
                continue;
            }
            let pair = pairs.get(part, composite)?;
            let mut build = Builder::new(pairs.module);
            let u32_type = build.int_type(32);
            let two = vector_type(&mut build, u32_type, 2);
            let vector = build.editor().unique(Op::ConstantComposite, Some(two), &[pair.low, pair.high]);
            let composite = build.module().resolve(composite);
            build.editor().set_operand(composite, index, vector);
        }
    }
    Ok(())
}
