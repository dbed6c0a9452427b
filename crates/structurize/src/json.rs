//! Graphs and plans as JSON (feature `json`): [`Document`].
//!
//! ```text
//! {
//!   "format": 1,
//!   "graph": {
//!     "entry": 0,
//!     "blocks": [
//!       {"name":"a","branch":"conditional","successors":[1,2],"convergent":false,"weight":1,"hints":null},
//!       …
//!     ]
//!   },
//!   "plan": { "nesting_depth": 1, "fell_back": null, "assumptions": [ … ], "blocks": [ … ] }
//! }
//! ```
//!
//! One block per line, keys always in this order, so that two documents can be compared line by line. Blocks are numbers: indices into the
//! graph's or the plan's list of blocks. `docs/graph.md` describes each key, and so does the type of that name: [`Plan`] and its parts are
//! serialized as they are.
//!
//! Optional keys: `name` (default: `b` and the number), `branch` (default: by the number of successors), and everything after `successors`.
//! Unknown keys are rejected, because a misspelt one would be ignored silently.
//!
//! ```
//! use reconverge_structurize::json::Document;
//! use reconverge_structurize::{Options, structurize};
//!
//! let text = r#"{ "format": 1, "graph": { "blocks": [
//!     {"successors": [1, 2]}, {"successors": [2]}, {"successors": []}
//! ] } }"#;
//! let graph = Document::from_json(text)?.graph.expect("it has a graph");
//! let plan = structurize(&graph, &Options::default()).expect("three blocks are within the limits");
//! let document = Document { graph: Some(graph), plan: Some(plan) };
//! assert_eq!(Document::from_json(&document.to_json())?, document);
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```

use reconverge_diagnostic::{Diagnostic, Place};

use serde::{Deserialize, Serialize};

use crate::DocumentCode;
use crate::input::{Branch, ControlFlow, Convergence, Hints, InputBlock};
use crate::named_graph::NamedGraph;
use crate::plan::{Block, Origin, Plan};
use crate::reason::{Assumption, Fallback};

/// The version of the form. It increases when readers of the previous version would misread it.
pub const FORMAT: u32 = 1;

/// The contents of a JSON document.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// The graph.
    pub graph: Option<NamedGraph>,
    /// The plan for it.
    pub plan: Option<Plan>,
}

impl Document {
    /// Writes the document, with a final newline. Linear.
    pub fn to_json(&self) -> String {
        let mut parts = vec![format!("  \"format\": {FORMAT}")];
        if let Some(graph) = &self.graph {
            let rows = graph.blocks().map(|block| line(&GraphRow::of(graph, block)));
            let entry = graph.entry().index();
            parts.push(format!("  \"graph\": {{\n    \"entry\": {entry},\n    \"blocks\": {}\n  }}", list(rows)));
        }
        if let Some(plan) = &self.plan {
            parts.push(format!(
                "  \"plan\": {{\n    \"nesting_depth\": {},\n    \"fell_back\": {},\n    \"assumptions\": {},\n    \"blocks\": {}\n  }}",
                plan.nesting_depth,
                line(&plan.fell_back),
                list(plan.assumptions.iter().map(line)),
                list(plan.blocks.iter().map(line)),
            ));
        }
        format!("{{\n{}\n}}\n", parts.join(",\n"))
    }

    /// Reads a document, with or without a byte order mark. Linear. A document of another format version is reported as such, whatever else
    /// it contains.
    ///
    /// # Errors
    /// The first error. A returned graph can be structurized, and a returned plan is consistent ([`Plan::check`]).
    pub fn from_json(text: &str) -> Result<Document, Diagnostic> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let said: DocumentSaid = serde_json::from_str(text).map_err(|error| match serde_json::from_str(text) {
            Ok(FormatSaid { format: found }) if found != FORMAT => of_another_format(found),
            _ => {
                let place = if error.line() > 0 { Place::Line(error.line(), error.column()) } else { Place::Whole };
                Diagnostic::new(DocumentCode::Syntax, place, without_place(&error.to_string()))
            }
        })?;
        if said.format != FORMAT {
            return Err(of_another_format(said.format));
        }
        let graph = said.graph.map(GraphSaid::into_graph).transpose()?;
        let plan = said.plan.map(PlanSaid::into_plan);
        if let Some(plan) = &plan {
            plan.check()?;
        }
        match (&graph, &plan) {
            (Some(graph), Some(plan)) if !is_of(plan, graph) => {
                let message = "the plan names blocks or edges that the graph does not have";
                Err(Diagnostic::new(DocumentCode::Mismatch, Place::Whole, message))
            }
            _ => Ok(Document { graph, plan }),
        }
    }
}

fn of_another_format(found: u32) -> Diagnostic {
    let message = format!("the document says format {found}; this version reads format {FORMAT}");
    Diagnostic::new(DocumentCode::Format, Place::Whole, message)
}

/// Returns whether a plan names only blocks and edges that a graph has.
fn is_of(plan: &Plan, graph: &NamedGraph) -> bool {
    let is_block = |block: InputBlock| block.index() < graph.block_count();
    plan.blocks.iter().all(|block| {
        matches!(block.origin, Origin::Added(_)) || matches!(block.origin, Origin::Input(input) if is_block(input))
    }) && plan.blocks.iter().flat_map(|block| block.terminator.edges()).flat_map(|edge| &edge.carries).all(|carried| {
        is_block(carried.source) && (carried.successor as usize) < graph.successors(carried.source).len()
    })
}

/// The error's text without the place, which is separate.
fn without_place(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(said, _)| said).to_owned()
}

/// One value on one line.
fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: numbers, strings and lists can always be written")
}

/// A list with a line for each row.
fn list(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.map(|row| format!("      {row}")).collect();
    if rows.is_empty() { "[]".to_owned() } else { format!("[\n{}\n    ]", rows.join(",\n")) }
}

/// The version, which every format has in the same place.
#[derive(Deserialize)]
struct FormatSaid {
    format: u32,
}

/// A document in its serialized form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentSaid {
    format: u32,
    graph: Option<GraphSaid>,
    plan: Option<PlanSaid>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GraphSaid {
    #[serde(default)]
    entry: u32,
    blocks: Vec<GraphRow>,
}

/// A block of a graph in its serialized form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GraphRow {
    name: Option<String>,
    branch: Option<Branch>,
    successors: Vec<InputBlock>,
    #[serde(default)]
    convergent: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    quad: bool,
    #[serde(default = "one")]
    weight: u32,
    hints: Option<Hints>,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl GraphRow {
    fn of(graph: &NamedGraph, block: InputBlock) -> GraphRow {
        GraphRow {
            name: Some(graph.name(block).to_owned()),
            branch: Some(graph.branch(block)),
            successors: graph.successors(block).to_vec(),
            convergent: graph.convergence(block) == Convergence::Lanes,
            quad: graph.convergence(block) == Convergence::Quad,
            weight: graph.weight(block),
            hints: Some(graph.hints(block)).filter(|hints| *hints != Hints::default()),
        }
    }

    /// The kind of the terminator: the given one, else by the number of successors.
    fn branch(&self) -> Branch {
        self.branch.unwrap_or(match self.successors.len() {
            0 => Branch::Exit,
            1 => Branch::Jump,
            2 => Branch::Conditional,
            _ => Branch::Switch,
        })
    }
}

impl GraphSaid {
    fn into_graph(self) -> Result<NamedGraph, Diagnostic> {
        let mut graph = NamedGraph::default();
        for (index, row) in self.blocks.iter().enumerate() {
            let name = row.name.clone().unwrap_or_else(|| format!("b{index}"));
            let block = graph.add_block(&name, row.branch(), &row.successors);
            graph.set_convergence(
                block,
                match row {
                    GraphRow { convergent: true, .. } => Convergence::Lanes,
                    GraphRow { quad: true, .. } => Convergence::Quad,
                    _ => Convergence::None,
                },
            );
            graph.set_weight(block, row.weight);
            graph.set_hints(block, row.hints.unwrap_or_default());
        }
        graph.set_entry(InputBlock::new(self.entry as usize));
        graph.check()?;
        Ok(graph)
    }
}

/// A plan in its serialized form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanSaid {
    nesting_depth: u32,
    fell_back: Option<Fallback>,
    #[serde(default)]
    assumptions: Vec<Assumption>,
    blocks: Vec<Block>,
}

impl PlanSaid {
    fn into_plan(self) -> Plan {
        let PlanSaid { nesting_depth, fell_back, assumptions, blocks } = self;
        Plan { blocks, nesting_depth, fell_back, assumptions }
    }
}
