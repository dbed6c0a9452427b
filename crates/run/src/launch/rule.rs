//! Rules for the initial contents of buffers, which keep launches small.

use reconverge_diagnostic::Diagnostic;

use crate::launch::Element;
use crate::launch::element::Number;
use crate::launch::error::unreadable;

/// The initial contents of a buffer.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// Zeros.
    Zero,
    /// The same number everywhere, as bytes of one element.
    Fill(Vec<u8>),
    /// These bytes, cut at the end of the buffer, then zeros.
    Bytes(Vec<u8>),
    /// Pseudo-random numbers, the same on every machine. `x` starts as `seed`; for each element `x = (x * 1664525 + 1013904223) mod 2^32`,
    /// and the element is `((x >> 8) % modulus + add) * scale`, or `x ^ (x >> 16)` if `modulus` is zero.
    Congruential {
        /// The first `x`.
        seed: u32,
        /// The number of different values; zero for all.
        modulus: u32,
        /// The addend.
        add: f64,
        /// The factor, applied after the addend.
        scale: f64,
    },
    /// The contents of a file, cut at the end of the buffer, then zeros. [`Launch::resolve_files`](crate::launch::Launch::resolve_files)
    /// replaces it by [`Rule::Bytes`].
    File(String),
}

impl Rule {
    /// The contents of a buffer of `count` elements.
    ///
    /// # Errors
    /// A number of the rule does not fit an element, or a file was not read.
    pub fn contents(&self, element: Element, count: usize) -> Result<Vec<u8>, Diagnostic> {
        let size = count * element.size();
        match self {
            Rule::Zero => Ok(vec![0; size]),
            Rule::Fill(pattern) => Ok(pattern.iter().copied().cycle().take(size).collect()),
            Rule::Bytes(bytes) => {
                let mut contents = bytes.clone();
                contents.resize(size, 0);
                Ok(contents)
            }
            Rule::Congruential { .. } => self.congruential(element, count),
            Rule::File(path) => Err(unreadable("", format!("the file {path} has not been loaded"))),
        }
    }

    fn congruential(&self, element: Element, count: usize) -> Result<Vec<u8>, Diagnostic> {
        let Rule::Congruential { seed, modulus, add, scale } = *self else { return Ok(Vec::new()) };
        let mut bytes = Vec::with_capacity(count * element.size());
        let mut state = seed;
        for _ in 0..count {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = match modulus {
                0 => Number::Integer(low_bits(state ^ (state >> 16), element)),
                _ => Number::from_real((f64::from((state >> 8) % modulus) + add) * scale),
            };
            let fits = element.push(number, &mut bytes);
            fits.ok_or_else(|| {
                unreadable(
                    "",
                    format!(
                        "lcg makes numbers that do not fit {}: choose another modulus, addend or factor",
                        element.name()
                    ),
                )
            })?;
        }
        Ok(bytes)
    }
}

/// Small elements take the low bits of 32-bit numbers.
fn low_bits(number: u32, element: Element) -> i128 {
    let bits = 8 * element.size() as u32;
    if bits < 32 { i128::from(number & ((1 << bits) - 1)) } else { i128::from(number) }
}
