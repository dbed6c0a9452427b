//! The scalars and vectors of a type, each with its offset.
//!
//! ```text
//! struct { u32, f32[2], v4u8 }    ⇒    [0] u32 at 0    [1, 0] f32 at 4    [1, 1] f32 at 8    [2] v4u8 at 12
//! ```

use reconverge_analysis::{Layouts, array_length};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};

use crate::error;

/// The maximal number of parts of a kernel argument.
const LIMIT: usize = 16_384;

/// A scalar or vector of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    /// The indices that lead to it.
    pub(super) path: Vec<u32>,
    pub(super) offset: u64,
    pub(super) ty: Inst,
}

/// The leaves of a type in the order of their offsets, for a parameter that errors name. Linear in them and their depth.
pub(super) fn leaves(module: &Module, parameter: Inst, ty: Inst) -> Result<Vec<Leaf>, Diagnostic> {
    let mut layouts = Layouts::new();
    let mut found = Vec::new();
    let mut stack = vec![Leaf { path: Vec::new(), offset: 0, ty }];
    while let Some(part) = stack.pop() {
        let inside = parts(module, &mut layouts, &part)
            .map_err(|error| error::unsupported(parameter, format!("a kernel argument of {error}")))?;
        match inside {
            Some(parts) => stack.extend(parts.into_iter().rev()),
            None => found.push(part),
        }
        if found.len() + stack.len() > LIMIT {
            return Err(error::limit(parameter, format!("a kernel argument of more than {LIMIT} scalars")));
        }
    }
    Ok(found)
}

/// The members of a struct or an array; `None` for a leaf.
fn parts(
    module: &Module,
    layouts: &mut Layouts,
    whole: &Leaf,
) -> Result<Option<Vec<Leaf>>, reconverge_analysis::LayoutError> {
    let part = |index: u64, offset: u64, ty: Inst| Leaf {
        path: whole.path.iter().copied().chain([index as u32]).collect(),
        offset: whole.offset + offset,
        ty,
    };
    match module.type_view(whole.ty) {
        Some(TypeView::Struct { members }) => {
            let members = members.iter().enumerate();
            let members = members
                .map(|(member, ty)| Ok(part(member as u64, layouts.member_offset(module, whole.ty, member)?, ty)));
            members.collect::<Result<Vec<_>, _>>().map(Some)
        }
        Some(TypeView::Array { element, .. }) => {
            let stride = layouts.element_stride(module, whole.ty)?;
            // One more than the limit is enough to exceed it.
            let length = array_length(module, whole.ty)?.min(LIMIT as u64 + 1);
            Ok(Some((0..length).map(|index| part(index, index * stride, element)).collect()))
        }
        _ => Ok(None),
    }
}
