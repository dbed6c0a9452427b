//! Passes that run only when they are asked for, behind the pipeline: what was structured comes back as it was otherwise.

use reconverge_ir::{Function, Module, Stage};
use reconverge_passes::structured::StructuredError;

use crate::pipeline::{Pass, Work};

/// The passes on request, by name. `CompileOptions::on_request` says which of them run, in which order.
pub const ON_REQUEST: &[Pass] = &[];

#[expect(dead_code, reason = "the table is empty")]
const fn structured(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Module, Function) -> Result<bool, StructuredError>,
) -> Pass {
    Pass { name, summary, from: Stage::Structured, to: Stage::Structured, work: Work::Structured(work) }
}
