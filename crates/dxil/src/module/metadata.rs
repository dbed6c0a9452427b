//! Metadata: strings, values, and lists of these.

use super::{DebugInfo, MetadataId, Module, ValueId};

/// Metadata with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetadataEntry {
    /// The content.
    pub metadata: Metadata,
    /// The bit of the input where its record begins.
    pub offset: u64,
}

/// Metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Metadata {
    /// A string. Bytes that are not UTF-8 are replaced.
    String(String),
    /// A value; in a function it may be one of the function.
    Value(ValueId),
    /// A list.
    List {
        /// True if it differs from lists with equal members.
        is_distinct: bool,
        /// Members; none where the list has null.
        members: Vec<Option<MetadataId>>,
    },
    /// Information for debuggers.
    Debug(DebugInfo),
}

/// A list of metadata that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMetadata {
    /// The name without `!`.
    pub name: String,
    /// Lists or information for debuggers.
    pub members: Vec<MetadataId>,
    /// The bit of the input where its record begins.
    pub offset: u64,
}

impl Module {
    /// Metadata of the module.
    ///
    /// # Panics
    /// If the module does not have it, such as that of a function.
    pub fn metadata(&self, id: MetadataId) -> &Metadata {
        &self.metadata[id.index()].metadata
    }
}
