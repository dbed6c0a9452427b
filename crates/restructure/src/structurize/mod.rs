//! Structurizes a function: from stage Graph to stage Structured.
//!
//! *Requires* stage Graph (or Structured, which is unchanged). *Preserves* which blocks are executed in which order, and their values.
//! *Does not preserve* block order: each block comes after its dominator.
//!
//! A function at stage Graph may contain merges that do not form a structure (a kernel's unroll hints, a shader whose blocks were moved).
//! They are removed first, but their information is kept (`hints.rs`): reconvergence becomes a hint for the structurizer
//! (`docs/convergence.md`); loop control and selection control are set again if the same block becomes a header.
//!
//! `reconverge-structurize` determines the structure on the plain graph (`docs/structurize.md`). This pass converts the function to its
//! input (`input.rs`) and applies the plan:
//!
//! 1. merges and unreachable blocks are removed (`forget_structure`, `remove_unreachable`), and so are joins of exits without content
//!    (`empty_joins.rs`); optionally, small blocks of irreducible cycles are copied (`split.rs`);
//! 2. blocks, parameters, terminators are rewritten (`rewrite.rs`, `terminators.rs`), with the arguments of the original edges as
//!    payload along the planned routes (`payload.rs`, `arguments.rs`, `choose.rs`);
//! 3. values that no longer dominate their uses are passed through block parameters (`ssa_repair`);
//! 4. redundant parameters are removed (`redundant_parameters`), those that a branch determines (`phi_elimination`), and selectors that a
//!    payload beside them implies (`implied_selectors`); a selector with two values becomes a boolean (`boolean_selectors.rs`).
//!
//! Near-linear, as the plan is.

mod arguments;
mod boolean_selectors;
mod bundle;
mod choose;
mod empty_joins;
mod hints;
mod input;
mod limit;
mod numbers;
mod observers;
mod payload;
mod rewrite;
mod route;
mod split;
mod split_values;
mod terminators;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::text::Printer;
use reconverge_ir::{Block, Function, Module, Stage};
use reconverge_structurize::{Origin, Plan, SplitGraph};

pub use reconverge_structurize::Options;

use crate::forget_structure;
use crate::implied_selectors::remove_implied_selectors;
use crate::phi_elimination::eliminate_phis;
use hints::Hints;
use input::Input;
use reconverge_rewrite::demote_to_memory::Demotion;
use reconverge_rewrite::original_dominance::OriginalDominance;
use reconverge_rewrite::redundant_parameters::remove_redundant_parameters;
use reconverge_rewrite::remove_unreachable;
use reconverge_rewrite::ssa_repair::{RepairError, RepairReport, carry_values};

/// The report on a structurized function.
#[derive(Debug)]
pub struct StructurizeReport {
    /// The plan that was applied.
    pub plan: Plan,
    /// The block of each planned block, in the plan's order.
    pub blocks: Vec<Block>,
    /// Blocks of the input, by the number they have in the plan.
    pub input_blocks: Vec<Block>,
    /// The copies made before ([`Options::split_blocks`]), if any: the graph of the plan.
    pub split: Option<SplitGraph>,
    /// The number of removed joins of exits that only passed values on; the plan does not have them.
    pub removed_joins: usize,
    /// The additions of the SSA repair.
    pub repair: RepairReport,
    /// The numbers of added and removed block parameters.
    pub values: ValuesReport,
}

/// The block parameters for routing control and the arguments of original edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValuesReport {
    /// Parameters for selectors, before removal.
    pub selectors: usize,
    /// Parameters that pass arguments of original edges on, before removal.
    pub slots: usize,
    /// Removed parameters: added ones, and those of blocks after a dispatch that an added one replaces.
    pub removed: usize,
}

impl StructurizeReport {
    /// The number of added blocks, without edge blocks.
    pub fn added_blocks(&self) -> usize {
        self.plan.blocks.iter().filter(|block| matches!(block.origin, Origin::Added(_))).count()
    }
}

