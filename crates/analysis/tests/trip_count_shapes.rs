//! How often loops repeat, shape by shape: several ways out, bounds, counters that are no sums, and what is not known.

use reconverge_analysis::trip_count::{TripCount, TripCounts};
use reconverge_ir::{Block, Module, Op, text};

const HEAD: &str = "\
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%s16 = type_int 16, 1
%u64 = type_int 64, 0
%f32 = type_float 32
%true: %bool = constant_true
%false: %bool = constant_false
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%four: %u32 = constant 4
%seven: %u32 = constant 7
%ten: %u32 = constant 10
%100: %u32 = constant 100
%chosen: %u32 = spec_constant 4
%wide_zero: %u64 = constant words(0, 0)
%wide_one: %u64 = constant words(1, 0)
%wide_half: %u64 = constant words(0, 2147483648)
%f0: %f32 = constant 0
%f_half: %f32 = constant 1056964608
%f3: %f32 = constant 1077936128
%f_one_and_half: %f32 = constant 0x3fc00000
%f_tenth: %f32 = constant 0x3dcccccd
%f_one_tenth_more: %f32 = constant 0x3f8ccccd
%f_tiny: %f32 = constant 0x00900000
%f_subnormal: %f32 = constant 1
%f_least: %f32 = constant 0x00800000
%f_greatest: %f32 = constant 0x7f7fffff
%f_infinity: %f32 = constant 0x7f800000
%f_nan: %f32 = constant 0x7fc00000
%glsl = ext_inst_import \"GLSL.std.450\"
func %record: %void (%x: %u32)
";

/// The trip counts of the loops of one function, in order.
fn counts(body: &str) -> Vec<TripCount> {
    let source = format!("{HEAD}func %f: %void (%n: %u32, %k: %u32, %p: %bool) stage structured {{\n{body}\n}}\n");
    let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
    let counts = TripCounts::compute(&module, function);
    let terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    let loops = terminators.filter(|&last| module.op(last) == Op::Loop);
    let headers = loops.map(|last| module.cast::<Block>(module.operand(last, 0)).expect("a header"));
    headers.map(|header| counts.trip_count(header).clone()).collect()
}

/// A count in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Short {
    Never,
    Exact(u64),
    AtMost(u64),
    Infinite,
    Unknown,
}

fn short(count: &TripCount) -> Short {
    match count {
        TripCount::NeverRepeats => Short::Never,
        TripCount::Exact(counted) => Short::Exact(counted.repeats),
        TripCount::AtMost(counted) => Short::AtMost(counted.repeats),
        TripCount::Infinite => Short::Infinite,
        TripCount::Unknown => Short::Unknown,
    }
}

/// A loop over `%i: ty` from `start`, tested at its top.
fn top_tested(ty: &str, start: &str, (condition, step): (&str, &str)) -> Short {
    let counts = counts(&format!(
        "block ^entry:
           loop ^h({start}) break ^m continue ^c
         block ^h(%i: {ty}):
           {condition}
           branch_if %more ^c ^out
         edge ^out:
           branch ^m
         block ^c:
           {step}
           branch ^h(%next)
         block ^m:
           return"
    ));
    short(&counts[0])
}

