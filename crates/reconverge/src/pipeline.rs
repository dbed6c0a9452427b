//! The pipeline: which passes there are, in which order they run, and why in that order.
//!
//! Two tables. [`PASSES`] is the pipeline; [`ORDER`] holds the constraints with their reasons. [`check_order`] holds one against
//! the other, and a test holds that it does. [`OPTIMIZATIONS`] run around the structurizer, as the [`Level`] says, and [`ON_REQUEST`] has the
//! passes that run behind everything else for those who name them. The command `reconverge passes` prints them all.

use reconverge_ir::{Function, Inst, Module, Stage};
use reconverge_opencl::{Context, KernelError};
use reconverge_optimize::structured::StructuredError;
use reconverge_optimize::{Analyses, Move};
use reconverge_restructure::{Options, StructurizeError, StructurizeReport};

pub use crate::levels::{Level, OPTIMIZATIONS, REASONS};
pub use crate::on_request::ON_REQUEST;

/// A pass of the pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name, in dumps and on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Stages at which it has work; others it leaves as they are.
    pub from: Stage,
    /// The stage that a function is at afterwards.
    pub to: Stage,
    /// Does it.
    pub work: Work,
}

/// What a pass works on.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// A module as it was read, before its rules are held: what compilers do wrong, and what they mean is known. The answer is the
    /// instructions that were wrong, in the order of the module.
    Input(fn(&mut Module) -> Result<Vec<Inst>, KernelError>),
    /// Every function, one at a time.
    Functions(fn(&mut Module, Function, &Options) -> Result<Changes, StructurizeError>),
    /// A module of OpenCL kernels on its way to Vulkan, as a whole. The answer is whether anything is different now.
    Kernels(fn(&mut Module, &mut Context) -> Result<bool, KernelError>),
    /// Every function that is structured, one at a time. The answer is whether anything is different now.
    Structured(fn(&mut Module, Function) -> Result<bool, StructuredError>),
    /// Functions with a body that are all at one stage, and what is known of the module.
    Optimization(fn(&mut Module, &[Function], &mut Analyses) -> Optimized),
}

/// What an optimization did.
#[derive(Debug, Default)]
pub struct Optimized {
    /// In how many functions something is different now; a change to the module outside of them counts as one.
    pub functions_changed: usize,
    /// The instructions that were moved to other blocks.
    pub moves: Vec<Move>,
}

impl From<usize> for Optimized {
    fn from(functions_changed: usize) -> Optimized {
        Optimized { functions_changed, moves: Vec::new() }
    }
}

/// What a pass did to a function.
#[derive(Debug, Default)]
pub struct Changes {
    /// Whether anything is different now.
    pub changed: bool,
    /// The plan that was applied and what came of it, if the pass structurizes.
    pub structurized: Option<StructurizeReport>,
}

/// That one pass must come before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ordering {
    /// Name of the pass that comes first.
    pub before: &'static str,
    /// Name of the pass that comes later.
    pub after: &'static str,
    /// Why.
    pub reason: &'static str,
}

impl Ordering {
    /// Whether a sequence of passes keeps it, each by where it stands first; `None` if one of the two does not stand in it.
    pub(crate) fn is_kept_by(&self, names: &[&str]) -> Option<bool> {
        let position = |name| names.iter().position(|other| *other == name);
        Some(position(self.before)? < position(self.after)?)
    }
}

/// A pass over a module of OpenCL kernels.
const fn kernels(
    name: &'static str,
    summary: &'static str,
    work: fn(&mut Module, &mut Context) -> Result<bool, KernelError>,
) -> Pass {
    Pass { name, summary, from: Stage::Graph, to: Stage::Graph, work: Work::Kernels(work) }
}

