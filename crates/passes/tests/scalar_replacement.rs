//! Variables are taken apart, and every byte stays what it was.

mod common;
mod memory_programs;

use common::{count, functions, hold_verified};
use memory_programs::{Taste, compare, program};
use reconverge_ir::{Module, Op, text};
use reconverge_passes::{mem2reg, remove_dead_code, scalar_replacement};

fn parsed(source: &str) -> Module {
    text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// Random programs, taken apart, then turned into values. How many variables there were, and how many are left.
fn hold_programs(seeds: std::ops::Range<u64>, taste: Taste) -> (usize, usize) {
    let (mut variables, mut left, mut compared) = (0, 0, 0);
    for seed in seeds {
        let before = parsed(&program(seed, taste));
        hold_verified(&before);
        let function = functions(&before)[0];
        let mut after = before.clone();
        let hold = |after: &Module, pass: &str| {
            hold_verified(after);
            compare(&before, after, function).unwrap_or_else(|message| {
                panic!("seed {seed}, {pass}: {message}\n{}\n{}", text::print(&before), text::print(after))
            })
        };
        scalar_replacement(&mut after, function);
        compared += hold(&after, "scalar_replacement");
        assert_eq!(scalar_replacement(&mut after, function), 0, "seed {seed}: nothing is left to do");
        mem2reg(&mut after, function);
        hold(&after, "mem2reg");
        remove_dead_code(&mut after, function);
        hold(&after, "remove_dead_code");
        variables += count(&before, Op::Variable);
        left += count(&after, Op::Variable);
    }
    assert!(compared > 0, "nothing was compared");
    (variables, left)
}

#[test]
fn programs_that_fill_their_variables_lose_them_all() {
    let (variables, left) = hold_programs(0..200, Taste { unfilled: 0, dynamic: 0 });
    assert!(variables > 1000);
    assert_eq!(left, 0);
}

#[test]
fn programs_that_do_not_fill_their_variables() {
    let (_, left) = hold_programs(1000..1100, Taste { unfilled: 50, dynamic: 0 });
    assert_eq!(left, 0);
}

#[test]
fn programs_that_index_by_what_they_computed() {
    let (variables, left) = hold_programs(2000..2080, Taste { unfilled: 5, dynamic: 30 });
    assert!(left > 0 && left * 3 < variables, "{left} of {variables} are left");
}
