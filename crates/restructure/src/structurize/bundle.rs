//! Bundles: the edges of a plan, grouped for the rewriting.
//!
//! All edges from one planned block to the same target are one bundle: a switch with five cases that go to one block has one bundle for
//! them. If a bundle needs an edge block, the edges share it. The selector values that the edges pass become one function of the value that
//! the branch tests:
//!
//! ```text
//! switch %s   [3 ─▶ m passing 3]   [4 ─▶ m passing 4]        the bundle passes %s
//! switch %s   [8 ─▶ m passing 3]   [9 ─▶ m passing 4]        the bundle passes %s == 8 ? 3 : 4
//! ```

use reconverge_structurize::{Carried, Case, Edge, Plan, PlanBlock, Selector, Terminator, Test};
use rustc_hash::FxHashMap;

/// Edges from one planned block to one target.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) source: PlanBlock,
    /// The original edges whose routes begin here.
    pub(super) carries: Vec<Carried>,
    pub(super) selectors: Selectors,
}

/// The selector that a bundle passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selectors {
    /// The target has none.
    None,
    /// The same for every edge.
    Constant(u32),
    /// The selector of a block, renumbered by rows.
    Translate(Translation),
    /// One for each carried original edge.
    PerCarried(Vec<u32>),
}

/// The selector of a block, renumbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Translation {
    pub(super) block: PlanBlock,
    /// From, to. The numbers on the left differ.
    pub(super) rows: Vec<(u32, u32)>,
    /// The result for every other number.
    pub(super) otherwise: Otherwise,
}

/// The result for a selector that no row of a translation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// It is passed unchanged.
    Same,
    /// It becomes this.
    Number(u32),
    /// There is no other number.
    Never,
}

/// The bundles of a plan, by their ends.
pub(super) struct Bundles {
    pub(super) all: Vec<Bundle>,
    incoming: Vec<Vec<usize>>,
    by_ends: FxHashMap<(PlanBlock, PlanBlock), usize>,
}

/// The condition under which an edge is taken, as far as selectors depend on it.
#[derive(Clone, Copy)]
enum Taken {
    /// The selector of the block is this number.
    If(PlanBlock, u32),
    /// No other edge is taken.
    Else,
}

impl Bundles {
    /// The target of each bundle.
    pub(super) fn targets(&self) -> Vec<PlanBlock> {
        let mut targets = vec![PlanBlock::new(0); self.all.len()];
        for (index, bundles) in self.incoming.iter().enumerate() {
            bundles.iter().for_each(|&bundle| targets[bundle] = PlanBlock::new(index));
        }
        targets
    }

    /// Linear in the plan.
    pub(super) fn collect(plan: &Plan) -> Bundles {
        let count = plan.blocks.len();
        let mut bundles = Bundles { all: Vec::new(), incoming: vec![Vec::new(); count], by_ends: FxHashMap::default() };
        for (index, block) in plan.blocks.iter().enumerate() {
            let source = PlanBlock::new(index);
            match &block.terminator {
                Terminator::Exit | Terminator::Unreachable => {}
                Terminator::Branch(edge) => bundles.add(source, edge, Taken::Else),
                Terminator::Conditional { test, then, otherwise } => {
                    let taken = match *test {
                        Test::Selector { block, equals } => Taken::If(block, equals),
                        _ => Taken::Else,
                    };
                    bundles.add(source, then, taken);
                    bundles.add(source, otherwise, Taken::Else);
                }
                Terminator::Switch { test, default, cases } => {
                    bundles.add(source, default, Taken::Else);
                    for (case, edge) in cases {
                        let taken = match (*test, *case) {
                            (Test::SelectorValue { block }, Case::Selector(number)) => Taken::If(block, number),
                            _ => Taken::Else,
                        };
                        bundles.add(source, edge, taken);
                    }
                }
            }
        }
        bundles
    }

    fn add(&mut self, source: PlanBlock, edge: &Edge, taken: Taken) {
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
        match (selector, &mut bundle.selectors) {
            (Selector::Choose(numbers), Selectors::PerCarried(known)) => known.extend(numbers),
            (Selector::Choose(numbers), known) => *known = Selectors::PerCarried(numbers.to_vec()),
            (&Selector::Constant(number), Selectors::PerCarried(known)) => {
                known.extend(std::iter::repeat_n(number, carried));
            }
            (&Selector::Constant(number), known) if carried > 0 => {
                *known = Selectors::PerCarried(vec![number; carried]);
            }
            (selector, known) => add_forwarded(known, selector, taken),
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

/// Adds an edge that begins no route: it determines the translation of some numbers of a block's selector.
fn add_forwarded(known: &mut Selectors, selector: &Selector, taken: Taken) {
    if let (Selectors::None | Selectors::Constant(_), &Selector::Constant(number)) = (&*known, selector)
        && (*known == Selectors::None || *known == Selectors::Constant(number))
        && !matches!(taken, Taken::If(..))
    {
        *known = Selectors::Constant(number);
        return;
    }
    let block = match (selector, taken, &*known) {
        (&(Selector::Forward { block } | Selector::Translate { block, .. }), ..) | (_, Taken::If(block, _), _) => block,
        (.., Selectors::Translate(translation)) => translation.block,
        _ => unreachable!("a plan tells edges with different selectors apart by the selector of a block"),
    };
    let mut translation = match std::mem::replace(known, Selectors::None) {
        Selectors::Translate(translation) => translation,
        Selectors::Constant(number) => Translation { block, rows: Vec::new(), otherwise: Otherwise::Number(number) },
        _ => Translation { block, rows: Vec::new(), otherwise: Otherwise::Never },
    };
    match (selector, taken) {
        (&Selector::Constant(to), Taken::If(_, from)) => translation.rows.push((from, to)),
        (Selector::Forward { .. }, Taken::If(_, from)) => translation.rows.push((from, from)),
        (&Selector::Constant(to), Taken::Else) => translation.otherwise = Otherwise::Number(to),
        (Selector::Forward { .. }, Taken::Else) => translation.otherwise = Otherwise::Same,
        (Selector::Translate { table, .. }, _) => translation.rows.extend(table),
        (Selector::Choose(_), _) => unreachable!("a choice is between original edges"),
    }
    *known = Selectors::Translate(translation);
}

impl Translation {
    /// The only possible result, if there is just one.
    pub(super) fn only(&self) -> Option<u32> {
        let otherwise = match self.otherwise {
            Otherwise::Same => return None,
            Otherwise::Number(number) => Some(number),
            Otherwise::Never => None,
        };
        let mut numbers = self.rows.iter().map(|&(_, to)| to).chain(otherwise);
        let first = numbers.next()?;
        numbers.all(|number| number == first).then_some(first)
    }

    /// Returns whether every number is unchanged.
    pub(super) fn is_identity(&self) -> bool {
        !matches!(self.otherwise, Otherwise::Number(_)) && self.rows.iter().all(|(from, to)| from == to)
    }
}
