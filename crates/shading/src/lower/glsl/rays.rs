//! Rays: queries (`GL_EXT_ray_query`) and the stages of ray tracing (`GL_EXT_ray_tracing`).

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use super::super::uses::root;
use crate::syntax::{Effects, Expr, Literal, Scalar, ScalarKind, StatementKind, TypeShape};

/// What an operation takes besides the query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// Whether the committed intersection is meant.
    Intersection,
    /// Numbers.
    Values,
}

/// The name of an operation on a query, by its number in SPIR-V, what it takes, and the signedness of its integers.
const QUERIES: [(u32, &str, Takes, ScalarKind); 22] = [
    (4474, "rayQueryTerminateEXT", Takes::Nothing, ScalarKind::Float),
    (4475, "rayQueryGenerateIntersectionEXT", Takes::Values, ScalarKind::Float),
    (4476, "rayQueryConfirmIntersectionEXT", Takes::Nothing, ScalarKind::Float),
    (4477, "rayQueryProceedEXT", Takes::Nothing, ScalarKind::Bool),
    (INTERSECTION_TYPE, "rayQueryGetIntersectionTypeEXT", Takes::Intersection, ScalarKind::Uint),
    (6016, "rayQueryGetRayTMinEXT", Takes::Nothing, ScalarKind::Float),
    (6017, "rayQueryGetRayFlagsEXT", Takes::Nothing, ScalarKind::Uint),
    (6018, "rayQueryGetIntersectionTEXT", Takes::Intersection, ScalarKind::Float),
    (6019, "rayQueryGetIntersectionInstanceCustomIndexEXT", Takes::Intersection, ScalarKind::Int),
    (6020, "rayQueryGetIntersectionInstanceIdEXT", Takes::Intersection, ScalarKind::Int),
    (6021, "rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT", Takes::Intersection, ScalarKind::Uint),
    (6022, "rayQueryGetIntersectionGeometryIndexEXT", Takes::Intersection, ScalarKind::Int),
    (6023, "rayQueryGetIntersectionPrimitiveIndexEXT", Takes::Intersection, ScalarKind::Int),
    (6024, "rayQueryGetIntersectionBarycentricsEXT", Takes::Intersection, ScalarKind::Float),
    (6025, "rayQueryGetIntersectionFrontFaceEXT", Takes::Intersection, ScalarKind::Bool),
    (6026, "rayQueryGetIntersectionCandidateAABBOpaqueEXT", Takes::Nothing, ScalarKind::Bool),
    (6027, "rayQueryGetIntersectionObjectRayDirectionEXT", Takes::Intersection, ScalarKind::Float),
    (6028, "rayQueryGetIntersectionObjectRayOriginEXT", Takes::Intersection, ScalarKind::Float),
    (6029, "rayQueryGetWorldRayDirectionEXT", Takes::Nothing, ScalarKind::Float),
    (6030, "rayQueryGetWorldRayOriginEXT", Takes::Nothing, ScalarKind::Float),
    (6031, "rayQueryGetIntersectionObjectToWorldEXT", Takes::Intersection, ScalarKind::Float),
    (6032, "rayQueryGetIntersectionWorldToObjectEXT", Takes::Intersection, ScalarKind::Float),
];

/// `OpRayQueryGetIntersectionTypeKHR`.
const INTERSECTION_TYPE: u32 = 4479;

/// `OpReportIntersectionKHR`.
const REPORT_INTERSECTION: u32 = 5334;

