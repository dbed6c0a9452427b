//! Functions.

use super::lines::{fits, unbroken};
use super::{Printer, hlsl, joined, msl};
use crate::Language;
use crate::syntax::{Function, Parameter, Type, TypeShape};

impl<'a> Printer<'a> {
    pub(super) fn functions(&mut self) {
        let text = self.text;
        for function in &text.functions {
            self.blank_line();
            self.definition(function);
        }
    }

    fn definition(&mut self, function: &'a Function) {
        self.function = Some(function);
        self.origin(function.origin);
        function.attributes.iter().for_each(|attribute| self.line(attribute));
        if !function.workgroup_size.is_empty() {
            let sizes: Vec<String> = function.workgroup_size.iter().map(|&size| self.expression(size)).collect();
            self.line(&format!("@compute @workgroup_size({})", sizes.join(", ")));
        }
        let parameters: Vec<String> = function.parameters.iter().map(|one| self.parameter(function, one)).collect();
        let (head, tail) = self.header(function);
        let header = format!("{head}({}){tail} {{", parameters.join(", "));
        if fits(&header, 0) {
            self.line(&header);
        } else {
            self.line(&format!("{head}("));
            self.indent += 1;
            let last = parameters.len().saturating_sub(1);
            for (position, parameter) in parameters.iter().enumerate() {
                self.line(&format!("{parameter}{}", if position < last { "," } else { "" }));
            }
            self.indent -= 1;
            self.line(&format!("){tail} {{"));
        }
        self.inside(&function.body);
        self.line("}");
        self.function = None;
    }

    /// What comes before and behind the parameters.
    fn header(&self, function: &Function) -> (String, String) {
        let result = self.type_name(function.result);
        if !self.is_wgsl() {
            let suffix = joined(&["", &function.suffix]);
            let tail = if suffix.is_empty() { suffix } else { format!(" {suffix}") };
            return (joined(&[&function.prefix, &result, &function.name]), tail);
        }
        let head = joined(&[&function.prefix, "fn", &function.name]);
        match self.text.types[function.result] {
            TypeShape::Void => (head, String::new()),
            _ => (head, format!(" -> {}", joined(&[&function.suffix, &result]))),
        }
    }

    fn parameter(&self, function: &Function, parameter: &Parameter) -> String {
        let local = &function[parameter.local];
        let name = self.local_name(parameter.local);
        let declared = match (self.language, parameter.is_written) {
            (Language::Wgsl, true) => {
                let memory = if parameter.prefix.is_empty() { "function" } else { &parameter.prefix };
                return format!("{name}: ptr<{memory}, {}>", self.type_name(local.ty));
            }
            (Language::Msl, is_written) if is_written || msl::is_memory(&parameter.prefix) => {
                self.reference(local.ty, &name, &parameter.prefix)
            }
            (Language::Hlsl, _) if hlsl::is_template(&parameter.prefix) => {
                let prefix = &parameter.prefix;
                return joined(&[
                    &format!("{prefix}<{}> {name}", self.template_arguments(local.ty)),
                    &parameter.suffix,
                ]);
            }
            _ => self.declared(local.ty, &name),
        };
        unbroken(&joined(&[&parameter.prefix, local.prefix, &declared, &parameter.suffix]))
    }

    /// The type of the elements of streams and patches of HLSL, and the number of those of a patch.
    fn template_arguments(&self, ty: Type) -> String {
        match self.text.types[ty] {
            TypeShape::Array { element, length } => format!("{}, {}", self.type_name(element), self.length(length)),
            _ => self.type_name(ty),
        }
    }
}
