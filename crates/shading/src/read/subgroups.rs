//! Signed lanes of subgroup operations: WGSL accepts `i32` and numbers without a type; naga's parser makes `i32` of the latter and requires
//! `u32`.
//!
//! ```text
//! subgroupShuffleXor(x, 1)            ⇒      subgroupShuffleXor(x, 1u)
//! subgroupShuffle(x, i)                      subgroupShuffle(x, u32(i))
//! ```
//!
//! The mask of `subgroupShuffleXor` and the distances of `subgroupShuffleUp` and `subgroupShuffleDown` are `u32` in WGSL (section 17.12),
//! so only a number without a type becomes one. Linear in the statements.

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    Expression, Function, GatherMode, Handle, Literal, Module, Range, Scalar, ScalarKind, Span, Statement, TypeInner,
};

use super::handles::{replace_statements, rewrite_functions};

/// Converts the lanes of a module to unsigned integers.
pub(super) fn make_lanes_unsigned(module: &mut Module, text: &str) {
    rewrite_functions(module, |function, module| rewrite(function, module, text));
}

fn rewrite(function: &mut Function, module: &Module, text: &str) {
    let mut body = std::mem::take(&mut function.body);
    let mut typifier = Typifier::new();
    replace_statements(&mut body, |mut statement| {
        let Statement::SubgroupGather { mode, .. } = &mut statement else { return vec![statement] };
        let is_distance =
            matches!(mode, GatherMode::ShuffleDown(_) | GatherMode::ShuffleUp(_) | GatherMode::ShuffleXor(_));
        let (GatherMode::Broadcast(lane)
        | GatherMode::QuadBroadcast(lane)
        | GatherMode::Shuffle(lane)
        | GatherMode::ShuffleDown(lane)
        | GatherMode::ShuffleUp(lane)
        | GatherMode::ShuffleXor(lane)) = mode
        else {
            return vec![statement];
        };
        if is_distance && !is_number_without_type(*lane, function, text) {
            return vec![statement];
        }
        let Some((unsigned, is_computed)) = unsigned(*lane, function, module, &mut typifier) else {
            return vec![statement];
        };
        *lane = unsigned;
        let emit = Statement::Emit(Range::new_from_bounds(unsigned, unsigned));
        if is_computed { vec![emit, statement] } else { vec![statement] }
    });
    function.body = body;
}

/// Returns whether an expression is a number without a type in the text. Only its position shows this: naga has given it a type.
fn is_number_without_type(value: Handle<Expression>, function: &Function, text: &str) -> bool {
    let Expression::Literal(_) = function.expressions[value] else { return false };
    let range = function.expressions.get_span(value).to_range();
    range.and_then(|range| text.get(range)).is_none_or(|number| !number.ends_with(['i', 'u']))
}

/// An `i32` as `u32`, and whether it is computed. A number that is negative or of another type is not converted.
fn unsigned(
    lane: Handle<Expression>,
    function: &mut Function,
    module: &Module,
    typifier: &mut Typifier,
) -> Option<(Handle<Expression>, bool)> {
    let constant = match function.expressions[lane] {
        Expression::Literal(literal) => Some(literal),
        Expression::Constant(constant) => match module.global_expressions[module.constants[constant].init] {
            Expression::Literal(literal) => Some(literal),
            _ => None,
        },
        _ => None,
    };
    if let Some(literal) = constant {
        let Literal::I32(value) = literal else { return None };
        let value = Expression::Literal(Literal::U32(value.try_into().ok()?));
        return Some((function.expressions.append(value, Span::default()), false));
    }
    let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    typifier.grow(lane, &function.expressions, &context).ok()?;
    if *typifier[lane].inner_with(&module.types) != TypeInner::Scalar(Scalar::I32) {
        return None;
    }
    let value = Expression::As { expr: lane, kind: ScalarKind::Uint, convert: Some(4) };
    Some((function.expressions.append(value, Span::default()), true))
}
