//! Copies by a work-group that are not complete (SPIR-V section 3.3.21, `OpGroupAsyncCopy`, `OpGroupWaitEvents`).
//!
//! A copy is executed at once, but until its event is awaited the program must not access the bytes that it writes, and must not write
//! those that it reads. An event is a number; it is that of one or several copies. Waiting for one that is complete has no effect, and a copy
//! may join it again.

use reconverge_ir::Inst;

use crate::{Access, Pointer};

/// The elements that a copy reads or writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) first: Pointer,
    pub(crate) count: u64,
    /// The size of an element.
    pub(crate) size: u64,
    /// The distance of two elements in bytes.
    pub(crate) step: u64,
}

/// A copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsyncCopy {
    pub(crate) event: u64,
    pub(crate) inst: Inst,
    pub(crate) target: Elements,
    pub(crate) source: Elements,
}

/// The copies of a work-group that are not complete, in the order of their beginnings.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    begun: Vec<AsyncCopy>,
    last_event: u64,
}

impl Copies {
    /// The number of a new event.
    pub(crate) fn new_event(&mut self) -> u64 {
        self.last_event += 1;
        self.last_event
    }

    /// Returns whether an event is that of a copy of this work-group, complete or not.
    pub(crate) fn is_made(&self, event: u64) -> bool {
        (1..=self.last_event).contains(&event)
    }

    pub(crate) fn begin(&mut self, copy: AsyncCopy) {
        self.begun.push(copy);
    }

    /// The copies of an event are complete.
    pub(crate) fn complete(&mut self, event: u64) {
        self.begun.retain(|copy| copy.event != event);
    }

    /// The first copy that is not complete.
    pub(crate) fn first_awaited(&self) -> Option<Inst> {
        self.begun.first().map(|copy| copy.inst)
    }
}

impl AsyncCopy {
    /// The first byte of an access that the program must not make, and what the copy does to it.
    pub(crate) fn conflict(&self, access: Access, pointer: Pointer, size: u64) -> Option<(u64, Access)> {
        let is_write = matches!(access, Access::Write | Access::AtomicWrite);
        let written = self.target.common(pointer, size).map(|offset| (offset, Access::Write));
        written.or_else(|| self.source.common(pointer, size).filter(|_| is_write).map(|offset| (offset, Access::Read)))
    }
}

impl Elements {
    /// The offset of the first byte of an access that belongs to an element.
    fn common(&self, pointer: Pointer, size: u64) -> Option<u64> {
        if (pointer.owner, pointer.object) != (self.first.owner, self.first.object) || self.count == 0 || size == 0 {
            return None;
        }
        let (begin, own) = (i128::from(pointer.offset) - i128::from(self.first.offset), i128::from(self.size));
        let (step, count) = if self.step == 0 { (1, 1) } else { (i128::from(self.step), i128::from(self.count)) };
        // The first element that ends after the access begins.
        let index = (begin - own).div_euclid(step) + 1;
        let element = index.max(0);
        let start = element * step;
        let is_common = element < count && start < begin + i128::from(size);
        let offset = i128::from(self.first.offset) + start.max(begin);
        is_common.then(|| u64::try_from(offset).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::Elements;
    use crate::Pointer;
    use crate::value::Owner;

    #[test]
    fn common_bytes_are_those_of_both() {
        let at = |offset: i64| Pointer { owner: Owner::Group, object: 3, offset };
        for (step, count) in [(4, 5), (12, 3), (0, 2)] {
            let elements = Elements { first: at(8), count, size: 4, step };
            let is_element = |byte: i64| (0..count).any(|index| (0..4).contains(&(byte - 8 - (index * step) as i64)));
            for start in 0..60 {
                for size in 1..9 {
                    let expected = (start..start + size).find(|&byte| is_element(byte));
                    let found = elements.common(at(start), size as u64).map(|offset| offset as i64);
                    assert_eq!(found, expected, "{step} {start} {size}");
                }
            }
        }
    }
}
