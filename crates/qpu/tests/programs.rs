//! Random machine functions that end.

use reconverge_qpu::machine::{
    AddOp, BlockId, Branch, BranchCondition, Condition, Destination, Inst, MachineBlock, MachineFunction, MulOp,
    Operation, ReadPort, SmallImmediate, Source, VReg, WritePort,
};

use crate::execute::CONDITIONS;

/// Numbers that are the same in each run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// How large a program is.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    /// Registers that live in the whole program.
    pub(crate) variables: usize,
    /// Instructions of a stretch without branches.
    pub(crate) straight: usize,
    /// How deep branches and loops are in each other.
    pub(crate) depth: usize,
    /// How many parts a block of the source has.
    pub(crate) parts: usize,
    /// How often the outermost parts are repeated.
    pub(crate) length: usize,
}

const ADD_OPS: [AddOp; 12] = [
    AddOp::Add,
    AddOp::Sub,
    AddOp::Shr,
    AddOp::Asr,
    AddOp::Ror,
    AddOp::Shl,
    AddOp::Min,
    AddOp::Max,
    AddOp::And,
    AddOp::Or,
    AddOp::Xor,
    AddOp::Not,
];

struct Builder {
    function: MachineFunction,
    random: Random,
    variables: Vec<VReg>,
    /// Registers that this block wrote.
    temporaries: Vec<VReg>,
    size: Size,
}

/// A random program. All of its variables are stored at the end.
pub(crate) fn program(seed: u64, size: Size) -> MachineFunction {
    let mut builder = Builder {
        function: MachineFunction { own_rows: 2, ..MachineFunction::default() },
        random: Random::new(seed),
        variables: Vec::new(),
        temporaries: Vec::new(),
        size,
    };
    builder.block();
    let base = builder.function.register();
    builder.function.spill_base = Some(base);
    let place_of_base = builder.random.below(size.variables.min(20));
    for number in 0..size.variables {
        if number == place_of_base {
            builder.push(Inst::immediate(Destination::Register(base), 3));
        }
        let variable = builder.function.register();
        let destination = Destination::Register(variable);
        let inst = match number % 4 {
            0 => Inst::copy(destination, Source::Port(ReadPort::Uniform)),
            1 => Inst::immediate(destination, builder.random.below(1 << 32) as u32),
            2 => Inst::copy(destination, Source::Port(ReadPort::ElementNumber)),
            _ => {
                let lane = Source::Port(ReadPort::ElementNumber);
                let other = Source::Small(SmallImmediate(builder.random.below(32) as u8));
                Inst::binary(Operation::Add(AddOp::Xor), destination, lane, other)
            }
        };
        builder.push(inst);
        builder.variables.push(variable);
    }
    builder.set_flags(Condition::Always);
    for _ in 0..size.length {
        builder.parts(size.depth);
    }
    for number in 0..builder.variables.len() {
        builder.store(builder.variables[number], number as u32 * 64);
    }
    builder.push(Inst::plain(Operation::End, Destination::Null));
    builder.function
}

impl Builder {
    fn block(&mut self) -> usize {
        self.function.blocks.push(MachineBlock::default());
        self.temporaries.clear();
        self.function.blocks.len() - 1
    }

    fn push(&mut self, inst: Inst) {
        let block = self.function.blocks.last_mut().expect("there is a block");
        block.insts.push(inst);
    }

    fn parts(&mut self, depth: usize) {
        for _ in 0..self.size.parts {
            self.straight();
            match self.random.below(4) {
                0 if depth > 0 => self.branch(depth),
                1 if depth > 0 => self.repeat(depth),
                2 => self.held(),
                _ => {}
            }
        }
    }

    fn end_block(&mut self, condition: BranchCondition, target: usize) -> usize {
        let block = self.function.blocks.len() - 1;
        self.function.blocks[block].branch = Some(Branch { condition, target: BlockId(target as u32) });
        block
    }

    fn branch_condition(&mut self) -> BranchCondition {
        let condition = self.random.pick(&CONDITIONS[1..]);
        if self.random.below(2) == 0 { BranchCondition::All(condition) } else { BranchCondition::Any(condition) }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.branch_condition();
        if self.random.below(3) > 0 {
            self.flags();
        }
        let from = self.end_block(condition, 0);
        self.block();
        self.parts(depth - 1);
        let has_else = self.random.below(2) == 0;
        let skip = has_else.then(|| self.end_block(BranchCondition::Always, 0));
        let other = self.block();
        let patch = |function: &mut MachineFunction, block: usize, target: usize| {
            if let Some(branch) = &mut function.blocks[block].branch {
                branch.target = BlockId(target as u32);
            }
        };
        patch(&mut self.function, from, other);
        if let Some(skip) = skip {
            self.parts(depth - 1);
            let behind = self.block();
            patch(&mut self.function, skip, behind);
        }
    }

