//! Each rule with sequences that keep it, and with the same sequences broken in one point: this rule alone reports, at this word.

use reconverge_qpu_check::{Rule, check};

use crate::common::word::{
    BRANCH, IF_NOT_ZERO, IF_ZERO, LOAD, NEVER, NOP, PROLOGUE, R0, R1, R2, R5, Word, behind_prologue, mov, program,
};

/// Asserts that the first sequence is valid and that the second breaks the rule at one word and nothing else. Words count from behind the
/// prologue.
#[track_caller]
fn assert_breaks(rule: Rule, valid: &[Word], broken: &[Word], at: usize) {
    assert_valid(valid);
    assert_broken(rule, &program(broken), at);
}

#[track_caller]
fn assert_valid(words: &[Word]) {
    let violations = check(&program(words));
    assert!(violations.is_empty(), "{violations:?}");
}

#[track_caller]
fn assert_broken(rule: Rule, words: &[u64], at: usize) {
    let found: Vec<_> = check(words).into_iter().map(|violation| (violation.rule, violation.word)).collect();
    assert_eq!(found, [(rule, PROLOGUE + at)]);
}

const A: u64 = 6;
const B: u64 = 7;

#[test]
fn q01_rotation_is_no_operand() {
    let mul = NOP.mul(1, R1, [0, 0]);
    assert_breaks(Rule::Operands, &[mul.small(51)], &[mul.small(51).add(12, R2, [2, B])], 0);
}

#[test]
fn q02_two_results_do_not_meet() {
    let both = |add, mul| NOP.add(12, add, [0, 1]).mul(1, mul, [0, 1]);
    assert_breaks(Rule::Results, &[both(R0, R1)], &[both(R0, R0)], 0);
    assert_breaks(Rule::Results, &[LOAD.to(R0)], &[LOAD.to(R0).mul(0, R0, [0, 0])], 0);
    assert_breaks(Rule::Results, &[NOP.mul(1, R1, [0, 0])], &[NOP.mul(0, R1, [0, 0])], 0);
    assert_breaks(Rule::Results, &[NOP.add(0, R1, [0, 0]).add_if(NEVER)], &[NOP.add(0, R1, [0, 0])], 0);
    let flags = mov(39, 0).flags();
    let apart = both(R0, R0).add_if(IF_ZERO).mul_if(IF_NOT_ZERO);
    assert_breaks(Rule::Results, &[flags, apart], &[flags, apart.mul_if(IF_ZERO)], 1);
}

#[test]
fn q02_packs_and_unpacks_have_what_they_are_of() {
    let pack = mov(3, 0).pack(4);
    assert_breaks(Rule::Results, &[pack], &[pack.swap()], 0);
    let mul_pack = NOP.mul(1, R0, [0, 0]).pm().pack(5);
    assert_breaks(Rule::Results, &[mul_pack], &[NOP.mul(1, 48, [0, 0]).pm().pack(5)], 0);
    let unpack = mov(R0, A).reads_a(7).unpack(1);
    assert_breaks(Rule::Results, &[unpack], &[unpack.reads_a(38)], 0);
    assert_breaks(Rule::Results, &[mov(R0, 4).pm().unpack(4)], &[mov(R0, 3).pm().unpack(4)], 0);
}

#[test]
fn q03_register_is_not_read_behind_its_write() {
    let (write, read) = (mov(5, 0), mov(R0, A).reads_a(5));
    assert_breaks(Rule::RegisterDelay, &[write, NOP, read], &[write, read], 1);
    assert_valid(&[write.swap(), read]);
    assert_valid(&[write.add_if(NEVER), read]);
    let (write, read) = (mov(5, 0).swap(), mov(R0, B).reads_b(5));
    assert_breaks(Rule::RegisterDelay, &[write, NOP, read], &[write, read], 1);
    let load = LOAD.to(5).immediate(8);
    assert_breaks(Rule::RegisterDelay, &[load, mov(R0, 0)], &[load, mov(R0, A).reads_a(5)], 1);
    assert_valid(&[mov(R0, 1), mov(R1, 0)]);
}

