//! T3: programs whose structure was removed without changing their behaviour.
//!
//! ```text
//! graph ─▶ program ─▶ structurized ─▶ unstructured ─▶ structurized ─▶ judged
//!            └──────────── the same under walks ──────┴───┘
//! ```
//!
//! Each unstructurer alone, and several one after the other. After they ran: no finding, the same behaviour. After structurizing again: the
//! same, and spirv-val accepts it.

use reconverge_ir::{Function, Module, text};
use reconverge_restructure::{Options, structurize};
use reconverge_verify::verify;

use super::plan::Verdict;
use super::pool::{Effort, in_parallel};
use super::tally::{Culprit, Fault, FaultKind, Tally};
use crate::behaviour::Version;
use crate::equivalence::compare_walks;
use crate::generators::structured::{Form, structured};
use crate::judge::{Environment, Validator};
use crate::plain_graph::PlainGraph;
use crate::program_from_graph::with_calls;
use crate::random::{Random, mix};
use crate::trial::written_blocks;
use crate::unstructure::{Unstructurer, Values, unstructure};

/// Removes the structure of the programs of seeds from the effort's seed times 2³² on.
pub fn run(effort: &Effort, validator: Option<&Validator>) -> Tally {
    let pieces = usize::try_from(effort.tries).unwrap_or(usize::MAX);
    in_parallel(pieces, effort, |piece, worker| {
        let seed = (effort.seed << 32) + piece as u64;
        let unstructurers = unstructurers(seed);
        let names = || format!("seed {seed}, {unstructurers:?}");
        let mut changes = 0;
        worker.attempt(names, || {
            let verdict = judge(seed, &unstructurers, validator.filter(|_| seed.is_multiple_of(4)));
            match verdict {
                Ok((changed, verdict)) => {
                    changes = changed;
                    verdict
                }
                Err(fault) => Verdict::Fault(Fault { message: format!("{}: {}", names(), fault.message), ..fault }),
            }
        });
        worker.tally.count("changes", changes as u64);
        if unstructurers.iter().all(|unstructurer| *unstructurer == unstructurers[0]) {
            worker.tally.count(&format!("changed by {:?} alone", unstructurers[0]), changes as u64);
        }
    })
}

/// The unstructurers for a seed: one, or up to twelve.
fn unstructurers(seed: u64) -> Vec<Unstructurer> {
    let mut random = Random::new(mix(seed) ^ 0xDE57);
    let all = Unstructurer::ALL;
    match seed % 3 {
        0 => vec![all[(seed / 3) as usize % all.len()]; random.between(1, 3)],
        _ => (0..random.between(2, 12)).map(|_| *random.choose(&all)).collect(),
    }
}

/// The graph of a seed: from structured statements, in all forms.
pub fn graph(seed: u64) -> PlainGraph {
    let form = [Form::Plain, Form::LoopSimplified, Form::Optimized][(mix(seed) % 3) as usize];
    structured(seed, 3 + (mix(!seed) % 20) as usize, form)
}

type Outcome = Result<(usize, Verdict), Fault>;

/// Removes the structure of one program, structurizes it again and makes all checks.
pub fn judge(seed: u64, unstructurers: &[Unstructurer], validator: Option<&Validator>) -> Outcome {
    let graph = graph(seed);
    let before = with_calls(std::slice::from_ref(&graph), seed);
    let function = before.functions[0];
    let mut module = before.module.clone();
    let options = Options::default();
    structurize(&mut module, function, &options).map_err(|error| invalid(error.to_string(), &before.module))?;
    let blocks_before = written_blocks(&module, function);
    let values = if mix(seed).is_multiple_of(4) { Values::InMemory } else { Values::InParameters };
    let changes = unstructure(&mut module, function, unstructurers, values, &mut Random::new(seed))
        .map_err(|error| invalid(error, &before.module))?;
    hold(&before.module, &module, function, &graph, seed).map_err(|fault| fault.of("unstructured"))?;
    let unstructured = module.clone();
    let report =
        structurize(&mut module, function, &options).map_err(|error| invalid(error.to_string(), &unstructured))?;
    if report.is_some_and(|report| report.plan.fell_back.is_some()) {
        return Err(Fault::new(FaultKind::Fallback, text::print(&unstructured)));
    }
    hold(&before.module, &module, function, &graph, seed)
        .map_err(|fault| fault.of("structurized again").on(Culprit::Program(Box::new(unstructured), function)))?;
    if let Some(validator) = validator {
        validator
            .judge(&module, &[function], Environment::Universal)
            .map_err(|message| invalid(format!("spirv-val: {message}"), &module))?;
    }
    let after = written_blocks(&module, function);
    Ok((changes, Verdict::Fine { before: blocks_before, after, is_complete: true }))
}

impl Fault {
    fn of(self, version: &str) -> Fault {
        Fault { message: format!("{version}: {}", self.message), ..self }
    }
}

fn invalid(message: String, module: &Module) -> Fault {
    Fault::new(FaultKind::Invalid, format!("{message}\n{}", text::print(module)))
}

/// Checks that a version of a program has no finding and follows the graph.
fn hold(before: &Module, after: &Module, function: Function, graph: &PlainGraph, seed: u64) -> Result<(), Fault> {
    if let Some(finding) = verify(after).first() {
        return Err(invalid(format!("{}: {}", finding.code, finding.message), after));
    }
    let versions = (Version::new(before), Version::new(after));
    compare_walks(&versions.0, &versions.1, function, graph, seed)
        .map_err(|message| Fault::new(FaultKind::Unequal, format!("{message}\n{}", text::print(after))))
}
