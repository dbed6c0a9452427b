//! T5: whether the checkers detect small mutations.
//!
//! Valid plans and valid modules are mutated in one place. A mutated plan must violate a rule, or differ in a trace, or be equivalent to
//! the original (these are counted). A mutated module is checked by our reader and verifier and by spirv-val: they must agree, except for
//! the differences in [`GAPS`].

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Stage, text};
use reconverge_plan_check::{rules, trace};
use reconverge_spirv::{ReadOptions, WriteOptions, read, write};
use reconverge_structurize::{Case, Edge, Merge, Options, Plan, PlanBlock, Selector, Terminator, structurize};
use reconverge_verify::verify;

use super::plan::{Verdict, to_lists};
use super::pool::{Effort, in_parallel};
use super::tally::{Fault, FaultKind, Tally};
use crate::generators::tortured::tortured;
use crate::judge::{Environment, Validator};
use crate::opcode::{BRANCH, BRANCH_CONDITIONAL, LABEL, LOOP_MERGE, SELECTION_MERGE, SWITCH};
use crate::program_from_graph::with_calls;
use crate::random::{Random, mix};

/// Mutations per plan.
const TIMES: usize = 8;

/// A mutation of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Damage {
    RetargetEdge,
    SwapMerges,
    DropMerge,
    MoveContinue,
    SwapArms,
    SwapCases,
    DropSelector,
    WrongSelector,
    LoseEdge,
}

impl Damage {
    const ALL: [Damage; 9] = [
        Damage::RetargetEdge,
        Damage::SwapMerges,
        Damage::DropMerge,
        Damage::MoveContinue,
        Damage::SwapArms,
        Damage::SwapCases,
        Damage::DropSelector,
        Damage::WrongSelector,
        Damage::LoseEdge,
    ];

    /// Mutations that are never equivalent to the original.
    fn is_always_wrong(self) -> bool {
        matches!(self, Damage::DropSelector | Damage::LoseEdge | Damage::SwapMerges)
    }
}

/// Mutates plans of seeds from the effort's seed times 2³² on.
pub fn run_plans(effort: &Effort) -> Tally {
    let pieces = usize::try_from(effort.tries.div_ceil(TIMES as u64)).unwrap_or(usize::MAX);
    in_parallel(pieces, effort, |piece, worker| {
        let seed = (effort.seed << 32) + piece as u64;
        let graph = tortured(seed, 4 + (mix(seed) % 20) as usize);
        let lists = to_lists(&graph);
        let Ok(plan) = structurize(&lists, &Options::default()) else { return };
        let mut random = Random::new(seed);
        for _ in 0..TIMES {
            let damage = *random.choose(&Damage::ALL);
            let Some(wrong) = damaged(&plan, damage, &mut random).filter(|wrong| wrong.blocks != plan.blocks) else {
                continue;
            };
            let mut seen = "";
            worker.attempt(
                || format!("seed {seed}, {damage:?}\n  {graph}"),
                || {
                    seen = match (rules::check(&lists, &wrong), trace::compare(&lists, &wrong)) {
                        (Err(_), _) => "breaks a rule",
                        (Ok(()), Err(_)) => "differs in a trace",
                        (Ok(()), Ok(_)) => "is harmless",
                    };
                    match seen == "is harmless" && damage.is_always_wrong() {
                        true => Verdict::Fault(Fault::new(
                            FaultKind::Invalid,
                            format!("seed {seed}: {damage:?} is not seen\n  {graph}"),
                        )),
                        false => Verdict::Fine { before: 1, after: 1, is_complete: true },
                    }
                },
            );
            worker.tally.count(&format!("{damage:?} {seen}"), 1);
        }
    })
}

/// The plan with a mutation, if it is applicable.
fn damaged(plan: &Plan, damage: Damage, random: &mut Random) -> Option<Plan> {
    let mut wrong = plan.clone();
    let count = plan.blocks.len();
    let order: Vec<usize> = (0..count).map(|index| (index + random.word() as usize % count) % count).collect();
    let is_done = order.iter().any(|&at| damage_block(&mut wrong, at, damage, random));
    is_done.then_some(wrong)
}

