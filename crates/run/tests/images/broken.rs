//! Files of pictures that are broken in every way that comes to hand: they are errors, or pictures.

use png::{BitDepth, ColorType};
use reconverge_run::Image;

use super::files::png_of;
use super::image;

/// The next pseudo-random number.
fn next(state: &mut u32) -> usize {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) as usize
}

/// What becomes of a file: its texels are those of an image of some size, or there is a message.
fn read(image: &Image, file: &[u8]) -> bool {
    match image.of_file("p.png", file) {
        Ok(None) => panic!("a file that is named as a picture is one or an error"),
        Ok(Some(found)) => {
            let count: usize = found.size.iter().map(|&size| size as usize).product();
            assert_eq!(found.texels.len(), 4 * count);
            true
        }
        Err(message) => {
            assert!(message.contains("p.png") && message.len() < 400, "{message}");
            false
        }
    }
}

#[test]
fn a_broken_picture_is_an_error() {
    let samples: Vec<u8> = (0..16 * 16 * 8).map(|index: u32| (index.wrapping_mul(37) >> 2) as u8).collect();
    let files = [
        png_of(16, 16, ColorType::Rgba, BitDepth::Eight, &samples[..16 * 16 * 4]),
        png_of(16, 16, ColorType::Rgb, BitDepth::Sixteen, &samples[..16 * 16 * 6]),
        png_of(16, 16, ColorType::Grayscale, BitDepth::Four, &samples[..16 * 8]),
        png_of(16, 16, ColorType::Indexed, BitDepth::One, &samples[..16 * 2]),
    ];
    let (any, fixed) = (image("image:rgba8[]=@p.png"), image("image:rgba8[16,16]=@p.png"));
    let mut state = 1;
    let (mut read_files, mut refused) = (0, 0);
    for file in &files[..2] {
        assert!(read(&any, file) && read(&fixed, file));
    }
    for round in 0..800 {
        let mut file = files[round % files.len()].clone();
        match round % 5 {
            0 => file.truncate(next(&mut state) % file.len()),
            1 => {
                let at = next(&mut state) % file.len();
                file.remove(at);
            }
            2 => file.insert(next(&mut state) % file.len(), next(&mut state) as u8),
            _ => {
                for _ in 0..=round % 4 {
                    let at = next(&mut state) % file.len();
                    file[at] ^= 1 << (next(&mut state) % 8);
                }
            }
        }
        // Checksums are right in half of the files, so that what follows them is read.
        if round % 2 == 0 {
            repair_checksums(&mut file);
        }
        for image in [&any, &fixed] {
            let counter = if read(image, &file) { &mut read_files } else { &mut refused };
            *counter += 1;
        }
    }
    assert!(read_files > 0 && refused > 800, "{read_files} {refused}");
}

/// Pictures that claim to be larger than they are need no memory.
#[test]
fn a_large_picture_is_an_error() {
    let any = image("image:rgba8[]=@p.png");
    for size in [0_u32, 1 << 20, 0x7fff_ffff, u32::MAX] {
        let mut file = png_of(1, 1, ColorType::Rgba, BitDepth::Sixteen, &[0; 8]);
        file[16..20].copy_from_slice(&size.to_be_bytes());
        file[20..24].copy_from_slice(&size.to_be_bytes());
        repair_checksums(&mut file);
        assert!(!read(&any, &file), "{size}");
    }
}

/// Writes the right checksum after every part that is complete.
fn repair_checksums(file: &mut [u8]) {
    let mut at = 8;
    while let Some(&[a, b, c, d]) = file.get(at..at + 4) {
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let end = at + 8 + length;
        let Some(part) = file.get(at + 4..end) else { return };
        let checksum = crc(part).to_be_bytes();
        let Some(place) = file.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&checksum);
        at = end + 4;
    }
}

/// The checksum of PNG.
fn crc(bytes: &[u8]) -> u32 {
    let next = |rest: u32, &byte: &u8| {
        (0..8).fold(rest ^ u32::from(byte), |rest, _| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 })
    };
    !bytes.iter().fold(u32::MAX, next)
}
