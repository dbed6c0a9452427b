//! Resources: their descriptors, and which of them overlap.
//!
//! Nothing writes a read-only buffer through its own variable, so loads from it move freely. That is wrong if its memory is also that of
//! a variable that is written: a variable is decorated `Aliased` (SPIR-V section 2.18.2, "Aliasing"), or two variables have one
//! descriptor set and binding. Such a resource counts as written.
//!
//! ```text
//! %source: NonWritable, Aliased                 uint old = source[i];
//! %target: Aliased                       ⇒      target[i] = 1u;
//! load %source; store %target; use              use(old);                // Not use(source[i]): the store may have changed it.
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, StorageClass};

use super::Lowering;
use crate::write::WriteCode;

pub(crate) use crate::interface::Slot;

/// The descriptor of a variable in the module. A binding without a set is one of set 0.
pub(crate) fn slot(source: &Module, variable: Inst) -> Option<Slot> {
    let notes = source.decorated(variable);
    let Binding(binding) = notes.find()?;
    Some(Slot { set: notes.find().map_or(0, |DescriptorSet(set)| set), binding })
}

/// The name of a buffer that has none in the source and is written.
pub(crate) const UNNAMED: &str = "data";

/// The name of a buffer that has none in the source and is read alone.
pub(crate) fn unnamed_input(class: Option<StorageClass>) -> &'static str {
    match class {
        Some(StorageClass::PushConstant) => "constants",
        Some(StorageClass::Uniform) => "parameters",
        Some(StorageClass::StorageBuffer) => "input_data",
        _ => UNNAMED,
    }
}

/// The name of a block for that of its variable: `InputData` for `input_data`, `DataBlock` for `Data`.
pub(crate) fn block_name(variable: &str) -> String {
    let mut name = String::new();
    for word in variable.split('_') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    if name.is_empty() || name == variable { format!("{name}Block") } else { name }
}

/// The name of an image that has none in the source.
pub(crate) fn unnamed_image(source: &Module, variable: Inst) -> &'static str {
    let ty = source.pointee(variable).map(|pointee| innermost(source, pointee));
    match ty.and_then(|ty| source.type_view(ty)) {
        Some(TypeView::Image(image)) if image.sampled == 2 => "pixels",
        Some(TypeView::Other(Op::TypeSampler)) => "filtering",
        _ => "image",
    }
}

/// The type of the elements of arrays, and of arrays of arrays; any other type itself.
pub(crate) fn innermost(source: &Module, ty: Inst) -> Inst {
    let mut innermost = ty;
    while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = source.type_view(innermost) {
        innermost = element;
    }
    innermost
}

/// The variables whose memory another variable may be too. O(variables).
pub(super) fn overlapping(source: &Module, variables: impl Iterator<Item = Inst>) -> FxHashSet<Inst> {
    let variables: Vec<Inst> = variables.filter(|&variable| is_storage(source, variable)).collect();
    let mut counts = FxHashMap::<Slot, u32>::default();
    for slot in variables.iter().filter_map(|&variable| slot(source, variable)) {
        *counts.entry(slot).or_default() += 1;
    }
    let is_shared = |variable: Inst| slot(source, variable).is_some_and(|slot| counts[&slot] > 1);
    let is_aliased = |variable: Inst| source.decorated(variable).has(Decoration::Aliased);
    variables.into_iter().filter(|&variable| is_aliased(variable) || is_shared(variable)).collect()
}

impl Lowering<'_> {
    /// Refuses variables in the same memory of a workgroup, which the text would have apart.
    pub(super) fn check_workgroup_aliases(&self) -> Result<(), Diagnostic> {
        let is_alias = |&variable: &Inst| {
            self.source.storage_class(variable) == Some(StorageClass::Workgroup)
                && self.source.decorated(variable).has(Decoration::Aliased)
        };
        match self.used_variables().into_iter().filter(is_alias).nth(1) {
            Some(second) => {
                let message = format!("variables in the same workgroup memory in {}", self.target.language());
                self.refuse(WriteCode::Layout, second, message)
            }
            None => Ok(()),
        }
    }
}

/// Returns whether a variable is memory that shaders may write: a storage buffer, storage images, or an array of them.
fn is_storage(source: &Module, variable: Inst) -> bool {
    let Some(element) = source.pointee(variable).map(|pointee| innermost(source, pointee)) else { return false };
    match source.storage_class(variable) {
        Some(StorageClass::StorageBuffer) => true,
        Some(StorageClass::Uniform) => source.decorated(element).has(Decoration::BufferBlock),
        Some(StorageClass::UniformConstant) => {
            matches!(source.type_view(element), Some(TypeView::Image(image)) if image.sampled == 2)
        }
        _ => false,
    }
}
