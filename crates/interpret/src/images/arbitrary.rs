//! Artificial images: pseudo-random texels, a function of the operation, its operands and a seed.
//!
//! A hash (FNV-1a, Fowler, Noll and Vo 1991, with a finisher of xor and shift) of everything that distinguishes two operations; each scalar
//! of the result continues it. Linear in the operands.

use reconverge_ir::Op;
use spirv::ImageOperands;

use crate::{ImageCall, Resource, Value};

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
/// The image operands that select a level.
const LEVEL: ImageOperands = ImageOperands::BIAS.union(ImageOperands::LOD).union(ImageOperands::GRAD);

/// The result of an operation.
pub(crate) fn answer(call: &ImageCall<'_>, seed: u64) -> Value {
    let image = place(call, call.image, mixed(OFFSET, seed));
    match call.op {
        Op::ImageQuerySize | Op::ImageQuerySizeLod => {
            let level = call.operands.first().and_then(Value::as_u64).unwrap_or(0);
            call.fill(|axis| {
                let size = 1 + finished(mixed(image, axis as u64)) % 64;
                ((size >> level.min(63)).max(1), 0.0)
            })
        }
        Op::ImageQueryLevels | Op::ImageQuerySamples => {
            call.fill(|_| (1 + finished(mixed(image, call.op as u64)) % 8, 0.0))
        }
        op => {
            let mut hash = mixed(image, op as u64);
            if let Some(sampler) = call.sampler {
                hash = place(call, sampler, hash);
            }
            hash = mixed(hash, u64::from(call.mask & LEVEL.bits()));
            for value in call.operands.iter().chain(call.image_operands).chain(call.gradients.into_iter().flatten()) {
                hash = value_hash(hash, value);
            }
            call.fill(|component| {
                let number = finished(mixed(hash, component as u64)) % 257;
                (number.min(255), number as f64 / 256.0)
            })
        }
    }
}

fn place(call: &ImageCall<'_>, resource: Resource, hash: u64) -> u64 {
    let (set, binding) = match call.binding(resource) {
        Some((set, binding)) => (u64::from(set), u64::from(binding)),
        None => (u64::MAX, resource.variable.index() as u64),
    };
    mixed(mixed(mixed(hash, set), binding), u64::from(resource.index))
}

/// The depth of the recursion is that of the type.
fn value_hash(hash: u64, value: &Value) -> u64 {
    match value {
        Value::Int { bits, .. } => mixed(hash, *bits),
        Value::Float { .. } => mixed(hash, value.as_f64().map_or(0, |number| (number + 0.0).to_bits())),
        Value::Bool(value) => mixed(hash, u64::from(*value)),
        Value::Composite(elements) => elements.iter().fold(hash, value_hash),
        Value::Undefined | Value::Pointer(_) | Value::Descriptor(_) => mixed(hash, PRIME),
    }
}

fn mixed(hash: u64, word: u64) -> u64 {
    word.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

fn finished(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ hash >> 29
}