#[test]
fn q03_branch_reads_its_register() {
    let call = [BRANCH.ahead(15, 4).link(6), NOP, NOP, NOP];
    let end = [NOP.signal(3), NOP, NOP, NOP];
    let valid = [&call[..], &end, &[NOP, BRANCH.to_register(6), NOP, NOP, NOP]].concat();
    assert_valid(&valid);
    let broken = [&call[..], &end, &[mov(6, 0), BRANCH.to_register(6), NOP, NOP, NOP]].concat();
    assert_broken(Rule::RegisterDelay, &program(&broken), 9);
}

#[test]
fn q03_across_a_taken_branch() {
    let flags = mov(39, 0).flags();
    let write = mov(5, 0);
    let read = mov(R0, A).reads_a(5);
    // The last delay slot writes, and the word at the target reads.
    let jump = |slots: [Word; 3], between: Word| {
        let [first, second, third] = slots;
        [flags, BRANCH.ahead(0, 2), first, second, third, between, NOP, read]
    };
    assert_breaks(Rule::RegisterDelay, &jump([NOP, write, NOP], NOP), &jump([NOP, NOP, write], NOP), 7);
    // In the delay slots themselves.
    let inside = |words: [Word; 3]| [&[flags, BRANCH.ahead(0, 0)], &words[..]].concat();
    assert_breaks(Rule::RegisterDelay, &inside([write, NOP, read]), &inside([NOP, write, read]), 4);
    // The word behind the slots runs only if the branch is not taken: an unconditional branch skips it.
    let skip = |condition| [flags, BRANCH.ahead(condition, 1), NOP, NOP, write, read];
    assert_breaks(Rule::RegisterDelay, &skip(15), &skip(0), 5);
}

#[test]
fn q04_two_words_between_branches() {
    let flags = mov(39, 0).flags();
    let near = BRANCH.ahead(0, 0);
    let pair = |between: &[Word]| [&[flags, near], between, &[near, NOP, NOP, NOP]].concat();
    assert_breaks(Rule::BranchDistance, &pair(&[NOP, NOP]), &pair(&[NOP]), 3);
    // Behind a taken branch the last slots are the words between.
    let loop_of = |length: usize| {
        let mut words = vec![flags];
        words.extend(vec![NOP; length]);
        words.extend([BRANCH.ahead(0, -4 - length as i32), NOP, NOP, NOP]);
        words
    };
    assert_valid(&loop_of(0));
}

#[test]
fn q05_program_end_leaves_state_alone() {
    let end = |end: Word, slot: Word, last: Word| behind_prologue(&[end.signal(3).bits(), slot.bits(), last.bits()]);
    let valid = |words: Vec<u64>| assert!(check(&words).is_empty(), "{:?}", check(&words));
    valid(end(mov(R0, 1), mov(3, 0), mov(R0, A).reads_a(4)));
    assert_broken(Rule::ProgramEnd, &end(mov(3, 0), NOP, NOP), 0);
    assert_broken(Rule::ProgramEnd, &end(NOP, mov(R0, A).reads_a(32), NOP), 1);
    assert_broken(Rule::ProgramEnd, &end(NOP, NOP, mov(48, 0)), 2);
    assert_broken(Rule::ProgramEnd, &end(NOP, mov(14, 0).swap(), NOP), 1);
    assert_broken(Rule::ProgramEnd, &end(NOP, NOP, mov(R0, B).reads_b(14)), 2);
    assert_broken(Rule::ProgramEnd, &end(NOP, BRANCH.ahead(15, -4), NOP), 1);
}

#[test]
fn q05_end_in_a_delay_slot() {
    let words = [BRANCH.ahead(15, 1), NOP, NOP, NOP.signal(3), NOP, NOP, NOP.signal(3), NOP, NOP];
    assert_broken(Rule::ProgramEnd, &behind_prologue(&words.map(Word::bits)), 3);
}

