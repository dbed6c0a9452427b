//! The launch itself.

use crate::{Element, LaunchError, Rule};

/// A launch of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    /// The kernel; where it is not said, the only one of the module.
    pub kernel: Option<String>,
    /// Work-items in each dimension.
    pub global: [u64; 3],
    /// How many dimensions there are, 1 to 3; those beyond have one work-item.
    pub dimensions: u32,
    /// Work-items of a work-group in each dimension, where that is said.
    pub local: Option<[u32; 3]>,
    /// What is added to every global id.
    pub offset: [u64; 3],
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// The file with what the output buffers must hold, where there is one: all of them, in order, one after another.
    pub expected: Option<String>,
    /// How far floating-point outputs may be off.
    pub tolerance: Tolerance,
}

/// An argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A buffer in global or constant memory.
    Buffer(Buffer),
    /// A scalar, vector or struct, by value: its bytes as OpenCL lays them out.
    Value(Vec<u8>),
    /// Local memory of that many bytes, not initialized.
    Local(u64),
}

/// A buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// What it consists of.
    pub element: Element,
    /// How many elements it has.
    pub count: usize,
    /// What it holds at first.
    pub rule: Rule,
    /// Whether the kernel's results are in it.
    pub role: Role,
}

/// What a buffer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The kernel reads it.
    Input,
    /// The kernel's results are in it.
    Output,
}

/// How far a floating-point output may be off: by `absolute + relative * |expected|`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tolerance {
    /// Whatever the number.
    pub absolute: f64,
    /// As a part of the number.
    pub relative: f64,
}

impl Launch {
    /// The most bytes that a buffer may have.
    pub const BUFFER_LIMIT: u64 = 1 << 30;

    /// The first contents of every buffer, in the order of the arguments.
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

    /// Puts what files hold in the place of their names.
    ///
    /// # Errors
    /// What `read` says of a file, with the argument that names it.
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

    /// The output buffers among all buffers: the position in [`buffers`](Self::buffers), and the buffer.
    pub fn outputs(&self) -> impl Iterator<Item = (usize, &Buffer)> {
        let buffers = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Buffer(buffer) => Some(buffer),
            _ => None,
        });
        buffers.enumerate().filter(|(_, buffer)| buffer.role == Role::Output)
    }
}
