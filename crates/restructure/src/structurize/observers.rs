//! The dependence of instructions on other lanes, including calls: `Convergence`, from the ops' effects.
//!
//! A call observes whatever its callee observes, transitively. So a call of `shade()` in every case of a switch prevents no fall-through,
//! unless a transitive callee contains a ballot, a barrier or a derivative. A function without a body may observe everything.
//!
//! Calls are followed through the bodies of a module with a stack of functions, each body once for each function that is called from here,
//! and at most [`BUDGET`] instructions together; calls beyond that observe everything. So structurizing a function has at most a constant
//! additional cost.

use reconverge_ir::{Function, Inst, Module, Op};
use reconverge_structurize::Convergence;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of instructions of other functions that are inspected.
const BUDGET: usize = 1 << 15;

/// The observations of the functions that are called from one function.
pub(super) struct Observers {
    known: FxHashMap<Function, Convergence>,
    budget: usize,
}

impl Observers {
    pub(super) fn new() -> Observers {
        Observers { known: FxHashMap::default(), budget: BUDGET }
    }

    /// The other lanes that an instruction observes.
    pub(super) fn convergence(&mut self, module: &Module, inst: Inst) -> Convergence {
        match module.op(inst) {
            Op::FunctionCall => match module.callee(inst) {
                Some(function) => self.of_function(module, function),
                None => Convergence::Lanes,
            },
            op => of_op(op),
        }
    }

    fn of_function(&mut self, module: &Module, function: Function) -> Convergence {
        if let Some(&known) = self.known.get(&function) {
            return known;
        }
        let seen = self.follow(module, function);
        self.known.insert(function, seen);
        seen
    }

    /// The observations of a function with its transitive callees: the bodies are inspected until one observes everything.
    fn follow(&mut self, module: &Module, function: Function) -> Convergence {
        let mut greatest = Convergence::None;
        let mut met = FxHashSet::from_iter([function]);
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if module.entry(function).is_none() {
                return Convergence::Lanes;
            }
            for inst in module.blocks(function).flat_map(|block| module.children(block)) {
                let Some(left) = self.budget.checked_sub(1) else { return Convergence::Lanes };
                self.budget = left;
                match (module.op(inst), module.callee(inst)) {
                    (Op::FunctionCall, Some(callee)) => open.extend(met.insert(callee).then_some(callee)),
                    (Op::FunctionCall, None) => return Convergence::Lanes,
                    (op, _) => greatest = greatest.max(of_op(op)),
                }
                if greatest == Convergence::Lanes {
                    return greatest;
                }
            }
        }
        greatest
    }
}

/// Returns whether an instruction that a function executes, calls included, observes other lanes.
pub(super) fn sees_others(module: &Module, function: Function) -> bool {
    let mut observers = Observers::new();
    let mut insts = module.blocks(function).flat_map(|block| module.children(block));
    insts.any(|inst| observers.convergence(module, inst).is_convergent())
}

fn of_op(op: Op) -> Convergence {
    match op.effects() {
        effects if effects.sees_only_its_quad() => Convergence::Quad,
        effects if effects.is_convergent() => Convergence::Lanes,
        _ => Convergence::None,
    }
}
