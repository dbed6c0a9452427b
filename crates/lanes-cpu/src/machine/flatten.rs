//! A machine function as the allocator reads it: instructions in one list, each block a range of it, and no critical edges.
//!
//! An edge from a block with several successors to one with several predecessors gets a block of its own, right after its source, so that
//! the allocator has a place for moves and guesses loops as well as without. Empty ones vanish again when jumps are laid out.
//!
//! The order in which operands are listed here is the order in which [`super::encode`] takes registers for them: the operands of the form
//! (`from` before `to`, base before index), the mask, the consumed mask, implicit operands, and operands that are there only for the
//! allocator.

use super::constraints::Constraints;
use super::dce::reachable_blocks;
use super::registers::{allocator_class, environment};
use super::{BlockId, Condition, MachineFunction, Terminator, VReg};
use reconverge_lanes::CodeRole;
use regalloc2::{Block, Inst as FlatInst, InstRange, Operand as AllocatorOperand, PRegSet, RegClass};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// The kind of an instruction of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// An instruction of a block of the machine function.
    Inst { block: u32, index: u32 },
    /// The address of the entry of a jump table: index, two new registers. The first one gets the address.
    TableAddress { entries: u32 },
    /// The jump to such an address.
    TableJump,
    /// A switch to the next pack.
    Barrier,
    /// A jump or a branch: it reads no registers.
    Branch,
    /// The end of a block without successors.
    Exit,
}

/// The end of a flat block. Blocks are numbers of flat blocks.
#[derive(Clone, Debug)]
pub(super) enum End {
    Jump(u32),
    Branch {
        condition: Condition,
        then: u32,
        otherwise: u32,
    },
    /// The targets, and last the default.
    Table(Vec<u32>),
    Return,
    Trap(u32),
}

impl End {
    /// The targets of the branch.
    pub(super) fn targets(&self) -> SmallVec<[&u32; 2]> {
        match self {
            End::Jump(to) => smallvec![to],
            End::Branch { then, otherwise, .. } => smallvec![then, otherwise],
            End::Table(targets) => targets.iter().collect(),
            End::Return | End::Trap(_) => SmallVec::new(),
        }
    }

    /// The entries of its jump table.
    pub(super) fn table_entries(&self) -> usize {
        match self {
            End::Table(targets) => targets.len(),
            _ => 0,
        }
    }
}

/// A basic block of the list.
#[derive(Debug)]
pub(super) struct FlatBlock {
    /// The block of the machine function that it is, or that the edge leaves.
    pub(super) source: u32,
    /// Its purpose.
    pub(super) role: CodeRole,
    pub(super) insts: Range<u32>,
    pub(super) end: End,
    successors: Vec<Block>,
    predecessors: Vec<Block>,
    parameters: Vec<regalloc2::VReg>,
    arguments: Vec<regalloc2::VReg>,
}

/// The function for the allocator.
pub(super) struct Flat<'f> {
    pub(super) function: &'f MachineFunction,
    pub(super) blocks: Vec<FlatBlock>,
    pub(super) parts: Vec<Part>,
    operands: Vec<AllocatorOperand>,
    /// The index of the first operand of each instruction, and the number of all operands.
    operand_starts: Vec<u32>,
    /// The set of clobbers of each instruction, as an index into `clobber_sets`.
    clobbers: Vec<u32>,
    /// The first one is empty.
    clobber_sets: Vec<PRegSet>,
    registers: usize,
    vector_slots: usize,
}

/// The register of the allocator.
pub(super) fn allocator_register(register: VReg) -> regalloc2::VReg {
    regalloc2::VReg::new(register.index as usize, allocator_class(register.class))
}

/// The different successors of a terminator.
fn successors(end: &Terminator) -> Vec<BlockId> {
    match end {
        Terminator::Jump(to, _) | Terminator::Barrier { resume: to, .. } => vec![*to],
        Terminator::Branch { then, otherwise, .. } if then == otherwise => vec![*then],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Table { default, targets, .. } => {
            let mut all: Vec<BlockId> = targets.iter().copied().chain([*default]).collect();
            all.sort_unstable_by_key(|block| block.0);
            all.dedup();
            all
        }
        Terminator::Return | Terminator::Trap(_) => Vec::new(),
    }
}

/// The control flow of the flat function before its instructions are known.
struct Plan {
    /// The blocks that the entry reaches, with their different successors.
    blocks: Vec<(u32, Vec<BlockId>)>,
    /// The number of edges to each block of the machine function.
    edges_to: Vec<u32>,
    /// The flat block of each block of the machine function.
    flat: Vec<u32>,
}

