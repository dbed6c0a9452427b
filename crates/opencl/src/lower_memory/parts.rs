//! Parts of words: accesses of 8 and 16 bits, and misaligned ones, to buffers and module constants, which consist of 32-bit words.
//!
//! ```text
//! %x: u8 = load %p (byte 6)      %w = load %words[6 >> 2]     %s = (6 & 3) * 8      %x = u_convert (%w >> %s)
//! store %p (byte 6), %x     ⇒    atomic_and %words[1], ~(0xff << %s)      atomic_or %words[1], %x << %s
//! ```
//!
//! A store must not overwrite concurrent stores to the rest of its word, so two atomics clear and set the bits. The clearing and the setting are two steps, but only a load of the same bytes could see the step between, which would
//! be a data race of the kernel. Loads of parts are atomic if the class has such stores, because the other bytes of the word may change
//! meanwhile. Halves are moved as a vector of two, so no 16-bit integers are needed. Linear in the parts.

use reconverge_ir::{Inst, Op};
use spirv::Scope;

use super::access::Manner;
use super::cells::Cells;
use super::leaves::scalar_bytes;
use super::lowering::{Lowering, Spot};
use super::points_to::Memory;

/// The bytes of a word.
const WORD: u32 = 4;

/// A word, and the position of the lowest bit of a part in it.
#[derive(Clone, Copy)]
struct PartOfWord {
    pointer: Inst,
    shift: Inst,
}

