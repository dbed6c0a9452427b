//! Synchronization of lanes: barriers and group operations.
//!
//! Operations on the active lanes of a subgroup (`GroupNonUniform…`, ballots, derivatives) are executed by the lanes of a tangle at once.
//!
//! A barrier or group operation of a work-group is executed when all its lanes wait at the same *instance* of it: the same instruction, in
//! the same calls, and in one tangle if they started as one. If some wait and others have ended or wait elsewhere, the behaviour is
//! undefined, and the outcome contains both places. The same holds for a subgroup.
//!
//! For lanes that execute alone, in functions at stage Graph, the interpreter has its own rule, since SPIR-V defines none: an operation on
//! active lanes is executed when no lane of the subgroup can continue, for the lanes that wait at the first instance, by the order of the
//! blocks in their functions, outermost call first. The others keep waiting, so that earlier lanes catch up. Loop iterations are not
//! compared.
//!
//! ```text
//! lane 0    ──▶ ballot A ──▶ … ──▶ ballot B        lanes 0 and 1 execute A together,
//! lane 1    ──▶ ballot A ──▶ … ──▶ ballot B        then all three execute B, which comes after A
//! lane 2    ──▶ … ───────────────▶ ballot B
//! ```

use std::cmp::Ordering;

use reconverge_ir::{Op, view};
use spirv::Scope;

use crate::Value;
use crate::code::instruction::{Action, Instruction};
use crate::fault::Fault;
use crate::groups::{self, GroupCall, Member};
use crate::lanes::frame::CallFrame;
use crate::lanes::group;
use crate::lanes::machine::Machine;
use crate::races::happens_before::{self, EVERYTHING};
use crate::scheduling::observer::Outside;
use crate::scheduling::tangle::Tangle;
use crate::scheduling::work_group::{Failure, LaneState, Meeting, WorkGroup};

/// Lanes that a ballot has bits for.
const BALLOT_LANES: usize = 128;

impl<'a> WorkGroup<'a> {
    /// A tangle reaches an instruction that it may execute with others. Returns the tangle if it continues.
    pub(super) fn arrive(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        tangle: Tangle,
    ) -> Result<Option<Tangle>, Box<Failure>> {
        let first = tangle.lanes[0];
        let meeting = match self.meeting(first) {
            Ok(meeting) => meeting,
            Err(fault) => {
                self.fail_all(machine, outside, tangle, fault)?;
                return Ok(None);
            }
        };
        match meeting {
            None => {
                tangle.lanes.iter().for_each(|&lane| self.pass(lane));
                self.passed(outside, &tangle.lanes);
                Ok(Some(tangle))
            }
            Some(Meeting::Some) if !tangle.is_walking() => self.execute_at_once(machine, outside, tangle),
            Some(Meeting::Subgroup) if !tangle.is_walking() => {
                let whole = self.without_parts(tangle);
                whole.map_or(Ok(None), |whole| self.execute_at_once(machine, outside, whole))
            }
            Some(meeting) => {
                self.wait(tangle, meeting);
                Ok(None)
            }
        }
    }

    /// The lanes of a tangle whose subgroups are complete in it. The others wait without success: the missing lanes do not reach the
    /// operation before the tangle continues.
    fn without_parts(&mut self, mut tangle: Tangle) -> Option<Tangle> {
        let size = self.layout.subgroup_size;
        let chunks = tangle.lanes.chunk_by(|a, b| a / size == b / size);
        let is_part = |chunk: &&[usize]| chunk.len() < self.subgroup(chunk[0] / size).len();
        let parts: Vec<usize> = chunks.filter(is_part).flatten().copied().collect();
        if !parts.is_empty() {
            tangle.lanes.retain(|lane| parts.binary_search(lane).is_err());
            self.wait(Tangle::new(parts, tangle.rejoin), Meeting::Subgroup);
        }
        (!tangle.lanes.is_empty()).then_some(tangle)
    }

