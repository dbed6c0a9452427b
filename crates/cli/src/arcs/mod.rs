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
//! Cases of a switch with the same target are one edge. Of a block with many targets, a row has several, and its edges share a lane; so do many edges
//! to one block.
//!
//! | file | content |
//! |---|---|
//! | `drawing.rs` | rows of a graph, and of the plan of the structurizer |
//! | `text.rs` | rows as lines of text |
//! | `svg.rs` | pictures beside each other |

mod drawing;
mod svg;
mod text;

use std::collections::BTreeMap;

pub(crate) use drawing::{Drawing, When, Words};
pub(crate) use svg::{Picture, document, svg};
pub(crate) use text::draw;

/// A line of the picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// What comes after the arcs.
    pub(crate) text: String,
    /// Where the edges lead that leave this row: heads of blocks. None for a head.
    pub(crate) targets: Vec<usize>,
    /// True if the row is of a block that the structurizer added.
    pub(crate) is_added: bool,
}

impl Row {
    /// True for the first row of a block.
    fn is_head(&self) -> bool {
        self.targets.is_empty()
    }
}

/// The number of edges to a block from which on they share a lane.
const SHARED: usize = 8;

/// Edges that share a lane.
struct Bundle {
    /// Where they begin.
    from: Vec<usize>,
    /// Where they lead.
    to: Vec<usize>,
    lane: usize,
}

impl Bundle {
    /// The first and the last of their rows.
    fn span(&self) -> [usize; 2] {
        let rows = || self.from.iter().chain(&self.to).copied();
        [rows().min().unwrap_or(0), rows().max().unwrap_or(0)]
    }
}

/// The edges by lanes; lane 0 is beside the text. Short arcs are near the text, so few cross: they get the first lane that is free in all their
/// rows. O(E²) for E edges.
fn bundles(rows: &[Row]) -> Vec<Bundle> {
    let mut bundles = gathered(rows);
    bundles.sort_by_key(|bundle| {
        let [first, last] = bundle.span();
        (last - first, bundle.from[0])
    });
    // The rows that are taken in each lane.
    let mut taken: Vec<Vec<[usize; 2]>> = Vec::new();
    for bundle in &mut bundles {
        let [first, last] = bundle.span();
        let is_free = |spans: &Vec<[usize; 2]>| spans.iter().all(|&[start, end]| last < start || end < first);
        bundle.lane = taken.iter().position(is_free).unwrap_or(taken.len());
        if bundle.lane == taken.len() {
            taken.push(Vec::new());
        }
        taken[bundle.lane].push([first, last]);
    }
    bundles
}

/// The edges that share a lane: those of rows with several targets that follow each other, and many to one block. Others are alone.
fn gathered(rows: &[Row]) -> Vec<Bundle> {
    let mut counts = vec![0; rows.len()];
    rows.iter().filter(|row| row.targets.len() == 1).for_each(|row| counts[row.targets[0]] += 1);
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    let mut bundles: Vec<Bundle> = Vec::new();
    let is_packed = |row: usize| rows.get(row).is_some_and(|row| row.targets.len() > 1);
    for (from, Row { targets, .. }) in rows.iter().enumerate().filter(|(_, row)| !row.is_head()) {
        let place = match targets[..] {
            [target] if counts[target] >= SHARED => *places.entry(target).or_insert(bundles.len()),
            [_] => bundles.len(),
            _ if from > 0 && is_packed(from - 1) => bundles.len() - 1,
            _ => bundles.len(),
        };
        if place == bundles.len() {
            bundles.push(Bundle { from: Vec::new(), to: Vec::new(), lane: 0 });
        }
        bundles[place].from.push(from);
        bundles[place].to.extend(targets);
    }
    for bundle in &mut bundles {
        bundle.to.sort_unstable();
        bundle.to.dedup();
    }
    bundles
}

/// The number of lanes.
fn count(bundles: &[Bundle]) -> usize {
    bundles.iter().map(|bundle| bundle.lane + 1).max().unwrap_or(0)
}
