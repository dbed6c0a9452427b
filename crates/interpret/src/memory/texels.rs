//! Channels of texels in a buffer: loaded and stored by their bits, since a module has no types for them.

use crate::fault::Fault;
use crate::memory::Memory;
use crate::origins::Pending;
use crate::{Access, Pointer};

impl Memory {
    /// Records an access to a texel for race detection.
    pub(crate) fn note_texel(&self, access: Access, place: Pointer, size: u64) {
        if let Some(watch) = &self.watch {
            watch.note_texel(access, place, size);
        }
    }

    /// Stores the bits of a channel. An error is the component of the stored value that makes the channel undefined.
    pub(crate) fn store_channel(&mut self, place: Pointer, size: u64, bits: Result<u64, usize>) -> Result<(), Fault> {
        match bits {
            Ok(bits) => self.store_word(place, size, bits),
            Err(component) => {
                if let Some(origins) = &mut self.origins {
                    let component = Some(component);
                    origins.pending.push(Pending { place, component, before: None, source: None });
                }
                self.forget(place, Some(size))
            }
        }
    }
}
