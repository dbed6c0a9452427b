//! Writes machine instructions: blocks and labels, constants, the flags.
//!
//! The writer knows at every place whether the flags are those of `execute`, so `mov.sf null, execute` is written once for each clobber:
//!
//! ```text
//! mov.sf null, execute       the flag zero of a lane is set if the lane is active
//! mov.zs a, x                a write for active lanes
//! mov.zs b, y                the flags are still the same
//! sub.sf null, c, d          another instruction sets the flags
//! mov.sf null, execute       so they are set again
//! mov.zs e, z
//! ```

use std::collections::BTreeMap;

use reconverge_lanes::CodeRole;
use rustc_hash::FxHashMap;

use crate::machine::{
    AddOp, BlockId, Branch, BranchCondition, Condition, Destination, Inst, MachineBlock, MachineFunction, MulOp,
    Operation, Origin, ReadPort, SmallImmediate, Source, VReg, WritePort,
};

/// The sign of a word.
pub(crate) const SIGN: u32 = 1 << 31;

/// A word of every lane: a register, or the same constant for all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Word {
    /// A register.
    Register(VReg),
    /// A constant.
    Constant(u32),
}

/// A place in the code that branches lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Label(u32);

/// The lanes that may be inactive, and the value of the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flags {
    /// Those of the last instruction that set them.
    Other,
    /// Those of `execute`: zero is set for active lanes.
    Active,
}

/// The most constants that are loaded where the program begins: a quarter of the registers.
const ENTRY_CONSTANTS: usize = 16;

/// Writes the code of one function.
///
/// Invariant: the flags are those of `execute` only if no instruction of the block has set them since they were compared with it. Registers
/// of constants are of the block that is written, and of the entry block.
pub(crate) struct Emitter {
    pub(crate) function: MachineFunction,
    labels: Vec<Option<BlockId>>,
    /// The register that says where a lane wakes; zero for an active lane.
    pub(crate) execute: VReg,
    /// True if all lanes are active, so that `execute` has no value.
    pub(crate) is_whole: bool,
    /// What the code that is written is made of.
    origin: Origin,
    flags: Flags,
    /// Constants of this block that are in registers.
    constants: FxHashMap<u32, VReg>,
    /// Constants that are loaded where the program begins, because loops use them.
    pub(crate) entry_constants: BTreeMap<u32, VReg>,
    /// True if the code that is written is in a loop of the function or over lanes.
    pub(crate) is_in_loop: bool,
}

impl Emitter {
    pub(crate) fn new() -> Emitter {
        let origin = Origin { block: None, role: CodeRole::Prologue };
        let entry = MachineBlock { origin, ..MachineBlock::default() };
        let mut function = MachineFunction { blocks: vec![entry], ..MachineFunction::default() };
        let execute = function.register();
        Emitter {
            function,
            labels: Vec::new(),
            execute,
            is_whole: true,
            origin,
            flags: Flags::Other,
            constants: FxHashMap::default(),
            entry_constants: BTreeMap::new(),
            is_in_loop: false,
        }
    }

    /// The function, with branches to blocks.
    pub(crate) fn finish(mut self) -> MachineFunction {
        for block in &mut self.function.blocks {
            if let Some(branch) = &mut block.branch {
                branch.target = self.labels[branch.target.0 as usize].expect("invariant: labels are placed");
            }
        }
        self.function
    }

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Begins a block, which the label names.
    pub(crate) fn place(&mut self, label: Label) {
        if !self.block().insts.is_empty() || self.block().branch.is_some() {
            self.begin_block();
        }
        self.flags = Flags::Other;
        self.constants.clear();
        self.labels[label.0 as usize] = Some(BlockId(self.function.blocks.len() as u32 - 1));
    }

