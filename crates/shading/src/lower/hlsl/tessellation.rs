//! Tessellation: patches of vertices, and what a patch has once.
//!
//! ```text
//! Output main(InputPatch<Input, 3> input, uint invocation : SV_OutputControlPointID)
//! Patch main_patch(InputPatch<Input, 3> input, const OutputPatch<Output, 3> points)
//! Output main(Patch patch, float3 location : SV_DomainLocation, const OutputPatch<Input, 3> input)
//! ```
//!
//! The number of vertices of a patch is a part of the state of a pipeline in Vulkan and of a shader in Direct3D. Where the module does not
//! know it, it is the macro `PATCH_VERTICES`.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::view::{self, TypeView};
use spirv::{BuiltIn, ExecutionMode as Mode, ExecutionModel as Model, StorageClass};

use super::super::function::{Access, Body};
use super::super::stages::{Domain, MOST_VERTICES};
use super::super::{Entry, Lowering};
use super::built_ins::Direction;
use super::parts::{Group, Part};
use super::phases::Phase;
use crate::syntax::{Expr, Length, Literal, Scalar};
use crate::write::WriteCode;

/// The levels of tessellation that are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Levels {
    Outer,
    Inner,
}

/// The macro for the number of vertices of a patch.
const PATCH_VERTICES: &str = "PATCH_VERTICES";

impl Lowering<'_> {
    /// The number of levels that the domain has; `None` if it has none.
    pub(super) fn levels(&self, which: Levels) -> Option<u32> {
        match (self.hlsl.domain?, which) {
            (Domain::Triangle, Levels::Outer) => Some(3),
            (Domain::Quad, Levels::Outer) => Some(4),
            (Domain::Isoline, Levels::Outer) | (Domain::Quad, Levels::Inner) => Some(2),
            (Domain::Triangle, Levels::Inner) => Some(1),
            (Domain::Isoline, Levels::Inner) => None,
        }
    }

    /// Finds the domain and the number of vertices of a patch.
    pub(super) fn find_patch(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        let domain = self.tessellated_domain();
        if domain.is_none() {
            let message = "a tessellation control shader without the domain, which its evaluation shader has: HLSL needs both in a module";
            return self.refuse(WriteCode::Stage, entry.inst, message);
        }
        self.hlsl.domain = domain;
        let made = self.control_points().filter(|_| entry.model == Model::TessellationEvaluation);
        let known = made.or_else(|| self.known_vertices(entry));
        self.hlsl.patch = Some(match known {
            Some(count) => Length::Constant(count),
            None => {
                let word = self.text.types.numbers(Scalar::UINT, 1);
                Length::Named(self.built_in(PATCH_VERTICES, word))
            }
        });
        Ok(())
    }

    /// The lines at the top for the number of vertices of a patch, if it is a macro.
    pub(super) fn patch_macro(&self) -> Vec<String> {
        let Some(Length::Named(_)) = self.hlsl.patch else { return Vec::new() };
        let count = self.control_points().unwrap_or(1).max(self.named_vertices());
        let define = format!("#define {PATCH_VERTICES} {count}");
        vec![format!("#ifndef {PATCH_VERTICES}"), define, "#endif".to_owned()]
    }

    /// A number of vertices that has all that code names by a constant.
    fn named_vertices(&self) -> u32 {
        let variables = self.used_variables().into_iter().filter(|&variable| {
            let is_input = self.source.storage_class(variable) == Some(StorageClass::Input);
            self.source.pointee(variable).filter(|_| is_input).is_some_and(|pointee| {
                matches!(self.source.type_view(pointee), Some(TypeView::Array { .. }))
                    && !self.is_of_patch(variable, pointee)
            })
        });
        let uses = variables.flat_map(|variable| self.source.uses(variable)).map(|used| used.user);
        let named =
            uses.filter(|&user| self.source.block_of(user).is_some()).filter_map(|user| {
                match view::Chain::of(self.source, user).and_then(|chain| chain.indexes.first()) {
                    Some(index) => self.source.constant_word(index).map(|index| index.saturating_add(1)),
                    None => Some(MOST_VERTICES),
                }
            });
        named.max().unwrap_or(1).min(MOST_VERTICES)
    }

    /// The lines before a tessellation shader.
    pub(super) fn tessellation_attributes(&self, entry: &Entry) -> Result<Vec<String>, Diagnostic> {
        if self.hlsl.phase == Phase::Patch {
            return Ok(Vec::new());
        }
        let domain = match self.hlsl.domain {
            Some(Domain::Quad) => "quad",
            Some(Domain::Isoline) => "isoline",
            _ => "tri",
        };
        let mut attributes = vec![format!("[domain(\"{domain}\")]")];
        if entry.model == Model::TessellationEvaluation {
            return Ok(attributes);
        }
        let modes = self.tessellation_modes();
        let partitioning = modes.iter().find_map(|(mode, _)| match mode {
            Mode::SpacingEqual => Some("integer"),
            Mode::SpacingFractionalEven => Some("fractional_even"),
            Mode::SpacingFractionalOdd => Some("fractional_odd"),
            _ => None,
        });
        let is_of_points = self.tessellates_points();
        let topology = modes.iter().find_map(|(mode, _)| match mode {
            _ if is_of_points => Some("point"),
            _ if self.hlsl.domain == Some(Domain::Isoline) => Some("line"),
            Mode::VertexOrderCw => Some("triangle_cw"),
            Mode::VertexOrderCcw => Some("triangle_ccw"),
            _ => None,
        });
        let (Some(partitioning), Some(topology)) = (partitioning, topology) else {
            let message = "a tessellation control shader without a spacing or an order of vertices";
            return self.refuse(WriteCode::Stage, entry.inst, message);
        };
        attributes.push(format!("[partitioning(\"{partitioning}\")]"));
        attributes.push(format!("[outputtopology(\"{topology}\")]"));
        let count = self.mode_number(entry, Mode::OutputVertices).unwrap_or(1);
        attributes.push(format!("[outputcontrolpoints({count})]"));
        attributes.push(format!("[patchconstantfunc(\"{}\")]", patch_function(&entry.name)));
        Ok(attributes)
    }

    /// The parts of a patch: those at locations, then the levels, which HLSL requires.
    pub(super) fn parts_of_patch(&mut self, entry: &Entry, parts: Vec<Part>) -> Vec<Part> {
        let (levels, mut parts): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.form.is_of_levels());
        for which in [Levels::Outer, Levels::Inner] {
            let found = levels.iter().find(|part| part.form == super::built_ins::Form::Levels(which));
            parts.extend(found.cloned().or_else(|| self.unused_levels(entry.inst, which)));
        }
        parts
    }

    fn unused_levels(&mut self, place: Inst, which: Levels) -> Option<Part> {
        let element = self.text.types.numbers(Scalar::FLOAT, 1);
        let length = Length::Constant(self.levels(which)?);
        let ty = self.text.types.of(crate::syntax::TypeShape::Array { element, length });
        let (name, semantic) = match which {
            Levels::Outer => ("outer_levels", ": SV_TessFactor"),
            Levels::Inner => ("inner_levels", ": SV_InsideTessFactor"),
        };
        Some(Part::unbound(place, [name, semantic], ty))
    }
}

