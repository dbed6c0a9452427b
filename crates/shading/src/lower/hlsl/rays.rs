//! Queries of rays: methods of an object, from shader model 6.5 on.
//!
//! ```text
//! ray_query_initialize_khr %q %scene %flags %mask …      ⇒      RayDesc ray = { origin, 0.0, direction, 100.0 };
//!                                                               q.TraceRayInline(scene, flags, mask, ray);
//! ```
//!
//! Types of intersections have the same numbers in both. A transform is the matrix whose rows are the columns of the module's.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use crate::syntax::{Arguments, Effects, Expr, ScalarKind, Shape, StatementKind, Type, TypeShape, Unary};

/// What an operation takes besides the query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// Whether the candidate or the committed intersection is meant.
    Intersection,
    /// Numbers.
    Values,
}

/// The methods of an operation by its number in SPIR-V: of the candidate, of the committed intersection.
const QUERIES: [(u32, [&str; 2], Takes); 22] = [
    (4474, ["Abort"; 2], Takes::Nothing),
    (4475, ["CommitProceduralPrimitiveHit"; 2], Takes::Values),
    (4476, ["CommitNonOpaqueTriangleHit"; 2], Takes::Nothing),
    (4477, ["Proceed"; 2], Takes::Nothing),
    (INTERSECTION_TYPE, ["CandidateType", "CommittedStatus"], Takes::Intersection),
    (6016, ["RayTMin"; 2], Takes::Nothing),
    (6017, ["RayFlags"; 2], Takes::Nothing),
    (6018, ["CandidateTriangleRayT", "CommittedRayT"], Takes::Intersection),
    (6019, ["CandidateInstanceID", "CommittedInstanceID"], Takes::Intersection),
    (6020, ["CandidateInstanceIndex", "CommittedInstanceIndex"], Takes::Intersection),
    (
        6021,
        ["CandidateInstanceContributionToHitGroupIndex", "CommittedInstanceContributionToHitGroupIndex"],
        Takes::Intersection,
    ),
    (6022, ["CandidateGeometryIndex", "CommittedGeometryIndex"], Takes::Intersection),
    (6023, ["CandidatePrimitiveIndex", "CommittedPrimitiveIndex"], Takes::Intersection),
    (6024, ["CandidateTriangleBarycentrics", "CommittedTriangleBarycentrics"], Takes::Intersection),
    (6025, ["CandidateTriangleFrontFace", "CommittedTriangleFrontFace"], Takes::Intersection),
    (BOX_IS_OPAQUE, ["CandidateProceduralPrimitiveNonOpaque"; 2], Takes::Nothing),
    (6027, ["CandidateObjectRayDirection", "CommittedObjectRayDirection"], Takes::Intersection),
    (6028, ["CandidateObjectRayOrigin", "CommittedObjectRayOrigin"], Takes::Intersection),
    (6029, ["WorldRayDirection"; 2], Takes::Nothing),
    (6030, ["WorldRayOrigin"; 2], Takes::Nothing),
    (6031, ["CandidateObjectToWorld4x3", "CommittedObjectToWorld4x3"], Takes::Intersection),
    (6032, ["CandidateWorldToObject4x3", "CommittedWorldToObject4x3"], Takes::Intersection),
];

/// `OpRayQueryGetIntersectionTypeKHR`.
const INTERSECTION_TYPE: u32 = 4479;

/// `OpRayQueryGetIntersectionCandidateAABBOpaqueKHR`. The method says the opposite.
const BOX_IS_OPAQUE: u32 = 6026;

impl Body<'_, '_> {
    /// An operation on a query of a ray. Returns whether it is one.
    pub(super) fn ray_query(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        match self.source.op(inst) {
            Op::RayQueryInitializeKHR => {
                self.trace_inline(inst)?;
                Ok(true)
            }
            Op::RayQueryGetIntersectionTypeKHR => {
                let operands: Vec<Inst> = self.source.operands(inst).collect();
                self.query_method(inst, INTERSECTION_TYPE, &operands)
            }
            Op::OpaquePlain | Op::OpaqueTyped => {
                let Some(opaque) = view::Opaque::of(self.source, inst) else { return Ok(false) };
                self.query_method(inst, opaque.opcode, &opaque.operands.to_vec())
            }
            _ => Ok(false),
        }
    }

    fn query_method(&mut self, inst: Inst, opcode: u32, operands: &[Inst]) -> Result<bool, Diagnostic> {
        let Some(&(_, names, takes)) = QUERIES.iter().find(|row| row.0 == opcode) else { return Ok(false) };
        let Some((&query, rest)) = operands.split_first() else { return Ok(false) };
        self.cx.check_version((6, 5), "a query of a ray", inst)?;
        let object = self.place(query)?;
        let is_committed = takes == Takes::Intersection && rest.first().and_then(|&which| self.word(which)) == Some(1);
        let arguments =
            if takes == Takes::Values { self.values(rest)?.into_iter().collect() } else { Arguments::new() };
        let name = names[usize::from(is_committed)];
        let Some(ty) = self.source.ty(inst) else {
            let void = self.cx.text.types.of(TypeShape::Void);
            let call = self.query_call(object, name, arguments, void);
            self.statement(StatementKind::Expression(call));
            return Ok(true);
        };
        let wanted = self.cx.ty(ty)?;
        let numbers = self.numbers_of_type(wanted);
        let own = match numbers.scalar.is_integer() {
            true => self.cx.text.types.numbers(numbers.scalar.with(ScalarKind::Uint), numbers.size),
            false => wanted,
        };
        let mut value = self.query_call(object, name, arguments, own);
        if opcode == BOX_IS_OPAQUE {
            value = self.unary(Unary::Not, value);
        }
        let value = self.convert(value, wanted, inst)?;
        self.define(inst, value)?;
        Ok(true)
    }

    /// A call of a method of a query, which may read and write it.
    pub(in crate::lower) fn query_call(
        &mut self,
        object: Expr,
        name: &'static str,
        arguments: Arguments,
        ty: Type,
    ) -> Expr {
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        self.with_effects(Shape::Method { object, name, arguments }, ty, effects)
    }

    fn trace_inline(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(query) = view::RayQueryInitializeKHR::of(self.source, inst) else { return self.unknown(inst) };
        self.cx.check_version((6, 5), "a query of a ray", inst)?;
        let object = self.place(query.ray_query)?;
        let scene = self.value(query.acceleration_structure)?;
        let flags = self.value_as(query.ray_flags, ScalarKind::Uint)?;
        let mask = self.value_as(query.cull_mask, ScalarKind::Uint)?;
        let parts = [query.ray_origin, query.ray_t_min, query.ray_direction, query.ray_t_max];
        let ray = self.ray_of(&parts)?;
        let void = self.cx.text.types.of(TypeShape::Void);
        let call = self.query_call(object, "TraceRayInline", [scene, flags, mask, ray].into_iter().collect(), void);
        self.statement(StatementKind::Expression(call));
        Ok(())
    }

    /// A ray: its origin, the least distance, its direction, the greatest distance.
    pub(in crate::lower) fn ray_of(&mut self, parts: &[Inst]) -> Result<Expr, Diagnostic> {
        let values = self.values(parts)?;
        let ty = self.cx.text.types.of(TypeShape::Ray);
        Ok(self.construct(values, ty))
    }
}
