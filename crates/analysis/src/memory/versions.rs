//! Maps from chains to states that share their common parts: a block has the map of the block before it, except for changes.
//!
//! ```text
//! map of ^a    ●───────┐          map of ^b, which differs in chain 6
//!             ╱ ╲      ● ───────────╲
//!         0…3    4…7 ◄─╯ no: 0…3 is shared, 4…7 is new
//! ```
//!
//! A map is a tree of fixed depth over the digits of the chain's number in base 4. Nodes never change after another map may share them; a
//! node made since [`Versions::freeze`] is still written in place. The difference of two maps is found by walking where their nodes differ,
//! so at a join only the chains written since the paths diverged are visited. (Driscoll, Sarnak, Sleator and Tarjan 1989, "Making data
//! structures persistent", section 2, path copying.) Setting and finding take the logarithm of the number of chains.

use rustc_hash::FxHashSet;

/// The number of children of a node.
const WIDTH: usize = 4;
const BITS: u32 = 2;

/// A map, by its root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Version(u32);

/// All maps of a function.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    nodes: Vec<[u32; WIDTH]>,
    /// The number of nodes on the path to a state.
    levels: u32,
    /// Nodes from here on belong to the current map alone.
    frozen: u32,
}

impl Versions {
    /// The first map, in which chain `c` has the state `first + c`.
    pub(super) fn new(chains: u32, first: u32) -> (Versions, Version) {
        let mut versions = Versions { nodes: Vec::new(), levels: 1, frozen: 0 };
        while (chains as u64) > 1 << (BITS * versions.levels) {
            versions.levels += 1;
        }
        let mut level: Vec<u32> = (first..first + chains.max(1)).collect();
        for _ in 0..versions.levels {
            let nodes = level.chunks(WIDTH).map(|chunk| {
                let mut node = [0; WIDTH];
                node[..chunk.len()].copy_from_slice(chunk);
                node
            });
            let start = versions.nodes.len() as u32;
            versions.nodes.extend(nodes);
            level = (start..versions.nodes.len() as u32).collect();
        }
        versions.freeze();
        (versions, Version(level[0]))
    }

    /// Freezes all maps.
    pub(super) fn freeze(&mut self) {
        self.frozen = self.nodes.len() as u32;
    }

    /// The state of a chain.
    pub(super) fn state(&self, version: Version, chain: u32) -> u32 {
        let mut value = version.0;
        for level in (0..self.levels).rev() {
            value = self.nodes[value as usize][digit(chain, level)];
        }
        value
    }

    /// The map with another state for a chain.
    pub(super) fn set(&mut self, version: Version, chain: u32, state: u32) -> Version {
        let root = self.own(version.0);
        let mut node = root;
        for level in (1..self.levels).rev() {
            let digit = digit(chain, level);
            let child = self.own(self.nodes[node as usize][digit]);
            self.nodes[node as usize][digit] = child;
            node = child;
        }
        self.nodes[node as usize][digit(chain, 0)] = state;
        Version(root)
    }

    /// The chains whose states in two maps differ, except those below nodes of the second map in `seen`. Adds the visited nodes to `seen`.
    pub(super) fn difference(
        &self,
        from: Version,
        to: Version,
        seen: &mut FxHashSet<u32>,
        mut found: impl FnMut(u32),
    ) -> usize {
        let mut pending = vec![(from.0, to.0, self.levels, 0)];
        let mut steps = 0;
        while let Some((from, to, levels, prefix)) = pending.pop() {
            if from == to || !seen.insert(to) {
                continue;
            }
            steps += 1;
            let pairs = self.nodes[from as usize].into_iter().zip(self.nodes[to as usize]);
            for (digit, (from, to)) in (0..).zip(pairs) {
                let prefix = prefix << BITS | digit;
                match levels {
                    1 if from != to => found(prefix),
                    1 => {}
                    _ => pending.push((from, to, levels - 1, prefix)),
                }
            }
        }
        steps
    }

    /// The node itself if it belongs to the current map, or a copy that does.
    fn own(&mut self, node: u32) -> u32 {
        if node >= self.frozen {
            return node;
        }
        self.nodes.push(self.nodes[node as usize]);
        self.nodes.len() as u32 - 1
    }
}

fn digit(chain: u32, level: u32) -> usize {
    (chain >> (BITS * level)) as usize % WIDTH
}
