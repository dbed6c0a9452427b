//! Labels: blocks that do not exist yet, and the targets that they lead to.
//!
//! A construct's merge, a continue target or a case is first a label. Every edge into it adds its possible ports. When the construct is
//! complete the label is *resolved*: with one target that belongs there it becomes that target's block, otherwise an added block that
//! branches on its selector.
//!
//! A [`PortSet`] is ordered by the places of the targets (inner first), so the ones that belong to the current level are always first.
//! Nearly all sets have one port or two and are stored in the label itself; larger ones than [`FEW`] are tries, whose cost for union and
//! split does not depend on how many ports pass through how many labels: see `port_trie`.

use smallvec::SmallVec;

use crate::plan::PlanBlock;
use crate::port_trie::Trie;
use crate::work::{NONE, Port, WorkGraph};

/// Index of a [`Label`].
pub(crate) type LabelId = u32;

/// A port below the order number of its node.
type Entry = u64;

fn entry(key: u32, port: Port) -> Entry {
    u64::from(key) << 32 | u64::from(port)
}

fn parts(entry: Entry) -> (u32, Port) {
    ((entry >> 32) as u32, entry as u32)
}

/// The maximal number of ports in a sorted list. Shifting this many costs less than a descent in a trie.
const FEW: usize = 16;

/// Ports with the order number of their node.
#[derive(Clone, Debug)]
pub(crate) enum PortSet {
    /// Ascending.
    Few(SmallVec<[Entry; 3]>),
    Many(Trie),
}

impl Default for PortSet {
    fn default() -> Self {
        Self::Few(SmallVec::new())
    }
}

impl From<Option<Trie>> for PortSet {
    fn from(trie: Option<Trie>) -> Self {
        match trie {
            None => Self::default(),
            Some(trie) if trie.len() <= FEW => Self::Few(trie.iter().collect()),
            Some(trie) => Self::Many(trie),
        }
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
        let entry = entry(key, port);
        match self {
            Self::Few(few) => {
                let behind = few.iter().rev().take_while(|&&other| other > entry).count();
                let place = few.len() - behind;
                if place == 0 || few[place - 1] != entry {
                    few.insert(place, entry);
                }
                if few.len() > FEW {
                    let trie = few.iter().map(|&entry| Trie::Leaf(entry)).reduce(Trie::unite);
                    *self = Self::from(trie);
                }
            }
            Self::Many(_) => {
                if let Self::Many(many) = std::mem::take(self) {
                    *self = Self::Many(many.unite(Trie::Leaf(entry)));
                }
            }
        }
    }

    /// The port, if there is exactly one.
    pub(crate) fn single(&self) -> Option<Port> {
        match self {
            Self::Few(few) if few.len() == 1 => Some(parts(few[0]).1),
            _ => None,
        }
    }

    pub(crate) fn first(&self) -> Option<(u32, Port)> {
        match self {
            Self::Few(few) => few.first().copied().map(parts),
            Self::Many(many) => Some(parts(many.first())),
        }
    }

    fn last(&self) -> Option<(u32, Port)> {
        match self {
            Self::Few(few) => few.last().copied().map(parts),
            Self::Many(many) => Some(parts(many.last())),
        }
    }

    /// The greatest order number.
    pub(crate) fn last_key(&self) -> Option<u32> {
        self.last().map(|(key, _)| key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Port)> {
        let (few, many) = match self {
            Self::Few(few) => (Some(few.iter().copied()), None),
            Self::Many(many) => (None, Some(many.iter())),
        };
        few.into_iter().flatten().chain(many.into_iter().flatten()).map(parts)
    }

    pub(crate) fn contains(&self, key: u32, port: Port) -> bool {
        match self {
            Self::Few(few) => few.contains(&entry(key, port)),
            Self::Many(many) => many.contains(entry(key, port)),
        }
    }

    /// Adds all of `other`.
    pub(crate) fn unite(&mut self, mut other: PortSet) {
        if self.len() < other.len() {
            std::mem::swap(self, &mut other);
        }
        match other {
            Self::Few(few) => {
                for entry in few {
                    let (key, port) = parts(entry);
                    self.insert(key, port);
                }
            }
            Self::Many(other) => {
                // The larger of two sets is a trie if the smaller one is.
                if let Self::Many(many) = std::mem::take(self) {
                    *self = Self::Many(many.unite(other));
                }
            }
        }
    }

    /// Removes everything with this order number.
    pub(crate) fn take_key(&mut self, key: u32) -> PortSet {
        if let Self::Few(few) = self {
            let begin = few.iter().position(|&entry| parts(entry).0 >= key).unwrap_or(few.len());
            let count = few[begin..].iter().take_while(|&&entry| parts(entry).0 == key).count();
            return Self::Few(few.drain(begin..begin + count).collect());
        }
        let before = self.take_front(|other, _| other < key);
        let taken = self.take_front(|other, _| other == key);
        self.unite(before);
        taken
    }

    /// Removes the front part for which `is_front` holds.
    pub(crate) fn take_front(&mut self, is_front: impl Fn(u32, Port) -> bool) -> PortSet {
        let front = |entry: Entry| {
            let (key, port) = parts(entry);
            is_front(key, port)
        };
        if let Self::Few(few) = self {
            let count = few.iter().take_while(|&&entry| front(entry)).count();
            if count == few.len() {
                return std::mem::take(self);
            }
            return Self::Few(few.drain(..count).collect());
        }
        let Self::Many(many) = std::mem::take(self) else { return Self::default() };
        let (taken, rest) = many.split(&front);
        *self = rest.into();
        taken.into()
    }
}

/// Up to two work edges with different ports that show where a label leads, to explain an added block.
pub(crate) type Traces = SmallVec<[u32; 4]>;

/// A block that does not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// The block, once it exists.
    pub(crate) block: Option<PlanBlock>,
    /// The index of its pending data; [`NONE`] while it has none.
    waiting: u32,
    /// The number of edges into the label.
    pub(crate) commits: u32,
    /// True if the label is the merge of a construct or a case of a switch.
    pub(crate) is_merge_or_case: bool,
    /// True if the label is a case that another case falls through to: not a merge, so a branch to it does not save a conditional its own
    /// merge.
    pub(crate) is_fall_through: bool,
    /// True if the label is the block of an arm, entered by one edge: no targets are pending.
    is_arm: bool,
}

