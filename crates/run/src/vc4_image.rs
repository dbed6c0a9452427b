//! The memory of the VC4 that a launch begins with, and the words that its QPUs read.
//!
//! ```text
//! addresses   0x2000_0000  the data of the program, memory of work-groups, scratch memory, buffers; 4 KiB that nothing is at between them
//! ```

use reconverge_codegen::Vc4Code;
use reconverge_qpu::{Dispatch, Program, QPUS};

use crate::{Binding, RunError};

/// The address of the first region of memory.
const FIRST_ADDRESS: u32 = 0x2000_0000;
/// The bytes between regions.
const GAP: u32 = 4096;
/// The most bytes of scratch memory.
const SCRATCH_LIMIT: usize = 1 << 30;
/// The regions before those of buffers.
const OWN_REGIONS: usize = 3;

/// A launch in memory.
#[derive(Clone, Debug)]
pub struct Vc4Image {
    /// The regions of memory: their addresses, in order, and their bytes.
    pub regions: Vec<(u32, Vec<u8>)>,
    /// The words that each QPU reads.
    pub uniforms: Vec<Vec<u32>>,
    /// The address and the length of each buffer of the launch.
    pub buffers: Vec<(u32, usize)>,
}

/// The addresses of all regions.
struct Layout {
    regions: Vec<(u32, Vec<u8>)>,
    next: u32,
}

impl Layout {
    /// A place for bytes, with a gap after them.
    fn add(&mut self, bytes: Vec<u8>) -> Result<u32, RunError> {
        let address = self.next;
        let length = u32::try_from(bytes.len()).ok().and_then(|length| length.checked_add(2 * GAP));
        let next = length.and_then(|length| address.checked_add(length)).filter(|&next| next < 0x7000_0000);
        let next =
            next.ok_or_else(|| RunError::new(Vc4Code::Limit, "the buffers are more than the VC4 addresses: 1 GiB"))?;
        self.next = next & !(GAP - 1);
        self.regions.push((address, bytes));
        Ok(address)
    }
}

impl Vc4Image {
    /// The launch of a program.
    ///
    /// # Errors
    /// The buffers do not fit the address space.
    pub fn new(program: &Program, binding: &Binding) -> Result<Vc4Image, RunError> {
        let mut layout = Layout { regions: Vec::new(), next: FIRST_ADDRESS };
        let data = layout.add(program.data.clone())?;
        let local = layout.add(vec![0; (program.local_stride() * QPUS) as usize])?;
        let scratch = u64::from(program.scratch_bytes) * u64::from(program.qpus());
        let scratch = usize::try_from(scratch).ok().filter(|&bytes| bytes <= SCRATCH_LIMIT);
        let scratch = scratch.ok_or_else(|| RunError::new(Vc4Code::Limit, "private variables need more than 1 GiB"))?;
        let scratch = layout.add(vec![0; scratch])?;
        let mut buffers: Vec<(u32, usize)> = Vec::new();
        for buffer in &binding.buffers {
            // A part of a word is read with the word.
            let mut bytes = buffer.bytes.clone();
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            buffers.push((layout.add(bytes)?, buffer.bytes.len()));
        }
        let starts: Vec<u64> = buffers.iter().map(|&(start, _)| start.into()).collect();
        for ((_, bytes), buffer) in layout.regions[OWN_REGIONS..].iter_mut().zip(&binding.buffers) {
            buffer.write_addresses(bytes, &starts);
        }
        let mut push_constants = binding.push_constants.bytes.clone();
        binding.push_constants.write_addresses(&mut push_constants, &starts);
        push_constants.resize(push_constants.len().next_multiple_of(4), 0);
        let words: Vec<u32> = push_constants.chunks_exact(4).map(word_of).collect();
        let dispatch = Dispatch { groups: binding.size.groups, push_constants: &words, data, local, scratch };
        Ok(Vc4Image { uniforms: program.dispatch(&dispatch), regions: layout.regions, buffers })
    }
}

fn word_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}
