//! The parameters of kernels that are images and samplers, before and after.
//!
//! ```text
//! func %k(%i: image, %s: sampler, %n: u32)     ⇒     func %k(%texels: *global u32, %shape: u32x4, %slice: u32, %n: u32)
//!                                                    %order, %type, %bits: specialization constants
//! ```
//!
//! A sampler becomes a word wherever it stands: as a constant, and in private variables.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Function, Inst, Module, Op, Position, decoration};
use rustc_hash::FxHashMap;
use spirv::{SamplerAddressingMode as Address, SamplerFilterMode as Filter, StorageClass};

use super::image_type;
use super::parts::{FormatValue, Image, Images};
use crate::arguments::SpecIds;
use crate::context::LaunchConstant;
use crate::entry_points::entry_functions;
use crate::scalars::{vector_type, word};
use crate::{
    Argument, ArgumentKind, ChannelOrder, ChannelType, Context, FormatSource, ImageAccess, ImageArgument, ImageKind,
    SamplerSource, TexelPlace, error, sampler_bits,
};

/// What the parameters of kernels were, by their functions.
pub(crate) type Roles = FxHashMap<Function, Vec<Role>>;

/// A parameter in the source.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    /// It is still one parameter.
    Same,
    /// An image: three parameters now.
    Image { name: Option<String>, kind: ImageKind, access: ImageAccess, format: FormatSource },
    /// A sampler: a constant now.
    Sampler { name: Option<String>, source: SamplerSource },
}

/// The arguments of the source, from those of the parameters that a kernel has now.
pub(crate) fn arguments_of_source(roles: &[Role], arguments: Vec<Argument>) -> Vec<Argument> {
    let mut rest = arguments.into_iter();
    let mut next = || rest.next().expect("invariant: every role has its parameters");
    let argument = |role: &Role| match role {
        Role::Same => next(),
        Role::Sampler { name, source } => Argument { name: name.clone(), kind: ArgumentKind::Sampler(*source) },
        Role::Image { name, kind, access, format } => {
            let texels = match next().kind {
                ArgumentKind::Pointer { offset, .. } => TexelPlace::Address { offset },
                ArgumentKind::Binding { binding, offset, access, .. } => {
                    TexelPlace::Binding { binding, offset, access }
                }
                _ => unreachable!("the texels are behind a pointer"),
            };
            let [shape, _] = [next(), next()].map(|argument| match argument.kind {
                ArgumentKind::Value { offset, .. } => offset,
                _ => unreachable!("the shape is a value"),
            });
            let image = ImageArgument { kind: *kind, access: *access, texels, shape, format: *format };
            Argument { name: name.clone(), kind: ArgumentKind::Image(image) }
        }
    };
    roles.iter().map(argument).collect()
}

/// Replaces the parameters and constants that are samplers, and adds the parameters of images. The images themselves stay until [`remove`].
pub(super) fn replace(module: &mut Module, context: &mut Context) -> Result<Images, Diagnostic> {
    let mut images = Images::default();
    let mut ids = SpecIds::of(module);
    for function in entry_functions(module) {
        let parameters: Vec<Inst> = module.parameters(function).map(Inst::from).collect();
        let mut roles = Vec::with_capacity(parameters.len());
        for (index, &parameter) in parameters.iter().enumerate() {
            let fixed = context.options.launch_constant(index);
            let ty = module.ty(parameter).expect("invariant: a parameter has a type");
            let role = match module.type_view(ty) {
                Some(TypeView::Image(view)) => image(module, &mut ids, &mut images, (parameter, &view), fixed)?,
                Some(TypeView::Other(Op::TypeSampler)) => sampler(module, &mut ids, parameter, fixed),
                _ => Role::Same,
            };
            roles.push(role);
        }
        if roles.iter().any(|role| !matches!(role, Role::Same)) {
            context.image_roles.insert(function, roles);
        }
    }
    replace_constant_samplers(module);
    Ok(images)
}

/// Adds the parameters of an image.
fn image(
    module: &mut Module,
    ids: &mut SpecIds,
    images: &mut Images,
    (parameter, ty): (Inst, &view::TypeImage),
    fixed: Option<LaunchConstant>,
) -> Result<Role, Diagnostic> {
    let kind = ImageKind::of(ty)
        .ok_or_else(|| error::unsupported(parameter, "an image with samples, or of these dimensions"))?;
    let (access, name) = (ImageAccess::of(ty), module.name(parameter));
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let pointer = build.pointer_type(StorageClass::CrossWorkgroup, u32_type);
    let four = vector_type(&mut build, u32_type, 4);
    let mut last = parameter;
    let [texels, shape, slice_pitch] = [pointer, four, u32_type].map(|ty| {
        last = build.editor().insert(Position::After(last), Op::FunctionParameter, Some(ty), &[]);
        last
    });
    if let Some(name) = &name {
        build.editor().set_name(texels, name);
    }
    let (format, source) = match fixed {
        Some(LaunchConstant::Format(format)) => (FormatValue::Fixed(format), FormatSource::Fixed(format)),
        _ => {
            let (order, order_id) = constant(&mut build, ids, ChannelOrder::Rgba as u32);
            let (data_type, type_id) = constant(&mut build, ids, ChannelType::Float as u32);
            let source = FormatSource::Specialized { order: order_id, data_type: type_id };
            (FormatValue::Specialized { order, data_type }, source)
        }
    };
    images.by_parameter.insert(parameter, Image { kind, access, texels, shape, slice_pitch, format });
    images.parameters.push(parameter);
    Ok(Role::Image { name, kind, access, format: source })
}

