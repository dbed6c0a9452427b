//! Images and samplers in memory that the program writes: a front end without optimization keeps arguments in variables.
//!
//! ```text
//! store %v, %image     ⇒  the bytes of the number 1; the table has the descriptor of %image at 1
//! load %v              ⇒  the descriptor with the number 1
//! ```
//!
//! Zero is no descriptor, and other bytes are none either: a program cannot make one.

use crate::fault::{Fault, UndefinedBehaviour};
use crate::memory::Memory;
use crate::types::DESCRIPTOR_SIZE;
use crate::{Descriptor, Pointer, Value};

impl Memory {
    /// Returns whether a descriptor was stored at a place.
    pub(crate) fn has_descriptor(&self, pointer: Pointer) -> bool {
        self.load_word(pointer, DESCRIPTOR_SIZE).is_ok_and(|number| number.is_some())
    }

    /// The descriptor that was stored at a place.
    pub(crate) fn load_descriptor(&self, pointer: Pointer) -> Result<Value, Fault> {
        let Some(number) = self.load_word(pointer, DESCRIPTOR_SIZE)? else { return Ok(Value::Undefined) };
        let index = number.checked_sub(1).ok_or(UndefinedBehaviour::NullAddress)?;
        let known = usize::try_from(index).ok().and_then(|index| self.descriptors.get(index));
        known
            .map(|&descriptor| Value::Descriptor(descriptor))
            .ok_or_else(|| Fault::malformed("bytes that are no image and no sampler are loaded as one"))
    }

    /// Stores a descriptor. Linear in the number of those that were stored before.
    pub(super) fn store_descriptor(&mut self, pointer: Pointer, descriptor: Descriptor) -> Result<(), Fault> {
        let known = self.descriptors.iter().position(|&known| known == descriptor);
        let index = known.unwrap_or_else(|| {
            self.descriptors.push(descriptor);
            self.descriptors.len() - 1
        });
        self.store_word(pointer, DESCRIPTOR_SIZE, index as u64 + 1)
    }
}
