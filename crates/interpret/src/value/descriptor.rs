//! Descriptors: values that identify an object outside the program.

use std::fmt;

use reconverge_ir::Inst;

/// An image, a sampler or another object outside the program: a variable with an index into its array, or an argument of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource {
    /// The variable at module level, the `constant_sampler`, or the parameter of the launched kernel.
    pub variable: Inst,
    /// The index, counted through all dimensions of the array; 0 if it is not an array.
    pub index: u32,
}

/// A value of an image, sampler, sampled image or acceleration structure type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Descriptor {
    /// The object.
    pub resource: Resource,
    /// The sampler that an image was combined with; `resource` itself for values that are one object.
    pub sampler: Resource,
}

impl Descriptor {
    /// The descriptor of one object.
    pub fn new(resource: Resource) -> Descriptor {
        Descriptor { resource, sampler: resource }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}[{}]", self.variable, self.index)
    }
}

impl fmt::Debug for Descriptor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sampler == self.resource {
            true => self.resource.fmt(formatter),
            false => write!(formatter, "{:?} with {:?}", self.resource, self.sampler),
        }
    }
}
