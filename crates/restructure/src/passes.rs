//! The table of passes that convert functions from stage Graph to stage Structured.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Stage};
use reconverge_rewrite::pass::{Outcome, Pass, Stages, Work};
use reconverge_rewrite::remove_unreachable::remove_unreachable;
use reconverge_rewrite::session::{Session, SessionState};

use crate::{Options, StructurizeReport};

/// The options of the structurizer in a session, and its results, until they are taken.
#[derive(Debug, Default)]
pub struct Structurizing {
    /// The structurizer's options.
    pub options: Options,
    /// The functions that were structurized, in order.
    pub structurized: Vec<Structurized>,
}

impl SessionState for Structurizing {}

/// A function that was structurized.
#[derive(Debug)]
pub struct Structurized {
    /// The function.
    pub function: Function,
    /// The applied plan and its effects.
    pub report: StructurizeReport,
    /// Block parameters before, without those of edge blocks, which are not phis in SPIR-V.
    pub parameters_before: usize,
    /// Block parameters after, counted the same way.
    pub parameters_after: usize,
}

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "merges_to_hints",
        summary: "returns functions to stage Graph, with their merges as hints",
        accepts: Stages::Structured,
        leads_to: Some(Stage::Graph),
        work: Work::Function(|session, function| {
            session.module.edit().set_stage(function, Stage::Graph);
            Ok(Outcome::control_flow(1))
        }),
    },
    Pass {
        name: "split_shared_headers",
        summary: "splits loops that share a header, if one of them contains a barrier, so that each loop has its own header",
        accepts: Stages::Any,
        leads_to: None,
        work: Work::Function(|session, function| {
            Ok(Outcome::control_flow(crate::split_shared_headers(session.module, function)))
        }),
    },
    Pass {
        name: "remove_dead_ends",
        summary: "removes paths that always end in `unreachable`",
        accepts: Stages::Graph,
        leads_to: None,
        work: Work::Function(|session, function| {
            Ok(Outcome::control_flow(crate::remove_dead_ends(session.module, function)))
        }),
    },
    Pass {
        name: "structurize_convergent",
        summary: "structurizes functions with convergent operations, before all optimizations",
        accepts: Stages::Graph,
        leads_to: None,
        work: Work::Function(|session, function| structurize(session, function, crate::structurize_convergent)),
    },
    Pass {
        name: "remove_unreachable",
        summary: "removes unreachable blocks",
        accepts: Stages::Graph,
        leads_to: None,
        work: Work::Function(|session, function| {
            Ok(Outcome::control_flow(remove_unreachable(session.module, function)))
        }),
    },
    Pass {
        name: "structurize",
        summary: "structurizes: adds merges to loops and selections, and reroutes the edges that SPIR-V does not allow",
        accepts: Stages::Graph,
        leads_to: Some(Stage::Structured),
        work: Work::Function(|session, function| structurize(session, function, crate::structurize)),
    },
    Pass {
        name: "forget_structure",
        summary: "removes merge instructions, and returns functions to stage Graph",
        accepts: Stages::Structured,
        leads_to: Some(Stage::Graph),
        work: Work::Function(|session, function| {
            crate::forget_structure(session.module, function);
            Ok(Outcome::control_flow(1))
        }),
    },
];

type Structurize = fn(&mut Module, Function, &Options) -> Result<Option<StructurizeReport>, Diagnostic>;

fn structurize(session: &mut Session<'_>, function: Function, work: Structurize) -> Result<Outcome, Diagnostic> {
    let (module, structurizing) = session.parts::<Structurizing>();
    let parameters_before = block_parameters(module, function);
    let report = work(module, function, &structurizing.options)?;
    let Some(report) = report else { return Ok(Outcome::UNCHANGED) };
    let parameters_after = block_parameters(module, function);
    structurizing.structurized.push(Structurized { function, report, parameters_before, parameters_after });
    Ok(Outcome::control_flow(1))
}

fn block_parameters(module: &Module, function: Function) -> usize {
    let blocks = module.blocks(function).filter(|&block| !module.is_bare_edge(block));
    blocks.map(|block| module.parameters(block).count()).sum()
}
