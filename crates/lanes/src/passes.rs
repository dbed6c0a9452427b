//! The table of passes over lanes: from a structured entry point to its masked form.
//!
//! A row is a pass with the name of its function. Rows read the [`LaunchFacts`] of the session. The functions that they work on are the
//! entry point that a machine runs.

use reconverge_diagnostic::{Code, Diagnostic};
use reconverge_ir::{Function, Module, Stage};
use reconverge_rewrite::pass::{Outcome, Pass, Stages, Work};
use reconverge_rewrite::session::{Session, SessionState};
use reconverge_rewrite::specialize::{Others, Unknown, specialize};

use crate::error::unsupported;
use crate::{BufferSlot, Facts, FixedArgument, LanesCode};

/// The size of an entry point with all that it calls, in instructions.
const SIZE_LIMIT: usize = 1 << 20;

/// Facts about the launches that an entry point is compiled for.
#[derive(Clone, Debug, Default)]
pub struct LaunchFacts {
    /// The machine that runs the launches; none: not known.
    pub machine: Option<MachineName>,
    /// Values of specialization constants: `SpecId` and bits.
    pub constants: Vec<(u32, u64)>,
    /// The places of the buffers that are bound.
    pub buffers: Vec<BufferSlot>,
    /// The offset of the record of the first buffer among the push constants.
    pub records_offset: u32,
    /// Scalars among the push constants that are the same in every launch.
    pub arguments: Vec<FixedArgument>,
    /// The built-in inputs: their ranges, and how they differ between the lanes of a pack.
    pub inputs: Facts,
}

/// A machine in messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineName {
    /// The name, as the subject of a sentence.
    pub title: &'static str,
    /// The code of messages about what it does not support.
    pub unsupported: &'static Code,
    /// The code of messages about its limits.
    pub limit: &'static Code,
}

impl SessionState for LaunchFacts {}

/// A row: a pass over one function, which says whether it changed it.
macro_rules! row {
    ($name:literal, $summary:literal, $work:expr) => {
        Pass {
            name: $name,
            summary: $summary,
            accepts: Stages::Any,
            leads_to: None,
            work: Work::Function(|session, function| run(session, function, $work)),
        }
    };
}

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "specialize",
        summary: "gives specialization constants the values of a launch, or their defaults",
        accepts: Stages::Any,
        leads_to: None,
        work: Work::Module(|session, _| {
            let constants = session.state::<LaunchFacts>().constants.clone();
            let constant_count = session
                .module
                .globals()
                .filter(|&global| session.module.op(global).is_specialization_constant())
                .count();
            let done = specialize(session.module, &constants, Others::Defaults);
            let done = done.map_err(|Unknown { at, what }| unsupported(at, what));
            done.map(|()| Outcome::control_flow(constant_count)).map_err(|error| refused(session, error))
        }),
    },
    row!("flatten_calls", "inlines every call of an entry point", |module, function, _| {
        crate::flatten_calls(module, function, SIZE_LIMIT)
    }),
    row!("bind_buffers", "replaces buffers of descriptor sets by addresses", |module, function, facts| {
        match facts.buffers.is_empty() {
            true => Ok(false),
            false => crate::bind_buffers(module, function, &facts.buffers, facts.records_offset).map(|()| true),
        }
    }),
    row!("fix_arguments", "replaces arguments that have the same value in every launch", |module, function, facts| {
        Ok(crate::fix_arguments(module, function, &facts.arguments) > 0)
    }),
    row!("scalarize", "splits vectors, structs and arrays into their scalars", |module, function, _| {
        crate::scalarize(module, function)
    }),
    row!(
        "loop_closed_ssa",
        "gives every place of the control tree a block, and every value that leaves a loop a parameter",
        |module, function, _| crate::loop_closed_ssa(module, function)
    ),
    Pass {
        leads_to: Some(Stage::Masked),
        ..row!("mask", "makes lanes explicit: divergent branches become execution masks", |module, function, facts| {
            crate::mask(module, function, &facts.inputs).map(|()| true)
        })
    },
];

/// The work of a row.
type RowWork = fn(&mut Module, Function, &LaunchFacts) -> Result<bool, Diagnostic>;

fn run(session: &mut Session<'_>, function: Function, work: RowWork) -> Result<Outcome, Diagnostic> {
    let (module, facts) = session.parts::<LaunchFacts>();
    let done = work(module, function, facts);
    done.map(|is_changed| Outcome::control_flow(is_changed.into())).map_err(|error| refused(session, error))
}

/// The error of a pass, in the words for the machine.
fn refused(session: &mut Session<'_>, error: Diagnostic) -> Diagnostic {
    let Diagnostic { place, message: what, .. } = &error;
    match (session.state::<LaunchFacts>().machine, error.is(LanesCode::Unsupported)) {
        (None, true) => {
            let message = format!("{what} is not supported where lanes are explicit");
            Diagnostic::new(LanesCode::Unsupported, *place, message)
        }
        (None, false) => error,
        (Some(MachineName { title, unsupported, .. }), true) => {
            Diagnostic::new(unsupported, *place, format!("{title} does not support {what}"))
        }
        (Some(MachineName { title, limit, .. }), false) => {
            Diagnostic::new(limit, *place, format!("{title} does not support this function: {what}"))
        }
    }
}
