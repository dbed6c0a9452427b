//! Code for the QPUs of the VideoCore IV.

pub mod machine;
