//! Stages: modes of entry points, inputs and outputs of a patch or of each primitive, members of blocks that are used.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op, decoration};
use spirv::{BuiltIn, Decoration, ExecutionMode as Mode, ExecutionModel as Model, StorageClass};

use super::resources::innermost;
use super::{Entry, Lowering};

/// The domain of a tessellation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Domain {
    Triangle,
    Quad,
    Isoline,
}

/// `OpSetMeshOutputsEXT`.
pub(super) const SET_MESH_OUTPUTS: u32 = 5295;

/// The length that arrays of vertices have in a module that does not know the number of vertices.
pub(super) const MOST_VERTICES: u32 = 32;

impl Lowering<'_> {
    /// The execution modes of an entry point, with their operands.
    pub(super) fn modes(&self, entry: &Entry) -> Vec<(Mode, Vec<Inst>)> {
        let function = entry.function.inst();
        let all = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        all.filter(|mode| mode.function == function)
            .filter_map(|mode| Some((mode.mode?, mode.parameters.to_vec())))
            .collect()
    }

    /// The number that a mode of an entry point has.
    pub(super) fn mode_number(&self, entry: &Entry, wanted: Mode) -> Option<u32> {
        let (_, operands) = self.modes(entry).into_iter().find(|&(mode, _)| mode == wanted)?;
        let first = *operands.first()?;
        let words = self.source.constant_words(first).unwrap_or_else(|| self.source.literal_words(first));
        words.first().copied()
    }

    /// The modes of the entry points of both stages of tessellation: either may have what they share.
    pub(super) fn tessellation_modes(&self) -> Vec<(Mode, Vec<Inst>)> {
        let entries = self.source.globals().filter_map(|inst| view::EntryPoint::of(self.source, inst));
        let functions: Vec<Inst> = entries
            .filter(|entry| {
                matches!(entry.execution_model, Some(Model::TessellationControl | Model::TessellationEvaluation))
            })
            .map(|entry| entry.function)
            .collect();
        let modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        modes
            .filter(|mode| functions.contains(&mode.function))
            .filter_map(|mode| Some((mode.mode?, mode.parameters.to_vec())))
            .collect()
    }

    /// Returns whether the tessellation makes points.
    pub(super) fn tessellates_points(&self) -> bool {
        self.tessellation_modes().iter().any(|(mode, _)| *mode == Mode::PointMode)
    }

    /// The number of control points that the control shader makes, if the module has it.
    pub(super) fn control_points(&self) -> Option<u32> {
        let modes = self.tessellation_modes();
        let first = *modes.iter().find(|(mode, _)| *mode == Mode::OutputVertices)?.1.first()?;
        self.source.literal_words(first).first().copied()
    }

    /// The length of the arrays of vertices that an entry point gets, if it is not that of all.
    pub(super) fn known_vertices(&self, entry: &Entry) -> Option<u32> {
        let listed = view::EntryPoint::of(self.source, entry.inst)?.interface.to_vec();
        listed.into_iter().find_map(|variable| {
            let is_input = self.source.storage_class(variable) == Some(StorageClass::Input);
            let pointee = self.source.pointee(variable).filter(|_| is_input)?;
            match self.source.type_view(pointee) {
                Some(TypeView::Array { length, .. }) if !self.is_of_patch(variable, pointee) => {
                    self.source.constant_word(length).filter(|&count| count != MOST_VERTICES)
                }
                _ => None,
            }
        })
    }

    /// Returns whether an input or output of a tessellation shader is one of the patch.
    pub(super) fn is_of_patch(&self, variable: Inst, pointee: Inst) -> bool {
        let notes = self.source.decorated(variable);
        let built_in = notes.find().map(|decoration::BuiltIn(built_in)| built_in);
        let is_level = matches!(built_in, Some(BuiltIn::TessLevelOuter | BuiltIn::TessLevelInner));
        let block = self.source.decorated(innermost(self.source, pointee));
        is_level || built_in.is_none() && notes.has(Decoration::Patch) || block.member(0).has(Decoration::Patch)
    }

    /// The domain of the tessellation, if the module has it.
    pub(super) fn tessellated_domain(&self) -> Option<Domain> {
        self.tessellation_modes().into_iter().find_map(|(mode, _)| match mode {
            Mode::Triangles => Some(Domain::Triangle),
            Mode::Quads => Some(Domain::Quad),
            Mode::Isolines => Some(Domain::Isoline),
            _ => None,
        })
    }

    /// Returns whether an output of a mesh shader is one of each primitive.
    pub(super) fn is_of_primitive(&self, variable: Inst, element: Inst) -> bool {
        let notes = self.source.decorated(variable);
        let built_in = notes.find().map(|decoration::BuiltIn(built_in)| built_in);
        let is_built_in = built_in.is_some_and(|found| {
            matches!(
                found,
                BuiltIn::PrimitiveId
                    | BuiltIn::Layer
                    | BuiltIn::ViewportIndex
                    | BuiltIn::CullPrimitiveEXT
                    | BuiltIn::PrimitiveShadingRateKHR
            )
        });
        let of_member = self.source.decorated(element).member(0);
        is_built_in || notes.has(Decoration::PerPrimitiveEXT) || of_member.has(Decoration::PerPrimitiveEXT)
    }

    /// The members of a block that are used, behind this number of indices; `None` if all of them may be.
    pub(super) fn used_members(&self, variable: Inst, skipped: usize) -> Option<Vec<u32>> {
        let mut members = Vec::new();
        for used in self.source.uses(variable) {
            if self.source.block_of(used.user).is_none() {
                continue;
            }
            let index = view::Chain::of(self.source, used.user)?.indexes.at(skipped)?;
            members.push(
                self.source
                    .constant_word(index)
                    .or_else(|| (self.source.op(index) == Op::ConstantNull).then_some(0))?,
            );
        }
        Some(members)
    }

    /// The built-in of a variable.
    pub(super) fn built_in_of_variable(&self, variable: Inst) -> Option<BuiltIn> {
        match self.source.op(variable) {
            Op::Variable => self.source.decorated(variable).find().map(|decoration::BuiltIn(found)| found),
            _ => None,
        }
    }
}

/// Returns whether a built-in is that of the indices of primitives.
pub(super) fn is_indices(built_in: BuiltIn) -> bool {
    matches!(
        built_in,
        BuiltIn::PrimitivePointIndicesEXT | BuiltIn::PrimitiveLineIndicesEXT | BuiltIn::PrimitiveTriangleIndicesEXT
    )
}
