//! Names of pieces.
//!
//! ```text
//! %hit = variable {"distance": f32, "uv": <2 x f32>}      ⇒  %hit.distance, %hit.uv
//! %row = variable [3 x <4 x f32>]                         ⇒  %row.0, %row.1, %row.2.x
//! %raw = variable {i32, f32}                              ⇒  %raw.0, %raw.4
//! ```
//!
//! A piece has the name of the variable with the members and elements that lead to it. Where a member has no name, and where a piece is no
//! leaf of the type, its offset in bytes stands for them.

use reconverge_ir::Module;
use reconverge_ir::view::TypeView;

use super::accesses::Candidate;
use super::leaves::{Leaf, components, leaf_size};
use super::pieces::Piece;

/// The name of one of several pieces, if their variable has one. Linear in the declared leaves.
pub(super) fn piece_name(module: &Module, candidate: &Candidate, piece: &Piece) -> Option<String> {
    let name = module.name(candidate.variable)?;
    let around = |leaf: &&Leaf| leaf.start <= piece.start && piece.end() <= leaf.end;
    let leaf = candidate.declared.iter().find(around);
    let path = leaf.and_then(|leaf| path_to(module, candidate, leaf, piece));
    Some(format!("{name}.{}", path.unwrap_or_else(|| piece.start.to_string())))
}

/// The members, elements and components that lead to a piece of a leaf.
fn path_to(module: &Module, candidate: &Candidate, leaf: &Leaf, piece: &Piece) -> Option<String> {
    let mut ty = module.pointee(candidate.variable)?;
    let mut parts = Vec::new();
    for &index in &leaf.path {
        parts.push(match module.type_view(ty)? {
            TypeView::Struct { .. } => module.member_name(ty, index).filter(|name| !name.is_empty())?,
            _ => index.to_string(),
        });
        ty = module.part_type(ty, index as usize)?;
    }
    if piece.start != leaf.start || piece.end() != leaf.end {
        let size = leaf_size(module, components(module, ty)?.0)?;
        let first = (piece.start - leaf.start) / size;
        parts.push((*["x", "y", "z", "w"].get(usize::try_from(first).ok()?)?).to_owned());
        (piece.size == size).then_some(())?;
    }
    (!parts.is_empty()).then(|| parts.join("."))
}
