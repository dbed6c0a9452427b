//! A simulator of words with a decoder of its own. It fails where a rule of the chip is broken: latencies, read addresses, the periphery, branches
//! and the end of the program.

use reconverge_qpu::machine::{AddOp, BranchCondition, Condition, MulOp, ReadPort, WritePort};

use crate::arithmetic::{self, Flags, Outcome};
use crate::execute::{CONDITIONS, Lanes, Periphery, Store, special_address, taken};

/// What a run gives.
pub(crate) struct Run {
    pub(crate) stores: Vec<Store>,
    /// Executed words.
    pub(crate) cycles: u64,
}

struct Simulator<'a> {
    words: &'a [u64],
    /// File A, file B, accumulators `r0` to `r5`.
    files: [[Lanes; 32]; 2],
    accumulators: [Lanes; 6],
    flags: [Flags; 16],
    periphery: Periphery,
    cycle: u64,
    /// The cycle from which each register may be read.
    readable: [[u64; 32]; 2],
    /// The cycle of the last write of an accumulator.
    written: [u64; 6],
    result_ready: u64,
    vpm_ready: u64,
    vpm_setups: u32,
    branch: Option<PendingBranch>,
    last_branch: Option<u64>,
    end: Option<u64>,
}

struct PendingBranch {
    target: usize,
    at: u64,
}

/// Bits of a word.
fn bits(word: u64, low: u32, count: u32) -> u64 {
    word >> low & ((1 << count) - 1)
}

/// Runs code to its end.
pub(crate) fn simulate(words: &[u64]) -> Run {
    let mut simulator = Simulator {
        words,
        files: [[[0xbad0_bad0; 16]; 32]; 2],
        accumulators: [[0xbad1_bad1; 16]; 6],
        flags: [Flags::default(); 16],
        periphery: Periphery::default(),
        cycle: 10,
        readable: [[0; 32]; 2],
        written: [0; 6],
        result_ready: 0,
        vpm_ready: 0,
        vpm_setups: 0,
        branch: None,
        last_branch: None,
        end: None,
    };
    let mut place = 0;
    while simulator.cycle < 1_000_000 {
        let word = simulator.words[place];
        simulator.word(word, place);
        simulator.cycle += 1;
        place += 1;
        if let Some(branch) = simulator.branch.take_if(|branch| branch.at == simulator.cycle) {
            place = branch.target;
        }
        if simulator.end == Some(simulator.cycle) {
            assert!(simulator.periphery.is_ended, "the host is not told");
            assert!(simulator.periphery.loads.is_empty(), "loads are under way at the end");
            return Run { stores: simulator.periphery.stores, cycles: simulator.cycle - 10 };
        }
    }
    panic!("the code does not end");
}

/// The two halves of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Add,
    Mul,
}

/// Where a result goes.
struct Target {
    address: usize,
    in_b: bool,
    condition: Condition,
}

