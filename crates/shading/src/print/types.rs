//! Names of types, and what is declared with a type.

use super::{Printer, glsl, hlsl, msl, wgsl};
use crate::Language;
use crate::syntax::{Length, Member, Mesh, Scalar, ScalarKind, Storage, StoredMatrix, Topology, Type, TypeShape};

impl Printer<'_> {
    /// The name of a type, as constructors have it.
    pub(super) fn type_name(&self, ty: Type) -> String {
        match self.text.types[ty] {
            TypeShape::Void => "void".to_owned(),
            TypeShape::Scalar(scalar) => self.scalar(scalar),
            TypeShape::Vector { scalar, size } => self.vector(scalar, size),
            TypeShape::Matrix { scalar, columns, rows } => self.matrix(scalar, columns, rows),
            TypeShape::Packed { scalar, size } if self.is_wgsl() => format!("array<{}, {size}>", self.scalar(scalar)),
            TypeShape::Packed { scalar, size } => format!("packed_{}", self.vector(scalar, size)),
            TypeShape::Atomic(scalar) => format!("atomic<{}>", self.scalar(scalar)),
            TypeShape::StoredMatrix(matrix) => self.stored_matrix(matrix),
            TypeShape::Array { element, length } => self.array(ty, element, length),
            TypeShape::Struct(id) => self.text.structure(id).name.clone(),
            TypeShape::Pointer { memory, to } => format!("{memory} {}*", self.type_name(to)),
            TypeShape::ControlPoints { point } => format!("patch_control_point<{}>", self.type_name(point)),
            TypeShape::Mesh(mesh) => self.mesh(mesh),
            shape => self.opaque(shape),
        }
    }

    /// The name of a type of handles.
    fn opaque(&self, shape: TypeShape) -> String {
        match self.language {
            Language::Glsl => glsl::opaque(shape),
            Language::Hlsl => hlsl::opaque(shape, self.spelling.halves),
            Language::Msl => msl::opaque(shape),
            Language::Wgsl => wgsl::opaque(shape),
        }
    }

    /// The type of a mesh of MSL.
    fn mesh(&self, mesh: Mesh) -> String {
        let primitive = mesh.primitive.map_or_else(|| "void".to_owned(), |ty| self.type_name(ty));
        let topology = match mesh.topology {
            Topology::Point => "point",
            Topology::Line => "line",
            Topology::Triangle => "triangle",
        };
        let (vertex, vertices, primitives) = (self.type_name(mesh.vertex), mesh.most_vertices, mesh.most_primitives);
        format!("mesh<{vertex}, {primitive}, {vertices}, {primitives}, topology::{topology}>")
    }

    pub(super) fn scalar(&self, scalar: Scalar) -> String {
        match self.language {
            Language::Glsl => glsl::scalar(scalar).to_owned(),
            Language::Hlsl => hlsl::scalar(scalar, self.spelling.halves).to_owned(),
            Language::Msl => msl::scalar(scalar).to_owned(),
            Language::Wgsl => wgsl::scalar(scalar).to_owned(),
        }
    }

    fn vector(&self, scalar: Scalar, size: u8) -> String {
        match self.language {
            Language::Glsl => format!("{}vec{size}", glsl::letter(scalar)),
            Language::Hlsl | Language::Msl => format!("{}{size}", self.scalar(scalar)),
            Language::Wgsl if scalar.kind == ScalarKind::Bool => format!("vec{size}<bool>"),
            Language::Wgsl => format!("vec{size}{}", wgsl::letter(scalar)),
        }
    }

    fn matrix(&self, scalar: Scalar, columns: u8, rows: u8) -> String {
        match self.language {
            Language::Glsl if columns == rows => format!("{}mat{columns}", glsl::letter(scalar)),
            Language::Glsl => format!("{}mat{columns}x{rows}", glsl::letter(scalar)),
            Language::Hlsl | Language::Msl => format!("{}{columns}x{rows}", self.scalar(scalar)),
            Language::Wgsl => format!("mat{columns}x{rows}{}", wgsl::letter(scalar)),
        }
    }

    /// A matrix in memory, whose columns or rows are the columns of a matrix or the elements of an array.
    fn stored_matrix(&self, matrix: StoredMatrix) -> String {
        let (scalar, vectors, size) = (matrix.scalar, matrix.vectors(), matrix.size());
        match matrix.storage {
            Storage::Natural => self.matrix(scalar, vectors, size),
            Storage::Filled => self.matrix(scalar, vectors, 4),
            Storage::Packed if self.is_wgsl() => format!("array<array<{}, {size}>, {vectors}>", self.scalar(scalar)),
            Storage::Packed => format!("array<packed_{}, {vectors}>", self.vector(scalar, size)),
        }
    }

    fn array(&self, ty: Type, element: Type, length: Length) -> String {
        match (self.language, length) {
            (Language::Glsl | Language::Hlsl, _) => {
                let (innermost, lengths) = self.dimensions(ty);
                format!("{}{lengths}", self.type_name(innermost))
            }
            (_, Length::Runtime) => format!("array<{}>", self.type_name(element)),
            _ => format!("array<{}, {}>", self.type_name(element), self.length(length)),
        }
    }

    pub(super) fn length(&self, length: Length) -> String {
        match length {
            Length::Constant(number) => number.to_string(),
            Length::Named(global) => self.global(global).name.clone(),
            Length::Runtime => String::new(),
        }
    }

    /// The element of an array of arrays, and the lengths in brackets, the outermost first.
    pub(super) fn dimensions(&self, mut ty: Type) -> (Type, String) {
        let mut lengths = String::new();
        while let TypeShape::Array { element, length } = self.text.types[ty] {
            lengths.push_str(&format!("[{}]", self.length(length)));
            ty = element;
        }
        (ty, lengths)
    }

    /// A name with its type: `float x[4]`, `x: array<f32, 4>`.
    pub(super) fn declared(&self, ty: Type, name: &str) -> String {
        match (self.language, self.text.types[ty]) {
            (Language::Wgsl, _) => format!("{name}: {}", self.type_name(ty)),
            // C++ has no arrays without a length; the length of this one is never used.
            (Language::Msl, TypeShape::Array { element, length: Length::Runtime }) => {
                format!("{} {name}[1]", self.type_name(element))
            }
            (Language::Msl, _) => format!("{} {name}", self.type_name(ty)),
            (Language::Glsl | Language::Hlsl, _) => {
                let (innermost, lengths) = self.dimensions(ty);
                format!("{} {name}{lengths}", self.type_name(innermost))
            }
        }
    }

    /// A name with its type in memory of a kind: arrays of a workgroup and tables are those of C.
    pub(super) fn declared_in(&self, memory: &str, ty: Type, name: &str) -> String {
        match self.text.types[ty] {
            TypeShape::Array { .. }
                if self.language == Language::Msl && matches!(memory, "threadgroup" | "constant") =>
            {
                let (innermost, lengths) = self.dimensions(ty);
                format!("{} {name}{lengths}", self.type_name(innermost))
            }
            _ => self.declared(ty, name),
        }
    }

    /// Returns whether a member is a pointer: a buffer in an argument buffer of MSL.
    pub(super) fn points_to_memory(&self, member: &Member) -> bool {
        self.language == Language::Msl && msl::is_memory(&member.prefix)
    }

    /// A pointer to memory of MSL, or to the first element of an array without a length.
    pub(super) fn pointer(&self, ty: Type, name: &str) -> String {
        match self.text.types[ty] {
            TypeShape::Array { element, length: Length::Runtime } => format!("{}* {name}", self.type_name(element)),
            _ => format!("{}* {name}", self.type_name(ty)),
        }
    }

    /// A reference to memory of MSL, or a pointer to the first element of an array without a length.
    pub(super) fn reference(&self, ty: Type, name: &str, memory: &str) -> String {
        match self.text.types[ty] {
            TypeShape::Array { element, length: Length::Runtime } => format!("{}* {name}", self.type_name(element)),
            TypeShape::Array { .. } if memory == "threadgroup" => {
                let (innermost, lengths) = self.dimensions(ty);
                format!("{} (&{name}){lengths}", self.type_name(innermost))
            }
            _ => format!("{}& {name}", self.type_name(ty)),
        }
    }
}
