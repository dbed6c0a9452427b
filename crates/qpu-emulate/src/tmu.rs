//! Memory lookups of the two texture and memory units.
//!
//! A write of the S register requests the words at the addresses of all lanes. Results come in order, [`TMU_LATENCY`] cycles after the
//! request or later, and a load of a result waits for it. Words are read from memory at the request.

use std::collections::VecDeque;

use crate::fault::FaultKind;
use crate::lanes::Lanes;
use crate::memory::{Memory, WrittenLines};
use crate::moment::Moment;

/// Requests that may be pending in one unit. The chip has 8 entries and is not reliable with more than 4.
pub const TMU_FIFO_ENTRIES: usize = 4;

/// Cycles from a request to its result.
pub const TMU_LATENCY: u64 = 20;

/// The minimum number of instructions between a write of `tmu_noswap` and a request.
const NO_SWAP_DISTANCE: u64 = 2;

/// The memory of a launch.
pub(crate) struct Bus<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) written: WrittenLines,
    /// True if a read through a cache of a line that DMA has written is a fault.
    pub(crate) is_strict: bool,
    /// True if a lookup reads the word that contains its address.
    pub(crate) aligns_lookups: bool,
}

impl Bus<'_> {
    /// Reads a word through a cache; `stale` is the fault of a line that DMA has written.
    pub(crate) fn read_cached(&self, address: u32, stale: FaultKind) -> Result<u32, FaultKind> {
        if !address.is_multiple_of(4) {
            return Err(FaultKind::MemoryMisaligned);
        }
        let place = self.memory.find(address, 4).ok_or(FaultKind::MemoryOutOfBounds)?;
        if self.is_strict && self.written.contains(place) {
            return Err(stale);
        }
        Ok(self.memory.word_at(place))
    }
}

#[derive(Debug)]
struct Request {
    ready: u64,
    addresses: Lanes,
    values: Lanes,
}

/// The pending requests of one QPU.
#[derive(Debug, Default)]
pub(crate) struct Tmu {
    queues: [VecDeque<Request>; 2],
    /// The number of the instruction that wrote `tmu_noswap` last.
    no_swap: Option<u64>,
}

impl Tmu {
    pub(crate) fn write_no_swap(&mut self, now: Moment) {
        self.no_swap = Some(now.number);
    }

    pub(crate) fn request(&mut self, unit: u8, addresses: &Lanes, bus: &Bus<'_>, now: Moment) -> Result<(), FaultKind> {
        if self.no_swap.is_some_and(|written| now.number <= written + NO_SWAP_DISTANCE) {
            return Err(FaultKind::NoSwapDistance);
        }
        let queue = &mut self.queues[usize::from(unit)];
        if queue.len() == TMU_FIFO_ENTRIES {
            return Err(FaultKind::TmuOverflow);
        }
        let addresses = if bus.aligns_lookups { addresses.map(|address| address & !3) } else { *addresses };
        let mut values = addresses;
        for value in &mut values {
            *value = bus.read_cached(*value, FaultKind::StaleTmuRead)?;
        }
        queue.push_back(Request { ready: now.cycle + TMU_LATENCY, addresses, values });
        Ok(())
    }

    /// The cycle in which the next result is available.
    pub(crate) fn ready_at(&self, unit: u8) -> Result<u64, FaultKind> {
        self.queues[usize::from(unit)].front().map(|request| request.ready).ok_or(FaultKind::TmuEmpty)
    }

    /// The next result. A line that was written since the request is stale too.
    pub(crate) fn load(&mut self, unit: u8, bus: &Bus<'_>) -> Result<Lanes, FaultKind> {
        let request = self.queues[usize::from(unit)].pop_front().ok_or(FaultKind::TmuEmpty)?;
        for address in request.addresses {
            bus.read_cached(address, FaultKind::StaleTmuRead)?;
        }
        Ok(request.values)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }
}
