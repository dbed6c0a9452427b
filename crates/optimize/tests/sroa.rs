//! Variables are taken apart, and every byte stays what it was.

use reconverge_optimize::Promotion;
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_testing::programs as common;

use crate::memory_programs::{Taste, compare, program};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::{dce, mem2reg, sroa};
use reconverge_testing::programs::{count, functions, hold_verified};

fn parsed(source: &str) -> Module {
    text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// Random programs, taken apart, then turned into values. How many variables there
/// were, how many are left, and how many bytes were compared.
fn hold_programs(seeds: std::ops::Range<u64>, taste: Taste) -> (usize, usize, usize) {
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
    let (variables, left, compared) = hold_programs(0..200, Taste { unfilled: 0, dynamic: 0 });
    assert!(variables > 1000 && compared > 200 * 4 * 40, "{variables} variables, {compared} bytes");
    assert_eq!(left, 0);
}

#[test]
fn programs_that_do_not_fill_their_variables() {
    let (_, left, _) = hold_programs(1000..1100, Taste { unfilled: 50, dynamic: 0 });
    assert_eq!(left, 0);
}

#[test]
fn programs_that_index_by_what_they_computed() {
    let (variables, left, _) = hold_programs(2000..2080, Taste { unfilled: 5, dynamic: 30 });
    assert!(left > 0 && left * 3 < variables, "{left} of {variables} are left");
}

const HEAD: &str = "\
capability Kernel
memory_model Physical64, OpenCL
%bool = type_bool
%i8 = type_int 8, 0
%i32 = type_int 32, 0
%i64 = type_int 64, 0
%f32 = type_float 32
%zero: %i32 = constant 0
%one: %i32 = constant 1
%two: %i32 = constant 2
%four: %i32 = constant 4
%eight: %i32 = constant 8
%pair = type_struct %f32, %f32
%words = type_array %i32, %two
%v4f32 = type_vector %f32, 4
%p_i8 = type_pointer Function, %i8
%p_i32 = type_pointer Function, %i32
%p_i64 = type_pointer Function, %i64
%p_f32 = type_pointer Function, %f32
%p_pair = type_pointer Function, %pair
%p_words = type_pointer Function, %words
%p_v4f32 = type_pointer Function, %v4f32
%outside = type_pointer CrossWorkgroup, %i8
%outside_word = type_pointer CrossWorkgroup, %i32
";

/// Functions, taken apart: valid, and doing the same as far as they can be run.
fn replaced(body: &str) -> Module {
    let before = parsed(&format!("{HEAD}{body}"));
    hold_verified(&before);
    let mut after = before.clone();
    for function in functions(&before) {
        sroa(&mut after, function, &ModuleFacts::default());
    }
    hold_verified(&after);
    common::hold_equal(&before, &after);
    after
}

/// Types of the variables that are left, with their names.
fn variables(module: &Module) -> Vec<String> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let variables = blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == Op::Variable);
    let described = variables.map(|variable| {
        let ty = module.ty(variable).expect("a variable has a type");
        let name = |inst| module.name(inst).unwrap_or_default();
        format!("{}: {}", name(variable), name(module.operand(ty, 1)))
    });
    described.collect()
}

#[test]
fn a_number_over_two_fields_is_two_numbers() {
    let after = replaced(
        "func %f: %f32 (%n: %i64) {
         block ^entry:
           %v: %p_pair = variable Function
           %whole: %p_i64 = bitcast %v
           store %whole, %n
           %first: %p_f32 = access_chain %v, %zero
           %second: %p_f32 = access_chain %v, %one
           %a: %f32 = load %first
           %b: %f32 = load %second
           %c: %f32 = f_add %a, %b
           return_value %c
         }",
    );
    assert_eq!(variables(&after), ["v.0: f32", "v.4: f32"]);
    assert_eq!((count(&after, Op::ShiftRightLogical), count(&after, Op::UConvert)), (1, 2));
}

#[test]
fn a_vector_over_scalars_is_put_together() {
    let after = replaced(
        "func %f: %v4f32 (%n: %f32) {
         block ^entry:
           %v: %p_v4f32 = variable Function
           %x: %p_f32 = access_chain %v, %zero
           store %x, %n
           %y: %p_f32 = access_chain %v, %one
           store %y, %n
           %z: %p_f32 = access_chain %v, %two
           store %z, %n
           %whole: %v4f32 = load %v
           return_value %whole
         }",
    );
    assert_eq!(variables(&after), ["v.0: f32", "v.4: f32", "v.8: f32"], "nobody writes the fourth");
    assert_eq!(count(&after, Op::CompositeConstruct), 1);
}

