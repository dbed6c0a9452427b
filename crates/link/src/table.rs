//! A number for each handle of a module, in an array that the system provides as zeros.
//!
//! Only the parts that are used cost memory and time, so that a table for a large module with few copied instructions is cheap.

use reconverge_ir::Inst;

/// A partial map from handles to words below `u32::MAX`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<T> {
    /// One more than the value; 0 if there is none.
    values: Vec<u32>,
    kind: std::marker::PhantomData<T>,
}

/// A value that is stored as a word below `u32::MAX`.
pub(crate) trait Word: Copy {
    fn to_word(self) -> u32;
    fn from_word(word: u32) -> Self;
}

impl Word for u32 {
    fn to_word(self) -> u32 {
        self
    }

    fn from_word(word: u32) -> u32 {
        word
    }
}

impl Word for Inst {
    fn to_word(self) -> u32 {
        self.index() as u32
    }

    fn from_word(word: u32) -> Inst {
        Inst::new(word as usize)
    }
}

impl<T: Word> Table<T> {
    /// An empty table for handles below `capacity`; it grows for others.
    pub(crate) fn new(capacity: usize) -> Table<T> {
        Table { values: vec![0; capacity], kind: std::marker::PhantomData }
    }

    pub(crate) fn get(&self, inst: Inst) -> Option<T> {
        let value = *self.values.get(inst.index())?;
        value.checked_sub(1).map(T::from_word)
    }

    pub(crate) fn set(&mut self, inst: Inst, value: T) {
        if self.values.len() <= inst.index() {
            self.values.resize(inst.index() + 1, 0);
        }
        self.values[inst.index()] = value.to_word() + 1;
    }
}
