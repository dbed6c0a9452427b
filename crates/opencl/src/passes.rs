//! The table of passes that take OpenCL kernels to Vulkan compute shaders.
//!
//! A row is a pass by the name of its function and of its file. All work on the module as a whole, and on the [`Context`] of the session.

use reconverge_ir::{Inst, Module};
use reconverge_rewrite::pass::{Outcome, Pass, PassError, PassErrorKind, Stages, Work};
use reconverge_rewrite::session::{Session, State};

use crate::{Context, KernelError, KernelErrorKind};

impl State for Context {}

/// The instructions that [`missing_conversions`](crate::missing_conversions()) put right, in the order of the module, by their handles in
/// the module as it was read.
#[derive(Debug, Default)]
pub struct Repairs(pub Vec<Inst>);

impl State for Repairs {}

/// A row: the pass whose function has this name.
macro_rules! pass {
    ($name:ident, $accepts:ident, $summary:literal) => {
        Pass {
            name: stringify!($name),
            summary: $summary,
            accepts: Stages::$accepts,
            leads_to: None,
            work: Work::Module(|session, _| run(session, crate::$name)),
        }
    };
}

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "missing_conversions",
        summary: "inserts integer conversions that the front end of a kernel omitted",
        accepts: Stages::Any,
        leads_to: None,
        work: Work::Module(|session, _| {
            let (module, repairs) = session.parts::<Repairs>();
            repairs.0.extend(crate::missing_conversions(module)?);
            Ok(Outcome::control_flow(!repairs.0.is_empty()))
        }),
    },
    pass!(check_operands, Any, "rejects modules with operands that are not valid pointers, indices or entry points"),
    pass!(keep_entry_points, Any, "removes everything that the selected kernels do not reach"),
    pass!(check_support, Any, "rejects images, pipes, printf and other features that Vulkan cannot express"),
    pass!(resolve_builtins, Any, "replaces imported OpenCL functions by instructions"),
    pass!(widen_variables, Any, "gives private variables the size that their lifetime markers state"),
    pass!(inline_calls, Any, "inlines every function into its callers"),
    pass!(arguments, Any, "turns kernels into entry points without parameters; arguments go to push constants"),
    pass!(builtins, Any, "replaces OpenCL's built-ins by Vulkan's 32-bit built-ins"),
    pass!(
        extended_instructions,
        Any,
        "replaces OpenCL.std, and operations that Vulkan lacks, by GLSL.std.450 and expansions"
    ),
    pass!(wide_vectors, Any, "splits vectors of 8 and 16 into vectors of 4"),
    pass!(constant_addresses, Any, "turns constant integers that hold addresses of variables into instructions"),
    pass!(promote_variables, Any, "splits private variables (SROA) and promotes them to values, until nothing changes"),
    pass!(group_functions, Any, "lowers group functions to subgroup operations, or to loops over shared memory"),
    pass!(atomics, Any, "converts atomics to the types that Vulkan supports"),
    pass!(lower_memory, Any, "lowers pointers to addresses and offsets, and memory to arrays of cells"),
    pass!(memory_model, Any, "gives barriers, atomics and accesses Vulkan's scopes and semantics"),
    pass!(relaxed_atomics, Any, "removes the memory order of atomics, for a driver that turns it into barriers"),
    pass!(bounded_indices, Any, "clamps indices of private arrays, for a driver that reads the index too late"),
    pass!(
        split_integers,
        Any,
        "splits 64-bit integers into pairs of 32-bit integers, for devices without 64-bit integers"
    ),
    pass!(
        sign_extensions,
        Any,
        "replaces sign extensions to 64 bits by shifts, for a driver that treats them as unsigned"
    ),
    pass!(remove_dead_code, Any, "removes dead code"),
    pass!(signed_operands, Any, "gives signed operations signed types, as drivers' optimizers expect"),
    pass!(environment, Any, "declares capabilities, memory model and interfaces for Vulkan"),
    pass!(
        loop_results,
        Structured,
        "passes values that loops compute from memory out of the loop through block parameters, for drivers that run lanes as vectors"
    ),
];

fn run(
    session: &mut Session<'_>,
    work: fn(&mut Module, &mut Context) -> Result<bool, KernelError>,
) -> Result<Outcome, PassError> {
    let (module, context) = session.parts();
    Ok(Outcome::control_flow(work(module, context)?))
}

impl From<KernelError> for PassError {
    fn from(error: KernelError) -> PassError {
        let (kind, code) = match error.kind {
            KernelErrorKind::Unsupported => (PassErrorKind::Unsupported, "kernel-unsupported"),
            KernelErrorKind::Rejected => (PassErrorKind::Rejected, "kernel-rejected"),
            KernelErrorKind::Limit => (PassErrorKind::Limit, "kernel-limit"),
        };
        PassError { kind, code, message: error.message, at: Some(error.at) }
    }
}
