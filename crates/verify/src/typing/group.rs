//! Operations across lanes (SPIR-V sections 3.3.21 and 3.3.24): T09.

use reconverge_ir::{Inst, Op, view};
use spirv::GroupOperation;

use super::facts::{BOOL, BOOLS, FLOAT, FLOATS, INT, INTS, OTHER, SCALAR, UNSIGNED, UNSIGNED_VECTOR, VECTOR};
use super::rule::Check::{By, Is, Same};
use super::rule::{Asked, FOURTH, RESULT, Rule, SECOND, THIRD, TypedPart};
use super::scope::has_right_scopes;
use crate::declared::version;

/// A vote: `all` and `any`.
pub(super) const VOTE: Rule = &[By(has_right_scopes), Is(RESULT, BOOL), Is(SECOND, BOOL)];
/// A vote of OpenCL; `spirv-val` does not check it.
pub(super) const VOTE_OF_GROUP: Rule = &[Is(RESULT, BOOL), Is(SECOND, BOOL)];
/// A value of another lane, in OpenCL.
pub(super) const BROADCAST_OF_GROUP: Rule = &[Same(SECOND, RESULT)];
/// A reduction or scan of OpenCL.
pub(super) const OF_GROUP: Rule = &[Same(THIRD, RESULT)];
/// `all_equal`.
pub(super) const ALL_EQUAL: Rule = &[By(has_right_scopes), Is(RESULT, BOOL), Is(SECOND, SCALAR | VECTOR)];
/// A value of the lane that an operand names.
pub(super) const FROM_LANE: Rule = &[
    By(has_right_scopes),
    Is(RESULT, SCALAR | VECTOR),
    Same(SECOND, RESULT),
    Is(THIRD, UNSIGNED),
    By(names_lane_by_constant),
];
/// The same, with a cluster size.
pub(super) const ROTATE: Rule = &[
    By(has_right_scopes),
    Is(RESULT, SCALAR | VECTOR),
    Same(SECOND, RESULT),
    Is(THIRD, UNSIGNED),
    Is(FOURTH, UNSIGNED),
    By(rotates_by_constant),
];
/// A value of the first lane.
pub(super) const FROM_FIRST: Rule = &[By(has_right_scopes), Is(RESULT, SCALAR | VECTOR), Same(SECOND, RESULT)];
/// `ballot`.
pub(super) const BALLOT: Rule =
    &[By(has_right_scopes), Is(RESULT, UNSIGNED_VECTOR), By(gives_four_words), Is(SECOND, BOOL)];
/// `inverse_ballot`.
pub(super) const INVERSE_BALLOT: Rule =
    &[By(has_right_scopes), Is(RESULT, BOOL), Is(SECOND, UNSIGNED_VECTOR), By(takes_four_words)];
/// `ballot_bit_extract`.
pub(super) const BALLOT_BIT: Rule =
    &[By(has_right_scopes), Is(RESULT, BOOL), Is(SECOND, UNSIGNED_VECTOR), By(takes_four_words), Is(THIRD, UNSIGNED)];
/// `ballot_bit_count`.
pub(super) const BALLOT_COUNT: Rule =
    &[By(has_right_scopes), Is(RESULT, UNSIGNED), Is(THIRD, UNSIGNED_VECTOR), By(counts_four_words)];
/// `ballot_find_lsb` and `ballot_find_msb`.
pub(super) const BALLOT_FIND: Rule =
    &[By(has_right_scopes), Is(RESULT, UNSIGNED), Is(SECOND, UNSIGNED_VECTOR), By(takes_four_words)];
/// Reductions and scans of integers.
pub(super) const INTEGERS: Rule =
    &[By(has_right_scopes), Is(RESULT, INT | INTS), Same(THIRD, RESULT), By(clusters_well)];
/// Reductions and scans of unsigned integers.
pub(super) const UNSIGNEDS: Rule =
    &[By(has_right_scopes), Is(RESULT, UNSIGNED | UNSIGNED_VECTOR), Same(THIRD, RESULT), By(clusters_well)];
