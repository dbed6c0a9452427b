//! The interface of a shader: inputs, outputs and built-ins as variables.
//!
//! An element of a signature is a variable with the location of its first row and the component of its first column. Elements that share a
//! row are two variables. System values become built-ins of Vulkan.
//!
//! | Direct3D | Vulkan | what differs |
//! |---|---|---|
//! | `SV_Position` of a pixel | `FragCoord` | the last component is 1 / w in Vulkan |
//! | `SV_IsFrontFace` | `FrontFacing` | a boolean |
//! | `SV_VertexID`, `SV_InstanceID` | `VertexIndex`, `InstanceIndex` | Vulkan counts from the first vertex and instance of the draw |
//! | `SV_ClipDistance`, `SV_CullDistance` | one array for all elements | |
//! | 16 bits | 32 bits | converted, so that both stages agree whatever the device has |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, Signedness, decoration};
use rustc_hash::FxHashMap;
use spirv::{BuiltIn, Capability, Decoration, GlslStd450Op, StorageClass};

use super::Shader;
use super::function::{Body, Translated};
use super::numbers::{Kind, Number, signedness};
use super::operations::Call;
use crate::error::{AssumptionCode, Code, at_bit, unsupported};
use crate::module::ValueId;
use crate::module::view::{ComponentType, Interpolation, SemanticKind, ShaderKind, SignatureElement};

/// Variables of the interface.
#[derive(Debug, Default)]
pub(super) struct Interface {
    /// All of them, in the order in which they were declared.
    pub(super) variables: Vec<Inst>,
    built_ins: FxHashMap<(StorageClass, u32), Inst>,
    elements: FxHashMap<(StorageClass, u32), Element>,
    /// The semantic by which the depth is written, if it is.
    pub(super) depth: Option<SemanticKind>,
}

/// An element of a signature.
#[derive(Clone, Copy, Debug)]
struct Element {
    variable: Inst,
    class: StorageClass,
    number: Number,
    /// True if it is an integer with a sign in the interface.
    signedness: Signedness,
    shape: Shape,
    semantic: SemanticKind,
}

/// The layout of components in a variable.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// A scalar.
    Scalar,
    /// A vector.
    Vector { columns: u32 },
    /// An array of scalars, or of vectors of more than one column.
    Rows { rows: u32, columns: u32 },
    /// An array of scalars that several elements share: the first is at this index, and rows have this stride.
    Distances { first: u32, rows: u32, columns: u32 },
}

