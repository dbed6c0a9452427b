//! Pictures of functions without structure: blocks in layers.
//!
//! The layer of a block is the length of the longest path to it in an order in which only back edges go up: reverse postorder (Sugiyama,
//! Tagawa and Toda 1981, with the cycles cut at the back edges of a depth-first walk). In a layer, blocks are in that order.

use rustc_hash::FxHashMap;

use super::routes;
use crate::report::{BlockVersion, FunctionVersion, PlacedBlock, Shape};

/// Between layers, and between blocks of a layer.
const GAP: [u32; 2] = [34, 26];

/// A layer of blocks.
pub(super) struct Layer {
    pub(super) top: u32,
    /// The bottom of the highest block.
    pub(super) bottom: u32,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Where the layers of a function are.
pub(super) struct Layers {
    /// By block: its layer.
    pub(super) of: Vec<usize>,
    pub(super) layers: Vec<Layer>,
}

/// Draws the blocks.
pub(super) fn draw(versions: &[&BlockVersion], sizes: &[Shape]) -> (FunctionVersion, Layers) {
    let order = reverse_postorder(versions);
    let mut places = vec![usize::MAX; versions.len()];
    order.iter().enumerate().for_each(|(place, &block)| places[block] = place);
    let successors = successors(versions);
    let mut layer_of = vec![0; versions.len()];
    for &block in &order {
        for &next in successors[block].iter().filter(|&&next| places[next] > places[block]) {
            layer_of[next] = layer_of[next].max(layer_of[block] + 1);
        }
    }
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for &block in &order {
        layers.resize_with(layers.len().max(layer_of[block] + 1), Vec::new);
        layers[layer_of[block]].push(block);
    }
    let width_of = |layer: &Vec<usize>| layer.iter().map(|&block| sizes[block].w + GAP[1]).sum::<u32>();
    let widest = layers.iter().map(width_of).max().unwrap_or(0);
    let mut result =
        FunctionVersion { nodes: vec![PlacedBlock::default(); versions.len()], ..FunctionVersion::default() };
    let mut y = GAP[0] / 2;
    let mut placed = Layers { of: layer_of, layers: Vec::new() };
    for layer in &layers {
        let mut x = routes::LANES;
        for &block in layer {
            result.nodes[block].shape = Shape { x, y, ..sizes[block] };
            x += sizes[block].w + GAP[1];
        }
        let bottom = y + layer.iter().map(|&block| sizes[block].h).max().unwrap_or(0);
        placed.layers.push(Layer { top: y, bottom, first: layer[0], last: layer[layer.len() - 1] });
        y = bottom + GAP[0];
    }
    (result.width, result.height) = (widest + 2 * routes::LANES, y);
    (result, placed)
}

/// The places of the successors of each block, known ones only.
pub(super) fn successors(versions: &[&BlockVersion]) -> Vec<Vec<usize>> {
    let places: FxHashMap<u32, usize> =
        versions.iter().enumerate().map(|(place, version)| (version.id, place)).collect();
    let of_block =
        |version: &&BlockVersion| version.edges.iter().filter_map(|edge| places.get(&edge.to).copied()).collect();
    versions.iter().map(of_block).collect()
}

/// Reverse postorder from the first block, then, after it, from each block that it does not reach.
fn reverse_postorder(versions: &[&BlockVersion]) -> Vec<usize> {
    let successors = successors(versions);
    let (mut seen, mut order) = (vec![false; versions.len()], Vec::new());
    for start in 0..versions.len() {
        if !seen[start] {
            order.extend(walk(start, &successors, &mut seen).into_iter().rev());
        }
    }
    order
}

/// The blocks that are reached first from here, in postorder.
fn walk(start: usize, successors: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let (mut stack, mut postorder) = (vec![(start, 0)], Vec::new());
    seen[start] = true;
    while let Some((block, next)) = stack.last_mut() {
        // The last successor first, so that the first one is left of it.
        match successors[*block].iter().rev().nth(*next) {
            Some(&successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor], true) {
                    stack.push((successor, 0));
                }
            }
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder
}
