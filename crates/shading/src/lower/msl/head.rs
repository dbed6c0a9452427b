//! The head of a text, the names of entry points, and specialization constants.
//!
//! ```text
//! constant uint count_given [[function_constant(0)]];
//! constant uint count = is_function_constant_defined(count_given) ? count_given : 64u;
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};
use spirv::ExecutionModel as Model;

use super::super::{Entry, Lowering};
use crate::syntax::{
    Callee, ConstantNote, Effects, Expr, Function, Global, GlobalId, GlobalKind, Named, Scalar, Shape,
};

impl Lowering<'_> {
    /// The name of an entry point.
    pub(in crate::lower) fn msl_entry_name(&self, entry: &Entry) -> String {
        entry.name.clone()
    }

    /// Adds the head.
    pub(in crate::lower) fn msl_finish(&mut self) -> Result<(), Diagnostic> {
        self.text.head.push("#include <metal_stdlib>".to_owned());
        if self.msl.has_rays {
            self.text.head.push("#include <metal_raytracing>".to_owned());
        }
        self.text.head.push("using namespace metal;".to_owned());
        if self.msl.has_rays {
            self.text.head.push("using namespace metal::raytracing;".to_owned());
        }
        // The language has no word for a single value that is computed as the code says.
        if self.uses.is_exact() {
            self.text.head.push("#pragma clang fp contract(off)".to_owned());
        }
        for entry in self.entries {
            let (words, comment) = match entry.model {
                Model::Vertex => ("vertex".to_owned(), None),
                Model::TessellationEvaluation => (self.patch_words(entry)?, None),
                Model::Fragment => ("fragment".to_owned(), None),
                Model::TaskEXT => ("[[object]]".to_owned(), self.threads()),
                Model::MeshEXT => ("[[mesh]]".to_owned(), self.threads()),
                _ => ("kernel".to_owned(), self.threads()),
            };
            let Some(&id) = self.functions.get(&entry.function) else { continue };
            let is_early = self.has_early_tests(entry);
            let function: &mut Function = &mut self.text.functions[id.0 as usize];
            function.prefix = words;
            function.attributes.extend(comment);
            if is_early {
                function.attributes.push("[[early_fragment_tests]]".to_owned());
            }
        }
        Ok(())
    }

    fn has_early_tests(&self, entry: &Entry) -> bool {
        let modes = self.source.globals().filter_map(|inst| reconverge_ir::view::Mode::of(self.source, inst));
        modes
            .filter(|mode| mode.function == entry.function.inst())
            .any(|mode| mode.mode == Some(spirv::ExecutionMode::EarlyFragmentTests))
    }

    /// The size of a threadgroup, which the caller chooses, as a comment.
    fn threads(&self) -> Option<String> {
        let parts = self.workgroup_size_parts();
        let sizes: Vec<String> = parts
            .iter()
            .map(|&part| {
                let words = self.source.constant_words(part).unwrap_or_else(|| self.source.literal_words(part));
                words.first().copied().unwrap_or(1).to_string()
            })
            .collect();
        (!sizes.is_empty()).then(|| format!("// threads of a threadgroup: {}", sizes.join(" x ")))
    }

    /// Nothing is written before a specialization constant.
    pub(in crate::lower) fn msl_specialization(&mut self, _constant: Inst) -> Result<String, Diagnostic> {
        Ok(String::new())
    }

    /// The value of a specialization constant: what the caller gives, or the default. One that is the length of an array has its default.
    pub(in crate::lower) fn msl_specialized(&mut self, constant: Inst, default: Expr) -> Result<Expr, Diagnostic> {
        let id = self.specialization_id(constant).filter(|_| !self.msl.fixed.contains(&constant));
        let Some(id) = id else { return Ok(default) };
        let ty = self.text.expressions[default].ty;
        let name = self.name(constant).or_else(|| self.size_name(constant).map(str::to_owned));
        let given = self.text.add_global(Global {
            name: format!("{}_given", name.as_deref().unwrap_or("constant")),
            ty,
            kind: GlobalKind::Variable(None),
            prefix: "constant".to_owned(),
            suffix: format!("[[function_constant({id})]]"),
            is_written: false,
        });
        self.text.notes.add_constant(ConstantNote { id, named: Named::Global(given) });
        let boolean = self.text.types.numbers(Scalar::BOOL, 1);
        let arguments = std::iter::once(self.global(given)).collect();
        let callee = Callee::Intrinsic("is_function_constant_defined");
        let condition = self.text.expressions.add(Shape::Call { callee, arguments }, boolean, Effects::PURE);
        let accept = self.global(given);
        Ok(self.text.expressions.add(Shape::Choice { condition, accept, reject: default }, ty, Effects::PURE))
    }

    /// Finds the specialization constants that lengths of arrays are computed from.
    pub(super) fn find_fixed(&mut self) {
        let arrays = self.source.globals().filter_map(|inst| match self.source.type_view(inst) {
            Some(TypeView::Array { length, .. }) => Some(length),
            _ => None,
        });
        let mut work: Vec<Inst> = arrays.filter(|&length| self.source.op(length) != Op::Constant).collect();
        while let Some(constant) = work.pop() {
            if self.msl.fixed.insert(constant) {
                work.extend(self.source.operands(constant).filter(|&operand| self.source.op(operand).is_constant()));
            }
        }
    }

    /// The global of a constant that is the size of the workgroup: it is a constant as others.
    pub(in crate::lower) fn msl_workgroup_size_constant(
        &mut self,
        _constant: Inst,
    ) -> Result<Option<GlobalId>, Diagnostic> {
        Ok(None)
    }
}
