//! Labels: blocks that do not exist yet, and the targets that wait behind them.
//!
//! A construct's merge, a continue target or a case is first a label. Every edge into it adds the
//! ports it may be bound for. When the construct is done the label *lands*: with one target that
//! belongs there it becomes that target's block, otherwise an added block that decides.
//!
//! A [`PortSet`] is ordered by where the targets wait (inner first), so the ones that belong to the
//! level at hand are always in front. Sets are united smaller into larger and split at the smaller
//! side: a port pays for the levels where it changes direction, not for each level it passes.

use std::collections::BTreeSet;
use std::ops::Bound;

use smallvec::SmallVec;

use crate::plan::{Carried, PlanBlock};
use crate::work::{Node, Port};

/// Index of a [`Label`].
pub(crate) type LabelId = u32;

/// Ports with the order number of their node.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortSet {
    ports: BTreeSet<(u32, Port)>,
}

impl PortSet {
    pub(crate) fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.ports.len()
    }

    pub(crate) fn insert(&mut self, key: u32, port: Port) {
        self.ports.insert((key, port));
    }

    /// The port, if there is exactly one.
    pub(crate) fn single(&self) -> Option<Port> {
        if self.ports.len() == 1 { self.first().map(|(_, port)| port) } else { None }
    }

    pub(crate) fn first(&self) -> Option<(u32, Port)> {
        self.ports.first().copied()
    }

    /// The greatest order number.
    pub(crate) fn last_key(&self) -> Option<u32> {
        self.ports.last().map(|&(key, _)| key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Port)> {
        self.ports.iter().copied()
    }

    pub(crate) fn contains(&self, key: u32, port: Port) -> bool {
        self.ports.contains(&(key, port))
    }

    /// Adds all of `other`.
    pub(crate) fn unite(&mut self, mut other: PortSet) {
        if other.ports.len() > self.ports.len() {
            std::mem::swap(&mut self.ports, &mut other.ports);
        }
        self.ports.extend(other.ports);
    }

    /// Takes out everything with this order number.
    pub(crate) fn take_key(&mut self, key: u32) -> PortSet {
        let range = (Bound::Included((key, 0)), Bound::Included((key, Port::MAX)));
        let taken: BTreeSet<_> = self.ports.range(range).copied().collect();
        for port in &taken {
            self.ports.remove(port);
        }
        PortSet { ports: taken }
    }

    /// Takes out the front part for which `is_front` holds, in time of the smaller part.
    pub(crate) fn take_front(&mut self, is_front: impl Fn(u32, Port) -> bool) -> PortSet {
        let front = |&(key, port): &(u32, Port)| is_front(key, port);
        if self.ports.last().is_none_or(front) {
            return std::mem::take(self);
        }
        if !self.ports.first().is_some_and(front) {
            return PortSet::default();
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        loop {
            match self.ports.pop_first() {
                Some(port) if front(&port) => low.push(port),
                other => {
                    self.ports.extend(other);
                    self.ports.extend(high);
                    return PortSet { ports: low.into_iter().collect() };
                }
            }
            match self.ports.pop_last() {
                Some(port) if !front(&port) => high.push(port),
                other => {
                    self.ports.extend(other);
                    self.ports.extend(low);
                    let ports = std::mem::replace(&mut self.ports, high.into_iter().collect());
                    return PortSet { ports };
                }
            }
        }
    }
}

/// An original edge with the port it is bound for, to explain an added block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trace {
    pub(crate) edge: Carried,
    pub(crate) port: Port,
    pub(crate) target: Node,
}

/// Up to two traces with different ports.
pub(crate) type Traces = SmallVec<[Trace; 2]>;

/// A block that is still to come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Label {
    /// The block, once there is one.
    pub(crate) block: Option<PlanBlock>,
    /// Where the edges into the label are bound for.
    pub(crate) ports: PortSet,
    pub(crate) traces: Traces,
    /// Whether the label is the merge of a construct or a case of a switch.
    pub(crate) is_merge_or_case: bool,
    /// Whether the label is a case that another case falls into: no merge, so a branch to it does
    /// not spare a conditional its own merge.
    pub(crate) is_fall_through: bool,
}

impl Label {
    /// Keeps the trace if it shows a target that is not shown yet.
    pub(crate) fn add_trace(&mut self, trace: Trace) {
        if self.traces.len() < 2 && self.traces.iter().all(|other| other.port != trace.port) {
            self.traces.push(trace);
        }
    }
}
