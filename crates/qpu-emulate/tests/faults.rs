//! Each rule broken alone, and beside it the nearest program that keeps it.

use std::collections::HashSet;

use reconverge_qpu_emulate::{FaultKind as Kind, Launch, Memory, run};

use crate::assemble::*;
use crate::parallel::run_many;

const GENERIC: u32 = 1 << 12 | 1 << 11 | 2 << 8;
const READ_ONE: u32 = GENERIC | 1 << 20;
const STORE_ROW: u32 = 0x8000_0000 | 1 << 23 | 16 << 16 | 1 << 14;
const LOAD_ROW: u32 = 0x8000_0000 | 1 << 16;

/// A program that breaks a rule, and the address of the instruction that does.
struct Case {
    kind: Kind,
    address: usize,
    words: Vec<Word>,
}

fn case(kind: Kind, address: usize, words: &[Word]) -> Case {
    Case { kind, address, words: words.to_vec() }
}

/// Broken by one QPU.
fn cases() -> Vec<Case> {
    [words_alone(), distances(), peripherals(), vertex_memory(), ends()].into_iter().flatten().collect()
}

fn words_alone() -> Vec<Case> {
    let both = nop().add(OR, R0, 1, 1).mul(V8MIN, R0, 2, 2);
    vec![
        case(Kind::InvalidEncoding, 0, &[nop().add(9, R0, 0, 0)]),
        case(Kind::InvalidEncoding, 0, &[nop().read_a(33)]),
        case(Kind::InvalidEncoding, 0, &[Word(load(R0, 1).0 | 2 << 57)]),
        case(Kind::InvalidEncoding, 0, &[Word(branch(12, 0).0)]),
        case(Kind::InvalidEncoding, 0, &[Word(branch(15, 0).0 | 1 << 57)]),
        case(Kind::InvalidEncoding, 0, &[nop().mul(FMUL, R0, 0, 0).pm().pack(1)]),
        // An idle ALU with a destination.
        case(Kind::InvalidEncoding, 0, &[nop().add(0, R0, 0, 0)]),
        case(Kind::UnsupportedFeature, 0, &[nop().signal(2)]),
        case(Kind::UnsupportedFeature, 0, &[copy(46, 0)]),
        case(Kind::UnsupportedFeature, 0, &[copy(TMU0 + 1, 0)]),
        case(Kind::UnsupportedFeature, 0, &[copy_a(R0, 35)]),
        case(Kind::UndefinedSource, 0, &[nop().add(OR, R0, FILE_A, 0)]),
        case(Kind::UndefinedSource, 0, &[nop().add(OR, R0, 0, FILE_B)]),
        case(Kind::DoubleWrite, 0, &[both]),
        case(Kind::DoubleWrite, 1, &[load_lanes(R2, 3, false).flags(), both.add_if(ZERO_SET)]),
        case(Kind::PackTarget, 0, &[copy(R0, 1).pack(1)]),
        case(Kind::PackTarget, 0, &[copy(3, 1).swap().pack(1)]),
        case(Kind::PackTarget, 0, &[nop().mul(FMUL, R5, 0, 0).pm().pack(4)]),
        case(Kind::RotationSource, 0, &[nop().mul(V8MIN, R0, 4, 4).immediate(49)]),
        case(Kind::RotationSource, 0, &[nop().mul(V8MIN, R0, 0, FILE_A).read_a(3).immediate(49)]),
        case(Kind::BranchSetsFlags, 0, &[Word(branch(15, 0).0 | 1 << 45)]),
        case(Kind::BranchTarget, 0, &[branch(15, 100)]),
        case(Kind::BranchTarget, 0, &[branch(15, -100)]),
        case(Kind::BranchTarget, 0, &[Word(branch(15, 0).0 + 4)]),
        case(Kind::BranchTarget, 0, &[Word(branch(15, 0).0 & !(1 << 51))]),
    ]
}

