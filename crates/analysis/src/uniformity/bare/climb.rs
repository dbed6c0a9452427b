//! The effect of a divergent branch in a function without structure: a climb from its block up the dominator tree.

use reconverge_graph::Cycle;
use reconverge_ir::Op;

use super::{Bare, Events, node};
use crate::uniformity::body::{Body, NONE};
use crate::uniformity::event::{Event, Side};

/// A step of a climb up the dominator tree.
#[derive(Clone, Copy)]
struct ClimbStep {
    level: u32,
    /// The child that the lanes come from; `None` where they diverge.
    child: Option<u32>,
    /// The number of enclosing cycles that contain everything that lanes can reach on the path.
    escape: u32,
}

impl Bare {
    /// Records that lanes diverge at the end of the block. Returns the consequences.
    pub(in crate::uniformity) fn split(&mut self, body: &Body, branch: u32, events: &mut Events) {
        let Some(first) = body.successors(branch).next() else { return };
        if body.successors(branch).all(|target| target == first) {
            return;
        }
        self.enter_zone(branch, branch, events);
        self.loosen_falls(body, branch, events);
        self.branches.push(branch);
        self.climb(ClimbStep { level: branch, child: None, escape: NONE }, branch, events);
        while let Some(root) = self.unfinished.pop() {
            let Some(above) = self.dominators.idom(node(root)).filter(|_| self.levels.leads_out(root)) else {
                continue;
            };
            let around = self.depth(root) - u32::from(self.cycles.headed_by(node(root)).is_some());
            let escape = self.escape(root, None).min(around);
            let start = ClimbStep { level: above.index() as u32, child: Some(root), escape };
            self.climb(start, branch, events);
        }
    }

    /// Climbs from the block where lanes diverge to the block where they are converged again.
    fn climb(&mut self, start: ClimbStep, branch: u32, events: &mut Events) {
        let ClimbStep { mut level, mut child, mut escape } = start;
        loop {
            self.tell_level(level, child, branch, events);
            escape = escape.min(self.escape(level, child));
            let from = child.unwrap_or(NONE);
            let headed = self.cycles.headed_by(node(level));
            let is_inside = headed.is_some_and(|cycle| self.cycles.contains(cycle, node(child.unwrap_or(level))));
            if let Some(cycle) = headed.filter(|_| is_inside && self.levels.is_open(level, from, 0)) {
                self.leave_loop(cycle, level, branch, events);
            }
            if !self.goes_on(level, from) {
                self.leave_escaped(ClimbStep { level, child, escape }, branch, events);
                return;
            }
            let Some(above) = self.dominators.idom(node(level)) else { return };
            if self.climbed[level as usize].above != NONE {
                // The whole path is processed, but at its end lanes may come from more cycles than was known.
                let end = self.end_of_climb(level);
                self.leave_escaped(ClimbStep { escape: escape.min(end.escape), ..end }, branch, events);
                return;
            }
            let around = self.depth(level) - u32::from(headed.is_some());
            let climbed = &mut self.climbed[level as usize];
            (climbed.above, climbed.escape) = (level, around);
            (level, child, escape) = (above.index() as u32, Some(level), escape.min(around));
        }
    }

    /// Returns whether lanes that come to a level from this child of it are still diverged when they leave the level.
    fn goes_on(&self, level: u32, from: u32) -> bool {
        self.levels.is_open(level, from, usize::from(self.cycles.headed_by(node(level)).is_some()))
    }

    /// The end of the climb that left this level. The path is compressed for the next climb.
    fn end_of_climb(&mut self, level: u32) -> ClimbStep {
        let mut way = Vec::new();
        let mut last = level;
        let end = loop {
            let mut next = self.climbed[last as usize].above;
            if next == last {
                next = self.dominators.idom(node(last)).map_or(last, |above| above.index() as u32);
                if self.climbed[next as usize].above == NONE || !self.goes_on(next, last) {
                    break next;
                }
                let escape = self.escape(next, Some(last));
                let climbed = &mut self.climbed[last as usize];
                climbed.escape = climbed.escape.min(escape);
            }
            way.push(last);
            last = next;
        };
        let mut least = NONE;
        for &level in way.iter().rev() {
            let climbed = &mut self.climbed[level as usize];
            least = least.min(climbed.escape);
            (climbed.above, climbed.escape) = (last, least);
        }
        let least = least.min(self.climbed[last as usize].escape).min(self.escape(end, Some(last)));
        ClimbStep { level: end, child: Some(last), escape: least }
    }

