//! Control flow: loops, edges, tables, traps.

use crate::machine_support::{Builder, run};
use iced_x86::{Code as Form, Mnemonic};
use reconverge_lanes_cpu::machine::{Class, Condition, Inst, Operand, Terminator};

/// Sums 1 to n in a loop with two parameters, which leaves from its header.
#[test]
fn a_loop_with_parameters_sums() {
    let mut b = Builder::new(false);
    let (n, zero) = (b.number(10), b.number(0));
    let (header, [i, sum]) = b.block(1, [Class::General; 2]);
    let (body, []) = b.block(1, []);
    let (exit, []) = b.block(0, []);
    b.end(Terminator::Jump(header, vec![n, zero]));
    b.block = header;
    b.compare(i, 0);
    b.branch(Condition::Equal, exit, body);
    b.block = body;
    let next_sum = b.update(Form::Add_r64_rm64, sum, i);
    let next = b.update_by(Form::Sub_rm64_imm8, i, 1);
    b.end(Terminator::Jump(header, vec![next, next_sum]));
    b.block = exit;
    b.result(0, sum);
    b.end(Terminator::Return);
    let code = b.finish();
    let text = code.to_string();
    let run = run(&code, 1, &[]);
    assert_eq!((run.status, run.result(0, 0)), (0, 55), "{text}");
    // The loop is rotated, and nothing moves in it: add, sub, cmp, jne. One jump leads into it.
    let jumps = code.instructions().iter().filter(|inst| inst.mnemonic() == Mnemonic::Jmp).count();
    assert_eq!(jumps, 2, "into the loop and to the epilogue:\n{text}");
    assert_eq!(code.statistics().moves, 0, "{text}");
    let back = code.instructions().into_iter().find(|inst| inst.mnemonic() == Mnemonic::Jne).expect("the loop");
    assert_eq!(back.near_branch64() % 32, 0, "loops are aligned:\n{text}");
}

/// Fibonacci numbers: the parameters of the loop change places on its back edge, which is critical.
#[test]
fn parameters_swap_on_a_critical_edge() {
    let mut b = Builder::new(false);
    let (zero, one, n) = (b.number(0), b.number(1), b.number(20));
    let (header, [a, c, i]) = b.block(1, [Class::General; 3]);
    let (latch, []) = b.block(1, []);
    let (exit, []) = b.block(0, []);
    b.end(Terminator::Jump(header, vec![zero, one, n]));
    b.block = header;
    let sum = b.update(Form::Add_r64_rm64, a, c);
    let next = b.update_by(Form::Sub_rm64_imm8, i, 1);
    b.compare(next, 0);
    b.branch(Condition::NotEqual, latch, exit);
    b.block = latch;
    b.end(Terminator::Jump(header, vec![c, sum, next]));
    b.block = exit;
    b.result(0, sum);
    b.result(1, c);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert_eq!((run.result(0, 0), run.result(0, 1)), (10946, 6765));
}

/// A cycle of three on an edge, in vector registers.
#[test]
fn parameters_rotate_on_an_edge() {
    let mut b = Builder::new(false);
    let values = [b.splat(1), b.splat(2), b.splat(3)];
    let n = b.number(7);
    let (header, [x, y, z, i]) = b.block(1, [Class::Vector, Class::Vector, Class::Vector, Class::General]);
    let (latch, []) = b.block(1, []);
    let (exit, []) = b.block(0, []);
    b.end(Terminator::Jump(header, vec![values[0], values[1], values[2], n]));
    b.block = header;
    b.compare(i, 0);
    b.branch(Condition::Equal, exit, latch);
    b.block = latch;
    let next = b.update_by(Form::Sub_rm64_imm8, i, 1);
    b.end(Terminator::Jump(header, vec![y, z, x, next]));
    b.block = exit;
    for (index, value) in (0..).zip([x, y, z]) {
        b.vector_result(index, value);
    }
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert_eq!([0, 1, 2].map(|index| run.lane(0, index, 7)), [2, 3, 1]);
}

