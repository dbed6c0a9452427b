//! Instructions of OpenCL.std before and after they are lowered, on the same operands: the interpreter runs both.
//!
//! Before, results are the nearest ones. After, they may be as far off as OpenCL allows for 32 bits (section 7.4 of OpenCL C), which
//! is what is held to in 64 bits too; rows that are exact give the same bits. Halves, computed in 32 bits, may be one unit off.

use crate::kernel_library::{HEAD, Random, function_of, lowered, parsed, results, subject, vectors};
use reconverge_interpret::{Argument, End, Interpreter, Launch, Outcome, Value, no_externals};
use reconverge_ir::{Module, text};

/// How far a result may be from the nearest one.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Bound {
    /// The same bits; what is no number may have any.
    Exact,
    /// The same, but of two zeros either.
    ExactButZero,
    /// That many units in the last place from the right result.
    Units(f64),
    /// That far.
    Absolute(f64),
}

use Bound::{Absolute, Exact, ExactButZero, Units};

/// From where operands are drawn.
#[derive(Clone, Copy)]
enum Domain {
    Between(f64, f64),
    /// Special and ordinary ones, any bits.
    Any,
    /// The same without a sign.
    Positive,
    /// A 32-bit integer, mostly a small one.
    Int,
}

use Domain::{Any, Between, Int, Positive};

impl Domain {
    fn draw(self, width: u32, random: &mut Random) -> Value {
        let float = |bits| Value::Float { width: width as u8, bits };
        match self {
            Between(least, greatest) => {
                let part = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
                Value::float(width as u8, least + (greatest - least) * part)
            }
            Any => float(random.float_bits(width)),
            Positive => float(random.float_bits(width) & (u64::MAX >> (65 - width))),
            Int => Value::i32((random.next() as i32) >> (random.next() % 32)),
        }
    }

    fn ty(self, width: u32) -> String {
        if matches!(self, Int) { "i32".into() } else { format!("f{width}") }
    }
}