/// The passes, in the order in which they run. Those over OpenCL kernels run only where the module has some and the target is another
/// than theirs.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "missing_conversions",
        summary: "inserts integer conversions that the front end of a kernel omitted",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Input(reconverge_opencl::missing_conversions),
    },
    kernels(
        "check_operands",
        "rejects modules with operands that are not valid pointers, indices or entry points",
        reconverge_opencl::check_operands,
    ),
    kernels(
        "keep_entry_points",
        "removes everything that the selected kernels do not reach",
        reconverge_opencl::keep_entry_points,
    ),
    kernels(
        "check_support",
        "rejects images, pipes, printf and other features that Vulkan cannot express",
        reconverge_opencl::check_support,
    ),
    kernels(
        "resolve_builtins",
        "replaces imported OpenCL functions by instructions",
        reconverge_opencl::resolve_builtins,
    ),
    kernels(
        "widen_variables",
        "gives private variables the size that their lifetime markers state",
        reconverge_opencl::widen_variables,
    ),
    kernels("inline_calls", "inlines every function into its callers", reconverge_opencl::inline_calls),
    kernels(
        "arguments",
        "turns kernels into entry points without parameters; arguments go to push constants",
        reconverge_opencl::arguments,
    ),
    kernels("builtins", "replaces OpenCL's built-ins by Vulkan's 32-bit built-ins", reconverge_opencl::builtins),
    kernels(
        "extended_instructions",
        "replaces OpenCL.std, and operations that Vulkan lacks, by GLSL.std.450 and expansions",
        reconverge_opencl::extended_instructions,
    ),
    kernels("wide_vectors", "splits vectors of 8 and 16 into vectors of 4", reconverge_opencl::wide_vectors),
    kernels(
        "constant_addresses",
        "turns constant integers that hold addresses of variables into instructions",
        reconverge_opencl::constant_addresses,
    ),
    kernels(
        "promote_variables",
        "splits private variables (SROA) and promotes them to values, until nothing changes",
        reconverge_opencl::promote_variables,
    ),
    Pass {
        name: SHARED_HEADERS,
        summary: "gives each of several loops that share a header its own header, if lanes wait for each other in one of them",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, _| {
            let added = reconverge_restructure::split_shared_headers(module, function);
            Ok(Changes { changed: added > 0, structurized: None })
        }),
    },
    kernels(
        "group_functions",
        "lowers group functions to subgroup operations, or to loops over shared memory",
        reconverge_opencl::group_functions,
    ),
    kernels("atomics", "converts atomics to the types that Vulkan supports", reconverge_opencl::atomics),
    kernels(
        "memory",
        "lowers pointers to addresses and offsets, and memory to arrays of cells",
        reconverge_opencl::lower_memory,
    ),
    kernels(
        "memory_model",
        "gives barriers, atomics and accesses Vulkan's scopes and semantics",
        reconverge_opencl::memory_model,
    ),
    kernels(
        "relaxed_atomics",
        "removes the memory order of atomics, for a driver that turns it into barriers",
        reconverge_opencl::relaxed_atomics,
    ),
    kernels(
        "bounded_indices",
        "clamps indices of private arrays, for a driver that reads the index too late",
        reconverge_opencl::bounded_indices,
    ),
    kernels(
        "split_integers",
        "splits 64-bit integers into pairs of 32-bit integers, for devices without 64-bit integers",
        reconverge_opencl::split_integers,
    ),
    kernels(
        "sign_extensions",
        "replaces sign extensions to 64 bits by shifts, for a driver that treats them as unsigned",
        reconverge_opencl::sign_extensions,
    ),
    kernels("remove_dead_code", "removes dead code", reconverge_opencl::remove_dead_code),
    kernels(
        "signed_operands",
        "gives signed operations signed types, as drivers' optimizers expect",
        reconverge_opencl::signed_operands,
    ),
    kernels(
        "environment",
        "declares capabilities, memory model and interfaces for Vulkan",
        reconverge_opencl::environment,
    ),
    Pass {
        name: "remove_dead_ends",
        summary: "removes paths that only lead to `unreachable`",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, _| {
            let removed = match module.stage(function) {
                Stage::Structured => 0,
                _ => reconverge_restructure::remove_dead_ends(module, function),
            };
            Ok(Changes { changed: removed > 0, structurized: None })
        }),
    },
    Pass {
        name: DECIDING,
        summary: "structurizes functions that see other lanes, before all optimizations",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, options| {
            let structurized = reconverge_restructure::structurize_convergent(module, function, options)?;
            Ok(Changes { changed: structurized.is_some(), structurized })
        }),
    },
    Pass {
        name: "remove_unreachable",
        summary: "removes blocks that control cannot reach",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, _| {
            let removed = match module.stage(function) {
                Stage::Structured => 0,
                _ => reconverge_rewrite::remove_unreachable(module, function),
            };
            Ok(Changes { changed: removed > 0, structurized: None })
        }),
    },
    Pass {
        name: "structurize",
        summary: "structurizes: finds loops and selections, marks them, and reroutes edges that fit no construct",
        from: Stage::Graph,
        to: Stage::Structured,
        work: Work::Functions(|module, function, options| {
            let structurized = reconverge_restructure::structurize(module, function, options)?;
            Ok(Changes { changed: structurized.is_some(), structurized })
        }),
    },
    Pass {
        name: "loop_results",
        summary: "passes values that loops compute from memory out of the loop through block parameters, for drivers that run lanes as vectors",
        from: Stage::Structured,
        to: Stage::Structured,
        work: Work::Kernels(reconverge_opencl::loop_results),
    },
];

/// The pass that decides which lanes are together before anything is optimized; where nothing is, it has nothing to be in front of.
pub(crate) const DECIDING: &str = "structurize_convergent";

/// The pass behind which it is asked where lanes come to barriers in different rounds: their operations are still those of the source, and
/// variables are values.
pub(crate) const SHARED_HEADERS: &str = "shared_headers";

