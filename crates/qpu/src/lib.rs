//! Code for the QPUs of the VideoCore IV, the graphics processor of the first Raspberry Pis.
//!
//! ```text
//! entry point, Structured ─ inline, scalarize ─ flow of lanes ─ lower, select ─▶ MachineFunction ─ allocate, schedule, encode ─▶ words
//! ```
//!
//! A QPU executes one instruction for 16 lanes. It has no masks: each lane has flags, a write may depend on them, and a branch on those of
//! all lanes together. `docs/qpu.md` describes the scheme.
//!
//! | module | content |
//! |---|---|
//! | `lower` | control flow: a register says where a lane wakes |
//! | `select` | instructions of the IR as instructions of the QPU |
//! | `machine` | machine functions with virtual registers |
//! | `allocate` | registers of the QPU |
//! | `schedule` | the order of instructions, and both ALUs in one word |
//! | `encode` | words |
//! | `program` | what a host gives to a QPU |

pub mod allocate;
mod assemble;
mod encode;
mod error;
mod lower;
pub mod machine;
pub mod physical;
mod program;
mod schedule;
mod select;
mod unread;

use reconverge_ir::{Function, Module, Op};
use reconverge_lanes::{LaneFlow, scalarize};
use reconverge_optimize::{InlineLimits, inline_worthwhile};

pub use assemble::{AssembleError, Code, Statistics, assemble};
pub use error::{CompileError, SelectError};
pub use program::{Dispatch, LANES, Program, QPUS, ROWS, Specialization, Uniform};

use machine::MachineFunction;
use select::frame::Frame;
use select::selector::Selector;

/// The size of a kernel with all that it calls, in instructions.
const SIZE_LIMIT: usize = 1 << 20;

/// A kernel as a machine function, and what it is given.
#[derive(Debug)]
pub struct Selection {
    /// The function.
    pub function: MachineFunction,
    /// The words that each QPU reads, in order.
    pub uniforms: Vec<Uniform>,
    /// What is at the address of [`Uniform::Data`].
    pub data: Vec<u8>,
    /// The bytes of the memory of a work-group.
    pub local_bytes: u32,
    /// The bytes of the scratch memory of a QPU.
    pub scratch_bytes: u32,
    /// Whether the packs of a work-group run at the same time.
    pub is_together: bool,
}

/// Compiles the entry point `function` of a module, as [`select`], to a program.
///
/// # Errors
/// What the chip does not have or the compiler does not support, and what exceeds a limit.
pub fn compile(
    module: &mut Module,
    function: Function,
    specialization: &Specialization,
) -> Result<Program, CompileError> {
    let Selection { function, uniforms, data, local_bytes, scratch_bytes, is_together } =
        select(module, function, specialization)?;
    let own_rows = function.own_rows;
    let (code, uniforms) = assemble_read(function, &uniforms)?;
    let rows = own_rows + code.spill_rows;
    let program = Program {
        words: code.words,
        uniforms,
        data,
        local_bytes,
        scratch_bytes,
        rows,
        specialization: *specialization,
        is_together,
    };
    let needed = if is_together { specialization.packs() } else { 1 };
    if rows * needed > ROWS {
        return Err(CompileError::Limit(format!(
            "{} rows of the vertex pipe memory are needed, and there are {ROWS}",
            rows * needed
        )));
    }
    Ok(program)
}

/// Assembles a function that does not read the uniforms which it does not need. The first row is one of them unless registers are spilled.
fn assemble_read(function: MachineFunction, uniforms: &[Uniform]) -> Result<(Code, Vec<Uniform>), AssembleError> {
    let mut lean = function.clone();
    lean.spill_base = None;
    let kept = unread::remove_unread(&mut lean, uniforms);
    match assemble(lean) {
        Err(AssembleError::NeedsSpillBase) => {
            let mut function = function;
            let kept = unread::remove_unread(&mut function, uniforms);
            Ok((assemble(function)?, kept))
        }
        code => Ok((code?, kept)),
    }
}

/// Selects the instructions of the entry point `function` of a module: a compute shader at stage Structured without specialization constants.
/// Near-linear in the result of inlining.
///
/// # Errors
/// What the chip does not have or the compiler does not support, by name.
pub fn select(
    module: &mut Module,
    function: Function,
    specialization: &Specialization,
) -> Result<Selection, SelectError> {
    let most = QPUS * LANES;
    inline_calls(module, function)?;
    scalarize(module, function).map_err(|error| SelectError::of_lanes(error, function))?;
    reconverge_optimize::dce(module, function);
    let flow = LaneFlow::prepare(module, function, &specialization.facts());
    let flow = flow.map_err(|error| SelectError::of_lanes(error, function))?;
    let frame = Frame::lay_out(module, function)?;
    let mut selector = Selector::new(module, &flow, specialization, frame);
    let lowered = lower::lower(&mut selector)?;
    if lowered.is_together && specialization.items() > most {
        let what = format!("a work-group with a barrier or local memory of more than {most} work-items");
        return Err(SelectError::new(what, function));
    }
    let Selector { emit, frame, .. } = selector;
    let mut machine = emit.finish();
    allocate::remove_dead_code(&mut machine);
    machine.own_rows = frame.rows;
    let mut data = frame.data;
    // Inactive lanes read the first word.
    data.resize(data.len().next_multiple_of(4).max(4), 0);
    Ok(Selection {
        function: machine,
        uniforms: lowered.uniforms,
        data,
        local_bytes: frame.local_bytes,
        scratch_bytes: frame.scratch_bytes,
        is_together: lowered.is_together,
    })
}

/// Copies every function that an entry point calls into it.
fn inline_calls(module: &mut Module, function: Function) -> Result<(), SelectError> {
    let call = |module: &Module| {
        let mut insts = module.blocks(function).flat_map(|block| module.children(block));
        insts.find(|&inst| module.op(inst) == Op::FunctionCall)
    };
    if call(module).is_none() {
        return Ok(());
    }
    let functions: Vec<Function> = module.functions().collect();
    inline_worthwhile(module, &functions, InlineLimits { body: SIZE_LIMIT, module: SIZE_LIMIT });
    match call(module) {
        None => Ok(()),
        Some(at) => {
            let name = module.callee(at).and_then(|callee| module.name(callee)).unwrap_or_default();
            Err(SelectError::new(format!("the call of `{name}`, which cannot be inlined"), at))
        }
    }
}
