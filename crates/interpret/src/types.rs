//! Types, decoded: their members and their memory layout.
//!
//! Memory is bytes. A type has the layout of C and OpenCL: a vector of three has the layout of one of four, a boolean has one byte, a
//! pointer eight. The decorations `Offset`, `ArrayStride` and `CPacked` override it, so buffers of shaders and kernels have the same bytes
//! as with a driver. One limit: a matrix is an array of its columns whatever `MatrixStride` and `RowMajor` say, which is visible only in
//! the bytes of buffers.
//!
//! Types nest at most 255 deep, SPIR-V's own limit (section 2.17), so traversals of a type or a value may recurse.

use reconverge_ir::decoration::Offset;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op};
use spirv::Decoration;

use crate::Value;
use crate::fault::Fault;
use crate::value::mask;

/// Number of a type in the [`TypeTable`].
pub(crate) type TypeId = u32;

/// No type.
pub(crate) const NO_TYPE: TypeId = u32::MAX;

const DEPTH_LIMIT: u32 = 255;
/// The maximal number of elements of a composite value. An object in memory may have more.
const ELEMENT_LIMIT: u64 = 1 << 20;
/// The maximal size of a null value in bytes.
const VALUE_LIMIT: u64 = 1 << 24;

/// The distance of descriptors in an array. In a variable of an interface a descriptor has no bytes: its offset identifies it. In memory
/// that the program writes it has the bytes of its number (`memory/descriptors.rs`).
pub(crate) const DESCRIPTOR_SIZE: u64 = 8;

/// The kind of a type.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Void,
    Bool,
    Int(u8),
    Float(u8),
    /// A vector, a matrix (of its columns) or an array of known length.
    Sequence {
        element: TypeId,
        count: u64,
        stride: u64,
    },
    RuntimeArray {
        element: TypeId,
        stride: u64,
    },
    /// Members with their offsets.
    Struct(Box<[(TypeId, u64)]>),
    /// The pointee; looked up by instruction, since a struct may contain pointers to itself.
    Pointer {
        pointee: Inst,
        stride: Option<u64>,
    },
    /// An image, a sampler, both together, or another object outside the program.
    Descriptor(Op),
    /// A type whose values the interpreter cannot represent.
    Other(Op),
}

/// A type.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    /// The size of a value without trailing padding.
    extent: u64,
    /// The size of a value as an array element.
    size: u64,
    align: u64,
    /// The number of bytes that belong to a scalar: the others are padding.
    filled: u64,
    depth: u32,
}

/// The types of a module.
#[derive(Debug, Default)]
pub(crate) struct TypeTable {
    types: Vec<Type>,
}

impl TypeTable {
    fn get(&self, id: TypeId) -> &Type {
        &self.types[id as usize]
    }

    pub(crate) fn kind(&self, id: TypeId) -> Option<&TypeKind> {
        self.types.get(id as usize).map(|ty| &ty.kind)
    }

    /// The size of a value of the type without trailing padding; zero for no type.
    pub(crate) fn extent(&self, id: TypeId) -> u64 {
        self.types.get(id as usize).map_or(0, |ty| ty.extent)
    }

    /// The size of a value of the type as an array element; zero for no type.
    pub(crate) fn size(&self, id: TypeId) -> u64 {
        self.types.get(id as usize).map_or(0, |ty| ty.size)
    }

    /// Returns whether a value of the type as an array element has bytes that belong to no scalar.
    pub(crate) fn has_padding(&self, id: TypeId) -> bool {
        self.types.get(id as usize).is_some_and(|ty| ty.filled < ty.size)
    }

    /// The ranges of bytes of a value that belong to scalars, if the value begins at `start`. Neighbours may be in one range.
    pub(crate) fn visit_filled(&self, id: TypeId, start: u64, visit: &mut dyn FnMut(std::ops::Range<u64>)) {
        let ty = self.get(id);
        match &ty.kind {
            _ if ty.filled == ty.extent => visit(start..start + ty.extent),
            &TypeKind::Sequence { element, count, stride } => {
                (0..count).for_each(|index| self.visit_filled(element, start + index * stride, visit));
            }
            TypeKind::Struct(members) => {
                members.iter().for_each(|&(member, offset)| self.visit_filled(member, start + offset, visit));
            }
            _ => {}
        }
    }

    /// Adds the type of `inst`. `number` returns the numbers of earlier types and `length` the lengths of arrays.
    pub(crate) fn add(&mut self, module: &Module, inst: Inst, context: &TypeContext<'_>) -> TypeId {
        let ty = self.describe(module, inst, context).unwrap_or(Type::other(module.op(inst)));
        self.types.push(ty);
        (self.types.len() - 1) as TypeId
    }

