//! Types of a text, each once.

use std::ops::Index;

use rustc_hash::FxHashMap;

use super::{GlobalId, StructId};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Type(u32);

/// The kind of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ScalarKind {
    Bool,
    Int,
    Uint,
    Float,
}

/// The type of a number, or of a component of a vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Scalar {
    pub(crate) kind: ScalarKind,
    /// Bits; 1 for `bool`.
    pub(crate) width: u8,
}

impl Scalar {
    pub(crate) const BOOL: Scalar = Scalar { kind: ScalarKind::Bool, width: 1 };
    pub(crate) const INT: Scalar = Scalar { kind: ScalarKind::Int, width: 32 };
    pub(crate) const UINT: Scalar = Scalar { kind: ScalarKind::Uint, width: 32 };
    pub(crate) const FLOAT: Scalar = Scalar { kind: ScalarKind::Float, width: 32 };

    /// Returns whether it is an integer.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self.kind, ScalarKind::Int | ScalarKind::Uint)
    }

    /// Returns whether it is a floating-point number.
    pub(crate) fn is_float(self) -> bool {
        self.kind == ScalarKind::Float
    }

    /// The same width with another kind.
    pub(crate) fn with(self, kind: ScalarKind) -> Scalar {
        Scalar { kind, ..self }
    }
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Length {
    /// A number.
    Constant(u32),
    /// The value of a constant, which may be specialized.
    Named(GlobalId),
    /// The length is known at run time.
    Runtime,
}

/// The dimensions of an image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ImageDim {
    One,
    Two,
    Three,
    Cube,
    Rect,
    Buffer,
    Subpass,
}

/// Whether samples of an image are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Depth {
    Color,
    Compared,
}

/// The accesses to the texels of an image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Access {
    Read,
    Write,
    ReadWrite,
}

/// The form of a vector in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Storage {
    /// It is that of values.
    Natural,
    /// Component comes behind component, with the alignment of one.
    Packed,
    /// It is a vector of four.
    Filled,
}

/// A matrix that is stored in another way than values are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StoredMatrix {
    pub(crate) scalar: Scalar,
    pub(crate) columns: u8,
    pub(crate) rows: u8,
    /// True if row comes behind row.
    pub(crate) is_in_rows: bool,
    /// The form of each column or row.
    pub(crate) storage: Storage,
}

impl StoredMatrix {
    /// The number of stored vectors.
    pub(crate) fn vectors(self) -> u8 {
        if self.is_in_rows { self.rows } else { self.columns }
    }

    /// The number of components of each stored vector.
    pub(crate) fn size(self) -> u8 {
        if self.is_in_rows { self.columns } else { self.rows }
    }

    /// The type of each stored vector.
    pub(crate) fn vector(self) -> TypeShape {
        let scalar = self.scalar;
        match self.storage {
            Storage::Natural => TypeShape::Vector { scalar, size: self.size() },
            Storage::Packed => TypeShape::Packed { scalar, size: self.size() },
            Storage::Filled => TypeShape::Vector { scalar, size: 4 },
        }
    }
}

/// The type of an image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Image {
    pub(crate) dim: ImageDim,
    pub(crate) is_array: bool,
    pub(crate) is_multisampled: bool,
    pub(crate) depth: Depth,
    /// The type of a component.
    pub(crate) component: Scalar,
    /// True if it is read and written without a sampler.
    pub(crate) is_storage: bool,
    pub(crate) texel: Texel,
    /// HLSL: whether invocations of one pixel access it in the order of their primitives.
    pub(crate) is_ordered: bool,
    /// What is done with the texels of one without a sampler.
    pub(crate) access: Access,
    /// The name of the format of its texels, where that is a part of the type: WGSL.
    pub(crate) format: &'static str,
}

/// The texels of a storage image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Texel {
    /// Numbers, of which there may be fewer than four.
    Numbers(u8),
    /// Integers that stand for numbers from 0 to 1.
    Unorm(u8),
    /// Integers that stand for numbers from -1 to 1.
    Snorm(u8),
}

