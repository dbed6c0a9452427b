//! Images: sampling, reading, writing, queries.
//!
//! A coordinate of SPIR-V has the layer of an array as its last component, and a projective one the divisor; naga has the layer as a
//! separate operand. A combined image and sampler is two variables (`module/resources.rs`).

use naga::{
    Expression, Handle, ImageClass, ImageDimension, ImageQuery, MathFunction, SampleLevel, Scalar, ScalarKind,
    Statement, SwizzleComponent, TypeInner, VectorSize,
};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::module::{SamplerKind, root, sampler_of};
use super::super::{Language, WriteCode};
use super::{Body, arithmetic};

/// An image, and the properties of its type.
struct Image {
    handle: Handle<Expression>,
    dim: ImageDimension,
    is_arrayed: bool,
    class: ImageClass,
}

/// A coordinate in the parts that naga requires.
struct Coordinate {
    place: Handle<Expression>,
    layer: Option<Handle<Expression>>,
}

/// Whether the coordinate of a sampling operation is divided by its last component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Projection {
    None,
    Projective,
}

impl Projection {
    fn of(op: Op) -> Projection {
        match op {
            Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod => Projection::Projective,
            _ => Projection::None,
        }
    }
}

impl Body<'_, '_> {
    /// The image of an operand that is an image, with or without a sampler.
    fn image(&mut self, operand: Inst) -> Result<Image, Diagnostic> {
        let mut at = operand;
        while matches!(self.source.op(at), Op::Load | Op::Image | Op::SampledImage | Op::CopyObject) {
            at = self.source.operand(at, 0);
        }
        let variable = root(self.source, at);
        let handle = self.memory(at)?;
        let ty = self.module.global(variable).map(|global| self.module.output.global_variables[global].ty);
        let types = &self.module.output.types;
        let ty = ty.map(|ty| match types[ty].inner {
            TypeInner::BindingArray { base, .. } => base,
            _ => ty,
        });
        match ty.map(|ty| &types[ty].inner) {
            Some(&TypeInner::Image { dim, arrayed, class }) => Ok(Image { handle, dim, is_arrayed: arrayed, class }),
            _ => self.refuse(WriteCode::Image, operand, "an image that is not a variable"),
        }
    }

    fn sampler(&mut self, operand: Inst, kind: SamplerKind) -> Result<Handle<Expression>, Diagnostic> {
        if let Some(sampler) = sampler_of(self.source, operand) {
            let mut at = sampler;
            while matches!(self.source.op(at), Op::Load | Op::CopyObject) {
                at = self.source.operand(at, 0);
            }
            return self.memory(at);
        }
        match self.module.sampler(root(self.source, operand), kind) {
            Some(sampler) => Ok(self.push(Expression::GlobalVariable(sampler))),
            None => self.refuse(WriteCode::Image, operand, "a sampler that is not a variable"),
        }
    }

    /// The components of a vector from one on.
    fn components(&mut self, vector: Handle<Expression>, count: u32) -> Handle<Expression> {
        let size = match count {
            1 => return self.push(Expression::AccessIndex { base: vector, index: 0 }),
            2 => VectorSize::Bi,
            3 => VectorSize::Tri,
            _ => VectorSize::Quad,
        };
        self.push(Expression::Swizzle { size, vector, pattern: SwizzleComponent::XYZW })
    }

    fn coordinate(
        &mut self,
        image: &Image,
        coordinate: Inst,
        projection: Projection,
    ) -> Result<Coordinate, Diagnostic> {
        let operand = self.operand(coordinate)?;
        let given = operand.size.map_or(1, u32::from);
        let wanted = match image.dim {
            ImageDimension::D1 => 1,
            ImageDimension::D2 => 2,
            ImageDimension::D3 | ImageDimension::Cube => 3,
        };
        let mut place = if given > wanted { self.components(operand.handle, wanted) } else { operand.handle };
        if projection == Projection::Projective {
            let divisor = self.push(Expression::AccessIndex { base: operand.handle, index: wanted });
            place = self.divided(place, divisor, wanted)?;
        }
        let layer = match image.is_arrayed {
            true => {
                let layer = self.push(Expression::AccessIndex { base: operand.handle, index: wanted });
                Some(self.layer(layer, operand.scalar))
            }
            false => None,
        };
        Ok(Coordinate { place, layer })
    }

