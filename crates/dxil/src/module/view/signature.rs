//! Signatures: inputs and outputs.

use reconverge_diagnostic::Diagnostic;

use super::list::List;
use super::numbered;
use crate::error::{Code, at_bit};

/// The largest number of rows of an element, which is an array of them.
pub const MAX_ROWS: u32 = 32;

/// The tag of the mask of components that are used.
const USED_MASK: u32 = 3;

numbered! {
    /// The component type of elements of signatures and resources.
    ComponentType {
        /// A boolean.
        I1 = 1 "i1",
        /// 16 bits with a sign.
        I16 = 2 "i16",
        /// 16 bits without a sign.
        U16 = 3 "u16",
        /// 32 bits with a sign.
        I32 = 4 "i32",
        /// 32 bits without a sign.
        U32 = 5 "u32",
        /// 64 bits with a sign.
        I64 = 6 "i64",
        /// 64 bits without a sign.
        U64 = 7 "u64",
        /// 16-bit floating point.
        F16 = 8 "f16",
        /// 32-bit floating point.
        F32 = 9 "f32",
        /// 64-bit floating point.
        F64 = 10 "f64",
        /// From -1 to 1, read as 16 bits.
        SNormF16 = 11 "snorm f16",
        /// From 0 to 1, read as 16 bits.
        UNormF16 = 12 "unorm f16",
        /// From -1 to 1, read as 32 bits.
        SNormF32 = 13 "snorm f32",
        /// From 0 to 1, read as 32 bits.
        UNormF32 = 14 "unorm f32",
        /// From -1 to 1, read as 64 bits.
        SNormF64 = 15 "snorm f64",
        /// From 0 to 1, read as 64 bits.
        UNormF64 = 16 "unorm f64",
        /// Four of 8 bits with a sign.
        PackedS8x32 = 17 "packed s8x32",
        /// Four of 8 bits without a sign.
        PackedU8x32 = 18 "packed u8x32",
    }
}

impl ComponentType {
    /// Returns whether it is an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, ComponentType::I16 | ComponentType::I32 | ComponentType::I64)
    }
}

numbered! {
    /// Meanings of elements.
    SemanticKind {
        /// By its name alone.
        User = 0 "user",
        /// Of the vertex.
        VertexId = 1 "SV_VertexID",
        /// Of the instance.
        InstanceId = 2 "SV_InstanceID",
        /// On the screen.
        Position = 3 "SV_Position",
        /// The layer that is rendered to.
        RenderTargetArrayIndex = 4 "SV_RenderTargetArrayIndex",
        /// The viewport.
        ViewportArrayIndex = 5 "SV_ViewportArrayIndex",
        /// Primitives are cut where this is negative.
        ClipDistance = 6 "SV_ClipDistance",
        /// Primitives are removed if this is negative.
        CullDistance = 7 "SV_CullDistance",
        /// Of a hull shader.
        OutputControlPointId = 8 "SV_OutputControlPointID",
        /// In a patch.
        DomainLocation = 9 "SV_DomainLocation",
        /// Of the primitive.
        PrimitiveId = 10 "SV_PrimitiveID",
        /// Of a geometry shader.
        GsInstanceId = 11 "SV_GSInstanceID",
        /// Of the sample.
        SampleIndex = 12 "SV_SampleIndex",
        /// True if the front is seen.
        IsFrontFace = 13 "SV_IsFrontFace",
        /// Samples that are covered.
        Coverage = 14 "SV_Coverage",
        /// True if the whole pixel is covered.
        InnerCoverage = 15 "SV_InnerCoverage",
        /// A render target.
        Target = 16 "SV_Target",
        /// The depth.
        Depth = 17 "SV_Depth",
        /// A depth that is only made smaller.
        DepthLessEqual = 18 "SV_DepthLessEqual",
        /// A depth that is only made greater.
        DepthGreaterEqual = 19 "SV_DepthGreaterEqual",
        /// For the stencil test.
        StencilRef = 20 "SV_StencilRef",
        /// In the launch.
        DispatchThreadId = 21 "SV_DispatchThreadID",
        /// Of the group.
        GroupId = 22 "SV_GroupID",
        /// In the group, as one number.
        GroupIndex = 23 "SV_GroupIndex",
        /// In the group.
        GroupThreadId = 24 "SV_GroupThreadID",
        /// Of the sides of a patch.
        TessFactor = 25 "SV_TessFactor",
        /// Of the inside of a patch.
        InsideTessFactor = 26 "SV_InsideTessFactor",
        /// Of the view.
        ViewId = 27 "SV_ViewID",
        /// In the triangle.
        Barycentrics = 28 "SV_Barycentrics",
        /// The number of times that pixels are shaded.
        ShadingRate = 29 "SV_ShadingRate",
        /// True if a mesh shader drops the primitive.
        CullPrimitive = 30 "SV_CullPrimitive",
    }
}

