//! Pointer arguments as bindings: variables that represent storage buffers until memory is lowered.
//!
//! ```text
//! %a: *global f32     ⇒     %buffer = variable CrossWorkgroup f32[] {DescriptorSet 0} {Binding 0}
//!                           %1 = bitcast *global u8 %buffer
//!                           %2 = ptr_access_chain %1, %offset        only if the host passes an offset
//!                           %a = bitcast *global f32 %2
//! ```
//!
//! Linear in the parameters and in the words of the argument block.

use reconverge_ir::{Builder, Inst, Module, Op, decoration};
use spirv::{Decoration, StorageClass};

use super::block::{Block, UniformBlock};
use super::layout::{Form, KernelLayout};
use super::read::Reader;
use crate::Arguments;
use crate::entry_points::EntryPoint;

/// The alignment of a buffer: that of a word.
const WORD: u32 = 4;

/// The number of the binding that a variable of a kernel represents.
pub(crate) fn binding_of(module: &Module, variable: Inst) -> Option<u32> {
    if module.op(variable) != Op::Variable {
        return None;
    }
    module.decorated(variable).find().map(|decoration::Binding(number)| number)
}

/// Replaces a used pointer parameter by a pointer to a new variable.
pub(super) fn replace(reader: &mut Reader<'_>, parameter: Inst, binding: u32, offset: Option<u32>) {
    if !reader.build().module().is_used(parameter) {
        return;
    }
    let module = reader.build().module();
    let ty = module.ty(parameter).expect("invariant: a parameter has a type");
    let pointee = module.pointee(parameter).expect("invariant: the layout found a pointer");
    let class = module.storage_class(parameter).unwrap_or(StorageClass::CrossWorkgroup);
    let name = module.name(parameter);
    let aliases = !module.decorated(parameter).has(Decoration::Restrict) && !is_restrict(module, parameter);
    let build = reader.build();
    let elements = build.type_runtime_array(&[pointee]);
    let variable = build.global_variable(class, elements);
    build.add_decoration(variable, decoration::DescriptorSet(0));
    build.add_decoration(variable, decoration::Binding(binding));
    build.add_decoration(variable, decoration::Alignment(WORD));
    if aliases {
        build.add_decoration(variable, Decoration::Aliased);
    }
    if let Some(name) = name {
        build.editor().set_name(variable, &name);
    }
    let pointer = match offset {
        None => variable,
        Some(offset) => {
            let byte = build.int_type(8);
            let bytes = build.pointer_type(class, byte);
            let start = build.bitcast(bytes, &[variable]);
            let offset = reader.word(u64::from(offset));
            reader.build().ptr_access_chain(bytes, &[start, offset])
        }
    };
    let promised = reader.build().module().decorated(parameter).note(Decoration::Alignment).map(|note| note.inst);
    let build = reader.build();
    let pointer = build.bitcast(ty, &[pointer]);
    if let Some(promised) = promised {
        build.editor().decorate(pointer, promised);
    }
    build.editor().replace_all_uses(parameter, pointer);
}

/// Returns whether a parameter has the attribute `NoAlias`: nothing else points to its memory.
fn is_restrict(module: &Module, parameter: Inst) -> bool {
    use spirv::FunctionParameterAttribute::NoAlias;
    let attribute = module.decorated(parameter).note(Decoration::FuncParamAttr);
    attribute.and_then(|note| note.words().next()) == Some(NoAlias as u32)
}

/// Creates the uniform buffer of a kernel, if it has one: words of type `f32` for an argument of this type, else `u32`.
pub(super) fn create_uniform(module: &mut Module, point: &EntryPoint, parameters: &[Inst], frame: &KernelLayout) {
    let Arguments::Uniform { binding, size: size @ 1.. } = frame.arguments_in else { return };
    let u32_type = Builder::new(module).int_type(32);
    let (mut words, mut names) = (vec![u32_type; size as usize / 4], Vec::new());
    for (&parameter, slot) in parameters.iter().zip(&frame.slots) {
        let Some(ty) = module.ty(parameter).filter(|_| matches!(slot.form, Form::Value(_))) else { continue };
        let (component, count) = module.components(ty);
        let width = module.width(component).unwrap_or(0);
        if let Some(name) = module.name(parameter).filter(|_| width >= 32) {
            let number = count * width / 32;
            let name_of = |index: u32| if number == 1 { name.clone() } else { format!("{name}_{index}") };
            names.extend((0..number).map(|index| (slot.offset as u32 / 4 + index, name_of(index))));
        }
        if module.op(component) == Op::TypeFloat && module.width(component) == Some(32) {
            let first = slot.offset as usize / 4;
            words[first..first + count as usize].fill(component);
        }
    }
    Block::create_uniform(&mut Builder::new(module), point.function, &UniformBlock { binding, words, names });
}
