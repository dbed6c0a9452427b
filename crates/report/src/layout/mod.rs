//! The picture of a function.
//!
//! ```text
//! ┌───────────┐
//! │ ^entry    │           blocks of a list are below each other, in the order of the source
//! └─────┬─────┘
//! ┌ loop ─────────────┐   a construct is a box around its lists, and is below the block that opens it
//! │ ┌ body ─────────┐ │
//! │ │ ^head    ┌────┼─┼──┐ break: dashed, on the right
//! │ └──────────┼────┘ │  │
//! │ ┌ continue ┼────┐ │  │ the body is above the continue list; the arms of a selection are beside each other, true before false
//! │ └───────────────┘ │  │
//! └───────────────────┘  │
//! ┌───────────┐          │
//! │ ^merge    │◀─────────┘ code behind a loop is below it
//! └───────────┘
//! ```
//!
//! The place of a block depends on what is before it alone, so a pass moves what it changes and shifts the rest down: no crossings are
//! minimised. A function without structure is drawn in layers: a block is below those that lead to it, except by back edges.
//!
//! | file | content |
//! |---|---|
//! | `nested.rs`, `layers.rs` | the places of blocks, with structure and without |
//! | `nested_routes.rs`, `layer_routes.rs` | the side on which each edge goes |
//! | `detour.rs` | lines between nested blocks |
//! | `routes.rs` | ports, turns and corners |
//!
//! Linear in blocks, lists, edges and the lists that edges leave and enter, with a logarithm for layers; no recursion.

mod detour;
mod layer_routes;
mod layers;
mod nested;
mod nested_routes;
mod routes;

use std::borrow::Cow;

use reconverge_control_tree::ControlTree;
use reconverge_ir::{Function, Module};

use detour::Frames;

use crate::names::Names;
use crate::report::{BlockVersion, FunctionVersion, Shape};

/// The width of four characters, and the height of a line.
const CHARACTERS: u32 = 29;
const LINE: u32 = 15;

/// The most characters and lines of a block that are shown.
const MOST_CHARACTERS: usize = 52;
const MOST_LINES: usize = 14;

/// Around the text of a block.
const MARGIN: u32 = 8;

/// A label of an edge, above its port: the width of a character, and the space around it.
const LABEL: [u32; 2] = [6, 8];

/// The least distance between the ports of a block.
const PORTS: u32 = 3;

/// The side of an empty edge block, which is a dot.
const DOT: u32 = 8;

/// Draws a function. `versions` are its blocks, in its order, `sizes` their sizes.
pub(crate) fn draw(
    module: &Module,
    function: Function,
    tree: Option<&ControlTree>,
    versions: &[&BlockVersion],
    sizes: &[Shape],
) -> FunctionVersion {
    match tree {
        Some(tree) => {
            let (mut picture, boxes) = nested::draw(module, function, tree, sizes);
            let blocks = module.blocks(function).collect::<Vec<_>>();
            picture.routes = nested_routes::draw(module, &blocks, &Frames { tree, boxes }, versions, &picture);
            picture
        }
        None => {
            let (mut picture, layers) = layers::draw(versions, sizes);
            picture.routes = layer_routes::draw(versions, &layers, &picture);
            picture
        }
    }
}

/// The size of a block: its head, its roles, its lines and, if it has more than one edge, their labels.
pub(crate) fn size(version: &BlockVersion, lines: &[String], names: &Names) -> Shape {
    if version.is_edge {
        return Shape { w: DOT, h: DOT, ..Shape::default() };
    }
    let shown = version.shown(lines);
    // Numbers in machine code are no names.
    let text = |line: &Cow<'_, str>| match version.code.is_empty() {
        true => names.shown(line).chars().count(),
        false => line.chars().count(),
    };
    let length = |line: &Cow<'_, str>| text(line).min(MOST_CHARACTERS);
    let characters = shown.iter().take(MOST_LINES).map(length).max().unwrap_or(0);
    // The head has the roles beside the name, and what the colours say.
    let facts = [version.is_converged, version.is_uniform].iter().filter(|holds| !**holds).count();
    let head = names.shown(&version.name).chars().count() + 9 * version.roles.len() + [10, 12, 20][facts];
    let rows = shown.len().min(MOST_LINES) + usize::from(shown.len() > MOST_LINES);
    let text = |characters: usize| characters as u32 * CHARACTERS / 4 + 2 * MARGIN;
    let [ports, labels] = ports(version);
    let w = text(characters.max(head).max(8)).max(labels.min(text(MOST_CHARACTERS))).max(ports);
    let labels = if version.edges.len() > 1 { LINE } else { 0 };
    Shape { w, h: rows as u32 * LINE + labels + 2 * MARGIN, ..Shape::default() }
}

/// The widths that the ports of a block need, without labels and with all labels.
fn ports(version: &BlockVersion) -> [u32; 2] {
    let count = version.edges.len() as u32;
    let longest = version.edges.iter().map(|edge| edge.label.chars().count()).max().unwrap_or(0) as u32;
    [PORTS * count, (longest * LABEL[0] + LABEL[1]) * count]
}
