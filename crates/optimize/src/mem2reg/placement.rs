//! Places of block parameters: in the iterated dominance frontier of a variable's stores, where the variable is live.
//!
//! Each of the two sets may be large while their intersection is small: a variable that is read late is live in all blocks before, and one
//! that is stored deep in a nest has a join of every level in its frontier. So both searches run in turns, with limits that double, until
//! one of them ends. The result is either the blocks where the variable is live, which then bound the frontier, or the whole frontier,
//! which `pruning.rs` reduces. The searches together visit at most a few times the smaller set.
//!
//! If both are large, as for a value that is live through a whole state machine, many such variables would take quadratic time. If a
//! variable may have few parameters, its search is limited accordingly ([`REACH_OF_PARAMETER`]), and beyond the limit it stays in memory.
//! The candidates that `pruning.rs` processes together are bounded too.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominanceFrontiers, DominatorTree, Graph, Node};
use reconverge_ir::Module;
use rustc_hash::FxHashMap;

use super::Variable;
use super::accesses::Accesses;
use super::pruning::{Candidate, are_needed};
use super::walk::Step;
use reconverge_rewrite::jumps::{ARGUMENT_LIMIT, PARAMETER_LIMIT};

/// The limit of the first turn: edges, and blocks of frontiers, besides the accesses themselves. Edges into a block that may get a
/// parameter count, since each would pass an argument.
const FIRST_LIMIT: usize = 64;
/// The limit of edges and blocks of frontiers in the search for a variable, for each parameter that it may have.
const REACH_OF_PARAMETER: usize = 256;
/// The limit of edges and blocks of frontiers in the search for all joins of a variable of the source, and in addition for each block that
/// writes it.
const JOINS: usize = 256;
const JOINS_OF_WRITE: usize = 16;
/// The minimal number of edges into candidates that are pruned together, so that the traversals of the function for them are few.
const BATCH: usize = 1 << 16;

/// The blocks of a function, and the traversal of their dominator tree.
pub(super) struct Walk<'a> {
    pub(super) flow: &'a FlowGraph,
    pub(super) dominators: &'a DominatorTree,
    pub(super) steps: &'a [Step],
}

/// For each variable the blocks that get a parameter for it; `None` if it stays in memory.
pub(super) type Sites = Vec<Option<Vec<Node>>>;

/// Blocks that may get a parameter for a variable.
enum Candidates {
    /// It is live in all of them.
    Needed(Vec<Node>),
    /// The whole frontier of its stores; it may not be live there.
    Possible(Vec<Node>),
}

/// Finds the blocks that get parameters. The memory is linear in the function and in the candidates of one variable.
pub(super) fn compute_sites(module: &Module, walk: &Walk<'_>, variables: &[Variable], accesses: &Accesses) -> Sites {
    let &Walk { flow, dominators, steps } = walk;
    let mut search = PlacementSearch::new(flow.graph());
    let mut frontiers = None;
    let mut needed: Sites = Vec::with_capacity(variables.len());
    let (mut open, mut edges): (Vec<Candidate>, usize) = (Vec::new(), 0);
    for (number, (written, exposed)) in accesses.written.iter().zip(&accesses.exposed).enumerate() {
        if is_obvious(dominators, written, exposed) {
            needed.push(Some(Vec::new()));
            continue;
        }
        let frontiers = frontiers.get_or_insert_with(|| DominanceFrontiers::compute(flow.graph(), dominators));
        let reach = variables[number].parameter_limit.saturating_mul(REACH_OF_PARAMETER);
        let found = search.find_candidates(written, exposed, frontiers, reach);
        needed.push(found.map(|candidates| match candidates {
            Candidates::Needed(sites) => sites,
            Candidates::Possible(possible) => {
                edges += possible.iter().map(|&node| flow.graph().predecessors(node).len()).sum::<usize>();
                open.extend(possible.into_iter().map(|node| Candidate { node, variable: number }));
                Vec::new()
            }
        }));
        if edges > BATCH.max(steps.len()) {
            prune(module, walk, accesses, &mut open, &mut needed);
            edges = 0;
        }
    }
    prune(module, walk, accesses, &mut open, &mut needed);
    let mut room = Room { module, flow, counts: FxHashMap::default(), arguments: 0 };
    let sites = needed.into_iter().zip(variables).map(|(sites, variable)| {
        sites.filter(|sites| {
            let is_possible = sites.is_empty() || variable.is_carriable && sites.len() <= variable.parameter_limit;
            is_possible && room.reserve(sites)
        })
    });
    sites.collect()
}