impl Shader<'_> {
    fn element(&mut self, class: StorageClass, id: u32, offset: u64) -> Result<Element, Diagnostic> {
        if let Some(&known) = self.interface.elements.get(&(class, id)) {
            return Ok(known);
        }
        let elements = match class {
            StorageClass::Input => &self.signatures.inputs,
            _ => &self.signatures.outputs,
        };
        let Some(element) = elements.iter().find(|element| element.id == id).cloned() else {
            let message = format!("expected the number of an element of the signature, found {id}");
            return Err(at_bit(Code::Operation, offset, message));
        };
        let Some(number) = number_of(element.component) else {
            let message = format!("elements of type {} are not supported in signatures", element.component.name());
            return Err(unsupported(offset, message));
        };
        let declared = self.declare_element(class, &element, number, offset)?;
        self.interface.elements.insert((class, id), declared);
        Ok(declared)
    }

    fn declare_element(
        &mut self,
        class: StorageClass,
        element: &SignatureElement,
        number: Number,
        offset: u64,
    ) -> Result<Element, Diagnostic> {
        let semantic = element.semantic;
        if matches!(semantic, SemanticKind::ClipDistance | SemanticKind::CullDistance) {
            return self.distances(class, element);
        }
        if let Some((built_in, number, columns)) = self.built_in_of(class, element, offset)? {
            let ty = self.numbers_type(number, columns);
            let ty = if built_in == BuiltIn::SampleMask { self.array_type(ty, 1, None) } else { ty };
            let variable = self.built_in_variable(class, built_in, ty);
            if built_in == BuiltIn::FragCoord && is_per_sample(element.interpolation) {
                self.need(Capability::SampleRateShading);
                self.decorate(variable, Decoration::Sample);
            }
            let shape = match (built_in, columns) {
                (BuiltIn::SampleMask, _) => Shape::Rows { rows: 1, columns: 1 },
                (_, 1) => Shape::Scalar,
                _ => Shape::Vector { columns },
            };
            return Ok(Element { variable, class, number, signedness: Signedness::Unsigned, shape, semantic });
        }
        let signedness = signedness(element.component);
        let row = self.component_type(number, signedness, element.columns);
        let (ty, shape) = match (element.rows, element.columns) {
            (1, 1) => (row, Shape::Scalar),
            (1, columns) => (row, Shape::Vector { columns }),
            (rows, columns) => (self.array_type(row, rows, None), Shape::Rows { rows, columns }),
        };
        let variable = self.build.global_variable(class, ty);
        let (Some(location), Some(component)) = (element.first_row, element.first_column) else {
            let message = format!("elements without a place are not supported in signatures: {}", element.name);
            return Err(unsupported(offset, message));
        };
        if component + element.columns > 4 {
            let message =
                format!("expected an element of the signature with at most 4 columns of a row: {}", element.name);
            return Err(at_bit(Code::Metadata, offset, message));
        }
        self.build.add_decoration(variable, decoration::Location(location));
        if component != 0 {
            self.build.add_decoration(variable, decoration::Component(component));
        }
        let direction = if class == StorageClass::Input { "in" } else { "out" };
        let index = element.indices.first().copied().unwrap_or(0);
        self.set_name(variable, &format!("{direction}_{}{index}", element.name));
        if matches!(element.component, ComponentType::F16 | ComponentType::I16 | ComponentType::U16) {
            self.decorate(variable, Decoration::RelaxedPrecision);
        }
        if class == StorageClass::Input && self.kind == ShaderKind::Pixel {
            self.interpolate(variable, element.interpolation, number);
        }
        self.interface.variables.push(variable);
        Ok(Element { variable, class, number, signedness, shape, semantic })
    }

    fn interpolate(&mut self, variable: Inst, interpolation: Interpolation, number: Number) {
        use Interpolation::*;
        if interpolation == Constant || number.kind != Kind::Float {
            self.decorate(variable, Decoration::Flat);
            return;
        }
        if matches!(interpolation, LinearNoPerspective | LinearNoPerspectiveCentroid | LinearNoPerspectiveSample) {
            self.decorate(variable, Decoration::NoPerspective);
        }
        if matches!(interpolation, LinearCentroid | LinearNoPerspectiveCentroid) {
            self.decorate(variable, Decoration::Centroid);
        }
        if is_per_sample(interpolation) {
            self.need(Capability::SampleRateShading);
            self.decorate(variable, Decoration::Sample);
        }
    }

    /// The built-in that an element is, with its type; none for elements that have a location.
    fn built_in_of(
        &mut self,
        class: StorageClass,
        element: &SignatureElement,
        offset: u64,
    ) -> Result<Option<(BuiltIn, Number, u32)>, Diagnostic> {
        use ShaderKind::{Pixel, Vertex};
        let is_input = class == StorageClass::Input;
        Ok(Some(match (element.semantic, self.kind, is_input) {
            (SemanticKind::User, ..) | (SemanticKind::Target, Pixel, false) => return Ok(None),
            // The vertex shader of Direct3D may name its own inputs so.
            (SemanticKind::Position, Vertex, true) => return Ok(None),
            (SemanticKind::Position, Pixel, true) => (BuiltIn::FragCoord, Number::F32, 4),
            (SemanticKind::Position, _, false) => (BuiltIn::Position, Number::F32, 4),
            (SemanticKind::VertexId, Vertex, true) => {
                self.assume(
                    AssumptionCode::FirstVertex,
                    "SV_VertexID counts from the first vertex of the draw, which is taken for 0",
                );
                (BuiltIn::VertexIndex, Number::U32, 1)
            }
            (SemanticKind::InstanceId, Vertex, true) => {
                self.assume(
                    AssumptionCode::FirstInstance,
                    "SV_InstanceID counts from the first instance of the draw, which is taken for 0",
                );
                (BuiltIn::InstanceIndex, Number::U32, 1)
            }
            (SemanticKind::IsFrontFace, Pixel, true) => (BuiltIn::FrontFacing, Number::BOOL, 1),
            (SemanticKind::SampleIndex, Pixel, true) => {
                self.need(Capability::SampleRateShading);
                (BuiltIn::SampleId, Number::U32, 1)
            }
            (SemanticKind::PrimitiveId, Pixel, true) => {
                self.need(Capability::Geometry);
                (BuiltIn::PrimitiveId, Number::U32, 1)
            }
            (SemanticKind::Coverage, Pixel, _) => (BuiltIn::SampleMask, Number::U32, 1),
            (SemanticKind::Depth | SemanticKind::DepthLessEqual | SemanticKind::DepthGreaterEqual, Pixel, false) => {
                self.interface.depth = Some(element.semantic);
                (BuiltIn::FragDepth, Number::F32, 1)
            }
            (SemanticKind::StencilRef, Pixel, false) => {
                self.need(Capability::StencilExportEXT);
                self.need_extension("SPV_EXT_shader_stencil_export");
                (BuiltIn::FragStencilRefEXT, Number::U32, 1)
            }
            (SemanticKind::RenderTargetArrayIndex, Pixel, true) => {
                self.need(Capability::Geometry);
                (BuiltIn::Layer, Number::U32, 1)
            }
            (SemanticKind::ViewportArrayIndex, Pixel, true) => {
                self.need(Capability::MultiViewport);
                (BuiltIn::ViewportIndex, Number::U32, 1)
            }
            (SemanticKind::RenderTargetArrayIndex, Vertex, false) => {
                self.need(Capability::ShaderViewportIndexLayerEXT);
                self.need_extension("SPV_EXT_shader_viewport_index_layer");
                (BuiltIn::Layer, Number::U32, 1)
            }
            (SemanticKind::ViewportArrayIndex, Vertex, false) => {
                self.need(Capability::ShaderViewportIndexLayerEXT);
                self.need_extension("SPV_EXT_shader_viewport_index_layer");
                (BuiltIn::ViewportIndex, Number::U32, 1)
            }
            // What only passes through a stage has a location like any other element.
            (SemanticKind::PrimitiveId | SemanticKind::InstanceId | SemanticKind::VertexId, _, _)
                if element.first_row.is_some() =>
            {
                return Ok(None);
            }
            (semantic, kind, _) => {
                let message = format!("{} of a {} shader is not supported", semantic.name(), kind.name());
                return Err(unsupported(offset, message));
            }
        }))
    }

    /// A pixel shader whose signature has an input of samples runs for each sample, also if it does not read that input.
    pub(super) fn run_for_samples(&mut self) {
        let asks = |element: &SignatureElement| {
            element.semantic == SemanticKind::SampleIndex || is_per_sample(element.interpolation)
        };
        let is_asked = self.kind == ShaderKind::Pixel && self.signatures.inputs.iter().any(asks);
        if is_asked && !self.needs(Capability::SampleRateShading) {
            self.need(Capability::SampleRateShading);
            let ty = self.number_type(Number::U32);
            self.built_in_variable(StorageClass::Input, BuiltIn::SampleId, ty);
        }
    }

    /// Clip and cull distances: all elements of a kind are one array of scalars, in the order of their indices.
    fn distances(&mut self, class: StorageClass, element: &SignatureElement) -> Result<Element, Diagnostic> {
        let elements = match class {
            StorageClass::Input => &self.signatures.inputs,
            _ => &self.signatures.outputs,
        };
        let mut same: Vec<&SignatureElement> =
            elements.iter().filter(|other| other.semantic == element.semantic).collect();
        same.sort_by_key(|other| (other.indices.first().copied(), other.id));
        let size = |element: &SignatureElement| element.rows * element.columns;
        let total: u32 = same.iter().map(|element| size(element)).sum();
        let before = same.iter().take_while(|other| other.id != element.id);
        let first: u32 = before.map(|element| size(element)).sum();
        let (built_in, capability) = match element.semantic {
            SemanticKind::ClipDistance => (BuiltIn::ClipDistance, Capability::ClipDistance),
            _ => (BuiltIn::CullDistance, Capability::CullDistance),
        };
        self.need(capability);
        let ty = self.number_type(Number::F32);
        let ty = self.array_type(ty, total, None);
        let variable = self.built_in_variable(class, built_in, ty);
        let shape = Shape::Distances { first, rows: element.rows, columns: element.columns };
        Ok(Element {
            variable,
            class,
            number: Number::F32,
            signedness: Signedness::Unsigned,
            shape,
            semantic: element.semantic,
        })
    }

    /// The variable of a built-in.
    pub(super) fn built_in_variable(&mut self, class: StorageClass, built_in: BuiltIn, ty: Inst) -> Inst {
        let key = (class, built_in as u32);
        if let Some(&known) = self.interface.built_ins.get(&key) {
            return known;
        }
        let variable = self.build.global_variable(class, ty);
        self.build.add_decoration(variable, decoration::BuiltIn(built_in));
        let is_integer = self.build.module().op(ty) == Op::TypeInt;
        if class == StorageClass::Input && self.kind == ShaderKind::Pixel && is_integer {
            self.decorate(variable, Decoration::Flat);
        }
        self.set_name(variable, &format!("{built_in:?}"));
        self.interface.built_ins.insert(key, variable);
        self.interface.variables.push(variable);
        variable
    }
}