#[test]
fn what_a_counter_may_be() {
    let less = "%more: %bool = u_less_than %i, ";
    let table: &[(&str, &str, &str, &str, Short)] = &[
        ("%u32", "%zero", "%ten", "%next: %u32 = i_add %i, %three", Short::Exact(4)),
        ("%u32", "%ten", "%ten", "%next: %u32 = i_add %i, %one", Short::Exact(0)),
        ("%u32", "%one", "%100", "%next: %u32 = i_mul %i, %three", Short::Exact(5)),
        ("%u32", "%one", "%100", "%next: %u32 = shift_left_logical %i, %one", Short::Exact(7)),
        ("%u32", "%zero", "%ten", "%next: %u32 = i_add %i, %zero", Short::Infinite),
        ("%u32", "%zero", "%ten", "%next: %u32 = i_mul %i, %three", Short::Infinite),
        ("%u32", "%zero", "%n", "%next: %u32 = i_add %i, %one", Short::Unknown),
        ("%u32", "%n", "%ten", "%next: %u32 = i_add %i, %one", Short::Unknown),
        ("%u32", "%zero", "%ten", "%next: %u32 = i_add %i, %n", Short::Unknown),
        ("%u32", "%zero", "%chosen", "%next: %u32 = i_add %i, %one", Short::Unknown),
        ("%u32", "%zero", "%ten", "%next: %u32 = u_div %i, %zero", Short::Unknown),
        ("%u64", "%wide_zero", "%wide_half", "%next: %u64 = i_add %i, %wide_one", Short::Exact(1 << 63)),
    ];
    for &(ty, start, bound, step, expected) in table {
        assert_eq!(top_tested(ty, start, (&format!("{less}{bound}"), step)), expected, "{start} {bound} {step}");
    }
}

#[test]
fn floats_are_counted_where_every_device_agrees() {
    let more = "%more: %bool = f_ord_less_than %i, %f3";
    assert_eq!(top_tested("%f32", "%f0", (more, "%next: %f32 = f_add %i, %f_half")), Short::Exact(6));
    assert_eq!(top_tested("%f32", "%f_half", (more, "%next: %f32 = f_div %i, %f_half")), Short::Unknown);
    // 0.5 times 1.5 is exact as often as the digits of 3 to some power have room.
    assert_eq!(top_tested("%f32", "%f_half", (more, "%next: %f32 = f_mul %i, %f_one_and_half")), Short::Exact(5));
}

#[test]
fn floats_that_devices_may_round_or_flush_are_not_known() {
    let (more, less) = ("%more: %bool = f_ord_less_than %i, %f3", "%more: %bool = f_ord_less_than %f3, %i");
    let add = |by: &str| format!("%next: %f32 = f_add %i, {by}");
    let multiply = |by: &str| format!("%next: %f32 = f_mul %i, {by}");
    let nonzero = "%more: %bool = f_ord_not_equal %i, %f0";
    let bits = "%bits: %u32 = bitcast %i\n%more: %bool = u_less_than %bits, %one";
    let table = [
        // Sums and products that have to be rounded, one of them past the digits of 64 bits as well.
        ("%f0", more, add("%f_tenth")),
        ("%f_half", more, add("%f_tiny")),
        ("%f_tenth", more, multiply("%f_one_tenth_more")),
        // What is subnormal: at the beginning, as a bound, and as a product.
        ("%f_subnormal", nonzero, multiply("%f0")),
        ("%f0", "%more: %bool = f_ord_less_than %i, %f_subnormal", add("%f_half")),
        ("%f_least", nonzero, multiply("%f_half")),
        // Infinities and what is no number: given, and as a sum. Last, the sign of zero.
        ("%f_infinity", less, add("%f_half")),
        ("%f0", "%more: %bool = f_unord_less_than %i, %f_nan", add("%f_half")),
        ("%f_greatest", less, add("%f_greatest")),
        ("%f0", bits, add("%f_half")),
    ];
    for (start, more, step) in &table {
        assert_eq!(top_tested("%f32", start, (more, step)), Short::Unknown, "{start} {more} {step}");
    }
}

#[test]
fn modes_that_allow_other_results_of_float_operations_are_asked() {
    let counted = |mode: &str| {
        let source = format!(
            "{HEAD}{mode}
             func %f: %void () stage structured {{
             block ^entry:
               loop ^h(%f0) break ^m continue ^c
             block ^h(%i: %f32):
               %more: %bool = f_ord_less_than %i, %f3
               branch_if %more ^c ^out
             edge ^out:
               branch ^m
             block ^c:
               %next: %f32 = f_add %i, %f_half
               branch ^h(%next)
             block ^m:
               return
             }}"
        );
        let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
        let header = module.blocks(function).nth(1).expect("a header");
        short(TripCounts::compute(&module, function).trip_count(header))
    };
    assert_eq!(counted(""), Short::Exact(6));
    assert_eq!(counted("execution_mode %f, RoundingModeRTZ, 32"), Short::Exact(6));
    assert_eq!(counted("execution_mode_id %f, FPFastMathDefault, %f32, %one"), Short::Unknown);
}

