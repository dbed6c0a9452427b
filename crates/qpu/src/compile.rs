//! From an entry point to a program.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, view};
use reconverge_lanes::{CodePart, LaneFlow};
use spirv::StorageClass;

use crate::error::{limit, of_lanes};
use crate::machine::{MachineFunction, Origin};
use crate::program::{LANES, Program, QPUS, ROWS, Specialization, Uniform};
use crate::select::frame::Frame;
use crate::select::memory::Memory;
use crate::select::roots::Roots;
use crate::select::selector::Selector;
use crate::select::values::Values;
use crate::{AssembleError, Code, allocate, assemble, lower, requirements, unread};

/// The most rows of a QPU for private variables. Rows are faster than memory even if fewer QPUs have them, because the mutex that DMA needs
/// lets one QPU continue at a time. The others are for spilled registers.
const PRIVATE_ROWS: u32 = 48;
/// The most work-items of a work-group.
const ITEMS_LIMIT: u32 = 1 << 20;

/// A kernel as a machine function, and what it is given.
#[derive(Debug)]
pub struct Selection {
    /// The function.
    pub function: MachineFunction,
    /// The words that each QPU reads, in order.
    pub uniforms: Vec<Uniform>,
    /// The bytes at the address of [`Uniform::Data`].
    pub data: Vec<u8>,
    /// The bytes of the memory of a work-group.
    pub local_bytes: u32,
    /// The bytes of the scratch memory of a QPU.
    pub scratch_bytes: u32,
    /// True if the packs of a work-group run at the same time.
    pub is_together: bool,
}

/// Compiles the entry point `function` of a module, as [`select`] takes it, to a program.
///
/// # Errors
/// Constructs that the chip does not have or the compiler does not support, and programs that exceed a limit.
pub fn compile(module: &Module, function: Function, specialization: &Specialization) -> Result<Program, Diagnostic> {
    check_size(specialization.local)?;
    let prepared = Prepared::new(module, function, specialization)?;
    let most = QPUS * LANES;
    if prepared.is_together && specialization.items() > most {
        return Err(limit(format!(
            "a work-group with a barrier or local memory has at most {most} work-items, and this one has {}",
            specialization.items()
        )));
    }
    let mut rows = prepared.rows();
    loop {
        match prepared.program(prepared.select(rows)?) {
            // Spilled registers need the rows: private variables go to memory.
            Err(AssembleError::TooManyRows { .. }) if rows > 0 => rows /= 2,
            program => return program.map_err(limit),
        }
    }
}

/// Checks the size of a work-group.
///
/// # Errors
/// It has too many work-items.
pub fn check_size(local: [u32; 3]) -> Result<(), Diagnostic> {
    let items = local.iter().try_fold(1_u32, |items, &size| items.checked_mul(size));
    match items.is_some_and(|items| items <= ITEMS_LIMIT) {
        true => Ok(()),
        false => Err(limit(format!("a work-group has at most {ITEMS_LIMIT} work-items"))),
    }
}

/// Selects the instructions of the entry point `function` of a module: a compute shader at stage Structured without specialization constants,
/// calls and composite values, whose loops are closed (`reconverge_lanes::loop_closed_ssa`). Near-linear in its instructions.
///
/// # Errors
/// Constructs that the chip does not have or the compiler does not support, by name.
pub fn select(module: &Module, function: Function, specialization: &Specialization) -> Result<Selection, Diagnostic> {
    let prepared = Prepared::new(module, function, specialization)?;
    prepared.select(prepared.rows())
}

/// An entry point in the form that instructions are selected from.
struct Prepared<'a> {
    module: &'a Module,
    function: Function,
    specialization: &'a Specialization,
    flow: LaneFlow,
    is_together: bool,
}

