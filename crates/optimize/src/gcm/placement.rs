//! The choice of a block for each instruction, users before operands.

use reconverge_analysis::effects::Direction;
use reconverge_analysis::memory::Definition;

use super::Placement;
use super::early::{begin_of_state, compute_early, first_of_operands, is_mobile};
use super::explain::{Bound, Kept, Move, Reason};
use super::facts::MotionFacts;
use super::ways::FORBIDDEN;
use crate::body::{Body, NONE, OUTSIDE};

/// The chosen block of each instruction, with its first and last block.
pub(super) struct Plan {
    early: Vec<u32>,
    late: Vec<u32>,
    places: Vec<u32>,
    /// Instructions that moved down to a last block above their uses, with the bound: by number, the last first.
    floors_met: Vec<(u32, Bound)>,
}

impl Plan {
    /// Chooses blocks. O(n log n) in the depth of the dominator tree.
    pub(super) fn compute(facts: &MotionFacts<'_>, placement: Placement) -> Plan {
        let early = compute_early(facts);
        let mut choice = Choice { facts, early: &early, floors_met: Vec::new(), draw: draw(placement) };
        let (late, places) = choice.run();
        Plan { floors_met: choice.floors_met, early, late, places }
    }

    /// The chosen block of an instruction.
    pub(super) fn place(&self, inst: u32) -> u32 {
        self.places[inst as usize]
    }

    /// By instruction: its chosen block.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The instructions that move, in order.
    pub(super) fn moved(&self, body: &Body) -> impl Iterator<Item = u32> {
        (0..body.len()).filter(|&inst| self.place(inst) != body.block_of(inst))
    }

    /// The record of a move.
    pub(super) fn record(&self, facts: &MotionFacts<'_>, inst: u32, placement: Placement) -> Move {
        let (body, ways) = (facts.body, &facts.ways);
        let (from, to) = (body.block_of(inst), self.place(inst));
        let (early, late) = (self.early[inst as usize], self.late[inst as usize]);
        let rises = to < from;
        let leaves = |inner: u32, outer: u32| {
            body.cycles()
                .innermost(body.node(inner))
                .is_some_and(|cycle| !body.cycles().contains(cycle, body.node(outer)))
        };
        let reason = match () {
            () if placement != Placement::Cheapest => Reason::Drawn,
            () if ways.cost(to) >= ways.cost(from) => Reason::NeededEarlier,
            () if leaves(from, to) && rises => Reason::Invariant,
            () if leaves(from, to) => Reason::LeavesLoop,
            () if !rises => Reason::PartlyDead,
            () => Reason::Cheaper,
        };
        let bound = match () {
            () if rises && to == early => self.upper_bound(facts, inst),
            () if !rises && to == late => self.lower_bound(inst),
            () => Bound::Cost,
        };
        Move {
            inst: body.inst(inst),
            from: body.block(from),
            to: body.block(to),
            early: body.block(early),
            late: body.block(late),
            reason,
            bound,
            cost_before: ways.cost(from),
            cost_after: ways.cost(to),
        }
    }

