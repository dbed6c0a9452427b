//! Rows of a graph, and of the structurizer's plan for it.
//!
//! ```text
//! graph:  head of each block; `WHEN: goto NAME` for each successor
//! plan:   the same, and `WHEN: goto ADDED (next = NAME)` for an edge that leads to NAME through an added block
//! ```
//!
//! `next` is the selector: the variable that says where an added block leads. Linear in blocks and edges.

use std::collections::BTreeMap;

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
    /// When a successor is next, by its index.
    pub(crate) way: &'a dyn Fn(InputBlock, usize) -> When,
    /// The name of an added block.
    pub(crate) added: &'a dyn Fn(PlanBlock) -> String,
    /// Why it was added.
    pub(crate) why: &'a dyn Fn(PlanBlock) -> String,
}

/// When a successor is next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// In words: `if true`; empty for always.
    Words(String),
    /// For this value of a switch.
    Value(usize),
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

/// An edge to a block.
struct Way {
    when: When,
    /// The name of the block, and the value of the selector.
    to: String,
    /// The place of the block.
    target: usize,
}

/// The most values of a row; of more, the first ones and the last.
const VALUES: usize = 4;

/// The number of edges from which on a row has several, and the most characters of these rows.
const PACKED: usize = 12;
const CHARACTERS: usize = 100;

fn count_distinct(mut targets: Vec<usize>) -> usize {
    targets.sort_unstable();
    targets.dedup();
    targets.len()
}

