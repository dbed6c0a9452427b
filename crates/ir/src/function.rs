//! Functions: the operands of a `func`.

use crate::view;

/// Operand of a function that is its function type.
pub const FUNCTION_TYPE: usize = view::Function::SLOT.function_type;
/// Operand of a function that is its control mask (SPIR-V section 3.24).
pub const CONTROL: usize = view::Function::SLOT.control;
/// Operand of a function that is its [`Stage`](crate::Stage).
pub const STAGE: usize = view::Function::SLOT.stage;
