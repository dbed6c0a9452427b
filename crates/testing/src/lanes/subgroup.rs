//! Subgroup operations on the words of converged lanes, by their definitions.

use crate::generators::lanes::{Reduction, Subgroup};

/// The result in each lane of `mask`; 0 elsewhere.
pub(super) fn evaluate(operation: Subgroup, words: &[u32], mask: u64) -> Vec<u32> {
    let lanes: Vec<usize> = (0..words.len()).filter(|&lane| mask >> lane & 1 == 1).collect();
    let odd = |lane: &&usize| words[**lane] & 1 == 1;
    let mut results = vec![0; words.len()];
    for (index, &lane) in lanes.iter().enumerate() {
        results[lane] = match operation {
            Subgroup::BroadcastFirst => words[lanes[0]],
            Subgroup::ShuffleLast => words[lanes[lanes.len() - 1]],
            Subgroup::ShuffleXor(bits) => {
                let other = lane ^ bits as usize;
                if lanes.contains(&other) { words[other] } else { words[lane] }
            }
            Subgroup::Reduce(reduction) => reduce(reduction, &lanes, words),
            Subgroup::Inclusive(reduction) => reduce(reduction, &lanes[..=index], words),
            Subgroup::Exclusive(reduction) => reduce(reduction, &lanes[..index], words),
            Subgroup::BallotCount => lanes.iter().filter(odd).count() as u32,
            Subgroup::BallotRank => lanes[..index].iter().filter(odd).count() as u32,
            Subgroup::Ballot => lanes.iter().filter(odd).filter(|&&other| other < 32).map(|&other| 1 << other).sum(),
        };
    }
    results
}

fn reduce(reduction: Reduction, lanes: &[usize], words: &[u32]) -> u32 {
    let identity = match reduction {
        Reduction::Add | Reduction::UnsignedMax | Reduction::Or | Reduction::Xor => 0,
        Reduction::UnsignedMin | Reduction::And => u32::MAX,
    };
    lanes.iter().fold(identity, |so_far, &lane| match reduction {
        Reduction::Add => so_far.wrapping_add(words[lane]),
        Reduction::UnsignedMin => so_far.min(words[lane]),
        Reduction::UnsignedMax => so_far.max(words[lane]),
        Reduction::And => so_far & words[lane],
        Reduction::Or => so_far | words[lane],
        Reduction::Xor => so_far ^ words[lane],
    })
}
