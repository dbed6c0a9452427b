//! Arrays in files of NumPy (`.npy`): the first bytes are those of the format, then a header with type and shape, then the elements.
//!
//! The crate `npyz` parses the header recursively and multiplies the sizes of its shape without a limit. So a header is looked at before: it is
//! short, does not nest deep, and has too few digits for a product that does not fit in 64 bits.

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriteOptions, WriterBuilder};

use crate::launch::Element;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The largest length of a header; NumPy writes 118 bytes for most arrays.
const HEADER: usize = 4096;
/// The largest nesting depth of a header: a dictionary, and the tuple of the shape.
const DEPTH: usize = 4;
/// The largest number of digits of a header: those of a product below 10^18, and two of the type.
const DIGITS: usize = 20;

/// Returns whether the bytes of a file are those of an array.
pub fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The elements of an array in the layout of a buffer: little-endian, the last index first.
///
/// # Errors
/// The file is cut off or invalid, or its elements are of another type.
pub fn read_npy(bytes: &[u8], element: Element) -> Result<Vec<u8>, String> {
    let (header, data) = read_header(bytes)?;
    let ty = match header.dtype() {
        DType::Plain(ty) => ty,
        _ => return Err("the array has elements of several parts, and a buffer has numbers".to_owned()),
    };
    let shape = header.shape();
    let found = element_of(&ty).ok_or_else(|| format!("the array is of {ty}, which no argument is"))?;
    if found != element {
        let (found, element) = (found.name(), element.name());
        return Err(format!(
            "the array is of {found}, and the buffer of {element}: write {found}[...], or save the array as {element}"
        ));
    }
    let (size, count) = (element.size(), header.len());
    let needed = count.saturating_mul(size as u64);
    let data = usize::try_from(needed).ok().and_then(|needed| data.get(..needed));
    let data = data.ok_or_else(|| format!("the array of shape {} is cut off", shape_text(shape)))?;
    let mut elements = match header.order() {
        Order::C => data.to_vec(),
        Order::Fortran => by_rows(data, size, shape),
    };
    if ty.endianness() == Endianness::Big {
        elements.chunks_mut(size).for_each(<[u8]>::reverse);
    }
    Ok(elements)
}

/// The shape of an array, as Python writes it; `None` if it cannot be read.
pub(crate) fn shape_of(bytes: &[u8]) -> Option<String> {
    read_header(bytes).ok().map(|(header, _)| shape_text(header.shape()))
}

/// The file of an array of one dimension.
pub fn write_npy(element: Element, elements: &[u8]) -> Vec<u8> {
    let count = (elements.len() / element.size()) as u64;
    let options = WriteOptions::new_header_only().dtype(DType::Plain(type_of(element))).shape(&[count]);
    let header = options.writer(Vec::new()).write_header_only();
    let mut file = header.expect("invariant: memory can be written");
    file.extend_from_slice(elements);
    file
}

fn read_header(bytes: &[u8]) -> Result<(NpyHeader, &[u8]), String> {
    let is_long = bytes.get(MAGIC.len()) > Some(&1);
    let (start, length) = match (is_long, bytes.get(8..12)) {
        (false, Some(&[low, high, ..])) => (10, usize::from(u16::from_le_bytes([low, high]))),
        (true, Some(&[a, b, c, d])) => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        _ => return Err("the header of the array is cut off".to_owned()),
    };
    let text = bytes[start.min(bytes.len())..].get(..length).ok_or("the header of the array is cut off")?;
    let opens = text.iter().filter(|letter| b"([{".contains(letter)).count();
    let digits = text.iter().filter(|letter| letter.is_ascii_digit()).count();
    if length > HEADER || opens > DEPTH || digits > DIGITS {
        return Err("the header of the array is not that of numbers in a shape".to_owned());
    }
    let mut rest = bytes;
    let header = NpyHeader::from_reader(&mut rest).map_err(|error| format!("the header of the array: {error}"))?;
    Ok((header, rest))
}

fn element_of(ty: &TypeStr) -> Option<Element> {
    Some(match (ty.type_char(), ty.num_bytes()?) {
        (TypeChar::Bool | TypeChar::Uint, 1) => Element::U8,
        (TypeChar::Int, 1) => Element::I8,
        (TypeChar::Uint, 2) => Element::U16,
        (TypeChar::Int, 2) => Element::I16,
        (TypeChar::Uint, 4) => Element::U32,
        (TypeChar::Int, 4) => Element::I32,
        (TypeChar::Uint, 8) => Element::U64,
        (TypeChar::Int, 8) => Element::I64,
        (TypeChar::Float, 2) => Element::F16,
        (TypeChar::Float, 4) => Element::F32,
        (TypeChar::Float, 8) => Element::F64,
        _ => return None,
    })
}

fn type_of(element: Element) -> TypeStr {
    let name = element.name();
    let order = if element.size() == 1 { '|' } else { '<' };
    let text = format!("{order}{}{}", &name[..1], element.size());
    text.parse().expect("invariant: NumPy has every type of an element")
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

fn shape_text(shape: &[u64]) -> String {
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    match &sizes[..] {
        [only] => format!("({only},)"),
        sizes => format!("({})", sizes.join(", ")),
    }
}
