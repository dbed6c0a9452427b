//! Images and samplers: objects outside the program, which the caller of a run provides.
//!
//! A variable of storage class `UniformConstant` contains descriptors, which identify the variable and the index in its array. The contents
//! of an image are not in memory: the interpreter passes an image operation to the caller's [`Images`] and returns the result. The program
//! reads back what it wrote into an image itself (`texels.rs`).
//!
//! That is for shaders. The images of OpenCL kernels are arguments, whose texels are bytes of buffers (`open_cl/`).

mod arbitrary;
pub(crate) mod open_cl;
pub(crate) mod request;
pub(crate) mod sampling;
pub(crate) mod texels;

use std::fmt;
use std::sync::Arc;

use reconverge_ir::Op;

use crate::code::program::Bindings;
use crate::{Resource, Value};

/// Executes image operations: a function of only the operation, so that equal runs are equal.
///
/// A result must have the type of the operation, or be undefined. An error ends the lane with [`crate::End::Refused`]. A residency code,
/// which a sparse operation returns besides the texel, is 0 if everything is resident.
///
/// ```
/// use reconverge_interpret::Images;
///
/// // Every image is 4 texels wide and high, and 0.5 wherever it is read.
/// let images = Images::new(|call| Ok(call.fill(|_| (4, 0.5))));
/// assert!(format!("{images:?}").contains("Images"));
/// ```
#[derive(Clone)]
pub struct Images(Arc<Answer>);

type Answer = dyn Fn(&ImageCall<'_>) -> Result<Value, String> + Send + Sync;

/// An image operation to execute.
#[derive(Debug)]
pub struct ImageCall<'a> {
    /// The op.
    pub op: Op,
    /// The image.
    pub image: Resource,
    /// The sampler, for an operation on a sampled image.
    pub sampler: Option<Resource>,
    /// The operands after the image that every such op has: coordinates, then the depth reference or the component, or the level.
    pub operands: &'a [Value],
    /// The mask of image operands (SPIR-V section 3.2.14).
    pub mask: u32,
    /// The image operands, in the order of the mask's bits.
    pub image_operands: &'a [Value],
    /// For an implicit level of detail, the differences of the coordinates between lanes along x and along y.
    pub gradients: Option<[&'a Value; 2]>,
    /// A zero value of the result type.
    pub zero: &'a Value,
    pub(crate) bindings: &'a Bindings,
}

/// A texel that a run wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texel {
    /// The image.
    pub image: Resource,
    /// Its coordinates.
    pub coordinates: Vec<i64>,
    /// Its sample; 0 if there is one sample.
    pub sample: u32,
    /// Its contents: as many components as were written and as the format of the image has.
    pub components: Vec<Value>,
}

impl Images {
    /// Executes operations with a function.
    pub fn new(answer: impl Fn(&ImageCall<'_>) -> Result<Value, String> + Send + Sync + 'static) -> Images {
        Images(Arc::new(answer))
    }

    /// Returns numbers that look arbitrary and depend only on the operation, its operands and the seed.
    ///
    /// Floats are from 0 to 1 in steps of 1/256, integers from 0 to 255. An image is 1 to 64 texels along each axis, and has 1 to 8
    /// levels and samples. Images are distinguished by descriptor set and binding where they have them, so that a module that was written
    /// and read again gets the same answers.
    pub fn arbitrary(seed: u64) -> Images {
        Images::new(move |call| Ok(crate::images::arbitrary::answer(call, seed)))
    }

    pub(crate) fn answer(&self, call: &ImageCall<'_>) -> Result<Value, String> {
        (self.0)(call)
    }
}

impl ImageCall<'_> {
    /// Descriptor set and binding of a variable, if it has both.
    pub fn binding(&self, resource: Resource) -> Option<(u32, u32)> {
        self.bindings.get(&resource.variable).copied()
    }

    /// A result whose scalars `component` creates, which gets their indices and returns the integer and the float to choose from.
    pub fn fill(&self, mut component: impl FnMut(usize) -> (u64, f64)) -> Value {
        let mut count = 0;
        filled(self.zero, &mut |zero| {
            let (integer, float) = component(count);
            count += 1;
            match *zero {
                Value::Float { width, .. } => Value::float(width, float),
                Value::Int { width, .. } => Value::int(width, integer),
                Value::Bool(_) => Value::Bool(integer != 0),
                _ => Value::Undefined,
            }
        })
    }
}

/// The depth of the recursion is that of the type.
fn filled(zero: &Value, scalar: &mut dyn FnMut(&Value) -> Value) -> Value {
    match zero {
        Value::Composite(elements) => {
            Value::composite(elements.iter().map(|element| filled(element, scalar)).collect())
        }
        zero => scalar(zero),
    }
}

impl fmt::Debug for Images {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Images(..)")
    }
}

/// Two are equal if they are the same object: functions cannot be compared.
impl PartialEq for Images {
    fn eq(&self, other: &Images) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Images {}
