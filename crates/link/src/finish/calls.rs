//! The references of each function: the functions that it calls, and the variables at module level.
//!
//! Variables are also found in constants, which may contain addresses. A request for a generic refers to everything that the generic and
//! the witness tables of the request refer to, because some copy of its function may be called. Linear in the functions and generics; no
//! recursion.

use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};

/// The references of a function or a generic.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// Each call, with its callee.
    pub(crate) calls: Vec<(Inst, Function)>,
    /// The functions, generics and variables, each once.
    pub(crate) globals: Vec<Inst>,
}

/// The references of all functions and generics.
#[derive(Debug)]
pub(crate) struct Calls {
    named: FxHashMap<Inst, Named>,
    /// The functions of the entry points, each with the entry point.
    pub(crate) entry_points: Vec<(Inst, Function)>,
}

impl Calls {
    /// Collects the references of the functions and generics of a module. Nothing is collected if it has no entry point.
    pub(crate) fn of(module: &Module) -> Calls {
        let entry_points = module.globals().filter_map(|global| {
            Some((global, module.cast::<Function>(view::EntryPoint::of(module, global)?.function)?))
        });
        let entry_points: Vec<(Inst, Function)> = entry_points.collect();
        let mut named = FxHashMap::default();
        if !entry_points.is_empty() {
            let has_code = |inst: &Inst| matches!(module.op(*inst), Op::Function | Op::Generic);
            let all = module.children(module.root()).filter(has_code);
            named.extend(all.map(|inst| (inst, named_in(module, inst))));
        }
        Calls { named, entry_points }
    }

    /// The references of a function or a generic at module level.
    pub(crate) fn named(&self, inst: impl Into<Inst>) -> &Named {
        static NOTHING: Named = Named { calls: Vec::new(), globals: Vec::new() };
        self.named.get(&inst.into()).unwrap_or(&NOTHING)
    }
}

fn named_in(module: &Module, container: Inst) -> Named {
    let mut named = Named::default();
    let mut met: FxHashSet<Inst> = FxHashSet::default();
    let mut open: Vec<Inst> = Vec::new();
    for inst in module.descendants(container).skip(1) {
        if let Some(callee) = module.callee(inst) {
            named.calls.push((inst, callee));
        }
        open.extend(module.operands(inst).filter(|&operand| is_global(module, operand) && met.insert(operand)));
        while let Some(global) = open.pop() {
            let op = module.op(global);
            if matches!(op, Op::Function | Op::Variable | Op::Generic) {
                named.globals.push(global);
            }
            let is_request = matches!(op, Op::Specialize | Op::LookupWitness | Op::WitnessTable);
            if op.is_constant() || op == Op::Variable || is_request {
                open.extend(module.operands(global).filter(|&part| is_global(module, part) && met.insert(part)));
            }
        }
    }
    named
}

fn is_global(module: &Module, inst: Inst) -> bool {
    module.parent(inst) == Some(module.root())
}
