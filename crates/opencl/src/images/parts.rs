//! What a kernel knows of an image or a sampler after its parameter is replaced.

use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::addressing::WORD;
use crate::formula::{FormulaWriter, Value};
use crate::{ImageAccess, ImageFormat, ImageKind};

/// An image: the values that replace its parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    pub(super) kind: ImageKind,
    pub(super) access: ImageAccess,
    /// A pointer to the words of the texels.
    pub(super) texels: Inst,
    /// Width, height, depth, row pitch.
    pub(super) shape: Inst,
    /// The slice pitch.
    pub(super) slice_pitch: Inst,
    pub(super) format: FormatValue,
}

/// The format of an image.
#[derive(Clone, Copy, Debug)]
pub(super) enum FormatValue {
    /// The format is known.
    Fixed(ImageFormat),
    /// It is that of a launch: values of 32 bits with the numbers of OpenCL.
    Specialized { order: Inst, data_type: Inst },
}

impl FormatValue {
    /// The channel order and the channel type, as words with the numbers of OpenCL.
    pub(super) fn words<'w>(self, writer: &'w FormulaWriter<'w>) -> [Value<'w>; 2] {
        match self {
            FormatValue::Fixed(ImageFormat { order, data_type }) => {
                [order as u32, data_type as u32].map(|number| writer.constant(WORD, u64::from(number)))
            }
            FormatValue::Specialized { order, data_type } => {
                [order, data_type].map(|inst| Value::new(writer, inst, WORD))
            }
        }
    }
}

/// A sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sampler {
    /// The bits are known.
    Fixed(u32),
    /// A word with the bits.
    Value(Inst),
}

/// The images of a module, by the values that they are: parameters of kernels, and choices among them.
#[derive(Default, Debug)]
pub(super) struct Images {
    pub(super) by_parameter: FxHashMap<Inst, Image>,
    /// The parameters of kernels, in order.
    pub(super) parameters: Vec<Inst>,
}

impl Images {
    /// The image that a value is, if it is known.
    pub(super) fn of(&self, module: &Module, value: Inst) -> Option<Image> {
        self.by_parameter.get(&origin(module, value)).copied()
    }
}

/// The sampler that a word is.
pub(super) fn sampler(module: &Module, value: Inst) -> Sampler {
    let value = origin(module, value);
    module
        .constant_word(value)
        .filter(|_| module.op(value) == Op::Constant)
        .map_or(Sampler::Value(value), Sampler::Fixed)
}

/// The value that a chain of copies and of private variables with one store leads to. Linear in the chain.
pub(super) fn origin(module: &Module, mut value: Inst) -> Inst {
    // A chain that returns to itself, in code that is never executed, has no value.
    for _ in 0..LONGEST_CHAIN {
        let next = match module.op(value) {
            Op::CopyObject => Some(module.operand(value, 0)),
            Op::Load => stored(module, module.operand(value, view::Load::SLOT.pointer)),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}

/// The longest chain of private variables that an image goes through: calls pass it on, one for each.
const LONGEST_CHAIN: u32 = 4096;

/// The only value that is stored to a private variable.
fn stored(module: &Module, variable: Inst) -> Option<Inst> {
    if module.op(variable) != Op::Variable || module.storage_class(variable) != Some(StorageClass::Function) {
        return None;
    }
    let mut found = None;
    for used in module.uses(variable) {
        match module.op(used.user) {
            Op::Load | Op::LifetimeStart | Op::LifetimeStop => {}
            Op::Store => {
                let object = view::Store::of(module, used.user)?.object;
                if found.is_some_and(|known| known != object) || object == variable {
                    return None;
                }
                found = Some(object);
            }
            _ => return None,
        }
    }
    found
}