fn distances() -> Vec<Case> {
    let jump = [branch(15, 0), nop(), nop(), load(4, 1), copy_a(R0, 4)];
    let by_r5 = nop().mul(V8MIN, R1, 0, 0).immediate(48);
    vec![
        case(Kind::ReadAfterWrite, 1, &[load(4, 1), copy_a(R0, 4)]),
        case(Kind::ReadAfterWrite, 1, &[load(4, 1).swap(), copy_b(R0, 4)]),
        case(Kind::ReadAfterWrite, 4, &jump),
        case(Kind::ReadAfterWrite, 1, &[load(4, 1), Word(branch(15, 0).0 | 1 << 50 | 4 << 45)]),
        // Even if no lane is written.
        case(Kind::ReadAfterWrite, 2, &[load(R0, 1).flags(), load(4, 1).add_if(ZERO_SET), copy_a(R0, 4)]),
        case(Kind::SfuEarlyRead, 1, &[copy(RECIPROCAL, 0), copy(R0, 4)]),
        case(Kind::SfuEarlyRead, 2, &[copy(RECIPROCAL, 0), nop(), copy(R0, 4)]),
        case(Kind::R4Conflict, 2, &[load(TMU0, INPUT), copy(RECIPROCAL, 0), nop().signal(10)]),
        case(Kind::R4Conflict, 2, &[copy(RECIPROCAL, 0), nop(), copy(RECIPROCAL + 1, 0)]),
        case(Kind::UniformTooEarly, 2, &[load(UNIFORMS_ADDRESS, INPUT), nop(), copy_a(R0, UNIFORM)]),
        case(Kind::NoSwapDistance, 2, &[load(NO_SWAP, 1), nop(), load(TMU0, INPUT)]),
        case(Kind::BranchInDelaySlot, 1, &[branch(15, 0), branch(15, 0)]),
        case(Kind::BranchInDelaySlot, 3, &[branch(15, 0), nop(), nop(), branch(15, 0)]),
        case(Kind::BranchSpacing, 3, &[load(R0, 1).flags(), branch(0, 0), nop(), branch(0, 0)]),
        case(Kind::RotationAfterWrite, 1, &[load(R0, 1), nop().mul(V8MIN, R1, 0, 2).immediate(49)]),
        case(Kind::RotationAfterWrite, 2, &[load(R0, 1), load(R5, 1), by_r5]),
    ]
}

fn peripherals() -> Vec<Case> {
    let overflow = [load(TMU1, INPUT); 5];
    vec![
        case(Kind::UniformsExhausted, 3, &[copy_a(R0, UNIFORM); 4]),
        case(Kind::TmuOverflow, 4, &overflow),
        case(Kind::TmuEmpty, 0, &[nop().signal(10)]),
        case(Kind::TmuEmpty, 1, &[load(TMU0, INPUT), nop().signal(11)]),
        case(Kind::ConditionalPeripheralWrite, 0, &[copy(TMU0, 0).add_if(ZERO_SET)]),
        case(Kind::ConditionalPeripheralWrite, 0, &[copy(VPM, 0).add_if(ZERO_SET)]),
        case(Kind::ConditionalPeripheralWrite, 0, &[copy(RECIPROCAL, 0).add_if(NEVER)]),
        case(Kind::ConditionalPeripheralWrite, 0, &[load(DMA, OUTPUT).swap().add_if(CARRY_SET)]),
        case(Kind::ConditionalPeripheralWrite, 1, &[load_lanes(R0, 1, false).flags(), copy(R5, 0).add_if(ZERO_SET)]),
        case(Kind::PeripheralConflict, 0, &[copy(TMU0, 0).signal(10)]),
        case(Kind::PeripheralConflict, 0, &[copy(RECIPROCAL, 0).mul(V8MIN, TMU0, 0, 0)]),
        case(Kind::PeripheralConflict, 0, &[copy(MUTEX, 0).read_a(DMA)]),
        case(Kind::PeripheralConflict, 0, &[Word(semaphore(0, false).0 & !(0x3F << 38) | TMU0 << 38)]),
        case(Kind::PeripheralConflict, 0, &[copy(VPM, 0).signal(10)]),
        case(Kind::MutexTwice, 1, &[nop().read_a(MUTEX), nop().read_b(MUTEX)]),
        case(Kind::MutexNotOwned, 0, &[copy(MUTEX, 0)]),
        case(Kind::MemoryOutOfBounds, 0, &[load(TMU0, INPUT - 4)]),
        case(Kind::MemoryOutOfBounds, 0, &[load(TMU0, INPUT + 1024)]),
        case(Kind::MemoryMisaligned, 0, &[load(TMU0, INPUT + 2)]),
        case(Kind::MemoryOutOfBounds, 3, &[load(UNIFORMS_ADDRESS, 16), nop(), nop(), copy_a(R0, UNIFORM)]),
        case(Kind::Deadlock, 0, &[semaphore(0, true)]),
        case(Kind::CycleLimit, 0, &[branch(15, -4), nop(), nop(), nop()]),
    ]
}

