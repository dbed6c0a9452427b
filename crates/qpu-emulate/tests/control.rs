//! Branches, links and the program end.

use reconverge_qpu_emulate::{Launch, run};

use crate::assemble::*;

const ALWAYS: u64 = 15;

/// Adds `1 << bit` to r3.
fn mark(bit: u64) -> Word {
    // Small immediates up to 8 are powers of two; r3 counts marks in hexadecimal digits of a path.
    nop().add(ADD, R3, 3, FILE_B).immediate(1 << bit)
}

#[test]
fn delay_slots_are_executed() {
    let program = [load(R3, 0), branch(ALWAYS, 1), mark(0), mark(1), mark(2), mark(3), nop()];
    assert_eq!(evaluate(&[], &program)[0], 1 + 2 + 4);
    let program =
        [load(R3, 0), nop().add(SUB, NONE, 0, 0).flags(), branch(1, 1), mark(0), nop(), nop(), mark(3), nop()];
    assert_eq!(evaluate(&[], &program)[0], 1 + 8);
}

#[test]
fn conditions_of_branches() {
    // Flags: zero and carry are set in the lanes of the mask, negative too.
    let masks = [0u32, 1, 0x8000, 0x7FFF, 0xFFFF];
    for mask in masks {
        for condition in 0..12 {
            let flag = condition / 4;
            let is_clear = condition & 1 != 0;
            let is_any = condition & 2 != 0;
            let set_flags = match flag {
                // The lane of the mask gets 1: zero where it is not set.
                0 => nop().add(OR, NONE, 0, 0).flags(),
                1 => nop().add(SUB, NONE, FILE_B, 0).immediate(0).flags(),
                _ => nop().add(14, NONE, 0, FILE_B).immediate(1).flags(),
            };
            let program = [
                load_lanes(R0, if flag == 0 { !mask & 0xFFFF } else { mask }, false),
                load(R3, 0),
                set_flags,
                branch(condition, 1),
                nop(),
                nop(),
                nop(),
                mark(0),
                nop(),
            ];
            let lanes = if is_clear { !mask & 0xFFFF } else { mask };
            let is_taken = if is_any { lanes != 0 } else { lanes == 0xFFFF };
            let expected = u32::from(!is_taken);
            assert_eq!(evaluate(&[], &program)[0], expected, "condition {condition}, mask {mask:x}");
        }
    }
}

#[test]
fn loops_count() {
    let program = [
        load(R0, 10),
        load(R3, 0),
        // The body: three instructions and the branch with its slots.
        nop().add(SUB, R0, 0, FILE_B).immediate(1).flags(),
        nop().add(ADD, R3, 3, FILE_B).immediate(3),
        branch(3, -6),
        nop(),
        nop(),
        nop(),
    ];
    assert_eq!(evaluate(&[], &program), [30; 16]);
    let report = run_one(&program, &[], &mut memory(&[])).unwrap();
    assert_eq!(report.executed[..8], [1, 1, 10, 10, 10, 10, 10, 10]);
    assert_eq!(report.taken[4], 9);
    assert_eq!(report.cycles, 2 + 60 + 3);
    assert_eq!(report.stalled.iter().sum::<u64>(), 0);
}

#[test]
fn links_and_registers() {
    // A call of a subroutine that doubles r3, with the return address in register 7 of file A.
    let call = Word(branch(ALWAYS, 6).0 & !(0x3F << 38) | 7 << 38);
    let back = Word(15 << 60 | ALWAYS << 52 | 1 << 50 | 7 << 45 & !(1 << 45) | NONE << 38 | NONE << 32);
    // Odd registers would set flags, so the link moves to register 8.
    let back = Word(back.0 & !(0x1F << 45) | 8 << 45);
    let code = [
        load(R3, 5),
        call,
        nop(),
        nop(),
        nop(),
        // Behind the call: over the subroutine.
        branch(ALWAYS, 6),
        nop(),
        nop(),
        nop(),
        nop(),
        nop(),
        // The subroutine.
        copy_a(8, 7),
        nop(),
        back,
        nop().add(ADD, R3, 3, 3),
        nop(),
        nop(),
    ];
    // The first branch goes to instruction 11, the second one to 15 and so over the end of the subroutine.
    let code = [&code[..5], &[branch(ALWAYS, 8)], &code[6..], &[nop()]].concat();
    assert_eq!(evaluate(&[], &code), [10; 16]);
}

#[test]
fn absolute_branches_see_the_address_of_the_code() {
    let words: Vec<u64> =
        [Word(15 << 60 | ALWAYS << 52 | NONE << 38 | NONE << 32 | 0x5000_0028), nop(), nop(), nop(), Word(0)]
            .iter()
            .chain(&end())
            .map(|word| word.0)
            .collect();
    let uniforms = [vec![]];
    let mut launch = Launch::new(&words, &uniforms);
    launch.code_address = 0x5000_0000;
    let report = run(&launch, &mut memory(&[])).unwrap();
    assert_eq!(report.executed, [1, 1, 1, 1, 0, 1, 1, 1]);
}

#[test]
fn the_host_is_interrupted() {
    let program = [load(R0, 0), copy(HOST_INTERRUPT, 0), load(HOST_INTERRUPT, 9)];
    assert_eq!(run_one(&program, &[], &mut memory(&[])).unwrap().host_interrupts, [9]);
}

#[test]
fn values_that_were_never_written_depend_on_the_seed() {
    let words = finish(&store_r3(0));
    let uniforms = [vec![]];
    let result = |seed| {
        let mut launch = Launch::new(&words, &uniforms);
        launch.seed = seed;
        let mut memory = memory(&[]);
        run(&launch, &mut memory).unwrap();
        output(&memory, 0)
    };
    assert_eq!(result(1), result(1));
    for (one, two) in result(1).into_iter().zip(result(2)) {
        assert_ne!(one, two);
    }
}
