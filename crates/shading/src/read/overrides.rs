//! The overrides of a module, read before [`markers`](super::markers) removes them: their values and numbers, and the lengths and sizes of
//! workgroups that name them.
//!
//! A length or a size is *folded*: a list of operations whose operands come before them, which `OpSpecConstantOp` expresses. naga writes neither, so in
//! its module a length becomes a number that no other array has, by which `restore` finds the array again.

use std::num::NonZeroU32;

use naga::valid::ModuleInfo;
use naga::{
    ArraySize, BinaryOperator, Expression, Handle, Literal, Module, Override, Scalar, ScalarKind, Span, Type,
    TypeInner, UnaryOperator,
};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Signedness;
use rustc_hash::{FxHashMap, FxHashSet};

use super::error;
use super::error::located;
use super::handles::operands;

/// An override with a value of its own: a specialization constant.
pub(super) struct Constant {
    /// The index of the override in the text.
    pub(super) place: usize,
    pub(super) name: Option<String>,
    /// Its specialization id.
    pub(super) id: u32,
    /// The bits of its default value; 0 or 1 for a Boolean.
    pub(super) value: u32,
    pub(super) is_bool: bool,
}

/// One operation of a folded value. Operands are indices in the list.
#[derive(Clone, Copy)]
pub(super) enum Node {
    Number(u32),
    /// The override with this index.
    Override(usize),
    Unary(spirv::Op, usize),
    Binary(spirv::Op, usize, usize),
}

/// A value that depends on overrides.
pub(super) struct Folded {
    /// Each operation, and whether its type is signed. The last one is the value.
    pub(super) nodes: Vec<(Node, Signedness)>,
}

/// The facts that are restored in the module of the IR.
#[derive(Default)]
pub(super) struct Overrides {
    pub(super) constants: Vec<Constant>,
    /// The length that represents the value, in arrays.
    pub(super) lengths: Vec<(u32, Folded)>,
    /// Entry points, and their sizes along the axes. A size is a number or folded.
    pub(super) sizes: Vec<(String, [Folded; 3])>,
}

/// The default value of an override without a value in the text, if it is an integer; 0 otherwise. Vulkan has a value for each
/// specialization constant, and lengths and sizes of 0 are not valid.
const WITHOUT_VALUE: u32 = 1;

/// Removes the lengths and sizes from a module, and reads its overrides.
///
/// # Errors
/// A value for which SPIR-V has no constant, with its place.
pub(super) fn take(module: &mut Module, info: &ModuleInfo, text: &str) -> Result<Overrides, Diagnostic> {
    if module.overrides.is_empty() {
        return Ok(Overrides::default());
    }
    let constants = constants(module, text)?;
    let mut found = Overrides { constants, ..Overrides::default() };
    take_sizes(module, info, text, &mut found)?;
    take_lengths(module, info, text, &mut found)?;
    Ok(found)
}

fn constants(module: &Module, text: &str) -> Result<Vec<Constant>, Diagnostic> {
    let taken: FxHashSet<u32> = module.overrides.iter().filter_map(|(_, value)| value.id.map(u32::from)).collect();
    let mut free = (0..).filter(|id| !taken.contains(id));
    let mut constants = Vec::new();
    for (handle, value) in module.overrides.iter() {
        let literal = match value.init {
            Some(init) => match literal(module, init) {
                Some(literal) => literal,
                None if value.id.is_some() => {
                    let message = "an override with `@id` whose value names other overrides: a specialization constant of \
                                   SPIR-V has a number, or it is computed";
                    return Err(unsupported(message, module.overrides.get_span(handle), text));
                }
                None => continue,
            },
            None => without_value(module, value),
        };
        let (value_bits, is_bool) = match literal {
            Literal::Bool(value) => (u32::from(value), true),
            Literal::I32(value) => (value as u32, false),
            Literal::U32(value) => (value, false),
            Literal::F32(value) => (value.to_bits(), false),
            Literal::F16(value) => (u32::from(value.to_bits()), false),
            _ => return Err(unsupported("an override of this type", module.overrides.get_span(handle), text)),
        };
        let id = value.id.map(u32::from).or_else(|| free.next()).unwrap_or_default();
        let name = value.name.clone();
        constants.push(Constant { place: handle.index(), name, id, value: value_bits, is_bool });
    }
    Ok(constants)
}

fn without_value(module: &Module, value: &Override) -> Literal {
    match module.types[value.ty].inner {
        TypeInner::Scalar(Scalar { kind: ScalarKind::Uint, .. }) => Literal::U32(WITHOUT_VALUE),
        TypeInner::Scalar(Scalar { kind: ScalarKind::Sint, .. }) => Literal::I32(WITHOUT_VALUE as i32),
        TypeInner::Scalar(scalar) => Literal::zero(scalar).unwrap_or(Literal::Bool(false)),
        _ => Literal::Bool(false),
    }
}

