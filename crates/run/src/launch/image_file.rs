//! Images from files that know their size, and to such files: arrays of NumPy and pictures.
//!
//! ```text
//! array   (height, width, channels), (depth, height, width, channels); without the last size if a texel is one number
//! PNG     width × height
//! ```

use std::path::Path;

use reconverge_opencl::ImageFormat;

use crate::launch::format_name::format_name;
use crate::launch::image::{channels, element_of, shape, sizes_text};
use crate::launch::npy::{described, no_array, shape_text};
use crate::launch::picture::{self, picture_of};
use crate::launch::png::{read_png, write_png};
use crate::launch::{Image, is_named_npy, is_npy, read_npy};

const PNG_MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// An image in a file, in the format of the image that it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImageFile {
    /// Its sizes in texels: width, height, depth, as many as it has.
    pub size: Vec<u32>,
    /// Its texels, without gaps.
    pub texels: Vec<u8>,
}

/// Returns whether the bytes of a file are those of a picture.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(PNG_MAGIC)
}

/// Returns whether a file is named as a picture.
pub fn is_named_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

impl Image {
    /// The texels of an array of NumPy or of a picture in the format of this image; `None` if the file is neither. `path` is its name. Linear in
    /// the texels.
    ///
    /// # Errors
    /// The file is broken, or not what its name says; it does not fit the format, or has another size than this image, if that has one.
    pub fn of_file(&self, path: &str, bytes: &[u8]) -> Result<Option<ImageFile>, String> {
        let of_file = |message: String| format!("{path}: {message}");
        if is_npy(bytes) {
            return self.of_array(bytes).map(Some).map_err(of_file);
        }
        if is_png(bytes) {
            return self.of_png(bytes).map(Some).map_err(of_file);
        }
        if is_named_npy(Path::new(path)) {
            return Err(no_array(path));
        }
        if is_named_png(Path::new(path)) {
            return Err(format!(
                "{path} is named .png, but it does not begin as PNG: files of any other name are texels"
            ));
        }
        Ok(None)
    }

    fn of_png(&self, bytes: &[u8]) -> Result<ImageFile, String> {
        let picture = read_png(bytes)?;
        let size = vec![picture.width, picture.height];
        let is_right = self.size.is_empty() || self.extent() == [picture.width, picture.height, 1];
        if !is_right {
            return Err(self.other_size("the picture", &size));
        }
        let size = if self.size.is_empty() { size } else { self.size.clone() };
        // The limit holds before there are texels.
        shape(self.format, &size)?;
        Ok(ImageFile { size, texels: picture::texels(&picture, self.format)? })
    }

    fn of_array(&self, bytes: &[u8]) -> Result<ImageFile, String> {
        let (element, sizes) = described(bytes)?;
        let (wanted, name) = (element_of(self.format), format_name(self.format));
        if element != wanted {
            let (found, wanted) = (element.name(), wanted.name());
            return Err(format!(
                "the array is of {found}, and {name} has numbers of {wanted}: save the array as {wanted}, or write another format"
            ));
        }
        let possible = sizes_of_array(&sizes, self.format);
        let is_flat = sizes.len() == 1 && sizes[0] == self.buffer.count as u64;
        let size = match self.size.is_empty() {
            true => possible.into_iter().next().ok_or_else(|| {
                format!(
                    "the array of shape {} is no image of {name}: {}",
                    shape_text(&sizes),
                    array_advice(self.format)
                )
            })?,
            false if possible.contains(&self.size) || is_flat => self.size.clone(),
            false => {
                let shape = shape_text(&sizes);
                let own = shape_text(&self.array_shape());
                return Err(format!("the array has the shape {shape}, and {self} needs {own}"));
            }
        };
        shape(self.format, &size)?;
        Ok(ImageFile { size, texels: read_npy(bytes, wanted)? })
    }

    fn other_size(&self, what: &str, found: &[u32]) -> String {
        let name = format_name(self.format);
        let found = sizes_text(found);
        format!("{what} has the size {found}, and {self} another: write image:{name}{found}, or image:{name}[]")
    }

    /// The reason why the image cannot be written as PNG, if there is one.
    pub fn png_misfit(&self) -> Option<String> {
        picture::misfit(self)
    }

    /// The file of PNG with these texels of the image. Linear in them.
    ///
    /// # Errors
    /// The [misfit](Image::png_misfit); texels of another number than the image has; a build without PNG.
    pub fn write_png(&self, texels: &[u8]) -> Result<Vec<u8>, String> {
        write_png(&picture_of(self, texels)?)
    }
}

/// The sizes of images that an array of that shape may be: the most likely first.
fn sizes_of_array(shape: &[u64], format: ImageFormat) -> Vec<Vec<u32>> {
    let channels = channels(format) as u64;
    let without_last = shape.split_last().filter(|(last, _)| **last == channels).map(|(_, sizes)| sizes);
    let whole = Some(shape).filter(|_| channels == 1);
    // Of one channel, (height, width) is more likely than (width, channels), and (height, width, channels) than three dimensions.
    let possible = if shape.len() > 2 { [without_last, whole] } else { [whole, without_last] };
    let sizes = |shape: &[u64]| {
        let sizes = shape.iter().rev().map(|&size| u32::try_from(size).ok().filter(|&size| size > 0));
        sizes.collect::<Option<Vec<u32>>>().filter(|sizes| (1..=3).contains(&sizes.len()))
    };
    possible.into_iter().flatten().filter_map(sizes).collect()
}

/// The shapes of arrays for a format.
fn array_advice(format: ImageFormat) -> String {
    match channels(format) {
        1 => "it is (height, width) or (depth, height, width), of at least 1 each".to_owned(),
        channels => {
            format!("it is (height, width, {channels}) or (depth, height, width, {channels}), of at least 1 each")
        }
    }
}
