//! Constants as values.

use std::sync::Arc;

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};

use super::scalar::{Scalar, ScalarKind};

/// The value of a constant: a scalar, or a composite that shares its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A boolean, integer or float.
    Scalar(Scalar),
    /// A vector, matrix, array or struct.
    Composite(Arc<Parts>),
}

/// The parts of a composite.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Parts {
    elements: Box<[Constant]>,
    leaves: usize,
    depth: usize,
}

impl Constant {
    /// The maximum number of scalars in a constant.
    pub const LEAF_LIMIT: usize = 64;
    /// The maximum nesting of composites.
    pub const DEPTH_LIMIT: usize = 8;

    /// The value of a constant instruction; `None` for other instructions, for specialization constants, if a part is undefined, and above
    /// the limits.
    pub fn of(module: &Module, inst: Inst) -> Option<Constant> {
        // The depth is bounded, and so is the recursion.
        Constant::within(module, inst, Constant::DEPTH_LIMIT, &mut { Constant::LEAF_LIMIT })
    }

    fn within(module: &Module, inst: Inst, depth: usize, leaves: &mut usize) -> Option<Constant> {
        if module.op(inst) == Op::ConstantComposite {
            let deeper = depth.checked_sub(1)?;
            let parts = module.operands(inst).map(|part| Constant::within(module, part, deeper, leaves));
            return Constant::composite(parts.collect::<Option<Vec<Constant>>>()?);
        }
        if module.op(inst) == Op::ConstantNull {
            return Constant::null(module, module.ty(inst)?, depth, leaves);
        }
        *leaves = leaves.checked_sub(1)?;
        Constant::scalar_of(module, inst).map(Constant::Scalar)
    }

    fn scalar_of(module: &Module, inst: Inst) -> Option<Scalar> {
        let kind = ScalarKind::of(module, module.ty(inst)?)?;
        match module.op(inst) {
            Op::ConstantTrue => Some(Scalar::new(kind, 1)),
            Op::ConstantFalse => Some(Scalar::new(kind, 0)),
            Op::Constant => Scalar::from_words(kind, module.constant_words(inst)?),
            _ => None,
        }
    }

    /// Zeros of a type.
    fn null(module: &Module, ty: Inst, depth: usize, leaves: &mut usize) -> Option<Constant> {
        if let Some(kind) = ScalarKind::of(module, ty) {
            *leaves = leaves.checked_sub(1)?;
            return Some(Constant::Scalar(Scalar::new(kind, 0)));
        }
        let deeper = depth.checked_sub(1)?;
        let count = element_count(module, ty).filter(|&count| count <= Constant::LEAF_LIMIT)?;
        let mut parts = Vec::with_capacity(count);
        for index in 0..count {
            parts.push(Constant::null(module, module.part_type(ty, index)?, deeper, leaves)?);
        }
        Constant::composite(parts)
    }

    /// A composite of these elements, unless it is too large or too deep.
    pub fn composite(elements: Vec<Constant>) -> Option<Constant> {
        let size = |element: &Constant| match element {
            Constant::Scalar(_) => (1, 0),
            Constant::Composite(parts) => (parts.leaves, parts.depth),
        };
        let leaves = elements.iter().map(|element| size(element).0).sum();
        let depth = 1 + elements.iter().map(|element| size(element).1).max().unwrap_or(0);
        let elements = elements.into_boxed_slice();
        let fits = leaves <= Constant::LEAF_LIMIT && depth <= Constant::DEPTH_LIMIT;
        fits.then(|| Constant::Composite(Arc::new(Parts { elements, leaves, depth })))
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Constant::Scalar(scalar) => Some(*scalar),
            Constant::Composite(_) => None,
        }
    }

    /// The elements, if it is a composite.
    pub fn elements(&self) -> Option<&[Constant]> {
        match self {
            Constant::Scalar(_) => None,
            Constant::Composite(parts) => Some(&parts.elements),
        }
    }

    /// Returns whether the predicate holds for the scalar, or for every component of the vector.
    pub fn all(&self, holds: impl Fn(Scalar) -> bool) -> bool {
        match self {
            Constant::Scalar(scalar) => holds(*scalar),
            Constant::Composite(parts) => parts.elements.iter().all(|part| part.as_scalar().is_some_and(&holds)),
        }
    }

    /// The scalar or vector with each scalar replaced by another one, if there is one for each.
    pub fn map(&self, change: impl Fn(Scalar) -> Option<Scalar>) -> Option<Constant> {
        match self {
            Constant::Scalar(scalar) => change(*scalar).map(Constant::Scalar),
            Constant::Composite(parts) => {
                let parts = parts.elements.iter().map(|part| change(part.as_scalar()?).map(Constant::Scalar));
                Constant::composite(parts.collect::<Option<Vec<Constant>>>()?)
            }
        }
    }
}

/// The component type and the length of a vector type.
pub(super) fn vector_shape(module: &Module, ty: Inst) -> Option<(Inst, usize)> {
    let view::TypeVector { component, count } = view::TypeVector::of(module, ty)?;
    Some((component, count as usize))
}

/// The number of elements that a composite type has, if that is known.
pub(super) fn element_count(module: &Module, ty: Inst) -> Option<usize> {
    match module.type_view(ty)? {
        TypeView::Vector { count, .. } | TypeView::Matrix { count, .. } => Some(count as usize),
        TypeView::Array { length, .. } => {
            let (&length, high) = view::Constant::of(module, length)?.value.split_first()?;
            high.iter().all(|&word| word == 0).then_some(length as usize)
        }
        TypeView::Struct { members } => Some(members.len()),
        _ => None,
    }
}
