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

use reconverge_ir::{Inst, Module};
use reconverge_structurize::{Origin, Plan, PlanBlock};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bundle::Bundles;
use super::input::Input;

/// A place for one argument on the way: the i-th of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Slot(u32);

/// Slots of parameters, and which added block hands on which.
pub(super) struct Payload {
    numbers: FxHashMap<(Inst, usize), Slot>,
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
            types: Vec::new(),
            parameters: Vec::with_capacity(input.blocks.len()),
            places: Vec::with_capacity(input.blocks.len()),
            needed: vec![Vec::new(); plan.blocks.len()],
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
                let slots = self.parameters[input.index()].clone();
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