    fn repeat(&mut self, depth: usize) {
        let counter = self.function.register();
        let count = 1 + self.random.below(3) as u8;
        self.push(Inst::copy(Destination::Register(counter), Source::Small(SmallImmediate(count))));
        let head = self.block();
        self.parts(depth - 1);
        let one = Source::Small(SmallImmediate(1));
        let step =
            Inst::binary(Operation::Add(AddOp::Sub), Destination::Register(counter), Source::Register(counter), one);
        self.push(step.setting_flags());
        self.end_block(BranchCondition::Any(Condition::ZeroClear), head);
        self.block();
    }

    fn value(&mut self) -> Source {
        match self.random.below(10) {
            0 => Source::Small(SmallImmediate(self.random.below(32) as u8)),
            1 => Source::Port(ReadPort::ElementNumber),
            2 => Source::Port(ReadPort::QpuNumber),
            3..=5 if !self.temporaries.is_empty() => Source::Register(self.random.pick(&self.temporaries)),
            _ => Source::Register(self.random.pick(&self.variables)),
        }
    }

    /// Two values that one instruction may read.
    fn values(&mut self) -> [Source; 2] {
        let left = self.value();
        let right = self.value();
        match (left, right) {
            (Source::Small(_), Source::Small(_)) => [left, left],
            _ => [left, right],
        }
    }

    fn destination(&mut self) -> VReg {
        if self.random.below(3) == 0 { self.random.pick(&self.variables) } else { self.function.register() }
    }

    fn wrote(&mut self, register: VReg) {
        if !self.variables.contains(&register) && !self.temporaries.contains(&register) {
            self.temporaries.push(register);
        }
    }

    fn operation(&mut self) -> Operation {
        match self.random.below(8) {
            0 => Operation::Multiply(MulOp::Mul24),
            1 => Operation::Move,
            _ => Operation::Add(self.random.pick(&ADD_OPS)),
        }
    }

    fn inst(&mut self, destination: Destination) -> Inst {
        let operation = self.operation();
        let [left, right] = self.values();
        let inst = Inst::binary(operation, destination, left, right);
        if inst.source_count() == 1 { Inst::unary(operation, destination, left) } else { inst }
    }

    fn flags(&mut self) {
        let condition = if self.random.below(4) == 0 { self.random.pick(&CONDITIONS) } else { Condition::Always };
        self.set_flags(condition);
    }

    fn set_flags(&mut self, condition: Condition) {
        if self.random.below(3) == 0 {
            let register = self.temporaries.last().copied().unwrap_or(self.variables[0]);
            let test = Inst::copy(Destination::Null, Source::Register(register));
            self.push(test.setting_flags().when(condition));
            return;
        }
        let inst = loop {
            let inst = self.inst(Destination::Null);
            // The carry of other operations is not the same on both ALUs.
            if matches!(inst.operation, Operation::Add(AddOp::Sub | AddOp::Add | AddOp::And | AddOp::Xor)) {
                break inst;
            }
        };
        self.push(inst.setting_flags().when(condition));
    }

    fn straight(&mut self) {
        for _ in 0..1 + self.random.below(self.size.straight) {
            match self.random.below(17) {
                0 => self.flags(),
                1 | 2 => self.conditional(),
                3 => self.special(),
                4 => self.loads(),
                5 => self.rotate(),
                6 => self.partial(),
                16 => self.taken_over(),
                7 => {
                    let register = self.destination();
                    let constant = self.random.below(1 << 32) as u32;
                    self.push(Inst::immediate(Destination::Register(register), constant));
                    self.wrote(register);
                }
                _ => {
                    let register = self.destination();
                    let inst = self.inst(Destination::Register(register));
                    self.push(inst);
                    self.wrote(register);
                }
            }
        }
    }

    fn conditional(&mut self) {
        let is_temporary = !self.temporaries.is_empty() && self.random.below(2) == 0;
        let register = self.random.pick(if is_temporary { &self.temporaries } else { &self.variables });
        let condition = self.random.pick(&CONDITIONS);
        let inst = self.inst(Destination::Register(register)).when(condition);
        self.push(inst);
    }

