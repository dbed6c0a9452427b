//! Rules that say what a buffer holds at first, so that a launch is a page and not a megabyte.

use crate::element::Number;
use crate::{Element, LaunchError};

/// What a buffer holds at first.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// Zeros.
    Zero,
    /// The same number everywhere, as bytes of one element.
    Fill(Vec<u8>),
    /// These bytes, then zeros.
    Bytes(Vec<u8>),
    /// Pseudo-random numbers, the same on every machine. `x` starts as `seed`; for each element
    /// `x = (x * 1664525 + 1013904223) mod 2^32`, and the element is `(x >> 8) % modulus + add`, or `x ^ (x >> 16)` where `modulus`
    /// is zero. A floating-point element is that integer, converted.
    Congruential {
        /// Where the sequence starts.
        seed: u32,
        /// How many different numbers there are; zero for all.
        modulus: u32,
        /// What is added to each.
        add: i64,
    },
    /// What a file holds, then zeros. Whoever reads files puts [`Rule::Bytes`] in its place ([`Launch::resolve_files`](crate::Launch::resolve_files)).
    File(String),
}

impl Rule {
    /// The contents of a buffer of `count` elements.
    ///
    /// # Errors
    /// Where there are more numbers than elements, or a number does not fit, or a file was not read.
    pub fn contents(&self, element: Element, count: usize) -> Result<Vec<u8>, LaunchError> {
        let size = count * element.size();
        match self {
            Rule::Zero => Ok(vec![0; size]),
            Rule::Fill(pattern) => Ok(pattern.iter().copied().cycle().take(size).collect()),
            Rule::Bytes(bytes) if bytes.len() > size => {
                Err(LaunchError::new("", format!("{} bytes of contents for a buffer of {size}", bytes.len())))
            }
            Rule::Bytes(bytes) => {
                let mut contents = bytes.clone();
                contents.resize(size, 0);
                Ok(contents)
            }
            Rule::Congruential { seed, modulus, add } => congruential(element, count, *seed, *modulus, *add),
            Rule::File(path) => Err(LaunchError::new("", format!("the file {path} was not read"))),
        }
    }
}

fn congruential(element: Element, count: usize, seed: u32, modulus: u32, add: i64) -> Result<Vec<u8>, LaunchError> {
    let mut bytes = Vec::with_capacity(count * element.size());
    let mut state = seed;
    for _ in 0..count {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let value = match modulus {
            0 => i128::from(state ^ (state >> 16)),
            _ => i128::from((state >> 8) % modulus) + i128::from(add),
        };
        // Small elements take the low bits of the numbers that are all of 32.
        let value = if modulus == 0 && element.size() < 4 { value & ((1 << (8 * element.size())) - 1) } else { value };
        let fits = element.push(Number::Integer(value), &mut bytes);
        fits.ok_or_else(|| LaunchError::new("", format!("the rule gives {value}, which is no {}", element.name())))?;
    }
    Ok(bytes)
}