/// The number of a constant global expression.
fn literal(module: &Module, mut expression: Handle<Expression>) -> Option<Literal> {
    loop {
        match module.global_expressions[expression] {
            Expression::Literal(literal) => return Some(literal),
            Expression::Constant(constant) => expression = module.constants[constant].init,
            Expression::ZeroValue(ty) => match module.types[ty].inner {
                TypeInner::Scalar(scalar) => return Literal::zero(scalar),
                _ => return None,
            },
            _ => return None,
        }
    }
}

fn take_sizes(module: &mut Module, info: &ModuleInfo, text: &str, found: &mut Overrides) -> Result<(), Diagnostic> {
    for entry in 0..module.entry_points.len() {
        let Some(sizes) = module.entry_points[entry].workgroup_size_overrides.take() else { continue };
        let numbers = module.entry_points[entry].workgroup_size;
        let number = |axis: usize| Folded { nodes: vec![(Node::Number(numbers[axis].max(1)), Signedness::Unsigned)] };
        let mut folded = [number(0), number(1), number(2)];
        for (folded, size) in folded.iter_mut().zip(sizes) {
            if let Some(size) = size {
                *folded = fold(module, info, size, text)?;
            }
        }
        module.entry_points[entry].workgroup_size = [0, 1, 2].map(|axis| default_of(&folded[axis], found).max(1));
        found.sizes.push((module.entry_points[entry].name.clone(), folded));
    }
    Ok(())
}

fn take_lengths(module: &mut Module, info: &ModuleInfo, text: &str, found: &mut Overrides) -> Result<(), Diagnostic> {
    let types: Vec<(Handle<Type>, Type)> = module.types.iter().map(|(handle, ty)| (handle, ty.clone())).collect();
    let mut taken: FxHashSet<u32> = types
        .iter()
        .filter_map(|(_, ty)| match ty.inner {
            TypeInner::Array { size: ArraySize::Constant(length), .. } => Some(length.get()),
            _ => None,
        })
        .collect();
    for (handle, ty) in types {
        let TypeInner::Array { base, size: ArraySize::Pending(length), stride } = ty.inner else { continue };
        let value = &module.overrides[length];
        let folded = match value.init {
            Some(init) if literal(module, init).is_none() => fold(module, info, init, text)?,
            _ => Folded { nodes: vec![(Node::Override(length.index()), signedness(module, value.ty))] },
        };
        // Constant indices are below this number.
        let number = (1 << 16..).find(|number| !taken.contains(number)).unwrap_or(u32::MAX);
        taken.insert(number);
        let size = ArraySize::Constant(NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN));
        module.types.replace(handle, Type { name: ty.name, inner: TypeInner::Array { base, size, stride } });
        found.lengths.push((number, folded));
    }
    Ok(())
}

fn signedness(module: &Module, ty: Handle<Type>) -> Signedness {
    match module.types[ty].inner {
        TypeInner::Scalar(Scalar { kind: ScalarKind::Sint, .. }) => Signedness::Signed,
        _ => Signedness::Unsigned,
    }
}

/// The operations of a global expression. Operands come first in an arena, so one walk over it lists them.
fn fold(module: &Module, info: &ModuleInfo, expression: Handle<Expression>, text: &str) -> Result<Folded, Diagnostic> {
    let global = &module.global_expressions;
    let of_override =
        |value: Handle<Override>| module.overrides[value].init.filter(|&init| literal(module, init).is_none());
    let (mut needed, mut open) = (FxHashSet::default(), vec![expression]);
    while let Some(handle) = open.pop() {
        if needed.insert(handle) && literal(module, handle).is_none() {
            open.extend(operands(&global[handle]));
            if let Expression::Override(value) = global[handle] {
                open.extend(of_override(value));
            }
        }
    }
    let mut places: FxHashMap<Handle<Expression>, usize> = FxHashMap::default();
    let mut nodes: Vec<(Node, Signedness)> = Vec::new();
    for (handle, value) in global.iter().filter(|(handle, _)| needed.contains(handle)) {
        let refused = || {
            let message = "a length or a size of the workgroup that is computed from overrides by other operations than those of integers";
            unsupported(message, global.get_span(handle), text)
        };
        let signedness = match info[handle].inner_with(&module.types) {
            TypeInner::Scalar(Scalar { kind: ScalarKind::Sint, width: 4 }) => Signedness::Signed,
            TypeInner::Scalar(Scalar { kind: ScalarKind::Uint, width: 4 }) => Signedness::Unsigned,
            _ => return Err(refused()),
        };
        let node = match (literal(module, handle), value) {
            (Some(Literal::U32(number)), _) => Node::Number(number),
            (Some(Literal::I32(number)), _) => Node::Number(number as u32),
            (None, &Expression::Override(value)) => match of_override(value) {
                Some(init) => {
                    places.insert(handle, places[&init]);
                    continue;
                }
                None => Node::Override(value.index()),
            },
            (None, &Expression::Unary { op: UnaryOperator::Negate, expr }) => {
                Node::Unary(spirv::Op::SNegate, places[&expr])
            }
            (None, &Expression::Unary { op: UnaryOperator::BitwiseNot, expr }) => {
                Node::Unary(spirv::Op::Not, places[&expr])
            }
            (None, &Expression::Binary { op, left, right }) => {
                let op = operation(op, signedness).ok_or_else(refused)?;
                Node::Binary(op, places[&left], places[&right])
            }
            // A conversion to a type of the other signedness keeps the bits, and so does the addition of zero.
            (None, &Expression::As { expr, kind: ScalarKind::Sint | ScalarKind::Uint, convert: Some(4) }) => {
                nodes.push((Node::Number(0), signedness));
                Node::Binary(spirv::Op::IAdd, places[&expr], nodes.len() - 1)
            }
            _ => return Err(refused()),
        };
        places.insert(handle, nodes.len());
        nodes.push((node, signedness));
    }
    // The last node is the value: its operands come before it, unless it is an override that is computed elsewhere.
    let last = places[&expression];
    nodes.truncate(last + 1);
    Ok(Folded { nodes })
}

