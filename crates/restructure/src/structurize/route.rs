//! Routes: the added blocks between an original edge and its target.
//!
//! ```text
//! a ─(7)▶ d: selector = 7 ─▶ e ─▶ b7        the route of the edge from a to b7 is d, e
//! ```
//!
//! A walk that tracks the numbers that selectors get. Only short routes are followed to their end ([`STEPS`]), so that all walks together
//! are linear in the edges.

use reconverge_structurize::{Carried, Case, Edge, InputBlock, Origin, Plan, PlanBlock, Selector, Terminator, Test};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The maximum length of a route that is followed, in added blocks.
const STEPS: usize = 32;
/// The maximum length of a table of numbers that is read.
const ROWS: usize = 64;

/// The routes of a plan.
pub(super) struct Routes<'a> {
    plan: &'a Plan,
    /// The case for each planned block and number.
    cases: FxHashMap<(PlanBlock, u32), usize>,
    /// The start of each original edge: the planned edge that carries it, and its index there.
    starts: FxHashMap<Carried, (&'a Edge, usize)>,
}

/// The numbers that selectors got on the route.
type Given = SmallVec<[(PlanBlock, u32); 4]>;

impl<'a> Routes<'a> {
    /// Collects the routes. Linear in the plan.
    pub(super) fn collect(plan: &'a Plan) -> Routes<'a> {
        let mut routes = Routes { plan, cases: FxHashMap::default(), starts: FxHashMap::default() };
        for (index, block) in plan.blocks.iter().enumerate() {
            for edge in block.terminator.edges() {
                for (place, &carried) in edge.carries.iter().enumerate() {
                    routes.starts.insert(carried, (edge, place));
                }
            }
            if let Terminator::Switch { cases, .. } = &block.terminator {
                for (row, (case, _)) in cases.iter().enumerate() {
                    if let Case::Selector(number) = *case {
                        routes.cases.insert((PlanBlock::new(index), number), row);
                    }
                }
            }
        }
        routes
    }

    /// The last added block on the route of an original edge; `Some(None)` if the route has none, `None` if it is long.
    pub(super) fn last(&self, carried: Carried, target: InputBlock) -> Option<Option<PlanBlock>> {
        let &(mut edge, place) = self.starts.get(&carried)?;
        let mut given = Given::new();
        let mut last = None;
        for _ in 0..STEPS {
            let number = match &edge.selector {
                None => None,
                Some(Selector::Constant(number)) => Some(*number),
                Some(Selector::Choose(numbers)) => Some(*numbers.get(place)?),
                Some(Selector::Forward { block }) => Some(look_up(&given, *block)?),
                Some(Selector::Translate { block, table }) => {
                    let from = look_up(&given, *block)?;
                    Some(table.iter().take(ROWS).find(|row| row.0 == from)?.1)
                }
            };
            given.extend(number.map(|number| (edge.target, number)));
            if let Origin::Input(input) = self.plan.blocks[edge.target.index()].origin {
                return (input == target).then_some(last);
            }
            last = Some(edge.target);
            edge = self.next(edge.target, &given)?;
        }
        None
    }

    /// The edge by which control leaves an added block.
    fn next(&self, block: PlanBlock, given: &Given) -> Option<&'a Edge> {
        match &self.plan.blocks[block.index()].terminator {
            Terminator::Exit | Terminator::Unreachable => None,
            Terminator::Branch(edge) => Some(edge),
            Terminator::Conditional { test: Test::Selector { block, equals }, then, otherwise } => {
                Some(if look_up(given, *block)? == *equals { then } else { otherwise })
            }
            Terminator::Switch { test: Test::SelectorValue { block: tested }, default, cases } => {
                let number = look_up(given, *tested)?;
                Some(self.cases.get(&(block, number)).map_or(default, |&row| &cases[row].1))
            }
            Terminator::Switch { test: Test::Zero, default, .. } => Some(default),
            Terminator::Conditional { .. } | Terminator::Switch { .. } => None,
        }
    }
}

fn look_up(given: &Given, block: PlanBlock) -> Option<u32> {
    given.iter().rev().find(|&&(known, _)| known == block).map(|&(_, number)| number)
}
