//! Repairs of values that do not dominate their uses: what they count, and how they grow.

use reconverge_ir::Module;
use reconverge_rewrite::{OriginalDominance, RepairReport, repair_ssa};
use reconverge_testing::filetest::input;
use reconverge_testing::programs::{check_equal, check_verified, functions, module, phis};

fn repaired(before: &Module) -> (Module, RepairReport) {
    let mut after = before.clone();
    let function = functions(before)[0];
    let report = repair_ssa(&mut after, function, &OriginalDominance::unknown()).expect("a repair");
    check_verified(&after);
    assert!(check_equal(before, &after) > 0);
    let mut again = after.clone();
    assert_eq!(
        repair_ssa(&mut again, function, &OriginalDominance::unknown()).expect("a repair"),
        RepairReport::default(),
        "a repaired function needs no repair"
    );
    (after, report)
}

#[test]
fn a_repair_counts_what_it_adds() {
    let report = |values, parameters, rematerialized| RepairReport { values, parameters, rematerialized, variables: 0 };
    let rows = [
        ("valid", report(0, 0, 0)),
        ("join", report(1, 1, 0)),
        ("dispatch_loop", report(1, 1, 0)),
        ("loop_of_one_block", report(1, 1, 0)),
        ("several_values", report(3, 3, 0)),
        ("unreached_value", report(1, 0, 0)),
        ("pointer", report(1, 1, 1)),
        ("images", report(0, 0, 3)),
    ];
    for (name, expected) in rows {
        let mut module = input(&format!("passes/repair_ssa/{name}.ir"));
        let function = functions(&module)[0];
        let found = repair_ssa(&mut module, function, &OriginalDominance::unknown());
        assert_eq!(found, Ok(expected), "{name}");
    }
}

#[test]
fn the_same_text_gives_the_same_text() {
    let before = diamonds(40);
    let print = || reconverge_ir::text::print(&repaired_quietly(&before));
    assert_eq!(print(), print());
}

/// `count` diamonds in a row; in each the left arm defines a value that the block after the next diamond uses.
fn diamonds(count: usize) -> Module {
    let mut source = String::from("func %f: %u32 (%n: %u32, %c: %bool) {\nblock ^entry:\n  branch ^d0\n");
    for index in 0..count {
        let (next, used) = (index + 1, index.saturating_sub(1));
        source += &format!(
            "block ^d{index}:\n  branch_if %c ^l{index} ^r{index}\nblock ^l{index}:\n  %v{index}: %u32 = i_add %n, %one\n  \
             branch ^m{index}\nblock ^r{index}:\n  branch ^m{index}\nblock ^m{index}:\n  branch_if %c ^u{index} ^w{index}\n\
             block ^u{index}:\n  %x{index}: %u32 = i_add %v{used}, %one\n  branch ^e{index}\nblock ^w{index}:\n  \
             branch ^e{index}\nblock ^e{index}:\n  branch ^d{next}\n"
        );
    }
    source += &format!("block ^d{count}:\n  return_value %n\n}}\n");
    module(&source)
}

fn repaired_quietly(before: &Module) -> Module {
    let mut after = before.clone();
    let function = functions(before)[0];
    repair_ssa(&mut after, function, &OriginalDominance::unknown()).expect("a repair");
    after
}

#[test]
fn long_rows_of_repairs_add_a_constant_each() {
    for count in [10, 1_000] {
        let mut after = diamonds(count);
        let function = functions(&after)[0];
        let report = repair_ssa(&mut after, function, &OriginalDominance::unknown()).unwrap();
        assert_eq!(report.values, count - 1 + usize::from(count == 1));
        assert!(report.parameters <= 4 * count, "{} parameters for {count} values", report.parameters);
        check_verified(&after);
    }
}

#[test]
fn a_thousand_values_through_one_join() {
    let mut source =
        String::from("func %f: %u32 (%n: %u32, %c: %bool) {\nblock ^entry:\n  branch_if %c ^a ^b\nblock ^a:\n");
    for index in 0..1_000 {
        source += &format!("  %v{index}: %u32 = i_add %n, %one\n");
    }
    source += "  branch ^m\nblock ^b:\n  branch ^m\nblock ^m:\n  branch_if %c ^u ^o\nblock ^o:\n  return_value %n\nblock ^u:\n";
    source += "  %s0: %u32 = i_add %v0, %zero\n";
    for index in 1..1_000 {
        source += &format!("  %s{index}: %u32 = i_add %s{}, %v{index}\n", index - 1);
    }
    source += "  return_value %s999\n}\n";
    let (after, report) = repaired(&module(&source));
    assert_eq!((report.values, report.parameters), (1_000, 1_000));
    assert_eq!(phis(&after), 1_000);
}
