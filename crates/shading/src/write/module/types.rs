//! Types. Parts are converted before the types that contain them, with an explicit stack.

use std::num::NonZeroU32;

use naga::{
    AddressSpace, ArraySize, BinaryOperator, Expression, Handle, ImageClass, ImageDimension, Scalar, ScalarKind, Span,
    StorageAccess, StorageFormat, TypeInner, VectorSize,
};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Function, Inst, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Dim, ImageFormat, StorageClass};

use super::super::function::arithmetic;
use super::super::{Language, WriteCode};
use super::{Constant, Converter, SamplerKind};

impl Converter<'_> {
    /// The type of naga for a type.
    ///
    /// # Errors
    /// The type, or a part of it, cannot be expressed.
    pub(crate) fn ty(&mut self, ty: Inst) -> Result<Handle<naga::Type>, Diagnostic> {
        let mut stack = vec![ty];
        let mut open = FxHashSet::default();
        while let Some(&next) = stack.last() {
            if self.types.contains_key(&next) {
                stack.pop();
                continue;
            }
            let missing: Vec<Inst> =
                self.parts(next).into_iter().filter(|part| !self.types.contains_key(part)).collect();
            // Only pointers can refer back to the type that contains them.
            if let Some(&part) = missing.iter().find(|&part| open.contains(part)) {
                return self.refuse(WriteCode::Pointer, part, "a type that contains a pointer to itself");
            }
            open.insert(next);
            if missing.is_empty() {
                let handle = self.build(next)?;
                self.types.insert(next, handle);
                stack.pop();
            }
            stack.extend(missing);
        }
        Ok(self.types[&ty])
    }

    /// The type of a value.
    pub(crate) fn type_of(&mut self, value: Inst) -> Result<Handle<naga::Type>, Diagnostic> {
        match self.source.ty(value) {
            Some(ty) => self.ty(ty),
            None => self.refuse(WriteCode::Type, value, "a value without a type"),
        }
    }

    /// The types that a type contains. A pointer contains its pointee, if it can be a parameter.
    fn parts(&self, ty: Inst) -> Vec<Inst> {
        match self.source.type_view(ty) {
            Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => vec![element],
            Some(TypeView::Struct { members }) => members.to_vec(),
            Some(TypeView::Pointer { pointee, .. }) => vec![pointee],
            _ => Vec::new(),
        }
    }

    fn build(&mut self, ty: Inst) -> Result<Handle<naga::Type>, Diagnostic> {
        let inner = match self.source.type_view(ty) {
            Some(TypeView::Bool | TypeView::Int { .. } | TypeView::Float { .. }) => {
                TypeInner::Scalar(self.checked_scalar(ty)?)
            }
            Some(TypeView::Vector { component, count }) => {
                TypeInner::Vector { size: self.vector_size(ty, count)?, scalar: self.checked_scalar(component)? }
            }
            Some(TypeView::Matrix { column, count }) => {
                let (component, rows) = self.source.components(column);
                let (columns, rows) = (self.vector_size(ty, count)?, self.vector_size(ty, rows)?);
                TypeInner::Matrix { columns, rows, scalar: self.checked_scalar(component)? }
            }
            Some(TypeView::Array { element, length }) => {
                let size = self.array_size(ty, length)?;
                return self.array(ty, element, size);
            }
            Some(TypeView::RuntimeArray { element }) => return self.array(ty, element, ArraySize::Dynamic),
            Some(TypeView::Struct { .. }) => return self.structure(ty),
            Some(TypeView::Pointer { storage_class, pointee }) => {
                let space = match storage_class {
                    Some(StorageClass::Function) => AddressSpace::Function,
                    Some(StorageClass::Private) => AddressSpace::Private,
                    Some(StorageClass::Workgroup) => AddressSpace::WorkGroup,
                    _ => {
                        return self.refuse(
                            WriteCode::Pointer,
                            ty,
                            format!("a pointer to {} as a value", named(storage_class)),
                        );
                    }
                };
                TypeInner::Pointer { base: self.types[&pointee], space }
            }
            Some(TypeView::Image(image)) => self.image(ty, &image, SamplerKind::Filtering, StorageAccess::LOAD)?,
            Some(TypeView::Other(Op::TypeSampler)) => TypeInner::Sampler { comparison: false },
            _ => return self.refuse(WriteCode::Type, ty, format!("the type {}", self.source.op(ty).name())),
        };
        Ok(self.plain_type(inner))
    }

    /// The scalar type that a scalar or the components of a vector or matrix have.
    pub(crate) fn scalar(&self, ty: Inst) -> Option<Scalar> {
        let mut ty = ty;
        while let Some(TypeView::Vector { component: part, .. } | TypeView::Matrix { column: part, .. }) =
            self.source.type_view(ty)
        {
            ty = part;
        }
        let (kind, bits) = match self.source.type_view(ty)? {
            TypeView::Bool => return Some(Scalar::BOOL),
            TypeView::Int { width, is_signed } => (if is_signed { ScalarKind::Sint } else { ScalarKind::Uint }, width),
            TypeView::Float { width, is_ieee: true } => (ScalarKind::Float, width),
            _ => return None,
        };
        let is_known = matches!(bits, 16 | 32 | 64);
        is_known.then_some(Scalar { kind, width: (bits / 8) as u8 })
    }

    fn checked_scalar(&self, ty: Inst) -> Result<Scalar, Diagnostic> {
        match self.scalar(ty) {
            Some(scalar) if self.has_scalar(scalar) => Ok(scalar),
            _ => {
                let width = self.source.width(ty).unwrap_or_default();
                self.refuse(
                    WriteCode::Type,
                    ty,
                    format!("{} of {width} bits in {}", self.source.op(ty).name(), self.language),
                )
            }
        }
    }

    /// Checks that the language has the scalars of all values of a function. A conversion has no other type than that of its result.
    pub(crate) fn check_values(&self, function: Function) -> Result<(), Diagnostic> {
        let source = self.source;
        for inst in source.blocks(function).flat_map(|block| source.children(block)) {
            if let Some(scalar) = self.scalar_of(inst)
                && !self.has_scalar(scalar)
            {
                let ty = source.ty(inst).map_or(inst, |ty| source.components(ty).0);
                self.checked_scalar(ty)?;
            }
        }
        Ok(())
    }

    /// Returns whether the language has the type. Naga's writers have their own extensions for some types, and do not expect others.
    fn has_scalar(&self, scalar: Scalar) -> bool {
        match self.language {
            Language::Wgsl => scalar.width < 8 && (scalar.width != 2 || scalar.kind == ScalarKind::Float),
            Language::Msl => scalar != Scalar::F64,
            Language::Glsl => scalar.width != 2,
            Language::Hlsl => true,
        }
    }

    pub(crate) fn vector_size(&self, ty: Inst, count: u32) -> Result<VectorSize, Diagnostic> {
        match count {
            2 => Ok(VectorSize::Bi),
            3 => Ok(VectorSize::Tri),
            4 => Ok(VectorSize::Quad),
            _ => self.refuse(WriteCode::Type, ty, format!("a vector of {count} components")),
        }
    }

    /// The number of components of a value, if it is a vector.
    pub(crate) fn size_of(&self, value: Inst) -> Result<Option<VectorSize>, Diagnostic> {
        match self.source.ty(value).and_then(|ty| view::TypeVector::of(self.source, ty)) {
            Some(vector) => self.vector_size(value, vector.count).map(Some),
            None => Ok(None),
        }
    }

    fn array_size(&mut self, ty: Inst, length: Inst) -> Result<ArraySize, Diagnostic> {
        if let Some(count) = self.source.constant_word(length) {
            let count = NonZeroU32::new(count);
            return match count {
                Some(count) => Ok(ArraySize::Constant(count)),
                None => self.refuse(WriteCode::Type, ty, "an array of no elements"),
            };
        }
        if self.is_composed(length) {
            return self.composed_length(ty, length).map(ArraySize::Pending);
        }
        match self.constant(length)? {
            // One for each type, by which it is found in the text.
            Constant::Override(handle) => {
                let ty = self.output.overrides[handle].ty;
                let init = self.output.global_expressions.append(Expression::Override(handle), Span::UNDEFINED);
                let added = naga::Override { name: Some("length".to_owned()), id: None, ty, init: Some(init) };
                Ok(ArraySize::Pending(self.output.overrides.append(added, Span::UNDEFINED)))
            }
            Constant::Literal(naga::Literal::U32(count)) if count > 0 => {
                Ok(ArraySize::Constant(NonZeroU32::MIN.saturating_add(count - 1)))
            }
            Constant::Literal(naga::Literal::I32(count)) if count > 0 => {
                Ok(ArraySize::Constant(NonZeroU32::MIN.saturating_add(count as u32 - 1)))
            }
            _ => self.refuse(WriteCode::Type, ty, "an array whose length is not a number"),
        }
    }

    /// A length that is computed from specialization constants: an override for each operation. They are those of sizes, on 32 bits.
    ///
    /// The operands of a specialization constant come before it, so the walk ends.
    fn composed_length(&mut self, ty: Inst, length: Inst) -> Result<Handle<naga::Override>, Diagnostic> {
        let refused = "an array whose length is computed from specialization constants";
        let u32_type = self.type_of(length)?;
        if self.language != Language::Wgsl || self.output.types[u32_type].inner != TypeInner::Scalar(Scalar::U32) {
            return self.refuse(WriteCode::Type, ty, refused);
        }
        let mut done: FxHashMap<Inst, Handle<Expression>> = FxHashMap::default();
        let (mut stack, mut last) = (vec![length], None);
        while let Some(&constant) = stack.last() {
            let computed = view::SpecConstantOp::of(self.source, constant);
            let operands: Vec<Inst> = match &computed {
                Some(_) => self.source.operands(constant).filter(|&part| self.source.ty(part).is_some()).collect(),
                None => Vec::new(),
            };
            let missing: Vec<Inst> = operands.iter().copied().filter(|part| !done.contains_key(part)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let expression = match (computed.map(|computed| computed.opcode), &operands[..]) {
                (None, _) => self.constant(constant)?.expression(),
                (Some(opcode), &[left, right]) => {
                    let Some(op) = size_operator(opcode) else { return self.refuse(WriteCode::Type, ty, refused) };
                    let init = Expression::Binary { op, left: done[&left], right: done[&right] };
                    let init = Some(self.output.global_expressions.append(init, Span::UNDEFINED));
                    let added = naga::Override { name: Some("length".to_owned()), id: None, ty: u32_type, init };
                    let handle = self.output.overrides.append(added, Span::UNDEFINED);
                    last = Some(handle);
                    Expression::Override(handle)
                }
                _ => return self.refuse(WriteCode::Type, ty, refused),
            };
            done.insert(constant, self.output.global_expressions.append(expression, Span::UNDEFINED));
            stack.pop();
        }
        last.map_or_else(|| self.refuse(WriteCode::Type, ty, refused), Ok)
    }

    /// The type of an image that is used with a kind of sampler: one that is compared is a depth image.
    pub(crate) fn image(
        &self,
        ty: Inst,
        image: &view::TypeImage,
        kind: SamplerKind,
        access: StorageAccess,
    ) -> Result<TypeInner, Diagnostic> {
        let dim = match image.dim {
            Some(Dim::Dim1D) => ImageDimension::D1,
            Some(Dim::Dim2D) => ImageDimension::D2,
            Some(Dim::Dim3D) => ImageDimension::D3,
            Some(Dim::DimCube) => ImageDimension::Cube,
            dim => return self.refuse(WriteCode::Image, ty, format!("images of dimension {}", named(dim))),
        };
        let multi = image.multisampled != 0;
        let class = if image.sampled == 2 {
            let format = image.format.and_then(storage_format);
            let Some(format) = format else {
                let message = match image.format {
                    Some(ImageFormat::Unknown) => "storage images without a format".to_owned(),
                    format => format!("storage images of format {}", named(format)),
                };
                return self.refuse(WriteCode::Image, ty, message);
            };
            if self.language == Language::Wgsl && access.contains(StorageAccess::ATOMIC) {
                return self.refuse(WriteCode::Image, ty, "atomics on images in WGSL");
            }
            ImageClass::Storage { format, access }
        } else if kind == SamplerKind::Comparison {
            ImageClass::Depth { multi }
        } else {
            let scalar = self.checked_scalar(image.sampled_type)?;
            if scalar.width != 4 {
                return self.refuse(WriteCode::Image, ty, format!("images of {} bits", u32::from(scalar.width) * 8));
            }
            ImageClass::Sampled { kind: scalar.kind, multi }
        };
        Ok(TypeInner::Image { dim, arrayed: image.arrayed != 0, class })
    }

    /// The natural layout of a type: size, alignment and stride.
    pub(super) fn layout(&mut self, ty: Handle<naga::Type>, inst: Inst) -> Result<naga::proc::TypeLayout, Diagnostic> {
        let context = self.output.to_ctx();
        match self.layouter.update(context) {
            Ok(()) => Ok(self.layouter[ty]),
            Err(error) => self.refuse(WriteCode::Layout, inst, error.to_string()),
        }
    }

    pub(super) fn named_type(&mut self, name: Option<String>, inner: TypeInner) -> Handle<naga::Type> {
        self.output.types.insert(naga::Type { name, inner }, Span::UNDEFINED)
    }
}

