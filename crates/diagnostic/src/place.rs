//! A place in an input.

use std::fmt;

/// A place in an input. Displays in words: `line 3, column 7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Place {
    /// It is about the input as a whole.
    #[default]
    Whole,
    /// Line and column of a text, both from 1; columns count characters.
    Line(usize, usize),
    /// A word of a binary, from 0.
    Word(usize),
    /// A byte of a binary, from 0.
    Byte(usize),
    /// A bit of a bitstream, from 0; the low bit of a byte is its first.
    Bit(u64),
    /// An instruction of a module, by its number in the module.
    Instruction(usize),
}

impl Place {
    /// Line and column of a byte of a text. Linear.
    ///
    /// ```
    /// use reconverge_diagnostic::Place;
    /// assert_eq!(Place::in_text("é a\nb", 3), Place::Line(1, 3));
    /// assert_eq!(Place::in_text("é a\nb", 5), Place::Line(2, 1));
    /// ```
    pub fn in_text(text: &str, byte: usize) -> Place {
        let before = &text[..byte.min(text.len())];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        Place::Line(line, before[line_start..].chars().count() + 1)
    }

    /// The place in bytes: for a bit, the byte that has it.
    pub fn in_bytes(self) -> Place {
        match self {
            Place::Bit(bit) => Place::Byte(usize::try_from(bit / 8).unwrap_or(usize::MAX)),
            place => place,
        }
    }

    /// Line and column of a place in a text.
    pub const fn line_and_column(self) -> Option<(usize, usize)> {
        match self {
            Place::Line(line, column) => Some((line, column)),
            _ => None,
        }
    }

    /// The place unless it is the whole input.
    pub fn known(self) -> Option<Place> {
        (self != Place::Whole).then_some(self)
    }

    /// The numbers of the place with their names, for JSON and other forms with keys.
    pub fn fields(self) -> impl Iterator<Item = (&'static str, u64)> {
        let number = |number: usize| number as u64;
        let (first, second) = match self {
            Place::Whole => (None, None),
            Place::Line(line, column) => (Some(("line", number(line))), Some(("column", number(column)))),
            Place::Word(word) => (Some(("word", number(word))), None),
            Place::Byte(byte) => (Some(("byte", number(byte))), None),
            Place::Bit(bit) => (Some(("bit", bit)), None),
            Place::Instruction(inst) => (Some(("instruction", number(inst))), None),
        };
        first.into_iter().chain(second)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = self.fields();
        if let Some((name, number)) = fields.next() {
            write!(formatter, "{name} {number}")?;
        }
        fields.try_for_each(|(name, number)| write!(formatter, ", {name} {number}"))
    }
}