/// What must come before what.
pub const ORDER: &[Ordering] = &[
    ordering(
        "missing_conversions",
        "check_operands",
        "a module must not be rejected for an error that can be repaired",
    ),
    ordering(
        "check_operands",
        "keep_entry_points",
        "code that an invalid module refers to must not be removed as unused",
    ),
    ordering("keep_entry_points", "check_support", "code that no kernel reaches may use any feature"),
    ordering("resolve_builtins", "inline_calls", "an imported function has no body that could be copied"),
    ordering(
        "widen_variables",
        "promote_variables",
        "a variable is split by what it is, not by what it is declared to be",
    ),
    ordering(
        "inline_calls",
        "arguments",
        "a kernel that another kernel calls needs its parameters until it is inlined",
    ),
    ordering("arguments", "memory", "pointers that come as arguments must be addresses that were loaded"),
    ordering("builtins", "group_functions", "the code for group functions already reads Vulkan's built-ins"),
    ordering("extended_instructions", "wide_vectors", "expansions are written for vectors of any length"),
    ordering(
        "wide_vectors",
        "promote_variables",
        "a private vector of 16 is then memory of four vectors of 4, and each becomes a value",
    ),
    ordering(
        "extended_instructions",
        "promote_variables",
        "results that come through pointers become stores to private variables",
    ),
    ordering("inline_calls", "constant_addresses", "the instruction would otherwise be copied into every function"),
    ordering("constant_addresses", "memory", "only instructions are followed from pointers to numbers and back"),
    ordering("inline_calls", SHARED_HEADERS, "a barrier is looked for in the function itself"),
    ordering("promote_variables", SHARED_HEADERS, "a latch is small only after its variables are promoted"),
    ordering(
        SHARED_HEADERS,
        "group_functions",
        "an operation that all lanes must reach may become one for whichever lanes reach it",
    ),
    ordering(SHARED_HEADERS, DECIDING, "a loop has the iterations that its header says"),
    ordering(
        "promote_variables",
        "memory",
        "a promoted variable needs no cells, and a pointer to it no points-to class",
    ),
    ordering("group_functions", "memory", "the shared arrays of group functions become cells like any others"),
    ordering("memory", "memory_model", "which accesses are shared is known when pointers are Vulkan's"),
    ordering(
        "atomics",
        "memory",
        "cells are as wide as the atomics on them, and these are integers only from there on",
    ),
    ordering("resolve_builtins", "atomics", "imported atomic functions become atomics that may be none of Vulkan's"),
    ordering("memory_model", "relaxed_atomics", "the pass recognizes only Vulkan's memory orders"),
    ordering("memory", "bounded_indices", "arrays of cells have one index"),
    ordering("memory", "split_integers", "addresses are 64-bit integers only from there on"),
    ordering("split_integers", "sign_extensions", "there is nothing to extend where integers are pairs"),
    ordering("split_integers", "environment", "a capability is declared for what is left"),
    ordering("split_integers", "signed_operands", "conversions of the halves are conversions too"),
    ordering(
        "remove_dead_ends",
        DECIDING,
        "a path that is never taken is not a loop exit, and a join of such paths is not a join",
    ),
    ordering(
        DECIDING,
        "structurize",
        "operations that see other lanes keep their place from the input, whatever the other passes do",
    ),
    ordering("structurize", "loop_results", "loop exits are known only after structurizing"),
    ordering("remove_dead_code", "environment", "a capability that only dead code needs would exclude devices"),
    ordering(
        "remove_unreachable",
        "structurize",
        "an edge from an unreachable block would count as an edge into a join and force a needless dispatch",
    ),
];

/// One pass before another, and why.
pub(crate) const fn ordering(before: &'static str, after: &'static str, reason: &'static str) -> Ordering {
    Ordering { before, after, reason }
}

/// Every pass there is.
pub fn all() -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().chain(OPTIMIZATIONS).chain(ON_REQUEST)
}

/// The pass of that name, of the pipeline, of a level or on request.
pub fn find(name: &str) -> Option<&'static Pass> {
    all().find(|pass| pass.name == name)
}

/// Holds the order of the passes against the constraints. The first constraint that does not hold comes back.
pub fn check_order(passes: &[Pass], order: &'static [Ordering]) -> Result<(), Ordering> {
    let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
    let broken = order.iter().find(|constraint| constraint.is_kept_by(&names) != Some(true));
    broken.map_or(Ok(()), |constraint| Err(*constraint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pipeline_keeps_its_order() {
        assert_eq!(check_order(PASSES, ORDER), Ok(()));
    }

    #[test]
    fn a_broken_order_is_named() {
        let reversed: Vec<Pass> = PASSES.iter().rev().copied().collect();
        assert_eq!(check_order(&reversed, ORDER), Err(ORDER[0]));
    }

    #[test]
    fn every_name_is_one_pass() {
        let mut names: Vec<&str> = all().map(|pass| pass.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn stages_only_go_forward() {
        for pair in PASSES.windows(2) {
            assert!(
                pair[0].to <= pair[1].from,
                "{} leaves {}, {} wants {}",
                pair[0].name,
                pair[0].to,
                pair[1].name,
                pair[1].from
            );
        }
    }
}
