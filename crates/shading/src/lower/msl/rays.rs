//! Queries of rays: methods of `intersection_query`, from MSL 2.4 on.
//!
//! ```text
//! ray_query_initialize_khr %q %scene 1 %mask …      ⇒      intersection_params options;
//!                                                          options.force_opacity(forced_opacity::opaque);
//!                                                          q.reset(ray(origin, direction, 0.0, 100.0), scene, mask, options);
//! ```
//!
//! The types of candidates begin at 1 in the language, and at 0 in the module.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use crate::syntax::{
    Arguments, Binary, Effects, Expr, Literal, Scalar, ScalarKind, Shape, StatementKind, TypeShape, Unary,
};
use crate::write::WriteCode;

/// The methods of an operation by its number in SPIR-V: of the candidate, of the committed intersection.
const QUERIES: [(u32, [&str; 2]); 20] = [
    (4474, ["abort"; 2]),
    (COMMIT_BOX, ["commit_bounding_box_intersection"; 2]),
    (4476, ["commit_triangle_intersection"; 2]),
    (4477, ["next"; 2]),
    (INTERSECTION_TYPE, ["get_candidate_intersection_type", "get_committed_intersection_type"]),
    (6016, ["get_ray_min_distance"; 2]),
    (6018, ["get_candidate_triangle_distance", "get_committed_distance"]),
    (6019, ["get_candidate_user_instance_id", "get_committed_user_instance_id"]),
    (6020, ["get_candidate_instance_id", "get_committed_instance_id"]),
    (6022, ["get_candidate_geometry_id", "get_committed_geometry_id"]),
    (6023, ["get_candidate_primitive_id", "get_committed_primitive_id"]),
    (6024, ["get_candidate_triangle_barycentric_coord", "get_committed_triangle_barycentric_coord"]),
    (6025, ["is_candidate_triangle_front_facing", "is_committed_triangle_front_facing"]),
    (BOX_IS_OPAQUE, ["is_candidate_non_opaque_bounding_box"; 2]),
    (6027, ["get_candidate_ray_direction", "get_committed_ray_direction"]),
    (6028, ["get_candidate_ray_origin", "get_committed_ray_origin"]),
    (6029, ["get_world_space_ray_direction"; 2]),
    (6030, ["get_world_space_ray_origin"; 2]),
    (6031, ["get_candidate_object_to_world_transform", "get_committed_object_to_world_transform"]),
    (6032, ["get_candidate_world_to_object_transform", "get_committed_world_to_object_transform"]),
];

/// `OpRayQueryGenerateIntersectionKHR`.
const COMMIT_BOX: u32 = 4475;

/// `OpRayQueryGetIntersectionTypeKHR`.
const INTERSECTION_TYPE: u32 = 4479;

/// `OpRayQueryGetIntersectionCandidateAABBOpaqueKHR`. The method says the opposite.
const BOX_IS_OPAQUE: u32 = 6026;

/// The operations without a method: the flags of the ray, the offset of an instance's shaders.
const WITHOUT_METHOD: [u32; 2] = [6017, 6021];

/// The method for a flag, and its argument. Skipping the shader of the closest hit changes nothing in a query.
const FLAGS: [(u32, &str, &str); 9] = [
    (0x1, "force_opacity", "forced_opacity::opaque"),
    (0x2, "force_opacity", "forced_opacity::non_opaque"),
    (0x4, "accept_any_intersection", "true"),
    (0x10, "set_triangle_cull_mode", "triangle_cull_mode::back"),
    (0x20, "set_triangle_cull_mode", "triangle_cull_mode::front"),
    (0x40, "set_opacity_cull_mode", "opacity_cull_mode::opaque"),
    (0x80, "set_opacity_cull_mode", "opacity_cull_mode::non_opaque"),
    (0x100, "set_geometry_cull_mode", "geometry_cull_mode::triangle"),
    (0x200, "set_geometry_cull_mode", "geometry_cull_mode::bounding_box"),
];