impl<'a> Prepared<'a> {
    fn new(
        module: &'a Module,
        function: Function,
        specialization: &'a Specialization,
    ) -> Result<Prepared<'a>, Diagnostic> {
        requirements::check(module, function)?;
        let flow = LaneFlow::compute(module, function, &specialization.facts());
        let flow = flow.map_err(|error| of_lanes(error, function))?;
        let is_together = runs_together(module, function, specialization);
        Ok(Prepared { module, function, specialization, flow, is_together })
    }

    /// The number of QPUs that have to run the program at once.
    fn qpus(&self) -> u32 {
        if self.is_together { self.specialization.packs() } else { 1 }
    }

    /// The rows of a QPU that private variables may have.
    fn rows(&self) -> u32 {
        (ROWS / self.qpus()).min(PRIVATE_ROWS)
    }

    fn select(&self, most_rows: u32) -> Result<Selection, Diagnostic> {
        let frame = Frame::lay_out(self.module, self.function, most_rows)?;
        let mut values = Values::new(self.module, &self.flow, self.specialization);
        values.is_together = self.is_together;
        let roots = Roots::compute(self.module, self.flow.blocks());
        let mut selector = Selector::new(values, Memory::new(frame, roots));
        let uniforms = lower::lower(&mut selector)?;
        let Selector { emit, memory, .. } = selector;
        let frame = memory.frame;
        let mut machine = emit.finish();
        allocate::remove_dead_code(&mut machine);
        machine.own_rows = frame.rows;
        let mut data = frame.data;
        // Inactive lanes read the first word.
        data.resize(data.len().next_multiple_of(4).max(4), 0);
        Ok(Selection {
            function: machine,
            uniforms,
            data,
            local_bytes: frame.local_bytes,
            scratch_bytes: frame.scratch_bytes,
            is_together: self.is_together,
        })
    }

    fn program(&self, selection: Selection) -> Result<Program, AssembleError> {
        let own_rows = selection.function.own_rows;
        let origins: Vec<Origin> = selection.function.blocks.iter().map(|block| block.origin).collect();
        let (code, uniforms) = assemble_read(selection.function, &selection.uniforms).map_err(|error| match error {
            AssembleError::TooManyRows { needed, limit } => {
                AssembleError::TooManyRows { needed: needed * self.qpus(), limit }
            }
            error => error,
        })?;
        let rows = own_rows + code.spill_rows;
        let needed = rows * self.qpus();
        if needed > ROWS {
            return Err(AssembleError::TooManyRows { needed, limit: ROWS });
        }
        Ok(Program {
            words: code.words,
            parts: parts(&origins, &code.starts),
            uniforms,
            data: selection.data,
            local_bytes: selection.local_bytes,
            scratch_bytes: selection.scratch_bytes,
            rows,
            specialization: *self.specialization,
            is_together: self.is_together,
        })
    }
}

/// The parts of a code, by what its blocks are made of and where they begin. Blocks that follow each other and are made of the same are one part.
fn parts(origins: &[Origin], starts: &[usize]) -> Vec<CodePart> {
    assert_eq!(origins.len(), starts.len(), "invariant: assembly keeps the blocks");
    let places = origins.iter().zip(starts);
    let mut parts: Vec<CodePart> =
        places.map(|(&Origin { block, role }, &start)| CodePart { start, block, role }).collect();
    parts.dedup_by_key(|part| (part.block, part.role));
    parts
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

/// Returns whether the packs of a work-group run at the same time: there are several, and they wait for each other or share memory.
fn runs_together(module: &Module, function: Function, specialization: &Specialization) -> bool {
    let shares = |inst: Inst| {
        let variable = view::Variable::of(module, inst);
        variable.is_some_and(|variable| variable.storage_class == Some(StorageClass::Workgroup))
    };
    let mut insts = module.blocks(function).flat_map(|block| module.children(block));
    specialization.packs() > 1
        && (module.globals().any(shares) || insts.any(|inst| module.op(inst) == Op::ControlBarrier))
}
