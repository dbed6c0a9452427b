//! Stages: the form of a function.

/// The form of a function. Each stage restricts what a function may contain; the verifier checks it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Anything.
    Generic,
    /// No type parameters, imports or interface values: concrete types; any control flow.
    Graph,
    /// Structured control flow: every multi-way branch carries its merge block or is a conditional exit, every loop its break and
    /// continue block, and the structured rules of SPIR-V (section 2.11) hold.
    Structured,
    /// Lanes made explicit: all lanes take every branch together, and instructions with effects have an execution mask. Conditions are
    /// uniform, and there are no merge blocks. See `docs/lanes.md`.
    Masked,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 4] = [Stage::Generic, Stage::Graph, Stage::Structured, Stage::Masked];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Generic => "generic",
            Stage::Graph => "graph",
            Stage::Structured => "structured",
            Stage::Masked => "masked",
        }
    }

    /// The stage of that name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }

    pub(crate) fn from_word(word: u32) -> Option<Stage> {
        Self::ALL.get(word as usize).copied()
    }
}

impl std::fmt::Display for Stage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}