    /// The number of cycles that hold a block.
    fn depth(&self, block: u32) -> u32 {
        self.cycles.innermost(node(block)).map_or(0, |cycle| self.cycles.depth(cycle) as u32)
    }

    /// The number of cycles around a level that contain everything that lanes can reach after a child of it, except the child that they
    /// continue through.
    fn escape(&self, level: u32, child: Option<u32>) -> u32 {
        let children = self.dominators.children(node(level));
        let from = child.map_or(0, |child| self.positions[child as usize] + 1);
        let first = children.partition_point(|child| self.positions[child.index()] < from);
        children.get(first).map_or(NONE, |child| self.levels.escape_from(child.index() as u32))
    }

    /// If the lanes of a level continue together through one child, and some can reach blocks outside the cycles in which the others stay,
    /// they leave these cycles in different iterations, although no back edge shows it.
    fn leave_escaped(&mut self, place: ClimbStep, branch: u32, events: &mut Events) {
        let ClimbStep { level, child, escape } = place;
        let from = child.unwrap_or(NONE);
        for kind in [0, 1] {
            let Some(out) = self.levels.way_out(level, kind).filter(|_| !self.levels.is_open(level, from, kind)) else {
                continue;
            };
            let (here, there) = (self.cycles.innermost(node(level)), self.cycles.innermost(node(out)));
            let shared = here.zip(there).and_then(|(here, there)| self.cycles.lowest_common_ancestor(here, there));
            let mut kept = self.innermost_kept(shared);
            while let Some(cycle) = kept.filter(|&cycle| self.cycles.depth(cycle) as u32 > escape) {
                self.leave_loop(cycle, self.cycles.header(cycle).index() as u32, branch, events);
                kept = self.innermost_kept(kept);
            }
        }
    }

    /// The innermost of a cycle and those around it that lanes leave in one iteration, as far as is known.
    fn innermost_kept(&mut self, cycle: Option<Cycle>) -> Option<Cycle> {
        let mut kept = cycle;
        while let Some(cycle) = kept {
            let around = self.kept[cycle.index()];
            if around == Some(cycle) {
                break;
            }
            // Halves the path for the next time.
            self.kept[cycle.index()] = around.and_then(|around| self.kept[around.index()]);
            kept = around;
        }
        kept
    }

    /// Reports the joins among the children of a level after the one that the lanes come from.
    fn tell_level(&mut self, level: u32, child: Option<u32>, branch: u32, events: &mut Events) {
        let from = child.map_or(0, |child| self.positions[child as usize] + 1);
        let climbed = self.climbed[level as usize];
        let mut joins = climbed.joins as usize;
        while let Some(&join) = self.levels.joins.of(level).get(joins)
            && self.positions[join as usize] >= from
        {
            joins += 1;
            events.push(Event::Join { node: join, branch, side: Side::Forward });
            self.enter_zone(join, branch, events);
            let position = child.map_or(0, |child| self.positions[child as usize]);
            if self.falls.is_entered_behind(join, position) && !self.levels.is_merge(level, join) {
                self.loosen(join, branch, events);
            }
        }
        self.climbed[level as usize].joins = joins as u32;
    }

