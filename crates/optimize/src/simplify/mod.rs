//! Algebraic simplification: rules in tables, applied until none applies.
//!
//! ```text
//! %a = i_add %x, %one
//! %b = i_sub %a, %three       ⇒     %b = i_add %x, %minus_two        (sub_add)
//! %c = u_less_than %b, %y
//! %d = logical_not %c               %d = u_greater_than_equal %b, %y (not_u_less_than)
//! ```
//!
//! *Requires* nothing. *Preserves* control flow, every value and every effect; a result that SPIR-V leaves undefined may become defined.
//! *Breaks* nothing. Operands of replaced instructions are left to `dce`.
//!
//! A rule (`rule.rs`) is a pattern and its replacement, in the tables `integers.rs`, `bits.rs`, `comparisons.rs`, `logic.rs`, `floats.rs`.
//! Rules about components of composites, pointers and conversions are functions in `composites.rs` and `conversions.rs`. Operations on
//! constants are folded.
//!
//! A rule inspects an instruction and the definitions of its operands, but not its users. So one traversal in reverse post-order, in which
//! each instruction is rewritten until no rule applies, reaches a state in which no rule applies anywhere: operands are finished before
//! their users. Each rule reduces the measure that `rule::weight` defines, so rewriting terminates; components are followed through at most
//! [`STEP_LIMIT`] instructions. Linear.
//!
//! *Decorations.* An instruction that replaces several loses their promises (`NoSignedWrap`, …), keeps `RelaxedPrecision` if all have it,
//! and keeps the floating-point mode if all float operations have the same. Otherwise, and for unknown decorations (`NonUniform`,
//! `FPRoundingMode`, …), the rule does not apply. It has the location and the name of the outermost instruction.

mod bits;
mod comparisons;
mod composites;
mod conversions;
mod decorations;
mod floats;
mod integers;
mod logic;
mod matching;
mod rewrite;
mod rule;
mod strength;
#[cfg(test)]
mod tests;
mod words;

use std::sync::LazyLock;

use reconverge_analysis::constant_folding::fold;
use reconverge_ir::{Function, Inst, Module, Op, Position};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analyses::Analyses;
use decorations::Notes;
use matching::Constants;
use reconverge_rewrite::constants::constant_inst;
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_rewrite::removal::remove;
use reconverge_rewrite::substitution::Substitution;
use rewrite::apply;
use rule::{Rule, When};

/// The maximal number of rewrites of an instruction.
const STEP_LIMIT: usize = 64;
/// The replacement of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Rewritten {
    /// An existing value.
    Value(Inst),
    /// A new instruction of the same type.
    New(Op, SmallVec<[Inst; 4]>),
}

/// Rules by the op of their pattern.
pub(crate) struct Rules {
    by_op: FxHashMap<Op, Vec<Rule>>,
}

/// All tables.
pub(crate) fn tables() -> impl Iterator<Item = Rule> {
    let tables = [integers::RULES, bits::RULES, comparisons::RULES, logic::RULES, floats::RULES];
    tables.into_iter().flatten().copied()
}

/// The table of `strength_reduction`.
pub(crate) fn cheaper() -> impl Iterator<Item = Rule> {
    strength::RULES.iter().copied()
}

static ALL: LazyLock<Rules> = LazyLock::new(|| Rules::new(tables()));

impl Rules {
    pub(crate) fn new(rules: impl Iterator<Item = Rule>) -> Rules {
        let mut by_op: FxHashMap<Op, Vec<Rule>> = FxHashMap::default();
        for rule in rules {
            let rule::Term::Op(op, _) = rule.from else { unreachable!("a pattern is an operation") };
            by_op.entry(op).or_default().push(rule);
        }
        Rules { by_op }
    }
}

/// Simplifies the instructions of a function. Returns the number of replaced instructions.
pub fn simplify(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    simplify_by(module, function, &ALL, analyses)
}

