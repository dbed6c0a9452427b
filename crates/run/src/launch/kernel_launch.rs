//! The launch itself.

use std::fmt;

use crate::launch::{Element, LaunchError, Rule};

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
    /// Whether it is an output.
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
    pub fn buffers(&self) -> Result<Vec<Vec<u8>>, LaunchError> {
        let numbered = self.arguments.iter().enumerate();
        let buffers = numbered.filter_map(|(index, argument)| match argument {
            Argument::Buffer(buffer) => Some((index, buffer)),
            _ => None,
        });
        buffers
            .map(|(index, buffer)| {
                let contents = buffer.rule.contents(buffer.element, buffer.count);
                contents.map_err(|error| LaunchError::new(format!("args[{index}]"), error.message))
            })
            .collect()
    }

    /// Replaces names of files by their contents.
    ///
    /// # Errors
    /// The error of `read`, with the argument that names the file.
    pub fn resolve_files(&mut self, mut read: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Result<(), LaunchError> {
        for (index, argument) in self.arguments.iter_mut().enumerate() {
            let Argument::Buffer(buffer) = argument else { continue };
            let Rule::File(path) = &buffer.rule else { continue };
            let bytes = read(path).map_err(|error| LaunchError::new(format!("args[{index}]"), error))?;
            if buffer.count == 0 {
                buffer.count = bytes.len().div_ceil(buffer.element.size());
            }
            buffer.rule = Rule::Bytes(bytes);
        }
        Ok(())
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
