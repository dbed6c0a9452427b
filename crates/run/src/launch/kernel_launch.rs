//! The launch itself.

use std::fmt;
use std::path::Path;

use reconverge_diagnostic::Diagnostic;

use crate::launch::error::unreadable;
use crate::launch::npy::{no_array, shape_of};
use crate::launch::{Element, Rule, is_named_npy, is_npy, read_npy};

/// A launch of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    /// The kernel; by default, the only one of the module.
    pub kernel: Option<String>,
    /// Work-items in each dimension.
    pub global: [u64; 3],
    /// The number of dimensions, 1 to 3; the others have one work-item.
    pub dimensions: u32,
    /// Work-items of a work-group in each dimension, if given.
    pub local: Option<[u32; 3]>,
    /// The global offset, added to every global id.
    pub offset: [u64; 3],
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// The file with the expected contents of all output buffers, in order, one after another, if given.
    pub expected: Option<String>,
    /// The tolerance of floating-point outputs.
    pub tolerance: Tolerance,
}

/// An argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A buffer in global or constant memory.
    Buffer(Buffer),
    /// A scalar, vector or struct, by value.
    Value(Value),
    /// Local memory of that many bytes, not initialized.
    Local(u64),
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its bytes in the layout of OpenCL.
    pub bytes: Vec<u8>,
    /// Its type; `None` for plain bytes.
    pub ty: Option<ValueType>,
}

/// The type of a scalar or vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueType {
    /// The type of each component.
    pub element: Element,
    /// The number of components; 1 for a scalar.
    pub components: usize,
}

impl fmt::Display for ValueType {
    /// As on the command line: `f32`, `u32x4`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.components {
            1 => formatter.write_str(self.element.name()),
            count => write!(formatter, "{}x{count}", self.element.name()),
        }
    }
}

/// A buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Its name for messages, if the launch has one.
    pub name: Option<String>,
    /// The type of its elements.
    pub element: Element,
    /// The number of elements.
    pub count: usize,
    /// Its initial contents.
    pub rule: Rule,
    /// The role: an input, an output, or both.
    pub role: Role,
}

/// An output buffer among the arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutputBuffer<'a> {
    /// Its position among the arguments.
    pub argument: usize,
    /// Its position among the buffers, as in [`Launch::buffers`].
    pub index: usize,
    /// The buffer.
    pub buffer: &'a Buffer,
}

impl fmt::Display for OutputBuffer<'_> {
    /// `argument 2 (result)`, or without the name if there is none.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "argument {}", self.argument)?;
        self.buffer.name.as_ref().map_or(Ok(()), |name| write!(formatter, " ({name})"))
    }
}

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
}

impl fmt::Display for FileMisfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileMisfit { argument, path, bytes, room } = self;
        let rest = if bytes < room { "the rest of the buffer is zero" } else { "the rest of the file is not used" };
        write!(formatter, "{path} has {bytes} bytes, and its buffer, argument {argument}, has {room}: {rest}")
    }
}

/// The role of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An input of the kernel.
    Input,
    /// An output of the kernel.
    Output,
}

/// The tolerance of a floating-point output: `absolute + relative * |expected|`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tolerance {
    /// The absolute part.
    pub absolute: f64,
    /// The relative part.
    pub relative: f64,
}

impl Default for Launch {
    /// One work-item of the only kernel of the module, without arguments.
    fn default() -> Launch {
        Launch {
            kernel: None,
            global: [1; 3],
            dimensions: 1,
            local: None,
            offset: [0; 3],
            arguments: Vec::new(),
            expected: None,
            tolerance: Tolerance::default(),
        }
    }
}

impl Launch {
    /// The maximal size of a buffer in bytes.
    pub const BUFFER_LIMIT: u64 = 1 << 30;

    /// The initial contents of every buffer, in the order of the arguments.
    ///
    /// # Errors
    /// Those of [`Rule::contents`], with the argument.
    pub fn buffers(&self) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let numbered = self.arguments.iter().enumerate();
        let buffers = numbered.filter_map(|(index, argument)| match argument {
            Argument::Buffer(buffer) => Some((index, buffer)),
            _ => None,
        });
        buffers
            .map(|(index, buffer)| {
                let contents = buffer.rule.contents(buffer.element, buffer.count);
                contents.map_err(|error| unreadable(&format!("args[{index}]"), error.message))
            })
            .collect()
    }

    /// Replaces names of files by their contents: the elements of an array of NumPy, else the bytes. Returns the files of bytes that are not as
    /// large as their buffers.
    ///
    /// # Errors
    /// The error of `read`, with the argument that names the file; an array with other elements than its buffer, or with another number of them.
    pub fn resolve_files(
        &mut self,
        mut read: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<FileMisfit>, Diagnostic> {
        let mut misfits = Vec::new();
        for (index, argument) in self.arguments.iter_mut().enumerate() {
            let Argument::Buffer(buffer) = argument else { continue };
            let Rule::File(path) = &buffer.rule else { continue };
            let error = |message: String| unreadable(&format!("args[{index}]"), message);
            let bytes = read(path).map_err(error)?;
            let size = buffer.element.size();
            if is_npy(&bytes) {
                let of_file = |message: String| error(format!("{path}: {message}"));
                let elements = read_npy(&bytes, buffer.element).map_err(of_file)?;
                let found = elements.len() / size;
                if buffer.count != 0 && buffer.count != found {
                    let shape = shape_of(&bytes).unwrap_or_default();
                    let message =
                        format!("the array of shape {shape} has {found} elements, and the buffer {}", buffer.count);
                    return Err(of_file(message));
                }
                (buffer.count, buffer.rule) = (found, Rule::Bytes(elements));
                continue;
            }
            if is_named_npy(Path::new(path)) {
                return Err(error(no_array(path)));
            }
            if buffer.count == 0 {
                buffer.count = bytes.len().div_ceil(size);
            }
            let (found, room) = (bytes.len(), buffer.count * size);
            if found != room {
                misfits.push(FileMisfit { argument: index, path: path.clone(), bytes: found, room });
            }
            buffer.rule = Rule::Bytes(bytes);
        }
        Ok(misfits)
    }

    /// Gives unnamed buffers the name of the parameter at the same position.
    pub fn name_buffers(&mut self, parameters: Vec<Option<String>>) {
        for (argument, name) in self.arguments.iter_mut().zip(parameters) {
            if let Argument::Buffer(buffer) = argument {
                buffer.name = buffer.name.take().or(name);
            }
        }
    }

    /// The output buffers, in the order of the arguments.
    pub fn outputs(&self) -> impl Iterator<Item = OutputBuffer<'_>> {
        let buffers = self.arguments.iter().enumerate().filter_map(|(argument, kind)| match kind {
            Argument::Buffer(buffer) => Some((argument, buffer)),
            _ => None,
        });
        let numbered = buffers.enumerate().map(|(index, (argument, buffer))| OutputBuffer { argument, index, buffer });
        numbered.filter(|output| output.buffer.role == Role::Output)
    }
}
