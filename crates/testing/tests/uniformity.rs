//! The uniformity analysis against lanes: random programs at both stages, and analyses that were made wrong on purpose.
//!
//! A slice by default, much more with `RECONVERGE_DEEP=1`. `RECONVERGE_LANES_FIRST` moves the seeds of what must hold.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ops::Range;

use reconverge_analysis::uniformity::{ModuleUniformity, Scope, Variation};
use reconverge_interpret::{Contents, End, Interpreter, Launch, Observer, Step, Value};
use reconverge_ir::{Block, Function, Inst, Module, Op, Stage, text};
use reconverge_restructure::forget_structure;
use reconverge_testing::early_joins::join_early;
use reconverge_testing::generators::lanes::{LaneModule, LaneOptions, Outside, lanes_program, lower};
use reconverge_testing::generators::{exhaustive, random, shapes, structured, wild};
use reconverge_testing::lanes::{Inputs, Machine};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::random::{Random, mix};
use reconverge_testing::shrink::shrink;
use reconverge_testing::uniformity_judge::{Claims, Figures, GraphProgram, Kept, UniformityJudge};
use reconverge_testing::uniformity_judge::{graph_program, structurized};
use reconverge_testing::{first_seed, is_deep};

/// How many calls of a graph program are watched.
const CALLS: usize = 400;

fn many(default: u64, deep: u64) -> u64 {
    if is_deep() { deep } else { default }
}

/// So many seeds, from the first one on.
fn seeds(default: u64, deep: u64) -> Range<u64> {
    let first = first_seed();
    first..first + many(default, deep)
}

/// A program that can be run and watched.
struct Runnable<'m> {
    module: &'m Module,
    start: Function,
    launch: Launch,
    seed: u64,
}

impl Runnable<'_> {
    /// Runs it with a judge until it ends or has called out often enough.
    fn judge(&self, claims: &impl Claims, subgroup: usize) -> (Vec<String>, Figures) {
        let is_over = Cell::new(false);
        let mut calls = vec![0_u64; self.launch.lanes];
        let mut left = CALLS * self.launch.lanes;
        let mut external = |lane: usize, function: Function, _: &[Value]| {
            left = left.saturating_sub(1);
            is_over.set(is_over.get() || left == 0);
            if is_over.get() {
                return Err("enough was seen".to_owned());
            }
            calls[lane] += 1;
            let is_answer = self.module.ty(function).is_some_and(|ty| self.module.op(ty) != Op::TypeVoid);
            // Sometimes all lanes get the same.
            let who = if mix(self.seed ^ calls[lane]).is_multiple_of(4) { 0 } else { lane as u64 };
            Ok(is_answer.then(|| Value::u32((mix(self.seed ^ who << 40 ^ calls[lane]) >> 7) as u32 % 5)))
        };
        let judge = UniformityJudge::new(self.module, claims, subgroup);
        let mut watch = Until { judge: RefCell::new(judge), is_over: &is_over };
        let run = Interpreter::new(self.module).run_observed(self.start, &self.launch, &mut external, &mut watch);
        let judge = watch.judge.into_inner();
        // A lane that does something undefined is gone in the middle of a block: such a run says nothing.
        if run.expect("the program can be launched").lanes.iter().any(|lane| matches!(lane.end, End::Undefined { .. }))
        {
            return (Vec::new(), Figures::default());
        }
        (judge.violations().to_vec(), judge.figures())
    }
}

/// Watches until somebody says that it is over.
struct Until<'a, C> {
    judge: RefCell<UniformityJudge<'a, C>>,
    is_over: &'a Cell<bool>,
}

impl<C: Claims> Observer for Until<'_, C> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        if !self.is_over.get() {
            self.judge.get_mut().executed(step);
        }
    }

    fn entered(&mut self, step: &Step<'_, '_>) {
        if !self.is_over.get() {
            self.judge.get_mut().entered(step);
        }
    }
}

/// A lowered program, its lanes in subgroups of that size.
fn lowered_run<'m>(lowered: &LaneModule, module: &'m Module, lanes: usize, subgroup: usize, seed: u64) -> Runnable<'m> {
    let mut inputs = Inputs::new(lanes, seed);
    inputs.uniforms[0] = subgroup as u32;
    let mut launch = Machine::new(lowered, module).launch(&inputs).with_subgroups(subgroup);
    for contents in launch.contents.iter_mut().filter(|contents| contents.variable == lowered.lane) {
        contents.value = Value::u32((contents.lane.unwrap_or(0) % subgroup) as u32);
    }
    Runnable { module, start: lowered.start, launch, seed }
}

