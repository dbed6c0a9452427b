//! Machine functions: x86-64 instructions over virtual registers, in basic blocks with block parameters, and how they become code that
//! runs.
//!
//! ```text
//! MachineFunction → block order → local value numbering → rematerialization → DCE → load folding → flatten → allocate → jump threading
//! → layout → emit → executable memory
//! ```
//!
//! | file | content |
//! |---|---|
//! | `inst.rs` | machine functions as data |
//! | `block_order.rs` | blocks in reverse post-order |
//! | `local_value_numbering.rs`, `rematerialize.rs`, `dce.rs`, `fold_loads.rs` | optimizations of machine functions |
//! | `flatten.rs`, `constraints.rs`, `registers.rs` | a machine function as `regalloc2` reads it |
//! | `allocate.rs`, `slots.rs` | register allocation |
//! | `jump_threading.rs` | jumps to blocks that only test a known number |
//! | `layout.rs` | the final order of blocks; rotation of loops |
//! | `encode.rs` | instructions with physical registers, as `iced-x86` encodes them |
//! | `emit.rs`, `packs.rs` | code of a whole function, with prologue, barriers and epilogue |
//! | `executable.rs`, `code.rs` | executable memory; the call |
//! | `faults.rs`, `signals.rs` | what happens when the code accesses memory that is not there, and how it is ended |
//! | `dump.rs` | text for people and tests |
//! | `features.rs` | what this CPU can do |

mod allocate;
mod block_order;
mod code;
mod constraints;
mod dce;
mod dump;
mod emit;
mod encode;
mod executable;
mod faults;
mod features;
mod flatten;
mod fold_loads;
pub mod inst;
mod jump_threading;
mod layout;
mod local_value_numbering;
mod op_codes;
mod packs;
mod registers;
mod rematerialize;
mod shorten;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod signals;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "no_signals.rs"]
mod signals;
mod slots;

pub use code::{Code, Statistics, assemble};
pub use emit::MachinePart;
pub use faults::{Fault, NOTICES_FAULTS, Request, Watch};
pub use features::{Level, has_vector_popcnt};
pub use inst::{
    Address, Base, BlockId, Class, Condition, Implicit, Inst, MachineBlock, MachineFunction, Operand, Terminator, VReg,
};

/// The result of a call in which packs of a work-group met different barriers.
pub const DIVERGENT_BARRIER: u32 = u32::MAX;

/// The result of a call that accessed memory that is not there.
pub const FAULT: u32 = u32::MAX - 1;

/// The result of a call that was requested to end.
pub const INTERRUPTED: u32 = u32::MAX - 2;
