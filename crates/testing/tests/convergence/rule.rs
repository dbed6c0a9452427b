//! The rule for bare graphs, by its words and by brute force (`docs/convergence.md`): two lanes execute a block together exactly if
//! they are in the same iterations of all loops around it. Around a block are the natural loops that it is in, and those that its
//! dominator is in and that it belongs to as code before a break. What only leads to `unreachable` is no block that a loop is left to.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_interpret::{Observer, Step};
use reconverge_ir::{Block, Function, Inst, Module, Op};

/// What lanes executed together: by lane, each ballot with the lanes that were there.
pub(crate) type Ballots = Vec<Vec<(Inst, BTreeSet<usize>)>>;

/// Notes which blocks each lane comes through, and which ballots it executes there.
pub(crate) struct Paths<'m> {
    pub(crate) module: &'m Module,
    pub(crate) of: Vec<Vec<Block>>,
    pub(crate) ballots: Ballots,
}

impl<'m> Paths<'m> {
    pub(crate) fn new(module: &'m Module, lanes: usize) -> Paths<'m> {
        Paths { module, of: vec![Vec::new(); lanes], ballots: vec![Vec::new(); lanes] }
    }
}

impl Observer for Paths<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        if self.module.op(step.inst()) == Op::GroupNonUniformBallot {
            for &lane in step.lanes() {
                self.ballots[lane].push((step.inst(), step.lanes().iter().copied().collect()));
            }
        }
    }

    fn entered(&mut self, step: &Step<'_, '_>) {
        if self.module.op(step.block()) == Op::Block {
            step.lanes().iter().for_each(|&lane| self.of[lane].push(step.block()));
        }
    }
}

/// A graph of ordinary blocks, and by block the headers of the loops around, outermost first.
pub(crate) struct Rule {
    blocks: Vec<Block>,
    loops: BTreeMap<usize, BTreeSet<usize>>,
    around: Vec<Vec<usize>>,
    ballots: Vec<Vec<Inst>>,
}

impl Rule {
    /// The rule for a function all of whose cycles are loops; `None` where one is not.
    pub(crate) fn new(module: &Module, function: Function) -> Option<Rule> {
        let blocks: Vec<Block> = module.blocks(function).filter(|&block| module.op(block) == Op::Block).collect();
        let number = |block: Block| blocks.iter().position(|&other| other == block);
        let successors: Vec<BTreeSet<usize>> =
            blocks.iter().map(|&block| resolved(module, block).into_iter().filter_map(number).collect()).collect();
        let reached = reach(&successors, 0, None);
        let count = blocks.len();
        // Whoever cannot be reached without `above` is dominated by it.
        let dominated: Vec<BTreeSet<usize>> = (0..count)
            .map(|above| {
                let rest = if above == 0 { BTreeSet::new() } else { reach(&successors, 0, Some(above)) };
                reached.iter().copied().filter(|node| !rest.contains(node)).collect()
            })
            .collect();
        let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut latches: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut forward: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for &source in &reached {
            for &target in &successors[source] {
                if !dominated[target].contains(&source) {
                    forward[target].insert(source);
                    continue;
                }
                latches.entry(target).or_default().insert(source);
                let back: BTreeSet<usize> = reached
                    .iter()
                    .copied()
                    .filter(|&node| reach(&successors, node, Some(target)).contains(&source))
                    .collect();
                let body = loops.entry(target).or_default();
                body.insert(target);
                body.extend(back.into_iter().filter(|node| dominated[target].contains(node)));
            }
        }
        let order = topological(&forward, &reached)?;
        let ballots: Vec<Vec<Inst>> = blocks
            .iter()
            .map(|&block| module.children(block).filter(|&inst| module.op(inst) == Op::GroupNonUniformBallot).collect())
            .collect();
        let is_convergent =
            |node: usize| module.children(blocks[node]).any(|inst| module.op(inst).effects().is_convergent());
        let idom = |node: usize| {
            let above = (0..count).filter(|&above| above != node && dominated[above].contains(&node));
            above.max_by_key(|&above| (0..count).filter(|&over| dominated[over].contains(&above)).count())
        };
        let left_to = |header: usize| {
            let body = &loops[&header];
            reached
                .iter()
                .filter(|node| !leads_nowhere(module, &blocks, &successors, **node))
                .filter(|node| !body.contains(node) && idom(**node).is_some_and(|idom| body.contains(&idom)))
                .count()
        };
        let mut around: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &node in &order {
            let Some(above) = idom(node) else { continue };
            let inherited = around[above].clone();
            let left: Vec<usize> = (0..inherited.len())
                .filter(|&place| loops[&inherited[place]].contains(&above) && !loops[&inherited[place]].contains(&node))
                .collect();
            let is_convergent = dominated[node].iter().any(|&below| is_convergent(below));
            let goes_after = |place: usize| {
                let header = inherited[place];
                let from = forward[node].iter().next().copied();
                let only_latch = latches[&header].len() == 1 && latches[&header].iter().next().copied() == from;
                left_to(header) == 1 || from == Some(header) || only_latch
            };
            let cut = match forward[node].len() {
                1 if is_convergent => left.iter().copied().find(|&place| goes_after(place)),
                _ => left.first().copied(),
            };
            let mut own = inherited.clone();
            own.truncate(cut.unwrap_or(inherited.len()));
            if loops.contains_key(&node) {
                own.push(node);
            }
            around[node] = own;
        }
        Some(Rule { blocks, loops, around, ballots })
    }

