//! Machine functions as data: what instruction selection writes, and what allocation and scheduling read.
//!
//! A function is a list of blocks in the order of the code. A block is a list of instructions and at most one branch; it falls through to the
//! block after it. Registers are virtual and may be written more than once: a conditional write changes some lanes only.
//!
//! ```text
//! 0:  sub.sf  null, %execute, 2        instructions
//!     mov.zs  %execute, 0
//!     branch.all_zc 3                  at most one branch, which reads the flags
//! 1:  …                                reached if the branch is not taken
//! ```
//!
//! | file | content |
//! |---|---|
//! | `inst.rs` | instructions and their operands |
//! | `ports.rs` | the registers of the periphery that instructions read and write |
//! | `display.rs` | a function as text |

mod display;
mod inst;
mod ports;

pub use inst::{
    AddOp, Branch, BranchCondition, Condition, Destination, Inst, MulOp, Operation, Semaphore, SmallImmediate, Source,
};
pub use ports::{ReadPort, WritePort};

use reconverge_ir as ir;
use reconverge_lanes::CodeRole;
use smallvec::SmallVec;

/// A virtual register: 32 bits for each of the 16 lanes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VReg(pub u32);

/// A block of a machine function, by its place in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);

/// A block: instructions, then a branch if there is one.
#[derive(Clone, Default, Debug)]
pub struct MachineBlock {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// The branch after them. Without one, and if its condition does not hold, control goes to the next block.
    pub branch: Option<Branch>,
    /// What it is made of.
    pub origin: Origin,
}

/// What a block of a machine function is made of: a block of the IR, and its purpose for that one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Origin {
    /// The block; none for what belongs to the function as a whole.
    pub block: Option<ir::Block>,
    /// The purpose.
    pub role: CodeRole,
}

/// A function before allocation.
#[derive(Clone, Default, Debug)]
pub struct MachineFunction {
    /// The blocks in the order of the code. The last one ends with [`Operation::End`].
    pub blocks: Vec<MachineBlock>,
    /// The number of virtual registers.
    pub registers: u32,
    /// The register with the first row of the vertex pipe memory that this QPU may use for itself. It is written once, in the entry block, and
    /// live to the end of the function if anything is spilled. The mutex is free there. What the entry block writes before it and what is spilled
    /// takes registers up to there, so it is best written early.
    pub spill_base: Option<VReg>,
    /// The number of rows of a QPU, from its first one on, that the function uses itself. Spilled registers are after them.
    pub own_rows: u32,
}

impl MachineFunction {
    /// A new virtual register.
    pub fn register(&mut self) -> VReg {
        self.registers += 1;
        VReg(self.registers - 1)
    }

    /// The blocks that control may go to after a block.
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + use<> {
        let branch = self.blocks[block.0 as usize].branch;
        let has_next = (block.0 as usize) + 1 < self.blocks.len();
        let falls = has_next && branch.is_none_or(|branch| branch.condition != BranchCondition::Always);
        let next = falls.then_some(BlockId(block.0 + 1));
        next.into_iter().chain(branch.map(|branch| branch.target))
    }

    /// For each block the blocks that control may come from, each once.
    pub fn predecessors(&self) -> Vec<SmallVec<[BlockId; 2]>> {
        let mut predecessors: Vec<SmallVec<[BlockId; 2]>> = vec![SmallVec::new(); self.blocks.len()];
        for block in (0..self.blocks.len() as u32).map(BlockId) {
            for successor in self.successors(block) {
                let list = &mut predecessors[successor.0 as usize];
                if list.last() != Some(&block) {
                    list.push(block);
                }
            }
        }
        predecessors
    }
}