/// Every index of a table and beyond; two entries share a block, and one is the default.
#[test]
fn a_jump_table_finds_its_block() {
    let mut b = Builder::new(false);
    let index = b.pack();
    let blocks = [0; 3].map(|_| b.block(0, []).0);
    let (exit, [value]) = b.block(0, [Class::General]);
    let [first, second, default] = blocks;
    b.end(Terminator::Table { index, default, targets: vec![first, second, first, default] });
    for (number, block) in (0..).zip(blocks) {
        b.block = block;
        let value = b.number(100 + number);
        b.end(Terminator::Jump(exit, vec![value]));
    }
    b.block = exit;
    // Results of packs lie behind each other.
    let to = b.define(
        Form::Lea_r64_m,
        Class::General,
        [Operand::Memory(reconverge_lanes_cpu::machine::Address::in_frame(crate::machine_support::RESULTS))],
    );
    let place = crate::machine_support::indexed(to, index, 8);
    b.add(Inst::new(Form::Mov_rm64_r64, [place, Operand::Use(value)]).with_effect());
    b.end(Terminator::Return);
    let run = run(&b.finish(), 7, &[]);
    let results: Vec<u64> = (0..7).map(|pack| run.result(0, pack)).collect();
    assert_eq!(results, [100, 101, 100, 102, 102, 102, 102]);
}

/// Conditions in both directions, with the target next and not next.
#[test]
fn conditions_choose() {
    let cases: [(Condition, [bool; 3]); 10] = [
        (Condition::Equal, [false, true, false]),
        (Condition::NotEqual, [true, false, true]),
        (Condition::Below, [false, false, true]),
        (Condition::BelowEqual, [false, true, true]),
        (Condition::Above, [true, false, false]),
        (Condition::AboveEqual, [true, true, false]),
        (Condition::Less, [true, false, true]),
        (Condition::LessEqual, [true, true, true]),
        (Condition::Greater, [false, false, false]),
        (Condition::GreaterEqual, [false, true, false]),
    ];
    for (condition, expected) in cases {
        for (value, expected) in [-1i64, 5, 1].into_iter().zip(expected) {
            for is_swapped in [false, true] {
                let mut b = Builder::new(false);
                let value = b.number(value);
                let ((x, []), (y, [])) = (b.block(0, []), b.block(0, []));
                let (yes, no) = if is_swapped { (y, x) } else { (x, y) };
                b.compare(value, 5);
                b.branch(condition, yes, no);
                for (block, number) in [(yes, 1), (no, 2)] {
                    b.block = block;
                    let number = b.number(number);
                    b.result(0, number);
                    b.end(Terminator::Return);
                }
                let run = run(&b.finish(), 1, &[]);
                assert_eq!(run.result(0, 0) == 1, expected, "{condition:?}");
            }
        }
    }
}

#[test]
fn a_trap_ends_the_call() {
    let mut b = Builder::new(false);
    let pack = b.pack();
    let ((bad, []), (good, [])) = (b.block(0, []), b.block(0, []));
    b.compare(pack, 2);
    b.branch(Condition::Equal, bad, good);
    b.block = bad;
    b.end(Terminator::Trap(77));
    b.block = good;
    b.result(0, pack);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 5, &[]);
    assert_eq!((run.status, run.result(0, 0)), (77, 1));
}

/// What nothing reads is deleted: a value, a chain around a loop, a block that nothing reaches.
#[test]
fn dead_code_is_deleted() {
    let build = |is_dead: bool| {
        let mut b = Builder::new(false);
        let (n, zero) = (b.number(3), b.number(0));
        let (header, [i, dead]) = b.block(1, [Class::General; 2]);
        let (latch, []) = b.block(1, []);
        let (exit, []) = b.block(0, []);
        let (nowhere, []) = b.block(0, []);
        b.end(Terminator::Jump(header, vec![n, zero]));
        b.block = header;
        let next_dead = b.update(Form::Imul_r64_rm64, dead, dead);
        let next = b.update_by(Form::Sub_rm64_imm8, i, 1);
        b.compare(next, 0);
        b.branch(Condition::NotEqual, latch, exit);
        b.block = latch;
        b.end(Terminator::Jump(header, vec![next, next_dead]));
        b.block = nowhere;
        b.end(Terminator::Jump(exit, vec![]));
        b.block = exit;
        b.result(0, if is_dead { next } else { dead });
        b.end(Terminator::Return);
        let code = b.finish();
        run(&code, 1, &[]);
        code.instructions().iter().any(|inst| inst.mnemonic() == Mnemonic::Imul)
    };
    assert!(build(false) && !build(true), "the product is read in the first case only");
}

/// A subtraction whose result nothing reads stays for its flags.
#[test]
fn the_last_instruction_before_a_branch_stays() {
    let mut b = Builder::new(false);
    let value = b.number(4);
    let ((yes, []), (no, [])) = (b.block(0, []), b.block(0, []));
    b.update_by(Form::Sub_rm64_imm8, value, 4);
    b.branch(Condition::Equal, yes, no);
    b.block = yes;
    b.result(0, value);
    b.end(Terminator::Return);
    b.block = no;
    b.end(Terminator::Trap(1));
    let run = run(&b.finish(), 1, &[]);
    assert_eq!((run.status, run.result(0, 0)), (0, 4));
}
