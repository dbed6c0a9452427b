//! Vectors and matrices that are stored in another way than values are.
//!
//! ```text
//! packed_float3 p            float3(p), p[0]
//! float3x4 m, in rows        transpose(m); column c: float3(m[0][c], m[1][c], m[2][c])
//! float2x4 m, filled         float2x2(m[0].xy, m[1].xy)
//! ```
//!
//! Component `r` of column `c` of a matrix in rows is `m[r][c]`. While the path goes to column `c`, the expression is `m[c]` with the type of a
//! column; what uses it replaces it, so it is in no text.

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::syntax::{Arguments, Expr, Shape, Storage, StoredMatrix, Swizzle, Type, TypeShape};

/// A column of a matrix in rows.
#[derive(Clone, Copy)]
struct Column {
    matrix: Expr,
    stored: StoredMatrix,
    index: Expr,
}

impl Body<'_, '_> {
    fn shape_of(&self, expr: Expr) -> TypeShape {
        self.cx.text.types[self.type_of(expr)]
    }

    fn column_in_rows(&self, expr: Expr) -> Option<Column> {
        let Shape::Index { base, index } = self.cx.text.expressions[expr].shape else { return None };
        match self.shape_of(base) {
            TypeShape::StoredMatrix(stored) if stored.is_in_rows => Some(Column { matrix: base, stored, index }),
            _ => None,
        }
    }

    /// A stored vector of a matrix.
    fn stored_vector(&mut self, matrix: Expr, stored: StoredMatrix, index: Expr) -> Expr {
        let ty = self.cx.text.types.of(stored.vector());
        let vector = self.pure(Shape::Index { base: matrix, index }, ty);
        if stored.storage != Storage::Filled {
            return vector;
        }
        let components: Vec<u8> = (0..stored.size()).collect();
        let ty = self.cx.text.types.numbers(stored.scalar, stored.size());
        self.pure(Shape::Swizzle { base: vector, swizzle: Swizzle::new(&components) }, ty)
    }

    /// A stored vector of a matrix, as a value.
    fn vector_value(&mut self, matrix: Expr, stored: StoredMatrix, index: u8) -> Expr {
        let index = self.cx.int(i32::from(index));
        let vector = self.stored_vector(matrix, stored, index);
        self.unpacked(vector)
    }

    fn unpacked(&mut self, vector: Expr) -> Expr {
        match self.shape_of(vector) {
            TypeShape::Packed { scalar, size } => {
                let ty = self.cx.text.types.numbers(scalar, size);
                if self.cx.target != super::super::Target::Wgsl {
                    return self.construct([vector], ty);
                }
                // It is an array there.
                let mut parts = Arguments::new();
                for component in 0..size {
                    let copied = self.cx.text.expressions.copy(vector);
                    let part = self.stored_component(copied, component);
                    parts.extend(part);
                }
                self.construct(parts, ty)
            }
            _ => vector,
        }
    }

    /// Component `row` of a column of a matrix in rows.
    fn component_of(&mut self, column: Column, row: Expr) -> Expr {
        let Column { matrix, stored, index } = column;
        let whole = self.cx.text.types.of(stored.vector());
        let vector = self.pure(Shape::Index { base: matrix, index: row }, whole);
        let ty = self.cx.text.types.numbers(stored.scalar, 1);
        self.pure(Shape::Index { base: vector, index }, ty)
    }

    /// An element of what is stored in another way; `None` for all else.
    pub(super) fn stored_element(&mut self, base: Expr, index: Expr) -> Option<Expr> {
        if let Some(column) = self.column_in_rows(base) {
            return Some(self.component_of(column, index));
        }
        match self.shape_of(base) {
            TypeShape::StoredMatrix(stored) if !stored.is_in_rows => Some(self.stored_vector(base, stored, index)),
            _ => None,
        }
    }

    /// A component of a vector that is stored in another way; `None` for all else.
    pub(super) fn stored_component(&mut self, base: Expr, component: u8) -> Option<Expr> {
        let is_packed = matches!(self.shape_of(base), TypeShape::Packed { .. });
        let column = self.column_in_rows(base);
        if column.is_none() && !is_packed {
            return None;
        }
        let index = self.cx.int(i32::from(component));
        Some(match column {
            Some(column) => self.component_of(column, index),
            None => {
                let scalar = self.numbers_of(base).scalar;
                let ty = self.cx.text.types.numbers(scalar, 1);
                self.pure(Shape::Index { base, index }, ty)
            }
        })
    }

    /// The value of what is stored in another way, or the stored form of a value; `None` for all else.
    pub(super) fn other_form(&mut self, value: Expr, wanted: Type) -> Option<Expr> {
        if let Some(column) = self.column_in_rows(value) {
            let Column { matrix, index, stored } = column;
            let mut parts = Arguments::new();
            for row in 0..stored.rows {
                let (matrix, index) = (self.cx.text.expressions.copy(matrix), self.cx.text.expressions.copy(index));
                let row = self.cx.int(i32::from(row));
                parts.push(self.component_of(Column { matrix, index, stored }, row));
            }
            return Some(self.construct(parts, wanted));
        }
        match (self.shape_of(value), self.cx.text.types[wanted]) {
            (TypeShape::Packed { .. }, TypeShape::Vector { scalar, .. }) => {
                let vector = self.unpacked(value);
                Some(self.cast(vector, scalar.kind))
            }
            (TypeShape::Vector { .. }, TypeShape::Packed { scalar, size }) => {
                let value = self.cast(value, scalar.kind);
                if self.cx.target != super::super::Target::Wgsl {
                    return Some(value);
                }
                let name = self.repeated(value);
                let mut parts = Arguments::new();
                for component in 0..size {
                    let whole = self.local(name);
                    parts.push(self.swizzle(whole, &[component]));
                }
                Some(self.construct(parts, wanted))
            }
            (TypeShape::Atomic(_), TypeShape::Scalar(scalar)) => {
                let loaded = self.atomic_load(value);
                Some(self.cast(loaded, scalar.kind))
            }
            (TypeShape::StoredMatrix(stored), TypeShape::Matrix { .. }) => {
                Some(self.matrix_value(value, stored, wanted))
            }
            (TypeShape::Matrix { .. }, TypeShape::StoredMatrix(stored)) => Some(self.stored_value(value, stored)),
            _ => None,
        }
    }

