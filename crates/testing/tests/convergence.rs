//! The convergence contract (`docs/convergence.md`): which lanes execute a block together before the structurizer and after it.
//!
//! Random structured programs write down a ballot at every point. What the interpreter's tangles say of a program as it is
//! written, they must say of it when its structure was dropped to stage Graph, the graph was taken apart, and structure was found
//! anew with the merges as hints.
//!
//! A slice by default; 20,000 programs each with `RECONVERGE_DEEP=1`. `RECONVERGE_LANES_FIRST` moves the seeds.

mod rule;

use reconverge::CompileOptions;
use reconverge::pipeline::Level;
use reconverge_interpret::{End, Interpreter, Value};
use reconverge_ir::{Function, Module, Op, Stage, text};
use reconverge_restructure::{Options, StructurizeReport, forget_structure, structurize};
use reconverge_structurize::{Block, Merge, Origin, Plan, PlanBlock, Reason};
use reconverge_testing::generators::lanes::{
    INPUT, LaneModule, LaneOptions, Outside, Program, Records, SubgroupUse, lanes_program, lower,
};
use reconverge_testing::lanes::{Inputs, Machine, Record, compare_runs, shrink};
use reconverge_testing::random::{Random, mix};
use reconverge_testing::unstructure::MergeKeeper;
use reconverge_testing::{first_seed, is_deep};
use reconverge_verify::verify;
use rule::{Paths, Rule};

fn many(default: u64, deep: u64) -> u64 {
    if is_deep() { deep } else { default }
}

/// What a trial came to.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    programs: usize,
    records: usize,
    blocks_in: usize,
    added: usize,
    assumptions: usize,
    unstructured: usize,
    /// Blocks more than with the structure that was dropped, which a continue construct forced.
    forced: usize,
}

/// Makes a graph of each function, with its merges, and lets the unstructurers at it. How much they did comes back.
fn unstructure(lowered: &LaneModule, unstructurers: &[MergeKeeper], seed: u64) -> (Module, usize) {
    let mut module = lowered.module.clone();
    let mut random = Random::new(mix(seed) ^ 0xDE57);
    let mut changes = 0;
    for &function in &lowered.functions {
        module.edit().set_stage(function, Stage::Graph);
        for unstructurer in unstructurers {
            changes += unstructurer.run(&mut module, function, &mut random);
        }
    }
    (module, changes)
}

fn structurize_all(module: &mut Module, lowered: &LaneModule) -> Result<Vec<StructurizeReport>, String> {
    let mut reports = Vec::new();
    for &function in &lowered.functions {
        let report = structurize(module, function, &Options::default()).map_err(|error| error.to_string())?;
        reports.extend(report);
    }
    match verify(module).first() {
        Some(finding) => Err(format!("after: {finding}")),
        None => Ok(reports),
    }
}

/// Holds that a program records the same when its structure was dropped, unstructured, and found anew with hints.
fn with_hints(program: &Program, seed: u64, unstructurers: &[MergeKeeper]) -> Result<Figures, String> {
    let lowered = lower(program, Outside::Calls);
    let (mut after, unstructured) = unstructure(&lowered, unstructurers, seed);
    if let Some(finding) = verify(&after).first() {
        return Err(format!("unstructured: {finding}"));
    }
    let reports = structurize_all(&mut after, &lowered)?;
    let mut figures = Figures { programs: 1, unstructured, ..Figures::default() };
    for (report, &function) in reports.iter().zip(&lowered.functions) {
        assert_eq!(report.plan.fell_back, None);
        figures.added += report.added_blocks();
        let had = lowered.module.blocks(function).filter(|&block| lowered.module.op(block) != Op::EdgeBlock).count();
        let more = report.plan.blocks.len().saturating_sub(had);
        let forced = ladders_to_continue_targets(&report.plan);
        figures.forced += forced.min(more);
        figures.blocks_in += report.input_blocks.len();
        figures.assumptions += report.plan.assumptions.len();
    }
    for lanes in [4, 16] {
        let inputs = Inputs::new(lanes, seed);
        let expected = Machine::new(&lowered, &lowered.module).run(&inputs)?;
        let found = Machine::new(&lowered, &after).run(&inputs)?;
        compare_runs(&expected, &found).map_err(|message| format!("{lanes} lanes: {message}"))?;
        figures.records += expected.records.iter().map(Vec::len).sum::<usize>();
    }
    Ok(figures)
}

