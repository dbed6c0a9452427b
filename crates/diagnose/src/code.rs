//! The codes: one for each check, stable across releases.
//!
//! `F` codes are about flow: control flow and memory accesses that cannot be intended. `W` codes are about uniformity: what lanes must do
//! together, according to the rules of WGSL (section 15.2) and, if it has them, of SPIR-V.
//!
//! An error breaks a rule of SPIR-V that the module alone shows: a program without errors is accepted. Code that is undefined or hangs only
//! if control reaches it is a warning, however certain the check is. Rules that only WGSL has are off.

use reconverge_diagnostic::Kind;

use crate::Level;

reconverge_diagnostic::codes! {
    /// The check of a diagnosis. Displays as its name: `F01`, `W02`.
    pub enum Code in "Checks of valid modules (reconverge check), with their level" {
        F01 = "F01" ("recursion") Rejected
            "No function calls itself, directly or through others."
            "replace it by a loop, with an array as stack if it needs one";
        F02 = "F02" ("missing return") Warning
            "A function that returns a value returns one on every path."
            "return a value there";
        F03 = "F03" ("read before write") Warning
            "A variable is written before it is read, on every path."
            "give the variable an initial value";
        F04 = "F04" ("endless loop") Warning
            "Every loop that is entered has an exit that can be taken."
            "add a condition on which the loop is left";
        F05 = "F05" ("unreachable code") Warning
            "All code is reachable."
            "remove it, or make it reachable";
        F06 = "F06" ("loop that cannot be unrolled") Warning
            "A loop that must be unrolled has a known trip count."
            "make the bound a constant, or remove the unroll request";
        W01 = "W01" ("barrier in non-uniform control flow") Warning
            "Operations that all invocations of a scope must execute together are in uniform control flow."
            "move it out of the branch, or make the condition the same for all invocations";
        W02 = "W02" ("derivative in non-uniform control flow") Warning
            "Derivatives, and texture samples with implicit derivatives, are in uniform control flow."
            "compute the derivative before the branch, or sample with an explicit level or gradient";
        W03 = "W03" ("subgroup operation in non-uniform control flow") Off
            "Subgroup and quad operations are in uniform control flow."
            "move it out of the branch, or make the condition the same for the subgroup";
        W04 = "W04" ("operand must be uniform") Warning
            "An operand that must be uniform is the same for all invocations."
            "pass the value of one invocation to all of them first, for example with a broadcast of the first one";
        W05 = "W05" ("shuffle distance must be uniform") Off
            "The delta of a shuffle up or down and the mask of a shuffle xor are the same for the subgroup."
            "use a shuffle, which takes any lane";
        W06 = "W06" ("not proved to be uniform") Off
            "What W01 and W04 require can be proved."
            "read the value with an operation whose result is always uniform, such as `workgroupUniformLoad`, or keep this check off";
    }
}

impl Code {
    /// The default level of the check.
    pub const fn level(self) -> Level {
        match self.declared().kind {
            Kind::Rejected => Level::Error,
            Kind::Off => Level::Off,
            _ => Level::Warning,
        }
    }

    /// The title of the check, in a few words.
    pub const fn title(self) -> &'static str {
        self.declared().title
    }

    /// The rule, in one sentence.
    pub const fn rule(self) -> &'static str {
        self.declared().meaning
    }

    /// The suggestion of a fix.
    pub const fn suggestion(self) -> &'static str {
        self.declared().help
    }

    /// The code of a name.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The name of the WGSL rule that can be filtered (`@diagnostic`), for the codes that come from one.
    pub const fn wgsl_rule(self) -> Option<&'static str> {
        match self {
            Code::W02 => Some("derivative_uniformity"),
            Code::W03 | Code::W05 => Some("subgroup_uniformity"),
            _ => None,
        }
    }

    /// Returns whether the check is about what lanes must do together.
    pub const fn is_about_uniformity(self) -> bool {
        use Code::{W01, W02, W03, W04, W05, W06};
        matches!(self, W01 | W02 | W03 | W04 | W05 | W06)
    }

    /// Returns whether WGSL makes what the check finds an error, unless programs filter it.
    pub const fn is_wgsl_error(self) -> bool {
        use Code::{F01, F02, F04, W01, W02, W03, W04, W05, W06};
        matches!(self, F01 | F02 | F04 | W01 | W02 | W03 | W04 | W05 | W06)
    }
}
