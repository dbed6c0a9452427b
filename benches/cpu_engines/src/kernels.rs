//! The kernels that are measured: source, SPIR-V and launch.

use reconverge_run::Launch;

use crate::launches;

/// A kernel.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    /// OpenCL C.
    pub(crate) source: &'static str,
    /// The source compiled by clang 22 at -O2.
    pub(crate) spirv: &'static [u8],
    pub(crate) kind: Kind,
    launch: fn() -> Launch,
}

/// What decides the speed of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Lanes that leave loops in different iterations.
    DivergentArithmetic,
    /// Lanes that read tables at different places, and branch by what they read.
    DivergentTables,
    /// Arrays of a work-item.
    PrivateArrays,
    /// Local memory and barriers, so a work-item cannot run alone.
    Barriers,
    /// All lanes do the same with adjacent elements.
    Regular,
    /// No work: for the cost of a work-group.
    Empty,
}

macro_rules! kernel {
    ($name:literal, $kind:ident, $launch:ident) => {
        Kernel {
            name: $name,
            source: include_str!(concat!("../kernels/", $name, ".cl")),
            spirv: include_bytes!(concat!("../kernels/", $name, ".spv")),
            kind: Kind::$kind,
            launch: launches::$launch,
        }
    };
}

pub(crate) const KERNELS: [Kernel; 17] = [
    kernel!("mandel_f", DivergentArithmetic, pixels),
    kernel!("mandelbrot", DivergentArithmetic, pixels),
    kernel!("collatz", DivergentArithmetic, collatz),
    kernel!("bytecode_vm", DivergentTables, bytecode_vm),
    kernel!("bvh_traverse", DivergentTables, bvh_traverse),
    kernel!("sudoku", DivergentTables, sudoku),
    kernel!("base64_decode", PrivateArrays, base64_decode),
    kernel!("bignum_mul", PrivateArrays, bignum_mul),
    kernel!("sha256_block", PrivateArrays, sha256_block),
    kernel!("bitonic_sort", Barriers, bitonic_sort),
    kernel!("matmul", Barriers, matmul),
    kernel!("hist", Barriers, hist),
    kernel!("scan", Barriers, scan),
    kernel!("nbody", Regular, nbody),
    kernel!("stencil", Regular, stencil),
    kernel!("blackscholes", Regular, blackscholes),
    kernel!("saxpy", Regular, saxpy),
];

pub(crate) const EMPTY: Kernel = kernel!("empty", Empty, empty);

/// The kernel of that name.
pub(crate) fn find(name: &str) -> Option<&'static Kernel> {
    const ALL: &[Kernel] = &KERNELS;
    const OTHER: &[Kernel] = &[EMPTY];
    ALL.iter().chain(OTHER).find(|kernel| kernel.name == name)
}

impl Kernel {
    /// Its launch, with work-groups of that many work-items if a number is given.
    pub(crate) fn launch(&self, local: Option<u32>) -> Launch {
        let mut launch = (self.launch)();
        if let Some(local) = local {
            launch.local = Some([local, 1, 1]);
        }
        launch
    }
}
