//! Instructions that select components: constructs, extracts, inserts, shuffles.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::scalars::{constant_value, word};
use super::chunks::{Chunks, unsupported};
use crate::scalars::convert_unsigned;

/// Splits an instruction that selects components.
pub(super) fn split(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    match chunks.module.op(inst) {
        Op::CompositeConstruct => {
            let mut singles = Vec::new();
            for &operand in operands {
                singles.extend(chunks.single(operand, inst)?);
            }
            chunks.finish(inst, &singles);
        }
        Op::CompositeExtract => extract(chunks, inst, operands)?,
        Op::CompositeInsert => {
            let mut singles = chunks.single(operands[1], inst)?;
            let place = index(chunks, operands, 2).and_then(|index| singles.get_mut(index));
            *place.ok_or_else(|| unsupported(inst, "composite_insert"))? = operands[0];
            chunks.finish(inst, &singles);
        }
        Op::VectorShuffle => {
            let mut pool = chunks.single(operands[0], inst)?;
            pool.extend(chunks.single(operands[1], inst)?);
            let picks: Vec<usize> = operands[2..]
                .iter()
                .map(|&pick| chunks.module.literal_word(pick).unwrap_or(u32::MAX) as usize)
                .collect();
            // An undefined component may have any value.
            let singles: Vec<Inst> = picks.into_iter().map(|pick| *pool.get(pick).unwrap_or(&pool[0])).collect();
            chunks.finish(inst, &singles);
        }
        Op::VectorExtractDynamic => {
            let singles = chunks.single(operands[0], inst)?;
            let whole = choose(chunks, inst, &singles, operands[1]);
            chunks.finish_parts(inst, vec![whole]);
        }
        _ => insert_dynamic(chunks, inst, operands)?,
    }
    Ok(())
}

fn index(chunks: &Chunks<'_>, operands: &[Inst], at: usize) -> Option<usize> {
    (operands.len() == at + 1).then(|| chunks.module.literal_word(operands[at])).flatten().map(|word| word as usize)
}

fn extract(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let place = index(chunks, operands, 1).ok_or_else(|| unsupported(inst, "composite_extract"))?;
    if let Some(couples) = chunks.couple(operands[0]) {
        let ty = chunks.module.ty(inst).expect("invariant: a value has a type");
        let size = chunks.size(ty);
        let types = chunks.chunk_types(ty, size);
        let mut build = chunks.before(inst);
        let member = build.editor().word(place as u32);
        let parts = couples.iter().zip(types).map(|(&couple, ty)| build.composite_extract(ty, &[couple, member]));
        let parts = parts.collect();
        chunks.finish_parts(inst, parts);
        return Ok(());
    }
    if chunks.has_cut(inst) {
        return Err(unsupported(inst, "a struct or array value"));
    }
    let ty = chunks.module.ty(operands[0]).expect("invariant: a composite has a type");
    let size = chunks.size(ty) as usize;
    let parts = chunks.parts(operands[0], inst)?;
    let part = *parts.get(place / size).ok_or_else(|| unsupported(inst, "composite_extract"))?;
    let component = chunks.module.components(ty).0;
    let single = match chunks.module.ty(part) == Some(component) {
        true => part,
        false => {
            let mut build = chunks.before(inst);
            let index = build.editor().word((place % size) as u32);
            build.composite_extract(component, &[part, index])
        }
    };
    chunks.finish_parts(inst, vec![single]);
    Ok(())
}

fn insert_dynamic(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let (value, place) = (operands[1], operands[2]);
    let mut singles = chunks.single(operands[0], inst)?;
    if let Some(place) = constant_value(chunks.module, place) {
        if let Some(single) = singles.get_mut(place as usize) {
            *single = value;
        }
    } else {
        let ty = chunks.module.ty(value).expect("invariant: a value has a type");
        let mut build = chunks.before(inst);
        let (bool_type, u32_type) = (build.bool_type(), build.int_type(32));
        let place = convert_unsigned(&mut build, place, u32_type);
        for (index, single) in singles.iter_mut().enumerate() {
            let index = word(&mut build, index as u32);
            let is_it = build.i_equal(bool_type, &[place, index]);
            *single = build.select(ty, &[is_it, value, *single]);
        }
    }
    chunks.finish(inst, &singles);
    Ok(())
}

/// The component with this number, by a tree of selects, as deep as the number has bits.
fn choose(chunks: &mut Chunks<'_>, inst: Inst, singles: &[Inst], place: Inst) -> Inst {
    if let Some(place) = constant_value(chunks.module, place) {
        return *singles.get(place as usize).unwrap_or(&singles[0]);
    }
    let ty = chunks.module.ty(singles[0]).expect("invariant: a value has a type");
    let mut build = chunks.before(inst);
    let (bool_type, u32_type, zero) = (build.bool_type(), build.int_type(32), word(&mut build, 0));
    let place = convert_unsigned(&mut build, place, u32_type);
    let mut level = singles.to_vec();
    let mut bit = 1;
    while level.len() > 1 {
        let mask = word(&mut build, bit);
        let masked = build.bitwise_and(u32_type, &[place, mask]);
        let is_odd = build.i_not_equal(bool_type, &[masked, zero]);
        let pairs = level.chunks(2).map(|pair| match *pair {
            [even, odd] => build.select(ty, &[is_odd, odd, even]),
            _ => pair[0],
        });
        level = pairs.collect();
        bit <<= 1;
    }
    level[0]
}
