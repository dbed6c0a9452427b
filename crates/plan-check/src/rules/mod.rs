//! Checker of plans, from the text of the structured control-flow rules (R1–R35, M1) and of the plan contract. It follows the definitions:
//! dominance by bit sets, constructs as sets of blocks.
//!
//! | file | contents |
//! |---|---|
//! | `contract` | the guarantees of a plan to its users |
//! | `blocks`, `exits`, `switches` | the rules, by topic |

mod blocks;
mod contract;
mod exits;
mod switches;

use std::collections::BTreeMap;

use reconverge_structurize::{Merge, Plan, Policy, Terminator};

use crate::lists::Lists;

type Set = Vec<u64>;

fn has(set: &Set, at: usize) -> bool {
    set[at / 64] >> (at % 64) & 1 == 1
}
fn add(set: &mut Set, at: usize) {
    set[at / 64] |= 1 << (at % 64);
}
fn size(set: &Set) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConstructKind {
    Selection,
    Switch,
    Loop,
    Continue,
    Case,
}

struct Construct {
    kind: ConstructKind,
    /// For a case: its first block. For a continue construct: the continue target.
    first: usize,
    /// The header of the selection, switch or loop.
    header: usize,
    merge: usize,
    set: Set,
    size: usize,
}

struct PlanFacts<'a> {
    plan: &'a Plan,
    count: usize,
    edges: Vec<(usize, usize)>,
    structural: Vec<Vec<usize>>,
    /// `dominated[a]`: blocks that `a` structurally dominates.
    dominated: Vec<Set>,
    constructs: Vec<Construct>,
    /// Source of the only back edge of each header.
    back: BTreeMap<usize, usize>,
}

macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}
use ensure;

/// Checks the contract, then the rules.
///
/// # Errors
/// The first rule that does not hold, with the blocks that break it.
pub fn check(graph: &Lists, plan: &Plan) -> Result<(), String> {
    contract::check_contract(graph, plan)?;
    let mut facts = PlanFacts::new(plan);
    facts.check_blocks()?;
    facts.check_loops()?;
    facts.collect_constructs();
    facts.check_exits()?;
    facts.check_nesting()?;
    facts.check_switches()
}

/// The largest number of constructs around a block of a valid plan.
pub fn nesting(plan: &Plan) -> usize {
    let mut facts = PlanFacts::new(plan);
    facts.check_loops().expect("a valid plan");
    facts.collect_constructs();
    let real = |construct: &&Construct| {
        matches!(construct.kind, ConstructKind::Selection | ConstructKind::Switch | ConstructKind::Loop)
    };
    let around = |block: usize| facts.constructs.iter().filter(real).filter(|one| has(&one.set, block)).count();
    (0..facts.count).map(around).max().unwrap_or(0)
}

/// Checks the rules of a policy on a valid plan: under [`Policy::Flat`] no edge leaves more than one construct; under [`Policy::Wgsl`] no
/// edge breaks a loop from a switch inside it, no case falls through to another, and at most 62 constructs nest.
///
/// # Errors
/// The first edge that the policy does not allow.
pub fn check_policy(plan: &Plan, policy: Policy) -> Result<(), String> {
    let mut facts = PlanFacts::new(plan);
    facts.check_loops()?;
    facts.collect_constructs();
    for &(from, to) in &facts.edges {
        let leaves = |one: &&Construct| has(&one.set, from) && !has(&one.set, to);
        let is_real = |one: &&Construct| {
            matches!(one.kind, ConstructKind::Selection | ConstructKind::Switch | ConstructKind::Loop)
        };
        let left = facts.constructs.iter().filter(is_real).filter(leaves);
        match policy {
            Policy::Spirv | Policy::Bare => {}
            Policy::Flat => ensure!(left.count() <= 1, "flat: p{from} → p{to} leaves several constructs"),
            Policy::Wgsl => {
                let looped = left.clone().find(|one| one.kind == ConstructKind::Loop && one.merge == to);
                let switched = left.clone().find(|one| one.kind == ConstructKind::Switch && one.merge != to);
                ensure!(looped.is_none() || switched.is_none(), "wgsl: p{from} → p{to} breaks a loop out of a switch");
                let enters = facts.constructs.iter().find(|one| one.kind == ConstructKind::Case && one.first == to);
                let falls = enters.is_some_and(|one| one.header != from && !has(&one.set, from));
                ensure!(!falls, "wgsl: p{from} → p{to} goes on into a case");
            }
        }
    }
    ensure!(policy != Policy::Wgsl || nesting(plan) <= 62, "wgsl: {} constructs nest", nesting(plan));
    Ok(())
}

