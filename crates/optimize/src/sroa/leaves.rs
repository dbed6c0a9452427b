//! The scalars, vectors and pointers of a type, with their offsets.
//!
//! Each type is traversed with an explicit stack. [`LEAF_LIMIT`] bounds the number of leaves, and [`NESTING_LIMIT`] the length of their
//! paths.

use reconverge_analysis::{Layouts, array_length};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, view};
use smallvec::SmallVec;

/// The maximal number of leaves of a type that is split, and of parts of a variable.
pub(super) const LEAF_LIMIT: usize = 512;
/// The maximal nesting of a type that is split: SPIR-V's limit for structs (section 2.17).
const NESTING_LIMIT: usize = 255;

/// A scalar, vector or pointer in memory.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// First byte.
    pub(super) start: u64,
    /// The end: one past the last byte, without padding.
    pub(super) end: u64,
    pub(super) ty: Inst,
    /// The literals of the `composite_extract` that extracts it from its aggregate.
    pub(super) path: SmallVec<[u32; 4]>,
}

/// The leaves of a type at an offset, in order. `None` for other types and for too many leaves.
pub(super) fn compute_leaves(module: &Module, layouts: &mut Layouts, ty: Inst, start: u64) -> Option<Vec<Leaf>> {
    let mut leaves = Vec::new();
    let mut pending = vec![Leaf { start, end: start, ty, path: SmallVec::new() }];
    while let Some(part) = pending.pop() {
        if let Some(size) = leaf_size(module, part.ty) {
            leaves.push(Leaf { end: part.start.checked_add(size)?, ..part });
        } else {
            let count = element_count(module, part.ty)?;
            for index in (0..count).rev() {
                pending.push(element(module, layouts, &part, index)?);
            }
        }
        let nesting = pending.last().map_or(0, |part| part.path.len());
        if leaves.len() + pending.len() > LEAF_LIMIT || nesting > NESTING_LIMIT {
            return None;
        }
    }
    Some(leaves)
}

/// The number of elements of a struct or array, if it is within the limit.
pub(super) fn element_count(module: &Module, ty: Inst) -> Option<u32> {
    let count = match module.type_view(ty)? {
        TypeView::Struct { members } => members.len() as u64,
        TypeView::Array { .. } => array_length(module, ty).ok()?,
        _ => return None,
    };
    u32::try_from(count).ok().filter(|&count| count as usize <= LEAF_LIMIT)
}

fn element(module: &Module, layouts: &mut Layouts, whole: &Leaf, index: u32) -> Option<Leaf> {
    let offset = match module.type_view(whole.ty)? {
        TypeView::Struct { .. } => layouts.member_offset(module, whole.ty, index as usize).ok()?,
        _ => layouts.element_stride(module, whole.ty).ok()?.checked_mul(u64::from(index))?,
    };
    let ty = module.part_type(whole.ty, index as usize)?;
    let mut path = whole.path.clone();
    path.push(index);
    let start = whole.start.checked_add(offset)?;
    Some(Leaf { start, end: start, ty, path })
}

/// The size of a leaf without padding; `None` for other types. A vector of three has three components.
pub(super) fn leaf_size(module: &Module, ty: Inst) -> Option<u64> {
    match module.type_view(ty)? {
        TypeView::Int { width: bits @ (8 | 16 | 32 | 64), .. }
        | TypeView::Float { width: bits @ (8 | 16 | 32 | 64), .. } => Some(u64::from(bits / 8)),
        TypeView::Pointer { .. } => Some(8),
        TypeView::Vector { component, count } => {
            let is_number = module.width(component).is_some();
            is_number.then(|| leaf_size(module, component)).flatten().map(|size| size * u64::from(count))
        }
        _ => None,
    }
}

/// The component type of a vector and the number of its components.
pub(super) fn components(module: &Module, ty: Inst) -> Option<(Inst, u32)> {
    view::TypeVector::of(module, ty).map(|vector| (vector.component, vector.count))
}
