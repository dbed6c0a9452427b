//! The size, alignment and offsets of types in memory: OpenCL's layout.
//!
//! ```text
//! struct { i8, f32x3, i16[3] }        offset  0    16       32   38
//!                                             i8   f32x3    i16×3       size 48, alignment 16
//! ```
//!
//! Scalars have their natural size and alignment, a vector of `n` elements that of the next power of two (so three take the size of four),
//! pointers and handles (events, queues) 8 bytes, a boolean one. Structs are laid out as in C, or without padding if they are `CPacked`;
//! `Offset` and `ArrayStride` decorations take precedence (OpenCL C 3.0, sections 6.3.5, 6.4.5 and 6.11.1; SPIR-V section 3.20).
//!
//! One traversal over the parts of a type, children first, with an explicit stack; every type is visited once, so shared types cost no more
//! than their size. A [`Layouts`] caches results across calls; it stays valid as long as no existing type changes.

use std::fmt;
use std::rc::Rc;

use reconverge_ir::decoration::Offset;
use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Decoration;

const POINTER: Layout = Layout { size: 8, alignment: 8 };

/// The memory of a value of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The number of bytes, a multiple of the alignment unless decorations specify otherwise.
    pub size: u64,
    /// The alignment, a power of two.
    pub alignment: u64,
}

/// The reason why a type has no layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutError {
    /// Not a type of values in memory: `void`, an image, a matrix without strides, no type at all.
    Opaque {
        /// The type.
        ty: Inst,
    },
    /// An array whose length is a specialization constant.
    Specialized {
        /// The array type.
        ty: Inst,
        /// The specialization constant.
        length: Inst,
    },
    /// An array without a length.
    Unbounded {
        /// The array type.
        ty: Inst,
    },
    /// The size does not fit in 64 bits.
    TooLarge {
        /// The type.
        ty: Inst,
    },
    /// A type that contains itself, or a missing member.
    Malformed {
        /// The type.
        ty: Inst,
    },
}

impl LayoutError {
    /// The type that has no layout: the requested one, or a part of it.
    pub fn ty(&self) -> Inst {
        match *self {
            LayoutError::Opaque { ty }
            | LayoutError::Specialized { ty, .. }
            | LayoutError::Unbounded { ty }
            | LayoutError::TooLarge { ty }
            | LayoutError::Malformed { ty } => ty,
        }
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            LayoutError::Opaque { .. } => "a type that has no layout in memory",
            LayoutError::Specialized { .. } => "an array whose length is a specialization constant",
            LayoutError::Unbounded { .. } => "an array without a length",
            LayoutError::TooLarge { .. } => "a type whose size does not fit in 64 bits",
            LayoutError::Malformed { .. } => "a type that contains itself, or a missing member",
        })
    }
}

impl std::error::Error for LayoutError {}

impl Layout {
    /// The layout of a type. Linear in the parts of the type, once for each; use a [`Layouts`] for several queries.
    ///
    /// # Errors
    /// [`LayoutError`]: types without a layout, arrays of unknown length.
    pub fn of(module: &Module, ty: Inst) -> Result<Layout, LayoutError> {
        match simple(module, ty) {
            Some(layout) => Ok(layout),
            None => Layouts::new().of(module, ty),
        }
    }

    /// The layout of `count` of these, `stride` bytes apart; `None` if it does not fit in 64 bits.
    fn repeated(self, count: u64, stride: u64) -> Option<Layout> {
        Some(Layout { size: count.checked_mul(stride)?, ..self })
    }
}

/// Layouts of the types of a module, cached.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    known: FxHashMap<Inst, Layout>,
    offsets: FxHashMap<Inst, Rc<[u64]>>,
}

impl Layouts {
    /// An empty cache.
    pub fn new() -> Layouts {
        Layouts::default()
    }

    /// The layout of a type. Linear in the parts of the type that are not cached.
    ///
    /// # Errors
    /// Those of [`Layout::of`].
    pub fn of(&mut self, module: &Module, ty: Inst) -> Result<Layout, LayoutError> {
        let mut path = FxHashSet::default();
        let mut stack = vec![(ty, Visit::Enter)];
        while let Some((ty, visit)) = stack.pop() {
            if self.known.contains_key(&ty) {
                continue;
            }
            match visit {
                Visit::Enter => {
                    if !path.insert(ty) {
                        return Err(LayoutError::Malformed { ty });
                    }
                    stack.push((ty, Visit::Leave));
                    stack.extend(parts(module, ty).filter(|part| !self.known.contains_key(part)).map(enter));
                }
                Visit::Leave => {
                    path.remove(&ty);
                    let layout = self.compose(module, ty)?;
                    self.known.insert(ty, layout);
                }
            }
        }
        Ok(self.known[&ty])
    }

    /// The offset of a member of a struct. Constant time after the first query about a struct that has a layout. For a struct without one,
    /// such as one that ends in an array of unknown length, only explicit offsets are known.
    ///
    /// # Errors
    /// Those of [`Layout::of`]; a type that is not a struct, an index without a member.
    pub fn member_offset(&mut self, module: &Module, ty: Inst, member: usize) -> Result<u64, LayoutError> {
        if module.op(ty) != Op::TypeStruct {
            return Err(LayoutError::Malformed { ty });
        }
        if !self.offsets.contains_key(&ty)
            && let Err(error) = self.of(module, ty)
        {
            return member_offsets(module, ty).get(&member).copied().ok_or(error);
        }
        self.offsets[&ty].get(member).copied().ok_or(LayoutError::Malformed { ty })
    }

