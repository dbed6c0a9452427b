//! Information for debuggers.
//!
//! LLVM 3.7 has a record for each kind of it. One table describes all: which fields a record has, in order, and what each refers to.

use super::{DebugLocation, Metadata, MetadataId, Module};

/// Information for debuggers: a kind, and the fields that [`DebugKind::fields`] names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugInfo {
    /// The kind.
    pub kind: DebugKind,
    /// True if it differs from other information with equal fields.
    pub is_distinct: bool,
    /// In the order of the record.
    pub fields: Vec<DebugField>,
}

/// A field of [`DebugInfo`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugField {
    /// A number.
    Number(u64),
    /// Metadata, or none.
    Metadata(Option<MetadataId>),
}

/// The kind of a field of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A number.
    Number,
    /// A string, or null.
    String,
    /// Metadata that is no string, or null.
    Metadata,
}

use FieldKind::{Metadata as Reference, Number, String as Text};

macro_rules! kinds {
    ($( $(#[$doc:meta])* $variant:ident = $code:literal, $least:literal, [$( $field:literal $kind:ident ),*]; )*) => {
        /// Kinds of information for debuggers.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum DebugKind { $( $(#[$doc])* $variant, )* }

        impl DebugKind {
            /// The kind with this code of a metadata record.
            pub(crate) fn of_code(code: u32) -> Option<DebugKind> {
                match code { $( $code => Some(DebugKind::$variant), )* _ => None }
            }

            /// The name in LLVM's assembly, without the `DI` before it.
            pub const fn name(self) -> &'static str {
                match self { $( DebugKind::$variant => stringify!($variant), )* }
            }

            /// The names of the fields and what they are, after the mark of distinct records.
            pub const fn fields(self) -> &'static [(&'static str, FieldKind)] {
                match self { $( DebugKind::$variant => &[$( ($field, $kind) ),*], )* }
            }

            /// The number of fields that a record has at least; later ones are 0 if they are missing.
            pub(crate) const fn least_fields(self) -> usize {
                match self { $( DebugKind::$variant => $least, )* }
            }
        }
    };
}

kinds! {
    /// A place in the source.
    Location = 7, 4, ["line" Number, "column" Number, "scope" Reference, "inlinedAt" Reference];
    /// The bounds of an array.
    Subrange = 13, 2, ["count" Number, "lowerBound" Number];
    /// A name of an enumeration.
    Enumerator = 14, 2, ["value" Number, "name" Text];
    /// A number.
    BasicType = 15, 5, ["tag" Number, "name" Text, "size" Number, "align" Number, "encoding" Number];
    /// A file.
    File = 16, 2, ["filename" Text, "directory" Text];
    /// A type of another one: a pointer, member, typedef.
    DerivedType = 17, 11, ["tag" Number, "name" Text, "file" Reference, "line" Number, "scope" Reference, "baseType" Reference,
        "size" Number, "align" Number, "offset" Number, "flags" Number, "extraData" Reference];
    /// A struct, class, union, array or enumeration.
    CompositeType = 18, 15, ["tag" Number, "name" Text, "file" Reference, "line" Number, "scope" Reference, "baseType" Reference,
        "size" Number, "align" Number, "offset" Number, "flags" Number, "elements" Reference, "runtimeLang" Number,
        "vtableHolder" Reference, "templateParams" Reference, "identifier" Text];
    /// The type of a function.
    SubroutineType = 19, 2, ["flags" Number, "types" Reference];
    /// A compilation.
    CompileUnit = 20, 13, ["language" Number, "file" Reference, "producer" Text, "isOptimized" Number, "flags" Text,
        "runtimeVersion" Number, "splitDebugFilename" Text, "emissionKind" Number, "enums" Reference, "retainedTypes" Reference,
        "subprograms" Reference, "globals" Reference, "imports" Reference, "dwoId" Number];
    /// A function.
    Subprogram = 21, 18, ["scope" Reference, "name" Text, "linkageName" Text, "file" Reference, "line" Number, "type" Reference,
        "isLocal" Number, "isDefinition" Number, "scopeLine" Number, "containingType" Reference, "virtuality" Number,
        "virtualIndex" Number, "flags" Number, "isOptimized" Number, "function" Reference, "templateParams" Reference,
        "declaration" Reference, "variables" Reference];
    /// A block of the source.
    LexicalBlock = 22, 4, ["scope" Reference, "file" Reference, "line" Number, "column" Number];
    /// A part of a block that is in another file.
    LexicalBlockFile = 23, 3, ["scope" Reference, "file" Reference, "discriminator" Number];
    /// A namespace.
    Namespace = 24, 4, ["scope" Reference, "file" Reference, "name" Text, "line" Number];
    /// A type as the argument of a template.
    TemplateTypeParameter = 25, 2, ["name" Text, "type" Reference];
    /// A value as the argument of a template.
    TemplateValueParameter = 26, 4, ["tag" Number, "name" Text, "type" Reference, "value" Reference];
    /// A variable of the module.
    GlobalVariable = 27, 10, ["scope" Reference, "name" Text, "linkageName" Text, "file" Reference, "line" Number, "type" Reference,
        "isLocal" Number, "isDefinition" Number, "variable" Reference, "declaration" Reference];
    /// A variable or parameter of a function.
    LocalVariable = 28, 8, ["tag" Number, "scope" Reference, "name" Text, "file" Reference, "line" Number, "type" Reference,
        "arg" Number, "flags" Number];
    /// The computation of a variable from a value.
    Expression = 29, 0, [];
    /// A declaration that is visible elsewhere.
    ImportedEntity = 31, 5, ["tag" Number, "scope" Reference, "entity" Reference, "line" Number, "name" Text];
}

