//! The blocks where lanes return, and their results.

use reconverge_ir::{Module, Op, view};

use super::{Propagation, ROOT};
use crate::uniformity::body::{Body, NONE};
use crate::uniformity::level::Level;
use crate::uniformity::origin::Origin;

impl Propagation<'_> {
    /// Lanes that leave the function while others continue return at different places, and are missing from there on.
    pub(super) fn return_apart(&mut self) {
        let body = self.body;
        self.facts.separations = self.facts.shape.separations(body);
        for &node in body.order().sequence() {
            let node = node.index() as u32;
            let is_end = body.successors(node).next().is_none();
            if !is_end || self.facts.separations[node as usize] == NONE {
                continue;
            }
            self.facts.shape.leave_at(node);
            self.facts.returns = node;
        }
        if self.facts.returns != NONE {
            let last = body.order().sequence().iter().filter_map(|node| body.terminator(node.index() as u32));
            for last in last.filter(|&last| body.op(last) == Op::ReturnValue) {
                self.fold_return(last);
            }
        }
    }

    /// Processes a returned value. If lanes return at different places, all must return the same value.
    pub(super) fn fold_return(&mut self, terminator: u32) {
        let mut level = self.use_level(terminator, 0);
        let mut origin = Origin::Argument(terminator, 0);
        if self.facts.returns != NONE && self.returns_differ(terminator) {
            level = Level::Divergent;
            origin = Origin::Separated(self.facts.returns);
        }
        let joined = self.facts.returned.join(level);
        if joined != self.facts.returned {
            self.facts.returned = joined;
            if level.differs() || self.facts.returned_origin == Origin::Nothing {
                self.facts.returned_origin = origin;
            }
        }
    }

    /// Returns whether lanes that return at different places may return different values.
    pub(super) fn returns_differ(&self, terminator: u32) -> bool {
        if !self.returns_one_value {
            return true;
        }
        let number = self.body.operands(terminator)[view::ReturnValue::SLOT.value];
        let varies = if number == NONE { ROOT } else { self.facts.values[number as usize].varies };
        varies != ROOT
    }
}

/// Returns whether all returns of a function return the same value.
pub(super) fn returns_one_value(module: &Module, body: &Body) -> bool {
    let last = body.order().sequence().iter().filter_map(|node| body.terminator(node.index() as u32));
    let mut returns = last.filter_map(|last| view::ReturnValue::of(module, body.inst(last)));
    let first = returns.next();
    returns.all(|other| Some(other) == first)
}
