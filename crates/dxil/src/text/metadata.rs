//! Metadata.

use super::numbering::Numbered;
use super::{Local, Printer, emit, names};
use crate::module::{DebugField, DebugInfo, DebugKind, DebugLocation, Metadata, MetadataId};

impl<'m> Printer<'m> {
    /// Lists with names, and then all other metadata, by number.
    pub(super) fn all_metadata(&mut self) {
        let module = self.module;
        if !module.named_metadata.is_empty() {
            self.out.push('\n');
        }
        for named in &module.named_metadata {
            self.out.push('!');
            names::write_name(&named.name, &mut self.out);
            self.out.push_str(" = !{");
            for (index, &member) in named.members.iter().enumerate() {
                self.comma(index);
                self.reference(None, member);
            }
            self.out.push_str("}\n");
        }
        let order = std::mem::take(&mut self.metadata.order);
        if !order.is_empty() {
            self.out.push('\n');
        }
        for (number, &item) in order.iter().enumerate() {
            emit!(self, "!{number} = ");
            match item {
                Numbered::Location(location) => self.location(&location),
                Numbered::Metadata(id) => self.definition(module.metadata(id)),
            }
            self.out.push('\n');
        }
    }

    fn definition(&mut self, metadata: &'m Metadata) {
        match metadata {
            Metadata::String(_) | Metadata::Value(_) => {}
            Metadata::List { is_distinct, members } => {
                self.out.push_str(if *is_distinct { "distinct !{" } else { "!{" });
                for (index, member) in members.iter().enumerate() {
                    self.comma(index);
                    match member {
                        Some(member) => self.reference(None, *member),
                        None => self.out.push_str("null"),
                    }
                }
                self.out.push('}');
            }
            Metadata::Debug(info) => self.debug_info(info),
        }
    }

    /// Metadata as a member of other metadata, or as an argument.
    pub(super) fn reference(&mut self, local: Option<&Local<'m>>, id: MetadataId) {
        let module = self.module;
        let entry = match (module.metadata.get(id.index()), local) {
            (Some(entry), _) => Some(entry),
            (None, Some(local)) => local.function.metadata.get(id.index() - module.metadata.len()),
            (None, None) => None,
        };
        match entry.map(|entry| &entry.metadata) {
            Some(Metadata::String(text)) => {
                self.out.push_str("!\"");
                names::escape(text, &mut self.out);
                self.out.push('"');
            }
            Some(Metadata::Value(value)) => self.typed_operand(local, *value),
            Some(Metadata::List { .. } | Metadata::Debug(_)) | None => match self.metadata.number(id) {
                Some(number) => emit!(self, "!{number}"),
                None => self.out.push_str("<badref>"),
            },
        }
    }

    fn debug_info(&mut self, info: &'m DebugInfo) {
        emit!(self, "{}!DI{}(", if info.is_distinct { "distinct " } else { "" }, info.kind.name());
        if info.kind == DebugKind::Expression {
            for (index, field) in info.fields.iter().enumerate() {
                self.comma(index);
                if let DebugField::Number(number) = field {
                    emit!(self, "{number}");
                }
            }
        }
        let mut count = 0;
        for (field, (name, _)) in info.fields.iter().zip(info.kind.fields()) {
            match field {
                DebugField::Number(0) | DebugField::Metadata(None) => {}
                DebugField::Number(number) => {
                    self.comma(count);
                    emit!(self, "{name}: {number}");
                    count += 1;
                }
                DebugField::Metadata(Some(id)) => {
                    self.comma(count);
                    emit!(self, "{name}: ");
                    match self.module.metadata(*id) {
                        Metadata::String(text) => {
                            self.out.push('"');
                            names::escape(text, &mut self.out);
                            self.out.push('"');
                        }
                        _ => self.reference(None, *id),
                    }
                    count += 1;
                }
            }
        }
        self.out.push(')');
    }

    fn location(&mut self, location: &DebugLocation) {
        emit!(self, "!DILocation(line: {}", location.line);
        if location.column != 0 {
            emit!(self, ", column: {}", location.column);
        }
        for (name, id) in [("scope", location.scope), ("inlinedAt", location.inlined_at)] {
            if let Some(id) = id {
                emit!(self, ", {name}: ");
                self.reference(None, id);
            }
        }
        self.out.push(')');
    }
}