/// The name of the function of a patch.
pub(super) fn patch_function(entry: &str) -> String {
    format!("{entry}_patch")
}

impl Body<'_, '_> {
    /// Declares what an evaluation shader gets of its patch.
    pub(super) fn add_patch_inputs(&mut self, entry: &Entry, parts: Vec<Part>) -> Result<(), Diagnostic> {
        if entry.model != Model::TessellationEvaluation {
            return Ok(());
        }
        let parts = self.cx.parts_of_patch(entry, parts);
        if parts.is_empty() {
            return Ok(());
        }
        let ty = self.interface_struct(entry, "Patch", &parts);
        let patch = self.declare_input("patch", ty, ["", ""]);
        let places = self.members_of(patch, &parts);
        self.bind_inputs(&parts, &places)
    }

    /// Declares what the function of a phase returns: a control point, or what a patch has once.
    pub(super) fn add_phase_outputs(&mut self, entry: &Entry, parts: Vec<Part>) -> Result<(), Diagnostic> {
        let (points, patch): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.group == Group::Vertices);
        if self.cx.hlsl.phase == Phase::Points {
            return self.add_outputs(entry, &points, "Output");
        }
        if points.iter().any(|part| self.is_converted(part.variable)) {
            let count = self.cx.mode_number(entry, Mode::OutputVertices).unwrap_or(1);
            let length = Length::Constant(count);
            let structure = self.interface_struct(entry, "Output", &points);
            self.add_array_of_vertices(&points, structure, ("const OutputPatch", "points", length))?;
        }
        let patch = self.cx.parts_of_patch(entry, patch);
        self.add_outputs(entry, &patch, "Patch")
    }

    /// Returns whether the function that is made has an instruction that uses a variable.
    pub(super) fn is_converted(&self, variable: Inst) -> bool {
        let mut uses = self.source.uses(variable).map(|used| used.user);
        uses.any(|user| self.source.block_of(user).is_some() && !self.cx.hlsl.skipped.contains(&user))
    }

    /// The inputs that are no parameters of the function of a phase. The function of a patch runs once, for all invocations.
    pub(super) fn without_invocation(&mut self, entry: &Entry, parts: Vec<Part>) -> Vec<Part> {
        let Phase::Patch = self.cx.hlsl.phase else { return parts };
        if entry.model != Model::TessellationControl {
            return parts;
        }
        let is_invocation = |part: &Part| self.cx.built_in_of_variable(part.variable) == Some(BuiltIn::InvocationId);
        let (invocations, parts): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_invocation);
        for part in invocations {
            let number = self.cx.hlsl.invocation;
            let value = self.cx.literal(Literal::Uint(u64::from(number)), part.ty);
            self.interface.insert(part.variable, Access::Whole(value));
        }
        let own = parts.into_iter().filter(|part| part.group != Group::Vertices || self.is_converted(part.variable));
        own.collect()
    }

    /// The number of vertices of a patch.
    pub(super) fn patch_vertices(&mut self) -> Option<Expr> {
        match self.cx.hlsl.patch? {
            Length::Named(global) => Some(self.cx.global(global)),
            Length::Constant(count) => Some(self.cx.word(count)),
            Length::Runtime => None,
        }
    }

    /// Returns whether code names single levels that the language has.
    pub(super) fn names_levels_below(&self, variable: Inst, count: u32) -> bool {
        self.source.uses(variable).map(|used| used.user).filter(|&user| self.source.block_of(user).is_some()).all(
            |user| {
                let index = view::Chain::of(self.source, user).and_then(|chain| chain.indexes.first());
                index.and_then(|index| self.word(index)).is_some_and(|index| index < count)
            },
        )
    }

    /// The parts of an entry point in a direction.
    pub(super) fn sorted_inputs(&mut self, entry: &Entry) -> Result<[Vec<Part>; 3], Diagnostic> {
        let parts = self.cx.parts(entry, Direction::Input)?;
        let parts = self.without_invocation(entry, parts);
        let mut sorted = [Vec::new(), Vec::new(), Vec::new()];
        for part in parts {
            let place = match part.group {
                Group::Vertices => 0,
                Group::Patch => 1,
                _ => 2,
            };
            sorted[place].push(part);
        }
        Ok(sorted)
    }
}
