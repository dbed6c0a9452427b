//! Which pointers share an array, and which have addresses.

use crate::kernel_memory_support::{give, kernel, kernel_with, lower, refused};
use reconverge_opencl::{KernelErrorKind, Relocation};

const WORDS: [u32; 16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];

#[test]
fn pointers_go_around_loops() {
    let lowered = lower(
        &kernel(
            "%tile: %la8u32 = variable Workgroup",
            &format!(
                "%t: %l32 = bitcast %tile
             branch ^head(%in, %t, %n0)
           block ^head(%p: %g32, %q: %l32, %c: %u32):
             %x: %u32 = load %p, 2, 4
             store %q, %x, 2, 4
             %p1: %g32 = ptr_access_chain %p, %n1
             %q1: %l32 = ptr_access_chain %q, %n1
             %c1: %u32 = i_add %c, %n1
             %more: %bool = u_less_than %c1, %n8
             branch_if %more ^again ^done
           edge ^again:
             branch ^head(%p1, %q1, %c1)
           block ^done:
             %back: %l32 = ptr_access_chain %q1, %minus
             %y: %u32 = load %back, 2, 4
             {}",
                give("%y")
            ),
        )
        .replace("%fn =", "%minus: %u32 = constant 4294967293\n%fn ="),
    );
    assert_eq!(lowered.variable("tile"), "Workgroup u32[8]");
    assert_eq!(lowered.run(1, &WORDS, 0), [WORDS[5]]);
    lowered.line(&["block ^head(%p: %u64, %q: %u32, %c: %u32)"]);
}

#[test]
fn generic_pointers_are_what_their_objects_are() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup",
        &format!(
            "%a: %l32 = access_chain %tile, %i
             %x: %x32 = ptr_cast_to_generic %a
             store %x, %n7, 2, 4
             %g: %x32 = ptr_cast_to_generic %in
             %h: %x32 = ptr_access_chain %g, %n2
             %v: %u32 = load %h, 2, 4
             %w: %u32 = load %x, 2, 4
             %back: %l32 = generic_cast_to_ptr %x
             %z: %u32 = load %back, 2, 4
             %s: %u32 = i_add %v, %w
             %t: %u32 = i_add %s, %z
             {}",
            give("%t")
        ),
    ));
    assert_eq!(lowered.run(2, &WORDS, 0), [4 + 14, 4 + 14]);
}

#[test]
fn casts_that_ask_are_answered_by_the_class() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup
         %gnull: %g32 = constant_null
         %lnull: %l32 = constant_null",
        &format!(
            "%a: %l32 = access_chain %tile, %i
             %x: %x32 = ptr_cast_to_generic %a
             %l: %l32 = generic_cast_to_ptr_explicit %x, Workgroup
             %g: %g32 = generic_cast_to_ptr_explicit %x, CrossWorkgroup
             %is_local: %bool = ptr_not_equal %l, %lnull
             %is_global: %bool = ptr_not_equal %g, %gnull
             %semantics: %u32 = generic_ptr_mem_semantics %x
             %p: %u32 = select %is_local, %n1, %n0
             %q: %u32 = select %is_global, %n2, %n0
             %s: %u32 = bitwise_or %p, %q
             %t: %u32 = bitwise_or %s, %semantics
             {}",
            give("%t")
        ),
    ));
    // Element 0 is not null: nothing starts at 0.
    assert_eq!(lowered.run_after_only(1, &WORDS), [256 + 1]);
}

#[test]
fn mixed_memories_are_refused_where_they_meet() {
    let globals = "%tile: %la8u32 = variable Workgroup";
    let start = "%a: %l32 = access_chain %tile, %i
         %x: %x32 = ptr_cast_to_generic %a
         %y: %x32 = ptr_cast_to_generic %in";
    let (error, at) = refused(&kernel(
        globals,
        &format!("{start}\n%p: %x32 = select %true, %x, %y\n%v: %u32 = load %p, 2, 4\n{}", give("%v")),
    ));
    assert_eq!(error.kind, KernelErrorKind::Unsupported);
    assert_eq!(error.message, "generic pointer that may point to both local and global memory");
    assert!(at.contains("%p: %x32 = select"), "{at}");
    let (error, _) = refused(&kernel(
        globals,
        &format!(
            "%b: %p32 = variable Function
             {start}
             %z: %x32 = ptr_cast_to_generic %b
             %p: %x32 = select %true, %x, %z
             %v: %u32 = load %p, 2, 4
             {}",
            give("%v")
        ),
    ));
    assert_eq!(error.message, "generic pointer that may point to both private and local memory");
}

