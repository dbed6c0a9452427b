//! Packs of a work-group: one after another, and switching at barriers.

use crate::machine_support::{Builder, RESULTS, indexed, run};
use iced_x86::Code as Form;
use reconverge_lanes_cpu::machine::{Address, Class, Condition, DIVERGENT_BARRIER, Inst, Operand, Terminator};

/// Each pack writes to the memory of the work-group, and after the barrier reads what the next one wrote. A value lives in a register
/// across the barrier.
fn exchange(packs: u64, has_vectors: bool) {
    let mut b = Builder::new(false);
    let pack = b.pack();
    let context = b.context();
    let memory = b.define(Form::Mov_r64_rm64, Class::General, [Operand::Memory(Address::of(context).plus(16))]);
    let square = b.update(Form::Imul_r64_rm64, pack, pack);
    let vector = has_vectors.then(|| b.splat(7));
    b.add(Inst::new(Form::Mov_rm64_r64, [indexed(memory, pack, 8), Operand::Use(square)]).with_effect());
    let (after, []) = b.block(0, []);
    b.end(Terminator::Barrier { resume: after });
    b.block = after;
    let next = b.define(Form::Lea_r64_m, Class::General, [Operand::Memory(Address::of(pack).plus(1))]);
    let (wrap, []) = b.block(0, []);
    let (join, [index]) = b.block(0, [Class::General]);
    let (keep, []) = b.block(0, []);
    b.compare(next, packs as i64);
    b.branch(Condition::Equal, wrap, keep);
    b.block = wrap;
    let zero = b.number(0);
    b.end(Terminator::Jump(join, vec![zero]));
    b.block = keep;
    b.end(Terminator::Jump(join, vec![next]));
    b.block = join;
    let read = b.define(Form::Mov_r64_rm64, Class::General, [indexed(memory, index, 8)]);
    b.result(0, read);
    b.result(1, square);
    if let Some(vector) = vector {
        b.vector_result(1, vector);
    }
    b.end(Terminator::Return);
    let code = b.finish();
    assert!(code.has_barriers(), "there is one");
    let mut memory = vec![0u64; packs as usize];
    let run = run(&code, packs as usize, &[memory.as_mut_ptr() as u64]);
    assert_eq!(run.status, 0);
    for pack in 0..packs {
        let next = (pack + 1) % packs;
        assert_eq!(run.result(pack as usize, 0), next * next, "{code}");
        assert_eq!(run.result(pack as usize, 1), pack * pack, "{code}");
        assert!(!has_vectors || run.lane(pack as usize, 1, 7) == 7, "{code}");
    }
}

#[test]
fn packs_exchange_at_a_barrier() {
    exchange(3, false);
    exchange(3, true);
}

#[test]
fn one_pack_passes_its_barrier() {
    exchange(1, true);
}

/// Pack 1 goes to another barrier than the others, or to the end.
#[test]
fn packs_that_part_are_trapped() {
    for is_at_barrier in [true, false] {
        let mut b = Builder::new(false);
        let pack = b.pack();
        let ((one, []), (two, []), (end, [])) = (b.block(0, []), b.block(0, []), b.block(0, []));
        b.compare(pack, 1);
        b.branch(Condition::Equal, two, one);
        b.block = one;
        b.end(Terminator::Barrier { resume: end });
        b.block = two;
        b.end(if is_at_barrier { Terminator::Barrier { resume: end } } else { Terminator::Jump(end, vec![]) });
        b.block = end;
        b.result(0, pack);
        b.end(Terminator::Return);
        let code = b.finish();
        let run = run(&code, 3, &[]);
        assert_eq!(run.status, u64::from(DIVERGENT_BARRIER), "{code}");
    }
}

/// A barrier in a loop: values around the loop survive it.
#[test]
fn a_barrier_in_a_loop_keeps_values() {
    let mut b = Builder::new(false);
    let pack = b.pack();
    let n = b.number(4);
    let (header, [i, sum]) = b.block(1, [Class::General; 2]);
    let (after, []) = b.block(1, []);
    let (latch, []) = b.block(1, []);
    let (exit, []) = b.block(0, []);
    b.end(Terminator::Jump(header, vec![n, pack]));
    b.block = header;
    b.end(Terminator::Barrier { resume: after });
    b.block = after;
    let next_sum = b.update(Form::Add_r64_rm64, sum, i);
    let next = b.update_by(Form::Sub_rm64_imm8, i, 1);
    b.compare(next, 0);
    b.branch(Condition::Equal, exit, latch);
    b.block = latch;
    b.end(Terminator::Jump(header, vec![next, next_sum]));
    b.block = exit;
    b.result(0, next_sum);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 5, &[]);
    assert_eq!(run.status, 0);
    for pack in 0..5 {
        assert_eq!(run.result(pack, 0), pack as u64 + 10);
    }
}

#[test]
fn packs_without_barriers_share_a_frame() {
    let mut b = Builder::new(false);
    let pack = b.pack();
    let to = b.define(Form::Lea_r64_m, Class::General, [Operand::Memory(Address::in_frame(RESULTS))]);
    b.add(Inst::new(Form::Mov_rm64_r64, [indexed(to, pack, 8), Operand::Use(pack)]).with_effect());
    b.end(Terminator::Return);
    let code = b.finish();
    assert!(code.contains(code.entry() as usize) && !code.contains(0) && !code.has_barriers());
    let run = run(&code, 6, &[]);
    assert_eq!((0..6).map(|pack| run.result(0, pack)).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
}
