//! What a divergent branch means without structure: the climb from its block up the dominator tree.

use super::{Bare, Events, node};
use crate::uniformity::body::{Body, NONE};
use crate::uniformity::event::{Event, Side};

impl Bare {
    /// Lanes go different ways at the end of the block: what follows.
    pub(in crate::uniformity) fn split(&mut self, body: &Body, branch: u32, events: &mut Events) {
        let Some(first) = body.successors(branch).next() else { return };
        if body.successors(branch).all(|target| target == first) {
            return;
        }
        self.enter_zone(branch, branch, events);
        self.loosen_falls(body, branch, events);
        self.climbed[branch as usize].is_branch = true;
        self.branches.push(branch);
        let mut level = branch;
        let mut child = None;
        loop {
            self.tell_level((level, child), branch, events);
            let from = child.unwrap_or(NONE);
            let headed = self.cycles.headed_by(node(level));
            let is_inside = headed.is_some_and(|cycle| self.cycles.contains(cycle, node(child.unwrap_or(level))));
            if let Some(cycle) = headed.filter(|_| is_inside && self.levels.is_open(level, from, 0)) {
                self.leave_loop((cycle, level), branch, events);
            }
            let kind = usize::from(headed.is_some());
            if !self.levels.is_open(level, from, kind) {
                return;
            }
            let climbed = &mut self.climbed[level as usize];
            if std::mem::replace(&mut climbed.went_up, true) {
                return;
            }
            let Some(above) = self.dominators.idom(node(level)) else { return };
            child = Some(level);
            level = above.index() as u32;
        }
    }

    /// The children of a level behind the one that the lanes come from: joins, and ends of the function.
    fn tell_level(&mut self, (level, child): (u32, Option<u32>), branch: u32, events: &mut Events) {
        let from = child.map_or(0, |child| self.positions[child as usize] + 1);
        let climbed = self.climbed[level as usize];
        let mut joins = climbed.joins as usize;
        while let Some(&join) = self.levels.joins.of(level).get(joins)
            && self.positions[join as usize] >= from
        {
            joins += 1;
            events.push(Event::Join { node: join, branch, side: Side::Forward });
            self.enter_zone(join, branch, events);
        }
        let mut dead_ends = climbed.dead_ends as usize;
        let inside = self.cycles.innermost(node(level));
        while let Some(&end) = self.levels.dead_ends.of(level).get(dead_ends)
            && self.positions[end as usize] >= from
        {
            dead_ends += 1;
            if inside.is_some_and(|cycle| !self.cycles.contains(cycle, node(end))) {
                self.trap(end, branch, events);
                self.leave_behind(level, end, branch);
            }
        }
        let climbed = &mut self.climbed[level as usize];
        climbed.joins = joins as u32;
        climbed.dead_ends = dead_ends as u32;
        climbed.from = climbed.from.min(from);
        climbed.branch = branch;
    }

    /// A branch behind which lanes may have left the function, or the block of a call in which they may end.
    pub(in crate::uniformity) fn leaver(&self) -> Option<u32> {
        (self.leaver != NONE).then_some(self.leaver)
    }

    /// Lanes left loops around a block for another block, where they wait: those that stay are no longer all.
    fn leave_behind(&mut self, block: u32, end: u32, branch: u32) {
        let mut cycle = self.cycles.innermost(node(block));
        while let Some(inner) = cycle.filter(|&inner| !self.cycles.contains(inner, node(end))) {
            self.left_behind[inner.index()] = branch;
            cycle = self.cycles.parent(inner);
        }
    }

    /// Lanes leave the function in a block, or end in a callee of it, while others go on: what lies behind any branch that separated
    /// them may miss some.
    pub(in crate::uniformity) fn note_left(&mut self, block: u32) {
        self.note_left_behind(block);
        let branches = std::mem::take(&mut self.branches);
        for &branch in &branches {
            self.note_left_behind(branch);
        }
        self.leaver = branches.first().copied().unwrap_or(block);
    }

    fn note_left_behind(&mut self, branch: u32) {
        let mut outermost = self.cycles.innermost(node(branch));
        while let Some(parent) = outermost.and_then(|cycle| self.cycles.parent(cycle)) {
            outermost = Some(parent);
        }
        let first = outermost.map_or(branch, |cycle| self.cycles.header(cycle).index() as u32);
        let is_in_cycle = u32::from(outermost.is_none());
        self.left_from = self.left_from.min(self.positions[first as usize] + is_in_cycle);
    }

    /// Lanes leave a loop in different iterations.
    fn leave_loop(&mut self, (cycle, header): (reconverge_graph::Cycle, u32), branch: u32, events: &mut Events) {
        if std::mem::replace(&mut self.is_active[cycle.index()], true) {
            return;
        }
        self.left_behind[cycle.index()] = branch;
        events.push(Event::Active { region: self.loops[cycle.index()], branch });
        if self.levels.back_edges[header as usize] > 1 {
            events.push(Event::Join { node: header, branch, side: Side::Back });
        }
        if self.levels.exits[cycle.index()] < 2 {
            return;
        }
        // Ways out with code of their own may be run inside of the loop, iteration by iteration.
        let blocks: Vec<u32> = self.cycles.blocks(cycle).iter().map(|block| block.index() as u32).collect();
        if self.is_everything_loose || self.budget < blocks.len() {
            self.loosen_everything(branch, events);
            return;
        }
        self.budget -= blocks.len();
        for block in blocks {
            let children: Vec<u32> = self.dominators.children(node(block)).iter().map(|c| c.index() as u32).collect();
            let joins = self.levels.joins.of(block);
            let ways_out = children.into_iter().filter(|child| !joins.contains(child));
            let ways_out: Vec<u32> = ways_out.filter(|&child| !self.cycles.contains(cycle, node(child))).collect();
            for child in ways_out {
                self.loosen(child, branch, events);
            }
        }
    }

