//! Instructions that are the same operation on the same operands, in any blocks: value numbering may combine them, together with code
//! motion, which must find a place above them all.

use std::collections::BTreeMap;

use reconverge_analysis::effects::has_effect;
use reconverge_ir::{Function, Inst, Module, Op};
use reconverge_verify::Claims;

/// Versions of a module in which such instructions are combined: each group alone, and all of them, with the claims. The remaining
/// instruction is at the place of the first, which need not dominate its new users yet.
pub(super) fn merged(module: &Module, function: Function) -> Vec<(Module, Claims)> {
    let groups = groups(module, function);
    let mut choices: Vec<Vec<&[Inst]>> = groups.iter().map(|group| vec![group.as_slice()]).collect();
    if groups.len() > 1 {
        choices.push(groups.iter().map(Vec::as_slice).collect());
    }
    choices.into_iter().map(|choice| merge(module, &choice)).collect()
}

fn merge(module: &Module, groups: &[&[Inst]]) -> (Module, Claims) {
    let mut module = module.clone();
    let mut claims = Claims::default();
    for group in groups {
        for &gone in &group[1..] {
            module.edit().replace_all_uses(gone, group[0]);
            module.edit().delete(gone);
            claims.replaced.push((gone, group[0]));
        }
    }
    (module, claims)
}

/// Equal instructions, in program order. The operands of two of a group may differ if they are in one group themselves.
fn groups(module: &Module, function: Function) -> Vec<Vec<Inst>> {
    let mut leaders: BTreeMap<Inst, Inst> = BTreeMap::new();
    let mut groups: BTreeMap<Inst, Vec<Inst>> = BTreeMap::new();
    let mut known = BTreeMap::new();
    for inst in module.blocks(function).flat_map(|block| module.children(block)) {
        let is_value = module.ty(inst).is_some() && module.op(inst) != Op::BlockParameter;
        if !is_value || has_effect(module, inst) {
            continue;
        }
        let operands: Vec<Inst> =
            module.operands(inst).map(|operand| leaders.get(&operand).copied().unwrap_or(operand)).collect();
        let leader = *known.entry((module.op(inst).name(), module.ty(inst), operands)).or_insert(inst);
        leaders.insert(inst, leader);
        groups.entry(leader).or_default().push(inst);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}
