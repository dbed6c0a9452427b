//! F03 for variables of class Private: they live as long as the invocation, and are visible to all functions.
//!
//! Callees first, each function records for a variable whether a call of it may write the variable, and whether it may read the variable
//! before that (and where, and along which path). In a caller, a call is then a write or a read like any other. The result is that of the
//! entry points. In a cycle of calls a call counts as a write. Parts are not distinguished. Variables that were not completely analysed
//! because the fuel was exhausted are reported together, at the first entry point.
//!
//! For each variable only the functions that use it are analysed, directly or through calls.

use reconverge_ir::{Inst, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use super::accesses::{AccessKind, accesses};
use super::exposure::{Event, Exposure};
use super::walk::{Goal, UndefinedUse, Walker};
use super::{given_up, path};
use crate::flow::Flow;
use crate::path::shortened;
use crate::program::{Found, Program, Report};
use crate::vocabulary::entry_points;
use crate::{Code, Step};

/// The limit on pairs of a variable and a function or call.
const PAIR_LIMIT: usize = 4_000_000;
/// The limit on blocks and instructions that the search for one variable in one function visits; and that of all searches: a constant, plus
/// a multiple of the blocks of the module.
const VARIABLE_FUEL: usize = 100_000;
const MODULE_FUEL: usize = 1_000_000;
const FUEL_PER_BLOCK: usize = 16;

/// The accesses of a variable by function.
type Accesses = FxHashMap<usize, Vec<(Inst, AccessKind)>>;

/// The effect of a function on a variable.
#[derive(Default)]
struct Summary {
    writes: bool,
    /// A read that precedes any write, or a call that contains one.
    exposed: Option<UndefinedUse>,
}

/// The order of the functions, and which of them are entry points.
struct Calls {
    /// For each function, its place in an order with callees first.
    ranks: Vec<usize>,
    /// For each function that is an entry point, its place among those.
    places: Vec<Option<usize>>,
}

/// Finds reads before writes of variables at module level.
pub(super) fn check(program: &Program<'_>, report: &mut Report) {
    let module = program.module;
    let is_candidate = |&inst: &Inst| {
        view::Variable::of(module, inst).is_some_and(|variable| {
            variable.storage_class == Some(StorageClass::Private) && variable.initializer.is_none()
        })
    };
    let variables: Vec<Inst> = module.globals().filter(is_candidate).collect();
    if variables.is_empty() {
        return;
    }
    let calls = Calls::compute(program);
    let mut left = PAIR_LIMIT;
    let blocks: usize = program.flows.iter().map(|flow| flow.feasible.len()).sum();
    let mut fuel = Fuel { left: MODULE_FUEL + FUEL_PER_BLOCK * blocks, gave_up: false };
    let mut unjudged = Unjudged::default();
    for (place, &variable) in variables.iter().enumerate() {
        let Some(direct) = direct_events(program, variable) else { continue };
        let involved = calls.involved(program, &direct);
        let cost = involved.iter().map(|&number| 1 + program.calls[number].len()).sum();
        let Some(rest) = usize::checked_sub(left, cost) else {
            unjudged.add(&calls, &involved);
            unjudged.count += variables.len() - place - 1;
            break;
        };
        left = rest;
        fuel.gave_up = false;
        let summaries = summarize(program, &involved, &direct, &mut fuel);
        let is_exposed = |entry: &usize| summaries.get(entry).is_some_and(|summary| summary.exposed.is_some());
        let entries = involved.iter().copied().filter(|&number| calls.places[number].is_some());
        if let Some(entry) = entries.filter(is_exposed).min_by_key(|&number| calls.places[number]) {
            let (read, path) = told(program, &summaries, entry);
            let message = format!("{} is read, but on some path it was not written before", program.name(variable));
            report.add(program, Found { code: Code::F03, inst: read, message, path });
        } else if fuel.gave_up {
            unjudged.add(&calls, &involved);
        }
    }
    if let Some(entry) = unjudged.entry {
        let function = program.flows[entry].function.into();
        report.add(
            program,
            Found { code: Code::F03, inst: function, message: given_up(unjudged.count), path: Vec::new() },
        );
    }
}

/// The remaining fuel of all searches.
struct Fuel {
    left: usize,
    /// True if a search was not completed because the fuel was exhausted.
    gave_up: bool,
}

/// Variables that were not completely analysed.
#[derive(Default)]
struct Unjudged {
    count: usize,
    /// The first entry point that uses the first of them.
    entry: Option<usize>,
}

impl Unjudged {
    fn add(&mut self, calls: &Calls, involved: &[usize]) {
        let entries = involved.iter().copied().filter(|&number| calls.places[number].is_some());
        if let Some(entry) = entries.min_by_key(|&number| calls.places[number]) {
            self.count += 1;
            self.entry.get_or_insert(entry);
        }
    }
}

impl Calls {
    fn compute(program: &Program<'_>) -> Calls {
        let module = program.module;
        let mut ranks = vec![0; program.flows.len()];
        program.callees_first().enumerate().for_each(|(rank, number)| ranks[number] = rank);
        let mut places = vec![None; program.flows.len()];
        let functions = entry_points(module).filter_map(|entry| module.cast(entry.function));
        for (place, number) in functions.filter_map(|function| program.number(function)).enumerate() {
            places[number].get_or_insert(place);
        }
        Calls { ranks, places }
    }

    /// The functions that use a variable, directly or through calls, callees first.
    fn involved(&self, program: &Program<'_>, direct: &Accesses) -> Vec<usize> {
        let mut pending: Vec<usize> = direct.keys().copied().collect();
        let mut seen: FxHashSet<usize> = pending.iter().copied().collect();
        while let Some(number) = pending.pop() {
            let callers = program.callers[number].iter().map(|caller| caller.number);
            pending.extend(callers.filter(|&caller| seen.insert(caller)));
        }
        let mut involved: Vec<usize> = seen.into_iter().collect();
        involved.sort_by_key(|&number| self.ranks[number]);
        involved
    }
}

/// The accesses of a variable by function; `None` if its address cannot be followed.
fn direct_events(program: &Program<'_>, variable: Inst) -> Option<Accesses> {
    let mut events: Accesses = FxHashMap::default();
    for access in accesses(program, variable)? {
        let function = program.module.function_of(access.inst)?;
        events.entry(program.number(function)?).or_default().push((access.inst, access.kind));
    }
    Some(events)
}

fn summarize(
    program: &Program<'_>,
    involved: &[usize],
    direct: &Accesses,
    fuel: &mut Fuel,
) -> FxHashMap<usize, Summary> {
    let set: FxHashSet<usize> = involved.iter().copied().collect();
    let mut summaries: FxHashMap<usize, Summary> = FxHashMap::default();
    for &number in involved {
        let mut list = direct.get(&number).cloned().unwrap_or_default();
        for call in program.calls[number].iter().filter(|call| set.contains(&call.callee)) {
            match summaries.get(&call.callee) {
                Some(summary) => {
                    list.extend(summary.exposed.as_ref().map(|_| (call.inst, AccessKind::Read)));
                    list.extend(summary.writes.then_some((call.inst, AccessKind::Write)));
                }
                None => list.push((call.inst, AccessKind::Write)),
            }
        }
        let flow = &program.flows[number];
        let mut events: Vec<Event> =
            list.iter().filter_map(|&(inst, kind)| Event::new(program, flow, inst, kind)).collect();
        let writes = events.iter().any(|event| event.kind == AccessKind::Write);
        let exposed = search(program, flow, &mut events, fuel);
        summaries.insert(number, Summary { writes, exposed });
    }
    summaries
}

fn search(program: &Program<'_>, flow: &Flow, events: &mut [Event], fuel: &mut Fuel) -> Option<UndefinedUse> {
    let given = VARIABLE_FUEL.min(fuel.left);
    let mut walker = Walker::new(program, flow, given);
    if walker.is_spent() {
        fuel.gave_up |= !Exposure::is_excluded(flow, events);
        return None;
    }
    let exposure = Exposure::compute(flow, events)?;
    let found = walker.find(&Goal::new(exposure, events));
    fuel.left -= given - walker.fuel();
    fuel.gave_up |= found.is_none() && walker.is_spent();
    found
}

/// The read that an entry point reaches, and the path through calls.
fn told(program: &Program<'_>, summaries: &FxHashMap<usize, Summary>, entry: usize) -> (Inst, Vec<Step>) {
    let mut steps = Vec::new();
    let mut number = entry;
    loop {
        let exposed = summaries.get(&number).and_then(|summary| summary.exposed.as_ref());
        let found = exposed.expect("invariant: a call is a read only if its callee is exposed");
        let read = found.read;
        steps.extend(path(program, found));
        let call = program.calls[number].iter().find(|call| call.inst == read);
        let Some(call) = call else { return (read, shortened(steps)) };
        let text = format!("{} calls {}", program.function_name(number), program.function_name(call.callee));
        steps.push(Step { inst: read, text });
        number = call.callee;
    }
}