#[test]
fn generic_pointers_to_different_memories_can_be_compared() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup",
        &format!(
            "%a: %l32 = access_chain %tile, %i
             %x: %x32 = ptr_cast_to_generic %a
             %y: %x32 = ptr_cast_to_generic %in
             %same: %bool = ptr_equal %x, %y
             %v: %u32 = select %same, %n1, %n2
             {}",
            give("%v")
        ),
    ));
    assert_eq!(lowered.run(1, &WORDS, 0), [2]);
}

#[test]
fn pointers_become_numbers_and_come_back() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup
         %mask: %u64 = constant words(4294967288, 4294967295)",
        &format!(
            "%a: %l32 = access_chain %tile, %n0
             %b: %l32 = access_chain %tile, %n4
             store %a, %n5, 2, 4
             store %b, %n7, 2, 4
             %c: %l8 = bitcast %b
             %d: %l8 = ptr_access_chain %c, %n3
             %u: %u64 = convert_ptr_to_u %d
             %m: %u64 = bitwise_and %u, %mask
             %e: %l32 = convert_u_to_ptr %m
             %v: %u32 = load %e, 2, 4
             %base: %u64 = convert_ptr_to_u %a
             %apart: %u64 = i_sub %u, %base
             %narrow: %u32 = u_convert %apart
             %w: %u32 = i_mul %narrow, %v
             {}",
            give("%w")
        ),
    ));
    assert_eq!(lowered.run(1, &WORDS, 0), [19 * 7]);
}

#[test]
fn differences_count_elements() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup
         %triple = type_struct %u32, %u32, %u32
         %gt = type_pointer CrossWorkgroup, %triple",
        &format!(
            "%a: %l32 = access_chain %tile, %n1
             %t: %l32 = bitcast %tile
             %b: %l32 = ptr_access_chain %t, %i
             %d: %u64 = ptr_diff %b, %a
             %x: %u32 = u_convert %d
             %g: %gt = bitcast %in
             %h: %gt = ptr_access_chain %g, %i
             %e: %u64 = ptr_diff %g, %h
             %y: %u32 = u_convert %e
             %v: %u32 = i_mul %x, %n100
             %w: %u32 = i_add %v, %y
             {}",
            give("%w")
        ),
    ));
    let expected = [0_i32, 1, 2].map(|item| ((item - 1) * 100 - item).cast_unsigned());
    assert_eq!(lowered.run(3, &WORDS, 0), expected);
}

#[test]
fn pointers_are_data() {
    // An array of pointers to local memory, one of them null.
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup
         %al32 = type_array %l32, %n4
         %pal32 = type_pointer Function, %al32
         %pl32 = type_pointer Function, %l32
         %null: %l32 = constant_null",
        &format!(
            "%list: %pal32 = variable Function
             %a: %l32 = access_chain %tile, %n0
             %b: %l32 = access_chain %tile, %n4
             store %a, %n5, 2, 4
             store %b, %n7, 2, 4
             %s0: %pl32 = access_chain %list, %n0
             %s1: %pl32 = access_chain %list, %n1
             %s2: %pl32 = access_chain %list, %n2
             store %s0, %a, 2, 8
             store %s1, %null, 2, 8
             store %s2, %b, 2, 8
             %s: %pl32 = access_chain %list, %i
             %p: %l32 = load %s, 2, 8
             %nothing: %bool = ptr_equal %p, %null
             branch_if %nothing ^skip ^follow
           block ^follow:
             %v: %u32 = load %p, 2, 4
             branch ^join(%v)
           block ^skip:
             branch ^join(%n100)
           block ^join(%w: %u32):
             {}",
            give("%w")
        ),
    ));
    assert_eq!(lowered.variable("list"), "Function u64[4]");
    assert_eq!(lowered.variable("tile"), "Workgroup u32[9]");
    assert_eq!(lowered.run(3, &WORDS, 0), [5, 100, 7]);
}

