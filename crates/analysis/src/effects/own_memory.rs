//! Loads from memory that only the lane itself writes, at valid places.
//!
//! A load may be speculated if the variable is known and the access valid: of the function, of the invocation, an input or push constants,
//! by a path of constant indices. Other lanes may write other memory at that time, which would be a new race, and an index that was not
//! checked yet may be out of bounds.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use smallvec::{SmallVec, smallvec};
use spirv::{Decoration, StorageClass};

use super::is_volatile;
use crate::array_length;

/// The storage classes of memory that belongs to the invocation, or that is never written.
const OWN: [StorageClass; 4] =
    [StorageClass::Input, StorageClass::Private, StorageClass::Function, StorageClass::PushConstant];

/// Returns whether values of a type are plain data or addresses: no handles, and nothing that lanes share.
pub fn is_plain_type(module: &Module, ty: Inst) -> bool {
    let mut pending: SmallVec<[Inst; 4]> = smallvec![ty];
    while let Some(ty) = pending.pop() {
        match module.op(ty) {
            Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer | Op::TypeVector | Op::TypeMatrix => {}
            Op::TypeArray => pending.extend(module.element_type(ty)),
            Op::TypeStruct => pending.extend(module.operands(ty)),
            _ => return false,
        }
    }
    true
}

/// Returns whether a load is from a variable that only this lane writes, at a valid place. Such a load may be speculated.
pub fn is_own_memory(module: &Module, load: Inst) -> bool {
    if is_volatile(module, load) || !module.ty(load).is_some_and(|ty| is_plain_type(module, ty)) {
        return false;
    }
    let Some(view::Load { pointer, .. }) = view::Load::of(module, load) else { return false };
    let (root, path) = path_of(module, pointer);
    let class = module.storage_class(root);
    let is_own = module.op(root) == Op::Variable && class.is_some_and(|class| OWN.contains(&class));
    // Some built-in inputs may change at any time.
    is_own && !module.decorated(root).has(Decoration::Volatile) && exists(module, root, &path)
}

/// The base pointer of a chain of access chains, and the indices along it.
fn path_of(module: &Module, pointer: Inst) -> (Inst, SmallVec<[Inst; 4]>) {
    let (mut root, mut reversed) = (pointer, SmallVec::new());
    while let Some(view::Chain { base, element: None, indexes }) = view::Chain::of(module, root) {
        reversed.extend(indexes.iter().rev());
        root = base;
    }
    reversed.reverse();
    (root, reversed)
}

/// Returns whether a path of constant indices leads to a part of a variable.
fn exists(module: &Module, variable: Inst, path: &[Inst]) -> bool {
    let Some(mut ty) = module.pointee(variable) else { return false };
    path.iter().all(|&index| {
        let Some(number) = module.constant_word(index) else { return false };
        let (length, next) = match module.type_view(ty) {
            Some(TypeView::Struct { members }) => (members.len() as u64, members.at(number as usize)),
            Some(TypeView::Vector { component: part, count } | TypeView::Matrix { column: part, count }) => {
                (u64::from(count.max(1)), Some(part))
            }
            _ => (array_length(module, ty).unwrap_or(0), module.element_type(ty)),
        };
        ty = next.unwrap_or(ty);
        u64::from(number) < length
    })
}
