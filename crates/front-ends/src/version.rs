//! Versions in what programs print.

use std::fmt;

/// A version of a program. Parts that are not printed are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

impl Version {
    /// A version of three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    /// The first version in a text after the given words: numbers with a point between them. Linear.
    ///
    /// ```
    /// use reconverge_front_ends::Version;
    ///
    /// let text = "Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu\n";
    /// assert_eq!(Version::after("version", text), Some(Version::new(22, 1, 8)));
    /// assert_eq!(Version::after("Glslang Version:", "Glslang Version: 11:12.0.0\n"), Some(Version::new(12, 0, 0)));
    /// assert_eq!(Version::after("", "v2024.14\n"), Some(Version::new(2024, 14, 0)));
    /// assert_eq!(Version::after("version", "no number"), None);
    /// ```
    pub fn after(words: &str, text: &str) -> Option<Version> {
        let (_, rest) = text.split_once(words)?;
        let tokens = rest.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        tokens.filter_map(|token| Version::parse(token.trim_matches('.'))).next()
    }

    fn parse(token: &str) -> Option<Version> {
        let mut numbers = token.split('.').map(|number| number.parse().ok());
        let (major, minor) = (numbers.next()??, numbers.next()??);
        let patch = numbers.next().map_or(Some(0), |patch| patch)?;
        Some(Version { major, minor, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
