//! Values and their halves.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

use reconverge_rewrite::scalars::{constant_value, is_int, word};
use reconverge_rewrite::structs::Structs;
use reconverge_rewrite::undef::Undefs;

use crate::Machine;

/// The halves of a 64-bit integer, each of 32 bits and unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub(super) low: Inst,
    pub(super) high: Inst,
}

/// The halves of the values of a module.
pub(super) struct Pairs<'m> {
    pub(super) module: &'m mut Module,
    machine: &'m Machine,
    halves: FxHashMap<Inst, Pair>,
    /// Values that are structs of two 64-bit integers: sum and carry, low and high product.
    couples: FxHashMap<Inst, [Pair; 2]>,
    /// Functions for 64-bit operations, by name.
    pub(super) functions: FxHashMap<&'static str, Function>,
    undefs: Undefs,
    pub(super) structs: Structs,
    /// Replaced instructions, in the order of the traversal.
    pub(super) replaced: Vec<Inst>,
}

impl<'m> Pairs<'m> {
    /// No halves yet.
    pub(super) fn new(module: &'m mut Module, machine: &'m Machine) -> Pairs<'m> {
        Pairs {
            structs: Structs::of(module),
            module,
            machine,
            halves: FxHashMap::default(),
            couples: FxHashMap::default(),
            functions: FxHashMap::default(),
            undefs: Undefs::default(),
            replaced: Vec::new(),
        }
    }

    /// Records the halves of a value.
    pub(super) fn set(&mut self, value: Inst, pair: Pair) {
        self.halves.insert(value, pair);
    }

    /// Records the halves of the two members of a struct value.
    pub(super) fn set_couple(&mut self, value: Inst, couple: [Pair; 2]) {
        self.couples.insert(value, couple);
    }

    /// The halves of a member of a struct value.
    pub(super) fn member(&self, value: Inst, index: u32) -> Option<Pair> {
        self.couples.get(&value)?.get(index as usize).copied()
    }

    /// The halves of a 64-bit integer.
    ///
    /// # Errors
    /// The value was not split, at `user`.
    pub(super) fn get(&mut self, value: Inst, user: Inst) -> Result<Pair, Diagnostic> {
        if let Some(&pair) = self.halves.get(&value) {
            return Ok(pair);
        }
        if let Some(bits) = constant_value(self.module, value) {
            let mut build = Builder::new(self.module);
            let pair = Pair { low: word(&mut build, bits as u32), high: word(&mut build, (bits >> 32) as u32) };
            self.set(value, pair);
            return Ok(pair);
        }
        if self.module.op(value) == Op::Undef {
            let undef = self.undef();
            return Ok(Pair { low: undef, high: undef });
        }
        let name = self.module.op(value).name();
        Err(self.unsupported(user, &format!("its operand, the result of {name}")))
    }

    /// The error for an instruction without an expansion.
    pub(super) fn unsupported(&self, at: Inst, what: &str) -> Diagnostic {
        self.machine.refusal(at, format!("64-bit integers for a device that lacks them: {what}"))
    }

    /// Half of an undefined value.
    pub(super) fn undef(&mut self) -> Inst {
        let u32_type = self.u32_type();
        self.undefs.undef(self.module, u32_type)
    }

    /// The unsigned 32-bit type.
    pub(super) fn u32_type(&mut self) -> Inst {
        Builder::new(self.module).int_type(32)
    }

    /// Returns whether a type is a 64-bit integer.
    pub(super) fn is_long(&self, ty: Inst) -> bool {
        is_int(self.module, ty, 64)
    }

    /// Returns whether a value is a 64-bit integer.
    pub(super) fn has_long(&self, value: Inst) -> bool {
        self.module.ty(value).is_some_and(|ty| self.is_long(ty))
    }
}
