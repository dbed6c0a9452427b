//! Ad hoc.
use reconverge_ir::{Function, Module};
use reconverge_passes::structured as s;
use reconverge_passes::structured::StructuredError;
use reconverge_testing::generators::lanes::{LaneOptions, Records, SubgroupUse};
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};
type Pass = fn(&mut Module, Function) -> Result<bool, StructuredError>;
fn run(name: &str, pass: Pass) {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let base: u64 = std::env::var("BASE").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let every = LaneOptions { records: Records::EveryBlock, ..LaneOptions::default() };
    let few = LaneOptions { kill: true, subgroup: SubgroupUse::None, records: Records::Some, memory: false, ..LaneOptions::default() };
    let barriers = LaneOptions { barriers: true, subgroup: SubgroupUse::Everywhere, ..LaneOptions::default() };
    for (which, options) in [few, every, LaneOptions::default(), barriers].into_iter().enumerate() {
        let trial = PassTrial { options, lanes: vec![1, 4, 16, 64], inputs: 1, idempotence: Idempotence::Held, validated: 25, ..PassTrial::default() };
        let mut f = |m: &mut Module, g| pass(m, g).map_err(|e| e.to_string());
        let start = base + which as u64 * 10_000_000;
        match judge_pass(start..start + n / 4, &trial, &mut f) {
            Ok(figures) => println!("{name} kind {which}: {figures:?}"),
            Err(message) => panic!("{name} kind {which}: {message}"),
        }
    }
}
macro_rules! passes { ($($name:ident),*) => { $(#[test] fn $name() { run(stringify!($name), s::$name) })* } }
passes!(fold_constant_branches, remove_dead_control_flow, invert_empty_arms, join_equal_jumps, merge_terminators, if_to_select);
#[test]
fn generous() { run("generous", |m, f| s::if_to_select_within(m, f, s::SelectLimits { plain: 1000, flatten: 1000 })) }
