//! Values as words: how many a type takes, and the code that packs and unpacks them.
//!
//! A value of interface type becomes a tag and the words of the value. Each scalar takes the words that its bits fill, one after another:
//!
//! ```text
//! struct { f32, vec2 of u16, u64 }      [f32] [u16] [u16] [low half of the u64] [high half]
//! ```
//!
//! A value of interface type in another takes its tag and its words. Linear in the scalars, whose number has a limit.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, Op, Signedness, view::TypeView};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use crate::GenericsCode;

/// The maximal number of words of a value of interface type.
const MOST_WORDS: u32 = 256;

/// The maximal depth of composites in a value of interface type.
const DEEPEST: usize = 64;

/// The representation of values of interface type.
#[derive(Debug, Default)]
pub(super) struct Representation {
    /// By interface: the number of words of a value.
    pub(super) words: FxHashMap<Inst, u32>,
    /// The number of words of an address; `None` if addresses cannot be words.
    pub(super) address_words: Option<u32>,
}

/// A scalar of a value.
#[derive(Clone, Copy)]
enum Scalar {
    Bool,
    Int { width: u32, is_signed: bool },
    Float { width: u32 },
    Address { words: u32 },
}

/// The parts of a type.
enum Shape {
    Scalar(Scalar),
    Parts(Vec<Inst>),
    /// A value of interface type: a tag and this number of words.
    Existential(u32),
}

impl Scalar {
    fn words(self) -> u32 {
        match self {
            Scalar::Int { width: 64, .. } | Scalar::Float { width: 64 } => 2,
            Scalar::Address { words } => words,
            _ => 1,
        }
    }
}

impl Representation {
    fn shape(&self, module: &Module, ty: Inst) -> Result<Shape, Diagnostic> {
        let unsupported = || {
            let message = "a value of interface type holds numbers, booleans, addresses and composites of them, and not a value of this type";
            Diagnostic::new(GenericsCode::Value, ty, message)
        };
        if let Some(existential) = reconverge_ir::view::TypeExistential::of(module, ty) {
            let words = self.words.get(&existential.interface);
            return words.map(|&words| Shape::Existential(words)).ok_or_else(|| {
                let name = module.name(existential.interface).unwrap_or_default();
                let message =
                    format!("values of the interface `{name}` hold values of the same interface, so they have no size");
                Diagnostic::new(GenericsCode::Cycle, existential.interface, message)
            });
        }
        Ok(match module.type_view(ty) {
            Some(TypeView::Bool) => Shape::Scalar(Scalar::Bool),
            Some(TypeView::Int { width, is_signed }) if matches!(width, 8 | 16 | 32 | 64) => {
                Shape::Scalar(Scalar::Int { width, is_signed })
            }
            Some(TypeView::Float { width, is_ieee: true }) if matches!(width, 16 | 32 | 64) => {
                Shape::Scalar(Scalar::Float { width })
            }
            Some(TypeView::Pointer { storage_class: Some(class), .. }) if is_addressed(class) => {
                Shape::Scalar(Scalar::Address { words: self.address_words.ok_or_else(unsupported)? })
            }
            Some(TypeView::Vector { component: part, count } | TypeView::Matrix { column: part, count }) => {
                Shape::Parts(vec![part; count as usize])
            }
            Some(TypeView::Array { element, length }) => {
                let length = module.constant_bits(length).ok_or_else(unsupported)?;
                if length > MOST_WORDS.into() {
                    return Err(too_many_words(ty));
                }
                Shape::Parts(vec![element; length as usize])
            }
            Some(TypeView::Struct { members }) => Shape::Parts(members.to_vec()),
            _ => return Err(unsupported()),
        })
    }

    /// The number of words of a type.
    pub(super) fn count(&self, module: &Module, ty: Inst) -> Result<u32, Diagnostic> {
        let mut count = 0;
        let mut open = vec![(ty, 0)];
        while let Some((part, depth)) = open.pop() {
            match self.shape(module, part)? {
                Shape::Scalar(scalar) => count += scalar.words(),
                Shape::Existential(words) => count += 1 + words,
                Shape::Parts(parts) => open.extend(parts.into_iter().map(|part| (part, depth + 1))),
            }
            if count > MOST_WORDS || depth > DEEPEST || open.len() > MOST_WORDS as usize * DEEPEST {
                return Err(too_many_words(ty));
            }
        }
        Ok(count)
    }