fn graph_run(program: &GraphProgram, lanes: usize, subgroup: usize, seed: u64) -> Runnable<'_> {
    let of_lane = |lane: usize| Contents {
        variable: program.lane,
        lane: Some(lane),
        value: Value::u32((lane % subgroup) as u32),
    };
    let contents = if program.after.is_live(program.lane) { (0..lanes).map(of_lane).collect() } else { Vec::new() };
    let launch = Launch { contents, fuel: 2_000_000, ..Launch::default() }.with_lanes(lanes).with_subgroups(subgroup);
    Runnable { module: &program.after, start: program.start, launch, seed }
}

/// Scope, lanes, and size of the subgroups; and what size the claims are about.
const SETTINGS: [(Scope, usize, usize, usize); 4] = [
    (Scope::Subgroup, 4, 4, usize::MAX),
    (Scope::Workgroup, 8, 4, usize::MAX),
    (Scope::Subgroup, 16, 16, usize::MAX),
    (Scope::Subgroup, 12, 4, 4),
];

fn add(total: &mut Figures, figures: Figures) {
    total.held += figures.held;
    total.unclaimed += figures.unclaimed;
    total.differing += figures.differing;
    total.converged += figures.converged;
}

fn options(seed: u64) -> LaneOptions {
    LaneOptions { kill: seed % 7 == 3, barriers: seed % 7 == 5, ..LaneOptions::default() }
}

#[test]
fn claims_hold_on_random_structured_programs() {
    let mut total = Figures::default();
    for seed in seeds(600, 120_000) {
        let program = lanes_program(seed, 3 + seed as usize % 50, &options(seed));
        let lowered = lower(&program, Outside::Calls);
        for (scope, lanes, subgroup, judged) in [SETTINGS[seed as usize % 4], SETTINGS[(seed as usize + 1) % 4]] {
            let claims = ModuleUniformity::compute(&lowered.module, scope);
            let run = lowered_run(&lowered, &lowered.module, lanes, subgroup, seed);
            let (violations, figures) = run.judge(&claims, judged);
            assert!(
                violations.is_empty(),
                "seed {seed}, {scope}, {lanes} lanes:\n{}\n{program}\n{}",
                violations.join("\n"),
                text::print(&lowered.module)
            );
            add(&mut total, figures);
        }
    }
    println!("{total:?}");
    assert!(total.held > 100_000 && total.converged > 3_000, "{total:?}");
}

/// Where the ways of a selection meet early, lanes of both run the same code and are not together there.
#[test]
fn claims_hold_where_ways_meet_early() {
    let (mut total, mut joins) = (Figures::default(), 0);
    for seed in seeds(600, 60_000) {
        let program = lanes_program(seed, 3 + seed as usize % 50, &LaneOptions { barriers: false, ..options(seed) });
        let mut lowered = lower(&program, Outside::Calls);
        for function in lowered.functions.clone() {
            joins += join_early(&mut lowered.module, function, 4, &mut Random::new(seed));
        }
        for (scope, lanes, subgroup, judged) in [SETTINGS[seed as usize % 4], SETTINGS[(seed as usize + 1) % 4]] {
            let claims = ModuleUniformity::compute(&lowered.module, scope);
            let run = lowered_run(&lowered, &lowered.module, lanes, subgroup, seed);
            let (violations, figures) = run.judge(&claims, judged);
            assert!(
                violations.is_empty(),
                "seed {seed}, {scope}, {lanes} lanes:\n{}\n{program}\n{}",
                violations.join("\n"),
                text::print(&lowered.module)
            );
            add(&mut total, figures);
        }
    }
    println!("{joins} joins, {total:?}");
    assert!(joins > 300 && total.held > 100_000 && total.converged > 2_000, "{joins} joins, {total:?}");
}

