//! An observer of the lanes that make a call together.

use reconverge_interpret::{Observer, Step};
use reconverge_ir::{Function, Module, Op};

/// Records the lanes of each call of a function without a body.
pub(crate) struct CallObserver<'m> {
    module: &'m Module,
    /// The lanes of each call, in the order of execution.
    pub(crate) calls: Vec<Vec<usize>>,
}

impl<'m> CallObserver<'m> {
    /// One that has seen nothing.
    pub(crate) fn new(module: &'m Module) -> CallObserver<'m> {
        CallObserver { module, calls: Vec::new() }
    }
}

impl Observer for CallObserver<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        if self.module.op(step.inst()) != Op::FunctionCall {
            return;
        }
        let callee: Option<Function> = self.module.cast(self.module.operand(step.inst(), 0));
        if callee.is_some_and(|callee| self.module.entry(callee).is_none()) {
            self.calls.push(step.lanes().to_vec());
        }
    }
}
