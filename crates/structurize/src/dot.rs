//! Graphviz drawings: [`graph`] of the input, [`plan()`] of the result.
//!
//! In the drawing of a plan each construct is a box around its header and its contents; the merge block is outside. Dashed edges connect
//! headers with their merge blocks and continue targets. Added blocks are filled and show the name of their reason; the tooltip has the
//! whole reason.
//!
//! Linear. The text depends only on the input.

use std::fmt::Write as _;

use crate::constructs::Constructs;
use crate::input::{Branch, ControlFlow, Hints, InputBlock};
use crate::listing::Listing;
use crate::named_graph::NamedGraph;
use crate::plan::{Case, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator};

const HEAD: &str =
    "  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=9];\n";

/// The style of dashed edges.
const TIE: &str = "style=dashed, color=gray50, fontcolor=gray50, constraint=false";

/// The drawing of a graph; hints are dashed.
pub fn graph(graph: &NamedGraph) -> String {
    let mut text = format!("digraph graph_before {{\n{HEAD}");
    for block in graph.blocks() {
        let mut marks = Vec::new();
        if graph.convergence(block).is_convergent() {
            marks.push("color=blue".to_owned());
        }
        if block == graph.entry() {
            marks.push("penwidth=2".to_owned());
        }
        marks.push(format!("label={}", quoted(graph.name(block))));
        let _ = writeln!(text, "  b{} [{}];", block.index(), marks.join(", "));
    }
    for block in graph.blocks() {
        for (successor, target) in graph.successors(block).iter().enumerate() {
            let label = successor_label(graph.branch(block), successor);
            let label = if label.is_empty() { label } else { format!(" [label={}]", quoted(&label)) };
            let _ = writeln!(text, "  b{} -> b{}{label};", block.index(), target.index());
        }
        let Hints { selection_merge, repeats } = graph.hints(block);
        let of_loop = repeats.map_or([None; 2], |hint| [hint.merge, hint.continue_target]);
        let ties = [(selection_merge, "merge"), (of_loop[0], "merge"), (of_loop[1], "continue")];
        for (target, label) in ties.into_iter().filter_map(|(target, label)| target.map(|target| (target, label))) {
            let _ = writeln!(text, "  b{} -> b{} [{TIE}, label=\"{label}\"];", block.index(), target.index());
        }
    }
    text + "}\n"
}

fn successor_label(branch: Branch, successor: usize) -> String {
    match (branch, successor) {
        (Branch::Exit | Branch::Unreachable | Branch::Jump, _) => String::new(),
        (Branch::Conditional, 0) => "true".to_owned(),
        (Branch::Conditional, _) => "false".to_owned(),
        (Branch::Switch, 0) => "default".to_owned(),
        (Branch::Switch, case) => (case - 1).to_string(),
    }
}

/// The drawing of a plan. `graph` must be the graph of the plan.
pub fn plan(plan: &Plan, graph: &NamedGraph) -> String {
    let mut picture = Picture { plan, listing: Listing::new(plan, graph), graph, text: String::new() };
    let _ = write!(picture.text, "digraph plan {{\n  compound=true;\n{HEAD}");
    picture.boxes();
    (0..plan.blocks.len()).for_each(|index| picture.edges(index));
    picture.text + "}\n"
}

struct Picture<'a> {
    plan: &'a Plan,
    graph: &'a NamedGraph,
    listing: Listing<'a>,
    text: String,
}

/// The remaining work on boxes.
enum BoxWork {
    Block(PlanBlock),
    Close,
}

