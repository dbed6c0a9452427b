//! The codes: one for each check, stable across releases.
//!
//! `F` codes are about flow: control flow and memory accesses that cannot be intended. `W` codes are about uniformity: what lanes must do
//! together, according to the rules of WGSL (section 15.2) and, if it has them, of SPIR-V.
//!
//! An error breaks a rule of SPIR-V that the module alone shows: a program without errors is accepted. Code that is undefined or hangs only
//! if control reaches it is a warning, however certain the check is. Rules that only WGSL has are off.

use std::fmt;

use crate::Level;

macro_rules! codes {
    ($( $variant:ident $level:ident $title:literal $rule:literal $suggestion:literal; )*) => {
        /// The check of a diagnosis. Displays as its name: `F01`, `W02`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $( #[doc = $rule] $variant, )*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[ $( Code::$variant, )* ];

            /// The default level of the check.
            pub const fn level(self) -> Level {
                match self { $( Code::$variant => Level::$level, )* }
            }

            /// A short description of the finding.
            pub const fn title(self) -> &'static str {
                match self { $( Code::$variant => $title, )* }
            }

            /// The rule, in one sentence.
            pub const fn rule(self) -> &'static str {
                match self { $( Code::$variant => $rule, )* }
            }

            /// A suggestion to fix it.
            pub const fn suggestion(self) -> &'static str {
                match self { $( Code::$variant => $suggestion, )* }
            }

            /// The name, as it displays.
            pub const fn name(self) -> &'static str {
                match self { $( Code::$variant => stringify!($variant), )* }
            }

            /// The page that explains the check, with a program that it reports and a similar one that it does not: Markdown, the file
            /// `docs/diagnostics/CODE.md`.
            pub const fn page(self) -> &'static str {
                match self {
                    $( Code::$variant => {
                        include_str!(concat!("../../../docs/diagnostics/", stringify!($variant), ".md"))
                    } )*
                }
            }
        }
    };
}

codes! {
    F01 Error "recursion"
        "No function calls itself, directly or through others."
        "replace it by a loop, with an array as stack if it needs one";
    F02 Warning "missing return"
        "A function that returns a value returns one on every path."
        "return a value there";
    F03 Warning "read before write"
        "A variable is written before it is read, on every path."
        "give the variable an initial value";
    F04 Warning "endless loop"
        "Every loop that is entered has an exit that can be taken."
        "add a condition on which the loop is left";
    F05 Warning "unreachable code"
        "All code is reachable."
        "remove it, or make it reachable";
    F06 Warning "loop that cannot be unrolled"
        "A loop that must be unrolled has a known trip count."
        "make the bound a constant, or remove the unroll request";
    W01 Warning "barrier in non-uniform control flow"
        "Operations that all invocations of a scope must execute together are in uniform control flow."
        "move it out of the branch, or make the condition the same for all invocations";
    W02 Warning "derivative in non-uniform control flow"
        "Derivatives, and texture samples with implicit derivatives, are in uniform control flow."
        "compute the derivative before the branch, or sample with an explicit level or gradient";
    W03 Off "subgroup operation in non-uniform control flow"
        "Subgroup and quad operations are in uniform control flow."
        "move it out of the branch, or make the condition the same for the subgroup";
    W04 Warning "operand must be uniform"
        "An operand that must be uniform is the same for all invocations."
        "pass the value of one invocation to all of them first, for example with a broadcast of the first one";
    W05 Off "shuffle distance must be uniform"
        "The delta of a shuffle up or down and the mask of a shuffle xor are the same for the subgroup."
        "use a shuffle, which takes any lane";
    W06 Off "not proved to be uniform"
        "What W01 and W04 require can be proved."
        "read the value with an operation whose result is always uniform, such as `workgroupUniformLoad`, or keep this check off";
}

impl Code {
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

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
