//! Loads and stores at byte offsets: number by number of composites, vectors as wholes.
//!
//! ```text
//! buffer.Load2(i * 8)      buffer.Load<float4>(16)      asfloat(buffer.Load4(16))      asfloat(words[1])
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use super::raw::{Form, Offset, RawPlace};
use crate::syntax::{
    Arguments, Binary, Effects, Expr, Local, LocalKind, Scalar, ScalarKind, Shape, StatementKind, Type, TypeShape,
};
use crate::write::{Language, WriteCode};

/// The maximum number of elements of an array that is loaded or stored as a whole.
const MOST_ELEMENTS: u32 = 64;

const LOADS: [&str; 4] = ["Load", "Load2", "Load3", "Load4"];
const STORES: [&str; 4] = ["Store", "Store2", "Store3", "Store4"];

impl Body<'_, '_> {
    /// A matrix whose vectors an index selects at run time: a copy of one in a constant buffer that is not square, because DXC confuses the
    /// counts of its rows and columns there.
    pub(in crate::lower) fn hlsl_matrix_to_index(&mut self, matrix: Expr, index: Expr) -> Expr {
        let ty = self.type_of(matrix);
        let is_square = match self.cx.text.types[ty] {
            TypeShape::Matrix { columns, rows, .. } => columns == rows,
            _ => true,
        };
        let root = self.cx.text.expressions.root(matrix);
        let is_constant = match self.cx.text.expressions[root].shape {
            Shape::Global(global) => !self.cx.text.global(global).is_written,
            _ => false,
        };
        let is_known = self.cx.text.expressions.literal(index).is_some();
        if self.cx.target.language() != Language::Hlsl || is_square || !is_constant || is_known {
            return matrix;
        }
        self.cx.text.expressions.set_effects(matrix, Effects::PINNED);
        let local = Local { name: Some("matrix".to_owned()), ty, kind: LocalKind::Value, prefix: "" };
        let local = self.function.add(local);
        self.statement(StatementKind::Declare { local, value: Some(matrix) });
        self.local(local)
    }

    /// The value that a pointer points to.
    pub(in crate::lower) fn hlsl_read_memory(&mut self, pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        if self.is_point_size(pointer) {
            return self.point_size(inst);
        }
        let is_output = self.source.storage_class(pointer) == Some(spirv::StorageClass::Output);
        if is_output && self.cx.stage() == spirv::ExecutionModel::MeshEXT {
            return self.refuse(WriteCode::Interface, inst, "a load of an output of a mesh shader in HLSL");
        }
        match self.raw_place(pointer)? {
            Some(place) => self.raw_load(place, inst),
            None => match self.whole_vertices(pointer, inst)? {
                Some(value) => Ok(value),
                None => self.read_place(pointer, inst),
            },
        }
    }

    /// Writes a value to where a pointer points.
    pub(in crate::lower) fn hlsl_write_memory(
        &mut self,
        pointer: Inst,
        value: Expr,
        inst: Inst,
    ) -> Result<(), Diagnostic> {
        if self.is_point_size(pointer) {
            return self.store_point_size(inst);
        }
        match self.raw_place(pointer)? {
            Some(place) => self.raw_store(place, value, inst),
            None if self.store_distances(pointer, value, inst)? => Ok(()),
            None => self.write_place(pointer, value, inst),
        }
    }

    /// Loads a value. The depth is that of the type.
    fn raw_load(&mut self, place: RawPlace, inst: Inst) -> Result<Expr, Diagnostic> {
        let wanted = self.cx.ty(place.ty)?;
        if self.is_leaf(&place) {
            let numbers = self.numbers_of_type(wanted);
            return self.load_numbers(&place, numbers, inst);
        }
        let place = self.with_named_offset(place);
        let mut parts = Arguments::new();
        for part in self.raw_parts(&place, inst)? {
            parts.push(self.raw_load(part, inst)?);
        }
        Ok(self.construct(parts, wanted))
    }

