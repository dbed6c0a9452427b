//! Reports the first unsupported feature of a kernel module, before anything is changed.
//!
//! ```text
//! %image = type_image …      func %k (%i: %image)     ⇒     error at %i: "images (type_image)"
//! ```
//!
//! *Requires* nothing. *Preserves* everything.
//!
//! Functions with a body are traversed in order, each instruction with its type and the types and globals that it names; unused ones are
//! ignored. Other passes report calls of imported functions (`resolve_builtins`) and recursion (`inline_calls`). Linear; each type is
//! checked once.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Class, Function, Inst, Module, Op};
use rustc_hash::FxHashSet;
use spirv::{AddressingModel, ExecutionModel, MemoryModel};

use super::Context;
use crate::error;
use crate::feature::Feature;

/// Checks that the kernel passes can lower a module. Changes nothing: the result is always false.
///
/// # Errors
/// [`Unsupported`](crate::KernelCode::Unsupported), with the name of the feature and the instruction that needs it, for the first one
/// in the order of the module.
pub fn check_support(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let mut check = Check { module, seen: FxHashSet::default() };
    check.environment()?;
    for function in module.functions().filter(|&function| module.entry(function).is_some()) {
        check.function(function)?;
    }
    Ok(false)
}

struct Check<'m> {
    module: &'m Module,
    /// Types and globals that were checked.
    seen: FxHashSet<Inst>,
}