    fn describe(&self, module: &Module, inst: Inst, context: &TypeContext<'_>) -> Option<Type> {
        let number = context.number;
        let stride = || module.array_stride(inst).map(u64::from);
        Some(match module.type_view(inst)? {
            TypeView::Void => Type::scalar(TypeKind::Void, 0),
            TypeView::Bool => Type::scalar(TypeKind::Bool, 1),
            TypeView::Int { width: width @ (8 | 16 | 32 | 64), .. } => {
                Type::scalar(TypeKind::Int(width as u8), u64::from(width) / 8)
            }
            TypeView::Float { width: width @ (16 | 32 | 64), is_ieee: true } => {
                Type::scalar(TypeKind::Float(width as u8), u64::from(width) / 8)
            }
            TypeView::Vector { component, count } => self.vector(number(component)?, u64::from(count))?,
            TypeView::Matrix { column, count } => self.array(number(column)?, u64::from(count), None)?,
            TypeView::Array { element, length } => {
                let count = (context.length)(length)?;
                self.array(number(element)?, count, stride())?
            }
            TypeView::RuntimeArray { element } => {
                let element = number(element)?;
                let array = self.array(element, 0, stride())?;
                let TypeKind::Sequence { stride, .. } = array.kind else { return None };
                Type { kind: TypeKind::RuntimeArray { element, stride }, ..array }
            }
            TypeView::Image(_)
            | TypeView::SampledImage { .. }
            | TypeView::Other(Op::TypeSampler | Op::TypeAccelerationStructureKHR) => {
                Type::scalar(TypeKind::Descriptor(module.op(inst)), DESCRIPTOR_SIZE)
            }
            // An event is the number of a copy.
            TypeView::Other(Op::TypeEvent) => Type::scalar(TypeKind::Int(64), 8),
            TypeView::Struct { members } => {
                let members: Option<Vec<TypeId>> = members.iter().map(number).collect();
                self.structure(module, inst, &members?)?
            }
            TypeView::Pointer { pointee, .. } => Type::scalar(TypeKind::Pointer { pointee, stride: stride() }, 8),
            _ => return None,
        })
    }

    fn vector(&self, element: TypeId, count: u64) -> Option<Type> {
        let array = self.array(element, count, None)?;
        let size = self.get(element).size.checked_mul(count.checked_next_power_of_two()?)?;
        let align = if size.is_power_of_two() { size } else { array.align };
        Some(Type { size, align, ..array })
    }

    fn array(&self, element: TypeId, count: u64, stride: Option<u64>) -> Option<Type> {
        let of = self.get(element);
        if of.depth >= DEPTH_LIMIT || matches!(of.kind, TypeKind::Void) {
            return None;
        }
        let stride = stride.or(of.size.checked_next_multiple_of(of.align))?;
        let extent = match count {
            0 => 0,
            _ => stride.checked_mul(count - 1)?.checked_add(of.extent)?,
        };
        let size = stride.checked_mul(count)?.max(extent);
        Some(Type {
            kind: TypeKind::Sequence { element, count, stride },
            extent,
            size,
            align: of.align,
            filled: of.filled.saturating_mul(count),
            depth: of.depth + 1,
        })
    }

    fn structure(&self, module: &Module, inst: Inst, members: &[TypeId]) -> Option<Type> {
        let packed = module.decorated(inst).has(Decoration::CPacked);
        let mut ty = Type { kind: TypeKind::Void, extent: 0, size: 0, align: 1, filled: 0, depth: 0 };
        let mut placed = Vec::with_capacity(members.len());
        let offsets = member_offsets(module, inst, members.len());
        for (&member, explicit) in members.iter().zip(offsets) {
            let of = self.get(member);
            let align = if packed { 1 } else { of.align };
            let offset = explicit.or(ty.size.checked_next_multiple_of(align))?;
            placed.push((member, offset));
            ty.extent = ty.extent.max(offset.checked_add(of.extent)?);
            ty.size = ty.size.max(offset.checked_add(of.size)?);
            ty.align = ty.align.max(align);
            ty.filled = ty.filled.saturating_add(of.filled);
            ty.depth = ty.depth.max(of.depth + 1);
        }
        let size = ty.size.max(1).checked_next_multiple_of(ty.align)?;
        (ty.depth <= DEPTH_LIMIT).then_some(Type { kind: TypeKind::Struct(placed.into()), size, ..ty })
    }

