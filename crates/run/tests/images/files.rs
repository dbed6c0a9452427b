//! Images from pictures, arrays and raw texels, and to pictures and arrays.

use png::{BitDepth, ColorType};
use reconverge_run::launch::{Launch, Rule, read_npy, write_npy};
use reconverge_run::{Element, Image};

use super::{argument, image};

/// A file of PNG.
pub(super) fn png_of(width: u32, height: u32, colours: ColorType, depth: BitDepth, samples: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    if colours == ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
        encoder.set_trns(vec![255, 128]);
    }
    let mut writer = encoder.write_header().expect("the header is valid");
    writer.write_image_data(samples).expect("the samples are all of them");
    writer.finish().expect("the file is complete");
    file
}

/// The image of a flag whose file has these bytes.
fn resolved(flag: &str, file: &[u8]) -> Result<Image, String> {
    let mut launch = Launch { arguments: vec![argument(flag)], ..Launch::default() };
    let misfits = launch.resolve_files(|_| Ok(file.to_vec())).map_err(|error| error.message)?;
    assert_eq!(misfits, []);
    match launch.arguments.swap_remove(0) {
        reconverge_run::Argument::Image(image) => Ok(image),
        other => panic!("{flag} is {other:?}"),
    }
}

/// The texels of an image with contents.
fn texels(image: &Image) -> Vec<u8> {
    assert_eq!(image.check(), Ok(()));
    image.buffer.rule.contents(image.buffer.element, image.buffer.count).expect("the contents are there")
}

fn words(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn a_picture_becomes_texels_of_every_format_that_fits() {
    let rgb = png_of(2, 1, ColorType::Rgb, BitDepth::Eight, &[255, 128, 0, 1, 2, 3]);
    let gray = png_of(2, 1, ColorType::Grayscale, BitDepth::Eight, &[255, 51]);
    let deep = png_of(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0xff, 0xff, 0x80, 0x00]);
    let alpha = png_of(2, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[9, 255, 8, 7]);
    let opaque = png_of(1, 1, ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 255]);
    let palette = png_of(2, 1, ColorType::Indexed, BitDepth::One, &[0b0100_0000]);
    let bits = png_of(2, 1, ColorType::Grayscale, BitDepth::Two, &[0b1101_0000]);
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let cases: [(&[u8], &str, Vec<u8>); 22] = [
        (&rgb, "rgba8", vec![255, 128, 0, 255, 1, 2, 3, 255]),
        (&rgb, "bgra8", vec![0, 128, 255, 255, 3, 2, 1, 255]),
        (&rgb, "argb8", vec![255, 255, 128, 0, 255, 1, 2, 3]),
        (&rgb, "abgr8u", vec![255, 0, 128, 255, 255, 3, 2, 1]),
        (&rgb, "srgba8", vec![255, 128, 0, 255, 1, 2, 3, 255]),
        (&rgb, "srgbx8", vec![255, 128, 0, 255, 1, 2, 3, 255]),
        (&rgb, "rgba16u", words(&[255, 128, 0, 255, 1, 2, 3, 255])),
        (&rgb, "rgba16", words(&[0xffff, 0x8080, 0, 0xffff, 0x101, 0x202, 0x303, 0xffff])),
        (&rgb, "rgb565", words(&[0xfc00, 0])),
        (&rgb, "rgba8s", vec![127, 64, 0, 127, 0, 1, 1, 127]),
        (&gray, "r8", vec![255, 51]),
        (&gray, "rgba8", vec![255, 255, 255, 255, 51, 51, 51, 255]),
        (&gray, "ra8", vec![255, 255, 51, 255]),
        (&gray, "r32f", floats(&[1.0, 0.2])),
        (&gray, "depth16", words(&[0xffff, 0x3333])),
        (&deep, "r16", words(&[0xffff, 0x8000])),
        (&deep, "l8", vec![255, 128]),
        (&deep, "r16f", words(&[0x3c00, 0x3800])),
        (&alpha, "rgba8", vec![9, 9, 9, 255, 8, 8, 8, 7]),
        (&opaque, "rgb555", words(&[0])),
        (&palette, "rgba8", vec![10, 20, 30, 255, 40, 50, 60, 128]),
        (&bits, "r8", vec![255, 85]),
    ];
    for (file, format, expected) in cases {
        let image =
            resolved(&format!("image:{format}[]=@p.png"), file).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(texels(&image), expected, "{format}");
        assert_eq!(image.size[1], 1);
    }
    // A row is also an image of one dimension.
    assert_eq!(resolved("image:r8[2]=@p.png", &gray).expect("it fits").size, [2]);
}