fn is_per_sample(interpolation: Interpolation) -> bool {
    matches!(interpolation, Interpolation::LinearSample | Interpolation::LinearNoPerspectiveSample)
}

/// The number that components are in the interface: 16 bits are 32 there.
fn number_of(component: ComponentType) -> Option<Number> {
    use ComponentType::*;
    match component {
        I1 | I16 | U16 | I32 | U32 => Some(Number::U32),
        F16 | F32 | SNormF16 | UNormF16 | SNormF32 | UNormF32 => Some(Number::F32),
        _ => None,
    }
}

impl Element {
    /// The type of a component.
    fn component_type(&self, body: &mut Body<'_, '_>) -> Inst {
        body.shader.component_type(self.number, self.signedness, 1)
    }
}

/// Elements.
impl Body<'_, '_> {
    /// The value of a built-in that is read.
    pub(super) fn built_in(&mut self, built_in: BuiltIn, ty: Inst) -> Inst {
        let variable = self.shader.built_in_variable(StorageClass::Input, built_in, ty);
        self.emit(Op::Load, ty, &[variable])
    }

    fn element_of(&mut self, call: &Call<'_>, class: StorageClass) -> Result<Element, Diagnostic> {
        let Some(id) = self.known_integer(call.arguments[0]) else {
            return Err(self.invalid("expected a constant number of an element of the signature"));
        };
        self.shader.element(class, id as u32, self.offset)
    }

