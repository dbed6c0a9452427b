//! Machine functions: x86-64 instructions over virtual registers, in basic blocks with block parameters.

pub mod inst;

pub use inst::{
    Address, Base, BlockId, Class, Condition, Implicit, Inst, MachineBlock, MachineFunction, Operand, Terminator, VReg,
};
