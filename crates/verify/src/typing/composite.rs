//! Composite instructions (SPIR-V section 3.3.12): T05.

use reconverge_ir::Inst;
use reconverge_ir::view::TypeView;

use super::facts::{ARRAY, INT, MATRIX, OTHER, POINTER, RUNTIME_ARRAY, SCALAR, STRUCT, VECTOR, VOID};
use super::rule::Check::{By, Is, PartOf, Same};
use super::rule::{Asked, FIRST, RESULT, Rule, SECOND, THIRD, TypedPart};

/// The maximal number of indices of one access (SPIR-V section 2.17).
pub(super) const INDEX_LIMIT: usize = 255;

/// `vector_extract_dynamic`.
pub(super) const EXTRACT_DYNAMIC: Rule =
    &[Is(RESULT, SCALAR), Is(FIRST, VECTOR), PartOf(RESULT, FIRST), Is(SECOND, INT), By(is_more_than_stored)];
/// `vector_insert_dynamic`.
pub(super) const INSERT_DYNAMIC: Rule =
    &[Is(RESULT, VECTOR), Same(FIRST, RESULT), PartOf(SECOND, RESULT), Is(THIRD, INT), By(is_more_than_stored)];
/// `vector_shuffle`.
pub(super) const SHUFFLE: Rule = &[
    Is(RESULT, VECTOR),
    Is(FIRST, VECTOR),
    Is(SECOND, VECTOR),
    By(shuffles_components_of_one_type),
    By(names_components),
    By(is_more_than_stored),
];
/// `composite_construct` and composite constants.
pub(super) const CONSTRUCT: Rule = &[By(puts_parts_together), By(is_more_than_stored)];
/// `composite_extract`.
pub(super) const EXTRACT: Rule = &[By(extracts_a_part), By(is_more_than_stored)];
/// `composite_insert`.
pub(super) const INSERT: Rule = &[Same(SECOND, RESULT), By(inserts_a_part), By(is_more_than_stored)];
/// `copy_object`.
pub(super) const COPY: Rule = &[Same(FIRST, RESULT), By(is_something)];
/// `transpose`.
pub(super) const TRANSPOSE: Rule =
    &[Is(RESULT, MATRIX), Is(FIRST, MATRIX), By(swaps_rows_and_columns), By(is_more_than_stored)];
/// `copy_logical`.
pub(super) const COPY_LOGICAL: Rule = &[By(is_another_type), By(matches_logically), By(is_more_than_stored)];

/// 8- and 16-bit types that can only be stored are not inserted into composites or extracted from them.
pub(super) fn is_more_than_stored(asked: &Asked<'_, '_>) -> Option<String> {
    let ty = asked.type_of(RESULT).filter(|&ty| asked.context.is_storage_only(ty))?;
    Some(format!("values of type {}, which holds 8- or 16-bit numbers, can only be stored", asked.name(ty)))
}

fn is_something(asked: &Asked<'_, '_>) -> Option<String> {
    (asked.facts(RESULT)?.kind == VOID).then(|| "a value of type void cannot be copied".to_owned())
}

fn shuffles_components_of_one_type(asked: &Asked<'_, '_>) -> Option<String> {
    let [result, first, second] = [asked.facts(RESULT)?, asked.facts(FIRST)?, asked.facts(SECOND)?];
    let is_known = [result, first, second].iter().all(|facts| facts.kind != OTHER);
    (is_known && (result.part != first.part || result.part != second.part))
        .then(|| "both vectors should have components of the result's component type".to_owned())
}

fn names_components(asked: &Asked<'_, '_>) -> Option<String> {
    let [result, first, second] = [asked.facts(RESULT)?, asked.facts(FIRST)?, asked.facts(SECOND)?];
    if [result, first, second].iter().any(|facts| facts.kind == OTHER) {
        return None;
    }
    let found = asked.count() - 2;
    if found != result.count as usize {
        return Some(format!("there should be {} components, found {found}", result.count));
    }
    let limit = first.count + second.count;
    let outside =
        (2..asked.count()).filter_map(|number| asked.word(number)).find(|&word| word != u32::MAX && word >= limit);
    outside.map(|word| format!("component {word} is out of range: the two vectors have {limit} components"))
}

