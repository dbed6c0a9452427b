//! Loads of components of vectors that are only written as a whole: the vector stays in one piece.
//!
//! ```text
//! store %v, %vector                        store %v, %vector
//! %p = access_chain %v, 2           ⇒      %a = load %v
//! %x = load %p                             %x = composite_extract %a, 2
//! ```
//!
//! Without this, a variable is cut between all components as soon as one of them is read alone. If any store writes a part of the vector, or any
//! access reads it in another way, its components become variables, as in `cuts.rs`. Linear in the accesses times the leaves of a variable.

use reconverge_ir::{Module, Op};

use super::accesses::{Candidate, CandidateAccess};
use super::leaves::{Leaf, components, leaf_size};

/// Turns loads of components into loads of the vectors, from which they take a component.
pub(super) fn widen_component_loads(module: &Module, candidate: &mut Candidate) {
    if !candidate.copies.is_empty() {
        return;
    }
    for vector in candidate.declared.iter().filter(|leaf| components(module, leaf.ty).is_some()) {
        let touching = || candidate.accesses.iter().filter(|access| touches(access, vector));
        let is_apart = |access: &CandidateAccess| match component_of(module, access, vector) {
            Some(_) => module.op(access.inst) == Op::Load,
            None => access.leaves.iter().filter(|leaf| overlap(leaf, vector)).all(|leaf| is_same(leaf, vector)),
        };
        if !touching().all(is_apart) {
            continue;
        }
        for access in &mut candidate.accesses {
            if let Some(component) = component_of(module, access, vector) {
                let whole = Leaf { path: smallvec::SmallVec::new(), ..vector.clone() };
                *access = CandidateAccess { inst: access.inst, leaves: vec![whole], component: Some(component) };
            }
        }
    }
}

fn overlap(leaf: &Leaf, vector: &Leaf) -> bool {
    leaf.start < vector.end && vector.start < leaf.end
}

fn touches(access: &CandidateAccess, vector: &Leaf) -> bool {
    access.leaves.iter().any(|leaf| overlap(leaf, vector))
}

fn is_same(leaf: &Leaf, vector: &Leaf) -> bool {
    (leaf.start, leaf.ty) == (vector.start, vector.ty)
}

/// The component of the vector that an access reads or writes alone.
fn component_of(module: &Module, access: &CandidateAccess, vector: &Leaf) -> Option<u32> {
    let [leaf] = &access.leaves[..] else { return None };
    let (component, count) = components(module, vector.ty)?;
    let size = leaf_size(module, component)?;
    let distance = leaf.start.checked_sub(vector.start)?;
    let index = u32::try_from(distance / size).ok().filter(|&index| index < count)?;
    (leaf.ty == component && distance.is_multiple_of(size) && access.component.is_none()).then_some(index)
}
