//! What a propagation starts from: the same for all runs over a function, whatever its parameters are.

use std::sync::Arc;

use reconverge_ir::{Inst, Module, Stage};

use super::{Shape, returns::returns_one_value};
use crate::uniformity::bare::{Bare, Reconverges};
use crate::uniformity::body::Body;
use crate::uniformity::copies::Copies;
use crate::uniformity::regions::Regions;
use crate::uniformity::structured::Structured;
use crate::uniformity::variables::Variables;

/// A function of which no branch is known to diverge.
#[derive(Clone, Debug)]
pub(in crate::uniformity) struct Ground {
    pub(super) shape: Shape,
    pub(super) regions: Regions,
    pub(super) memory: Variables,
    pub(super) copies: Arc<Copies>,
    /// Whether all returns of the function return the same value.
    pub(super) returns_one_value: bool,
}

impl Ground {
    /// Lays it out. `private` are the variables at module level that belong to the function. Near-linear.
    pub(in crate::uniformity) fn compute(module: &Module, body: &Body, private: &[Inst]) -> Ground {
        let is_structured = module.stage(body.function()) == Stage::Structured;
        let structured = if is_structured { Structured::compute(module, body) } else { None };
        let (shape, regions) = match structured {
            Some((structured, regions)) => (Shape::Structured(Box::new(structured)), regions),
            None => {
                let reconverges = if is_structured { Reconverges::Anywhere } else { Reconverges::AsStructurized };
                let (bare, regions) = Bare::compute(body, reconverges);
                (Shape::Bare(Box::new(bare)), regions)
            }
        };
        let memory = Variables::compute(module, body, private);
        let copies = Arc::new(Copies::compute(module, body));
        Ground { shape, regions, memory, copies, returns_one_value: returns_one_value(module, body) }
    }
}