/// The blocks where values of these variables meet, whether the variable is read or not, each with the variable; and the variables of which
/// there are too many to find. Near-linear: the search for a variable is bounded by its accesses.
pub(super) fn find_joins(
    walk: &Walk<'_>,
    accesses: &Accesses,
    variables: impl Iterator<Item = usize>,
) -> (Vec<(usize, Node)>, Vec<usize>) {
    let mut search = PlacementSearch::new(walk.flow.graph());
    let (mut joins, mut lost, mut frontiers) = (Vec::new(), Vec::new(), None);
    for variable in variables {
        let frontiers =
            frontiers.get_or_insert_with(|| DominanceFrontiers::compute(walk.flow.graph(), walk.dominators));
        search.turn += 1;
        let written = &accesses.written[variable];
        let limit = JOINS + JOINS_OF_WRITE * written.len();
        match search.find_frontier(written, frontiers, limit, |_| true) {
            Some(sites) => joins.extend(sites.into_iter().map(|site| (variable, site))),
            None => lost.push(variable),
        }
    }
    (joins, lost)
}

/// Prunes the candidates, and adds the remaining ones to their variables.
fn prune(module: &Module, walk: &Walk<'_>, accesses: &Accesses, open: &mut Vec<Candidate>, needed: &mut Sites) {
    let places = std::mem::take(open);
    let are_needed = are_needed(module, walk.flow, walk.steps, accesses, &places);
    for (place, _) in places.iter().zip(are_needed).filter(|&(_, is_needed)| is_needed) {
        needed[place.variable].as_mut().expect("invariant: a variable with candidates was found").push(place.node);
    }
}

/// Returns whether a variable clearly needs no parameters: no block reads a value of another block, or one writing block dominates all
/// reading blocks.
fn is_obvious(dominators: &DominatorTree, written: &[Node], exposed: &[Node]) -> bool {
    match *written {
        [] => true,
        [only] => exposed.iter().all(|&node| dominators.strictly_dominates(only, node)),
        _ => exposed.is_empty(),
    }
}

/// The searches, one variable after another.
struct PlacementSearch<'a> {
    graph: &'a Graph,
    /// The number of visited edges and blocks of frontiers.
    looked_at: usize,
    /// The number of the turn.
    turn: usize,
    /// For each block the turn in which it was last found to be live, to be written, and to be in the frontier.
    live: Vec<usize>,
    written: Vec<usize>,
    placed: Vec<usize>,
}

