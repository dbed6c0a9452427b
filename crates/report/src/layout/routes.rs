//! Edges at right angles.
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
//! An edge to a place shortly below goes on through that gap. Others go up on the left of their blocks, or down on the right, or down on the left
//! if a later edge of the block goes through the gap, and arrive at the side, or at the top where their line meets it. An edge out of a construct runs in the frame of the list of that construct that it leaves,
//! beside everything in it; one to the header of a loop in the frame of the loop.
//!
//! Invariant: two edges of a branch have no corner in common.
//!
//! Linear in the edges and in the lists that they leave.

use reconverge_control_tree::{Construct, ControlTree, Jump, Owner};
use reconverge_ir::{Block, Edge, Function, Module};
use rustc_hash::FxHashMap;

use super::{layers, nested};
use crate::report::{BlockVersion, FunctionVersion, Route, RouteKind, Shape};

/// On both sides of a picture, for edges.
pub(super) const LANES: u32 = 40;

/// The distance between edges beside each other, and how many there are in a frame and beside a picture.
const LANE: u32 = 3;
const IN_FRAME: u32 = 4;
const BESIDE: u32 = 10;

/// The distance below which a place is near another one.
const NEAR: u32 = 110;

/// The least and the greatest distance below a block at which its edges turn: less than any gap.
const TURNS: [u32; 2] = [3, 11];

/// The least distance of an edge that goes down on the left of its blocks.
const INSIDE: u32 = 6;

/// The least distance to the side of a place: an arrow has room.
const TIP: u32 = 8;

/// Between two edges of a block that arrive at the same place.
const ARRIVALS: u32 = 6;

/// The boxes of a function.
pub(super) struct Frames<'a> {
    pub(super) tree: &'a ControlTree,
    /// By list.
    pub(super) frames: Vec<Shape>,
}

impl Frames<'_> {
    /// The box of the list of a construct that a block is in.
    fn left_by(&self, block: Block, construct: Construct) -> Option<Shape> {
        let mut around = self.tree.outwards(block);
        let list = around.find(|&list| matches!(self.tree.owner(list), Owner::Construct(of, _) if of == construct))?;
        Some(self.frames[list.index()])
    }
}

/// Draws the edges of a structured function.
pub(super) fn nested(
    module: &Module,
    function: Function,
    frames: &Frames<'_>,
    versions: &[&BlockVersion],
    picture: &FunctionVersion,
) -> Vec<Route> {
    let successors = layers::successors(versions);
    let mut routes = Vec::new();
    for (from, block) in module.blocks(function).enumerate() {
        let edges = module.out_edges(block).filter(|edge| module.target(*edge).is_some());
        let source = picture.nodes[from].shape;
        let mut ways = Vec::new();
        let last_near = last_near(source, &successors[from], picture);
        for (&to, edge) in successors[from].iter().zip(edges) {
            let (kind, frame) = frames.way(block, edge);
            let target = picture.nodes[to].shape;
            let is_before_near = last_near.is_some_and(|last| ways.len() < last);
            let lane = LANE * ((routes.len() + ways.len()) as u32 % IN_FRAME) + 2;
            let course = match frame {
                _ if is_near([source, target]) => Course::Gap,
                Some(frame) if kind == RouteKind::Back => Course::Left(frame.x.saturating_sub(lane)),
                Some(frame) if is_before_near => Course::Left(frame.x + nested::FRAME - lane),
                Some(frame) => Course::Right(frame.x + frame.w - lane),
                None if is_before_near => Course::Left(source.x.min(target.x).saturating_sub(INSIDE + lane / 2)),
                None => Course::Right((source.x + source.w).max(target.x + target.w) + 2 * lane),
            };
            ways.push(Way { to, kind, target, course });
        }
        routes.extend(of_block(from, source, &ways, versions[from]));
    }
    routes
}

impl Frames<'_> {
    /// The kind of an edge, and the box that it leaves.
    fn way(&self, block: Block, edge: Edge) -> (RouteKind, Option<Shape>) {
        match self.tree.jump(edge) {
            None | Some(Jump::Enter(_) | Jump::Next | Jump::Join(_)) => (RouteKind::Next, None),
            Some(Jump::Merge(construct)) => (RouteKind::Merge, self.left_by(block, construct)),
            Some(Jump::Break(construct)) => (RouteKind::Break, self.left_by(block, construct)),
            Some(Jump::Continue(construct)) => (RouteKind::Continue, self.left_by(block, construct)),
            Some(Jump::Back(construct)) => (RouteKind::Back, self.left_by(block, construct)),
            Some(Jump::FallThrough(_)) => (RouteKind::FallThrough, None),
        }
    }
}

