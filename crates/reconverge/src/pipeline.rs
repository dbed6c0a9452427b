//! The pipeline: which passes there are, in which order they run, and why in that order.
//!
//! Two tables. [`PASSES`] is the pipeline; [`ORDER`] holds the constraints with their reasons. [`check_order`] holds one against
//! the other, and a test holds that it does. [`OPTIMIZATIONS`] run around the structurizer, as the [`Level`] says, and [`ON_REQUEST`] has the
//! passes that run behind everything else for those who name them. The command `reconverge passes` prints them all.

use reconverge_ir::{Function, Inst, Module, Stage};
use reconverge_passes::kernel::{self, Context, KernelError};
use reconverge_passes::structured::StructuredError;
use reconverge_passes::{Analyses, Move, Options, StructurizeError, StructurizeReport};

pub use crate::on_request::ON_REQUEST;
pub use crate::optimize::{Level, OPTIMIZATIONS, REASONS};

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
        summary: "puts in conversions between integers that the compiler of a kernel left out",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Input(kernel::missing_conversions),
    },
    kernels(
        "check_operands",
        "refuses modules whose pointers, indices and entry points are none",
        kernel::check_operands,
    ),
    kernels("keep_entry_points", "removes what no kernel that is asked for reaches", kernel::keep_entry_points),
    kernels("check_support", "refuses images, pipes, printf and what else has no way to Vulkan", kernel::check_support),
    kernels(
        "resolve_builtins",
        "puts instructions in the place of imported OpenCL functions",
        kernel::resolve_builtins,
    ),
    kernels("widen_variables", "gives private variables the size that their lives begin with", kernel::widen_variables),
    kernels("inline_calls", "copies every function into its callers", kernel::inline_calls),
    kernels(
        "arguments",
        "makes kernels entry points without parameters, arguments in push constants",
        kernel::arguments,
    ),
    kernels("builtins", "puts Vulkan's 32-bit built-ins in the place of OpenCL's", kernel::builtins),
    kernels(
        "extended_instructions",
        "puts GLSL.std.450 and expansions in the place of OpenCL.std and of operations that Vulkan lacks",
        kernel::extended_instructions,
    ),
    kernels("wide_vectors", "cuts vectors of 8 and 16 into vectors of 4", kernel::wide_vectors),
    kernels(
        "constant_addresses",
        "makes integers that are addresses of variables instructions",
        kernel::constant_addresses,
    ),
    kernels(
        "promote_variables",
        "splits private variables and makes values of them, until no more can go",
        kernel::promote_variables,
    ),
    Pass {
        name: SHARED_HEADERS,
        summary: "gives loops that share a header one each, where lanes wait for each other in one of them",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, _| {
            let added = reconverge_passes::split_shared_headers(module, function);
            Ok(Changes { changed: added > 0, structurized: None })
        }),
    },
    kernels(
        "group_functions",
        "makes group functions subgroup operations, or loops over shared memory",
        kernel::group_functions,
    ),
    kernels("atomics", "gives atomics the types that Vulkan has them for", kernel::atomics),
    kernels("memory", "makes pointers addresses and offsets, and memory arrays of cells", kernel::lower_memory),
    kernels("memory_model", "gives barriers, atomics and accesses Vulkan's scopes and semantics", kernel::memory_model),
    kernels(
        "relaxed_atomics",
        "takes the order from atomics, for a driver that makes barriers of it",
        kernel::relaxed_atomics,
    ),
    kernels(
        "bounded_indices",
        "bounds indices of private arrays, for a driver that reads them too late",
        kernel::bounded_indices,
    ),
    kernels(
        "split_integers",
        "makes 64-bit integers pairs of 32-bit ones, where the device has none",
        kernel::split_integers,
    ),
    kernels(
        "sign_extensions",
        "makes sign extensions to 64 bits shifts, for a driver that takes them for unsigned",
        kernel::sign_extensions,
    ),
    kernels("remove_dead_code", "removes what nobody needs any more", kernel::remove_dead_code),
    kernels(
        "signed_operands",
        "gives operations on signed numbers signed types, as drivers' optimizers expect",
        kernel::signed_operands,
    ),
    kernels("environment", "declares capabilities, memory model and interfaces for Vulkan", kernel::environment),
    Pass {
        name: "remove_dead_ends",
        summary: "removes ways that only come to `unreachable`",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, _| {
            let removed = match module.stage(function) {
                Stage::Structured => 0,
                _ => reconverge_passes::remove_dead_ends(module, function),
            };
            Ok(Changes { changed: removed > 0, structurized: None })
        }),
    },
    Pass {
        name: DECIDING,
        summary: "structurizes what sees other lanes, in front of all that optimizes",
        from: Stage::Graph,
        to: Stage::Graph,
        work: Work::Functions(|module, function, options| {
            let structurized = reconverge_passes::structurize_convergent(module, function, options)?;
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
                _ => reconverge_passes::remove_unreachable(module, function),
            };
            Ok(Changes { changed: removed > 0, structurized: None })
        }),
    },
    Pass {
        name: "structurize",
        summary: "finds loops and selections and marks them, moving edges where no structure fits",
        from: Stage::Graph,
        to: Stage::Structured,
        work: Work::Functions(|module, function, options| {
            let structurized = reconverge_passes::structurize(module, function, options)?;
            Ok(Changes { changed: structurized.is_some(), structurized })
        }),
    },
    Pass {
        name: "loop_results",
        summary: "hands what loops compute from memory out through parameters, for drivers that run lanes as vectors",
        from: Stage::Structured,
        to: Stage::Structured,
        work: Work::Kernels(kernel::loop_results),
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
        "what is refused must be wrong in a way that nobody knows how to put right",
    ),
    ordering("check_operands", "keep_entry_points", "what a damaged module refers to must not be taken for unused"),
    ordering("keep_entry_points", "check_support", "what no kernel reaches may use what it likes"),
    ordering("resolve_builtins", "inline_calls", "an imported function has no body that could be copied"),
    ordering(
        "widen_variables",
        "promote_variables",
        "a variable is split by what it is, not by what it is declared to be",
    ),
    ordering("inline_calls", "arguments", "a kernel that another kernel calls needs its parameters until then"),
    ordering("arguments", "memory", "pointers that come as arguments must be addresses that were loaded"),
    ordering("builtins", "group_functions", "what was made for group functions reads Vulkan's built-ins already"),
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
    ordering("inline_calls", "constant_addresses", "an instruction for every function would be copied with it"),
    ordering("constant_addresses", "memory", "only instructions are followed from pointers to numbers and back"),
    ordering("inline_calls", SHARED_HEADERS, "a barrier is looked for in the function itself"),
    ordering("promote_variables", SHARED_HEADERS, "a latch is small once variables are values"),
    ordering(SHARED_HEADERS, "group_functions", "what all lanes come to may be for whoever comes from there on"),
    ordering(SHARED_HEADERS, DECIDING, "a loop has the iterations that its header says"),
    ordering("promote_variables", "memory", "a variable that is a value needs no cells, and a pointer to it no class"),
    ordering("group_functions", "memory", "the shared arrays of group functions become cells like any others"),
    ordering("memory", "memory_model", "which accesses are shared is known when pointers are Vulkan's"),
    ordering(
        "atomics",
        "memory",
        "cells are as wide as the atomics on them, and these are integers only from there on",
    ),
    ordering("resolve_builtins", "atomics", "imported atomic functions become atomics that may be none of Vulkan's"),
    ordering("memory_model", "relaxed_atomics", "an order that is not Vulkan's is not known to be one"),
    ordering("memory", "bounded_indices", "arrays of cells have one index"),
    ordering("memory", "split_integers", "addresses are 64-bit integers only from there on"),
    ordering("split_integers", "sign_extensions", "there is nothing to extend where integers are pairs"),
    ordering("split_integers", "environment", "a capability is declared for what is left"),
    ordering("split_integers", "signed_operands", "conversions of the halves are conversions too"),
    ordering(
        "remove_dead_ends",
        DECIDING,
        "a way that nobody goes is no way out of a loop, and a join of such ways none at all",
    ),
    ordering(
        DECIDING,
        "structurize",
        "what sees other lanes is where it is in the input, whatever becomes of the rest",
    ),
    ordering("structurize", "loop_results", "where a loop is left is known from then on"),
    ordering("remove_dead_code", "environment", "a capability that only dead code needs would shut out devices"),
    ordering(
        "remove_unreachable",
        "structurize",
        "an edge from an unreachable block would count as a way into a join and force a dispatch that nobody needs",
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
