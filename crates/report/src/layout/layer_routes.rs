//! The edges of a function in layers.
//!
//! An edge to the next layer goes through the gap between them. Another goes up or down on the left of all layers, or on the right of those that it
//! passes, to the gap above its target, or to the side of a target that is at that end of its layer. An edge before one through the gap goes on the left,
//! since it would cross that one on its way to the right; the ones after it go on the right.
//!
//! O(N log N + E) for N blocks and E edges: a table has the right ends of 2ⁿ layers.

use super::layers::{self, Layer, Layers};
use super::routes::{self, Arrival, LANE, LANES, Side, TIP, Way};
use crate::report::{BlockVersion, FunctionVersion, Route, RouteKind, Shape};

/// The edges beside each other.
const BESIDE: u32 = 10;

/// The number of heights below a layer at which edges of different blocks turn.
const BELOW: u32 = 4;

/// The least distance above a layer of an edge that arrives there, and the number of these distances.
const ABOVE: [u32; 2] = [8, 4];

/// Draws the edges of a function in layers.
pub(super) fn draw(versions: &[&BlockVersion], layers: &Layers, picture: &FunctionVersion) -> Vec<Route> {
    let successors = layers::successors(versions);
    let shape = |block: usize| picture.nodes[block].shape;
    let ends = Ends::new(layers.layers.iter().map(|layer| shape(layer.last)).map(|last| last.x + last.w));
    let (mut routes, mut counts) = (Vec::new(), vec![0; layers.layers.len()]);
    for (from, version) in versions.iter().enumerate() {
        let (source, layer) = (shape(from), layers.of[from]);
        let sides = sides(layer, &successors[from], layers);
        let (mut ways, mut rightmost) = (Vec::new(), 0);
        for (&to, side) in successors[from].iter().zip(sides) {
            let (target, to_layer) = (shape(to), layers.of[to]);
            let (is_up, reached) = (to_layer <= layer, &layers.layers[to_layer]);
            let number = (routes.len() + ways.len()) as u32;
            let (bends, arrival) = match side {
                None => (Vec::new(), Arrival::Top),
                Some(Side::Left) => {
                    let line = LANES - TIP - LANE * (number % BESIDE);
                    arrive(line, number, reached, [to, reached.first])
                }
                Some(Side::Right) => {
                    let passed = if is_up { [to_layer, layer] } else { [layer + 1, to_layer] };
                    let line = ends.greatest(passed) + TIP + LANE * (number % BESIDE);
                    rightmost = line.max(rightmost + LANE);
                    arrive(rightmost, number, reached, [to, reached.last])
                }
            };
            let kind = if is_up { RouteKind::Back } else { RouteKind::Next };
            ways.push(Way { to, kind, target, side, bends, arrival });
        }
        let below = LANE * (counts[layer] % BELOW);
        counts[layer] += 1;
        let bottom = Shape { y: layers.layers[layer].bottom + below, h: 0, ..source };
        routes.extend(routes::of_block(from, [source, bottom], &ways, version));
    }
    routes
}

/// By edge of a block in a layer, the side on which it goes; none through the gap below the layer.
fn sides(layer: usize, successors: &[usize], layers: &Layers) -> Vec<Option<Side>> {
    let is_near = |&to: &usize| layers.of[to] == layer + 1;
    let last_near = successors.iter().rposition(is_near);
    let of_edge = |(index, to): (usize, &usize)| {
        let is_left = last_near.map_or(index == 0 && layers.of[*to] <= layer, |last| index < last);
        let far = if is_left { Side::Left } else { Side::Right };
        (!is_near(to)).then_some(far)
    };
    successors.iter().enumerate().map(of_edge).collect()
}

/// From a line beside the layers to a block of a layer: to its side if it is the one at that end of the layer, otherwise through the gap above.
fn arrive(line: u32, number: u32, layer: &Layer, [to, end]: [usize; 2]) -> (Vec<[u32; 2]>, Arrival) {
    let above = layer.top - ABOVE[0] - number % ABOVE[1] * LANE / 2;
    if to == end { (Vec::new(), Arrival::Side(line)) } else { (vec![[line, above]], Arrival::Top) }
}

/// The right ends of layers: of each 2ⁿ layers, the greatest.
struct Ends(Vec<Vec<u32>>);

impl Ends {
    fn new(ends: impl Iterator<Item = u32>) -> Ends {
        let mut tables: Vec<Vec<u32>> = vec![ends.collect()];
        let count = tables[0].len();
        let mut width = 1;
        while 2 * width <= count {
            let last = &tables[tables.len() - 1];
            let next = (0..=count - 2 * width).map(|start| last[start].max(last[start + width])).collect();
            tables.push(next);
            width *= 2;
        }
        Ends(tables)
    }

    /// The greatest of the layers from the first to the last.
    fn greatest(&self, [first, last]: [usize; 2]) -> u32 {
        let level = (last + 1 - first).ilog2() as usize;
        self.0[level][first].max(self.0[level][last + 1 - (1 << level)])
    }
}
