//! Extensions, attributes of entry points, and specialization constants.
//!
//! ```text
//! enable f16;
//! @id(3) override tile: u32 = 64u;
//! @compute @workgroup_size(tile)
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{ExecutionMode as Mode, ExecutionModel as Model};

use super::super::{Entry, Lowering};
use crate::syntax::{Arguments, Effects, Expr, GlobalKind, Length, Literal, Shape, Type, TypeShape};
use crate::write::WriteCode;

/// The largest number of a specialization constant.
const MOST_CONSTANTS: u32 = 65535;

impl Lowering<'_> {
    /// The name of an entry point.
    pub(in crate::lower) fn wgsl_entry_name(&self, entry: &Entry) -> String {
        entry.name.clone()
    }

    /// Adds the extensions.
    pub(in crate::lower) fn wgsl_finish(&mut self) -> Result<(), Diagnostic> {
        self.check_constants()?;
        self.check_lengths()?;
        self.text.head.extend(self.extensions.keys().map(|extension| format!("enable {extension};")));
        Ok(())
    }

    /// Refuses tables with numbers that are infinite or NaN: the values of constants are known before the program runs, and these are not
    /// allowed there.
    fn check_constants(&self) -> Result<(), Diagnostic> {
        for (&constant, &global) in &self.constants {
            let GlobalKind::Constant(value) = self.text.global(global).kind else { continue };
            let mut is_special = false;
            self.text.expressions.walk(value, &mut |part| {
                if let Shape::Global(read) = self.text.expressions[part].shape {
                    is_special |= self.wgsl.special.values().any(|&known| known == read);
                }
            });
            if is_special {
                let message = "a table with a NaN or an infinity in WGSL";
                return self.refuse(WriteCode::Constant, constant, message);
            }
        }
        Ok(())
    }

    /// Refuses values whose length is a specialization constant: only workgroup memory has such a length.
    fn check_lengths(&self) -> Result<(), Diagnostic> {
        let message = "a value whose length is a specialization constant, in WGSL";
        for function in &self.text.functions {
            let origin = function.origin.filter(|_| function.locals.iter().any(|one| self.has_override_length(one.ty)));
            if let Some(origin) = origin {
                return self.refuse(WriteCode::Type, origin, message);
            }
        }
        for (&constant, &global) in &self.constants {
            if self.has_override_length(self.text.global(global).ty) {
                return self.refuse(WriteCode::Type, constant, message);
            }
        }
        Ok(())
    }

    /// The lines before an entry point.
    pub(super) fn wgsl_attributes(&mut self, entry: &Entry) -> Result<Vec<String>, Diagnostic> {
        let function = entry.function.inst();
        let modes = self.source.globals().filter_map(|inst| Some((inst, view::Mode::of(self.source, inst)?)));
        let own = modes.filter(|(_, mode)| mode.function == function);
        let centered = own.into_iter().find(|(_, mode)| mode.mode == Some(Mode::PixelCenterInteger));
        if let Some((inst, _)) = centered {
            return self.refuse(WriteCode::Interface, inst, "pixels with their center at integers");
        }
        Ok(match entry.model {
            Model::Vertex => vec!["@vertex".to_owned()],
            Model::Fragment => vec!["@fragment".to_owned()],
            _ => Vec::new(),
        })
    }

    /// The size of the workgroup, without ones at the end.
    pub(super) fn wgsl_workgroup_size(&mut self, entry: &Entry) -> Result<Vec<Expr>, Diagnostic> {
        let mut sizes = Vec::new();
        for part in self.size_of(entry) {
            sizes.push(match self.source.op(part) {
                Op::SpecConstant | Op::SpecConstantOp => self.constant(part)?,
                _ => {
                    let words = self.source.constant_words(part).unwrap_or_else(|| self.source.literal_words(part));
                    self.int(words.first().copied().unwrap_or(1) as i32)
                }
            });
        }
        while sizes.len() > 1 && sizes.last().is_some_and(|&size| self.whole_number(size) == Some(1)) {
            sizes.pop();
        }
        Ok(if sizes.is_empty() { vec![self.int(1)] } else { sizes })
    }

    /// The sizes of the workgroup of an entry point: those of the built-in constant, or of its mode.
    fn size_of(&self, entry: &Entry) -> Vec<Inst> {
        let built_in = self.workgroup_size_parts();
        let is_constant = built_in.first().is_some_and(|&part| self.source.ty(part).is_some());
        let modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        let mut own = modes.filter(|mode| {
            mode.function == entry.function.inst() && matches!(mode.mode, Some(Mode::LocalSize | Mode::LocalSizeId))
        });
        match own.next() {
            Some(mode) if !is_constant || mode.mode == Some(Mode::LocalSizeId) => mode.parameters.to_vec(),
            _ => built_in,
        }
    }

    /// What is written before a specialization constant.
    pub(in crate::lower) fn wgsl_specialization(&mut self, constant: Inst) -> Result<String, Diagnostic> {
        match self.specialization_id(constant) {
            Some(id) if id > MOST_CONSTANTS => {
                let message = format!("a specialization constant of a number above {MOST_CONSTANTS}");
                self.refuse(WriteCode::Constant, constant, message)
            }
            Some(id) => Ok(format!("@id({id}) override")),
            None => Ok("override".to_owned()),
        }
    }

    /// Returns whether a constant is written where it is used: only numbers can be specialized, so a composite of specialization constants has
    /// no name.
    pub(in crate::lower) fn is_unnamed_in_wgsl(&self, constant: Inst) -> bool {
        use reconverge_ir::view::TypeView;
        let is_number = || {
            let ty = self.source.ty(constant);
            let view = ty.and_then(|ty| self.source.type_view(ty));
            matches!(view, Some(TypeView::Bool | TypeView::Int { .. } | TypeView::Float { .. }))
        };
        self.target == super::super::Target::Wgsl
            && match self.source.op(constant) {
                Op::SpecConstantComposite => true,
                Op::SpecConstantOp => !is_number(),
                _ => false,
            }
    }

    /// Returns whether a type is a struct or an array, and the language WGSL.
    pub(in crate::lower) fn is_composite_of_wgsl(&self, ty: Type) -> bool {
        self.target == super::super::Target::Wgsl
            && matches!(self.text.types[ty], TypeShape::Struct(_) | TypeShape::Array { .. })
    }

    /// The zero of a composite: its type without parts.
    pub(in crate::lower) fn wgsl_short_zero(&mut self, ty: Type) -> Option<Expr> {
        let is_composite =
            matches!(self.text.types[ty], TypeShape::Struct(_) | TypeShape::Array { .. } | TypeShape::Matrix { .. });
        let has_zero = is_composite && self.is_constructible(ty);
        has_zero.then(|| self.text.expressions.add(Shape::Construct(Arguments::new()), ty, Effects::PURE))
    }

    /// Returns whether values can have a type. The depth is that of the type.
    pub(super) fn is_constructible(&self, ty: Type) -> bool {
        match self.text.types[ty] {
            TypeShape::Array { element, length: Length::Constant(_) } => self.is_constructible(element),
            TypeShape::Array { .. } | TypeShape::Atomic(_) => false,
            TypeShape::Struct(id) => {
                self.text.structure(id).members.iter().all(|member| self.is_constructible(member.ty))
            }
            _ => true,
        }
    }

    /// The value of a number as a literal, if it is one.
    pub(super) fn whole_number(&self, value: Expr) -> Option<i64> {
        match self.text.expressions.literal(value)? {
            Literal::Int(value) => Some(value),
            Literal::Uint(value) => i64::try_from(value).ok(),
            Literal::Float(value) if value.fract() == 0.0 && value.abs() < 1e9 => Some(value as i64),
            _ => None,
        }
    }
}
