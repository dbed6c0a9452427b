//! Node splitting: the same walks, one entry for each cycle where it says so, growth within its bounds, valid plans.

use crate::common::generate::{self, for_each_small};
use crate::common::{Lists, Random, check, verify};
use reconverge_structurize::node_splitting::{BLOCKS_A_CYCLE, FREE_GROWTH, GROWTH_SHARE, ROUNDS};
use reconverge_structurize::{
    ControlFlow, Convergence, Hints, InputBlock, Options, Origin, SplitGraph, split_nodes, structurize,
};

/// The split graph as lists, for the witnesses.
fn lists_of(split: &SplitGraph) -> Lists {
    let blocks = || (0..split.block_count()).map(InputBlock::new);
    let lists: Vec<Vec<usize>> =
        blocks().map(|block| split.successors(block).iter().map(|target| target.index()).collect()).collect();
    let mut graph = Lists::new(&lists);
    graph.entry = split.entry().index();
    graph.switches = blocks().map(|block| split.branch(block) == reconverge_structurize::Branch::Switch).collect();
    graph.convergence = blocks().map(|block| split.convergence(block)).collect();
    graph.hints = blocks().map(|block| split.hints(block)).collect();
    graph
}

/// Whether T1 and T2 leave one block of what control reaches: by definition, on sets.
fn is_reducible(graph: &Lists) -> bool {
    let reached = graph.reachable();
    let count = graph.successors.len();
    let mut edges: Vec<std::collections::BTreeSet<usize>> = (0..count)
        .map(|block| if reached[block] { graph.targets(block).into_iter().collect() } else { [].into() })
        .collect();
    let mut alive: Vec<usize> = (0..count).filter(|&block| reached[block]).collect();
    loop {
        alive.iter().for_each(|&block| _ = edges[block].remove(&block));
        let sources =
            |block: usize| alive.iter().copied().filter(|&source| edges[source].contains(&block)).collect::<Vec<_>>();
        let joined =
            alive.iter().copied().filter(|&block| block != graph.entry).find_map(|block| match sources(block)[..] {
                [only] => Some((block, only)),
                _ => None,
            });
        let Some((block, only)) = joined else { return alive.len() == 1 };
        let gone = std::mem::take(&mut edges[block]);
        edges[only].remove(&block);
        edges[only].extend(gone);
        alive.retain(|&other| other != block);
    }
}

fn size(block: InputBlock) -> u32 {
    (block.index() as u32 * 7) % 5
}

/// Splits and holds everything against the original. How many blocks were copied, and whether the result is reducible.
fn split_and_hold(graph: &Lists, largest: u32) -> Option<SplitGraph> {
    let split = split_nodes(graph, largest, |block| Some(size(block)))?;
    assert_eq!(split, split_nodes(&graph.clone(), largest, |block| Some(size(block))).expect("once more the same"));
    let as_lists = lists_of(&split);
    check_walks(graph, &split, &as_lists);
    let reached = graph.reachable();
    let total: u64 = (0..graph.successors.len())
        .filter(|&block| reached[block])
        .map(|block| u64::from(size(InputBlock::new(block))) + 1)
        .sum();
    let added: u64 = split.copies().map(|copy| u64::from(size(split.original(copy))) + 1).sum();
    assert_eq!(added, split.added_size(), "{graph:?}");
    assert!(added <= FREE_GROWTH + total / GROWTH_SHARE, "{graph:?}");
    for copy in split.copies() {
        let original = split.original(copy);
        assert!(size(original) <= largest && original != graph.entry(), "{graph:?}");
        assert!(
            graph.convergence[original.index()] == Convergence::None
                && graph.hints[original.index()] == Hints::default()
        );
    }
    assert_eq!(split.irreducible_cycles() == 0, is_reducible(&as_lists), "{graph:?}");
    assert!(!is_reducible(graph), "{graph:?}: nothing to split");
    let plan = verify(&as_lists, &Options::default());
    assert!(check::check(&as_lists, &plan).is_ok());
    Some(split)
}

/// Every walk of the one is a walk of the other: they are step by step, since terminators are the same and successors are copies.
fn check_walks(graph: &Lists, split: &SplitGraph, as_lists: &Lists) {
    assert_eq!(split.entry(), graph.entry());
    assert_eq!(split.input_count(), graph.block_count());
    let (before, after) = (graph.reachable(), as_lists.reachable());
    assert_eq!(before, after[..before.len()], "{graph:?}: a block was lost");
    assert!(after[before.len()..].iter().all(|&reached| reached), "{graph:?}: a copy for nobody");
    for block in (0..split.block_count()).map(InputBlock::new) {
        let original = split.original(block);
        assert!(block.index() >= graph.block_count() || original == block);
        assert_eq!(split.branch(block), graph.branch(original));
        let targets: Vec<InputBlock> = split.successors(block).iter().map(|&target| split.original(target)).collect();
        assert_eq!(targets, graph.successors(original), "{graph:?}");
    }
    for (copy, (source, successor)) in split.copies().zip(split.ways_in()) {
        assert_eq!(split.successors(source)[successor], copy);
    }
}

