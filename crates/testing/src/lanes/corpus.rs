//! Tests of a pass on modules from compilers.
//!
//! Checks of a module: the verifier before and after; a second run of the pass, whose changes are counted; its launch, if it has one,
//! before and after; and its entry points in generated environments, with four lanes each. Returns the written module, for a validator.

use reconverge_interpret::{Contents, End, Interpreter, Launch as Run, Value, no_externals};
use reconverge_ir::decoration::{self, Binding};
use reconverge_ir::{Function, Inst, Module, Op, Stage, fingerprint, view};
use reconverge_run::{Argument, Launch, compare};
use reconverge_spirv::{ReadOptions, WriteOptions, read, write};
use spirv::BuiltIn;

use super::PassUnderTest;
use super::contents::{held_by, value_from_bytes, write_value};
use super::function::{Compared, Versions};
use super::judge::check_verified;

/// The number of lanes of entry points.
const LANES: usize = 4;
/// The number of environments.
const SEEDS: u64 = 4;
/// The maximal number of instructions of each lane of a launch before the pass; after it, four times the executed number.
const FUEL: u64 = 400_000_000;

/// The results for a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleFigures {
    /// The written module after the pass.
    pub spirv: Vec<u8>,
    /// Functions at stage Structured.
    pub functions: usize,
    /// Functions that the pass changed.
    pub changed: usize,
    /// Functions that a second run changed.
    pub changed_again: usize,
    /// Blocks before and after, without edge blocks.
    pub blocks: [usize; 2],
    /// Runs of entry points that were compared.
    pub runs: usize,
    /// Runs without a result: undefined behaviour, unsupported instructions, or out of fuel.
    pub open_runs: usize,
    /// True if a launch had the expected outputs, before and after.
    pub launched: bool,
}

/// A launch of a module and the bytes of all its output buffers.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// The launch.
    pub launch: &'a Launch,
    /// The bytes, one buffer after the other.
    pub outputs: &'a [u8],
}

/// Runs a pass on every structured function of a module and checks the result.
///
/// # Errors
/// The failed check.
pub fn judge_module(
    spirv: &[u8],
    expected: Option<Expected<'_>>,
    pass: &mut PassUnderTest<'_>,
) -> Result<ModuleFigures, String> {
    let before = read(spirv, &ReadOptions::default()).map_err(|error| error.to_string())?;
    check_verified(&before, "before")?;
    let mut after = before.clone();
    let mut figures = ModuleFigures::default();
    let functions: Vec<Function> = before.functions().filter(|&function| is_structured(&before, function)).collect();
    figures.functions = functions.len();
    figures.changed = apply(&mut after, &functions, pass)?;
    if figures.changed == 0 && fingerprint(&before) != fingerprint(&after) {
        return Err("the pass says that it changed nothing, and did".to_owned());
    }
    check_verified(&after, "after")?;
    figures.changed_again = apply(&mut after.clone(), &functions, pass)?;
    check_same(&before, &after, expected, &mut figures)?;
    Ok(figures)
}

/// Optimizes a whole module, with functions at any stage, and checks the result. Functions count as changed if the module changed.
///
/// # Errors
/// The failed check.
pub fn judge_optimized(
    spirv: &[u8],
    expected: Option<Expected<'_>>,
    optimize: &mut dyn FnMut(&mut Module) -> Result<(), String>,
) -> Result<ModuleFigures, String> {
    let before = read(spirv, &ReadOptions::default()).map_err(|error| error.to_string())?;
    check_verified(&before, "before")?;
    let mut after = before.clone();
    optimize(&mut after)?;
    check_verified(&after, "after")?;
    let functions = before.functions().filter(|&function| before.entry(function).is_some()).count();
    let changed = if fingerprint(&before) == fingerprint(&after) { 0 } else { functions };
    let mut figures = ModuleFigures { functions, changed, ..ModuleFigures::default() };
    check_same(&before, &after, expected, &mut figures)?;
    Ok(figures)
}

