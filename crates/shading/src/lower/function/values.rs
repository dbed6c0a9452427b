//! Values as expressions.
//!
//! A value is named where it is computed, and can be named in that list of statements and in those inside. A value that is used elsewhere is
//! a variable, and so is a parameter of a block.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use smallvec::SmallVec;

use super::super::Target;
use super::{Body, Open, scoping};
use crate::syntax::{
    Arguments, Binary, Block, Callee, DEEPEST_BLOCK, Effects, Expr, Literal, Local, LocalId, LocalKind, Scalar,
    ScalarKind, Shape, Statement, StatementKind, Swizzle, Type, TypeShape, Unary,
};
use crate::write::WriteCode;

/// The type of numbers: a scalar type, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) scalar: Scalar,
    /// The number of components; 1 for a number alone.
    pub(crate) size: u8,
}

impl Body<'_, '_> {
    /// Opens a list inside the current one.
    ///
    /// # Errors
    /// The limit on nesting.
    pub(super) fn open_block(&mut self, place: Inst, braces: u32) -> Result<(), Diagnostic> {
        let depth = self.open.iter().rev().find(|open| open.is_current).map_or(0, |open| open.depth) + braces;
        if depth > DEEPEST_BLOCK {
            let message = format!("blocks nest deeper than {DEEPEST_BLOCK}, the limit of WGSL");
            return self.refuse(WriteCode::Nesting, place, message);
        }
        self.open.push(Open { block: Block::new(), depth, is_current: true });
        Ok(())
    }

