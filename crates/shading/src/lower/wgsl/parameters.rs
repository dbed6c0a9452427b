//! Parameters and arguments: pointers to memory of a kind, and an image with its sampler as two.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::StorageClass as Class;

use super::super::function::Body;
use super::super::uses::{Sampling, root};
use crate::syntax::{Arguments, Depth, Expr, Local, LocalKind, Parameter, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A parameter.
    pub(in crate::lower) fn wgsl_parameter(&mut self, parameter: Inst) -> Result<(), Diagnostic> {
        let ty = match self.cx.is_sampler(parameter) {
            true => self.cx.sampler_of_uses(parameter, parameter)?,
            false => {
                let ty = self.cx.type_of(parameter)?;
                self.cx.handle_type(parameter, ty, parameter)?
            }
        };
        let local = self.declare_parameter(parameter, ty)?;
        self.known.insert(parameter, local);
        if !self.cx.is_combined_image(parameter) {
            return Ok(());
        }
        let sampler = self.cx.sampler_of_uses(parameter, parameter)?;
        let name = Some(format!("{}_sampler", self.cx.name(parameter).unwrap_or_else(|| "image".to_owned())));
        let local = self.function.add(Local { name, ty: sampler, kind: LocalKind::Parameter, prefix: "" });
        self.samplers.insert(parameter, local);
        let (prefix, suffix) = (String::new(), String::new());
        self.function.parameters.push(Parameter { local, is_written: false, prefix, suffix });
        Ok(())
    }

    /// The memory of a pointer.
    pub(in crate::lower) fn wgsl_parameter_prefix(&self, parameter: Inst) -> Result<&'static str, Diagnostic> {
        match self.source.storage_class(parameter) {
            None | Some(Class::UniformConstant) => Ok(""),
            Some(Class::Function) => Ok("function"),
            Some(Class::Private | Class::Input | Class::Output) => Ok("private"),
            Some(Class::Workgroup) => Ok("workgroup"),
            Some(class) => self.refuse(WriteCode::Pointer, parameter, format!("a pointer to {class:?} as a value")),
        }
    }

    /// An argument of a call.
    pub(in crate::lower) fn wgsl_argument(
        &mut self,
        argument: Inst,
        arguments: &mut Arguments,
    ) -> Result<(), Diagnostic> {
        self.plain_argument(argument, arguments)?;
        let given = arguments.last().copied();
        if given.is_some_and(|given| self.cx.has_atomics(self.type_of(given))) {
            return self.refuse(WriteCode::Pointer, argument, "memory with atomics that is an argument, in WGSL");
        }
        if self.cx.is_combined_image(argument) {
            let compares = self.cx.handle(root(self.source, argument)).compares;
            let sampling = if compares { Sampling::Compared } else { Sampling::Plain };
            arguments.push(self.wgsl_sampler(argument, sampling, argument)?);
        }
        Ok(())
    }

    /// The sampler that an image is used with.
    pub(super) fn wgsl_sampler(&mut self, image: Inst, sampling: Sampling, inst: Inst) -> Result<Expr, Diagnostic> {
        if let Some(sampler) = super::super::uses::sampler_of(self.source, image) {
            return self.place(sampler);
        }
        let variable = root(self.source, image);
        if let Some(&local) = self.samplers.get(&variable) {
            let wanted = if sampling == Sampling::Compared { Depth::Compared } else { Depth::Color };
            let is_right = self.cx.text.types[self.function[local].ty] == TypeShape::Sampler(wanted);
            return match is_right {
                true => Ok(self.local(local)),
                false => self.refuse(WriteCode::Image, inst, "a sampler that compares and also does not, in WGSL"),
            };
        }
        match self.cx.wgsl.samplers.get(&(variable, sampling)).copied() {
            Some(global) => Ok(self.cx.global(global)),
            None => self.refuse(WriteCode::Image, inst, "a sample without a sampler"),
        }
    }
}
