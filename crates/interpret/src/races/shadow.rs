//! Shadow memory: the accesses to each byte of an object with which later accesses may race.
//!
//! A byte stores few accesses, whatever the number of lanes: of the current work-group the last plain write, two plain reads and two atomic
//! accesses by different lanes, and of earlier work-groups one of each kind. Two of one kind are enough: the lane of the next access
//! differs from at least one of them. Accesses before a barrier are replaced first, since no lane of their group races with them any more.
//! Bytes are in pages; a page stores accesses to whole words until an access is to a part of one.

use reconverge_ir::Inst;

use crate::Access;
use crate::races::happens_before::MemoryKind;

/// The size of a page.
const PAGE: usize = 64;
const WORD: usize = 4;

/// A recorded access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// The lane by its number in the grid: those of a work-group follow each other.
    pub(crate) lane: u32,
    pub(crate) group: u32,
    pub(crate) inst: Inst,
    pub(crate) access: Access,
    pub(crate) kind: MemoryKind,
    /// The number of barriers of its group that the lane had passed.
    pub(super) epoch: u32,
    /// The number of the lane's publications.
    pub(super) clock: u32,
}

/// The recorded accesses of a byte or a word.
#[derive(Clone, Debug, Default)]
struct Cell {
    write: Slots<1>,
    reads: Slots<2>,
    atomics: Slots<2>,
}

/// Accesses of one kind.
#[derive(Clone, Debug)]
struct Slots<const COUNT: usize> {
    /// Of the latest work-group.
    own: [Option<Past>; COUNT],
    /// Of an earlier one.
    older: Option<Past>,
}

/// The accesses to an object.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pages: Vec<Option<Page>>,
}

#[derive(Debug)]
enum Page {
    Words(Box<[Cell]>),
    Bytes(Box<[Cell]>),
}

impl Shadow {
    /// Records an access to a range of bytes. Returns the offset and each recorded access that may conflict with it: by another lane, one
    /// of the two a write, and not both atomic. The happens-before order is not checked.
    pub(crate) fn access(&mut self, range: std::ops::Range<usize>, new: Past, conflict: &mut dyn FnMut(usize, &Past)) {
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min((start / PAGE + 1) * PAGE);
            let cells = self.cells(start..end);
            for (offset, cell) in cells {
                cell.conflicts(&new, &mut |past| conflict(offset, past));
                cell.remember(new);
            }
            start = end;
        }
    }

    /// The cells of a range inside one page, with their offsets.
    fn cells(&mut self, range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, &mut Cell)> {
        let number = range.start / PAGE;
        if self.pages.len() <= number {
            self.pages.resize_with(number + 1, || None);
        }
        let page = self.pages[number].get_or_insert_with(|| Page::Words(vec![Cell::default(); PAGE / WORD].into()));
        if let Page::Words(words) = page
            && !(range.start.is_multiple_of(WORD) && range.end.is_multiple_of(WORD))
        {
            let bytes: Vec<Cell> = words.iter().flat_map(|word| vec![word.clone(); WORD]).collect();
            *page = Page::Bytes(bytes.into());
        }
        let (cells, size) = match page {
            Page::Words(cells) => (cells, WORD),
            Page::Bytes(cells) => (cells, 1),
        };
        let first = range.start % PAGE / size;
        let count = range.len() / size;
        cells[first..first + count].iter_mut().enumerate().map(move |(index, cell)| (range.start + index * size, cell))
    }
}

impl Cell {
    fn conflicts(&self, new: &Past, conflict: &mut dyn FnMut(&Past)) {
        let is_atomic = matches!(new.access, Access::AtomicRead | Access::AtomicWrite);
        let writes = matches!(new.access, Access::Write | Access::AtomicWrite);
        let mut check = |past: &Past| {
            if past.lane != new.lane {
                conflict(past);
            }
        };
        self.write.iter().for_each(&mut check);
        if writes {
            self.reads.iter().for_each(&mut check);
        }
        if !is_atomic {
            self.atomics.iter().filter(|past| writes || past.access == Access::AtomicWrite).for_each(&mut check);
        }
    }

    fn remember(&mut self, new: Past) {
        match new.access {
            Access::Write => self.write.remember(new),
            Access::Read => self.reads.remember(new),
            Access::AtomicRead | Access::AtomicWrite => self.atomics.remember(new),
        }
    }
}

impl<const COUNT: usize> Default for Slots<COUNT> {
    fn default() -> Slots<COUNT> {
        Slots { own: [None; COUNT], older: None }
    }
}

impl<const COUNT: usize> Slots<COUNT> {
    fn iter(&self) -> impl Iterator<Item = &Past> {
        self.own.iter().chain([&self.older]).flatten()
    }

    fn remember(&mut self, new: Past) {
        if let Some(first) = self.own[0].filter(|past| past.group != new.group) {
            self.older = Some(first);
            self.own = [None; COUNT];
        }
        let same = self.own.iter_mut().find(|slot| slot.is_some_and(|past| past.lane == new.lane));
        if let Some(slot) = same {
            let keeps = slot.is_some_and(|past| past.access == Access::AtomicWrite && past.epoch == new.epoch);
            if !keeps || new.access == Access::AtomicWrite {
                *slot = Some(new);
            }
            return;
        }
        // Prefer an empty slot, then the one with the most barriers after it; writes are kept longer than reads.
        let worth = |slot: &&mut Option<Past>| match slot {
            None => (0, 0, false),
            Some(past) => (1, past.epoch, past.access == Access::AtomicWrite),
        };
        if let Some(slot) = self.own.iter_mut().min_by_key(worth) {
            let is_worth_more =
                COUNT == 1 || slot.is_none_or(|past| past.epoch < new.epoch || past.access < new.access);
            if is_worth_more {
                *slot = Some(new);
            }
        }
    }
}
