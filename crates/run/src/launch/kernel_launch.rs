//! The launch itself.

use std::fmt;

use reconverge_diagnostic::Diagnostic;
use reconverge_opencl::LaunchConstant;

use crate::launch::error::unreadable;
use crate::launch::{Element, Image, Rule, Sampler};

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
    /// An image.
    Image(Image),
    /// A sampler.
    Sampler(Sampler),
}

impl Argument {
    /// The memory of a buffer, or of the texels of an image.
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Argument::Buffer(buffer) => Some(buffer),
            Argument::Image(image) => Some(&image.buffer),
            Argument::Value(_) | Argument::Local(_) | Argument::Sampler(_) => None,
        }
    }

    fn buffer_mut(&mut self) -> Option<&mut Buffer> {
        match self {
            Argument::Buffer(buffer) => Some(buffer),
            Argument::Image(image) => Some(&mut image.buffer),
            Argument::Value(_) | Argument::Local(_) | Argument::Sampler(_) => None,
        }
    }
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

/// An output buffer among the arguments, which may be that of an image.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutputBuffer<'a> {
    /// Its position among the arguments.
    pub argument: usize,
    /// Its position among the buffers, as in [`Launch::buffers`].
    pub index: usize,
    /// The buffer.
    pub buffer: &'a Buffer,
    /// The image, if its texels are the buffer.
    pub image: Option<&'a Image>,
}

impl OutputBuffer<'_> {
    /// The type, as on the command line: `f32[64]`, `image:rgba8[512,512]`.
    pub fn type_text(&self) -> String {
        match self.image {
            Some(image) => image.to_string(),
            None => format!("{}[{}]", self.buffer.element.name(), self.buffer.count),
        }
    }

    /// The shape of its array of NumPy: one dimension, or those of an [image](Image::array_shape).
    pub fn array_shape(&self) -> Vec<u64> {
        self.image.map_or_else(|| vec![self.buffer.count as u64], Image::array_shape)
    }
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

    /// The initial contents of every buffer and of every image, in the order of the arguments.
    ///
    /// # Errors
    /// Those of [`Rule::contents`], with the argument.
    pub fn buffers(&self) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let numbered = self.arguments.iter().enumerate();
        let buffers = numbered.filter_map(|(index, argument)| argument.buffer().map(|buffer| (index, buffer)));
        buffers
            .map(|(index, buffer)| {
                let contents = buffer.rule.contents(buffer.element, buffer.count);
                contents.map_err(|error| unreadable(&format!("args[{index}]"), error.message))
            })
            .collect()
    }

    /// Gives unnamed buffers and images the name of the parameter at the same position.
    pub fn name_buffers(&mut self, parameters: Vec<Option<String>>) {
        for (argument, name) in self.arguments.iter_mut().zip(parameters) {
            if let Some(buffer) = argument.buffer_mut() {
                buffer.name = buffer.name.take().or(name);
            }
        }
    }

    /// What the launch says of the code: the formats of its images, and its samplers, by their arguments.
    pub fn constants(&self) -> Vec<(usize, LaunchConstant)> {
        let constant = |argument: &Argument| match argument {
            Argument::Image(image) => Some(LaunchConstant::Format(image.format)),
            Argument::Sampler(sampler) => Some(LaunchConstant::Sampler(sampler.bits())),
            _ => None,
        };
        let arguments = self.arguments.iter().enumerate();
        arguments.filter_map(|(index, argument)| Some((index, constant(argument)?))).collect()
    }

    /// The output buffers, in the order of the arguments.
    pub fn outputs(&self) -> impl Iterator<Item = OutputBuffer<'_>> {
        let buffers = self.arguments.iter().enumerate().filter_map(|(argument, kind)| {
            let image = match kind {
                Argument::Image(image) => Some(image),
                _ => None,
            };
            kind.buffer().map(|buffer| (argument, buffer, image))
        });
        let numbered = buffers.enumerate();
        let outputs =
            numbered.map(|(index, (argument, buffer, image))| OutputBuffer { argument, index, buffer, image });
        outputs.filter(|output| output.buffer.role == Role::Output)
    }

    /// The number of buffers and images.
    pub(crate) fn buffer_count(&self) -> usize {
        self.arguments.iter().filter(|argument| argument.buffer().is_some()).count()
    }
}
