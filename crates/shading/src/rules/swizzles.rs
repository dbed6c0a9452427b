//! Components of vectors, and members of structs.
//!
//! ```text
//! v[1]                       ⇒  v.y
//! v.zyx.x                    ⇒  v.z
//! vec4(a, b, c, d).y         ⇒  b
//! vec3(v.x, v.y, v.z)        ⇒  v.xyz
//! vec4(v.x, v.y, v.z, w)     ⇒  vec4(v.xyz, w)
//! vec4(vec2(a, b), c, d)     ⇒  vec4(a, b, c, d)
//! vec3(1.0, 1.0, 1.0)        ⇒  vec3(1.0)
//! Light(l.at, l.color)       ⇒  l               for all members of the struct
//! ```
//!
//! What is computed less often has no effect, and a constructor that converts its parts keeps them.

use super::Context;
use crate::syntax::{Arguments, Effects, Expr, Literal, Shape, Swizzle, TypeShape};

/// Applies the rule to an expression.
pub(super) fn fold(expr: &mut Expr, context: &mut Context<'_>) {
    context.rewrite_parts(*expr, fold);
    match context.shape(*expr).clone() {
        Shape::Index { base, index } => component(*expr, base, index, context),
        Shape::Construct(arguments) => construct(expr, arguments, context),
        _ => {}
    }
    if let Shape::Swizzle { base, swizzle } = *context.shape(*expr) {
        swizzled(expr, base, swizzle, context);
    }
}

/// `v[1]` ⇒ `v.y`.
fn component(expr: Expr, base: Expr, index: Expr, context: &mut Context<'_>) {
    let number = match context.expressions.literal(index) {
        Some(Literal::Int(number)) => u8::try_from(number).ok(),
        Some(Literal::Uint(number)) => u8::try_from(number).ok(),
        _ => None,
    };
    if let TypeShape::Vector { size, .. } = context.type_shape(base)
        && let Some(number) = number.filter(|&number| number < size)
    {
        let own = context.expressions[expr].effects;
        context.expressions.replace(expr, Shape::Swizzle { base, swizzle: Swizzle::new(&[number]) }, own);
    }
}

/// Components of components, and of a vector that is built of its components.
fn swizzled(expr: &mut Expr, base: Expr, swizzle: Swizzle, context: &mut Context<'_>) {
    match context.shape(base).clone() {
        Shape::Swizzle { base: inner, swizzle: first } => {
            let numbers: Vec<u8> =
                swizzle.components().iter().map(|&number| first.components()[usize::from(number)]).collect();
            let own = context.expressions[*expr].effects;
            let shape = Shape::Swizzle { base: inner, swizzle: Swizzle::new(&numbers) };
            context.expressions.replace(*expr, shape, own);
        }
        Shape::Construct(arguments) => {
            let [number] = swizzle.components() else { return };
            let size = usize::from(context.types.size(context.ty(base)));
            let has_effect = context.expressions[base].effects.has(Effects::WRITES);
            let part = arguments.get(usize::from(*number)).filter(|_| arguments.len() == size && !has_effect);
            if let Some(&part) = part.filter(|&&part| context.ty(part) == context.ty(*expr)) {
                *expr = part;
            }
        }
        _ => {}
    }
}

/// The struct whose members these are, all of them in order. It is only a place, so it is the same for each member.
fn whole(arguments: &Arguments, context: &Context<'_>) -> Option<Expr> {
    let member = |argument: Expr| match *context.shape(argument) {
        Shape::Member { base, member } => Some((base, member)),
        _ => None,
    };
    let (first, _) = member(*arguments.first()?)?;
    let is_next = |(place, argument): (u32, &Expr)| {
        member(*argument).is_some_and(|(base, member)| member == place && context.expressions.are_alike(base, first))
    };
    let is_place = context.is_path(first, |_| true) && context.effects(first) == Effects::PURE;
    (is_place && (0..).zip(arguments).all(is_next)).then_some(first)
}

/// Rewrites a constructor of a vector or of a struct.
fn construct(expr: &mut Expr, arguments: Arguments, context: &mut Context<'_>) {
    if let Some(whole) = whole(&arguments, context).filter(|&whole| context.ty(whole) == context.ty(*expr)) {
        *expr = whole;
        return;
    }
    let TypeShape::Vector { size, .. } = context.type_shape(*expr) else { return };
    let ty = context.ty(*expr);
    let arguments = joined(flattened(arguments, *expr, context), *expr, context);
    if let [only] = arguments[..]
        && context.ty(only) == ty
    {
        *expr = only;
        return;
    }
    let is_splat = arguments.len() == usize::from(size) && arguments.len() > 1 && {
        let (first, others) = (arguments[0], &arguments[1..]);
        let is_name = context.expressions[first].effects == Effects::PURE && context.is_path(first, |_| true);
        let is_scalar = context.types.size(context.ty(first)) == 1;
        is_name && is_scalar && others.iter().all(|&other| context.expressions.are_alike(first, other))
    };
    let arguments = if is_splat { arguments.into_iter().take(1).collect() } else { arguments };
    context.expressions.replace(*expr, Shape::Construct(arguments), Effects::PURE);
}

/// The arguments, with those of an argument that is built of numbers of the same kind.
fn flattened(arguments: Arguments, vector: Expr, context: &Context<'_>) -> Arguments {
    let scalar = context.types.scalar(context.ty(vector));
    let is_same =
        |expr: Expr| context.types.scalar(context.ty(expr)) == scalar && context.types.is_numbers(context.ty(expr));
    let mut flat = Arguments::new();
    for argument in arguments {
        match context.shape(argument) {
            Shape::Construct(inner)
                if is_same(argument)
                    && inner.iter().all(|&part| is_same(part))
                    && inner.len() == usize::from(context.types.size(context.ty(argument))) =>
            {
                flat.extend(inner.iter().copied());
            }
            _ => flat.push(argument),
        }
    }
    flat
}

/// The arguments, with neighbours that are components of one vector as one argument.
fn joined(arguments: Arguments, vector: Expr, context: &mut Context<'_>) -> Arguments {
    let scalar = context.types.scalar(context.ty(vector));
    let mut result = Arguments::new();
    for argument in arguments {
        let joined = result.last().copied().and_then(|last| neighbours(last, argument, context));
        match joined.filter(|_| context.types.scalar(context.ty(argument)) == scalar) {
            Some((base, numbers)) => {
                let scalar = context.types.scalar(context.ty(base)).expect("invariant: its components are numbers");
                let is_whole = numbers.iter().copied().eq(0..context.types.size(context.ty(base)));
                let ty = context.types.numbers(scalar, numbers.len() as u8);
                let shape = Shape::Swizzle { base, swizzle: Swizzle::new(&numbers) };
                result.pop();
                result.push(if is_whole { base } else { context.expressions.add(shape, ty, Effects::PURE) });
            }
            None => result.push(argument),
        }
    }
    result
}

/// The vector and the numbers of the components of two arguments.
fn neighbours(one: Expr, other: Expr, context: &Context<'_>) -> Option<(Expr, Vec<u8>)> {
    let (Shape::Swizzle { base, swizzle }, Shape::Swizzle { base: of_other, swizzle: second }) =
        (context.shape(one), context.shape(other))
    else {
        return None;
    };
    let has_effect = context.expressions[*base].effects.has(Effects::WRITES);
    let is_scalar = context.types.size(context.ty(*base)) == 1;
    let numbers = [swizzle.components(), second.components()].concat();
    let is_same = !has_effect && !is_scalar && numbers.len() <= 4 && context.expressions.are_alike(*base, *of_other);
    is_same.then_some((*base, numbers))
}
