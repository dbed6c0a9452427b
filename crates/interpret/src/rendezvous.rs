//! Where lanes meet: barriers and group operations.
//!
//! A barrier or group operation of a work-group is executed when all its lanes wait at the same *instance* of it: the same instruction,
//! in the same calls. If some wait and others have returned or wait elsewhere, the program has no meaning, and the outcome names both
//! places. The same goes for a subgroup, but for operations that only those lanes take part in that are there (`GroupNonUniform…` and
//! the ballots): these are executed when no lane of the subgroup can go on, for the lanes that wait at the instance that comes first,
//! by the order of the blocks in their functions, outermost call first. The others go on waiting, so lanes that are behind catch up.
//!
//! ```text
//! lane 0    ──▶ ballot A ──▶ … ──▶ ballot B        lanes 0 and 1 execute A together,
//! lane 1    ──▶ ballot A ──▶ … ──▶ ballot B        then all three execute B, which comes after A
//! lane 2    ──▶ … ───────────────▶ ballot B
//! ```
//!
//! That rule is the interpreter's own for functions whose control flow is a bare graph, where SPIR-V says nothing; for structured ones
//! it is an approximation of reconvergence: lanes that come together at a merge block meet there only if the operation stands behind it.
//! Which iteration of a loop a lane is in is not compared.

use std::cmp::Ordering;

use reconverge_ir::Op;

use crate::code::{Action, Instruction};
use crate::group::{self, GroupCall, Member};
use crate::happens_before::EVERYTHING;
use crate::outcome::{Fault, UndefinedBehaviour};
use crate::run::Machine;
use crate::work_group::{Meeting, State, WorkGroup};
use crate::{KernelFailure, Value, async_copy};

/// Scopes (SPIR-V section 3.2.27).
const SCOPE_CROSS_DEVICE: u64 = 0;
const SCOPE_DEVICE: u64 = 1;
const SCOPE_WORKGROUP: u64 = 2;
const SCOPE_SUBGROUP: u64 = 3;
const SCOPE_INVOCATION: u64 = 4;

impl<'a> WorkGroup<'a> {
    /// A lane comes to an instruction that it executes with others.
    pub(crate) fn arrive(&mut self, machine: &mut Machine<'a>, lane: usize) -> Result<State, Box<KernelFailure>> {
        let meeting = self.meeting(lane).map_err(|fault| self.failure(machine, lane, fault))?;
        match meeting {
            Some(meeting) => Ok(State::Waiting(meeting)),
            None => {
                self.pass(lane);
                Ok(State::Ready)
            }
        }
    }

    /// Whom a lane has to wait for; nobody at the barrier of a lane.
    fn meeting(&self, lane: usize) -> Result<Option<Meeting>, Fault> {
        let (lane, instruction) = (&self.lanes[lane], self.instruction(lane));
        let op = match instruction.action {
            Action::Group(op) => op,
            Action::Barrier(Op::ControlBarrier) => Op::ControlBarrier,
            Action::Barrier(op) => return Err(Fault::op(op)),
            Action::CallExternal(..) => return Ok(Some(Meeting::Subgroup)),
            _ => unreachable!("lanes wait at barriers and group operations"),
        };
        let scope = match group::has_scope(op) {
            true => lane.operand(instruction.operands, 0)?.as_u64(),
            false => Some(SCOPE_SUBGROUP),
        };
        match scope {
            Some(SCOPE_SUBGROUP) if group::is_non_uniform(op) => Ok(Some(Meeting::Some)),
            Some(SCOPE_SUBGROUP) => Ok(Some(Meeting::Subgroup)),
            Some(SCOPE_WORKGROUP) if !group::is_non_uniform(op) => Ok(Some(Meeting::Group)),
            // A compiler writes the scope of the memory here for `work_group_barrier`; there are no wider barriers.
            Some(SCOPE_DEVICE | SCOPE_CROSS_DEVICE) if op == Op::ControlBarrier => Ok(Some(Meeting::Group)),
            Some(SCOPE_INVOCATION) if op == Op::ControlBarrier => Ok(None),
            Some(scope) => Err(Fault::unsupported(format!("op {} of scope {scope}", op.name()))),
            None => Err(Fault::malformed("a scope that is no integer")),
        }
    }

    /// Lets those go on who have met.
    pub(crate) fn meet(&mut self, machine: &mut Machine<'a>) -> Result<(), Box<KernelFailure>> {
        for number in 0..self.subgroups() {
            self.meet_in_subgroup(machine, number)?;
        }
        let waits = |state: &State| matches!(state, State::Waiting(_));
        match self.states.iter().position(waits) {
            Some(first) if !self.states.contains(&State::Ready) => {
                let everyone: Vec<usize> = (0..self.lanes.len()).collect();
                self.meet_all(machine, first, &everyone)
            }
            _ => Ok(()),
        }
    }

    fn meet_in_subgroup(&mut self, machine: &mut Machine<'a>, number: usize) -> Result<(), Box<KernelFailure>> {
        let range = self.subgroup(number);
        let states = &self.states[range.clone()];
        if states.contains(&State::Ready) {
            return Ok(());
        }
        let some = range.clone().filter(|&lane| self.states[lane] == State::Waiting(Meeting::Some));
        if let Some(first) = some.clone().min_by(|&a, &b| self.compare_instances(a, b)) {
            let members: Vec<usize> =
                some.filter(|&lane| self.compare_instances(lane, first) == Ordering::Equal).collect();
            return self.execute(machine, &members);
        }
        match range.clone().find(|&lane| self.states[lane] == State::Waiting(Meeting::Subgroup)) {
            Some(first) => self.meet_all(machine, first, &range.collect::<Vec<usize>>()),
            None => Ok(()),
        }
    }

