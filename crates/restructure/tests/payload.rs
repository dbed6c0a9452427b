//! Arguments of original edges on their way through added blocks.

use reconverge_ir::Op;
use reconverge_restructure::Options;
use reconverge_testing::programs::{count, flat, module, phis, structurized, structurized_with};

/// Two joins with parameters, each entered from both arms: neither arm can fall into one alone, so a dispatch is due.
const CROSSED: &str = "func %f: %u32 (%n: %u32, %c: %bool, %d: %bool, %e: %bool) {
     block ^entry:
       branch_if %c ^a ^b
     block ^a:
       branch_if %d ^am ^an
     edge ^am:
       branch ^m(%one, %two)
     edge ^an:
       branch ^k(%three)
     block ^b:
       branch_if %e ^bm ^bn
     edge ^bm:
       branch ^m(%ten, %n)
     edge ^bn:
       branch ^k(%n)
     block ^m(%x: %u32, %y: %u32):
       %r: %u32 = i_mul %x, %y
       return_value %r
     block ^k(%z: %u32):
       %s: %u32 = i_add %z, %ten
       return_value %s
     }";

#[test]
fn targets_share_slots() {
    let after = structurized(&module(CROSSED));
    // One selector, two slots: the target of three parameters in all never needs more than two at once.
    assert!(phis(&after) <= 3 + 3, "{} phis", phis(&after));
}

#[test]
fn arguments_survive_the_flat_form() {
    structurized_with(&module(CROSSED), &flat());
}

#[test]
fn slots_of_several_types() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool, %d: %bool, %e: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch_if %d ^am ^an
         edge ^am:
           branch ^m(%one, %true, %two)
         edge ^an:
           branch ^k(%d, %three)
         block ^b:
           branch_if %e ^bm ^bn
         edge ^bm:
           branch ^m(%ten, %c, %n)
         edge ^bn:
           branch ^k(%true, %n)
         block ^m(%x: %u32, %t: %bool, %y: %u32):
           %r: %u32 = select %t, %x, %y
           return_value %r
         block ^k(%u: %bool, %z: %u32):
           %s: %u32 = select %u, %z, %zero
           return_value %s
         }",
    );
    for options in [Options::default(), flat()] {
        structurized_with(&before, &options);
    }
}

#[test]
fn parameters_that_are_passed_in_another_order() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^h(%zero, %one, %two)
         block ^h(%i: %u32, %a: %u32, %b: %u32):
           %next: %u32 = i_add %i, %one
           %more: %bool = u_less_than %next, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^h(%next, %b, %a)
         block ^out:
           %r: %u32 = i_sub %b, %a
           return_value %r
         }",
    );
    for options in [Options::default(), flat()] {
        structurized_with(&before, &options);
    }
}

#[test]
fn an_edge_block_whose_parameter_is_used_further_down() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch ^only(%n)
         edge ^only(%p: %u32):
           branch ^next
         block ^next:
           %r: %u32 = i_add %p, %one
           return_value %r
         }",
    );
    let after = structurized(&before);
    assert_eq!(count(&after, Op::EdgeBlock), 0);
}

#[test]
fn a_joint_preheader_is_seen_through() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch ^into(%zero)
         block ^b:
           branch ^into(%one)
         edge ^into(%s: %u32):
           branch ^h(%s)
         block ^h(%i: %u32):
           %next: %u32 = i_add %i, %one
           %more: %bool = u_less_than %next, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^h(%next)
         block ^out:
           return_value %i
         }",
    );
    let after = structurized(&before);
    let blocks = after.functions().flat_map(|function| after.blocks(function));
    assert_eq!(blocks.filter(|&block| !after.is_bare_edge(block)).count(), 5, "nothing but the edge block goes");
}

#[test]
fn an_edge_block_that_others_look_into_becomes_a_block() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch ^joint(%zero)
         block ^b:
           branch ^joint(%one)
         edge ^joint(%p: %u32):
           branch ^next
         block ^next:
           %r: %u32 = i_add %p, %n
           return_value %r
         }",
    );
    structurized(&before);
}

#[test]
fn bare_edge_blocks_in_a_ring() {
    let before = module(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^into ^out
         edge ^into:
           branch ^ring
         edge ^ring:
           branch ^again
         edge ^again:
           branch ^ring
         block ^out:
           return_value %n
         }",
    );
    structurized(&before);
}

#[test]
fn a_thousand_parameters_on_every_way() {
    let list = |of: &dyn Fn(usize) -> String| (0..1_000).map(of).collect::<Vec<_>>().join(", ");
    let parameters = list(&|index| format!("%p{index}: %u32"));
    let (first, second) = (list(&|_| "%one".to_owned()), list(&|_| "%n".to_owned()));
    let before = module(&format!(
        "func %f: %u32 (%n: %u32, %c: %bool, %d: %bool) {{
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch_if %d ^am ^an
         edge ^am:
           branch ^m({first})
         edge ^an:
           branch ^k({second})
         block ^b:
           branch_if %d ^bm ^bn
         edge ^bm:
           branch ^m({second})
         edge ^bn:
           branch ^k({first})
         block ^m({parameters}):
           return_value %p999
         block ^k({}):
           return_value %q7
         }}",
        parameters.replace("%p", "%q")
    ));
    let after = structurized(&before);
    assert!(phis(&after) <= 3_001, "{} phis", phis(&after));
}
