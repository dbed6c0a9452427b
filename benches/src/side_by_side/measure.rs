//! What is measured on SPIR-V bytes: blocks, phis, nesting, validity, traces.
//!
//! Counting is on words alone.

use std::fmt;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reconverge::Format;
use reconverge::ir::Stage;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::nesting::nesting_depth;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::Values;

use crate::contestant::{Contestant, Times};
use crate::sets::{lists, shader};
use crate::trace::writes_the_same;

const LABEL: u32 = 248;
const PHI: u32 = 245;
const VARIABLE: u32 = 59;
/// The storage class of variables of a function.
const FUNCTION: u32 = 7;

/// Nesting from which on the validator takes seconds to minutes: its time grows faster than nesting.
pub(crate) const DEEP: usize = 100;
/// How long the validator may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came of one graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    pub(crate) blocks_before: usize,
    pub(crate) blocks_after: usize,
    pub(crate) phis_before: usize,
    pub(crate) phis_after: usize,
    /// Variables of functions that the input has not: they hold what would be many phis.
    pub(crate) variables: usize,
    /// How many constructs lie around the deepest block; `None` if the output is no structured module.
    pub(crate) nesting: Option<usize>,
    /// `None` if the validator was not asked, or did not answer in time.
    pub(crate) is_valid: Option<bool>,
    pub(crate) is_equal: bool,
    pub(crate) times: Times,
}

/// Structurizes a graph and measures what comes out. The validator is asked about outputs that nest no deeper than `deepest`.
///
/// # Errors
/// What the structurizer says instead.
pub(crate) fn measure(
    (graph, values): (&PlainGraph, Values),
    contestant: Contestant,
    deepest: usize,
) -> Result<Measure, String> {
    let input = shader(graph, values);
    let (output, times) = contestant.structurize(&lists(graph), &input)?;
    let (before, after) = (count(&input), count(&output));
    let nesting = nesting(&output);
    let is_asked = nesting.is_none_or(|nesting| nesting <= deepest);
    Ok(Measure {
        // One block is that of `main`, which calls the function.
        blocks_before: before.blocks - 1,
        blocks_after: after.blocks - 1,
        phis_before: before.phis,
        phis_after: after.phis,
        variables: after.variables.saturating_sub(before.variables),
        nesting,
        is_valid: if is_asked { is_valid(&output) } else { None },
        is_equal: writes_the_same(graph, &input, &output),
        times,
    })
}

struct Counts {
    blocks: usize,
    phis: usize,
    variables: usize,
}

fn count(bytes: &[u8]) -> Counts {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut counts, mut at) = (Counts { blocks: 0, phis: 0, variables: 0 }, 5);
    while at < words.len() {
        match words[at] & 0xffff {
            LABEL => counts.blocks += 1,
            PHI => counts.phis += 1,
            VARIABLE if words[at + 3] == FUNCTION => counts.variables += 1,
            _ => {}
        }
        at += (words[at] >> 16).max(1) as usize;
    }
    counts
}

/// Whether `spirv-val` accepts the module; `None` if it does not say in time.
fn is_valid(bytes: &[u8]) -> Option<bool> {
    let validator = Validator::find().expect("cargo xtask setup was run");
    let mut command = Command::new(validator.path());
    command.args(["--target-env", Environment::Vulkan1_1.name(), "-"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the validator runs");
    let mut input = child.stdin.take().expect("the input is piped");
    // The validator may refuse before it has read everything.
    let _ = input.write_all(bytes);
    drop(input);
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the validator can be waited for") {
            return Some(status.success());
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn nesting(bytes: &[u8]) -> Option<usize> {
    let module = reconverge::read(bytes, Format::SPIRV).ok()?;
    let structured = module.functions().filter(|&function| module.stage(function) == Stage::Structured);
    structured
        .filter(|&function| module.entry(function).is_some())
        .map(|function| nesting_depth(&module, function))
        .max()
}

/// A line of eleven numbers; -1 for what there is not.
impl fmt::Display for Measure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measure {
            blocks_before,
            blocks_after,
            phis_before,
            phis_after,
            variables,
            nesting,
            is_valid,
            is_equal,
            times,
        } = self;
        let nesting = nesting.map_or(-1, |nesting| nesting as i64);
        let is_valid = is_valid.map_or(-1, i64::from);
        write!(
            out,
            "{blocks_before} {blocks_after} {phis_before} {phis_after} {variables} {nesting} {is_valid} {} ",
            i64::from(*is_equal)
        )?;
        write!(out, "{} {} {}", times.plan.unwrap_or(-1.0), times.step, times.whole)
    }
}

impl Measure {
    /// The measure in a line; `None` if it is something else.
    pub(crate) fn parse(line: &str) -> Option<Measure> {
        let numbers: Option<Vec<f64>> = line.split(' ').map(|word| word.parse().ok()).collect();
        let [
            blocks_before,
            blocks_after,
            phis_before,
            phis_after,
            variables,
            nesting,
            is_valid,
            is_equal,
            plan,
            step,
            whole,
        ] = numbers?.try_into().ok()?;
        let present = |number: f64| (number >= 0.0).then_some(number);
        Some(Measure {
            blocks_before: blocks_before as usize,
            blocks_after: blocks_after as usize,
            phis_before: phis_before as usize,
            phis_after: phis_after as usize,
            variables: variables as usize,
            nesting: present(nesting).map(|nesting| nesting as usize),
            is_valid: present(is_valid).map(|is_valid| is_valid > 0.0),
            is_equal: is_equal > 0.0,
            times: Times { plan: present(plan), step, whole },
        })
    }
}