    /// Writes code that makes words of a value, whose type passed [`Representation::count`].
    pub(super) fn pack(&self, build: &mut Builder<'_>, value: Inst, words: &mut Vec<Inst>) -> Result<(), Diagnostic> {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let ty = build.module().ty(value).expect("invariant: a value has a type");
            match self.shape(build.module(), ty)? {
                Shape::Scalar(scalar) => pack_scalar(build, scalar, value, words),
                Shape::Parts(parts) => {
                    let parts = extract(build, value, &parts);
                    open.extend(parts.into_iter().rev());
                }
                Shape::Existential(count) => {
                    let word = word_type(build);
                    let payload = words_type(build, count);
                    let [tag, payload] = extract(build, value, &[word, payload])[..] else { unreachable!() };
                    words.push(tag);
                    words.extend(extract(build, payload, &vec![word; count as usize]));
                }
            }
        }
        Ok(())
    }

    /// Writes code that makes a value of the words that [`Representation::pack`] makes.
    pub(super) fn unpack(
        &self,
        build: &mut Builder<'_>,
        ty: Inst,
        words: &mut impl Iterator<Item = Inst>,
    ) -> Result<Inst, Diagnostic> {
        let mut frames = vec![Frame { ty, parts: Vec::new(), made: Vec::new(), is_open: false }];
        loop {
            let frame = frames.last_mut().expect("invariant: the frame of the whole value is left at its end");
            let made = if !frame.is_open {
                frame.is_open = true;
                match self.shape(build.module(), frame.ty)? {
                    Shape::Scalar(scalar) => Some(unpack_scalar(build, scalar, frame.ty, words)),
                    Shape::Existential(count) => Some(unpack_existential(build, frame.ty, count, words)),
                    Shape::Parts(mut parts) => {
                        parts.reverse();
                        frame.parts = parts;
                        None
                    }
                }
            } else {
                None
            };
            let made = match (made, frame.parts.pop()) {
                (Some(made), _) => made,
                (None, Some(ty)) => {
                    frames.push(Frame { ty, parts: Vec::new(), made: Vec::new(), is_open: false });
                    continue;
                }
                (None, None) => build.composite_construct(frame.ty, &std::mem::take(&mut frame.made)),
            };
            frames.pop();
            match frames.last_mut() {
                Some(outer) => outer.made.push(made),
                None => return Ok(made),
            }
        }
    }
}

/// A composite that is being constructed.
struct Frame {
    ty: Inst,
    /// The types of the parts that are missing, the next last.
    parts: Vec<Inst>,
    made: Vec<Inst>,
    is_open: bool,
}

fn too_many_words(ty: Inst) -> Diagnostic {
    let message = format!(
        "a value of interface type has at most {MOST_WORDS} words in {DEEPEST} levels, and this type needs more"
    );
    Diagnostic::new(GenericsCode::Limit, ty, message)
}

/// Returns whether pointers of a storage class are addresses, which are integers as well.
fn is_addressed(class: StorageClass) -> bool {
    matches!(class, StorageClass::CrossWorkgroup | StorageClass::PhysicalStorageBuffer)
}

/// The type of a word.
pub(super) fn word_type(build: &mut Builder<'_>) -> Inst {
    build.int_type(32)
}

/// The type of the words of a value: an array, of one word if there is none.
pub(super) fn words_type(build: &mut Builder<'_>, count: u32) -> Inst {
    let word = word_type(build);
    let length = build.constant_word(word, count.max(1));
    build.editor().unique(Op::TypeArray, None, &[word, length])
}

/// The parts of a composite, which have these types.
pub(super) fn extract(build: &mut Builder<'_>, value: Inst, types: &[Inst]) -> Vec<Inst> {
    let mut parts = Vec::with_capacity(types.len());
    for (index, &ty) in (0..).zip(types) {
        let index = build.editor().word(index);
        parts.push(build.composite_extract(ty, &[value, index]));
    }
    parts
}

/// Fills words up to a count with zeros and makes an array of them.
pub(super) fn array_of_words(build: &mut Builder<'_>, ty: Inst, words: &mut Vec<Inst>, count: u32) -> Inst {
    let word = word_type(build);
    let zero = build.constant_word(word, 0);
    words.resize(count.max(1) as usize, zero);
    build.composite_construct(ty, words)
}

