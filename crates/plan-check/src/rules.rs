//! Checker of plans, from the text of the structured control-flow rules (R1–R35, M1) and of the plan
//! contract. Everything by definition: dominance by bit sets, constructs as sets of blocks.

use std::collections::BTreeMap;

use reconverge_structurize::{Carried, Case, InputBlock, Merge, Origin, Plan, Policy, Selector, Terminator, Test};

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
enum Kind {
    Selection,
    Switch,
    Loop,
    Continue,
    Case,
}

struct Construct {
    kind: Kind,
    /// For a case: its first block. For a continue construct: the continue target.
    first: usize,
    /// The header of the selection, switch or loop.
    header: usize,
    merge: usize,
    set: Set,
    size: usize,
}

struct Facts<'a> {
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

/// Checks everything: the contract first, then the rules.
///
/// # Errors
/// The first rule that does not hold, with the blocks that break it.
pub fn check(graph: &Lists, plan: &Plan) -> Result<(), String> {
    check_contract(graph, plan)?;
    let mut facts = Facts::new(plan);
    facts.check_blocks()?;
    facts.check_loops()?;
    facts.collect_constructs();
    facts.check_exits()?;
    facts.check_nesting()?;
    facts.check_switches()
}

/// Greatest number of constructs around a block of a valid plan.
pub fn nesting(plan: &Plan) -> usize {
    let mut facts = Facts::new(plan);
    facts.check_loops().expect("a valid plan");
    facts.collect_constructs();
    let real = |construct: &&Construct| matches!(construct.kind, Kind::Selection | Kind::Switch | Kind::Loop);
    let around = |block: usize| facts.constructs.iter().filter(real).filter(|one| has(&one.set, block)).count();
    (0..facts.count).map(around).max().unwrap_or(0)
}

