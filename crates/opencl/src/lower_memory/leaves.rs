//! The leaves of a type that one load or store can move: scalars, and vectors of up to four.
//!
//! ```text
//! struct { u8, f32x3[2], ptr }     ⇒     u8 at 0 (path 0), f32x3 at 16 (1, 0), f32x3 at 32 (1, 1), ptr at 48 (2)
//! ```
//!
//! Linear in the leaves; with an explicit stack.

use reconverge_analysis::{LayoutError, Layouts, array_length};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module};
use smallvec::SmallVec;
use spirv::MemoryAccess;

use crate::error;

/// The maximal number of leaves of one access.
const LIMIT: usize = 1 << 14;

/// A scalar or vector in a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    /// Its type.
    pub(super) ty: Inst,
    /// Its offset in bytes.
    pub(super) offset: u64,
    /// The indices of the members and elements on the path to it.
    pub(super) path: SmallVec<[u32; 4]>,
}

/// The leaves of a type, in order.
///
/// # Errors
/// Types without a layout, booleans, vectors of more than four, too many leaves.
pub(super) fn leaves(module: &Module, layouts: &mut Layouts, ty: Inst, at: Inst) -> Result<Vec<Leaf>, Diagnostic> {
    let unsupported = |error: LayoutError| error::unsupported(at, format!("an access of {error}"));
    let mut found = Vec::new();
    let mut stack = vec![Leaf { ty, offset: 0, path: SmallVec::new() }];
    while let Some(part) = stack.pop() {
        let inner = |index: u32, ty: Inst, offset: u64| {
            let mut path = part.path.clone();
            path.push(index);
            Leaf { ty, offset: part.offset.wrapping_add(offset), path }
        };
        match module.type_view(part.ty) {
            Some(TypeView::Array { element, .. }) => {
                let length = array_length(module, part.ty).map_err(unsupported)?;
                let stride = layouts.element_stride(module, part.ty).map_err(unsupported)?;
                let length = u32::try_from(length).ok().filter(|&length| length as usize <= LIMIT);
                let length = length.ok_or_else(|| too_many(at))?;
                stack.extend((0..length).rev().map(|index| inner(index, element, u64::from(index) * stride)));
            }
            Some(TypeView::Struct { members }) => {
                for (index, member) in members.iter().enumerate().rev() {
                    let offset = layouts.member_offset(module, part.ty, index).map_err(unsupported)?;
                    stack.push(inner(index as u32, member, offset));
                }
            }
            _ if scalar_bytes(module, part.ty).is_some() => found.push(part),
            _ => {
                let name = module.op(part.ty).name();
                return Err(error::unsupported(at, format!("an access of a `{name}` in memory")));
            }
        }
        if found.len() + stack.len() > LIMIT {
            return Err(too_many(at));
        }
    }
    Ok(found)
}

fn too_many(at: Inst) -> Diagnostic {
    error::limit(at, format!("an access of more than {LIMIT} scalars at once"))
}

/// The size of the scalars of a leaf's type in bytes; `None` for types that are not leaves.
pub(super) fn scalar_bytes(module: &Module, ty: Inst) -> Option<u32> {
    let (scalar, count) = module.components(ty);
    match module.type_view(scalar)? {
        TypeView::Pointer { .. } if count == 1 => Some(8),
        TypeView::Int { width: width @ (8 | 16 | 32 | 64), .. }
        | TypeView::Float { width: width @ (8 | 16 | 32 | 64), .. }
            if (1..=4).contains(&count) =>
        {
            Some(width / 8)
        }
        _ => None,
    }
}

/// The memory operands of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MemoryOperands {
    /// Those of [`KEPT_FLAGS`] that are set.
    pub(super) flags: MemoryAccess,
    /// The stated alignment.
    pub(super) alignment: Option<u32>,
}

/// The flags of an access that its lowering keeps.
const KEPT_FLAGS: MemoryAccess = MemoryAccess::VOLATILE.union(MemoryAccess::NONTEMPORAL);

impl MemoryOperands {
    /// Reads memory operands.
    pub(super) fn of(access: view::MemoryAccess) -> MemoryOperands {
        let alignment = access.alignment.filter(|alignment| alignment.is_power_of_two());
        MemoryOperands { flags: access.mask & KEPT_FLAGS, alignment }
    }

    /// The same memory operands with this alignment.
    pub(super) fn written(self, module: &mut Module, alignment: Option<u32>) -> SmallVec<[Inst; 2]> {
        let mut editor = module.edit();
        match alignment {
            Some(alignment) => {
                let mask = editor.enumerant(self.flags | MemoryAccess::ALIGNED);
                SmallVec::from_slice(&[mask, editor.word(alignment)])
            }
            None if self.flags.is_empty() => SmallVec::new(),
            None => SmallVec::from_slice(&[editor.enumerant(self.flags)]),
        }
    }
}