#[test]
fn q06_r4_is_left_alone_behind_the_sfu() {
    let (ask, read) = (mov(52, 0), mov(R0, 4));
    assert_breaks(Rule::SfuDelay, &[ask, NOP, NOP, read], &[ask, NOP, read], 2);
    assert_breaks(Rule::SfuDelay, &[ask, NOP, NOP, ask], &[ask, NOP, ask], 2);
    let request = mov(56, 0);
    let fetch = NOP.signal(10);
    assert_breaks(Rule::SfuDelay, &[request, ask, NOP, NOP, fetch], &[request, ask, NOP, fetch], 3);
}

#[test]
fn q07_uniforms_behind_a_new_address() {
    let (address, read) = (mov(40, 0), mov(R0, A).reads_a(32));
    assert_breaks(Rule::UniformDelay, &[address, NOP, NOP, read], &[address, NOP, read], 2);
    assert_broken(Rule::UniformDelay, &program(&[address, mov(R0, B).reads_b(32)]), 1);
}

#[test]
fn q08_order_of_the_tmus() {
    let (noswap, request, fetch) = (mov(36, 0), mov(56, 0), NOP.signal(10));
    let pairs = |count: usize| [vec![request; count], vec![fetch; count]].concat();
    assert_breaks(Rule::TmuOrder, &[noswap, NOP, NOP, NOP, request, fetch], &[noswap, NOP, NOP, request, fetch], 3);
    assert_broken(Rule::TmuOrder, &program(&[request, fetch, noswap]), 2);
    assert_breaks(Rule::TmuOrder, &pairs(4), &pairs(5), 4);
    assert_breaks(Rule::TmuOrder, &pairs(1), &[fetch], 0);
    assert_broken(Rule::TmuOrder, &program(&[request, NOP.signal(11)]), 1);
}

#[test]
fn q08_all_paths_make_a_request() {
    let flags = mov(39, 0).flags();
    let (request, fetch) = (mov(56, 0), NOP.signal(10));
    let words = |first: Word, second: Word| [flags, first, BRANCH.ahead(0, 1), NOP, NOP, NOP, second, fetch];
    assert_breaks(Rule::TmuOrder, &words(request, NOP), &words(NOP, request), 7);
}

#[test]
fn q09_rotations_take_old_accumulators() {
    let rotate = NOP.mul(1, R1, [0, 0]).small(51);
    assert_breaks(Rule::Rotation, &[mov(R0, 1), NOP, rotate], &[mov(R0, 1), rotate], 1);
    assert_breaks(Rule::Rotation, &[rotate], &[NOP.mul(1, R1, [A, 0]).reads_a(4).small(51)], 0);
    let by_r5 = rotate.small(48);
    assert_breaks(Rule::Rotation, &[mov(R5, 1), NOP, by_r5], &[mov(R5, 1), by_r5], 1);
    assert_valid(&[mov(R5, 1), rotate]);
}

#[test]
fn q10_one_access_to_a_unit() {
    let both = |add, mul| NOP.add(12, add, [0, 1]).mul(1, mul, [0, 1]);
    let (request, fetch) = (both(56, R0), NOP.signal(10));
    assert_breaks(Rule::PeripheralCount, &[request, fetch], &[both(56, 57), fetch], 0);
    assert_breaks(Rule::PeripheralCount, &[request, request, fetch, fetch], &[request, request.signal(10), fetch], 1);
    let semaphore = LOAD.mode(4).immediate(3);
    assert_breaks(Rule::PeripheralCount, &[semaphore.to(R0)], &[semaphore.to(52)], 0);
    assert_broken(Rule::PeripheralCount, &program(&[mov(51, A).reads_a(51)]), 0);
    assert_breaks(Rule::PeripheralCount, &[both(48, R0)], &[both(48, 48)], 0);
    assert_breaks(Rule::PeripheralCount, &[mov(48, A).reads_a(48)], &[mov(49, A).reads_a(48)], 0);
}

