//! The pairing of operations in one word.
//!
//! A word has an operation of the add ALU, one of the multiplication ALU and a load of the texture unit as its signal. They share one read address
//! of each file, where a small immediate takes the one of file B and the signal; the ALUs write different files. A move is an operation of either
//! ALU. Immediates and semaphores take a whole word.
//!
//! The flags of a word are those of the add ALU if it does anything. So a partner of an operation that sets flags is on the multiplication ALU, and
//! it has no condition: whether that would see the flags from before is not left to the implementation. At most one access to the periphery is in
//! a word. Nor does a word that loads `r4` read it: the emulator of VC4C gives it the new value.

use crate::encode::{
    self, AluPart, AluWord, MUL_MOVE, MUX_A, MUX_B, NOP_ADDRESS, ReadAddress, Signal, WriteAddress, read_address,
    write_address,
};
use crate::machine::{AddOp, Condition, Destination, Operation, ReadPort, Source, WritePort};
use crate::physical::{PhysicalInst, Place};

/// A word of the code before it is encoded.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Word {
    /// The instruction on the add ALU, or the one that takes the whole word.
    pub(crate) add: Option<PhysicalInst>,
    /// The instruction on the multiplication ALU.
    pub(crate) mul: Option<PhysicalInst>,
    /// True if `r4` gets the oldest load of the texture unit.
    pub(crate) loads: bool,
    /// True if the program ends after two further words.
    pub(crate) ends_program: bool,
}

/// The ALUs that have an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alu {
    Add,
    Mul,
    Either,
    Whole,
}

fn alu(inst: &PhysicalInst) -> Alu {
    match inst.operation {
        // The carry of a move is that of the add ALU.
        Operation::Move if inst.sets_flags => Alu::Add,
        Operation::Move => Alu::Either,
        Operation::Add(_) => Alu::Add,
        Operation::Multiply(_) | Operation::Rotate(_) => Alu::Mul,
        Operation::Immediate(_) | Operation::Semaphore(_) => Alu::Whole,
        Operation::LoadTmu | Operation::Undefine | Operation::End => Alu::Whole,
    }
}

/// Returns whether an instruction uses the periphery.
fn is_peripheral(inst: &PhysicalInst) -> bool {
    let reads = inst.ports().any(|port| match port {
        ReadPort::Uniform | ReadPort::ElementNumber | ReadPort::QpuNumber | ReadPort::Result | ReadPort::Broadcast => {
            false
        }
        ReadPort::Vpm | ReadPort::DmaLoadWait | ReadPort::DmaStoreWait | ReadPort::MutexAcquire => true,
    });
    reads || matches!(inst.destination, Destination::Port(port) if port != WritePort::Broadcast)
}

/// Returns whether an instruction reads `r4`.
fn reads_result(inst: &PhysicalInst) -> bool {
    inst.ports().any(|port| port == ReadPort::Result)
}

impl Word {
    /// The instructions of the ALUs.
    pub(crate) fn insts(&self) -> impl Iterator<Item = &PhysicalInst> {
        self.add.iter().chain(&self.mul)
    }

    /// Returns whether nothing is done.
    pub(crate) fn is_nop(&self) -> bool {
        *self == Word::default()
    }

    fn is_whole(&self) -> bool {
        self.add.is_some_and(|inst| alu(&inst) == Alu::Whole)
    }

    /// The word with one instruction more, if it fits.
    pub(crate) fn with(&self, inst: PhysicalInst) -> Option<Word> {
        let peripheral = self.insts().any(is_peripheral) || self.loads;
        if inst.operation == Operation::LoadTmu {
            let word = Word { loads: true, ..*self };
            let is_free = !peripheral && !self.is_whole() && !self.insts().any(reads_result);
            return (is_free && word.encode_alu().is_some()).then_some(word);
        }
        if self.loads && reads_result(&inst) {
            return None;
        }
        if self.is_nop() {
            let word = match alu(&inst) {
                Alu::Mul => Word { mul: Some(inst), ..*self },
                Alu::Add | Alu::Either | Alu::Whole => Word { add: Some(inst), ..*self },
            };
            return Some(word);
        }
        if alu(&inst) == Alu::Whole || self.is_whole() || peripheral && is_peripheral(&inst) {
            return None;
        }
        self.arrangements(inst).into_iter().flatten().find(|word| word.agrees() && word.encode_alu().is_some())
    }

