//! Targets: an open table. A target is the pipeline that leads to it, and the back end that makes machine code of the result, if the result is
//! not a module. A new one is a row here, with segments of passes, and its name in the list of all.

use std::fmt;

#[cfg(feature = "codegen")]
use reconverge_codegen::BackEnd;
use reconverge_ir::Module;

use crate::kind;
#[cfg(feature = "codegen")]
use crate::lower;
use crate::pipeline::{self, Level, PipelineStep, Segment, When};

/// The environment that a module is compiled for.
#[derive(Clone, Copy)]
pub struct Target(&'static Row);

struct Row {
    /// The name on the command line.
    name: &'static str,
    /// A summary of the result.
    summary: &'static str,
    /// The passes of the target, in order.
    pipeline: &'static [Segment],
    /// The back end that makes machine code of the result; none: the target is a module.
    #[cfg(feature = "codegen")]
    back_end: Option<BackEnd>,
}

/// The passes that convert OpenCL kernels to compute shaders.
const KERNELS_TO_SHADERS: &[Segment] = &[
    pipeline::KERNELS_TO_VALUES,
    pipeline::INLINE_EXITS,
    pipeline::SEPARATE_LOOPS,
    pipeline::KERNELS_TO_VULKAN,
    pipeline::STRUCTURE,
    pipeline::KERNELS_AFTER_STRUCTURIZING,
];

/// The table.
impl Target {
    /// Every target.
    const ALL: &[Target] = &[
        Target::VULKAN,
        #[cfg(feature = "codegen")]
        Target::CPU,
        #[cfg(feature = "codegen")]
        Target::VC4,
        Target::INPUT,
    ];

    /// Vulkan 1.2: OpenCL kernels become compute shaders, shaders are kept.
    pub const VULKAN: Target = Target(&Row {
        name: "vulkan",
        summary: "Vulkan 1.2; OpenCL kernels become compute shaders, shaders stay what they are",
        pipeline: KERNELS_TO_SHADERS,
        #[cfg(feature = "codegen")]
        back_end: None,
    });

    /// This CPU. Kernels become compute shaders, and [`lower`](crate::lower()) makes their lanes explicit.
    #[cfg(feature = "codegen")]
    pub const CPU: Target = Target(&Row {
        name: "cpu",
        summary: "this CPU; an OpenCL kernel becomes machine code",
        pipeline: KERNELS_TO_SHADERS,
        back_end: Some(BackEnd::CPU),
    });

    /// The QPUs of the VideoCore IV. Kernels become compute shaders first.
    #[cfg(feature = "codegen")]
    pub const VC4: Target = Target(&Row {
        name: "vc4",
        summary: "the QPUs of the VideoCore IV; an OpenCL kernel becomes machine code",
        pipeline: KERNELS_TO_SHADERS,
        back_end: Some(BackEnd::VC4),
    });

    /// The environment of the input: control flow is structurized, everything else stays.
    pub const INPUT: Target = Target(&Row {
        name: "input",
        summary: "the environment of the input; control flow is structurized, kernels stay kernels",
        pipeline: &[pipeline::INLINE_EXITS, pipeline::SEPARATE_LOOPS, pipeline::STRUCTURE],
        #[cfg(feature = "codegen")]
        back_end: None,
    });
}

impl Target {
    /// Every target.
    pub fn all() -> impl Iterator<Item = Target> {
        Target::ALL.iter().copied()
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// A summary of the result.
    pub const fn summary(self) -> &'static str {
        self.0.summary
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::all().find(|target| target.name() == name)
    }

    /// The steps of the target, in order, after the repairs of the input ([`REPAIRS`](pipeline::REPAIRS)).
    pub fn pipeline(self) -> impl Iterator<Item = PipelineStep> {
        self.0.pipeline.iter().copied().flatten().copied()
    }

    /// The back end that makes machine code of the module that the pipeline leads to; none if the module is the result.
    #[cfg(feature = "codegen")]
    pub fn back_end(self) -> Option<BackEnd> {
        self.0.back_end
    }

    /// The names of the passes of its back end, in order; none without one.
    pub(crate) fn passes_of_back_end(self) -> impl Iterator<Item = &'static str> {
        #[cfg(feature = "codegen")]
        let names = self.back_end().into_iter().flat_map(BackEnd::passes).map(|pass| pass.name);
        #[cfg(not(feature = "codegen"))]
        let names = std::iter::empty();
        names
    }

    /// The passes of its back end at a level, in order, with the indices of its optimizations, of which the first is `next`; none without one.
    pub(crate) fn scheduled_in_back_end(self, level: Level, next: usize) -> Vec<(&'static str, Option<usize>)> {
        #[cfg(feature = "codegen")]
        let scheduled = self.back_end().map(|back_end| lower::scheduled(back_end, level, next));
        #[cfg(not(feature = "codegen"))]
        let scheduled = {
            let _ = (level, next);
            None
        };
        scheduled.unwrap_or_default()
    }

    /// Returns whether the target lowers OpenCL kernels.
    pub fn has_kernel_passes(self) -> bool {
        self.pipeline().any(|step| matches!(step, PipelineStep::Pass(When::WithKernels, _)))
    }

    /// Returns whether the module has OpenCL kernels that the target lowers.
    pub fn lowers_kernels(self, module: &Module) -> bool {
        self.has_kernel_passes() && kind::has_kernels(module)
    }
}

impl Default for Target {
    fn default() -> Target {
        Target::VULKAN
    }
}

impl PartialEq for Target {
    fn eq(&self, other: &Target) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Target {}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
