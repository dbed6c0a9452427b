//! Kernels in a program of one's own: compiled once for this CPU, then launched on slices.
//!
//! ```text
//! compiled module, reflection, sizes ── Kernel::compile ──▶ Kernel ── launch(groups, arguments) ──▶ the slices are changed
//! ```
//!
//! Nothing is copied: the kernel reads and writes the slices where they are. A kernel can be launched by several threads at once.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use reconverge::{CompileOptions, Format};
//! use reconverge_run::cpu::{Argument, Kernel, Shape};
//!
//! // kernel void saxpy(global float *y, global const float *x, float a) { … y[i] = a * x[i] + y[i]; }
//! let spirv = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/vulkan_host/saxpy.spv"))?;
//! let mut module = reconverge::read(&spirv, Format::SPIRV)?;
//! let run = reconverge::run(&mut module, &CompileOptions::default(), &mut |_, _| ())?;
//! let reflection = run.reflection.ok_or("there is no kernel")?;
//!
//! let shape = Shape { groups: [16, 1, 1], local: [64, 1, 1], ..Shape::default() };
//! let kernel = Kernel::compile(&module, &reflection, &shape)?;
//! let (x, mut y) = (vec![2.0_f32; 1024], vec![1.0_f32; 1024]);
//! // SAFETY: the kernel accesses the elements 0 to 1023, which both vectors have.
//! unsafe { kernel.launch([16, 1, 1], &mut [Argument::from(&mut y[..]), Argument::from(&x[..]), 3.0_f32.into()])? };
//! assert!(y.iter().all(|&element| element == 7.0));
//! # Ok(())
//! # }
//! ```

#![expect(unsafe_code, reason = "machine code reads and writes the slices of the caller through their addresses")]

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use reconverge_codegen::cpu::kernel_options;
use reconverge_codegen::{self as codegen, Request};
use reconverge_ir::Module;
use reconverge_lanes::FixedArgument;
use reconverge_lanes_cpu::machine::Request as EndRequest;
use reconverge_lanes_cpu::select::Bounds;
use reconverge_lanes_cpu::{Arguments, GROUPS_LIMIT, KernelForms, MemoryRange, Ranges};
use reconverge_opencl::{ArgumentKind, Arguments as Place, Kernel as Interface, ProgramData, Reflection};

use crate::binding::put;
use crate::cpu_failure::{Numbering, of_trap};
use crate::{BufferText, CpuOptions, RunError};

/// The launch that a kernel is compiled for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The name of the kernel; none if the module has only one.
    pub kernel: Option<String>,
    /// The most work-groups of a launch, in each dimension. With fewer than 2³² work-items the code is faster.
    pub groups: [u32; 3],
    /// Work-items of a work-group, in each dimension.
    pub local: [u32; 3],
    /// The number of dimensions that `get_work_dim` gives.
    pub dimensions: u32,
    /// The bytes of each argument that is local memory, in order.
    pub local_memory: Vec<u32>,
    /// Scalar arguments that are the same in every launch: their place among the arguments of a launch, and their bytes. The code is compiled for
    /// these values.
    pub constants: Vec<(usize, Vec<u8>)>,
    /// The form of the code, and the number of threads.
    pub options: CpuOptions,
}

impl Default for Shape {
    /// One work-group of one work-item, without arguments in local memory.
    fn default() -> Shape {
        Shape {
            kernel: None,
            groups: [1; 3],
            local: [1; 3],
            dimensions: 1,
            local_memory: Vec::new(),
            constants: Vec::new(),
            options: CpuOptions::default(),
        }
    }
}

/// A kernel in machine code.
#[derive(Debug)]
pub struct Kernel {
    forms: KernelForms,
    interface: Interface,
    data: Option<ProgramData>,
    groups: [u32; 3],
    local: [u32; 3],
    fixed: Vec<(usize, Vec<u8>)>,
    options: CpuOptions,
}

/// An argument of a kernel, which is not local memory: a slice, or a value.
#[derive(Debug)]
pub struct Argument<'a> {
    content: Content,
    lifetime: PhantomData<&'a mut [u8]>,
}

/// Memory, or bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Content {
    Memory { range: MemoryRange, element: u64 },
    Value(Vec<u8>),
}

impl Argument<'_> {
    /// A value in the layout of OpenCL: a vector or a struct.
    pub fn bytes(value: &[u8]) -> Argument<'static> {
        Argument { content: Content::Value(value.to_vec()), lifetime: PhantomData }
    }

    /// The memory of a slice.
    fn range(&self) -> Option<MemoryRange> {
        match self.content {
            Content::Memory { range, .. } => Some(range),
            Content::Value(_) => None,
        }
    }
}