    /// The address of a component.
    fn element_address(&mut self, element: Element, row: ValueId, column: u32) -> Result<Inst, Diagnostic> {
        let column_index = self.shader.u32(column);
        let indices = match element.shape {
            Shape::Scalar => return Ok(element.variable),
            Shape::Vector { .. } => vec![column_index],
            Shape::Rows { columns, .. } => {
                let row = self.value(row)?;
                if columns > 1 { vec![row, column_index] } else { vec![row] }
            }
            Shape::Distances { first, columns, .. } => {
                let index = match self.known_integer(row) {
                    Some(row) => self.shader.u32(first + row as u32 * columns + column),
                    None => {
                        let (ty, row) = (self.shader.int_type(32), self.value(row)?);
                        let (columns, rest) = (self.shader.u32(columns), self.shader.u32(first + column));
                        let start = self.emit(Op::IMul, ty, &[row, columns]);
                        self.emit(Op::IAdd, ty, &[start, rest])
                    }
                };
                vec![index]
            }
        };
        let ty = element.component_type(self);
        let pointer = self.shader.pointer_type(element.class, ty);
        let operands: Vec<Inst> = std::iter::once(element.variable).chain(indices).collect();
        Ok(self.emit(Op::AccessChain, pointer, &operands))
    }

    /// A component as the number that an operation says.
    fn element_value(&mut self, element: Element, to: Number, value: Inst) -> Inst {
        let ty = self.shader.number_type(to);
        if element.number == Number::BOOL {
            let (one, zero) = (self.shader.constant(to, 1), self.shader.constant(to, 0));
            return self.emit(Op::Select, ty, &[value, one, zero]);
        }
        let inst = match (element.number.kind, to.kind, to.represented) {
            (Kind::Int, Kind::Int, 16) => self.emit(Op::UConvert, ty, &[value]),
            (Kind::Float, Kind::Float, 16) => self.emit(Op::FConvert, ty, &[value]),
            _ => self.reinterpreted(ty, value),
        };
        self.relax_number(inst, to);
        inst
    }
}

