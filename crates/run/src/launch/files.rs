//! Contents of buffers and images from files: arrays of NumPy, pictures, bytes.

use std::fmt;
use std::path::Path;

use reconverge_diagnostic::Diagnostic;

use crate::launch::error::unreadable;
use crate::launch::npy::{described, no_array, shape_text};
use crate::launch::{Argument, Buffer, Image, Launch, Rule, is_named_npy, is_npy, read_npy};

/// A file of bytes that is not as large as its buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileMisfit {
    /// The position of the buffer among the arguments.
    pub argument: usize,
    /// The file, as the launch names it.
    pub path: String,
    /// The size of the file.
    pub bytes: usize,
    /// The size of the buffer.
    pub room: usize,
    /// True if the buffer has the texels of an image.
    pub is_image: bool,
}

impl fmt::Display for FileMisfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileMisfit { argument, path, bytes, room, is_image } = self;
        let holder = if *is_image { "image" } else { "buffer" };
        let rest = if bytes < room {
            format!("the rest of the {holder} is zero")
        } else {
            "the rest of the file is not used".to_owned()
        };
        write!(formatter, "{path} has {bytes} bytes, and its {holder}, argument {argument}, has {room}: {rest}")
    }
}

impl Launch {
    /// Replaces names of files by their contents: the elements of an array of NumPy, the texels of a picture for an image, else the bytes.
    /// Returns the files of bytes that are not as large as their buffers.
    ///
    /// # Errors
    /// The error of `read`, with the argument that names the file; an array with other elements than its buffer, or with another number of them;
    /// those of [`Image::of_file`]; a file of bytes for an image without a size.
    pub fn resolve_files(
        &mut self,
        mut read: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<FileMisfit>, Diagnostic> {
        let mut misfits = Vec::new();
        for (index, argument) in self.arguments.iter_mut().enumerate() {
            let Some(Rule::File(path)) = argument.buffer().map(|buffer| &buffer.rule) else { continue };
            let path = path.clone();
            let error = |message: String| unreadable(&format!("args[{index}]"), message);
            let bytes = read(&path).map_err(error)?;
            let is_image = matches!(argument, Argument::Image(_));
            let room = match argument {
                Argument::Buffer(buffer) => buffer.take_file(&path, bytes),
                Argument::Image(image) => image.take_file(&path, bytes),
                Argument::Value(_) | Argument::Local(_) | Argument::Sampler(_) => continue,
            };
            if let Some(Misfit { bytes, room }) = room.map_err(error)? {
                misfits.push(FileMisfit { argument: index, path, bytes, room, is_image });
            }
        }
        Ok(misfits)
    }
}

/// The size of a file of bytes, and of its buffer.
struct Misfit {
    bytes: usize,
    room: usize,
}

impl Buffer {
    /// Takes the contents of a file.
    fn take_file(&mut self, path: &str, bytes: Vec<u8>) -> Result<Option<Misfit>, String> {
        let size = self.element.size();
        if is_npy(&bytes) {
            let of_file = |message: String| format!("{path}: {message}");
            let elements = read_npy(&bytes, self.element).map_err(of_file)?;
            let found = elements.len() / size;
            if self.count != 0 && self.count != found {
                let shape = described(&bytes).map(|(_, shape)| shape_text(&shape)).unwrap_or_default();
                return Err(of_file(format!(
                    "the array of shape {shape} has {found} elements, and the buffer {}",
                    self.count
                )));
            }
            (self.count, self.rule) = (found, Rule::Bytes(elements));
            return Ok(None);
        }
        if is_named_npy(Path::new(path)) {
            return Err(no_array(path));
        }
        if self.count == 0 {
            self.count = bytes.len().div_ceil(size);
        }
        Ok(self.take_bytes(bytes))
    }

    /// Takes bytes as they are.
    fn take_bytes(&mut self, bytes: Vec<u8>) -> Option<Misfit> {
        let (found, room) = (bytes.len(), self.count * self.element.size());
        self.rule = Rule::Bytes(bytes);
        (found != room).then_some(Misfit { bytes: found, room })
    }
}

impl Image {
    /// Takes the contents of a file, and its size if the image has none.
    fn take_file(&mut self, path: &str, bytes: Vec<u8>) -> Result<Option<Misfit>, String> {
        let Some(found) = self.of_file(path, &bytes)? else {
            if self.size.is_empty() {
                return Err(format!(
                    "{path} is texels without a size: only arrays .npy and pictures .png have one; write {}[512,512]=@{path} for an image of 512 × 512",
                    self.to_string().trim_end_matches("[]")
                ));
            }
            return Ok(self.buffer.take_bytes(bytes));
        };
        let Buffer { name, role, .. } = self.buffer.clone();
        *self = Image::new(self.format, found.size, Rule::Bytes(found.texels), role)?;
        self.buffer.name = name;
        Ok(None)
    }
}
