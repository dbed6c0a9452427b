//! Attributes of entry points, and specialization constants.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{ExecutionMode as Mode, ExecutionModel as Model};

use super::super::{Entry, Lowering};
use super::phases::Phase;
use crate::syntax::{ConstantNote, Effects, Expr, Global, GlobalKind, Literal, Named, Scalar, ScalarKind, Shape};
use crate::write::WriteCode;

/// The greatest numbers of invocations of a group in the language, of compute shaders and of mesh and task shaders.
const MOST_THREADS: u64 = 1024;
const MOST_THREADS_OF_MESHES: u64 = 128;

impl Lowering<'_> {
    /// The name of an entry point.
    pub(in crate::lower) fn hlsl_entry_name(&self, entry: &Entry) -> String {
        match self.hlsl.phase {
            Phase::Patch => super::tessellation::patch_function(&entry.name),
            _ => entry.name.clone(),
        }
    }

    /// Adds the macros of specialization constants.
    pub(in crate::lower) fn hlsl_finish(&mut self) -> Result<(), Diagnostic> {
        let lines = self.patch_macro();
        self.text.head.extend(lines);
        for (number, value) in std::mem::take(&mut self.hlsl.macros) {
            let name = macro_name(number);
            self.text.head.push(format!("#ifndef {name}"));
            self.text.head.push(format!("#define {name} {value}"));
            self.text.head.push("#endif".to_owned());
        }
        Ok(())
    }

    /// The lines before an entry point.
    pub(super) fn attributes(&mut self, entry: &Entry) -> Result<Vec<String>, Diagnostic> {
        let function = entry.function.inst();
        let modes: Vec<(Inst, Mode, Vec<Inst>)> = self
            .source
            .globals()
            .filter_map(|inst| Some((inst, view::Mode::of(self.source, inst)?)))
            .filter(|(_, mode)| mode.function == function)
            .filter_map(|(inst, mode)| Some((inst, mode.mode?, mode.parameters.to_vec())))
            .collect();
        let mut attributes = Vec::new();
        let mut size = None;
        for (inst, mode, parameters) in modes {
            match mode {
                Mode::EarlyFragmentTests => attributes.push("[earlydepthstencil]".to_owned()),
                Mode::LocalSize | Mode::LocalSizeId => size = Some(parameters),
                Mode::PixelCenterInteger => {
                    return self.refuse(WriteCode::Interface, inst, "pixels with their center at integers");
                }
                Mode::PostDepthCoverage => {
                    return self.refuse(WriteCode::Interface, inst, "a coverage behind the depth test in HLSL");
                }
                _ => {}
            }
        }
        if entry.model == Model::Geometry {
            attributes.extend(self.geometry_attributes(entry));
        }
        if super::interface::is_tessellation(entry.model) {
            attributes.extend(self.tessellation_attributes(entry)?);
        }
        if matches!(entry.model, Model::MeshEXT | Model::TaskEXT) {
            self.check_version((6, 5), "a task or mesh shader", entry.inst)?;
        }
        if entry.model == Model::MeshEXT {
            attributes.push(self.mesh_attribute(entry)?);
        }
        if matches!(entry.model, Model::GLCompute | Model::MeshEXT | Model::TaskEXT) {
            let own = self.built_in_size();
            let parts = own.or(size).unwrap_or_default();
            let mut sizes = Vec::new();
            for axis in 0..3 {
                sizes.push(match parts.get(axis) {
                    Some(&part) => self.size_text(part)?,
                    None => "1".to_owned(),
                });
            }
            let threads = sizes.iter().filter_map(|size| size.parse::<u64>().ok()).product::<u64>();
            let most = if entry.model == Model::GLCompute { MOST_THREADS } else { MOST_THREADS_OF_MESHES };
            if threads > most {
                let message = format!("a group of {threads} invocations in HLSL, which has {most}");
                return self.refuse(WriteCode::Stage, entry.inst, message);
            }
            attributes.push(format!("[numthreads({})]", sizes.join(", ")));
        }
        Ok(attributes)
    }

    /// The constants of the built-in size of the workgroup.
    fn built_in_size(&self) -> Option<Vec<Inst>> {
        let is_size = |&inst: &Inst| {
            let built_in = self.source.decorated(inst).find::<reconverge_ir::decoration::BuiltIn>();
            built_in.is_some_and(|found| found.0 == spirv::BuiltIn::WorkgroupSize) && self.source.op(inst).is_constant()
        };
        let size = self.source.globals().find(is_size)?;
        Some(self.source.operands(size).collect())
    }

    fn size_text(&mut self, part: Inst) -> Result<String, Diagnostic> {
        if let (Op::SpecConstant, Some(number)) = (self.source.op(part), self.specialization_id(part)) {
            self.named_constant(part)?;
            return Ok(macro_name(number));
        }
        match self.source.op(part) {
            Op::SpecConstantOp | Op::SpecConstantComposite => {
                let message = "a size of the workgroup that is computed from specialization constants";
                self.refuse(WriteCode::Constant, part, message)
            }
            _ => {
                let words = self.source.constant_words(part).unwrap_or_else(|| self.source.literal_words(part));
                Ok(words.first().copied().unwrap_or(1).to_string())
            }
        }
    }

    /// The words before a specialization constant: none.
    pub(in crate::lower) fn hlsl_specialization(&mut self, _constant: Inst) -> Result<String, Diagnostic> {
        Ok(String::new())
    }

    /// The value of a specialization constant: a macro, which the compiler of the text defines.
    ///
    /// ```text
    /// #ifndef SPECIALIZATION_3
    /// #define SPECIALIZATION_3 64u
    /// #endif
    /// static const uint tile = SPECIALIZATION_3;
    /// ```
    pub(in crate::lower) fn hlsl_specialized(&mut self, constant: Inst, value: Expr) -> Result<Expr, Diagnostic> {
        let Some(number) = self.specialization_id(constant) else { return Ok(value) };
        let ty = self.text.expressions[value].ty;
        let scalar = self.text.types.scalar(ty).unwrap_or(Scalar::INT);
        let text = match self.text.expressions.literal(value) {
            Some(Literal::Bool(value)) => value.to_string(),
            Some(Literal::Int(value)) => value.to_string(),
            Some(Literal::Uint(value)) => format!("{value}u"),
            Some(Literal::Float(value)) if scalar.width == 32 => format!("{:?}", value as f32),
            Some(Literal::Float(value)) => format!("{value:?}"),
            None => return Ok(value),
        };
        if scalar.width == 64 && scalar.kind != ScalarKind::Float {
            return Ok(value);
        }
        let text = if text.starts_with('-') { format!("({text})") } else { text };
        if !self.hlsl.macros.iter().any(|(known, _)| *known == number) {
            self.hlsl.macros.push((number, text));
            self.text.notes.add_constant(ConstantNote { id: number, named: Named::Word(macro_name(number)) });
        }
        let global = self.text.add_global(Global {
            name: macro_name(number),
            ty,
            kind: GlobalKind::BuiltIn,
            prefix: String::new(),
            suffix: String::new(),
            is_written: false,
        });
        Ok(self.text.expressions.add(Shape::Global(global), ty, Effects::PURE))
    }
}

fn macro_name(number: u32) -> String {
    format!("SPECIALIZATION_{number}")
}
