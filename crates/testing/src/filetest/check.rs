//! `; test check [CHECK=level …]`: every diagnosis of the flow checks, at its line, and each step of its path at its own line. Lines
//! without one are correct. The levels are WGSL's: `off`, `info`, `warning`, `error`.

use reconverge_diagnose::{Level, Options, check};
use reconverge_ir::Inst;
use reconverge_verify::verify;

use super::case::Case;
use super::verify::Lines;

/// The file with the diagnoses and the steps of their paths below their lines.
pub(super) fn run(case: &Case, levels: &[&str]) -> Result<String, String> {
    let module = case.module()?;
    if let Some(finding) = verify(&module).first() {
        return Err(format!("the verifier objects, so that no check is asked: {finding}"));
    }
    let lines = Lines::compute(&module, &case.input);
    let line_of = |inst: Inst| lines.line_of(inst).unwrap_or_else(|| Err("a diagnosis concerns no line".to_owned()));
    let mut marks = Vec::new();
    for diagnosis in check(&module, &options(levels)?) {
        let mark = format!("{}[{}]: {}", diagnosis.severity, diagnosis.code, diagnosis.message);
        marks.push((line_of(diagnosis.inst)?, mark));
        for (number, step) in (1..).zip(&diagnosis.path) {
            marks.push((line_of(step.inst)?, format!("{}, step {number}: {}", diagnosis.code, step.text)));
        }
    }
    Ok(case.with_marks(&marks))
}

fn options(levels: &[&str]) -> Result<Options, String> {
    let mut options = Options::default();
    for word in levels {
        let (name, level) = word.split_once('=').ok_or_else(|| format!("`{word}` does not read `CHECK=level`"))?;
        let level = Level::from_name(level).ok_or_else(|| format!("unknown level {level}"))?;
        options.set_rule(name, level)?;
    }
    Ok(options)
}
