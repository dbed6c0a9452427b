//! Atomic functions of a work-item on memory of its own: those of OpenCL 1 and their `atom_` forms (OpenCL C 3.0, section 6.15.12.8), those of
//! C11 with every order and scope (6.15.12.7), flags, and those of floats (`cl_ext_float_atomics`).
//!
//! Each function has two rows: what it returns, and what it leaves in memory. What work-items do to each other is in `collective.rs`.

use super::exact::WORD;
use super::float::float;
use super::number::{Number, Type};
use super::row::{Lengths, Row, Wanted};

const HALF: Type = Type::Float { bits: 16 };

/// The new value in memory of an atomic function, from the old one and the operand.
type Change = fn(Type, i128, i128) -> i128;

/// The functions with one operand, by their names after `atomic_`.
const CHANGES: [(&str, Change); 8] = [
    ("add", |_, a, b| a + b),
    ("sub", |_, a, b| a - b),
    ("xchg", |_, _, b| b),
    ("min", |_, a, b| a.min(b)),
    ("max", |_, a, b| a.max(b)),
    ("and", |_, a, b| a & b),
    ("or", |_, a, b| a | b),
    ("xor", |_, a, b| a ^ b),
];

/// The places of memory: the address space of the pointer, and the pointer.
const PLACES: [(&str, &str); 3] = [("local", "$L"), ("global", "$G"), ("", "$G")];

/// The functions of every type.
pub(super) fn rows() -> Vec<Row> {
    let int = |is_signed, bits| Type::Int { is_signed, bits };
    let integers = [int(true, 32), int(false, 32), int(true, 64), int(false, 64)];
    let mut rows: Vec<Row> = integers.into_iter().flat_map(of_integers).collect();
    rows.extend(integers.into_iter().chain(Type::FLOATS).flat_map(moves));
    rows.extend(Type::FLOATS.into_iter().flat_map(of_floats));
    rows.extend(orders());
    rows.extend(flags());
    rows
}

fn int(number: Number) -> i128 {
    match number {
        Number::Int(value) => value,
        Number::Float(value) => panic!("invariant: {value} is an integer"),
    }
}

fn same(number: Number) -> Wanted {
    match number {
        Number::Int(value) => Wanted::Int(value),
        // A NaN may lose its bits.
        Number::Float(exact) => Wanted::Float { exact, ulps: 0.0 },
    }
}

/// The name of the type of atomic objects.
fn object(ty: Type) -> String {
    format!("atomic_{}", ty.name())
}

/// A row for what a call returns, and one for what it leaves in memory.
fn both(place: &str, call: &str, ty: Type, operands: &[Type], left: fn(&Row, &[Number]) -> Wanted) -> [Row; 2] {
    let returned = Row::new(&format!("({{ *{place} = a; {call}; }})"), operands, ty, |_, operands| same(operands[0]));
    let kept = Row::new(&format!("({{ *{place} = a; {call}; *{place}; }})"), operands, ty, left);
    [returned, kept].map(|row| row.of(Lengths::Scalar).apart("atomic"))
}

macro_rules! changes {
    ($($index:literal)*) => {
        [$(|row: &Row, operands: &[Number]| {
            Wanted::Int((CHANGES[$index].1)(row.result, int(operands[0]), int(operands[1])))
        }),*]
    };
}

/// The definitions of `CHANGES` as those of rows.
const LEFT: [fn(&Row, &[Number]) -> Wanted; 8] = changes!(0 1 2 3 4 5 6 7);