impl PlacementSearch<'_> {
    fn new(graph: &Graph) -> PlacementSearch<'_> {
        let never = vec![0; graph.len()];
        PlacementSearch { graph, looked_at: 0, turn: 0, live: never.clone(), written: never.clone(), placed: never }
    }

    /// The candidates of a variable with these accesses; `None` if the search exceeds `reach`.
    fn find_candidates(
        &mut self,
        written: &[Node],
        exposed: &[Node],
        frontiers: &DominanceFrontiers,
        reach: usize,
    ) -> Option<Candidates> {
        let mut limit = FIRST_LIMIT + written.len() + exposed.len();
        while limit <= reach {
            self.turn += 1;
            if self.find_live(written, exposed, limit) {
                let (live, turn) = (std::mem::take(&mut self.live), self.turn);
                let sites = self.find_frontier(written, frontiers, usize::MAX, |node| live[node.index()] == turn);
                self.live = live;
                return Some(Candidates::Needed(sites.expect("invariant: a search without a limit ends")));
            }
            if let Some(sites) = self.find_frontier(written, frontiers, limit, |_| true) {
                return Some(Candidates::Possible(sites));
            }
            limit *= 2;
        }
        None
    }

    /// Finds the blocks where a variable is live at the start, backwards over edges. Returns whether `limit` edges were enough.
    fn find_live(&mut self, written: &[Node], exposed: &[Node], limit: usize) -> bool {
        let turn = self.turn;
        written.iter().for_each(|node| self.written[node.index()] = turn);
        exposed.iter().for_each(|node| self.live[node.index()] = turn);
        let mut pending: Vec<Node> = exposed.to_vec();
        let end = limit.saturating_add(self.looked_at);
        while let Some(node) = pending.pop() {
            if !self.look_at(self.graph.predecessors(node).len(), end) {
                return false;
            }
            for &source in self.graph.predecessors(node) {
                let index = source.index();
                if self.written[index] != turn && self.live[index] != turn {
                    self.live[index] = turn;
                    pending.push(source);
                }
            }
        }
        true
    }

    /// Counts the next visits, unless they exceed a limit.
    fn look_at(&mut self, count: usize, end: usize) -> bool {
        let is_within = count <= end - self.looked_at;
        self.looked_at += if is_within { count } else { 0 };
        is_within
    }

    /// The blocks of the iterated frontier that are wanted; `None` if more than `limit` visits are needed.
    fn find_frontier(
        &mut self,
        written: &[Node],
        frontiers: &DominanceFrontiers,
        limit: usize,
        is_wanted: impl Fn(Node) -> bool,
    ) -> Option<Vec<Node>> {
        let mut sites = Vec::new();
        let mut pending: Vec<Node> = written.to_vec();
        let end = limit.saturating_add(self.looked_at);
        while let Some(node) = pending.pop() {
            if !self.look_at(frontiers.frontier(node).len(), end) {
                return None;
            }
            for &join in frontiers.frontier(node) {
                if self.placed[join.index()] != self.turn && is_wanted(join) {
                    if !self.look_at(self.graph.predecessors(join).len(), end) {
                        return None;
                    }
                    self.placed[join.index()] = self.turn;
                    sites.push(join);
                    pending.push(join);
                }
            }
        }
        Some(sites)
    }
}

/// The numbers of parameters and arguments that are still allowed.
struct Room<'a> {
    module: &'a Module,
    flow: &'a FlowGraph,
    /// For each block the number of its parameters.
    counts: FxHashMap<Node, usize>,
    arguments: usize,
}

impl Room<'_> {
    /// Adds the parameters and arguments of a variable, if the limits allow it.
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

    /// The number of visits for variables with these stores and loads, and the number of their candidates.
    fn work(graph: &Graph, variables: impl Iterator<Item = (Vec<Node>, Vec<Node>)>) -> (usize, usize) {
        work_within(graph, variables, usize::MAX)
    }

    fn work_within(
        graph: &Graph,
        variables: impl Iterator<Item = (Vec<Node>, Vec<Node>)>,
        reach: usize,
    ) -> (usize, usize) {
        let dominators = DominatorTree::compute(graph, &Order::compute_reverse_post_order(graph));
        let frontiers = DominanceFrontiers::compute(graph, &dominators);
        let mut search = PlacementSearch::new(graph);
        let candidates =
            variables.map(|(written, exposed)| match search.find_candidates(&written, &exposed, &frontiers, reach) {
                Some(Candidates::Needed(sites) | Candidates::Possible(sites)) => sites.len(),
                None => 0,
            });
        let candidates = candidates.sum();
        (search.looked_at, candidates)
    }

    /// A sequence of diamonds; each stores a variable that is read at the end and was stored at the entry.
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

    /// Nested conditions; each has a variable that is stored in one arm and read at the join.
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

    /// A state machine; each state stores a variable for the next one. It is live in all states but one, and each state has an edge to the
    /// block after them that would pass it.
    #[test]
    fn variables_of_state_machines_are_given_up_soon() {
        let work = |states: usize, reach: usize| {
            let (head, latch) = (Node::new(0), Node::new(states + 1));
            let state = |number: usize| Node::new(1 + number % states);
            let lists = std::iter::once((0..states).map(state).collect())
                .chain((0..states).map(|_| vec![latch]))
                .chain([vec![head], vec![head]]);
            let graph = Graph::from_successors(Node::new(states + 2), lists);
            work_within(&graph, (0..states).map(|number| (vec![state(number)], vec![state(number + 1)])), reach)
        };
        let (small, large) = (work(1000, 500), work(4000, 500));
        assert_eq!((small.1, large.1), (0, 0));
        assert!(large.0 < 5 * small.0, "{small:?} {large:?}");
        assert_eq!(work(1000, usize::MAX).1, 2 * 1000, "the latch and the head for each");
    }
}
