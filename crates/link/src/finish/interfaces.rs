//! Interfaces of entry points.
//!
//! ```text
//! entry_point Kernel, %k, "k", %id           %k calls %f of another module, which loads %table
//!                              ⇒ entry_point Kernel, %k, "k", %id, %table
//! ```
//!
//! An entry point lists the variables that its functions use: all since SPIR-V 1.4, before that inputs and outputs (OpEntryPoint). Linking
//! adds functions, so some may be missing. If one is, the whole list gets the order of the module, which makes the result independent of
//! the steps in which modules are linked. Linear in the functions that each entry point reaches.

use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use super::calls::Calls;

/// SPIR-V 1.4 in a header.
const VERSION_1_4: u32 = 0x0001_0400;

/// Adds the variables that are missing.
pub(super) fn complete(module: &mut Module, calls: &Calls) {
    if calls.entry_points.is_empty() {
        return;
    }
    let version = module.globals().find_map(|global| view::SpirvHeader::of(module, global));
    let lists_all = version.is_some_and(|header| header.version >= VERSION_1_4);
    let variables = module.globals().filter(|&global| module.op(global) == Op::Variable);
    let places: FxHashMap<Inst, usize> = variables.enumerate().map(|(place, variable)| (variable, place)).collect();
    for &(entry_point, function) in &calls.entry_points {
        let Some(view) = view::EntryPoint::of(module, entry_point) else { continue };
        let mut interface: Vec<Inst> = view.interface.iter().collect();
        let head = module.operand_count(entry_point) - interface.len();
        let listed: FxHashSet<Inst> = interface.iter().copied().collect();
        let belongs = |variable: Inst| {
            let class = module.storage_class(variable);
            lists_all || matches!(class, Some(StorageClass::Input | StorageClass::Output))
        };
        let used = used_variables(module, function, calls).into_iter();
        let missing: Vec<Inst> = used.filter(|variable| belongs(*variable) && !listed.contains(variable)).collect();
        let count = interface.len();
        let mut met = FxHashSet::default();
        interface.retain(|&variable| met.insert(variable));
        if missing.is_empty() && interface.len() == count {
            continue;
        }
        if !missing.is_empty() {
            interface.extend(missing);
            interface.sort_by_key(|variable| places.get(variable).copied());
        }
        let operands: Vec<Inst> = module.operands(entry_point).take(head).chain(interface).collect();
        module.edit().set_operands(entry_point, &operands);
    }
}

/// The variables at module level that a function and all functions that it reaches use.
fn used_variables(module: &Module, function: Function, calls: &Calls) -> Vec<Inst> {
    let mut variables = Vec::new();
    let mut met: FxHashSet<Inst> = [function.inst()].into_iter().collect();
    let mut open = vec![function.inst()];
    while let Some(inst) = open.pop() {
        for &global in &calls.named(inst).globals {
            if met.insert(global) {
                match module.op(global) {
                    Op::Variable => variables.push(global),
                    _ => open.push(global),
                }
            }
        }
    }
    variables
}
