//! Each family of operations on composites: the scalars do the same, and are valid.

use reconverge_ir::{Module, text};
use reconverge_lanes::{LanesCode, scalarize};
use reconverge_testing::programs::{check_equal, check_verified, functions, module};

use crate::kernels::hold_scalar;

const TYPES: &str = "\
%u8 = type_int 8, 0
%u16 = type_int 16, 0
%u64 = type_int 64, 0
%i32 = type_int 32, 1
%f16 = type_float 16
%f64 = type_float 64
%v2 = type_vector %u32, 2
%v3 = type_vector %u32, 3
%v4 = type_vector %u32, 4
%b2 = type_vector %bool, 2
%f2 = type_vector %f32, 2
%f3 = type_vector %f32, 3
%h2 = type_vector %f16, 2
%i2 = type_vector %i32, 2
%l2 = type_vector %u64, 2
%c4 = type_vector %u8, 4
%s2 = type_vector %u16, 2
%s4 = type_vector %u16, 4
%a2 = type_array %f2, %two
%pair = type_struct %u32, %a2
%words = type_struct %u32, %u32
%vectors = type_struct %v2, %v2
%fn = type_function %u32, %u32, %u32
%ff = type_function %f32, %f32, %f32
%m2 = type_matrix %f2, 2
%pv3 = type_pointer Function, %v3
%pu32 = type_pointer Function, %u32
%ppair = type_pointer Function, %pair
%glsl = ext_inst_import \"GLSL.std.450\"
%nothing: %v2 = constant_null
%k2: %v2 = constant_composite %one, %two
%k: %v3 = constant_composite %three, %two, %ten
";

fn parsed(body: &str) -> Module {
    module(&format!("{TYPES}{body}"))
}

/// Scalarizes every function; the result is valid and does the same.
fn hold(before: &Module) -> Module {
    check_verified(before);
    let mut after = before.clone();
    for function in functions(before) {
        scalarize(&mut after, function).unwrap_or_else(|error| panic!("{error}\n{}", text::print(before)));
    }
    check_verified(&after);
    hold_scalar(&after, &text::print(&after));
    assert!(check_equal(before, &after) > 0, "nothing was run");
    after
}

/// A function of two words `%x` and `%y` that returns `%r`, in scalars.
fn words(body: &str) -> String {
    let source = "func %f: %u32 (%x: %u32, %y: %u32) type %fn control 0 stage structured {\nblock ^a:\n";
    text::print(&hold(&parsed(&format!("{source}{body}\n  return_value %r\n}}\n"))))
}

/// A function of two floats `%x` and `%y` that returns `%r`, in scalars.
fn floats(body: &str) -> String {
    let source = "func %f: %f32 (%x: %f32, %y: %f32) type %ff control 0 stage structured {\nblock ^a:\n";
    text::print(&hold(&parsed(&format!("{source}{body}\n  return_value %r\n}}\n"))))
}

