//! Values as expressions of naga, and their scopes.
//!
//! An expression can be named in the block that emits it and in the blocks inside. A value that is used elsewhere is stored in a variable
//! when it is computed and loaded where it is used.
//!
//! naga prints an expression that is used once as a part of its user. Its writers recurse on that, so an expression that would be too deep
//! gets a name, which ends the recursion.

use naga::{Block, Expression, Handle, Literal, LocalVariable, Scalar, Span, Statement, TypeInner, VectorSize};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashMap;

use super::super::{Language, WriteCode};
use super::Body;
use super::arithmetic::{self, Operand, Sink};
use crate::lower::function::scoping;

/// The maximum number of operators that are printed as one expression.
const DEEPEST_EXPRESSION: u16 = 24;

/// The maximum number of braces around code, the nesting limit of WGSL. The writers of naga recurse on them.
const DEEPEST_BLOCK: u32 = 127;

/// A block of naga that is being filled.
pub(super) struct Open {
    pub(super) block: Block,
    /// Its number among the blocks of the function.
    pub(super) number: usize,
    /// The braces around its code.
    pub(super) depth: u32,
}

/// The expression of a value, and the number of the block that emits it.
#[derive(Clone, Copy)]
pub(super) struct Known {
    handle: Handle<Expression>,
    block: usize,
}

impl Body<'_, '_> {
    /// Opens a block inside the current one.
    ///
    /// # Errors
    /// The limit on nesting.
    pub(super) fn open_block(&mut self, place: Inst, braces: u32) -> Result<(), Diagnostic> {
        let number = self.is_open.len();
        let depth = self.open.iter().rev().find(|open| self.is_open[open.number]).map_or(0, |open| open.depth) + braces;
        if depth > DEEPEST_BLOCK {
            let message = format!("blocks nest deeper than {DEEPEST_BLOCK}, the limit of WGSL");
            return self.refuse(WriteCode::Nesting, place, message);
        }
        self.is_open.push(true);
        self.open.push(Open { block: Block::new(), number, depth });
        Ok(())
    }

    /// Ends the code of the current block. It is kept until the construct that contains it is complete.
    pub(super) fn seal_block(&mut self) {
        if let Some(open) = self.open.last() {
            self.is_open[open.number] = false;
        }
    }

    /// The statements of the last block, which is complete.
    pub(super) fn close_block(&mut self) -> Block {
        self.seal_block();
        self.open.pop().map(|open| open.block).unwrap_or_default()
    }

    /// Adds a statement to the current block.
    pub(super) fn statement(&mut self, statement: Statement) {
        self.block().push(statement, Span::UNDEFINED);
    }

    /// Adds an expression and emits it here, unless it needs no emission.
    pub(super) fn push(&mut self, expression: Expression) -> Handle<Expression> {
        let is_free = expression.needs_pre_emit();
        let depth = self.depth(&expression);
        let handle = self.function.expressions.append(expression, Span::UNDEFINED);
        self.depths.push(depth);
        if depth > DEEPEST_EXPRESSION {
            self.function.named_expressions.insert(handle, "part".to_owned());
            self.depths[handle.index()] = 0;
        }
        if !is_free {
            self.emit(handle);
        }
        handle
    }

