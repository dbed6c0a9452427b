//! Analyses of functions: immutable facts, each built by one call.
//!
//! The algorithms on plain graphs are those of `reconverge-graph`; this crate brings functions to them.

mod flow_graph;

pub use flow_graph::FlowGraph;
