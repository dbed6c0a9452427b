//! The values that merge where diverged lanes reconverge.

use reconverge_ir::{Inst, Op};

use super::{Propagation, ROOT, WHOLE};
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
            if number < self.evaluated {
                self.check_join(number);
            }
        }
    }

    /// Checks a parameter of a join of diverged lanes: it is uniform only if the same value arrives over all edges that lanes may come
    /// from.
    pub(super) fn check_join(&mut self, parameter: u32) {
        let node = self.body.node(parameter);
        for side in [Side::Forward, Side::Back] {
            let branch = self.facts.blocks[node as usize].joins[side as usize];
            if branch == NONE || self.facts.values[parameter as usize].level == Level::Divergent {
                continue;
            }
            match self.sole_argument(parameter, side) {
                Err(()) => self.raise(parameter, Level::Divergent, Origin::Paths(branch)),
                Ok(None) => {}
                Ok(Some(varies)) => {
                    let here = self.facts.shape.region(node);
                    match self.facts.regions.crossing(varies, here) {
                        Some(branch) => self.raise(parameter, Level::Divergent, Origin::Instances(branch)),
                        None => self.note_crossing(parameter, WHOLE, varies, here),
                    }
                }
            }
        }
    }

    /// The region that the only argument of a parameter varies with, ignoring undefined ones and the parameter itself. An error if there
    /// are several arguments; `None` if there is none or if it is the same everywhere.
    pub(super) fn sole_argument(&self, parameter: u32, side: Side) -> Result<Option<u32>, ()> {
        let node = self.body.node(parameter);
        let mut sole: Option<(Inst, u32)> = None;
        for (jump, operand) in self.body.arguments(parameter) {
            if self.facts.shape.is_back_edge(self.body.node(jump), node) != matches!(side, Side::Back) {
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
                    let here = self.facts.shape.region(self.body.node(jump));
                    self.facts.regions.seen_from(self.facts.values[number as usize].varies, here)
                }
            };
            let original = self.copies.as_ref().map_or(value, |copies| copies.original(value));
            match sole {
                Some((other, _)) if other != original => return Err(()),
                Some((_, deeper)) => sole = Some((original, self.facts.regions.deeper(deeper, varies))),
                None => sole = Some((original, varies)),
            }
        }
        Ok(sole.map(|(_, varies)| varies).filter(|&varies| varies != ROOT))
    }
}
