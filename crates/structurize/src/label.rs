//! Labels: blocks that do not exist yet, and the targets that wait behind them.
//!
//! A construct's merge, a continue target or a case is first a label. Every edge into it adds the
//! ports it may be bound for. When the construct is done the label *lands*: with one target that
//! belongs there it becomes that target's block, otherwise an added block that decides.
//!
//! A [`PortSet`] is ordered by where the targets wait (inner first), so the ones that belong to the
//! level at hand are always in front. Sets are united smaller into larger and split at the smaller
//! side: a port pays for the levels where it changes direction, not for each level it passes. Nearly
//! all sets have one port or two and lie in the label itself; those past [`FEW`] are trees.

use std::collections::BTreeSet;
use std::ops::Bound;

use smallvec::SmallVec;

use crate::plan::PlanBlock;
use crate::work::{Port, WorkGraph};

/// Index of a [`Label`].
pub(crate) type LabelId = u32;

/// A port behind the order number of its node.
type Entry = (u32, Port);

/// How many ports are kept in a sorted list. Shifting as many is cheaper than one step in a tree.
const FEW: usize = 24;

/// Ports with the order number of their node.
#[derive(Clone, Debug)]
pub(crate) enum PortSet {
    /// Ascending.
    Few(SmallVec<[Entry; 3]>),
    Many(BTreeSet<Entry>),
}

impl Default for PortSet {
    fn default() -> Self {
        Self::Few(SmallVec::new())
    }
}

impl FromIterator<Entry> for PortSet {
    /// The entries must ascend.
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let few: SmallVec<[Entry; 3]> = entries.into_iter().collect();
        if few.len() <= FEW { Self::Few(few) } else { Self::Many(few.into_iter().collect()) }
    }
}

impl PortSet {
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Few(few) => few.len(),
            Self::Many(many) => many.len(),
        }
    }

    pub(crate) fn insert(&mut self, key: u32, port: Port) {
        let entry = (key, port);
        match self {
            Self::Few(few) => {
                let place = few.iter().position(|&other| other >= entry).unwrap_or(few.len());
                if few.get(place) == Some(&entry) {
                    return;
                }
                few.insert(place, entry);
                if few.len() > FEW {
                    *self = Self::Many(few.iter().copied().collect());
                }
            }
            Self::Many(many) => {
                many.insert(entry);
            }
        }
    }

    /// The port, if there is exactly one.
    pub(crate) fn single(&self) -> Option<Port> {
        if self.len() == 1 { self.first().map(|(_, port)| port) } else { None }
    }

    pub(crate) fn first(&self) -> Option<(u32, Port)> {
        match self {
            Self::Few(few) => few.first().copied(),
            Self::Many(many) => many.first().copied(),
        }
    }

    fn last(&self) -> Option<Entry> {
        match self {
            Self::Few(few) => few.last().copied(),
            Self::Many(many) => many.last().copied(),
        }
    }

    /// The greatest order number.
    pub(crate) fn last_key(&self) -> Option<u32> {
        self.last().map(|(key, _)| key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Port)> {
        let (few, many) = match self {
            Self::Few(few) => (Some(few.iter()), None),
            Self::Many(many) => (None, Some(many.iter())),
        };
        few.into_iter().flatten().chain(many.into_iter().flatten()).copied()
    }

    pub(crate) fn contains(&self, key: u32, port: Port) -> bool {
        match self {
            Self::Few(few) => few.contains(&(key, port)),
            Self::Many(many) => many.contains(&(key, port)),
        }
    }

    /// Adds all of `other`.
    pub(crate) fn unite(&mut self, mut other: PortSet) {
        if other.len() > self.len() {
            std::mem::swap(self, &mut other);
        }
        match other {
            Self::Few(few) => few.into_iter().for_each(|(key, port)| self.insert(key, port)),
            Self::Many(many) => many.into_iter().for_each(|(key, port)| self.insert(key, port)),
        }
    }

    /// Takes out everything with this order number.
    pub(crate) fn take_key(&mut self, key: u32) -> PortSet {
        match self {
            Self::Few(few) => {
                let begin = few.iter().position(|&(other, _)| other >= key).unwrap_or(few.len());
                let count = few[begin..].iter().take_while(|&&(other, _)| other == key).count();
                few.drain(begin..begin + count).collect()
            }
            Self::Many(many) => {
                let range = (Bound::Included((key, 0)), Bound::Included((key, Port::MAX)));
                let taken: PortSet = many.range(range).copied().collect();
                for entry in taken.iter() {
                    many.remove(&entry);
                }
                taken
            }
        }
    }

    /// Takes out the front part for which `is_front` holds, in time of the smaller part.
    pub(crate) fn take_front(&mut self, is_front: impl Fn(u32, Port) -> bool) -> PortSet {
        let front = |&(key, port): &Entry| is_front(key, port);
        if self.last().as_ref().is_none_or(front) {
            return std::mem::take(self);
        }
        match self {
            Self::Few(few) => {
                let count = few.iter().take_while(|&entry| front(entry)).count();
                few.drain(..count).collect()
            }
            Self::Many(many) => split_front(many, front),
        }
    }
}

/// Takes out the front part, looking at both ends in turn.
fn split_front(many: &mut BTreeSet<Entry>, front: impl Fn(&Entry) -> bool) -> PortSet {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    loop {
        match many.pop_first() {
            Some(entry) if front(&entry) => low.push(entry),
            other => {
                many.extend(other);
                many.extend(high);
                return low.into_iter().collect();
            }
        }
        match many.pop_last() {
            Some(entry) if !front(&entry) => high.push(entry),
            other => {
                many.extend(other);
                many.extend(low);
                return PortSet::Many(std::mem::replace(many, high.into_iter().collect()));
            }
        }
    }
}

/// Up to two work edges of different ports that show where a label leads, to explain an added block.
pub(crate) type Traces = SmallVec<[u32; 4]>;

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
    /// Keeps the edge if it shows a port that is not shown yet.
    pub(crate) fn add_trace(&mut self, edge: u32, work: &WorkGraph) {
        let port = |edge: u32| work.edges[edge as usize].port;
        if self.traces.len() < 2 && self.traces.iter().all(|&other| port(other) != port(edge)) {
            self.traces.push(edge);
        }
    }
}