fn operation(op: BinaryOperator, signedness: Signedness) -> Option<spirv::Op> {
    use Signedness::{Signed, Unsigned};
    Some(match (op, signedness) {
        (BinaryOperator::Add, _) => spirv::Op::IAdd,
        (BinaryOperator::Subtract, _) => spirv::Op::ISub,
        (BinaryOperator::Multiply, _) => spirv::Op::IMul,
        (BinaryOperator::Divide, Signed) => spirv::Op::SDiv,
        (BinaryOperator::Divide, Unsigned) => spirv::Op::UDiv,
        (BinaryOperator::Modulo, Signed) => spirv::Op::SRem,
        (BinaryOperator::Modulo, Unsigned) => spirv::Op::UMod,
        (BinaryOperator::And, _) => spirv::Op::BitwiseAnd,
        (BinaryOperator::InclusiveOr, _) => spirv::Op::BitwiseOr,
        (BinaryOperator::ExclusiveOr, _) => spirv::Op::BitwiseXor,
        (BinaryOperator::ShiftLeft, _) => spirv::Op::ShiftLeftLogical,
        (BinaryOperator::ShiftRight, Signed) => spirv::Op::ShiftRightArithmetic,
        (BinaryOperator::ShiftRight, Unsigned) => spirv::Op::ShiftRightLogical,
        _ => return None,
    })
}

/// The value with the defaults of the overrides.
fn default_of(folded: &Folded, overrides: &Overrides) -> u32 {
    let mut values: Vec<u32> = Vec::new();
    for &(node, signedness) in &folded.nodes {
        let value = match node {
            Node::Number(number) => number,
            Node::Override(place) => {
                overrides.constants.iter().find(|constant| constant.place == place).map_or(0, |constant| constant.value)
            }
            Node::Unary(spirv::Op::Not, operand) => !values[operand],
            Node::Unary(_, operand) => values[operand].wrapping_neg(),
            Node::Binary(op, left, right) => computed(op, values[left], values[right], signedness),
        };
        values.push(value);
    }
    values.last().copied().unwrap_or_default()
}

fn computed(op: spirv::Op, left: u32, right: u32, signedness: Signedness) -> u32 {
    let (signed_left, signed_right) = (left as i32, right as i32);
    match op {
        spirv::Op::IAdd => left.wrapping_add(right),
        spirv::Op::ISub => left.wrapping_sub(right),
        spirv::Op::IMul => left.wrapping_mul(right),
        spirv::Op::SDiv => signed_left.checked_div(signed_right).unwrap_or_default() as u32,
        spirv::Op::SRem => signed_left.checked_rem(signed_right).unwrap_or_default() as u32,
        spirv::Op::UDiv => left.checked_div(right).unwrap_or_default(),
        spirv::Op::UMod => left.checked_rem(right).unwrap_or_default(),
        spirv::Op::BitwiseAnd => left & right,
        spirv::Op::BitwiseOr => left | right,
        spirv::Op::BitwiseXor => left ^ right,
        spirv::Op::ShiftLeftLogical => left.wrapping_shl(right),
        _ if signedness == Signedness::Signed => signed_left.wrapping_shr(right) as u32,
        _ => left.wrapping_shr(right),
    }
}

fn unsupported(message: &str, span: Span, text: &str) -> Diagnostic {
    error::unsupported(located(span, text), message.to_owned())
}