fn damage_block(plan: &mut Plan, at: usize, damage: Damage, random: &mut Random) -> bool {
    let count = plan.blocks.len();
    let other = PlanBlock::new(random.below(count));
    let second = random.below(count);
    let merge_of_second = plan.blocks[second].merge;
    let block = &mut plan.blocks[at];
    let index = random.below(8);
    match (damage, &mut block.merge, &mut block.terminator) {
        (Damage::RetargetEdge, _, terminator) => {
            let edge = edges(terminator).into_iter().nth(index % 2);
            edge.is_some_and(|edge| std::mem::replace(&mut edge.target, other) != other)
        }
        (Damage::SwapMerges, Merge::Selection { merge } | Merge::Loop { merge, .. }, _) if second != at => {
            match merge_of_second {
                Merge::Selection { merge: theirs } | Merge::Loop { merge: theirs, .. } => *merge = theirs,
                Merge::None => return false,
            }
            true
        }
        (Damage::DropMerge, merge @ (Merge::Selection { .. } | Merge::Loop { .. }), _) => {
            *merge = Merge::None;
            true
        }
        (Damage::MoveContinue, Merge::Loop { continue_target, .. }, _) => {
            std::mem::replace(continue_target, other) != other
        }
        (Damage::SwapArms, _, Terminator::Conditional { then, otherwise, .. }) => {
            std::mem::swap(&mut then.target, &mut otherwise.target);
            true
        }
        (Damage::SwapCases, _, Terminator::Switch { cases, .. }) if cases.len() > 1 => {
            let last = cases.len() - 1;
            let (one, two) = (cases[0].0, cases[last].0);
            (cases[0].0, cases[last].0) = (two, one);
            !matches!((one, two), (Case::Input { .. }, Case::Selector(_)))
        }
        (Damage::DropSelector, _, _) if block.has_selector => {
            block.has_selector = false;
            true
        }
        (Damage::WrongSelector, _, terminator) => edges(terminator).into_iter().any(|edge| match &mut edge.selector {
            Some(Selector::Constant(number)) => {
                *number += 1;
                true
            }
            _ => false,
        }),
        (Damage::LoseEdge, _, terminator) => edges(terminator).into_iter().any(|edge| edge.carries.pop().is_some()),
        _ => false,
    }
}

fn edges(terminator: &mut Terminator) -> Vec<&mut Edge> {
    match terminator {
        Terminator::Exit | Terminator::Unreachable => Vec::new(),
        Terminator::Branch(edge) => vec![edge],
        Terminator::Conditional { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { default, cases, .. } => {
            std::iter::once(default).chain(cases.iter_mut().map(|(_, edge)| edge)).collect()
        }
    }
}

/// A known difference between the verifier and spirv-val.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// The checker that rejects alone.
    pub who: &'static str,
    /// Words of its message.
    pub words: &'static str,
    /// True if it applies only to modules with an unreachable header.
    pub needs_unreached_header: bool,
    /// The reason.
    pub why: &'static str,
}

/// The known differences between the verifier and spirv-val (v2025.5).
pub const GAPS: [Gap; 4] = [
    Gap {
        who: "we alone",
        words: "R34",
        needs_unreached_header: false,
        why: "spirv-val does not ask that literals of one case stand together",
    },
    Gap {
        who: "we alone",
        words: "R16",
        needs_unreached_header: false,
        why: "spirv-val takes a block that it has met before for a merge block",
    },
    Gap {
        who: "spirv-val alone",
        words: "does not structurally dominate its case construct",
        needs_unreached_header: false,
        why: "a case that is a merge block is read with an edge block in between, which makes it right",
    },
    Gap {
        who: "spirv-val alone",
        words: "Selection must be structured",
        needs_unreached_header: true,
        why: "the merge block of a header that control never reaches counts for us",
    },
];

/// Mutates modules of seeds from the effort's seed times 2³² on.
pub fn run_modules(effort: &Effort, validator: &Validator) -> Tally {
    let pieces = usize::try_from(effort.tries.div_ceil(TIMES as u64)).unwrap_or(usize::MAX);
    in_parallel(pieces, effort, |piece, worker| {
        let seed = (effort.seed << 32) + piece as u64;
        let graph = tortured(seed, 3 + (mix(seed) % 9) as usize);
        let mut filled = with_calls(std::slice::from_ref(&graph), seed);
        if reconverge_restructure::structurize(&mut filled.module, filled.functions[0], &Options::default()).is_err() {
            return;
        }
        let Ok(bytes) = write(&filled.module, &WriteOptions::default()) else { return };
        let mut random = Random::new(seed);
        for _ in 0..TIMES {
            let Some((what, wrong)) = damaged_words(&bytes, &mut random) else { continue };
            let mut seen = String::new();
            worker.attempt(
                || format!("seed {seed}, {what}\n  {graph}"),
                || {
                    let (ours, theirs) = (our_verdict(&wrong), validator.validate(&wrong, Environment::Universal));
                    let verdict;
                    (seen, verdict) = compare_verdicts(&wrong, &ours, &theirs);
                    match verdict {
                        Some(message) => Verdict::Fault(Fault::new(
                            FaultKind::Unequal,
                            format!("seed {seed}, {what}: {message}\n  {graph}\n{}", printed(&wrong)),
                        )),
                        None => Verdict::Fine { before: 1, after: 1, is_complete: true },
                    }
                },
            );
            worker.tally.count(&format!("{what}: {seen}"), 1);
        }
    })
}

