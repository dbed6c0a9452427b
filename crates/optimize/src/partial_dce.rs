//! Copies instructions that several paths need, and others do not, into the blocks that need them.
//!
//! ```text
//! ^a: %p = i_mul %x, %y                     ^a: switch %s ^rest ^b ^c
//!     switch %s ^rest ^b ^c                 ^b: %p = i_mul %x, %y
//! ^b: store %v, %p; branch ^join       ⇒        store %v, %p; branch ^join
//! ^c: store %w, %p; branch ^join            ^c: %p2 = i_mul %x, %y
//! ^rest: branch ^join                           store %w, %p2; branch ^join
//!                                           ^rest: branch ^join
//! ```
//!
//! *Requires* a valid function, at either stage; runs after code motion, which finds a cheaper single place if there is one. *Preserves*
//! control flow, every effect in its order, and every value. One of the copies is the instruction itself.
//!
//! An instruction is split if a subgroup runs all copies together less often than the one instruction: by an eighth at least, as [`Loops`]
//! estimates. Where lanes diverge, a subgroup of 32 almost always takes both edges, and splitting saves nothing. Divergence never lowers
//! the frequency of a block; so the savings without divergence are computed first, and most functions are finished then. A block that is
//! dominated by the block of another use needs no copy of its own. Users are processed before their operands, so operands with no other
//! users follow them. (V8's scheduler calls this splitting of nodes; Knoop, Rüthing and Steffen 1994, "Partial dead code elimination", sink
//! assignments on all paths at once.)
//!
//! Not split are: instructions that read memory or depend on lanes; values that are used on an edge without a block; values that would
//! leave a cycle, since lanes may leave it in different iterations; and instructions that would extend the lifetime of more than one
//! operand, so that no more values are live at once than before.
//!
//! There is at most one copy for [`BUDGET`] instructions, plus a few. Near-linear.

use reconverge_analysis::effects::Direction;
use reconverge_analysis::liveness::Liveness;
use reconverge_analysis::loops::{Frequency, Loops};
use reconverge_ir::{Function, Inst, Module, Op, Position, Slot};
use smallvec::SmallVec;

use crate::analyses::Analyses;
use crate::body::{Body, OUTSIDE};
use crate::locations::pin_locations;
use reconverge_rewrite::places::top;

/// The number of instructions for each copy that may be made.
const BUDGET: usize = 32;
/// The number of copies that may be made in the smallest function.
const LEAST_BUDGET: usize = 4;
/// The maximal number of copies of an instruction.
const FEW: usize = 8;

/// The result of splitting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splits {
    /// Instructions that moved to another block.
    pub moved: Vec<Inst>,
    /// New instructions, each with its original.
    pub copies: Vec<(Inst, Inst)>,
}

/// Splits partially dead instructions. The uniformity of the module is computed only if an instruction would be split without divergence.
pub fn partial_dce(module: &mut Module, function: Function, analyses: &mut Analyses) -> Splits {
    if module.entry(function).is_none() {
        return Splits::default();
    }
    let body = analyses.take(module, function);
    let mut search = PartialUseSearch {
        module,
        function,
        body: &body,
        analyses,
        unparted: None,
        loops: None,
        liveness: None,
        uses: vec![SmallVec::new(); body.len() as usize],
        budget: body.len() as usize / BUDGET + LEAST_BUDGET,
    };
    for inst in body.used_by_unreachable(module) {
        search.uses[inst as usize].push(body.block_of(inst));
    }
    let plan = search.run();
    let splits = write(module, &body, &plan);
    analyses.keep(function, body);
    splits
}

/// The blocks that need a value; `None` if there are too many or if one is an edge.
type Blocks = SmallVec<[u32; 4]>;

struct PartialUseSearch<'a> {
    module: &'a Module,
    function: Function,
    body: &'a Body,
    analyses: &'a mut Analyses,
    /// The block frequencies without divergence; `None` before the first use.
    unparted: Option<Loops>,
    /// The block frequencies; `None` before the first use, `Some(None)` for a function whose uniformity is not known.
    loops: Option<Option<Loops>>,
    liveness: Option<Liveness>,
    /// By instruction, the blocks of its uses after splitting, without consecutive duplicates.
    uses: Vec<Blocks>,
    budget: usize,
}

