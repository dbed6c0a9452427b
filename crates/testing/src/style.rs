//! The forms of a plan that are compared on consumers: policies, and the two forms of a conditional exit (`docs/policies.md`).

use reconverge_structurize::{ConditionalExit, Options, Policy};

/// How structure is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Policy `spirv`, conditional exits without a merge: the default.
    Bare,
    /// Policy `spirv`, conditional exits with a merge of their own.
    WithMerges,
    /// Policy `wgsl`.
    Wgsl,
    /// Policy `flat`.
    Flat,
}

impl Style {
    /// All of them.
    pub const ALL: [Style; 4] = [Style::Bare, Style::WithMerges, Style::Wgsl, Style::Flat];

    /// Its name, for commands and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Bare => "bare",
            Style::WithMerges => "with-merges",
            Style::Wgsl => "wgsl",
            Style::Flat => "flat",
        }
    }

    /// The style of that name.
    pub fn parse(name: &str) -> Option<Style> {
        Style::ALL.into_iter().find(|style| style.name() == name)
    }

    /// What the structurizer is told.
    pub fn options(self) -> Options {
        let (policy, conditional_exit) = match self {
            Style::Bare => (Policy::Spirv, ConditionalExit::Bare),
            Style::WithMerges => (Policy::Spirv, ConditionalExit::WithMerge),
            Style::Wgsl => (Policy::Wgsl, ConditionalExit::Bare),
            Style::Flat => (Policy::Flat, ConditionalExit::Bare),
        };
        Options { policy, conditional_exit, ..Options::default() }
    }
}
