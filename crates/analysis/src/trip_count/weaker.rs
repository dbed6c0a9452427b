//! Weaker conditions, which hold for at least as many iterations.
//!
//! `a && b` implies `a`, and `x < min(a, b)` implies `x < a`. The rest of the loop does not change: a minimum that also steps the counter
//! is unchanged there.

use reconverge_ir::{Module, Op, view};
use spirv::GlslStd450Op;

use super::recurrence::Question;

/// The maximum number of weaker queries about one test.
const WEAKER_LIMIT: usize = 16;

/// Queries whose answer is at least that of the given one, because each has a weaker condition.
pub(super) fn weakened(module: &Module, question: Question) -> Vec<Question> {
    let (mut weaker, mut pending) = (Vec::new(), vec![question]);
    while let Some(question) = pending.pop().filter(|_| weaker.len() < WEAKER_LIMIT) {
        weaker.push(question);
        let operands = module.operands(question.condition);
        match (module.op(question.condition), question.stays_if) {
            (Op::LogicalAnd, true) | (Op::LogicalOr, false) => {
                pending.extend(operands.map(|condition| Question { condition, ..question }));
            }
            (Op::LogicalNot, stays_if) => {
                pending.extend(operands.map(|condition| Question { condition, stays_if: !stays_if, ..question }));
            }
            _ => {
                if let Some(order) = Comparison::of(module, question) {
                    let (left, right) = (view::Binary::LEFT, view::Binary::RIGHT);
                    let (greater, lesser) = if order.is_ascending { (right, left) } else { (left, right) };
                    weaker.extend(bounds(module, question, greater, order.least()));
                    weaker.extend(bounds(module, question, lesser, order.greatest()));
                }
            }
        }
    }
    weaker
}

/// Replaces an operand of the comparison that is a `min` or `max` by each of its own operands.
fn bounds(module: &Module, question: Question, index: usize, function: GlslStd450Op) -> Vec<Question> {
    let bound = module.operand(question.condition, index);
    let extended = view::ExtInst::of(module, bound).filter(|_| module.glsl_op(bound) == Some(function));
    let operands = extended.map(|extended| extended.operands).unwrap_or_default();
    operands.iter().map(|operand| Question { replaced: Some((index, operand)), ..question }).collect()
}

/// The inequality that a comparison states when control stays: one operand is at most the other.
struct Comparison {
    is_signed: bool,
    is_ascending: bool,
}

impl Comparison {
    fn of(module: &Module, question: Question) -> Option<Comparison> {
        let (is_signed, is_less) = match module.op(question.condition) {
            Op::ULessThan | Op::ULessThanEqual => (false, true),
            Op::UGreaterThan | Op::UGreaterThanEqual => (false, false),
            Op::SLessThan | Op::SLessThanEqual => (true, true),
            Op::SGreaterThan | Op::SGreaterThanEqual => (true, false),
            _ => return None,
        };
        Some(Comparison { is_signed, is_ascending: is_less == question.stays_if })
    }

    /// The function of operands whose result is below both.
    fn least(&self) -> GlslStd450Op {
        if self.is_signed { GlslStd450Op::SMin } else { GlslStd450Op::UMin }
    }

    /// The function of operands whose result is above both.
    fn greatest(&self) -> GlslStd450Op {
        if self.is_signed { GlslStd450Op::SMax } else { GlslStd450Op::UMax }
    }
}