impl Lowering<'_> {
    /// The size of the parts in which scalars of a size must be accessed; `None` if they are whole words.
    pub(super) fn part_size(&self, spot: Spot, manner: Manner, scalar: u32) -> Option<u32> {
        let granule = self.cells.get(&spot.class)?.granule?;
        let part = manner.alignment.max(granule).min(scalar);
        (part < WORD).then_some(part)
    }

    /// Loads a scalar or vector in parts of that size.
    pub(super) fn load_in_parts(&mut self, spot: Spot, ty: Inst, part: u32, manner: Manner) -> Inst {
        let (component, count) = self.module.components(ty);
        let scalar = scalar_bytes(self.module, component).expect("invariant: a leaf has scalars");
        let scalars: Vec<Inst> = (0..count)
            .map(|index| self.load_scalar(spot.moved(i64::from(index * scalar)), component, part, manner))
            .collect();
        if count == 1 { scalars[0] } else { self.emit(Op::CompositeConstruct, ty, &scalars) }
    }

    fn load_scalar(&mut self, spot: Spot, ty: Inst, part: u32, manner: Manner) -> Inst {
        let scalar = scalar_bytes(self.module, ty).expect("invariant: a leaf has scalars");
        let words: Vec<Inst> = (0..scalar.div_ceil(WORD))
            .map(|word| {
                let first = word * WORD;
                let parts = (scalar - first).min(WORD) / part;
                self.load_bits(spot.moved(i64::from(first)), part, parts, manner)
            })
            .collect();
        match (words.as_slice(), scalar) {
            (&[word], WORD) => self.bitcast(ty, word),
            (&[word], _) => self.narrow_from_word(ty, word),
            _ => self.combined(&words, WORD, ty),
        }
    }

    /// The bits of up to four parts, in the low bits of a word; the others are zero.
    fn load_bits(&mut self, spot: Spot, part: u32, parts: u32, manner: Manner) -> Inst {
        let word_type = self.uint(WORD);
        let mut bits = None;
        for index in 0..parts {
            let PartOfWord { pointer, shift } = self.part_of_word(spot.moved(i64::from(index * part)));
            let word = self.load_shared_word(spot, pointer, manner);
            let shifted = self.emit(Op::ShiftRightLogical, word_type, &[word, shift]);
            let mask = self.word((1_u32 << (part * 8)) - 1);
            let mut piece = self.emit(Op::BitwiseAnd, word_type, &[shifted, mask]);
            if index > 0 {
                let distance = self.word(index * part * 8);
                piece = self.emit(Op::ShiftLeftLogical, word_type, &[piece, distance]);
            }
            bits = Some(match bits {
                None => piece,
                Some(lower) => self.emit(Op::BitwiseOr, word_type, &[lower, piece]),
            });
        }
        bits.expect("invariant: a scalar has a part")
    }

    /// Loads a word of which other invocations may write the rest.
    fn load_shared_word(&mut self, spot: Spot, pointer: Inst, manner: Manner) -> Inst {
        let Cells { cell, memory, .. } = self.cells[&spot.class];
        let (word_type, is_written) = (self.uint(WORD), self.demands.of(spot.class).writes_parts);
        if is_written && memory == Memory::Bindings {
            let (scope, relaxed) = (self.word(Scope::Device), self.word(0));
            let word = self.emit(Op::AtomicLoad, cell, &[pointer, scope, relaxed]);
            return self.bitcast(word_type, word);
        }
        let word = self.load_piece(pointer, cell, manner, None);
        self.bitcast(word_type, word)
    }

    /// Stores a scalar or vector in parts of that size.
    pub(super) fn store_in_parts(&mut self, spot: Spot, value: Inst, part: u32) {
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        let (component, _) = self.module.components(ty);
        let scalar = scalar_bytes(self.module, component).expect("invariant: a leaf has scalars");
        for (index, value) in self.scalars(value).into_iter().enumerate() {
            let start = spot.moved(index as i64 * i64::from(scalar));
            let words = match scalar {
                8 => self.taken_apart(value, WORD),
                WORD => {
                    let word = self.uint(WORD);
                    vec![self.bitcast(word, value)]
                }
                _ => vec![self.word_from_narrow(value)],
            };
            for (number, word) in words.into_iter().enumerate() {
                let parts = scalar.min(WORD) / part;
                let start = start.moved(number as i64 * i64::from(WORD));
                self.store_bits(start, word, part, parts);
            }
        }
    }

    /// Stores the low bits of a word as up to four parts.
    fn store_bits(&mut self, spot: Spot, word: Inst, part: u32, parts: u32) {
        let word_type = self.uint(WORD);
        let (scope, relaxed) = (self.word(Scope::Device), self.word(0));
        let mask = self.word((1_u32 << (part * 8)) - 1);
        for index in 0..parts {
            let mut piece = word;
            if index > 0 {
                let distance = self.word(index * part * 8);
                piece = self.emit(Op::ShiftRightLogical, word_type, &[word, distance]);
            }
            let piece = self.emit(Op::BitwiseAnd, word_type, &[piece, mask]);
            let place = self.part_of_word(spot.moved(i64::from(index * part)));
            let piece = self.emit(Op::ShiftLeftLogical, word_type, &[piece, place.shift]);
            let cleared = self.emit(Op::ShiftLeftLogical, word_type, &[mask, place.shift]);
            let kept = self.emit(Op::Not, word_type, &[cleared]);
            self.emit(Op::AtomicAnd, word_type, &[place.pointer, scope, relaxed, kept]);
            self.emit(Op::AtomicOr, word_type, &[place.pointer, scope, relaxed, piece]);
        }
    }

    /// The word that contains a byte, and the position of the byte in it.
    fn part_of_word(&mut self, spot: Spot) -> PartOfWord {
        let pointer = self.cell_pointer(spot, 0);
        let value = self.value(spot);
        let (mask, three) = (self.word(WORD - 1), self.word(3));
        let within = self.binary(Op::BitwiseAnd, value, mask);
        PartOfWord { pointer, shift: self.binary(Op::ShiftLeftLogical, within, three) }
    }

    /// A number of 8 or 16 bits from the low bits of a word.
    pub(super) fn narrow_from_word(&mut self, ty: Inst, word: Inst) -> Inst {
        if self.module.op(ty) == Op::TypeInt {
            return self.emit(Op::UConvert, ty, &[word]);
        }
        let pair = self.vector(ty, 2);
        let halves = self.emit(Op::Bitcast, pair, &[word]);
        self.element(halves, &[0], ty)
    }

    /// A number of 8 or 16 bits in the low bits of a word; the others are zero.
    pub(super) fn word_from_narrow(&mut self, value: Inst) -> Inst {
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        let word = self.uint(WORD);
        if self.module.op(ty) == Op::TypeInt {
            return self.emit(Op::UConvert, word, &[value]);
        }
        let (pair, zero) = (self.vector(ty, 2), self.module.edit().unique(Op::ConstantNull, Some(ty), &[]));
        let halves = self.emit(Op::CompositeConstruct, pair, &[value, zero]);
        self.emit(Op::Bitcast, word, &[halves])
    }
}
