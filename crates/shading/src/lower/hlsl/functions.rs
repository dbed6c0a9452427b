//! Functions: composites that are written in braces, and the samplers of parameters.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::view::TypeView;
use spirv::StorageClass;

use super::super::Lowering;
use super::super::function::Body;
use super::super::uses::{Sampling, root};
use crate::syntax::{Arguments, Depth, Effects, Expr, GlobalId, Local, LocalKind, Parameter, Shape, Type, TypeShape};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// The zero of a type: `(T)0`.
    pub(in crate::lower) fn hlsl_short_zero(&mut self, ty: Type) -> Option<Expr> {
        let is_composite =
            matches!(self.text.types[ty], TypeShape::Struct(_) | TypeShape::Array { .. } | TypeShape::Matrix { .. });
        is_composite.then(|| self.text.expressions.add(Shape::Construct(Arguments::new()), ty, Effects::PURE))
    }

    /// The size of the workgroup is a constant like any other.
    pub(in crate::lower) fn hlsl_workgroup_size_constant(
        &mut self,
        _constant: Inst,
    ) -> Result<Option<GlobalId>, Diagnostic> {
        Ok(None)
    }
}

impl Body<'_, '_> {
    /// A struct or an array from its parts: only a declaration takes its value in braces.
    pub(in crate::lower) fn hlsl_composite_value(&mut self, value: Expr) -> Expr {
        let expression = &mut self.cx.text.expressions[value];
        if matches!(&expression.shape, Shape::Construct(parts) if parts.is_empty()) {
            return value;
        }
        expression.effects |= Effects::PINNED;
        let name = self.name_value(value);
        self.local(name)
    }

    /// A parameter, and the sampler of one that is an image with its sampler.
    pub(in crate::lower) fn companion_parameter(&mut self, parameter: Inst) -> Result<(), Diagnostic> {
        self.plain_parameter(parameter)?;
        if !self.is_combined(parameter) {
            return Ok(());
        }
        if self.cx.uses.samples(parameter, Sampling::Compared) {
            let message = "an image with its sampler that is a parameter and is compared, in HLSL";
            return self.refuse(WriteCode::Image, parameter, message);
        }
        let name = self.cx.name(parameter).unwrap_or_else(|| "image".to_owned());
        let ty = self.cx.text.types.of(TypeShape::Sampler(Depth::Color));
        let name = Some(format!("{name}_sampler"));
        let local = self.function.add(Local { name, ty, kind: LocalKind::Parameter, prefix: "" });
        self.samplers.insert(parameter, local);
        let (prefix, suffix) = (String::new(), String::new());
        self.function.parameters.push(Parameter { local, is_written: false, prefix, suffix });
        Ok(())
    }

    /// An argument, and the sampler of one that is an image with its sampler.
    pub(in crate::lower) fn companion_argument(
        &mut self,
        argument: Inst,
        arguments: &mut Arguments,
    ) -> Result<(), Diagnostic> {
        self.plain_argument(argument, arguments)?;
        if self.is_combined(argument) {
            arguments.push(self.sampler_along(argument, Sampling::Plain, argument)?);
        }
        Ok(())
    }

    /// Returns whether a value or what it points to is an image with its sampler.
    fn is_combined(&self, value: Inst) -> bool {
        let ty = self.source.pointee(value).or_else(|| self.source.ty(value));
        ty.is_some_and(|ty| matches!(self.source.type_view(ty), Some(TypeView::SampledImage { .. })))
    }

    /// The sampler of an image that has one of its own.
    pub(super) fn sampler_along(&mut self, image: Inst, sampling: Sampling, place: Inst) -> Result<Expr, Diagnostic> {
        let variable = root(self.source, image);
        if let Some(&local) = self.samplers.get(&variable) {
            return Ok(self.local(local));
        }
        match self.cx.hlsl.samplers.get(&(variable, sampling)).copied() {
            Some(global) => {
                let expr = self.cx.global(global);
                self.place_along(image, expr)
            }
            None => self.refuse(WriteCode::Image, place, "a sample of an image without a sampler in HLSL"),
        }
    }

    /// The word before the type of a parameter.
    pub(in crate::lower) fn hlsl_parameter_prefix(&self, parameter: Inst) -> Result<&'static str, Diagnostic> {
        match self.source.storage_class(parameter) {
            None | Some(StorageClass::UniformConstant) => Ok(""),
            Some(StorageClass::Function | StorageClass::Private) => Ok("inout"),
            Some(class) => {
                self.refuse(WriteCode::Pointer, parameter, format!("a pointer to {class:?} as a parameter in HLSL"))
            }
        }
    }

    /// The word before the type of a value: `precise` if it is computed as the code says.
    pub(in crate::lower) fn hlsl_value_prefix(&self, value: Inst) -> &'static str {
        if self.source.decorated(value).has(spirv::Decoration::NoContraction) { "precise" } else { "" }
    }

    /// An index that differs between lanes.
    pub(in crate::lower) fn hlsl_nonuniform(&mut self, index: Expr, _place: Inst) -> Expr {
        let index = self.cast(index, crate::syntax::ScalarKind::Uint);
        let ty = self.type_of(index);
        self.call("NonUniformResourceIndex", &[index], ty)
    }
}
