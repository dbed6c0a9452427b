//! Metadata of the module and of bodies, and what refers to it.
//!
//! Numbers count every string, value, list and record for debuggers. A list may refer to later ones, so references are checked when all
//! metadata of the module is read. Inside of a record, 0 is null and other numbers are one more than the metadata's.

use reconverge_diagnostic::Diagnostic;

use super::Reader;
use super::operands::Operands;
use crate::bitstream::{Event, Record};
use crate::error::{Code, at_bit};
use crate::module::{
    DebugField, DebugInfo, DebugKind, FieldKind, Metadata, MetadataEntry, MetadataId, NamedMetadata, TypeId, ValueId,
};

/// The most kinds of metadata; each has a name in the file.
const MAX_KINDS: u32 = 1 << 16;

impl Reader<'_> {
    /// Reads a block of metadata of the module.
    pub(super) fn module_metadata(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        let mut name: Option<String> = None;
        loop {
            match self.stream.next(record)? {
                Event::Enter(_) => self.stream.skip(),
                Event::End if name.is_none() => return Ok(()),
                Event::End => {
                    let message = "expected a list after the name of one";
                    return Err(at_bit(Code::Metadata, self.stream.offset(), message));
                }
                Event::Record => {
                    let mut operands = Operands::new(record);
                    match (record.code, name.take()) {
                        (10, Some(name)) => self.named_metadata(name, &mut operands)?,
                        (10, None) | (_, Some(_)) => {
                            return Err(operands.error(Code::Metadata, "expected a name, and then its list"));
                        }
                        (4, None) => name = Some(operands.text()),
                        (6, None) => self.metadata_kind(&mut operands)?,
                        (_, None) => {
                            if let Some(metadata) = self.metadata(&mut operands, record.code)? {
                                self.module.metadata.push(MetadataEntry { metadata, offset: record.offset });
                            }
                        }
                    }
                }
            }
        }
    }

    fn named_metadata(&mut self, name: String, operands: &mut Operands<'_>) -> Result<(), Diagnostic> {
        let mut members = Vec::with_capacity(operands.left());
        while operands.left() > 0 {
            members.push(MetadataId::new(operands.small("metadata")?));
        }
        self.module.named_metadata.push(NamedMetadata { name, members, offset: operands.offset() });
        Ok(())
    }

    fn metadata_kind(&mut self, operands: &mut Operands<'_>) -> Result<(), Diagnostic> {
        let number = operands.small("a kind of metadata")?;
        if number >= MAX_KINDS {
            return Err(
                operands.error(Code::Limit, format!("expected kinds of metadata below {MAX_KINDS}, found {number}"))
            );
        }
        let kinds = &mut self.module.metadata_kinds;
        if kinds.len() <= number as usize {
            kinds.resize(number as usize + 1, None);
        }
        let name = operands.text();
        match kinds[number as usize].replace(name) {
            None => Ok(()),
            Some(_) => {
                Err(operands
                    .error(Code::Metadata, format!("expected each kind of metadata once, found {number} again")))
            }
        }
    }

    /// Reads metadata of the module. None for a record that is skipped.
    fn metadata(&mut self, operands: &mut Operands<'_>, code: u32) -> Result<Option<Metadata>, Diagnostic> {
        let metadata = match code {
            1 => Metadata::String(operands.text()),
            2 => {
                let (ty, number) = self.typed_value(operands)?;
                match self.module.values.get(number as usize) {
                    Some(value) if value.ty == ty => Metadata::Value(ValueId::new(number)),
                    _ => {
                        return Err(operands
                            .error(Code::Reference, format!("expected a value of this type, found number {number}")));
                    }
                }
            }
            3 | 5 => {
                let mut members = Vec::with_capacity(operands.left());
                while operands.left() > 0 {
                    members.push(reference(operands)?);
                }
                Metadata::List { is_distinct: code == 5, members }
            }
            8 | 9 => return Err(operands.unsupported("metadata in an old form")),
            12 | 30 | 32 => return Err(operands.unsupported("metadata for debuggers of another language")),
            _ => match DebugKind::of_code(code) {
                Some(kind) => Metadata::Debug(debug_info(kind, operands)?),
                None => return Ok(None),
            },
        };
        Ok(Some(metadata))
    }

    /// `[type, value]`
    pub(super) fn typed_value(&self, operands: &mut Operands<'_>) -> Result<(TypeId, u32), Diagnostic> {
        let ty = self.ty(operands)?;
        let number = operands.small("a value")?;
        operands.end()?;
        Ok((ty, number))
    }

    /// Checks all references between metadata of the module.
    pub(super) fn check_metadata(&self) -> Result<(), Diagnostic> {
        let count = self.module.metadata.len();
        let wrong = |offset, id: MetadataId| {
            let message = format!("expected one of {count} metadata, found number {id}");
            Err(at_bit(Code::Reference, offset, message))
        };
        for MetadataEntry { metadata, offset } in &self.module.metadata {
            match metadata {
                Metadata::String(_) | Metadata::Value(_) => {}
                Metadata::List { members, .. } => {
                    if let Some(&id) = members.iter().flatten().find(|member| member.index() >= count) {
                        return wrong(*offset, id);
                    }
                }
                Metadata::Debug(info) => {
                    for (field, (name, kind)) in info.fields.iter().zip(info.kind.fields()) {
                        let &DebugField::Metadata(Some(id)) = field else { continue };
                        if id.index() >= count {
                            return wrong(*offset, id);
                        }
                        let is_string = matches!(self.module.metadata(id), Metadata::String(_));
                        if *kind == FieldKind::String && !is_string {
                            let message = format!("expected a string as `{name}`");
                            return Err(at_bit(Code::Metadata, *offset, message));
                        }
                    }
                }
            }
        }
        for NamedMetadata { members, offset, .. } in &self.module.named_metadata {
            for &id in members {
                if id.index() >= count {
                    return wrong(*offset, id);
                }
                if !self.is_list(id) {
                    return Err(at_bit(Code::Metadata, *offset, "expected lists in metadata with a name"));
                }
            }
        }
        Ok(())
    }

    /// Returns whether metadata is what may be on an instruction: a list, or information for debuggers.
    fn is_list(&self, id: MetadataId) -> bool {
        let entry = self.module.metadata.get(id.index());
        entry.is_some_and(|entry| matches!(entry.metadata, Metadata::List { .. } | Metadata::Debug(_)))
    }

    /// The next operands as a kind and a list.
    pub(super) fn attachment(&self, operands: &mut Operands<'_>) -> Result<(u32, MetadataId), Diagnostic> {
        let (kind, id) = (operands.small("a kind of metadata")?, MetadataId::new(operands.small("metadata")?));
        if !matches!(self.module.metadata_kinds.get(kind as usize), Some(Some(_))) {
            return Err(
                operands.error(Code::Metadata, format!("expected a kind of metadata with a name, found {kind}"))
            );
        }
        match self.is_list(id) {
            true => Ok((kind, id)),
            false => {
                Err(operands.error(Code::Metadata, format!("expected the number of a list of metadata, found {id}")))
            }
        }
    }

    /// The next operand as a list or information for debuggers, or null.
    pub(super) fn list_reference(&self, operands: &mut Operands<'_>) -> Result<Option<MetadataId>, Diagnostic> {
        match reference(operands)? {
            Some(id) if !self.is_list(id) => {
                Err(operands.error(Code::Metadata, format!("expected the number of a list of metadata, found {id}")))
            }
            reference => Ok(reference),
        }
    }
}

