//! The output of the lanes of a launch.

use crate::memory::Memory;

/// The text of the calls of `printf`, up to a limit.
#[derive(Debug)]
pub(crate) struct PrintedText {
    /// The number of the work-group, that of the lane in it, and the characters.
    pub(crate) calls: Vec<(u32, usize, Vec<u8>)>,
    /// The bytes that may still be printed.
    room: usize,
    /// The calls whose text did not fit.
    pub(crate) lost: u32,
    group: u32,
}

impl PrintedText {
    pub(crate) fn new(limit: usize) -> PrintedText {
        PrintedText { calls: Vec::new(), room: limit, lost: 0, group: 0 }
    }

    /// Adds the text of a call; returns whether there was room for it.
    pub(crate) fn add(&mut self, lane: usize, text: Vec<u8>) -> bool {
        let Some(room) = self.room.checked_sub(text.len()) else {
            self.lost = self.lost.saturating_add(1);
            return false;
        };
        self.room = room;
        self.calls.push((self.group, lane, text));
        true
    }
}

impl Memory {
    /// The watchers of memory learn that a work-group begins, in which the race detector numbers that many lanes.
    pub(crate) fn begins_group(&mut self, group: u32, lanes: usize) {
        if let Some(watch) = &self.watch {
            watch.begin_group(group, lanes);
        }
        self.origins.iter_mut().for_each(|origins| origins.begin_group(group));
        self.printed.iter_mut().for_each(|printed| printed.group = group);
        self.copies = Default::default();
    }
}
