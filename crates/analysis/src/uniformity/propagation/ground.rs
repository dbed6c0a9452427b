//! The initial state of a propagation, which is the same for all runs over a function, whatever its parameters are.

use std::sync::Arc;

use reconverge_ir::{Inst, Module};

use super::{Shape, returns::returns_one_value};
use crate::uniformity::body::Body;
use crate::uniformity::copies::Copies;
use crate::uniformity::regions::Regions;
use crate::uniformity::variables::Variables;

/// A function without branches that are known to diverge.
#[derive(Clone, Debug)]
pub(in crate::uniformity) struct Ground {
    pub(super) shape: Shape,
    pub(super) regions: Regions,
    pub(super) memory: Variables,
    /// `None` if there are no copies.
    pub(super) copies: Option<Arc<Copies>>,
    /// True if all returns of the function return the same value.
    pub(super) returns_one_value: bool,
}

impl Ground {
    /// Computes it. `private` are the variables at module level that belong to the function. Near-linear.
    pub(in crate::uniformity) fn compute(module: &Module, body: &Body, private: &[Inst]) -> Ground {
        let (shape, regions) = Shape::compute(module, body);
        let memory = Variables::compute(module, body, private);
        let copies = Some(Copies::compute(module, body)).filter(|copies| !copies.is_empty());
        Ground {
            shape,
            regions,
            memory,
            copies: copies.map(Arc::new),
            returns_one_value: returns_one_value(module, body),
        }
    }
}