fn vertex_memory() -> Vec<Case> {
    let read = [load(SETUP, READ_ONE), nop(), nop(), nop(), copy_a(R0, VPM)];
    let store = [load(SETUP, STORE_ROW).swap(), load(DMA, OUTPUT).swap()];
    let load_row = [load(SETUP, LOAD_ROW), load(DMA, INPUT)];
    let write = [load(SETUP, GENERIC).swap(), copy(VPM, 0)];
    let stale = [&store_r3(0)[..], &[load(TMU0, OUTPUT)]].concat();
    let stale_uniform =
        [&store_r3(0)[..], &[load(UNIFORMS_ADDRESS, OUTPUT), nop(), nop(), nop().read_a(UNIFORM)]].concat();
    let set_up_store = |word| [load(SETUP, word).swap(), load(DMA, OUTPUT).swap()];
    vec![
        case(Kind::StaleTmuRead, 5, &stale),
        case(Kind::StaleUniformRead, 8, &stale_uniform),
        case(Kind::VpmWithoutSetup, 0, &[copy(VPM, 0)]),
        case(Kind::VpmWithoutSetup, 0, &[copy_a(R0, VPM)]),
        case(Kind::VpmWithoutSetup, 0, &[load(DMA, OUTPUT).swap()]),
        case(Kind::VpmWithoutSetup, 0, &[load(DMA, INPUT)]),
        // Two rows need a stride.
        case(Kind::VpmWithoutSetup, 1, &set_up_store(STORE_ROW + (1 << 23))),
        case(Kind::VpmWithoutSetup, 1, &[load(SETUP, LOAD_ROW + (1 << 16)), load(DMA, INPUT)]),
        case(Kind::VpmReadTooEarly, 3, &[load(SETUP, READ_ONE), nop(), nop(), copy_a(R0, VPM)]),
        case(Kind::VpmReadBeyondSetup, 5, &[&read[..], &[copy_a(R0, VPM)]].concat()),
        case(Kind::VpmReadSetupBusy, 1, &[load(SETUP, GENERIC | 2 << 20), load(SETUP, READ_ONE)]),
        case(Kind::UnreadVpmData, 3, &[load(SETUP, READ_ONE)]),
        case(Kind::InvalidSetup, 0, &[load(SETUP, 0x4000_0000)]),
        case(Kind::InvalidSetup, 0, &[load(SETUP, 0x4000_0000).swap()]),
        case(Kind::InvalidSetup, 0, &[load(SETUP, 3 << 8).swap()]),
        case(Kind::InvalidSetup, 0, &[load(SETUP, STORE_ROW | 1).swap()]),
        case(Kind::VpmOutOfRange, 1, &[load(SETUP, GENERIC | 64).swap(), copy(VPM, 0)]),
        case(Kind::VpmOutOfRange, 2, &[load(SETUP, GENERIC | 63).swap(), copy(VPM, 0), copy(VPM, 0)]),
        case(Kind::VpmOutOfRange, 1, &set_up_store(STORE_ROW | 1 << 3)),
        case(Kind::VpmOutOfRange, 1, &set_up_store(STORE_ROW | 64 << 7)),
        case(Kind::VpmOutOfRange, 1, &[load(SETUP, LOAD_ROW | 1), load(DMA, INPUT)]),
        case(Kind::MemoryOutOfBounds, 1, &[load(SETUP, STORE_ROW).swap(), load(DMA, OUTPUT - 4).swap()]),
        case(Kind::MemoryOutOfBounds, 1, &[load(SETUP, LOAD_ROW), load(DMA, INPUT + 1024 - 60)]),
        case(Kind::MemoryMisaligned, 1, &[load(SETUP, STORE_ROW).swap(), load(DMA, OUTPUT + 2).swap()]),
        case(Kind::VpmRowInDma, 3, &[&store[..], &write].concat()),
        case(Kind::VpmRowInDma, 3, &[&load_row[..], &write].concat()),
        case(Kind::VpmRowInDma, 6, &[&load_row[..], &read].concat()),
        case(Kind::VpmRowInDma, 3, &[&load_row[..], &store].concat()),
        case(Kind::DmaBusy, 3, &[&store[..], &store].concat()),
        case(Kind::DmaBusy, 3, &[&load_row[..], &load_row].concat()),
    ]
}

