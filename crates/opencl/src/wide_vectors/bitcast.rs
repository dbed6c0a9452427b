//! Bitcasts, where both sides may be split and have components of different widths.
//!
//! ```text
//! u8x16 → u32x4     four u8 ↔ one u32:    bitcast of a vector of four, four times
//! u8x8  → u64       eight u8 ↔ one u64:   by way of u32
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op};

use super::super::scalars::vector_type;
use super::chunks::{Chunks, put_together, take_apart, unsupported};

/// Splits a bitcast.
pub(super) fn split(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let ty = chunks.module.ty(inst).expect("invariant: a bit cast has a type");
    let from = chunks.module.ty(operands[0]).expect("invariant: a value has a type");
    let ((source, _), (target, _)) = (chunks.module.components(from), chunks.module.components(ty));
    let widths = (chunks.module.width(source), chunks.module.width(target));
    let (Some(source_width), Some(target_width)) = widths else { return Err(unsupported(inst, "bitcast")) };
    let singles = chunks.single(operands[0], inst)?;
    let mut build = chunks.before(inst);
    let singles = match source_width.max(target_width) / source_width.min(target_width) {
        8 => {
            let word = build.int_type(32);
            let words = convert(&mut build, &singles, source_width, 32, word);
            convert(&mut build, &words, 32, target_width, target)
        }
        _ => convert(&mut build, &singles, source_width, target_width, target),
    };
    chunks.finish(inst, &singles);
    Ok(())
}

/// Components of another width from the same bits; one width is a multiple of the other, at most four times.
fn convert(build: &mut Builder<'_>, singles: &[Inst], from: u32, to: u32, target: Inst) -> Vec<Inst> {
    let source = build.module().ty(singles[0]).expect("invariant: a value has a type");
    if source == target {
        return singles.to_vec();
    }
    if from >= to {
        let group = vector_type(build, target, from / to);
        let mut parts = Vec::new();
        for &single in singles {
            let cast = build.emit(Op::Bitcast, Some(group), &[single]);
            parts.extend(take_apart(build, cast));
        }
        return parts;
    }
    let group = vector_type(build, source, to / from);
    let groups = singles.chunks((to / from) as usize);
    let mut cast = |chunk: &[Inst]| {
        let together = put_together(build, group, chunk);
        build.emit(Op::Bitcast, Some(target), &[together])
    };
    groups.map(&mut cast).collect()
}
