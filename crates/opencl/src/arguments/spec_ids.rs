//! Unused ids of specialization constants.

use reconverge_ir::decoration::SpecId;
use reconverge_ir::{Module, Op};
use rustc_hash::FxHashSet;

/// Allocates ids, the lowest unused ones.
pub(crate) struct SpecIds {
    used: FxHashSet<u32>,
    next: u32,
}

impl SpecIds {
    /// The unused ids of a module. Linear in the globals.
    pub(crate) fn of(module: &Module) -> SpecIds {
        let constants =
            module.globals().filter(|&global| module.op(global).is_constant() || module.op(global) == Op::Undef);
        let used = constants.filter_map(|constant| module.decorated(constant).find().map(|SpecId(id)| id));
        SpecIds { used: used.collect(), next: 0 }
    }

    /// The lowest free id.
    pub(crate) fn next(&mut self) -> u32 {
        while !self.used.insert(self.next) {
            self.next += 1;
        }
        self.next
    }

    /// Restricts the ids to those from `first` on.
    pub(crate) fn skip_to(&mut self, first: u32) {
        self.next = self.next.max(first);
    }
}
