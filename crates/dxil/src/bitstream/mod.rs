//! The bitstream of LLVM 3.7: blocks, records and abbreviations, without their meaning.
//!
//! A stream is a sequence of items. An item begins with an abbreviation id, as wide as the block says:
//!
//! ```text
//! 0  END_BLOCK        to the next word
//! 1  ENTER_SUBBLOCK   vbr8 block, vbr4 width of ids, to the next word, u32 number of words
//! 2  DEFINE_ABBREV    vbr5 number of operands, then each: literal value, or encoding with its width
//! 3  UNABBREV_RECORD  vbr6 code, vbr6 number of operands, each vbr6
//! 4…                  a record as the abbreviation with this id describes
//! ```
//!
//! Block 0 (BLOCKINFO) defines abbreviations for all later blocks of a kind. Source: "LLVM Bitcode File Format", part of LLVM's documentation.
//!
//! Nothing is trusted. A length is compared with the bits that are left before anything is allocated, and a block ends inside of the block
//! around it, exactly where its header says. Operands that an abbreviation gives as literals take no bits, so the number of all operands is
//! limited by the length of the stream: reading is linear, in time and memory. Open blocks are on an explicit stack, of at most 16.

mod abbreviation;
mod cursor;
mod stream;

pub(crate) use stream::{Event, Record, Stream};
