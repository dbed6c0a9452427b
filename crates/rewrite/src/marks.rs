//! A set of instructions of a list, as a dense table, for mark and sweep.

use reconverge_ir::{Inst, Numbering};

/// The set. An instruction outside the list is never in it.
pub struct Marks {
    numbers: Numbering,
    is_marked: Vec<bool>,
}

impl Marks {
    /// Creates an empty set. Linear.
    pub fn none_of(insts: &[Inst]) -> Marks {
        let mut numbers = Numbering::around(insts);
        for (number, &inst) in (0..).zip(insts) {
            numbers.insert(inst, number);
        }
        Marks { numbers, is_marked: vec![false; insts.len()] }
    }

    /// Marks an instruction of the list. Returns whether it was not marked before. Constant time.
    pub fn insert(&mut self, inst: Inst) -> bool {
        self.numbers.number(inst).is_some_and(|number| !std::mem::replace(&mut self.is_marked[number as usize], true))
    }

    /// Returns whether an instruction is marked. Constant time.
    pub fn contains(&self, inst: Inst) -> bool {
        self.numbers.number(inst).is_some_and(|number| self.is_marked[number as usize])
    }
}
