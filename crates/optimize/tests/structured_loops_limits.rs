//! Passes over loops on what is large or deep: a small stack, many constructs, limits on what may be written.

use std::fmt::Write as _;

use reconverge_analysis::trip_count::{FullUnroll, FullUnrolls, Specialization, TripCount, TripCounts};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, text};
use reconverge_optimize::structured::{
    DemandCode, UnrollLimits, loop_peel, loop_rotate_all, loop_unroll, loop_unroll_within, lower_continue_constructs,
    lower_returns,
};
use reconverge_testing::programs::{count, functions};
use reconverge_verify::verify;

const HEAD: &str = "%void = type_void\n%bool = type_bool\n%u32 = type_int 32, 0\n%true: %bool = constant_true
%zero: %u32 = constant 0\n%one: %u32 = constant 1\n%three: %u32 = constant 3\n";

type Pass = fn(&mut Module, Function) -> Result<bool, Diagnostic>;

const PASSES: [(&str, Pass); 5] = [
    ("lower_returns", lower_returns),
    ("lower_continue_constructs", lower_continue_constructs),
    ("loop_unroll", loop_unroll),
    ("loop_peel", loop_peel),
    ("loop_rotate_all", loop_rotate_all),
];

fn parse(body: &str) -> Module {
    text::parse(&format!("{HEAD}{body}")).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Runs something on a stack of a megabyte.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread").join().expect("no panic");
}

fn run_every_pass(before: &Module, then: impl Fn(&str, &Module)) {
    for (name, pass) in PASSES {
        let mut module = before.clone();
        let function = functions(&module)[0];
        pass(&mut module, function).unwrap_or_else(|error| panic!("{name}: {error}"));
        then(name, &module);
    }
}

fn check_valid(name: &str, module: &Module) {
    let findings = verify(module);
    assert!(findings.is_empty(), "{name}: {}", findings[0]);
}

/// `for (i = 0; i < n; i++) for … { if (p) return; }`, with something in each continue list.
fn nested_loops(depth: usize) -> Module {
    let mut body = String::from("func %f: %void (%n: %u32, %p: %bool) stage structured {\nblock ^entry:\n");
    for level in 0..depth {
        let more = if level % 2 == 0 { "%n" } else { "%one" };
        write!(
            body,
            "loop ^h{level}(%zero) break ^m{level} continue ^c{level}
             block ^h{level}(%i{level}: %u32):
             %more{level}: %bool = u_less_than %i{level}, {more}
             branch_if %more{level} ^b{level} ^e{level}
             edge ^e{level}:
             branch ^m{level}
             block ^b{level}:\n"
        )
        .expect("text grows");
    }
    body += "if %p ^out ^skip merge ^on\nblock ^out:\nreturn\nedge ^skip:\nbranch ^on\nblock ^on:\n";
    for level in (0..depth).rev() {
        write!(
            body,
            "branch ^c{level}
             block ^c{level}:
             %next{level}: %u32 = i_add %i{level}, %one
             branch ^h{level}(%next{level})
             block ^m{level}:\n"
        )
        .expect("text grows");
    }
    body += "return\n}\n";
    parse(&body)
}

#[test]
fn ten_thousand_nested_loops_on_a_small_stack() {
    on_a_small_stack(|| {
        // Deeper than SPIR-V allows, so fewer are judged.
        run_every_pass(&nested_loops(10_000), |_, _| {});
        run_every_pass(&nested_loops(500), check_valid);
    });
}

/// A loop around `if (p) { if (p) { … return } }`.
fn nested_selections(depth: usize) -> Module {
    let mut body = String::from(
        "func %f: %void (%p: %bool) stage structured {\nblock ^entry:\nloop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):\nbranch ^b0\nblock ^b0:\n",
    );
    for level in 0..depth {
        let next = level + 1;
        write!(body, "if %p ^b{next} ^s{level} merge ^j{level}\nedge ^s{level}:\nbranch ^j{level}\nblock ^b{next}:\n")
            .expect("text grows");
    }
    body += "return\n";
    for level in (0..depth).rev() {
        writeln!(body, "block ^j{level}:").expect("text grows");
        if level > 0 {
            writeln!(body, "branch ^j{}", level - 1).expect("text grows");
        }
    }
    body += "branch ^c\nblock ^c:\n%next: %u32 = i_add %i, %one\n%more: %bool = u_less_than %next, %three
             branch_if %more ^back ^e\nedge ^back:\nbranch ^h(%next)\nedge ^e:\nbranch ^m\nblock ^m:\nreturn\n}\n";
    parse(&body)
}

