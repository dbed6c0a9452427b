//! Addresses of variables as constants, and what clang 22 writes about variables.

use crate::common::kernel::{Kernel, behaviour, bytes, group};
use reconverge_interpret::{KernelArgument, KernelLaunch, UndefinedBehaviour};

const VARIABLES: &str = "\
%c12: %u32 = constant 12
%n4: %u64 = constant words(4, 0)
%n8: %u64 = constant words(8, 0)
%array = type_array %u32, %c5
%local_array = type_pointer Workgroup, %array
%a: %local_array = variable Workgroup
%b: %local = variable Workgroup
%c: %local_array = variable Workgroup
%constant = type_pointer UniformConstant, %u32
%constant_array = type_pointer UniformConstant, %array
%constant8 = type_pointer UniformConstant, %u8
%words: %array = constant_composite %c1, %c100, %c7, %c16, %c3
%one: %constant = variable UniformConstant, %c5
%table: %constant_array = variable UniformConstant, %words
";

/// What a kernel stores that gets `%value: %u32` for each lane; `globals` stand behind [`VARIABLES`].
fn found(globals: &str, body: &str, lanes: u32) -> Vec<u32> {
    let store = "  %place: %global = ptr_access_chain %out, %id\n  store %place, %value\n  return";
    let kernel = Kernel::with(&format!("{VARIABLES}{globals}"), "%out: %global", &format!("{body}{store}"));
    let launch = KernelLaunch { groups: [2, 1, 1], ..group(lanes, 2 * lanes as usize) };
    kernel.words(&launch)
}

/// For each condition, by its name, whether it holds: in bits, the first lowest.
fn holding(globals: &str, body: &str, conditions: &[&str]) -> u32 {
    let mut text = format!("{body}  %sum0: %u32 = copy_object %c0\n");
    for (index, condition) in conditions.iter().enumerate() {
        text += &format!("  %bit{index}: %u32 = select {condition}, %c1, %c0\n");
        text += &format!("  %moved{index}: %u32 = shift_left_logical %bit{index}, %position{index}\n");
        text += &format!("  %sum{}: %u32 = bitwise_or %sum{index}, %moved{index}\n", index + 1);
    }
    text += &format!("  %value: %u32 = copy_object %sum{}\n", conditions.len());
    let positions: String =
        (0..conditions.len()).map(|index| format!("%position{index}: %u32 = constant {index}\n")).collect();
    let found = found(&format!("{globals}{positions}"), &text, 1);
    assert_eq!(found[0], found[1], "each work-group finds the same");
    found[0]
}

#[test]
fn the_address_of_a_variable_is_the_same_as_a_constant() {
    let globals = "\
%at_a: %u64 = spec_constant_op 117, %a
%at_b: %u64 = spec_constant_op 117, %b
%at_c: %u64 = spec_constant_op 124, %c
%at_table: %u64 = spec_constant_op 117, %table
%low_c: %u32 = spec_constant_op 117, %c
%in_c: %local = spec_constant_op 70, %c, %c0, %c3
%at_in_c: %u64 = spec_constant_op 117, %in_c
";
    let body = "\
  %a_now: %u64 = convert_ptr_to_u %a
  %b_now: %u64 = convert_ptr_to_u %b
  %c_now: %u64 = convert_ptr_to_u %c
  %table_now: %u64 = convert_ptr_to_u %table
  %low_now: %u32 = convert_ptr_to_u %c
  %same_a: %bool = i_equal %a_now, %at_a
  %same_b: %bool = i_equal %b_now, %at_b
  %same_c: %bool = i_equal %c_now, %at_c
  %same_table: %bool = i_equal %table_now, %at_table
  %same_low: %bool = i_equal %low_now, %low_c
  %difference: %u64 = i_sub %at_in_c, %at_c
  %narrow: %u32 = u_convert %difference
  %is_12: %bool = i_equal %narrow, %c12
  %differ: %bool = i_not_equal %at_a, %at_c
  %low_a: %u32 = u_convert %at_a
  %differ_low: %bool = i_not_equal %low_a, %low_c
  %is_null: %bool = i_equal %at_a, %n0
";
    let names =
        ["%same_a", "%same_b", "%same_c", "%same_table", "%same_low", "%is_12", "%differ", "%differ_low", "%is_null"];
    assert_eq!(holding(globals, body, &names), 0b0_1111_1111);
}

#[test]
fn an_address_leads_back_to_its_variable() {
    let globals = "\
%wide_pointer = type_pointer UniformConstant, %u64
%at_c: %u64 = spec_constant_op 117, %c
%again: %local = spec_constant_op 120, %at_c
%at_table: %u64 = spec_constant_op 117, %table
%back: %constant = spec_constant_op 120, %at_table
%stored: %wide_pointer = variable UniformConstant, %at_table
";
    let body = "\
  %second: %local = ptr_access_chain %again, %c1
  store %second, %c7
  %direct: %local = access_chain %c, %c1
  %stored_in_c: %u32 = load %direct
  %by_constant: %constant = ptr_access_chain %back, %c1
  %hundred: %u32 = load %by_constant
  %address: %u64 = load %stored
  %past: %u64 = i_add %address, %n8
  %computed: %constant = convert_u_to_ptr %past
  %seven: %u32 = load %computed
  %part: %u32 = i_add %stored_in_c, %hundred
  %value: %u32 = i_add %part, %seven
";
    assert_eq!(found(globals, body, 1), [114; 2]);
}

