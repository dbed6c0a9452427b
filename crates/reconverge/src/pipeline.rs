//! The pipeline: its passes, their order, and the reasons for the order.
//!
//! Every pass is in the table of its crate; [`all`] lists them. A [`Target`] is a sequence of the segments here, each [`Level`] names
//! optimizations that run around the structurizer, and `CompileOptions::passes` names passes that run after all others. [`ORDER`] and
//! [`REASONS`] state which pass must come before which, and why; tests check the sequences against them, and that every name in every table is a
//! pass. The command `reconverge passes` prints them all.

use reconverge_ir::Stage;
use reconverge_opencl::KernelOptions;
use reconverge_rewrite::pass::Pass;

pub use crate::levels::{Level, REASONS};
use crate::{Target, generics};

/// A constraint: one pass must come before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Name of the pass that comes first.
    pub before: &'static str,
    /// Name of the pass that comes later.
    pub after: &'static str,
    /// The reason.
    pub reason: &'static str,
}

/// A step of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PipelineStep {
    /// The pass of this name.
    Pass(When, &'static str),
    /// The optimizations of the level, over functions at this stage.
    Optimizations(Stage),
}

/// The condition under which a pass of a pipeline runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The module has OpenCL kernels.
    WithKernels,
    /// Always.
    Always,
    /// The level or the options name optimizations.
    WithOptimizations,
    /// The module has OpenCL kernels, or the options name a driver with faults.
    WithFaults,
    /// The module is written in a language in which only an entry point can end the invocation.
    WithInlinedExits,
}

/// Consecutive steps in the pipeline of a [`Target`].
pub type Segment = &'static [PipelineStep];

/// Passes over the input before the rules of stage Graph are checked: type-level code is removed, and known errors of front ends are
/// repaired.
pub const REPAIRS: &[&str] = &[GENERICS, "known_faults", "missing_conversions"];

/// The pass that runs only over modules with type-level code.
pub(crate) const GENERICS: &str = "lower_generics";

/// OpenCL kernels become entry points without calls, whose private variables are values.
///
/// The passes over kernels work at stage Graph, because they add control flow and copy functions into others. Structured functions return
/// to that stage first. Their merges are then hints, so the structurizer restores the structure.
pub const KERNELS_TO_VALUES: Segment = &[
    PipelineStep::Pass(When::WithKernels, "merges_to_hints"),
    PipelineStep::Pass(When::WithKernels, "check_operands"),
    PipelineStep::Pass(When::WithKernels, "keep_entry_points"),
    PipelineStep::Pass(When::WithKernels, "check_support"),
    PipelineStep::Pass(When::WithKernels, "resolve_builtins"),
    PipelineStep::Pass(When::WithKernels, "widen_variables"),
    PipelineStep::Pass(When::WithKernels, "inline_calls"),
    PipelineStep::Pass(When::WithKernels, "specialization_constants"),
    PipelineStep::Pass(When::WithKernels, "images"),
    PipelineStep::Pass(When::WithKernels, "printf"),
    PipelineStep::Pass(When::WithKernels, "arguments"),
    PipelineStep::Pass(When::WithKernels, "builtins"),
    PipelineStep::Pass(When::WithKernels, "extended_instructions"),
    PipelineStep::Pass(When::WithKernels, "wide_vectors"),
    PipelineStep::Pass(When::WithKernels, "constant_addresses"),
    PipelineStep::Pass(When::WithKernels, "promote_variables"),
];

/// Functions that may end the invocation are inlined, where the output has them only in entry points.
pub const INLINE_EXITS: Segment = &[PipelineStep::Pass(When::WithInlinedExits, "inline_exits")];

/// Loops get headers of their own where lanes wait for each other.
pub const SEPARATE_LOOPS: Segment = &[PipelineStep::Pass(When::Always, SHARED_HEADERS)];

/// Memory, atomics and group functions of OpenCL become those of Vulkan.
pub const KERNELS_TO_VULKAN: Segment = &[
    PipelineStep::Pass(When::WithKernels, "group_functions"),
    PipelineStep::Pass(When::WithKernels, "atomics"),
    PipelineStep::Pass(When::WithKernels, "lower_memory"),
    PipelineStep::Pass(When::WithKernels, "memory_model"),
    PipelineStep::Pass(When::WithKernels, "relaxed_atomics"),
    PipelineStep::Pass(When::WithKernels, "volatile_fences"),
    PipelineStep::Pass(When::WithKernels, "bounded_indices"),
    PipelineStep::Pass(When::WithKernels, "split_integers"),
    PipelineStep::Pass(When::WithKernels, "widen_integers"),
    PipelineStep::Pass(When::WithKernels, "expand_carries"),
    PipelineStep::Pass(When::WithKernels, "sign_extensions"),
    PipelineStep::Pass(When::WithKernels, "remove_dead_code"),
    PipelineStep::Pass(When::WithKernels, "signed_operands"),
    PipelineStep::Pass(When::WithKernels, "environment"),
    PipelineStep::Pass(When::WithKernels, "check_words"),
];

