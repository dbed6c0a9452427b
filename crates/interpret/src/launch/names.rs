//! Objects, data races and origins of undefined values, in terms of the caller's lanes and memory.

use reconverge_ir::Inst;

use crate::code::program::Sharing;
use crate::lanes::machine::Machine;
use crate::origins::{FoundAccess, FoundOrigin};
use crate::races::FoundRace;
use crate::races::shadow::Past;
use crate::value::Owner;
use crate::{FailedAccess, Interpreter, LaneId, Launch, MemoryObject, Origin, Pointer, Race, RaceAccess};

/// The mapping from the interpreter's numbers to the caller's memory.
pub(crate) struct Names {
    /// The number of buffers.
    pub(crate) buffers: usize,
    /// The arguments that point to memory of the work-group.
    pub(crate) local_arguments: Vec<usize>,
}

impl Names {
    /// A detected race. `lane` returns the lane of an access, and whether the access is part of a copy.
    pub(crate) fn race(
        &self,
        program: &Interpreter<'_>,
        found: &FoundRace,
        lane: &dyn Fn(&Past) -> (LaneId, bool),
    ) -> Race {
        let access = |past: &Past| {
            let (lane, is_copy) = lane(past);
            RaceAccess { lane, place: program.place_of(past.inst), access: past.access, is_copy }
        };
        let object = self.object(program, found.owner, found.object).unwrap_or(MemoryObject::Other);
        let (first, second) = (access(&found.first), access(&found.second));
        Race { first, second, object, offset: found.offset, rule: found.rule }
    }

    /// The origin of an undefined value.
    pub(crate) fn origin(&self, program: &Interpreter<'_>, found: &FoundOrigin) -> Origin {
        let object = found.object.and_then(|(owner, number, variable)| match variable {
            Some(variable) => Some(MemoryObject::Variable(variable)),
            None => self.object(program, owner, number),
        });
        Origin { place: program.place_of(found.inst), cause: found.cause, object }
    }

    /// An access that made a lane fail.
    pub(crate) fn access(&self, program: &Interpreter<'_>, found: &FoundAccess) -> FailedAccess {
        let FoundAccess { place, variable, size } = *found;
        let object = match variable {
            Some(variable) => Some(MemoryObject::Variable(variable)),
            None => self.object(program, place.owner, place.object),
        };
        let offset = Some(place.offset).filter(|&offset| offset != Pointer::LOST);
        FailedAccess { object: object.unwrap_or(MemoryObject::Other), size, offset }
    }

    /// Objects are numbered in order of creation: variables first, then buffers or local arguments.
    pub(crate) fn object(&self, program: &Interpreter<'_>, owner: Owner, number: u32) -> Option<MemoryObject> {
        let number = number as usize;
        let sharing = match owner {
            Owner::Shared => Sharing::All,
            Owner::Group => Sharing::Group,
            Owner::Lane(_) => Sharing::Lane,
            Owner::Nobody => return None,
        };
        let variables: Vec<Inst> =
            program.globals.iter().filter(|global| global.sharing == sharing).map(|global| global.variable).collect();
        if let Some(&variable) = variables.get(number) {
            return Some(MemoryObject::Variable(variable));
        }
        let number = number - variables.len();
        match sharing {
            Sharing::All => (number < self.buffers).then_some(MemoryObject::Buffer(number)),
            Sharing::Group => self.local_arguments.get(number).map(|&index| MemoryObject::LocalArgument(index)),
            Sharing::Lane => None,
        }
    }
}

impl Machine<'_> {
    /// The races of a run that is not a kernel launch: its lanes are one work-group, in a row.
    pub(crate) fn races(&self, launch: &Launch) -> Vec<Race> {
        let lane = |past: &Past| {
            let is_copy = past.lane as usize == self.lanes;
            let index = if is_copy { 0 } else { past.lane };
            (LaneId { group: [0; 3], local: [index, 0, 0], global: [index.into(), 0, 0] }, is_copy)
        };
        let names = Names { buffers: launch.buffers.len(), local_arguments: Vec::new() };
        let found = self.memory.watch.iter().flat_map(|watch| watch.found());
        found.map(|found| names.race(self.program, &found, &lane)).collect()
    }
}
