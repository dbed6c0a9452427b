//! The head of a text: version, extensions, precision, and the modes of the stage.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view;
use reconverge_ir::{Inst, Op};
use spirv::{ExecutionMode as Mode, ExecutionModel as Model};

use super::super::{Entry, Lowering};
use crate::syntax::{ConstantNote, GlobalId, Named, TypeShape};
use crate::write::WriteCode;

/// What a mode becomes: the words of a layout, and whether it is one of the input.
enum Layout {
    In(String),
    Out(String),
    None,
}

impl Lowering<'_> {
    /// The name of an entry point.
    pub(in crate::lower) fn glsl_entry_name(&self, _entry: &Entry) -> String {
        "main".to_owned()
    }

    /// Adds the head and the layouts.
    pub(in crate::lower) fn glsl_finish(&mut self) -> Result<(), Diagnostic> {
        self.add_modes()?;
        self.require_stage()?;
        self.refuse_lacking()?;
        let glsl = self.target.glsl();
        let number = self.text_version();
        self.text.head.push(format!("#version {number}{}", if glsl.is_embedded() { " es" } else { "" }));
        for extension in self.extensions.keys() {
            self.text.head.push(format!("#extension {extension} : require"));
        }
        if glsl.is_embedded() {
            self.add_precision();
        }
        self.add_arrays();
        Ok(())
    }

    /// Some stages need a later version than the one that was asked for only by its extensions.
    fn text_version(&self) -> u16 {
        let glsl = self.target.glsl();
        let is_new =
            matches!(
                self.model(),
                Model::MeshEXT
                    | Model::TaskEXT
                    | Model::RayGenerationKHR
                    | Model::IntersectionKHR
                    | Model::AnyHitKHR
                    | Model::ClosestHitKHR
                    | Model::MissKHR
                    | Model::CallableKHR
            ) || self.extensions.keys().any(|name| matches!(*name, "GL_EXT_ray_query" | "GL_EXT_terminate_invocation"));
        if is_new && glsl.is_vulkan() { glsl.number.max(460) } else { glsl.number }
    }

    /// Notes what the stage needs.
    fn require_stage(&mut self) -> Result<(), Diagnostic> {
        let Some(place) = self.entries.first().map(|entry| entry.inst) else { return Ok(()) };
        match self.model() {
            Model::MeshEXT | Model::TaskEXT => self.require("GL_EXT_mesh_shader", place),
            Model::RayGenerationKHR
            | Model::IntersectionKHR
            | Model::AnyHitKHR
            | Model::ClosestHitKHR
            | Model::MissKHR
            | Model::CallableKHR => self.require("GL_EXT_ray_tracing", place),
            Model::Geometry => self.uses_word("a geometry shader", place),
            Model::TessellationControl | Model::TessellationEvaluation => {
                self.uses_word("a tessellation shader", place);
            }
            Model::GLCompute => self.uses_word("a compute shader", place),
            Model::Vertex | Model::Fragment => {}
            model => return self.refuse(WriteCode::Stage, place, format!("the stage {model:?} in GLSL")),
        }
        Ok(())
    }

    fn add_modes(&mut self) -> Result<(), Diagnostic> {
        let Some(function) = self.entries.first().map(|entry| entry.function.inst()) else { return Ok(()) };
        let modes: Vec<(Inst, Option<Mode>, Vec<Inst>)> = self
            .source
            .globals()
            .filter_map(|inst| Some((inst, view::Mode::of(self.source, inst)?)))
            .filter(|(_, mode)| mode.function == function)
            .map(|(inst, mode)| (inst, mode.mode, mode.parameters.to_vec()))
            .collect();
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (inst, mode, parameters) in modes {
            let words: Vec<u32> = parameters.iter().filter_map(|&word| self.source.literal_word(word)).collect();
            match self.mode_layout(inst, mode, &words)? {
                Layout::In(words) => inputs.push(words),
                Layout::Out(words) => outputs.push(words),
                Layout::None => {}
            }
        }
        inputs.extend(self.workgroup_size()?);
        for (words, direction) in [(inputs, "in"), (outputs, "out")] {
            if !words.is_empty() {
                self.text.layouts.push(format!("layout({}) {direction};", words.join(", ")));
            }
        }
        Ok(())
    }

    fn mode_layout(&mut self, place: Inst, mode: Option<Mode>, words: &[u32]) -> Result<Layout, Diagnostic> {
        let word = words.first().copied().unwrap_or(0);
        let input = |words: &str| Ok(Layout::In(words.to_owned()));
        let model = self.model();
        // What a geometry or mesh shader, or the control of a tessellation, says of its output.
        let shape = |words: &str| match model {
            Model::MeshEXT => Ok(Layout::Out(words.to_owned())),
            _ => Ok(Layout::In(words.to_owned())),
        };
        match mode {
            Some(Mode::EarlyFragmentTests) => {
                self.uses_word("early_fragment_tests", place);
                input("early_fragment_tests")
            }
            // One is that of the language.
            Some(Mode::Invocations) if word <= 1 => Ok(Layout::None),
            Some(Mode::Invocations) => {
                self.uses_word("several invocations of a geometry shader", place);
                Ok(Layout::In(format!("invocations = {word}")))
            }
            Some(Mode::InputPoints) => input("points"),
            Some(Mode::InputLines) => input("lines"),
            Some(Mode::InputLinesAdjacency) => input("lines_adjacency"),
            // The control of a tessellation says what its evaluation takes.
            _ if model == Model::TessellationControl && mode != Some(Mode::OutputVertices) => Ok(Layout::None),
            Some(Mode::Triangles) => shape("triangles"),
            Some(Mode::InputTrianglesAdjacency) => input("triangles_adjacency"),
            Some(Mode::Quads) => input("quads"),
            Some(Mode::Isolines) => input("isolines"),
            Some(Mode::OutputPoints) => Ok(Layout::Out("points".to_owned())),
            Some(Mode::OutputLinesEXT) => Ok(Layout::Out("lines".to_owned())),
            Some(Mode::OutputTrianglesEXT) => Ok(Layout::Out("triangles".to_owned())),
            Some(Mode::OutputLineStrip) => Ok(Layout::Out("line_strip".to_owned())),
            Some(Mode::OutputTriangleStrip) => Ok(Layout::Out("triangle_strip".to_owned())),
            Some(Mode::OutputVertices) => Ok(Layout::Out(match model {
                Model::TessellationControl => format!("vertices = {word}"),
                _ => format!("max_vertices = {word}"),
            })),
            Some(Mode::OutputPrimitivesEXT) => Ok(Layout::Out(format!("max_primitives = {word}"))),
            Some(Mode::SpacingEqual) if model == Model::TessellationEvaluation => input("equal_spacing"),
            Some(Mode::SpacingFractionalEven) if model == Model::TessellationEvaluation => {
                input("fractional_even_spacing")
            }
            Some(Mode::SpacingFractionalOdd) if model == Model::TessellationEvaluation => {
                input("fractional_odd_spacing")
            }
            Some(Mode::VertexOrderCw) if model == Model::TessellationEvaluation => input("cw"),
            Some(Mode::VertexOrderCcw) if model == Model::TessellationEvaluation => input("ccw"),
            Some(Mode::PointMode) if model == Model::TessellationEvaluation => input("point_mode"),
            Some(Mode::PostDepthCoverage) => {
                self.require("GL_ARB_post_depth_coverage", place);
                input("post_depth_coverage")
            }
            Some(Mode::DepthGreater) => self.depth_layout("depth_greater"),
            Some(Mode::DepthLess) => self.depth_layout("depth_less"),
            Some(Mode::DepthUnchanged) => self.depth_layout("depth_unchanged"),
            Some(Mode::DerivativeGroupQuadsKHR) => {
                self.require("GL_NV_compute_shader_derivatives", place);
                input("derivative_group_quadsNV")
            }
            Some(Mode::DerivativeGroupLinearKHR) => {
                self.require("GL_NV_compute_shader_derivatives", place);
                input("derivative_group_linearNV")
            }
            Some(Mode::PixelCenterInteger) => {
                self.refuse(WriteCode::Interface, place, "pixels with their center at integers")
            }
            _ => Ok(Layout::None),
        }
    }

    /// The depth of a fragment shader that only makes it greater or less.
    fn depth_layout(&mut self, words: &str) -> Result<Layout, Diagnostic> {
        let glsl = self.target.glsl();
        let is_used = self.text.globals.iter().any(|global| global.name == "gl_FragDepth");
        if is_used && glsl.has(420, u16::MAX) {
            self.text.layouts.push(format!("layout({words}) out float gl_FragDepth;"));
        }
        Ok(Layout::None)
    }

    /// The size of the workgroup, with the numbers of the constants that specialize it.
    fn workgroup_size(&mut self) -> Result<Vec<String>, Diagnostic> {
        if !matches!(self.model(), Model::GLCompute | Model::MeshEXT | Model::TaskEXT) {
            return Ok(Vec::new());
        }
        let is_vulkan = self.target.glsl().is_vulkan();
        let (mut words, mut shown) = (Vec::new(), 0);
        for (part, axis) in self.workgroup_size_parts().into_iter().zip(["x", "y", "z"]) {
            let id = self.specialization_id(part).filter(|_| is_vulkan);
            if let Some(id) = id {
                words.push(format!("local_size_{axis}_id = {id}"));
                let named = Named::Word(format!("gl_WorkGroupSize.{axis}"));
                self.text.notes.add_constant(ConstantNote { id, named });
            }
            let size = match self.source.op(part) {
                Op::SpecConstantOp | Op::SpecConstantComposite => {
                    let message = "a size of the workgroup that is computed from specialization constants";
                    return self.refuse(WriteCode::Constant, part, message);
                }
                _ => self.source.constant_words(part).unwrap_or_else(|| self.source.literal_words(part)),
            };
            let size = size.first().copied().unwrap_or(1);
            words.push(format!("local_size_{axis} = {size}"));
            // Sizes of 1 behind the others are those of the language.
            if size != 1 || axis == "x" || id.is_some() {
                shown = words.len();
            }
        }
        words.truncate(shown);
        Ok(words)
    }

    /// The qualifier of a specialization constant. Without Vulkan it is a constant with its default value.
    pub(in crate::lower) fn glsl_specialization(&mut self, constant: Inst) -> Result<String, Diagnostic> {
        let id = self.specialization_id(constant).filter(|_| self.target.glsl().is_vulkan());
        Ok(id.map_or_else(String::new, |id| format!("layout(constant_id = {id}) const")))
    }

    /// The default precision of what has none in the embedded language.
    fn add_precision(&mut self) {
        self.text.head.push("precision highp float;".to_owned());
        self.text.head.push("precision highp int;".to_owned());
        let mut names = std::collections::BTreeSet::new();
        for global in &self.text.globals {
            let mut ty = global.ty;
            while let TypeShape::Array { element, .. } = self.text.types[ty] {
                ty = element;
            }
            if matches!(self.text.types[ty], TypeShape::SampledImage(_) | TypeShape::Image(_)) {
                names.insert(crate::print::image_name(self.text.types[ty]));
            }
        }
        self.text.head.extend(names.into_iter().map(|name| format!("precision highp {name};")));
    }

    /// Declares the sizes of built-in arrays.
    fn add_arrays(&mut self) {
        let (model, mut lines) = (self.model(), Vec::new());
        for global in &self.text.globals {
            let is_distance = matches!(global.name.as_str(), "gl_ClipDistance" | "gl_CullDistance");
            if let TypeShape::Array { length: crate::syntax::Length::Constant(count), .. } = self.text.types[global.ty]
                && is_distance
            {
                let direction = if model == Model::Fragment { "in" } else { "out" };
                lines.push(format!("{direction} float {}[{count}];", global.name));
            }
        }
        self.text.layouts.extend(lines);
    }

    /// The global of a constant that is the size of the workgroup, if it is one.
    pub(in crate::lower) fn glsl_workgroup_size_constant(
        &mut self,
        constant: Inst,
    ) -> Result<Option<GlobalId>, Diagnostic> {
        let built_in = self.source.decorated(constant).find::<reconverge_ir::decoration::BuiltIn>();
        if built_in.is_none_or(|built_in| built_in.0 != spirv::BuiltIn::WorkgroupSize) {
            return Ok(None);
        }
        let ty = self.type_of(constant)?;
        Ok(Some(self.built_in("gl_WorkGroupSize", ty)))
    }
}
