//! Types. Parts are converted before the types that contain them, with an explicit stack.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashSet;
use spirv::{Dim, ImageFormat, StorageClass};

use super::{Lowering, Target};
use crate::syntax::{
    Access, Depth, Image, ImageDim, Length, Member, Scalar, ScalarKind, Struct, StructId, Texel, Type, TypeShape,
};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// The type of the text for a type.
    ///
    /// # Errors
    /// The type, or a part of it, cannot be expressed.
    pub(crate) fn ty(&mut self, ty: Inst) -> Result<Type, Diagnostic> {
        if let Some(&known) = self.types.get(&ty) {
            return Ok(known);
        }
        let mut stack = vec![ty];
        let mut open = FxHashSet::default();
        while let Some(&next) = stack.last() {
            if self.types.contains_key(&next) {
                stack.pop();
                continue;
            }
            let missing: Vec<Inst> =
                self.type_parts(next).into_iter().filter(|part| !self.types.contains_key(part)).collect();
            // Only pointers can refer back to the type that contains them.
            if let Some(&part) = missing.iter().find(|&part| open.contains(part)) {
                return self.refuse(WriteCode::Pointer, part, "a type that contains a pointer to itself");
            }
            open.insert(next);
            if missing.is_empty() {
                let built = self.build_type(next)?;
                self.types.insert(next, built);
                stack.pop();
            }
            stack.extend(missing);
            if stack.len() > DEEPEST_TYPE {
                let message = format!("types nest deeper than {DEEPEST_TYPE}");
                return self.refuse(WriteCode::Nesting, ty, message);
            }
        }
        Ok(self.types[&ty])
    }

    /// The type of a value.
    pub(crate) fn type_of(&mut self, value: Inst) -> Result<Type, Diagnostic> {
        match self.source.ty(value) {
            Some(ty) => self.ty(ty),
            None => self.refuse(WriteCode::Type, value, "a value without a type"),
        }
    }

    /// A type and those of its parts, each once. Pointers end it.
    pub(crate) fn types_in(&self, ty: Inst) -> Vec<Inst> {
        let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![ty]);
        while let Some(ty) = stack.pop() {
            if seen.insert(ty) {
                found.push(ty);
                match self.source.type_view(ty) {
                    Some(TypeView::Struct { members }) => stack.extend(members),
                    Some(TypeView::Pointer { .. }) | None => {}
                    _ => stack.extend(self.source.element_type(ty)),
                }
            }
        }
        found
    }

    fn type_parts(&self, ty: Inst) -> Vec<Inst> {
        match self.source.type_view(ty) {
            Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => vec![element],
            Some(TypeView::Struct { members }) => members.to_vec(),
            Some(TypeView::Pointer { pointee, storage_class })
                if storage_class != Some(StorageClass::PhysicalStorageBuffer) =>
            {
                vec![pointee]
            }
            Some(TypeView::SampledImage { image }) => vec![image],
            _ => Vec::new(),
        }
    }

    fn build_type(&mut self, ty: Inst) -> Result<Type, Diagnostic> {
        let shape = match self.source.type_view(ty) {
            Some(TypeView::Void) => TypeShape::Void,
            Some(TypeView::Bool | TypeView::Int { .. } | TypeView::Float { .. }) => TypeShape::Scalar(self.scalar(ty)?),
            Some(TypeView::Vector { component, count }) => {
                TypeShape::Vector { scalar: self.scalar(component)?, size: self.vector_size(ty, count)? }
            }
            Some(TypeView::Matrix { column, count }) => {
                let (component, rows) = self.source.components(column);
                let (columns, rows) = (self.vector_size(ty, count)?, self.vector_size(ty, rows)?);
                TypeShape::Matrix { scalar: self.scalar(component)?, columns, rows }
            }
            Some(TypeView::Array { element, length }) => {
                let length = self.length(ty, length)?;
                TypeShape::Array { element: self.element(ty, element)?, length }
            }
            Some(TypeView::RuntimeArray { element }) => {
                TypeShape::Array { element: self.element(ty, element)?, length: Length::Runtime }
            }
            Some(TypeView::Struct { .. }) => TypeShape::Struct(self.structure(ty)?),
            // The text has no pointers: a pointer is the place that it points to.
            Some(TypeView::Pointer { pointee, storage_class }) => {
                if storage_class == Some(StorageClass::PhysicalStorageBuffer) {
                    return self.address_type(ty);
                }
                return Ok(self.types[&pointee]);
            }
            Some(TypeView::Image(image)) => TypeShape::Image(self.image(ty, &image)?),
            Some(TypeView::SampledImage { image }) => match self.source.type_view(image) {
                Some(TypeView::Image(view)) => TypeShape::SampledImage(self.image(image, &view)?),
                _ => return self.refuse(WriteCode::Type, ty, "a sampled image of no image"),
            },
            Some(TypeView::Other(Op::TypeSampler)) => TypeShape::Sampler(Depth::Color),
            Some(TypeView::Other(Op::TypeAccelerationStructureKHR)) => TypeShape::AccelerationStructure,
            Some(TypeView::Other(Op::TypeRayQueryKHR)) => TypeShape::RayQuery,
            _ => return self.refuse(WriteCode::Type, ty, format!("the type {}", self.source.op(ty).name())),
        };
        Ok(self.text.types.of(shape))
    }

    /// The type of an element of an array: a struct with padding, if the array has a stride of its own.
    fn element(&mut self, array: Inst, element: Inst) -> Result<Type, Diagnostic> {
        if let Some(stored) = self.stored_element_type(array)? {
            return Ok(stored);
        }
        let own = self.types[&element];
        match self.wrapped.contains(&array) {
            true => self.wrapper(array, own),
            false => Ok(own),
        }
    }

    /// The numbers of a type: itself, or its components.
    pub(crate) fn scalar(&mut self, ty: Inst) -> Result<Scalar, Diagnostic> {
        let (kind, width) = match self.source.type_view(ty) {
            Some(TypeView::Bool) => return Ok(Scalar::BOOL),
            Some(TypeView::Int { width, is_signed: true }) => (ScalarKind::Int, width),
            Some(TypeView::Int { width, .. }) => (ScalarKind::Uint, width),
            Some(TypeView::Float { width, is_ieee: true }) => (ScalarKind::Float, width),
            _ => return self.refuse(WriteCode::Type, ty, format!("the type {}", self.source.op(ty).name())),
        };
        let is_known = match kind {
            ScalarKind::Float => matches!(width, 16 | 32 | 64),
            _ => matches!(width, 8 | 16 | 32 | 64),
        };
        let scalar = Scalar { kind, width: width as u8 };
        if !is_known || !self.has_scalar(scalar, ty) {
            let language = self.target.language();
            let since = self.target.since(scalar).unwrap_or_default();
            let message = format!("{} of {width} bits in {language}{since}", self.source.op(ty).name());
            return self.refuse(WriteCode::Type, ty, message);
        }
        Ok(scalar)
    }

    fn vector_size(&self, ty: Inst, count: u32) -> Result<u8, Diagnostic> {
        match count {
            2..=4 => Ok(count as u8),
            _ => self.refuse(WriteCode::Type, ty, format!("a vector of {count} components")),
        }
    }

    fn length(&mut self, ty: Inst, length: Inst) -> Result<Length, Diagnostic> {
        match self.source.constant_word(length) {
            Some(0) => self.refuse(WriteCode::Type, ty, "an array of no elements"),
            Some(count) => Ok(Length::Constant(count)),
            None => self.named_constant(length).map(Length::Named),
        }
    }

    pub(crate) fn image(&mut self, ty: Inst, image: &view::TypeImage) -> Result<Image, Diagnostic> {
        let dim = match image.dim {
            Some(Dim::Dim1D) => ImageDim::One,
            Some(Dim::Dim2D) => ImageDim::Two,
            Some(Dim::Dim3D) => ImageDim::Three,
            Some(Dim::DimCube) => ImageDim::Cube,
            Some(Dim::DimRect) => ImageDim::Rect,
            Some(Dim::DimBuffer) => ImageDim::Buffer,
            Some(Dim::DimSubpassData) => ImageDim::Subpass,
            dim => {
                let dim = dim.map_or_else(|| "unknown".to_owned(), |dim| format!("{dim:?}"));
                return self.refuse(WriteCode::Image, ty, format!("images of dimension {dim}"));
            }
        };
        let component = match self.source.type_view(image.sampled_type) {
            // Of a subpass or an image without a type of its own.
            Some(TypeView::Void) => Scalar::FLOAT,
            _ => self.scalar(image.sampled_type)?,
        };
        Ok(Image {
            dim,
            is_array: image.arrayed != 0,
            is_multisampled: image.multisampled != 0,
            depth: Depth::Color,
            component,
            is_storage: image.sampled == 2 && dim != ImageDim::Subpass,
            texel: if image.sampled == 2 { texel(image.format) } else { Texel::Numbers(4) },
            is_ordered: matches!(self.target, Target::Hlsl(_)) && self.orders_pixels(),
            access: Access::ReadWrite,
            format: "",
        })
    }

    /// The struct of the text for a struct type. Equal structs are one.
    fn structure(&mut self, ty: Inst) -> Result<StructId, Diagnostic> {
        if let Some(&known) = self.structs.get(&ty) {
            return Ok(known);
        }
        let members = self.members(ty)?;
        let name = self.name(ty).filter(|name| !name.starts_with("type_")).unwrap_or_else(|| "Element".to_owned());
        let alike = |known: &Struct| {
            !known.is_block
                && known.name == name
                && known.members.len() == members.len()
                && known
                    .members
                    .iter()
                    .zip(&members)
                    .all(|(one, other)| one.name == other.name && one.ty == other.ty && one.prefix == other.prefix)
        };
        let id = match self.text.structs.iter().position(alike) {
            Some(known) => StructId(known as u32),
            None => self.text.add_struct(Struct { name, members, is_block: false }),
        };
        self.structs.insert(ty, id);
        Ok(id)
    }

    /// The members of a struct as values have them.
    fn members(&mut self, ty: Inst) -> Result<Vec<Member>, Diagnostic> {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, ty) else { return Ok(Vec::new()) };
        if members.is_empty() {
            return self.refuse(WriteCode::Type, ty, "a struct without members");
        }
        if let Some(members) = self.laid_out(ty)? {
            return Ok(members);
        }
        let mut converted = Vec::new();
        for (number, member) in members.to_vec().into_iter().enumerate() {
            let ty_of_member = self.ty(member)?;
            let name = self.member_name(ty, number as u32).unwrap_or_else(|| format!("member{number}"));
            let prefix = self.member_prefix(ty, number as u32).to_owned();
            converted.push(Member { name, ty: ty_of_member, prefix, suffix: String::new() });
        }
        Ok(converted)
    }

    /// An image has one type in most languages.
    pub(super) fn plain_image(&mut self, _value: Inst, image: Image, _place: Inst) -> Result<Image, Diagnostic> {
        Ok(image)
    }

    /// Members of a struct have no layout in most languages.
    pub(super) fn no_layout(&mut self, _structure: Inst) -> Result<Option<Vec<Member>>, Diagnostic> {
        Ok(None)
    }

    /// Elements of arrays have the type of values in most languages.
    pub(super) fn no_element_type(&mut self, _array: Inst) -> Result<Option<Type>, Diagnostic> {
        Ok(None)
    }

    /// The place of a member of a struct among those of the text.
    pub(crate) fn member_place(&self, structure: Inst, member: u32) -> u32 {
        self.places.get(&structure).and_then(|places| places.get(member as usize)).copied().unwrap_or(member)
    }

    /// A struct around the elements of an array, with padding up to the array's stride.
    pub(super) fn wrapper(&mut self, array: Inst, element: Type) -> Result<Type, Diagnostic> {
        let stride = self.source.array_stride(array).unwrap_or(0);
        let member =
            |name: &str, ty| Member { name: name.to_owned(), ty, prefix: String::new(), suffix: String::new() };
        let mut members = vec![member("value", element)];
        let padding = match self.target {
            super::Target::Wgsl => {
                members[0].prefix = format!("@size({stride})");
                0
            }
            _ => self.padding_of(array, stride)?,
        };
        let word = self.text.types.of(TypeShape::Scalar(Scalar::UINT));
        members.extend((0..padding).map(|_| member("padding", word)));
        let id = self.text.add_struct(Struct { name: "Padded".to_owned(), members, is_block: false });
        Ok(self.text.types.of(TypeShape::Struct(id)))
    }

    /// Returns whether the elements of an array are in structs with padding.
    pub(crate) fn is_wrapped(&self, array: Inst) -> bool {
        self.wrapped.contains(&array)
    }
}

