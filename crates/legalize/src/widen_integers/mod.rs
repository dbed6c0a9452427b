//! Integers of 8 and 16 bits as 32-bit ones, for code that has no others.
//!
//! ```text
//! %c: u8 = i_add %a, %b               %c.0: u32 = i_add %a, %b      %c = bitwise_and %c.0, 0xff
//! %d: u8 = s_div %a, %b         ⇒     both operands: shift_left_logical 24, shift_right_arithmetic 24; then s_div, bitwise_and
//! %e: i32 = s_convert %a              %e = the same two shifts of %a
//! %f: u8x4 = bitcast %w               %f = composite_construct of (%w >> 0) & 0xff, (%w >> 8) & 0xff, …
//! ```
//!
//! *Requires* a module after `lower_memory` and `split_integers`: memory has neither narrow nor 64-bit integers. *Preserves* the
//! control-flow graph.
//!
//! Invariant: the bits of a widened integer above its own are zero. So unsigned operations, comparisons and selections only change their
//! type; operations that can set these bits are followed by a mask; operations that look at the sign extend it first (`arithmetic.rs`).
//! Reinterpreted bits go through words (`bitcast.rs`). One traversal; linear in the instructions and in the components of their types.

mod arithmetic;
mod bitcast;
mod types;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashMap;

use self::types::WideTypes;
use crate::Machine;
use reconverge_rewrite::scalars::is_int;

/// Widens integers of 8 and 16 bits if the machine lacks them. Returns whether anything changed.
///
/// # Errors
/// An operation without an expansion, by name.
pub fn widen_integers(module: &mut Module, machine: &Machine) -> Result<bool, Diagnostic> {
    let has_narrow = module.globals().any(|global| is_int(module, global, 8) || is_int(module, global, 16));
    if machine.integers.contains(8) || !has_narrow {
        return Ok(false);
    }
    let functions: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_some()).collect();
    let blocks = functions.iter().flat_map(|&function| module.blocks(function));
    let all: Vec<Inst> = blocks.flat_map(|block| module.children(block)).collect();
    let mut widening = Widening::new(module, machine);
    let narrow: Vec<NarrowInst> = all.into_iter().filter_map(|inst| widening.remember(inst)).collect();
    for narrow in narrow {
        widening.instruction(&narrow)?;
    }
    Ok(widening.finish())
}

/// An instruction with a narrow operand or result, and the types that its operands had. A value that replaces another one may have had
/// another type, so they are recorded before anything changes.
struct NarrowInst {
    inst: Inst,
    operands: Vec<Option<Inst>>,
}

/// The state of the pass.
struct Widening<'m> {
    module: &'m mut Module,
    machine: &'m Machine,
    types: WideTypes,
    /// The narrow types that values had.
    narrow: FxHashMap<Inst, Inst>,
    /// Instructions that were replaced, to be deleted.
    replaced: Vec<Inst>,
    changed: bool,
}

impl<'m> Widening<'m> {
    fn new(module: &'m mut Module, machine: &'m Machine) -> Widening<'m> {
        let (types, narrow, replaced) = (WideTypes::default(), FxHashMap::default(), Vec::new());
        Widening { module, machine, types, narrow, replaced, changed: false }
    }

    /// Records the types of an instruction before they change; `None` if it has nothing narrow.
    fn remember(&mut self, inst: Inst) -> Option<NarrowInst> {
        let operands: Vec<Option<Inst>> = self.module.operands(inst).map(|operand| self.module.ty(operand)).collect();
        let mut is_narrow = operands.iter().flatten().any(|&ty| self.types.is_narrow(self.module, ty));
        if let Some(ty) = self.module.ty(inst)
            && self.types.is_narrow(self.module, ty)
        {
            self.narrow.insert(inst, ty);
            is_narrow = true;
        }
        is_narrow.then_some(NarrowInst { inst, operands })
    }

    /// The type of a value before it was widened.
    fn old_type(&self, value: Inst) -> Option<Inst> {
        self.narrow.get(&value).copied().or_else(|| self.module.ty(value))
    }

    /// The width of the narrow integers that a scalar or vector consisted of.
    fn width(&self, value: Inst) -> Option<u32> {
        self.old_type(value).and_then(|ty| types::narrow_width(self.module, ty))
    }

    /// Widens an instruction with a narrow operand or result.
    fn instruction(&mut self, narrow: &NarrowInst) -> Result<(), Diagnostic> {
        let (inst, old) = (narrow.inst, &narrow.operands);
        self.changed = true;
        for index in 0..old.len() {
            self.widen_constant(inst, index)?;
        }
        let op = self.module.op(inst);
        match op {
            Op::Bitcast => self.bitcast(inst, old[0]),
            Op::UConvert | Op::SConvert => self.convert(inst, op, old[0]),
            Op::Switch | Op::StructuredSwitch => {
                self.widen_cases(inst, old[0]);
                Ok(())
            }
            Op::Load | Op::Store | Op::FunctionCall | Op::ReturnValue => Err(self.unsupported(inst, op.name())),
            _ if view::Atomic::covers(op) => Err(self.unsupported(inst, op.name())),
            _ => self.arithmetic(inst, op, old),
        }
    }

    /// Replaces a constant operand of a narrow type by one of the wide type.
    fn widen_constant(&mut self, inst: Inst, index: usize) -> Result<(), Diagnostic> {
        let operand = self.module.operand(inst, index);
        let Some(ty) = self.module.ty(operand) else { return Ok(()) };
        let op = self.module.op(operand);
        if !(op.is_constant() || op == Op::Undef) || !self.types.is_narrow(self.module, ty) {
            return Ok(());
        }
        let wide = self.types.constant(self.module, operand).ok_or_else(|| self.unsupported(inst, op.name()))?;
        self.module.edit().set_operand(inst, index, wide);
        Ok(())
    }

    /// The labels of a switch, whose upper bits may be copies of the sign, get zeros there.
    fn widen_cases(&mut self, inst: Inst, selector: Option<Inst>) {
        let Some(width) = selector.and_then(|ty| types::narrow_width(self.module, ty)) else { return };
        let first = if self.module.op(inst) == Op::Switch { 2 } else { 4 };
        for index in (first..self.module.operand_count(inst)).step_by(2) {
            let label = self.module.operand(inst, index);
            let value = self.module.literal_word(label).unwrap_or_default() & ((1 << width) - 1);
            let label = self.module.edit().word(value);
            self.module.edit().set_operand(inst, index, label);
        }
    }

    /// Replaces a value by another one.
    fn replace(&mut self, old: Inst, new: Inst) {
        self.module.edit().replace_all_uses(old, new);
        self.replaced.push(old);
    }

    /// The error for an instruction without an expansion.
    fn unsupported(&self, at: Inst, what: &str) -> Diagnostic {
        self.machine.refusal(at, format!("8-bit and 16-bit integers for code without them: {what}"))
    }

    /// Deletes what was replaced. Returns whether anything changed.
    fn finish(self) -> bool {
        let Widening { module, replaced, changed, .. } = self;
        replaced.into_iter().rev().for_each(|inst| module.edit().delete(inst));
        changed
    }
}
