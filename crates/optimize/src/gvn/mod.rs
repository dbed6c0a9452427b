//! Global value numbering: combines instructions that always have the same value.
//!
//! ```text
//! ^a: %x = i_add %p, %q                     ^a: %x = i_add %p, %q
//! ^b: %y = i_add %q, %p    (below ^a)  ⇒    ^b: use %x
//!     use %y
//! ^h(%i, %j): both begin with %zero         ^h(%i, %j): use %i, %i        %j goes with the next removal of dead code
//!     use %i, %j;  %i + 1, %j + 1
//! ```
//!
//! *Requires* nothing. *Preserves* control flow, every value and every effect; parameters that were merged into others remain without a
//! use.
//!
//! Two instructions are congruent if they are the same operation on congruent operands, with operands of commutative operations in any
//! order and comparisons in either direction. Two parameters of one block are congruent if all edges pass congruent arguments. A parameter
//! that is passed one value on all edges is congruent to that value. A congruent instruction is merged into one that dominates it. If none
//! does, both stay, unless every path from a common dominator executes one of them (`raise.rs`).
//!
//! **Pessimistic, with local optimism.** One sweep over the blocks in preorder of the dominator tree: operands are visited before users,
//! except arguments on retreating edges. The optimistic algorithms (Alpern, Wegman, Zadeck 1988; Simpson 1996, the RPO and SCC algorithms)
//! repeat the sweep until it is stable, which takes as many sweeps as retreating edges can follow each other. In addition they find
//! parameters of loops that are always equal. These are found here by assuming that they are equal and searching a contradiction
//! (`lockstep.rs`), in a bounded number of steps. So the whole is linear.
//!
//! Invariant: a class is named by its first member. When an instruction is looked up, the leader of its class is the last member that was
//! not merged; in preorder of the tree no other member can dominate the instruction. Decorations: `reconverge_rewrite::promises`. Click
//! 1995, section 3, for the order of value numbering before code motion.

mod congruence;
mod lockstep;
mod raise;
mod table;

use reconverge_ir::{Function, Inst, Module, Op, Position};

use crate::analyses::Analyses;
use crate::body::{Body, NONE, OUTSIDE};
use crate::locations::pin_locations;
use congruence::Congruence;
use reconverge_rewrite::promises;
use reconverge_rewrite::removal::remove;

/// The result of value numbering.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueNumbering {
    /// Instructions that were replaced and deleted.
    pub merged: usize,
    /// Block parameters whose uses were replaced. The parameters stay without uses.
    pub parameters: usize,
    /// Instructions that moved up to the end of a block.
    pub raised: usize,
    /// The replaced instructions, each with the value that is used instead, in order.
    pub replaced: Vec<(Inst, Inst)>,
}

/// Merges congruent instructions. Linear.
pub fn gvn(module: &mut Module, function: Function, analyses: &mut Analyses) -> ValueNumbering {
    if module.entry(function).is_none() {
        return ValueNumbering::default();
    }
    let mut body = analyses.take(module, function);
    let congruence = Congruence::compute(module, &body);
    let mut done = ValueNumbering { raised: congruence.raised().len(), ..ValueNumbering::default() };
    raise(module, &body, congruence.raised());
    for number in 0..body.len() {
        let kept = congruence.replacement(number);
        if kept == NONE {
            continue;
        }
        let (gone, into) = (body.inst(number), body.operand_inst(kept));
        module.edit().replace_all_uses(gone, into);
        done.replaced.push((gone, into));
        if body.op(number) == Op::BlockParameter {
            done.parameters += 1;
            continue;
        }
        // A load that was replaced by a stored value makes no promise about that value.
        if kept & OUTSIDE == 0 && (body.op(number) != Op::Load || body.op(kept) == Op::Load) {
            promises::intersect(module, into, gone);
        }
        remove(module, gone);
        done.merged += 1;
    }
    if congruence.raised().is_empty() && !done.replaced.is_empty() {
        body.merge(|number| congruence.replacement(number));
    }
    analyses.keep(function, body);
    done
}

/// Moves instructions up to the ends of blocks.
fn raise(module: &mut Module, body: &Body, raised: &[(u32, u32)]) {
    pin_locations(module, body, raised.iter().flat_map(|&(inst, block)| [body.block_of(inst), block]));
    for &(inst, block) in raised {
        module.edit().move_value(body.inst(inst), Position::Before(body.inst(body.terminator(block))));
    }
}
