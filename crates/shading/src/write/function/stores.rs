//! Stores that a language or naga supports only for parts: to memory with atomics, whose elements are stored one by one, and in HLSL to
//! buffers, because naga gives equal names to the values of two such stores.
//!
//! ```text
//! counts = array(0, 0, …)        ⇒      for (i = 0; i < n; i++) { counts[i] = 0 }
//! data.b = v                     ⇒      data.b[0] = v[0]; data.b[1] = v[1]
//! ```
//!
//! Elements are stored in memory order, with an explicit stack. O(stored numbers); an array of zeros is a loop.

use naga::{
    AddressSpace, ArraySize, BinaryOperator, Block, Expression, Handle, Literal, LocalVariable, Scalar, ScalarKind,
    Span, Statement, Type, TypeInner,
};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::{Language, WriteCode};
use super::Body;

/// The maximum number of stores that replace one.
const MOST_PARTS: usize = 4096;
/// The maximum number of elements of an array of zeros that are stored without a loop.
const MOST_UNROLLED: u32 = 8;

/// A store of a part: the pointer, the type that it points to, and the value; none for zero.
struct Part {
    pointer: Handle<Expression>,
    ty: Handle<Type>,
    value: Option<Handle<Expression>>,
}

impl Body<'_, '_> {
    /// Returns whether the target of a pointer has to be stored in parts.
    pub(super) fn is_stored_in_parts(&self, pointer: Handle<Expression>) -> bool {
        let Some((ty, space)) = self.memory_type(pointer) else { return false };
        let is_number =
            |ty: &TypeInner| matches!(ty, TypeInner::Scalar(_) | TypeInner::Vector { .. } | TypeInner::Atomic(_));
        if is_number(&self.module.output.types[ty].inner) {
            return false;
        }
        let has_no_zero =
            matches!(self.module.output.types[ty].inner, TypeInner::Array { size: ArraySize::Pending(_), .. });
        let is_hlsl_buffer = self.module.language == Language::Hlsl && matches!(space, AddressSpace::Storage { .. });
        has_no_zero || is_hlsl_buffer || self.has_atomic(ty)
    }

