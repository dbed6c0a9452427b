//! Images and samplers (SPIR-V section 3.3.10): T10. `image_operands.rs` checks the operands after the mask of image operands.

use reconverge_ir::{Inst, Op, view};
use spirv::{Capability, Dim, StorageClass};

use super::facts::{
    BOOL, FLOAT, FLOATS, IMAGE, INT, INTS, NUMBER, NUMBERS, OTHER, POINTER, SAMPLED_IMAGE, SAMPLER, STRUCT, TypeFacts,
    VOID,
};
use super::image_operands::operand_problem;
use super::rule::Check::{Bits, By, Is};
use super::rule::{Asked, FIRST, RESULT, Rule, SECOND, THIRD};

/// `sampled_image`.
pub(super) const SAMPLED: Rule =
    &[Is(RESULT, SAMPLED_IMAGE), Is(FIRST, IMAGE), Is(SECOND, SAMPLER), By(joins_image_and_sampler), By(is_consumed)];
/// `image_texel_pointer`.
pub(super) const TEXEL_POINTER: Rule =
    &[Is(RESULT, POINTER), Is(FIRST, POINTER), Is(SECOND, INT | INTS), Is(THIRD, INT), By(points_to_texel)];
/// Samples with implicit or explicit level of detail.
pub(super) const SAMPLE: Rule =
    &[Is(FIRST, SAMPLED_IMAGE), By(gives_texel), By(samples), By(has_coordinate), By(operands_at_2)];
/// Samples with a depth comparison.
pub(super) const SAMPLE_COMPARE: Rule = &[
    Is(FIRST, SAMPLED_IMAGE),
    By(gives_one_number),
    By(samples),
    By(has_coordinate),
    Is(THIRD, FLOAT),
    Bits(THIRD, &[32]),
    By(operands_at_3),
];
/// `image_fetch`.
pub(super) const FETCH: Rule =
    &[Is(FIRST, IMAGE), By(gives_texel), By(fetches), Is(SECOND, INT | INTS), By(has_coordinate), By(operands_at_2)];
/// `image_gather`.
pub(super) const GATHER: Rule = &[
    Is(FIRST, SAMPLED_IMAGE),
    By(gives_texel),
    By(gathers),
    By(has_coordinate),
    Is(THIRD, INT),
    Bits(THIRD, &[32]),
    By(operands_at_3),
];
/// `image_dref_gather`.
pub(super) const GATHER_COMPARE: Rule = &[
    Is(FIRST, SAMPLED_IMAGE),
    By(gives_texel),
    By(gathers),
    By(has_coordinate),
    Is(THIRD, FLOAT),
    Bits(THIRD, &[32]),
    By(operands_at_3),
];
/// `image_read`.
pub(super) const READ: Rule = &[
    Is(FIRST, IMAGE),
    By(reads_numbers),
    By(is_storage),
    Is(SECOND, INT | INTS),
    By(has_coordinate),
    By(operands_at_2),
];
/// `image_write`.
pub(super) const WRITE: Rule = &[
    Is(FIRST, IMAGE),
    By(is_no_subpass),
    By(is_storage),
    Is(SECOND, INT | INTS),
    By(has_coordinate),
    Is(THIRD, NUMBER | NUMBERS),
    By(writes_its_numbers),
    By(operands_at_3),
];
/// `image`.
pub(super) const OF_SAMPLED: Rule =
    &[Is(RESULT, IMAGE), Is(FIRST, SAMPLED_IMAGE), super::rule::Check::PartOf(RESULT, FIRST)];
/// `image_query_format` and `image_query_order`.
pub(super) const QUERY_NUMBER: Rule = &[Is(RESULT, INT), Is(FIRST, IMAGE)];
/// `image_query_size_lod`.
pub(super) const QUERY_SIZE_OF_LEVEL: Rule =
    &[Is(RESULT, INT | INTS), Is(FIRST, IMAGE), By(has_levels_to_measure), Is(SECOND, INT)];
/// `image_query_size`.
pub(super) const QUERY_SIZE: Rule = &[Is(RESULT, INT | INTS), Is(FIRST, IMAGE), By(has_one_size)];
/// `image_query_lod`.
pub(super) const QUERY_LEVEL: Rule = &[Is(RESULT, FLOATS), Is(FIRST, SAMPLED_IMAGE), By(has_a_level)];
/// `image_query_levels`.
pub(super) const QUERY_LEVELS: Rule = &[Is(RESULT, INT), Is(FIRST, IMAGE), By(has_levels)];
/// `image_query_samples`.
pub(super) const QUERY_SAMPLES: Rule = &[Is(RESULT, INT), Is(FIRST, IMAGE), By(has_samples)];
/// `image_sparse_texels_resident`.
pub(super) const RESIDENT: Rule = &[Is(RESULT, BOOL), Is(FIRST, INT)];
/// Reserved instructions.
pub(super) const RESERVED: Rule = &[By(is_reserved)];

