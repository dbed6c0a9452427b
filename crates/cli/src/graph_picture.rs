//! A graph as pictures: before structurizing and after.

use reconverge::structurize::{Branch, ControlFlow, InputBlock, Listing, NamedGraph, Origin, Plan, PlanBlock};

use crate::arcs::{Drawing, Picture, When, Words};

/// The blocks and edges of the larger picture. O(n log n).
pub(crate) fn count_rows(graph: &NamedGraph, plan: &Plan) -> usize {
    Drawing::count_before(graph).max(Drawing::count_after(plan))
}

/// The pictures of a graph as it was read, and of the plan for it. `planned` is the graph with copies of blocks.
pub(crate) fn pictures(graph: &NamedGraph, planned: &NamedGraph, plan: &Plan) -> [Picture; 2] {
    let listing = Listing::new(plan, planned);
    let picture = |title: &str, rows| Picture { title: title.to_owned(), rows };
    let why = |block: PlanBlock| match &plan.blocks[block.index()].origin {
        Origin::Added(reason) => reason.name().to_owned(),
        Origin::Input(_) => String::new(),
    };
    let rows = |graph: &NamedGraph, plan: Option<&Plan>| {
        let words = Words {
            name: &|block| graph.name(block).to_owned(),
            does: &|_| String::new(),
            way: &|block, way| when(graph, block, way),
            added: &|block| listing.name(block),
            why: &why,
        };
        let drawing = Drawing { graph, words };
        plan.map_or_else(|| drawing.before(), |plan| drawing.after(plan))
    };
    [picture("before", rows(graph, None)), picture("after", rows(planned, Some(plan)))]
}

/// When a successor is next.
fn when(graph: &NamedGraph, block: InputBlock, way: usize) -> When {
    let words = match (graph.branch(block), way) {
        (Branch::Conditional, 0) => "if true",
        (Branch::Conditional, _) => "if false",
        (Branch::Switch, 0) => "default",
        // The first case is successor 1 and is taken for value 0.
        (Branch::Switch, way) => return When::Value(way - 1),
        _ => "",
    };
    When::Words(words.to_owned())
}
