//! Translation: from a DXIL module to a Vulkan shader in the IR of this project, at stage Graph.

mod bindings;

pub use bindings::{Bindings, DescriptorSlot, Register};

use crate::error::{Code, Error};
use crate::module::Module;
use crate::module::view::ResourceKind;

/// How to translate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TranslateOptions {
    /// Where resources go.
    pub bindings: Bindings,
    /// Whether accesses outside of buffers and arrays are defined: reads give zero, writes do nothing.
    pub is_robust: bool,
    /// The name of the entry point; not needed where there is only one.
    pub entry: Option<String>,
}

/// A translated shader.
#[derive(Debug)]
pub struct Translation {
    /// The shader.
    pub module: reconverge_ir::Module,
    /// Where its resources are.
    pub placements: Vec<Placement>,
    /// What the translation assumes, because DXIL does not say it.
    pub assumptions: Vec<Assumption>,
}

/// Where a resource is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The name in the source; may be empty.
    pub name: String,
    /// The first register.
    pub register: Register,
    /// How many registers; none if the range has no end.
    pub count: Option<u32>,
    /// What it is.
    pub kind: ResourceKind,
    /// Where it is.
    pub slot: DescriptorSlot,
    /// Where its counter is, if it has one.
    pub counter: Option<DescriptorSlot>,
    /// The kind of descriptor, as Vulkan calls it: `storage buffer`, `uniform buffer`, `sampled image`, …
    pub descriptor: &'static str,
}

/// Something that DXIL does not say, and that the translation decides.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumption {
    /// A name for tools; never changes.
    pub code: &'static str,
    /// A sentence: lower case, no full stop.
    pub message: String,
}

/// Translates a module.
///
/// # Errors
/// Unsupported kinds of shaders, resources and operations by name, and resources that share a binding, each with the bit of the input.
///
/// # Complexity
/// Linear in the module, except what decorations and constants cost.
pub fn translate(_module: &Module, _options: &TranslateOptions) -> Result<Translation, Error> {
    Err(Error::at_bit(Code::Unsupported, 0, "the translation is not there yet"))
}
