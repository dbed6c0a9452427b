//! Pictures of structured functions: from the control tree.
//!
//! 1. Sizes, innermost lists first: a list is as high as its nodes, a construct as its lists with a frame.
//! 2. Places, outermost lists first: nodes of a list are below each other and begin at the same left side, so that a list that grows wider
//!    moves nothing before it. Lists beside each other go on in another row where one would be wider than a screen.

use reconverge_control_tree::{Construct, ConstructKind, ControlTree, List, Node, Owner, Role};
use reconverge_ir::{Block, Function, Inst, Module};
use rustc_hash::FxHashMap;

use super::routes;
use crate::report::{ConstructBox, FunctionVersion, PlacedBlock, Shape};

/// Between nodes of a list, and between lists beside each other.
pub(super) const GAP: u32 = 22;

/// Around what is in a box; its title is in the space above.
pub(super) const FRAME: u32 = 14;
pub(super) const TITLE: u32 = 16;

/// The width at which a row of lists ends.
const WIDEST: u32 = 1_100;

/// The least width of a box, for its title.
const LEAST: u32 = 64;

struct Picture<'a> {
    tree: &'a ControlTree,
    /// By block: its place in the order of the function.
    numbers: FxHashMap<Block, usize>,
    sizes: &'a [Shape],
    /// By list.
    lists: Vec<Shape>,
    constructs: FxHashMap<Construct, Shape>,
    /// By list: its box.
    boxes: Vec<ListBox>,
}

/// The box of a list in a row of its construct.
#[derive(Clone, Copy, Default)]
pub(super) struct ListBox {
    pub(super) frame: Shape,
    pub(super) row: Row,
    /// True if no list of the row is on its left.
    pub(super) is_first: bool,
    /// True if no list of the row is on its right.
    pub(super) is_last: bool,
}

/// A row of lists beside each other.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) top: u32,
    /// The bottom of the highest list.
    pub(super) bottom: u32,
    /// True if it is the lowest row of its construct.
    pub(super) is_lowest: bool,
}

/// Where the boxes of a function are.
pub(super) struct Boxes {
    /// By list. The box of the function is that around its blocks.
    pub(super) lists: Vec<ListBox>,
    pub(super) constructs: FxHashMap<Construct, Shape>,
}

/// Draws the blocks and the boxes.
pub(super) fn draw(
    module: &Module,
    function: Function,
    tree: &ControlTree,
    sizes: &[Shape],
) -> (FunctionVersion, Boxes) {
    let numbers = module.blocks(function).enumerate().map(|(number, block)| (block, number)).collect();
    let lists = vec![Shape::default(); tree.lists().len()];
    let boxes = vec![ListBox::default(); lists.len()];
    let mut picture = Picture { tree, numbers, sizes, lists, constructs: FxHashMap::default(), boxes };
    tree.lists().rev().for_each(|list| picture.measure(list));
    picture.place()
}

