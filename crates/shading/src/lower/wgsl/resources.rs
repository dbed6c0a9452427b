//! Images and samplers. An image with its sampler becomes two variables: the sampler has the next free binding of its group.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, ImageFormat};

use super::super::handles::Kind;
use super::super::resources::{Slot, slot, unnamed_image};
use super::super::uses::Sampling;
use super::super::{Lowering, Place};
use crate::interface::{ResourceKind, ResourcePlace};
use crate::syntax::{Access, Depth, Global, GlobalId, GlobalKind, Image, ImageDim, Type, TypeShape};
use crate::write::{BindingNumber, WriteCode};

impl Lowering<'_> {
    /// An image, a sampler, or both.
    pub(super) fn add_wgsl_handle(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let Some(kind) = self.handle_kind(pointee) else {
            let message = format!("a variable of {} in WGSL", self.source.op(pointee).name());
            return self.refuse(WriteCode::Type, variable, message);
        };
        if matches!(self.source.type_view(pointee), Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. })) {
            let message = "an array of images or samplers in WGSL, which has none";
            return self.refuse(WriteCode::Image, variable, message);
        }
        let mut slot = self.wgsl_slot(variable)?;
        if kind == Kind::Sampler && self.shares_binding(variable) {
            slot = self.sampler_slot(variable);
        }
        let name = self.name(variable).unwrap_or_else(|| unnamed_image(self.source, variable).to_owned());
        if kind == Kind::Sampler {
            let ty = self.sampler_of_uses(variable, variable)?;
            let id = self.handle_global(name, ty, slot);
            self.note_resource(variable, id, ResourceKind::Sampler, place_of(slot));
            self.globals.insert(variable, Place::Global(id));
            return Ok(());
        }
        let ty = self.ty(pointee)?;
        let ty = self.handle_type(variable, ty, variable)?;
        let is_written = self.handle(variable).writes || self.uses.overlaps(variable);
        let id = self.handle_global(name.clone(), ty, slot);
        self.note_resource(variable, id, self.image_kind(variable), place_of(slot));
        self.text.globals[id.0 as usize].is_written = is_written;
        self.globals.insert(variable, Place::Global(id));
        if kind == Kind::Both {
            self.split_samplers(variable, &name);
        }
        Ok(())
    }

    fn handle_global(&mut self, name: String, ty: Type, slot: Slot) -> GlobalId {
        self.text.add_global(Global {
            name,
            ty,
            kind: GlobalKind::Variable(None),
            prefix: format!("{} var", binding_words(slot)),
            suffix: String::new(),
            is_written: false,
        })
    }

    /// The samplers of an image with its sampler: one that compares and one that does not, as they are used.
    fn split_samplers(&mut self, variable: Inst, name: &str) {
        let handle = self.handle(variable);
        let samplers = [
            (handle.samples, Sampling::Plain, Depth::Color, "sampler"),
            (handle.compares, Sampling::Compared, Depth::Compared, "comparison"),
        ];
        for (is_used, sampling, depth, suffix) in samplers {
            if !is_used {
                continue;
            }
            let slot = match sampling {
                Sampling::Plain => self.sampler_slot(variable),
                Sampling::Compared if handle.samples => self.free_slot(variable),
                Sampling::Compared => self.sampler_slot(variable),
            };
            let ty = self.text.types.of(TypeShape::Sampler(depth));
            let id = self.handle_global(format!("{name}_{suffix}"), ty, slot);
            self.note_resource(variable, id, ResourceKind::Sampler, place_of(slot));
            self.wgsl.samplers.insert((variable, sampling), id);
        }
    }

    /// The binding of the sampler of an image with its sampler: the one that the host program chooses, or the next free one.
    fn sampler_slot(&mut self, variable: Inst) -> Slot {
        match self.chosen(variable, BindingNumber::Sampler) {
            Some(binding) => Slot { set: self.group_of_wgsl(variable), binding },
            None => self.free_slot(variable),
        }
    }

    /// The next free binding of the group of a resource.
    fn free_slot(&mut self, variable: Inst) -> Slot {
        let group = self.group_of_wgsl(variable);
        let next = self.wgsl.free.entry(group).or_default();
        *next += 1;
        Slot { set: group, binding: *next - 1 }
    }

    fn group_of_wgsl(&self, variable: Inst) -> u32 {
        self.chosen_slot(variable).map_or(0, |slot| slot.set)
    }

    /// Returns whether another variable has the binding of a sampler.
    fn shares_binding(&self, sampler: Inst) -> bool {
        let own = slot(self.source, sampler);
        self.used_variables().into_iter().any(|other| other != sampler && slot(self.source, other) == own)
    }

    /// The type of a sampler, of a variable or parameter: one that compares is of another type.
    pub(super) fn sampler_of_uses(&mut self, value: Inst, place: Inst) -> Result<Type, Diagnostic> {
        let handle = self.handle(value);
        if handle.compares && handle.samples {
            return self.refuse(WriteCode::Image, place, "a sampler that compares and also does not, in WGSL");
        }
        let depth = if handle.compares { Depth::Compared } else { Depth::Color };
        Ok(self.text.types.of(TypeShape::Sampler(depth)))
    }

    /// The type of an image of a variable or parameter.
    pub(in crate::lower) fn wgsl_used_image(
        &mut self,
        value: Inst,
        image: Image,
        place: Inst,
    ) -> Result<Image, Diagnostic> {
        let handle = self.handle(value);
        if matches!(image.dim, ImageDim::Rect | ImageDim::Buffer | ImageDim::Subpass) {
            let message = format!("images of dimension {:?} in WGSL", image.dim);
            return self.refuse(WriteCode::Image, place, message);
        }
        if image.component.width != 32 {
            let message = format!("images of {} bits", image.component.width);
            return self.refuse(WriteCode::Image, place, message);
        }
        let is_depth = handle.compares && !image.is_storage;
        let is_known = match (image.dim, image.is_array) {
            _ if image.is_multisampled => image.dim == ImageDim::Two && !image.is_array && !image.is_storage,
            (ImageDim::One, is_array) => !is_array && !is_depth,
            (ImageDim::Three, is_array) => !is_array && !is_depth,
            (ImageDim::Cube, _) => !image.is_storage,
            _ => true,
        };
        if !is_known {
            return self.refuse(WriteCode::Image, place, "an image of this kind in WGSL, which has none");
        }
        let depth = if is_depth { Depth::Compared } else { Depth::Color };
        if !image.is_storage {
            return Ok(Image { depth, ..image });
        }
        let access = match handle.access() {
            _ if self.source.decorated(value).has(Decoration::NonWritable) => Access::Read,
            _ if self.source.decorated(value).has(Decoration::NonReadable) => Access::Write,
            access => access,
        };
        let format = self.format_name(value, place)?;
        Ok(Image { access, format, ..image })
    }

    fn format_name(&self, value: Inst, place: Inst) -> Result<&'static str, Diagnostic> {
        let ty = self.source.pointee(value).or_else(|| self.source.ty(value));
        let format = match ty.and_then(|ty| self.source.type_view(ty)) {
            Some(TypeView::Image(image)) => image.format,
            _ => None,
        };
        match (format.and_then(format_of), format) {
            (Some(name), _) => Ok(name),
            (None, Some(ImageFormat::Unknown) | None) => {
                self.refuse(WriteCode::Image, place, "storage images without a format")
            }
            (None, Some(format)) => {
                self.refuse(WriteCode::Image, place, format!("storage images of format {format:?}"))
            }
        }
    }

    /// Returns whether a value or what it points to is an image with its sampler.
    pub(super) fn is_combined_image(&self, value: Inst) -> bool {
        let ty = self.source.pointee(value).or_else(|| self.source.ty(value));
        ty.is_some_and(|ty| matches!(self.source.type_view(ty), Some(TypeView::SampledImage { .. })))
    }

    /// Returns whether a value or what it points to is a sampler.
    pub(super) fn is_sampler(&self, value: Inst) -> bool {
        let ty = self.source.pointee(value).or_else(|| self.source.ty(value));
        ty.is_some_and(|ty| self.source.op(ty) == Op::TypeSampler)
    }
}

