//! An emulator of the QPUs of VideoCore IV: it executes 64-bit words of code on memory, and reports the rules of the chip that they break.
//!
//! ```
//! use reconverge_qpu_emulate::{Launch, Memory, run};
//!
//! // The program end and its two delay slots.
//! let code = [0x3000_09e7_009e_7000, 0x1000_09e7_009e_7000, 0x1000_09e7_009e_7000];
//! let uniforms = [vec![]];
//! let report = run(&Launch::new(&code, &uniforms), &mut Memory::new())?;
//! assert_eq!(report.cycles, 3);
//! # Ok::<(), reconverge_qpu_emulate::Fault>(())
//! ```
//!
//! # Sources
//!
//! The model follows the VideoCore IV 3D Architecture Reference Guide (VideoCoreIV-AG100-R). Where the measurements that are published
//! with vc4asm ("Addendum to the Broadcom VideoCore IV documentation") or with VC4C (comments of its emulator) contradict the guide, it
//! follows the measurements. The crate decodes words itself: it shares no table with an encoder, a disassembler or a checker.
//!
//! # Time
//!
//! Up to twelve QPUs run in lockstep: each executes one instruction in a cycle, in the order of their numbers, unless it waits for a unit.
//! A cycle represents the four clocks in which the chip processes sixteen lanes. Latencies are constants: [`TMU_LATENCY`], [`DMA_LATENCY`]
//! and [`DMA_WORDS_PER_CYCLE`]. Caches, the arbitration of units and the fetch of instructions cost nothing.
//!
//! # Rules
//!
//! A broken rule is a [`Fault`] with a stable code ([`FaultKind::code`]), not an estimate of the chip's behaviour. Some rules are stricter
//! than the chip:
//!
//! - Distances are checked on the path that is executed, and for a write with a condition even if no lane is written.
//! - A unit is accessed by the address fields, as on the chip: an unused field that holds the address of the uniforms reads a uniform.
//! - The VPM cannot be used together with another unit in one instruction; a read and a write of its data are allowed together.
//! - An address of a lookup that is not a multiple of 4 is a fault; the chip ignores the lowest bits, and so does
//!   [`Launch::aligns_lookups`].
//! - With more than one QPU, the VPM, its setups and the start of DMA need the mutex, and a setup is lost when the mutex is acquired.
//!   DMA has to be awaited before the mutex is released.
//! - A program ends with its DMA awaited, its lookups loaded, its vectors read and the mutex released.
//!
//! # Caches
//!
//! DMA stores bypass the caches of the TMU and of the uniforms. With [`Launch::is_cache_strict`], a lookup or a uniform in an aligned line
//! of [`LINE_BYTES`] bytes of which this launch has stored a byte before is a fault, whichever QPU stored it, and whether or not the line
//! was cached. A lookup is checked when it is requested and when its result is loaded, so that a store between the two is found. A program
//! without this fault reads the same as on the chip, if the caches are cleared before the launch; a program with it may work on the chip by
//! chance.
//!
//! # Where the emulator of VC4C differs
//!
//! Programs that avoid these cases produce the same memory on both:
//!
//! - Its packs of bytes and halves into file A clear the rest of the word if all lanes are written; here, as documented, they keep it.
//! - Its carry flag of `itof` is set for a positive result, and that of `mul24` for a product of more than 32 bits.
//! - Its `fmin` and `fmax`, and its SFU, do not flush denormals; its unpacked halves that are denormal or not numbers differ.
//! - In the saturating pack modes of bytes and halves, some sums that overflow give 0.
//! - An instruction that loads a result of the TMU sees it in r4 immediately; here, the next one does.
//! - A field that holds the address of a unit accesses it only if an ALU uses the operand.
//! - The mul ALU sees flags that the add ALU sets in the same instruction.
//! - It has no vertical or laned access to the VPM, and places the columns of vertical loads by DMA side by side.
//!
//! # Not modelled
//!
//! - Textures, varyings, the tile buffer, multisampling, coordinates and flags of pixels, and threads that switch: words that use them are
//!   [`FaultKind::UnsupportedFeature`].
//! - Values behind rules: the register 39 as an operand, rotations within a quad, results of an idle ALU.
//! - Infinities and NaNs of the chip: they are the host's.
//! - That TMU and DMA share paths to memory: DMA moves its bytes when it starts.
//! - Races of the host.
//!
//! # Cost
//!
//! Linear in the executed instructions. A QPU that waits for another one is checked once in each cycle.

mod alu;
mod decode;
mod dma;
mod effects;
mod fault;
mod lanes;
mod machine;
mod memory;
mod moment;
mod pack;
mod qpu;
mod registers;
mod sfu;
mod step;
mod sync;
mod tmu;
mod uniforms;
mod vpm;

pub use alu::Rounding;
pub use dma::{DMA_LATENCY, DMA_WORDS_PER_CYCLE};
pub use fault::{Fault, FaultKind};
pub use lanes::LANES;
pub use machine::{Launch, MAX_QPUS, Report, run};
pub use memory::{LINE_BYTES, Memory, MemoryError};
pub use sfu::SFU_DROPPED_BITS;
pub use tmu::{TMU_FIFO_ENTRIES, TMU_LATENCY};
