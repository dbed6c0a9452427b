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
    let mut edges: Vec<(usize, usize, usize)> = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        edges.extend(row.target.map(|to| (from, from.min(to), from.max(to))));
    }
    edges.sort_by_key(|&(_, first, last)| last - first);
    // The rows that are taken in each lane.
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    for (from, first, last) in edges {
        let is_free = |spans: &Vec<(usize, usize)>| spans.iter().all(|&(start, end)| last < start || end < first);
        let lane = taken.iter().position(is_free).unwrap_or(taken.len());
        if lane == taken.len() {
            taken.push(Vec::new());
        }
        taken[lane].push((first, last));
        lanes[from] = Some(lane);
    }
    lanes
}

/// The number of lanes.
fn count(lanes: &[Option<usize>]) -> usize {
    lanes.iter().flatten().max().map_or(0, |lane| lane + 1)
}
