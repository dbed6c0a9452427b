//! Addresses: pointers to buffers that are numbers (storage class `PhysicalStorageBuffer`).
//!
//! An address is an integer of 64 bits, so it is stored, passed and computed like any number. Where the module goes through it, GLSL makes a
//! reference of it (`glsl/references.rs`), and MSL a pointer (`msl/addresses.rs`).
//!
//! ```text
//! ptr_access_chain %p, %i, 1        (elements of 16 bytes, a member at 4)      ⇒      p + uint64_t(i) * 16ul + 4ul
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{MatrixStride, Offset};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::Decoration;

use super::super::resources::innermost;
use super::super::uses::is_address;
use super::super::{Lowering, Target};
use super::Body;
use crate::syntax::{Binary, Expr, Literal, Scalar, ScalarKind, Type, TypeShape};
use crate::write::WriteCode;

/// The numbers that addresses are.
pub(in crate::lower) const ADDRESS: Scalar = Scalar { kind: ScalarKind::Uint, width: 64 };

impl Lowering<'_> {
    /// The type of addresses.
    ///
    /// # Errors
    /// The language has none.
    pub(in crate::lower) fn address_type(&mut self, pointer: Inst) -> Result<Type, Diagnostic> {
        let since = match self.target {
            Target::Glsl(_) => "",
            Target::Msl(_) => " before MSL 2.2",
            _ => {
                let message =
                    format!("a 64-bit address in {}; GLSL for Vulkan and MSL have them", self.target.language());
                return self.refuse(WriteCode::Pointer, pointer, message);
            }
        };
        match self.has_scalar(ADDRESS, pointer) {
            true => Ok(self.text.types.of(TypeShape::Scalar(ADDRESS))),
            false => self.refuse(WriteCode::Pointer, pointer, format!("a 64-bit address{since}")),
        }
    }

    /// Refuses a matrix behind an address: its order and its stride are those of the member of a struct, and there is none.
    pub(in crate::lower) fn check_behind(&self, pointee: Inst) -> Result<(), Diagnostic> {
        match self.source.type_view(innermost(self.source, pointee)) {
            Some(TypeView::Matrix { .. }) => {
                let message = "an address of a matrix that is no member of a struct, so nothing says its layout";
                self.refuse(WriteCode::Layout, pointee, message)
            }
            _ => Ok(()),
        }
    }
}

impl Body<'_, '_> {
    /// Returns whether a value is an address.
    pub(in crate::lower) fn is_address(&self, value: Inst) -> bool {
        is_address(self.source, value) && matches!(self.cx.target, Target::Glsl(_) | Target::Msl(_))
    }

    /// Conversions, comparisons and sums of addresses; `false` for all else.
    pub(in crate::lower) fn address_op(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let op = self.source.op(inst);
        let operands: Vec<Inst> = self.source.operands(inst).collect();
        let is_one = |value: &Inst| self.is_address(*value);
        if !(is_one(&inst) || operands.iter().any(is_one)) {
            return Ok(false);
        }
        let value = match (op, &operands[..]) {
            (Op::Bitcast | Op::ConvertPtrToU | Op::ConvertUToPtr, &[operand]) => {
                let ty = self.cx.type_of(inst)?;
                let operand = self.value_as(operand, ScalarKind::Uint)?;
                let (from, to) = (self.numbers_of(operand), self.numbers_of_type(ty));
                match op == Op::Bitcast || from.scalar.width == to.scalar.width {
                    true => self.bit_cast(operand, ty, inst)?,
                    // An integer of another width is filled up with zeros, or cut.
                    false => self.construct([operand], ty),
                }
            }
            (Op::PtrEqual | Op::PtrNotEqual, &[left, right]) => {
                let ty = self.cx.type_of(inst)?;
                let (left, right) = (self.value(left)?, self.value(right)?);
                let operator = if op == Op::PtrEqual { Binary::Equal } else { Binary::NotEqual };
                self.binary(operator, left, right, ty)
            }
            (Op::PtrDiff, &[left, right]) => self.difference(inst, [left, right])?,
            (Op::PtrAccessChain | Op::InBoundsPtrAccessChain, _) => self.address_of_part(inst)?,
            _ => return Ok(false),
        };
        self.define(inst, value)?;
        Ok(true)
    }

    /// The number of elements between two addresses.
    fn difference(&mut self, inst: Inst, [left, right]: [Inst; 2]) -> Result<Expr, Diagnostic> {
        let stride = self.element_stride(left)?;
        let (left, right) = (self.value(left)?, self.value(right)?);
        let address = self.type_of(left);
        let bytes = self.binary(Binary::Subtract, left, right, address);
        let bytes = self.cast(bytes, ScalarKind::Int);
        let signed = self.type_of(bytes);
        let stride = self.cx.literal(Literal::Int(i64::from(stride)), signed);
        let elements = self.binary(Binary::Divide, bytes, stride, signed);
        let ty = self.cx.type_of(inst)?;
        Ok(if ty == signed { elements } else { self.construct([elements], ty) })
    }

