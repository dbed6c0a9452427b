//! Simplification and strength reduction on whole programs, and the rules that are functions. The tables have their test beside them.

use crate::scalar_support::{hold_on_graphs, hold_on_structured};
use reconverge_ir::{Inst, Location, Module, Op, Position, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::{dce, simplify, strength_reduction};
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module, named};

/// Types for the bodies below.
const TYPES: &str = "\
%s32 = type_int 32, 1
%u8 = type_int 8, 0
%s8 = type_int 8, 1
%u16 = type_int 16, 0
%s16 = type_int 16, 1
%u64 = type_int 64, 0
%v2 = type_vector %u32, 2
%v4 = type_vector %u32, 4
%pair = type_struct %u32, %v2
%pairs = type_array %pair, %two
%private = type_pointer Function, %pairs
%of_pair = type_pointer Function, %pair
%of_v2 = type_pointer Function, %v2
%of_u32 = type_pointer Function, %u32
%zeros: %pair = constant_null
%v12: %v2 = constant_composite %one, %two
%eight: %u32 = constant 8
%four: %f32 = constant 1082130432
";

/// Simplifies and removes dead code in `body`, which returns a value of type `result` and has these parameters.
fn simplified(result: &str, parameters: &str, body: &str) -> (Module, usize) {
    run(result, parameters, body, simplify)
}

fn run(
    result: &str,
    parameters: &str,
    body: &str,
    pass: fn(&mut Module, reconverge_ir::Function, &mut Analyses) -> usize,
) -> (Module, usize) {
    let before = module(&format!("{TYPES}func %f: {result} ({parameters}) {{\nblock ^entry:\n{body}\n}}\n"));
    hold_verified(&before);
    let mut after = before.clone();
    let function = functions(&before)[0];
    let changed = pass(&mut after, function, &mut Analyses::default());
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0);
    assert_eq!(pass(&mut after.clone(), function, &mut Analyses::default()), 0, "{}", text::print(&after));
    dce(&mut after, function);
    (after, changed)
}

/// How many instructions are left before the return, and the op of the value that is returned.
fn left(module: &Module) -> (usize, Op) {
    let entry = module.entry(functions(module)[0]).expect("a body");
    let value = module.operand(module.terminator(entry).expect("a return"), 0);
    (module.children(entry).count() - 1, module.op(value))
}

#[test]
fn parts_come_out_as_they_went_in() {
    let parameter = (0, Op::FunctionParameter);
    let cases = [
        ("%v: %v2 = composite_construct %n, %m\n%x: %u32 = composite_extract %v 1", parameter),
        ("%v: %v4 = composite_construct %w, %w\n%x: %u32 = composite_extract %v 3", (1, Op::CompositeExtract)),
        ("%p: %pair = composite_construct %n, %w\n%x: %u32 = composite_extract %p 1 0", (1, Op::CompositeExtract)),
        (
            "%p: %pair = composite_construct %n, %w\n%q: %v2 = composite_extract %p 1\n%x: %u32 = composite_extract %q 1",
            (1, Op::CompositeExtract),
        ),
        ("%v: %v2 = composite_insert %n, %w 1\n%x: %u32 = composite_extract %v 1", parameter),
        ("%v: %v2 = composite_insert %n, %w 1\n%x: %u32 = composite_extract %v 0", (1, Op::CompositeExtract)),
        (
            "%v: %v2 = composite_insert %n, %w 1\n%u: %v2 = composite_insert %m, %v 1\n%x: %u32 = composite_extract %u 1",
            parameter,
        ),
        ("%v: %v4 = vector_shuffle %w, %v12 3 1 0 2\n%x: %u32 = composite_extract %v 0", (0, Op::Constant)),
        ("%v: %v4 = vector_shuffle %w, %v12 3 1 0 2\n%x: %u32 = composite_extract %v 1", (1, Op::CompositeExtract)),
        ("%x: %u32 = composite_extract %zeros 1 1", (0, Op::ConstantNull)),
        ("%p: %pair = composite_insert %w, %zeros 1\n%x: %u32 = composite_extract %p 1 1", (1, Op::CompositeExtract)),
        ("%x: %u32 = vector_extract_dynamic %w, %one", (1, Op::CompositeExtract)),
        ("%v: %v2 = vector_insert_dynamic %w, %n, %one\n%x: %u32 = composite_extract %v 1", parameter),
        ("%c: %u32 = copy_object %n\n%x: %u32 = copy_object %c", parameter),
    ];
    for (body, expected) in cases {
        let parameters = "%n: %u32, %m: %u32, %w: %v2";
        let (after, changed) = simplified("%u32", parameters, &format!("{body}\nreturn_value %x"));
        assert!(
            changed > 0 && left(&after) == expected || left(&after) == (0, Op::Constant),
            "{body}:\n{}",
            text::print(&after)
        );
    }
}

