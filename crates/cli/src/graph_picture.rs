//! A graph as pictures: before structurizing and after.

use reconverge::structurize::{Branch, ControlFlow, InputBlock, Listing, NamedGraph, Origin, Plan, PlanBlock};

use crate::arcs::{Drawing, Picture, Words};

/// The pictures of a graph and of the plan for it.
pub(crate) fn pictures(graph: &NamedGraph, plan: &Plan) -> [Picture; 2] {
    let listing = Listing::new(plan, graph);
    let why = |block: PlanBlock| match &plan.blocks[block.index()].origin {
        Origin::Added(reason) => reason.name().to_owned(),
        Origin::Input(_) => String::new(),
    };
    let words = Words {
        name: &|block| graph.name(block).to_owned(),
        does: &|_| String::new(),
        way: &|block, way| when(graph, block, way),
        added: &|block| listing.name(block),
        why: &why,
    };
    let drawing = Drawing { graph, plan, words };
    let picture = |title: &str, rows| Picture { title: title.to_owned(), rows };
    [picture("before", drawing.before()), picture("after", drawing.after())]
}

/// When a successor is next.
fn when(graph: &NamedGraph, block: InputBlock, way: usize) -> String {
    match (graph.branch(block), way) {
        (Branch::Conditional, 0) => "if true".to_owned(),
        (Branch::Conditional, _) => "if false".to_owned(),
        (Branch::Switch, 0) => "default".to_owned(),
        // The first case is successor 1 and is taken for value 0.
        (Branch::Switch, way) => format!("case {}", way - 1),
        _ => String::new(),
    }
}
