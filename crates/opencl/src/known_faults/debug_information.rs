//! Debug information that is in no instruction set goes.
//!
//! llvm-spirv writes the set `SPIRV.debug` with `--spirv-debug-info-version=legacy`: a draft of `DebugInfo` that was never published. No
//! instruction uses what it describes, and source lines are said by `OpLine` as well. Linear in the instructions of the set.

use reconverge_ir::{Inst, Module, view};
use reconverge_rewrite::debug_info::keep_lines_alone;

use crate::repairs::{FrontEndFault, Repair};

/// The name of the set.
const DRAFT: &str = "SPIRV.debug";

/// Removes the set and its instructions. One repair for all of them.
pub(super) fn repair(module: &mut Module) -> Option<Repair> {
    let is_draft = |&import: &Inst| view::ExtInstImport::of(module, import).is_some_and(|set| set.name == DRAFT);
    let import = module.globals().find(is_draft)?;
    keep_lines_alone(module);
    let users: Vec<Inst> = module.uses(import).map(|used| used.user).collect();
    users.into_iter().chain([import]).for_each(|inst| module.edit().delete(inst));
    Some(Repair { at: import, fault: FrontEndFault::DraftOfDebugInformation })
}
