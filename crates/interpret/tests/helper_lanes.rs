//! Helper lanes: they run along and change nothing that others see.

use crate::lanes_common;
use crate::lanes_common::{Program, flags, floats, lanes, vector, words};
use reconverge_interpret::{Argument, Launch, Value};

const GLOBALS: &str = "%array = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %array {decorate Block, member_decorate 0 Offset 0}
%block_pointer = type_pointer StorageBuffer, %block
%word_pointer = type_pointer StorageBuffer, %u32
%buffer: %block_pointer = variable StorageBuffer
%private_pointer = type_pointer Private, %u32
%private: %private_pointer = variable Private
%float_pointer = type_pointer StorageBuffer, %f32
%floats: %float_pointer = variable StorageBuffer
%flag_pointer = type_pointer Input, %bool
%is_helper: %flag_pointer = variable Input {decorate BuiltIn 23}
";

/// A launch of four lanes that know their number as `%i`; the buffer holds four times 9.
fn launch(program: &Program, demoted: &[usize]) -> Launch {
    let nines = Value::composite(vec![Value::composite(words(&[9; 4]))]);
    Launch {
        demoted: demoted.to_vec(),
        contents: vec![program.contents("buffer", nines), program.contents("floats", Value::f32(9.0))],
        observed: vec![program.global("buffer"), program.global("floats")],
        ..lanes(vec![words(&[0, 1, 2, 3])])
    }
}

fn buffer(program: &Program, launch: &Launch) -> Value {
    let outcome = program.run(launch);
    outcome.variable(program.global("buffer"), 0).expect("it is observed").elements().expect("a struct")[0].clone()
}

#[test]
fn what_a_helper_stores_is_lost_but_its_own_memory_is_its_own() {
    let body = "  %at: %word_pointer = access_chain %buffer, %c0, %i
  %old: %u32 = load %at
  store %private, %i
  store %at, %i
  copy_memory %at, %private
  %own: %u32 = load %private
  %result: %u32 = i_add %old, %own";
    let program = Program::of(GLOBALS, ("%i: %u32", "%u32"), body);
    let launch = launch(&program, &[1, 2]);
    assert_eq!(buffer(&program, &launch), Value::composite(words(&[0, 9, 9, 3])));
    assert_eq!(program.values(&launch), words(&[9, 10, 11, 12]));
}

#[test]
fn an_atomic_operation_of_a_helper_does_nothing_and_gives_nothing() {
    let body = "  %at: %word_pointer = access_chain %buffer, %c0, %c2
  %result: %u32 = atomic_i_add %at, %c1, %c0, %c1
  %other: %word_pointer = access_chain %buffer, %c0, %i
  %swapped: %u32 = atomic_compare_exchange %other, %c1, %c0, %c0, %c5, %result
  %last: %word_pointer = access_chain %buffer, %c0, %c3
  atomic_store %last, %c1, %c0, %i";
    let program = Program::of(GLOBALS, ("%i: %u32", "%u32"), body);
    let launch = launch(&program, &[0, 3]);
    let mut values = program.values(&launch);
    values.sort_by_key(Value::as_u32);
    assert_eq!(values, [Value::Undefined, Value::Undefined, Value::u32(9), Value::u32(10)]);
    let found = buffer(&program, &launch);
    assert_eq!(found.elements().unwrap()[0], Value::u32(9));
    assert!(found.elements().unwrap()[3].as_u32().is_some_and(|last| last == 1 || last == 2));
}

#[test]
fn a_second_result_of_a_helper_is_lost() {
    let glsl = format!("%glsl = ext_inst_import \"GLSL.std.450\"\n%half: %f32 = constant 1075838976\n{GLOBALS}");
    let body = "  %result: %f32 = ext_inst %glsl, 35, %half, %floats";
    let program = Program::of(&glsl, ("%i: %u32", "%f32"), body);
    for (demoted, expected) in [(vec![0, 1, 2, 3], 9.0), (vec![0, 1, 3], 2.0)] {
        let launch = launch(&program, &demoted);
        assert_eq!(program.values(&launch), floats(&[0.5; 4]));
        let outcome = program.run(&launch);
        assert_eq!(outcome.variable(program.global("floats"), 0), Some(&Value::f32(expected)));
    }
}

#[test]
fn demotion_takes_hold_from_there_on() {
    let program = Program::new(&format!(
        "{GLOBALS}
func %f: %u32x4 (%i: %u32) stage structured {{
block ^entry:
  %at: %word_pointer = access_chain %buffer, %c0, %i
  %before: %bool = is_helper_invocation_ext
  store %at, %c1
  %odd: %u32 = bitwise_and %i, %c1
  %leaves: %bool = i_equal %odd, %c1
  if %leaves ^then ^join merge ^join
block ^then:
  demote_to_helper_invocation
  branch ^join
block ^join:
  store %at, %c2
  %after: %bool = is_helper_invocation_ext
  %built_in: %bool = load %is_helper
  %ballot: %u32x4 = group_non_uniform_ballot %c3, %true
  %together: %u32 = composite_extract %ballot, 0
  %a: %u32 = select %before, %c1, %c0
  %b: %u32 = select %after, %c1, %c0
  %c: %u32 = select %built_in, %c1, %c0
  %result: %u32x4 = composite_construct %a, %b, %c, %together
  return_value %result
}}
"
    ));
    let launch = launch(&program, &[2]);
    assert_eq!(buffer(&program, &launch), Value::composite(words(&[2, 1, 9, 1])));
    let row = |before, after| lanes_common::word_vector(&[before, after, after, 15]);
    assert_eq!(program.values(&launch), [row(0, 0), row(0, 1), row(1, 1), row(0, 1)]);
}

#[test]
fn helpers_take_part_in_derivatives_and_group_operations() {
    let body = "  %d: %f32 = d_pdx %x
  %n: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  %s: %f32 = convert_u_to_f %n
  %result: %f32x2 = composite_construct %d, %s";
    let program = Program::of(GLOBALS, ("%i: %u32, %x: %f32", "%f32x2"), body);
    let mut launch = launch(&program, &[1, 2, 3]);
    launch.arguments.push(Argument::PerLane(floats(&[1.0, 3.0, 8.0, 4.0])));
    let expected = [2.0, 2.0, -4.0, -4.0].map(|change| vector(&[change, 4.0]));
    assert_eq!(program.values(&launch), expected);
}

#[test]
fn the_built_in_says_who_is_one_from_the_start() {
    let program = Program::of(GLOBALS, ("%i: %u32", "%bool"), "  %result: %bool = load %is_helper");
    assert_eq!(program.values(&launch(&program, &[3])), flags(&[false, false, false, true]));
}