    /// The lanes of a tangle wait for others.
    fn wait(&mut self, tangle: Tangle, meeting: Meeting) {
        let first = tangle.lanes[0];
        for &lane in &tangle.lanes {
            self.states[lane] = LaneState::Waiting(meeting);
            self.leaders[lane] = first;
        }
        self.waiting[first] = Some(tangle);
    }

    /// The lanes that a lane must wait for; none for a barrier of scope Invocation.
    fn meeting(&self, lane: usize) -> Result<Option<Meeting>, Fault> {
        let (lane, instruction) = (&self.lanes[lane], self.instruction(lane));
        let op = match instruction.action {
            Action::Group(op) => op,
            Action::Barrier(Op::ControlBarrier) => Op::ControlBarrier,
            Action::Barrier(op) => return Err(Fault::op(op)),
            Action::CallExternal(..) => return Ok(Some(Meeting::Subgroup)),
            _ => unreachable!("lanes wait at barriers and group operations"),
        };
        let scope = match groups::has_scope(op) {
            true => lane.first(instruction.operands)?.as_u64(),
            false => Some(Scope::Subgroup as u64),
        };
        let named = scope.and_then(|scope| u32::try_from(scope).ok()).and_then(Scope::from_u32);
        match named {
            Some(Scope::Subgroup) if groups::is_non_uniform(op) => Ok(Some(Meeting::Some)),
            Some(Scope::Subgroup) => Ok(Some(Meeting::Subgroup)),
            Some(Scope::Workgroup) if !groups::is_non_uniform(op) => Ok(Some(Meeting::Group)),
            // A front end writes the memory scope here for `work_group_barrier`; there are no wider barriers.
            Some(Scope::Device | Scope::CrossDevice) if op == Op::ControlBarrier => Ok(Some(Meeting::Group)),
            Some(Scope::Invocation) if op == Op::ControlBarrier => Ok(None),
            _ => Err(match scope {
                Some(scope) => Fault::unsupported(format!("op {} of scope {scope}", op.name())),
                None => Fault::malformed("a scope that is no integer"),
            }),
        }
    }

    /// The lanes of a tangle execute an operation, for each subgroup separately.
    fn execute_at_once(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        mut tangle: Tangle,
    ) -> Result<Option<Tangle>, Box<Failure>> {
        let size = self.layout.subgroup_size;
        let count = tangle.lanes.len();
        for members in tangle.lanes.chunk_by(|a, b| a / size == b / size) {
            self.execute(machine, members, Meeting::Some)?;
        }
        let states = &self.states;
        tangle.lanes.retain(|&lane| states[lane] != LaneState::Ended);
        if tangle.lanes.len() < count {
            self.gone(outside, tangle.rejoin, count - tangle.lanes.len());
        }
        if tangle.lanes.is_empty() {
            return Ok(None);
        }
        self.passed(outside, &tangle.lanes);
        Ok(Some(tangle))
    }

    /// Continues the lanes that have synchronized.
    pub(crate) fn meet(&mut self, machine: &mut Machine<'a>, outside: &mut Outside<'_>) -> Result<(), Box<Failure>> {
        for number in 0..self.subgroups() {
            self.meet_in_subgroup(machine, outside, number)?;
        }
        let waits = |state: &LaneState| matches!(state, LaneState::Waiting(_));
        match self.states.iter().position(waits) {
            Some(first) if !self.states.contains(&LaneState::Ready) => {
                let everyone: Vec<usize> = (0..self.lanes.len()).collect();
                self.meet_all(machine, outside, first, &everyone)
            }
            _ => Ok(()),
        }
    }

    fn meet_in_subgroup(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        number: usize,
    ) -> Result<(), Box<Failure>> {
        let range = self.subgroup(number);
        let states = &self.states[range.clone()];
        if states.contains(&LaneState::Ready) {
            return Ok(());
        }
        let some = range.clone().filter(|&lane| self.states[lane] == LaneState::Waiting(Meeting::Some));
        if let Some(first) = some.clone().min_by(|&a, &b| self.compare_instances(a, b)) {
            let members: Vec<usize> =
                some.filter(|&lane| self.compare_instances(lane, first) == Ordering::Equal).collect();
            return self.meet_at(machine, outside, &members);
        }
        match range.clone().find(|&lane| self.states[lane] == LaneState::Waiting(Meeting::Subgroup)) {
            Some(first) => self.meet_all(machine, outside, first, &range.collect::<Vec<usize>>()),
            None => Ok(()),
        }
    }

