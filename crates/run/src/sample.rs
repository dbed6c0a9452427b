//! A launch for a kernel that comes without one: enough to see what its lanes do.
//!
//! One work-group of eight work-items, or as many as the kernel requires. Integers are small, so that loops are short and indices are in
//! their buffers. The same kernel always gets the same launch, and it is written as flags, so that `reconverge run` can repeat it.

use reconverge_codegen::required_size;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module};

use crate::arguments::{Parameter, kind_of, label};
use crate::interpreter::find_entry_point;
use crate::launch::{Argument, Element, Launch};
use crate::{RunError, check_arguments};

/// Work-items of the work-group, unless the kernel requires another number.
const ITEMS: u32 = 8;
/// Bytes of a buffer, and of local memory.
const BYTES: usize = 4096;
/// The sizes of an image of one, two, three dimensions.
const IMAGE_SIZES: [&str; 3] = ["[64]", "[8,8]", "[8,8,8]"];
/// The number of different integers in a buffer, and each integer that is given by value.
const SMALL: usize = 8;

/// A launch that nothing was given for.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The launch.
    pub launch: Launch,
    /// The flags of `reconverge run` that state it.
    pub flags: Vec<String>,
}

impl Sample {
    /// The launch for a kernel of a module as it was read. Linear in its parameters.
    ///
    /// # Errors
    /// The module does not have that kernel, or a parameter is neither a number, a vector, a pointer, an image nor a sampler.
    pub fn of_kernel(module: &Module, kernel: &str) -> Result<Sample, RunError> {
        let function = find_entry_point(module, Some(kernel))?;
        let local = required_size(module, function).unwrap_or([ITEMS, 1, 1]);
        let mut launch = Launch {
            kernel: Some(kernel.to_owned()),
            global: local.map(u64::from),
            local: Some(local),
            dimensions: 3,
            ..Launch::default()
        };
        let sizes = local.map(|size| size.to_string()).join(",");
        let mut flags = vec![format!("--kernel {kernel}"), format!("--global {sizes}"), format!("--local {sizes}")];
        for (index, parameter) in module.parameters(function).enumerate() {
            let Some(flag) = argument(module, parameter.inst(), index) else {
                let what = label(module, parameter.inst(), index);
                return Err(RunError::launch(format!(
                    "{what} of {kernel} is no number, no pointer and no image: give a launch"
                )));
            };
            launch.arguments.push(Argument::from_flag(&flag)?);
            flags.push(format!("--arg '{flag}'"));
        }
        check_arguments(module, &launch)?;
        Ok(Sample { launch, flags })
    }
}

/// The argument for a parameter, as a flag.
fn argument(module: &Module, parameter: Inst, index: usize) -> Option<String> {
    match kind_of(module, parameter) {
        Parameter::Local => Some(format!("local={BYTES}")),
        Parameter::Number { is_float, bits, components } => {
            let element = if is_float { float_of(bits) } else { integer_of(bits) }?;
            let number = if is_float { "0.5".to_owned() } else { SMALL.to_string() };
            let ty = if components == 1 { String::new() } else { format!("x{components}") };
            Some(format!("{}{ty}={}", element.name(), vec![number; components].join(",")))
        }
        Parameter::Buffer => {
            let pointee = module.pointee(parameter);
            let number = pointee.map(|pointee| module.components(pointee).0).and_then(|ty| module.type_view(ty));
            let element = match number {
                Some(TypeView::Int { width, .. }) => integer_of(width),
                Some(TypeView::Float { width, .. }) => float_of(width),
                _ => None,
            };
            let element = element.unwrap_or(Element::U32);
            Some(format!("out:{}[{}]=lcg({},{SMALL})", element.name(), BYTES / element.size(), index + 1))
        }
        Parameter::Image(image) => {
            let size = IMAGE_SIZES[image.kind.sizes() as usize - 1];
            Some(format!("out:image:{}{size}=lcg({},{SMALL})", image.usual_format(), index + 1))
        }
        Parameter::Sampler => Some("sampler=normalized,clamp_to_edge,nearest".to_owned()),
        Parameter::Other => None,
    }
}

fn float_of(bits: u32) -> Option<Element> {
    Element::ALL.into_iter().find(|element| element.is_float() && 8 * element.size() as u32 == bits)
}

fn integer_of(bits: u32) -> Option<Element> {
    Element::ALL.into_iter().find(|element| !element.is_float() && 8 * element.size() as u32 == bits)
}