    /// Says what the code that comes next is made of: from the next label on, or from here if the block is empty.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
        if self.block().insts.is_empty() && self.block().branch.is_none() {
            self.block().origin = origin;
        }
    }

    /// Says what the code that comes next is for. Gives the purpose of the code before.
    pub(crate) fn set_role(&mut self, role: CodeRole) -> CodeRole {
        let before = self.origin;
        self.set_origin(Origin { role, ..before });
        before.role
    }

    /// Ends the entry block, and begins the code that is run for each unit.
    pub(crate) fn begin_body(&mut self, label: Label) {
        self.begin_block();
        self.labels[label.0 as usize] = Some(BlockId(self.function.blocks.len() as u32 - 1));
    }

    fn block(&mut self) -> &mut MachineBlock {
        self.function.blocks.last_mut().expect("invariant: there is an entry block")
    }

    fn begin_block(&mut self) {
        self.function.blocks.push(MachineBlock { origin: self.origin, ..MachineBlock::default() });
        self.constants.clear();
    }

    /// Ends the block with a branch. The flags stay what they are where it is not taken.
    pub(crate) fn branch(&mut self, condition: BranchCondition, target: Label) {
        let target = BlockId(target.0);
        self.block().branch = Some(Branch { condition, target });
        self.begin_block();
    }

    pub(crate) fn jump(&mut self, target: Label) {
        self.branch(BranchCondition::Always, target);
    }

    pub(crate) fn register(&mut self) -> VReg {
        self.function.register()
    }

    pub(crate) fn push(&mut self, inst: Inst) {
        if inst.sets_flags {
            self.flags = Flags::Other;
        }
        if inst.definition() == Some(self.execute) {
            self.flags = Flags::Other;
        }
        self.block().insts.push(inst);
    }

    /// A word as a source. A constant that is no small immediate is loaded, once in a block.
    pub(crate) fn source(&mut self, word: Word) -> Source {
        match word {
            Word::Register(register) => Source::Register(register),
            Word::Constant(value) => match SmallImmediate::of(value) {
                Some(small) => Source::Small(small),
                None => Source::Register(self.loaded(value)),
            },
        }
    }

    /// A register with a constant. One that a loop uses is loaded where the program begins; allocation may load it again.
    pub(crate) fn loaded(&mut self, value: u32) -> VReg {
        if let Some(&register) = self.constants.get(&value).or_else(|| self.entry_constants.get(&value)) {
            return register;
        }
        let has_room = self.entry_constants.len() < ENTRY_CONSTANTS;
        if self.is_in_loop && has_room && SmallImmediate::of(value).is_none() {
            let register = self.register();
            self.entry_constants.insert(value, register);
            return register;
        }
        let register = self.register();
        let destination = Destination::Register(register);
        match SmallImmediate::of(value) {
            Some(small) => self.push(Inst::copy(destination, Source::Small(small))),
            None => self.push(Inst::immediate(destination, value)),
        }
        self.constants.insert(value, register);
        register
    }

    /// A word in a register.
    pub(crate) fn in_register(&mut self, word: Word) -> VReg {
        match word {
            Word::Register(register) => register,
            Word::Constant(value) => self.loaded(value),
        }
    }

    /// Two words as sources of one instruction, which has one small immediate.
    pub(crate) fn sources(&mut self, left: Word, right: Word) -> [Source; 2] {
        let sources = [self.source(left), self.source(right)];
        match sources {
            [Source::Small(a), Source::Small(b)] if a != b => {
                let Word::Constant(value) = left else { return sources };
                [Source::Register(self.loaded(value)), sources[1]]
            }
            _ => sources,
        }
    }

    /// An operation with a new register.
    pub(crate) fn binary(&mut self, op: AddOp, left: Word, right: Word) -> Word {
        let result = self.register();
        self.binary_to(Destination::Register(result), op, left, right);
        Word::Register(result)
    }

    pub(crate) fn binary_to(&mut self, destination: Destination, op: AddOp, left: Word, right: Word) {
        let [left, right] = self.sources(left, right);
        self.push(Inst::binary(Operation::Add(op), destination, left, right));
    }

    pub(crate) fn unary(&mut self, op: AddOp, operand: Word) -> Word {
        let source = self.source(operand);
        let result = self.register();
        self.push(Inst::unary(Operation::Add(op), Destination::Register(result), source));
        Word::Register(result)
    }

    pub(crate) fn multiply(&mut self, op: MulOp, left: Word, right: Word) -> Word {
        let [left, right] = self.sources(left, right);
        let result = self.register();
        self.push(Inst::binary(Operation::Multiply(op), Destination::Register(result), left, right));
        Word::Register(result)
    }

    /// An operation of which the flags matter alone.
    pub(crate) fn flags(&mut self, op: AddOp, left: Word, right: Word) {
        let [left, right] = self.sources(left, right);
        self.push(Inst::binary(Operation::Add(op), Destination::Null, left, right).setting_flags());
    }

    /// The flags of a word.
    pub(crate) fn test(&mut self, word: Word) {
        let source = self.source(word);
        self.push(Inst::copy(Destination::Null, source).setting_flags());
    }

    /// The flags zero of active lanes.
    pub(crate) fn test_active(&mut self) {
        if self.flags == Flags::Active {
            return;
        }
        let execute = Word::Register(self.execute);
        self.test(execute);
        self.flags = Flags::Active;
    }

    pub(crate) fn copy(&mut self, to: VReg, word: Word) {
        self.copy_when(to, word, Condition::Always);
    }

    /// Copies a word for the lanes of a condition.
    pub(crate) fn copy_when(&mut self, to: VReg, word: Word, condition: Condition) {
        let destination = Destination::Register(to);
        let inst = match word {
            Word::Constant(value) if SmallImmediate::of(value).is_none() => Inst::immediate(destination, value),
            word => {
                let source = self.source(word);
                Inst::copy(destination, source)
            }
        };
        self.push(inst.when(condition));
    }

    /// Copies a word for the active lanes.
    pub(crate) fn copy_active(&mut self, to: VReg, word: Word) {
        if self.is_whole {
            return self.copy(to, word);
        }
        self.test_active();
        self.copy_when(to, word, Condition::ZeroSet);
    }

    /// A new register with a word that may be changed for some lanes.
    pub(crate) fn copied(&mut self, word: Word) -> VReg {
        let register = self.register();
        self.copy(register, word);
        register
    }

    pub(crate) fn write(&mut self, port: WritePort, word: Word) {
        let destination = Destination::Port(port);
        match word {
            Word::Constant(value) if SmallImmediate::of(value).is_none() => {
                self.push(Inst::immediate(destination, value));
            }
            word => {
                let source = self.source(word);
                self.push(Inst::copy(destination, source));
            }
        }
    }

    pub(crate) fn read(&mut self, port: ReadPort) -> Word {
        let register = self.register();
        self.push(Inst::copy(Destination::Register(register), Source::Port(port)));
        Word::Register(register)
    }

    /// Reads a port for its effect.
    pub(crate) fn wait(&mut self, port: ReadPort) {
        self.push(Inst::copy(Destination::Null, Source::Port(port)));
    }

    /// A result of the special functions unit.
    pub(crate) fn special_function(&mut self, port: WritePort, operand: Word) -> Word {
        self.write(port, operand);
        self.read(ReadPort::Result)
    }

    pub(crate) fn undefine(&mut self, register: VReg) {
        self.push(Inst::plain(Operation::Undefine, Destination::Register(register)));
    }

    /// A register whose lanes are those of another one, rotated: lane `i` gets that of lane `i - amount`; by `r5` without an amount.
    pub(crate) fn rotate(&mut self, word: Word, amount: Option<u8>) -> Word {
        let source = self.copied(word);
        let result = self.register();
        self.push(Inst::unary(Operation::Rotate(amount), Destination::Register(result), Source::Register(source)));
        Word::Register(result)
    }

    pub(crate) fn add(&mut self, left: Word, right: Word) -> Word {
        match (left, right) {
            (word, Word::Constant(0)) | (Word::Constant(0), word) => word,
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(a.wrapping_add(b)),
            _ => self.binary(AddOp::Add, left, right),
        }
    }

    pub(crate) fn sub(&mut self, left: Word, right: Word) -> Word {
        match (left, right) {
            (word, Word::Constant(0)) => word,
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(a.wrapping_sub(b)),
            _ => self.binary(AddOp::Sub, left, right),
        }
    }

    pub(crate) fn and(&mut self, left: Word, right: Word) -> Word {
        match (left, right) {
            (word, Word::Constant(u32::MAX)) | (Word::Constant(u32::MAX), word) => word,
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(a & b),
            _ => self.binary(AddOp::And, left, right),
        }
    }

    pub(crate) fn or(&mut self, left: Word, right: Word) -> Word {
        match (left, right) {
            (word, Word::Constant(0)) | (Word::Constant(0), word) => word,
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(a | b),
            _ => self.binary(AddOp::Or, left, right),
        }
    }

    pub(crate) fn xor(&mut self, left: Word, right: Word) -> Word {
        match (left, right) {
            (word, Word::Constant(0)) | (Word::Constant(0), word) => word,
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(a ^ b),
            _ => self.binary(AddOp::Xor, left, right),
        }
    }

    pub(crate) fn not(&mut self, word: Word) -> Word {
        match word {
            Word::Constant(value) => Word::Constant(!value),
            Word::Register(_) => self.unary(AddOp::Not, word),
        }
    }

    /// Shifts by a constant below 32.
    pub(crate) fn shift(&mut self, op: AddOp, word: Word, amount: u32) -> Word {
        match (op, word) {
            (_, word) if amount == 0 => word,
            (AddOp::Shl, Word::Constant(value)) => Word::Constant(value << amount),
            (AddOp::Shr, Word::Constant(value)) => Word::Constant(value >> amount),
            (AddOp::Asr, Word::Constant(value)) => Word::Constant((value.cast_signed() >> amount).cast_unsigned()),
            _ if amount > 15 => {
                // The ALU takes the amount modulo 32: 16 to 31 are the small immediates −16 to −1.
                self.binary(op, word, Word::Constant((amount as i32 - 32) as u32))
            }
            _ => self.binary(op, word, Word::Constant(amount)),
        }
    }

    /// All ones for the lanes of a condition of the flags, else zero.
    pub(crate) fn boolean(&mut self, condition: Condition) -> Word {
        let result = self.copied(Word::Constant(0));
        self.copy_when(result, Word::Constant(u32::MAX), condition);
        Word::Register(result)
    }

    /// One of two words, by a condition of the flags.
    pub(crate) fn choose(&mut self, condition: Condition, chosen: Word, other: Word) -> Word {
        // Constants are loaded before: they do not change the flags.
        let result = self.copied(other);
        self.copy_when(result, chosen, condition);
        Word::Register(result)
    }
}
