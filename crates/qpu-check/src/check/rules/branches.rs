//! Q04: at least two other words between two branches, also if one of them is not taken. vc4asm addendum, "Distance of branch
//! instructions": otherwise no branch is taken, or the thread crashes.

use super::super::flow::Point;
use super::super::word::Instruction;

pub(super) fn distance(word: &Instruction, point: &Point) -> Option<String> {
    let words = point.before.since_branch.words();
    (word.branch().is_some() && words < 3).then(|| format!("branches {words} behind a branch, and three is the least"))
}
