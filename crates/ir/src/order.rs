//! The order in which globals can be declared.
//!
//! Globals stand in order of creation; text and SPIR-V want each after what it uses. A walk in depth from each global in turn, over
//! operands, type, and the operands of decorations, on a stack of its own. A list that is in order already comes back as it is.
//!
//! ```text
//! created:  %f = type_function %v    %v = type_void        ordered:  %v    %f
//! ```
//!
//! Two things point ahead and are not followed: what describes the module (an entry point and its function), and a pointer type
//! that was declared ahead (`type_forward_pointer`), the one way in which types can be cyclic. Its users follow the declaration
//! instead, so that in the order the struct comes before the pointer to it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Class, Inst, Module, Op};

impl Module {
    /// The instructions at module level before the functions, each after what it uses, otherwise in order of creation.
    ///
    /// The exceptions are what SPIR-V allows: pointers that are declared ahead of the struct that holds them, entry points,
    /// execution modes and group decorations. Linear; no recursion.
    pub fn ordered_globals(&self) -> Vec<Inst> {
        let ahead = self.declared_ahead();
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        let mut order = Vec::new();
        for global in self.globals() {
            let mut stack = vec![(global, false)];
            while let Some((inst, left)) = stack.pop() {
                if left {
                    order.push(inst);
                    continue;
                }
                let is_global = self.parent(inst) == Some(self.root()) && self.op(inst) != Op::Function;
                if !is_global || !seen.insert(inst) {
                    continue;
                }
                stack.push((inst, true));
                let first = stack.len();
                stack.extend(self.needed_before(inst, &ahead).into_iter().map(|needed| (needed, false)));
                stack[first..].reverse();
            }
        }
        order
    }

    /// The pointer types that are declared ahead, and by what.
    fn declared_ahead(&self) -> FxHashMap<Inst, Inst> {
        let declarations = self.globals().filter(|&global| self.op(global) == Op::TypeForwardPointer);
        declarations.filter_map(|declaration| Some((self.operands(declaration).next()?, declaration))).collect()
    }

    fn needed_before(&self, inst: Inst, ahead: &FxHashMap<Inst, Inst>) -> Vec<Inst> {
        let op = self.op(inst);
        let notes = self.decorations(inst).iter().flat_map(|&note| self.operands(note));
        let points_ahead = matches!(
            op,
            Op::TypeForwardPointer
                | Op::EntryPoint
                | Op::ExecutionMode
                | Op::ExecutionModeId
                | Op::GroupDecorate
                | Op::GroupMemberDecorate
        );
        if points_ahead {
            return notes.collect();
        }
        let operands = self.ty(inst).into_iter().chain(self.operands(inst));
        let operands = operands.map(|operand| match ahead.get(&operand) {
            Some(&declaration) if op.class() == Class::Type => declaration,
            _ => operand,
        });
        operands.chain(notes).collect()
    }
}
