//! Replacement of values, applied in one pass.
//!
//! Replacing every use of a value at once takes time in proportion to the operands of its users; done for each operand of one wide
//! instruction, that is quadratic. So replacements are collected, and each instruction is rewritten once. Linear.

use reconverge_ir::{Function, Inst, Module};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A map from values to their replacements.
#[derive(Debug, Default)]
pub struct Substitution {
    replaced: FxHashMap<Inst, Inst>,
}

impl Substitution {
    /// Replaces `value` by `by`, or by the current replacement of `by`. A replacement of `by` may be inserted later.
    pub fn insert(&mut self, value: Inst, by: Inst) {
        let by = self.resolve(by);
        debug_assert_ne!(value, by, "nothing stands for itself");
        self.replaced.insert(value, by);
    }

    /// The replacement of a value; the value itself if it has none. Compresses the path for the next query.
    pub fn resolve(&mut self, value: Inst) -> Inst {
        let mut last = value;
        while let Some(&next) = self.replaced.get(&last) {
            last = next;
        }
        let mut current = value;
        while let Some(&next) = self.replaced.get(&current).filter(|&&next| next != last) {
            self.replaced.insert(current, last);
            current = next;
        }
        last
    }

    /// Returns whether a value has a replacement.
    pub fn is_replaced(&self, value: Inst) -> bool {
        self.replaced.contains_key(&value)
    }

    /// Returns whether no value has a replacement.
    pub fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// Rewrites the operands of one instruction that have replacements.
    pub fn rewrite(&mut self, module: &mut Module, inst: Inst) {
        let changed = module.operands(inst).filter(|&operand| self.is_replaced(operand)).count();
        if changed == 0 {
            return;
        }
        if changed == 1 {
            let found = module.operands(inst).enumerate().find(|&(_, operand)| self.is_replaced(operand));
            let (index, operand) = found.expect("invariant: one was counted");
            let by = self.resolve(operand);
            return module.edit().set_operand(inst, index, by);
        }
        let operands: SmallVec<[Inst; 8]> = module.operands(inst).collect();
        let operands: SmallVec<[Inst; 8]> = operands.into_iter().map(|operand| self.resolve(operand)).collect();
        module.edit().set_operands(inst, &operands);
    }

    /// Rewrites the debug records that name a replaced value.
    fn rewrite_records(&mut self, module: &mut Module) {
        let named: Vec<Inst> = module.debug_records().iter().filter_map(|(_, record)| record.value).collect();
        for value in named.into_iter().filter(|value| self.replaced.contains_key(value)).collect::<Vec<_>>() {
            let by = self.resolve(value);
            module.edit().rename_in_records(value, by);
        }
    }

    /// Rewrites every instruction of a function.
    pub fn write(&mut self, module: &mut Module, function: Function) {
        if self.is_empty() {
            return;
        }
        let insts: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
        for inst in insts {
            self.rewrite(module, inst);
        }
        self.rewrite_records(module);
    }
}
