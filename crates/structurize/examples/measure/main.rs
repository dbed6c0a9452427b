//! Structurizes one graph, or a file of graphs, and tells what it cost. `cargo xtask instructions`
//! runs it under valgrind; by hand:
//!
//! ```text
//! measure list                    names of all families
//! measure FAMILY SIZE [TIMES]     blocks, edges, plan blocks, peak bytes, nanoseconds (best of TIMES), nanoseconds of the first run
//! measure mix COUNT [TIMES]       the same for so many random graphs of 10 to 200 blocks, five kinds in turn
//! measure mix COUNT TIMES PATH    blocks a second: those graphs, the real ones of a path, and both, each half of the blocks
//! measure graphs PATH [TIMES]     the same for all graphs of a path, one after the other
//! measure plans [GRAPHS]          a number for each family: equal numbers, equal plans
//! measure show FAMILY SIZE SEED   one plan
//! ```
//!
//! Like is timed with like: each of the TIMES samples repeats the run until it has lasted [`SAMPLE`], so that a small graph is run as
//! long as a large one, and meets what the runs before it left behind: a warm allocator, caches as far as they reach. The first run
//! meets neither and is told apart. Without TIMES there is only that one.
//!
//! A path is a folder of `.cfg` files, each a graph in the text form (`docs/graph.md`), or one file with one block a line (`exit`,
//! `jump A`, `if A B`, `switch D A B …`, targets as numbers), and an empty line behind each graph: what
//! `cargo xtask instructions --modules FOLDER` writes.

#[path = "../../tests/common/mod.rs"]
mod common;

mod families;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use common::{Lists, Random};
use reconverge_structurize::{Branch, ControlFlow, InputBlock, Options, Plan, structurize, text};

/// What is measured: valgrind counts within this function alone.
#[inline(never)]
fn measured(graph: &Lists) -> Plan {
    structurize(graph, &Options::default()).expect("within the limits")
}

/// How long one sample runs at least.
const SAMPLE: Duration = Duration::from_millis(60);

/// Time that this thread has run for, where the system tells: other work on the machine counts little. Linux keeps the
/// account when the scheduler runs, hence the yield.
fn busy_nanoseconds() -> Option<u128> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Peak of the resident memory in bytes, where the system tells.
fn peak_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Reachable blocks and their successors.
fn size(graphs: &[Lists]) -> (usize, usize) {
    let (mut blocks, mut edges) = (0, 0);
    for graph in graphs {
        let reachable = graph.successors.iter().zip(graph.reachable()).filter(|&(_, is_reachable)| is_reachable);
        let lists: Vec<usize> = reachable.map(|(list, _)| list.len()).collect();
        blocks += lists.len();
        edges += lists.iter().sum::<usize>();
    }
    (blocks, edges)
}

fn tell(graphs: &[Lists], times: usize) {
    let (blocks, edges) = size(graphs);
    let Cost { plan_blocks, peak, best, first } = run_all(graphs, times);
    println!("{blocks} {edges} {plan_blocks} {peak} {best} {first}");
}

/// What one run through some graphs costs.
struct Cost {
    plan_blocks: usize,
    /// By how many bytes the first run raised the peak of the process.
    peak: usize,
    /// Nanoseconds of the best sample, for one run.
    best: u128,
    /// Nanoseconds of the first run.
    first: u128,
}

fn run_all(graphs: &[Lists], times: usize) -> Cost {
    let before = peak_bytes();
    let (first, plan_blocks) = timed(graphs, 1);
    let peak = peak_bytes().saturating_sub(before);
    let repeats = SAMPLE.as_nanos().div_ceil(first.max(1));
    let samples = (0..times).map(|_| timed(graphs, repeats).0 / repeats);
    Cost { plan_blocks, peak, best: samples.min().unwrap_or(first), first }
}

/// Nanoseconds of so many runs, and the blocks of all plans of one.
fn timed(graphs: &[Lists], runs: u128) -> (u128, usize) {
    let (start, busy) = (Instant::now(), busy_nanoseconds());
    let mut plan_blocks = 0;
    for _ in 0..runs {
        plan_blocks = 0;
        for graph in graphs {
            let plan = measured(graph);
            plan_blocks += plan.blocks.len();
            assert!(plan.fell_back.is_none(), "fell back");
        }
    }
    let busy = busy_nanoseconds().zip(busy).map(|(after, before)| after - before);
    (busy.filter(|&busy| busy > 0).unwrap_or_else(|| start.elapsed().as_nanos()), plan_blocks)
}

/// Speed on random graphs, on real ones, and on both in equal parts.
fn tell_mix(random: Vec<Lists>, real: &[Lists], times: usize) {
    let repeats = size(&random).0.div_ceil(size(real).0.max(1));
    let repeated: Vec<Lists> = (0..repeats).flat_map(|_| real.iter().cloned()).collect();
    let both: Vec<Lists> = random.iter().chain(&repeated).cloned().collect();
    for (name, graphs) in [("random", random), ("real", repeated), ("both", both)] {
        let (blocks, _) = size(&graphs);
        let Cost { plan_blocks, best, .. } = run_all(&graphs, times);
        let speed = blocks as f64 * 1e3 / best.max(1) as f64;
        let count = graphs.len();
        println!("{name:6} {count} graphs, {blocks} -> {plan_blocks} blocks, {speed:.3} million blocks a second");
    }
}

