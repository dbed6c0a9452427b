//! The cost model: all weights of the choices, in one place.
//!
//! Each number was chosen by measurements of the random and structured sets of `tests/common/generate.rs` and of the benchmark against
//! other structurizers, and of 533 functions of real shaders without their merges.

/// An added block.
///
/// Twice a level of nesting: then a scope pays off from two ladders on. If it paid off from one on, the median of random reducible graphs
/// would rise from 1.364 to 1.366 and that of the other set from 1.375 to 1.380, since a selector is often needed anyway.
pub(crate) const BLOCK: u32 = 2;

/// A level of nesting. A scope on an existing block costs no more than this and pays off for a single ladder: 35 of the 38 real functions
/// that gain blocks without it come back unchanged.
pub(crate) const NESTING: u32 = 1;

/// A merge block that only passes control on, or that distinguishes one target more.
pub(crate) const LADDER: u32 = BLOCK;

/// A scope whose header is an added block.
pub(crate) const SCOPE: u32 = BLOCK + NESTING;

/// A scope whose header is an existing block.
pub(crate) const SCOPE_ON_A_JUMP: u32 = NESTING;

/// Of two arms that leave, the first one is nested and the other is the merge, unless the first is more than this many times as heavy. So a
/// small edit does not reverse the output; and each time at most two thirds are nested, which bounds the depth of leaving arms by the
/// logarithm of the size to base 1.5 (19 at 2000 blocks, 34 at a million).
pub(crate) const HEAVIER: u64 = 2;

/// A case of at most this many blocks is nested whatever its weight, if all cases leave: nothing in so few blocks nests deep.
pub(crate) const SMALL_CASE: u32 = 16;

/// A break block that contains more than this fraction of what the loop's header dominates is placed after the loop; inside, it would nest
/// the rest of the function in the loop. At a third, structured graphs grow to 1.060 at most instead of 1.048, and the median of
/// loop-simplified ones from 1.077 to 1.079.
pub(crate) const PART_BEHIND_LOOP: usize = 2;

/// Constructs that one block may open: its loop, two scopes, its selection.
pub(crate) const OPENED_BY_ONE: u32 = 4;

/// Constructs of a flat form: the loop, the switch, and a switch of the input in a case.
pub(crate) const OPENED_BY_FLAT: u32 = 3;

/// The depth up to which a part may begin and is not flattened at the nesting limit: its first block may open its own constructs, and their
/// contents are flat.
pub(crate) const fn depth_of_cut(nesting_limit: u32) -> u32 {
    nesting_limit.saturating_sub(OPENED_BY_ONE + OPENED_BY_FLAT - 1)
}

/// The depth up to which a part may begin and is not cut into pieces, if it needs more than the limit allows. Half of the levels are around
/// the cut and half in the pieces, so that both outer and inner loops are loops; a part that fits into the rest is not cut at all.
pub(crate) const fn depth_of_pieces(nesting_limit: u32) -> u32 {
    let half = nesting_limit.saturating_sub(OPENED_BY_FLAT - 1) / 2;
    let latest = depth_of_cut(nesting_limit);
    if half < latest { half } else { latest }
}

/// The last of the candidates, in the order of the input, unless another is more than [`HEAVIER`] times as heavy: then the heaviest.
pub(crate) fn last_or_heaviest<T: Copy>(
    candidates: impl Iterator<Item = T> + Clone,
    weight: impl Fn(T) -> u64,
) -> Option<T> {
    let heaviest = candidates.clone().max_by_key(|&candidate| weight(candidate))?;
    let enough = |&candidate: &T| weight(candidate).saturating_mul(HEAVIER) >= weight(heaviest);
    candidates.filter(enough).last()
}
