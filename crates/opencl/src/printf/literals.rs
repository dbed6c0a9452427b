//! String literals: pointers to constant variables whose characters are known.
//!
//! clang writes a literal as a variable of storage class `UniformConstant` with an array of 8-bit integers, and a use of it as the variable, or as
//! an access chain or a cast of it.

use reconverge_ir::{Inst, Module, Op, view};
use spirv::StorageClass;

use crate::scalars::{constant_value, innermost, is_int};

/// The most casts and chains from a literal to its use.
const MOST_STEPS: usize = 64;

/// The longest literal, in characters. A longer one is none.
const LONGEST: usize = 1 << 16;

/// The characters at a pointer, up to a zero; `None` unless it is a literal. Linear in the characters and the steps to the variable.
pub(super) fn literal(module: &Module, pointer: Inst) -> Option<Vec<u8>> {
    let (mut base, mut start) = (pointer, 0_u64);
    // Code that nothing reaches may go round.
    for _ in 0..MOST_STEPS {
        match module.op(base) {
            Op::Variable => break,
            Op::Bitcast | Op::CopyObject => base = module.operand(base, 0),
            _ => {
                let chain = view::Chain::of(module, base)?;
                start = start.checked_add(steps(module, &chain)?)?;
                base = chain.base;
            }
        }
    }
    let variable = view::Variable::of(module, base)?;
    if variable.storage_class != Some(StorageClass::UniformConstant) {
        return None;
    }
    let bytes = characters(module, module.pointee(base)?, variable.initializer?)?;
    let text = bytes.get(usize::try_from(start).ok()?..)?;
    let end = text.iter().position(|&character| character == 0)?;
    Some(text[..end].to_vec())
}

/// The characters that a chain steps over: only its last index may be another than zero.
fn steps(module: &Module, chain: &view::Chain<'_>) -> Option<u64> {
    let pointee = module.pointee(chain.base)?;
    let indexes: Vec<Inst> = chain.element.into_iter().chain(chain.indexes).collect();
    let (&last, first) = indexes.split_last()?;
    let is_zero = |&index: &Inst| constant_value(module, index) == Some(0);
    let steps = constant_value(module, last)?;
    // A step over a whole array is no step over a character.
    let is_of_characters = !(indexes.len() == 1 && chain.element.is_some()) || is_int(module, pointee, 8);
    (first.iter().all(is_zero) && (steps == 0 || is_of_characters)).then_some(steps)
}

/// The bytes of an array of 8-bit integers.
fn characters(module: &Module, ty: Inst, initializer: Inst) -> Option<Vec<u8>> {
    if !is_int(module, innermost(module, ty), 8) {
        return None;
    }
    match module.op(initializer) {
        Op::ConstantNull => Some(vec![0]),
        Op::ConstantComposite => {
            let parts: Vec<Inst> = module.operands(initializer).collect();
            let byte = |&part: &Inst| constant_value(module, part).map(|value| value as u8);
            (parts.len() <= LONGEST).then(|| parts.iter().map(byte).collect()).flatten()
        }
        _ => None,
    }
}
