//! `; test verify [whole] [accepted | rejected CODE …]`: every finding of the verifier, at its line. `whole` adds the rules of modules that
//! are linked.
//!
//! A result in the first line is checked even when blessing: `accepted` means no finding, `rejected` at least the given codes.
//!
//! Lines are found by their text: the k-th instruction that prints as a line is the k-th line of the file with this text. So the parser
//! needs no positions; a line with a finding must be written as it prints.

use std::collections::HashMap;

use reconverge_ir::text::Printer;
use reconverge_ir::{Inst, Module, Op};
use reconverge_verify::{Finding, verify, verify_whole};

use super::case::Case;

/// The file with the findings below their lines; findings about the module are below the first line.
pub(super) fn run(case: &Case, verdict: &[&str]) -> Result<String, String> {
    let module = case.module()?;
    let lines = Lines::compute(&module, &case.input);
    let (findings, verdict) = match verdict {
        ["whole", verdict @ ..] => (verify_whole(&module), verdict),
        verdict => (verify(&module), verdict),
    };
    check_verdict(verdict, &findings)?;
    let mut marks = Vec::new();
    for finding in &findings {
        let mark = format!("{}: {}", finding.code, finding.message);
        marks.push((lines.line(&module, finding)?, mark));
    }
    Ok(case.with_marks(&marks))
}

fn check_verdict(verdict: &[&str], findings: &[Finding]) -> Result<(), String> {
    let found: Vec<String> = findings.iter().map(|finding| format!("{}: {}", finding.code, finding.message)).collect();
    let is_found = |code: &&str| findings.iter().any(|finding| finding.code.to_string() == *code);
    match verdict {
        [] => Ok(()),
        ["accepted"] if found.is_empty() => Ok(()),
        ["accepted"] => Err(format!("should be accepted, but: {}", found.join("; "))),
        ["rejected", codes @ ..] => match codes.iter().find(|code| !is_found(code)) {
            None if !found.is_empty() => Ok(()),
            missing => {
                Err(format!("should be rejected by {}, but: {}", missing.unwrap_or(&"some rule"), found.join("; ")))
            }
        },
        _ => Err(format!("unknown verdict {verdict:?}")),
    }
}

/// The line of an instruction in the file.
pub(super) struct Lines {
    of: HashMap<Inst, Result<usize, String>>,
}

impl Lines {
    pub(super) fn compute(module: &Module, input: &str) -> Lines {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, line) in input.lines().enumerate() {
            places.entry(code(line)).or_default().push(number);
        }
        let printer = Printer::new(module);
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut of = HashMap::new();
        for inst in in_print_order(module) {
            let text = code(&printer.line(inst)).to_owned();
            let count = seen.entry(text.clone()).or_insert(0);
            let line = places.get(text.as_str()).and_then(|lines| lines.get(*count)).copied();
            *count += 1;
            of.insert(inst, line.ok_or_else(|| format!("a finding concerns this line; write it as it prints: {text}")));
        }
        Lines { of }
    }

    /// The line of an instruction, or why it cannot be determined; `None` if the file does not contain it.
    pub(super) fn line_of(&self, inst: Inst) -> Option<Result<usize, String>> {
        self.of.get(&inst).cloned()
    }

    fn line(&self, module: &Module, finding: &Finding) -> Result<usize, String> {
        let edge = finding.edge.and_then(|(source, _)| module.terminator(source)).map(Inst::from);
        let places = [finding.inst, edge, finding.block.map(Inst::from), finding.function.map(Inst::from)];
        match places.into_iter().flatten().find_map(|inst| self.of.get(&inst)) {
            Some(line) => line.clone(),
            None => Ok(0),
        }
    }
}

/// Everything in the order in which it prints: globals with their contents, then functions with theirs.
fn in_print_order(module: &Module) -> Vec<Inst> {
    let globals = module.ordered_globals();
    let functions = module.functions().map(Inst::from);
    let everything = globals.into_iter().chain(functions).flat_map(|inst| module.descendants(inst));
    // A parameter of a function prints in the line of the function.
    everything.filter(|&inst| module.op(inst) != Op::FunctionParameter).collect()
}

/// A line without indent, comment, and the brace that opens a function or block.
fn code(line: &str) -> &str {
    let line = line.split_once("; ").map_or(line, |(code, _)| code);
    line.trim().trim_end_matches(['{', ':']).trim_end()
}
