//! Small random numbers, and modules to start from.

use reconverge_ir::{Block, Builder, Function, Inst, Module};

/// Xorshift. The same numbers for the same seed, for ever.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % bound
    }
}

/// A module with one function `u32 f(u32)` and so many empty blocks.
pub(crate) struct Start {
    pub(crate) module: Module,
    pub(crate) u32_type: Inst,
    pub(crate) function: Function,
    pub(crate) parameter: Inst,
    pub(crate) blocks: Vec<Block>,
}

pub(crate) fn start(block_count: usize) -> Start {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let function = build.add_function(u32_type, &[u32_type]);
    let blocks = (0..block_count).map(|_| build.add_block(function)).collect();
    let parameter = module.parameters(function).next().unwrap().inst();
    Start { module, u32_type, function, parameter, blocks }
}
