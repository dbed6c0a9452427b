//! Numbers by handle, for data about one function.
//!
//! Most handles of a function are close together, because it was read or built at once. A few are not, as passes created them later.
//!
//! ```text
//! handles   … 40 41 42 43 44 45 …   907        window: one number for each handle from the first on
//!              ╰── window ────╯      ╰─ others: hashed
//! ```
//!
//! So a number is found by one access to memory that is read in order, and a table is never much larger than the set that it was created
//! for.

use rustc_hash::FxHashMap;

use crate::Inst;

/// A window has at most this many handles for each that it is created for.
const SPREAD: usize = 32;
const NONE: u32 = u32::MAX;

/// A partial map from handles to numbers below `u32::MAX`.
///
/// ```
/// use reconverge_ir::{Inst, Numbering};
///
/// let handles = [7, 9, 8, 1_000_000].map(Inst::new);
/// let mut numbering = Numbering::around(&handles);
/// assert_eq!(numbering.insert(handles[3], 0), None);
/// assert_eq!(numbering.insert(handles[0], 1), None);
/// assert_eq!(numbering.insert(handles[0], 2), Some(1));
/// assert_eq!(handles.map(|handle| numbering.number(handle)), [Some(2), None, None, Some(0)]);
///
/// let numbering = Numbering::in_order(&handles);
/// assert_eq!(handles.map(|handle| numbering.number(handle)), [Some(0), Some(1), Some(2), Some(3)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    first: usize,
    window: Vec<u32>,
    others: FxHashMap<Inst, u32>,
}

impl Numbering {
    /// An empty map for these handles and those between them; it accepts all others as well. Linear.
    pub fn around<H: Copy + Into<Inst>>(handles: &[H]) -> Numbering {
        let indices = || handles.iter().map(|&handle| handle.into().index());
        let first = indices().min().unwrap_or(0);
        let limit = first + SPREAD * handles.len();
        let last = indices().filter(|&index| index < limit).max();
        Numbering { first, window: vec![NONE; last.map_or(0, |last| last + 1 - first)], others: FxHashMap::default() }
    }

    /// The map from each of these handles to its index. Linear.
    ///
    /// # Panics
    /// With `u32::MAX` handles or more.
    pub fn in_order<H: Copy + Into<Inst>>(handles: &[H]) -> Numbering {
        let mut numbering = Numbering::around(handles);
        for (number, &handle) in (0..).zip(handles) {
            numbering.insert(handle, number);
        }
        numbering
    }

    /// The number of a handle. Constant time.
    pub fn number(&self, handle: impl Into<Inst>) -> Option<u32> {
        let handle = handle.into();
        match self.window.get(handle.index().wrapping_sub(self.first)) {
            Some(&number) => (number != NONE).then_some(number),
            None => self.others.get(&handle).copied(),
        }
    }

    /// Returns whether a handle has a number. Constant time.
    pub fn contains(&self, handle: impl Into<Inst>) -> bool {
        self.number(handle).is_some()
    }

    /// Sets the number of a handle; returns the previous one. Constant time.
    ///
    /// # Panics
    /// `number` is `u32::MAX`.
    pub fn insert(&mut self, handle: impl Into<Inst>, number: u32) -> Option<u32> {
        assert_ne!(number, NONE, "numbers are below u32::MAX");
        let handle = handle.into();
        match self.window.get_mut(handle.index().wrapping_sub(self.first)) {
            Some(slot) => Some(std::mem::replace(slot, number)).filter(|&old| old != NONE),
            None => self.others.insert(handle, number),
        }
    }
}
