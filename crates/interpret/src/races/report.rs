//! Data races, in terms of the caller's lanes and memory.

use reconverge_ir::Inst;

use crate::decode::program::Sharing;
use crate::lanes::run::Machine;
use crate::races::FoundRace;
use crate::races::shadow::Past;
use crate::value::Owner;
use crate::{Interpreter, LaneId, Launch, MemoryObject, Race, RaceAccess};

/// The mapping from the interpreter's numbers to the caller's lanes and memory.
pub(crate) struct Names<'n> {
    /// The lane of an access.
    pub(crate) lane: &'n dyn Fn(&Past) -> LaneId,
    /// The number of buffers.
    pub(crate) buffers: usize,
    /// The arguments that point to memory of the work-group.
    pub(crate) local_arguments: Vec<usize>,
}

impl Names<'_> {
    /// A detected race.
    pub(crate) fn race(&self, program: &Interpreter<'_>, found: &FoundRace) -> Race {
        let access = |past: &Past| RaceAccess {
            lane: (self.lane)(past),
            place: program.place_of(past.inst),
            access: past.access,
        };
        let object = self.object(program, found).unwrap_or(MemoryObject::Other);
        Race { first: access(&found.first), second: access(&found.second), object, offset: found.offset }
    }

    /// Objects are numbered in order of creation: variables first, then buffers or local arguments.
    fn object(&self, program: &Interpreter<'_>, found: &FoundRace) -> Option<MemoryObject> {
        let number = found.object as usize;
        let sharing = if found.owner == Owner::Shared { Sharing::All } else { Sharing::Group };
        let variables: Vec<Inst> =
            program.globals.iter().filter(|global| global.sharing == sharing).map(|global| global.variable).collect();
        if let Some(&variable) = variables.get(number) {
            return Some(MemoryObject::Variable(variable));
        }
        let number = number - variables.len();
        match sharing {
            Sharing::All => (number < self.buffers).then_some(MemoryObject::Buffer(number)),
            _ => self.local_arguments.get(number).map(|&index| MemoryObject::LocalArgument(index)),
        }
    }
}

impl Machine<'_> {
    /// The races of a run that is not a kernel launch: its lanes are one work-group, in a row.
    pub(crate) fn races(&self, launch: &Launch) -> Vec<Race> {
        let lane = |past: &Past| LaneId { group: [0; 3], local: [past.lane, 0, 0], global: [past.lane.into(), 0, 0] };
        let names = Names { lane: &lane, buffers: launch.buffers.len(), local_arguments: Vec::new() };
        let found = self.memory.watch.iter().flat_map(|watch| watch.found());
        found.map(|found| names.race(self.program, &found)).collect()
    }
}
