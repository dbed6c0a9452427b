//! Kernels in the text form, and launches of them.

use reconverge_diagnostic::Diagnostic;
use reconverge_interpret::{
    Buffer, End, Interpreter, KernelArgument, KernelFailure, KernelLaunch, KernelOutcome, UndefinedBehaviour,
};
use reconverge_ir::{Function, Module, Op};

/// Types, constants and built-in variables that kernels here are written with.
pub(crate) const PRELUDE: &str = "\
capability Kernel
memory_model Physical64, OpenCL
%void = type_void
%bool = type_bool
%u8 = type_int 8, 0
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f32 = type_float 32
%u32x2 = type_vector %u32, 2
%u32x4 = type_vector %u32, 4
%u64x2 = type_vector %u64, 2
%u64x3 = type_vector %u64, 3
%global8 = type_pointer CrossWorkgroup, %u8
%global = type_pointer CrossWorkgroup, %u32
%global64 = type_pointer CrossWorkgroup, %u64
%globalf = type_pointer CrossWorkgroup, %f32
%local = type_pointer Workgroup, %u32
%private = type_pointer Function, %u32
%generic = type_pointer Generic, %u32
%false: %bool = constant_false
%true: %bool = constant_true
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%c2: %u32 = constant 2
%c3: %u32 = constant 3
%c4: %u32 = constant 4
%c5: %u32 = constant 5
%c7: %u32 = constant 7
%c16: %u32 = constant 16
%c100: %u32 = constant 100
%all: %u32 = constant 784
%local_only: %u32 = constant 272
%n0: %u64 = constant words(0, 0)
%n1: %u64 = constant words(1, 0)
%n2: %u64 = constant words(2, 0)
%in64x3 = type_pointer Input, %u64x3
%in32 = type_pointer Input, %u32
%gid: %in64x3 = variable Input {decorate BuiltIn 28}
%index: %in32 = variable Input {decorate BuiltIn 29}
";

/// A module with a kernel called `%k` in it.
pub(crate) struct Kernel {
    pub module: Module,
    pub function: Function,
}

impl Kernel {
    /// The prelude, then the text.
    pub(crate) fn new(text: &str) -> Kernel {
        Kernel::whole(&format!("{PRELUDE}{text}"))
    }

    /// One function of parameters with these types, that begins with `%id: %u64`, its number in the grid along x, and `%i: %u32`, its
    /// number in the work-group.
    pub(crate) fn body(parameters: &str, body: &str) -> Kernel {
        Kernel::with("", parameters, body)
    }

    /// The same with more at module level.
    pub(crate) fn with(globals: &str, parameters: &str, body: &str) -> Kernel {
        let kinds: Vec<&str> = parameters.split(", ").filter_map(|parameter| parameter.split(": ").nth(1)).collect();
        let kinds = kinds.iter().map(|kind| format!(", {kind}")).collect::<String>();
        Kernel::new(&format!(
            "{globals}%type = type_function %void{kinds}
func %k: %void ({parameters}) type %type {{
block ^entry:
  %ids: %u64x3 = load %gid
  %id: %u64 = composite_extract %ids, 0
  %i: %u32 = load %index
{body}
}}
"
        ))
    }

    pub(crate) fn whole(text: &str) -> Kernel {
        let module = reconverge_ir::text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let function = module.functions().find(|&function| module.name(function).as_deref() == Some("k"));
        Kernel { function: function.expect("a kernel called k"), module }
    }

    pub(crate) fn launch(&self, launch: &KernelLaunch) -> Result<KernelOutcome, Diagnostic> {
        Interpreter::new(&self.module).launch_kernel(self.function, launch)
    }

    /// The outcome of a launch that must begin.
    pub(crate) fn outcome(&self, launch: &KernelLaunch) -> KernelOutcome {
        self.launch(launch).expect("the launch fits the kernel")
    }

    /// The words of the first buffer after a launch that must come to its end.
    pub(crate) fn words(&self, launch: &KernelLaunch) -> Vec<u32> {
        let outcome = self.outcome(launch);
        if let Some(failure) = outcome.failure {
            panic!("{failure}");
        }
        words(&outcome.buffers[0])
    }

    /// Why a launch fails.
    pub(crate) fn failure(&self, launch: &KernelLaunch) -> KernelFailure {
        self.outcome(launch).failure.expect("a lane fails")
    }

    /// The name of the op at the place where a lane ended.
    pub(crate) fn op_at(&self, end: &End) -> Op {
        match end {
            End::Undefined { place, .. } | End::OutOfFuel(place) | End::Unsupported { place, .. } => {
                self.module.op(place.inst)
            }
            end => panic!("{end}"),
        }
    }
}

/// One work-group of that many lanes, a buffer of that many words, which are zero, and a pointer to it as first argument.
pub(crate) fn group(lanes: u32, words: usize) -> KernelLaunch {
    KernelLaunch {
        local: [lanes, 1, 1],
        arguments: vec![KernelArgument::Buffer { index: 0, offset: 0 }],
        buffers: vec![vec![0; 4 * words]],
        fuel: 1_000_000,
        ..KernelLaunch::default()
    }
}

pub(crate) fn words(buffer: &Buffer) -> Vec<u32> {
    assert!(buffer.defined.iter().all(|&defined| defined), "all bytes are defined");
    buffer.bytes.chunks(4).map(word).collect()
}

/// The word of four bytes.
pub(crate) fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn behaviour(failure: &KernelFailure) -> UndefinedBehaviour {
    match failure.end {
        End::Undefined { behaviour, .. } => behaviour,
        ref end => panic!("expected undefined behaviour, but the lane {end}"),
    }
}
