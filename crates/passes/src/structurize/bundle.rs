//! Bundles: the edges of a plan, as the rewriting looks at them.
//!
//! All edges from one planned block to the same target are one bundle: a switch with five cases that go to one block has one
//! bundle for them. Where a bundle needs a block of its own (an edge block), the edges share it.

use reconverge_structurize::{Carried, Edge, Plan, PlanBlock, Selector, Terminator};
use rustc_hash::FxHashMap;

/// Edges from one planned block to one target.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) source: PlanBlock,
    /// The original edges whose routes begin here.
    pub(super) carries: Vec<Carried>,
    pub(super) selectors: Selectors,
}

/// What a bundle passes on as selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selectors {
    /// The target has none.
    None,
    /// Always the same.
    Constant(u32),
    /// What this block was given.
    Forward(PlanBlock),
    /// What this block was given, renumbered by rows (from, to).
    Translate(PlanBlock, Vec<(u32, u32)>),
    /// One for each carried original edge.
    PerCarried(Vec<u32>),
}

/// The bundles of a plan, by their ends.
pub(super) struct Bundles {
    pub(super) all: Vec<Bundle>,
    incoming: Vec<Vec<usize>>,
    by_ends: FxHashMap<(PlanBlock, PlanBlock), usize>,
}

impl Bundles {
    pub(super) fn collect(plan: &Plan) -> Bundles {
        let count = plan.blocks.len();
        let mut bundles = Bundles {
            all: Vec::new(),
            incoming: vec![Vec::new(); count],
            by_ends: FxHashMap::default(),
        };
        for (index, block) in plan.blocks.iter().enumerate() {
            let source = PlanBlock::new(index);
            match &block.terminator {
                Terminator::Exit | Terminator::Unreachable => {}
                Terminator::Branch(edge) => bundles.add(source, edge),
                Terminator::Conditional { then, otherwise, .. } => {
                    bundles.add(source, then);
                    bundles.add(source, otherwise);
                }
                Terminator::Switch { default, cases, .. } => {
                    bundles.add(source, default);
                    cases.iter().for_each(|(_, edge)| bundles.add(source, edge));
                }
            }
        }
        bundles
    }

    fn add(&mut self, source: PlanBlock, edge: &Edge) {
        let fresh = self.all.len();
        let index = *self.by_ends.entry((source, edge.target)).or_insert(fresh);
        if index == fresh {
            self.all.push(Bundle { source, carries: Vec::new(), selectors: Selectors::None });
            self.incoming[edge.target.index()].push(index);
        }
        let bundle = &mut self.all[index];
        bundle.carries.extend(edge.carries.iter().copied());
        let Some(selector) = &edge.selector else { return };
        let carried = edge.carries.len();
        let numbers = match selector {
            Selector::Forward { block } => {
                bundle.selectors = Selectors::Forward(*block);
                return;
            }
            Selector::Translate { block, table } => {
                bundle.selectors = Selectors::Translate(*block, table.clone());
                return;
            }
            Selector::Constant(number) if carried == 0 => {
                let agrees = matches!(bundle.selectors, Selectors::None) || bundle.selectors == Selectors::Constant(*number);
                // Rows of a switch on a selector that go one way: each passes on what was tested.
                bundle.selectors = if agrees { Selectors::Constant(*number) } else { Selectors::Forward(source) };
                return;
            }
            Selector::Constant(number) => vec![*number; carried],
            Selector::Choose(numbers) => numbers.to_vec(),
        };
        match &mut bundle.selectors {
            Selectors::PerCarried(known) => known.extend(numbers),
            _ => bundle.selectors = Selectors::PerCarried(numbers),
        }
    }

    /// The bundle from a block to a target.
    pub(super) fn between(&self, source: PlanBlock, target: PlanBlock) -> usize {
        self.by_ends[&(source, target)]
    }

    /// The bundles that enter a block.
    pub(super) fn incoming(&self, target: PlanBlock) -> &[usize] {
        &self.incoming[target.index()]
    }
}
