//! Payload: the arguments of original edges on the routes of a plan to the parameters of their targets.
//!
//! If a route leads through added blocks, they must pass the arguments on. At any added block control is on its way to only one of the
//! possible targets, so the targets share *slots*: slot (type, i) holds the i-th argument of that type of the current target, and undef if
//! the target has no such parameter.
//!
//! ```text
//! a ─▶ m(%x: f32, %y: f32)                a passes (1, %p, %q)   b passes (2, %r, undef)
//! b ─▶ n(%z: f32)              ⇒         d(%selector, %slot0: f32, %slot1: f32)
//!                                         d ─▶ m(%slot0, %slot1)   d ─▶ n(%slot0)
//! ```
//!
//! An added block thus has at most as many slots as its target with the most parameters, not as many as all of them together. The slots
//! that a block needs are computed backwards, from the targets.
//!
//! An argument needs no slot if it is the same on all routes to its target through their last added block, and available there without
//! being carried (a constant; a value that dominates the block): that block passes it itself. Arguments that a target does not use are
//! never read, so such a route passes undef in a slot.

use reconverge_graph::{DominatorTree, Graph, Node, Order};
use reconverge_ir::{Inst, Module};
use reconverge_structurize::{Carried, ControlFlow, InputBlock, Origin, Plan, PlanBlock};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bundle::Bundles;
use super::input::Input;
use super::route::Routes;

/// A place for one argument on a route: the i-th of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Slot(u32);

/// The slots of parameters, and the slots that each added block passes on.
pub(super) struct Payload {
    numbers: FxHashMap<(Inst, usize), Slot>,
    types: Vec<Inst>,
    /// For each input block, the slots of its parameters.
    parameters: Vec<Vec<Slot>>,
    /// The same with the indices of the parameters, by slot.
    places: Vec<Vec<(Slot, usize)>>,
    /// For each planned block, if it was added, the slots that it passes on, ascending.
    needed: Vec<Vec<Slot>>,
    direct: Direct,
}

/// Arguments that need no slot.
#[derive(Default)]
struct Direct {
    /// The arguments that the last added block on the route to a target passes itself, by the index of the parameter.
    values: FxHashMap<(PlanBlock, InputBlock, usize), Inst>,
    /// The last added block on the route of an original edge.
    last: FxHashMap<Carried, PlanBlock>,
}

impl Payload {
    pub(super) fn compute(module: &Module, input: &Input, plan: &Plan, bundles: &Bundles) -> Payload {
        let mut payload = Payload {
            numbers: FxHashMap::default(),
            types: Vec::new(),
            parameters: Vec::with_capacity(input.blocks.len()),
            places: Vec::with_capacity(input.blocks.len()),
            needed: vec![Vec::new(); plan.blocks.len()],
            direct: Direct::compute(module, input, plan),
        };
        for &block in &input.blocks {
            let mut ranks: FxHashMap<Inst, usize> = FxHashMap::default();
            let types = module.parameters(block).filter_map(|parameter| module.ty(parameter));
            let slots = types.map(|ty| {
                let rank = ranks.entry(ty).or_insert(0);
                *rank += 1;
                payload.slot(ty, *rank - 1)
            });
            let slots: Vec<Slot> = slots.collect();
            let mut places: Vec<(Slot, usize)> = slots.iter().copied().zip(0..).collect();
            places.sort_unstable();
            payload.parameters.push(slots);
            payload.places.push(places);
        }
        payload.ask_backwards(plan, bundles);
        payload
    }

    fn slot(&mut self, ty: Inst, rank: usize) -> Slot {
        let fresh = Slot(self.types.len() as u32);
        let slot = *self.numbers.entry((ty, rank)).or_insert(fresh);
        if slot == fresh {
            self.types.push(ty);
        }
        slot
    }

    fn ask_backwards(&mut self, plan: &Plan, bundles: &Bundles) {
        let mut pending: Vec<(PlanBlock, Slot)> = Vec::new();
        for (index, block) in plan.blocks.iter().enumerate() {
            if let Origin::Input(input) = block.origin {
                for (number, &slot) in self.parameters[input.index()].iter().enumerate() {
                    let asked = forwarding(plan, bundles, PlanBlock::new(index));
                    let asked = asked.filter(|&source| !self.direct.values.contains_key(&(source, input, number)));
                    pending.extend(asked.map(|source| (source, slot)));
                }
            }
        }
        let mut known: FxHashSet<(PlanBlock, Slot)> = FxHashSet::default();
        while let Some((block, slot)) = pending.pop() {
            if known.insert((block, slot)) {
                self.needed[block.index()].push(slot);
                pending.extend(forwarding(plan, bundles, block).map(|source| (source, slot)));
            }
        }
        self.needed.iter_mut().for_each(|slots| slots.sort_unstable());
    }