#[test]
fn conditions_that_say_less_give_a_bound() {
    let step = "%next: %u32 = i_add %i, %one";
    let table = [
        ("%a: %bool = u_less_than %i, %four\n%more: %bool = logical_and %a, %p", Short::AtMost(4)),
        ("%a: %bool = u_less_than %i, %four\n%more: %bool = logical_or %a, %p", Short::Unknown),
        (
            "%a: %bool = u_less_than %i, %four\n%b: %bool = u_less_than %i, %three\n%more: %bool = logical_and %a, %b",
            Short::Exact(3),
        ),
        (
            "%a: %bool = u_greater_than_equal %i, %four\n%b: %bool = logical_or %a, %p\n%more: %bool = logical_not %b",
            Short::AtMost(4),
        ),
        ("%min: %u32 = ext_inst %glsl, 38, %n, %four\n%more: %bool = u_less_than %i, %min", Short::AtMost(4)),
        ("%min: %u32 = ext_inst %glsl, 38, %n, %four\n%more: %bool = u_greater_than %min, %i", Short::AtMost(4)),
        // The greater of two, and the lesser without a sign where the comparison has one, say nothing.
        ("%max: %u32 = ext_inst %glsl, 41, %n, %four\n%more: %bool = u_less_than %i, %max", Short::Unknown),
        ("%min: %u32 = ext_inst %glsl, 38, %n, %four\n%more: %bool = s_less_than %i, %min", Short::Unknown),
    ];
    for (condition, expected) in table {
        assert_eq!(top_tested("%u32", "%zero", (condition, step)), expected, "{condition}");
    }
}

#[test]
fn several_counters_decide_together() {
    let two = |swap: &str| {
        short(
            &counts(&format!(
                "block ^entry:
                   loop ^h(%zero, %ten, %true, %false) break ^m continue ^c
                 block ^h(%i: %u32, %j: %u32, %a: %bool, %b: %bool):
                   %less: %bool = u_less_than %i, %j
                   branch_if {swap} ^c ^out
                 edge ^out:
                   branch ^m
                 block ^c:
                   %up: %u32 = i_add %i, %one
                   %down: %u32 = i_sub %j, %two
                   branch ^h(%up, %down, %b, %a)
                 block ^m:
                   return"
            ))[0],
        )
    };
    // 0 < 10, 1 < 8, 2 < 6, 3 < 4, and not 4 < 2.
    assert_eq!(two("%less"), Short::Exact(4));
    // True and false change places.
    assert_eq!((two("%a"), two("%b")), (Short::Exact(1), Short::Exact(0)));
}

#[test]
fn two_values_that_change_places_go_on_for_ever() {
    let found = counts(
        "block ^entry:
           loop ^h(%one, %two) break ^m continue ^c
         block ^h(%a: %u32, %b: %u32):
           %more: %bool = i_not_equal %a, %three
           branch_if %more ^c ^out
         edge ^out:
           branch ^m
         block ^c:
           branch ^h(%b, %a)
         block ^m:
           return",
    );
    assert_eq!(short(&found[0]), Short::Infinite);
}

#[test]
fn several_ways_out() {
    let found = counts(
        "block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %late: %bool = u_less_than %i, %ten
           branch_if %late ^second ^out
         edge ^out:
           branch ^m
         block ^second:
           %early: %bool = u_less_than %i, %seven
           branch_if %early ^third ^out2
         edge ^out2:
           branch ^m
         block ^third:
           branch_if %p ^c ^out3
         edge ^out3:
           branch ^m
         block ^c:
           %next: %u32 = i_add %i, %one
           branch ^h(%next)
         block ^m:
           return",
    );
    let TripCount::Exact(counted) = &found[0] else { panic!("{found:?}") };
    assert_eq!((counted.repeats, counted.exits), (7, 3));
    assert_eq!(*counted.counters[0].values, *(0..=7).collect::<Vec<u64>>());
}