impl Picture<'_> {
    /// The size of a list, of which all constructs are measured: their lists come later in the tree.
    fn measure(&mut self, list: List) {
        let tree = self.tree;
        let (mut w, mut h) = (0, 0);
        for (index, &node) in tree.nodes(list).iter().enumerate() {
            let size = match node {
                Node::Block(block) => self.sizes[self.numbers[&block]],
                Node::Construct(construct) => self.measured(construct),
            };
            w = w.max(size.w);
            h += size.h + if index == 0 { 0 } else { GAP };
        }
        self.lists[list.index()] = Shape { w, h, ..Shape::default() };
    }

    fn measured(&mut self, construct: Construct) -> Shape {
        let (mut w, mut h) = (0, 0);
        for row in self.rows(construct) {
            let sizes: Vec<Shape> = row.iter().map(|&list| self.framed(list)).collect();
            w = w.max(width(&sizes));
            h += sizes.iter().map(|size| size.h).max().unwrap_or(0) + if h == 0 { 0 } else { GAP };
        }
        let size = Shape { w: (w + 2 * FRAME).max(LEAST), h: h + 2 * FRAME + TITLE, ..Shape::default() };
        self.constructs.insert(construct, size);
        size
    }

    /// The lists of a construct, as rows from top to bottom.
    fn rows(&self, construct: Construct) -> Vec<Vec<List>> {
        let data = self.tree.construct(construct);
        let is_below = |list: &List| matches!(self.tree.owner(*list), Owner::Construct(_, Role::Continue | Role::Join));
        let (below, above): (Vec<List>, Vec<List>) = data.lists.iter().partition(|list| is_below(list));
        let mut rows: Vec<Vec<List>> = Vec::new();
        let mut width = WIDEST;
        for list in above {
            width += self.framed(list).w + GAP;
            if width > WIDEST {
                width = self.framed(list).w + GAP;
                rows.push(Vec::new());
            }
            rows.last_mut().expect("the first list begins a row").push(list);
        }
        rows.extend(Some(below).filter(|row| !row.is_empty()));
        rows
    }

    /// The size of a list with its box.
    fn framed(&self, list: List) -> Shape {
        let Shape { w, h, .. } = self.lists[list.index()];
        Shape { w: (w + 2 * FRAME).max(LEAST), h: h + 2 * FRAME + TITLE, ..Shape::default() }
    }

    /// The place of everything, from the places of the lists around it.
    fn place(mut self) -> (FunctionVersion, Boxes) {
        let tree = self.tree;
        let mut result =
            FunctionVersion { nodes: vec![PlacedBlock::default(); self.sizes.len()], ..FunctionVersion::default() };
        let root = &mut self.lists[tree.root().index()];
        (root.x, root.y) = (routes::LANES, FRAME);
        (result.width, result.height) = (root.w + 2 * routes::LANES, root.h + 2 * FRAME);
        let Shape { w, h, .. } = *root;
        self.boxes[tree.root().index()].frame = Shape { x: root.x - FRAME, y: 0, w: w + 2 * FRAME, h: h + 2 * FRAME };
        for list in tree.lists() {
            let around = self.lists[list.index()];
            let mut y = around.y;
            for &node in tree.nodes(list) {
                let size = match node {
                    Node::Block(block) => self.sizes[self.numbers[&block]],
                    Node::Construct(construct) => self.constructs[&construct],
                };
                let shape = Shape { x: around.x, y, ..size };
                match node {
                    Node::Block(block) => result.nodes[self.numbers[&block]].shape = shape,
                    Node::Construct(construct) => {
                        self.constructs.insert(construct, shape);
                        self.place_lists(construct, shape, &mut result.boxes);
                    }
                }
                y += size.h + GAP;
            }
        }
        self.place_outside(&mut result);
        (result, Boxes { lists: self.boxes, constructs: self.constructs })
    }

    /// The boxes of a construct and of its lists.
    fn place_lists(&mut self, construct: Construct, shape: Shape, boxes: &mut Vec<ConstructBox>) {
        let tree = self.tree;
        let data = tree.construct(construct);
        let opener = Inst::from(data.opener).index() as u32;
        let depth = 2 * tree.depth(data.parent) as u32;
        boxes.push(ConstructBox { kind: kind_name(data.kind).to_owned(), opener, depth, shape });
        let mut top = shape.y + FRAME + TITLE;
        let rows = self.rows(construct);
        for (number, lists) in rows.iter().enumerate() {
            let sizes: Vec<Shape> = lists.iter().map(|&list| self.framed(list)).collect();
            let bottom = top + sizes.iter().map(|size| size.h).max().unwrap_or(0);
            let row = Row { number, top, bottom, is_lowest: number + 1 == rows.len() };
            let mut x = shape.x + FRAME;
            for (index, (&list, &size)) in lists.iter().zip(&sizes).enumerate() {
                let frame = Shape { x, y: top, ..size };
                let kind = role_name(tree.owner(list)).to_owned();
                boxes.push(ConstructBox { kind, opener, depth: depth + 1, shape: frame });
                let [is_first, is_last] = [index == 0, index + 1 == lists.len()];
                self.boxes[list.index()] = ListBox { frame, row, is_first, is_last };
                let inner = &mut self.lists[list.index()];
                (inner.x, inner.y) = (x + FRAME, top + FRAME + TITLE);
                x += size.w + GAP;
            }
            top = bottom + GAP;
        }
    }

    /// Unreachable blocks are on the right, below each other.
    fn place_outside(&self, result: &mut FunctionVersion) {
        let (x, mut y) = (result.width, FRAME);
        for block in self.tree.outside() {
            let number = self.numbers[block];
            let size = self.sizes[number];
            result.nodes[number].shape = Shape { x, y, ..size };
            y += size.h + GAP;
            (result.width, result.height) = (result.width.max(x + size.w + FRAME), result.height.max(y));
        }
    }
}

/// The width of shapes beside each other.
fn width(sizes: &[Shape]) -> u32 {
    let all: u32 = sizes.iter().map(|size| size.w + GAP).sum();
    all.saturating_sub(GAP)
}

fn kind_name(kind: ConstructKind) -> &'static str {
    match kind {
        ConstructKind::If => "if",
        ConstructKind::Scope => "scope",
        ConstructKind::Exit => "exit",
        ConstructKind::Switch => "switch",
        ConstructKind::Loop => "loop",
    }
}

fn role_name(owner: Owner) -> &'static str {
    match owner {
        Owner::Function => "function",
        Owner::Construct(_, role) => match role {
            Role::Then => "then",
            Role::Else => "else",
            Role::Case(_) => "case",
            Role::Body => "body",
            Role::Continue => "continue",
            Role::Join => "join",
        },
    }
}