impl Check<'_> {
    /// The memory model and the entry points.
    fn environment(&self) -> Result<(), Diagnostic> {
        let module = self.module;
        for global in module.globals() {
            if let Some(view::MemoryModel { addressing_model, memory_model }) = view::MemoryModel::of(module, global) {
                if addressing_model != Some(AddressingModel::Physical64) {
                    let name = match addressing_model {
                        Some(AddressingModel::Logical) => "Logical",
                        Some(AddressingModel::Physical32) => "Physical32",
                        _ => "that is not Physical64",
                    };
                    let message = format!("addressing model {name}: kernels need 64-bit pointers (--target=spirv64)");
                    return Err(error::unsupported(global, message).with_help(Feature::Pointers32.advice()));
                }
                if memory_model != Some(MemoryModel::OpenCL) {
                    return Err(error::unsupported(global, "a memory model that is not OpenCL's"));
                }
            }
            let is_kernel = |entry: view::EntryPoint<'_>| entry.execution_model == Some(ExecutionModel::Kernel);
            if view::EntryPoint::of(module, global).is_some_and(|entry| !is_kernel(entry)) {
                let message = "an entry point that is not an OpenCL kernel, beside kernels";
                return Err(error::unsupported(global, message));
            }
        }
        Ok(())
    }

    fn function(&mut self, function: Function) -> Result<(), Diagnostic> {
        let module = self.module;
        self.values(function.into())?;
        for parameter in module.parameters(function) {
            self.values(parameter.into())?;
        }
        for block in module.blocks(function) {
            for inst in module.children(block) {
                self.instruction(inst)?;
                self.values(inst)?;
            }
        }
        Ok(())
    }

    fn instruction(&self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let op = module.op(inst);
        let at = format!(" ({})", op.name());
        let feature = |feature: Feature| Err(error::feature(inst, feature, &at));
        let other = |name: &str| Err(error::unsupported(inst, format!("{name}{at}")));
        match op.class() {
            Class::Image if !is_image_access(op) => feature(Feature::Images),
            Class::Derivative => other("derivatives"),
            Class::Geometry => other("geometry streams"),
            Class::Opaque => Err(opaque_feature(module, inst, inst)),
            _ => match op {
                Op::ImageTexelPointer => feature(Feature::Images),
                Op::SizeOf => other("queries of type sizes at run time"),
                Op::NamedBarrierInitialize | Op::MemoryNamedBarrier => feature(Feature::NamedBarriers),
                Op::Dot if !self.is_float(inst) => other("integer dot products"),
                _ => self.function_pointers(inst),
            },
        }
    }

    /// Returns whether a `dot` is of floats. clang also emits `dot` for integers, without the signedness of the operands.
    fn is_float(&self, inst: Inst) -> bool {
        self.module.ty(inst).is_some_and(|ty| self.module.op(ty) == Op::TypeFloat)
    }

    /// A function may be an operand only as the callee of a call.
    fn function_pointers(&self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let called = usize::from(module.op(inst) == Op::FunctionCall);
        match module.operands(inst).skip(called).any(|operand| module.op(operand) == Op::Function) {
            true => Err(error::feature(inst, Feature::FunctionPointers, "")),
            false => Ok(()),
        }
    }

    /// The module-level operands of an instruction, and their operands in turn.
    fn values(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let named = |inst: Inst| module.ty(inst).into_iter().chain(module.operands(inst));
        let is_global = |&other: &Inst| {
            matches!(module.op(other).class(), Class::Type | Class::Constant | Class::Memory | Class::Opaque)
                && module.parent(other) == Some(module.root())
        };
        let mut pending: Vec<Inst> = named(inst).filter(is_global).collect();
        while let Some(global) = pending.pop() {
            if self.seen.insert(global) {
                self.global(global, inst)?;
                pending.extend(named(global).filter(is_global));
            }
        }
        Ok(())
    }

    /// Checks a type, constant or variable that the instruction `at` needs.
    fn global(&self, global: Inst, at: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let feature = match module.op(global) {
            Op::TypePipe | Op::TypePipeStorage | Op::TypeReserveId => Feature::Pipes,
            Op::TypeQueue | Op::TypeDeviceEvent => Feature::DeviceEnqueue,
            Op::TypeNamedBarrier => Feature::NamedBarriers,
            Op::TypePointer if self.is_function_pointer(global) => Feature::FunctionPointers,
            _ => return self.type_without_layout(global, at),
        };
        Err(error::feature(at, feature, ""))
    }

    fn is_function_pointer(&self, ty: Inst) -> bool {
        let is_function = |pointee: Inst| self.module.op(pointee) == Op::TypeFunction;
        matches!(self.module.type_view(ty), Some(TypeView::Pointer { pointee, .. }) if is_function(pointee))
    }

    /// Checks that a type has a size that memory can have.
    fn type_without_layout(&self, global: Inst, at: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let feature = match module.op(global) {
            Op::TypeMatrix => "matrices".to_owned(),
            Op::TypeOpaque if let Some(ty) = view::TypeOpaque::of(module, global) => format!("opaque type {}", ty.name),
            Op::TypeFloat if module.operand_count(global) > 1 => {
                "floating-point types with a non-IEEE encoding".to_owned()
            }
            op if op.class() == Class::Opaque => return Err(opaque_feature(module, global, at)),
            _ => match module.type_view(global) {
                Some(TypeView::Int { width, .. }) if !matches!(width, 8 | 16 | 32 | 64) => {
                    format!("integers of {width} bits")
                }
                Some(TypeView::Float { width, .. }) if !matches!(width, 16 | 32 | 64) => {
                    format!("floats of {width} bits")
                }
                Some(TypeView::Vector { count, .. }) if !(2..=16).contains(&count) => {
                    format!("vectors of {count} components")
                }
                _ => return Ok(()),
            },
        };
        Err(error::unsupported(at, feature))
    }
}

/// Returns whether the pass `images` replaces an operation on an image.
fn is_image_access(op: Op) -> bool {
    matches!(
        op,
        Op::SampledImage
            | Op::Image
            | Op::ImageSampleExplicitLod
            | Op::ImageRead
            | Op::ImageWrite
            | Op::ImageQuerySize
            | Op::ImageQuerySizeLod
            | Op::ImageQueryFormat
            | Op::ImageQueryOrder
            | Op::ImageQueryLevels
    )
}

/// The error about an unknown instruction, with the feature that it belongs to by its opcode.
fn opaque_feature(module: &Module, inst: Inst, at: Inst) -> Diagnostic {
    let opcode = view::Opaque::of(module, inst).map_or(0, |opaque| opaque.opcode);
    let number = format!(" (SPIR-V opcode {opcode})");
    let feature = match opcode {
        274..=290 | 323 | 324 => Feature::Pipes,
        291..=304 | 325..=326 => Feature::DeviceEnqueue,
        5600 | 5601 => Feature::FunctionPointers,
        5818..=5820 => Feature::VariadicFunctions,
        _ => return error::unsupported(at, format!("an unknown instruction{number}")),
    };
    error::feature(at, feature, &number)
}
