//! Entry points.

use reconverge_diagnostic::Diagnostic;

use super::list::List;
use super::{Properties, Resources, Signatures};
use crate::module::{FunctionId, Metadata, MetadataId, Module};

/// An entry point; its parts are computed when they are requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// The function; none for the first entry of a library, which has the resources of all.
    pub function: Option<FunctionId>,
    /// The name that a host uses.
    pub name: String,
    /// Inputs and outputs.
    signatures: Option<MetadataId>,
    resources: Option<MetadataId>,
    properties: Option<MetadataId>,
}

impl Module {
    /// All entry points, from `dx.entryPoints`. A shader has one.
    ///
    /// # Errors
    /// Metadata that is missing or not of this form.
    pub fn entry_points(&self) -> Result<Vec<EntryPoint>, Diagnostic> {
        let named = self.required_metadata("dx.entryPoints")?;
        named.members.iter().map(|&id| self.entry_point(List::of(self, id)?)).collect()
    }

    fn entry_point(&self, list: List<'_>) -> Result<EntryPoint, Diagnostic> {
        let function = match list.member(0).map(|id| self.metadata(id)) {
            None => None,
            Some(Metadata::Value(value)) => match self.function_of(*value) {
                Some(function) => Some(function),
                None => return Err(list.error("expected a function as the entry point")),
            },
            Some(_) => return Err(list.error("expected a function or null as the entry point")),
        };
        Ok(EntryPoint {
            function,
            name: list.text(1, "the name of the entry point")?.to_owned(),
            signatures: list.member(2),
            resources: list.member(3),
            properties: list.member(4),
        })
    }
}

impl EntryPoint {
    /// Inputs, outputs and patch constants.
    ///
    /// # Errors
    /// Metadata that is not of this form.
    pub fn signatures(&self, module: &Module) -> Result<Signatures, Diagnostic> {
        self.signatures.map_or(Ok(Signatures::default()), |id| Signatures::read(List::of(module, id)?))
    }

    /// Resources.
    ///
    /// # Errors
    /// Metadata that is not of this form.
    pub fn resources(&self, module: &Module) -> Result<Resources, Diagnostic> {
        self.resources.map_or(Ok(Resources::default()), |id| Resources::read(List::of(module, id)?))
    }

    /// The other properties of the shader.
    ///
    /// # Errors
    /// Metadata that is not of this form.
    pub fn properties(&self, module: &Module) -> Result<Properties, Diagnostic> {
        self.properties.map_or(Ok(Properties::default()), |id| Properties::read(List::of(module, id)?))
    }
}
