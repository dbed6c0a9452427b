//! Types.

use super::{Printer, emit, names};
use crate::module::{Type, TypeId};

impl Printer<'_> {
    pub(super) fn write_type(&mut self, id: TypeId) {
        let module = self.module;
        match &module.types[id] {
            Type::Void => self.out.push_str("void"),
            Type::Half => self.out.push_str("half"),
            Type::Float => self.out.push_str("float"),
            Type::Double => self.out.push_str("double"),
            Type::Label => self.out.push_str("label"),
            Type::Metadata => self.out.push_str("metadata"),
            Type::Integer { width } => emit!(self, "i{width}"),
            Type::Pointer { pointee, address_space } => {
                self.write_type(*pointee);
                if *address_space != 0 {
                    emit!(self, " addrspace({address_space})");
                }
                self.out.push('*');
            }
            Type::Function { is_variadic, result, parameters } => {
                self.write_type(*result);
                self.out.push_str(" (");
                self.type_list(parameters);
                if *is_variadic {
                    self.variadic(parameters);
                }
                self.out.push(')');
            }
            Type::Struct { name: Some(name), .. } => {
                self.out.push('%');
                match name.text.is_empty() {
                    true => emit!(self, "{}", name.number),
                    false => names::write_name(&name.text, &mut self.out),
                }
            }
            ty @ Type::Struct { name: None, .. } => self.struct_body(ty),
            Type::Array { element, length } => {
                emit!(self, "[{length} x ");
                self.write_type(*element);
                self.out.push(']');
            }
            Type::Vector { element, length } => {
                emit!(self, "<{length} x ");
                self.write_type(*element);
                self.out.push('>');
            }
        }
    }

    pub(super) fn struct_body(&mut self, ty: &Type) {
        let Type::Struct { is_packed, members, .. } = ty else { return };
        let Some(members) = members else {
            self.out.push_str("opaque");
            return;
        };
        let (open, close) = if *is_packed { ("<", ">") } else { ("", "") };
        self.out.push_str(open);
        match members.is_empty() {
            true => self.out.push_str("{}"),
            false => {
                self.out.push_str("{ ");
                self.type_list(members);
                self.out.push_str(" }");
            }
        }
        self.out.push_str(close);
    }

    pub(super) fn type_list(&mut self, list: &[TypeId]) {
        for (index, &ty) in list.iter().enumerate() {
            self.comma(index);
            self.write_type(ty);
        }
    }

    /// Appends the sign of further arguments after the parameters of a variadic function.
    pub(super) fn variadic(&mut self, parameters: &[TypeId]) {
        self.comma(parameters.len());
        self.out.push_str("...");
    }

    /// Appends what separates the item with this index from the one before.
    pub(super) fn comma(&mut self, index: usize) {
        if index > 0 {
            self.out.push_str(", ");
        }
    }
}
