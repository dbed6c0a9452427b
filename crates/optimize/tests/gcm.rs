//! Where code motion puts what: the programs of Simple's chapter 11, the kernels of the comparison, and what must not move.

use reconverge_ir::{Inst, Module, Op};
use reconverge_optimize::Analyses;
use reconverge_optimize::{Bound, MotionOptions, Move, Placement, Reason, gcm, gvn};
use reconverge_testing::programs::{functions, hold_equal, hold_verified, module, named};
use reconverge_verify::{Claims, verify_motion};

/// Moves in every function. The result is valid and does the same; so is any other placement, and so does it.
#[track_caller]
fn moved(before: &Module) -> (Module, Vec<Move>) {
    hold_verified(before);
    let run = |placement: Placement| {
        let mut after = before.clone();
        let options = MotionOptions { placement, ..MotionOptions::default() };
        let moves = functions(before)
            .into_iter()
            .flat_map(|function| gcm(&mut after, function, &options, &mut Analyses::default()).moves);
        let moves: Vec<Move> = moves.collect();
        hold_verified(&after);
        if let Some(finding) = verify_motion(before, &after, &Claims::default()).first() {
            panic!("{placement:?}: {finding}");
        }
        hold_equal(before, &after);
        (after, moves)
    };
    (1..6).for_each(|seed| drop(run(Placement::AnyLegal(seed))));
    let (after, moves) = run(Placement::Cheapest);
    for record in &moves {
        assert_eq!(after.block_of(record.inst), Some(record.to));
        assert_eq!(before.block_of(record.inst), Some(record.from));
    }
    (after, moves)
}

#[track_caller]
fn hold_at(module: &Module, value: &str, block: &str) {
    let place = module.block_of(named(module, value)).expect("a value stands in a block");
    assert_eq!(module.name(place).as_deref(), Some(block), "{value} stands in {place:?}");
}

fn record(moves: &[Move], inst: Inst) -> Option<&Move> {
    moves.iter().find(|record| record.inst == inst)
}

const MEMORY: &str = "%pointer = type_pointer Function, %u32
%buffer = type_pointer CrossWorkgroup, %u32
";

/// Chapter 11, example 1: `v.f = 2; i = v.f; if (arg) v.f = 1; return i`. The load must come before the store of the arm, though its
/// value is needed only behind it: two states of memory come together there.
#[test]
fn a_load_stays_above_a_store_that_some_ways_take() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%arg: %u32, %v: %buffer) {{
         block ^entry:
           store %v, %two
           %i: %u32 = load %v
           %c: %bool = i_not_equal %arg, %zero
           branch_if %c ^then ^join
         block ^then:
           store %v, %one
           branch ^out
         edge ^join:
           branch ^out
         block ^out:
           return_value %i
         }}"
    ));
    let (after, _) = moved(&before);
    hold_at(&after, "i", "entry");
}

/// Chapter 11, example 2: `j = i / 3` in a loop, needed only if `arg == 5`. It leaves the loop, although it was not sure to run, only
/// because a division by three cannot trap.
#[test]
fn a_division_that_cannot_trap_leaves_the_loop() {
    let program = |divisor: &str| {
        module(&format!(
            "{MEMORY}%five: %u32 = constant 5
             func %f: %void (%i: %u32, %start: %u32, %v: %buffer, %d: %u32) {{
             block ^entry:
               branch ^head(%start)
             block ^head(%arg: %u32):
               %more: %bool = u_less_than %zero, %arg
               branch_if %more ^body ^out
             block ^body:
               %j: %u32 = u_div %i, {divisor}
               %hit: %bool = i_equal %arg, %five
               branch_if %hit ^then ^skip
             block ^then:
               store %v, %j
               branch ^next
             edge ^skip:
               branch ^next
             block ^next:
               %less: %u32 = i_sub %arg, %one
               branch ^head(%less)
             block ^out:
               return
             }}"
        ))
    };
    let (after, moves) = moved(&program("%three"));
    hold_at(&after, "j", "entry");
    let why = record(&moves, named(&after, "j")).expect("it moved");
    assert_eq!((why.reason, why.bound), (Reason::Invariant, Bound::Start));
    // By a divisor that may be zero it may run only where it ran.
    let (after, moves) = moved(&program("%d"));
    hold_at(&after, "j", "body");
    assert_eq!(record(&moves, named(&after, "j")), None);
}