    /// The slots that an added block passes on.
    pub(super) fn needed(&self, block: PlanBlock) -> &[Slot] {
        &self.needed[block.index()]
    }

    /// The slots of an input block's parameters.
    pub(super) fn parameters(&self, input: usize) -> &[Slot] {
        &self.parameters[input]
    }

    /// The parameter of an input block that a slot is for.
    pub(super) fn parameter_in(&self, input: usize, slot: Slot) -> Option<usize> {
        let places = &self.places[input];
        places.binary_search_by_key(&slot, |&(slot, _)| slot).ok().map(|place| places[place].1)
    }

    /// The argument that an added block passes to an input block for a parameter, if it needs no slot for it.
    pub(super) fn direct(&self, source: PlanBlock, input: InputBlock, parameter: usize) -> Option<Inst> {
        self.direct.values.get(&(source, input, parameter)).copied()
    }

    /// Returns whether an original edge's argument for a parameter needs no slot.
    pub(super) fn is_direct(&self, carried: Carried, target: InputBlock, parameter: usize) -> bool {
        let last = self.direct.last.get(&carried);
        last.is_some_and(|&last| self.direct.values.contains_key(&(last, target, parameter)))
    }

    /// The type of the values in a slot.
    pub(super) fn ty(&self, slot: Slot) -> Inst {
        self.types[slot.0 as usize]
    }
}

/// The added blocks that enter a block without beginning the route of an original edge.
fn forwarding<'a>(plan: &'a Plan, bundles: &'a Bundles, block: PlanBlock) -> impl Iterator<Item = PlanBlock> + 'a {
    let entering = bundles.incoming(block).iter().map(|&index| &bundles.all[index]);
    entering
        .filter(|bundle| bundle.carries.is_empty())
        .map(|bundle| bundle.source)
        .filter(|source| matches!(plan.blocks[source.index()].origin, Origin::Added(_)))
}

impl Direct {
    /// Computes the arguments that need no slot. Near-linear in the plan and in the arguments.
    fn compute(module: &Module, input: &Input, plan: &Plan) -> Direct {
        let routes = Routes::collect(plan);
        let mut direct = Direct::default();
        // Targets of routes that were not followed.
        let mut unknown: FxHashSet<InputBlock> = FxHashSet::default();
        let mut gathered: Vec<((PlanBlock, InputBlock, usize), Option<Inst>)> = Vec::new();
        for number in 0..input.blocks.len() {
            let source = InputBlock::new(number);
            for (successor, &target) in input.successors(source).iter().enumerate() {
                let arguments = input.arguments(source, successor);
                if arguments.is_empty() {
                    continue;
                }
                let carried = Carried { source, successor: successor as u32 };
                match routes.last(carried, target) {
                    None => drop(unknown.insert(target)),
                    Some(None) => {}
                    Some(Some(last)) => {
                        direct.last.insert(carried, last);
                        let arguments = arguments.iter().enumerate();
                        gathered.extend(arguments.map(|(index, &value)| ((last, target, index), Some(value))));
                    }
                }
            }
        }
        gathered.sort_unstable_by_key(|&(place, _)| place);
        let order = PlanDominators::compute(input, plan);
        for same in gathered.chunk_by(|left, right| left.0 == right.0) {
            let ((last, target, _), value) = same[0];
            let agree = same.iter().all(|&(_, other)| other == value);
            if let Some(value) = value.filter(|&value| agree && order.is_there(module, value, last))
                && !unknown.contains(&target)
            {
                direct.values.insert(same[0].0, value);
            }
        }
        direct
    }
}

/// Dominance in a plan, for values of the input.
struct PlanDominators {
    tree: DominatorTree,
    nodes: FxHashMap<Inst, Node>,
}

impl PlanDominators {
    fn compute(input: &Input, plan: &Plan) -> PlanDominators {
        let targets = |block: &reconverge_structurize::Block| -> Vec<Node> {
            block.terminator.edges().map(|edge| Node::new(edge.target.index())).collect()
        };
        let graph = Graph::from_successors(Node::new(0), plan.blocks.iter().map(targets));
        let tree = DominatorTree::compute(&graph, &Order::compute_reverse_post_order(&graph));
        let origins = plan.blocks.iter().enumerate().filter_map(|(index, block)| match block.origin {
            Origin::Input(block) => Some((Inst::from(input.block(block)), Node::new(index))),
            Origin::Added(_) => None,
        });
        PlanDominators { nodes: origins.collect(), tree }
    }

    /// Returns whether a value is computed in a block that dominates another one, or in no block.
    fn is_there(&self, module: &Module, value: Inst, block: PlanBlock) -> bool {
        let Some(defining) = module.block_of(value) else { return true };
        let defining = self.nodes.get(&defining.into());
        defining.is_some_and(|&defining| self.tree.dominates(defining, Node::new(block.index())))
    }
}
