//! The dependence graph of the instructions of a block.
//!
//! Everything that instructions share is a location: the registers, the flags, the queues of the periphery. An instruction reads and writes
//! locations; it depends on the last writer of each location that it reads, and on the last writer and the readers of each location that it
//! writes. Each edge has the least distance in words. Distance 0 means that both may be in one word: all reads of a word come before its
//! writes.
//!
//! | from → to | words |
//! |---|---|
//! | a write of a file's register → its read | 2 |
//! | a write of an accumulator, `r4`, `r5` or the flags → its read | 1 |
//! | special function → use of `r4`, or another result in `r4` | 3 |
//! | accumulator or `r5` → rotation of it or by it | 2 |
//! | read → write | 0 |
//! | setup of reads of the vertex pipe memory → read | 4 |
//! | address of uniforms → uniform | 3 |
//! | choice of the texture unit → address | 4 |
//!
//! Accesses to the vertex pipe memory, DMA, mutex and semaphores keep their order. Loads of the texture unit keep theirs, after the stores before
//! them and before the stores after them. No more than four of them are under way.
//!
//! An edge also has a wished distance: a load is best taken some time after its address was given.

use smallvec::{SmallVec, smallvec};

use crate::machine::{Condition, Destination, Operation, ReadPort, Source, WritePort};
use crate::physical::{PhysicalInst, Place};

/// An edge to a successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    /// The least distance in words.
    pub(crate) distance: u32,
    /// The wished distance.
    pub(crate) wish: u32,
}

/// The instructions of a block and their dependences.
pub(crate) struct Dag {
    /// For each instruction, its successors.
    pub(crate) successors: Vec<SmallVec<[Edge; 4]>>,
    /// For each instruction how many edges lead to it.
    pub(crate) predecessors: Vec<u32>,
}

/// The largest number of pending loads of the texture unit.
const TMU_DEPTH: usize = 4;
/// After how many words a load is wished.
const TMU_WISH: u32 = 12;

const RESULT: usize = Place::COUNT;
const BROADCAST: usize = RESULT + 1;
const FLAGS: usize = RESULT + 2;
const UNIFORMS: usize = RESULT + 3;
/// Vertex pipe memory, DMA, mutex, semaphores.
const MEMORY: usize = RESULT + 4;
const TMU_ADDRESSES: usize = RESULT + 5;
const TMU_RESULTS: usize = RESULT + 6;
/// Memory that loads of the texture unit and stores share.
const DATA: usize = RESULT + 7;
const LOCATIONS: usize = RESULT + 8;

/// The access of an instruction to a location.
#[derive(Clone, Copy)]
struct Access {
    location: usize,
    is_write: bool,
}

fn read(location: usize) -> Access {
    Access { location, is_write: false }
}

fn write(location: usize) -> Access {
    Access { location, is_write: true }
}

fn accesses(inst: &PhysicalInst) -> SmallVec<[Access; 8]> {
    let mut accesses: SmallVec<[Access; 8]> = inst.uses().map(|place| read(place.index())).collect();
    for port in inst.ports() {
        match port {
            ReadPort::Uniform => accesses.push(write(UNIFORMS)),
            ReadPort::ElementNumber | ReadPort::QpuNumber => {}
            ReadPort::Vpm | ReadPort::DmaLoadWait | ReadPort::MutexAcquire => accesses.push(write(MEMORY)),
            ReadPort::DmaStoreWait => accesses.extend([write(MEMORY), write(DATA)]),
            ReadPort::Result => accesses.push(read(RESULT)),
            ReadPort::Broadcast => accesses.push(read(BROADCAST)),
        }
    }
    if inst.operation == Operation::Rotate(None) {
        accesses.push(read(BROADCAST));
    }
    if inst.condition != Condition::Always {
        accesses.push(read(FLAGS));
    }
    match inst.destination {
        Destination::Null => {}
        Destination::Register(place) => accesses.push(write(place.index())),
        Destination::Port(port) => accesses.extend(written_by(port)),
    }
    match inst.operation {
        Operation::LoadTmu => accesses.extend([write(TMU_RESULTS), write(RESULT), read(DATA)]),
        Operation::Semaphore(_) => accesses.extend([write(MEMORY), write(DATA)]),
        _ => {}
    }
    if inst.sets_flags {
        accesses.push(write(FLAGS));
    }
    accesses
}

fn written_by(port: WritePort) -> SmallVec<[Access; 4]> {
    match port {
        WritePort::Broadcast => smallvec![write(BROADCAST)],
        WritePort::UniformsAddress => smallvec![write(UNIFORMS)],
        WritePort::Vpm
        | WritePort::VpmReadSetup
        | WritePort::VpmWriteSetup
        | WritePort::DmaLoadAddress
        | WritePort::MutexRelease => smallvec![write(MEMORY)],
        WritePort::DmaStoreAddress => smallvec![write(MEMORY), write(DATA)],
        WritePort::Reciprocal | WritePort::ReciprocalSqrt | WritePort::Exp2 | WritePort::Log2 => {
            smallvec![write(RESULT)]
        }
        WritePort::TmuAddress => smallvec![write(TMU_ADDRESSES), read(DATA)],
        WritePort::TmuNoSwap => smallvec![write(TMU_ADDRESSES)],
        WritePort::HostInterrupt => smallvec![write(MEMORY), write(DATA), write(TMU_RESULTS), write(TMU_ADDRESSES)],
    }
}