    /// Records that lanes leave a loop in different iterations.
    fn leave_loop(&mut self, cycle: Cycle, header: u32, branch: u32, events: &mut Events) {
        if self.kept[cycle.index()] != Some(cycle) {
            return;
        }
        self.kept[cycle.index()] = self.cycles.parent(cycle);
        events.push(Event::Active { region: self.loops[cycle.index()], branch });
        if self.levels.back_edges[header as usize] > 1 {
            events.push(Event::Join { node: header, branch, side: Side::Back });
        }
        if self.levels.exits[cycle.index()] < 2 {
            return;
        }
        let way_out = self.levels.way_out(header, 1);
        if way_out.is_none_or(|child| self.cycles.contains(cycle, node(child))) {
            self.unfinished.push(header);
        }
        // Exits with code of their own may be executed inside the loop, iteration by iteration.
        let count = self.cycles.blocks(cycle).len();
        if self.is_everything_loose || self.budget < count {
            self.loosen_everything(branch, events);
            return;
        }
        self.budget -= count;
        let exiting = self.cycles.blocks(cycle).iter().filter(|block| self.levels.is_exiting[block.index()]);
        let children = exiting.flat_map(|&block| self.dominators.children(block));
        let outside: Vec<u32> =
            children.filter(|&&child| !self.cycles.contains(cycle, child)).map(|child| child.index() as u32).collect();
        for child in outside {
            self.leave_to(child, branch, events);
        }
    }

    /// Records that lanes reach a block outside a loop in which they diverged: from several exits, or over the only edge to it.
    fn leave_to(&mut self, child: u32, branch: u32, events: &mut Events) {
        if !self.levels.is_join[child as usize] {
            self.loosen(child, branch, events);
            return;
        }
        events.push(Event::Join { node: child, branch, side: Side::Forward });
        self.enter_zone(child, branch, events);
    }

    /// Processes cases that may be entered by fall-through: targets of the switch.
    fn loosen_falls(&mut self, body: &Body, branch: u32, events: &mut Events) {
        let mut targets: Vec<u32> = body.successors(branch).collect();
        targets.sort_unstable();
        targets.dedup();
        let is_switch = body.terminator(branch).is_some_and(|last| body.op(last) == Op::Switch);
        if targets.len() < 3 && !is_switch {
            return;
        }
        let joins: Vec<u32> = self.levels.joins.of(branch).to_vec();
        for join in joins {
            let is_direct = targets.binary_search(&join).is_ok();
            if is_direct && self.falls.is_entered_from_one(join) && !self.levels.is_merge(branch, join) {
                self.loosen(join, branch, events);
            }
        }
    }

    /// Records that several groups of lanes may execute the blocks of a subtree, one after another. Each block is processed once. Where the
    /// groups reconverge, their values may differ by the edges that they took.
    fn loosen(&mut self, root: u32, branch: u32, events: &mut Events) {
        if self.is_loose[root as usize] {
            return;
        }
        self.unfinished.push(root);
        let mut stack = vec![root];
        while let Some(block) = stack.pop() {
            if std::mem::replace(&mut self.is_loose[block as usize], true) {
                continue;
            }
            events.push(Event::Active { region: self.leaves[block as usize], branch });
            if self.levels.is_join[block as usize] && block != root {
                events.push(Event::Join { node: block, branch, side: Side::Forward });
            }
            stack.extend(self.dominators.children(node(block)).iter().map(|child| child.index() as u32));
        }
    }

    fn loosen_everything(&mut self, branch: u32, events: &mut Events) {
        if std::mem::replace(&mut self.is_everything_loose, true) {
            return;
        }
        let blocks: Vec<u32> = self.dominators.preorder().iter().map(|block| block.index() as u32).collect();
        for block in blocks {
            self.loosen(block, branch, events);
            if self.levels.is_join[block as usize] {
                events.push(Event::Join { node: block, branch, side: Side::Forward });
                self.enter_zone(block, branch, events);
            }
        }
    }

    /// Records that lanes diverged in a zone: there, everything that can differ does.
    fn enter_zone(&mut self, block: u32, branch: u32, events: &mut Events) {
        let zone = self.zones[block as usize];
        let Some(blocks) = self.zone_blocks.get_mut(zone as usize) else { return };
        for block in std::mem::take(blocks) {
            for side in [Side::Forward, Side::Back] {
                events.push(Event::Join { node: block, branch, side });
            }
            events.push(Event::Active { region: self.leaves[block as usize], branch });
            if let Some(cycle) = self.cycles.headed_by(node(block)) {
                self.leave_loop(cycle, block, branch, events);
            }
            events.push(Event::Branches { node: block, branch });
            self.is_loose[block as usize] = true;
        }
    }
}
