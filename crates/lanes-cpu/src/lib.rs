//! Machine code for this CPU from masked functions: instruction selection, register allocation, encoding, execution.
//!
//! | folder | content |
//! |---|---|
//! | `machine/` | machine functions: virtual registers and x86-64 instructions, allocation, encoding, executable memory |
//! | `select/` | instruction selection: what each operation of the IR becomes, for one lane and for vectors of lanes |

mod choose;
mod engine;
pub mod machine;
pub mod select;

pub use choose::{KernelForms, Tried, Wanted};
pub use engine::{Arguments, CompileError, Kernel, Trap};
