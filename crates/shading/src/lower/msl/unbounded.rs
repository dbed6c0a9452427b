//! Arrays of resources without a length: a buffer with a struct for each resource, which the host program fills.
//!
//! ```text
//! %textures: UniformConstant %Image[], Binding 0      ⇒      struct Descriptor { texture2d<float> value; };
//!                                                            const device Descriptor* textures [[buffer(0)]]
//! load (access_chain %textures, %i)                   ⇒      textures[i].value
//!
//! %lights: StorageBuffer %Light[], Binding 1          ⇒      struct Descriptor_1 { device Light* value; };
//!                                                            const device Descriptor_1* lights [[buffer(1)]]
//! load (access_chain %lights, %i, 0)                  ⇒      lights[i].value->radius
//! ```
//!
//! Images with samplers are two buffers.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::view::TypeView;

use super::super::handles::Kind;
use super::super::resources::unnamed_image;
use super::super::{Lowering, Place};
use super::globals::{Free, Numbered};
use crate::interface::ResourceKind;
use crate::syntax::{GlobalId, Length, Type, TypeShape};
use crate::write::{BindingNumber, WriteCode};

impl Lowering<'_> {
    /// Returns whether a type is an array without a length.
    pub(super) fn is_unbounded(&self, ty: Inst) -> bool {
        matches!(self.source.type_view(ty), Some(TypeView::RuntimeArray { .. }))
    }

    /// Returns whether a variable is an array without a length.
    pub(super) fn is_unbounded_variable(&self, variable: Inst) -> bool {
        let is_resource = super::super::resources::slot(self.source, variable).is_some();
        is_resource && self.source.pointee(variable).is_some_and(|pointee| self.is_unbounded(pointee))
    }

    /// An array of images, of samplers or of both.
    pub(super) fn add_unbounded_handles(
        &mut self,
        (variable, pointee): (Inst, Inst),
        kind: Kind,
        free: &mut Free,
    ) -> Result<(), Diagnostic> {
        if !self.is_unbounded(pointee) {
            return self.refuse(
                WriteCode::Image,
                variable,
                "an array of images whose length is specialized, or unknown in another array, in MSL",
            );
        }
        if kind == Kind::Both && self.chosen(variable, BindingNumber::Buffer).is_some() {
            let message =
                "a chosen number of images with samplers in an array without a length, which are two buffers in MSL";
            return self.refuse(WriteCode::Interface, variable, message);
        }
        let ty = self.ty(pointee)?;
        let name = self.name(variable).unwrap_or_else(|| unnamed_image(self.source, variable).to_owned());
        let (element, what) = match kind {
            Kind::Sampler => (self.text.part(ty, 0), ResourceKind::Sampler),
            Kind::Image | Kind::Both => {
                let handles = self.handle_type(variable, ty, variable)?;
                (self.text.part(handles, 0), self.image_kind(variable))
            }
        };
        let Some(element) = element else {
            return self.refuse(WriteCode::Type, variable, "an array of no elements");
        };
        let sampler_name = format!("{name}_sampler");
        let global = self.unbounded_array((variable, pointee), (name, element), what, free)?;
        self.globals.insert(variable, Place::Global(global));
        if kind == Kind::Both
            && let Some(sampler) = self.source.element_type(pointee).and_then(|image| self.sampler_type(Some(image)))
        {
            let names = (sampler_name, sampler);
            let global = self.unbounded_array((variable, pointee), names, ResourceKind::Sampler, free)?;
            self.msl.samplers.insert(variable, global);
        }
        Ok(())
    }

    /// An array without a length, of what descriptors have.
    pub(super) fn unbounded_array(
        &mut self,
        (variable, array): (Inst, Inst),
        (name, element): (String, Type),
        kind: ResourceKind,
        free: &mut Free,
    ) -> Result<GlobalId, Diagnostic> {
        let element = TypeShape::Struct(self.struct_around(DESCRIPTOR, element));
        let element = self.text.types.of(element);
        let ty = self.text.types.of(TypeShape::Array { element, length: Length::Runtime });
        let Numbered { role, place, suffix } = self.numbered(variable, (BindingNumber::Buffer, 1), free)?;
        let global = self.of_entry(name, ty, role, ("const device", suffix));
        self.wrapped.insert(array);
        self.note_resource(variable, global, kind, place);
        Ok(global)
    }
}

/// The name of structs of descriptors.
const DESCRIPTOR: &str = "Descriptor";