/// An image type.
#[derive(Clone, Copy)]
pub(super) struct Image {
    ty: Inst,
    pub(super) sampled_type: Inst,
    pub(super) dim: Option<Dim>,
    pub(super) depth: u32,
    pub(super) arrayed: u32,
    pub(super) multisampled: u32,
    pub(super) sampled: u32,
}

impl Image {
    /// The image type that a type is or contains.
    pub(super) fn of(asked: &Asked<'_, '_>, ty: Inst) -> Option<Image> {
        let module = asked.module();
        let ty = view::TypeSampledImage::of(module, ty).map_or(ty, |sampled| sampled.image);
        let view::TypeImage { sampled_type, dim, depth, arrayed, multisampled, sampled, .. } =
            view::TypeImage::of(module, ty)?;
        Some(Image { ty, sampled_type, dim, depth, arrayed, multisampled, sampled })
    }

    /// The number of coordinates in one layer.
    pub(super) fn plane(&self) -> u32 {
        match self.dim {
            Some(Dim::Dim1D | Dim::DimBuffer) => 1,
            Some(Dim::Dim3D | Dim::DimCube) => 3,
            Some(_) => 2,
            None => 0,
        }
    }

    /// Returns whether it has levels of detail.
    pub(super) fn has_levels(&self) -> bool {
        matches!(self.dim, None | Some(Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube))
    }
}

/// The image of operand 0, which is an image or a sampled image.
pub(super) fn image(asked: &Asked<'_, '_>) -> Option<Image> {
    Image::of(asked, asked.type_of(FIRST)?)
}

fn is_projection(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod
    )
}

fn is_sparse(op: Op) -> bool {
    (Op::ImageSparseSampleImplicitLod..=Op::ImageSparseDrefGather).contains(&op) || op == Op::ImageSparseRead
}

/// The type of the texel: for a sparse access the second member of the result.
fn texel(asked: &Asked<'_, '_>) -> Result<Inst, Option<String>> {
    let ty = asked.type_of(RESULT).ok_or(None)?;
    if !is_sparse(asked.op) {
        return Ok(ty);
    }
    let members = asked.module().operands(ty);
    let is_pair = asked.about(ty).kind == STRUCT
        && members.len() == 2
        && members.clone().next().is_some_and(|code| asked.about(code).kind & INT != 0);
    if !is_pair {
        return Err(Some("the result should be a struct of an integer and a texel".to_owned()));
    }
    members.clone().next_back().ok_or(None)
}

fn gives_texel(asked: &Asked<'_, '_>) -> Option<String> {
    check_texel(asked, |facts| facts.kind & NUMBERS != 0 && facts.count == 4, "a vector of four numbers")
}

fn reads_numbers(asked: &Asked<'_, '_>) -> Option<String> {
    check_texel(asked, |facts| facts.kind & (NUMBER | NUMBERS) != 0, "a number or a vector of numbers")
}

fn gives_one_number(asked: &Asked<'_, '_>) -> Option<String> {
    check_texel(asked, |facts| facts.kind & NUMBER != 0, "a number")
}

fn check_texel(asked: &Asked<'_, '_>, is_right: fn(&TypeFacts) -> bool, wanted: &str) -> Option<String> {
    let ty = match texel(asked) {
        Ok(ty) => ty,
        Err(problem) => return problem,
    };
    let facts = asked.about(ty);
    if facts.kind != OTHER && !is_right(facts) {
        return Some(format!("the texel should be {wanted}, found {}", asked.name(ty)));
    }
    let sampled_type = image(asked)?.sampled_type;
    let component = if facts.kind & NUMBERS != 0 { facts.part? } else { ty };
    let is_void = asked.about(sampled_type).kind & (VOID | OTHER) != 0;
    (!is_void && component != sampled_type).then(|| {
        format!("the components of the texel should have type {}, the image's sampled type", asked.name(sampled_type))
    })
}

fn samples(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    if image.multisampled != 0 {
        return Some("a multisampled image cannot be sampled".to_owned());
    }
    let takes_integers = asked.context.declared.has(Capability::Kernel)
        && matches!(asked.op, Op::ImageSampleExplicitLod | Op::ImageSparseSampleExplicitLod);
    let kinds = if takes_integers { FLOAT | FLOATS | INT | INTS } else { FLOAT | FLOATS };
    if let Some(problem) = Is(SECOND, kinds).problem(asked) {
        return Some(problem);
    }
    let is_flat =
        matches!(image.dim, None | Some(Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimRect)) && image.arrayed == 0;
    (is_projection(asked.op) && !is_flat).then(|| "this image cannot be projected".to_owned())
}

