//! The functions that some functions reach by calls, callees before callers.
//!
//! A depth-first traversal with an explicit stack. A call to a function that is still on the path is recursion. Linear.

use reconverge_ir::{Function, Inst, Module};
use rustc_hash::FxHashMap;

use super::{InlineError, callee_with_body};

/// A function on the path, and the number of its next call.
struct Visit {
    function: Function,
    calls: Vec<(Inst, Function)>,
    next: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    OnPath,
    Done,
}

/// All functions that `roots` reach, callees first.
pub(super) fn compute_call_order(module: &Module, roots: &[Function]) -> Result<Vec<Function>, InlineError> {
    let mut states: FxHashMap<Function, VisitState> = FxHashMap::default();
    let mut order = Vec::new();
    let mut path: Vec<Visit> = Vec::new();
    for &root in roots {
        if states.contains_key(&root) {
            continue;
        }
        states.insert(root, VisitState::OnPath);
        path.push(visit(module, root));
        while let Some(top) = path.last_mut() {
            let Some(&(call, callee)) = top.calls.get(top.next) else {
                states.insert(top.function, VisitState::Done);
                order.push(top.function);
                path.pop();
                continue;
            };
            top.next += 1;
            match states.get(&callee) {
                Some(VisitState::Done) => {}
                Some(VisitState::OnPath) => {
                    let circle = path.iter().map(|visit| visit.function).skip_while(|&function| function != callee);
                    return Err(InlineError::Recursion { call, circle: circle.collect() });
                }
                None => {
                    states.insert(callee, VisitState::OnPath);
                    path.push(visit(module, callee));
                }
            }
        }
    }
    Ok(order)
}

fn visit(module: &Module, function: Function) -> Visit {
    let instructions = module.blocks(function).flat_map(|block| module.children(block));
    let calls = instructions.filter_map(|inst| Some((inst, callee_with_body(module, inst)?)));
    Visit { function, calls: calls.collect(), next: 0 }
}
