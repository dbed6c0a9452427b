//! Points: where control goes when all lanes of a list have left it, and how points are entered.

use reconverge_control_tree::{ConstructData, ConstructKind, List, Node, Owner, Role};
use reconverge_ir::{Block, Builder, Inst, Op, Position};

use super::pending::Waiting;
use super::{Mask, Masking};

impl Masking<'_> {
    /// The point after a list: the next place where lanes that were in it may wait.
    pub(super) fn behind(&mut self, list: List) -> Block {
        let Owner::Construct(construct, role) = self.tree.owner(list) else { return self.function_end() };
        let data = self.tree.construct(construct).clone();
        match data.kind {
            ConstructKind::Exit => match self.behind_exit_lists.get(&self.tree.first_block(list)) {
                Some(&next) => next,
                None => self.behind(data.parent),
            },
            ConstructKind::Loop => {
                let waits = data.continue_target.filter(|&target| self.divergence.collects(target));
                match waits {
                    Some(target) if role == Role::Body && Some(target) != data.loop_header => self.entrance(target),
                    Some(target) if role == Role::Body => self.latch(target),
                    _ => match data.loop_header.filter(|&header| self.divergence.collects(header)) {
                        Some(header) => self.latch(header),
                        None => self.merge_of(data.merge),
                    },
                }
            }
            ConstructKind::If | ConstructKind::Scope | ConstructKind::Switch => {
                let lists = self.order.lists(&data);
                let place = lists.iter().position(|&other| other == list).unwrap_or(0);
                let mut later = lists[place + 1..].iter().map(|&other| self.tree.first_block(other));
                match later.find(|&first| self.waits_in_list(first)) {
                    Some(first) => self.entrance(first),
                    None => self.merge_of(data.merge),
                }
            }
        }
    }

    /// Returns whether lanes may wait at the first block of a list, or at the one next to it, which cases fall through to.
    fn waits_in_list(&self, first: Block) -> bool {
        self.divergence.collects(first) || self.collecting_neighbour(first).is_some()
    }

    /// The collecting block directly after a block in its list, with no construct between them.
    pub(super) fn collecting_neighbour(&self, block: Block) -> Option<Block> {
        let nodes = self.tree.nodes(self.tree.list_of(block)?);
        let place = nodes.iter().position(|&node| node == Node::Block(block))?;
        match nodes.get(place + 1) {
            Some(&Node::Block(next)) if self.divergence.collects(next) && self.tree.closed_by(next).is_none() => {
                Some(next)
            }
            _ => None,
        }
    }

    pub(super) fn merge_of(&mut self, merge: Option<Block>) -> Block {
        match merge {
            Some(merge) => self.entrance(merge),
            None => self.function_end(),
        }
    }

    /// The point after a block whose lanes have all left: after its list, or at the block next to it if lanes wait there.
    pub(super) fn behind_block(&mut self, block: Block) -> Block {
        if let Some(next) = self.collecting_neighbour(block) {
            return self.entrance(next);
        }
        let list = self.tree.list_of(block).expect("invariant: visited blocks are in lists");
        self.behind(list)
    }

    /// Returns the entrance of a collecting block; the block itself for others.
    pub(super) fn entrance(&mut self, block: Block) -> Block {
        if !self.divergence.collects(block) {
            return block;
        }
        if let Some(&entrance) = self.entrances.get(&block) {
            return entrance;
        }
        let entrance = self.module.edit().insert(Position::Before(block.into()), Op::Block, None, &[]);
        let entrance: Block = self.module.cast(entrance).expect("a block is a block");
        self.entrances.insert(block, entrance);
        entrance
    }

    /// Returns the latch of a header without a continue target of its own: lanes that go back reconverge there.
    pub(super) fn latch(&mut self, header: Block) -> Block {
        if let Some(&latch) = self.entrances.get(&header) {
            return latch;
        }
        let latch = self.module.edit().insert(Position::After(header.into()), Op::Block, None, &[]);
        let latch: Block = self.module.cast(latch).expect("a block is a block");
        self.entrances.insert(header, latch);
        latch
    }

    /// Ends the latches: the header, for the lanes that wait there, or the break block.
    pub(super) fn end_latches(&mut self) {
        let loops: Vec<ConstructData> =
            self.tree.constructs().filter(|data| data.kind == ConstructKind::Loop).cloned().collect();
        for data in loops {
            let Some(header) = data.loop_header else { continue };
            let Some(&latch) = self.entrances.get(&header) else { continue };
            let pending = self.pending.get(&header).cloned().unwrap_or_default();
            let mask = pending.mask.map(|variable| {
                let mask = self.module.edit().append(latch, Op::Load, Some(self.bool_type), &[variable]);
                if let Some(&live) = self.live.get(&data.name()) {
                    self.module.edit().append(latch, Op::Store, None, &[live, mask]);
                }
                mask
            });
            let types: Vec<Option<Inst>> =
                self.module.parameters(header).map(|parameter| self.module.ty(Inst::from(parameter))).collect();
            let waiting = pending.arguments.iter().zip(types);
            let arguments: Vec<Inst> = waiting.map(|(&waiting, ty)| self.argument_at(latch, waiting, ty)).collect();
            // Without a mask, no lane leaves the loop while others stay.
            let Some(mask) = mask else {
                self.branch(latch, header, &arguments);
                continue;
            };
            let back = self.new_block_after(latch);
            // Where lanes leave a loop together, some are left as long as it runs.
            if data.merge.is_some_and(|merge| self.divergence.collects(merge)) {
                let merge = self.merge_of(data.merge);
                let any = self.module.edit().append(latch, Op::AnyLane, Some(self.bool_type), &[mask]);
                self.branch_if(latch, any, back, merge);
            } else {
                self.branch(latch, back, &[]);
            }
            self.branch(back, header, &arguments);
        }
    }

    fn argument_at(&mut self, latch: Block, waiting: Waiting, ty: Option<Inst>) -> Inst {
        match waiting {
            Waiting::Value(Some(value)) => value,
            Waiting::Value(None) => self.undef(ty.expect("invariant: parameters have types")),
            Waiting::Variable(variable) => self.module.edit().append(latch, Op::Load, ty, &[variable]),
        }
    }

    /// A new block without an end.
    pub(super) fn new_block_after(&mut self, block: Block) -> Block {
        let new = self.module.edit().insert(Position::After(block.into()), Op::Block, None, &[]);
        self.module.cast(new).expect("a block is a block")
    }

    /// A new edge block without an end.
    pub(super) fn new_edge_after(&mut self, block: Block) -> Block {
        let new = self.module.edit().insert(Position::After(block.into()), Op::EdgeBlock, None, &[]);
        self.module.cast(new).expect("an edge block is a block")
    }

    /// The end of the function.
    pub(super) fn function_end(&mut self) -> Block {
        if let Some(end) = self.end {
            return end;
        }
        let end = Builder::new(self.module).add_block(self.function);
        self.module.edit().append(end, Op::Return, None, &[]);
        self.end = Some(end);
        end
    }

    /// Goes to `then` if any lane of `mask` is set, else to `otherwise`; without a test if that is known. Ends `block`, which has no end.
    pub(super) fn test(&mut self, block: Block, mask: Mask, then: Block, otherwise: Block) {
        match mask {
            Some(mask) if !self.tested.contains(&mask) => {
                let any = self.module.edit().append(block, Op::AnyLane, Some(self.bool_type), &[mask]);
                self.branch_if(block, any, then, otherwise);
                self.tested.insert(mask);
            }
            _ => self.branch(block, then, &[]),
        }
    }

    /// Ends a block by a jump.
    pub(super) fn branch(&mut self, block: Block, target: Block, arguments: &[Inst]) {
        let operands: Vec<Inst> = std::iter::once(target.into()).chain(arguments.iter().copied()).collect();
        self.module.edit().append(block, Op::Branch, None, &operands);
    }

    /// Ends a block by a branch, whose edges get blocks of their own, so that none is critical.
    pub(super) fn branch_if(&mut self, block: Block, condition: Inst, then: Block, otherwise: Block) {
        let targets = [then, otherwise].map(|target| {
            let edge = self.new_edge_after(block);
            self.branch(edge, target, &[]);
            edge
        });
        let operands = [condition, targets[0].into(), targets[1].into()];
        self.module.edit().append(block, Op::BranchIf, None, &operands);
    }
}
