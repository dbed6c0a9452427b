//! The address of the program data: a word behind everything else in a kernel's push constants, for kernels that ask for it.

use reconverge_ir::{Builder, Function, Inst, Module};

use super::block::load_push_constant;
use crate::kernel::entry_points::{entry_points, first_instruction};
use crate::kernel::{Context, KernelError};

const ADDRESS_SIZE: u32 = 8;

/// Appends the 64-bit address of the program data to the push constants of a kernel, unless it is there, and loads it at the start of
/// the function. The loaded `u64` comes back. Linear in the globals.
///
/// # Errors
/// A function that is no kernel of the reflection; push constants that are full.
pub(crate) fn reserve_program_data(
    module: &mut Module,
    context: &mut Context,
    function: Function,
) -> Result<Inst, KernelError> {
    let names: Vec<String> =
        entry_points(module).into_iter().filter(|point| point.function == function).map(|point| point.name).collect();
    let limit = context.options.push_constant_limit;
    let mut offset = None;
    for kernel in context.reflection.kernels.iter_mut().filter(|kernel| names.contains(&kernel.name)) {
        let at = match kernel.program_data {
            Some(at) => at,
            None => {
                let at = kernel.push_constant_size.next_multiple_of(ADDRESS_SIZE);
                if at + ADDRESS_SIZE > limit {
                    let message = format!("more than {limit} bytes of push constants in kernel {}", kernel.name);
                    return Err(KernelError::limit(function, message));
                }
                kernel.program_data = Some(at);
                kernel.push_constant_size = at + ADDRESS_SIZE;
                at
            }
        };
        offset = Some(at);
    }
    let offset =
        offset.ok_or_else(|| KernelError::rejected(function, "program data in a function that is no kernel"))?;
    let first = first_instruction(module, function);
    let mut build = Builder::new(module);
    build.before(first);
    let u64_type = build.int_type(64, false);
    Ok(load_push_constant(&mut build, function, offset, u64_type))
}