fn fetches(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    let is_right = image.sampled == 1 && image.dim != Some(Dim::DimCube);
    (!is_right).then(|| "only a sampled image that is not a cube can be fetched from".to_owned())
}

fn gathers(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    let is_right =
        matches!(image.dim, None | Some(Dim::Dim2D | Dim::DimCube | Dim::DimRect)) && image.multisampled == 0;
    if !is_right {
        return Some("only 2D images, rectangles and cubes that are not multisampled can be gathered from".to_owned());
    }
    Is(SECOND, FLOAT | FLOATS).problem(asked)
}

fn is_no_subpass(asked: &Asked<'_, '_>) -> Option<String> {
    let is_input = image(asked)?.dim == Some(Dim::DimSubpassData);
    is_input.then(|| "an input of a subpass cannot be written".to_owned())
}

/// Images that are read and written without a sampler.
fn is_storage(asked: &Asked<'_, '_>) -> Option<String> {
    let (image, declared) = (image(asked)?, &asked.context.declared);
    if image.sampled == 1 || image.sampled > 2 {
        return Some("a sampled image cannot be read or written without a sampler".to_owned());
    }
    if image.sampled != 2 {
        return None;
    }
    let wanted = match (image.dim?, image.arrayed, image.multisampled) {
        (Dim::Dim1D, ..) => Capability::Image1D,
        (Dim::DimRect, ..) => Capability::ImageRect,
        (Dim::DimBuffer, ..) => Capability::ImageBuffer,
        (Dim::DimCube, 1, _) => Capability::ImageCubeArray,
        (_, 1, 1) => Capability::ImageMSArray,
        _ => return None,
    };
    declared.lacks(wanted).then(|| format!("access to this image needs the capability {wanted:?}"))
}

fn writes_its_numbers(asked: &Asked<'_, '_>) -> Option<String> {
    let (ty, facts, image) = (asked.type_of(THIRD)?, asked.facts(THIRD)?, image(asked)?);
    let component = if facts.kind & NUMBERS != 0 { facts.part? } else { ty };
    let is_void = asked.about(image.sampled_type).kind & (VOID | OTHER) != 0;
    (!is_void && facts.kind != OTHER && component != image.sampled_type).then(|| {
        format!(
            "the components of the texel should have type {}, the image's sampled type",
            asked.name(image.sampled_type)
        )
    })
}

/// The coordinate has at least as many components as the image has dimensions.
fn has_coordinate(asked: &Asked<'_, '_>) -> Option<String> {
    let (image, coordinate) = (image(asked)?, asked.facts(SECOND)?);
    let is_layered =
        image.dim == Some(Dim::DimCube) && matches!(asked.op, Op::ImageRead | Op::ImageWrite | Op::ImageSparseRead);
    let wanted = match is_layered {
        true => 3,
        false => image.plane().saturating_add(image.arrayed).saturating_add(u32::from(is_projection(asked.op))),
    };
    (coordinate.kind != OTHER && image.dim.is_some() && coordinate.count < wanted)
        .then(|| format!("the coordinate should have {wanted} components, found {}", coordinate.count))
}

fn operands_at_2(asked: &Asked<'_, '_>) -> Option<String> {
    operand_problem(asked, &image(asked)?, 2)
}

fn operands_at_3(asked: &Asked<'_, '_>) -> Option<String> {
    operand_problem(asked, &image(asked)?, 3)
}

/// The image of the result is that of the operand, except for the depth flag.
fn joins_image_and_sampler(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, own) = (Image::of(asked, asked.type_of(RESULT)?)?, image(asked)?);
    let others = |image: Image| {
        let operands = asked.module().operands(image.ty).enumerate();
        operands.filter(|&(index, _)| index != view::TypeImage::SLOT.depth)
    };
    if !others(result).eq(others(own)) {
        return Some("the result should be a sampled image of operand 0's type".to_owned());
    }
    if own.sampled > 1 {
        return Some("this image is not sampled".to_owned());
    }
    (own.dim == Some(Dim::DimSubpassData)).then(|| "an input of a subpass cannot be sampled".to_owned())
}

