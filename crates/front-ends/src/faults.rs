//! Known faults of front ends: which versions have them, and what avoids them.
//!
//! A fault that can be avoided has arguments, or a header that is included before the first line of every source. The header is part of
//! this program; it has a `#line` of its own, so that neither messages nor debug information name the folder where it lies for the
//! compilation. A version that cannot be found out counts as the oldest that is supported.

use std::ops::Range;

use crate::{FrontEnd, Version};

/// A known fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The front end.
    pub front_end: FrontEnd,
    /// The versions that have it.
    pub versions: Range<Version>,
    /// The wrong result, as one sentence.
    pub what: &'static str,
    /// Arguments that avoid it.
    pub(crate) arguments: &'static [&'static str],
    /// A header that avoids it.
    pub(crate) header: Option<Header>,
}

/// A header that is included before the first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// The name of the file.
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

/// Every known fault, by front end. To avoid one more, add a row.
const FAULTS: &[Fault] = &[
    Fault {
        front_end: FrontEnd::CLANG,
        versions: Version::new(0, 0, 0)..Version::new(23, 0, 0),
        what: "`convert_T(x)` and `convert_T_sat(x)` of integers are those of the other sign if T has the sign of x",
        arguments: &[],
        header: Some(Header { name: "opencl_conversions.h", text: include_str!("headers/opencl_conversions.h") }),
    },
    Fault {
        front_end: FrontEnd::CLANG,
        versions: Version::new(0, 0, 0)..Version::new(u32::MAX, 0, 0),
        what: "integers of odd widths, which loop strength reduction makes, are computed in wider ones and not masked",
        arguments: &["-mllvm", "-disable-lsr"],
        header: None,
    },
];

impl Fault {
    /// The faults of a version of a front end.
    pub fn of(front_end: FrontEnd, version: Option<Version>) -> impl Iterator<Item = &'static Fault> {
        let version = version.unwrap_or(front_end.row().oldest);
        FAULTS.iter().filter(move |fault| fault.front_end == front_end && fault.versions.contains(&version))
    }
}
