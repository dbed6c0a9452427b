//! Regions: nested parts of a function that lanes may execute at different times.
//!
//! ```text
//! root                          a value made in `loop`, used in `root`:
//! ├── loop        ◀ active      the use crosses the border of `loop`; where lanes leave the loop in different
//! │   └── loop                  iterations (the region is *active*), each may bring the value of another one
//! └── case fallen into
//! ```
//!
//! A region is a loop, or a case of a switch that lanes may enter by fall-through as well as by selection, or, without structure, a single
//! block. A value that does not *vary* with a region is the same in all of its instances and may leave it.
//!
//! Numbers are in preorder, so that a test for ancestors takes two comparisons; a crossing visits the regions that it leaves, at most
//! [`FAR`] of them, and treats longer paths as active as soon as any region is.

use std::sync::{Arc, LazyLock};

use reconverge_graph::AncestorTable;

/// The maximum number of borders of a crossing that are visited one by one.
const FAR: usize = 16;

/// The region of the whole function.
pub(super) const ROOT: u32 = 0;

/// The nesting of the regions of a function.
#[derive(Debug)]
struct Nesting {
    tree: AncestorTable,
    depths: Vec<u32>,
}

/// The nesting of functions without regions.
static NOTHING_NESTED: LazyLock<Arc<Nesting>> = LazyLock::new(|| Arc::new(Nesting::compute(vec![ROOT], vec![0])));

impl Nesting {
    fn compute(parents: Vec<u32>, depths: Vec<u32>) -> Nesting {
        Nesting { tree: AncestorTable::compute(parents), depths }
    }
}

/// The regions of a function. Copies share the nesting.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    nesting: Arc<Nesting>,
    /// By region, the block whose branch makes lanes leave at different times, or [`INACTIVE`].
    active: Vec<u32>,
    first_active: u32,
}

const INACTIVE: u32 = u32::MAX;

/// The root alone.
impl Default for Regions {
    fn default() -> Regions {
        Regions { nesting: Arc::clone(&NOTHING_NESTED), active: Vec::new(), first_active: INACTIVE }
    }
}

impl Regions {
    /// The tree of regions with these parents, in any order, the root at 0; and the number of each in it. Linear.
    pub(super) fn compute(parents: &[u32]) -> (Regions, Vec<u32>) {
        if parents.len() == 1 {
            return (Regions::default(), vec![ROOT]);
        }
        let mut first_child = vec![u32::MAX; parents.len()];
        let mut sibling = vec![u32::MAX; parents.len()];
        for region in (1..parents.len()).rev() {
            let parent = parents[region] as usize;
            sibling[region] = std::mem::replace(&mut first_child[parent], region as u32);
        }
        let mut numbers = vec![0_u32; parents.len()];
        let mut above = Vec::with_capacity(parents.len());
        let mut depths = Vec::with_capacity(parents.len());
        let mut stack = vec![0_u32];
        while let Some(region) = stack.pop() {
            let parent = numbers[parents[region as usize] as usize];
            numbers[region as usize] = above.len() as u32;
            depths.push(if above.is_empty() { 0 } else { depths[parent as usize] + 1 });
            above.push(parent);
            let mut child = first_child[region as usize];
            while child != u32::MAX {
                stack.push(child);
                child = sibling[child as usize];
            }
        }
        let active = vec![INACTIVE; parents.len()];
        let nesting = Arc::new(Nesting::compute(above, depths));
        (Regions { nesting, active, first_active: INACTIVE }, numbers)
    }

    /// The number of regions.
    pub(super) fn len(&self) -> usize {
        self.nesting.depths.len()
    }

    /// Records that lanes leave the region at different times, because of the branch at the end of this block. Returns false if that was
    /// known.
    pub(super) fn activate(&mut self, region: u32, branch: u32) -> bool {
        if region == ROOT || self.active[region as usize] != INACTIVE {
            return false;
        }
        self.active[region as usize] = branch;
        if self.first_active == INACTIVE {
            self.first_active = branch;
        }
        true
    }

    /// Returns whether `outer` is `inner` or contains it.
    pub(super) fn contains(&self, outer: u32, inner: u32) -> bool {
        self.nesting.tree.is_ancestor(outer, inner)
    }

    /// The innermost region that contains both: a value that varies with `varies` varies with it at `here`.
    pub(super) fn seen_from(&self, varies: u32, here: u32) -> u32 {
        match self.contains(varies, here) {
            true => varies,
            false => self.nesting.tree.lowest_common_ancestor(varies, here),
        }
    }

    /// The deeper of two regions that contain the same block.
    pub(super) fn deeper(&self, left: u32, right: u32) -> u32 {
        if self.nesting.depths[left as usize] >= self.nesting.depths[right as usize] { left } else { right }
    }

    /// The branch that makes a value which varies with `varies` differ at `here`, if one does.
    pub(super) fn crossing(&self, varies: u32, here: u32) -> Option<u32> {
        if self.first_active == INACTIVE || self.contains(varies, here) {
            return None;
        }
        let mut region = varies;
        for _ in 0..FAR {
            if self.contains(region, here) {
                return None;
            }
            if self.active[region as usize] != INACTIVE {
                return Some(self.active[region as usize]);
            }
            region = self.nesting.tree.parent(region).unwrap_or(ROOT);
        }
        (!self.contains(region, here)).then_some(self.first_active)
    }

    /// The regions whose activity determines whether a value crosses, from inside out, and whether there are too many to name.
    pub(super) fn borders(&self, varies: u32, here: u32) -> (impl Iterator<Item = u32> + '_, bool) {
        let ancestors = std::iter::successors(Some(varies), |&region| self.nesting.tree.parent(region));
        let left = move |&region: &u32| !self.contains(region, here);
        let is_far = ancestors.clone().nth(FAR).is_some_and(|region| left(&region));
        (ancestors.take(FAR).take_while(left), is_far)
    }
}
