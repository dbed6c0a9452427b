//! Arrays in files of NumPy (`.npy`): the first bytes are those of the format, then a header with type and shape, then the elements.
//!
//! ```text
//! \x93NUMPY 1 0 ─ length ─ {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } ─ spaces, newline ─ elements
//! ```
//!
//! The header is a literal of Python: a dictionary with these three keys in any order. Linear in the elements times the dimensions. Source: NumPy, *A simple file
//! format for NumPy arrays* (`numpy.lib.format`), versions 1 to 3.

use std::path::Path;

use crate::launch::Element;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Elements start at a multiple of this many bytes in the files that NumPy writes.
const ALIGNMENT: usize = 64;

/// The most dimensions of an array of NumPy.
const DIMENSIONS: usize = 64;

/// The header of an array.
struct Header {
    element: Element,
    is_big_endian: bool,
    /// True if the first index of consecutive elements differs, as in Fortran; else the last.
    is_fortran: bool,
    shape: Vec<u64>,
}

/// Returns whether the bytes of a file are those of an array.
pub fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Returns whether a file is named as an array.
pub fn is_named_npy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// The error about a file of that name whose bytes are not those of an array.
pub fn no_array(name: &str) -> String {
    format!(
        "{name} is named .npy, but it is no array of NumPy: numpy.save writes one, and files of any other name are read as bytes"
    )
}

/// The elements of an array in the layout of a buffer: little-endian, the last index first.
///
/// # Errors
/// The file is cut off or invalid, or its elements are of another type.
pub fn read_npy(bytes: &[u8], element: Element) -> Result<Vec<u8>, String> {
    let (header, data) = read_header(bytes)?;
    if header.element != element {
        let (found, element) = (header.element.name(), element.name());
        return Err(format!(
            "the array is of {found}, and the buffer of {element}: write {found}[...], or save the array as {element}"
        ));
    }
    let (size, shape) = (element.size(), &header.shape[..]);
    let is_cut_off = || format!("the array of shape {} is cut off", shape_text(shape));
    // A size of zero wins over sizes whose product has no 64 bits.
    let count =
        if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1_u64, |all, &one| all.checked_mul(one)) };
    let needed = count.and_then(|count| usize::try_from(count.checked_mul(size as u64)?).ok());
    let data = needed.and_then(|needed| data.get(..needed)).ok_or_else(is_cut_off)?;
    let mut elements = if header.is_fortran { by_rows(data, size, shape) } else { data.to_vec() };
    if header.is_big_endian {
        elements.chunks_mut(size).for_each(<[u8]>::reverse);
    }
    Ok(elements)
}

/// The type and the shape of an array.
///
/// # Errors
/// The header is cut off or invalid.
pub(crate) fn described(bytes: &[u8]) -> Result<(Element, Vec<u64>), String> {
    read_header(bytes).map(|(header, _)| (header.element, header.shape))
}

/// The file of an array of that shape, of at most [four](crate::launch::OutputBuffer::array_shape) sizes, with as many elements as the sizes say.
pub fn write_npy(element: Element, shape: &[u64], elements: &[u8]) -> Vec<u8> {
    let shape = shape_text(shape);
    let mut text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", type_of(element));
    let start = MAGIC.len() + 4;
    let end = (start + text.len() + 1).next_multiple_of(ALIGNMENT);
    text.extend(std::iter::repeat_n(' ', end - 1 - start - text.len()));
    text.push('\n');
    let length = u16::try_from(text.len()).expect("invariant: type and sizes are short");
    [MAGIC, &[1, 0], &length.to_le_bytes(), text.as_bytes(), elements].concat()
}

/// The header, and the bytes after it.
fn read_header(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
    let version = bytes.get(MAGIC.len());
    if let Some(other) = version.filter(|version| !(1..=3).contains(*version)) {
        return Err(format!("the array is in version {other} of the format, and versions 1 to 3 are known"));
    }
    let is_long = version > Some(&1);
    let (start, length) = match (is_long, bytes.get(8..12)) {
        (false, Some(&[low, high, ..])) => (10, usize::from(u16::from_le_bytes([low, high]))),
        (true, Some(&[a, b, c, d])) => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        _ => return Err("the header of the array is cut off".to_owned()),
    };
    let after = bytes.get(start..).unwrap_or_default();
    let (text, data) = after.split_at_checked(length).ok_or("the header of the array is cut off")?;
    Ok((Literal { text }.header()?, data))
}

/// What remains of the text of a header.
struct Literal<'a> {
    text: &'a [u8],
}

