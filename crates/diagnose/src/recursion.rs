//! F01: a function that calls itself, directly or through others.
//!
//! GPUs have no stack for recursion: SPIR-V forbids cycles in the static call graph of an entry point (section 2.16.1); GLSL, HLSL, WGSL
//! and OpenCL C forbid recursion. So a cycle that no entry point reaches is only a warning. Each strongly connected component of the call
//! graph with an edge inside is one diagnosis, with a shortest cycle through its first function as path. Linear in functions and calls.

use std::collections::VecDeque;

use reconverge_graph::Node;
use rustc_hash::FxHashMap;

use crate::path::shortened;
use crate::program::{Call, Found, Program, Report};
use crate::{Code, Step};

/// The number of functions of a cycle that a message names.
const NAME_LIMIT: usize = 4;

/// Finds cycles of calls.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F01]) {
        return;
    }
    for component in 0..program.components.count() {
        if !program.components.is_cyclic(component) {
            continue;
        }
        let cycle = shortest_cycle(program, program.components.members(component)[0], component);
        let Some(&first) = cycle.first() else { continue };
        let callers: Vec<usize> = cycle.iter().map(|&call| caller(program, call)).collect();
        let steps = cycle.iter().zip(&callers).map(|(call, &caller)| Step {
            inst: call.inst,
            text: format!("{} calls {}", program.function_name(caller), program.function_name(call.callee)),
        });
        let path = shortened(steps.collect());
        let message = message(program, &callers);
        match program.is_entered[callers[0]] {
            true => report.add(program, Found { code: Code::F01, inst: first.inst, message, path }),
            false => report.add_legal(program, Found { code: Code::F01, inst: first.inst, message, path }),
        }
    }
}

fn message(program: &Program<'_>, cycle: &[usize]) -> String {
    let names: Vec<String> = cycle.iter().take(NAME_LIMIT).map(|&number| program.function_name(number)).collect();
    match (names.as_slice(), cycle.len()) {
        ([], _) => "a function calls itself".to_owned(),
        ([only], _) => format!("{only} calls itself"),
        ([first, others @ ..], count) if count > NAME_LIMIT => {
            format!("{first} calls itself through {} and {} other functions", others.join(", "), count - NAME_LIMIT)
        }
        ([first, others @ ..], _) => format!("{first} calls itself through {}", others.join(", ")),
    }
}

fn caller(program: &Program<'_>, call: Call) -> usize {
    let function = program.module.function_of(call.inst).and_then(|function| program.number(function));
    function.expect("invariant: a call that was found stands in a function with a body")
}

/// The calls of a shortest cycle through a function of a cyclic component.
fn shortest_cycle(program: &Program<'_>, start: Node, component: usize) -> Vec<Call> {
    let start = start.index();
    let mut arrivals: FxHashMap<usize, (usize, Call)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(number) = queue.pop_front() {
        for &call in &program.calls[number] {
            let is_new = program.component(call.callee) == Some(component) && !arrivals.contains_key(&call.callee);
            if is_new {
                arrivals.insert(call.callee, (number, call));
                queue.push_back(call.callee);
            }
        }
        if arrivals.contains_key(&start) {
            break;
        }
    }
    let mut cycle = Vec::new();
    let mut current = start;
    while let Some(&(from, call)) = arrivals.get(&current) {
        cycle.push(call);
        current = from;
        if current == start {
            break;
        }
    }
    cycle.reverse();
    cycle
}
