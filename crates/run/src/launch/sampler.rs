//! Samplers (OpenCL 3.0, section 5.7): which coordinates they take, which texel stands for one outside, and how texels between are computed.

use std::fmt;

use reconverge_opencl::sampler_bits;

use crate::launch::similar::similar;

/// A sampler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sampler {
    /// The unit of coordinates.
    pub coordinates: Coordinates,
    /// The texel of coordinates outside of the image.
    pub address: AddressMode,
    /// The result between texels.
    pub filter: Filter,
}

/// The unit of the coordinates of a sampler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Coordinates {
    /// 0 to 1 over the whole image.
    #[default]
    Normalized,
    /// Texels.
    Unnormalized,
}

/// The texel that a sampler reads for coordinates outside of the image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AddressMode {
    /// There are no such coordinates.
    None,
    /// The nearest texel.
    #[default]
    ClampToEdge,
    /// The border colour.
    Clamp,
    /// The image again.
    Repeat,
    /// The image again, each second one mirrored.
    MirroredRepeat,
}

/// The result of a sampler between texels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Filter {
    /// The nearest texel.
    #[default]
    Nearest,
    /// The average of the texels around it.
    Linear,
}

impl Coordinates {
    pub(crate) const NAMES: [(&str, Coordinates); 2] =
        [("normalized", Coordinates::Normalized), ("unnormalized", Coordinates::Unnormalized)];
}

impl AddressMode {
    pub(crate) const NAMES: [(&str, AddressMode); 5] = [
        ("none", AddressMode::None),
        ("clamp_to_edge", AddressMode::ClampToEdge),
        ("clamp", AddressMode::Clamp),
        ("repeat", AddressMode::Repeat),
        ("mirrored_repeat", AddressMode::MirroredRepeat),
    ];
}

impl Filter {
    pub(crate) const NAMES: [(&str, Filter); 2] = [("nearest", Filter::Nearest), ("linear", Filter::Linear)];
}

impl Sampler {
    /// The sampler of some words, separated by commas, in any order; without a word it is as by default.
    ///
    /// # Errors
    /// An unknown word, two words for one property, or properties that OpenCL does not combine.
    pub fn from_words(text: &str) -> Result<Sampler, String> {
        let (mut coordinates, mut address, mut filter) = (None, None, None);
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let before = if let Some(found) = named(&Coordinates::NAMES, word) {
                coordinates.replace(found).is_some()
            } else if let Some(found) = named(&AddressMode::NAMES, word) {
                address.replace(found).is_some()
            } else if let Some(found) = named(&Filter::NAMES, word) {
                filter.replace(found).is_some()
            } else {
                return Err(unknown(word));
            };
            if before {
                return Err(format!("{word} is the second word for the same property of the sampler: {}", words()));
            }
        }
        let sampler = Sampler {
            coordinates: coordinates.unwrap_or_default(),
            address: address.unwrap_or_default(),
            filter: filter.unwrap_or_default(),
        };
        sampler.check().map(|()| sampler)
    }

    /// Checks that OpenCL has the sampler.
    ///
    /// # Errors
    /// An image is repeated in coordinates that are not normalized.
    pub fn check(&self) -> Result<(), String> {
        let repeats = matches!(self.address, AddressMode::Repeat | AddressMode::MirroredRepeat);
        match self.coordinates == Coordinates::Unnormalized && repeats {
            true => Err(format!(
                "the sampler {self} is undefined: repeat and mirrored_repeat need normalized coordinates; write normalized, or clamp_to_edge"
            )),
            false => Ok(()),
        }
    }

    /// The [bits](sampler_bits) that kernels know it by.
    pub const fn bits(&self) -> u32 {
        let coordinates = match self.coordinates {
            Coordinates::Normalized => sampler_bits::NORMALIZED,
            Coordinates::Unnormalized => 0,
        };
        let address = match self.address {
            AddressMode::None => sampler_bits::NONE,
            AddressMode::ClampToEdge => sampler_bits::CLAMP_TO_EDGE,
            AddressMode::Clamp => sampler_bits::CLAMP,
            AddressMode::Repeat => sampler_bits::REPEAT,
            AddressMode::MirroredRepeat => sampler_bits::MIRRORED_REPEAT,
        };
        let filter = match self.filter {
            Filter::Nearest => sampler_bits::NEAREST,
            Filter::Linear => sampler_bits::LINEAR,
        };
        coordinates | address | filter
    }

    /// The sampler of such bits, if there is one.
    pub fn from_bits(bits: u32) -> Option<Sampler> {
        Sampler::all().find(|sampler| sampler.bits() == bits)
    }

    /// All samplers, also those that are undefined.
    pub fn all() -> impl Iterator<Item = Sampler> {
        let addresses = Coordinates::NAMES
            .into_iter()
            .flat_map(|(_, coordinates)| AddressMode::NAMES.map(|(_, address)| (coordinates, address)));
        addresses.flat_map(|(coordinates, address)| {
            Filter::NAMES.map(|(_, filter)| Sampler { coordinates, address, filter })
        })
    }
}

