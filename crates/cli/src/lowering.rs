//! Values of the flags that say how kernels are lowered, and what the codes of messages about kernels mean.

use reconverge::codegen::BackEnd;
use reconverge::opencl::{Fma, Int64, Pointers};

/// The lowering of 64-bit integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum LongIntegers {
    /// As 64-bit integers; the device needs the feature shaderInt64
    Native,
    /// As pairs of 32-bit integers, for devices without shaderInt64
    Split,
}

impl From<LongIntegers> for Int64 {
    fn from(integers: LongIntegers) -> Int64 {
        match integers {
            LongIntegers::Native => Int64::Native,
            LongIntegers::Split => Int64::Split,
        }
    }
}

/// The form of pointers to global memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum PointerForm {
    /// As 64-bit device addresses
    Addresses,
    /// As bindings of storage buffers, without 64-bit and narrow integers: for Vulkan 1.1 without features, and WebGPU
    Bindings,
}

impl From<PointerForm> for Pointers {
    fn from(form: PointerForm) -> Pointers {
        match form {
            PointerForm::Addresses => Pointers::Addresses,
            PointerForm::Bindings => Pointers::Bindings,
        }
    }
}

/// The lowering of `fma`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum FusedMultiplyAdd {
    /// As the instruction Fma, which some devices round twice; as `exact` for a driver that is known to round twice
    Device,
    /// As the instruction Fma, for devices that round once; `exp`, `log` and others use it too
    Fused,
    /// As integer arithmetic that rounds once on every device
    Exact,
}

impl FusedMultiplyAdd {
    /// The error of asking a machine without a fused product and sum for one: `fused` would round twice there.
    pub(crate) fn unmet_need(self, machine: BackEnd, flag: &str) -> Option<String> {
        let has_fused = machine.kernel_options().fma == Fma::Fused;
        let title = machine.name().title;
        (self == FusedMultiplyAdd::Fused && !has_fused).then(|| {
            format!("{flag} fused needs an instruction that rounds once, and {title} has none: use {flag} exact")
        })
    }
}

impl From<FusedMultiplyAdd> for Fma {
    fn from(fma: FusedMultiplyAdd) -> Fma {
        match fma {
            FusedMultiplyAdd::Device => Fma::Device,
            FusedMultiplyAdd::Fused => Fma::Fused,
            FusedMultiplyAdd::Exact => Fma::Exact,
        }
    }
}