fn ends() -> Vec<Case> {
    let late_end = nop().signal(3);
    vec![
        case(Kind::UnreadTmuResult, 3, &[load(TMU0, INPUT)]),
        case(Kind::MutexHeldAtEnd, 3, &[nop().read_a(MUTEX)]),
        case(Kind::DmaNotAwaited, 4, &[load(SETUP, STORE_ROW).swap(), load(DMA, OUTPUT).swap()]),
        case(Kind::ProgramEnd, 0, &[load(R0, 1).signal(3).read_a(UNIFORM).add(OR, R0, 0, 0)]),
        case(Kind::ProgramEnd, 0, &[copy(3, 0).signal(3)]),
        case(Kind::ProgramEnd, 1, &[late_end, copy_a(R0, UNIFORM)]),
        case(Kind::ProgramEnd, 1, &[late_end, copy(VPM, 0)]),
        case(Kind::ProgramEnd, 2, &[late_end, nop(), nop().read_b(DMA)]),
        case(Kind::ProgramEnd, 2, &[late_end, nop(), copy(14, 0)]),
        case(Kind::ProgramEnd, 2, &[late_end, nop(), load(14, 0).swap()]),
        case(Kind::ProgramEnd, 1, &[late_end, copy_b(R0, 14)]),
        case(Kind::ProgramEnd, 1, &[late_end, branch(15, 0)]),
        case(Kind::ProgramEnd, 1, &[late_end, late_end]),
        case(Kind::ProgramEnd, 2, &[branch(15, 0), nop(), late_end]),
    ]
}

#[test]
fn each_rule_is_reported_where_it_is_broken() {
    for (index, Case { kind, address, words }) in cases().into_iter().enumerate() {
        let result = run_one(&words, &[1, 2, 3], &mut memory(&[7; 256]));
        let Err(fault) = result else { panic!("case {index}: no fault of {kind:?}") };
        let is_loop = kind == Kind::CycleLimit;
        assert!(
            (fault.kind, fault.address) == (kind, address) || is_loop && fault.kind == kind,
            "case {index}: {fault}"
        );
    }
}

