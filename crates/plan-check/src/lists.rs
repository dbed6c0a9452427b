//! A graph as lists of successors.

use reconverge_structurize::{Branch, ControlFlow, Convergence, Hints, InputBlock};

/// A graph as lists of successors: the simplest input of the structurizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    /// The entry.
    pub entry: usize,
    /// For each block its successors in order, repeats kept.
    pub successors: Vec<Vec<InputBlock>>,
    /// Blocks of one or two successors that end in a switch, not in a jump or a conditional.
    pub switches: Vec<bool>,
    /// By block, the other lanes that its operations depend on.
    pub convergence: Vec<Convergence>,
    /// Hints about reconvergence.
    pub hints: Vec<Hints>,
    /// True if edges of blocks pass values on: all, or none.
    pub passes_values: bool,
}

impl Lists {
    /// The graph with these successors and block 0 as its entry; more than two mean a switch.
    pub fn new(lists: &[Vec<usize>]) -> Self {
        let successors: Vec<Vec<InputBlock>> =
            lists.iter().map(|list| list.iter().map(|&target| InputBlock::new(target)).collect()).collect();
        let count = successors.len();
        Self {
            entry: 0,
            successors,
            switches: vec![false; count],
            convergence: vec![Convergence::None; count],
            hints: vec![Hints::default(); count],
            passes_values: false,
        }
    }

    /// The successors of a block.
    pub fn targets(&self, block: usize) -> Vec<usize> {
        self.successors[block].iter().map(|target| target.index()).collect()
    }

    /// For each block whether it is reachable from the entry.
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
    fn convergence(&self, block: InputBlock) -> Convergence {
        self.convergence[block.index()]
    }
    fn hints(&self, block: InputBlock) -> Hints {
        self.hints[block.index()]
    }
    fn passes_values(&self, _: InputBlock) -> bool {
        self.passes_values
    }
}