/// A sampled image is used by sampling instructions only.
fn is_consumed(asked: &Asked<'_, '_>) -> Option<String> {
    let module = asked.module();
    let bindless = asked.context.declared.has(Capability::BindlessTextureNV);
    let takes = |op: Op| match op {
        Op::ImageFetch | Op::ImageRead | Op::ImageWrite | Op::ImageSparseFetch | Op::ImageSparseRead => false,
        Op::ImageTexelPointer | Op::ImageSparseTexelsResident => false,
        Op::Store => bindless,
        Op::CopyObject => true,
        _ => {
            let is_other = matches!(op.class(), reconverge_ir::Class::Opaque | reconverge_ir::Class::Decoration);
            is_other || op.class() == reconverge_ir::Class::Image
        }
    };
    let wrong = module.uses(asked.inst).find(|used| !takes(module.op(used.user)))?;
    Some(format!("`{}` cannot take the result of OpSampledImage", module.op(wrong.user).name()))
}

fn points_to_texel(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, source) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    if result.kind == OTHER || source.kind == OTHER {
        return None;
    }
    if result.class != StorageClass::Image as u32 {
        return Some("the result should be a pointer of class Image".to_owned());
    }
    let Some(image) = Image::of(asked, source.part?) else {
        return Some("operand 0 should point to an image".to_owned());
    };
    let texel = result.part?;
    let is_vector =
        asked.context.declared.has(Capability::AtomicFloat16VectorNV) && asked.about(texel).kind & FLOATS != 0;
    if !is_vector && (texel != image.sampled_type || asked.about(texel).kind & (NUMBER | VOID | OTHER) == 0) {
        return Some(format!(
            "the result should point to {}, the image's sampled type",
            asked.name(image.sampled_type)
        ));
    }
    let wanted = match (image.arrayed, image.dim) {
        (_, None) => return None,
        (_, Some(Dim::DimSubpassData | Dim::DimTileImageDataEXT)) => {
            return Some("there are no texel pointers for this image".to_owned());
        }
        (0, _) => image.plane(),
        (1, Some(Dim::Dim1D)) => 2,
        (1, Some(Dim::Dim2D | Dim::DimCube)) => 3,
        _ => return Some("there are no texel pointers for this image".to_owned()),
    };
    let found = asked.facts(SECOND)?.count;
    if found != wanted {
        return Some(format!("the coordinate should have {wanted} components, found {found}"));
    }
    let sample = asked.operand(view::ImageTexelPointer::SLOT.sample).and_then(|sample| asked.context.constant(sample));
    (image.multisampled == 0 && sample != Some(0))
        .then(|| "the sample index of an image that is not multisampled should be 0".to_owned())
}

fn size_problem(asked: &Asked<'_, '_>, wanted: u32) -> Option<String> {
    let facts = asked.facts(RESULT)?;
    (facts.kind != OTHER && facts.count != wanted)
        .then(|| format!("the result should have {wanted} components, found {}", facts.count))
}

fn has_levels_to_measure(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    if !image.has_levels() || image.multisampled != 0 {
        return Some("this image has no levels".to_owned());
    }
    let plane = if image.dim == Some(Dim::DimCube) { 2 } else { image.plane() };
    image.dim.and_then(|_| size_problem(asked, plane.saturating_add(image.arrayed)))
}

fn has_one_size(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    let plane = match image.dim? {
        Dim::DimSubpassData | Dim::DimTileImageDataEXT => return Some("this image has no size".to_owned()),
        Dim::DimCube => 2,
        _ => image.plane(),
    };
    let is_sampled = image.has_levels() && image.multisampled != 1 && image.sampled == 1;
    if is_sampled {
        return Some("the size query of a sampled image needs a level of detail".to_owned());
    }
    size_problem(asked, plane.saturating_add(image.arrayed))
}

fn has_a_level(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    if let Some(problem) = size_problem(asked, 2) {
        return Some(problem);
    }
    if !image.has_levels() {
        return Some("this image has no levels".to_owned());
    }
    let takes_integers = asked.context.declared.has(Capability::Kernel);
    let kinds = if takes_integers { FLOAT | FLOATS | INT | INTS } else { FLOAT | FLOATS };
    if let Some(problem) = Is(SECOND, kinds).problem(asked) {
        return Some(problem);
    }
    let coordinate = asked.facts(SECOND)?;
    (coordinate.kind != OTHER && coordinate.count < image.plane())
        .then(|| format!("the coordinate should have {} components, found {}", image.plane(), coordinate.count))
}

fn has_levels(asked: &Asked<'_, '_>) -> Option<String> {
    (!image(asked)?.has_levels()).then(|| "this image has no levels".to_owned())
}

fn has_samples(asked: &Asked<'_, '_>) -> Option<String> {
    let image = image(asked)?;
    let is_right = image.multisampled == 1 && matches!(image.dim, None | Some(Dim::Dim2D));
    (!is_right).then(|| "only multisampled 2D images have a sample count query".to_owned())
}

fn is_reserved(asked: &Asked<'_, '_>) -> Option<String> {
    Some(format!("SPIR-V reserves `{}` for later versions", asked.op.name()))
}
