//! Payload: how the arguments of original edges reach the parameters of their targets along the routes of a plan.
//!
//! Where a route leads through added blocks, they must hand the arguments on. At any added block only one of the possible targets
//! is the one that control is on its way to, so the targets share *slots*: slot (type, i) holds the i-th argument of that type of
//! whichever it is, and undef where the target has no such parameter.
//!
//! ```text
//! a ─▶ m(%x: f32, %y: f32)                a passes (1, %p, %q)   b passes (2, %r, undef)
//! b ─▶ n(%z: f32)              ⇒         d(%selector, %slot0: f32, %slot1: f32)
//!                                         d ─▶ m(%slot0, %slot1)   d ─▶ n(%slot0)
//! ```
//!
//! An added block thus has at most as many slots as its greediest target has parameters, not as many as all of them together.
//! Which slots a block needs is asked backwards, from the targets.
//!
//! Where all routes to a target are short and narrow (`route.rs`), its parameters first have slots of their own: then an argument
//! that is the same on every route through a block, a constant say, is seen to be, and needs no slot there. Those that are left
//! are shared afterwards, with one another and with repaired values (`redundant_parameters`), which comes to the same number at
//! most: slots of different targets are undef on each other's edges.

use reconverge_ir::{Inst, Module};
use reconverge_structurize::{Carried, ControlFlow, InputBlock, Origin, Plan, PlanBlock};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bundle::Bundles;
use super::input::Input;
use super::route::Routes;

/// A place for one argument on the way: the i-th of a type, or that of one parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Slot(u32);

/// Slots of parameters, and which added block hands on which.
pub(super) struct Payload {
    numbers: FxHashMap<(Inst, usize), Slot>,
    /// Slots by type and rank, as opposed to those of one parameter.
    shared: FxHashSet<Slot>,
    types: Vec<Inst>,
    /// For each input block the slots of its parameters.
    parameters: Vec<Vec<Slot>>,
    /// The same with the numbers of the parameters, by slot.
    places: Vec<Vec<(Slot, usize)>>,
    /// For each planned block, if it was added, the slots that it hands on, ascending.
    needed: Vec<Vec<Slot>>,
}

impl Payload {
    pub(super) fn compute(module: &Module, input: &Input, plan: &Plan, bundles: &Bundles) -> Payload {
        let mut payload = Payload {
            numbers: FxHashMap::default(),
            shared: FxHashSet::default(),
            types: Vec::new(),
            parameters: Vec::with_capacity(input.blocks.len()),
            places: Vec::with_capacity(input.blocks.len()),
            needed: vec![Vec::new(); plan.blocks.len()],
        };
        let mut alone = routes_of_targets(module, input, plan, bundles);
        for (number, &block) in input.blocks.iter().enumerate() {
            let mut ranks: FxHashMap<Inst, usize> = FxHashMap::default();
            let types = module.parameters(block).filter_map(|parameter| module.ty(parameter));
            let slots = types.map(|ty| {
                if alone[number].is_some() {
                    return payload.fresh_slot(ty);
                }
                let rank = ranks.entry(ty).or_insert(0);
                *rank += 1;
                payload.slot(ty, *rank - 1)
            });
            let slots: Vec<Slot> = slots.collect();
            for planned in alone[number].take().unwrap_or_default() {
                payload.needed[planned.index()].extend(&slots);
            }
            let mut places: Vec<(Slot, usize)> = slots.iter().copied().zip(0..).collect();
            places.sort_unstable();
            payload.parameters.push(slots);
            payload.places.push(places);
        }
        payload.ask_backwards(plan, bundles);
        payload
    }

    fn fresh_slot(&mut self, ty: Inst) -> Slot {
        self.types.push(ty);
        Slot(self.types.len() as u32 - 1)
    }

    fn slot(&mut self, ty: Inst, rank: usize) -> Slot {
        let fresh = Slot(self.types.len() as u32);
        let slot = *self.numbers.entry((ty, rank)).or_insert(fresh);
        if slot == fresh {
            self.types.push(ty);
            self.shared.insert(slot);
        }
        slot
    }

    fn ask_backwards(&mut self, plan: &Plan, bundles: &Bundles) {
        let mut pending: Vec<(PlanBlock, Slot)> = Vec::new();
        for (index, block) in plan.blocks.iter().enumerate() {
            if let Origin::Input(input) = block.origin {
                let shared = |slot: &Slot| self.is_shared(*slot);
                let slots: Vec<Slot> = self.parameters[input.index()].iter().copied().filter(shared).collect();
                for slot in slots {
                    pending.extend(forwarding(plan, bundles, PlanBlock::new(index)).map(|source| (source, slot)));
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

    fn is_shared(&self, slot: Slot) -> bool {
        self.shared.contains(&slot)
    }

    /// The slots that an added block hands on.
    pub(super) fn needed(&self, block: PlanBlock) -> &[Slot] {
        &self.needed[block.index()]
    }

    /// The slots of an input block's parameters.
    pub(super) fn parameters(&self, input: usize) -> &[Slot] {
        &self.parameters[input]
    }

    /// Which parameter of an input block a slot is for.
    pub(super) fn parameter_in(&self, input: usize, slot: Slot) -> Option<usize> {
        let places = &self.places[input];
        places.binary_search_by_key(&slot, |&(slot, _)| slot).ok().map(|place| places[place].1)
    }

    /// The type of what a slot holds.
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

/// For each input block with parameters the added blocks on the routes to it, ascending, if those are short and narrow.
fn routes_of_targets(module: &Module, input: &Input, plan: &Plan, bundles: &Bundles) -> Vec<Option<Vec<PlanBlock>>> {
    let routes = Routes::collect(plan, bundles);
    let has_parameters = |block: InputBlock| module.parameters(input.block(block)).next().is_some();
    let mut all: Vec<Option<Vec<PlanBlock>>> = vec![Some(Vec::new()); input.blocks.len()];
    for number in 0..input.blocks.len() {
        let source = InputBlock::new(number);
        for (successor, &target) in input.successors(source).iter().enumerate() {
            if !has_parameters(target) {
                continue;
            }
            let route = routes.route(Carried { source, successor }, target);
            // Where one planned edge carries edges to several targets, a select in a shared slot saves a parameter.
            let route = route.filter(|route| route.is_empty() || is_bound_for_one(input, &routes, source, successor));
            let known = all[target.index()].take();
            all[target.index()] = known.zip(route).map(|(mut known, route)| {
                known.extend(route);
                known
            });
        }
    }
    for blocks in all.iter_mut().flatten() {
        blocks.sort_unstable();
        blocks.dedup();
    }
    all
}

/// Whether the planned edge that carries an original edge carries no edges to other targets.
fn is_bound_for_one(input: &Input, routes: &Routes<'_>, source: InputBlock, successor: usize) -> bool {
    let target = input.target(source, successor);
    let fellows = routes.fellows(Carried { source, successor });
    fellows.iter().all(|fellow| input.target(fellow.source, fellow.successor) == target)
}
