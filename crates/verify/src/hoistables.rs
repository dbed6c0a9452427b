//! Hoistable instructions: types, constants, literals and decorations, in which identity is equality.
//!
//! - I05: no two of them have equal op, type, operands, payload and decorations (names excepted), and each is at module level unless an
//!   operand is in a function, generic or interface; then it is in the innermost of these. The requirement that a lookup names is a key.

use std::hash::{Hash, Hasher};

use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::FxHasher;

use crate::Code;
use crate::graph::group;
use crate::report::Report;

/// Checks every hoistable instruction. Linear, except for sorting those in one bucket of hashes and comparing those with equal hashes,
/// which are few.
pub(crate) fn verify_hoistables(report: &mut Report<'_>) {
    let module = report.module();
    let mut hashes = Vec::with_capacity(module.capacity());
    for inst in (0..module.capacity()).map(Inst::new) {
        let op = module.op(inst);
        if op.is_hoistable() {
            verify_scope(report, inst);
            hashes.push(Hashed { hash: hash(module, inst, op), inst });
        }
    }
    for (inst, first) in repetitions(&hashes, |one, other| are_equal(module, one, other)) {
        let message = format!(
            "{} and {} are equal: equal hoistable instructions must be one instruction",
            report.name(first),
            report.name(inst)
        );
        report.at(Code::I05, inst, message);
    }
}

fn verify_scope(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    let Some(parent) = module.parent(inst) else { return };
    let is_global = parent == module.root();
    let lives_local = |used| module.parent(used).is_some_and(|parent| parent != module.root());
    let values = match module.op(inst) {
        Op::LookupWitness => view::LookupWitness::SLOT.requirement,
        _ => module.operand_count(inst),
    };
    let parts = || module.ty(inst).into_iter().chain(module.operands(inst).take(values));
    let needs_local = parts().any(lives_local);
    if is_global && needs_local {
        report.at(Code::I05, inst, "it is at module level, but an operand is in a function");
    }
    if !is_global && !needs_local {
        report.at(Code::I05, inst, "it is in a function, but all its operands are at module level");
    }
    let is_outside = |used: Inst| holder(module, used).is_some_and(|holder| !is_within(module, inst, holder));
    let own = holder(module, inst);
    if !is_global && needs_local && (parts().any(is_outside) || !parts().any(|used| holder(module, used) == own)) {
        report.at(Code::I05, inst, "it should be in the innermost function, generic or interface of its operands");
    }
}

/// The innermost function, generic or interface around an instruction.
fn holder(module: &Module, inst: Inst) -> Option<Inst> {
    let mut around = std::iter::successors(module.parent(inst), |&inst| module.parent(inst));
    around.find(|&inst| matches!(module.op(inst), Op::Function | Op::Generic | Op::Interface))
}

fn is_within(module: &Module, inst: Inst, holder: Inst) -> bool {
    std::iter::successors(module.parent(inst), |&inst| module.parent(inst)).any(|around| around == holder)
}

/// The decorations that distinguish instructions: all except names.
fn decorations(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    let is_name = |decoration: Inst| matches!(module.op(decoration), Op::Name | Op::MemberName);
    module.decorations(inst).iter().copied().filter(move |&decoration| !is_name(decoration))
}

/// A hash: equal instructions have equal hashes.
fn hash(module: &Module, inst: Inst, op: Op) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(op as u32);
    if op.is_literal() {
        module.literal_words(inst).iter().for_each(|&word| hasher.write_u32(word));
        return hasher.finish();
    }
    module.ty(inst).hash(&mut hasher);
    module.operands(inst).for_each(|part| part.hash(&mut hasher));
    decorations(module, inst).for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

fn are_equal(module: &Module, one: Inst, other: Inst) -> bool {
    module.op(one) == module.op(other)
        && module.ty(one) == module.ty(other)
        && module.literal_words(one) == module.literal_words(other)
        && module.operands(one).eq(module.operands(other))
        && decorations(module, one).eq(decorations(module, other))
}

/// An instruction and its hash, by which they are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hashed {
    hash: u64,
    inst: Inst,
}

/// The instructions that are equal to an earlier one, each with the first that is, in their order. Equal ones have equal hashes, and few
/// others do; most are alone in their bucket of hashes with the same last bits.
fn repetitions(hashed: &[Hashed], are_equal: impl Fn(Inst, Inst) -> bool) -> Vec<(Inst, Inst)> {
    let count = hashed.len().next_power_of_two();
    let (starts, numbers) = group(count, hashed.iter().map(|hashed| hashed.hash as u32 & (count - 1) as u32));
    let mut bucket = Vec::new();
    let mut repeated = Vec::new();
    for ends in starts.windows(2).filter(|ends| ends[1] - ends[0] > 1) {
        let numbers = &numbers[ends[0] as usize..ends[1] as usize];
        bucket.clear();
        bucket.extend(numbers.iter().map(|&number| hashed[number as usize]));
        bucket.sort_unstable();
        for alike in bucket.chunk_by(|one, other| one.hash == other.hash) {
            for (place, &Hashed { inst, .. }) in alike.iter().enumerate() {
                let first = alike[..place].iter().find(|earlier| are_equal(earlier.inst, inst));
                repeated.extend(first.map(|first| (inst, first.inst)));
            }
        }
    }
    repeated.sort_unstable();
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No edit can create two equal hoistable instructions, so the search for them is tested on hashes.
    #[test]
    fn equal_instructions_are_repetitions() {
        let hashes = |of: [u64; 4]| {
            let numbered = of.into_iter().zip((1..).map(Inst::new));
            numbered.map(|(hash, inst)| Hashed { hash, inst }).collect::<Vec<_>>()
        };
        let is_odd = |one: Inst, other: Inst| one.index() % 2 == other.index() % 2;
        assert_eq!(repetitions(&hashes([7, 8, 7, 9]), is_odd), [(Inst::new(3), Inst::new(1))]);
        // 7 and 11 are in one bucket.
        assert_eq!(
            repetitions(&hashes([11, 7, 11, 7]), is_odd),
            [(Inst::new(3), Inst::new(1)), (Inst::new(4), Inst::new(2))]
        );
        let all_alike = repetitions(&hashes([7; 4]), is_odd);
        assert_eq!(all_alike, [(Inst::new(3), Inst::new(1)), (Inst::new(4), Inst::new(2))]);
        assert_eq!(repetitions(&hashes([7; 4]), |_, _| false), []);
    }
}
