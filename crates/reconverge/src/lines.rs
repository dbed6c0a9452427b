//! Removes source locations and source texts, and nothing else.
//!
//! ```text
//! %file = string "a.comp"
//! source GLSL, 450, %file, "#version 450 …"       ⇒     source GLSL, 450
//! %y: … {decorate Name "y"} at %file line 3:5           %y: … {decorate Name "y"}
//! ```
//!
//! `strip_debug` removes names too. Front ends are called with debug lines because messages show them; an output has them only on request.

use reconverge_ir::{Inst, Module, Op};

/// Removes source locations and source texts. Names and other debug information stay, and so do the language and version of `source`.
/// Linear.
pub fn strip_lines(module: &mut Module) {
    let globals = module.children(module.root());
    let all: Vec<Inst> = globals.flat_map(|inst| std::iter::once(inst).chain(module.descendants(inst))).collect();
    for &inst in &all {
        if module.explicit_location(inst).is_some() {
            module.edit().set_location(inst, None);
        }
        match module.op(inst) {
            Op::Source => {
                let language: Vec<Inst> = module.operands(inst).take(2).collect();
                module.edit().set_operands(inst, &language);
            }
            Op::SourceContinued => module.edit().delete(inst),
            _ => {}
        }
    }
    // Strings last: their users are removed by now.
    let is_unused = |&inst: &Inst| module.is_live(inst) && module.op(inst) == Op::String && !module.is_used(inst);
    let strings: Vec<Inst> = all.into_iter().filter(is_unused).collect();
    strings.into_iter().for_each(|inst| module.edit().delete(inst));
}
