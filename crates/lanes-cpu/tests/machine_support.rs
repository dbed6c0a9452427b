//! Machine functions for tests, and frames to run them in.
#![expect(unsafe_code, reason = "the tests call generated code")]

use iced_x86::Code as Form;
use reconverge_lanes_cpu::machine::{
    Address, Base, BlockId, Class, Code, Condition, Inst, Level, MachineFunction, Operand, Terminator, VReg, assemble,
};

/// Where [`Builder::result`] stores in the frame.
pub(crate) const RESULTS: i32 = 64;
/// The bytes of fixed slots of a test's frame: header and results.
pub(crate) const FRAME_BYTES: u32 = 64 + 64 * 64;

/// A machine function while it is built, block after block.
pub(crate) struct Builder {
    pub(crate) function: MachineFunction,
    pub(crate) block: BlockId,
}

/// Whether this CPU has AVX-512; says so if not.
pub(crate) fn has_avx512() -> bool {
    let has = Level::of_this_cpu() == Some(Level::Avx512);
    if !has {
        eprintln!("not tested: this CPU has no AVX-512");
    }
    has
}

impl Builder {
    pub(crate) fn new(has_avx512: bool) -> Builder {
        let mut function = MachineFunction { has_avx512, frame_bytes: FRAME_BYTES, ..MachineFunction::default() };
        let block = function.add_block(0);
        Builder { function, block }
    }

    pub(crate) fn add(&mut self, inst: Inst) {
        self.function.blocks[self.block.0 as usize].insts.push(inst);
    }

    pub(crate) fn end(&mut self, end: Terminator) {
        self.function.blocks[self.block.0 as usize].end = Some(end);
    }

    /// A new block, with a parameter for each class.
    pub(crate) fn block<const N: usize>(&mut self, depth: u32, classes: [Class; N]) -> (BlockId, [VReg; N]) {
        let block = self.function.add_block(depth);
        let parameters = classes.map(|class| self.function.register(class));
        self.function.blocks[block.0 as usize].parameters = parameters.to_vec();
        (block, parameters)
    }

    pub(crate) fn general(&mut self) -> VReg {
        self.function.register(Class::General)
    }

    pub(crate) fn vector(&mut self) -> VReg {
        self.function.register(Class::Vector)
    }

    pub(crate) fn mask(&mut self) -> VReg {
        self.function.register(Class::Mask)
    }

    pub(crate) fn number(&mut self, value: i64) -> VReg {
        let to = self.general();
        self.add(Inst::new(Form::Mov_r64_imm64, [Operand::Def(to), Operand::Immediate(value)]));
        to
    }

    /// `a OP b` by a form of two operands that updates the first one.
    pub(crate) fn update(&mut self, form: Form, a: VReg, b: VReg) -> VReg {
        let to = self.function.register(a.class);
        self.add(Inst::new(form, [Operand::Update { from: a, to }, Operand::Use(b)]));
        to
    }

    pub(crate) fn update_by(&mut self, form: Form, a: VReg, b: i64) -> VReg {
        let to = self.function.register(a.class);
        self.add(Inst::new(form, [Operand::Update { from: a, to }, Operand::Immediate(b)]));
        to
    }

    /// A new register of a class from the operands behind the first one.
    pub(crate) fn define<const N: usize>(&mut self, form: Form, class: Class, operands: [Operand; N]) -> VReg {
        let to = self.function.register(class);
        self.add(Inst::new(form, [Operand::Def(to)].into_iter().chain(operands)));
        to
    }

    pub(crate) fn compare(&mut self, a: VReg, b: i64) {
        self.add(Inst::new(Form::Cmp_rm64_imm32, [Operand::Use(a), Operand::Immediate(b)]));
    }

    pub(crate) fn branch(&mut self, condition: Condition, then: BlockId, otherwise: BlockId) {
        self.end(Terminator::Branch { condition, then, otherwise });
    }

    /// Stores a general register as result.
    pub(crate) fn result(&mut self, index: i32, value: VReg) {
        let to = Operand::Memory(Address::in_frame(RESULTS + index * 8));
        self.add(Inst::new(Form::Mov_rm64_r64, [to, Operand::Use(value)]).with_effect());
    }

