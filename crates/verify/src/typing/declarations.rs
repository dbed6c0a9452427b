//! Types and constants (SPIR-V sections 3.3.6 and 3.3.7): T12 for types, T13 for constants.
//!
//! I14 checks the numbers of components and columns.

use reconverge_ir::{Class, Inst, Op, view};
use spirv::{Capability, Dim, StorageClass};

use super::composite;
use super::facts::{
    ARRAY, BOOL, COMPOSITE, EVENT, FLOATS, FUNCTION, HANDLE, INT, MATRIX, NUMBER, OTHER, PARAMETER, POINTER, SCALAR,
    STRUCT, VECTOR, VOID,
};
use super::image::Image;
use super::rule::Check::{By, Is};
use super::rule::{Asked, RESULT, Rule};
use crate::declared::{Declared, version};

/// `type_int`.
pub(super) const INTEGER: Rule = &[By(has_integer_width)];
/// `type_float`.
pub(super) const FLOATING: Rule = &[By(has_float_width)];
/// `type_vector`.
pub(super) const OF_SCALARS: Rule = &[By(is_made_of_scalars)];
/// `type_matrix`.
pub(super) const OF_COLUMNS: Rule = &[By(is_made_of_columns)];
/// `type_array`.
pub(super) const OF_ELEMENTS: Rule = &[By(is_made_of_values), By(has_a_length)];
/// `type_runtime_array`.
pub(super) const UNSIZED: Rule = &[By(is_made_of_values)];
/// `type_struct`.
pub(super) const OF_MEMBERS: Rule = &[By(has_members), By(has_room)];
/// `type_pointer`.
pub(super) const TO_TYPE: Rule = &[By(points_to_a_type)];
/// `type_function`.
pub(super) const OF_FUNCTION: Rule = &[By(takes_values)];
/// `type_image`.
pub(super) const IMAGE: Rule = &[By(is_an_image)];
/// `type_sampled_image`.
pub(super) const SAMPLED: Rule = &[By(can_be_sampled)];
/// `constant_true` and similar constants.
pub(super) const BOOLEAN: Rule = &[Is(RESULT, BOOL)];
/// `constant` and `spec_constant`.
pub(super) const NUMERIC: Rule = &[Is(RESULT, NUMBER), By(is_extended)];
/// `constant_composite` and `spec_constant_composite`.
pub(super) const COMPOSED: Rule = &[Is(RESULT, COMPOSITE), By(is_made_of_constants), By(composed_well)];
/// `constant_null`.
pub(super) const NULL: Rule = &[By(can_be_null)];
/// `constant_sampler`.
pub(super) const OF_SAMPLER: Rule = &[Is(RESULT, super::facts::SAMPLER)];

/// The maximal number of members of a struct and of parameters of a function (SPIR-V section 2.17).
const MEMBER_LIMIT: usize = 16_383;
const PARAMETER_LIMIT: usize = 255;

fn has_integer_width(asked: &Asked<'_, '_>) -> Option<String> {
    let declared = &asked.context.declared;
    if !declared.is_whole {
        return None;
    }
    let wanted: &[Capability] = match asked.word(view::TypeInt::SLOT.width)? {
        32 => &[],
        8 => &[
            Capability::Int8,
            Capability::StorageBuffer8BitAccess,
            Capability::UniformAndStorageBuffer8BitAccess,
            Capability::StoragePushConstant8,
            Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
        ],
        16 => &[
            Capability::Int16,
            Capability::StorageBuffer16BitAccess,
            Capability::UniformAndStorageBuffer16BitAccess,
            Capability::StoragePushConstant16,
            Capability::StorageInputOutput16,
            Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
        ],
        64 => &[Capability::Int64],
        // Widths that one vendor's extension adds.
        _ if declared.has(Capability::ArbitraryPrecisionIntegersALTERA) => return None,
        width => return Some(format!("integers of {width} bits are not supported")),
    };
    let is_there = wanted.is_empty() || declared.has_any(wanted) || brings_narrow_integers(asked);
    if !is_there {
        return Some(format!("this width needs the capability {:?} or one for storing it", wanted[0]));
    }
    match asked.word(view::TypeInt::SLOT.signedness)? {
        0 => None,
        1 => declared
            .has(Capability::Kernel)
            .then(|| "in a module with the capability Kernel, the signedness of integers should be 0".to_owned()),
        other => Some(format!("signedness should be 0 or 1, found {other}")),
    }
}

/// AMD's extensions declare no capability.
fn brings_narrow_integers(asked: &Asked<'_, '_>) -> bool {
    asked.word(view::TypeInt::SLOT.width) == Some(16)
        && asked.context.declared.has_extension("SPV_AMD_gpu_shader_int16")
}