impl Body<'_, '_> {
    /// An operation on rays. Returns whether it is one.
    pub(super) fn ray(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        match self.source.op(inst) {
            Op::TraceRayKHR => self.trace_ray(inst)?,
            Op::ExecuteCallableKHR => self.execute_callable(inst)?,
            Op::RayQueryInitializeKHR => self.initialize_query(inst)?,
            Op::RayQueryGetIntersectionTypeKHR => {
                let operands: Vec<Inst> = self.source.operands(inst).collect();
                return self.query(inst, INTERSECTION_TYPE, &operands);
            }
            Op::OpaquePlain | Op::OpaqueTyped => {
                let Some(opaque) = view::Opaque::of(self.source, inst) else { return Ok(false) };
                let operands = opaque.operands.to_vec();
                if opaque.opcode == REPORT_INTERSECTION {
                    return self.report_intersection(inst, &operands);
                }
                return self.query(inst, opaque.opcode, &operands);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn query(&mut self, inst: Inst, opcode: u32, operands: &[Inst]) -> Result<bool, Diagnostic> {
        let Some(&(_, name, takes, kind)) = QUERIES.iter().find(|row| row.0 == opcode) else { return Ok(false) };
        let Some((&query, rest)) = operands.split_first() else { return Ok(false) };
        self.cx.require("GL_EXT_ray_query", inst);
        let mut arguments = vec![self.place(query)?];
        match takes {
            Takes::Nothing => {}
            Takes::Intersection => {
                let is_committed = rest.first().and_then(|&which| self.word(which)) == Some(1);
                let boolean = self.cx.text.types.of(TypeShape::Scalar(Scalar::BOOL));
                arguments.push(self.cx.literal(Literal::Bool(is_committed), boolean));
            }
            Takes::Values => arguments.extend(self.values(rest)?),
        }
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let Some(ty) = self.source.ty(inst) else {
            self.call_statement(name, &arguments);
            return Ok(true);
        };
        let wanted = self.cx.ty(ty)?;
        let numbers = self.numbers_of_type(wanted);
        let own = match numbers.scalar.is_integer() {
            true => self.cx.text.types.numbers(numbers.scalar.with(kind), numbers.size),
            false => wanted,
        };
        let value = self.call_with(name, &arguments, own, effects);
        let value = self.convert(value, wanted, inst)?;
        self.define(inst, value)?;
        Ok(true)
    }

    fn initialize_query(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(query) = view::RayQueryInitializeKHR::of(self.source, inst) else { return self.unknown(inst) };
        self.cx.require("GL_EXT_ray_query", inst);
        let mut arguments = vec![self.place(query.ray_query)?, self.value(query.acceleration_structure)?];
        for word in [query.ray_flags, query.cull_mask] {
            arguments.push(self.value_as(word, ScalarKind::Uint)?);
        }
        for value in [query.ray_origin, query.ray_t_min, query.ray_direction, query.ray_t_max] {
            arguments.push(self.value(value)?);
        }
        self.call_statement("rayQueryInitializeEXT", &arguments);
        Ok(())
    }

    /// The acceleration structure at an address.
    pub(in crate::lower) fn structure_at(&mut self, conversion: Inst) -> Result<Expr, Diagnostic> {
        let address = self.value_as(self.source.operand(conversion, 0), ScalarKind::Uint)?;
        let ty = self.cx.type_of(conversion)?;
        Ok(self.call("accelerationStructureEXT", &[address], ty))
    }

    fn trace_ray(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(trace) = view::TraceRayKHR::of(self.source, inst) else { return self.unknown(inst) };
        let mut arguments = vec![self.value(trace.acceleration_structure)?];
        for word in [trace.ray_flags, trace.cull_mask, trace.sbt_offset, trace.sbt_stride, trace.miss_index] {
            arguments.push(self.value_as(word, ScalarKind::Uint)?);
        }
        for value in [trace.ray_origin, trace.ray_t_min, trace.ray_direction, trace.ray_t_max] {
            arguments.push(self.value(value)?);
        }
        arguments.push(self.location(trace.payload));
        self.call_statement("traceRayEXT", &arguments);
        Ok(())
    }

    fn execute_callable(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(call) = view::ExecuteCallableKHR::of(self.source, inst) else { return self.unknown(inst) };
        let index = self.value_as(call.sbt_index, ScalarKind::Uint)?;
        let location = self.location(call.callable_data);
        self.call_statement("executeCallableEXT", &[index, location]);
        Ok(())
    }

    /// The number by which the language names a payload: the location of its variable.
    fn location(&mut self, payload: Inst) -> Expr {
        let variable = root(self.source, payload);
        let location = self.cx.payloads.get(&variable).copied().unwrap_or(0);
        self.cx.int(location as i32)
    }

    fn report_intersection(&mut self, inst: Inst, operands: &[Inst]) -> Result<bool, Diagnostic> {
        let &[hit, kind] = operands else { return Ok(false) };
        let arguments = [self.value(hit)?, self.value_as(kind, ScalarKind::Uint)?];
        let ty = self.cx.type_of(inst)?;
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let value = self.call_with("reportIntersectionEXT", &arguments, ty, effects);
        if !self.source.is_used(inst) {
            self.statement(StatementKind::Expression(value));
            return Ok(true);
        }
        self.define(inst, value)?;
        Ok(true)
    }
}
