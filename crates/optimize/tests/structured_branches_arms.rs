//! Arms: empty ones turned round, small ones made selects, equal jumps at their ends joined. The shapes of Mesa's unit tests
//! `opt_if_simplification`, `opt_if_simplification_single_source_phi_after_if`, `opt_load_ubo_no_speculate` and
//! `opt_load_ubo_speculate` are among them.

use crate::structured_branches_support;
use crate::structured_branches_support::{blocks, changed, count, find, function, hold_unchanged};
use reconverge_ir::{Op, terminator::operand};
use reconverge_optimize::structured::{
    SelectLimits, if_conversion, if_conversion_within, invert_empty_arms, join_equal_jumps,
};

#[test]
fn an_empty_then_changes_places_with_the_else() {
    // opt_if_simplification
    let module = changed(
        "func %f: %void (%a: %u32, %b: %u32) stage structured {
         block ^entry:
           %c: %bool = u_less_than %a, %b
           if %c ^m ^else merge ^m
         block ^else:
           RECORD %one
           branch ^m
         block ^m:
           RECORD %two
           return
         }",
        invert_empty_arms,
    );
    assert_eq!((count(&module, Op::ULessThan), count(&module, Op::UGreaterThanEqual)), (0, 1));
    assert_eq!(count(&module, Op::LogicalNot), 0);
}

#[test]
fn an_empty_then_with_arguments_changes_places_too() {
    // opt_if_simplification_single_source_phi_after_if: the other arm leaves, so that the merge block has one source.
    let module = changed(
        "func %f: %void (%a: %u32) stage structured {
         block ^entry:
           %c: %bool = i_equal %a, %two
           if %c ^then ^else merge ^m
         block ^then:
           branch ^m(%a)
         block ^else:
           RECORD %one
           return
         block ^m(%p: %u32):
           RECORD %p
           return
         }",
        invert_empty_arms,
    );
    assert_eq!(count(&module, Op::INotEqual), 1);
}

#[test]
fn comparisons_of_floats_are_inverted_exactly() {
    // The arguments are no numbers now and then; the behaviour is compared.
    for (op, opposite) in [
        ("f_ord_less_than", Op::FUnordGreaterThanEqual),
        ("f_unord_less_than", Op::FOrdGreaterThanEqual),
        ("f_ord_equal", Op::FUnordNotEqual),
        ("f_unord_equal", Op::FOrdNotEqual),
        ("f_ord_not_equal", Op::FUnordEqual),
        ("f_ord_greater_than_equal", Op::FUnordLessThan),
        ("f_unord_less_than_equal", Op::FOrdGreaterThan),
    ] {
        let body = format!(
            "func %f: %void (%a: %f32, %b: %f32) stage structured {{
             block ^entry:
               %c: %bool = {op} %a, %b
               if %c ^m ^else merge ^m weights 3 7
             block ^else:
               RECORD %one
               branch ^m
             block ^m:
               RECORD %two
               return
             }}"
        );
        let module = changed(&body, invert_empty_arms);
        assert_eq!(count(&module, opposite), 1, "{op}");
        let selection = find(&module, Op::If);
        let weights = [0, 1].map(|index| module.literal_word(module.operand(selection, operand::IF_WEIGHTS + index)));
        assert_eq!(weights, [Some(7), Some(3)]);
    }
}

#[test]
fn a_condition_that_others_use_is_negated() {
    let module = changed(
        "func %f: %void (%a: %u32, %b: %u32) stage structured {
         block ^entry:
           %c: %bool = u_less_than %a, %b
           if %c ^m ^else merge ^m
         block ^else:
           RECORD %one
           branch ^m
         block ^m:
           %s: %u32 = select %c, %one, %two
           RECORD %s
           return
         }",
        invert_empty_arms,
    );
    assert_eq!((count(&module, Op::ULessThan), count(&module, Op::LogicalNot)), (1, 1));
}