#[test]
fn ten_thousand_nested_selections_on_a_small_stack() {
    on_a_small_stack(|| {
        run_every_pass(&nested_selections(10_000), |_, _| {});
        run_every_pass(&nested_selections(500), check_valid);
    });
}

/// A loop whose body is a row of selections, each of which may return or go on with the next iteration.
fn long_body(length: usize) -> Module {
    let mut body = String::from(
        "func %f: %void (%n: %u32, %p: %bool) stage structured {\nblock ^entry:\nloop ^h(%zero) break ^m continue ^c
         block ^h(%i: %u32):\n%more: %bool = u_less_than %i, %n\nbranch_if %more ^b0 ^e\nedge ^e:\nbranch ^m\nblock ^b0:\n",
    );
    for number in 0..length {
        let (next, leaves) = (number + 1, if number % 3 == 0 { "return" } else { "branch ^c" });
        write!(
            body,
            "if %p ^x{number} ^s{number} merge ^b{next}\nblock ^x{number}:\n{leaves}\nedge ^s{number}:\nbranch ^b{next}
             block ^b{next}:\n%v{number}: %u32 = i_add %i, %one\n"
        )
        .expect("text grows");
    }
    body += "branch ^c\nblock ^c:\n%next: %u32 = i_add %i, %one\nbranch ^h(%next)\nblock ^m:\nreturn\n}\n";
    parse(&body)
}

#[test]
fn a_body_of_a_hundred_thousand_blocks() {
    on_a_small_stack(|| {
        run_every_pass(&long_body(34_000), |_, _| {});
        run_every_pass(&long_body(2_000), check_valid);
    });
}

/// Loops of three trips each, nested: the innermost body is there once for each way through all of them.
fn nested_counted(depth: usize, control: u32) -> Module {
    let mut body = String::from("func %f: %void () stage structured {\nblock ^entry:\n");
    for level in 0..depth {
        write!(
            body,
            "loop ^h{level}(%zero) break ^m{level} continue ^c{level} control {control}
             block ^h{level}(%i{level}: %u32):
             %more{level}: %bool = u_less_than %i{level}, %three
             branch_if %more{level} ^b{level} ^e{level}
             edge ^e{level}:
             branch ^m{level}
             block ^b{level}:\n"
        )
        .expect("text grows");
    }
    for level in (0..depth).rev() {
        write!(
            body,
            "branch ^c{level}
             block ^c{level}:
             %next{level}: %u32 = i_add %i{level}, %one
             branch ^h{level}(%next{level})
             block ^m{level}:\n"
        )
        .expect("text grows");
    }
    body += "return\n}\n";
    parse(&body)
}

fn instructions(module: &Module) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.map(|block| module.children(block).count()).sum()
}

#[test]
fn unasked_unrolling_of_nested_loops_stays_small() {
    let mut module = nested_counted(12, 0);
    let (before, function) = (instructions(&module), functions(&module)[0]);
    assert_eq!(loop_unroll(&mut module, function), Ok(true));
    assert!(count(&module, Op::Loop) > 0);
    assert!(instructions(&module) < before + 2 * UnrollLimits::default().automatic, "{}", instructions(&module));
    assert!(verify(&module).is_empty());
}

#[test]
fn demanded_unrolling_ends_at_the_limits() {
    let mut module = nested_counted(12, 1);
    let function = functions(&module)[0];
    let limits = UnrollLimits::default();
    match loop_unroll_within(&mut module, function, &limits) {
        Err(error) if error.is(DemandCode::UnrollGrowth) => {
            assert_eq!(Inst::of_place(error.place).map(|inst| module.op(inst)), Some(Op::Loop));
        }
        other => panic!("{other:?}"),
    }
    assert!(instructions(&module) < 2 * limits.forced, "{}", instructions(&module));
}

#[test]
fn the_total_holds_for_loops_one_after_the_other() {
    let mut module = nested_counted(1, 1);
    let function = functions(&module)[0];
    let tight = UnrollLimits { total: 8, ..UnrollLimits::default() };
    let refused = loop_unroll_within(&mut module, function, &tight);
    assert!(refused.as_ref().is_err_and(|error| error.is(DemandCode::UnrollGrowth)), "{refused:?}");
}