/// The result, in a word, and a message if it is a new difference.
fn compare_verdicts(bytes: &[u8], ours: &Result<(), String>, theirs: &Result<(), String>) -> (String, Option<String>) {
    let (who, reason) = match (ours, theirs) {
        (Ok(()), Ok(())) => return ("both accept".to_owned(), None),
        (Err(_), Err(_)) => return ("both refuse".to_owned(), None),
        (Err(reason), Ok(())) => ("we alone", reason),
        (Ok(()), Err(reason)) => ("spirv-val alone", reason),
    };
    let gap = GAPS.iter().find(|gap| {
        gap.who == who && reason.contains(gap.words) && (!gap.needs_unreached_header || has_unreached_header(bytes))
    });
    match gap {
        Some(gap) => (format!("{who} refuse: {}", gap.why), None),
        None => (format!("{who} refuse"), Some(format!("{who} refuse: {reason}"))),
    }
}

fn has_unreached_header(bytes: &[u8]) -> bool {
    let Ok(module) = read(bytes, &ReadOptions::default()) else { return false };
    module.functions().filter(|&function| module.entry(function).is_some()).any(|function| {
        let flow = FlowGraph::compute(&module, function);
        let (order, _) = flow.dominators();
        let reached: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
        let is_header = |block: &Block| {
            module.terminator(*block).is_some_and(|terminator| module.merge_block(terminator).is_some())
        };
        module.blocks(function).any(|block| !reached.contains(&block) && is_header(&block))
    })
}

fn our_verdict(bytes: &[u8]) -> Result<(), String> {
    let mut module = read(bytes, &ReadOptions::default()).map_err(|error| error.to_string())?;
    // A function without merges is read as unstructured.
    for function in module.functions().collect::<Vec<_>>() {
        module.edit().set_stage(function, Stage::Structured);
    }
    match verify(&module).first() {
        None => Ok(()),
        Some(finding) => Err(format!("{}: {}", finding.code, finding.message)),
    }
}

/// The module as text, if it can be read.
fn printed(bytes: &[u8]) -> String {
    read(bytes, &ReadOptions::default()).map_or_else(|error| error.to_string(), |module| text::print(&module))
}

/// A SPIR-V file of one function with one mutation of its control flow, and a description.
fn damaged_words(bytes: &[u8], random: &mut Random) -> Option<(&'static str, Vec<u8>)> {
    let mut words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut found = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let (op, length) = (words[at] & 0xFFFF, (words[at] >> 16) as usize);
        found.push((at, op, length));
        at += length;
    }
    let labels: Vec<u32> = found.iter().filter(|one| one.1 == LABEL).map(|one| words[one.0 + 1]).collect();
    let is_control = |one: &&(usize, u32, usize)| (LOOP_MERGE..=SWITCH).contains(&one.1) && one.1 != LABEL;
    let control: Vec<_> = found.iter().filter(is_control).copied().collect();
    if control.is_empty() {
        return None;
    }
    let (at, op, length) = *random.choose(&control);
    let label = *random.choose(&labels);
    let what = match (op, random.below(3)) {
        (BRANCH, _) => put(&mut words, at + 1, label, "branch elsewhere"),
        (BRANCH_CONDITIONAL, 0) => {
            words.swap(at + 2, at + 3);
            "arms swapped"
        }
        (BRANCH_CONDITIONAL, side) => put(&mut words, at + 1 + side, label, "conditional branch elsewhere"),
        (SWITCH, 0) if length > 5 => {
            words.swap(at + 4, at + length - 1);
            "cases swapped"
        }
        (SWITCH, _) => {
            let row = random.below((length - 1) / 2);
            put(&mut words, at + 2 + 2 * row, label, "case elsewhere")
        }
        (LOOP_MERGE, 0) => {
            words.swap(at + 1, at + 2);
            "merge and continue swapped"
        }
        (LOOP_MERGE, 1) => put(&mut words, at + 2, label, "continue elsewhere"),
        (SELECTION_MERGE, 0 | 1) => put(&mut words, at + 1, label, "selection merge elsewhere"),
        (LOOP_MERGE, _) => {
            words.drain(at..at + length);
            "loop merge dropped"
        }
        _ => {
            words.drain(at..at + length);
            "selection merge dropped"
        }
    };
    Some((what, words.into_iter().flat_map(u32::to_le_bytes).collect()))
}

fn put(words: &mut [u32], at: usize, word: u32, what: &'static str) -> &'static str {
    words[at] = word;
    what
}
