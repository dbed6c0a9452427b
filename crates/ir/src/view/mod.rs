//! Typed views: the operands of an instruction by name.
//!
//! The op table names operands, and its rows generate one struct for each op: plain data, copied out of the arena.
//! [`crate::Module::operand`] with a number is for code that treats all ops alike.
//!
//! ```
//! use reconverge_ir::{Inst, Module, text, view};
//!
//! let mut module = text::parse(
//!     "%u32 = type_int 32, 0
//!      %pointer = type_pointer StorageBuffer, %u32
//!      %void = type_void
//!      func %copy: %void (%from: %pointer, %to: %pointer) {
//!      block ^entry:
//!        %x: %u32 = load %from 2, 4
//!        store %to, %x
//!        return
//!      }",
//! )?;
//! let entry = module.functions().next().and_then(|function| module.entry(function)).unwrap();
//! let [load, store, _] = module.children(entry).collect::<Vec<Inst>>()[..] else { panic!() };
//!
//! let view::Load { pointer, memory_access } = view::Load::of(&module, load).unwrap();
//! assert_eq!(memory_access.unwrap().alignment, Some(4));
//! assert_eq!(view::Load::of(&module, store), None);
//!
//! // An edit names the operand, too.
//! module.edit().set_operand(store, view::Store::SLOT.pointer, pointer);
//! assert_eq!(view::Store::of(&module, store).unwrap().pointer, pointer);
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```
//!
//! **Kinds become types.** An instruction with a result is an [`Inst`](crate::Inst); a literal word a `u32`; a string a [`Text`]; an
//! enumerant an `Option` of its enumeration in the crate `spirv`, `None` if the number has no name; a mask its set of flags, including
//! unknown ones. Masks with parameters contain these ([`MemoryAccess`], [`ImageOperands`]). Optional operands are an `Option`, and repeated
//! ones a list ([`Operands`], [`Integers`], [`Cases`]), for which the view borrows the module.
//!
//! **Malformed instructions** have no view: `of` returns `None` if the op is another, if a required operand is missing, and if a literal is
//! required but the operand is not one. It does not check the kind of operands with a result.
//!
//! **Families.** Code that treats ops of one shape alike reads them through one struct: [`Unary`], [`Binary`], [`Chain`], [`Atomic`],
//! [`DerivedPointer`], [`Access`], [`Group`], [`ImageUse`], [`ImageAccess`], [`Mode`], [`Jump`], [`Conditional`], [`Selection`],
//! [`Opaque`]. Types are an enum, [`TypeView`].

mod families;
mod fields;
mod image_operands;
mod memory_access;
mod queries;
mod types;

pub use crate::op::views::*;
pub use families::{
    Access, Atomic, Binary, Chain, Conditional, Copy, DerivedPointer, Group, ImageAccess, ImageUse, Jump, Mode, Opaque,
    Selection, Unary,
};
pub use fields::{Case, Cases, Integers, LoopControl, Operands, Text};
pub use image_operands::{Gradient, ImageOperands};
pub use memory_access::MemoryAccess;
pub use types::TypeView;

pub(crate) use fields::{Field, Reader};

/// The operand numbers of each op: `SLOT` of its view.
pub mod slots {
    pub use crate::op::slots::*;
}

/// The type of a field of a view, by the operand's kind.
macro_rules! field_type {
    (many Integer) => { crate::view::Integers<'m> };
    (many Case) => { crate::view::Cases<'m> };
    (many $kind:ident) => { crate::view::Operands<'m> };
    // An unknown enumerant and a missing one are both `None`.
    (optional AccessQualifier) => { Option<spirv::AccessQualifier> };
    (optional FPEncoding) => { Option<spirv::FPEncoding> };
    (optional PackedVectorFormat) => { Option<spirv::PackedVectorFormat> };
    (optional $kind:ident) => { Option<crate::view::field_type!($kind)> };
    (Value) => { crate::Inst };
    (Scope) => { crate::Inst };
    (Semantics) => { crate::Inst };
    (Any) => { crate::Inst };
    (Successor) => { crate::Inst };
    (Merge) => { crate::Inst };
    (Integer) => { u32 };
    (Number) => { &'m [u32] };
    (Text) => { crate::view::Text<'m> };
    (LoopControl) => { crate::view::LoopControl<'m> };
    (MemoryAccess) => { crate::view::MemoryAccess };
    (ImageOperands) => { crate::view::ImageOperands };
    (FunctionControl) => { spirv::FunctionControl };
    (SelectionControl) => { spirv::SelectionControl };
    ($enumeration:ident) => { Option<spirv::$enumeration> };
}
pub(crate) use field_type;

/// Declares the view of an op from its row, if it has operands. Processes the fields, omits those that belong to a mask, and notes whether
/// one borrows.
macro_rules! declare_view {
    ($op:ident [ $($fields:tt)* ]) => {
        crate::view::declare_view!(@sort $op [] {} [ $($fields)* ]);
    };
    (@sort $op:ident $life:tt $kept:tt [ $field:ident: rest($kind:ident) $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op $life $kept [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: many($kind:ident) $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op ['m] { $($kept)* $field [many $kind], } [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: optional(Text) $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op ['m] { $($kept)* $field [optional Text], } [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: optional($kind:ident) $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op $life { $($kept)* $field [optional $kind], } [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: Text $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op ['m] { $($kept)* $field [Text], } [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: Number $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op ['m] { $($kept)* $field [Number], } [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: LoopControl $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op ['m] { $($kept)* $field [LoopControl], } [ $($($more)*)? ]);
    };
    (@sort $op:ident $life:tt { $($kept:tt)* } [ $field:ident: $kind:ident $(, $($more:tt)*)? ]) => {
        crate::view::declare_view!(@sort $op $life { $($kept)* $field [$kind], } [ $($($more)*)? ]);
    };
    (@sort $op:ident [] {} []) => {};
    (@sort $op:ident [$($life:lifetime)?] { $($field:ident [$($ty:tt)*],)* } []) => {
        #[doc = concat!("The operands of [`Op::", stringify!($op), "`](crate::Op::", stringify!($op), ").")]
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $op<$($life)?> {
            $(
                #[doc = concat!("The operand `", stringify!($field), "`.")]
                pub $field: crate::view::field_type!($($ty)*),
            )*
        }

        impl<$($life)?> $op<$($life)?> {
            /// The op.
            pub const OP: crate::Op = crate::Op::$op;
            /// The numbers of the operands.
            pub const SLOT: crate::op::slots::$op = crate::op::slots::$op::NUMBERS;

            /// The operands of an instruction of this op; `None` for every other and for a malformed one.
            pub fn of(module: &$($life)? crate::Module, inst: impl Into<crate::Inst>) -> Option<Self> {
                let inst = inst.into();
                let is_this = module.op(inst) == Self::OP;
                let mut reader = is_this.then(|| crate::view::Reader::new(module, inst))?;
                reader.holds(const { Self::OP.required_operands() }).then_some(())?;
                Some(Self { $( $field: reader.read()?, )* })
            }
        }
    };
}
pub(crate) use declare_view;

/// Declares the numbers of an op's operands from its row.
macro_rules! declare_slots {
    ($op:ident []) => {};
    ($op:ident [ $($field:ident: $operand:ident $(($kind:ident))?),* ]) => {
        #[doc = concat!("The numbers of the operands of [`Op::", stringify!($op), "`](crate::Op::", stringify!($op), ").")]
        #[derive(Clone, Copy, Debug)]
        pub struct $op {
            $(
                #[doc = concat!("The number of the operand `", stringify!($field), "`, the first of them if there can be many.")]
                pub $field: usize,
            )*
        }

        impl $op {
            pub(crate) const NUMBERS: $op = $op { $( $field: crate::Op::$op.slot(stringify!($field)), )* };
        }
    };
}
pub(crate) use declare_slots;

#[cfg(test)]
mod tests;
