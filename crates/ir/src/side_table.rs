//! What some instructions have and most do not, kept beside them.
//!
//! ```text
//! places    – – 0 – – 2 1          by handle, as far as there is anything
//! entries   (2, …) (6, …) (5, …)   side by side
//! ```
//!
//! Whoever asks for instructions in the order in which they were made reads memory in order, which a hashed map would scatter.

use crate::Inst;
use crate::storage::NONE;

/// A partial map from instructions. Four bytes for each handle up to the last that had something, and an entry for each that had. To ask takes
/// constant time, and so does to give, but for the first time that a handle beyond all others gets anything.
#[derive(Clone, Debug)]
pub(crate) struct SideTable<T> {
    places: Vec<u32>,
    /// What was taken away leaves its entry behind, for instructions are never made anew either.
    entries: Vec<(Inst, Option<T>)>,
}

impl<T> Default for SideTable<T> {
    fn default() -> Self {
        SideTable { places: Vec::new(), entries: Vec::new() }
    }
}

impl<T> SideTable<T> {
    fn entry(&mut self, inst: Inst) -> Option<&mut Option<T>> {
        let place = *self.places.get(inst.index())?;
        (place != NONE).then(|| &mut self.entries[place as usize].1)
    }

    /// What an instruction has.
    pub(crate) fn get(&self, inst: Inst) -> Option<&T> {
        let place = *self.places.get(inst.index())?;
        self.entries.get(place as usize).and_then(|(_, value)| value.as_ref())
    }

    /// What an instruction has, to change it.
    pub(crate) fn get_mut(&mut self, inst: Inst) -> Option<&mut T> {
        self.entry(inst)?.as_mut()
    }

    /// Gives an instruction something, in place of what it had.
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

    /// Takes from an instruction what it has.
    pub(crate) fn remove(&mut self, inst: Inst) -> Option<T> {
        self.entry(inst)?.take()
    }

    /// Everything that is kept, in the order in which instructions got anything for the first time.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Inst, &T)> {
        self.entries.iter().filter_map(|(inst, value)| Some((*inst, value.as_ref()?)))
    }
}

impl<T: Default> SideTable<T> {
    /// What an instruction has, which is nothing in particular if it had nothing.
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
