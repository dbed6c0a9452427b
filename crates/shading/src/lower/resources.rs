//! Resources: their descriptors, and the elements of arrays of them.

use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};

/// The descriptor of a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Slot {
    pub(crate) set: u32,
    pub(crate) binding: u32,
}

/// The descriptor of a variable in the module. A binding without a set is one of set 0.
pub(crate) fn slot(source: &Module, variable: Inst) -> Option<Slot> {
    let notes = source.decorated(variable);
    let Binding(binding) = notes.find()?;
    Some(Slot { set: notes.find().map_or(0, |DescriptorSet(set)| set), binding })
}

/// The type of the elements of arrays, and of arrays of arrays; any other type itself.
pub(crate) fn innermost(source: &Module, ty: Inst) -> Inst {
    let mut innermost = ty;
    while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = source.type_view(innermost) {
        innermost = element;
    }
    innermost
}
