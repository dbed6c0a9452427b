//! A launch bound to the interface of a compiled kernel: bytes of push constants, contents of buffers, specialization constants.
//!
//! ```text
//! arguments of the launch          push constants      specialization constants      buffers
//!   buffer  b0          ────────▶    address of b0                                     b0
//!   value   5           ────────▶    5
//!   local   256 bytes   ──────────────────────────────▶  id 3 = 256
//!   image   rgba8[4,2]  ────────▶    address, 4 2 1 16 32 ▶  order, type                texels
//!   sampler repeat      ──────────────────────────────▶  id 4 = 0x17
//!   (more than 128 bytes: all that goes to a buffer of arguments, whose address is the one push constant)
//!   (with bindings: buffers are bound in descriptor set 0, and values are in a uniform buffer)
//! ```

use crate::launch::{Argument, Launch, Value};
use reconverge_opencl::{ArgumentKind, Arguments, Kernel, LocalArgument, ProgramData, Reflection};

use crate::image_binding::{ImageBinding, sampler_constant};
use crate::{RunError, Size, range};

/// The bytes of a word.
const WORD: usize = 4;

/// A launch in the terms of the compiled kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The name of the entry point.
    pub entry_point: String,
    /// Work-groups and their size.
    pub size: Size,
    /// The push constants.
    pub push_constants: Contents,
    /// The buffers: first those of the launch, texels of images among them, in the order of its arguments, then those of the interface.
    pub buffers: Vec<Contents>,
    /// The buffers that are bound to numbers of descriptor sets.
    pub descriptors: Vec<Descriptor>,
    /// The buffer with the program data, by its index, if the kernel uses it.
    pub program_data: Option<usize>,
    /// Specialization constants of 32 bits: id and value.
    pub specialization: Vec<(u32, u32)>,
    /// The subgroup size that the kernel requires.
    pub subgroup_size: Option<u32>,
}

/// A buffer that a shader accesses through a binding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// The kind of the binding.
    pub kind: DescriptorKind,
    /// The descriptor set.
    pub set: u32,
    /// The number of the binding.
    pub binding: u32,
    /// The buffer, by its index in the binding of the launch.
    pub buffer: usize,
}

/// The kind of a binding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescriptorKind {
    /// A storage buffer.
    Storage,
    /// A uniform buffer.
    Uniform,
}

/// Bytes that may contain addresses, which are known once the buffers are allocated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// The bytes; zero at addresses.
    pub bytes: Vec<u8>,
    /// The 64-bit addresses in it.
    pub addresses: Vec<Address>,
}

/// A 64-bit address in some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// Its offset in the bytes.
    pub at: usize,
    /// The buffer that it points into, by its index in the binding.
    pub buffer: usize,
    /// The byte offset in that buffer.
    pub target: u64,
}

/// Binds a launch to the interface of its kernel.
///
/// # Errors
/// [`LaunchCode::Launch`](crate::LaunchCode::Launch) if the launch does not fit the kernel.
pub fn bind(launch: &Launch, reflection: &Reflection) -> Result<Binding, RunError> {
    let kernel = find_kernel(launch, &reflection.kernels)?;
    if launch.offset != [0; 3] && kernel.global_offset.is_none() {
        return Err(RunError::launch(
            "the launch has a global offset, but the kernel was compiled without --global-offset",
        ));
    }
    let size = range(launch, kernel.fixed_size())?;
    let mut binding = Binding {
        entry_point: kernel.name.clone(),
        size,
        push_constants: Contents { bytes: vec![0; kernel.push_constant_size as usize], addresses: Vec::new() },
        buffers: launch.buffers()?.into_iter().map(|bytes| Contents { bytes, addresses: Vec::new() }).collect(),
        descriptors: Vec::new(),
        program_data: None,
        specialization: kernel.size_constants(size.local, launch.dimensions),
        subgroup_size: kernel.subgroup_size,
    };
    bind_arguments(launch, kernel, &mut binding)?;
    if let Some(at) = kernel.global_offset {
        let bytes: Vec<u8> = launch.offset.iter().flat_map(|offset| offset.to_le_bytes()).collect();
        let uniform = binding.descriptors.iter().find(|one| one.kind == DescriptorKind::Uniform);
        match uniform.map(|uniform| uniform.buffer) {
            Some(buffer) => binding.buffers[buffer].put(at as usize, &bytes)?,
            None => binding.push_constants.put(at as usize, &bytes)?,
        }
    }
    if let (Some(number), Some(data)) = (kernel.program_data_binding, &reflection.program_data) {
        binding.program_data = Some(binding.buffers.len());
        binding.bind_buffer(DescriptorKind::Storage, number, data.bytes.clone());
    }
    if let (Some(at), Some(data)) = (kernel.program_data, &reflection.program_data) {
        bind_program_data(data, at as usize, &mut binding)?;
    }
    Ok(binding)
}

