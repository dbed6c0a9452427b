//! Opens constructs according to the terminators that name several blocks.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::compute::{NAMED, TreeWalk, fault};
use crate::tree::{Context, LoopPart};
use crate::{Construct, ConstructData, ConstructKind, Jump, List, Node, Owner, Role, TreeError, TreeFault};
use reconverge_ir::terminator::{is_successor, operand};
use reconverge_ir::{Block, Op, Terminator};

/// The target of an edge of a multi-way branch.
enum BranchTarget {
    /// The edge is a jump itself.
    Jumps(Jump),
    /// To edge blocks that only jump.
    LeavesByEdge,
    /// To a block that is in no list yet.
    Goes,
}

impl TreeWalk<'_> {
    pub(crate) fn open_if(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Block, TreeError> {
        let merge = self.block(block, terminator, operand::IF_MERGE)?;
        let join = self.joins.get(&block).copied();
        let kind = if join.is_some() { ConstructKind::Scope } else { ConstructKind::If };
        let index = self.open(list, block, kind, Some(merge))?;
        let context = Context { innermost: Some(index), beside: None, ..self.context(list) };
        let mut first: Option<(Block, Jump)> = None;
        for (way, role) in [(operand::TRUE, Role::Then), (operand::FALSE, Role::Else)] {
            let target = self.block(block, terminator, way)?;
            let jump = match first {
                Some((same, jump)) if same == target => jump,
                _ => self.enter(index, role, context, target)?,
            };
            first = Some((target, jump));
            self.tree.jumps.push((way, jump));
        }
        if let Some(join) = join
            && let Jump::Enter(list) = self.enter(index, Role::Join, context, join)?
        {
            self.parts.insert(join, list.0);
        }
        Ok(merge)
    }

    /// The kind of jump of an edge into a construct, with a list for its target unless it goes directly elsewhere.
    fn enter(&mut self, index: u32, role: Role, context: Context, target: Block) -> Result<Jump, TreeError> {
        if let Some(jump) = self.leave(context, target) {
            return Ok(jump);
        }
        let construct = &self.tree.constructs[index as usize];
        let (opener, parent) = (construct.opener, construct.parent);
        self.fresh(opener, target)?;
        let depth = self.tree.lists[parent.index()].depth + 1;
        let list = self.add_list(Owner::Construct(Construct(opener), role), depth, context, target);
        self.tree.constructs[index as usize].lists.push(list);
        Ok(Jump::Enter(list))
    }

    pub(crate) fn open_switch(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Block, TreeError> {
        let merge = self.block(block, terminator, operand::SWITCH_MERGE)?;
        let index = self.open(list, block, ConstructKind::Switch, Some(merge))?;
        let context = Context { innermost: Some(index), switch: Some(index), beside: None, ..self.context(list) };
        let mut entered: FxHashMap<Block, Jump> = FxHashMap::default();
        let mut cases: Vec<(List, Block)> = Vec::new();
        let count = self.module.operand_count(terminator);
        for way in (0..count).filter(|&way| is_successor(Op::StructuredSwitch, way)) {
            let target = self.block(block, terminator, way)?;
            let jump = match entered.get(&target) {
                Some(&jump) => jump,
                None => self.enter(index, Role::Case(cases.len() as u32), context, target)?,
            };
            if let (None, Jump::Enter(list)) = (entered.insert(target, jump), jump) {
                cases.push((list, target));
            }
            self.tree.jumps.push((way, jump));
        }
        for &(list, first) in &cases {
            self.parts.insert(first, list.0);
        }
        // If several lead to one target, the last of them gets it, the default only if it is alone.
        for &(list, first) in cases.iter().rev() {
            self.name_entries(list, first);
        }
        Ok(merge)
    }

    /// Records the blocks where others fall through to a case: after the edge blocks between switch and case. Edge blocks that only leave
    /// are not entries.
    fn name_entries(&mut self, list: List, first: Block) {
        let landing = self.landing(first);
        if self.leave(self.context(list), landing).is_some() {
            return;
        }
        let mut current = first;
        while self.module.is_bare_edge(current)
            && let Some(target) = self.plain_target(current)
            && !self.parts.contains(target)
            && self.leave(self.context(list), target).is_none()
        {
            self.parts.insert(target, list.0);
            current = target;
        }
    }

    pub(crate) fn open_loop(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Block, TreeError> {
        let header = self.block(block, terminator, operand::TARGET)?;
        let merge = self.block(block, terminator, operand::BREAK)?;
        let continue_target = self.block(block, terminator, operand::CONTINUE)?;
        let index = self.open(list, block, ConstructKind::Loop, Some(merge))?;
        // The header of a loop that is elsewhere is already named, and its preheader has not made its jump yet.
        let is_apart = self.tree.apart.contains_key(&block);
        if !is_apart {
            self.claim(block, header)?;
        }
        let context =
            |part| Context { innermost: Some(index), looped: Some((index, part)), switch: None, beside: None };
        let depth = self.tree.lists[list.index()].depth + 1;
        let body =
            self.add_list(Owner::Construct(Construct(block), Role::Body), depth, context(LoopPart::Body), header);
        let construct = &mut self.tree.constructs[index as usize];
        (construct.loop_header, construct.continue_target) = (Some(header), Some(continue_target));
        construct.lists.push(body);
        if !is_apart {
            self.tree.jumps.push((operand::TARGET, Jump::Enter(body)));
        }
        if continue_target != header {
            self.claim(block, continue_target)?;
            let owner = Owner::Construct(Construct(block), Role::Continue);
            let list = self.add_list(owner, depth, context(LoopPart::Continue), continue_target);
            self.tree.constructs[index as usize].lists.push(list);
        }
        Ok(merge)
    }

    pub(crate) fn open_exit(
        &mut self,
        list: List,
        block: Block,
        terminator: Terminator,
    ) -> Result<Option<Block>, TreeError> {
        let index = self.open(list, block, ConstructKind::Exit, None)?;
        let mut next = None;
        let targets = [operand::TRUE, operand::FALSE].map(|way| self.block(block, terminator, way));
        let targets = [targets[0]?, targets[1]?];
        let context = self.context(list);
        let ways = targets.map(|target| self.way(context, target));
        if targets[0] != targets[1] && ways.iter().all(|way| matches!(way, BranchTarget::Goes)) {
            return Err(fault(block, TreeFault::NoExit));
        }
        let mut first: Option<Jump> = None;
        for (place, way) in ways.into_iter().enumerate() {
            let role = [Role::Then, Role::Else][place];
            let jump = match (way, first) {
                (_, Some(jump)) if targets[0] == targets[1] => jump,
                (BranchTarget::Jumps(jump), _) => jump,
                (BranchTarget::LeavesByEdge, _) => self.enter(index, role, context, targets[place])?,
                (BranchTarget::Goes, _) => {
                    next = Some(self.fresh(block, targets[place])?);
                    Jump::Next
                }
            };
            first = Some(jump);
            self.tree.jumps.push((operand::TRUE + place, jump));
        }
        Ok(next)
    }

    /// The target of an edge of a conditional branch: through bare edge blocks, each followed once.
    fn way(&self, context: Context, target: Block) -> BranchTarget {
        if let Some(jump) = self.leave(context, target) {
            return BranchTarget::Jumps(jump);
        }
        let mut seen = 0;
        let mut current = target;
        // A chain of edge blocks that are already placed or named is not an exit, and so ends; the counter ends a cycle.
        while self.parts.number(current) != Some(NAMED)
            && seen <= self.module.capacity()
            && let Some(target) = self.passes_to(current)
        {
            if self.leave(context, target).is_some() {
                return BranchTarget::LeavesByEdge;
            }
            current = target;
            seen += 1;
        }
        BranchTarget::Goes
    }

    fn plain_target(&self, block: Block) -> Option<Block> {
        let terminator = self.module.terminator(block).filter(|&last| self.module.op(last) == Op::Branch)?;
        self.block(block, terminator, operand::TARGET).ok()
    }

    /// Opens a construct after a block.
    fn open(&mut self, list: List, opener: Block, kind: ConstructKind, merge: Option<Block>) -> Result<u32, TreeError> {
        let index = self.tree.constructs.len() as u32;
        if let Some(merge) = merge {
            self.claim(opener, merge)?;
        }
        self.closing = merge.map(|_| index);
        match (self.tree.nodes.last(), self.tree.places.last_mut()) {
            (Some(&Node::Block(before)), Some(place)) if before == opener => place.opened = Some(index),
            _ => drop(self.tree.apart.insert(opener, index)),
        }
        self.add_node(list, Node::Construct(Construct(opener)), None);
        self.tree.constructs.push(ConstructData {
            kind,
            opener,
            merge,
            loop_header: None,
            continue_target: None,
            parent: list,
            lists: SmallVec::new(),
            blocks: 0..0,
        });
        Ok(index)
    }

    /// Gives a block a role in the construct that `opener` opens.
    fn claim(&mut self, opener: Block, block: Block) -> Result<(), TreeError> {
        if self.tree.numbers.contains(block) || self.parts.contains(block) {
            return Err(fault(opener, TreeFault::Taken(block)));
        }
        self.parts.insert(block, NAMED);
        Ok(())
    }
}
