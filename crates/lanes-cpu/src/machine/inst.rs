//! Machine functions as data: what instruction selection writes, and what the allocator and the encoder read.
//!
//! An instruction is a code of `iced-x86`, which fixes the form (`EVEX_Vaddps_zmm_k1z_zmm_zmmm512_b`), and its operands in the order of the
//! form. Registers are virtual, in SSA form with block parameters: each is written once. How wide a register is named (`xmm`, `ymm`, `zmm`,
//! `eax`, `rax`) follows from the form.
//!
//! ```text
//! Class::General   rax … r15 without rsp and rbp     addresses, uniform integers, uniform booleans
//! Class::Vector    zmm0 … zmm31 (ymm0 … 15)          lanes; uniform floating-point numbers in lane 0
//! Class::Mask      k1 … k7                           one bit a lane
//! ```

use iced_x86::{Code, Register};
use reconverge_lanes::CodeRole;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The class of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// 64-bit general registers.
    General,
    /// `xmm`, `ymm`, `zmm`.
    Vector,
    /// `k`.
    Mask,
}

/// A virtual register: an index, dense over all classes, and its class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VReg {
    /// Its index in the machine function.
    pub index: u32,
    /// Its class.
    pub class: Class,
}

/// A basic block of a machine function, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockId(pub u32);

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A general register.
    Register(VReg),
    /// No base: the address is the displacement and the index.
    None,
    /// The frame of the pack: fixed slots of [`MachineFunction::frame_bytes`] at its beginning, spill slots after them.
    Frame,
    /// The constants of the function, relative to the instruction: the displacement is an offset in [`MachineFunction::constants`].
    Constants,
}

/// A memory operand: base + index · scale + displacement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The base address.
    pub base: Base,
    /// A general register, or a vector register for gathers and scatters.
    pub index: Option<VReg>,
    /// 1, 2, 4 or 8.
    pub scale: u8,
    /// Added.
    pub displacement: i32,
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A register that is written and not read.
    Def(VReg),
    /// A register that is read.
    Use(VReg),
    /// A register that is read and written, as the first operand of `add rax, rcx`: reads `from`, writes `to`.
    Update {
        /// The value before.
        from: VReg,
        /// The value after.
        to: VReg,
    },
    /// Memory.
    Memory(Address),
    /// An immediate.
    Immediate(i64),
}

/// An operand that the form does not name, in a fixed register: `cl` of a shift, `rax` and `rdx` of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Implicit {
    /// Read.
    Use(VReg, Register),
    /// Written.
    Def(VReg, Register),
    /// Overwritten; whatever lived there must be elsewhere.
    Clobber(Register),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The form.
    pub code: Code,
    /// The operands, in the order of the form.
    pub operands: SmallVec<[Operand; 4]>,
    /// Operands in fixed registers that the form does not name.
    pub implicit: SmallVec<[Implicit; 1]>,
    /// `{k}`: the lanes that are written.
    pub mask: Option<VReg>,
    /// A mask that the instruction reads and clears, as gathers and scatters do: reads the first, writes the second.
    pub consumed_mask: Option<(VReg, VReg)>,
    /// `{z}`: the other lanes become zero instead of staying what they were.
    pub is_zeroing: bool,
    /// `{1toN}`: the memory operand is one element for all lanes.
    pub is_broadcast: bool,
    /// `lock`: the memory operand is read and written as one access.
    pub is_locked: bool,
    /// True if it does anything besides writing its registers: it is kept although nothing reads them. An instruction that writes a
    /// register, but is there for its flags, has an effect too, unless it is the last one before a branch.
    pub has_effect: bool,
    /// The number of what it was made of, for reports about accesses to memory; the caller gives it its meaning.
    pub origin: u32,
}

/// The condition of a jump: flags of the last instruction, which sets them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Equal, zero.
    Equal,
    /// Not equal, not zero.
    NotEqual,
    /// Unsigned less.
    Below,
    /// Unsigned less or equal.
    BelowEqual,
    /// Unsigned greater.
    Above,
    /// Unsigned greater or equal.
    AboveEqual,
    /// Signed less.
    Less,
    /// Signed less or equal.
    LessEqual,
    /// Signed greater.
    Greater,
    /// Signed greater or equal.
    GreaterEqual,
    /// The parity flag: an unordered floating-point comparison.
    Parity,
    /// No parity.
    NoParity,
    /// The carry flag: `kortest` found all ones.
    Carry,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// To a block, with arguments for its parameters.
    Jump(BlockId, Vec<VReg>),
    /// To one of two blocks without parameters. Flags come from the last instruction of the block.
    Branch {
        /// The condition under which control goes to `then`.
        condition: Condition,
        /// The target if the condition holds.
        then: BlockId,
        /// The target if it does not hold.
        otherwise: BlockId,
    },
    /// To one of many blocks without parameters: `index` below their number, unsigned 64 bits; else to the first one given.
    Table {
        /// The selector, from 0.
        index: VReg,
        /// The target of values past the table.
        default: BlockId,
        /// By index.
        targets: Vec<BlockId>,
    },
    /// The pack is at its end.
    Return,
    /// All packs of the work-group meet; this one continues at `resume`, which has no parameters. Every register is lost: a value that is
    /// live after it is in the frame. Packs that are at different barriers are trapped.
    Barrier {
        /// The block in which it resumes.
        resume: BlockId,
    },
    /// A failure that the engine reports; it does not return.
    Trap(u32),
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct MachineBlock {
    /// Its parameters.
    pub parameters: Vec<VReg>,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// Its end; `None` while it is built.
    pub end: Option<Terminator>,
    /// The loop depth of the block. Spills in deep loops cost most.
    pub loop_depth: u32,
    /// An instruction of the block that it is made of, as [`Inst::origin`].
    pub origin: u32,
    /// Its purpose for that block.
    pub role: CodeRole,
}

