//! Scratch.
use reconverge_ir::{Function, Module, Op};
use reconverge_passes::structured::*;
use reconverge_testing::generators::lanes::{LaneOptions, Records, SubgroupUse};
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};

fn loops(module: &Module, function: Function) -> Vec<reconverge_ir::Terminator> {
    module.blocks(function).filter_map(|b| module.terminator(b)).filter(|&t| module.op(t) == Op::Loop).collect()
}

fn demand(module: &mut Module, function: Function, words: &[u32]) {
    for l in loops(module, function) {
        let literal = module.edit().literal(words);
        module.edit().set_operand(l, 3, literal);
    }
}

fn counted(module: &Module, function: Function) -> Vec<reconverge_ir::Terminator> {
    use reconverge_analysis::trip_count::{TripCount, TripCounts};
    let counts = TripCounts::compute(module, function);
    loops(module, function)
        .into_iter()
        .filter(|&l| {
            let header = module.cast(module.operand(l, 0)).unwrap();
            matches!(counts.trip_count(header), TripCount::Exact(_) | TripCount::AtMost(_))
        })
        .collect()
}

fn apply(name: &str, module: &mut Module, function: Function) -> Result<bool, StructuredError> {
    match name {
        "lower_returns" => lower_returns(module, function),
        "lower_continue_constructs" => lower_continue_constructs(module, function),
        "unroll_loops" => unroll_loops(module, function),
        "peel_loops" => peel_loops(module, function),
        "invert_loops" => invert_loops(module, function),
        "unroll_demanded" => {
            let found = counted(module, function);
            let mut changed = false;
            for l in found {
                let one = module.edit().literal(&[1]);
                changed = true;
                module.edit().set_operand(l, 3, one);
            }
            match unroll_loops(module, function) {
                Err(StructuredError::Impossible { code: "unroll-shape" | "unroll-growth", .. }) => Ok(changed),
                other => other.map(|c| c | changed),
            }
        }
        "peel_one" | "peel_two" | "peel_four" => {
            let n = match name { "peel_one" => 1, "peel_two" => 2, _ => 4 };
            let changed = !loops(module, function).is_empty();
            demand(module, function, &[128, n]);
            match peel_loops(module, function) {
                Err(StructuredError::Impossible { code: "peel-shape" | "peel-growth", .. }) => Ok(changed),
                other => other.map(|c| c | changed),
            }
        }
        "continue_peel" => Ok(lower_continue_constructs(module, function)? | peel_loops(module, function)?),
        "invert_unroll" => Ok(invert_loops(module, function)? | unroll_loops(module, function)?),
        "all" => {
            let mut c = lower_returns(module, function)?;
            c |= lower_continue_constructs(module, function)?;
            c |= peel_loops(module, function)?;
            c |= invert_loops(module, function)?;
            c |= unroll_loops(module, function)?;
            Ok(c)
        }
        other => panic!("{other}"),
    }
}

#[test]
fn scratch() {
    let names = std::env::var("SCRATCH_PASS").unwrap_or_else(|_| "lower_returns,lower_continue_constructs,unroll_loops,peel_loops,invert_loops,unroll_demanded,peel_one,peel_two,continue_peel,invert_unroll,all".into());
    let from: u64 = std::env::var("SCRATCH_FROM").map_or(0, |s| s.parse().unwrap());
    let count: u64 = std::env::var("SCRATCH_COUNT").map_or(200, |s| s.parse().unwrap());
    let mut bad = Vec::new();
    for name in names.split(',') {
        let every_block = LaneOptions { records: Records::EveryBlock, ..LaneOptions::default() };
        let ending = LaneOptions { kill: true, subgroup: SubgroupUse::None, memory: false, ..LaneOptions::default() };
        for (character, options) in [("mixed", LaneOptions::default()), ("talkative", every_block), ("ending", ending)] {
            if std::env::var("SCRATCH_CHARACTER").is_ok_and(|c| c != character) { continue; }
            let held = !matches!(name, "unroll_demanded" | "peel_one" | "peel_two" | "peel_four" | "all" | "continue_peel" | "invert_unroll");
            let trial = PassTrial { options, inputs: 1, validated: 50, idempotence: if held { Idempotence::Held } else { Idempotence::NotHeld }, ..PassTrial::default() };
            let start = std::time::Instant::now();
            match judge_pass(from..from + count, &trial, &mut |m: &mut Module, f| apply(name, m, f).map_err(|e| e.to_string())) {
                Ok(figures) => println!("{name} {character}: {figures:?} {:?}", start.elapsed()),
                Err(m) => { println!("{name} {character} FAILED: {m}"); bad.push(format!("{name} {character}")) }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:?}");
}
