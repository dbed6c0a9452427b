//! Facts of a module that apply to all its functions: capabilities, memory model, execution modes.
//!
//! Each is computed at its first use, by one traversal of the module-level instructions. A session that runs a pass over many functions
//! computes these facts once and passes them on. Computing them for each function would take as many traversals as there are functions.

use std::cell::OnceCell;

use reconverge_ir::{Inst, Module, view};
use spirv::{AddressingModel, ExecutionMode};

use crate::capabilities::{Carriable, is_narrow};

/// Facts about a module that hold for all its functions, as far as they were computed. They hold until a capability, a memory model or an
/// execution mode changes, and passes over functions change none. Creation computes nothing; each fact takes one traversal of the module's
/// globals.
#[derive(Clone, Debug, Default)]
pub struct ModuleFacts {
    carriable: OnceCell<Carriable>,
    flushes_subnormals: OnceCell<bool>,
    is_logical: OnceCell<bool>,
}

impl ModuleFacts {
    /// The values that block parameters can carry.
    pub fn carriable(&self, module: &Module) -> Carriable {
        *self.carriable.get_or_init(|| Carriable::compute(module))
    }

    /// Computes [`Carriable::is_for_storage`], and reads the capabilities only for types of few bits.
    pub fn is_for_storage(&self, module: &Module, ty: Inst) -> bool {
        is_narrow(module, ty) && self.carriable(module).is_for_storage(module, ty)
    }

    /// Returns whether any entry point has an execution mode that flushes subnormal numbers.
    pub fn flushes_subnormals(&self, module: &Module) -> bool {
        *self.flushes_subnormals.get_or_init(|| {
            let mut modes = module.globals().filter_map(|global| view::ExecutionMode::of(module, global));
            modes.any(|mode| mode.mode == Some(ExecutionMode::DenormFlushToZero))
        })
    }

    /// Returns whether pointers cannot be cast.
    pub fn is_logical(&self, module: &Module) -> bool {
        *self.is_logical.get_or_init(|| {
            let mut models = module.globals().filter_map(|global| view::MemoryModel::of(module, global));
            models.any(|model| model.addressing_model == Some(AddressingModel::Logical))
        })
    }
}

#[cfg(test)]
mod tests {
    use reconverge_ir::text;

    use super::*;

    /// A fact is computed once, for any number of functions.
    #[test]
    fn each_question_is_asked_once() {
        let declared = text::parse(
            "capability Shader
             memory_model Logical, GLSL450
             entry_point GLCompute, %f, \"f\"
             execution_mode %f, DenormFlushToZero, 32
             %void = type_void
             func %f: %void () {
             block ^entry:
               return
             }",
        );
        let (declared, silent) = (declared.unwrap_or_else(|error| panic!("{error}")), Module::new());
        let (facts, none) = (ModuleFacts::default(), ModuleFacts::default());
        assert!(facts.flushes_subnormals(&declared) && facts.is_logical(&declared));
        assert!(!none.flushes_subnormals(&silent) && !none.is_logical(&silent));
        assert!(facts.flushes_subnormals(&silent) && facts.is_logical(&silent), "the answers are kept");
    }
}
