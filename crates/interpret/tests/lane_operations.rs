//! Operations across those lanes of a subgroup that execute them together, against what each is by definition; built-in variables.

use crate::lanes_common;
use crate::lanes_common::{Program, Random, flags, lanes, vector, word_vector, words};
use reconverge_interpret::{End, Launch, UndefinedBehaviour, Value};

const LANES: usize = 13;

/// Lanes of a subgroup that execute an operation together: number in the subgroup, and the two operands.
type Members<'a> = &'a [(u32, u32, u32)];

/// Each operation on `%x` and `%y` with its definition: what a member gets from the members, in a subgroup of that size.
type Definition = fn(Members<'_>, usize, u32) -> Option<u32>;

fn value_of(members: Members<'_>, number: u32) -> Option<u32> {
    members.iter().find(|member| member.0 == number).map(|member| member.1)
}

fn ballot(members: Members<'_>) -> u32 {
    members.iter().filter(|member| member.1 & 1 == 1).map(|member| 1 << member.0).sum()
}

fn fold(members: Members<'_>, keep: impl Fn(u32) -> bool, combine: fn(u32, u32) -> u32, first: u32) -> Option<u32> {
    Some(members.iter().filter(|member| keep(member.0)).map(|member| member.1).fold(first, combine))
}

fn truth(value: bool) -> Option<u32> {
    Some(u32::from(value))
}

/// Runs an operation in random sets of lanes and compares each result with the definition.
fn check(body: &str, definition: Definition) {
    let program = Program::of_some("", ("%x: %u32, %y: %u32", "%u32"), body);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..24 {
        let subgroup_size = [4, 8, 5, 13, 1, 32][round % 6];
        let there: Vec<bool> = (0..LANES).map(|_| round < 6 || !random.word().is_multiple_of(3)).collect();
        let x: Vec<u32> =
            (0..LANES).map(|_| if round % 4 == 3 { 9 } else { random.word() >> (random.word() % 32) }).collect();
        let y: Vec<u32> = (0..LANES).map(|_| random.word() % 9).collect();
        let launch = lanes(vec![flags(&there), words(&x), words(&y)]).with_subgroups(subgroup_size);
        for (lane, found) in program.values(&launch).into_iter().enumerate() {
            let group = lane / subgroup_size * subgroup_size..((lane / subgroup_size + 1) * subgroup_size).min(LANES);
            let first = group.start;
            let present = group.filter(|&other| there[other]);
            let members: Vec<(u32, u32, u32)> =
                present.map(|other| ((other - first) as u32, x[other], y[other])).collect();
            let own = members.iter().position(|member| member.0 as usize == lane - first);
            let expected = own.and_then(|own| definition(&members, own, subgroup_size as u32));
            let expected = expected.map_or(Value::Undefined, Value::u32);
            assert_eq!(
                found, expected,
                "{body}\nround {round}, lane {lane}, members {members:?}, size {subgroup_size}"
            );
        }
    }
}

fn number(op: &str) -> String {
    format!("  %result: %u32 = {op}")
}

/// An operation that gives a boolean, on `%odd`.
fn boolean(op: &str) -> String {
    format!(
        "  %low: %u32 = bitwise_and %x, %c1
  %odd: %bool = i_equal %low, %c1
  %b: %bool = {op}
  %result: %u32 = select %b, %c1, %c0"
    )
}

/// An operation on a ballot of the odd lanes.
fn on_ballot(op: &str) -> String {
    format!(
        "  %low: %u32 = bitwise_and %x, %c1
  %odd: %bool = i_equal %low, %c1
  %votes: %u32x4 = group_non_uniform_ballot %c3, %odd
  {op}"
    )
}

#[test]
fn votes_and_elections() {
    check(&boolean("group_non_uniform_elect %c3"), |_, own, _| truth(own == 0));
    for op in ["group_non_uniform_all %c3, %odd", "subgroup_all_khr %odd"] {
        check(&boolean(op), |members, _, _| truth(members.iter().all(|member| member.1 & 1 == 1)));
    }
    for op in ["group_non_uniform_any %c3, %odd", "subgroup_any_khr %odd"] {
        check(&boolean(op), |members, _, _| truth(members.iter().any(|member| member.1 & 1 == 1)));
    }
    check(&boolean("subgroup_all_equal_khr %odd"), |members, _, _| {
        truth(members.iter().all(|member| member.1 & 1 == members[0].1 & 1))
    });
    check(&boolean("group_non_uniform_all_equal %c3, %x"), |members, _, _| {
        truth(members.iter().all(|member| member.1 == members[0].1))
    });
}

#[test]
fn ballots_have_the_bits_of_those_who_are_there() {
    for op in ["group_non_uniform_ballot %c3, %odd", "subgroup_ballot_khr %odd"] {
        let body = on_ballot(&format!("%v: %u32x4 = {op}\n  %result: %u32 = composite_extract %v, 0"));
        check(&body, |members, _, _| Some(ballot(members)));
    }
    let on = |op: &str| on_ballot(&format!("%result: %u32 = group_non_uniform_ballot_{op}"));
    check(&on("bit_count %c3, Reduce, %votes"), |members, _, _| Some(ballot(members).count_ones()));
    check(&on("bit_count %c3, InclusiveScan, %votes"), |members, own, _| {
        Some((ballot(members) & ((2 << members[own].0) - 1)).count_ones())
    });
    check(&on("bit_count %c3, ExclusiveScan, %votes"), |members, own, _| {
        Some((ballot(members) & ((1 << members[own].0) - 1)).count_ones())
    });
    check(&on("find_lsb %c3, %votes"), |members, _, _| {
        let bits = ballot(members);
        (bits != 0).then(|| bits.trailing_zeros())
    });
    check(&on("find_msb %c3, %votes"), |members, _, _| {
        let bits = ballot(members);
        (bits != 0).then(|| 31 - bits.leading_zeros())
    });
    let select = "\n  %result: %u32 = select %b, %c1, %c0";
    check(
        &on_ballot(&format!("%b: %bool = group_non_uniform_inverse_ballot %c3, %votes{select}")),
        |members, own, _| Some(members[own].1 & 1),
    );
    check(
        &on_ballot(&format!("%b: %bool = group_non_uniform_ballot_bit_extract %c3, %votes, %y{select}")),
        |members, own, size| (members[own].2 < size).then(|| ballot(members) >> members[own].2 & 1),
    );
}

#[test]
fn a_lane_that_is_asked_and_not_there_gives_nothing() {
    check(&number("group_non_uniform_broadcast_first %c3, %x"), |members, _, _| Some(members[0].1));
    check(&number("subgroup_first_invocation_khr %x"), |members, _, _| Some(members[0].1));
    check(&number("group_non_uniform_broadcast %c3, %x, %c2"), |members, _, _| value_of(members, 2));
    check(&number("subgroup_read_invocation_khr %x, %c3"), |members, _, _| value_of(members, 3));
    check(&number("group_non_uniform_shuffle %c3, %x, %y"), |members, own, _| value_of(members, members[own].2));
    check(&number("group_non_uniform_shuffle_xor %c3, %x, %y"), |members, own, _| {
        value_of(members, members[own].0 ^ members[own].2)
    });
    check(&number("group_non_uniform_shuffle_up %c3, %x, %y"), |members, own, _| {
        members[own].0.checked_sub(members[own].2).and_then(|number| value_of(members, number))
    });
    check(&number("group_non_uniform_shuffle_down %c3, %x, %y"), |members, own, _| {
        value_of(members, members[own].0 + members[own].2)
    });
    check(&number("group_non_uniform_rotate_khr %c3, %x, %c5"), |members, own, size| {
        value_of(members, (members[own].0 + 5) % size)
    });
    check(&number("group_non_uniform_rotate_khr %c3, %x, %c3, %c4"), |members, own, size| {
        let number = members[own].0;
        if size < 4 { None } else { value_of(members, number / 4 * 4 + (number + 3) % 4) }
    });
}

#[test]
fn quads() {
    check(&number("group_non_uniform_quad_broadcast %c3, %x, %c3"), |members, own, _| {
        value_of(members, members[own].0 / 4 * 4 + 3)
    });
    check(&number("group_non_uniform_quad_swap %c3, %x, %c0"), |members, own, _| value_of(members, members[own].0 ^ 1));
    check(&number("group_non_uniform_quad_swap %c3, %x, %c1"), |members, own, _| value_of(members, members[own].0 ^ 2));
    check(&number("group_non_uniform_quad_swap %c3, %x, %c2"), |members, own, _| value_of(members, members[own].0 ^ 3));
}

/// A reduction: its name, and each kind of it by definition.
macro_rules! reduction {
    ($name:literal, $combine:expr, $identity:expr) => {
        let op = |kind: &str| number(&format!("group_non_uniform_{} %c3, {kind}", $name));
        check(&op("Reduce, %x"), |members, _, _| fold(members, |_| true, $combine, $identity));
        check(&op("InclusiveScan, %x"), |members, own, _| {
            fold(members, |number| number <= members[own].0, $combine, $identity)
        });
        check(&op("ExclusiveScan, %x"), |members, own, _| {
            fold(members, |number| number < members[own].0, $combine, $identity)
        });
        check(&op("ClusteredReduce, %x, %c2"), |members, own, size| match size {
            1 => None,
            _ => fold(members, |number| number / 2 == members[own].0 / 2, $combine, $identity),
        });
        check(&op("ClusteredReduce, %x, %c8"), |members, own, size| match size {
            0..8 => None,
            _ => fold(members, |number| number / 8 == members[own].0 / 8, $combine, $identity),
        });
    };
}

#[test]
fn integer_reductions_scans_and_clusters() {
    reduction!("i_add", u32::wrapping_add, 0);
    reduction!("i_mul", u32::wrapping_mul, 1);
    reduction!("u_min", u32::min, u32::MAX);
    reduction!("u_max", u32::max, 0);
    reduction!("s_min", |a, b| (a as i32).min(b as i32) as u32, i32::MAX as u32);
    reduction!("s_max", |a, b| (a as i32).max(b as i32) as u32, i32::MIN as u32);
    reduction!("bitwise_and", |a, b| a & b, u32::MAX);
    reduction!("bitwise_or", |a, b| a | b, 0);
    reduction!("bitwise_xor", |a, b| a ^ b, 0);
}

#[test]
fn boolean_reductions() {
    let op = |name: &str, kind: &str| boolean(&format!("group_non_uniform_logical_{name} %c3, {kind}, %odd"));
    check(&op("and", "Reduce"), |members, _, _| truth(members.iter().all(|member| member.1 & 1 == 1)));
    check(&op("or", "ExclusiveScan"), |members, own, _| truth(members[..own].iter().any(|member| member.1 & 1 == 1)));
    check(&op("xor", "InclusiveScan"), |members, own, _| {
        Some(members[..=own].iter().map(|member| member.1).fold(0, |a, b| a ^ b) & 1)
    });
}

#[test]
fn a_number_that_is_none_loses_against_any_other() {
    let least = Program::of("", ("%x: %f32", "%f32"), "  %result: %f32 = group_non_uniform_f_min %c3, Reduce, %x");
    let floats = |values: [f32; 4]| lanes(vec![lanes_common::floats(&values)]);
    assert_eq!(least.values(&floats([4.0, f32::NAN, 2.5, 8.0])), vec![Value::f32(2.5); 4]);
    let sum =
        Program::of("", ("%x: %f32x2", "%f32x2"), "  %result: %f32x2 = group_non_uniform_f_add %c3, InclusiveScan, %x");
    let pairs = [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]].map(|pair| vector(&pair)).to_vec();
    let expected = [[1.0, 10.0], [3.0, 30.0], [6.0, 60.0]].map(|pair| vector(&pair)).to_vec();
    assert_eq!(sum.values(&lanes(vec![pairs])), expected);
    let equal = Program::of("", ("%x: %f32", "%bool"), "  %result: %bool = group_non_uniform_all_equal %c3, %x");
    assert_eq!(equal.values(&floats([f32::NAN; 4])), flags(&[false; 4]));
    assert_eq!(equal.values(&floats([0.0, -0.0, 0.0, -0.0])), flags(&[true; 4]));
}