/// How many added blocks pass from the merge of a construct to the continue target of a loop around. A program's continue construct
/// may end in a loop, whose merge has the back edge; a continue target here is one block, and it cannot be a merge.
fn ladders_to_continue_targets(plan: &Plan) -> usize {
    let is_continue_target = |target: PlanBlock| {
        let is_it = |merge: &Merge| matches!(merge, Merge::Loop { continue_target, .. } if *continue_target == target);
        plan.blocks.iter().any(|block| is_it(&block.merge))
    };
    let is_ladder = |block: &&Block| matches!(block.origin, Origin::Added(Reason::Ladder { .. }));
    let passes_on = |block: &Block| block.terminator.edges().all(|edge| is_continue_target(edge.target));
    plan.blocks.iter().filter(is_ladder).filter(|block| passes_on(block)).count()
}

fn hold(options: &LaneOptions, count: u64, unstructurers: &[MergeKeeper]) -> Figures {
    try_all(options, count, &|program, seed| with_hints(program, seed, unstructurers), unstructurers)
}

type Trial<'t> = dyn Fn(&Program, u64) -> Result<Figures, String> + 't;

/// Tries programs; a failure is made smaller and printed.
fn try_all(options: &LaneOptions, count: u64, trial: &Trial<'_>, unstructurers: &[MergeKeeper]) -> Figures {
    let mut sum = Figures::default();
    let first = first_seed();
    for seed in first..first + count {
        let program = lanes_program(seed, 3 + (seed as usize * 7) % 50, options);
        match trial(&program, seed) {
            Ok(figures) => {
                sum.programs += figures.programs;
                sum.records += figures.records;
                sum.blocks_in += figures.blocks_in;
                sum.added += figures.added;
                sum.assumptions += figures.assumptions;
                sum.unstructured += figures.unstructured;
                sum.forced += figures.forced;
            }
            Err(_) => {
                let smaller = shrink(&program, |program| trial(program, seed).is_err());
                let message = trial(&smaller, seed).expect_err("it still fails");
                let lowered = lower(&smaller, Outside::Calls);
                let (graph, _) = unstructure(&lowered, unstructurers, seed);
                let mut after = graph.clone();
                let told: Vec<String> = structurize_all(&mut after, &lowered)
                    .map(|reports| reports.iter().map(|report| format!("{:?}", report.plan.assumptions)).collect())
                    .unwrap_or_default();
                panic!("seed {seed}: {message}\n{smaller}\n{}\n{}\n{told:?}", text::print(&graph), text::print(&after));
            }
        }
    }
    println!("{sum:?}");
    sum
}

fn talkative() -> LaneOptions {
    LaneOptions { records: Records::EveryBlock, memory: false, ..LaneOptions::default() }
}

#[test]
fn structured_functions_are_left_alone() {
    let lowered = lower(&lanes_program(1, 40, &talkative()), Outside::Calls);
    let mut after = lowered.module.clone();
    assert!(structurize_all(&mut after, &lowered).unwrap().is_empty());
    assert_eq!(text::print(&after), text::print(&lowered.module));
}

#[test]
fn ballots_are_equal_where_the_structure_was_dropped() {
    let options = LaneOptions { falls: false, ..talkative() };
    let sum = hold(&options, many(150, 20_000), &[]);
    assert!(sum.records > 1_000, "{sum:?}");
    // They come back with no block more than they had, but for continue constructs that hold constructs: here the continue target is one
    // block. Mostly that is one ladder; the rest are trampolines, two blocks in a thousand, and headers split from their loop and continue targets added,
    // so that chains of exits stay flat: one in a hundred.
    assert!(sum.forced > 0 && (sum.added - sum.forced) * 80 <= sum.blocks_in, "{sum:?}");
}

