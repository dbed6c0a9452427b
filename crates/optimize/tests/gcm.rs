//! Code motion on the programs of its filetests, which say where what goes: any other legal placement does the same, what must not move
//! does not, and each move says why.

use reconverge_ir::{Function, Inst, Module};
use reconverge_optimize::Analyses;
use reconverge_optimize::{Bound, MotionOptions, Move, Placement, Reason, gcm};
use reconverge_testing::filetest::{folder, input, modules_below};
use reconverge_testing::programs::{check_equal, check_verified, functions, module};
use reconverge_verify::{Claims, verify_motion};

/// Moves in every function.
fn moved(before: &Module, options: &MotionOptions) -> (Module, Vec<Move>) {
    let mut after = before.clone();
    let mut moves = Vec::new();
    for function in functions(before) {
        moves.extend(gcm(&mut after, function, options, &mut Analyses::default()).moves);
    }
    check_verified(&after);
    (after, moves)
}

fn any_legal(seed: u64) -> MotionOptions {
    MotionOptions { placement: Placement::AnyLegal(seed), ..MotionOptions::default() }
}

/// A value of a function, both by name.
#[track_caller]
fn value_of(module: &Module, function: &str, value: &str) -> Inst {
    let is_named = |&found: &Function| module.name(found).as_deref() == Some(function);
    let function = functions(module).into_iter().find(is_named).expect("a function of that name");
    let mut values = module.blocks(function).flat_map(|block| module.children(block));
    values.find(|&inst| module.name(inst).as_deref() == Some(value)).expect("a value of that name")
}

#[track_caller]
fn check_at(module: &Module, (function, value): (&str, &str), block: &str) {
    let place = module.block_of(value_of(module, function, value)).expect("a value stands in a block");
    assert_eq!(module.name(place).as_deref(), Some(block), "{value} of {function}");
}

#[test]
fn any_legal_placement_does_the_same() {
    for (path, before) in modules_below(&folder().join("passes/gcm")).expect("files") {
        // Which lanes take a derivative together follows from the uniformity of the counter, which the witness does not know.
        let is_witnessed = !path.ends_with("derivatives.ir");
        for options in (1..6).map(any_legal).chain([MotionOptions::default()]) {
            let (after, moves) = moved(&before, &options);
            let findings = if is_witnessed { verify_motion(&before, &after, &Claims::default()) } else { Vec::new() };
            assert!(findings.is_empty(), "{}, {options:?}: {}", path.display(), findings[0]);
            check_equal(&before, &after);
            for record in &moves {
                assert_eq!(after.block_of(record.inst), Some(record.to), "{}", path.display());
                assert_eq!(before.block_of(record.inst), Some(record.from), "{}", path.display());
            }
        }
    }
}

/// What may trap, and what depends on which lanes are there, stays under every placement.
#[test]
fn what_must_not_move_stays_wherever_the_rest_goes() {
    let may_not_end = input("passes/gcm/may_not_end.ir");
    let ballots = input("passes/gcm/ballots.ir");
    let derivatives = input("passes/gcm/derivatives.ir");
    for seed in 0..40 {
        let (after, _) = moved(&may_not_end, &any_legal(seed));
        check_at(&after, ("f", "q"), "out");
        check_at(&after, ("f", "r"), "out");
        check_at(&moved(&ballots, &any_legal(seed)).0, ("f", "all"), "head");
        let one_lane = MotionOptions { lanes: 1, ..any_legal(seed) };
        check_at(&moved(&derivatives, &one_lane).0, ("apart", "slope"), "head");
    }
}

#[test]
fn every_move_has_a_reason() {
    let operand = |file: &str, name: &str| Bound::Operand(value_of(&input(file), "f", name));
    let rows = [
        ("passes/gcm/division_in_a_loop.ir", ("by_three", "j"), Some((Reason::Invariant, Bound::Start))),
        ("passes/gcm/division_in_a_loop.ir", ("by_anything", "j"), None),
        (
            "passes/gcm/nested_invariants.ir",
            ("f", "row"),
            Some((Reason::Invariant, operand("passes/gcm/nested_invariants.ir", "i"))),
        ),
        ("passes/gcm/may_trap.ir", ("f", "q"), Some((Reason::Invariant, Bound::MayTrap))),
        ("passes/gcm/uniform_in_a_loop.ir", ("left_apart", "k"), None),
        ("passes/gcm/needed_on_one_way.ir", ("f", "p"), None),
    ];
    for (file, (function, value), expected) in rows {
        let (after, moves) = moved(&input(file), &MotionOptions::default());
        let inst = value_of(&after, function, value);
        let found = moves.iter().find(|record| record.inst == inst).map(|record| (record.reason, record.bound));
        assert_eq!(found, expected, "{value} of {function} in {file}");
    }
}

/// One lane in three takes the way that needs the product: a wave of one lane goes there in a third of all cases, and the product goes
/// there with what only it needs.
#[test]
fn a_wave_of_one_lane_computes_what_one_way_needs_there() {
    let before = input("passes/gcm/needed_on_one_way.ir");
    let (after, moves) = moved(&before, &MotionOptions { lanes: 1, ..MotionOptions::default() });
    check_equal(&before, &after);
    check_at(&after, ("f", "p"), "one");
    check_at(&after, ("f", "s"), "one");
    let product = value_of(&after, "f", "p");
    let record = moves.iter().find(|record| record.inst == product).expect("it moved");
    assert_eq!((record.reason, record.bound), (Reason::PartlyDead, Bound::Uses));
    assert!(record.cost_after < record.cost_before);
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
    check_verified(&after);
    let pressure = moves.pressure;
    let (Some(before), Some(after)) = (pressure.before, pressure.after) else { panic!("{pressure:?}") };
    assert!(after <= 16 && after > before && pressure.kept > 0, "{pressure:?}");
    assert_eq!(moves.moves.len(), 60 - pressure.kept);
    assert!(moves.moves.len() > 5);
}
