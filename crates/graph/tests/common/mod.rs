//! Graphs to test with, and definitions by brute force on sets of nodes (bits of a `u64`).

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use reconverge_graph::{Graph, Node};

/// Successor lists; node 0 is the entry.
pub(crate) type Lists = Vec<Vec<usize>>;

pub(crate) fn graph(lists: &Lists) -> Graph {
    Graph::from_successors(Node::new(0), lists.iter().map(|list| list.iter().map(|&target| Node::new(target))))
}

/// Calls `check` for every graph of 1 to 4 nodes with at most two ordered successors each.
pub(crate) fn for_each_small_graph(mut check: impl FnMut(&Lists)) {
    for len in 1..=4 {
        let mut choices: Lists = vec![vec![]];
        choices.extend((0..len).map(|target| vec![target]));
        choices.extend((0..len * len).map(|pair| vec![pair / len, pair % len]));
        for code in 0..choices.len().pow(u32::try_from(len).unwrap()) {
            let mut rest = code;
            let mut lists = Vec::new();
            for _ in 0..len {
                lists.push(choices[rest % choices.len()].clone());
                rest /= choices.len();
            }
            check(&lists);
        }
    }
}

/// Calls `check` for seeded random graphs of up to 40 nodes, sparse and dense, local and wild.
pub(crate) fn for_each_random_graph(count: u64, mut check: impl FnMut(&Lists)) {
    for seed in 1..=count {
        let _seed = ShownOnFailure(seed);
        let mut random = Random::new(seed);
        check(&random_lists(&mut random));
    }
}

/// Prints the seed in work when a check panics.
struct ShownOnFailure(u64);

impl Drop for ShownOnFailure {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("random graph of seed {}", self.0);
        }
    }
}

fn random_lists(random: &mut Random) -> Lists {
    let len = 2 + random.below(39);
    let widest = 1 + random.below(4);
    let reach = 1 + random.below(len);
    let kind = random.below(3);
    let mut lists = Vec::new();
    for source in 0..len {
        let mut list = Vec::new();
        for _ in 0..random.below(widest + 1) {
            list.push(match kind {
                0 => random.below(len),
                // Near the source: deep nests, mostly irreducible.
                1 => (source + random.below(2 * reach + 1)).saturating_sub(reach).min(len - 1),
                _ => (source + 1 + random.below(reach)).min(len - 1),
            });
        }
        // A spine, so that much is reachable; then some ways back.
        if kind > 0 && source + 1 < len && random.below(8) > 0 {
            list.insert(random.below(list.len() + 1), source + 1);
        }
        if random.below(3) == 0 {
            list.push(random.below(source + 1));
        }
        lists.push(list);
    }
    lists
}

/// A xorshift generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 16) % bound as u64).unwrap()
    }
}

/// All nodes.
pub(crate) fn everything(lists: &Lists) -> u64 {
    u64::MAX >> (64 - lists.len())
}

/// What `from` reaches inside `allowed`, itself included (nothing when it is not allowed).
pub(crate) fn reach(lists: &Lists, from: usize, allowed: u64) -> u64 {
    let mut found = allowed & 1 << from;
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        for &target in lists.get(node).filter(|_| found != 0).into_iter().flatten() {
            if allowed & !found & 1 << target != 0 {
                found |= 1 << target;
                work.push(target);
            }
        }
    }
    found
}

/// For each node the set of nodes that dominate it from `entry`: those whose removal cuts it off.
/// Empty for unreachable nodes.
pub(crate) fn dominators(lists: &Lists, entry: usize) -> Vec<u64> {
    let all = everything(lists);
    let reachable = reach(lists, entry, all);
    let mut dominators = vec![0; lists.len()];
    for removed in members(reachable) {
        let left = reach(lists, entry, all & !(1 << removed));
        for node in members(reachable & !left) {
            dominators[node] |= 1 << removed;
        }
    }
    dominators
}

/// The deepest node of a set of nodes on one way down the dominator tree.
pub(crate) fn deepest(dominators: &[u64], chain: u64) -> Option<usize> {
    members(chain).find(|&node| dominators[node] & chain == chain)
}

/// Strongly connected components of the nodes in `allowed`, as sets, trivial ones included.
pub(crate) fn components(lists: &Lists, allowed: u64) -> Vec<u64> {
    let reaches: Vec<u64> = (0..lists.len()).map(|node| reach(lists, node, allowed)).collect();
    let mut left = allowed;
    let mut found = Vec::new();
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let component = members(reaches[first]).filter(|&node| reaches[node] >> first & 1 == 1);
        let component = component.fold(0, |set, node| set | 1 << node);
        found.push(component);
        left &= !component;
    }
    found
}

/// Whether a component has an edge inside.
pub(crate) fn is_cyclic(lists: &Lists, component: u64) -> bool {
    let node = component.trailing_zeros() as usize;
    component.count_ones() > 1 || lists[node].contains(&node)
}

/// Reverse post-order by recursive traversal, last successor first.
pub(crate) fn reverse_post_order(lists: &Lists) -> Vec<usize> {
    fn visit(lists: &Lists, node: usize, seen: &mut u64, post: &mut Vec<usize>) {
        *seen |= 1 << node;
        for &target in lists[node].iter().rev() {
            if *seen >> target & 1 == 0 {
                visit(lists, target, seen, post);
            }
        }
        post.push(node);
    }
    let mut post = Vec::new();
    visit(lists, 0, &mut 0, &mut post);
    post.reverse();
    post
}

/// The members of a set, ascending.
pub(crate) fn members(set: u64) -> impl Iterator<Item = usize> + Clone {
    (0..64).filter(move |&node| set >> node & 1 == 1)
}

/// The set of some nodes.
pub(crate) fn set(nodes: &[Node]) -> u64 {
    nodes.iter().fold(0, |set, node| set | 1 << node.index())
}

/// The indices of some nodes.
pub(crate) fn indices(nodes: &[Node]) -> Vec<usize> {
    nodes.iter().map(|node| node.index()).collect()
}

/// The reversed graph with a virtual exit as its last node, by the definition that
/// `PostDominatorTree` documents.
pub(crate) fn reversed_with_exit(lists: &Lists) -> Lists {
    let exit = lists.len();
    let order = reverse_post_order(lists);
    let rank = |node: &usize| order.iter().position(|other| other == node).unwrap_or(64);
    let mut reversed = vec![vec![]; exit + 1];
    for (source, list) in lists.iter().enumerate() {
        for &target in list {
            reversed[target].push(source);
        }
    }
    for component in components(lists, everything(lists)) {
        let stays = |&node: &usize| lists[node].iter().all(|target| component >> target & 1 == 1);
        if members(component).all(|node| stays(&node)) {
            reversed[exit].push(members(component).min_by_key(rank).unwrap());
        }
    }
    reversed
}
