//! The layout of arguments: a C struct of them in order, with OpenCL's alignments.
//!
//! ```text
//! (global int *a, uchar b, short c, float4 d)        0 ── a ── 8 b 9 _ 10 c 12 ____ 16 ──── d ──── 32
//! ```
//!
//! After the arguments come the global offset and the address of the program data, if the kernel has them. If all of it does not fit into
//! the push constants, the arguments go to a buffer with this layout, whose address is the first push constant.
//!
//! With bindings there are no addresses: a pointer takes no bytes, or four for its offset, and all bytes are in a uniform buffer.

use reconverge_analysis::Layout;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};
use spirv::StorageClass;

use crate::error;
use crate::{AddressSpace, Arguments, BufferOffsets, Context, GlobalOffset};

const ADDRESS_SIZE: u64 = 8;
/// The size of the offset of a buffer.
const WORD_SIZE: u64 = 4;
/// Uniform buffers have a multiple of this size.
const UNIFORM_GRANULE: u64 = 16;
/// The size of a uniform buffer that every device supports (Vulkan specification, `maxUniformBufferRange`).
const UNIFORM_LIMIT: u64 = 16_384;
const GLOBAL_OFFSET_SIZE: u64 = 24;

/// The lowering of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A pointer to memory of the host.
    Address(AddressSpace),
    /// A pointer to a storage buffer with the number of a binding; with bytes only if the host passes an offset.
    Binding(AddressSpace, u32),
    /// A pointer to shared memory: it has no bytes, only a size.
    Local { size: u64, alignment: u64 },
    /// A scalar or a vector.
    Value(Layout),
    /// A pointer to a copy of an argument that is passed by value.
    Copied(Layout),
}

/// A parameter and its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub(super) form: Form,
    /// From the start of the push constants or of the buffer.
    pub(super) offset: u64,
}

/// The layout of all data of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KernelLayout {
    pub(super) slots: Vec<Slot>,
    pub(super) arguments_in: Arguments,
    pub(super) global_offset: Option<u32>,
    pub(super) push_constant_size: u32,
}

impl KernelLayout {
    /// Computes the layout of the parameters of a kernel, before a number of reserved bytes. Linear.
    pub(super) fn compute(
        module: &Module,
        context: &Context,
        parameters: &[Inst],
        reserved: u64,
    ) -> Result<KernelLayout, Diagnostic> {
        let mut slots = Vec::with_capacity(parameters.len());
        let (mut end, mut bindings) = (0_u64, 0);
        for &parameter in parameters {
            let mut form = form(module, parameter)?;
            if let Form::Address(space) = form
                && context.options.has_bindings()
            {
                form = Form::Binding(space, bindings);
                bindings += 1;
            }
            let (size, alignment) = match form {
                Form::Address(_) => (ADDRESS_SIZE, ADDRESS_SIZE),
                Form::Binding(..) if context.options.buffer_offsets == BufferOffsets::Passed => (WORD_SIZE, WORD_SIZE),
                Form::Binding(..) => (0, 1),
                Form::Local { .. } => (0, 1),
                Form::Value(layout) | Form::Copied(layout) => (layout.size, layout.alignment),
            };
            let offset = end.next_multiple_of(alignment);
            let too_large = || error::limit(parameter, "arguments of 4 GiB or more");
            end = offset.checked_add(size).filter(|&end| end < 1 << 32).ok_or_else(too_large)?;
            slots.push(Slot { form, offset });
        }
        if context.options.has_bindings() {
            return KernelLayout::in_uniform(parameters, context, slots, end);
        }
        let fits = end.next_multiple_of(ADDRESS_SIZE) + reserved <= u64::from(context.options.push_constant_limit)
            || reserved == 0 && end <= u64::from(context.options.push_constant_limit);
        let arguments_in = match fits {
            true => Arguments::PushConstants,
            false => Arguments::Buffer { address_offset: 0, size: end.next_multiple_of(4) as u32 },
        };
        let mut push_end = if fits { end } else { ADDRESS_SIZE };
        let mut global_offset = None;
        if context.options.global_offset == GlobalOffset::Passed {
            push_end = push_end.next_multiple_of(ADDRESS_SIZE);
            global_offset = Some(push_end as u32);
            push_end += GLOBAL_OFFSET_SIZE;
        }
        Ok(KernelLayout { slots, arguments_in, global_offset, push_constant_size: push_end.next_multiple_of(4) as u32 })
    }