fn refused(body: &str) -> String {
    let source = "func %f: %u32 (%x: %u32, %y: %u32) type %fn control 0 stage structured {\nblock ^a:\n";
    let mut module = parsed(&format!("{source}{body}\n  return_value %x\n}}\n"));
    check_verified(&module);
    let function = functions(&module)[0];
    match scalarize(&mut module, function) {
        Err(error) if error.is(LanesCode::Unsupported) => error.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn arithmetic_goes_component_by_component() {
    let printed = words(
        "  %a: %v3 = composite_construct %x, %y, %three
  %b: %v3 = i_add %a, %a
  %c: %v3 = i_mul %b, %a
  %d: %v3 = bit_field_u_extract %c, %one, %three
  %p: %u32 = composite_extract %c, 1
  %q: %u32 = composite_extract %d, 2
  %r: %u32 = bitwise_xor %p, %q",
    );
    assert_eq!((printed.matches("i_mul").count(), printed.matches("bit_field").count()), (2, 1), "{printed}");
}

#[test]
fn decorations_and_locations_go_along() {
    let mut before = parsed(
        "%file = string \"a.cl\"
func %f: %f32 (%x: %f32, %y: %f32) type %ff control 0 stage structured {
block ^a:
  %a: %f2 = composite_construct %x, %y
  %b: %f2 = f_mul %a, %a {decorate NoContraction, name \"product\"} at %file 7:1
  %p: %f32 = composite_extract %b, 0
  %q: %f32 = composite_extract %b, 1
  %r: %f32 = f_add %p, %q at %file 8:1
  return_value %r
}
",
    );
    let function = functions(&before)[0];
    assert_eq!(scalarize(&mut before, function), Ok(true));
    let printed = text::print(&before);
    let products: Vec<&str> = printed.lines().filter(|line| line.contains("f_mul")).collect();
    assert_eq!(products.len(), 2, "{printed}");
    assert!(products.iter().all(|line| line.contains("NoContraction") && line.contains("7:1")), "{printed}");
    assert!(!products.iter().any(|line| line.contains("product")), "{printed}");
    assert_eq!(scalarize(&mut before, function), Ok(false));
}

#[test]
fn conditions_choose_whole_values_or_components() {
    words(
        "  %a: %v2 = composite_construct %x, %y
  %b: %v2 = composite_construct %y, %three
  %less: %b2 = u_less_than %a, %b
  %each: %v2 = select %less, %a, %b
  %all: %bool = all %less
  %any: %bool = any %less
  %whole: %v2 = select %all, %a, %each
  %other: %v2 = select %any, %whole, %b
  %p: %u32 = composite_extract %other, 0
  %q: %u32 = composite_extract %whole, 1
  %r: %u32 = i_sub %p, %q",
    );
}

#[test]
fn sums_of_products_begin_with_the_first() {
    let printed = floats(
        "  %a: %f3 = composite_construct %x, %y, %x
  %b: %f3 = vector_times_scalar %a, %y
  %r: %f32 = dot %a, %b {decorate NoContraction}",
    );
    assert_eq!((printed.matches("f_mul").count(), printed.matches("f_add").count()), (6, 2), "{printed}");
    assert_eq!(printed.matches("NoContraction").count(), 5, "{printed}");
}

#[test]
fn conversions_keep_their_kind() {
    words(
        "  %a: %v2 = composite_construct %x, %y
  %b: %s2 = u_convert %a
  %c: %v2 = s_convert %b
  %d: %f2 = convert_u_to_f %c
  %e: %b2 = f_ord_less_than %d, %d
  %g: %i2 = bitcast %c
  %h: %i2 = s_negate %g
  %l: %l2 = s_convert %h
  %s: %u64 = composite_extract %l, 1
  %p: %u32 = u_convert %s
  %flag: %bool = composite_extract %e, 0
  %r: %u32 = select %flag, %one, %p",
    );
}

#[test]
fn bits_change_their_width() {
    words(
        "  %a: %v2 = composite_construct %x, %y
  %b: %u64 = bitcast %a
  %c: %s4 = bitcast %b
  %d: %s4 = vector_shuffle %c, %c, 3, 1, 4, 2
  %e: %v2 = bitcast %d
  %f0: %u32 = composite_extract %e, 0
  %g: %c4 = bitcast %f0
  %h: %c4 = vector_shuffle %g, %g, 1, 0, 7, 2
  %i: %s2 = bitcast %h
  %j: %h2 = bitcast %h
  %k0: %u32 = bitcast %j
  %l: %f64 = bitcast %e
  %m: %v2 = bitcast %l
  %n: %u32 = composite_extract %m, 1
  %o: %u32 = bitcast %i
  %p: %u32 = bitwise_xor %k0, %n
  %r: %u32 = i_add %p, %o",
    );
}

#[test]
fn components_are_chosen_at_run_time() {
    let printed = words(
        "  %a: %v4 = composite_construct %x, %y, %two, %three
  %i: %u32 = bitwise_and %x, %three
  %j: %u32 = bitwise_and %y, %three
  %b: %v4 = vector_insert_dynamic %a, %y, %i
  %c: %v4 = vector_insert_dynamic %b, %ten, %two
  %p: %u32 = vector_extract_dynamic %c, %j
  %q: %u32 = vector_extract_dynamic %c, %two
  %r: %u32 = i_add %p, %q",
    );
    assert_eq!(printed.matches("select").count(), 6, "{printed}");
}

#[test]
fn structs_and_arrays_are_scalars_too() {
    floats(
        "  %a: %f2 = composite_construct %x, %y
  %b: %a2 = composite_construct %a, %a
  %c: %pair = composite_construct %ten, %b
  %d: %pair = composite_insert %y, %c, 1, 0, 0
  %less: %bool = f_ord_less_than %x, %y
  %e: %pair = select %less, %c, %d
  %g: %pair = copy_object %e
  %h: %f2 = composite_extract %g, 1, 0
  %i: %a2 = composite_insert %h, %b, 1
  %p: %f32 = composite_extract %i, 1, 0
  %q: %f32 = composite_extract %g, 1, 1, 1
  %r: %f32 = f_sub %p, %q",
    );
}

#[test]
fn constants_have_scalars() {
    words(
        "  %u: %v2 = undef
  %c: %v3 = vector_shuffle %k, %u, 0, 2, 4294967295
  %d: %v2 = i_add %nothing, %k2
  %p: %u32 = composite_extract %c, 1
  %q: %u32 = composite_extract %d, 1
  %r: %u32 = i_add %p, %q",
    );
}

#[test]
fn results_of_two_words_are_taken_apart_at_once() {
    let printed = words(
        "  %a: %v2 = composite_construct %x, %y
  %b: %v2 = composite_construct %y, %ten
  %c: %words = i_add_carry %x, %y
  %d: %vectors = u_mul_extended %a, %b
  %e: %v2 = composite_extract %d, 1
  %g: %v2 = composite_extract %d, 0
  %p: %u32 = composite_extract %c, 1
  %q: %u32 = composite_extract %e, 0
  %s: %u32 = composite_extract %g, 1
  %t: %u32 = i_add %p, %q
  %r: %u32 = i_add %t, %s",
    );
    assert_eq!(printed.matches("u_mul_extended").count(), 2, "{printed}");
    assert!(!printed.contains("composite_construct"), "{printed}");
}

#[test]
fn extended_instructions_go_component_by_component() {
    floats(
        "  %a: %f2 = composite_construct %x, %y
  %b: %f2 = ext_inst %glsl, 4, %a
  %c: %f2 = ext_inst %glsl, 79, %a, %b
  %w: %u32 = bitcast %x
  %h: %f2 = ext_inst %glsl, 62, %w
  %d: %f2 = f_add %c, %h
  %p: %f32 = composite_extract %d, 0
  %q: %f32 = composite_extract %d, 1
  %r: %f32 = f_sub %p, %q",
    );
}

#[test]
fn memory_is_accessed_scalar_by_scalar() {
    let printed = words(
        "  %v: %pv3 = variable Function
  %s: %ppair = variable Function
  %t: %ppair = variable Function
  %a: %v3 = composite_construct %x, %y, %ten
  store %v, %a, 3, 16
  %b: %v3 = load %v, 2, 2
  %fx: %f32 = bitcast %x
  %f0: %f2 = composite_construct %fx, %fx
  %g: %a2 = composite_construct %f0, %f0
  %h: %pair = composite_construct %y, %g
  store %s, %h
  copy_memory %t, %s
  %i: %pair = load %t
  %p: %u32 = composite_extract %i, 0
  %q: %u32 = composite_extract %b, 1
  %r: %u32 = i_add %p, %q",
    );
    assert_eq!(printed.matches(", 3, 4").count(), 3, "{printed}");
    assert_eq!((printed.matches(" 2, 2").count(), printed.contains("copy_memory")), (1, false), "{printed}");
}

#[test]
fn volatile_loads_stay() {
    let printed = words(
        "  %v: %pv3 = variable Function
  %a: %v3 = composite_construct %x, %y, %ten
  store %v, %a
  %b: %v3 = load %v, 1
  %r: %u32 = composite_extract %b, 1",
    );
    assert_eq!(printed.matches(" = load").count(), 3, "{printed}");
}

#[test]
fn parameters_of_blocks_carry_scalars() {
    let before = parsed(
        "func %f: %u32 (%x: %u32, %y: %u32) type %fn control 0 stage structured {
block ^a:
  %start: %v2 = composite_construct %x, %y
  loop ^head(%start, %zero) break ^end continue ^next control 0
block ^head(%v: %v2, %i: %u32):
  %more: %bool = u_less_than %i, %ten
  branch_if %more ^body ^out
block ^body:
  %w: %v2 = vector_shuffle %v, %v, 1, 0
  branch ^next
block ^next:
  %n: %u32 = i_add %i, %one
  %d: %v2 = composite_construct %n, %two
  %sum: %v2 = i_add %w, %d
  branch ^head(%sum, %n)
edge ^out:
  branch ^end(%i, %v)
block ^end(%j: %u32, %last: %v2):
  %p: %u32 = composite_extract %last, 0
  %q: %u32 = composite_extract %last, 1
  %m: %u32 = i_mul %p, %q
  %r: %u32 = i_add %m, %j
  return_value %r
}
",
    );
    hold(&before);
}

#[test]
fn code_that_never_runs_has_undefined_scalars() {
    let before = parsed(
        "func %f: %u32 (%x: %u32, %y: %u32) type %fn control 0 stage structured {
block ^a:
  %v: %v2 = composite_construct %x, %y
  %c: %bool = i_equal %x, %y
  if %c ^t ^e merge ^m control 0
block ^t:
  return_value %x
block ^e:
  return_value %y
block ^m:
  %w: %v2 = i_add %v, %v
  %s: %v2 = i_add %w, %v
  %r: %u32 = composite_extract %s, 1
  return_value %r
}
",
    );
    hold(&before);
}

#[test]
fn groups_exchange_component_by_component() {
    let mut module = parsed(
        "func %f: %u32 (%x: %u32, %y: %u32) type %fn control 0 stage structured {
block ^a:
  %v: %v2 = composite_construct %x, %y
  %s: %v2 = group_non_uniform_i_add %three, 0, %v
  %b: %v2 = group_non_uniform_broadcast_first %three, %s
  %e: %bool = group_non_uniform_all_equal %three, %b
  %p: %u32 = composite_extract %b, 1
  %r: %u32 = select %e, %p, %x
  return_value %r
}
",
    );
    check_verified(&module);
    let function = functions(&module)[0];
    assert_eq!(scalarize(&mut module, function), Ok(true));
    check_verified(&module);
    hold_scalar(&module, "groups");
    let printed = text::print(&module);
    let counts = ["i_add", "broadcast_first", "all_equal", "logical_and"].map(|name| printed.matches(name).count());
    assert_eq!(counts, [2, 2, 2, 1], "{printed}");
}

#[test]
fn what_has_no_expansion_is_refused_by_name() {
    let refusals = [
        ("  %c: %f2 = composite_construct %fx, %fx\n  %n: %f2 = ext_inst %glsl, 69, %c", "GLSL.std.450 Normalize"),
        ("  %c: %f2 = composite_construct %fx, %fx\n  %m: %m2 = composite_construct %c, %c", "a matrix"),
    ];
    for (body, what) in refusals {
        assert_eq!(refused(&format!("  %fx: %f32 = bitcast %x\n{body}")), what);
    }
}