    fn divided(
        &mut self,
        place: Handle<Expression>,
        divisor: Handle<Expression>,
        count: u32,
    ) -> Result<Handle<Expression>, Diagnostic> {
        let right = match count {
            1 => divisor,
            2 => self.push(Expression::Splat { size: VectorSize::Bi, value: divisor }),
            _ => self.push(Expression::Splat { size: VectorSize::Tri, value: divisor }),
        };
        Ok(self.push(Expression::Binary { op: naga::BinaryOperator::Divide, left: place, right }))
    }

    /// A layer as an integer: the nearest one of a float.
    fn layer(&mut self, layer: Handle<Expression>, scalar: Scalar) -> Handle<Expression> {
        if scalar.kind != ScalarKind::Float {
            return layer;
        }
        let round = Expression::Math { fun: MathFunction::Round, arg: layer, arg1: None, arg2: None, arg3: None };
        let expr = self.push(round);
        self.push(Expression::As { expr, kind: ScalarKind::Sint, convert: Some(4) })
    }

    pub(super) fn sample(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        let kind = SamplerKind::of(op);
        let image = self.image(access.image)?;
        let sampler = self.sampler(access.image, kind)?;
        let projection = Projection::of(op);
        let is_known = projection == Projection::Projective
            || matches!(
                op,
                Op::ImageSampleImplicitLod
                    | Op::ImageSampleExplicitLod
                    | Op::ImageSampleDrefImplicitLod
                    | Op::ImageSampleDrefExplicitLod
                    | Op::ImageGather
                    | Op::ImageDrefGather
            );
        if !is_known || access.operands.const_offsets.is_some() || access.operands.min_lod.is_some() {
            return self.unknown(inst);
        }
        let coordinate = self.coordinate(&image, access.coordinate, projection)?;
        let level = self.level(inst, &access.operands, kind)?;
        let offset = match access.operands.const_offset {
            Some(offset) => Some(self.value_as(offset, ScalarKind::Sint)?),
            None if access.operands.offset.is_some() => {
                return self.refuse(WriteCode::Image, inst, "an offset that is not a constant");
            }
            None => None,
        };
        let argument = access.argument;
        let depth_ref = match argument.filter(|_| kind == SamplerKind::Comparison) {
            Some(depth) => Some(self.depth_reference(&image, depth, access.coordinate, projection)?),
            None => None,
        };
        let gather = match op {
            Op::ImageGather => {
                let component = argument.and_then(|component| self.word(component));
                let Some(component) = component.filter(|&component| component < 4) else {
                    return self.refuse(WriteCode::Image, inst, "a gathered component that is not a constant");
                };
                Some(SwizzleComponent::XYZW[component as usize])
            }
            Op::ImageDrefGather => Some(SwizzleComponent::X),
            _ => None,
        };
        let level = if gather.is_some() { SampleLevel::Zero } else { level };
        let sampled = self.push(Expression::ImageSample {
            image: image.handle,
            sampler,
            gather,
            coordinate: coordinate.place,
            array_index: coordinate.layer,
            offset,
            level,
            depth_ref,
            clamp_to_edge: false,
        });
        let handle = if gather.is_none() && kind == SamplerKind::Filtering {
            self.texel(&image, sampled, inst)?
        } else {
            sampled
        };
        self.define(inst, handle)
    }

    fn depth_reference(
        &mut self,
        image: &Image,
        depth: Inst,
        coordinate: Inst,
        projection: Projection,
    ) -> Result<Handle<Expression>, Diagnostic> {
        let left = self.value(depth)?;
        if projection == Projection::None {
            return Ok(left);
        }
        let base = self.value(coordinate)?;
        let index = if image.dim == ImageDimension::D1 { 1 } else { 2 };
        let right = self.push(Expression::AccessIndex { base, index });
        Ok(self.push(Expression::Binary { op: naga::BinaryOperator::Divide, left, right }))
    }

