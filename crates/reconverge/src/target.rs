//! What a module is compiled for.

use reconverge_ir::{Module, Op};

/// `Kernel` in the enumeration of execution models, SPIR-V specification, section 3.3.
const KERNEL: u32 = 6;

/// What a module is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// Vulkan 1.2: OpenCL kernels become compute shaders, shaders stay what they are.
    #[default]
    Vulkan,
    /// What the input was made for: control flow is structurized, everything else stays.
    Input,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 2] = [Target::Vulkan, Target::Input];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Vulkan => "vulkan",
            Target::Input => "input",
        }
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Whether the module has OpenCL kernels that this target cannot run as they are.
    pub fn lowers_kernels(self, module: &Module) -> bool {
        let is_kernel =
            |inst| module.op(inst) == Op::EntryPoint && module.literal_word(module.operand(inst, 0)) == Some(KERNEL);
        self == Target::Vulkan && module.globals().any(is_kernel)
    }
}