/// Functions are structurized, with optimizations before and after.
///
/// The lanes that are together are the same at every level: they are determined before all optimizations, which preserve them.
pub const STRUCTURE: Segment = &[
    PipelineStep::Pass(When::Always, "remove_dead_ends"),
    PipelineStep::Pass(When::WithOptimizations, "structurize_convergent"),
    PipelineStep::Optimizations(Stage::Graph),
    PipelineStep::Pass(When::Always, "remove_unreachable"),
    PipelineStep::Pass(When::Always, "structurize"),
    PipelineStep::Optimizations(Stage::Structured),
];

/// A pass that avoids faults of drivers and would be undone by an optimization.
pub const KERNELS_AFTER_STRUCTURIZING: Segment = &[PipelineStep::Pass(When::WithFaults, "loop_results")];

/// The pass after which barriers are searched that lanes reach in different iterations: operations are still those of the source, and
/// variables are values.
pub(crate) const SHARED_HEADERS: &str = "split_shared_headers";

/// The constraints on the order.
pub const ORDER: &[Constraint] = &[
    constraint(
        "known_faults",
        "missing_conversions",
        "a conversion that is inserted is not one that the front end may have got wrong",
    ),
    constraint(
        "lower_generics",
        "missing_conversions",
        "the passes after it handle neither generics nor values of interface type",
    ),
    constraint(
        "missing_conversions",
        "check_operands",
        "a module must not be rejected for an error that can be repaired",
    ),
    constraint(
        "check_operands",
        "keep_entry_points",
        "code that an invalid module refers to must not be removed as unused",
    ),
    constraint("merges_to_hints", "inline_calls", "a body is copied only between functions at stage Graph"),
    constraint(
        "merges_to_hints",
        "lower_memory",
        "a copy that becomes a loop has no merges, as stage Structured requires",
    ),
    constraint("keep_entry_points", "check_support", "code that no kernel reaches may use any feature"),
    constraint("resolve_builtins", "inline_calls", "an imported function has no body that could be copied"),
    constraint(
        "inline_calls",
        "specialization_constants",
        "the instructions would otherwise be copied into every function",
    ),
    constraint(
        "specialization_constants",
        "arguments",
        "constants of the kernel's interface are not those of the source",
    ),
    constraint("specialization_constants", "images", "constants of the kernel's interface are not those of the source"),
    constraint("inline_calls", "images", "an image that a function gets is a parameter of the kernel then"),
    constraint("images", "arguments", "an image becomes arguments: its texels, its size and its format"),
    constraint("images", "extended_instructions", "colors of sRGB need a function of OpenCL"),
    constraint("images", "promote_variables", "private variables with images have no other meaning"),
    constraint("inline_calls", "printf", "a string that a function gets is a literal then"),
    constraint("printf", "extended_instructions", "the instruction has no other expansion"),
    constraint("printf", "wide_vectors", "vectors that are printed are split by their components"),
    constraint("printf", "lower_memory", "the buffer is a variable of the program"),
    constraint(
        "widen_variables",
        "promote_variables",
        "a variable is split by its used size, not by its declared size",
    ),
    constraint(
        "inline_calls",
        "arguments",
        "a kernel that another kernel calls needs its parameters until it is inlined",
    ),
    constraint("arguments", "lower_memory", "pointer arguments must already be loaded addresses"),
    constraint("builtins", "group_functions", "the code for group functions already reads Vulkan's built-ins"),
    constraint("extended_instructions", "wide_vectors", "expansions are written for vectors of any length"),
    constraint(
        "wide_vectors",
        "promote_variables",
        "a private vector of 16 is then four vectors of 4 in memory, and each becomes a value",
    ),
    constraint(
        "extended_instructions",
        "promote_variables",
        "results that come through pointers become stores to private variables",
    ),
    constraint("inline_calls", "constant_addresses", "the instruction would otherwise be copied into every function"),
    constraint(
        "constant_addresses",
        "lower_memory",
        "pointers are followed through instructions only, not through constant expressions",
    ),
    constraint("inline_calls", "split_shared_headers", "the pass finds only barriers of the function itself"),
    constraint("inline_exits", "split_shared_headers", "the pass finds only barriers of the function itself"),
    constraint("promote_variables", "split_shared_headers", "a latch is small only after its variables are promoted"),
    constraint(
        "split_shared_headers",
        "group_functions",
        "an operation that all lanes must reach may become one that only some lanes reach",
    ),
    constraint(
        "split_shared_headers",
        "structurize_convergent",
        "the header of a loop determines what one iteration is",
    ),
    constraint(
        "promote_variables",
        "lower_memory",
        "a promoted variable needs no cells, and a pointer to it no points-to class",
    ),
    constraint("group_functions", "lower_memory", "the shared arrays of group functions become cells like all others"),
    constraint("lower_memory", "memory_model", "lowered pointers show which accesses are to shared memory"),
    constraint(
        "atomics",
        "lower_memory",
        "cells are as wide as the atomics on them, which are integers only after their pass",
    ),
    constraint("resolve_builtins", "atomics", "imported atomic functions become atomics that Vulkan may lack"),
    constraint("memory_model", "relaxed_atomics", "the pass recognizes only Vulkan's memory orders"),
    constraint(
        "memory_model",
        "volatile_fences",
        "fences without an order are removed, and all accesses have their operands",
    ),
    constraint("lower_memory", "bounded_indices", "arrays of cells have one index"),
    constraint("lower_memory", "split_integers", "addresses are 64-bit integers only once memory is lowered"),
    constraint(
        "split_integers",
        "widen_integers",
        "a narrow integer may become 64 bits wide, or be what is left of them",
    ),
    constraint("widen_integers", "signed_operands", "widened integers are compared and divided by their signs too"),
    constraint("split_integers", "expand_carries", "sums and products of pairs have carries and two halves"),
    constraint("widen_integers", "expand_carries", "the halves of a narrow product would not have 16 bits"),
    constraint("environment", "check_words", "types that nothing uses are removed first"),
    constraint("split_integers", "sign_extensions", "pairs need no sign extension"),
    constraint("split_integers", "environment", "capabilities are declared only for the instructions that remain"),
    constraint("split_integers", "signed_operands", "conversions of the halves need signed types too"),
    constraint(
        "remove_dead_ends",
        "structurize_convergent",
        "a path that is never taken is not a loop exit, and a join of such paths is not a join",
    ),
    constraint(
        "structurize_convergent",
        "structurize",
        "convergent operations keep the place that they have in the input, whatever the other passes do",
    ),
    constraint("structurize", "loop_results", "loop exits are known only after structurizing"),
    constraint("remove_dead_code", "environment", "a capability that only dead code needs would exclude devices"),
    constraint(
        "remove_unreachable",
        "structurize",
        "an edge from an unreachable block would count as an edge into a join and force a needless dispatch",
    ),
];