/// Draws the edges of a function in layers.
pub(super) fn layered(versions: &[&BlockVersion], picture: &FunctionVersion) -> Vec<Route> {
    let successors = layers::successors(versions);
    let mut routes = Vec::new();
    for (from, version) in versions.iter().enumerate() {
        let source = picture.nodes[from].shape;
        let mut ways = Vec::new();
        let last_near = last_near(source, &successors[from], picture);
        for &to in &successors[from] {
            let target = picture.nodes[to].shape;
            let is_before_near = last_near.is_some_and(|last| ways.len() < last);
            let is_up = target.y <= source.y;
            let lane = LANE * ((routes.len() + ways.len()) as u32 % BESIDE + 1);
            let course = match is_near([source, target]) {
                true => Course::Gap,
                false if is_up || is_before_near => Course::Left(source.x.min(target.x).saturating_sub(lane)),
                false => Course::Right((source.x + source.w).max(target.x + target.w) + lane),
            };
            let kind = if is_up { RouteKind::Back } else { RouteKind::Next };
            ways.push(Way { to, kind, target, course });
        }
        routes.extend(of_block(from, source, &ways, version));
    }
    routes
}

/// The last edge of a block that goes through the gap below it. A longer edge before it goes down on the left, since it would cross it on its way
/// to the right.
fn last_near(source: Shape, successors: &[usize], picture: &FunctionVersion) -> Option<usize> {
    successors.iter().rposition(|&to| is_near([source, picture.nodes[to].shape]))
}

fn is_near([source, target]: [Shape; 2]) -> bool {
    let bottom = source.y + source.h;
    target.y > bottom && target.y - bottom <= NEAR
}

/// An edge of a block, before it has corners.
struct Way {
    to: usize,
    kind: RouteKind,
    target: Shape,
    course: Course,
}

/// Where an edge goes from the gap below its block.
#[derive(Clone, Copy)]
enum Course {
    /// To the top of its target, which is near.
    Gap,
    /// Along this line on the left, and in at the side.
    Left(u32),
    /// Along this line on the right, and in at the side.
    Right(u32),
}

/// The edges of one block.
fn of_block(from: usize, source: Shape, ways: &[Way], version: &BlockVersion) -> Vec<Route> {
    let count = ways.len() as u32;
    let arrivals = arrivals(ways);
    let turns = turns(source, ways);
    let mut routes = Vec::new();
    for (index, Way { to, kind, target, course }) in ways.iter().enumerate() {
        let [port, turn, arrival] = [port(source, index as u32, count), turns[index], arrivals[index]];
        let bottom = source.y + source.h;
        let points = match *course {
            Course::Gap => {
                let top = top(*target, arrival);
                match source.x <= top && top <= source.x + source.w && count == 1 {
                    true => vec![top, bottom, top, target.y],
                    false => vec![port, bottom, port, turn, top, turn, top, target.y],
                }
            }
            Course::Left(along) | Course::Right(along) => {
                let [left, right, to] = [target.x, target.x + target.w, side(*target, arrival)];
                let start = [port, bottom, turn];
                match course {
                    _ if left < along && along < right && bottom < target.y => {
                        vec![port, bottom, port, turn, along, turn, along, target.y]
                    }
                    Course::Left(_) if along <= left => beside(start, along, [left, to]),
                    _ => beside(start, along.max(right + TIP), [right, to]),
                }
            }
        };
        let label = version.edges[index].label.clone();
        routes.push(Route { from: from as u32, to: *to as u32, kind: *kind, label, points });
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

/// By edge, the height at which it turns below its block.
fn turns(source: Shape, ways: &[Way]) -> Vec<u32> {
    let count = ways.len() as u32;
    let is_left = |index: &usize| match ways[*index].course {
        Course::Gap => top(ways[*index].target, 0) < port(source, *index as u32, count),
        Course::Left(_) => true,
        Course::Right(_) => false,
    };
    let (left, right): (Vec<usize>, Vec<usize>) = (0..ways.len()).partition(is_left);
    let [least, greatest] = TURNS;
    let mut turns = vec![0; ways.len()];
    for (rank, index) in left.into_iter().chain(right.into_iter().rev()).enumerate() {
        let step = rank as u32 * (greatest - least) / (count - 1).max(1);
        turns[index] = source.y + source.h + if count == 1 { greatest - 2 } else { least + step };
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

/// Down to the turn, across, along a line, and in at the side.
fn beside([port, bottom, turn]: [u32; 3], along: u32, [side, to]: [u32; 2]) -> Vec<u32> {
    vec![port, bottom, port, turn, along, turn, along, to, side, to]
}
