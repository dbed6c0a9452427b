//! Register allocation by `regalloc2`.
//!
//! [`Algorithm::Ion`] gives good code, in time that grows with the number of values that live at once: 0.4 to 10 microseconds an
//! instruction. [`Algorithm::Fastalloc`] takes a tenth of a microsecond and moves three times as much. A function beyond [`LARGE`]
//! gets the second, so that no kernel takes seconds to compile.
//!
//! In debug builds the checker of `regalloc2` follows every value through the result.

use reconverge_diagnostic::Diagnostic;

use super::constraints::Constraints;
use super::flatten::Flat;
use super::inst::{MachineBlock, MachineFunction, Terminator};
use super::registers::environment;
use super::slots::share_slots;
use crate::error::not_allocated;
use regalloc2::checker::Checker;
use regalloc2::{Algorithm, MachineEnv, Output, RegallocOptions};

/// The number of instructions and of arguments of jumps beyond which the fast algorithm is taken. Divergent loops in loops have many arguments.
const LARGE: usize = 20_000;

/// A function and where its values live.
pub(super) struct Allocated<'f> {
    pub(super) flat: Flat<'f>,
    pub(super) output: Output,
    /// True if the fast algorithm was taken.
    pub(super) is_fast: bool,
}

/// Chooses a register or a slot for each value.
pub(super) fn allocate(function: &MachineFunction) -> Result<Allocated<'_>, Diagnostic> {
    let size_of = |block: &MachineBlock| match &block.end {
        Some(Terminator::Jump(_, arguments)) => block.insts.len() + arguments.len(),
        _ => block.insts.len(),
    };
    let is_fast = function.blocks.iter().map(size_of).sum::<usize>() > LARGE;
    let algorithm = if is_fast { Algorithm::Fastalloc } else { Algorithm::Ion };
    let flat = Flat::new(function, &Constraints { has_avx512: function.has_avx512, has_limits: !is_fast });
    let environment = environment(function);
    let options = RegallocOptions { verbose_log: false, validate_ssa: cfg!(debug_assertions), algorithm };
    let mut output = regalloc2::run(&flat, &environment, &options).map_err(not_allocated)?;
    if is_fast {
        share_slots(&flat, &mut output);
    }
    if cfg!(debug_assertions) {
        check(&flat, &environment, &output)?;
    }
    Ok(Allocated { flat, output, is_fast })
}

fn check(flat: &Flat<'_>, environment: &MachineEnv, output: &Output) -> Result<(), Diagnostic> {
    let mut checker = Checker::new(flat, environment);
    checker.prepare(output);
    checker.run().map_err(|errors| {
        let text = format!("{errors:?}");
        let first: String = text.chars().take(300).collect();
        not_allocated(format!("the checker found {first}"))
    })
}