fn puts_parts_together(asked: &Asked<'_, '_>) -> Option<String> {
    parts_problem(asked)
}

/// The error in the constituents of a composite, if there is one.
pub(super) fn parts_problem(asked: &Asked<'_, '_>) -> Option<String> {
    let (ty, facts) = (asked.type_of(RESULT)?, asked.facts(RESULT)?);
    match facts.kind {
        OTHER => None,
        kind if kind & VECTOR != 0 => fills_vector(asked),
        MATRIX => has_elements(asked, facts.part?, Some(u64::from(facts.count))),
        ARRAY => has_elements(asked, facts.part?, asked.context.length(ty)),
        STRUCT => has_members(asked, ty),
        _ => Some(format!("the result should be a composite, found {}", asked.name(ty))),
    }
}

fn fills_vector(asked: &Asked<'_, '_>) -> Option<String> {
    let facts = asked.facts(RESULT)?;
    let (component, is_constant) = (facts.part?, asked.op.is_constant());
    let mut count = 0;
    for number in 0..asked.count() {
        let ty = asked.type_of(TypedPart::Operand(number))?;
        let own = asked.about(ty);
        count += match own.kind {
            _ if ty == component => 1,
            OTHER => return None,
            _ if own.kind & VECTOR != 0 && own.part == Some(component) && !is_constant => own.count,
            _ => {
                return Some(format!(
                    "operand {number} should consist of components of the result, found {}",
                    asked.name(ty)
                ));
            }
        };
    }
    if asked.count() < 2 {
        return Some("a vector should be constructed from at least two parts".to_owned());
    }
    (count != facts.count)
        .then(|| format!("the operands should have {} components in total, found {count}", facts.count))
}

fn has_elements(asked: &Asked<'_, '_>, element: Inst, length: Option<u64>) -> Option<String> {
    // The length of an array may be a specialization constant; then its constituents are not checked.
    let length = length?;
    if asked.count() as u64 != length {
        return Some(format!("there should be {length} parts, found {}", asked.count()));
    }
    has_types(asked, (0..asked.count()).map(|_| element))
}

fn has_members(asked: &Asked<'_, '_>, ty: Inst) -> Option<String> {
    let members = asked.module().operands(ty);
    if asked.count() != members.len() {
        return Some(format!("there should be {} parts, one for each member, found {}", members.len(), asked.count()));
    }
    has_types(asked, members)
}

fn has_types(asked: &Asked<'_, '_>, expected: impl Iterator<Item = Inst>) -> Option<String> {
    expected.enumerate().find_map(|(number, expected)| {
        let found = asked.type_of(TypedPart::Operand(number));
        (found != Some(expected) && !are_constant_addresses(asked, expected, found)).then(|| {
            let found = found.map_or_else(|| "no value".to_owned(), |found| asked.name(found));
            format!("operand {number} should be of type {}, found {found}", asked.name(expected))
        })
    })
}

/// Returns whether a constant consists of pointers that differ only in type. Clang 22 writes such tables of strings of different lengths,
/// and the pointers are correct whatever their type.
fn are_constant_addresses(asked: &Asked<'_, '_>, expected: Inst, found: Option<Inst>) -> bool {
    let is_pointer = |ty: Inst| asked.about(ty).kind == POINTER;
    asked.op.is_constant() && is_pointer(expected) && found.is_some_and(is_pointer)
}

/// The type at a path of literal indices in a value.
enum Reached {
    Type(Inst),
    /// A type on the path is not known.
    Unknown,
    Problem(String),
}

