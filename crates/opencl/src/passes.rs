//! The table of passes that convert OpenCL kernels to Vulkan compute shaders.
//!
//! A row is a pass with the name of its function and file. All passes work on the module as a whole, and on the [`Context`] of the session.
//!
//! They lower kernels at stage Graph: several add loops and selections without merges, or copy functions into others. So they run only over
//! modules whose functions are all at that stage, and `merges_to_hints` runs before them. What must know the structure, such as
//! `loop_results`, runs after the structurizer and keeps the structure.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module};
use reconverge_rewrite::pass::{Outcome, Pass, Stages, Work};
use reconverge_rewrite::session::{Session, SessionState};

use crate::{Context, Repairs};

impl SessionState for Context {}

/// A row: the pass with this function name.
macro_rules! pass {
    ($name:ident, $summary:literal) => {
        Pass {
            name: stringify!($name),
            summary: $summary,
            accepts: Stages::Graph,
            leads_to: None,
            work: Work::Module(|session, functions| run(session, functions, crate::$name)),
        }
    };
}

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "known_faults",
        summary: "repairs what front ends of kernels are known to write wrong, and reports what is doubtful",
        accepts: Stages::Any,
        leads_to: None,
        work: Work::Module(|session, _| {
            let (module, repairs) = session.parts::<Repairs>();
            Ok(Outcome::control_flow(usize::from(crate::known_faults(module, &mut repairs.0))))
        }),
    },
    Pass {
        name: "missing_conversions",
        summary: "inserts integer conversions that the front end of a kernel omitted",
        accepts: Stages::Any,
        leads_to: None,
        work: Work::Module(|session, _| {
            let (module, repairs) = session.parts::<Repairs>();
            let repaired = crate::missing_conversions(module)?;
            let is_changed = !repaired.is_empty();
            repairs.0.extend(repaired);
            Ok(Outcome::control_flow(usize::from(is_changed)))
        }),
    },
    pass!(check_operands, "rejects modules with operands that are not valid pointers, indices or entry points"),
    pass!(keep_entry_points, "removes functions and globals that the selected kernels do not use"),
    pass!(check_support, "rejects pipes and other features that Vulkan cannot express"),
    pass!(resolve_builtins, "replaces imported OpenCL functions by instructions"),
    pass!(widen_variables, "gives private variables the size that their lifetime markers state"),
    pass!(inline_calls, "inlines every function into its callers"),
    pass!(specialization_constants, "turns constants that depend on specialization constants into instructions"),
    pass!(images, "replaces images by buffers, and samplers by constants"),
    pass!(printf, "replaces printf by records in a buffer, which the host formats"),
    pass!(arguments, "turns kernels into entry points without parameters; arguments go to push constants"),
    pass!(builtins, "replaces OpenCL's built-ins by Vulkan's 32-bit built-ins"),
    pass!(
        extended_instructions,
        "replaces OpenCL.std, and operations that Vulkan lacks, by GLSL.std.450 and expansions"
    ),
    pass!(wide_vectors, "splits vectors of 8 and 16 into vectors of 4"),
    pass!(constant_addresses, "turns constant integers that hold addresses of variables into instructions"),
    pass!(promote_variables, "splits private variables (SROA) and promotes them to values, until nothing changes"),
    pass!(group_functions, "lowers group functions to subgroup operations, or to loops over shared memory"),
    pass!(atomics, "converts atomics to the types that Vulkan supports"),
    pass!(lower_memory, "lowers pointers to addresses and offsets, and memory to arrays of cells"),
    pass!(memory_model, "gives barriers, atomics and accesses Vulkan's scopes and semantics"),
    pass!(relaxed_atomics, "removes the memory order of atomics, for a driver that turns it into barriers"),
    pass!(volatile_fences, "replaces fences by volatile accesses, for a driver that turns fences into barriers"),
    pass!(bounded_indices, "clamps indices of private arrays, for a driver that reads the index too late"),
    pass!(sign_extensions, "replaces sign extensions to 64 bits by shifts, for a driver that treats them as unsigned"),
    pass!(remove_dead_code, "removes dead code"),
    pass!(signed_operands, "gives signed operations signed types, as drivers' optimizers expect"),
    pass!(environment, "declares capabilities, memory model and interfaces for Vulkan"),
    pass!(check_words, "rejects types that code with bindings for pointers must not have"),
    Pass {
        accepts: Stages::Structured,
        ..pass!(
            loop_results,
            "passes values that loops compute from memory out of the loop through block parameters, for drivers that run lanes as vectors"
        )
    },
];

/// Runs a pass over a module, if it accepts all functions: `functions` are those that it accepts.
fn run(
    session: &mut Session<'_>,
    functions: &[Function],
    work: fn(&mut Module, &mut Context) -> Result<bool, Diagnostic>,
) -> Result<Outcome, Diagnostic> {
    let (module, context) = session.parts();
    if module.functions().filter(|&function| module.entry(function).is_some()).count() > functions.len() {
        return Ok(Outcome::UNCHANGED);
    }
    Ok(Outcome::control_flow(usize::from(work(module, context)?)))
}