fn storage_format(format: ImageFormat) -> Option<StorageFormat> {
    Some(match format {
        ImageFormat::R8 => StorageFormat::R8Unorm,
        ImageFormat::R8Snorm => StorageFormat::R8Snorm,
        ImageFormat::R8ui => StorageFormat::R8Uint,
        ImageFormat::R8i => StorageFormat::R8Sint,
        ImageFormat::R16ui => StorageFormat::R16Uint,
        ImageFormat::R16i => StorageFormat::R16Sint,
        ImageFormat::R16f => StorageFormat::R16Float,
        ImageFormat::Rg8 => StorageFormat::Rg8Unorm,
        ImageFormat::Rg8Snorm => StorageFormat::Rg8Snorm,
        ImageFormat::Rg8ui => StorageFormat::Rg8Uint,
        ImageFormat::Rg8i => StorageFormat::Rg8Sint,
        ImageFormat::R32ui => StorageFormat::R32Uint,
        ImageFormat::R32i => StorageFormat::R32Sint,
        ImageFormat::R32f => StorageFormat::R32Float,
        ImageFormat::Rg16ui => StorageFormat::Rg16Uint,
        ImageFormat::Rg16i => StorageFormat::Rg16Sint,
        ImageFormat::Rg16f => StorageFormat::Rg16Float,
        ImageFormat::Rgba8 => StorageFormat::Rgba8Unorm,
        ImageFormat::Rgba8Snorm => StorageFormat::Rgba8Snorm,
        ImageFormat::Rgba8ui => StorageFormat::Rgba8Uint,
        ImageFormat::Rgba8i => StorageFormat::Rgba8Sint,
        ImageFormat::Rgb10a2ui => StorageFormat::Rgb10a2Uint,
        ImageFormat::Rgb10A2 => StorageFormat::Rgb10a2Unorm,
        ImageFormat::R11fG11fB10f => StorageFormat::Rg11b10Ufloat,
        ImageFormat::R64ui => StorageFormat::R64Uint,
        ImageFormat::Rg32ui => StorageFormat::Rg32Uint,
        ImageFormat::Rg32i => StorageFormat::Rg32Sint,
        ImageFormat::Rg32f => StorageFormat::Rg32Float,
        ImageFormat::Rgba16ui => StorageFormat::Rgba16Uint,
        ImageFormat::Rgba16i => StorageFormat::Rgba16Sint,
        ImageFormat::Rgba16f => StorageFormat::Rgba16Float,
        ImageFormat::Rgba32ui => StorageFormat::Rgba32Uint,
        ImageFormat::Rgba32i => StorageFormat::Rgba32Sint,
        ImageFormat::Rgba32f => StorageFormat::Rgba32Float,
        ImageFormat::R16 => StorageFormat::R16Unorm,
        ImageFormat::R16Snorm => StorageFormat::R16Snorm,
        ImageFormat::Rg16 => StorageFormat::Rg16Unorm,
        ImageFormat::Rg16Snorm => StorageFormat::Rg16Snorm,
        ImageFormat::Rgba16 => StorageFormat::Rgba16Unorm,
        ImageFormat::Rgba16Snorm => StorageFormat::Rgba16Snorm,
        _ => return None,
    })
}

/// The operator of an operation that sizes are computed with.
fn size_operator(opcode: u32) -> Option<BinaryOperator> {
    match arithmetic::op_of_opcode(opcode)? {
        Op::IAdd => Some(BinaryOperator::Add),
        Op::ISub => Some(BinaryOperator::Subtract),
        Op::IMul => Some(BinaryOperator::Multiply),
        Op::UDiv => Some(BinaryOperator::Divide),
        _ => None,
    }
}

/// The name that SPIR-V gives to a value of an enumeration.
fn named<T: std::fmt::Debug>(value: Option<T>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| format!("{value:?}"))
}