impl Picture<'_> {
    /// Blocks, in nested boxes.
    fn boxes(&mut self) {
        let constructs = Constructs::compute(self.plan);
        let mut inside: Vec<Vec<PlanBlock>> = vec![Vec::new(); self.plan.blocks.len()];
        let mut parts = Vec::new();
        for block in (0..self.plan.blocks.len()).rev().map(PlanBlock::new) {
            match constructs.header(block) {
                Some(header) => inside[header.index()].push(block),
                None => parts.push(BoxWork::Block(block)),
            }
        }
        let mut depth = 1;
        while let Some(part) = parts.pop() {
            let BoxWork::Block(block) = part else {
                depth -= 1;
                let _ = writeln!(self.text, "{:1$}}}", "", 2 * depth.min(40));
                continue;
            };
            let kind = match self.plan.blocks[block.index()].merge {
                Merge::None => None,
                Merge::Selection { .. } => Some("selection"),
                Merge::Loop { .. } => Some("loop"),
            };
            if let Some(kind) = kind {
                let _ = writeln!(
                    self.text,
                    "{:2$}subgraph cluster_{} {{ label=\"{kind}\"; style=rounded; color=gray50;",
                    "",
                    block.index(),
                    2 * depth.min(40)
                );
                depth += 1;
                parts.push(BoxWork::Close);
                parts.extend(std::mem::take(&mut inside[block.index()]).into_iter().map(BoxWork::Block));
            }
            self.block(block, depth);
        }
    }

    fn block(&mut self, block: PlanBlock, depth: usize) {
        let planned = &self.plan.blocks[block.index()];
        let mut label = self.listing.name(block);
        let mut marks = String::new();
        if let Origin::Added(reason) = &planned.origin {
            let _ = write!(label, "\n{}", reason.name());
            let tip = self.listing.in_names(&reason.to_string());
            let _ = write!(marks, ", style=filled, fillcolor=lightyellow, tooltip={}", quoted(&tip));
        }
        if planned.has_selector {
            label += "\nselector";
        }
        if let Origin::Input(input) = planned.origin
            && self.graph.convergence(input).is_convergent()
        {
            marks += ", color=blue";
        }
        if planned.terminator == Terminator::Unreachable {
            marks += ", fontcolor=gray50";
        }
        let _ =
            writeln!(self.text, "{:3$}p{} [label={}{marks}];", "", block.index(), quoted(&label), 2 * depth.min(40));
    }

    fn edges(&mut self, index: usize) {
        let block = &self.plan.blocks[index];
        match &block.terminator {
            Terminator::Exit | Terminator::Unreachable => {}
            Terminator::Branch(edge) => self.edge(index, edge, ""),
            Terminator::Conditional { then, otherwise, .. } => {
                self.edge(index, then, "true");
                self.edge(index, otherwise, "false");
            }
            Terminator::Switch { default, cases, .. } => {
                self.edge(index, default, "default");
                for (case, edge) in cases {
                    let label = match *case {
                        Case::Input { successor } => successor_label(Branch::Switch, successor as usize),
                        Case::Selector(number) => self.number(number),
                    };
                    self.edge(index, edge, &label);
                }
            }
        }
        let ties = match block.merge {
            Merge::None => [None, None],
            Merge::Selection { merge } => [Some((merge, "merge")), None],
            Merge::Loop { merge, continue_target } => [Some((merge, "merge")), Some((continue_target, "continue"))],
        };
        for (target, label) in ties.into_iter().flatten() {
            let _ = writeln!(self.text, "  p{index} -> p{} [{TIE}, label=\"{label}\"];", target.index());
        }
    }

    fn edge(&mut self, index: usize, edge: &Edge, label: &str) {
        let passed = match &edge.selector {
            Some(Selector::Constant(number)) => format!("({})", self.number(*number)),
            Some(Selector::Forward { .. } | Selector::Choose(_) | Selector::Translate { .. }) => "(…)".to_owned(),
            None => String::new(),
        };
        let label = format!("{label} {passed}");
        let label = label.trim();
        let label = if label.is_empty() { String::new() } else { format!(" [label={}]", quoted(label)) };
        let _ = writeln!(self.text, "  p{index} -> p{}{label};", edge.target.index());
    }

    /// The name of a selector value.
    fn number(&self, number: u32) -> String {
        match (number as usize) < self.graph.block_count() {
            true => self.graph.name(InputBlock::new(number as usize)).to_owned(),
            false => format!("@{number}"),
        }
    }
}

/// A string of Graphviz.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
