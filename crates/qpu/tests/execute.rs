//! An interpreter of machine functions, with virtual registers or with places, and the model of the periphery that it shares with the simulator of
//! words.

use std::collections::VecDeque;

use reconverge_qpu::machine::{
    Branch, BranchCondition, Condition, Destination, Inst, Operation, ReadPort, Source, WritePort,
};

use crate::arithmetic::{self, Flags, Outcome};

pub(crate) type Lanes = [u32; 16];

/// A store of a row of 16 words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Store {
    pub(crate) address: u32,
    pub(crate) row: Lanes,
}

/// Vertex pipe memory, DMA, texture unit, mutex and uniforms.
#[derive(Default)]
pub(crate) struct Periphery {
    pub(crate) stores: Vec<Store>,
    pub(crate) loads: VecDeque<Lanes>,
    pub(crate) is_ended: bool,
    uniforms: u32,
    rows: Vec<Lanes>,
    read_row: Option<usize>,
    write_row: usize,
    store_row: usize,
    holds_mutex: bool,
}

impl Periphery {
    pub(crate) fn read(&mut self, port: ReadPort) -> Lanes {
        match port {
            ReadPort::Uniform => {
                self.uniforms += 1;
                [self.uniforms.wrapping_mul(0x0101_0107); 16]
            }
            ReadPort::ElementNumber => std::array::from_fn(|lane| lane as u32),
            ReadPort::QpuNumber => [5; 16],
            ReadPort::Vpm => {
                assert!(self.holds_mutex, "the memory is read without the mutex");
                let row = self.read_row.take().expect("a read without setup");
                self.row(row)
            }
            ReadPort::DmaLoadWait | ReadPort::DmaStoreWait => [0; 16],
            ReadPort::MutexAcquire => {
                assert!(!self.holds_mutex, "the mutex is taken twice");
                self.holds_mutex = true;
                [0; 16]
            }
            ReadPort::Result | ReadPort::Broadcast => unreachable!("these are registers"),
        }
    }

    fn row(&mut self, row: usize) -> Lanes {
        self.rows.resize(64, [0; 16]);
        self.rows[row]
    }

    pub(crate) fn write(&mut self, port: WritePort, value: Lanes) {
        let is_memory = matches!(
            port,
            WritePort::Vpm
                | WritePort::VpmReadSetup
                | WritePort::VpmWriteSetup
                | WritePort::DmaStoreAddress
                | WritePort::MutexRelease
        );
        assert!(!is_memory || self.holds_mutex, "{port:?} without the mutex");
        match port {
            WritePort::Vpm => {
                self.row(0);
                self.rows[self.write_row] = value;
                self.write_row = (self.write_row + 1) % 64;
            }
            WritePort::VpmReadSetup => self.read_row = Some(value[0] as usize & 63),
            WritePort::VpmWriteSetup if value[0] & 1 << 31 != 0 => self.store_row = value[0] as usize >> 7 & 63,
            WritePort::VpmWriteSetup => self.write_row = value[0] as usize & 63,
            WritePort::DmaStoreAddress => {
                let row = self.row(self.store_row);
                self.stores.push(Store { address: value[0], row });
            }
            WritePort::MutexRelease => self.holds_mutex = false,
            WritePort::TmuAddress => {
                assert!(self.loads.len() < 4, "more than four loads are under way");
                self.loads.push_back(value.map(arithmetic::memory));
            }
            WritePort::HostInterrupt => self.is_ended = true,
            other => panic!("the programs do not write {other:?}"),
        }
    }
}

/// The number of a special function's register.
pub(crate) fn special_address(port: WritePort) -> Option<u8> {
    match port {
        WritePort::Reciprocal => Some(52),
        WritePort::ReciprocalSqrt => Some(53),
        WritePort::Exp2 => Some(54),
        WritePort::Log2 => Some(55),
        _ => None,
    }
}

/// A block: instructions and a branch.
pub(crate) struct Block<'a, R> {
    pub(crate) insts: &'a [Inst<R>],
    pub(crate) branch: Option<Branch>,
}

struct Machine {
    registers: Vec<Lanes>,
    flags: [Flags; 16],
    result: Lanes,
    broadcast: Lanes,
    periphery: Periphery,
}

