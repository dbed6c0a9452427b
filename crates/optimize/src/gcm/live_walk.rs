//! The live range of a value: the walk against the edges from its users to its definition, with loops in one step.
//!
//! Each block of a cycle reaches every other block of it. So a value that is live somewhere in a cycle that does not define it is live in
//! the whole cycle, and the walk continues at the entry of the cycle. Blocks outside cycles are visited one by one, and cycles as a whole.
//!
//! ```text
//! ^a: %x = … ──▶ ^h ──▶ … ──▶ ^z: use %x        from ^z back into a loop that does not define %x: that is noted as a whole,
//!                 ▲     │                       and the walk goes on from ^h to ^a
//!                 ╰─────╯
//! ```
//!
//! (Boissinot, Hack, Grund, Dupont de Dinechin and Rastello 2008, "Fast liveness checking for SSA-form programs", use the same property.)

use reconverge_graph::{Cycle, Grouped};

use crate::body::Body;

/// The walks, one value after the other.
pub(super) struct LiveWalk<'a> {
    body: &'a Body,
    predecessors: &'a Grouped<u32>,
    /// By block: the innermost cycle around it.
    innermost: Vec<Option<Cycle>>,
    /// The block that defines the value, the innermost cycle around it, and the mark of what was visited for it.
    definition: u32,
    home: Option<Cycle>,
    mark: u32,
    /// By block: the last mark with which the value was live at its start, and at its end; by cycle the same.
    seen_in: Vec<u32>,
    seen_out: Vec<u32>,
    seen_cycles: Vec<u32>,
    /// By cycle: the last mark with which the walk continued from it to an outer cycle, and that cycle.
    climbed: Vec<(u32, Option<Cycle>)>,
    pending: Vec<u32>,
    /// The blocks outside cycles at whose end the value is live, and the cycles in which it is live.
    blocks: Vec<u32>,
    cycles: Vec<Cycle>,
    /// By cycle: the number of values that are live in all of it and not in all of the cycle around it.
    live_in_cycle: Vec<u32>,
    /// The length of all walks: an edge counts [`LiveWalk::EDGE`], a cycle one.
    pub(super) steps: usize,
}

impl<'a> LiveWalk<'a> {
    /// The weight of an edge; a step from a cycle to the one around it has weight one.
    pub(super) const EDGE: usize = 16;

