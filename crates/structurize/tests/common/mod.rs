//! Shared by the tests: graphs, a random source, one call that judges by all witnesses.
#![allow(dead_code, unused_imports, reason = "the tests and each example use their own part")]

pub(crate) mod adversaries;
pub(crate) mod generate;
pub(crate) mod shapes;

pub(crate) use reconverge_plan_check::{Lists, rules as check, show, trace as simulate};

use reconverge_structurize::{Options, Plan, structurize};

/// xorshift64*, Vigna 2016.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Structurizes, checks all rules and compares traces. Panics with the graph on a failure.
pub(crate) fn verify(graph: &Lists, options: &Options) -> Plan {
    let plan = structurize(graph, options).expect("within the limits");
    let fail = |message: String| -> ! { panic!("{message}\n{graph:?}\n{}", show(&plan)) };
    if let Some(fallback) = plan.fell_back {
        fail(format!("fell back: {fallback}"));
    }
    if plan.nesting_depth > options.nesting_limit.max(3) {
        fail(format!("nesting {} where {} are allowed", plan.nesting_depth, options.nesting_limit));
    }
    if let Err(message) = check::check(graph, &plan) {
        fail(message);
    }
    if let Err(message) = check::check_policy(&plan, options.policy) {
        fail(message);
    }
    if let Err(message) = simulate::compare(graph, &plan) {
        fail(message);
    }
    plan
}
