//! The table of back ends. A new one is a row here, and a row of the table of targets names it.

use std::fmt;
use std::ops::Range;

use reconverge_ir::{Block, Function, Module};
use reconverge_lanes::{CodePart, CodeRole, Facts, LaunchFacts, MachineName};
use reconverge_lanes_cpu::Kernel;
use reconverge_legalize::Machine;
use reconverge_opencl::KernelOptions;
#[cfg(feature = "json")]
use reconverge_opencl::{Kernel as Interface, ProgramData};
use reconverge_qpu::Program;
use reconverge_qpu_check::{disassemble, lines};

use crate::pipeline::{LAUNCH, LOOPS, MASKS, OPTIMIZATIONS, SCALARS};
use crate::{CodegenError, Request, cpu, vc4};

/// A back end makes machine code of compute shaders at stage Structured.
#[derive(Clone, Copy)]
pub struct BackEnd(&'static Row);

struct Row {
    name: MachineName,
    machine: Machine,
    /// The passes that lead to what `assemble` takes, in order.
    passes: &'static [&'static [&'static str]],
    kernel_options: fn() -> KernelOptions,
    /// The built-in inputs of a launch: their ranges, and how they differ between lanes.
    inputs: fn(&Request) -> Result<Facts, CodegenError>,
    assemble: Assemble,
}

/// Selects and assembles the code of a function.
type Assemble = fn(&Module, Function, &Request) -> Result<Box<dyn MachineCode>, CodegenError>;

/// A pass of a back end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackEndPass {
    /// The name.
    pub name: &'static str,
    /// True if the code is the same without it, but slower.
    pub is_optimization: bool,
}

/// A part of machine code: what was made of a block of the module that was assembled, for one purpose. Code of a block may have many parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeBlock {
    /// The block; none for what belongs to the function as a whole.
    pub block: Option<Block>,
    /// The purpose.
    pub role: CodeRole,
    /// The lines of the assembly, counted from zero.
    pub lines: Range<usize>,
}

/// The code of a kernel.
pub trait MachineCode: fmt::Debug {
    /// The code as a machine reads it; of the CPU with the constants before it, as its interface says.
    fn bytes(&self) -> Vec<u8>;
    /// The code as text.
    fn assembly(&self) -> String;
    /// The parts of the code, in its order. Each line of [`MachineCode::assembly`] is in exactly one. The code is decoded, and each
    /// part searches its lines by bisection.
    fn blocks(&self) -> Vec<CodeBlock>;
    /// The interface for a host, as JSON. The data is that of the program, if the kernel uses it.
    #[cfg(feature = "json")]
    fn interface(&self, kernel: &Interface, data: Option<&ProgramData>) -> String;
}

impl BackEnd {
    /// This CPU: its widest vectors, one of them for a value.
    pub const CPU: BackEnd = BackEnd(&Row {
        name: cpu::NAME,
        machine: cpu::MACHINE,
        passes: &[LAUNCH, OPTIMIZATIONS, SCALARS, LOOPS, MASKS],
        kernel_options: cpu::kernel_options,
        inputs: cpu::inputs,
        assemble: |module, function, request| Ok(Box::new(cpu::assemble(module, function, request)?)),
    });

    /// The QPUs of the VideoCore IV.
    pub const VC4: BackEnd = BackEnd(&Row {
        name: vc4::NAME,
        machine: vc4::MACHINE,
        passes: &[LAUNCH, OPTIMIZATIONS, SCALARS, LOOPS],
        kernel_options: vc4::kernel_options,
        inputs: vc4::inputs,
        assemble: |module, function, request| Ok(Box::new(vc4::assemble(module, function, request)?)),
    });

    /// The machine in messages.
    pub fn name(self) -> MachineName {
        self.0.name
    }

    /// The description for the passes that legalize.
    pub fn machine(self) -> Machine {
        self.0.machine
    }

    /// The passes from stage Structured to what [`BackEnd::assemble`] takes, in order.
    pub fn passes(self) -> impl Iterator<Item = BackEndPass> {
        self.0.passes.iter().copied().flat_map(|segment| {
            let is_optimization = segment == OPTIMIZATIONS;
            segment.iter().map(move |&name| BackEndPass { name, is_optimization })
        })
    }

    /// The options that lower OpenCL kernels for the machine.
    pub fn kernel_options(self) -> KernelOptions {
        (self.0.kernel_options)()
    }

    /// The facts of a request that the passes read.
    ///
    /// # Errors
    /// This machine cannot be compiled for.
    pub fn facts(self, request: &Request) -> Result<LaunchFacts, CodegenError> {
        Ok(LaunchFacts { inputs: (self.0.inputs)(request)?, ..request.facts(self.0.name) })
    }

    /// Selects and assembles the code of a function that the passes prepared.
    ///
    /// # Errors
    /// The request does not fit the module, the machine does not support something, or the code exceeds a limit of it.
    pub fn assemble(
        self,
        module: &Module,
        function: Function,
        request: &Request,
    ) -> Result<Box<dyn MachineCode>, CodegenError> {
        request.check_size(module, function)?;
        (self.0.assemble)(module, function, request)
    }
}

impl fmt::Debug for BackEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name.title)
    }
}

/// The lines of each part that has any: `places` says at which place of the code each line is, in order.
fn code_blocks(parts: &[CodePart], places: &[usize]) -> Vec<CodeBlock> {
    let end_of = |part: usize| {
        parts.get(part + 1).map_or(places.len(), |next| places.partition_point(|&place| place < next.start))
    };
    let mut first = 0;
    let mut blocks = Vec::with_capacity(parts.len());
    for (index, &CodePart { block, role, .. }) in parts.iter().enumerate() {
        let end = end_of(index);
        if first < end {
            blocks.push(CodeBlock { block, role, lines: first..end });
        }
        first = end;
    }
    blocks
}

impl MachineCode for Program {
    fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn assembly(&self) -> String {
        disassemble(&self.words)
    }

    fn blocks(&self) -> Vec<CodeBlock> {
        let places: Vec<usize> = lines(&self.words).into_iter().map(|(word, _)| word).collect();
        code_blocks(&self.parts, &places)
    }

    #[cfg(feature = "json")]
    fn interface(&self, kernel: &Interface, data: Option<&ProgramData>) -> String {
        crate::interface::of_vc4(self, kernel, data)
    }
}

impl MachineCode for Kernel {
    fn bytes(&self) -> Vec<u8> {
        self.convention().image.to_vec()
    }

    fn assembly(&self) -> String {
        self.code().to_string()
    }

    fn blocks(&self) -> Vec<CodeBlock> {
        code_blocks(&self.parts(), &self.line_offsets())
    }

    #[cfg(feature = "json")]
    fn interface(&self, kernel: &Interface, data: Option<&ProgramData>) -> String {
        crate::interface::of_cpu(self, kernel, data)
    }
}
