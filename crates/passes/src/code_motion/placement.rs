//! The choice of a block for each instruction, users before operands.

use reconverge_analysis::effects::{Motion, Occasion, motion};
use reconverge_analysis::uniformity::Uniformity;
use reconverge_graph::{CycleForest, Order};
use reconverge_ir::{Function, Module, Op};

use super::early::{compute_early, is_mobile};
use super::explain::{Bound, Move, Reason};
use super::late::Floors;
use super::limits::Chains;
use super::ways::{FORBIDDEN, Ways};
use super::weight::compute_costs;
use super::{MotionOptions, Placement};
use crate::body::{Body, NONE, OUTSIDE};

/// Where each instruction goes, and between which blocks it could choose.
pub(super) struct Plan {
    pub(super) body: Body,
    ways: Ways,
    early: Vec<u32>,
    late: Vec<u32>,
    places: Vec<u32>,
    pub(super) anticipated: Option<Chains>,
    drawn: bool,
}

impl Plan {
    /// Chooses. Near-linear.
    pub(super) fn compute(
        module: &Module,
        function: Function,
        uniformity: &Uniformity,
        options: &MotionOptions<'_>,
    ) -> Plan {
        let body = Body::compute(module, function);
        let order = Order::compute_reverse_post_order(body.flow().graph());
        let cycles = CycleForest::compute(body.flow().graph(), &order, body.dominators());
        let motions: Vec<Motion> = (0..body.len()).map(|inst| motion_of(module, &body, inst)).collect();
        let is_careful = motions.iter().any(|motion| is_mobile(*motion) && motion.occasion == Occasion::Anticipated);
        let anticipated = is_careful.then(|| Chains::compute_anticipated(&body, &cycles));
        let early = compute_early(&body, &motions, anticipated.as_ref());
        let ways = Ways::compute(&body, compute_costs(module, &body, &cycles, uniformity, options.lanes));
        let floors = Floors::compute(&body, &cycles, uniformity);
        let mut choice = Choice { floors: &floors, ways: &ways, motions: &motions, early: &early, draw: draw(options) };
        let (late, places) = choice.run();
        let drawn = options.placement != Placement::Cheapest;
        Plan { early, late, places, ways, anticipated, drawn, body }
    }

    /// The block that an instruction goes to.
    pub(super) fn place(&self, inst: u32) -> u32 {
        self.places[inst as usize]
    }

    /// What moves, in order.
    pub(super) fn moved(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.body.len()).filter(|&inst| self.place(inst) != self.body.block_of(inst))
    }

    /// The records of all moves.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.moved().map(|inst| self.record(inst)).collect()
    }

    fn record(&self, inst: u32) -> Move {
        let (body, ways) = (&self.body, &self.ways);
        let (from, to) = (body.block_of(inst), self.place(inst));
        let (early, late) = (self.early[inst as usize], self.late[inst as usize]);
        let rises = to < from;
        let reason = match () {
            () if self.drawn => Reason::Drawn,
            () if ways.cost(to) >= ways.cost(from) => Reason::NeededEarlier,
            () if rises => Reason::Invariant,
            () => Reason::PartlyDead,
        };
        let bound = match () {
            () if rises && to == early => self.upper_bound(inst),
            () if !rises && to == late => Bound::Uses,
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

    fn upper_bound(&self, inst: u32) -> Bound {
        let early = self.early[inst as usize];
        let mut operands = self.body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0);
        let last = operands.find(|&&operand| self.early[operand as usize] == early);
        last.map_or(Bound::MayTrap, |&operand| Bound::Operand(self.body.inst(operand)))
    }
}

/// How an instruction may move. What takes a sampled image stays beside it.
fn motion_of(module: &Module, body: &Body, inst: u32) -> Motion {
    let op = body.op(inst);
    if op.is_terminator() || op == Op::BlockParameter {
        return Motion::PINNED;
    }
    let motion = motion(module, body.inst(inst));
    let stays = motion.reads_memory || reconverge_analysis::effects::takes_sampled_image(module, body.inst(inst));
    if stays { Motion::PINNED } else { motion }
}

/// A generator of places, for tests.
fn draw(options: &MotionOptions<'_>) -> Option<u64> {
    match options.placement {
        Placement::Cheapest => None,
        Placement::AnyLegal(seed) => Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
    }
}

struct Choice<'a> {
    floors: &'a Floors<'a>,
    ways: &'a Ways,
    motions: &'a [Motion],
    early: &'a [u32],
    draw: Option<u64>,
}

impl Choice<'_> {
    /// Last blocks and places of all instructions.
    fn run(&mut self) -> (Vec<u32>, Vec<u32>) {
        let body = self.floors.body;
        let mut late = vec![NONE; body.len() as usize];
        let mut places: Vec<u32> = vec![NONE; body.len() as usize];
        for inst in (0..body.len()).rev() {
            let uses = late[inst as usize];
            let block = body.block_of(inst);
            let motion = self.motions[inst as usize];
            let place = if uses == NONE || !is_mobile(motion) {
                late[inst as usize] = block;
                block
            } else {
                let early = self.early[inst as usize];
                let last = self.floors.bound(self.ways, (inst, motion), early, uses);
                late[inst as usize] = last;
                self.choose(block, early, last)
            };
            places[inst as usize] = place;
            for &operand in body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0) {
                let common = &mut late[operand as usize];
                *common = if *common == NONE { place } else { body.common_dominator(*common, place) };
            }
        }
        (late, places)
    }

    /// A block on the way from `early` down to `late`.
    fn choose(&mut self, from: u32, early: u32, late: u32) -> u32 {
        let body = self.floors.body;
        let stays = body.dominates(early, from) && body.dominates(from, late);
        if self.draw.is_some() {
            let steps = self.ways.depth(late) - self.ways.depth(early) + 1;
            let drawn = self.ways.above(late, (self.next() % u64::from(steps)) as u32);
            if self.ways.cost(drawn) != FORBIDDEN {
                return drawn;
            }
            if stays {
                return from;
            }
        }
        if early == late {
            return late;
        }
        let best = self.ways.cheapest(late, early);
        if stays && self.ways.cost(best) >= self.ways.cost(from) { from } else { best }
    }

    fn next(&mut self) -> u64 {
        let state = self.draw.as_mut().expect("invariant: places are drawn");
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32
    }
}
