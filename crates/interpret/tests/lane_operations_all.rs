//! That every operation of the op table that lanes execute together is known, with and without all lanes there.

use crate::lanes_common::{Program, flags, floats, lanes, words};
use reconverge_interpret::{End, Launch};
use reconverge_ir::{Class, Op};

/// The type and the operands of an operation; `None` for those of kernels that copy, which have tests of their own.
fn call(op: Op) -> Option<(&'static str, &'static str)> {
    let name = op.name().trim_start_matches("group_non_uniform_").trim_start_matches("group_");
    Some(match name {
        "async_copy" | "wait_events" => return None,
        _ if op.class() == Class::Derivative => ("%f32", "%y"),
        "subgroup_ballot_khr" => ("%u32x4", "%b"),
        "subgroup_first_invocation_khr" => ("%u32", "%x"),
        "subgroup_all_khr" | "subgroup_any_khr" | "subgroup_all_equal_khr" => ("%bool", "%b"),
        "subgroup_read_invocation_khr" => ("%u32", "%x, %c0"),
        "elect" => ("%bool", "%c3"),
        "all" | "any" | "all_equal" => ("%bool", "%c3, %b"),
        "ballot" => ("%u32x4", "%c3, %b"),
        "inverse_ballot" => ("%bool", "%c3, %mask"),
        "ballot_bit_extract" => ("%bool", "%c3, %mask, %c1"),
        "ballot_bit_count" => ("%u32", "%c3, Reduce, %mask"),
        "ballot_find_lsb" | "ballot_find_msb" => ("%u32", "%c3, %mask"),
        "broadcast_first" => ("%u32", "%c3, %x"),
        _ if name.starts_with("logical_") => ("%bool", "%c3, Reduce, %b"),
        _ if name.starts_with("f_") => ("%f32", "%c3, Reduce, %y"),
        _ if name.contains("broadcast") || name.starts_with("shuffle") => ("%u32", "%c3, %x, %c0"),
        "quad_swap" | "rotate_khr" => ("%u32", "%c3, %x, %c1"),
        _ => ("%u32", "%c3, Reduce, %x"),
    })
}

#[test]
fn every_operation_of_the_table_is_known() {
    let mut known = 0;
    for &op in Op::ALL.iter().filter(|op| matches!(op.class(), Class::Group | Class::Derivative)) {
        let Some((ty, operands)) = call(op) else { continue };
        let globals = "%mask: %u32x4 = constant_composite %c5, %c0, %c0, %c0";
        let body = format!("  %result: {ty} = {} {operands}", op.name());
        let program = Program::of_some(globals, ("%x: %u32, %y: %f32, %b: %bool", ty), &body);
        // The operations of a group need all of its lanes.
        let is_whole = op < Op::GroupNonUniformElect && op.class() == Class::Group;
        let sets = [[true; 8], [true, true, true, true, false, true, false, true]];
        for there in &sets[..if is_whole { 1 } else { 2 }] {
            let x = [1, 2, 3, 4, 5, 6, 7, 8];
            let launch = lanes(vec![flags(there), words(&x), floats(&x.map(|x| x as f32)), flags(&[true; 8])]);
            for lane in program.run(&Launch { subgroup_size: Some(8), ..launch }).lanes {
                let end = lane.end;
                assert!(matches!(end, End::Returned(Some(_))), "{}: {end}", op.name());
            }
        }
        known += 1;
    }
    assert!(known > 60, "{known}");
}