#[test]
fn q11_no_condition_at_a_peripheral() {
    let flags = mov(39, 0).flags();
    let awaits = mov(R0, A).reads_a(50);
    for address in [40, 48, 49, 50, 52, 60] {
        let write = mov(address, 0);
        assert_breaks(
            Rule::PeripheralCondition,
            &[flags, mov(R0, 1).add_if(IF_ZERO), write, awaits],
            &[flags, write.add_if(IF_ZERO), awaits],
            1,
        );
        assert_broken(Rule::PeripheralCondition, &program(&[write.add_if(NEVER), awaits]), 0);
    }
    assert_valid(&[flags, mov(38, 0).add_if(IF_ZERO)]);
}

#[test]
fn q12_flags_are_set() {
    let (set, conditional) = (mov(39, 0).flags(), mov(R0, 1).add_if(IF_ZERO));
    assert_breaks(Rule::Flags, &[set, conditional], &[mov(39, 0), conditional], 1);
    let branch = [BRANCH.ahead(2, 0), NOP, NOP, NOP];
    assert_breaks(Rule::Flags, &[&[set], &branch[..]].concat(), &branch, 0);
    assert_breaks(Rule::Flags, &[set], &[NOP.flags()], 0);
    // The adder has an operation under no condition, so the multiplier's result gives no flags.
    let mul = NOP.mul(1, R0, [0, 0]).flags();
    assert_breaks(Rule::Flags, &[mul], &[mul.add(12, 39, [0, 0]).add_if(NEVER)], 0);
}

#[test]
fn q12_all_paths_set_the_flags() {
    let set = mov(39, 0).flags();
    let use_behind = |first: Word| [first, BRANCH.ahead(0, 1), NOP, NOP, NOP, set, mov(R0, 1).add_if(IF_ZERO)];
    assert_valid(&use_behind(set));
    let found = check(&program(&use_behind(NOP)));
    let places: Vec<_> = found.iter().map(|violation| (violation.rule, violation.word - PROLOGUE)).collect();
    assert_eq!(places, [(Rule::Flags, 1), (Rule::Flags, 6)]);
}

#[test]
fn q13_integers_are_no_floats() {
    let sum = |operation| NOP.add(operation, R0, [0, B]);
    assert_breaks(Rule::FloatOperand, &[sum(1).small(32)], &[sum(1).small(3)], 0);
    assert_breaks(Rule::FloatOperand, &[sum(12).small(20)], &[sum(2).small(20)], 0);
    assert_breaks(Rule::FloatOperand, &[sum(1).small(0)], &[NOP.mul(1, R0, [B, 0]).small(1)], 0);
    assert_valid(&[NOP.add(8, R0, [B, B]).small(3)]);
}

#[test]
fn e01_reserved_codes() {
    assert_breaks(Rule::ReservedCode, &[NOP.add(8, R0, [0, 0])], &[NOP.add(9, R0, [0, 0])], 0);
    assert_breaks(Rule::ReservedCode, &[LOAD.to(R0).mode(3)], &[LOAD.to(R0).mode(2)], 0);
    let set = mov(39, 0).flags();
    let branch = |branch: Word| [set, branch, NOP, NOP, NOP];
    assert_breaks(Rule::ReservedCode, &branch(BRANCH.ahead(11, 0)), &branch(BRANCH.ahead(13, 0)), 1);
    assert_broken(Rule::ReservedCode, &program(&branch(BRANCH.ahead(11, 0).reserved(1))), 1);
    let pack = NOP.mul(1, R0, [0, 0]).pm();
    assert_breaks(Rule::ReservedCode, &[pack.pack(3)], &[pack.pack(11)], 0);
}

#[test]
fn e02_reserved_addresses() {
    for address in [33, 34, 36, 37, 40, 43, 47, 52, 63] {
        assert_breaks(Rule::ReservedAddress, &[mov(R0, A).reads_a(38)], &[mov(R0, A).reads_a(address)], 0);
        assert_breaks(Rule::ReservedAddress, &[mov(R0, B).reads_b(38)], &[mov(R0, B).reads_b(address)], 0);
        assert_breaks(Rule::ReservedAddress, &[NOP.reads_a(38)], &[mov(R0, A)], 0);
    }
}

