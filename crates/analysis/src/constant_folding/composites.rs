//! Folding of composite instructions, shuffles and bitcasts.

use reconverge_ir::{Inst, Module, Op};

use super::constant::{Constant, element_count, vector_shape};
use super::scalar::{Scalar, ScalarKind, mask};

/// The result of an operation that moves parts; the outer `None` if the op is no such operation.
#[expect(clippy::option_option, reason = "not my op and not known are two things")]
pub(super) fn evaluate(
    module: &Module,
    op: Op,
    ty: Inst,
    operands: &[Constant],
    literals: &[u32],
) -> Option<Option<Constant>> {
    Some(match (op, operands) {
        (Op::CopyObject | Op::CopyLogical, [value]) => Some(value.clone()),
        (Op::CompositeConstruct, _) => construct(module, ty, operands),
        (Op::CompositeExtract, [composite]) => extract(composite, literals),
        (Op::CompositeInsert, [object, composite]) => insert(object, composite, literals),
        (Op::VectorExtractDynamic, [vector, index]) => {
            index.as_scalar().and_then(|index| vector.elements()?.get(index.bits as usize).cloned())
        }
        (Op::VectorInsertDynamic, [vector, component, index]) => index.as_scalar().and_then(|index| {
            let mut parts = vector.elements()?.to_vec();
            *parts.get_mut(usize::try_from(index.bits).ok()?)? = component.clone();
            Constant::composite(parts)
        }),
        (Op::VectorShuffle, [first, second]) => shuffle(first, second, literals),
        (Op::Transpose, [matrix]) => transpose(matrix),
        (Op::Select, [condition, yes, no]) if condition.as_scalar().is_some() => {
            let holds = condition.as_scalar().and_then(Scalar::as_bool);
            holds.map(|holds| if holds { yes.clone() } else { no.clone() })
        }
        (Op::Bitcast, [value]) => bitcast(module, ty, value),
        _ => return None,
    })
}

/// Constructs a composite. A vector may be built from shorter vectors; everything else from its elements.
fn construct(module: &Module, ty: Inst, operands: &[Constant]) -> Option<Constant> {
    let count = element_count(module, ty)?;
    if operands.len() == count {
        return Constant::composite(operands.to_vec());
    }
    vector_shape(module, ty)?;
    let mut parts = Vec::new();
    for operand in operands {
        match operand.elements() {
            Some(elements) => parts.extend_from_slice(elements),
            None => parts.push(operand.clone()),
        }
    }
    (parts.len() == count).then(|| Constant::composite(parts)).flatten()
}

fn extract(composite: &Constant, path: &[u32]) -> Option<Constant> {
    let mut part = composite;
    for &index in path {
        part = part.elements()?.get(index as usize)?;
    }
    Some(part.clone())
}

/// Rebuilds the composites on the path from the inside out.
fn insert(object: &Constant, composite: &Constant, path: &[u32]) -> Option<Constant> {
    let mut around = Vec::new();
    let mut part = composite;
    for &index in path {
        around.push((part.elements()?, index as usize));
        part = part.elements()?.get(index as usize)?;
    }
    let mut changed = object.clone();
    for (elements, index) in around.into_iter().rev() {
        let mut elements = elements.to_vec();
        elements[index] = changed;
        changed = Constant::composite(elements)?;
    }
    Some(changed)
}

/// Shuffles two vectors. A literal of all ones selects no component, so the result is not known.
fn shuffle(first: &Constant, second: &Constant, literals: &[u32]) -> Option<Constant> {
    let (first, second) = (first.elements()?, second.elements()?);
    let component = |&index: &u32| first.iter().chain(second).nth(index as usize).cloned();
    Constant::composite(literals.iter().map(component).collect::<Option<Vec<Constant>>>()?)
}

fn transpose(matrix: &Constant) -> Option<Constant> {
    let columns = matrix.elements()?;
    let rows = columns.first()?.elements()?.len();
    let row = |row: usize| {
        let parts = columns.iter().map(|column| column.elements()?.get(row).cloned());
        Constant::composite(parts.collect::<Option<Vec<Constant>>>()?)
    };
    Constant::composite((0..rows).map(row).collect::<Option<Vec<Constant>>>()?)
}

/// Converts to the type with the same bits. The first component is the lowest.
fn bitcast(module: &Module, ty: Inst, value: &Constant) -> Option<Constant> {
    let (component, count) = match vector_shape(module, ty) {
        Some((component, count)) => (ScalarKind::of(module, component)?, count),
        None => (ScalarKind::of(module, ty)?, 1),
    };
    let alone = std::slice::from_ref(value);
    let scalars: Option<Vec<Scalar>> = value.elements().unwrap_or(alone).iter().map(Constant::as_scalar).collect();
    let scalars = scalars?;
    let width = component.width();
    let is_sized = |kind: ScalarKind| kind != ScalarKind::Bool && kind.width().is_multiple_of(8);
    let total: u32 = scalars.iter().map(|scalar| scalar.kind.width()).sum();
    if !is_sized(component) || !scalars.iter().all(|scalar| is_sized(scalar.kind)) || total != width * count as u32 {
        return None;
    }
    let bits_at = |at: u32| {
        let from = scalars[0].kind.width();
        // Both widths are powers of two times eight, or equal, so that one is a multiple of the other.
        match from >= width {
            true => scalars[(at / from) as usize].bits >> (at % from) & mask(width),
            false => {
                let parts = scalars[(at / from) as usize..][..(width / from) as usize].iter().rev();
                parts.fold(0, |bits, part| bits << from | part.bits)
            }
        }
    };
    let from = scalars.first()?.kind.width();
    if !(from.is_multiple_of(width) || width.is_multiple_of(from)) {
        return None;
    }
    let part = |index: u32| Constant::Scalar(Scalar::new(component, bits_at(index * width)));
    match vector_shape(module, ty) {
        Some(_) => Constant::composite((0..count as u32).map(part).collect()),
        None => Some(part(0)),
    }
}