impl Simulator<'_> {
    fn word(&mut self, word: u64, place: usize) {
        let ending = self.end.is_some();
        match bits(word, 60, 4) {
            15 => {
                assert!(!ending, "a branch behind the end");
                self.branch(word, place);
            }
            14 => self.immediate(word),
            signal @ (1 | 3 | 10 | 13) => self.alu(word, signal, ending),
            other => panic!("signal {other}"),
        }
    }

    fn branch(&mut self, word: u64, place: usize) {
        assert!(self.last_branch.is_none_or(|last| self.cycle - last > 2), "branches too close");
        self.last_branch = Some(self.cycle);
        let lanes = |number: u64| CONDITIONS[[1, 2, 3, 4, 5, 6][number as usize]];
        let condition = match bits(word, 52, 4) {
            15 => BranchCondition::Always,
            // all zs, all zc, any zs, any zc, then the same for negative and carry.
            number => {
                let lanes = lanes(number / 4 * 2 + number % 2);
                if number % 4 < 2 { BranchCondition::All(lanes) } else { BranchCondition::Any(lanes) }
            }
        };
        assert_eq!(bits(word, 50, 2), 2, "a branch relative to the place and without a register");
        if taken(condition, &self.flags) {
            let offset = i64::from(word as u32 as i32) / 8;
            self.branch = Some(PendingBranch { target: (place as i64 + 4 + offset) as usize, at: self.cycle + 4 });
        }
    }

    fn immediate(&mut self, word: u64) {
        if bits(word, 57, 3) == 4 {
            return;
        }
        assert_eq!(bits(word, 57, 3), 0);
        let outcome = [Outcome { value: word as u32, carry: false }; 16];
        self.finish(word, Some(outcome), Some(outcome));
    }

    fn alu(&mut self, word: u64, signal: u64, ending: bool) {
        self.check_shape(word, signal, ending);
        let is_small = signal == 13;
        let b = bits(word, 12, 6) as u8;
        let reads = self.read_files(word, is_small);
        let operand = |simulator: &Self, low: u32| match bits(word, low, 3) {
            6 => reads[0].unwrap_or([0; 16]),
            7 if is_small => [arithmetic::small(b); 16],
            7 => reads[1].unwrap_or([0; 16]),
            number => {
                assert!(number != 4 || simulator.cycle >= simulator.result_ready, "r4 is read too early");
                simulator.accumulators[number as usize]
            }
        };
        let add_op = bits(word, 24, 5);
        let mul_op = bits(word, 29, 3);
        let add = (add_op != 0).then(|| {
            let (left, right) = (operand(self, 9), operand(self, 6));
            std::array::from_fn(|lane| arithmetic::add(decode_add(add_op), left[lane], right[lane]))
        });
        let is_rotation = is_small && b >= 48;
        let mul = (mul_op != 0).then(|| {
            let muxes = [bits(word, 3, 3), bits(word, 0, 3)];
            if is_rotation {
                return self.rotate(mul_op, muxes, b);
            }
            let (left, right) = (operand(self, 3), operand(self, 0));
            std::array::from_fn(|lane| multiply(mul_op, left[lane], right[lane]))
        });
        self.finish(word, add, mul);
        match signal {
            3 => self.end = Some(self.cycle + 3),
            10 => {
                assert!(self.cycle >= self.result_ready, "two results in r4");
                self.accumulators[4] = self.periphery.loads.pop_front().expect("a load without an address");
                self.result_ready = self.cycle + 1;
            }
            _ => {}
        }
    }

    fn rotate(&self, mul_op: u64, muxes: [u64; 2], small: u8) -> [Outcome; 16] {
        assert!(mul_op == 4 && muxes[0] == muxes[1] && muxes[0] < 4, "a rotation of something else");
        let source = muxes[0] as usize;
        assert!(self.written[source] + 1 < self.cycle, "a rotation of what was just written");
        let amount = if small == 48 {
            assert!(self.written[5] + 1 < self.cycle, "a rotation by what was just written");
            self.accumulators[5][0] as usize
        } else {
            usize::from(small - 48)
        };
        let value = |lane: usize| self.accumulators[source][(lane + 16 - amount % 16) % 16];
        std::array::from_fn(|lane| Outcome { value: value(lane), carry: false })
    }

    /// Rules that concern one word.
    fn check_shape(&self, word: u64, signal: u64, ending: bool) {
        let (a, b) = (bits(word, 18, 6), bits(word, 12, 6));
        let is_small = signal == 13;
        let is_peripheral_read = |address: u64| (48..=51).contains(&address);
        let is_peripheral_write = |address: u64| address == 36 || address == 38 || (40..64).contains(&address);
        let mut count = usize::from(is_peripheral_read(a)) + usize::from(!is_small && is_peripheral_read(b));
        count +=
            usize::from(is_peripheral_write(bits(word, 38, 6))) + usize::from(is_peripheral_write(bits(word, 32, 6)));
        count += usize::from(signal == 10);
        assert!(count <= 1, "{word:#x} uses the periphery {count} times");
        assert!(a != 32 || is_small || b != 32, "two uniforms in a word");
        if ending || signal == 3 {
            assert!(count == 0 && a != 32 && b != 32 && a != 14 && b != 14, "periphery at the end");
        }
        if signal == 3 {
            assert!(bits(word, 38, 6) >= 32 && bits(word, 32, 6) >= 32, "the end writes a file");
        }
        let has_both = bits(word, 24, 5) != 0 && bits(word, 29, 3) != 0;
        if bits(word, 45, 1) == 1 && has_both {
            assert!(bits(word, 46, 3) <= 1, "a condition beside flags that are set");
        }
    }

    fn read_files(&mut self, word: u64, is_small: bool) -> [Option<Lanes>; 2] {
        [0, 1].map(|file| {
            if file == 1 && is_small {
                return None;
            }
            match bits(word, if file == 0 { 18 } else { 12 }, 6) as usize {
                number @ 0..32 => {
                    assert!(self.readable[file][number] <= self.cycle, "a register of file {file} is read too early");
                    Some(self.files[file][number])
                }
                32 => Some(self.periphery.read(ReadPort::Uniform)),
                38 if file == 0 => Some(self.periphery.read(ReadPort::ElementNumber)),
                38 => Some(self.periphery.read(ReadPort::QpuNumber)),
                39 => None,
                48 => {
                    assert!(self.vpm_setups > 0 && self.cycle >= self.vpm_ready, "a row is read too early");
                    self.vpm_setups -= 1;
                    Some(self.periphery.read(ReadPort::Vpm))
                }
                50 if file == 0 => Some(self.periphery.read(ReadPort::DmaLoadWait)),
                50 => Some(self.periphery.read(ReadPort::DmaStoreWait)),
                51 => Some(self.periphery.read(ReadPort::MutexAcquire)),
                other => panic!("read of {other} of file {file}"),
            }
        })
    }

    /// Writes results and flags.
    fn finish(&mut self, word: u64, add: Option<[Outcome; 16]>, mul: Option<[Outcome; 16]>) {
        let is_swapped = bits(word, 44, 1) == 1;
        let flags = self.flags;
        for half in [Half::Add, Half::Mul] {
            let (outcome, condition, address) = match half {
                Half::Add => (add, bits(word, 49, 3), bits(word, 38, 6)),
                Half::Mul => (mul, bits(word, 46, 3), bits(word, 32, 6)),
            };
            let Some(outcome) = outcome else {
                assert_eq!(address, 39, "a write without an operation");
                continue;
            };
            if condition == 0 {
                assert_eq!(address, 39, "an operation that is never executed");
                continue;
            }
            let condition = CONDITIONS[condition as usize - 1];
            let in_b = (half == Half::Mul) != is_swapped;
            self.write(Target { address: address as usize, in_b, condition }, &flags, outcome);
            let sets = bits(word, 45, 1) == 1 && (half == Half::Add || add.is_none());
            for lane in (0..16).filter(|&lane| sets && flags[lane].hold(condition)) {
                self.flags[lane] = Flags::of(outcome[lane]);
            }
        }
    }

    fn write(&mut self, target: Target, flags: &[Flags; 16], outcome: [Outcome; 16]) {
        let Target { address, in_b, condition } = target;
        let values = outcome.map(|outcome| outcome.value);
        let merge = |old: &mut Lanes| {
            for lane in (0..16).filter(|&lane| flags[lane].hold(condition)) {
                old[lane] = values[lane];
            }
        };
        let file = usize::from(in_b);
        match address {
            0..=31 => {
                merge(&mut self.files[file][address]);
                self.readable[file][address] = self.cycle + 2;
            }
            32..=35 => {
                merge(&mut self.accumulators[address - 32]);
                self.written[address - 32] = self.cycle;
            }
            37 => {
                assert!(in_b, "the broadcast of lane 0 is written in file B");
                self.accumulators[5] = [values[0]; 16];
                self.written[5] = self.cycle;
            }
            39 => {}
            _ => self.write_port(port(address, in_b), values, condition),
        }
    }

    fn write_port(&mut self, port: WritePort, values: Lanes, condition: Condition) {
        assert_eq!(condition, Condition::Always, "the periphery is written for some lanes");
        if let Some(address) = special_address(port) {
            assert!(self.cycle >= self.result_ready, "two results in r4");
            self.accumulators[4] = values.map(|value| arithmetic::special(address, value));
            self.result_ready = self.cycle + 3;
            return;
        }
        if port == WritePort::VpmReadSetup {
            self.vpm_ready = self.cycle + 4;
            self.vpm_setups += 1;
        }
        self.periphery.write(port, values);
    }
}

