//! Values of the flags that say how kernels are lowered, and what the codes of messages about kernels mean.

use reconverge::opencl::{Fma, Pointers};

use crate::codes::{Plain, plain};

/// What the codes of messages about kernels mean.
pub(crate) const CODES: &[Plain] = &[
    plain(
        "repaired",
        "A note, not an error: the SPIR-V of a kernel has an error that its front end is known to make, such as a conversion that clang \
         left out, a call that it left unresolved, an integer for a null pointer. The message names the error, which is repaired.",
        "no change is necessary; clang at -O2 leaves out fewer conversions than at -O0",
    ),
    plain(
        "doubtful-conversion",
        "clang before version 23 writes `convert_T(x)` and `convert_T_sat(x)` of integers as the conversion of the other sign if T and \
         x have the same signedness. SPIR-V does not tell such a call from a cast, which is right.",
        "compile from the source: `reconverge compile KERNEL.cl`; or write a cast, as in `(long)x`, which clang compiles right",
    ),
    plain(
        "kernel-unsupported",
        "The OpenCL kernel uses a feature that cannot be compiled for Vulkan (exit code 3).",
        "the message names the feature and the place",
    ),
    plain(
        "kernel-rejected",
        "The module is not a valid OpenCL module: for example, it has no kernel of the requested name, an operand is not a pointer or \
         an integer where one is required, or a function of OpenCL has arguments of wrong types.",
        "the message names the operand and the instruction; `spirv-val FILE` checks the module independently, and clang 22 or newer \
         writes valid modules",
    ),
    plain(
        "kernel-unknown",
        "The module has no kernel of the name that --kernel gives (exit code 2).",
        "the message has the names of the kernels",
    ),
    plain("kernel-limit", "The OpenCL kernel exceeds a documented limit.", "the message names the limit"),
    plain(
        "no-kernel",
        "A warning, not an error: the module is an OpenCL library without kernels, so there is no compute shader to make of it. It stays \
         an OpenCL module, which Vulkan does not accept.",
        "mark the function that the host launches with `kernel`; or link the library to a module with kernels: `reconverge link`; with \
         `--target input` it is meant to stay an OpenCL module",
    ),
];

/// How 64-bit integers are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum LongIntegers {
    /// As 64-bit integers; the device needs the feature shaderInt64
    Native,
    /// As pairs of 32-bit integers, for devices without shaderInt64
    Split,
}

/// What pointers to global memory become.
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

/// How `fma` is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum FusedMultiplyAdd {
    /// As the instruction Fma, which some devices round twice; as `exact` for a driver that is known to round twice
    Device,
    /// As the instruction Fma, for devices that round once; `exp`, `log` and others use it too
    Fused,
    /// As integer arithmetic that rounds once on every device
    Exact,
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