    /// Executes the instruction at which lane `first` waits with all these lanes, which must wait there too.
    fn meet_all(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        first: usize,
        lanes: &[usize],
    ) -> Result<(), Box<Failure>> {
        if lanes.iter().all(|&lane| self.is_with(first, lane)) {
            return self.meet_at(machine, outside, lanes);
        }
        let waits = |&lane: &usize| matches!(self.states[lane], LaneState::Waiting(_));
        let failures: Vec<Failure> = lanes
            .iter()
            .copied()
            .filter(waits)
            .filter_map(|lane| {
                let other = lanes.iter().find(|&&other| !self.is_with(lane, other))?;
                Some(self.divergence(machine, lane, *other))
            })
            .collect();
        for failure in failures {
            self.end(machine, failure)?;
        }
        lanes.iter().for_each(|&lane| self.without_ended(outside, lane));
        Ok(())
    }

    /// Lanes that have ended are missing at this instance.
    fn without_ended(&mut self, outside: &mut Outside<'_>, first: usize) {
        let leader = self.leaders[first];
        let Some(mut tangle) = self.waiting[leader].take() else { return };
        let count = tangle.lanes.len();
        tangle.lanes.retain(|&lane| self.states[lane] != LaneState::Ended);
        let (rejoin, ended) = (tangle.rejoin, count - tangle.lanes.len());
        if let Some(&leader) = tangle.lanes.first() {
            tangle.lanes.iter().for_each(|&lane| self.leaders[lane] = leader);
            self.waiting[leader] = Some(tangle);
        }
        if ended > 0 {
            self.gone(outside, rejoin, ended);
        }
    }

    /// Returns whether a lane waits at the instance of another one.
    fn is_with(&self, lane: usize, other: usize) -> bool {
        let size = self.layout.tangle_size;
        let is_walking = self.waiting[self.leaders[lane]].as_ref().is_none_or(Tangle::is_walking);
        let is_torn = lane / size == other / size && self.leaders[lane] != self.leaders[other];
        self.states[lane] == self.states[other]
            && self.compare_instances(lane, other) == Ordering::Equal
            && (is_walking || !is_torn)
    }

    /// Executes the instruction at which these lanes wait, and continues them.
    fn meet_at(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        members: &[usize],
    ) -> Result<(), Box<Failure>> {
        let LaneState::Waiting(meeting) = self.states[members[0]] else {
            unreachable!("the caller gives lanes that wait")
        };
        self.execute(machine, members, meeting)?;
        let (gone, going): (Vec<usize>, Vec<usize>) =
            members.iter().partition(|&&lane| self.states[lane] == LaneState::Ended);
        if !going.is_empty() {
            self.passed(outside, &going);
        }
        for lane in going {
            self.states[lane] = LaneState::Ready;
            self.ready.extend(self.waiting[lane].take());
        }
        gone.iter().for_each(|&lane| self.without_ended(outside, lane));
        Ok(())
    }

    /// These lanes execute their current instruction and continue after it. If it fails, all of them end, since they execute it together.
    fn execute(&mut self, machine: &mut Machine<'a>, members: &[usize], meeting: Meeting) -> Result<(), Box<Failure>> {
        let first = members[0];
        let instruction = self.instruction(first);
        if let Some(watch) = &machine.memory.watch {
            watch.at(first, instruction.inst);
        }
        let results = match &instruction.action {
            Action::Group(op) => self.group_operation(machine, *op, members, meeting),
            _ => {
                self.order(machine, instruction, members, meeting);
                Ok(Vec::new())
            }
        };
        match results {
            Ok(results) => {
                if machine.memory.has_notes() {
                    machine.memory.complete(&self.lanes[first], instruction);
                }
                for (&lane, value) in members.iter().zip(results) {
                    self.lanes[lane].write(instruction.result, value);
                }
                members.iter().for_each(|&lane| self.pass(lane));
            }
            Err(fault) => {
                for &lane in members {
                    self.fail(machine, lane, fault.clone())?;
                }
            }
        }
        Ok(())
    }