fn follow(asked: &Asked<'_, '_>, composite: TypedPart, first_index: usize) -> Reached {
    let indices = asked.count().saturating_sub(first_index);
    if !(1..=INDEX_LIMIT).contains(&indices) {
        return Reached::Problem(format!("there should be 1 to {INDEX_LIMIT} indices, found {indices}"));
    }
    let Some(mut ty) = asked.type_of(composite) else {
        return Reached::Problem("the operand should be a composite, but is not a value".to_owned());
    };
    for number in first_index..asked.count() {
        let Some(index) = asked.word(number) else { return Reached::Unknown };
        let facts = asked.about(ty);
        let limit = match facts.kind {
            OTHER => return Reached::Unknown,
            kind if kind & (VECTOR | MATRIX) != 0 => Some(u64::from(facts.count)),
            ARRAY => asked.context.length(ty),
            RUNTIME_ARRAY => None,
            STRUCT => Some(asked.module().operand_count(ty) as u64),
            _ => {
                return Reached::Problem(format!(
                    "index {index} selects into {}, which is not a composite",
                    asked.name(ty)
                ));
            }
        };
        if limit.is_some_and(|limit| u64::from(index) >= limit) {
            return Reached::Problem(format!("index {index} is out of range for {}", asked.name(ty)));
        }
        let part = if facts.kind == STRUCT { asked.module().operands(ty).nth(index as usize) } else { facts.part };
        let Some(part) = part else { return Reached::Unknown };
        ty = part;
    }
    Reached::Type(ty)
}

fn extracts_a_part(asked: &Asked<'_, '_>) -> Option<String> {
    match follow(asked, FIRST, 1) {
        Reached::Type(ty) => (asked.type_of(RESULT) != Some(ty))
            .then(|| format!("the selected member has type {}, not the type of the result", asked.name(ty))),
        Reached::Unknown => None,
        Reached::Problem(problem) => Some(problem),
    }
}

fn inserts_a_part(asked: &Asked<'_, '_>) -> Option<String> {
    match follow(asked, SECOND, 2) {
        Reached::Type(ty) => (asked.type_of(FIRST) != Some(ty))
            .then(|| format!("the selected member has type {}, not the type of operand 0", asked.name(ty))),
        Reached::Unknown => None,
        Reached::Problem(problem) => Some(problem),
    }
}

fn swaps_rows_and_columns(asked: &Asked<'_, '_>) -> Option<String> {
    let (result, matrix) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    if result.kind == OTHER || matrix.kind == OTHER {
        return None;
    }
    let (column, matrix_column) = (asked.about(result.part?), asked.about(matrix.part?));
    let is_right =
        column.part == matrix_column.part && column.count == matrix.count && result.count == matrix_column.count;
    (!is_right).then(|| "the result should have the rows of the operand as columns".to_owned())
}

fn is_another_type(asked: &Asked<'_, '_>) -> Option<String> {
    (asked.type_of(RESULT) == asked.type_of(FIRST))
        .then(|| "the result should be of another type than the operand".to_owned())
}

/// Two types match logically if they are the same, or arrays and structs of the same shape whose members match. With an explicit stack,
/// since types nest arbitrarily deep; every pair is compared once.
/// nest arbitrarily deep; every pair is looked at once.
fn matches_logically(asked: &Asked<'_, '_>) -> Option<String> {
    let mut stack = vec![(asked.type_of(RESULT)?, asked.type_of(FIRST)?)];
    let mut seen = rustc_hash::FxHashSet::default();
    let module = asked.module();
    while let Some((one, two)) = stack.pop() {
        if one == two && !stack.is_empty() || !seen.insert((one, two)) {
            continue;
        }
        if [one, two].iter().any(|&ty| asked.about(ty).kind == OTHER) {
            continue;
        }
        match (module.type_view(one)?, module.type_view(two)?) {
            (
                TypeView::Array { element: first, length: first_length },
                TypeView::Array { element: second, length: second_length },
            ) if first_length == second_length => stack.push((first, second)),
            (TypeView::Struct { members: first }, TypeView::Struct { members: second })
                if first.len() == second.len() =>
            {
                stack.extend(first.into_iter().zip(second));
            }
            _ if one == two => {}
            _ => return Some(format!("{} and {} do not match logically", asked.name(one), asked.name(two))),
        }
    }
    None
}
