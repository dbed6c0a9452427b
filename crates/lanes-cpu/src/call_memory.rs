//! The memory that the code is given besides the frame and the buffers: what is at which offset.
//!
//! Selection and the encoder read it, the engine writes it, and `convention.rs` publishes it.

/// 64 bytes, aligned as vectors need it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u8; 64]);

// A context is one line, and the frames are whole lines.
const _: () = assert!(context::SIZE == size_of::<Line>() && header::SIZE as usize == size_of::<Line>());

/// Offsets in the header of a frame.
pub(crate) mod header {
    /// The offset of the resume address of the pack.
    pub(crate) const RESUME: i32 = 0;
    /// The frame of the next pack.
    pub(crate) const NEXT: i32 = 8;
    /// The number of the pack in its work-group, 64 bits.
    pub(crate) const PACK: i32 = 16;
    /// The frame of the pack before; of pack 0 its own.
    pub(crate) const BEFORE: i32 = 24;
    /// The address of the context.
    pub(crate) const CONTEXT: i32 = 32;
    /// The number of packs.
    pub(crate) const PACKS: i32 = 40;
    /// The address of the memory of the work-group.
    pub(crate) const WORKGROUP_MEMORY: i32 = 48;
    /// The address of the push constants.
    pub(crate) const PUSH_CONSTANTS: i32 = 56;
    /// Bytes of the header.
    pub(crate) const SIZE: u32 = PUSH_CONSTANTS as u32 + 8;
}

/// Offsets in the context of a work-group.
pub(crate) mod context {
    /// The first address that is near the buffers of an arena, for guarded code.
    pub(crate) const NEAR_FIRST: i32 = 0;
    /// Of a check that failed: 64 bits, the address or the index.
    pub(crate) const FAILED_VALUE: i32 = 8;
    /// Of a check that failed: a word, the pack.
    pub(crate) const FAILED_PACK: i32 = 16;
    /// Of a check that failed: a word, the lane of the pack.
    pub(crate) const FAILED_LANE: i32 = 20;
    /// The address of the ranges of memory that the launch may access, for checked code.
    pub(crate) const RANGES: i32 = 24;
    /// Three words: the number of the work-group.
    pub(crate) const WORKGROUP_ID: i32 = 32;
    /// Three words: how many work-groups there are.
    pub(crate) const WORKGROUP_COUNT: i32 = 44;
    /// The size of the region of near addresses, 64 bits.
    pub(crate) const NEAR_COUNT: i32 = 56;
    /// Bytes of the context.
    pub(crate) const SIZE: usize = NEAR_COUNT as usize + 8;
}

/// The ranges of memory that a launch may access: those that it may write first.
///
/// ```text
/// end of the ranges to write | end of all ranges | range | range | …
/// range: first address | how many accesses of 1, 2, 4 and 8 bytes begin in it, at all bytes
/// ```
pub(crate) mod ranges {
    /// After the last range that may be written.
    pub(crate) const END_OF_WRITES: i32 = 0;
    /// After the last range.
    pub(crate) const END_OF_READS: i32 = 8;
    /// The first range.
    pub(crate) const FIRST: i32 = 16;
    /// The number of accesses of one byte, in a range.
    pub(crate) const COUNTS: i32 = 8;
    /// The bytes of a range.
    pub(crate) const SIZE: i32 = 40;
}