#[test]
fn e03_targets_are_words() {
    let set = mov(39, 0).flags();
    let branch = |words: i32| [set, BRANCH.ahead(0, words), NOP, NOP, NOP];
    assert_breaks(Rule::BranchTarget, &branch(0), &branch(3), 1);
    let first = -5 - PROLOGUE as i32;
    assert_breaks(Rule::BranchTarget, &branch(-5), &branch(first - 1), 1);
    assert_broken(Rule::BranchTarget, &program(&[set, BRANCH.ahead(0, 0).immediate(4), NOP, NOP, NOP]), 1);
}

#[test]
fn e04_program_does_not_run_out() {
    let end = NOP.signal(3).bits();
    let nop = NOP.bits();
    assert!(check(&[end, nop, nop]).is_empty());
    assert_broken(Rule::FallsOff, &behind_prologue(&[end, nop]), 1);
    let jump = BRANCH.ahead(15, -4).bits();
    let rules: Vec<_> = check(&[jump, nop]).iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, [Rule::NoEnd, Rule::FallsOff]);
}

#[test]
fn e05_end_is_reached() {
    let no_end = |words: &[u64]| {
        let rules: Vec<_> = check(words).iter().map(|violation| (violation.rule, violation.word)).collect();
        assert_eq!(rules, [(Rule::NoEnd, 0)]);
    };
    no_end(&[]);
    no_end(&program(&[BRANCH.ahead(15, -4), NOP, NOP, NOP]));
}

#[test]
fn e07_registers_have_values() {
    let undefined = |words: &[Word]| {
        let end = [NOP.signal(3), NOP, NOP];
        let words: Vec<u64> = words.iter().chain(&end).map(|word| word.bits()).collect();
        check(&words).iter().map(|violation| (violation.rule, violation.word)).collect::<Vec<_>>()
    };
    let element = mov(R0, A).reads_a(38);
    let not = |input: u64| NOP.add(23, R1, [input, input]);
    assert_eq!(undefined(&[element, not(0)]), []);
    assert_eq!(undefined(&[not(0)]), [(Rule::Undefined, 0)]);
    assert_eq!(undefined(&[not(A).reads_a(3)]), [(Rule::Undefined, 0)]);
    assert_eq!(undefined(&[not(B).reads_b(3)]), [(Rule::Undefined, 0)]);
    assert_eq!(undefined(&[not(B).small(3)]), []);
    assert_eq!(undefined(&[element, not(4)]), [(Rule::Undefined, 1)]);
    assert_eq!(undefined(&[element, NOP, NOP.mul(1, R1, [0, 0]).small(48)]), [(Rule::Undefined, 2)]);
    assert_eq!(undefined(&[NOP.add(22, R0, [1, 1])]), []);
    // Copies give on what they have.
    assert_eq!(undefined(&[mov(R1, 0), mov(3, 1)]), []);
    assert_eq!(undefined(&[element, mov(R1, 0), mov(R1, 2), not(1)]), [(Rule::Undefined, 3)]);
    assert_eq!(undefined(&[mov(38, 0)]), [(Rule::Undefined, 0)]);
    // One of two paths writes, or none.
    let one_side = |write: Word| [element.flags(), BRANCH.ahead(0, 1), NOP, NOP, NOP, write, not(1)];
    assert_eq!(undefined(&one_side(mov(R1, 0))), []);
    assert_eq!(undefined(&one_side(mov(R2, 0))), [(Rule::Undefined, 6)]);
}

#[test]
fn e08_mutex_is_taken_in_turn() {
    let (acquire, release) = (mov(R0, A).reads_a(51), mov(51, 0));
    assert_breaks(Rule::Mutex, &[acquire, release], &[release], 0);
    assert_breaks(Rule::Mutex, &[acquire, release, acquire, release], &[acquire, acquire, release], 1);
    assert_broken(Rule::Mutex, &program(&[acquire]), 1);
}

