//! Frequent short queries.

use spirv::{GlslStd450Op, OpenclStd100Op, StorageClass};

use super::TypeView;
use crate::{Function, Inst, Module, Op, view};

impl Module {
    /// The pointee type of a value, if it is a pointer.
    pub fn pointee(&self, pointer: impl Into<Inst>) -> Option<Inst> {
        view::TypePointer::of(self, self.ty(pointer)?).map(|ty| ty.pointee)
    }

    /// The storage class of a pointer, if the class has a name.
    pub fn storage_class(&self, pointer: impl Into<Inst>) -> Option<StorageClass> {
        view::TypePointer::of(self, self.ty(pointer)?)?.storage_class
    }

    /// The name of a member of a struct, if it has one. Linear in the decorations of the struct.
    pub fn member_name(&self, structure: impl Into<Inst>, member: u32) -> Option<String> {
        let notes = self.decorations(structure).iter();
        let mut names = notes.filter_map(|&note| view::MemberName::of(self, note));
        names.find(|name| name.member == member).map(|name| name.name.to_string())
    }

    /// Returns whether an instruction is a variable of a storage class.
    pub fn is_variable_of(&self, inst: impl Into<Inst>, storage_class: StorageClass) -> bool {
        view::Variable::of(self, inst).is_some_and(|variable| variable.storage_class == Some(storage_class))
    }

    /// The callee of a call, if it is a function of the module.
    pub fn callee(&self, call: impl Into<Inst>) -> Option<Function> {
        self.cast(view::FunctionCall::of(self, call)?.function)
    }

    /// The width of an integer or floating-point type.
    pub fn width(&self, ty: impl Into<Inst>) -> Option<u32> {
        match self.type_view(ty)? {
            TypeView::Int { width, .. } | TypeView::Float { width, .. } => Some(width),
            _ => None,
        }
    }

    /// The type of the elements of an array, the components of a vector or the columns of a matrix.
    pub fn element_type(&self, ty: impl Into<Inst>) -> Option<Inst> {
        match self.type_view(ty)? {
            TypeView::Array { element, .. } | TypeView::RuntimeArray { element } => Some(element),
            TypeView::Vector { component, .. } => Some(component),
            TypeView::Matrix { column, .. } => Some(column),
            _ => None,
        }
    }

    /// The type of a part of a composite: of that member of a struct; of every element, component or column of what is none.
    pub fn part_type(&self, ty: impl Into<Inst>, index: usize) -> Option<Inst> {
        let ty = ty.into();
        match view::TypeStruct::of(self, ty) {
            Some(structure) => structure.members.at(index),
            None => self.element_type(ty),
        }
    }

    /// A vector type's component type, and how many components there are; every other type is one of itself.
    pub fn components(&self, ty: impl Into<Inst>) -> (Inst, u32) {
        let ty = ty.into();
        view::TypeVector::of(self, ty).map_or((ty, 1), |vector| (vector.component, vector.count))
    }

    /// The `GLSL.std.450` instruction that an instruction is, if it is one.
    pub fn glsl_op(&self, inst: impl Into<Inst>) -> Option<GlslStd450Op> {
        let extended = view::ExtInst::of(self, inst)?;
        let is_this = self.is_instruction_set(extended.set, "GLSL.std.450");
        is_this.then(|| GlslStd450Op::from_u32(extended.instruction)).flatten()
    }

    /// The `OpenCL.std` instruction that an instruction is, if it is one.
    pub fn opencl_op(&self, inst: impl Into<Inst>) -> Option<OpenclStd100Op> {
        let extended = view::ExtInst::of(self, inst)?;
        let is_this = self.is_instruction_set(extended.set, "OpenCL.std");
        is_this.then(|| OpenclStd100Op::from_u32(extended.instruction)).flatten()
    }

    /// Returns whether an instruction imports the instruction set of this name.
    pub fn is_instruction_set(&self, inst: impl Into<Inst>, name: &str) -> bool {
        view::ExtInstImport::of(self, inst).is_some_and(|import| import.name == name)
    }

    /// The words of a numeric constant, including specialization constants, whose words are only defaults.
    pub fn constant_words(&self, constant: impl Into<Inst>) -> Option<&[u32]> {
        let constant = constant.into();
        match self.op(constant) {
            Op::Constant => view::Constant::of(self, constant).map(|constant| constant.value),
            Op::SpecConstant => view::SpecConstant::of(self, constant).map(|constant| constant.value),
            _ => None,
        }
    }

    /// The first word of a constant. `None` for a specialization constant, unlike [`Module::literal_word`].
    pub fn constant_word(&self, constant: impl Into<Inst>) -> Option<u32> {
        view::Constant::of(self, constant).and_then(|constant| constant.value.first().copied())
    }

    /// The value of a constant of at most 64 bits that is not a specialization constant: its words, the low one first.
    pub fn constant_bits(&self, constant: impl Into<Inst>) -> Option<u64> {
        match *view::Constant::of(self, constant)?.value {
            [low] => Some(low.into()),
            [low, high] => Some(u64::from(high) << 32 | u64::from(low)),
            _ => None,
        }
    }
}
