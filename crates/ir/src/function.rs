//! Functions: which operand of a `func` means what.

/// Operand of a function that is its function type.
pub const FUNCTION_TYPE: usize = 0;
/// Operand of a function that is its control mask (SPIR-V section 3.24).
pub const CONTROL: usize = 1;
/// Operand of a function that is its [`Stage`](crate::Stage).
pub const STAGE: usize = 2;
