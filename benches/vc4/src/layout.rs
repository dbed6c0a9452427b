//! The memory of a launch: one region with gaps, since code of VC4C reads the words around buffers, in lanes that it does not use.

use reconverge_qpu_emulate::Memory;

const FIRST_ADDRESS: u32 = 0x2000_0000;
const GAP: usize = 4096;

/// What is in memory.
pub(crate) struct Layout {
    bytes: Vec<u8>,
}

impl Layout {
    pub(crate) fn new() -> Layout {
        Layout { bytes: vec![0; GAP] }
    }

    /// A place for bytes, with a gap behind it.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> u32 {
        let address = FIRST_ADDRESS + self.bytes.len() as u32;
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(64) + GAP, 0);
        address
    }

    /// Writes bytes to an address.
    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) {
        let start = (address - FIRST_ADDRESS) as usize;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// The memory.
    pub(crate) fn memory(self) -> Memory {
        let mut memory = Memory::new();
        memory.add(FIRST_ADDRESS, self.bytes).expect("invariant: launches are smaller than the address space");
        memory
    }
}

/// What a launch has left at some addresses.
pub(crate) fn buffers(memory: &Memory, starts: &[u32], lengths: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
    let bytes = memory.bytes(FIRST_ADDRESS).expect("invariant: the region begins there");
    let range = |start: u32, length: usize| (start - FIRST_ADDRESS) as usize..(start - FIRST_ADDRESS) as usize + length;
    starts.iter().zip(lengths).map(|(&start, length)| bytes[range(start, length)].to_vec()).collect()
}
