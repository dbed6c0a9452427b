//! Terminators: branches with arguments, edge blocks, merge instructions, and the stage of the function.
//!
//! A loop header's `OpLoopMerge` becomes the `loop` of the one block that enters the loop. If there is no such block, an edge block is
//! inserted:
//!
//! ```text
//!   ^p: OpBranch ^h                     ^p: loop ^h break ^m continue ^c
//!   ^h: OpLoopMerge ^m ^c         ⇒     ^h:
//!
//!   ^p: … ^h      ^q: … ^h              ^p: … ^j(a)      ^q: … ^j(b)
//!         ^h: OpLoopMerge         ⇒           edge ^j(x): loop ^h(x) …
//!                                             ^h(y):
//! ```
//!
//! An edge from a block with several successors gets an edge block if it passes arguments, or if it is critical: if its target has other
//! predecessors as well. Edges from one block to one target share theirs.
//!
//! Every module keeps its merges. If they do not form a structured function (a kernel whose loops have only an unroll hint), the function
//! is read at stage Graph, with its `loop` and `if` terminators.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Location, Op, Position, Stage};
use rustc_hash::FxHashMap;

use super::body::branch_op;
use super::flow::Flow;
use super::function::{SourceFunction, SourceMerge};
use super::phi::Phis;
use super::{Merges, Reader, Slot, Slots};
use crate::binary;
use crate::error::{ReadCode, at_word};
use crate::opcode;

/// The maximum number of operands of an instruction of the IR.
const MAX_OPERANDS: usize = 65_535;

/// A loop header: its merge instruction, and the way the loop is entered.
#[derive(Clone, Copy)]
struct Header {
    break_block: Inst,
    continue_block: Inst,
    control: Inst,
    preheader: Preheader,
    /// The number of blocks that enter the loop.
    entering: usize,
}

/// The terminator or block that enters a loop.
#[derive(Clone, Copy)]
enum Preheader {
    /// The `OpBranch` of the only block before the loop.
    Branch,
    /// One edge of the only block before the loop, which has several successors.
    Edge,
    /// An edge block that all edges into the loop go to. There may be none.
    Joint(Block),
}

/// A function with its blocks, which have no terminators yet.
struct Exits<'s> {
    source: &'s SourceFunction,
    flow: &'s Flow,
    phis: &'s [Phis],
    headers: Vec<Option<Header>>,
}

impl Exits<'_> {
    fn block(&self, index: usize) -> Inst {
        self.source.blocks[index].block.into()
    }

    /// The loop that an edge enters.
    fn entered(&self, source: usize, target: usize) -> Option<Header> {
        self.headers[target].filter(|_| !self.flow.is_back_edge(source, target))
    }

    /// The block that an edge goes to, and whether other edges go there as well.
    fn destination(&self, source: usize, target: usize) -> (Inst, bool) {
        match (self.headers[target], self.entered(source, target)) {
            (_, Some(Header { preheader: Preheader::Joint(block), entering, .. })) => (block.into(), entering > 1),
            (Some(_), None) => (self.block(target), true),
            _ => (self.block(target), self.flow.predecessors(target).len() > 1),
        }
    }

    fn loop_slots(&self, target: usize, header: Header) -> Slots {
        let operands = [self.block(target), header.break_block, header.continue_block, header.control];
        operands.map(Slot::Inst).into_iter().collect()
    }
}

