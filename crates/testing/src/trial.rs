//! The test of the structurizer: checks all guarantees on plain graphs, and returns measurements.
//!
//! Each graph becomes a function whose blocks record themselves; all functions of a test are in one module. Then:
//!
//! 1. the verifier has no finding before;
//! 2. every function is structurized;
//! 3. the verifier has no finding after;
//! 4. each function takes every edge of its graph as before, with equal values, under at least 32 oracles;
//! 5. the external validator accepts the module, if one is given.

use reconverge_ir::{Function, Module, text};
use reconverge_restructure::{Options, structurize};
use reconverge_verify::verify;

use crate::behaviour::Version;
use crate::equivalence::compare_walks;
use crate::judge::{Environment, Validator, with_only};
use crate::nesting::nesting_depth;
use crate::plain_graph::PlainGraph;
use crate::program_from_graph::{self, Filled};

/// The size of the result for one graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// Reachable blocks before.
    pub blocks_before: usize,
    /// Blocks after, without edge blocks.
    pub blocks_after: usize,
    /// The nesting depth of constructs.
    pub nesting: usize,
}

impl Measure {
    /// Blocks after divided by blocks before.
    pub fn growth(&self) -> f64 {
        self.blocks_after as f64 / self.blocks_before as f64
    }
}

/// Structurizes graphs and checks the five properties above.
///
/// # Errors
/// The failed check, with the graph and its function.
pub fn trial(
    graphs: &[PlainGraph],
    seed: u64,
    options: &Options,
    validator: Option<&Validator>,
) -> Result<Vec<Measure>, String> {
    let before = program_from_graph::with_calls(graphs, seed);
    check_verified(&before, "before", graphs)?;
    let after = structurized(&before, options, graphs)?;
    check_verified(&after, "after", graphs)?;
    let versions = (Version::new(&before.module), Version::new(&after.module));
    for (index, (&function, graph)) in before.functions.iter().zip(graphs).enumerate() {
        compare_walks(&versions.0, &versions.1, function, graph, seed)
            .map_err(|message| report(&after, index, graphs, &message))?;
    }
    if let Some(validator) = validator {
        validator.judge(&after.module, &after.functions, Environment::Universal)?;
    }
    let measures = after.functions.iter().zip(graphs).map(|(&function, graph)| Measure {
        blocks_before: graph.reached().iter().filter(|&&reached| reached).count(),
        blocks_after: written_blocks(&after.module, function),
        nesting: nesting_depth(&after.module, function),
    });
    Ok(measures.collect())
}

/// The same module, every function structurized.
///
/// # Errors
/// A limit that was reached.
pub fn structurized(before: &Filled, options: &Options, graphs: &[PlainGraph]) -> Result<Filled, String> {
    let mut after = before.clone();
    for (index, &function) in before.functions.iter().enumerate() {
        structurize(&mut after.module, function, options)
            .map_err(|error| report(before, index, graphs, &error.to_string()))?;
    }
    Ok(after)
}

/// The number of phis of a module in SPIR-V, counted in its words. Linear.
///
/// # Panics
/// The module cannot be written.
pub fn written_phis(module: &Module) -> usize {
    let bytes = reconverge_spirv::write(module, &Default::default()).expect("the module can be written");
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut phis, mut at) = (0, 5);
    while at < words.len() {
        phis += usize::from(words[at] & 0xffff == crate::opcode::PHI);
        at += (words[at] >> 16).max(1) as usize;
    }
    phis
}

/// The maximal number of blocks of a function in SPIR-V.
pub fn written_blocks(module: &Module, function: Function) -> usize {
    module.blocks(function).filter(|&block| !module.is_bare_edge(block)).count()
}

fn check_verified(filled: &Filled, version: &str, graphs: &[PlainGraph]) -> Result<(), String> {
    let findings = verify(&filled.module);
    let Some(finding) = findings.first() else { return Ok(()) };
    let message = format!("{} findings {version}, the first: {}: {}", findings.len(), finding.code, finding.message);
    let index = filled.functions.iter().position(|&function| Some(function) == finding.function);
    match index {
        Some(index) => Err(report(filled, index, graphs, &format!("{message}\n  {}", finding.context))),
        None => Err(message),
    }
}

/// A failure with its graph and function.
fn report(filled: &Filled, index: usize, graphs: &[PlainGraph], message: &str) -> String {
    let function = filled.functions[index];
    let alone = text::print(&with_only(&filled.module, &filled.functions, &[function]));
    format!("graph {index} {}: {message}\n{alone}", graphs[index])
}
