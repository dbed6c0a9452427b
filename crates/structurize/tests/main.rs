//! The tests of this crate, as one program: it links once.

mod again;
mod behaviour;
mod common;
mod cut;
mod exhaustive;
mod forms;
mod growth;
mod hints;
mod natural;
mod node_splitting;
mod own_ir;
mod policies;
mod random;
mod shapes;
mod shrunk;
mod text;
