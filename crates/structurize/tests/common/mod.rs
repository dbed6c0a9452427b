//! Shared by the tests: graphs, a random source, the checker and the simulator.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(unreachable_pub, reason = "shared by several test binaries")]

pub mod adversaries;
pub mod check;
pub mod generate;
pub mod shapes;
pub mod simulate;

use reconverge_structurize::{Branch, ControlFlow, InputBlock, Options, Plan, structurize};

/// A graph as lists of successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    pub entry: usize,
    pub successors: Vec<Vec<InputBlock>>,
    /// Blocks whose two successors are those of a switch, not of a conditional.
    pub switches: Vec<bool>,
    pub convergent: Vec<bool>,
}

impl Lists {
    pub fn new(lists: &[Vec<usize>]) -> Self {
        let successors: Vec<Vec<InputBlock>> =
            lists.iter().map(|list| list.iter().map(|&target| InputBlock::new(target)).collect()).collect();
        let count = successors.len();
        Self { entry: 0, successors, switches: vec![false; count], convergent: vec![false; count] }
    }

    pub fn targets(&self, block: usize) -> Vec<usize> {
        self.successors[block].iter().map(|target| target.index()).collect()
    }

    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.successors.len()];
        let mut stack = vec![self.entry];
        seen[self.entry] = true;
        while let Some(block) = stack.pop() {
            for target in self.targets(block) {
                if !std::mem::replace(&mut seen[target], true) {
                    stack.push(target);
                }
            }
        }
        seen
    }
}

impl ControlFlow for Lists {
    fn block_count(&self) -> usize {
        self.successors.len()
    }
    fn entry(&self) -> InputBlock {
        InputBlock::new(self.entry)
    }
    fn branch(&self, block: InputBlock) -> Branch {
        match self.successors[block.index()].len() {
            0 => Branch::Exit,
            1 if !self.switches[block.index()] => Branch::Jump,
            2 if !self.switches[block.index()] => Branch::Conditional,
            _ => Branch::Switch,
        }
    }
    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        &self.successors[block.index()]
    }
    fn is_convergent(&self, block: InputBlock) -> bool {
        self.convergent[block.index()]
    }
}

/// xorshift64*, Vigna 2016.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Structurizes, checks all rules and compares traces. Panics with the graph on a failure.
pub fn verify(graph: &Lists, options: &Options) -> Plan {
    let plan = structurize(graph, options).expect("within the limits");
    let fail = |message: String| -> ! { panic!("{message}\n{graph:?}\n{}", show(&plan)) };
    if let Some(fallback) = plan.fell_back {
        fail(format!("fell back: {fallback}"));
    }
    if let Err(message) = check::check(graph, &plan) {
        fail(message);
    }
    for seed in 1..4 {
        if let Err(message) = simulate::compare(graph, &plan, seed) {
            fail(format!("seed {seed}: {message}"));
        }
    }
    plan
}

pub fn show(plan: &Plan) -> String {
    let mut text = String::new();
    for (index, block) in plan.blocks.iter().enumerate() {
        text += &format!("p{index} {:?} selector {}\n", block.origin, block.has_selector);
        text += &format!("    {:?}\n    {:?}\n", block.merge, block.terminator);
    }
    text
}