/// Chapter 11: `while (1) {}`. No block leads to an exit, and nothing in the program has to know.
#[test]
fn a_loop_without_end_keeps_its_stores() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%arg: %u32, %v: %buffer) {{
         block ^entry:
           %first: %u32 = load %v
           branch ^head(%zero)
         block ^head(%i: %u32):
           %k: %u32 = i_mul %arg, %arg
           %sum: %u32 = i_add %k, %first
           store %v, %sum
           %next: %u32 = i_add %i, %one
           branch ^head(%next)
         }}"
    ));
    let (after, _) = moved(&before);
    hold_at(&after, "k", "entry");
    hold_at(&after, "sum", "entry");
    hold_at(&after, "next", "head");
}

/// K2, K4 and K9: out of all the loops in which it does not change, also for a use that runs now and then.
#[test]
fn invariants_leave_as_many_loops_as_they_can() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%a: %u32, %b: %u32, %n: %u32, %v: %buffer) {{
         block ^entry:
           branch ^outer(%zero)
         block ^outer(%i: %u32):
           branch ^inner(%zero)
         block ^inner(%j: %u32):
           %fixed: %u32 = i_mul %a, %b
           %row: %u32 = i_mul %i, %a
           %both: %u32 = i_add %row, %fixed
           %cell: %u32 = i_add %both, %j
           %rare: %u32 = i_sub %b, %a
           %last: %bool = i_equal %cell, %rare
           branch_if %last ^cold ^skip
         block ^cold:
           %cold_only: %u32 = i_add %fixed, %three
           store %v, %cold_only
           branch ^next
         edge ^skip:
           branch ^next
         block ^next:
           store %v, %cell
           %j2: %u32 = i_add %j, %one
           %again: %bool = u_less_than %j2, %n
           branch_if %again ^around ^done
         edge ^around:
           branch ^inner(%j2)
         block ^done:
           %i2: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i2, %n
           branch_if %more ^up ^out
         edge ^up:
           branch ^outer(%i2)
         block ^out:
           return_value %n
         }}"
    ));
    let (after, moves) = moved(&before);
    for (value, block) in [
        ("fixed", "entry"),
        ("rare", "entry"),
        ("cold_only", "entry"),
        ("row", "outer"),
        ("both", "outer"),
        ("cell", "inner"),
        ("i2", "done"),
    ] {
        hold_at(&after, value, block);
    }
    let row = record(&moves, named(&after, "row")).expect("it moved");
    assert_eq!((row.reason, row.bound), (Reason::Invariant, Bound::Operand(named(&after, "i"))));
}

/// K3: a product that one way needs goes there, with what only it needs.
#[test]
fn what_one_way_needs_goes_there() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%a: %u32, %b: %u32, %v: %buffer) {{
         block ^entry:
           %s: %u32 = i_add %a, %b
           %p: %u32 = i_mul %s, %a
           %c: %bool = u_less_than %a, %b
           switch %a default ^out [0 ^one] [1 ^two]
         block ^one:
           store %v, %p
           branch ^merge
         block ^two:
           branch ^merge
         block ^merge:
           return_value %b
         block ^out:
           return_value %a
         }}"
    ));
    // One lane in three: a wave of 32 takes the way nearly always, and a wave of one lane in a third of all cases.
    let mut after = before.clone();
    let options = MotionOptions { lanes: 1, ..MotionOptions::default() };
    let moves = gcm(&mut after, functions(&before)[0], &options, &mut Analyses::default()).moves;
    hold_verified(&after);
    hold_equal(&before, &after);
    hold_at(&after, "p", "one");
    hold_at(&after, "s", "one");
    let p = record(&moves, named(&after, "p")).expect("it moved");
    assert_eq!((p.reason, p.bound), (Reason::PartlyDead, Bound::Uses));
    assert!(p.cost_after < p.cost_before);
    let (after, moves) = moved(&before);
    hold_at(&after, "p", "entry");
    assert!(moves.is_empty());
}

