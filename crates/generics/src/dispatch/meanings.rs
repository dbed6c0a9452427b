//! The meaning of dynamic code: the functions of calls and the tables of values, case by case.
//!
//! Starting with nothing, the analysis finds the tables that each opened value may have; each table is a case, whose images are requested;
//! these may be functions that did not exist before, or tables for more values. Repeated until nothing is added:
//!
//! ```text
//! tables of values ──▶ cases ──▶ images: functions, tables ──▶ tables of values …
//! ```
//!
//! Each round but the last adds an image. O(rounds · the cost of the analysis).

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashMap;

use super::expressions::{Case, image, opened};
use super::flow::{Flow, Meanings};
use super::reach;
use crate::{GenericsCode, Specializer};

/// The maximal number of cases of one call.
const MOST_CASES: usize = 1024;

/// The maximal number of rounds. Only requests that need each other without end take more.
const MOST_ROUNDS: usize = 256;

/// The meanings that were found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) flow: Flow,
    /// The functions that can run.
    pub(super) functions: Vec<Function>,
    /// By call or `make_existential` with dynamic code: its cases and the image in each.
    pub(super) images: FxHashMap<Inst, Vec<(Case, Inst)>>,
}

/// Finds the meanings of all dynamic code in the functions of a module.
pub(super) fn find(specializer: &mut Specializer<'_>) -> Result<Found, Diagnostic> {
    let mut meanings = Meanings::default();
    let mut images: FxHashMap<Inst, Vec<(Case, Inst)>> = FxHashMap::default();
    let mut newest = specializer.module.root();
    for _ in 0..MOST_ROUNDS {
        let functions = reach::functions(specializer.module, &meanings);
        let flow = Flow::of(specializer.module, &functions, &meanings);
        let mut is_new = false;
        for inst in reach::instructions(specializer.module, &functions) {
            let Some(code) = dynamic_code(specializer.module, inst) else { continue };
            let cases = cases(specializer.module, &flow, inst, code)?;
            let known = images.get(&inst).map_or(0, Vec::len);
            if cases.len() == known && meanings.contains_key(&inst) {
                continue;
            }
            is_new = true;
            newest = inst;
            let mut found = Vec::new();
            for case in cases {
                let image = image(specializer, code, &case)?;
                found.push((case, image));
            }
            meanings.insert(inst, found.iter().map(|&(_, image)| image).collect());
            images.insert(inst, found);
        }
        if !is_new {
            return Ok(Found { flow, functions, images });
        }
    }
    let message =
        format!("the value here has ever new types, each made of the one before: no end after {MOST_ROUNDS} rounds");
    Err(Diagnostic::new(GenericsCode::Limit, newest, message))
}

/// The dynamic code that an instruction needs the meaning of: what is called, or the witness of a new value.
pub(super) fn dynamic_code(module: &Module, inst: Inst) -> Option<Inst> {
    let code = match module.op(inst) {
        Op::FunctionCall => view::FunctionCall::of(module, inst)?.function,
        Op::MakeExistential => view::MakeExistential::of(module, inst)?.witness,
        _ => return None,
    };
    (!opened(module, code).is_empty()).then_some(code)
}

/// The cases of code that an instruction is or needs: every combination of the tables of the values that the code depends on.
pub(super) fn cases(module: &Module, flow: &Flow, inst: Inst, code: Inst) -> Result<Vec<Case>, Diagnostic> {
    let mut cases = vec![Case::default()];
    for value in opened(module, code) {
        let tables = flow.tables_of(module, value);
        if cases.len() * tables.len() > MOST_CASES {
            let message = format!("expected at most {MOST_CASES} combinations of types at one place");
            return Err(Diagnostic::new(GenericsCode::Limit, inst, message));
        }
        let with = |case: &Case, table| {
            let mut case = case.clone();
            case.tables.push((value, table));
            case
        };
        cases = cases.iter().flat_map(|case| tables.iter().map(move |&table| with(case, table))).collect();
    }
    Ok(cases)
}