#[test]
fn a_negation_is_taken_away() {
    let module = changed(
        "func %f: %void (%a: %bool) stage structured {
         block ^entry:
           %c: %bool = logical_not %a
           if %c ^m ^else merge ^m
         block ^else:
           RECORD %one
           branch ^m
         block ^m:
           return
         }",
        invert_empty_arms,
    );
    assert_eq!(count(&module, Op::LogicalNot), 0);
}

#[test]
fn two_empty_arms_and_an_empty_else_stay() {
    for arms in ["^then ^m", "^e1 ^e2"] {
        let body = format!(
            "func %f: %void (%c: %bool) stage structured {{
             block ^entry:
               if %c {arms} merge ^m
             {}
             block ^m:
               return
             }}",
            match arms {
                "^then ^m" => "block ^then:\nRECORD %one\nbranch ^m",
                _ => "edge ^e1:\nbranch ^m\nedge ^e2:\nbranch ^m",
            }
        );
        hold_unchanged(&body, invert_empty_arms);
    }
}

/// A selection of which both arms compute something.
fn diamond(head: &str, then: &str, otherwise: &str, ty: &str) -> String {
    format!(
        "{head}
         func %f: %void (%c: %bool, %a: %u32, %b: %u32, %x: %f32, %y: %v2) stage structured {{
         block ^entry:
           %var: %local = variable Function, %three
           RECORD %zero
           if %c ^then ^else merge ^m
         block ^then:
           {then}
         block ^else:
           {otherwise}
         block ^m(%p: {ty}):
           RECORD %one
           %used: {ty} = copy_object %p
           return
         }}"
    )
}

#[test]
fn small_arms_become_a_select() {
    let body = diamond(
        "",
        "%s: %u32 = i_add %a, %b
         branch ^m(%s)",
        "%t: %u32 = i_sub %a, %b
         branch ^m(%t)",
        "%u32",
    );
    let module = changed(&body, if_conversion);
    assert_eq!((count(&module, Op::Select), count(&module, Op::If), blocks(&module)), (1, 0, 1));
}

#[test]
fn loads_of_own_variables_and_no_others_are_speculated() {
    // opt_load_ubo_speculate and opt_load_ubo_no_speculate
    let with = |load: &str| {
        diamond(
            "%storage = type_pointer Workgroup, %u32
             %shared: %storage = variable Workgroup
             %index: %u32 = constant 4
             %array = type_array %u32, %index
             %arrays = type_pointer Private, %array
             %parts = type_pointer Private, %u32
             %own: %arrays = variable Private
             %far: %u32 = constant 9",
            &format!("{load}\nbranch ^m(%s)"),
            "branch ^m(%b)",
            "%u32",
        )
    };
    for load in [
        "%s: %u32 = load %var",
        "%at: %parts = access_chain %own, %three
         %s0: %u32 = load %at
         %s: %u32 = copy_object %b",
    ] {
        assert_eq!(count(&changed(&with(load), if_conversion), Op::If), 0);
    }
    for load in [
        "%s: %u32 = load %var, 1",
        "%s: %u32 = load %shared",
        "%at: %parts = access_chain %own, %a
         %s: %u32 = load %at",
        "%at: %parts = access_chain %own, %far
         %s: %u32 = load %at",
    ] {
        let before = structured_branches_support::module(&with(load));
        let mut module = before.clone();
        let function = function(&module);
        assert!(!if_conversion(&mut module, function).unwrap(), "{load}");
    }
}

#[test]
fn what_may_trap_or_is_tangled_or_writes_stays() {
    for inside in [
        "%s: %u32 = u_div %a, %b",
        "%s: %u32 = u_mod %a, %b",
        "%k: %v4 = group_non_uniform_ballot %three, %true
         %s: %u32 = composite_extract %k, 0",
        "store %var, %a
         %s: %u32 = i_add %a, %b",
        "%q: %f32 = d_pdx %x
         %s: %u32 = i_add %a, %b",
        "%q: %f32 = vector_extract_dynamic %y, %a
         %s: %u32 = i_add %a, %b",
    ] {
        let body = diamond("", &format!("{inside}\nbranch ^m(%s)"), "branch ^m(%b)", "%u32");
        let mut module = structured_branches_support::module(&body);
        let function = function(&module);
        assert!(!if_conversion(&mut module, function).unwrap(), "{inside}");
    }
}

