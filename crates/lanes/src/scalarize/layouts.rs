//! The scalars that make up a type: each with its type and its path.
//!
//! ```text
//! struct { u32, vec2 of f32 }     u32 at 0,  f32 at 1 0,  f32 at 1 1
//! ```

use std::rc::Rc;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::unsupported;

/// The largest number of scalars of one value. A larger value is a copy in memory, for which a load and a store of each part is no good
/// code.
const LEAF_LIMIT: usize = 4096;

/// A scalar of a composite type.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its type: a number, a truth value, a pointer.
    pub(super) ty: Inst,
    /// The numbers of the parts that lead to it.
    pub(super) path: SmallVec<[u32; 4]>,
}

/// Part of a list of leaves: that of one member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) count: usize,
}

/// The leaves of the types met so far.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    by_type: FxHashMap<Inst, Rc<[Leaf]>>,
}

/// Returns whether values of a type have parts.
pub(super) fn is_composite(module: &Module, ty: Inst) -> bool {
    matches!(module.op(ty), Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeStruct)
}

impl Layouts {
    /// The leaves of a type in the order of their places; a type without parts is its own leaf.
    ///
    /// # Errors
    /// Matrices, arrays of unknown length and types of too many parts, at `user`.
    pub(super) fn leaves(&mut self, module: &Module, ty: Inst, user: Inst) -> Result<Rc<[Leaf]>, Diagnostic> {
        if let Some(leaves) = self.by_type.get(&ty) {
            return Ok(leaves.clone());
        }
        let (mut leaves, mut visited) = (Vec::new(), 0);
        let mut open = vec![Leaf { ty, path: SmallVec::new() }];
        while let Some(next) = open.pop() {
            visited += 1;
            let parts = parts(module, next.ty, user)?;
            if visited + open.len() + parts.as_ref().map_or(0, PartTypes::len) > 2 * LEAF_LIMIT {
                return Err(unsupported(user, "a value of too many parts"));
            }
            match parts {
                None => leaves.push(next),
                Some(parts) => open.extend((0..parts.len()).rev().map(|index| {
                    let mut path = next.path.clone();
                    path.push(index as u32);
                    Leaf { ty: parts.at(index), path }
                })),
            }
        }
        let leaves: Rc<[Leaf]> = leaves.into();
        self.by_type.insert(ty, leaves.clone());
        Ok(leaves)
    }

    /// Returns the range of the leaves of a part among those of the whole. Linear in the members of the types on the path.
    ///
    /// # Errors
    /// As [`Layouts::leaves`], and a path that leads out of the type.
    pub(super) fn span(&mut self, module: &Module, ty: Inst, path: &[u32], user: Inst) -> Result<Span, Diagnostic> {
        let (mut ty, mut start) = (ty, 0);
        for &index in path {
            let parts = parts(module, ty, user)?.filter(|parts| (index as usize) < parts.len());
            let parts = parts.ok_or_else(|| unsupported(user, "an index outside its composite"))?;
            match &parts {
                PartTypes::Alike { ty, .. } => start += index as usize * self.leaves(module, *ty, user)?.len(),
                PartTypes::Each(types) => {
                    for &before in &types[..index as usize] {
                        start += self.leaves(module, before, user)?.len();
                    }
                }
            }
            ty = parts.at(index as usize);
        }
        Ok(Span { start, count: self.leaves(module, ty, user)?.len() })
    }
}

/// The types of the parts of a composite.
enum PartTypes {
    Alike { ty: Inst, count: usize },
    Each(SmallVec<[Inst; 8]>),
}

impl PartTypes {
    fn len(&self) -> usize {
        match self {
            PartTypes::Alike { count, .. } => *count,
            PartTypes::Each(types) => types.len(),
        }
    }

    fn at(&self, index: usize) -> Inst {
        match self {
            PartTypes::Alike { ty, .. } => *ty,
            PartTypes::Each(types) => types[index],
        }
    }
}

/// The parts of a type; none if it has none.
fn parts(module: &Module, ty: Inst, user: Inst) -> Result<Option<PartTypes>, Diagnostic> {
    Ok(Some(match module.type_view(ty) {
        Some(TypeView::Vector { component, count }) => PartTypes::Alike { ty: component, count: count as usize },
        Some(TypeView::Matrix { .. }) => return Err(unsupported(user, "a matrix")),
        Some(TypeView::Struct { members }) => PartTypes::Each(members.iter().collect()),
        Some(TypeView::Array { element, length }) => {
            let count = module.constant_bits(length).and_then(|length| usize::try_from(length).ok());
            let count = count.ok_or_else(|| unsupported(user, "an array whose length is not a constant"))?;
            PartTypes::Alike { ty: element, count }
        }
        Some(TypeView::RuntimeArray { .. }) => return Err(unsupported(user, "a runtime array as a value")),
        _ => return Ok(None),
    }))
}