    /// Stores a value. The depth is that of the type.
    fn raw_store(&mut self, place: RawPlace, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        if self.is_leaf(&place) {
            let wanted = self.cx.ty(place.ty)?;
            let value = self.convert(value, wanted, inst)?;
            return self.store_numbers(&place, value, inst);
        }
        let place = self.with_named_offset(place);
        let name = self.repeated(value);
        for (number, part) in self.raw_parts(&place, inst)?.into_iter().enumerate() {
            let whole = self.local(name);
            let value = match self.source.type_view(place.ty) {
                Some(TypeView::Struct { .. }) => {
                    let member = self.cx.member_place(place.ty, number as u32);
                    self.member(whole, member, inst)?
                }
                Some(TypeView::Vector { .. }) => self.swizzle(whole, &[number as u8]),
                _ => {
                    let index = self.cx.int(number as i32);
                    self.element(whole, index, inst)?
                }
            };
            self.raw_store(part, value, inst)?;
        }
        Ok(())
    }

    /// Returns whether a place is loaded at once: a number, or a vector whose components are side by side.
    fn is_leaf(&self, place: &RawPlace) -> bool {
        match self.source.type_view(place.ty) {
            Some(TypeView::Int { .. } | TypeView::Float { .. }) => true,
            Some(TypeView::Vector { component, .. }) => {
                place.step.is_none_or(|step| step == self.cx.bytes_of(component))
            }
            _ => false,
        }
    }

    /// The places of the parts of a composite.
    fn raw_parts(&mut self, place: &RawPlace, inst: Inst) -> Result<Vec<RawPlace>, Diagnostic> {
        let at = |offset: u32, ty: Inst| RawPlace { offset: place.offset.plus(offset), ty, ..place.clone() };
        Ok(match self.source.type_view(place.ty) {
            Some(TypeView::Struct { .. }) => {
                let Some(members) = self.cx.placed_members(place.ty) else {
                    return self.refuse(WriteCode::Layout, inst, "a struct without offsets");
                };
                let part =
                    |member: super::layout::Placed| RawPlace { matrix: member.matrix, ..at(member.offset, member.ty) };
                members.into_iter().map(part).collect()
            }
            Some(TypeView::Array { element, length }) => {
                let (count, stride) = (self.source.constant_word(length), self.source.array_stride(place.ty));
                let (Some(count), Some(stride)) = (count, stride) else {
                    return self.refuse(WriteCode::Layout, inst, "an array without a length and a stride");
                };
                if count > MOST_ELEMENTS {
                    let message = format!("a load or store of an array of more than {MOST_ELEMENTS} elements in HLSL");
                    return self.refuse(WriteCode::Layout, inst, message);
                }
                (0..count).map(|number| at(number * stride, element)).collect()
            }
            Some(TypeView::Matrix { column, count }) => {
                let (component, rows) = self.source.components(column);
                let bytes = self.cx.bytes_of(component);
                let stride = place.matrix.stride.unwrap_or(bytes * rows);
                let (apart, step) = if place.matrix.is_in_rows { (bytes, Some(stride)) } else { (stride, None) };
                (0..count).map(|number| RawPlace { step, ..at(number * apart, column) }).collect()
            }
            Some(TypeView::Vector { component, count }) => {
                let step = place.step.unwrap_or_else(|| self.cx.bytes_of(component));
                (0..count).map(|number| RawPlace { step: None, ..at(number * step, component) }).collect()
            }
            _ => return self.refuse(WriteCode::Layout, inst, "a load or store of an array without a length"),
        })
    }

    pub(super) fn load_numbers(&mut self, place: &RawPlace, numbers: Numbers, inst: Inst) -> Result<Expr, Diagnostic> {
        if numbers.scalar.width == 8 {
            return self.load_bytes(place, numbers, inst);
        }
        if place.form == Form::Words {
            return self.load_words(place, numbers, inst);
        }
        let effects = if place.is_written { Effects::READS } else { Effects::PURE };
        let object = self.cx.text.expressions.copy(place.object);
        let arguments: Arguments = std::iter::once(self.offset(&place.offset)).collect();
        if self.is_typed(place, numbers) {
            let ty = self.type_of_numbers(numbers);
            return Ok(self.with_effects(Shape::Method { object, name: "Load<>", arguments }, ty, effects));
        }
        if numbers.scalar.width != 32 {
            return self.refuse_untyped(inst, "load", numbers.scalar.width);
        }
        let words = self.type_of_numbers(Numbers { scalar: Scalar::UINT, ..numbers });
        let name = LOADS[usize::from(numbers.size - 1)];
        let value = self.with_effects(Shape::Method { object, name, arguments }, words, effects);
        self.same_bits(value, numbers, inst)
    }