    /// Stores a vector register as 64 or 32 bytes of results.
    pub(crate) fn vector_result(&mut self, index: i32, value: VReg) {
        let to = Operand::Memory(Address::in_frame(RESULTS + index * 64));
        let form =
            if self.function.has_avx512 { Form::EVEX_Vmovups_zmmm512_k1z_zmm } else { Form::VEX_Vmovups_ymmm256_ymm };
        self.add(Inst::new(form, [to, Operand::Use(value)]).with_effect());
    }

    /// Loads the context pointer.
    pub(crate) fn context(&mut self) -> VReg {
        self.define(Form::Mov_r64_rm64, Class::General, [Operand::Memory(Address::in_frame(32))])
    }

    /// The number of the pack.
    pub(crate) fn pack(&mut self) -> VReg {
        self.define(Form::Mov_r64_rm64, Class::General, [Operand::Memory(Address::in_frame(16))])
    }

    /// All lanes the same 32 bits.
    pub(crate) fn splat(&mut self, value: u32) -> VReg {
        let address = self.function.constant(&value.to_le_bytes());
        let form = if self.function.has_avx512 {
            Form::EVEX_Vpbroadcastd_zmm_k1z_xmmm32
        } else {
            Form::VEX_Vpbroadcastd_ymm_xmmm32
        };
        self.define(form, Class::Vector, [Operand::Memory(address)])
    }

    pub(crate) fn finish(self) -> Code {
        assemble(self.function).expect("the function is right")
    }
}

/// The address in a register, with an index.
pub(crate) fn indexed(base: VReg, index: VReg, scale: u8) -> Operand {
    Operand::Memory(Address { base: Base::Register(base), index: Some(index), scale, displacement: 0 })
}

/// 64 aligned bytes as eight words.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u64; 8]);

/// What is left after a call.
pub(crate) struct Run {
    pub(crate) status: u64,
    frames: Vec<Line>,
    lines_per_frame: usize,
}

impl Run {
    /// A word of the results of a frame.
    pub(crate) fn result(&self, frame: usize, index: usize) -> u64 {
        let word = RESULTS as usize / 8 + index;
        self.frames[frame * self.lines_per_frame + word / 8].0[word % 8]
    }

    /// A 32-bit lane of the vector results of a frame.
    pub(crate) fn lane(&self, frame: usize, index: usize, lane: usize) -> u32 {
        let word = self.result(frame, index * 8 + lane / 2);
        (word >> (lane % 2 * 32)) as u32
    }
}

/// Runs packs, and checks how the code decodes. The words of the context follow its first two.
pub(crate) fn run(code: &Code, packs: usize, context: &[u64]) -> Run {
    check_decoding(code);
    run_again(code, packs, context)
}

/// Runs packs of code that was checked.
pub(crate) fn run_again(code: &Code, packs: usize, context: &[u64]) -> Run {
    assert!(code.frame_size().is_multiple_of(64), "frames are aligned");
    let lines_per_frame = code.frame_size() as usize / 64;
    let frame_count = if code.has_barriers() { packs } else { 1 };
    let mut frames = vec![Line([0; 8]); lines_per_frame * frame_count];
    let mut context: Vec<u64> = [0, 0].into_iter().chain(context.iter().copied()).collect();
    let first = frames.as_mut_ptr() as usize;
    let address = |frame: usize| (first + frame % frame_count * lines_per_frame * 64) as u64;
    for frame in 0..frame_count {
        frames[frame * lines_per_frame].0 = [
            code.entry(),
            address(frame + 1),
            frame as u64,
            address(frame.saturating_sub(1)),
            context.as_mut_ptr() as u64,
            packs as u64,
            0,
            0,
        ];
    }
    // SAFETY: the frames have headers, and are as large as the code wants. The tests store to results of their frame only, and read the
    // context; they are made of instructions that they have asked for.
    let status = unsafe { code.call(frames.as_mut_ptr().cast()) };
    Run { status, frames, lines_per_frame }
}

/// Every instruction that was written decodes to one that encodes to the same bytes.
pub(crate) fn check_decoding(code: &Code) {
    let mut length = 0;
    for instruction in code.instructions() {
        assert!(!instruction.is_invalid(), "at {length}:\n{code}");
        let mut encoder = iced_x86::Encoder::new(64);
        let size = encoder.encode(&instruction, instruction.ip()).expect("it was encoded before");
        assert_eq!(size, instruction.len(), "{instruction:?}");
        length += size;
    }
    assert_eq!(length, code.statistics().bytes);
}
