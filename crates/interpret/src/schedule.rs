//! Which lane of a work-group runs when.
//!
//! In rounds: each lane in turn runs until it has returned, waits for others, or has executed 10,000 instructions; then those who have
//! met go on (`rendezvous.rs`). So a lane that spins until another one stores something sees it in the end, and the order is the same
//! in every run.

use crate::KernelFailure;
use crate::outcome::Fault;
use crate::run::{Flow, Machine, no_externals};
use crate::work_group::{State, WorkGroup};

/// Instructions that a lane executes before the next one's turn.
const QUANTUM: u64 = 10_000;

impl<'a> WorkGroup<'a> {
    /// Runs until all lanes have returned.
    pub(crate) fn run(&mut self, machine: &mut Machine<'a>) -> Result<(), Box<KernelFailure>> {
        while self.states.iter().any(|&state| state != State::Returned) {
            for lane in 0..self.lanes.len() {
                if self.states[lane] == State::Ready {
                    self.states[lane] = self.turn(machine, lane)?;
                }
            }
            self.meet(machine)?;
        }
        Ok(())
    }

    /// One turn of a lane.
    fn turn(&mut self, machine: &mut Machine<'a>, index: usize) -> Result<State, Box<KernelFailure>> {
        for _ in 0..QUANTUM {
            match machine.step(&mut self.lanes[index], &mut no_externals) {
                Ok(Flow::On) => {}
                Ok(Flow::Ended(None)) => return Ok(State::Returned),
                Ok(Flow::Ended(Some(_))) => {
                    let fault = Fault::malformed("a kernel that returns a value");
                    return Err(self.failure(machine, index, fault));
                }
                Ok(Flow::Meeting) => return self.arrive(machine, index),
                Err(fault) => return Err(self.failure(machine, index, fault)),
            }
        }
        Ok(State::Ready)
    }
}