#[test]
fn an_undefined_operand_makes_the_result_undefined_for_whom_it_reaches() {
    let program = |op: &str| Program::of("", ("%x: %u32", "%u32"), &number(op));
    let values = vec![Value::u32(1), Value::Undefined, Value::u32(4), Value::u32(8)];
    let got = |op: &str| program(op).values(&lanes(vec![values.clone()]));
    let known = |values: [Option<u32>; 4]| values.map(|value| value.map_or(Value::Undefined, Value::u32)).to_vec();
    assert_eq!(got("group_non_uniform_i_add %c3, InclusiveScan, %x"), known([Some(1), None, None, None]));
    assert_eq!(got("group_non_uniform_i_add %c3, ClusteredReduce, %x, %c2"), known([None, None, Some(12), Some(12)]));
    assert_eq!(got("group_non_uniform_quad_swap %c3, %x, %c1"), known([Some(4), Some(8), Some(1), None]));
}

#[test]
fn operands_that_must_be_the_same_in_all_lanes_are_checked() {
    let checked = [
        "%result: %u32 = group_non_uniform_broadcast %c3, %x, %y",
        "%result: %u32 = group_non_uniform_quad_broadcast %c3, %x, %y",
        "%result: %u32 = group_non_uniform_rotate_khr %c3, %x, %y",
        "%result: %u32 = subgroup_read_invocation_khr %x, %y",
        "%v: %u32x4 = composite_construct %y, %c0, %c0, %c0
  %b: %bool = group_non_uniform_inverse_ballot %c3, %v
  %result: %u32 = select %b, %c1, %c0",
    ];
    for body in checked {
        let program = Program::of("", ("%x: %u32, %y: %u32", "%u32"), body);
        let launch = |y: [u32; 4]| lanes(vec![words(&[5, 6, 7, 8]), words(&y)]);
        assert!(program.values(&launch([1; 4])).iter().all(|value| !value.is_undefined()), "{body}");
        for lane in program.run(&launch([0, 0, 0, 1])).lanes {
            let is_found = matches!(lane.end, End::Undefined { behaviour: UndefinedBehaviour::NotUniform, .. });
            assert!(is_found, "{body}: {}", lane.end);
        }
        // Each subgroup has its own.
        let apart = program.run(&launch([0, 0, 1, 1]).with_subgroups(2));
        assert!(apart.lanes.iter().all(|lane| matches!(lane.end, End::Returned(_))), "{body}");
    }
}

