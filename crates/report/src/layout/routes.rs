//! Edges at right angles.
//!
//! ```text
//! next:    ┌───┐        break, merge:  ┌───┐──┐     back:   ┌▶┌───┐
//!          └─┬─┘                       └───┘  │             │ └───┘
//!            └──┐                      ┌───┐  │             │ ┌───┐
//!          ┌────▼┐                     └───┘◀─┘             └─└───┘
//! ```
//!
//! An edge to a place shortly below goes through the gap between. Others leave their block at the side: on the right if they go down, on the
//! left if they go up. An edge out of a construct runs in the frame of the list of that construct that it leaves, beside everything in it; one
//! to the header of a loop in the frame of the loop.
//!
//! Linear in the edges and in the lists that they leave.

use reconverge_control_tree::{Construct, ControlTree, Jump, Owner};
use reconverge_ir::{Block, Edge, Function, Module};

use super::layers;
use crate::report::{BlockVersion, FunctionVersion, Route, RouteKind, Shape};

/// On both sides of a picture, for edges.
pub(super) const LANES: u32 = 40;

/// The distance between edges beside each other, and how many there are in a frame and beside a picture.
const LANE: u32 = 3;
const IN_FRAME: u32 = 4;
const BESIDE: u32 = 10;

/// The distance below which a place is near another one.
const NEAR: u32 = 110;

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
        for (index, (&to, edge)) in successors[from].iter().zip(edges).enumerate() {
            let (kind, frame) = frames.way(block, edge);
            let ends = [from, to].map(|place| picture.nodes[place].shape);
            let lane = LANE * (routes.len() as u32 % IN_FRAME) + 2;
            let [source, target] = ends;
            let points = match frame {
                _ if is_near(ends) => through_gap(ends, index, successors[from].len()),
                Some(frame) if kind == RouteKind::Back => beside(ends, frame.x.saturating_sub(lane), Border::Left),
                Some(frame) => beside(ends, frame.x + frame.w - lane, Border::Right),
                None => beside(ends, (source.x + source.w).max(target.x + target.w) + 2 * lane, Border::Right),
            };
            let label = versions[from].edges[index].label.clone();
            routes.push(Route { from: from as u32, to: to as u32, kind, label, points });
        }
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
        for (index, (&to, edge)) in successors[from].iter().zip(&version.edges).enumerate() {
            let ends = [from, to].map(|place| picture.nodes[place].shape);
            let is_up = ends[1].y <= ends[0].y;
            let lane = LANE * (routes.len() as u32 % BESIDE + 1);
            let [left, right] = [ends[0].x.min(ends[1].x), (ends[0].x + ends[0].w).max(ends[1].x + ends[1].w)];
            let points = match is_near(ends) {
                true => through_gap(ends, index, successors[from].len()),
                false if is_up => beside(ends, left.saturating_sub(lane), Border::Left),
                false => beside(ends, right + lane, Border::Right),
            };
            let kind = if is_up { RouteKind::Back } else { RouteKind::Next };
            routes.push(Route { from: from as u32, to: to as u32, kind, label: edge.label.clone(), points });
        }
    }
    routes
}

fn is_near([source, target]: [Shape; 2]) -> bool {
    let bottom = source.y + source.h;
    target.y > bottom && target.y - bottom <= NEAR
}

/// Down, across in the gap below the source, and down.
fn through_gap([source, target]: [Shape; 2], index: usize, count: usize) -> Vec<u32> {
    let from = source.x + source.w * (index as u32 + 1) / (count as u32 + 1);
    let (to, bottom) = (target.x + target.w / 2, source.y + source.h);
    let middle = bottom + ((target.y - bottom) / 2).min(9);
    if source.x <= to && to <= source.x + source.w && count == 1 {
        return vec![to, bottom, to, target.y];
    }
    vec![from, bottom, from, middle, to, middle, to, target.y]
}

/// The side of a shape.
#[derive(Clone, Copy)]
enum Border {
    Left,
    Right,
}

/// Out at the side, along it, and in at the side.
fn beside([source, target]: [Shape; 2], along: u32, border: Border) -> Vec<u32> {
    let [from, to] = [source.y + source.h * 2 / 3, target.y + target.h / 3];
    let side = |shape: Shape| match border {
        Border::Left => shape.x,
        Border::Right => shape.x + shape.w,
    };
    vec![side(source), from, along, from, along, to, side(target), to]
}
