//! Constants, and specialization constants as overrides.
//!
//! Numbers are literals at their uses. Composites are constants of naga without a name, which its writers print at their uses, except
//! arrays, which get a name.

use half::f16;
use naga::{Expression, Handle, Literal, ScalarKind, Span};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::SpecId;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};

use super::super::{Language, WriteCode};
use super::Converter;

/// A constant as an expression without operands.
#[derive(Clone, Copy)]
pub(crate) enum Constant {
    Literal(Literal),
    Zero(Handle<naga::Type>),
    Composite(Handle<naga::Constant>),
    Override(Handle<naga::Override>),
}

impl Constant {
    /// The expression.
    pub(crate) fn expression(self) -> Expression {
        match self {
            Constant::Literal(literal) => Expression::Literal(literal),
            Constant::Zero(ty) => Expression::ZeroValue(ty),
            Constant::Composite(constant) => Expression::Constant(constant),
            Constant::Override(handle) => Expression::Override(handle),
        }
    }
}

impl Converter<'_> {
    /// A constant, after its parts. A value that depends on specialization constants is no constant ([`Converter::is_composed`]).
    ///
    /// # Errors
    /// The constant cannot be expressed.
    pub(crate) fn constant(&mut self, constant: Inst) -> Result<Constant, Diagnostic> {
        let mut stack = vec![constant];
        while let Some(&next) = stack.last() {
            if self.constants.contains_key(&next) {
                stack.pop();
                continue;
            }
            let missing: Vec<Inst> =
                self.constant_parts(next).into_iter().filter(|part| !self.constants.contains_key(part)).collect();
            if missing.is_empty() {
                let built = self.build_constant(next)?;
                self.constants.insert(next, built);
                stack.pop();
            }
            stack.extend(missing);
        }
        Ok(self.constants[&constant])
    }

    /// Returns whether an instruction is computed or composed from specialization constants, by code at each use.
    pub(crate) fn is_composed(&self, inst: Inst) -> bool {
        matches!(self.source.op(inst), Op::SpecConstantComposite | Op::SpecConstantOp)
    }

    fn constant_parts(&self, constant: Inst) -> Vec<Inst> {
        match self.source.op(constant) {
            Op::ConstantComposite => self.source.operands(constant).collect(),
            _ => Vec::new(),
        }
    }

    fn build_constant(&mut self, constant: Inst) -> Result<Constant, Diagnostic> {
        match self.source.op(constant) {
            Op::ConstantTrue => Ok(Constant::Literal(Literal::Bool(true))),
            Op::ConstantFalse => Ok(Constant::Literal(Literal::Bool(false))),
            Op::Constant => self.literal(constant).map(Constant::Literal),
            Op::ConstantNull | Op::Undef => {
                let ty = self.type_of(constant)?;
                let zero = match self.output.types[ty].inner {
                    naga::TypeInner::Scalar(scalar) => Literal::zero(scalar),
                    _ => None,
                };
                Ok(zero.map_or(Constant::Zero(ty), Constant::Literal))
            }
            Op::ConstantComposite => self.composite(constant),
            Op::SpecConstant => {
                let literal = self.literal(constant)?;
                self.specialized(constant, literal)
            }
            Op::SpecConstantTrue => self.specialized(constant, Literal::Bool(true)),
            Op::SpecConstantFalse => self.specialized(constant, Literal::Bool(false)),
            op => self.refuse(WriteCode::Constant, constant, format!("the constant {}", op.name())),
        }
    }

    fn literal(&self, constant: Inst) -> Result<Literal, Diagnostic> {
        let words = self.source.constant_words(constant).unwrap_or_default();
        let low = words.first().copied().unwrap_or_default();
        let bits = u64::from(words.get(1).copied().unwrap_or_default()) << 32 | u64::from(low);
        let Some(scalar) = self.scalar_of(constant) else {
            return self.refuse(WriteCode::Type, constant, "a number of a type that no language has");
        };
        let literal = match (scalar.kind, scalar.width) {
            (ScalarKind::Sint, 2) => Literal::I16(low as i16),
            (ScalarKind::Sint, 4) => Literal::I32(low as i32),
            (ScalarKind::Sint, _) => Literal::I64(bits as i64),
            (ScalarKind::Uint, 2) => Literal::U16(low as u16),
            (ScalarKind::Uint, 4) => Literal::U32(low),
            (ScalarKind::Uint, _) => Literal::U64(bits),
            (ScalarKind::Float, 2) => Literal::F16(f16::from_bits(low as u16)),
            (ScalarKind::Float, 4) => Literal::F32(f32::from_bits(low)),
            _ => Literal::F64(f64::from_bits(bits)),
        };
        let is_finite = match literal {
            Literal::F16(value) => value.is_finite(),
            Literal::F32(value) => value.is_finite(),
            Literal::F64(value) => value.is_finite(),
            _ => true,
        };
        if is_finite {
            Ok(literal)
        } else {
            self.refuse(WriteCode::Constant, constant, "a NaN or an infinity as a constant")
        }
    }

    fn composite(&mut self, constant: Inst) -> Result<Constant, Diagnostic> {
        let ty = self.type_of(constant)?;
        let mut components = Vec::new();
        for part in self.source.operands(constant) {
            let expression = self.constants[&part].expression();
            components.push(self.output.global_expressions.append(expression, Span::UNDEFINED));
        }
        let source_type = self.source.ty(constant);
        let is_array = source_type.is_some_and(|ty| matches!(self.source.type_view(ty), Some(TypeView::Array { .. })));
        if source_type.is_some_and(|ty| self.is_wrapped(ty)) {
            return self.refuse(WriteCode::Layout, constant, "a constant array with a stride of its own");
        }
        let components = match source_type {
            Some(ty) if matches!(self.source.type_view(ty), Some(TypeView::Struct { .. })) => {
                self.with_padding(ty, &components)
            }
            _ => components,
        };
        let init = self.output.global_expressions.append(Expression::Compose { ty, components }, Span::UNDEFINED);
        let name = is_array.then(|| self.name(constant).unwrap_or_else(|| "table".to_owned()));
        let added = naga::Constant { name, ty, init };
        Ok(Constant::Composite(self.output.constants.append(added, Span::UNDEFINED)))
    }

    /// The members of a struct with zeros as padding between them.
    fn with_padding(&mut self, ty: Inst, parts: &[Handle<Expression>]) -> Vec<Handle<Expression>> {
        let zero = self.output.global_expressions.append(Expression::Literal(Literal::U32(0)), Span::UNDEFINED);
        let mut padded = vec![zero; self.member_count(ty)];
        for (member, &part) in parts.iter().enumerate() {
            if let Some(place) = self.member(ty, member as u32) {
                padded[place as usize] = part;
            }
        }
        padded
    }

    /// A specialization constant: an override in WGSL, its default value in other languages, because naga writes no others.
    fn specialized(&mut self, constant: Inst, default: Literal) -> Result<Constant, Diagnostic> {
        if self.language != Language::Wgsl {
            return Ok(Constant::Literal(default));
        }
        let ty = self.type_of(constant)?;
        let init = self.output.global_expressions.append(Expression::Literal(default), Span::UNDEFINED);
        let id = self.source.decorated(constant).find().map(|SpecId(id)| id);
        let id = match id.map(u16::try_from) {
            Some(Err(_)) => {
                return self.refuse(WriteCode::Constant, constant, "a specialization constant of a number above 65535");
            }
            Some(Ok(id)) => Some(id),
            None => None,
        };
        let name = self.name(constant).or_else(|| id.is_none().then(|| "constant".to_owned()));
        let added = naga::Override { name, id, ty, init: Some(init) };
        Ok(Constant::Override(self.output.overrides.append(added, Span::UNDEFINED)))
    }

    /// Names an unnamed specialization constant after its role: the size of the workgroup along an axis.
    pub(crate) fn name_size(&mut self, constant: Constant, axis: usize) {
        if let Constant::Override(handle) = constant {
            let name = ["workgroup_size_x", "workgroup_size_y", "workgroup_size_z"][axis];
            self.output.overrides.get_mut(handle).name.get_or_insert_with(|| name.to_owned());
        }
    }
}