    /// Executes what lane `first` waits at with all these lanes, which must wait there too.
    fn meet_all(&mut self, machine: &mut Machine<'a>, first: usize, lanes: &[usize]) -> Result<(), Box<KernelFailure>> {
        let is_there = |&&lane: &&usize| {
            self.states[lane] != self.states[first] || self.compare_instances(lane, first) != Ordering::Equal
        };
        match lanes.iter().find(is_there) {
            Some(&other) => Err(self.divergence(machine, first, other)),
            None => self.execute(machine, lanes),
        }
    }

    /// Executes the instruction that these lanes wait at, and lets them go on.
    fn execute(&mut self, machine: &mut Machine<'a>, members: &[usize]) -> Result<(), Box<KernelFailure>> {
        let first = members[0];
        let instruction = self.instruction(first);
        if let Some(watch) = &machine.memory.watch {
            watch.at(first, instruction.inst);
        }
        let results = match &instruction.action {
            Action::Group(op) => self.group_operation(machine, (instruction, *op), members),
            _ => {
                self.order(machine, instruction, members);
                Ok(Vec::new())
            }
        };
        let results = results.map_err(|fault| self.failure(machine, first, fault))?;
        for (&lane, value) in members.iter().zip(results) {
            self.lanes[lane].write(instruction.result, value);
        }
        for &lane in members {
            self.pass(lane);
            self.states[lane] = State::Ready;
        }
        Ok(())
    }

    /// Tells those who look for data races that lanes have passed a barrier.
    fn order(&self, machine: &Machine<'a>, instruction: &Instruction, members: &[usize]) {
        let Some(watch) = &machine.memory.watch else { return };
        let semantics = match instruction.action {
            Action::Barrier(_) => self.lanes[members[0]].operand(instruction.operands, 2).ok().and_then(Value::as_u32),
            _ => Some(EVERYTHING),
        };
        match self.states[members[0]] {
            State::Waiting(Meeting::Group) => watch.group_barrier(semantics.unwrap_or(0)),
            _ => watch.barrier(members, semantics.unwrap_or(0)),
        }
    }

    /// The results of a group operation, one a member; none for an operation without a result.
    fn group_operation(
        &mut self,
        machine: &mut Machine<'a>,
        (instruction, op): (&'a Instruction, Op),
        members: &[usize],
    ) -> Result<Vec<Value>, Fault> {
        let is_whole = self.states[members[0]] == State::Waiting(Meeting::Group);
        let size = self.launch.subgroup_size;
        let subgroup_first = members[0] as u32 / size * size;
        let (origin, shape) = match is_whole {
            true => (0, self.launch.local),
            false => (subgroup_first, [size.min(self.lanes.len() as u32 - subgroup_first), 1, 1]),
        };
        let member = |&lane: &usize| {
            let operands = group::operands(&self.lanes[lane], instruction, op)?;
            Ok(Member { number: lane as u32 - origin, operands })
        };
        let lane = &self.lanes[members[0]];
        let call = GroupCall {
            op,
            ty: instruction.ty,
            literals: &lane.frame.code.literals[instruction.literals.range()],
            types: &lane.program.types,
            shape,
            subgroup_size: size,
            members: members.iter().map(member).collect::<Result<Vec<Member>, Fault>>()?,
        };
        match op {
            Op::GroupAsyncCopy => async_copy::copy(&mut machine.memory, &call, instruction),
            Op::GroupWaitEvents => {
                machine.memory.watch.iter().for_each(|watch| watch.waited());
                Ok(Vec::new())
            }
            _ => call.evaluate(),
        }
    }

    /// The instruction that a lane stands at.
    fn instruction(&self, lane: usize) -> &'a Instruction {
        let frame = &self.lanes[lane].frame;
        &frame.code.instructions[frame.current]
    }

    /// Moves a lane behind the instruction that it stands at.
    fn pass(&mut self, lane: usize) {
        let lane = &mut self.lanes[lane];
        lane.fuel -= 1;
        lane.frame.current += 1;
    }

    /// Which of two lanes is at an earlier instance, by the instructions of their open calls, outermost first.
    fn compare_instances(&self, a: usize, b: usize) -> Ordering {
        let (a, b) = (&self.lanes[a], &self.lanes[b]);
        let place = |frame: &crate::frame::Frame<'_>| frame.current;
        let in_calls = a.frames().map(place).zip(b.frames().map(place)).map(|(a, b)| a.cmp(&b));
        let first_difference = in_calls.into_iter().find(|order| order.is_ne());
        // A lane that is inside a call is behind one that has returned from it, which stands at the next instruction or later.
        first_difference.unwrap_or_else(|| b.frames().count().cmp(&a.frames().count()))
    }
}

/// Complains about operands that differ between lanes.
pub(crate) fn check_all_uniform(call: &GroupCall<'_>) -> Result<(), Fault> {
    match call.members.iter().all(|member| member.operands == call.members[0].operands) {
        true => Ok(()),
        false => Err(UndefinedBehaviour::NotUniform.into()),
    }
}