pub(super) fn load_input(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let element = body.element_of(call, StorageClass::Input)?;
    let column = call.constant(body, 2) as u32;
    check_place(body, element, call.arguments[1], column)?;
    let address = body.element_address(element, call.arguments[1], column)?;
    let ty = element.component_type(body);
    if call.overload.represented == 16 && call.overload.kind != element.number.kind {
        return Err(body.invalid("expected a value of the type of the element of the signature"));
    }
    let mut value = body.emit(Op::Load, ty, &[address]);
    let is_position = element.semantic == SemanticKind::Position && body.shader.kind == ShaderKind::Pixel;
    if is_position && column == 3 {
        let one = body.shader.f32(1.0);
        value = body.emit(Op::FDiv, ty, &[one, value]);
    }
    Ok(Translated::Value(body.element_value(element, call.overload, value)))
}

pub(super) fn store_output(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let element = body.element_of(call, StorageClass::Output)?;
    let column = call.constant(body, 2) as u32;
    check_place(body, element, call.arguments[1], column)?;
    let value = match call.overload.kind {
        Kind::Int if element.number.kind == Kind::Int => body.signed(call.arguments[3])?,
        _ => body.value(call.arguments[3])?,
    };
    let ty = element.component_type(body);
    if call.overload.represented == 16 && call.overload.kind != element.number.kind {
        return Err(body.invalid("expected a value of the type of the element of the signature"));
    }
    let value = match (call.overload.kind, call.overload.represented) {
        (Kind::Int, 16) => body.emit(Op::SConvert, ty, &[value]),
        (Kind::Float, 16) => body.emit(Op::FConvert, ty, &[value]),
        _ => body.reinterpreted(ty, value),
    };
    if let Shape::Vector { columns } = element.shape {
        let outputs = &mut body.outputs;
        let index = match outputs.iter().position(|output| output.element.variable == element.variable) {
            Some(index) => index,
            None => {
                outputs.push(Output { element, columns: [None; 4] });
                outputs.len() - 1
            }
        };
        body.outputs[index].columns[column as usize] = Some(value);
        if body.outputs[index].columns[..columns as usize].iter().all(Option::is_some) {
            let output = body.outputs.remove(index);
            body.write_output(output);
        }
        return Ok(Translated::Nothing);
    }
    let address = body.element_address(element, call.arguments[1], column)?;
    body.effect(Op::Store, &[address, value]);
    Ok(Translated::Nothing)
}

/// Columns of an output that are stored in the same block. Nothing reads outputs, so they can be stored together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    element: Element,
    columns: [Option<Inst>; 4],
}

impl Body<'_, '_> {
    /// Stores the outputs that wait for more columns, at the end of a block or before a call.
    pub(super) fn write_outputs(&mut self) {
        for output in std::mem::take(&mut self.outputs) {
            self.write_output(output);
        }
    }

    fn write_output(&mut self, output: Output) {
        let Shape::Vector { columns } = output.element.shape else { unreachable!("invariant: only vectors wait") };
        let values: Vec<Inst> = output.columns.iter().flatten().copied().collect();
        if values.len() == columns as usize {
            let vector = self.shader.component_type(output.element.number, output.element.signedness, columns);
            let vector = self.emit(Op::CompositeConstruct, vector, &values);
            self.effect(Op::Store, &[output.element.variable, vector]);
            return;
        }
        let ty = output.element.component_type(self);
        let pointer = self.shader.pointer_type(output.element.class, ty);
        for (column, value) in (0..).zip(output.columns) {
            let Some(value) = value else { continue };
            let column = self.shader.u32(column);
            let address = self.emit(Op::AccessChain, pointer, &[output.element.variable, column]);
            self.effect(Op::Store, &[address, value]);
        }
    }
}

/// Checks that an element has a component.
fn check_place(body: &Body<'_, '_>, element: Element, row: ValueId, column: u32) -> Result<(), Diagnostic> {
    let (rows, columns) = match element.shape {
        Shape::Scalar => (1, 1),
        Shape::Vector { columns } => (1, columns),
        Shape::Rows { rows, columns } | Shape::Distances { rows, columns, .. } => (rows, columns),
    };
    let has_row = body.known_integer(row).is_none_or(|row| row < u64::from(rows));
    match has_row && column < columns {
        true => Ok(()),
        false => Err(body.invalid("expected a row and column that the element of the signature has")),
    }
}

