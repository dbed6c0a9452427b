//! The pipeline: which passes there are, in which order they run, and why in that order.
//!
//! Two tables. [`PASSES`] is the pipeline; [`ORDER`] holds the constraints with their reasons. [`check_order`] holds one against
//! the other, and a test holds that it does. The command `reconverge passes` prints both.

use reconverge_ir::{Function, Module, Stage};
use reconverge_passes::{Options, StructurizeError, StructurizeReport};

/// A pass of the pipeline, over one function at a time.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name, in dumps and on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Stages at which it has work; others it leaves as they are.
    pub from: Stage,
    /// The stage that a function is at afterwards.
    pub to: Stage,
    /// Does it.
    pub run: fn(&mut Module, Function, &Options) -> Result<Changes, StructurizeError>,
}

/// What a pass did to a function.
#[derive(Debug, Default)]
pub struct Changes {
    /// Whether anything is different now.
    pub changed: bool,
    /// The plan that was applied and what came of it, if the pass structurizes.
    pub structurized: Option<StructurizeReport>,
}

/// That one pass must come before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ordering {
    /// Name of the pass that comes first.
    pub before: &'static str,
    /// Name of the pass that comes later.
    pub after: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// The passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "remove_unreachable",
        summary: "removes blocks that control cannot reach",
        from: Stage::Graph,
        to: Stage::Graph,
        run: |module, function, _| {
            let removed = match module.stage(function) {
                Stage::Structured => 0,
                _ => reconverge_passes::remove_unreachable(module, function),
            };
            Ok(Changes { changed: removed > 0, structurized: None })
        },
    },
    Pass {
        name: "structurize",
        summary: "finds loops and selections and marks them, moving edges where no structure fits",
        from: Stage::Graph,
        to: Stage::Structured,
        run: |module, function, options| {
            let structurized = reconverge_passes::structurize(module, function, options)?;
            Ok(Changes { changed: structurized.is_some(), structurized })
        },
    },
];

/// What must come before what.
pub const ORDER: &[Ordering] = &[Ordering {
    before: "remove_unreachable",
    after: "structurize",
    reason: "an edge from an unreachable block would count as a way into a join and force a dispatch that nobody needs",
}];

/// The pass of that name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// Holds the order of the passes against the constraints. The first constraint that does not hold comes back.
pub fn check_order(passes: &[Pass], order: &'static [Ordering]) -> Result<(), Ordering> {
    let position = |name| passes.iter().position(|pass| pass.name == name);
    let broken = order.iter().find(|constraint| match (position(constraint.before), position(constraint.after)) {
        (Some(before), Some(after)) => before >= after,
        _ => true,
    });
    broken.map_or(Ok(()), |constraint| Err(*constraint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pipeline_keeps_its_order() {
        assert_eq!(check_order(PASSES, ORDER), Ok(()));
    }

    #[test]
    fn a_broken_order_is_named() {
        let reversed: Vec<Pass> = PASSES.iter().rev().copied().collect();
        assert_eq!(check_order(&reversed, ORDER), Err(ORDER[0]));
    }

    #[test]
    fn stages_only_go_forward() {
        for pair in PASSES.windows(2) {
            assert!(
                pair[0].to <= pair[1].from,
                "{} leaves {}, {} wants {}",
                pair[0].name,
                pair[0].to,
                pair[1].name,
                pair[1].from
            );
        }
    }
}
