//! Sparse data for instructions.
//!
//! ```text
//! places    – – 0 – – 2 1          by handle, up to the last with an entry
//! entries   (2, …) (6, …) (5, …)   side by side
//! ```
//!
//! Accesses in the order of creation read memory in order, which a hash map would not.

use crate::Inst;
use crate::storage::NONE;

/// A partial map from instructions. Four bytes for each handle up to the last with an entry, and an entry for each that ever had one.
/// Lookup takes constant time, and so does insertion, except for the first insertion for a handle beyond all others.
#[derive(Clone, Debug)]
pub(crate) struct SideTable<T> {
    places: Vec<u32>,
    /// A removed entry keeps its slot, because instructions are never recycled either.
    entries: Vec<(Inst, Option<T>)>,
}

impl<T> Default for SideTable<T> {
    fn default() -> Self {
        SideTable { places: Vec::new(), entries: Vec::new() }
    }
}

impl<T> SideTable<T> {
    /// Reserves memory for this number of further entries, of handles below `bound`.
    pub(crate) fn reserve(&mut self, bound: usize, entries: usize) {
        self.places.reserve(bound.saturating_sub(self.places.len()));
        self.entries.reserve(entries);
    }

    fn entry(&mut self, inst: Inst) -> Option<&mut Option<T>> {
        let place = *self.places.get(inst.index())?;
        (place != NONE).then(|| &mut self.entries[place as usize].1)
    }

    /// The entry of an instruction.
    pub(crate) fn get(&self, inst: Inst) -> Option<&T> {
        let place = *self.places.get(inst.index())?;
        self.entries.get(place as usize).and_then(|(_, value)| value.as_ref())
    }

    /// The entry of an instruction, mutable.
    pub(crate) fn get_mut(&mut self, inst: Inst) -> Option<&mut T> {
        self.entry(inst)?.as_mut()
    }

    /// Sets the entry of an instruction.
    pub(crate) fn insert(&mut self, inst: Inst, value: T) {
        if let Some(entry) = self.entry(inst) {
            *entry = Some(value);
            return;
        }
        if self.places.len() <= inst.index() {
            self.places.resize(inst.index() + 1, NONE);
        }
        self.places[inst.index()] = self.entries.len() as u32;
        self.entries.push((inst, Some(value)));
    }

    /// Removes the entry of an instruction.
    pub(crate) fn remove(&mut self, inst: Inst) -> Option<T> {
        self.entry(inst)?.take()
    }

    /// All entries, in the order in which instructions first got one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Inst, &T)> {
        self.entries.iter().filter_map(|(inst, value)| Some((*inst, value.as_ref()?)))
    }
}

impl<T: Default> SideTable<T> {
    /// The entry of an instruction, which is the default if it had none.
    pub(crate) fn get_or_default(&mut self, inst: Inst) -> &mut T {
        if self.get(inst).is_none() {
            self.insert(inst, T::default());
        }
        self.get_mut(inst).expect("invariant: it was put in")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_found_whatever_was_taken_out() {
        let mut table = SideTable::default();
        let insts = [5, 0, 9, 3, 7].map(Inst::new);
        insts.iter().for_each(|&inst| table.insert(inst, inst.index()));
        assert_eq!(
            (table.remove(insts[1]), table.remove(insts[1]), table.remove(Inst::new(100))),
            (Some(0), None, None)
        );
        assert_eq!((table.remove(insts[4]), table.remove(insts[0])), (Some(7), Some(5)));
        *table.get_or_default(insts[2]) += 1;
        *table.get_or_default(insts[1]) += 2;
        assert_eq!(insts.map(|inst| table.get(inst).copied()), [None, Some(2), Some(10), Some(3), None]);
        assert_eq!(table.iter().count(), 3);
    }
}