/// The graphs of a folder of `.cfg` files.
fn read_folder(folder: &str) -> Result<Vec<Lists>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cfg"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let graph = text::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Lists {
            entry: graph.entry().index(),
            successors: graph.blocks().map(|block| graph.successors(block).to_vec()).collect(),
            switches: graph.blocks().map(|block| graph.branch(block) == Branch::Switch).collect(),
            convergence: graph.blocks().map(|block| graph.convergence(block)).collect(),
            hints: graph.blocks().map(|block| graph.hints(block)).collect(),
            passes_values: false,
        })
    };
    paths.iter().map(read).collect()
}

fn read_graphs(path: &str) -> Result<Vec<Lists>, String> {
    if std::path::Path::new(path).is_dir() {
        return read_folder(path);
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut graphs = Vec::new();
    let mut lists: Vec<Vec<usize>> = Vec::new();
    let mut switches = Vec::new();
    for line in text.lines().chain([""]) {
        let mut words = line.split_whitespace();
        let Some(kind) = words.next() else {
            if !lists.is_empty() {
                graphs.push(Lists { switches: std::mem::take(&mut switches), ..Lists::new(&lists) });
                lists.clear();
            }
            continue;
        };
        switches.push(kind == "switch");
        let targets: Result<Vec<usize>, _> = words.map(str::parse).collect();
        lists.push(targets.map_err(|error| format!("{path}: {line}: {error}"))?);
    }
    let is_within = |graph: &Lists| {
        let count = graph.successors.len();
        graph.successors.iter().flatten().all(|target: &InputBlock| target.index() < count)
    };
    if graphs.iter().all(is_within) { Ok(graphs) } else { Err(format!("{path}: a target that is no block")) }
}

/// What a plan prints as, with the numbers of dispatch entries in the order in which they occur.
fn print_plan(plan: &Plan, blocks: usize) -> String {
    let text = format!("{plan:?}");
    let mut numbers: Vec<&str> = Vec::new();
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(begin) = rest.find(|at: char| at.is_ascii_digit()) {
        let (before, digits) = rest.split_at(begin);
        let (number, after) = digits.split_at(digits.find(|at: char| !at.is_ascii_digit()).unwrap_or(digits.len()));
        result += before;
        // Numbers of blocks are in brackets of their own: `PlanBlock(7)`.
        let is_block = before.ends_with("Block(");
        if !is_block && number.parse::<usize>().is_ok_and(|number| number >= blocks) {
            let known = numbers.iter().position(|&known| known == number);
            let place = known.unwrap_or_else(|| {
                numbers.push(number);
                numbers.len() - 1
            });
            result += &format!("entry {place}");
        } else {
            result += number;
        }
        rest = after;
    }
    result + rest
}

/// FNV-1a over what the plans print as.
fn print_plans(graphs: u64) {
    for family in families::all() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for seed in 0..graphs {
            let size = 4 + Random::new(seed + 1).below(120);
            let graph = family.make(size, seed);
            for (nesting_limit, chain_limit) in [(64, 6), (3, 2), (0, 6), (7, 0)] {
                let options = Options::new().nesting_limit(nesting_limit).chain_limit(chain_limit);
                let plan = structurize(&graph, &options).expect("within the limits");
                for byte in print_plan(&plan, graph.successors.len()).bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        println!("{:28} {hash:016x}", family.name);
    }
}

fn mix(count: usize) -> Vec<Lists> {
    let random = families::all().into_iter().take(families::RANDOM_COUNT);
    let kinds: Vec<families::Family> = random.collect();
    let sizes = (0..count).map(|index| 10 + Random::new(index as u64 + 1).below(191));
    (0..).zip(sizes).map(|(index, size)| kinds[index % kinds.len()].make(size, index as u64)).collect()
}

fn family(name: &str) -> Result<families::Family, String> {
    let family = families::all().into_iter().find(|family| family.name == name);
    family.ok_or_else(|| format!("{name}: no such family; `list` names them"))
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<usize>().map_err(|error| format!("{word}: {error}"));
    match words[..] {
        ["list"] => families::all().iter().for_each(|family| println!("{}", family.name)),
        ["plans"] => print_plans(60),
        ["plans", graphs] => print_plans(number(graphs)? as u64),
        ["show", name, size, seed] => {
            let graph = family(name)?.make(number(size)?, number(seed)? as u64);
            let text = print_plan(&measured(&graph), graph.successors.len());
            println!("{}", text.replace(", Block {", ",\nBlock {"));
        }
        ["mix", count] => tell(&mix(number(count)?), 0),
        ["mix", count, times, path] => tell_mix(mix(number(count)?), &read_graphs(path)?, number(times)?),
        ["mix", count, times] => tell(&mix(number(count)?), number(times)?),
        ["graphs", file] => tell(&read_graphs(file)?, 0),
        ["graphs", file, times] => tell(&read_graphs(file)?, number(times)?),
        [name, size] | [name, size, _] => {
            let times = words.get(2).map_or(Ok(0), |times| number(times))?;
            tell(&[family(name)?.make_connected(number(size)?)], times);
        }
        _ => return Err("list | FAMILY SIZE [TIMES] | graphs FILE [TIMES] | plans [GRAPHS]".to_owned()),
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("measure: {message}");
            ExitCode::FAILURE
        }
    }
}
