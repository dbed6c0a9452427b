//! Groups the choices of a head by their targets.
//!
//! | way | target |
//! |---|---|
//! | arm | a node that is entered only from this head |
//! | inner | joins of this region, which a new construct will lead to its merge |
//! | out | a label around the region, by [`Emitter::route`] |
//!
//! Once a construct is opened for the inner way, edges to the merge of the enclosing selection must go through the new merge as well, so
//! both are one way.

use smallvec::SmallVec;

use super::{Context, Emitter, Head, OpenLoop, Site};
use crate::label::{LabelId, PortSet};
use crate::placement::{Role, Spot};
use crate::policy::BreakTarget;
use crate::reason::Fallback;
use crate::work::{NONE, Node, NodeKind, Port};

/// Some of the choices of a head.
#[derive(Clone, Debug)]
pub(super) enum Choices {
    /// Indices of work edges of a real head.
    Edges(SmallVec<[u32; 2]>),
    /// Ports of a virtual head.
    Ports(PortSet),
}

impl Choices {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Edges(edges) => edges.is_empty(),
            Self::Ports(ports) => ports.is_empty(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Edges(edges) => edges.len(),
            Self::Ports(ports) => ports.len(),
        }
    }

    /// Adds the choices of the same head.
    pub(super) fn unite(&mut self, other: Choices) {
        match (self, other) {
            (Self::Edges(edges), Self::Edges(more)) => edges.extend(more),
            (Self::Ports(ports), Self::Ports(more)) => ports.unite(more),
            _ => unreachable!("the choices of one head are of one kind"),
        }
    }

    /// No choice, of the same kind.
    pub(super) fn none_like(&self) -> Choices {
        match self {
            Self::Edges(_) => Self::Edges(SmallVec::new()),
            Self::Ports(_) => Self::Ports(PortSet::default()),
        }
    }
}

/// The target of a way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Goal {
    Arm(Node),
    Inner,
    Out(LabelId),
}

/// Choices of a head with the same target.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) goal: Goal,
    pub(super) choices: Choices,
}

pub(super) type Ways = SmallVec<[Way; 2]>;