    /// Which ballots each lane executes, with whom, given the blocks that each lane comes through.
    pub(crate) fn ballots(&self, paths: &[Vec<Block>]) -> Ballots {
        let mut groups: BTreeMap<(usize, Vec<usize>), BTreeSet<usize>> = BTreeMap::new();
        let mut visits: Vec<Vec<(usize, Vec<usize>)>> = Vec::new();
        for (lane, path) in paths.iter().enumerate() {
            let mut iterations: BTreeMap<usize, usize> = BTreeMap::new();
            let mut before: Option<usize> = None;
            let mut own = Vec::new();
            for &block in path {
                let node = self.blocks.iter().position(|&other| other == block).expect("a block of the function");
                if let Some(body) = self.loops.get(&node) {
                    let goes_on = before.is_some_and(|before| body.contains(&before));
                    let iteration = iterations.entry(node).or_default();
                    *iteration = if goes_on { *iteration + 1 } else { 0 };
                }
                let key = (node, self.around[node].iter().map(|header| iterations[header]).collect::<Vec<usize>>());
                groups.entry(key.clone()).or_default().insert(lane);
                own.push(key);
                before = Some(node);
            }
            visits.push(own);
        }
        let of = |key: &(usize, Vec<usize>)| {
            let group = groups[key].clone();
            self.ballots[key.0].iter().map(move |&inst| (inst, group.clone())).collect::<Vec<_>>()
        };
        visits.iter().map(|own| own.iter().flat_map(of).collect()).collect()
    }
}

/// Where a block leads to, past blocks that are edges.
fn resolved(module: &Module, block: Block) -> Vec<Block> {
    let mut found = Vec::new();
    let mut stack: Vec<Block> = module.successors(block).collect();
    while let Some(block) = stack.pop() {
        if module.op(block) == Op::EdgeBlock {
            stack.extend(module.successors(block));
        } else {
            found.push(block);
        }
    }
    found
}

/// Whether every way from a block ends, and each at an `unreachable`: no return, no call that need not come back, nothing that goes round.
fn leads_nowhere(module: &Module, blocks: &[Block], successors: &[BTreeSet<usize>], from: usize) -> bool {
    reach(successors, from, None).into_iter().all(|on| {
        let mut behind = successors[on].iter().map(|&next| reach(successors, next, None));
        let may_stop = module.children(blocks[on]).any(|inst| module.op(inst) == Op::FunctionCall);
        let last = module.terminator(blocks[on]).expect("a block ends");
        let is_end = successors[on].is_empty() && module.op(last) != Op::Unreachable;
        !is_end && !may_stop && !behind.any(|behind| behind.contains(&on))
    })
}

fn reach(successors: &[BTreeSet<usize>], from: usize, without: Option<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        if Some(node) != without && seen.insert(node) {
            stack.extend(&successors[node]);
        }
    }
    seen
}

/// Nodes so that each stands behind its forward predecessors.
fn topological(forward: &[BTreeSet<usize>], reached: &BTreeSet<usize>) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < reached.len() {
        let next = reached
            .iter()
            .find(|node| !order.contains(node) && forward[**node].iter().all(|source| order.contains(source)));
        order.push(*next?);
    }
    Some(order)
}
