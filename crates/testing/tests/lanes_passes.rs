//! Every pass that runs on request keeps what the lanes do, on random programs of several characters; so do sequences of them.
//!
//! A slice by default; 20,000 programs a pass, and as many for sequences, with `RECONVERGE_DEEP=1`. `RECONVERGE_LANES_FIRST` moves the
//! seeds.

use reconverge::pipeline::{Level, find};
use reconverge_ir::{Function, Module, Stage};
use reconverge_rewrite::pass::{Pass, Work};
use reconverge_rewrite::session::Session;
use reconverge_testing::generators::lanes::{LaneOptions, Outside, Records, SubgroupUse, lanes_program, lower};
use reconverge_testing::lanes::{
    Figures, Idempotence, Inputs, PassTrial, PassUnderTest, SequenceFigures, SequenceTrial, compare_runs, interpret,
    judge_pass, judge_sequences, simulate, structured_passes, unless_refused,
};
use reconverge_testing::{first_seed, is_deep};

fn many(default: u64, deep: u64) -> u64 {
    if is_deep() { deep } else { default }
}

/// A test for each pass of the table: the name of the pass, and whether it is done after it ran once.
macro_rules! trials {
    ($($name:ident: $idempotence:ident,)*) => {
        $(
            #[test]
            fn $name() {
                hold(stringify!($name), Idempotence::$idempotence);
            }
        )*

        const TRIED: &[&str] = &[$(stringify!($name)),*];
    };
}

trials! {
    lower_returns: Held,
    lower_continue_constructs: Held,
    loop_unroll: Held,
    loop_peel: Held,
    loop_rotate_all: Held,
    fold_constant_branches: Held,
    remove_dead_control_flow: Held,
    invert_empty_arms: Held,
    join_equal_jumps: Held,
    simplify_cfg: Held,
    if_conversion: Held,
}

#[test]
fn every_structured_pass_has_a_trial() {
    let table: Vec<&str> = structured_passes().map(|pass| pass.name).collect();
    let missing: Vec<&&str> = table.iter().filter(|name| !TRIED.contains(name)).collect();
    assert!(missing.is_empty(), "passes without a trial: {missing:?}");
    let gone: Vec<&&str> = TRIED.iter().filter(|name| !table.contains(name)).collect();
    assert!(gone.is_empty(), "trials without a pass: {gone:?}");
}

/// Tries a pass on programs of every character. What it refuses, as the source demands too much, stays as it is.
fn hold(name: &str, idempotence: Idempotence) {
    let pass = structured_passes().find(|pass| pass.name == name).expect("the table has it");
    let mut run = |module: &mut Module, function: Function| {
        let outcome = unless_refused(pass, module, function).map_err(|error| error.to_string())?;
        Ok(outcome.unwrap_or(false))
    };
    let sum = check_on_characters(name, idempotence, &mut run);
    assert!(sum.changed > 0, "{sum:?}");
}

/// Tries what works on structured functions on programs of every character.
fn check_on_characters(name: &str, idempotence: Idempotence, run: &mut PassUnderTest<'_>) -> Figures {
    let sum = check_programs(name, 200, idempotence, run);
    assert!(sum.records > 1_000, "{sum:?}");
    sum
}