impl Emitter<'_> {
    /// The ways of the head: arms first, in the head's order, then inner, then out. The ports of a virtual head move into them.
    pub(super) fn compute_ways(&mut self, head: &mut Head) -> Result<Ways, Fallback> {
        match &mut head.site {
            Site::Real(node) => self.compute_real_ways(*node),
            Site::Virtual { ports, ready, .. } => {
                let ports = std::mem::take(ports);
                self.compute_virtual_ways(ports, ready)
            }
        }
    }

    fn compute_real_ways(&mut self, node: Node) -> Result<Ways, Fallback> {
        let mut place_of_dispatch = std::mem::take(&mut self.place_of_dispatch);
        let frame = self.frames.last().expect("invariant: a region is open");
        let context = &frame.context;
        let mut ways = Collector::default();
        let edges = self.work.edge_range(node);
        let is_inner = |target: Node| self.joins.owner(target) == self.top();
        let has_inner = edges.clone().any(|index| is_inner(self.work.edges[index].target));
        for index in edges {
            let target = self.work.edges[index].target;
            let choices = Choices::Edges(SmallVec::from_slice(&[index as u32]));
            if self.is_arm(node, target) {
                // Several edges of one head lead to one dispatch node, each with its own port.
                let place = place_of_dispatch.get_mut(target as usize).filter(|_| self.work.is_dispatch(target));
                ways.add_arm(target, choices, place);
                continue;
            }
            let goal = if is_inner(target) {
                Goal::Inner
            } else {
                match self.route(target, context)? {
                    Some(label) => Goal::Out(label),
                    None => return Err(Fallback::NoRoute),
                }
            };
            let joins = self.options.policy.joins_ways_out();
            let falls_too =
                matches!(goal, Goal::Out(label) if has_inner && (joins || self.is_next(target, label, context)));
            ways.add(if falls_too { Goal::Inner } else { goal }, choices);
        }
        self.place_of_dispatch = place_of_dispatch;
        Ok(ways.ways)
    }

    /// Returns whether `target` is reached by fall-through, not by a jump that a construct allows.
    fn is_next(&self, target: Node, label: LabelId, context: &Context) -> bool {
        Some(label) == context.next && !self.is_jump(target, context)
    }

    /// Returns whether `target` is reached by continue, break or the enclosing switch.
    pub(super) fn is_jump(&self, target: Node, context: &Context) -> bool {
        self.rank(target, context) > 0
    }

    /// Ports of `ready` become arms; the rest is split at the thresholds, inner to outer.
    fn compute_virtual_ways(&self, mut ports: PortSet, ready: &[Node]) -> Result<Ways, Fallback> {
        let frame = self.frames.last().expect("invariant: a region is open");
        let context = frame.context;
        let mut ways = Collector::default();
        for &node in ready {
            let choices = Choices::Ports(ports.take_key(self.placement[node].pos));
            ways.add_arm(node, choices, None);
        }
        let Some((_, first)) = ports.first() else { return Ok(ways.ways) };
        if self.joins.owner(self.work.node_of_port(first)) == self.top() {
            let joins = self.options.policy.joins_ways_out();
            let inner = ports.take_front(|_, port| joins || !self.is_jump(self.work.node_of_port(port), &context));
            ways.add(Goal::Inner, Choices::Ports(inner));
        }
        while let Some((_, first)) = ports.first() {
            let rank = |port: Port| self.rank(self.work.node_of_port(port), &context);
            let own = rank(first);
            let label = self.route(self.work.node_of_port(first), &context)?;
            let label = label.ok_or(Fallback::NoRoute)?;
            let part = ports.take_front(|_, port| rank(port) == own);
            ways.add(Goal::Out(label), Choices::Ports(part));
        }
        Ok(ways.ways)
    }

    /// If a virtual head only passes on, in more ways than one test distinguishes: sends all of them the nearest way. Targets further out
    /// are distinguished at the end of that way.
    pub(super) fn unite_outs(&self, head: &Head, ways: Ways) -> Ways {
        if self.options.policy.joins_ways_out() {
            return self.unite_cases(head, ways);
        }
        let is_plain = matches!(head.site, Site::Virtual { .. })
            && ways.iter().all(|way| matches!(way.goal, Goal::Out(_)))
            && (ways.len() > 2 || ways.len() == 2 && !self.is_testable(head, &ways));
        let context = self.frames.last().expect("invariant: a region is open").context;
        // A case with fall-through receives its own ports only, and distinguishes nothing.
        let is_near = |way: &Way| match way.goal {
            Goal::Out(label) if self.labels[label as usize].is_fall_through => false,
            Goal::Out(label) => Some(label) == context.next || Some(label) == context.switch,
            _ => false,
        };
        if !is_plain {
            return ways;
        }
        let mut collector = Collector::default();
        let mut nearest = None;
        for way in ways {
            if nearest.is_none() && is_near(&way) {
                nearest = Some(way.goal);
            }
            collector.add(nearest.unwrap_or(way.goal), way.choices);
        }
        collector.ways
    }

    /// An input switch whose ways all leave, but a case may not leave: one block after it distinguishes the ways.
    fn unite_cases(&self, head: &Head, ways: Ways) -> Ways {
        let is_switch =
            matches!(head.site, Site::Real(node) if self.work.kinds[node as usize] == NodeKind::InputSwitch);
        let is_out = ways.iter().all(|way| matches!(way.goal, Goal::Out(_)));
        if !is_switch || !is_out || ways.len() < 2 {
            return ways;
        }
        let mut choices = ways[0].choices.none_like();
        ways.into_iter().for_each(|way| choices.unite(way.choices));
        smallvec::smallvec![Way { goal: Goal::Inner, choices }]
    }

    /// Numbers the four kinds of exits: next, switch, continue, break. The policy determines which are allowed.
    fn rank(&self, target: Node, context: &Context) -> u32 {
        let breaks = if context.switch.is_some() { BreakTarget::Switch } else { BreakTarget::Loop };
        let exits = self.options.policy.exits(context.around, breaks);
        let open = context.in_loop.map(|index| &self.loops[index]);
        let home = self.states[target as usize].home;
        match open {
            Some(open) if exits.continues && (target == open.header || target == open.latch) => 2,
            Some(open) if exits.breaks && home < open.level => 3,
            _ => u32::from(exits.to_switch && home < context.switch_level),
        }
    }

    /// The one rule for every edge that leaves: continue, break, to the switch, to the next code. `None` if control should not fall
    /// through.
    pub(super) fn route(&self, target: Node, context: &Context) -> Result<Option<LabelId>, Fallback> {
        let open = context.in_loop.map(|index| &self.loops[index]);
        match (self.rank(target, context), open) {
            (2, Some(open)) => Ok(Some(open.continue_target)),
            (3, Some(open)) => Ok(Some(open.merge)),
            _ if self.states[target as usize].home == NONE => Err(Fallback::NoRoute),
            (1, _) => Ok(context.switch),
            _ => Ok(context.next),
        }
    }

    /// Returns whether `target` is an arm of the real head `node`: placed directly below it, or in a flat form after it, and not pending.
    fn is_arm(&self, node: Node, target: Node) -> bool {
        let spot = &self.placement[target];
        let is_below = spot.parent == node && spot.role == Role::Arm;
        self.states[target as usize].home == NONE && (is_below || self.is_adopted(target))
    }

    /// Returns whether control falls through from the subtree of `node` at the level of the region.
    pub(super) fn falls(&self, node: Node) -> bool {
        let frame = self.frames.last().expect("invariant: a region is open");
        self.leaves_to_level(node, frame.context.level) || self.leaves_by_merge(node)
    }

    /// Returns whether control goes from a case with the subtree of `node` to the merge of the switch.
    pub(super) fn falls_from_case(&self, node: Node, open: Option<&OpenLoop>) -> bool {
        let breaks = self.options.policy.exits_of_case().breaks;
        let level = open.filter(|_| breaks).map_or(0, |open| open.level);
        // A case of a flat form is left through the merge of its switch, except for edges that break a loop in it.
        let is_in_flat = open.is_some_and(|open| open.header == NONE || !breaks);
        self.leaves_to_level(node, level)
            || self.leaves_by_merge(node)
            || is_in_flat && self.leads_to_case(node)
            || !breaks && self.continues_around(node, open)
    }

    /// Returns whether any edge leaves the subtree of `node`, and the policy allows only merges as exits.
    fn leaves_by_merge(&self, node: Node) -> bool {
        let leaves = || self.exits[node as usize] != NONE || self.leads_to_case(node);
        self.options.policy.joins_ways_out() && (leaves() || self.continues_around(node, None))
    }

    /// Returns whether an edge in the subtree of `node` goes back to the header of a loop around it and around `open`, which is a break of
    /// `open`.
    fn continues_around(&self, node: Node, open: Option<&OpenLoop>) -> bool {
        let header = open.map(|open| open.header).filter(|&header| header != NONE).unwrap_or(node);
        self.outermost_continued[node as usize] < self.placement[header].pos
    }

    /// Returns whether any edge leaves the subtree of `node` to a target at `level` or deeper.
    pub(super) fn leaves_to_level(&self, node: Node, level: u32) -> bool {
        let exit = self.exits[node as usize];
        exit != NONE && self.states[exit as usize].home != NONE && self.states[exit as usize].home >= level
    }

    /// The order number of a port's node: its position, or the slot of an open header or latch.
    pub(super) fn key(&self, target: Node) -> u32 {
        let Spot { header_of_latch: header, slot, pos, .. } = self.placement[target];
        if slot != NONE && self.states[target as usize].is_open_header {
            slot
        } else if header != NONE && self.states[header as usize].is_open_header {
            self.placement[header].slot
        } else {
            pos
        }
    }
}

/// Collects ways, one for each goal.
#[derive(Default)]
struct Collector {
    ways: Ways,
    /// Indices of the ways that are not arms: a head has five at most.
    others: SmallVec<[u32; 6]>,
}

impl Collector {
    /// Adds choices for an arm. An arm that may have occurred before is looked up.
    fn add_arm(&mut self, node: Node, choices: Choices, place: Option<&mut u32>) {
        let goal = Goal::Arm(node);
        if let Some(place) = place {
            if let Some(way) = self.ways.get_mut(*place as usize).filter(|way| way.goal == goal) {
                way.choices.unite(choices);
                return;
            }
            *place = self.ways.len() as u32;
        }
        self.ways.push(Way { goal, choices });
    }

    /// Adds choices for a goal that is not an arm.
    fn add(&mut self, goal: Goal, choices: Choices) {
        let known = self.others.iter().find(|&&place| self.ways[place as usize].goal == goal);
        match known {
            Some(&place) => self.ways[place as usize].choices.unite(choices),
            None => {
                self.others.push(self.ways.len() as u32);
                self.ways.push(Way { goal, choices });
            }
        }
    }
}