    /// Ends the code of the current list. It is kept until the construct that contains it is complete.
    pub(super) fn seal_block(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.is_current = false;
        }
    }

    /// The statements of the last list, which is complete.
    pub(super) fn close_block(&mut self) -> Block {
        self.open.pop().map(|open| open.block).unwrap_or_default()
    }

    /// Adds a statement to the current list.
    pub(crate) fn statement(&mut self, kind: StatementKind) {
        let origin = self.origin;
        let open = self.open.last_mut().expect("invariant: a list is open while code is converted");
        open.block.push(Statement { kind, origin });
    }

    /// Adds an expression that depends on its parts alone.
    pub(crate) fn pure(&mut self, shape: Shape, ty: Type) -> Expr {
        self.cx.text.expressions.add(shape, ty, Effects::PURE)
    }

    /// Adds an expression with effects of its own.
    pub(crate) fn with_effects(&mut self, shape: Shape, ty: Type, effects: Effects) -> Expr {
        self.cx.text.expressions.add(shape, ty, effects)
    }

    /// Adds a call of a function of the language that computes a value.
    pub(crate) fn call(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        self.call_with(name, arguments, ty, Effects::PURE)
    }

    /// Adds a call of a function of the language.
    pub(crate) fn call_with(&mut self, name: &'static str, arguments: &[Expr], ty: Type, effects: Effects) -> Expr {
        if let (Target::Glsl(_), Some(place)) = (self.cx.target, self.place_of_origin()) {
            self.cx.uses_word(name, place);
        }
        let arguments = arguments.iter().copied().collect();
        self.with_effects(Shape::Call { callee: Callee::Intrinsic(name), arguments }, ty, effects)
    }

    /// Adds a constructor.
    pub(crate) fn construct(&mut self, arguments: impl IntoIterator<Item = Expr>, ty: Type) -> Expr {
        let arguments: Arguments = arguments.into_iter().collect();
        let value = self.pure(Shape::Construct(arguments), ty);
        match self.cx.text.types[ty] {
            TypeShape::Struct(_) | TypeShape::Array { .. } | TypeShape::Ray => self.composite_value(value),
            _ => value,
        }
    }

    pub(crate) fn binary(&mut self, operator: Binary, left: Expr, right: Expr, ty: Type) -> Expr {
        self.pure(Shape::Binary { operator, left, right }, ty)
    }

    pub(crate) fn unary(&mut self, operator: Unary, operand: Expr) -> Expr {
        let ty = self.type_of(operand);
        self.pure(Shape::Unary { operator, operand }, ty)
    }

    /// Adds components of a vector.
    pub(crate) fn swizzle(&mut self, base: Expr, components: &[u8]) -> Expr {
        if let &[component] = components
            && let Some(stored) = self.stored_component(base, component)
        {
            return stored;
        }
        let from = self.type_of(base);
        let scalar = self.cx.text.types.scalar(from).unwrap_or(Scalar::FLOAT);
        let ty = self.cx.text.types.numbers(scalar, components.len() as u8);
        self.pure(Shape::Swizzle { base, swizzle: Swizzle::new(components) }, ty)
    }

    /// Adds the name of a local.
    pub(crate) fn local(&mut self, local: LocalId) -> Expr {
        let ty = self.function[local].ty;
        self.pure(Shape::Local(local), ty)
    }

    /// Adds a variable without a value, declared here.
    pub(crate) fn variable(&mut self, name: &str, ty: Type) -> LocalId {
        let local = Local { name: Some(name.to_owned()), ty, kind: LocalKind::Variable, prefix: "" };
        let local = self.function.add(local);
        self.statement(StatementKind::Declare { local, value: None });
        local
    }

    /// Names a value that no instruction names.
    pub(crate) fn name_value(&mut self, value: Expr) -> LocalId {
        let ty = self.type_of(value);
        let local = self.function.add(Local { name: None, ty, kind: LocalKind::Value, prefix: "" });
        self.statement(StatementKind::Declare { local, value: Some(value) });
        local
    }

    /// Assigns a value to a place.
    pub(crate) fn assign_to(&mut self, target: Expr, value: Expr) {
        let is_wgsl = self.cx.target == super::super::Target::Wgsl;
        if let (Shape::Swizzle { base, swizzle }, true) = (self.cx.text.expressions[target].shape.clone(), is_wgsl)
            && swizzle.components().len() > 1
        {
            return self.assign_components((base, swizzle), value);
        }
        self.statement(StatementKind::Assign { target, operator: None, value });
    }

    /// Assigns several components of a vector one by one, where the language does not assign them together.
    fn assign_components(&mut self, (base, swizzle): (Expr, Swizzle), value: Expr) {
        let name = self.repeated(value);
        for (number, &component) in swizzle.components().iter().enumerate() {
            let (base, whole) = (self.cx.text.expressions.copy(base), self.local(name));
            let (target, value) = (self.swizzle(base, &[component]), self.swizzle(whole, &[number as u8]));
            self.statement(StatementKind::Assign { target, operator: None, value });
        }
    }

    /// The type of an expression.
    pub(crate) fn type_of(&self, expr: Expr) -> Type {
        self.cx.text.expressions[expr].ty
    }

    /// The type of the numbers of an expression.
    pub(crate) fn numbers_of(&self, expr: Expr) -> Numbers {
        let ty = self.type_of(expr);
        let scalar = self.cx.text.types.scalar(ty).unwrap_or(Scalar::FLOAT);
        Numbers { scalar, size: self.cx.text.types.size(ty) }
    }

    /// The type of the numbers of a value.
    ///
    /// # Errors
    /// It is not made of numbers.
    pub(crate) fn numbers(&mut self, value: Inst) -> Result<Numbers, Diagnostic> {
        let ty = self.cx.type_of(value)?;
        match self.cx.text.types.scalar(ty) {
            Some(scalar) => Ok(Numbers { scalar, size: self.cx.text.types.size(ty) }),
            None => self.refuse(WriteCode::Type, value, "a value that is not made of numbers"),
        }
    }

    /// The type of these numbers.
    pub(crate) fn type_of_numbers(&mut self, numbers: Numbers) -> Type {
        self.cx.text.types.numbers(numbers.scalar, numbers.size)
    }

    /// Records the expression of a value that is computed here.
    pub(crate) fn define(&mut self, value: Inst, expr: Expr) -> Result<(), Diagnostic> {
        let effects = self.cx.text.expressions[expr].effects;
        if !self.source.is_used(value) {
            if effects.has(Effects::WRITES) {
                self.statement(StatementKind::Expression(expr));
            }
            return Ok(());
        }
        if self.spilled.contains(&value) {
            let variable = self.variable_of(value)?;
            let target = self.local(variable);
            self.assign_to(target, expr);
            return Ok(());
        }
        let ty = self.type_of(expr);
        let prefix = self.value_prefix(value);
        let local = Local { name: self.cx.name(value), ty, kind: LocalKind::Value, prefix };
        let local = self.function.add(local);
        self.known.insert(value, local);
        self.statement(StatementKind::Declare { local, value: Some(expr) });
        Ok(())
    }

    /// Records a value that is a local already.
    pub(crate) fn know(&mut self, value: Inst, local: LocalId) -> Result<(), Diagnostic> {
        if self.spilled.contains(&value) {
            let expr = self.local(local);
            return self.define(value, expr);
        }
        self.known.insert(value, local);
        Ok(())
    }

    /// Records the parts of a result: a struct of as many members.
    pub(crate) fn define_parts(&mut self, value: Inst, parts: &[LocalId]) -> Result<(), Diagnostic> {
        if self.spilled.contains(&value) {
            let ty = self.cx.type_of(value)?;
            let members: Vec<Expr> = parts.iter().map(|&part| self.local(part)).collect();
            let whole = self.construct(members, ty);
            return self.define(value, whole);
        }
        self.parts.insert(value, parts.to_vec());
        Ok(())
    }

    /// The name of a part of a result that has several.
    pub(super) fn part_name(&self, value: Inst, part: u32) -> Option<LocalId> {
        self.parts.get(&value)?.get(part as usize).copied()
    }

    /// The variable of a parameter or of a value that needs one.
    pub(super) fn variable_of(&mut self, value: Inst) -> Result<LocalId, Diagnostic> {
        let key = self.classes.representative(value);
        if let Some(&variable) = self.variables.get(&key) {
            return Ok(variable);
        }
        let ty = self.cx.type_of(value)?;
        let members = self.classes.members(value);
        let name = members.iter().find_map(|&member| self.cx.name(member));
        let prefixes = members.iter().map(|&member| self.value_prefix(member));
        let prefix = prefixes.into_iter().find(|prefix| !prefix.is_empty()).unwrap_or_default();
        let local = self.function.add(Local { name, ty, kind: LocalKind::Variable, prefix });
        self.variables.insert(key, local);
        self.declare_first(local, None);
        Ok(local)
    }

    /// Declares a variable at the top of the function. Rules move the declaration to the first assignment.
    pub(crate) fn declare_first(&mut self, local: LocalId, value: Option<Expr>) {
        self.declarations.push(StatementKind::Declare { local, value }.into());
    }

    /// The expression of a value.
    ///
    /// # Errors
    /// The language cannot express it.
    pub(crate) fn value(&mut self, value: Inst) -> Result<Expr, Diagnostic> {
        if let Some(&variable) = self.variables.get(&self.classes.representative(value)) {
            return Ok(self.local(variable));
        }
        if let Some(&local) = self.known.get(&value) {
            return Ok(self.local(local));
        }
        if let Some(parts) = self.parts.get(&value).cloned() {
            let ty = self.cx.type_of(value)?;
            let members: Vec<Expr> = parts.into_iter().map(|part| self.local(part)).collect();
            return Ok(self.construct(members, ty));
        }
        let op = self.source.op(value);
        if op.is_constant() || op == Op::Undef {
            return self.cx.constant(value);
        }
        if self.is_address(value) && op == Op::CopyObject {
            return self.value(self.source.operand(value, 0));
        }
        if self.is_address(value) && scoping::is_recomputed(self.source, value) {
            return self.address_of_part(value);
        }
        if scoping::is_recomputed(self.source, value) {
            return self.place(value);
        }
        if op == Op::BlockParameter {
            let variable = self.variable_of(value)?;
            return Ok(self.local(variable));
        }
        self.refuse(WriteCode::Op, value, format!("the value of {} here", op.name()))
    }

    /// The expressions of values.
    pub(crate) fn values(&mut self, values: &[Inst]) -> Result<SmallVec<[Expr; 4]>, Diagnostic> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    /// A value as numbers of this kind, with the same bits if it is an integer.
    pub(crate) fn value_as(&mut self, value: Inst, kind: ScalarKind) -> Result<Expr, Diagnostic> {
        let expr = self.value(value)?;
        Ok(self.cast(expr, kind))
    }

    /// An integer with another sign and the same bits; every other number as it is.
    pub(crate) fn cast(&mut self, expr: Expr, kind: ScalarKind) -> Expr {
        let numbers = self.numbers_of(expr);
        if numbers.scalar.kind == kind
            || !numbers.scalar.is_integer()
            || !matches!(kind, ScalarKind::Int | ScalarKind::Uint)
        {
            return expr;
        }
        let scalar = numbers.scalar.with(kind);
        let ty = self.type_of_numbers(Numbers { scalar, ..numbers });
        if let Some(literal) = self.cx.text.expressions.literal(expr) {
            let unused = 64 - u32::from(scalar.width);
            let literal = match literal {
                Literal::Int(value) => Literal::Uint((value as u64) << unused >> unused),
                Literal::Uint(value) => Literal::Int((value << unused) as i64 >> unused),
                other => other,
            };
            return self.cx.literal(literal, ty);
        }
        // A constructor of literals is one of literals of the other sign.
        if let Shape::Construct(parts) = self.cx.text.expressions[expr].shape.clone()
            && parts.iter().all(|&part| self.cx.text.expressions.literal(part).is_some())
        {
            let parts: Vec<Expr> = parts.into_iter().map(|part| self.cast(part, kind)).collect();
            return self.construct(parts, ty);
        }
        self.construct([expr], ty)
    }

    /// Numbers as a value of the type of an instruction: integers get its sign.
    pub(crate) fn as_result(&mut self, inst: Inst, expr: Expr) -> Result<Expr, Diagnostic> {
        let wanted = self.numbers(inst)?;
        Ok(self.cast(expr, wanted.scalar.kind))
    }

    /// A constant as a number, if it is one of 32 bits.
    pub(crate) fn word(&self, value: Inst) -> Option<u32> {
        match self.source.op(value) {
            Op::Constant => self.source.constant_word(value),
            Op::ConstantNull => Some(0),
            _ => None,
        }
    }

    /// A literal with the type of numbers: each component has this value.
    pub(crate) fn splat(&mut self, value: i64, numbers: Numbers) -> Expr {
        let ty = self.cx.text.types.numbers(numbers.scalar, 1);
        let literal = match numbers.scalar.kind {
            ScalarKind::Bool => Literal::Bool(value != 0),
            ScalarKind::Int => Literal::Int(value),
            ScalarKind::Uint => {
                let unused = 64 - u32::from(numbers.scalar.width);
                Literal::Uint((value as u64) << unused >> unused)
            }
            ScalarKind::Float => Literal::Float(value as f64),
        };
        let one = self.cx.literal(literal, ty);
        if numbers.size == 1 {
            return one;
        }
        let ty = self.type_of_numbers(numbers);
        self.construct([one], ty)
    }

    /// The expression under a name, which can be used several times.
    pub(crate) fn repeated(&mut self, expr: Expr) -> LocalId {
        match self.cx.text.expressions[expr].shape {
            Shape::Local(local) if self.function[local].kind == LocalKind::Value => local,
            _ => self.name_value(expr),
        }
    }
}