/// A constraint: one pass before another, with the reason.
pub(crate) const fn constraint(before: &'static str, after: &'static str, reason: &'static str) -> Constraint {
    Constraint { before, after, reason }
}

/// Every pass, in the order of the tables of their crates.
pub fn all() -> impl Iterator<Item = &'static Pass> {
    let tables = [
        generics::PASSES,
        reconverge_opencl::PASSES,
        reconverge_legalize::PASSES,
        reconverge_restructure::PASSES,
        reconverge_optimize::PASSES,
        #[cfg(feature = "codegen")]
        reconverge_lanes::PASSES,
    ];
    tables.into_iter().flatten()
}

/// The pass of that name.
pub fn find(name: &str) -> Option<&'static Pass> {
    all().find(|pass| pass.name == name)
}

/// The pass of a name from a table of this crate.
pub(crate) fn named(name: &str) -> &'static Pass {
    find(name).unwrap_or_else(|| panic!("invariant: tables name passes, and {name} is none"))
}

/// The names of the passes that lead to a target, in order, with the repairs of the input and without optimizations.
pub fn pipeline_passes(target: Target) -> impl Iterator<Item = &'static str> {
    let steps = target.pipeline().filter_map(|step| match step {
        PipelineStep::Pass(_, name) => Some(name),
        PipelineStep::Optimizations(_) => None,
    });
    REPAIRS.iter().copied().chain(steps).chain(target.passes_of_back_end())
}

/// Returns whether a pass is one of those that lower OpenCL kernels.
pub fn lowers_kernels(name: &str) -> bool {
    reconverge_opencl::PASSES.iter().any(|pass| pass.name == name)
}

/// Returns whether a pass is one of those that lead to machine code.
pub fn leads_to_code(name: &str) -> bool {
    #[cfg(feature = "codegen")]
    let is_of_lanes = reconverge_lanes::PASSES.iter().any(|pass| pass.name == name);
    #[cfg(not(feature = "codegen"))]
    let is_of_lanes = {
        let _ = name;
        false
    };
    is_of_lanes
}