impl Plan {
    fn of(function: &MachineFunction) -> Plan {
        let is_reachable = reachable_blocks(function);
        let mut edges_to = vec![0; function.blocks.len()];
        let mut blocks = Vec::new();
        for (number, block) in (0..).zip(&function.blocks) {
            if is_reachable[number as usize] {
                let all = successors(block.end.as_ref().expect("invariant: a finished block has an end"));
                for to in &all {
                    edges_to[to.0 as usize] += 1;
                }
                blocks.push((number, all));
            }
        }
        let mut plan = Plan { blocks, edges_to, flat: vec![u32::MAX; function.blocks.len()] };
        let mut next = 0;
        for (number, all) in &plan.blocks {
            plan.flat[*number as usize] = next;
            next += 1 + all.iter().filter(|to| plan.is_critical(all, **to)).count() as u32;
        }
        plan
    }

    fn is_critical(&self, all: &[BlockId], to: BlockId) -> bool {
        all.len() > 1 && self.edges_to[to.0 as usize] > 1
    }
}

impl<'f> Flat<'f> {
    /// Flattens a function.
    pub(super) fn new(function: &'f MachineFunction, constraints: &Constraints) -> Flat<'f> {
        let plan = Plan::of(function);
        let mut flat = Flat {
            function,
            blocks: Vec::with_capacity(plan.blocks.len() * 2),
            parts: Vec::new(),
            operands: Vec::new(),
            operand_starts: vec![0],
            clobbers: Vec::new(),
            clobber_sets: vec![PRegSet::empty()],
            registers: function.classes.len(),
            vector_slots: if function.has_avx512 { 8 } else { 4 },
        };
        for (number, all) in &plan.blocks {
            flat.add_block(&plan, *number, all, constraints);
        }
        flat.link();
        flat
    }

    fn add_block(&mut self, plan: &Plan, number: u32, all: &[BlockId], constraints: &Constraints) {
        let function = self.function;
        let block = &function.blocks[number as usize];
        let first = self.parts.len() as u32;
        for (index, inst) in (0..).zip(&block.insts) {
            let clobbers = constraints.list(inst, &mut self.operands);
            self.push(Part::Inst { block: number, index }, clobbers);
        }
        // The edge blocks follow in the order of the successors.
        let mut edges = Vec::new();
        let mut targets = Vec::with_capacity(all.len());
        for to in all {
            if plan.is_critical(all, *to) {
                edges.push(*to);
                targets.push((self.blocks.len() + edges.len()) as u32);
            } else {
                targets.push(plan.flat[to.0 as usize]);
            }
        }
        let target = |to: &BlockId| {
            targets[all.iter().position(|other| other == to).expect("invariant: a successor is in the list")]
        };
        let end = self.push_end(block.end.as_ref().expect("invariant: a finished block has an end"), target);
        let arguments = match &block.end {
            Some(Terminator::Jump(_, values)) => values.iter().copied().map(allocator_register).collect(),
            _ => Vec::new(),
        };
        self.blocks.push(FlatBlock {
            source: number,
            role: block.role,
            insts: first..self.parts.len() as u32,
            end,
            successors: targets.iter().copied().map(to_block).collect(),
            predecessors: Vec::new(),
            parameters: block.parameters.iter().copied().map(allocator_register).collect(),
            arguments,
        });
        for to in edges {
            self.push_edge(number, plan.flat[to.0 as usize]);
        }
    }

    /// A block that only jumps, on an edge that leaves a block of the machine function.
    fn push_edge(&mut self, source: u32, to: u32) {
        let first = self.parts.len() as u32;
        self.push(Part::Branch, PRegSet::empty());
        self.blocks.push(FlatBlock {
            source,
            role: CodeRole::Edge,
            insts: first..first + 1,
            end: End::Jump(to),
            successors: vec![to_block(to)],
            predecessors: Vec::new(),
            parameters: Vec::new(),
            arguments: Vec::new(),
        });
    }

    /// The instructions of a terminator.
    fn push_end(&mut self, end: &Terminator, target: impl Fn(&BlockId) -> u32) -> End {
        let end = match end {
            Terminator::Jump(to, _) => End::Jump(target(to)),
            Terminator::Branch { then, otherwise, .. } if then == otherwise => End::Jump(target(then)),
            Terminator::Branch { condition, then, otherwise } => {
                End::Branch { condition: *condition, then: target(then), otherwise: target(otherwise) }
            }
            Terminator::Table { default, targets, .. } if targets.iter().all(|to| to == default) => {
                End::Jump(target(default))
            }
            Terminator::Table { index, default, targets } => {
                self.push_table(*index, targets.len() as u32);
                return End::Table(targets.iter().chain([default]).map(target).collect());
            }
            Terminator::Barrier { resume } => {
                let all = PRegSet::from(&environment(self.function));
                self.push(Part::Barrier, all);
                End::Jump(target(resume))
            }
            Terminator::Return => End::Return,
            Terminator::Trap(code) => End::Trap(*code),
        };
        let part = if matches!(end, End::Return | End::Trap(_)) { Part::Exit } else { Part::Branch };
        self.push(part, PRegSet::empty());
        end
    }

    /// The address and the jump of a table. The address is not computed by the jump itself: a branch must not write registers.
    fn push_table(&mut self, index: VReg, entries: u32) {
        let address = self.new_register();
        let table = self.new_register();
        self.operands.extend([
            AllocatorOperand::reg_use(allocator_register(index)),
            AllocatorOperand::reg_def_at_start(address),
            AllocatorOperand::reg_def_at_start(table),
        ]);
        self.push(Part::TableAddress { entries }, PRegSet::empty());
        self.operands.push(AllocatorOperand::reg_use(address));
        self.push(Part::TableJump, PRegSet::empty());
    }

    fn new_register(&mut self) -> regalloc2::VReg {
        self.registers += 1;
        regalloc2::VReg::new(self.registers - 1, RegClass::Int)
    }

    /// Adds an instruction whose operands were listed before.
    fn push(&mut self, part: Part, clobbers: PRegSet) {
        self.parts.push(part);
        self.operand_starts.push(self.operands.len() as u32);
        if clobbers == PRegSet::empty() {
            self.clobbers.push(0);
        } else {
            self.clobbers.push(self.clobber_sets.len() as u32);
            self.clobber_sets.push(clobbers);
        }
    }

    /// Fills in the predecessors.
    fn link(&mut self) {
        for block in 0..self.blocks.len() {
            for to in self.blocks[block].successors.clone() {
                self.blocks[to.index()].predecessors.push(to_block(block as u32));
            }
        }
    }

    /// The blocks that lead to a block, as the allocator knows them.
    pub(super) fn predecessors(&self, block: usize) -> &[Block] {
        &self.blocks[block].predecessors
    }

    fn block(&self, block: Block) -> &FlatBlock {
        &self.blocks[block.index()]
    }
}

fn to_block(number: u32) -> Block {
    Block::new(number as usize)
}

impl regalloc2::Function for Flat<'_> {
    fn num_insts(&self) -> usize {
        self.parts.len()
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry_block(&self) -> Block {
        Block::new(0)
    }

    fn block_insns(&self, block: Block) -> InstRange {
        let insts = &self.block(block).insts;
        InstRange::new(FlatInst::new(insts.start as usize), FlatInst::new(insts.end as usize))
    }

    fn block_succs(&self, block: Block) -> &[Block] {
        &self.block(block).successors
    }

    fn block_preds(&self, block: Block) -> &[Block] {
        &self.block(block).predecessors
    }

    fn block_params(&self, block: Block) -> &[regalloc2::VReg] {
        &self.block(block).parameters
    }

    fn is_ret(&self, inst: FlatInst) -> bool {
        self.parts[inst.index()] == Part::Exit
    }

    fn is_branch(&self, inst: FlatInst) -> bool {
        matches!(self.parts[inst.index()], Part::Branch | Part::TableJump)
    }

    fn branch_blockparams(&self, block: Block, _: FlatInst, _: usize) -> &[regalloc2::VReg] {
        &self.block(block).arguments
    }

    fn inst_operands(&self, inst: FlatInst) -> &[AllocatorOperand] {
        let start = self.operand_starts[inst.index()] as usize;
        &self.operands[start..self.operand_starts[inst.index() + 1] as usize]
    }

    fn inst_clobbers(&self, inst: FlatInst) -> PRegSet {
        self.clobber_sets[self.clobbers[inst.index()] as usize]
    }

    fn num_vregs(&self) -> usize {
        self.registers
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        match class {
            RegClass::Int | RegClass::Vector => 1,
            RegClass::Float => self.vector_slots,
        }
    }
}
