//! Converts selectors with two values to booleans.
//!
//! ```text
//! d(u32 %s)  passed 0, 1                         d(bool %s)  passed false, true
//! if %s == 1 ─▶ a                         ⇒      if %s ─▶ a
//! m(u32 %t)  passed select %c, 1, 0              m(bool %t)  passed %c
//! ```
//!
//! Numbers count from 0 for each selector (`numbers.rs`), so the two are 0 and 1. Selectors that pass a number to each other change
//! together (`disjoint_sets.rs`). A selector keeps its numbers if a switch reads it, if it has a third number, or if an argument is
//! something else than a constant, `undef`, another selector or a select of those.
//!
//! *Requires* stage Structured. *Preserves* every other value. *Breaks* nothing. Near-linear in the arguments and uses of the
//! selectors.

use reconverge_ir::{Block, Inst, Module, Op, Position, Slot, terminator, view};
use rustc_hash::FxHashMap;

use reconverge_rewrite::disjoint_sets::DisjointSets;
use reconverge_rewrite::jumps::jumps_to;
use reconverge_rewrite::undef::Undefs;

/// The operands of a `select` that it chooses from.
const CHOSEN: [usize; 2] = [view::Select::SLOT.true_value, view::Select::SLOT.false_value];

/// Gives the type bool to those of `selectors`, parameters of blocks, that have two numbers.
pub(super) fn make_boolean(module: &mut Module, selectors: &[Inst]) {
    let mut members = Members::default();
    for &selector in selectors.iter().filter(|&&selector| module.is_live(selector)) {
        members.add(selector);
    }
    let mut next = 0;
    while next < members.all.len() {
        members.look_at(module, next);
        next += 1;
    }
    members.write(module);
}

/// A selector, or a `select` between numbers of selectors.
struct Member {
    value: Inst,
    /// The operands that hold its numbers: arguments of jumps, or operands of the `select`.
    sources: Vec<(Inst, usize)>,
    /// The comparisons with a number.
    comparisons: Vec<Inst>,
}

/// Members, and classes of those that pass numbers to each other.
#[derive(Default)]
struct Members {
    all: Vec<Member>,
    indices: FxHashMap<Inst, usize>,
    classes: DisjointSets,
    /// By root of a class, whether the class keeps its numbers.
    stays: Vec<bool>,
}

impl Members {
    fn add(&mut self, value: Inst) -> usize {
        let fresh = self.all.len();
        let index = *self.indices.entry(value).or_insert(fresh);
        if index == fresh {
            self.all.push(Member { value, sources: Vec::new(), comparisons: Vec::new() });
            self.classes.add();
            self.stays.push(false);
        }
        index
    }

    fn unite(&mut self, one: usize, other: usize) {
        if let (root, Some(gone)) = self.classes.unite(one, other) {
            self.stays[root] |= self.stays[gone];
        }
    }

    /// Processes the sources and the uses of a member.
    fn look_at(&mut self, module: &Module, index: usize) {
        let value = self.all[index].value;
        let sources = sources(module, value);
        let mut is_plain = true;
        for &(user, operand) in &sources {
            let passed = module.operand(user, operand);
            match module.op(passed) {
                Op::Undef => {}
                Op::Constant => is_plain &= truth(module, passed).is_some(),
                op => match self.indices.get(&passed).copied().or_else(|| (op == Op::Select).then(|| self.add(passed)))
                {
                    Some(other) => self.unite(index, other),
                    None => is_plain = false,
                },
            }
        }
        let mut comparisons = Vec::new();
        for used in module.uses(value) {
            match (module.op(used.user), used.slot) {
                (Op::IEqual, Slot::Operand(view::Binary::LEFT)) => {
                    is_plain &= number_compared(module, used.user).is_some();
                    comparisons.push(used.user);
                }
                (Op::Select, Slot::Operand(operand)) if CHOSEN.contains(&operand) => {
                    let chosen = self.add(used.user);
                    self.unite(index, chosen);
                }
                (Op::Branch | Op::Loop, Slot::Operand(operand)) => {
                    let receiver = receiver(module, used.user, operand);
                    match receiver.and_then(|receiver| self.indices.get(&receiver)) {
                        Some(&other) => self.unite(index, other),
                        None => is_plain = false,
                    }
                }
                _ => is_plain = false,
            }
        }
        self.all[index].sources = sources;
        self.all[index].comparisons = comparisons;
        let root = self.classes.root(index);
        self.stays[root] |= !is_plain;
    }