/// The attributes of a resource.
pub(super) fn binding_words(Slot { set, binding }: Slot) -> String {
    format!("@group({set}) @binding({binding})")
}

/// The place of a resource in the interface.
pub(super) fn place_of(Slot { set, binding }: Slot) -> ResourcePlace {
    ResourcePlace::Group { group: set, binding }
}

/// The name of a format.
fn format_of(format: ImageFormat) -> Option<&'static str> {
    Some(match format {
        ImageFormat::R8 => "r8unorm",
        ImageFormat::R8Snorm => "r8snorm",
        ImageFormat::R8ui => "r8uint",
        ImageFormat::R8i => "r8sint",
        ImageFormat::R16 => "r16unorm",
        ImageFormat::R16Snorm => "r16snorm",
        ImageFormat::R16ui => "r16uint",
        ImageFormat::R16i => "r16sint",
        ImageFormat::R16f => "r16float",
        ImageFormat::Rg8 => "rg8unorm",
        ImageFormat::Rg8Snorm => "rg8snorm",
        ImageFormat::Rg8ui => "rg8uint",
        ImageFormat::Rg8i => "rg8sint",
        ImageFormat::R32ui => "r32uint",
        ImageFormat::R32i => "r32sint",
        ImageFormat::R32f => "r32float",
        ImageFormat::Rg16 => "rg16unorm",
        ImageFormat::Rg16Snorm => "rg16snorm",
        ImageFormat::Rg16ui => "rg16uint",
        ImageFormat::Rg16i => "rg16sint",
        ImageFormat::Rg16f => "rg16float",
        ImageFormat::Rgba8 => "rgba8unorm",
        ImageFormat::Rgba8Snorm => "rgba8snorm",
        ImageFormat::Rgba8ui => "rgba8uint",
        ImageFormat::Rgba8i => "rgba8sint",
        ImageFormat::Rgb10a2ui => "rgb10a2uint",
        ImageFormat::Rgb10A2 => "rgb10a2unorm",
        ImageFormat::R11fG11fB10f => "rg11b10ufloat",
        ImageFormat::Rg32ui => "rg32uint",
        ImageFormat::Rg32i => "rg32sint",
        ImageFormat::Rg32f => "rg32float",
        ImageFormat::Rgba16 => "rgba16unorm",
        ImageFormat::Rgba16Snorm => "rgba16snorm",
        ImageFormat::Rgba16ui => "rgba16uint",
        ImageFormat::Rgba16i => "rgba16sint",
        ImageFormat::Rgba16f => "rgba16float",
        ImageFormat::Rgba32ui => "rgba32uint",
        ImageFormat::Rgba32i => "rgba32sint",
        ImageFormat::Rgba32f => "rgba32float",
        _ => return None,
    })
}