fn of_integers(ty: Type) -> Vec<Row> {
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    let mut rows = Vec::new();
    // Functions on 64 bits of OpenCL 1 have the older prefix.
    let prefixes = if ty.bits() == 32 { &["atomic", "atom"][..] } else { &["atom"] };
    for &(space, place) in &PLACES[..2] {
        let pointer = format!("(volatile {space} $t *){place}");
        for prefix in prefixes {
            for (&(name, _), left) in CHANGES.iter().zip(LEFT) {
                rows.extend(both(place, &format!("{prefix}_{name}({pointer}, b)"), ty, two, left));
            }
            let inc = |_: &Row, operands: &[Number]| Wanted::Int(int(operands[0]) + 1);
            rows.extend(both(place, &format!("{prefix}_inc({pointer})"), ty, one, inc));
            let dec = |_: &Row, operands: &[Number]| Wanted::Int(int(operands[0]) - 1);
            rows.extend(both(place, &format!("{prefix}_dec({pointer})"), ty, one, dec));
            let call = format!("{prefix}_cmpxchg({pointer}, b & 1 ? a : b, c)");
            rows.extend(both(place, &call, ty, three, exchanged));
        }
    }
    for (space, place) in PLACES {
        let pointer = format!("(volatile {space} {} *){place}", object(ty));
        for (&(name, _), left) in CHANGES.iter().zip(LEFT).filter(|((name, _), _)| *name != "xchg") {
            rows.extend(both(place, &format!("atomic_fetch_{name}({pointer}, b)"), ty, two, left));
        }
    }
    rows
}

/// A comparison with what is there, or with another value, and an exchange if both are equal.
fn exchanged(_: &Row, operands: &[Number]) -> Wanted {
    let [a, b, c] = [0, 1, 2].map(|index| int(operands[index]));
    Wanted::Int(if b & 1 == 1 || a == b { c } else { a })
}

/// Loads, stores and exchanges of every type, and comparisons of integers with them.
fn moves(ty: Type) -> Vec<Row> {
    let (two, three) = (&[ty, ty][..], &[ty, ty, ty][..]);
    let mut rows = Vec::new();
    let scalar = |text: String, operands: &[Type], result, definition| {
        Row::new(&text, operands, result, definition).of(Lengths::Scalar).apart("atomic")
    };
    for (space, place) in PLACES {
        let pointer = format!("(volatile {space} {} *){place}", object(ty));
        let second = |_: &Row, operands: &[Number]| same(operands[1]);
        rows.push(scalar(format!("({{ *{place} = a; *{place} = b; atomic_load({pointer}); }})"), two, ty, second));
        rows.push(scalar(format!("({{ *{place} = a; atomic_store({pointer}, b); *{place}; }})"), two, ty, second));
        // clang declares no initialization of halves.
        if ty != HALF {
            rows.push(scalar(format!("({{ *{place} = a; atomic_init({pointer}, b); *{place}; }})"), two, ty, second));
        }
        rows.extend(both(place, &format!("atomic_exchange({pointer}, b)"), ty, two, second));
        if space == "global" && ty.bits() < 64 && !ty.is_float()
            || ty.bits() == 32 && ty.is_float() && !space.is_empty()
        {
            let call = format!("atomic_xchg((volatile {space} $t *){place}, b)");
            rows.extend(both(place, &call, ty, two, second));
        }
        if ty.is_float() {
            continue;
        }
        for form in ["strong", "weak"] {
            let call = format!("$t e = b & 1 ? a : b; int d = atomic_compare_exchange_{form}({pointer}, &e, c)");
            let left = format!("({{ *{place} = a; {call}; *{place}; }})");
            let is_done = format!("({{ *{place} = a; {call}; d; }})");
            let expected = format!("({{ *{place} = a; {call}; e; }})");
            rows.push(scalar(left, three, ty, exchanged));
            rows.push(scalar(is_done, three, WORD, |_, operands| {
                let (a, b) = (int(operands[0]), int(operands[1]));
                Wanted::Int((b & 1 == 1 || a == b).into())
            }));
            rows.push(scalar(expected, three, ty, |_, operands| same(operands[0])));
        }
    }
    rows
}

/// Sums and limits of floats. Limits of NaN are open, and so is which zero is less.
fn of_floats(ty: Type) -> Vec<Row> {
    let operands = &[ty, ty][..];
    let mut rows = Vec::new();
    for (space, place) in &PLACES[..2] {
        let call = |name: &str| format!("atomic_fetch_{name}((volatile {space} {} *){place}, b)", object(ty));
        let families = [
            (both(place, &call("add"), ty, operands, |_, operands| sum(operands, 1.0)), "atomic sum"),
            (both(place, &call("sub"), ty, operands, |_, operands| sum(operands, -1.0)), "atomic difference"),
            (both(place, &call("min"), ty, operands, |_, operands| chosen(operands, f64::min)), "atomic minimum"),
            (both(place, &call("max"), ty, operands, |_, operands| chosen(operands, f64::max)), "atomic maximum"),
        ];
        rows.extend(families.into_iter().flat_map(|(rows, apart)| rows.map(|row| row.apart(apart))));
    }
    rows
}