#[test]
fn claims_hold_where_the_structure_was_forgotten() {
    let mut total = Figures::default();
    for seed in seeds(400, 40_000) {
        let program = lanes_program(seed, 3 + seed as usize % 40, &options(seed));
        let mut lowered = lower(&program, Outside::Calls);
        for function in lowered.functions.clone() {
            forget_structure(&mut lowered.module, function);
        }
        let (scope, lanes, subgroup, judged) = SETTINGS[seed as usize % 4];
        let after = structurized(&lowered.module).unwrap();
        let claims = ModuleUniformity::compute(&lowered.module, scope);
        let kept = Kept { claims: &claims, before: &lowered.module, after: &after };
        let (violations, figures) = lowered_run(&lowered, &after, lanes, subgroup, seed).judge(&kept, judged);
        assert!(
            violations.is_empty(),
            "seed {seed}, {scope}, {lanes} lanes:\n{}\n{}\n; after\n{}",
            violations.join("\n"),
            text::print(&lowered.module),
            text::print(&after)
        );
        add(&mut total, figures);
    }
    println!("{total:?}");
    assert!(total.held > 50_000 && total.converged > 1_000, "{total:?}");
}

/// Graphs that claims did not hold on, with their seeds.
///
/// - The loop of 4 is left by 3 in different iterations; which of two edges to 0 it is left by is common to those who leave together,
///   and another one for others: parameters of 0 differ.
/// - Lanes that part at 4 come from 0 by way of 3, and 5 is entered from 1 as well: they are not together in 6.
/// - The same: not together in 7.
/// - The same as the first: 8 has two edges to 7, which lanes that come to 8 in different iterations choose between differently.
const ONCE_WRONG: &[(u64, &[&[usize]])] = &[
    (400_827, &[&[4, 4], &[4, 4], &[3], &[1, 0, 0, 2], &[3, 1]]),
    (600_889, &[&[1, 3], &[7, 2, 5], &[3, 2], &[4], &[5, 6], &[6], &[7], &[]]),
    (1_023_321, &[&[5, 1], &[2, 5], &[3, 6], &[4], &[5, 8], &[6, 7], &[7], &[8], &[]]),
    (
        1_025_348,
        &[
            &[12],
            &[],
            &[4, 8],
            &[8, 11],
            &[10, 9],
            &[2],
            &[12],
            &[0, 0],
            &[7, 7],
            &[4, 8],
            &[],
            &[7, 3, 5, 6, 9],
            &[4, 9],
        ],
    ),
];