    fn level(
        &mut self,
        inst: Inst,
        operands: &view::ImageOperands,
        kind: SamplerKind,
    ) -> Result<SampleLevel, Diagnostic> {
        if let Some(lod) = operands.lod {
            if kind == SamplerKind::Filtering {
                return Ok(SampleLevel::Exact(self.value(lod)?));
            }
            let is_zero = self.source.op(lod) == Op::ConstantNull || self.word(lod).is_some_and(|word| word << 1 == 0);
            return if is_zero {
                Ok(SampleLevel::Zero)
            } else {
                self.refuse(WriteCode::Image, inst, "a comparison at another level than 0")
            };
        }
        if let Some(view::Gradient { dx, dy }) = operands.grad {
            return Ok(SampleLevel::Gradient { x: self.value(dx)?, y: self.value(dy)? });
        }
        Ok(match operands.bias {
            Some(bias) => SampleLevel::Bias(self.value(bias)?),
            None => SampleLevel::Auto,
        })
    }

    /// A texel with four components: that of a depth image has one.
    fn texel(
        &mut self,
        image: &Image,
        sampled: Handle<Expression>,
        inst: Inst,
    ) -> Result<Handle<Expression>, Diagnostic> {
        if !matches!(image.class, ImageClass::Depth { .. }) || self.module.size_of(inst)?.is_none() {
            return Ok(sampled);
        }
        let zero = self.push(Expression::Literal(naga::Literal::F32(0.0)));
        let one = self.push(Expression::Literal(naga::Literal::F32(1.0)));
        let ty = self.module.type_of(inst)?;
        Ok(self.push(Expression::Compose { ty, components: vec![sampled, zero, zero, one] }))
    }

