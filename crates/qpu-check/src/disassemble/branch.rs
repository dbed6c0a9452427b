//! Text of branches.

use super::fields::{Branch, NOWHERE};
use super::names::{self, File};

/// The line of a branch. `label` is the name of its target, if the target has one.
pub(super) fn text(branch: &Branch, label: Option<String>) -> String {
    let mut text = if branch.relative { "brr".to_owned() } else { "bra".to_owned() };
    text += names::BRANCHES[usize::from(branch.condition)].unwrap_or(".reserved");
    if branch.sets_flags() {
        text += ".setf";
    }
    let [add, mul] = targets(branch);
    text += &format!(" {add}");
    if branch.waddr_mul != NOWHERE {
        text += &format!(", {mul}");
    }
    // With two link registers the assembler requires both parts of the target.
    let has_both = branch.waddr_mul != NOWHERE;
    if branch.uses_register {
        text += &format!(", ra{}", branch.raddr_a);
    } else if has_both {
        text += ", -";
    }
    if !branch.uses_register || has_both || branch.immediate != 0 {
        text += &match label {
            Some(label) => format!(", :{label}"),
            None if branch.relative => format!(", {}", branch.immediate.cast_signed()),
            None => format!(", {:#x}", branch.immediate),
        };
    }
    text
}

/// The names of the two link registers, as for other writes.
fn targets(branch: &Branch) -> [String; 2] {
    let [add, mul] = if branch.swap { File::SWAPPED } else { File::OF_UNITS };
    let open = names::is_shared(branch.waddr_add) && names::is_shared(branch.waddr_mul);
    let name = if branch.swap && open { add.number(branch.waddr_add) } else { names::write(add, branch.waddr_add) };
    [name, names::write(mul, branch.waddr_mul)]
}
