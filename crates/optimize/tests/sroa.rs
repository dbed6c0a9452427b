//! Variables are taken apart, and every byte stays what it was.

use reconverge_optimize::Promotion;
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_testing::programs as common;

use crate::memory_programs::{Taste, compare, program};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::{dce, mem2reg, sroa};
use reconverge_testing::programs::{check_verified, count, functions};

fn parsed(source: &str) -> Module {
    text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// Random programs, taken apart, then turned into values. How many variables there
/// were, how many are left, and how many bytes were compared.
fn check_programs(seeds: std::ops::Range<u64>, taste: Taste) -> (usize, usize, usize) {
    let (mut variables, mut left, mut compared) = (0, 0, 0);
    for seed in seeds {
        let before = parsed(&program(seed, taste));
        check_verified(&before);
        let function = functions(&before)[0];
        let mut after = before.clone();
        let hold = |after: &Module, pass: &str| {
            check_verified(after);
            compare(&before, after, function).unwrap_or_else(|message| {
                panic!("seed {seed}, {pass}: {message}\n{}\n{}", text::print(&before), text::print(after))
            })
        };
        sroa(&mut after, function, &ModuleFacts::default());
        compared += hold(&after, "sroa");
        assert_eq!(sroa(&mut after, function, &ModuleFacts::default()), 0, "seed {seed}: nothing is left to do");
        mem2reg(&mut after, function, &ModuleFacts::default(), Promotion::All);
        hold(&after, "mem2reg");
        dce(&mut after, function);
        hold(&after, "dce");
        variables += count(&before, Op::Variable);
        left += count(&after, Op::Variable);
    }
    (variables, left, compared)
}

#[test]
fn programs_that_fill_their_variables_lose_them_all() {
    let (variables, left, compared) = check_programs(0..200, Taste { unfilled: 0, dynamic: 0 });
    assert!(variables > 1000 && compared > 200 * 4 * 40, "{variables} variables, {compared} bytes");
    assert_eq!(left, 0);
}

#[test]
fn programs_that_do_not_fill_their_variables() {
    let (_, left, _) = check_programs(1000..1100, Taste { unfilled: 50, dynamic: 0 });
    assert_eq!(left, 0);
}

#[test]
fn programs_that_index_by_what_they_computed() {
    let (variables, left, _) = check_programs(2000..2080, Taste { unfilled: 5, dynamic: 30 });
    assert!(left > 0 && left * 3 < variables, "{left} of {variables} are left");
}

const HEAD: &str = "\
capability Kernel
memory_model Physical64, OpenCL
%i8 = type_int 8, 0
%i32 = type_int 32, 0
%i64 = type_int 64, 0
%zero: %i32 = constant 0
%one: %i32 = constant 1
%two: %i32 = constant 2
%eight: %i32 = constant 8
%words = type_array %i32, %two
%p_i8 = type_pointer Function, %i8
%p_i32 = type_pointer Function, %i32
%p_words = type_pointer Function, %words
";

/// Functions, taken apart: valid, and doing the same as far as they can be run.
fn replaced(body: &str) -> Module {
    let before = parsed(&format!("{HEAD}{body}"));
    check_verified(&before);
    let mut after = before.clone();
    for function in functions(&before) {
        sroa(&mut after, function, &ModuleFacts::default());
    }
    check_verified(&after);
    common::check_equal(&before, &after);
    after
}

/// Copies around a ring of variables: cuts go around once.
#[test]
fn rings_of_copies_settle() {
    let mut body = String::from("func %f: %i32 (%n: %i32) {\nblock ^entry:\n");
    for index in 0..40 {
        body += &format!("%v{index}: %p_words = variable Function\n");
    }
    body += "%start: %p_i8 = bitcast %v0\nstore %v1, %pair_of_words\n";
    body += "%third: %p_i8 = ptr_access_chain %start, %two\n%small: %i8 = u_convert %n\nstore %third, %small\n";
    for index in 0..40 {
        body += &format!("copy_memory_sized %v{}, %v{index}, %eight\n", (index + 1) % 40);
    }
    body += "%end: %p_i32 = access_chain %v39, %zero\n%r: %i32 = load %end\nreturn_value %r\n}\n";
    let after = replaced(&format!("%pair_of_words: %words = constant_composite %one, %two\n{body}"));
    assert_eq!(count(&after, Op::CopyMemorySized), 0);
}

/// A vector that is cut between its components, and a copy of bytes that no type divides: of a billion parts none is made, for a
/// variable with so many stays.
#[test]
fn a_billion_parts_are_not_cut() {
    let source = "%wide = type_vector %i32, 1479610383
         %p_wide = type_pointer Function, %wide
         %size: %i64 = constant words(0, 1)
         %many = type_array %i32, %count
         %count: %i32 = constant 1073741824
         %p_many = type_pointer Function, %many
         func %f: %i32 (%n: %i32) {
         block ^entry:
           %v: %p_wide = variable Function
           %a: %p_many = variable Function
           %b: %p_many = variable Function
           %part: %p_i32 = access_chain %v, %one
           store %part, %n
           %x: %wide = load %v
           store %v, %x
           copy_memory_sized %a, %b, %size
           %end: %p_i32 = access_chain %a, %two
           %r: %i32 = load %end
           return_value %r
         }";
    let mut module = parsed(&format!("{HEAD}{source}"));
    let function = functions(&module)[0];
    assert_eq!(sroa(&mut module, function, &ModuleFacts::default()), 0);
    assert_eq!(count(&module, Op::Variable), 3);
}

/// A struct in a struct in a struct …, on a small stack: deeper than SPIR-V allows, so the variable stays.
#[test]
fn deep_types_need_no_stack() {
    let run = || {
        let mut source = String::from("%t0 = type_struct %i32, %i8\n");
        for depth in 1..20_000 {
            source += &format!("%t{depth} = type_struct %t{}\n", depth - 1);
        }
        source += "%p_deep = type_pointer Function, %t19999
            func %f: %t19999 (%n: %i32) {
            block ^entry:
              %v: %p_deep = variable Function
              %word: %p_i32 = bitcast %v
              store %word, %n
              %r: %t19999 = load %v
              return_value %r
            }";
        let mut module = parsed(&format!("{HEAD}{source}"));
        let function = functions(&module)[0];
        assert_eq!(sroa(&mut module, function, &ModuleFacts::default()), 0);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}