/// Returns whether a pass legalizes for a machine, and devices of Vulkan have all that it replaces.
pub fn is_idle(name: &str, options: &KernelOptions) -> bool {
    reconverge_legalize::is_idle(name, &options.machine())
}

/// Returns whether a pass writes facts about a launch into a module, and does nothing without them. Each of them is a pass to machine code.
#[cfg(feature = "codegen")]
pub fn needs_launch(name: &str) -> bool {
    reconverge_codegen::pipeline::OF_LAUNCHES.contains(&name)
}

/// Returns whether a pass is optional: it is in neither the pipeline nor a level, and runs only if `CompileOptions::passes` names it.
pub fn is_optional(name: &str) -> bool {
    let is_in_level = |level: Level| {
        [Stage::Graph, Stage::Structured].into_iter().any(|stage| level.sequence(stage).any(|other| other == name))
    };
    let is_in_pipeline = |target: Target| pipeline_passes(target).any(|other| other == name);
    find(name).is_some() && !Target::all().any(is_in_pipeline) && !Level::ALL.into_iter().any(is_in_level)
}

#[cfg(test)]
pub(crate) mod tests {
    use reconverge_rewrite::pass::Stages;

    use super::*;

    /// The error in a sequence of passes or in its constraints.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum OrderError {
        /// A constraint or the sequence has a name that is not a pass.
        Unknown(&'static str),
        /// A pass comes after one that it must precede.
        Broken(Constraint),
    }

    /// Checks a sequence of passes against constraints: every occurrence of the first pass must precede every occurrence of the later one. A
    /// constraint holds if one of its passes is not in the sequence.
    ///
    /// # Errors
    /// The first name that is not a pass, else the first constraint that does not hold.
    pub(crate) fn check_order(names: &[&'static str], order: &[Constraint]) -> Result<(), OrderError> {
        let constrained = order.iter().flat_map(|constraint| [constraint.before, constraint.after]);
        if let Some(unknown) = names.iter().copied().chain(constrained).find(|name| find(name).is_none()) {
            return Err(OrderError::Unknown(unknown));
        }
        let is_broken = |constraint: &&Constraint| {
            let last = names.iter().rposition(|name| *name == constraint.before);
            let first = names.iter().position(|name| *name == constraint.after);
            last.zip(first).is_some_and(|(before, after)| before > after)
        };
        order.iter().find(is_broken).map_or(Ok(()), |constraint| Err(OrderError::Broken(*constraint)))
    }

    #[test]
    fn pipelines_keep_the_order_and_every_constraint_is_about_one() {
        for target in Target::all() {
            assert_eq!(check_order(&pipeline_passes(target).collect::<Vec<_>>(), ORDER), Ok(()), "{target:?}");
        }
        let has_both = |target: Target, constraint: &Constraint| {
            let has = |name: &str| pipeline_passes(target).any(|other| other == name);
            has(constraint.before) && has(constraint.after)
        };
        for constraint in ORDER {
            let is_tested = Target::all().any(|target| has_both(target, constraint));
            assert!(is_tested, "no pipeline has both passes of {constraint:?}, so it says nothing");
        }
    }

    #[test]
    fn a_broken_order_is_named_and_so_is_a_name_that_is_none() {
        let mut reversed: Vec<&str> = pipeline_passes(Target::VULKAN).collect();
        reversed.reverse();
        assert_eq!(check_order(&reversed, ORDER), Err(OrderError::Broken(ORDER[0])));
        let again = ["gvn", "gcm", "gvn"];
        let motion = constraint("gvn", "gcm", "every occurrence counts");
        assert_eq!(check_order(&again, &[motion]), Err(OrderError::Broken(motion)));
        assert_eq!(check_order(&["gvn", "gnv"], &[]), Err(OrderError::Unknown("gnv")));
        assert_eq!(check_order(&["gvn"], &[constraint("gvn", "gmc", "")]), Err(OrderError::Unknown("gmc")));
    }

    #[test]
    fn every_name_is_one_pass() {
        let mut names: Vec<&str> = all().map(|pass| pass.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn every_step_accepts_the_stage_that_the_pipeline_is_at() {
        for target in Target::all() {
            let mut is_structured = false;
            // The pass that returns functions to stage Graph accepts those that are structured in the input.
            for name in pipeline_passes(target).filter(|&name| named(name).leads_to != Some(Stage::Graph)) {
                let pass = named(name);
                let accepted = if is_structured { Stages::Structured } else { Stages::Graph };
                assert!(pass.accepts == Stages::Any || pass.accepts == accepted, "{name} accepts {}", pass.accepts);
                is_structured |= pass.leads_to == Some(Stage::Structured);
            }
            assert!(is_structured, "{target:?}");
        }
    }
}
