//! Forms of instructions.