const BUILT_INS: [(&str, u32, &str); 16] = [
    ("num_workgroups", 24, "%u32x3"),
    ("workgroup_id", 26, "%u32x3"),
    ("local_id", 27, "%u32x3"),
    ("global_id", 28, "%u32x3"),
    ("local_index", 29, "%u32"),
    ("subgroup_size", 36, "%u32"),
    ("num_subgroups", 38, "%u32"),
    ("subgroup_id", 40, "%u32"),
    ("subgroup_lane", 41, "%u32"),
    ("eq_mask", 4416, "%u32x4"),
    ("ge_mask", 4417, "%u32x4"),
    ("gt_mask", 4418, "%u32x4"),
    ("le_mask", 4419, "%u32x4"),
    ("lt_mask", 4420, "%u32x4"),
    ("frag_coord", 15, "%f32x4"),
    ("vertex_index", 42, "%u32"),
];

/// What each lane reads from a built-in variable.
fn built_in(name: &str, launch: &Launch, more: &str) -> Vec<Value> {
    let &(_, number, ty) = BUILT_INS.iter().find(|row| row.0 == name).expect("a row");
    let globals = format!(
        "%pointer = type_pointer Input, {ty}\n%variable: %pointer = variable Input {{decorate BuiltIn {number}}}\n{more}"
    );
    Program::of(&globals, ("", ty), &format!("  %result: {ty} = load %variable")).values(launch)
}