/// A place in a file of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLocation<'m> {
    /// The name of the file, as the compiler was given it.
    pub file: &'m str,
    /// The folder that the name is relative to; may be empty.
    pub directory: &'m str,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
}

/// The number of scopes that are followed to find a file.
const MAX_SCOPES: usize = 256;

impl DebugInfo {
    /// A field by its name.
    pub fn field(&self, name: &str) -> Option<DebugField> {
        let index = self.kind.fields().iter().position(|&(field, _)| field == name)?;
        self.fields.get(index).copied()
    }

    /// Metadata in a field.
    pub fn reference(&self, name: &str) -> Option<MetadataId> {
        match self.field(name)? {
            DebugField::Metadata(metadata) => metadata,
            DebugField::Number(_) => None,
        }
    }

    /// A number in a field.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.field(name)? {
            DebugField::Number(number) => Some(number),
            DebugField::Metadata(_) => None,
        }
    }
}

impl Module {
    /// The file, line and column of a location. None if its scope has no file.
    pub fn source_location(&self, location: &DebugLocation) -> Option<SourceLocation<'_>> {
        let file = self.file_of_scope(location.scope?)?;
        let name = |field| match file.reference(field).map(|name| self.metadata(name)) {
            Some(Metadata::String(name)) => name.as_str(),
            _ => "",
        };
        let (line, column) = (location.line, location.column);
        Some(SourceLocation { file: name("filename"), directory: name("directory"), line, column })
    }

    /// The location of the call that a location was inlined from.
    pub fn call_location(&self, location: &DebugLocation) -> Option<DebugLocation> {
        let call = self.debug_info(location.inlined_at?)?;
        let number = |field| call.number(field).and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        Some(DebugLocation {
            line: number("line"),
            column: number("column"),
            scope: call.reference("scope"),
            inlined_at: call.reference("inlinedAt"),
        })
    }

    /// Metadata of the module as information for debuggers.
    pub fn debug_info(&self, id: MetadataId) -> Option<&DebugInfo> {
        match &self.metadata.get(id.index())?.metadata {
            Metadata::Debug(info) => Some(info),
            _ => None,
        }
    }

    /// The file of the innermost scope that has one.
    fn file_of_scope(&self, scope: MetadataId) -> Option<&DebugInfo> {
        let mut scope = Some(scope);
        for _ in 0..MAX_SCOPES {
            let info = self.debug_info(scope?)?;
            if info.kind == DebugKind::File {
                return Some(info);
            }
            if let Some(file) = info.reference("file").and_then(|file| self.debug_info(file)) {
                return (file.kind == DebugKind::File).then_some(file);
            }
            scope = info.reference("scope");
        }
        None
    }
}