fn has_float_width(asked: &Asked<'_, '_>) -> Option<String> {
    let declared = &asked.context.declared;
    if asked.count() > 1 || !declared.is_whole {
        return None;
    }
    let wanted: &[Capability] = match asked.word(view::TypeFloat::SLOT.width)? {
        32 => &[],
        16 => &[
            Capability::Float16,
            Capability::Float16Buffer,
            Capability::StorageBuffer16BitAccess,
            Capability::UniformAndStorageBuffer16BitAccess,
            Capability::StoragePushConstant16,
            Capability::StorageInputOutput16,
            Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
        ],
        64 => &[Capability::Float64],
        width => return Some(format!("floats of {width} bits are not supported")),
    };
    let is_there = wanted.is_empty()
        || declared.has_any(wanted)
        || asked.word(view::TypeFloat::SLOT.width) == Some(16) && brings_half_floats(declared);
    (!is_there).then(|| format!("this width needs the capability {:?} or one for storing it", wanted[0]))
}

/// AMD's extensions declare no capability.
fn brings_half_floats(declared: &Declared) -> bool {
    ["SPV_AMD_gpu_shader_half_float", "SPV_AMD_gpu_shader_half_float_fetch"]
        .iter()
        .any(|extension| declared.has_extension(extension))
}

fn is_made_of_scalars(asked: &Asked<'_, '_>) -> Option<String> {
    let (component, declared) = (asked.operand(view::TypeVector::SLOT.component)?, &asked.context.declared);
    let takes_pointers = declared.has(Capability::MaskedGatherScatterINTEL);
    let kind = asked.about(component).kind;
    let is_type = is_a_type(asked, component);
    if !is_type || kind & (SCALAR | OTHER) == 0 && !(takes_pointers && kind == POINTER) {
        return Some(format!("the components should be scalars, found {}", asked.name(component)));
    }
    let count = asked.word(view::TypeVector::SLOT.count)?;
    (matches!(count, 8 | 16) && declared.lacks(Capability::Vector16))
        .then(|| format!("{count} components need the capability Vector16"))
}

fn is_made_of_columns(asked: &Asked<'_, '_>) -> Option<String> {
    let column = asked.operand(view::TypeMatrix::SLOT.column)?;
    let is_right = is_a_type(asked, column) && asked.about(column).kind & (FLOATS | OTHER) != 0;
    (!is_right).then(|| format!("the columns should be vectors of floats, found {}", asked.name(column)))
}

/// Returns whether an operand is a type; an unknown instruction may be one.
fn is_a_type(asked: &Asked<'_, '_>, operand: Inst) -> bool {
    let op = asked.module().op(operand);
    op.is_type()
        || op == Op::OpaqueResult
        || matches!(op, Op::GenericParameter | Op::Requirement | Op::Specialize | Op::LookupWitness | Op::ExtractType)
}

fn is_made_of_values(asked: &Asked<'_, '_>) -> Option<String> {
    let element = asked.operand(0)?;
    let is_right = is_a_type(asked, element) && asked.about(element).kind & (VOID | FUNCTION) == 0;
    (!is_right).then(|| format!("the elements should be values, found {}", asked.name(element)))
}

fn has_a_length(asked: &Asked<'_, '_>) -> Option<String> {
    let length = asked.operand(view::TypeArray::SLOT.length)?;
    let op = asked.module().op(length);
    let is_constant = op.is_constant() || op == Op::GenericParameter || op.class() == Class::Opaque;
    let facts = asked.module().ty(length).map(|ty| *asked.about(ty));
    if !is_constant || facts.is_none_or(|facts| facts.kind & (INT | OTHER) == 0) {
        return Some(format!("the length should be an integer constant, found {}", asked.name(length)));
    }
    let value = asked.context.constant(length)?;
    let is_signed = facts.is_some_and(|facts| facts.kind & super::facts::SIGNED != 0);
    (value == 0 || is_signed && (value as i64) < 0).then(|| "the length should be at least 1".to_owned())
}

fn has_members(asked: &Asked<'_, '_>) -> Option<String> {
    (0..asked.count()).find_map(|number| {
        let member = asked.operand(number)?;
        let is_right = is_a_type(asked, member) && asked.about(member).kind & (VOID | FUNCTION) == 0;
        (!is_right).then(|| format!("member {number} should be a type of values, found {}", asked.name(member)))
    })
}

fn has_room(asked: &Asked<'_, '_>) -> Option<String> {
    let found = asked.count();
    (found > MEMBER_LIMIT).then(|| format!("a struct has at most {MEMBER_LIMIT} members, found {found}"))
}

fn points_to_a_type(asked: &Asked<'_, '_>) -> Option<String> {
    let pointee = asked.operand(view::TypePointer::SLOT.pointee)?;
    (!is_a_type(asked, pointee))
        .then(|| format!("the pointee of a pointer should be a type, found {}", asked.name(pointee)))
}

fn takes_values(asked: &Asked<'_, '_>) -> Option<String> {
    let result = asked.operand(view::TypeFunction::SLOT.result)?;
    if !is_a_type(asked, result) || asked.about(result).kind == FUNCTION {
        return Some(format!("the return type should be a type, found {}", asked.name(result)));
    }
    let found = asked.count() - 1;
    if found > PARAMETER_LIMIT {
        return Some(format!("a function has at most {PARAMETER_LIMIT} parameters, found {found}"));
    }
    (1..asked.count()).find_map(|number| {
        let parameter = asked.operand(number)?;
        let is_right = is_a_type(asked, parameter) && asked.about(parameter).kind & (VOID | FUNCTION) == 0;
        (!is_right)
            .then(|| format!("parameter {number} should be of a type of values, found {}", asked.name(parameter)))
    })
}