    /// The ways to put a further instruction on an ALU.
    fn arrangements(&self, inst: PhysicalInst) -> [Option<Word>; 2] {
        let is_on = |inst: &PhysicalInst, wanted: Alu| matches!(alu(inst), Alu::Either) || alu(inst) == wanted;
        let place = |add: Option<PhysicalInst>, mul: Option<PhysicalInst>| {
            let fits = add.is_none_or(|inst| is_on(&inst, Alu::Add)) && mul.is_none_or(|inst| is_on(&inst, Alu::Mul));
            fits.then_some(Word { add, mul, ..*self })
        };
        match (self.add, self.mul) {
            (None, None) => [place(Some(inst), None), place(None, Some(inst))],
            (Some(other), None) | (None, Some(other)) => {
                [place(Some(inst), Some(other)), place(Some(other), Some(inst))]
            }
            (Some(_), Some(_)) => [None, None],
        }
    }

    /// Returns whether flags are set by one ALU only, without a condition beside it.
    fn agrees(&self) -> bool {
        let (Some(add), Some(mul)) = (self.add, self.mul) else { return true };
        !mul.sets_flags && (!add.sets_flags || mul.condition == Condition::Always)
    }

    /// The bits of the word.
    pub(crate) fn encode(&self) -> u64 {
        if let Some((inst, constant)) = self.constant() {
            return encode_constant(&inst, constant);
        }
        match self.add.map(|inst| inst.operation) {
            Some(Operation::Semaphore(semaphore)) => encode::semaphore(semaphore),
            _ => encode::alu(&self.encode_alu().expect("invariant: a word is put together from what fits")),
        }
    }

    /// The constant that the word loads, if it does nothing else. A small immediate that is moved alone is one: assemblers know no other form.
    fn constant(&self) -> Option<(PhysicalInst, u32)> {
        let inst = self.add?;
        match (inst.operation, inst.sources[0]) {
            (Operation::Immediate(constant), _) => Some((inst, constant)),
            (Operation::Move, Source::Small(small)) if self.mul.is_none() && !inst.sets_flags => {
                Some((inst, small.word()))
            }
            _ => None,
        }
    }

    /// The fields of a word with operations, if there are any.
    fn encode_alu(&self) -> Option<AluWord> {
        let reads = Reads::of(self)?;
        let orders = [[File::A, File::B], [File::B, File::A]];
        let ([add_file, _], add_write, mul_write) = orders.into_iter().find_map(|files| {
            let of = |inst: Option<PhysicalInst>, file: File| match inst {
                Some(inst) => write(inst.destination, file),
                None => Some(NOP_ADDRESS),
            };
            Some((files, of(self.add, files[0])?, of(self.mul, files[1])?))
        })?;
        let signal = match (self.ends_program, self.loads, reads.has_small) {
            (false, false, false) => Signal::None,
            (false, false, true) => Signal::SmallImmediate,
            (false, true, false) => Signal::LoadTmu0,
            (true, false, false) => Signal::ProgramEnd,
            _ => return None,
        };
        Some(AluWord {
            signal,
            add: self.add.map_or(AluPart::NOP, |inst| reads.part(&inst, add_opcode(&inst), add_write)),
            mul: self.mul.map_or(AluPart::NOP, |inst| reads.part(&inst, mul_opcode(&inst), mul_write)),
            sets_flags: self.insts().any(|inst| inst.sets_flags),
            is_swapped: add_file == File::B,
            read_a: reads.a.unwrap_or(NOP_ADDRESS),
            read_b: reads.b.unwrap_or(NOP_ADDRESS),
        })
    }
}

fn encode_constant(inst: &PhysicalInst, constant: u32) -> u64 {
    let fields = [File::A, File::B].into_iter().find_map(|file| Some((file, write(inst.destination, file)?)));
    let (file, write) = fields.expect("invariant: a single destination is in a file");
    let add = AluPart { write, condition: condition(inst), ..AluPart::NOP };
    let word = AluWord { add, is_swapped: file == File::B, sets_flags: inst.sets_flags, ..encode::NOP };
    encode::load_immediate(&word, constant)
}

