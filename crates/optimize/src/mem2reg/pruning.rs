//! Selects the live parameters among the candidates.
//!
//! ```text
//! ^h(%v) ─▶ ^m(%v) ─▶ load %v           both are needed: the load reads the second, which is passed the first
//!    └────▶ ^x(%v) ─▶ return            this one is not
//! ```
//!
//! A traversal of the dominator tree tracks which candidate is the current value of each variable, as renaming will: a load uses the
//! current one, and an edge passes the current one to the candidate at its target. Then liveness is propagated backwards from candidate to
//! candidate (marking, as for dead code: Cytron, Ferrante, Rosen, Wegman, Zadeck 1991, section 7.1). The result is equal to pruning by live
//! ranges: from a block where the variable is live, a path leads to a load, and each candidate on this path passes the value.
//!
//! Linear in the function, the candidates and the edges that enter them, independent of live ranges.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{Grouped, Node};
use reconverge_ir::{Module, Op};

use super::accesses::Accesses;
use super::walk::{Held, Step};

/// For each of some candidates, whether it is live. For each variable, all its candidates are among them, or none.
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

/// The traversal that tracks the current candidate of each variable.
struct Pruning<'a> {
    flow: &'a FlowGraph,
    places: &'a [Candidate],
    /// The candidates of each block.
    at: Grouped<u32>,
    /// By variable, whether it has candidates.
    open: Vec<bool>,
    held: Held<Option<u32>>,
    /// Edges that pass one candidate to another: the target, and the source.
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

    /// For each candidate, whether it is live.
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