/// The pending data of a label that is not resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting {
    /// The targets of the edges into the label.
    pub(crate) ports: PortSet,
    pub(crate) traces: Traces,
}

impl Waiting {
    /// Keeps the edge if it shows a new port.
    pub(crate) fn add_trace(&mut self, edge: u32, work: &WorkGraph) {
        let port = |edge: u32| work.edges[edge as usize].port;
        if self.traces.len() < 2 && self.traces.iter().all(|&other| port(other) != port(edge)) {
            self.traces.push(edge);
        }
    }
}

/// All labels. Resolved labels are many and keep only their block; the pending data of the others is stored in slots that are reused, so
/// that there are only as many slots as open labels at once.
#[derive(Debug)]
pub(crate) struct Labels {
    labels: Vec<Label>,
    waiting: Vec<Waiting>,
    free: Vec<u32>,
}

impl Labels {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { labels: Vec::with_capacity(count), waiting: Vec::with_capacity(16), free: Vec::with_capacity(16) }
    }

    /// A new label.
    pub(crate) fn push(&mut self) -> LabelId {
        self.labels.push(Label {
            block: None,
            waiting: NONE,
            commits: 0,
            is_merge_or_case: false,
            is_fall_through: false,
            is_arm: false,
        });
        (self.labels.len() - 1) as LabelId
    }

    /// A new label for the block of an arm.
    pub(crate) fn push_arm(&mut self) -> LabelId {
        let label = self.push();
        self.labels[label as usize].is_arm = true;
        label
    }

    /// Counts an edge into the label. Returns its pending data, if it has any.
    pub(crate) fn commit(&mut self, label: LabelId) -> Option<&mut Waiting> {
        let found = &mut self.labels[label as usize];
        found.commits += 1;
        if found.is_arm || found.block.is_some() {
            return None;
        }
        Some(self.waiting_mut(label))
    }

    /// The pending data of an unresolved label.
    pub(crate) fn waiting_mut(&mut self, label: LabelId) -> &mut Waiting {
        let place = &mut self.labels[label as usize].waiting;
        if *place == NONE {
            *place = self.free.pop().unwrap_or_else(|| {
                self.waiting.push(Waiting::default());
                (self.waiting.len() - 1) as u32
            });
        }
        &mut self.waiting[*place as usize]
    }

    /// The edges that show where the label leads.
    pub(crate) fn traces(&self, label: LabelId) -> Traces {
        let place = self.labels[label as usize].waiting;
        self.waiting.get(place as usize).map_or_else(Traces::new, |waiting| waiting.traces.clone())
    }

    /// Removes the pending data of a label that is resolved.
    pub(crate) fn take(&mut self, label: LabelId) -> Waiting {
        match std::mem::replace(&mut self.labels[label as usize].waiting, NONE) {
            NONE => Waiting::default(),
            place => {
                self.free.push(place);
                std::mem::take(&mut self.waiting[place as usize])
            }
        }
    }
}

impl std::ops::Index<usize> for Labels {
    type Output = Label;

    fn index(&self, index: usize) -> &Label {
        &self.labels[index]
    }
}

impl std::ops::IndexMut<usize> for Labels {
    fn index_mut(&mut self, index: usize) -> &mut Label {
        &mut self.labels[index]
    }
}