fn find_kernel<'a>(launch: &Launch, kernels: &'a [Kernel]) -> Result<&'a Kernel, RunError> {
    let names = || kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(", ");
    match (&launch.kernel, kernels) {
        (Some(name), _) => {
            let found = kernels.iter().find(|kernel| kernel.name == *name);
            found.ok_or_else(|| RunError::launch(format!("no kernel {name}; the module has {}", names())))
        }
        (None, [kernel]) => Ok(kernel),
        (None, _) => {
            Err(RunError::launch(format!("the module has several kernels: {}; choose one with --kernel", names())))
        }
    }
}

fn bind_arguments(launch: &Launch, kernel: &Kernel, binding: &mut Binding) -> Result<(), RunError> {
    if launch.arguments.len() != kernel.arguments.len() {
        let (expected, found) = (kernel.arguments.len(), launch.arguments.len());
        return Err(RunError::launch(format!(
            "{} takes {expected} arguments, but the launch has {found}",
            kernel.name
        )));
    }
    let mut block = match kernel.arguments_in {
        Arguments::PushConstants => std::mem::take(&mut binding.push_constants),
        Arguments::Buffer { size, .. } | Arguments::Uniform { size, .. } => {
            Contents { bytes: vec![0; size as usize], addresses: Vec::new() }
        }
    };
    let mut next_buffer = 0;
    for (index, (argument, interface)) in launch.arguments.iter().zip(&kernel.arguments).enumerate() {
        let misfit = |what: &str| {
            let name = interface.name.as_deref().map_or_else(String::new, |name| format!(" ({name})"));
            RunError::launch(format!("argument {index}{name} of {} {what}", kernel.name))
        };
        match (argument, interface.kind) {
            (Argument::Image(image), ArgumentKind::Image(interface)) => {
                let found = ImageBinding::of(image, interface).map_err(|message| misfit(&message))?;
                found.bind(interface, next_buffer, &mut block, binding)?;
                next_buffer += 1;
            }
            (Argument::Sampler(sampler), ArgumentKind::Sampler(source)) => {
                let constant = sampler_constant(*sampler, source).map_err(|message| misfit(&message))?;
                binding.specialization.extend(constant);
            }
            (Argument::Buffer(_), ArgumentKind::Pointer { offset, .. }) => {
                block.addresses.push(Address { at: offset as usize, buffer: next_buffer, target: 0 });
                next_buffer += 1;
            }
            (Argument::Buffer(_), ArgumentKind::Binding { binding: number, .. }) => {
                binding.describe(DescriptorKind::Storage, number, next_buffer);
                next_buffer += 1;
            }
            (Argument::Value(Value { bytes, .. }), ArgumentKind::Value { offset, size, .. }) => {
                if bytes.len() != size as usize {
                    return Err(misfit(&format!("has {size} bytes, but the launch gives {}", bytes.len())));
                }
                block.put(offset as usize, bytes)?;
            }
            (&Argument::Local(bytes), ArgumentKind::Local { spec_id, alignment }) => {
                let constant = LocalArgument { spec_id, alignment }.constant(bytes);
                binding.specialization.push(constant.map_err(|error| misfit(&format!("is refused: {error}")))?);
            }
            (_, ArgumentKind::Pointer { .. } | ArgumentKind::Binding { .. }) => {
                return Err(misfit("is a pointer and needs a buffer"));
            }
            (_, ArgumentKind::Value { .. }) => return Err(misfit("is a value and needs a scalar, vector or struct")),
            (_, ArgumentKind::Local { .. }) => return Err(misfit("is local memory and needs `local`")),
            (_, ArgumentKind::Image(_)) => return Err(misfit("is an image: write image:FORMAT[SIZES]=CONTENTS")),
            (_, ArgumentKind::Sampler(_)) => return Err(misfit("is a sampler: write sampler=WORDS")),
        }
    }
    bind_block(kernel, block, binding);
    Ok(())
}