#[test]
fn vectors_that_are_put_together_again_are_the_vectors() {
    let parameter = (0, Op::FunctionParameter);
    let cases = [
        (
            "%a: %u32 = composite_extract %w 0\n%b: %u32 = composite_extract %w 1\n%x: %v2 = composite_construct %a, %b",
            parameter,
        ),
        (
            "%a: %u32 = composite_extract %w 0\n%b: %u32 = composite_extract %w 1\n%x: %v2 = composite_construct %b, %a",
            (3, Op::CompositeConstruct),
        ),
        ("%x: %v2 = vector_shuffle %w, %u 0 1", parameter),
        ("%x: %v2 = vector_shuffle %w, %u 2 3", parameter),
        ("%v: %v2 = vector_shuffle %w, %u 1 2\n%x: %v2 = vector_shuffle %v, %v 1 0", (1, Op::VectorShuffle)),
        ("%v: %v2 = vector_shuffle %w, %w 1 0\n%x: %v2 = vector_shuffle %u, %v 3 2", parameter),
        ("%a: %u32 = composite_extract %w 1\n%x: %v2 = composite_insert %a, %w 1", parameter),
    ];
    for (body, expected) in cases {
        let (after, _) = simplified("%v2", "%w: %v2, %u: %v2", &format!("{body}\nreturn_value %x"));
        assert_eq!(left(&after), expected, "{body}:\n{}", text::print(&after));
    }
}

#[test]
fn addresses_of_parts_of_parts() {
    let (after, _) = simplified(
        "%u32",
        "%n: %u32",
        "%v: %private = variable Function
         %a: %of_pair = access_chain %v, %one
         %b: %of_v2 = access_chain %a, %one
         %i: %u32 = bitwise_and %n, %one
         %c: %of_u32 = in_bounds_access_chain %b, %i
         %same: %of_u32 = access_chain %c
         store %same, %n
         %x: %u32 = load %c
         return_value %x",
    );
    assert_eq!(count(&after, Op::AccessChain) + count(&after, Op::InBoundsAccessChain), 1);
    assert_eq!(after.operand_count(named(&after, "c")), 4);
}

/// All ways from one width over another to a third, with and without sign.
#[test]
fn conversions_of_conversions() {
    let types = [("u8", 8), ("s8", 8), ("u16", 16), ("s16", 16), ("u32", 32), ("s32", 32), ("u64", 64)];
    let mut gone = 0;
    for (from, a) in types {
        for (over, b) in types.into_iter().filter(|&(_, b)| b != a) {
            for (to, c) in types.into_iter().filter(|&(_, c)| c != b) {
                for (first, second) in [("u", "u"), ("u", "s"), ("s", "u"), ("s", "s")] {
                    if (first == "u" && over.starts_with('s')) || (second == "u" && to.starts_with('s')) {
                        continue;
                    }
                    let body =
                        format!("%y: %{over} = {first}_convert %n\n%x: %{to} = {second}_convert %y\nreturn_value %x");
                    let (after, changed) = simplified(&format!("%{to}"), &format!("%n: %{from}"), &body);
                    assert!(left(&after).0 <= 2 - changed, "{body}");
                    gone += changed;
                    let grows = a < b && c < b && a != c;
                    assert!(!grows || changed == 1 || to.starts_with('s'), "{body}\n{}", text::print(&after));
                }
            }
        }
    }
    assert!(gone > 100);
}

/// Promises that not all instructions gave are lost, and what is not known keeps an instruction as it is.
#[test]
fn decorations_are_kept_where_all_agree() {
    let braces = |notes: &str| if notes.is_empty() { String::new() } else { format!(" {{ {notes} }}") };
    let build = |inner: &str, outer: &str| {
        let [inner, outer] = [inner, outer].map(braces);
        let body = format!("%a: %u32 = i_add %n, %one{inner}\n%b: %u32 = i_add %a, %two{outer}\nreturn_value %b");
        let (after, changed) = simplified("%u32", "%n: %u32", &body);
        let written = after.decorations(named(&after, "b")).iter().filter(|&&note| after.op(note) != Op::Name);
        (changed, written.count())
    };
    assert_eq!(build("decorate 4469", "decorate 4469"), (1, 0), "the sum may wrap");
    assert_eq!(build("decorate 0", "decorate 0"), (1, 1));
    assert_eq!(build("", "decorate 0"), (1, 0));
    assert_eq!(build("", "decorate 5300"), (0, 1));
    let floats = |inner: &str, outer: &str| {
        let [inner, outer] = [inner, outer].map(braces);
        let body = format!("%a: %f32 = f_negate %y{inner}\n%b: %f32 = f_add %x, %a{outer}\nreturn_value %b");
        let (after, changed) = simplified("%f32", "%x: %f32, %y: %f32", &body);
        (changed, after.decorations(named(&after, "b")).len())
    };
    assert_eq!(floats("", ""), (1, 1), "the name alone");
    assert_eq!(floats("decorate 42", "decorate 42"), (1, 2));
    assert_eq!(floats("", "decorate 42").0, 0);
}

