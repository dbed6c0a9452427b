//! `cargo xtask corpus DIR... --pass NAME`: a pass over structured functions, on every module of the folders.
//!
//! [`judge_module`] checks it; in addition, the validator must accept the output, and a launch beside a module must have the same results
//! as before the pass.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::ir::{Function, Module};
use reconverge::opencl;
use reconverge::pipeline::find;
use reconverge_rewrite::pass::Pass;
use reconverge_run::Launch;
use reconverge_testing::lanes::{Expected, ModuleFigures, judge_module, structured_passes, unless_refused};

use super::manifest::{Manifest, Module as Row};
use super::{check_accepted, file_name, folders_with_manifest, judge_on_threads};
use crate::table::Table;
use xtask_setup::workspace;

const HEADINGS: [&str; 13] = [
    "folder",
    "pass",
    "modules",
    "accepted",
    "functions",
    "refused",
    "changed",
    "again",
    "blocks",
    "blocks after",
    "launched",
    "runs equal",
    "runs open",
];

/// The figures of a module, and the number of its functions that the pass rejected because their source requires something impossible.
type Verdict = Result<(ModuleFigures, usize), String>;

/// A launch and what it must give.
pub(super) type Case = (Launch, Vec<u8>);

/// Runs a pass, or every pass over structured functions for `all`, on the modules of folders; what is not accepted makes the command fail.
pub(crate) fn corpus_pass(folders: &[PathBuf], name: &str) -> Result<(), String> {
    let passes: Vec<&Pass> = match (name, find(name)) {
        ("all", _) => structured_passes().collect(),
        (_, Some(_)) if opencl::PASSES.iter().any(|pass| pass.name == name) => {
            return Err(format!("{name} works on OpenCL kernels; `cargo xtask kernels` runs those"));
        }
        (_, Some(pass)) => vec![pass],
        (_, None) => return Err(format!("there is no pass {name}; `reconverge passes` lists them")),
    };
    let mut table = Table::new(&HEADINGS);
    let mut complaints = Vec::new();
    for folder in folders_with_manifest(folders)? {
        let manifest = Manifest::read(&folder)?;
        let cases = cases(&folder)?;
        for pass in &passes {
            let verdicts = judge_on_threads(manifest.modules(), &|row, scratch| {
                judge(pass, row, cases.get(&file_name(&row.path)), scratch)
            })?;
            table.push(row(&folder, pass.name, &verdicts));
            for (module, verdict) in manifest.modules().iter().zip(verdicts) {
                if let Err(message) = verdict {
                    complaints.push(format!("{}, {}: {message}", file_name(&module.path), pass.name));
                }
            }
        }
    }
    print!("{table}");
    check_accepted(&complaints)
}

fn row(folder: &Path, pass: &str, verdicts: &[Verdict]) -> [String; HEADINGS.len()] {
    let accepted: Vec<&(ModuleFigures, usize)> = verdicts.iter().filter_map(|verdict| verdict.as_ref().ok()).collect();
    let sum = |figure: fn(&ModuleFigures) -> usize| accepted.iter().map(|(figures, _)| figure(figures)).sum::<usize>();
    let numbers = [
        verdicts.len(),
        accepted.len(),
        sum(|figures| figures.functions),
        accepted.iter().map(|(_, refused)| refused).sum(),
        sum(|figures| figures.changed),
        sum(|figures| figures.changed_again),
        sum(|figures| figures.blocks[0]),
        sum(|figures| figures.blocks[1]),
        sum(|figures| usize::from(figures.launched)),
        sum(|figures| figures.runs),
        sum(|figures| figures.open_runs),
    ];
    let [a, b, c, d, e, f, g, h, i, j, k] = numbers.map(|number| number.to_string());
    [file_name(folder), pass.to_owned(), a, b, c, d, e, f, g, h, i, j, k]
}

/// The launches of a folder, by the file name of the module.
pub(super) fn cases(folder: &Path) -> Result<HashMap<String, Case>, String> {
    let mut cases = HashMap::new();
    for case in crate::kernels::cases_of(folder)? {
        let expected =
            std::fs::read(&case.expected).map_err(|error| format!("{}: {error}", case.expected.display()))?;
        cases.insert(case.name, (case.launch, expected));
    }
    Ok(cases)
}

fn judge(pass: &Pass, row: &Row, case: Option<&Case>, result: &Path) -> Verdict {
    let spirv = std::fs::read(&row.path).map_err(|error| error.to_string())?;
    let mut refused = HashSet::new();
    let mut run = |module: &mut Module, function: Function| apply(pass, module, function, &mut refused);
    let expected = case.map(|(launch, outputs)| Expected { launch, outputs });
    let figures = judge_module(&spirv, expected, &mut run)?;
    validate(&figures.spirv, row, result)?;
    Ok((figures, refused.len()))
}

/// Has the validator judge a module, which is left at `result`.
pub(super) fn validate(spirv: &[u8], row: &Row, result: &Path) -> Result<(), String> {
    let validator = workspace::spirv_val();
    std::fs::write(result, spirv).map_err(|error| error.to_string())?;
    let output = Command::new(&validator).args(["--target-env", &row.environment]).arg(result).output();
    let output =
        output.map_err(|error| format!("{}: {error}; `cargo xtask setup` installs it", validator.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("spirv-val: {}", complaint.lines().next().unwrap_or("refused without a word"))),
    }
}

/// Runs a pass on a function. One that it refuses stays as it is.
fn apply(
    pass: &Pass,
    module: &mut Module,
    function: Function,
    refused: &mut HashSet<Function>,
) -> Result<bool, String> {
    let outcome = unless_refused(pass, module, function).map_err(|error| error.to_string())?;
    if outcome.is_none() {
        refused.insert(function);
    }
    Ok(outcome.unwrap_or(false))
}