impl Drawing<'_> {
    /// The blocks and the edges of the picture of a graph, at least: cases from one block to one target are one edge.
    pub(crate) fn count_before(graph: &NamedGraph) -> usize {
        let of_block = |index| {
            1 + count_distinct(graph.successors(InputBlock::new(index)).iter().map(|next| next.index()).collect())
        };
        (0..graph.block_count()).map(of_block).sum()
    }

    /// The blocks and the edges of the picture of a plan, at least.
    pub(crate) fn count_after(plan: &Plan) -> usize {
        let of_block =
            |block: &Block| 1 + count_distinct(block.terminator.edges().map(|edge| edge.target.index()).collect());
        plan.blocks.iter().map(of_block).sum()
    }

    /// The graph as it was read.
    pub(crate) fn before(&self) -> Vec<Row> {
        let blocks = (0..self.graph.block_count()).map(InputBlock::new).map(|block| {
            let ways = self.graph.successors(block).iter().enumerate();
            let ways = ways.map(|(way, &next)| Way {
                when: (self.words.way)(block, way),
                to: (self.words.name)(next),
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
    fn ways(&self, plan: &Plan, when: &When, edge: &Edge) -> Vec<Way> {
        let (target, name) = (edge.target.index(), self.name_after(plan, edge.target));
        if edge.carries.is_empty() {
            return vec![Way { when: when.clone(), to: name, target }];
        }
        let carried = edge.carries.iter().map(|&Carried { source, successor }| {
            let next = self.graph.successors(source)[successor as usize];
            let is_direct = plan.blocks[target].origin == Origin::Input(next);
            let to = if is_direct { name.clone() } else { format!("{name} (next = {})", (self.words.name)(next)) };
            Way { when: (self.words.way)(source, successor as usize), to, target }
        });
        carried.collect()
    }

    /// The edges of a block of a plan, and when each is taken.
    fn choices<'p>(&self, plan: &Plan, block: &'p Block) -> Vec<(When, &'p Edge)> {
        let words = |text: &str| When::Words(text.to_owned());
        let is_next = |number: u32, edge: &Edge| {
            let is_block = (number as usize) < self.graph.block_count();
            let named = || (self.words.name)(InputBlock::new(number as usize));
            words(&format!("if next is {}", if is_block { named() } else { self.name_after(plan, edge.target) }))
        };
        match &block.terminator {
            Terminator::Exit | Terminator::Unreachable => Vec::new(),
            Terminator::Branch(edge) => vec![(words(""), edge)],
            Terminator::Conditional { test, then, otherwise } => {
                let [first, second] = match *test {
                    Test::Input(of) => [0, 1].map(|way| (self.words.way)(of, way)),
                    Test::Selector { equals, .. } => [is_next(equals, then), words("else")],
                    Test::SelectorValue { .. } | Test::Zero => [words(""), words("else")],
                };
                vec![(first, then), (second, otherwise)]
            }
            Terminator::Switch { test, default, cases } => {
                let of_input = |way: usize| match *test {
                    Test::Input(of) => (self.words.way)(of, way),
                    _ => words("else"),
                };
                let of_case = |(case, edge): &'p (Case, Edge)| match *case {
                    Case::Input { successor } => (of_input(successor as usize), edge),
                    Case::Selector(number) => (is_next(number, edge), edge),
                };
                let first = if cases.is_empty() { words("") } else { of_input(0) };
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

/// Rows of a block: when, and where to, with the places of the targets.
fn gone_to(ways: &[Way]) -> Vec<(String, Vec<usize>)> {
    let mut shared: Vec<(&Way, Vec<usize>)> = Vec::new();
    let mut places: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for way in ways {
        let When::Value(value) = way.when else {
            shared.push((way, Vec::new()));
            continue;
        };
        let place = *places.entry((way.target, &way.to)).or_insert(shared.len());
        if place == shared.len() {
            shared.push((way, Vec::new()));
        }
        shared[place].1.push(value);
    }
    let mut rows: Vec<(String, Vec<usize>)> = Vec::new();
    for (way, values) in &shared {
        let text = goes(&way.when, values, &way.to);
        match rows.last_mut() {
            Some((row, targets))
                if shared.len() > PACKED && row.chars().count() + text.chars().count() < CHARACTERS =>
            {
                *row = format!("{row}; {text}");
                targets.extend((!targets.contains(&way.target)).then_some(way.target));
            }
            _ => rows.push((text, vec![way.target])),
        }
    }
    rows
}

fn goes(when: &When, values: &[usize], name: &str) -> String {
    let when = match when {
        When::Words(words) if words.is_empty() => return format!("goto {name}"),
        When::Words(words) => words.clone(),
        When::Value(_) => cases(values),
    };
    format!("{when}: goto {name}")
}

/// The values of a switch: `cases 1, 2, 5 … 499 (500 values)`.
fn cases(values: &[usize]) -> String {
    let list = |values: &[usize]| values.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match values {
        [value] => format!("case {value}"),
        [first @ .., last] if first.len() >= VALUES => {
            format!("cases {} … {last} ({} values)", list(&first[..VALUES - 1]), values.len())
        }
        _ => format!("cases {}", list(values)),
    }
}

/// The rows of blocks. What comes after a name begins after the longest name.
fn rows(blocks: &[Drawn]) -> Vec<Row> {
    let width = blocks.iter().map(|block| block.name.chars().count()).max().unwrap_or(0);
    let ways: Vec<Vec<(String, Vec<usize>)>> = blocks.iter().map(|block| gone_to(&block.ways)).collect();
    let mut starts = Vec::with_capacity(blocks.len());
    let mut count = 0;
    for ways in &ways {
        starts.push(count);
        count += 1 + ways.len();
    }
    let mut rows = Vec::with_capacity(count);
    for (block, ways) in blocks.iter().zip(ways) {
        let row = |text: String, targets| Row { text, targets, is_added: block.is_added };
        rows.push(row(format!("{:width$} {}", block.name, block.does).trim_end().to_owned(), Vec::new()));
        for (text, targets) in ways {
            let targets = targets.into_iter().map(|target| starts[target]).collect();
            rows.push(row(format!("{:width$} {text}", ""), targets));
        }
    }
    rows
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
            way: &|block, way| When::Words(format!("{} {way}", graph.name(block))),
            added: &|block| format!("#{}", block.index()),
            why: &|_| String::new(),
        };
        let rows = Drawing { graph: &graph, words }.after(&plan);
        // Conditions in words have an edge each.
        assert!(rows.len() >= Drawing::count_after(&plan));
        rows.into_iter().filter(|row| !row.is_head()).map(|row| row.text.trim().to_owned()).collect()
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

    /// The rows of a switch, whose values lead to so many blocks in turn.
    fn switch(values: usize, targets: usize) -> Vec<Row> {
        let cases: Vec<String> = (0..values).map(|value| format!("t{}", value % targets)).collect();
        let blocks: Vec<String> = (0..targets).map(|target| format!(" | t{target} br d")).collect();
        let text = format!("s switch d {}{} | d ret", cases.join(" "), blocks.concat());
        let graph = text::parse(&text).expect("the graph is valid");
        let way = |_, way| if way == 0 { When::Words("default".to_owned()) } else { When::Value(way - 1) };
        let words = Words {
            name: &|block| graph.name(block).to_owned(),
            does: &|_| String::new(),
            way: &way,
            added: &|_| String::new(),
            why: &|_| String::new(),
        };
        Drawing { graph: &graph, words }.before()
    }

    #[test]
    fn cases_with_the_same_target_are_one_edge() {
        let texts: Vec<String> = switch(500, 3).iter().map(|row| row.text.trim().to_owned()).collect();
        let expected = [
            "s",
            "default: goto d",
            "cases 0, 3, 6 … 498 (167 values): goto t0",
            "cases 1, 4, 7 … 499 (167 values): goto t1",
            "cases 2, 5, 8 … 497 (166 values): goto t2",
        ];
        assert_eq!(texts[..5], expected);
        let few = switch(4, 2);
        assert!(few[2].text.ends_with("cases 0, 2: goto t0") && few[2].targets.len() == 1, "{few:?}");
    }

    /// Each of many targets is named with its value, and reached from the row that names it.
    #[test]
    fn many_targets_share_rows() {
        let rows = switch(500, 500);
        let ways: Vec<&Row> = rows.iter().skip(1).take_while(|row| !row.is_head()).collect();
        assert!(ways.len() < 130, "{}", ways.len());
        for row in ways {
            let named = row.text.trim().split("; ").map(|way| way.rsplit(' ').next().unwrap());
            let reached = row.targets.iter().map(|&target| rows[target].text.as_str());
            assert!(named.eq(reached), "{row:?}");
        }
    }
}
