//! Parameters that always have one value go, and those that become so.

use reconverge_ir::{Inst, Module};
use reconverge_rewrite::remove_trivial_parameters;
use reconverge_testing::programs::{check_equal, check_verified, functions, module, named, phis};

fn trimmed(before: &Module) -> (Module, usize) {
    let mut after = before.clone();
    let blocks = functions(before).into_iter().flat_map(|function| before.blocks(function));
    let all: Vec<Inst> = blocks.flat_map(|block| before.parameters(block)).map(Inst::from).collect();
    let removed = remove_trivial_parameters(&mut after, &all);
    check_verified(&after);
    assert!(check_equal(before, &after) > 0);
    (after, removed)
}

#[test]
fn only_candidates_go() {
    let mut after = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^m(%n, %n)
         block ^m(%p: %u32, %q: %u32):
           %s: %u32 = i_add %p, %q
           return_value %s
         }",
    );
    let candidate = named(&after, "q");
    assert_eq!(remove_trivial_parameters(&mut after, &[candidate]), 1);
    check_verified(&after);
    assert_eq!((phis(&after), after.is_live(candidate)), (1, false));
}

#[test]
fn a_long_chain_and_a_wide_join() {
    let mut source = String::from("func %f: %u32 (%n: %u32) {\nblock ^entry:\n  branch ^m0(%n)\n");
    for index in 0..2_000 {
        source += &format!("block ^m{index}(%p{index}: %u32):\n  branch ^m{}(%p{index})\n", index + 1);
    }
    source += "block ^m2000(%last: %u32):\n  return_value %last\n}\n";
    let (after, removed) = trimmed(&module(&source));
    assert_eq!((removed, phis(&after)), (2_001, 0));

    let list = |of: &dyn Fn(usize) -> String| (0..2_000).map(of).collect::<Vec<_>>().join(", ");
    let (parameters, arguments) = (list(&|index| format!("%p{index}: %u32")), list(&|_| "%n".to_owned()));
    let wide = module(&format!(
        "func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch ^m({arguments})
         block ^b:
           branch ^m({arguments})
         block ^m({parameters}):
           return_value %p1999
         }}"
    ));
    assert_eq!(trimmed(&wide).1, 2_000);
}
