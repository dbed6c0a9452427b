//! Which blocks of the pool are free: lists by size class, linked through the blocks themselves, and what was not touched yet.

use crate::{LARGEST, LEAST, SIZE};

/// How many sizes of blocks there are.
const CLASSES: usize = class_of(LARGEST) + 1;

/// The class of the smallest blocks that a size fits in. Blocks of a class are twice as large as those of the one before. What is larger
/// than [`LARGEST`] has a class like any other size, of which there are no blocks.
pub(crate) const fn class_of(size: usize) -> usize {
    let size = if size > LEAST { size } else { LEAST };
    ((size - 1).ilog2() + 1 - LEAST.ilog2()) as usize
}

/// How many bytes blocks of a class have.
pub(crate) const fn class_size(class: usize) -> usize {
    LEAST << class
}

/// Where a block begins that was taken, in bytes from where the pool does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Taken {
    /// It was used before, and holds what it held.
    Used(usize),
    /// It is as the system gave it, zero.
    Untouched(usize),
}

impl Taken {
    pub(crate) fn offset(self) -> usize {
        let (Taken::Used(offset) | Taken::Untouched(offset)) = self;
        offset
    }
}

/// The free blocks. A list is named by where its first block begins, and one more, so that it is zero where there is none; the same stands
/// at the begin of each block for the next.
#[derive(Debug)]
pub(crate) struct Lists {
    /// By class.
    first: [u32; CLASSES],
    /// Behind it nothing was touched.
    end: usize,
}

impl Lists {
    /// All is free, and nothing touched.
    pub(crate) const fn new() -> Lists {
        Lists { first: [0; CLASSES], end: 0 }
    }

    /// Takes a block of a class: one that is free, else a part of a larger one, else what comes next. Nothing if the pool does not suffice.
    ///
    /// # Safety
    /// The pool must begin at `base`, and the lists be all that was done to it.
    pub(crate) unsafe fn take(&mut self, base: *mut u8, class: usize) -> Option<Taken> {
        // SAFETY: as the caller says.
        if let Some(offset) = unsafe { self.pop(base, class) } {
            return Some(Taken::Used(offset));
        }
        // SAFETY: as the caller says.
        if let Some(offset) = unsafe { self.cut(base, class) } {
            return Some(Taken::Used(offset));
        }
        let offset = self.end;
        self.end += class_size(class);
        if self.end > SIZE {
            self.end = offset;
            return None;
        }
        Some(Taken::Untouched(offset))
    }

    /// Takes a block of a class back.
    ///
    /// # Safety
    /// As for [`Lists::take`]; and a block of this class must have been taken there, which nobody uses any more.
    pub(crate) unsafe fn give_back(&mut self, base: *mut u8, offset: usize, class: usize) {
        // SAFETY: the block is inside the pool and free. Blocks are aligned to more than a link.
        unsafe { base.add(offset).cast::<u32>().write(self.first[class]) };
        self.first[class] = offset as u32 + 1;
    }

    /// Takes the first block off a list.
    ///
    /// # Safety
    /// As for [`Lists::take`].
    unsafe fn pop(&mut self, base: *mut u8, class: usize) -> Option<usize> {
        let offset = (self.first[class] as usize).checked_sub(1)?;
        // SAFETY: what is in a list is a free block, and its link was written as it came there.
        self.first[class] = unsafe { base.add(offset).cast::<u32>().read() };
        Some(offset)
    }

    /// Takes the first part of the smallest larger block. What is left of it are blocks of all classes in between.
    ///
    /// # Safety
    /// As for [`Lists::take`].
    #[cold]
    unsafe fn cut(&mut self, base: *mut u8, class: usize) -> Option<usize> {
        let larger = (class + 1..CLASSES).find(|&larger| self.first[larger] != 0)?;
        // SAFETY: as the caller says; the parts lie behind each other in a block that belongs to nobody.
        unsafe {
            let offset = self.pop(base, larger)?;
            (class..larger).for_each(|part| self.give_back(base, offset + class_size(part), part));
            Some(offset)
        }
    }
}
