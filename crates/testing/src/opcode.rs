//! The opcodes that the tests look for in the words of SPIR-V.

use spirv::Op;

pub(crate) const BRANCH: u32 = Op::Branch as u32;
pub(crate) const BRANCH_CONDITIONAL: u32 = Op::BranchConditional as u32;
pub(crate) const FUNCTION: u32 = Op::Function as u32;
pub(crate) const FUNCTION_END: u32 = Op::FunctionEnd as u32;
pub(crate) const LABEL: u32 = Op::Label as u32;
pub(crate) const LOOP_MERGE: u32 = Op::LoopMerge as u32;
pub(crate) const PHI: u32 = Op::Phi as u32;
pub(crate) const SELECTION_MERGE: u32 = Op::SelectionMerge as u32;
pub(crate) const SWITCH: u32 = Op::Switch as u32;
pub(crate) const VARIABLE: u32 = Op::Variable as u32;