/// Executes a function whose registers have numbers. What it stored.
pub(crate) fn execute<R: Copy>(blocks: &[Block<'_, R>], registers: usize, number: impl Fn(R) -> usize) -> Vec<Store> {
    let mut machine = Machine {
        registers: vec![[0xdead_beef; 16]; registers],
        flags: [Flags::default(); 16],
        result: [0; 16],
        broadcast: [0; 16],
        periphery: Periphery::default(),
    };
    let mut block = 0;
    for _ in 0..100_000 {
        let Block { insts, branch } = &blocks[block];
        for inst in *insts {
            if inst.operation == Operation::End {
                return machine.periphery.stores;
            }
            machine.inst(inst, &number);
        }
        block = match branch {
            Some(branch) if taken(branch.condition, &machine.flags) => branch.target.0 as usize,
            _ => block + 1,
        };
    }
    panic!("the function does not end");
}

/// Whether a branch is taken.
pub(crate) fn taken(condition: BranchCondition, flags: &[Flags; 16]) -> bool {
    match condition {
        BranchCondition::Always => true,
        BranchCondition::All(condition) => flags.iter().all(|flags| flags.hold(condition)),
        BranchCondition::Any(condition) => flags.iter().any(|flags| flags.hold(condition)),
    }
}

impl Machine {
    fn inst<R: Copy>(&mut self, inst: &Inst<R>, number: &impl Fn(R) -> usize) {
        let mut operands = [[0; 16]; 2];
        let mut uniform = None;
        for (operand, source) in operands.iter_mut().zip(&inst.sources).take(inst.source_count()) {
            *operand = match source {
                Source::Register(register) => self.registers[number(*register)],
                Source::Small(small) => [arithmetic::small(small.0); 16],
                Source::Port(ReadPort::Result) => self.result,
                Source::Port(ReadPort::Broadcast) => self.broadcast,
                Source::Port(ReadPort::Uniform) => {
                    *uniform.get_or_insert_with(|| self.periphery.read(ReadPort::Uniform))
                }
                Source::Port(port) => self.periphery.read(*port),
            };
        }
        let outcomes: [Outcome; 16] = std::array::from_fn(|lane| self.lane(inst.operation, operands, lane));
        let is_written: [bool; 16] = std::array::from_fn(|lane| self.flags[lane].hold(inst.condition));
        match inst.operation {
            Operation::LoadTmu => self.result = self.periphery.loads.pop_front().expect("a load without an address"),
            Operation::Undefine => return,
            _ => {}
        }
        let values = outcomes.map(|outcome| outcome.value);
        match inst.destination {
            Destination::Null => {}
            Destination::Register(register) => {
                let written = &mut self.registers[number(register)];
                for lane in (0..16).filter(|&lane| is_written[lane]) {
                    written[lane] = values[lane];
                }
            }
            Destination::Port(WritePort::Broadcast) => self.broadcast = [values[0]; 16],
            Destination::Port(port) => match special_address(port) {
                Some(address) => self.result = values.map(|value| arithmetic::special(address, value)),
                None => self.periphery.write(port, values),
            },
        }
        for lane in (0..16).filter(|&lane| inst.sets_flags && is_written[lane]) {
            self.flags[lane] = Flags::of(outcomes[lane]);
        }
    }

    fn lane(&self, operation: Operation, operands: [Lanes; 2], lane: usize) -> Outcome {
        let [left, right] = operands.map(|operand| operand[lane]);
        match operation {
            Operation::Move => Outcome { value: left, carry: false },
            Operation::Add(op) => arithmetic::add(op, left, right),
            Operation::Multiply(op) => arithmetic::multiply(op, left, right),
            Operation::Rotate(amount) => {
                let amount = amount.map_or(self.broadcast[0] as usize, usize::from);
                Outcome { value: operands[0][(lane + 16 - amount % 16) % 16], carry: false }
            }
            Operation::Immediate(value) => Outcome { value, carry: false },
            Operation::Semaphore(_) | Operation::LoadTmu | Operation::Undefine | Operation::End => {
                Outcome { value: 0, carry: false }
            }
        }
    }
}

/// All conditions by their numbers.
pub(crate) const CONDITIONS: [Condition; 7] = [
    Condition::Always,
    Condition::ZeroSet,
    Condition::ZeroClear,
    Condition::NegativeSet,
    Condition::NegativeClear,
    Condition::CarrySet,
    Condition::CarryClear,
];