/// Compiles a module with mutated structure, and checks that each entry point has the same behaviour in single lanes as before the
/// mutation, since the structure determines convergence.
///
/// # Errors
/// The failed check.
pub fn judge_damaged(
    spirv: &[u8],
    compile: &mut dyn FnMut() -> Result<Module, String>,
) -> Result<ModuleFigures, String> {
    let before = read(spirv, &ReadOptions::default()).map_err(|error| error.to_string())?;
    check_verified(&before, "before")?;
    let after = compile()?;
    check_verified(&after, "after")?;
    let functions = before.functions().filter(|&function| before.entry(function).is_some()).count();
    let mut figures =
        ModuleFigures { functions, blocks: [blocks(&before), blocks(&after)], ..ModuleFigures::default() };
    compare_entry_points(&before, &after, 1, &mut figures)?;
    figures.spirv = write(&after, &WriteOptions::default()).map_err(|error| format!("cannot be written: {error}"))?;
    Ok(figures)
}

/// Checks that both versions of a module have the same behaviour, and writes the later one.
fn check_same(
    before: &Module,
    after: &Module,
    expected: Option<Expected<'_>>,
    figures: &mut ModuleFigures,
) -> Result<(), String> {
    figures.blocks = [blocks(before), blocks(after)];
    if figures.changed > 0 || expected.is_some() {
        compare_entry_points(before, after, LANES, figures)?;
    }
    if let Some(expected) = expected {
        let executed = check_launch(before, expected, FUEL).map_err(|message| format!("launch before: {message}"))?;
        let fuel = 4 * executed + 10_000;
        check_launch(after, expected, fuel).map_err(|message| format!("launch after: {message}"))?;
        figures.launched = true;
    }
    figures.spirv = write(after, &WriteOptions::default()).map_err(|error| format!("cannot be written: {error}"))?;
    Ok(())
}

fn is_structured(module: &Module, function: Function) -> bool {
    module.stage(function) == Stage::Structured && module.entry(function).is_some()
}

fn apply(module: &mut Module, functions: &[Function], pass: &mut PassUnderTest<'_>) -> Result<usize, String> {
    let mut changed = 0;
    for &function in functions {
        if module.is_live(function) && pass(module, function).map_err(|message| format!("it gave up: {message}"))? {
            changed += 1;
        }
    }
    Ok(changed)
}

fn blocks(module: &Module) -> usize {
    let written = |function| module.blocks(function).filter(|&block| !module.is_bare_edge(block)).count();
    module.functions().map(written).sum()
}

fn compare_entry_points(
    before: &Module,
    after: &Module,
    lanes: usize,
    figures: &mut ModuleFigures,
) -> Result<(), String> {
    let versions = Versions::new(before, after);
    for (name, function) in entry_points(before) {
        for seed in 0..SEEDS {
            let compared = versions.compare(function, lanes, seed);
            match compared.map_err(|message| format!("{name}, surroundings {seed}: {message}"))? {
                Compared::Equal => figures.runs += 1,
                Compared::Open(_) => figures.open_runs += 1,
            }
        }
    }
    Ok(())
}

fn entry_points(module: &Module) -> impl Iterator<Item = (String, Function)> {
    let entries = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
    entries.filter_map(|entry| Some((entry.name.to_string(), module.cast(entry.function)?)))
}

/// Runs a launch, one work-group after the other, and compares with what is expected. How many instructions the longest lane
/// executed comes back; none may execute more than `fuel`.
///
/// # Errors
/// It cannot be run, or its outputs differ.
pub fn check_launch(module: &Module, expected: Expected<'_>, fuel: u64) -> Result<u64, String> {
    let Expected { launch, outputs: expected } = expected;
    let (outputs, longest) = launch_outputs(module, launch, fuel)?;
    compare(launch, expected, &outputs).map_err(|mismatch| mismatch.to_string())?;
    Ok(longest)
}

