//! Check of code motion: compares two versions of a module, before and after instructions moved.
//!
//! [`verify_motion`] matches instructions by handle: an instruction that moved is the same instruction. It is independent of how a place
//! was chosen and chooses no place itself. It checks whether each moved instruction could have been in its new place from the start.
//!
//! ```text
//!            before                 after
//!   ^h:      %x = load %p           %x = load %p ─┐
//!            if %c ^a ^m merge ^m   %y = load %q  │ no path from the new place of %y to its old one meets a
//!   ^a:      %y = load %q           if …          │ store that may write what %q points at (C5), and each
//!            store %p, %y    ⇒      store %p, %y ─┘ such path ends at the old place, if %q may lead nowhere (C4)
//! ```
//!
//! | file | rule | codes |
//! |---|---|---|
//! | `frame.rs` | blocks, parameters, jumps, effects and their order do not move | C1, C2, C3 |
//! | `origins.rs` | origins of instructions | C3 |
//! | `anticipation.rs` | instructions that may have no defined result run only where they would have run | C4 |
//! | `reads.rs`, `places.rs`, `memory.rs` | reads see the same memory as before | C5 |
//! | `lanes.rs` | derivatives stay with the lanes of their quad | C6 |
//!
//! Since control flow is the same (C1) and everything convergent except derivatives stays in its place (C2), the sets of active lanes are
//! equal. [`crate::verify`] checks that definitions dominate their uses in the later version.
//!
//! Replacements of value numbering are claims: each states that one value was replaced by another. All claims are checked together, by
//! their consequences: the two values are the same operation on operands that are equal under the claims; for parameters of one block, the
//! arguments on every edge must be equal. (A bisimulation; Alpern, Wegman and Zadeck 1988, section 3, compute the same fixpoint.)
//!
//! Each moved instruction costs at most a traversal of the blocks between its places; a function without moves is linear.

mod anticipation;
mod frame;
mod lanes;
mod memory;
mod origins;
mod parameters;
mod places;
mod reads;

use reconverge_ir::{Function, Inst, Module};

use crate::Finding;
use crate::dominance::Dominance;
use crate::graph::{Body, Graph};
use crate::layout::Layout;
use crate::report::Report;
use origins::Origins;

/// The changes of a module besides moves.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Removed values, each with the value that is used instead.
    pub replaced: Vec<(Inst, Inst)>,
    /// New instructions, each with the one that it was copied from.
    pub copies: Vec<(Inst, Inst)>,
}

/// Checks code motion. Returns all differences that are not allowed. Both versions must be valid ([`crate::verify`] has no finding), and an
/// instruction that is in both has the same handle.
///
/// Linear in the modules, and in the blocks between the old and the new place of each moved instruction; no recursion.
///
/// ```
/// use reconverge_ir::{Builder, Module, Op, Position};
/// use reconverge_verify::{Claims, Code, verify_motion};
///
/// let mut before = Module::new();
/// let mut build = Builder::new(&mut before);
/// let (void, u32) = (build.void_type(), build.int_type(32));
/// let function = build.add_function(void, &[u32, u32]);
/// let block = build.add_block(function);
/// build.at_end(block);
/// build.r#return(&[]);
/// let values: Vec<_> = before.parameters(function).collect();
/// let [left, right] = [values[0], values[1]].map(Into::into);
/// let inst = before.edit().insert(Position::AtStart(block.into()), Op::IAdd, Some(u32), &[left, right]);
///
/// let mut after = before.clone();
/// assert!(verify_motion(&before, &after, &Claims::default()).is_empty());
/// after.edit().set_operand(inst, 1, left);
/// let findings = verify_motion(&before, &after, &Claims::default());
/// assert_eq!(findings[0].code, Code::C3);
/// ```
pub fn verify_motion(before: &Module, after: &Module, claims: &Claims) -> Vec<Finding> {
    let mut report = Report::new(after);
    let layouts = [before, after].map(Layout::compute);
    let origins = Origins::new(claims);
    frame::verify_functions(&mut report, before, after);
    for function in after.functions().filter(|&function| after.entry(function).is_some()) {
        if report.is_broken(function) || report.is_broken_outside_functions() {
            continue;
        }
        let bodies =
            [(before, &layouts[0]), (after, &layouts[1])].map(|(module, layout)| Body::new(module, layout, function));
        let [before, after] = bodies.map(|body| body.expect("invariant: the function stands in both modules"));
        verify_function(&mut report, [&before, &after], &origins);
    }
    report.finish()
}

/// A function in both versions, after C1 and C2 were checked.
struct Motion<'a, 'm> {
    before: &'a Body<'m>,
    after: &'a Body<'m>,
    origins: &'a Origins,
    graph: Graph,
    dominance: Dominance,
    steps: frame::Steps,
}

fn verify_function(report: &mut Report<'_>, [before, after]: [&Body<'_>; 2], origins: &Origins) {
    let findings = report.len();
    frame::verify_frame(report, before, after, origins);
    if report.len() > findings {
        return;
    }
    let graph = after.flow_graph();
    let dominance = Dominance::compute(&graph, 0);
    let steps = frame::Steps::compute(after);
    let motion = Motion { before, after, origins, graph, dominance, steps };
    let moved = origins::verify_origins(report, &motion);
    anticipation::verify_anticipation(report, &motion, &moved);
    reads::verify_reads(report, &motion, &moved);
    lanes::verify_lanes(report, &motion, &moved);
}

impl Motion<'_, '_> {
    fn function(&self) -> Function {
        self.after.function
    }
}
