//! The edges, selectors and tests of a head.
//!
//! Every edge records what it would pass for a selector; the last step removes it if the target has none.

use smallvec::SmallVec;

use super::ways::{Choices, Ways};
use super::{Emitter, Head, Site};
use crate::label::{LabelId, PortSet, Traces};
use crate::plan::{Carried, Edge, PlanBlock, Selector, Terminator, Test};
use crate::work::{NONE, Node, NodeKind, Port};

impl Emitter<'_> {
    /// The edge of the head for these choices, and its contribution to the label.
    pub(super) fn connect(&mut self, head: &Head, choices: Choices, label: LabelId) -> Edge {
        let edge = self.edge(head, &choices, label);
        self.commit(head, choices, label);
        edge
    }

    /// The edge of the head for these choices.
    pub(super) fn edge(&self, head: &Head, choices: &Choices, label: LabelId) -> Edge {
        let mut edge = Edge { target: PlanBlock::new(label as usize), carries: SmallVec::new(), selector: None };
        match choices {
            Choices::Edges(indices) if indices.len() == 1 => {
                let choice = &self.work.edges[indices[0] as usize];
                edge.carries = SmallVec::from_slice(self.work.carried_by(indices[0]));
                edge.selector = Some(Selector::Constant(choice.port));
            }
            Choices::Edges(indices) => {
                let edges = || indices.iter().map(|&index| &self.work.edges[index as usize]);
                let first = edges().next().expect("invariant: a way has a choice");
                let is_one = edges().all(|other| other.port == first.port);
                for &index in indices {
                    edge.carries.extend_from_slice(self.work.carried_by(index));
                }
                edge.selector = Some(if is_one {
                    Selector::Constant(first.port)
                } else if self.work.is_dispatch(first.source) {
                    let table =
                        indices.iter().map(|&index| (self.work.own_port(index), self.work.edges[index as usize].port));
                    Selector::Translate { block: head.selector_block, table: table.collect() }
                } else {
                    let port = |index: u32| self.work.edges[index as usize].port;
                    let ports = |&index: &u32| self.work.carried_by(index).iter().map(move |_| port(index));
                    Selector::Choose(indices.iter().flat_map(ports).collect())
                });
            }
            Choices::Ports(ports) => edge.selector = Some(self.forward(head.selector_block, ports)),
        }
        edge
    }

    /// Passes on the ports from a block, through its selector if it has one.
    pub(super) fn forward(&self, block: PlanBlock, ports: &PortSet) -> Selector {
        match ports.single() {
            Some(port) => Selector::Constant(port),
            None => Selector::Forward { block },
        }
    }

    /// The edge for a single original edge, one row of a switch.
    pub(super) fn row_edge(&self, carried: Carried, port: Port, label: LabelId) -> Edge {
        Edge {
            target: PlanBlock::new(label as usize),
            carries: SmallVec::from_slice(&[carried]),
            selector: Some(Selector::Constant(port)),
        }
    }

    /// An edge that passes a constant and carries nothing.
    pub(super) fn constant_edge(&self, port: Port, label: LabelId) -> Edge {
        Edge {
            target: PlanBlock::new(label as usize),
            carries: SmallVec::new(),
            selector: Some(Selector::Constant(port)),
        }
    }

    /// An edge into an added block without a selector.
    pub(super) fn plain_edge(&self, label: LabelId) -> Edge {
        Edge { target: PlanBlock::new(label as usize), carries: SmallVec::new(), selector: None }
    }

    /// Adds the ports of the choices to the label and counts the edges into joins.
    pub(super) fn commit(&mut self, head: &Head, choices: Choices, label: LabelId) {
        if let Choices::Edges(indices) = &choices
            && let [index] = indices[..]
        {
            self.commit_edge(index, label);
            return;
        }
        let traces = self.traces(head, &choices);
        let mut waiting = match self.labels.commit(label) {
            Some(waiting) => std::mem::take(waiting),
            None => return,
        };
        for trace in traces {
            waiting.add_trace(trace, self.work);
        }
        match choices {
            Choices::Edges(indices) => {
                let mut targets: SmallVec<[Node; 2]> = SmallVec::new();
                for index in indices {
                    let edge = &self.work.edges[index as usize];
                    waiting.ports.insert(self.key(edge.target), edge.port);
                    targets.push(edge.target);
                }
                targets.sort_unstable();
                targets.dedup();
                for target in targets {
                    self.arrive(target);
                }
            }
            Choices::Ports(ports) => waiting.ports.unite(ports),
        }
        *self.labels.waiting_mut(label) = waiting;
    }

    /// The same for one edge, the most frequent case.
    fn commit_edge(&mut self, index: u32, label: LabelId) {
        let edge = &self.work.edges[index as usize];
        let key = self.key(edge.target);
        let Some(waiting) = self.labels.commit(label) else { return };
        waiting.ports.insert(key, edge.port);
        if self.work.is_input(edge.source) {
            waiting.add_trace(index, self.work);
        }
        self.arrive(edge.target);
    }

    /// Counts an edge into `target`; the last one makes it ready in its region.
    fn arrive(&mut self, target: Node) {
        let owner = self.joins.owner(target);
        self.states[target as usize].arrived += 1;
        if owner != NONE && self.states[target as usize].arrived == self.placement[target].indegree {
            self.frames[owner as usize].ready.push(target);
        }
    }

    /// The first edges of the choices that represent original edges.
    fn traces(&self, head: &Head, choices: &Choices) -> Traces {
        let edge = |index: u32| &self.work.edges[index as usize];
        match (choices, &head.site) {
            (Choices::Edges(indices), _) => {
                let carries = |&index: &u32| self.work.is_input(edge(index).source);
                indices.iter().copied().filter(carries).take(2).collect()
            }
            (Choices::Ports(ports), Site::Virtual { traces, .. }) => {
                let within = |&index: &u32| ports.contains(self.key(edge(index).target), edge(index).port);
                traces.iter().copied().filter(within).collect()
            }
            (Choices::Ports(_), Site::Real(_)) => Traces::new(),
        }
    }

    /// Returns whether one comparison distinguishes two ways.
    pub(super) fn is_testable(&self, head: &Head, ways: &Ways) -> bool {
        match head.site {
            Site::Real(node) if !self.work.is_dispatch(node) => true,
            _ => ways.iter().any(|way| way.choices.len() == 1),
        }
    }

    /// A conditional terminator over two edges; the test determines which is the `then` edge.
    pub(super) fn conditional(&self, head: &Head, ways: [(&Choices, Edge); 2]) -> Terminator {
        let [(first_choices, first), (second_choices, second)] = ways;
        let is_first = self.is_then(head, first_choices, second_choices);
        let (choices, then, otherwise) =
            if is_first { (first_choices, first, second) } else { (second_choices, second, first) };
        let test = match head.site {
            Site::Real(node) if self.work.kinds[node as usize] != NodeKind::Dispatch => {
                Test::Input(self.work.block(node))
            }
            _ => Test::Selector { block: head.selector_block, equals: self.tested_port(choices) },
        };
        Terminator::Conditional { test, then, otherwise }
    }

    /// Returns whether the first of two ways is taken if the test holds.
    pub(super) fn is_then(&self, head: &Head, first: &Choices, second: &Choices) -> bool {
        match (&head.site, first) {
            (Site::Real(node), Choices::Edges(edges)) if !self.work.is_dispatch(*node) => {
                edges.contains(&self.work.first_edge[*node as usize])
            }
            _ => first.len() == 1 && (second.len() != 1 || self.tested_port(first) <= self.tested_port(second)),
        }
    }

    /// The selector value for a way with one choice.
    fn tested_port(&self, choices: &Choices) -> Port {
        match choices {
            Choices::Edges(edges) => self.work.own_port(edges[0]),
            Choices::Ports(ports) => ports.first().map_or(NONE, |(_, port)| port),
        }
    }
}