/// Nine additions: one more than the limit.
fn long_chain() -> String {
    let mut lines = String::from("%s0: %u32 = i_add %a, %b\n");
    for number in 1..9 {
        lines += &format!("%s{number}: %u32 = i_mul %s{}, %b\n", number - 1);
    }
    lines + "branch ^m(%s8)"
}

#[test]
fn the_price_decides_and_the_source_has_a_say() {
    let body = diamond("", &long_chain(), "branch ^m(%b)", "%u32");
    hold_unchanged(&body, if_conversion);
    let flatten = body.replace("merge ^m", "merge ^m control 1");
    assert_eq!(count(&changed(&flatten, if_conversion), Op::If), 0);
    let small = diamond("", "branch ^m(%a)", "branch ^m(%b)", "%u32");
    hold_unchanged(&small.replace("merge ^m", "merge ^m control 2"), if_conversion);
    assert_eq!(count(&changed(&small, if_conversion), Op::If), 0);
    let mut module = structured_branches_support::module(&body);
    let function = function(&module);
    assert!(if_conversion_within(&mut module, function, SelectLimits { plain: 10, flatten: 0 }).unwrap());
}

#[test]
fn composites_are_selected_where_the_version_allows() {
    let body = |head: &str| {
        diamond(
            head,
            "%s: %v2 = f_add %y, %y
             branch ^m(%s)",
            "branch ^m(%y)",
            "%v2",
        )
    };
    let old = changed(&body(""), if_conversion);
    assert_eq!((count(&old, Op::Select), count(&old, Op::CompositeConstruct)), (1, 1));
    let new = changed(&body("spirv_header 0x00010400, 0, 0"), if_conversion);
    assert_eq!((count(&new, Op::Select), count(&new, Op::CompositeConstruct)), (1, 0));
    let pair = |head: &str| {
        diamond(
            &format!("%pair = type_struct %u32, %u32\n{head}"),
            "%s: %pair = composite_construct %a, %b
             branch ^m(%s)",
            "%t: %pair = composite_construct %b, %a
             branch ^m(%t)",
            "%pair",
        )
    };
    hold_unchanged(&pair(""), if_conversion);
    assert_eq!(count(&changed(&pair("spirv_header 0x00010400, 0, 0"), if_conversion), Op::Select), 1);
}

#[test]
fn true_and_false_are_the_condition() {
    let body = diamond("", "branch ^m(%true)", "branch ^m(%false)", "%bool");
    let module = changed(&body, if_conversion);
    assert_eq!((count(&module, Op::Select), count(&module, Op::If)), (0, 0));
}

#[test]
fn inner_selections_first() {
    let body = diamond(
        "",
        "%d: %bool = u_less_than %a, %b
         if %d ^t2 ^e2 merge ^m2
         block ^t2:
           branch ^m2(%a)
         block ^e2:
           branch ^m2(%b)
         block ^m2(%p2: %u32):
           %s: %u32 = i_add %p2, %one
           branch ^m(%s)",
        "branch ^m(%b)",
        "%u32",
    );
    let module = changed(&body, if_conversion);
    assert_eq!((count(&module, Op::Select), blocks(&module)), (2, 1));
}

#[test]
fn promises_about_overflow_are_not_kept_where_they_need_not_hold() {
    let body = diamond(
        "",
        "%s: %u32 = i_add %a, %b {decorate NoUnsignedWrap, decorate RelaxedPrecision}
         branch ^m(%s)",
        "branch ^m(%b)",
        "%u32",
    );
    let module = changed(&body, if_conversion);
    assert_eq!(module.decorations(find(&module, Op::IAdd)).len(), 2, "the name and the precision");
}

