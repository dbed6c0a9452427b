//! Rows of a graph, and of the structurizer's plan for it.
//!
//! ```text
//! graph:  head of each block; `WHEN: goto NAME` for each successor
//! plan:   the same, and `WHEN: goto ADDED (next = NAME)` for an edge that leads to NAME through an added block
//! ```
//!
//! `next` is the selector: the variable that says where an added block leads. Linear in blocks and edges.

use reconverge::structurize::{
    Block, Branch, Carried, Case, ControlFlow, Edge, InputBlock, NamedGraph, Origin, Plan, PlanBlock, Terminator, Test,
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

/// A graph, with words for it.
pub(crate) struct Drawing<'a> {
    pub(crate) graph: &'a NamedGraph,
    pub(crate) words: Words<'a>,
}

/// A block with the edges that leave it.
struct Drawn {
    name: String,
    does: String,
    ways: Vec<Way>,
    is_added: bool,
}

/// An edge to a block, by its place.
struct Way {
    text: String,
    target: usize,
}

impl Drawing<'_> {
    /// The number of rows of the graph.
    pub(crate) fn count_before(graph: &NamedGraph) -> usize {
        let of_block = |index| 1 + graph.successors(InputBlock::new(index)).len();
        (0..graph.block_count()).map(of_block).sum()
    }

    /// The number of rows of a plan.
    pub(crate) fn count_after(plan: &Plan) -> usize {
        let of_block =
            |block: &Block| 1 + block.terminator.edges().map(|edge| edge.carries.len().max(1)).sum::<usize>();
        plan.blocks.iter().map(of_block).sum()
    }

    /// The graph as it was read.
    pub(crate) fn before(&self) -> Vec<Row> {
        let blocks = (0..self.graph.block_count()).map(InputBlock::new).map(|block| {
            let ways = self.graph.successors(block).iter().enumerate();
            let ways = ways.map(|(way, &next)| Way {
                text: goes(&(self.words.way)(block, way), &(self.words.name)(next)),
                target: next.index(),
            });
            self.drawn(block, ways.collect())
        });
        rows(&blocks.collect::<Vec<_>>())
    }

    /// A plan for the graph.
    pub(crate) fn after(&self, plan: &Plan) -> Vec<Row> {
        let blocks = plan.blocks.iter().enumerate().map(|(index, block)| {
            let ways = self.choices(plan, block).into_iter();
            let ways = ways.flat_map(|(when, edge)| self.ways(plan, &when, edge)).collect();
            let place = PlanBlock::new(index);
            match &block.origin {
                Origin::Input(input) => self.drawn(*input, ways),
                Origin::Added(_) => Drawn {
                    name: (self.words.added)(place),
                    does: format!("{}   ◀ added", (self.words.why)(place)),
                    ways,
                    is_added: true,
                },
            }
        });
        rows(&blocks.collect::<Vec<_>>())
    }

    fn drawn(&self, block: InputBlock, ways: Vec<Way>) -> Drawn {
        let is_unreachable = self.graph.branch(block) == Branch::Unreachable;
        let does = if is_unreachable { "unreachable".to_owned() } else { (self.words.does)(block) };
        Drawn { name: (self.words.name)(block), does, ways, is_added: false }
    }

    /// The ways along an edge of a plan: one for each edge of the graph that begins with it; one that says `when` if it only leads on.
    fn ways(&self, plan: &Plan, when: &str, edge: &Edge) -> Vec<Way> {
        let (target, name) = (edge.target.index(), self.name_after(plan, edge.target));
        if edge.carries.is_empty() {
            return vec![Way { text: goes(when, &name), target }];
        }
        let carried = edge.carries.iter().map(|&Carried { source, successor }| {
            let next = self.graph.successors(source)[successor as usize];
            let is_direct = plan.blocks[target].origin == Origin::Input(next);
            let to = if is_direct { name.clone() } else { format!("{name} (next = {})", (self.words.name)(next)) };
            Way { text: goes(&(self.words.way)(source, successor as usize), &to), target }
        });
        carried.collect()
    }

    /// The edges of a block of a plan, and when each is taken.
    fn choices<'p>(&self, plan: &Plan, block: &'p Block) -> Vec<(String, &'p Edge)> {
        let is_next = |number: u32, edge: &Edge| {
            let is_block = (number as usize) < self.graph.block_count();
            let named = || (self.words.name)(InputBlock::new(number as usize));
            format!("if next is {}", if is_block { named() } else { self.name_after(plan, edge.target) })
        };
        match &block.terminator {
            Terminator::Exit | Terminator::Unreachable => Vec::new(),
            Terminator::Branch(edge) => vec![(String::new(), edge)],
            Terminator::Conditional { test, then, otherwise } => {
                let [first, second] = match *test {
                    Test::Input(of) => [0, 1].map(|way| (self.words.way)(of, way)),
                    Test::Selector { equals, .. } => [is_next(equals, then), "else".to_owned()],
                    Test::SelectorValue { .. } | Test::Zero => [String::new(), "else".to_owned()],
                };
                vec![(first, then), (second, otherwise)]
            }
            Terminator::Switch { test, default, cases } => {
                let of_input = |way: usize| match *test {
                    Test::Input(of) => (self.words.way)(of, way),
                    _ => "else".to_owned(),
                };
                let of_case = |(case, edge): &'p (Case, Edge)| match *case {
                    Case::Input { successor } => (of_input(successor as usize), edge),
                    Case::Selector(number) => (is_next(number, edge), edge),
                };
                let first = if cases.is_empty() { String::new() } else { of_input(0) };
                std::iter::once((first, default)).chain(cases.iter().map(of_case)).collect()
            }
        }
    }

    fn name_after(&self, plan: &Plan, block: PlanBlock) -> String {
        match plan.blocks[block.index()].origin {
            Origin::Input(input) => (self.words.name)(input),
            Origin::Added(_) => (self.words.added)(block),
        }
    }
}