#[test]
fn bytes_of_a_number_are_cut_out_of_it_once_it_is_written() {
    let after = replaced(
        "func %f: %i8 (%n: %i32) {
         block ^entry:
           %v: %p_i32 = variable Function
           store %v, %n
           %bytes: %p_i8 = bitcast %v
           %third: %p_i8 = ptr_access_chain %bytes, %two
           %x: %i8 = load %third
           return_value %x
         }",
    );
    assert_eq!(variables(&after), ["v.2: i8"], "the other bytes are never read");
}

#[test]
fn copies_hand_their_pieces_on() {
    let after = replaced(
        "func %f: %f32 (%a: %f32, %b: %f32) {
         block ^entry:
           %v: %p_pair = variable Function
           %between: %p_words = variable Function
           %w: %p_pair = variable Function
           %v0: %p_f32 = access_chain %v, %zero
           %v1: %p_f32 = access_chain %v, %one
           store %v0, %a
           store %v1, %b
           copy_memory_sized %between, %v, %eight
           copy_memory_sized %w, %between, %eight
           %w1: %p_f32 = access_chain %w, %one
           %r: %f32 = load %w1
           return_value %r
         }",
    );
    assert_eq!(variables(&after), ["v.4: f32", "between.4: f32", "w.4: f32"]);
    assert_eq!(count(&after, Op::Bitcast) + count(&after, Op::CopyMemorySized), 0);
}

#[test]
fn copies_from_constant_memory_are_constants() {
    let after = replaced(
        "%third: %i32 = constant 7
         %table_type = type_array %i32, %four
         %p_table = type_pointer UniformConstant, %table_type
         %rows: %table_type = constant_composite %one, %two, %third, %four
         %table: %p_table = variable UniformConstant, %rows
         %p_table_word = type_pointer UniformConstant, %i32
         func %f: %i32 () {
         block ^entry:
           %v: %p_words = variable Function
           %from: %p_table_word = access_chain %table, %one
           copy_memory_sized %v, %from, %eight
           %second: %p_i32 = access_chain %v, %one
           %r: %i32 = load %second
           return_value %r
         }",
    );
    let stored = after.functions().flat_map(|function| after.blocks(function)).flat_map(|block| after.children(block));
    let stored: Vec<_> =
        stored.filter(|&inst| after.op(inst) == Op::Store).map(|inst| after.operand(inst, 1)).collect();
    assert_eq!(stored, [common::named(&after, "third")]);
}

#[test]
fn copies_to_and_from_other_memory_keep_their_alignment() {
    let after = replaced(
        "func %f: %i32 (%p: %outside) {
         block ^entry:
           %v: %p_words = variable Function
           copy_memory_sized %v, %p, %eight, 2, 8
           %second: %p_i32 = access_chain %v, %one
           %x: %i32 = load %second
           store %second, %two
           copy_memory_sized %p, %v, %eight, 2, 4, 2, 16
           return_value %x
         }",
    );
    assert_eq!(variables(&after), ["v.0: i32", "v.4: i32"]);
    let alignments = |op: Op, mask: usize| -> Vec<u32> {
        let blocks = after.functions().flat_map(|function| after.blocks(function));
        let accesses = blocks.flat_map(|block| after.children(block)).filter(|&inst| after.op(inst) == op);
        accesses.filter_map(|inst| after.literal_word(after.operands(inst).nth(mask + 1)?)).collect()
    };
    assert_eq!(alignments(Op::Load, 1), [8, 4], "eight bytes, and what is left of that after four");
    assert_eq!(alignments(Op::Store, 2), [4, 4], "the target's alignment is the first");
    assert_eq!(count(&after, Op::CopyMemorySized), 0);
}

#[test]
fn initializers_become_stores() {
    let after = replaced(
        "%start: %words = constant_composite %two, %four
         func %f: %i32 () {
         block ^entry:
           %v: %p_words = variable Function, %start
           %w: %p_i32 = variable Function, %one
           %second: %p_i32 = access_chain %v, %one
           %x: %i32 = load %second
           %y: %i32 = load %w
           %z: %i32 = i_add %x, %y
           return_value %z
         }",
    );
    assert_eq!(variables(&after), ["v.4: i32", "w: i32"]);
    assert_eq!(count(&after, Op::Store), 1);
}