/// Faults of several QPUs, and of launches.
fn other_faults() -> Vec<Kind> {
    let many = |words: &[Word]| run_many(2, words, &mut memory(&[7; 256])).expect_err("a fault").kind;
    let acquire = nop().read_a(MUTEX);
    let release = copy(MUTEX, 0);
    let store = [load(SETUP, STORE_ROW).swap(), load(DMA, OUTPUT).swap()];
    let cases = [
        (Kind::VpmWithoutMutex, vec![load(SETUP, GENERIC)]),
        (Kind::VpmWithoutMutex, vec![load(SETUP, GENERIC).swap()]),
        (Kind::VpmWithoutMutex, vec![copy(VPM, 0)]),
        (Kind::VpmWithoutMutex, vec![copy_a(R0, VPM)]),
        (Kind::VpmWithoutMutex, vec![load(DMA, OUTPUT).swap()]),
        (Kind::DmaNotAwaited, [&[acquire], &store[..], &[release]].concat()),
        (Kind::UnreadVpmData, vec![acquire, load(SETUP, READ_ONE), release]),
        // The setup does not outlive the mutex.
        (Kind::VpmWithoutSetup, vec![acquire, load(SETUP, GENERIC).swap(), release, acquire, copy(VPM, 0)]),
    ];
    for (kind, words) in &cases {
        assert_eq!(many(words), *kind);
    }
    let launch = |words: &[u64], uniforms: &[Vec<u32>]| {
        run(&Launch::new(words, uniforms), &mut Memory::new()).expect_err("a fault")
    };
    let ended = finish(&[]);
    assert_eq!(launch(&[], &[vec![]]).kind, Kind::InvalidLaunch);
    assert_eq!(launch(&ended, &[]).kind, Kind::InvalidLaunch);
    assert_eq!(launch(&ended, &vec![vec![]; 13]).kind, Kind::InvalidLaunch);
    assert_eq!(launch(&[nop().0; 3], &[vec![]]).kind, Kind::NoThreadEnd);
    let fault = launch(&ended[..2], &[vec![]]);
    assert_eq!((fault.kind, fault.address, fault.cycle), (Kind::RunOffCode, 2, 2));
    assert_eq!(fault.to_string(), "run-off-code: execution leaves the code (QPU 0, instruction 2, cycle 2)");
    let mut kinds = vec![Kind::InvalidLaunch, Kind::NoThreadEnd, Kind::RunOffCode];
    kinds.extend(cases.into_iter().map(|(kind, _)| kind));
    kinds
}

#[test]
fn all_rules_are_tested() {
    let mut tested: HashSet<Kind> = cases().into_iter().map(|case| case.kind).collect();
    tested.extend(other_faults());
    for kind in Kind::ALL {
        assert!(tested.contains(kind), "{kind:?}");
    }
}

#[test]
fn the_nearest_programs_keep_the_rules() {
    let inverse = nop().add(OR, R0, 1, 1).mul(V8MIN, R0, 2, 2).add_if(ZERO_SET).mul_if(ZERO_CLEAR);
    let programs = [
        vec![load(4, 1), nop(), copy_a(R0, 4)],
        // The other file.
        vec![load(4, 1), copy_b(R0, 4)],
        vec![inverse],
        vec![copy(RECIPROCAL, 0), nop(), nop(), copy(R0, 4)],
        vec![copy(RECIPROCAL, 0), nop(), nop(), copy(RECIPROCAL, 4)],
        vec![load(TMU0, INPUT), copy(RECIPROCAL, 0), nop(), nop(), nop().signal(10)],
        vec![load(UNIFORMS_ADDRESS, INPUT), nop(), nop(), copy_a(R0, UNIFORM)],
        vec![load(NO_SWAP, 1), nop(), nop(), load(TMU0, INPUT), nop().signal(10)],
        vec![load(R0, 1).flags(), branch(0, 0), nop(), nop(), branch(0, 0)],
        vec![load(R0, 1), nop(), nop().mul(V8MIN, R1, 0, 2).immediate(49)],
        vec![load(SETUP, READ_ONE), nop(), nop(), nop(), copy_a(R0, VPM)],
        // One vector that waits for its read does not keep the next setup away.
        vec![load(SETUP, READ_ONE), load(SETUP, READ_ONE), nop(), nop(), copy_a(R0, VPM), copy_a(R0, VPM)],
        // DMA in the other direction, with other rows.
        vec![
            load(SETUP, STORE_ROW).swap(),
            load(DMA, OUTPUT).swap(),
            load(SETUP, LOAD_ROW | 1 << 4),
            load(DMA, INPUT),
            nop().read_a(DMA),
            nop().read_b(DMA),
        ],
        vec![nop().read_a(MUTEX), copy(MUTEX, 0), nop().read_b(MUTEX), copy(MUTEX, 0)],
        vec![load(R0, 0).flags(), copy(HOST_INTERRUPT, 0).add_if(ZERO_CLEAR)],
    ];
    for (index, words) in programs.iter().enumerate() {
        let result = run_one(words, &[1, 2, 3], &mut memory(&[7; 256]));
        assert!(result.is_ok(), "program {index}: {result:?}");
    }
}
