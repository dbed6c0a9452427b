//! The contract of plans: each block once, each edge carried once, conditions and selectors only where they are defined.

use std::collections::BTreeMap;

use reconverge_structurize::{Carried, Case, InputBlock, Origin, Plan, Selector, Terminator, Test};

use super::{Set, compute_dominated, ensure, has, targets};
use crate::lists::Lists;

pub(super) fn check_contract(graph: &Lists, plan: &Plan) -> Result<(), String> {
    let reachable = graph.reachable();
    let home = check_placed(plan, &reachable)?;
    let branches: Vec<Vec<usize>> = (0..plan.blocks.len()).map(|block| targets(plan, block)).collect();
    let dominated = compute_dominated(plan.blocks.len(), &branches);
    let mut contract = Contract { plan, home, dominated, carried: BTreeMap::new() };
    for index in 0..plan.blocks.len() {
        let deciding = contract.check_test(index)?;
        contract.check_edges(index, deciding)?;
        check_rows(plan, index)?;
    }
    for (source, list) in graph.successors.iter().enumerate() {
        for successor in 0..list.len() {
            let edge = Carried { source: InputBlock::new(source), successor: successor as u32 };
            let times = contract.carried.get(&edge).copied().unwrap_or(0);
            ensure!(times == usize::from(reachable[source]), "{edge} is carried {times} times");
        }
    }
    Ok(())
}

/// Each reachable block is placed once. Returns the places.
fn check_placed(plan: &Plan, reachable: &[bool]) -> Result<Vec<usize>, String> {
    let mut times = vec![0; reachable.len()];
    let mut home = vec![usize::MAX; reachable.len()];
    for (index, block) in plan.blocks.iter().enumerate() {
        if let Origin::Input(input) = block.origin {
            times[input.index()] += 1;
            home[input.index()] = index;
        }
    }
    for (block, &times) in times.iter().enumerate() {
        ensure!(times == usize::from(reachable[block]), "b{block} is placed {times} times");
    }
    Ok(home)
}

struct Contract<'a> {
    plan: &'a Plan,
    /// The plan block of each input block.
    home: Vec<usize>,
    /// For each plan block a set of those that it dominates.
    dominated: Vec<Set>,
    /// The number of times that each edge of the input is carried.
    carried: BTreeMap<Carried, usize>,
}

impl Contract<'_> {
    /// Returns whether the values of one block are defined in another, or that block is unreachable.
    fn is_known(&self, from: usize, index: usize) -> bool {
        !has(&self.dominated[0], index) || has(&self.dominated[from], index)
    }

    /// The test of a block is defined there. Returns the input block whose condition it tests.
    fn check_test(&self, index: usize) -> Result<Option<InputBlock>, String> {
        let block = &self.plan.blocks[index];
        let deciding = match (block.terminator.test(), &block.origin) {
            (Some(Test::Input(input)), _) | (None | Some(Test::Zero), &Origin::Input(input)) => Some(input),
            _ => None,
        };
        if let Some(Test::Selector { block: other, .. } | Test::SelectorValue { block: other }) =
            block.terminator.test()
        {
            ensure!(self.plan.blocks[other.index()].has_selector, "p{index} tests {other}, which has no selector");
            ensure!(self.is_known(other.index(), index), "p{index} tests {other}, which does not dominate");
        }
        if let Some(input) = deciding {
            ensure!(self.is_known(self.home[input.index()], index), "{input} does not dominate its decision");
        }
        Ok(deciding)
    }

    /// Edges carry what their block tests, and pass a selector exactly if the target has one.
    fn check_edges(&mut self, index: usize, deciding: Option<InputBlock>) -> Result<(), String> {
        let plan = self.plan;
        for edge in plan.blocks[index].terminator.edges() {
            let wants = plan.blocks[edge.target.index()].has_selector;
            ensure!(edge.selector.is_some() == wants, "p{index} → {}: selector wanted {wants}", edge.target);
            for &one in &edge.carries {
                ensure!(Some(one.source) == deciding, "p{index} carries {one}");
                *self.carried.entry(one).or_default() += 1;
            }
            match &edge.selector {
                Some(Selector::Choose(list)) => {
                    ensure!(list.len() == edge.carries.len(), "p{index}: choices not parallel to what is carried");
                }
                Some(Selector::Forward { block: other } | Selector::Translate { block: other, .. }) => {
                    let has_selector = plan.blocks[other.index()].has_selector;
                    ensure!(has_selector, "p{index} forwards {other}, which has no selector");
                    ensure!(self.is_known(other.index(), index), "p{index} forwards {other}, which does not dominate");
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The rows of a switch are distinct, have other targets than its default, and are of the kind that it tests.
fn check_rows(plan: &Plan, index: usize) -> Result<(), String> {
    let Terminator::Switch { test, default, cases } = &plan.blocks[index].terminator else { return Ok(()) };
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
    Ok(())
}
