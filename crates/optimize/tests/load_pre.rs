//! What `load_pre` adds has limits.

use reconverge_ir::Op;
use reconverge_optimize::{Analyses, load_pre};
use reconverge_testing::programs::{check_equal, check_verified, count, functions, module};

/// Parameters are few, however much is loaded behind a join, and ways in are few; else everything stays.
#[test]
fn growth_has_limits() {
    let places = 40;
    let lines = |line: &dyn Fn(usize) -> String| (0..places).map(line).collect::<Vec<_>>().join("\n");
    let before = module(&format!(
        "%own = type_pointer Function, %u32
         %places: %u32 = constant 200
         %array = type_array %u32, %places
         %whole = type_pointer Function, %array
         {}
         func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           %v: %whole = variable Function
           {}
           branch_if %c ^left ^right
         block ^left:
           {}
           branch ^join
         block ^right:
           {}
           branch ^join
         block ^join:
           {}
           return_value %n
         }}",
        lines(&|at| format!("%i{at}: %u32 = constant {}", 100 + at)),
        lines(&|at| format!("%p{at}: %own = access_chain %v, %i{at}")),
        lines(&|at| format!("store %p{at}, %n")),
        lines(&|at| format!("store %p{at}, %i{at}")),
        lines(&|at| format!("%l{at}: %u32 = load %p{at}")),
    ));
    let mut after = before.clone();
    let gone = load_pre(&mut after, functions(&before)[0], &mut Analyses::default());
    check_verified(&after);
    check_equal(&before, &after);
    let added = count(&after, Op::BlockParameter) - count(&before, Op::BlockParameter);
    assert!((1..=8).contains(&added) && gone == added, "{added} for {gone}");
}