/// A slice.
fn memory<'a>(range: MemoryRange, element: usize) -> Argument<'a> {
    Argument { content: Content::Memory { range, element: element as u64 }, lifetime: PhantomData }
}

macro_rules! arguments {
    ($($number:ty)*) => { $(
        /// A buffer.
        impl<'a> From<&'a mut [$number]> for Argument<'a> {
            fn from(buffer: &'a mut [$number]) -> Argument<'a> {
                let (address, bytes) = (buffer.as_mut_ptr() as u64, size_of_val(buffer) as u64);
                memory(MemoryRange { address, bytes, is_writable: true }, size_of::<$number>())
            }
        }

        /// A buffer that the kernel only reads.
        impl<'a> From<&'a [$number]> for Argument<'a> {
            fn from(buffer: &'a [$number]) -> Argument<'a> {
                let (address, bytes) = (buffer.as_ptr() as u64, size_of_val(buffer) as u64);
                memory(MemoryRange { address, bytes, is_writable: false }, size_of::<$number>())
            }
        }

        /// A number.
        impl From<$number> for Argument<'static> {
            fn from(number: $number) -> Argument<'static> {
                Argument::bytes(&number.to_le_bytes())
            }
        }
    )* };
}

arguments!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl Kernel {
    /// Makes machine code of a kernel of a compiled module.
    ///
    /// # Errors
    /// The shape does not fit the kernel, the engine does not support the kernel, or this machine does not support the engine.
    pub fn compile(module: &Module, reflection: &Reflection, shape: &Shape) -> Result<Kernel, RunError> {
        let interface = find(reflection, shape.kernel.as_deref())?;
        let request = Request {
            groups: shape.groups,
            constants: constants(interface, shape)?,
            arguments: fixed_arguments(interface, shape)?,
            bounds: if shape.options.is_checked { Bounds::Checked } else { Bounds::Trusted },
            ..Request::new(&interface.name, shape.local)
        };
        let forms = codegen::cpu::compile(module, &request, shape.options.forms()).map_err(RunError::of_cpu)?;
        let data = reflection.program_data.clone().filter(|_| interface.program_data.is_some());
        let Shape { groups, local, options, .. } = *shape;
        let fixed = shape.constants.clone();
        Ok(Kernel { forms, interface: interface.clone(), data, groups, local, fixed, options })
    }

    /// Runs a launch of that many work-groups. The arguments are those of the kernel in order, without those in local memory. Program-scope
    /// variables have their initial values at the start of each launch.
    ///
    /// # Errors
    /// The arguments do not fit the kernel, there are more work-groups than it was compiled for, or the kernel ended early: the slices have
    /// what was written until then. A kernel that accesses memory which the process does not have ends early, on Linux.
    ///
    /// # Safety
    /// The kernel accesses no memory outside of the slices, and writes to none that was given as a shared slice.
    pub unsafe fn launch(&self, groups: [u32; 3], arguments: &mut [Argument<'_>]) -> Result<(), RunError> {
        // SAFETY: as for the caller.
        unsafe { self.run(groups, arguments) }
    }

    /// Runs a launch as [`Kernel::launch`] does, of a kernel that is compiled as checked: every access is checked before it is made. A kernel
    /// that leaves its slices, or writes to a shared one, ends early.
    ///
    /// # Errors
    /// As [`Kernel::launch`], and the kernel is not compiled as checked.
    pub fn launch_checked(&self, groups: [u32; 3], arguments: &mut [Argument<'_>]) -> Result<(), RunError> {
        if !self.options.is_checked {
            return Err(RunError::launch(
                "the kernel is not compiled with checks: set `is_checked` in the options of its shape",
            ));
        }
        // SAFETY: the code checks that what it accesses is in the slices, and that what it writes is in those that are not shared.
        unsafe { self.run(groups, arguments) }
    }

    /// # Safety
    ///
    /// As [`Kernel::launch`], or the kernel is checked.
    unsafe fn run(&self, groups: [u32; 3], arguments: &mut [Argument<'_>]) -> Result<(), RunError> {
        if groups.iter().zip(&self.groups).any(|(count, most)| count > most) {
            let most = self.groups;
            return Err(RunError::launch(format!(
                "the kernel is compiled for at most {most:?} work-groups, not {groups:?}"
            )));
        }
        let block = self.block(arguments)?;
        let mut data = self.data.as_ref().map(|data| data.bytes.clone()).unwrap_or_default();
        let start = data.as_mut_ptr() as u64;
        for relocation in self.data.iter().flat_map(|data| &data.relocations) {
            put(&mut data, relocation.at as usize, &(start + u64::from(relocation.target)).to_le_bytes())?;
        }
        let mut push_constants = match self.interface.arguments_in {
            Place::PushConstants => block.clone(),
            Place::Uniform { .. } => return Err(RunError::launch(NO_BINDINGS)),
            Place::Buffer { address_offset, .. } => {
                let mut bytes = vec![0; self.interface.push_constant_size as usize];
                put(&mut bytes, address_offset as usize, &(block.as_ptr() as u64).to_le_bytes())?;
                bytes
            }
        };
        if let Some(at) = self.interface.program_data {
            put(&mut push_constants, at as usize, &start.to_le_bytes())?;
        }
        let count = groups.iter().try_fold(1_u64, |count, &size| count.checked_mul(size.into()));
        let count = count.filter(|&count| count <= GROUPS_LIMIT);
        let count = count.ok_or_else(|| RunError::launch(format!("there are more than {GROUPS_LIMIT} work-groups")))?;
        let own = [(&block, false), (&data, true)].map(|(bytes, is_writable)| MemoryRange {
            address: bytes.as_ptr() as u64,
            bytes: bytes.len() as u64,
            is_writable,
        });
        let ranges: Vec<MemoryRange> = own.into_iter().chain(arguments.iter().filter_map(Argument::range)).collect();
        let ranges = Ranges::new(&ranges);
        let result = EndRequest::after(self.options.limit, |request| {
            let threads = self.options.threads;
            let launch = Arguments {
                push_constants: &push_constants,
                groups,
                range: (0, count),
                threads,
                ranges: &ranges,
                request,
            };
            // SAFETY: the addresses are those of the slices, of `block` and of `data`, which are the ranges. The caller guarantees that the
            // kernel accesses nothing else, or it is checked; the slices are borrowed as long as the kernel runs. The number of work-groups
            // was checked, the CPU by `compile`.
            unsafe { self.forms.launch(&launch) }
        });
        let numbering = Numbering { local: self.local, offset: [0; 3] };
        result.map_err(|trap| of_trap(&trap, numbering, &|address| self.nearby(arguments, address)))?;
        Ok(())
    }

    /// The slice that an address is in or after, and the offset from its beginning: the one that begins last.
    fn nearby(&self, arguments: &[Argument<'_>], address: u64) -> Option<(BufferText, i64)> {
        let slices = arguments.iter().enumerate().filter_map(|(index, argument)| match &argument.content {
            Content::Memory { range, element } if range.address <= address => Some((index, range, *element)),
            _ => None,
        });
        let (index, range, element) = slices.max_by_key(|(_, range, _)| range.address)?;
        let buffer = BufferText { name: format!("argument {index}"), bytes: range.bytes, element: Some(element) };
        Some((buffer, i64::try_from(address - range.address).ok()?))
    }

    /// The bytes of the arguments, as the kernel reads them.
    fn block(&self, arguments: &[Argument<'_>]) -> Result<Vec<u8>, RunError> {
        let is_given = |kind: &ArgumentKind| !matches!(kind, ArgumentKind::Local { .. });
        let kinds: Vec<ArgumentKind> =
            self.interface.arguments.iter().map(|argument| argument.kind).filter(is_given).collect();
        if kinds.len() != arguments.len() {
            let (name, expected, found) = (&self.interface.name, kinds.len(), arguments.len());
            return Err(RunError::launch(format!("{name} takes {expected} arguments, but the launch has {found}")));
        }
        let size = match self.interface.arguments_in {
            Place::PushConstants => self.interface.push_constant_size,
            Place::Buffer { size, .. } | Place::Uniform { size, .. } => size,
        };
        for (place, bytes) in &self.fixed {
            if !matches!(arguments.get(*place), Some(Argument { content: Content::Value(given), .. }) if given == bytes)
            {
                return Err(RunError::launch(format!("the kernel is compiled for another value of argument {place}")));
            }
        }
        let mut block = vec![0; size as usize];
        for (index, (argument, kind)) in arguments.iter().zip(kinds).enumerate() {
            match (&argument.content, kind) {
                (Content::Memory { range, .. }, ArgumentKind::Pointer { offset, .. }) => {
                    put(&mut block, offset as usize, &range.address.to_le_bytes())?;
                }
                (Content::Value(bytes), ArgumentKind::Value { offset, size, .. }) if bytes.len() == size as usize => {
                    put(&mut block, offset as usize, bytes)?;
                }
                (_, ArgumentKind::Value { size, .. }) => {
                    return Err(RunError::launch(format!("argument {index} is a value of {size} bytes")));
                }
                _ => return Err(RunError::launch(format!("argument {index} is a pointer and needs a slice"))),
            }
        }
        Ok(block)
    }
}

/// The reason why a kernel with bindings is refused.
const NO_BINDINGS: &str = "the kernel is compiled with bindings for pointers: the CPU needs addresses";

fn find<'a>(reflection: &'a Reflection, name: Option<&str>) -> Result<&'a Interface, RunError> {
    match (name, &reflection.kernels[..]) {
        (None, [only]) => Ok(only),
        (None, _) => Err(RunError::launch("the module has not exactly one kernel; the shape names none")),
        (Some(name), kernels) => kernels
            .iter()
            .find(|kernel| kernel.name == name)
            .ok_or_else(|| RunError::launch(format!("the module has no kernel {name}"))),
    }
}

/// The arguments that a shape fixes, by their places among the push constants.
fn fixed_arguments(interface: &Interface, shape: &Shape) -> Result<Vec<FixedArgument>, RunError> {
    let given = interface.arguments.iter().filter(|argument| !matches!(argument.kind, ArgumentKind::Local { .. }));
    let kinds: Vec<ArgumentKind> = given.map(|argument| argument.kind).collect();
    let fixed = shape.constants.iter().map(|(place, bytes)| match kinds.get(*place) {
        Some(&ArgumentKind::Value { offset, size, .. })
            if bytes.len() == size as usize && interface.arguments_in == Place::PushConstants =>
        {
            Ok(FixedArgument { offset, bytes: bytes.clone() })
        }
        Some(ArgumentKind::Value { size, .. }) if bytes.len() != *size as usize => {
            Err(RunError::launch(format!("argument {place} is a value of {size} bytes, not of {}", bytes.len())))
        }
        Some(ArgumentKind::Value { .. }) => Err(RunError::launch(
            "the arguments do not fit the push constants, so that none of them can be constant".to_owned(),
        )),
        _ => Err(RunError::launch(format!("argument {place} is no value that can be constant"))),
    });
    fixed.collect()
}

/// The specialization constants of a shape.
fn constants(interface: &Interface, shape: &Shape) -> Result<Vec<(u32, u32)>, RunError> {
    if shape.local.contains(&0) {
        return Err(RunError::launch("a size of the work-group is zero"));
    }
    if let Some(required) = interface.fixed_size().filter(|&required| required != shape.local) {
        let found = shape.local;
        return Err(RunError::launch(format!("the kernel requires work-groups of {required:?}, not of {found:?}")));
    }
    let locals = interface.local_arguments();
    if locals.len() != shape.local_memory.len() {
        let (expected, found) = (locals.len(), shape.local_memory.len());
        return Err(RunError::launch(format!("{expected} arguments are in local memory, but the shape has {found}")));
    }
    let mut constants = interface.size_constants(shape.local, shape.dimensions);
    for (argument, &bytes) in locals.iter().zip(&shape.local_memory) {
        let constant = argument.constant(bytes.into());
        constants.push(constant.map_err(|error| RunError::launch(error.to_string()))?);
    }
    Ok(constants)
}

/// A compiled module whose kernels are compiled for this CPU when they are first needed, and kept: once for each shape. Several threads can use
/// it at once.
#[derive(Debug)]
pub struct Program {
    module: Module,
    reflection: Reflection,
    kernels: Mutex<HashMap<Shape, Arc<Kernel>>>,
}

impl Program {
    /// A program of a compiled module.
    pub fn new(module: Module, reflection: Reflection) -> Program {
        Program { module, reflection, kernels: Mutex::default() }
    }

    /// The kernel for a shape.
    ///
    /// # Errors
    /// Those of [`Kernel::compile`].
    pub fn kernel(&self, shape: &Shape) -> Result<Arc<Kernel>, RunError> {
        if let Some(kernel) = self.kept().get(shape) {
            return Ok(Arc::clone(kernel));
        }
        // Not under the lock: other kernels are launched meanwhile.
        let kernel = Arc::new(Kernel::compile(&self.module, &self.reflection, shape)?);
        Ok(Arc::clone(self.kept().entry(shape.clone()).or_insert(kernel)))
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<Shape, Arc<Kernel>>> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
