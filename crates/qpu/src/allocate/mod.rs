//! Registers of the QPU for virtual registers.
//!
//! | file | content |
//! |---|---|
//! | `constants.rs` | small immediates are operands |
//! | `dead_code.rs` | instructions whose result nothing needs are removed |
//! | `coalesce.rs` | registers that are moved into each other become one |
//! | `value_tests.rs` | flags are set by the instructions whose results they test |
//! | `liveness.rs` | live ranges |
//! | `frequency.rs` | how often blocks are executed, as a guess |
//! | `files.rs` | which file a register prefers |
//! | `close.rs` | registers that are read right after their writes |
//! | `assign.rs` | a place for each register |
//! | `stretches.rs` | where the mutex is held |
//! | `spill.rs` | registers without a place are computed again or live in rows of the vertex pipe memory |
//! | `fixups.rs` | instructions with places, and moves for operands of the same file |
//!
//! Places are assigned and registers are spilled in turns until all have a place. The registers of spill code are short and are never spilled, so
//! that ends.

mod assign;
mod close;
mod coalesce;
mod constants;
mod dead_code;
mod files;
mod fixups;
mod frequency;
mod liveness;
mod spill;
mod stretches;
mod value_tests;

pub(crate) use dead_code::remove_dead_code;

use assign::{Assigner, Assignment, UNSPILLABLE};
use liveness::Liveness;
use spill::{Home, Spiller};

use crate::assemble::AssembleError;
use crate::machine::{MachineFunction, VReg};
use crate::physical::PhysicalFunction;

/// The number of rows of the vertex pipe memory.
pub(crate) const ROWS: u32 = 64;

/// A function with places.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// The function.
    pub function: PhysicalFunction,
    /// The number of rows of the vertex pipe memory that spilled registers need.
    pub spill_rows: u32,
    /// The number of registers in rows.
    pub spilled: usize,
    /// The number of registers that are rematerialized.
    pub computed_again: usize,
    /// The number of moves that were inserted for operands.
    pub moves: usize,
}

/// Gives a function places of the QPU.
///
/// # Errors
///
/// If there are not enough of them, nor rows of the vertex pipe memory.
pub fn allocate(mut function: MachineFunction) -> Result<Allocation, AssembleError> {
    constants::use_small_immediates(&mut function);
    remove_dead_code(&mut function);
    coalesce::forward_results(&mut function);
    coalesce::join_moves(&mut function);
    value_tests::fold_tests(&mut function);
    remove_dead_code(&mut function);
    let first_temporary = function.registers;
    let mut spilling = Spilling { rows: 0, in_rows: 0, again: 0 };
    loop {
        let assignment = assign(&function, first_temporary);
        if assignment.spilled.is_empty() {
            let (function, moves) = fixups::apply(&function, &assignment);
            return Ok(Allocation {
                function,
                spill_rows: spilling.rows,
                spilled: spilling.in_rows,
                computed_again: spilling.again,
                moves,
            });
        }
        spilling.round(&mut function, &assignment, first_temporary)?;
    }
}

fn assign(function: &MachineFunction, first_temporary: u32) -> Assignment {
    let liveness = Liveness::of(function);
    let frequencies = frequency::frequencies(function);
    let weights = weights(function, &liveness, &frequencies, first_temporary);
    let mut assigner = Assigner::new(&liveness, &weights);
    assigner.shared_accumulator(&close::close_registers(function, &liveness, &frequencies));
    let mut has_accumulator = assigner.accumulators();
    assigner.last_accumulator(function, &mut has_accumulator);
    let preferences = files::preferences(function, &frequencies, &has_accumulator);
    assigner.files(&preferences)
}

/// For each register how much it costs to spill it.
fn weights(function: &MachineFunction, liveness: &Liveness, frequencies: &[u32], first_temporary: u32) -> Vec<f32> {
    let mut mentions = vec![0.0_f32; function.registers as usize];
    for (block, &frequency) in function.blocks.iter().zip(frequencies) {
        for register in block.insts.iter().flat_map(|inst| inst.uses().chain(inst.definition())) {
            mentions[register.0 as usize] += frequency as f32;
        }
    }
    let constants = spill::constants(function);
    let weight = |(register, mentions): (usize, f32)| {
        let length: u32 = liveness.ranges[register].iter().map(|segment| segment.end - segment.start).sum();
        let is_fixed = register as u32 >= first_temporary || function.spill_base == Some(VReg(register as u32));
        match &constants[register] {
            // Nothing is won if the value is read at once.
            _ if is_fixed || length <= 6 => UNSPILLABLE,
            Some(_) => mentions / length as f32 / 8.0,
            None => mentions / length as f32,
        }
    };
    mentions.into_iter().enumerate().map(weight).collect()
}

/// The registers that were spilled.
struct Spilling {
    rows: u32,
    in_rows: usize,
    again: usize,
}

impl Spilling {
    /// Spills the registers that found no place.
    fn round(
        &mut self,
        function: &mut MachineFunction,
        assignment: &Assignment,
        first_temporary: u32,
    ) -> Result<(), AssembleError> {
        let is_fixed = |register: &VReg| register.0 >= first_temporary || function.spill_base == Some(*register);
        if assignment.spilled.iter().any(is_fixed) {
            return Err(AssembleError::TooManyRegisters);
        }
        let constants = spill::constants(function);
        let (again, in_rows): (Vec<VReg>, Vec<VReg>) =
            assignment.spilled.iter().partition(|register| constants[register.0 as usize].is_some());
        let liveness = Liveness::of(function);
        let (slots, rows) = spill::slots(&in_rows, &liveness.ranges, self.rows);
        if function.own_rows + rows > ROWS {
            return Err(AssembleError::TooManyRows { needed: function.own_rows + rows, limit: ROWS });
        }
        if function.spill_base.is_none() && rows > 0 {
            return Err(AssembleError::NeedsSpillBase);
        }
        let mut homes: Vec<Option<Home>> = vec![None; function.registers as usize];
        for register in &again {
            homes[register.0 as usize] = constants[register.0 as usize].map(Home::Again);
        }
        for (register, slot) in in_rows.iter().zip(slots) {
            homes[register.0 as usize] = Some(Home::Row(slot));
        }
        Spiller::new(function, &homes).run();
        self.rows = rows;
        self.in_rows += in_rows.len();
        self.again += again.len();
        Ok(())
    }
}