fn goes(when: &str, name: &str) -> String {
    if when.is_empty() { format!("goto {name}") } else { format!("{when}: goto {name}") }
}

/// The rows of blocks. What comes after a name begins after the longest name.
fn rows(blocks: &[Drawn]) -> Vec<Row> {
    let width = blocks.iter().map(|block| block.name.chars().count()).max().unwrap_or(0);
    let mut starts = Vec::with_capacity(blocks.len());
    let mut count = 0;
    for block in blocks {
        starts.push(count);
        count += 1 + block.ways.len();
    }
    let of_block = |block: &Drawn| {
        let row = |text: String, target| Row { text, target, is_added: block.is_added };
        let head = format!("{:width$} {}", block.name, block.does).trim_end().to_owned();
        let ways = block.ways.iter().map(|way| row(format!("{:width$} {}", "", way.text), Some(starts[way.target])));
        std::iter::once(row(head, None)).chain(ways).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(of_block).collect()
}

#[cfg(test)]
mod tests {
    use reconverge::structurize::{Options, structurize, text};

    use super::*;

    fn after(graph: &str) -> Vec<String> {
        let graph = text::parse(graph).expect("the graph is valid");
        let plan = structurize(&graph, &Options::default()).expect("it is small");
        let words = Words {
            name: &|block| graph.name(block).to_owned(),
            does: &|_| String::new(),
            way: &|block, way| format!("{} {way}", graph.name(block)),
            added: &|block| format!("#{}", block.index()),
            why: &|_| String::new(),
        };
        let rows = Drawing { graph: &graph, words }.after(&plan);
        assert_eq!(rows.len(), Drawing::count_after(&plan));
        rows.into_iter().filter(|row| row.target.is_some()).map(|row| row.text.trim().to_owned()).collect()
    }

    /// Each edge of the graph is in the picture once, with its own condition, also where an added block stands in for its source.
    #[test]
    fn each_edge_of_the_graph_is_drawn_once() {
        let drawn = after("b0 switch b1 b0 b2 b2 | b1 ret | b2 switch b2 b0 b2");
        for (edge, next) in [
            ("b0 0", "b1"),
            ("b0 1", "b0"),
            ("b0 2", "b2"),
            ("b0 3", "b2"),
            ("b2 0", "b2"),
            ("b2 1", "b0"),
            ("b2 2", "b2"),
        ] {
            let of_edge: Vec<&String> = drawn.iter().filter(|row| row.starts_with(&format!("{edge}: "))).collect();
            assert_eq!(of_edge.len(), 1, "{edge}: {drawn:?}");
            let leads =
                |text: &str| text.ends_with(&format!("goto {next}")) || text.ends_with(&format!("(next = {next})"));
            assert!(leads(of_edge[0]), "{edge} leads to {next}: {drawn:?}");
        }
    }
}
