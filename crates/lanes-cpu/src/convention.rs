//! The calling convention of a kernel, for callers other than [`Kernel::launch`]: the memory that the code is given, and what is where in it.
//!
//! ```text
//! image            constants | jump tables | prologue … epilogue
//! frame of a pack  header ─▶ context, memory of the work-group, push constants | memory of the code
//! frames           one that all packs use one after another; with barriers a ring of one for each pack
//! ```
//!
//! `docs/machine-code.md` says it step by step, with a program that does it.

use crate::call_memory::{Line, context, header, ranges};
use crate::engine::Kernel;
pub use crate::engine::SPARE_BYTES;
use crate::select::{BEFORE_WORKGROUP, Site};

/// The memory of a call of the code of a kernel. All of it is aligned to [`ALIGNMENT`].
#[derive(Clone, Copy, Debug)]
pub struct Convention<'a> {
    /// The bytes to execute. They do not depend on their address.
    pub image: &'a [u8],
    /// The offset of the function in the image: `extern "sysv64" fn(frame) -> u64`.
    pub entry: usize,
    /// The offset in the image of the resume address that a frame has before the call.
    pub resume: usize,
    /// The bytes of a frame.
    pub frame_bytes: u32,
    /// The number of frames: 1, or that of the packs of a work-group.
    pub frames: u32,
    /// The bytes of the push constants that the code may read, without those that it may read after what it computes with
    /// ([`SPARE_BYTES`]). Arguments that the code does not read may be after them.
    pub push_constant_bytes: u32,
    /// The bytes of the memory of the work-group, from its address on.
    pub workgroup_bytes: u32,
    /// The bytes before that address.
    pub bytes_before_workgroup: u32,
    /// The checks at run time. The result of a call is 0, the number of the check that failed, counted from one, or [`u32::MAX`] if packs came
    /// to different barriers.
    pub checks: &'a [Site],
}

/// The alignment of all memory of a call.
pub const ALIGNMENT: usize = align_of::<Line>();

/// The bytes of the context.
pub const CONTEXT_BYTES: usize = context::SIZE;

/// A field of a frame's header or of the context: its name, and its offset.
pub type Field = (&'static str, i32);

/// The fields of the header of a frame, 64 bits each.
pub const HEADER_FIELDS: [Field; 8] = [
    ("resume", header::RESUME),
    ("next", header::NEXT),
    ("pack", header::PACK),
    ("before", header::BEFORE),
    ("context", header::CONTEXT),
    ("packs", header::PACKS),
    ("workgroup_memory", header::WORKGROUP_MEMORY),
    ("push_constants", header::PUSH_CONSTANTS),
];

/// The fields of the context.
pub const CONTEXT_FIELDS: [Field; 8] = [
    ("near_first", context::NEAR_FIRST),
    ("near_count", context::NEAR_COUNT),
    ("ranges", context::RANGES),
    ("workgroup_id", context::WORKGROUP_ID),
    ("workgroup_count", context::WORKGROUP_COUNT),
    ("failed_value", context::FAILED_VALUE),
    ("failed_pack", context::FAILED_PACK),
    ("failed_lane", context::FAILED_LANE),
];

/// The places in the table of the memory that a launch may access, for checked code: the addresses after the last range to write and after the
/// last one, the first range; in a range the numbers of accesses of 1, 2, 4 and 8 bytes that begin in it, and its bytes.
pub const RANGES_FIELDS: [Field; 5] = [
    ("end_of_writes", ranges::END_OF_WRITES),
    ("end_of_reads", ranges::END_OF_READS),
    ("first", ranges::FIRST),
    ("counts", ranges::COUNTS),
    ("size", ranges::SIZE),
];

impl Kernel {
    /// What a caller of its code must know. Constant time.
    pub fn convention(&self) -> Convention<'_> {
        let (entry, resume) = self.code.entries();
        Convention {
            image: self.code.image(),
            entry,
            resume,
            frame_bytes: self.code.frame_size(),
            frames: self.frames(),
            push_constant_bytes: self.push_constant_bytes,
            workgroup_bytes: self.workgroup_bytes + SPARE_BYTES,
            bytes_before_workgroup: BEFORE_WORKGROUP,
            checks: &self.sites,
        }
    }
}