/// A loop whose body ends in a selection with these arms.
fn looped(then: &str, otherwise: &str, done: &str) -> String {
    format!(
        "func %f: %u32 (%n: %u32, %c: %bool) stage structured {{
         block ^entry:
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           %i1: %u32 = i_add %i, %one
           %last: %bool = u_greater_than %i1, %three
           branch_if %last ^exit ^body
         edge ^exit:
           branch ^done{}
         block ^body:
           RECORD %i
           %d: %bool = i_equal %i, %n
           if %d ^then ^else merge ^m
         block ^then:
           RECORD %one
           {then}
         block ^else:
           RECORD %two
           {otherwise}
         block ^m:
           unreachable
         block ^next:
           RECORD %ten
           branch ^h(%i1)
         block ^done{done}:
           RECORD %three
           return_value %zero
         }}",
        if done.is_empty() { "" } else { "(%zero)" }
    )
}

#[test]
fn equal_breaks_continues_and_returns_become_one() {
    for (jump, left) in [("branch ^done", 2), ("branch ^next", 1), ("return_value %n", 1), ("kill", 1)] {
        let module = changed(&looped(jump, jump, ""), join_equal_jumps);
        let op = match jump.split(' ').next().unwrap() {
            "branch" => Op::Branch,
            "return_value" => Op::ReturnValue,
            _ => Op::Kill,
        };
        let merged: Vec<_> =
            module.blocks(function(&module)).filter(|&block| module.in_edges(block).count() == 2).collect();
        assert!(!merged.is_empty() && count(&module, op) >= left, "{jump}");
        assert_eq!(count(&module, Op::Unreachable), 0);
    }
}

#[test]
fn different_arguments_become_parameters() {
    let module = changed(&looped("branch ^done(%n)", "branch ^done(%i)", "(%r: %u32)"), join_equal_jumps);
    let done = find(&module, Op::Loop);
    let done = module.merge_block(module.cast(done).unwrap()).unwrap();
    assert_eq!(module.in_edges(done).count(), 2, "the exit at the top and one jump");
    let module = changed(&looped("return_value %n", "return_value %i", ""), join_equal_jumps);
    assert_eq!(count(&module, Op::ReturnValue), 2);
}

#[test]
fn different_jumps_stay() {
    for (then, otherwise) in
        [("branch ^done", "branch ^next"), ("return_value %n", "branch ^next"), ("kill", "branch ^next")]
    {
        hold_unchanged(&looped(then, otherwise, ""), join_equal_jumps);
    }
}

#[test]
fn jumps_of_nested_selections_become_one() {
    let inner = "if %c ^t2 ^e2 merge ^m2
         block ^t2:
           RECORD %three
           branch ^next
         block ^e2:
           branch ^next
         block ^m2:
           unreachable";
    let module = changed(&looped(inner, "branch ^next", ""), join_equal_jumps);
    let continued = find(&module, Op::Loop);
    let continued = module.continue_block(module.cast(continued).unwrap()).unwrap();
    assert_eq!(module.in_edges(continued).count(), 1);
}

#[test]
fn a_conditional_exit_both_ways_of_which_leave_alike_is_a_jump() {
    let body = "func %f: %void (%c: %bool) stage structured {
         block ^entry:
           loop ^h break ^done continue ^next
         block ^h:
           RECORD %one
           branch_if %c ^e1 ^e2
         edge ^e1:
           branch ^done
         edge ^e2:
           branch ^done
         block ^next:
           branch ^h
         block ^done:
           RECORD %two
           return
         }";
    let module = changed(body, join_equal_jumps);
    assert_eq!(count(&module, Op::BranchIf), 0);
}

#[test]
fn an_arm_that_ends_in_an_exit_which_becomes_a_jump_joins_at_once() {
    let module = changed(
        "func %f: %void (%a: %bool, %b: %bool) stage structured {
         block ^entry:
           structured_switch %zero default ^only merge ^done
         block ^only:
           if %a ^then ^else merge ^m
         block ^then:
           RECORD %one
           branch_if %b ^e1 ^e2
         edge ^e1:
           branch ^done
         block ^e2:
           branch ^done
         block ^else:
           RECORD %two
           branch ^done
         block ^m:
           unreachable
         block ^done:
           RECORD %three
           return
         }",
        join_equal_jumps,
    );
    assert_eq!((count(&module, Op::BranchIf), count(&module, Op::Unreachable)), (0, 0));
}
