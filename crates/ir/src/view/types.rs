//! Types as an enum.

use spirv::StorageClass;

use super::Operands;
use crate::{Inst, Module, Op, view};

/// A type with its parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TypeView<'m> {
    /// `void`.
    Void,
    /// `bool`.
    Bool,
    /// An integer.
    Int {
        /// Bits.
        width: u32,
        /// SPIR-V's signedness, which operations ignore.
        is_signed: bool,
    },
    /// A floating-point number.
    Float {
        /// Bits.
        width: u32,
        /// True if the encoding is that of IEEE 754, so that the type names none.
        is_ieee: bool,
    },
    /// A vector.
    Vector {
        /// The type of a component.
        component: Inst,
        /// The number of components.
        count: u32,
    },
    /// A matrix.
    Matrix {
        /// The type of a column.
        column: Inst,
        /// The number of columns.
        count: u32,
    },
    /// An array.
    Array {
        /// The type of an element.
        element: Inst,
        /// The constant with the length.
        length: Inst,
    },
    /// An array whose length is known at run time.
    RuntimeArray {
        /// The type of an element.
        element: Inst,
    },
    /// A struct.
    Struct {
        /// The types of the members.
        members: Operands<'m>,
    },
    /// A pointer.
    Pointer {
        /// The storage class; none if the number has no name.
        storage_class: Option<StorageClass>,
        /// The pointee type.
        pointee: Inst,
    },
    /// A function.
    Function {
        /// The return type.
        result: Inst,
        /// The types of its parameters.
        parameters: Operands<'m>,
    },
    /// An image.
    Image(view::TypeImage),
    /// An image with its sampler.
    SampledImage {
        /// The image type.
        image: Inst,
    },
    /// A cooperative matrix of `SPV_KHR_cooperative_matrix`.
    CooperativeMatrix(view::TypeCooperativeMatrixKHR),
    /// A type without parts: a sampler, an event, a queue, a pipe …
    Other(Op),
}

impl<'m> TypeView<'m> {
    fn of(module: &'m Module, ty: Inst) -> Option<TypeView<'m>> {
        let found = match module.op(ty) {
            Op::TypeVoid => TypeView::Void,
            Op::TypeBool => TypeView::Bool,
            Op::TypeInt => {
                let view::TypeInt { width, signedness } = view::TypeInt::of(module, ty)?;
                TypeView::Int { width, is_signed: signedness != 0 }
            }
            Op::TypeFloat => {
                let view::TypeFloat { width, .. } = view::TypeFloat::of(module, ty)?;
                TypeView::Float { width, is_ieee: module.operand_count(ty) == Op::TypeFloat.required_operands() }
            }
            Op::TypeVector => {
                let view::TypeVector { component, count } = view::TypeVector::of(module, ty)?;
                TypeView::Vector { component, count }
            }
            Op::TypeMatrix => {
                let view::TypeMatrix { column, count } = view::TypeMatrix::of(module, ty)?;
                TypeView::Matrix { column, count }
            }
            Op::TypeArray => {
                let view::TypeArray { element, length } = view::TypeArray::of(module, ty)?;
                TypeView::Array { element, length }
            }
            Op::TypeRuntimeArray => TypeView::RuntimeArray { element: view::TypeRuntimeArray::of(module, ty)?.element },
            Op::TypeStruct => TypeView::Struct { members: view::TypeStruct::of(module, ty)?.members },
            Op::TypePointer => {
                let view::TypePointer { storage_class, pointee } = view::TypePointer::of(module, ty)?;
                TypeView::Pointer { storage_class, pointee }
            }
            Op::TypeFunction => {
                let view::TypeFunction { result, parameters } = view::TypeFunction::of(module, ty)?;
                TypeView::Function { result, parameters }
            }
            Op::TypeImage => TypeView::Image(view::TypeImage::of(module, ty)?),
            Op::TypeSampledImage => TypeView::SampledImage { image: view::TypeSampledImage::of(module, ty)?.image },
            Op::TypeCooperativeMatrixKHR => {
                TypeView::CooperativeMatrix(view::TypeCooperativeMatrixKHR::of(module, ty)?)
            }
            op => return op.is_type().then_some(TypeView::Other(op)),
        };
        Some(found)
    }
}

impl Module {
    /// The view of a type; `None` for anything that is not a type and for a malformed one.
    ///
    /// ```
    /// use reconverge_ir::{Builder, Module, Signedness, view::TypeView};
    /// use spirv::StorageClass;
    ///
    /// let mut module = Module::new();
    /// let mut build = Builder::new(&mut module);
    /// let int = build.int_type_of(32, Signedness::Signed);
    /// let pointer = build.pointer_type(StorageClass::Function, int);
    /// assert_eq!(module.type_view(int), Some(TypeView::Int { width: 32, is_signed: true }));
    /// let Some(TypeView::Pointer { storage_class, pointee }) = module.type_view(pointer) else { panic!() };
    /// assert_eq!((storage_class, pointee), (Some(StorageClass::Function), int));
    /// ```
    pub fn type_view(&self, ty: impl Into<Inst>) -> Option<TypeView<'_>> {
        TypeView::of(self, ty.into())
    }
}