#[test]
fn lanes_know_their_numbers() {
    let launch = Launch::default().with_lanes(10).with_subgroups(4);
    let each = |of: &dyn Fn(u32) -> Value| (0..10).map(of).collect::<Vec<Value>>();
    let got = |name: &str| built_in(name, &launch, "");
    assert_eq!(got("num_workgroups"), each(&|_| word_vector(&[1; 3])));
    assert_eq!(got("workgroup_id"), each(&|_| word_vector(&[0; 3])));
    for name in ["local_id", "global_id"] {
        assert_eq!(got(name), each(&|lane| word_vector(&[lane, 0, 0])));
    }
    for name in ["local_index", "vertex_index"] {
        assert_eq!(got(name), each(&Value::u32));
    }
    assert_eq!(got("subgroup_size"), each(&|_| Value::u32(4)));
    assert_eq!(got("num_subgroups"), each(&|_| Value::u32(3)));
    assert_eq!(got("subgroup_id"), each(&|lane| Value::u32(lane / 4)));
    assert_eq!(got("subgroup_lane"), each(&|lane| Value::u32(lane % 4)));
    let mask = |of: fn(u32, u32) -> bool| {
        each(&move |lane| {
            // The last subgroup has two lanes.
            let count = if lane < 8 { 4 } else { 2 };
            let bits = (0..count).filter(|&other| of(other, lane % 4)).map(|other| 1 << other).sum();
            word_vector(&[bits, 0, 0, 0])
        })
    };
    assert_eq!(got("eq_mask"), mask(|other, own| other == own));
    assert_eq!(got("ge_mask"), mask(|other, own| other >= own));
    assert_eq!(got("gt_mask"), mask(|other, own| other > own));
    assert_eq!(got("le_mask"), mask(|other, own| other <= own));
    assert_eq!(got("lt_mask"), mask(|other, own| other < own));
}