    /// The bytes from an element that a pointer points to up to the next one.
    fn element_stride(&self, pointer: Inst) -> Result<u32, Diagnostic> {
        let stride = self.source.ty(pointer).and_then(|ty| self.source.array_stride(ty)).filter(|&stride| stride > 0);
        match stride {
            Some(stride) => Ok(stride),
            None => self.refuse(WriteCode::Pointer, pointer, "a step from an address whose type has no stride"),
        }
    }

    /// The address that an access chain computes: the one that it begins with, and the bytes up to the part.
    pub(in crate::lower) fn address_of_part(&mut self, chain: Inst) -> Result<Expr, Diagnostic> {
        let (mut chains, mut base) = (Vec::new(), chain);
        // A chain that steps to another element has a name of its own.
        while let Some(found) =
            view::Chain::of(self.source, base).filter(|found| found.element.is_none() || base == chain)
        {
            chains.push(found);
            base = found.base;
            while self.source.op(base) == Op::CopyObject {
                base = self.source.operand(base, 0);
            }
        }
        let Some(pointee) = self.source.pointee(base) else { return self.unknown(chain) };
        let mut sum = Sum { address: self.value(base)?, known: 0 };
        let mut part = Part { ty: pointee, matrix_stride: None };
        for found in chains.into_iter().rev() {
            if let Some(element) = found.element {
                let stride = self.element_stride(found.base)?;
                self.step(&mut sum, element, stride)?;
            }
            for index in found.indexes {
                self.step_into(&mut sum, &mut part, index, chain)?;
            }
        }
        if sum.known == 0 {
            return Ok(sum.address);
        }
        let ty = self.type_of(sum.address);
        let bytes = self.cx.literal(Literal::Uint(sum.known.unsigned_abs()), ty);
        let operator = if sum.known > 0 { Binary::Add } else { Binary::Subtract };
        Ok(self.binary(operator, sum.address, bytes, ty))
    }

    /// Adds the bytes up to a part.
    fn step_into(&mut self, sum: &mut Sum, part: &mut Part, index: Inst, place: Inst) -> Result<(), Diagnostic> {
        let whole = part.ty;
        let member = self.word(index);
        let Some(ty) = self.source.part_type(whole, member.unwrap_or(0) as usize) else {
            return self.refuse(WriteCode::Pointer, place, "an access chain that leaves its type");
        };
        part.ty = ty;
        let stride = match self.source.type_view(whole) {
            Some(TypeView::Struct { .. }) => {
                let notes = self.source.decorated(whole).member(member.unwrap_or(0));
                part.matrix_stride = notes.find().map(|MatrixStride(stride)| stride);
                part.matrix_stride = part.matrix_stride.filter(|_| !notes.has(Decoration::RowMajor));
                let Some(Offset(offset)) = notes.find() else {
                    return self.refuse(WriteCode::Pointer, place, "an address of a member without an offset");
                };
                sum.known += i64::from(offset);
                return Ok(());
            }
            Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }) => self.source.array_stride(whole),
            Some(TypeView::Matrix { .. }) => part.matrix_stride,
            Some(TypeView::Vector { component, .. }) => Some(u32::from(self.cx.scalar(component)?.width / 8)),
            _ => None,
        };
        match stride {
            Some(stride) => self.step(sum, index, stride),
            None => self.refuse(
                WriteCode::Pointer,
                place,
                "an address in a matrix that is stored in rows, or in an array without a stride",
            ),
        }
    }

    /// A constant of any width as the signed number that an index is.
    fn signed_constant(&self, index: Inst) -> Option<i64> {
        if self.source.op(index) == Op::ConstantNull {
            return Some(0);
        }
        let width =
            self.source.ty(index).and_then(|ty| self.source.width(ty)).filter(|width| (1..=64).contains(width))?;
        let bits = self.source.constant_bits(index).filter(|_| self.source.op(index) == Op::Constant)?;
        let unused = 64 - width;
        Some((bits << unused) as i64 >> unused)
    }

    /// Adds some elements. An index is a signed number.
    fn step(&mut self, sum: &mut Sum, index: Inst, stride: u32) -> Result<(), Diagnostic> {
        let known = self.signed_constant(index).and_then(|index| index.checked_mul(i64::from(stride)));
        if let Some(total) = known.and_then(|bytes| sum.known.checked_add(bytes)) {
            sum.known = total;
            return Ok(());
        }
        let ty = self.type_of(sum.address);
        let index = self.value_as(index, ScalarKind::Int)?;
        let mut bytes = match self.numbers_of(index).scalar.width {
            64 => self.cast(index, ScalarKind::Uint),
            _ => self.construct([index], ty),
        };
        if stride > 1 {
            let stride = self.cx.literal(Literal::Uint(u64::from(stride)), ty);
            bytes = self.binary(Binary::Multiply, bytes, stride, ty);
        }
        sum.address = self.binary(Binary::Add, sum.address, bytes, ty);
        Ok(())
    }
}

/// An address, and known bytes that are added to it.
struct Sum {
    address: Expr,
    known: i64,
}

/// The part that an access chain leads to.
struct Part {
    ty: Inst,
    /// The bytes between the columns of the matrices in it, if they are stored in columns.
    matrix_stride: Option<u32>,
}
