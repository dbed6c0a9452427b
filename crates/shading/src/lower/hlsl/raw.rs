//! Places in memory that is accessed at byte offsets: raw buffers, and constant buffers in a layout that the language does not give.
//!
//! ```text
//! %buffer.count                    ⇒      buffer, 0
//! %buffer.items[%i].position.y     ⇒      buffer, i * 32 + 20
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::super::function::Body;
use super::layout::MatrixLayout;
use crate::syntax::{Binary, Expr, GlobalId, Literal, Scalar, ScalarKind};
use crate::write::WriteCode;

/// The access to the bytes of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// By the methods of a raw buffer.
    Bytes,
    /// By registers of four words.
    Words,
}

/// A buffer that is accessed at byte offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    pub(super) global: GlobalId,
    pub(super) form: Form,
}

/// An offset in bytes: a constant, and names of indices with their strides.
#[derive(Clone, Default, Debug)]
pub(super) struct Offset {
    pub(super) constant: u32,
    pub(super) terms: Vec<(Expr, u32)>,
}

/// A place in a buffer.
#[derive(Clone, Debug)]
pub(super) struct RawPlace {
    pub(super) object: Expr,
    pub(super) form: Form,
    pub(super) is_written: bool,
    pub(super) offset: Offset,
    /// The type in the module.
    pub(super) ty: Inst,
    pub(super) matrix: MatrixLayout,
    /// The bytes from a component of a vector to the next one, if it is a column of a matrix in rows.
    pub(super) step: Option<u32>,
}

impl Offset {
    /// The offset some bytes further.
    pub(super) fn plus(&self, bytes: u32) -> Offset {
        Offset { constant: self.constant + bytes, terms: self.terms.clone() }
    }
}

impl Body<'_, '_> {
    /// The place of a pointer into memory that is accessed at byte offsets; `None` for another pointer.
    pub(super) fn raw_place(&mut self, pointer: Inst) -> Result<Option<RawPlace>, Diagnostic> {
        let (mut chains, mut base) = (Vec::new(), pointer);
        loop {
            match self.source.op(base) {
                Op::AccessChain | Op::InBoundsAccessChain => {
                    chains.push(base);
                    base = self.source.operand(base, 0);
                }
                Op::CopyObject => base = self.source.operand(base, 0),
                _ => break,
            }
        }
        let Some(&Buffer { global, form }) = self.cx.hlsl.raw.get(&base) else { return Ok(None) };
        let Some(ty) = self.source.pointee(base) else { return self.unknown(base) };
        let is_written = self.cx.text.global(global).is_written;
        let mut object = self.cx.global(global);
        if form == Form::Words {
            object = self.member(object, 0, pointer)?;
        }
        let (offset, matrix) = (Offset::default(), MatrixLayout::default());
        let mut place = RawPlace { object, form, is_written, offset, ty, matrix, step: None };
        for chain in chains.into_iter().rev() {
            let Some(found) = view::Chain::of(self.source, chain) else { return self.unknown(chain) };
            for index in found.indexes.to_vec() {
                self.raw_step(&mut place, index, pointer)?;
            }
        }
        Ok(Some(place))
    }

    /// Goes to a part of a place.
    fn raw_step(&mut self, place: &mut RawPlace, index: Inst, pointer: Inst) -> Result<(), Diagnostic> {
        match self.source.type_view(place.ty) {
            Some(TypeView::Struct { .. }) => {
                let number = self.word(index).unwrap_or(u32::MAX);
                let members = self.cx.placed_members(place.ty).unwrap_or_default();
                let Some(member) = members.get(number as usize) else {
                    return self.refuse(WriteCode::Layout, pointer, "a member without an offset");
                };
                place.offset.constant += member.offset;
                (place.ty, place.matrix) = (member.ty, member.matrix);
            }
            Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => {
                match self.source.array_stride(place.ty) {
                    Some(stride) => self.add_term(&mut place.offset, index, stride)?,
                    // An array of buffers.
                    None => {
                        let mut value = self.index(index)?;
                        let is_marked = |inst: Inst| self.source.decorated(inst).has(spirv::Decoration::NonUniform);
                        if is_marked(index) || is_marked(pointer) {
                            value = self.nonuniform(value, pointer);
                        }
                        place.object = self.element(place.object, value, pointer)?;
                    }
                }
                place.ty = element;
            }
            Some(TypeView::Matrix { column, .. }) => {
                let (component, rows) = self.source.components(column);
                let bytes = self.cx.bytes_of(component);
                let stride = place.matrix.stride.unwrap_or(bytes * rows);
                let (column_stride, step) =
                    if place.matrix.is_in_rows { (bytes, Some(stride)) } else { (stride, None) };
                self.add_term(&mut place.offset, index, column_stride)?;
                (place.ty, place.step) = (column, step);
            }
            Some(TypeView::Vector { component, .. }) => {
                let step = place.step.unwrap_or_else(|| self.cx.bytes_of(component));
                self.add_term(&mut place.offset, index, step)?;
                (place.ty, place.step) = (component, None);
            }
            _ => return self.refuse(WriteCode::Pointer, pointer, "an access chain that leaves its type"),
        }
        Ok(())
    }

    fn add_term(&mut self, offset: &mut Offset, index: Inst, stride: u32) -> Result<(), Diagnostic> {
        if let Some(number) = self.word(index) {
            offset.constant = offset.constant.wrapping_add(number.wrapping_mul(stride));
            return Ok(());
        }
        let value = self.index(index)?;
        let value = self.cast(value, ScalarKind::Uint);
        offset.terms.push((value, stride));
        Ok(())
    }

    /// The expression of an offset.
    pub(super) fn offset(&mut self, offset: &Offset) -> Expr {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let mut sum = None;
        for &(index, stride) in &offset.terms {
            let index = self.cx.text.expressions.copy(index);
            let term = match (stride, self.cx.text.expressions.literal(index)) {
                (1, _) => index,
                (_, Some(Literal::Uint(number))) => self.cx.word((number as u32).wrapping_mul(stride)),
                _ => {
                    let stride = self.cx.word(stride);
                    self.binary(Binary::Multiply, index, stride, word)
                }
            };
            sum = Some(match sum {
                Some(sum) => self.binary(Binary::Add, sum, term, word),
                None => term,
            });
        }
        match sum {
            None => self.cx.word(offset.constant),
            Some(sum) if offset.constant == 0 => sum,
            Some(sum) => {
                let constant = self.cx.word(offset.constant);
                self.binary(Binary::Add, sum, constant, word)
            }
        }
    }

    /// The same place under a name of its offset, so that parts of it can be reached from there.
    pub(super) fn with_named_offset(&mut self, place: RawPlace) -> RawPlace {
        if place.offset.terms.is_empty() || place.form == Form::Words {
            return place;
        }
        let whole = Offset { constant: 0, ..place.offset.clone() };
        let value = self.offset(&whole);
        let name = self.repeated(value);
        let term = self.local(name);
        let offset = Offset { constant: place.offset.constant, terms: vec![(term, 1)] };
        RawPlace { offset, ..place }
    }
}
