//! What each function names: the functions that it calls, and the variables at module level.
//!
//! Variables are also found in constants, which may contain addresses. Linear in the functions; no recursion.

use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a function names.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// Each call, with its callee.
    pub(crate) calls: Vec<(Inst, Function)>,
    /// The functions and variables, each once.
    pub(crate) globals: Vec<Inst>,
}

/// What all functions name.
#[derive(Debug)]
pub(crate) struct Calls {
    named: FxHashMap<Function, Named>,
    /// The functions of the entry points, each with the entry point.
    pub(crate) entry_points: Vec<(Inst, Function)>,
}

impl Calls {
    /// Collects what the functions of a module name. Nothing is collected if it has no entry point.
    pub(crate) fn of(module: &Module) -> Calls {
        let entry_points = module.globals().filter_map(|global| {
            Some((global, module.cast::<Function>(view::EntryPoint::of(module, global)?.function)?))
        });
        let entry_points: Vec<(Inst, Function)> = entry_points.collect();
        let mut named = FxHashMap::default();
        if !entry_points.is_empty() {
            named.extend(module.functions().map(|function| (function, named_in(module, function))));
        }
        Calls { named, entry_points }
    }

    /// What a function names.
    pub(crate) fn named(&self, function: Function) -> &Named {
        static NOTHING: Named = Named { calls: Vec::new(), globals: Vec::new() };
        self.named.get(&function).unwrap_or(&NOTHING)
    }
}

fn named_in(module: &Module, function: Function) -> Named {
    let mut named = Named::default();
    let mut met: FxHashSet<Inst> = FxHashSet::default();
    let mut open: Vec<Inst> = Vec::new();
    for inst in module.descendants(function).skip(1) {
        if let Some(callee) = module.callee(inst) {
            named.calls.push((inst, callee));
        }
        open.extend(module.operands(inst).filter(|&operand| is_global(module, operand) && met.insert(operand)));
        while let Some(global) = open.pop() {
            let op = module.op(global);
            if matches!(op, Op::Function | Op::Variable) {
                named.globals.push(global);
            }
            if op.is_constant() || op == Op::Variable {
                open.extend(module.operands(global).filter(|&part| is_global(module, part) && met.insert(part)));
            }
        }
    }
    named
}

fn is_global(module: &Module, inst: Inst) -> bool {
    module.parent(inst) == Some(module.root())
}