#[test]
fn an_address_that_is_a_number_is_nobodys() {
    let globals = "\
%number: %u64 = constant words(4096, 0)
%far: %u64 = constant words(0, 16)
%at_number: %global = spec_constant_op 120, %number
%at_far: %global = spec_constant_op 120, %far
%at_zero: %global = spec_constant_op 120, %n0
%null: %global = constant_null
";
    let body = "\
  %is_out: %bool = ptr_equal %at_number, %out
  %same: %bool = ptr_equal %at_number, %at_number
  %is_far: %bool = ptr_equal %at_far, %out
  %is_null: %bool = ptr_equal %at_zero, %null
";
    assert_eq!(holding(globals, body, &["%is_out", "%same", "%is_far", "%is_null"]), 0b1010);
    for (pointer, expected) in
        [("%at_number", UndefinedBehaviour::OutOfBounds), ("%at_zero", UndefinedBehaviour::NullAddress)]
    {
        let body = format!("  store {pointer}, %c1\n  return");
        let kernel = Kernel::with(&format!("{VARIABLES}{globals}"), "%out: %global", &body);
        assert_eq!(behaviour(&kernel.failure(&group(1, 1))), expected);
    }
}

#[test]
fn a_constant_chain_to_a_byte_counts_bytes() {
    let globals = "\
%c8: %u32 = constant 8
%pair = type_struct %u8, %u32, %u8
%k1: %u8 = constant 1
%k2: %u8 = constant 2
%k3: %u8 = constant 3
%pair_value: %pair = constant_composite %k1, %c7, %k3
%to_pair = type_pointer UniformConstant, %pair
%record: %to_pair = variable UniformConstant, %pair_value
%text = type_array %u8, %c3
%text_value: %text = constant_composite %k1, %k2, %k3
%to_text = type_pointer UniformConstant, %text
%name: %to_text = variable UniformConstant, %text_value
%third: %constant8 = spec_constant_op 70, %table, %c0, %n8
%beyond: %constant8 = spec_constant_op 70, %one, %c0, %c4
%member: %constant8 = spec_constant_op 70, %record, %c0, %c4
%last: %constant8 = spec_constant_op 70, %record, %c0, %c8
%letter: %constant8 = spec_constant_op 70, %name, %c0, %c2
%plain: %constant = spec_constant_op 70, %table, %c0, %c3
";
    let body = "\
  %past: %constant = ptr_access_chain %one, %c1
  %past8: %constant8 = bitcast %past
  %is_past: %bool = ptr_equal %past8, %beyond
  %third_word: %constant = bitcast %third
  %seven: %u32 = load %third_word
  %is_seven: %bool = i_equal %seven, %c7
  %member_word: %constant = bitcast %member
  %also_seven: %u32 = load %member_word
  %is_member: %bool = i_equal %also_seven, %c7
  %last_byte: %u8 = load %last
  %is_last: %bool = i_equal %last_byte, %k3
  %letter_byte: %u8 = load %letter
  %is_letter: %bool = i_equal %letter_byte, %k3
  %sixteen: %u32 = load %plain
  %is_plain: %bool = i_equal %sixteen, %c16
";
    let names = ["%is_past", "%is_seven", "%is_member", "%is_last", "%is_letter", "%is_plain"];
    assert_eq!(holding(globals, body, &names), 0b11_1111);
}

#[test]
fn a_constant_holds_pointers_of_other_types() {
    let globals = "\
%names = type_array %constant_array, %c2
%held: %names = constant_composite %one, %table
%to_names = type_pointer UniformConstant, %names
%list: %to_names = variable UniformConstant, %held
%to_constant = type_pointer UniformConstant, %constant_array
";
    let body = "\
  %held_at: %to_constant = access_chain %list, %i
  %which: %constant_array = load %held_at
  %first: %constant = bitcast %which
  %value: %u32 = load %first
";
    assert_eq!(found(globals, body, 2), [5, 1, 5, 1]);
}

#[test]
fn a_variable_is_as_large_as_its_lifetime() {
    let body = |lifetime: &str| {
        format!(
            "  %small: %private = variable Function
  lifetime_start %small, {lifetime}
  %second: %private = ptr_access_chain %small, %c1
  store %second, %c7
  %value: %u32 = load %second
  store %out, %value
  lifetime_stop %small, {lifetime}
  return"
        )
    };
    let kernel = |lifetime| Kernel::with("", "%out: %global", &body(lifetime));
    assert_eq!(kernel("8").words(&group(1, 1)), [7]);
    assert_eq!(behaviour(&kernel("4").failure(&group(1, 1))), UndefinedBehaviour::OutOfBounds);
}

#[test]
fn a_copy_between_arrays_counts_their_elements() {
    let globals = "\
%global_array = type_pointer CrossWorkgroup, %array
%event = type_event
%nothing: %event = constant_null
%events = type_pointer Function, %event
";
    let body = "  %e: %events = variable Function
  %all_of_it: %global_array = bitcast %in
  %copied: %event = group_async_copy %c2, %a, %all_of_it, %n2, %n1, %nothing
  store %e, %copied
  group_wait_events %c2, %c1, %e
  %second: %local = access_chain %a, %c1
  %value: %u32 = load %second
  store %out, %value
  return";
    let kernel = Kernel::with(&format!("{VARIABLES}{globals}"), "%out: %global, %in: %global", body);
    let mut launch = group(1, 1);
    launch.arguments.push(KernelArgument::Buffer { index: 1, offset: 0 });
    launch.buffers.push(bytes(&[3, 9]));
    assert_eq!(kernel.words(&launch), [9]);
}
