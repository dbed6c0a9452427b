//! A tiny assembler: words from fields, and programs that store what they compute.

use reconverge_qpu_emulate::{Fault, LANES, Launch, Memory, Report, run};

/// Sixteen words.
pub(crate) type Lanes = [u32; LANES];

// Addresses of registers for writing.
pub(crate) const R0: u64 = 32;
pub(crate) const R1: u64 = 33;
pub(crate) const R2: u64 = 34;
pub(crate) const R3: u64 = 35;
pub(crate) const NO_SWAP: u64 = 36;
pub(crate) const R5: u64 = 37;
pub(crate) const HOST_INTERRUPT: u64 = 38;
pub(crate) const NONE: u64 = 39;
pub(crate) const UNIFORMS_ADDRESS: u64 = 40;
pub(crate) const VPM: u64 = 48;
pub(crate) const SETUP: u64 = 49;
pub(crate) const DMA: u64 = 50;
pub(crate) const MUTEX: u64 = 51;
pub(crate) const RECIPROCAL: u64 = 52;
pub(crate) const TMU0: u64 = 56;
pub(crate) const TMU1: u64 = 60;

// Addresses of registers for reading.
pub(crate) const UNIFORM: u64 = 32;
pub(crate) const ELEMENT: u64 = 38;

// Operands beside r0 to r5.
pub(crate) const FILE_A: u64 = 6;
pub(crate) const FILE_B: u64 = 7;

// Conditions.
pub(crate) const NEVER: u64 = 0;
pub(crate) const ZERO_SET: u64 = 2;
pub(crate) const ZERO_CLEAR: u64 = 3;
pub(crate) const NEGATIVE_SET: u64 = 4;
pub(crate) const CARRY_SET: u64 = 6;

// Operations of the add ALU.
pub(crate) const FADD: u64 = 1;
pub(crate) const FSUB: u64 = 2;
pub(crate) const FMIN: u64 = 3;
pub(crate) const ITOF: u64 = 8;
pub(crate) const ADD: u64 = 12;
pub(crate) const SUB: u64 = 13;
pub(crate) const SHL: u64 = 17;
pub(crate) const AND: u64 = 20;
pub(crate) const OR: u64 = 21;

// Operations of the mul ALU.
pub(crate) const FMUL: u64 = 1;
pub(crate) const MUL24: u64 = 2;
pub(crate) const V8MIN: u64 = 4;

/// A word with both ALUs.
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(crate) u64);

/// An instruction that does nothing.
pub(crate) fn nop() -> Word {
    Word(1 << 60 | NONE << 38 | NONE << 32 | NONE << 18 | NONE << 12)
}

impl Word {
    fn set(self, low: u32, bits: u32, value: u64) -> Word {
        let mask = ((1u64 << bits) - 1) << low;
        Word(self.0 & !mask | value << low & mask)
    }

    pub(crate) fn signal(self, signal: u64) -> Word {
        self.set(60, 4, signal)
    }

    pub(crate) fn add(self, operation: u64, target: u64, a: u64, b: u64) -> Word {
        self.set(24, 5, operation).set(38, 6, target).set(49, 3, 1).set(9, 3, a).set(6, 3, b)
    }

    pub(crate) fn mul(self, operation: u64, target: u64, a: u64, b: u64) -> Word {
        self.set(29, 3, operation).set(32, 6, target).set(46, 3, 1).set(3, 3, a).set(0, 3, b)
    }

    pub(crate) fn read_a(self, address: u64) -> Word {
        self.set(18, 6, address)
    }

    pub(crate) fn read_b(self, address: u64) -> Word {
        self.set(12, 6, address)
    }

    pub(crate) fn immediate(self, code: u64) -> Word {
        self.signal(13).read_b(code)
    }

    pub(crate) fn add_if(self, condition: u64) -> Word {
        self.set(49, 3, condition)
    }

    pub(crate) fn mul_if(self, condition: u64) -> Word {
        self.set(46, 3, condition)
    }

    pub(crate) fn flags(self) -> Word {
        self.set(45, 1, 1)
    }

    pub(crate) fn swap(self) -> Word {
        self.set(44, 1, 1)
    }

    pub(crate) fn pack(self, mode: u64) -> Word {
        self.set(52, 4, mode)
    }

    pub(crate) fn pm(self) -> Word {
        self.set(56, 1, 1)
    }

    pub(crate) fn unpack(self, mode: u64) -> Word {
        self.set(57, 3, mode)
    }
}

/// Copies accumulator `source`.
pub(crate) fn copy(target: u64, source: u64) -> Word {
    nop().add(OR, target, source, source)
}