fn is_an_image(asked: &Asked<'_, '_>) -> Option<String> {
    let (image, declared) = (Image::of(asked, asked.inst)?, &asked.context.declared);
    let texel = asked.about(image.sampled_type);
    if texel.kind & (VOID | NUMBER | OTHER) == 0 || !is_a_type(asked, image.sampled_type) {
        return Some(format!("the sampled type should be void or a number, found {}", asked.name(image.sampled_type)));
    }
    if texel.kind & INT != 0 && texel.width == 64 && declared.lacks(Capability::Int64ImageEXT) {
        return Some("texels of 64 bits need the capability Int64ImageEXT".to_owned());
    }
    let [depth, arrayed, multisampled, sampled] = [image.depth, image.arrayed, image.multisampled, image.sampled];
    if depth > 2 || arrayed > 1 || multisampled > 1 || sampled > 2 {
        return Some("depth and sampled are at most 2, arrayed and multisampled at most 1".to_owned());
    }
    match image.dim {
        Some(Dim::DimSubpassData | Dim::DimTileImageDataEXT) => {
            let is_tile = image.dim == Some(Dim::DimTileImageDataEXT);
            let is_right = sampled == 2
                && asked.word(view::TypeImage::SLOT.format) == Some(0)
                && !(is_tile && (texel.kind == VOID || depth != 0 || arrayed != 0));
            (!is_right).then(|| {
                "an image with Dim SubpassData or TileImageDataEXT should not be sampled and should have no format"
                    .to_owned()
            })
        }
        _ => (multisampled != 0 && sampled == 2 && declared.lacks(Capability::StorageImageMultisample))
            .then(|| "this image needs the capability StorageImageMultisample".to_owned()),
    }
}

fn can_be_sampled(asked: &Asked<'_, '_>) -> Option<String> {
    let ty = asked.operand(view::TypeSampledImage::SLOT.image)?;
    let Some(image) = Image::of(asked, ty).filter(|_| asked.module().op(ty) == Op::TypeImage) else {
        let is_unknown = asked.module().op(ty).class() == Class::Opaque;
        return (!is_unknown).then(|| format!("there should be an image to sample, found {}", asked.name(ty)));
    };
    if image.sampled > 1 {
        return Some("this image is not sampled".to_owned());
    }
    let is_new = asked.context.declared.is_whole && asked.context.declared.version >= version(1, 6);
    (is_new && image.dim == Some(Dim::DimBuffer)).then(|| "since SPIR-V 1.6 a buffer is not sampled".to_owned())
}

/// The literal of a number narrower than a word is sign-extended or zero-extended to a word.
fn is_extended(asked: &Asked<'_, '_>) -> Option<String> {
    let facts = asked.facts(RESULT)?;
    let words = asked.module().constant_words(asked.inst)?;
    let expected = facts.width.div_ceil(32).max(1) as usize;
    if facts.kind != OTHER && words.len() != expected {
        return Some(format!("the literal should have {expected} words, found {}", words.len()));
    }
    let unused = facts.width % 32;
    let last = *words.last()?;
    if unused == 0 || facts.kind & INT == 0 {
        return None;
    }
    let shift = 32 - unused;
    let extended = if facts.kind & super::facts::SIGNED != 0 {
        ((last << shift) as i32 >> shift) as u32
    } else {
        last << shift >> shift
    };
    (extended != last).then(|| format!("the literal {last:#x} does not fit {unused} bits"))
}

fn is_made_of_constants(asked: &Asked<'_, '_>) -> Option<String> {
    (0..asked.count()).find_map(|number| {
        let part = asked.operand(number)?;
        let op = asked.module().op(part);
        let is_right = op.is_constant() || op == Op::Undef || op.class() == Class::Opaque;
        (!is_right).then(|| format!("operand {number} should be a constant, found {}", asked.name(part)))
    })
}

fn composed_well(asked: &Asked<'_, '_>) -> Option<String> {
    composite::parts_problem(asked)
}

/// A null constant may have every type that consists of scalars, pointers and some handles.
fn can_be_null(asked: &Asked<'_, '_>) -> Option<String> {
    let ty = asked.type_of(RESULT)?;
    let mut stack = vec![ty];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(ty) = stack.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let facts = asked.about(ty);
        let is_right = match facts.kind {
            STRUCT => {
                stack.extend(asked.module().operands(ty));
                true
            }
            kind if kind & (VECTOR | MATRIX | ARRAY) != 0 => {
                stack.extend(facts.part);
                true
            }
            POINTER => facts.class != StorageClass::PhysicalStorageBuffer as u32,
            HANDLE => matches!(asked.module().op(ty), Op::TypeDeviceEvent | Op::TypeReserveId | Op::TypeQueue),
            kind => kind & (SCALAR | EVENT | PARAMETER | OTHER) != 0,
        };
        if !is_right {
            return Some(format!("there is no null constant of type {}", asked.name(ty)));
        }
    }
    None
}
