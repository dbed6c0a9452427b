//! Parameters and arguments: references to memory of a kind, and an image with its sampler as two.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::Body;
use super::super::resources::innermost;
use super::Memory;
use crate::syntax::{Arguments, Local, LocalKind, Parameter, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A parameter.
    pub(in crate::lower) fn msl_parameter(&mut self, parameter: Inst) -> Result<(), Diagnostic> {
        if self.is_array_of_buffers(parameter) {
            return self.refuse(WriteCode::Pointer, parameter, "an array of buffers as a parameter in MSL");
        }
        let ty = self.cx.type_of(parameter)?;
        let ty = self.cx.handle_type(parameter, ty, parameter)?;
        let local = self.declare_parameter(parameter, ty)?;
        self.known.insert(parameter, local);
        if let Some(sampler) = self.cx.sampler_type(self.source.ty(parameter)) {
            let name = format!("{}_sampler", self.cx.name(parameter).unwrap_or_else(|| "image".to_owned()));
            let local =
                self.function.add(Local { name: Some(name), ty: sampler, kind: LocalKind::Parameter, prefix: "" });
            self.samplers.insert(parameter, local);
            let (prefix, suffix) = (String::new(), String::new());
            self.function.parameters.push(Parameter { local, is_written: false, prefix, suffix });
        }
        Ok(())
    }

    /// Returns whether a parameter points to several buffers.
    fn is_array_of_buffers(&self, parameter: Inst) -> bool {
        use spirv::Decoration;
        let Some(pointee) = self.source.pointee(parameter) else { return false };
        let element = innermost(self.source, pointee);
        let notes = self.source.decorated(element);
        element != pointee && (notes.has(Decoration::Block) || notes.has(Decoration::BufferBlock))
    }

    /// The memory that a parameter refers to, which is written before its type.
    pub(in crate::lower) fn msl_parameter_prefix(&self, parameter: Inst) -> Result<&'static str, Diagnostic> {
        use spirv::StorageClass as Class;
        match self.source.storage_class(parameter) {
            None | Some(Class::UniformConstant | Class::PhysicalStorageBuffer) => Ok(""),
            // A mesh function reads what the task shader wrote.
            Some(Class::TaskPayloadWorkgroupEXT) if self.cx.msl.meshes.is_some() => Ok("const object_data"),
            Some(class) => match Memory::of(class) {
                Some(memory) => Ok(memory.word()),
                None => {
                    self.refuse(WriteCode::Pointer, parameter, format!("a pointer to {class:?} as a parameter in MSL"))
                }
            },
        }
    }

    /// An argument of a call.
    pub(in crate::lower) fn msl_argument(
        &mut self,
        argument: Inst,
        arguments: &mut Arguments,
    ) -> Result<(), Diagnostic> {
        self.check_argument(argument)?;
        self.plain_argument(argument, arguments)?;
        if self.cx.sampler_type(self.source.ty(argument)).is_some() {
            let sampler = self.sampler(argument, argument)?;
            arguments.push(sampler);
        }
        Ok(())
    }
}

impl super::super::Lowering<'_> {
    /// The type of the sampler, or the array of samplers, of a pointer to an image with its sampler.
    pub(super) fn sampler_type(&mut self, ty: Option<Inst>) -> Option<Type> {
        use reconverge_ir::view::TypeView;
        let ty = ty?;
        match self.source.type_view(ty)? {
            TypeView::Pointer { pointee, .. } => self.sampler_type(Some(pointee)),
            TypeView::SampledImage { .. } => Some(self.text.types.of(TypeShape::Sampler(crate::syntax::Depth::Color))),
            TypeView::Array { element, .. } => {
                let element = self.sampler_type(Some(element))?;
                let converted = *self.types.get(&ty)?;
                let TypeShape::Array { length, .. } = self.text.types[converted] else { return None };
                Some(self.text.types.of(TypeShape::Array { element, length }))
            }
            _ => None,
        }
    }
}
