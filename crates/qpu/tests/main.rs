//! Tests of the compiler for the QPU.

mod arithmetic;
mod assemble;
mod execute;
mod programs;
mod simulate;
