//! Sizes of points, which HLSL does not have: points have the size 1.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::BuiltIn;
use reconverge_ir::{Inst, view};
use spirv::ExecutionModel as Model;

use super::super::function::Body;
use crate::syntax::{Expr, Literal};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// Returns whether a pointer is one to the size of points.
    pub(super) fn is_point_size(&self, pointer: Inst) -> bool {
        let is_size = |note: Option<BuiltIn>| note.is_some_and(|found| found.0 == spirv::BuiltIn::PointSize);
        let (variable, indexes) = self.path_of(pointer);
        if is_size(self.source.decorated(variable).find()) {
            return true;
        }
        let Some(mut block) = self.source.pointee(variable) else { return false };
        let mut indexes = indexes.into_iter();
        while let Some(element) = self.source.element_type(block) {
            block = element;
            indexes.next();
        }
        let member = indexes.next().and_then(|member| self.word(member));
        member.is_some_and(|member| is_size(self.source.decorated(block).member(member).find()))
    }

    /// The size of the points that is read, where it is only a size of points again.
    pub(super) fn point_size(&mut self, inst: Inst) -> Result<Expr, Diagnostic> {
        let ty = self.cx.type_of(inst)?;
        let is_passed =
            self.source.uses(inst).filter(|used| self.source.block_of(used.user).is_some()).all(|used| {
                view::Store::of(self.source, used.user).is_some_and(|store| self.is_point_size(store.pointer))
            });
        match is_passed {
            true => Ok(self.cx.literal(Literal::Float(1.0), ty)),
            false => self.refuse(WriteCode::Interface, inst, "the size of a point in HLSL"),
        }
    }

    /// Stores a size of points: that of points has to be 1, and lines and triangles have none.
    pub(super) fn store_point_size(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let object = view::Store::of(self.source, inst).map(|store| store.object);
        let is_one = object.is_some_and(|object| self.source.constant_word(object) == Some(1.0_f32.to_bits()));
        let makes_points = match self.cx.stage() {
            Model::Geometry => self.is_of_points(),
            Model::TessellationControl | Model::TessellationEvaluation => self.cx.tessellates_points(),
            // Mesh shaders of points are refused.
            Model::MeshEXT => false,
            _ => true,
        };
        match is_one || !makes_points {
            true => Ok(()),
            false => self.refuse(WriteCode::Interface, inst, "a size of points other than 1 in HLSL"),
        }
    }
}
