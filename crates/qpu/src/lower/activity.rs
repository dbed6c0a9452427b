//! In which blocks some lanes may be inactive. In the others `execute` has no value.
//!
//! ```text
//! entry                     some, if the work-group does not fill its packs
//! list of a construct       some, if lanes diverge at it, else as its opener
//! header of a loop          some, if lanes wait at its break block, else as the preheader
//! merge block               as the opener, if all lanes that enter the construct come there; else some
//! ```

use reconverge_control_tree::{Construct, ConstructKind, Jump, Node, Owner, Role};
use reconverge_ir::{Block, Edge, Op, terminator::operand};

use super::Lowering;

impl Lowering<'_, '_> {
    pub(super) fn find_activity(&mut self) {
        let blocks = self.select.values.flow.blocks().to_vec();
        for &block in &blocks {
            self.find_absorbed(block);
        }
        for &block in &blocks {
            self.find_resumed(block);
        }
        for &block in &blocks {
            self.find_latch(block);
        }
        for &block in &blocks {
            if self.may_be_partial(block) {
                self.partial.insert(block);
            }
        }
    }

    /// Finds the blocks of a divergent construct that only jump: their lanes make the jump where the construct begins.
    fn find_absorbed(&mut self, block: Block) {
        let flow = self.select.values.flow;
        let Some(construct) = flow.tree().opened_by(block).filter(|&construct| flow.splits(construct)) else { return };
        let kind = flow.tree().construct(construct).kind;
        if !matches!(kind, ConstructKind::If | ConstructKind::Exit) {
            return;
        }
        let mut trivial: Vec<Block> = Vec::new();
        for edge in self.select.values.module.out_edges(block) {
            let Some(Jump::Enter(list)) = flow.tree().jump(edge) else { continue };
            let first = flow.tree().first_block(list);
            if self.only_jumps(first) {
                trivial.push(first);
            }
        }
        if kind == ConstructKind::If {
            // One arm has code, and the other one comes first in time.
            let kept = trivial.len().saturating_sub(1);
            trivial.drain(..kept);
        }
        self.absorbed.extend(trivial);
    }

    /// Returns whether a block is alone in its list, and only jumps to a block where lanes wait, or back.
    fn only_jumps(&self, block: Block) -> bool {
        let (module, flow) = (self.select.values.module, self.select.values.flow);
        let is_alone = flow.tree().list_of(block).is_some_and(|list| flow.tree().nodes(list).len() == 1);
        let Some(end) = module.terminator(block).filter(|&end| module.op(end) == Op::Branch) else { return false };
        let edge = Edge { terminator: end, operand: operand::TARGET };
        let target = module.target(edge);
        let jump = flow.tree().jump(edge);
        let is_far = matches!(jump, Some(Jump::Back(_))) || target.is_some_and(|target| flow.collects(target));
        is_alone && is_far && module.children(block).count() == 1
    }

    /// Finds where lanes wait because others execute the list of a conditional exit first: after it, or at the second of two lists.
    fn find_resumed(&mut self, block: Block) {
        let flow = self.select.values.flow;
        let Some(construct) = flow.tree().opened_by(block).filter(|&construct| flow.splits(construct)) else { return };
        if flow.tree().construct(construct).kind != ConstructKind::Exit {
            return;
        }
        let arms = self.arms(block);
        let mut lists = arms.iter().filter(|arm| arm.is_list).map(|arm| arm.target);
        if lists.next().is_none() {
            return;
        }
        let second: Vec<Block> = lists.collect();
        self.resumed.extend(second);
        let goes_on = arms.iter().filter(|arm| matches!(arm.jump, Some(Jump::Next))).map(|arm| arm.target);
        self.resumed.extend(goes_on);
    }

    /// Lanes that go back from another block than the last one of a loop may have others after them: they join after the last block.
    fn find_latch(&mut self, block: Block) {
        let (module, flow) = (self.select.values.module, self.select.values.flow);
        let tree = flow.tree();
        let of_absorbed = |edge: &Edge| module.target(*edge).filter(|target| self.absorbed.contains(target));
        let edges = module.out_edges(block).flat_map(|edge| match of_absorbed(&edge) {
            Some(target) => module.out_edges(target).collect::<Vec<Edge>>(),
            None => vec![edge],
        });
        let back = edges.filter_map(|edge| match tree.jump(edge) {
            Some(Jump::Back(construct)) => Some(construct),
            _ => None,
        });
        let Some(construct) = back.last().filter(|_| !self.absorbed.contains(&block)) else { return };
        let header = tree.construct(construct).loop_header.expect("invariant: a loop has a header");
        let blocks = tree.blocks_of(Node::Construct(construct));
        let last = blocks.iter().copied().filter(|block| !self.absorbed.contains(block));
        let Some(last) = last.max_by_key(|block| self.places[block]) else { return };
        if last != block && flow.collects(header) && self.latched.insert(header) {
            let headers = self.latch_places.entry(last).or_default();
            headers.push(header);
            // Inner headers come later in execution order.
            headers.sort_by_key(|header| std::cmp::Reverse(self.places[header]));
        }
    }

    fn may_be_partial(&self, block: Block) -> bool {
        let flow = self.select.values.flow;
        let tree = flow.tree();
        if self.places[&block] == 0 {
            return !self.select.values.specialization.is_full();
        }
        let is_partial = |other: Block| self.partial.contains(&other);
        if let Some(construct) = tree.closed_by(block) {
            let is_open = flow.collects(block) && self.open.contains(&construct);
            return is_open || is_partial(tree.construct(construct).opener);
        }
        if self.resumed.contains(&block) {
            return true;
        }
        let Some(list) = tree.list_of(block) else { return true };
        if tree.first_block(list) != block {
            return self.is_partial_behind(block);
        }
        let Owner::Construct(construct, role) = tree.owner(list) else { return true };
        let data = tree.construct(construct);
        match (data.kind, role) {
            (ConstructKind::Loop, Role::Continue) => self.is_live(construct) || data.loop_header.is_none_or(is_partial),
            (ConstructKind::Loop, _) => self.is_live(construct) || is_partial(data.opener),
            _ => flow.splits(construct) || flow.collects(block) || is_partial(data.opener),
        }
    }

    /// Returns whether some lanes are inactive in a block that comes directly after another one in its list.
    fn is_partial_behind(&self, block: Block) -> bool {
        let flow = self.select.values.flow;
        let tree = flow.tree();
        let nodes = tree.list_of(block).map_or(&[][..], |list| tree.nodes(list));
        let Some(place) = nodes.iter().position(|&node| node == Node::Block(block)) else { return true };
        match place.checked_sub(1).map(|before| nodes[before]) {
            Some(Node::Block(before)) => flow.collects(block) || self.partial.contains(&before),
            Some(Node::Construct(construct)) => {
                let opener = tree.construct(construct).opener;
                flow.splits(construct) || flow.collects(block) || self.partial.contains(&opener)
            }
            None => true,
        }
    }

    /// Returns whether lanes wait at the break block of a loop, so that fewer and fewer are active.
    pub(super) fn is_live(&self, construct: Construct) -> bool {
        let data = self.select.values.flow.tree().construct(construct);
        data.merge.is_some_and(|merge| self.select.values.flow.collects(merge))
    }

    /// Returns whether a block is the header of a loop.
    pub(super) fn is_loop_header(&self, block: Block) -> bool {
        let tree = self.select.values.flow.tree();
        match tree.list_of(block).map(|list| tree.owner(list)) {
            Some(Owner::Construct(construct, Role::Body)) => tree.construct(construct).loop_header == Some(block),
            _ => false,
        }
    }
}
