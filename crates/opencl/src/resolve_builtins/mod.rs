//! Replaces the calls of OpenCL built-in functions that the front end leaves by instructions.
//!
//! ```text
//! func %inc: %u32 (%p: %bytes) {decorate LinkageAttributes "_Z10atomic_incPU3AS1Vi" Import}
//!
//! %old: %u32 = function_call %inc, %p     ⇒     %q: %words = bitcast %p
//!                                               %old: %u32 = atomic_i_increment %q, %device, %relaxed
//! ```
//!
//! *Requires* nothing. *Preserves* the behaviour of kernels: the declarations have the semantics of the OpenCL C specification. Afterwards
//! no call has a callee without a body, and the declarations are removed.
//!
//! clang (LLVM's SPIR-V back end) turns most built-in functions into instructions itself. The remaining ones were found by compiling a call
//! of every function that `opencl-c.h` declares, for CL1.2, CL2.0 and CL3.0: `atomic_inc`, `_dec`, `_min`, `_max`, `_xchg` and their
//! `atom_` forms, `atomic_fetch_min` and `_max`, the three memory fences, `get_fence`, `sub_group_barrier`, and `convert_half` and
//! `convert_double` in all their forms; `read_imageh` and `get_image_channel_order`. The tables here contain the other members of these families as well.
//!
//! Linear in the calls.

mod atomics;
mod casts;
mod conversions;
mod fences;
mod images;
mod mangling;
mod media;

use mangling::Mangled;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Builder, Enumerant, Function, Inst, Module, Op, view};

use super::extended_instructions::is_media_function;
use super::repairs::{FrontEndFault, Repair};
use super::{Context, scalars};
use crate::error;
use reconverge_rewrite::debug_info::delete_function;
use spirv::{Decoration, LinkageType};

/// Replaces calls of imported built-in functions by instructions.
///
/// # Errors
/// [`link-undefined`](reconverge_ir::ImportCode::Undefined) at the first import of another module that is used,
/// [`Unsupported`](crate::KernelCode::Unsupported) at the first call of an imported function of OpenCL that has no instructions.
pub fn resolve_builtins(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    check_variables(module)?;
    let declared: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_none()).collect();
    let mut changed = false;
    for function in declared {
        let calls: Vec<Inst> =
            module.uses(function).map(|used| used.user).filter(|&user| is_call(module, user)).collect();
        if calls.is_empty() {
            continue;
        }
        let symbol = symbol(module, function);
        let mangled = mangling::demangle(&symbol).or_else(|| casts::unmangled(&symbol));
        for &call in calls.iter().rev() {
            let name = mangled.as_ref().map_or(symbol.as_str(), |mangled| mangled.name.as_str());
            let unknown = || match is_library_name(&symbol) {
                true => error::unsupported(call, format!("call of {name}, which the module imports")),
                false => error::undefined(call, format!("no input defines the function {symbol}")),
            };
            replace(module, call, mangled.as_ref().ok_or_else(unknown)?, write).ok_or_else(unknown)?;
        }
        delete_function(module, function);
        changed = true;
    }
    Ok(changed)
}

/// Replaces the calls of imported functions that need no memory order: conversions, casts of generic pointers, functions of images, media functions. Adds
/// those that a front end should have resolved, in the order of the functions, and returns whether a call is replaced. Calls of every other
/// function stay.
pub(crate) fn resolve_library_calls(module: &mut Module, repaired: &mut Vec<Repair>) -> bool {
    let declared: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_none()).collect();
    let mut is_changed = false;
    for function in declared {
        let symbol = symbol(module, function);
        let Some(mangled) = mangling::demangle(&symbol).or_else(|| casts::unmangled(&symbol)) else { continue };
        let calls: Vec<Inst> =
            module.uses(function).map(|used| used.user).filter(|&user| is_call(module, user)).collect();
        let is_media = is_media_function(&mangled.name);
        let is_resolved = |&call: &Inst| match is_media {
            true => media::replace(module, call, &mangled).is_some(),
            false => replace(module, call, &mangled, write_value).is_some(),
        };
        let resolved: Vec<Inst> = calls.iter().copied().rev().filter(is_resolved).collect();
        if !calls.is_empty() && resolved.len() == calls.len() {
            delete_function(module, function);
        }
        is_changed |= !resolved.is_empty();
        if !is_media {
            let fault = FrontEndFault::UnresolvedCall;
            repaired.extend(resolved.into_iter().rev().map(|at| Repair { at, fault }));
        }
    }
    is_changed
}