/// The same on a number of programs, of each character its share.
fn check_programs(name: &str, programs: u64, idempotence: Idempotence, run: &mut PassUnderTest<'_>) -> Figures {
    let first = first_seed();
    let mut complaints = Vec::new();
    let mut sum = Figures::default();
    for Character { name: character, share, lanes, options } in characters() {
        let count = many(share * programs / 100, share * 200);
        let trial = PassTrial { options, lanes: lanes.to_vec(), idempotence, ..PassTrial::default() };
        match judge_pass(first..first + count, &trial, run) {
            Ok(figures) => sum = sum.and(figures),
            Err(message) => complaints.push(format!("{name} on {character} programs: {message}")),
        }
    }
    println!("{name}: {sum:?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    sum
}

/// Every optimization, alone. Those over functions as a whole have nothing to do where there is one function.
#[test]
fn optimizations() {
    let mut changed = 0;
    for pass in reconverge_optimize::PASSES.iter().filter(|pass| matches!(pass.work, Work::Function(_))) {
        let mut run = |module: &mut Module, function: Function| {
            let outcome = unless_refused(pass, module, function).map_err(|error| error.to_string())?;
            Ok(outcome.unwrap_or(false))
        };
        let sum = check_programs(pass.name, 40, Idempotence::NotHeld, &mut run);
        assert!(sum.records > 300, "{sum:?}");
        changed += usize::from(sum.changed > 0);
    }
    assert!(changed >= 8, "{changed} optimizations changed something");
}

/// What each level runs over structured functions, one behind the other.
#[test]
fn levels() {
    for level in [Level::Speed, Level::Size] {
        let passes: Vec<&Pass> = level.sequence(Stage::Structured).filter_map(find).collect();
        let mut run = |module: &mut Module, function: Function| {
            let (mut changed, mut session) = (0, Session::new(module));
            for pass in &passes {
                changed += session.run(pass, &[function]).map_err(|failure| failure.error.to_string())?;
            }
            Ok(changed > 0)
        };
        let sum = check_on_characters(level.name(), Idempotence::NotHeld, &mut run);
        assert!(sum.changed * 2 > sum.programs, "{sum:?}");
    }
}

/// The passes that make programs simpler.
const CLEAN_UP: &[&str] = &[
    "fold_constant_branches",
    "remove_dead_control_flow",
    "invert_empty_arms",
    "join_equal_jumps",
    "simplify_cfg",
    "if_conversion",
];

/// Those of the table for which it holds, in its order.
fn passes(is_meant: impl Fn(&str) -> bool) -> Vec<Pass> {
    structured_passes().filter(|pass| is_meant(pass.name)).copied().collect()
}

/// Tries sequences on programs of every character, `share` of them for each percent.
fn check_sequences(trial: &SequenceTrial<'_>, share: u64) -> SequenceFigures {
    let first = first_seed();
    let mut complaints = Vec::new();
    let mut sum = SequenceFigures::default();
    for character in characters() {
        let trial = SequenceTrial { options: character.options, lanes: character.lanes.to_vec(), ..trial.clone() };
        match judge_sequences(first..first + character.share * share, &trial) {
            Ok(seen) => sum = sum.and(&seen),
            Err(message) => complaints.push(format!("{} programs: {message}", character.name)),
        }
    }
    println!("{sum:?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    sum
}

/// What a pass leaves is right for any other.
#[test]
fn sequences_of_passes() {
    let table = passes(|_| true);
    let sum = check_sequences(&SequenceTrial { passes: &table, ..SequenceTrial::default() }, many(2, 200));
    assert!(sum.passes[1] * 6 > sum.passes[0] && sum.figures.records > 1_000, "{sum:?}");
}

/// The passes that make programs simpler come to an end, in so few rounds, whatever ran before.
#[test]
fn clean_up_ends() {
    let (before, group) = (passes(|name| !CLEAN_UP.contains(&name)), passes(|name| CLEAN_UP.contains(&name)));
    assert_eq!(group.len(), CLEAN_UP.len());
    let trial =
        SequenceTrial { passes: &before, length: (0, 2), group: &group, rounds: ROUNDS, ..SequenceTrial::default() };
    let sum = check_sequences(&trial, many(3, 200));
    assert!(sum.rounds.len() > 1 && sum.rounds[1..].iter().sum::<usize>() > 100, "{sum:?}");
}

/// How many rounds of cleaning up may change something. One is the rule, two are seen often, three were seen once in 4,000 programs.
const ROUNDS: usize = 5;

/// Programs of one character: of a hundred programs how many are so, and with how many lanes they run.
struct Character {
    name: &'static str,
    share: u64,
    lanes: &'static [usize],
    options: LaneOptions,
}

fn characters() -> [Character; 5] {
    let usual = LaneOptions::default;
    let talkative = LaneOptions { records: Records::EveryBlock, ..usual() };
    let ending = LaneOptions { kill: true, subgroup: SubgroupUse::None, memory: false, ..usual() };
    let meeting = LaneOptions { barriers: true, subgroup: SubgroupUse::Recorded, ..usual() };
    [
        Character { name: "mixed", share: 25, lanes: &[1, 4, 16], options: usual() },
        Character { name: "hinted", share: 25, lanes: &[4, 16], options: LaneOptions { hints: true, ..usual() } },
        Character { name: "talkative", share: 20, lanes: &[4, 16], options: talkative },
        Character { name: "ending", share: 20, lanes: &[1, 16], options: ending },
        Character { name: "meeting", share: 10, lanes: &[4, 64], options: meeting },
    ]
}

/// The interpreter does what the program says.
#[test]
fn the_interpreter_agrees_with_the_masks() {
    let mut records = 0;
    for seed in 0..many(70, 20_000) {
        let options = LaneOptions { kill: seed % 7 == 3, barriers: seed % 7 == 5, ..LaneOptions::default() };
        let program = lanes_program(seed, 3 + seed as usize % 50, &options);
        let lowered = lower(&program, Outside::Calls);
        for lanes in [1, 4, 16, 64] {
            let inputs = Inputs::new(lanes, seed);
            let expected = simulate(&program, &inputs).unwrap().run;
            let found = interpret(&lowered, &inputs).unwrap();
            let compared = compare_runs(&expected, &found);
            assert!(
                compared.is_ok(),
                "seed {seed}, {lanes} lanes: {}\n{program}\n{}",
                compared.unwrap_err(),
                reconverge_ir::text::print(&lowered.module)
            );
            records += expected.records.iter().map(Vec::len).sum::<usize>();
        }
    }
    assert!(records > 10_000, "{records}");
}