fn pack_scalar(build: &mut Builder<'_>, scalar: Scalar, value: Inst, words: &mut Vec<Inst>) {
    let word = word_type(build);
    match scalar {
        Scalar::Bool => {
            let [zero, one] = [0, 1].map(|number| build.constant_word(word, number));
            words.push(build.select(word, &[value, one, zero]));
        }
        Scalar::Int { width: 32, is_signed: false } => words.push(value),
        Scalar::Int { width: 32, .. } | Scalar::Float { width: 32 } => words.push(build.bitcast(word, &[value])),
        Scalar::Int { width: 64, .. } | Scalar::Float { width: 64 } => split(build, value, words),
        Scalar::Int { is_signed: true, .. } => {
            let signed = build.int_type_of(32, Signedness::Signed);
            let wide = build.s_convert(signed, &[value]);
            words.push(build.bitcast(word, &[wide]));
        }
        Scalar::Int { .. } => words.push(build.u_convert(word, &[value])),
        Scalar::Float { .. } => {
            let pair = pair_of_halves(build);
            let half = build.float_type(16);
            let zero = build.constant_word(half, 0);
            let both = build.composite_construct(pair, &[value, zero]);
            words.push(build.bitcast(word, &[both]));
        }
        Scalar::Address { words: 1 } => words.push(build.convert_ptr_to_u(word, &[value])),
        Scalar::Address { .. } => {
            let long = build.int_type(64);
            let address = build.convert_ptr_to_u(long, &[value]);
            split(build, address, words);
        }
    }
}

fn unpack_scalar(build: &mut Builder<'_>, scalar: Scalar, ty: Inst, words: &mut impl Iterator<Item = Inst>) -> Inst {
    let low = words.next().expect("invariant: there are as many words as were counted");
    let word = word_type(build);
    match scalar {
        Scalar::Bool => {
            let zero = build.constant_word(word, 0);
            build.i_not_equal(ty, &[low, zero])
        }
        Scalar::Int { width: 32, is_signed: false } => low,
        Scalar::Int { width: 32, .. } | Scalar::Float { width: 32 } => build.bitcast(ty, &[low]),
        Scalar::Int { width: 64, .. } | Scalar::Float { width: 64 } => joined(build, ty, low, words),
        Scalar::Int { is_signed: true, .. } => build.s_convert(ty, &[low]),
        Scalar::Int { .. } => build.u_convert(ty, &[low]),
        Scalar::Float { .. } => {
            let pair = pair_of_halves(build);
            let both = build.bitcast(pair, &[low]);
            extract(build, both, &[ty])[0]
        }
        Scalar::Address { words: 1 } => build.convert_u_to_ptr(ty, &[low]),
        Scalar::Address { .. } => {
            let long = build.int_type(64);
            let address = joined(build, long, low, words);
            build.convert_u_to_ptr(ty, &[address])
        }
    }
}

fn unpack_existential(build: &mut Builder<'_>, ty: Inst, count: u32, words: &mut impl Iterator<Item = Inst>) -> Inst {
    let tag = words.next().expect("invariant: there are as many words as were counted");
    let payload = words_type(build, count);
    let mut own: Vec<Inst> = words.by_ref().take(count as usize).collect();
    let payload = array_of_words(build, payload, &mut own, count);
    build.composite_construct(ty, &[tag, payload])
}

/// The two words of a value of 64 bits.
fn split(build: &mut Builder<'_>, value: Inst, words: &mut Vec<Inst>) {
    let (word, pair) = (word_type(build), pair_of_words(build));
    let both = build.bitcast(pair, &[value]);
    words.extend(extract(build, both, &[word; 2]));
}

fn joined(build: &mut Builder<'_>, ty: Inst, low: Inst, words: &mut impl Iterator<Item = Inst>) -> Inst {
    let high = words.next().expect("invariant: there are as many words as were counted");
    let pair = pair_of_words(build);
    let both = build.composite_construct(pair, &[low, high]);
    build.bitcast(ty, &[both])
}

fn pair_of_words(build: &mut Builder<'_>) -> Inst {
    let word = word_type(build);
    vector_of_two(build, word)
}

fn pair_of_halves(build: &mut Builder<'_>) -> Inst {
    let half = build.float_type(16);
    vector_of_two(build, half)
}

fn vector_of_two(build: &mut Builder<'_>, component: Inst) -> Inst {
    let two = build.editor().word(2);
    build.editor().unique(Op::TypeVector, None, &[component, two])
}
