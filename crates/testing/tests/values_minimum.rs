//! What carrying values costs, against the least that has to be: pruned SSA form (Cytron, Ferrante, Rosen, Wegman, Zadeck 1991;
//! pruning by liveness: Choi, Cytron, Ferrante 1991), computed here by definition from the structured graph.
//!
//! For each value that no longer dominates a use: a parameter is due at every block of the iterated dominance frontier of its
//! block at whose start it is live. Values that the pass keeps in variables are left out on both sides.
//!
//! `RECONVERGE_SHOW=1 cargo nextest run -p reconverge-testing values_minimum:: --no-capture` prints the table.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_ir::{Block, Function, Inst, Module, Op};
use reconverge_restructure::{Options, structurize};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Values, with_calls_and};

/// From a seed and a number of blocks.
type Generator = fn(u64, usize) -> PlainGraph;

const SETS: [(&str, Generator); 5] = [
    ("reducible", |seed, size| random(seed, size, Cycles::Reducible)),
    ("irreducible", |seed, size| random(seed, size, Cycles::Irreducible)),
    ("wild", wild),
    ("structured", |seed, size| structured(seed, size, Form::Plain)),
    ("loop-simplified", |seed, size| structured(seed, size, Form::LoopSimplified)),
];

/// The graph of the blocks that are no bare edges; edges go through those.
struct Contracted {
    blocks: Vec<Block>,
    successors: Vec<BTreeSet<usize>>,
    /// `dominates[a]`: the blocks that `a` dominates, itself included; reachable ones alone.
    dominated: Vec<BTreeSet<usize>>,
}

impl Contracted {
    fn compute(module: &Module, function: Function) -> Contracted {
        let blocks: Vec<Block> = module.blocks(function).filter(|&block| !module.is_bare_edge(block)).collect();
        let numbers: BTreeMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let successors: Vec<BTreeSet<usize>> = blocks
            .iter()
            .map(|&block| {
                let mut found = BTreeSet::new();
                for mut target in module.successors(block) {
                    while !numbers.contains_key(&target) {
                        target = module.successors(target).next().expect("an edge block goes on");
                    }
                    found.insert(numbers[&target]);
                }
                found
            })
            .collect();
        let reached = |without: Option<usize>| {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![0]);
            while let Some(block) = pending.pop() {
                if Some(block) != without && seen.insert(block) {
                    pending.extend(&successors[block]);
                }
            }
            seen
        };
        let all = reached(None);
        let dominated = (0..blocks.len())
            .map(|block| match all.contains(&block) {
                true => all.difference(&reached(Some(block))).copied().collect(),
                false => BTreeSet::new(),
            })
            .collect();
        Contracted { blocks, successors, dominated }
    }

    fn predecessors(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.blocks.len()).filter(move |&source| self.successors[source].contains(&block))
    }

    /// By definition: the dominance of `block` ends here.
    fn frontier(&self, block: usize) -> BTreeSet<usize> {
        let ends = |&target: &usize| target == block || !self.dominated[block].contains(&target);
        self.dominated[block].iter().flat_map(|&inside| &self.successors[inside]).copied().filter(ends).collect()
    }

    fn iterated_frontier(&self, block: usize) -> BTreeSet<usize> {
        let (mut all, mut pending) = (BTreeSet::new(), vec![block]);
        while let Some(block) = pending.pop() {
            pending.extend(self.frontier(block).into_iter().filter(|&found| all.insert(found)));
        }
        all
    }

    /// Where a value of `definition` that `users` use is live at the start.
    fn live(&self, definition: usize, users: &BTreeSet<usize>) -> BTreeSet<usize> {
        let (mut live, mut pending) = (BTreeSet::new(), users.iter().copied().collect::<Vec<_>>());
        while let Some(block) = pending.pop() {
            if block != definition && live.insert(block) {
                pending.extend(self.predecessors(block));
            }
        }
        live
    }
}

/// Parameters for values, the least that is due for them, and values in variables.
struct Cost {
    carried: usize,
    least: usize,
    variables: usize,
}

