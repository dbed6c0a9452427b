//! Selects, among the parameters that stores require, those that a load requires too.
//!
//! ```text
//! ^h(%v) ─▶ ^m(%v) ─▶ load %v           both are needed: the load reads the second, which is passed the first
//!    └────▶ ^x(%v) ─▶ return            this one is not
//! ```
//!
//! A walk down the dominator tree knows which parameter a variable holds, as the renaming will: a load needs the one that it meets,
//! and an edge passes it to the parameter at its end. Then need goes backward from parameter to parameter (marking, as for dead code:
//! Cytron, Ferrante, Rosen, Wegman, Zadeck 1991, section 7.1). What is left is what the variable's live range would have left: from a
//! block where it is live a way leads to a load, and each parameter on that way passes the value on.
//!
//! Linear in the function, the candidates and the edges that enter them, however long the variables live.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{Grouped, Node};
use reconverge_ir::{Module, Op};

use super::accesses::Accesses;
use super::walk::{Held, Step};

/// Whether each of some candidates is needed. Each variable has all its candidates among them, or none.
pub(super) fn are_needed(
    module: &Module,
    flow: &FlowGraph,
    steps: &[Step],
    accesses: &Accesses,
    places: &[Candidate],
) -> Vec<bool> {
    if places.is_empty() {
        return Vec::new();
    }
    let mut open = vec![false; accesses.written.len()];
    places.iter().for_each(|place| open[place.variable] = true);
    Pruning::new(flow, places, open).run(module, steps, accesses)
}

/// A candidate: a block, and the variable that it may get a parameter for.
pub(super) struct Candidate {
    pub(super) node: Node,
    pub(super) variable: usize,
}

/// The walk that knows which candidate each variable holds.
struct Pruning<'a> {
    flow: &'a FlowGraph,
    places: &'a [Candidate],
    /// The candidates of each block.
    at: Grouped<u32>,
    /// Whether a variable has candidates.
    open: Vec<bool>,
    held: Held<Option<u32>>,
    /// Candidates that are passed another: to which, and which.
    passed: Vec<(u32, u32)>,
    needed: Vec<bool>,
    pending: Vec<u32>,
}

impl<'a> Pruning<'a> {
    fn new(flow: &'a FlowGraph, places: &'a [Candidate], open: Vec<bool>) -> Pruning<'a> {
        let at = places.iter().zip(0..).map(|(place, number)| (place.node.index() as u32, number));
        Pruning {
            flow,
            places,
            at: Grouped::compute(flow.graph().len(), at),
            held: Held::new(vec![None; open.len()]),
            open,
            passed: Vec::new(),
            needed: vec![false; places.len()],
            pending: Vec::new(),
        }
    }

    /// Whether each candidate is needed.
    fn run(mut self, module: &Module, steps: &[Step], accesses: &Accesses) -> Vec<bool> {
        for &step in steps {
            match step {
                Step::Enter(node) => {
                    self.held.enter();
                    self.enter(module, node, accesses);
                }
                Step::Leave => self.held.leave(),
            }
        }
        let sources = Grouped::compute(self.places.len(), self.passed.iter().copied());
        while let Some(candidate) = self.pending.pop() {
            let list = sources.list(candidate as usize);
            list.iter().for_each(|&source| note(source, &mut self.needed, &mut self.pending));
        }
        self.needed
    }

    fn enter(&mut self, module: &Module, node: Node, accesses: &Accesses) {
        for &candidate in self.at.list(node.index()) {
            self.held.hold(self.places[candidate as usize].variable, Some(candidate));
        }
        for access in accesses.in_block[node.index()].iter().filter(|access| self.open[access.variable]) {
            match (module.op(access.inst), self.held.of(access.variable)) {
                (Op::Load, Some(candidate)) => note(candidate, &mut self.needed, &mut self.pending),
                (Op::Load, None) => {}
                _ => self.held.hold(access.variable, None),
            }
        }
        for &target in self.flow.graph().successors(node) {
            for &candidate in self.at.list(target.index()) {
                let source = self.held.of(self.places[candidate as usize].variable);
                self.passed.extend(source.map(|source| (candidate, source)));
            }
        }
    }
}

fn note(candidate: u32, needed: &mut [bool], pending: &mut Vec<u32>) {
    if !std::mem::replace(&mut needed[candidate as usize], true) {
        pending.push(candidate);
    }
}