    /// The type of element number `index` of a composite, and its offset.
    pub(crate) fn element(&self, id: TypeId, index: u64) -> Option<(TypeId, u64)> {
        match self.kind(id)? {
            TypeKind::Sequence { element, count, stride } if index < *count => Some((*element, index * stride)),
            TypeKind::Struct(members) => members.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }

    /// An integer of a type; `None` if the type is not an integer.
    pub(crate) fn integer(&self, id: TypeId, bits: u64) -> Option<Value> {
        match self.kind(id)? {
            TypeKind::Int(width) => Some(Value::int(*width, bits)),
            _ => None,
        }
    }

    /// The number of elements of a value of a composite type.
    pub(crate) fn count(&self, id: TypeId) -> Option<u64> {
        match self.kind(id)? {
            TypeKind::Sequence { count, .. } => Some(*count),
            TypeKind::Struct(members) => Some(members.len() as u64),
            _ => None,
        }
    }

    /// Returns whether a value has a type. [`Value::Undefined`] has every type.
    pub(crate) fn fits(&self, id: TypeId, value: &Value) -> bool {
        match (self.kind(id), value) {
            (_, Value::Undefined)
            | (Some(TypeKind::Bool), Value::Bool(_))
            | (Some(TypeKind::Descriptor(_)), Value::Descriptor(_))
            | (Some(TypeKind::Pointer { .. }), Value::Pointer(_)) => true,
            (Some(TypeKind::Int(width)), Value::Int { width: found, bits })
            | (Some(TypeKind::Float(width)), Value::Float { width: found, bits }) => {
                width == found && bits & !mask(*width) == 0
            }
            (Some(_), Value::Composite(elements)) => {
                let every = |(index, value): (usize, &Value)| {
                    self.element(id, index as u64).is_some_and(|(element, _)| self.fits(element, value))
                };
                self.count(id) == Some(elements.len() as u64) && elements.iter().enumerate().all(every)
            }
            _ => false,
        }
    }

    /// The elements of a value of a composite type; for an undefined value, undefined elements.
    pub(crate) fn elements(&self, id: TypeId, value: &Value) -> Result<Vec<Value>, Fault> {
        match value {
            Value::Composite(elements) => Ok(elements.to_vec()),
            Value::Undefined => Ok(vec![Value::Undefined; self.value_count(id)?]),
            _ => Err(Fault::malformed("a composite is expected")),
        }
    }

    /// The value of a type with all bytes zero.
    pub(crate) fn null(&self, id: TypeId) -> Result<Value, Fault> {
        if self.types.get(id as usize).is_some_and(|ty| ty.size > VALUE_LIMIT) {
            return Err(Fault::unsupported("composite values of more than 16 MiB"));
        }
        Ok(match self.kind(id) {
            Some(TypeKind::Bool) => Value::Bool(false),
            Some(&TypeKind::Int(width)) => Value::Int { width, bits: 0 },
            Some(&TypeKind::Float(width)) => Value::Float { width, bits: 0 },
            Some(TypeKind::Pointer { .. }) => Value::Pointer(crate::Pointer::NULL),
            Some(&TypeKind::Sequence { element, .. }) => {
                Value::composite(vec![self.null(element)?; self.value_count(id)?])
            }
            Some(TypeKind::Struct(members)) => {
                let members: Result<Vec<Value>, Fault> = members.iter().map(|&(member, _)| self.null(member)).collect();
                Value::composite(members?)
            }
            Some(TypeKind::Other(op) | TypeKind::Descriptor(op)) => {
                return Err(Fault::unsupported(format!("values of {}", op.name())));
            }
            _ => return Err(Fault::malformed("a type that has values is expected")),
        })
    }

    pub(crate) fn value_count(&self, id: TypeId) -> Result<usize, Fault> {
        match self.count(id) {
            Some(count) if count <= ELEMENT_LIMIT => Ok(count as usize),
            Some(_) => Err(Fault::unsupported("composite values of more than 1,048,576 elements")),
            None => Err(Fault::malformed("a composite type is expected")),
        }
    }
}

/// Queries for decoding a type.
pub(crate) struct TypeContext<'a> {
    /// The number of an instruction's type.
    pub(crate) number: &'a dyn Fn(Inst) -> Option<TypeId>,
    /// The value of a constant array length.
    pub(crate) length: &'a dyn Fn(Inst) -> Option<u64>,
}

impl Type {
    fn scalar(kind: TypeKind, size: u64) -> Type {
        Type { kind, extent: size, size, align: size.max(1), filled: size, depth: 0 }
    }

    fn other(op: Op) -> Type {
        Type::scalar(TypeKind::Other(op), 0)
    }
}

fn member_offsets(module: &Module, inst: Inst, count: usize) -> Vec<Option<u64>> {
    let mut offsets = vec![None; count];
    for (member, Offset(offset)) in module.decorated(inst).find_members() {
        if let Some(slot) = offsets.get_mut(member as usize) {
            *slot = Some(u64::from(offset));
        }
    }
    offsets
}
