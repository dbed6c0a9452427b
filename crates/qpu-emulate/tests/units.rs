//! The special function unit, lookups of memory and uniforms.

use reconverge_qpu_emulate::{FaultKind, Launch, Rounding, TMU_LATENCY, run};

use crate::assemble::*;

fn special(function: u64, argument: f32) -> f32 {
    let program = [copy(RECIPROCAL + function, 0), nop(), nop(), copy(R3, 4)];
    f32::from_bits(evaluate(&[[argument.to_bits(); 16]], &program)[5])
}

#[test]
fn special_functions() {
    let functions: [fn(f64) -> f64; 4] = [|x| 1.0 / x, |x| 1.0 / x.sqrt(), f64::exp2, f64::log2];
    for (number, function) in functions.into_iter().enumerate() {
        for argument in [0.3, 1.0, 1.5, 2.0, 7.7, 40.0] {
            let exact = function(f64::from(argument));
            let value = special(number as u64, argument);
            assert!((f64::from(value) - exact).abs() <= exact.abs() / 8192.0, "{number} of {argument}: {value}");
            assert_eq!(value.to_bits() & 0x3FF, 0);
        }
    }
    assert_eq!(special(0, 0.0), f32::INFINITY);
    assert_eq!(special(2, -200.0), 0.0);
}

#[test]
fn results_of_the_sfu_come_after_two_instructions() {
    // r4 keeps its value for the write itself.
    let program = [copy(RECIPROCAL, 0), nop(), nop(), nop().add(OR, RECIPROCAL + 3, 4, 4), nop(), nop(), copy(R3, 4)];
    assert_eq!(evaluate(&[[0.25f32.to_bits(); 16]], &program), [2f32.to_bits(); 16]);
}

#[test]
fn lookups_gather_in_order() {
    let addresses: Lanes = std::array::from_fn(|lane| INPUT + 64 * 2 + (lane as u32 * 7 % 16) * 4);
    let table: Lanes = std::array::from_fn(|lane| 100 + lane as u32);
    let program = [
        copy(TMU0, 0),
        copy(TMU1, 1),
        nop().add(ADD, TMU0, 0, FILE_B).immediate(0),
        nop().signal(10),
        copy(R2, 4),
        nop().signal(11),
        copy(R3, 4),
        nop().signal(10).add(ADD, R3, 2, 3),
    ];
    let expected: Lanes = std::array::from_fn(|lane| 100 + lane as u32 * 7 % 16 + 100 + lane as u32);
    let rows: Lanes = std::array::from_fn(|lane| INPUT + 128 + lane as u32 * 4);
    assert_eq!(evaluate(&[addresses, rows, table], &program), expected);
}

#[test]
fn a_load_waits_for_its_lookup() {
    let program = [load(TMU0, INPUT), nop().signal(10)];
    let report = run_one(&program, &[], &mut memory(&[1])).unwrap();
    assert_eq!(report.stalled[1], TMU_LATENCY - 1);
    assert_eq!(report.cycles, TMU_LATENCY + 1 + 3);
}

#[test]
fn four_lookups_may_wait() {
    let mut program = vec![load(NO_SWAP, 1), nop(), nop()];
    program.extend([load(TMU0, INPUT); 4]);
    program.extend([nop().signal(10); 4]);
    run_one(&program, &[], &mut memory(&[1])).unwrap();
}

#[test]
fn uniforms_come_once_an_instruction() {
    // Both files read the same one; a field that no ALU uses reads one too.
    let program = [
        nop().add(ADD, R0, FILE_A, FILE_B).read_a(UNIFORM).read_b(UNIFORM),
        nop().read_a(UNIFORM),
        nop().add(ADD, R3, 0, FILE_B).read_b(UNIFORM),
    ];
    let mut memory = memory(&[]);
    run_one(&[&program[..], &store_r3(0)].concat(), &[1, 10, 100], &mut memory).unwrap();
    assert_eq!(output(&memory, 0), [102; 16]);
}

#[test]
fn uniforms_from_memory() {
    let program = [load(UNIFORMS_ADDRESS, INPUT + 4), nop(), nop(), copy_a(R0, UNIFORM), copy_b(R1, UNIFORM)];
    let program = [&program[..], &[nop().add(SUB, R3, 1, 0)], &store_r3(0)].concat();
    let mut memory = memory(&[5, 6, 9]);
    run_one(&program, &[], &mut memory).expect("a program that keeps the rules");
    assert_eq!(output(&memory, 0), [3; 16]);
}

#[test]
fn lookups_of_stored_lines_are_stale() {
    let program = |address| [&[load(R3, 1)], &store_r3(1)[..], &[load(TMU0, address), nop().signal(10)]].concat();
    let result = |address, is_cache_strict| {
        let words = finish(&program(address));
        let uniforms = [vec![]];
        let mut launch = Launch::new(&words, &uniforms);
        launch.is_cache_strict = is_cache_strict;
        run(&launch, &mut memory(&[])).map_err(|fault| fault.kind).err()
    };
    assert_eq!(result(OUTPUT + 64, true), Some(FaultKind::StaleTmuRead));
    assert_eq!(result(OUTPUT + 124, true), Some(FaultKind::StaleTmuRead));
    assert_eq!(result(OUTPUT + 60, true), None);
    assert_eq!(result(OUTPUT + 128, true), None);
    assert_eq!(result(OUTPUT + 64, false), None);
    // Stored between the request and the load of its result.
    let program = [&[load(TMU0, OUTPUT + 64)], &store_r3(1)[..], &[nop().signal(10)]].concat();
    let fault = run_one(&program, &[], &mut memory(&[])).unwrap_err();
    assert_eq!((fault.kind, fault.address), (FaultKind::StaleTmuRead, 6));
}

#[test]
fn rounding_is_a_choice() {
    // 1 + 1.5 · 2⁻²⁴ lies between 1 and the next float, which is nearer.
    let one = 1f32.to_bits();
    let program = [load(R0, one), load(R1, 0x33C0_0000), nop().add(FADD, R3, 0, 1)];
    let words = finish(&[&program[..], &store_r3(0)].concat());
    let uniforms = [vec![]];
    let sum = |rounding| {
        let mut launch = Launch::new(&words, &uniforms);
        launch.rounding = rounding;
        let mut memory = memory(&[]);
        run(&launch, &mut memory).unwrap();
        output(&memory, 0)
    };
    assert_eq!(sum(Rounding::TowardZero), [one; 16]);
    assert_eq!(sum(Rounding::Nearest), [one + 1; 16]);
}
