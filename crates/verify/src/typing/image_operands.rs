//! Image operands (SPIR-V section 3.1.14), after the mask of an image instruction, bit by bit: T10.

use reconverge_ir::{Class, Op};
use spirv::{Capability, Dim, ImageOperands};

use super::facts::{ARRAY, FLOAT, FLOATS, INT, INTS, OTHER};
use super::image::Image;
use super::rule::{Asked, Check, TypedPart};
use super::scope::memory_scope_problem;

/// Bits without an operand.
const BARE: ImageOperands = ImageOperands::NON_PRIVATE_TEXEL
    .union(ImageOperands::VOLATILE_TEXEL)
    .union(ImageOperands::SIGN_EXTEND)
    .union(ImageOperands::ZERO_EXTEND)
    .union(ImageOperands::NONTEMPORAL);
/// Kinds of offsets; at most one of them is allowed.
const OFFSETS: ImageOperands = ImageOperands::OFFSET
    .union(ImageOperands::CONST_OFFSET)
    .union(ImageOperands::CONST_OFFSETS)
    .union(ImageOperands::OFFSETS);

/// The operands of one instruction, read one after the other.
struct Operands<'a, 'c, 'm> {
    asked: &'a Asked<'c, 'm>,
    image: &'a Image,
    mask: ImageOperands,
    next: usize,
}

/// The error in the image operands whose mask is operand `at`, if there is one.
pub(super) fn operand_problem(asked: &Asked<'_, '_>, image: &Image, at: usize) -> Option<String> {
    let mask = ImageOperands::from_bits_retain(asked.word(at).unwrap_or(0));
    if asked.operand(at).is_some() {
        let wanted = (mask - BARE).bits().count_ones() as usize + usize::from(mask.contains(ImageOperands::GRAD));
        let found = asked.count() - at - 1;
        if wanted != found {
            return Some(format!("there should be {wanted} image operands, found {found}"));
        }
    }
    if image.multisampled != 0 && !mask.contains(ImageOperands::SAMPLE) {
        return Some("an access to a multisampled image should name a sample".to_owned());
    }
    if (mask & OFFSETS).bits().count_ones() > 1 {
        return Some("offsets exclude each other".to_owned());
    }
    let mut operands = Operands { asked, image, mask, next: at + 1 };
    // In the order of the bits, which is the order of the operands.
    operands
        .bias()
        .or_else(|| operands.level())
        .or_else(|| operands.gradients())
        .or_else(|| operands.offset(ImageOperands::CONST_OFFSET))
        .or_else(|| operands.offset(ImageOperands::OFFSET))
        .or_else(|| operands.constant_offsets())
        .or_else(|| operands.sample())
        .or_else(|| operands.least_level())
        .or_else(|| operands.available())
}

fn is_implicit(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleImplicitLod
            | Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSparseSampleImplicitLod
            | Op::ImageSparseSampleDrefImplicitLod
    )
}

fn is_explicit(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleExplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefExplicitLod
            | Op::ImageSparseSampleExplicitLod
            | Op::ImageSparseSampleDrefExplicitLod
    )
}

fn is_gather(op: Op) -> bool {
    matches!(op, Op::ImageGather | Op::ImageDrefGather | Op::ImageSparseGather | Op::ImageSparseDrefGather)
}

