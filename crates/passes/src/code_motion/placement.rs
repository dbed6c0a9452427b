//! The choice of a block for each instruction, users before operands.

use reconverge_analysis::effects::{Motion, Occasion, takes_sampled_image};
use reconverge_analysis::memory::{Definition, MemoryStates};
use reconverge_analysis::uniformity::Uniformity;
use reconverge_ir::{Class, Function, Module, Op};

use super::early::{begin_of_state, compute_early, is_mobile};
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
    memory: Option<MemoryStates>,
    /// What moved down to a last block that is above its uses, and why: by number, the last first.
    floors_met: Vec<(u32, Bound)>,
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
        let cycles = body.compute_cycles();
        let memory = body.compute_memory(module, &cycles);
        let motions: Vec<Motion> =
            (0..body.len()).map(|inst| motion_of(module, &body, memory.as_ref(), inst)).collect();
        let is_careful = motions.iter().any(|motion| is_mobile(*motion) && motion.occasion == Occasion::Anticipated);
        let anticipated = is_careful.then(|| Chains::compute_anticipated(&body, &cycles));
        let early = compute_early(&body, &motions, anticipated.as_ref(), memory.as_ref());
        let ways = Ways::compute(&body, compute_costs(module, &body, &cycles, uniformity, options.lanes));
        let floors = Floors::compute(&body, &cycles, uniformity, memory.as_ref());
        let mut choice = Choice {
            floors: &floors,
            ways: &ways,
            motions: &motions,
            early: &early,
            floors_met: Vec::new(),
            draw: draw(options),
        };
        let (late, places) = choice.run();
        let floors_met = std::mem::take(&mut choice.floors_met);
        let drawn = options.placement != Placement::Cheapest;
        Plan { early, late, places, ways, anticipated, memory, floors_met, drawn, body }
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

    fn upper_bound(&self, inst: u32) -> Bound {
        let body = &self.body;
        let early = self.early[inst as usize];
        let mut operands = body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0);
        if let Some(&operand) = operands.find(|&&operand| self.early[operand as usize] == early) {
            return Bound::Operand(body.inst(operand));
        }
        let memory = self.memory.as_ref();
        let state = memory.and_then(|memory| Some((memory, memory.state_of(body.inst(inst))?)));
        match state.map(|(memory, state)| memory.definition(state)) {
            Some(Definition::Clobber(clobber)) if begin_of_state(body, memory, inst) == early => {
                Bound::Clobber(clobber)
            }
            Some(Definition::Join(node)) if body.place(node) == early => Bound::MemoryJoin(body.flow().block(node)),
            _ if early == 0 => Bound::Start,
            _ => Bound::MayTrap,
        }
    }

    fn lower_bound(&self, inst: u32) -> Bound {
        let met = self.floors_met.binary_search_by(|&(other, _)| inst.cmp(&other));
        met.map_or(Bound::Uses, |index| self.floors_met[index].1)
    }
}

/// How an instruction may move. What takes a sampled image stays beside it, and a reader of memory whose state is not known stays.
fn motion_of(module: &Module, body: &Body, memory: Option<&MemoryStates>, inst: u32) -> Motion {
    let op = body.op(inst);
    if op.is_terminator() || op == Op::BlockParameter {
        return Motion::PINNED;
    }
    let handle = body.inst(inst);
    let motion = body.motion(module, inst);
    let is_lost = motion.reads_memory && memory.is_none_or(|memory| memory.state_of(handle).is_none());
    let stays = op.class() == Class::Image && takes_sampled_image(module, handle);
    if is_lost || stays { Motion::PINNED } else { motion }
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
    floors_met: Vec<(u32, Bound)>,
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
                let (last, bound) = self.floors.bound(self.ways, (inst, motion), early, uses);
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
