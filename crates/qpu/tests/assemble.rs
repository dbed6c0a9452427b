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

/// A program whose variables do not all fit into registers.
fn crowded() -> MachineFunction {
    program(3, Size { variables: 120, straight: 20, depth: 1, parts: 2, length: 1 })
}

#[test]
fn spilled_registers_need_a_base() {
    let function = MachineFunction { spill_base: None, ..crowded() };
    assert_eq!(assemble(function).map(|code| code.words.len()), Err(AssembleError::NeedsSpillBase));
}

#[test]
fn spilled_registers_need_rows() {
    let function = MachineFunction { own_rows: 63, ..crowded() };
    let error = assemble(function).map(|code| code.words.len());
    assert!(matches!(error, Err(AssembleError::TooManyRows { needed: 65.., limit: 64 })), "{error:?}");
}

#[test]
fn code_is_the_same_each_time() {
    let words = || assemble(crowded()).map(|code| code.words);
    assert_eq!(words(), words());
}

#[test]
#[ignore = "takes a minute"]
fn many_programs() {
    let mut seen = Seen::default();
    for seed in 1000..7000 {
        let pick = |place: u32, from: [usize; 4]| from[seed as usize >> (2 * place) & 3];
        let (variables, straight) = (pick(0, [1, 4, 12, 70]), pick(1, [1, 3, 10, 30]));
        let size = Size { variables, straight, depth: pick(2, [0, 1, 2, 3]), parts: 2, length: 1 };
        check(seed, size, &mut seen);
    }
    println!("{seen:?}");
}

/// Words for each instruction do not become more with the length of a program.
#[test]
fn code_grows_in_proportion() {
    for variables in [20, 70] {
        let words = [16, 64].map(|parts| {
            let function = program(7, Size { variables, straight: 30, depth: 2, parts: 3, length: parts });
            let insts: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
            assemble(function).expect("the program has room").words.len() as f64 / insts as f64
        });
        assert!(words[1] < 1.2 * words[0], "{variables} variables: {words:?} words for each instruction");
    }
}