    pub(super) fn read_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(access) = view::ImageAccess::of(self.source, inst) else { return self.unknown(inst) };
        if !matches!(self.source.op(inst), Op::ImageFetch | Op::ImageRead)
            || access.operands.const_offset.is_some()
            || access.operands.offset.is_some()
        {
            return self.unknown(inst);
        }
        let image = self.image(access.image)?;
        let coordinate = self.coordinate(&image, access.coordinate, Projection::None)?;
        let sample = match access.operands.sample {
            Some(sample) => Some(self.value(sample)?),
            None => None,
        };
        let is_storage = matches!(image.class, ImageClass::Storage { .. });
        let level = match access.operands.lod {
            Some(lod) => Some(self.value(lod)?),
            None if is_storage || sample.is_some() => None,
            None => Some(self.push(Expression::Literal(naga::Literal::I32(0)))),
        };
        let loaded = self.push(Expression::ImageLoad {
            image: image.handle,
            coordinate: coordinate.place,
            array_index: coordinate.layer,
            sample,
            level,
        });
        let texel = self.texel(&image, loaded, inst)?;
        let (Some(wanted), Some(given)) = (self.module.kind_of(inst), kind_of(image.class)) else {
            return self.unknown(inst);
        };
        let mut handle = arithmetic::cast(self, texel, given, wanted);
        let size = self.module.size_of(inst)?;
        if size != Some(VectorSize::Quad) {
            handle = self.components(handle, size.map_or(1, u32::from));
        }
        self.define(inst, handle)
    }

    pub(super) fn write_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let access = view::ImageAccess::of(self.source, inst);
        let Some((access, texel)) = access.and_then(|access| Some((access, access.argument?))) else {
            return self.unknown(inst);
        };
        let image = self.image(access.image)?;
        let coordinate = self.coordinate(&image, access.coordinate, Projection::None)?;
        let Some(kind) = kind_of(image.class) else { return self.unknown(inst) };
        let given = self.operand(texel)?;
        let cast = arithmetic::cast(self, given.handle, given.scalar.kind, kind);
        let value = self.widened(cast, given.size, Scalar { kind, width: 4 });
        self.statement(Statement::ImageStore {
            image: image.handle,
            coordinate: coordinate.place,
            array_index: coordinate.layer,
            value,
        });
        Ok(())
    }

    /// A texel of four components, with zeros for missing ones.
    fn widened(&mut self, value: Handle<Expression>, size: Option<VectorSize>, scalar: Scalar) -> Handle<Expression> {
        let given = size.map_or(1, u32::from);
        if given == 4 {
            return value;
        }
        let zero = match scalar.kind {
            ScalarKind::Sint => naga::Literal::I32(0),
            ScalarKind::Uint => naga::Literal::U32(0),
            _ => naga::Literal::F32(0.0),
        };
        let zero = self.push(Expression::Literal(zero));
        let mut components = vec![value];
        components.extend((given..4).map(|_| zero));
        let ty = self.vector_of(VectorSize::Quad, scalar);
        self.push(Expression::Compose { ty, components })
    }

    pub(super) fn query_image(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let operand = self.source.operand(inst, 0);
        let image = self.image(operand)?;
        let query = match op {
            Op::ImageQuerySizeLod => ImageQuery::Size { level: Some(self.value(self.source.operand(inst, 1))?) },
            Op::ImageQuerySize => ImageQuery::Size { level: None },
            Op::ImageQueryLevels => ImageQuery::NumLevels,
            Op::ImageQuerySamples => ImageQuery::NumSamples,
            _ => return self.unknown(inst),
        };
        let answer = self.push(Expression::ImageQuery { image: image.handle, query });
        let is_size = matches!(query, ImageQuery::Size { .. });
        let whole = if is_size && image.is_arrayed {
            let layers = self.push(Expression::ImageQuery { image: image.handle, query: ImageQuery::NumLayers });
            let size = if image.dim == ImageDimension::D1 { VectorSize::Bi } else { VectorSize::Tri };
            let ty = self.vector_of(size, Scalar::U32);
            self.push(Expression::Compose { ty, components: vec![answer, layers] })
        } else {
            answer
        };
        let Some(kind) = self.module.kind_of(inst) else { return self.unknown(inst) };
        let handle = arithmetic::cast(self, whole, ScalarKind::Uint, kind);
        self.define(inst, handle)
    }

    /// An atomic on a texel. naga returns no value, so one with a used result is rejected.
    pub(super) fn image_atomic(
        &mut self,
        inst: Inst,
        texel: Inst,
        fun: naga::AtomicFunction,
        value: Inst,
    ) -> Result<(), Diagnostic> {
        if self.source.is_used(inst) {
            return self.refuse(WriteCode::Op, inst, "the result of an atomic on an image: naga writes none");
        }
        let Some(view::ImageTexelPointer { image, coordinate, .. }) = view::ImageTexelPointer::of(self.source, texel)
        else {
            return self.unknown(inst);
        };
        let handle = self.memory(image)?;
        let variable = root(self.source, image);
        let ty = self.module.global(variable).map(|global| self.module.output.global_variables[global].ty);
        let Some(&TypeInner::Image { dim, arrayed, class }) = ty.map(|ty| &self.module.output.types[ty].inner) else {
            return self.unknown(inst);
        };
        let image = Image { handle, dim, is_arrayed: arrayed, class };
        let place = self.coordinate(&image, coordinate, Projection::None)?;
        let Some(kind) = kind_of(class) else { return self.unknown(inst) };
        let value = self.value_as(value, kind)?;
        if self.module.language == Language::Msl {
            return self.refuse(WriteCode::Op, inst, "an atomic on an image in MSL");
        }
        self.statement(Statement::ImageAtomic {
            image: handle,
            coordinate: place.place,
            array_index: place.layer,
            fun,
            value,
        });
        Ok(())
    }
}

fn kind_of(class: ImageClass) -> Option<ScalarKind> {
    match class {
        ImageClass::Sampled { kind, .. } => Some(kind),
        ImageClass::Depth { .. } => Some(ScalarKind::Float),
        ImageClass::Storage { format, .. } => Some(Scalar::from(format).kind),
        ImageClass::External => None,
    }
}
