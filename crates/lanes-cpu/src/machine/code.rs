//! From a machine function to code that can be called.
#![expect(unsafe_code, reason = "calling generated code is what this module is for")]

use reconverge_diagnostic::Diagnostic;

use super::emit::{MachinePart, MemoryAccess};
use super::executable::Executable;
use super::inst::MachineFunction;
use super::{allocate, block_order, dce, emit, fold_loads, jump_threading, local_value_numbering, rematerialize};
use crate::error::not_assembled;
use std::ops::Range;

/// Numbers about assembled code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Machine instructions, moves and jumps included.
    pub instructions: usize,
    /// Moves, reloads and spills that the allocator added.
    pub moves: usize,
    /// Spill slots of eight bytes in a frame.
    pub spill_slots: usize,
    /// Bytes of code, without constants and jump tables.
    pub bytes: usize,
    /// True if the function was so large that registers were chosen in a hurry.
    pub is_allocated_fast: bool,
}

/// Code in executable memory.
#[derive(Debug)]
pub struct Code {
    memory: Executable,
    start: usize,
    entry: usize,
    body: Range<usize>,
    epilogue: usize,
    end: usize,
    accesses: Vec<MemoryAccess>,
    parts: Vec<MachinePart>,
    frame_size: u32,
    has_barriers: bool,
    statistics: Statistics,
}

/// Makes code of a machine function.
///
/// # Errors
/// This CPU is not an x86-64, the function needs more registers than there are, or the operating system refuses memory that is executable.
pub fn assemble(mut function: MachineFunction) -> Result<Code, Diagnostic> {
    if cfg!(not(target_arch = "x86_64")) {
        return Err(not_assembled("needs x86-64".to_owned()));
    }
    block_order::order_blocks(&mut function);
    local_value_numbering::number_values(&mut function);
    rematerialize::rematerialize_sums(&mut function);
    dce::dce(&mut function);
    fold_loads::fold_loads(&mut function);
    let mut allocated = allocate::allocate(&function)?;
    jump_threading::thread_jumps(&mut allocated);
    let image = emit::emit(&allocated)?;
    let memory = Executable::new(&image.bytes)?;
    Ok(Code {
        memory,
        start: image.start,
        entry: image.entry,
        body: image.body,
        epilogue: image.epilogue,
        end: image.bytes.len(),
        accesses: image.accesses,
        parts: image.parts,
        frame_size: image.frame_size,
        has_barriers: function.has_barriers(),
        statistics: image.statistics,
    })
}

impl Code {
    /// The bytes of a frame, a multiple of 64.
    pub fn frame_size(&self) -> u32 {
        self.frame_size
    }

    /// The address at which a pack begins: what the resume address of each frame is before the call.
    pub fn entry(&self) -> u64 {
        self.memory.address(self.entry) as u64
    }

    /// All bytes that it consists of: constants, jump tables, instructions.
    pub(crate) fn image(&self) -> &[u8] {
        &self.memory.bytes()[..self.end]
    }

    /// The offsets in the image of the function, and of where a pack begins.
    pub(crate) fn entries(&self) -> (usize, usize) {
        (self.start, self.entry)
    }

    /// Returns whether packs switch at barriers. If so, each pack needs a frame.
    pub fn has_barriers(&self) -> bool {
        self.has_barriers
    }

    /// Returns whether an address is in this code.
    pub fn contains(&self, address: usize) -> bool {
        (self.memory.address(self.start)..self.memory.address(self.end)).contains(&address)
    }

    /// The addresses of the blocks: between prologue and epilogue.
    pub(super) fn body(&self) -> Range<usize> {
        self.memory.address(self.body.start)..self.memory.address(self.body.end)
    }

    /// The address of the epilogue, which returns what is in `rax`.
    pub(super) fn epilogue(&self) -> usize {
        self.memory.address(self.epilogue)
    }

    /// Returns the origin of the instruction at an address if it accesses memory: its [`super::Inst::origin`].
    pub fn origin(&self, address: usize) -> Option<u32> {
        let offset = address.wrapping_sub(self.memory.address(0));
        let place = self.accesses.binary_search_by_key(&offset, |access| access.at).ok()?;
        Some(self.accesses[place].origin)
    }

    /// What it is made of, in its order: the first part begins with it.
    pub fn parts(&self) -> &[MachinePart] {
        &self.parts
    }

    /// Numbers about it.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Its bytes, and the address of the first one.
    pub(crate) fn bytes(&self) -> (&[u8], u64) {
        (&self.memory.bytes()[self.start..self.end], self.memory.address(self.start) as u64)
    }

    /// Runs the packs of a work-group: 0 if all came to the end, else the code of a trap.
    ///
    /// # Safety
    ///
    /// `frame` is aligned to 64 bytes, has [`Code::frame_size`] bytes, and begins with a header as the machine function expects it: number
    /// of packs, number of this pack, context, and with barriers the next frame and the resume address, for each frame of the ring. The
    /// code does what the machine function says: what it reads and writes through its addresses is valid. The CPU has the instructions
    /// that the function was made of.
    pub unsafe fn call(&self, frame: *mut u8) -> u64 {
        let address = self.memory.address(self.start) as *const ();
        // SAFETY: the address is the prologue of code that keeps the calling convention, in memory that is executable as long as `self`
        // lives. The caller guarantees the rest.
        unsafe { enter(address, frame) }
    }
}

/// Calls the prologue of generated code.
///
/// # Safety
///
/// There is such a prologue at the address; see [`Code::call`].
#[cfg(target_arch = "x86_64")]
unsafe fn enter(address: *const (), frame: *mut u8) -> u64 {
    // SAFETY: the caller guarantees that such a function begins there.
    let function = unsafe { std::mem::transmute::<*const (), extern "sysv64" fn(*mut u8) -> u64>(address) };
    function(frame)
}

/// There is no generated code to call.
///
/// # Safety
///
/// None.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn enter(_: *const (), _: *mut u8) -> u64 {
    unreachable!("code is assembled on x86-64 only")
}