/// K6 and K7: a load leaves a loop that writes other memory, and no other. It has to be sure to run.
#[test]
fn loads_leave_loops_that_do_not_write_them() {
    let program = |target: &str| {
        module(&format!(
            "{MEMORY}func %f: %u32 (%n: %u32, %v: %buffer) {{
             block ^entry:
               %own: %pointer = variable Function, %one
               branch ^head(%zero, %zero)
             block ^head(%i: %u32, %sum: %u32):
               %x: %u32 = load %v
               %next_sum: %u32 = i_add %sum, %x
               store {target}, %next_sum
               %y: %u32 = load %own
               %i2: %u32 = i_add %i, %y
               %more: %bool = u_less_than %i2, %n
               branch_if %more ^around ^out
             edge ^around:
               branch ^head(%i2, %next_sum)
             block ^out:
               return_value %next_sum
             }}"
        ))
    };
    let (after, _) = moved(&program("%own"));
    hold_at(&after, "x", "entry");
    hold_at(&after, "y", "head");
    let (after, _) = moved(&program("%v"));
    hold_at(&after, "x", "head");
    hold_at(&after, "y", "entry");
}

/// K8: a division is guarded in the loop, and stays behind the guard; where it is sure to run it may go up.
#[test]
fn what_may_trap_goes_only_where_it_runs_anyway() {
    let before = module(
        "func %f: %u32 (%a: %u32, %b: %u32, %n: %u32) {
         block ^entry:
           %skip: %bool = i_equal %b, %zero
           branch_if %skip ^none ^head0
         block ^none:
           return_value %zero
         block ^head0:
           branch ^head(%zero, %zero)
         block ^head(%i: %u32, %sum: %u32):
           %q: %u32 = u_div %a, %b
           %sum2: %u32 = i_add %sum, %q
           %odd: %bool = i_equal %i, %three
           branch_if %odd ^guarded ^plain
         block ^guarded:
           %r: %u32 = u_mod %a, %n
           branch ^next(%r)
         edge ^plain:
           branch ^next(%zero)
         block ^next(%extra: %u32):
           %sum3: %u32 = i_add %sum2, %extra
           %i2: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i2, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2, %sum3)
         block ^out:
           return_value %sum3
         }",
    );
    let (after, moves) = moved(&before);
    hold_at(&after, "q", "head0");
    hold_at(&after, "r", "guarded");
    assert_eq!(record(&moves, named(&after, "q")).map(|q| q.bound), Some(Bound::MayTrap));
}

/// What stands behind a loop is not sure to run, and what stands behind a call is not either.
#[test]
fn nothing_that_may_trap_passes_what_may_not_end() {
    let before = module(
        "func %outside: %u32 (%x: %u32)
         func %f: %u32 (%a: %u32, %b: %u32, %n: %u32) {
         block ^entry:
           branch ^head(%zero)
         block ^head(%i: %u32):
           %i2: %u32 = i_add %i, %two
           %more: %bool = i_not_equal %i2, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2)
         block ^out:
           %q: %u32 = u_div %a, %b
           %c: %u32 = function_call %outside, %q
           %r: %u32 = u_mod %a, %c
           return_value %r
         }",
    );
    let mut after = before.clone();
    for seed in 0..40 {
        let options = MotionOptions { placement: Placement::AnyLegal(seed), ..MotionOptions::default() };
        functions(&before)
            .into_iter()
            .for_each(|function| drop(gcm(&mut after, function, &options, &mut Analyses::default())));
        hold_verified(&after);
        hold_at(&after, "q", "out");
        hold_at(&after, "r", "out");
    }
}

