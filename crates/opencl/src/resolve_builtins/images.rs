//! Functions of images: `read_imageh` and `get_image_channel_order`, which clang leaves, and the others of their families.
//!
//! ```text
//! read_imageh(i, s, c)          ⇒     %p = sampled_image %i, %s;  image_sample_explicit_lod %p, %c, Lod 0
//! read_imageh(i, c)             ⇒     image_read %i, %c
//! get_image_channel_order(i)    ⇒     image_query_order %i + 0x10b0
//! ```
//!
//! SPIR-V counts orders and types of channels from 0, OpenCL C as its host does (SPIR-V, sections 3.15 and 3.16).

use reconverge_ir::{Inst, Op};
use spirv::ImageOperands;

use super::Site;
use crate::scalars::integer;
use crate::{ChannelOrder, ChannelType};

const READS: [&str; 4] = ["read_imagef", "read_imagei", "read_imageui", "read_imageh"];
const WRITES: [&str; 4] = ["write_imagef", "write_imagei", "write_imageui", "write_imageh"];
const QUERIES: [&str; 2] = ["get_image_channel_order", "get_image_channel_data_type"];

/// Returns whether a function is one of these.
pub(super) fn is_name(name: &str) -> bool {
    READS.iter().chain(&WRITES).chain(&QUERIES).any(|&known| known == name)
}

/// Emits the instructions; `None` for every other function.
pub(super) fn write(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    let name = site.mangled.name.as_str();
    let module = site.build.module();
    let is_image = |value: Inst| module.ty(value).is_some_and(|ty| module.op(ty) == Op::TypeImage);
    if !is_name(name) || !is_image(*site.arguments.first()?) {
        return None;
    }
    match site.arguments[..] {
        [image, coordinate] if READS.contains(&name) => {
            Some(Some(site.build.image_read(site.result, &[image, coordinate])))
        }
        [image, sampler, coordinate] if READS.contains(&name) => {
            let image_type = site.build.module().ty(image)?;
            let pair_type = site.build.type_sampled_image(&[image_type]);
            let pair = site.build.sampled_image(pair_type, &[image, sampler]);
            let lod = site.build.enumerant(ImageOperands::LOD);
            let f32_type = site.build.float_type(32);
            let zero = integer(&mut site.build, f32_type, 0);
            Some(Some(site.build.image_sample_explicit_lod(site.result, &[pair, coordinate, lod, zero])))
        }
        [image, coordinate, texel] if WRITES.contains(&name) => {
            site.build.image_write(&[image, coordinate, texel]);
            Some(None)
        }
        [image] if QUERIES.contains(&name) => {
            let (number, first) = match name == QUERIES[0] {
                true => (site.build.image_query_order(site.result, &[image]), ChannelOrder::FIRST),
                false => (site.build.image_query_format(site.result, &[image]), ChannelType::FIRST),
            };
            let first = integer(&mut site.build, site.result, u64::from(first));
            Some(Some(site.build.i_add(site.result, &[number, first])))
        }
        _ => None,
    }
}
