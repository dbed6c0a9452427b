//! Constants at module level that become instructions of the functions that use them.
//!
//! ```text
//! %b = spec_constant_op IAdd %a, 4                       ^entry:  %b = i_add %a, 4
//! %v = spec_constant_composite %b, %b             ⇒               %v = composite_construct %b, %b
//! ```
//!
//! Linear in the instructions and the constants.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::entry_points::first_instruction;
use crate::error;
use crate::scalars::constant_operation;

/// Constants that become instructions; operands before users.
#[derive(Default)]
pub(crate) struct Constants {
    in_order: Vec<Inst>,
    known: FxHashSet<Inst>,
}

impl Constants {
    pub(crate) fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }

    pub(crate) fn contains(&self, constant: Inst) -> bool {
        self.known.contains(&constant)
    }

    /// Adds a `spec_constant_op` or a `spec_constant_composite`.
    pub(crate) fn push(&mut self, constant: Inst) {
        self.known.insert(constant);
        self.in_order.push(constant);
    }

    /// Converts the constants in every function, and deletes those that nothing uses any more. Returns whether a function has changed.
    ///
    /// # Errors
    /// A constant operation with an unknown opcode.
    pub(crate) fn expand(&self, module: &mut Module) -> Result<bool, Diagnostic> {
        let functions: Vec<Function> =
            module.functions().filter(|&function| module.entry(function).is_some()).collect();
        let mut changed = false;
        for function in functions {
            changed |= self.expand_in(module, function)?;
        }
        for &constant in self.in_order.iter().rev() {
            if !module.is_used(constant) {
                module.edit().delete(constant);
            }
        }
        Ok(changed)
    }

    /// Emits the instructions that a function needs at its start, and replaces the constants by them.
    fn expand_in(&self, module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
        let body: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
        let is_needed = |constant: &Inst| self.known.contains(constant);
        let mut needed: FxHashSet<Inst> =
            body.iter().flat_map(|&inst| module.operands(inst)).filter(is_needed).collect();
        if needed.is_empty() {
            return Ok(false);
        }
        for &constant in self.in_order.iter().rev() {
            if needed.contains(&constant) {
                needed.extend(module.operands(constant).filter(is_needed));
            }
        }
        let first = first_instruction(module, function);
        let mut copies: FxHashMap<Inst, Inst> = FxHashMap::default();
        for &constant in self.in_order.iter().filter(|constant| needed.contains(constant)) {
            let (op, operands) = operation(module, constant)?;
            let operands: Vec<Inst> =
                operands.into_iter().map(|operand| *copies.get(&operand).unwrap_or(&operand)).collect();
            let ty = module.ty(constant);
            let mut build = Builder::new(module);
            build.before(first);
            copies.insert(constant, build.emit(op, ty, &operands));
        }
        for inst in body {
            let operands: Vec<Inst> = module.operands(inst).collect();
            for (index, operand) in operands.into_iter().enumerate() {
                if let Some(&copy) = copies.get(&operand) {
                    module.edit().set_operand(inst, index, copy);
                }
            }
        }
        Ok(true)
    }
}

/// The operation of a constant with its operands.
fn operation(module: &Module, constant: Inst) -> Result<(Op, Vec<Inst>), Diagnostic> {
    if module.op(constant) == Op::SpecConstantComposite {
        return Ok((Op::CompositeConstruct, module.operands(constant).collect()));
    }
    let known = constant_operation(module, constant).map(|(op, operands)| (op, operands.to_vec()));
    known.ok_or_else(|| error::unsupported(constant, "a constant with an unknown operation"))
}
