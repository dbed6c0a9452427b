//! The comparison itself: what it lets pass, and that it sees every other change.

use crate::common::{Numbers, assemble, assemble_words, bytes};
use reconverge_spirv::same_program;

const PROGRAM: &str = "
    Capability 1
    Extension \"ext\"
    MemoryModel 0 1
    EntryPoint 5 %10 \"main\"
    ExecutionMode %10 17 8 1 1
    %40 = String \"file\"
    Name %10 \"main\"
    Name %20 \"entry\"
    Decorate %31 34 0
    Decorate %31 33 1
    DecorateId %31 5634 %6
    %1 = TypeVoid
    %2 = TypeFunction %1
    %3 = TypeBool
    %4 = TypeInt 32 0
    %5 = ConstantTrue %3
    %6 = Constant %4 3
    %7 = Constant %4 4
    %9 = Constant %4 99
    %30 = TypePointer 6 %4
    Line %40 1 1
    %31 = Variable %30 6
    %10 = Function %1 0 %2
    %20 = Label
    Line %40 2 2
    SelectionMerge %23 0
    BranchConditional %5 %21 %22
    %21 = Label
    Branch %23
    %22 = Label
    Branch %23
    %23 = Label
    %24 = Phi %4 %6 %21 %7 %22
    Store %31 %24
    Return
    FunctionEnd
";

#[track_caller]
fn compare(from: &str, to: &str) -> bool {
    assert!(PROGRAM.contains(from), "{from}");
    let changed = assemble(3, &PROGRAM.replace(from, to));
    let forth = same_program(&assemble(3, PROGRAM), &changed).is_ok();
    let back = same_program(&changed, &assemble(3, PROGRAM)).is_ok();
    assert_eq!(forth, back, "{from} and {to}");
    forth
}

#[test]
fn ids_and_order_that_mean_nothing() {
    assert!(compare("%6", "%60"));
    assert!(compare("%23", "%99"));
    assert!(compare("%6 %21 %7 %22", "%7 %22 %6 %21"));
    assert!(compare("Decorate %31 34 0\n    Decorate %31 33 1", "Decorate %31 33 1\n    Decorate %31 34 0"));
    assert!(compare("%6 = Constant %4 3\n    %7 = Constant %4 4", "%7 = Constant %4 4\n    %6 = Constant %4 3"));
    assert!(compare("Line %40 2 2", "Line %40 7 7\nLine %40 2 2"));
    assert!(compare("FunctionEnd", "NoLine\nFunctionEnd"));
    assert!(compare("%9 = Constant %4 99", "%9 = Constant %4 99\n%8 = Constant %4 99"));
}

#[test]
fn everything_else() {
    let changes = [
        ("Constant %4 3", "Constant %4 5"),
        ("Constant %4 99", "Constant %4 98"),
        ("%9 = Constant %4 99", ""),
        ("%6 %21 %7 %22", "%7 %21 %6 %22"),
        ("Store %31 %24", "Store %31 %6"),
        ("Store %31 %24", "Store %31 %24 1"),
        ("Store %31 %24", ""),
        ("BranchConditional %5 %21 %22", "BranchConditional %5 %22 %21"),
        ("SelectionMerge %23 0", "SelectionMerge %23 1"),
        ("SelectionMerge %23 0", "SelectionMerge %22 0"),
        ("Line %40 2 2", "Line %40 2 3"),
        ("Line %40 2 2", ""),
        ("Line %40 1 1", ""),
        ("Name %20 \"entry\"", ""),
        ("Name %20 \"entry\"", "Name %20 \"other\""),
        ("Decorate %31 34 0", "Decorate %31 34 1"),
        ("DecorateId %31 5634 %6", "DecorateId %31 5634 %7"),
        ("Capability 1", "Capability 1\nCapability 2"),
        ("Extension \"ext\"", "Extension \"exit\""),
        ("ExecutionMode %10 17 8 1 1", "ExecutionMode %10 17 1 8 1"),
        ("TypePointer 6 %4", "TypePointer 5 %4"),
        ("FunctionEnd", "FunctionEnd\n%50 = Function %1 0 %2\nFunctionEnd"),
        ("%22 = Label\n    Branch %23\n    %23", "%22 = Label\n    Return\n    %23"),
    ];
    for (from, to) in changes {
        assert!(!compare(from, to), "{from} and {to} pass for the same");
    }
    assert!(same_program(&assemble(3, PROGRAM), &assemble(4, PROGRAM)).is_err());
}

#[test]
fn a_changed_word_is_seen_or_refused() {
    // Without the constant that nothing uses: its id could be any other.
    let words = assemble_words(3, &PROGRAM.replace("%9 = Constant %4 99", ""));
    let mut numbers = Numbers(0x5eed_0002);
    let mut passed = Vec::new();
    for _ in 0..3_000 {
        let at = 5 + numbers.below(words.len() - 5);
        let value = numbers.below(50) as u32;
        let mut changed = words.clone();
        changed[at] = value;
        if changed != words && same_program(&bytes(&words), &bytes(&changed)).is_ok() {
            passed.push((at, words[at], value));
        }
    }
    passed.sort_unstable();
    passed.dedup();
    assert!(passed.is_empty(), "{passed:?}");
}
