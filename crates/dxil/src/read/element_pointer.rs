//! The type of an address of a member.

use crate::module::{Type, TypeId, Types};

/// An index: its type, and its value if it is a constant.
#[derive(Clone, Copy)]
pub(super) struct Index {
    pub(super) ty: TypeId,
    pub(super) constant: Option<u64>,
}

/// The type of the member that indices lead to, from a pointer to `source`.
///
/// The first index counts values of the source. Each other one selects a member: a constant of 32 bits in a struct, an integer elsewhere.
///
/// # Errors
/// A message with the expected and the found type.
pub(super) fn element_type(
    types: &Types,
    source: TypeId,
    indices: impl IntoIterator<Item = Index>,
) -> Result<TypeId, &'static str> {
    if !types.is_sized(source) {
        return Err("expected a pointer to a type with a size");
    }
    let mut ty = source;
    for (place, index) in indices.into_iter().enumerate() {
        if !types.is_integer(index.ty) {
            return Err("expected indices that are integers");
        }
        if place == 0 {
            continue;
        }
        ty = match (&types[ty], index.constant) {
            (Type::Struct { .. }, None) => return Err("expected a constant as the index of a struct"),
            (Type::Struct { .. }, Some(constant)) if types.integer_width(index.ty) == Some(32) => {
                types.member(ty, constant).ok_or("expected the index of a member")?
            }
            (Type::Array { element, .. } | Type::Vector { element, .. }, _) => *element,
            _ => return Err("expected an index into a struct, array or vector"),
        };
    }
    Ok(ty)
}
