//! The schedule of the tangles of a work-group.
//!
//! In rounds: each tangle that can continue has a turn, in the order of their first lanes; then synchronized lanes continue
//! (`rendezvous.rs`). A turn ends when the lanes of the tangle have ended or wait, or after 1,000 instructions; for a lane that executes
//! alone, after 10,000. If the tangle splits, its parts share the turn, the one with the lowest lane first, and each runs as far as it can
//! before the next one begins. So a lane that spins until another one stores a value finally reads it, and the order is the same in every
//! run.

use crate::fault::Fault;
use crate::lanes::machine::{Flow, Machine, Mode};
use crate::scheduling::observer::Outside;
use crate::scheduling::tangle::Tangle;
use crate::scheduling::work_group::{Failure, LaneState, WorkGroup};
use crate::{End, code::instruction::Action};

/// The number of instructions of a tangle's turn.
const TANGLE_QUANTUM: u64 = 1_000;
/// The number of instructions of a single lane's turn.
const LANE_QUANTUM: u64 = 10_000;

impl<'a> WorkGroup<'a> {
    /// Runs until all lanes have ended, or one fails if that ends the run.
    pub(crate) fn run(&mut self, machine: &mut Machine<'a>, outside: &mut Outside<'_>) -> Result<(), Box<Failure>> {
        for tangle in &self.ready {
            self.entered(outside, tangle);
        }
        while self.states.iter().any(|&state| state != LaneState::Ended) {
            let mut round = std::mem::take(&mut self.ready);
            round.sort_unstable_by_key(|tangle| tangle.lanes[0]);
            for tangle in round {
                self.turn(machine, outside, tangle)?;
            }
            self.meet(machine, outside)?;
            self.ready.append(&mut self.next);
        }
        Ok(())
    }

    /// One turn of a tangle.
    fn turn(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        tangle: Tangle,
    ) -> Result<(), Box<Failure>> {
        let mut budget = if tangle.is_walking() { LANE_QUANTUM } else { TANGLE_QUANTUM };
        self.next.push(tangle);
        while let Some(tangle) = self.next.pop() {
            self.advance(machine, outside, tangle, &mut budget)?;
        }
        Ok(())
    }

    /// Runs a tangle until it splits, ends, waits, or its turn is over.
    fn advance(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        mut tangle: Tangle,
        budget: &mut u64,
    ) -> Result<(), Box<Failure>> {
        loop {
            if *budget == 0 {
                self.ready.push(tangle);
                return Ok(());
            }
            let (flow, last) = match tangle.lanes[..] {
                [only] if outside.observer.is_none() => match self.step_alone(machine, outside, &tangle, budget) {
                    Ok(flow) => (flow, 0),
                    Err(fault) => {
                        self.fail(machine, only, fault)?;
                        self.gone(outside, tangle.rejoin, 1);
                        return Ok(());
                    }
                },
                _ => self.step_together(machine, outside, &mut tangle, budget)?,
            };
            if tangle.lanes.is_empty() {
                return Ok(());
            }
            let going = match flow {
                Flow::On => Some(tangle),
                Flow::Jumped => self.jumped(outside, tangle, last),
                Flow::Called => self.called(outside, tangle),
                Flow::Back => self.returned(outside, tangle),
                Flow::Meeting => self.arrive(machine, outside, tangle)?,
                Flow::Ended => {
                    let only = tangle.lanes[0];
                    self.finish(machine, only)?;
                    self.gone(outside, tangle.rejoin, 1);
                    None
                }
            };
            match going {
                Some(going) => tangle = going,
                None => return Ok(()),
            }
        }
    }

