//! Recursion: the functions that an entry point reaches must not call themselves (SPIR-V section 2.16.1).
//!
//! A depth-first traversal of the calls from the entry points, with an explicit stack. A call of a function that is on the path closes a
//! cycle. Linear.

use reconverge_ir::{Function, Inst};
use rustc_hash::FxHashMap;

use super::calls::Calls;
use crate::copy::Copied;
use crate::error::Site;
use crate::reach::Reached;
use crate::{Code, Input, LinkError};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    OnPath,
    Done,
}

/// Reports the first cycle.
///
/// # Errors
/// The cycle, with a place for each call.
pub(super) fn check<I: Input>(
    inputs: &[I],
    reached: &Reached,
    copied: &Copied,
    calls: &Calls,
) -> Result<(), Vec<LinkError>> {
    let Some(cycle) = first_cycle(calls) else { return Ok(()) };
    let origins = origins(reached, copied);
    let name = |function: Function| copied.module.name(function).unwrap_or_else(|| format!("%{}", function.index()));
    let again = cycle.first().copied();
    let names: Vec<String> = cycle.iter().copied().chain(again).map(name).collect();
    let mut error = LinkError::new(Code::Recursion, format!("recursion: {}", names.join(" calls ")));
    for function in cycle {
        if let Some(&site) = origins.get(&function.inst()) {
            error = error.at("on the cycle", inputs, site);
        }
    }
    Err(vec![error])
}

/// The origins of the functions.
fn origins(reached: &Reached, copied: &Copied) -> FxHashMap<Inst, Site> {
    let all = reached.globals.iter().enumerate();
    let sites = all.flat_map(|(input, globals)| globals.iter().map(move |&inst| Site { input, inst }));
    sites.filter_map(|site| Some((copied.image(site)?, site))).collect()
}

fn first_cycle(calls: &Calls) -> Option<Vec<Function>> {
    let mut states: FxHashMap<Function, State> = FxHashMap::default();
    for &(_, root) in &calls.entry_points {
        if states.contains_key(&root) {
            continue;
        }
        states.insert(root, State::OnPath);
        let mut path = vec![(root, 0)];
        while let Some((function, next)) = path.last_mut() {
            let Some(&(_, callee)) = calls.named(*function).calls.get(*next) else {
                states.insert(*function, State::Done);
                path.pop();
                continue;
            };
            *next += 1;
            match states.get(&callee) {
                Some(State::Done) => {}
                Some(State::OnPath) => {
                    return Some(path.into_iter().map(|(on_path, _)| on_path).skip_while(|&it| it != callee).collect());
                }
                None => {
                    states.insert(callee, State::OnPath);
                    path.push((callee, 0));
                }
            }
        }
    }
    None
}