/// The next operand as metadata or null.
fn reference(operands: &mut Operands<'_>) -> Result<Option<MetadataId>, Diagnostic> {
    Ok(operands.small("metadata")?.checked_sub(1).map(MetadataId::new))
}

/// Reads a flag for distinct metadata, then its fields.
fn debug_info(kind: DebugKind, operands: &mut Operands<'_>) -> Result<DebugInfo, Diagnostic> {
    let is_distinct = operands.number("whether it is distinct")? & 1 != 0;
    let descriptions = kind.fields();
    if kind == DebugKind::Expression {
        let fields = operands.rest().iter().map(|&number| DebugField::Number(number)).collect();
        return Ok(DebugInfo { kind, is_distinct, fields });
    }
    let (count, least) = (operands.left(), kind.least_fields());
    // Local variables had another field once.
    let most = descriptions.len() + usize::from(kind == DebugKind::LocalVariable);
    if !(least..=most).contains(&count) {
        let message = format!("expected {least} to {most} fields, found {count}");
        return Err(operands.error(Code::Metadata, message));
    }
    let mut fields = Vec::with_capacity(descriptions.len());
    for (index, (name, field)) in descriptions.iter().enumerate() {
        fields.push(match field {
            _ if index >= count => DebugField::Number(0),
            FieldKind::Number => DebugField::Number(operands.number(name)?),
            // The scope of a location is never null, and not one more.
            _ if kind == DebugKind::Location && *name == "scope" => {
                DebugField::Metadata(Some(MetadataId::new(operands.small(name)?)))
            }
            FieldKind::String | FieldKind::Metadata => DebugField::Metadata(reference(operands)?),
        });
    }
    Ok(DebugInfo { kind, is_distinct, fields })
}
