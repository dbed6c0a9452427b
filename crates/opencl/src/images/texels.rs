//! Texels in memory: the address of one, and its words.
//!
//! ```text
//! (x, y, z)     ⇒     z * slice pitch + y * row pitch + x * size of a texel     ⇒     1, 2 or 4 words; a part of a word below
//! ```
//!
//! The texel with index (0, 0, 0) is aligned to 16 bytes and texels to their size, so a texel never crosses a word that it does not fill. All
//! offsets fit 31 bits.

use reconverge_ir::Op;
use spirv::StorageClass;

use super::addressing::WORD;
use super::parts::{FormatValue, Image};
use crate::formula::{FormulaWriter, Scalar, Shape, Value};
use crate::scalars::aligned;
use crate::{ChannelOrder, ChannelType, ImageFormat};

/// The sizes of texels in bytes.
const SIZES: [u32; 5] = [1, 2, 4, 8, 16];

/// The words of a texel; those that it does not have are 0.
pub(super) type Words<'w> = [Value<'w>; 4];

/// The memory of an image.
#[derive(Clone, Copy)]
pub(super) struct Texels<'a, 'w> {
    pub(super) writer: &'w FormulaWriter<'w>,
    pub(super) image: &'a Image,
}

impl<'w> Texels<'_, 'w> {
    /// Width, height or depth.
    pub(super) fn size_along(&self, axis: u32) -> Value<'w> {
        self.shape(axis)
    }

    /// A word of the shape: three sizes and the row pitch.
    fn shape(&self, index: u32) -> Value<'w> {
        Value::new(self.writer, self.image.shape, WORD.times(4)).component(index)
    }

    /// The bytes of a texel.
    fn size(&self) -> Value<'w> {
        match self.image.format {
            FormatValue::Fixed(format) => self.writer.constant(WORD, u64::from(size_of_fixed(format))),
            FormatValue::Specialized { .. } => size_of(self.image.format.words(self.writer)),
        }
    }

    /// The offset of a texel in bytes: x, then y and z where the image has them.
    pub(super) fn offset(&self, place: &[Value<'w>]) -> Value<'w> {
        let pitches = [self.size(), self.shape(3), Value::new(self.writer, self.image.slice_pitch, WORD)];
        let terms = place.iter().zip(pitches).map(|(&index, pitch)| index * pitch);
        terms.reduce(|sum, term| sum + term).expect("invariant: an image has an axis")
    }

    /// The words of the texel at an offset.
    pub(super) fn load(&self, offset: Value<'w>) -> Words<'w> {
        let zeros = || [self.writer.constant(WORD, 0); 4];
        self.by_size(|bytes| self.load_sized(offset, bytes), &zeros)
    }

    /// Stores the words of the texel at an offset.
    pub(super) fn store(&self, offset: Value<'w>, words: Words<'w>) {
        let store = |bytes| {
            self.store_sized(offset, words, bytes);
            []
        };
        self.by_size(store, &|| []);
    }

    /// An access for the size of the texels: that of each size, among which the code chooses if the format is not known.
    fn by_size<const N: usize>(
        &self,
        access: impl Fn(u32) -> [Value<'w>; N],
        otherwise: &dyn Fn() -> [Value<'w>; N],
    ) -> [Value<'w>; N] {
        if let FormatValue::Fixed(format) = self.image.format {
            return access(size_of_fixed(format));
        }
        let access = &access;
        let branches = SIZES.map(|bytes| (bytes, move || access(bytes)));
        let cases: Vec<(u32, &dyn Fn() -> [Value<'w>; N])> =
            branches.iter().map(|(bytes, branch)| (*bytes, branch as &dyn Fn() -> _)).collect();
        self.writer.choose(self.size(), &cases, otherwise)
    }

    fn load_sized(&self, offset: Value<'w>, bytes: u32) -> Words<'w> {
        let mut words = [self.writer.constant(WORD, 0); 4];
        match bytes {
            1 | 2 => {
                let shape = WORD.with(Scalar::Int(8 * bytes));
                words[0] = self.load_at(elements(offset, bytes), shape).to_width(32);
            }
            _ => {
                let first = elements(offset, 4);
                for (number, word) in words.iter_mut().enumerate().take(bytes as usize / 4) {
                    *word = self.load_at(advanced(first, number), WORD);
                }
            }
        }
        words
    }

    fn store_sized(&self, offset: Value<'w>, words: Words<'w>, bytes: u32) {
        match bytes {
            1 | 2 => self.store_at(elements(offset, bytes), words[0].to_width(8 * bytes)),
            _ => {
                let first = elements(offset, 4);
                for (number, &word) in words.iter().enumerate().take(bytes as usize / 4) {
                    self.store_at(advanced(first, number), word);
                }
            }
        }
    }

    fn load_at(&self, index: Value<'w>, shape: Shape) -> Value<'w> {
        let pointer = self.pointer(index, shape);
        let [mask, alignment] = self.writer.build(|build| aligned(build, shape.width() / 8));
        self.writer.emit_raw(Op::Load, shape, &[pointer, mask, alignment])
    }

    fn store_at(&self, index: Value<'w>, value: Value<'w>) {
        let pointer = self.pointer(index, value.shape());
        self.writer.build(|build| {
            let [mask, alignment] = aligned(build, value.shape().width() / 8);
            build.store(&[pointer, value.inst(), mask, alignment])
        });
    }

    /// The pointer to an element of the texels.
    fn pointer(&self, index: Value<'w>, shape: Shape) -> reconverge_ir::Inst {
        let ty = self.writer.ty(shape);
        self.writer.build(|build| {
            let pointer = build.pointer_type(StorageClass::CrossWorkgroup, ty);
            let base = match build.module().ty(self.image.texels) == Some(pointer) {
                true => self.image.texels,
                false => build.bitcast(pointer, &[self.image.texels]),
            };
            build.in_bounds_ptr_access_chain(pointer, &[base, index.inst()])
        })
    }
}

/// An offset in bytes as an index of elements of 1, 2 or 4 bytes.
fn elements(offset: Value<'_>, bytes: u32) -> Value<'_> {
    if bytes == 1 { offset } else { offset >> u64::from(bytes / 2) }
}

/// The index some words further.
fn advanced(first: Value<'_>, number: usize) -> Value<'_> {
    if number == 0 { first } else { first + number as u64 }
}

/// The bytes of a texel of a known format.
fn size_of_fixed(format: ImageFormat) -> u32 {
    format.texel_size().expect("invariant: the options have formats that exist")
}

/// The bytes of a texel of these words of a format.
fn size_of<'w>([order, data_type]: [Value<'w>; 2]) -> Value<'w> {
    let is_one_of = |value: Value<'w>, numbers: Vec<u32>| {
        let tests = numbers.into_iter().map(|number| value.equals(u64::from(number)));
        tests.reduce(|found, test| found | test).expect("invariant: there is one")
    };
    let of_channels = |count| {
        let orders = ChannelOrder::ALL.into_iter().filter(|order| order.channels() == count);
        orders.map(|order| order as u32).collect::<Vec<_>>()
    };
    let of_bytes = |bytes| {
        let types = ChannelType::ALL.into_iter().filter(|kind| kind.bytes() == bytes);
        types.map(|kind| kind as u32).collect::<Vec<_>>()
    };
    let number = |value: u64| order.constant(value);
    let bytes =
        is_one_of(data_type, of_bytes(1)).select(number(1), is_one_of(data_type, of_bytes(2)).select(number(2), 4));
    // A packed texel is one number: its orders are those of three channels.
    let channels =
        is_one_of(order, of_channels(4)).select(number(4), is_one_of(order, of_channels(2)).select(number(2), 1));
    bytes * channels
}