#[test]
fn ballots_are_equal_where_the_graph_was_taken_apart() {
    let options = LaneOptions { falls: false, ..talkative() };
    let sum = hold(&options, many(200, 20_000), MergeKeeper::SEQUENCE);
    assert!(sum.records > 1_000 && sum.unstructured > 1_000, "{sum:?}");
}

#[test]
fn ballots_are_equal_where_lanes_end_anywhere() {
    let options = LaneOptions { falls: false, kill: true, subgroup: SubgroupUse::None, ..talkative() };
    let sum = hold(&options, many(100, 10_000), MergeKeeper::SEQUENCE);
    assert!(sum.records > 1_000 && sum.unstructured > 500, "{sum:?}");
}

/// Whether lanes join in a case that is fallen into is open (M10): nobody who was together is parted.
#[test]
fn nobody_is_parted_where_cases_fall_through() {
    let options = LaneOptions { subgroup: SubgroupUse::Recorded, ..talkative() };
    let first = first_seed();
    for seed in first..first + many(100, 10_000) {
        let program = lanes_program(seed, 3 + (seed as usize * 7) % 50, &options);
        let lowered = lower(&program, Outside::Calls);
        let (mut after, _) = unstructure(&lowered, MergeKeeper::SEQUENCE, seed);
        structurize_all(&mut after, &lowered).unwrap();
        let inputs = Inputs::new(16, seed);
        let expected = Machine::new(&lowered, &lowered.module).run(&inputs).unwrap();
        let found = Machine::new(&lowered, &after).run(&inputs).unwrap();
        for (expected, found) in expected.records.iter().zip(&found.records) {
            assert_eq!(expected.len(), found.len(), "seed {seed}\n{program}");
            let is_held =
                |pair: (&Record, &Record)| pair.0.point == pair.1.point && pair.0.ballot & !pair.1.ballot == 0;
            assert!(expected.iter().zip(found).all(is_held), "seed {seed}\n{program}");
        }
    }
}

/// Without hints: the ballots are those of the documented rule, worked out from its words.
fn without_hints(program: &Program, seed: u64, unstructurers: &[MergeKeeper]) -> Result<Figures, String> {
    let lowered = lower(program, Outside::Calls);
    let (mut graph, unstructured) = unstructure(&lowered, unstructurers, seed);
    for &function in &lowered.functions {
        forget_structure(&mut graph, function);
    }
    let Some(rule) = Rule::new(&graph, lowered.start) else { return Ok(Figures::default()) };
    let mut after = graph.clone();
    let reports = structurize_all(&mut after, &lowered)?;
    let mut figures = Figures { programs: 1, unstructured, ..Figures::default() };
    for report in &reports {
        assert_eq!(report.plan.fell_back, None);
        figures.added += report.added_blocks();
        figures.blocks_in += report.input_blocks.len();
        figures.assumptions += report.plan.assumptions.len();
    }
    let inputs = Inputs::new(8, seed);
    let paths = watched(&lowered, &graph, &inputs)?;
    let expected = rule.ballots(&paths.of);
    let found = watched(&lowered, &after, &inputs)?.ballots;
    for (lane, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if expected != found {
            let place = expected.iter().zip(found).position(|(expected, found)| expected != found);
            let [expected, found] = [expected, found].map(|all| place.and_then(|place| all.get(place)).cloned());
            return Err(format!("lane {lane}, ballot {place:?}: expected {expected:?}, found {found:?}"));
        }
        figures.records += expected.len();
    }
    Ok(figures)
}

fn watched<'m>(lowered: &LaneModule, module: &'m Module, inputs: &Inputs) -> Result<Paths<'m>, String> {
    let machine = Machine::new(lowered, module);
    let named = |name: &str| module.functions().find(|&function| module.name(function).is_some_and(|own| own == name));
    let input = named(INPUT);
    let mut paths = Paths::new(module, inputs.lanes);
    let mut external = |lane: usize, function: Function, arguments: &[Value]| {
        let word = arguments.first().and_then(Value::as_u32).ok_or("an argument is undefined")?;
        Ok((Some(function) == input).then(|| Value::u32(inputs.per_lane(lane, word as usize))))
    };
    let launch = machine.launch(inputs);
    let outcome = Interpreter::new(module).run_observed(lowered.start, &launch, &mut external, &mut paths);
    let outcome = outcome.map_err(|error| error.to_string())?;
    match outcome.lanes.iter().find(|lane| !matches!(lane.end, End::Returned(_) | End::Terminated(_))) {
        Some(lane) => Err(lane.end.to_string()),
        None => Ok(paths),
    }
}

