//! Random accesses to images: kernels in OpenCL C for every kind of image, and launches of them.
//!
//! ```text
//! sample_f_image2d_t(image, sampler, coordinates, results)     results[n] = read_imagef(image, sampler, coordinates[n].xy)
//! read_ui_image3d_t(image, coordinates, results)               the same without a sampler
//! write_i_image1d_t(image, texels)                             write_imagei(image, n, texels[n])
//! query_image2d_array_t(image, results)                        sizes, channel order, channel type
//! ```
//!
//! A case has a format that the access allows, sizes, a sampler, and coordinates inside, at the edges, between texels and far outside. What OpenCL
//! leaves undefined is left out: repetition without normalized coordinates, integers outside without a sampler.

use reconverge::opencl::{ChannelOrder, ChannelType, ImageFormat, ImageKind};
use reconverge_run::launch::{AddressMode, Coordinates, Element, Filter, Image, Rule, Sampler};
use reconverge_run::{Argument, Buffer, Launch, Role};

use crate::random::Random;

/// The accesses of a case, one for each work-item.
pub const ITEMS: usize = 64;

/// The numbers that an access gives or takes.
const NUMBERS: [&str; 3] = ["f", "i", "ui"];

/// A launch of a kernel of [`source`].
#[derive(Debug)]
pub struct Case {
    /// A description, for messages.
    pub name: String,
    /// The launch.
    pub launch: Launch,
    /// The rule leaves room: the results of two engines may differ by so many units in the last place.
    pub ulp: u32,
}

/// The kernels, in OpenCL C 3.0.
pub fn source() -> String {
    let mut source = String::new();
    for kind in ImageKind::ALL {
        let (name, sizes) = (kind.name(), kind.sizes());
        // Three coordinates are a vector of four.
        let swizzle = ["x", "xy", "xyzw"][sizes as usize - 1];
        let place = match sizes {
            1 => "n".to_owned(),
            2 => "(int2)(n % w, n / w)".to_owned(),
            _ => "(int4)(n % w, n / w % h, n / (w * h), 0)".to_owned(),
        };
        for numbers in NUMBERS {
            if kind.is_depth() && numbers != "f" {
                continue;
            }
            let scalar = match numbers {
                "f" => "float",
                "i" => "int",
                _ => "uint",
            };
            let result = if kind.is_depth() { scalar.to_owned() } else { format!("{scalar}4") };
            let read = format!("read_image{numbers}");
            for (coordinate, letter) in [("float", "sample"), ("int", "pick")] {
                if kind == ImageKind::D1Buffer {
                    continue;
                }
                source.push_str(&format!(
                    "kernel void {letter}_{numbers}_{name}(read_only {name} i, sampler_t s, global {coordinate}4 *c, global {result} *o) {{ int n = get_global_id(0); o[n] = {read}(i, s, c[n].{swizzle}); }}\n"
                ));
            }
            for access in ["read_only", "read_write"] {
                let prefix = if access == "read_only" { "read" } else { "reread" };
                source.push_str(&format!(
                    "kernel void {prefix}_{numbers}_{name}({access} {name} i, global int4 *c, global {result} *o) {{ int n = get_global_id(0); o[n] = {read}(i, c[n].{swizzle}); }}\n"
                ));
            }
            source.push_str(&format!(
                "kernel void write_{numbers}_{name}(write_only {name} i, global {result} *v, int w, int h, int end) {{ int n = get_global_id(0); if (n < end) write_image{numbers}(i, {place}, v[n]); }}\n"
            ));
        }
        let height = if matches!(kind, ImageKind::D1 | ImageKind::D1Buffer | ImageKind::D1Array) {
            "0"
        } else {
            "get_image_height(i)"
        };
        let depth = match kind {
            ImageKind::D3 => "get_image_depth(i)",
            ImageKind::D1Array | ImageKind::D2Array | ImageKind::D2ArrayDepth => "(int)get_image_array_size(i)",
            _ => "0",
        };
        source.push_str(&format!(
            "kernel void query_{name}(read_only {name} i, global int *o) {{ o[0] = get_image_width(i); o[1] = {height}; o[2] = {depth}; o[3] = get_image_channel_order(i); o[4] = get_image_channel_data_type(i); }}\n"
        ));
    }
    source
}