    pub(super) fn new(body: &'a Body, predecessors: &'a Grouped<u32>) -> LiveWalk<'a> {
        let (blocks, cycles) = (body.block_count() as usize, body.cycles().cycles().len());
        let innermost = (0..body.block_count()).map(|block| body.cycles().innermost(body.node(block))).collect();
        LiveWalk {
            body,
            predecessors,
            innermost,
            definition: 0,
            home: None,
            mark: 0,
            seen_in: vec![0; blocks],
            seen_out: vec![0; blocks],
            seen_cycles: vec![0; cycles],
            climbed: vec![(0, None); cycles],
            pending: Vec::new(),
            blocks: Vec::new(),
            cycles: Vec::new(),
            live_in_cycle: vec![0; cycles],
            steps: 0,
        }
    }

    /// Begins the walk of a value that a block defines.
    pub(super) fn begin(&mut self, definition: u32, mark: u32) {
        (self.definition, self.mark) = (definition, mark);
        self.home = self.innermost[definition as usize];
        self.pending.clear();
        self.blocks.clear();
        self.cycles.clear();
    }

    /// The outermost cycle that contains a block and not the definition, if that cycle has one entry; other cycles may have many entries.
    ///
    /// The walk goes outwards from each cycle once for a value. So many uses deep in a nest take no longer than the depth of the nest.
    fn cycle_of(&mut self, block: u32) -> Option<Cycle> {
        let cycles = self.body.cycles();
        let is_apart = |cycle: &Cycle| self.home.is_none_or(|home| home != *cycle && !cycles.encloses(*cycle, home));
        let innermost = self.innermost[block as usize].filter(is_apart)?;
        let mut top = innermost;
        let outermost = loop {
            let (mark, known) = self.climbed[top.index()];
            if mark == self.mark {
                break known;
            }
            match cycles.parent(top).filter(is_apart) {
                Some(around) => top = around,
                None => break cycles.is_reducible(top).then_some(top),
            }
        };
        let mut below = Some(innermost);
        while let Some(cycle) = below {
            self.climbed[cycle.index()] = (self.mark, outermost);
            self.steps += 1;
            below = cycles.parent(cycle).filter(|_| cycle != top);
        }
        outermost
    }

    /// Records that the value is live at the start of a block.
    pub(super) fn enter(&mut self, block: u32) {
        match self.cycle_of(block) {
            Some(cycle) => self.enter_cycle(cycle),
            None => self.enter_block(block),
        }
    }

    /// Records the same for a block outside the cycles that count as a whole.
    fn enter_block(&mut self, block: u32) {
        if std::mem::replace(&mut self.seen_in[block as usize], self.mark) != self.mark {
            self.pending.push(block);
        }
    }

    fn enter_cycle(&mut self, cycle: Cycle) {
        if std::mem::replace(&mut self.seen_cycles[cycle.index()], self.mark) == self.mark {
            return;
        }
        self.cycles.push(cycle);
        // A predecessor of the header inside the cycle was visited with the cycle.
        self.pending.push(self.body.place(self.body.cycles().header(cycle)));
    }

    /// Walks until everything is visited, or the limit is exceeded.
    pub(super) fn run(&mut self, limit: usize) {
        let predecessors = self.predecessors;
        while self.steps <= limit
            && let Some(block) = self.pending.pop()
        {
            for &source in predecessors.list(block as usize) {
                self.steps += Self::EDGE;
                if let Some(cycle) = self.cycle_of(source) {
                    self.enter_cycle(cycle);
                } else if std::mem::replace(&mut self.seen_out[source as usize], self.mark) != self.mark {
                    self.blocks.push(source);
                    if source != self.definition {
                        self.enter_block(source);
                    }
                }
            }
        }
    }

    /// Adds one to each block outside cycles at whose end the value is live, and records the cycles in which it is live.
    pub(super) fn count(&mut self, live_out: &mut [u32]) {
        self.blocks.iter().for_each(|&block| live_out[block as usize] += 1);
        self.cycles.iter().for_each(|&cycle| self.live_in_cycle[cycle.index()] += 1);
    }

    /// Returns whether the value is live at the end of a block that uses it.
    pub(super) fn is_live_behind(&mut self, block: u32) -> bool {
        self.seen_out[block as usize] == self.mark || self.cycle_of(block).is_some()
    }

    /// Adds to each block the number of values that are live in all of the cycles around it.
    pub(super) fn add_cycles(mut self, live_out: &mut [u32]) {
        let cycles = self.body.cycles();
        for cycle in cycles.cycles() {
            let around = cycles.parent(cycle).map_or(0, |around| self.live_in_cycle[around.index()]);
            self.live_in_cycle[cycle.index()] += around;
        }
        for (block, live) in live_out.iter_mut().enumerate() {
            let cycle = self.innermost[block];
            *live += cycle.map_or(0, |cycle| self.live_in_cycle[cycle.index()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use reconverge_ir::{Op, text};

    use super::*;

    /// Nested loops: of each the header, the body that leads to the next header, and the latch.
    fn nest(depth: usize) -> Body {
        let mut text =
            "%bool = type_bool\n%void = type_void\nfunc %f: %void (%c: %bool) {\nblock ^entry:\n  branch ^h0\n"
                .to_owned();
        for level in 0..depth {
            let next = if level + 1 < depth { format!("h{}", level + 1) } else { format!("l{level}") };
            _ = write!(
                text,
                "block ^h{level}:\n  branch_if %c ^b{level} ^x{level}\nblock ^b{level}:\n  branch ^{next}\n"
            );
        }
        for level in (0..depth).rev() {
            let after = if level > 0 { format!("branch ^l{}", level - 1) } else { "return".to_owned() };
            _ = write!(text, "block ^l{level}:\n  branch ^h{level}\nblock ^x{level}:\n  {after}\n");
        }
        text.push_str("}\n");
        let module = text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        Body::compute(&module, module.functions().next().expect("there is one"))
    }

    fn predecessors(body: &Body) -> Grouped<u32> {
        Grouped::collect((0..body.block_count()).map(|block| body.predecessors(block)))
    }

    #[test]
    fn a_value_that_every_loop_of_a_nest_uses_takes_as_long_as_the_nest_is_deep() {
        let steps = [500, 1_000, 2_000].map(|depth| {
            let body = nest(depth);
            let predecessors = predecessors(&body);
            let mut walk = LiveWalk::new(&body, &predecessors);
            walk.begin(0, 1);
            (1..body.block_count()).for_each(|block| walk.enter(block));
            walk.run(usize::MAX);
            let mut live_out = vec![0; body.block_count() as usize];
            walk.count(&mut live_out);
            let steps = walk.steps;
            walk.add_cycles(&mut live_out);
            let is_live_behind = |block: u32| u32::from(body.op(body.terminator(block)) != Op::Return);
            assert!((0..).zip(live_out).all(|(block, live)| live == is_live_behind(block)));
            steps
        });
        assert!(steps[2] < 5 * steps[0], "{steps:?}");
    }
}
