//! Reads values of any type from the bytes of arguments, in types that every device can load.
//!
//! ```text
//! f32x4 at 16        load                                  u16 at 6     u_convert (word[4] >> 16)
//! f32x8 at 32        load, load, construct                 f16 at 6     bitcast (u_convert (word[4] >> 16))
//! u32 at 5, packed   word[4] >> 8 | word[8] << 24          pointer      convert_u_to_ptr (load u64)
//! ```
//!
//! A word is loaded once. Loads from push constants have the type of a member, loads from the buffer go through its address. A uniform
//! buffer consists of words.

use reconverge_analysis::Layout;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Op};
use rustc_hash::FxHashMap;
use spirv::{Decoration, StorageClass};

use super::block::Block;
use super::layout::KernelLayout;
use crate::Arguments;
use crate::error;
use crate::scalars::{aligned, convert_unsigned, integer, vector_type, word};

/// The maximal alignment of an argument buffer.
const BUFFER_ALIGNMENT: u64 = 16;

/// Reads arguments at the builder's position, which must be in a block that runs once.
pub(super) struct Reader<'m> {
    build: Builder<'m>,
    source: Source,
    words: FxHashMap<u64, Inst>,
}

/// The location of the bytes.
enum Source {
    Nothing,
    Block(Block),
    /// At a 64-bit address.
    Buffer(Inst),
}

impl<'m> Reader<'m> {
    /// A reader of the arguments of a function.
    pub(super) fn new(mut build: Builder<'m>, function: Function, frame: &KernelLayout) -> Reader<'m> {
        let source = match frame.arguments_in {
            Arguments::Uniform { size: 0, .. } => Source::Nothing,
            Arguments::Uniform { .. } => Source::Block(Block::of(&mut build, function)),
            _ if frame.push_constant_size == 0 => Source::Nothing,
            Arguments::PushConstants => Source::Block(Block::of(&mut build, function)),
            Arguments::Buffer { address_offset, .. } => {
                let u64_type = build.int_type(64);
                Source::Buffer(Block::of(&mut build, function).load(&mut build, address_offset, u64_type))
            }
        };
        Reader { build, source, words: FxHashMap::default() }
    }

    /// The builder.
    pub(super) fn build(&mut self) -> &mut Builder<'m> {
        &mut self.build
    }

    /// The value of a type at an offset, for a parameter that errors name: a scalar, a vector or a pointer.
    pub(super) fn value(&mut self, parameter: Inst, ty: Inst, offset: u64) -> Result<Inst, Diagnostic> {
        match self.build.module().op(ty) {
            Op::TypePointer => {
                let u64_type = self.build.int_type(64);
                let address = self.scalar(offset, u64_type);
                let pointer = self.build.convert_u_to_ptr(ty, &[address]);
                // The caller guarantees the alignment of the address here, too.
                let promised =
                    self.build.module().decorated(parameter).note(Decoration::Alignment).map(|note| note.inst);
                if let Some(promised) = promised {
                    self.build.editor().decorate(pointer, promised);
                }
                Ok(pointer)
            }
            Op::TypeInt | Op::TypeFloat => Ok(self.scalar(offset, ty)),
            Op::TypeVector => Ok(self.vector(offset, ty)),
            op => Err(error::unsupported(parameter, format!("`{}` in a kernel argument", op.name()))),
        }
    }

    fn vector(&mut self, offset: u64, ty: Inst) -> Inst {
        let module = self.build.module();
        let (component, count) = module.components(ty);
        let width = module.width(component).unwrap_or(32);
        let bytes = u64::from(width / 8);
        let is_aligned = width >= 32 && offset.is_multiple_of(bytes * u64::from(count).next_power_of_two());
        if is_aligned && count <= 4 {
            return self.load(offset, ty);
        }
        let parts: Vec<Inst> = match is_aligned {
            true => {
                let four = vector_type(&mut self.build, component, 4);
                (0..u64::from(count / 4)).map(|part| self.load(offset + part * 4 * bytes, four)).collect()
            }
            false => (0..u64::from(count)).map(|part| self.scalar(offset + part * bytes, component)).collect(),
        };
        self.build.composite_construct(ty, &parts)
    }

    fn scalar(&mut self, offset: u64, ty: Inst) -> Inst {
        let width = self.build.module().width(ty).unwrap_or(32);
        if width >= 32 && offset.is_multiple_of(u64::from(width / 8)) {
            return self.load(offset, ty);
        }
        let bits_type = self.build.int_type(width);
        let bits = match width {
            64 => {
                let halves = [self.bits(offset, 4), self.bits(offset + 4, 4)];
                let [low, high] = halves.map(|half| convert_unsigned(&mut self.build, half, bits_type));
                let distance = integer(&mut self.build, bits_type, 32);
                let high = self.build.shift_left_logical(bits_type, &[high, distance]);
                self.build.bitwise_or(bits_type, &[low, high])
            }
            width => {
                let bits = self.bits(offset, u64::from(width / 8));
                convert_unsigned(&mut self.build, bits, bits_type)
            }
        };
        if bits_type == ty { bits } else { self.build.bitcast(ty, &[bits]) }
    }

    /// Up to four bytes at any offset, in the low bits of a word; the bits above are undefined.
    fn bits(&mut self, offset: u64, bytes: u64) -> Inst {
        let u32_type = self.build.int_type(32);
        let (start, skipped) = (offset / 4 * 4, offset % 4);
        let mut bits = self.word(start);
        if skipped > 0 {
            let distance = word(&mut self.build, skipped as u32 * 8);
            bits = self.build.shift_right_logical(u32_type, &[bits, distance]);
        }
        if skipped + bytes > 4 {
            let next = self.word(start + 4);
            let distance = word(&mut self.build, 32 - skipped as u32 * 8);
            let high = self.build.shift_left_logical(u32_type, &[next, distance]);
            bits = self.build.bitwise_or(u32_type, &[bits, high]);
        }
        bits
    }

    /// The word at an offset that is a multiple of 4.
    pub(super) fn word(&mut self, offset: u64) -> Inst {
        if let Some(&word) = self.words.get(&offset) {
            return word;
        }
        let u32_type = self.build.int_type(32);
        let word = self.load(offset, u32_type);
        self.words.insert(offset, word);
        word
    }

    /// Loads a scalar or a vector of at most four components, whose offset is aligned.
    fn load(&mut self, offset: u64, ty: Inst) -> Inst {
        let build = &mut self.build;
        match self.source {
            Source::Nothing => unreachable!("a kernel without push constants has no argument to read"),
            Source::Block(block) => block.load(build, offset as u32, ty),
            Source::Buffer(base) => {
                let u64_type = build.int_type(64);
                let address = match offset {
                    0 => base,
                    offset => {
                        let offset = integer(build, u64_type, offset);
                        build.i_add(u64_type, &[base, offset])
                    }
                };
                let pointer = build.pointer_type(StorageClass::PhysicalStorageBuffer, ty);
                let place = build.convert_u_to_ptr(pointer, &[address]);
                let alignment = Layout::of(build.module(), ty).map_or(4, |layout| layout.alignment);
                let [mask, alignment] = aligned(build, alignment.min(BUFFER_ALIGNMENT) as u32);
                build.load(ty, &[place, mask, alignment])
            }
        }
    }
}