/// A function of machine instructions. Block 0 is the entry, and has no parameters and no predecessors.
#[derive(Clone, Debug, Default)]
pub struct MachineFunction {
    /// The blocks, in the order in which they are laid out.
    pub blocks: Vec<MachineBlock>,
    /// The class of each virtual register.
    pub classes: Vec<Class>,
    /// Bytes of constants, aligned to 64.
    pub constants: Vec<u8>,
    /// The offsets of the constants of [`MachineFunction::constant`].
    pub places_of_constants: FxHashMap<Box<[u8]>, usize>,
    /// Bytes of fixed slots at the beginning of the frame: the header of the frame, and private variables.
    pub frame_bytes: u32,
    /// True if the code may use `zmm` and `k` registers; else only `ymm0` to `ymm15`, and no class Mask.
    pub has_avx512: bool,
}

impl Inst {
    /// An instruction without mask and implicit operands.
    pub fn new(code: Code, operands: impl IntoIterator<Item = Operand>) -> Inst {
        Inst {
            code,
            operands: operands.into_iter().collect(),
            implicit: SmallVec::new(),
            mask: None,
            consumed_mask: None,
            is_zeroing: false,
            is_broadcast: false,
            is_locked: false,
            has_effect: false,
            origin: 0,
        }
    }

    /// The same with effects: it is kept although nothing reads its results.
    #[must_use]
    pub fn with_effect(mut self) -> Inst {
        self.has_effect = true;
        self
    }

    /// The same as one access to memory, with effects.
    #[must_use]
    pub fn locked(mut self) -> Inst {
        self.is_locked = true;
        self.has_effect = true;
        self
    }

    /// Reads other registers.
    pub fn replace_uses(&mut self, replacement: impl Fn(VReg) -> VReg) {
        let new = |register: &mut VReg| *register = replacement(*register);
        for operand in &mut self.operands {
            match operand {
                Operand::Use(register) | Operand::Update { from: register, .. } => new(register),
                Operand::Memory(address) => {
                    if let Base::Register(register) = &mut address.base {
                        new(register);
                    }
                    address.index.iter_mut().for_each(new);
                }
                Operand::Def(_) | Operand::Immediate(_) => {}
            }
        }
        self.mask.iter_mut().for_each(new);
        self.consumed_mask.iter_mut().for_each(|(from, _)| new(from));
        for implicit in &mut self.implicit {
            if let Implicit::Use(register, _) = implicit {
                new(register);
            }
        }
    }

    /// The same for the lanes of a mask. Other lanes of the result are zero.
    #[must_use]
    pub fn with_zeroing_mask(mut self, mask: VReg) -> Inst {
        self.mask = Some(mask);
        self.is_zeroing = true;
        self
    }

    /// The same for the lanes of a mask. Other lanes of the result keep their value.
    #[must_use]
    pub fn with_merging_mask(mut self, mask: VReg) -> Inst {
        self.mask = Some(mask);
        self.is_zeroing = false;
        self
    }

    /// The same with an operand in a fixed register.
    #[must_use]
    pub fn with_implicit(mut self, implicit: Implicit) -> Inst {
        self.implicit.push(implicit);
        self
    }
}

impl Address {
    /// The address in a register.
    pub fn of(base: VReg) -> Address {
        Address { base: Base::Register(base), index: None, scale: 1, displacement: 0 }
    }

    /// A fixed slot of the frame.
    pub fn in_frame(displacement: i32) -> Address {
        Address { base: Base::Frame, index: None, scale: 1, displacement }
    }

    /// The same, `bytes` further.
    #[must_use]
    pub fn plus(mut self, bytes: i32) -> Address {
        self.displacement += bytes;
        self
    }
}

impl MachineFunction {
    /// Returns whether a block ends at a barrier.
    pub(super) fn has_barriers(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.end, Some(Terminator::Barrier { .. })))
    }

    /// A new register.
    pub fn register(&mut self, class: Class) -> VReg {
        self.classes.push(class);
        VReg { index: self.classes.len() as u32 - 1, class }
    }

    /// A new block.
    pub fn add_block(&mut self, loop_depth: u32) -> BlockId {
        self.blocks.push(MachineBlock { loop_depth, ..MachineBlock::default() });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The address of constant bytes, aligned to their number, which is a power of two up to 64. Equal bytes are stored
    /// once.
    pub fn constant(&mut self, bytes: &[u8]) -> Address {
        let offset = match self.places_of_constants.get(bytes) {
            Some(&offset) => offset,
            None => {
                let offset = self.constants.len().next_multiple_of(bytes.len());
                self.constants.resize(offset, 0);
                self.constants.extend_from_slice(bytes);
                self.places_of_constants.insert(bytes.into(), offset);
                offset
            }
        };
        Address { base: Base::Constants, index: None, scale: 1, displacement: offset as i32 }
    }
}