#[test]
fn locations_stay_with_what_follows() {
    let mut program = module(
        "func %f: %u32 (%n: %u32, %m: %u32) {
         block ^entry:
           %a: %u32 = i_add %n, %one
           %b: %u32 = i_sub %a, %two
           %c: %u32 = i_mul %b, %one
           %d: %u32 = i_add %c, %m
           return_value %d
         }",
    );
    let file = program.edit().text("a.c");
    let file = program.edit().append_global(Op::String, None, &[file]);
    let line = |line: u32| Location::at(file, line, 1);
    for (name, number) in [("a", 1), ("b", 2), ("c", 3)] {
        let inst = named(&program, name);
        program.edit().set_location(inst, Some(line(number)));
    }
    let function = functions(&program)[0];
    assert_eq!(simplify(&mut program, function, &mut Analyses::default()), 2);
    assert_eq!(program.location(named(&program, "b")), Some(line(2)));
    assert_eq!(program.location(named(&program, "d")), Some(line(3)));
}

#[test]
fn dear_operations_become_cheap_ones() {
    let cases = [
        ("i_mul %n, %eight", Op::ShiftLeftLogical),
        ("u_div %n, %eight", Op::ShiftRightLogical),
        ("u_mod %n, %eight", Op::BitwiseAnd),
        ("s_mod %n, %eight", Op::BitwiseAnd),
        ("i_mul %n, %ten", Op::IMul),
        ("u_div %n, %ten", Op::UDiv),
        ("s_div %n, %eight", Op::SDiv),
    ];
    for (body, expected) in cases {
        let (after, changed) =
            run("%u32", "%n: %u32", &format!("%x: %u32 = {body}\nreturn_value %x"), strength_reduction);
        assert_eq!(
            (changed, left(&after).1),
            (
                usize::from(after.op(named(&after, "x")) == expected && !body.contains("ten") && expected != Op::SDiv),
                expected
            ),
            "{body}"
        );
    }
    let body = "%x: %f32 = f_div %y, %four\nreturn_value %x";
    assert_eq!(left(&run("%f32", "%y: %f32", body, strength_reduction).0).1, Op::FMul);
}

#[test]
fn random_graphs() {
    hold_on_graphs("simplify", |module, function| simplify(module, function, &mut Analyses::default()) > 0);
    hold_on_graphs("strength_reduction", |module, function| {
        strength_reduction(module, function, &mut Analyses::default()) > 0
    });
}

#[test]
fn random_structured_programs() {
    hold_on_structured("simplify", |module, function| simplify(module, function, &mut Analyses::default()) > 0);
    hold_on_structured("strength_reduction", |module, function| {
        strength_reduction(module, function, &mut Analyses::default()) > 0
    });
}

/// A long chain that is one addition at the end, and one instruction that takes everything that changes; on a small stack.
#[test]
fn large_functions_need_no_stack() {
    let run = || {
        let mut program = module("func %f: %u32 (%n: %u32) {\nblock ^entry:\n  return_value %n\n}\n");
        let function = functions(&program)[0];
        let end: Inst = program.terminator(program.entry(function).expect("a body")).expect("a return").into();
        let (n, one) = (program.operand(end, 0), named(&program, "one"));
        let ty = program.ty(n);
        let (mut last, mut all) = (n, Vec::new());
        for _ in 0..20_000 {
            last = program.edit().insert(Position::Before(end), Op::IAdd, ty, &[last, one]);
            all.push(last);
        }
        let length = program.edit().word(20_000);
        let u32_type = ty.expect("a type");
        let length = program.edit().unique(Op::Constant, Some(u32_type), &[length]);
        let array = program.edit().unique(Op::TypeArray, None, &[u32_type, length]);
        let array = program.edit().insert(Position::Before(end), Op::CompositeConstruct, Some(array), &all);
        let index = program.edit().word(19_999);
        let taken = program.edit().insert(Position::Before(end), Op::CompositeExtract, ty, &[array, index]);
        program.edit().set_operand(end, 0, taken);
        assert_eq!(simplify(&mut program, function, &mut Analyses::default()), 20_000);
        let value = program.operand(end, 0);
        let constant = program.operand(value, 1);
        assert_eq!((program.operand(value, 0), program.literal_word(constant)), (n, Some(20_000)));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread").join().expect("no overflow");
}