/// The number of an instruction's condition. What writes nothing is done under no condition; it still reads.
fn condition(inst: &PhysicalInst) -> u8 {
    if inst.destination == Destination::Null && !inst.sets_flags {
        return 0;
    }
    encode::condition(inst.condition)
}

fn add_opcode(inst: &PhysicalInst) -> u8 {
    match inst.operation {
        Operation::Add(op) => encode::add_opcode(op),
        _ => encode::add_opcode(AddOp::Or),
    }
}

fn mul_opcode(inst: &PhysicalInst) -> u8 {
    match inst.operation {
        Operation::Multiply(op) => encode::mul_opcode(op),
        _ => MUL_MOVE,
    }
}

/// A file of registers. Of the two operations of a word each writes to another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum File {
    A,
    B,
}

/// The write address of a destination in a file, if it is there.
fn write(destination: Destination<Place>, file: File) -> Option<u8> {
    match destination {
        Destination::Null => Some(NOP_ADDRESS),
        Destination::Register(Place::Accumulator(number)) => Some(encode::accumulator_write(number)),
        Destination::Register(Place::A(number)) => (file == File::A).then_some(number),
        Destination::Register(Place::B(number)) => (file == File::B).then_some(number),
        Destination::Port(port) => match write_address(port) {
            WriteAddress::Either(address) => Some(address),
            WriteAddress::A(address) => (file == File::A).then_some(address),
            WriteAddress::B(address) => (file == File::B).then_some(address),
        },
    }
}

/// The read addresses of a word.
struct Reads {
    a: Option<u8>,
    b: Option<u8>,
    /// True if `b` is a small immediate.
    has_small: bool,
}

impl Reads {
    fn of(word: &Word) -> Option<Reads> {
        let mut reads = Reads { a: None, b: None, has_small: false };
        let mut either = None;
        let mut small = None;
        for inst in word.insts() {
            if let Operation::Rotate(amount) = inst.operation {
                put(&mut small, encode::rotation(amount))?;
            }
            for source in &inst.sources[..inst.source_count()] {
                match *source {
                    Source::Register(Place::A(number)) => put(&mut reads.a, number)?,
                    Source::Register(Place::B(number)) => put(&mut reads.b, number)?,
                    Source::Register(Place::Accumulator(_)) => {}
                    Source::Small(immediate) => put(&mut small, immediate.0)?,
                    Source::Port(port) => match read_address(port) {
                        ReadAddress::A(address) => put(&mut reads.a, address)?,
                        ReadAddress::B(address) => put(&mut reads.b, address)?,
                        ReadAddress::Either(address) => put(&mut either, address)?,
                        ReadAddress::Mux(_) => {}
                    },
                }
            }
        }
        if let Some(small) = small {
            if reads.b.is_some() {
                return None;
            }
            reads.b = Some(small);
            reads.has_small = true;
        }
        if let Some(address) = either
            && put(&mut reads.a, address).is_none()
        {
            if reads.has_small {
                return None;
            }
            put(&mut reads.b, address)?;
        }
        Some(reads)
    }

    /// An operation on an ALU.
    fn part(&self, inst: &PhysicalInst, opcode: u8, write: u8) -> AluPart {
        let muxes = inst.sources.map(|source| self.mux(source));
        AluPart { opcode, condition: condition(inst), write, muxes }
    }

    fn mux(&self, source: Source<Place>) -> u8 {
        match source {
            Source::Register(Place::A(_)) => MUX_A,
            Source::Register(Place::B(_)) | Source::Small(_) => MUX_B,
            Source::Register(Place::Accumulator(number)) => number,
            Source::Port(port) => match read_address(port) {
                ReadAddress::A(_) => MUX_A,
                ReadAddress::B(_) => MUX_B,
                ReadAddress::Either(address) if self.a == Some(address) => MUX_A,
                ReadAddress::Either(_) => MUX_B,
                ReadAddress::Mux(mux) => mux,
            },
        }
    }
}

/// Puts an address where there is none, or the same one.
fn put(address: &mut Option<u8>, wanted: u8) -> Option<()> {
    match *address {
        Some(taken) if taken != wanted => None,
        _ => {
            *address = Some(wanted);
            Some(())
        }
    }
}
