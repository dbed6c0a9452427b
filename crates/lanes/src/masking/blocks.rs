//! The mask of a block, and what it executes under it.

use reconverge_analysis::effects::has_effect as has_effect_of_inst;
use reconverge_control_tree::{Construct, Owner, Role};
use reconverge_ir::{Block, Effects, Inst, Module, Op, OpGroup, Position};

use super::{Mask, Masking};

impl Masking<'_> {
    /// Finds the mask of a block, makes pending lanes active, and sets the mask for its instructions.
    pub(super) fn begin_block(&mut self, block: Block) -> Mask {
        let mask = self.mask_of(block);
        self.masks.insert(block, mask);
        if self.divergence.collects(block) && !self.is_own_header(block) {
            self.receive(block);
        }
        self.set_execution_mask(block, mask);
        mask
    }

    /// The loop whose header a block is.
    pub(super) fn loop_of_header(&self, block: Block) -> Option<Construct> {
        match self.tree.owner(self.tree.list_of(block)?) {
            Owner::Construct(construct, Role::Body) => {
                (self.tree.construct(construct).loop_header == Some(block)).then_some(construct)
            }
            _ => None,
        }
    }

    /// The mask of a continue target that all lanes of the iteration reach: none of them breaks the loop while others stay.
    fn mask_of_all_that_go_on(&self, block: Block) -> Option<Mask> {
        let list = self.tree.list_of(block).filter(|&list| self.tree.first_block(list) == block)?;
        let Owner::Construct(construct, Role::Continue) = self.tree.owner(list) else { return None };
        let header = self.tree.construct(construct).loop_header?;
        if self.is_live_masked(construct) { None } else { self.masks.get(&header).copied() }
    }

    /// Returns whether a block is the header of a loop: lanes that go back wait at the latch.
    fn is_own_header(&self, block: Block) -> bool {
        self.loop_of_header(block).is_some()
    }

    fn mask_of(&mut self, block: Block) -> Mask {
        if let Some(construct) = self.tree.closed_by(block) {
            return self.mask_behind(block, construct);
        }
        if let Some(construct) = self.loop_of_header(block) {
            return self.mask_of_header(block, construct);
        }
        if let Some(mask) = self.mask_of_all_that_go_on(block) {
            if let Some(entrance) = self.entrances.get(&block).copied() {
                self.branch(entrance, block, &[]);
            }
            return mask;
        }
        if let Some(&mask) = self.masks.get(&block)
            && !self.has_pending_mask(block)
        {
            if self.divergence.collects(block) {
                self.fill_entrance(block, mask);
            }
            return mask;
        }
        self.load_mask(block)
    }

    fn has_pending_mask(&self, block: Block) -> bool {
        self.divergence.collects(block)
            && !self.is_own_header(block)
            && self.pending.get(&block).is_some_and(|pending| pending.mask.is_some())
    }

    /// After a construct: the mask before it, if all lanes reconverge there.
    fn mask_behind(&mut self, block: Block, construct: Construct) -> Mask {
        let opener = self.tree.construct(construct).opener;
        if self.divergence.collects(block) && !self.is_closed(construct) {
            return self.load_mask(block);
        }
        let mask = self.masks.get(&opener).copied().flatten();
        if self.divergence.collects(block) {
            self.fill_entrance(block, mask);
        }
        mask
    }

    /// The header of a loop: its live lanes, which change if the break block is collecting.
    fn mask_of_header(&mut self, header: Block, construct: Construct) -> Mask {
        let mask = match self.live.get(&construct).copied() {
            Some(variable) => {
                let live = self.at_start(header, Op::Load, Some(self.bool_type), &[variable]);
                self.tested.insert(live);
                Some(live)
            }
            None => self.masks.get(&self.tree.construct(construct).opener).copied().flatten(),
        };
        self.masks.insert(header, mask);
        mask
    }

    /// The waiting lanes of a block, which its entrance tests.
    fn load_mask(&mut self, block: Block) -> Mask {
        let Some(variable) = self.pending.get(&block).and_then(|pending| pending.mask) else {
            return self.masks.get(&block).copied().flatten();
        };
        let mask = match self.entrances.get(&block).copied() {
            Some(entrance) => {
                let mask = self.module.edit().append(entrance, Op::Load, Some(self.bool_type), &[variable]);
                if self.always_has_lanes(block) {
                    self.tested.insert(mask);
                    self.branch(entrance, block, &[]);
                } else {
                    let behind = self.behind_block(block);
                    self.test(entrance, Some(mask), block, behind);
                }
                mask
            }
            None => self.at_start(block, Op::Load, Some(self.bool_type), &[variable]),
        };
        self.masks.insert(block, Some(mask));
        Some(mask)
    }

    /// Returns whether a block is the continue target of a loop that lanes leave together: some are left as long as it runs.
    fn always_has_lanes(&self, block: Block) -> bool {
        let owner = self.tree.list_of(block).map(|list| self.tree.owner(list));
        let Some(Owner::Construct(construct, Role::Continue)) = owner else { return false };
        let data = self.tree.construct(construct);
        data.continue_target == Some(block) && !data.merge.is_some_and(|merge| self.divergence.collects(merge))
    }

    /// Ends the entrance of a block whose mask is known: with a test, unless it is known that lanes are there or the block costs less.
    fn fill_entrance(&mut self, block: Block, mask: Mask) {
        self.masks.insert(block, mask);
        let Some(entrance) = self.entrances.get(&block).copied() else { return };
        if self.tree.closed_by(block).is_some() || self.is_cheap(block) {
            return self.branch(entrance, block, &[]);
        }
        let behind = self.behind_block(block);
        self.test(entrance, mask, block, behind);
    }

    /// Returns whether executing a block without lanes is harmless, and costs less than a test: few instructions without effects, and only
    /// a jump at the end.
    pub(super) fn is_cheap(&self, block: Block) -> bool {
        const COST: usize = 6;
        let is_harmless = |inst: Inst| {
            let op = self.module.op(inst);
            let is_pure = op.effects().is_pure() && op.group() != OpGroup::IntegerDivision;
            op == Op::Branch || is_pure || is_pure_extended(self.module, inst)
        };
        let mut count = 0;
        let is_alone = self.tree.list_of(block).is_some_and(|list| self.tree.nodes(list).len() == 1);
        is_alone
            && self.module.children(block).all(|inst| {
                count += 1;
                is_harmless(inst) && count <= COST
            })
    }

    /// Writes the mask before the first instruction that it concerns.
    fn set_execution_mask(&mut self, block: Block, mask: Mask) {
        let Some(mask) = mask else { return };
        let is_concerned = |&inst: &Inst| {
            let effects = self.module.op(inst).effects();
            let is_pure = is_pure_extended(self.module, inst);
            let is_own = self.is_own_variable_access(inst);
            let is_skipped =
                matches!(self.module.op(inst), Op::BlockParameter | Op::Variable | Op::LaunchedLanes | Op::AnyLane);
            !is_own && !is_skipped && !is_pure && !effects.contains(Effects::CONTROL) && has_effect(effects)
        };
        let first = self.module.children(block).find(is_concerned);
        if let Some(first) = first {
            self.module.edit().insert(Position::Before(first), Op::ExecutionMask, None, &[mask]);
        }
    }

    /// Returns whether an instruction reads or writes a variable of this pass.
    fn is_own_variable_access(&self, inst: Inst) -> bool {
        let is_access = matches!(self.module.op(inst), Op::Load | Op::Store);
        is_access && {
            let pointer = self.module.operand(inst, 0);
            self.own.contains(&pointer)
        }
    }
}

/// Returns whether an instruction is one of an extended set that computes from its operands alone.
fn is_pure_extended(module: &Module, inst: Inst) -> bool {
    module.op(inst) == Op::ExtInst && !has_effect_of_inst(module, inst)
}

fn has_effect(effects: Effects) -> bool {
    effects.contains(Effects::READS) || effects.contains(Effects::WRITES) || effects.contains(Effects::CONVERGENT)
}