/// Copies what file A gives at an address.
pub(crate) fn copy_a(target: u64, address: u64) -> Word {
    nop().add(OR, target, FILE_A, FILE_A).read_a(address)
}

/// Copies what file B gives at an address.
pub(crate) fn copy_b(target: u64, address: u64) -> Word {
    nop().add(OR, target, FILE_B, FILE_B).read_b(address)
}

fn load_word(mode: u64, target: u64, immediate: u32) -> Word {
    Word(14 << 60 | mode << 57 | 1 << 49 | target << 38 | NONE << 32 | u64::from(immediate))
}

/// Loads an immediate through the add ALU.
pub(crate) fn load(target: u64, immediate: u32) -> Word {
    load_word(0, target, immediate)
}

/// Loads two bits a lane.
pub(crate) fn load_lanes(target: u64, immediate: u32, is_signed: bool) -> Word {
    load_word(if is_signed { 1 } else { 3 }, target, immediate)
}

/// Counts a semaphore up, or down.
pub(crate) fn semaphore(number: u32, is_acquire: bool) -> Word {
    load_word(4, NONE, number | u32::from(is_acquire) << 4)
}

/// A branch by a number of instructions, counted behind its delay slots.
pub(crate) fn branch(condition: u64, distance: i32) -> Word {
    Word(15 << 60 | condition << 52 | 1 << 51 | NONE << 38 | NONE << 32 | u64::from((distance * 8).cast_unsigned()))
}

/// Ends the program.
pub(crate) fn end() -> [Word; 3] {
    [nop().signal(3), nop(), nop()]
}

/// Where programs of the tests store.
pub(crate) const OUTPUT: u32 = 0x2000_0000;

/// Where programs of the tests read.
pub(crate) const INPUT: u32 = 0x3000_0000;

/// Stores r3 as row `row` of the output, with one QPU.
pub(crate) fn store_r3(row: u32) -> Vec<Word> {
    vec![
        load(SETUP, 1 << 12 | 1 << 11 | 2 << 8 | row).swap(),
        copy(VPM, 3),
        load(SETUP, 0x8000_0000 | 1 << 23 | 16 << 16 | 1 << 14 | row << 7).swap(),
        load(DMA, OUTPUT + row * 64).swap(),
        nop().read_b(DMA),
    ]
}

/// The words of a program, with its end.
pub(crate) fn finish(words: &[Word]) -> Vec<u64> {
    words.iter().chain(&end()).map(|word| word.0).collect()
}

/// Memory with an input of words and an output of zeros.
pub(crate) fn memory(input: &[u32]) -> Memory {
    let mut memory = Memory::new();
    memory.add(OUTPUT, vec![0; 4096]).expect("regions do not overlap");
    memory.add(INPUT, input.iter().flat_map(|word| word.to_le_bytes()).collect()).expect("regions do not overlap");
    memory
}

/// Row `row` of the output.
pub(crate) fn output(memory: &Memory, row: u32) -> Lanes {
    std::array::from_fn(|lane| memory.word(OUTPUT + row * 64 + lane as u32 * 4).expect("a row of the output"))
}

/// Runs a program on one QPU.
pub(crate) fn run_one(words: &[Word], uniforms: &[u32], memory: &mut Memory) -> Result<Report, Fault> {
    let code = finish(words);
    let uniforms = [uniforms.to_vec()];
    let mut launch = Launch::new(&code, &uniforms);
    launch.cycle_limit = 100_000;
    run(&launch, memory)
}

/// Runs a program that leaves a value in r3 and gives that value. The accumulators r0, r1 and r2 are the arguments at first.
pub(crate) fn evaluate(arguments: &[Lanes], words: &[Word]) -> Lanes {
    let mut program = Vec::new();
    for index in 0..arguments.len() as u32 {
        // Address of lane i: the input, the row of the argument, four bytes a lane.
        program.push(nop().add(ADD, R3, FILE_A, FILE_A).read_a(ELEMENT));
        program.push(nop().add(ADD, R3, 3, 3));
        program.push(load(R2, INPUT + index * 64));
        program.push(nop().add(ADD, TMU0, 2, 3));
    }
    for index in 0..arguments.len() as u64 {
        program.push(nop().signal(10));
        program.push(copy(R0 + index, 4));
    }
    program.extend(words);
    program.extend(store_r3(0));
    let mut memory = memory(arguments.as_flattened());
    run_one(&program, &[], &mut memory).expect("a program that keeps the rules");
    output(&memory, 0)
}
