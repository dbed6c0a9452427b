//! Matches the operations of two runs, and compares their results.
//!
//! Lane by lane: the same instruction, as often as the lane has executed it. What is left, because a pass copied or replaced the
//! instruction, is paired by what it does, in the order of the lane. Lanes that one run has together in an operation may be in several
//! operations of the other.
//!
//! ```text
//! before  ballot {0 1 2}                ⇒  (ballot {0 1 2}, ballot {0 1}): other lanes
//! after   ballot {0 1}, ballot {2}         (ballot {0 1 2}, ballot {2}):   other lanes
//! ```
//!
//! Operations that a run does not have because a limit ended it are not compared.
//!
//! Linear in the operations and their lanes, except for sorting. An undefined result before agrees with any.

use std::collections::{BTreeMap, VecDeque};

use super::data::{LaneLimits, LaneRun, Operation, OperationPair, Verdict};
use super::recorder::UNDEFINED;

/// A pair that is not judged yet: no operation comes after all operations.
type Key = (u32, u32);
const NONE: u32 = u32::MAX;

/// Compares two runs.
pub(super) fn compare(before: &LaneRun, after: &LaneRun) -> Vec<OperationPair> {
    let mut lanes_of: BTreeMap<Key, u32> = BTreeMap::new();
    for lane in 0..LaneLimits::LANES {
        for key in pairs_of_lane(before, after, lane) {
            *lanes_of.entry(key).or_default() |= 1 << lane;
        }
    }
    let is_behind_limit =
        |&(&(one, other), _): &(&Key, &u32)| one == NONE && before.is_cut || other == NONE && after.is_cut;
    let judged = |(&(one, other), &lanes): (&Key, &u32)| {
        let [one, other] = [one, other].map(|place| (place != NONE).then_some(place));
        let verdict = match (one, other) {
            (Some(one), Some(other)) => {
                judge(&before.operations[one as usize], &after.operations[other as usize], lanes)
            }
            (Some(_), None) => Verdict::OnlyBefore,
            (None, _) => Verdict::OnlyAfter,
        };
        OperationPair { before: one, after: other, lanes, verdict }
    };
    lanes_of.iter().filter(|pair| !is_behind_limit(pair)).map(judged).collect()
}

fn judge(before: &Operation, after: &Operation, lanes: u32) -> Verdict {
    let differs = |lane: usize| {
        let [one, other] = [before, after].map(|operation| operation.value(lane));
        one != other && one != Some(UNDEFINED)
    };
    if before.lanes != after.lanes {
        return Verdict::OtherLanes;
    }
    let mut members = (0..LaneLimits::LANES).filter(|lane| lanes >> lane & 1 == 1);
    if members.any(differs) { Verdict::OtherValues } else { Verdict::Agree }
}

/// The pairs of one lane.
fn pairs_of_lane(before: &LaneRun, after: &LaneRun, lane: usize) -> Vec<Key> {
    let [ours, theirs] = [before, after].map(|run| {
        let numbered = run.operations.iter().enumerate();
        numbered.filter(|(_, one)| one.lanes >> lane & 1 == 1).map(|(place, _)| place as u32).collect::<Vec<u32>>()
    });
    let inst = |run: &LaneRun, place: u32| run.operations[place as usize].inst;
    let (mut pairs, ours, theirs) = paired(&ours, &theirs, |place| inst(before, place), |place| inst(after, place));
    let (alike, ours, theirs) = paired(&ours, &theirs, |place| kind(before, place), |place| kind(after, place));
    pairs.extend(alike);
    pairs.extend(ours.into_iter().map(|place| (place, NONE)));
    pairs.extend(theirs.into_iter().map(|place| (NONE, place)));
    pairs
}

/// The kind of an operation. OpenCL's and Vulkan's operations of the same kind have the same name after their prefixes.
fn kind(run: &LaneRun, place: u32) -> &str {
    let op = run.operations[place as usize].op.as_str();
    ["group_non_uniform_", "subgroup_", "group_"].iter().find_map(|prefix| op.strip_prefix(prefix)).unwrap_or(op)
}

/// Pairs places with the same name, the first with the first, and so on. Also returns what is left of both.
fn paired<N: Ord>(
    ours: &[u32],
    theirs: &[u32],
    our_name: impl Fn(u32) -> N,
    their_name: impl Fn(u32) -> N,
) -> (Vec<Key>, Vec<u32>, Vec<u32>) {
    let mut waiting: BTreeMap<N, VecDeque<u32>> = BTreeMap::new();
    for &place in theirs {
        waiting.entry(their_name(place)).or_default().push_back(place);
    }
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    for &place in ours {
        match waiting.get_mut(&our_name(place)).and_then(VecDeque::pop_front) {
            Some(other) => pairs.push((place, other)),
            None => left.push(place),
        }
    }
    let mut unpaired: Vec<u32> = waiting.into_values().flatten().collect();
    unpaired.sort_unstable();
    (pairs, left, unpaired)
}
