//! Names of the formats of texels: channels, bits of each, and a letter for their kind.
//!
//! ```text
//! rgba8   four channels of 8 bits for 0 to 1       rgba16s   the same for −1 to 1
//! r32f    one floating-point number of 32 bits     rg32u     two unsigned integers, rg32i two signed ones
//! rgb565  three channels in one number
//! ```

use reconverge_opencl::{ChannelOrder, ChannelType, ImageFormat};

use crate::launch::similar::similar;

/// The channels by name.
const ORDERS: [(&str, ChannelOrder); 18] = [
    ("r", ChannelOrder::R),
    ("rg", ChannelOrder::Rg),
    ("rgb", ChannelOrder::Rgb),
    ("rgba", ChannelOrder::Rgba),
    ("bgra", ChannelOrder::Bgra),
    ("argb", ChannelOrder::Argb),
    ("abgr", ChannelOrder::Abgr),
    ("a", ChannelOrder::A),
    ("ra", ChannelOrder::Ra),
    ("l", ChannelOrder::Luminance),
    ("i", ChannelOrder::Intensity),
    ("rx", ChannelOrder::Rx),
    ("rgx", ChannelOrder::Rgx),
    ("rgbx", ChannelOrder::Rgbx),
    ("srgba", ChannelOrder::Srgba),
    ("sbgra", ChannelOrder::Sbgra),
    ("srgbx", ChannelOrder::Srgbx),
    ("depth", ChannelOrder::Depth),
];

/// The storage of a channel by name. The first of similar names is suggested.
const TYPES: [(&str, ChannelType); 15] = [
    ("8", ChannelType::Unorm8),
    ("16", ChannelType::Unorm16),
    ("16f", ChannelType::Half),
    ("32f", ChannelType::Float),
    ("8u", ChannelType::Uint8),
    ("16u", ChannelType::Uint16),
    ("32u", ChannelType::Uint32),
    ("8i", ChannelType::Sint8),
    ("16i", ChannelType::Sint16),
    ("32i", ChannelType::Sint32),
    ("8s", ChannelType::Snorm8),
    ("16s", ChannelType::Snorm16),
    ("565", ChannelType::Unorm565),
    ("555", ChannelType::Unorm555),
    ("101010", ChannelType::Unorm101010),
];

/// Other names of channels.
const LONG_ORDERS: [(&str, &str); 2] = [("luminance", "l"), ("intensity", "i")];

/// Endings that other interfaces have, and those of this one.
const LONG_ENDINGS: [(&str, &str); 6] =
    [("unorm", ""), ("snorm", "s"), ("uint", "u"), ("sint", "i"), ("int", "i"), ("float", "f")];

/// The name of a format: `rgba8`.
pub fn format_name(format: ImageFormat) -> String {
    let order = ORDERS.iter().find(|(_, order)| *order == format.order).map_or("", |(name, _)| name);
    let data_type = TYPES.iter().find(|(_, data_type)| *data_type == format.data_type).map_or("", |(name, _)| name);
    format!("{order}{data_type}")
}

/// The format of a name.
///
/// # Errors
/// There is no such format; the message has a similar one, or all parts of names.
pub fn format_named(name: &str) -> Result<ImageFormat, String> {
    let (order, data_type) = parts(name);
    let order = LONG_ORDERS.iter().find(|(long, _)| *long == order).map_or(order, |(_, short)| short);
    let order = ORDERS.iter().find(|(known, _)| *known == order).map(|&(_, order)| order);
    let data_type = TYPES.iter().find(|(known, _)| *known == data_type).map(|&(_, data_type)| data_type);
    match (order, data_type) {
        (Some(order), Some(data_type)) => {
            let format = ImageFormat { order, data_type };
            format.texel_size().map(|_| format).ok_or_else(|| impossible(format))
        }
        _ => Err(unknown(name)),
    }
}

/// The letters of the channels, and the rest.
fn parts(name: &str) -> (&str, &str) {
    name.split_at(name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(name.len()))
}

/// The message for channels that are not stored in that type.
fn impossible(format: ImageFormat) -> String {
    let of_order = TYPES.iter().map(|&(_, data_type)| ImageFormat { data_type, ..format });
    let names: Vec<String> = of_order.filter(|other| other.texel_size().is_some()).map(format_name).collect();
    format!("OpenCL has no format {}; with these channels it has {}", format_name(format), names.join(", "))
}

/// The message for a name without a format.
fn unknown(name: &str) -> String {
    let name_in_lower_case = name.to_ascii_lowercase();
    let plain = name_in_lower_case.replace(['_', '-'], "");
    let (_, ending) = plain.split_at(plain.find(char::is_numeric).unwrap_or(plain.len()));
    let long = LONG_ENDINGS.iter().find(|(long, _)| ending.ends_with(long));
    let wanted = long.map_or(plain.clone(), |(long, short)| format!("{}{short}", &plain[..plain.len() - long.len()]));
    if let Ok(meant) = parts_of_plain(&wanted) {
        return format!("unknown format {name}; did you mean {}?", format_name(meant));
    }
    let pairs =
        ORDERS.iter().flat_map(|&(_, order)| TYPES.iter().map(move |&(_, data_type)| ImageFormat { order, data_type }));
    let names: Vec<String> = pairs.filter(|format| format.texel_size().is_some()).map(format_name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match similar(&wanted, &names).filter(|_| !wanted.is_empty()) {
        Some(meant) => format!("unknown format {name}; did you mean {meant}?"),
        None => {
            let orders = ORDERS.map(|(order, _)| order).join(", ");
            let types = TYPES.map(|(data_type, _)| data_type).join(", ");
            format!("unknown format {name}; a format is its channels ({orders}) and their bits ({types}), like rgba8")
        }
    }
}

/// The format of a name that was changed to the usual form.
fn parts_of_plain(name: &str) -> Result<ImageFormat, ()> {
    let (order, data_type) = parts(name);
    let order = ORDERS.iter().find(|(known, _)| *known == order).ok_or(())?.1;
    let data_type = TYPES.iter().find(|(known, _)| *known == data_type).ok_or(())?.1;
    let format = ImageFormat { order, data_type };
    format.texel_size().map(|_| format).ok_or(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_that_is_read_back() {
        for format in ImageFormat::all() {
            assert_eq!(format_named(&format_name(format)), Ok(format));
        }
    }

    #[test]
    fn a_name_without_a_format_gets_advice() {
        let cases = [
            ("RGBA8", "did you mean rgba8?"),
            ("rgba8unorm", "did you mean rgba8?"),
            ("r32float", "did you mean r32f?"),
            ("rgba8uint", "did you mean rgba8u?"),
            ("rgba32", "did you mean rgba32f?"),
            ("rgbaa8", "did you mean rgba8?"),
            ("bgra16", "with these channels it has bgra8, bgra8u, bgra8i, bgra8s"),
            ("rgb8", "with these channels it has rgb565, rgb555, rgb101010"),
            ("colour", "a format is its channels (r, rg,"),
            ("", "a format is its channels (r, rg,"),
            ("8", "did you mean r8?"),
            ("bgra", "did you mean bgra8?"),
        ];
        for (name, advice) in cases {
            let error = format_named(name).expect_err(name);
            assert!(error.contains(advice), "{name}: {error}");
        }
        assert_eq!(format_named("luminance16"), format_named("l16"));
    }
}