#[test]
fn pixels_of_quads_lie_next_to_each_other() {
    let launch = Launch::default().with_lanes(8);
    let places = [[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [3, 0], [2, 1], [3, 1]];
    let expected = places.map(|[x, y]| vector(&[x as f32 + 0.5, y as f32 + 0.5, 0.0, 1.0]));
    assert_eq!(built_in("frag_coord", &launch, ""), expected);
}

#[test]
fn lanes_fill_the_work_group_that_the_function_requires() {
    let mode = "execution_mode %f, LocalSize, 2, 3, 1\n";
    let got = built_in("local_id", &Launch::default().with_lanes(5), mode);
    assert_eq!(got, [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]].map(|[x, y]| word_vector(&[x, y, 0])));
    let more = built_in("local_id", &Launch::default().with_lanes(7), mode);
    assert_eq!(more[6], word_vector(&[6, 0, 0]));
}

#[test]
fn what_the_launch_says_of_a_built_in_goes_first() {
    let globals = "%pointer = type_pointer Input, %u32\n%variable: %pointer = variable Input {decorate BuiltIn 41}\n";
    let program = Program::of(globals, ("", "%u32"), "  %result: %u32 = load %variable");
    let contents = vec![program.contents("variable", Value::u32(77))];
    let launch = Launch { contents, ..Launch::default().with_lanes(2) };
    assert_eq!(program.values(&launch), words(&[77, 77]));
}

#[test]
fn many_lanes_are_one_subgroup_and_have_no_bits_beyond_the_last() {
    let launch = Launch::default().with_lanes(200);
    assert_eq!(built_in("subgroup_lane", &launch, "")[199], Value::u32(199));
    assert_eq!(built_in("eq_mask", &launch, "")[199], word_vector(&[0; 4]));
    assert_eq!(built_in("eq_mask", &launch, "")[127], word_vector(&[0, 0, 0, 1 << 31]));
}