    /// A single lane executes instructions until one affects other lanes, or its turn is over.
    fn step_alone(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        tangle: &Tangle,
        budget: &mut u64,
    ) -> Result<Flow, Fault> {
        let lane = &mut self.lanes[tangle.lanes[0]];
        let (may_land, is_walking) = (tangle.may_land(), tangle.is_walking());
        while *budget > 0 {
            *budget -= 1;
            match machine.step(lane, outside.external)? {
                Flow::On => {}
                Flow::Jumped if !may_land || !lane.frame.lands() => {}
                Flow::Called if is_walking => {}
                Flow::Back if tangle.walks_at(lane.depth()) => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::On)
    }

    /// The lanes of a tangle execute an instruction, or several quiet ones, one lane after the other. Lanes that fail or return from the
    /// launched function are removed. Returns the result of the last instruction, and its number.
    fn step_together(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        tangle: &mut Tangle,
        budget: &mut u64,
    ) -> Result<(Flow, usize), Box<Failure>> {
        let frame = &self.lanes[tangle.lanes[0]].frame;
        let (from, action) = (frame.current, &frame.code.instructions[frame.current].action);
        let is_watched = outside.observer.is_some() || machine.memory.watch.is_some();
        let row =
            frame.code.structure.as_ref().filter(|_| !is_watched).map_or(1, |structure| structure.quiet_from(from));
        let count = u64::from(row).clamp(1, *budget);
        *budget -= count;
        if outside.observer.is_some() && action.is_terminator() {
            self.tell_of_terminator(machine, outside, tangle);
        }
        let (flow, ended) = self.step_each(machine, outside, tangle, count)?;
        if ended > 0 {
            let states = &self.states;
            tangle.lanes.retain(|&lane| states[lane] != LaneState::Ended);
            self.gone(outside, tangle.rejoin, ended);
        }
        let is_told = flow == Flow::On && !action.is_terminator() && !tangle.lanes.is_empty();
        if outside.observer.is_some() && is_told {
            self.executed(outside, &tangle.lanes, from);
        }
        Ok((flow, from + count as usize - 1))
    }

    /// Each lane of a tangle executes this number of instructions, of which all except the last are quiet. Returns the result of the last
    /// one, and the number of lanes that have ended.
    ///
    /// If a failure ends the run, it is the first one: by instruction, then by lane.
    fn step_each(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        tangle: &Tangle,
        mut count: u64,
    ) -> Result<(Flow, usize), Box<Failure>> {
        let (mut flow, mut ended, mut failure) = (Flow::On, 0, None);
        for &index in &tangle.lanes {
            let (result, executed) = machine.steps(&mut self.lanes[index], outside.external, count);
            match result {
                Ok(Flow::Ended) => {
                    self.finish(machine, index)?;
                    ended += 1;
                }
                Ok(other) => flow = other,
                Err(fault) => match self.fail(machine, index, fault) {
                    Ok(()) => ended += 1,
                    Err(first) => (count, failure) = (executed, Some(first)),
                },
            }
        }
        failure.map_or(Ok((flow, ended)), Err)
    }

    /// Reports the lanes that leave a block.
    #[cold]
    fn tell_of_terminator(&self, machine: &Machine<'a>, outside: &mut Outside<'_>, tangle: &Tangle) {
        let leaves = |&lane: &usize| machine.leaves(&self.lanes[lane]);
        let lanes: Vec<usize> = tangle.lanes.iter().copied().filter(leaves).collect();
        if !lanes.is_empty() {
            self.executed(outside, &lanes, self.lanes[lanes[0]].frame.current);
        }
    }

    /// A lane has returned from the launched function.
    fn finish(&mut self, machine: &Machine<'a>, lane: usize) -> Result<(), Box<Failure>> {
        match self.lanes[lane].returned.take() {
            Some(_) if machine.mode == Mode::Kernel => {
                self.fail(machine, lane, Fault::malformed("a kernel that returns a value"))
            }
            value => self.end(machine, Failure::new(lane, End::Returned(value))),
        }
    }
}

impl Action {
    /// Returns whether control leaves the block.
    fn is_terminator(&self) -> bool {
        matches!(
            self,
            Action::Branch(_)
                | Action::BranchIf { .. }
                | Action::Switch(_)
                | Action::Return
                | Action::ReturnValue
                | Action::Terminate(_)
                | Action::Unreachable
        )
    }
}
