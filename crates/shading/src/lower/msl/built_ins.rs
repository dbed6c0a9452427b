//! Built-in variables: parameters with an attribute, members of outputs, or functions of the language.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, view};
use spirv::{BuiltIn, Decoration, ExecutionMode as Mode, ExecutionModel as Model};

use super::super::{Entry, Lowering};
use super::Copy;
use crate::syntax::{
    Arguments, Binary, Callee, Effects, Expr, GlobalId, GlobalKind, Literal, Role, Scalar, ScalarKind, Shape, Type,
    TypeShape,
};
use crate::write::WriteCode;

/// The direction of an interface variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Input,
    Output,
}

/// The stages that have a built-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stages {
    Vertex,
    Fragment,
    /// Compute, task and mesh shaders.
    Groups,
    /// Fragments and stages with groups.
    NotVertex,
    /// Evaluation of a tessellation.
    Patch,
}

/// A built-in: its attribute, name and type, the version that has it, and the stages.
struct Row(&'static str, &'static str, (Scalar, u8), (u8, u8), Stages);

fn input_row(built_in: BuiltIn, model: Model) -> Option<Row> {
    use Stages::{Fragment, Groups, NotVertex, Patch, Vertex};
    let (bool, uint, float) = (Scalar::BOOL, Scalar::UINT, Scalar::FLOAT);
    Some(match built_in {
        BuiltIn::VertexIndex | BuiltIn::VertexId => Row("vertex_id", "vertex_index", (uint, 1), (2, 0), Vertex),
        BuiltIn::InstanceIndex | BuiltIn::InstanceId => Row("instance_id", "instance_index", (uint, 1), (2, 0), Vertex),
        BuiltIn::BaseVertex => Row("base_vertex", "first_vertex", (uint, 1), (2, 0), Vertex),
        BuiltIn::BaseInstance => Row("base_instance", "first_instance", (uint, 1), (2, 0), Vertex),
        BuiltIn::FragCoord => Row("position", "frag_coord", (float, 4), (2, 0), Fragment),
        BuiltIn::FrontFacing => Row("front_facing", "is_front", (bool, 1), (2, 0), Fragment),
        BuiltIn::PointCoord => Row("point_coord", "point_position", (float, 2), (2, 0), Fragment),
        BuiltIn::SampleId => Row("sample_id", "sample_index", (uint, 1), (2, 0), Fragment),
        BuiltIn::SampleMask => Row("sample_mask", "coverage", (uint, 1), (2, 0), Fragment),
        BuiltIn::PrimitiveId if model == Model::TessellationEvaluation => {
            Row("patch_id", "patch_index", (uint, 1), (2, 0), Patch)
        }
        BuiltIn::PrimitiveId => Row("primitive_id", "primitive_index", (uint, 1), (2, 2), Fragment),
        BuiltIn::Layer => Row("render_target_array_index", "layer", (uint, 1), (2, 0), Fragment),
        BuiltIn::ViewportIndex => Row("viewport_array_index", "viewport", (uint, 1), (2, 0), Fragment),
        BuiltIn::BaryCoordKHR => Row("barycentric_coord", "barycentric", (float, 3), (2, 2), Fragment),
        BuiltIn::BaryCoordNoPerspKHR => {
            Row("barycentric_coord, center_no_perspective", "barycentric", (float, 3), (2, 2), Fragment)
        }
        BuiltIn::GlobalInvocationId => Row("thread_position_in_grid", "global_id", (uint, 3), (2, 0), Groups),
        BuiltIn::LocalInvocationId => Row("thread_position_in_threadgroup", "local_id", (uint, 3), (2, 0), Groups),
        BuiltIn::LocalInvocationIndex => Row("thread_index_in_threadgroup", "local_index", (uint, 1), (2, 0), Groups),
        BuiltIn::WorkgroupId => Row("threadgroup_position_in_grid", "group_id", (uint, 3), (2, 0), Groups),
        BuiltIn::NumWorkgroups => Row("threadgroups_per_grid", "group_count", (uint, 3), (2, 0), Groups),
        BuiltIn::WorkgroupSize => Row("threads_per_threadgroup", "group_size", (uint, 3), (2, 0), Groups),
        BuiltIn::NumSubgroups => Row("simdgroups_per_threadgroup", "subgroup_count", (uint, 1), (2, 0), Groups),
        BuiltIn::SubgroupId => Row("simdgroup_index_in_threadgroup", "subgroup_index", (uint, 1), (2, 0), Groups),
        BuiltIn::SubgroupSize => Row("threads_per_simdgroup", "subgroup_size", (uint, 1), (2, 0), NotVertex),
        BuiltIn::SubgroupLocalInvocationId => Row("thread_index_in_simdgroup", "lane", (uint, 1), (2, 0), NotVertex),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// The entry point that has a variable in its interface, or is the instruction itself.
    pub(super) fn entry_of(&self, variable: Inst) -> Option<&Entry> {
        let has_it = |inst: Inst| {
            inst == variable
                || view::EntryPoint::of(self.source, inst)
                    .is_some_and(|entry| entry.interface.to_vec().contains(&variable))
        };
        self.entries.iter().find(|entry| has_it(entry.inst)).or_else(|| self.entries.first())
    }

    /// The stage of the entry point that has a variable in its interface.
    pub(super) fn model_of(&self, variable: Inst) -> Model {
        self.entry_of(variable).map_or(Model::GLCompute, |entry| entry.model)
    }

    /// The input of a built-in.
    pub(super) fn input_built_in(&mut self, built_in: BuiltIn, place: Inst) -> Result<GlobalId, Diagnostic> {
        let message = format!("the built-in {built_in:?} in MSL");
        let model = self.model_of(place);
        let Some(Row(attribute, name, (scalar, size), (major, minor), stages)) = input_row(built_in, model) else {
            return self.refuse(WriteCode::Interface, place, message);
        };
        let has_groups = matches!(model, Model::GLCompute | Model::TaskEXT | Model::MeshEXT);
        let is_there = match stages {
            Stages::Vertex => model == Model::Vertex,
            Stages::Fragment => model == Model::Fragment,
            Stages::Groups => has_groups,
            Stages::NotVertex => has_groups || model == Model::Fragment,
            Stages::Patch => model == Model::TessellationEvaluation,
        };
        if !is_there {
            return self.refuse(WriteCode::Interface, place, format!("{message} in this stage"));
        }
        let needed = match (built_in, model) {
            (BuiltIn::SubgroupSize | BuiltIn::SubgroupLocalInvocationId, Model::Fragment) => (2, 2),
            (BuiltIn::Layer | BuiltIn::ViewportIndex, _) => (2, 0),
            _ => (major, minor),
        };
        if !self.target.msl().has(needed.0, needed.1) {
            let message = format!("{message} before version {}.{}", needed.0, needed.1);
            return self.refuse(WriteCode::Interface, place, message);
        }
        let suffix = format!("[[{attribute}]]");
        if let Some(known) =
            self.text.globals.iter().position(|global| {
                global.suffix == suffix && matches!(global.kind, GlobalKind::OfEntry(Role::Parameter))
            })
        {
            return Ok(GlobalId(known as u32));
        }
        let ty = self.text.types.numbers(scalar, size);
        let own = self.name(place).filter(|own| !is_of_compiler(own));
        let is_variable = self.source.op(place) == reconverge_ir::Op::Variable;
        let name = own.filter(|_| is_variable).unwrap_or_else(|| name.to_owned());
        Ok(self.of_entry(name, ty, Role::Parameter, ("", suffix)))
    }

    /// The variable of a built-in of a type of the module.
    pub(super) fn built_in_of(
        &mut self,
        built_in: BuiltIn,
        ty: Inst,
        direction: Direction,
        variable: Inst,
    ) -> Result<GlobalId, Diagnostic> {
        if direction == Direction::Output {
            return self.output_built_in(built_in, ty, variable);
        }
        let converted = self.ty(ty)?;
        let of_patch = self.patch_built_in(built_in, converted, variable)?;
        if let Some(Shape::Global(global)) = of_patch.map(|value| self.text.expressions[value].shape.clone()) {
            return Ok(global);
        }
        let value = match (built_in, of_patch) {
            (_, Some(value)) => value,
            (BuiltIn::SampleMask, _) => {
                let mask = self.input_built_in(built_in, variable)?;
                let mask = self.global(mask);
                let mask = self.fitting(mask, converted);
                self.text.expressions.add(Shape::Construct(std::iter::once(mask).collect()), converted, Effects::PURE)
            }
            (BuiltIn::SamplePosition, _) => {
                let sample = self.input_built_in(BuiltIn::SampleId, variable)?;
                let sample = self.global(sample);
                self.intrinsic("get_sample_position", &[sample], converted)
            }
            (BuiltIn::HelperInvocation, _) => {
                if !self.target.msl().has(2, 3) {
                    let message = "the built-in HelperInvocation in MSL before version 2.3";
                    return self.refuse(WriteCode::Interface, variable, message);
                }
                self.intrinsic("simd_is_helper_thread", &[], converted)
            }
            (
                BuiltIn::SubgroupEqMask
                | BuiltIn::SubgroupLeMask
                | BuiltIn::SubgroupLtMask
                | BuiltIn::SubgroupGeMask
                | BuiltIn::SubgroupGtMask,
                _,
            ) => self.lane_mask(built_in, variable)?,
            _ => return self.input_built_in(built_in, variable),
        };
        let ty = self.text.expressions[value].ty;
        let name = self.name(variable).filter(|name| !is_of_compiler(name)).unwrap_or_else(|| match built_in {
            BuiltIn::SampleMask => "covered".to_owned(),
            BuiltIn::SamplePosition => "sample_position".to_owned(),
            BuiltIn::HelperInvocation => "is_helper".to_owned(),
            BuiltIn::TessCoord => "location".to_owned(),
            BuiltIn::TessLevelOuter => "outer".to_owned(),
            BuiltIn::TessLevelInner => "inner".to_owned(),
            BuiltIn::PatchVertices => "point_count".to_owned(),
            _ => "lanes".to_owned(),
        });
        Ok(self.of_entry(name, ty, Role::Variable(Some(value)), ("", String::new())))
    }

    fn intrinsic(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        let arguments: Arguments = arguments.iter().copied().collect();
        self.text.expressions.add(Shape::Call { callee: Callee::Intrinsic(name), arguments }, ty, Effects::PURE)
    }

    /// A word as the element of an array of integers of either sign.
    fn fitting(&mut self, word: Expr, array: Type) -> Expr {
        let Some(element) = self.text.part(array, 0) else { return word };
        if element == self.text.expressions[word].ty {
            return word;
        }
        self.text.expressions.add(Shape::Construct(std::iter::once(word).collect()), element, Effects::PURE)
    }

    /// The lane's bit, those below it, or both: `uint4(as_type<uint2>((1ul << lane) - 1ul), 0u, 0u)`. Those above it are those of the lanes of the
    /// subgroup that are not below.
    fn lane_mask(&mut self, built_in: BuiltIn, place: Inst) -> Result<Expr, Diagnostic> {
        if !self.target.msl().has(2, 2) {
            return self.refuse(WriteCode::Interface, place, "masks of lanes in MSL before version 2.2");
        }
        let lane = self.input_built_in(BuiltIn::SubgroupLocalInvocationId, place)?;
        let lane = self.global(lane);
        let long = self.text.types.numbers(Scalar { kind: ScalarKind::Uint, width: 64 }, 1);
        let pair = self.text.types.numbers(Scalar::UINT, 2);
        let four = self.text.types.numbers(Scalar::UINT, 4);
        let first = if matches!(built_in, BuiltIn::SubgroupLeMask | BuiltIn::SubgroupGtMask) { 2 } else { 1 };
        let start = self.literal(Literal::Uint(first), long);
        let mut bits = self.of_two(Binary::ShiftLeft, [start, lane], long);
        if built_in != BuiltIn::SubgroupEqMask {
            let one = self.literal(Literal::Uint(1), long);
            bits = self.of_two(Binary::Subtract, [bits, one], long);
        }
        if matches!(built_in, BuiltIn::SubgroupGeMask | BuiltIn::SubgroupGtMask) {
            // All lanes: the bits below that of the size. A shift by 64 is undefined, and a subgroup has at least one lane.
            let size = self.input_built_in(BuiltIn::SubgroupSize, place)?;
            let (size, width) = (self.global(size), self.word(64));
            let word = self.text.types.numbers(Scalar::UINT, 1);
            let unused = self.of_two(Binary::Subtract, [width, size], word);
            let ones = self.literal(Literal::Uint(u64::MAX), long);
            let all = self.of_two(Binary::ShiftRight, [ones, unused], long);
            bits = self.of_two(Binary::BitXor, [all, bits], long);
        }
        let words = self.intrinsic("as_type", &[bits], pair);
        let parts: Arguments = [words, self.word(0), self.word(0)].into_iter().collect();
        Ok(self.text.expressions.add(Shape::Construct(parts), four, Effects::PURE))
    }

    fn of_two(&mut self, operator: Binary, [left, right]: [Expr; 2], ty: Type) -> Expr {
        self.text.expressions.add(Shape::Binary { operator, left, right }, ty, Effects::PURE)
    }

    fn output_built_in(&mut self, built_in: BuiltIn, ty: Inst, variable: Inst) -> Result<GlobalId, Diagnostic> {
        let model = match self.model_of(variable) {
            Model::TessellationEvaluation => Model::Vertex,
            model => model,
        };
        let converted = self.ty(ty)?;
        let (uint, float) = (Scalar::UINT, Scalar::FLOAT);
        let is_invariant = self.source.decorated(variable).has(Decoration::Invariant) && self.target.msl().has(2, 1);
        let (attribute, name, scalar, size) = match (model, built_in) {
            (Model::Vertex, BuiltIn::Position) if is_invariant => ("position, invariant", "position", float, 4),
            (Model::Vertex, BuiltIn::Position) => ("position", "position", float, 4),
            (Model::Vertex, BuiltIn::PointSize) => ("point_size", "point_size", float, 1),
            (Model::Vertex, BuiltIn::Layer) => ("render_target_array_index", "layer", uint, 1),
            (Model::Vertex, BuiltIn::ViewportIndex) => ("viewport_array_index", "viewport", uint, 1),
            (Model::Vertex, BuiltIn::ClipDistance) => return self.copied(variable, converted, "clip_distance", None),
            (Model::Fragment, BuiltIn::FragDepth) => (self.depth_attribute(), "depth", float, 1),
            (Model::Fragment, BuiltIn::SampleMask) => {
                return self.copied(variable, converted, "sample_mask", Some(uint));
            }
            (Model::Fragment, BuiltIn::FragStencilRefEXT) if self.target.msl().has(2, 1) => {
                ("stencil", "stencil", uint, 1)
            }
            _ => {
                let message = format!("the built-in {built_in:?} as an output in MSL");
                return self.refuse(WriteCode::Interface, variable, message);
            }
        };
        let ty = self.text.types.numbers(scalar, size);
        let own = self.name(variable).filter(|own| !is_of_compiler(own));
        let is_block = !self.source.decorated(variable).has(Decoration::BuiltIn);
        let name = own.filter(|_| !is_block).unwrap_or_else(|| name.to_owned());
        let global = self.of_entry(name, ty, Role::Output, ("", format!("[[{attribute}]]")));
        self.set_written(global);
        Ok(global)
    }

    /// An array that is an output: a variable, whose elements are copied at the end.
    fn copied(
        &mut self,
        variable: Inst,
        ty: Type,
        attribute: &'static str,
        scalar: Option<Scalar>,
    ) -> Result<GlobalId, Diagnostic> {
        let name = self.name(variable).filter(|name| !is_of_compiler(name)).unwrap_or_else(|| format!("{attribute}s"));
        let whole = self.of_entry(name, ty, Role::Variable(None), ("", String::new()));
        self.set_written(whole);
        let suffix = format!("[[{attribute}]]");
        // A mask of samples is a number in the language, and distances are an array.
        let (part_type, paths) = match (scalar, self.text.types[ty]) {
            (Some(scalar), _) => (self.text.types.numbers(scalar, 1), vec![vec![0]]),
            (None, TypeShape::Array { length: crate::syntax::Length::Constant(count), .. }) => {
                (ty, (0..count).map(|element| vec![element]).collect())
            }
            _ => return self.refuse(WriteCode::Interface, variable, "distances that are no array, in MSL"),
        };
        let part = self.of_entry(attribute.to_owned(), part_type, Role::Output, ("", suffix));
        self.set_written(part);
        self.msl.copies.extend(paths.into_iter().map(|path| Copy { variable, whole, path, part }));
        Ok(whole)
    }

    /// The attribute of a depth, which says in what direction the shader changes it.
    fn depth_attribute(&self) -> &'static str {
        let functions: Vec<Inst> = self.entries.iter().map(|entry| entry.function.inst()).collect();
        let modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        let mut modes = modes.filter(|mode| functions.contains(&mode.function)).filter_map(|mode| mode.mode);
        match modes.find(|mode| matches!(mode, Mode::DepthGreater | Mode::DepthLess)) {
            Some(Mode::DepthGreater) => "depth(greater)",
            Some(_) => "depth(less)",
            None => "depth(any)",
        }
    }
}

/// Returns whether a compiler gave a built-in its name.
fn is_of_compiler(name: &str) -> bool {
    name.starts_with("gl_") || name.contains("BuiltIn") || name.contains("builtin") || name.contains("SV_")
}
