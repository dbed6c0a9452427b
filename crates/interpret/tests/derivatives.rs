//! Derivatives: how values change in quads.

use crate::lanes_common;
use crate::lanes_common::{Program, flags, floats, lanes, vector};
use reconverge_interpret::{End, Launch, Value};

fn program(op: &str) -> Program {
    Program::of("", ("%x: %f32", "%f32"), &format!("  %result: %f32 = {op} %x"))
}

/// Two quads: 1 2 / 5 9 and 10 10 / 30 -30.
const VALUES: [f32; 8] = [1.0, 2.0, 5.0, 9.0, 10.0, 10.0, 30.0, -30.0];

fn run(op: &str) -> Vec<Value> {
    program(op).values(&lanes(vec![floats(&VALUES)]))
}

#[test]
fn fine_derivatives_are_those_of_the_own_row_and_column() {
    for op in ["d_pdx", "d_pdx_fine"] {
        assert_eq!(run(op), floats(&[1.0, 1.0, 4.0, 4.0, 0.0, 0.0, -60.0, -60.0]), "{op}");
    }
    for op in ["d_pdy", "d_pdy_fine"] {
        assert_eq!(run(op), floats(&[4.0, 7.0, 4.0, 7.0, 20.0, -40.0, 20.0, -40.0]), "{op}");
    }
    for op in ["fwidth", "fwidth_fine"] {
        assert_eq!(run(op), floats(&[5.0, 8.0, 8.0, 11.0, 20.0, 40.0, 80.0, 100.0]), "{op}");
    }
}

#[test]
fn coarse_derivatives_are_the_same_in_the_whole_quad() {
    assert_eq!(run("d_pdx_coarse"), floats(&[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]));
    assert_eq!(run("d_pdy_coarse"), floats(&[4.0, 4.0, 4.0, 4.0, 20.0, 20.0, 20.0, 20.0]));
    assert_eq!(run("fwidth_coarse"), floats(&[5.0, 5.0, 5.0, 5.0, 20.0, 20.0, 20.0, 20.0]));
}

#[test]
fn a_quad_that_is_not_complete_has_none() {
    for op in ["d_pdx", "d_pdy_fine", "fwidth", "d_pdx_coarse", "fwidth_coarse"] {
        let body = format!("  %result: %f32 = {op} %x");
        let program = Program::of_some("", ("%x: %f32", "%f32"), &body);
        let whole = run(op);
        for gone in 0..8 {
            let there: Vec<bool> = (0..8).map(|lane| lane != gone).collect();
            let found = program.values(&lanes(vec![flags(&there), floats(&VALUES)]));
            let expected: Vec<Value> =
                (0..8).map(|lane| if lane / 4 == gone / 4 { Value::Undefined } else { whole[lane].clone() }).collect();
            assert_eq!(found, expected, "{op} without lane {gone}");
        }
    }
}

#[test]
fn quads_end_with_their_subgroup() {
    let six = program("d_pdx").values(&lanes(vec![floats(&VALUES[..6])]));
    assert_eq!(six[3], Value::f32(4.0));
    assert_eq!(six[4..], [Value::Undefined, Value::Undefined]);
    // Subgroups of six: the lanes 6 and 7 begin another quad.
    let apart = program("d_pdx").values(&lanes(vec![floats(&VALUES)]).with_subgroups(6));
    assert_eq!(apart[4..], vec![Value::Undefined; 4]);
    assert_eq!(program("d_pdx").values(&lanes(vec![floats(&VALUES[..1])])), [Value::Undefined]);
}

#[test]
fn vectors_change_component_by_component() {
    let program = Program::of("", ("%x: %f32x2", "%f32x2"), "  %result: %f32x2 = d_pdx %x");
    let values = vec![
        vector(&[1.0, -4.0]),
        vector(&[1.5, 4.0]),
        Value::composite(vec![Value::f32(3.0), Value::Undefined]),
        vector(&[0.0, 1.0]),
    ];
    let partly = Value::composite(vec![Value::f32(-3.0), Value::Undefined]);
    assert_eq!(
        program.values(&lanes(vec![values])),
        [vector(&[0.5, 8.0]), vector(&[0.5, 8.0]), partly.clone(), partly]
    );
}

#[test]
fn differences_are_rounded_to_the_width_of_the_type() {
    let program = Program::of("%f16 = type_float 16", ("%x: %f16", "%f16"), "  %result: %f16 = d_pdy %x");
    // 2048 and 2049 are apart by one, but 2049 is no half; it becomes 2048.
    let half = |value| Value::float(16, value);
    let found = program.values(&lanes(vec![vec![half(1.0), half(0.1), half(2048.0), half(2050.0)]]));
    assert_eq!(found, [2047.0, 2049.9, 2047.0, 2049.9].map(half));
}

#[test]
fn the_place_of_a_pixel_changes_by_one() {
    let globals = "%pointer = type_pointer Input, %f32x4\n%place: %pointer = variable Input {decorate BuiltIn 15}";
    let body = "  %p: %f32x4 = load %place
  %x: %f32x4 = d_pdx %p
  %y: %f32x4 = d_pdy %p
  %result: %f32x4 = f_add %x, %y";
    let found = Program::of(globals, ("", "%f32x4"), body).values(&Launch::default().with_lanes(12));
    assert_eq!(found, vec![vector(&[1.0, 1.0, 0.0, 0.0]); 12]);
}

#[test]
fn lanes_in_a_bare_graph_meet_for_a_derivative() {
    let program = Program::new(
        "
func %f: %f32 (%x: %f32) stage graph {
block ^entry:
  %more: %bool = f_ord_less_than %f0, %x
  branch_if %more ^first ^second
block ^first:
  branch ^join
block ^second:
  branch ^join
block ^join:
  %result: %f32 = d_pdx %x
  return_value %result
}
",
    );
    let found = program.values(&lanes(vec![floats(&[-1.0, 1.0, 4.0, -4.0])]));
    assert_eq!(found, floats(&[2.0, 2.0, -8.0, -8.0]));
}

#[test]
fn an_operand_that_is_no_float_is_no_program() {
    let program = Program::of("", ("%x: %u32", "%u32"), "  %result: %u32 = d_pdx %x");
    let outcome = program.run(&lanes(vec![lanes_common::words(&[1, 2, 3, 4])]));
    assert!(outcome.lanes.iter().all(|lane| matches!(lane.end, End::Malformed { .. })));
}
