//! Paths of the checker: returns, branches in delay slots, words that never run, any words, long programs.

use reconverge_qpu_check::{Rule, check};

use crate::common::word::{BRANCH, NOP, PROLOGUE, R0, Word, behind_prologue, mov, program};
use crate::common::{Random, valid_word};

/// Broken rules with their words, counted from behind the prologue.
fn places(words: &[u64]) -> Vec<(Rule, usize)> {
    check(words).into_iter().map(|violation| (violation.rule, violation.word - PROLOGUE)).collect()
}

const A: u64 = 6;

#[test]
fn words_that_never_run_may_be_anything() {
    let data = [Word::bits(NOP) | 9 << 24; 3];
    let words = [&program(&[])[..], &data].concat();
    assert_eq!(places(&words), []);
}

/// `main` calls a function behind the end; the function's last slot writes what the word behind the call reads.
#[test]
fn returns_carry_hazards() {
    let with = |last: Word| {
        let call = [BRANCH.ahead(15, 5).link(6), NOP, NOP, NOP, mov(R0, A).reads_a(9)];
        let end = [NOP.signal(3), NOP, NOP];
        let function = [NOP, NOP, NOP, BRANCH.to_register(6), NOP, NOP, last];
        behind_prologue(&[&call[..], &end, &function].concat().into_iter().map(Word::bits).collect::<Vec<_>>())
    };
    assert_eq!(places(&with(mov(8, 0))), []);
    assert_eq!(places(&with(mov(9, 0))), [(Rule::RegisterDelay, 4)]);
}

/// A branch in the last slot of another: its own slots are at the target of the first.
#[test]
fn branch_in_the_last_delay_slot() {
    let with = |third: Word| {
        let first = [BRANCH.ahead(15, 1), NOP, NOP, BRANCH.ahead(15, 6), NOP.add(9, R0, [0, 0])];
        // The slots of the second branch, then words that nothing reaches, then its target.
        let slots = [NOP, NOP, third];
        let unreached = [NOP.add(9, R0, [0, 0]), NOP.add(9, R0, [0, 0])];
        [&first[..], &slots, &unreached, &[NOP, NOP, NOP, mov(R0, A).reads_a(9)]].concat()
    };
    assert_eq!(places(&program(&with(mov(8, 0)))), []);
    assert_eq!(places(&program(&with(mov(9, 0)))), [(Rule::RegisterDelay, 13)]);
}

#[test]
fn loops_join_the_facts_of_all_rounds() {
    let set = mov(39, 0).flags();
    let body = |request: Word, fetch: Word| {
        [set, request, NOP, fetch, BRANCH.ahead(0, -8), NOP, NOP, NOP, NOP].map(Word::bits).to_vec()
    };
    let end = [NOP.signal(3), NOP, NOP].map(Word::bits).to_vec();
    let balanced = behind_prologue(&[body(mov(56, 0), NOP.signal(10)), end.clone()].concat());
    assert_eq!(places(&balanced), []);
    let growing = behind_prologue(&[body(mov(56, 0), NOP), end].concat());
    assert_eq!(places(&growing), [(Rule::TmuOrder, 1)]);
}

#[test]
fn any_words_are_checked() {
    let mut random = Random::new(3);
    for length in 0..400 {
        let any: Vec<u64> = (0..length).map(|_| random.next()).collect();
        check(&any);
        let valid: Vec<u64> = (0..length).map(|_| valid_word(&mut random)).collect();
        check(&valid);
        let branches: Vec<u64> =
            (0..length).map(|_| BRANCH.ahead(random.below(16), random.below(length + 8) as i32 - 4).bits()).collect();
        check(&branches);
    }
}

/// Conditional branches between random blocks.
fn blocks(count: i32) -> Vec<u64> {
    let mut random = Random::new(5);
    let mut words = vec![mov(39, 0).flags(), NOP];
    for block in 0..count {
        let target = random.below(count as u64) as i32;
        words.extend([BRANCH.ahead(random.below(12), (target - block) * 6 - 4), NOP, NOP, NOP, NOP, NOP]);
    }
    program(&words)
}

#[test]
fn long_programs() {
    assert_eq!(places(&blocks(50_000)), []);
}

/// Each branch stands in the last delay slot of the one before. The pairs of branches that meet are many more than the words, and the checker
/// gives up on them.
#[test]
fn chains_of_branches_in_delay_slots() {
    let mut random = Random::new(5);
    let mut words = vec![mov(39, 0).flags()];
    for _ in 0..20_000 {
        let back = random.below(words.len() as u64) as i32;
        words.extend([NOP, BRANCH.ahead(random.below(12), -4 - back), NOP]);
    }
    words.extend([NOP; 3]);
    let rules: std::collections::BTreeSet<Rule> = places(&program(&words)).into_iter().map(|place| place.0).collect();
    assert!(rules.is_subset(&[Rule::BranchDistance, Rule::TooManyPaths].into()), "{rules:?}");
}
