//! Rows of a graph, and of the structurizer's plan for it.
//!
//! ```text
//! graph:  head of each block; `WHEN: goto NAME` for each successor
//! plan:   the same, and `WHEN: next = NAME; goto ADDED` for an edge that leads to NAME through an added block
//! ```
//!
//! `next` is the selector: the variable that says where an added block leads. Linear in blocks and edges.

use reconverge::structurize::{
    Block, Branch, Carried, ControlFlow, Edge, InputBlock, NamedGraph, Origin, Plan, PlanBlock, Terminator, Test,
};

use super::Row;

/// The words for what is not in a graph.
pub(crate) struct Words<'a> {
    /// The name of a block.
    pub(crate) name: &'a dyn Fn(InputBlock) -> String,
    /// What a block does; empty if it is not known.
    pub(crate) does: &'a dyn Fn(InputBlock) -> String,
    /// When a successor is next, by its index: `if true`.
    pub(crate) way: &'a dyn Fn(InputBlock, usize) -> String,
    /// The name of an added block.
    pub(crate) added: &'a dyn Fn(PlanBlock) -> String,
    /// Why it was added.
    pub(crate) why: &'a dyn Fn(PlanBlock) -> String,
}

/// A graph with its plan.
pub(crate) struct Drawing<'a> {
    pub(crate) graph: &'a NamedGraph,
    pub(crate) plan: &'a Plan,
    pub(crate) words: Words<'a>,
}

/// A block with the edges that leave it.
struct Drawn {
    head: String,
    ways: Vec<Way>,
    is_added: bool,
}

/// An edge to a block, by its place.
struct Way {
    text: String,
    target: usize,
}

impl Drawing<'_> {
    /// The graph as it was read.
    pub(crate) fn before(&self) -> Vec<Row> {
        let blocks = (0..self.graph.block_count()).map(InputBlock::new).map(|block| {
            let ways = self.graph.successors(block).iter().enumerate();
            let ways = ways
                .map(|(way, &next)| self.way(&(self.words.way)(block, way), &(self.words.name)(next), next.index()));
            Drawn { head: self.head(block), ways: ways.collect(), is_added: false }
        });
        rows(&blocks.collect::<Vec<_>>(), self.width())
    }

    /// The plan.
    pub(crate) fn after(&self) -> Vec<Row> {
        let blocks = self.plan.blocks.iter().enumerate().map(|(index, block)| {
            let place = PlanBlock::new(index);
            let (head, is_added) = match &block.origin {
                Origin::Input(input) => (self.head(*input), false),
                Origin::Added(_) => {
                    (self.titled(&(self.words.added)(place), &format!("{}   ◀ added", (self.words.why)(place))), true)
                }
            };
            let ways = block.terminator.edges().enumerate().flat_map(|(way, edge)| self.ways(block, way, edge));
            Drawn { head, ways: ways.collect(), is_added }
        });
        rows(&blocks.collect::<Vec<_>>(), self.width())
    }

    /// The ways along an edge of a block of the plan: one for each edge of the graph that it carries, or one.
    fn ways(&self, block: &Block, index: usize, edge: &Edge) -> Vec<Way> {
        let (target, name) = (edge.target.index(), self.name_after(edge.target));
        if edge.carries.is_empty() || matches!(block.origin, Origin::Added(_)) {
            return vec![self.way(&self.choice(block, index, &name), &name, target)];
        }
        let carried = edge.carries.iter().map(|&Carried { source, successor }| {
            let when = (self.words.way)(source, successor as usize);
            let next = self.graph.successors(source)[successor as usize];
            let is_direct = self.plan.blocks[target].origin == Origin::Input(next);
            let goes = if is_direct { name.clone() } else { format!("{name} (next = {})", (self.words.name)(next)) };
            self.way(&when, &goes, target)
        });
        carried.collect()
    }

    /// When an added block takes an edge: by the selector, or by the condition of the block that it stands in for.
    fn choice(&self, block: &Block, index: usize, name: &str) -> String {
        match (&block.terminator, index) {
            (Terminator::Conditional { test: Test::Input(of), .. }, way) => (self.words.way)(*of, way),
            (Terminator::Conditional { .. }, 0) => format!("if next is {name}"),
            (Terminator::Conditional { .. }, _) | (Terminator::Switch { .. }, 0) => "else".to_owned(),
            (Terminator::Switch { test: Test::Input(of), .. }, way) => (self.words.way)(*of, way),
            (Terminator::Switch { .. }, _) => format!("if next is {name}"),
            _ => String::new(),
        }
    }

    fn way(&self, when: &str, name: &str, target: usize) -> Way {
        let goes = format!("goto {name}");
        Way { text: if when.is_empty() { goes } else { format!("{when}: {goes}") }, target }
    }

    fn name_after(&self, block: PlanBlock) -> String {
        match self.plan.blocks[block.index()].origin {
            Origin::Input(input) => (self.words.name)(input),
            Origin::Added(_) => (self.words.added)(block),
        }
    }

    fn head(&self, block: InputBlock) -> String {
        let does = (self.words.does)(block);
        let ends = if self.graph.branch(block) == Branch::Unreachable { "unreachable" } else { &does };
        self.titled(&(self.words.name)(block), ends)
    }

    fn titled(&self, name: &str, does: &str) -> String {
        format!("{name:<width$} {does}", width = self.width()).trim_end().to_owned()
    }

    /// The width of the longest name.
    fn width(&self) -> usize {
        let of_blocks = (0..self.graph.block_count()).map(|index| (self.words.name)(InputBlock::new(index)));
        let of_added = (0..self.plan.blocks.len()).map(|index| self.name_after(PlanBlock::new(index)));
        of_blocks.chain(of_added).map(|name| name.chars().count()).max().unwrap_or(0)
    }
}

/// The rows of blocks. What comes after a name begins after `width` characters.
fn rows(blocks: &[Drawn], width: usize) -> Vec<Row> {
    let mut starts = Vec::with_capacity(blocks.len());
    let mut count = 0;
    for block in blocks {
        starts.push(count);
        count += 1 + block.ways.len();
    }
    let of_block = |block: &Drawn| {
        let row = |text: String, target| Row { text, target, is_added: block.is_added };
        let head = row(block.head.clone(), None);
        let ways = block.ways.iter().map(|way| row(format!("{:width$} {}", "", way.text), Some(starts[way.target])));
        std::iter::once(head).chain(ways).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(of_block).collect()
}