/// Structurizes one function. `None` if it has no body or is structured already.
///
/// # Errors
/// Declared limits of the structurizer, and values of opaque type that no parameter can have. The function may be partly rewritten by then.
pub fn structurize(
    module: &mut Module,
    function: Function,
    options: &Options,
) -> Result<Option<StructurizeReport>, Diagnostic> {
    if module.entry(function).is_none() || module.stage(function) == Stage::Structured {
        return Ok(None);
    }
    let hints = Hints::collect(module, function);
    forget_structure(module, function);
    remove_unreachable(module, function);
    let removed_joins = empty_joins::remove_empty_joins(module, function, &hints);
    let mut input = Input::collect(module, function, &hints);
    let split = split::split_blocks(module, function, &input, options.split_blocks)
        .map_err(|growth| limit::exceeded(growth.to_string()))?;
    if split.is_some() {
        input = Input::collect(module, function, &hints);
    }
    let plan = reconverge_structurize::structurize(&input, options)?;
    let report = apply(module, function, input, &hints, plan)?;
    Ok(Some(StructurizeReport { split, removed_joins, ..report }))
}

/// [`structurize`] for a function with convergent operations; `None` for all others.
///
/// If no merge specifies reconvergence, the edges and the blocks of the input determine it. So it is determined before any pass moves an
/// edge or merges two blocks, and later passes preserve the structure (`docs/convergence.md`).
///
/// # Errors
/// Those of [`structurize`].
pub fn structurize_convergent(
    module: &mut Module,
    function: Function,
    options: &Options,
) -> Result<Option<StructurizeReport>, Diagnostic> {
    match observers::sees_others(module, function) {
        true => structurize(module, function, options),
        false => Ok(None),
    }
}

/// Structurizes one function by an existing plan, for example from a graph with more information than the function.
///
/// *Requires* stage Graph, no unreachable block, and a plan of the function's graph: blocks numbered from 0 in their order, without edge
/// blocks. Otherwise the function panics or returns an invalid function.
///
/// # Errors
/// Those of [`structurize`].
pub fn apply_plan(module: &mut Module, function: Function, plan: Plan) -> Result<StructurizeReport, Diagnostic> {
    let hints = Hints::collect(module, function);
    forget_structure(module, function);
    let input = Input::collect(module, function, &hints);
    apply(module, function, input, &hints, plan)
}

fn apply(
    module: &mut Module,
    function: Function,
    input: Input,
    hints: &Hints,
    plan: Plan,
) -> Result<StructurizeReport, Diagnostic> {
    let mut original = OriginalDominance::compute(module, function);
    let rewritten = rewrite::rewrite(module, function, (&input, hints, &plan), &mut original)?;
    module.edit().set_stage(function, Stage::Structured);
    let (repair, mut added) =
        carry_values(module, function, &original, Demotion::Allowed).map_err(|error| not_carried(module, error))?;
    added.extend(rewritten.parameters);
    let mut values = rewritten.values;
    values.removed = remove_redundant_parameters(module, function, &added);
    values.removed += eliminate_phis(module, function, &added);
    values.removed += remove_implied_selectors(module, &rewritten.selectors);
    boolean_selectors::make_boolean(module, &rewritten.selectors);
    let (blocks, input_blocks) = (rewritten.blocks, input.blocks);
    Ok(StructurizeReport { plan, blocks, input_blocks, split: None, removed_joins: 0, repair, values })
}

reconverge_diagnostic::codes! {
    /// Codes of the structurizer on functions.
    pub enum StructurizeCode in "Compiling" {
        Opaque = "structurize-opaque" Unsupported
            "After structurizing, the definition of a value no longer dominates a use. The value would need a block parameter (an OpPhi), and its type, such as an image, a sampler or a pointer, does not allow one."
            "load or compute the value again in the block that uses it";
    }
}

/// Values that no longer dominate their uses and cannot be carried there.
fn not_carried(module: &Module, error: RepairError) -> Diagnostic {
    match error {
        RepairError::Growth(growth) => limit::exceeded(growth.to_string()),
        RepairError::Opaque { value, user } => {
            let message = format!(
                "{} does not dominate this use of it once the function is structured, and its type can be neither a block \
                 parameter nor computed again",
                Printer::new(module).operand_text(value)
            );
            Diagnostic::new(StructurizeCode::Opaque, user, message)
        }
    }
}