fn port(address: usize, in_b: bool) -> WritePort {
    match (address, in_b) {
        (36, _) => WritePort::TmuNoSwap,
        (38, _) => WritePort::HostInterrupt,
        (48, _) => WritePort::Vpm,
        (49, false) => WritePort::VpmReadSetup,
        (49, true) => WritePort::VpmWriteSetup,
        (50, false) => WritePort::DmaLoadAddress,
        (50, true) => WritePort::DmaStoreAddress,
        (51, _) => WritePort::MutexRelease,
        (52, _) => WritePort::Reciprocal,
        (53, _) => WritePort::ReciprocalSqrt,
        (54, _) => WritePort::Exp2,
        (55, _) => WritePort::Log2,
        (56, _) => WritePort::TmuAddress,
        _ => panic!("write of {address}"),
    }
}

fn multiply(op: u64, left: u32, right: u32) -> Outcome {
    match op {
        1 => arithmetic::multiply(MulOp::FMul, left, right),
        2 => arithmetic::multiply(MulOp::Mul24, left, right),
        4 => {
            assert_eq!(left, right, "the smaller bytes of different values");
            Outcome { value: left, carry: false }
        }
        other => panic!("operation {other} of the multiplication ALU"),
    }
}

fn decode_add(op: u64) -> AddOp {
    match op {
        1 => AddOp::FAdd,
        2 => AddOp::FSub,
        3 => AddOp::FMin,
        4 => AddOp::FMax,
        5 => AddOp::FMinAbs,
        6 => AddOp::FMaxAbs,
        7 => AddOp::FToI,
        8 => AddOp::IToF,
        12 => AddOp::Add,
        13 => AddOp::Sub,
        14 => AddOp::Shr,
        15 => AddOp::Asr,
        16 => AddOp::Ror,
        17 => AddOp::Shl,
        18 => AddOp::Min,
        19 => AddOp::Max,
        20 => AddOp::And,
        21 => AddOp::Or,
        22 => AddOp::Xor,
        23 => AddOp::Not,
        24 => AddOp::Clz,
        other => panic!("operation {other} of the add ALU"),
    }
}