    /// Changes the classes that do not stay.
    fn write(mut self, module: &mut Module) {
        let roots: Vec<usize> = (0..self.all.len()).map(|index| self.classes.root(index)).collect();
        let changed: Vec<usize> = (0..self.all.len()).filter(|&index| !self.stays[roots[index]]).collect();
        if changed.is_empty() {
            return;
        }
        let bool_type = module.edit().unique(Op::TypeBool, None, &[]);
        let mut undefs = Undefs::default();
        for member in changed.iter().map(|&index| &self.all[index]) {
            module.edit().set_type(member.value, bool_type);
            for &(user, operand) in &member.sources {
                let passed = module.operand(user, operand);
                let passed = match (module.op(passed), truth(module, passed)) {
                    (Op::Undef, _) => undefs.undef(module, bool_type),
                    (_, Some(truth)) => {
                        let op = if truth { Op::ConstantTrue } else { Op::ConstantFalse };
                        module.edit().unique(op, Some(bool_type), &[])
                    }
                    (_, None) => continue,
                };
                module.edit().set_operand(user, operand, passed);
            }
            for &comparison in &member.comparisons {
                let result = if number_compared(module, comparison) == Some(true) {
                    member.value
                } else {
                    module.edit().insert(Position::Before(comparison), Op::LogicalNot, Some(bool_type), &[member.value])
                };
                module.edit().replace_all_uses(comparison, result);
                module.edit().delete(comparison);
            }
        }
        for index in changed {
            simplify_select(module, self.all[index].value);
        }
    }
}

/// The operands that hold the numbers of a member.
fn sources(module: &Module, value: Inst) -> Vec<(Inst, usize)> {
    if module.op(value) == Op::Select {
        return CHOSEN.map(|operand| (value, operand)).to_vec();
    }
    let block = module.block_of(value).expect("invariant: a parameter stands in a block");
    let place = module.parameters(block).position(|parameter| Inst::from(parameter) == value);
    let place = place.expect("invariant: a selector is a parameter");
    let operands = jumps_to(module, block).into_iter().map(|jump| {
        let first = terminator::first_argument(module.op(jump));
        (jump.into(), first.expect("invariant: jumps alone enter a block with parameters") + place)
    });
    operands.collect()
}

/// The parameter that an operand of a jump is passed to.
fn receiver(module: &Module, jump: Inst, operand: usize) -> Option<Inst> {
    let target: Block = module.cast(module.operand(jump, terminator::operand::TARGET))?;
    let place = operand.checked_sub(terminator::first_argument(module.op(jump))?)?;
    module.parameters(target).nth(place).map(Inst::from)
}

/// The boolean for a constant that is one of the two numbers.
fn truth(module: &Module, value: Inst) -> Option<bool> {
    module.constant_word(value).filter(|&number| number <= 1).map(|number| number == 1)
}

/// The boolean for the number that a comparison compares a selector with.
fn number_compared(module: &Module, comparison: Inst) -> Option<bool> {
    truth(module, view::IEqual::of(module, comparison)?.right)
}

/// `select %c, true, false` is `%c`, and `select %c, false, true` is its negation.
fn simplify_select(module: &mut Module, select: Inst) {
    let Some(view::Select { condition, true_value, false_value }) = view::Select::of(module, select) else { return };
    let result = match (module.op(true_value), module.op(false_value)) {
        (Op::ConstantTrue, Op::ConstantFalse) => condition,
        (Op::ConstantFalse, Op::ConstantTrue) => {
            let ty = module.ty(select);
            module.edit().insert(Position::Before(select), Op::LogicalNot, ty, &[condition])
        }
        _ => return,
    };
    module.edit().replace_all_uses(select, result);
    module.edit().delete(select);
}
