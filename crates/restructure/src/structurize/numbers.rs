//! The values of selectors: from 0, for each selector separately.
//!
//! A plan numbers every target of a function once, so that a number names the same target everywhere. The written numbers count from 0:
//!
//! ```text
//! d takes 12 or 7, e takes what d took, f takes 9 or 12      ⇒      d and e take 1 or 0, f takes 0 or 1
//! ```
//!
//! Selectors that pass numbers to each other are one class, and have the same numbers: union-find over the blocks. Within a class the order
//! of the plan's numbers is kept, but if there are two, 1 is the one that is compared first: it becomes `true` (`boolean_selectors.rs`).
//! Near-linear.

use reconverge_structurize::{Case, Plan, PlanBlock, Terminator, Test};

use super::bundle::{Bundles, Otherwise, Selectors};
use reconverge_rewrite::disjoint_sets::DisjointSets;

/// The number that is written for each number of a plan.
pub(super) struct Numbers {
    /// The class of each block's selector, by one of its blocks.
    classes: Vec<usize>,
    /// For each class, the plan's numbers, ascending: the written number is the index.
    known: Vec<Vec<u32>>,
    /// For each class of two numbers, whether the order is reversed.
    is_reversed: Vec<bool>,
}

impl Numbers {
    /// Collects every number that a selector gets or is compared with.
    pub(super) fn of(plan: &Plan, bundles: &Bundles) -> Numbers {
        let count = plan.blocks.len();
        let (known, is_reversed) = (vec![Vec::new(); count], vec![false; count]);
        let targets = bundles.targets();
        let mut classes = DisjointSets::new(count);
        for (bundle, &target) in bundles.all.iter().zip(&targets) {
            if let Selectors::Translate(translation) = &bundle.selectors {
                classes.unite(translation.block.index(), target.index());
            }
        }
        let classes = (0..count).map(|block| classes.root(block)).collect();
        let mut numbers = Numbers { classes, known, is_reversed };
        for (bundle, &target) in bundles.all.iter().zip(&targets) {
            match &bundle.selectors {
                Selectors::None => {}
                Selectors::Constant(number) => numbers.add(target, *number),
                Selectors::PerCarried(all) => all.iter().for_each(|&number| numbers.add(target, number)),
                Selectors::Translate(translation) => {
                    translation.rows.iter().for_each(|&(from, to)| {
                        numbers.add(target, from);
                        numbers.add(target, to);
                    });
                    if let Otherwise::Number(number) = translation.otherwise {
                        numbers.add(target, number);
                    }
                }
            }
        }
        let mut first_asked: Vec<Option<u32>> = vec![None; count];
        for block in &plan.blocks {
            match &block.terminator {
                Terminator::Conditional { test: Test::Selector { block, equals }, .. } => {
                    numbers.add(*block, *equals);
                    first_asked[numbers.classes[block.index()]].get_or_insert(*equals);
                }
                Terminator::Switch { test: Test::SelectorValue { block }, cases, .. } => {
                    let literals = cases.iter().filter_map(|(case, _)| match case {
                        Case::Selector(number) => Some(*number),
                        Case::Input { .. } => None,
                    });
                    literals.for_each(|number| numbers.add(*block, number));
                }
                _ => {}
            }
        }
        for known in &mut numbers.known {
            known.sort_unstable();
            known.dedup();
        }
        for (class, asked) in first_asked.into_iter().enumerate() {
            numbers.is_reversed[class] = matches!(numbers.known[class][..], [first, _] if Some(first) == asked);
        }
        numbers
    }

    /// The written number for a number of the selector of a block.
    pub(super) fn written(&self, block: PlanBlock, number: u32) -> u32 {
        let class = self.classes[block.index()];
        let place =
            self.known[class].binary_search(&number).expect("invariant: every number of a selector was looked at");
        if self.is_reversed[class] { 1 - place as u32 } else { place as u32 }
    }

    fn add(&mut self, block: PlanBlock, number: u32) {
        self.known[self.classes[block.index()]].push(number);
    }
}
