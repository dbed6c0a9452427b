//! The tests of this crate, as one program: it links once.

mod assume;
mod check;
mod common;
mod dxil;
mod effects;
mod exit_codes;
mod files;
mod first_contact;
mod front_ends;
mod graph;
mod kernels;
mod limits;
mod link;
mod messages;
mod options;
mod pages;
mod readme;
mod report;
mod run;
mod run_on_cpu;
mod shading;
mod sources;
mod structure;
mod vc4;
