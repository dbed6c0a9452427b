//! The types of fields of views, and how they are read, one operand after the other.

use std::fmt;

use crate::{Inst, Module, Op};

/// Iterates over the operands of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'m> {
    pub(super) module: &'m Module,
    rest: &'m [u32],
}

impl<'m> Reader<'m> {
    pub(crate) fn new(module: &'m Module, inst: Inst) -> Reader<'m> {
        Reader { module, rest: module.storage.operands(inst.0) }
    }

    /// Returns whether there are at least this number of operands left.
    pub(crate) fn holds(&self, count: usize) -> bool {
        self.rest.len() >= count
    }

    pub(crate) fn read<F: Field<'m>>(&mut self) -> Option<F> {
        F::read(self)
    }

    pub(super) fn next(&mut self) -> Option<Inst> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(Inst(first))
    }

    /// The words of the next operand, if it is a literal that has any.
    fn words(&mut self) -> Option<&'m [u32]> {
        let literal = self.next()?;
        words_of(self.module, literal)
    }

    fn take_all(&mut self) -> &'m [u32] {
        std::mem::take(&mut self.rest)
    }
}

/// The words of a literal that has any and is not a string.
fn words_of(module: &Module, literal: Inst) -> Option<&[u32]> {
    let is_number = module.op(literal) == Op::LiteralWords;
    Some(module.literal_words(literal)).filter(|words| is_number && !words.is_empty())
}

/// A type that can be a field of a view.
pub(crate) trait Field<'m>: Sized {
    /// Reads the operands of the field; `None` if they do not fit.
    fn read(reader: &mut Reader<'m>) -> Option<Self>;
}

impl Field<'_> for Inst {
    fn read(reader: &mut Reader<'_>) -> Option<Inst> {
        reader.next()
    }
}

impl Field<'_> for u32 {
    fn read(reader: &mut Reader<'_>) -> Option<u32> {
        reader.words()?.first().copied()
    }
}

impl<'m> Field<'m> for &'m [u32] {
    fn read(reader: &mut Reader<'m>) -> Option<&'m [u32]> {
        reader.words()
    }
}

impl<'m, F: Field<'m>> Field<'m> for Option<F> {
    fn read(reader: &mut Reader<'m>) -> Option<Option<F>> {
        match reader.holds(1) {
            true => reader.read().map(Some),
            false => Some(None),
        }
    }
}

/// A string, in its words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text<'m> {
    words: &'m [u32],
}

impl<'m> Text<'m> {
    /// The words of the literal.
    pub fn words(self) -> &'m [u32] {
        self.words
    }

    /// The bytes, up to the first zero.
    pub fn bytes(self) -> impl Iterator<Item = u8> + Clone + 'm {
        self.words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0)
    }

    /// Returns whether the string begins with this prefix.
    pub fn starts_with(self, start: &str) -> bool {
        start.bytes().eq(self.bytes().take(start.len()))
    }
}

impl<'m> Field<'m> for Text<'m> {
    fn read(reader: &mut Reader<'m>) -> Option<Text<'m>> {
        let literal = reader.next()?;
        reader.module.op(literal).is_literal().then(|| Text { words: reader.module.literal_words(literal) })
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.bytes().eq(other.bytes())
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// Bytes that are not UTF-8 are shown as the replacement character.
impl fmt::Display for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: Vec<u8> = self.bytes().collect();
        formatter.write_str(&String::from_utf8_lossy(&bytes))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.to_string())
    }
}

/// The control of a `loop`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoopControl<'m> {
    /// The mask.
    pub mask: spirv::LoopControl,
    /// The parameters of the mask.
    pub parameters: &'m [u32],
}

impl<'m> Field<'m> for LoopControl<'m> {
    fn read(reader: &mut Reader<'m>) -> Option<LoopControl<'m>> {
        let (&mask, parameters) = reader.words()?.split_first()?;
        Some(LoopControl { mask: spirv::LoopControl::from_bits_retain(mask), parameters })
    }
}

/// Repeated operands: instructions with a result.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Operands<'m> {
    slots: &'m [u32],
}

impl<'m> Operands<'m> {
    /// The number of items.
    pub fn len(self) -> usize {
        self.slots.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.slots.is_empty()
    }

    /// The operand at an index.
    pub fn at(self, place: usize) -> Option<Inst> {
        self.slots.get(place).copied().map(Inst)
    }

    /// The first.
    pub fn first(self) -> Option<Inst> {
        self.at(0)
    }

    /// In order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Inst> + ExactSizeIterator + Clone + 'm {
        self.slots.iter().map(|&slot| Inst(slot))
    }

    /// All in a vector, for use while the module is edited.
    pub fn to_vec(self) -> Vec<Inst> {
        self.iter().collect()
    }
}

impl<'m> IntoIterator for Operands<'m> {
    type Item = Inst;
    type IntoIter = std::iter::Map<std::slice::Iter<'m, u32>, fn(&u32) -> Inst>;

    fn into_iter(self) -> Self::IntoIter {
        self.slots.iter().map(|&slot| Inst(slot))
    }
}

impl<'m> Field<'m> for Operands<'m> {
    fn read(reader: &mut Reader<'m>) -> Option<Operands<'m>> {
        Some(Operands { slots: reader.take_all() })
    }
}

impl fmt::Debug for Operands<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// Repeated operands: literal words.
#[derive(Clone, Copy)]
pub struct Integers<'m> {
    module: &'m Module,
    literals: Operands<'m>,
}

impl<'m> Integers<'m> {
    /// The number of items.
    pub fn len(self) -> usize {
        self.literals.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.literals.is_empty()
    }

    /// The word at an index.
    pub fn at(self, place: usize) -> Option<u32> {
        self.literals.at(place).map(|literal| self.word(literal))
    }

    /// The first.
    pub fn first(self) -> Option<u32> {
        self.at(0)
    }

    /// In order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone + 'm {
        self.literals.iter().map(move |literal| self.word(literal))
    }

    /// All in a vector.
    pub fn to_vec(self) -> Vec<u32> {
        self.iter().collect()
    }

    /// The literals themselves.
    pub fn literals(self) -> Operands<'m> {
        self.literals
    }

    fn word(self, literal: Inst) -> u32 {
        *self
            .module
            .literal_words(literal)
            .first()
            .expect("invariant: what is no literal was found when the view was made")
    }
}

impl<'m> Field<'m> for Integers<'m> {
    fn read(reader: &mut Reader<'m>) -> Option<Integers<'m>> {
        let module = reader.module;
        let literals = Operands { slots: reader.take_all() };
        let are_words = literals.iter().all(|literal| words_of(module, literal).is_some());
        are_words.then_some(Integers { module, literals })
    }
}

impl PartialEq for Integers<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Integers<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// One row of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// The value of the case: a literal with as many words as the selector's type has.
    pub literal: Inst,
    /// The target.
    pub target: Inst,
}

/// The rows of a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cases<'m> {
    slots: &'m [u32],
}

impl<'m> Cases<'m> {
    /// The number of items.
    pub fn len(self) -> usize {
        self.slots.len() / 2
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// In order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Case> + ExactSizeIterator + Clone + 'm {
        self.slots.chunks_exact(2).map(|pair| Case { literal: Inst(pair[0]), target: Inst(pair[1]) })
    }
}

impl<'m> Field<'m> for Cases<'m> {
    fn read(reader: &mut Reader<'m>) -> Option<Cases<'m>> {
        Some(Cases { slots: reader.take_all() })
    }
}

impl fmt::Debug for Cases<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}