impl PartialUseSearch<'_> {
    /// Finds the instructions to split, users before operands, and the places of their copies.
    fn run(&mut self) -> Vec<(u32, Blocks)> {
        let body = self.body;
        let mut plan = Vec::new();
        for inst in (0..body.len()).rev() {
            let home = body.block_of(inst);
            let places = self.places(inst).unwrap_or_else(|| SmallVec::from_slice(&[home]));
            for &operand in body.operands(inst).iter().filter(|&&operand| operand & OUTSIDE == 0) {
                let uses = &mut self.uses[operand as usize];
                // One more than the limit is too many, whichever blocks they are.
                let room = (FEW + 1).saturating_sub(uses.len());
                let new: Blocks = places.iter().copied().filter(|place| !uses.contains(place)).take(room).collect();
                uses.extend(new);
            }
            self.uses[inst as usize] = Blocks::new();
            if places.as_slice() != [home] {
                self.budget -= places.len() - 1;
                plan.push((inst, places));
            }
        }
        plan
    }

    /// The blocks to which an instruction moves, if this is profitable.
    fn places(&mut self, inst: u32) -> Option<Blocks> {
        let (body, home) = (self.body, self.body.block_of(inst));
        let mut uses = std::mem::take(&mut self.uses[inst as usize]);
        if uses.is_empty() || uses.len() > FEW || uses.contains(&home) || !self.may_split(inst) {
            return None;
        }
        uses.sort_unstable();
        let mut places = Blocks::new();
        for block in uses {
            if places.last().is_none_or(|&above| !body.dominates(above, block)) {
                places.push(block);
            }
        }
        let inner = body.cycles().innermost(body.node(home));
        let stays_in = |block: &u32| inner.is_none_or(|cycle| body.cycles().contains(cycle, body.node(*block)));
        let is_open = |block: &u32| !self.module.is_bare_edge(body.block(*block));
        if places.len() > self.budget || !places.iter().all(|block| stays_in(block) && is_open(block)) {
            return None;
        }
        (self.is_rarer(home, &places) && self.keeps_few_alive(inst, &places)).then_some(places)
    }

    /// Returns whether a subgroup runs some blocks together less often than their dominator.
    fn is_rarer(&mut self, home: u32, places: &[u32]) -> bool {
        let (module, body) = (self.module, self.body);
        let unparted = self.unparted.get_or_insert_with(|| body.compute_loops(module, |_| false));
        if !are_rarer(unparted, body, home, places) {
            return false;
        }
        if self.loops.is_none() {
            self.loops = Some(self.compute_loops());
        }
        self.loops.as_ref().and_then(Option::as_ref).is_some_and(|loops| are_rarer(loops, body, home, places))
    }

    /// The block frequencies.
    fn compute_loops(&mut self) -> Option<Loops> {
        let uniformity = self.analyses.uniformity(self.module, self.function);
        let uniformity = uniformity.function(self.function)?;
        Some(self.body.compute_loops(self.module, |block| !uniformity.is_uniform_branch(block)))
    }

    fn may_split(&self, inst: u32) -> bool {
        let op = self.body.op(inst);
        if op.is_terminator() || matches!(op, Op::BlockParameter | Op::Undef) {
            return false;
        }
        let motion = self.body.motion(self.module, inst);
        motion.direction == Direction::Both && motion.may_run_anywhere() && !motion.reads_memory
    }

    /// Returns whether at most one operand is live longer in each of some blocks than the instruction.
    fn keeps_few_alive(&mut self, inst: u32, places: &[u32]) -> bool {
        let (module, body) = (self.module, self.body);
        let inside = |operand: &u32| operand & OUTSIDE == 0;
        let mut operands: SmallVec<[u32; 4]> = body.operands(inst).iter().copied().filter(inside).collect();
        operands.sort_unstable();
        operands.dedup();
        if operands.len() < 2 {
            return true;
        }
        let liveness =
            self.liveness.get_or_insert_with(|| Liveness::compute(module, body.flow(), body.dominators(), |_| false));
        places.iter().all(|&block| {
            let alive = liveness.live_in(body.node(block));
            let longer = operands.iter().filter(|&&operand| !alive.contains(&body.inst(operand)));
            longer.count() < 2
        })
    }
}

/// Returns whether some blocks are estimated to run together less often than another: an eighth less at least.
fn are_rarer(loops: &Loops, body: &Body, home: u32, places: &[u32]) -> bool {
    let cost = |block: u32| loops.frequency(body.node(block)).expect("invariant: numbered blocks are reachable");
    let together = places.iter().map(|&block| cost(block)).reduce(Frequency::plus);
    together.is_some_and(|together| together <= cost(home).scaled(Frequency::part(7, 8)))
}

/// Moves instructions and their copies to their places.
fn write(module: &mut Module, body: &Body, plan: &[(u32, Blocks)]) -> Splits {
    let mut splits = Splits::default();
    let touched = plan.iter().flat_map(|(inst, places)| places.iter().copied().chain([body.block_of(*inst)]));
    pin_locations(module, body, touched);
    for (inst, places) in plan {
        let original = body.inst(*inst);
        let uses: Vec<_> = module.uses(original).collect();
        for &place in places.iter().skip(1) {
            let copy = insert_copy(module, original, top(module, body.block(place)));
            splits.copies.push((copy, original));
            for used in &uses {
                let at = module.block_of(used.user).map(|block| body.flow().node(block));
                let Slot::Operand(index) = used.slot else { continue };
                if at.is_some_and(|node| body.dominates(place, body.place(node))) {
                    module.edit().set_operand(used.user, index, copy);
                }
            }
        }
        let position = top(module, body.block(places[0]));
        module.edit().move_value(original, position);
        splits.moved.push(original);
    }
    splits
}

fn insert_copy(module: &mut Module, original: Inst, position: Position) -> Inst {
    let (op, ty, location) = (module.op(original), module.ty(original), module.location(original));
    let operands: Vec<Inst> = module.operands(original).collect();
    let decorations = module.decorations(original).to_vec();
    let mut editor = module.edit();
    let copy = editor.insert(position, op, ty, &operands);
    decorations.into_iter().for_each(|decoration| editor.decorate(copy, decoration));
    if location.is_some() {
        editor.set_location(copy, location);
    }
    copy
}
