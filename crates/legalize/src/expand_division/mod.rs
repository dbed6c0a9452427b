//! Integer division by what is faster, or by what the machine has.
//!
//! ```text
//! %q = u_div %a, 7         ⇒  %p = u_mul_extended %a, m;  %h = composite_extract %p, 1;  %q from %h by shifts      (constant.rs)
//! %q = s_div %a, %b        ⇒  %u = u_div |%a|, |%b|;      %q = %u with the sign of %a ^ %b                          (signed.rs)
//! %r = s_mod %a, %b        ⇒  %m = s_rem %a, %b;          %r = %m + %b where their signs differ and %m is not 0
//! %q: u64 = u_div %a, %b   ⇒  %q = u_convert (u_div (u_convert %a), (u_convert %b)): u32     if %a and %b are below 2³² by their ranges
//! ```
//!
//! Ids are 64 bits wide in OpenCL and small in a launch of less than 2³² work-items, and a division of 64 bits takes several times as long as
//! one of 32.
//!
//! Divisions of 8 and 16 bits by a constant or of magnitudes are done in 32 bits, sign-extended or zero-extended. A division by zero, or of the
//! least integer by −1, gives any value, as in SPIR-V. No machine has a remainder with the sign of the divisor, so `s_mod` is always replaced.
//!
//! *Requires* scalars; vectors stay as they are. *Preserves* the control-flow graph. Linear.

mod constant;
mod signed;

use reconverge_analysis::Ranges;
use reconverge_analysis::launch::Facts;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Builder, Function, Inst, Module, Op, OpGroup};
use reconverge_rewrite::scalars::{constant_value, is_int};
use reconverge_rewrite::structs::Structs;

use crate::Machine;

/// Expands divisions of a function that the machine does not do best by itself, for launches with these facts. Returns whether there was one.
pub fn expand_division(module: &mut Module, function: Function, machine: &Machine, facts: &Facts) -> bool {
    let insts = module.blocks(function).flat_map(|block| module.children(block));
    let all: Vec<Inst> = insts.filter(|&inst| module.op(inst).group() == OpGroup::IntegerDivision).collect();
    let is_long = |&inst: &Inst| module.ty(inst).is_some_and(|ty| is_int(module, ty, 64));
    let ranges = match all.iter().any(is_long) {
        true => Ranges::compute(module, function, facts),
        false => Ranges::default(),
    };
    let divisions = all.into_iter().filter_map(|inst| Division::of(module, inst, machine, &ranges));
    let divisions: Vec<Division> = divisions.collect();
    if divisions.is_empty() {
        return false;
    }
    let mut structs = Structs::of(module);
    for division in &divisions {
        let result = Expansion::new(module, &mut structs, division).result(division);
        module.edit().replace_all_uses(division.inst, result);
        module.edit().delete(division.inst);
    }
    true
}

/// The way to compute a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By a constant, which is not zero: by a product.
    Constant(u64),
    /// By zero: any value.
    Zero,
    /// By the division of magnitudes.
    Magnitudes,
    /// By the remainder with the sign of the dividend.
    Floored,
    /// Of 64 bits, as unsigned words: by a product if there is a constant divisor here, else by a division.
    Words(Option<u64>),
}

/// An instruction that is expanded.
#[derive(Clone, Copy, Debug)]
struct Division {
    inst: Inst,
    op: Op,
    ty: Inst,
    bits: u32,
    way: Way,
}

impl Division {
    /// A division that the machine does not do best by itself.
    fn of(module: &Module, inst: Inst, machine: &Machine, ranges: &Ranges) -> Option<Division> {
        let op = module.op(inst);
        let ty = module.ty(inst)?;
        let TypeView::Int { width: bits, .. } = module.type_view(ty)? else { return None };
        let divisor = constant_value(module, module.operand(inst, 1));
        let is_word = |place| {
            let range = ranges.known(module, module.operand(inst, place));
            range.is_some_and(|(least, most)| least >= 0 && most <= i128::from(u32::MAX))
        };
        let way = match divisor {
            Some(0) => Way::Zero,
            divisor if bits == 64 && is_word(0) && is_word(1) => {
                Way::Words(divisor.filter(|_| !machine.constant_divisions.contains(32)))
            }
            Some(divisor) if !machine.constant_divisions.contains(bits) => Way::Constant(divisor),
            _ if !machine.expands(op, bits) => return None,
            _ if machine.signed_divisions.contains(bits) => Way::Floored,
            _ => Way::Magnitudes,
        };
        Some(Division { inst, op, ty, bits, way })
    }

