//! Simplification and strength reduction on random programs, and conversions of all widths. The tables have their test beside them.

use crate::scalar_support::{check_on_graphs, check_on_structured};
use reconverge_ir::{Inst, Module, Op, Position, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::{dce, simplify, strength_reduction};
use reconverge_testing::programs::{check_equal, check_verified, functions, module, named};

/// Types of numbers for the conversions.
const TYPES: &str = "\
%s32 = type_int 32, 1
%u8 = type_int 8, 0
%s8 = type_int 8, 1
%u16 = type_int 16, 0
%s16 = type_int 16, 1
%u64 = type_int 64, 0
";

/// Simplifies and removes dead code in `body`, which returns a value of type `result` and has these parameters.
fn simplified(result: &str, parameters: &str, body: &str) -> (Module, usize) {
    let before = module(&format!("{TYPES}func %f: {result} ({parameters}) {{\nblock ^entry:\n{body}\n}}\n"));
    check_verified(&before);
    let mut after = before.clone();
    let function = functions(&before)[0];
    let changed = simplify(&mut after, function, &mut Analyses::default());
    check_verified(&after);
    assert!(check_equal(&before, &after) > 0);
    let again = simplify(&mut after.clone(), function, &mut Analyses::default());
    assert_eq!(again, 0, "{}", text::print(&after));
    dce(&mut after, function);
    (after, changed)
}

/// How many instructions are left before the return.
fn left(module: &Module) -> usize {
    let entry = module.entry(functions(module)[0]).expect("a body");
    module.children(entry).count() - 1
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
                    assert!(left(&after) <= 2 - changed, "{body}");
                    gone += changed;
                    let grows = a < b && c < b && a != c;
                    assert!(!grows || changed == 1 || to.starts_with('s'), "{body}\n{}", text::print(&after));
                }
            }
        }
    }
    assert!(gone > 100);
}

#[test]
fn random_graphs() {
    check_on_graphs("simplify", |module, function| simplify(module, function, &mut Analyses::default()) > 0);
    check_on_graphs("strength_reduction", |module, function| {
        strength_reduction(module, function, &mut Analyses::default()) > 0
    });
}

#[test]
fn random_structured_programs() {
    check_on_structured("simplify", |module, function| simplify(module, function, &mut Analyses::default()) > 0);
    check_on_structured("strength_reduction", |module, function| {
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