    /// Adds an expression that a statement computes.
    pub(super) fn push_result(&mut self, expression: Expression) -> Handle<Expression> {
        self.depths.push(0);
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    fn emit(&mut self, handle: Handle<Expression>) {
        if let Some(Statement::Emit(range)) = self.block().last_mut()
            && let Some((first, last)) = range.first_and_last()
            && last.index() + 1 == handle.index()
        {
            *range = naga::Range::new_from_bounds(first, handle);
            return;
        }
        self.statement(Statement::Emit(naga::Range::new_from_bounds(handle, handle)));
    }

    /// The nesting depth of operators in the text of an expression, if it is used once.
    fn depth(&self, expression: &Expression) -> u16 {
        let of = |handle: Handle<Expression>| self.depths[handle.index()];
        let deepest = |handles: &[Option<Handle<Expression>>]| {
            handles.iter().flatten().map(|&handle| of(handle)).max().unwrap_or(0)
        };
        let inner = match *expression {
            Expression::Compose { ref components, .. } => components.iter().map(|&part| of(part)).max().unwrap_or(0),
            Expression::Access { base, index } => of(base).max(of(index)),
            Expression::AccessIndex { base, .. } => of(base),
            Expression::Splat { value, .. } => of(value),
            Expression::Swizzle { vector, .. } => of(vector),
            Expression::Unary { expr, .. } | Expression::As { expr, .. } => of(expr),
            Expression::Relational { argument, .. } => of(argument),
            Expression::Binary { left, right, .. } => of(left).max(of(right)),
            Expression::Select { condition, accept, reject } => of(condition).max(of(accept)).max(of(reject)),
            Expression::Math { arg, arg1, arg2, arg3, .. } => deepest(&[Some(arg), arg1, arg2, arg3]),
            _ => return 0,
        };
        inner + 1
    }

    /// Records the expression of a value.
    pub(super) fn know(&mut self, value: Inst, handle: Handle<Expression>) {
        let block = self.open.last().map_or(0, |open| open.number);
        self.known.insert(value, Known { handle, block });
    }

    /// Records the expression of a value that is computed here: with its name, and in a variable if it needs one.
    pub(super) fn define(&mut self, value: Inst, handle: Handle<Expression>) -> Result<(), Diagnostic> {
        self.know(value, handle);
        if self.spilled.contains(&value) {
            let variable = self.variable_of(value)?;
            let pointer = self.push(Expression::LocalVariable(variable));
            self.statement(Statement::Store { pointer, value: handle });
        } else if let Some(name) = self.module.name(value)
            && !self.function.expressions[handle].needs_pre_emit()
        {
            self.function.named_expressions.entry(handle).or_insert(name);
            self.depths[handle.index()] = 0;
        }
        Ok(())
    }

    /// The variable of a parameter or of a value that needs one.
    pub(super) fn variable_of(&mut self, value: Inst) -> Result<Handle<LocalVariable>, Diagnostic> {
        let key = self.classes.representative(value);
        if let Some(&variable) = self.variables.get(&key) {
            return Ok(variable);
        }
        let ty = self.module.type_of(value)?;
        let name = self.classes.members(value).into_iter().find_map(|member| self.module.name(member));
        let added = LocalVariable { name, ty, init: None };
        let variable = self.function.local_variables.append(added, Span::UNDEFINED);
        self.variables.insert(key, variable);
        Ok(variable)
    }

    /// A variable that records whether an event happened.
    pub(super) fn add_flag(&mut self, name: &str) -> Handle<LocalVariable> {
        let ty = self.module.plain_type(TypeInner::Scalar(Scalar::BOOL));
        let added = LocalVariable { name: Some(name.to_owned()), ty, init: None };
        self.function.local_variables.append(added, Span::UNDEFINED)
    }

    /// Sets a flag.
    pub(super) fn set_flag(&mut self, flag: Handle<LocalVariable>) {
        self.store_literal(flag, Literal::Bool(true));
    }

    /// Clears a flag.
    pub(super) fn clear_flag(&mut self, flag: Handle<LocalVariable>) {
        self.store_literal(flag, Literal::Bool(false));
    }

    fn store_literal(&mut self, variable: Handle<LocalVariable>, literal: Literal) {
        let pointer = self.push(Expression::LocalVariable(variable));
        let value = self.push(Expression::Literal(literal));
        self.statement(Statement::Store { pointer, value });
    }

    /// The value of a variable.
    pub(super) fn load_variable(&mut self, variable: Handle<LocalVariable>) -> Handle<Expression> {
        let pointer = self.push(Expression::LocalVariable(variable));
        self.push(Expression::Load { pointer })
    }

    /// The expression of a value, in a form that can be named here.
    ///
    /// # Errors
    /// The value cannot be expressed.
    pub(super) fn value(&mut self, value: Inst) -> Result<Handle<Expression>, Diagnostic> {
        if let Some(known) = self.known.get(&value)
            && self.is_open[known.block]
        {
            return Ok(known.handle);
        }
        if self.source.op(value) == Op::Variable {
            return self.memory(value);
        }
        if let Some(&variable) = self.variables.get(&self.classes.representative(value)) {
            let handle = self.load_variable(variable);
            self.know(value, handle);
            return Ok(handle);
        }
        if scoping::is_recomputed(self.source, value) {
            return self.memory(value);
        }
        if self.module.is_composed(value) {
            return self.composed(value);
        }
        if self.source.op(value).is_constant() || self.source.op(value) == Op::Undef {
            let expression = self.module.constant(value)?.expression();
            return Ok(self.push(expression));
        }
        self.refuse(WriteCode::Op, value, format!("the value of {} here", self.source.op(value).name()))
    }

    /// A constant that depends on specialization constants. Its parts come first, with an explicit stack.
    fn composed(&mut self, value: Inst) -> Result<Handle<Expression>, Diagnostic> {
        let mut stack = vec![value];
        let mut done: FxHashMap<Inst, Handle<Expression>> = FxHashMap::default();
        while let Some(&next) = stack.last() {
            let parts = self.source.operands(next).filter(|&part| self.module.is_composed(part));
            let missing: Vec<Inst> = parts.filter(|part| !done.contains_key(part)).collect();
            if missing.is_empty() {
                let handle = self.compose_constant(next, &done)?;
                done.insert(next, handle);
                stack.pop();
            }
            stack.extend(missing);
        }
        Ok(done[&value])
    }

    fn compose_constant(
        &mut self,
        constant: Inst,
        done: &FxHashMap<Inst, Handle<Expression>>,
    ) -> Result<Handle<Expression>, Diagnostic> {
        let ty = self.module.type_of(constant)?;
        let computed = view::SpecConstantOp::of(self.source, constant).map(|computed| computed.opcode);
        let parts: Vec<Inst> = self.source.operands(constant).filter(|&part| self.source.ty(part).is_some()).collect();
        let mut handles = Vec::new();
        for part in &parts {
            handles.push(match done.get(part) {
                Some(&handle) => handle,
                None => {
                    let expression = self.module.constant(*part)?.expression();
                    self.push(expression)
                }
            });
        }
        let Some(opcode) = computed else {
            return Ok(self.push(Expression::Compose { ty, components: handles }));
        };
        let op = arithmetic::op_of_opcode(opcode);
        let (Some(op), Some(result)) = (op, self.module.scalar_of(constant)) else {
            return self.refuse(
                WriteCode::Constant,
                constant,
                "a specialization constant that is computed in an unknown way",
            );
        };
        if op == Op::CompositeExtract {
            let indexes = self.source.operands(constant).skip(2).filter_map(|index| self.source.literal_word(index));
            let indexes: Vec<u32> = indexes.collect();
            return Ok(indexes
                .iter()
                .fold(handles[0], |base, &index| self.push(Expression::AccessIndex { base, index })));
        }
        let mut operands = Vec::new();
        for (&part, handle) in parts.iter().zip(handles) {
            let Some(scalar) = self.module.scalar_of(part) else { return self.unknown(constant) };
            operands.push(Operand { handle, scalar, size: self.module.size_of(part)? });
        }
        let size = self.module.size_of(constant)?;
        match arithmetic::compute(self, op, &operands, result, size) {
            Some(handle) => Ok(handle),
            None => self.refuse(
                WriteCode::Constant,
                constant,
                format!("a specialization constant that is computed by {}", op.name()),
            ),
        }
    }

    /// A value with the type of its components.
    pub(super) fn operand(&mut self, value: Inst) -> Result<Operand, Diagnostic> {
        let handle = self.value(value)?;
        let Some(scalar) = self.module.scalar_of(value) else {
            return self.refuse(WriteCode::Type, value, "a value that is not made of numbers");
        };
        let size = self.module.size_of(value)?;
        Ok(Operand { handle, scalar, size })
    }

    /// A value as numbers of this kind, with the same bits.
    pub(super) fn value_as(&mut self, value: Inst, kind: naga::ScalarKind) -> Result<Handle<Expression>, Diagnostic> {
        let operand = self.operand(value)?;
        Ok(super::arithmetic::cast(self, operand.handle, operand.scalar.kind, kind))
    }

    /// The type of the result of an instruction.
    pub(super) fn result_view(&self, inst: Inst) -> Option<TypeView<'_>> {
        self.source.ty(inst).and_then(|ty| self.source.type_view(ty))
    }

    /// A constant as a number, if it is one of 32 bits.
    pub(super) fn word(&self, value: Inst) -> Option<u32> {
        match self.source.op(value) {
            Op::Constant => self.source.constant_word(value),
            Op::ConstantNull => Some(0),
            _ => None,
        }
    }
}

impl Sink for Body<'_, '_> {
    fn append(&mut self, expression: Expression) -> Handle<Expression> {
        self.push(expression)
    }

    fn has_vector_choice(&self) -> bool {
        self.module.language != Language::Hlsl
    }

    fn vector(&mut self, size: VectorSize, scalar: Scalar, components: Vec<Handle<Expression>>) -> Handle<Expression> {
        let ty = self.vector_of(size, scalar);
        self.push(Expression::Compose { ty, components })
    }

    fn literal(&self, expression: Handle<Expression>) -> Option<Literal> {
        match self.function.expressions[expression] {
            Expression::Literal(literal) => Some(literal),
            _ => None,
        }
    }
}
