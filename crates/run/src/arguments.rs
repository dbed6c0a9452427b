//! Checks a launch against the parameters of its kernel, as the module declares them before any pass.
//!
//! Engines compare only sizes: `i32=1` for a `float` has the right size, but is the wrong number. Here the types are compared, as far as
//! SPIR-V has them (it has no signedness).

use crate::launch::{Argument, Element, Launch, ValueType};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op};
use spirv::StorageClass;

use crate::RunError;
use crate::image_parameter::ImageParameter;
use crate::interpreter::find_entry_point;

/// The kind of a kernel's parameter, as far as a launch depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parameter {
    Buffer,
    Local,
    /// A scalar or vector.
    Number {
        is_float: bool,
        bits: u32,
        components: usize,
    },
    Image(ImageParameter),
    Sampler,
    /// A struct, …: any bytes.
    Other,
}

/// The names of the parameters of the kernel that a launch runs, if the module has them. clang keeps them with `-fno-discard-value-names`.
///
/// # Errors
/// The module does not have that kernel.
pub fn parameter_names(module: &Module, launch: &Launch) -> Result<Vec<Option<String>>, RunError> {
    let function = find_entry_point(module, launch.kernel.as_deref())?;
    Ok(module.parameters(function).map(|parameter| module.name(parameter)).collect())
}

/// Compares the arguments of a launch with the parameters of its kernel.
///
/// # Errors
/// The first argument that does not fit, with what would fit, or a wrong number of arguments.
pub fn check_arguments(module: &Module, launch: &Launch) -> Result<(), RunError> {
    let function = find_entry_point(module, launch.kernel.as_deref())?;
    let kernel = module.name(function).unwrap_or_else(|| "the kernel".to_owned());
    let parameters: Vec<Inst> = module.parameters(function).map(Inst::from).collect();
    if parameters.len() != launch.arguments.len() {
        let list = parameters.iter().map(|&parameter| described(module, parameter)).collect::<Vec<_>>().join(", ");
        let (expected, found) = (parameters.len(), launch.arguments.len());
        let arguments = if expected == 1 { "argument" } else { "arguments" };
        return Err(RunError::launch(format!(
            "{kernel} takes {expected} {arguments} ({list}), the launch has {found}"
        )));
    }
    for (index, (argument, &parameter)) in launch.arguments.iter().zip(&parameters).enumerate() {
        let kind = kind_of(module, parameter);
        if let Some(found) = misfit(argument, kind) {
            let (name, wanted) = (label(module, parameter, index), described(module, parameter));
            return Err(RunError::launch(format!(
                "{name} of {kernel} is {wanted}, the launch gives {found}{}",
                advice(kind)
            )));
        }
    }
    Ok(())
}

/// The name of a parameter in messages.
pub(crate) fn label(module: &Module, parameter: Inst, index: usize) -> String {
    module.name(parameter).map_or_else(|| format!("argument {index}"), |name| format!("argument {index} ({name})"))
}

/// Returns the kind of a parameter.
pub(crate) fn kind_of(module: &Module, parameter: Inst) -> Parameter {
    let Some(ty) = module.ty(parameter) else { return Parameter::Other };
    if let Some(TypeView::Pointer { storage_class, .. }) = module.type_view(ty) {
        return match storage_class {
            Some(StorageClass::Workgroup) => Parameter::Local,
            Some(StorageClass::Function) => Parameter::Other,
            _ => Parameter::Buffer,
        };
    }
    if let Some(image) = ImageParameter::of(module, parameter) {
        return Parameter::Image(image);
    }
    if module.op(ty) == Op::TypeSampler {
        return Parameter::Sampler;
    }
    let (component, count) = module.components(ty);
    let components = count as usize;
    match module.type_view(component) {
        Some(TypeView::Int { width: bits, .. }) => Parameter::Number { is_float: false, bits, components },
        Some(TypeView::Float { width: bits, .. }) => Parameter::Number { is_float: true, bits, components },
        _ => Parameter::Other,
    }
}

/// The type of the argument, if it does not fit the parameter.
fn misfit(argument: &Argument, parameter: Parameter) -> Option<String> {
    match (argument, parameter) {
        (_, Parameter::Other)
        | (Argument::Buffer(_), Parameter::Buffer)
        | (Argument::Local(_), Parameter::Local)
        | (Argument::Sampler(_), Parameter::Sampler) => None,
        (Argument::Image(image), Parameter::Image(parameter)) => parameter.misfit(image),
        (Argument::Value(value), Parameter::Number { is_float, bits, components }) => {
            let room = if components == 3 { 4 } else { components };
            let is_right = |ty: ValueType| {
                ty.element.is_float() == is_float && 8 * ty.element.size() as u32 == bits && ty.components == components
            };
            match value.ty {
                Some(ty) => (!is_right(ty)).then(|| ty.to_string()),
                None => {
                    let size = room * bits as usize / 8;
                    (value.bytes.len() != size).then(|| format!("{} bytes in place of {size}", value.bytes.len()))
                }
            }
        }
        (Argument::Buffer(_), _) => Some("a buffer".to_owned()),
        (Argument::Local(_), _) => Some("local memory".to_owned()),
        (Argument::Image(image), _) => Some(image.to_string()),
        (Argument::Sampler(_), _) => Some("a sampler".to_owned()),
        (Argument::Value(value), _) => Some(value.ty.map_or_else(|| "bytes".to_owned(), |ty| ty.to_string())),
    }
}

/// The parameter as a launch would write it.
fn described(module: &Module, parameter: Inst) -> String {
    match kind_of(module, parameter) {
        Parameter::Buffer => "a buffer".to_owned(),
        Parameter::Local => "local memory".to_owned(),
        Parameter::Image(image) => image.described(),
        Parameter::Sampler => "a sampler".to_owned(),
        Parameter::Other => "a value".to_owned(),
        Parameter::Number { is_float, bits, components } => {
            let of_width = |element: &Element| element.is_float() == is_float && 8 * element.size() as u32 == bits;
            let names = Element::ALL.into_iter().filter(of_width);
            let names = names.map(|element| ValueType { element, components }.to_string());
            names.collect::<Vec<_>>().join(" or ")
        }
    }
}

/// The argument as it is written.
fn advice(parameter: Parameter) -> String {
    match parameter {
        Parameter::Buffer => "; write in:TYPE[COUNT]=CONTENTS or out:TYPE[COUNT]=CONTENTS".to_owned(),
        Parameter::Local => "; write local=BYTES".to_owned(),
        Parameter::Image(image) => format!("; write {}", image.flag()),
        Parameter::Sampler => "; write sampler=WORDS, like sampler=normalized,clamp_to_edge,linear".to_owned(),
        Parameter::Number { .. } | Parameter::Other => String::new(),
    }
}