/// Checks what a policy says of a valid plan: under [`Policy::Flat`] no edge leaves more than one construct; under [`Policy::Wgsl`] no
/// edge breaks a loop from a switch inside of it, no case goes on into another, and at most 62 constructs nest.
///
/// # Errors
/// The first edge that the policy does not allow.
pub fn check_policy(plan: &Plan, policy: Policy) -> Result<(), String> {
    let mut facts = Facts::new(plan);
    facts.check_loops()?;
    facts.collect_constructs();
    for &(from, to) in &facts.edges {
        let leaves = |one: &&Construct| has(&one.set, from) && !has(&one.set, to);
        let is_real = |one: &&Construct| matches!(one.kind, Kind::Selection | Kind::Switch | Kind::Loop);
        let left = facts.constructs.iter().filter(is_real).filter(leaves);
        match policy {
            Policy::Spirv => {}
            Policy::Flat => ensure!(left.count() <= 1, "flat: p{from} → p{to} leaves several constructs"),
            Policy::Wgsl => {
                let looped = left.clone().find(|one| one.kind == Kind::Loop && one.merge == to);
                let switched = left.clone().find(|one| one.kind == Kind::Switch && one.merge != to);
                ensure!(looped.is_none() || switched.is_none(), "wgsl: p{from} → p{to} breaks a loop out of a switch");
                let enters = facts.constructs.iter().find(|one| one.kind == Kind::Case && one.first == to);
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

/// `result[a]` holds the blocks every path from block 0 to which passes `a`, for reachable ones.
fn compute_dominated(count: usize, successors: &[Vec<usize>]) -> Vec<Set> {
    let words = count.div_ceil(64);
    let mut above: Vec<Option<Set>> = vec![None; count];
    let mut first = vec![0; words];
    add(&mut first, 0);
    above[0] = Some(first);
    let mut worklist = vec![0];
    let mut order = std::collections::BTreeSet::from([0]);
    worklist.clear();
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

fn check_contract(graph: &Lists, plan: &Plan) -> Result<(), String> {
    let mut times = vec![0; graph.successors.len()];
    let mut home = vec![usize::MAX; graph.successors.len()];
    for (index, block) in plan.blocks.iter().enumerate() {
        if let Origin::Input(input) = block.origin {
            times[input.index()] += 1;
            home[input.index()] = index;
        }
    }
    let reachable = graph.reachable();
    for (block, &times) in times.iter().enumerate() {
        ensure!(times == usize::from(reachable[block]), "b{block} is placed {times} times");
    }
    let branches: Vec<Vec<usize>> = (0..plan.blocks.len()).map(|block| targets(plan, block)).collect();
    let dominated = compute_dominated(plan.blocks.len(), &branches);
    let mut carried: BTreeMap<Carried, usize> = BTreeMap::new();
    for (index, block) in plan.blocks.iter().enumerate() {
        let is_live = has(&dominated[0], index);
        let deciding = match (block.terminator.test(), &block.origin) {
            (Some(Test::Input(input)), _) | (None | Some(Test::Zero), &Origin::Input(input)) => Some(input),
            _ => None,
        };
        if let Some(Test::Selector { block: other, .. } | Test::SelectorValue { block: other }) =
            block.terminator.test()
        {
            ensure!(plan.blocks[other.index()].has_selector, "p{index} tests {other}, which has no selector");
            ensure!(
                !is_live || has(&dominated[other.index()], index),
                "p{index} tests {other}, which does not dominate"
            );
        }
        if let Some(input) = deciding {
            ensure!(!is_live || has(&dominated[home[input.index()]], index), "{input} does not dominate its decision");
        }
        for edge in block.terminator.edges() {
            let wants = plan.blocks[edge.target.index()].has_selector;
            ensure!(edge.selector.is_some() == wants, "p{index} → {}: selector wanted {wants}", edge.target);
            for &one in &edge.carries {
                ensure!(Some(one.source) == deciding, "p{index} carries {one}");
                *carried.entry(one).or_default() += 1;
            }
            match &edge.selector {
                Some(Selector::Choose(list)) => {
                    ensure!(list.len() == edge.carries.len(), "p{index}: choices not parallel to what is carried");
                }
                Some(Selector::Forward { block: other } | Selector::Translate { block: other, .. }) => {
                    ensure!(
                        plan.blocks[other.index()].has_selector,
                        "p{index} forwards {other}, which has no selector"
                    );
                    let dominates = has(&dominated[other.index()], index);
                    ensure!(!is_live || dominates, "p{index} forwards {other}, which does not dominate");
                }
                _ => {}
            }
        }
        if let Terminator::Switch { test, default, cases } = &block.terminator {
            for (number, (case, edge)) in cases.iter().enumerate() {
                ensure!(edge.target != default.target, "p{index}: a row has the default's target");
                ensure!(cases[..number].iter().all(|(other, _)| other != case), "p{index}: equal literals");
                let fits = match (test, case) {
                    (Test::Input(_), Case::Input { successor }) => *successor > 0,
                    (Test::SelectorValue { .. }, Case::Selector(_)) => true,
                    _ => false,
                };
                ensure!(fits, "p{index}: {case:?} for {test:?}");
            }
        }
    }
    for (source, list) in graph.successors.iter().enumerate() {
        for successor in 0..list.len() {
            let edge = Carried { source: InputBlock::new(source), successor: successor as u32 };
            let times = carried.get(&edge).copied().unwrap_or(0);
            ensure!(times == usize::from(reachable[source]), "{edge} is carried {times} times");
        }
    }
    Ok(())
}

impl<'a> Facts<'a> {
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

    fn check_blocks(&self) -> Result<(), String> {
        let blocks = &self.plan.blocks;
        ensure!(self.edges.iter().all(|&(_, target)| target != 0), "R1: the entry is branched to");
        let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
        let mut landings = vec![false; self.count];
        for (index, block) in blocks.iter().enumerate() {
            ensure!(self.dominates(0, index), "R36: p{index} is unreachable");
            let is_first = self.dominated[index].iter().enumerate().all(|(word, &bits)| {
                let before = index.saturating_sub(64 * word).min(64);
                before == 0 || bits << (64 - before) == 0
            });
            ensure!(is_first, "R3: p{index} stands behind a block that it dominates");
            let merge = match (block.merge, &block.terminator) {
                (Merge::None, Terminator::Switch { .. }) => return Err(format!("R15: p{index}")),
                (Merge::Loop { .. }, Terminator::Switch { .. } | Terminator::Exit | Terminator::Unreachable) => {
                    return Err(format!("R11: loop merge at p{index}"));
                }
                (Merge::Selection { .. }, Terminator::Branch(_) | Terminator::Exit | Terminator::Unreachable) => {
                    return Err(format!("R11: selection merge at p{index}"));
                }
                (Merge::None, _) => None,
                (Merge::Selection { merge }, _) => Some(merge.index()),
                (Merge::Loop { merge, continue_target }, _) => {
                    ensure!(merge != continue_target, "R12: p{index}");
                    ensure!(self.dominates(index, continue_target.index()), "R20: p{index}");
                    landings[continue_target.index()] = true;
                    landings[index] = true;
                    Some(merge.index())
                }
            };
            if let Some(merge) = merge {
                ensure!(merge != index && self.dominates(index, merge), "R18: p{index} and its merge p{merge}");
                let other = owner.insert(merge, index);
                ensure!(other.is_none(), "R17: p{merge} is the merge of p{index} and {other:?}");
                landings[merge] = true;
            }
            if let Terminator::Switch { .. } = block.terminator {
                for target in targets(self.plan, index) {
                    landings[target] = true;
                }
            }
        }
        // Merge blocks and continue targets, which are what a branch without a merge may go to.
        let mut is_named = vec![false; self.count];
        for block in blocks {
            match block.merge {
                Merge::None => {}
                Merge::Selection { merge } => is_named[merge.index()] = true,
                Merge::Loop { merge, continue_target } => {
                    is_named[merge.index()] = true;
                    is_named[continue_target.index()] = true;
                }
            }
        }
        let mut sources = vec![0; self.count];
        self.edges.iter().for_each(|&(_, target)| sources[target] += 1);
        for (index, block) in blocks.iter().enumerate() {
            if let Terminator::Conditional { then, otherwise, .. } = &block.terminator {
                ensure!(then.target != otherwise.target, "R8: p{index}");
                let is_header = matches!(block.merge, Merge::Selection { .. });
                let has_landing = is_named[then.target.index()] || is_named[otherwise.target.index()];
                ensure!(is_header || has_landing, "R16: p{index}");
            }
            let sources = sources[index];
            ensure!(sources < 2 || landings[index], "M1: p{index} has {sources} predecessors");
        }
        Ok(())
    }

    fn check_loops(&mut self) -> Result<(), String> {
        for &(source, target) in &self.edges {
            if self.dominates(target, source) {
                ensure!(matches!(self.plan.blocks[target].merge, Merge::Loop { .. }), "R14: p{source} → p{target}");
                let other = self.back.insert(target, source);
                ensure!(other.is_none(), "R19: two back edges to p{target}");
            }
        }
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let Merge::Loop { continue_target, .. } = block.merge else { continue };
            let Some(&back) = self.back.get(&index) else { return Err(format!("R19: no back edge to p{index}")) };
            let target = continue_target.index();
            ensure!(self.dominates(target, back), "R21: p{target} and p{back}");
            ensure!(self.post_dominated(target, back), "R22: p{back} and p{target}");
        }
        // R23: without back edges the structural graph has no cycle.
        let mut indegree = vec![0; self.count];
        let forward = |from: usize, to: usize| !self.dominates(to, from);
        for (from, list) in self.structural.iter().enumerate() {
            for &to in list.iter().filter(|&&to| forward(from, to)) {
                indegree[to] += 1;
            }
        }
        let mut stack: Vec<usize> = (0..self.count).filter(|&block| indegree[block] == 0).collect();
        let mut done = 0;
        while let Some(from) = stack.pop() {
            done += 1;
            for &to in self.structural[from].iter().filter(|&&to| forward(from, to)) {
                indegree[to] -= 1;
                if indegree[to] == 0 {
                    stack.push(to);
                }
            }
        }
        ensure!(done == self.count, "R23: irreducible");
        Ok(())
    }

    /// Whether every structural path from `from` to the end of the function passes `gate`.
    fn post_dominated(&self, from: usize, gate: usize) -> bool {
        if from == gate {
            return true;
        }
        let mut seen = vec![false; self.count];
        let mut stack = vec![from];
        seen[from] = true;
        seen[gate] = true;
        while let Some(at) = stack.pop() {
            if self.structural[at].is_empty() {
                return false;
            }
            for &to in &self.structural[at] {
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push(to);
                }
            }
        }
        true
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
                    let kind = if is_switch { Kind::Switch } else { Kind::Selection };
                    self.push(kind, [header, header, merge], set);
                    if is_switch {
                        let mut cases = targets(self.plan, header);
                        cases.sort_unstable();
                        cases.dedup();
                        for case in cases.into_iter().filter(|&case| case != merge) {
                            let set = minus(&self.dominated[case], &self.dominated[merge]);
                            self.push(Kind::Case, [case, header, merge], set);
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
                        self.push(Kind::Continue, [target, header, merge], inside);
                        self.push(Kind::Loop, [header, header, merge], body);
                    } else {
                        self.push(Kind::Loop, [header, header, merge], inside);
                    }
                }
            }
        }
    }

    fn push(&mut self, kind: Kind, [first, header, merge]: [usize; 3], set: Set) {
        let size = size(&set);
        self.constructs.push(Construct { kind, first, header, merge, set, size });
    }

    fn innermost(&self, block: usize, accepts: impl Fn(&Construct) -> bool) -> Option<&Construct> {
        let around = self.constructs.iter().filter(|one| has(&one.set, block) && accepts(one));
        around.min_by_key(|one| one.size)
    }

    fn is_legal(&self, from: usize, to: usize) -> bool {
        let Some(inner) = self.innermost(from, |_| true) else { return true };
        let looped = self.innermost(from, |one| one.kind == Kind::Loop);
        let held = self.innermost(from, |one| one.kind == Kind::Continue);
        // In a continue construct, only a loop inside of it counts.
        let looped = looped.filter(|one| held.is_none_or(|held| one.size < held.size));
        let switch = self.innermost(from, |one| one.kind == Kind::Switch);
        let x1 = matches!(inner.kind, Kind::Selection | Kind::Switch) && to == inner.merge;
        let x2 = looped.is_some_and(|one| to == one.merge);
        let is_back_block = self.back.values().any(|&back| back == from);
        let target_of = |header: usize| match self.plan.blocks[header].merge {
            Merge::Loop { continue_target, .. } => continue_target.index(),
            _ => usize::MAX,
        };
        let x3 = looped.is_some_and(|one| to == target_of(one.header) && self.back[&one.header] != from);
        let x4 = self.back.get(&to) == Some(&from);
        let x5 = is_back_block
            && self.back.iter().any(|(&header, &back)| {
                let Merge::Loop { merge, .. } = self.plan.blocks[header].merge else { return false };
                back == from && merge.index() == to
            });
        let x6 = inner.kind == Kind::Case
            && self
                .constructs
                .iter()
                .any(|one| one.kind == Kind::Case && one.header == inner.header && one.first == to);
        let x7 = switch.is_some_and(|switch| {
            let crosses = |one: &&Construct| {
                matches!(one.kind, Kind::Loop | Kind::Continue)
                    && has(&one.set, from)
                    && has(&switch.set, one.header)
                    && one.header != switch.header
            };
            to == switch.merge && !self.constructs.iter().any(|one| crosses(&one))
        });
        x1 || x2 || x3 || x4 || x5 || x6 || x7
    }

    fn check_exits(&self) -> Result<(), String> {
        for &(from, to) in &self.edges {
            let mut leaves = self.constructs.iter().filter(|one| has(&one.set, from) && !has(&one.set, to));
            if leaves.next().is_some() {
                ensure!(self.is_legal(from, to), "R24: p{from} → p{to}");
            }
            for one in self.constructs.iter().filter(|one| one.kind == Kind::Continue) {
                if has(&one.set, from) && !has(&one.set, to) {
                    ensure!(to == one.header || to == one.merge, "R25: p{from} → p{to}");
                }
                if to == one.first && self.back.get(&to) != Some(&from) {
                    let body = self.constructs.iter().find(|two| two.kind == Kind::Loop && two.header == one.header);
                    ensure!(body.is_some_and(|body| has(&body.set, from)), "R26: p{from} → p{to}");
                }
            }
            for one in self.constructs.iter().filter(|one| !matches!(one.kind, Kind::Case | Kind::Continue)) {
                if has(&one.set, to) && !has(&one.set, from) {
                    ensure!(to == one.header, "R28: p{from} → p{to}");
                }
            }
        }
        Ok(())
    }

    fn check_nesting(&self) -> Result<(), String> {
        for outer in &self.constructs {
            for inner in &self.constructs {
                let is_own = inner.header == outer.header && outer.first == outer.header;
                if !is_own
                    && matches!(inner.kind, Kind::Selection | Kind::Switch | Kind::Loop)
                    && has(&outer.set, inner.header)
                {
                    let (header, merge) = (inner.header, inner.merge);
                    let holds = has(&outer.set, merge);
                    ensure!(
                        holds,
                        "R27: p{header} is in the {:?} of p{}, its merge p{merge} is not",
                        outer.kind,
                        outer.header
                    );
                }
            }
        }
        Ok(())
    }

    fn check_switches(&self) -> Result<(), String> {
        for switch in self.constructs.iter().filter(|one| one.kind == Kind::Switch) {
            let Terminator::Switch { default, cases, .. } = &self.plan.blocks[switch.header].terminator else {
                unreachable!("a switch construct has a switch");
            };
            let default = default.target.index();
            let rows: Vec<usize> = cases.iter().map(|(_, edge)| edge.target.index()).collect();
            for (index, &row) in rows.iter().enumerate() {
                let begin = rows.iter().position(|&other| other == row).expect("it is there");
                ensure!(rows[begin..index].iter().all(|&other| other == row), "R34: rows of p{row}");
            }
            let arms: Vec<&Construct> =
                self.constructs.iter().filter(|one| one.kind == Kind::Case && one.header == switch.header).collect();
            let mut into: BTreeMap<usize, usize> = BTreeMap::new();
            let mut falls: BTreeMap<usize, usize> = BTreeMap::new();
            for arm in &arms {
                ensure!(self.dominates(switch.header, arm.first), "R29: p{}", arm.first);
                let is_other_role = self.plan.blocks.iter().enumerate().any(|(header, block)| match block.merge {
                    Merge::Loop { merge, continue_target } => {
                        merge.index() == arm.first || (continue_target.index() == arm.first && header != arm.first)
                    }
                    Merge::Selection { merge } => merge.index() == arm.first,
                    Merge::None => false,
                });
                ensure!(!is_other_role, "R29: case p{} has another role", arm.first);
                for &(from, to) in &self.edges {
                    let is_case = to != arm.first && arms.iter().any(|other| other.first == to);
                    if has(&arm.set, from) && is_case && !has(&arm.set, to) {
                        let other = falls.insert(arm.first, to);
                        ensure!(other.is_none_or(|other| other == to), "R30: p{} falls into two", arm.first);
                        if other.is_none() {
                            *into.entry(to).or_default() += 1;
                        }
                    }
                }
            }
            ensure!(into.values().all(|&times| times == 1), "R31: a case of p{} is entered twice", switch.header);
            for (&from, &to) in &falls {
                let mut to = to;
                if to == default && !rows.contains(&default) {
                    match falls.get(&default) {
                        Some(&next) => to = next,
                        None => continue,
                    }
                }
                let Some(last) = rows.iter().rposition(|&row| row == from) else { continue };
                ensure!(rows.get(last + 1) == Some(&to), "R32: p{from} falls into p{to}");
            }
        }
        Ok(())
    }
}
