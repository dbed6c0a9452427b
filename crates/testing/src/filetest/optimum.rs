//! `; test optimum`: the cost of functions after `-O1` up to code motion, and with the best placement.
//!
//! A line `; cost %f(1000, 5) = 3003+3001 of 4002+3001, optimum 3003` launches the function named `f`; `%f(1) in 32 lanes` launches it in
//! 32 lanes. After `=` are the numbers of executed instructions and terminators after the passes, then before, and the minimal number of
//! instructions over all legal placements.

use std::path::Path;

use reconverge_interpret::{Launch, Value};
use reconverge_ir::{Function, Module};

use super::case::Case;
use super::files_below;
use super::run::called;
use crate::optimum::judge;

const DIRECTIVE: &str = "; cost %";
const LANES: &str = " lanes";

/// A launch of a function.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The file's name.
    pub name: String,
    /// The call as it is written in the file.
    pub call: String,
    /// The module.
    pub module: Module,
    /// The function.
    pub function: Function,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The number of lanes.
    pub lanes: usize,
}

impl Kernel {
    /// The launch.
    pub fn launch(&self) -> Launch {
        Launch::new(self.arguments.iter().cloned()).with_lanes(self.lanes)
    }
}

/// The launches of all such files below a folder, sorted by path.
///
/// # Errors
/// A file that cannot be read.
pub fn kernels_below(folder: &Path) -> Result<Vec<Kernel>, String> {
    let mut kernels = Vec::new();
    for path in files_below(folder)? {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let case = Case::parse(&text)?;
        let found: Result<Vec<Kernel>, String> = text.lines().filter_map(|line| kernel(&case, &name, line)).collect();
        kernels.extend(found.map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(kernels)
}

/// The launch of a line, if it has one.
fn kernel(case: &Case, name: &str, line: &str) -> Option<Result<Kernel, String>> {
    let directive = line.strip_prefix(DIRECTIVE)?;
    let call = directive.split_once('=').map_or(directive, |(call, _)| call).trim();
    let (launched, lanes) = call.split_once(" in ").unwrap_or((call, "1"));
    Some(case.module().and_then(|module| {
        let lanes = lanes.trim_end_matches(LANES).parse().map_err(|_| format!("`{lanes}` is no number of lanes"))?;
        let (function, arguments) = called(&module, launched)?;
        Ok(Kernel { name: name.to_owned(), call: call.to_owned(), module, function, arguments, lanes })
    }))
}

/// The file with the results after `=` in each directive.
pub(super) fn run(case: &Case) -> Result<String, String> {
    let (mut out, mut count) = (String::new(), 0);
    for line in case.input.lines() {
        let Some(kernel) = kernel(case, "", line) else {
            out.extend([line, "\n"]);
            continue;
        };
        let kernel = kernel?;
        let judged = judge(&kernel.module, kernel.function, &kernel.launch())?;
        let optimum = judged.optimum.map_or(String::new(), |optimum| format!(", optimum {optimum}"));
        out.push_str(&format!("{DIRECTIVE}{} = {} of {}{optimum}\n", kernel.call, judged.after, judged.before));
        count += 1;
    }
    match count {
        0 => Err(format!("no line starts with `{DIRECTIVE}`")),
        _ => Ok(out),
    }
}