/// Runs a launch, one work-group after the other: its outputs, and how many instructions the longest lane executed; none may execute more
/// than `fuel`.
///
/// # Errors
/// It cannot be run.
pub fn launch_outputs(module: &Module, launch: &Launch, fuel: u64) -> Result<(Vec<Vec<u8>>, u64), String> {
    let name = launch.kernel.as_deref().unwrap_or("main");
    let (_, function) = entry_points(module).find(|(own, _)| own == name).ok_or("no such entry point")?;
    let mut buffers = Vec::new();
    for (index, bytes) in launch.buffers().map_err(|error| error.to_string())?.into_iter().enumerate() {
        let variable = bound(module, index as u32).ok_or_else(|| format!("no buffer at binding {index}"))?;
        buffers.push((variable, bytes));
    }
    if launch.arguments.iter().any(|argument| !matches!(argument, Argument::Buffer(_))) {
        return Err("an argument that is no buffer".to_owned());
    }
    let local = launch.local.ok_or("no work-group size")?;
    let groups = [0, 1, 2].map(|axis| launch.global[axis] as u32 / local[axis]);
    let runner = Runner { module, interpreter: Interpreter::new(module), function, fuel };
    let mut longest = 0;
    for z in 0..groups[2] {
        for y in 0..groups[1] {
            for x in 0..groups[0] {
                let place = Place { group: [x, y, z], groups, local };
                let executed = run_group(&runner, place, &mut buffers)?;
                longest = executed.max(longest);
            }
        }
    }
    Ok((launch.outputs().map(|output| buffers[output.index].1.clone()).collect(), longest))
}

fn bound(module: &Module, number: u32) -> Option<Inst> {
    let mut variables = module.globals().filter(|&inst| module.op(inst) == Op::Variable);
    variables.find(|&variable| module.decorated(variable).find() == Some(Binding(number)))
}

/// A kernel that is ready to run.
struct Runner<'m> {
    module: &'m Module,
    interpreter: Interpreter<'m>,
    function: Function,
    /// The number of instructions that a lane may execute.
    fuel: u64,
}

/// A work-group of a launch.
#[derive(Clone, Copy)]
struct Place {
    group: [u32; 3],
    groups: [u32; 3],
    local: [u32; 3],
}

fn run_group(runner: &Runner<'_>, place: Place, buffers: &mut [(Inst, Vec<u8>)]) -> Result<u64, String> {
    let &Runner { module, ref interpreter, function, fuel } = runner;
    let Place { group, groups, local } = place;
    let lanes = local.iter().product::<u32>() as usize;
    let mut run = Run { lanes, fuel, subgroup_size: Some(8), ..Run::default() };
    for (variable, bytes) in buffers.iter() {
        let (_, ty) = held_by(module, *variable).ok_or("a buffer of no type")?;
        let value = value_from_bytes(module, ty, bytes).ok_or("a buffer whose layout is not known")?;
        run.contents.push(Contents { variable: *variable, lane: None, value });
        run.observed.push(*variable);
    }
    place_built_ins(module, group, groups, local, &mut run);
    let outcome = interpreter.run(function, &run, &mut no_externals).map_err(|error| error.to_string())?;
    if let Some(lane) = outcome.lanes.iter().find(|lane| lane.end != End::Returned(None)) {
        return Err(format!("group {group:?}: {}", lane.end));
    }
    for (variable, bytes) in buffers.iter_mut() {
        let (_, ty) = held_by(module, *variable).ok_or("a buffer of no type")?;
        let value = outcome.variable(*variable, 0).ok_or("a buffer that nobody watched")?;
        write_value(module, ty, value, bytes).ok_or("a buffer whose layout is not known")?;
    }
    Ok(outcome.lanes.iter().map(|lane| lane.executed).max().unwrap_or(0))
}

/// Sets the position of the work-group in the grid, which a run knows only for the first one.
fn place_built_ins(module: &Module, group: [u32; 3], groups: [u32; 3], local: [u32; 3], run: &mut Run) {
    let vector = |words: [u32; 3]| Value::composite(words.map(Value::u32).to_vec());
    for variable in module.globals().filter(|&inst| module.op(inst) == Op::Variable) {
        for lane in 0..run.lanes as u32 {
            let own = [lane % local[0], lane / local[0] % local[1], lane / local[0] / local[1]];
            let words = match module.decorated(variable).find().map(|decoration::BuiltIn(built_in)| built_in) {
                Some(BuiltIn::NumWorkgroups) => groups,
                Some(BuiltIn::WorkgroupId) => group,
                Some(BuiltIn::GlobalInvocationId) => [0, 1, 2].map(|axis| group[axis] * local[axis] + own[axis]),
                _ => break,
            };
            run.contents.push(Contents { variable, lane: Some(lane as usize), value: vector(words) });
        }
    }
}
