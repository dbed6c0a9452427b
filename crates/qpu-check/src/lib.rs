//! Reads the machine words of the VideoCore IV QPU: prints them as text, and checks them against the rules of the hardware.
//!
//! Two independent readers of the compiler's words, each with tables of its own: they share no code with each other nor with the encoder.
//!
//! - [`disassemble()`] prints text that the assembler `vc4asm` assembles to the same words, and [`lines()`] its lines.
//! - [`check()`] reports words that break a rule of the hardware, on any path.
//!
//! The encoding is that of the VideoCore IV 3D Architecture Reference Guide (VideoCoreIV-AG100), section 3, with the corrections that the
//! addendum of `vc4asm` measured on hardware.

mod check;
mod disassemble;

pub use check::{Rule, Violation, check};
pub use disassemble::{data_reason, disassemble, lines};
