//! Shifts that keep resources apart: what a user may give where two resources would have one place.
//!
//! Each class gets a multiple of a step, the same ones for every shader with small registers: `t=100 u=200 s=300`, and `c=400` for counters. The
//! step grows tenfold until nothing collides: registers may be large, and single ones may be assigned. Linearithmic in the resources for each of
//! at most eight steps.

use std::collections::BTreeSet;

use super::bindings::{Bindings, Register};
use crate::module::view::ResourceClass;

/// The classes with the factors of their shifts.
const CLASSES: [(ResourceClass, char, u32); 3] = [
    (ResourceClass::ShaderResource, 't', 1),
    (ResourceClass::UnorderedAccess, 'u', 2),
    (ResourceClass::Sampler, 's', 3),
];
/// The factor of the shift of counters.
const COUNTERS: u32 = 4;

/// A resource that needs a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needed {
    pub(super) register: Register,
    /// True if its counter needs one, too.
    pub(super) counts: bool,
}

/// The options with which every resource has a place of its own: all shifts that are needed, in place of others. None if no shift helps.
pub(super) fn shifts(bindings: &Bindings, needed: &[Needed]) -> Option<String> {
    let steps = std::iter::successors(Some(100_u32), |step| step.checked_mul(10));
    let step = steps.take_while(|step| step.checked_mul(COUNTERS).is_some()).find(|&step| {
        let mut shifted = bindings.clone();
        shifted.shift(ResourceClass::ConstantBuffer, 0);
        CLASSES.iter().for_each(|&(class, _, factor)| shifted.shift(class, factor * step));
        shifted.shift_counters(COUNTERS * step);
        are_apart(&shifted, needed)
    })?;
    let is_needed = |class: ResourceClass| needed.iter().any(|one| one.register.class == class);
    let classes = CLASSES.iter().filter(|(class, ..)| is_needed(*class));
    let mut flags: Vec<String> =
        classes.map(|(_, letter, factor)| format!("--shift {letter}={}", factor * step)).collect();
    if needed.iter().any(|one| one.counts) {
        flags.push(format!("--shift c={}", COUNTERS * step));
    }
    Some(flags.join(" "))
}

fn are_apart(bindings: &Bindings, needed: &[Needed]) -> bool {
    let mut taken = BTreeSet::new();
    needed.iter().all(|one| {
        let is_free = bindings.slot(one.register).is_some_and(|slot| taken.insert(slot));
        is_free && (!one.counts || bindings.counter_slot(one.register).is_some_and(|slot| taken.insert(slot)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::bindings::DescriptorSlot;
    use super::*;

    fn needed(class: ResourceClass, number: u32, counts: bool) -> Needed {
        Needed { register: Register { class, space: 0, number }, counts }
    }

    #[test]
    fn all_shifts_are_named_and_no_others() {
        use ResourceClass::*;
        let bindings = Bindings::default();
        let few = [needed(ShaderResource, 0, false), needed(UnorderedAccess, 0, false)];
        assert_eq!(shifts(&bindings, &few).as_deref(), Some("--shift t=100 --shift u=200"));
        let all = [
            needed(ConstantBuffer, 0, false),
            needed(ShaderResource, 0, false),
            needed(UnorderedAccess, 0, true),
            needed(Sampler, 0, false),
        ];
        assert_eq!(shifts(&bindings, &all).as_deref(), Some("--shift t=100 --shift u=200 --shift s=300 --shift c=400"));
    }

    #[test]
    fn large_registers_and_assigned_places_are_avoided() {
        use ResourceClass::*;
        let mut bindings = Bindings::default();
        let large = [needed(ConstantBuffer, 150, false), needed(ShaderResource, 50, false)];
        assert_eq!(shifts(&bindings, &large).as_deref(), Some("--shift t=1000"));
        bindings.assign(large[0].register, DescriptorSlot { set: 0, binding: 1050 });
        assert_eq!(shifts(&bindings, &large).as_deref(), Some("--shift t=100"));
        let same = [needed(ShaderResource, u32::MAX, false), needed(UnorderedAccess, 0, false)];
        assert_eq!(shifts(&bindings, &same), None);
    }
}
