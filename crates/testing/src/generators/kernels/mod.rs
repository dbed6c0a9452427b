//! Random OpenCL C kernels without undefined or unspecified behaviour.
//!
//! | file | what |
//! |---|---|
//! | `tree` | a kernel as data |
//! | `make`, `expressions` | kernels from seeds |
//! | `print`, `preamble` | their source |
//! | `smaller` | what a kernel becomes if something of it goes |

mod expressions;
mod make;
mod preamble;
mod print;
mod smaller;
mod tree;

pub use make::make;
pub use preamble::preamble;
pub use print::{INPUT, SUMS, WORDS, print};
pub use smaller::smaller;
pub use tree::{
    Case, Default, Exchange, Expression, Form, Function, Kernel, LoopForm, Scalar, Statement, Variable, VariableUse,
    VectorValue,
};
