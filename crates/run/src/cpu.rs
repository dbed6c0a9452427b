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
//! let mut module = reconverge::read(&spirv, Format::SPIRV, false)?;
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

use std::marker::PhantomData;

use reconverge_ir::Module;
use reconverge_lanes_cpu::{Arguments, KernelForms};
use reconverge_opencl::{ArgumentKind, Arguments as Place, Kernel as Interface, LocalSize, ProgramData, Reflection};

use crate::binding::put;
use crate::on_cpu::{compile_forms, of_trap};
use crate::{CpuOptions, RunError, Size};

/// What a kernel is compiled for.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    threads: usize,
}

/// An argument of a kernel, which is not local memory: a slice, or a value.
#[derive(Debug)]
pub struct Argument<'a> {
    content: Content,
    lifetime: PhantomData<&'a mut [u8]>,
}

/// An address, or bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Content {
    Address(u64),
    Value(Vec<u8>),
}

impl Argument<'_> {
    /// A value in the layout of OpenCL: a vector or a struct.
    pub fn bytes(value: &[u8]) -> Argument<'static> {
        Argument { content: Content::Value(value.to_vec()), lifetime: PhantomData }
    }
}

macro_rules! arguments {
    ($($number:ty)*) => { $(
        /// A buffer.
        impl<'a> From<&'a mut [$number]> for Argument<'a> {
            fn from(buffer: &'a mut [$number]) -> Argument<'a> {
                Argument { content: Content::Address(buffer.as_mut_ptr() as u64), lifetime: PhantomData }
            }
        }

        /// A buffer that the kernel only reads.
        impl<'a> From<&'a [$number]> for Argument<'a> {
            fn from(buffer: &'a [$number]) -> Argument<'a> {
                Argument { content: Content::Address(buffer.as_ptr() as u64), lifetime: PhantomData }
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
        let size = Size { groups: shape.groups, local: shape.local };
        let constants = constants(interface, shape)?;
        let forms = compile_forms(module, &interface.name, &constants, size, shape.options)?;
        let data = reflection.program_data.clone().filter(|_| interface.program_data.is_some());
        let threads = shape.options.threads;
        Ok(Kernel { forms, interface: interface.clone(), data, groups: shape.groups, threads })
    }

    /// Runs a launch of that many work-groups. The arguments are those of the kernel in order, without those in local memory. Program-scope
    /// variables have their initial values at the start of each launch.
    ///
    /// # Errors
    /// The arguments do not fit the kernel, there are more work-groups than it was compiled for, or the kernel ended early: the slices have
    /// what was written until then.
    ///
    /// # Safety
    /// The kernel accesses no memory outside of the slices, writes to none that was given as a shared slice, and has no data race.
    pub unsafe fn launch(&self, groups: [u32; 3], arguments: &mut [Argument<'_>]) -> Result<(), RunError> {
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
            Place::Buffer { address_offset, .. } => {
                let mut bytes = vec![0; self.interface.push_constant_size as usize];
                put(&mut bytes, address_offset as usize, &(block.as_ptr() as u64).to_le_bytes())?;
                bytes
            }
        };
        if let Some(at) = self.interface.program_data {
            put(&mut push_constants, at as usize, &start.to_le_bytes())?;
        }
        let count = groups.iter().map(|&count| u64::from(count)).product();
        let launch = Arguments { push_constants: &push_constants, groups, range: (0, count), threads: self.threads };
        // SAFETY: the addresses are those of the slices, of `block` and of `data`. The caller guarantees that the kernel accesses nothing
        // else, and the slices are borrowed as long as the kernel runs. The number of work-groups was checked, the CPU by `compile`.
        unsafe { self.forms.launch(&launch) }.map_err(of_trap)?;
        Ok(())
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
            Place::Buffer { size, .. } => size,
        };
        let mut block = vec![0; size as usize];
        for (index, (argument, kind)) in arguments.iter().zip(kinds).enumerate() {
            match (&argument.content, kind) {
                (Content::Address(address), ArgumentKind::Pointer { offset, .. }) => {
                    put(&mut block, offset as usize, &address.to_le_bytes())?;
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

/// The specialization constants of a shape.
fn constants(interface: &Interface, shape: &Shape) -> Result<Vec<(u32, u32)>, RunError> {
    if shape.local.contains(&0) {
        return Err(RunError::launch("a size of the work-group is zero"));
    }
    let required = match interface.local_size {
        LocalSize::Fixed(size) => Some(size),
        LocalSize::Specialized(_) => interface.required_local_size,
    };
    if let Some(required) = required.filter(|&required| required != shape.local) {
        let found = shape.local;
        return Err(RunError::launch(format!("the kernel requires work-groups of {required:?}, not of {found:?}")));
    }
    let mut constants: Vec<(u32, u32)> = interface.work_dim.map(|id| (id, shape.dimensions)).into_iter().collect();
    if let LocalSize::Specialized(ids) = interface.local_size {
        constants.extend(ids.into_iter().zip(shape.local));
    }
    let locals = interface.arguments.iter().filter_map(|argument| match argument.kind {
        ArgumentKind::Local { spec_id, alignment } => Some((spec_id, alignment.max(1))),
        _ => None,
    });
    let locals: Vec<(u32, u32)> = locals.collect();
    if locals.len() != shape.local_memory.len() {
        let (expected, found) = (locals.len(), shape.local_memory.len());
        return Err(RunError::launch(format!("{expected} arguments are in local memory, but the shape has {found}")));
    }
    for ((id, alignment), bytes) in locals.into_iter().zip(&shape.local_memory) {
        let bytes = bytes.checked_next_multiple_of(alignment);
        constants.push((id, bytes.ok_or_else(|| RunError::launch("local memory must be smaller than 4 GiB"))?));
    }
    Ok(constants)
}