    /// The instructions that stay in a loop, although their operands are available before it, in order. Near-linear.
    pub(super) fn kept<'p>(&'p self, facts: &'p MotionFacts<'_>) -> impl Iterator<Item = Kept> + 'p {
        let body = facts.body;
        let stays = |&inst: &u32| self.place(inst) == body.block_of(inst) && is_mobile(facts.motions[inst as usize]);
        (0..body.len()).filter(stays).filter_map(move |inst| {
            let (block, cycles) = (body.block_of(inst), body.cycles());
            let cycle = cycles.innermost(body.node(block))?;
            let is_inside = |block: u32| cycles.contains(cycle, body.node(block));
            let is_prevented =
                !is_inside(first_of_operands(body, &self.early, inst)) && is_inside(self.early[inst as usize]);
            is_prevented.then(|| Kept {
                inst: body.inst(inst),
                block: body.block(block),
                header: body.flow().block(cycles.header(cycle)),
                bound: self.upper_bound(facts, inst),
            })
        })
    }

    fn upper_bound(&self, facts: &MotionFacts<'_>, inst: u32) -> Bound {
        let body = facts.body;
        let early = self.early[inst as usize];
        let mut operands = body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0);
        if let Some(&operand) = operands.find(|&&operand| self.early[operand as usize] == early) {
            return Bound::Operand(body.inst(operand));
        }
        let state = facts.memory.and_then(|memory| Some((memory, memory.state_of(body.inst(inst))?)));
        match state.map(|(memory, state)| memory.definition(state)) {
            Some(Definition::Clobber(clobber)) if begin_of_state(body, facts.memory, inst) == early => {
                Bound::Clobber(clobber)
            }
            Some(Definition::Join(node)) if body.place(node) == early => Bound::MemoryJoin(body.flow().block(node)),
            _ if early == 0 => Bound::Start,
            _ if facts.motions[inst as usize].direction == Direction::Earlier
                && MotionFacts::head(facts.unparted.as_ref(), body.block_of(inst)) == early =>
            {
                Bound::DivergentExit
            }
            _ => Bound::MayTrap,
        }
    }

    fn lower_bound(&self, inst: u32) -> Bound {
        let met = self.floors_met.binary_search_by(|&(other, _)| inst.cmp(&other));
        met.map_or(Bound::Uses, |index| self.floors_met[index].1)
    }
}

/// A generator of random places, for tests.
fn draw(placement: Placement) -> Option<u64> {
    match placement {
        Placement::Cheapest => None,
        Placement::AnyLegal(seed) => Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
    }
}

struct Choice<'a> {
    facts: &'a MotionFacts<'a>,
    early: &'a [u32],
    floors_met: Vec<(u32, Bound)>,
    draw: Option<u64>,
}

impl Choice<'_> {
    /// Last blocks and places of all instructions.
    fn run(&mut self) -> (Vec<u32>, Vec<u32>) {
        let body = self.facts.body;
        let mut late = vec![NONE; body.len() as usize];
        let mut places: Vec<u32> = vec![NONE; body.len() as usize];
        for inst in (0..body.len()).rev() {
            let uses = late[inst as usize];
            let block = body.block_of(inst);
            let place = if uses == NONE || !is_mobile(self.facts.motions[inst as usize]) {
                late[inst as usize] = block;
                block
            } else {
                let early = self.early[inst as usize];
                let (last, bound) = self.facts.bound(inst, early, uses);
                late[inst as usize] = last;
                let place = self.choose(block, early, last);
                if place == last && bound != Bound::Uses && place > block {
                    self.floors_met.push((inst, bound));
                }
                place
            };
            places[inst as usize] = place;
            for &operand in body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0) {
                let common = &mut late[operand as usize];
                *common = if *common == NONE { place } else { body.common_dominator(*common, place) };
            }
        }
        (late, places)
    }

    /// A block on the path from `early` down to `late`.
    fn choose(&mut self, from: u32, early: u32, late: u32) -> u32 {
        let (body, ways) = (self.facts.body, &self.facts.ways);
        let stays = body.dominates(early, from) && body.dominates(from, late);
        if self.draw.is_some() {
            let steps = ways.depth(late) - ways.depth(early) + 1;
            let drawn = ways.above(late, (self.next() % u64::from(steps)) as u32);
            if ways.cost(drawn) != FORBIDDEN {
                return drawn;
            }
            if stays {
                return from;
            }
        }
        if early == late {
            return late;
        }
        let best = ways.cheapest(late, early);
        if stays && ways.cost(best) >= ways.cost(from) { from } else { best }
    }

    fn next(&mut self) -> u64 {
        let state = self.draw.as_mut().expect("invariant: places are drawn");
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32
    }
}
