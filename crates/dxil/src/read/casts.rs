//! The conversions that exist between two types.

use crate::module::{CastOp, Type, TypeId, Types};

/// Returns whether a conversion exists.
pub(super) fn is_legal_cast(types: &Types, op: CastOp, from: TypeId, to: TypeId) -> bool {
    if op != CastOp::BitCast && types.vector_length(from) != types.vector_length(to) {
        return false;
    }
    let (source, target) = (types.scalar(from), types.scalar(to));
    let [is_source_integer, is_target_integer] = [source, target].map(|ty| types.is_integer(ty));
    let [is_source_float, is_target_float] = [source, target].map(|ty| types.is_float(ty));
    let [source_space, target_space] = [source, target].map(|ty| match types[ty] {
        Type::Pointer { address_space, .. } => Some(address_space),
        _ => None,
    });
    let is_narrower = types.scalar_width(from) > types.scalar_width(to);
    let is_wider = types.scalar_width(from) < types.scalar_width(to);
    match op {
        CastOp::Trunc => is_source_integer && is_target_integer && is_narrower,
        CastOp::ZExt | CastOp::SExt => is_source_integer && is_target_integer && is_wider,
        CastOp::FPToUI | CastOp::FPToSI => is_source_float && is_target_integer,
        CastOp::UIToFP | CastOp::SIToFP => is_source_integer && is_target_float,
        CastOp::FPTrunc => is_source_float && is_target_float && is_narrower,
        CastOp::FPExt => is_source_float && is_target_float && is_wider,
        CastOp::PtrToInt => source_space.is_some() && is_target_integer,
        CastOp::IntToPtr => is_source_integer && target_space.is_some(),
        CastOp::AddrSpaceCast => source_space.is_some() && target_space.is_some() && source_space != target_space,
        CastOp::BitCast => match (source_space, target_space) {
            (Some(source), Some(target)) => source == target && types.vector_length(from) == types.vector_length(to),
            (None, None) => bits(types, from).is_some() && bits(types, from) == bits(types, to),
            _ => false,
        },
    }
}

/// The width of a number or vector of numbers.
fn bits(types: &Types, ty: TypeId) -> Option<u64> {
    let length = types.vector_length(ty).unwrap_or(1);
    Some(u64::from(types.scalar_width(ty)?) * u64::from(length))
}