/// Returns whether a mangled name belongs to one of the families of functions that [`resolve_builtins`] replaces, so that an import of it
/// is no reference to another module. `printf` has no mangled name, and is refused as a feature.
pub fn is_library_name(symbol: &str) -> bool {
    const FENCES: [&str; 5] = ["mem_fence", "read_mem_fence", "write_mem_fence", "sub_group_barrier", "get_fence"];
    const FAMILIES: [&str; 3] = ["atomic_", "atom_", "convert_"];
    let is_function = |Mangled { name, .. }: Mangled| {
        let is_one = |names: &[&str]| names.contains(&name.as_str());
        is_one(&FENCES)
            || casts::is_name(&name)
            || images::is_name(&name)
            || is_media_function(&name)
            || FAMILIES.iter().any(|family| name.starts_with(family))
    };
    symbol == "printf" || casts::unmangled(symbol).or_else(|| mangling::demangle(symbol)).is_some_and(is_function)
}

/// Looks for a variable of another module. Built-in variables are imported, too, and the environment defines them.
fn check_variables(module: &Module) -> Result<(), Diagnostic> {
    for variable in module.globals().filter(|&global| module.op(global) == Op::Variable) {
        let notes = module.decorated(variable);
        let is_used = || module.uses(variable).any(|used| module.function_of(used.user).is_some());
        match notes.find() {
            Some(LinkageAttributes { name, linkage: LinkageType::Import })
                if !notes.has(Decoration::BuiltIn) && is_used() =>
            {
                let name = module.literal_text(name);
                return Err(error::undefined(variable, format!("no input defines the variable {name}")));
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_call(module: &Module, inst: Inst) -> bool {
    module.op(inst) == Op::FunctionCall
}

/// The name in the import linkage of a function; its own name if it has no linkage.
fn symbol(module: &Module, function: Function) -> String {
    let linkage = module.decorated(function).find();
    let text = linkage.map(|LinkageAttributes { name, .. }| module.literal_text(name));
    text.or_else(|| module.name(function)).unwrap_or_else(|| "a function without a name".to_owned())
}

/// A function that emits the instructions for a call, and returns its value, if it has one; `None` for an unknown function.
type Write = fn(&mut Site<'_, '_>) -> Option<Option<Inst>>;

fn write(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    atomics::write(site).or_else(|| fences::write(site)).or_else(|| write_value(site))
}

fn write_value(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    conversions::write(site).or_else(|| casts::write(site)).or_else(|| images::write(site))
}

/// Emits the instructions for a call; `None` if the function with these parameters is not known.
fn replace(module: &mut Module, call: Inst, mangled: &Mangled, write: Write) -> Option<()> {
    let arguments = view::FunctionCall::of(module, call)?.arguments.to_vec();
    if arguments.len() != mangled.parameters.len() {
        return None;
    }
    let result = module.ty(call)?;
    let location = module.explicit_location(call);
    let before = module.previous(call);
    let mut build = Builder::new(module);
    build.before(call);
    let mut site = Site { build, mangled, arguments, result };
    let value = write(&mut site)?;
    let first = before
        .map_or_else(|| module.parent(call).and_then(|block| module.first_child(block)), |before| module.next(before));
    let mut editor = module.edit();
    if let (Some(first), Some(_)) = (first, location) {
        editor.set_location(first, location);
    }
    if let Some(value) = value {
        editor.replace_all_uses(call, value);
    }
    editor.delete(call);
    Some(())
}

/// A call that is being replaced.
struct Site<'a, 'm> {
    build: Builder<'m>,
    mangled: &'a Mangled,
    arguments: Vec<Inst>,
    result: Inst,
}

impl Site<'_, '_> {
    /// The constant of 32 bits.
    fn word(&mut self, word: impl Enumerant) -> Inst {
        scalars::word(&mut self.build, word)
    }

    /// The value of a constant argument.
    fn constant_argument(&self, index: usize) -> Option<u32> {
        let module = self.build.module();
        let argument = *self.arguments.get(index)?;
        match module.op(argument) {
            Op::Constant => module.literal_word(argument),
            Op::ConstantNull => Some(0),
            _ => None,
        }
    }

    /// A pointer argument, cast to a pointer to a type: the front end declares imported functions with pointers to bytes.
    fn pointer_argument(&mut self, index: usize, pointee: Inst) -> Option<Inst> {
        let module = self.build.module();
        let pointer = *self.arguments.get(index)?;
        if module.pointee(pointer)? == pointee {
            return Some(pointer);
        }
        let storage_class = module.storage_class(pointer)?;
        let wanted = self.build.pointer_type(storage_class, pointee);
        Some(self.build.bitcast(wanted, &[pointer]))
    }
}