impl fmt::Display for Sampler {
    /// As on the command line: `normalized,repeat,linear`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coordinates = name_of(&Coordinates::NAMES, self.coordinates);
        let (address, filter) = (name_of(&AddressMode::NAMES, self.address), name_of(&Filter::NAMES, self.filter));
        write!(formatter, "{coordinates},{address},{filter}")
    }
}

/// The value of a name.
pub(crate) fn named<T: Copy>(names: &[(&str, T)], word: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == word).map(|&(_, value)| value)
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

/// The words of a sampler, for messages.
fn words() -> String {
    let list = |names: &mut dyn Iterator<Item = &'static str>| names.collect::<Vec<_>>().join(", ");
    let coordinates = list(&mut Coordinates::NAMES.iter().map(|(name, _)| *name));
    let address = list(&mut AddressMode::NAMES.iter().map(|(name, _)| *name));
    let filter = list(&mut Filter::NAMES.iter().map(|(name, _)| *name));
    format!("one of {coordinates}, one of {address}, one of {filter}")
}

fn unknown(word: &str) -> String {
    let names: Vec<&str> = Coordinates::NAMES
        .iter()
        .map(|(name, _)| *name)
        .chain(AddressMode::NAMES.iter().map(|(name, _)| *name))
        .chain(Filter::NAMES.iter().map(|(name, _)| *name))
        .collect();
    match similar(word, &names) {
        Some(meant) => format!("unknown word {word} of a sampler; did you mean {meant}?"),
        None => format!("unknown word {word} of a sampler; the words are {}", words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_bits_and_samplers_stand_for_one_another() {
        for sampler in Sampler::all() {
            assert_eq!(Sampler::from_bits(sampler.bits()), Some(sampler));
            let read = Sampler::from_words(&sampler.to_string());
            assert_eq!(read.ok(), sampler.check().is_ok().then_some(sampler), "{sampler}");
        }
        assert_eq!(Sampler::from_words("linear, repeat").map(|sampler| sampler.bits()), Ok(0x27));
        assert_eq!(Sampler::from_words(""), Ok(Sampler::default()));
        assert_eq!(Sampler::default().bits(), 0x13);
    }

    #[test]
    fn words_that_are_no_sampler_are_refused() {
        let cases = [
            ("unnormalized,repeat", "repeat and mirrored_repeat need normalized coordinates"),
            ("liner", "did you mean linear?"),
            ("nearest,linear", "linear is the second word"),
            ("trilinear", "the words are one of normalized, unnormalized"),
        ];
        for (text, advice) in cases {
            let error = Sampler::from_words(text).expect_err(text);
            assert!(error.contains(advice), "{text}: {error}");
        }
    }
}