pub(super) fn interpolate_at_offset(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    // The offset counts sixteenths of a pixel, in four bits with a sign.
    let (ty, float, vector) =
        (body.shader.int_type(32), body.shader.number_type(Number::F32), body.shader.numbers_type(Number::F32, 2));
    let (zero, four, scale) = (body.shader.u32(0), body.shader.u32(4), body.shader.f32(1.0 / 16.0));
    let mut parts = Vec::with_capacity(2);
    for &argument in &call.arguments[3..5] {
        let steps = body.value(argument)?;
        let steps = body.emit(Op::BitFieldSExtract, ty, &[steps, zero, four]);
        let steps = body.emit(Op::ConvertSToF, float, &[steps]);
        parts.push(body.emit(Op::FMul, float, &[steps, scale]));
    }
    let offset = body.emit(Op::CompositeConstruct, vector, &parts);
    interpolate(body, call, GlslStd450Op::InterpolateAtOffset, Some(offset))
}

pub(super) fn interpolate_at_sample(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let sample = body.value(call.arguments[3])?;
    interpolate(body, call, GlslStd450Op::InterpolateAtSample, Some(sample))
}

pub(super) fn interpolate_at_centroid(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    interpolate(body, call, GlslStd450Op::InterpolateAtCentroid, None)
}

fn interpolate(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    instruction: GlslStd450Op,
    at: Option<Inst>,
) -> Result<Translated, Diagnostic> {
    if body.shader.kind != ShaderKind::Pixel {
        return Err(body.invalid(format!("expected the operation {} in pixel shaders alone", call.row.name)));
    }
    body.shader.need(Capability::InterpolationFunction);
    let element = body.element_of(call, StorageClass::Input)?;
    let column = call.constant(body, 2) as u32;
    check_place(body, element, call.arguments[1], column)?;
    if !element.number.is_float() {
        return Err(body.invalid(format!("expected an element of floats for the operation {}", call.row.name)));
    }
    let address = body.element_address(element, call.arguments[1], column)?;
    let ty = body.shader.number_type(element.number);
    let operands: Vec<Inst> = std::iter::once(address).chain(at).collect();
    let value = body.extended(instruction, ty, &operands);
    Ok(Translated::Value(body.element_value(element, call.overload, value)))
}

pub(super) fn sample_index(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    pixel_value(body, call, BuiltIn::SampleId, Capability::SampleRateShading)
}

pub(super) fn primitive_id(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    pixel_value(body, call, BuiltIn::PrimitiveId, Capability::Geometry)
}

pub(super) fn view_index(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    body.shader.need_extension("SPV_KHR_multiview");
    body.shader.need(Capability::MultiView);
    let ty = body.shader.number_type(call.overload);
    Ok(Translated::Value(body.built_in(BuiltIn::ViewIndex, ty)))
}

fn pixel_value(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    built_in: BuiltIn,
    capability: Capability,
) -> Result<Translated, Diagnostic> {
    check_pixel(body, call)?;
    body.shader.need(capability);
    let ty = body.shader.number_type(call.overload);
    Ok(Translated::Value(body.built_in(built_in, ty)))
}

pub(super) fn coverage(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    check_pixel(body, call)?;
    let ty = body.shader.number_type(call.overload);
    let masks = body.shader.array_type(ty, 1, None);
    let variable = body.shader.built_in_variable(StorageClass::Input, BuiltIn::SampleMask, masks);
    let (zero, pointer) = (body.shader.u32(0), body.shader.pointer_type(StorageClass::Input, ty));
    let address = body.emit(Op::AccessChain, pointer, &[variable, zero]);
    Ok(Translated::Value(body.emit(Op::Load, ty, &[address])))
}

pub(super) fn is_helper(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let ty = body.shader.build.bool_type();
    if check_pixel(body, call).is_err() {
        return Ok(Translated::Value(body.shader.build.constant_bool(false)));
    }
    body.shader.need(Capability::DemoteToHelperInvocation);
    body.shader.need_extension("SPV_EXT_demote_to_helper_invocation");
    Ok(Translated::Value(body.emit(Op::IsHelperInvocationEXT, ty, &[])))
}

fn check_pixel(body: &Body<'_, '_>, call: &Call<'_>) -> Result<(), Diagnostic> {
    match body.shader.kind {
        ShaderKind::Pixel => Ok(()),
        kind => Err(body.invalid(format!("expected no operation {} in a {} shader", call.row.name, kind.name()))),
    }
}