impl Operands<'_, '_, '_> {
    fn has(&self, bit: ImageOperands) -> bool {
        self.mask.contains(bit)
    }

    /// The next operand.
    fn take(&mut self) -> TypedPart {
        self.next += 1;
        TypedPart::Operand(self.next - 1)
    }

    fn is(&self, part: TypedPart, kinds: super::facts::Kinds) -> Option<String> {
        Check::Is(part, kinds).problem(self.asked)
    }

    /// AMD's gathers with a level of detail.
    fn gathers_at_level(&self) -> bool {
        matches!(self.asked.op, Op::ImageGather | Op::ImageSparseGather)
            && self.asked.context.declared.has(Capability::ImageGatherBiasLodAMD)
    }

    fn bias(&mut self) -> Option<String> {
        if !self.has(ImageOperands::BIAS) {
            return None;
        }
        if !is_implicit(self.asked.op) && !self.gathers_at_level() {
            return Some("a bias needs an implicit level of detail".to_owned());
        }
        let part = self.take();
        self.is(part, FLOAT).or_else(|| self.needs_levels())
    }

    fn needs_levels(&self) -> Option<String> {
        (!self.image.has_levels()).then(|| "this image has no levels".to_owned())
    }

    fn level(&mut self) -> Option<String> {
        if !self.has(ImageOperands::LOD) {
            return None;
        }
        let op = self.asked.op;
        let reads_at_level = matches!(op, Op::ImageRead | Op::ImageWrite | Op::ImageSparseRead)
            && self.asked.context.declared.has(Capability::ImageReadWriteLodAMD);
        let is_fetch = matches!(op, Op::ImageFetch | Op::ImageSparseFetch);
        if !is_explicit(op) && !is_fetch && !reads_at_level && !self.gathers_at_level() {
            return Some("this instruction does not take the image operand Lod".to_owned());
        }
        if self.has(ImageOperands::GRAD) {
            return Some("a level of detail excludes gradients".to_owned());
        }
        let kinds = if is_explicit(op) || self.gathers_at_level() { FLOAT } else { INT };
        let part = self.take();
        self.is(part, kinds).or_else(|| self.needs_levels())
    }

    fn gradients(&mut self) -> Option<String> {
        if !self.has(ImageOperands::GRAD) {
            return None;
        }
        if !is_explicit(self.asked.op) {
            return Some("gradients need an explicit level of detail".to_owned());
        }
        let parts = [self.take(), self.take()];
        parts.into_iter().find_map(|part| self.is(part, FLOAT | FLOATS).or_else(|| self.is_plane(part)))
    }

    fn is_plane(&self, part: TypedPart) -> Option<String> {
        let (facts, wanted) = (self.asked.facts(part)?, self.image.plane());
        (self.image.dim.is_some() && facts.kind != OTHER && facts.count != wanted)
            .then(|| format!("an image operand should have {wanted} components, found {}", facts.count))
    }

    fn offset(&mut self, bit: ImageOperands) -> Option<String> {
        if !self.has(bit) {
            return None;
        }
        if self.image.dim == Some(Dim::DimCube) {
            return Some("a cube takes no offset".to_owned());
        }
        let part = self.take();
        let problem = self.is(part, INT | INTS).or_else(|| self.is_plane(part));
        problem.or_else(|| if bit == ImageOperands::CONST_OFFSET { self.is_constant(part) } else { None })
    }

    fn is_constant(&self, part: TypedPart) -> Option<String> {
        let TypedPart::Operand(number) = part else { return None };
        let operand = self.asked.operand(number)?;
        let op = self.asked.module().op(operand);
        let is_right = op.is_constant() || op == Op::Undef || op.class() == Class::Opaque;
        (!is_right).then(|| format!("the offset should be a constant, found {}", self.asked.name(operand)))
    }

    fn constant_offsets(&mut self) -> Option<String> {
        if !self.has(ImageOperands::CONST_OFFSETS) {
            return None;
        }
        if !is_gather(self.asked.op) || self.image.dim == Some(Dim::DimCube) {
            return Some("ConstOffsets is only for gathers, and not from cubes".to_owned());
        }
        let part = self.take();
        let (ty, facts) = (self.asked.type_of(part)?, self.asked.facts(part)?);
        let is_pairs = facts.part.is_some_and(|element| {
            let element = self.asked.about(element);
            element.kind & INTS != 0 && element.count == 2
        });
        let is_right = facts.kind == ARRAY && self.asked.context.length(ty) == Some(4) && is_pairs;
        (!is_right)
            .then(|| "the offsets should be an array of four vectors of two integers".to_owned())
            .or_else(|| self.is_constant(part))
    }

    fn sample(&mut self) -> Option<String> {
        if !self.has(ImageOperands::SAMPLE) {
            return None;
        }
        let takes = matches!(
            self.asked.op,
            Op::ImageFetch | Op::ImageRead | Op::ImageWrite | Op::ImageSparseFetch | Op::ImageSparseRead
        );
        if !takes || self.image.multisampled == 0 {
            return Some("the image operand Sample is only for reads and writes of multisampled images".to_owned());
        }
        let part = self.take();
        self.is(part, INT)
    }

    fn least_level(&mut self) -> Option<String> {
        if !self.has(ImageOperands::MIN_LOD) {
            return None;
        }
        if !is_implicit(self.asked.op) && !self.has(ImageOperands::GRAD) {
            return Some("MinLod needs an implicit level of detail or gradients".to_owned());
        }
        let part = self.take();
        self.is(part, FLOAT).or_else(|| self.needs_levels())
    }

    fn available(&mut self) -> Option<String> {
        let op = self.asked.op;
        let bits = [
            (ImageOperands::MAKE_TEXEL_AVAILABLE, op == Op::ImageWrite),
            (ImageOperands::MAKE_TEXEL_VISIBLE, matches!(op, Op::ImageRead | Op::ImageSparseRead)),
        ];
        for (bit, is_allowed) in bits {
            if !self.has(bit) {
                continue;
            }
            if !is_allowed || !self.has(ImageOperands::NON_PRIVATE_TEXEL) {
                return Some(
                    "MakeTexelAvailable is for writes and MakeTexelVisible for reads, both with NonPrivateTexel"
                        .to_owned(),
                );
            }
            let number = self.next;
            self.next += 1;
            if let Some(problem) = memory_scope_problem(self.asked, number) {
                return Some(problem);
            }
        }
        None
    }
}