#[test]
fn e08_vpm_needs_the_mutex_if_there_is_one() {
    let (acquire, release) = (mov(R0, A).reads_a(51), mov(51, 0));
    let setups = [LOAD.to(49), LOAD.to(49).swap()];
    for used in [setups[0], setups[1], mov(48, 0), mov(R1, A).reads_a(48)] {
        let before = [acquire, setups[0], setups[1], NOP, NOP, NOP];
        let valid = [&before[..], &[used, release]].concat();
        let broken = [&before[..], &[release, used]].concat();
        assert_breaks(Rule::Mutex, &valid, &broken, 7);
    }
}

#[test]
fn e09_nothing_of_pixels() {
    for signal in [0, 2, 4, 5, 6, 7, 8, 12] {
        assert_breaks(Rule::Pixels, &[NOP], &[NOP.signal(signal)], 0);
    }
    for address in 41..48 {
        assert_breaks(Rule::Pixels, &[mov(38, 0)], &[mov(address, 0)], 0);
    }
    for address in [35, 41, 42] {
        assert_breaks(Rule::Pixels, &[mov(R0, A).reads_a(32)], &[mov(R0, A).reads_a(address)], 0);
    }
}

#[test]
fn e10_vpm_is_set_up() {
    let rules = |words: &[Word]| {
        let load = [LOAD.to(R0)];
        let end = [NOP.signal(3), NOP, NOP];
        let words: Vec<u64> = load.iter().chain(words).chain(&end).map(|word| word.bits()).collect();
        check(&words).iter().map(|violation| (violation.rule, violation.word)).collect::<Vec<_>>()
    };
    let (for_reads, for_writes) = (LOAD.to(49), LOAD.to(49).swap());
    let read = [NOP, NOP, NOP, mov(R1, A).reads_a(48)];
    let load = [mov(50, 0), mov(R0, A).reads_a(50), NOP, NOP];
    let store = [mov(50, 0).swap(), mov(R0, B).reads_b(50), NOP, NOP];
    let write = [mov(48, 0), NOP, NOP, NOP];
    for (setup, other, access) in [
        (for_reads, for_writes, read),
        (for_reads, for_writes, load),
        (for_writes, for_reads, write),
        (for_writes, for_reads, store),
    ] {
        let behind = |setup: Word| [&[setup][..], &access].concat();
        assert_eq!(rules(&behind(setup)), []);
        let place = if access == read { 5 } else { 2 };
        assert_eq!(rules(&behind(other)), [(Rule::VpmSetup, place)]);
    }
}

#[test]
fn e10_setups_are_lost_when_the_mutex_is_taken() {
    let (acquire, release) = (mov(R0, A).reads_a(51), mov(51, 0));
    let (setup, write) = (LOAD.to(49).swap(), mov(48, 0));
    let valid = [acquire, setup, release, acquire, setup, write, release];
    assert_breaks(Rule::VpmSetup, &valid, &[acquire, setup, release, acquire, write, release], 4);
}

#[test]
fn e10_reads_are_behind_their_setup() {
    let (setup, read) = (LOAD.to(49), mov(R1, A).reads_a(48));
    for distance in 0..3 {
        let words = |count: usize| [&[setup][..], &vec![NOP; count], &[read]].concat();
        assert_breaks(Rule::VpmSetup, &words(3), &words(distance), distance + 1);
    }
}

#[test]
fn e10_dma_is_awaited() {
    let load = (mov(50, 0), mov(R0, A).reads_a(50));
    let store = (mov(50, 0).swap(), mov(R0, B).reads_b(50));
    for ((start, wait), (_, other)) in [(load, store), (store, load)] {
        assert_breaks(Rule::VpmSetup, &[start, wait, start, wait], &[start, start, wait], 1);
        assert_breaks(Rule::VpmSetup, &[start, wait], &[start, other], 2);
        let (acquire, release) = (mov(R0, A).reads_a(51), mov(51, 0));
        let setups = [acquire, LOAD.to(49), LOAD.to(49).swap(), start];
        let valid = [&setups[..], &[wait, release]].concat();
        assert_breaks(Rule::VpmSetup, &valid, &[&setups[..], &[release, wait]].concat(), 4);
    }
}
