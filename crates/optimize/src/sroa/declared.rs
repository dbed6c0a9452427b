//! Debug information of a variable that is split: it declares the pieces.
//!
//! ```text
//! ── record: %local is in %v      ⇒      ── record: member 0 of %local is in %v.0
//!                                        ── record: member 1 of %local is in %v.4
//! ```
//!
//! A piece is described if it is a leaf of the declared type, or a component of one. Of the others nothing is known, and of those that have no
//! variable, since nothing reads them. Linear in declarations times pieces and leaves.

use reconverge_ir::Module;
use reconverge_ir::debug_records::{DebugRecord, RecordId, RecordKind};
use smallvec::SmallVec;

use super::accesses::Candidate;
use super::leaves::{Leaf, components, leaf_size};
use super::pieces::Piece;
use reconverge_rewrite::debug_values::{declarations, is_direct};

/// Replaces the declarations of a variable by those of its pieces.
pub(super) fn declare_pieces(module: &mut Module, candidate: &Candidate, pieces: &[Piece]) {
    let all: Vec<(RecordId, DebugRecord)> = declarations(module, candidate.variable).collect();
    for (id, record) in all {
        let told = if is_direct(module, &record) { pieces } else { &[] };
        for piece in told {
            let (Some(variable), Some(path)) = (piece.variable, path(module, &candidate.declared, piece)) else {
                continue;
            };
            let before = record.part.map(|part| module.literal_words(part).to_vec()).unwrap_or_default();
            let words = [before, path.to_vec()].concat();
            let part = (!words.is_empty()).then(|| module.edit().literal(&words));
            let (value, ty) = (Some(variable), module.ty(variable));
            module.edit().copy_record(DebugRecord { kind: RecordKind::Declare, value, ty, part, ..record });
        }
        module.edit().remove_record(id);
    }
}

/// The indexes that lead to a piece.
fn path(module: &Module, declared: &[Leaf], piece: &Piece) -> Option<SmallVec<[u32; 4]>> {
    let number = declared.partition_point(|leaf| leaf.start <= piece.start).checked_sub(1)?;
    let leaf = &declared[number];
    if (leaf.start, leaf.end) == (piece.start, piece.end()) && leaf.ty == piece.ty() {
        return Some(leaf.path.clone());
    }
    let (component, count) = components(module, leaf.ty)?;
    let size = leaf_size(module, component)?;
    let distance = piece.start - leaf.start;
    let index = u32::try_from(distance / size).ok().filter(|&index| index < count)?;
    let is_one = (piece.size, piece.ty()) == (size, component) && distance.is_multiple_of(size);
    is_one.then(|| {
        let mut path = leaf.path.clone();
        path.push(index);
        path
    })
}
