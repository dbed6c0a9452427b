//! Masked terminators of a structured function.
//!
//! ```text
//! if %c ^t ^e merge ^m               splits:  branch_if (any %mt) ^t ^entrance(e)      otherwise:  branch_if %c ^t ^e
//! branch_if %c ^exit ^next           splits:  ^exit, then branch_if (any %rest) ^next ^behind
//! loop ^h(…) break ^m continue ^c    live = mask; branch ^h(…)
//! branch ^m(…)                       collecting: the lanes wait at ^m; branch to the next point
//! branch ^h(…), back                 live = mask; branch_if (any mask) ^h(…) ^m
//! ```

use reconverge_control_tree::{Construct, ConstructKind, Jump};
use reconverge_ir::{Block, Edge, Inst, Op, Terminator, terminator::operand};

use super::full_masks::Parting;
use super::{Mask, Masking};
use crate::divergence::{ends_lane, owner_of};

impl Masking<'_> {
    /// Rewrites the terminator of a block that executes for the lanes of `mask`.
    pub(super) fn end_block(&mut self, block: Block, mask: Mask) {
        let end = self.module.terminator(block).expect("invariant: blocks have terminators");
        match self.module.op(end) {
            Op::Branch => self.end_jump(block, end, mask),
            Op::Loop => self.open_loop(block, end, mask),
            Op::BranchIf => self.end_exit(block, end, mask),
            Op::If | Op::StructuredSwitch => self.open_selection(block, end, mask),
            op if ends_lane(op) && self.divergence.collects_returns() => {
                let behind = self.behind_block(block);
                self.module.edit().delete(end);
                self.branch(block, behind, &[]);
                self.leaves.entry(block).or_default().push(None);
            }
            _ => {}
        }
    }

    fn edge(&self, end: Terminator, index: usize) -> Edge {
        Edge { terminator: end, operand: index }
    }

    fn end_jump(&mut self, block: Block, end: Terminator, mask: Mask) {
        let edge = self.edge(end, operand::TARGET);
        let target = self.module.target(edge).expect("invariant: successors are blocks");
        let arguments: Vec<Inst> = self.module.arguments(end).collect();
        match self.tree.jump(edge) {
            Some(Jump::Back(construct)) => self.go_back(block, end, construct, mask),
            Some(jump) if self.divergence.collects(target) => {
                self.prepare(target, owner_of(self.tree, jump));
                self.wait(block, target, mask, &arguments);
                self.module.edit().delete(end);
                let behind = self.behind_block(block);
                self.branch(block, behind, &[]);
            }
            Some(Jump::Continue(construct)) => self.continue_all(block, construct, target, mask),
            Some(_) => {
                self.masks.entry(target).or_insert(mask);
            }
            None => {}
        }
    }

    /// All lanes of the block go to the continue target: its mask is theirs, if the lanes of the loop change.
    fn continue_all(&mut self, block: Block, construct: Construct, target: Block, mask: Mask) {
        if !self.is_live_masked(construct) || self.module.in_edges(target).count() == 1 {
            self.masks.insert(target, mask);
            return;
        }
        let pending = self.pending_at(target, true);
        if let (Some(variable), Some(mask)) = (pending.mask, mask) {
            self.emit(block, Op::Store, None, &[variable, mask]);
        }
    }

    /// The variables of a collecting block, if its construct did not make them when it was opened.
    fn prepare(&mut self, target: Block, owner: Option<Construct>) {
        let is_merge = owner.is_some_and(|owner| self.tree.construct(owner).merge == Some(target));
        let has_mask = !(is_merge && owner.is_some_and(|owner| self.is_closed(owner)));
        self.pending_at(target, has_mask);
    }

    /// A back edge: the lanes that still live continue, if there are any.
    fn go_back(&mut self, block: Block, end: Terminator, construct: Construct, mask: Mask) {
        let data = self.tree.construct(construct).clone();
        let header = data.loop_header.expect("invariant: a loop has a header");
        if self.divergence.collects(header) {
            let arguments: Vec<Inst> = self.module.arguments(end).collect();
            self.wait(block, header, mask, &arguments);
            self.module.edit().delete(end);
            let behind = self.behind_block(block);
            return self.branch(block, behind, &[]);
        }
        let Some(&live) = self.live.get(&construct) else { return };
        let mask = mask.expect("invariant: a loop with live lanes has a mask");
        self.emit(block, Op::Store, None, &[live, mask]);
        self.test_back_edge(block, end, mask, data.merge);
    }

    /// Turns a jump to the header into one that is taken if any lane lives.
    fn test_back_edge(&mut self, block: Block, end: Terminator, mask: Inst, merge: Option<Block>) {
        if self.tested.contains(&mask) {
            return;
        }
        let back = self.new_edge_after(block);
        let operands: Vec<Inst> = self.module.operands(end).collect();
        self.module.edit().delete(end);
        self.module.edit().append(back, Op::Branch, None, &operands);
        let exit = match merge {
            Some(merge) => self.entrance(merge),
            None => self.function_end(),
        };
        let any = self.module.edit().append(block, Op::AnyLane, Some(self.bool_type), &[mask]);
        self.branch_if(block, any, back, exit);
    }

    fn open_loop(&mut self, block: Block, end: Terminator, mask: Mask) {
        let construct = self.tree.opened_by(block).expect("invariant: a loop opens a construct");
        let data = self.tree.construct(construct).clone();
        if self.is_live_masked(construct) {
            let merge = data.merge.expect("invariant: live lanes are those that have not come to the break block");
            let pending = self.pending_at(merge, !self.is_closed(construct));
            self.reset(block, &pending);
            let live = self.variable(self.bool_type);
            self.live.insert(construct, live);
            let all = mask.unwrap_or_else(|| self.all_lanes());
            self.emit(block, Op::Store, None, &[live, all]);
        }
        let operands: Vec<Inst> =
            std::iter::once(self.module.operand(end, operand::TARGET)).chain(self.module.arguments(end)).collect();
        self.module.edit().delete(end);
        self.module.edit().append(block, Op::Branch, None, &operands);
        let header = data.loop_header.expect("invariant: a loop has a header");
        let target = data.continue_target.expect("invariant: a loop has a continue target");
        let is_latched = self.divergence.collects(header);
        if is_latched || self.divergence.collects(target) {
            // The latch is ended after the break block, whose entrance is needed before.
            self.merge_of(data.merge);
        }
        // An iteration begins with none waiting.
        if target != header && (self.divergence.collects(target) || self.is_live_masked(construct)) {
            let pending = self.pending_at(target, self.is_live_masked(construct));
            self.reset(header, &pending);
        }
        if is_latched {
            let pending = self.pending_at(header, self.is_live_masked(construct));
            self.reset(header, &pending);
        }
    }

    fn open_selection(&mut self, block: Block, end: Terminator, mask: Mask) {
        let construct = self.tree.opened_by(block).expect("invariant: a selection opens a construct");
        let data = self.tree.construct(construct).clone();
        if let Some(merge) = data.merge.filter(|&merge| self.divergence.collects(merge)) {
            let pending = self.pending_at(merge, !self.is_closed(construct));
            self.reset(block, &pending);
        }
        if self.divergence.splits(construct) {
            return self.split(block, end, construct, mask);
        }
        for &list in self.order.lists(&data) {
            let first = self.tree.first_block(list);
            for waiting in [Some(first), self.collecting_neighbour(first)].into_iter().flatten() {
                if self.divergence.collects(waiting) {
                    let pending = self.pending_at(waiting, true);
                    self.reset(block, &pending);
                }
            }
            if !self.divergence.collects(first) {
                self.masks.insert(first, mask);
            }
        }
        self.keep_uniform(block, end, mask);
    }

    /// A selection that all lanes decide alike: a plain branch. Lists where lanes of other lists may come are entered through their
    /// entrances.
    fn keep_uniform(&mut self, block: Block, end: Terminator, mask: Mask) {
        let op = self.module.op(end);
        let condition = self.module.operand(end, operand::CONDITION);
        let mut operands = vec![condition];
        let edges: Vec<Edge> = self.module.out_edges(block).collect();
        let mut targets = Vec::new();
        for edge in edges {
            let target = self.module.target(edge).expect("invariant: successors are blocks");
            targets.push(self.enter_together(block, edge, target, mask));
        }
        let new_op = if op == Op::If { Op::BranchIf } else { Op::Switch };
        operands.push(targets[0].into());
        if op == Op::If {
            operands.push(targets[1].into());
        } else {
            let literals: Vec<Inst> = self.module.cases(end).map(|(literal, _)| literal).collect();
            for (literal, target) in literals.into_iter().zip(&targets[1..]) {
                operands.extend([literal, (*target).into()]);
            }
        }
        self.module.edit().delete(end);
        self.module.edit().append(block, new_op, None, &operands);
    }

    /// The block that an edge which all lanes take together leads to: the target, or a block in which they wait at it.
    fn enter_together(&mut self, block: Block, edge: Edge, target: Block, mask: Mask) -> Block {
        if !self.divergence.collects(target) {
            return target;
        }
        let owner = self.tree.jump(edge).and_then(|jump| owner_of(self.tree, jump));
        if owner.is_some() {
            self.prepare(target, owner);
        } else {
            self.pending_at(target, true);
        }
        let waiting = self.new_edge_after(block);
        let behind = if owner.is_some() { self.behind_block(block) } else { self.entrance(target) };
        self.branch(waiting, behind, &[]);
        self.wait(waiting, target, mask, &[]);
        waiting
    }

    /// A divergent selection: the lists one after another, each for its lanes.
    fn split(&mut self, block: Block, end: Terminator, construct: Construct, mask: Mask) {
        let op = self.module.op(end);
        let parts =
            if op == Op::If { self.masks_of_arms(block, end, mask) } else { self.masks_of_cases(block, end, mask) };
        self.module.edit().delete(end);
        let lists = self.order.lists(self.tree.construct(construct));
        let is_shared = |masking: &Self, first: Block| {
            masking.collecting_neighbour(first).is_some()
                || masking.tree.construct(construct).kind != ConstructKind::If && masking.is_fallen_into(first)
        };
        let mut first_point = None;
        for &list in lists {
            let first = self.tree.first_block(list);
            let part = parts.iter().find(|(target, _)| *target == first).map(|&(_, part)| part);
            if is_shared(self, first) {
                self.make_waiting(block, first, part);
            } else if let Some(part) = part {
                self.masks.insert(first, Some(part));
            }
            first_point.get_or_insert(first);
        }
        let data = self.tree.construct(construct).clone();
        for &(target, part) in parts.iter().filter(|(target, _)| Some(*target) == data.merge) {
            self.prepare(target, Some(construct));
            self.wait(block, target, Some(part), &[]);
        }
        let Some(first) = first_point else {
            let merge = data.merge.expect("invariant: a selection has a merge block");
            let entrance = self.entrance(merge);
            return self.branch(block, entrance, &[]);
        };
        match self.masks.get(&first).copied().flatten().filter(|_| !self.entrances.contains_key(&first)) {
            Some(part) if !self.is_cheap(first) && !self.pending.contains_key(&first) => {
                let behind = self.behind_block(first);
                self.test(block, Some(part), first, behind);
            }
            Some(_) if !self.pending.contains_key(&first) => self.branch(block, first, &[]),
            _ => {
                let entrance = self.entrance(first);
                self.branch(block, entrance, &[]);
            }
        }
    }

    /// Returns whether a block has other edges than those of the construct that opens its list.
    fn is_fallen_into(&self, first: Block) -> bool {
        self.module
            .in_edges(first)
            .any(|edge| matches!(self.tree.jump(edge), Some(Jump::FallThrough(_) | Jump::Join(_))))
    }

    /// Lanes of other lists reach a list, too: the lanes that the opener sends there are pending with them.
    fn make_waiting(&mut self, block: Block, first: Block, part: Option<Inst>) {
        for waiting in [Some(first), self.collecting_neighbour(first)].into_iter().flatten() {
            let pending = self.pending_at(waiting, true);
            self.reset(block, &pending);
        }
        if let Some(part) = part {
            self.wait(block, first, Some(part), &[]);
        }
    }

    /// The masks of the two arms of an `if`, by their first blocks.
    fn masks_of_arms(&mut self, block: Block, end: Terminator, mask: Mask) -> Vec<(Block, Inst)> {
        let condition = self.module.operand(end, operand::CONDITION);
        let then = self.and(block, mask, condition);
        let opposite = self.emit(block, Op::LogicalNot, Some(self.bool_type), &[condition]);
        let otherwise = self.and(block, mask, opposite);
        let targets = [operand::TRUE, operand::FALSE].map(|index| self.module.target(self.edge(end, index)));
        let pairs = targets.into_iter().zip([then, otherwise]);
        pairs.filter_map(|(target, part)| Some((target?, part))).collect()
    }

    /// The masks of the cases of a switch, by target: lanes whose selector is one of its literals; for the default, none of all literals.
    fn masks_of_cases(&mut self, block: Block, end: Terminator, mask: Mask) -> Vec<(Block, Inst)> {
        let selector = self.module.operand(end, operand::CONDITION);
        let default = self.module.target(self.edge(end, operand::DEFAULT));
        let ty = self.module.ty(selector).expect("invariant: selectors have types");
        let cases: Vec<(Inst, Inst)> = self.module.cases(end).collect();
        let mut parts: Vec<(Block, Inst)> = Vec::new();
        let mut all: Option<Inst> = None;
        for (literal, target) in cases {
            let Some(target) = self.module.cast::<Block>(target) else { continue };
            let constant = self.module.edit().unique(Op::Constant, Some(ty), &[literal]);
            let is_equal = self.emit(block, Op::IEqual, Some(self.bool_type), &[selector, constant]);
            all = Some(match all {
                None => is_equal,
                Some(before) => self.emit(block, Op::LogicalOr, Some(self.bool_type), &[before, is_equal]),
            });
            match parts.iter().position(|(other, _)| *other == target) {
                Some(place) => {
                    let sum = [parts[place].1, is_equal];
                    parts[place].1 = self.emit(block, Op::LogicalOr, Some(self.bool_type), &sum);
                }
                None => parts.push((target, is_equal)),
            }
        }
        if let Some(default) = default {
            let none = match all {
                Some(all) => self.emit(block, Op::LogicalNot, Some(self.bool_type), &[all]),
                None => self.all_lanes(),
            };
            match parts.iter().position(|(other, _)| *other == default) {
                Some(place) => {
                    let sum = [parts[place].1, none];
                    parts[place].1 = self.emit(block, Op::LogicalOr, Some(self.bool_type), &sum);
                }
                None => parts.push((default, none)),
            }
        }
        for part in &mut parts {
            part.1 = self.and(block, mask, part.1);
        }
        parts
    }

    /// The lanes of `mask` for which a condition holds: a mask that is not tested yet.
    fn and(&mut self, block: Block, mask: Mask, condition: Inst) -> Inst {
        match mask {
            // Of all lanes it is the condition itself. An earlier selection with this condition tested it for its own blocks alone.
            None => {
                self.tested.remove(&condition);
                condition
            }
            Some(mask) => self.emit(block, Op::LogicalAnd, Some(self.bool_type), &[mask, condition]),
        }
    }

    /// A conditional exit.
    fn end_exit(&mut self, block: Block, end: Terminator, mask: Mask) {
        let construct = self.tree.opened_by(block);
        let edges = [operand::TRUE, operand::FALSE].map(|index| self.edge(end, index));
        if !construct.is_some_and(|construct| self.divergence.splits(construct)) {
            let targets = edges.map(|edge| {
                let target = self.module.target(edge).expect("invariant: successors are blocks");
                self.leave_together(block, edge, target, mask)
            });
            let operands = [self.module.operand(end, operand::CONDITION), targets[0].into(), targets[1].into()];
            self.module.edit().delete(end);
            self.module.edit().append(block, Op::BranchIf, None, &operands);
            return;
        }
        self.split_exit(block, end, edges, mask);
    }

    /// The block that an edge of a conditional exit leads to, if all lanes take it together.
    fn leave_together(&mut self, block: Block, edge: Edge, target: Block, mask: Mask) -> Block {
        match self.tree.jump(edge) {
            Some(Jump::Next | Jump::Enter(_)) => {
                if self.divergence.collects(target) {
                    return self.enter_together(block, edge, target, mask);
                }
                self.masks.insert(target, mask);
                target
            }
            Some(Jump::Back(construct)) => {
                let back = self.new_edge_after(block);
                self.branch(back, target, &[]);
                let jump = self.module.terminator(back).expect("invariant: the block was ended");
                self.go_back(back, jump, construct, mask);
                back
            }
            Some(Jump::Continue(construct)) if !self.divergence.collects(target) && self.is_live_masked(construct) => {
                let edge_block = self.new_edge_after(block);
                self.branch(edge_block, target, &[]);
                self.continue_all(edge_block, construct, target, mask);
                edge_block
            }
            _ if self.divergence.collects(target) => self.enter_together(block, edge, target, mask),
            _ => {
                self.masks.entry(target).or_insert(mask);
                target
            }
        }
    }

    /// Lanes diverge at a conditional exit: those that leave do so first, then the others continue, if there are any.
    fn split_exit(&mut self, block: Block, end: Terminator, edges: [Edge; 2], mask: Mask) {
        let parts = self.masks_of_arms(block, end, mask);
        let jumps = edges.map(|edge| self.tree.jump(edge));
        let mut parting = self.parting(block, &parts, jumps, mask);
        self.module.edit().delete(end);
        let mut current = block;
        let mut rest = None;
        for ((target, part), jump) in parts.into_iter().zip(jumps) {
            let is_leaving = parting.is_some_and(|parting| parting.leaving == part);
            let before = current;
            match jump {
                Some(Jump::Next) => rest = Some((target, part)),
                Some(Jump::Enter(_)) => {
                    self.masks.insert(target, Some(part));
                    let next = self.new_block_after(current);
                    self.behind_exit_lists.insert(target, next);
                    if self.is_cheap(target) {
                        self.branch(current, target, &[]);
                    } else {
                        self.test(current, Some(part), target, next);
                    }
                    current = next;
                }
                Some(Jump::Back(construct)) => {
                    let header = self.tree.construct(construct).loop_header.unwrap_or(target);
                    self.pending_at(header, true);
                    self.wait(current, header, Some(part), &[]);
                }
                Some(jump) => {
                    self.prepare(target, owner_of(self.tree, jump));
                    self.wait(current, target, Some(part), &[]);
                }
                None => {}
            }
            if let Some(parting) = parting.as_mut().filter(|_| is_leaving) {
                match before == current {
                    true => parting.wait = Some(current),
                    false => parting.list = Some((before, current)),
                }
            }
        }
        let behind = self.behind_exit(block);
        match rest {
            Some((target, part)) if self.divergence.collects(target) => {
                self.pending_at(target, true);
                self.wait(current, target, Some(part), &[]);
                let entrance = self.entrance(target);
                self.branch(current, entrance, &[]);
            }
            Some((target, part)) => {
                self.masks.insert(target, Some(part));
                self.test(current, Some(part), target, behind);
                if let Some(parting) = &mut parting {
                    parting.rest = Some((current, target));
                }
            }
            None => self.branch(current, behind, &[]),
        }
        self.partings.extend(parting.map(|parting| (block, parting)));
    }

    /// Returns the role of a conditional exit for the innermost loop if some lanes leave it there and the others stay.
    fn parting(&self, block: Block, parts: &[(Block, Inst)], jumps: [Option<Jump>; 2], mask: Mask) -> Option<Parting> {
        let (&[(_, first), (_, second)], [Some(one), Some(other)]) = (parts, jumps) else { return None };
        let (leaving, staying) = match [one, other].map(|jump| self.leaves_loop(block, jump)) {
            [true, false] => (first, second),
            [false, true] => (second, first),
            _ => return None,
        };
        Some(Parting { block, mask: mask?, leaving, staying, last: second, list: None, wait: None, rest: None })
    }

    /// Returns the block that control enters if no lane is active after a conditional exit.
    fn behind_exit(&mut self, block: Block) -> Block {
        let list = self.tree.list_of(block).expect("invariant: visited blocks are in lists");
        self.behind(list)
    }
}