/// K15, the shape of C2's JDK-8333393: a load in one arm, a store in the other, a load behind both.
#[test]
fn loads_keep_their_states() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%a: %u32, %v: %buffer) {{
         block ^entry:
           %c: %bool = u_less_than %a, %three
           branch_if %c ^left ^right
         block ^left:
           %x: %u32 = load %v
           %x2: %u32 = i_mul %x, %x
           branch ^join(%x2)
         block ^right:
           store %v, %a
           branch ^join(%zero)
         block ^join(%p: %u32):
           %y: %u32 = load %v
           %s: %u32 = i_add %p, %y
           %d: %bool = u_less_than %s, %ten
           branch_if %d ^low ^high
         block ^low:
           store %v, %one
           return_value %y
         block ^high:
           return_value %s
         }}"
    ));
    let (after, _) = moved(&before);
    hold_at(&after, "x", "left");
    hold_at(&after, "y", "join");
    // With numbers first: the loads see different states.
    let mut numbered = before.clone();
    let function = functions(&before)[0];
    assert_eq!(gvn(&mut numbered, function, &mut Analyses::default()).merged, 0);
}

#[test]
fn promises_go_with_the_place() {
    let before = module(
        "func %f: %u32 (%a: %u32, %b: %u32, %n: %u32) {
         block ^entry:
           branch ^head(%zero, %zero)
         block ^head(%i: %u32, %s: %u32):
           %sure: %u32 = i_add %a, %b { decorate 4469 }
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^out
         block ^body:
           %k: %u32 = i_mul %a, %b { decorate 4469, decorate 4470 }
           %l: %u32 = i_mul %a, %n { decorate 4470 5 }
           %t: %u32 = i_add %s, %k { decorate 4469 }
           %m: %u32 = i_add %t, %l
           %u: %u32 = i_add %m, %sure
           %i2: %u32 = i_add %i, %one
           branch ^head(%i2, %u)
         block ^out:
           return_value %s
         }",
    );
    let (after, _) = moved(&before);
    let promises = |value: &str| {
        let list = after.decorations(named(&after, value));
        list.iter().filter(|&&decoration| after.op(decoration) == Op::Decorate).count()
    };
    hold_at(&after, "k", "entry");
    hold_at(&after, "l", "entry");
    hold_at(&after, "t", "body");
    // A word too many makes a promise no weaker.
    assert_eq!((promises("k"), promises("l"), promises("t")), (0, 0, 1));
}

#[test]
fn a_promise_with_a_word_too_many_is_forgotten_without_others() {
    let before = module(
        "func %f: %u32 (%a: %u32, %n: %u32) {
         block ^entry:
           branch ^head(%zero, %zero)
         block ^head(%i: %u32, %s: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^out
         block ^body:
           %k: %u32 = i_mul %a, %n { decorate 4469 5 }
           %t: %u32 = i_add %s, %k
           %i2: %u32 = i_add %i, %one
           branch ^head(%i2, %t)
         block ^out:
           return_value %s
         }",
    );
    let (after, _) = moved(&before);
    hold_at(&after, "k", "entry");
    assert!(after.decorations(named(&after, "k")).iter().all(|&decoration| after.op(decoration) == Op::Name));
}

#[test]
fn locations_go_along_and_stay_behind() {
    let before = module(
        "%file = string \"k.cl\"
         func %f: %u32 (%a: %u32, %b: %u32, %n: %u32) {
         block ^entry:
           branch ^head(%zero)
         block ^head(%i: %u32):
           %k: %u32 = i_mul %a, %b at %file 3:1
           %i2: %u32 = i_add %i, %k
           %more: %bool = u_less_than %i2, %n at %file 4:1
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2)
         block ^out:
           return_value %i2
         }",
    );
    let (after, _) = moved(&before);
    hold_at(&after, "k", "entry");
    for value in ["k", "i2", "more"] {
        assert_eq!(after.location(named(&after, value)), before.location(named(&before, value)), "{value}");
    }
    let entry = after.block_of(named(&after, "k")).expect("it stands in a block");
    let jump = after.terminator(entry).expect("it is complete");
    assert_eq!(after.location(jump), None);
}

/// A loop whose counter all lanes share; `way` decides who comes to ^arm.
fn counting(way: &str, bound: &str, inside: &str, in_arm: &str, behind: &str) -> Module {
    module(&format!(
        "{MEMORY}%out = type_pointer CrossWorkgroup, %f32
         %uvec4 = type_vector %u32, 4
         func %f: %u32 (%n: %u32, %x: %f32, %v: %buffer, %w: %out) {{
         block ^entry:
           branch ^head(%zero)
         block ^head(%i: %u32):
           {inside}
           %hit: %bool = i_equal {way}, %three
           branch_if %hit ^arm ^skip
         block ^arm:
           {in_arm}
           branch ^next
         edge ^skip:
           branch ^next
         block ^next:
           %i2: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i2, {bound}
           branch_if %more ^around ^leave
         edge ^around:
           branch ^head(%i2)
         block ^leave:
           {behind}
           return_value %n
         }}"
    ))
}

