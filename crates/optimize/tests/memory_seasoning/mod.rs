//! Random programs whose values go through memory: filled graphs, and programs of lanes, seasoned with stores and loads.

use reconverge_ir::{Function, Inst, Module, Op, Position, Slot, text};
use reconverge_testing::generators::lanes::{LaneOptions, Outside, SubgroupUse, lanes_program, lower};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Ended, Inputs, Machine, compare_runs};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{self, Values};
use reconverge_testing::random::Random;

use reconverge_testing::programs::{check_equal, check_verified, functions};

/// Runs a pass over a function. How much of what it looks for is gone.
pub(crate) type Pass = fn(&mut Module, Function) -> usize;

/// How many times as many programs as in a slice.
fn deep() -> u64 {
    if is_deep() { 100 } else { 1 }
}

/// Types and constants of the memory that a function gets: three words of its own.
struct Memory {
    word: Inst,
    pointer: Inst,
    variable: Inst,
    words: [Inst; 3],
}

impl Memory {
    fn new(module: &mut Module, function: Function, word: Inst) -> Memory {
        let entry = module.entry(function).expect("it has a body");
        let mut edit = module.edit();
        let class = edit.word(7);
        let literals = [0, 1, 2].map(|value| edit.word(value));
        let words = literals.map(|literal| edit.unique(Op::Constant, Some(word), &[literal]));
        let length = {
            let literal = edit.word(3);
            edit.unique(Op::Constant, Some(word), &[literal])
        };
        let array = edit.unique(Op::TypeArray, None, &[word, length]);
        let null = edit.unique(Op::ConstantNull, Some(array), &[]);
        let pointer = edit.unique(Op::TypePointer, None, &[class, word]);
        let whole = edit.unique(Op::TypePointer, None, &[class, array]);
        let variable = edit.insert(Position::AtStart(entry.into()), Op::Variable, Some(whole), &[class, null]);
        Memory { word, pointer, variable, words }
    }
}

/// Behind values of 32 bits: stores of them, loads that are mixed into them, and stores of what was loaded, at known and unknown places.
fn season(module: &mut Module, function: Function, random: &mut Random) {
    let insts: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
    let is_word = |module: &Module, ty: Inst| {
        module.op(ty) == Op::TypeInt && module.literal_word(module.operand(ty, 0)) == Some(32)
    };
    let mut memory: Option<Memory> = None;
    for inst in insts {
        let op = module.op(inst);
        let Some(ty) = module.ty(inst).filter(|&ty| is_word(module, ty)) else { continue };
        let is_last = module.next(inst).is_none_or(|next| module.op(next) == Op::BlockParameter);
        if is_last || matches!(op, Op::Variable | Op::BlockParameter) || !random.chance(60) {
            continue;
        }
        let memory = memory.get_or_insert_with(|| Memory::new(module, function, ty));
        if memory.word == ty {
            access(module, memory, inst, random);
        }
    }
}

fn access(module: &mut Module, memory: &Memory, value: Inst, random: &mut Random) {
    let Memory { word, pointer, variable, words } = *memory;
    let uses: Vec<_> = module.uses(value).collect();
    let mut edit = module.edit();
    let mut last = value;
    let index = match random.below(4) {
        3 => {
            last = edit.insert(Position::After(last), Op::BitwiseAnd, Some(word), &[value, words[1]]);
            last
        }
        known => words[known],
    };
    let at = edit.insert(Position::After(last), Op::AccessChain, Some(pointer), &[variable, index]);
    let store = |edit: &mut reconverge_ir::Editor<'_>, behind: Inst, what: Inst| {
        edit.insert(Position::After(behind), Op::Store, None, &[at, what])
    };
    let choice = random.below(5);
    if choice < 2 {
        store(&mut edit, at, value);
    } else if choice == 2 {
        let first = store(&mut edit, at, value);
        store(&mut edit, first, words[2]);
    } else {
        let load = edit.insert(Position::After(at), Op::Load, Some(word), &[at]);
        if choice == 3 {
            store(&mut edit, load, load);
            return;
        }
        let mixed = edit.insert(Position::After(load), Op::BitwiseXor, Some(word), &[value, load]);
        for used in uses {
            if let Slot::Operand(index) = used.slot {
                edit.set_operand(used.user, index, mixed);
            }
        }
    }
}

/// Runs a pass over functions of so many times ten graphs, verified and equal. How much is gone.
pub(crate) fn check_on_graphs(times: u64, run: Pass) -> usize {
    let mut gone = 0;
    for seed in 0..times * deep() {
        let graphs: Vec<PlainGraph> = (0..10).map(|index| wild(seed * 100 + index, 4 + index as usize * 3)).collect();
        let mut before = program_from_graph::with_calls_and(&graphs, seed, Values::Mixed);
        let mut random = Random::new(seed);
        for &function in &before.functions {
            season(&mut before.module, function, &mut random);
        }
        check_verified(&before.module);
        let mut after = before.module.clone();
        gone += before.functions.iter().map(|&function| run(&mut after, function)).sum::<usize>();
        check_verified(&after);
        assert!(check_equal(&before.module, &after) > 0, "seed {seed}: nothing was run");
    }
    gone
}

/// The same where lanes part. How much is gone, and how many runs were compared.
pub(crate) fn check_on_lanes(run: Pass) -> (usize, usize) {
    const FUEL: u64 = 10_000;
    let (mut gone, mut compared) = (0, 0);
    for seed in 0..60 * deep() {
        let options = LaneOptions { subgroup: SubgroupUse::Recorded, ..LaneOptions::default() };
        let mut lowered = lower(&lanes_program(seed, 3 + (seed as usize * 7) % 30, &options), Outside::Calls);
        let mut random = Random::new(seed);
        for function in functions(&lowered.module) {
            season(&mut lowered.module, function, &mut random);
        }
        check_verified(&lowered.module);
        let mut after = lowered.module.clone();
        gone += functions(&lowered.module).iter().map(|&function| run(&mut after, function)).sum::<usize>();
        check_verified(&after);
        for lanes in [1, 5, 16] {
            let inputs = Inputs::new(lanes, seed);
            let start = |module: &Module, fuel: u64| Machine::new(&lowered, module).with_fuel(fuel).run(&inputs);
            let old = start(&lowered.module, FUEL).expect("it runs");
            if old.ends.iter().any(|end| matches!(end, Ended::Otherwise(_))) {
                continue;
            }
            compared += 1;
            let new = start(&after, 2 * FUEL).expect("it runs");
            if let Err(message) = compare_runs(&old, &new) {
                panic!("seed {seed}: {message}\n{}\n{}", text::print(&lowered.module), text::print(&after));
            }
        }
    }
    (gone, compared)
}