    /// Stores the numbers of a value one by one.
    pub(super) fn store_parts(
        &mut self,
        pointer: Handle<Expression>,
        value: Option<Handle<Expression>>,
        place: Inst,
    ) -> Result<(), Diagnostic> {
        let Some((ty, _)) = self.memory_type(pointer) else { return self.unknown(place) };
        let (mut stack, mut stored) = (vec![Part { pointer, ty, value }], 0);
        while let Some(part) = stack.pop() {
            let Part { pointer, ty, value } = part;
            let parts: Vec<Handle<Type>> = match &self.module.output.types[ty].inner {
                &TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
                    if value.is_none() && count.get() > MOST_UNROLLED {
                        self.store_zeros(
                            Part { pointer, ty: base, value },
                            Expression::Literal(Literal::U32(count.get())),
                            place,
                        )?;
                        continue;
                    }
                    vec![base; count.get() as usize]
                }
                &TypeInner::Array { base, size: ArraySize::Pending(count), .. } if value.is_none() => {
                    self.store_zeros(Part { pointer, ty: base, value }, Expression::Override(count), place)?;
                    continue;
                }
                TypeInner::Struct { members, .. } => members.iter().map(|member| member.ty).collect(),
                &TypeInner::Matrix { columns, rows, scalar } => {
                    let column = self.module.plain_type(TypeInner::Vector { size: rows, scalar });
                    vec![column; columns as usize]
                }
                TypeInner::Array { .. } => {
                    return self.refuse(WriteCode::Op, place, "a store of an array whose length is no number");
                }
                _ => {
                    stored += 1;
                    let value = value.unwrap_or_else(|| self.zero(ty));
                    self.statement(Statement::Store { pointer, value });
                    continue;
                }
            };
            if stored + stack.len() + parts.len() > MOST_PARTS {
                let message = format!("a store of more than {MOST_PARTS} numbers in {}", self.module.language);
                return self.refuse(WriteCode::Op, place, message);
            }
            let steps = parts.into_iter().enumerate().rev();
            let parts: Vec<Part> =
                steps.map(|(index, ty)| self.stored_part(pointer, value, ty, index as u32)).collect();
            stack.extend(parts);
        }
        Ok(())
    }

    fn stored_part(
        &mut self,
        pointer: Handle<Expression>,
        value: Option<Handle<Expression>>,
        ty: Handle<Type>,
        index: u32,
    ) -> Part {
        let pointer = self.push(Expression::AccessIndex { base: pointer, index });
        let value = value.map(|base| self.push(Expression::AccessIndex { base, index }));
        Part { pointer, ty, value }
    }

    fn zero(&mut self, ty: Handle<Type>) -> Handle<Expression> {
        let zero = match self.module.output.types[ty].inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Literal::zero(scalar),
            _ => None,
        };
        self.push(zero.map_or(Expression::ZeroValue(ty), Expression::Literal))
    }

    /// A loop over the elements of an array that stores zeros: the pointer to the array, and the type of an element.
    fn store_zeros(&mut self, array: Part, count: Expression, place: Inst) -> Result<(), Diagnostic> {
        let ty = self.module.plain_type(TypeInner::Scalar(Scalar::U32));
        let added = LocalVariable { name: Some("i".to_owned()), ty, init: None };
        let counter = self.function.local_variables.append(added, Span::UNDEFINED);
        let counter = self.push(Expression::LocalVariable(counter));
        let zero = self.push(Expression::Literal(Literal::U32(0)));
        self.statement(Statement::Store { pointer: counter, value: zero });
        self.open_block(place, 1)?;
        let index = self.push(Expression::Load { pointer: counter });
        let limit = self.limit(count);
        let is_done = Expression::Binary { op: BinaryOperator::GreaterEqual, left: index, right: limit };
        let is_done = self.push(is_done);
        self.add_if(is_done, Block::from_vec(vec![Statement::Break]), Block::new());
        let pointer = self.push(Expression::Access { base: array.pointer, index });
        self.store_parts(pointer, None, place)?;
        let one = self.push(Expression::Literal(Literal::U32(1)));
        let next = self.push(Expression::Binary { op: BinaryOperator::Add, left: index, right: one });
        self.statement(Statement::Store { pointer: counter, value: next });
        let body = self.close_block();
        self.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
        Ok(())
    }

    /// The length of an array as a `u32`.
    fn limit(&mut self, count: Expression) -> Handle<Expression> {
        let is_signed = match count {
            Expression::Override(count) => {
                let ty = self.module.output.overrides[count].ty;
                self.module.output.types[ty].inner.scalar_kind() == Some(ScalarKind::Sint)
            }
            _ => false,
        };
        let limit = self.push(count);
        match is_signed {
            true => self.push(Expression::As { expr: limit, kind: ScalarKind::Uint, convert: None }),
            false => limit,
        }
    }

    /// The type that a pointer points to, and its address space, from the path to its variable.
    fn memory_type(&self, pointer: Handle<Expression>) -> Option<(Handle<Type>, AddressSpace)> {
        let (mut steps, mut base) = (Vec::new(), pointer);
        let (mut ty, space) = loop {
            match self.function.expressions[base] {
                Expression::AccessIndex { base: next, index } => {
                    steps.push(index);
                    base = next;
                }
                Expression::Access { base: next, .. } => {
                    steps.push(0);
                    base = next;
                }
                Expression::GlobalVariable(variable) => {
                    let variable = &self.module.output.global_variables[variable];
                    break (variable.ty, variable.space);
                }
                _ => return None,
            }
        };
        for step in steps.into_iter().rev() {
            ty = match &self.module.output.types[ty].inner {
                TypeInner::Array { base, .. } | TypeInner::BindingArray { base, .. } => *base,
                TypeInner::Struct { members, .. } => members.get(step as usize)?.ty,
                // The target is a number, a column or a component.
                _ => return None,
            };
        }
        Some((ty, space))
    }

    fn has_atomic(&self, ty: Handle<Type>) -> bool {
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match &self.module.output.types[ty].inner {
                TypeInner::Atomic(_) => return true,
                TypeInner::Array { base, .. } => open.push(*base),
                TypeInner::Struct { members, .. } => open.extend(members.iter().map(|member| member.ty)),
                _ => {}
            }
        }
        false
    }
}