    /// Cases that may be fallen into: a target of the switch that one more edge enters.
    fn loosen_falls(&mut self, body: &Body, branch: u32, events: &mut Events) {
        let mut targets: Vec<u32> = body.successors(branch).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.len() < 3 {
            return;
        }
        let joins: Vec<u32> = self.levels.joins.of(branch).to_vec();
        for join in joins {
            let sources: Vec<u32> = body.predecessors(join).filter(|&source| source != branch).collect();
            let direct = sources.iter().filter(|source| targets.contains(source)).count();
            let others = sources.len() - direct.min(sources.len());
            if others <= 1 || sources.len() <= 1 {
                self.loosen(join, branch, events);
            }
        }
    }

    /// The blocks of a subtree may be run by several groups of lanes, one after another. Each once.
    fn loosen(&mut self, root: u32, branch: u32, events: &mut Events) {
        let mut stack = vec![root];
        while let Some(block) = stack.pop() {
            if std::mem::replace(&mut self.is_loose[block as usize], true) {
                continue;
            }
            events.push(Event::Active { region: self.leaves[block as usize], branch });
            stack.extend(self.dominators.children(node(block)).iter().map(|child| child.index() as u32));
        }
    }

    fn loosen_everything(&mut self, branch: u32, events: &mut Events) {
        if !std::mem::replace(&mut self.is_everything_loose, true) {
            let entry = self.dominators.preorder().first().map(|entry| entry.index() as u32);
            entry.into_iter().for_each(|entry| self.loosen(entry, branch, events));
        }
    }

    /// Uses in a subtree see values of several iterations. Each block once.
    fn trap(&mut self, root: u32, branch: u32, events: &mut Events) {
        let mut stack = vec![root];
        while let Some(block) = stack.pop() {
            if self.trapped[block as usize] == NONE {
                self.trapped[block as usize] = branch;
                events.push(Event::Trapped { node: block, branch });
                stack.extend(self.dominators.children(node(block)).iter().map(|child| child.index() as u32));
            }
        }
    }

    /// In a zone all bets are off as soon as lanes are apart in it: whatever can differ, does.
    fn enter_zone(&mut self, block: u32, branch: u32, events: &mut Events) {
        let zone = self.zones[block as usize];
        let Some(blocks) = self.zone_blocks.get_mut(zone as usize) else { return };
        for block in std::mem::take(blocks) {
            for side in [Side::Forward, Side::Back] {
                events.push(Event::Join { node: block, branch, side });
            }
            events.push(Event::Active { region: self.leaves[block as usize], branch });
            if let Some(cycle) = self.cycles.headed_by(node(block)) {
                self.is_active[cycle.index()] = true;
                self.left_behind[cycle.index()] = branch;
                events.push(Event::Active { region: self.loops[cycle.index()], branch });
            }
            events.push(Event::Branches { node: block, branch });
            self.is_loose[block as usize] = true;
        }
    }

    /// Where all lanes are that entered the function together, and which of them no lane can have left it before. By node;
    /// everything must have been told.
    pub(in crate::uniformity) fn converged(&self) -> Vec<(bool, bool)> {
        let mut outer = vec![false; self.positions.len()];
        let mut answers = vec![(false, false); self.positions.len()];
        for &block in self.dominators.preorder() {
            let index = block.index();
            outer[index] = match self.dominators.idom(block) {
                None => true,
                Some(above) => self.is_gathered(index as u32, above.index() as u32, &outer),
            };
            let is_left_behind = self.cycles.headed_by(block).is_some_and(|cycle| self.left_behind[cycle.index()] != NONE);
            let is_converged = outer[index] && !is_left_behind && !self.is_loose[index];
            answers[index] = (is_converged, is_converged && self.positions[index] < self.left_from);
        }
        answers
    }

    /// The branch that separates lanes of a block from others, if one does.
    pub(in crate::uniformity) fn separator(&self, block: u32) -> Option<u32> {
        let mut cycle = self.cycles.innermost(node(block));
        while let Some(inner) = cycle {
            if self.left_behind[inner.index()] != NONE {
                return Some(self.left_behind[inner.index()]);
            }
            cycle = self.cycles.parent(inner);
        }
        let above = std::iter::successors(Some(node(block)), |&block| self.dominators.idom(block)).skip(1);
        above.map(|above| self.climbed[above.index()].branch).find(|&branch| branch != NONE)
    }

    /// Whether a child of a block has all lanes, given what holds of those above.
    fn is_gathered(&self, child: u32, above: u32, outer: &[bool]) -> bool {
        let climbed = self.climbed[above as usize];
        let headed = self.cycles.headed_by(node(above));
        let is_short = |cycle: reconverge_graph::Cycle| self.left_behind[cycle.index()] != NONE;
        let is_out = headed.filter(|&cycle| !self.cycles.contains(cycle, node(child)));
        let left = self.cycles.innermost(node(above)).filter(|&cycle| !self.cycles.contains(cycle, node(child)));
        if is_out.is_none() && left.is_some_and(is_short) {
            return false;
        }
        let is_met = match is_out {
            Some(cycle) if is_short(cycle) => self.levels.exits[cycle.index()] == 1,
            _ => self.levels.gather(node(above)) == Some(child),
        };
        let is_short = headed.is_some_and(is_short);
        let before = outer[above as usize] && (is_out.is_some() || !is_short) && !self.is_loose[above as usize];
        if is_met || climbed.from == NONE {
            return before;
        }
        before && !is_short && !climbed.is_branch && self.positions[child as usize] < climbed.from
    }
}
