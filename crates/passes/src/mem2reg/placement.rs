//! Where block parameters are due: in the iterated dominance frontier of a variable's stores, as far as it is live there.
//!
//! Either side alone may be large where the answer is small: a variable that is read late is live in everything before, one that is
//! stored deep in a nest has a join of every level in its frontier. So both searches run in turns, with limits that double, until one
//! of them ends: either the blocks where the variable is live, which the frontier is then held to, or the whole frontier, which
//! `pruning.rs` goes over. What is searched is at most a few times the smaller of the two.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominanceFrontiers, DominatorTree, Graph, Node};
use reconverge_ir::Module;
use rustc_hash::FxHashMap;

use super::Variable;
use super::accesses::Accesses;
use super::pruning::prune;
use super::walk::Step;
use crate::jumps::{ARGUMENT_LIMIT, PARAMETER_LIMIT};

/// How many edges and blocks of frontiers are looked at in the first turn, but for the accesses themselves.
const FIRST_LIMIT: usize = 64;

/// For each variable the blocks that get a parameter for it; `None` if it stays in memory.
pub(super) type Sites = Vec<Option<Vec<Node>>>;

/// Blocks that may get a parameter for a variable.
pub(super) enum Candidates {
    /// It is live in all of them.
    Needed(Vec<Node>),
    /// All that its stores ask for, whether it is live there or not.
    Possible(Vec<Node>),
}

/// Finds the blocks that get parameters. `steps` is the walk down the dominator tree.
pub(super) fn compute_sites(
    module: &Module,
    (flow, dominators, steps): (&FlowGraph, &DominatorTree, &[Step]),
    (variables, accesses): (&[Variable], &Accesses),
) -> Sites {
    let mut search = Search::new(flow.graph());
    let mut frontiers = None;
    let all = accesses.written.iter().zip(&accesses.exposed).map(|(written, exposed)| {
        if is_obvious(dominators, written, exposed) {
            return Candidates::Needed(Vec::new());
        }
        let frontiers = frontiers.get_or_insert_with(|| DominanceFrontiers::compute(flow.graph(), dominators));
        search.find_candidates(written, exposed, frontiers)
    });
    let needed = prune(module, (flow, steps), accesses, all.collect());
    let mut room = Room { module, flow, counts: FxHashMap::default(), arguments: 0 };
    let sites = needed.into_iter().zip(variables).map(|(sites, variable)| {
        let is_possible = sites.is_empty() || variable.is_carriable && sites.len() <= variable.parameter_limit;
        (is_possible && room.reserve(&sites)).then_some(sites)
    });
    sites.collect()
}

/// Whether it is plain that a variable needs no parameters: nobody asks what other blocks wrote, or one block writes before all
/// that ask.
fn is_obvious(dominators: &DominatorTree, written: &[Node], exposed: &[Node]) -> bool {
    match *written {
        [] => true,
        [only] => exposed.iter().all(|&node| dominators.strictly_dominates(only, node)),
        _ => exposed.is_empty(),
    }
}

/// The searches for one variable after another.
struct Search<'a> {
    graph: &'a Graph,
    /// How many edges and blocks of frontiers were looked at.
    looked_at: usize,
    /// The number of the turn.
    turn: usize,
    /// For each block the turn in which it was last found to be live, to be written, to be in the frontier.
    live: Vec<usize>,
    written: Vec<usize>,
    placed: Vec<usize>,
}

impl Search<'_> {
    fn new(graph: &Graph) -> Search<'_> {
        let never = vec![0; graph.len()];
        Search { graph, looked_at: 0, turn: 0, live: never.clone(), written: never.clone(), placed: never }
    }

    fn find_candidates(&mut self, written: &[Node], exposed: &[Node], frontiers: &DominanceFrontiers) -> Candidates {
        let mut limit = FIRST_LIMIT + written.len() + exposed.len();
        loop {
            self.turn += 1;
            if self.find_live(written, exposed, limit) {
                let (live, turn) = (std::mem::take(&mut self.live), self.turn);
                let sites = self.find_frontier(written, frontiers, (usize::MAX, |node| live[node.index()] == turn));
                self.live = live;
                return Candidates::Needed(sites.expect("invariant: a search without a limit ends"));
            }
            if let Some(sites) = self.find_frontier(written, frontiers, (limit, |_| true)) {
                return Candidates::Possible(sites);
            }
            limit *= 2;
        }
    }

    /// Finds the blocks where a variable is live at the start, against the edges that enter them. Whether `limit` edges were enough.
    fn find_live(&mut self, written: &[Node], exposed: &[Node], limit: usize) -> bool {
        let turn = self.turn;
        written.iter().for_each(|node| self.written[node.index()] = turn);
        exposed.iter().for_each(|node| self.live[node.index()] = turn);
        let mut pending: Vec<Node> = exposed.to_vec();
        let start = self.looked_at;
        while let Some(node) = pending.pop() {
            for &source in self.graph.predecessors(node) {
                let index = source.index();
                if self.written[index] != turn && self.live[index] != turn {
                    self.live[index] = turn;
                    pending.push(source);
                }
            }
            self.looked_at += self.graph.predecessors(node).len();
            if self.looked_at - start > limit {
                return false;
            }
        }
        true
    }

    /// The blocks of the iterated frontier that are wanted; `None` if more than `limit` had to be looked at.
    fn find_frontier(
        &mut self,
        written: &[Node],
        frontiers: &DominanceFrontiers,
        (limit, is_wanted): (usize, impl Fn(Node) -> bool),
    ) -> Option<Vec<Node>> {
        let mut sites = Vec::new();
        let mut pending: Vec<Node> = written.to_vec();
        let start = self.looked_at;
        while let Some(node) = pending.pop() {
            for &join in frontiers.frontier(node) {
                if self.placed[join.index()] != self.turn && is_wanted(join) {
                    self.placed[join.index()] = self.turn;
                    sites.push(join);
                    pending.push(join);
                }
            }
            self.looked_at += frontiers.frontier(node).len();
            if self.looked_at - start > limit {
                return None;
            }
        }
        Some(sites)
    }
}

