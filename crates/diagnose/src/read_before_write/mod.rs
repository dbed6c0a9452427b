//! F03: a variable that is read before anything was written to it, on some path.
//!
//! The contents of such a variable are undefined. This file handles variables of class Function; `private.rs` handles those of class
//! Private, which live as long as an invocation and are visible to all functions. Variables with an initializer are always written.
//!
//! 1. `accesses.rs`: which part of a variable each access reads or writes. A read of the whole is a read before a write only if no part of
//!    it was written: programs copy structures that they have filled partly.
//! 2. `exposure.rs`: reads with a path from the entry along which no overlapping part is written, according to the graph.
//! 3. `walk.rs`, `facts.rs`: whether a run can take such a path: constants and flags are followed; and whether the value is used, or only
//!    copied from variable to variable.
//!
//! A variable is reported once, at a read on a shortest such path. If the fuel of a function is exhausted, a path that was found before is
//! used for the other variables (`known_way.rs`), and one message reports how many of them may still have such reads.

mod accesses;
mod exposure;
mod facts;
mod known_way;
mod private;
mod walk;

use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashMap;

use crate::flow::Flow;
use crate::path::steps_along;
use crate::program::{Found, Program, Report};
use crate::{Code, Step};
use accesses::{AccessKind, VariableAccess, VariablePart, accesses, overlaps};
use exposure::{Event, Exposure};
use known_way::KnownWay;
use walk::{Goal, UndefinedUse, Walker};

/// The limit on pairs of an access and a part that is read, up to which the parts of a variable are distinguished.
const PAIR_LIMIT: usize = 1 << 20;
/// The limit on blocks and instructions that the searches in one function visit: a constant, plus a multiple of its instructions.
const FUNCTION_FUEL: usize = 400_000;
const FUEL_PER_INSTRUCTION: usize = 16;

/// Finds reads before writes.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&[Code::F03]) {
        return;
    }
    let module = program.module;
    for flow in &program.flows {
        let variables = module.children(flow.whole.block(flow.feasible.entry()));
        let variables: Vec<Inst> =
            variables.filter(|&inst| module.op(inst) == Op::Variable && module.operand_count(inst) == 1).collect();
        let fuel = FUNCTION_FUEL + FUEL_PER_INSTRUCTION * program.size(flow);
        let (walker, known) = (Walker::new(program, flow, fuel), KnownWay::default());
        let mut search = ReadBeforeWriteSearch { program, flow, walker, known, gave_up: false };
        let mut unjudged = 0;
        for variable in variables {
            let Some(list) = accesses(program, variable) else { continue };
            search.gave_up = false;
            if let Some(found) = search.first_exposed(&list) {
                let message = message(program, variable, found.read);
                report.add(program, Found { code: Code::F03, inst: found.read, message, path: path(program, &found) });
            } else if search.gave_up {
                unjudged += 1;
            }
        }
        if unjudged > 0 {
            report.add(
                program,
                Found { code: Code::F03, inst: flow.function.into(), message: given_up(unjudged), path: Vec::new() },
            );
        }
    }
    private::check(program, report);
}

fn message(program: &Program<'_>, variable: Inst, read: Inst) -> String {
    let pointers = program.module.operands(read).any(|operand| operand == variable);
    let name = program.name(variable);
    match pointers {
        true => format!("{name} is read, but on some path it was not written before"),
        false => format!("a part of {name} is read, but on some path it was not written before"),
    }
}

fn given_up(unjudged: usize) -> String {
    let variables = if unjudged == 1 { "1 variable was".to_owned() } else { format!("{unjudged} variables were") };
    format!("the search for reads before writes takes too long: {variables} not completely checked")
}

/// The path to a read, and to the use of the value if it is copied first.
fn path(program: &Program<'_>, found: &UndefinedUse) -> Vec<Step> {
    let mut steps = steps_along(program, &found.way);
    if found.used != found.read {
        let text = "the value is copied, and used here".to_owned();
        steps.push(Step { inst: found.used, text });
    }
    steps
}

/// The searches in one function.
struct ReadBeforeWriteSearch<'p, 'm> {
    program: &'p Program<'m>,
    flow: &'p Flow,
    walker: Walker<'p, 'm>,
    known: KnownWay,
    /// True if a search was not completed because the fuel was exhausted.
    gave_up: bool,
}

impl ReadBeforeWriteSearch<'_, '_> {
    /// A read of a variable that a run can reach before any write of the part that is read.
    fn first_exposed(&mut self, list: &[VariableAccess]) -> Option<UndefinedUse> {
        let mut parts: FxHashMap<&VariablePart, u32> = FxHashMap::default();
        for access in list.iter().filter(|access| access.kind == AccessKind::Read) {
            let position = self.program.position(access.inst);
            parts.entry(&access.part).and_modify(|first| *first = position.min(*first)).or_insert(position);
        }
        let mut parts: Vec<(u32, &VariablePart)> = parts.into_iter().map(|(part, first)| (first, part)).collect();
        parts.sort();
        if parts.len().saturating_mul(list.len()) > PAIR_LIMIT {
            let mut events = self.events(list.iter());
            return self.exposed(&mut events);
        }
        parts.into_iter().find_map(|(_, part)| {
            let concerns = |access: &&VariableAccess| match access.kind {
                AccessKind::Read => access.part == *part,
                AccessKind::Write => overlaps(&access.part, part),
            };
            let mut events = self.events(list.iter().filter(concerns));
            self.exposed(&mut events)
        })
    }

    fn events<'a>(&self, accesses: impl Iterator<Item = &'a VariableAccess>) -> Vec<Event> {
        let event = |access: &VariableAccess| {
            let is_indexed = access.kind == AccessKind::Write && access.part.contains(&None);
            let event = Event::new(self.program, self.flow, access.inst, access.kind)?;
            Some(Event { is_indexed, ..event })
        };
        accesses.filter_map(event).collect()
    }

    fn exposed(&mut self, events: &mut [Event]) -> Option<UndefinedUse> {
        let mut found = None;
        if !self.walker.is_spent() {
            let exposure = Exposure::compute(self.flow, events)?;
            found = self.walker.find(&Goal::new(exposure, events));
        }
        if let Some(found) = &found {
            self.known.add(self.flow, &found.way);
        } else if self.walker.is_spent() {
            found = self.known.exposed(self.program, events);
            self.gave_up |= found.is_none() && !Exposure::is_excluded(self.flow, events);
        }
        found
    }
}