/// The texels of a format.
fn texel(format: Option<ImageFormat>) -> Texel {
    use ImageFormat as Format;
    match format.unwrap_or(Format::Unknown) {
        Format::R32f | Format::R16f => Texel::Numbers(1),
        Format::R32i | Format::R16i | Format::R8i | Format::R32ui | Format::R16ui | Format::R8ui => Texel::Numbers(1),
        Format::R64ui | Format::R64i => Texel::Numbers(1),
        Format::Rg32f | Format::Rg16f => Texel::Numbers(2),
        Format::Rg32i | Format::Rg16i | Format::Rg8i => Texel::Numbers(2),
        Format::Rg32ui | Format::Rg16ui | Format::Rg8ui => Texel::Numbers(2),
        Format::R11fG11fB10f => Texel::Numbers(3),
        Format::R8 | Format::R16 => Texel::Unorm(1),
        Format::Rg8 | Format::Rg16 => Texel::Unorm(2),
        Format::Rgba8 | Format::Rgba16 | Format::Rgb10A2 => Texel::Unorm(4),
        Format::R8Snorm | Format::R16Snorm => Texel::Snorm(1),
        Format::Rg8Snorm | Format::Rg16Snorm => Texel::Snorm(2),
        Format::Rgba8Snorm | Format::Rgba16Snorm => Texel::Snorm(4),
        _ => Texel::Numbers(4),
    }
}

/// The maximum nesting of types; SPIR-V allows structs 255 deep.
const DEEPEST_TYPE: usize = 1024;