/// What room there is for parameters and arguments.
struct Room<'a> {
    module: &'a Module,
    flow: &'a FlowGraph,
    /// For each block how many parameters it has.
    counts: FxHashMap<Node, usize>,
    arguments: usize,
}

impl Room<'_> {
    /// Counts the parameters and arguments of a variable, if the limits allow for them.
    fn reserve(&mut self, sites: &[Node]) -> bool {
        let (module, flow) = (self.module, self.flow);
        let mut arguments = self.arguments;
        for &site in sites {
            let count = self.counts.entry(site).or_insert_with(|| module.parameters(flow.block(site)).count());
            arguments += flow.graph().predecessors(site).len();
            if *count == PARAMETER_LIMIT || arguments > ARGUMENT_LIMIT {
                return false;
            }
        }
        self.arguments = arguments;
        sites.iter().for_each(|site| *self.counts.entry(*site).or_default() += 1);
        true
    }
}

#[cfg(test)]
mod tests {
    use reconverge_graph::Order;

    use super::*;

    /// The work for variables with these stores and loads, and how many candidates they have.
    fn work(graph: &Graph, variables: impl Iterator<Item = (Vec<Node>, Vec<Node>)>) -> (usize, usize) {
        let dominators = DominatorTree::compute(graph, &Order::compute_reverse_post_order(graph));
        let frontiers = DominanceFrontiers::compute(graph, &dominators);
        let mut search = Search::new(graph);
        let candidates = variables.map(|(written, exposed)| {
            let (Candidates::Needed(sites) | Candidates::Possible(sites)) =
                search.find_candidates(&written, &exposed, &frontiers);
            sites.len()
        });
        let candidates = candidates.sum();
        (search.looked_at, candidates)
    }

    /// Diamonds one behind the other; each stores a variable that is read at the end, and was stored at the entry.
    #[test]
    fn variables_that_live_long_are_not_followed_all_the_way() {
        let work = |steps: usize| {
            let lists = (0..steps).flat_map(|step| {
                let [arm, other, join] = [1, 2, 3].map(|part| Node::new(3 * step + part));
                [vec![arm, other], vec![join], vec![join]]
            });
            let graph = Graph::from_successors(Node::new(0), lists.chain([Vec::new()]));
            let end = Node::new(3 * steps);
            work(&graph, (0..steps).map(|step| (vec![Node::new(0), Node::new(3 * step + 1)], vec![end])))
        };
        let (small, large) = (work(1000), work(4000));
        assert_eq!((small.1, large.1), (1000, 4000));
        assert!(large.0 < 5 * small.0, "{small:?} {large:?}");
    }

    /// Conditions one in the other; a variable of each is stored in one arm, and read where the arms meet.
    #[test]
    fn variables_that_die_early_are_not_followed_out_of_the_nest() {
        let work = |levels: usize| {
            let (head, join) = (|level: usize| Node::new(level), |level: usize| Node::new(2 * levels - level));
            let heads = (0..levels).map(|level| vec![head(level + 1), join(level)]);
            let joins = (0..levels).rev().map(|level| vec![join(level)]);
            let graph = Graph::from_successors(head(0), heads.chain(joins).chain([Vec::new()]));
            let variable = |level| (vec![head(level), join(level + 1)], vec![join(level)]);
            work(&graph, (0..levels).map(variable))
        };
        let (small, large) = (work(1000), work(4000));
        assert_eq!((small.1, large.1), (1000, 4000));
        assert!(large.0 < 5 * small.0, "{small:?} {large:?}");
    }
}