#[test]
fn whole_structs_are_built_and_taken_apart() {
    let after = replaced(
        "%outer = type_struct %pair, %words, %i32
         %p_outer = type_pointer Function, %outer
         func %f: %outer (%n: %i32) {
         block ^entry:
           %v: %p_outer = variable Function
           %w: %p_outer = variable Function
           %null: %outer = undef
           %made: %outer = composite_insert %n, %null, 1, 0
           store %v, %made
           %last: %p_i32 = access_chain %v, %two
           store %last, %n
           %all: %outer = load %v
           store %w, %all
           %r: %outer = load %w
           return_value %r
         }",
    );
    assert!(variables(&after).len() >= 5);
    assert_eq!(count(&after, Op::CompositeConstruct), 3 * 2);
}

#[test]
fn what_cannot_be_taken_apart_stays() {
    let after = replaced(
        "%p_pointer = type_pointer Function, %p_words
         %many = type_array %i32, %thousand
         %thousand: %i32 = constant 1000
         %p_many = type_pointer Function, %many
         func %sink: %void (%p: %p_words)
         %void = type_void
         func %f: %i32 (%n: %i32) {
         block ^entry:
           %indexed: %p_words = variable Function
           %volatile: %p_words = variable Function
           %passed: %p_words = variable Function
           %large: %p_many = variable Function
           %stored: %p_words = variable Function
           %holder: %p_pointer = variable Function
           %overrun: %p_words = variable Function
           %a: %p_i32 = access_chain %indexed, %n
           store %a, %n
           %b: %p_i32 = access_chain %volatile, %one
           store %b, %n, 1
           %c: %void = function_call %sink, %passed
           %nothing: %many = constant_null
           store %large, %nothing
           store %holder, %stored
           %d: %p_i8 = bitcast %overrun
           %e: %p_i8 = ptr_access_chain %d, %eight
           store %e, %byte
           %byte: %i8 = constant 3
           return_value %n
         }",
    );
    let names = ["indexed", "volatile", "passed", "large", "stored", "holder", "overrun"];
    for name in names {
        assert_eq!(after.op(common::named(&after, name)), Op::Variable, "{name}");
    }
    assert_eq!(count(&after, Op::Variable), names.len());
}

#[test]
fn locations_stay_with_what_an_access_became() {
    let after = replaced(
        "%file = string \"k.cl\"
         func %f: %f32 (%n: %i64) {
         block ^entry:
           %v: %p_pair = variable Function
           %whole: %p_i64 = bitcast %v at %file 1:1
           store %whole, %n at %file 2:1
           %first: %p_f32 = access_chain %v, %zero at %file 3:1
           %a: %f32 = load %first
           return_value %a at %file 4:1
         }",
    );
    let entry = after.entry(functions(&after)[0]).unwrap();
    let line = |op: Op| {
        let inst = after.children(entry).find(|&inst| after.op(inst) == op).unwrap();
        match after.location(inst) {
            Some(reconverge_ir::Location { line: Some(line), .. }) => line.line,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((line(Op::Store), line(Op::Load), line(Op::ReturnValue)), (2, 3, 4));
}

#[test]
fn shaders_lose_their_structs_but_not_what_they_copy() {
    let before = parsed(
        "capability Shader
         memory_model Logical, GLSL450
         %f32 = type_float 32
         %i32 = type_int 32, 0
         %zero: %i32 = constant 0
         %one: %i32 = constant 1
         %pair = type_struct %f32, %f32
         %p_pair = type_pointer Function, %pair
         %p_f32 = type_pointer Function, %f32
         func %f: %f32 (%n: %f32) {
         block ^entry:
           %v: %p_pair = variable Function
           %a: %p_pair = variable Function
           %b: %p_pair = variable Function
           %v0: %p_f32 = access_chain %v, %zero
           store %v0, %n
           %a0: %p_f32 = access_chain %a, %zero
           store %a0, %n
           copy_memory %b, %a
           %b0: %p_f32 = access_chain %b, %zero
           %x: %f32 = load %v0
           %y: %f32 = load %b0
           %z: %f32 = f_add %x, %y
           return_value %z
         }",
    );
    let mut after = before.clone();
    assert_eq!(sroa(&mut after, functions(&before)[0], &ModuleFacts::default()), 1);
    hold_verified(&after);
    common::hold_equal(&before, &after);
    assert_eq!(variables(&after), ["v: f32", "a: pair", "b: pair"]);
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
