//! Hoistable instructions: types, constants, literals and decorations, in which identity is equality.
//!
//! - I05: no two of them have equal op, type, operands, payload and decorations (names aside), and each stands at module level
//!   unless an operand lives in a function.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;

use crate::Code;
use crate::report::Report;

/// Checks every hoistable instruction. Linear.
pub(crate) fn verify_hoistables(report: &mut Report<'_>) {
    let module = report.module();
    let all = (0..module.capacity()).map(Inst::new);
    let hoistables: Vec<Inst> = all.filter(|&inst| module.is_live(inst) && module.op(inst).is_hoistable()).collect();
    for &inst in &hoistables {
        verify_scope(report, inst);
    }
    for (inst, first) in repetitions(hoistables.iter().map(|&inst| (inst, key(module, inst)))) {
        let message = format!("{} and {} are equal but not the same", report.name(first), report.name(inst));
        report.at(Code::I05, inst, message);
    }
}

fn verify_scope(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    let Some(parent) = module.parent(inst) else { return };
    let is_global = parent == module.root();
    let lives_local = |used| module.parent(used).is_some_and(|parent| parent != module.root());
    let needs_local = module.ty(inst).into_iter().chain(module.operands(inst)).any(lives_local);
    if is_global && needs_local {
        report.at(Code::I05, inst, "stands at module level, but an operand lives in a function");
    }
    if !is_global && !needs_local {
        report.at(Code::I05, inst, "stands in a function, but all its operands live at module level");
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Key<'m> {
    op: Op,
    ty: Option<Inst>,
    operands: Vec<Inst>,
    words: &'m [u32],
    decorations: Vec<Inst>,
}

fn key(module: &Module, inst: Inst) -> Key<'_> {
    let is_name = |decoration: Inst| matches!(module.op(decoration), Op::Name | Op::MemberName);
    Key {
        op: module.op(inst),
        ty: module.ty(inst),
        operands: module.operands(inst).collect(),
        words: module.literal_words(inst),
        decorations: module.decorations(inst).iter().copied().filter(|&decoration| !is_name(decoration)).collect(),
    }
}

/// The instructions whose key occurred before, each with the first one that has it.
fn repetitions<'m>(keys: impl Iterator<Item = (Inst, Key<'m>)>) -> Vec<(Inst, Inst)> {
    let mut first: FxHashMap<Key<'_>, Inst> = FxHashMap::default();
    let repeated = keys.filter_map(|(inst, key)| {
        let known = *first.entry(key).or_insert(inst);
        (known != inst).then_some((inst, known))
    });
    repeated.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No edit can make two equal hoistable instructions, so the search for them is tried on keys.
    #[test]
    fn equal_keys_are_repetitions() {
        let key = |words| Key { op: Op::LiteralWords, ty: None, operands: Vec::new(), words, decorations: Vec::new() };
        let insts = [Inst::new(1), Inst::new(2), Inst::new(3)];
        let keys = [(insts[0], key(&[7])), (insts[1], key(&[8])), (insts[2], key(&[7]))];
        assert_eq!(repetitions(keys.into_iter()), [(insts[2], insts[0])]);
    }
}
