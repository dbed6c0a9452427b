//! Right kernels with one fault put in: the interpreter must find it.
//!
//! | mutation | found as |
//! |---|---|
//! | a barrier is taken out, or orders nothing | a race, or an undefined value |
//! | a wait for copies is taken out | a copy that nobody waits for, or a race |
//! | a buffer loses its last element | an access outside |
//!
//! A mutation that leaves a kernel right is listed with the reason.

use reconverge::ir::{Builder, Inst, Module, Op, view};
use reconverge_run::{Argument, Role};

use super::WRONG;
use super::kernel::{self, Checked};

/// Kernels that are right without their barriers: each work-item accesses its own elements.
const NEED_NO_BARRIER: [&str; 5] = [
    "bounds_local_argument_right",
    "divergence_if_outside",
    "divergence_loop_same",
    "divergence_return_group",
    "divergence_uniform",
];

/// Kernels that are right with a shorter buffer: they do not access its last element.
const NEED_NO_LAST: [&str; 7] = [
    "divergence_if_outside",
    "divergence_return_group",
    "null_checked",
    "race_groups_apart",
    "race_last_group_counts",
    "race_mixed_barrier",
    "race_reduction_barriers",
];

/// Kernels that are right without one of their waits: they wait twice for a copy.
const NEED_NO_WAIT: [&str; 1] = ["async_twice"];

fn right() -> impl Iterator<Item = Checked> {
    kernel::all().into_iter().filter(|kernel| kernel.expected.is_empty())
}

fn instructions(module: &Module, op: Op) -> Vec<Inst> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == op).collect()
}

/// Mutates every instruction of an op in every right kernel, one after the other. Returns the number of mutants, and those not found.
fn mutate(op: Op, mutation: &dyn Fn(&mut Module, Inst)) -> (usize, Vec<String>) {
    let (mut count, mut missed) = (0, Vec::new());
    for kernel in right() {
        let module = kernel.module("spv");
        for inst in instructions(&module, op) {
            let mut mutant = module.clone();
            mutation(&mut mutant, inst);
            count += 1;
            if kernel.findings(&mutant).is_empty() {
                missed.push(kernel.name.clone());
            }
        }
    }
    missed.dedup();
    (count, missed)
}

#[test]
fn a_missing_barrier_is_found() {
    let (count, missed) = mutate(Op::ControlBarrier, &|module, inst| module.edit().delete(inst));
    assert!(count >= 30, "{count}");
    assert_eq!(missed, NEED_NO_BARRIER);
}

#[test]
fn a_barrier_that_orders_nothing_is_found() {
    let without_order = |module: &mut Module, inst: Inst| {
        let semantics = view::ControlBarrier::of(module, inst).expect("a barrier").semantics;
        let ty = module.ty(semantics).expect("a constant has a type");
        let relaxed = Builder::new(module).constant_word(ty, 0);
        module.edit().set_operand(inst, view::ControlBarrier::SLOT.semantics, relaxed);
    };
    let (count, missed) = mutate(Op::ControlBarrier, &without_order);
    assert!(count >= 30, "{count}");
    assert_eq!(missed, NEED_NO_BARRIER);
}

#[test]
fn a_missing_wait_is_found() {
    let (count, missed) = mutate(Op::GroupWaitEvents, &|module, inst| module.edit().delete(inst));
    assert!(count >= 8, "{count}");
    assert_eq!(missed, NEED_NO_WAIT);
}

#[test]
fn a_buffer_that_is_too_small_is_found() {
    let (mut count, mut missed) = (0, Vec::new());
    for mut kernel in right() {
        let module = kernel.module("spv");
        let first = kernel.launch.arguments.iter_mut().find_map(|argument| match argument {
            Argument::Buffer(buffer) if buffer.role == Role::Output && buffer.count > 1 => Some(buffer),
            _ => None,
        });
        let Some(buffer) = first else { continue };
        buffer.count -= 1;
        count += 1;
        if kernel.findings(&module).is_empty() {
            missed.push(kernel.name);
        }
    }
    assert!(count >= 40, "{count}");
    assert_eq!(missed, NEED_NO_LAST);
}

#[test]
fn the_list_of_wrong_modules_names_kernels() {
    let names: Vec<String> = kernel::all().into_iter().map(|kernel| kernel.name).collect();
    assert!(WRONG.iter().all(|name| names.iter().any(|one| one == name)));
}
