//! Several QPUs: the mutex, semaphores, lockstep.

use reconverge_qpu_emulate::{Fault, FaultKind, Launch, Memory, Report, run};

use crate::assemble::*;

pub(crate) fn run_many(qpus: u32, words: &[Word], memory: &mut Memory) -> Result<Report, Fault> {
    let code = finish(words);
    let uniforms: Vec<Vec<u32>> = (0..qpus).map(|qpu| vec![qpu]).collect();
    let mut launch = Launch::new(&code, &uniforms);
    launch.cycle_limit = 100_000;
    run(&launch, memory)
}

fn acquire() -> Word {
    nop().read_a(MUTEX)
}

fn release() -> Word {
    copy(MUTEX, 0)
}

/// Stores r3 to the row of the output that has the number of the QPU, through the row of the VPM with that number.
fn store_own_row() -> Vec<Word> {
    let shifted = |distance: u32| vec![load(R2, distance), copy_b(R1, ELEMENT), nop().add(SHL, R1, 1, 2)];
    let mut program =
        vec![load(R0, 1 << 12 | 1 << 11 | 2 << 8), nop().add(ADD, SETUP, 0, FILE_B).read_b(ELEMENT).swap()];
    program.push(copy(VPM, 3));
    program.extend(shifted(7));
    program.extend([load(R0, 0x8000_0000 | 1 << 23 | 16 << 16 | 1 << 14), nop().add(ADD, SETUP, 0, 1).swap()]);
    program.extend(shifted(6));
    program.extend([load(R0, OUTPUT), nop().add(ADD, DMA, 0, 1).swap(), nop().read_b(DMA)]);
    program
}

#[test]
fn twelve_qpus_store_under_the_mutex() {
    let program =
        [&[copy_a(R3, UNIFORM), nop().add(ADD, R3, 3, 3), acquire()], &store_own_row()[..], &[release()]].concat();
    let mut memory = memory(&[]);
    let report = run_many(12, &program, &mut memory).unwrap();
    for qpu in 0..12 {
        assert_eq!(output(&memory, qpu), [2 * qpu; 16]);
    }
    assert_eq!(report.executed[0], 12);
    assert!(report.stalled[2] > 0);
    // The same again gives the same.
    assert_eq!(run_many(12, &program, &mut memory).unwrap(), report);
}

#[test]
fn qpus_go_on_in_lockstep() {
    let report = run_many(12, &[nop(), nop()], &mut memory(&[])).unwrap();
    assert_eq!(report.cycles, 5);
    assert_eq!(report.executed, [12; 5]);
}

/// Jumps over `skipped` instructions on all QPUs but the one with number 0. Uses r0.
fn only_first(skipped: i32) -> Vec<Word> {
    vec![copy_b(R0, ELEMENT).flags(), branch(1, skipped), nop(), nop(), nop()]
}

#[test]
fn semaphores_wait_for_other_qpus() {
    // QPU 0 stores after 3 others have counted up.
    let mut program = vec![copy_a(R3, UNIFORM)];
    let mut tail = vec![semaphore(5, true); 3];
    tail.push(acquire());
    tail.extend(store_own_row());
    tail.push(release());
    // All count up at first; QPU 0 takes its own count away too.
    program.extend(vec![nop(); 10]);
    program.push(semaphore(5, false));
    program.extend(only_first(tail.len() as i32));
    program.extend(&tail);
    program.push(nop());
    let mut memory = memory(&[]);
    let report = run_many(3, &program, &mut memory).unwrap();
    assert_eq!(output(&memory, 0), [0; 16]);
    assert_eq!(report.executed[17], 1);
    // One count too few.
    assert_eq!(run_many(2, &program, &mut memory).unwrap_err().kind, FaultKind::Deadlock);
}

#[test]
fn semaphores_hold_fifteen() {
    run_many(1, &[semaphore(0, false); 15], &mut memory(&[])).unwrap();
    let fault = run_many(1, &[semaphore(0, false); 16], &mut memory(&[])).unwrap_err();
    assert_eq!((fault.kind, fault.address), (FaultKind::Deadlock, 15));
    let program = [[semaphore(15, false); 15], [semaphore(15, true); 15]].concat();
    run_many(1, &program, &mut memory(&[])).unwrap();
    let both = [semaphore(3, false), semaphore(4, true)];
    assert_eq!(run_many(1, &both, &mut memory(&[])).unwrap_err().kind, FaultKind::Deadlock);
}
