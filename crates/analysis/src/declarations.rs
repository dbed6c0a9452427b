//! Facts from declarations at module level, used by several analyses and checks.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Function, Inst, Module, Op};
use spirv::Decoration;

/// Returns whether a function has a name for other modules, so that its callers are unknown.
pub fn is_exported(module: &Module, function: Function) -> bool {
    module.decorated(function).has(Decoration::LinkageAttributes)
}

/// The struct that is the interface of a buffer, inside arrays of buffers.
pub(crate) fn block_type(module: &Module, variable: Inst) -> Option<Inst> {
    let mut ty = module.pointee(variable)?;
    while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = module.type_view(ty) {
        ty = element;
    }
    (module.op(ty) == Op::TypeStruct).then_some(ty)
}

/// Returns whether a buffer or all of its members are declared `NonWritable`.
pub(crate) fn is_read_only_buffer(module: &Module, variable: Inst) -> bool {
    module.decorated(variable).has(Decoration::NonWritable)
        || block_type(module, variable).is_some_and(|block| {
            let marked = module.decorated(block).members().filter(|note| note.is(Decoration::NonWritable));
            let mut marked: Vec<u32> = marked.filter_map(|note| note.member).collect();
            marked.sort_unstable();
            marked.dedup();
            !marked.is_empty() && marked.len() == module.operand_count(block)
        })
}

/// Returns whether an import is a set of instructions without effect on execution: debug information.
pub fn is_debug_set(module: &Module, import: Inst) -> bool {
    view::ExtInstImport::of(module, import).is_some_and(|import| {
        let name = import.name;
        name.starts_with("NonSemantic.") || name.starts_with("OpenCL.DebugInfo") || name == "DebugInfo"
    })
}

/// Returns whether an extended instruction has no effect on execution.
pub(crate) fn is_debug(module: &Module, inst: Inst) -> bool {
    view::ExtInst::of(module, inst).is_some_and(|extended| is_debug_set(module, extended.set))
}
