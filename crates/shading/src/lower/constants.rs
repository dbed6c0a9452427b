//! Constants: literals where they are used, and names for tables, structs and what is specialized.

use half::f16;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::SpecId;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::Lowering;
use crate::syntax::{
    Arguments, ConstantNote, Effects, Expr, Global, GlobalId, GlobalKind, Length, Literal, Named, Scalar, ScalarKind,
    Shape, Type, TypeShape,
};
use crate::write::WriteCode;

/// The maximum number of parts of a composite of zeros that are written one by one.
const MOST_ZEROS: u32 = 4096;

impl Lowering<'_> {
    /// Adds the expression of a constant: a literal, a constructor of literals, or a name.
    ///
    /// # Errors
    /// The constant cannot be expressed.
    pub(crate) fn constant(&mut self, constant: Inst) -> Result<Expr, Diagnostic> {
        let ty = self.type_of(constant)?;
        if let Some(global) = self.workgroup_size_constant(constant)? {
            return Ok(self.global(global));
        }
        match self.source.op(constant) {
            Op::ConstantTrue => Ok(self.literal(Literal::Bool(true), ty)),
            Op::ConstantFalse => Ok(self.literal(Literal::Bool(false), ty)),
            Op::Constant => {
                let bits = self.constant_bits(constant);
                self.number(bits, ty, constant)
            }
            // A composite of zeros is its type without parts.
            Op::ConstantNull | Op::Undef if self.is_composite_of_wgsl(ty) => {
                Ok(self.text.expressions.add(Shape::Construct(Arguments::new()), ty, Effects::PURE))
            }
            Op::SpecConstantComposite if self.is_unnamed_in_wgsl(constant) => self.composite(constant),
            Op::SpecConstantOp if self.is_unnamed_in_wgsl(constant) => self.computed_constant(constant),
            Op::ConstantNull | Op::Undef => match self.text.types[ty] {
                TypeShape::Struct(_) | TypeShape::Array { .. } => {
                    let global = self.named_constant(constant)?;
                    Ok(self.global(global))
                }
                _ => self.zero(ty, constant),
            },
            Op::ConstantComposite => match self.text.types[ty] {
                TypeShape::Struct(_) | TypeShape::Array { .. } => {
                    let global = self.named_constant(constant)?;
                    Ok(self.global(global))
                }
                _ => self.composite(constant),
            },
            Op::SpecConstant
            | Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstantComposite
            | Op::SpecConstantOp => {
                let global = self.named_constant(constant)?;
                Ok(self.global(global))
            }
            op => self.refuse(WriteCode::Constant, constant, format!("the constant {}", op.name())),
        }
    }

    /// The declaration of a constant that has a name.
    ///
    /// # Errors
    /// The constant cannot be expressed.
    pub(crate) fn named_constant(&mut self, constant: Inst) -> Result<GlobalId, Diagnostic> {
        if let Some(&known) = self.constants.get(&constant) {
            return Ok(known);
        }
        // The operands of a constant come before it, so the depth of the stack is bounded by the constants.
        let mut stack = vec![constant];
        while let Some(&next) = stack.last() {
            let missing: Vec<Inst> = self.named_parts(next).collect();
            if missing.is_empty() {
                if !self.constants.contains_key(&next) {
                    let global = self.declare_constant(next)?;
                    self.constants.insert(next, global);
                }
                stack.pop();
            }
            stack.extend(missing);
        }
        Ok(self.constants[&constant])
    }

    /// The operands of a constant that have a name and no declaration yet.
    fn named_parts(&self, constant: Inst) -> impl Iterator<Item = Inst> {
        let parts = self.source.operands(constant).filter(|&part| self.has_name(part));
        parts.filter(|part| !self.constants.contains_key(part)).collect::<Vec<Inst>>().into_iter()
    }

    fn has_name(&self, constant: Inst) -> bool {
        if self.is_unnamed_in_wgsl(constant) {
            return false;
        }
        let op = self.source.op(constant);
        let is_specialized = matches!(
            op,
            Op::SpecConstant
                | Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantComposite
                | Op::SpecConstantOp
        );
        let is_composite = matches!(op, Op::ConstantComposite | Op::ConstantNull)
            && self.source.ty(constant).is_some_and(|ty| {
                matches!(
                    self.source.type_view(ty),
                    Some(TypeView::Struct { .. } | TypeView::Array { .. } | TypeView::Matrix { .. })
                )
            });
        is_specialized || is_composite && !matches!(self.text_shape(constant), Some(TypeShape::Matrix { .. }))
    }

    fn text_shape(&self, value: Inst) -> Option<TypeShape> {
        let ty = self.types.get(&self.source.ty(value)?)?;
        Some(self.text.types[*ty])
    }

    fn declare_constant(&mut self, constant: Inst) -> Result<GlobalId, Diagnostic> {
        let ty = self.type_of(constant)?;
        if let Some(known) = self.same_specialization(constant) {
            return self.specialized_again(constant, known, ty);
        }
        let (value, prefix) = match self.source.op(constant) {
            Op::SpecConstant => {
                let bits = self.constant_bits(constant);
                let default = self.number(bits, ty, constant)?;
                (self.specialized(constant, default)?, self.specialization(constant)?)
            }
            op @ (Op::SpecConstantTrue | Op::SpecConstantFalse) => {
                let default = self.literal(Literal::Bool(op == Op::SpecConstantTrue), ty);
                (self.specialized(constant, default)?, self.specialization(constant)?)
            }
            Op::SpecConstantOp => {
                let word = if self.target == super::Target::Wgsl { "override" } else { "" };
                (self.computed_constant(constant)?, word.to_owned())
            }
            Op::ConstantNull | Op::Undef => (self.zero(ty, constant)?, String::new()),
            _ => (self.composite(constant)?, String::new()),
        };
        let name = self.name(constant).unwrap_or_else(|| match self.source.op(constant) {
            Op::ConstantNull | Op::Undef => "zeros".to_owned(),
            Op::ConstantComposite => "table".to_owned(),
            _ => self.size_name(constant).unwrap_or("constant").to_owned(),
        });
        let kind = GlobalKind::Constant(value);
        let added = self.text.add_global(Global { name, ty, kind, prefix, suffix: String::new(), is_written: false });
        if let Some(id) = self.specialization_id(constant) {
            self.specialized.insert(id, (constant, added));
            self.note_specialization(id, added);
        }
        Ok(added)
    }

    /// The constant with the same number, if one was declared.
    fn same_specialization(&self, constant: Inst) -> Option<(Inst, GlobalId)> {
        let id = self.specialization_id(constant)?;
        self.specialized.get(&id).copied()
    }

    /// A constant with the number of another one: its value, converted.
    fn specialized_again(
        &mut self,
        constant: Inst,
        (first, known): (Inst, GlobalId),
        ty: Type,
    ) -> Result<GlobalId, Diagnostic> {
        let other = self.text.global(known).ty;
        let are_integers = [ty, other]
            .into_iter()
            .all(|ty| self.text.types.scalar(ty).is_some_and(|scalar| !scalar.is_float() && scalar.width <= 32));
        if ty != other && !are_integers {
            let message = "specialization constants with one number and types of different width";
            return self.refuse(WriteCode::Constant, constant, message);
        }
        if self.constant_bits(first) != self.constant_bits(constant)
            || self.source.op(first) != self.source.op(constant)
        {
            let message = "specialization constants with one number and different default values";
            return self.refuse(WriteCode::Constant, constant, message);
        }
        let mut value = self.global(known);
        if ty != other {
            value = self.text.expressions.add(Shape::Construct(std::iter::once(value).collect()), ty, Effects::PURE);
        }
        let name = self.name(constant).unwrap_or_else(|| "constant".to_owned());
        let kind = GlobalKind::Constant(value);
        let word = if self.target == super::Target::Wgsl { "override" } else { "" };
        let (prefix, suffix) = (word.to_owned(), String::new());
        Ok(self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: false }))
    }

    /// A specialization constant in a language whose declaration has its default value.
    pub(super) fn plain_specialized(&mut self, _constant: Inst, default: Expr) -> Result<Expr, Diagnostic> {
        Ok(default)
    }

    /// Notes a specialization constant that the host program sets by its number alone. The macros of HLSL and the function constants of MSL are noted
    /// where they are made, and GLSL without Vulkan has the default value.
    fn note_specialization(&mut self, id: u32, constant: GlobalId) {
        let is_set = match self.target {
            super::Target::Glsl(glsl) => glsl.is_vulkan(),
            super::Target::Wgsl => true,
            super::Target::Hlsl(_) | super::Target::Msl(_) => false,
        };
        if is_set {
            self.text.notes.add_constant(ConstantNote { id, named: Named::Global(constant) });
        }
    }

    /// The name of a constant that is the size of the workgroup along an axis.
    pub(super) fn size_name(&self, constant: Inst) -> Option<&'static str> {
        let axes = ["workgroup_size_x", "workgroup_size_y", "workgroup_size_z"];
        self.workgroup_size_parts().iter().position(|&part| part == constant).and_then(|axis| axes.get(axis).copied())
    }

    /// The number of a specialization constant.
    pub(crate) fn specialization_id(&self, constant: Inst) -> Option<u32> {
        self.source.decorated(constant).find().map(|SpecId(id)| id)
    }

    /// The words of a number as bits.
    pub(crate) fn constant_bits(&self, constant: Inst) -> u64 {
        match self.source.constant_words(constant).unwrap_or_default() {
            [low] => u64::from(*low),
            [low, high, ..] => u64::from(*high) << 32 | u64::from(*low),
            [] => 0,
        }
    }

    /// Adds a literal.
    pub(crate) fn literal(&mut self, literal: Literal, ty: Type) -> Expr {
        self.text.expressions.add(Shape::Literal(literal), ty, Effects::PURE)
    }

    /// Adds an unsigned literal of 32 bits.
    pub(crate) fn word(&mut self, word: u32) -> Expr {
        let ty = self.text.types.numbers(Scalar::UINT, 1);
        self.literal(Literal::Uint(u64::from(word)), ty)
    }

    /// Adds a signed literal of 32 bits.
    pub(crate) fn int(&mut self, value: i32) -> Expr {
        let ty = self.text.types.numbers(Scalar::INT, 1);
        self.literal(Literal::Int(i64::from(value)), ty)
    }

    /// Adds a number of these bits.
    pub(crate) fn number(&mut self, bits: u64, ty: Type, place: Inst) -> Result<Expr, Diagnostic> {
        let Some(scalar) = self.text.types.scalar(ty) else {
            return self.refuse(WriteCode::Constant, place, "a number of a type that is none");
        };
        let unused = 64 - u32::from(scalar.width);
        let value = match scalar.kind {
            ScalarKind::Bool => Literal::Bool(bits != 0),
            ScalarKind::Int => Literal::Int((bits << unused) as i64 >> unused),
            ScalarKind::Uint => Literal::Uint(bits << unused >> unused),
            ScalarKind::Float => {
                let value = match scalar.width {
                    16 => f64::from(f16::from_bits(bits as u16)),
                    32 => f64::from(f32::from_bits(bits as u32)),
                    _ => f64::from_bits(bits),
                };
                if !value.is_finite() {
                    return self.special_float(bits, ty, place);
                }
                Literal::Float(value)
            }
        };
        Ok(self.literal(value, ty))
    }

    fn composite(&mut self, constant: Inst) -> Result<Expr, Diagnostic> {
        let ty = self.type_of(constant)?;
        let source_type = self.source.ty(constant);
        let mut parts = Arguments::new();
        for part in self.source.operands(constant).collect::<Vec<Inst>>() {
            parts.push(self.constant(part)?);
        }
        let parts = match source_type {
            Some(source_type) => self.in_places(source_type, parts, constant)?,
            None => parts,
        };
        Ok(self.text.expressions.add(Shape::Construct(parts), ty, Effects::PURE))
    }

    /// The parts of a struct in the order of the text, with zeros as padding; those of an array with padding in their structs.
    pub(crate) fn in_places(&mut self, ty: Inst, parts: Arguments, place: Inst) -> Result<Arguments, Diagnostic> {
        let converted = self.ty(ty)?;
        if self.is_wrapped(ty) {
            let TypeShape::Array { element, .. } = self.text.types[converted] else { return Ok(parts) };
            let mut wrapped = Arguments::new();
            for part in parts {
                let own = std::iter::once(part).collect();
                let members = self.filled(element, own, &[0], place)?;
                wrapped.push(self.text.expressions.add(Shape::Construct(members), element, Effects::PURE));
            }
            return Ok(wrapped);
        }
        match self.places.get(&ty).cloned() {
            Some(places) => self.filled(converted, parts, &places, place),
            None => Ok(parts),
        }
    }

    /// The members of a struct of which these are given, with zeros for the others.
    fn filled(&mut self, ty: Type, parts: Arguments, places: &[u32], place: Inst) -> Result<Arguments, Diagnostic> {
        let TypeShape::Struct(id) = self.text.types[ty] else { return Ok(parts) };
        let types: Vec<Type> = self.text.structure(id).members.iter().map(|member| member.ty).collect();
        let mut members = Arguments::new();
        for (number, ty) in types.into_iter().enumerate() {
            let given = places.iter().position(|&place| place as usize == number).and_then(|part| parts.get(part));
            members.push(match given {
                Some(&part) => part,
                None => self.zero(ty, place)?,
            });
        }
        Ok(members)
    }

    /// Adds the zero of a type.
    pub(crate) fn zero(&mut self, ty: Type, place: Inst) -> Result<Expr, Diagnostic> {
        if let Some(zero) = self.short_zero(ty) {
            return Ok(zero);
        }
        let mut left = MOST_ZEROS;
        self.zero_within(ty, &mut left, place)
    }

    /// The depth is that of the type.
    fn zero_within(&mut self, ty: Type, left: &mut u32, place: Inst) -> Result<Expr, Diagnostic> {
        let parts: Vec<Type> = match self.text.types[ty] {
            TypeShape::Scalar(_) => return self.number(0, ty, place),
            TypeShape::Vector { scalar, .. } | TypeShape::Matrix { scalar, .. } | TypeShape::Packed { scalar, .. } => {
                vec![self.text.types.numbers(scalar, 1)]
            }
            TypeShape::StoredMatrix(matrix) => {
                let vector = self.text.types.of(matrix.vector());
                vec![vector; usize::from(matrix.vectors())]
            }
            TypeShape::Array { element, length: Length::Constant(count) } => {
                if count > *left {
                    let message = format!("a zero of more than {MOST_ZEROS} numbers");
                    return self.refuse(WriteCode::Constant, place, message);
                }
                vec![element; count as usize]
            }
            TypeShape::Struct(id) => self.text.structure(id).members.iter().map(|member| member.ty).collect(),
            _ => return self.refuse(WriteCode::Constant, place, "a zero of a type that has none"),
        };
        *left = left.saturating_sub(parts.len() as u32);
        let mut zeros = Arguments::new();
        for part in parts {
            zeros.push(self.zero_within(part, left, place)?);
        }
        Ok(self.text.expressions.add(Shape::Construct(zeros), ty, Effects::PURE))
    }

    /// The constants of the size of the workgroup that can be specialized, by axis.
    pub(crate) fn workgroup_size_parts(&self) -> Vec<Inst> {
        let is_size = |&inst: &Inst| {
            let built_in = self.source.decorated(inst).find::<reconverge_ir::decoration::BuiltIn>();
            built_in.is_some_and(|built_in| built_in.0 == spirv::BuiltIn::WorkgroupSize)
                && self.source.op(inst).is_constant()
        };
        if let Some(size) = self.source.globals().find(is_size) {
            return self.source.operands(size).collect();
        }
        let functions: Vec<Inst> = self.entries.iter().map(|entry| entry.function.inst()).collect();
        let modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        let mut sizes = modes.filter(|mode| {
            functions.contains(&mode.function)
                && matches!(mode.mode, Some(spirv::ExecutionMode::LocalSize | spirv::ExecutionMode::LocalSizeId))
        });
        sizes.next().map_or_else(Vec::new, |mode| mode.parameters.to_vec())
    }
}
