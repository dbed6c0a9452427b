//! Members of a list of metadata, each of an expected form.

use reconverge_diagnostic::Diagnostic;

use crate::error::{Code, at_bit};
use crate::module::{Constant, Metadata, MetadataId, Module, ValueId, ValueKind};

/// A list of metadata of a module.
#[derive(Clone, Copy)]
pub(super) struct List<'m> {
    pub(super) module: &'m Module,
    pub(super) members: &'m [Option<MetadataId>],
    pub(super) offset: u64,
}

impl<'m> List<'m> {
    pub(super) fn of(module: &'m Module, id: MetadataId) -> Result<List<'m>, Diagnostic> {
        let entry = &module.metadata[id.index()];
        match &entry.metadata {
            Metadata::List { members, .. } => Ok(List { module, members, offset: entry.offset }),
            _ => Err(at_bit(Code::Metadata, entry.offset, "expected a list of metadata")),
        }
    }

    #[cold]
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        at_bit(Code::Metadata, self.offset, message)
    }

    /// The member at an index; none if it is null or not there.
    pub(super) fn member(&self, index: usize) -> Option<MetadataId> {
        self.members.get(index).copied().flatten()
    }

    pub(super) fn list(&self, index: usize) -> Result<Option<List<'m>>, Diagnostic> {
        self.member(index).map(|id| List::of(self.module, id)).transpose()
    }

    pub(super) fn text(&self, index: usize, what: &str) -> Result<&'m str, Diagnostic> {
        match self.member(index).map(|id| self.module.metadata(id)) {
            Some(Metadata::String(text)) => Ok(text),
            _ => Err(self.error(format!("expected {what}, a string, as member {index}"))),
        }
    }

    /// A member that is a value.
    pub(super) fn value(&self, index: usize, what: &str) -> Result<ValueId, Diagnostic> {
        match self.member(index).map(|id| self.module.metadata(id)) {
            Some(Metadata::Value(value)) => Ok(*value),
            _ => Err(self.error(format!("expected {what}, a value, as member {index}"))),
        }
    }

    /// A member that is an integer constant, with zeros above its width.
    pub(super) fn integer(&self, index: usize, what: &str) -> Result<u64, Diagnostic> {
        let value = self.value(index, what)?;
        match self.module.values[value.index()].kind {
            ValueKind::Constant(Constant::Integer(integer)) => Ok(integer),
            _ => Err(self.error(format!("expected {what}, an integer, as member {index}"))),
        }
    }

    pub(super) fn word(&self, index: usize, what: &str) -> Result<u32, Diagnostic> {
        let integer = self.integer(index, what)?;
        u32::try_from(integer)
            .map_err(|_| self.error(format!("expected {what} below 4,294,967,296 as member {index}, found {integer}")))
    }

    /// A member that is an integer of its own width with a sign; it must fit in 32 bits.
    pub(super) fn signed(&self, index: usize, what: &str) -> Result<i32, Diagnostic> {
        let integer = self.integer(index, what)?;
        let value = self.value(index, what)?;
        let width = self.module.types.integer_width(self.module.values[value.index()].ty).unwrap_or(64);
        let unused = 64 - width.min(64);
        let signed = (integer as i64) << unused >> unused;
        i32::try_from(signed)
            .map_err(|_| self.error(format!("expected {what} of 32 bits as member {index}, found {signed}")))
    }

    pub(super) fn flag(&self, index: usize, what: &str) -> Result<bool, Diagnostic> {
        Ok(self.integer(index, what)? != 0)
    }

    /// A member that is the number of a kind.
    pub(super) fn kind<T>(&self, index: usize, what: &str, find: impl Fn(u64) -> Option<T>) -> Result<T, Diagnostic> {
        let number = self.integer(index, what)?;
        find(number).ok_or_else(|| self.error(format!("expected {what} as member {index}, found number {number}")))
    }

    /// The tags of a list of tags and values, each with the index of its value.
    pub(super) fn tags(self) -> impl Iterator<Item = Result<(u32, usize), Diagnostic>> + use<'m> {
        let count = self.members.len();
        (0..count).step_by(2).map(move |index| match index + 1 < count {
            true => Ok((self.word(index, "a tag")?, index + 1)),
            false => Err(self.error("expected a value after each tag")),
        })
    }
}