    /// The operation that gives the quotient, or the remainder before it is floored. Numbers that are words are unsigned.
    fn truncated(&self) -> Op {
        match (self.op, self.way) {
            (Op::SDiv, Way::Words(_)) => Op::UDiv,
            (Op::SRem | Op::SMod, Way::Words(_)) => Op::UMod,
            (Op::SMod, _) => Op::SRem,
            (op, _) => op,
        }
    }
}

/// The place before a division where its expansion is built, for integers of a width.
struct Expansion<'m> {
    build: Builder<'m>,
    structs: &'m mut Structs,
    /// The type of the integers.
    ty: Inst,
    bits: u32,
}

impl<'m> Expansion<'m> {
    /// Before a division, in its width or in 32 bits.
    fn new(module: &'m mut Module, structs: &'m mut Structs, division: &Division) -> Expansion<'m> {
        let mut build = Builder::new(module);
        build.before(division.inst);
        let is_in_words = match division.way {
            Way::Words(_) => true,
            Way::Floored => false,
            _ => division.bits < 32,
        };
        let (ty, bits) = if is_in_words { (build.int_type(32), 32) } else { (division.ty, division.bits) };
        Expansion { build, structs, ty, bits }
    }

    fn result(mut self, division: &Division) -> Inst {
        let [a, b] = [0, 1].map(|place| self.build.module().operand(division.inst, place));
        if division.way == Way::Zero {
            return a;
        }
        let a = self.extended(division, a);
        let b = match division.way {
            Way::Constant(divisor) => self.number(extended_bits(division, divisor)),
            Way::Words(_) if let Some(divisor) = constant_value(self.build.module(), b) => self.number(divisor),
            _ => self.extended(division, b),
        };
        let op = division.truncated();
        let result = match division.way {
            Way::Constant(divisor) => self.by_constant(op, a, extended_bits(division, divisor)),
            Way::Words(Some(divisor)) => self.by_constant(op, a, divisor),
            Way::Magnitudes => self.by_magnitudes(op, a, b),
            Way::Floored | Way::Words(None) | Way::Zero => self.build.emit(op, Some(self.ty), &[a, b]),
        };
        let result = if op == Op::SRem && division.op == Op::SMod { self.floored(result, b) } else { result };
        match self.ty == division.ty {
            true => result,
            false => self.build.u_convert(division.ty, &[result]),
        }
    }

    /// An operand in the width of the expansion.
    fn extended(&mut self, division: &Division, operand: Inst) -> Inst {
        if self.ty == division.ty {
            return operand;
        }
        if !matches!(division.truncated(), Op::UDiv | Op::UMod) {
            return self.build.s_convert(self.ty, &[operand]);
        }
        // An integer of 64 bits is often a word that was extended. One of 8 or 16 bits may be a word that was cut, whose upper bits do not count.
        let module = self.build.module();
        let is_extended = self.bits < division.bits && module.op(operand) == Op::UConvert;
        let source = is_extended.then(|| module.operand(operand, 0));
        let source = source.filter(|&source| module.ty(source) == Some(self.ty));
        source.unwrap_or_else(|| self.build.u_convert(self.ty, &[operand]))
    }
}

/// The bits of a constant divisor in 32 bits, if it is narrower: those above its own are copies of the sign, or zero.
fn extended_bits(division: &Division, divisor: u64) -> u64 {
    let unused = 64 - division.bits;
    match division.op {
        Op::UDiv | Op::UMod => (divisor << unused) >> unused,
        _ => ((divisor << unused).cast_signed() >> unused).cast_unsigned(),
    }
}