/// Replaces a sampler by a constant.
fn sampler(module: &mut Module, ids: &mut SpecIds, parameter: Inst, fixed: Option<LaunchConstant>) -> Role {
    let name = module.name(parameter);
    let mut build = Builder::new(module);
    let (value, source) = match fixed {
        Some(LaunchConstant::Sampler(bits)) => (word(&mut build, bits), SamplerSource::Fixed(bits)),
        _ => {
            let (value, id) = constant(&mut build, ids, sampler_bits::NEAREST);
            (value, SamplerSource::Specialized(id))
        }
    };
    let mut editor = module.edit();
    editor.replace_all_uses(parameter, value);
    editor.delete(parameter);
    Role::Sampler { name, source }
}

/// A specialization constant of 32 bits, and its id.
fn constant(build: &mut Builder<'_>, ids: &mut SpecIds, default: u32) -> (Inst, u32) {
    let id = ids.next();
    let u32_type = build.int_type(32);
    let literal = build.editor().word(default);
    let constant = build.spec_constant(u32_type, &[literal]);
    build.add_decoration(constant, decoration::SpecId(id));
    (constant, id)
}

/// Replaces constant samplers by their bits, and the type of samplers by that of words.
fn replace_constant_samplers(module: &mut Module) {
    let constants: Vec<Inst> = module.globals().filter(|&global| module.op(global) == Op::ConstantSampler).collect();
    for constant in constants {
        let bits = view::ConstantSampler::of(module, constant).map_or(0, |sampler| bits(&sampler));
        let value = word(&mut Builder::new(module), bits);
        let mut editor = module.edit();
        editor.replace_all_uses(constant, value);
        editor.delete(constant);
    }
    let types: Vec<Inst> = module.globals().filter(|&global| module.op(global) == Op::TypeSampler).collect();
    for ty in types {
        let u32_type = Builder::new(module).int_type(32);
        let mut editor = module.edit();
        editor.replace_all_uses(ty, u32_type);
        editor.delete(ty);
    }
}

/// The bits of a literal sampler.
fn bits(sampler: &view::ConstantSampler) -> u32 {
    let address = match sampler.addressing_mode {
        Some(Address::ClampToEdge) => sampler_bits::CLAMP_TO_EDGE,
        Some(Address::Clamp) => sampler_bits::CLAMP,
        Some(Address::Repeat) => sampler_bits::REPEAT,
        Some(Address::RepeatMirrored) => sampler_bits::MIRRORED_REPEAT,
        _ => sampler_bits::NONE,
    };
    let filter = match sampler.filter_mode {
        Some(Filter::Linear) => sampler_bits::LINEAR,
        _ => sampler_bits::NEAREST,
    };
    let coordinates = if sampler.normalized != 0 { sampler_bits::NORMALIZED } else { 0 };
    coordinates | address | filter
}

/// Removes the parameters that are images, what only carries them, and their types.
pub(super) fn remove(module: &mut Module, images: &Images) {
    let is_of_image = |module: &Module, ty: Inst| {
        let pointee = match module.type_view(ty) {
            Some(TypeView::Pointer { pointee, .. }) => pointee,
            Some(TypeView::SampledImage { image }) => image,
            _ => ty,
        };
        image_type(module, pointee).is_some()
    };
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let carries = |&inst: &Inst| {
        let names = module.op(inst) == Op::Store || matches!(module.op(inst), Op::LifetimeStart | Op::LifetimeStop);
        let ty = if names { module.ty(module.operand(inst, 0)) } else { module.ty(inst) };
        ty.is_some_and(|ty| is_of_image(module, ty))
    };
    let carriers: Vec<Inst> = blocks.flat_map(|block| module.children(block)).filter(carries).collect();
    for &inst in carriers.iter().rev() {
        reconverge_rewrite::removal::remove(module, inst);
    }
    for &parameter in &images.parameters {
        module.edit().delete(parameter);
    }
    for function in entry_functions(module) {
        let result = module.ty(function).expect("invariant: a function has a return type");
        let parameters = module.parameters(function).filter_map(|parameter| module.ty(parameter));
        let signature: Vec<Inst> = std::iter::once(result).chain(parameters).collect();
        let mut editor = module.edit();
        let ty = editor.unique(Op::TypeFunction, None, &signature);
        editor.set_operand(function, view::Function::SLOT.function_type, ty);
    }
    // Types stand before those that name them.
    let globals: Vec<Inst> = module.globals().collect();
    for &global in globals.iter().rev() {
        let is_left = match module.op(global) {
            Op::Undef => module.ty(global).is_some_and(|ty| is_of_image(module, ty)),
            op => op == Op::TypeFunction || op.is_type() && is_of_image(module, global),
        };
        if is_left && !module.is_used(global) {
            module.edit().delete(global);
        }
    }
}
