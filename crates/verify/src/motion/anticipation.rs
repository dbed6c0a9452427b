//! Instructions whose result may be undefined.
//!
//! - C4: an instruction whose result may be undefined for some operands runs only where an instruction that it replaces ran before, or
//!   would have run in any case: every path from its new place reaches an old one, without an end, a call or a cycle before it.
//!
//! ```text
//!   new ──▶ … ──▶ old     held          new ──▶ … ──▶ return     not held: one path does without it
//!    └────▶ … ──▶ old                    └────▶ … ──▶ old
//! ```
//!
//! A path with a cycle is rejected even if it always reaches the old place later: this crate does not prove that cycles end, and a fault
//! before an infinite loop would be a new one. (An expression is *anticipated* if every path evaluates it before an operand changes;
//! Kennedy 1972, "Safety of code motion". Operands do not change in SSA form.)
//!
//! Such instructions are integer divisions, unless the divisor is a constant that is valid for every dividend; reads through pointers and
//! of images that may be invalid; and arithmetic with no-wrap decorations.

use reconverge_ir::{Inst, Module, Op, Signedness, view};
use spirv::Decoration;

use super::Motion;
use super::origins::{EffectPlace, Moved};
use super::places::leads_somewhere;
use crate::Code;
use crate::report::Report;

/// Checks C4 for all instructions that moved.
pub(super) fn verify_anticipation(report: &mut Report<'_>, motion: &Motion<'_, '_>, moved: &[Moved]) {
    for Moved { inst, to, from } in moved {
        if may_be_undefined(motion.after.module, *inst) && !is_covered(motion, *to, from) {
            let message = match motion.after.module.op(*inst) {
                Op::Load => {
                    "the pointer may be invalid, and not every path from here reaches the old place of the read"
                }
                _ => "its result may be undefined, and not every path from here reaches its old place",
            };
            report.at(Code::C4, *inst, message);
        }
    }
}

/// Returns whether an instruction must not be speculated.
fn may_be_undefined(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        op @ (Op::UDiv | Op::UMod | Op::SDiv | Op::SRem | Op::SMod) => {
            let signedness = if matches!(op, Op::UDiv | Op::UMod) { Signedness::Unsigned } else { Signedness::Signed };
            view::Binary::of(module, inst).is_none_or(|division| !is_divisor(module, division.right, signedness))
        }
        Op::Load => view::Load::of(module, inst).is_none_or(|load| !leads_somewhere(module, load.pointer)),
        Op::ImageFetch | Op::ImageRead | Op::ImageSparseFetch | Op::ImageSparseRead => true,
        Op::OpaquePlain | Op::OpaqueResult | Op::OpaqueTyped => true,
        _ => promises_not_to_wrap(module, inst),
    }
}

/// Returns whether a value is a constant that is a valid divisor of every number; a signed divisor must not be -1 either, since the least
/// number divided by -1 overflows.
fn is_divisor(module: &Module, value: Inst, signedness: Signedness) -> bool {
    match module.op(value) {
        Op::Constant => {
            let words = module.constant_words(value).unwrap_or_default();
            let is_zero = words.iter().all(|&word| word == 0);
            let is_minus_one = words.iter().all(|&word| word == u32::MAX) || is_narrow_minus_one(module, value);
            !(is_zero || signedness == Signedness::Signed && is_minus_one)
        }
        Op::ConstantComposite => {
            let mut parts = module.operands(value);
            parts.all(|part| module.op(part) == Op::Constant && is_divisor_word(module, part, signedness))
        }
        _ => false,
    }
}

fn is_divisor_word(module: &Module, part: Inst, signedness: Signedness) -> bool {
    module.op(part) == Op::Constant && is_divisor(module, part, signedness)
}

/// Returns whether all bits of a constant in the width of its type are set; for unsigned types, SPIR-V does not define the bits above.
fn is_narrow_minus_one(module: &Module, value: Inst) -> bool {
    let width = module.ty(value).and_then(|ty| module.width(ty)).unwrap_or(32);
    let word = module.constant_word(value);
    width < 32 && word.is_some_and(|word| word & ((1 << width) - 1) == (1 << width) - 1)
}

fn promises_not_to_wrap(module: &Module, inst: Inst) -> bool {
    let notes = module.decorated(inst);
    notes.has(Decoration::NoSignedWrap) || notes.has(Decoration::NoUnsignedWrap)
}

/// Returns whether a place is after an old one, or every path from it reaches one.
fn is_covered(motion: &Motion<'_, '_>, to: EffectPlace, from: &[EffectPlace]) -> bool {
    let is_behind = from.iter().any(|old| match old.block == to.block {
        true => old.step <= to.step,
        false => motion.dominance.dominates(old.block, to.block),
    });
    is_behind || !motion.dominance.is_reachable(to.block) || always_comes_to(motion, to, from)
}

/// Follows every path from a place until it reaches one of the others. Linear in the blocks between.
fn always_comes_to(motion: &Motion<'_, '_>, to: EffectPlace, from: &[EffectPlace]) -> bool {
    /// A block is being visited, or every path from it reaches an old place.
    #[derive(Clone, Copy, PartialEq)]
    enum PathState {
        Open,
        Done,
    }
    let mut states = std::collections::HashMap::new();
    let mut path: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut next = Some(EffectPlace { block: to.block, step: to.step });
    loop {
        if let Some(place) = next.take() {
            match (states.get(&place.block), ends_in(motion, place, from)) {
                (Some(PathState::Done), _) | (_, Some(true)) => {}
                (Some(PathState::Open), _) | (_, Some(false)) => return false,
                (None, None) => {
                    let successors: Vec<u32> = motion.graph.successors(place.block).collect();
                    if successors.is_empty() {
                        return false;
                    }
                    states.insert(place.block, PathState::Open);
                    path.push((place.block, successors));
                }
            }
        }
        let Some((block, successors)) = path.last_mut() else { return true };
        match successors.pop() {
            Some(successor) => next = Some(EffectPlace { block: successor, step: 0 }),
            None => {
                states.insert(*block, PathState::Done);
                path.pop();
            }
        }
    }
}

/// Tests whether the rest of a block reaches an old place (true), or a call, which may not return (false).
fn ends_in(motion: &Motion<'_, '_>, place: EffectPlace, from: &[EffectPlace]) -> Option<bool> {
    let module = motion.after.module;
    let fixed = motion.steps.fixed(place.block);
    let old = from.iter().filter(|old| old.block == place.block && old.step >= place.step).map(|old| old.step).min();
    let call = (place.step..).zip(&fixed[place.step as usize..]).find(|&(_, &inst)| may_not_return(module.op(inst)));
    match (old, call) {
        (Some(old), Some((call, _))) => Some(old <= call),
        (Some(_), None) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    }
}

fn may_not_return(op: Op) -> bool {
    matches!(
        op,
        Op::FunctionCall
            | Op::ExecuteCallableKHR
            | Op::TraceRayKHR
            | Op::OpaquePlain
            | Op::OpaqueResult
            | Op::OpaqueTyped
    )
}