fn cost(graph: &PlainGraph, seed: u64) -> Cost {
    let before = with_calls_and(std::slice::from_ref(graph), seed, Values::Distant);
    let function = before.functions[0];
    let mut after = before.module.clone();
    let report = structurize(&mut after, function, &Options::default()).expect("within the limits");
    let report = report.expect("the function was not structured");
    let versions = (Version::new(&before.module), Version::new(&after));
    compare_walks(&versions.0, &versions.1, function, graph, seed).unwrap_or_else(|message| panic!("{message}"));
    let contracted = Contracted::compute(&after, function);
    let is_value = |module: &Module, inst: Inst| {
        module
            .ty(inst)
            .is_some_and(|ty| module.op(ty) == Op::TypeInt && module.literal_word(module.operand(ty, 1)) == Some(1))
    };
    let parameters = contracted.blocks.iter().flat_map(|&block| after.parameters(block)).map(Inst::from);
    let carried = parameters.filter(|&parameter| is_value(&after, parameter)).count();
    let number = |block: Option<Block>| contracted.blocks.iter().position(|&known| Some(known) == block);
    let mut least = 0;
    for block in before.module.blocks(function) {
        for value in before.module.children(block).filter(|&inst| is_value(&before.module, inst)) {
            let Some(definition) = number(Some(block)) else { continue };
            let is_stored = after.uses(value).any(|used| after.op(used.user) == Op::Store);
            let users = before.module.uses(value).filter_map(|used| number(before.module.block_of(used.user)));
            let users: BTreeSet<usize> = users.collect();
            if is_stored || users.iter().all(|user| contracted.dominated[definition].contains(user)) {
                continue;
            }
            let live = contracted.live(definition, &users);
            least += contracted.iterated_frontier(definition).intersection(&live).count();
        }
    }
    Cost { carried, least, variables: report.repair.variables }
}

#[test]
fn carried_values_cost_no_more_than_pruned_ssa_form() {
    let show = std::env::var_os("RECONVERGE_SHOW").is_some();
    for (name, generate) in SETS {
        let costs: Vec<Cost> =
            (0..40).map(|index| cost(&generate(index, 6 + 2 * index as usize), 77 ^ index)).collect();
        let (carried, least): (usize, usize) =
            (costs.iter().map(|cost| cost.carried).sum(), costs.iter().map(|cost| cost.least).sum());
        let variables: usize = costs.iter().map(|cost| cost.variables).sum();
        let mut ratios: Vec<f64> =
            costs.iter().map(|cost| (cost.carried as f64 + 1.0) / (cost.least as f64 + 1.0)).collect();
        ratios.sort_by(f64::total_cmp);
        if show {
            let (median, greatest) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
            println!("| {name} | {least} | {carried} | {median:.2} | {greatest:.2} | {variables} |");
        }
        for (index, cost) in costs.iter().enumerate() {
            assert!(
                cost.carried <= cost.least + cost.least / 10,
                "{name}, graph {index}: {} parameters, {} are due",
                cost.carried,
                cost.least
            );
        }
    }
}

/// One selector at most, and for each type as many parameters as the greediest target of a label has.
#[test]
fn labels_hand_on_what_one_target_takes() {
    for (name, generate) in SETS {
        let mut held = 0;
        for index in 0..30 {
            let graph = generate(index, 8 + 2 * index as usize);
            let before = with_calls_and(std::slice::from_ref(&graph), index, Values::Passed);
            let function = before.functions[0];
            let most = before.module.blocks(function).map(|block| before.module.parameters(block).count()).max();
            let mut after = before.module.clone();
            let report = structurize(&mut after, function, &Options::default()).expect("within the limits");
            let report = report.expect("the function was not structured");
            if report.repair.parameters > 0 {
                continue;
            }
            held += 1;
            for (block, planned) in report.blocks.iter().zip(&report.plan.blocks) {
                let count = after.parameters(*block).count();
                let bound = most.unwrap_or(0) + usize::from(planned.has_selector);
                assert!(count <= bound, "{name} {index}: {count} parameters, {bound} are enough");
            }
        }
        assert!(held > 5, "{name}: {held} graphs without repairs");
    }
}