    /// The layout of arguments that end at a byte, in a uniform buffer: its binding comes after those of the pointers.
    fn in_uniform(
        parameters: &[Inst],
        context: &Context,
        slots: Vec<Slot>,
        mut end: u64,
    ) -> Result<KernelLayout, Diagnostic> {
        let mut global_offset = None;
        if context.options.global_offset == GlobalOffset::Passed {
            end = end.next_multiple_of(ADDRESS_SIZE);
            global_offset = Some(end as u32);
            end += GLOBAL_OFFSET_SIZE;
        }
        let size = end.next_multiple_of(UNIFORM_GRANULE);
        if let Some(&last) = parameters.last().filter(|_| size > UNIFORM_LIMIT) {
            let message = format!("arguments of {size} bytes: a uniform buffer has at most {UNIFORM_LIMIT}");
            return Err(error::limit(last, message));
        }
        let binding = slots.iter().filter(|slot| matches!(slot.form, Form::Binding(..))).count() as u32;
        let arguments_in = Arguments::Uniform { binding, size: size as u32 };
        Ok(KernelLayout { slots, arguments_in, global_offset, push_constant_size: 0 })
    }
}

/// The number of bytes reserved after the arguments: the pass `lower_memory` may need the address of the program data if the module has
/// variables that live longer than a launch. The same for all kernels; linear in the globals.
pub(super) fn behind(module: &Module, context: &Context) -> u64 {
    let is_program_data = |global| {
        module.is_variable_of(global, StorageClass::CrossWorkgroup)
            || module.is_variable_of(global, StorageClass::UniformConstant)
    };
    let program_data = if module.globals().any(is_program_data) { ADDRESS_SIZE } else { 0 };
    let global_offset = match context.options.global_offset {
        GlobalOffset::Zero => 0,
        GlobalOffset::Passed => GLOBAL_OFFSET_SIZE,
    };
    program_data + global_offset
}

fn form(module: &Module, parameter: Inst) -> Result<Form, Diagnostic> {
    let ty = module.ty(parameter).expect("invariant: a parameter has a type");
    let layout = |ty| {
        Layout::of(module, ty).map_err(|error| error::unsupported(parameter, format!("a kernel argument of {error}")))
    };
    match module.type_view(ty) {
        Some(TypeView::Int { .. } | TypeView::Float { .. } | TypeView::Vector { .. }) => layout(ty).map(Form::Value),
        Some(TypeView::Pointer { storage_class, pointee }) => match storage_class {
            Some(StorageClass::CrossWorkgroup) => Ok(Form::Address(AddressSpace::Global)),
            Some(StorageClass::UniformConstant) => Ok(Form::Address(AddressSpace::Constant)),
            Some(StorageClass::Workgroup) => {
                let Layout { size, alignment } = layout(pointee)?;
                Ok(Form::Local { size, alignment })
            }
            Some(StorageClass::Function) => layout(pointee).map(Form::Copied),
            class => Err(error::rejected(parameter, format!("a kernel argument that points into {class:?}"))),
        },
        Some(TypeView::Struct { .. } | TypeView::Array { .. }) => {
            Err(error::unsupported(parameter, "a kernel argument that is a struct passed by value"))
        }
        _ => {
            let name = module.op(ty).name();
            Err(error::unsupported(parameter, format!("a kernel argument of type `{name}`")))
        }
    }
}