    /// All lanes of a tangle fail.
    fn fail_all(
        &mut self,
        machine: &mut Machine<'a>,
        outside: &mut Outside<'_>,
        tangle: Tangle,
        fault: Fault,
    ) -> Result<(), Box<Failure>> {
        for &lane in &tangle.lanes {
            self.fail(machine, lane, fault.clone())?;
        }
        self.gone(outside, tangle.rejoin, tangle.lanes.len());
        Ok(())
    }

    /// Reports to the race detector that lanes have passed a barrier.
    fn order(&self, machine: &Machine<'a>, instruction: &Instruction, members: &[usize], meeting: Meeting) {
        let Some(watch) = &machine.memory.watch else { return };
        let semantics = match instruction.action {
            Action::Barrier(_) => {
                let operand =
                    self.lanes[members[0]].operand(instruction.operands, view::ControlBarrier::SLOT.semantics);
                happens_before::semantics(operand.ok())
            }
            _ => EVERYTHING,
        };
        match meeting {
            Meeting::Group => watch.group_barrier(semantics),
            _ => watch.barrier(members, semantics),
        }
    }

    /// The results of a group operation, one for each member; none for an operation without a result.
    fn group_operation(
        &mut self,
        machine: &mut Machine<'a>,
        op: Op,
        members: &[usize],
        meeting: Meeting,
    ) -> Result<Vec<Value>, Fault> {
        let size = self.layout.subgroup_size;
        if size > BALLOT_LANES && matches!(op, Op::GroupNonUniformBallot | Op::SubgroupBallotKHR) {
            return Err(Fault::unsupported(format!("op {} in a subgroup of more than 128 lanes", op.name())));
        }
        let subgroup_first = members[0] / size * size;
        let (origin, shape) = match meeting {
            Meeting::Group => (0, self.layout.shape),
            _ => (subgroup_first, [size.min(self.lanes.len() - subgroup_first) as u32, 1, 1]),
        };
        let instruction = self.instruction(members[0]);
        let member = |&lane: &usize| {
            let operands = group::operands(&self.lanes[lane], instruction, op)?;
            Ok(Member { number: (lane - origin) as u32, operands })
        };
        let lane = &self.lanes[members[0]];
        let call = GroupCall {
            op,
            ty: instruction.ty,
            literals: &lane.frame.code.literals[instruction.literals.range()],
            types: &lane.program.types,
            shape,
            subgroup_size: size as u32,
            members: members.iter().map(member).collect::<Result<Vec<Member>, Fault>>()?,
        };
        machine.group(&call, instruction)
    }

    /// The current instruction of a lane.
    fn instruction(&self, lane: usize) -> &'a Instruction {
        let frame = &self.lanes[lane].frame;
        &frame.code.instructions[frame.current]
    }

    /// Moves a lane after its current instruction.
    fn pass(&mut self, lane: usize) {
        let lane = &mut self.lanes[lane];
        lane.fuel -= 1;
        lane.frame.current += 1;
    }

    /// Reports that lanes have executed an instruction, which is before their current position.
    fn passed(&self, outside: &mut Outside<'_>, lanes: &[usize]) {
        self.executed(outside, lanes, self.lanes[lanes[0]].frame.current - 1);
    }

    /// Compares the instances of two lanes, by the instructions of their open calls, outermost first.
    fn compare_instances(&self, a: usize, b: usize) -> Ordering {
        let (a, b) = (&self.lanes[a], &self.lanes[b]);
        let place = |frame: &CallFrame<'_>| frame.current;
        let in_calls = a.frames().map(place).zip(b.frames().map(place)).map(|(a, b)| a.cmp(&b));
        let first_difference = in_calls.into_iter().find(|order| order.is_ne());
        // A lane inside a call is earlier than one that has returned from it, which is at the next instruction or later.
        first_difference.unwrap_or_else(|| b.frames().count().cmp(&a.frames().count()))
    }
}