    fn store_numbers(&mut self, place: &RawPlace, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let numbers = self.numbers_of(value);
        if numbers.scalar.width == 8 {
            self.store_bytes(place, value);
            return Ok(());
        }
        let object = self.cx.text.expressions.copy(place.object);
        let offset = self.offset(&place.offset);
        let (name, value) = match (self.is_typed(place, numbers), numbers.scalar.width) {
            (true, _) => ("Store<>", value),
            (false, 32) => {
                let words = Numbers { scalar: Scalar::UINT, ..numbers };
                (STORES[usize::from(numbers.size - 1)], self.same_bits(value, words, inst)?)
            }
            (false, width) => return self.refuse_untyped(inst, "store", width),
        };
        let void = self.cx.text.types.of(TypeShape::Void);
        let arguments = [offset, value].into_iter().collect();
        let call = self.with_effects(Shape::Method { object, name, arguments }, void, Effects::WRITES);
        self.statement(StatementKind::Expression(call));
        Ok(())
    }

    /// Returns whether a load or store names its type. Buffers with an order of pixels have words alone.
    fn is_typed(&self, place: &RawPlace, numbers: Numbers) -> bool {
        let is_ordered = place.is_written && self.cx.orders_pixels();
        self.cx.target.hlsl().has(6, 0) && numbers.scalar != Scalar::UINT && !is_ordered
    }

    #[cold]
    fn refuse_untyped<T>(&self, inst: Inst, what: &str, width: u8) -> Result<T, Diagnostic> {
        let message = match self.cx.target.hlsl().has(6, 0) {
            true => format!("a {what} of {width} bits in a buffer with an order of pixels in HLSL"),
            false => format!("a {what} of {width} bits in HLSL 5; 6.0 has it"),
        };
        self.refuse(WriteCode::Op, inst, message)
    }

    /// Numbers from registers of four words.
    pub(super) fn load_words(&mut self, place: &RawPlace, numbers: Numbers, inst: Inst) -> Result<Expr, Diagnostic> {
        if numbers.scalar.width == 16 && place.offset.constant.is_multiple_of(2) {
            return self.load_bytes(place, numbers, inst);
        }
        if numbers.scalar.width != 32 || !place.offset.constant.is_multiple_of(4) {
            let message = format!("numbers of {} bits in this layout of a uniform block", numbers.scalar.width);
            return self.refuse(WriteCode::Layout, inst, message);
        }
        let words = Numbers { scalar: Scalar::UINT, ..numbers };
        let first = place.offset.constant / 4 % 4;
        let is_in_register = place.offset.terms.iter().all(|&(_, stride)| stride.is_multiple_of(16));
        let value = if is_in_register && first + u32::from(numbers.size) <= 4 {
            let offset = Offset { constant: place.offset.constant / 16 * 16, terms: place.offset.terms.clone() };
            let register = self.register(place, &offset, inst)?;
            let components: Vec<u8> = (0..numbers.size).map(|component| first as u8 + component).collect();
            if numbers.size == 4 { register } else { self.swizzle(register, &components) }
        } else {
            let mut parts = Vec::new();
            for component in 0..numbers.size {
                let offset = place.offset.plus(u32::from(component) * 4);
                parts.push(self.single_word(place, &offset, inst)?);
            }
            let ty = self.type_of_numbers(words);
            match parts[..] {
                [only] => only,
                _ => self.construct(parts, ty),
            }
        };
        self.same_bits(value, numbers, inst)
    }

