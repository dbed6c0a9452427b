//! The inverse of a matrix, which the language has no function for: the adjugate by the determinant.
//!
//! ```text
//! two columns        float2x2(d, -b, -c, a) / determinant(m)
//! three              transpose(float3x3(cross(b, c), cross(c, a), cross(a, b))) / dot(a, cross(b, c))
//! four               s = cross(a, b), t = cross(c, d), u = a * b.w - b * a.w, v = c * d.w - d * c.w, of the first three rows
//! ```
//!
//! (E. Lengyel, Foundations of Game Engine Development 1, section 1.7.5.)

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Expr, LocalId, Scalar, Type, TypeShape, Unary};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// The inverse of a matrix.
    pub(super) fn hlsl_inverse(&mut self, operand: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        let value = self.value(operand)?;
        let ty = self.type_of(value);
        let TypeShape::Matrix { scalar, columns, rows } = self.cx.text.types[ty] else { return self.unknown(inst) };
        if columns > 2 && scalar.width != 32 || columns != rows {
            let message = format!("the inverse of a matrix of {columns} columns of {} bits in HLSL", scalar.width);
            return self.refuse(WriteCode::Op, inst, message);
        }
        let matrix = self.repeated(value);
        match columns {
            2 => self.inverse_of_two(matrix, inst),
            3 => self.inverse_of_three(matrix, inst),
            _ => self.inverse_of_four(matrix, inst),
        }
    }

    /// A column of a matrix.
    fn column(&mut self, matrix: LocalId, number: i32, inst: Inst) -> Result<Expr, Diagnostic> {
        let (whole, index) = (self.local(matrix), self.cx.int(number));
        self.element(whole, index, inst)
    }

    fn inverse_of_two(&mut self, matrix: LocalId, inst: Inst) -> Result<Expr, Diagnostic> {
        let whole = self.local(matrix);
        let ty = self.type_of(whole);
        let number = self.cx.text.types.numbers(self.numbers_of_type(ty).scalar, 1);
        let part = |body: &mut Self, column: i32, row: u8| {
            let vector = body.column(matrix, column, inst)?;
            Ok::<Expr, Diagnostic>(body.swizzle(vector, &[row]))
        };
        let (a, b, c, d) = (part(self, 0, 0)?, part(self, 0, 1)?, part(self, 1, 0)?, part(self, 1, 1)?);
        let (b, c) = (self.unary(Unary::Negate, b), self.unary(Unary::Negate, c));
        let adjugate = self.construct([d, b, c, a], ty);
        let determinant = self.call("determinant", &[whole], number);
        Ok(self.binary(Binary::Divide, adjugate, determinant, ty))
    }

    fn inverse_of_three(&mut self, matrix: LocalId, inst: Inst) -> Result<Expr, Diagnostic> {
        let whole = self.local(matrix);
        let ty = self.type_of(whole);
        let mut columns = Vec::new();
        for number in 0..3 {
            let column = self.column(matrix, number, inst)?;
            columns.push(self.name_value(column));
        }
        let vector = self.type_of_numbers(Numbers { scalar: Scalar::FLOAT, size: 3 });
        let mut rows = Vec::new();
        for [left, right] in [[1, 2], [2, 0], [0, 1]] {
            let row = self.of_two("cross", [columns[left], columns[right]], vector);
            rows.push(self.name_value(row));
        }
        let number = self.cx.text.types.numbers(Scalar::FLOAT, 1);
        let determinant = self.of_two("dot", [columns[0], rows[0]], number);
        let parts: Vec<Expr> = rows.into_iter().map(|row| self.local(row)).collect();
        Ok(self.by_determinant(parts, determinant, ty))
    }

    fn inverse_of_four(&mut self, matrix: LocalId, inst: Inst) -> Result<Expr, Diagnostic> {
        let whole = self.local(matrix);
        let ty = self.type_of(whole);
        let vector = self.type_of_numbers(Numbers { scalar: Scalar::FLOAT, size: 3 });
        let number = self.cx.text.types.numbers(Scalar::FLOAT, 1);
        let (mut tops, mut lasts) = (Vec::new(), Vec::new());
        for column in 0..4 {
            let whole = self.column(matrix, column, inst)?;
            let top = self.swizzle(whole, &[0, 1, 2]);
            tops.push(self.name_value(top));
            let whole = self.column(matrix, column, inst)?;
            let last = self.swizzle(whole, &[3]);
            lasts.push(self.name_value(last));
        }
        let [a, b, c, d] = [tops[0], tops[1], tops[2], tops[3]];
        let [x, y, z, w] = [lasts[0], lasts[1], lasts[2], lasts[3]];
        let s = self.of_two("cross", [a, b], vector);
        let s = self.name_value(s);
        let t = self.of_two("cross", [c, d], vector);
        let t = self.name_value(t);
        let u = self.scaled_sum(Binary::Subtract, [a, y], [b, x]);
        let u = self.name_value(u);
        let v = self.scaled_sum(Binary::Subtract, [c, w], [d, z]);
        let v = self.name_value(v);
        let (first, second) = (self.of_two("dot", [s, v], number), self.of_two("dot", [t, u], number));
        let determinant = self.binary(Binary::Add, first, second, number);
        let mut rows = Vec::new();
        let of_rows = [
            ([b, v], Binary::Add, [t, y], [b, t], true),
            ([v, a], Binary::Subtract, [t, x], [a, t], false),
            ([d, u], Binary::Add, [s, w], [d, s], true),
            ([u, c], Binary::Subtract, [s, z], [c, s], false),
        ];
        for (crossed, operator, [scaled, factor], dotted, is_negative) in of_rows {
            let cross = self.of_two("cross", crossed, vector);
            let (scaled, factor) = (self.local(scaled), self.local(factor));
            let product = self.binary(Binary::Multiply, scaled, factor, vector);
            let row = self.binary(operator, cross, product, vector);
            let dot = self.of_two("dot", dotted, number);
            let last = if is_negative { self.unary(Unary::Negate, dot) } else { dot };
            let of_four = self.type_of_numbers(Numbers { scalar: Scalar::FLOAT, size: 4 });
            let row = self.construct([row, last], of_four);
            let row = self.name_value(row);
            rows.push(self.local(row));
        }
        Ok(self.by_determinant(rows, determinant, ty))
    }

    /// The matrix with these rows, divided by a number.
    fn by_determinant(&mut self, rows: Vec<Expr>, determinant: Expr, ty: Type) -> Expr {
        let in_rows = self.construct(rows, ty);
        let adjugate = self.call("transpose", &[in_rows], ty);
        self.binary(Binary::Divide, adjugate, determinant, ty)
    }

    fn of_two(&mut self, name: &'static str, operands: [LocalId; 2], ty: Type) -> Expr {
        let operands = operands.map(|operand| self.local(operand));
        self.call(name, &operands, ty)
    }

    /// The sum or difference of two vectors, each times a number.
    fn scaled_sum(&mut self, operator: Binary, one: [LocalId; 2], other: [LocalId; 2]) -> Expr {
        let [left, right] = [one, other].map(|[vector, factor]| {
            let (vector, factor) = (self.local(vector), self.local(factor));
            let ty = self.type_of(vector);
            self.binary(Binary::Multiply, vector, factor, ty)
        });
        let ty = self.type_of(left);
        self.binary(operator, left, right, ty)
    }
}