#[test]
fn all_graphs_of_up_to_four_blocks() {
    let (mut irreducible, mut reduced) = (0, 0);
    for count in 1..=4 {
        for_each_small(count, |graph| {
            let split = split_and_hold(graph, 4);
            if !is_reducible(graph) {
                irreducible += 1;
                reduced += usize::from(split.is_some_and(|split| split.irreducible_cycles() == 0));
            }
        });
    }
    println!("{irreducible} irreducible, {reduced} reduced");
    assert!(irreducible > 100 && reduced == irreducible, "{reduced} of {irreducible}: all are small enough");
}

#[test]
fn random_graphs() {
    let mut reduced = 0;
    for make in [generate::irreducible, generate::wild] {
        for count in [5, 8, 13, 30, 80] {
            for seed in 0..60 {
                let mut random = Random::new(seed * 1000 + count as u64);
                let mut graph = make(&mut random, count);
                for block in 0..count {
                    if random.chance(if seed % 3 == 0 { 10 } else { 0 }) {
                        graph.convergence[block] = Convergence::Lanes;
                    }
                }
                let split = split_and_hold(&graph, [4, 2, 1][seed as usize % 3]);
                reduced += usize::from(split.is_some_and(|split| split.irreducible_cycles() == 0));
            }
        }
    }
    println!("{reduced} reduced");
    assert!(reduced > 50, "{reduced}");
}

/// a → b | c, b ⇄ c, b → d
const TWO_ENTRIES: [&[usize]; 4] = [&[1, 2], &[2, 3], &[1], &[]];

fn graph(lists: &[&[usize]]) -> Lists {
    Lists::new(&lists.iter().map(|list| list.to_vec()).collect::<Vec<_>>())
}

#[test]
fn the_smallest_copy_is_taken() {
    let copied = |sizes: [u32; 4], largest| {
        let split = split_nodes(&graph(&TWO_ENTRIES), largest, sizes_of(sizes))?;
        Some(split.copies().map(|copy| split.original(copy).index()).collect::<Vec<_>>())
    };
    assert_eq!(copied([1, 1, 1, 1], 4), Some(vec![2]), "among equals the first in block order stays");
    assert_eq!(copied([1, 1, 3, 1], 4), Some(vec![1]));
    assert_eq!(copied([1, 9, 3, 1], 4), Some(vec![2]));
    assert_eq!(copied([1, 9, 9, 1], 4), None, "neither is tiny");
    assert_eq!(copied([0, 0, 0, 0], 0), None, "off");
}

fn sizes_of(sizes: [u32; 4]) -> impl Fn(InputBlock) -> Option<u32> {
    move |block| Some(sizes[block.index()])
}

#[test]
fn a_split_cycle_needs_no_dispatch() {
    let split = split_nodes(&graph(&TWO_ENTRIES), 1, |_| Some(1)).expect("tiny");
    let plan = structurize(&split, &Options::default()).expect("within the limits");
    assert!(plan.blocks.iter().all(|block| matches!(block.origin, Origin::Input(_))), "{:?}", plan.explain());
}

#[test]
fn what_lanes_see_one_another_in_is_left_alone() {
    let refused = |lists: &[&[usize]], convergent: usize| {
        let mut graph = graph(lists);
        graph.convergence[convergent] = Convergence::Quad;
        split_nodes(&graph, 4, |_| Some(1)).is_none()
    };
    assert!(refused(&TWO_ENTRIES, 1) && refused(&TWO_ENTRIES, 2), "in the cycle");
    assert!(refused(&TWO_ENTRIES, 3), "behind the only edge that leaves it: perhaps code before a break");
    assert!(!refused(&TWO_ENTRIES, 0), "in front");
    let joined: [&[usize]; 4] = [&[1, 2], &[2, 3], &[1, 3], &[]];
    assert!(!refused(&joined, 3), "where ways out come together");
    let mut hinted = graph(&joined);
    hinted.hints[0].selection_merge = Some(InputBlock::new(2));
    assert!(split_nodes(&hinted, 4, |_| Some(1)).is_none(), "a hint names it");
}

#[test]
fn a_cycle_of_many_entries_keeps_its_dispatch() {
    // 0 → 1 | … | n, each to the next, the last to the first: all but one would be copied, and what they lead to.
    let ring = |entries: usize| {
        let mut lists = vec![(1..=entries).collect::<Vec<_>>()];
        lists.extend((1..=entries).map(|block| if block == entries { vec![1, entries + 1] } else { vec![block + 1] }));
        lists.push(vec![]);
        Lists::new(&lists)
    };
    assert!(split_nodes(&ring(BLOCKS_A_CYCLE + 1), 9, |_| Some(1)).is_some());
    assert!(split_nodes(&ring(BLOCKS_A_CYCLE + 2), 9, |_| Some(1)).is_none());
}

#[test]
fn nests_are_taken_apart_round_by_round() {
    // Cycles of two entries, each in the other: k blocks in front, and as many behind.
    let nest = |depth: usize| {
        let count = 2 * depth + 2;
        let (mut lists, last) = (vec![Vec::new(); count], count - 1);
        lists[0] = vec![1, 2];
        for level in 0..depth {
            let (left, right) = (2 * level + 1, 2 * level + 2);
            let inner = if level + 1 < depth { vec![left + 2, right + 2] } else { vec![right, last] };
            lists[left] = inner;
            lists[right] = if level == 0 { vec![left] } else { vec![left, right - 2] };
        }
        Lists::new(&lists)
    };
    for depth in [1, 2, 3, ROUNDS + 4] {
        split_and_hold(&nest(depth), 4);
    }
}
