//! Variables of the source whose memory is promoted: what they hold from where on.
//!
//! ```text
//! ── record: %local is in %v
//! store %v, %one                       ⇒      ── record: %local is %one
//! branch ^m                                   branch ^m(%one)
//! ^m: %x = load %v                            ^m(%x): ── record: %local is %x
//! ```
//!
//! A store, a parameter and a declaration after a store each say what the variable is from there on. Where values meet without a parameter,
//! since nothing reads the variable there, nothing is known of it: so it stays true if one of the ways there is removed. Variables whose
//! values meet in very many places are not described at all. Linear in the accesses and in these places.

use reconverge_ir::debug_records::{DebugRecord, RecordId};
use reconverge_ir::{Inst, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::Variable;
use super::placement::Sites;
use reconverge_rewrite::debug_values::{declarations, is_direct, turn_into_value, write_value};

/// The position of a statement about a variable.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The instruction before which it is said.
    pub(super) anchor: Inst,
    /// The instruction whose source location it has.
    pub(super) like: Option<Inst>,
}

/// The declarations of variables that are promoted.
#[derive(Default)]
pub(super) struct Declared {
    /// By variable: copies of its declarations, which nothing else changes.
    copies: FxHashMap<usize, SmallVec<[(RecordId, DebugRecord); 1]>>,
    /// The numbers of these variables, in order.
    numbers: Vec<usize>,
}

impl Declared {
    /// The declarations of the variables that have sites for parameters. Declarations that say more than where a variable is are removed.
    pub(super) fn gather(module: &mut Module, variables: &[Variable], sites: &Sites) -> Declared {
        let mut declared = Declared::default();
        if module.debug_records().is_empty() {
            return declared;
        }
        for (number, variable) in variables.iter().enumerate().filter(|&(number, _)| sites[number].is_some()) {
            let all: Vec<(RecordId, DebugRecord)> = declarations(module, variable.inst).collect();
            for (id, record) in all {
                if !is_direct(module, &record) {
                    module.edit().remove_record(id);
                    continue;
                }
                let ty = Some(variable.ty);
                let copy = module.edit().copy_record(DebugRecord { value: None, ty, anchor: None, ..record });
                let Some(copied) = module.debug_records().record(copy) else { continue };
                declared.copies.entry(number).or_default().push((copy, copied));
            }
            if declared.copies.contains_key(&number) {
                declared.numbers.push(number);
            }
        }
        declared
    }

    /// The declared variables, in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.numbers.iter().copied()
    }

    /// Nothing is to be said of these variables.
    pub(super) fn forget(&mut self, module: &mut Module, variables: &[usize]) {
        let lost: FxHashSet<usize> = variables.iter().copied().collect();
        for number in &lost {
            for (id, _) in self.copies.remove(number).unwrap_or_default() {
                module.edit().remove_record(id);
            }
        }
        self.numbers.retain(|number| !lost.contains(number));
    }

    /// Says from a place on that a variable has a value, or that it is not known.
    pub(super) fn say(&self, module: &mut Module, variable: usize, value: Option<Inst>, place: Place) {
        for (_, declaration) in self.copies.get(&variable).into_iter().flatten() {
            write_value(module, declaration, value, place.anchor, place.like);
        }
    }

    /// Replaces a declaration by the value that the variable has there, if it has one.
    pub(super) fn settle(&self, module: &mut Module, variable: usize, declaration: RecordId, held: Option<Inst>) {
        match held.filter(|_| self.copies.contains_key(&variable)) {
            Some(held) => turn_into_value(module, declaration, Some(held)),
            None => module.edit().remove_record(declaration),
        }
    }

    /// Removes the copies.
    pub(super) fn finish(&self, module: &mut Module) {
        for &(id, _) in self.numbers.iter().flat_map(|number| &self.copies[number]) {
            module.edit().remove_record(id);
        }
    }
}
