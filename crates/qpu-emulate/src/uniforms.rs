//! The stream of uniforms of one QPU: the list of the launch, or words of memory after a write of the address.

use crate::fault::FaultKind;
use crate::moment::Moment;
use crate::tmu::Bus;

/// The minimum number of instructions without a uniform after a write of the address.
const ADDRESS_DISTANCE: u64 = 2;

/// The uniforms of one QPU.
#[derive(Debug)]
pub(crate) struct Uniforms<'a> {
    list: &'a [u32],
    next: usize,
    moved: Option<Moved>,
}

#[derive(Debug)]
struct Moved {
    address: u32,
    /// The number of the instruction that wrote the address.
    number: u64,
}

impl<'a> Uniforms<'a> {
    pub(crate) fn new(list: &'a [u32]) -> Uniforms<'a> {
        Uniforms { list, next: 0, moved: None }
    }

    pub(crate) fn set_address(&mut self, address: u32, now: Moment) {
        self.moved = Some(Moved { address, number: now.number });
    }

    pub(crate) fn read(&mut self, bus: &Bus<'_>, now: Moment) -> Result<u32, FaultKind> {
        let Some(moved) = &mut self.moved else {
            let value = *self.list.get(self.next).ok_or(FaultKind::UniformsExhausted)?;
            self.next += 1;
            return Ok(value);
        };
        if now.number <= moved.number + ADDRESS_DISTANCE {
            return Err(FaultKind::UniformTooEarly);
        }
        let value = bus.read_cached(moved.address, FaultKind::StaleUniformRead)?;
        moved.address = moved.address.wrapping_add(4);
        Ok(value)
    }
}
