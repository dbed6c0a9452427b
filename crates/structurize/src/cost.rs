//! The cost model: what the choices weigh, in one place.
//!
//! Each number was chosen by what came out of the random and structured sets of `tests/common/generate.rs` and of the peers' bench, and
//! of 533 functions of real shaders without their merges.

/// A block that is added.
///
/// Twice a level of nesting: a scope of its own is then worth it from two ladders on. From one on, the median of random reducible
/// graphs rises from 1.364 to 1.366 and that of the other set from 1.375 to 1.380, since a selector often comes all the same.
pub(crate) const BLOCK: u32 = 2;

/// A level of nesting. A scope on a block that is there already costs no more than this and is worth it for a single ladder: 35 of
/// the 38 real functions that had gained blocks without it came back as they were.
pub(crate) const NESTING: u32 = 1;

/// A merge block that only passes control on, or that has one target more to tell apart.
pub(crate) const LADDER: u32 = BLOCK;

/// A scope whose header is an added block.
pub(crate) const SCOPE: u32 = BLOCK + NESTING;

/// A scope whose header is a block that is there already.
pub(crate) const SCOPE_ON_A_JUMP: u32 = NESTING;

/// Of two arms that leave, the one that stands first is nested and the other is the merge, unless the first is more than so many times
/// as heavy. So a small edit does not turn the output around; and each time at most two thirds are nested, which bounds the depth of
/// leaving arms by the logarithm of the size to the base 1.5 (19 at 2000 blocks, 34 at a million).
pub(crate) const HEAVIER: u64 = 2;

/// A case of so many blocks is nested whatever its weight, where all cases leave: in that many blocks nothing nests deep.
pub(crate) const SMALL_CASE: u32 = 16;

/// A break block of so much of what the loop's header dominates, one in so many parts, stands behind the loop: more would nest the
/// rest of the function in the loop. At a third, structured graphs grow to 1.060 at most instead of 1.048, and the median of
/// loop-simplified ones from 1.077 to 1.079.
pub(crate) const PART_BEHIND_LOOP: usize = 2;

/// Constructs that one block may open: its loop, two scopes, its selection.
pub(crate) const OPENED_BY_ONE: u32 = 4;

/// Constructs of a flat form: the loop, the switch, and a switch of the input in a case.
pub(crate) const OPENED_BY_FLAT: u32 = 3;

/// How deep a part may begin that is not flattened where the limit on nesting cuts: its first block may open its own constructs, and
/// what they hold is flat.
pub(crate) const fn depth_of_cut(nesting_limit: u32) -> u32 {
    nesting_limit.saturating_sub(OPENED_BY_ONE + OPENED_BY_FLAT - 1)
}

/// How deep a part may begin that is not cut into pieces where it needs more than the limit allows. Half of the levels are around the cut
/// and half in the pieces, so that both outer and inner loops are loops; what needs no more than what is left is not cut at all.
pub(crate) const fn depth_of_pieces(nesting_limit: u32) -> u32 {
    let half = nesting_limit.saturating_sub(OPENED_BY_FLAT - 1) / 2;
    let latest = depth_of_cut(nesting_limit);
    if half < latest { half } else { latest }
}

/// The last of the candidates, which come in the order of the input, unless another is more than [`HEAVIER`] times as heavy: then
/// the heaviest.
pub(crate) fn last_or_heaviest<T: Copy>(
    candidates: impl Iterator<Item = T> + Clone,
    weight: impl Fn(T) -> u64,
) -> Option<T> {
    let heaviest = candidates.clone().max_by_key(|&candidate| weight(candidate))?;
    let enough = |&candidate: &T| weight(candidate).saturating_mul(HEAVIER) >= weight(heaviest);
    candidates.filter(enough).last()
}
