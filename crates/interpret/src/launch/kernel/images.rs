//! Arguments that are images and samplers: each is bound to its parameter, which is the name of it in the program.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use crate::images::open_cl::{BoundImage, ImageBuffer, Sampler, Shape};
use crate::lanes::machine::Machine;
use crate::launch::error::misfit;
use crate::launch::kernel::setup::Prepared;
use crate::types::TypeKind;
use crate::{Descriptor, KernelArgument, KernelImage, Resource, Value};

impl Machine<'_> {
    /// The argument for a parameter that is an image or a sampler; `None` if neither the argument nor the parameter is one.
    pub(super) fn prepare_image(
        &mut self,
        index: usize,
        parameter: Inst,
        argument: &KernelArgument,
    ) -> Result<Option<Prepared>, Diagnostic> {
        let fails = |why: &str| misfit(format!("argument {index} does not fit its parameter: {why}"));
        let kind = self.program.type_of(parameter).and_then(|ty| self.program.types.kind(ty));
        match (argument, kind) {
            (&KernelArgument::Image { buffer, image }, _) => {
                let bound = self.bound(index, parameter, buffer, &image).map_err(|why| fails(&why))?;
                self.kernel_images.add_image(parameter, bound);
            }
            (&KernelArgument::Sampler(bits), Some(TypeKind::Descriptor(Op::TypeSampler))) => {
                let sampler = Sampler::of_bits(bits);
                let sampler = sampler.ok_or_else(|| fails(&format!("{bits:#x} is no sampler of OpenCL C")))?;
                self.kernel_images.add_sampler(parameter, sampler);
            }
            (KernelArgument::Sampler(_), _) => return Err(fails("the argument is a sampler, the parameter is not")),
            (_, Some(TypeKind::Descriptor(Op::TypeSampler))) => {
                return Err(fails("the parameter is a sampler, the argument is not"));
            }
            (_, Some(TypeKind::Descriptor(Op::TypeImage))) => {
                return Err(fails("the parameter is an image, the argument is not"));
            }
            _ => return Ok(None),
        }
        let descriptor = Descriptor::new(Resource { variable: parameter, index: 0 });
        Ok(Some(Prepared::Value(Value::Descriptor(descriptor))))
    }

    fn bound(
        &self,
        argument: usize,
        parameter: Inst,
        buffer: usize,
        image: &KernelImage,
    ) -> Result<BoundImage, String> {
        let module = self.program.module;
        let shape = Shape::of(module, module.ty(parameter).ok_or("the parameter has no type")?)?;
        let start = self.buffers.get(buffer).ok_or_else(|| format!("there is no buffer {buffer}"))?;
        let (bytes, _) = self.memory.contents(*start).ok_or("the buffer is not in memory")?;
        BoundImage::new(shape, image, ImageBuffer { start: *start, length: bytes.len() as u64 }, argument)
    }
}