    /// The register at an offset whose parts are all multiples of its size.
    fn register(&mut self, place: &RawPlace, offset: &Offset, inst: Inst) -> Result<Expr, Diagnostic> {
        let terms = offset.terms.iter().map(|&(index, stride)| (index, stride / 16)).collect();
        let index = self.offset(&Offset { constant: offset.constant / 16, terms });
        let object = self.cx.text.expressions.copy(place.object);
        self.element(object, index, inst)
    }

    fn single_word(&mut self, place: &RawPlace, offset: &Offset, inst: Inst) -> Result<Expr, Diagnostic> {
        if offset.terms.iter().all(|&(_, stride)| stride.is_multiple_of(16)) {
            let component = (offset.constant / 4 % 4) as u8;
            let aligned = Offset { constant: offset.constant / 16 * 16, terms: offset.terms.clone() };
            let register = self.register(place, &aligned, inst)?;
            return Ok(self.swizzle(register, &[component]));
        }
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let whole = self.offset(offset);
        let whole = self.repeated(whole);
        let (bytes, sixteen) = (self.local(whole), self.cx.word(16));
        let index = self.binary(Binary::Divide, bytes, sixteen, word);
        let object = self.cx.text.expressions.copy(place.object);
        let register = self.element(object, index, inst)?;
        let (bytes, four) = (self.local(whole), self.cx.word(4));
        let number = self.binary(Binary::Divide, bytes, four, word);
        let four = self.cx.word(4);
        let component = self.binary(Binary::Remainder, number, four, word);
        self.element(register, component, inst)
    }

    /// The length of the array at the end of a buffer: its bytes by the stride, or what a structured buffer says.
    pub(in crate::lower) fn hlsl_array_length(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ArrayLength { structure, member }) = view::ArrayLength::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let length = match self.raw_place(structure)? {
            Some(place) => {
                let members = self.cx.placed_members(place.ty).unwrap_or_default();
                let Some(array) = members.get(member as usize) else { return self.unknown(inst) };
                let Some(stride) = self.source.array_stride(array.ty) else { return self.unknown(inst) };
                let bytes = self.variable("bytes", word);
                let out = self.local(bytes);
                self.dimensions_call(place.object, &[out]);
                let mut value = self.local(bytes);
                if array.offset > 0 {
                    let offset = self.cx.word(array.offset);
                    value = self.binary(Binary::Subtract, value, offset, word);
                }
                if stride > 1 {
                    let stride = self.cx.word(stride);
                    value = self.binary(Binary::Divide, value, stride, word);
                }
                value
            }
            None => {
                let object = self.structured_buffer(structure, inst)?;
                let (count, stride) = (self.variable("count", word), self.variable("stride", word));
                let outs = [self.local(count), self.local(stride)];
                self.dimensions_call(object, &outs);
                self.local(count)
            }
        };
        let length = self.as_result(inst, length)?;
        self.define(inst, length)
    }

    /// The structured buffer of a block.
    fn structured_buffer(&mut self, structure: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        let mut base = structure;
        while self.source.op(base) == Op::CopyObject {
            base = self.source.operand(base, 0);
        }
        match self.cx.globals.get(&base).cloned() {
            Some(super::super::Place::Members(members)) => match members[..] {
                [Some(global)] => Ok(self.cx.global(global)),
                _ => self.unknown(inst),
            },
            _ => self.unknown(inst),
        }
    }

    /// A call of `GetDimensions`, which writes its arguments.
    pub(super) fn dimensions_call(&mut self, object: Expr, arguments: &[Expr]) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let arguments = arguments.iter().copied().collect();
        let call = self.with_effects(Shape::Method { object, name: "GetDimensions", arguments }, void, Effects::WRITES);
        self.statement(StatementKind::Expression(call));
    }

    /// The bits of numbers as numbers of the same count and width.
    fn same_bits(&mut self, value: Expr, numbers: Numbers, inst: Inst) -> Result<Expr, Diagnostic> {
        let ty: Type = self.type_of_numbers(numbers);
        match numbers.scalar.kind {
            ScalarKind::Bool => self.unknown(inst),
            _ => self.bit_cast(value, ty, inst),
        }
    }
}
