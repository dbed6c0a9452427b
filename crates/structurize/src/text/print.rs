//! Prints a graph: `Display` of [`NamedGraph`].

use std::fmt;

use crate::input::{Branch, ControlFlow, Convergence, Hints, InputBlock, LoopHint};
use crate::named_graph::NamedGraph;

/// The word of a terminator.
pub(super) const fn word(branch: Branch) -> &'static str {
    match branch {
        Branch::Exit => "ret",
        Branch::Unreachable => "unreachable",
        Branch::Jump => "br",
        Branch::Conditional => "condbr",
        Branch::Switch => "switch",
    }
}

/// The text form, one block a line. [`parse`](fn@crate::text::parse) returns an equal graph for it.
impl fmt::Display for NamedGraph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in self.blocks() {
            write!(formatter, "{} {}", self.name(block), word(self.branch(block)))?;
            for &target in self.successors(block) {
                write!(formatter, " {}", self.name(target))?;
            }
            if self.entry() == block && block != InputBlock::new(0) {
                formatter.write_str(", entry")?;
            }
            formatter.write_str(match self.convergence(block) {
                Convergence::None => "",
                Convergence::Quad => ", quad",
                Convergence::Lanes => ", convergent",
            })?;
            if self.weight(block) != 1 {
                write!(formatter, ", weight {}", self.weight(block))?;
            }
            let Hints { selection_merge, repeats } = self.hints(block);
            if let Some(merge) = selection_merge {
                write!(formatter, ", merge {}", self.name(merge))?;
            }
            if let Some(LoopHint { merge, continue_target }) = repeats {
                formatter.write_str(", loop")?;
                match (merge, continue_target) {
                    (None, None) => {}
                    (Some(merge), None) => write!(formatter, " {}", self.name(merge))?,
                    (merge, Some(next)) => {
                        write!(formatter, " {} {}", merge.map_or("-", |merge| self.name(merge)), self.name(next))?;
                    }
                }
            }
            formatter.write_str("\n")?;
        }
        Ok(())
    }
}
