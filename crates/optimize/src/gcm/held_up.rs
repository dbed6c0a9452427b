//! Finds instructions that the test at the top of a loop prevents from being hoisted out of the loop.
//!
//! ```text
//! ^h: %t = …; branch_if %t ^s ^out            ^p: branch_if %t.0 ^enter ^out
//! ^s: %x = load %a                     ⇒      ^enter: %x = load %a            runs only if an iteration does
//!     …                                       ^s: …; branch_if %t.1 ^s ^out
//! ^c: branch ^h
//! ```
//!
//! The read sees the same memory state and returns the same value in every iteration, and every iteration that passes the test executes it.
//! Before the loop it would be speculated, since the loop may run no iteration; after a test before the loop it would not. So this finds
//! each instruction whose early bound (`early.rs`) would be outside the loop if it were not for the chain in which the instruction is
//! anticipated, which begins after the test of the loop. Loop inversion (Muchnick 1997, "Advanced Compiler Design and Implementation",
//! section 18.5) makes the move legal.
//!
//! It also finds tests whose first evaluation before a loop is invariant in the enclosing loop, so that it can be hoisted out of that loop.
//!
//! Near-linear.

use reconverge_analysis::effects::Occasion;
use reconverge_graph::Cycle;
use reconverge_ir::{Block, Inst, Module};

use super::early::{first_with_inputs, is_mobile};
use super::facts::motion_of;
use crate::body::Body;

/// The results for one function.
pub(crate) struct HeldUp<'a> {
    body: &'a Body,
    /// By instruction: the first block in which it could be if no loop were tested at its top.
    firsts: Vec<u32>,
    /// By cycle: whether the test of that loop prevents a move.
    holding: Vec<bool>,
}

impl HeldUp<'_> {
    /// Computes the results for the function of these tables.
    pub(crate) fn compute<'a>(module: &Module, body: &'a Body) -> HeldUp<'a> {
        let (cycles, memory) = (body.cycles(), body.memory(module));
        let mut firsts: Vec<u32> = Vec::with_capacity(body.len() as usize);
        let mut holding = vec![false; cycles.cycles().len()];
        for inst in 0..body.len() {
            let block = body.block_of(inst);
            let motion = motion_of(module, body, memory, inst);
            if !is_mobile(motion) {
                firsts.push(block);
                continue;
            }
            let mut first = first_with_inputs(body, memory, &firsts, inst, motion);
            if motion.occasion == Occasion::Anticipated {
                let head = body.anticipated().head(block);
                match tested_in_front(body, head).filter(|&cycle| !cycles.contains(cycle, body.node(first))) {
                    Some(cycle) => holding[cycle.index()] = true,
                    None => first = first.max(head),
                }
            }
            firsts.push(first);
        }
        HeldUp { body, firsts, holding }
    }

    /// Returns whether the test of the loop with this header prevents a move.
    pub(crate) fn is_holding(&self, header: Block) -> bool {
        self.loop_of(header).is_some_and(|cycle| self.holding[cycle.index()])
    }

    /// Returns whether the values at the entry of the loop with this header are invariant in the enclosing loop.
    pub(crate) fn are_same_around(&self, header: Block, mut values: impl Iterator<Item = Inst>) -> bool {
        let Some(around) = self.loop_of(header).and_then(|cycle| self.body.cycles().parent(cycle)) else {
            return false;
        };
        values.all(|value| {
            let number = self.body.number(value);
            number.is_none_or(|number| {
                let first = self.firsts[number as usize];
                !self.body.cycles().contains(around, self.body.node(first))
            })
        })
    }

    fn loop_of(&self, header: Block) -> Option<Cycle> {
        self.body.cycles().headed_by(self.body.flow().find(header)?)
    }
}

/// The loop whose header determines whether this block of it runs.
fn tested_in_front(body: &Body, block: u32) -> Option<Cycle> {
    let cycles = body.cycles();
    let cycle = cycles.headed_by(body.node(body.parent(block)))?;
    (body.parent(block) != block && cycles.contains(cycle, body.node(block))).then_some(cycle)
}