#[test]
fn a_test_counts_only_where_every_iteration_comes_by() {
    let found = counts(
        "block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           branch ^ask
         block ^ask:
           if %p ^test ^skip merge ^j
         block ^test:
           %more: %bool = u_less_than %i, %ten
           branch_if %more ^stay ^out
         edge ^out:
           branch ^m
         edge ^stay:
           branch ^j
         block ^skip:
           branch ^j
         block ^j:
           branch ^c
         block ^c:
           %next: %u32 = i_add %i, %one
           branch ^h(%next)
         block ^m:
           return",
    );
    assert_eq!(short(&found[0]), Short::Unknown);
}

#[test]
fn loops_in_loops_are_counted_each_for_itself() {
    let found = counts(
        "block ^entry:
           loop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %three
           branch_if %more ^open ^out
         edge ^out:
           branch ^m
         block ^open:
           loop ^h2(%zero) break ^m2 continue ^c2
         block ^h2(%j: %u32):
           %more2: %bool = u_less_than %j, %four
           branch_if %more2 ^c2 ^out2
         edge ^out2:
           branch ^m2
         block ^c2:
           %next2: %u32 = i_add %j, %two
           branch ^h2(%next2)
         block ^m2:
           branch ^open3
         block ^open3:
           loop ^h3(%zero) break ^m3 continue ^c3
         block ^h3(%k3: %u32):
           %more3: %bool = u_less_than %k3, %i
           branch_if %more3 ^c3 ^out3
         edge ^out3:
           branch ^m3
         block ^c3:
           %next3: %u32 = i_add %k3, %one
           branch ^h3(%next3)
         block ^m3:
           branch ^c
         block ^c:
           %next: %u32 = i_add %i, %one
           branch ^h(%next)
         block ^m:
           return",
    );
    let found: Vec<Short> = found.iter().map(short).collect();
    assert_eq!(found, [Short::Exact(3), Short::Exact(2), Short::Unknown]);
}

#[test]
fn loops_that_do_not_repeat_and_loops_that_never_end() {
    let shape = |latch: &str, body: &str| {
        let found = counts(&format!(
            "block ^entry:
               loop ^h(%zero) break ^m continue ^c
             block ^h(%i: %u32):
               {body}
             block ^c:
               {latch}
             block ^m:
               return"
        ));
        short(&found[0])
    };
    assert_eq!(shape("branch ^h(%i)", "branch ^m"), Short::Never);
    assert_eq!(shape("branch ^h(%i)", "branch ^c"), Short::Infinite);
    // A lane may return in the middle.
    assert_eq!(shape("branch ^h(%i)", "branch_if %p ^gone ^c\nblock ^gone:\nreturn"), Short::Unknown);
    // A way out that is never taken is none.
    let latch = "branch_if %false ^out ^back\nedge ^back:\nbranch ^h(%i)\nedge ^out:\nbranch ^m";
    assert_eq!(shape(latch, "branch ^c"), Short::Infinite);
    let latch = "branch_if %true ^out ^back\nedge ^back:\nbranch ^h(%i)\nedge ^out:\nbranch ^m";
    assert_eq!(shape(latch, "branch ^c"), Short::Exact(0));
}

#[test]
fn a_loop_of_one_block() {
    let found = counts(
        "block ^entry:
           loop ^h(%zero) break ^m continue ^h
         block ^h(%i: %u32):
           %next: %u32 = i_add %i, %one
           %more: %bool = u_less_than %next, %three
           branch_if %more ^back ^out
         edge ^back:
           branch ^h(%next)
         edge ^out:
           branch ^m
         block ^m:
           return",
    );
    assert_eq!(short(&found[0]), Short::Exact(2));
}