/// A loop of four iterations over a variable, with something in its body, which goes on to `^c`.
fn counted_loop(control: u32, body: &str) -> Module {
    parse(&format!(
        "%pointer = type_pointer 7, %u32
         func %f: %void (%p: %bool) stage structured {{
         block ^entry:
           %v: %pointer = variable 7
           store %v, %zero
           loop ^h break ^m continue ^c control {control}
         block ^h:
           %i: %u32 = load %v
           %more: %bool = u_less_than %i, %three
           branch_if %more ^b0 ^e
         edge ^e:
           branch ^m
         {body}
         block ^c:
           %old: %u32 = load %v
           %new: %u32 = i_add %old, %one
           store %v, %new
           branch ^h
         block ^m:
           return
         }}"
    ))
}

#[test]
fn every_load_of_a_counter_is_known_however_many_there_are() {
    let in_one_block =
        (0..6000).fold("block ^b0:\n".to_owned(), |body, number| format!("{body}%l{number}: %u32 = load %v\n"));
    let in_blocks = (0..6000).fold(String::new(), |body, number| {
        format!("{body}block ^b{number}:\n%l{number}: %u32 = load %v\nbranch ^b{}\n", number + 1)
    });
    for body in [in_one_block + "branch ^c", in_blocks + "block ^b6000:\nbranch ^c"] {
        let mut module = counted_loop(1, &body);
        let function = functions(&module)[0];
        assert_eq!(loop_unroll(&mut module, function), Ok(true));
        assert_eq!((count(&module, Op::Load), count(&module, Op::Loop)), (0, 0));
    }
}

#[test]
fn a_loop_with_many_ways_out_is_counted() {
    let mut body = String::new();
    for number in 0..20_000 {
        let next = number + 1;
        write!(body, "block ^b{number}:\nbranch_if %p ^b{next} ^e{number}\nedge ^e{number}:\nbranch ^m\n")
            .expect("a string");
    }
    let module = counted_loop(0, &(body + "block ^b20000:\nbranch ^c"));
    let function = functions(&module)[0];
    let header = module.blocks(function).nth(1).expect("a header");
    let counts = TripCounts::compute(&module, function);
    let TripCount::Exact(counted) = counts.trip_count(header) else { panic!("the loop is counted") };
    assert_eq!((counted.repeats, counted.exits), (3, 20_001));
}

#[test]
fn a_nest_of_too_many_copies_is_given_up_soon() {
    let head = |name: &str, more: &str, next: &str| {
        format!(
            "block ^h{name}(%{name}: %u32):\n{more}branch_if %more{name} ^{next} ^e{name}\nedge ^e{name}:\nbranch ^m{name}\n"
        )
    };
    let tail = |name: &str, begin: &str| {
        format!(
            "block ^c{name}:\n%n{name}: %u32 = i_add %{name}, %one\nbranch ^h{name}(%n{name})\nblock ^m{name}:\n{begin}\n"
        )
    };
    let open = |name: &str| format!("loop ^h{name}(%zero) break ^m{name} continue ^c{name} control 1\n");
    let outer = |name: &str| format!("%more{name}: %bool = u_less_than %{name}, %128\n");
    let inner = "%up: %u32 = i_add %3500, %a\n%bound: %u32 = i_sub %up, %b\n%morec: %bool = u_less_than %c, %bound\n";
    let module = parse(&[
        "%128: %u32 = constant 128\n%3500: %u32 = constant 3500\nfunc %f: %void () stage structured {\nblock ^entry:\n".to_owned(),
        open("a"), head("a", &outer("a"), "pa"), "block ^pa:\n".to_owned(),
        open("b"), head("b", &outer("b"), "pb"), "block ^pb:\n".to_owned(),
        open("c"), head("c", inner, "cc"),
        tail("c", "branch ^cb"), tail("b", "branch ^ca"), tail("a", "return"), "}".to_owned(),
    ].concat());
    let function = functions(&module)[0];
    let judged = FullUnrolls::compute(&module, function, Specialization::Open, FullUnroll::LIMIT);
    let headers = module.blocks(function).filter_map(|block| Some((block, judged.full_unroll(block)?)));
    let judgements: Vec<&FullUnroll> = headers.map(|(_, judgement)| judgement).collect();
    assert!(matches!(judgements[..], [FullUnroll::TooLarge { .. }, FullUnroll::Possible, FullUnroll::Unknown]));
}