#[test]
fn a_picture_that_does_not_fit_gets_advice() {
    let rgb = png_of(1, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3]);
    let deep = png_of(1, 1, ColorType::Rgb, BitDepth::Sixteen, &[0; 6]);
    let glass = png_of(1, 1, ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4]);
    let gray = png_of(1, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[1, 2]);
    let cases: [(&[u8], &str, &str); 9] = [
        (&rgb, "image:r8[]=@p.png", "p.png: the picture has red, green and blue, and r8 has one colour: write rgba8"),
        (&rgb, "image:rg8[]=@p.png", "no picture has red and green alone, as rg8 has: give an array .npy"),
        (&rgb, "image:rgba8i[]=@p.png", "a picture has no signed integers, as rgba8i has: write rgba8u"),
        (&deep, "image:rgba8u[]=@p.png", "the picture has 16 bits in a channel, and rgba8u has 8: write rgba16u"),
        (&glass, "image:rgb565[]=@p.png", "the picture is transparent in places, and rgb565 has no alpha"),
        (&gray, "image:r8[]=@p.png", "write a format like ra8, or make the picture opaque"),
        (
            &rgb,
            "image:rgba8[4,4]=@p.png",
            "the picture has the size [1,1], and image:rgba8[4,4] another: write image:rgba8[1,1]",
        ),
        (b"GIF89a", "image:rgba8[4,4]=@p.png", "p.png is named .png, but it does not begin as PNG"),
        (b"GIF89a", "image:rgba8[]=@p.gif", "p.gif is texels without a size"),
    ];
    for (file, flag, message) in cases {
        let error = resolved(flag, file).expect_err(flag);
        assert!(error.contains(message), "{flag}: {error}");
    }
}

#[test]
fn an_image_is_written_as_it_is_read() {
    let written = [
        "r8",
        "a8",
        "l8",
        "i8",
        "rx8",
        "r8u",
        "r16",
        "r16u",
        "depth16",
        "ra8",
        "ra16",
        "ra8u",
        "rgba8",
        "rgba16",
        "rgba8u",
        "rgba16u",
        "bgra8",
        "argb8",
        "abgr8",
        "bgra8u",
        "srgba8",
        "sbgra8",
        "srgbx8",
        "rgb565",
        "rgb555",
        "rgbx565",
        "rgb101010",
    ];
    for format in written {
        let flag = format!("image:{format}[5,3]=lcg(7)");
        let given = image(&flag);
        assert_eq!(given.png_misfit(), None, "{format}");
        let mut before = texels(&given);
        match format {
            // What has no meaning is not in a picture.
            "rgb555" => before.iter_mut().skip(1).step_by(2).for_each(|byte| *byte &= 0x7f),
            "rgb101010" => before.iter_mut().skip(3).step_by(4).for_each(|byte| *byte &= 0x3f),
            "srgbx8" => before.iter_mut().skip(3).step_by(4).for_each(|byte| *byte = 255),
            _ => {}
        }
        let file = given.write_png(&before).expect("it is a picture");
        let read = resolved(&format!("image:{format}[]=@p.png"), &file).expect("it is read");
        assert_eq!(read.size, [5, 3]);
        assert_eq!(texels(&read), before, "{format}");
        let array = write_npy(given.buffer.element, &given.array_shape(), &before);
        let read = resolved(&format!("image:{format}[]=@p.npy"), &array).expect("it is read");
        assert_eq!((read.size.as_slice(), texels(&read)), (&[5, 3][..], before), "{format}");
    }
}

#[test]
fn fractions_are_limited_in_pictures() {
    let numbers = [0.0_f32, 1.0, 0.5, -3.0, 7.0, f32::NAN, f32::INFINITY, 0.1];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let file = image("image:r32f[4,2]").write_png(&bytes).expect("it is a picture");
    let read = resolved("image:r8[4,2]=@p.png", &file).expect("it is read");
    assert_eq!(texels(&read), [0, 255, 128, 0, 255, 0, 255, 26]);
}

