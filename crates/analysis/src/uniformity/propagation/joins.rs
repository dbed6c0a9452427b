//! What comes together where separated lanes meet.

use reconverge_ir::{Inst, Op};

use super::{Propagation, ROOT, Shape, WHOLE};
use crate::uniformity::body::NONE;
use crate::uniformity::event::Side;
use crate::uniformity::level::Level;
use crate::uniformity::origin::Origin;

impl Propagation<'_> {
    pub(super) fn check_joins(&mut self, node: u32) {
        for number in self.body.range(node) {
            if self.body.op(number) != Op::BlockParameter {
                return;
            }
            if self.is_evaluated[number as usize] {
                self.check_join(number);
            }
        }
    }

    /// A parameter of a join of separated lanes is uniform only if the same value arrives over all edges that lanes may come over.
    pub(super) fn check_join(&mut self, parameter: u32) {
        let node = self.body.node(parameter);
        for side in [Side::Forward, Side::Back] {
            let branch = self.facts.joins[node as usize][side as usize];
            if branch == NONE || self.facts.levels[parameter as usize] == Level::Divergent {
                continue;
            }
            match self.sole_argument(parameter, side) {
                Err(()) => self.raise(parameter, Level::Divergent, Origin::Paths(branch)),
                Ok(None) => {}
                Ok(Some(varies)) => {
                    let here = self.facts.region(node);
                    match self.facts.regions.crossing(varies, here) {
                        Some(branch) => self.raise(parameter, Level::Divergent, Origin::Instances(branch)),
                        None => self.note_crossing((parameter, WHOLE), varies, here),
                    }
                }
            }
        }
    }

    /// The region that the one value varies with that arrives at a parameter, undefined ones and the parameter itself apart: an
    /// error if there are several, nothing if there is none or if it is the same everywhere.
    pub(super) fn sole_argument(&self, parameter: u32, side: Side) -> Result<Option<u32>, ()> {
        let node = self.body.node(parameter);
        let mut sole: Option<(Inst, u32)> = None;
        for (jump, operand) in self.body.arguments(parameter) {
            if self.is_back_edge(self.body.node(jump), node) != matches!(side, Side::Back) {
                continue;
            }
            let number = self.body.operands(jump)[operand as usize];
            let value = self.module.operand(self.body.inst(jump), operand as usize);
            if number == parameter || self.module.op(value) == Op::Undef {
                continue;
            }
            let varies = match number {
                NONE => ROOT,
                number => {
                    let here = self.facts.region(self.body.node(jump));
                    self.facts.regions.seen_from(self.facts.varies[number as usize], here)
                }
            };
            let original = self.copies.original(value);
            match sole {
                Some((other, _)) if other != original => return Err(()),
                Some((_, deeper)) => sole = Some((original, self.facts.regions.deeper(deeper, varies))),
                None => sole = Some((original, varies)),
            }
        }
        Ok(sole.map(|(_, varies)| varies).filter(|&varies| varies != ROOT))
    }

    /// Whether an edge closes a loop. A structured loop header has one edge in and one back, and is no join of separated lanes.
    pub(super) fn is_back_edge(&self, source: u32, target: u32) -> bool {
        match &self.facts.shape {
            Shape::Structured(_) => false,
            Shape::Bare(bare) => bare.is_back_edge(source, target),
        }
    }
}
