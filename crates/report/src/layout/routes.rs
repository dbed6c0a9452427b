//! Edges at right angles, from their ways to their corners.
//!
//! ```text
//! next:    ┌───┐        break, merge:  ┌───┐        back:   ┌▶┌───┐
//!          └─┬─┘                       └─┬─┘                │ └───┘
//!            └──┐                        └─────┐            │ ┌───┐
//!          ┌────▼┐                     ┌───┐   │            │ └─┬─┘
//!          └─────┘                     └───┘◀──┘            └───┘
//! ```
//!
//! An edge leaves its block at the bottom, at a port of its own: the ports are in the order of the edges, so the true edge of a branch is left
//! of the false one. In the gap below the block, each edge turns at a height of its own: of those that go left the leftmost first, of those
//! that go right the rightmost first, so that neither crosses the other there.
//!
//! An edge to the place below goes on through that gap. Others go along lines on the left or on the right that no block is on
//! (`nested_routes.rs`, `layer_routes.rs`), and arrive at the side, or at the top.
//!
//! Invariants: two edges of a branch have no corner in common; no edge passes through a block.
//!
//! Linear in the edges and their corners.

use rustc_hash::FxHashMap;

use crate::report::{BlockVersion, Route, RouteKind, Shape};

/// On both sides of a picture, for edges.
pub(super) const LANES: u32 = 40;

/// The distance between edges beside each other.
pub(super) const LANE: u32 = 3;

/// The least and the greatest distance below a block at which its edges turn: less than any gap.
const TURNS: [u32; 2] = [3, 11];

/// The least distance to the side of a place: an arrow has room.
pub(super) const TIP: u32 = 8;

/// Between two edges of a block that arrive at the same place.
const ARRIVALS: u32 = 6;

/// The side on which an edge leaves the gap below its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// Where an edge arrives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrival {
    /// At the top, from the gap above.
    Top,
    /// At the nearer side, from this line.
    Side(u32),
}

/// An edge of a block, before it has corners.
pub(super) struct Way {
    pub(super) to: usize,
    pub(super) kind: RouteKind,
    pub(super) target: Shape,
    /// None if it goes through the gap below its block to its target.
    pub(super) side: Option<Side>,
    /// After the turn below the block: a line to go along, and the height at which to leave it.
    pub(super) bends: Vec<[u32; 2]>,
    pub(super) arrival: Arrival,
}

/// The edges of one block, which turn below `bottom`.
pub(super) fn of_block(from: usize, [source, bottom]: [Shape; 2], ways: &[Way], version: &BlockVersion) -> Vec<Route> {
    let count = ways.len() as u32;
    let arrivals = arrivals(ways);
    let turns = turns(source, bottom.y + bottom.h, ways);
    let mut routes = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let (port, mut y) = (port(source, index as u32, count), turns[index]);
        let start = source.y + source.h;
        let mut points = vec![port, start, port, y];
        for &[x, next] in &way.bends {
            points.extend([x, y, x, next]);
            y = next;
        }
        match way.arrival {
            Arrival::Top => {
                let top = top(way.target, arrivals[index]);
                match way.bends.is_empty() && count == 1 && source.x <= top && top <= source.x + source.w {
                    true => points = vec![top, start, top, way.target.y],
                    false => points.extend([top, y, top, way.target.y]),
                }
            }
            Arrival::Side(x) => {
                let to = side(way.target, arrivals[index]);
                let end = if x < way.target.x { way.target.x } else { way.target.x + way.target.w };
                points.extend([x, y, x, to, end, to]);
            }
        }
        let label = version.edges[index].label.clone();
        routes.push(Route { from: from as u32, to: way.to as u32, kind: way.kind, label, points });
    }
    routes
}

/// Where an edge leaves its block: in the middle of its share of the bottom. A block is at least as wide as it has edges.
fn port(source: Shape, index: u32, count: u32) -> u32 {
    source.x + (u64::from(source.w) * u64::from(2 * index + 1) / u64::from(2 * count)) as u32
}

/// By edge, the number of edges before it that lead to the same place.
fn arrivals(ways: &[Way]) -> Vec<u32> {
    let mut seen: FxHashMap<usize, u32> = FxHashMap::default();
    let mut number = |way: &Way| {
        let count = seen.entry(way.to).or_default();
        *count += 1;
        *count - 1
    };
    ways.iter().map(&mut number).collect()
}

/// By edge, the height at which it turns below `bottom`.
fn turns(source: Shape, bottom: u32, ways: &[Way]) -> Vec<u32> {
    let count = ways.len() as u32;
    let is_left = |index: &usize| match ways[*index].side {
        None => top(ways[*index].target, 0) < port(source, *index as u32, count),
        Some(side) => side == Side::Left,
    };
    let (left, right): (Vec<usize>, Vec<usize>) = (0..ways.len()).partition(is_left);
    let [least, greatest] = TURNS;
    let mut turns = vec![0; ways.len()];
    for (rank, index) in left.into_iter().chain(right.into_iter().rev()).enumerate() {
        let step = rank as u32 * (greatest - least) / (count - 1).max(1);
        turns[index] = bottom + if count == 1 { greatest - 2 } else { least + step };
    }
    turns
}

/// Where an edge comes in at the top.
fn top(target: Shape, arrival: u32) -> u32 {
    target.x + (target.w / 2 + arrival * ARRIVALS).min(target.w)
}

/// Where an edge comes in at the side.
fn side(target: Shape, arrival: u32) -> u32 {
    target.y + (target.h / 3 + arrival * ARRIVALS).min(target.h)
}