impl Reader<'_> {
    /// Creates the terminators and edge blocks of a function, and sets its stage.
    pub(super) fn read_exits(
        &mut self,
        source: &SourceFunction,
        flow: &Flow,
        phis: &[Phis],
        locations: &[Option<Location>],
    ) -> Result<(), Diagnostic> {
        let mut exits = Exits { source, flow, phis, headers: vec![None; source.blocks.len()] };
        for index in 0..source.blocks.len() {
            exits.headers[index] = self.header(&exits, index);
        }
        for (index, &location) in locations.iter().enumerate() {
            self.read_exit(&exits, index, location)?;
        }
        let stage = self.stage(source, flow);
        if stage != Stage::Graph {
            self.module.edit().set_stage(source.function, stage);
        }
        Ok(())
    }

    /// The loop whose header a block is, with its joint preheader created if it needs one.
    fn header(&mut self, exits: &Exits<'_>, index: usize) -> Option<Header> {
        let merge = exits.source.blocks[index].merge?;
        let continue_block = exits.block(merge.continue_block?);
        let (break_block, control) = (exits.block(merge.merge), merge.control);
        let predecessors = exits.flow.predecessors(index);
        let forward = predecessors.iter().filter(|&&block| !exits.flow.is_back_edge(block as usize, index));
        let (mut first_two, entering) = (forward.clone(), forward.count());
        let preheader = match (first_two.next(), first_two.next()) {
            (Some(&only), None) if self.terminator_opcode(exits.source, only as usize) == opcode::BRANCH => {
                Preheader::Branch
            }
            (Some(_), None) => Preheader::Edge,
            (first, _) => {
                let position = Position::Before(exits.block(index));
                let block = self.module.edit().insert(position, Op::EdgeBlock, None, &[]);
                let arguments = match first {
                    Some(_) => self.joint_parameters(block, exits.phis[index].types()),
                    // Nothing enters the loop, so that only the parameters themselves could be passed.
                    None => self.module.parameters(exits.block(index)).map(Inst::from).collect(),
                };
                let operands = [exits.block(index), break_block, continue_block, control];
                let operands: Vec<Inst> = operands.into_iter().chain(arguments).collect();
                self.module.edit().append(block, Op::Loop, None, &operands);
                Preheader::Joint(self.module.cast(block).expect("invariant: an edge block is a block"))
            }
        };
        Some(Header { break_block, continue_block, control, preheader, entering })
    }

    fn joint_parameters(&mut self, block: Inst, types: &[Inst]) -> Vec<Inst> {
        types.iter().map(|&ty| self.module.edit().append(block, Op::BlockParameter, Some(ty), &[])).collect()
    }

    fn terminator_opcode(&self, source: &SourceFunction, index: usize) -> u16 {
        (self.words[source.blocks[index].body.end] & 0xffff) as u16
    }

    fn read_exit(&mut self, exits: &Exits<'_>, index: usize, location: Option<Location>) -> Result<(), Diagnostic> {
        let block = &exits.source.blocks[index];
        let instruction = binary::instruction_at(self.words, block.body.end);
        self.decode(&instruction)?;
        let slots = self.slots(&instruction)?;
        let selection = block.merge.filter(|merge| merge.continue_block.is_none());
        let (op, slots) = match (branch_op(instruction.opcode), selection) {
            (Some(op @ (Op::BranchIf | Op::Switch)), selection) => {
                let slots = self.with_targets(exits, index, op, slots);
                with_merge(exits, op, selection, slots)
            }
            (Some(_), _) => self.jump(exits, index, exits.flow.successors(index)[0] as usize),
            (None, _) => {
                let op = Op::from_opcode(instruction.opcode).expect("invariant: the block ends in a terminator");
                (op, slots)
            }
        };
        if slots.len() > MAX_OPERANDS {
            let message = format!("expected at most {MAX_OPERANDS} operands, found {}", slots.len());
            return Err(at_word(ReadCode::Limit, instruction.offset, message));
        }
        self.location = location;
        let inst = self.create(op, None, None, slots);
        self.module.edit().move_to(inst, Position::AtEnd(block.block.into()));
        Ok(())
    }

    /// The `branch` or `loop` for an edge.
    fn jump(&self, exits: &Exits<'_>, source: usize, target: usize) -> (Op, Slots) {
        let arguments = exits.phis[target].arguments(source);
        let (op, mut slots) = match exits.entered(source, target) {
            Some(header) if !matches!(header.preheader, Preheader::Joint(_)) => {
                (Op::Loop, exits.loop_slots(target, header))
            }
            _ => (Op::Branch, Slots::from_slice(&[Slot::Inst(exits.destination(source, target).0)])),
        };
        slots.extend(arguments);
        (op, slots)
    }

    /// The operands of a multi-way branch with the targets of its edges, edge blocks among them.
    fn with_targets(&mut self, exits: &Exits<'_>, source: usize, op: Op, mut slots: Slots) -> Slots {
        let mut targets: FxHashMap<u32, Inst> = FxHashMap::default();
        let mut last = exits.block(source);
        let successors = (0..slots.len()).filter(|&index| reconverge_ir::terminator::is_successor(op, index));
        let successors: Vec<usize> = successors.collect();
        for (index, &target) in successors.into_iter().zip(exits.flow.successors(source)) {
            let inst = match targets.get(&target) {
                Some(&inst) => inst,
                None => {
                    let inst = self.edge_target(exits, source, target as usize, &mut last);
                    targets.insert(target, inst);
                    inst
                }
            };
            slots[index] = Slot::Inst(inst);
        }
        slots
    }

    /// The target of an edge of a multi-way branch: the block itself, or an edge block placed after `last`.
    fn edge_target(&mut self, exits: &Exits<'_>, source: usize, target: usize, last: &mut Inst) -> Inst {
        let (destination, is_shared) = exits.destination(source, target);
        let enters_by_edge = matches!(exits.entered(source, target), Some(Header { preheader: Preheader::Edge, .. }));
        let passes = exits.phis[target].count() > 0;
        let is_critical = is_shared && exits.flow.branches_many_ways(source);
        if !(enters_by_edge || passes || is_critical) {
            return destination;
        }
        let edge = self.module.edit().insert(Position::After(*last), Op::EdgeBlock, None, &[]);
        *last = edge;
        let (op, slots) = self.jump(exits, source, target);
        let inst = self.create(op, None, None, slots);
        self.module.edit().move_to(inst, Position::AtEnd(edge));
        edge
    }

    /// The stage of a function, from its merges in the file.
    fn stage(&self, source: &SourceFunction, flow: &Flow) -> Stage {
        if self.options.merges == Merges::Strip || source.has_misplaced_merge {
            return Stage::Graph;
        }
        let has_merges = source.blocks.iter().any(|block| block.merge.is_some());
        let is_structured = match (self.survey.is_shader(), has_merges) {
            (true, true) => true,
            (true, false) => self.is_covered(source, flow),
            (false, has_merges) => has_merges && self.is_covered(source, flow),
        };
        if is_structured { Stage::Structured } else { Stage::Graph }
    }

    /// Returns whether every switch has a merge instruction, every conditional branch has one or leaves a construct, and every loop has its
    /// own. A switch whose cases are all equal needs one too.
    fn is_covered(&self, source: &SourceFunction, flow: &Flow) -> bool {
        let mut closes = vec![false; source.blocks.len()];
        for merge in source.blocks.iter().filter_map(|block| block.merge) {
            closes[merge.merge] = true;
            merge.continue_block.into_iter().for_each(|block| closes[block] = true);
        }
        (0..source.blocks.len()).all(|index| {
            let successors = flow.successors(index).iter().map(|&target| target as usize);
            let branch_is_covered = match self.terminator_opcode(source, index) {
                _ if source.blocks[index].merge.is_some() => true,
                opcode::SWITCH => false,
                _ => !flow.branches_many_ways(index) || successors.clone().any(|target| closes[target]),
            };
            let is_looped =
                |target: usize| source.blocks[target].merge.is_some_and(|merge| merge.continue_block.is_some());
            branch_is_covered && successors.filter(|&target| flow.is_back_edge(index, target)).all(is_looped)
        })
    }
}

/// Adds a selection's merge block and control to the operands of its branch.
fn with_merge(exits: &Exits<'_>, op: Op, selection: Option<SourceMerge>, mut slots: Slots) -> (Op, Slots) {
    let Some(selection) = selection else { return (op, slots) };
    let merge = [exits.block(selection.merge), selection.control].map(Slot::Inst);
    let (op, place) = match op {
        Op::Switch => (Op::StructuredSwitch, reconverge_ir::terminator::operand::SWITCH_MERGE),
        _ => (Op::If, reconverge_ir::terminator::operand::IF_MERGE),
    };
    slots.insert_many(place, merge);
    (op, slots)
}