#[test]
fn claims_hold_on_graphs_where_they_did_not() {
    let mut complaints = Vec::new();
    for &(seed, lists) in ONCE_WRONG {
        let lists: Vec<Vec<usize>> = lists.iter().map(|list| list.to_vec()).collect();
        let graph = PlainGraph::from_successors(&lists);
        let program = graph_program(&graph, seed).unwrap();
        if !judge_graph(&program, seed).0.is_empty() {
            complaints.push(smaller_graph(&graph, seed));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// Graphs of all characters, by number.
fn graph(seed: u64) -> PlainGraph {
    let size = 3 + (mix(seed) % 20) as usize;
    match seed % 8 {
        0 => random::random(seed, size + 4, random::Cycles::Reducible),
        1 | 2 => random::random(seed, size + 2, random::Cycles::Irreducible),
        3 | 4 => wild::wild(seed, 3 + size / 2),
        5 => structured::structured(seed, size, structured::Form::Optimized),
        6 => named(seed, 2 + size / 4),
        _ => {
            let small = exhaustive::exhaustive(3);
            small[mix(seed) as usize % small.len()].clone()
        }
    }
}

fn named(seed: u64, count: usize) -> PlainGraph {
    let shapes = [
        shapes::three_breaks,
        shapes::private_breaks,
        shapes::outer_break,
        shapes::multi_break,
        shapes::ladder,
        shapes::own_merges,
        shapes::short_circuit,
        shapes::nested_loops,
        shapes::early_returns,
        shapes::fall_through,
        shapes::duff,
        shapes::irreducible_ring,
        shapes::switch_web,
        shapes::complete,
        shapes::nest_return,
    ];
    shapes[mix(seed) as usize % shapes.len()](count)
}

/// Watches the program of a graph.
fn judge_graph(program: &GraphProgram, seed: u64) -> (Vec<String>, Figures) {
    let (scope, lanes, subgroup, judged) = SETTINGS[(seed / 8) as usize % 4];
    assert!(program.before.functions().all(|function| program.before.stage(function) != Stage::Structured));
    let claims = ModuleUniformity::compute(&program.before, scope);
    let kept = Kept { claims: &claims, before: &program.before, after: &program.after };
    graph_run(program, lanes, subgroup, seed).judge(&kept, judged)
}

/// What does not hold on a graph, made smaller.
fn smaller_graph(graph: &PlainGraph, seed: u64) -> String {
    let judged = |graph: &PlainGraph| {
        let program = graph_program(graph, seed).ok()?;
        let (violations, _) = judge_graph(&program, seed);
        (!violations.is_empty()).then_some((program, violations))
    };
    let smaller = shrink(graph, |graph| judged(graph).is_some());
    let (program, violations) = judged(&smaller).expect("what was shrunk still fails");
    let (scope, lanes, ..) = SETTINGS[(seed / 8) as usize % 4];
    format!(
        "seed {seed}, {scope}, {lanes} lanes, {:?}:\n{}\n{}\n; after\n{}",
        smaller.to_successors(),
        violations.join("\n"),
        text::print(&program.before),
        text::print(&program.after)
    )
}

#[test]
fn claims_hold_on_random_graphs() {
    let mut total = Figures::default();
    let mut refused = 0;
    for seed in seeds(1_200, 40_000) {
        let graph = graph(seed);
        let Ok(program) = graph_program(&graph, seed) else {
            refused += 1;
            continue;
        };
        let (violations, figures) = judge_graph(&program, seed);
        assert!(violations.is_empty(), "{}", smaller_graph(&graph, seed));
        add(&mut total, figures);
    }
    println!("{total:?}, refused {refused}");
    assert!(total.held > 30_000 && total.converged > 500 && refused < 10, "{total:?}, refused {refused}");
}

/// An analysis that was made wrong in one place.
struct Weakened<'a> {
    claims: &'a ModuleUniformity,
    mistake: Mistake,
}

/// One wrong claim, or a rule that is left out everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mistake {
    /// This value is called uniform.
    Value(Inst),
    /// The branch at the end of this block is called uniform.
    Branch(Block),
    /// All lanes are said to be in this block.
    Block(Block),
    /// Operands vary as where they are made: no temporal divergence.
    NoUses,
    /// Parameters of blocks are uniform: no synchronous divergence.
    NoJoins,
    /// Strides are one too large.
    Strides,
}

impl Weakened<'_> {
    fn changed(&self, variation: Variation, inst: Inst, is_parameter: bool) -> Variation {
        match (self.mistake, variation) {
            (Mistake::Value(value), _) if value == inst => Variation::Uniform,
            (Mistake::NoJoins, _) if is_parameter => Variation::Uniform,
            (Mistake::Strides, Variation::Affine { stride }) => Variation::Affine { stride: stride + 1 },
            _ => variation,
        }
    }
}

/// Claims about a module whose parameters are known.
struct Told<'a>(Weakened<'a>, &'a Module);

impl Claims for Told<'_> {
    fn of(&self, function: Function, value: Inst) -> Variation {
        let is_parameter = self.1.op(value) == Op::BlockParameter;
        self.0.changed(Claims::of(self.0.claims, function, value), value, is_parameter)
    }

    fn of_use(&self, function: Function, user: Inst, operand: usize) -> Variation {
        match self.0.mistake {
            Mistake::NoUses => Claims::of(self.0.claims, function, self.1.operand(user, operand)),
            _ => Claims::of_use(self.0.claims, function, user, operand),
        }
    }

    fn is_uniform_branch(&self, function: Function, block: Block) -> bool {
        self.0.mistake == Mistake::Branch(block) || Claims::is_uniform_branch(self.0.claims, function, block)
    }

    fn is_converged(&self, function: Function, block: Block) -> bool {
        self.0.mistake == Mistake::Block(block) || Claims::is_converged(self.0.claims, function, block)
    }

    fn is_complete(&self, function: Function, block: Block) -> bool {
        Claims::is_complete(self.0.claims, function, block)
    }
}

/// Sees what lanes differ in: values, and blocks that not all lanes of the program come to together.
#[derive(Default)]
struct Witness {
    values: HashSet<Inst>,
    blocks: HashSet<Block>,
}

impl Observer for Witness {
    fn executed(&mut self, step: &Step<'_, '_>) {
        let mut values = step.lanes().iter().filter_map(|&lane| step.value(lane, step.inst()));
        let first = values.next();
        if !matches!(first, Some(Value::Pointer(_))) && values.any(|value| Some(value) != first) {
            self.values.insert(step.inst());
        }
    }

