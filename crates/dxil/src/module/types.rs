//! Types.

use std::ops::Index;

use rustc_hash::FxHashMap;

use super::TypeId;

/// The maximum nesting of types without names, pointers included. DXIL nests five deep.
pub const MAX_TYPE_DEPTH: u32 = 64;

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// 16-bit floating point.
    Half,
    /// 32-bit floating point.
    Float,
    /// 64-bit floating point.
    Double,
    /// A block.
    Label,
    /// Metadata as an argument.
    Metadata,
    /// An integer without a sign of its own.
    Integer {
        /// In bits.
        width: u32,
    },
    /// An address.
    Pointer {
        /// The type of the pointee.
        pointee: TypeId,
        /// 0 private or resources, 3 groupshared.
        address_space: u32,
    },
    /// A function, which only pointers refer to.
    Function {
        /// True if more arguments may follow.
        is_variadic: bool,
        /// The type of the result, or void.
        result: TypeId,
        /// The types of the parameters.
        parameters: Vec<TypeId>,
    },
    /// Members. A struct with a name equals no other one.
    Struct {
        /// None for a struct that is its members.
        name: Option<StructName>,
        /// True if there is no padding.
        is_packed: bool,
        /// The types of the members; none if the struct is opaque.
        members: Option<Vec<TypeId>>,
    },
    /// Equal elements.
    Array {
        /// Their type.
        element: TypeId,
        /// Their number.
        length: u64,
    },
    /// Numbers or pointers in a vector.
    Vector {
        /// Their type.
        element: TypeId,
        /// Their number, not 0.
        length: u32,
    },
}

/// The identity of a struct with a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructName {
    /// The name without `%`; may be empty.
    pub text: String,
    /// The number of the type, which distinguishes structs with an empty name.
    pub number: u32,
}

/// The types of a module, by number.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    numbers: FxHashMap<Type, TypeId>,
}

impl Index<TypeId> for Types {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }
}

impl Types {
    /// The number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All types, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(index, ty)| (TypeId::new(index as u32), ty))
    }

    /// The number of a type.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.numbers.get(ty).copied()
    }

    /// The number of a type, which is added if it is new.
    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.find(&ty) {
            return id;
        }
        let id = TypeId::new(self.types.len() as u32);
        self.numbers.insert(ty.clone(), id);
        self.types.push(ty);
        id
    }

    /// Adds a type at the next number, even if there is an equal one, to which all uses go; returns the number for uses.
    pub(crate) fn append(&mut self, ty: Type) -> TypeId {
        let id = TypeId::new(self.types.len() as u32);
        let first = *self.numbers.entry(ty.clone()).or_insert(id);
        self.types.push(ty);
        first
    }

    /// The width of an integer type.
    pub fn integer_width(&self, id: TypeId) -> Option<u32> {
        match self[id] {
            Type::Integer { width } => Some(width),
            _ => None,
        }
    }

    /// Returns whether a type is an integer.
    pub fn is_integer(&self, id: TypeId) -> bool {
        self.integer_width(id).is_some()
    }

    /// Returns whether a type is a floating-point number.
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Half | Type::Float | Type::Double)
    }

    /// The element of a vector, or the type itself.
    pub fn scalar(&self, id: TypeId) -> TypeId {
        match self[id] {
            Type::Vector { element, .. } => element,
            _ => id,
        }
    }

    /// The length of a vector.
    pub fn vector_length(&self, id: TypeId) -> Option<u32> {
        match self[id] {
            Type::Vector { length, .. } => Some(length),
            _ => None,
        }
    }

    /// The pointee of a pointer type.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self[id] {
            Type::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }

    /// The width in bits of a number, or of the elements of a vector of numbers.
    pub fn scalar_width(&self, id: TypeId) -> Option<u32> {
        match self[self.scalar(id)] {
            Type::Half => Some(16),
            Type::Float => Some(32),
            Type::Double => Some(64),
            Type::Integer { width } => Some(width),
            _ => None,
        }
    }

    /// Returns whether values can have the type: not void, a function, or an opaque struct.
    pub fn is_first_class(&self, id: TypeId) -> bool {
        !matches!(self[id], Type::Void | Type::Function { .. } | Type::Struct { members: None, .. })
    }

    /// Returns whether memory can hold a value of the type.
    pub fn is_sized(&self, id: TypeId) -> bool {
        self.is_first_class(id) && !matches!(self[id], Type::Label | Type::Metadata)
    }

    /// The type of a member of a struct, or of an element of an array or vector. None if there is none, or if the type has no members.
    pub fn member(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match &self[id] {
            Type::Struct { members: Some(members), .. } => members.get(usize::try_from(index).ok()?).copied(),
            Type::Array { element, length } if index < *length => Some(*element),
            Type::Vector { element, length } if index < u64::from(*length) => Some(*element),
            _ => None,
        }
    }
}
