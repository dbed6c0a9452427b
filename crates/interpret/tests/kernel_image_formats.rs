//! Formats of texels: every channel order with every channel type, read and written, and values at the ends of each range.

use crate::common::image::{
    DEPTH, FLOAT, HALF, Kind, R, RGBA, SINT32, TWO, TWO_DEPTH, UINT8, UINT32, UNORM8, globals, image, launch, reads,
    writing,
};
use crate::common::kernel::{Kernel, behaviour};
use reconverge_interpret::UndefinedBehaviour;
use spirv::AccessQualifier;

/// An order: its number, the components (red, green, blue, alpha) in memory, and what a read gives: a component by its number, `Z` for 0
/// or `O` for 1.
struct Order {
    code: u32,
    memory: &'static [usize],
    read: [Part; 4],
    /// The types that it is allowed with.
    types: &'static [u32],
}

#[derive(Clone, Copy)]
enum Part {
    /// The component of that number in memory.
    In(usize),
    Zero,
    One,
}

use Part::{In, One, Zero};

const ALL: &[u32] = &[0x10d0, 0x10d1, 0x10d2, 0x10d3, 0x10d7, 0x10d8, 0x10d9, 0x10da, 0x10db, 0x10dc, 0x10dd, 0x10de];
const BYTES: &[u32] = &[0x10d0, 0x10d2, 0x10d7, 0x10da];
const GRAY: &[u32] = &[0x10d0, 0x10d1, 0x10d2, 0x10d3, 0x10dd, 0x10de];
const PACKED: &[u32] = &[0x10d4, 0x10d5, 0x10d6];

const ORDERS: [Order; 18] = [
    Order { code: 0x10b0, memory: &[0], read: [In(0), Zero, Zero, One], types: ALL },
    Order { code: 0x10b1, memory: &[3], read: [Zero, Zero, Zero, In(0)], types: ALL },
    Order { code: 0x10b2, memory: &[0, 1], read: [In(0), In(1), Zero, One], types: ALL },
    Order { code: 0x10b3, memory: &[0, 3], read: [In(0), Zero, Zero, In(1)], types: ALL },
    Order { code: 0x10b4, memory: &[0, 1, 2], read: [In(0), In(1), In(2), One], types: PACKED },
    Order { code: 0x10b5, memory: &[0, 1, 2, 3], read: [In(0), In(1), In(2), In(3)], types: ALL },
    Order { code: 0x10b6, memory: &[2, 1, 0, 3], read: [In(2), In(1), In(0), In(3)], types: BYTES },
    Order { code: 0x10b7, memory: &[3, 0, 1, 2], read: [In(1), In(2), In(3), In(0)], types: BYTES },
    Order { code: 0x10b8, memory: &[0], read: [In(0), In(0), In(0), In(0)], types: GRAY },
    Order { code: 0x10b9, memory: &[0], read: [In(0), In(0), In(0), One], types: GRAY },
    Order { code: 0x10ba, memory: &[0], read: [In(0), Zero, Zero, One], types: ALL },
    Order { code: 0x10bb, memory: &[0, 1], read: [In(0), In(1), Zero, One], types: ALL },
    Order { code: 0x10bc, memory: &[0, 1, 2], read: [In(0), In(1), In(2), One], types: PACKED },
    Order { code: 0x10bd, memory: &[0], read: [In(0), Zero, Zero, One], types: &[0x10d3, 0x10de] },
    Order { code: 0x10c0, memory: &[0, 1, 2, 9], read: [In(0), In(1), In(2), One], types: &[0x10d2] },
    Order { code: 0x10c1, memory: &[0, 1, 2, 3], read: [In(0), In(1), In(2), In(3)], types: &[0x10d2] },
    Order { code: 0x10c2, memory: &[2, 1, 0, 3], read: [In(2), In(1), In(0), In(3)], types: &[0x10d2] },
    Order { code: 0x10c3, memory: &[3, 2, 1, 0], read: [In(3), In(2), In(1), In(0)], types: BYTES },
];

/// Bytes of a channel of each type from 0x10d0 on, or of all three of a packed one.
const SIZES: [usize; 15] = [1, 2, 1, 2, 2, 2, 4, 1, 2, 4, 1, 2, 4, 2, 4];

fn kind(order: u32) -> Kind {
    if order == DEPTH { TWO_DEPTH } else { TWO }
}

fn is_integer(data_type: u32) -> bool {
    (0x10d7..=0x10dc).contains(&data_type)
}

fn is_srgb(order: u32) -> bool {
    (0x10c0..=0x10c2).contains(&order)
}