numbered! {
    /// The interpolation of an element between vertices.
    Interpolation {
        /// Not specified.
        Undefined = 0 "undefined",
        /// The value of one vertex.
        Constant = 1 "constant",
        /// With perspective.
        Linear = 2 "linear",
        /// At a place that is covered.
        LinearCentroid = 3 "linear centroid",
        /// On the screen.
        LinearNoPerspective = 4 "linear noperspective",
        /// On the screen, at a place that is covered.
        LinearNoPerspectiveCentroid = 5 "linear noperspective centroid",
        /// For each sample.
        LinearSample = 6 "linear sample",
        /// On the screen, for each sample.
        LinearNoPerspectiveSample = 7 "linear noperspective sample",
    }
}

/// An element of a signature. Several may share a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureElement {
    /// The number that `loadInput` and `storeOutput` name it by.
    pub id: u32,
    /// The name in the source.
    pub name: String,
    /// The component type.
    pub component: ComponentType,
    /// The semantic.
    pub semantic: SemanticKind,
    /// The index of each row, which is a part of the name.
    pub indices: Vec<u32>,
    /// The interpolation.
    pub interpolation: Interpolation,
    /// The number of rows.
    pub rows: u32,
    /// The number of components of a row, 1 to 4.
    pub columns: u32,
    /// The row where it begins; none if it has no place.
    pub first_row: Option<u32>,
    /// The component where it begins; none if it has no place.
    pub first_column: Option<u32>,
    /// Components that are read or always written, from the low bit; none if the file does not say.
    pub used_mask: Option<u32>,
}

/// The signatures of an entry point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signatures {
    /// Inputs.
    pub inputs: Vec<SignatureElement>,
    /// Outputs.
    pub outputs: Vec<SignatureElement>,
    /// Patch constants of hull and domain shaders, primitives of mesh shaders.
    pub patch_constants: Vec<SignatureElement>,
}

impl Signatures {
    pub(super) fn read(list: List<'_>) -> Result<Signatures, Diagnostic> {
        let elements = |index| match list.list(index)? {
            None => Ok(Vec::new()),
            Some(elements) => (0..elements.members.len()).map(|index| element(&elements, index)).collect(),
        };
        Ok(Signatures { inputs: elements(0)?, outputs: elements(1)?, patch_constants: elements(2)? })
    }
}

fn element(elements: &List<'_>, index: usize) -> Result<SignatureElement, Diagnostic> {
    let Some(list) = elements.list(index)? else { return Err(elements.error("expected an element, found null")) };
    let (rows, columns) = (list.word(6, "a number of rows")?, list.word(7, "a number of columns")?);
    if !(1..=MAX_ROWS).contains(&rows) || !(1..=4).contains(&columns) {
        let message = format!("expected 1 to {MAX_ROWS} rows and 1 to 4 columns, found {rows} and {columns}");
        return Err(at_bit(Code::Limit, list.offset, message));
    }
    let Some(numbers) = list.list(4)? else { return Err(list.error("expected the indices of an element")) };
    if numbers.members.len() as u32 != rows {
        return Err(list.error(format!("expected {rows} indices, found {}", numbers.members.len())));
    }
    let mut used_mask = None;
    if let Some(extension) = list.list(10)? {
        for tag in extension.tags() {
            if let (USED_MASK, index) = tag? {
                used_mask = Some(extension.word(index, "a mask")?);
            }
        }
    }
    Ok(SignatureElement {
        id: list.word(0, "the number of an element")?,
        name: list.text(1, "the name of an element")?.to_owned(),
        component: list.kind(2, "a type of components", ComponentType::of_number)?,
        semantic: list.kind(3, "a meaning", SemanticKind::of_number)?,
        indices: (0..numbers.members.len()).map(|index| numbers.word(index, "an index")).collect::<Result<_, _>>()?,
        interpolation: list.kind(5, "an interpolation", Interpolation::of_number)?,
        rows,
        columns,
        first_row: u32::try_from(list.signed(8, "a row")?).ok(),
        first_column: u32::try_from(list.signed(9, "a column")?).ok(),
        used_mask,
    })
}