    /// A register without a value before that takes the value of another one, which is not read again: both may be one register.
    fn taken_over(&mut self) {
        let [old, new] = [self.function.register(), self.function.register()];
        let inst = self.inst(Destination::Register(old));
        self.push(inst);
        for _ in 0..1 + self.random.below(4) {
            let register = self.destination();
            let inst = self.inst(Destination::Register(register));
            self.push(inst);
            self.wrote(register);
        }
        self.push(Inst::plain(Operation::Undefine, Destination::Register(new)));
        self.push(Inst::copy(Destination::Register(new), Source::Register(old)));
        self.wrote(new);
    }

    /// A register without a value before that gets one for all lanes in two steps.
    fn partial(&mut self) {
        let register = self.function.register();
        let destination = Destination::Register(register);
        self.push(Inst::plain(Operation::Undefine, destination));
        let condition = self.random.pick(&CONDITIONS[1..]);
        for condition in [condition, condition.inverted()] {
            let inst = self.inst(destination).when(condition);
            // The second write does not read what the first one left undefined.
            if inst.uses().all(|used| used != register) {
                self.push(inst);
            }
        }
        self.wrote(register);
    }

    fn special(&mut self) {
        let ports = [WritePort::Reciprocal, WritePort::ReciprocalSqrt, WritePort::Exp2, WritePort::Log2];
        let port = self.random.pick(&ports);
        let source = self.value();
        self.push(Inst::copy(Destination::Port(port), source));
        self.take_result();
    }

    fn take_result(&mut self) {
        let register = self.destination();
        self.push(Inst::copy(Destination::Register(register), Source::Port(ReadPort::Result)));
        self.wrote(register);
    }

    fn loads(&mut self) {
        let count = 1 + self.random.below(3);
        for _ in 0..count {
            let source = self.value();
            self.push(Inst::copy(Destination::Port(WritePort::TmuAddress), source));
        }
        for _ in 0..count {
            self.push(Inst::plain(Operation::LoadTmu, Destination::Null));
            self.take_result();
        }
    }

    fn rotate(&mut self) {
        let source = Source::Register(self.random.pick(&self.variables));
        let amount = self.random.below(16) as u8;
        if amount == 0 {
            let by = self.value();
            self.push(Inst::copy(Destination::Port(WritePort::Broadcast), by));
        }
        let register = self.destination();
        let amount = (amount > 0).then_some(amount);
        self.push(Inst::unary(Operation::Rotate(amount), Destination::Register(register), source));
        self.wrote(register);
    }

    fn acquire(&mut self) {
        self.push(Inst::copy(Destination::Null, Source::Port(ReadPort::MutexAcquire)));
    }

    fn release(&mut self) {
        self.push(Inst::copy(Destination::Port(WritePort::MutexRelease), Source::Small(SmallImmediate(0))));
    }

    fn port(&mut self, port: WritePort, word: u32) {
        let register = self.function.register();
        self.push(Inst::immediate(Destination::Register(register), word));
        self.push(Inst::copy(Destination::Port(port), Source::Register(register)));
    }

    /// Computes and stores where the mutex is held, over a loop if it comes so.
    fn held(&mut self) {
        self.acquire();
        self.port(WritePort::VpmWriteSetup, 0x1a00);
        let value = self.random.pick(&self.variables);
        self.push(Inst::copy(Destination::Port(WritePort::Vpm), Source::Register(value)));
        let register = self.random.pick(&self.variables);
        let inst = self.inst(Destination::Register(register));
        self.push(inst);
        if self.random.below(2) == 0 {
            self.flags();
            let condition = self.branch_condition();
            let from = self.end_block(condition, 0);
            self.block();
            self.conditional();
            let behind = self.block();
            self.function.blocks[from].branch = Some(Branch { condition, target: BlockId(behind as u32) });
        }
        self.port(WritePort::VpmReadSetup, 1 << 20 | 0x1a00);
        let register = self.destination();
        self.push(Inst::copy(Destination::Register(register), Source::Port(ReadPort::Vpm)));
        self.wrote(register);
        self.release();
    }

    fn store(&mut self, value: VReg, address: u32) {
        self.acquire();
        self.port(WritePort::VpmWriteSetup, 0x1a00);
        self.push(Inst::copy(Destination::Port(WritePort::Vpm), Source::Register(value)));
        self.port(WritePort::VpmWriteSetup, 0x8080_4000);
        self.port(WritePort::DmaStoreAddress, address);
        self.push(Inst::copy(Destination::Null, Source::Port(ReadPort::DmaStoreWait)));
        self.release();
    }
}