#[test]
fn images_that_are_no_pictures_are_refused() {
    let cases = [
        ("image:rg8[4,4]", "no picture has red and green alone"),
        ("image:rgba8s[4,4]", "no picture has channels as those of rgba8s"),
        ("image:r32u[4,4]", "no picture has channels as those of r32u"),
        ("image:rgba8[4,4,4]", "a picture has two dimensions, and image:rgba8[4,4,4] has 3"),
        ("image:rgba8[4]", "a picture has two dimensions, and image:rgba8[4] has 1"),
    ];
    for (flag, message) in cases {
        let image = image(flag);
        assert!(image.png_misfit().is_some_and(|misfit| misfit.contains(message)), "{flag}");
        assert!(image.write_png(&texels(&image)).is_err_and(|error| error.contains(message)), "{flag}");
    }
    assert!(image("image:r8[4,4]").write_png(&[0; 15]).is_err());
}

#[test]
fn an_array_gives_its_shape() {
    let array = |element: Element, shape: &[u64]| {
        let count: u64 = shape.iter().product();
        write_npy(element, shape, &vec![1; count as usize * element.size()])
    };
    let cases: [(&str, Element, &[u64], &[u32]); 9] = [
        ("image:rgba8[]", Element::U8, &[2, 3, 4], &[3, 2]),
        ("image:rgba8[]", Element::U8, &[5, 2, 3, 4], &[3, 2, 5]),
        ("image:rgba8[]", Element::U8, &[7, 4], &[7]),
        ("image:r8[]", Element::U8, &[2, 3], &[3, 2]),
        ("image:r32f[]", Element::F32, &[2, 3, 1], &[3, 2]),
        ("image:r8[]", Element::U8, &[5, 2, 3], &[3, 2, 5]),
        ("image:r8[1,2,3]", Element::U8, &[3, 2, 1], &[1, 2, 3]),
        ("image:rgba8[3,2]", Element::U8, &[24], &[3, 2]),
        ("image:rgb565[]", Element::U16, &[2, 3], &[3, 2]),
    ];
    for (flag, element, shape, size) in cases {
        let image = resolved(&format!("{flag}=@a.npy"), &array(element, shape))
            .unwrap_or_else(|error| panic!("{flag}: {error}"));
        assert_eq!(image.size, size, "{flag}");
        assert!(texels(&image).iter().all(|&byte| byte == 1));
    }
    let cases: [(&str, Element, &[u64], &str); 6] = [
        (
            "image:rgba8[]",
            Element::F32,
            &[2, 3, 4],
            "the array is of f32, and rgba8 has numbers of u8: save the array as u8",
        ),
        (
            "image:rgba8[]",
            Element::U8,
            &[2, 3, 3],
            "the array of shape (2, 3, 3) is no image of rgba8: it is (height, width, 4)",
        ),
        ("image:r8[]", Element::U8, &[1, 2, 3, 4], "it is (height, width) or (depth, height, width)"),
        ("image:r8[]", Element::U8, &[0, 4], "of at least 1 each"),
        (
            "image:rgba8[3,2]",
            Element::U8,
            &[3, 2, 4],
            "the array has the shape (3, 2, 4), and image:rgba8[3,2] needs (2, 3, 4)",
        ),
        ("image:rgba8[3,2]", Element::U8, &[23], "the array has the shape (23,), and image:rgba8[3,2] needs (2, 3, 4)"),
    ];
    for (flag, element, shape, message) in cases {
        let error = resolved(&format!("{flag}=@a.npy"), &array(element, shape)).expect_err(flag);
        assert!(error.starts_with("args[0]: a.npy: ") && error.contains(message), "{flag}: {error}");
    }
    assert_eq!(read_npy(&array(Element::U8, &[2, 3, 4]), Element::U8).map(|bytes| bytes.len()), Ok(24));
}

#[test]
fn other_files_are_texels() {
    let mut launch = Launch { arguments: vec![argument("image:rg8[2,2]=@texels.bin")], ..Launch::default() };
    let misfits = launch.resolve_files(|_| Ok(vec![1, 2, 3])).expect("they are read");
    let text: Vec<String> = misfits.iter().map(ToString::to_string).collect();
    assert_eq!(text, ["texels.bin has 3 bytes, and its image, argument 0, has 8: the rest of the image is zero"]);
    assert_eq!(launch.buffers().expect("contents"), [[1, 2, 3, 0, 0, 0, 0, 0]]);
    assert!(matches!(image("image:rg8[2,2]=@x").buffer.rule, Rule::File(_)));
}