#[test]
fn two_kinds_of_pointers_in_one_struct_do_not_mix() {
    let lowered = lower(&kernel(
        "%tile: %la8u32 = variable Workgroup
         %both = type_struct %l32, %g32
         %pboth = type_pointer Function, %both
         %pboth8 = type_pointer Function, %g32
         %pl32 = type_pointer Function, %l32",
        &format!(
            "%b: %pboth = variable Function
             %c: %pboth = variable Function
             %w16: %u64 = i_add %w8, %w8
             %l: %l32 = access_chain %tile, %n3
             store %l, %n7, 2, 4
             %bl: %pl32 = access_chain %b, %n0
             %bg: %pboth8 = access_chain %b, %n1
             store %bl, %l, 2, 8
             store %bg, %in, 2, 8
             %whole: %both = load %b, 2, 8
             store %c, %whole, 2, 8
             %cl: %pl32 = access_chain %c, %n0
             %cg: %pboth8 = access_chain %c, %n1
             %p: %l32 = load %cl, 2, 8
             %q: %g32 = composite_extract %whole, 1
             %x: %u32 = load %p, 2, 4
             %y: %u32 = load %q, 2, 4
             %z: %u32 = i_add %x, %y
             {}",
            give("%z")
        ),
    ));
    assert_eq!(lowered.run(1, &WORDS, 0), [10]);
}

#[test]
fn numbers_in_the_place_of_pointers_keep_all_their_bits() {
    // A union: what is read as a pointer to local memory is a number, and is used as one.
    let lowered = lower(
        &kernel(
            "%tile: %la8u32 = variable Workgroup
         %pl32 = type_pointer Function, %l32",
            &format!(
                "%b: %p64 = variable Function
             %l: %l32 = access_chain %tile, %n3
             %bp: %pl32 = bitcast %b
             store %bp, %l, 2, 8
             %odd: %u64 = constant_odd
             store %b, %odd, 2, 8
             %p: %l32 = load %bp, 2, 8
             %u: %u64 = convert_ptr_to_u %p
             %high: %u64 = shift_right_logical %u, %w32
             %x: %u32 = u_convert %u
             %y: %u32 = u_convert %high
             %z: %u32 = i_add %x, %y
             {}",
                give("%z")
            )
            .replace("constant_odd", "i_add %i, %large"),
        )
        .replace("%fn =", "%large: %u64 = constant words(1001, 77)\n%w32: %u64 = constant words(32, 0)\n%fn ="),
    );
    assert_eq!(lowered.run(2, &WORDS, 0), [1001 + 77, 1002 + 77]);
}

#[test]
fn constants_from_inside_and_outside_move_outside() {
    let lowered = lower(&kernel_with(
        "%ca4u32 = type_pointer UniformConstant, %a4u32
         %first: %a4u32 = constant_composite %n1, %n2, %n3, %n4
         %table: %ca4u32 = variable UniformConstant, %first",
        "%g32, %c32",
        "%out: %g32, %in: %c32",
        &format!(
            "%odd: %u32 = bitwise_and %j, %n1
             %is_odd: %bool = i_equal %odd, %n1
             %t: %c32 = bitcast %table
             %p: %c32 = select %is_odd, %t, %in
             %q: %c32 = ptr_access_chain %p, %i
             %x: %u32 = load %q, 2, 4
             {}",
            give("%x")
        ),
    ));
    let data = lowered.context.reflection.program_data.as_ref().unwrap();
    assert_eq!((data.bytes[4], data.bytes.len(), data.alignment), (2, 16, 4));
    assert_eq!(lowered.context.reflection.kernels[0].program_data, Some(16));
    assert_eq!(lowered.run(4, &WORDS, 0), [3, 2, 4, 4]);
}