#[test]
fn ballots_of_bare_graphs_follow_the_rule() {
    let options = LaneOptions { calls: false, subgroup: SubgroupUse::None, ..talkative() };
    let sum = try_all(
        &options,
        many(150, 20_000),
        &|program, seed| without_hints(program, seed, MergeKeeper::SEQUENCE),
        MergeKeeper::SEQUENCE,
    );
    assert!(sum.records > 1_000, "{sum:?}");
}

/// As what a program is handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Handed {
    Structured,
    WithHints,
    Bare,
}

/// Holds that a program records the same at every level as it does where nothing is optimized.
fn at_every_level(program: &Program, seed: u64, handed: Handed) -> Result<Figures, String> {
    let mut lowered = lower(program, Outside::Calls);
    if seed.is_multiple_of(2) {
        export(&mut lowered);
    }
    let (mut given, unstructured) = match handed {
        Handed::Structured => (lowered.module.clone(), 0),
        Handed::WithHints | Handed::Bare => unstructure(&lowered, destroyers_of(seed), seed),
    };
    if handed == Handed::Bare {
        lowered.functions.iter().for_each(|&function| forget_structure(&mut given, function));
    }
    let compiled = |level: Level| {
        let mut module = given.clone();
        let options = CompileOptions::new().level(level);
        let run = reconverge::run(&mut module, &options, &mut |_, _| ());
        run.map(|_| module).map_err(|error| format!("at -O{}: {}", level.name(), error.message()))
    };
    let mut figures = Figures { programs: 1, unstructured, ..Figures::default() };
    let plain = compiled(Level::None)?;
    for level in [Level::Speed, Level::Size] {
        let optimized = compiled(level)?;
        for lanes in [4, 16] {
            let inputs = Inputs::new(lanes, seed);
            let expected = Machine::new(&lowered, &plain).run(&inputs)?;
            let found = Machine::new(&lowered, &optimized).run(&inputs)?;
            let differ = |message: String| format!("{handed:?} at -O{}, {lanes} lanes: {message}", level.name());
            compare_runs(&expected, &found).map_err(differ)?;
            figures.records += expected.records.iter().map(Vec::len).sum::<usize>();
        }
    }
    Ok(figures)
}

/// What takes the graph of a seed apart: nothing, so that all is left to optimize; blocks alone; everything.
fn destroyers_of(seed: u64) -> &'static [MergeKeeper] {
    [&[][..], &[MergeKeeper::RuleOut, MergeKeeper::Split], MergeKeeper::SEQUENCE][seed as usize / 2 % 3]
}

/// Lets others call the program, and nothing else, so that procedures may go with their calls.
fn export(lowered: &mut LaneModule) {
    const LINKAGE_ATTRIBUTES: u32 = 41;
    const EXPORT: u32 = 0;
    let mut editor = lowered.module.edit();
    let operands = [editor.word(LINKAGE_ATTRIBUTES), editor.text("program"), editor.word(EXPORT)];
    let decoration = editor.unique(Op::Decorate, None, &operands);
    editor.decorate(lowered.start, decoration);
}

#[test]
fn ballots_are_equal_at_every_level() {
    let sparse = LaneOptions { falls: false, records: Records::Some, ..LaneOptions::default() };
    let options =
        [LaneOptions { falls: false, ..talkative() }, sparse.clone(), LaneOptions { memory: false, ..sparse }];
    for (handed, count) in [(Handed::Structured, 20), (Handed::WithHints, 20), (Handed::Bare, 120)] {
        for options in &options {
            let trial = |program: &Program, seed: u64| at_every_level(program, seed, handed);
            let sum = try_all(options, many(count, 20_000 / 3), &trial, MergeKeeper::SEQUENCE);
            assert!(sum.records > 1_000, "{sum:?}");
        }
    }
}
