//! The uniformity rules of WGSL in a build without the feature `shading`, which reads no WGSL: there are none.

use reconverge_diagnose::{Level, Severity};

use crate::diagnostics::Diagnostic;
use crate::input::Input;

/// A rule; there is none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UniformityRule {}

impl UniformityRule {
    /// The name of the rule.
    pub(crate) fn name(self) -> &'static str {
        match self {}
    }
}

/// No name means a rule.
pub(crate) fn rules_named(_: &str) -> Vec<UniformityRule> {
    Vec::new()
}

/// Nothing violates no rule.
pub(crate) fn check(_: &Input, _: &[(UniformityRule, Level)], _: Severity) -> Vec<Diagnostic> {
    Vec::new()
}