#[test]
fn program_scope_variables_are_the_hosts() {
    let lowered = lower(&kernel(
        "%ga4u32 = type_pointer CrossWorkgroup, %a4u32
         %first: %a4u32 = constant_composite %n1, %n2, %n3, %n4
         %counters: %ga4u32 = variable CrossWorkgroup, %first
         %gg32 = type_pointer CrossWorkgroup, %g32
         %second: %g32 = spec_constant_op 70, %counters, %n0, %n1
         %where: %gg32 = variable CrossWorkgroup, %second",
        &format!(
            "%p: %g32 = load %where, 2, 8
             %x: %u32 = load %p, 2, 4
             %q: %g32 = access_chain %counters, %n3
             %old: %u32 = atomic_i_increment %q, %n1, %n0
             %y: %u32 = i_add %x, %old
             {}",
            give("%y")
        ),
    ));
    let data = lowered.context.reflection.program_data.as_ref().unwrap();
    assert_eq!(data.relocations, [Relocation { at: 16, target: 4 }]);
    assert_eq!((data.bytes.len(), data.alignment), (24, 8));
}

#[test]
fn addresses_that_count_bytes_in_elements_are_understood() {
    // LLVM's back end writes byte 4 of %counters as element 4, with a pointer to bytes as the result.
    let lowered = lower(&kernel(
        "%ga4u32 = type_pointer CrossWorkgroup, %a4u32
         %first: %a4u32 = constant_composite %n1, %n2, %n3, %n4
         %counters: %ga4u32 = variable CrossWorkgroup, %first
         %gg8 = type_pointer CrossWorkgroup, %g8
         %second: %g8 = spec_constant_op 70, %counters, %n0, %n4
         %where: %gg8 = variable CrossWorkgroup, %second",
        &format!(
            "%p: %g8 = load %where, 2, 8
             %c: %g32 = bitcast %p
             %x: %u32 = load %c, 2, 4
             {}",
            give("%x")
        ),
    ));
    let data = lowered.context.reflection.program_data.as_ref().unwrap();
    assert_eq!(data.relocations, [Relocation { at: 16, target: 4 }]);
}

#[test]
fn tables_of_constant_pointers() {
    let lowered = lower(&kernel(
        "%ca4u32 = type_pointer UniformConstant, %a4u32
         %one: %a4u32 = constant_composite %n1, %n2, %n3, %n4
         %two: %a4u32 = constant_composite %n5, %n7, %n8, %n16
         %a: %ca4u32 = variable UniformConstant, %one
         %b: %ca4u32 = variable UniformConstant, %two
         %ac32 = type_array %c32, %n3
         %cac32 = type_pointer UniformConstant, %ac32
         %cc32 = type_pointer UniformConstant, %c32
         %pa: %c32 = spec_constant_op 70, %a, %n0, %n1
         %pb: %c32 = spec_constant_op 70, %b, %n0, %n2
         %none: %c32 = constant_null
         %list: %ac32 = constant_composite %pa, %none, %pb
         %table: %cac32 = variable UniformConstant, %list",
        &format!(
            "%s: %cc32 = in_bounds_access_chain %table, %i
             %p: %c32 = load %s, 2, 8
             %nothing: %bool = ptr_equal %p, %none
             branch_if %nothing ^skip ^follow
           block ^follow:
             %v: %u32 = load %p, 2, 4
             branch ^join(%v)
           block ^skip:
             branch ^join(%n100)
           block ^join(%w: %u32):
             {}",
            give("%w")
        ),
    ));
    assert!(lowered.context.reflection.program_data.is_none());
    assert_eq!(lowered.variable("table"), "Private u64[3]");
    assert_eq!(lowered.run_after_only(3, &WORDS), [2, 100, 8]);
}

#[test]
fn ops_that_are_unknown_are_refused() {
    let (error, at) = refused(&kernel(
        "%glsl = ext_inst_import \"GLSL.std.450\"",
        &format!(
            "%b: %pf32 = variable Function
             %f: %f32 = convert_u_to_f %j
             %whole: %f32 = ext_inst %glsl, 35, %f, %b
             {}",
            give("%j")
        ),
    ));
    assert_eq!(error.message, "`ext_inst` with a pointer to memory of a kernel");
    assert!(at.contains("%whole"), "{at}");
}