impl Body<'_, '_> {
    /// An operation on a query of a ray. Returns whether it is one.
    pub(super) fn intersection_query(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        match self.source.op(inst) {
            Op::RayQueryInitializeKHR => {
                self.reset_query(inst)?;
                Ok(true)
            }
            Op::RayQueryGetIntersectionTypeKHR => {
                let operands: Vec<Inst> = self.source.operands(inst).collect();
                self.intersection_method(inst, INTERSECTION_TYPE, &operands)
            }
            Op::OpaquePlain | Op::OpaqueTyped => {
                let Some(opaque) = view::Opaque::of(self.source, inst) else { return Ok(false) };
                self.intersection_method(inst, opaque.opcode, &opaque.operands.to_vec())
            }
            _ => Ok(false),
        }
    }

    fn intersection_method(&mut self, inst: Inst, opcode: u32, operands: &[Inst]) -> Result<bool, Diagnostic> {
        if WITHOUT_METHOD.contains(&opcode) {
            let what =
                if opcode == WITHOUT_METHOD[0] { "the flags of a ray" } else { "the offset of shaders of a hit" };
            return self.refuse(WriteCode::Op, inst, format!("{what} in MSL"));
        }
        let Some(&(_, names)) = QUERIES.iter().find(|row| row.0 == opcode) else { return Ok(false) };
        let Some((&query, rest)) = operands.split_first() else { return Ok(false) };
        self.cx.msl.has_rays = true;
        let object = self.place(query)?;
        let is_commit = opcode == COMMIT_BOX;
        let is_committed = !is_commit && rest.first().and_then(|&which| self.word(which)) == Some(1);
        let arguments = if is_commit { self.values(rest)?.into_iter().collect() } else { Arguments::new() };
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
        let mut value = match opcode {
            INTERSECTION_TYPE => {
                // An enumerator is no number without a conversion.
                let int = self.cx.text.types.numbers(Scalar::INT, 1);
                let call = self.query_call(object, name, arguments, int);
                self.construct([call], own)
            }
            _ => self.query_call(object, name, arguments, own),
        };
        if opcode == INTERSECTION_TYPE && !is_committed {
            let one = self.cx.literal(Literal::Uint(1), own);
            value = self.binary(Binary::Subtract, value, one, own);
        }
        if opcode == BOX_IS_OPAQUE {
            value = self.unary(Unary::Not, value);
        }
        let value = self.convert(value, wanted, inst)?;
        self.define(inst, value)?;
        Ok(true)
    }

    fn reset_query(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(query) = view::RayQueryInitializeKHR::of(self.source, inst) else { return self.unknown(inst) };
        self.cx.msl.has_rays = true;
        let Some(flags) = self.word(query.ray_flags) else {
            return self.refuse(WriteCode::Op, inst, "flags of a ray that are no constant in MSL");
        };
        let options = self.ray_options(flags);
        let object = self.place(query.ray_query)?;
        let scene = self.value(query.acceleration_structure)?;
        let mask = self.value_as(query.cull_mask, ScalarKind::Uint)?;
        let ray = self.ray_of(&[query.ray_origin, query.ray_direction, query.ray_t_min, query.ray_t_max])?;
        let void = self.cx.text.types.of(TypeShape::Void);
        let call = self.query_call(object, "reset", [ray, scene, mask, options].into_iter().collect(), void);
        self.statement(StatementKind::Expression(call));
        Ok(())
    }

    /// The parameters of an intersection for the flags of a ray.
    fn ray_options(&mut self, flags: u32) -> Expr {
        let ty = self.cx.text.types.of(TypeShape::RayOptions);
        let set: Vec<_> = FLAGS.into_iter().filter(|&(flag, ..)| flags & flag != 0).collect();
        if set.is_empty() {
            return self.construct([], ty);
        }
        let options = self.variable("options", ty);
        let void = self.cx.text.types.of(TypeShape::Void);
        for (_, name, word) in set {
            let global = self.cx.built_in(word, void);
            let argument = self.with_effects(Shape::Global(global), void, Effects::PURE);
            let object = self.local(options);
            let call = self.query_call(object, name, std::iter::once(argument).collect(), void);
            self.statement(StatementKind::Expression(call));
        }
        self.local(options)
    }
}
