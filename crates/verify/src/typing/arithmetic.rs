//! Arithmetic and derivatives (SPIR-V sections 3.3.13 and 3.3.16): T01.

use super::facts::{FLOAT, FLOATS, INT, INTS, MATRIX, OTHER, STRUCT, UNSIGNED, UNSIGNED_VECTOR};
use super::rule::Check::{By, Count, Is, PartOf, Same, Width};
use super::rule::{ALL, Asked, FIRST, RESULT, Rule, SECOND, THIRD, TypedPart};

/// Floats in, floats out.
pub(super) const OF_FLOATS: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(ALL, RESULT)];
/// Integers in, integers out, of the same number of components and width; signedness does not count.
pub(super) const OF_INTEGERS: Rule =
    &[Is(RESULT, INT | INTS), Is(ALL, INT | INTS), Count(ALL, RESULT), Width(ALL, RESULT)];
/// Unsigned integers of one type.
pub(super) const OF_UNSIGNED: Rule = &[Is(RESULT, UNSIGNED | UNSIGNED_VECTOR), Same(ALL, RESULT)];
/// `dot`.
pub(super) const DOT: Rule =
    &[Is(RESULT, FLOAT), Is(ALL, FLOATS), PartOf(RESULT, FIRST), PartOf(RESULT, SECOND), Count(SECOND, FIRST)];
/// `vector_times_scalar`.
pub(super) const VECTOR_TIMES_SCALAR: Rule = &[Is(RESULT, FLOATS), Same(FIRST, RESULT), PartOf(SECOND, FIRST)];
/// `matrix_times_scalar`.
pub(super) const MATRIX_TIMES_SCALAR: Rule = &[Is(RESULT, MATRIX), Same(FIRST, RESULT), By(scales_components)];
/// `vector_times_matrix`.
pub(super) const VECTOR_TIMES_MATRIX: Rule =
    &[Is(RESULT, FLOATS), Is(FIRST, FLOATS), Is(SECOND, MATRIX), By(multiplies_vector_by_matrix)];
/// `matrix_times_vector`.
pub(super) const MATRIX_TIMES_VECTOR: Rule =
    &[Is(RESULT, FLOATS), Is(FIRST, MATRIX), PartOf(RESULT, FIRST), Is(SECOND, FLOATS), By(has_vector_for_columns)];
/// `matrix_times_matrix`.
pub(super) const MATRIX_TIMES_MATRIX: Rule = &[Is(RESULT, MATRIX), Is(ALL, MATRIX), By(multiplies_matrices)];
/// `outer_product`.
pub(super) const OUTER_PRODUCT: Rule =
    &[Is(RESULT, MATRIX), PartOf(FIRST, RESULT), Is(SECOND, FLOATS), By(spans_columns)];
/// A struct of two results, each of the type of the operands.
pub(super) const EXTENDED: Rule = &[Is(RESULT, STRUCT), Is(FIRST, INT | INTS), Same(SECOND, FIRST), By(gives_a_pair)];
/// The same, for unsigned integers alone.
pub(super) const EXTENDED_UNSIGNED: Rule =
    &[Is(RESULT, STRUCT), Is(FIRST, UNSIGNED | UNSIGNED_VECTOR), Same(SECOND, FIRST), By(gives_a_pair)];
/// Integer dot products: of vectors of integers, or of packed words.
pub(super) const INTEGER_DOT: Rule = &[Is(RESULT, INT), Is(FIRST, INT | INTS), Is(SECOND, INT | INTS)];
/// The same, with an accumulator.
pub(super) const ACCUMULATING_DOT: Rule =
    &[Is(RESULT, INT), Is(FIRST, INT | INTS), Is(SECOND, INT | INTS), Same(THIRD, RESULT)];
/// Derivatives: of 32-bit floats.
pub(super) const DERIVATIVE: Rule =
    &[Is(RESULT, FLOAT | FLOATS), super::rule::Check::Bits(RESULT, &[32]), Same(FIRST, RESULT)];

fn scales_components(asked: &Asked<'_, '_>) -> Option<String> {
    let column = asked.about(asked.facts(FIRST)?.part?);
    let scalar = asked.type_of(SECOND)?;
    (column.kind != OTHER && column.part != Some(scalar))
        .then(|| format!("the scalar should be of the type of the matrix's components, found {}", asked.name(scalar)))
}

fn multiplies_vector_by_matrix(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, vector, matrix) = (asked.facts(RESULT)?, asked.facts(FIRST)?, asked.facts(SECOND)?);
    let column = asked.about(matrix.part?);
    if result.kind == OTHER || vector.kind == OTHER || matrix.kind == OTHER {
        return None;
    }
    let is_right = result.part == vector.part
        && result.part == column.part
        && result.count == matrix.count
        && vector.count == column.count;
    (!is_right).then(|| {
        "the vector should have one component for each row of the matrix, and the result one for each column".to_owned()
    })
}

fn has_vector_for_columns(asked: &Asked<'_, '_>) -> Option<String> {
    let (matrix, vector) = (asked.facts(FIRST)?, asked.facts(SECOND)?);
    if matrix.kind == OTHER || vector.kind == OTHER {
        return None;
    }
    let is_right = matrix.count == vector.count && asked.about(matrix.part?).part == vector.part;
    (!is_right)
        .then(|| "the vector should have as many components as the matrix has columns, of the same type".to_owned())
}

fn multiplies_matrices(asked: &Asked<'_, '_>) -> Option<String> {
    let [result, left, right] = [asked.facts(RESULT)?, asked.facts(FIRST)?, asked.facts(SECOND)?];
    if [result, left, right].iter().any(|facts| facts.kind == OTHER) {
        return None;
    }
    let right_column = asked.about(right.part?);
    let is_right = result.part == left.part
        && asked.about(result.part?).part == right_column.part
        && result.count == right.count
        && left.count == right_column.count;
    (!is_right).then(|| {
        "the left matrix should have the result's column type, the right one the result's columns and as many rows as the left one \
         has columns"
            .to_owned()
    })
}

fn spans_columns(asked: &Asked<'_, '_>) -> Option<String> {
    let (matrix, right) = (asked.facts(RESULT)?, asked.facts(SECOND)?);
    if matrix.kind == OTHER || right.kind == OTHER {
        return None;
    }
    let is_right = matrix.count == right.count && asked.about(matrix.part?).part == right.part;
    (!is_right).then(|| "the right vector should have as many components as the result has columns".to_owned())
}

fn gives_a_pair(asked: &Asked<'_, '_>) -> Option<String> {
    let (pair, ty) = (asked.type_of(TypedPart::Result)?, asked.type_of(FIRST)?);
    let is_known = asked.about(pair).kind == STRUCT && asked.about(ty).kind != OTHER;
    let members = asked.module().operands(pair);
    (is_known && !(members.len() == 2 && members.clone().all(|member| member == ty)))
        .then(|| format!("the result should be a struct of two members of type {}", asked.name(ty)))
}