impl Texel {
    /// The number of components.
    pub(crate) fn components(self) -> u8 {
        match self {
            Texel::Numbers(count) | Texel::Unorm(count) | Texel::Snorm(count) => count,
        }
    }
}

/// The primitives of a mesh.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Topology {
    Point,
    Line,
    Triangle,
}

impl Topology {
    /// The number of vertices of a primitive.
    pub(crate) fn vertices(self) -> u8 {
        match self {
            Topology::Point => 1,
            Topology::Line => 2,
            Topology::Triangle => 3,
        }
    }
}

/// A mesh: its vertices and primitives, and the greatest numbers of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Mesh {
    pub(crate) vertex: Type,
    /// The type of the parts that a primitive has besides its vertices.
    pub(crate) primitive: Option<Type>,
    pub(crate) most_vertices: u32,
    pub(crate) most_primitives: u32,
    pub(crate) topology: Topology,
}

/// A type with its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum TypeShape {
    Void,
    Scalar(Scalar),
    Vector {
        scalar: Scalar,
        size: u8,
    },
    Matrix {
        scalar: Scalar,
        columns: u8,
        rows: u8,
    },
    /// A vector in memory with the alignment of its components.
    Packed {
        scalar: Scalar,
        size: u8,
    },
    /// A matrix in memory.
    StoredMatrix(StoredMatrix),
    /// A number in memory that atomic operations change.
    Atomic(Scalar),
    Array {
        element: Type,
        length: Length,
    },
    Struct(StructId),
    /// A pointer to memory, with the words of its address space: MSL.
    Pointer {
        memory: &'static str,
        to: Type,
    },
    /// An image without a sampler.
    Image(Image),
    /// A sampler.
    Sampler(Depth),
    /// An image with its sampler.
    SampledImage(Image),
    AccelerationStructure,
    RayQuery,
    /// A ray with its interval.
    Ray,
    /// The flags of a query of a ray.
    RayOptions,
    /// The control points of a patch: MSL.
    ControlPoints {
        point: Type,
    },
    /// The mesh that a mesh shader makes: MSL.
    Mesh(Mesh),
    /// The mesh shaders that a task shader starts: MSL.
    MeshGrid,
}

/// The types of a text.
#[derive(Default, Debug)]
pub(crate) struct Types {
    shapes: Vec<TypeShape>,
    known: FxHashMap<TypeShape, Type>,
}

impl Index<Type> for Types {
    type Output = TypeShape;

    fn index(&self, ty: Type) -> &TypeShape {
        &self.shapes[ty.0 as usize]
    }
}

impl Types {
    /// The type of this shape.
    pub(crate) fn of(&mut self, shape: TypeShape) -> Type {
        *self.known.entry(shape).or_insert_with(|| {
            self.shapes.push(shape);
            Type(self.shapes.len() as u32 - 1)
        })
    }

    /// A number, or a vector of numbers; of `size` 1 for a number.
    pub(crate) fn numbers(&mut self, scalar: Scalar, size: u8) -> Type {
        self.of(if size == 1 { TypeShape::Scalar(scalar) } else { TypeShape::Vector { scalar, size } })
    }

    /// The type of the numbers that a number, a vector or a matrix is made of.
    pub(crate) fn scalar(&self, ty: Type) -> Option<Scalar> {
        match self[ty] {
            TypeShape::Scalar(scalar)
            | TypeShape::Vector { scalar, .. }
            | TypeShape::Packed { scalar, .. }
            | TypeShape::Atomic(scalar)
            | TypeShape::Matrix { scalar, .. }
            | TypeShape::StoredMatrix(StoredMatrix { scalar, .. }) => Some(scalar),
            _ => None,
        }
    }

    /// The number of components: 1 for all but vectors.
    pub(crate) fn size(&self, ty: Type) -> u8 {
        match self[ty] {
            TypeShape::Vector { size, .. } | TypeShape::Packed { size, .. } => size,
            _ => 1,
        }
    }

    /// Returns whether it is a number or a vector.
    pub(crate) fn is_numbers(&self, ty: Type) -> bool {
        matches!(self[ty], TypeShape::Scalar(_) | TypeShape::Vector { .. })
    }
}