/// K11: a derivative goes down where all lanes go together, and nowhere else.
#[test]
fn derivatives_stay_with_their_lanes() {
    let inside = "%s: %f32 = convert_u_to_f %i
           %y: %f32 = f_mul %x, %s
           %slope: %f32 = d_pdx %y";
    // The counter is the same for all lanes, which the witness cannot know.
    let before = counting("%i", "%ten", inside, "store %w, %slope", "");
    let mut after = before.clone();
    gcm(&mut after, functions(&before)[0], &MotionOptions::default(), &mut Analyses::default());
    hold_verified(&after);
    hold_equal(&before, &after);
    hold_at(&after, "slope", "arm");
    hold_at(&after, "y", "arm");
    let before = counting("%n", "%ten", inside, "store %w, %slope", "");
    for seed in 0..20 {
        let mut after = before.clone();
        let options = MotionOptions { placement: Placement::AnyLegal(seed), lanes: 1 };
        gcm(&mut after, functions(&before)[0], &options, &mut Analyses::default());
        hold_at(&after, "slope", "head");
    }
}

/// K12: what depends on who is there stays where it is.
#[test]
fn ballots_stay() {
    let inside = "%all: %uvec4 = group_non_uniform_ballot %three, %true
           %bits: %u32 = composite_extract %all, 0";
    let before = counting("%i", "%n", inside, "store %v, %bits", "");
    for seed in 0..20 {
        let mut after = before.clone();
        let options = MotionOptions { placement: Placement::AnyLegal(seed), ..MotionOptions::default() };
        gcm(&mut after, functions(&before)[0], &options, &mut Analyses::default());
        hold_verified(&after);
        hold_at(&after, "all", "head");
    }
}

/// K13: a value that all lanes share in each iteration does not leave a loop that they leave in different ones.
#[test]
fn uniform_values_stay_in_loops_that_lanes_leave_apart() {
    let inside = "%k: %u32 = i_mul %i, %three";
    let (after, _) = moved(&counting("%i", "%ten", inside, "", "store %v, %k"));
    hold_at(&after, "k", "leave");
    let (after, moves) = moved(&counting("%i", "%n", inside, "", "store %v, %k"));
    hold_at(&after, "k", "head");
    assert_eq!(record(&moves, named(&after, "k")).map(|k| (k.reason, k.bound)), None);
}

/// K14: more invariants than can be held stay in the loop, as many as it takes.
#[test]
fn not_more_values_live_at_once_than_allowed() {
    let (mut body, mut sum) = (String::new(), "%s".to_owned());
    for number in 0..60 {
        body += &format!("%c{number}: %u32 = shift_left_logical %a, %n{number}\n");
        body += &format!("%d{number}: %u32 = i_add {sum}, %c{number}\n");
        sum = format!("%d{number}");
    }
    let constants: String = (0..60).map(|n| format!("%n{n}: %u32 = constant {}\n", n + 100)).collect();
    let before = module(&format!(
        "{constants}func %f: %u32 (%a: %u32, %n: %u32) {{
         block ^entry:
           branch ^head(%zero, %zero)
         block ^head(%i: %u32, %s: %u32):
           {body}
           %i2: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i2, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2, {sum})
         block ^out:
           return_value {sum}
         }}"
    ));
    let mut after = before.clone();
    let moves = gcm(&mut after, functions(&before)[0], &MotionOptions::default(), &mut Analyses::default());
    hold_verified(&after);
    let pressure = moves.pressure;
    let (Some(before), Some(after)) = (pressure.before, pressure.after) else { panic!("{pressure:?}") };
    assert!(after <= 16 && after > before && pressure.kept > 0, "{pressure:?}");
    assert_eq!(moves.moves.len(), 60 - pressure.kept);
    assert!(moves.moves.len() > 5);
}