    fn entered(&mut self, step: &Step<'_, '_>) {
        if step.lanes().len() < LANES {
            self.blocks.insert(step.block());
        }
    }
}

/// How many lanes run the programs of analyses that are wrong.
const LANES: usize = 16;

/// Wrong claims about a program: a value that differs, a branch whose condition does, a block that not all lanes come to; and rules
/// that are left out, whether the program needs them or not.
fn mistakes(run: &Runnable<'_>, claims: &ModuleUniformity, inputs: &dyn Fn(usize, usize) -> u32) -> Vec<Mistake> {
    let (module, start) = (run.module, run.start);
    let mut witness = Witness::default();
    let mut external = |lane: usize, function: Function, arguments: &[Value]| {
        let is_answer = module.ty(function).is_some_and(|ty| module.op(ty) != Op::TypeVoid);
        Ok(is_answer.then(|| Value::u32(inputs(lane, arguments[0].as_u32().unwrap_or(0) as usize))))
    };
    Interpreter::new(module)
        .run_observed(start, &run.launch, &mut external, &mut witness)
        .expect("the program can be launched");
    let blocks: Vec<Block> = module.blocks(start).collect();
    let differs = |value: &Inst| witness.values.contains(value) && Claims::of(claims, start, *value).is_divergent();
    let values: Vec<Inst> = blocks.iter().flat_map(|&block| module.children(block)).filter(differs).collect();
    let is_split = |block: &Block| {
        let last = module.terminator(*block).filter(|&last| matches!(module.op(last), Op::If | Op::BranchIf));
        last.is_some_and(|last| differs(&module.operand(last, 0)))
    };
    let branches: Vec<Block> = blocks.iter().copied().filter(is_split).collect();
    let is_apart = |block: &Block| witness.blocks.contains(block) && !Claims::is_converged(claims, start, *block);
    let apart: Vec<Block> = blocks.iter().copied().filter(is_apart).collect();
    let any = |count: usize| mix(run.seed) as usize % count.max(1);
    let value = values.get(any(values.len())).map(|&value| Mistake::Value(value));
    let branch = branches.get(any(branches.len())).map(|&block| Mistake::Branch(block));
    let block = apart.get(any(apart.len())).map(|&block| Mistake::Block(block));
    let rules = [Mistake::NoUses, Mistake::NoJoins, Mistake::Strides];
    [value, branch, block].into_iter().flatten().chain(rules).collect()
}

/// The judge finds wrong claims, if lanes ever do what is denied.
#[test]
fn an_analysis_that_was_made_wrong_is_caught() {
    // By kind: how many were tried and how many caught.
    let mut tally = [[0_u32; 2]; 6];
    for seed in 0..many(200, 5_000) {
        let program = lanes_program(seed, 10 + seed as usize % 40, &LaneOptions::default());
        let lowered = lower(&program, Outside::Calls);
        let module = &lowered.module;
        let claims = ModuleUniformity::compute(module, Scope::Subgroup);
        let run = lowered_run(&lowered, module, LANES, LANES, seed);
        let inputs = Inputs::new(LANES, seed);
        for mistake in mistakes(&run, &claims, &|lane, index| inputs.per_lane(lane, index)) {
            let is_caught = (0..4).any(|trial| {
                let run = lowered_run(&lowered, module, LANES, LANES, seed ^ trial << 32);
                let told = Told(Weakened { claims: &claims, mistake }, module);
                !run.judge(&told, usize::MAX).0.is_empty()
            });
            let kind = match mistake {
                Mistake::Value(_) => 0,
                Mistake::Branch(_) => 1,
                Mistake::Block(_) => 2,
                Mistake::NoUses => 3,
                Mistake::NoJoins => 4,
                Mistake::Strides => 5,
            };
            tally[kind][0] += 1;
            tally[kind][1] += u32::from(is_caught);
        }
    }
    println!("tried and caught by kind: {tally:?}");
    // Many programs read a value behind a loop that lanes leave in different iterations, but often through a parameter.
    for (kind, percent) in [(0, 85), (1, 85), (2, 80), (3, 15), (4, 70), (5, 85)] {
        let [tried, caught] = tally[kind];
        assert!(caught * 100 > tried * percent, "kind {kind}: {tally:?}");
    }
}
