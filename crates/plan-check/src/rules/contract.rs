//! The contract of plans: each block once, each edge carried once, decisions and numbers where they are known.

use std::collections::BTreeMap;

use reconverge_structurize::{Carried, Case, InputBlock, Origin, Plan, Selector, Terminator, Test};

use super::{compute_dominated, ensure, has, targets};
use crate::lists::Lists;

pub(super) fn check_contract(graph: &Lists, plan: &Plan) -> Result<(), String> {
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
