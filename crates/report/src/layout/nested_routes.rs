//! The edges of a structured function: what is near, and on which side the others go.
//!
//! An edge to the place below its block goes through the gap between them. Of the others, one goes back to the header of a loop on the left. One
//! that leaves its block before an edge through the gap, or before one that leaves fewer lists, goes down on the left, since it would
//! cross that edge on its way to the right. The rest go down on the right. `detour.rs` has the lines that they go along.

use reconverge_control_tree::Jump;
use reconverge_ir::{Block, Edge, Module};

use super::detour::{Frames, Passage};
use super::layers;
use super::routes::{self, LANE, Side, Way};
use crate::report::{BlockVersion, FunctionVersion, Route, RouteKind};

/// The edges beside each other in a frame.
const IN_FRAME: usize = 4;

/// Draws the edges of a structured function, whose blocks are `blocks`.
pub(super) fn draw(
    module: &Module,
    blocks: &[Block],
    frames: &Frames<'_>,
    versions: &[&BlockVersion],
    picture: &FunctionVersion,
) -> Vec<Route> {
    let successors = layers::successors(versions);
    let mut routes = Vec::new();
    for (from, &block) in blocks.iter().enumerate() {
        let source = picture.nodes[from].shape;
        let edges = module.out_edges(block).filter(|edge| module.target(*edge).is_some());
        let kinds: Vec<RouteKind> = edges.map(|edge| frames.kind(edge)).collect();
        let passage = |&to: &usize| frames.passage([block, blocks[to]], [source, picture.nodes[to].shape]);
        let passages: Vec<Passage> = successors[from].iter().map(passage).collect();
        let sides = sides(&passages, &kinds);
        let mut ways = Vec::new();
        for (index, passage) in passages.iter().enumerate() {
            let lane = lane(from, index, passages.len());
            let (bends, arrival) = match sides[index] {
                None => (Vec::new(), routes::Arrival::Top),
                Some(side) => frames.detour(passage, side, lane),
            };
            let to = successors[from][index];
            ways.push(Way { to, kind: kinds[index], target: passage.target, side: sides[index], bends, arrival });
        }
        routes.extend(routes::of_block(from, [source; 2], &ways, versions[from]));
    }
    routes
}

/// By edge, the side on which it goes; none through the gap below its block.
fn sides(passages: &[Passage], kinds: &[RouteKind]) -> Vec<Option<Side>> {
    let mut sides = vec![None; passages.len()];
    // How far the edges after one go at least.
    let mut least = usize::MAX;
    for (index, passage) in passages.iter().enumerate().rev() {
        let reach = passage.reach();
        if !passage.is_near {
            let is_left = kinds[index] == RouteKind::Back || reach > least;
            sides[index] = Some(if is_left { Side::Left } else { Side::Right });
        }
        least = least.min(reach);
    }
    sides
}

/// The distance of an edge from the side of a frame: of up to [`IN_FRAME`] edges of a block, each is nearer to it than the one before.
fn lane(from: usize, index: usize, count: usize) -> u32 {
    let start = from % (IN_FRAME + 1 - count.clamp(1, IN_FRAME));
    LANE * ((start + count - 1 - index) % IN_FRAME) as u32 + 2
}

impl Frames<'_> {
    fn kind(&self, edge: Edge) -> RouteKind {
        match self.tree.jump(edge) {
            None | Some(Jump::Enter(_) | Jump::Next | Jump::Join(_)) => RouteKind::Next,
            Some(Jump::Merge(_)) => RouteKind::Merge,
            Some(Jump::Break(_)) => RouteKind::Break,
            Some(Jump::Continue(_)) => RouteKind::Continue,
            Some(Jump::Back(_)) => RouteKind::Back,
            Some(Jump::FallThrough(_)) => RouteKind::FallThrough,
        }
    }
}