fn sum(operands: &[Number], sign: f64) -> Wanted {
    Wanted::Float { exact: float(operands[0]) + sign * float(operands[1]), ulps: 0.0 }
}

fn chosen(operands: &[Number], choose: fn(f64, f64) -> f64) -> Wanted {
    let (a, b) = (float(operands[0]), float(operands[1]));
    if a.is_nan() || b.is_nan() { Wanted::Any } else { Wanted::Float { exact: choose(a, b), ulps: 0.0 } }
}

/// Every order and scope that OpenCL has for a kind of access.
fn orders() -> Vec<Row> {
    const SCOPES: [&str; 4] = ["sub_group", "work_group", "device", "all_svm_devices"];
    let two = &[WORD, WORD][..];
    let second = |_: &Row, operands: &[Number]| same(operands[1]);
    let mut rows = Vec::new();
    for (space, place) in &PLACES[..2] {
        let pointer = format!("(volatile {space} atomic_int *){place}");
        let mut push = |text: String, definition| {
            rows.push(Row::new(&text, two, WORD, definition).of(Lengths::Scalar).apart("atomic order"));
        };
        for scope in SCOPES.map(|scope| format!("memory_scope_{scope}")) {
            for order in ["relaxed", "acquire", "release", "acq_rel", "seq_cst"] {
                let with = format!("memory_order_{order}, {scope}");
                let call = format!("atomic_fetch_add_explicit({pointer}, b, {with})");
                push(format!("({{ *{place} = a; {call}; *{place}; }})"), LEFT[0]);
                let call = format!("atomic_exchange_explicit({pointer}, b, {with})");
                push(format!("({{ *{place} = a; {call}; *{place}; }})"), second);
                let failing = if matches!(order, "relaxed" | "release") { "relaxed" } else { "acquire" };
                let with = format!("memory_order_{order}, memory_order_{failing}, {scope}");
                let call = format!("atomic_compare_exchange_strong_explicit({pointer}, &e, b, {with})");
                push(format!("({{ *{place} = a; int e = a; {call}; *{place}; }})"), second);
            }
            for order in ["relaxed", "acquire", "seq_cst"] {
                let call = format!("atomic_load_explicit({pointer}, memory_order_{order}, {scope})");
                push(format!("({{ *{place} = b; {call}; }})"), second);
            }
            for order in ["relaxed", "release", "seq_cst"] {
                let call = format!("atomic_store_explicit({pointer}, b, memory_order_{order}, {scope})");
                push(format!("({{ *{place} = a; {call}; *{place}; }})"), second);
            }
        }
    }
    rows
}

/// A flag that is set, cleared, and tested: what each test returns, as bits.
fn flags() -> Vec<Row> {
    let test = "atomic_flag_test_and_set";
    let clear = "atomic_flag_clear";
    let with = "memory_order_acq_rel, memory_scope_device";
    let released = "memory_order_release, memory_scope_device";
    PLACES[..2]
        .iter()
        .flat_map(|(space, place)| {
            let flag = format!("volatile {space} atomic_flag *f = (volatile {space} atomic_flag *){place};");
            [
                format!("({{ {flag} {clear}(f); int t = {test}(f); t |= {test}(f) << 1; {clear}(f); t | {test}(f) << 2; }})"),
                format!(
                    "({{ {flag} {clear}_explicit(f, {released}); int t = {test}_explicit(f, {with}); t | {test}_explicit(f, {with}) << 1; }})"
                ),
            ]
        })
        .map(|text| Row::new(&text, &[WORD], WORD, |_, _| Wanted::Int(2)).of(Lengths::Scalar).apart("atomic flag"))
        .collect()
}
