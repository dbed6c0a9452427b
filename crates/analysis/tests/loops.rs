//! Estimates of frequencies: by all paths where there are no loops, by trip counts where there are, and finite in deep nests.

use std::fmt::Write;

use crate::common::{Random, random_graph};
use reconverge_analysis::FlowGraph;
use reconverge_analysis::loops::{Frequency, FunctionFacts, Loops};
use reconverge_analysis::trip_count::TripCounts;
use reconverge_graph::{CycleForest, Node};
use reconverge_ir::{Function, Module, text};

const HEAD: &str = "\
%void = type_void
%bool = type_bool
%true: %bool = constant_true
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%ten: %u32 = constant 10
";

/// A function with this body.
fn program(body: &str, stage: &str) -> (Module, Function) {
    let source = format!("{HEAD}func %f: %void (%n: %u32, %p: %bool) stage {stage} {{\n{body}\n}}\n");
    let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let function = module.functions().next().expect("a function");
    (module, function)
}

/// The loops of a function of which nothing is known, or all that can be counted.
fn loops(body: &str, stage: &str, is_divergent: bool) -> (Loops, usize) {
    let (module, function) = program(body, stage);
    let flow = FlowGraph::compute(&module, function);
    let (order, dominators) = flow.dominators();
    let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
    let counts = (stage == "structured").then(|| TripCounts::compute(&module, function));
    let facts =
        FunctionFacts { flow: &flow, order: &order, dominators: &dominators, cycles: &cycles, counts: counts.as_ref() };
    (Loops::compute(&module, facts, |_| is_divergent), flow.blocks().len())
}

fn frequencies(body: &str, stage: &str, is_divergent: bool) -> Vec<f64> {
    let (loops, len) = loops(body, stage, is_divergent);
    (0..len).map(|node| loops.frequency(Node::new(node)).expect("it is reached").to_f64()).collect()
}

fn blocks(graph: &[Vec<usize>]) -> String {
    let mut text = String::new();
    for (block, targets) in graph.iter().enumerate() {
        let _ = writeln!(text, "block ^b{block}:");
        let _ = match targets.as_slice() {
            [] => writeln!(text, "  return"),
            [to] => writeln!(text, "  branch ^b{to}"),
            [yes, no] => writeln!(text, "  branch_if %p ^b{yes} ^b{no}"),
            [first, rest @ ..] => {
                let cases: String = rest.iter().enumerate().map(|(case, to)| format!(" [{case} ^b{to}]")).collect();
                writeln!(text, "  switch %n default ^b{first}{cases}")
            }
        };
    }
    text
}

#[test]
fn without_loops_it_is_the_sum_over_all_paths() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let len = 2 + random.below(9);
        let mut graph = random_graph(&mut random, len);
        for (block, targets) in graph.iter_mut().enumerate() {
            targets.retain(|&target| target > block);
        }
        let mut expected = vec![0.0; graph.len()];
        let mut paths = vec![(0, 1.0)];
        while let Some((block, part)) = paths.pop() {
            expected[block] += part;
            let share = part / graph[block].len().max(1) as f64;
            paths.extend(graph[block].iter().map(|&to| (to, share)));
        }
        let (loops, _) = loops(&blocks(&graph), "graph", false);
        for (block, &expected) in expected.iter().enumerate() {
            let found = loops.frequency(Node::new(block)).map_or(0.0, Frequency::to_f64);
            assert!((found - expected).abs() < 1e-3, "seed {seed}: b{block} runs {found}, not {expected} times");
        }
    }
}

/// Of blocks under a dominator: what parts of its loops come to them only grows where lanes part, whichever branches those are.
#[test]
fn where_lanes_part_nothing_is_rarer_seen_from_above() {
    let mut grown = 0;
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let len = 3 + random.below(12);
        let (module, function) = program(&blocks(&random_graph(&mut random, len)), "graph");
        let flow = FlowGraph::compute(&module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let facts =
            FunctionFacts { flow: &flow, order: &order, dominators: &dominators, cycles: &cycles, counts: None };
        let parting: Vec<_> = flow.blocks().iter().copied().filter(|_| random.chance(40)).collect();
        let unparted = Loops::compute(&module, facts, |_| false);
        let parted = Loops::compute(&module, facts, |block| parting.contains(&block));
        let share = |loops: &Loops, below: Node, above: Node| {
            let [below, above] = [below, above].map(|node| loops.frequency(node).map_or(0.0, Frequency::to_f64));
            below / above
        };
        for &below in order.sequence() {
            for &above in order.sequence().iter().filter(|&&above| dominators.dominates(above, below)) {
                let [least, found] = [&unparted, &parted].map(|loops| share(loops, below, above));
                assert!(
                    found >= least * (1.0 - 1e-6),
                    "seed {seed}: {below:?} under {above:?}, {found} and not {least}"
                );
                grown += usize::from(found > least * 1.01);
            }
        }
    }
    assert!(grown > 1_000, "{grown}");
}

#[test]
fn what_is_counted_counts() {
    let body = "block ^entry:
        loop ^header(%zero) break ^out continue ^next control 0
      block ^header(%i: %u32):
        %more: %bool = u_less_than %i, %ten
        branch_if %more ^body ^out
      block ^body:
        if %p ^yes ^no merge ^join control 0
      block ^yes:
        branch ^join
      block ^no:
        branch ^join
      block ^join:
        branch ^next
      block ^next:
        %j: %u32 = i_add %i, %one
        branch ^header(%j)
      block ^out:
        return";
    assert_eq!(frequencies(body, "structured", false), [1.0, 11.0, 11.0, 5.5, 5.5, 11.0, 11.0, 1.0]);
    // One lane of 32 is enough to take the wave along.
    let waves = frequencies(body, "structured", true);
    assert_eq!((waves[2], waves[5], waves[7]), (11.0, 11.0, 1.0));
    assert!(waves[3] > 10.9 && waves[4] > 10.9, "{waves:?}");
}

#[test]
fn weights_expectations_and_dead_ends_count() {
    let with = |branch: &str, last: &str| {
        let body = format!("block ^a:\n{branch}\nblock ^b:\n  return\nblock ^c:\n  {last}");
        frequencies(&body, "graph", false)
    };
    assert_eq!(with("branch_if %p ^b ^c weights 3 1", "return"), [1.0, 0.75, 0.25]);
    assert_eq!(with("branch_if %p ^b ^c", "return"), [1.0, 0.5, 0.5]);
    let expected = with("%e: %bool = expect_khr %p, %true\n  branch_if %e ^b ^c", "return");
    assert!(expected[1] > 0.9 && expected[2] < 0.1, "{expected:?}");
    let dead = with("branch_if %p ^b ^c", "unreachable");
    assert!(dead[1] > 0.9 && dead[2] < 0.1, "{dead:?}");
}

#[test]
fn deep_nests_have_frequencies() {
    // Block i begins loop i; block 2000 - i ends it.
    let depth = 1000;
    let mut graph: Vec<Vec<usize>> = (1..=depth).map(|next| vec![next]).collect();
    graph.extend((0..depth).map(|level| vec![depth - level, depth + level + 1]));
    graph.push(Vec::new());
    let (loops, len) = loops(&blocks(&graph), "graph", false);
    assert_eq!(loops.depth(Node::new(depth)), depth as u32);
    let frequency = |node: usize| loops.frequency(Node::new(node)).expect("it is reached");
    assert_eq!(frequency(depth).log2(), 3 * depth as i32);
    assert_eq!(frequency(len - 1), Frequency::ONE);
    assert!((1..depth).all(|level| frequency(level) < frequency(level + 1)));
}
