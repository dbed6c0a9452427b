//! Compares outputs with the expected ones.

use std::fmt;

use crate::launch::{Launch, Tolerance};

/// The first difference between outputs and expected outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// An element differs.
    Element {
        /// The output, for messages; with the texel if it is an image.
        output: String,
        /// The index of the element.
        element: usize,
        /// The expected value.
        expected: String,
        /// The value found.
        found: String,
    },
    /// The number of bytes differs.
    Size {
        /// The expected number.
        expected: usize,
        /// The number found.
        found: usize,
    },
}

/// Compares outputs with the expected ones: all output buffers, one after another. Integers must be equal; floating-point numbers may
/// differ by the tolerance of the launch, and NaN equals NaN.
pub fn compare(launch: &Launch, expected: &[u8], outputs: &[Vec<u8>]) -> Result<(), Mismatch> {
    let size = outputs.iter().map(Vec::len).sum();
    if expected.len() != size {
        return Err(Mismatch::Size { expected: expected.len(), found: size });
    }
    let mut rest = expected;
    for (output, found) in launch.outputs().zip(outputs) {
        let (part, after) = rest.split_at(found.len());
        rest = after;
        let element = output.buffer.element;
        let pairs = part.chunks(element.size()).zip(found.chunks(element.size()));
        let wrong = pairs.enumerate().find(|(_, (expected, found))| {
            let is_close =
                element.is_float() && is_close(element.real(expected), element.real(found), launch.tolerance);
            expected != found && !is_close
        });
        if let Some((index, (expected, found))) = wrong {
            let (expected, found) = (element.text(expected), element.text(found));
            let texel = output.image.map_or_else(String::new, |image| format!(", {}", image.place(index)));
            return Err(Mismatch::Element { output: format!("{output}{texel}"), element: index, expected, found });
        }
    }
    Ok(())
}

fn is_close(expected: f64, found: f64, tolerance: Tolerance) -> bool {
    let allowed = tolerance.absolute + tolerance.relative * expected.abs();
    expected == found || (expected.is_nan() && found.is_nan()) || (expected - found).abs() <= allowed
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Element { output, element, expected, found } => {
                write!(formatter, "{output}, element {element}: expected {expected}, found {found}")
            }
            Mismatch::Size { expected, found } => {
                write!(formatter, "the outputs have {found} bytes, {expected} are expected")
            }
        }
    }
}