/// [`simplify`] with these rules, and the rules that are functions.
pub(crate) fn simplify_by(module: &mut Module, function: Function, rules: &Rules, analyses: &mut Analyses) -> usize {
    if module.entry(function).is_none() {
        return 0;
    }
    let blocks = analyses.reverse_post_order(module, function);
    let mut simplifier = Simplifier {
        module,
        rules,
        facts: analyses.facts(),
        constants: Constants::default(),
        substitution: Substitution::default(),
        replaced: Vec::new(),
    };
    for block in blocks {
        let insts: Vec<Inst> = simplifier.module.children(block).collect();
        insts.into_iter().for_each(|inst| simplifier.visit(inst));
    }
    let Simplifier { mut substitution, replaced, .. } = simplifier;
    substitution.write(module, function);
    replaced.iter().for_each(|&inst| remove(module, inst));
    replaced.len()
}

struct Simplifier<'m, 'r> {
    module: &'m mut Module,
    rules: &'r Rules,
    facts: &'r ModuleFacts,
    constants: Constants,
    substitution: Substitution,
    /// The replaced instructions, which are removed at the end.
    replaced: Vec<Inst>,
}

impl Simplifier<'_, '_> {
    /// Rewrites an instruction until no rule applies.
    fn visit(&mut self, inst: Inst) {
        self.substitution.rewrite(self.module, inst);
        if self.module.ty(inst).is_none() || self.module.op(inst) == Op::BlockParameter {
            return;
        }
        let mut current = inst;
        for _ in 0..STEP_LIMIT {
            let Some((rewritten, notes)) = self.rewritten(current) else { break };
            let (next, is_done) = match rewritten {
                Rewritten::Value(value) => (value, true),
                Rewritten::New(op, operands) => (self.insert(current, op, &operands, &notes), false),
            };
            if current != inst {
                remove(self.module, current);
            }
            current = next;
            if is_done {
                break;
            }
        }
        if current != inst {
            self.substitution.insert(inst, current);
            self.replaced.push(inst);
        }
    }

    /// The replacement of an instruction by the first rule that applies, with the decorations of the replacement.
    fn rewritten(&mut self, inst: Inst) -> Option<(Rewritten, Notes)> {
        let (op, ty) = (self.module.op(inst), self.module.ty(inst)?);
        if self.facts.is_for_storage(self.module, ty) {
            return None;
        }
        if let Some(constant) = fold(self.module, inst, |operand| self.constants.of(self.module, operand).cloned()) {
            return Some((Rewritten::Value(constant_inst(self.module, ty, &constant)), Notes::default()));
        }
        if let Some((rewritten, looked_through)) = composites::rewrite(self.module, &mut self.constants, inst)
            .or_else(|| conversions::rewrite(self.module, inst))
        {
            let matched: SmallVec<[Inst; 3]> = [inst].into_iter().chain(looked_through).collect();
            let notes = Notes::compute(self.module, &matched)?;
            return notes.allow(&rewritten).then_some((rewritten, notes));
        }
        let rules = self.rules.by_op.get(&op)?;
        rules.iter().find_map(|rule| self.apply(rule, inst))
    }

    fn apply(&mut self, rule: &Rule, inst: Inst) -> Option<(Rewritten, Notes)> {
        let bound = matching::find(self.module, &mut self.constants, &rule.from, inst)?;
        let holds = match rule.when {
            When::Always => true,
            When::KeepsSubnormals => !self.facts.flushes_subnormals(self.module),
            When::Holds(holds) => holds(&bound),
        };
        if !holds {
            return None;
        }
        let notes = Notes::compute(self.module, &bound.matched)?;
        let rewritten = apply(self.module, &rule.to, &bound, inst)?;
        notes.allow(&rewritten).then_some((rewritten, notes))
    }

    /// Inserts a new instruction before the one that it replaces.
    fn insert(&mut self, old: Inst, op: Op, operands: &[Inst], notes: &Notes) -> Inst {
        let (ty, location) = (self.module.ty(old), self.module.explicit_location(old));
        let mut editor = self.module.edit();
        let new = editor.insert(Position::Before(old), op, ty, operands);
        if location.is_some() {
            editor.set_location(new, location);
            editor.set_location(old, None);
        }
        notes.write(&mut editor, op, new);
        new
    }
}
