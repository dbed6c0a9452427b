//! Parameters that always have one value go, and those that become so.

use reconverge_ir::{Inst, Module};
use reconverge_rewrite::remove_trivial_parameters;
use reconverge_testing::programs::{functions, hold_equal, hold_verified, module, named, phis};

fn trimmed(before: &Module) -> (Module, usize) {
    let mut after = before.clone();
    let blocks = functions(before).into_iter().flat_map(|function| before.blocks(function));
    let all: Vec<Inst> = blocks.flat_map(|block| before.parameters(block)).map(Inst::from).collect();
    let removed = remove_trivial_parameters(&mut after, &all);
    hold_verified(&after);
    assert!(hold_equal(before, &after) > 0);
    (after, removed)
}

#[test]
fn one_value_on_every_edge() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch ^m(%n, %one, %n)
         block ^b:
           branch ^m(%n, %two, %n)
         block ^m(%p: %u32, %q: %u32, %r: %u32):
           %s: %u32 = i_add %p, %q
           %t: %u32 = i_add %s, %r
           return_value %t
         }",
    );
    let (after, removed) = trimmed(&before);
    assert_eq!((removed, phis(&after)), (2, 1));
}

#[test]
fn around_a_cycle_and_through_each_other() {
    // %kept only comes around; %inner is passed it, and is trivial once it is gone.
    let before = module(
        "func %f: %u32 (%n: %u32, %v: %u32) {
         block ^entry:
           branch ^h(%zero, %v)
         block ^h(%i: %u32, %kept: %u32):
           %odd: %bool = i_equal %i, %one
           branch_if %odd ^a ^b
         block ^a:
           branch ^m(%kept)
         block ^b:
           branch ^m(%v)
         block ^m(%inner: %u32):
           %next: %u32 = i_add %i, %one
           %more: %bool = u_less_than %next, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^h(%next, %kept)
         block ^out:
           return_value %inner
         }",
    );
    let (after, removed) = trimmed(&before);
    assert_eq!((removed, phis(&after)), (2, 1));
}

#[test]
fn different_values_stay() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch ^h(%n, %one)
         block ^h(%a: %u32, %b: %u32):
           branch_if %c ^around ^out
         edge ^around:
           branch ^h(%b, %a)
         block ^out:
           return_value %a
         }",
    );
    assert_eq!(trimmed(&before).1, 0, "two that are passed each other are two");
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
    hold_verified(&after);
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
