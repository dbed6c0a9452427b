//! Conditions that naga takes for uniform and that are not: a shader for each [`Assumption`], judged by naga and run by the interpreter,
//! eight lanes in subgroups of four, with somebody who watches which way lanes go.

use std::collections::BTreeSet;

use reconverge::Format;
use reconverge::ir::terminator::operand;
use reconverge::ir::{Function, Module, Op};
use reconverge_interpret::{Interpreter, KernelLaunch, Observer, Step, Value};

use crate::verdicts::{Assumption, Verdict, verdicts};

const SHADERS: [(Assumption, &str); 2] =
    [(Assumption::ResultOfCall, include_str!("call.ir")), (Assumption::WorkgroupMemory, include_str!("workgroup.ir"))];

/// Holds naga's verdicts of the counterexamples against runs of them.
///
/// # Panics
/// If naga does not take a condition for uniform by the assumption that it is to refute, or if all lanes go one way.
pub fn hold() {
    for (assumption, text) in SHADERS {
        let module = reconverge::read(text.as_bytes(), Format::TEXT).expect("counterexamples are read");
        let bytes = reconverge::write(&module, Format::SPIRV).expect("counterexamples are written");
        let found = verdicts(&bytes).expect("naga accepts counterexamples");
        let is_assumed = found.values().any(|&verdict| verdict == Verdict::Assumed(assumption));
        assert!(is_assumed, "naga says {found:?} of the counterexample to {assumption:?}");
        assert_eq!(ways(&module), 2, "ways that lanes go in the counterexample to {assumption:?}");
    }
}

/// How many ways lanes go at the branch of `main`, the last function.
fn ways(module: &Module) -> usize {
    let function = module.functions().last().expect("a counterexample has a function");
    let mut watch = Conditions { module, function, seen: BTreeSet::new() };
    let launch = KernelLaunch { local: [8, 1, 1], subgroup_size: 4, ..KernelLaunch::default() };
    let outcome = Interpreter::new(module).launch_kernel_observed(function, &launch, &mut watch);
    let outcome = outcome.expect("counterexamples can be launched");
    assert!(outcome.failure.is_none() && outcome.races.is_empty(), "{:?} {:?}", outcome.failure, outcome.races);
    watch.seen.len()
}

/// The values of the condition that lanes branch on in a function.
struct Conditions<'a> {
    module: &'a Module,
    function: Function,
    seen: BTreeSet<bool>,
}

impl Observer for Conditions<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        if step.function() != self.function || self.module.op(step.inst()) != Op::If {
            return;
        }
        let condition = self.module.operand(step.inst(), operand::CONDITION);
        for &lane in step.lanes() {
            if let Some(&Value::Bool(value)) = step.value(lane, condition) {
                self.seen.insert(value);
            }
        }
    }
}
