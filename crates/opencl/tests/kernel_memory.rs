//! Pointers become addresses and places in arrays; accesses go through them.

use crate::kernel_memory_support::{give, kernel, kernel_with, lower, refused};
use reconverge_ir::{Op, text};
use reconverge_opencl::KernelErrorKind;

const WORDS: [u32; 16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];

#[test]
fn global_memory_has_addresses_and_constants_are_added_once() {
    let lowered = lower(&kernel(
        "",
        &format!(
            "%a: %g32 = in_bounds_ptr_access_chain %in, %i
             %b: %g32 = ptr_access_chain %a, %n2
             %c: %g8 = bitcast %b
             %d: %g8 = in_bounds_ptr_access_chain %c, %w4
             %e: %g32 = bitcast %d
             %x: %u32 = load %e, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(4, &WORDS, 0), WORDS[3..7]);
    assert_eq!(lowered.count(Op::ConvertUToPtr), 2);
    assert_eq!(lowered.count(Op::IAdd), 3, "{}", text::print(&lowered.after));
    assert!(lowered.line(&["load %", ", 2, 4"]).starts_with("%x: %u32 = load"));
}

#[test]
fn indices_are_signed_whatever_their_width() {
    let lowered = lower(&kernel(
        "%minus: %u32 = constant 4294967295
         %minus8: %u8 = constant 254",
        &format!(
            "%a: %g32 = ptr_access_chain %in, %n4
             %k1: %u32 = i_mul %j, %minus
             %b: %g32 = ptr_access_chain %a, %k1
             %c: %g32 = ptr_access_chain %b, %minus8
             %d: %g32 = ptr_access_chain %c, %minus
             %e: %g32 = ptr_access_chain %d, %n4
             %x: %u32 = load %e, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(4, &WORDS, 0), [9, 5, 1, 4]);
}

#[test]
fn members_and_elements_of_structs() {
    let lowered = lower(&kernel(
        "%pair = type_struct %u8, %u32, %a4u32
         %pairs = type_array %pair, %n4
         %gpairs = type_pointer CrossWorkgroup, %pairs",
        &format!(
            "%a: %gpairs = bitcast %in
             %b: %g32 = in_bounds_access_chain %a, %n1, %n2, %i
             %c: %g32 = in_bounds_ptr_access_chain %a, %w0, %i, %n1
             %x: %u32 = load %b, 2, 4
             %y: %u32 = load %c, 2, 4
             %z: %u32 = i_add %x, %y
             {}",
            give("%z")
        ),
    ));
    // Pairs are 24 bytes: %b is word 8 + i, %c word 1 + 6 i.
    assert_eq!(lowered.run(2, &WORDS, 0), [WORDS[8] + WORDS[1], WORDS[9] + WORDS[7]]);
}

#[test]
fn low_alignment_splits_accesses() {
    let lowered = lower(&kernel(
        "",
        &format!(
            "%a: %g8 = bitcast %in
             %b: %g8 = in_bounds_ptr_access_chain %a, %i
             %c: %g32 = bitcast %b
             %x: %u32 = load %c, 2, 1
             %e: %g8 = in_bounds_ptr_access_chain %b, %i
             %v: %gv4 = bitcast %e
             %four: %v4f32 = load %v, 2, 2
             %f: %f32 = composite_extract %four, 3
             %y: %u32 = bitcast %f
             %z: %u32 = bitwise_xor %x, %y
             {}",
            give("%z")
        ),
    ));
    let bytes: Vec<u8> = WORDS.iter().flat_map(|word| word.to_le_bytes()).collect();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(lowered.run(3, &WORDS, 0), [0, 1, 2].map(|item| word(item) ^ word(2 * item + 12)));
    assert_eq!(lowered.count(Op::Load), 3 + 4 + 8);
}

#[test]
fn local_memory_of_one_type_keeps_it_and_counts_elements() {
    let lowered = lower(&kernel(
        "%tile: %la16f32 = variable Workgroup",
        &format!(
            "%t: %l8 = bitcast %tile
             %shifted: %u64 = shift_left_logical %i, %w2
             %a: %l8 = in_bounds_ptr_access_chain %t, %shifted
             %b: %lf32 = bitcast %a
             %f: %f32 = convert_u_to_f %j
             store %b, %f, 2, 4
             %c: %lf32 = bitcast %tile
             %d: %lf32 = in_bounds_ptr_access_chain %c, %i
             %g: %f32 = load %d, 2, 4
             %x: %u32 = convert_f_to_u %g
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.variable("tile"), "Workgroup f32[16]");
    assert_eq!(lowered.count(Op::ShiftRightLogical), 0, "{}", text::print(&lowered.after));
    assert_eq!(lowered.run(5, &WORDS, 0), [0, 1, 2, 3, 4]);
}

#[test]
fn vectors_are_cells_where_nothing_else_is_accessed() {
    let body = "%c: %lv4 = bitcast %tile
         %d: %lv4 = in_bounds_ptr_access_chain %c, %i
         %in4: %gv4 = bitcast %in
         %four: %v4f32 = load %in4, 2, 4
         store %d, %four, 2, 16
         %back: %v4f32 = load %d, 2, 16
         %f: %f32 = composite_extract %back, 2";
    let tile = "%tile: %la16f32 = variable Workgroup {decorate Alignment 16}";
    let end = format!("%x: %u32 = bitcast %f\n{}", give("%x"));
    let whole = lower(&kernel(tile, &format!("{body}\n{end}")));
    assert_eq!(whole.variable("tile"), "Workgroup f32x4[4]");
    assert_eq!(whole.run(3, &WORDS, 0), [4, 4, 4]);
    let taken_apart = lower(&kernel(
        tile,
        &format!(
            "{body}
             %e: %lf32 = bitcast %d
             %e1: %lf32 = ptr_access_chain %e, %n1
             %f1: %f32 = load %e1, 2, 4
             %y: %u32 = bitcast %f1
             %x0: %u32 = bitcast %f
             %x: %u32 = i_add %x0, %y
             {}",
            give("%x")
        ),
    ));
    assert_eq!(taken_apart.variable("tile"), "Workgroup f32[16]");
    assert_eq!(taken_apart.run(3, &WORDS, 0), [5, 5, 5]);
}

#[test]
fn punned_memory_has_cells_as_wide_as_the_smallest_piece() {
    let lowered = lower(&kernel(
        "",
        &format!(
            "%b: %pa16u8 = variable Function
             %p: %p32 = bitcast %b
             %q: %p32 = ptr_access_chain %p, %n1
             %w: %u32 = load %in, 2, 4
             store %p, %w, 2, 1
             store %q, %j, 2, 1
             %c: %p8 = bitcast %b
             %d: %p8 = ptr_access_chain %c, %n3
             %e: %p16 = bitcast %d
             %s: %u16 = load %e, 2, 1
             %t: %u8 = load %c
             %sum: %u32 = u_convert %s
             %byte: %u32 = u_convert %t
             %x: %u32 = i_add %sum, %byte
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.variable("b"), "Function u8[16]");
    assert_eq!(lowered.run(3, &[0x0500_0003], 0), [5 + 3, 0x105 + 3, 0x205 + 3]);
}

#[test]
fn wide_values_in_narrow_cells() {
    let lowered = lower(&kernel(
        "",
        &format!(
            "%b: %pa8u32 = variable Function
             %p: %p64 = bitcast %b
             %f: %f64 = convert_u_to_f %j
             %bits: %u64 = bitcast %f
             store %p, %bits, 2, 4
             %q: %p32 = bitcast %b
             %r: %p32 = ptr_access_chain %q, %n1
             %x: %u32 = load %r, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.variable("b"), "Function u32[8]");
    assert_eq!(lowered.run(3, &WORDS, 0), [0.0_f64, 1.0, 2.0].map(|number| (number.to_bits() >> 32) as u32));
}

#[test]
fn aggregates_go_leaf_by_leaf() {
    let lowered = lower(&kernel(
        "%s = type_struct %u32, %v2u32
         %gs = type_pointer CrossWorkgroup, %s
         %ps = type_pointer Function, %s",
        &format!(
            "%a: %gs = bitcast %in
             %v: %s = load %a, 2, 8
             %b: %ps = variable Function
             store %b, %v, 2, 8
             %c: %p32 = bitcast %b
             %d: %p32 = ptr_access_chain %c, %n3
             %x: %u32 = load %d, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(1, &WORDS, 0), [1]);
}

#[test]
fn local_arguments_are_as_long_as_the_host_says() {
    let lowered = lower(&kernel_with(
        "",
        "%g32, %g32, %l32, %l8",
        "%out: %g32, %in: %g32, %words: %l32, %bytes: %l8",
        &format!(
            "%a: %l32 = ptr_access_chain %words, %n3
             store %a, %j, 2, 4
             %b: %l8 = ptr_access_chain %bytes, %n5
             %c: %u8 = u_convert %j
             store %b, %c, 2, 1
             %x: %u32 = load %a, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(3, &WORDS, 16), [0, 1, 2]);
    let printed = text::print(&lowered.after);
    assert!(printed.contains("spec_constant_op 134"), "the length is a quotient\n{printed}");
}

#[test]
fn local_arguments_that_meet_share_an_array() {
    let lowered = lower(&kernel_with(
        "",
        "%g32, %g32, %l32, %l32",
        "%out: %g32, %in: %g32, %left: %l32, %right: %l32",
        &format!(
            "%odd: %u32 = bitwise_and %j, %n1
             %is_odd: %bool = i_equal %odd, %n1
             store %left, %n5, 2, 4
             store %right, %n7, 2, 4
             %p: %l32 = select %is_odd, %left, %right
             %x: %u32 = load %p, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(4, &WORDS, 4), [7, 5, 7, 5]);
    assert_eq!(text::print(&lowered.after).matches("variable Workgroup").count(), 1);
}

#[test]
fn module_constants_become_private_arrays() {
    let lowered = lower(&kernel(
        "%s = type_struct %u16, %u16, %u32, %f32
         %small: %u16 = constant 200
         %none: %u16 = constant_null
         %third: %f32 = constant 1077936128
         %ninety: %u32 = constant 90
         %value: %s = constant_composite %small, %none, %ninety, %third
         %cs = type_pointer UniformConstant, %s
         %table: %cs = variable UniformConstant, %value",
        &format!(
            "%a: %c8 = bitcast %table
             %i4: %u64 = shift_left_logical %i, %w2
             %b: %c8 = in_bounds_ptr_access_chain %a, %i4
             %c: %c32 = bitcast %b
             %x: %u32 = load %c, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.variable("table"), "Private u32[3]");
    assert_eq!(lowered.run(3, &WORDS, 0), [200, 90, 3.0_f32.to_bits()]);
}

#[test]
fn copies_move_chunks_and_overlap() {
    let lowered = lower(&kernel(
        "%w28: %u64 = constant words(28, 0)
         %w32: %u64 = constant words(32, 0)",
        &format!(
            "%b: %pa8u32 = variable Function
             copy_memory_sized %b, %in, %w32, 2, 4
             %p: %p32 = bitcast %b
             %q: %p32 = ptr_access_chain %p, %n1
             copy_memory_sized %q, %b, %w28, 2, 4
             %r: %p32 = ptr_access_chain %p, %i
             %x: %u32 = load %r, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(8, &WORDS, 0), [3, 3, 1, 4, 1, 5, 9, 2]);
}

#[test]
fn the_source_of_a_copy_is_as_aligned_as_is_known() {
    // Compilers promise the alignment of the target alone.
    let copy = |note: &str, offset: &str| {
        lower(&kernel(
            "%w16: %u64 = constant words(16, 0)",
            &format!(
                "%b: %pa8u32 = variable Function
                 %bytes: %g8 = bitcast %in {note}
                 %from: %g8 = in_bounds_ptr_access_chain %bytes, {offset}
                 copy_memory_sized %b, %from, %w16, 2, 4
                 %p: %p32 = bitcast %b
                 %q: %p32 = ptr_access_chain %p, %n3
                 %x: %u32 = load %q, 2, 4
                 {}",
                give("%x")
            ),
        ))
    };
    let (unknown, known) = (copy("", "%w4"), copy("{decorate Alignment 4}", "%w4"));
    let odd = copy("{decorate Alignment 4}", "%w3");
    assert_eq!(unknown.count(Op::Load), known.count(Op::Load) + 12);
    assert_eq!(odd.count(Op::Load), unknown.count(Op::Load));
    assert_eq!(unknown.run(1, &WORDS, 0), [WORDS[4]]);
    assert_eq!(known.run(1, &WORDS, 0), [WORDS[4]]);
    assert_eq!(odd.run_after_only(1, &WORDS), [WORDS[3] >> 24 | WORDS[4] << 8]);
}

#[test]
fn long_and_unknown_sizes_become_loops() {
    let input: Vec<u32> = (0..200).collect();
    let lowered = lower(&kernel(
        "",
        &format!(
            "%b: %pa100u32 = variable Function
             %c: %p32 = bitcast %b
             copy_memory_sized %b, %in, %w400, 2, 4
             %size: %u64 = shift_left_logical %i, %w2
             %far: %g32 = ptr_access_chain %in, %n100
             copy_memory_sized %b, %far, %size, 2, 4
             %d: %p32 = ptr_access_chain %c, %n2
             %x: %u32 = load %d, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.variable("b"), "Function u32[100]");
    assert_eq!(lowered.run(5, &input, 0), [2, 2, 2, 102, 102]);
    assert_eq!(lowered.count(Op::BranchIf), 2);
}

#[test]
fn overlapping_loops_begin_at_the_safe_end() {
    let input: Vec<u32> = (0..100).collect();
    let lowered = lower(&kernel(
        "%w396: %u64 = constant words(396, 0)",
        &format!(
            "%b: %pa100u32 = variable Function
             copy_memory_sized %b, %in, %w400, 2, 4
             %c: %p32 = bitcast %b
             %up: %p32 = ptr_access_chain %c, %n1
             copy_memory_sized %up, %b, %w396, 2, 4
             copy_memory_sized %b, %up, %w396, 2, 4
             copy_memory_sized %up, %b, %w396, 2, 4
             %d: %p32 = ptr_access_chain %c, %i
             %x: %u32 = load %d, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.run(4, &input, 0), [0, 0, 1, 2]);
}

#[test]
fn zeros_and_initializers_are_stored() {
    let lowered = lower(&kernel(
        "%zeros: %a8u32 = constant_null
         %first: %a4u32 = constant_composite %n1, %n2, %n3, %n4
         %pa4u32 = type_pointer Function, %a4u32",
        &format!(
            "%b: %pa8u32 = variable Function
             %c: %pa4u32 = variable Function, %first
             store %b, %zeros, 2, 4
             %p: %p32 = bitcast %b
             %q: %p32 = ptr_access_chain %p, %i
             %r: %p32 = bitcast %c
             %s: %p32 = ptr_access_chain %r, %i
             %x: %u32 = load %q, 2, 4
             %y: %u32 = load %s, 2, 4
             %z: %u32 = i_add %x, %y
             {}",
            give("%z")
        ),
    ));
    assert_eq!(lowered.run(4, &WORDS, 0), [1, 2, 3, 4]);
}

#[test]
fn atomics_have_cells_of_their_own_width() {
    let lowered = lower(&kernel(
        "%s: %la8u32 = variable Workgroup",
        &format!(
            "%p: %l32 = bitcast %s
             store %p, %n0, 2, 4
             %old: %u32 = atomic_i_add %p, %n2, %n0, %n7
             %c: %l8 = bitcast %s
             %d: %l8 = ptr_access_chain %c, %i
             %byte: %u8 = u_convert %n5
             store %d, %byte, 2, 1
             %read: %u8 = load %c, 2, 1
             %wide: %u32 = u_convert %read
             %x: %u32 = load %p, 2, 4
             %y: %u32 = i_add %x, %wide
             {}",
            give("%y")
        ),
    ));
    assert_eq!(lowered.variable("s"), "Workgroup u32[8]");
    assert_eq!((lowered.count(Op::AtomicAnd), lowered.count(Op::AtomicOr)), (1, 1));
    assert_eq!(lowered.run(3, &WORDS, 0), [5 + 5, 0x507 + 7, 0x5_0007 + 7]);
}

#[test]
fn atomics_on_private_memory_are_plain() {
    let lowered = lower(&kernel(
        "%pu32 = type_pointer Function, %u32",
        &format!(
            "%b: %pu32 = variable Function
             store %b, %n5, 2, 4
             %a1: %u32 = atomic_i_add %b, %n1, %n0, %j
             %a2: %u32 = atomic_u_max %b, %n1, %n0, %n7
             %a3: %u32 = atomic_compare_exchange %b, %n1, %n0, %n0, %n100, %n7
             atomic_store %b, %n1, %n0, %a3
             %a4: %u32 = atomic_i_decrement %b, %n1, %n0
             %x: %u32 = atomic_load %b, %n1, %n0
             %y: %u32 = i_add %x, %a2
             {}",
            give("%y")
        ),
    ));
    assert_eq!(lowered.run(4, &WORDS, 0), [6 + 5, 6 + 6, 6 + 7, 7 + 8]);
    assert_eq!(lowered.count(Op::AtomicIAdd), 0);
}

#[test]
fn plain_variables_stay() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup",
        &format!(
            "%b: %pa8u32 = variable Function
             lifetime_start %b, 32
             %p: %p32 = access_chain %b, %i
             %q: %l32 = access_chain %tile, %n3
             store %p, %j, 2, 4
             store %q, %n7, 2, 4
             %x: %u32 = load %p, 2, 4
             lifetime_stop %b, 32
             {}",
            give("%x")
        ),
    ));
    assert!(text::print(&lowered.after).contains("%p: %p32 = access_chain %b, %i"));
    assert_eq!(lowered.count(Op::LifetimeStart) + lowered.count(Op::LifetimeStop), 0);
    assert_eq!(lowered.run(2, &WORDS, 0), [0, 1]);
}

#[test]
fn arrays_that_are_declared_too_short_are_as_long_as_they_are_used() {
    let lowered = lower(&kernel(
        "",
        &format!(
            "%b: %p32 = variable Function
             %p: %p8 = bitcast %b
             lifetime_start %p, 4
             %q: %p32 = ptr_access_chain %b, %n1
             store %b, %n7, 2, 4
             store %q, %n5, 2, 4
             %x: %u32 = load %b, 2, 4
             {}",
            give("%x")
        ),
    ));
    assert_eq!(lowered.variable("b"), "Function u32[2]");
}

#[test]
fn functions_that_take_pointers_are_refused() {
    let source = kernel("", &give("%j"))
        + "\n%hfn = type_function %void, %g32\nfunc %h: %void (%q: %g32) type %hfn control 0 stage graph {\nblock ^only:\n  return\n}";
    let (error, _) = refused(&source);
    assert_eq!(error.kind, KernelErrorKind::Unsupported);
    assert!(error.message.contains("was not inlined"), "{error}");
}

#[test]
fn mixed_widths_of_atomics_are_refused() {
    let (error, at) = refused(&kernel(
        "%s: %la8u32 = variable Workgroup",
        &format!(
            "%p: %l32 = bitcast %s
             %q: %l64 = bitcast %s
             %a: %u32 = atomic_i_add %p, %n2, %n0, %n7
             %b: %u64 = atomic_i_add %q, %n2, %n0, %w1
             {}",
            give("%a")
        ),
    ));
    assert_eq!(error.message, "atomic accesses of different widths to the same memory");
    assert!(at.contains("%b: %u64"), "{at}");
}
