//! The structure of a rule.
//!
//! ```text
//! Rule { from: IAdd(IAdd(X, C0), C1), to: IAdd(X, Fold(IAdd, C0, C1)) }       (x + 1) + 2  ⇒  x + 3
//! ```
//!
//! Laws, which the tests check for every rule: `to` contains at most one operation that is not folded, so no rule makes a program longer;
//! no value occurs more often in `to` than in `from`, since each use of an undefined value may have a different value; and `to` weighs less
//! than `from` (`weight`), so rewriting terminates.

use reconverge_ir::Op;

use super::matching::Bound;

/// A pattern, or its replacement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Term {
    /// Any value, the same wherever the number occurs.
    Value(u8),
    /// A constant with a known value, the same wherever the number occurs.
    Constant(u8),
    /// This constant, in every component.
    Is(Known),
    /// An operation. If operands are commutative, either order matches.
    Op(Op, &'static [Term]),
    /// In `to`: the constant result of the operation. It has the type of its first operand, or that of the result if the operand is a
    /// [`Term::Is`].
    Fold(Op, &'static [Term]),
}

/// A constant that is the same for all types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// The integer 0.
    Zero,
    /// The integer 1.
    One,
    /// The integer of all ones.
    Ones,
    /// True.
    True,
    /// False.
    False,
    /// The float 0, positive.
    FloatZero,
    /// The float 0, negative.
    NegativeZero,
    /// The float 1.
    FloatOne,
    /// The float -1.
    MinusOne,
}

/// The condition of a rule besides the pattern.
#[derive(Clone, Copy)]
pub(crate) enum When {
    /// None.
    Always,
    /// No execution mode allows devices to flush subnormal numbers, which the removed operation would flush.
    KeepsSubnormals,
    /// A condition on the constants.
    Holds(fn(&Bound) -> bool),
}

/// A pattern, and its replacement.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    /// The name in tests.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "what a table calls a rule is for those who read it, and for tests")
    )]
    pub(crate) name: &'static str,
    pub(crate) from: Term,
    pub(crate) to: Term,
    pub(crate) when: When,
}

/// A rule without condition.
pub(super) const fn rule(name: &'static str, from: Term, to: Term) -> Rule {
    Rule { name, from, to, when: When::Always }
}

/// A rule that holds for some constants.
pub(super) const fn rule_if(name: &'static str, from: Term, to: Term, holds: fn(&Bound) -> bool) -> Rule {
    Rule { name, from, to, when: When::Holds(holds) }
}

/// A rule that holds if subnormal numbers are not flushed.
pub(super) const fn rule_kept(name: &'static str, from: Term, to: Term) -> Rule {
    Rule { name, from, to, when: When::KeepsSubnormals }
}

/// The weight of a term: the measure that every rule reduces. It orders terms first by the number of operations, then by their costs
/// (division, multiplication, other operations, plain negation or comparison for equality), and last by the order of negated conditions.
#[cfg(test)]
pub(super) fn weight(term: &Term) -> u32 {
    match term {
        Term::Op(op, operands) => {
            let own = match op {
                Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod | Op::FDiv => 1400,
                Op::IMul => 1100,
                Op::FMul => 1050,
                Op::SNegate | Op::FNegate | Op::Not | Op::LogicalNot => 1000,
                Op::IEqual | Op::INotEqual => 1005,
                _ => 1010,
            };
            own + operands.iter().map(weight).sum::<u32>()
        }
        Term::Value(_) => 1,
        Term::Constant(_) | Term::Is(_) | Term::Fold(..) => 0,
    }
}