/// Bits of channels with a pattern that is a number in every type, and another one in every channel.
fn bits(data_type: u32, channel: usize) -> u32 {
    match data_type {
        0x10d0 | 0x10d7 => [0x7f, 0x81, 0x2a, 0xf6][channel],
        0x10d1 | 0x10d8 => [0x7fff, 0x8001, 0x1234, 0xfff0][channel],
        0x10d2 | 0x10da => [255, 51, 102, 7][channel],
        0x10d3 | 0x10db => [65535, 257, 32768, 1][channel],
        0x10dd => [0x3c00, 0xc000, 0x3555, 0x0001][channel],
        0x10de => [1.5f32, -0.1, 1e-40, 3e38][channel].to_bits(),
        _ => [0x8000_0000, 7, 0xffff_ffff, 0x0102_0304][channel],
    }
}

/// The number that a channel stands for: the nearest to OpenCL's definition, in double precision.
fn number(data_type: u32, bits: u32) -> f64 {
    match data_type {
        0x10d0 => f64::from(bits as u8 as i8) / 127.0,
        0x10d1 => f64::from(bits as u16 as i16) / 32767.0,
        0x10d2 => f64::from(bits) / 255.0,
        0x10d3 => f64::from(bits) / 65535.0,
        0x10dd => {
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 1365.0 / 4096.0), (1, 2f64.powi(-24))]
                .iter()
                .find(|row| row.0 == bits)
                .expect("a half of the table")
                .1
        }
        _ => f64::from(f32::from_bits(bits)),
    }
}

