//! Rewrites the uses of a selector to use the parameter that implies it.

use reconverge_ir::terminator::{self, operand};
use reconverge_ir::{Block, Inst, Module, Op, Position, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{BranchFacts, Fact, number_compared};
use super::{Pair, PairTable, tests};
use reconverge_rewrite::jumps::{jumps_to, replace_operands};

/// Removes the implied selectors of a table. Returns their number.
pub(super) fn write(module: &mut Module, table: &PairTable) -> usize {
    let implied: Vec<&Pair> = table.pairs.iter().filter(|pair| pair.is_implied).collect();
    let constants = constants_for_nothing(&implied);
    // The facts at a comparison depend on the branches above it, which are comparisons themselves.
    let mut comparisons = Vec::new();
    for pair in &implied {
        for used in module.uses(pair.selector) {
            if let Some(number) = compared_with(module, pair, used.user) {
                comparisons.push((used.user, *pair, settled(&facts_at(module, pair, used.user), &constants), number));
            }
        }
    }
    for (comparison, pair, facts, number) in comparisons {
        write_comparison(module, comparison, pair, &facts, number);
    }
    let mut gone: FxHashMap<Block, Vec<&Pair>> = FxHashMap::default();
    for pair in &implied {
        write_switches(module, pair, &settled(pair.facts.known().unwrap_or_default(), &constants));
        gone.entry(pair.block).or_default().push(*pair);
    }
    for pair in &implied {
        if let Some(pairs) = gone.remove(&pair.block) {
            write_jumps(module, table, &pairs, &constants);
        }
    }
    implied.iter().for_each(|pair| module.edit().delete(pair.selector));
    implied.len()
}

/// The number that a user compares a pair's selector with.
pub(super) fn compared_with(module: &Module, pair: &Pair, user: Inst) -> Option<u32> {
    number_compared(module, user, pair.selector)
}

/// The possible values of a pair at an instruction.
pub(super) fn facts_at(module: &Module, pair: &Pair, user: Inst) -> Vec<Fact> {
    let ways = module.block_of(user).map(|block| BranchFacts::before(module, block, pair.selector)).unwrap_or_default();
    pair.facts.iter().copied().filter(|fact| ways.allow(fact.number)).collect()
}

/// The constants in place of undefined values, by number: one that occurs with that number only, or a new one.
fn constants_for_nothing(implied: &[&Pair]) -> FxHashMap<u32, u32> {
    let mut facts: Vec<Fact> = implied.iter().flat_map(|pair| pair.facts.iter().copied()).collect();
    facts.sort_unstable();
    facts.dedup();
    let known: FxHashSet<u32> = facts.iter().filter_map(|fact| fact.constant).collect();
    let mut constants: FxHashMap<u32, u32> = FxHashMap::default();
    for same in facts.chunk_by(|left, right| left.constant == right.constant) {
        if let &[Fact { constant: Some(constant), number }] = same {
            constants.entry(number).or_insert(constant);
        }
    }
    // The number itself if no other number has that constant, else an unused one.
    let mut taken = known;
    let mut unmet = 0..=u32::MAX;
    for fact in facts.iter().filter(|fact| fact.constant.is_none()) {
        constants.entry(fact.number).or_insert_with(|| {
            let fresh =
                if taken.insert(fact.number) { Some(fact.number) } else { unmet.find(|&word| taken.insert(word)) };
            fresh.expect("invariant: a function has fewer constants than there are words")
        });
    }
    constants
}

/// Facts with constants in place of undefined values.
fn settled(facts: &[Fact], constants: &FxHashMap<u32, u32>) -> Vec<Fact> {
    let settled = facts
        .iter()
        .map(|fact| Fact { constant: fact.constant.or_else(|| constants.get(&fact.number).copied()), ..*fact });
    let mut settled: Vec<Fact> = settled.collect();
    settled.sort_unstable();
    settled.dedup();
    settled
}

fn write_comparison(module: &mut Module, comparison: Inst, pair: &Pair, facts: &[Fact], number: u32) {
    let (_, says_wanted) =
        tests(facts, |other| other == number).expect("invariant: the number was found to be implied");
    let told = facts.iter().filter(|fact| (fact.number == number) == says_wanted).filter_map(|fact| fact.constant);
    let ty = module.ty(comparison);
    let position = Position::Before(comparison);
    let mut result = None;
    for constant in told.collect::<Vec<u32>>() {
        let test = match (pair.is_bool, (constant == 1) == says_wanted) {
            (true, true) => pair.partner,
            (true, false) => module.edit().insert(position, Op::LogicalNot, ty, &[pair.partner]),
            (false, _) => {
                let constant = constant_like(module, pair.partner, constant);
                let op = if says_wanted { Op::IEqual } else { Op::INotEqual };
                module.edit().insert(position, op, ty, &[pair.partner, constant])
            }
        };
        result = Some(match result {
            None => test,
            Some(before) => {
                let op = if says_wanted { Op::LogicalOr } else { Op::LogicalAnd };
                module.edit().insert(position, op, ty, &[before, test])
            }
        });
    }
    let result = result.expect("invariant: something is told apart");
    module.edit().replace_all_uses(comparison, result);
    module.edit().delete(comparison);
}

fn constant_like(module: &mut Module, value: Inst, word: u32) -> Inst {
    let ty = module.ty(value).expect("invariant: a parameter has a type");
    let mut editor = module.edit();
    if editor.module().op(ty) == Op::TypeBool {
        let op = if word == 0 { Op::ConstantFalse } else { Op::ConstantTrue };
        return editor.unique(op, Some(ty), &[]);
    }
    let literal = editor.word(word);
    editor.unique(Op::Constant, Some(ty), &[literal])
}

/// Gives each case the constants that occur with its number.
fn write_switches(module: &mut Module, pair: &Pair, facts: &[Fact]) {
    let users = module.uses(pair.selector).map(|used| used.user);
    let switches: Vec<Inst> = users.filter(|&user| module.op(user) == Op::StructuredSwitch).collect();
    for user in switches {
        let switch: Terminator = module.cast(user).expect("invariant: a switch is a terminator");
        let mut operands: Vec<Inst> = module.operands(switch).take(operand::STRUCTURED_SWITCH_CASES).collect();
        operands[operand::CONDITION] = pair.partner;
        for (literal, target) in module.cases(switch).collect::<Vec<_>>() {
            let number = module.literal_word(literal);
            for fact in facts.iter().filter(|fact| Some(fact.number) == number) {
                operands.extend(fact.constant.map(|constant| module.edit().word(constant)));
                operands.push(target);
            }
        }
        replace_operands(module, switch, &operands);
    }
}

/// Removes the selectors of one block from the jumps to it, and passes a constant in place of an undefined value.
fn write_jumps(module: &mut Module, table: &PairTable, pairs: &[&Pair], constants: &FxHashMap<u32, u32>) {
    let Some(block) = pairs.first().map(|pair| pair.block) else { return };
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    for jump in jumps_to(module, block) {
        let first = terminator::first_argument(module.op(jump)).expect("invariant: jumps alone enter the block");
        let mut operands: Vec<Inst> = module.operands(jump).collect();
        let place =
            |wanted: Inst| parameters.iter().position(|&parameter| parameter == wanted).map(|place| first + place);
        for pair in pairs {
            let (Some(selector), Some(partner)) = (place(pair.selector), place(pair.partner)) else { continue };
            if module.op(operands[partner]) == Op::Undef {
                let number = number_passed(module, table, pair, jump, operands[selector]);
                let constant = number.and_then(|number| constants.get(&number));
                let constant =
                    *constant.expect("invariant: what is passed nothing has one number, which has a constant");
                operands[partner] = constant_like(module, pair.partner, constant);
            }
        }
        let is_selector = |index: usize| pairs.iter().any(|pair| place(pair.selector) == Some(index));
        let kept = operands.iter().enumerate().filter(|&(index, _)| !is_selector(index)).map(|(_, &operand)| operand);
        let kept: Vec<Inst> = kept.collect();
        replace_operands(module, jump, &kept);
    }
}

/// The one number that a jump passes.
fn number_passed(module: &Module, table: &PairTable, pair: &Pair, jump: Terminator, selector: Inst) -> Option<u32> {
    if module.op(selector) == Op::Constant {
        return module.literal_word(selector);
    }
    let row = pair.rows.iter().find(|row| row.jump == jump)?;
    let mut arriving = table.pairs[row.from?].facts.iter();
    arriving.find(|fact| row.ways.allow(fact.number)).map(|fact| fact.number)
}
