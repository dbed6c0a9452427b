//! Random functions with virtual registers, with places and as words do the same.

use reconverge_qpu::allocate::allocate;
use reconverge_qpu::machine::{MachineFunction, VReg};
use reconverge_qpu::physical::{PhysicalFunction, Place};
use reconverge_qpu::{AssembleError, assemble};

use crate::execute::{Block, Store, execute};
use crate::programs::{Size, program};
use crate::simulate::simulate;

fn execute_virtual(function: &MachineFunction) -> Vec<Store> {
    let block = |block: &'_ reconverge_qpu::machine::MachineBlock| block.branch;
    let blocks: Vec<Block<'_, VReg>> =
        function.blocks.iter().map(|content| Block { insts: &content.insts, branch: block(content) }).collect();
    execute(&blocks, function.registers as usize, |register| register.0 as usize)
}

fn execute_physical(function: &PhysicalFunction) -> Vec<Store> {
    let blocks: Vec<Block<'_, Place>> =
        function.blocks.iter().map(|block| Block { insts: &block.insts, branch: block.branch }).collect();
    execute(&blocks, Place::COUNT, Place::index)
}

/// What was seen over several functions.
#[derive(Default, Debug)]
struct Seen {
    functions: usize,
    with_rows: usize,
    without_code: usize,
    /// Instructions of the functions, branches included.
    insts: usize,
    words: usize,
    idle: usize,
    paired: usize,
    moves: usize,
    cycles: u64,
}

fn check(seed: u64, size: Size, seen: &mut Seen) {
    let function = program(seed, size);
    let expected = execute_virtual(&function);
    let allocation = match allocate(function.clone()) {
        Ok(allocation) => allocation,
        Err(AssembleError::TooManyRows { .. }) => {
            seen.without_code += 1;
            return;
        }
        Err(error) => panic!("seed {seed}: {error}"),
    };
    assert_eq!(execute_physical(&allocation.function), expected, "seed {seed}: allocation");
    let insts = function.blocks.iter().map(|block| block.insts.len() + usize::from(block.branch.is_some()));
    seen.insts += insts.sum::<usize>();
    let code = assemble(function).expect("the function was allocated");
    let violations = reconverge_qpu_check::check(&code.words);
    assert!(violations.is_empty(), "seed {seed}: {violations:?}");
    let run = simulate(&code.words);
    assert_eq!(run.stores, expected, "seed {seed}: words");
    seen.functions += 1;
    seen.with_rows += usize::from(code.spill_rows > 0);
    seen.words += code.words.len();
    seen.idle += code.statistics.idle;
    seen.paired += code.statistics.paired;
    seen.moves += code.statistics.moves;
    seen.cycles += run.cycles;
}

#[test]
fn few_registers() {
    let mut seen = Seen::default();
    for seed in 0..400 {
        check(seed, Size { variables: 6, straight: 12, depth: 2, parts: 2, length: 1 }, &mut seen);
    }
    println!("{seen:?}");
    assert_eq!(seen.functions, 400);
}

#[test]
fn many_registers() {
    let mut seen = Seen::default();
    for seed in 0..200 {
        let variables = 50 + 5 * (seed as usize % 15);
        check(seed, Size { variables, straight: 20, depth: 2, parts: 2, length: 1 }, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.with_rows > 50, "{seen:?}");
}

#[test]
#[ignore = "measures time"]
fn growth() {
    for variables in [20, 70] {
        for parts in [1, 4, 16, 64, 256, 1024] {
            let function = program(7, Size { variables, straight: 30, depth: 2, parts: 3, length: parts });
            let insts: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
            let blocks = function.blocks.len();
            let start = std::time::Instant::now();
            let allocation = allocate(function.clone());
            let allocated = start.elapsed();
            let code = assemble(function);
            let all = start.elapsed() - allocated;
            let rows =
                allocation.map(|allocation| (allocation.spill_rows, allocation.spilled, allocation.computed_again));
            let words = code.map(|code| (code.words.len(), code.statistics));
            println!(
                "{variables} variables {blocks} blocks {insts}: allocate {allocated:?}, all {all:?}, {rows:?} {words:?}"
            );
        }
    }
}
