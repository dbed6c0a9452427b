//! Which loads are from memory that only the lane itself writes, at places that exist.
//!
//! A load may run where it did not run before if the variable is known and whole: of the function, of the invocation, an input or push
//! constants, by a path of constant indices. Other memory may be written by somebody at that moment, which would be a race that was
//! not there, and an index that was not checked yet may lead nowhere.

use reconverge_ir::{Inst, Module, Op};
use smallvec::{SmallVec, smallvec};

use super::{is_volatile, storage_class};
use crate::{array_length, element_type};

/// The storage classes Input, Private, Function and PushConstant.
const OWN: [u32; 4] = [1, 6, super::FUNCTION, 9];
/// The decoration of memory that may change at any time.
const VOLATILE: u32 = 21;

/// Whether values of a type are plain data or addresses: no handles, and nothing that lanes hold together.
pub fn is_plain_type(module: &Module, ty: Inst) -> bool {
    let mut pending: SmallVec<[Inst; 4]> = smallvec![ty];
    while let Some(ty) = pending.pop() {
        match module.op(ty) {
            Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer | Op::TypeVector | Op::TypeMatrix => {}
            Op::TypeArray => pending.push(module.operand(ty, 0)),
            Op::TypeStruct => pending.extend(module.operands(ty)),
            _ => return false,
        }
    }
    true
}

/// Whether a load is from a variable that nobody but this lane writes, at a place that exists. Such a load may run where it did not
/// run before.
pub fn is_own_memory(module: &Module, load: Inst) -> bool {
    if is_volatile(module, load) || !module.ty(load).is_some_and(|ty| is_plain_type(module, ty)) {
        return false;
    }
    let (root, path) = path_of(module, module.operand(load, 0));
    let class = module.ty(root).and_then(|ty| storage_class(module, ty));
    let is_own = module.op(root) == Op::Variable && class.is_some_and(|class| OWN.contains(&class));
    is_own && !changes_by_itself(module, root) && exists(module, root, &path)
}

/// Whether a variable is decorated as one that may change at any time, as some built-in inputs are.
fn changes_by_itself(module: &Module, variable: Inst) -> bool {
    module.decorations(variable).iter().any(|&decoration| {
        let word = module.operands(decoration).next().and_then(|word| module.literal_word(word));
        module.op(decoration) == Op::Decorate && word == Some(VOLATILE)
    })
}

/// The pointer that a chain of addresses starts from, and the indices on the way.
fn path_of(module: &Module, pointer: Inst) -> (Inst, SmallVec<[Inst; 4]>) {
    let (mut root, mut reversed) = (pointer, SmallVec::new());
    while matches!(module.op(root), Op::AccessChain | Op::InBoundsAccessChain) {
        let indices: SmallVec<[Inst; 4]> = module.operands(root).skip(1).collect();
        reversed.extend(indices.into_iter().rev());
        root = module.operand(root, 0);
    }
    reversed.reverse();
    (root, reversed)
}

/// Whether a path of constant indices leads to a part of a variable.
fn exists(module: &Module, variable: Inst, path: &[Inst]) -> bool {
    let Some(mut ty) = module.ty(variable).map(|pointer| module.operand(pointer, 1)) else { return false };
    path.iter().all(|&index| {
        let literal = (module.op(index) == Op::Constant).then(|| module.literal_word(module.operand(index, 0)));
        let Some(number) = literal.flatten() else { return false };
        let length = match module.op(ty) {
            Op::TypeStruct => module.operand_count(ty) as u64,
            Op::TypeVector | Op::TypeMatrix => {
                u64::from(module.literal_word(module.operand(ty, 1)).unwrap_or(1).max(1))
            }
            _ => array_length(module, ty).unwrap_or(0),
        };
        let next = match module.op(ty) {
            Op::TypeStruct => module.operands(ty).nth(number as usize),
            _ => element_type(module, ty),
        };
        ty = next.unwrap_or(ty);
        u64::from(number) < length
    })
}
