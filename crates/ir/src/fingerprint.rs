//! A hash of a module that does not depend on numbering.
//!
//! Nominal instructions are hashed by their position (parents before children, each kind in order), hoistable ones by their contents; the
//! hashes of the hoistable instructions are added, so that their order does not matter. Modules that [`compare`](crate::compare::compare)
//! as equal have the same fingerprint. Linear; no recursion.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::compare::{hoistable_children, nominal_children};
use crate::{Class, Inst, Location, Module, Op};

/// A hash of everything in a module except its numbering. It is stable only within one version of the program.
pub fn fingerprint(module: &Module) -> u64 {
    let mut hashes = Hashes { module, of: FxHashMap::default() };
    let nominal = nominal_in_order(module);
    for (place, &inst) in nominal.iter().enumerate() {
        hashes.of.insert(inst, place as u64);
    }
    let containers = nominal.iter().copied().filter(|&inst| module.op(inst).is_container());
    let hoistable: Vec<Inst> = containers.flat_map(|container| hoistable_children(module, container)).collect();
    let sum =
        hoistable.iter().fold(0u64, |sum, &inst| sum.wrapping_add(hashes.known(inst)).wrapping_add(hashes.names(inst)));
    let mut hasher = FxHasher::default();
    sum.hash(&mut hasher);
    for &inst in &nominal {
        (hashes.content(inst), hashes.names(inst)).hash(&mut hasher);
        if let Some(parent) = module.parent(inst) {
            hashes.known(parent).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn nominal_in_order(module: &Module) -> Vec<Inst> {
    let mut order = Vec::new();
    let mut stack = vec![module.root()];
    while let Some(inst) = stack.pop() {
        order.push(inst);
        stack.extend(nominal_children(module, inst).into_iter().rev());
    }
    order
}

struct Hashes<'m> {
    module: &'m Module,
    of: FxHashMap<Inst, u64>,
}

impl Hashes<'_> {
    /// The hash of an instruction: that of its position if it is nominal, of its contents if it is not.
    fn known(&mut self, inst: Inst) -> u64 {
        let mut stack = vec![(inst, false)];
        while let Some((inst, ready)) = stack.pop() {
            match (self.of.contains_key(&inst), ready) {
                (_, true) => {
                    let content = self.content(inst);
                    self.of.insert(inst, content);
                }
                (true, false) => {}
                (false, false) => {
                    // A placeholder while the hash is computed, in case an invalid module is cyclic.
                    self.of.insert(inst, 0);
                    stack.push((inst, true));
                    stack.extend(parts(self.module, inst).into_iter().map(|part| (part, false)));
                }
            }
        }
        self.of[&inst]
    }

    /// The hash of op, payload, type, operands, decorations without names, and location.
    fn content(&mut self, inst: Inst) -> u64 {
        let mut hasher = FxHasher::default();
        self.module.op(inst).hash(&mut hasher);
        self.module.literal_words(inst).hash(&mut hasher);
        self.module.ty(inst).is_some().hash(&mut hasher);
        for part in parts(self.module, inst) {
            let known = self.of.get(&part).copied();
            known.unwrap_or_else(|| self.known(part)).hash(&mut hasher);
        }
        if let Some(location) = self.module.explicit_location(inst) {
            let line = location.line.map(|line| (line.line, line.column));
            (line, location.range.is_some(), location.scope.is_some()).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn names(&mut self, inst: Inst) -> u64 {
        let mut hasher = FxHasher::default();
        for &decoration in
            self.module.decorations(inst).iter().filter(|&&decoration| is_name(self.module.op(decoration)))
        {
            self.known(decoration).hash(&mut hasher);
        }
        hasher.finish()
    }
}

fn is_name(op: Op) -> bool {
    matches!(op, Op::Name | Op::MemberName)
}

/// Type, operands, decorations without names, the instructions in the location. Nothing for removed instructions.
fn parts(module: &Module, inst: Inst) -> Vec<Inst> {
    if module.op(inst).class() == Class::Removed {
        return Vec::new();
    }
    let decorations = module.decorations(inst).iter().copied().filter(|&decoration| !is_name(module.op(decoration)));
    let location = module.explicit_location(inst).into_iter().flat_map(Location::parts);
    module.ty(inst).into_iter().chain(module.operands(inst)).chain(decorations).chain(location).collect()
}