/// A random case.
pub fn case(random: &mut Random) -> Case {
    let kind = *random.choose(&ImageKind::ALL);
    let formats: Vec<ImageFormat> =
        ImageFormat::all().filter(|format| (format.order == ChannelOrder::Depth) == kind.is_depth()).collect();
    let format = *random.choose(&formats);
    let size: Vec<u32> = (0..kind.sizes()).map(|axis| random.between(1, [9, 7, 5][axis as usize]) as u32).collect();
    let numbers = match format.data_type {
        ChannelType::Sint8 | ChannelType::Sint16 | ChannelType::Sint32 => "i",
        ChannelType::Uint8 | ChannelType::Uint16 | ChannelType::Uint32 => "ui",
        _ => "f",
    };
    let components = if kind.is_depth() { 1 } else { 4 };
    let is_curved = matches!(format.order, ChannelOrder::Srgba | ChannelOrder::Srgbx | ChannelOrder::Sbgra);
    let result = |role| {
        let element =
            [Element::F32, Element::I32, Element::U32][NUMBERS.iter().position(|&known| known == numbers).unwrap_or(0)];
        Buffer { name: None, element, count: ITEMS * components, rule: Rule::Zero, role }
    };
    let texels = size.iter().product::<u32>() as usize;
    let contents = contents(random, format, texels);
    let image = |role, rule| Argument::Image(Image::new(format, size.clone(), rule, role).expect("the image exists"));
    let (prefix, arguments, suffix) = match random.below(10) {
        0 => {
            let queries = Buffer { name: None, element: Element::I32, count: 5, rule: Rule::Zero, role: Role::Output };
            ("query", vec![image(Role::Input, Rule::Bytes(contents)), Argument::Buffer(queries)], String::new())
        }
        1..4 => {
            let values: Vec<u8> =
                (0..ITEMS * components).flat_map(|_| written(random, numbers).to_le_bytes()).collect();
            let values = Buffer { rule: Rule::Bytes(values), ..result(Role::Input) };
            let number = |value: u32| Argument::from_flag(&format!("i32={value}")).expect("it is a number");
            let end = texels.min(ITEMS) as u32;
            let arguments = vec![
                image(Role::Output, Rule::Bytes(contents)),
                Argument::Buffer(values),
                number(size[0]),
                number(size.get(1).copied().unwrap_or(1)),
                number(end),
            ];
            ("write", arguments, format!("{numbers}_"))
        }
        4 | 5 => {
            let coordinates = integers(random, &size, Outside::Never);
            let arguments =
                vec![image(Role::Input, Rule::Bytes(contents)), coordinates, Argument::Buffer(result(Role::Output))];
            (if random.chance(50) { "read" } else { "reread" }, arguments, format!("{numbers}_"))
        }
        _ if kind == ImageKind::D1Buffer => return case(random),
        choice => {
            let prefix = if choice == 6 { "pick" } else { "sample" };
            let sampler = sampler(random, numbers, prefix);
            let coordinates = match choice {
                6 => integers(
                    random,
                    &size,
                    if sampler.address == AddressMode::None { Outside::Never } else { Outside::Often },
                ),
                _ => floats(random, &size, sampler),
            };
            let arguments = vec![
                image(Role::Input, Rule::Bytes(contents)),
                Argument::Sampler(sampler),
                coordinates,
                Argument::Buffer(result(Role::Output)),
            ];
            (prefix, arguments, format!("{numbers}_"))
        }
    };
    let kernel = format!("{prefix}_{suffix}{}", kind.name());
    let name = format!("{kernel} {arguments:?}");
    let global = if prefix == "query" { 1 } else { ITEMS as u64 };
    let launch = Launch { kernel: Some(kernel), global: [global, 1, 1], arguments, ..Launch::default() };
    // The curve of sRGB has no exact rule.
    Case { name, launch, ulp: if is_curved { 16 } else { 0 } }
}