impl<'a> Literal<'a> {
    fn header(mut self) -> Result<Header, String> {
        let (mut ty, mut is_fortran, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.has(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            match key {
                b"descr" => ty = Some(self.element()?),
                b"fortran_order" => is_fortran = Some(self.boolean()?),
                b"shape" => shape = Some(self.sizes()?),
                _ => return Err(self.unlike("the keys descr, fortran_order and shape")),
            }
            if !self.has(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        match (ty, is_fortran, shape, self.peek()) {
            (Some((element, is_big_endian)), Some(is_fortran), Some(shape), None) => {
                Ok(Header { element, is_big_endian, is_fortran, shape })
            }
            (.., Some(_)) => Err(self.unlike("the end of the header")),
            _ => Err("the header of the array has not all of descr, fortran_order and shape".to_owned()),
        }
    }

    /// A type of elements, and whether their bytes are in big-endian order.
    fn element(&mut self) -> Result<(Element, bool), String> {
        if self.peek() == Some(b'[') {
            return Err("the array has elements of several parts, and a buffer has numbers".to_owned());
        }
        let name = self.string()?;
        let (order, ty) = name.split_first().ok_or_else(|| self.unlike("the type of the elements"))?;
        let element = if matches!(order, b'<' | b'>' | b'|' | b'=') { element_of(ty) } else { None };
        let element = element
            .ok_or_else(|| format!("the array is of {}, which no argument is", String::from_utf8_lossy(name)))?;
        Ok((element, *order == b'>'))
    }

    fn boolean(&mut self) -> Result<bool, String> {
        let before = Literal { text: self.text };
        match self.word() {
            b"True" => Ok(true),
            b"False" => Ok(false),
            _ => Err(before.unlike("True or False")),
        }
    }

    /// The sizes of a shape: a tuple.
    fn sizes(&mut self) -> Result<Vec<u64>, String> {
        let mut sizes = Vec::new();
        self.expect(b'(')?;
        while !self.has(b')') {
            let before = Literal { text: self.text };
            let size = str::from_utf8(self.word()).ok().and_then(|word| word.trim_end_matches('L').parse().ok());
            sizes.push(size.ok_or_else(|| before.unlike("a size"))?);
            if sizes.len() > DIMENSIONS {
                return Err(format!("the array has more than {DIMENSIONS} dimensions"));
            }
            if !self.has(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(sizes)
    }

    /// A string without escapes.
    fn string(&mut self) -> Result<&'a [u8], String> {
        let quote = self.peek().filter(|letter| b"'\"".contains(letter)).ok_or_else(|| self.unlike("a string"))?;
        let rest = &self.text[1..];
        let end = rest.iter().position(|&letter| letter == quote).ok_or_else(|| self.unlike("the end of a string"))?;
        self.text = &rest[end + 1..];
        Ok(&rest[..end])
    }

    /// Letters and digits.
    fn word(&mut self) -> &'a [u8] {
        self.peek();
        let end = self.text.iter().position(|letter| !letter.is_ascii_alphanumeric()).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word
    }

    /// Takes a sign if it comes next.
    fn has(&mut self, sign: u8) -> bool {
        let is_next = self.peek() == Some(sign);
        self.text = &self.text[usize::from(is_next)..];
        is_next
    }

    fn expect(&mut self, sign: u8) -> Result<(), String> {
        if self.has(sign) { Ok(()) } else { Err(self.unlike(&format!("`{}`", char::from(sign)))) }
    }

    /// The next sign, after spaces.
    fn peek(&mut self) -> Option<u8> {
        self.text = self.text.trim_ascii_start();
        self.text.first().copied()
    }

    fn unlike(&self, expected: &str) -> String {
        let found: String = String::from_utf8_lossy(self.text).trim().chars().take(20).collect();
        format!("the header of the array is not that of numbers in a shape: expected {expected}, found `{found}`")
    }
}

/// The element with a name of NumPy, without the order of its bytes.
fn element_of(name: &[u8]) -> Option<Element> {
    Some(match name {
        b"b1" | b"u1" => Element::U8,
        b"i1" => Element::I8,
        b"u2" => Element::U16,
        b"i2" => Element::I16,
        b"u4" => Element::U32,
        b"i4" => Element::I32,
        b"u8" => Element::U64,
        b"i8" => Element::I64,
        b"f2" => Element::F16,
        b"f4" => Element::F32,
        b"f8" => Element::F64,
        _ => return None,
    })
}

/// The name of a type in NumPy.
fn type_of(element: Element) -> String {
    let order = if element.size() == 1 { '|' } else { '<' };
    format!("{order}{}{}", &element.name()[..1], element.size())
}

/// The elements of an array whose first index comes first, with the last index first.
fn by_rows(data: &[u8], size: usize, shape: &[u64]) -> Vec<u8> {
    let mut elements = Vec::with_capacity(data.len());
    let mut index = vec![0; shape.len()];
    for _ in 0..data.len() / size {
        let (place, _) =
            index.iter().zip(shape).fold((0, 1), |(place, step), (&at, &sizes)| (place + at * step, step * sizes));
        let start = place as usize * size;
        elements.extend_from_slice(&data[start..start + size]);
        for (at, &sizes) in index.iter_mut().zip(shape).rev() {
            *at += 1;
            if *at < sizes {
                break;
            }
            *at = 0;
        }
    }
    elements
}

/// A shape, as Python writes it.
pub(crate) fn shape_text(shape: &[u64]) -> String {
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    match &sizes[..] {
        [only] => format!("({only},)"),
        sizes => format!("({})", sizes.join(", ")),
    }
}
