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
    Binary, Callee, Effects, Expr, Expressions, Literal, Scalar, ScalarKind, Shape, Statement, Text, Type, TypeShape,
    Types,
};

/// Gives types to integers that have none where an operation has the type of its operands.
pub(crate) fn give_types(text: &mut Text) {
    for function in &mut text.functions {
        let mut stack: Vec<&Statement> = function.body.iter().collect();
        while let Some(statement) = stack.pop() {
            for expr in statement.expressions() {
                settle(expr, &mut text.expressions, &text.types);
            }
            stack.extend(statement.blocks().into_iter().flatten());
        }
    }
}

/// Returns whether literals of a type have none in the text: integers with a sign, of 32 bits or of 8, which are written as those.
fn is_untyped(ty: Type, types: &Types) -> bool {
    matches!(types[ty], TypeShape::Scalar(Scalar { kind: ScalarKind::Int, width: 8 | 32 }))
}

/// Settles an expression, and returns whether it is still without a type. The depth is that of the expression.
fn settle(expr: Expr, expressions: &mut Expressions, types: &Types) -> bool {
    let parts = expressions[expr].shape.parts();
    let untyped: Vec<bool> = parts.iter().map(|&part| settle(part, expressions, types)).collect();
    match &expressions[expr].shape {
        Shape::Literal(Literal::Int(_)) => is_untyped(expressions[expr].ty, types),
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
                give_type(*left, expressions);
            }
            false
        }
        Shape::Call { callee: Callee::Intrinsic(_), arguments } => {
            if let Some(&first) = arguments.first()
                && untyped.iter().all(|&is_untyped| is_untyped)
            {
                give_type(first, expressions);
            }
            false
        }
        _ => false,
    }
}

fn give_type(mut expr: Expr, expressions: &mut Expressions) {
    loop {
        match expressions[expr].shape {
            Shape::Unary { operand, .. } => expr = operand,
            Shape::Binary { left, .. } => expr = left,
            Shape::Choice { accept, .. } => expr = accept,
            _ => break,
        }
    }
    let literal = expressions[expr].clone();
    let literal = expressions.add(literal.shape, literal.ty, Effects::PURE);
    expressions.replace(expr, Shape::Construct(std::iter::once(literal).collect()), Effects::PURE);
}