/// The distance that the periphery requires after a write of a location.
pub(crate) fn write_distance(inst: &PhysicalInst) -> u32 {
    match inst.destination {
        Destination::Port(WritePort::VpmReadSetup | WritePort::TmuNoSwap) => 4,
        Destination::Port(WritePort::UniformsAddress) => 3,
        Destination::Port(port) if port.is_special_function() => 3,
        _ => 1,
    }
}

/// The distance from a write to a read of a location.
fn read_distance(location: usize, from: &PhysicalInst, to: &PhysicalInst) -> u32 {
    let rotates = matches!(to.operation, Operation::Rotate(_));
    match location {
        0..64 => 2,
        BROADCAST if to.operation == Operation::Rotate(None) => 2,
        RESULT => write_distance(from),
        64..RESULT if rotates => 2,
        _ => 1,
    }
}

/// Loads of the texture unit that a block finds.
#[derive(Clone, Copy, Default)]
pub(crate) struct TmuQueue {
    /// The number of pending loads at the begin of the block.
    pub(crate) under_way: usize,
}

struct Builder<'a> {
    insts: &'a [PhysicalInst],
    dag: Dag,
    writers: [Option<u32>; LOCATIONS],
    readers: Vec<SmallVec<[u32; 4]>>,
    /// The last setup of reads of the vertex pipe memory.
    setup: Option<u32>,
    addresses: Vec<u32>,
    results: Vec<u32>,
    under_way: usize,
}

impl Dag {
    /// Of the instructions of a block in their order.
    pub(crate) fn of(insts: &[PhysicalInst], queue: TmuQueue) -> Dag {
        let mut builder = Builder {
            insts,
            dag: Dag { successors: vec![SmallVec::new(); insts.len()], predecessors: vec![0; insts.len()] },
            writers: [None; LOCATIONS],
            readers: vec![SmallVec::new(); LOCATIONS],
            setup: None,
            addresses: Vec::new(),
            results: Vec::new(),
            under_way: queue.under_way,
        };
        for place in 0..insts.len() as u32 {
            builder.inst(place);
        }
        builder.dag
    }

    /// For each instruction the wished length of the longest path from it to the end of the block. `flags_tail` is how many words should lie
    /// after the last instruction that sets flags.
    pub(crate) fn priorities(&self, insts: &[PhysicalInst], flags_tail: u32) -> Vec<u32> {
        let mut priorities = vec![0; insts.len()];
        let last_flags = insts.iter().rposition(|inst| inst.sets_flags);
        for place in (0..insts.len()).rev() {
            let behind = self.successors[place].iter().map(|edge| priorities[edge.to as usize] + edge.wish).max();
            let tail = if last_flags == Some(place) { flags_tail } else { write_distance(&insts[place]) - 1 };
            priorities[place] = behind.unwrap_or(0).max(tail);
        }
        priorities
    }
}

impl Builder<'_> {
    fn edge(&mut self, from: u32, to: u32, distance: u32, wish: u32) {
        if from == to {
            return;
        }
        let edges = &mut self.dag.successors[from as usize];
        // Edges to one instruction come one after the other.
        match edges.last_mut() {
            Some(edge) if edge.to == to => {
                edge.distance = edge.distance.max(distance);
                edge.wish = edge.wish.max(wish);
            }
            _ => {
                edges.push(Edge { to, distance, wish });
                self.dag.predecessors[to as usize] += 1;
            }
        }
    }

    fn inst(&mut self, place: u32) {
        let inst = &self.insts[place as usize];
        let accesses = accesses(inst);
        for access in accesses.iter().filter(|access| !access.is_write) {
            if let Some(writer) = self.writers[access.location] {
                let distance = read_distance(access.location, &self.insts[writer as usize], inst);
                self.edge(writer, place, distance, distance);
            }
            self.readers[access.location].push(place);
        }
        for access in accesses.iter().filter(|access| access.is_write) {
            self.write(access.location, place);
        }
        self.periphery(place);
    }

    fn write(&mut self, location: usize, place: u32) {
        // What keeps its order keeps it word by word.
        let after_read = u32::from(location == DATA);
        for reader in std::mem::take(&mut self.readers[location]) {
            self.edge(reader, place, after_read, after_read);
        }
        if let Some(writer) = self.writers[location] {
            let distance = match location {
                RESULT | UNIFORMS | TMU_ADDRESSES => write_distance(&self.insts[writer as usize]),
                _ => 1,
            };
            self.edge(writer, place, distance, distance);
        }
        self.writers[location] = Some(place);
    }

    fn periphery(&mut self, place: u32) {
        let inst = &self.insts[place as usize];
        if inst.sources[..inst.source_count()].contains(&Source::Port(ReadPort::Vpm))
            && let Some(setup) = self.setup
        {
            let distance = write_distance(&self.insts[setup as usize]);
            self.edge(setup, place, distance, distance);
        }
        match inst.destination {
            Destination::Port(WritePort::VpmReadSetup) => self.setup = Some(place),
            Destination::Port(WritePort::TmuAddress) => {
                let number = self.under_way + self.addresses.len();
                if let Some(earlier) = number.checked_sub(TMU_DEPTH)
                    && let Some(&result) = self.results.get(earlier)
                {
                    self.edge(result, place, 1, 1);
                }
                self.addresses.push(place);
            }
            _ => {}
        }
        if inst.operation == Operation::LoadTmu {
            if let Some(number) = self.results.len().checked_sub(self.under_way)
                && let Some(&address) = self.addresses.get(number)
            {
                self.edge(address, place, 1, TMU_WISH);
            }
            self.results.push(place);
        }
    }
}
