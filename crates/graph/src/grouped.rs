//! Lists of all keys in one array (compressed sparse rows).
//!
//! Two counting passes put the items of each key next to each other and keep the order in which they
//! were given. Linear time, two allocations, whatever the number of keys.

/// For each key `0..keys` the items given for it, in the order given.
#[derive(Clone, Debug)]
pub struct Grouped<T> {
    /// Items of key `k` are `items[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Grouped<T> {
    /// Groups `(key, item)` pairs; every key is below `keys`. The iterator is walked twice. Linear.
    ///
    /// # Panics
    /// With more than `u32::MAX` items.
    pub fn compute(keys: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        // Counted two places further on: filling moves each start to where the next key starts.
        let mut starts = vec![0_u32; keys + 2];
        for (key, _) in pairs.clone() {
            starts[key as usize + 2] += 1;
        }
        let mut total = 0_u32;
        for start in &mut starts {
            total = total.checked_add(*start).expect("more than u32::MAX items");
            *start = total;
        }
        let mut items = Vec::new();
        if let Some((_, filler)) = pairs.clone().next() {
            items.resize(total as usize, filler);
        }
        for (key, item) in pairs {
            let slot = &mut starts[key as usize + 1];
            items[*slot as usize] = item;
            *slot += 1;
        }
        starts.truncate(keys + 1);
        Self { starts, items }
    }

    /// Takes the lists of the keys 0, 1, ….
    ///
    /// # Panics
    /// On more than `u32::MAX` items.
    pub fn collect<L: IntoIterator<Item = T>>(lists: impl Iterator<Item = L>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            starts.push(u32::try_from(items.len()).expect("more than u32::MAX items"));
        }
        Self { starts, items }
    }

    /// Takes lists that are grouped already: the items of key `k` are `items[starts[k]..starts[k + 1]]`.
    pub(crate) fn from_parts(starts: Vec<u32>, items: Vec<T>) -> Self {
        Self { starts, items }
    }

    /// The items of `key`. Constant time.
    #[inline]
    pub fn list(&self, key: usize) -> &[T] {
        &self.items[self.starts[key] as usize..self.starts[key + 1] as usize]
    }

    /// The items of `key`, to put them into another order. Constant time.
    #[inline]
    pub fn list_mut(&mut self, key: usize) -> &mut [T] {
        &mut self.items[self.starts[key] as usize..self.starts[key + 1] as usize]
    }

    /// The range of the items of a range of keys among all items. Constant time.
    pub(crate) fn span(&self, keys: std::ops::Range<usize>) -> std::ops::Range<usize> {
        self.starts[keys.start] as usize..self.starts[keys.end] as usize
    }

    /// The items of all keys, by key.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The number of items that all keys have together.
    pub(crate) fn total(&self) -> usize {
        self.items.len()
    }
}