    fn matrix_value(&mut self, value: Expr, stored: StoredMatrix, wanted: Type) -> Expr {
        let scalar = stored.scalar;
        let as_stored = match stored.storage {
            Storage::Natural => value,
            _ => {
                let shape = TypeShape::Matrix { scalar, columns: stored.vectors(), rows: stored.size() };
                let ty = self.cx.text.types.of(shape);
                let mut vectors = Arguments::new();
                for index in 0..stored.vectors() {
                    let matrix = self.cx.text.expressions.copy(value);
                    vectors.push(self.vector_value(matrix, stored, index));
                }
                self.construct(vectors, ty)
            }
        };
        match stored.is_in_rows {
            true => self.call("transpose", &[as_stored], wanted),
            false => as_stored,
        }
    }

    /// A matrix with the vectors that are stored as its columns.
    fn as_columns(&mut self, value: Expr, stored: StoredMatrix) -> Expr {
        if !stored.is_in_rows {
            return value;
        }
        let shape = TypeShape::Matrix { scalar: stored.scalar, columns: stored.rows, rows: stored.columns };
        let ty = self.cx.text.types.of(shape);
        self.call("transpose", &[value], ty)
    }

    /// A matrix as it is stored.
    fn stored_value(&mut self, value: Expr, stored: StoredMatrix) -> Expr {
        let ty = self.cx.text.types.of(TypeShape::StoredMatrix(stored));
        let columns = self.as_columns(value, stored);
        if stored.storage == Storage::Natural {
            return columns;
        }
        let name = self.name_value(columns);
        let mut vectors = Arguments::new();
        for index in 0..stored.vectors() {
            let vector = self.column_of(name, stored, index);
            vectors.push(match stored.storage {
                Storage::Filled => {
                    let one = self.cx.text.types.numbers(stored.scalar, 1);
                    let zeros = (stored.size()..4).map(|_| self.cx.literal(crate::syntax::Literal::Float(0.0), one));
                    let parts: Vec<Expr> = std::iter::once(vector).chain(zeros).collect();
                    let filled = self.cx.text.types.numbers(stored.scalar, 4);
                    self.construct(parts, filled)
                }
                _ => {
                    let wanted = self.cx.text.types.of(stored.vector());
                    self.other_form(vector, wanted).unwrap_or(vector)
                }
            });
        }
        self.construct(vectors, ty)
    }

    fn column_of(&mut self, name: crate::syntax::LocalId, stored: StoredMatrix, index: u8) -> Expr {
        let (base, index) = (self.local(name), self.cx.int(i32::from(index)));
        let ty = self.cx.text.types.numbers(stored.scalar, stored.size());
        self.pure(Shape::Index { base, index }, ty)
    }

    /// Stores a matrix, or a column of one, where that takes more than an assignment or a change of the value.
    pub(super) fn store_matrix(&mut self, target: Expr, value: Expr) -> Result<bool, Diagnostic> {
        if let Some(column) = self.column_in_rows(target) {
            let name = self.name_value(value);
            for row in 0..column.stored.rows {
                let matrix = self.cx.text.expressions.copy(column.matrix);
                let index = self.cx.text.expressions.copy(column.index);
                let at = self.cx.int(i32::from(row));
                let target = self.component_of(Column { matrix, index, ..column }, at);
                let whole = self.local(name);
                let value = self.swizzle(whole, &[row]);
                self.assign_to(target, value);
            }
            return Ok(true);
        }
        let (TypeShape::StoredMatrix(stored), TypeShape::Matrix { .. }) = (self.shape_of(target), self.shape_of(value))
        else {
            return Ok(false);
        };
        let columns = self.as_columns(value, stored);
        if stored.storage == Storage::Natural {
            self.assign_to(target, columns);
            return Ok(true);
        }
        let name = self.name_value(columns);
        for index in 0..stored.vectors() {
            let matrix = self.cx.text.expressions.copy(target);
            let at = self.cx.int(i32::from(index));
            let target = self.stored_vector(matrix, stored, at);
            let value = self.column_of(name, stored, index);
            let wanted = self.type_of(target);
            let value = self.other_form(value, wanted).unwrap_or(value);
            self.assign_to(target, value);
        }
        Ok(true)
    }

    /// The parts of a struct, with matrices as they are stored in it.
    pub(super) fn stored_parts(&mut self, ty: Type, parts: Arguments) -> Arguments {
        let TypeShape::Struct(id) = self.cx.text.types[ty] else { return parts };
        let wanted: Vec<Type> = self.cx.text.structure(id).members.iter().map(|member| member.ty).collect();
        let stored = |(part, wanted): (Expr, Type)| match self.cx.text.types[wanted] {
            TypeShape::StoredMatrix(_) | TypeShape::Packed { .. } => self.other_form(part, wanted).unwrap_or(part),
            _ => part,
        };
        parts.into_iter().zip(wanted).map(stored).collect()
    }
}