fn decoded(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

fn integer(data_type: u32, bits: u32) -> u32 {
    match data_type {
        0x10d7 => bits as u8 as i8 as u32,
        0x10d8 => bits as u16 as i16 as u32,
        _ => bits,
    }
}

/// Whether a float is as near to a number as OpenCL asks: 1.5 ulp, and 4 for what has a power in it.
fn is_near(float: f32, number: f64, ulps: f64) -> bool {
    let ulp = 2f64.powi((number.abs().log2().floor() as i32).max(-126) - 23);
    (f64::from(float) - number).abs() <= ulps * ulp
}

#[test]
fn every_order_with_every_type_is_read_or_is_no_format() {
    let mut formats = 0;
    for order in &ORDERS {
        for data_type in 0x10d0..=0x10de {
            let channel = SIZES[data_type as usize - 0x10d0];
            let is_packed = PACKED.contains(&data_type);
            let texel = if is_packed { channel } else { channel * order.memory.len() };
            let layout = image(order.code, data_type, [1; 3], texel as u32);
            if !order.types.contains(&data_type) {
                let launch = launch(1, layout, None, vec![vec![0; 64], vec![0; 16], vec![0; 16]]);
                let text = writing(kind(order.code), "f32").launch(&launch).expect_err("no format").to_string();
                assert!(text.contains(&format!("{:#x} with the channel type {data_type:#x} is no format", order.code)));
                continue;
            }
            formats += 1;
            if is_packed {
                continue;
            }
            let size = channel;
            let memory: Vec<u32> = (0..order.memory.len()).map(|slot| bits(data_type, slot)).collect();
            let bytes: Vec<u8> = memory.iter().flat_map(|bits| bits.to_le_bytes()[..size].to_vec()).collect();
            // A byte less is too small a buffer.
            let short = launch(1, layout, None, vec![bytes[1..].to_vec(), vec![0; 16], vec![0; 16]]);
            assert!(writing(kind(order.code), "f32").launch(&short).is_err(), "{:#x} {data_type:#x}", order.code);
            let result = if is_integer(data_type) { "u32" } else { "f32" };
            let found = reads(kind(order.code), result, layout, &bytes, [0; 4]);
            for (component, part) in order.read.iter().enumerate() {
                let found = found[component].expect("it is defined");
                let is_right = match (*part, is_integer(data_type)) {
                    (Zero, _) => found == 0,
                    (One, true) => found == 1,
                    (One, false) => found == 1f32.to_bits(),
                    (In(slot), true) => found == integer(data_type, memory[slot]),
                    (In(slot), false) => {
                        let encoded = number(data_type, memory[slot]);
                        match is_srgb(order.code) && component < 3 {
                            true => is_near(f32::from_bits(found), decoded(encoded), 4.0),
                            false => is_near(f32::from_bits(found), encoded, 1.5),
                        }
                    }
                };
                assert!(is_right, "{:#x} {data_type:#x}: component {component} is {found:#x}", order.code);
            }
        }
    }
    assert_eq!(formats, 7 * 12 + 3 * 4 + 2 * 6 + 2 * 3 + 2 + 3);
}

#[test]
fn a_normalized_integer_is_multiplied_by_the_inverse_of_the_greatest_one() {
    let read = |data_type: u32, bytes: &[u8]| {
        let layout = image(R, data_type, [1; 3], bytes.len() as u32);
        f32::from_bits(reads(TWO, "f32", layout, bytes, [0; 4])[0].expect("it is defined"))
    };
    for number in 0..=255u8 {
        assert_eq!(read(0x10d2, &[number]), f32::from(number) * (1.0f32 / 255.0));
        let signed = f32::from(number.cast_signed()) * (1.0f32 / 127.0);
        assert_eq!(read(0x10d0, &[number]), if number == 128 { -1.0 } else { signed });
    }
    for number in [0u16, 1, 2, 255, 32767, 32768, 32769, 65534, 65535] {
        assert_eq!(read(0x10d3, &number.to_le_bytes()), f32::from(number) * (1.0f32 / 65535.0));
        let signed = f32::from(number.cast_signed()) * (1.0f32 / 32767.0);
        assert_eq!(read(0x10d1, &number.to_le_bytes()), if number == 32768 { -1.0 } else { signed });
    }
    // 1/255 in single precision, and the ends.
    assert_eq!(read(0x10d2, &[1]).to_bits(), 0x3b80_8081);
    assert_eq!((read(0x10d2, &[255]), read(0x10d0, &[127]), read(0x10d0, &[129])), (1.0, 1.0, -1.0));
}

#[test]
fn three_channels_share_a_number() {
    let read = |data_type: u32, bytes: &[u8]| {
        let layout = image(0x10b4, data_type, [1; 3], bytes.len() as u32);
        reads(TWO, "f32", layout, bytes, [0; 4]).map(|word| f32::from_bits(word.expect("it is defined")))
    };
    let part = |number: u16, greatest: u16| f32::from(number) * (1.0 / f32::from(greatest));
    // Red is in the highest bits.
    let of_565 = (17u16 << 11 | 51 << 5 | 10).to_le_bytes();
    assert_eq!(read(0x10d4, &of_565), [part(17, 31), part(51, 63), part(10, 31), 1.0]);
    // The highest bit is not used.
    let of_555 = (1u16 << 15 | 17 << 10 | 25 << 5 | 10).to_le_bytes();
    assert_eq!(read(0x10d5, &of_555), [part(17, 31), part(25, 31), part(10, 31), 1.0]);
    let of_101010 = (3u32 << 30 | 1023 << 20 | 512 << 10 | 1).to_le_bytes();
    assert_eq!(read(0x10d6, &of_101010), [part(1023, 1023), part(512, 1023), part(1, 1023), 1.0]);
}

/// The bytes of a 1 × 1 image, which were 0xcc, after a write.
fn written(order: u32, data_type: u32, size: usize, component: &str, texel: [u32; 4]) -> Vec<u8> {
    let layout = image(order, data_type, [1; 3], size as u32);
    let texel = texel.iter().flat_map(|word| word.to_le_bytes()).collect();
    let launch = launch(1, layout, None, vec![vec![0xcc; size], texel, vec![0; 16]]);
    let outcome = writing(kind(order), component).outcome(&launch);
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    assert_eq!(outcome.undefined, []);
    assert!(outcome.buffers[0].defined.iter().all(|&defined| defined));
    outcome.buffers[0].bytes.clone()
}

fn floats(texel: [f32; 4]) -> [u32; 4] {
    texel.map(f32::to_bits)
}

#[test]
fn components_go_to_their_channels() {
    // 1, 0.2, 0.4, 0.6: 255, 51, 102, 153.
    let texel = floats([1.0, 0.2, 0.4, 0.6]);
    let rows: [(u32, &[u8]); 14] = [
        (0x10b0, &[255]),
        (0x10b1, &[153]),
        (0x10b2, &[255, 51]),
        (0x10b3, &[255, 153]),
        (0x10b5, &[255, 51, 102, 153]),
        (0x10b6, &[102, 51, 255, 153]),
        (0x10b7, &[153, 255, 51, 102]),
        (0x10c3, &[153, 102, 51, 255]),
        (0x10b8, &[255]),
        (0x10b9, &[255]),
        (0x10ba, &[255]),
        (0x10bb, &[255, 51]),
        // sRGB encodes: 0.2 is 124, 0.4 is 170 and alpha stays.
        (0x10c1, &[255, 124, 170, 153]),
        (0x10c2, &[170, 124, 255, 153]),
    ];
    for (order, bytes) in rows {
        assert_eq!(written(order, UNORM8, bytes.len(), "f32", texel), bytes, "{order:#x}");
    }
    // The fourth byte has no meaning and is 255.
    assert_eq!(written(0x10c0, UNORM8, 4, "f32", texel), [255, 124, 170, 255]);
    assert_eq!(written(DEPTH, FLOAT, 4, "f32", texel), 1f32.to_le_bytes());
}

#[test]
fn floats_are_clamped_and_rounded_to_even() {
    let one = |data_type: u32, size: usize, value: f32| {
        let bytes = written(R, data_type, size, "f32", floats([value, 9.0, 9.0, 9.0]));
        bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
    };
    let rows = [
        (0x10d2, 1, 0.5, 128),
        (0x10d2, 1, 2.5 / 255.0, 2),
        (0x10d2, 1, -3.0, 0),
        (0x10d2, 1, 1e30, 255),
        (0x10d2, 1, f32::INFINITY, 255),
        (0x10d2, 1, f32::NAN, 0),
        (0x10d3, 2, 0.5, 32768),
        (0x10d3, 2, 7.0, 65535),
        (0x10d0, 1, -1.0, 0x81),
        (0x10d0, 1, -9.0, 0x81),
        (0x10d0, 1, 0.5, 64),
        (0x10d0, 1, -0.5, 0xc0),
        (0x10d0, 1, f32::NAN, 0),
        (0x10d1, 2, 1.0, 0x7fff),
        (0x10d1, 2, -1.0, 0x8001),
        (0x10d1, 2, f32::NEG_INFINITY, 0x8001),
        (0x10dd, 2, 1.0, 0x3c00),
        // Halfway between 1 and the next half, and between that and the one after.
        (0x10dd, 2, 1.0 + 2f32.powi(-11), 0x3c00),
        (0x10dd, 2, 1.0 + 3.0 * 2f32.powi(-11), 0x3c02),
        (0x10dd, 2, 65520.0, 0x7c00),
        (0x10dd, 2, -0.0, 0x8000),
        (0x10de, 4, -0.1, (-0.1f32).to_bits()),
        (0x10de, 4, f32::from_bits(0x7fc1_2345), 0x7fc1_2345),
    ];
    for (data_type, size, value, expected) in rows {
        assert_eq!(one(data_type, size, value), expected, "{value} as {data_type:#x}");
    }
}

#[test]
fn packed_channels_are_written_and_unused_bits_are_zero() {
    let texel = floats([1.0, 0.5, 2.0 / 31.0, 0.3]);
    let packed = |data_type: u32, size: usize| {
        let bytes = written(0x10b4, data_type, size, "f32", texel);
        bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
    };
    // Half of 63 is 31.5, of 31 15.5, of 1023 511.5: ties to even.
    assert_eq!(packed(0x10d4, 2), 31 << 11 | 32 << 5 | 2);
    assert_eq!(packed(0x10d5, 2), 31 << 10 | 16 << 5 | 2);
    assert_eq!(packed(0x10d6, 4), 1023 << 20 | 512 << 10 | 66);
}

#[test]
fn integers_saturate() {
    let one = |data_type: u32, size: usize, value: u32| {
        let bytes = written(R, data_type, size, "u32", [value, 9, 9, 9]);
        bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
    };
    let minus = |value: i32| (-value).cast_unsigned();
    let rows = [
        (0x10d7, 1, 127, 127),
        (0x10d7, 1, 128, 127),
        (0x10d7, 1, minus(128), 0x80),
        (0x10d7, 1, minus(129), 0x80),
        (0x10d7, 1, minus(1), 0xff),
        (0x10d8, 2, 40000, 0x7fff),
        (0x10d8, 2, minus(40000), 0x8000),
        (0x10da, 1, 255, 255),
        (0x10da, 1, 256, 255),
        (0x10da, 1, minus(1), 255),
        (0x10db, 2, 65536, 65535),
        (0x10db, 2, 77, 77),
        (0x10d9, 4, minus(5), minus(5)),
        (0x10dc, 4, 0xffff_fff0, 0xffff_fff0),
    ];
    for (data_type, size, value, expected) in rows {
        assert_eq!(one(data_type, size, value), expected, "{value:#x} as {data_type:#x}");
    }
}

/// What is read of a byte of sRGB is written as that byte again.
#[test]
fn srgb_comes_back() {
    for byte in 0..=255u8 {
        let layout = image(0x10c1, UNORM8, [1; 3], 4);
        let read = reads(TWO, "f32", layout, &[byte, 0, 255, byte], [0; 4]).map(|word| word.expect("it is defined"));
        assert_eq!(f32::from_bits(read[3]), f32::from(byte) * (1.0 / 255.0), "alpha is linear");
        assert_eq!(written(0x10c1, UNORM8, 4, "f32", read), [byte, 0, 255, byte]);
    }
    // The threshold between the line and the power: 10/255 is below, 11/255 above.
    let layout = image(0x10c1, UNORM8, [1; 3], 4);
    let read = reads(TWO, "f32", layout, &[10, 11, 128, 0], [0; 4]).map(|word| f32::from_bits(word.expect("defined")));
    assert_eq!(read[0], 10.0 * (1.0f32 / 255.0) * (1.0f32 / 12.92));
    assert!(is_near(read[1], 0.003_346_535_763_899_161, 4.0) && is_near(read[2], 0.215_860_500_113_899_26, 4.0));
}

#[test]
fn halves_are_read_and_written() {
    let layout = image(RGBA, HALF, [1; 3], 8);
    let halves = [0x3c00u16, 0xc000, 0x0001, 0x7bff];
    let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    let kernel = Kernel::with(
        &globals(TWO, AccessQualifier::ReadWrite),
        "%image: %image_type, %out: %global_h4, %in: %global_u2",
        "  %at: %u32x2 = load %in
  %texel: %f16x4 = image_read %image, %at
  store %out, %texel
  %twice: %f16x4 = f_add %texel, %texel
  image_write %image, %at, %twice
  return",
    );
    let outcome = kernel.outcome(&launch(1, layout, None, vec![bytes.clone(), vec![0; 8], vec![0; 8]]));
    assert_eq!((outcome.failure, outcome.undefined), (None, vec![]));
    assert_eq!(outcome.buffers[1].bytes, bytes);
    let twice: Vec<u8> = [0x4000u16, 0xc400, 0x0002, 0x7c00].iter().flat_map(|half| half.to_le_bytes()).collect();
    assert_eq!(outcome.buffers[0].bytes, twice);
    // A channel of another type is rounded to a half: 85/255 is 0x3555, and twice that, 0x3955, is 170.
    let bytes = image(RGBA, UNORM8, [1; 3], 4);
    let outcome = kernel.outcome(&launch(1, bytes, None, vec![vec![85, 0, 255, 51], vec![0; 8], vec![0; 8]]));
    assert_eq!(outcome.buffers[1].bytes[..2], 0x3555u16.to_le_bytes());
    assert_eq!(outcome.buffers[0].bytes, [170, 0, 255, 102]);
    // An image of floats of 32 bits has no halves.
    let wide = || launch(1, image(RGBA, FLOAT, [1; 3], 16), None, vec![vec![0; 16], vec![0; 8], vec![0; 8]]);
    let outcome = kernel.outcome(&wide());
    assert!(outcome.buffers[1].defined.iter().all(|&defined| !defined), "the read has no value");
    let writer = Kernel::with(
        &globals(TWO, AccessQualifier::WriteOnly),
        "%image: %image_type, %texels: %global_h4, %in: %global_u2",
        "  %at: %u32x2 = load %in\n  %texel: %f16x4 = load %texels\n  image_write %image, %at, %texel\n  return",
    );
    assert_eq!(behaviour(&writer.failure(&wide())), UndefinedBehaviour::WrongTexel);
}

#[test]
fn a_read_as_another_type_has_no_value() {
    let nothing = [None; 4];
    let rows = [(UINT32, "f32"), (SINT32, "f32"), (UINT8, "f32"), (FLOAT, "u32"), (UNORM8, "u32"), (HALF, "u32")];
    for (data_type, result) in rows {
        let layout = image(RGBA, data_type, [1; 3], 16);
        assert_eq!(reads(TWO, result, layout, &[1; 16], [0; 4]), nothing, "{data_type:#x} as {result}");
    }
}

#[test]
fn u19_an_image_is_written_as_a_type_that_it_does_not_have() {
    let rows = [(UINT32, "f32"), (SINT32, "f32"), (UINT8, "f32"), (FLOAT, "u32"), (UNORM8, "u32"), (HALF, "u32")];
    for (data_type, component) in rows {
        let layout = image(RGBA, data_type, [1; 3], 16);
        let kernel = writing(TWO, component);
        let failure = kernel.failure(&launch(1, layout, None, vec![vec![0; 16]; 3]));
        assert_eq!(behaviour(&failure), UndefinedBehaviour::WrongTexel, "{data_type:#x} as {component}");
    }
}
