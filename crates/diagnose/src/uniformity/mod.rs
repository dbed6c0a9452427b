//! W01 to W06: operations that lanes must execute together, but may not; and operands that must be the same for all of them.
//!
//! The requirements of each instruction (`requirement.rs`) are checked against the uniformity analysis at their scope (`judge.rs`,
//! `deciding.rs`, `parting.rs`), which first gets more precise facts about some loads (`loads/`). The path of a diagnosis is the chain of
//! causes (`causes.rs`), from the claim back to where lanes first differ.
//!
//! The analysis may report that lanes differ if they never do, but not the opposite. So a diagnosis of W01 or W04 has a chain that ends
//! where lanes do differ: at an input that differs, an atomic, a subgroup operation. If the first chain ends elsewhere, the analysis decides
//! that assumes nothing else to differ. If lanes are not shown to differ, and the first chain ends in memory that others may write, or
//! without a cause, the code is W06. If it ends in arguments of callers outside the module, there is no diagnosis.
//!
//! One diagnosis for each block and code, at the first such instruction of the block, and one for each operand. Derivatives are checked if
//! a fragment shader, or nothing in the module, calls the function. Near-linear: only the first diagnoses of a code have paths.

mod causes;
mod deciding;
mod judge;
mod loads;
mod parting;
mod requirement;

use reconverge_analysis::uniformity::Scope;
use reconverge_ir::{Block, Function, Inst};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::ExecutionModel;

use crate::path::shortened;
use crate::program::{Found, Program, Report, reached};
use crate::vocabulary::entry_points;
use crate::{Code, Step};
use judge::{Broken, Certainty, Judge};
use loads::Loads;
use requirement::{Requirement, requirements};

const CODES: [Code; 6] = [Code::W01, Code::W02, Code::W03, Code::W04, Code::W05, Code::W06];
/// The number of diagnoses of one code that have a path.
const PATH_LIMIT: usize = 64;

/// An instruction with a requirement.
struct Asked {
    inst: Inst,
    block: Block,
    function: Function,
    requirement: Requirement,
}

/// Finds what must be uniform but is not.
pub(crate) fn check(program: &Program<'_>, report: &mut Report) {
    if !program.options.any(&CODES) {
        return;
    }
    let asked = all_asked(program);
    if asked.is_empty() {
        return;
    }
    let loads = Loads::compute(program);
    for scope in Scope::ALL {
        let mut asked = asked.iter().filter(|asked| asked.requirement.scope == scope).peekable();
        if asked.peek().is_none() {
            continue;
        }
        let mut judge = Judge::new(program, &loads, scope);
        let mut by_evidence: Option<Judge<'_, '_>> = None;
        let mut told: FxHashSet<(Block, Code)> = FxHashSet::default();
        let mut paths: FxHashMap<Code, usize> = FxHashMap::default();
        for asked in asked {
            let Some(mut broken) = judge.broken(asked) else { continue };
            if needs_evidence(program, &broken, asked) {
                let judge = by_evidence.get_or_insert_with(|| Judge::by_evidence(program, &loads, scope));
                let shown = judge.broken(asked).filter(|broken| broken.certainty(program.module) == Certainty::Shown);
                broken = shown.unwrap_or(broken);
            }
            let Some(code) = code(program, &broken, asked) else { continue };
            if asked.requirement.operand.is_none() && !told.insert((asked.block, code)) {
                continue;
            }
            let count = paths.entry(code).or_insert(0);
            *count += 1;
            let path = if *count <= PATH_LIMIT { path(program, asked, &broken) } else { Vec::new() };
            report.add(program, Found { code, inst: asked.inst, message: message(program, asked), path });
        }
    }
}

/// Returns whether the code depends on whether lanes are shown to differ, and the first chain of causes does not show it. Another may.
fn needs_evidence(program: &Program<'_>, broken: &Broken, asked: &Asked) -> bool {
    matches!(asked.requirement.code, Code::W01 | Code::W04) && broken.certainty(program.module) != Certainty::Shown
}

/// The code of a diagnosis, if there is one.
fn code(program: &Program<'_>, broken: &Broken, asked: &Asked) -> Option<Code> {
    match (broken.certainty(program.module), asked.requirement.code) {
        (Certainty::Outside, _) => None,
        (Certainty::Open, Code::W01 | Code::W04) => Some(Code::W06),
        (_, code) => Some(code),
    }
}

fn path(program: &Program<'_>, asked: &Asked, broken: &Broken) -> Vec<Step> {
    let decides = broken.decides.and_then(|block| {
        let end = program.module.terminator(block)?;
        let text = format!("this branch decides whether control reaches {}", program.name(asked.block.into()));
        Some(Step { inst: end.into(), text })
    });
    let steps = decides.into_iter().chain(causes::told(program, &broken.chain));
    shortened(steps.collect())
}

/// All requirements, in program order.
fn all_asked(program: &Program<'_>) -> Vec<Asked> {
    let module = program.module;
    let fragment = fragment_functions(program);
    let mut all = Vec::new();
    for (number, flow) in program.flows.iter().enumerate() {
        for &block in flow.whole.blocks() {
            let is_reachable = flow.whole.find(block).is_some_and(|node| flow.is_reachable(node));
            if !is_reachable {
                continue;
            }
            for inst in module.children(block) {
                let is_wanted = |asked: &Requirement| match asked.code {
                    Code::W01 | Code::W04 => program.options.any(&[asked.code, Code::W06]),
                    Code::W02 => program.options.any(&[Code::W02]) && fragment[number],
                    code => program.options.any(&[code]),
                };
                let wanted = requirements(module, inst).into_iter().filter(is_wanted);
                all.extend(wanted.map(|requirement| Asked { inst, block, function: flow.function, requirement }));
            }
        }
    }
    all
}

/// For each function, whether a fragment shader may call it, or no entry point does.
fn fragment_functions(program: &Program<'_>) -> Vec<bool> {
    let module = program.module;
    let fragments = entry_points(module).filter(|entry| entry.execution_model == Some(ExecutionModel::Fragment));
    let functions = fragments.filter_map(|entry| module.cast(entry.function));
    let fragment = reached(functions.filter_map(|function| program.number(function)), &program.calls);
    fragment.into_iter().zip(&program.is_entered).map(|(fragment, entered)| fragment || !entered).collect()
}

fn message(program: &Program<'_>, asked: &Asked) -> String {
    let op = program.module.op(asked.inst).name();
    let scope = match asked.requirement.scope {
        Scope::Draw => "draw call".to_owned(),
        scope => scope.to_string(),
    };
    match asked.requirement.operand {
        None => format!("`{op}` must be executed by every invocation of the {scope}, but some may not reach it"),
        Some(operand) => {
            let value = program.module.operands(asked.inst).nth(operand);
            let value = value.map_or_else(|| "an operand".to_owned(), |value| program.name(value));
            format!("{value} must be the same for every invocation of the {scope} in `{op}`, but may differ")
        }
    }
}
