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

mod argument;
mod shape;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use reconverge_codegen::cpu::kernel_options;
use reconverge_codegen::{self as codegen, Request};
use reconverge_ir::Module;
use reconverge_lanes_cpu::machine::Request as EndRequest;
use reconverge_lanes_cpu::select::Bounds;
use reconverge_lanes_cpu::{Arguments, GROUPS_LIMIT, KernelForms, MemoryRange, Ranges};
use reconverge_opencl::{
    ArgumentKind, Arguments as Place, ImageAccess, ImageArgument, Kernel as Interface, ProgramData, Reflection,
    TexelPlace,
};
pub use reconverge_opencl::{ChannelOrder, ChannelType, ImageFormat};

use crate::binding::put;
use crate::cpu_failure::{Numbering, of_trap};
use crate::image_binding::{kind_misfit, shape_bytes};
pub use crate::launch::{AddressMode, Coordinates, Filter, Sampler, format_name, format_named};
use crate::{BufferText, CpuOptions, RunError};
pub use argument::Argument;
use argument::{Content, Slice};
pub use shape::Shape;
use shape::{constants, fixed_arguments};

/// A kernel in machine code.
#[derive(Debug)]
pub struct Kernel {
    forms: KernelForms,
    interface: Interface,
    data: Option<ProgramData>,
    groups: [u32; 3],
    local: [u32; 3],
    fixed: Vec<(usize, Vec<u8>)>,
    images: Vec<ImageFormat>,
    samplers: Vec<Sampler>,
    options: CpuOptions,
}

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
        let Shape { constants: fixed, images, samplers, .. } = shape.clone();
        Ok(Kernel { forms, interface: interface.clone(), data, groups, local, fixed, images, samplers, options })
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
        let slices = arguments.iter().enumerate().filter_map(|(index, argument)| {
            let Slice { range, element } = argument.memory().filter(|slice| slice.range.address <= address)?;
            Some((index, range, element))
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
        let (mut formats, mut samplers) = (self.images.iter(), self.samplers.iter());
        for (index, (argument, kind)) in arguments.iter().zip(kinds).enumerate() {
            let misfit = |message: String| RunError::launch(format!("argument {index} {message}"));
            match (&argument.content, kind) {
                (content, ArgumentKind::Image(interface)) => {
                    put_image(content, interface, formats.next(), &mut block).map_err(misfit)?;
                }
                (Content::Sampler(sampler), ArgumentKind::Sampler(_)) => {
                    if samplers.next() != Some(sampler) {
                        return Err(misfit(format!("is not the sampler {sampler} in the shape of the kernel")));
                    }
                }
                (_, ArgumentKind::Sampler(_)) => return Err(misfit("is a sampler".to_owned())),
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

/// Writes what a kernel reads of an image.
///
/// # Errors
/// It is not the image that the kernel is compiled for, as the end of a message about the argument.
fn put_image(
    content: &Content,
    interface: ImageArgument,
    compiled: Option<&ImageFormat>,
    block: &mut [u8],
) -> Result<(), String> {
    let kind = interface.kind;
    let Content::Image { range, format, size, shape, .. } = content else {
        return Err(format!("is an {} and needs Argument::image", kind.name()));
    };
    if let Some(compiled) = compiled.filter(|&compiled| compiled != format) {
        let (compiled, found) = (format_name(*compiled), format_name(*format));
        return Err(format!("is an image of {compiled} in the shape of the kernel, not of {found}"));
    }
    if kind_misfit(kind, *format, size).is_some() {
        let (name, sizes) = (format_name(*format), kind.sizes());
        return Err(format!("is an {} of {sizes} sizes, and the launch gives {name} with {size:?}", kind.name()));
    }
    if interface.access != ImageAccess::Read && !range.is_writable {
        return Err("is an image that the kernel may write, and its slice is shared".to_owned());
    }
    let TexelPlace::Address { offset } = interface.texels else { return Err(NO_BINDINGS.to_owned()) };
    let address = put(block, offset as usize, &range.address.to_le_bytes());
    address.and_then(|()| put(block, interface.shape as usize, &shape_bytes(*shape))).map_err(|error| error.to_string())
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
