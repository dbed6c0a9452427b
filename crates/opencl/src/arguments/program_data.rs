//! The address of the program data: a word after all other push constants, for kernels that need it.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module};

use super::block::load_push_constant;
use crate::Context;
use crate::entry_points::first_instruction;
use crate::error;

const ADDRESS_SIZE: u32 = 8;

/// Appends the 64-bit address of the program data to the push constants of a kernel, unless it is there, and loads it at the start of the
/// function. Returns the loaded `u64`. Linear in the entry points of the function.
///
/// # Errors
/// A function that is not a kernel of the reflection; push constants that are full.
pub(crate) fn reserve_program_data(
    module: &mut Module,
    context: &mut Context,
    function: Function,
) -> Result<Inst, Diagnostic> {
    let limit = context.options.push_constant_limit;
    let mut offset = None;
    let mut full = None;
    context.change_kernels_of(module, function, |kernel| {
        let at = kernel.program_data.unwrap_or_else(|| kernel.push_constant_size.next_multiple_of(ADDRESS_SIZE));
        if kernel.program_data.is_none() && at + ADDRESS_SIZE > limit {
            full.get_or_insert_with(|| format!("more than {limit} bytes of push constants in kernel {}", kernel.name));
            return;
        }
        kernel.program_data = Some(at);
        kernel.push_constant_size = kernel.push_constant_size.max(at + ADDRESS_SIZE);
        offset = Some(at);
    });
    if let Some(message) = full {
        return Err(error::limit(function, message));
    }
    let offset = offset.ok_or_else(|| error::rejected(function, "program data in a function that is not a kernel"))?;
    let first = first_instruction(module, function);
    let mut build = Builder::new(module);
    build.before(first);
    let u64_type = build.int_type(64);
    Ok(load_push_constant(&mut build, function, offset, u64_type))
}

#[cfg(test)]
mod tests {
    use reconverge_ir::text;

    use super::*;
    use crate::{KernelCode, KernelOptions, arguments};

    const KERNEL: &str = "\
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u32 = type_int 32, 0
%fn = type_function %void, %u32
func %k: %void (%n: %u32) type %fn control 0 stage graph {
block ^entry:
  return
}
";

    fn lowered(limit: u32) -> (Module, Context, Function) {
        let mut module = text::parse(KERNEL).expect("the text is a module");
        let mut context = Context::new(KernelOptions { push_constant_limit: limit, ..KernelOptions::default() });
        arguments(&mut module, &mut context).expect("the kernel has a plain argument");
        let function = module.functions().next().expect("there is a kernel");
        (module, context, function)
    }

    #[test]
    fn the_address_has_one_place_behind_the_arguments() {
        let (mut module, mut context, function) = lowered(128);
        for _ in 0..2 {
            let address = reserve_program_data(&mut module, &mut context, function).expect("there is room");
            assert_eq!(module.function_of(address), Some(function));
            let kernel = &context.reflection.kernels[0];
            assert_eq!((kernel.program_data, kernel.push_constant_size), (Some(8), 16));
        }
        assert_eq!(text::print(&module).matches(" Offset 8").count(), 1, "one member for both loads");
    }

    #[test]
    fn full_push_constants_are_a_limit_and_other_functions_are_refused() {
        let (mut module, mut context, function) = lowered(12);
        let error = reserve_program_data(&mut module, &mut context, function).expect_err("16 bytes are too many");
        assert!(error.is(KernelCode::Limit));
        context.reflection.kernels.clear();
        let error = reserve_program_data(&mut module, &mut context, function).expect_err("nobody knows the kernel");
        assert!(error.is(KernelCode::Rejected));
    }
}
