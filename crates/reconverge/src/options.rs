//! Options of compilation.

use reconverge_opencl::KernelOptions;
use reconverge_restructure::Options;
use reconverge_structurize::Policy;

use crate::pipeline::Level;
use crate::structure::{Styled, Unstructured};
use crate::{Format, Target};

/// The functions that may end the invocation (`OpKill`, `OpTerminateInvocation`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Exits {
    /// Any function.
    #[default]
    Anywhere,
    /// Functions that are not called: in HLSL, MSL and WGSL a lane goes on as a helper after `discard`, and a function cannot end its
    /// callers. Others are inlined at every level.
    InEntryPoints,
}

/// Options of compilation. The default options are those of `reconverge compile` without flags: for Vulkan, optimized for speed.
///
/// ```
/// use reconverge::{CompileOptions, Level, Target};
///
/// let options = CompileOptions::new().level(Level::None).target(Target::INPUT);
/// assert_eq!(options.level, Level::None);
/// assert_eq!(CompileOptions::new().level, Level::Speed);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Remove the merge instructions of the input and structurize it again.
    pub strip_merges: bool,
    /// Structurize every function again, with its merges as hints: lanes reconverge where they did before, also where the merges do not
    /// define a structure.
    pub merges_are_hints: bool,
    /// The functions that [`Options::policy`] and [`Options::nesting_limit`] apply to.
    pub styled: Styled,
    /// The treatment of a function of a shader that is not structured.
    pub unstructured: Unstructured,
    /// Verify the module after every pass, not only at the end.
    pub verify_each: bool,
    /// Stop after the pass of this name.
    pub stop_after: Option<String>,
    /// Optional passes, by name, in this order; a name may occur several times. Passes that lower OpenCL kernels run only if kernels were
    /// lowered, and do not change what is already lowered.
    pub passes: Vec<String>,
    /// The maximum number of optimization passes: those of the level, then those of [`passes`](Self::passes). The others are skipped. A
    /// binary search for the largest number with which a program is correct finds the pass that breaks it.
    pub bisect_limit: Option<usize>,
    /// The target environment.
    pub target: Target,
    /// Options for lowering OpenCL kernels, if the target requires it.
    pub kernel: KernelOptions,
    /// Options of the structurizer.
    pub structurize: Options,
    /// Optimization level.
    pub level: Level,
    /// The functions that may end the invocation.
    pub exits: Exits,
}

impl CompileOptions {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`strip_merges`](Self#structfield.strip_merges).
    #[must_use]
    pub const fn strip_merges(mut self, strip_merges: bool) -> Self {
        self.strip_merges = strip_merges;
        self
    }

    /// Sets [`merges_are_hints`](Self#structfield.merges_are_hints).
    #[must_use]
    pub const fn merges_are_hints(mut self, merges_are_hints: bool) -> Self {
        self.merges_are_hints = merges_are_hints;
        self
    }

    /// Sets [`styled`](Self#structfield.styled).
    #[must_use]
    pub const fn styled(mut self, styled: Styled) -> Self {
        self.styled = styled;
        self
    }

    /// Sets [`unstructured`](Self#structfield.unstructured).
    #[must_use]
    pub const fn unstructured(mut self, unstructured: Unstructured) -> Self {
        self.unstructured = unstructured;
        self
    }

    /// Sets [`verify_each`](Self#structfield.verify_each).
    #[must_use]
    pub const fn verify_each(mut self, verify_each: bool) -> Self {
        self.verify_each = verify_each;
        self
    }

    /// Sets [`stop_after`](Self#structfield.stop_after).
    #[must_use]
    pub fn stop_after(mut self, stop_after: impl Into<Option<String>>) -> Self {
        self.stop_after = stop_after.into();
        self
    }

    /// Sets [`passes`](Self#structfield.passes).
    #[must_use]
    pub fn passes(mut self, passes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.passes = passes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`bisect_limit`](Self#structfield.bisect_limit).
    #[must_use]
    pub fn bisect_limit(mut self, bisect_limit: impl Into<Option<usize>>) -> Self {
        self.bisect_limit = bisect_limit.into();
        self
    }

    /// Sets [`target`](Self#structfield.target).
    #[must_use]
    pub const fn target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Sets [`kernel`](Self#structfield.kernel).
    #[must_use]
    pub fn kernel(mut self, kernel: KernelOptions) -> Self {
        self.kernel = kernel;
        self
    }

    /// Sets [`structurize`](Self#structfield.structurize).
    #[must_use]
    pub fn structurize(mut self, structurize: Options) -> Self {
        self.structurize = structurize;
        self
    }

    /// Sets [`level`](Self#structfield.level).
    #[must_use]
    pub const fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Sets [`exits`](Self#structfield.exits).
    #[must_use]
    pub const fn exits(mut self, exits: Exits) -> Self {
        self.exits = exits;
        self
    }

    /// Returns whether a pass is within the limit, by its index among the optimizations.
    pub(crate) fn allows(&self, optimization: Option<usize>) -> bool {
        optimization.zip(self.bisect_limit).is_none_or(|(number, limit)| number <= limit)
    }

    /// The options for a module that is read from this format. Compilers to DXIL split vectors; for speed, scalars that build vectors
    /// become vectors again.
    #[must_use]
    pub fn for_input(mut self, format: Format) -> CompileOptions {
        if format.name() == "dxil" && self.level == Level::Speed {
            self.passes.insert(0, "slp_vectorize".to_owned());
        }
        self
    }

    /// The options for a module that is written in this format. A shading language has only the exits of [`Policy::Wgsl`], unless the
    /// options name a policy of their own; and in HLSL, MSL and WGSL only entry points end the invocation.
    #[must_use]
    pub fn for_output(mut self, format: Format) -> CompileOptions {
        if format.is_shading_language() && self.structurize.policy == Policy::Spirv {
            self.structurize.policy = Policy::Wgsl;
            self.styled = Styled::Everything;
        }
        self.exits = format.exits();
        self
    }
}