/// Number, name, bound, and domains of the operands.
type Function = (u32, &'static str, Bound, &'static [&'static [Domain]]);

const ROUNDED: &[Function] = &[
    (0, "acos", Units(4.0), &[&[Between(-1.0, 1.0)], &[Any]]),
    (1, "acosh", Units(4.0), &[&[Between(1.0, 9.0)], &[Any]]),
    (2, "acospi", Units(5.0), &[&[Between(-1.0, 1.0)], &[Any]]),
    (3, "asin", Units(4.0), &[&[Between(-1.0, 1.0)], &[Any]]),
    (4, "asinh", Units(4.0), &[&[Between(-9.0, 9.0)], &[Any]]),
    (5, "asinpi", Units(5.0), &[&[Between(-1.0, 1.0)], &[Any]]),
    (6, "atan", Units(5.0), &[&[Between(-4.0, 4.0)], &[Any]]),
    (7, "atan2", Units(6.0), &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (8, "atanh", Units(5.0), &[&[Between(-1.0, 1.0)], &[Any]]),
    (9, "atanpi", Units(5.0), &[&[Between(-4.0, 4.0)], &[Any]]),
    (10, "atan2pi", Units(6.0), &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (11, "cbrt", Units(2.0), &[&[Any], &[Between(-9.0, 9.0)]]),
    (14, "cos", Units(4.0), &[&[Between(-8.0, 8.0)], &[Any]]),
    (15, "cosh", Units(4.0), &[&[Between(-99.0, 99.0)], &[Between(-2.0, 2.0)], &[Any]]),
    (16, "cospi", Units(4.0), &[&[Between(-9.0, 9.0)], &[Any]]),
    (17, "erfc", Units(16.0), &[&[Between(-4.0, 4.0)], &[Between(0.0, 28.0)], &[Any]]),
    (18, "erf", Units(16.0), &[&[Between(-4.0, 4.0)], &[Any]]),
    (19, "exp", Units(3.0), &[&[Between(-110.0, 95.0)], &[Any]]),
    (20, "exp2", Units(3.0), &[&[Between(-155.0, 135.0)], &[Any]]),
    (21, "exp10", Units(3.0), &[&[Between(-46.0, 40.0)], &[Any]]),
    (22, "expm1", Units(3.0), &[&[Between(-2.0, 2.0)], &[Between(-99.0, 99.0)], &[Any]]),
    (32, "hypot", Units(4.0), &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (37, "log", Units(3.0), &[&[Any], &[Between(0.5, 2.0)]]),
    (38, "log2", Units(3.0), &[&[Any], &[Between(0.5, 2.0)]]),
    (39, "log10", Units(3.0), &[&[Any], &[Between(0.5, 2.0)]]),
    (40, "log1p", Units(2.0), &[&[Any], &[Between(-1.0, 2.0)]]),
    (
        48,
        "pow",
        Units(16.0),
        &[&[Positive, Between(-3.0, 3.0)], &[Any, Any], &[Between(0.0, 9.0), Between(-99.0, 99.0)]],
    ),
    (49, "pown", Units(16.0), &[&[Any, Int], &[Between(-2.0, 2.0), Int]]),
    (50, "powr", Units(16.0), &[&[Positive, Between(-3.0, 3.0)], &[Any, Any]]),
    (54, "rootn", Units(16.0), &[&[Any, Int], &[Between(-9.0, 9.0), Int]]),
    (56, "rsqrt", Units(2.0), &[&[Any], &[Between(0.0, 9.0)]]),
    (57, "sin", Units(4.0), &[&[Between(-8.0, 8.0)], &[Any]]),
    (59, "sinh", Units(4.0), &[&[Between(-99.0, 99.0)], &[Between(-2.0, 2.0)], &[Any]]),
    (60, "sinpi", Units(4.0), &[&[Between(-9.0, 9.0)], &[Any]]),
    (61, "sqrt", Units(3.0), &[&[Any], &[Between(0.0, 9.0)]]),
    (62, "tan", Units(5.0), &[&[Between(-8.0, 8.0)], &[Any]]),
    (63, "tanh", Units(5.0), &[&[Between(-9.0, 9.0)], &[Any]]),
    (64, "tanpi", Units(6.0), &[&[Between(-9.0, 9.0)], &[Any]]),
    (65, "tgamma", Units(16.0), &[&[Between(-9.0, 9.0)], &[Between(-45.0, 36.0)], &[Any]]),
    (96, "degrees", Units(2.0), &[&[Any], &[Between(-9.0, 9.0)]]),
    (100, "radians", Units(2.0), &[&[Any], &[Between(-999.0, 999.0)]]),
];

const COARSE: &[Function] = &[
    (67, "half_cos", Units(8192.0), &[&[Between(-8.0, 8.0)], &[Between(-65536.0, 65536.0)]]),
    (68, "half_divide", Units(8192.0), &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (69, "half_exp", Units(8192.0), &[&[Any], &[Between(-110.0, 95.0)]]),
    (70, "half_exp2", Units(8192.0), &[&[Any], &[Between(-155.0, 135.0)]]),
    (71, "half_exp10", Units(8192.0), &[&[Any], &[Between(-46.0, 40.0)]]),
    (72, "half_log", Units(8192.0), &[&[Any], &[Between(0.5, 2.0)]]),
    (73, "half_log2", Units(8192.0), &[&[Any], &[Between(0.5, 2.0)]]),
    (74, "half_log10", Units(8192.0), &[&[Any], &[Between(0.5, 2.0)]]),
    (75, "half_powr", Units(8192.0), &[&[Any, Any], &[Positive, Between(-3.0, 3.0)]]),
    (76, "half_recip", Units(8192.0), &[&[Any], &[Between(-2.0, 2.0)]]),
    (77, "half_rsqrt", Units(8192.0), &[&[Any], &[Between(0.0, 9.0)]]),
    (78, "half_sin", Units(8192.0), &[&[Between(-8.0, 8.0)], &[Between(-65536.0, 65536.0)]]),
    (79, "half_sqrt", Units(8192.0), &[&[Any], &[Between(0.0, 9.0)]]),
    (80, "half_tan", Units(8192.0), &[&[Between(-8.0, 8.0)], &[Between(-65536.0, 65536.0)]]),
    (81, "native_cos", Absolute(1e-3), &[&[Between(-3.0, 3.0)]]),
    (82, "native_divide", Units(8192.0), &[&[Between(-2.0, 2.0), Between(0.5, 2.0)]]),
    (83, "native_exp", Units(8192.0), &[&[Between(-80.0, 80.0)]]),
    (84, "native_exp2", Units(8192.0), &[&[Between(-99.0, 99.0)]]),
    (85, "native_exp10", Units(8192.0), &[&[Between(-30.0, 30.0)]]),
    (86, "native_log", Units(8192.0), &[&[Between(0.1, 99.0)]]),
    (87, "native_log2", Units(8192.0), &[&[Between(0.1, 99.0)]]),
    (88, "native_log10", Units(8192.0), &[&[Between(0.1, 99.0)]]),
    (89, "native_powr", Units(8192.0), &[&[Between(0.1, 9.0), Between(-3.0, 3.0)]]),
    (90, "native_recip", Units(8192.0), &[&[Between(0.1, 9.0)]]),
    (91, "native_rsqrt", Units(8192.0), &[&[Between(0.1, 9.0)]]),
    (92, "native_sin", Absolute(1e-3), &[&[Between(-3.0, 3.0)]]),
    (93, "native_sqrt", Units(8192.0), &[&[Between(0.1, 9.0)]]),
    (94, "native_tan", Absolute(1e-3), &[&[Between(-1.0, 1.0)]]),
];

const EXACT: &[Function] = &[
    (12, "ceil", Exact, &[&[Any]]),
    (13, "copysign", Exact, &[&[Any, Any]]),
    (23, "fabs", Exact, &[&[Any]]),
    (24, "fdim", Exact, &[&[Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (25, "floor", Exact, &[&[Any]]),
    (26, "fma", Exact, &[&[Any, Any, Any], &[Between(-2.0, 2.0), Between(-2.0, 2.0), Between(-4.0, 4.0)]]),
    (27, "fmax", ExactButZero, &[&[Any, Any]]),
    (28, "fmin", ExactButZero, &[&[Any, Any]]),
    (29, "fmod", Exact, &[&[Any, Any], &[Between(-999.0, 999.0), Between(-2.0, 2.0)]]),
    (34, "ldexp", Exact, &[&[Any, Int]]),
    (41, "logb", Exact, &[&[Any]]),
    (42, "mad", Units(1.0), &[&[Between(0.0, 2.0), Between(0.0, 2.0), Between(0.0, 4.0)]]),
    (43, "maxmag", ExactButZero, &[&[Any, Any]]),
    (44, "minmag", ExactButZero, &[&[Any, Any]]),
    (47, "nextafter", Exact, &[&[Any, Any]]),
    (51, "remainder", Exact, &[&[Any, Any], &[Between(-999.0, 999.0), Between(-2.0, 2.0)]]),
    (53, "rint", Exact, &[&[Any]]),
    (55, "round", Exact, &[&[Any]]),
    (66, "trunc", Exact, &[&[Any]]),
    (95, "fclamp", ExactButZero, &[&[Any, Any, Any]]),
    (97, "fmax_common", ExactButZero, &[&[Any, Any]]),
    (98, "fmin_common", ExactButZero, &[&[Any, Any]]),
    (99, "mix", Absolute(1e-3), &[&[Between(-2.0, 2.0), Between(-2.0, 2.0), Between(0.0, 1.0)]]),
    (101, "step", Exact, &[&[Any, Any]]),
    (102, "smoothstep", Absolute(1e-3), &[&[Between(-2.0, 0.0), Between(1.0, 2.0), Between(-3.0, 3.0)]]),
    (103, "sign", Exact, &[&[Any]]),
];

const VECTORS: &[Function] = &[
    (104, "cross", Absolute(2e-2), &[&[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (105, "distance", Units(8.5), &[&[Between(-2.0, 2.0), Between(-2.0, 2.0)], &[Any, Any]]),
    (106, "length", Units(4.5), &[&[Between(-2.0, 2.0)], &[Any]]),
    (107, "normalize", Units(5.0), &[&[Between(-2.0, 2.0)], &[Any]]),
    (108, "fast_distance", Units(8192.0), &[&[Between(-2.0, 2.0), Between(-2.0, 2.0)]]),
    (109, "fast_length", Units(8192.0), &[&[Between(-2.0, 2.0)]]),
    (110, "fast_normalize", Units(8192.0), &[&[Between(-2.0, 2.0)]]),
];

/// The place of a float among those of its width, in order.
fn place(value: &Value) -> i128 {
    let Value::Float { width, bits } = value else { panic!("{value:?} is no float") };
    let magnitude = i128::from(bits & (u64::MAX >> (65 - width)));
    if bits >> (width - 1) & 1 == 1 { -magnitude } else { magnitude }
}

/// What is wrong with a result, given the nearest one; how far it is off.
fn fault(bound: Bound, expected: &Value, found: &Value) -> Option<f64> {
    if let (Value::Composite(expected), Value::Composite(found)) = (expected, found) {
        let faults = expected.iter().zip(found.iter()).filter_map(|(expected, found)| fault(bound, expected, found));
        return faults.reduce(f64::max);
    }
    if expected.is_undefined() || expected == found {
        return None;
    }
    let (Some(right), Some(result)) = (expected.as_f64(), found.as_f64()) else { return Some(f64::INFINITY) };
    if right.is_nan() || result.is_nan() {
        return if right.is_nan() && result.is_nan() { None } else { Some(f64::INFINITY) };
    }
    let (steps, is_half) =
        ((place(expected) - place(found)).abs() as f64, matches!(expected, Value::Float { width: 16, .. }));
    let is_right = match bound {
        Exact => false,
        ExactButZero => right == 0.0 && result == 0.0,
        // The nearest one is half a unit from the right one.
        Units(units) if is_half => right != result && steps <= units.min(2.0),
        Units(units) => right != result && steps <= (units + 0.5).floor(),
        Absolute(distance) => (right - result).abs() <= if is_half { distance.max(4e-3) } else { distance },
    };
    (!is_right).then_some(steps)
}

/// Nothing is left that Vulkan does not have.
fn check_lowered(module: &Module) {
    let text = text::print(module);
    for left in
        ["ext_inst %set", "sat_convert", "decorate SaturatedConversion", "is_finite", "is_normal", "sign_bit_set"]
    {
        assert!(!text.contains(left), "{left} is left in\n{text}");
    }
}

/// The results of a function before and after; what is wrong with them.
fn compare(name: &str, bound: Bound, (source, rows): (&str, &[Vec<Value>])) -> Vec<String> {
    let before = results(&parsed(source), rows);
    let module = lowered(source);
    check_lowered(&module);
    let after = results(&module, rows);
    let mut faults = Vec::new();
    for ((row, before), after) in rows.iter().zip(&before).zip(&after) {
        if let Some(steps) = fault(bound, before, after) {
            faults.push((steps, format!("{name} of {row:?}: {before:?} before, {after:?} after: {steps} steps")));
        }
    }
    let count = faults.len();
    faults.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut lines: Vec<String> = faults.into_iter().map(|(_, line)| line).take(3).collect();
    lines.extend((count > 0).then(|| format!("{name}: {count} of {} wrong", rows.len())));
    lines
}

fn hold(functions: &[Function], widths: &[u32], rows: usize) {
    let mut faults = Vec::new();
    for &(number, name, bound, domains) in functions {
        for &width in widths {
            for domains in domains {
                let types: Vec<String> = domains.iter().map(|domain| domain.ty(width)).collect();
                let types: Vec<&str> = types.iter().map(String::as_str).collect();
                let operands = ["%a", "%b", "%c"][..domains.len()].join(", ");
                let line = format!("ext_inst %set, {number}, {operands}");
                let source = function_of(&format!("f{width}"), &types, &line);
                let mut random = Random(u64::from(number * 3 + width));
                let rows: Vec<Vec<Value>> =
                    (0..rows).map(|_| domains.iter().map(|domain| domain.draw(width, &mut random)).collect()).collect();
                faults.extend(compare(&format!("{name} of {width} bits"), bound, (&source, &rows)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rounded_functions() {
    hold(ROUNDED, &[16, 32, 64], 400);
}

#[test]
fn coarse_functions() {
    hold(COARSE, &[32], 1000);
}

#[test]
fn exact_functions() {
    hold(EXACT, &[16, 32, 64], 2000);
}

#[test]
fn functions_of_vectors() {
    let mut faults = Vec::new();
    for &(number, name, bound, domains) in VECTORS {
        for width in [16, 32, 64] {
            for domains in domains {
                let vector = format!("f{width}x3");
                let scalar = format!("f{width}");
                let result = if matches!(number, 104 | 107 | 110) { &vector } else { &scalar };
                let operands = ["%a", "%b"][..domains.len()].join(", ");
                let line = format!("ext_inst %set, {number}, {operands}");
                let source = function_of(result, &vec![&*vector; domains.len()], &line);
                let mut random = Random(u64::from(number * 5 + width));
                let mut draw =
                    |domain: &Domain| Value::composite((0..3).map(|_| domain.draw(width, &mut random)).collect());
                let rows: Vec<Vec<Value>> = (0..1000).map(|_| domains.iter().map(&mut draw).collect()).collect();
                faults.extend(compare(&format!("{name} of {width} bits"), bound, (&source, &rows)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Number, name, operands; the result of those from 164 to 165 is twice as wide.
const INTEGERS: &[(u32, &str, usize)] = &[
    (141, "s_abs", 1),
    (142, "s_abs_diff", 2),
    (143, "s_add_sat", 2),
    (144, "u_add_sat", 2),
    (145, "s_hadd", 2),
    (146, "u_hadd", 2),
    (147, "s_rhadd", 2),
    (148, "u_rhadd", 2),
    (149, "s_clamp", 3),
    (150, "u_clamp", 3),
    (151, "clz", 1),
    (152, "ctz", 1),
    (153, "s_mad_hi", 3),
    (154, "u_mad_sat", 3),
    (155, "s_mad_sat", 3),
    (156, "s_max", 2),
    (157, "u_max", 2),
    (158, "s_min", 2),
    (159, "u_min", 2),
    (160, "s_mul_hi", 2),
    (161, "rotate", 2),
    (162, "s_sub_sat", 2),
    (163, "u_sub_sat", 2),
    (164, "u_upsample", 2),
    (165, "s_upsample", 2),
    (166, "popcount", 1),
    (167, "s_mad24", 3),
    (168, "u_mad24", 3),
    (169, "s_mul24", 2),
    (170, "u_mul24", 2),
    (186, "bitselect", 3),
    (187, "select", 3),
    (201, "u_abs", 1),
    (202, "u_abs_diff", 2),
    (203, "u_mul_hi", 2),
    (204, "u_mad_hi", 3),
];

#[test]
fn functions_of_integers() {
    let mut faults = Vec::new();
    for &(number, name, count) in INTEGERS {
        for width in [8, 16, 32, 64] {
            let is_join = matches!(number, 164 | 165);
            if matches!(number, 167..=170) && width != 32 || is_join && width == 64 {
                continue;
            }
            for suffix in ["", "x3", "x16"] {
                let ty = format!("i{width}{suffix}");
                let result = format!("i{}{suffix}", if is_join { 2 * width } else { width });
                let operands = ["%a", "%b", "%c"][..count].join(", ");
                let source = function_of(&result, &vec![&*ty; count], &format!("ext_inst %set, {number}, {operands}"));
                let mut random = Random(u64::from(number * 7 + width));
                let mut scalar = || {
                    Value::int(
                        width as u8,
                        random.bits(width) >> if number > 166 && number < 171 { random.next() % 24 } else { 0 },
                    )
                };
                let mut operand = || match suffix {
                    "" => scalar(),
                    "x3" => Value::composite((0..3).map(|_| scalar()).collect()),
                    _ => Value::composite((0..16).map(|_| scalar()).collect()),
                };
                let rows: Vec<Vec<Value>> = (0..300).map(|_| (0..count).map(|_| operand()).collect()).collect();
                faults.extend(compare(&format!("{name} of {ty}"), Exact, (&source, &rows)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn functions_between_types() {
    let mut faults = Vec::new();
    for width in [16, 32, 64] {
        let mut random = Random(u64::from(width));
        let floats: Vec<Vec<Value>> = (0..2000).map(|_| vec![Any.draw(width, &mut random)]).collect();
        let ilogb = function_of("i32", &[&format!("f{width}")], "ext_inst %set, 33, %a");
        faults.extend(compare(&format!("ilogb of {width} bits"), Exact, (&ilogb, &floats)));
        let codes: Vec<Vec<Value>> = (0..99).map(|_| vec![Value::int(width as u8, random.next())]).collect();
        let nan = function_of(&format!("f{width}"), &[&format!("i{width}")], "ext_inst %set, 46, %a");
        faults.extend(compare(&format!("nan of {width} bits"), Exact, (&nan, &codes)));
        for number in [186, 187] {
            let (float, int) = (format!("f{width}x4"), format!("i{width}x4"));
            let choice = if number == 186 { &float } else { &int };
            let line = format!("ext_inst %set, {number}, %a, %b, %c");
            let source = function_of(&float, &[&float, &float, choice], &line);
            let mut vector = |is_float: bool| {
                let scalar = |bits: u64| match is_float {
                    true => Value::Float { width: width as u8, bits },
                    false => Value::int(width as u8, bits),
                };
                Value::composite((0..4).map(|_| scalar(random.float_bits(width))).collect())
            };
            let rows: Vec<Vec<Value>> =
                (0..300).map(|_| vec![vector(true), vector(true), vector(number == 186)]).collect();
            faults.extend(compare(&format!("instruction {number} of {float}"), Exact, (&source, &rows)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn shuffles() {
    let mut faults = Vec::new();
    let mut random = Random(182);
    for element in ["i8", "f32", "f64"] {
        let width = element[1..].parse().expect("a width");
        for length in [2, 4, 8, 16] {
            for count in [2, 4, 8, 16] {
                for number in [182, 183] {
                    let (vector, mask, result) =
                        (format!("{element}x{length}"), format!("i{width}x{count}"), format!("{element}x{count}"));
                    let types: Vec<&str> = [&*vector, &*vector, &*mask][usize::from(number == 182)..].to_vec();
                    let operands = ["%a", "%b", "%c"][..types.len()].join(", ");
                    let source = function_of(&result, &types, &format!("ext_inst %set, {number}, {operands}"));
                    let mut value = |ty: &str| {
                        let (scalar, count) = ty.split_once('x').expect("a vector");
                        let one = |bits: u64| match scalar.starts_with('f') {
                            true => Value::Float { width, bits: bits & (u64::MAX >> (64 - width)) },
                            false => Value::int(width, bits),
                        };
                        let count: u32 = count.parse().expect("a length");
                        Value::composite((0..count).map(|_| one(random.next())).collect())
                    };
                    let rows: Vec<Vec<Value>> = (0..20).map(|_| types.iter().map(|ty| value(ty)).collect()).collect();
                    faults.extend(compare(&format!("instruction {number} of {types:?}"), Exact, (&source, &rows)));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Number, name, bounds of the result and of what is stored, whether that is an integer, domains.
type Second = (u32, &'static str, [Bound; 2], bool, &'static [&'static [Domain]]);

const SECOND: &[Second] = &[
    (30, "fract", [Exact, Exact], false, &[&[Any]]),
    (31, "frexp", [Exact, Exact], true, &[&[Any]]),
    (36, "lgamma_r", [Absolute(1e-4), Exact], true, &[&[Between(-3.0, 9.0)]]),
    (45, "modf", [Exact, Exact], false, &[&[Any]]),
    (52, "remquo", [Exact, Exact], true, &[&[Any, Any], &[Between(-99.0, 99.0), Between(-2.0, 2.0)]]),
    (58, "sincos", [Units(4.0), Units(4.0)], false, &[&[Between(-8.0, 8.0)], &[Any]]),
];

/// A function that gives the result and what the instruction stored, in a struct.
fn function_with_second(number: u32, float: &str, (stored, count): (&str, usize)) -> String {
    let parameters = ["%a", "%b"][..count].iter().map(|name| format!("{name}: %{float}")).collect::<Vec<_>>();
    let operands = ["%a", "%b"][..count].join(", ");
    format!(
        "{HEAD}{}%pair = type_struct %{float}, %{stored}
         %pointer = type_pointer Function, %{stored}
         func %f: %pair ({}) {{
         block ^entry:
           %v: %pointer = variable Function
           %r: %{float} = ext_inst %set, {number}, {operands}, %v
           %s: %{stored} = load %v
           %p: %pair = composite_construct %r, %s
           return_value %p
         }}",
        vectors(),
        parameters.join(", ")
    )
}

#[test]
fn second_results() {
    let mut faults = Vec::new();
    for &(number, name, bounds, is_integer, domains) in SECOND {
        for width in [16, 32, 64] {
            for suffix in ["", "x2", "x8"] {
                for domains in domains {
                    let float = format!("f{width}{suffix}");
                    let stored = if is_integer { format!("i32{suffix}") } else { float.clone() };
                    let source = function_with_second(number, &float, (&stored, domains.len()));
                    let mut random = Random(u64::from(number * 11 + width));
                    let mut draw = |domain: &Domain| match suffix {
                        "" => domain.draw(width, &mut random),
                        "x2" => Value::composite((0..2).map(|_| domain.draw(width, &mut random)).collect()),
                        _ => Value::composite((0..8).map(|_| domain.draw(width, &mut random)).collect()),
                    };
                    let rows: Vec<Vec<Value>> = (0..300).map(|_| domains.iter().map(&mut draw).collect()).collect();
                    let before = results(&parsed(&source), &rows);
                    let after = results(&lowered(&source), &rows);
                    let elements = |value: &Value, index: usize| value.elements().expect("a struct")[index].clone();
                    for ((row, before), after) in rows.iter().zip(&before).zip(&after) {
                        for (index, bound) in bounds.into_iter().enumerate() {
                            let is_wrong = fault(bound, &elements(before, index), &elements(after, index)).is_some();
                            if is_wrong {
                                faults.push(format!("{name} of {row:?}: {before:?} before, {after:?} after"));
                            }
                        }
                    }
                }
            }
        }
    }
    faults.truncate(40);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs a function on a buffer of bytes that count up.
fn run_on_buffer(module: &Module, arguments: &[Value]) -> Outcome {
    let bytes: Vec<u8> = (0..160).map(|index: u8| index.wrapping_mul(37)).collect();
    let arguments: Vec<Argument> = arguments.iter().cloned().map(Argument::Same).chain([Argument::Buffer(0)]).collect();
    let launch = Launch { arguments, buffers: vec![bytes], ..Launch::default() };
    Interpreter::new(module).run(subject(module), &launch, &mut no_externals).unwrap_or_else(|error| panic!("{error}"))
}

fn on_buffer(parameters: &[(&str, &str)], (result, element): (&str, &str), line: &str) -> String {
    let list: Vec<String> = parameters.iter().map(|(name, ty)| format!("{name}: %{ty}")).collect();
    let end = if result == "void" { "return" } else { "return_value %r" };
    format!(
        "{HEAD}{}%pointer = type_pointer CrossWorkgroup, %{element}
         func %f: %{result} ({}, %p: %pointer) {{
         block ^entry:
           %r: %{result} = {line}
           {end}
         }}",
        vectors(),
        list.join(", ")
    )
}

fn same_on_buffer(source: &str, arguments: &[Value]) -> Option<String> {
    let before = run_on_buffer(&parsed(source), arguments);
    let after = run_on_buffer(&lowered(source), arguments);
    let returns = |outcome: &Outcome| match &outcome.only().end {
        End::Returned(value) => value.clone(),
        end => panic!("{end}\n{source}"),
    };
    let is_same = match (returns(&before), returns(&after)) {
        (Some(before), Some(after)) => fault(Exact, &before, &after).is_none(),
        (before, after) => before == after,
    };
    (!is_same || before.buffers != after.buffers)
        .then(|| format!("{source}\nof {arguments:?}: {before:?}\nbefore, after: {after:?}"))
}

#[test]
fn loads_and_stores() {
    let mut faults = Vec::new();
    let mut random = Random(171);
    for count in [2, 3, 4, 8, 16] {
        for element in ["i8", "i16", "f32"] {
            let vector = format!("{element}x{count}");
            let load = on_buffer(&[("%o", "i64")], (&vector, element), &format!("ext_inst %set, 171, %o, %p, {count}"));
            let store =
                on_buffer(&[("%d", &vector), ("%o", "i64")], ("void", element), "ext_inst %set, 172, %d, %o, %p");
            let width: u8 = element[1..].parse().expect("a width");
            let one = |bits: u64| match element {
                "f32" => Value::Float { width, bits: bits & 0xffff_ffff },
                _ => Value::int(width, bits),
            };
            let data = Value::composite((0..count).map(|_| one(random.next())).collect());
            for offset in [0, 1] {
                faults.extend(same_on_buffer(&load, &[Value::u64(offset)]));
                faults.extend(same_on_buffer(&store, &[data.clone(), Value::u64(offset)]));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn loads_and_stores_of_halves() {
    let mut faults = Vec::new();
    let mut random = Random(173);
    for count in [1, 2, 3, 4, 8, 16] {
        for float in ["f32", "f64"] {
            let vector = if count == 1 { float.to_string() } else { format!("{float}x{count}") };
            let width: u8 = float[1..].parse().expect("a width");
            let mut data = || {
                let mut one = || {
                    let half = Value::Float { width: 16, bits: random.next() & 0xffff }.as_f64().expect("a float");
                    let near = half * (1.0 + (random.next() % 5) as f64 * f64::powi(2.0, -12));
                    if half.is_nan() { Value::float(width, 0.1) } else { Value::float(width, near) }
                };
                let elements: Vec<Value> = (0..count).map(|_| one()).collect();
                if count == 1 { elements[0].clone() } else { Value::composite(elements) }
            };
            let mut lines = vec![];
            let (plain, aligned): (u32, Option<u32>) = if count == 1 { (175, None) } else { (177, Some(180)) };
            for number in [Some(plain), aligned].into_iter().flatten() {
                lines.push(format!("ext_inst %set, {number}, %d, %o, %p"));
                lines.extend((0..4).map(|mode| format!("ext_inst %set, {}, %d, %o, %p, {mode}", number + 1)));
            }
            for line in lines {
                let source = on_buffer(&[("%d", &vector), ("%o", "i64")], ("void", "f16"), &line);
                for offset in [0, 1, 2] {
                    faults.extend(same_on_buffer(&source, &[data(), Value::u64(offset)]));
                }
            }
        }
        let result = if count == 1 { "f32".to_string() } else { format!("f32x{count}") };
        let line = match count {
            1 => "ext_inst %set, 173, %o, %p".to_string(),
            _ => format!("ext_inst %set, 174, %o, %p, {count}"),
        };
        let aligned = (count > 1).then(|| format!("ext_inst %set, 179, %o, %p, {count}"));
        for line in [Some(line), aligned].into_iter().flatten() {
            let source = on_buffer(&[("%o", "i64")], (&result, "f16"), &line);
            for offset in [0, 1, 3] {
                faults.extend(same_on_buffer(&source, &[Value::u64(offset)]));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A conversion in every direction, with and without saturation.
fn conversions_of(op: &str, (from, to): (&str, &str), random: &mut Random) -> Vec<String> {
    let width: u32 = from[1..].parse().expect("a width");
    let mut operand = || match from.starts_with('f') {
        false => Value::int(width as u8, random.bits(width)),
        true if random.next().is_multiple_of(2) => Any.draw(width, random),
        true => Value::float(width as u8, (random.next() as i32 >> (random.next() % 32)) as f64 / 4.0),
    };
    let rows: Vec<Vec<Value>> = (0..200).map(|_| vec![operand()]).collect();
    let modes = ["", "decorate 39 0", "decorate 39 1", "decorate 39 2", "decorate 39 3"];
    let mut faults = Vec::new();
    for mode in if op == "u_convert" || op == "s_convert" { &modes[..1] } else { &modes } {
        for saturation in ["", "decorate 28"] {
            let decorations: Vec<&str> = [*mode, saturation].into_iter().filter(|text| !text.is_empty()).collect();
            let notes = if decorations.is_empty() { String::new() } else { format!(" {{{}}}", decorations.join(", ")) };
            let source = function_of(to, &[from], &format!("{op} %a{notes}"));
            faults.extend(compare(&format!("{op} from {from} to {to}{notes}"), Exact, (&source, &rows)));
        }
    }
    faults
}

#[test]
fn conversions() {
    let mut faults = Vec::new();
    let mut random = Random(110);
    let (ints, floats) = (["i8", "i16", "i32", "i64"], ["f16", "f32", "f64"]);
    for int in ints {
        for float in floats {
            for (op, types) in [
                ("convert_f_to_u", (float, int)),
                ("convert_f_to_s", (float, int)),
                ("convert_u_to_f", (int, float)),
                ("convert_s_to_f", (int, float)),
            ] {
                faults.extend(conversions_of(op, types, &mut random));
            }
        }
        for other in ints.into_iter().filter(|other| *other != int) {
            for op in ["u_convert", "s_convert"] {
                faults.extend(conversions_of(op, (int, other), &mut random));
            }
        }
    }
    for from in floats {
        for to in floats.into_iter().filter(|to| *to != from) {
            faults.extend(conversions_of("f_convert", (from, to), &mut random));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn saturated_conversions_between_signs() {
    let mut faults = Vec::new();
    let mut random = Random(118);
    for from in [8, 16, 32, 64] {
        for to in [8, 16, 32, 64] {
            for op in ["sat_convert_s_to_u", "sat_convert_u_to_s"] {
                let rows: Vec<Vec<Value>> = (0..200).map(|_| vec![Value::int(from as u8, random.bits(from))]).collect();
                let source = function_of(&format!("i{to}"), &[&format!("i{from}")], &format!("{op} %a"));
                faults.extend(compare(&format!("{op} from {from} to {to}"), Exact, (&source, &rows)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn classes_and_remainders() {
    let mut faults = Vec::new();
    for width in [16, 32, 64] {
        let float = format!("f{width}");
        for op in ["is_nan", "is_inf", "is_finite", "is_normal", "sign_bit_set"] {
            let mut random = Random(156);
            let rows: Vec<Vec<Value>> = (0..1000).map(|_| vec![Any.draw(width, &mut random)]).collect();
            let source = function_of("bool", &[&float], &format!("{op} %a"));
            faults.extend(compare(&format!("{op} of {float}"), Exact, (&source, &rows)));
        }
        for (op, result) in
            [("less_or_greater", "bool"), ("ordered", "bool"), ("unordered", "bool"), ("f_rem", &*float)]
        {
            let mut random = Random(161);
            let mut row = || vec![Any.draw(width, &mut random), Any.draw(width, &mut random)];
            let rows: Vec<Vec<Value>> = (0..1000).map(|_| row()).collect();
            let source = function_of(result, &[&float, &float], &format!("{op} %a, %b"));
            faults.extend(compare(&format!("{op} of {float}"), Exact, (&source, &rows)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
