//! Integers without a type.
//!
//! ```text
//! uint(-8 >> n)        ⇒      uint(int(-8) >> n)
//! ```
//!
//! An integer without a suffix is a `literal int`, and so is an operation on such integers alone. dxc gives it the type that its context
//! requires, also across a conversion: `uint(-8 >> n)` shifts in zeros, `uint(min(-1, 3))` is 3. So an operation whose operands decide its type
//! gets one that has a type. This comes after the rules, which put constants where they are used. Linear in the text.

use crate::syntax::{
    Binary, Callee, Effects, Expr, Expressions, Literal, Scalar, Shape, Statement, Text, Type, TypeShape,
};

/// Gives types to integers that have none where an operation has the type of its operands.
pub(crate) fn give_types(text: &mut Text) {
    let int = text.types.of(TypeShape::Scalar(Scalar::INT));
    for function in &mut text.functions {
        let mut stack: Vec<&Statement> = function.body.iter().collect();
        while let Some(statement) = stack.pop() {
            for expr in statement.expressions() {
                settle(expr, &mut text.expressions, int);
            }
            stack.extend(statement.blocks().into_iter().flatten());
        }
    }
}

/// Settles an expression, and returns whether it is still without a type. The depth is that of the expression.
fn settle(expr: Expr, expressions: &mut Expressions, int: Type) -> bool {
    let parts = expressions[expr].shape.parts();
    let untyped: Vec<bool> = parts.iter().map(|&part| settle(part, expressions, int)).collect();
    match &expressions[expr].shape {
        Shape::Literal(Literal::Int(_)) => expressions[expr].ty == int,
        Shape::Unary { .. } => untyped[0],
        Shape::Choice { .. } => untyped[1] && untyped[2],
        // They leave the same bits in all types.
        Shape::Binary {
            operator:
                Binary::Add | Binary::Subtract | Binary::Multiply | Binary::BitAnd | Binary::BitOr | Binary::BitXor,
            ..
        } => untyped[0] && untyped[1],
        Shape::Binary { operator, left, .. } => {
            let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
            if untyped[0] && (is_shift || untyped[1]) {
                give_type(*left, expressions, int);
            }
            false
        }
        Shape::Call { callee: Callee::Intrinsic(_), arguments } => {
            if let Some(&first) = arguments.first()
                && untyped.iter().all(|&is_untyped| is_untyped)
            {
                give_type(first, expressions, int);
            }
            false
        }
        _ => false,
    }
}

fn give_type(mut expr: Expr, expressions: &mut Expressions, int: Type) {
    loop {
        match expressions[expr].shape {
            Shape::Unary { operand, .. } => expr = operand,
            Shape::Binary { left, .. } => expr = left,
            Shape::Choice { accept, .. } => expr = accept,
            _ => break,
        }
    }
    let literal = expressions[expr].shape.clone();
    let literal = expressions.add(literal, int, Effects::PURE);
    expressions.replace(expr, Shape::Construct(std::iter::once(literal).collect()), Effects::PURE);
}