fn targets(plan: &Plan, block: usize) -> Vec<usize> {
    plan.blocks[block].terminator.edges().map(|edge| edge.target.index()).collect()
}

/// `result[a]` contains the blocks that every path from block 0 reaches only through `a`, for reachable ones.
fn compute_dominated(count: usize, successors: &[Vec<usize>]) -> Vec<Set> {
    let words = count.div_ceil(64);
    let mut above: Vec<Option<Set>> = vec![None; count];
    let mut first = vec![0; words];
    add(&mut first, 0);
    above[0] = Some(first);
    let mut order = std::collections::BTreeSet::from([0]);
    while let Some(at) = order.pop_first() {
        let own = above[at].clone().expect("reached");
        for &target in &successors[at] {
            let mut set = own.clone();
            if let Some(old) = &above[target] {
                for (word, other) in set.iter_mut().zip(old) {
                    *word &= other;
                }
            }
            add(&mut set, target);
            if above[target].as_ref() != Some(&set) {
                above[target] = Some(set);
                order.insert(target);
            }
        }
    }
    let mut dominated = vec![vec![0; words]; count];
    for (block, set) in above.iter().enumerate() {
        let Some(set) = set else { continue };
        for (dominator, list) in dominated.iter_mut().enumerate() {
            if has(set, dominator) {
                add(list, block);
            }
        }
    }
    dominated
}

impl<'a> PlanFacts<'a> {
    fn new(plan: &'a Plan) -> Self {
        let count = plan.blocks.len();
        let mut structural: Vec<Vec<usize>> = Vec::new();
        let mut edges = Vec::new();
        for block in 0..count {
            let mut list = targets(plan, block);
            list.sort_unstable();
            list.dedup();
            edges.extend(list.iter().map(|&target| (block, target)));
            match plan.blocks[block].merge {
                Merge::None => {}
                Merge::Selection { merge } => list.push(merge.index()),
                Merge::Loop { merge, continue_target } => list.extend([merge.index(), continue_target.index()]),
            }
            structural.push(list);
        }
        let dominated = compute_dominated(count, &structural);
        Self { plan, count, edges, structural, dominated, constructs: Vec::new(), back: BTreeMap::new() }
    }

    fn dominates(&self, above: usize, below: usize) -> bool {
        has(&self.dominated[above], below)
    }

    fn collect_constructs(&mut self) {
        let minus = |left: &Set, right: &Set| -> Set { left.iter().zip(right).map(|(a, b)| a & !b).collect() };
        for header in 0..self.count {
            let block = &self.plan.blocks[header];
            match block.merge {
                Merge::None => {}
                Merge::Selection { merge } => {
                    let merge = merge.index();
                    let set = minus(&self.dominated[header], &self.dominated[merge]);
                    let is_switch = matches!(block.terminator, Terminator::Switch { .. });
                    let kind = if is_switch { ConstructKind::Switch } else { ConstructKind::Selection };
                    self.push(kind, [header, header, merge], set);
                    if is_switch {
                        let mut cases = targets(self.plan, header);
                        cases.sort_unstable();
                        cases.dedup();
                        for case in cases.into_iter().filter(|&case| case != merge) {
                            let set = minus(&self.dominated[case], &self.dominated[merge]);
                            self.push(ConstructKind::Case, [case, header, merge], set);
                        }
                    }
                }
                Merge::Loop { merge, continue_target } => {
                    let (merge, target, back) = (merge.index(), continue_target.index(), self.back[&header]);
                    let mut inside = self.dominated[target].clone();
                    for block in 0..self.count {
                        if has(&inside, block) && !self.post_dominated(block, back) {
                            inside[block / 64] &= !(1 << (block % 64));
                        }
                    }
                    let body = minus(&minus(&self.dominated[header], &inside), &self.dominated[merge]);
                    // A loop of one block is its own continue construct.
                    if target != header {
                        self.push(ConstructKind::Continue, [target, header, merge], inside);
                        self.push(ConstructKind::Loop, [header, header, merge], body);
                    } else {
                        self.push(ConstructKind::Loop, [header, header, merge], inside);
                    }
                }
            }
        }
    }

    fn push(&mut self, kind: ConstructKind, [first, header, merge]: [usize; 3], set: Set) {
        let size = size(&set);
        self.constructs.push(Construct { kind, first, header, merge, set, size });
    }
}