/// Reductions and scans of floats.
pub(super) const NUMBERS: Rule =
    &[By(has_right_scopes), Is(RESULT, FLOAT | FLOATS), Same(THIRD, RESULT), By(clusters_well)];
/// Reductions and scans of booleans.
pub(super) const BOOLEANS: Rule =
    &[By(has_right_scopes), Is(RESULT, BOOL | BOOLS), Same(THIRD, RESULT), By(clusters_well)];

/// A suggestion for a finding of these rules about an operand that is not a constant.
pub(super) fn suggestion(asked: &Asked<'_, '_>) -> Option<&'static str> {
    if names_lane_by_constant(asked).is_some() {
        let is_free_later = asked.op != Op::GroupNonUniformQuadSwap;
        return Some(if is_free_later { "use a constant, or SPIR-V 1.5" } else { "use a constant" });
    }
    let group = view::Group::of(asked.module(), asked.inst)?;
    let size = match asked.op {
        Op::GroupNonUniformRotateKHR => asked.operand(view::GroupNonUniformRotateKHR::SLOT.cluster_size),
        _ if group.operation == Some(GroupOperation::ClusteredReduce) => group.arguments.first(),
        _ => None,
    };
    size.filter(|&size| !is_constant(asked, size)).map(|_| "use a constant")
}

fn names_lane_by_constant(asked: &Asked<'_, '_>) -> Option<String> {
    let is_old = asked.context.declared.version < version(1, 5);
    let must_be_constant = match asked.op {
        Op::GroupNonUniformQuadSwap => true,
        Op::GroupNonUniformBroadcast | Op::GroupNonUniformQuadBroadcast => is_old,
        _ => false,
    };
    let lane = view::Group::of(asked.module(), asked.inst)?.arguments.first()?;
    (must_be_constant && !is_constant(asked, lane))
        .then(|| format!("operand 2 should be a constant, found {}", asked.name(lane)))
}

fn is_constant(asked: &Asked<'_, '_>, operand: Inst) -> bool {
    let op = asked.module().op(operand);
    op.is_constant() || op == Op::Undef
}

fn rotates_by_constant(asked: &Asked<'_, '_>) -> Option<String> {
    let size = asked.operand(view::GroupNonUniformRotateKHR::SLOT.cluster_size)?;
    (!is_constant(asked, size))
        .then(|| format!("the size of a cluster should be a constant, found {}", asked.name(size)))
}

fn four_words(asked: &Asked<'_, '_>, part: TypedPart) -> Option<String> {
    let facts = asked.facts(part)?;
    (facts.kind != OTHER && facts.count != 4).then(|| "a ballot should have four words".to_owned())
}

fn gives_four_words(asked: &Asked<'_, '_>) -> Option<String> {
    four_words(asked, RESULT)
}

fn takes_four_words(asked: &Asked<'_, '_>) -> Option<String> {
    four_words(asked, SECOND)
}

fn counts_four_words(asked: &Asked<'_, '_>) -> Option<String> {
    four_words(asked, THIRD)
}

fn clusters_well(asked: &Asked<'_, '_>) -> Option<String> {
    use GroupOperation as G;
    let view::Group { operation, arguments, .. } = view::Group::of(asked.module(), asked.inst)?;
    let is_partitioned = matches!(
        operation,
        Some(G::PartitionedReduceNV | G::PartitionedInclusiveScanNV | G::PartitionedExclusiveScanNV)
    );
    let Some(size) = arguments.first() else {
        return (operation == Some(G::ClusteredReduce) || is_partitioned)
            .then(|| "this operation needs the size of its clusters, or its partitions".to_owned());
    };
    if is_partitioned {
        return Is(FOURTH, INTS).problem(asked).or_else(|| four_words(asked, FOURTH));
    }
    Is(FOURTH, UNSIGNED).problem(asked).or_else(|| {
        (!is_constant(asked, size))
            .then(|| format!("the size of a cluster should be a constant, found {}", asked.name(size)))
    })
}