    /// The stride of the elements of an array, a vector or a pointee sequence, in bytes. The length of an array need not be known.
    ///
    /// # Errors
    /// Those of [`Layout::of`] for the element; a type that has no elements.
    pub fn element_stride(&mut self, module: &Module, ty: Inst) -> Result<u64, LayoutError> {
        let element = module.element_type(ty).ok_or(LayoutError::Malformed { ty })?;
        match array_stride(module, ty) {
            Some(stride) => Ok(stride),
            None => Ok(self.of(module, element)?.size),
        }
    }

    /// The layout of a type whose parts are known.
    fn compose(&mut self, module: &Module, ty: Inst) -> Result<Layout, LayoutError> {
        if let Some(layout) = simple(module, ty) {
            return Ok(layout);
        }
        match module.op(ty) {
            Op::TypeArray => {
                let element = module.element_type(ty).ok_or(LayoutError::Malformed { ty })?;
                let element = self.known[&element];
                let length = array_length(module, ty)?;
                let stride = array_stride(module, ty).unwrap_or(element.size);
                element.repeated(length, stride).ok_or(LayoutError::TooLarge { ty })
            }
            Op::TypeStruct => self.struct_layout(module, ty).ok_or(LayoutError::TooLarge { ty }),
            Op::TypeRuntimeArray => Err(LayoutError::Unbounded { ty }),
            _ => Err(LayoutError::Opaque { ty }),
        }
    }

    fn struct_layout(&mut self, module: &Module, ty: Inst) -> Option<Layout> {
        let given = member_offsets(module, ty);
        let packed = module.decorated(ty).has(Decoration::CPacked);
        let (mut end, mut alignment) = (0_u64, 1_u64);
        let mut offsets = Vec::with_capacity(module.operand_count(ty));
        for (member, part) in module.operands(ty).enumerate() {
            let layout = self.known[&part];
            let own_alignment = if packed { 1 } else { layout.alignment };
            let offset = match given.get(&member) {
                Some(&offset) => offset,
                None => end.checked_next_multiple_of(own_alignment)?,
            };
            offsets.push(offset);
            alignment = alignment.max(own_alignment);
            end = offset.checked_add(layout.size)?.max(end);
        }
        self.offsets.insert(ty, offsets.into());
        Some(Layout { size: end.checked_next_multiple_of(alignment)?, alignment })
    }
}

/// A task for a type on the stack.
#[derive(Clone, Copy)]
enum Visit {
    Enter,
    Leave,
}

fn enter(ty: Inst) -> (Inst, Visit) {
    (ty, Visit::Enter)
}

/// The types that the layout of a type depends on.
fn parts(module: &Module, ty: Inst) -> impl Iterator<Item = Inst> + '_ {
    let count = match module.op(ty) {
        Op::TypeArray => 1,
        Op::TypeStruct => module.operand_count(ty),
        _ => 0,
    };
    module.operands(ty).take(count)
}

/// The layout of a type without parts.
fn simple(module: &Module, ty: Inst) -> Option<Layout> {
    match module.op(ty) {
        Op::TypeBool => Some(Layout { size: 1, alignment: 1 }),
        Op::TypeInt | Op::TypeFloat => {
            let size = u64::from(module.width(ty)?).div_ceil(8).next_power_of_two();
            Some(Layout { size, alignment: size })
        }
        Op::TypePointer => Some(POINTER),
        Op::TypeEvent | Op::TypeDeviceEvent | Op::TypeReserveId | Op::TypeQueue => Some(POINTER),
        Op::TypeVector => {
            let view::TypeVector { component, count } = view::TypeVector::of(module, ty)?;
            let is_scalar =
                matches!(module.op(component), Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer);
            let layout = is_scalar.then(|| simple(module, component)).flatten()?;
            let size = layout.size * u64::from(count).next_power_of_two();
            Some(Layout { size, alignment: size })
        }
        _ => None,
    }
}

/// The number of elements that an array has.
///
/// # Errors
/// [`LayoutError::Specialized`] for a length that is a specialization constant, [`LayoutError::Malformed`] for anything that is not an
/// array or has an invalid length.
pub fn array_length(module: &Module, ty: Inst) -> Result<u64, LayoutError> {
    let view::TypeArray { length, .. } = view::TypeArray::of(module, ty).ok_or(LayoutError::Malformed { ty })?;
    match module.op(length) {
        Op::Constant => module.constant_bits(length).ok_or(LayoutError::Malformed { ty }),
        Op::ConstantNull => Ok(0),
        op if op.is_specialization_constant() => Err(LayoutError::Specialized { ty, length }),
        _ => Err(LayoutError::Malformed { ty }),
    }
}

fn array_stride(module: &Module, ty: Inst) -> Option<u64> {
    module.array_stride(ty).map(u64::from)
}

/// The offsets that decorations give to members.
fn member_offsets(module: &Module, ty: Inst) -> FxHashMap<usize, u64> {
    module.decorated(ty).find_members().map(|(member, Offset(offset))| (member as usize, offset.into())).collect()
}
