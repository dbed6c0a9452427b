//! The shader model.

use reconverge_diagnostic::Diagnostic;

use super::list::List;
use super::numbered;
use crate::error::{Code, at_bit};
use crate::module::Module;

numbered! {
    /// Kinds of shaders.
    ShaderKind {
        /// Also called a fragment shader.
        Pixel = 0 "pixel",
        /// For each vertex.
        Vertex = 1 "vertex",
        /// For each primitive.
        Geometry = 2 "geometry",
        /// For each control point of a patch.
        Hull = 3 "hull",
        /// For each point of a tessellated patch.
        Domain = 4 "domain",
        /// Without a pipeline around it.
        Compute = 5 "compute",
        /// Several functions.
        Library = 6 "library",
        /// The first of ray tracing.
        RayGeneration = 7 "ray generation",
        /// Of a ray with a primitive.
        Intersection = 8 "intersection",
        /// For each hit that may be the closest.
        AnyHit = 9 "any hit",
        /// For the closest hit.
        ClosestHit = 10 "closest hit",
        /// For a ray without a hit.
        Miss = 11 "miss",
        /// Called by other shaders of ray tracing.
        Callable = 12 "callable",
        /// Makes primitives in groups.
        Mesh = 13 "mesh",
        /// Starts groups of a mesh shader.
        Amplification = 14 "amplification",
        /// Of a work graph.
        Node = 15 "node",
    }
}

/// The names of kinds in `dx.shaderModel`.
const NAMES: [(&str, ShaderKind); 9] = [
    ("ps", ShaderKind::Pixel),
    ("vs", ShaderKind::Vertex),
    ("gs", ShaderKind::Geometry),
    ("hs", ShaderKind::Hull),
    ("ds", ShaderKind::Domain),
    ("cs", ShaderKind::Compute),
    ("lib", ShaderKind::Library),
    ("ms", ShaderKind::Mesh),
    ("as", ShaderKind::Amplification),
];

/// The target of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShaderModel {
    /// The kind of shader.
    pub kind: ShaderKind,
    /// The first number of the version: 6.
    pub major: u32,
    /// The second number of the version.
    pub minor: u32,
}

impl Module {
    /// The shader model, from `dx.shaderModel`.
    ///
    /// # Errors
    /// Metadata that is missing or not of this form.
    pub fn shader_model(&self) -> Result<ShaderModel, Diagnostic> {
        let named = self.required_metadata("dx.shaderModel")?;
        let &[id] = &named.members[..] else {
            return Err(at_bit(Code::Metadata, named.offset, "expected one shader model"));
        };
        let list = List::of(self, id)?;
        let name = list.text(0, "the kind of shader")?;
        let Some(&(_, kind)) = NAMES.iter().find(|(known, _)| *known == name) else {
            return Err(list.error(format!("expected a kind of shader, found `{name}`")));
        };
        Ok(ShaderModel { kind, major: list.word(1, "the version")?, minor: list.word(2, "the version")? })
    }

    /// A list with this name, which every shader has.
    pub(super) fn required_metadata(&self, name: &str) -> Result<&crate::module::NamedMetadata, Diagnostic> {
        self.named_metadata(name).ok_or_else(|| {
            let end = self.metadata.last().map_or(0, |entry| entry.offset);
            at_bit(Code::Metadata, end, format!("expected metadata with the name `{name}`"))
        })
    }
}
