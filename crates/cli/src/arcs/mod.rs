//! A graph with its blocks below each other and its edges as arcs on the left: on a terminal, and as SVG.
//!
//! ```text
//!        first      a = 1             an edge leaves a way of its block, and arrives at the head of a block
//!    ╭────            if a: goto last
//!  ╭─┼────            else: goto next
//!  ╰─┼──▶ next      b = 2
//!    ╰──▶ last
//! ```
//!
//! | file | content |
//! |---|---|
//! | `drawing.rs` | rows of a graph, and of the plan of the structurizer |
//! | `text.rs` | rows as lines of text |
//! | `svg.rs` | pictures beside each other |

mod drawing;
mod svg;
mod text;

pub(crate) use drawing::{Drawing, Words};
pub(crate) use svg::{Picture, svg};
pub(crate) use text::draw;

/// A line of the picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// What comes after the arcs.
    pub(crate) text: String,
    /// The row to which the edge leads that leaves this one: the head of a block. None for a head.
    pub(crate) target: Option<usize>,
    /// True if the row is of a block that the structurizer added.
    pub(crate) is_added: bool,
}

/// The lane of the edge of each row; lane 0 is beside the text. Short arcs are near the text, so few cross: they get the first lane that is free
/// in all their rows. O(E²) for E edges.
fn lanes(rows: &[Row]) -> Vec<Option<usize>> {
    let mut lanes = vec![None; rows.len()];
    let span = |from: usize| rows[from].target.map_or((from, from), |to| (from.min(to), from.max(to)));
    let mut edges: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].target.is_some()).collect();
    edges.sort_by_key(|&from| {
        let (first, last) = span(from);
        last - first
    });
    for (place, &from) in edges.iter().enumerate() {
        let (first, last) = span(from);
        let is_beside = |other: usize| {
            let (other_first, other_last) = span(other);
            first <= other_last && other_first <= last
        };
        let taken: Vec<usize> =
            edges[..place].iter().filter(|&&other| is_beside(other)).filter_map(|&other| lanes[other]).collect();
        lanes[from] = (0..).find(|lane| !taken.contains(lane));
    }
    lanes
}

/// The number of lanes.
fn count(lanes: &[Option<usize>]) -> usize {
    lanes.iter().flatten().max().map_or(0, |lane| lane + 1)
}