/// Puts the bytes of all values where the kernel reads them.
fn bind_block(kernel: &Kernel, block: Contents, binding: &mut Binding) {
    match kernel.arguments_in {
        Arguments::PushConstants => binding.push_constants = block,
        Arguments::Uniform { size: 0, .. } => {}
        Arguments::Uniform { binding: number, .. } => {
            binding.bind_buffer(DescriptorKind::Uniform, number, block.bytes);
        }
        Arguments::Buffer { address_offset, .. } => {
            binding.push_constants.addresses.push(Address {
                at: address_offset as usize,
                buffer: binding.buffers.len(),
                target: 0,
            });
            binding.buffers.push(block);
        }
    }
}

fn bind_program_data(data: &ProgramData, at: usize, binding: &mut Binding) -> Result<(), RunError> {
    let buffer = binding.buffers.len();
    binding.program_data = Some(buffer);
    let addresses = data.relocations.iter().map(|relocation| Address {
        at: relocation.at as usize,
        buffer,
        target: u64::from(relocation.target),
    });
    binding.buffers.push(Contents { bytes: data.bytes.clone(), addresses: addresses.collect() });
    binding.push_constants.addresses.push(Address { at, buffer, target: 0 });
    Ok(())
}

impl Binding {
    /// Checks that what it names exists: buffers, and the places of addresses.
    ///
    /// # Errors
    /// [`LaunchCode::Launch`](crate::LaunchCode::Launch) with the first that does not.
    pub fn check(&self) -> Result<(), RunError> {
        let invalid = |what: String| Err(RunError::launch(format!("the binding is invalid: {what}")));
        if self.size.local.contains(&0) {
            return invalid("a size of the work-group is zero".to_owned());
        }
        if let Some(one) = self.descriptors.iter().find(|one| one.buffer >= self.buffers.len()) {
            return invalid(format!("there is no buffer {} for binding {}", one.buffer, one.binding));
        }
        for contents in self.buffers.iter().chain([&self.push_constants]) {
            for &Address { at, buffer, target } in &contents.addresses {
                if at.checked_add(8).is_none_or(|end| end > contents.bytes.len()) {
                    return invalid(format!("an address at byte {at} ends after {} bytes", contents.bytes.len()));
                }
                if self.buffers.get(buffer).is_none_or(|buffer| target > buffer.bytes.len() as u64) {
                    return invalid(format!("an address leads to byte {target} of buffer {buffer}"));
                }
            }
        }
        Ok(())
    }

    /// Adds a buffer with a binding.
    fn bind_buffer(&mut self, kind: DescriptorKind, binding: u32, bytes: Vec<u8>) {
        self.buffers.push(Contents { bytes, addresses: Vec::new() });
        self.describe(kind, binding, self.buffers.len() - 1);
    }

    /// Gives a buffer a binding. Kernels access whole words of it.
    pub(crate) fn describe(&mut self, kind: DescriptorKind, binding: u32, buffer: usize) {
        let bytes = &mut self.buffers[buffer].bytes;
        bytes.resize(bytes.len().next_multiple_of(WORD).max(WORD), 0);
        self.descriptors.push(Descriptor { kind, set: 0, binding, buffer });
    }
}

impl Contents {
    fn put(&mut self, at: usize, bytes: &[u8]) -> Result<(), RunError> {
        put(&mut self.bytes, at, bytes)
    }

    /// Writes its addresses into a copy of its bytes, for buffers that begin at these addresses.
    pub(crate) fn write_addresses(&self, copy: &mut [u8], starts: &[u64]) {
        for address in &self.addresses {
            let value = starts[address.buffer] + address.target;
            copy[address.at..address.at + 8].copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// Writes a part of a block of arguments.
pub(crate) fn put(block: &mut [u8], at: usize, bytes: &[u8]) -> Result<(), RunError> {
    let place = at.checked_add(bytes.len()).and_then(|end| block.get_mut(at..end));
    let place =
        place.ok_or_else(|| RunError::launch("the reflection is invalid: an argument lies outside its block"))?;
    place.copy_from_slice(bytes);
    Ok(())
}