/// Texels of a format: any bits, but finite floats.
fn contents(random: &mut Random, format: ImageFormat, texels: usize) -> Vec<u8> {
    let size = texels * format.texel_size().unwrap_or(4) as usize;
    let mut bytes = Vec::with_capacity(size);
    while bytes.len() < size {
        match format.data_type {
            ChannelType::Float => bytes.extend(float(random).to_le_bytes()),
            ChannelType::Half => bytes.extend(((random.word() & 0xbfff) as u16).to_le_bytes()),
            _ => bytes.push(random.word() as u8),
        }
    }
    bytes
}

fn float(random: &mut Random) -> f32 {
    (random.between(0, 4000) as f32 - 2000.0) / 512.0
}

/// The bits of a number to write: inside of the range of formats, around its ends, far outside.
fn written(random: &mut Random, numbers: &str) -> u32 {
    match (numbers, random.below(8)) {
        ("f", 0) => {
            *random.choose(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0, 0.0, -1.0, -0.0, 65504.0, 1e-7, 65536.0])
        }
        ("f", 1..6) => random.between(0, 65535) as f32 / 65535.0 - f32::from(u8::from(random.chance(30))),
        ("f", _) => float(random),
        (_, 0..4) => return (random.between(0, 600) as i32 - 300) as u32,
        (_, 4..6) => return (random.between(0, 140_000) as i32 - 70_000) as u32,
        _ => return random.word() as u32,
    }
    .to_bits()
}

/// A sampler that OpenCL defines for such results, and for the coordinates of a kernel with this name in front.
fn sampler(random: &mut Random, numbers: &str, letter: &str) -> Sampler {
    let has_integers = letter == "pick";
    let filter = if numbers == "f" && !has_integers && random.chance(60) { Filter::Linear } else { Filter::Nearest };
    let modes = [
        AddressMode::ClampToEdge,
        AddressMode::Clamp,
        AddressMode::None,
        AddressMode::Repeat,
        AddressMode::MirroredRepeat,
    ];
    let coordinates =
        if has_integers || random.chance(40) { Coordinates::Unnormalized } else { Coordinates::Normalized };
    let count = if coordinates == Coordinates::Normalized { 5 } else { 3 };
    Sampler { coordinates, address: *random.choose(&modes[..count]), filter }
}

/// Whether coordinates may be outside of the image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Never,
    Often,
}

fn integers(random: &mut Random, size: &[u32], outside: Outside) -> Argument {
    let mut bytes = Vec::new();
    for _ in 0..ITEMS {
        for axis in 0..4 {
            let size = size.get(axis).copied().unwrap_or(1) as i32;
            let number = match outside {
                Outside::Never => random.below(size as usize) as i32,
                Outside::Often if random.chance(5) => random.word() as i32,
                Outside::Often => random.between(0, size as usize + 6) as i32 - 3,
            };
            bytes.extend(number.to_le_bytes());
        }
    }
    coordinates(Element::I32, bytes)
}

fn floats(random: &mut Random, size: &[u32], sampler: Sampler) -> Argument {
    let mut bytes = Vec::new();
    for _ in 0..ITEMS {
        for axis in 0..4 {
            let size = size.get(axis).copied().unwrap_or(1) as f32;
            // The texels, with a margin; none addresses texels inside alone.
            let texel = match random.below(4) {
                0 => random.between(0, 2 * size as usize) as f32 / 2.0,
                1 if sampler.address != AddressMode::None => random.between(0, 8 * size as usize) as f32 - 3.0 * size,
                2 if sampler.address != AddressMode::None => (random.between(0, 4096) as f32 / 1024.0 - 1.5) * size,
                _ => random.between(512, 511 + 1024 * (size as usize - 1).max(1)) as f32 / 1024.0,
            };
            let texel = if sampler.address == AddressMode::None { texel.clamp(0.5, size - 0.5) } else { texel };
            let number = if sampler.coordinates == Coordinates::Normalized { texel / size } else { texel };
            bytes.extend(number.to_le_bytes());
        }
    }
    coordinates(Element::F32, bytes)
}

fn coordinates(element: Element, bytes: Vec<u8>) -> Argument {
    let count = bytes.len() / element.size();
    Argument::Buffer(Buffer { name: None, element, count, rule: Rule::Bytes(bytes), role: Role::Input })
}
